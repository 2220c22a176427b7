/* SPDX-License-Identifier: MIT */
/* Memory of objects, what the kernel has offered of it to be mapped, and where the GPU has it. */
#include "foreign/nvrm_state.h"

#include <search.h>
#include <stdlib.h>

/* ---- memory ---- */

struct nvrm_memory *nvrm_memory_new(struct nvrm *nvrm, uint32_t domain) {
    struct nvrm_memory *memory = calloc(1, sizeof *memory);

    if (!memory)
        return NULL;
    memory->domain = domain;
    memory->users = 1;
    memory->pages.total = &nvrm->pages;
    return memory;
}

struct nvrm_memory *nvrm_memory_keep(struct nvrm_memory *memory) {
    memory->users++;
    return memory;
}

void nvrm_memory_changed(struct nvrm *nvrm, struct nvrm_memory *memory) {
    if (memory->link)
        return;
    memory->next = nvrm->changed;
    if (memory->next)
        memory->next->link = &memory->next;
    memory->link = &nvrm->changed;
    nvrm->changed = memory;
}

void nvrm_memory_drop(struct nvrm *nvrm, struct nvrm_memory *memory) {
    if (!memory || --memory->users)
        return;
    if (memory->link)
        *memory->link = memory->next;
    if (memory->link && memory->next)
        memory->next->link = memory->link;
    nvrm->pages -= memory->pages.count;
    foreign_pages_free(&memory->pages);
    free(memory);
}

/* ---- places ---- */

static int nvrm_compare_places(const void *a, const void *b) {
    const struct nvrm_place *left = a, *right = b;

    return foreign_compare_ranges(left->address, left->bytes, right->address, right->bytes);
}

struct nvrm_place *nvrm_place_at(const struct nvrm *nvrm, uint64_t address) {
    const struct nvrm_place key = {.address = address, .bytes = 1};
    void *const *node = tfind(&key, &nvrm->places, nvrm_compare_places);

    return node ? *node : NULL;
}

static const char *why_no_place(const struct nvrm *nvrm, const struct nvrm_place *wanted) {
    if (wanted->address % FOREIGN_PAGE || wanted->offset % FOREIGN_PAGE || !wanted->address || !wanted->bytes ||
        wanted->bytes > UINT64_MAX / 2 || wanted->address > UINT64_MAX / 4 || wanted->offset > UINT64_MAX / 4)
        return "a mapping of the GPU is not of pages";
    if (nvrm->place_count == NVRM_OBJECTS)
        return "there are too many mappings of the GPU";
    return NULL;
}

bool nvrm_place_make(struct nvrm *nvrm, struct nvrm_memory *memory, const struct nvrm_place *wanted, size_t at) {
    const char *why = why_no_place(nvrm, wanted);
    struct nvrm_place *place;
    struct pfifo_stream_bonew made;

    if (why)
        return nvrm_leave_out(nvrm, at, why);
    place = malloc(sizeof *place);
    if (!place)
        return nvrm_no_memory(nvrm);
    *place = *wanted;
    place->bytes = (place->bytes + FOREIGN_PAGE - 1) / FOREIGN_PAGE * FOREIGN_PAGE;
    if (tfind(place, &nvrm->places, nvrm_compare_places)) {
        free(place);
        return nvrm_leave_out(nvrm, at, "two address spaces of the GPU have something at the same address");
    }
    if (!tsearch(place, &nvrm->places, nvrm_compare_places)) {
        free(place);
        return nvrm_no_memory(nvrm);
    }
    nvrm->place_count++;
    place->handle = ++nvrm->next_handle;
    place->memory = memory;
    place->next = memory->places;
    if (place->next)
        place->next->link = &place->next;
    place->link = &memory->places;
    memory->places = place;
    memory->again = true;
    nvrm_memory_changed(nvrm, memory);
    made = (struct pfifo_stream_bonew){
        .handle = place->handle, .domain = memory->domain, .bytes = place->bytes, .address = place->address};
    return nvrm_append(nvrm, (struct pfifo_stream_record){.type = PFIFO_STREAM_BONEW, .bonew = made});
}

bool nvrm_place_remove(struct nvrm *nvrm, struct nvrm_place *place) {
    const uint32_t handle = place->handle;

    tdelete(place, &nvrm->places, nvrm_compare_places);
    *place->link = place->next;
    if (place->next)
        place->next->link = place->link;
    free(place);
    nvrm->place_count--;
    return nvrm->ending ||
           nvrm_append(nvrm, (struct pfifo_stream_record){.type = PFIFO_STREAM_BODEL, .bodel = {handle}});
}

/* ---- windows ---- */

static int nvrm_compare_windows(const void *a, const void *b) {
    const struct nvrm_window *left = a, *right = b;

    if (left->by_fd != right->by_fd)
        return left->by_fd ? 1 : -1;
    return left->key < right->key ? -1 : left->key > right->key;
}

struct nvrm_window *nvrm_window_find(const struct nvrm *nvrm, bool by_fd, uint64_t key) {
    const struct nvrm_window wanted = {.by_fd = by_fd, .key = key};
    void *const *node = tfind(&wanted, &nvrm->windows, nvrm_compare_windows);

    return node ? *node : NULL;
}

void nvrm_window_remove(struct nvrm *nvrm, struct nvrm_window *window) {
    tdelete(window, &nvrm->windows, nvrm_compare_windows);
    nvrm_memory_drop(nvrm, window->memory);
    free(window);
    nvrm->window_count--;
}

/* The latest one of a key counts. */
bool nvrm_window_make(struct nvrm *nvrm, const struct nvrm_window *wanted, size_t at) {
    struct nvrm_window *window = nvrm_window_find(nvrm, wanted->by_fd, wanted->key);

    if (window)
        nvrm_window_remove(nvrm, window);
    if (nvrm->window_count == NVRM_OBJECTS)
        return nvrm_leave_out(nvrm, at, "there are too many mappings");
    window = malloc(sizeof *window);
    if (!window)
        return nvrm_no_memory(nvrm);
    *window = *wanted;
    if (!tsearch(window, &nvrm->windows, nvrm_compare_windows)) {
        free(window);
        return nvrm_no_memory(nvrm);
    }
    nvrm_memory_keep(window->memory);
    nvrm->window_count++;
    return true;
}

void nvrm_map(struct nvrm *nvrm, struct mmt_mapping *mapping, uint32_t fd) {
    const struct nvrm_window *window = mapping->offset ? nvrm_window_find(nvrm, false, mapping->offset) : NULL;

    if (!window && fd != NVRM_NO_FD)
        window = nvrm_window_find(nvrm, true, fd);
    nvrm_unmap(nvrm, mapping);
    if (!window)
        return;
    mapping->memory = nvrm_memory_keep(window->memory);
    mapping->shown = window->offset;
    if (mapping->memory->channel)
        mapping->memory->channel->has_user = true;
}

void nvrm_unmap(struct nvrm *nvrm, struct mmt_mapping *mapping) {
    nvrm_memory_drop(nvrm, mapping->memory);
    mapping->memory = NULL;
}

bool nvrm_write(struct nvrm *nvrm, const struct mmt_mapping *mapping, uint64_t offset, const uint8_t *data,
                size_t bytes) {
    const uint64_t at = mapping->shown + offset;

    if (offset >= mapping->bytes || bytes > mapping->bytes - offset || at < offset || at > UINT64_MAX / 2)
        return true;
    if (!foreign_pages_write(&mapping->memory->pages, 0, at, data, bytes))
        return nvrm_no_memory(nvrm);
    nvrm_memory_changed(nvrm, mapping->memory);
    return nvrm_channels_written(nvrm, mapping->memory, at, bytes);
}
