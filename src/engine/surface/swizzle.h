/* SPDX-License-Identifier: MIT */
/*
 * Rectangles of swizzled surfaces, as runs of memory. An aligned rectangle whose coordinates differ only in the lowest
 * bits of the index is one run; so a rectangle is cut into few of them, and into single elements along its edges.
 *
 *   x: 0 1 2 3 4          blocks of 2 x 2, 4 x 4, ... are contiguous: a rectangle of 5 x 2 from (0, 0) on
 *   0  A A B B C          is A B (one run of 4 x 2, where the height ends there), and the elements C
 *   1  A A B B C
 */
#ifndef PFIFO_SRC_ENGINE_SURFACE_SWIZZLE_H
#define PFIFO_SRC_ENGINE_SURFACE_SWIZZLE_H

#include "engine/surface/filling.h"
#include "engine/surface/mapping.h"

/*
 * Fill a rectangle, in whatever order. False: nothing was done, since a part of it is not there, goes beyond the size,
 * or does not consist of whole elements.
 */
bool swizzle_fill(struct surface_mapping *mapping, struct surface_point at, const struct filling *filling,
                  uint64_t line_bytes, uint64_t lines);

#endif
