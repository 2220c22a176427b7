/* SPDX-License-Identifier: MIT */
/* A target, a depth buffer and a state to draw with, and a fragment program that tests give. */
#ifndef PFIFO_TESTS_DRAW_CANVAS_H
#define PFIFO_TESTS_DRAW_CANVAS_H

#include "engine/draw/draw.h"
#include "memory/rig.h"

#define CANVAS_BASE   0x400000u
#define CANVAS_STRIDE 0x200000u /* from a target to the next; depth is after the last one */

struct canvas {
    struct rig rig;
    struct draw_state state;
    struct draw_raster *raster;
    unsigned width, height;
    /* The program: NULL draws `color` for all outputs. */
    bool (*program)(struct canvas *canvas, struct draw_fragments *fragments);
    float color[4];
    _Atomic unsigned calls; /* of the program */
};

/* One target, BGRA8, of pixels; no depth; everything is written. */
void canvas_start(struct canvas *canvas, unsigned width, unsigned height);
void canvas_stop(struct canvas *canvas);

/* Changes a target's format (or the depth buffer's, CANVAS_ZETA) and clears it to zeros. Samples and sizes are as the
 * state has them. */
#define CANVAS_ZETA DRAW_TARGETS
void canvas_target(struct canvas *canvas, unsigned number, uint32_t format, unsigned layers);

struct draw_vertex canvas_vertex(float x, float y, float z);
/* Draws with the state as it is, in one go or in slices (a budget above 0). */
void canvas_draw(struct canvas *canvas, const struct draw_primitive *primitives, unsigned count, uint64_t budget);
void canvas_triangle(struct canvas *canvas, const float xyz[9]);

/* The element of a sample, its bytes as a number. */
uint64_t canvas_element(struct canvas *canvas, unsigned number, unsigned x, unsigned y, unsigned layer);
void canvas_set_element(struct canvas *canvas, unsigned number, unsigned x, unsigned y, uint64_t value);
/* How many pixels of target 0 are not 0. */
unsigned canvas_count(struct canvas *canvas);
/* Lines of characters, '#' for what is not 0: compared with what is expected. */
void canvas_expect(struct canvas *canvas, const char *const *lines, unsigned count);

#endif
