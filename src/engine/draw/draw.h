/* SPDX-License-Identifier: MIT */
/*
 * Drawing: from vertices that a program has made to pixels in memory, in three steps that know each other only here.
 *
 *   front    fetches vertices, runs the vertex program, assembles primitives, clips, applies the viewport. It knows the
 *            3D class by its state (state_gf100.c) and makes struct draw_primitive
 *   raster   finds what a primitive covers, in tiles of the target, and hands quads of pixels to the fragment program
 *   pixels   depth, stencil, blend, masks and formats: what a fragment does to memory
 *
 * All of them work from a state that is decoded once for each change (struct draw_state); no function asks a register.
 */
#ifndef PFIFO_SRC_ENGINE_DRAW_DRAW_H
#define PFIFO_SRC_ENGINE_DRAW_DRAW_H

#include <stdbool.h>
#include <stdint.h>

#define DRAW_TARGETS    8u
#define DRAW_VIEWPORTS  16u
#define DRAW_ATTRIBUTES 256u /* words of a vertex: the attribute space, see engine/shade/shade.h */
#define DRAW_SUBPIXELS  8u   /* bits behind the point of a window coordinate on the raster's grid */

/* ---- state ---- */

/* Comparisons: bit 0 less, bit 1 equal, bit 2 greater. 0 never, 7 always. */
enum draw_compare {
    DRAW_NEVER,
    DRAW_LESS,
    DRAW_EQUAL,
    DRAW_LEQUAL,
    DRAW_GREATER,
    DRAW_NOTEQUAL,
    DRAW_GEQUAL,
    DRAW_ALWAYS
};

enum draw_stencil_op {
    DRAW_KEEP,
    DRAW_STENCIL_ZERO,
    DRAW_REPLACE,
    DRAW_INCR_SAT,
    DRAW_DECR_SAT,
    DRAW_INVERT,
    DRAW_INCR,
    DRAW_DECR
};

enum draw_blend_op { DRAW_ADD, DRAW_SUBTRACT, DRAW_REVERSE_SUBTRACT, DRAW_MIN, DRAW_MAX };

enum draw_factor {
    DRAW_ZERO,
    DRAW_ONE,
    DRAW_SRC_COLOR,
    DRAW_ONE_MINUS_SRC_COLOR,
    DRAW_SRC_ALPHA,
    DRAW_ONE_MINUS_SRC_ALPHA,
    DRAW_DST_ALPHA,
    DRAW_ONE_MINUS_DST_ALPHA,
    DRAW_DST_COLOR,
    DRAW_ONE_MINUS_DST_COLOR,
    DRAW_SRC_ALPHA_SATURATE,
    DRAW_CONSTANT_COLOR,
    DRAW_ONE_MINUS_CONSTANT_COLOR,
    DRAW_CONSTANT_ALPHA,
    DRAW_ONE_MINUS_CONSTANT_ALPHA,
    DRAW_SRC1_COLOR,
    DRAW_ONE_MINUS_SRC1_COLOR,
    DRAW_SRC1_ALPHA,
    DRAW_ONE_MINUS_SRC1_ALPHA,
};

struct draw_blend {
    bool enabled;
    uint8_t op_rgb, op_alpha;                       /* enum draw_blend_op */
    uint8_t src_rgb, dst_rgb, src_alpha, dst_alpha; /* enum draw_factor */
};

struct draw_stencil_face {
    uint8_t compare, fail, depth_fail, pass; /* enum draw_compare, draw_stencil_op */
    uint8_t reference, mask, write_mask;
};

/* A rectangle of pixels: x0 <= x < x1. */
struct draw_box {
    int32_t x0, y0, x1, y1;
};

struct draw_viewport {
    float scale[3], translate[3];
    float near, far;
    struct draw_box scissor; /* with the viewport's own clip and the screen's: where pixels may be */
};

/* Sample positions in 1/16 of a pixel from its upper left corner. */
struct draw_samples {
    uint8_t count; /* 1, 2, 4, 8 */
    uint8_t x[8], y[8];
};

#endif
