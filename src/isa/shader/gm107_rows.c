/* SPDX-License-Identifier: MIT */
/*
 * The encodings of GM107. Most operations have a second operand that is a register, a constant or an immediate, with
 * the same fields otherwise: FORMS2; those with three have the constant in either place: FORMS3. Sources: see gm107.c.
 */
#include "isa/shader/gm107_rows.h"

#define A                        PUT(PUT_REGISTER, a, 8, 8, 0)
#define B                        PUT(PUT_REGISTER, b, 20, 8, 0)
#define C                        PUT(PUT_REGISTER, c, 39, 8, 0)
#define D                        PUT(PUT_NUMBER, d, 0, 8, 0)
#define B_D                      PUT(PUT_REGISTER, b, 0, 8, 0)
#define C_D                      PUT(PUT_REGISTER, c, 0, 8, 0)
#define B_39                     PUT(PUT_REGISTER, b, 39, 8, 0)
#define A_20                     PUT(PUT_REGISTER, a, 20, 8, 0)
#define A_CONST                  PUT(PUT_CONSTANT, a, 20, 19, 0)
#define B_CONST                  PUT(PUT_CONSTANT, b, 20, 19, 0)
#define C_CONST                  PUT(PUT_CONSTANT, c, 20, 19, 0)
#define A_INT                    PUT(PUT_INTEGER, a, 20, 19, 0)
#define B_INT                    PUT(PUT_INTEGER, b, 20, 19, 0)
#define A_FLOAT                  PUT(PUT_FLOAT, a, 20, 19, 0)
#define B_FLOAT                  PUT(PUT_FLOAT, b, 20, 19, 0)
#define B_IMM32                  PUT(PUT_IMMEDIATE, b, 20, 32, 0)
#define B_IMM16                  PUT(PUT_IMMEDIATE, b, 20, 16, 0)
#define B_IMM6                   PUT(PUT_IMMEDIATE, b, 20, 6, 0)
#define PAIR_A(at)               PUT(PUT_PART_PAIR, a, at, 2, 0)
#define PAIR_B(at)               PUT(PUT_PART_PAIR, b, at, 2, 0)
#define PAIR_C(at)               PUT(PUT_PART_PAIR, c, at, 2, 0)
#define HALF_A(at)               PUT(PUT_PART_HALF, a, at, 2, 0)
#define HALF_B(at)               PUT(PUT_PART_HALF, b, at, 2, 0)
#define HALF_C(at)               PUT(PUT_PART_HALF, c, at, 2, 0)
#define BYTE_A(at)               PUT(PUT_PART_BYTE, a, at, 2, 0)
#define LOP(at)                  BITS(combine, at, 2)
#define LUT(at)                  BITS(mask, at, 8)
#define RELATIVE                 PUT(PUT_RELATIVE, op, 20, 24, 0)
#define ABSOLUTE                 PUT(PUT_ADDRESS, op, 20, 32, 0)
#define TARGET                   PUT(PUT_BYTES, a, 20, 21, 0)
#define GLOBAL(at, width)        A, PUT(PUT_OFFSET_ZERO, op, at, width, 0)
#define GLOBAL_WORDS             A, PUT(PUT_OFFSET_ZERO, op, 22, 30, 2)
#define MEMORY(at, width, shift) A, PUT(PUT_OFFSET, op, at, width, shift)
#define SPACE(which)             PRESET(space, IR_SPACE_##which)
#define BANK                     PRESET(texture.in_bank, 1)
#define VMERGE                   BITS(video.merge, 51, 3)
#define VSIGNED                  BIT(video.signed_d, 54)

#define ROW(name, value, mask, op, type, finish, ...)                                                                  \
    {                                                                                                                  \
        name, 0x##value, 0x##mask, IR_##op, IR_##type, finish, {                                                       \
            __VA_ARGS__                                                                                                \
        }                                                                                                              \
    }
#define TOP(name, value, mask, op, type, finish, ...)                                                                  \
    {                                                                                                                  \
        name, (uint64_t)0x##value << 48, (uint64_t)0x##mask << 48, IR_##op, IR_##type, finish, {                       \
            __VA_ARGS__                                                                                                \
        }                                                                                                              \
    }
/* Immediates have their sign in bit 56. */
#define TOP_I(name, value, mask, op, type, finish, ...)                                                                \
    {                                                                                                                  \
        name, (uint64_t)0x##value << 48, (uint64_t)(0x##mask & 0xfeff) << 48, IR_##op, IR_##type, finish, {            \
            __VA_ARGS__                                                                                                \
        }                                                                                                              \
    }
#define FORMS1(name, r, c, i, mask, kind, op, type, finish, ...)                                                       \
    TOP(name, r, mask, op, type, finish, A_20, __VA_ARGS__),                                                           \
        TOP(name, c, mask, op, type, finish, A_CONST, __VA_ARGS__),                                                    \
        TOP_I(name, i, mask, op, type, finish, A_##kind, __VA_ARGS__)
#define FORMS2(name, r, c, i, mask, kind, op, type, finish, ...)                                                       \
    TOP(name, r, mask, op, type, finish, B, __VA_ARGS__), TOP(name, c, mask, op, type, finish, B_CONST, __VA_ARGS__),  \
        TOP_I(name, i, mask, op, type, finish, B_##kind, __VA_ARGS__)
#define FORMS3(name, r, c, rc, i, mask, kind, op, type, finish, ...)                                                   \
    TOP(name, r, mask, op, type, finish, B, C, __VA_ARGS__),                                                           \
        TOP(name, c, mask, op, type, finish, B_CONST, C, __VA_ARGS__),                                                 \
        TOP(name, rc, mask, op, type, finish, B_39, C_CONST, __VA_ARGS__),                                             \
        TOP_I(name, i, mask, op, type, finish, B_##kind, C, __VA_ARGS__)

/* clang-format off */
const struct isa_row gm107_rows[] = {
    /* ---- floats ---- */
    FORMS2("FADD", 5c58, 4c58, 3858, fff8, FLOAT, FADD, F32, NULL, FTZ(44), SAT(50), ROUND(39), CC(47), D, NEG_A(48), ABS_A(46), A, NEG_B(45), ABS_B(49)),
    FORMS2("FMUL", 5c68, 4c68, 3868, fff8, FLOAT, FMUL, F32, NULL, FLUSH(44), SCALE(41), ROUND(39), SAT(50), CC(47), D, A, NEG_B(48)),
    FORMS3("FFMA", 5980, 4980, 5180, 3280, ff80, FLOAT, FFMA, F32, NULL, FLUSH(53), ROUND(51), SAT(50), CC(47), D, A, NEG_B(48), NEG_C(49)),
    FORMS2("FMNMX", 5c60, 4c60, 3860, fff8, FLOAT, FMNMX, F32, NULL, FTZ(44), CC(47), D, NEG_A(48), ABS_A(46), A, NEG_B(45), ABS_B(49), P(39)),
    FORMS2("FSET", 5800, 4800, 3000, ff00, FLOAT, FSET, F32, NULL, BF(52), FCMP(48), BOP(45), FTZ(55), CC(47), D, NEG_A(43), ABS_A(54), A, NEG_B(53), ABS_B(44), P(39)),
    FORMS2("FSETP", 5bb0, 4bb0, 36b0, fff0, FLOAT, FSETP, F32, NULL, FCMP(48), FTZ(47), BOP(45), PD(3), QD(0), NEG_A(43), ABS_A(7), A, NEG_B(6), ABS_B(44), P(39)),
    FORMS3("FCMP", 5ba0, 4ba0, 53a0, 36a0, fff0, FLOAT, FCMP, F32, NULL, FCMP(48), FTZ(47), D, A),
    FORMS2("FCHK", 5c88, 4c88, 3888, fff8, FLOAT, FCHK, F32, NULL, ONLY(39, 6, 0), PD(3), NEG_A(48), ABS_A(46), A, NEG_B(45), ABS_B(49)),
    FORMS1("RRO", 5c90, 4c90, 3890, fff8, FLOAT, RRO, F32, NULL, MODE(39, 1), D, NEG_A(45), ABS_A(49)),
    FORMS2("DADD", 5c70, 4c70, 3870, fff8, FLOAT, FADD, F64, NULL, ROUND(39), CC(47), D, NEG_A(48), ABS_A(46), A, NEG_B(45), ABS_B(49)),
    FORMS2("DMUL", 5c80, 4c80, 3880, fff8, FLOAT, FMUL, F64, NULL, ROUND(39), CC(47), D, A, NEG_B(48)),
    FORMS3("DFMA", 5b70, 4b70, 5370, 3670, fff0, FLOAT, FFMA, F64, NULL, ROUND(50), CC(47), D, A, NEG_B(48), NEG_C(49)),
    FORMS2("DMNMX", 5c50, 4c50, 3850, fff8, FLOAT, FMNMX, F64, NULL, CC(47), D, NEG_A(48), ABS_A(46), A, NEG_B(45), ABS_B(49), P(39)),
    FORMS2("DSET", 5900, 4900, 3200, ff80, FLOAT, FSET, F64, NULL, BF(52), FCMP(48), BOP(45), CC(47), D, NEG_A(43), ABS_A(54), A, NEG_B(53), ABS_B(44), P(39)),
    FORMS2("DSETP", 5b80, 4b80, 3680, fff0, FLOAT, FSETP, F64, NULL, FCMP(48), BOP(45), PD(3), QD(0), NEG_A(43), ABS_A(7), A, NEG_B(6), ABS_B(44), P(39)),
    TOP("FSWZADD", 50f8, fff8, FSWZADD, F32, NULL, FTZ(44), ROUND(39), CC(47), D, A, B, LUT(28), IS_MODE(6)),
    TOP("MUFU", 5080, fff8, MUFU, F32, NULL, MODE(20, 4), MOST(20, 4, 8), SAT(50), D, NEG_A(48), ABS_A(46), A),
    TOP("FFMA32I", 0c00, fc00, FFMA, F32, NULL, FLUSH(53), SAT(55), CC(52), D, NEG_A(56), A, B_IMM32, NEG_C(57), C_D),
    TOP("FADD32I", 0800, fc00, FADD, F32, NULL, FTZ(55), CC(52), D, NEG_A(56), ABS_A(54), A, NEG_B(53), ABS_B(57), B_IMM32),
    TOP("FMUL32I", 1e00, ff00, FMUL, F32, NULL, FLUSH(53), SAT(55), CC(52), D, A, B_IMM32),
    /* ---- pairs of halves. A constant is a float for both (yuzu) ---- */
    TOP("HADD2", 5d10, fff8, HADD2, F16X2, NULL, FTZ(39), SAT(32), BITS(merge, 49, 2), D, NEG_A(43), ABS_A(44), PAIR_A(47), A, NEG_B(31), ABS_B(30), PAIR_B(28), B),
    TOP("HMUL2", 5d08, fff8, HMUL2, F16X2, NULL, FLUSH(39), SAT(32), BITS(merge, 49, 2), D, ABS_A(44), PAIR_A(47), A, NEG_B(31), ABS_B(30), PAIR_B(28), B),
    TOP("HFMA2", 5d00, fff8, HFMA2, F16X2, NULL, FLUSH(37), SAT(32), BITS(merge, 49, 2), D, PAIR_A(47), A, NEG_B(31), PAIR_B(28), B, NEG_C(30), PAIR_C(35), C),
    TOP("HSET2", 5d18, fff8, HSET2, F16X2, NULL, BF(49), FCMP(35), FTZ(50), BOP(45), D, NEG_A(43), ABS_A(44), PAIR_A(47), A, NEG_B(31), ABS_B(30), PAIR_B(28), B, P(39)),
    TOP("HSETP2", 5d20, fff8, HSETP2, F16X2, NULL, FCMP(35), BIT(extended, 49), FTZ(6), BOP(45), PD(3), QD(0), NEG_A(43), ABS_A(44), PAIR_A(47), A, NEG_B(31), ABS_B(30), PAIR_B(28), B, P(39)),
    TOP("HSETP2", 7e80, fe80, HSETP2, F16X2, NULL, FCMP(49), BIT(extended, 53), FTZ(6), BOP(45), PD(3), QD(0), NEG_A(43), ABS_A(44), PAIR_A(47), A, NEG_B(56), ABS_B(54), B_CONST, PRESET(b.part, IR_FLOAT), P(39)),
    TOP("HSETP2", 7e00, fe80, HSETP2, F16X2, gm107_halves, FCMP(49), BIT(extended, 53), FTZ(6), BOP(45), PD(3), QD(0), NEG_A(43), ABS_A(44), PAIR_A(47), A, P(39)),
    TOP("HSET2", 7c80, fe80, HSET2, F16X2, NULL, BF(53), FCMP(49), FTZ(54), BOP(45), D, NEG_A(43), ABS_A(44), PAIR_A(47), A, NEG_B(56), ABS_B(54), B_CONST, PRESET(b.part, IR_FLOAT), P(39)),
    TOP("HSET2", 7c00, fe80, HSET2, F16X2, gm107_halves, BF(53), FCMP(49), FTZ(54), BOP(45), D, NEG_A(43), ABS_A(44), PAIR_A(47), A, P(39)),
    TOP("HADD2", 7a80, fe80, HADD2, F16X2, NULL, FTZ(39), SAT(52), BITS(merge, 49, 2), D, NEG_A(43), ABS_A(44), PAIR_A(47), A, NEG_B(56), ABS_B(54), B_CONST, PRESET(b.part, IR_FLOAT)),
    TOP("HADD2", 7a00, fe80, HADD2, F16X2, gm107_halves, FTZ(39), SAT(52), BITS(merge, 49, 2), D, NEG_A(43), ABS_A(44), PAIR_A(47), A),
    TOP("HMUL2", 7880, fe80, HMUL2, F16X2, NULL, FLUSH(39), SAT(52), BITS(merge, 49, 2), D, NEG_A(43), ABS_A(44), PAIR_A(47), A, ABS_B(54), B_CONST, PRESET(b.part, IR_FLOAT)),
    TOP("HMUL2", 7800, fe80, HMUL2, F16X2, gm107_halves, FLUSH(39), SAT(52), BITS(merge, 49, 2), D, NEG_A(43), ABS_A(44), PAIR_A(47), A),
    TOP("HFMA2", 7080, f880, HFMA2, F16X2, NULL, FLUSH(57), SAT(52), BITS(merge, 49, 2), D, PAIR_A(47), A, NEG_B(56), B_CONST, PRESET(b.part, IR_FLOAT), NEG_C(51), PAIR_C(53), C),
    TOP("HFMA2", 7000, f880, HFMA2, F16X2, gm107_halves, FLUSH(57), SAT(52), BITS(merge, 49, 2), D, PAIR_A(47), A, NEG_C(51), PAIR_C(53), C),
    TOP("HFMA2", 6080, f880, HFMA2, F16X2, NULL, FLUSH(57), SAT(52), BITS(merge, 49, 2), D, PAIR_A(47), A, NEG_B(56), PAIR_B(53), B_39, NEG_C(51), C_CONST, PRESET(c.part, IR_FLOAT)),
    TOP("HADD2_32I", 2c00, fe00, HADD2, F16X2, NULL, FTZ(55), SAT(52), D, NEG_A(56), PAIR_A(53), A, B_IMM32),
    TOP("HMUL2_32I", 2a00, fe00, HMUL2, F16X2, NULL, FLUSH(55), SAT(52), D, PAIR_A(53), A, B_IMM32),
    TOP("HFMA2_32I", 2800, fe00, HFMA2, F16X2, NULL, FLUSH(55), D, PAIR_A(53), A, B_IMM32, NEG_C(52), C_D),
    /* ---- integers ---- */
    /* UNKNOWN: what shifts and logical operations do with the carry (.X); chosen: they are not executed then */
    FORMS2("IADD", 5c10, 4c10, 3810, fff8, INT, IADD, U32, isa_plus_one, SAT(50), X(43), CC(47), D, NEG_A(49), A, NEG_B(48)),
    TOP("IADD3", 5cc0, fff0, IADD3, U32, NULL, MODE(37, 2), MOST(37, 2, 2), X(48), CC(47), D, NEG_A(51), HALF_A(35), A, NEG_B(50), HALF_B(33), B, NEG_C(49), HALF_C(31), C),
    TOP("IADD3", 4cc0, fff0, IADD3, U32, NULL, X(48), CC(47), D, NEG_A(51), A, NEG_B(50), B_CONST, NEG_C(49), C),
    TOP_I("IADD3", 38c0, fff0, IADD3, U32, NULL, X(48), CC(47), D, NEG_A(51), A, NEG_B(50), B_INT, NEG_C(49), C),
    FORMS2("ISCADD", 5c18, 4c18, 3818, fff8, INT, ISCADD, U32, isa_plus_one, CC(47), D, NEG_A(49), A, NEG_B(48), SHIFT(39)),
    FORMS2("IMUL", 5c38, 4c38, 3838, fff8, INT, IMUL, U32, NULL, SIGNED_A(40), SIGNED_B(41), HIGH(39), CC(47), D, A),
    FORMS3("IMAD", 5a00, 4a00, 5200, 3400, ff80, INT, IMAD, U32, isa_plus_one_product, SIGNED_A(48), SIGNED_B(53), HIGH(54), SAT(50), X(49), CC(47), D, NEG_A(51), NEG_C(52), A),
    FORMS3("IMADSP.SD", 5a98, 4a98, 5298, 3498, ff98, INT, IMADSP, U32, NULL, PRESET(extended, 1), CC(47), D, A),
    FORMS3("IMADSP", 5a80, 4a80, 5280, 3480, ff80, INT, IMADSP, U32, NULL, MODE(48, 3), PUT(PUT_MODE, op, 53, 2, 4), PUT(PUT_MODE, op, 51, 2, 8), CC(47), D, A),
    FORMS2("IMNMX", 5c20, 4c20, 3820, fff8, INT, IMNMX, U32, NULL, SIGNED(48), MODE(43, 2), CC(47), D, A, P(39)),
    FORMS2("ISET", 5b50, 4b50, 3650, fff0, INT, ISET, U32, NULL, BF(44), ICMP(49), SIGNED(48), X(43), BOP(45), CC(47), D, A, P(39)),
    FORMS2("ISETP", 5b60, 4b60, 3660, fff0, INT, ISETP, U32, NULL, ICMP(49), SIGNED(48), X(43), BOP(45), PD(3), QD(0), A, P(39)),
    FORMS3("ICMP", 5b40, 4b40, 5340, 3640, fff0, INT, ICMP, U32, NULL, ICMP(49), SIGNED(48), D, A),
    FORMS2("SHL", 5c48, 4c48, 3848, fff8, INT, SHL, U32, NULL, WRAP(39), X_UNKNOWN(43), CC(47), D, A),
    FORMS2("SHR", 5c28, 4c28, 3828, fff8, INT, SHR, U32, NULL, SIGNED(48), WRAP(39), X_UNKNOWN(44), REVERSE(40), CC(47), D, A),
    TOP("SHF.L", 5bf8, fff8, SHF_L, U32, gm107_shf, WRAP(50), HIGH(48), X_UNKNOWN(49), CC(47), D, A, B, C),
    TOP_I("SHF.L", 36f8, fff8, SHF_L, U32, gm107_shf, WRAP(50), HIGH(48), X_UNKNOWN(49), CC(47), D, A, B_IMM6, C),
    TOP("SHF.R", 5cf8, fff8, SHF_R, U32, gm107_shf, WRAP(50), HIGH(48), X_UNKNOWN(49), CC(47), D, A, B, C),
    TOP_I("SHF.R", 38f8, fff8, SHF_R, U32, gm107_shf, WRAP(50), HIGH(48), X_UNKNOWN(49), CC(47), D, A, B_IMM6, C),
    FORMS2("LOP", 5c40, 4c40, 3840, fff8, INT, LOP, U32, NULL, LOP(41), X_UNKNOWN(43), MODE(44, 2), PD(48), CC(47), D, INV_A(39), A, INV_B(40)),
    TOP("LOP3", 5be0, fff8, LOP3, U32, NULL, X_UNKNOWN(38), MODE(36, 2), PD(48), CC(47), D, A, B, C, LUT(28)),
    TOP("LOP3", 0200, fe00, LOP3, U32, NULL, X_UNKNOWN(56), CC(47), D, A, B_CONST, C, LUT(48)),
    TOP("LOP3", 3c00, fc00, LOP3, U32, NULL, X_UNKNOWN(57), CC(47), D, A, B_INT, C, LUT(48)),
    FORMS2("BFE", 5c00, 4c00, 3800, fff8, INT, BFE, U32, NULL, SIGNED(48), REVERSE(40), CC(47), D, A),
    FORMS3("BFI", 5bf0, 4bf0, 53f0, 36f0, fff8, INT, BFI, U32, NULL, CC(47), D, A),
    FORMS1("POPC", 5c08, 4c08, 3808, fff8, INT, POPC, U32, gm107_popc, D, INV_A(40)),
    FORMS1("FLO", 5c30, 4c30, 3830, fff8, INT, FLO, U32, NULL, SIGNED(48), MODE(41, 1), CC(47), D, INV_A(40)),
    TOP("LEA", 5bd0, fff8, LEA, U32, NULL, X(46), PD(48), CC(47), D, NEG_A(45), A, B, SHIFT(39)),
    TOP("LEA", 4bd0, fff0, LEA, U32, NULL, X(46), PD(48), CC(47), D, NEG_A(45), A, B_CONST, SHIFT(39)),
    TOP_I("LEA", 36d0, fff8, LEA, U32, NULL, X(46), PD(48), CC(47), D, NEG_A(45), A, B_INT, SHIFT(39)),
    TOP("LEA.HI", 5bd8, fff8, LEA_HI, U32, NULL, X(38), PD(48), CC(47), D, NEG_A(37), A, B, C, SHIFT(28)),
    TOP("LEA.HI", 1800, fc00, LEA_HI, U32, NULL, X(57), PD(48), CC(47), D, NEG_A(56), A, B_CONST, C, SHIFT(51)),
    TOP("IDP", 53f8, fff8, IDP, U32, gm107_idp, MODE(48, 3), D, A, B, C),
    TOP("IDP", 53d8, fff8, IDP, U32, gm107_idp, MODE(48, 3), D, A, B_CONST, C),
    TOP("XMAD", 5b00, ffc0, XMAD, U16, gm107_xmad, BIT(xmad.shift_product, 36), BIT(xmad.merge, 37), BITS(xmad.c, 50, 3), MOST(50, 3, 4), X(38), CC(47), D, BIT(xmad.high_a, 53), A, BIT(xmad.high_b, 35), B, C),
    TOP("XMAD", 5100, ff80, XMAD, U16, gm107_xmad, BITS(xmad.c, 50, 2), X(54), CC(47), D, BIT(xmad.high_a, 53), A, BIT(xmad.high_b, 52), B_39, C_CONST),
    TOP("XMAD", 4e00, fe00, XMAD, U16, gm107_xmad, BIT(xmad.shift_product, 55), BIT(xmad.merge, 56), BITS(xmad.c, 50, 2), X(54), CC(47), D, BIT(xmad.high_a, 53), A, BIT(xmad.high_b, 52), B_CONST, C),
    TOP("XMAD", 3600, fec0, XMAD, U16, gm107_xmad, BIT(xmad.shift_product, 36), BIT(xmad.merge, 37), BITS(xmad.c, 50, 3), MOST(50, 3, 4), X(38), CC(47), D, BIT(xmad.high_a, 53), A, B_IMM16, C),
    TOP("IMUL32I", 1f00, ff00, IMUL, U32, NULL, SIGNED_A(54), SIGNED_B(55), HIGH(53), CC(52), D, A, B_IMM32),
    TOP("IADD32I.PO", 1d80, ff80, IADD, U32, NULL, SAT(54), X(53), CC(52), D, A, B_IMM32, PRESET(plus_one, 1)),
    TOP("IADD32I", 1c00, fe80, IADD, U32, NULL, SAT(54), X(53), CC(52), D, NEG_A(56), A, B_IMM32),
    TOP("ISCADD32I", 1400, fc00, ISCADD, U32, NULL, CC(52), D, A, B_IMM32, SHIFT(53)),
    TOP("IMAD32I", 1000, fc00, IMAD, U32, isa_plus_one_product, SIGNED_A(54), SIGNED_B(57), HIGH(53), CC(52), D, NEG_A(56), A, B_IMM32, NEG_C(55), C_D),
    TOP("LOP32I", 0400, fc00, LOP, U32, NULL, LOP(53), X_UNKNOWN(57), CC(52), D, INV_A(55), A, INV_B(56), B_IMM32),
    /* ---- video ---- */
    TOP("VABSDIFF4", 5000, ff80, SIMD, U32, gm107_simd, IS_MODE(IR_SIMD_DIFFERENCE), BIT(simd.signed_d, 38), SIGNED_A(48), SIGNED_B(49), SAT(50), D, A, B, C),
    TOP("VADD", 2000, fc00, VIDEO, U32, gm107_video, IS_MODE(IR_VADD), NEG_A(57), NEG_B(56), VSIGNED, SAT(55), VMERGE, CC(47), D, A, B, C),
    TOP("VMAD", 5f00, ff00, VIDEO, U32, gm107_video, IS_MODE(IR_VMAD), NEG_A(54), NEG_C(53), BITS(video.shift, 51, 2), PRESET(video.merge, 7), SAT(55), CC(47), D, A, B, C),
    TOP("VSHL", 5700, ff00, VIDEO, U32, gm107_video, IS_MODE(IR_VSHL), WRAP(49), VSIGNED, SAT(55), VMERGE, CC(47), D, A, B, C),
    TOP("VSHR", 5600, ff00, VIDEO, U32, gm107_video, IS_MODE(IR_VSHR), WRAP(49), VSIGNED, SAT(55), VMERGE, CC(47), D, A, B, C),
    TOP("VABSDIFF", 5400, ff00, VIDEO, U32, gm107_video, IS_MODE(IR_VABSDIFF), VSIGNED, SAT(55), VMERGE, CC(47), D, A, B, C),
    TOP("VSET", 4000, fe00, VIDEO, U32, gm107_video, IS_MODE(IR_VSET), ICMP(54), VMERGE, CC(47), D, A, B, C),
    TOP("VSETP", 50f0, fff8, VIDEO, U32, gm107_video, IS_MODE(IR_VSETP), BITS(compare, 43, 2), PUT(PUT_BITS, compare, 47, 1, 2), BOP(45), PD(3), QD(0), A, B, P(39)),
    TOP("VMNMX", 3a00, fe00, VIDEO, U32, gm107_video, IS_MODE(IR_VMNMX), BIT(combine_negate, 56), VSIGNED, SAT(55), VMERGE, CC(47), D, A, B, C),
    /* ---- moves, conversions, predicates ---- */
    FORMS1("MOV", 5c98, 4c98, 3898, fff8, INT, MOV, U32, NULL, D, LANES(39)),
    TOP("MOV32I", 0100, fff0, MOV, U32, NULL, D, PUT(PUT_IMMEDIATE, a, 20, 32, 0), LANES(12)),
    FORMS2("SEL", 5ca0, 4ca0, 38a0, fff8, INT, SEL, U32, NULL, D, A, P(39)),
    FORMS3("PRMT", 5bc0, 4bc0, 53c0, 36c0, fff0, INT, PRMT, U32, NULL, MODE(48, 4), MOST(48, 4, 6), D, A),
    FORMS2("P2R", 5ce8, 4ce8, 38e8, fff8, INT, P2R, U32, NULL, MODE(41, 2), D, BIT(extended, 40), A),
    FORMS2("R2P", 5cf0, 4cf0, 38f0, fff8, INT, R2P, U32, NULL, MODE(41, 2), BIT(extended, 40), A),
    TOP("S2R", f0c8, fff8, S2R, U32, NULL, D, PUT(PUT_IMMEDIATE, a, 20, 8, 0)),
    TOP("CS2R", 50c8, fff8, S2R, U32, NULL, D, PUT(PUT_IMMEDIATE, a, 20, 8, 0)),
    TOP("LEPC", 50d0, fff8, LEPC, U32, NULL, D),
    FORMS1("F2F", 5ca8, 4ca8, 38a8, fff8, FLOAT, F2F, F32, NULL, FTZ(44), FROM_FLOAT(10), TO_FLOAT(8), ROUND(39), BIT(integral, 42), PUT(PUT_PART_BYTE, a, 41, 1, 0), SAT(50), CC(47), D, NEG_A(45), ABS_A(49)),
    FORMS1("F2I", 5cb0, 4cb0, 38b0, fff8, FLOAT, F2I, U32, NULL, FTZ(44), BIT(type, 12), INT_SIZE(type, 8), FROM_FLOAT(10), ROUND(39), PUT(PUT_PART_BYTE, a, 41, 1, 0), CC(47), D, NEG_A(45), ABS_A(49)),
    FORMS1("I2F", 5cb8, 4cb8, 38b8, fff8, INT, I2F, U32, NULL, TO_FLOAT(8), BIT(source_type, 13), INT_SIZE(source_type, 10), ROUND(39), CC(47), D, NEG_A(45), ABS_A(49), BYTE_A(41)),
    FORMS1("I2I", 5ce0, 4ce0, 38e0, fff8, INT, I2I, U32, NULL, BIT(type, 12), INT_SIZE(type, 8), BIT(source_type, 13), INT_SIZE(source_type, 10), SAT(50), CC(47), D, BYTE_A(41), NEG_A(45), ABS_A(49)),
    TOP("PSETP", 5090, fff8, PSETP, U32, NULL, BITS(combine1, 24, 2), MOST(24, 2, 2), BOP(45), PD(3), QD(0), PUT(PUT_PREDICATE, a, 12, 3, 0), INV_A(15), PUT(PUT_PREDICATE, b, 29, 3, 0), INV_B(32), P(39)),
    TOP("PSET", 5088, fff8, PSET, U32, NULL, BF(44), BITS(combine1, 24, 2), MOST(24, 2, 2), BOP(45), CC(47), D, PUT(PUT_PREDICATE, a, 12, 3, 0), INV_A(15), PUT(PUT_PREDICATE, b, 29, 3, 0), INV_B(32), P(39)),
    TOP("CSETP", 50a0, fff8, CSETP, U32, NULL, MODE(8, 5), BOP(45), PD(3), QD(0), P(39)),
    TOP("CSET", 5098, fff8, CSET, U32, NULL, BF(44), MODE(8, 5), BOP(45), D, P(39)),
    TOP("VOTE", 50d8, fff8, VOTE, U32, NULL, MODE(48, 2), MOST(48, 2, 2), D, PD(45), P(39)),
    TOP("VOTE.VTG", 50e0, fff8, ORDER, U32, NULL, D),
    TOP("SHFL", ef10, fff8, SHFL, U32, gm107_shfl, MODE(30, 2), PD(48), D, A, B, C),
    TOP("NOP", 50b0, fff8, NOP, U32, NULL),
    /* ---- memory ---- */
    TOP("LD", 8000, e000, LD, U32, NULL, SPACE(GENERIC), WIDE(52), SIZE(53), D, GLOBAL(20, 32), ONLY(58, 3, 7)),
    TOP("ST", a000, e000, ST, U32, NULL, SPACE(GENERIC), WIDE(52), SIZE(53), B_D, GLOBAL(20, 32), ONLY(58, 3, 7)),
    TOP("LDG", eed7, ffff, LD, B128, NULL, SPACE(GLOBAL), WIDE(45), D, GLOBAL(20, 24)),
    TOP("LDG", eed0, fff8, LD, U32, NULL, SPACE(GLOBAL), WIDE(45), SIZE(48), D, GLOBAL(20, 24)),
    TOP("LDG", eec8, fff8, LD, U32, gm107_ldg_predicate, SPACE(GLOBAL), WIDE(45), SIZE(48), D, GLOBAL(20, 20)),
    TOP("STG", eed8, fff8, ST, U32, NULL, SPACE(GLOBAL), WIDE(45), SIZE(48), B_D, GLOBAL(20, 24)),
    TOP("LDL", ef40, fff8, LD, U32, NULL, SPACE(LOCAL), SIZE(48), D, MEMORY(20, 24, 0)),
    TOP("STL", ef50, fff8, ST, U32, NULL, SPACE(LOCAL), SIZE(48), B_D, MEMORY(20, 24, 0)),
    TOP("LDS", ef48, fff8, LD, U32, NULL, SPACE(SHARED), SIZE(48), D, MEMORY(20, 24, 0)),
    TOP("STS", ef58, fff8, ST, U32, NULL, SPACE(SHARED), SIZE(48), B_D, MEMORY(20, 24, 0)),
    TOP("LDC", ef90, fff8, LDC, U32, NULL, MODE(44, 2), SIZE(48), D, BITS(bank, 36, 5), MEMORY(20, 16, 0)),
    TOP("ATOM.CAS", eef0, fff0, ATOM, U8, gm107_cas, SPACE(GLOBAL), WIDE(48), BIT(type, 49), ONLY(50, 2, 0), D, GLOBAL(28, 20), B),
    TOP("ATOM", ed00, ff00, ATOM, U8, gm107_atomic, SPACE(GLOBAL), BITS(atomic, 52, 4), WIDE(48), BITS(type, 49, 3), D, GLOBAL(28, 20), B),
    TOP("RED", ebf8, fff8, ATOM, U8, gm107_atomic, SPACE(GLOBAL), BITS(atomic, 23, 3), WIDE(48), BITS(type, 20, 3), GLOBAL(28, 20), B_D),
    TOP("ATOMS.CAS", ee00, ff80, ATOM, U8, gm107_atoms_cas, SPACE(SHARED), BIT(type, 52), ONLY(28, 2, 0), D, MEMORY(30, 22, 2), B),
    TOP("ATOMS", ec00, ff00, ATOM, U8, gm107_atoms, SPACE(SHARED), BITS(atomic, 52, 4), BITS(type, 28, 2), D, MEMORY(30, 22, 2), B),
    TOP("MEMBAR", ef98, fff8, MEMBAR, U32, NULL, MODE(8, 2), MOST(8, 2, 2)),
    /* UNKNOWN: of which memory CCTLL is: local (envytools) or shared (NAK); chosen: shared, which decides only what is shown */
    TOP("CCTLL", ef80, fff0, CCTL, U32, NULL, MODE(0, 4), MOST(0, 4, 9), SPACE(SHARED), MEMORY(22, 22, 2)),
    TOP("CCTL", ef60, ffe0, CCTL, U32, NULL, MODE(0, 4), MOST(0, 4, 9), WIDE(52), GLOBAL_WORDS),
    TOP("CCTLT", ebf0, fff9, ORDER, U32, NULL),
    TOP("DEPBAR", f0f0, fff8, ORDER, U32, NULL),
    TOP("ALD", efd8, fff8, ALD, U32, NULL, BIT(output, 32), BIT(patch, 31), WORDS(47), D, A, PUT(PUT_ADDRESS, op, 20, 10, 0), C),
    TOP("AST", eff0, fff8, AST, U32, NULL, BIT(patch, 31), WORDS(47), B_D, A, PUT(PUT_ADDRESS, op, 20, 10, 0), C),
    TOP("AL2P", efa0, fff8, AL2P, U32, NULL, BIT(output, 32), ONLY(44, 3, 7), D, MEMORY(20, 11, 0)),
    TOP("ISBERD", efd0, fff8, PFETCH, U32, NULL, ONLY(31, 4, 0), ONLY(47, 2, 0), D, A),
    ROW("IPA", e00000000000ff00, ff0000400000ff00, IPA, F32, NULL, MODE(54, 2), BITS(sample, 52, 2), MOST(52, 2, 2), SAT(51), D, A, PUT(PUT_ADDRESS, op, 28, 10, 0), B, C, ONLY(47, 4, 7)),
    ROW("IPA.IDX", e000004000000000, ff00004000000000, IPA, F32, gm107_ipa_index, MODE(54, 2), BITS(sample, 52, 2), MOST(52, 2, 2), SAT(51), D, A, B, C, ONLY(47, 4, 7)),
    TOP("OUT", fbe0, fff8, OUT, U32, NULL, MODE(39, 2), D, A, B),
    TOP_I("OUT", f6e0, fff8, OUT, U32, NULL, MODE(39, 2), D, A, B_INT),
    TOP("OUT", ebe0, fff8, OUT, U32, NULL, MODE(39, 2), D, A, B_CONST),
    TOP("PIXLD", efe8, fff8, PIXLD, U32, NULL, MODE(31, 3), MOST(31, 3, 5), D, PD(45), MEMORY(20, 8, 0)),
    TOP("BAR", f0a8, fff8, BAR, U32, gm107_bar, P(39)),
    /* ---- flow ---- */
    TOP("SYNC", f0f8, fff8, SYNC, U32, NULL, TEST(0)),
    TOP("CONT", e350, fff0, CONT, U32, NULL, TEST(0)),
    TOP("BRK", e340, fff0, BRK, U32, NULL, TEST(0)),
    TOP("KIL", e330, fff0, KIL, U32, NULL, TEST(0)),
    TOP("RET", e320, fff0, RET, U32, NULL, TEST(0)),
    TOP("LONGJMP", e310, fff0, LONGJMP, U32, NULL, TEST(0)),
    TOP("EXIT", e300, fff0, EXIT, U32, NULL, TEST(0)),
    TOP("RAM", e380, fff0, RAM, U32, NULL),
    TOP("SAM", e370, fff0, SAM, U32, NULL),
    ROW("PCNT", e2b0000000000000, fff0000000000020, PCNT, U32, NULL, RELATIVE),
    ROW("PBK", e2a0000000000000, fff0000000000020, PBK, U32, NULL, RELATIVE),
    ROW("SSY", e290000000000000, fff0000000000020, SSY, U32, NULL, RELATIVE),
    ROW("PLONGJMP", e280000000000000, fff0000000000020, PLONGJMP, U32, NULL, RELATIVE),
    ROW("PRET", e270000000000000, fff0000000000020, PRET, U32, NULL, RELATIVE),
    ROW("CAL", e260000000000000, fff0000000000020, CAL, U32, NULL, RELATIVE),
    ROW("BRX", e250000000000000, fff0000000000020, BRX, U32, NULL, TEST(0), A, RELATIVE),
    ROW("BRA", e240000000000000, fff0000000000020, BRA, U32, NULL, TEST(0), RELATIVE),
    TOP("PEXIT", e230, fff0, PEXIT, U32, NULL, RELATIVE),
    ROW("JCAL", e220000000000000, fff0000000000020, CAL, U32, NULL, ABSOLUTE),
    ROW("JMP", e210000000000000, fff0000000000020, BRA, U32, NULL, TEST(0), ABSOLUTE),
    ROW("JMX", e200000000000000, fff0000000000020, BRX, U32, NULL, TEST(0), A, ABSOLUTE),
    /* targets in constants: where one register, or none, is all that the target is made of */
    ROW("BRA", e240000000000020, fff0000000000020, BRX, U32, gm107_next, TEST(0), TARGET),
    ROW("JMP", e210000000000020, fff0000000000020, BRX, U32, NULL, TEST(0), TARGET),
    ROW("PCNT", e2b0000000000020, fff0000000000020, OTHER, U32, NULL, TARGET),
    ROW("PBK", e2a0000000000020, fff0000000000020, OTHER, U32, NULL, TARGET),
    ROW("SSY", e290000000000020, fff0000000000020, OTHER, U32, NULL, TARGET),
    ROW("PLONGJMP", e280000000000020, fff0000000000020, OTHER, U32, NULL, TARGET),
    ROW("PRET", e270000000000020, fff0000000000020, OTHER, U32, NULL, TARGET),
    ROW("CAL", e260000000000020, fff0000000000020, OTHER, U32, NULL, TARGET),
    ROW("BRX", e250000000000020, fff0000000000020, OTHER, U32, NULL, TEST(0), TARGET),
    ROW("JCAL", e220000000000020, fff0000000000020, OTHER, U32, NULL, TARGET),
    ROW("JMX", e200000000000020, fff0000000000020, OTHER, U32, NULL, TEST(0), TARGET),
    /* ---- for handlers of traps, debuggers, and results of reductions at barriers ---- */
    TOP("R2B", f0c0, fff8, OTHER, U32, NULL, B),
    TOP("B2R", f0b8, fff8, B2R, U32, NULL, ONLY(32, 2, 1), D, PD(45)),
    TOP("STP", eea0, fff8, OTHER, U32, NULL),
    TOP("BPT", e3a0, fff0, OTHER, U32, NULL),
    TOP("IDE", e390, fff0, OTHER, U32, NULL),
    TOP("RTT", e360, fff0, OTHER, U32, NULL),
    TOP("SETLMEMBASE", e2f0, fff0, OTHER, U32, NULL, A),
    TOP("SETCRSPTR", e2e0, fff0, OTHER, U32, NULL, A),
    TOP("GETLMEMBASE", e2d0, fff0, OTHER, U32, NULL, D),
    TOP("GETCRSPTR", e2c0, fff0, OTHER, U32, NULL, D),
    /* ---- surfaces ---- */
    /* UNKNOWN: what .BA does (bit 23 of raw accesses, 28 of atomic ones); chosen: it is not executed */
    TOP("SULD.P", eb00, fff0, SURFACE, U32, gm107_surface, IS_MODE(IR_SULD), D, A),
    TOP("SULD.D", eb10, fff0, SURFACE, U32, gm107_surface, IS_MODE(IR_SULD), SIZE(20), ONLY(23, 1, 0), D, A),
    TOP("SUST.P", eb20, fff0, SURFACE, U32, gm107_surface, IS_MODE(IR_SUST), B_D, A),
    TOP("SUST.D", eb30, fff0, SURFACE, U32, gm107_surface, IS_MODE(IR_SUST), SIZE(20), ONLY(23, 1, 0), B_D, A),
    TOP("SURED", eb40, ffe0, SURFACE, U8, gm107_surface_atomic, IS_MODE(IR_SURED), BITS(atomic, 24, 3), BITS(type, 20, 3), B_D, A),
    TOP("SUATOM.CAS", eac0, ffe0, SURFACE, U8, gm107_surface_atomic, IS_MODE(IR_SUATOM), PRESET(atomic, IR_CAS), ONLY(28, 1, 0), BITS(type, 36, 3), D, A, B),
    TOP("SUATOM.D.CAS", ea80, ffc0, OTHER, U32, NULL, D, A, B),
    TOP("SUATOM", ea60, ffe0, SURFACE, U8, gm107_surface_atomic, IS_MODE(IR_SUATOM), BITS(atomic, 29, 4), ONLY(28, 1, 0), BITS(type, 36, 3), D, A, B),
    TOP("SUATOM.D", ea00, ffc0, OTHER, U32, NULL, D, A, B),
    /* ---- textures; p of those that have it: a texel is not resident ---- */
    TOP("TMML.B", df60, fff8, TMML, U32, gm107_tmml),
    TOP("TMML", df58, fff8, TMML, U32, gm107_tmml, BANK),
    TOP("TXQ.B", df50, fff8, TXQ, U32, gm107_txq),
    TOP("TXQ", df48, fff8, TXQ, U32, gm107_txq, BANK),
    TOP("TXA", df40, fff8, OTHER, U32, NULL, D, A),
    TOP("TLD4S", df00, ff40, TLD4, F32, gm107_tld4s, BANK),
    TOP("TLD4.B", dec0, ffc0, TLD4, F32, gm107_tld4, PD(51)),
    TOP("TEX.B", de80, ffc0, TEX, F32, gm107_tex, PD(51)),
    TOP("TXD.B", de40, ffc4, TXD, F32, gm107_txd, PD(51)),
    TOP("TXD", de00, ffc4, TXD, F32, gm107_txd, BANK, PD(51)),
    TOP("TLD.B", dd00, ff00, TLD, F32, gm107_tld, PD(51)),
    TOP("TLD", dc00, ff00, TLD, F32, gm107_tld, BANK, PD(51)),
    TOP("TLDS", d200, f600, TLD, F32, gm107_tlds, BANK),
    TOP("TEXS", d000, f600, TEX, F32, gm107_texs, BANK),
    TOP("TLD4", c800, fc00, TLD4, F32, gm107_tld4, BANK, PD(51)),
    TOP("TEX", c000, fc00, TEX, F32, gm107_tex, BANK, PD(51)),
};
/* clang-format on */

const size_t gm107_row_count = sizeof(gm107_rows) / sizeof(gm107_rows[0]);
