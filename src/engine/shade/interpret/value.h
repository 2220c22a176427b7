/* SPDX-License-Identifier: MIT */
/* Values of lanes: floats by their bits, and roundings by exact means. */
#ifndef PFIFO_SRC_ENGINE_SHADE_VALUE_H
#define PFIFO_SRC_ENGINE_SHADE_VALUE_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "isa/shader/ir.h"

#define SHADE_NAN   0x7fffffffu /* what operations give */
#define SHADE_NAN64 UINT64_C(0x7fffffffffffffff)
#define SHADE_NAN16 0x7fffu

static inline float shade_f32(uint32_t bits) {
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static inline uint32_t shade_u32(float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static inline double shade_f64(uint64_t bits) {
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static inline uint64_t shade_u64(double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

/* A subnormal float becomes a zero of its sign. */
static inline uint32_t shade_flushed(uint32_t bits) {
    return bits & 0x7f800000 ? bits : bits & 0x80000000;
}

/* Any NaN becomes the one that operations give. */
static inline uint32_t shade_quiet(uint32_t bits) {
    return (bits & 0x7fffffff) > 0x7f800000 ? SHADE_NAN : bits;
}

/* To [0, 1]; NaN becomes 0. */
static inline uint32_t shade_saturated(uint32_t bits) {
    float value = shade_f32(bits);
    uint32_t low = value > 0.0F ? bits : 0;
    return value > 1.0F ? 0x3f800000 : low;
}

/*
 * p + c rounded to odd: the last bit says that the sum is not exact. A double of that kind rounds to a float, in any
 * mode, as the exact sum does, because it has more than two bits more (Boldo and Melquiond, "Emulation of FMA and
 * correctly rounded sums: proved algorithms using rounding to odd").
 */
static inline double shade_sum_odd(double p, double c) {
    double sum = p + c;
    double part = sum - p;
    double error = (p - (sum - part)) + (c - part);
    uint64_t bits = shade_u64(sum);
    uint64_t up = (error > 0.0) == (sum > 0.0) ? 1 : UINT64_MAX;
    bool inexact = (error > 0.0) | (error < 0.0);
    return shade_f64((inexact & !(bits & 1)) ? bits + up : bits);
}

/* To a float in one of the four modes. */
static inline uint32_t shade_narrow(double value, unsigned round) {
    float nearest = (float)value;
    uint32_t bits = shade_u32(nearest);
    if (round == IR_NEAREST)
        return bits;
    bool above = (double)nearest > value, below = (double)nearest < value, negative = bits >> 31;
    if (round == IR_DOWN)
        return above ? negative ? bits + 1 : bits - 1 : bits;
    if (round == IR_UP)
        return below ? negative ? bits - 1 : bits + 1 : bits;
    return (negative ? below : above) ? bits - 1 : bits;
}

/* Of a half, exactly. */
double shade_from_half(uint32_t half);
/* To a half in one of the four modes. NaN: SHADE_NAN16. */
uint32_t shade_to_half(double value, unsigned round);

/* Operations on doubles in one of the four modes; bits, NaN is SHADE_NAN64. */
uint64_t shade_add64(double a, double b, unsigned round);
uint64_t shade_mul64(double a, double b, unsigned round);
uint64_t shade_fma64(double a, double b, double c, unsigned round);
/* magnitude * (negative ? -1 : 1) as a double in one of the four modes, and rounded to odd. */
uint64_t shade_integer64(uint64_t magnitude, bool negative, unsigned round);
double shade_integer_odd(uint64_t magnitude, bool negative);

/* To an integral value, of the same sign. */
static inline double shade_integral(double value, unsigned round) {
    double size = __builtin_fabs(value), nearest = (size + 0x1p52) - 0x1p52; /* no place is left for a fraction */
    double up = nearest < size ? nearest + 1.0 : nearest, down = nearest > size ? nearest - 1.0 : nearest;
    bool away = round == IR_UP ? value > 0.0 : round == IR_DOWN && value < 0.0;
    double chosen = round == IR_NEAREST ? nearest : away ? up : down;
    return size < 0x1p52 ? __builtin_copysign(chosen, value) : value;
}

#endif
