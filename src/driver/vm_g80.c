/* SPDX-License-Identifier: MIT */
/*
 * Page tables of Tesla: a directory of 512 MiB entries, tables of 4 KiB pages.
 *
 * Aligned runs of pages are written as contiguous blocks of up to 128 pages, which the MMU translates at once.
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
#define PTE_READ_ONLY   (1u << 3)
#define PTE_KIND_SHIFT  40
#define BLOCK_MAX       7u /* log2 of pages */
#define BLOCK_BYTES     ((uint64_t)PAGE_BYTES << BLOCK_MAX)
#define KINDS           0x7fu

static uint64_t vm_g80_table_of(struct pfifo_device *device, uint64_t directory, uint64_t va) {
    return inst_rd64(device, directory + 8 * (va >> PDE_BITS)) & ADDRESS;
}

static uint64_t vm_g80_table_for(struct pfifo_device *device, uint64_t directory, uint64_t va, bool *changed) {
    uint64_t table = vm_g80_table_of(device, directory, va);
    if (table)
        return table;
    table = inst_alloc_kept(device, TABLE_BYTES, PAGE_BYTES);
    if (table) {
        inst_wr64(device, directory + 8 * (va >> PDE_BITS), table | PDE_SMALL);
        *changed = true;
    }
    return table;
}

static uint64_t vm_g80_pte_at(uint64_t table, uint64_t va) {
    return table + 8 * (va % PDE_BYTES / PAGE_BYTES);
}

/* log2 of the pages of the largest block that begins here. */
static unsigned block_at(uint64_t va, uint64_t physical, uint64_t bytes) {
    unsigned order = 0;
    while (order < BLOCK_MAX && !((va | physical) & (((uint64_t)PAGE_BYTES << (order + 1)) - 1)) &&
           bytes >= (uint64_t)PAGE_BYTES << (order + 1))
        order++;
    return order;
}

static void write_blocks(struct pfifo_device *device, uint64_t at, uint64_t va, uint64_t bytes, uint64_t physical,
                         uint64_t flags) {
    struct entry_run run = {.device = device, .at = at};
    while (bytes) {
        unsigned order = block_at(va, physical, bytes);
        uint64_t block = (uint64_t)PAGE_BYTES << order;
        for (unsigned i = 0; i < 1u << order; i++)
            entry_put(&run, physical | flags | order << PTE_BLOCK_SHIFT);
        va += block, physical += block, bytes -= block;
    }
    entry_flush(&run);
}

static bool g80_map(struct pfifo_device *device, const struct table_space *space, uint64_t va, uint64_t bytes,
                    const struct table_pages *pages, bool *changed) {
    uint64_t physical = pages->physical, flags = PTE_PRESENT | (uint64_t)pages->kind << PTE_KIND_SHIFT;
    flags |= (pages->system ? PTE_SYSTEM : 0) | (pages->read_only ? PTE_READ_ONLY : 0);
    for (uint64_t piece; bytes; va += piece, physical += piece, bytes -= piece) {
        uint64_t table = vm_g80_table_for(device, space->directory, va, changed);
        if (!table)
            return false;
        piece = in_table(va, bytes, PDE_BYTES);
        write_blocks(device, vm_g80_pte_at(table, va), va, piece, physical, flags);
    }
    return true;
}

static void g80_unmap(struct pfifo_device *device, const struct table_space *space, uint64_t va, uint64_t bytes) {
    for (uint64_t piece; bytes; va += piece, bytes -= piece) {
        uint64_t table = vm_g80_table_of(device, space->directory, va);
        piece = in_table(va, bytes, PDE_BYTES);
        if (table)
            entries_clear(device, vm_g80_pte_at(table, va), piece / PAGE_BYTES);
    }
}

static void g80_free_tables(struct pfifo_device *device, const struct table_space *space) {
    for (uint64_t i = 0; i < PDE_COUNT; i++) {
        uint64_t table = vm_g80_table_of(device, space->directory, i << PDE_BITS);
        if (table)
            inst_free_kept(device, table, TABLE_BYTES);
    }
}

static uint64_t g80_directory_bytes(uint64_t big_bytes) {
    (void)big_bytes;
    return PDE_COUNT * 8;
}

const struct table_ops tables_g80 = {
    .directory_bytes = g80_directory_bytes,
    .directory_align = PAGE_BYTES,
    .va_bits = 40,
    .big_bytes = BLOCK_BYTES,
    .kinds = KINDS,
    .map = g80_map,
    .unmap = g80_unmap,
    .free_tables = g80_free_tables,
};
