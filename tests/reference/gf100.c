/* SPDX-License-Identifier: MIT */
/* Integers, moves and predicates of the plain executor. */
#include "reference/gf100_bits.h"

static void sum(struct gm107_thread *t, uint64_t w, uint32_t a, uint32_t b, unsigned signs_at, bool with_carry,
                bool flags, bool saturate) {
    struct signs signs = signs_of(bit(w, signs_at + 1), bit(w, signs_at));
    struct sum out = sum_of(a, b, signs, with_carry ? &t->carry : NULL, saturate);
    put(t, w, out.value);
    if (flags)
        put_flags(t, out);
}

/* A product with its sign, and c with its own. The sign of a product belongs to all 64 bits: of high halves left out. */
static bool multiply_add(struct gm107_thread *t, uint64_t w, uint32_t b, uint32_t c) {
    struct signs signs = signs_of(bit(w, 9), bit(w, 8));
    uint32_t factor = product_of(operand_a(t, w), b, bit(w, 7), bit(w, 5), bit(w, 6));
    if (bit(w, 6) && signs.a)
        return false;
    put(t, w, (signs.a ? 0 - factor : factor) + (signs.b ? 0 - c : c) + signs.one);
    return true;
}

static bool compared_integers(const struct gm107_thread *t, uint64_t w) {
    int64_t a = extended(operand_a(t, w), bit(w, 5)), b = extended(operand_b(t, w, false), bit(w, 5));
    return bit(w, 6) ? high_relation(t, a, b, field(w, 55, 3)) : integer_relation(a, b, field(w, 55, 3));
}

/* Those that leave no flags here. */
static bool plain(struct gm107_thread *t, uint64_t w) {
    uint32_t a = operand_a(t, w), b = operand_b(t, w, false);
    bool is_signed = bit(w, 5);
    switch (code5(w)) {
    case 0x01:
        if (field(w, 6, 2))
            return false;
        put(t, w, (extended(a, is_signed) < extended(b, is_signed)) == predicate(t, w, 49) ? a : b);
        return true;
    case 0x02:
        if (bit(w, 58) || field(w, 53, 2) == 3)
            return false;
        put_truth(t, w, compared_integers(t, w), bit(w, 7));
        return true;
    case 0x0a:
        put(t, w, product_of(a, b, bit(w, 7), bit(w, 5), bit(w, 6)));
        return true;
    case 0x0b:
        if (bit(w, 7))
            return false;
        put(t, w, shifted_down(bit(w, 8) ? reversed_bits(a) : a, b, is_signed, bit(w, 9)));
        return true;
    case 0x0c:
        if (bit(w, 6))
            return false;
        put(t, w, shifted_left(a, b, bit(w, 9)));
        return true;
    case 0x0d:
        if (bit(w, 5))
            return false;
        put(t, w, logic_of(field(w, 6, 2), bit(w, 9) ? ~a : a, bit(w, 8) ? ~b : b));
        return true;
    case 0x0e:
        put(t, w, extracted_bits(bit(w, 8) ? reversed_bits(a) : a, b, is_signed));
        return true;
    case 0x0f:
        put(t, w, highest_bit(bit(w, 8) ? ~b : b, is_signed, bit(w, 6)));
        return true;
    default:
        return false;
    }
}

/* Three sources. */
/* GK104's */
static bool product_of_parts(struct gm107_thread *t, uint64_t w, uint32_t a, uint32_t b, uint32_t c) {
    if (field(w, 55, 2) == 3 || bit(w, 48))
        return false;
    uint32_t x = part_number(a, field(w, 8, 2), bit(w, 7)), y = part_number(b, bit(w, 6) ? 1 : 2, bit(w, 5));
    put(t, w, x * y + part_number(c, field(w, 55, 2), bit(w, 7) || bit(w, 5)));
    return true;
}

static bool triples(struct gm107_thread *t, uint64_t w) {
    uint32_t a = operand_a(t, w), b = operand_b(t, w, false), c = operand_c(t, w);
    bool is_signed = bit(w, 5);
    switch (code5(w)) {
    case 0x05:
        if (bit(w, 48))
            return false;
        put(t, w, inserted_bits(a, b, c));
        return true;
    case 0x06:
        put(t, w, integer_relation(extended(c, is_signed), 0, field(w, 55, 3)) ? a : b);
        return true;
    case 0x07: {
        int64_t difference = extended(a, is_signed) - extended(b, is_signed);
        if (bit(w, 48))
            return false;
        put(t, w, (uint32_t)(difference < 0 ? -difference : difference) + c);
        return true;
    }
    case 0x00:
        return product_of_parts(t, w, a, b, c);
    case 0x04:
        return !bit(w, 48) && !bit(w, 55) && !bit(w, 56) && multiply_add(t, w, b, c);
    default:
        return false;
    }
}

static bool integers(struct gm107_thread *t, uint64_t w) {
    uint32_t a = operand_a(t, w);
    if (code5(w) == 0x00 || (code5(w) >= 0x04 && code5(w) <= 0x07))
        return triples(t, w);
    if (form(w) == FORM_CONSTANT_C)
        return false;
    uint32_t b = operand_b(t, w, false);
    switch (code5(w)) {
    case 0x08:
        if (bit(w, 48))
            return false;
        sum(t, w, a << field(w, 5, 5), b, 55, false, false, false);
        return true;
    case 0x09:
        sum(t, w, a, b, 8, bit(w, 6), bit(w, 48), bit(w, 5));
        return true;
    case 0x03:
        if (bit(w, 58) || field(w, 53, 2) == 3)
            return false;
        put_predicates(t, w, compared_integers(t, w));
        return true;
    default:
        return !bit(w, 48) && plain(t, w);
    }
}

static bool immediates(struct gm107_thread *t, uint64_t w) {
    uint32_t a = operand_a(t, w), b = field(w, 26, 32);
    if (code5(w) == 0x01) {
        sum(t, w, a, b, 8, bit(w, 6), bit(w, 58), bit(w, 5));
        return true;
    }
    if (code5(w) == 0x03 && field(w, 5, 4) == 15) {
        put(t, w, b);
        return true;
    }
    if (bit(w, 58))
        return false;
    switch (code5(w)) {
    case 0x00:
        return multiply_add(t, w, b, reg(t, w, 14));
    case 0x02:
        put(t, w, product_of(a, b, bit(w, 7), bit(w, 5), bit(w, 6)));
        return true;
    case 0x07:
        if (bit(w, 5))
            return false;
        put(t, w, logic_of(field(w, 6, 2), bit(w, 9) ? ~a : a, bit(w, 8) ? ~b : b));
        return true;
    case 0x08:
        put(t, w, (a << field(w, 5, 5)) + b);
        return true;
    default:
        return false;
    }
}

/* ---- type 4: moves and predicates ---- */

/* Two predicates and how they meet; `invert`: not the first one. */
static bool expression(const struct gm107_thread *t, uint64_t w, bool invert) {
    return combined(field(w, 30, 2), predicate(t, w, 20) != invert, predicate(t, w, 26));
}

static bool predicates(struct gm107_thread *t, uint64_t w) {
    if (field(w, 30, 2) == 3 || field(w, 53, 2) == 3)
        return false;
    if (code6(w) == 0x02) {
        if (bit(w, 48))
            return false;
        put_truth(t, w, expression(t, w, false), bit(w, 5));
        return true;
    }
    bool p = with_p(t, w, expression(t, w, false)), q = with_p(t, w, expression(t, w, true));
    write_predicate(t, field(w, 17, 3), p);
    write_predicate(t, field(w, 14, 3), q);
    return true;
}

/* Tests of the flags that are not comparisons of floats. */
static bool test(const struct gm107_thread *t, unsigned how, bool *passes) {
    switch (how) {
    case 0x10:
        *passes = !t->overflow;
        return true;
    case 0x11:
        *passes = !t->carry;
        return true;
    case 0x12:
        *passes = !t->sign;
        return true;
    case 0x15:
        *passes = t->sign;
        return true;
    case 0x16:
        *passes = t->carry;
        return true;
    case 0x17:
        *passes = t->overflow;
        return true;
    default:
        return false;
    }
}

static bool tests(struct gm107_thread *t, uint64_t w) {
    bool passes;
    if (!test(t, field(w, 20, 5), &passes) || field(w, 53, 2) == 3)
        return false;
    if (code6(w) == 0x01)
        put_predicates(t, w, passes);
    else if (!bit(w, 48))
        put_truth(t, w, passes, bit(w, 5));
    return code6(w) == 0x01 || !bit(w, 48);
}

static bool moves(struct gm107_thread *t, uint64_t w) {
    uint32_t a = operand_a(t, w), b = operand_b(t, w, false);
    if (form(w) == FORM_CONSTANT_C && code6(w) != 0x09)
        return false;
    switch (code6(w)) {
    case 0x08:
        put(t, w, predicate(t, w, 49) ? a : b);
        return true;
    case 0x09:
        if (field(w, 5, 3) == 7)
            return false;
        put(t, w, permuted_bytes(a, b, operand_c(t, w), field(w, 5, 3)));
        return true;
    case 0x0a:
        if (field(w, 5, 4) != 15)
            return false;
        put(t, w, b);
        return true;
    case 0x0c:
        put(t, w, (a & ~b) | (predicate_bits(t) & b));
        return !bit(w, 5);
    case 0x0d:
        for (unsigned i = 0; i < 7; i++)
            t->p[i] = b >> i & 1 ? a >> i & 1 : t->p[i];
        return !bit(w, 5);
    case 0x15:
        put(t, w, bits_set((bit(w, 9) ? ~a : a) & (bit(w, 8) ? ~b : b)));
        return true;
    default:
        return false;
    }
}

static bool others(struct gm107_thread *t, uint64_t w) {
    if (code6(w) < 0x02)
        return tests(t, w);
    if (code6(w) < 0x04)
        return predicates(t, w);
    return reference_gf100_convert(t, w) || reference_gf100_video(t, w) || moves(t, w);
}

static bool execute(struct gm107_thread *t, uint64_t w) {
    switch (type_of(w)) {
    case 0:
        return reference_gf100_float(t, w);
    case 1:
        return reference_gf100_double(t, w);
    case 2:
        return reference_gf100_float(t, w) || immediates(t, w);
    case 3:
        return integers(t, w);
    case 4:
        return others(t, w);
    default:
        return false;
    }
}

bool reference_gf100_step(struct gm107_thread *thread, uint64_t word) {
    struct gm107_thread untouched = *thread;
    bool known = !bit(word, 3) && !bit(word, 4) && execute(thread, word); /* 4: JOIN */
    if (!known || !predicate(&untouched, word, 10))
        *thread = untouched;
    return known;
}
