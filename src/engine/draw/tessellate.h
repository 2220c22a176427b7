/* SPDX-License-Identifier: MIT */
/*
 * The tessellator: a pure function from levels to points of a domain and primitives of them.
 *
 *   levels --tessellate_begin--> struct tessellation --tessellate_point---> point n: u, v
 *                                                    --tessellate_strip---> primitives of a strip, as numbers of points
 *
 *      v=1  +--side 3--+     A patch is rings, one in the other: the outer one has a level for each side, the others have
 *           | +------+ |     the inner levels. Between a side of a ring and the same side of the next one there is a
 *        side 0      side 2  strip of triangles. What is left in the middle is a row of points, a point, two parallel
 *           | +------+ |     sides or a triangle, by whether the inner levels are even or odd.
 *      v=0  +--side 1--+
 *          u=0        u=1    Triangles have sides u=0, v=0, w=0. Isolines have no rings: each line is a strip.
 *
 * Points and strips have numbers, so that a patch can be enumerated in pieces. All is in whole numbers with 16 bits of
 * fraction, and a row of points depends on its level alone and is its own mirror image: so two patches that share an
 * edge have the same points on it.
 *
 * Points, their order and that of triangles are those of the reference for Direct3D 11. UNKNOWN: the order of triangles
 * and their diagonals on hardware; it shows in transform feedback, primitive ids, and in the order of blending only.
 * UNKNOWN: DOMAIN_TYPE 3, and OUTPUT_PRIMITIVES that do not fit the domain; chosen: nothing is made, and what the domain
 * has: lines of isolines, triangles, clockwise unless they are asked for otherwise, of the others.
 *
 * Sources: the OpenGL 4.6 specification, 11.2.2; the Direct3D 11.3 functional specification, 14; Mesa
 * src/gallium/auxiliary/tessellator; NVIDIA open-gpu-doc classes/3d/cl9097.h (SET_TESSELLATION_PARAMETERS).
 */
#ifndef PFIFO_SRC_ENGINE_DRAW_TESSELLATE_H
#define PFIFO_SRC_ENGINE_DRAW_TESSELLATE_H

#include <stdbool.h>
#include <stdint.h>

#define TESSELLATE_ONE    0x10000u
#define TESSELLATE_STRIP  132u        /* primitives of a strip, at most */
#define TESSELLATE_POINTS (65u * 65u) /* of a patch, at most */

/* As SET_TESSELLATION_PARAMETERS has them. */
enum tessellate_domain { TESSELLATE_ISOLINES, TESSELLATE_TRIANGLES, TESSELLATE_QUADS };
enum tessellate_spacing { TESSELLATE_EQUAL, TESSELLATE_ODD, TESSELLATE_EVEN };
enum tessellate_output { TESSELLATE_AS_POINTS, TESSELLATE_AS_LINES, TESSELLATE_CLOCKWISE, TESSELLATE_COUNTERCLOCKWISE };

struct tessellate_mode {
    uint8_t domain, spacing, output;
};

/* In the order of attributes: sides 0 to 3, then along u and along v. */
struct tessellate_levels {
    float outer[4], inner[2];
};

/* The points of a side, by its level. */
struct tessellate_row {
    bool odd;
    uint32_t fixed;        /* the level */
    uint32_t points, half; /* half: of them before the middle, without the one in it */
    /* Between a row of fewer segments and one of more: how much of the latter, and the lengths of their segments. */
    uint32_t fraction, fewer, more;
    uint32_t split; /* the point that is another one in the row of more: those after it are one further */
};

struct tessellation {
    struct tessellate_mode mode;
    bool least;      /* all levels are 1: no rings */
    unsigned sides;  /* of a ring; 0: isolines */
    unsigned rings;  /* with the outer one */
    unsigned middle; /* points of the row or point in the innermost ring */
    struct tessellate_row outer[4], inner[2];
    unsigned points, strips;
};

struct tessellate_primitive {
    uint8_t corners;
    uint16_t point[3];
};

/* False: the patch is discarded, by an outer level that is 0, negative or NaN. */
bool tessellate_begin(struct tessellation *tessellation, const struct tessellate_mode *mode,
                      const struct tessellate_levels *levels);
/* u and v of a point. */
void tessellate_point(const struct tessellation *tessellation, unsigned number, uint32_t place[2]);
/* The primitives of a strip; returns how many there are. */
unsigned tessellate_strip(const struct tessellation *tessellation, unsigned number,
                          struct tessellate_primitive out[TESSELLATE_STRIP]);

#endif
