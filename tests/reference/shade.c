/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "reference/shade.h"

/* ---- sources and destinations ---- */

uint32_t reference_shade_raw(const struct shade_thread *thread, const struct ir_source *source, unsigned word) {
    uint32_t value = 0;
    if (source->kind == IR_REGISTER && source->value != IR_ZERO && source->value + word < IR_ZERO)
        value = thread->r[source->value + word];
    if (source->kind == IR_IMMEDIATE && word == 0)
        value = source->value;
    if (source->kind == IR_CONSTANT && (uint64_t)source->value + 4 * word + 4 <= thread->constant_bytes)
        memcpy(&value, thread->constants + source->value + 4 * word, 4);
    return value;
}

void reference_shade_write(struct shade_thread *thread, unsigned number, uint32_t value) {
    if (number < IR_ZERO)
        thread->r[number] = value;
}

void reference_shade_write_predicate(struct shade_thread *thread, unsigned number, bool value) {
    if (number != IR_TRUE)
        thread->p[number] = value;
}

bool reference_shade_p(const struct shade_thread *thread, const struct ir *ir) {
    return thread->p[ir->combine_predicate] != ir->combine_negate;
}

bool reference_shade_bop(unsigned combine, bool x, bool p) {
    if (combine == IR_AND)
        return x && p;
    return combine == IR_OR ? x || p : x != p;
}

static void flags(struct shade_thread *thread, const struct ir *ir, uint32_t value, bool carry, bool overflow) {
    if (!ir->write_flags)
        return;
    thread->zero = value == 0;
    thread->sign = value >> 31;
    thread->carry = carry;
    thread->overflow = overflow;
}

void reference_shade_set(struct shade_thread *thread, const struct ir *ir, bool is) {
    bool yes = reference_shade_bop(ir->combine, is, reference_shade_p(thread, ir));
    uint32_t value = yes ? ir->float_true ? 0x3f800000 : 0xffffffff : 0;
    flags(thread, ir, value, false, false);
    reference_shade_write(thread, ir->d, value);
}

void reference_shade_setp(struct shade_thread *thread, const struct ir *ir, bool is) {
    bool p = reference_shade_p(thread, ir);
    reference_shade_write_predicate(thread, ir->p, reference_shade_bop(ir->combine, is, p));
    reference_shade_write_predicate(thread, ir->q, reference_shade_bop(ir->combine, !is, p));
}

static uint32_t bits(const struct shade_thread *thread, const struct ir_source *source) {
    uint32_t value = reference_shade_raw(thread, source, 0);
    return source->invert ? ~value : value;
}

static uint32_t number(const struct shade_thread *thread, const struct ir_source *source) {
    uint32_t value = bits(thread, source);
    if (source->absolute && value >= 0x80000000)
        value = -value;
    return source->negate ? -value : value;
}

/* As an integer of the type's sign. */
static int64_t valued(uint32_t value, unsigned type) {
    return type & 1 ? (int64_t)(int32_t)value : (int64_t)value;
}

static bool passes(const struct shade_thread *t, unsigned test) {
    bool z = t->zero, s = t->sign, c = t->carry, v = t->overflow;
    const bool tests[] = {false,
                          (s && !z) != v,
                          z && !s,
                          s != (z || v),
                          !((s != v) || z),
                          !z,
                          s == v,
                          !(s && z),
                          s && z,
                          s != v,
                          z,
                          (s != v) || z,
                          !s != (v || z),
                          s || !z,
                          (!s || z) != v,
                          true,
                          !v,
                          !c,
                          !s,
                          !c || z,
                          c && !z,
                          s,
                          c,
                          v};
    return test < sizeof tests ? tests[test] : test == 0x1e ? s || z : test == 0x1f ? !(s || z) : false;
}

/* ---- sums ---- */

/* a + b + c with signs; a, b, c already chosen. A carry turns a difference into one with borrow. */
static void sum(struct shade_thread *t, const struct ir *ir, uint32_t a, bool minus_a, uint32_t b, bool minus_b) {
    if (ir->plus_one)
        minus_a = minus_b = false;
    uint32_t x = minus_a ? ~a : a, y = minus_b ? ~b : b;
    unsigned ones = ir->plus_one;
    if (ir->carry_in)
        ones += t->carry;
    else
        ones += minus_a + minus_b;
    uint64_t plain = (uint64_t)x + y + ones;
    int64_t exact = (int64_t)(int32_t)x + (int32_t)y + ones;
    uint32_t value = (uint32_t)plain;
    bool overflow = exact > INT32_MAX || exact < INT32_MIN;
    if (ir->saturate && overflow)
        value = exact > 0 ? 0x7fffffff : 0x80000000;
    flags(t, ir, value, plain >> 32 & 1, overflow);
    reference_shade_write(t, ir->d, value);
}

static uint32_t without_sign(const struct shade_thread *t, struct ir_source source) {
    source.negate = false;
    return number(t, &source);
}

static uint32_t product(const struct shade_thread *t, const struct ir *ir) {
    __extension__ typedef __int128 wide;
    wide a = valued(without_sign(t, ir->a), ir->type), b = valued(without_sign(t, ir->b), ir->source_type);
    wide whole = a * b;
    if (ir->a.negate != ir->b.negate)
        whole = -whole;
    return (uint32_t)(ir->high ? whole >> 32 : whole);
}

static uint32_t half(uint32_t value, unsigned part) {
    return part == IR_HALF0 ? value & 0xffff : part == IR_HALF1 ? value >> 16 : value;
}

static uint32_t third(const struct shade_thread *t, const struct ir *ir, const struct ir_source *source) {
    uint32_t value = half(reference_shade_raw(t, source, 0), source->part);
    if (source->negate)
        value = ir->carry_in ? ~value : -value;
    return value;
}

static void iadd3(struct shade_thread *t, const struct ir *ir) {
    uint64_t ab = (uint64_t)third(t, ir, &ir->a) + third(t, ir, &ir->b);
    uint32_t c = third(t, ir, &ir->c);
    if (ir->mode)
        ab = ir->mode == 1 ? ab >> 16 : (uint32_t)(ab << 16);
    uint64_t all = ab + c + (ir->carry_in && t->carry);
    reference_shade_write(t, ir->d, (uint32_t)all);
}

static void lea(struct shade_thread *t, const struct ir *ir) {
    uint64_t a = without_sign(t, ir->a), c = number(t, &ir->c);
    uint32_t x = ir->op == IR_LEA ? (uint32_t)(a << ir->shift) : (uint32_t)((c << 32 | a) >> (32 - ir->shift));
    uint64_t all = number(t, &ir->b);
    if (ir->a.negate)
        all += (uint64_t)(uint32_t)~x + !ir->carry_in;
    else
        all += x;
    all += ir->carry_in && t->carry;
    reference_shade_write_predicate(t, ir->p, all >> 32 & 1);
    reference_shade_write(t, ir->d, (uint32_t)all);
}

static void xmad(struct shade_thread *t, const struct ir *ir) {
    uint32_t a = reference_shade_raw(t, &ir->a, 0), b = reference_shade_raw(t, &ir->b, 0);
    uint32_t c = reference_shade_raw(t, &ir->c, 0);
    uint16_t ha = (uint16_t)(ir->xmad.high_a ? a >> 16 : a), hb = (uint16_t)(ir->xmad.high_b ? b >> 16 : b);
    int64_t x = ir->type & 1 ? (int16_t)ha : ha, y = ir->source_type & 1 ? (int16_t)hb : hb;
    uint32_t m = (uint32_t)(x * y);
    if (ir->xmad.shift_product)
        m <<= 16;
    const uint32_t addends[] = {c, c & 0xffff, c >> 16, x && y ? c - 0x10000u * ((x < 0) + (y < 0)) : c, c + (b << 16)};
    uint32_t r = m + addends[ir->xmad.c] + (ir->carry_in && t->carry);
    if (ir->xmad.merge)
        r = (r & 0xffff) | b << 16;
    reference_shade_write(t, ir->d, r);
}

static bool compared(int64_t a, int64_t b, unsigned compare) {
    return (a < b && compare & 1) || (a == b && compare & 2) || (a > b && compare & 4);
}

static bool comparison(const struct shade_thread *t, const struct ir *ir) {
    int64_t a = valued(number(t, &ir->a), ir->type), b = valued(number(t, &ir->b), ir->type);
    if (!ir->carry_in)
        return compared(a, b, ir->compare);
    int64_t d = a - b - !t->carry;
    bool equal = d == 0 && t->zero, less = d < 0;
    return (less && ir->compare & 1) || (equal && ir->compare & 2) || (!less && !equal && ir->compare & 4);
}

/* `mode`: 1 and 2 go on after words whose order is in Z and S, 3 and 2 leave it there. */
static void minmax(struct shade_thread *t, const struct ir *ir, uint32_t a, uint32_t b, bool less) {
    bool equal = a == b;
    if (ir->mode == 1 || ir->mode == 2) {
        less = t->zero ? a < b : t->sign;
        equal = equal && t->zero;
    }
    reference_shade_write(t, ir->d, less == reference_shade_p(t, ir) ? a : b);
    if (ir->mode)
        flags(t, ir, equal ? 0 : less ? UINT32_MAX : 1, false, false);
}

static bool integer_step(struct shade_thread *t, const struct ir *ir) {
    uint32_t a = number(t, &ir->a), b = number(t, &ir->b), c = number(t, &ir->c);
    bool less = valued(a, ir->type) < valued(b, ir->type);
    switch (ir->op) {
    case IR_IADD:
        sum(t, ir, without_sign(t, ir->a), ir->a.negate, without_sign(t, ir->b), ir->b.negate);
        return true;
    case IR_ISCADD:
        sum(t, ir, without_sign(t, ir->a) << ir->shift, ir->a.negate, without_sign(t, ir->b), ir->b.negate);
        return true;
    case IR_IADD3:
        iadd3(t, ir);
        return true;
    case IR_IMUL:
        reference_shade_write(t, ir->d, product(t, ir));
        return true;
    case IR_IMAD:
        sum(t, ir, product(t, ir), false, without_sign(t, ir->c), ir->c.negate);
        return true;
    case IR_LEA:
    case IR_LEA_HI:
        lea(t, ir);
        return true;
    case IR_XMAD:
        xmad(t, ir);
        return true;
    case IR_ISAD:
        reference_shade_write(t, ir->d, (less ? b - a : a - b) + c);
        return true;
    case IR_IMNMX:
        minmax(t, ir, a, b, less);
        return true;
    case IR_ISET:
        reference_shade_set(t, ir, comparison(t, ir));
        return true;
    case IR_ISETP:
        reference_shade_setp(t, ir, comparison(t, ir));
        return true;
    case IR_ICMP:
        reference_shade_write(t, ir->d,
                              compared(valued(c, ir->type), 0, ir->compare) ? bits(t, &ir->a) : bits(t, &ir->b));
        return true;
    default:
        return false;
    }
}

/* ---- bits ---- */

static uint32_t reversed(uint32_t value) {
    uint32_t out = 0;
    for (unsigned i = 0; i < 32; i++)
        out |= (value >> i & 1) << (31 - i);
    return out;
}

static uint32_t shifted(const struct ir *ir, uint32_t a, uint32_t n) {
    if (ir->wrap)
        n &= 31;
    for (; n && n < 32; n--)
        a = ir->op == IR_SHL ? a << 1 : a >> 1 | (ir->type & 1 ? a & 0x80000000 : 0);
    if (n)
        a = ir->op == IR_SHR && ir->type & 1 && a >> 31 ? 0xffffffff : 0;
    return a;
}

static uint32_t funnel(const struct ir *ir, uint32_t a, uint32_t b, uint32_t c) {
    unsigned most = ir->type == IR_U32 ? 32 : 64, n = ir->wrap ? b % most : b < most ? b : most;
    uint64_t x = (uint64_t)c << 32 | a;
    if (n == 64)
        return 0;
    for (; n; n--)
        x = ir->op == IR_SHF_L ? x << 1 : x >> 1 | (ir->type == IR_S64 ? x & UINT64_C(1) << 63 : 0);
    return (uint32_t)(ir->op == IR_SHF_L || ir->high ? x >> 32 : x);
}

/* Bit by bit; those after the end are the sign, or 0. */
static uint32_t extracted(uint32_t a, unsigned from, unsigned length, bool is_signed) {
    uint32_t out = 0;
    bool last = false;
    for (unsigned i = 0; i < 32; i++) {
        bool bit = from + i < 32 ? a >> (from + i) & 1 : is_signed && a >> 31;
        if (i < length)
            last = bit;
        out |= (uint32_t)(i < length ? bit : is_signed && length && last) << i;
    }
    return out;
}

static uint32_t inserted(uint32_t a, uint32_t c, unsigned to, unsigned length) {
    for (unsigned i = 0; i < length && to + i < 32 && i < 32; i++)
        c = (c & ~(1u << (to + i))) | (a >> i & 1) << (to + i);
    return c;
}

static uint32_t permuted(uint32_t a, uint32_t c, uint32_t selector, unsigned mode) {
    uint8_t pool[8], out[4];
    memcpy(pool, &a, 4);
    memcpy(pool + 4, &c, 4);
    int n = selector & 3;
    for (int i = 0; i < 4; i++) {
        const int from[] = {selector >> (4 * i) & 7, n + i,         (8 + n - i) % 8,      n,
                            i > n ? i : n,           i < n ? i : n, (n % 2) * 2 + (i % 2)};
        out[i] = pool[from[mode]];
        if (mode == 0 && selector >> (4 * i + 3) & 1)
            out[i] = out[i] >= 0x80 ? 0xff : 0;
    }
    uint32_t value;
    memcpy(&value, out, 4);
    return value;
}

static void logic(struct shade_thread *t, const struct ir *ir, uint32_t value) {
    const bool results[] = {false, true, value == 0, value != 0};
    reference_shade_write_predicate(t, ir->p, results[ir->mode]);
    flags(t, ir, value, false, false);
    reference_shade_write(t, ir->d, value);
}

static uint32_t lop3(uint32_t a, uint32_t b, uint32_t c, unsigned table) {
    uint32_t out = 0;
    for (unsigned i = 0; i < 32; i++)
        out |= (table >> ((a >> i & 1) * 4 + (b >> i & 1) * 2 + (c >> i & 1)) & 1) << i;
    return out;
}

static uint32_t highest(const struct ir *ir, uint32_t a) {
    bool sign = ir->type & 1 && a >> 31;
    for (unsigned i = 0; i < 32; i++)
        if ((a >> (31 - i) & 1) != sign)
            return ir->mode ? i : 31 - i;
    return 0xffffffff;
}

static bool bits_step(struct shade_thread *t, const struct ir *ir) {
    uint32_t a = bits(t, &ir->a), b = bits(t, &ir->b), c = bits(t, &ir->c), value;
    uint32_t turned = ir->reverse ? reversed(a) : a;
    switch (ir->op) {
    case IR_MOV:
        value = a;
        break;
    case IR_SEL:
        value = reference_shade_p(t, ir) ? a : b;
        break;
    case IR_PRMT:
        value = permuted(a, c, b, ir->mode);
        break;
    case IR_LOP: {
        const uint32_t values[] = {a & b, a | b, a ^ b, b};
        logic(t, ir, values[ir->combine]);
        return true;
    }
    case IR_LOP3:
        logic(t, ir, lop3(a, b, c, ir->mask));
        return true;
    case IR_SHL:
        value = shifted(ir, a, b);
        break;
    case IR_SHR:
        value = shifted(ir, turned, b);
        break;
    case IR_SHF_L:
    case IR_SHF_R:
        value = funnel(ir, a, b, c);
        break;
    case IR_BFE:
        value = extracted(turned, b & 0xff, b >> 8 & 0xff, ir->type & 1);
        break;
    case IR_BFI:
        value = inserted(a, c, b & 0xff, b >> 8 & 0xff);
        break;
    case IR_POPC:
        value = 0;
        for (unsigned i = 0; i < 32; i++)
            value += (a & b) >> i & 1;
        break;
    case IR_FLO:
        value = highest(ir, a);
        break;
    default:
        return false;
    }
    if (ir->op != IR_MOV && ir->op != IR_SEL && ir->op != IR_PRMT && ir->op != IR_POPC)
        flags(t, ir, value, false, false);
    reference_shade_write(t, ir->d, value);
    return true;
}

/* ---- predicates ---- */

static void to_register(struct shade_thread *t, const struct ir *ir) {
    uint32_t a = bits(t, &ir->a), b = bits(t, &ir->b), values = 0;
    if (ir->extended)
        values = t->zero | t->sign << 1 | t->carry << 2 | t->overflow << 3;
    for (unsigned i = 0; i < 7 && !ir->extended; i++)
        values |= (uint32_t)t->p[i] << i;
    unsigned s = 8 * ir->mode;
    reference_shade_write(t, ir->d, (a & ~(b << s)) | (values & b) << s);
}

static void from_register(struct shade_thread *t, const struct ir *ir) {
    uint32_t a = bits(t, &ir->a) >> (8 * ir->mode), b = bits(t, &ir->b);
    bool *flag[] = {&t->zero, &t->sign, &t->carry, &t->overflow};
    for (unsigned i = 0; i < (ir->extended ? 4 : 7); i++)
        if (b >> i & 1)
            *(ir->extended ? flag[i] : &t->p[i]) = a >> i & 1;
}

static bool predicate_step(struct shade_thread *t, const struct ir *ir) {
    bool x = t->p[ir->a.value & 7] != ir->a.invert, y = t->p[ir->b.value & 7] != ir->b.invert;
    bool p = reference_shade_p(t, ir);
    switch (ir->op) {
    case IR_PSET:
        reference_shade_set(t, ir, reference_shade_bop(ir->combine1, x, y));
        return true;
    case IR_PSETP:
        reference_shade_write_predicate(t, ir->p,
                                        reference_shade_bop(ir->combine, reference_shade_bop(ir->combine1, x, y), p));
        reference_shade_write_predicate(t, ir->q,
                                        reference_shade_bop(ir->combine, reference_shade_bop(ir->combine1, !x, y), p));
        return true;
    case IR_CSET:
        reference_shade_set(t, ir, passes(t, ir->mode));
        return true;
    case IR_CSETP:
        reference_shade_setp(t, ir, passes(t, ir->mode));
        return true;
    case IR_P2R:
        to_register(t, ir);
        return true;
    case IR_R2P:
        from_register(t, ir);
        return true;
    default:
        return false;
    }
}

bool reference_shade_step(struct shade_thread *thread, const struct ir *ir) {
    if (thread->p[ir->guard] == ir->guard_negate || !passes(thread, ir->test))
        return true;
    return reference_shade_float(thread, ir) || integer_step(thread, ir) || bits_step(thread, ir) ||
           predicate_step(thread, ir);
}
