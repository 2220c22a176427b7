/* SPDX-License-Identifier: MIT */
#include "replay/spaces.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>

#include "driver/vm.h"

static struct replay_space *spaces_slot_of(const struct replay_spaces *spaces, uint32_t number) {
    for (size_t i = 0; i < spaces->count; i++)
        if (spaces->space[i].number == number)
            return &spaces->space[i];
    return NULL;
}

struct pfifo_vm *replay_spaces_find(const struct replay_spaces *spaces, uint32_t number) {
    const struct replay_space *space = number ? spaces_slot_of(spaces, number) : NULL;

    return space ? space->vm : NULL;
}

static enum pfifo_status spaces_no_space(uint32_t number, struct pfifo_error *error) {
    return pfifo_error_set(error, PFIFO_ERROR_FORMAT, "there is no space %" PRIu32, number);
}

static enum pfifo_status check_limit(struct replay_spaces *spaces, uint64_t bytes, struct pfifo_error *error) {
    if (bytes > REPLAY_MAX_BUFFER_BYTES - spaces->bytes)
        return pfifo_error_set(error, PFIFO_ERROR_MEMORY, "%" PRIu64 " bytes: more than 1 TiB mapped in all", bytes);
    spaces->bytes += bytes;
    return PFIFO_OK;
}

/* A free slot. NULL: no memory, or too many. */
static struct replay_space *new_slot(struct replay_spaces *spaces, struct pfifo_error *error) {
    struct replay_space *slot = spaces_slot_of(spaces, 0), *grown;

    if (slot)
        return slot;
    grown = spaces->count < REPLAY_MAX_SPACES ? realloc(spaces->space, (spaces->count + 1) * sizeof *grown) : NULL;
    if (!grown) {
        pfifo_error_set(error, PFIFO_ERROR_MEMORY, "no memory for %zu spaces", spaces->count + 1);
        return NULL;
    }
    spaces->space = grown;
    grown[spaces->count] = (struct replay_space){0};
    return &grown[spaces->count++];
}

static enum pfifo_status spaces_make_space(struct replay_spaces *spaces, uint32_t number,
                                           const struct pfifo_vm_config *config, struct pfifo_error *error) {
    struct replay_space *slot = new_slot(spaces, error);

    if (!slot)
        return PFIFO_ERROR_MEMORY;
    slot->vm = pfifo_vm_new(spaces->buffers->device, config, error);
    if (!slot->vm)
        return error->status;
    slot->number = number;
    return PFIFO_OK;
}

static enum pfifo_status make_plain_space(struct replay_spaces *spaces, const struct pfifo_stream_space *record,
                                          struct pfifo_error *error) {
    const struct pfifo_vm_config config = {.size = sizeof config,
                                           .first = record->first,
                                           .bytes = record->bytes,
                                           .big_page_bytes = record->big_page_bytes};

    return spaces_make_space(spaces, record->space, &config, error);
}

/* Rings and fences of channels come from what the kernel keeps. */
static enum pfifo_status make_managed_space(struct replay_spaces *spaces, const struct pfifo_stream_vminit *record,
                                            struct pfifo_error *error) {
    const struct pfifo_vm_config config = {.size = sizeof config, .ceiling = record->kept + record->kept_bytes};

    enum pfifo_status status = spaces_make_space(spaces, record->space, &config, error);
    if (status == PFIFO_OK)
        pfifo_private_vm_keep(replay_spaces_find(spaces, record->space), record->kept);
    return status;
}

static enum pfifo_status end_space(struct replay_spaces *spaces, uint32_t number, struct pfifo_error *error) {
    struct replay_space *slot = spaces_slot_of(spaces, number);

    if (!number || !slot)
        return spaces_no_space(number, error);
    enum pfifo_status status = pfifo_vm_free(slot->vm, error);
    *slot = (struct replay_space){0};
    return status;
}

static enum pfifo_status make_sparse(struct replay_spaces *spaces, const struct pfifo_stream_sparse *record,
                                     struct pfifo_error *error) {
    struct pfifo_vm *vm = replay_spaces_find(spaces, record->space);
    const struct pfifo_vm_range range = {.size = sizeof range,
                                         .address = record->address,
                                         .bytes = record->bytes,
                                         .flags = PFIFO_VM_FIXED | PFIFO_VM_SPARSE};

    if (!vm)
        return spaces_no_space(record->space, error);
    if (!record->sparse)
        return pfifo_vm_release(vm, record->address, error);
    enum pfifo_status status = check_limit(spaces, record->bytes, error);
    return status == PFIFO_OK ? pfifo_vm_reserve(vm, &range, NULL, error) : status;
}

static enum pfifo_status map(struct replay_spaces *spaces, const struct pfifo_stream_map *record,
                             struct pfifo_error *error) {
    struct pfifo_vm *vm = replay_spaces_find(spaces, record->space);
    uint32_t read_only = record->flags & PFIFO_STREAM_MAP_READ_ONLY ? PFIFO_VM_READ_ONLY : 0;
    const struct pfifo_vm_map map = {.size = sizeof map,
                                     .buffer = replay_buffers_find(spaces->buffers, record->handle),
                                     .offset = record->offset,
                                     .bytes = record->bytes,
                                     .address = record->address,
                                     .page_bytes = record->page_bytes,
                                     .kind = record->kind,
                                     .flags = PFIFO_VM_FIXED | read_only};

    if (!vm)
        return spaces_no_space(record->space, error);
    enum pfifo_status status = check_limit(spaces, record->bytes, error);
    return status == PFIFO_OK ? pfifo_vm_map(vm, &map, NULL, error) : status;
}

static enum pfifo_status unmap(const struct replay_spaces *spaces, const struct pfifo_stream_unmap *record,
                               struct pfifo_error *error) {
    struct pfifo_vm *vm = replay_spaces_find(spaces, record->space);

    return vm ? pfifo_vm_unmap(vm, record->address, record->bytes, error) : spaces_no_space(record->space, error);
}

/* ---- operations of VM_BIND, as src/face/drm/node/space.c does them ---- */

static enum pfifo_status bind_map(struct replay_spaces *spaces, struct pfifo_vm *vm,
                                  const struct pfifo_stream_bind *record, struct pfifo_error *error) {
    const struct pfifo_vm_map map = {.size = sizeof map,
                                     .buffer = replay_buffers_find(spaces->buffers, record->handle),
                                     .offset = record->offset,
                                     .bytes = record->bytes,
                                     .address = record->address,
                                     .page_bytes = PFIFO_VM_PAGE_BYTES,
                                     .kind = record->kind,
                                     .flags = PFIFO_VM_FIXED};
    enum pfifo_status status = check_limit(spaces, record->bytes, error);

    if (status == PFIFO_OK)
        status = pfifo_private_vm_clear(vm, record->address, record->bytes, error);
    return status == PFIFO_OK ? pfifo_vm_map(vm, &map, NULL, error) : status;
}

static enum pfifo_status bind_sparse(struct replay_spaces *spaces, struct pfifo_vm *vm,
                                     const struct pfifo_stream_bind *record, struct pfifo_error *error) {
    const struct pfifo_vm_range range = {.size = sizeof range,
                                         .address = record->address,
                                         .bytes = record->bytes,
                                         .flags = PFIFO_VM_FIXED | PFIFO_VM_SPARSE};
    enum pfifo_status status = check_limit(spaces, record->bytes, error);

    return status == PFIFO_OK ? pfifo_vm_reserve(vm, &range, NULL, error) : status;
}

static enum pfifo_status bind(struct replay_spaces *spaces, const struct pfifo_stream_bind *record,
                              struct pfifo_error *error) {
    struct pfifo_vm *vm = replay_spaces_find(spaces, record->space);

    if (!vm)
        return spaces_no_space(record->space, error);
    if (record->how == PFIFO_STREAM_BIND_MAP)
        return bind_map(spaces, vm, record, error);
    if (record->how == PFIFO_STREAM_BIND_SPARSE)
        return bind_sparse(spaces, vm, record, error);
    enum pfifo_status status = pfifo_private_vm_clear(vm, record->address, record->bytes, error);
    if (status == PFIFO_OK && record->how == PFIFO_STREAM_BIND_END_SPARSE)
        status = pfifo_vm_release(vm, record->address, error);
    return status;
}

enum pfifo_status replay_spaces_play(struct replay_spaces *spaces, const struct pfifo_stream_record *record,
                                     struct pfifo_error *error) {
    assert(spaces->buffers);
    switch (record->type) {
    case PFIFO_STREAM_SPACE:
        return make_plain_space(spaces, &record->space, error);
    case PFIFO_STREAM_SPACEDEL:
        return end_space(spaces, record->spacedel.space, error);
    case PFIFO_STREAM_SPARSE:
        return make_sparse(spaces, &record->sparse, error);
    case PFIFO_STREAM_MAP:
        return map(spaces, &record->map, error);
    case PFIFO_STREAM_UNMAP:
        return unmap(spaces, &record->unmap, error);
    case PFIFO_STREAM_VMINIT:
        return make_managed_space(spaces, &record->vminit, error);
    case PFIFO_STREAM_BIND:
        return bind(spaces, &record->bind, error);
    default:
        return PFIFO_OK;
    }
}

void replay_spaces_free(struct replay_spaces *spaces) {
    free(spaces->space);
    *spaces = (struct replay_spaces){0};
}

struct replay_spaces_mark {
    uint64_t bytes;
    size_t count;
    struct {
        uint32_t number, id;
    } space[];
};

struct replay_spaces_mark *replay_spaces_mark(const struct replay_spaces *spaces) {
    struct replay_spaces_mark *mark = malloc(sizeof *mark + spaces->count * sizeof mark->space[0]);

    if (!mark)
        return NULL;
    mark->bytes = spaces->bytes;
    mark->count = spaces->count;
    for (size_t i = 0; i < spaces->count; i++) {
        mark->space[i].number = spaces->space[i].number;
        mark->space[i].id = spaces->space[i].number ? pfifo_vm_id(spaces->space[i].vm) : 0;
    }
    return mark;
}

bool replay_spaces_return(struct replay_spaces *spaces, const struct replay_spaces_mark *mark) {
    struct replay_space *grown = realloc(spaces->space, (mark->count + 1) * sizeof *grown);

    spaces->count = 0;
    if (!grown)
        return false;
    spaces->space = grown;
    spaces->bytes = mark->bytes;
    for (; spaces->count < mark->count; spaces->count++) {
        uint32_t id = mark->space[spaces->count].id;
        grown[spaces->count] = (struct replay_space){mark->space[spaces->count].number,
                                                     id ? pfifo_device_space(spaces->buffers->device, id) : NULL};
        if (id && !grown[spaces->count].vm)
            return false;
    }
    return true;
}
