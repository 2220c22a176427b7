/* SPDX-License-Identifier: MIT */
/*
 * Between assembly and raster: primitives are cut to what can be drawn, and vertices get their place in the window.
 *
 *   clip_place(&view, vertex, viewport)                 once for each vertex
 *   count = clip_primitive(&clip, &pool, &primitive, out)
 *
 * The position of a vertex (w, x, y, z before the division) is in its attribute words, and so are its clip distances.
 * Planes cut where hardware's geometry clip mode has them; w has to be positive always; and what is far beyond the
 * window is cut away, so that the raster's grid has room for the rest. Parts beyond near and far go pixel by pixel,
 * unless the mode cuts there.
 *
 * UNKNOWN: how near to w = 0 the hardware cuts; chosen: 2^-24 of the largest |w| of the primitive.
 * Sources: NVIDIA open-gpu-doc classes/3d/clb197.h (VIEWPORT_CLIP_CONTROL, USER_CLIP); envytools
 * rnndb/graph/gf100_3d.xml; Mesa src/gallium/drivers/nouveau/nvc0/nvc0_state_validate.c; the OpenGL 4.6 specification,
 * 13.7.
 */
#ifndef PFIFO_SRC_ENGINE_DRAW_CLIP_H
#define PFIFO_SRC_ENGINE_DRAW_CLIP_H

#include "engine/draw/draw.h"

/* Words of the attribute space. */
#define WORD_PRIMITIVE  0x18u
#define WORD_LAYER      0x19u
#define WORD_VIEWPORT   0x1au
#define WORD_POINT_SIZE 0x1bu
#define WORD_POSITION   0x1cu /* x, y, z, w */
#define WORD_GENERIC    0x20u /* 32 vectors */
#define WORD_COLORS     0xa0u /* two vectors */
#define WORD_BACK       0xa8u /* two vectors */
#define WORD_DISTANCE   0xb0u /* clip distances */

#define WORD_VIEWPORT_MASK 0xe8u /* GM200 and later */

#define CLIP_PLANES 20u
/* Of a triangle that every plane cuts. */
#define CLIP_MOST_CORNERS    (3u + CLIP_PLANES)
#define CLIP_MOST_PRIMITIVES (CLIP_MOST_CORNERS - 2u)
#define CLIP_MOST_VERTICES   (2u * CLIP_PLANES + 3u)

/* What vertices are cut by, and what new ones need. */
struct clip {
    const struct draw_view_state *view;
    const struct draw_carried *carried;
};

/* Room for new vertices. */
struct clip_pool {
    struct draw_vertex *vertex;
    uint32_t count, most;
};

/* x, y, z, rw of a vertex, by its position. */
void clip_place(const struct draw_view_state *view, struct draw_vertex *vertex, unsigned viewport);

/* The same of many vertices, whose positions are rows: x, y, z, w. */
struct clip_places {
    float x[DRAW_LANES], y[DRAW_LANES], z[DRAW_LANES], rw[DRAW_LANES];
    uint32_t within; /* lanes: clipping leaves a primitive of these as it is. Perhaps others as well */
};
void clip_place_lanes(const struct draw_view_state *view, const draw_row *position, unsigned lanes, unsigned viewport,
                      struct clip_places *places);

/*
 * What is left of a primitive, whose vertices have been placed by its viewport: up to CLIP_MOST_PRIMITIVES with the
 * same kind and properties. 0: nothing; or the pool has no room for CLIP_MOST_VERTICES.
 */
unsigned clip_primitive(const struct clip *clip, struct clip_pool *pool, const struct draw_primitive *primitive,
                        struct draw_primitive *out);

#endif
