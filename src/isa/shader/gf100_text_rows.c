/* SPDX-License-Identifier: MIT */
/*
 * GF100's and GK104's instructions of 8 bytes as text. Sources: see gf100_text.c.
 *
 * UNKNOWN: what nvdisasm calls modes of surfaces and of video with several lanes, of which no listing was at hand; chosen:
 * the names of GM107, and of envytools for what GM107 has not.
 */
#define AT_D         14
#define AT_A         20
#define AT_IMMEDIATE 26
#include "isa/shader/text_rows.h"

/* The lowest three bits are the type, the highest byte has the operation. Bit 3 is of instructions of 4 bytes. */
#define ROW(type, name, value, mask, ...)                                                                              \
    WORD(name, (uint64_t)(0x##value) << 56 | (type), (uint64_t)(0x##mask) << 56 | 15, REGISTER, __VA_ARGS__)
/* The same with more bits of value and mask. */
#define ROW_IF(type, name, value, mask, also, also_mask, ...)                                                          \
    WORD(name, (uint64_t)(0x##value) << 56 | (also) | (type), (uint64_t)(0x##mask) << 56 | (also_mask) | 15, REGISTER, \
         __VA_ARGS__)
/* Bits 47 and 46: 0 registers, 1 a constant is the second, 2 the third source, 3 an immediate. */
#define FORM(form, type, name, value, mask, where, ...)                                                                \
    WORD(name, (uint64_t)(0x##value) << 56 | UINT64_C(form) << 46 | (type),                                            \
         (uint64_t)(0x##mask) << 56 | UINT64_C(3) << 46 | 15, where, __VA_ARGS__)
#define FORMS2(type, name, value, mask, kind, ...)                                                                     \
    FORM(0, type, name, value, mask, REGISTER, __VA_ARGS__), FORM(1, type, name, value, mask, CONSTANT, __VA_ARGS__),  \
        FORM(3, type, name, value, mask, kind, __VA_ARGS__)
#define FORMS3(type, name, value, mask, kind, ...)                                                                     \
    FORMS2(type, name, value, mask, kind, __VA_ARGS__), FORM(2, type, name, value, mask, SWAPPED, __VA_ARGS__)

/* The instruction joins after it was executed. */
#define JOIN FLAG(JOIN, 4)
/* The predicate of an instruction that has none. */
#define UNGUARDED IGNORED(10, 4)
/* A predicate in two parts. */
#define PD_SPLIT                                                                                                       \
    { SAY_PD, 0, 8, 2, 0, 58, 0 }
/* Of atomics, 17 bits and three. */
#define ATOMIC_PLACE                                                                                                   \
    { SAY_ADDRESS, 3, 26, 17, 0, 1, 55 }
/* Flow: targets in the word, or in constant memory. */
#define FLOW(name, value, ...) ROW(7, name, value, f8, __VA_ARGS__)
#define TARGETS(name, value, target, constant, ...)                                                                    \
    ROW_IF(7, name, value, f8, UINT64_C(0), UINT64_C(0x4000), __VA_ARGS__, target),                                    \
        ROW_IF(7, name, value, f8, UINT64_C(0x4000), UINT64_C(0x4000), __VA_ARGS__, constant)

/* Video: the second source is a register, or 16 bits; which of both is bit 47. */
#define VIDEO_A(neg) A_PART(SELECT_VIDEO, neg, 0, 44, 3)
#define VIDEO_B(neg) B_PART(SELECT_VIDEO, neg, 0, 32, 3)
#define AT_KIND      UINT64_C(0x800000000000)
#define VIDEO(name, value, neg_a, neg_b, neg_c, ...)                                                                   \
    ROW_IF(4, name, value, f8, AT_KIND, AT_KIND, __VA_ARGS__, JOIN, D_CC(48), VIDEO_A(neg_a), VIDEO_B(neg_b),          \
           C_NEG(neg_c)),                                                                                              \
        ROW_IF(4, name, value, f8, UINT64_C(0), AT_KIND, __VA_ARGS__, JOIN, D_CC(48), VIDEO_A(neg_a),                  \
               U_NEG(26, 16, neg_b), C_NEG(neg_c))
#define VIDEO_D FLAG(UD, 42), KINDS(6, 5, 47)
/* With four lanes, or two: which lanes are written, and of which parts each source has them. */
#define SIMD4(name, value, c, ...)                                                                                     \
    ROW_IF(4, name "4", value, fc, AT_KIND, AT_KIND, __VA_ARGS__, DOT2(BYTE_SIGNS, 6, 1, 5, 1),                        \
           DOT(MERGE_SIMD, 44, 3), JOIN, D_CC(48), DOT2(LANES, 34, 2, 55, 2), A, DOT(LANES_A, 40, 4), B,               \
           DOT(LANES_B, 36, 4), c),                                                                                    \
        ROW_IF(4, name "4", value, fc, UINT64_C(0), AT_KIND, __VA_ARGS__, DOT2(BYTE_SIGNS, 6, 1, 5, 1),                \
               DOT(MERGE_SIMD, 44, 3), JOIN, D_CC(48), DOT2(LANES, 34, 2, 55, 2), A, DOT(LANES_A, 40, 4), U(26, 8),    \
               DOT(LANES_B, 36, 4), c)
#define SIMD2(name, value, c, ...)                                                                                     \
    ROW_IF(4, name "2", value, fc, AT_KIND, AT_KIND, __VA_ARGS__, DOT2(XMAD_SIGNS, 6, 1, 5, 1),                        \
           DOT(MERGE_SIMD, 44, 3), JOIN, D_CC(48), DOT(LANES2, 55, 2), A, DOT(LANES2_A, 40, 4), B,                     \
           DOT(LANES2_B, 36, 4), c),                                                                                   \
        ROW_IF(4, name "2", value, fc, UINT64_C(0), AT_KIND, __VA_ARGS__, DOT2(XMAD_SIGNS, 6, 1, 5, 1),                \
               DOT(MERGE_SIMD, 44, 3), JOIN, D_CC(48), DOT(LANES2, 55, 2), A, DOT(HALVES2_A, 42, 2), U(26, 16), c)

/* Bits 9 to 5 of atomics. */
#define AT_ATOMIC UINT64_C(0x3e0)
#define AT_TYPE   UINT64_C(0x200)
#define RED(value, type_bit, type)                                                                                     \
    ROW_IF(5, "RED", value, f8, type_bit, AT_TYPE, FLAG(E, 58), DOT(ATOMIC_GF100, 5, 4), FIXED(type), JOIN,            \
           GLOBAL(26, 32, 0), FROM(14))
#define ATOM(value, also, also_mask, type)                                                                             \
    ROW_IF(5, "ATOM", value, f8, also, also_mask, FLAG(E, 58), DOT(ATOMIC_GF100, 5, 4), FIXED(type), JOIN, D_AT(43),   \
           ATOMIC_PLACE, FROM(14), FROM_UNLESS(49))
/* Which surface it is, and how it is accessed. */
#define SURFACE       OR(26, 46, 26, 3)
#define SURFACE_MODES DOT(SURFACE_DIM_GF100, 44, 2)
/* The format of an access by address: a register, or a constant. */
#define AT_FORMAT UINT64_C(0x20000000000000)
#define SULDGA(also, format)                                                                                           \
    ROW_IF(5, "SULDGA", d4, fc, also, AT_FORMAT, DOT(SIZE, 5, 3), DOT(CACHE_LOAD_GK110, 8, 2), DOT(RAW, 45, 2),        \
           DOT(OUTSIDE, 47, 2), JOIN, D, PLACE, format, P(49))
#define SUSTGA_B(also, format)                                                                                         \
    ROW_IF(5, "SUSTGA.B", dc, ff, also, UINT64_C(0xe0000000000000), DOT(SIZE, 5, 3), DOT(CACHE_STORE, 8, 2),           \
           DOT(RAW, 45, 2), DOT(OUTSIDE, 47, 2), JOIN, PLACE, format, D, P(49))
#define SUSTGA_P(also, format)                                                                                         \
    ROW_IF(5, "SUSTGA.P", dc, fc, also, AT_FORMAT, DOT(SURFACE_MASK_ALL, 54, 4), DOT(CACHE_STORE, 8, 2),               \
           DOT(RAW, 45, 2), DOT(OUTSIDE, 47, 2), JOIN, PLACE, format, D, P(49))
#define FORMAT_CONSTANT                                                                                                \
    { SAY_CONSTANT, 0, 26, 0, 0, 0, 0 }

/* clang-format off */
static const struct isa_text_row rows[] = {
    /* ---- floats ---- */
    FORMS2(0, "FMNMX", 08, f8, SINGLE, FLAG(FTZ, 5), JOIN, D_CC(48), A_ABS(9, 7), B_ABS(8, 6), P(49)),
    FORMS2(0, "FSET", 10, f0, SINGLE, FLAG(BF, 5), DOT(COMPARE, 55, 4), FLAG(FTZ, 59), DOT(COMBINE, 53, 2), JOIN, D_CC(48), A_ABS(9, 7), B_ABS(8, 6), P(49)),
    FORMS2(0, "FSETP", 20, f0, SINGLE, DOT(COMPARE, 55, 4), FLAG(FTZ, 59), DOT(COMBINE, 53, 2), JOIN, PD(17), PD(14), A_ABS(9, 7), B_ABS(8, 6), P(49)),
    FORMS3(0, "FFMA", 30, f8, SINGLE, DOT(FMZ, 6, 2), DOT(ROUND, 55, 2), FLAG(SAT, 5), JOIN, D_CC(48), A, B_NEG(9), C_NEG(8)),
    FORMS3(0, "FCMP", 38, f8, SINGLE, DOT(COMPARE_GT, 55, 4), FLAG(FTZ, 5), JOIN, D, A, B, C),
    ROW(0, "FSWZ", 48, f8, FLAG(FTZ, 5), DOT(ROUND, 55, 2), FLAG(NDV, 9), DOT(NEIGHBOURS, 6, 3), JOIN, D_CC(48), A, B, SIGNS(32)),
    FORMS2(0, "FADD", 50, f8, SINGLE, FLAG(FTZ, 5), DOT(ROUND, 55, 2), FLAG(SAT, 49), JOIN, D_CC(48), A_ABS(9, 7), B_ABS(8, 6)),
    FORMS2(0, "FMUL", 58, f8, SINGLE, DOT(FMZ, 6, 2), DOT(SCALE, 49, 3), DOT(ROUND, 55, 2), FLAG(SAT, 5), JOIN, D_CC(48), A, B_NEG(57)),
    FORMS2(0, "RRO", 60, f8, SINGLE, FLAG(REDUCTION, 5), JOIN, D, B_ABS(8, 6)),
    ROW(0, "IPA", c0, f8, DOT(INTERPOLATE, 6, 2), DOT(SAMPLE, 8, 2), FLAG(SAT, 5), JOIN, D, ATTRIBUTE(32), FROM(26), FROM(49)),
    /* the decoder (gf100.c) knows two places of its signs */
    ROW_IF(0, "MUFU", c8, f8, UINT64_C(0), UINT64_C(0x280), DOT(FUNCTION, 26, 3), FLAG(SAT, 5), JOIN, D, A_ABS(8, 6)),
    ROW(0, "MUFU", c8, f8, DOT(FUNCTION, 26, 3), FLAG(SAT, 5), JOIN, D, A_ABS(9, 7)),
    FORMS2(1, "DMNMX", 08, f8, DOUBLE, JOIN, D_CC(48), A_ABS(9, 7), B_ABS(8, 6), P(49)),
    FORMS2(1, "DSET", 10, f8, DOUBLE, FLAG(BF, 5), DOT(COMPARE, 55, 4), DOT(COMBINE, 53, 2), JOIN, D_CC(48), A_ABS(9, 7), B_ABS(8, 6), P(49)),
    FORMS2(1, "DSETP", 18, f8, DOUBLE, DOT(COMPARE, 55, 4), DOT(COMBINE, 53, 2), JOIN, PD(17), PD(14), A_ABS(9, 7), B_ABS(8, 6), P(49)),
    FORMS3(1, "DFMA", 20, f8, DOUBLE, DOT(ROUND, 55, 2), JOIN, D_CC(48), A, B_NEG(9), C_NEG(8)),
    FORMS2(1, "DADD", 48, f8, DOUBLE, DOT(ROUND, 55, 2), JOIN, D_CC(48), A_ABS(9, 7), B_ABS(8, 6)),
    FORMS2(1, "DMUL", 50, f8, DOUBLE, DOT(ROUND, 55, 2), JOIN, D_CC(48), A, B_NEG(9)),
    /* ---- with immediates of 32 bits ---- */
    ROW(2, "IMAD32I", 00, f8, DOT2(SIGNS, 7, 1, 5, 1), FLAG(HI, 6), PLUS_ONE(9, 8), JOIN, D_CC(58), A_NEG(9), S(26, 32), FROM_NEG(14, 8)),
    ROW(2, "IADD32I", 08, f8, PLUS_ONE(9, 8), FLAG(SAT, 5), FLAG(X, 6), JOIN, D_CC(58), A_NEG(9), S_NEG(26, 32, 8)),
    ROW(2, "IMUL32I", 10, f8, DOT2(SIGNS, 7, 1, 5, 1), FLAG(HI, 6), JOIN, D_CC(58), A, S(26, 32)),
    ROW(2, "MOV32I", 18, f8, JOIN, D, U(26, 32), U_UNLESS(5, 4, 15)),
    ROW(2, "FFMA32I", 20, f8, DOT(FMZ, 6, 2), FLAG(SAT, 5), JOIN, D_CC(58), A_NEG(9), F32(0, 0), FROM_NEG(14, 8)),
    ROW(2, "FADD32I", 28, f8, FLAG(FTZ, 5), JOIN, D_CC(58), A_ABS(9, 7), F32(0, 0)),
    ROW(2, "FMUL32I", 30, f8, DOT(FMZ, 6, 2), FLAG(SAT, 5), JOIN, D_CC(58), A, F32(0, 0)),
    ROW(2, "LOP32I", 38, f8, DOT(LOGIC, 6, 2), FLAG(X, 5), JOIN, D_CC(58), A_NOT(9), U_NOT(26, 32, 8)),
    ROW(2, "ISCADD32I", 40, f8, JOIN, D_CC(58), A, S(26, 32), U(5, 5)),
    /* ---- integers ---- */
    FORMS2(3, "IMNMX", 08, f8, INT, FLAG(U32, 5), DOT(XMODE, 6, 2), JOIN, D_CC(48), A, B, P(49)),
    FORMS2(3, "ISET", 10, f8, INT, FLAG(BF, 7), DOT(COMPARE_INT, 55, 4), FLAG(U32, 5), FLAG(X, 6), DOT(COMBINE, 53, 2), JOIN, D_CC(48), A, B, P(49)),
    FORMS2(3, "ISETP", 18, f8, INT, DOT(COMPARE_INT, 55, 4), FLAG(U32, 5), FLAG(X, 6), DOT(COMBINE, 53, 2), JOIN, PD(17), PD(14), A, B, P(49)),
    FORMS3(3, "IMAD", 20, f8, INT, DOT2(SIGNS, 7, 1, 5, 1), FLAG(HI, 6), FLAG(SAT, 56), FLAG(X, 55), PLUS_ONE(9, 8), JOIN, D_CC(48), A_NEG(9), B, C_NEG(8)),
    FORMS3(3, "BFI", 28, f8, INT, JOIN, D_CC(48), A, B, C),
    FORMS3(3, "ICMP", 30, f8, INT, DOT(COMPARE_INT, 55, 4), FLAG(U32, 5), JOIN, D, A, B, C),
    FORMS3(3, "ISAD", 38, f8, INT, FLAG(U32, 5), JOIN, D_CC(48), A, B, C),
    FORMS2(3, "ISCADD", 40, f8, INT, PLUS_ONE(56, 55), JOIN, D_CC(48), A_NEG(56), B_NEG(55), U(5, 5)),
    FORMS2(3, "IADD", 48, f8, INT, PLUS_ONE(9, 8), FLAG(SAT, 5), FLAG(X, 6), JOIN, D_CC(48), A_NEG(9), B_NEG(8)),
    FORMS2(3, "IMUL", 50, f8, INT, DOT2(SIGNS, 7, 1, 5, 1), FLAG(HI, 6), JOIN, D_CC(48), A, B),
    FORMS2(3, "SHR", 58, f8, INT, FLAG(U32, 5), FLAG(W, 9), FLAG(X, 7), FLAG(BREV, 8), JOIN, D_CC(48), A, B),
    FORMS2(3, "SHL", 60, f8, INT, FLAG(W, 9), FLAG(X, 6), JOIN, D_CC(48), A, B),
    FORMS2(3, "LOP", 68, f8, INT, DOT(LOGIC, 6, 2), FLAG(X, 5), JOIN, D_CC(48), A_NOT(9), B_NOT(8)),
    FORMS2(3, "BFE", 70, f8, INT, FLAG(U32, 5), FLAG(BREV, 8), JOIN, D_CC(48), A, B),
    FORMS2(3, "FLO", 78, f8, INT, FLAG(U32, 5), FLAG(SH, 6), JOIN, D_CC(48), B_NOT(8)),
    /* ---- predicates, conversions, moves ---- */
    ROW(4, "CSET", 00, fc, FLAG(BF, 5), DOT(TEST, 20, 5), DOT(COMBINE, 53, 2), JOIN, D_CC(48), NAME(CC, 0, 0), P(49)),
    ROW(4, "CSETP", 04, fc, DOT(TEST, 20, 5), DOT(COMBINE, 53, 2), JOIN, PD(17), PD(14), NAME(CC, 0, 0), P(49)),
    ROW(4, "PSET", 08, fc, FLAG(BF, 5), DOT(COMBINE, 30, 2), DOT(COMBINE, 53, 2), JOIN, D_CC(48), P(20), P(26), P(49)),
    ROW(4, "PSETP", 0c, fc, DOT(COMBINE, 30, 2), DOT(COMBINE, 53, 2), JOIN, PD(17), PD(14), P(20), P(26), P(49)),
    FORMS2(4, "F2F", 10, fc, BY_SIZE, FLAG(FTZ, 55), DOT(FLOAT_TYPE, 20, 2), DOT(FLOAT_TYPE, 23, 2), DOT2(ROUND_OR_WHOLE, 49, 2, 7, 1), FLAG(SAT, 5), JOIN, D_CC(48), B_PART(H1, 8, 6, 56, 1)),
    FORMS2(4, "F2I", 14, fc, BY_SIZE, FLAG(FTZ, 55), DOT2(INT_TYPE, 20, 2, 7, 1), DOT(FLOAT_TYPE, 23, 2), DOT(WHOLE, 49, 2), JOIN, D_CC(48), B_PART(H1, 8, 6, 56, 1)),
    FORMS2(4, "I2F", 18, fc, INT, DOT(FLOAT_TYPE, 20, 2), DOT2(INT_TYPE, 23, 2, 9, 1), DOT(ROUND, 49, 2), JOIN, D_CC(48), B_PART(BYTE, 8, 6, 55, 2)),
    FORMS2(4, "I2I", 1c, fc, INT, DOT2(INT_TYPE, 20, 2, 7, 1), DOT2(INT_TYPE, 23, 2, 9, 1), FLAG(SAT, 5), JOIN, D_CC(48), B_PART(BYTE, 8, 6, 55, 2)),
    FORMS2(4, "SEL", 20, fc, INT, JOIN, D, A, B, P(49)),
    FORMS3(4, "PRMT", 24, fc, INT, DOT(PERMUTE, 5, 3), JOIN, D, A, B, C),
    FORMS2(4, "MOV", 28, fc, INT, JOIN, D, B, U_UNLESS(5, 4, 15)),
    ROW(4, "S2R", 2c, fc, JOIN, D, NAME(SPECIAL_GF100, 26, 8)),
    FORMS2(4, "P2R", 30, fc, INT, FLAG(HI, 5), JOIN, D, NAME(PR, 0, 0), A, B),
    FORMS2(4, "R2P", 34, fc, INT, FLAG(HI, 5), JOIN, NAME(PR, 0, 0), A, B),
    ROW(4, "B2R", 38, fc, DOT(UNIT, 8, 2), JOIN, D, U(20, 6)),
    ROW(4, "NOP", 40, fc, FLAG(TRIG, 50), DOT(UNIT_NOP, 51, 4), JOIN, TEST(5), U_UNLESS(26, 16, 0)),
    ROW(4, "LEPC", 44, fc, JOIN, D),
    ROW(4, "VOTE", 48, fc, DOT(VOTE_GF100, 5, 3), JOIN, D_UNLESS, PD(54), P(20), U_UNLESS(26, 28, 0)),
    ROW_IF(4, "BAR.ARV", 50, fc, UINT64_C(0x80), UINT64_C(0xe0), JOIN, PD_UNLESS(53), D_UNLESS, OR(20, 47, 20, 4), COUNT(26, 46), P_UNLESS(49)),
    ROW(4, "BAR.RED", 50, fc, DOT(REDUCTION_GF100, 5, 3), JOIN, PD_UNLESS(53), D, OR(20, 47, 20, 4), OR(26, 46, 26, 12), P(49)),
    FORMS2(4, "POPC", 54, fc, INT, JOIN, D, A_NOT(9), B_NOT(8)),
    /* ---- video: a source that is no register has 16 bits ---- */
    SIMD4("VADD", 80, C, DOT(ADD_SIMD, 7, 2), FLAG(SD, 57), FLAG(SAT, 9)),
    SIMD4("VMNMX", 84, C, FLAG(MX, 7), FLAG(SD, 57), FLAG(SAT, 9)),
    SIMD4("VABSDIFF", 88, C, FLAG(SD, 57), FLAG(SAT, 9)),
    SIMD4("VSET", 8c, C, DOT(COMPARE_INT, 7, 3)),
    SIMD4("VSHR", 90, C, FLAG(SD, 57), FLAG(W, 7), FLAG(SAT, 9)),
    SIMD4("VSHL", 94, C, FLAG(SD, 57), FLAG(W, 7), FLAG(SAT, 9)),
    SIMD4("VSEL", 98, P(49), FLAG(SD, 57), FLAG(SAT, 9)),
    SIMD2("VADD", a0, C, DOT(ADD_SIMD, 7, 2), FLAG(SD, 57), FLAG(SAT, 9)),
    SIMD2("VMNMX", a4, C, FLAG(MX, 7), FLAG(SD, 57), FLAG(SAT, 9)),
    SIMD2("VABSDIFF", a8, C, FLAG(SD, 57), FLAG(SAT, 9)),
    SIMD2("VSET", ac, C, DOT(COMPARE_INT, 7, 3)),
    SIMD2("VSHR", b0, C, FLAG(SD, 57), FLAG(W, 7), FLAG(SAT, 9)),
    SIMD2("VSHL", b4, C, FLAG(SD, 57), FLAG(W, 7), FLAG(SAT, 9)),
    SIMD2("VSEL", b8, P(49), FLAG(SD, 57), FLAG(SAT, 9)),
    VIDEO("VADD", c0, 8, 7, 0, VIDEO_D, PLUS_ONE(8, 7), FLAG(SAT, 9), DOT(MERGE_VIDEO, 55, 3)),
    VIDEO("VMNMX", c8, 0, 0, 0, VIDEO_D, FLAG(MX, 7), FLAG(SAT, 9), DOT(MERGE_VIDEO, 55, 3)),
    VIDEO("VABSDIFF", d0, 0, 0, 0, VIDEO_D, FLAG(SAT, 9), DOT(MERGE_VIDEO, 55, 3)),
    VIDEO("VSET", d8, 0, 0, 0, DOT(COMPARE_INT, 7, 3), KINDS(6, 5, 47), DOT(MERGE_VIDEO, 55, 3)),
    VIDEO("VSHR", e0, 0, 0, 0, VIDEO_D, FLAG(W, 7), FLAG(SAT, 9), DOT(MERGE_VIDEO, 55, 3)),
    VIDEO("VSHL", e8, 0, 0, 0, VIDEO_D, FLAG(W, 7), FLAG(SAT, 9), DOT(MERGE_VIDEO, 55, 3)),
    VIDEO("VMAD", f0, 8, 0, 7, KINDS(6, 5, 47), PLUS_ONE(8, 7), DOT(SHIFT_VIDEO, 55, 2), FLAG(SAT, 9)),
    ROW_IF(4, "VSETP", f8, f8, AT_KIND, AT_KIND, DOT(COMPARE_INT, 7, 3), KINDS(6, 5, 47), DOT(COMBINE, 53, 2), JOIN, PD(17), PD(14), VIDEO_A(0), VIDEO_B(0), P(49)),
    ROW_IF(4, "VSETP", f8, f8, UINT64_C(0), AT_KIND, DOT(COMPARE_INT, 7, 3), KINDS(6, 5, 47), DOT(COMBINE, 53, 2), JOIN, PD(17), PD(14), VIDEO_A(0), U(26, 16), P(49)),
    /* ---- memory ---- */
    RED(10, UINT64_C(0), ATOMIC_U32),
    RED(10, AT_TYPE, ATOMIC_U64),
    RED(18, AT_TYPE, ATOMIC_S32),
    RED(28, AT_TYPE, ATOMIC_F32),
    RED(30, AT_TYPE, ATOMIC_F32_RN),
    ATOM(50, UINT64_C(0), AT_TYPE, ATOMIC_U32),
    ATOM(50, UINT64_C(0x300), AT_ATOMIC, B64_ALWAYS),
    ATOM(50, UINT64_C(0x320), AT_ATOMIC, B64_ALWAYS),
    ATOM(50, AT_TYPE, AT_TYPE, ATOMIC_U64),
    ATOM(58, AT_TYPE, AT_TYPE, ATOMIC_S32),
    ATOM(68, AT_TYPE, AT_TYPE, ATOMIC_F32),
    ATOM(70, AT_TYPE, AT_TYPE, ATOMIC_F32_RN),
    ROW(5, "LD", 80, f8, FLAG(E, 58), DOT(CACHE_LOAD_GK110, 8, 2), DOT(SIZE, 5, 3), JOIN, D, GLOBAL(26, 32, 0)),
    ROW(5, "ST", 90, f8, FLAG(E, 58), DOT(CACHE_STORE, 8, 2), DOT(SIZE, 5, 3), JOIN, GLOBAL(26, 32, 0), D),
    ROW(5, "CCTL", 98, f8, FLAG(E, 58), DOT(CACHE_OF, 26, 2), DOT(CACHE_OP, 5, 5), JOIN, D_UNLESS, GLOBAL(28, 30, 2)),
    ROW(5, "LDL", c0, fd, DOT(CACHE_LOCAL_GF100, 8, 2), DOT(SIZE, 5, 3), JOIN, D, MEMORY(26, 24, 0)),
    ROW(5, "LDS", c1, fd, DOT(SIZE, 5, 3), JOIN, D, MEMORY(26, 24, 0)),
    ROW(5, "STL", c8, fd, DOT(CACHE_STORE, 8, 2), DOT(SIZE, 5, 3), JOIN, MEMORY(26, 24, 0), D),
    ROW(5, "STS", c9, fd, DOT(SIZE, 5, 3), JOIN, MEMORY(26, 24, 0), D),
    ROW(5, "CCTLL", d0, fc, DOT(CACHE_OP, 5, 5), JOIN, D_UNLESS, MEMORY(28, 22, 2)),
    ROW_IF(5, "SURED.P", d8, fc, UINT64_C(0x400100000000), UINT64_C(0x400100000000), SURFACE_MODES, DOT(ATOMIC_GF100, 5, 4), DOT(SURFACE_CLAMP, 47, 2), JOIN, PLACE, D, U(26, 3)),
    ROW(5, "MEMBAR", e0, fc, DOT(SCOPE, 5, 2), JOIN),
    ROW(5, "STUL", e8, fc, FLAG(E, 58), DOT(SIZE, 5, 3), JOIN, GLOBAL(26, 32, 0), D),
    /* ---- attributes, constants, pixels ---- */
    ROW(6, "VILD", 00, fc, JOIN, D, MEMORY(26, 16, 0)),
    ROW(6, "ALD", 04, fc, FLAG(O, 9), FLAG(PATCH, 8), DOT(SIZE_WORDS, 5, 2), JOIN, D, ATTRIBUTE(32), FROM(26)),
    ROW(6, "AST", 08, fc, FLAG(PATCH, 8), DOT(SIZE_WORDS, 5, 2), JOIN, ATTRIBUTE(32), FROM(26), FROM(49)),
    ROW(6, "PIXLD", 10, fc, DOT(PIXEL, 5, 3), JOIN, PD_UNLESS(53), D, MEMORY(26, 8, 0)),
    ROW(6, "LDC", 14, fc, DOT(INDEX, 8, 2), DOT(SIZE, 5, 3), JOIN, D, IN_BANK(26, 42)),
    FORMS2(6, "OUT", 1c, fc, INT, DOT(EMIT, 5, 2), JOIN, D, A, B),
    /* ---- flow. What pushes is not guarded ---- */
    TARGETS("JMP", 00, ABSOLUTE, IN_BANK_ALONE(26, 42), FLAG(U, 15), FLAG(LMT, 16), TEST(5)),
    ROW_IF(7, "JMX", 08, f8, UINT64_C(0), UINT64_C(0x4000), FLAG(LMT, 16), TEST(5), A, DISTANCE(32)),
    ROW_IF(7, "JMX", 08, f8, UINT64_C(0x4000), UINT64_C(0x4000), FLAG(LMT, 16), TEST(5), IN_BANK(26, 42)),
    TARGETS("JCAL", 10, ABSOLUTE, IN_BANK_ALONE(26, 42), UNGUARDED, FLAG(NOINC, 16)),
    TARGETS("BRA", 40, RELATIVE, IN_BANK_ALONE(26, 42), FLAG(U, 15), FLAG(LMT, 16), TEST(5)),
    ROW_IF(7, "BRX", 48, f8, UINT64_C(0), UINT64_C(0x4000), FLAG(LMT, 16), TEST(5), A, DISTANCE(24)),
    ROW_IF(7, "BRX", 48, f8, UINT64_C(0x4000), UINT64_C(0x4000), FLAG(LMT, 16), TEST(5), IN_BANK(26, 42)),
    TARGETS("CAL", 50, RELATIVE, IN_BANK_ALONE(26, 42), UNGUARDED, FLAG(NOINC, 16)),
    TARGETS("PLONGJMP", 58, RELATIVE, IN_BANK_ALONE(26, 42), UNGUARDED),
    TARGETS("SSY", 60, RELATIVE, IN_BANK_ALONE(26, 42), UNGUARDED),
    TARGETS("PBK", 68, RELATIVE, IN_BANK_ALONE(26, 42), UNGUARDED),
    TARGETS("PCNT", 70, RELATIVE, IN_BANK_ALONE(26, 42), UNGUARDED),
    TARGETS("PRET", 78, RELATIVE, IN_BANK_ALONE(26, 42), UNGUARDED, FLAG(NOINC, 16)),
    FLOW("EXIT", 80, TEST(5)),
    FLOW("LONGJMP", 88, TEST(5)),
    FLOW("RET", 90, TEST(5)),
    FLOW("KIL", 98, TEST(5)),
    FLOW("RTT", a0, UNGUARDED, FLAG(RETURN, 14)),
    FLOW("BRK", a8, TEST(5)),
    FLOW("CONT", b0, TEST(5)),
    FLOW("SAM", c0, UNGUARDED),
    FLOW("RAM", c8, UNGUARDED),
    FLOW("BPT", d0, UNGUARDED, DOT(PAUSE_GF100, 14, 2), U(26, 20)),
};

/* Textures: GF100 has the number of a texture and of a sampler, GK104 that of a handle; bit 50: in the first register. */
#define HOW     FLAG(NDV, 45), FLAG(NODEP, 9), DOT(PHASE, 7, 2), JOIN, D, A, FROM_UNLESS(26)
#define WHAT    NAME(DIM, 51, 3), U(46, 4)
#define LIVE    FLAG(NODEP, 9), DOT(PHASE, 7, 2), JOIN, D, A, FROM_UNLESS(26)
#define TEXTURES(...)                                                                                                                                     \
    ROW(6, "TEX", 80, f0, FLAG(BINDLESS_IF, 50), DOT(LOD, 57, 3), FLAG(AOFFI, 54), FLAG(DC, 56), HOW, __VA_ARGS__, WHAT),                                  \
    ROW(6, "TLD", 90, f0, FLAG(BINDLESS_IF, 50), FLAG(LOD_TLD, 57), FLAG(AOFFI, 54), FLAG(MS, 55), FLAG(CL, 56), LIVE, __VA_ARGS__, WHAT),                 \
    ROW(6, "TLD4", a0, f0, DOT(COMPONENT, 5, 2), FLAG(BINDLESS_IF, 50), DOT(OFFSETS, 54, 2), FLAG(DC, 56), HOW, __VA_ARGS__, WHAT),                        \
    ROW(6, "TMML", b0, f0, FLAG(BINDLESS_IF, 50), HOW, __VA_ARGS__, WHAT),                                                                                 \
    ROW(6, "TXQ", c0, f0, FLAG(BINDLESS_IF, 50), LIVE, NAME(QUERY_GF100, 54, 6), __VA_ARGS__, U(46, 4)),                                                   \
    ROW(6, "TXA", d0, f0, HOW, __VA_ARGS__, U(46, 4)),                                                                                                     \
    ROW(6, "TXD", e0, f0, FLAG(BINDLESS_IF, 50), FLAG(AOFFI, 54), LIVE, __VA_ARGS__, WHAT)

/* GF100 alone. */
static const struct isa_text_row gf100_rows[] = {
    ROW(5, "LDU", 88, f8, FLAG(E, 58), DOT(SIZE, 5, 3), JOIN, D, GLOBAL(26, 32, 0)),
    ROW(5, "LDLK", a0, f8, DOT(SIZE, 5, 3), JOIN, PD_SPLIT, D, GLOBAL(26, 32, 0)),
    ROW(5, "LDS_LDU", a8, f8, FLAG(E, 58), {SAY_PAIR, 0, 53, 5, 0, 0, 0}, JOIN, D_AT(32), {SAY_LOADED, 0, 43, 10, 20, 0, 0}, D, {SAY_LOADED, 5, 5, 5, 26, 1, 38}),
    ROW(5, "LD_LDU", b0, f0, FLAG(E, 59), FLAG(E, 58), {SAY_PAIR, 0, 53, 5, 0, 0, 0}, JOIN, D_AT(32), {SAY_LOADED, 0, 43, 10, 20, 0, 0}, D, {SAY_LOADED, 5, 5, 5, 26, 1, 38}),
    ROW(5, "LDSLK", c4, fc, DOT(SIZE, 5, 3), JOIN, PD(50), D, MEMORY(26, 24, 0)),
    ROW(5, "STSUL", cc, fc, DOT(SIZE, 5, 3), JOIN, MEMORY(26, 24, 0), D),
    ROW_IF(5, "SULD.D", d4, fc, UINT64_C(0), UINT64_C(0x1e000000000000), SURFACE_MODES, DOT(SIZE, 5, 3), DOT(CACHE_LOAD_GK110, 8, 2), DOT(SURFACE_CLAMP, 47, 2), JOIN, D, PLACE, SURFACE),
    ROW_IF(5, "SUST.D", dc, fc, UINT64_C(0), UINT64_C(0x1e000000000000), SURFACE_MODES, DOT(SIZE, 5, 3), DOT(CACHE_STORE, 8, 2), DOT(SURFACE_CLAMP, 47, 2), JOIN, PLACE, D, SURFACE),
    ROW(5, "SUST.P", dc, fc, SURFACE_MODES, DOT(SURFACE_MASK_ALL, 49, 4), DOT(CACHE_STORE, 8, 2), DOT(SURFACE_CLAMP, 47, 2), JOIN, PLACE, D, SURFACE),
    ROW(5, "SUQ", e4, fc, DOT(QUERY_SURFACE, 5, 3), JOIN, D, SURFACE),
    ROW(5, "SULEA", f0, fc, SURFACE_MODES, DOT(SIZE, 5, 3), DOT(SURFACE_CLAMP, 47, 2), JOIN, PD(54), D, PLACE, SURFACE),
    TEXTURES(U(32, 8), U(40, 5)),
};

/* GK104 and its like alone. */
static const struct isa_text_row gk104_rows[] = {
    WORD("IMADSP.SD", UINT64_C(0x0180000000000003), UINT64_C(0xf980c0000000000f), REGISTER, JOIN, D_CC(48), A, B, C),
    WORD("IMADSP.SD", UINT64_C(0x0180400000000003), UINT64_C(0xf980c0000000000f), CONSTANT, JOIN, D_CC(48), A, B, C),
    WORD("IMADSP.SD", UINT64_C(0x0180800000000003), UINT64_C(0xf980c0000000000f), SWAPPED, JOIN, D_CC(48), A, B, C),
    WORD("IMADSP.SD", UINT64_C(0x0180c00000000003), UINT64_C(0xf980c0000000000f), INT, JOIN, D_CC(48), A, B, C),
    FORMS3(3, "IMADSP", 00, f8, INT, PARTS(7, 5, 55), JOIN, D_CC(48), A, B, C),
    FORMS2(4, "SUCLAMP", 58, fc, INT, DOT(CLAMP, 5, 4), FLAG(TWO_D, 48), FLAG(U32, 9), JOIN, PD(55), D, A, B, S(49, 6)),
    FORMS3(4, "SUBFM", 5c, fc, INT, FLAG(THREE_D, 48), JOIN, PD(55), D, A, B, C),
    FORMS3(4, "SUEAU", 60, fc, INT, JOIN, D, A, B, C),
    ROW(5, "SHFL", 88, f8, DOT(SHUFFLE, 55, 2), JOIN, PD_SPLIT, D, A, OR(26, 5, 26, 5), OR(49, 6, 42, 13)),
    ROW(5, "LDSLK", a8, f8, DOT(SIZE, 5, 3), JOIN, PD_SPLIT, D, MEMORY(26, 24, 0)),
    ROW(5, "STSCUL", b8, f8, DOT(SIZE, 5, 3), JOIN, PD_SPLIT, MEMORY(26, 24, 0), D),
    SULDGA(UINT64_C(0), B),
    SULDGA(AT_FORMAT, FORMAT_CONSTANT),
    SUSTGA_B(UINT64_C(0), B),
    SUSTGA_B(AT_FORMAT, FORMAT_CONSTANT),
    SUSTGA_P(UINT64_C(0), B),
    SUSTGA_P(AT_FORMAT, FORMAT_CONSTANT),
    ROW(6, "AL2P", 0c, fc, FLAG(O, 9), JOIN, D, A, S(32, 11)),
    ROW(6, "TEXDEPBAR", f0, f0, JOIN, TEST(5), U(26, 6)),
    TEXTURES(U(32, 8), U_UNLESS(40, 5, 0)),
};
/* clang-format on */

#define COUNT_OF(rows) sizeof(rows) / sizeof((rows)[0])
#define LAYOUT                                                                                                         \
    .halves = &gf100_short_texts, .registers = 6, .guard = 10, .a = AT_A, .b = AT_IMMEDIATE, .c = 49, .sign = 45,      \
    .size = 23, .kind_a = 44, .kind_b = 32, .constant = {.word = 28, .bank = 42, .bank_width = 4, .bank_top = 26},     \
    .bank_width = 5

const struct isa_texts isa_gf100_texts = {.tables = {{rows, COUNT_OF(rows)}, {gf100_rows, COUNT_OF(gf100_rows)}},
                                          LAYOUT};
const struct isa_texts isa_gf100k_texts = {
    .tables = {{rows, COUNT_OF(rows)}, {gk104_rows, COUNT_OF(gk104_rows)}}, LAYOUT, .control = gf100_text_control};
