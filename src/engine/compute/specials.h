/* SPDX-License-Identifier: MIT */
/* Special registers of grids: which thread of which block this is, sizes, windows, clocks. */
#ifndef PFIFO_SRC_ENGINE_COMPUTE_SPECIALS_H
#define PFIFO_SRC_ENGINE_COMPUTE_SPECIALS_H

#include "engine/compute/grid.h"

#define SPECIALS_MOST 48u
/* Where in the list some are: the thread, and the block; x, y, z of each. */
#define SPECIALS_THREAD 0u
#define SPECIALS_BLOCK  4u

/* Of a warp. */
struct specials {
    shade_row thread[4]; /* x, y, z; all in one word */
    unsigned count;
    struct shade_special list[SPECIALS_MOST];
};

/* Where a warp is. */
struct specials_place {
    uint32_t block[3];
    uint32_t warp;
    uint64_t time; /* nanoseconds */
};

void specials_fill(struct specials *specials, const struct grid *grid, const struct specials_place *place);

#endif
