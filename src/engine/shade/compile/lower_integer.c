/* SPDX-License-Identifier: MIT */
/* Integers and bits: what engine/shade/interpret/integer.c, bits.c and predicate.c do. */
#include "engine/shade/compile/lower.h"

#define CODE (&l->code)

/* Comparisons of VPCMPD by the bits of enum ir_compare. */
static const uint8_t compares[8] = {3, 1, 0, 2, 6, 4, 5, 7};

static bool is_plain(const struct ir_source *source) {
    return lower_can(source) && !source->absolute && !source->negate;
}

static bool can_integer(const struct ir *ir) {
    return !ir->write_flags && !ir->carry_in && !ir->plus_one && lower_can_guard(ir);
}

/* Without its sign. */
static struct assembler_operand unsigned_source(struct lower *l, const struct ir_source *source, unsigned temporary) {
    struct ir_source plain = *source;
    plain.negate = false;
    return lower_bits(l, &plain, temporary);
}

/* t = t + (negate ? -y : y) */
static void add_to(struct lower *l, unsigned t, struct assembler_operand y, bool negate) {
    assembler_vector(CODE, negate ? VPSUBD : VPADDD, t, t, y);
}

/* t = negate ? -x : x */
static void begin_with(struct lower *l, unsigned t, struct assembler_operand x, bool negate) {
    if (negate) {
        assembler_vector(CODE, VPXORD, t, t, at_register(t));
        assembler_vector(CODE, VPSUBD, t, t, x);
    } else if (x.kind == AT_REGISTER) {
        assembler_vector(CODE, VMOVDQA32, t, 0, x);
    } else {
        assembler_vector(CODE, VPBROADCASTD, t, 0, x);
    }
}

static bool add(struct lower *l, const struct ir *ir) {
    lower_open(l);
    unsigned t = lower_take(l);
    begin_with(l, t, unsigned_source(l, &ir->a, LOWER_T0), ir->a.negate);
    if (ir->op == IR_ISCADD)
        assembler_shift(CODE, SHIFT_LEFT, t, at_register(t), ir->shift & 31);
    add_to(l, t, unsigned_source(l, &ir->b, LOWER_T1), ir->b.negate);
    if (ir->op == IR_IADD3)
        add_to(l, t, unsigned_source(l, &ir->c, LOWER_T2), ir->c.negate);
    lower_result(l, ir, t);
    return true;
}

static bool multiply(struct lower *l, const struct ir *ir) {
    lower_open(l);
    unsigned t = lower_take(l), a = lower_in_register(l, unsigned_source(l, &ir->a, LOWER_T0), LOWER_T0);
    assembler_vector(CODE, VPMULLD, t, a, unsigned_source(l, &ir->b, LOWER_T1));
    if (ir->a.negate != ir->b.negate) {
        assembler_vector(CODE, VPXORD, LOWER_T1, LOWER_T1, at_register(LOWER_T1));
        assembler_vector(CODE, VPSUBD, t, LOWER_T1, at_register(t));
    }
    if (ir->op == IR_IMAD)
        add_to(l, t, unsigned_source(l, &ir->c, LOWER_T2), ir->c.negate);
    lower_result(l, ir, t);
    return true;
}

/* A half of x, extended. */
static void half(struct lower *l, unsigned t, struct assembler_operand x, bool high, bool is_signed) {
    unsigned from = lower_in_register(l, x, t);
    if (high) {
        assembler_shift(CODE, is_signed ? SHIFT_SIGNED : SHIFT_RIGHT, t, at_register(from), 16);
    } else if (is_signed) {
        assembler_shift(CODE, SHIFT_LEFT, t, at_register(from), 16);
        assembler_shift(CODE, SHIFT_SIGNED, t, at_register(t), 16);
    } else {
        assembler_vector(CODE, VPANDD, t, from, at_word(CODE, 0xffff));
    }
}

static bool multiply_halves(struct lower *l, const struct ir *ir) {
    if (ir->xmad.c == 3)
        return false;
    lower_open(l);
    unsigned t = lower_take(l);
    half(l, LOWER_T0, lower_bits(l, &ir->a, LOWER_T0), ir->xmad.high_a, ir->type & 1);
    half(l, LOWER_T1, lower_bits(l, &ir->b, LOWER_T1), ir->xmad.high_b, ir->source_type & 1);
    assembler_vector(CODE, VPMULLD, t, LOWER_T0, at_register(LOWER_T1));
    if (ir->xmad.shift_product)
        assembler_shift(CODE, SHIFT_LEFT, t, at_register(t), 16);
    struct assembler_operand c = lower_bits(l, &ir->c, LOWER_T2);
    if (ir->xmad.c == 1 || ir->xmad.c == 2) {
        half(l, LOWER_T2, c, ir->xmad.c == 2, false);
        c = at_register(LOWER_T2);
    }
    assembler_vector(CODE, VPADDD, t, t, c);
    if (ir->xmad.c == 4 || ir->xmad.merge) {
        unsigned b = lower_in_register(l, lower_bits(l, &ir->b, LOWER_T1), LOWER_T1);
        assembler_shift(CODE, SHIFT_LEFT, LOWER_T1, at_register(b), 16);
    }
    if (ir->xmad.c == 4)
        assembler_vector(CODE, VPADDD, t, t, at_register(LOWER_T1));
    if (ir->xmad.merge) {
        assembler_vector(CODE, VPANDD, t, t, at_word(CODE, 0xffff));
        assembler_vector(CODE, VPORD, t, t, at_register(LOWER_T1));
    }
    lower_result(l, ir, t);
    return true;
}

static bool least_or_most(struct lower *l, const struct ir *ir) {
    static const uint16_t ops[2][2] = {{VPMAXUD, VPMAXSD}, {VPMINUD, VPMINSD}};
    if (ir->mode || ir->combine_predicate != IR_TRUE || !is_plain(&ir->a) || !is_plain(&ir->b))
        return false;
    lower_open(l);
    unsigned t = lower_take(l), a = lower_in_register(l, lower_bits(l, &ir->a, LOWER_T0), LOWER_T0);
    assembler_vector(CODE, ops[!ir->combine_negate][ir->type & 1], t, a, lower_bits(l, &ir->b, LOWER_T1));
    lower_result(l, ir, t);
    return true;
}

bool lower_integer_op(struct lower *l, const struct ir *ir) {
    if (!can_integer(ir) || ir->saturate || !lower_can(&ir->a) || !lower_can(&ir->b) || ir->a.absolute ||
        ir->b.absolute)
        return false;
    bool third = ir->op == IR_IADD3 || ir->op == IR_IMAD || ir->op == IR_XMAD;
    if (third && (!lower_can(&ir->c) || ir->c.absolute))
        return false;
    switch (ir->op) {
    case IR_IADD:
    case IR_ISCADD:
        return add(l, ir);
    case IR_IADD3:
        return !ir->mode && !ir->a.invert && !ir->b.invert && !ir->c.invert && add(l, ir);
    case IR_IMUL:
    case IR_IMAD:
        return !ir->high && multiply(l, ir);
    case IR_XMAD:
        return !ir->a.negate && !ir->b.negate && !ir->c.negate && multiply_halves(l, ir);
    default:
        return least_or_most(l, ir);
    }
}

/* k: x compare y */
static void compare(struct lower *l, const struct ir *ir, unsigned k, const struct ir_source *x,
                    const struct ir_source *y) {
    unsigned a = lower_in_register(l, lower_bits(l, x, LOWER_T0), LOWER_T0);
    struct assembler_operand b = lower_bits(l, y, LOWER_T1);
    assembler_vector_byte(CODE, ir->type & 1 ? VPCMPD : VPCMPUD, k, a, b, compares[ir->compare & 7]);
}

static bool select_by(struct lower *l, const struct ir *ir) {
    static const struct ir_source none = {.kind = IR_NONE};
    if (!is_plain(&ir->c) || !lower_can(&ir->a) || !lower_can(&ir->b))
        return false;
    lower_open(l);
    unsigned t = lower_take(l);
    begin_with(l, t, unsigned_source(l, &ir->b, LOWER_T0), false);
    unsigned a = lower_in_register(l, unsigned_source(l, &ir->a, LOWER_T2), LOWER_T2);
    compare(l, ir, LOWER_K, &ir->c, &none);
    assembler_vector_masked(CODE, VMOVDQA32, t, 0, at_register(a), LOWER_K, false);
    lower_result(l, ir, t);
    return true;
}

bool lower_integer_set(struct lower *l, const struct ir *ir) {
    if (!can_integer(ir))
        return false;
    if (ir->op == IR_ICMP)
        return select_by(l, ir);
    if (!is_plain(&ir->a) || !is_plain(&ir->b) || !lower_can_predicate(ir->combine_predicate))
        return false;
    if (ir->op == IR_ISETP && (ir->q != IR_TRUE || !lower_can_predicate(ir->p)))
        return false;
    lower_open(l);
    compare(l, ir, 0, &ir->a, &ir->b);
    lower_combine(l, ir->combine, ir->combine_predicate, ir->combine_negate);
    if (ir->op == IR_ISETP) {
        lower_set_predicate(l, ir, ir->p);
        return true;
    }
    unsigned t = lower_take(l);
    assembler_mask_move(CODE, LOWER_K, 0);
    assembler_vector_masked(CODE, VPBROADCASTD, t, 0, at_word(CODE, ir->float_true ? 0x3f800000 : UINT32_MAX), LOWER_K,
                            true);
    lower_result(l, ir, t);
    return true;
}

/* ---- bits ---- */

bool lower_logic(struct lower *l, const struct ir *ir) {
    static const uint16_t ops[3] = {VPANDD, VPORD, VPXORD};
    if (ir->write_flags || ir->p != IR_TRUE || !lower_can_guard(ir) || !lower_can(&ir->a) || !lower_can(&ir->b))
        return false;
    bool three = ir->op == IR_LOP3;
    if (three && (!lower_can(&ir->c) || !CODE->wide))
        return false;
    lower_open(l);
    unsigned t = lower_take(l);
    if (!three && ir->combine > IR_XOR) {
        begin_with(l, t, lower_bits(l, &ir->b, LOWER_T1), false);
        lower_result(l, ir, t);
        return true;
    }
    begin_with(l, t, lower_bits(l, &ir->a, LOWER_T0), false);
    if (three) {
        unsigned b = lower_in_register(l, lower_bits(l, &ir->b, LOWER_T1), LOWER_T1);
        assembler_vector_byte(CODE, VPTERNLOGD, t, b, lower_bits(l, &ir->c, LOWER_T2), ir->mask);
    } else {
        assembler_vector(CODE, ops[ir->combine], t, t, lower_bits(l, &ir->b, LOWER_T1));
    }
    lower_result(l, ir, t);
    return true;
}

/* Fields whose place is known. */
static bool extract(struct lower *l, const struct ir *ir) {
    if (ir->b.kind != IR_IMMEDIATE || ir->b.invert || ir->reverse)
        return false;
    unsigned from = ir->b.value & 0xff, length = ir->b.value >> 8 & 0xff;
    if (from > 31 || !length || length > 32 - from)
        return false;
    lower_open(l);
    unsigned t = lower_take(l), a = lower_in_register(l, lower_bits(l, &ir->a, LOWER_T0), LOWER_T0);
    assembler_shift(CODE, SHIFT_LEFT, t, at_register(a), (uint8_t)(32 - from - length));
    assembler_shift(CODE, ir->type & 1 ? SHIFT_SIGNED : SHIFT_RIGHT, t, at_register(t), (uint8_t)(32 - length));
    lower_result(l, ir, t);
    return true;
}

bool lower_shift(struct lower *l, const struct ir *ir) {
    if (ir->write_flags || ir->carry_in || !lower_can_guard(ir) || !lower_can(&ir->a) || !lower_can(&ir->b))
        return false;
    if (ir->op == IR_BFE)
        return extract(l, ir);
    if (ir->op == IR_SHR && ir->reverse)
        return false;
    unsigned op = ir->op == IR_SHL ? VPSLLVD : ir->type & 1 ? VPSRAVD : VPSRLVD;
    lower_open(l);
    unsigned t = lower_take(l), a = lower_in_register(l, lower_bits(l, &ir->a, LOWER_T0), LOWER_T0);
    struct assembler_operand b = lower_bits(l, &ir->b, LOWER_T1);
    if (ir->wrap) {
        unsigned by = lower_in_register(l, b, LOWER_T1);
        assembler_vector(CODE, VPANDD, LOWER_T1, by, at_word(CODE, 31));
        b = at_register(LOWER_T1);
    }
    assembler_vector(CODE, op, t, a, b);
    lower_result(l, ir, t);
    return true;
}

/* ---- moves and predicates ---- */

bool lower_move(struct lower *l, const struct ir *ir) {
    if (!lower_can_guard(ir) || !lower_can(&ir->a) || !lower_can(&ir->b))
        return false;
    if (ir->op == IR_SEL ? !lower_can_predicate(ir->combine_predicate) : (ir->mask & 15) != 15)
        return false;
    lower_open(l);
    unsigned t = lower_take(l);
    bool both = ir->op == IR_SEL && ir->combine_predicate != IR_TRUE;
    bool first = ir->op == IR_MOV || !ir->combine_negate;
    begin_with(l, t, lower_bits(l, both || first ? &ir->a : &ir->b, LOWER_T0), false);
    if (both) { /* where P is not what it asks for, b */
        unsigned b = lower_in_register(l, lower_bits(l, &ir->b, LOWER_T1), LOWER_T1);
        unsigned k = lower_predicate(l, ir->combine_predicate);
        if (!ir->combine_negate) {
            assembler_mask_not(CODE, LOWER_K, k);
            k = LOWER_K;
        }
        assembler_vector_masked(CODE, VMOVDQA32, t, 0, at_register(b), k, false);
    }
    lower_result(l, ir, t);
    return true;
}

bool lower_predicates(struct lower *l, const struct ir *ir) {
    unsigned a = ir->a.value & 7, b = ir->b.value & 7;
    if (ir->q != IR_TRUE || !lower_can_guard(ir) || a >= LOWER_PREDICATES || !lower_can_predicate(b) ||
        !lower_can_predicate(ir->combine_predicate) || !lower_can_predicate(ir->p))
        return false;
    lower_open(l);
    assembler_mask_move(CODE, 0, lower_predicate(l, a));
    if (ir->a.invert)
        assembler_mask_not(CODE, 0, 0);
    lower_combine(l, ir->combine1, b, ir->b.invert);
    lower_combine(l, ir->combine, ir->combine_predicate, ir->combine_negate);
    lower_set_predicate(l, ir, ir->p);
    return true;
}
