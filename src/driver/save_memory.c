/* SPDX-License-Identifier: MIT */
/*
 * Saved: pools, buffers, and address spaces with what is mapped in them. What follows from that is not saved: who holds
 * a buffer, its own address and space.
 */
#include "driver/save.h"

#include "driver/tables.h"

#include <stdlib.h>

#define BUS_END (UINT64_C(1) << 40)

/* Zeros for what is loaded next; NULL: the state has failed. */
static void *load_array(struct state_io *io, uint32_t count, size_t bytes, const char *what) {
    void *array = calloc(count, bytes);
    if (!array)
        state_fail(io, PFIFO_ERROR_MEMORY, "no memory for %s", what);
    return array;
}

/* ---- pools ---- */

static void save_range(struct state_io *io, const struct pool *pool, struct range *range, uint64_t floor) {
    state_u64(io, &range->begin);
    state_u64(io, &range->end);
    state_bool(io, &range->kept);
    save_check(io, range->begin >= floor && range->end > range->begin && range->end <= pool->end, "a range");
}

void save_pool(struct state_io *io, struct pool *pool) {
    uint32_t count = save_count(io, pool->count, 20, "ranges");
    uint64_t floor = pool->floor;
    if (io->loading && count) {
        pool->ranges = load_array(io, count, sizeof *pool->ranges, "ranges");
        if (!pool->ranges)
            return;
        pool->room = count;
    }
    for (uint32_t i = 0; i < count && state_good(io); i++) {
        save_range(io, pool, &pool->ranges[i], floor);
        floor = pool->ranges[i].end;
        pool->count = state_good(io) && io->loading ? i + 1 : pool->count;
    }
    state_u64(io, &pool->found.bytes);
    state_u64(io, &pool->found.align);
    state_u64(io, &pool->found.begin);
    save_check(io, pool->found.begin <= pool->ceiling && !(pool->found.align & (pool->found.align - 1)),
               "what was found last");
}

/* Is all of a range taken? */
static bool pool_covers(const struct pool *pool, uint64_t begin, uint64_t bytes) {
    for (size_t i = 0; i < pool->count && bytes; i++) {
        const struct range *range = &pool->ranges[i];
        if (begin < range->begin || begin >= range->end)
            continue;
        uint64_t left = range->end - begin;
        left = left < bytes ? left : bytes;
        begin += left;
        bytes -= left;
    }
    return bytes == 0;
}

static const struct pool *instances(const struct pfifo_device *device) {
    return device->chip->vram_bytes ? &device->vram : &device->system;
}

void save_instance(struct device_save *save, uint64_t *address, uint64_t bytes) {
    state_u64(save->io, address);
    save_check(save->io, !*address || pool_taken(instances(save->device), *address) == bytes, "instance memory");
}

/* ---- buffers ---- */

static void load_extents(struct device_save *save, struct pfifo_buffer *buffer, uint32_t count) {
    if (!save->io->loading || !count)
        return;
    save_check(save->io, buffer->system && save->real->config.gpu.system_map, "an import");
    buffer->extents = state_good(save->io) ? calloc(count, sizeof *buffer->extents) : NULL;
    if (!buffer->extents)
        state_fail(save->io, PFIFO_ERROR_MEMORY, "no memory for a buffer");
    buffer->extent_count = count;
}

static void save_extents(struct device_save *save, struct pfifo_buffer *buffer) {
    uint64_t own = save->device->system.end, end = 0;
    uint32_t count = save_count(save->io, buffer->extent_count, 16, "pieces of a buffer");
    load_extents(save, buffer, count);
    if (count && !buffer->extents)
        return;
    for (uint32_t i = 0; i < count && state_good(save->io); i++) {
        struct buffer_extent *extent = &buffer->extents[i];
        state_u64(save->io, &extent->physical);
        state_u64(save->io, &extent->bytes);
        save_check(save->io,
                   extent->physical >= own && extent->physical < BUS_END && extent->bytes &&
                       extent->bytes <= BUS_END - extent->physical && extent->bytes <= BUS_END - end &&
                       (extent->physical | extent->bytes) % PAGE_BYTES == 0,
                   "a piece of a buffer");
        extent->offset = end;
        end += extent->bytes;
    }
    save_check(save->io, !count || end == buffer->bytes, "the pieces of a buffer");
}

static void check_placed(struct device_save *save, const struct pfifo_buffer *buffer) {
    const struct pfifo_device *device = save->device;
    const struct pool *pool = buffer->system ? &device->system : &device->vram;
    save_check(save->io, buffer->bytes && buffer->bytes % PAGE_BYTES == 0, "a buffer's size");
    save_check(save->io, buffer->system || device->chip->vram_bytes, "a buffer in VRAM");
    save_check(save->io, buffer->extents || pool_taken(pool, buffer->physical) == buffer->bytes, "a buffer's memory");
    save_check(save->io,
               !buffer->in_bar || (!buffer->system && !buffer->extents &&
                                   pool_taken(&device->bar1, buffer->bar_offset) == buffer->bytes),
               "a buffer's place in BAR 1");
}

static void save_uses(struct device_save *save, struct pfifo_buffer *buffer) {
    struct buffer_uses *uses = &buffer->uses;
    uint32_t count = save_count(save->io, uses->count, 20, "uses of a buffer");
    if (save->io->loading && count) {
        uses->fences = load_array(save->io, count, sizeof *uses->fences, "a buffer's uses");
        if (!uses->fences)
            return;
        uses->room = count;
    }
    for (uint32_t i = 0; i < count && state_good(save->io); i++) {
        bool there = uses->fences[i].device != NULL; /* a fence of nothing is done */
        state_bool(save->io, &there);
        state_u64(save->io, &uses->fences[i].channel);
        state_u64(save->io, &uses->fences[i].sequence);
        if (save->io->loading) {
            uses->fences[i].device = there ? save->real : NULL;
            uses->count = i + 1;
        }
    }
}

static void save_buffer(struct device_save *save, struct pfifo_buffer *buffer) {
    struct state_io *io = save->io;
    state_u32(io, &buffer->id);
    state_u32(io, &buffer->owners);
    state_bool(io, &buffer->system);
    state_bool(io, &buffer->in_bar);
    state_u64(io, &buffer->physical);
    state_u64(io, &buffer->bytes);
    state_u32(io, &buffer->kind);
    state_u32(io, &buffer->tile_mode);
    state_u64(io, &buffer->bar_offset);
    save_extents(save, buffer);
    save_uses(save, buffer);
    save_check(io, buffer->id && buffer->id <= save->device->ids, "a buffer's number");
    if (!io->loading || !state_good(io))
        return;
    check_placed(save, buffer);
    buffer->freed = buffer->owners == 0;
    buffer->holds = !buffer->freed;
}

static int by_id(const void *a, const void *b) {
    const struct pfifo_buffer *const *one = a, *const *other = b;
    return (*one)->id < (*other)->id ? -1 : (*one)->id > (*other)->id;
}

static void load_buffers(struct device_save *save, uint32_t count) {
    struct pfifo_buffer *last = NULL;
    save->buffers = count ? calloc(count, sizeof(struct pfifo_buffer *)) : NULL;
    for (uint32_t i = 0; i < count && state_good(save->io); i++) {
        struct pfifo_buffer *buffer = save->buffers ? calloc(1, sizeof *buffer) : NULL;
        if (!buffer) {
            state_fail(save->io, PFIFO_ERROR_MEMORY, "no memory for a buffer");
            return;
        }
        buffer->device = save->real;
        buffer->previous = last;
        if (last)
            last->next = buffer;
        else
            save->device->buffers = buffer;
        last = save->buffers[save->buffer_count++] = buffer;
        save_buffer(save, buffer);
    }
    if (!save->buffers)
        return;
    if (save->buffer_count)
        qsort(save->buffers, save->buffer_count, sizeof(struct pfifo_buffer *), by_id);
    for (size_t i = 1; i < save->buffer_count; i++)
        save_check(save->io, save->buffers[i - 1]->id != save->buffers[i]->id, "two buffers of one number");
}

void save_buffers(struct device_save *save) {
    uint64_t count = 0;
    if (state_begin(save->io, "DBUF", 1)) {
        for (struct pfifo_buffer *buffer = save->device->buffers; buffer; buffer = buffer->next)
            count++;
        count = save_count(save->io, count, 56, "buffers");
        if (save->io->loading)
            load_buffers(save, (uint32_t)count);
        for (struct pfifo_buffer *buffer = save->device->buffers; buffer && !save->io->loading; buffer = buffer->next)
            save_buffer(save, buffer);
    }
    state_end(save->io);
}

void save_buffer_pointer(struct device_save *save, struct pfifo_buffer **buffer) {
    uint32_t id = *buffer ? (*buffer)->id : 0;
    state_u32(save->io, &id);
    if (!save->io->loading)
        return;
    const struct pfifo_buffer key = {.id = id}, *wanted = &key;
    struct pfifo_buffer **found = id && save->buffer_count ? bsearch(&wanted, save->buffers, save->buffer_count,
                                                                     sizeof(struct pfifo_buffer *), by_id)
                                                           : NULL;
    *buffer = found ? *found : NULL;
    save_check(save->io, !id || found, "the number of a buffer");
}

/* ---- spaces ---- */

static const struct pool *pool_of(const struct pfifo_vm *vm, uint64_t address) {
    const struct vm_reservation *reservation = vm_reservation_at(vm, address);
    return reservation ? &reservation->inside : &vm->va;
}

/* A part of a buffer's own address: all of them agree on it. */
static void take_own(struct device_save *save, struct pfifo_vm *vm, const struct vm_mapping *mapping) {
    struct pfifo_buffer *buffer = mapping->buffer;
    uint64_t address = mapping->address - mapping->offset;
    save_check(save->io,
               !buffer->freed && mapping->offset < mapping->address &&
                   (!buffer->vm || (buffer->vm == vm && buffer->address == address)),
               "the address of a buffer");
    buffer->vm = vm;
    buffer->address = address;
}

static void check_mapping(struct device_save *save, struct pfifo_vm *vm, const struct vm_mapping *mapping,
                          uint64_t floor) {
    struct state_io *io = save->io;
    const struct pfifo_buffer *buffer = mapping->buffer;
    save_check(io, buffer && mapping->bytes && (mapping->address | mapping->bytes | mapping->offset) % PAGE_BYTES == 0,
               "a mapping");
    save_check(io,
               mapping->address >= floor && mapping->address < vm->va.end &&
                   mapping->bytes <= vm->va.end - mapping->address,
               "the address of a mapping");
    if (!state_good(io) || !buffer)
        return;
    save_check(io, mapping->offset < buffer->bytes && mapping->bytes <= buffer->bytes - mapping->offset,
               "the part of a buffer that is mapped");
    save_check(io, mapping->kind < vm->tables.ops->kinds, "the kind of a mapping");
    save_check(io, pool_covers(pool_of(vm, mapping->address), mapping->address, mapping->bytes),
               "a mapping at addresses that are free");
}

static void save_mappings(struct device_save *save, struct pfifo_vm *vm) {
    struct state_io *io = save->io;
    uint64_t floor = vm->va.floor;
    uint32_t count = save_count(io, vm->mapping_count, 44, "mappings");
    if (io->loading && count) {
        vm->mappings = load_array(io, count, sizeof *vm->mappings, "mappings");
        if (!vm->mappings)
            return;
        vm->mapping_room = count;
    }
    for (uint32_t i = 0; i < count && state_good(io); i++) {
        struct vm_mapping *mapping = &vm->mappings[i];
        state_u64(io, &mapping->address);
        state_u64(io, &mapping->bytes);
        save_buffer_pointer(save, &mapping->buffer);
        state_u64(io, &mapping->offset);
        state_u8(io, &mapping->kind);
        state_bool(io, &mapping->read_only);
        state_bool(io, &mapping->big);
        state_bool(io, &mapping->own);
        if (!io->loading)
            continue;
        check_mapping(save, vm, mapping, floor);
        if (!state_good(io))
            return;
        floor = mapping->address + mapping->bytes;
        mapping->buffer->holds++;
        vm->mapping_count = i + 1;
        if (mapping->own)
            take_own(save, vm, mapping);
    }
}

static void save_reservation(struct state_io *io, struct pfifo_vm *vm, struct vm_reservation *reservation,
                             uint64_t floor) {
    state_u64(io, &reservation->address);
    state_u64(io, &reservation->bytes);
    state_bool(io, &reservation->sparse);
    save_check(io,
               reservation->address >= floor && reservation->bytes &&
                   pool_taken(&vm->va, reservation->address) == reservation->bytes &&
                   (reservation->address | reservation->bytes) % PAGE_BYTES == 0 &&
                   (!reservation->sparse || vm->tables.ops->map_sparse),
               "a reservation");
    if (io->loading) {
        uint64_t end = reservation->address + reservation->bytes;
        reservation->inside = (struct pool){.floor = reservation->address, .ceiling = end, .end = end};
    }
    save_pool(io, &reservation->inside);
}

static void save_reservations(struct device_save *save, struct pfifo_vm *vm) {
    struct state_io *io = save->io;
    uint64_t floor = vm->va.floor;
    uint32_t count = save_count(io, vm->reservation_count, 48, "reservations");
    if (io->loading && count) {
        vm->reservations = load_array(io, count, sizeof *vm->reservations, "reservations");
        if (!vm->reservations)
            return;
        vm->reservation_room = count;
    }
    for (uint32_t i = 0; i < count && state_good(io); i++) {
        if (io->loading)
            vm->reservation_count = i + 1;
        save_reservation(io, vm, &vm->reservations[i], floor);
        floor = vm->reservations[i].address + vm->reservations[i].bytes;
    }
}

static void save_tables(struct device_save *save, struct pfifo_vm *vm) {
    struct state_io *io = save->io;
    const struct pfifo_device *real = save->real;
    uint64_t big = vm->tables.big_bytes, directory = vm->tables.directory;
    state_u64(io, &big);
    if (io->loading && state_good(io)) {
        save_check(io, real->ops->vm_has_big_pages(real, big), "the size of big pages");
        vm->tables = real->ops->vm_tables(real, state_good(io) ? big : 0);
    }
    if (!state_good(io))
        return;
    save_instance(save, &directory, vm->tables.ops->directory_bytes(vm->tables.big_bytes));
    vm->tables.directory = directory;
    save_check(io, directory != 0, "a space without a directory");
}

static void save_space(struct device_save *save, struct pfifo_vm *vm) {
    struct state_io *io = save->io;
    const struct driver_ops *ops = save->real->ops;
    state_u32(io, &vm->id);
    save_check(io, vm->id && vm->id <= save->device->ids, "a space's number");
    for (const struct pfifo_vm *other = save->device->vms; io->loading && other != vm; other = other->next)
        save_check(io, other->id != vm->id, "two spaces of one number");
    save_tables(save, vm);
    state_u64(io, &vm->va.floor);
    state_u64(io, &vm->va.ceiling);
    state_u64(io, &vm->va.end);
    state_u64(io, &vm->va.lowest);
    save_check(io,
               (vm->va.floor >= ops->va_floor || vm->va.lowest >= ops->va_floor) && vm->va.floor < vm->va.ceiling &&
                   vm->va.ceiling <= vm->va.end && vm->va.end <= ops->va_end && vm->va.lowest < vm->va.ceiling &&
                   (vm->va.floor | vm->va.ceiling | vm->va.end | vm->va.lowest) % PAGE_BYTES == 0,
               "a space's range");
    save_pool(io, &vm->va);
    save_reservations(save, vm);
    save_mappings(save, vm);
}

/* No buffer is held by nobody. */
static void check_buffers(struct device_save *save) {
    for (const struct pfifo_buffer *buffer = save->device->buffers; buffer; buffer = buffer->next)
        save_check(save->io, buffer->holds != 0, "a buffer that nobody has");
}

static void load_spaces(struct device_save *save, uint32_t count) {
    struct pfifo_vm **at = &save->device->vms;
    for (uint32_t i = 0; i < count && state_good(save->io); i++) {
        struct pfifo_vm *vm = calloc(1, sizeof *vm);
        if (!vm) {
            state_fail(save->io, PFIFO_ERROR_MEMORY, "no memory for an address space");
            return;
        }
        vm->device = save->real;
        *at = vm;
        at = &vm->next;
        save_space(save, vm);
    }
    if (state_good(save->io))
        check_buffers(save);
}

void save_spaces(struct device_save *save) {
    uint64_t count = 0;
    if (state_begin(save->io, "DVM ", 2)) {
        for (const struct pfifo_vm *vm = save->device->vms; vm; vm = vm->next)
            count++;
        count = save_count(save->io, count, 64, "address spaces");
        if (save->io->loading)
            load_spaces(save, (uint32_t)count);
        for (struct pfifo_vm *vm = save->device->vms; vm && !save->io->loading; vm = vm->next)
            save_space(save, vm);
        save_space_pointer(save, &save->device->vm);
    }
    state_end(save->io);
}

void save_space_pointer(struct device_save *save, struct pfifo_vm **vm) {
    uint32_t id = save->io->loading ? 0 : (*vm)->id;
    state_u32(save->io, &id);
    if (!save->io->loading)
        return;
    *vm = save->device->vms;
    while (*vm && (*vm)->id != id)
        *vm = (*vm)->next;
    save_check(save->io, *vm != NULL, "the number of a space");
}
