/* SPDX-License-Identifier: MIT */
/*
 * MUFU: functions that the hardware approximates by tables (error of RCP and RSQ about 1 ulp, EX2 2 ulp, LG2 2^-22,
 * SIN and COS 2^-20.9: NVIDIA's CUDA C Programming Guide, appendix of mathematical functions). Here they are computed
 * in doubles with operations of IEEE 754 alone, to within half an ulp and a little more.
 *
 * RRO, which reduces the argument of SIN, COS and EX2 to a format of the hardware's own, is a move.
 * UNKNOWN: the last bits; subnormals, which are flushed in sources and results; SIN and COS of more than 2^48, for
 * which the angle is taken as 0.
 */
#include <math.h>

#include "engine/shade/interpret/core.h"
#include "engine/shade/interpret/value.h"

#define INTEGRAL 6755399441055744.0 /* 1.5 * 2^52: added, it leaves the nearest integer in the low bits */

/* 2^x. Taylor: of |f| <= 1/2 the terms to 11 leave 2^-42. */
static double exp2_of(double x) {
    x = x < -200.0 ? -200.0 : x > 200.0 ? 200.0 : x;
    double n = (x + INTEGRAL) - INTEGRAL;
    double f = (x - n) * 0x1.62e42fefa39efp-1;
    double r = 1.0 / 39916800.0;
    r = r * f + 1.0 / 3628800.0;
    r = r * f + 1.0 / 362880.0;
    r = r * f + 1.0 / 40320.0;
    r = r * f + 1.0 / 5040.0;
    r = r * f + 1.0 / 720.0;
    r = r * f + 1.0 / 120.0;
    r = r * f + 1.0 / 24.0;
    r = r * f + 1.0 / 6.0;
    r = r * f + 0.5;
    r = r * f + 1.0;
    r = r * f + 1.0;
    uint64_t scale = (shade_u64(n + INTEGRAL) + 1023) << 52;
    return r * shade_f64(scale);
}

/* log2 of a positive normal number: with m in [sqrt(1/2), sqrt(2)), 2 atanh((m - 1) / (m + 1)). */
static double log2_of(double x) {
    uint64_t bits = shade_u64(x);
    uint64_t exponent = (bits - UINT64_C(0x3fe6a09e667f3bcd)) >> 52; /* modulo 2^12, relative to sqrt(1/2) */
    double e = (double)(int32_t)((uint32_t)exponent ^ 0x800) - 2048.0;
    double m = shade_f64(bits - (exponent << 52));
    double s = (m - 1.0) / (m + 1.0), q = s * s;
    double r = 1.0 / 19.0;
    r = r * q + 1.0 / 17.0;
    r = r * q + 1.0 / 15.0;
    r = r * q + 1.0 / 13.0;
    r = r * q + 1.0 / 11.0;
    r = r * q + 1.0 / 9.0;
    r = r * q + 1.0 / 7.0;
    r = r * q + 1.0 / 5.0;
    r = r * q + 1.0 / 3.0;
    r = r * q + 1.0;
    return e + r * s * (2.0 * 0x1.71547652b82fep0);
}

/* sin(x + quarter * pi / 2) */
static double sine_of(double x, uint64_t quarter) {
    x = x > 0x1p48 || x < -0x1p48 ? 0.0 : x;
    double n = (x * 0x1.45f306dc9c883p-1 + INTEGRAL) - INTEGRAL;
    double r = ((x - n * 0x1.921fb544p0) - n * 0x1.0b4611a6p-34) - n * 0x1.3198a2e037073p-69;
    uint64_t quadrant = shade_u64(n + INTEGRAL) + quarter;
    double q = r * r;
    double s = -1.0 / 39916800.0 + q * (1.0 / 6227020800.0 - q * (1.0 / 1307674368000.0));
    s = s * q + 1.0 / 362880.0;
    s = s * q - 1.0 / 5040.0;
    s = s * q + 1.0 / 120.0;
    s = s * q - 1.0 / 6.0;
    s = s * q * r + r;
    double c = 1.0 / 479001600.0 - q * (1.0 / 87178291200.0);
    c = c * q - 1.0 / 3628800.0;
    c = c * q + 1.0 / 40320.0;
    c = c * q - 1.0 / 720.0;
    c = c * q + 1.0 / 24.0;
    c = c * q - 0.5;
    c = c * q + 1.0;
    double value = quadrant & 1 ? c : s;
    return quadrant & 2 ? -value : value;
}

static void sines(const uint32_t *a, uint64_t quarter, uint32_t *out) {
    for (unsigned i = 0; i < SHADE_LANES; i++) {
        double value = sine_of(shade_f32(a[i]), quarter);
        out[i] = (a[i] & 0x7f800000) == 0x7f800000 ? SHADE_NAN : shade_u32((float)value);
    }
}

static void powers(const uint32_t *a, uint32_t *out) {
    for (unsigned i = 0; i < SHADE_LANES; i++) {
        bool nan = (a[i] & 0x7fffffff) > 0x7f800000;
        double value = exp2_of(nan ? 0.0 : (double)shade_f32(a[i]));
        out[i] = nan ? SHADE_NAN : shade_u32((float)value);
    }
}

static void logarithms(const uint32_t *a, uint32_t *out) {
    for (unsigned i = 0; i < SHADE_LANES; i++) {
        bool zero = !(a[i] << 1), bad = a[i] > 0x7f800000, infinite = a[i] == 0x7f800000;
        uint32_t value = shade_u32((float)log2_of(zero || bad ? 1.0 : (double)shade_f32(a[i])));
        out[i] = zero ? 0xff800000 : bad ? SHADE_NAN : infinite ? 0x7f800000 : value;
    }
}

static void roots(const uint32_t *a, bool reciprocal, uint32_t *out) {
    for (unsigned i = 0; i < SHADE_LANES; i++) {
        bool zero = !(a[i] << 1), bad = !zero && a[i] > 0x7f800000;
        double root = sqrt(zero || bad ? 1.0 : (double)shade_f32(a[i]));
        uint32_t value = shade_u32((float)(reciprocal ? 1.0 / root : root));
        uint32_t of_zero = reciprocal ? a[i] | 0x7f800000 : a[i];
        out[i] = zero ? of_zero : bad ? SHADE_NAN : value;
    }
}

static void reciprocals(const uint32_t *a, uint32_t *out) {
    for (unsigned i = 0; i < SHADE_LANES; i++) {
        bool zero = !(a[i] << 1);
        float value = (float)(1.0 / (zero ? 1.0 : (double)shade_f32(a[i])));
        out[i] = zero ? a[i] | 0x7f800000 : shade_u32(value);
    }
}

/*
 * The high words of doubles, as start values: the low word of the source is taken as 0, and the result is cut off.
 * UNKNOWN: its bits after the twentieth; subnormals, taken as zeros.
 */
static void high_words(const uint32_t *a, bool root, uint32_t *out) {
    for (unsigned i = 0; i < SHADE_LANES; i++) {
        uint32_t bits = a[i] & 0x7ff00000 ? a[i] : a[i] & 0x80000000;
        bool zero = !(bits << 1), nan = (bits & 0x7fffffff) > 0x7ff00000 || (root && !zero && bits >> 31);
        double value = zero || nan ? 1.0 : shade_f64((uint64_t)bits << 32);
        uint32_t high = (uint32_t)(shade_u64(1.0 / (root ? sqrt(value) : value)) >> 32);
        high = high & 0x7ff00000 ? high : high & 0x80000000;
        out[i] = zero ? bits | 0x7ff00000 : nan ? SHADE_NAN : high;
    }
}

bool shade_mufu(struct shade_warp *warp, const struct ir *ir, uint32_t lanes) {
    shade_row room, flushed, out;
    const uint32_t *a = shade_float(warp, &ir->a, room);
    bool high = ir->mode == IR_RCP64H || ir->mode == IR_RSQ64H;
    for (unsigned i = 0; i < SHADE_LANES; i++)
        flushed[i] = shade_flushed(a[i]);
    switch (ir->mode) {
    case IR_COS:
        sines(flushed, 1, out);
        break;
    case IR_SIN:
        sines(flushed, 0, out);
        break;
    case IR_EX2:
        powers(flushed, out);
        break;
    case IR_LG2:
        logarithms(flushed, out);
        break;
    case IR_RCP:
        reciprocals(flushed, out);
        break;
    case IR_RSQ:
        roots(flushed, true, out);
        break;
    case IR_RCP64H:
        high_words(a, false, out);
        break;
    case IR_RSQ64H:
        high_words(a, true, out);
        break;
    case IR_SQRT:
        roots(flushed, false, out);
        break;
    default:
        return shade_not_executed(warp, ir, lanes);
    }
    if (!high)
        for (unsigned i = 0; i < SHADE_LANES; i++)
            out[i] = shade_flushed(shade_quiet(out[i]));
    if (ir->saturate)
        for (unsigned i = 0; i < SHADE_LANES; i++)
            out[i] = shade_saturated(out[i]);
    shade_write(warp, ir->d, lanes, out);
    return true;
}

bool shade_rro(struct shade_warp *warp, const struct ir *ir, uint32_t lanes) {
    shade_row room;
    shade_write(warp, ir->d, lanes, shade_float(warp, &ir->a, room));
    return true;
}
