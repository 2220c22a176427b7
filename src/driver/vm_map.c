/* SPDX-License-Identifier: MIT */
/*
 * What is mapped in an address space.
 *
 *   mapping   a part of a buffer at an address. A mapping can be split; then each part is a mapping.
 *   tables    the same in pages. If a mapping is split inside a big page, that page is replaced by small ones.
 */
#include "driver/buffer.h"

#include "driver/ops.h"
#include "driver/tables.h"

#include "chip/config.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* ---- the list ---- */

/* Index of the first mapping that ends above an address. */
static size_t vm_map_first_above(const struct pfifo_vm *vm, uint64_t address) {
    size_t low = 0, high = vm->mapping_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (vm->mappings[middle].address + vm->mappings[middle].bytes > address)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

static struct vm_mapping *mapping_at(const struct pfifo_vm *vm, uint64_t address) {
    size_t at = vm_map_first_above(vm, address);
    return at < vm->mapping_count && vm->mappings[at].address <= address ? &vm->mappings[at] : NULL;
}

static bool vm_map_make_room(struct pfifo_vm *vm, size_t more) {
    if (vm->mapping_room - vm->mapping_count >= more)
        return true;
    size_t room = 2 * vm->mapping_room + 16;
    struct vm_mapping *grown = realloc(vm->mappings, room * sizeof *grown);
    if (!grown)
        return false;
    vm->mappings = grown;
    vm->mapping_room = room;
    return true;
}

/* There must be room. */
static void vm_map_insert(struct pfifo_vm *vm, size_t at, const struct vm_mapping *mapping) {
    assert(vm->mapping_count < vm->mapping_room);
    memmove(&vm->mappings[at + 1], &vm->mappings[at], (vm->mapping_count - at) * sizeof vm->mappings[0]);
    vm->mappings[at] = *mapping;
    vm->mapping_count++;
    buffer_hold(mapping->buffer);
}

static void vm_map_remove_mapping(struct pfifo_vm *vm, size_t at) {
    struct pfifo_buffer *buffer = vm->mappings[at].buffer;
    vm->mapping_count--;
    memmove(&vm->mappings[at], &vm->mappings[at + 1], (vm->mapping_count - at) * sizeof vm->mappings[0]);
    buffer_let_go(buffer);
}

/* ---- the tables ---- */

static bool vm_map_write_pages(struct pfifo_vm *vm, const struct vm_mapping *mapping, uint64_t address, uint64_t bytes,
                               bool *changed) {
    struct table_pages pages = {
        .system = mapping->buffer->system, .big = mapping->big, .read_only = mapping->read_only, .kind = mapping->kind};
    uint64_t offset = mapping->offset + (address - mapping->address);
    for (uint64_t piece; bytes; address += piece, offset += piece, bytes -= piece) {
        piece = buffer_piece(mapping->buffer, offset, bytes, &pages.physical);
        if (!vm->tables.ops->map(vm->device, &vm->tables, address, piece, &pages, changed))
            return false;
    }
    return true;
}

static void flush(struct pfifo_vm *vm, uint64_t address, uint64_t bytes, bool changed) {
    vm->device->ops->vm_flush(vm, address, address + bytes - 1, changed);
}

/* False: no memory for tables; then nothing is in them. */
static bool vm_map_show(struct pfifo_vm *vm, const struct vm_mapping *mapping) {
    bool changed = false, written = vm_map_write_pages(vm, mapping, mapping->address, mapping->bytes, &changed);
    if (!written)
        vm->tables.ops->unmap(vm->device, &vm->tables, mapping->address, mapping->bytes);
    flush(vm, mapping->address, mapping->bytes, changed);
    return written;
}

/* A sparse reservation has its tables already. */
static void hide(struct pfifo_vm *vm, uint64_t address, uint64_t bytes) {
    const struct vm_reservation *reservation = vm_reservation_at(vm, address);
    bool changed = false;
    vm->tables.ops->unmap(vm->device, &vm->tables, address, bytes);
    if (reservation && reservation->sparse)
        vm->tables.ops->map_sparse(vm->device, &vm->tables, address, bytes, &changed);
    flush(vm, address, bytes, changed);
}

enum pfifo_status vm_enter(struct pfifo_vm *vm, const struct vm_mapping *mapping, struct pfifo_error *error) {
    if (!vm_map_make_room(vm, 1))
        return pfifo_error_set(error, PFIFO_ERROR_MEMORY, "no memory for a mapping");
    if (!vm_map_show(vm, mapping)) {
        hide(vm, mapping->address, mapping->bytes);
        return pfifo_error_set(error, PFIFO_ERROR_MEMORY, "no memory for page tables left for a buffer of %llu bytes",
                               (unsigned long long)mapping->bytes);
    }
    vm_map_insert(vm, vm_map_first_above(vm, mapping->address), mapping);
    return PFIFO_OK;
}

/* ---- ranges ---- */

/* Is all of a range mapped? `own_counts`: buffers' own addresses count, too. */
static bool is_covered(const struct pfifo_vm *vm, uint64_t address, uint64_t bytes, bool own_counts) {
    while (bytes) {
        const struct vm_mapping *mapping = mapping_at(vm, address);
        if (!mapping || (mapping->own && !own_counts))
            return false;
        uint64_t left = mapping->address + mapping->bytes - address;
        if (left >= bytes)
            return true;
        address += left;
        bytes -= left;
    }
    return true;
}

/* Replace a big page that crosses `address` by small ones. False: no memory for their table. */
static bool cut_page(struct pfifo_vm *vm, const struct vm_mapping *mapping, uint64_t address) {
    uint64_t big = vm->tables.big_bytes, begin = address & ~(big - 1), end = begin + big;
    bool changed = false;
    if (begin == address)
        return true;
    begin = begin > mapping->address ? begin : mapping->address;
    end = end < mapping->address + mapping->bytes ? end : mapping->address + mapping->bytes;
    vm->tables.ops->unmap(vm->device, &vm->tables, begin, end - begin);
    bool cut = vm_map_write_pages(vm, mapping, begin, address - begin, &changed) &&
               vm_map_write_pages(vm, mapping, address, end - address, &changed);
    if (!cut) { /* its own table is still there */
        vm->tables.ops->unmap(vm->device, &vm->tables, begin, end - begin);
        vm_map_write_pages(vm, mapping, begin, end - begin, &changed);
    }
    flush(vm, begin, end - begin, changed);
    return cut;
}

/* Split the mapping that crosses an address. There must be room for one more. False: no memory for a table. */
static bool cut_at(struct pfifo_vm *vm, uint64_t address) {
    struct vm_mapping *mapping = mapping_at(vm, address);
    if (!mapping || mapping->address == address)
        return true;
    if (!cut_page(vm, mapping, address))
        return false;
    struct vm_mapping rest = *mapping;
    rest.offset += address - mapping->address;
    rest.bytes -= address - mapping->address;
    rest.address = address;
    mapping->bytes -= rest.bytes;
    vm_map_insert(vm, (size_t)(mapping - vm->mappings) + 1, &rest);
    return true;
}

static enum pfifo_status cut_out(struct pfifo_vm *vm, uint64_t address, uint64_t bytes, struct pfifo_error *error) {
    if (vm_map_make_room(vm, 2) && cut_at(vm, address) && cut_at(vm, address + bytes))
        return PFIFO_OK;
    return pfifo_error_set(error, PFIFO_ERROR_MEMORY, "no memory to take a mapping apart");
}

static void vm_map_drop(struct pfifo_vm *vm, size_t at) {
    const struct vm_mapping gone = vm->mappings[at];
    hide(vm, gone.address, gone.bytes);
    if (gone.own) {
        gone.buffer->vm = NULL;
        gone.buffer->address = 0;
    }
    vm_give(vm, gone.address, gone.bytes);
    vm_map_remove_mapping(vm, at);
}

/* Mappings have been split at both ends of the range. */
static void vm_map_drop_range(struct pfifo_vm *vm, uint64_t address, uint64_t bytes) {
    size_t at = vm_map_first_above(vm, address);
    while (at < vm->mapping_count && vm->mappings[at].address < address + bytes)
        vm_map_drop(vm, at);
}

void vm_unmap_all(struct pfifo_vm *vm) {
    while (vm->mapping_count)
        vm_map_drop(vm, vm->mapping_count - 1);
}

void vm_unmap_own(struct pfifo_buffer *buffer) {
    vm_map_drop_range(buffer->vm, buffer->address, buffer->bytes);
}

bool vm_find_buffer(const struct pfifo_vm *vm, const struct pfifo_buffer *buffer, uint64_t offset, uint64_t bytes,
                    uint64_t *address) {
    for (size_t i = 0; i < vm->mapping_count; i++) {
        const struct vm_mapping *mapping = &vm->mappings[i];
        if (mapping->buffer != buffer || offset < mapping->offset || offset - mapping->offset >= mapping->bytes ||
            bytes > mapping->bytes - (offset - mapping->offset))
            continue;
        *address = mapping->address + (offset - mapping->offset);
        return true;
    }
    return false;
}

/* ---- the API ---- */

static enum pfifo_status cannot_be(struct pfifo_error *error, const char *what, uint64_t value) {
    return pfifo_error_set(error, PFIFO_ERROR_ARGUMENT, "%s 0x%llx cannot be", what, (unsigned long long)value);
}

/* Round `bytes` up to pages; 0 becomes the rest of the buffer. */
static enum pfifo_status vm_map_check_part(const struct pfifo_vm *vm, struct pfifo_vm_map *map,
                                           struct pfifo_error *error) {
    const struct pfifo_buffer *buffer = map->buffer;
    if (!buffer || buffer->device != vm->device || buffer->freed)
        return pfifo_error_set(error, PFIFO_ERROR_ARGUMENT, "a mapping needs a buffer of its device");
    if (map->offset % PAGE_BYTES || map->offset >= buffer->bytes || map->bytes > buffer->bytes - map->offset)
        return pfifo_error_set(error, PFIFO_ERROR_ARGUMENT, "%llu bytes from %llu on are not pages of the buffer",
                               (unsigned long long)map->bytes, (unsigned long long)map->offset);
    if (map->bytes == 0)
        map->bytes = buffer->bytes - map->offset;
    map->bytes = (map->bytes + PAGE_BYTES - 1) & ~(uint64_t)(PAGE_BYTES - 1);
    return PFIFO_OK;
}

static enum pfifo_status vm_map_check_pages(const struct pfifo_vm *vm, const struct pfifo_vm_map *map, uint32_t flags,
                                            struct pfifo_error *error) {
    if (map->flags & ~flags)
        return cannot_be(error, "flags", map->flags);
    if (map->kind >= vm->tables.ops->kinds)
        return cannot_be(error, "kind", map->kind);
    if (map->address % PAGE_BYTES)
        return cannot_be(error, "address", map->address);
    if (map->page_bytes && map->page_bytes != PAGE_BYTES && map->page_bytes != pfifo_vm_big_page_bytes(vm))
        return cannot_be(error, "page size", map->page_bytes);
    return PFIFO_OK;
}

/* VRAM gets big pages unless small ones are asked for, system memory only if big ones are asked for. */
static struct vm_mapping mapping_of(const struct pfifo_vm_map *map) {
    return (struct vm_mapping){.address = map->address,
                               .bytes = map->bytes,
                               .buffer = map->buffer,
                               .offset = map->offset,
                               .kind = (uint8_t)map->kind,
                               .read_only = map->flags & PFIFO_VM_READ_ONLY,
                               .big = map->page_bytes ? map->page_bytes != PAGE_BYTES : !map->buffer->system};
}

static uint64_t align_of(const struct pfifo_vm_map *map) {
    if (map->page_bytes)
        return map->page_bytes;
    return !(map->flags & PFIFO_VM_FIXED) && map->bytes >= BIG_PAGE_BYTES ? BIG_PAGE_BYTES : PAGE_BYTES;
}

enum pfifo_status pfifo_vm_map(struct pfifo_vm *vm, const struct pfifo_vm_map *wanted, uint64_t *address,
                               struct pfifo_error *error) {
    struct pfifo_vm_map map;
    if (!vm || !wanted)
        return pfifo_error_set(error, PFIFO_ERROR_ARGUMENT, "a mapping needs an address space and what is mapped");
    enum pfifo_status status = config_read(&map, sizeof map, wanted, sizeof map, "pfifo_vm_map", error);
    if (status == PFIFO_OK)
        status = vm_map_check_pages(vm, &map, PFIFO_VM_FIXED | PFIFO_VM_RESERVED | PFIFO_VM_READ_ONLY, error);
    if (status == PFIFO_OK)
        status = vm_map_check_part(vm, &map, error);
    if (status != PFIFO_OK)
        return status;
    const struct vm_wish wish = {.address = map.address,
                                 .bytes = map.bytes,
                                 .align = align_of(&map),
                                 .fixed = map.flags & PFIFO_VM_FIXED,
                                 .reserved = map.flags & PFIFO_VM_RESERVED};
    status = vm_take(vm, &wish, &map.address, error);
    if (status != PFIFO_OK)
        return status;
    const struct vm_mapping mapping = mapping_of(&map);
    status = vm_enter(vm, &mapping, error);
    if (status != PFIFO_OK)
        vm_give(vm, map.address, map.bytes);
    else if (address)
        *address = map.address;
    return status;
}

/* A range that is all mapped; 0 bytes: the mapping that begins at its address. */
static enum pfifo_status check_mapped(const struct pfifo_vm *vm, uint64_t address, uint64_t *bytes, bool own_counts,
                                      struct pfifo_error *error) {
    const struct vm_mapping *mapping = mapping_at(vm, address);
    if (*bytes == 0 && mapping && mapping->address == address)
        *bytes = mapping->bytes;
    if (*bytes == 0 || address % PAGE_BYTES || *bytes % PAGE_BYTES || *bytes > UINT64_MAX - address ||
        !is_covered(vm, address, *bytes, own_counts))
        return pfifo_error_set(error, PFIFO_ERROR_ARGUMENT,
                               "%llu bytes at 0x%llx are not mapped, or are the address that a buffer keeps",
                               (unsigned long long)*bytes, (unsigned long long)address);
    return PFIFO_OK;
}

enum pfifo_status pfifo_vm_unmap(struct pfifo_vm *vm, uint64_t address, uint64_t bytes, struct pfifo_error *error) {
    if (!vm)
        return pfifo_error_set(error, PFIFO_ERROR_ARGUMENT, "no address space");
    enum pfifo_status status = check_mapped(vm, address, &bytes, false, error);
    if (status == PFIFO_OK)
        status = cut_out(vm, address, bytes, error);
    if (status == PFIFO_OK)
        vm_map_drop_range(vm, address, bytes);
    return status;
}

enum pfifo_status pfifo_private_vm_clear(struct pfifo_vm *vm, uint64_t address, uint64_t bytes,
                                         struct pfifo_error *error) {
    if (!vm || !bytes || address % PAGE_BYTES || bytes % PAGE_BYTES || bytes > UINT64_MAX - address)
        return cannot_be(error, "a range at", address);
    enum pfifo_status status = cut_out(vm, address, bytes, error);
    if (status == PFIFO_OK)
        vm_map_drop_range(vm, address, bytes);
    return status;
}

/* Map the same memory in other pages. False: no memory for tables; the mapping is what it was. */
static bool change(struct pfifo_vm *vm, size_t at, const struct pfifo_vm_map *map) {
    struct vm_mapping *mapping = &vm->mappings[at];
    const struct vm_mapping before = *mapping;
    hide(vm, mapping->address, mapping->bytes);
    mapping->kind = (uint8_t)map->kind;
    mapping->read_only = map->flags & PFIFO_VM_READ_ONLY;
    if (map->page_bytes)
        mapping->big = map->page_bytes != PAGE_BYTES;
    if (vm_map_show(vm, mapping))
        return true;
    *mapping = before;
    vm_map_show(vm, mapping); /* its own tables are still there */
    return false;
}

static enum pfifo_status no_tables(struct pfifo_error *error) {
    return pfifo_error_set(error, PFIFO_ERROR_MEMORY, "no memory for page tables left");
}

static enum pfifo_status change_range(struct pfifo_vm *vm, const struct pfifo_vm_map *map, struct pfifo_error *error) {
    for (size_t at = vm_map_first_above(vm, map->address);
         at < vm->mapping_count && vm->mappings[at].address < map->address + map->bytes; at++)
        if (!change(vm, at, map))
            return no_tables(error);
    return PFIFO_OK;
}

/* Map other memory. */
static enum pfifo_status replace_range(struct pfifo_vm *vm, const struct pfifo_vm_map *map, struct pfifo_error *error) {
    const struct vm_mapping mapping = mapping_of(map);
    const struct vm_wish wish = {.address = map->address, .bytes = map->bytes, .align = PAGE_BYTES, .fixed = true};
    uint64_t address;
    buffer_hold(map->buffer); /* it may be part of what is dropped */
    vm_map_drop_range(vm, map->address, map->bytes);
    enum pfifo_status status = vm_take(vm, &wish, &address, error);
    if (status == PFIFO_OK) {
        status = vm_enter(vm, &mapping, error);
        if (status != PFIFO_OK)
            vm_give(vm, map->address, map->bytes);
    }
    buffer_let_go(map->buffer);
    return status;
}

/* A mapping is in one reservation, or in none. */
static bool in_one_reservation(const struct pfifo_vm *vm, uint64_t address, uint64_t bytes) {
    const struct vm_reservation *first = vm_reservation_at(vm, address);
    for (size_t i = 0; !first && i < vm->reservation_count; i++)
        if (vm->reservations[i].address - address < bytes)
            return false;
    return first == vm_reservation_at(vm, address + bytes - 1);
}

enum pfifo_status pfifo_vm_remap(struct pfifo_vm *vm, const struct pfifo_vm_map *wanted, struct pfifo_error *error) {
    struct pfifo_vm_map map;
    if (!vm || !wanted)
        return pfifo_error_set(error, PFIFO_ERROR_ARGUMENT, "a mapping needs an address space and what is mapped");
    enum pfifo_status status = config_read(&map, sizeof map, wanted, sizeof map, "pfifo_vm_map", error);
    if (status == PFIFO_OK)
        status = vm_map_check_pages(vm, &map, PFIFO_VM_FIXED | PFIFO_VM_READ_ONLY, error);
    if (status == PFIFO_OK && map.buffer)
        status = vm_map_check_part(vm, &map, error);
    if (status == PFIFO_OK)
        status = check_mapped(vm, map.address, &map.bytes, !map.buffer, error);
    if (status == PFIFO_OK && map.buffer && !in_one_reservation(vm, map.address, map.bytes))
        status = cannot_be(error, "a mapping across the end of the reservation at", map.address);
    if (status == PFIFO_OK)
        status = cut_out(vm, map.address, map.bytes, error);
    if (status != PFIFO_OK)
        return status;
    return map.buffer ? replace_range(vm, &map, error) : change_range(vm, &map, error);
}

bool pfifo_vm_at(const struct pfifo_vm *vm, uint64_t address, struct pfifo_vm_map *map) {
    const struct vm_mapping *mapping = vm ? mapping_at(vm, address) : NULL;
    if (!mapping)
        return false;
    if (map)
        *map = (struct pfifo_vm_map){.size = sizeof *map,
                                     .buffer = mapping->buffer,
                                     .offset = mapping->offset,
                                     .bytes = mapping->bytes,
                                     .address = mapping->address,
                                     .page_bytes = mapping->big ? pfifo_vm_big_page_bytes(vm) : PAGE_BYTES,
                                     .kind = mapping->kind,
                                     .flags = PFIFO_VM_FIXED | (mapping->read_only ? PFIFO_VM_READ_ONLY : 0)};
    return true;
}
