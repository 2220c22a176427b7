/* SPDX-License-Identifier: MIT */
/*
 * Page tables of Pascal (VER2): four levels of directories, below the last a table of 64 KiB and one of 4 KiB pages.
 * Unless a mapping asks for more, pages of 64 KiB are used in VRAM only, where both addresses allow it. Sparse pages
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

/* The table behind a pointer; made, unless `changed` is NULL. 0: there is none. */
static uint64_t vm_gp100_follow(struct pfifo_device *device, uint64_t pointer, uint64_t table_bytes, bool *changed) {
    uint64_t table = (inst_rd64(device, pointer) & ADDRESS) << FRAME_SHIFT;
    if (table || !changed)
        return table;
    table = inst_alloc_kept(device, table_bytes, table_bytes);
    if (table) {
        inst_wr64(device, pointer, table >> FRAME_SHIFT | POINTER);
        *changed = true;
    }
    return table;
}

/* The table of big or small pages of an address. */
static uint64_t vm_gp100_table_for(struct pfifo_device *device, const struct table_space *space, uint64_t va, bool big,
                                   bool *changed) {
    uint64_t table = space->directory;
    for (size_t i = 0; table && i < sizeof levels / sizeof levels[0]; i++)
        table = vm_gp100_follow(device, table + 8 * (va >> levels[i].shift & levels[i].mask), PAGE_BYTES, changed);
    if (!table)
        return 0;
    uint64_t pointer = table + 16 * (va >> PD0_SHIFT & PD0_MASK) + (big ? 0 : 8);
    return vm_gp100_follow(device, pointer, big ? BIG_TABLE : PAGE_BYTES, changed);
}

static uint64_t vm_gp100_reach(const struct table_space *space) {
    (void)space;
    return PD0_REACH;
}

static const struct table_pair pair = {
    .frame_shift = FRAME_SHIFT,
    .kind_shift = PTE_KIND_SHIFT,
    .present = PTE_VALID,
    .system = PTE_COHERENT | PTE_VOLATILE,
    .read_only = PTE_READ_ONLY,
    .sparse = PTE_SPARSE,
    .reach = vm_gp100_reach,
    .table = vm_gp100_table_for,
};

static bool gp100_map(struct pfifo_device *device, const struct table_space *space, uint64_t va, uint64_t bytes,
                      const struct table_pages *pages, bool *changed) {
    return table_pair_map(device, &pair, space, va, bytes, pages, changed);
}

static void gp100_unmap(struct pfifo_device *device, const struct table_space *space, uint64_t va, uint64_t bytes) {
    table_pair_unmap(device, &pair, space, va, bytes);
}

static bool gp100_map_sparse(struct pfifo_device *device, const struct table_space *space, uint64_t va, uint64_t bytes,
                             bool *changed) {
    return table_pair_map_sparse(device, &pair, space, va, bytes, changed);
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
        /* Each is given back once, whatever the entries say: so the walk ends. */
        if (below && inst_free_kept(device, below, PAGE_BYTES))
            free_below(device, below, level + 1);
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
