/* SPDX-License-Identifier: MIT */
/* 64-bit floats: IEEE 754 in four roundings, subnormals kept. */
#include <math.h>

#include "engine/shade/interpret/core.h"
#include "engine/shade/interpret/value.h"

static void finish(struct shade_warp *warp, const struct ir *ir, uint32_t lanes, const uint64_t *out) {
    if (ir->write_flags) {
        shade_row high; /* a float of the same sign, and as zero or NaN as the double */
        for (unsigned i = 0; i < SHADE_LANES; i++) {
            uint64_t magnitude = out[i] & INT64_MAX;
            high[i] = (uint32_t)(out[i] >> 63) << 31;
            high[i] |= magnitude > UINT64_C(0x7ff0000000000000) ? SHADE_NAN : magnitude ? 0x3f800000 : 0;
        }
        shade_flags_float(warp, lanes, high);
    }
    shade_write64(warp, ir->d, lanes, out);
}

bool shade_dadd(struct shade_warp *warp, const struct ir *ir, uint32_t lanes) {
    double a[SHADE_LANES], b[SHADE_LANES];
    uint64_t out[SHADE_LANES];
    shade_double(warp, &ir->a, a);
    shade_double(warp, &ir->b, b);
    for (unsigned i = 0; i < SHADE_LANES; i++)
        out[i] = shade_add64(a[i], b[i], ir->round);
    finish(warp, ir, lanes, out);
    return true;
}

bool shade_dmul(struct shade_warp *warp, const struct ir *ir, uint32_t lanes) {
    double a[SHADE_LANES], b[SHADE_LANES];
    uint64_t out[SHADE_LANES];
    shade_double(warp, &ir->a, a);
    shade_double(warp, &ir->b, b);
    for (unsigned i = 0; i < SHADE_LANES; i++)
        out[i] = shade_mul64(a[i], b[i], ir->round);
    finish(warp, ir, lanes, out);
    return true;
}

bool shade_dfma(struct shade_warp *warp, const struct ir *ir, uint32_t lanes) {
    double a[SHADE_LANES], b[SHADE_LANES], c[SHADE_LANES];
    uint64_t out[SHADE_LANES];
    shade_double(warp, &ir->a, a);
    shade_double(warp, &ir->b, b);
    shade_double(warp, &ir->c, c);
    for (unsigned i = 0; i < SHADE_LANES; i++)
        out[i] = lanes & shade_bit[i] ? shade_fma64(a[i], b[i], c[i], ir->round) : 0;
    finish(warp, ir, lanes, out);
    return true;
}

static int64_t order(double value) {
    uint64_t bits = shade_u64(value);
    return (int64_t)(bits ^ (bits >> 63 ? INT64_MAX : 0));
}

bool shade_dmnmx(struct shade_warp *warp, const struct ir *ir, uint32_t lanes) {
    double a[SHADE_LANES], b[SHADE_LANES];
    uint64_t out[SHADE_LANES];
    shade_double(warp, &ir->a, a);
    shade_double(warp, &ir->b, b);
    uint32_t least = shade_p(warp, ir);
    for (unsigned i = 0; i < SHADE_LANES; i++) {
        bool first = (order(a[i]) < order(b[i])) == (bool)(least & shade_bit[i]);
        double value = isnan(a[i]) ? b[i] : isnan(b[i]) || first ? a[i] : b[i];
        out[i] = isnan(value) ? SHADE_NAN64 : shade_u64(value);
    }
    finish(warp, ir, lanes, out);
    return true;
}

static uint32_t compared(const struct shade_warp *warp, const struct ir *ir) {
    double a[SHADE_LANES], b[SHADE_LANES];
    uint32_t m = 0;
    shade_double(warp, &ir->a, a);
    shade_double(warp, &ir->b, b);
    for (unsigned i = 0; i < SHADE_LANES; i++) {
        unsigned is = a[i] < b[i] ? IR_LT : a[i] == b[i] ? IR_EQ : a[i] > b[i] ? IR_GT : IR_NAN;
        m |= ir->compare & is ? shade_bit[i] : 0;
    }
    return m;
}

bool shade_dset(struct shade_warp *warp, const struct ir *ir, uint32_t lanes) {
    shade_set(warp, ir, lanes, compared(warp, ir));
    return true;
}

bool shade_dsetp(struct shade_warp *warp, const struct ir *ir, uint32_t lanes) {
    shade_setp(warp, ir, lanes, compared(warp, ir));
    return true;
}
