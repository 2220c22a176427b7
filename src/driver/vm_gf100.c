/* SPDX-License-Identifier: MIT */
/*
 * Page tables of GF100 .. GM20x: a directory whose entries have 1024 big pages, of 128 or 64 KiB, each with a table of
 * big and one of 4 KiB pages. Unless a mapping asks for more, big pages are used in VRAM only, where both addresses
 * allow it. Sparse pages are small ones: a big one would hide those below it.
 *
 * Sources: envytools rnndb/memory/gf100_vm.xml; nouveau nvkm/subdev/mmu/{vmmgf100,vmmgm200}.c.
 */
#include "driver/tables.h"

#define BIG_PAGES      1024u /* of a directory entry */
#define BIG_TABLE      (8 * BIG_PAGES)
#define VA_BITS        40
#define TARGET_VRAM    1u /* in a PDE */
#define PTE_VALID      UINT64_C(1)
#define PTE_READ_ONLY  (UINT64_C(1) << 2)
#define PTE_VOLATILE   (UINT64_C(1) << 32)
#define PTE_SPARSE     (UINT64_C(1) << 32) /* if it is not valid */
#define PTE_COHERENT   (UINT64_C(2) << 33)
#define PTE_KIND_SHIFT 36
#define KINDS          0xffu
#define ADDRESS_SHIFT  8 /* page frames are at bit 4 */
#define HALF_ADDRESS   0xfffffff0u

static uint64_t pde_bytes(const struct table_space *space) {
    return space->big_bytes * BIG_PAGES;
}

/* The big table is in the low half of a PDE, the small one in the high half. */
static uint64_t half_at(const struct table_space *space, uint64_t va, bool big) {
    return space->directory + 8 * (va / pde_bytes(space)) + (big ? 0 : 4);
}

static uint64_t vm_gf100_table_of(struct pfifo_device *device, const struct table_space *space, uint64_t va, bool big) {
    return (uint64_t)(inst_rd32(device, half_at(space, va, big)) & HALF_ADDRESS) << ADDRESS_SHIFT;
}

static uint64_t table_bytes(const struct table_space *space, bool big) {
    return big ? BIG_TABLE : pde_bytes(space) / PAGE_BYTES * 8;
}

static uint64_t vm_gf100_table_for(struct pfifo_device *device, const struct table_space *space, uint64_t va, bool big,
                                   bool *changed) {
    uint64_t table = vm_gf100_table_of(device, space, va, big);
    if (table || !changed)
        return table;
    table = inst_alloc_kept(device, table_bytes(space, big), PAGE_BYTES);
    if (table) {
        inst_wr32(device, half_at(space, va, big), (uint32_t)(table >> ADDRESS_SHIFT) | TARGET_VRAM);
        *changed = true;
    }
    return table;
}

static const struct table_pair pair = {
    .frame_shift = ADDRESS_SHIFT,
    .kind_shift = PTE_KIND_SHIFT,
    .present = PTE_VALID,
    .system = PTE_VOLATILE | PTE_COHERENT,
    .read_only = PTE_READ_ONLY,
    .sparse = PTE_SPARSE,
    .reach = pde_bytes,
    .table = vm_gf100_table_for,
};

static bool gf100_map(struct pfifo_device *device, const struct table_space *space, uint64_t va, uint64_t bytes,
                      const struct table_pages *pages, bool *changed) {
    return table_pair_map(device, &pair, space, va, bytes, pages, changed);
}

static void gf100_unmap(struct pfifo_device *device, const struct table_space *space, uint64_t va, uint64_t bytes) {
    table_pair_unmap(device, &pair, space, va, bytes);
}

static bool gm200_map_sparse(struct pfifo_device *device, const struct table_space *space, uint64_t va, uint64_t bytes,
                             bool *changed) {
    return table_pair_map_sparse(device, &pair, space, va, bytes, changed);
}

static void gf100_free_tables(struct pfifo_device *device, const struct table_space *space) {
    for (uint64_t va = 0; va < UINT64_C(1) << VA_BITS; va += pde_bytes(space)) {
        for (unsigned big = 0; big < 2; big++) {
            uint64_t table = vm_gf100_table_of(device, space, va, big);
            if (table)
                inst_free_kept(device, table, table_bytes(space, big));
        }
    }
}

static uint64_t gf100_directory_bytes(uint64_t big_bytes) {
    return 8 * ((UINT64_C(1) << VA_BITS) / (big_bytes * BIG_PAGES));
}

#define GF100_TABLES                                                                                                   \
    .directory_bytes = gf100_directory_bytes, .directory_align = PAGE_BYTES, .va_bits = VA_BITS,                       \
    .big_bytes = BIG_PAGE_BYTES, .kinds = KINDS, .map = gf100_map, .unmap = gf100_unmap,                               \
    .free_tables = gf100_free_tables

const struct table_ops tables_gf100 = {GF100_TABLES};
const struct table_ops tables_gm200 = {GF100_TABLES, .map_sparse = gm200_map_sparse};
