/* SPDX-License-Identifier: MIT */
/* PTX's video instructions: parts of a and b as numbers of unlimited size, and what becomes of the result with c. */
#include "reference/gf100_bits.h"
#include "reference/simd.h"

/* A byte (0 to 3), a half (4, 5) or all (6) of a register. */
static int64_t part(uint32_t value, unsigned select, bool is_signed) {
    if (select < 4)
        return number_of(value, 0, select, is_signed, false, false);
    return number_of(value, select < 6 ? 1 : 2, 2 * (select & 1), is_signed, false, false);
}

static int64_t source_b(const struct gm107_thread *t, uint64_t w) {
    uint32_t immediate = field(w, 26, 16);
    if (bit(w, 47))
        return part(reg(t, w, 26), field(w, 32, 3), bit(w, 5));
    return bit(w, 5) && immediate & 0x8000 ? (int64_t)immediate - 0x10000 : (int64_t)immediate;
}

static uint32_t merged(uint64_t w, uint32_t value, uint32_t c, bool is_signed) {
    int64_t x = extended(value, is_signed), y = extended(c, is_signed);
    switch (field(w, 55, 3)) {
    case 0:
        return value << 16 | (c & 0xffff);
    case 1:
        return (c >> 16) << 16 | (value & 0xffff);
    case 2:
        return (c & ~0xffu) | (value & 0xff);
    case 3:
        return (c & ~0xff0000u) | (value & 0xff) << 16;
    case 4:
        return value + c;
    case 5:
        return x < y ? value : c;
    case 6:
        return x < y ? c : value;
    default:
        return value;
    }
}

/* False: it has another code. */
static bool operated(uint64_t w, int64_t a, int64_t b, int64_t *out) {
    uint32_t by = (uint32_t)b;
    by = bit(w, 7) ? by & 31 : by < 32 ? by : 32;
    switch (code5(w)) {
    case 0x18:
        *out = field(w, 7, 2) == 3 ? a + b + 1 : (bit(w, 8) ? -a : a) + (bit(w, 7) ? -b : b);
        return true;
    case 0x19:
        *out = (a < b) == bit(w, 7) ? b : a;
        return true;
    case 0x1a:
        *out = a < b ? b - a : a - b;
        return true;
    case 0x1b:
        *out = integer_relation(a, b, field(w, 7, 3));
        return true;
    case 0x1c:
        *out = a >> by;
        return true;
    case 0x1d:
        *out = (int64_t)((uint64_t)a << by);
        return true;
    default:
        return false;
    }
}

/* UNKNOWN to this executor: what VMAD does with a sum beyond 64 bits; no factors here are that long. */
static bool product(struct gm107_thread *t, uint64_t w, int64_t a, int64_t b) {
    static const unsigned shifts[] = {0, 7, 15};
    bool is_signed = bit(w, 5) || bit(w, 6), negate = bit(w, 8), negate_c = bit(w, 7);
    if (field(w, 55, 2) == 3 || bit(w, 48) || !is_signed || bit(w, 9))
        return false; /* without signs 64 bits are too few for all sums */
    bool one = negate && negate_c;
    __extension__ __int128 c = (int32_t)reg(t, w, 49), value = (__int128)a * b;
    value = (negate && !one ? -value : value) + (negate_c && !one ? -c : c) + one;
    put(t, w, (uint32_t)(value >> shifts[field(w, 55, 2)]));
    return true;
}

/* ---- two or four values at a time ---- */

static bool set_digits(struct simd_how *how, uint64_t w, bool two) {
    const char *a = two ? "01" : simd_digits_a(field(w, 40, 4)), *b = two ? "22" : simd_digits_b(field(w, 36, 4));
    if (!a || !b || (!two && !bit(w, 47)))
        return false;
    for (unsigned i = 0; i < 4 && i < how->lanes; i++) {
        how->a[i] = two && bit(w, 47) ? (char)('0' + field(w, 40 + 2 * i, 2)) : a[i];
        how->b[i] = two && bit(w, 47) ? (char)('0' + field(w, 36 + 2 * i, 2)) : b[i];
    }
    if (two && !bit(w, 47)) {
        how->a[0] = field(w, 42, 2) & 1 ? '1' : '0';
        how->a[1] = field(w, 42, 2) & 2 ? '1' : '0';
    }
    return true;
}

static bool several(struct gm107_thread *t, uint64_t w) {
    unsigned code = code6(w) & 7;
    bool two = code6(w) & 8;
    uint32_t b = bit(w, 47) ? reg(t, w, 26) : field(w, 26, 16), c = code == 6 ? 0 : reg(t, w, 49);
    struct simd_how how = {.lanes = two ? 2 : 4,
                           .mask = field(w, 55, 2) | (two ? 0 : field(w, 34, 2) << 2),
                           .merge = field(w, 44, 3),
                           .compare = field(w, 7, 3),
                           .sign_a = bit(w, 6),
                           .sign_b = bit(w, 5) && code != 4 && code != 5,
                           .sign_d = bit(w, 57) && code != 3,
                           .saturates = bit(w, 9) && code != 3,
                           .wraps = bit(w, 7),
                           .choice = predicate(t, w, 49)};
    if (code == 7 || how.merge == 3 || how.merge == 7 || bit(w, 48) || !set_digits(&how, w, two))
        return false;
    how.operation = code == 0 ? "+-rv"[field(w, 7, 2)] : code == 1 ? "<>"[field(w, 7, 1)] : "+<dcRL?"[code];
    put(t, w, simd_of(&how, operand_a(t, w), b, c));
    return true;
}

bool reference_gf100_video(struct gm107_thread *t, uint64_t w) {
    unsigned select = field(w, 44, 3);
    int64_t value;
    if (code6(w) >= 0x20 && code6(w) < 0x30)
        return several(t, w);
    if (code5(w) < 0x18 || select == 7 || (bit(w, 47) && field(w, 32, 3) == 7))
        return false;
    int64_t a = part(operand_a(t, w), select, bit(w, 6)), b = source_b(t, w);
    if (code5(w) == 0x1e)
        return product(t, w, a, b);
    if (code5(w) == 0x1f) {
        if (field(w, 53, 2) == 3)
            return false;
        put_predicates(t, w, integer_relation(a, b, field(w, 7, 3)));
        return true;
    }
    if (bit(w, 48) || !operated(w, a, b, &value))
        return false;
    bool is_signed = code5(w) != 0x1b && bit(w, 42);
    if (code5(w) != 0x1b && bit(w, 9))
        value = clamped(value, is_signed);
    put(t, w, merged(w, (uint32_t)value, reg(t, w, 49), is_signed));
    return true;
}
