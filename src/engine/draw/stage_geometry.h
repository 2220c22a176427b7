/* SPDX-License-Identifier: MIT */
/* What the geometry stage keeps: what its program is given, and what it has emitted. */
#ifndef PFIFO_SRC_ENGINE_DRAW_STAGE_GEOMETRY_H
#define PFIFO_SRC_ENGINE_DRAW_STAGE_GEOMETRY_H

#include "engine/draw/emitted.h"

struct draw_geometry;

/* NULL: no memory. */
struct draw_geometry *draw_geometry_new(void);
void draw_geometry_free(struct draw_geometry *geometry);

#endif
