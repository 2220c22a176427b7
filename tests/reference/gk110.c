/* SPDX-License-Identifier: MIT */
/* Integers, moves, conversions and predicates of the plain executor. */
#include "reference/gk110_bits.h"

static void sum(struct gm107_thread *t, uint64_t w, uint32_t a, uint32_t b, struct signs signs, bool with_carry,
                bool flags, bool saturate) {
    struct sum out = sum_of(a, b, signs, with_carry ? &t->carry : NULL, saturate);
    put(t, w, out.value);
    if (flags)
        put_flags(t, out);
}

static bool is_two(uint64_t w, unsigned registers, unsigned immediate, unsigned mask) {
    return form_is(w, registers, mask & 0x3fff, false) || short_is(w, immediate, mask & 0xf7ff);
}

static bool is_three(uint64_t w, unsigned registers, unsigned immediate, unsigned mask) {
    return form_is(w, registers, mask & 0x3fff, true) || short_is(w, immediate, mask & 0xf7ff);
}

/* Sums, and comparisons. */
static bool sums(struct gm107_thread *t, uint64_t w) {
    uint32_t a = operand_a(t, w), b = operand_b(t, w, false);
    struct signs signs = signs_of(bit(w, 52), bit(w, 51));
    bool is_signed = bit(w, 51);
    if (is_two(w, 0x6080, 0xc080, 0xffc0)) {
        sum(t, w, a, b, signs, bit(w, 46), bit(w, 50), bit(w, 53));
    } else if (is_two(w, 0x60c0, 0xc0c0, 0xffc0) && !bit(w, 50)) {
        sum(t, w, a << field(w, 42, 5), b, signs, false, false, false);
    } else if (short_is(w, 0x4000, 0xf400)) {
        struct sum out =
            sum_of(a, field(w, 23, 32), signs_of(bit(w, 59), false), bit(w, 56) ? &t->carry : NULL, bit(w, 57));
        put(t, w, out.value);
        if (bit(w, 55))
            put_flags(t, out);
    } else if (is_two(w, 0x5a80, 0xb280, 0xff80) || is_two(w, 0x5b00, 0xb300, 0xff80)) {
        int64_t x = extended(a, is_signed), y = extended(b, is_signed);
        bool high = bit(w, 46);
        bool relation = high ? high_relation(t, x, y, field(w, 52, 3)) : integer_relation(x, y, field(w, 52, 3));
        bool to_register = is_two(w, 0x5a80, 0xb280, 0xff80);
        if (field(w, 48, 2) == 3 || (to_register && bit(w, 50)))
            return false;
        if (to_register)
            put_truth(t, w, relation, bit(w, 47));
        else
            put_predicates(t, w, relation);
    } else {
        return false;
    }
    return true;
}

/* Two sources, no flags. */
static bool pairs(struct gm107_thread *t, uint64_t w) {
    uint32_t a = operand_a(t, w), b = operand_b(t, w, false);
    bool is_signed = bit(w, 51), in_forms = type_of(w) == TYPE_FORMS;
    uint32_t by = in_forms ? b : field(w, 23, 6);
    if (is_two(w, 0x6100, 0xc100, 0xffc0)) {
        if (field(w, 46, 2) || bit(w, 50))
            return false;
        put(t, w, (extended(a, is_signed) < extended(b, is_signed)) == predicate(t, w, 42) ? a : b);
    } else if (is_two(w, 0x6140, 0xc140, 0xffc0)) {
        put(t, w, shifted_down(a, by, is_signed, bit(w, 42)));
    } else if (is_two(w, 0x6240, 0xc240, 0xffc0)) {
        put(t, w, shifted_left(a, by, bit(w, 42)));
    } else if (is_two(w, 0x61c0, 0xc1c0, 0xffc0)) {
        if (in_forms && bit(w, 50))
            return false;
        put(t, w, product_of(a, b, bit(w, 43), bit(w, 44), bit(w, 42)));
    } else if (is_two(w, 0x6200, 0xc200, 0xffc0)) {
        if (!in_forms && field(w, 42, 2)) /* the sources differ in where immediates have their inversions */
            return false;
        put(t, w, logic_of(field(w, 44, 2), bit(w, 42) ? ~a : a, bit(w, 43) ? ~b : b));
    } else if (is_two(w, 0x6000, 0xc000, 0xffc0)) {
        put(t, w, extracted_bits(bit(w, 43) ? reversed_bits(a) : a, b, is_signed));
    } else if (is_two(w, 0x6040, 0xc040, 0xffc0)) {
        put(t, w, bits_set((bit(w, 42) ? ~a : a) & (in_forms && bit(w, 43) ? ~b : b)));
    } else if (is_two(w, 0x6500, 0xc500, 0xffc0)) {
        put(t, w, predicate(t, w, 42) ? a : b);
    } else if (form_is(w, 0x6180, 0x3fc0, false)) {
        put(t, w, highest_bit(bit(w, 43) ? ~b : b, is_signed, bit(w, 44)));
    } else if (form_is(w, 0x64c0, 0x3fc0, false) && field(w, 42, 4) == 15) {
        put(t, w, b);
    } else {
        return false;
    }
    return true;
}

static bool multiply_add(struct gm107_thread *t, uint64_t w) {
    struct signs signs = signs_of(bit(w, 55), bit(w, 54));
    uint32_t c = operand_c(t, w);
    uint32_t factor = product_of(operand_a(t, w), operand_b(t, w, false), bit(w, 51), bit(w, 56), bit(w, 57));
    if ((bit(w, 57) && signs.a) || bit(w, 50) || bit(w, 52) || bit(w, 53))
        return false;
    put(t, w, (signs.a ? 0 - factor : factor) + (signs.b ? 0 - c : c) + signs.one);
    return true;
}

static bool triples(struct gm107_thread *t, uint64_t w) {
    uint32_t a = operand_a(t, w), b = operand_b(t, w, false), c = operand_c(t, w);
    bool is_signed = bit(w, 51), in_forms = type_of(w) == TYPE_FORMS;
    if (form_is(w, 0x1000, 0x3c00, true) || (short_is(w, 0xa000, 0xf400) && !bit(w, 57)))
        return multiply_add(t, w); /* in immediates, bit 57 is high or saturates */
    if (is_three(w, 0x1400, 0xa400, 0xfc00) && field(w, 54, 2) != 3 && !bit(w, 50)) {
        uint32_t x = part_number(a, field(w, 52, 2), bit(w, 51)), y = part_number(b, bit(w, 57) ? 1 : 2, bit(w, 56));
        put(t, w, x * y + part_number(c, field(w, 54, 2), bit(w, 51) || bit(w, 56)));
    } else if (is_three(w, 0x1a00, 0xb200, 0xff80)) {
        put(t, w, integer_relation(extended(c, is_signed), 0, field(w, 52, 3)) ? a : b);
    } else if (is_three(w, 0x1f40, 0xb740, 0xffc0)) {
        int64_t difference = extended(a, is_signed) - extended(b, is_signed);
        put(t, w, (uint32_t)(difference < 0 ? -difference : difference) + c);
    } else if (is_three(w, 0x1f80, 0xb780, 0xffc0)) {
        put(t, w, inserted_bits(a, b, c));
    } else if (is_three(w, 0x1e00, 0xb600, 0xffc0) && field(w, 51, 3) != 7) {
        put(t, w, permuted_bytes(a, b, c, field(w, 51, 3)));
    } else {
        bool right = form_is(w, 0x67c0, 0x3fc0, false) || short_is(w, 0xc7c0, 0xf7c0);
        bool left = (w >> 48 & 0xffc0) == 0xdfc0 && type_of(w) == TYPE_FORMS;
        left = left || short_is(w, 0xb7c0, 0xf7c0);
        if ((!left && !right) || field(w, 40, 2) == 1 || (left && bit(w, 51)))
            return false;
        uint64_t out = funnel(a, in_forms ? b : field(w, 23, 6), c, field(w, 40, 2), bit(w, 53), left);
        put(t, w, (uint32_t)(left || bit(w, 51) ? out >> 32 : out));
    }
    return true;
}

static bool from_integers(struct gm107_thread *t, uint64_t w) {
    bool to_float = is_two(w, 0x65c0, 0xc5c0, 0xffc0);
    if ((!to_float && !is_two(w, 0x6600, 0xc600, 0xffc0)) || field(w, 12, 2) == 3 || field(w, 10, 2) != 2)
        return false;
    int64_t value =
        number_of(operand_b(t, w, false), field(w, 12, 2), field(w, 44, 2), bit(w, 15), bit(w, 52), bit(w, 48));
    if (to_float && field(w, 42, 2))
        return false;
    put(t, w, to_float ? as_bits((float)value) : (uint32_t)(bit(w, 53) ? clamped(value, bit(w, 14)) : value));
    return true;
}

static bool from_floats(struct gm107_thread *t, uint64_t w) {
    bool ftz = bit(w, 47), to_float = is_two(w, 0x6540, 0xc540, 0xffc0);
    unsigned round = field(w, 42, 2);
    if ((!to_float && !is_two(w, 0x6580, 0xc580, 0xffc0)) || field(w, 12, 2) != 2 || field(w, 10, 2) != 2 ||
        (to_float && !bit(w, 45) && round))
        return false;
    double value = as_float(sign(flushed(operand_b(t, w, true), ftz), bit(w, 52), bit(w, 48)));
    if (to_float)
        put(t, w, result((float)(bit(w, 45) ? integral(value, round) : value), ftz, bit(w, 53)));
    else
        put(t, w, integer_of(value, round, bit(w, 14)));
    return true;
}

static bool predicates(struct gm107_thread *t, uint64_t w) {
    bool to_register = (w >> 48 & 0xffc0) == 0x8440, to_predicates = (w >> 48 & 0xffc0) == 0x8480;
    if (type_of(w) != TYPE_FORMS || (!to_register && !to_predicates) || field(w, 27, 2) == 3 || field(w, 48, 2) == 3 ||
        (to_register && bit(w, 50)))
        return false;
    bool a = predicate(t, w, 14), b = predicate(t, w, 32);
    bool relation = combined(field(w, 27, 2), a, b), other = combined(field(w, 27, 2), !a, b);
    if (to_register) {
        put_truth(t, w, relation, false);
        return true;
    }
    bool p = with_p(t, w, relation), q = with_p(t, w, other);
    write_predicate(t, field(w, 5, 3), p);
    write_predicate(t, field(w, 2, 3), q);
    return true;
}

/* Immediates of 32 bits. */
static bool immediates(struct gm107_thread *t, uint64_t w) {
    uint32_t a = operand_a(t, w), b = field(w, 23, 32);
    if (type_of(w) == TYPE_FORMS && (w >> 48 & 0x7f80) == 0x7400 && field(w, 14, 4) == 15) {
        put(t, w, b);
        return true;
    }
    if (bit(w, 55))
        return false;
    if (type_of(w) == TYPE_FORMS && field(w, 59, 5) == 5)
        put(t, w, product_of(a, b, bit(w, 57), bit(w, 58), bit(w, 56)));
    else if (type_of(w) == TYPE_LONG && field(w, 61, 3) == 1 && !bit(w, 60))
        put(t, w, logic_of(field(w, 56, 2), bit(w, 58) ? ~a : a, bit(w, 59) ? ~b : b));
    else if (type_of(w) == TYPE_LONG && field(w, 61, 3) == 5)
        put(t, w, (a << field(w, 56, 5)) + b);
    else
        return false;
    return true;
}

static bool execute(struct gm107_thread *t, uint64_t w) {
    return immediates(t, w) || reference_gk110_float(t, w) || reference_gk110_double(t, w) || sums(t, w) ||
           pairs(t, w) || triples(t, w) || from_integers(t, w) || from_floats(t, w) || predicates(t, w);
}

bool reference_gk110_step(struct gm107_thread *thread, uint64_t word) {
    struct gm107_thread untouched = *thread;
    bool known = !bit(word, 22) && execute(thread, word); /* 22: JOIN */
    if (!known || !predicate(&untouched, word, 18))
        *thread = untouched;
    return known;
}
