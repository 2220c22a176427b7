/* SPDX-License-Identifier: MIT */
/*
 * Regions of tiled memory in VRAM, as registers of PFB describe them (NV10 to NV4x).
 *
 * On the chip a region permutes the addresses of VRAM for all clients. Here VRAM is stored as the clients see it, so
 * that accesses to a region cost nothing extra. It is rearranged when the regions change: where a region is removed,
 * VRAM shows the raw data; a new region shows the raw data through its permutation. As long as no byte leaves its
 * region (memory/tile.h), the difference is not visible.
 */
#ifndef PFIFO_SRC_MEMORY_TILING_H
#define PFIFO_SRC_MEMORY_TILING_H

#include "memory/tile.h"

#define TILING_REGIONS 15

/* Regions within VRAM that do not overlap. A map without tiles means no region. */
struct memory_tiling {
    struct tile_region {
        uint64_t base;
        struct tile_map map;
    } region[TILING_REGIONS];
};

struct memory;

/*
 * Set the regions. memory_set_tiling() rearranges VRAM: it moves the bytes of changed regions at most twice.
 * memory_load_tiling() does not: memory is saved as clients see it.
 */
void memory_set_tiling(struct memory *memory, const struct memory_tiling *tiling);
void memory_load_tiling(struct memory *memory, const struct memory_tiling *tiling);

#endif
