/* SPDX-License-Identifier: MIT */
/*
 * Address spaces (G80 and later): which addresses are taken, by what, and the tables behind them.
 *
 *   pfifo/vm.h --> vm.c   ranges, reservations, mappings --> tables.h   page tables, per format
 *                                                        --> ops.h      directory, TLB flush, per family
 */
#ifndef PFIFO_SRC_DRIVER_VM_H
#define PFIFO_SRC_DRIVER_VM_H

#include <pfifo/vm.h>

#include "chip/private.h"
#include "driver/pool.h"

struct pfifo_buffer;
struct table_ops;

/* A directory and its tables. */
struct table_space {
    const struct table_ops *ops;
    uint64_t directory;
    uint64_t big_bytes;
};

/* A range of addresses and the memory behind it. Each part of a mapping that was split is one. */
struct vm_mapping {
    uint64_t address, bytes;
    struct pfifo_buffer *buffer;
    uint64_t offset;
    uint8_t kind;
    bool read_only, big;
    bool own; /* the address that the buffer has for its life */
};

struct vm_reservation {
    uint64_t address, bytes;
    bool sparse;
    struct pool inside;
};

struct pfifo_vm {
    struct pfifo_device *device;
    struct pfifo_vm *next;
    uint32_t id; /* given once */
    struct table_space tables;
    struct pool va;
    struct vm_mapping *mappings; /* sorted by address */
    size_t mapping_count, mapping_room;
    struct vm_reservation *reservations; /* sorted by address */
    size_t reservation_count, reservation_room;
    unsigned channels; /* that are open in it */
};

/* A space that is in no list any more: what the host has of it. */
void vm_free_host(struct pfifo_vm *vm);
/* The device's own space. NULL: no memory. */
struct pfifo_vm *vm_make_default(struct pfifo_device *device);
/* Forget all spaces of a device that closes. */
void vm_forget_all(struct pfifo_device *device);

/* ---- vm.c ---- */

struct vm_wish {
    uint64_t address, bytes, align;
    bool fixed;    /* at `address`, else where there is room */
    bool reserved; /* in the reservation that has `address` */
};

enum pfifo_status vm_take(struct pfifo_vm *vm, const struct vm_wish *wish, uint64_t *address,
                          struct pfifo_error *error);
/* Give back all or a part of what was taken. False: no host memory to split the range. */
bool vm_give(struct pfifo_vm *vm, uint64_t address, uint64_t bytes);
/* NULL: the address is in none. */
struct vm_reservation *vm_reservation_at(const struct pfifo_vm *vm, uint64_t address);

/*
 * What the driver maps for itself is in [address, ceiling), so that a program may map and unmap all else, page 0
 * included: after pfifo_vm_new(). A channel for which there is no room is PFIFO_ERROR_MEMORY.
 */
PFIFO_PRIVATE_API void pfifo_private_vm_keep(struct pfifo_vm *vm, uint64_t address);

/* ---- vm_map.c ---- */

/* Map memory at addresses that were taken. On error nothing is mapped. */
enum pfifo_status vm_enter(struct pfifo_vm *vm, const struct vm_mapping *mapping, struct pfifo_error *error);
void vm_unmap_own(struct pfifo_buffer *buffer);
void vm_unmap_all(struct pfifo_vm *vm);

/*
 * Unmap what is mapped in a range of pages, which need not be all of it; mappings that cross its ends are taken apart.
 * PFIFO_ERROR_ARGUMENT: no pages. PFIFO_ERROR_MEMORY: nothing has changed.
 */
PFIFO_PRIVATE_API enum pfifo_status pfifo_private_vm_clear(struct pfifo_vm *vm, uint64_t address, uint64_t bytes,
                                                           struct pfifo_error *error);

/* Where a part of a buffer is in the space. False: nowhere, or not in one piece. */
bool vm_find_buffer(const struct pfifo_vm *vm, const struct pfifo_buffer *buffer, uint64_t offset, uint64_t bytes,
                    uint64_t *address);

#endif
