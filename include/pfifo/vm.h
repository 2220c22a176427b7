/* SPDX-License-Identifier: MIT */
/*
 * Address spaces of a device (pfifo/driver.h), on G80 and later. A device has one of its own, where each buffer gets an
 * address; a program may make more, and map buffers, or parts of them, at addresses in each. A channel belongs to one.
 *
 *   const struct pfifo_vm_config config = {.size = sizeof config};
 *   struct pfifo_vm *a = pfifo_vm_new(device, &config, &error), *b = pfifo_vm_new(device, &config, &error);
 *   struct pfifo_vm_map map = {.size = sizeof map, .buffer = first, .address = 0x100000, .flags = PFIFO_VM_FIXED};
 *   pfifo_vm_map(a, &map, NULL, &error);   the same address ...
 *   map.buffer = second;
 *   pfifo_vm_map(b, &map, NULL, &error);   ... is other memory in the other space
 *   const struct pfifo_channel_config in_a = {.vm = a}, in_b = {.vm = b};
 *   struct pfifo_channel *one = pfifo_channel_open(device, &in_a, &error);
 *   struct pfifo_channel *two = pfifo_channel_open(device, &in_b, &error);
 *
 * Page tables are written, and TLBs flushed, within the call, as a kernel driver does it. A program that changes what
 * the GPU is working on gets what the hardware gives it: a fault, or the new memory from some access on.
 *
 * Before G80 there are no address spaces: pfifo_vm_new() and pfifo_device_vm() fail with PFIFO_ERROR_UNSUPPORTED.
 *
 * Units are bytes. An address space belongs to its device, and may only be used by the thread that uses the device.
 * Functions return PFIFO_ERROR_ARGUMENT for invalid arguments (NULL, not a multiple of a page, a range that wraps, is
 * outside of the space or is taken), and change nothing then. PFIFO_ERROR_MEMORY: no addresses are left, or no instance
 * memory for tables, or no memory of the host.
 *
 * Library: libpfifo
 */
#ifndef PFIFO_VM_H
#define PFIFO_VM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <pfifo/error.h>

#ifdef __cplusplus
extern "C" {
#endif

struct pfifo_device;
struct pfifo_buffer;
struct pfifo_vm;

#define PFIFO_VM_PAGE_BYTES 4096u /* of a small page, on all chips */

/* `size` in each structure of this header is its sizeof. 0 means the same, for callers built with the library. */
struct pfifo_vm_config {
    size_t size;
    /*
     * The addresses that may be used, multiples of 4096. 0 bytes: all from `first` on. The channels' rings take theirs
     * from the same range, so it should not be all mapped before a channel is opened. Addresses have 40 bits. Page 0 is
     * never used.
     */
    uint64_t first, bytes;
    /*
     * Size of big pages: 0x10000 or 0x20000. 0: as the chip has it. GM200 .. GM20B have both, GF100 .. GM10x and GK20A
     * 0x20000, GP100 and later 0x10000, G80 .. MCP89 only 0. Anything else: PFIFO_ERROR_UNSUPPORTED.
     */
    uint64_t big_page_bytes;
    /* What the driver chooses ends at this address or below, as long as there is room. 0: as the chip has it. */
    uint64_t ceiling;
};

/* NULL on error: PFIFO_ERROR_ARGUMENT, _UNSUPPORTED, _MEMORY. */
PFIFO_API struct pfifo_vm *pfifo_vm_new(struct pfifo_device *device, const struct pfifo_vm_config *config,
                                        struct pfifo_error *error);
/*
 * Free an address space with all its mappings and reservations. NULL does nothing. Errors: PFIFO_ERROR_ARGUMENT: a
 * channel is open in it, or it is the device's own. What is left is freed with the device.
 */
PFIFO_API enum pfifo_status pfifo_vm_free(struct pfifo_vm *vm, struct pfifo_error *error);

/* The space where the device's buffers have their addresses. NULL: PFIFO_ERROR_UNSUPPORTED, there is none before G80.
 */
PFIFO_API struct pfifo_vm *pfifo_device_vm(struct pfifo_device *device, struct pfifo_error *error);

/* Its number in its device, see pfifo_buffer_id(); and the space of a number, NULL: there is none. */
PFIFO_API uint32_t pfifo_vm_id(const struct pfifo_vm *vm);
PFIFO_API struct pfifo_vm *pfifo_device_space(const struct pfifo_device *device, uint32_t id);

/* Size of its big pages; 0: it has none (G80 .. MCP89). */
PFIFO_API uint64_t pfifo_vm_big_page_bytes(const struct pfifo_vm *vm);

/* ---- reservations ---- */

#define PFIFO_VM_FIXED     1u /* at `address`, and nowhere else */
#define PFIFO_VM_SPARSE    2u /* what is not mapped reads 0, and ignores writes */
#define PFIFO_VM_RESERVED  4u /* in the reservation that `address` is in */
#define PFIFO_VM_READ_ONLY 8u

struct pfifo_vm_range {
    size_t size;
    uint64_t address; /* with PFIFO_VM_FIXED */
    uint64_t bytes;   /* a multiple of 4096 */
    uint64_t align;   /* of the address, a power of two; 0: 4096 */
    uint64_t flags;   /* PFIFO_VM_FIXED, PFIFO_VM_SPARSE */
};

/*
 * Take a range of addresses, at *address (NULL allowed). What the driver chooses later does not come from there, but a
 * fixed mapping may lie inside. It costs no memory of the GPU unless it is sparse: then 8 bytes of instance memory for
 * each 4 KiB, as it is written to page tables. Sparse ranges need GM200 or later, others: PFIFO_ERROR_UNSUPPORTED.
 */
PFIFO_API enum pfifo_status pfifo_vm_reserve(struct pfifo_vm *vm, const struct pfifo_vm_range *range, uint64_t *address,
                                             struct pfifo_error *error);
/* Give the reservation back that begins at `address`. PFIFO_ERROR_ARGUMENT: there is none, or something is mapped in
 * it. */
PFIFO_API enum pfifo_status pfifo_vm_release(struct pfifo_vm *vm, uint64_t address, struct pfifo_error *error);

/* ---- mappings ---- */

struct pfifo_vm_map {
    size_t size;
    struct pfifo_buffer *buffer;
    uint64_t offset; /* in the buffer, a multiple of 4096 */
    uint64_t bytes;  /* rounded up to 4096; 0: up to the end of the buffer */
    uint64_t address;
    /*
     * 0: big pages for what is large and in VRAM. 4096: small ones. The size of the space's big pages: the address is a
     * multiple of that, and big pages are used wherever memory is contiguous and aligned, system memory included.
     */
    uint64_t page_bytes;
    uint32_t kind;  /* storage type of the entries: 0 .. 0x7e on G80 .. MCP89, 0 .. 0xfe later; 0: pitch */
    uint32_t flags; /* PFIFO_VM_FIXED, PFIFO_VM_RESERVED, PFIFO_VM_READ_ONLY */
};

/*
 * Map a part of a buffer, at *address (NULL allowed). The buffer's memory stays until it is freed and no longer mapped
 * anywhere. It may be mapped as often as wanted, in this and other spaces of its device. Flags:
 *
 *   none              where the driver likes
 *   FIXED             at `address`, which may be inside a reservation
 *   FIXED | RESERVED  at `address`, which must be inside one
 *   RESERVED          anywhere in the reservation that has `address`
 */
PFIFO_API enum pfifo_status pfifo_vm_map(struct pfifo_vm *vm, const struct pfifo_vm_map *map, uint64_t *address,
                                         struct pfifo_error *error);

/*
 * Unmap `bytes` at `address`, all of which must be mapped; 0: the mapping that begins there. A mapping may be taken
 * apart. In a sparse reservation the range is sparse again. The address that a buffer was made with
 * (pfifo_buffer_new()) goes only with the buffer: PFIFO_ERROR_ARGUMENT.
 */
PFIFO_API enum pfifo_status pfifo_vm_unmap(struct pfifo_vm *vm, uint64_t address, uint64_t bytes,
                                           struct pfifo_error *error);

/*
 * Change what is mapped at `address`, without giving up the addresses in between: kind and read-only, and, if there is
 * a buffer, the memory. `flags`: PFIFO_VM_FIXED, PFIFO_VM_READ_ONLY. `bytes` 0 without a buffer: the mapping that
 * begins there. All of the range must be mapped, by pfifo_vm_map() if there is a buffer. On PFIFO_ERROR_MEMORY parts of
 * the range may be unmapped.
 */
PFIFO_API enum pfifo_status pfifo_vm_remap(struct pfifo_vm *vm, const struct pfifo_vm_map *map,
                                           struct pfifo_error *error);

/* What is mapped at an address: the whole piece, as in `map`, with its own address. False: nothing. */
PFIFO_API bool pfifo_vm_at(const struct pfifo_vm *vm, uint64_t address, struct pfifo_vm_map *map);

/*
 * The bytes of buffers that are mapped at an address, as somebody in the space sees them; what is not mapped is 0.
 * False: nothing of it is mapped. Nothing of the GPU changes.
 */
PFIFO_API bool pfifo_vm_read(const struct pfifo_vm *vm, uint64_t address, void *data, size_t bytes);

/* The space of the open channel that the hardware calls `number`, as events do. NULL: there is none. */
PFIFO_API struct pfifo_vm *pfifo_device_channel_vm(struct pfifo_device *device, uint32_t number);

#ifdef __cplusplus
}
#endif

#endif
