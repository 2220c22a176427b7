/* SPDX-License-Identifier: MIT */
/*
 * The common part of RECT, LIN and TRI: bindings, a colour, and the last points.
 *
 * All methods with a colour set the same colour, and all with a point add to the same points: a polyline continues
 * where a line ended.
 *
 * UNKNOWN: a polyline or mesh without enough points before it, for which PGRAPH has an error; chosen: its first points
 *          are where it begins.
 * Sources: envytools docs/hw/graph/2d/solid.rst, hwtest/pgraph_class_solid.cc, pgraph_mthd_xy.cc.
 */
#ifndef PFIFO_SRC_ENGINE_TWOD_NV4_SOLID_H
#define PFIFO_SRC_ENGINE_TWOD_NV4_SOLID_H

#include "engine/twod/nv4_context.h"

/* Words of the kinds. */
enum {
    NV4_SOLID_COLOR = NV4_EXTRA,
    NV4_SOLID_POINTS,                      /* that are known: 0 to 2, */
    NV4_SOLID_OLDER,                       /* x, y of the one before */
    NV4_SOLID_NEWER = NV4_SOLID_OLDER + 2, /* and of the last one */
    NV4_SOLID_EXTRA = NV4_SOLID_NEWER + 2,
};

extern const struct nv4_slots nv4_solid_slots, nv4_old_solid_slots;

struct nv4_point {
    int32_t x, y;
};

/* Points before that of this method: 0 is the last one, 1 the one before. */
uint32_t nv4_solid_points(const struct call *call);
struct nv4_point nv4_solid_point(const struct call *call, unsigned before);
void nv4_solid_push(const struct call *call, struct nv4_point point);

/* The point of a method: x and y in one word, or y in this and x in the word before. */
struct nv4_point nv4_point_16(const struct call *call);
struct nv4_point nv4_point_32(const struct call *call);

/* Actions: colour, first point of something, another one. */
enum action_result nv4_solid_color(struct call *call);
enum action_result nv4_solid_first_16(struct call *call);
enum action_result nv4_solid_first_32(struct call *call);
enum action_result nv4_solid_next_16(struct call *call);
enum action_result nv4_solid_next_32(struct call *call);

/* Open a drawing in the colour set. False: it has been refused. */
bool nv4_solid_open(const struct call *call, const struct nv4_slots *slots, struct nv4_draw *draw, uint32_t *color);

/* clang-format off */
#define NV4_SOLID_ROW(at, number, step, function)                                                                      \
    {.method = (at), .count = (number), .stride = (step), .type = ACTION_INSIDE, .run = (function)}
#define NV4_SOLID_DRAWS(at, number, step, function, slots)                                                             \
    {.method = (at), .count = (number), .stride = (step), .type = ACTION_EFFECT, .run = (function), .argument = &(slots)}
/* clang-format on */

#endif
