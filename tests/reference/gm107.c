/* SPDX-License-Identifier: MIT */
#include "reference/numbers.h"
#include "reference/simd.h"

static void set_flags(struct gm107_thread *t, uint32_t value, bool carry, bool overflow) {
    t->zero = !value;
    t->sign = value >> 31;
    t->carry = carry;
    t->overflow = overflow;
}

/* a + b, or with one of them inverted and one more, or one more of both. */
static void sum(struct gm107_thread *t, uint64_t w, uint32_t a, uint32_t b, bool negate_a, bool negate_b, bool one,
                bool use_carry, bool flags, bool saturate) {
    a = negate_a ? ~a : a;
    b = negate_b ? ~b : b;
    uint64_t more = use_carry ? t->carry + (uint64_t)one : (uint64_t)(negate_a || negate_b || one);
    uint64_t wide = (uint64_t)a + b + more;
    int64_t exact = (int64_t)(int32_t)a + (int32_t)b + (int64_t)more;
    uint32_t value = (uint32_t)wide;
    bool overflow = exact != (int32_t)value;
    if (saturate)
        value = exact > INT32_MAX ? 0x7fffffff : exact < INT32_MIN ? 0x80000000 : value;
    write(t, w, value);
    if (flags)
        set_flags(t, value, wide >> 32 & 1, overflow);
}

static bool integer_compared(int64_t a, int64_t b, unsigned how) {
    return (how & (a < b ? 1u : a == b ? 2u : 4u)) != 0;
}

static uint32_t reversed(uint32_t value) {
    uint32_t out = 0;
    for (unsigned i = 0; i < 32; i++)
        out |= (value >> i & 1) << (31 - i);
    return out;
}

static uint32_t extracted(uint32_t value, uint32_t how, bool is_signed) {
    unsigned at = how & 0xff, bits = how >> 8 & 0xff;
    uint32_t out = 0, last = 0;
    for (unsigned i = 0; i < 32 && bits; i++) {
        if (i < bits)
            last = at + i < 32 ? value >> (at + i) & 1 : is_signed ? value >> 31 : 0;
        out |= (i < bits || is_signed ? last : 0) << i;
    }
    return out;
}

static uint32_t inserted(uint32_t value, uint32_t how, uint32_t into) {
    unsigned at = how & 0xff, bits = how >> 8 & 0xff;
    for (unsigned i = 0; i < bits && at + i < 32; i++)
        into = (into & ~(1u << (at + i))) | (i < 32 ? value >> i & 1 : 0) << (at + i);
    return into;
}

static uint32_t shifted_right(uint32_t a, uint32_t by, bool is_signed, bool wrap) {
    by = wrap ? by & 31 : by;
    if (by > 31)
        return is_signed && a >> 31 ? UINT32_MAX : 0;
    return (uint32_t)(extended(a, is_signed) >> by);
}

static bool logic(struct gm107_thread *t, uint64_t w, uint32_t a, uint32_t b, unsigned how) {
    uint32_t value = how == 0 ? a & b : how == 1 ? a | b : how == 2 ? a ^ b : b;
    write(t, w, value);
    return value != 0;
}

static uint32_t permuted(uint32_t a, uint32_t how, uint32_t c) {
    uint64_t pool = (uint64_t)c << 32 | a;
    uint32_t out = 0;
    for (unsigned i = 0; i < 4; i++) {
        unsigned nibble = how >> 4 * i & 15, byte = (unsigned)(pool >> 8 * (nibble & 7)) & 0xff;
        if (nibble & 8)
            byte = byte & 0x80 ? 0xff : 0;
        out |= byte << 8 * i;
    }
    return out;
}

/* What has a, b and d, and no flags. */
static bool integers(struct gm107_thread *t, uint64_t w) {
    uint32_t a = t->r[field(w, 8, 8)], b = second(t, w, false);
    bool is_signed = bit(w, 48);
    if (is(w, 0x5c18, 0x3818, 0xfff8)) {
        bool both = bit(w, 48) && bit(w, 49);
        sum(t, w, a << field(w, 39, 5), b, bit(w, 49) && !both, bit(w, 48) && !both, both, false, false, false);
    } else if (is(w, 0x5c38, 0x3838, 0xfff8)) {
        /* the low half is the same whatever the signs, the high one takes 128 bits' care of two unsigned factors */
        uint64_t low = (uint64_t)a * b;
        uint32_t high = (uint32_t)(low >> 32);
        high -= bit(w, 40) && a >> 31 ? b : 0;
        high -= bit(w, 41) && b >> 31 ? a : 0;
        write(t, w, bit(w, 39) ? high : (uint32_t)low);
    } else if (top(w, 0x1f00, 0xff00) && !bit(w, 52)) {
        write(t, w, product_of(a, field(w, 20, 32), bit(w, 54), bit(w, 55), bit(w, 53)));
    } else if (is(w, 0x5c20, 0x3820, 0xfff8) && !field(w, 43, 2)) {
        bool less = extended(a, is_signed) < extended(b, is_signed);
        write(t, w, less == predicate(t, w, 39) ? a : b);
    } else if (is(w, 0x5b50, 0x3650, 0xfff0) && !bit(w, 43)) {
        set(t, w, integer_compared(extended(a, is_signed), extended(b, is_signed), field(w, 49, 3)), bit(w, 44));
    } else if (is(w, 0x5c48, 0x3848, 0xfff8)) {
        write(t, w, bit(w, 39) ? a << (b & 31) : b < 32 ? a << b : 0);
    } else if (is(w, 0x5c28, 0x3828, 0xfff8)) {
        write(t, w, shifted_right(bit(w, 40) ? reversed(a) : a, b, is_signed, bit(w, 39)));
    } else if (is(w, 0x5c00, 0x3800, 0xfff8)) {
        write(t, w, extracted(bit(w, 40) ? reversed(a) : a, b, is_signed));
    } else if (is(w, 0x5c40, 0x3840, 0xfff8)) {
        bool some = logic(t, w, bit(w, 39) ? ~a : a, bit(w, 40) ? ~b : b, field(w, 41, 2));
        unsigned test = field(w, 44, 2);
        write_predicate(t, field(w, 48, 3), test == 1 || (test == 2 && !some) || (test == 3 && some));
    } else {
        return false;
    }
    return true;
}

/* Those with three sources. */
static bool triples(struct gm107_thread *t, uint64_t w) {
    uint32_t a = t->r[field(w, 8, 8)], b = middle(t, w, false), c = third(t, w);
    if (is3(w, 0x5b40, 0x5340, 0x3640, 0xfff0)) {
        write(t, w, integer_compared(extended(c, bit(w, 48)), 0, field(w, 49, 3)) ? a : b);
    } else if (is3(w, 0x5bf0, 0x53f0, 0x36f0, 0xfff8) && !bit(w, 47)) {
        write(t, w, inserted(a, b, c));
    } else if (is3(w, 0x5bc0, 0x53c0, 0x36c0, 0xfff0) && field(w, 48, 4) < 7) {
        write(t, w, field(w, 48, 4) ? permuted_bytes(a, b, c, field(w, 48, 4)) : permuted(a, b, c));
    } else if (top(w, 0x5be0, 0xfff8) && !bit(w, 47)) {
        uint32_t value = 0;
        for (unsigned i = 0; i < 32; i++)
            value |= (field(w, 28, 8) >> ((a >> i & 1) * 4 + (b >> i & 1) * 2 + (c >> i & 1)) & 1) << i;
        write(t, w, value);
        unsigned test = field(w, 36, 2);
        write_predicate(t, field(w, 48, 3), test == 1 || (test == 2 && !value) || (test == 3 && value));
    } else {
        return false;
    }
    return true;
}

/* The multiplier of 16 bits, where one register's half meets another's. */
static bool halves(struct gm107_thread *t, uint64_t w) {
    uint32_t a = t->r[field(w, 8, 8)], b, c = t->r[field(w, 39, 8)];
    bool high_b = false, shift = bit(w, 36), merge = bit(w, 37), carry = bit(w, 38);
    unsigned mode = field(w, 50, 3);
    if (top(w, 0x5b00, 0xffc0)) {
        b = t->r[field(w, 20, 8)];
        high_b = bit(w, 35);
    } else if (top(w, 0x3600, 0xfec0)) {
        b = field(w, 20, 16);
    } else if (top(w, 0x5100, 0xff80) || top(w, 0x4e00, 0xfe00)) {
        bool last = top(w, 0x5100, 0xff80);
        b = last ? c : constant(t, w);
        c = last ? constant(t, w) : c;
        high_b = bit(w, 52);
        shift = !last && bit(w, 55);
        merge = !last && bit(w, 56);
        carry = bit(w, 54);
        mode = field(w, 50, 2);
    } else {
        return false;
    }
    if (mode > 2 && mode != 4)
        return false; /* the mode of signed products */
    int64_t x = bit(w, 53) ? a >> 16 : a & 0xffff, y = high_b ? b >> 16 : b & 0xffff;
    x = bit(w, 48) && x & 0x8000 ? x - 0x10000 : x;
    y = bit(w, 49) && y & 0x8000 ? y - 0x10000 : y;
    uint32_t product = (uint32_t)(x * y) << (shift ? 16 : 0);
    c = mode == 1 ? c & 0xffff : mode == 2 ? c >> 16 : mode == 4 ? c + (b << 16) : c;
    if (carry || bit(w, 47))
        return false;
    product += c;
    write(t, w, merge ? (product & 0xffff) | b << 16 : product);
    return true;
}

/* What has a 32-bit immediate, predicates for sources, or one source. */
static bool others(struct gm107_thread *t, uint64_t w) {
    uint32_t a = t->r[field(w, 8, 8)], b = second(t, w, false), imm = field(w, 20, 32);
    if (top(w, 0x0400, 0xfc00) && !bit(w, 52)) {
        logic(t, w, bit(w, 55) ? ~a : a, bit(w, 56) ? ~imm : imm, field(w, 53, 2));
    } else if (top(w, 0x1400, 0xfc00) && !bit(w, 52)) {
        write(t, w, (a << field(w, 53, 5)) + imm);
    } else if (top(w, 0x0100, 0xfff0)) {
        if (field(w, 12, 4) != 15)
            return false;
        write(t, w, imm);
    } else if (is(w, 0x5ca0, 0x38a0, 0xfff8)) {
        write(t, w, predicate(t, w, 39) ? a : b);
    } else if (is(w, 0x5c08, 0x3808, 0xfff8)) {
        uint32_t count = 0;
        for (b = bit(w, 40) ? ~b : b; b; b &= b - 1)
            count++;
        write(t, w, count);
    } else if (is(w, 0x5c98, 0x3898, 0xfff8) && field(w, 39, 4) == 15) {
        write(t, w, b);
    } else if (top(w, 0x5090, 0xfff8)) {
        bool x = predicate(t, w, 12), y = predicate(t, w, 29), z = predicate(t, w, 39);
        write_predicate(t, field(w, 3, 3), combined(field(w, 45, 2), combined(field(w, 24, 2), x, y), z));
        write_predicate(t, field(w, 0, 3), combined(field(w, 45, 2), combined(field(w, 24, 2), !x, y), z));
    } else {
        return false;
    }
    return true;
}

/* VABSDIFF4. */
static bool differences(struct gm107_thread *t, uint64_t w) {
    const char *a = simd_digits_a(field(w, 32, 4)), *b = simd_digits_b(field(w, 28, 4));
    struct simd_how how = {.operation = 'd',
                           .lanes = 4,
                           .mask = field(w, 51, 2) | field(w, 36, 2) << 2,
                           .merge = field(w, 53, 2) * 4,
                           .sign_a = bit(w, 48),
                           .sign_b = bit(w, 49),
                           .sign_d = bit(w, 38),
                           .saturates = bit(w, 50)};
    if (!top(w, 0x5000, 0xff80) || !a || !b || field(w, 53, 2) > 1)
        return false;
    memcpy(how.a, a, 4);
    memcpy(how.b, b, 4);
    write(t, w, simd_of(&how, t->r[field(w, 8, 8)], t->r[field(w, 20, 8)], t->r[field(w, 39, 8)]));
    return true;
}

static bool execute(struct gm107_thread *t, uint64_t w) {
    uint32_t a = t->r[field(w, 8, 8)];
    if (is(w, 0x5c10, 0x3810, 0xfff8)) {
        bool both = bit(w, 48) && bit(w, 49);
        sum(t, w, a, second(t, w, false), bit(w, 49) && !both, bit(w, 48) && !both, both, bit(w, 43), bit(w, 47),
            bit(w, 50));
        return true;
    }
    if (top(w, 0x1c00, 0xfe80)) {
        sum(t, w, a, field(w, 20, 32), bit(w, 56), false, false, bit(w, 53), bit(w, 52), bit(w, 54));
        return true;
    }
    if (is(w, 0x5b60, 0x3660, 0xfff0)) {
        int64_t x = extended(a, bit(w, 48)), y = extended(second(t, w, false), bit(w, 48));
        unsigned how = field(w, 49, 3);
        set_predicates(t, w, bit(w, 43) ? high_relation(t, x, y, how) : integer_compared(x, y, how));
        return true;
    }
    return reference_gm107_float(t, w) || reference_gm107_convert(t, w) || reference_gm107_double(t, w) ||
           (!bit(w, 47) && integers(t, w)) || triples(t, w) || halves(t, w) || differences(t, w) || others(t, w);
}

bool reference_gm107_step(struct gm107_thread *thread, uint64_t word) {
    struct gm107_thread untouched = *thread;
    bool runs = predicate(thread, word, 16);
    bool known = execute(thread, word);
    if (!known || !runs)
        *thread = untouched;
    return known;
}
