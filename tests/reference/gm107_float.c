/* SPDX-License-Identifier: MIT */
#include <math.h>

#include "reference/numbers.h"

static bool add(struct gm107_thread *t, uint64_t w) {
    bool ftz = bit(w, 44);
    if (bit(w, 47))
        return false;
    uint32_t a = sign(flushed(t->r[field(w, 8, 8)], ftz), bit(w, 46), bit(w, 48));
    uint32_t b = sign(flushed(second(t, w, true), ftz), bit(w, 49), bit(w, 45));
    write(t, w, result(fused_by(as_float(a), 1, as_float(b), 0, field(w, 39, 2)), ftz, bit(w, 50)));
    return true;
}

/* The product of two floats, and times a power of two, is exact as a double. */
static bool multiply(struct gm107_thread *t, uint64_t w) {
    static const double scales[] = {1, 0.5, 0.25, 0.125, 8, 4, 2};
    unsigned flush = field(w, 44, 2);
    if (bit(w, 47) || flush == 3 || field(w, 41, 3) == 7)
        return false;
    uint32_t a = flushed(t->r[field(w, 8, 8)], flush), b = sign(flushed(second(t, w, true), flush), false, bit(w, 48));
    double product = (double)as_float(a) * (double)as_float(b) * scales[field(w, 41, 3)];
    if (flush == 2 && (as_float(a) == 0 || as_float(b) == 0))
        product = 0;
    write(t, w, result(rounded(product, 0, field(w, 39, 2)), flush, bit(w, 50)));
    return true;
}

static bool multiply_add(struct gm107_thread *t, uint64_t w) {
    unsigned flush = field(w, 53, 2);
    if (bit(w, 47) || flush == 3)
        return false;
    uint32_t a = flushed(t->r[field(w, 8, 8)], flush), b = sign(flushed(middle(t, w, true), flush), false, bit(w, 48));
    uint32_t c = sign(flushed(third(t, w), flush), false, bit(w, 49));
    float sum = fused_by(as_float(a), as_float(b), as_float(c), flush, field(w, 51, 2));
    write(t, w, result(sum, flush, bit(w, 50)));
    return true;
}

/* A NaN loses; of two zeros the negative one is less. */
static uint32_t least(uint32_t a, uint32_t b, bool is_min) {
    float x = as_float(a), y = as_float(b);
    if (x != x || y != y)
        return x == x ? a : as_bits(y);
    bool a_is_less = x < y || (x == y && a >> 31 && !(b >> 31));
    return a_is_less == is_min ? a : b;
}

/* Operations with an immediate of 32 bits. */
static bool immediates(struct gm107_thread *t, uint64_t w) {
    uint32_t a = t->r[field(w, 8, 8)], imm = field(w, 20, 32), c = t->r[field(w, 0, 8)];
    unsigned flush = field(w, 53, 2);
    if (bit(w, 52))
        return false;
    if (top(w, 0x0800, 0xfc00)) {
        bool ftz = bit(w, 55);
        uint32_t x = sign(flushed(a, ftz), bit(w, 54), bit(w, 56)), y = sign(flushed(imm, ftz), bit(w, 57), bit(w, 53));
        write(t, w, result(as_float(x) + as_float(y), ftz, false));
    } else if (top(w, 0x1e00, 0xff00) && flush < 2) {
        write(t, w, result(as_float(flushed(a, flush)) * as_float(flushed(imm, flush)), flush, bit(w, 55)));
    } else if (top(w, 0x0c00, 0xfc00) && flush < 2) {
        float x = as_float(sign(flushed(a, flush), false, bit(w, 56))), y = as_float(flushed(imm, flush));
        float z = as_float(sign(flushed(c, flush), false, bit(w, 57)));
        write(t, w, result(fmaf(x, y, z), flush, bit(w, 55)));
    } else {
        return false;
    }
    return true;
}

bool reference_gm107_float(struct gm107_thread *t, uint64_t w) {
    uint32_t a = t->r[field(w, 8, 8)];
    if (is(w, 0x5c58, 0x3858, 0xfff8))
        return add(t, w);
    if (is(w, 0x5c68, 0x3868, 0xfff8))
        return multiply(t, w);
    if (is3(w, 0x5980, 0x5180, 0x3280, 0xff80))
        return multiply_add(t, w);
    if (immediates(t, w))
        return true;
    if (is(w, 0x5c60, 0x3860, 0xfff8) && !bit(w, 47)) {
        bool ftz = bit(w, 44);
        uint32_t x = sign(flushed(a, ftz), bit(w, 46), bit(w, 48));
        uint32_t y = sign(flushed(second(t, w, true), ftz), bit(w, 49), bit(w, 45));
        write(t, w, least(x, y, predicate(t, w, 39)));
    } else if (is(w, 0x5c90, 0x3890, 0xfff8)) { /* RRO: what it makes is MUFU's alone */
        write(t, w, sign(second(t, w, true), bit(w, 49), bit(w, 45)));
    } else if (is(w, 0x5bb0, 0x36b0, 0xfff0)) {
        bool ftz = bit(w, 47);
        uint32_t x = sign(flushed(a, ftz), bit(w, 7), bit(w, 43));
        set_predicates(t, w,
                       compared(x, sign(flushed(second(t, w, true), ftz), bit(w, 44), bit(w, 6)), field(w, 48, 4)));
    } else if (is(w, 0x5800, 0x3000, 0xff00) && !bit(w, 47)) {
        bool ftz = bit(w, 55);
        uint32_t x = sign(flushed(a, ftz), bit(w, 54), bit(w, 43));
        uint32_t y = sign(flushed(second(t, w, true), ftz), bit(w, 44), bit(w, 53));
        set(t, w, compared(x, y, field(w, 48, 4)), bit(w, 52));
    } else if (is3(w, 0x5ba0, 0x53a0, 0x36a0, 0xfff0)) {
        bool chosen = compared(flushed(third(t, w), bit(w, 47)), 0, field(w, 48, 4));
        write(t, w, chosen ? a : middle(t, w, true));
    } else {
        return false;
    }
    return true;
}
