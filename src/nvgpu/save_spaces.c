/* SPDX-License-Identifier: MIT */
/* Address spaces, saved and loaded: several files may have the same one. */
#include "nvgpu/save.h"

#include <stdlib.h>

#define VERSION     1
#define MOST_SPACES 0x1000000u
#define NO_SPACE    UINT32_MAX
#define END_MOST    (UINT64_C(1) << 39)

NVGPU_SAVES(struct nvgpu_range, 40);
NVGPU_SAVES(struct nvgpu_as, 88);

static uint32_t save_spaces_number_of(const struct nvgpu_save *save, const struct nvgpu_as *as) {
    for (uint32_t i = 0; i < save->space_count; i++)
        if (save->spaces[i] == as)
            return i;
    return NO_SPACE;
}

/* False: there is no memory. */
static bool save_spaces_add(struct nvgpu_save *save, struct nvgpu_as *as) {
    void *spaces = save->spaces;
    bool room = nvgpu_save_room(save, &spaces, save->space_count, &save->space_room, sizeof(void *));
    save->spaces = spaces;
    if (room)
        save->spaces[save->space_count++] = as;
    return room;
}

/* In the order in which the files of the clients name them. */
static void find_all(struct nvgpu_save *save) {
    for (uint32_t i = 0; i < save->client_count; i++)
        for (unsigned k = 0; k < NVGPU_FILES; k++) {
            const struct nvgpu_file *file = &save->clients[i]->files[k];
            struct nvgpu_as *as = file->device && file->device->space ? file->device->space(file) : NULL;
            if (as && save_spaces_number_of(save, as) == NO_SPACE)
                save_spaces_add(save, as);
        }
}

/* ---- ranges ---- */

/* The object is by its number. */
static void state_object_of(struct nvgpu_save *save, struct nvgpu_range *range) {
    const struct pfifo_nvgpu *nvgpu = save->nvgpu;
    uint32_t number = range->object ? range->object->number : 0;
    state_index(&save->io, &number, nvgpu->object_count, "object");
    if (!save->io.loading || !state_good(&save->io))
        return;
    range->object = nvgpu->objects[number];
    if (!range->object || !range->object->allocated)
        state_fail(&save->io, PFIFO_ERROR_FORMAT, "an object without memory is mapped");
}

static bool is_valid(const struct nvgpu_as *as, const struct nvgpu_range *range, uint64_t from) {
    uint32_t page = range->page_bytes;
    return range->bytes && range->address >= from && range->bytes <= END_MOST &&
           range->address <= END_MOST - range->bytes && (page == NVGPU_PAGE || page == as->big_page) &&
           range->address % NVGPU_PAGE == 0 && range->bytes % NVGPU_PAGE == 0 && range->mapped <= range->bytes &&
           range->mapped % NVGPU_PAGE == 0;
}

static void state_range(struct nvgpu_save *save, const struct nvgpu_as *as, struct nvgpu_range *range, bool mapping) {
    struct state_io *io = &save->io;
    state_u64(io, &range->address);
    state_u64(io, &range->bytes);
    state_u32(io, &range->page_bytes);
    state_bool(io, &range->sparse);
    if (mapping) {
        state_u64(io, &range->mapped);
        state_object_of(save, range);
    }
    if (io->loading && state_good(io) && !is_valid(as, range, as->start))
        state_fail(io, PFIFO_ERROR_FORMAT, "addresses that cannot be taken");
}

static void state_ranges(struct nvgpu_save *save, const struct nvgpu_as *as, struct nvgpu_ranges *ranges,
                         bool mappings) {
    struct state_io *io = &save->io;
    uint32_t count = state_count(io, ranges->count, NVGPU_RANGES, "ranges");
    uint64_t end = 0;
    for (uint32_t i = 0; i < count && state_good(io); i++) {
        struct nvgpu_range range = {0};
        state_range(save, as, io->loading ? &range : &ranges->range[i], mappings);
        if (!io->loading || !state_good(io))
            continue;
        if (range.address < end)
            state_fail(io, PFIFO_ERROR_FORMAT, "ranges overlap");
        else if (!ranges_add(ranges, &range))
            state_fail(io, PFIFO_ERROR_MEMORY, "no memory for ranges");
        else if (mappings)
            nvgpu_object_mapped(range.object);
        end = range.address + range.bytes;
    }
}

/* ---- spaces ---- */

/* Id 0: a channel is bound to it, but it is not initialised. */
static bool save_spaces_can_be(const struct nvgpu_as *as) {
    uint64_t all = as->start | as->split | as->end;
    if (!as->vm_id)
        return !all && !as->big_page;
    return (as->big_page == 0x10000 || as->big_page == 0x20000) && as->start && as->start < as->split &&
           as->split < as->end && as->end <= END_MOST && all % as->big_page == 0;
}

static void state_one(struct nvgpu_save *save, struct nvgpu_as *as) {
    struct state_io *io = &save->io;
    if (state_begin(io, "NVAS", VERSION)) {
        nvgpu_state_id(save, NVGPU_ID_VM, &as->vm_id);
        state_u32(io, &as->big_page);
        state_u64(io, &as->start);
        state_u64(io, &as->split);
        state_u64(io, &as->end);
        if (!save_spaces_can_be(as))
            state_fail(io, PFIFO_ERROR_FORMAT, "an address space that cannot be");
        state_ranges(save, as, &as->spaces, false);
        state_ranges(save, as, &as->mappings, true);
        if (!as->vm_id && (as->spaces.count || as->mappings.count))
            state_fail(io, PFIFO_ERROR_FORMAT, "an address space that is not initialised has addresses");
    }
    state_end(io);
}

void nvgpu_state_spaces(struct nvgpu_save *save) {
    struct state_io *io = &save->io;
    uint32_t count = 0;
    if (!io->loading)
        find_all(save);
    if (state_begin(io, "NVAN", VERSION))
        count = state_count(io, save->space_count, MOST_SPACES, "address spaces");
    state_end(io);
    for (uint32_t i = 0; i < count && state_good(io); i++) {
        struct nvgpu_as *as = io->loading ? calloc(1, sizeof *as) : save->spaces[i];
        if (!as) {
            state_fail(io, PFIFO_ERROR_MEMORY, "no memory for an address space");
            return;
        }
        if (io->loading) {
            as->references = 1; /* of the list */
            as->nvgpu = save->nvgpu;
            if (!save_spaces_add(save, as)) {
                nvgpu_forget_space(as);
                return;
            }
        }
        state_one(save, as);
    }
}

void nvgpu_state_space(struct nvgpu_save *save, struct nvgpu_as **as) {
    uint32_t number = *as ? save_spaces_number_of(save, *as) + 1 : 0;
    state_index(&save->io, &number, save->space_count + 1, "address space");
    if (!save->io.loading)
        return;
    *as = number ? save->spaces[number - 1] : NULL;
    if (*as)
        (*as)->references++;
}

bool nvgpu_link_space(struct nvgpu_as *as, enum nvgpu_link link) {
    if (!as)
        return true;
    if (link == NVGPU_LINK_NOTE)
        as->vm_id = as->vm ? pfifo_vm_id(as->vm) : 0;
    else
        as->vm = as->vm_id ? pfifo_device_space(as->nvgpu->device, as->vm_id) : NULL;
    return !as->vm_id == !as->vm;
}

void nvgpu_forget_space(struct nvgpu_as *as) {
    if (!as || --as->references)
        return;
    free(as->mappings.range);
    free(as->spaces.range);
    free(as);
}
