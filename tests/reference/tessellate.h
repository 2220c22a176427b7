/* SPDX-License-Identifier: MIT */
/*
 * A plain tessellator: lists of segments, rings and triangles in real numbers. It makes the whole patch at once, and
 * shares no code and no table with the engine. Places are those of the engine up to its fixed point.
 *
 * Sources: the OpenGL 4.6 specification, 11.2.2; the Direct3D 11.3 functional specification, 14.
 */
#ifndef PFIFO_TESTS_REFERENCE_TESSELLATE_H
#define PFIFO_TESTS_REFERENCE_TESSELLATE_H

#include <stdbool.h>

#define PLAIN_POINTS     4400u
#define PLAIN_PRIMITIVES 9000u

struct plain_point {
    double u, v;
};

struct plain_primitive {
    unsigned corners;
    struct plain_point corner[3];
};

struct plain_patch {
    unsigned points, primitives;
    struct plain_point point[PLAIN_POINTS];
    struct plain_primitive primitive[PLAIN_PRIMITIVES];
};

/*
 * domain: 0 isolines, 1 triangles, 2 quads; spacing: 0 equal, 1 odd, 2 even; output: 0 points, 1 lines, 2 clockwise as v
 * grows downwards, 3 the other way. False: discarded.
 */
bool plain_tessellate(struct plain_patch *patch, unsigned domain, unsigned spacing, unsigned output,
                      const float outer[4], const float inner[2]);

#endif
