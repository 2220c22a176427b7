/* SPDX-License-Identifier: MIT */
#include "face/tool/replay/freed.h"

#include <stdlib.h>
#include <string.h>

enum { SIDES = 2, WORD_BYTES = 4, MOST_BUFFERS = 1 << 20 };

static bool freed_make_room(struct freed *freed) {
    size_t room = freed->room ? freed->room * 2 : 64;
    struct freed_buffer *buffer;

    if (freed->count < freed->room)
        return true;
    if (freed->count == MOST_BUFFERS)
        return false;
    buffer = realloc(freed->buffer, room * sizeof *buffer);
    if (!buffer)
        return false;
    freed->buffer = buffer;
    freed->room = room;
    return true;
}

/* NULL: there is no room for it. Parts of a buffer that have no memory are 0. */
static uint8_t *freed_copy(const struct freed *freed, struct pfifo_buffer *buffer, uint64_t bytes) {
    uint8_t *data;

    if (bytes > ((uint64_t)FREED_MOST_MIB << 20) - freed->bytes)
        return NULL;
    data = calloc(1, (size_t)bytes + WORD_BYTES);
    if (data && !pfifo_buffer_read(buffer, 0, data, (size_t)bytes))
        memset(data, 0, (size_t)bytes);
    return data;
}

void freed_keep(struct freed *freed, uint32_t handle, uint32_t submission, struct pfifo_buffer *buffer) {
    struct freed_buffer *entry;

    if (freed->closed)
        return;
    if (!freed_make_room(freed)) {
        freed->skipped++;
        return;
    }
    entry = &freed->buffer[freed->count];
    *entry = (struct freed_buffer){
        .handle = handle, .submission = submission, .number = freed->count, .bytes = pfifo_buffer_bytes(buffer)};
    entry->data = freed_copy(freed, buffer, entry->bytes);
    freed->bytes += entry->data ? entry->bytes : 0;
    freed->count++;
}

static bool freed_print(struct differences *differences, const struct freed_buffer *first,
                        const struct pfifo_difference *difference) {
    bool more;

    differences->freed = true;
    differences->freed_after = first->submission;
    more = differences_print(differences, difference);
    differences->freed = false;
    return more;
}

static bool freed_compare_bytes(struct differences *differences, const struct freed_buffer *first,
                                const struct freed_buffer *second) {
    uint64_t bytes = first->bytes < second->bytes ? first->bytes : second->bytes;
    struct pfifo_difference difference = {.kind = PFIFO_DIFFERENCE_MEMORY, .handle = first->handle};

    pfifo_difference_bytes(&difference, first->data, second->data, 0, (size_t)bytes);
    return !difference.bytes || freed_print(differences, first, &difference);
}

static bool compare_pair(struct differences *differences, const struct freed_buffer *first,
                         const struct freed_buffer *second, uint64_t *left_out) {
    const struct pfifo_difference sizes = {
        .kind = PFIFO_DIFFERENCE_BUFFER, .handle = first->handle, .value = {first->bytes, second->bytes}};

    if (first->bytes != second->bytes && !freed_print(differences, first, &sizes))
        return false;
    if (first->data && second->data)
        return freed_compare_bytes(differences, first, second);
    ++*left_out;
    return true;
}

/* One of them has freed it, and the other has not, or not so often. */
static bool tell_only(struct differences *differences, const struct freed_buffer *only, unsigned side) {
    struct pfifo_difference difference = {.kind = PFIFO_DIFFERENCE_BUFFER, .handle = only->handle};

    difference.value[side] = only->bytes;
    return freed_print(differences, only, &difference);
}

static int compare_freed(const void *a, const void *b) {
    const struct freed_buffer *left = a, *right = b;

    if (left->handle != right->handle)
        return left->handle < right->handle ? -1 : 1;
    return left->number < right->number ? -1 : left->number > right->number;
}

bool freed_compare(struct freed *const freed[SIDES], struct differences *differences, uint64_t *left_out) {
    size_t at[SIDES] = {0};
    bool more = true;

    *left_out = freed[0]->skipped > freed[1]->skipped ? freed[0]->skipped : freed[1]->skipped;
    for (unsigned i = 0; i < SIDES; i++)
        if (freed[i]->count)
            qsort(freed[i]->buffer, freed[i]->count, sizeof *freed[i]->buffer, compare_freed);
    while (more && (at[0] < freed[0]->count || at[1] < freed[1]->count)) {
        const struct freed_buffer *first = at[0] < freed[0]->count ? &freed[0]->buffer[at[0]] : NULL,
                                  *second = at[1] < freed[1]->count ? &freed[1]->buffer[at[1]] : NULL;
        bool pair = first && second && first->handle == second->handle;
        unsigned side = !first || (second && second->handle < first->handle);
        more = pair ? compare_pair(differences, first, second, left_out)
                    : tell_only(differences, side ? second : first, side);
        at[0] += pair || side == 0;
        at[1] += pair || side == 1;
    }
    return more;
}

void freed_free(struct freed *freed) {
    for (size_t i = 0; i < freed->count; i++)
        free(freed->buffer[i].data);
    free(freed->buffer);
    *freed = (struct freed){.closed = true};
}
