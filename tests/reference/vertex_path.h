/* SPDX-License-Identifier: MIT */
/*
 * The way of vertices into primitives, plainly: an attribute by the words of methods and the bits in memory, primitives
 * by the formulas of their topology, one at a time, from all vertices at once. Fermi to Pascal.
 *
 * It shares no code and no table with the engine. It reads methods from an array of values, by their number / 4.
 *
 * Sources: NVIDIA open-gpu-doc classes/3d/cl9097.h; envytools rnndb/graph/gf100_3d.xml; the OpenGL 4.6 specification,
 * 2.3.5 and 10.1.
 */
#ifndef PFIFO_TESTS_REFERENCE_VERTEX_PATH_H
#define PFIFO_TESTS_REFERENCE_VERTEX_PATH_H

#include <stdbool.h>
#include <stdint.h>

/* Bytes at addresses from `base` on. */
struct path_memory {
    const uint8_t *byte;
    uint64_t base, bytes;
};

/* The attribute of a vertex: bits of four values. False: it does not come from memory. */
bool path_fetch(const uint32_t *method, const struct path_memory *memory, unsigned attribute, uint32_t vertex,
                uint32_t instance, uint32_t out[4]);

#define PATH_MOST_PRIMITIVES 2u /* of a vertex */

struct path_primitive {
    unsigned corners, corner[3], provoking; /* numbers in the list of vertices */
    unsigned members, member[6];            /* the corners, with their neighbours in between if the topology has some */
    bool edge[3];                           /* from that corner to the next: one of the polygon's */
    bool first;                             /* the first of its strip, or one that stands for itself */
    unsigned id;
};

/*
 * The primitives of `count` vertices without a restart among them, in order, by the code of BEGIN. edge[i]: the flag of
 * vertex i. Ids begin with `id`; returns how many primitives there are, and how many ids they take.
 */
unsigned path_primitives(unsigned topology, bool provoking_last, const bool *edge, unsigned count, unsigned id,
                         struct path_primitive *out, unsigned *ids);

/* ---- clipping and the window ---- */

/* What cuts points of a primitive: by GEOMETRY_CLIP and its guard bands, and by distances. */
struct path_clip {
    unsigned mode; /* of VIEWPORT_CLIP_CONTROL, bits 13:11 */
    bool wide_xy, wide_z, zero_to_w;
    unsigned clips, culls; /* bit i: distance i */
};

/* A point of a primitive: its place in clip coordinates, and its distances. */
struct path_point {
    double x, y, z, w, distance[8];
};

enum path_place { PATH_INSIDE, PATH_NEAR_AN_EDGE, PATH_OUTSIDE };

/* Is a point of a primitive left? Not known within `margin` of a plane, relative to w. */
enum path_place path_clip(const struct path_clip *clip, const struct path_point *point, double margin);

/* May a primitive of these corners be dropped as a whole, though points of it are inside? */
bool path_rejects(const struct path_clip *clip, const struct path_point *corner, unsigned corners);

/* The place in the window: of an axis, whose viewport has that scale and offset. */
double path_window(double place, double w, double scale, double offset);

#endif
