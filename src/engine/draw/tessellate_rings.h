/* SPDX-License-Identifier: MIT */
/* Rings of a tessellated patch: how many points they have, for tessellate.c and tessellate_strip.c. */
#ifndef PFIFO_SRC_ENGINE_DRAW_TESSELLATE_RINGS_H
#define PFIFO_SRC_ENGINE_DRAW_TESSELLATE_RINGS_H

#include <assert.h>

#include "engine/draw/tessellate.h"

#define TESSELLATE_STRIP_POINTS 32u /* of a strip, where primitives are points */

/* Is the innermost ring longer along u? Then what is left in it is a row along u. */
static inline bool tessellate_is_wide(const struct tessellation *t) {
    return t->sides == 4 && t->inner[0].points > t->inner[1].points;
}

/* Points of a side but the last one. */
static inline unsigned tessellate_edges(const struct tessellation *t, unsigned ring, unsigned side) {
    assert(ring < t->rings && side < t->sides);
    if (ring == 0)
        return t->outer[side].points - 1;
    return t->inner[side % 2 ? 0 : 1].points - 2 * ring - 1;
}

static inline unsigned tessellate_ring_points(const struct tessellation *t, unsigned ring) {
    unsigned points = 0;
    for (unsigned side = 0; side < t->sides; side++)
        points += tessellate_edges(t, ring, side);
    return points;
}

#endif
