/* SPDX-License-Identifier: MIT */
/*
 * Page tables of Tesla: a directory of 512 MiB entries, tables of 4 KiB pages.
 *
 * Aligned runs of pages are written as contiguous blocks of up to 128 pages, which the MMU takes in one go.
 * Sources: envytools docs/hw/memory/g80-vm.rst; nouveau nvkm/subdev/mmu/vmmnv50.c.
 */
#include "driver/tables.h"

#define PDE_BITS    29
#define PDE_BYTES   (UINT64_C(1) << PDE_BITS)
#define PDE_COUNT   0x800u
#define PDE_SMALL   3u /* a full table of 4 KiB pages in VRAM */
#define TABLE_BYTES ((PDE_BYTES / PAGE_BYTES) * 8)
#define ADDRESS     UINT64_C(0xfffffff000)

#define PTE_PRESENT     1u
#define PTE_SYSTEM      (2u << 4)
#define PTE_BLOCK_SHIFT 7
#define BLOCK_MAX       7u /* log2 of pages */

static uint64_t table_of(struct pfifo_device *device, uint64_t directory, uint64_t va) {
    return inst_rd64(device, directory + 8 * (va >> PDE_BITS)) & ADDRESS;
}

static uint64_t table_for(struct pfifo_device *device, uint64_t directory, uint64_t va, bool *changed) {
    uint64_t table = table_of(device, directory, va);
    if (table)
        return table;
    table = inst_alloc(device, TABLE_BYTES, PAGE_BYTES);
    if (table) {
        inst_wr64(device, directory + 8 * (va >> PDE_BITS), table | PDE_SMALL);
        *changed = true;
    }
    return table;
}

/* log2 of the pages of the largest block that begins here. */
static unsigned block_at(uint64_t va, uint64_t physical, uint64_t bytes) {
    unsigned order = 0;
    while (order < BLOCK_MAX && !((va | physical) & (((uint64_t)PAGE_BYTES << (order + 1)) - 1)) &&
           bytes >= (uint64_t)PAGE_BYTES << (order + 1))
        order++;
    return order;
}

static bool g80_map(struct pfifo_device *device, uint64_t directory, uint64_t va, uint64_t bytes, uint64_t physical,
                    bool system, bool *changed) {
    while (bytes) {
        uint64_t table = table_for(device, directory, va, changed);
        unsigned order = block_at(va, physical, bytes);
        uint64_t pte = physical | PTE_PRESENT | (system ? PTE_SYSTEM : 0) | order << PTE_BLOCK_SHIFT;
        if (!table)
            return false;
        for (uint64_t i = 0; i < UINT64_C(1) << order; i++)
            inst_wr64(device, table + 8 * ((va % PDE_BYTES) / PAGE_BYTES + i), pte);
        va += (uint64_t)PAGE_BYTES << order;
        physical += (uint64_t)PAGE_BYTES << order;
        bytes -= (uint64_t)PAGE_BYTES << order;
    }
    return true;
}

static void g80_unmap(struct pfifo_device *device, uint64_t directory, uint64_t va, uint64_t bytes) {
    for (; bytes; va += PAGE_BYTES, bytes -= PAGE_BYTES) {
        uint64_t table = table_of(device, directory, va);
        if (table)
            inst_wr64(device, table + 8 * ((va % PDE_BYTES) / PAGE_BYTES), 0);
    }
}

const struct table_ops tables_g80 = {
    .directory_bytes = PDE_COUNT * 8, .directory_align = PAGE_BYTES, .va_bits = 40, .map = g80_map, .unmap = g80_unmap};
