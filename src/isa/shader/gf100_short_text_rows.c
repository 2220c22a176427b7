/* SPDX-License-Identifier: MIT */
/*
 * Instructions of 4 bytes as text: GF100's, and of GK104's trap handler. Fields in two parts have the upper one at bit 8.
 * Names with _N are NVIDIA's. Sources: see gf100_text.c; the fields are envytools'.
 */
#define AT_D         14
#define AT_A         20
#define AT_IMMEDIATE 26
#include "isa/shader/text_rows.h"

#define HALF(name, value, mask, ...) WORD(name, UINT64_C(0x##value), UINT64_C(0x##mask), REGISTER, __VA_ARGS__)
/* A register, or a word of a bank, by two bits elsewhere. */
#define SHORT(at, which)                                                                                               \
    { SAY_SHORT, 0, at, 6, 0, which, 0 }
#define B_SHORT SHORT(26, 8)
#define NUMBER                                                                                                         \
    { SAY_SIGNED, 0, 26, 6, 8, 2, 0 }
#define PLACED(shift)                                                                                                  \
    { SAY_ADDRESS, 2, 26, 6, shift, 0, 8 }
#define ATTRIBUTE_AT(at)                                                                                               \
    { SAY_ATTRIBUTE, 2, at, 6, 2, 1, 8 }
#define IN_BANKS                                                                                                       \
    { SAY_INDEXED, 2, 26, 6, 5, 0, 8 }
#define TO(at, width)                                                                                                  \
    { SAY_RELATIVE, 0, at, width, 2, 4, 0 }
#define UNGUARDED IGNORED(10, 4)
#define CONVERTED                                                                                                      \
    D_CC(23), {                                                                                                        \
        SAY_FROM, 0, 26, 0, 22, 25, 0                                                                                  \
    }

/* clang-format off */
static const struct isa_text_row rows[] = {
    HALF("NOP_N", 00000008, f80003ff),
    HALF("CSETP_N", 10000008, f80003ff, DOT(TEST, 20, 5), PD(17), NAME(CC, 0, 0)),
    HALF("PSETP_N", 18000008, f80003ff, DOT(COMBINE, 25, 2), PD(17), P(20), {SAY_P, 0, 14, 3, 24, 0, 0}),
    HALF("S2R_N", 40000008, f00003ff, D, NAME(SPECIAL_GF100, 20, 8)),
    HALF("BAR_N.SYNC", 50000008, f80003ff, OR(20, 26, 20, 4)),
    HALF("BAR_N.ARV", 58000008, f80003ff, OR(20, 26, 20, 4)),
    HALF("RRO_N", 70000008, f00003ff, FLAG(REDUCTION, 26), D, A),
    HALF("MUFU_N", 80000008, a00003ff, DOT(FUNCTION, 26, 3), D, A_ABS(0, 30)),
    HALF("SHL_N", 00000208, 800003ff, D, A, U(26, 5)),
    HALF("SHR_N", 80000208, 800003ff, D, A, U(26, 5)),
    HALF("VABSDIFF2_N", 00000108, 000007ff, GUARDLESS, FLAG(SD, 13), DOT2(XMAD_SIGNS, 12, 1, 11, 1), D, A, B),
    HALF("VADD2_N", 00000308, 00000fff, GUARDLESS, FLAG(SD, 13), FLAG(HALF_SIGN, 12), D, A, B),
    HALF("VADD2_N.SUBR", 00000b08, 00000fff, GUARDLESS, FLAG(SD, 13), FLAG(HALF_SIGN, 12), D, A, B),
    HALF("VABSDIFF4_N", 00000508, 000007ff, GUARDLESS, FLAG(SD, 13), DOT2(BYTE_SIGNS, 12, 1, 11, 1), D, A, B),
    HALF("VADD4_N", 00000708, 00000fff, GUARDLESS, FLAG(SD, 13), FLAG(BYTE_SIGN_BOTH, 12), D, A, B),
    HALF("VADD4_N.SUBR", 00000f08, 00000fff, GUARDLESS, FLAG(SD, 13), FLAG(BYTE_SIGN_BOTH, 12), D, A, B),
    HALF("I2I_N", 00000018, 000001ff, DOT(INT_TYPE_SHORT, 20, 2), DOT2(INT_TYPE_SHORT, 9, 1, 24, 1), CONVERTED),
    HALF("MOV_N", 00000118, 000003ff, D, S(20, 12)),
    HALF("MOV_N", 00000318, 000003ff, D, {SAY_UNSIGNED, 0, 20, 12, 0, 0, 20}),
    HALF("MOV_N", 00000028, 000000ff, D, SHORT(20, 8)),
    HALF("I2F_N.F32", 00000088, 000003ff, FLAG(INT_SIGN, 24), DOT(ROUND, 20, 2), CONVERTED),
    HALF("F2I_N", 00000288, 000003ff, FLAG(INT_SIGN, 24), FIXED(F32), DOT(WHOLE, 20, 2), CONVERTED),
    HALF("F2F_N.F32.F32", 00000098, 000003ff, FLAG(SAT, 24), CONVERTED),
    HALF("F2F_N.F32.F32", 00000298, 000003ff, DOT(TO_WHOLE, 20, 2), FLAG(SAT, 24), CONVERTED),
    HALF("FMUL_N", 000000a8, 000000ff, D, A, B_SHORT),
    HALF("ISETP_N", 00000048, 000000ff, DOT(COMPARE_INT, 14, 3), PD(17), A, B_SHORT),
    HALF("ISETP_N", 000000c8, 000000ff, DOT(COMPARE_INT, 14, 3), PD(17), A, NUMBER),
    HALF("VMAD_N", 00000058, 0000007f, GUARDLESS, DOT2(SIGNS_ALL, 13, 1, 12, 1), DOT(PARTS_SHORT, 7, 5), D, A, B),
    HALF("IPA_N", 00000009, 0000007f, FLAG(INTERPOLATE_SHORT, 7), D, ATTRIBUTE_AT(26), FROM(20)),
    HALF("FADD_N", 00000049, 0000007f, D, A_NEG(7), B_SHORT),
    HALF("FSETP_N", 00000059, 0000007f, DOT2(COMPARE, 7, 1, 14, 3), PD(17), A, B_SHORT),
    HALF("ALD_N", 00000029, 0000003f, DOT(SIZE_WORDS, 6, 2), D, ATTRIBUTE_AT(20), FROM(26)),
    HALF("AST_N", 00000039, 0000003f, DOT(SIZE_WORDS, 6, 2), ATTRIBUTE_AT(20), FROM(26), FROM(14)),
    HALF("LDL_N", 0000000a, 000000ff, D, PLACED(2)),
    HALF("LDS_N", 0000004a, 000000ff, D, PLACED(2)),
    HALF("LDL_N.64", 0000008a, 000000ff, D, PLACED(3)),
    HALF("LDS_N.64", 000000ca, 000000ff, D, PLACED(3)),
    HALF("STL_N", 0000001a, 000000ff, PLACED(2), D),
    HALF("STS_N", 0000005a, 000000ff, PLACED(2), D),
    HALF("STL_N.64", 0000009a, 000000ff, PLACED(3), D),
    HALF("STS_N.64", 000000da, 000000ff, PLACED(3), D),
    HALF("IMUL_N", 0000002a, 000000bf, FLAG(SIGNS_BOTH, 6), D, A, B_SHORT),
    HALF("IMUL_N", 000000aa, 000000bf, FLAG(SIGNS_BOTH, 6), D, A, NUMBER),
    HALF("LD_N", 0000000b, 000000bf, FLAG(E, 6), D, PLACED(2)),
    HALF("LD_N", 0000008b, 000000bf, FLAG(E, 6), FIXED(B64_ALWAYS), D, PLACED(3)),
    HALF("ST_N", 0000001b, 000000bf, FLAG(E, 6), PLACED(2), D),
    HALF("ST_N", 0000009b, 000000bf, FLAG(E, 6), FIXED(B64_ALWAYS), PLACED(3), D),
    HALF("IADD_N", 0000002c, 000000bf, D, A_NEG(6), B_SHORT),
    HALF("IADD_N", 000000ac, 000000bf, D, A_NEG(6), NUMBER),
    HALF("LDC_N", 0000001c, 0000001f, D, IN_BANKS),
    HALF("IMAD_N", 0000000d, 0000001f, GUARDLESS, FLAG(SIGNS_BOTH, 5), D, A, SHORT(26, 6), FROM(8)),
    HALF("LOP_N", 0000001d, 0000009f, DOT(LOGIC, 5, 2), D, A, B_SHORT),
    HALF("LOP_N", 0000009d, 0000009f, DOT(LOGIC, 5, 2), D, A, NUMBER),
    HALF("FFMA_N", 0000000e, 0000002f, GUARDLESS, D, A_NEG(4), SHORT(26, 6), FROM(8)),
    HALF("FFMA_N", 0000002e, 0000002f, GUARDLESS, D, A_NEG(4), B, SHORT(8, 6)),
    HALF("BRA_N", 0000001f, c000001f, FLAG(U, 28), FLAG(LMT, 29), TEST(5), TO(14, 14)),
    HALF("SSY_N", 4000001f, f000001f, UNGUARDED, TO(14, 14)),
    HALF("CAL_N", 5000001f, f000001f, GUARDLESS, FLAG(NOINC, 5), TO(6, 22)),
    HALF("BPT_N", 8000001f, f800001f, GUARDLESS, DOT(PAUSE_GF100, 5, 2), U(7, 20)),
    HALF("EXIT_N", 8800001f, f800001f, TEST(5)),
    HALF("RET_N", 9000001f, f800001f, TEST(5)),
};
/* clang-format on */

const struct isa_texts gf100_short_texts = {
    .tables = {{rows, sizeof rows / sizeof rows[0]}},
    .registers = 6,
    .guard = 10,
    .a = AT_A,
    .b = AT_IMMEDIATE,
    .c = 8,
    .bank_width = 3,
};
