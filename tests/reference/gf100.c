/* SPDX-License-Identifier: MIT */
/* Integers, moves and predicates of the plain executor. */
#include "reference/gf100_bits.h"

static void put_flags(struct gm107_thread *t, uint32_t value, bool carry, bool overflow) {
    t->zero = !value;
    t->sign = value >> 31;
    t->carry = carry;
    t->overflow = overflow;
}

/* Which of two summands are negated, by two bits; both: one more, and neither is. */
struct signs {
    bool a, b, one;
};

static struct signs signs_of(uint64_t w, unsigned at) {
    bool a = bit(w, at + 1), b = bit(w, at);
    return (struct signs){a && !b, b && !a, a && b};
}

/* In 33 bits for the carry, and without limit for the overflow. A difference is a sum with the complement, and 1. */
static void sum(struct gm107_thread *t, uint64_t w, uint32_t a, uint32_t b, struct signs signs, bool with_carry,
                bool flags, bool saturate) {
    uint32_t x = signs.a ? ~a : a, y = signs.b ? ~b : b;
    unsigned ones = signs.one + (with_carry ? t->carry : signs.a || signs.b);
    uint64_t wide = (uint64_t)x + y + ones;
    int64_t exact = (int64_t)(int32_t)x + (int32_t)y + (int64_t)ones;
    uint32_t value = (uint32_t)wide;
    if (saturate && exact != (int32_t)exact)
        value = exact < 0 ? 0x80000000 : 0x7fffffff;
    put(t, w, value);
    if (flags)
        put_flags(t, value, wide >> 32 & 1, exact != (int32_t)exact);
}

static bool relation(int64_t a, int64_t b, unsigned how) {
    return (how & (a < b ? 1u : a == b ? 2u : 4u)) != 0;
}

static uint32_t reversed(uint32_t value) {
    uint32_t out = 0;
    for (unsigned i = 0; i < 32; i++)
        out |= (value >> i & 1) << (31 - i);
    return out;
}

/* Bits that lie beyond the word are its sign. */
static uint32_t extracted(uint32_t value, uint32_t how, bool is_signed) {
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

static uint32_t inserted(uint32_t value, uint32_t how, uint32_t into) {
    unsigned to = how & 0xff, length = how >> 8 & 0xff;
    for (unsigned i = 0; i < length && i < 32 && to + i < 32; i++)
        into = (into & ~(1u << (to + i))) | (value >> i & 1) << (to + i);
    return into;
}

static uint32_t logic(unsigned how, uint32_t a, uint32_t b) {
    return how == 0 ? a & b : how == 1 ? a | b : how == 2 ? a ^ b : b;
}

/* The high word of a product, from parts of 16 bits and the signs. */
static uint32_t product(uint32_t a, uint32_t b, bool signed_a, bool signed_b, bool high) {
    uint64_t low = (uint64_t)a * (b & 0xffff) + ((uint64_t)a * (b >> 16) << 16);
    uint32_t top = (uint32_t)(low >> 32);
    top -= signed_a && a >> 31 ? b : 0;
    top -= signed_b && b >> 31 ? a : 0;
    return high ? top : (uint32_t)low;
}

static uint32_t shifted_right(uint32_t a, uint32_t by, bool is_signed, bool wrap) {
    by = wrap ? by & 31 : by;
    if (by > 31)
        return is_signed && a >> 31 ? UINT32_MAX : 0;
    return (uint32_t)(extended(a, is_signed) >> by);
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
        if (bit(w, 6) || bit(w, 58) != 0 || field(w, 53, 2) == 3)
            return false;
        put_truth(t, w, relation(extended(a, is_signed), extended(b, is_signed), field(w, 55, 3)), bit(w, 7));
        return true;
    case 0x0a:
        put(t, w, product(a, b, bit(w, 7), bit(w, 5), bit(w, 6)));
        return true;
    case 0x0b:
        if (bit(w, 7))
            return false;
        put(t, w, shifted_right(bit(w, 8) ? reversed(a) : a, b, is_signed, bit(w, 9)));
        return true;
    case 0x0c:
        if (bit(w, 6))
            return false;
        put(t, w, bit(w, 9) ? a << (b & 31) : b < 32 ? a << b : 0);
        return true;
    case 0x0d:
        if (bit(w, 5))
            return false;
        put(t, w, logic(field(w, 6, 2), bit(w, 9) ? ~a : a, bit(w, 8) ? ~b : b));
        return true;
    case 0x0e:
        put(t, w, extracted(bit(w, 8) ? reversed(a) : a, b, is_signed));
        return true;
    case 0x0f: {
        uint32_t value = bit(w, 8) ? ~b : b, at = UINT32_MAX;
        value = is_signed && value >> 31 ? ~value : value;
        for (unsigned i = 0; i < 32; i++)
            at = value >> i & 1 ? i : at;
        put(t, w, bit(w, 6) && at != UINT32_MAX ? 31 - at : at);
        return true;
    }
    default:
        return false;
    }
}

/* Three sources. */
static bool triples(struct gm107_thread *t, uint64_t w) {
    uint32_t a = operand_a(t, w), b = operand_b(t, w, false), c = operand_c(t, w);
    bool is_signed = bit(w, 5);
    switch (code5(w)) {
    case 0x05:
        if (bit(w, 48))
            return false;
        put(t, w, inserted(a, b, c));
        return true;
    case 0x06:
        put(t, w, relation(extended(c, is_signed), 0, field(w, 55, 3)) ? a : b);
        return true;
    case 0x07: {
        int64_t difference = extended(a, is_signed) - extended(b, is_signed);
        if (bit(w, 48))
            return false;
        put(t, w, (uint32_t)(difference < 0 ? -difference : difference) + c);
        return true;
    }
    case 0x04: {
        struct signs signs = signs_of(w, 8);
        uint32_t factor = product(a, b, bit(w, 7), bit(w, 5), bit(w, 6));
        /* The sign of a product belongs to all of its 64 bits: that of a high half is left out. */
        if ((bit(w, 6) && signs.a) || bit(w, 55) || bit(w, 56) || bit(w, 48))
            return false;
        put(t, w, (signs.a ? 0 - factor : factor) + (signs.b ? 0 - c : c) + signs.one);
        return true;
    }
    default:
        return false;
    }
}

static bool integers(struct gm107_thread *t, uint64_t w) {
    uint32_t a = operand_a(t, w);
    if (code5(w) >= 0x04 && code5(w) <= 0x07)
        return triples(t, w);
    if (form(w) == FORM_CONSTANT_C)
        return false;
    uint32_t b = operand_b(t, w, false);
    switch (code5(w)) {
    case 0x08:
        if (bit(w, 48))
            return false;
        sum(t, w, a << field(w, 5, 5), b, signs_of(w, 55), false, false, false);
        return true;
    case 0x09:
        sum(t, w, a, b, signs_of(w, 8), bit(w, 6), bit(w, 48), bit(w, 5));
        return true;
    case 0x03:
        if (bit(w, 6) || bit(w, 58) || field(w, 53, 2) == 3)
            return false;
        put_predicates(t, w, relation(extended(a, bit(w, 5)), extended(b, bit(w, 5)), field(w, 55, 3)));
        return true;
    default:
        return !bit(w, 48) && plain(t, w);
    }
}

static bool immediates(struct gm107_thread *t, uint64_t w) {
    uint32_t a = operand_a(t, w), b = field(w, 26, 32);
    struct signs signs = signs_of(w, 8);
    if (code5(w) == 0x01) {
        sum(t, w, a, b, signs, bit(w, 6), bit(w, 58), bit(w, 5));
        return true;
    }
    if (code5(w) == 0x03 && field(w, 5, 4) == 15) {
        put(t, w, b);
        return true;
    }
    if (bit(w, 58))
        return false;
    switch (code5(w)) {
    case 0x00: {
        uint32_t factor = product(a, b, bit(w, 7), bit(w, 5), bit(w, 6)), d = reg(t, w, 14);
        if (bit(w, 6) && signs.a)
            return false;
        put(t, w, (signs.a ? 0 - factor : factor) + (signs.b ? 0 - d : d) + signs.one);
        return true;
    }
    case 0x02:
        put(t, w, product(a, b, bit(w, 7), bit(w, 5), bit(w, 6)));
        return true;
    case 0x07:
        if (bit(w, 5))
            return false;
        put(t, w, logic(field(w, 6, 2), bit(w, 9) ? ~a : a, bit(w, 8) ? ~b : b));
        return true;
    case 0x08:
        put(t, w, (a << field(w, 5, 5)) + b);
        return true;
    default:
        return false;
    }
}

/* ---- type 4: moves and predicates ---- */

static uint32_t permuted(uint32_t a, uint32_t how, uint32_t c, unsigned mode) {
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
    uint32_t a = operand_a(t, w), b = operand_b(t, w, false), all = 0, ones = 0;
    if (form(w) == FORM_CONSTANT_C && code6(w) != 0x09)
        return false;
    switch (code6(w)) {
    case 0x08:
        put(t, w, predicate(t, w, 49) ? a : b);
        return true;
    case 0x09:
        if (field(w, 5, 3) == 7)
            return false;
        put(t, w, permuted(a, b, operand_c(t, w), field(w, 5, 3)));
        return true;
    case 0x0a:
        if (field(w, 5, 4) != 15)
            return false;
        put(t, w, b);
        return true;
    case 0x0c:
        for (unsigned i = 0; i < 7; i++)
            all |= (uint32_t)t->p[i] << i;
        put(t, w, (a & ~b) | (all & b));
        return !bit(w, 5);
    case 0x0d:
        for (unsigned i = 0; i < 7; i++)
            t->p[i] = b >> i & 1 ? a >> i & 1 : t->p[i];
        return !bit(w, 5);
    case 0x15:
        for (uint32_t rest = (bit(w, 9) ? ~a : a) & (bit(w, 8) ? ~b : b); rest; rest &= rest - 1)
            ones++;
        put(t, w, ones);
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
