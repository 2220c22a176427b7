/* SPDX-License-Identifier: MIT */
/* Conversions, and the integer operations that are rarer. */
#include <math.h>

#include "reference/gm107_bits.h"

/* A byte or half of the source, or all of it: sizes 0, 1 and 2. */
static int64_t part(uint64_t w, uint32_t value, unsigned size, bool is_signed) {
    unsigned bits = 8u << size, at = size == 0 ? 8 * field(w, 41, 2) : size == 1 ? 16 * field(w, 42, 1) : 0;
    uint64_t mask = (UINT64_C(1) << bits) - 1, chosen = (value >> at) & mask;
    return is_signed && chosen >> (bits - 1) ? (int64_t)chosen - (int64_t)(mask + 1) : (int64_t)chosen;
}

/* abs, then neg, as numbers of unlimited size. */
static int64_t with_sign(uint64_t w, int64_t value) {
    value = bit(w, 49) && value < 0 ? -value : value;
    return bit(w, 45) ? -value : value;
}

static double integral(double value, unsigned how) {
    return how == 0 ? nearbyint(value) : how == 1 ? floor(value) : how == 2 ? ceil(value) : trunc(value);
}

static bool from_integer(struct gm107_thread *t, uint64_t w, uint32_t b) {
    unsigned size = field(w, 10, 2);
    if (size > 2 || bit(w, 47))
        return false;
    int64_t value = with_sign(w, part(w, b, size, bit(w, 13)));
    if (is(w, 0x5cb8, 0x38b8, 0xfff8)) {
        if (field(w, 8, 2) != 2 || field(w, 39, 2) || bit(w, 44))
            return false;
        write(t, w, as_bits((float)value));
    } else if (is(w, 0x5ce0, 0x38e0, 0xfff8)) {
        int64_t low = bit(w, 12) ? INT32_MIN : 0, high = bit(w, 12) ? INT32_MAX : UINT32_MAX;
        if (field(w, 8, 2) != 2)
            return false;
        if (bit(w, 50))
            value = value < low ? low : value > high ? high : value;
        write(t, w, (uint32_t)value);
    } else {
        return false;
    }
    return true;
}

/* From floats of 32 bits: to them, rounded or not, and to integers of 32 bits. */
static bool from_float(struct gm107_thread *t, uint64_t w, uint32_t b) {
    bool ftz = bit(w, 44);
    if (field(w, 10, 2) != 2 || field(w, 8, 2) != 2 || bit(w, 47))
        return false;
    float value = as_float(sign(flushed(b, ftz), bit(w, 49), bit(w, 45)));
    if (is(w, 0x5ca8, 0x38a8, 0xfff8)) {
        float rounded = bit(w, 42) ? (float)integral(value, field(w, 39, 2)) : value;
        write(t, w, result(rounded, ftz, bit(w, 50)));
    } else if (is(w, 0x5cb0, 0x38b0, 0xfff8)) {
        double whole = integral(value, field(w, 39, 2)), low = bit(w, 12) ? -0x1p31 : 0;
        double high = bit(w, 12) ? 0x1p31 - 1 : 0x1p32 - 1;
        whole = whole != whole ? 0 : whole < low ? low : whole > high ? high : whole;
        write(t, w, (uint32_t)(int64_t)whole);
    } else {
        return false;
    }
    return true;
}

/* The words c and a after one another, shifted; the result is one of them. */
static bool funnel(struct gm107_thread *t, uint64_t w) {
    bool left = top(w, 0x5bf8, 0xfff8) || top(w, 0x36f8, 0xfef8),
         right = top(w, 0x5cf8, 0xfff8) || top(w, 0x38f8, 0xfef8);
    unsigned type = field(w, 37, 2), most = type ? 64 : 32;
    if ((!left && !right) || bit(w, 49) || bit(w, 47) || type == 1 || (left && bit(w, 48)))
        return false;
    uint32_t by = w >> 60 == 5 ? t->r[field(w, 20, 8)] : field(w, 20, 6);
    by = bit(w, 50) ? by & (most - 1) : by < most ? by : most;
    uint64_t x = (uint64_t)t->r[field(w, 39, 8)] << 32 | t->r[field(w, 8, 8)], out;
    if (by >= 64) /* of negative numbers too (Mesa's NAK) */
        out = 0;
    else if (left)
        out = x << by;
    else
        out = type == 3 ? (uint64_t)((int64_t)x >> by) : x >> by;
    write(t, w, (uint32_t)(left || bit(w, 48) ? out >> 32 : out));
    return true;
}

static uint32_t half_of(uint32_t value, unsigned which) {
    return which == 0 ? value : which == 1 ? value & 0xffff : value >> 16;
}

static bool sums_of_three(struct gm107_thread *t, uint64_t w) {
    uint32_t a = t->r[field(w, 8, 8)], b = second(t, w, false), c = t->r[field(w, 39, 8)];
    unsigned mode = 0;
    if (!is(w, 0x5cc0, 0x38c0, 0xfff0) || bit(w, 48) || bit(w, 47))
        return false;
    if (w >> 60 == 5) {
        if (field(w, 31, 2) == 3 || field(w, 33, 2) == 3 || field(w, 35, 2) == 3 || field(w, 37, 2) == 3)
            return false;
        a = half_of(a, field(w, 35, 2));
        b = half_of(b, field(w, 33, 2));
        c = half_of(c, field(w, 31, 2));
        mode = field(w, 37, 2);
    }
    a = bit(w, 51) ? 0 - a : a;
    b = bit(w, 50) ? 0 - b : b;
    c = bit(w, 49) ? 0 - c : c;
    uint64_t ab = (uint64_t)a + b;
    write(t, w, (uint32_t)((mode == 1 ? ab >> 16 : mode == 2 ? ab << 16 : ab) + c));
    return true;
}

static bool products(struct gm107_thread *t, uint64_t w) {
    if (!is3(w, 0x5a00, 0x5200, 0x3400, 0xff80) || bit(w, 47) || bit(w, 49) || bit(w, 50))
        return false;
    uint32_t a = t->r[field(w, 8, 8)], b = middle(t, w, false), c = third(t, w);
    uint64_t product = (uint64_t)extended(a, bit(w, 48)) * (uint64_t)extended(b, bit(w, 53));
    bool both = bit(w, 51) && bit(w, 52);
    product = bit(w, 51) && !both ? 0 - product : product;
    c = bit(w, 52) && !both ? 0 - c : c;
    write(t, w, (uint32_t)(bit(w, 54) ? product >> 32 : product) + c + both);
    return true;
}

static bool predicates(struct gm107_thread *t, uint64_t w, uint32_t a, uint32_t b) {
    unsigned at = 8 * field(w, 41, 2);
    if (bit(w, 40))
        return false;
    if (is(w, 0x5ce8, 0x38e8, 0xfff8)) {
        uint32_t all = 0;
        for (unsigned i = 0; i < 7; i++)
            all |= (uint32_t)t->p[i] << i;
        write(t, w, (a & ~(b << at)) | (all & b) << at);
    } else if (is(w, 0x5cf0, 0x38f0, 0xfff8)) {
        for (unsigned i = 0; i < 7; i++)
            if (b >> i & 1)
                t->p[i] = at + i < 32 && (a >> (at + i) & 1);
    } else {
        return false;
    }
    return true;
}

static bool leading(struct gm107_thread *t, uint64_t w, uint32_t b) {
    if (!is(w, 0x5c30, 0x3830, 0xfff8) || bit(w, 47))
        return false;
    b = bit(w, 40) ? ~b : b;
    if (bit(w, 48) && b >> 31)
        b = ~b;
    uint32_t at = UINT32_MAX;
    for (unsigned i = 0; i < 32; i++)
        at = b >> i & 1 ? i : at;
    write(t, w, bit(w, 41) && at != UINT32_MAX ? 31 - at : at);
    return true;
}

bool reference_gm107_convert(struct gm107_thread *t, uint64_t w) {
    uint32_t a = t->r[field(w, 8, 8)];
    bool floats = is(w, 0x5ca8, 0x38a8, 0xfff8) || is(w, 0x5cb0, 0x38b0, 0xfff8);
    if (floats)
        return from_float(t, w, second(t, w, true));
    uint32_t b = second(t, w, false);
    return from_integer(t, w, b) || leading(t, w, b) || predicates(t, w, a, b) || funnel(t, w) || sums_of_three(t, w) ||
           products(t, w);
}
