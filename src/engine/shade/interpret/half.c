/* SPDX-License-Identifier: MIT */
/*
 * Pairs of halves (GM20B, GP10x). Each half is computed exactly and rounded once, to the nearest: to a half, or to a
 * 32-bit float where `merge` says that the low one goes to d as such.
 * UNKNOWN: whether the hardware rounds to a half before that.
 */
#include <math.h>

#include "engine/shade/interpret/core.h"
#include "engine/shade/interpret/value.h"

enum merge { MERGE_BOTH, MERGE_FLOAT, MERGE_LOW, MERGE_HIGH };

/* Both values of a source. A subnormal is flushed in its own format. */
static void pair(const struct shade_warp *warp, const struct ir *ir, const struct ir_source *source,
                 double out[2][32]) {
    shade_row room;
    struct ir_source raw = *source;
    raw.invert = false;
    const uint32_t *row = shade_bits(warp, &raw, room);
    bool flush = ir->flush || ir->multiply_zero;
    for (unsigned h = 0; h < 2; h++) {
        unsigned shift = source->part == IR_HALF0 ? 0 : source->part == IR_HALF1 ? 16 : 16 * h;
        for (unsigned i = 0; i < SHADE_LANES; i++) {
            uint32_t half = row[i] >> shift & 0xffff;
            half = flush && !(half & 0x7c00) ? half & 0x8000 : half;
            uint32_t whole = flush ? shade_flushed(row[i]) : row[i];
            double value = source->part == IR_FLOAT ? (double)shade_f32(whole) : shade_from_half(half);
            value = source->absolute ? fabs(value) : value;
            out[h][i] = source->negate ? -value : value;
        }
    }
}

static uint32_t rounded(const struct ir *ir, double value) {
    bool flush = ir->flush || ir->multiply_zero;
    if (ir->saturate)
        value = value > 0.0 ? value < 1.0 ? value : 1.0 : 0.0;
    if (ir->merge == MERGE_FLOAT) {
        uint32_t bits = shade_quiet(shade_u32((float)value));
        return flush ? shade_flushed(bits) : bits;
    }
    uint32_t half = shade_to_half(value, IR_NEAREST);
    return flush && !(half & 0x7c00) ? half & 0x8000 : half;
}

static void merge(struct shade_warp *warp, const struct ir *ir, uint32_t lanes, double values[2][32]) {
    shade_row out = {0};
    const uint32_t *old = warp->registers[ir->d];
    for (unsigned i = 0; i < SHADE_LANES; i++) {
        if (!(lanes & shade_bit[i]))
            continue;
        uint32_t low = rounded(ir, values[0][i]);
        uint32_t high = ir->merge == MERGE_FLOAT || ir->merge == MERGE_LOW ? 0 : rounded(ir, values[1][i]);
        switch (ir->merge) {
        case MERGE_FLOAT:
            out[i] = low;
            break;
        case MERGE_LOW:
            out[i] = (old[i] & 0xffff0000) | low;
            break;
        case MERGE_HIGH:
            out[i] = (old[i] & 0xffff) | high << 16;
            break;
        default:
            out[i] = low | high << 16;
            break;
        }
    }
    shade_write(warp, ir->d, lanes, out);
}

bool shade_hadd2(struct shade_warp *warp, const struct ir *ir, uint32_t lanes) {
    double a[2][SHADE_LANES], b[2][SHADE_LANES];
    pair(warp, ir, &ir->a, a);
    pair(warp, ir, &ir->b, b);
    for (unsigned h = 0; h < 2; h++)
        for (unsigned i = 0; i < SHADE_LANES; i++)
            a[h][i] = shade_sum_odd(a[h][i], b[h][i]);
    merge(warp, ir, lanes, a);
    return true;
}

static void products(const struct ir *ir, double a[2][32], double b[2][32]) {
    for (unsigned h = 0; h < 2; h++)
        for (unsigned i = 0; i < SHADE_LANES; i++)
            a[h][i] = ir->multiply_zero && (a[h][i] == 0.0 || b[h][i] == 0.0) ? 0.0 : a[h][i] * b[h][i];
}

bool shade_hmul2(struct shade_warp *warp, const struct ir *ir, uint32_t lanes) {
    double a[2][SHADE_LANES], b[2][SHADE_LANES];
    pair(warp, ir, &ir->a, a);
    pair(warp, ir, &ir->b, b);
    products(ir, a, b);
    merge(warp, ir, lanes, a);
    return true;
}

bool shade_hfma2(struct shade_warp *warp, const struct ir *ir, uint32_t lanes) {
    double a[2][SHADE_LANES], b[2][SHADE_LANES], c[2][SHADE_LANES];
    pair(warp, ir, &ir->a, a);
    pair(warp, ir, &ir->b, b);
    pair(warp, ir, &ir->c, c);
    products(ir, a, b);
    for (unsigned h = 0; h < 2; h++)
        for (unsigned i = 0; i < SHADE_LANES; i++)
            a[h][i] = shade_sum_odd(a[h][i], c[h][i]);
    merge(warp, ir, lanes, a);
    return true;
}

/* The comparisons of both halves. */
static void compared(const struct shade_warp *warp, const struct ir *ir, uint32_t m[2]) {
    double a[2][SHADE_LANES], b[2][SHADE_LANES];
    pair(warp, ir, &ir->a, a);
    pair(warp, ir, &ir->b, b);
    for (unsigned h = 0; h < 2; h++) {
        m[h] = 0;
        for (unsigned i = 0; i < SHADE_LANES; i++) {
            double x = a[h][i], y = b[h][i];
            unsigned is = x < y ? IR_LT : x == y ? IR_EQ : x > y ? IR_GT : IR_NAN;
            m[h] |= ir->compare & is ? shade_bit[i] : 0;
        }
    }
}

bool shade_hset2(struct shade_warp *warp, const struct ir *ir, uint32_t lanes) {
    uint32_t m[2], p = shade_p(warp, ir), yes = ir->float_true ? 0x3c00 : 0xffff;
    shade_row low, high;
    compared(warp, ir, m);
    shade_spread(shade_combine(ir->combine, m[0], p), yes, low);
    shade_spread(shade_combine(ir->combine, m[1], p), yes << 16, high);
    for (unsigned i = 0; i < SHADE_LANES; i++)
        low[i] |= high[i];
    shade_write(warp, ir->d, lanes, low);
    return true;
}

bool shade_hsetp2(struct shade_warp *warp, const struct ir *ir, uint32_t lanes) {
    uint32_t m[2], p = shade_p(warp, ir);
    compared(warp, ir, m);
    uint32_t both = m[0] & m[1], second = ir->extended ? ~both : m[1];
    shade_write_predicate(warp, ir->p, lanes, shade_combine(ir->combine, ir->extended ? both : m[0], p));
    shade_write_predicate(warp, ir->q, lanes, shade_combine(ir->combine, second, p));
    return true;
}
