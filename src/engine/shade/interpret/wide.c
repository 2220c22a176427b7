/* SPDX-License-Identifier: MIT */
/* Roundings that the host has no operation for: doubles in all modes, halves, 64-bit integers to floats. */
#include <math.h>

#include "engine/shade/interpret/core.h"
#include "engine/shade/interpret/value.h"

#define SIGN (UINT64_C(1) << 63)

__extension__ typedef unsigned __int128 wide;

/* (-1)^negative * mantissa * 2^exponent; what lies below its last bit is or-ed into that. */
struct number {
    bool negative;
    int exponent;
    wide mantissa;
};

struct format {
    unsigned digits; /* of the mantissa, the one before the point included */
    int bias;
    uint64_t infinity;
};
static const struct format binary16 = {11, 15, 0x7c00}, binary64 = {53, 1023, UINT64_C(0x7ff0000000000000)};

static unsigned leading_zeros(wide value) {
    uint64_t high = (uint64_t)(value >> 64), low = (uint64_t)value;
    return high ? (unsigned)__builtin_clzll(high) : 64 + (low ? (unsigned)__builtin_clzll(low) : 64);
}

static wide shifted_right(wide value, unsigned by) {
    if (by == 0)
        return value;
    if (by > 127)
        return value != 0;
    return value >> by | ((value << (128 - by)) != 0);
}

static bool rounds_up(const struct number *number, bool odd, wide rest, unsigned round) {
    wide half = (wide)1 << 127;
    switch (round) {
    case IR_NEAREST:
        return rest > half || (rest == half && odd);
    case IR_DOWN:
        return rest && number->negative;
    case IR_UP:
        return rest && !number->negative;
    default:
        return false;
    }
}

/* The magnitude's bits in the format; the sign is the caller's. */
static uint64_t packed(struct number number, const struct format *format, unsigned round) {
    if (!number.mantissa)
        return 0;
    unsigned zeros = leading_zeros(number.mantissa);
    number.mantissa <<= zeros;
    int biased = number.exponent + 127 - (int)zeros + format->bias;
    if (biased < 1) {
        number.mantissa = shifted_right(number.mantissa, 1 - biased > 200 ? 200 : (unsigned)(1 - biased));
        biased = 1;
    }
    uint64_t kept = (uint64_t)(number.mantissa >> (128 - format->digits));
    wide rest = number.mantissa << format->digits;
    uint64_t bits = ((uint64_t)(biased - 1) << (format->digits - 1)) + kept;
    if (biased > 2 * format->bias)
        bits = format->infinity;
    else
        bits += rounds_up(&number, kept & 1, rest, round);
    if (bits < format->infinity)
        return bits;
    bool stays = round == IR_TO_ZERO || (round == IR_DOWN && !number.negative) || (round == IR_UP && number.negative);
    return format->infinity - stays;
}

static struct number unpacked(double value) {
    uint64_t bits = shade_u64(value), mantissa = bits & ((UINT64_C(1) << 52) - 1);
    int exponent = (int)(bits >> 52 & 0x7ff);
    mantissa |= exponent ? UINT64_C(1) << 52 : 0;
    exponent = exponent ? exponent : 1;
    if (mantissa) { /* subnormals like the others, so that products have their digits in front */
        unsigned zeros = (unsigned)__builtin_clzll(mantissa) - 11;
        mantissa <<= zeros;
        exponent -= (int)zeros;
    }
    return (struct number){bits >> 63, exponent - 1075, mantissa};
}

/* The exact a + b of mantissas below 2^123, sticky. Zero: `sign` says of which sign. */
static struct number added(struct number a, struct number b, bool zero_sign) {
    if (!a.mantissa || (b.mantissa && a.exponent < b.exponent)) {
        struct number other = a;
        a = b;
        b = other;
    }
    if (b.mantissa) {
        /* a has the larger exponent: as far as it goes, it moves down to b's. */
        unsigned apart = (unsigned)(a.exponent - b.exponent), room = leading_zeros(a.mantissa) - 2;
        unsigned left = apart < room ? apart : room;
        a.mantissa <<= left;
        a.exponent -= (int)left;
        b.mantissa = shifted_right(b.mantissa, apart - left);
        if (a.negative == b.negative) {
            a.mantissa += b.mantissa;
        } else if (a.mantissa >= b.mantissa) {
            a.mantissa -= b.mantissa;
        } else {
            a.mantissa = b.mantissa - a.mantissa;
            a.negative = b.negative;
        }
    }
    if (!a.mantissa)
        a.negative = zero_sign;
    return a;
}

uint64_t shade_fma64(double a, double b, double c, unsigned round) {
    double product = a * b, sum = product + c;
    if (isnan(sum) && (isnan(a) || isnan(b) || isnan(c) || isinf(a) || isinf(b)))
        return SHADE_NAN64;
    if (isinf(a) || isinf(b))
        return shade_u64(product);
    if (isinf(c))
        return shade_u64(c);
    struct number x = unpacked(a), y = unpacked(b), z = unpacked(c);
    struct number p = {x.negative != y.negative, x.exponent + y.exponent - 16, x.mantissa * y.mantissa << 16};
    bool both = p.negative && z.negative, either = p.negative || z.negative;
    struct number exact = added(p, z, round == IR_DOWN ? either : both);
    return packed(exact, &binary64, round) | (exact.negative ? SIGN : 0);
}

static uint64_t quiet64(double value) {
    return isnan(value) ? SHADE_NAN64 : shade_u64(value);
}

uint64_t shade_add64(double a, double b, unsigned round) {
    return round == IR_NEAREST ? quiet64(a + b) : shade_fma64(a, 1.0, b, round);
}

uint64_t shade_mul64(double a, double b, unsigned round) {
    if (round == IR_NEAREST)
        return quiet64(a * b);
    bool negative = shade_u64(a) >> 63 != shade_u64(b) >> 63;
    return shade_fma64(a, b, negative ? -0.0 : 0.0, round);
}

uint64_t shade_integer64(uint64_t magnitude, bool negative, unsigned round) {
    return packed((struct number){negative, 0, magnitude}, &binary64, round) | (negative && magnitude ? SIGN : 0);
}

double shade_integer_odd(uint64_t magnitude, bool negative) {
    if (magnitude >> 53) {
        unsigned shift = 11 - (unsigned)__builtin_clzll(magnitude);
        uint64_t rest = magnitude & ((UINT64_C(1) << shift) - 1);
        magnitude = (magnitude >> shift | (rest != 0)) << shift;
    }
    double value = (double)magnitude;
    return negative ? -value : value;
}

double shade_from_half(uint32_t half) {
    uint32_t exponent = half >> 10 & 31, mantissa = half & 0x3ff;
    uint64_t sign = (uint64_t)(half >> 15 & 1) << 63;
    if (exponent == 31)
        return shade_f64(sign | UINT64_C(0x7ff0000000000000) | (uint64_t)mantissa << 42);
    if (exponent)
        return shade_f64(sign | (uint64_t)(exponent + 1008) << 52 | (uint64_t)mantissa << 42);
    double value = mantissa * 0x1p-24;
    return sign ? -value : value;
}

uint32_t shade_to_half(double value, unsigned round) {
    if (isnan(value))
        return SHADE_NAN16;
    uint32_t sign = (uint32_t)(shade_u64(value) >> 48) & 0x8000;
    if (isinf(value))
        return sign | 0x7c00;
    return sign | (uint32_t)packed(unpacked(value), &binary16, round);
}
