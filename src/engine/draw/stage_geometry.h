/* SPDX-License-Identifier: MIT */
/* What the geometry stage keeps: what its program is given, and what it has emitted. */
#ifndef PFIFO_SRC_ENGINE_DRAW_STAGE_GEOMETRY_H
#define PFIFO_SRC_ENGINE_DRAW_STAGE_GEOMETRY_H

#include "engine/draw/emitted.h"

struct draw_geometry;

/* NULL: no memory. */
struct draw_geometry *draw_geometry_new(void);
void draw_geometry_free(struct draw_geometry *geometry);

/* Which primitive of the draw, and which of its instances, a lane of the warp under way has. */
void draw_geometry_lane(const struct draw_geometry *geometry, unsigned lane, uint32_t *primitive, uint32_t *instance);

#endif
