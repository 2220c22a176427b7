/* SPDX-License-Identifier: MIT */
/* The rows of GM107's text. Each says all fields of its encoding; sources: see gm107_text.c. */
#define AT_D         0
#define AT_A         8
#define AT_IMMEDIATE 20
#include "isa/shader/text_rows.h"

/* The upper 16 bits of word and mask. */
#define TOP(name, value, mask, ...) FORM(name, value, mask, REGISTER, __VA_ARGS__)
#define FORM(name, value, mask, form, ...)                                                                             \
    WORD(name, (uint64_t)(0x##value) << 48, (uint64_t)(0x##mask) << 48, form, __VA_ARGS__)
/* Immediates have their sign in bit 56. */
#define IMMEDIATE(name, value, mask, form, ...)                                                                        \
    WORD(name, (uint64_t)(0x##value) << 48, (uint64_t)(0x##mask & 0xfeff) << 48, form, __VA_ARGS__)
#define FORMS2(name, r, c, i, mask, form, ...)                                                                         \
    FORM(name, r, mask, REGISTER, __VA_ARGS__), FORM(name, c, mask, CONSTANT, __VA_ARGS__),                            \
        IMMEDIATE(name, i, mask, form, __VA_ARGS__)
#define FORMS3(name, r, c, rc, i, mask, form, ...)                                                                     \
    FORMS2(name, r, c, i, mask, form, __VA_ARGS__), FORM(name, rc, mask, SWAPPED, __VA_ARGS__)
/* Flow: targets in the word, or in constant memory. */
#define FLOW(name, value, ...) TOP(name, value, fff0, __VA_ARGS__)
#define TO_WORD(name, value, ...)                                                                                      \
    WORD(name, (uint64_t)(0x##value) << 48, UINT64_C(0xfff0000000000020), NONE, __VA_ARGS__)
#define TO_CONSTANT(name, value, ...)                                                                                  \
    WORD(name, (uint64_t)(0x##value) << 48 | 0x20, UINT64_C(0xfff0000000000020), NONE, __VA_ARGS__)

/* Video: the second source is a register, or 16 bits; which of both is bit 50. */
#define VIDEO_ROW(name, value, mask, is_register, ...)                                                                 \
    WORD(name, (uint64_t)0x##value << 48 | (uint64_t)(is_register) << 50, (uint64_t)(0x##mask | 4) << 48, REGISTER,    \
         __VA_ARGS__)
#define VIDEO(name, value, mask, neg_a, neg_b, neg_c, ...)                                                             \
    VIDEO_ROW(name, value, mask, 1, __VA_ARGS__, D_CC(47), VIDEO_A(neg_a), VIDEO_B(neg_b), C_NEG(neg_c)),              \
        VIDEO_ROW(name, value, mask, 0, __VA_ARGS__, D_CC(47), VIDEO_A(neg_a), U_NEG(20, 16, neg_b), C_NEG(neg_c))
#define VIDEO_A(neg) A_PART(SELECT_VIDEO, neg, 0, 36, 3)
#define VIDEO_B(neg) B_PART(SELECT_VIDEO, neg, 0, 28, 3)

/* The predicate of an instruction that has none. */
#define UNGUARDED IGNORED(16, 4)

/* clang-format off */
static const struct isa_text_row rows[] = {
    /* ---- floats ---- */
    FORMS2("FADD", 5c58, 4c58, 3858, fff8, SINGLE, FLAG(FTZ, 44), DOT(ROUND, 39, 2), FLAG(SAT, 50), D_CC(47), A_ABS(48, 46), ADDED(45, 49)),
    FORMS2("FMUL", 5c68, 4c68, 3868, fff8, SINGLE, DOT(FMZ, 44, 2), DOT(SCALE, 41, 3), DOT(ROUND, 39, 2), FLAG(SAT, 50), D_CC(47), A, B_NEG(48)),
    FORMS3("FFMA", 5980, 4980, 5180, 3280, ff80, SINGLE, DOT(FMZ, 53, 2), DOT(ROUND, 51, 2), FLAG(SAT, 50), D_CC(47), A, B_NEG(48), C_NEG(49)),
    FORMS2("FMNMX", 5c60, 4c60, 3860, fff8, SINGLE, FLAG(FTZ, 44), D_CC(47), A_ABS(48, 46), B_ABS(45, 49), P(39)),
    FORMS2("FSET", 5800, 4800, 3000, ff00, SINGLE, FLAG(BF, 52), DOT(COMPARE, 48, 4), FLAG(FTZ, 55), DOT(COMBINE, 45, 2), D_CC(47), A_ABS(43, 54), B_ABS(53, 44), P(39)),
    FORMS2("FSETP", 5bb0, 4bb0, 36b0, fff0, SINGLE, DOT(COMPARE, 48, 4), FLAG(FTZ, 47), DOT(COMBINE, 45, 2), PD(3), PD(0), A_ABS(43, 7), B_ABS(6, 44), P(39)),
    FORMS3("FCMP", 5ba0, 4ba0, 53a0, 36a0, fff0, SINGLE, DOT(COMPARE_GT, 48, 4), FLAG(FTZ, 47), D, A, B, C),
    FORMS2("FCHK", 5c88, 4c88, 3888, fff8, SINGLE, DOT(DIVIDE, 39, 6), PD(3), A_ABS(48, 46), B_ABS(45, 49)),
    FORMS2("RRO", 5c90, 4c90, 3890, fff8, SINGLE, FLAG(REDUCTION, 39), D, B_ABS(45, 49)),
    FORMS2("DADD", 5c70, 4c70, 3870, fff8, DOUBLE, DOT(ROUND, 39, 2), D_CC(47), A_ABS(48, 46), ADDED(45, 49)),
    FORMS2("DMUL", 5c80, 4c80, 3880, fff8, DOUBLE, DOT(ROUND, 39, 2), D_CC(47), A, B_NEG(48)),
    FORMS3("DFMA", 5b70, 4b70, 5370, 3670, fff0, DOUBLE, DOT(ROUND, 50, 2), D_CC(47), A, B_NEG(48), C_NEG(49)),
    FORMS2("DMNMX", 5c50, 4c50, 3850, fff8, DOUBLE, D_CC(47), A_ABS(48, 46), B_ABS(45, 49), P(39)),
    FORMS2("DSET", 5900, 4900, 3200, ff80, DOUBLE, FLAG(BF, 52), DOT(COMPARE, 48, 4), DOT(COMBINE, 45, 2), D_CC(47), A_ABS(43, 54), B_ABS(53, 44), P(39)),
    FORMS2("DSETP", 5b80, 4b80, 3680, fff0, DOUBLE, DOT(COMPARE, 48, 4), DOT(COMBINE, 45, 2), PD(3), PD(0), A_ABS(43, 7), B_ABS(6, 44), P(39)),
    TOP("FSWZADD", 50f8, fff8, FLAG(FTZ, 44), DOT(ROUND, 39, 2), FLAG(NDV, 38), D_CC(47), A, ADDED(0, 0), SIGNS(28)),
    TOP("MUFU", 5080, fff8, DOT(FUNCTION, 20, 4), FLAG(SAT, 50), D, A_ABS(48, 46)),
    TOP("FFMA32I", 0c00, fc00, DOT(FMZ, 53, 2), FLAG(SAT, 55), D_CC(52), A_NEG(56), F32(0, 0), FROM_NEG(0, 57)),
    TOP("FADD32I", 0800, fc00, FLAG(FTZ, 55), D_CC(52), A_ABS(56, 54), F32(53, 57)),
    TOP("FMUL32I", 1e00, ff00, DOT(FMZ, 53, 2), FLAG(SAT, 55), D_CC(52), A, F32(0, 0)),
    /* ---- pairs of halves ---- */
    TOP("HADD2", 5d10, fff8, DOT(MERGE, 49, 2), FLAG(FTZ, 39), FLAG(SAT, 32), D, A_PART(PAIR, 43, 44, 47, 2), ADDED_PART(PAIR, 31, 30, 28, 2)),
    TOP("HMUL2", 5d08, fff8, DOT(MERGE, 49, 2), DOT(FMZ, 39, 2), FLAG(SAT, 32), D, A_PART(PAIR, 0, 44, 47, 2), B_PART(PAIR, 31, 30, 28, 2)),
    TOP("HFMA2", 5d00, fff8, DOT(MERGE, 49, 2), DOT(FMZ, 37, 2), FLAG(SAT, 32), D, A_PART(PAIR, 0, 0, 47, 2), B_PART(PAIR, 31, 0, 28, 2), C_PART(PAIR, 30, 35, 2)),
    TOP("HSET2", 5d18, fff8, FLAG(BF, 49), DOT(COMPARE, 35, 4), FLAG(FTZ, 50), DOT(COMBINE, 45, 2), D, A_PART(PAIR, 43, 44, 47, 2), B_PART(PAIR, 31, 30, 28, 2), P(39)),
    TOP("HSETP2", 5d20, fff8, DOT(COMPARE, 35, 4), FLAG(FTZ, 6), DOT(COMBINE, 45, 2), FLAG(H_AND, 49), PD(3), PD(0), A_PART(PAIR, 43, 44, 47, 2), B_PART(PAIR, 31, 30, 28, 2), P(39)),
    TOP("HSETP2", 7e80, fe80, DOT(COMPARE, 49, 4), FLAG(FTZ, 6), DOT(COMBINE, 45, 2), FLAG(H_AND, 53), PD(3), PD(0), A_PART(PAIR, 43, 44, 47, 2), CONSTANT_ABS(56, 54), P(39)),
    TOP("HSETP2", 7e00, fe80, DOT(COMPARE, 49, 4), FLAG(FTZ, 6), DOT(COMBINE, 45, 2), FLAG(H_AND, 53), PD(3), PD(0), A_PART(PAIR, 43, 44, 47, 2), HALVES10, P(39)),
    TOP("HSET2", 7c80, fe80, FLAG(BF, 53), DOT(COMPARE, 49, 4), FLAG(FTZ, 54), DOT(COMBINE, 45, 2), D, A_PART(PAIR, 43, 44, 47, 2), CONSTANT_ABS(56, 54), P(39)),
    TOP("HSET2", 7c00, fe80, FLAG(BF, 53), DOT(COMPARE, 49, 4), FLAG(FTZ, 54), DOT(COMBINE, 45, 2), D, A_PART(PAIR, 43, 44, 47, 2), HALVES10, P(39)),
    TOP("HADD2", 7a80, fe80, DOT(MERGE, 49, 2), FLAG(FTZ, 39), FLAG(SAT, 52), D, A_PART(PAIR, 43, 44, 47, 2), CONSTANT_ABS(56, 54)),
    TOP("HADD2", 7a00, fe80, DOT(MERGE, 49, 2), FLAG(FTZ, 39), FLAG(SAT, 52), D, A_PART(PAIR, 43, 44, 47, 2), HALVES10),
    TOP("HMUL2", 7880, fe80, DOT(MERGE, 49, 2), DOT(FMZ, 39, 2), FLAG(SAT, 52), D, A_PART(PAIR, 43, 44, 47, 2), CONSTANT_ABS(0, 54)),
    TOP("HMUL2", 7800, fe80, DOT(MERGE, 49, 2), DOT(FMZ, 39, 2), FLAG(SAT, 52), D, A_PART(PAIR, 43, 44, 47, 2), HALVES10),
    TOP("HFMA2", 7080, f880, DOT(MERGE, 49, 2), DOT(FMZ, 57, 2), FLAG(SAT, 52), D, A_PART(PAIR, 0, 0, 47, 2), CONSTANT_ABS(56, 0), C_PART(PAIR, 51, 53, 2)),
    TOP("HFMA2", 7000, f880, DOT(MERGE, 49, 2), DOT(FMZ, 57, 2), FLAG(SAT, 52), D, A_PART(PAIR, 0, 0, 47, 2), HALVES10, C_PART(PAIR, 51, 53, 2)),
    FORM("HFMA2", 6080, f880, SWAPPED, DOT(MERGE, 49, 2), DOT(FMZ, 57, 2), FLAG(SAT, 52), D, A_PART(PAIR, 0, 0, 47, 2), B_PART(PAIR, 56, 0, 53, 2), C_NEG(51)),
    TOP("HADD2_32I", 2c00, fe00, FLAG(FTZ, 55), FLAG(SAT, 52), D, A_PART(PAIR, 56, 0, 53, 2), HALVES16),
    TOP("HMUL2_32I", 2a00, fe00, DOT(FMZ, 55, 2), FLAG(SAT, 52), D, A_PART(PAIR, 0, 0, 53, 2), HALVES16),
    TOP("HFMA2_32I", 2800, fe00, DOT(FMZ, 55, 2), D, A_PART(PAIR, 0, 0, 53, 2), HALVES16, FROM_NEG(0, 52)),
    /* ---- integers ---- */
    FORMS2("IADD", 5c10, 4c10, 3810, fff8, INT, PLUS_ONE(49, 48), FLAG(SAT, 50), FLAG(X, 43), D_CC(47), A_NEG(49), B_NEG(48)),
    TOP("IADD3", 5cc0, fff0, FLAG(X, 48), DOT(SHIFT3, 37, 2), D_CC(47), A_PART(HALF3, 51, 0, 35, 2), B_PART(HALF3, 50, 0, 33, 2), C_PART(HALF3, 49, 31, 2)),
    FORM("IADD3", 4cc0, fff0, CONSTANT, FLAG(X, 48), D_CC(47), A_NEG(51), B_NEG(50), C_NEG(49)),
    IMMEDIATE("IADD3", 38c0, fff0, INT, FLAG(X, 48), D_CC(47), A_NEG(51), B_NEG(50), C_NEG(49)),
    FORMS2("ISCADD", 5c18, 4c18, 3818, fff8, INT, PLUS_ONE(49, 48), D_CC(47), A_NEG(49), B_NEG(48), U(39, 5)),
    FORMS2("IMUL", 5c38, 4c38, 3838, fff8, INT, DOT(SIGNS, 40, 2), FLAG(HI, 39), D_CC(47), A, B),
    FORMS3("IMADSP.SD", 5a98, 4a98, 5298, 3498, ff98, INT, D_CC(47), A, B, C),
    FORMS3("IMADSP", 5a80, 4a80, 5280, 3480, ff80, INT, PARTS(48, 53, 51), D_CC(47), A, B, C),
    FORMS3("IMAD", 5a00, 4a00, 5200, 3400, ff80, INT, DOT2(SIGNS, 48, 1, 53, 1), FLAG(HI, 54), FLAG(SAT, 50), FLAG(X, 49), PLUS_ONE(51, 52), D_CC(47), A_NEG(51), B, C_NEG(52)),
    FORMS2("IMNMX", 5c20, 4c20, 3820, fff8, INT, FLAG(U32, 48), DOT(XMODE, 43, 2), D_CC(47), A, B, P(39)),
    FORMS2("ISET", 5b50, 4b50, 3650, fff0, INT, FLAG(BF, 44), DOT(COMPARE_INT, 49, 3), FLAG(U32, 48), FLAG(X, 43), DOT(COMBINE, 45, 2), D_CC(47), A, B, P(39)),
    FORMS2("ISETP", 5b60, 4b60, 3660, fff0, INT, DOT(COMPARE_INT, 49, 3), FLAG(U32, 48), FLAG(X, 43), DOT(COMBINE, 45, 2), PD(3), PD(0), A, B, P(39)),
    FORMS3("ICMP", 5b40, 4b40, 5340, 3640, fff0, INT, DOT(COMPARE_INT, 49, 3), FLAG(U32, 48), D, A, B, C),
    FORMS2("SHL", 5c48, 4c48, 3848, fff8, INT, FLAG(W, 39), FLAG(X, 43), D_CC(47), A, B),
    FORMS2("SHR", 5c28, 4c28, 3828, fff8, INT, FLAG(U32, 48), FLAG(W, 39), FLAG(X, 44), FLAG(BREV, 40), D_CC(47), A, B),
    TOP("SHF.L", 5bf8, fff8, FLAG(W, 50), DOT(SHF, 37, 2), FLAG(HI, 48), FLAG(X, 49), D_CC(47), A, B, C),
    IMMEDIATE("SHF.L", 36f8, fff8, REGISTER, FLAG(W, 50), DOT(SHF, 37, 2), FLAG(HI, 48), FLAG(X, 49), D_CC(47), A, U(20, 6), C),
    TOP("SHF.R", 5cf8, fff8, FLAG(W, 50), DOT(SHF, 37, 2), FLAG(HI, 48), FLAG(X, 49), D_CC(47), A, B, C),
    IMMEDIATE("SHF.R", 38f8, fff8, REGISTER, FLAG(W, 50), DOT(SHF, 37, 2), FLAG(HI, 48), FLAG(X, 49), D_CC(47), A, U(20, 6), C),
    FORMS2("LOP", 5c40, 4c40, 3840, fff8, INT, DOT(LOGIC, 41, 2), FLAG(X, 43), DOT(OUTCOME, 44, 2), PD_UNLESS(48), D_CC(47), A_NOT(39), B_NOT(40)),
    TOP("LOP3.LUT", 5be0, fff8, FLAG(X, 38), DOT(OUTCOME, 36, 2), PD_UNLESS(48), D_CC(47), A, B, C, U(28, 8)),
    FORM("LOP3.LUT", 0200, fe00, CONSTANT, FLAG(X, 56), D_CC(47), A, B, C, U(48, 8)),
    IMMEDIATE("LOP3.LUT", 3c00, fc00, INT, FLAG(X, 57), D_CC(47), A, B, C, U(48, 8)),
    FORMS2("BFE", 5c00, 4c00, 3800, fff8, INT, FLAG(U32, 48), FLAG(BREV, 40), D_CC(47), A, B),
    FORMS3("BFI", 5bf0, 4bf0, 53f0, 36f0, fff8, INT, D_CC(47), A, B, C),
    FORMS2("POPC", 5c08, 4c08, 3808, fff8, INT, D, B_NOT(40)),
    FORMS2("FLO", 5c30, 4c30, 3830, fff8, INT, FLAG(U32, 48), FLAG(SH, 41), D_CC(47), B_NOT(40)),
    TOP("LEA", 5bd0, fff8, FLAG(X, 46), PD_UNLESS(48), D_CC(47), A_NEG(45), B, U_UNLESS(39, 5, 0)),
    FORM("LEA", 4bd0, fff0, CONSTANT, FLAG(X, 46), PD_UNLESS(48), D_CC(47), A_NEG(45), B, U_UNLESS(39, 5, 0)),
    IMMEDIATE("LEA", 36d0, fff8, INT, FLAG(X, 46), PD_UNLESS(48), D_CC(47), A_NEG(45), B, U_UNLESS(39, 5, 0)),
    TOP("LEA.HI", 5bd8, fff8, FLAG(X, 38), PD_UNLESS(48), D_CC(47), A_NEG(37), B, C, U_UNLESS(28, 5, 0)),
    FORM("LEA.HI", 1800, fc00, CONSTANT, FLAG(X, 57), PD_UNLESS(48), D_CC(47), A_NEG(56), B, C, U_UNLESS(51, 5, 0)),
    TOP("IDP", 53f8, fff8, DOT(DOT_PRODUCT, 48, 3), FLAG(BYTE_SIGN, 47), D, A, B, C),
    FORM("IDP", 53d8, fff8, CONSTANT, DOT(DOT_PRODUCT, 48, 3), FLAG(BYTE_SIGN, 47), D, A, B, C),
    TOP("XMAD", 5b00, ffc0, DOT(XMAD_SIGNS, 48, 2), FLAG(PSL, 36), FLAG(MRG, 37), DOT(XMAD_C, 50, 3), FLAG(X, 38), D_CC(47), A_PART(H1, 0, 0, 53, 1), B_PART(H1, 0, 0, 35, 1), C),
    FORM("XMAD", 5100, ff80, SWAPPED, DOT(XMAD_SIGNS, 48, 2), DOT(XMAD_C, 50, 2), FLAG(X, 54), D_CC(47), A_PART(H1, 0, 0, 53, 1), B_PART(H1, 0, 0, 52, 1), C),
    TOP("XMAD", 4e00, fe00, DOT(XMAD_SIGNS, 48, 2), FLAG(PSL, 55), FLAG(MRG, 56), DOT(XMAD_C, 50, 2), FLAG(X, 54), D_CC(47), A_PART(H1, 0, 0, 53, 1), CONSTANT_PART(H1, 52, 1), C),
    TOP("XMAD", 3600, fec0, DOT(XMAD_SIGNS, 48, 2), FLAG(PSL, 36), FLAG(MRG, 37), DOT(XMAD_C, 50, 3), FLAG(X, 38), D_CC(47), A_PART(H1, 0, 0, 53, 1), U(20, 16), C),
    TOP("IMUL32I", 1f00, ff00, DOT(SIGNS, 54, 2), FLAG(HI, 53), D_CC(52), A, S(20, 32)),
    TOP("IADD32I.PO", 1d80, ff80, FLAG(SAT, 54), FLAG(X, 53), D_CC(52), A, S(20, 32)),
    TOP("IADD32I", 1c00, fe80, FLAG(SAT, 54), FLAG(X, 53), D_CC(52), A_NEG(56), S(20, 32)),
    TOP("ISCADD32I", 1400, fc00, D_CC(52), A, S(20, 32), U(53, 5)),
    TOP("IMAD32I", 1000, fc00, DOT2(SIGNS, 54, 1, 57, 1), FLAG(HI, 53), PLUS_ONE(56, 55), D_CC(52), A_NEG(56), S(20, 32), FROM_NEG(0, 55)),
    TOP("LOP32I", 0400, fc00, DOT(LOGIC, 53, 2), FLAG(X, 57), D_CC(52), A_NOT(55), U_NOT(20, 32, 56)),
    /* ---- video: a source that is no register has 16 bits ---- */
    TOP("VABSDIFF4", 5000, ff80, FLAG(SD, 38), DOT(BYTE_SIGNS, 48, 2), FLAG(SAT, 50), DOT(SUM, 53, 2), D, DOT2(LANES, 36, 2, 51, 2), A, DOT(LANES_A, 32, 4), B, DOT(LANES_B, 28, 4), C),
    VIDEO("VADD", 2000, fc00, 57, 56, 0, FLAG(UD, 54), KINDS(48, 49, 50), PLUS_ONE(57, 56), FLAG(SAT, 55), DOT(MERGE_VIDEO, 51, 3)),
    VIDEO("VMAD", 5f00, ff00, 54, 0, 53, KINDS(48, 49, 50), PLUS_ONE(54, 53), DOT(SHIFT_VIDEO, 51, 2), FLAG(SAT, 55)),
    VIDEO("VSHL", 5700, ff00, 0, 0, 0, FLAG(UD, 54), KINDS(48, 0, 50), FLAG(W, 49), FLAG(SAT, 55), DOT(MERGE_VIDEO, 51, 3)),
    VIDEO("VSHR", 5600, ff00, 0, 0, 0, FLAG(UD, 54), KINDS(48, 0, 50), FLAG(W, 49), FLAG(SAT, 55), DOT(MERGE_VIDEO, 51, 3)),
    VIDEO("VABSDIFF", 5400, ff00, 0, 0, 0, FLAG(UD, 54), KINDS(48, 49, 50), FLAG(SAT, 55), DOT(MERGE_VIDEO, 51, 3)),
    VIDEO("VSET", 4000, fe00, 0, 0, 0, DOT(COMPARE_INT, 54, 3), KINDS(48, 49, 50), DOT(MERGE_VIDEO, 51, 3)),
    VIDEO("VMNMX", 3a00, fe00, 0, 0, 0, FLAG(UD, 54), KINDS(48, 49, 50), FLAG(MX, 56), FLAG(SAT, 55), DOT(MERGE_VIDEO, 51, 3)),
    VIDEO_ROW("VSETP", 50f0, fff8, 1, DOT2(COMPARE_INT, 43, 2, 47, 1), KINDS(48, 49, 50), DOT(COMBINE, 45, 2), PD(3), PD(0), VIDEO_A(0), VIDEO_B(0), P(39)),
    VIDEO_ROW("VSETP", 50f0, fff8, 0, DOT2(COMPARE_INT, 43, 2, 47, 1), KINDS(48, 49, 50), DOT(COMBINE, 45, 2), PD(3), PD(0), VIDEO_A(0), U(20, 16), P(39)),
    /* ---- moves, conversions, predicates ---- */
    FORMS2("MOV", 5c98, 4c98, 3898, fff8, INT, D, B, U_UNLESS(39, 4, 15)),
    TOP("MOV32I", 0100, fff0, D, U(20, 32), U_UNLESS(12, 4, 15)),
    FORMS2("SEL", 5ca0, 4ca0, 38a0, fff8, INT, D, A, B, P(39)),
    FORMS3("PRMT", 5bc0, 4bc0, 53c0, 36c0, fff0, INT, DOT(PERMUTE, 48, 4), D, A, B, C),
    FORMS2("P2R", 5ce8, 4ce8, 38e8, fff8, INT, DOT(BYTE, 41, 2), D, NAME(PR_OR_CC, 40, 1), A, B),
    FORMS2("R2P", 5cf0, 4cf0, 38f0, fff8, INT, NAME(PR_OR_CC, 40, 1), A_PART(BYTE, 0, 0, 41, 2), B),
    TOP("S2R", f0c8, fff8, D, SPECIAL_REGISTER),
    TOP("CS2R", 50c8, fff8, D, SPECIAL_REGISTER),
    TOP("LEPC", 50d0, fff8, D),
    FORMS2("F2F", 5ca8, 4ca8, 38a8, fff8, SINGLE, FLAG(FTZ, 44), DOT(FLOAT_TYPE, 8, 2), DOT(FLOAT_TYPE, 10, 2), DOT2(ROUND_OR_WHOLE, 39, 2, 42, 1), FLAG(SAT, 50), D_CC(47), B_PART(H1, 45, 49, 41, 1)),
    FORMS2("F2I", 5cb0, 4cb0, 38b0, fff8, SINGLE, FLAG(FTZ, 44), DOT2(INT_TYPE, 8, 2, 12, 1), DOT(FLOAT_TYPE, 10, 2), DOT(WHOLE, 39, 2), D_CC(47), B_PART(H1, 45, 49, 41, 1)),
    FORMS2("I2F", 5cb8, 4cb8, 38b8, fff8, INT, DOT(FLOAT_TYPE, 8, 2), DOT2(INT_TYPE, 10, 2, 13, 1), DOT(ROUND, 39, 2), D_CC(47), B_PART(BYTE, 45, 49, 41, 2)),
    FORMS2("I2I", 5ce0, 4ce0, 38e0, fff8, INT, DOT2(INT_TYPE, 8, 2, 12, 1), DOT2(INT_TYPE, 10, 2, 13, 1), FLAG(SAT, 50), D_CC(47), B_PART(BYTE, 45, 49, 41, 2)),
    TOP("PSETP", 5090, fff8, DOT(COMBINE, 24, 2), DOT(COMBINE, 45, 2), PD(3), PD(0), P(12), P(29), P(39)),
    TOP("PSET", 5088, fff8, FLAG(BF, 44), DOT(COMBINE, 24, 2), DOT(COMBINE, 45, 2), D_CC(47), P(12), P(29), P(39)),
    TOP("CSETP", 50a0, fff8, DOT(TEST, 8, 5), DOT(COMBINE, 45, 2), PD(3), PD(0), NAME(CC, 0, 0), P(39)),
    TOP("CSET", 5098, fff8, FLAG(BF, 44), DOT(TEST, 8, 5), DOT(COMBINE, 45, 2), D, NAME(CC, 0, 0), P(39)),
    TOP("VOTE", 50d8, fff8, DOT(VOTE, 48, 2), D_UNLESS, PD(45), P(39)),
    TOP("VOTE.VTG", 50e0, fff8, DOT(VTG, 48, 2), U(20, 24)),
    TOP("SHFL", ef10, fff8, DOT(SHUFFLE, 30, 2), PD(48), D, A, OR(20, 28, 20, 5), OR(39, 29, 34, 13)),
    TOP("NOP", 50b0, fff8, FLAG(TRIG, 13), TEST(8), U_UNLESS(20, 16, 0)),
    /* ---- memory ---- */
    TOP("LD", 8000, e000, FLAG(E, 52), DOT(CACHE_LOAD, 56, 2), DOT(SIZE, 53, 3), D, GLOBAL(20, 32, 0), P_PLAIN(58)),
    TOP("ST", a000, e000, FLAG(E, 52), DOT(CACHE_STORE, 56, 2), DOT(SIZE, 53, 3), GLOBAL(20, 32, 0), D, P_PLAIN(58)),
    TOP("LDG", eed0, fff8, FLAG(E, 45), DOT(CACHE_LOAD, 46, 2), DOT(SIZE_GLOBAL, 48, 3), D, GLOBAL(20, 24, 0)),
    TOP("LDG", eec8, fff8, FLAG(E, 45), DOT(CACHE_LOAD, 46, 2), DOT(SIZE_GLOBAL, 48, 3), D, GLOBAL(20, 20, 0), P_NOT(41)),
    TOP("STG", eed8, fff8, FLAG(E, 45), DOT(CACHE_STORE, 46, 2), DOT(SIZE, 48, 3), GLOBAL(20, 24, 0), D),
    TOP("LDL", ef40, fff8, DOT(CACHE_LOCAL, 44, 2), DOT(SIZE, 48, 3), D, MEMORY(20, 24, 0)),
    TOP("STL", ef50, fff8, DOT(CACHE_STORE, 44, 2), DOT(SIZE, 48, 3), MEMORY(20, 24, 0), D),
    TOP("LDS", ef48, fff8, DOT2(SIZE_SHARED, 48, 3, 44, 1), D, MEMORY(20, 24, 0)),
    TOP("STS", ef58, fff8, DOT(SIZE, 48, 3), MEMORY(20, 24, 0), D),
    TOP("LDC", ef90, fff8, DOT(INDEX, 44, 2), DOT(SIZE, 48, 3), D, IN_BANK(20, 36)),
    TOP("ATOM", eef0, fff0, FLAG(E, 48), FIXED(CAS), FLAG(B64, 49), DOT(CAS_ZERO, 50, 2), D, GLOBAL(28, 20, 0), FROM(20), NEXT(20, 49)),
    TOP("ATOM", ed00, ff00, FLAG(E, 48), DOT(ATOMIC, 52, 4), DOT(ATOMIC_TYPE, 49, 3), D, GLOBAL(28, 20, 0), FROM(20)),
    TOP("RED", ebf8, fff8, FLAG(E, 48), DOT(ATOMIC, 23, 3), DOT(ATOMIC_TYPE, 20, 3), GLOBAL(28, 20, 0), D),
    TOP("ATOMS", ee00, ff80, DOT(CAS_SHARED, 53, 2), FLAG(B64, 52), DOT(CAS_ZERO, 28, 2), D, MEMORY(30, 22, 2), FROM(20), NEXT(20, 52)),
    TOP("ATOMS", ec00, ff00, DOT(ATOMIC, 52, 4), DOT(SHARED_TYPE, 28, 2), D, MEMORY(30, 22, 2), FROM(20)),
    TOP("MEMBAR", ef98, fff8, DOT(SCOPE, 8, 2), DOT(IVALL, 0, 2)),
    TOP("CCTLL", ef80, fff0, DOT(CACHE_OF, 4, 3), DOT(CACHE_OP, 0, 4), MEMORY(22, 22, 2)),
    TOP("CCTL", ef60, ffe0, FLAG(E, 52), DOT(CACHE_OF, 4, 3), DOT(CACHE_OP, 0, 4), GLOBAL(22, 30, 2)),
    TOP("CCTLT", ebf0, fff9),
    TOP("DEPBAR", f0f0, fff8, FLAG(LE, 29), {SAY_UNLESS, ISA_NAMES_SB, 26, 3, 0, 29, 0}, {SAY_UNLESS, 0, 20, 6, 0, 29, 0}, {SAY_BARRIERS, 0, 0, 6, 0, 0, 0}),
    TOP("ALD", efd8, fff8, FLAG(O, 32), FLAG(PATCH, 31), DOT(SIZE_WORDS, 47, 2), D, ATTRIBUTE(20), FROM(39)),
    TOP("AST", eff0, fff8, FLAG(PATCH, 31), DOT(SIZE_WORDS, 47, 2), ATTRIBUTE(20), D, FROM(39)),
    TOP("AL2P", efa0, fff8, FLAG(O, 32), DOT(SIZE_WORDS, 47, 2), PD_UNLESS(44), D, A, S(20, 11)),
    TOP("ISBERD", efd0, fff8, FLAG(O, 32), DOT(ISBE, 33, 2), FLAG(SKEW, 31), DOT(ISBE_SIZE, 47, 2), D, A),
    WORD("IPA", 0xe00000000000ff00, 0xff0000400000ff00, REGISTER, DOT(INTERPOLATE, 54, 2), DOT(SAMPLE, 52, 2), FLAG(SAT, 51), D, ATTRIBUTE(28), FROM(20), FROM(39), P_UNLESS(47)),
    WORD("IPA.IDX", 0xe000004000000000, 0xff00004000000000, REGISTER, DOT(INTERPOLATE, 54, 2), DOT(SAMPLE, 52, 2), FLAG(SAT, 51), D, ATTRIBUTE(28), FROM(20), FROM(39), P_UNLESS(47)),
    FORMS2("OUT", fbe0, ebe0, f6e0, fff8, INT, DOT(EMIT, 39, 2), D, A, B),
    TOP("PIXLD", efe8, fff8, DOT(PIXEL, 31, 3), PD_UNLESS(45), D, MEMORY(20, 8, 0)),
    TOP("BAR", f0a8, fff8, DOT(BARRIER, 32, 5), OR(8, 44, 8, 8), COUNT(20, 43), P_UNLESS(39)),
    /* ---- flow: what pushes something, or is for all lanes of a quad, has no predicate ---- */
    TOP("SYNC", f0f8, fff8, TEST(0)),
    FLOW("CONT", e350, TEST(0)),
    FLOW("BRK", e340, TEST(0)),
    FLOW("KIL", e330, TEST(0)),
    FLOW("RET", e320, TEST(0)),
    FLOW("LONGJMP", e310, TEST(0)),
    FLOW("EXIT", e300, FLAG(KEEPREFCOUNT, 5), TEST(0)),
    FLOW("RAM", e380, UNGUARDED),
    FLOW("SAM", e370, UNGUARDED),
    FLOW("BPT", e3a0, UNGUARDED, DOT(PAUSE, 6, 3), U(20, 20)),
    FLOW("IDE", e390, UNGUARDED, FLAG(ENABLE, 5), U(20, 16)),
    FLOW("RTT", e360, DOT(RETURN, 0, 2)),
    FLOW("SETLMEMBASE", e2f0, A),
    FLOW("SETCRSPTR", e2e0, A),
    FLOW("GETLMEMBASE", e2d0, D),
    FLOW("GETCRSPTR", e2c0, D),
    TO_WORD("PCNT", e2b0, UNGUARDED, RELATIVE),
    TO_WORD("PBK", e2a0, UNGUARDED, RELATIVE),
    TO_WORD("SSY", e290, UNGUARDED, RELATIVE),
    TO_WORD("PLONGJMP", e280, UNGUARDED, RELATIVE),
    TO_WORD("PRET", e270, UNGUARDED, FLAG(NOINC, 6), RELATIVE),
    TO_WORD("CAL", e260, UNGUARDED, FLAG(NOINC, 6), RELATIVE),
    TO_WORD("BRX", e250, FLAG(LMT, 6), TEST(0), A, DISTANCE(24)),
    TO_WORD("BRA", e240, FLAG(U, 7), FLAG(LMT, 6), TEST(0), RELATIVE),
    FLOW("PEXIT", e230, UNGUARDED, RELATIVE),
    TO_WORD("JCAL", e220, UNGUARDED, FLAG(NOINC, 6), ABSOLUTE),
    TO_WORD("JMP", e210, FLAG(U, 7), FLAG(LMT, 6), TEST(0), ABSOLUTE),
    TO_WORD("JMX", e200, FLAG(LMT, 6), TEST(0), A, DISTANCE(32)),
    TO_CONSTANT("PCNT", e2b0, UNGUARDED, IN_BANK_ALONE(20, 36)),
    TO_CONSTANT("PBK", e2a0, UNGUARDED, IN_BANK_ALONE(20, 36)),
    TO_CONSTANT("SSY", e290, UNGUARDED, IN_BANK_ALONE(20, 36)),
    TO_CONSTANT("PLONGJMP", e280, UNGUARDED, IN_BANK_ALONE(20, 36)),
    TO_CONSTANT("PRET", e270, UNGUARDED, FLAG(NOINC, 6), IN_BANK_ALONE(20, 36)),
    TO_CONSTANT("CAL", e260, UNGUARDED, FLAG(NOINC, 6), IN_BANK_ALONE(20, 36)),
    TO_CONSTANT("BRX", e250, FLAG(LMT, 6), TEST(0), IN_BANK(20, 36)),
    TO_CONSTANT("BRA", e240, FLAG(U, 7), FLAG(LMT, 6), TEST(0), IN_BANK_ALONE(20, 36)),
    TO_CONSTANT("JCAL", e220, UNGUARDED, FLAG(NOINC, 6), IN_BANK_ALONE(20, 36)),
    TO_CONSTANT("JMP", e210, FLAG(U, 7), FLAG(LMT, 6), TEST(0), IN_BANK_ALONE(20, 36)),
    TO_CONSTANT("JMX", e200, FLAG(LMT, 6), TEST(0), IN_BANK(20, 36)),
    TOP("R2B", f0c0, fff8, DOT(BARRIER_READ, 32, 2), U(28, 4), FROM(20)),
    TOP("B2R", f0b8, fff8, DOT(BARRIER_READ, 32, 2), D, U_UNLESS(8, 8, 255), PD_UNLESS(45)),
    TOP("STP", eea0, fff8, FLAG(WAIT, 31), U(20, 8)),
    /* ---- surfaces: a handle in a register, or where it is in the bank of handles ---- */
    TOP("SULD.P", eb00, fff0, DOT(SURFACE_DIM, 33, 3), DOT(SURFACE_MASK, 20, 4), DOT(CACHE_LOAD, 24, 2), DOT(SURFACE_CLAMP, 49, 2), D, PLACE, OR(39, 51, 36, 13)),
    TOP("SULD.D", eb10, fff0, FLAG(BA, 23), DOT(SURFACE_DIM, 33, 3), DOT(SIZE, 20, 3), DOT(CACHE_LOAD, 24, 2), DOT(SURFACE_CLAMP, 49, 2), D, PLACE, OR(39, 51, 36, 13)),
    TOP("SUST.P", eb20, fff0, DOT(SURFACE_DIM, 33, 3), DOT(SURFACE_MASK, 20, 4), DOT(CACHE_STORE, 24, 2), DOT(SURFACE_CLAMP, 49, 2), PLACE, D, OR(39, 51, 36, 13)),
    TOP("SUST.D", eb30, fff0, FLAG(BA, 23), DOT(SURFACE_DIM, 33, 3), DOT(SIZE, 20, 3), DOT(CACHE_STORE, 24, 2), DOT(SURFACE_CLAMP, 49, 2), PLACE, D, OR(39, 51, 36, 13)),
    TOP("SURED", eb40, ffe0, FLAG(SURFACE_ACCESS, 52), FLAG(BA, 23), DOT(SURFACE_DIM, 33, 3), DOT(ATOMIC, 24, 3), DOT(SURFACE_TYPE, 20, 3), DOT(SURFACE_CLAMP, 49, 2), PLACE, D, OR(39, 51, 36, 13)),
    TOP("SUATOM", eac0, ffe0, FLAG(SURFACE_ACCESS, 52), FLAG(BA, 28), DOT(SURFACE_DIM, 33, 3), FIXED(CAS), DOT(SURFACE_TYPE, 36, 3), DOT(SURFACE_CLAMP, 49, 2), D, PLACE, FROM(20), OR(39, 51, 39, 10)),
    TOP("SUATOM.D", ea80, ffc0, FLAG(BA, 28), DOT(SURFACE_DIM, 33, 3), FIXED(CAS), DOT(SURFACE_TYPE, 51, 3), DOT(SURFACE_CLAMP, 49, 2), D, PLACE, FROM(20), U(36, 13)),
    TOP("SUATOM", ea60, ffe0, FLAG(SURFACE_ACCESS, 52), FLAG(BA, 28), DOT(SURFACE_DIM, 33, 3), DOT(ATOMIC, 29, 4), DOT(SURFACE_TYPE, 36, 3), DOT(SURFACE_CLAMP, 49, 2), D, PLACE, FROM(20), OR(39, 51, 39, 10)),
    TOP("SUATOM.D", ea00, ffc0, FLAG(BA, 28), DOT(SURFACE_DIM, 33, 3), DOT(ATOMIC, 29, 4), DOT(SURFACE_TYPE, 51, 3), DOT(SURFACE_CLAMP, 49, 2), D, PLACE, FROM(20), U(36, 13)),
    /* ---- textures ---- */
    TOP("TMML.B", df60, fff8, FLAG(NDV, 35), FLAG(NODEP, 49), TP, D, A, FROM_UNLESS(20), NAME(NO_HANDLE, 0, 0), NAME(DIM, 28, 3), U(31, 4)),
    TOP("TMML", df58, fff8, FLAG(NDV, 35), FLAG(NODEP, 49), TP, D, A, FROM_UNLESS(20), U(36, 13), NAME(DIM, 28, 3), U(31, 4)),
    TOP("TXQ.B", df50, fff8, FLAG(NODEP, 49), TP, D, A, NAME(QUERY, 22, 6), U(36, 13), U(31, 4)),
    TOP("TXQ", df48, fff8, FLAG(NODEP, 49), TP, D, A, NAME(QUERY, 22, 6), U(36, 13), U(31, 4)),
    TOP("TXA", df40, fff8, FLAG(NDV, 35), FLAG(NODEP, 49), TP, D, A, U(36, 13), U(31, 4)),
    TOP("TLD4S", df00, ff40, DOT(COMPONENT, 52, 2), FLAG(AOFFI, 51), FLAG(DC, 50), FLAG(F16, 55), FLAG(NODEP, 49), TP, D_AT(28), D, A, FROM_UNLESS(20), U(36, 13)),
    TOP("TLD4", dec0, ffc0, DOT(COMPONENT, 38, 2), FIXED(BINDLESS), DOT(OFFSETS, 36, 2), FLAG(DC, 50), FLAG(NDV, 35), FLAG(NODEP, 49), TP, PD_UNLESS(51), D, A, FROM_UNLESS(20), NAME(NO_HANDLE, 0, 0), NAME(DIM, 28, 3), U(31, 4)),
    TOP("TEX.B", de80, ffc0, DOT(LOD, 37, 3), FLAG(AOFFI, 36), FLAG(DC, 50), FLAG(NDV, 35), FLAG(NODEP, 49), TP, PD_UNLESS(51), D, A, FROM_UNLESS(20), NAME(NO_HANDLE, 0, 0), NAME(DIM, 28, 3), U(31, 4)),
    TOP("TXD.B", de40, ffc4, FLAG(AOFFI, 35), FLAG(NODEP, 49), TP, PD_UNLESS(51), D, A, FROM_UNLESS(20), NAME(NO_HANDLE, 0, 0), NAME(DIM, 28, 3), U(31, 4)),
    TOP("TXD", de00, ffc4, FLAG(AOFFI, 35), FLAG(NODEP, 49), TP, PD_UNLESS(51), D, A, FROM_UNLESS(20), U(36, 13), NAME(DIM, 28, 3), U(31, 4)),
    TOP("TLD.B", dd00, ff00, FLAG(LOD_TLD, 55), FLAG(AOFFI, 35), FLAG(MS, 50), FLAG(CL, 54), FLAG(NODEP, 49), TP, PD_UNLESS(51), D, A, FROM_UNLESS(20), NAME(NO_HANDLE, 0, 0), NAME(DIM, 28, 3), U(31, 4)),
    TOP("TLD", dc00, ff00, FLAG(LOD_TLD, 55), FLAG(AOFFI, 35), FLAG(MS, 50), FLAG(CL, 54), FLAG(NODEP, 49), TP, PD_UNLESS(51), D, A, FROM_UNLESS(20), U(36, 13), NAME(DIM, 28, 3), U(31, 4)),
    TOP("TLDS", d200, f600, DOT(TLDS, 53, 4), FLAG(NO_F16, 59), FLAG(NODEP, 49), TP, D_AT(28), D, A, FROM_UNLESS(20), U(36, 13), NAME(TLDS_DIM, 53, 4), NAME_BY(RESULTS_1, 50, 3, 28)),
    TOP("TEXS", d000, f600, DOT(TEXS, 53, 4), FLAG(NO_F16, 59), FLAG(NODEP, 49), TP, D_AT(28), D, A, FROM_UNLESS(20), U(36, 13), NAME(TEXS_DIM, 53, 4), NAME_BY(RESULTS_1, 50, 3, 28)),
    TOP("TLD4", c800, fc00, DOT(COMPONENT, 56, 2), DOT(OFFSETS, 54, 2), FLAG(DC, 50), FLAG(NDV, 35), FLAG(NODEP, 49), TP, PD_UNLESS(51), D, A, FROM_UNLESS(20), U(36, 13), NAME(DIM, 28, 3), U(31, 4)),
    TOP("TEX", c000, fc00, DOT(LOD, 55, 3), FLAG(AOFFI, 54), FLAG(DC, 50), FLAG(NDV, 35), FLAG(NODEP, 49), TP, PD_UNLESS(51), D, A, FROM_UNLESS(20), U(36, 13), NAME(DIM, 28, 3), U(31, 4)),
};
/* clang-format on */

const struct isa_texts isa_gm107_texts = {
    .tables = {{rows, sizeof rows / sizeof rows[0]}},
    .registers = 8,
    .guard = 16,
    .a = AT_A,
    .b = AT_IMMEDIATE,
    .c = 39,
    .sign = 56,
    .size = 10,
    .kind_a = 36,
    .kind_b = 28,
    .constant = {.word = 20, .bank = 34, .bank_width = 5},
    .bank_width = 5,
    .control = gm107_text_control,
    .reused = gm107_text_reused,
};
