/* SPDX-License-Identifier: MIT */
/* Sums and products of integers, with carries. */
#include "engine/shade/interpret/core.h"
#include "engine/shade/interpret/value.h"

/*
 * x + y + ones + carry, and what follows from it. A subtrahend comes inverted, with a 1 in `ones` (which the carry
 * takes the place of in the forms .X), so that the carry out is that of 33 bits.
 */
static void add(struct shade_warp *warp, const struct ir *ir, uint32_t lanes, const uint32_t *x, const uint32_t *y,
                uint32_t ones) {
    shade_row in, out;
    if (!ir->write_flags && !ir->saturate && !ir->carry_in) {
        for (unsigned i = 0; i < SHADE_LANES; i++)
            out[i] = x[i] + y[i] + ones;
        shade_write(warp, ir->d, lanes, out);
        return;
    }
    shade_spread(ir->carry_in ? warp->carry : 0, 1, in);
    uint32_t carry = 0, overflow = 0;
    for (unsigned i = 0; i < SHADE_LANES; i++) {
        uint64_t all = (uint64_t)x[i] + y[i] + ones + in[i];
        int64_t exact = (int64_t)(int32_t)x[i] + (int32_t)y[i] + (int64_t)ones + in[i];
        bool low = exact<INT32_MIN, high = exact> INT32_MAX;
        carry |= all >> 32 & 1 ? shade_bit[i] : 0;
        overflow |= low || high ? shade_bit[i] : 0;
        uint32_t value = (uint32_t)all;
        if (ir->saturate)
            value = low ? 0x80000000 : high ? 0x7fffffff : value;
        out[i] = value;
    }
    if (ir->write_flags)
        shade_flags(warp, lanes, out, carry, overflow);
    shade_write(warp, ir->d, lanes, out);
}

/* A summand: inverted if negated. *ones: grows by the 1 that makes it a difference, but with a carry. */
static const uint32_t *summand(const struct ir *ir, bool negate, const uint32_t *row, uint32_t *room, uint32_t *ones) {
    if (!negate)
        return row;
    *ones += !ir->carry_in;
    for (unsigned i = 0; i < SHADE_LANES; i++)
        room[i] = ~row[i];
    return room;
}

/* A source without its sign. */
static const uint32_t *unsigned_source(const struct shade_warp *warp, const struct ir_source *source, uint32_t *room) {
    struct ir_source plain = *source;
    plain.negate = false;
    return shade_integer(warp, &plain, room);
}

bool shade_iadd(struct shade_warp *warp, const struct ir *ir, uint32_t lanes) {
    shade_row room_a, room_b;
    uint32_t ones = ir->plus_one;
    const uint32_t *a = unsigned_source(warp, &ir->a, room_a), *b = unsigned_source(warp, &ir->b, room_b);
    a = summand(ir, ir->a.negate && !ir->plus_one, a, room_a, &ones);
    b = summand(ir, ir->b.negate && !ir->plus_one, b, room_b, &ones);
    add(warp, ir, lanes, a, b, ones);
    return true;
}

bool shade_iscadd(struct shade_warp *warp, const struct ir *ir, uint32_t lanes) {
    shade_row room_a, room_b, shifted;
    uint32_t ones = ir->plus_one;
    const uint32_t *a = unsigned_source(warp, &ir->a, room_a), *b = unsigned_source(warp, &ir->b, room_b);
    for (unsigned i = 0; i < SHADE_LANES; i++)
        shifted[i] = a[i] << (ir->shift & 31);
    a = summand(ir, ir->a.negate && !ir->plus_one, shifted, shifted, &ones);
    b = summand(ir, ir->b.negate && !ir->plus_one, b, room_b, &ones);
    add(warp, ir, lanes, a, b, ones);
    return true;
}

/* A part of IADD3, then its sign: inverted with a carry, else as two's complement. */
static void third(const struct shade_warp *warp, const struct ir *ir, const struct ir_source *source, uint32_t *out) {
    shade_row room;
    const uint32_t *row = shade_part(warp, source, IR_U32, room);
    for (unsigned i = 0; i < SHADE_LANES; i++)
        out[i] = source->negate ? ir->carry_in ? ~row[i] : 0 - row[i] : row[i];
}

bool shade_iadd3(struct shade_warp *warp, const struct ir *ir, uint32_t lanes) {
    shade_row a, b, c, in, out;
    uint32_t carry = 0, overflow = 0;
    third(warp, ir, &ir->a, a);
    third(warp, ir, &ir->b, b);
    third(warp, ir, &ir->c, c);
    shade_spread(ir->carry_in ? warp->carry : 0, 1, in);
    for (unsigned i = 0; i < SHADE_LANES; i++) {
        uint64_t sum = (uint64_t)a[i] + b[i];
        uint32_t moved = (uint32_t)(ir->mode == 1 ? sum >> 16 : ir->mode == 2 ? sum << 16 : sum);
        uint64_t all = ir->mode ? (uint64_t)moved + c[i] + in[i] : sum + c[i] + in[i];
        int64_t left = ir->mode ? (int32_t)moved : (int64_t)(int32_t)a[i] + (int32_t)b[i];
        int64_t exact = left + (int32_t)c[i] + in[i];
        carry |= all >> 32 ? shade_bit[i] : 0; /* UNKNOWN: of two carries. Taken as one. */
        overflow |= exact != (int32_t)exact ? shade_bit[i] : 0;
        out[i] = (uint32_t)all;
    }
    if (ir->write_flags)
        shade_flags(warp, lanes, out, carry, overflow);
    shade_write(warp, ir->d, lanes, out);
    return true;
}

/* A shifted source as a summand of LEA; p is the carry. */
static void lea(struct shade_warp *warp, const struct ir *ir, uint32_t lanes, const uint32_t *shifted) {
    shade_row room, in, out;
    const uint32_t *b = shade_integer(warp, &ir->b, room);
    uint32_t carry = 0, overflow = 0, flip = ir->a.negate ? SHADE_ALL : 0;
    bool one = ir->a.negate && !ir->carry_in;
    shade_spread(ir->carry_in ? warp->carry : 0, 1, in);
    for (unsigned i = 0; i < SHADE_LANES; i++) {
        uint32_t x = shifted[i] ^ flip;
        uint64_t all = (uint64_t)x + b[i] + one + in[i];
        int64_t exact = (int64_t)(int32_t)x + (int32_t)b[i] + one + in[i];
        carry |= all >> 32 & 1 ? shade_bit[i] : 0;
        overflow |= exact != (int32_t)exact ? shade_bit[i] : 0;
        out[i] = (uint32_t)all;
    }
    if (ir->write_flags)
        shade_flags(warp, lanes, out, carry, overflow);
    shade_write_predicate(warp, ir->p, lanes, carry);
    shade_write(warp, ir->d, lanes, out);
}

bool shade_lea(struct shade_warp *warp, const struct ir *ir, uint32_t lanes) {
    shade_row room, shifted;
    const uint32_t *a = unsigned_source(warp, &ir->a, room);
    for (unsigned i = 0; i < SHADE_LANES; i++)
        shifted[i] = a[i] << (ir->shift & 31);
    lea(warp, ir, lanes, shifted);
    return true;
}

bool shade_lea_hi(struct shade_warp *warp, const struct ir *ir, uint32_t lanes) {
    shade_row room_a, room_c, shifted;
    const uint32_t *a = unsigned_source(warp, &ir->a, room_a), *c = shade_integer(warp, &ir->c, room_c);
    for (unsigned i = 0; i < SHADE_LANES; i++)
        shifted[i] = (uint32_t)(((uint64_t)c[i] << 32 | a[i]) >> (32 - (ir->shift & 31)));
    lea(warp, ir, lanes, shifted);
    return true;
}

static uint64_t product(uint32_t a, uint32_t b, bool signed_a, bool signed_b) {
    uint64_t x = signed_a ? (uint64_t)(int64_t)(int32_t)a : a, y = signed_b ? (uint64_t)(int64_t)(int32_t)b : b;
    return x * y;
}

/* Half of the products of a and b, negated if one of them is. */
static void products(const struct shade_warp *warp, const struct ir *ir, uint32_t *out) {
    shade_row room_a, room_b;
    const uint32_t *a = unsigned_source(warp, &ir->a, room_a), *b = unsigned_source(warp, &ir->b, room_b);
    bool signed_a = ir->type & 1, signed_b = ir->source_type & 1, negate = ir->a.negate != ir->b.negate;
    if (!ir->high) {
        for (unsigned i = 0; i < SHADE_LANES; i++)
            out[i] = a[i] * b[i];
        if (negate)
            for (unsigned i = 0; i < SHADE_LANES; i++)
                out[i] = 0 - out[i];
        return;
    }
    for (unsigned i = 0; i < SHADE_LANES; i++) {
        uint64_t whole = product(a[i], b[i], signed_a, signed_b);
        out[i] = (uint32_t)((negate ? 0 - whole : whole) >> 32);
    }
}

bool shade_imul(struct shade_warp *warp, const struct ir *ir, uint32_t lanes) {
    shade_row out;
    products(warp, ir, out);
    if (ir->write_flags)
        shade_flags(warp, lanes, out, 0, 0);
    shade_write(warp, ir->d, lanes, out);
    return true;
}

bool shade_imad(struct shade_warp *warp, const struct ir *ir, uint32_t lanes) {
    shade_row room, out;
    uint32_t ones = ir->plus_one;
    products(warp, ir, out);
    const uint32_t *c = unsigned_source(warp, &ir->c, room);
    c = summand(ir, ir->c.negate && !ir->plus_one, c, room, &ones);
    add(warp, ir, lanes, out, c, ones);
    return true;
}

/* A part of `bits` bits (24, 16 or 32) from bit `from` on. */
static uint32_t part_of(uint32_t value, unsigned from, unsigned bits, bool is_signed) {
    value = value >> from << (32 - bits);
    return is_signed ? (uint32_t)((int32_t)value >> (32 - bits)) : value >> (32 - bits);
}

/* Parts by number: 0 whole, 1 the low 24 bits, 2 the low, 3 the high half. */
static uint32_t numbered(uint32_t value, unsigned part, bool is_signed) {
    static const uint8_t from[] = {0, 0, 0, 16}, bits[] = {32, 24, 16, 16};
    return part_of(value, from[part & 3], bits[part & 3], is_signed);
}

/*
 * Source: Mesa nak sm32.rs, sm20.rs (OpIMadSp): the bit for the part of b is 1 for 24 bits, and not as NVIDIA's
 * disassembler has it; c is signed if one of the others is.
 */
bool shade_imadsp(struct shade_warp *warp, const struct ir *ir, uint32_t lanes) {
    static const uint8_t second[] = {2, 1, 2, 1}, third_part[] = {0, 1, 2, 0};
    shade_row room_a, room_b, room_c, out;
    const uint32_t *a = shade_bits(warp, &ir->a, room_a), *b = shade_bits(warp, &ir->b, room_b);
    const uint32_t *c = shade_bits(warp, &ir->c, room_c);
    unsigned ta = ir->mode & 7, tb = ir->mode >> 4 & 3, tc = ir->mode >> 8 & 3;
    for (unsigned i = 0; i < SHADE_LANES; i++) {
        uint32_t x, y, z;
        if (ir->extended) { /* the types are in b's top bits (nak ir.rs, OpIMadSp) */
            x = numbered(a[i], b[i] >> 30, false);
            y = numbered(b[i], second[b[i] >> 28 & 3], false);
            z = numbered(c[i], third_part[b[i] >> 26 & 3], false);
        } else {
            x = numbered(a[i], ta >> 1, ta & 1);
            y = numbered(b[i], 2 - (tb >> 1), tb & 1);
            z = numbered(c[i], tc == 3 ? 2 : tc, (ta | tb) & 1);
        }
        out[i] = x * y + z;
    }
    if (ir->write_flags)
        shade_flags(warp, lanes, out, 0, 0);
    shade_write(warp, ir->d, lanes, out);
    return true;
}

/* What is added to the product of x and y. */
static void xmad_addend(const struct ir *ir, const uint32_t *x, const uint32_t *y, const uint32_t *b, uint32_t *z) {
    switch (ir->xmad.c) {
    case 1:
        for (unsigned i = 0; i < SHADE_LANES; i++)
            z[i] &= 0xffff;
        break;
    case 2:
        for (unsigned i = 0; i < SHADE_LANES; i++)
            z[i] >>= 16;
        break;
    /* UNKNOWN: when one of them is 0; corrected only if neither is. */
    case 3:
        for (unsigned i = 0; i < SHADE_LANES; i++)
            z[i] -= x[i] && y[i] ? ((x[i] >> 31) + (y[i] >> 31)) << 16 : 0;
        break;
    case 4:
        for (unsigned i = 0; i < SHADE_LANES; i++)
            z[i] += b[i] << 16;
        break;
    default:
        break;
    }
}

/* Flags of m + z + in. */
static void xmad_flags(struct shade_warp *warp, uint32_t lanes, const uint32_t *m, const uint32_t *z,
                       const uint32_t *in, const uint32_t *out) {
    uint32_t carry = 0, overflow = 0;
    for (unsigned i = 0; i < SHADE_LANES; i++) {
        uint64_t all = (uint64_t)m[i] + z[i] + in[i];
        int64_t exact = (int64_t)(int32_t)m[i] + (int32_t)z[i] + in[i];
        carry |= all >> 32 ? shade_bit[i] : 0;
        overflow |= exact != (int32_t)exact ? shade_bit[i] : 0;
    }
    shade_flags(warp, lanes, out, carry, overflow);
}

/* 16 bits times 16 bits plus 32 bits, the multiplication of Maxwell. */
bool shade_xmad(struct shade_warp *warp, const struct ir *ir, uint32_t lanes) {
    shade_row room_a, room_b, room_c, in, x, y, z, m, out;
    const uint32_t *a = shade_bits(warp, &ir->a, room_a), *b = shade_bits(warp, &ir->b, room_b);
    const uint32_t *c = shade_bits(warp, &ir->c, room_c);
    unsigned shift_a = ir->xmad.high_a ? 16 : 0, shift_b = ir->xmad.high_b ? 16 : 0;
    uint32_t top_a = ir->type & 1 ? 0x8000 : 0, top_b = ir->source_type & 1 ? 0x8000 : 0;
    unsigned shift = ir->xmad.shift_product ? 16 : 0;
    shade_spread(ir->carry_in ? warp->carry : 0, 1, in);
    for (unsigned i = 0; i < SHADE_LANES; i++) {
        x[i] = ((a[i] >> shift_a & 0xffff) ^ top_a) - top_a;
        y[i] = ((b[i] >> shift_b & 0xffff) ^ top_b) - top_b;
        z[i] = c[i];
    }
    xmad_addend(ir, x, y, b, z);
    for (unsigned i = 0; i < SHADE_LANES; i++) {
        m[i] = x[i] * y[i] << shift;
        out[i] = m[i] + z[i] + in[i];
    }
    if (ir->xmad.merge)
        for (unsigned i = 0; i < SHADE_LANES; i++)
            out[i] = (out[i] & 0xffff) | b[i] << 16;
    if (ir->write_flags)
        xmad_flags(warp, lanes, m, z, in, out);
    shade_write(warp, ir->d, lanes, out);
    return true;
}

bool shade_isad(struct shade_warp *warp, const struct ir *ir, uint32_t lanes) {
    shade_row room_a, room_b, room_c, out;
    const uint32_t *a = shade_integer(warp, &ir->a, room_a), *b = shade_integer(warp, &ir->b, room_b);
    const uint32_t *c = shade_integer(warp, &ir->c, room_c);
    uint32_t top = ir->type & 1 ? 0x80000000 : 0;
    for (unsigned i = 0; i < SHADE_LANES; i++) {
        bool less = (a[i] ^ top) < (b[i] ^ top);
        out[i] = (less ? b[i] - a[i] : a[i] - b[i]) + c[i];
    }
    if (ir->write_flags)
        shade_flags(warp, lanes, out, 0, 0);
    shade_write(warp, ir->d, lanes, out);
    return true;
}

/* Dot products of bytes, or of halves and bytes (GP10x). */
bool shade_idp(struct shade_warp *warp, const struct ir *ir, uint32_t lanes) {
    shade_row room_a, room_b, room_c, out;
    const uint32_t *a = shade_bits(warp, &ir->a, room_a), *b = shade_bits(warp, &ir->b, room_b);
    const uint32_t *c = shade_bits(warp, &ir->c, room_c);
    bool two = ir->mode & 1, high = ir->mode & 4, signed_a = ir->mode & 2, signed_b = ir->source_type & 1;
    if (high && !two)
        return shade_not_executed(warp, ir, lanes);
    for (unsigned i = 0; i < SHADE_LANES; i++) {
        uint32_t sum = c[i];
        for (unsigned k = 0; k < (two ? 2 : 4); k++) {
            uint32_t x = part_of(a[i], two ? 16 * k : 8 * k, two ? 16 : 8, signed_a);
            sum += x * part_of(b[i], 8 * k + (high ? 16 : 0), 8, signed_b);
        }
        out[i] = sum;
    }
    shade_write(warp, ir->d, lanes, out);
    return true;
}

/* ---- comparisons ---- */

/* Of integers, bits 0 .. 2 say what is true; all three are. */
static uint32_t compared(const uint32_t *a, const uint32_t *b, bool is_signed, unsigned compare) {
    uint32_t less = 0, equal = 0, top = is_signed ? 0x80000000 : 0;
    for (unsigned i = 0; i < SHADE_LANES; i++) {
        less |= (a[i] ^ top) < (b[i] ^ top) ? shade_bit[i] : 0;
        equal |= a[i] == b[i] ? shade_bit[i] : 0;
    }
    return (compare & IR_LT ? less : 0) | (compare & IR_EQ ? equal : 0) | (compare & IR_GT ? ~(less | equal) : 0);
}

/*
 * IMNMX of integers of several words: XHI, XMED ..., XLO. UNKNOWN: how the flags carry the order of higher words;
 * chosen: Z if they are equal, S if a is less. Words below the highest have no sign, whatever the type says [driver].
 */
static bool least_of_words(struct shade_warp *warp, const struct ir *ir, uint32_t lanes) {
    enum { XHI = 3 };
    shade_row room_a, room_b, out, order;
    const uint32_t *a = shade_integer(warp, &ir->a, room_a), *b = shade_integer(warp, &ir->b, room_b);
    bool highest = ir->mode == XHI;
    uint32_t less = compared(a, b, highest && (ir->type & 1), IR_LT), equal = compared(a, b, false, IR_EQ);
    uint32_t least = shade_p(warp, ir);
    if (!highest) {
        less = (less & warp->zero) | (warp->sign & ~warp->zero);
        equal &= warp->zero;
    }
    for (unsigned i = 0; i < SHADE_LANES; i++) {
        out[i] = (less ^ least) & shade_bit[i] ? b[i] : a[i];
        order[i] = equal & shade_bit[i] ? 0 : less & shade_bit[i] ? UINT32_MAX : 1;
    }
    if (ir->write_flags)
        shade_flags(warp, lanes, order, 0, 0);
    shade_write(warp, ir->d, lanes, out);
    return true;
}

bool shade_imnmx(struct shade_warp *warp, const struct ir *ir, uint32_t lanes) {
    if (ir->mode)
        return least_of_words(warp, ir, lanes);
    shade_row room_a, room_b, out;
    const uint32_t *a = shade_integer(warp, &ir->a, room_a), *b = shade_integer(warp, &ir->b, room_b);
    uint32_t top = ir->type & 1 ? 0x80000000 : 0, least = shade_p(warp, ir);
    for (unsigned i = 0; i < SHADE_LANES; i++) {
        bool less = (a[i] ^ top) < (b[i] ^ top);
        uint32_t low = less ? a[i] : b[i], high = less ? b[i] : a[i];
        out[i] = least & shade_bit[i] ? low : high;
    }
    if (ir->write_flags)
        shade_flags(warp, lanes, out, 0, 0);
    shade_write(warp, ir->d, lanes, out);
    return true;
}

/* The high words of 64 bits, whose low words have left their borrow and Z in the flags. */
static uint32_t compared_high(const struct shade_warp *warp, const uint32_t *a, const uint32_t *b, bool is_signed,
                              unsigned compare) {
    uint32_t less = 0, equal = 0;
    for (unsigned i = 0; i < SHADE_LANES; i++) {
        int64_t x = is_signed ? (int64_t)(int32_t)a[i] : (int64_t)a[i];
        int64_t y = is_signed ? (int64_t)(int32_t)b[i] : (int64_t)b[i];
        int64_t t = x - y - (warp->carry & shade_bit[i] ? 0 : 1);
        less |= t < 0 ? shade_bit[i] : 0;
        equal |= t == 0 ? shade_bit[i] : 0;
    }
    equal &= warp->zero;
    return (compare & IR_LT ? less : 0) | (compare & IR_EQ ? equal : 0) | (compare & IR_GT ? ~(less | equal) : 0);
}

static uint32_t comparison(const struct shade_warp *warp, const struct ir *ir) {
    shade_row room_a, room_b;
    const uint32_t *a = shade_integer(warp, &ir->a, room_a), *b = shade_integer(warp, &ir->b, room_b);
    bool is_signed = ir->type & 1;
    return ir->carry_in ? compared_high(warp, a, b, is_signed, ir->compare) : compared(a, b, is_signed, ir->compare);
}

bool shade_iset(struct shade_warp *warp, const struct ir *ir, uint32_t lanes) {
    shade_set(warp, ir, lanes, comparison(warp, ir));
    return true;
}

bool shade_isetp(struct shade_warp *warp, const struct ir *ir, uint32_t lanes) {
    shade_setp(warp, ir, lanes, comparison(warp, ir));
    return true;
}

bool shade_icmp(struct shade_warp *warp, const struct ir *ir, uint32_t lanes) {
    shade_row room_a, room_b, room_c, out;
    const uint32_t *a = shade_bits(warp, &ir->a, room_a), *b = shade_bits(warp, &ir->b, room_b);
    const uint32_t *c = shade_integer(warp, &ir->c, room_c);
    uint32_t m = compared(c, warp->registers[IR_ZERO], ir->type & 1, ir->compare);
    for (unsigned i = 0; i < SHADE_LANES; i++)
        out[i] = m & shade_bit[i] ? a[i] : b[i];
    shade_write(warp, ir->d, lanes, out);
    return true;
}
