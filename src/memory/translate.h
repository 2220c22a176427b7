/* SPDX-License-Identifier: MIT */
/*
 * Shared by the files of the memory unit: physical memory, mappings of pages, formats of virtual spaces.
 *
 *   memory_span --> TLB --> ops->translate (dma_object_*.c, vm_*.c) --> mapping --> memory_physical_span
 */
#ifndef PFIFO_SRC_MEMORY_TRANSLATE_H
#define PFIFO_SRC_MEMORY_TRANSLATE_H

#include "memory/memory.h"

/* Size of the zero pages and of the scratch pages of memory.hole. A power of two. */
#define MEMORY_HOLE_BYTES 0x10000u

/*
 * Host bytes of physical memory, at most `bytes` and at least 1, holes included. The only function that hands out host
 * memory, so the watch is checked here.
 */
struct span memory_physical_span(struct memory *memory, enum memory_target target, uint64_t address, uint64_t bytes,
                                 enum memory_access access);

/* Where memory of a target is on this chip. */
enum memory_target memory_target_on(const struct memory *memory, enum memory_target target);

/* Does it overlap the watched range? */
bool memory_watched(const struct memory *memory, struct span span);

/* The model's own memory is about to be written: set the bits of its chunks. `bytes` is at least 1. */
void memory_mark_used(uint64_t *used, uint64_t address, uint64_t bytes);

/* All of their chunks are zero, and nobody has a span of them. `bytes` is at least 1. */
void memory_mark_unused(uint64_t *used, uint64_t address, uint64_t bytes);

/* The first address from `address` on in a chunk that was written (`value`), or was not; `end`: there is none before.
 */
uint64_t memory_next_used(const uint64_t *used, uint64_t address, uint64_t end, bool value);

/* Host bytes for memory that does not exist. */
struct span memory_hole_span(struct memory *memory, uint64_t address, uint64_t bytes, enum memory_access access);

/* Target field of PTEs in the usual encoding: 0 VRAM, 1 peer, 2 and 3 system. */
static inline enum memory_target memory_target_of(uint32_t value) {
    return value == 0 ? MEMORY_VRAM : value == 1 ? MEMORY_PEER : MEMORY_SYSTEM;
}

/* Bits high:low of a 64-bit entry. */
static inline uint64_t entry_bits(uint64_t entry, unsigned high, unsigned low) {
    return entry >> low & (UINT64_MAX >> (63 - (high - low)));
}

/*
 * A page of `bytes` (power of two) at `physical`, for an access to `address`. All accesses are allowed; the caller
 * restricts them.
 */
struct mapping mapping_of_page(enum memory_target target, uint64_t physical, uint64_t address, uint64_t bytes);

/* The same for a page without memory. */
struct mapping mapping_of_sparse_page(uint64_t address, uint64_t bytes);

/* One address, offset added, by the TLB or by the tables. */
bool memory_translate(struct memory *memory, const struct address_space *space, uint64_t va, struct mapping *mapping,
                      struct fault *fault);

/* Translate a bus address of a DMA object while the GART is on. */
bool memory_gart_translate(struct memory *memory, uint32_t address, struct mapping *mapping, struct fault *fault);

/* Fill in `reason`; for `return fault_because(...)` in a translation. */
static inline bool fault_because(struct fault *fault, enum fault_reason reason) {
    fault->reason = reason;
    return false;
}

/* Report a failed access in `fault` (may be NULL) and to the observers. Returns false. */
bool memory_fault(struct memory *memory, uint64_t address, enum memory_access access, enum fault_reason reason,
                  struct fault *fault);

/* A format of virtual spaces, and how they are found. */
struct vm_format {
    uint32_t directory_offset; /* of the page directory in the channel descriptor, before GF100 */
    bool big_page_in_instance; /* bit 11 of 0x200 selects the big page size */
    struct address_space (*open)(struct memory *memory, enum memory_target target, uint64_t instance);
};

/* The format of this chip, NULL if it has no virtual memory. */
const struct vm_format *vm_format_of(const struct pfifo_chip *chip);

/* The instance block of GF100 and later. False if the directory is in memory that cannot hold a page directory. */
struct vm_instance {
    enum memory_target target;
    uint64_t directory;
    uint64_t limit;
    bool ver2;    /* GP100-: five-level tables */
    bool big_64k; /* GM200-: bit 11 */
};
bool vm_instance_read(struct memory *memory, enum memory_target target, uint64_t address, struct vm_instance *instance);

struct address_space vm_g80_open(struct memory *memory, enum memory_target target, uint64_t instance);
struct address_space vm_gf100_open(struct memory *memory, enum memory_target target, uint64_t instance);
struct address_space vm_gk104_open(struct memory *memory, enum memory_target target, uint64_t instance);
struct address_space vm_gm200_open(struct memory *memory, enum memory_target target, uint64_t instance);
struct address_space vm_gp100_open(struct memory *memory, enum memory_target target, uint64_t instance);
struct address_space vm_gh100_open(struct memory *memory, enum memory_target target, uint64_t instance);

/* The types of spaces, by which a saved state names them. */
extern const struct address_space_ops *const space_physical,
    *const space_fault, *const space_nv4_linear, *const space_nv4_paged,
                                                     *const space_gart, *const space_g80_unpaged,
                                                                            *const space_g80_vm,
                                                                                *const space_gf100_vm,
                                                                                    *const space_gk104_vm,
                                                                                        *const space_gm200_vm,
                                                                                            *const space_gp100_vm,
                                                                                                *const space_gh100_vm;

#endif
