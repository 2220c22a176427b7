/* SPDX-License-Identifier: MIT */
/* Floats of 32 bits: what engine/shade/interpret/float.c, function.c and convert.c do. */
#include "engine/shade/compile/lower.h"

#define CODE (&l->code)
#define ONE  0x3f800000u
#define SIGN 0x80000000u

/* Comparisons of VCMPPS, without an exception for quiet NaNs, by the bits of enum ir_compare. */
static const uint8_t compares[16] = {0x0b, 0x11, 0x00, 0x12, 0x1e, 0x0c, 0x1d, 0x07,
                                     0x03, 0x19, 0x08, 0x1a, 0x16, 0x04, 0x15, 0x0f};

static bool can_float(const struct ir *ir) {
    return ir->type != IR_F64 && !ir->multiply_zero && !ir->write_flags && lower_can_guard(ir);
}

void lower_float_end(struct lower *l, const struct ir *ir, unsigned t) {
    if (ir->saturate) {
        assembler_vector(CODE, VMAXPS, t, t, at_word(CODE, 0));
        assembler_vector(CODE, VMINPS, t, t, at_word(CODE, ONE));
    } else {
        l->values[t].any_nan = true;
        l->values[t].subnormal = l->flushes;
    }
    lower_result(l, ir, t);
}

static void sum(struct lower *l, const struct ir *ir) {
    unsigned a = lower_in_register(l, lower_float(l, &ir->a, LOWER_T0, false), LOWER_T0);
    struct assembler_operand b = lower_float(l, &ir->b, LOWER_T1, false);
    unsigned t = lower_take(l);
    if (ir->a.negate && !ir->b.negate) {
        assembler_vector(CODE, VSUBPS, t, lower_in_register(l, b, LOWER_T1), at_register(a));
    } else if (ir->a.negate) {
        assembler_vector(CODE, VPXORD, LOWER_T0, a, at_word(CODE, SIGN));
        assembler_vector(CODE, VSUBPS, t, LOWER_T0, b);
    } else {
        assembler_vector(CODE, ir->b.negate ? VSUBPS : VADDPS, t, a, b);
    }
    lower_float_end(l, ir, t);
}

static void product(struct lower *l, const struct ir *ir) {
    unsigned a = lower_in_register(l, lower_float(l, &ir->a, LOWER_T0, false), LOWER_T0);
    struct assembler_operand b = lower_float(l, &ir->b, LOWER_T1, false);
    unsigned t = lower_take(l);
    assembler_vector(CODE, VMULPS, t, a, b);
    if (ir->a.negate != ir->b.negate)
        assembler_vector(CODE, VPXORD, t, t, at_word(CODE, SIGN));
    lower_float_end(l, ir, t);
}

static void fused(struct lower *l, const struct ir *ir) {
    static const uint16_t onto[2][2] = {{VFMADD231PS, VFMSUB231PS}, {VFNMADD231PS, VFNMSUB231PS}};
    static const uint16_t with[2][2] = {{VFMADD213PS, VFMSUB213PS}, {VFNMADD213PS, VFNMSUB213PS}};
    bool negate = ir->a.negate != ir->b.negate;
    unsigned a = lower_in_register(l, lower_float(l, &ir->a, LOWER_T0, false), LOWER_T0);
    bool c_is_word = ir->c.kind == IR_CONSTANT || ir->c.kind == IR_IMMEDIATE;
    struct assembler_operand b = lower_float(l, &ir->b, LOWER_T1, false);
    if (c_is_word) /* the other bank's address goes to the same register */
        b = at_register(lower_in_register(l, b, LOWER_T1));
    struct assembler_operand c = lower_float(l, &ir->c, LOWER_T2, false);
    unsigned t = lower_take(l);
    if (c.kind == AT_REGISTER) {
        assembler_vector(CODE, VMOVDQA32, t, 0, c);
        assembler_vector(CODE, onto[negate][ir->c.negate], t, a, b);
    } else {
        unsigned in = lower_in_register(l, b, LOWER_T1);
        assembler_vector(CODE, VMOVDQA32, t, 0, at_register(a));
        assembler_vector(CODE, with[negate][ir->c.negate], t, in, c);
    }
    lower_float_end(l, ir, t);
}

/*
 * VMINPS and VMAXPS give the second of two zeros and of anything with a NaN. Of equal numbers the bits of both decide,
 * which differ only in zeros: -0 is less.
 */
static void least_or_most(struct lower *l, const struct ir *ir) {
    bool least = !ir->combine_negate;
    unsigned a = lower_in_register(l, lower_float(l, &ir->a, LOWER_T0, true), LOWER_T0);
    unsigned b = lower_in_register(l, lower_float(l, &ir->b, LOWER_T1, true), LOWER_T1);
    unsigned t = lower_take(l);
    assembler_vector(CODE, least ? VMINPS : VMAXPS, t, a, at_register(b));
    assembler_vector_byte(CODE, VCMPPS, LOWER_K, a, at_register(b), compares[IR_EQ]);
    assembler_vector_masked(CODE, least ? VPORD : VPANDD, t, a, at_register(b), LOWER_K, false);
    assembler_vector_byte(CODE, VCMPPS, LOWER_K, b, at_register(b), compares[IR_NAN]);
    assembler_vector_masked(CODE, VMOVDQA32, t, 0, at_register(a), LOWER_K, false);
    lower_float_end(l, ir, t);
}

bool lower_float_op(struct lower *l, const struct ir *ir) {
    if (!can_float(ir) || !lower_can(&ir->a) || !lower_can(&ir->b))
        return false;
    if (ir->op == IR_FMNMX) {
        if (ir->combine_predicate != IR_TRUE)
            return false;
    } else if (ir->round != IR_NEAREST || ir->scale) {
        return false;
    }
    if (ir->op == IR_FFMA && !lower_can(&ir->c))
        return false;
    lower_flush(l, ir->flush);
    switch (ir->op) {
    case IR_FADD:
        sum(l, ir);
        break;
    case IR_FMUL:
        product(l, ir);
        break;
    case IR_FFMA:
        fused(l, ir);
        break;
    default:
        least_or_most(l, ir);
        break;
    }
    return true;
}

/* k0: a compare b */
static void compare(struct lower *l, const struct ir *ir) {
    unsigned a = lower_in_register(l, lower_float(l, &ir->a, LOWER_T0, true), LOWER_T0);
    struct assembler_operand b = lower_float(l, &ir->b, LOWER_T1, true);
    assembler_vector_byte(CODE, VCMPPS, 0, a, b, compares[ir->compare & 15]);
}

/* c compare 0 ? a : b */
static bool select_by(struct lower *l, const struct ir *ir) {
    if (!lower_can(&ir->c))
        return false;
    lower_flush(l, ir->flush);
    unsigned a = lower_in_register(l, lower_bits(l, &ir->a, LOWER_T0), LOWER_T0);
    unsigned b = lower_in_register(l, lower_bits(l, &ir->b, LOWER_T1), LOWER_T1);
    unsigned c = lower_in_register(l, lower_float(l, &ir->c, LOWER_T2, true), LOWER_T2), t = lower_take(l);
    assembler_vector(CODE, VMOVDQA32, t, 0, at_register(b));
    assembler_vector_byte(CODE, VCMPPS, LOWER_K, c, at_word(CODE, 0), compares[ir->compare & 15]);
    assembler_vector_masked(CODE, VMOVDQA32, t, 0, at_register(a), LOWER_K, false);
    lower_result(l, ir, t);
    return true;
}

bool lower_float_set(struct lower *l, const struct ir *ir) {
    if (!can_float(ir) || !lower_can(&ir->a) || !lower_can(&ir->b))
        return false;
    if (ir->op == IR_FCMP)
        return select_by(l, ir);
    if (!lower_can_predicate(ir->combine_predicate))
        return false;
    if (ir->op == IR_FSET) {
        lower_flush(l, ir->flush);
        compare(l, ir);
        lower_combine(l, ir->combine, ir->combine_predicate, ir->combine_negate);
        unsigned t = lower_take(l);
        assembler_mask_move(CODE, LOWER_K, 0);
        assembler_vector_masked(CODE, VPBROADCASTD, t, 0, at_word(CODE, ir->float_true ? ONE : UINT32_MAX), LOWER_K,
                                true);
        lower_result(l, ir, t);
        return true;
    }
    if (ir->q != IR_TRUE || !lower_can_predicate(ir->p))
        return false;
    lower_flush(l, ir->flush);
    compare(l, ir);
    lower_combine(l, ir->combine, ir->combine_predicate, ir->combine_negate);
    lower_set_predicate(l, ir, ir->p);
    return true;
}

/*
 * Reciprocals and roots of floats are rounded once here and twice in doubles there, which is the same (Figueroa, "When is
 * double rounding innocuous?"); results below the normal numbers become 0 in both.
 */
bool lower_function(struct lower *l, const struct ir *ir) {
    if (!lower_can_guard(ir) || !lower_can(&ir->a))
        return false;
    if (ir->mode == IR_RSQ || ir->mode == IR_EX2 || ir->mode == IR_LG2)
        return lower_double_function(l, ir);
    if (ir->mode != IR_RCP && ir->mode != IR_SQRT)
        return false;
    lower_flush(l, true);
    struct assembler_operand a = lower_float(l, &ir->a, LOWER_T0, true);
    unsigned t = lower_take(l);
    if (ir->mode == IR_RCP) {
        assembler_vector(CODE, VPBROADCASTD, LOWER_T1, 0, at_word(CODE, ONE));
        assembler_vector(CODE, VDIVPS, t, LOWER_T1, a);
    } else {
        assembler_vector(CODE, VSQRTPS, t, 0, a);
    }
    lower_float_end(l, ir, t);
    return true;
}

/* ---- conversions ---- */

static bool rounds_whole(const struct ir *ir) {
    return ir->op == IR_F2F && ir->type == IR_F32 && ir->source_type == IR_F32 && !ir->saturate;
}

/* By VRNDSCALEPS: its modes are in the order of enum ir_round; without an exception for what is not exact. */
static void whole(struct lower *l, const struct ir *ir) {
    struct assembler_operand a = lower_float(l, &ir->a, LOWER_T0, true);
    unsigned t = lower_take(l);
    if (ir->integral)
        assembler_vector_byte(CODE, VRNDSCALEPS, t, 0, a, 8 | (ir->round & 3));
    else
        assembler_vector(CODE, VMOVDQA32, t, 0, at_register(lower_in_register(l, a, LOWER_T0)));
    lower_float_end(l, ir, t);
}

/* What does not fit becomes the next that does, and NaN 0. Such numbers are converted to 0x80000000 or ~0. */
static void to_integer(struct lower *l, const struct ir *ir) {
    bool is_signed = ir->type & 1;
    struct assembler_operand a = lower_float(l, &ir->a, LOWER_T0, true);
    unsigned t = lower_take(l);
    assembler_vector_byte(CODE, VRNDSCALEPS, LOWER_T1, 0, a, 8 | (ir->round & 3));
    assembler_vector(CODE, is_signed ? VCVTTPS2DQ : VCVTTPS2UDQ, t, 0, at_register(LOWER_T1));
    if (is_signed) {
        assembler_vector_byte(CODE, VCMPPS, LOWER_K, LOWER_T1, at_word(CODE, 0x4f000000), compares[IR_GE]);
        assembler_vector_masked(CODE, VPBROADCASTD, t, 0, at_word(CODE, INT32_MAX), LOWER_K, false);
        assembler_vector_byte(CODE, VCMPPS, LOWER_K, LOWER_T1, at_register(LOWER_T1), compares[IR_NAN]);
    } else {
        assembler_vector_byte(CODE, VCMPPS, LOWER_K, LOWER_T1, at_word(CODE, 0), compares[IR_LTU]);
    }
    assembler_vector_masked(CODE, VPBROADCASTD, t, 0, at_word(CODE, 0), LOWER_K, false);
    lower_result(l, ir, t);
}

static void to_float(struct lower *l, const struct ir *ir) {
    bool is_signed = ir->source_type & 1;
    struct ir_source plain = ir->a;
    plain.negate = plain.absolute = false;
    struct assembler_operand a = lower_bits(l, &plain, LOWER_T0);
    unsigned t = lower_take(l);
    assembler_vector(CODE, is_signed ? VCVTDQ2PS : VCVTUDQ2PS, t, 0, a);
    if (ir->a.absolute)
        assembler_vector(CODE, VPANDD, t, t, at_word(CODE, ~SIGN));
    if (ir->a.negate) { /* 0 stays +0 */
        assembler_vector(CODE, VPXORD, LOWER_T1, LOWER_T1, at_register(LOWER_T1));
        assembler_vector(CODE, VSUBPS, t, LOWER_T1, at_register(t));
    }
    lower_result(l, ir, t);
}

bool lower_convert(struct lower *l, const struct ir *ir) {
    bool word = ir->source_type == IR_S32 || (ir->source_type == IR_U32 && CODE->wide);
    if (ir->write_flags || !lower_can_guard(ir) || !lower_can(&ir->a))
        return false;
    if (rounds_whole(ir) && (ir->integral || ir->round == IR_NEAREST)) {
        lower_flush(l, ir->flush);
        whole(l, ir);
        return true;
    }
    if (ir->op == IR_F2I && ir->source_type == IR_F32 && (ir->type == IR_S32 || (ir->type == IR_U32 && CODE->wide))) {
        lower_flush(l, ir->flush);
        to_integer(l, ir);
        return true;
    }
    if (ir->op == IR_I2F && word && ir->type == IR_F32 && ir->round == IR_NEAREST && !ir->saturate &&
        ir->a.part == IR_WHOLE) {
        lower_open(l);
        to_float(l, ir);
        return true;
    }
    return false;
}

/* ---- sums within a quad ---- */

/* For VPERMILPS: which lane of its quad each lane takes. */
static const uint8_t neighbours[7] = {0x00, 0x55, 0xaa, 0xff, 0xb1, 0x4e, 0xe4};

/* What rows of 16 words are, in code: the low bits of lanes are those of the quad. */
static void signs(struct lower *l, unsigned t, uint8_t lanes) {
    /* lane i of a quad: bit i of `lanes` gives a sign */
    assembler_set(CODE, RCX, lanes * 0x1111u);
    assembler_mask_from(CODE, LOWER_K, RCX);
    assembler_vector_masked(CODE, VPBROADCASTD, t, 0, at_word(CODE, SIGN), LOWER_K, true);
}

/* Lanes that do not run give what is in their register: it is looked up in memory. */
static unsigned of_all_lanes(struct lower *l, unsigned number) {
    unsigned t = lower_register(l, number, true);
    int32_t row = (int32_t)(number * sizeof(shade_row));
    if (!l->values[t].changed)
        return t;
    assembler_compare(CODE, R13, -1);
    uint32_t all = assembler_jump(CODE, IF_EQUAL);
    assembler_vector_masked(CODE, VMOVDQA32_STORE, t, 0, at_row(RBX, row), LOWER_LANES, false);
    assembler_vector(CODE, VMOVDQA32, t, 0, at_row(RBX, row));
    assembler_here(CODE, all);
    return t;
}

bool lower_quad_sum(struct lower *l, const struct ir *ir) {
    uint8_t minus_left = 0, minus_right = 0, only_right = 0;
    if (!can_float(ir) || ir->round != IR_NEAREST || ir->mode > 6 || ir->a.kind != IR_REGISTER ||
        (ir->a.value & 0xff) == IR_ZERO || !lower_can(&ir->a) || !lower_can(&ir->b))
        return false;
    for (unsigned i = 0; i < 4; i++) {
        unsigned what = ir->mask >> (6 - 2 * i) & 3;
        minus_left |= (uint8_t)((what == 1 ? 1u : 0u) << i);
        minus_right |= (uint8_t)((what == 2 ? 1u : 0u) << i);
        only_right |= (uint8_t)((what == 3 ? 1u : 0u) << i);
    }
    lower_flush(l, ir->flush);
    of_all_lanes(l, ir->a.value & 0xff);
    unsigned a = lower_in_register(l, lower_float(l, &ir->a, LOWER_T0, true), LOWER_T0);
    unsigned b = lower_in_register(l, lower_float(l, &ir->b, LOWER_T1, true), LOWER_T1), t = lower_take(l);
    assembler_vector_byte(CODE, VPERMILPS, t, 0, at_register(a), neighbours[ir->mode]);
    signs(l, LOWER_T2, minus_left);
    assembler_vector(CODE, VPXORD, t, t, at_register(LOWER_T2));
    if (only_right) { /* -0 and b */
        signs(l, LOWER_T2, only_right);
        assembler_vector_masked(CODE, VMOVDQA32, t, 0, at_register(LOWER_T2), LOWER_K, false);
    }
    signs(l, LOWER_T2, minus_right);
    assembler_vector(CODE, VPXORD, LOWER_T2, b, at_register(LOWER_T2));
    assembler_vector(CODE, VADDPS, t, t, at_register(LOWER_T2));
    lower_float_end(l, ir, t);
    return true;
}
