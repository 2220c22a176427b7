/* SPDX-License-Identifier: MIT */
/* Blend equations and logic operations on rows of values: no state, no memory. */
#ifndef PFIFO_SRC_ENGINE_DRAW_PIXELS_BLEND_H
#define PFIFO_SRC_ENGINE_DRAW_PIXELS_BLEND_H

#include "engine/draw/draw.h"

typedef float blend_row[DRAW_LANES] __attribute__((aligned(64)));

struct blend_rows {
    blend_row source[4], second[4], target[4]; /* R G B A; second: of output 1 */
    float constant[4];
};

/* Component c of the result. zero_rule: 0 times anything is 0. */
void blend_component(const struct blend_rows *rows, const struct draw_blend *blend, unsigned c, bool zero_rule,
                     float *row);
/* To low .. 1. */
void blend_clamp(float *row, float low);
uint64_t blend_logic(unsigned operation, uint64_t source, uint64_t target);

#endif
