/* SPDX-License-Identifier: MIT */
/*
 * Page tables of GF100 .. GM20x with big pages of 128 KiB: a directory of 128 MiB entries, each with a table of big
 * and one of 4 KiB pages. Big pages are used in VRAM, where address and place allow it.
 *
 * Sources: envytools rnndb/memory/gf100_vm.xml; nouveau nvkm/subdev/mmu/vmmgf100.c.
 */
#include "driver/tables.h"

#define PDE_BITS    27
#define PDE_BYTES   (UINT64_C(1) << PDE_BITS)
#define PDE_COUNT   0x2000u
#define BIG_BYTES   ((uint64_t)BIG_PAGE_BYTES)
#define SMALL_TABLE (PDE_BYTES / PAGE_BYTES * 8)
#define BIG_TABLE   0x2000u

#define TARGET_VRAM   1u /* in a PDE */
#define PTE_VALID     UINT64_C(1)
#define PTE_VOLATILE  (UINT64_C(1) << 32)
#define PTE_COHERENT  (UINT64_C(2) << 33)
#define ADDRESS_SHIFT 8 /* page frames are at bit 4 */
#define HALF_ADDRESS  0xfffffff0u

/* The big table is in the low half of a PDE, the small one in the high half. */
static uint64_t half_at(uint64_t directory, uint64_t va, bool big) {
    return directory + 8 * (va >> PDE_BITS) + (big ? 0 : 4);
}

static uint64_t table_of(struct pfifo_device *device, uint64_t directory, uint64_t va, bool big) {
    return (uint64_t)(inst_rd32(device, half_at(directory, va, big)) & HALF_ADDRESS) << ADDRESS_SHIFT;
}

static uint64_t table_for(struct pfifo_device *device, uint64_t directory, uint64_t va, bool big, bool *changed) {
    uint64_t table = table_of(device, directory, va, big);
    if (table)
        return table;
    table = inst_alloc_kept(device, big ? BIG_TABLE : SMALL_TABLE, PAGE_BYTES);
    if (table) {
        inst_wr32(device, half_at(directory, va, big), (uint32_t)(table >> ADDRESS_SHIFT) | TARGET_VRAM);
        *changed = true;
    }
    return table;
}

static uint64_t pte_at(uint64_t table, uint64_t va, uint64_t page_bytes) {
    return table + 8 * (va % PDE_BYTES / page_bytes);
}

/* What of a range in one table of each size is in pages of one size. */
static bool map_row(struct pfifo_device *device, uint64_t directory, uint64_t va, uint64_t bytes, uint64_t physical,
                    uint64_t flags, bool big, bool *changed) {
    uint64_t page_bytes = big ? BIG_BYTES : PAGE_BYTES, table = table_for(device, directory, va, big, changed);
    if (table)
        entries_write(device, pte_at(table, va, page_bytes), physical >> ADDRESS_SHIFT | flags,
                      page_bytes >> ADDRESS_SHIFT, bytes / page_bytes);
    return table != 0;
}

static bool gf100_map(struct pfifo_device *device, uint64_t directory, uint64_t va, uint64_t bytes, uint64_t physical,
                      bool system, bool *changed) {
    uint64_t flags = PTE_VALID | (system ? PTE_VOLATILE | PTE_COHERENT : 0);
    for (uint64_t piece; bytes; va += piece, physical += piece, bytes -= piece) {
        bool big = false;
        piece = in_table(va, bytes, PDE_BYTES);
        if (!system)
            piece = pages_in_a_row(va, physical, piece, BIG_BYTES, &big);
        if (!map_row(device, directory, va, piece, physical, flags, big, changed))
            return false;
    }
    return true;
}

static void gf100_unmap(struct pfifo_device *device, uint64_t directory, uint64_t va, uint64_t bytes) {
    for (uint64_t piece; bytes; va += piece, bytes -= piece) {
        uint64_t small = table_of(device, directory, va, false), big = table_of(device, directory, va, true);
        piece = in_table(va, bytes, PDE_BYTES);
        if (small)
            entries_clear(device, pte_at(small, va, PAGE_BYTES), piece / PAGE_BYTES);
        if (big)
            entries_clear(device, pte_at(big, va + BIG_BYTES - 1, BIG_BYTES), big_pages_from(va, piece, BIG_BYTES));
    }
}

const struct table_ops tables_gf100 = {.directory_bytes = PDE_COUNT * 8,
                                       .directory_align = PAGE_BYTES,
                                       .va_bits = 40,
                                       .map = gf100_map,
                                       .unmap = gf100_unmap};
