/* SPDX-License-Identifier: MIT */
/*
 * Address spaces, and which of their addresses are taken. Mappings are in vm_map.c.
 *
 * A reservation takes a range of the space, and has a pool of its own for what is mapped inside.
 */
#include "driver/access.h"
#include "driver/buffer.h"

#include "driver/instance.h"
#include "driver/ops.h"
#include "driver/tables.h"

#include "chip/config.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define ADDRESS_BITS 40 /* of rings and segments, even if tables have more */

/* ---- spaces ---- */

static struct pfifo_vm *vm_make(struct pfifo_device *device, uint64_t big_page_bytes) {
    struct pfifo_vm *vm = calloc(1, sizeof *vm);
    if (!vm)
        return NULL;
    vm->device = device;
    vm->tables = device->ops->vm_tables(device, big_page_bytes);
    vm->va =
        (struct pool){.floor = device->ops->va_floor, .ceiling = device->ops->va_ceiling, .end = device->ops->va_end};
    vm->tables.directory =
        inst_alloc(device, vm->tables.ops->directory_bytes(vm->tables.big_bytes), vm->tables.ops->directory_align);
    if (!vm->tables.directory) {
        free(vm);
        return NULL;
    }
    vm->id = ++device->ids;
    vm->next = device->vms;
    device->vms = vm;
    return vm;
}

struct pfifo_vm *vm_make_default(struct pfifo_device *device) {
    device->vm = vm_make(device, 0);
    return device->vm;
}

void vm_free_host(struct pfifo_vm *vm) {
    for (size_t i = 0; i < vm->reservation_count; i++)
        pool_free(&vm->reservations[i].inside);
    free(vm->reservations);
    free(vm->mappings);
    pool_free(&vm->va);
    free(vm);
}

/* Free the host's part of a space. */
static void vm_forget(struct pfifo_vm *vm) {
    struct pfifo_vm **at = &vm->device->vms;
    while (*at != vm)
        at = &(*at)->next;
    *at = vm->next;
    vm_free_host(vm);
}

/* The tables need not be freed: the GPU is. */
void vm_forget_all(struct pfifo_device *device) {
    while (device->vms) {
        vm_unmap_all(device->vms);
        vm_forget(device->vms);
    }
}

static void vm_drop(struct pfifo_vm *vm) {
    struct pfifo_device *device = vm->device;
    vm_unmap_all(vm);
    vm->tables.ops->free_tables(device, &vm->tables);
    inst_free(device, vm->tables.directory);
    device->ops->vm_flush(vm, 0, 0, false);
    vm_forget(vm);
}

static enum pfifo_status unsupported(const struct pfifo_device *device, struct pfifo_error *error) {
    return pfifo_error_set(error, PFIFO_ERROR_UNSUPPORTED, "%s has no address spaces: they came with G80",
                           device->chip->name);
}

struct pfifo_vm *pfifo_device_vm(struct pfifo_device *device, struct pfifo_error *error) {
    if (!device)
        pfifo_error_set(error, PFIFO_ERROR_ARGUMENT, "no device");
    else if (!device->vm)
        unsupported(device, error);
    return device ? device->vm : NULL;
}

/* The range that a program wants: part of [floor, end). */
static enum pfifo_status limit_range(const struct pfifo_device *device, const struct pfifo_vm_config *config,
                                     struct pool *va, struct pfifo_error *error) {
    uint64_t floor = device->ops->va_floor, end = device->ops->va_end, first = config->first;
    if (first % PAGE_BYTES || config->bytes % PAGE_BYTES || first >= end || config->bytes > end - first)
        return pfifo_error_set(error, PFIFO_ERROR_ARGUMENT, "%llu bytes from 0x%llx are not a part of %d bits",
                               (unsigned long long)config->bytes, (unsigned long long)first, ADDRESS_BITS);
    if (config->bytes)
        end = first + config->bytes;
    if (first > floor)
        floor = first;
    if (end <= floor)
        return pfifo_error_set(error, PFIFO_ERROR_ARGUMENT, "page 0 alone is no address space");
    uint64_t ceiling = config->ceiling ? config->ceiling : device->ops->va_ceiling;
    if (config->ceiling && (ceiling % PAGE_BYTES || ceiling <= floor || ceiling > end))
        return pfifo_error_set(error, PFIFO_ERROR_ARGUMENT, "a ceiling of 0x%llx is not in the address space",
                               (unsigned long long)ceiling);
    *va = (struct pool){.floor = floor, .ceiling = ceiling > floor && ceiling < end ? ceiling : end, .end = end};
    return PFIFO_OK;
}

struct pfifo_vm *pfifo_vm_new(struct pfifo_device *device, const struct pfifo_vm_config *wanted,
                              struct pfifo_error *error) {
    struct pfifo_vm_config config;
    struct pool va;
    if (!device || !wanted) {
        pfifo_error_set(error, PFIFO_ERROR_ARGUMENT, "an address space needs a device and a configuration");
        return NULL;
    }
    if (!device->vm) {
        unsupported(device, error);
        return NULL;
    }
    if (config_read(&config, sizeof config, wanted, sizeof config, "pfifo_vm_config", error) != PFIFO_OK ||
        limit_range(device, &config, &va, error) != PFIFO_OK)
        return NULL;
    if (config.big_page_bytes && !device->ops->vm_has_big_pages(device, config.big_page_bytes)) {
        pfifo_error_set(error, PFIFO_ERROR_UNSUPPORTED, "%s has no spaces with big pages of %llu bytes",
                        device->chip->name, (unsigned long long)config.big_page_bytes);
        return NULL;
    }
    struct pfifo_vm *vm = vm_make(device, config.big_page_bytes);
    if (!vm) {
        pfifo_error_set(error, PFIFO_ERROR_MEMORY, "no memory for an address space");
        return NULL;
    }
    vm->va = va;
    return vm;
}

void pfifo_private_vm_keep(struct pfifo_vm *vm, uint64_t address) {
    assert(address % PAGE_BYTES == 0 && address < vm->va.ceiling && !vm->va.count);
    vm->va.lowest = address > vm->va.floor ? address : vm->va.floor;
    vm->va.floor = 0;
}

enum pfifo_status pfifo_vm_free(struct pfifo_vm *vm, struct pfifo_error *error) {
    if (!vm)
        return PFIFO_OK;
    if (vm == vm->device->vm)
        return pfifo_error_set(error, PFIFO_ERROR_ARGUMENT, "this address space belongs to the device");
    if (vm->channels)
        return pfifo_error_set(error, PFIFO_ERROR_ARGUMENT, "%u channels are open in the address space", vm->channels);
    vm_drop(vm);
    return PFIFO_OK;
}

uint64_t pfifo_vm_big_page_bytes(const struct pfifo_vm *vm) {
    return vm && vm->device->ops->vm_has_big_pages(vm->device, vm->tables.big_bytes) ? vm->tables.big_bytes : 0;
}

/* ---- addresses ---- */

struct vm_reservation *vm_reservation_at(const struct pfifo_vm *vm, uint64_t address) {
    size_t low = 0, high = vm->reservation_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (address - vm->reservations[middle].address < vm->reservations[middle].bytes)
            return &vm->reservations[middle];
        if (vm->reservations[middle].address < address)
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
}

static struct pool *pool_at(struct pfifo_vm *vm, uint64_t address) {
    struct vm_reservation *reservation = vm_reservation_at(vm, address);
    return reservation ? &reservation->inside : &vm->va;
}

enum pfifo_status vm_take(struct pfifo_vm *vm, const struct vm_wish *wish, uint64_t *address,
                          struct pfifo_error *error) {
    struct vm_reservation *reservation = NULL;
    if (wish->reserved || wish->fixed)
        reservation = vm_reservation_at(vm, wish->address);
    if (wish->reserved && !reservation)
        return pfifo_error_set(error, PFIFO_ERROR_ARGUMENT, "0x%llx is in no reservation",
                               (unsigned long long)wish->address);
    struct pool *pool = reservation ? &reservation->inside : &vm->va;
    if (!wish->fixed && pool_find(pool, wish->bytes, wish->align, address))
        return PFIFO_OK;
    if (!wish->fixed)
        return pfifo_error_set(error, PFIFO_ERROR_MEMORY, "no addresses left for %llu bytes",
                               (unsigned long long)wish->bytes);
    *address = wish->address;
    if (wish->address % wish->align == 0 && pool_take(pool, wish->address, wish->bytes))
        return PFIFO_OK;
    return pfifo_error_set(error, PFIFO_ERROR_ARGUMENT,
                           "%llu bytes at 0x%llx are not aligned, overlap others or are out of range",
                           (unsigned long long)wish->bytes, (unsigned long long)wish->address);
}

bool vm_give(struct pfifo_vm *vm, uint64_t address, uint64_t bytes) {
    return pool_give_part(pool_at(vm, address), address, bytes);
}

/* ---- reservations ---- */

/* NULL: no host memory. */
static struct vm_reservation *add_reservation(struct pfifo_vm *vm, uint64_t address, uint64_t bytes) {
    size_t at = 0;
    if (vm->reservation_count == vm->reservation_room) {
        size_t room = vm->reservation_room ? 2 * vm->reservation_room : 4;
        struct vm_reservation *grown = realloc(vm->reservations, room * sizeof *grown);
        if (!grown)
            return NULL;
        vm->reservations = grown;
        vm->reservation_room = room;
    }
    while (at < vm->reservation_count && vm->reservations[at].address < address)
        at++;
    memmove(&vm->reservations[at + 1], &vm->reservations[at],
            (vm->reservation_count - at) * sizeof vm->reservations[0]);
    vm->reservation_count++;
    vm->reservations[at] = (struct vm_reservation){
        .address = address,
        .bytes = bytes,
        .inside = {.floor = address, .ceiling = address + bytes, .end = address + bytes},
    };
    return &vm->reservations[at];
}

static void remove_reservation(struct pfifo_vm *vm, struct vm_reservation *reservation) {
    size_t at = (size_t)(reservation - vm->reservations);
    pool_free(&reservation->inside);
    vm->reservation_count--;
    memmove(reservation, reservation + 1, (vm->reservation_count - at) * sizeof *reservation);
}

static enum pfifo_status vm_check_range(const struct pfifo_vm *vm, const struct pfifo_vm_range *range,
                                        struct pfifo_error *error) {
    if (range->bytes == 0 || range->bytes % PAGE_BYTES || range->address % PAGE_BYTES ||
        (range->align & (range->align - 1)) || (range->flags & ~(PFIFO_VM_FIXED | PFIFO_VM_SPARSE)))
        return pfifo_error_set(error, PFIFO_ERROR_ARGUMENT, "a range of %llu bytes at 0x%llx, flags 0x%x, cannot be",
                               (unsigned long long)range->bytes, (unsigned long long)range->address,
                               (unsigned)range->flags);
    if (range->flags & PFIFO_VM_SPARSE && !vm->tables.ops->map_sparse)
        return pfifo_error_set(error, PFIFO_ERROR_UNSUPPORTED, "%s has no sparse pages: they came with GM200",
                               vm->device->chip->name);
    if (range->flags & PFIFO_VM_FIXED && vm_reservation_at(vm, range->address))
        return pfifo_error_set(error, PFIFO_ERROR_ARGUMENT, "0x%llx is in a reservation",
                               (unsigned long long)range->address);
    return PFIFO_OK;
}

/* False: no memory for tables. */
static bool write_sparse(struct pfifo_vm *vm, uint64_t address, uint64_t bytes) {
    bool changed = false, done = vm->tables.ops->map_sparse(vm->device, &vm->tables, address, bytes, &changed);
    if (!done)
        vm->tables.ops->unmap(vm->device, &vm->tables, address, bytes);
    vm->device->ops->vm_flush(vm, address, address + bytes - 1, changed);
    return done;
}

enum pfifo_status pfifo_vm_reserve(struct pfifo_vm *vm, const struct pfifo_vm_range *wanted, uint64_t *address,
                                   struct pfifo_error *error) {
    struct pfifo_vm_range range;
    uint64_t at = 0;
    if (!vm || !wanted)
        return pfifo_error_set(error, PFIFO_ERROR_ARGUMENT, "a reservation needs an address space and a range");
    enum pfifo_status status = config_read(&range, sizeof range, wanted, sizeof range, "pfifo_vm_range", error);
    if (status == PFIFO_OK)
        status = vm_check_range(vm, &range, error);
    if (status != PFIFO_OK)
        return status;
    const struct vm_wish wish = {.address = range.address,
                                 .bytes = range.bytes,
                                 .align = range.align > PAGE_BYTES ? range.align : PAGE_BYTES,
                                 .fixed = range.flags & PFIFO_VM_FIXED};
    status = vm_take(vm, &wish, &at, error);
    if (status != PFIFO_OK)
        return status;
    bool sparse = range.flags & PFIFO_VM_SPARSE;
    struct vm_reservation *reservation = add_reservation(vm, at, range.bytes);
    if (reservation && sparse && !write_sparse(vm, at, range.bytes)) {
        remove_reservation(vm, reservation);
        reservation = NULL;
    }
    if (!reservation) {
        pool_give(&vm->va, at);
        return pfifo_error_set(error, PFIFO_ERROR_MEMORY, "no memory to reserve %llu bytes",
                               (unsigned long long)range.bytes);
    }
    reservation->sparse = sparse;
    if (address)
        *address = at;
    return PFIFO_OK;
}

enum pfifo_status pfifo_vm_release(struct pfifo_vm *vm, uint64_t address, struct pfifo_error *error) {
    struct vm_reservation *reservation = vm ? vm_reservation_at(vm, address) : NULL;
    if (!reservation || reservation->address != address)
        return pfifo_error_set(error, PFIFO_ERROR_ARGUMENT, "no reservation begins at 0x%llx",
                               (unsigned long long)address);
    if (reservation->inside.count)
        return pfifo_error_set(error, PFIFO_ERROR_ARGUMENT, "something is mapped in the reservation at 0x%llx",
                               (unsigned long long)address);
    if (reservation->sparse) {
        vm->tables.ops->unmap(vm->device, &vm->tables, address, reservation->bytes);
        vm->device->ops->vm_flush(vm, address, address + reservation->bytes - 1, false);
    }
    remove_reservation(vm, reservation);
    pool_give(&vm->va, address);
    return PFIFO_OK;
}
