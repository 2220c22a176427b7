/* SPDX-License-Identifier: MIT */
/* Floats of 32 bits, and with immediates of 32 bits; doubles, to the nearest. */
#include "reference/gf100_bits.h"

/* The sources of those with abs and neg of both. */
static float source_a(const struct gm107_thread *t, uint64_t w, bool flush) {
    return as_float(sign(flushed(operand_a(t, w), flush), bit(w, 7), bit(w, 9)));
}

static float source_b(const struct gm107_thread *t, uint64_t w, bool flush) {
    return as_float(sign(flushed(operand_b(t, w, true), flush), bit(w, 6), bit(w, 8)));
}

static bool multiply_add(struct gm107_thread *t, uint64_t w) {
    unsigned flush = field(w, 6, 2);
    if (flush == 3)
        return false;
    float x = as_float(flushed(operand_a(t, w), flush)), y = as_float(flushed(operand_b(t, w, true), flush));
    float z = as_float(flushed(operand_c(t, w), flush));
    put(t, w, result(fused_by(bit(w, 9) ? -x : x, y, bit(w, 8) ? -z : z, flush, field(w, 55, 2)), flush, bit(w, 5)));
    return true;
}

static bool multiply(struct gm107_thread *t, uint64_t w) {
    unsigned flush = field(w, 6, 2), scale = field(w, 49, 3);
    if (flush == 3 || scale == 7 || form(w) == FORM_CONSTANT_C)
        return false;
    float x = as_float(flushed(operand_a(t, w), flush)), y = as_float(flushed(operand_b(t, w, true), flush));
    put(t, w, result(scaled_product_by(bit(w, 57) ? -x : x, y, scale, flush, field(w, 55, 2)), flush, bit(w, 5)));
    return true;
}

static bool with_two(struct gm107_thread *t, uint64_t w) {
    if (form(w) == FORM_CONSTANT_C)
        return false;
    switch (code5(w)) {
    case 0x01: {
        bool ftz = bit(w, 5);
        put(t, w, flushed(as_bits(least_of(source_a(t, w, ftz), source_b(t, w, ftz), predicate(t, w, 49))), ftz));
        return true;
    }
    case 0x02:
    case 0x03: {
        bool ftz = bit(w, 59);
        put_truth(t, w, float_relation(source_a(t, w, ftz), source_b(t, w, ftz), field(w, 55, 4)), bit(w, 5));
        return true;
    }
    case 0x0a:
        put(t, w,
            result(fused_by(source_a(t, w, bit(w, 5)), 1, source_b(t, w, bit(w, 5)), 0, field(w, 55, 2)), bit(w, 5),
                   bit(w, 49)));
        return true;
    default:
        return false;
    }
}

static bool singles(struct gm107_thread *t, uint64_t w) {
    bool chosen, ftz = bit(w, 59);
    switch (code5(w)) {
    case 0x04:
    case 0x05: /* the bit of CC is not there */
        if (form(w) == FORM_CONSTANT_C || field(w, 53, 2) == 3)
            return false;
        put_predicates(t, w, float_relation(source_a(t, w, ftz), source_b(t, w, ftz), field(w, 55, 4)));
        return true;
    case 0x07:
        chosen = float_relation(as_float(flushed(operand_c(t, w), bit(w, 5))), 0, field(w, 55, 4));
        put(t, w, chosen ? operand_a(t, w) : operand_b(t, w, true));
        return true;
    case 0x0c: /* RRO: what it makes is MUFU's alone */
        if (form(w) == FORM_CONSTANT_C)
            return false;
        put(t, w, sign(operand_b(t, w, true), bit(w, 6), bit(w, 8)));
        return true;
    default:
        break;
    }
    if (bit(w, 48))
        return false;
    if (code5(w) == 0x06)
        return multiply_add(t, w);
    if (code5(w) == 0x0b)
        return multiply(t, w);
    if ((code5(w) == 0x02 || code5(w) == 0x03) && field(w, 53, 2) == 3)
        return false;
    return with_two(t, w);
}

/* The third source is the destination. */
static bool immediates(struct gm107_thread *t, uint64_t w) {
    uint32_t a = operand_a(t, w), b = field(w, 26, 32);
    unsigned flush = field(w, 6, 2);
    float x = as_float(flushed(a, flush)), y = as_float(flushed(b, flush)), z = as_float(flushed(reg(t, w, 14), flush));
    if (bit(w, 58))
        return false;
    switch (code5(w)) {
    case 0x04:
        if (flush > 2)
            return false;
        put(t, w, result(fused(bit(w, 9) ? -x : x, y, bit(w, 8) ? -z : z, flush), flush, bit(w, 5)));
        return true;
    case 0x05:
        put(t, w, result(source_a(t, w, bit(w, 5)) + as_float(flushed(b, bit(w, 5))), bit(w, 5), false));
        return true;
    case 0x06:
        if (flush > 2)
            return false;
        put(t, w, result(flush == 2 && (x == 0 || y == 0) ? 0 : x * y, flush, bit(w, 5)));
        return true;
    default:
        return false;
    }
}

bool reference_gf100_float(struct gm107_thread *t, uint64_t w) {
    return type_of(w) == 0 ? singles(t, w) : type_of(w) == 2 && immediates(t, w);
}

/* ---- doubles ---- */

static double pair(const struct gm107_thread *t, unsigned number, bool absolute, bool negate) {
    return double_of(number == ZERO ? 0 : (uint64_t)t->r[number + 1] << 32 | t->r[number], absolute, negate);
}

/* Constants are of two words: left out. */
static double double_b(const struct gm107_thread *t, uint64_t w, bool absolute, bool negate) {
    if (form(w) == FORM_REGISTER)
        return pair(t, field(w, 26, 6), absolute, negate);
    return double_of((uint64_t)field(w, 26, 20) << 44, absolute, negate);
}

static void put_double(struct gm107_thread *t, uint64_t w, double value) {
    unsigned d = field(w, 14, 6);
    uint64_t bits = bits_of_double(value);
    if (d == ZERO)
        return;
    t->r[d] = (uint32_t)bits;
    t->r[d + 1] = (uint32_t)(bits >> 32);
}

static bool is_pair(uint64_t w, unsigned at) {
    return field(w, at, 6) == ZERO || field(w, at, 1) == 0;
}

bool reference_gf100_double(struct gm107_thread *t, uint64_t w) {
    unsigned code = code5(w), a = field(w, 20, 6), c = field(w, 49, 6);
    bool compares = code == 0x02 || code == 0x03;
    if (type_of(w) != 1 || form(w) == FORM_CONSTANT || form(w) == FORM_CONSTANT_C || !is_pair(w, 20) ||
        (form(w) == FORM_REGISTER && !is_pair(w, 26)) || (!compares && (!is_pair(w, 14) || field(w, 55, 2))) ||
        (code != 0x03 && bit(w, 48)))
        return false;
    double x = pair(t, a, bit(w, 7), bit(w, 9)), y = double_b(t, w, bit(w, 6), bit(w, 8));
    switch (code) {
    case 0x01:
        put_double(t, w, least_double(x, y, predicate(t, w, 49)));
        return true;
    case 0x02:
    case 0x03:
        if (field(w, 53, 2) == 3)
            return false;
        if (code == 0x02)
            put_truth(t, w, float_relation(x, y, field(w, 55, 4)), bit(w, 5));
        else
            put_predicates(t, w, float_relation(x, y, field(w, 55, 4)));
        return true;
    case 0x04:
        if (!is_pair(w, 49))
            return false;
        put_double(t, w, fma(pair(t, a, false, bit(w, 9)), double_b(t, w, false, false), pair(t, c, false, bit(w, 8))));
        return true;
    case 0x09:
        put_double(t, w, x + y);
        return true;
    case 0x0a:
        put_double(t, w, pair(t, a, false, bit(w, 9)) * double_b(t, w, false, false));
        return true;
    default:
        return false;
    }
}
