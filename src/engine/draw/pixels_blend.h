/* SPDX-License-Identifier: MIT */
/* Blend equations and logic operations on rows of values: no state, no memory. */
#ifndef PFIFO_SRC_ENGINE_DRAW_PIXELS_BLEND_H
#define PFIFO_SRC_ENGINE_DRAW_PIXELS_BLEND_H

#include <assert.h>
#include <string.h>

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

/* ---- blend_component() to be built for a processor: each step is a loop over the lanes ---- */

#define BLEND_INLINE static inline __attribute__((always_inline))

BLEND_INLINE void row_fill(float *row, float value) {
    for (unsigned i = 0; i < DRAW_LANES; i++)
        row[i] = value;
}

BLEND_INLINE void row_complement(float *row, const float *from) {
    for (unsigned i = 0; i < DRAW_LANES; i++)
        row[i] = 1 - from[i];
}

BLEND_INLINE void row_saturate(float *row, const float *source_alpha, const float *target_alpha) {
    for (unsigned i = 0; i < DRAW_LANES; i++) {
        float rest = 1 - target_alpha[i];
        row[i] = source_alpha[i] < rest ? source_alpha[i] : rest;
    }
}

/* Products where 0 times anything may be 0, which infinite values and NaN show. */
BLEND_INLINE void row_multiply(float *row, const float *a, const float *b, bool zero_rule) {
    if (!zero_rule) {
        for (unsigned i = 0; i < DRAW_LANES; i++)
            row[i] = a[i] * b[i];
        return;
    }
    for (unsigned i = 0; i < DRAW_LANES; i++) {
        float product = a[i] * b[i];
        row[i] = a[i] == 0 || b[i] == 0 ? 0 : product;
    }
}

/* Which row a factor takes: pairs of it and its complement. */
BLEND_INLINE const float *factor_source(const struct blend_rows *rows, unsigned factor, unsigned c, bool *complement) {
    *complement = false;
    switch (factor) {
    case DRAW_ONE_MINUS_SRC_COLOR:
    case DRAW_ONE_MINUS_SRC_ALPHA:
    case DRAW_ONE_MINUS_DST_ALPHA:
    case DRAW_ONE_MINUS_DST_COLOR:
    case DRAW_ONE_MINUS_SRC1_COLOR:
    case DRAW_ONE_MINUS_SRC1_ALPHA:
        *complement = true;
        break;
    default:
        break;
    }
    switch (factor) {
    case DRAW_SRC_COLOR:
    case DRAW_ONE_MINUS_SRC_COLOR:
        return rows->source[c];
    case DRAW_SRC_ALPHA:
    case DRAW_ONE_MINUS_SRC_ALPHA:
        return rows->source[3];
    case DRAW_DST_COLOR:
    case DRAW_ONE_MINUS_DST_COLOR:
        return rows->target[c];
    case DRAW_DST_ALPHA:
    case DRAW_ONE_MINUS_DST_ALPHA:
        return rows->target[3];
    case DRAW_SRC1_COLOR:
    case DRAW_ONE_MINUS_SRC1_COLOR:
        return rows->second[c];
    case DRAW_SRC1_ALPHA:
    case DRAW_ONE_MINUS_SRC1_ALPHA:
        return rows->second[3];
    default:
        return NULL;
    }
}

BLEND_INLINE void row_factor(const struct blend_rows *rows, unsigned factor, unsigned c, float *row) {
    bool complement;
    const float *source = factor_source(rows, factor, c, &complement);
    if (source && complement)
        row_complement(row, source);
    else if (source)
        memcpy(row, source, DRAW_LANES * sizeof *row);
    else if (factor == DRAW_CONSTANT_COLOR || factor == DRAW_ONE_MINUS_CONSTANT_COLOR)
        row_fill(row, factor == DRAW_CONSTANT_COLOR ? rows->constant[c] : 1 - rows->constant[c]);
    else if (factor == DRAW_CONSTANT_ALPHA || factor == DRAW_ONE_MINUS_CONSTANT_ALPHA)
        row_fill(row, factor == DRAW_CONSTANT_ALPHA ? rows->constant[3] : 1 - rows->constant[3]);
    else if (factor == DRAW_SRC_ALPHA_SATURATE && c < 3)
        row_saturate(row, rows->source[3], rows->target[3]);
    else
        row_fill(row, factor == DRAW_ZERO ? 0 : 1);
}

/* UNKNOWN: minimum and maximum with NaN; chosen: what is stored. */
BLEND_INLINE void row_extreme(const struct blend_rows *rows, unsigned c, bool min, float *row) {
    const float *s = rows->source[c], *d = rows->target[c];
    for (unsigned i = 0; i < DRAW_LANES; i++)
        row[i] = (min ? s[i] < d[i] : s[i] > d[i]) ? s[i] : d[i];
}

BLEND_INLINE void row_combine(unsigned operation, const float *s, const float *d, float *row) {
    for (unsigned i = 0; i < DRAW_LANES; i++)
        row[i] = operation == DRAW_SUBTRACT           ? s[i] - d[i]
                 : operation == DRAW_REVERSE_SUBTRACT ? d[i] - s[i]
                                                      : s[i] + d[i];
}

BLEND_INLINE void blend_component_row(const struct blend_rows *rows, const struct draw_blend *blend, unsigned c,
                                      bool zero_rule, float *row) {
    assert(c < 4);
    bool alpha = c == 3;
    unsigned operation = alpha ? blend->op_alpha : blend->op_rgb;
    blend_row s, d;
    if (operation == DRAW_MIN || operation == DRAW_MAX) {
        row_extreme(rows, c, operation == DRAW_MIN, row);
        return;
    }
    row_factor(rows, alpha ? blend->src_alpha : blend->src_rgb, c, s);
    row_factor(rows, alpha ? blend->dst_alpha : blend->dst_rgb, c, d);
    row_multiply(s, rows->source[c], s, zero_rule);
    row_multiply(d, rows->target[c], d, zero_rule);
    row_combine(operation, s, d, row);
}

#endif
