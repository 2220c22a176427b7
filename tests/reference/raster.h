/* SPDX-License-Identifier: MIT */
/*
 * A slow rasteriser to compare with: pixel by pixel and sample by sample, in whole numbers, without tiles, planes or
 * batches. Depth is that of a primitive's first vertex, and outputs are the words 0x80.. of the provoking one: what
 * varies over a primitive has tests of its own.
 */
#ifndef PFIFO_TESTS_REFERENCE_RASTER_H
#define PFIFO_TESTS_REFERENCE_RASTER_H

#include "engine/draw/draw.h"

#define RASTER_REFERENCE_ZETA DRAW_TARGETS

/* Elements of a target, line by line, layer by layer, 16 bytes each: width and height of the target, in elements. */
struct raster_reference {
    const struct draw_state *state;
    uint8_t (*element[DRAW_TARGETS + 1])[16];
    unsigned width, height; /* in pixels */
    uint64_t samples;       /* that passed */
    uint32_t stipple;
};

/* Word numbers of outputs: 4 for each one. With program.kills those are killed whose x + y is odd. */
#define RASTER_REFERENCE_OUTPUT(i, c) (0x80 / 4 + 4 * (i) + (c))
#define RASTER_REFERENCE_DEPTH        (0x100 / 4)
#define RASTER_REFERENCE_MASK         (0x104 / 4)

void raster_reference_draw(struct raster_reference *reference, const struct draw_primitive *primitive);

#endif
