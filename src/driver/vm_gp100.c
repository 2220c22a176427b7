/* SPDX-License-Identifier: MIT */
/*
 * Page tables of Pascal (VER2): four levels of directories, below the last a table of 64 KiB and one of 4 KiB pages.
 * Unless a mapping asks for more, pages of 64 KiB are used in VRAM only, where address and place allow it. Sparse pages
 * are small ones: a big one would hide those below it.
 *
 * Sources: open-gpu-doc manuals volta/gv100 dev_mmu; nouveau nvkm/subdev/mmu/vmmgp100.c.
 */
#include "driver/tables.h"

#define VER2    0x400u /* bits of the directory's word in the instance block */
#define BIG_64K 0x800u

#define BIG_BYTES   UINT64_C(0x10000)
#define BIG_TABLE   0x100u
#define PD0_SHIFT   21
#define PD0_REACH   (UINT64_C(1) << PD0_SHIFT)
#define PD0_MASK    0xffu
#define POINTER     (1u << 1) /* aperture: VRAM */
#define ADDRESS     (UINT64_C(0x1ffffffff) & ~UINT64_C(0xf))
#define FRAME_SHIFT 4 /* an address >> 12 is at bit 8; of a big table >> 8 at bit 4 */

#define PTE_VALID      1u
#define PTE_COHERENT   (2u << 1)
#define PTE_VOLATILE   (1u << 3)
#define PTE_SPARSE     (1u << 3) /* if it is not valid */
#define PTE_READ_ONLY  (1u << 6)
#define PTE_KIND_SHIFT 56
#define KINDS          0xffu

static const struct {
    uint8_t shift;
    uint16_t mask;
} levels[] = {{47, 0x3}, {38, 0x1ff}, {29, 0x1ff}};

/* The table behind a pointer; made, if `make` is set. 0: there is none. */
static uint64_t follow(struct pfifo_device *device, uint64_t pointer, uint64_t table_bytes, bool make, bool *changed) {
    uint64_t table = (inst_rd64(device, pointer) & ADDRESS) << FRAME_SHIFT;
    if (table || !make)
        return table;
    table = inst_alloc_kept(device, table_bytes, table_bytes);
    if (table) {
        inst_wr64(device, pointer, table >> FRAME_SHIFT | POINTER);
        *changed = true;
    }
    return table;
}

/* The table of big or small pages of an address. */
static uint64_t table_for(struct pfifo_device *device, uint64_t directory, uint64_t va, bool big, bool make,
                          bool *changed) {
    uint64_t table = directory;
    for (size_t i = 0; table && i < sizeof levels / sizeof levels[0]; i++)
        table = follow(device, table + 8 * (va >> levels[i].shift & levels[i].mask), PAGE_BYTES, make, changed);
    if (!table)
        return 0;
    uint64_t pointer = table + 16 * (va >> PD0_SHIFT & PD0_MASK) + (big ? 0 : 8);
    return follow(device, pointer, big ? BIG_TABLE : PAGE_BYTES, make, changed);
}

static uint64_t pte_at(uint64_t table, uint64_t va, uint64_t page_bytes) {
    return table + 8 * (va % PD0_REACH / page_bytes);
}

/* What of a range in one table of each size is in pages of one size. */
static bool map_row(struct pfifo_device *device, uint64_t directory, uint64_t va, uint64_t bytes, uint64_t physical,
                    uint64_t flags, bool big, bool *changed) {
    uint64_t page_bytes = big ? BIG_BYTES : PAGE_BYTES, table = table_for(device, directory, va, big, true, changed);
    if (table)
        entries_write(device, pte_at(table, va, page_bytes), physical >> FRAME_SHIFT | flags, page_bytes >> FRAME_SHIFT,
                      bytes / page_bytes);
    return table != 0;
}

static bool gp100_map(struct pfifo_device *device, const struct table_space *space, uint64_t va, uint64_t bytes,
                      const struct table_pages *pages, bool *changed) {
    uint64_t physical = pages->physical, flags = PTE_VALID | (uint64_t)pages->kind << PTE_KIND_SHIFT;
    flags |= (pages->system ? PTE_COHERENT | PTE_VOLATILE : 0) | (pages->read_only ? PTE_READ_ONLY : 0);
    for (uint64_t piece; bytes; va += piece, physical += piece, bytes -= piece) {
        bool big = false;
        piece = in_table(va, bytes, PD0_REACH);
        if (pages->big)
            piece = pages_in_a_row(va, physical, piece, BIG_BYTES, &big);
        if (!map_row(device, space->directory, va, piece, physical, flags, big, changed))
            return false;
    }
    return true;
}

static void gp100_unmap(struct pfifo_device *device, const struct table_space *space, uint64_t va, uint64_t bytes) {
    bool changed;
    for (uint64_t piece; bytes; va += piece, bytes -= piece) {
        uint64_t small = table_for(device, space->directory, va, false, false, &changed);
        uint64_t big = table_for(device, space->directory, va, true, false, &changed);
        piece = in_table(va, bytes, PD0_REACH);
        if (small)
            entries_clear(device, pte_at(small, va, PAGE_BYTES), piece / PAGE_BYTES);
        if (big)
            entries_clear(device, pte_at(big, va + BIG_BYTES - 1, BIG_BYTES), big_pages_from(va, piece, BIG_BYTES));
    }
}

static bool gp100_map_sparse(struct pfifo_device *device, const struct table_space *space, uint64_t va, uint64_t bytes,
                             bool *changed) {
    for (uint64_t piece; bytes; va += piece, bytes -= piece) {
        uint64_t table = table_for(device, space->directory, va, false, true, changed);
        if (!table)
            return false;
        piece = in_table(va, bytes, PD0_REACH);
        entries_write(device, pte_at(table, va, PAGE_BYTES), PTE_SPARSE, 0, piece / PAGE_BYTES);
    }
    return true;
}

/* The table behind a pointer; it need not be there. */
static void free_table(struct pfifo_device *device, uint64_t pointer, uint64_t table_bytes) {
    uint64_t table = (inst_rd64(device, pointer) & ADDRESS) << FRAME_SHIFT;
    if (table)
        inst_free_kept(device, table, table_bytes);
}

/* A directory of a level, with all that is below it; the last has pairs of pointers. */
static void free_below(struct pfifo_device *device, uint64_t directory, size_t level) {
    if (level == sizeof levels / sizeof levels[0]) {
        for (uint64_t i = 0; i <= PD0_MASK; i++) {
            free_table(device, directory + 16 * i, BIG_TABLE);
            free_table(device, directory + 16 * i + 8, PAGE_BYTES);
        }
        return;
    }
    for (uint64_t i = 0; i <= levels[level].mask; i++) {
        uint64_t below = (inst_rd64(device, directory + 8 * i) & ADDRESS) << FRAME_SHIFT;
        if (!below)
            continue;
        free_below(device, below, level + 1);
        inst_free_kept(device, below, PAGE_BYTES);
    }
}

static void gp100_free_tables(struct pfifo_device *device, const struct table_space *space) {
    free_below(device, space->directory, 0);
}

static uint64_t gp100_directory_bytes(uint64_t big_bytes) {
    (void)big_bytes;
    return PAGE_BYTES;
}

const struct table_ops tables_gp100 = {
    .directory_bytes = gp100_directory_bytes,
    .directory_align = PAGE_BYTES,
    .directory_flags = VER2 | BIG_64K,
    .va_bits = 49,
    .big_bytes = BIG_BYTES,
    .kinds = KINDS,
    .map = gp100_map,
    .unmap = gp100_unmap,
    .map_sparse = gp100_map_sparse,
    .free_tables = gp100_free_tables,
};
