/* SPDX-License-Identifier: MIT */
/*
 * Functions: what engine/shade/interpret/function.c does, operation for operation, in doubles where it has doubles. The 16
 * floats of a vector are two vectors of eight doubles, one after the other. For AVX-512 alone.
 */
#include <string.h>

#include "engine/shade/compile/lower.h"

#define CODE (&l->code)

#define INTEGRAL 6755399441055744.0 /* 1.5 * 2^52 */

/* Compare predicates of VCMPPS. */
enum { EQUAL = 0x00, NO_NUMBER = 0x03, NOT_GREATER_OR_EQUAL = 0x19 };

static struct assembler_operand number(struct lower *l, double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return at_pair(CODE, bits);
}

static void with_number(struct lower *l, unsigned op, unsigned d, double value) {
    assembler_vector(CODE, op, d, d, number(l, value));
}

/* d = d * by + next, rounded twice. */
static void step(struct lower *l, unsigned d, unsigned by, double next) {
    assembler_vector(CODE, VMULPD, d, d, at_register(by));
    with_number(l, VADDPD, d, next);
}

/* 1 / sqrt(x): zeros, infinities and negative numbers come out as the function has them. */
static void root(struct lower *l, unsigned x) {
    assembler_vector(CODE, VSQRTPD, x, 0, at_register(x));
    assembler_vector(CODE, VBROADCASTSD, LOWER_T1, 0, number(l, 1.0));
    assembler_vector(CODE, VDIVPD, x, LOWER_T1, at_register(x));
}

static void power(struct lower *l, unsigned x) {
    static const double series[] = {
        1.0 / 3628800.0, 1.0 / 362880.0, 1.0 / 40320.0, 1.0 / 5040.0, 1.0 / 720.0, 1.0 / 120.0,
        1.0 / 24.0,      1.0 / 6.0,      0.5,           1.0,          1.0};
    with_number(l, VMAXPD, x, -200.0);
    with_number(l, VMINPD, x, 200.0);
    assembler_vector(CODE, VADDPD, LOWER_T1, x, number(l, INTEGRAL));
    assembler_vector(CODE, VSUBPD, LOWER_T2, LOWER_T1, number(l, INTEGRAL));
    assembler_vector(CODE, VSUBPD, x, x, at_register(LOWER_T2));
    with_number(l, VMULPD, x, 0x1.62e42fefa39efp-1);
    assembler_vector(CODE, VBROADCASTSD, LOWER_T2, 0, number(l, 1.0 / 39916800.0));
    for (unsigned i = 0; i < sizeof series / sizeof series[0]; i++)
        step(l, LOWER_T2, x, series[i]);
    /* n + INTEGRAL has n in its low bits, and is n + INTEGRAL - INTEGRAL + INTEGRAL. */
    assembler_vector(CODE, VPADDQ, LOWER_T1, LOWER_T1, at_pair(CODE, 1023));
    assembler_shift64(CODE, SHIFT_LEFT, LOWER_T1, at_register(LOWER_T1), 52);
    assembler_vector(CODE, VMULPD, x, LOWER_T2, at_register(LOWER_T1));
}

static void logarithm(struct lower *l, unsigned x) {
    static const double series[] = {1.0 / 17.0, 1.0 / 15.0, 1.0 / 13.0, 1.0 / 11.0, 1.0 / 9.0,
                                    1.0 / 7.0,  1.0 / 5.0,  1.0 / 3.0,  1.0};
    assembler_vector(CODE, VPSUBQ, LOWER_T1, x, at_pair(CODE, UINT64_C(0x3fe6a09e667f3bcd)));
    assembler_shift64(CODE, SHIFT_RIGHT, LOWER_T1, at_register(LOWER_T1), 52);
    assembler_shift64(CODE, SHIFT_LEFT, LOWER_T2, at_register(LOWER_T1), 52);
    assembler_vector(CODE, VPSUBQ, x, x, at_register(LOWER_T2)); /* m */
    /* e: an integer below 2^12 in the low bits of 2^52 */
    assembler_vector(CODE, VPXORQ, LOWER_T1, LOWER_T1, at_pair(CODE, UINT64_C(0x4330000000000800)));
    with_number(l, VSUBPD, LOWER_T1, 0x1p52);
    with_number(l, VSUBPD, LOWER_T1, 2048.0);
    assembler_vector(CODE, VADDPD, LOWER_T2, x, number(l, 1.0));
    with_number(l, VSUBPD, x, 1.0);
    assembler_vector(CODE, VDIVPD, x, x, at_register(LOWER_T2)); /* s */
    assembler_vector(CODE, VMULPD, LOWER_T2, x, at_register(x)); /* q */
    assembler_vector(CODE, VBROADCASTSD, LOWER_T3, 0, number(l, 1.0 / 19.0));
    for (unsigned i = 0; i < sizeof series / sizeof series[0]; i++)
        step(l, LOWER_T3, LOWER_T2, series[i]);
    assembler_vector(CODE, VMULPD, x, LOWER_T3, at_register(x));
    with_number(l, VMULPD, x, 2.0 * 0x1.71547652b82fep0);
    assembler_vector(CODE, VADDPD, x, LOWER_T1, at_register(x));
}

static void halves(struct lower *l, unsigned t, unsigned a, void (*function)(struct lower *l, unsigned x)) {
    assembler_vector(CODE, VCVTPS2PD, LOWER_T0, 0, at_register(a));
    function(l, LOWER_T0);
    assembler_vector(CODE, VCVTPD2PS, t, 0, at_register(LOWER_T0));
    assembler_vector_byte(CODE, VEXTRACTF64X4, a, 0, at_register(LOWER_T0), 1);
    assembler_vector(CODE, VCVTPS2PD, LOWER_T0, 0, at_register(LOWER_T0));
    function(l, LOWER_T0);
    assembler_vector(CODE, VCVTPD2PS, LOWER_T0, 0, at_register(LOWER_T0));
    assembler_vector_byte(CODE, VINSERTF64X4, t, t, at_register(LOWER_T0), 1);
}

/* t = value in the lanes in which a compares so with b. */
static void where(struct lower *l, unsigned t, unsigned a, uint32_t b, uint8_t compare, uint32_t value) {
    assembler_vector_byte(CODE, VCMPPS, LOWER_K, a, at_word(CODE, b), compare);
    assembler_vector_masked(CODE, VPBROADCASTD, t, 0, at_word(CODE, value), LOWER_K, false);
}

bool lower_double_function(struct lower *l, const struct ir *ir) {
    if (!CODE->wide)
        return false;
    lower_flush(l, true);
    /* It is needed after the temporaries have been used. */
    unsigned a = lower_take(l), t = lower_take(l);
    assembler_vector(CODE, VMOVDQA32, a, 0,
                     at_register(lower_in_register(l, lower_float(l, &ir->a, LOWER_T0, true), LOWER_T0)));
    switch (ir->mode) {
    case IR_RSQ:
        halves(l, t, a, root);
        break;
    case IR_EX2:
        halves(l, t, a, power);
        where(l, t, a, 0, NO_NUMBER, 0x7fffffff);
        break;
    default:
        halves(l, t, a, logarithm);
        where(l, t, a, 0x7f800000, EQUAL, 0x7f800000);
        where(l, t, a, 0, NOT_GREATER_OR_EQUAL, 0x7fffffff);
        where(l, t, a, 0, EQUAL, 0xff800000);
        break;
    }
    lower_float_end(l, ir, t);
    return true;
}
