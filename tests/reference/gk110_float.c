/* SPDX-License-Identifier: MIT */
/* Floats of 32 bits, and with immediates of 32 bits. */
#include "reference/gk110_bits.h"

static float from(uint32_t bits, bool flush, bool absolute, bool negate) {
    return as_float(sign(flushed(bits, flush), absolute, negate));
}

/* Signs of a second source are in registers and constants; immediates have their own. */
static float source_b(const struct gm107_thread *t, uint64_t w, bool flush, unsigned absolute_at, unsigned negate_at) {
    bool has_signs = type_of(w) == TYPE_FORMS;
    return from(operand_b(t, w, true), flush, has_signs && bit(w, absolute_at), has_signs && bit(w, negate_at));
}

static bool add(struct gm107_thread *t, uint64_t w) {
    bool ftz = bit(w, 47);
    float x = from(operand_a(t, w), ftz, bit(w, 49), bit(w, 51));
    float sum = fused_by(x, 1, source_b(t, w, ftz, 52, 48), 0, field(w, 42, 2));
    put(t, w, result(sum, ftz, bit(w, 53)));
    return true;
}

static bool multiply(struct gm107_thread *t, uint64_t w) {
    unsigned flush = field(w, 47, 2), scale = field(w, 44, 3);
    bool negate = bit(w, 51);
    if (flush == 3 || scale == 7)
        return false;
    float x = from(operand_a(t, w), flush, false, negate), y = from(operand_b(t, w, true), flush, false, false);
    put(t, w, result(scaled_product_by(x, y, scale, flush, field(w, 42, 2)), flush, bit(w, 53)));
    return true;
}

static bool multiply_add(struct gm107_thread *t, uint64_t w) {
    unsigned flush = field(w, 56, 2);
    if (flush == 3)
        return false;
    float x = from(operand_a(t, w), flush, false, bit(w, 51)), y = from(operand_b(t, w, true), flush, false, false);
    float z = from(operand_c(t, w), flush, false, bit(w, 52));
    put(t, w, result(fused_by(x, y, z, flush, field(w, 54, 2)), flush, bit(w, 53)));
    return true;
}

/* FSET and FSETP have the abs of a in different places. */
static bool compared_floats(const struct gm107_thread *t, uint64_t w, bool ftz, unsigned absolute_a,
                            unsigned negate_b) {
    float x = from(operand_a(t, w), ftz, bit(w, absolute_a), bit(w, 46));
    return float_relation(x, source_b(t, w, ftz, 47, negate_b), field(w, 51, 4));
}

static bool forms(struct gm107_thread *t, uint64_t w) {
    bool ftz = bit(w, 47);
    if (form_is(w, 0x62c0, 0x3fc0, false) || short_is(w, 0xc2c0, 0xf7c0))
        return add(t, w);
    if (form_is(w, 0x6340, 0x3fc0, false) || short_is(w, 0xc340, 0xf7c0))
        return multiply(t, w);
    if (form_is(w, 0x0c00, 0x3c00, true) || short_is(w, 0x9400, 0xf400))
        return multiply_add(t, w);
    if (form_is(w, 0x6480, 0x3fc0, false)) {
        put(t, w, sign(operand_b(t, w, true), bit(w, 52), bit(w, 48))); /* RRO: what it makes is MUFU's alone */
    } else if (form_is(w, 0x6300, 0x3fc0, false) || short_is(w, 0xc300, 0xf7c0)) {
        float x = from(operand_a(t, w), ftz, bit(w, 49), bit(w, 51)), y = source_b(t, w, ftz, 52, 48);
        put(t, w, flushed(as_bits(least_of(x, y, predicate(t, w, 42))), ftz));
    } else if (form_is(w, 0x4000, 0x3800, false) || short_is(w, 0x8000, 0xf000)) {
        if (bit(w, 50) || field(w, 48, 2) == 3)
            return false;
        put_truth(t, w, compared_floats(t, w, bit(w, 58), 57, 56), bit(w, 55));
    } else if (form_is(w, 0x5d80, 0x3f80, false) || short_is(w, 0xb580, 0xf780)) {
        if (field(w, 48, 2) == 3)
            return false;
        put_predicates(t, w, compared_floats(t, w, bit(w, 50), 9, 8));
    } else if (form_is(w, 0x1d00, 0x3f80, true) || short_is(w, 0xb500, 0xf780)) {
        bool chosen = float_relation(from(operand_c(t, w), bit(w, 50), false, false), 0, field(w, 51, 4));
        put(t, w, chosen ? operand_a(t, w) : operand_b(t, w, true));
    } else {
        return false;
    }
    return true;
}

/* Immediates of 32 bits; the third source of FFMA is the destination. */
static bool immediates(struct gm107_thread *t, uint64_t w) {
    uint32_t a = operand_a(t, w), b = field(w, 23, 32);
    unsigned flush = field(w, 56, 2), type = type_of(w);
    if (bit(w, 55))
        return false;
    if (type == TYPE_LONG && field(w, 61, 3) == 2) {
        bool ftz = bit(w, 58);
        put(t, w, result(from(a, ftz, bit(w, 57), bit(w, 59)) + from(b, ftz, bit(w, 60), bit(w, 56)), ftz, false));
    } else if (type == TYPE_LONG && field(w, 61, 3) == 3 && flush < 3) {
        float z = from(t->r[field(w, 2, 8)], flush, false, bit(w, 60));
        float x = from(a, flush, false, bit(w, 59)), y = from(b, flush, false, false);
        put(t, w, result(fused(x, y, z, flush), flush, bit(w, 58)));
    } else if (type == TYPE_FORMS && field(w, 59, 5) == 4 && flush < 3) {
        float x = from(a, flush, false, false), y = from(b, flush, false, false);
        put(t, w, result(scaled_product(x, y, 0, flush), flush, bit(w, 58)));
    } else {
        return false;
    }
    return true;
}

bool reference_gk110_float(struct gm107_thread *t, uint64_t w) {
    return forms(t, w) || immediates(t, w);
}

/* ---- doubles ---- */

static double pair(const struct gm107_thread *t, unsigned number, bool absolute, bool negate) {
    return double_of(number == RZ ? 0 : (uint64_t)t->r[number + 1] << 32 | t->r[number], absolute, negate);
}

static bool is_pair(uint64_t w, unsigned at) {
    return field(w, at, 8) == RZ || !bit(w, at);
}

/* Constants are of two words: left out. */
static double double_b(const struct gm107_thread *t, uint64_t w, bool absolute, bool negate) {
    if (type_of(w) == TYPE_FORMS)
        return pair(t, field(w, 23, 8), absolute, negate);
    return double_of((uint64_t)operand_b(t, w, true) << 32, false, false);
}

static void put_double(struct gm107_thread *t, uint64_t w, double value) {
    unsigned d = field(w, 2, 8);
    uint64_t bits = bits_of_double(value);
    if (d != RZ)
        t->r[d] = (uint32_t)bits;
    if (d != RZ && d + 1 != RZ)
        t->r[d + 1] = (uint32_t)(bits >> 32);
}

static bool is_double(uint64_t w, unsigned registers, unsigned immediate, unsigned mask, bool writes) {
    bool in_registers = form(w) == FORM_REGISTERS && form_is(w, registers, mask & 0x3fff, false);
    bool pairs = is_pair(w, 10) && (!writes || is_pair(w, 2)) && (!in_registers || is_pair(w, 23));
    return (in_registers || short_is(w, immediate, mask & 0xf7ff)) && pairs;
}

bool reference_gk110_double(struct gm107_thread *t, uint64_t w) {
    unsigned a = field(w, 10, 8);
    if (is_double(w, 0x6380, 0xc380, 0xffc0, true) && !field(w, 42, 2)) {
        put_double(t, w, pair(t, a, bit(w, 49), bit(w, 51)) + double_b(t, w, bit(w, 52), bit(w, 48)));
    } else if (is_double(w, 0x6400, 0xc400, 0xffc0, true) && !field(w, 42, 2)) {
        bool negate = bit(w, 51);
        put_double(t, w, pair(t, a, false, negate) * double_b(t, w, false, false));
    } else if (is_double(w, 0x6280, 0xc280, 0xffc0, true)) {
        double x = pair(t, a, bit(w, 49), bit(w, 51)), y = double_b(t, w, bit(w, 52), bit(w, 48));
        put_double(t, w, least_double(x, y, predicate(t, w, 42)));
    } else if (is_double(w, 0x1b80, 0xb380, 0xff80, true) && !field(w, 53, 2) && is_pair(w, 42)) {
        double c = pair(t, field(w, 42, 8), false, bit(w, 52));
        put_double(t, w, fma(pair(t, a, false, bit(w, 51)), double_b(t, w, false, false), c));
    } else if (is_double(w, 0x5c00, 0xb400, 0xff80, false) && field(w, 48, 2) != 3) {
        double x = pair(t, a, bit(w, 9), bit(w, 46)), y = double_b(t, w, bit(w, 47), bit(w, 8));
        put_predicates(t, w, float_relation(x, y, field(w, 51, 4)));
    } else {
        return false;
    }
    return true;
}
