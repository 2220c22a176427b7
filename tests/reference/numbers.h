/* SPDX-License-Identifier: MIT */
/*
 * What operations of shader processors do with numbers, whatever their encodings are: for the plain executors of GF100
 * and GK110. Written bit by bit where that is the plainest way.
 */
#ifndef PFIFO_TESTS_REFERENCE_NUMBERS_H
#define PFIFO_TESTS_REFERENCE_NUMBERS_H

#include <math.h>

#include "reference/gm107_bits.h"

/* ---- integers ---- */

/* Which of two summands are negated, by two bits; both: one more, and neither is. */
struct signs {
    bool a, b, one;
};

static inline struct signs signs_of(bool a, bool b) {
    return (struct signs){a && !b, b && !a, a && b};
}

struct sum {
    uint32_t value;
    bool carry, overflow;
};

/* In 33 bits for the carry, and without limit for the overflow. A difference is a sum with the complement, and 1. */
static inline struct sum sum_of(uint32_t a, uint32_t b, struct signs signs, const bool *carry, bool saturate) {
    uint32_t x = signs.a ? ~a : a, y = signs.b ? ~b : b;
    unsigned ones = signs.one + (carry ? *carry : signs.a || signs.b);
    uint64_t wide = (uint64_t)x + y + ones;
    int64_t exact = (int64_t)(int32_t)x + (int32_t)y + (int64_t)ones;
    uint32_t value = (uint32_t)wide;
    if (saturate && exact != (int32_t)exact)
        value = exact < 0 ? 0x80000000 : 0x7fffffff;
    return (struct sum){value, wide >> 32 & 1, exact != (int32_t)exact};
}

static inline void put_flags(struct gm107_thread *t, struct sum sum) {
    t->zero = !sum.value;
    t->sign = sum.value >> 31;
    t->carry = sum.carry;
    t->overflow = sum.overflow;
}

static inline bool integer_relation(int64_t a, int64_t b, unsigned how) {
    return (how & (a < b ? 1u : a == b ? 2u : 4u)) != 0;
}

/* Of the high words of 64 bits, after the flags of the difference of the low ones: a - b - !C against 0. */
static inline bool high_relation(const struct gm107_thread *t, int64_t a, int64_t b, unsigned how) {
    int64_t difference = a - b - !t->carry;
    bool less = difference < 0, equal = difference == 0 && t->zero;
    return (how & 1 && less) || (how & 2 && equal) || (how & 4 && !less && !equal);
}

static inline uint32_t reversed_bits(uint32_t value) {
    uint32_t out = 0;
    for (unsigned i = 0; i < 32; i++)
        out |= (value >> i & 1) << (31 - i);
    return out;
}

/* Bits that lie beyond the word are its sign. */
static inline uint32_t extracted_bits(uint32_t value, uint32_t how, bool is_signed) {
    unsigned from = how & 0xff, length = how >> 8 & 0xff;
    uint32_t out = 0, last = 0;
    for (unsigned i = 0; i < 32 && length; i++) {
        if (i < length)
            last = from + i < 32 ? value >> (from + i) & 1 : is_signed && value >> 31;
        else if (!is_signed)
            last = 0;
        out |= last << i;
    }
    return out;
}

static inline uint32_t inserted_bits(uint32_t value, uint32_t how, uint32_t into) {
    unsigned to = how & 0xff, length = how >> 8 & 0xff;
    for (unsigned i = 0; i < length && i < 32 && to + i < 32; i++)
        into = (into & ~(1u << (to + i))) | (value >> i & 1) << (to + i);
    return into;
}

static inline uint32_t logic_of(unsigned how, uint32_t a, uint32_t b) {
    return how == 0 ? a & b : how == 1 ? a | b : how == 2 ? a ^ b : b;
}

/* A word of a product, from parts of 16 bits and the signs. */
static inline uint32_t product_of(uint32_t a, uint32_t b, bool signed_a, bool signed_b, bool high) {
    uint64_t low = (uint64_t)a * (b & 0xffff) + ((uint64_t)a * (b >> 16) << 16);
    uint32_t top = (uint32_t)(low >> 32);
    top -= signed_a && a >> 31 ? b : 0;
    top -= signed_b && b >> 31 ? a : 0;
    return high ? top : (uint32_t)low;
}

static inline uint32_t shifted_left(uint32_t a, uint32_t by, bool wrap) {
    return wrap ? a << (by & 31) : by < 32 ? a << by : 0;
}

static inline uint32_t shifted_down(uint32_t a, uint32_t by, bool is_signed, bool wrap) {
    by = wrap ? by & 31 : by;
    if (by > 31)
        return is_signed && a >> 31 ? UINT32_MAX : 0;
    return (uint32_t)(extended(a, is_signed) >> by);
}

/* The words c and a after one another, shifted; `type`: 0 32 bits, 2 and 3 64 bits, the last signed. */
static inline uint64_t funnel(uint32_t a, uint32_t by, uint32_t c, unsigned type, bool wrap, bool left) {
    uint64_t x = (uint64_t)c << 32 | a;
    unsigned most = type ? 64 : 32;
    by = wrap ? by & (most - 1) : by < most ? by : most;
    if (by >= 64) /* of negative numbers too (Mesa's NAK) */
        return 0;
    return left ? x << by : type == 3 ? (uint64_t)((int64_t)x >> by) : x >> by;
}

static inline uint32_t highest_bit(uint32_t value, bool is_signed, bool as_amount) {
    uint32_t at = UINT32_MAX;
    value = is_signed && value >> 31 ? ~value : value;
    for (unsigned i = 0; i < 32; i++)
        at = value >> i & 1 ? i : at;
    return as_amount && at != UINT32_MAX ? 31 - at : at;
}

static inline uint32_t bits_set(uint32_t value) {
    uint32_t count = 0;
    for (; value; value &= value - 1)
        count++;
    return count;
}

static inline uint32_t permuted_bytes(uint32_t a, uint32_t how, uint32_t c, unsigned mode) {
    uint32_t out = 0;
    unsigned n = how & 3;
    for (unsigned i = 0; i < 4; i++) {
        unsigned nibble = how >> 4 * i & 15;
        const unsigned from[] = {nibble & 7,    n + i,         (8 + n - i) & 7,      n,
                                 i < n ? n : i, i < n ? i : n, 2 * (n & 1) + (i & 1)};
        unsigned byte = (from[mode] < 4 ? a >> 8 * from[mode] : c >> 8 * (from[mode] - 4)) & 0xff;
        if (mode == 0 && nibble & 8)
            byte = byte & 0x80 ? 0xff : 0;
        out |= byte << 8 * i;
    }
    return out;
}

static inline uint32_t predicate_bits(const struct gm107_thread *t) {
    uint32_t all = 0;
    for (unsigned i = 0; i < 7; i++)
        all |= (uint32_t)t->p[i] << i;
    return all;
}

/* A byte, a half or all of a word (sizes 0, 1, 2) as a number of unlimited size; then abs and neg. */
static inline int64_t number_of(uint32_t word, unsigned size, unsigned byte, bool is_signed, bool absolute,
                                bool negate) {
    unsigned bits = 8u << size, at = size == 0 ? 8 * byte : size == 1 ? 8 * byte & 16 : 0;
    int64_t limit = INT64_C(1) << bits, value = (int64_t)word >> at & (limit - 1);
    if (is_signed && value >= limit / 2)
        value -= limit;
    value = absolute && value < 0 ? -value : value;
    return negate ? -value : value;
}

static inline int64_t clamped(int64_t value, bool is_signed) {
    int64_t least = is_signed ? INT32_MIN : 0, most = is_signed ? INT32_MAX : UINT32_MAX;
    return value < least ? least : value > most ? most : value;
}

/* ---- floats ---- */

static inline bool float_relation(double x, double y, unsigned how) {
    unsigned is = x < y ? 1 : x == y ? 2 : x > y ? 4 : 8;
    return (how & is) != 0;
}

/* A NaN loses; of two zeros the negative one is less. */
static inline float least_of(float x, float y, bool is_min) {
    if (x != x || y != y)
        return x == x ? x : y;
    bool x_is_less = x < y || (x == y && signbit(x) && !signbit(y));
    return x_is_less == is_min ? x : y;
}

static inline double least_double(double x, double y, bool is_min) {
    if (x != x || y != y)
        return x == x ? x : y;
    bool x_is_less = x < y || (x == y && signbit(x) && !signbit(y));
    return x_is_less == is_min ? x : y;
}

/* All of a word, its low 24 bits, or its low or high half (parts 0, 1, 2, 3), with their sign. */
static inline uint32_t part_number(uint32_t value, unsigned part, bool is_signed) {
    if (part == 1)
        return is_signed && value >> 23 & 1 ? value | 0xff000000 : value & 0xffffff;
    if (part == 0)
        return value;
    uint32_t half = part == 3 ? value >> 16 : value & 0xffff;
    return is_signed && half >> 15 ? half | 0xffff0000 : half;
}

/* A double and what it lacks, as a float: `how` is 1 down, 2 up, 3 to zero. */
static inline float rounded(double value, double lacks, unsigned how) {
    float near = (float)value;
    if (!isfinite(value))
        return near;
    double over = (double)near - value; /* exact; what is lacking is less than its last bit */
    bool above = over > 0 || (over == 0 && lacks < 0), below = over < 0 || (over == 0 && lacks > 0);
    bool down = how == 1 || (how == 3 && value > 0), up = how == 2 || (how == 3 && value < 0);
    if (above && down)
        return nextafterf(near, -INFINITY);
    return below && up ? nextafterf(near, INFINITY) : near;
}

/* p + z, of which z is a float, and p the product of two. A sum of nothing is negative if it is rounded down. */
static inline float rounded_sum(double p, double z, unsigned how) {
    double sum = p + z, part = sum - p, lacks = (p - (sum - part)) + (z - part);
    if (p == -z && p != 0 && isfinite(p))
        return how == 1 ? -0.0f : 0.0f;
    if (p == 0 && z == 0)
        return signbit(p) == signbit(z) ? (float)z : how == 1 ? -0.0f : 0.0f;
    return rounded(sum, isfinite(lacks) ? lacks : 0, how);
}

/* a * b + c; `flush` is 2 for FMZ: 0 times anything is 0. */
static inline float fused(float x, float y, float z, unsigned flush) {
    return flush == 2 && (x == 0 || y == 0) ? 0.0f + z : fmaf(x, y, z);
}

static inline float fused_by(float x, float y, float z, unsigned flush, unsigned how) {
    double product = flush == 2 && (x == 0 || y == 0) ? 0 : (double)x * y;
    return how ? rounded_sum(product, z, how) : fused(x, y, z, flush);
}

static inline float scaled_product(float x, float y, unsigned scale, unsigned flush) {
    static const double scales[] = {1, 0.5, 0.25, 0.125, 8, 4, 2};
    return flush == 2 && (x == 0 || y == 0) ? 0 : (float)((double)x * y * scales[scale]);
}

static inline float scaled_product_by(float x, float y, unsigned scale, unsigned flush, unsigned how) {
    static const double scales[] = {1, 0.5, 0.25, 0.125, 8, 4, 2};
    double product = flush == 2 && (x == 0 || y == 0) ? 0 : (double)x * y * scales[scale];
    return how ? rounded(product, 0, how) : scaled_product(x, y, scale, flush);
}

static inline double integral(double value, unsigned how) {
    return how == 0 ? nearbyint(value) : how == 1 ? floor(value) : how == 2 ? ceil(value) : trunc(value);
}

/* To 32 bits; NaN becomes 0. */
static inline uint32_t integer_of(double value, unsigned how, bool is_signed) {
    double least = is_signed ? -0x1p31 : 0, most = is_signed ? 0x1p31 - 1 : 0x1p32 - 1;
    value = integral(value, how);
    value = value != value ? 0 : value < least ? least : value > most ? most : value;
    return (uint32_t)(int64_t)value;
}

/* ---- doubles ---- */

static inline double double_of(uint64_t bits, bool absolute, bool negate) {
    double value;
    memcpy(&value, &bits, 8);
    value = absolute ? fabs(value) : value;
    return negate ? -value : value;
}

static inline uint64_t bits_of_double(double value) {
    uint64_t bits;
    memcpy(&bits, &value, 8);
    return value != value ? INT64_MAX : bits;
}

#endif
