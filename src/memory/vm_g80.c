/* SPDX-License-Identifier: MIT */
/*
 * Virtual memory of Tesla: two levels, the directory is part of the channel descriptor.
 *
 *   39       29 28                        12 11        0
 *   | PDE      | page, 4 KiB (or 16K, 64K)  | offset    |
 *
 *   PDE  39:12 table  6:5 length of a table of 4 KiB pages  3:2 target  1:0 page size, 0: no table
 *   PTE  46:40 kind  39:12 address  9:7 log2 pages of a contiguous block  6 supervisor  5:4 target  3 read-only
 *        0 present
 *
 * All PTEs of a contiguous block are alike and hold the address of its first page.
 * UNKNOWN: which kinds a chip has. Chosen: all but 0x7f, which means "none of its own" in drivers and DMA objects.
 * Not modelled: compression, partition cycle, encryption.
 * Sources: envytools docs/hw/memory/g80-vm.rst, rnndb/memory/g80_vm.xml; nouveau nvkm/subdev/mmu/vmmnv50.c.
 */
#include "memory/address_space.h"
#include "memory/translate.h"

#define VA_BITS  40
#define PDE_BITS 29

#define KIND_NONE 0x7fu

/* By PDE[1:0]. UNKNOWN: 16 KiB pages came with GT215; what older chips do with them; chosen: the same. */
static const struct {
    unsigned page_bits;
    uint32_t entries;
} page_size[4] = {[1] = {16, 0x2000}, [2] = {14, 0x8000}, [3] = {12, 0}};

/* Number of entries of a table of small pages, by PDE[6:5]. */
static const uint32_t small_entries[4] = {0x20000, 0x8000, 0x4000, 0x2000};

/* VRAM addresses have 32 bits, the bits above are ignored [doc]. */
static uint64_t linear_address(enum memory_target target, uint64_t address) {
    return target == MEMORY_VRAM ? address & UINT32_MAX : address;
}

/* The page or contiguous block of a PTE. Of a block that extends beyond 32 bits of VRAM, only the page. */
static struct mapping map_block(enum memory_target target, uint64_t first, uint64_t va, unsigned page_bits,
                                unsigned block_bits) {
    uint64_t page_bytes = UINT64_C(1) << page_bits, block_bytes = UINT64_C(1) << block_bits;
    if (target != MEMORY_VRAM || first + block_bytes - 1 <= UINT32_MAX)
        return mapping_of_page(target, first, va, block_bytes);
    uint64_t page = first + (va & (block_bytes - 1) & ~(page_bytes - 1));
    return mapping_of_page(target, linear_address(target, page), va, page_bytes);
}

static bool g80_translate(struct memory *memory, const struct address_space *space, uint64_t address,
                          struct mapping *mapping, struct fault *fault) {
    /* Only the offset of a DMA object can lead beyond 40 bits. */
    uint64_t va = address & ((UINT64_C(1) << VA_BITS) - 1);
    uint64_t pde = memory_physical_rd64(memory, space->target, space->base + 8 * (va >> PDE_BITS));
    unsigned type = (unsigned)entry_bits(pde, 1, 0), page_bits = page_size[type].page_bits;
    enum memory_target table_target = memory_target_of((uint32_t)entry_bits(pde, 3, 2));
    if (type == 0)
        return fault_because(fault, FAULT_PDE);
    if (table_target == MEMORY_PEER)
        return fault_because(fault, FAULT_APERTURE);

    uint64_t entries = page_size[type].entries ? page_size[type].entries : small_entries[entry_bits(pde, 6, 5)];
    uint64_t index = entry_bits(va, PDE_BITS - 1, page_bits);
    if (index >= entries)
        return fault_because(fault, FAULT_PDE_SIZE);
    uint64_t table = linear_address(table_target, entry_bits(pde, 39, 12) << 12);
    uint64_t pte = memory_physical_rd64(memory, table_target, table + 8 * index);
    if (!(pte & 1))
        return fault_because(fault, FAULT_PTE);

    /* Sources disagree on target 1 (invalid, or a peer's memory); chosen: a peer, which reads as 0. */
    enum memory_target target = memory_target_of((uint32_t)entry_bits(pte, 5, 4));
    uint64_t page = linear_address(target, entry_bits(pte, 39, page_bits) << page_bits);
    *mapping = map_block(target, page, va, page_bits, page_bits + (unsigned)entry_bits(pte, 9, 7));
    mapping->writable = entry_bits(pte, 3, 3) == 0;
    mapping->privileged = entry_bits(pte, 6, 6) != 0;
    mapping->kind = (uint8_t)entry_bits(pte, 46, 40);
    /* If a DMA object overrides the kind, that of the page is not checked. */
    return mapping->kind != KIND_NONE || space->flags & ADDRESS_SPACE_OBJECT_KIND || fault_because(fault, FAULT_KIND);
}

static const struct address_space_ops g80_ops = {
    .name = "Tesla VM", .translate = g80_translate, .cached = true, .vram_limit = true};
const struct address_space_ops *const space_g80_vm = &g80_ops;

struct address_space vm_g80_open(struct memory *memory, enum memory_target target, uint64_t instance) {
    return (struct address_space){.ops = &g80_ops,
                                  .target = target,
                                  .base = instance + memory->mmu.directory_offset,
                                  .limit = (UINT64_C(1) << VA_BITS) - 1};
}
