/* SPDX-License-Identifier: MIT */
/*
 * Regions of tiled memory in VRAM, as registers of PFB describe them (NV10 to NV4x).
 *
 * On the chip a region permutes the addresses of VRAM below all who look at it. Here VRAM is kept as they see it, so
 * that a region costs nothing while it is there, and rearranged when the regions change: raw VRAM shows where a region
 * was taken away, and what was raw is seen through one that is new. As long as no byte leaves its region
 * (memory/tile.h) nobody can tell the difference.
 */
#ifndef PFIFO_SRC_MEMORY_TILING_H
#define PFIFO_SRC_MEMORY_TILING_H

#include "memory/tile.h"

#define TILING_REGIONS 15

/* Regions that do not overlap, within VRAM. One whose map has no tiles is none. */
struct memory_tiling {
    struct tile_region {
        uint64_t base;
        struct tile_map map;
    } region[TILING_REGIONS];
};

struct memory;

/*
 * The regions are these from now on. memory_set_tiling() rearranges VRAM, at most twice what is in regions that differ;
 * memory_load_tiling() does not: memory was loaded as it was seen.
 */
void memory_set_tiling(struct memory *memory, const struct memory_tiling *tiling);
void memory_load_tiling(struct memory *memory, const struct memory_tiling *tiling);

#endif
