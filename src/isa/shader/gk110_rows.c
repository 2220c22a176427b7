/* SPDX-License-Identifier: MIT */
/*
 * The encodings of GK110. FORMS1, FORMS2 and FORMS3 are operations of one, two and three sources with their forms: bits
 * 63..62 are 1 if b is a constant, 2 if c is one, 3 if all are registers. Sources: see gk110.c.
 */
#include "isa/shader/gk110_rows.h"

#define A                 PUT(PUT_REGISTER, a, 10, 8, 0)
#define B                 PUT(PUT_REGISTER, b, 23, 8, 0)
#define C                 PUT(PUT_REGISTER, c, 42, 8, 0)
#define D                 PUT(PUT_NUMBER, d, 2, 8, 0)
#define A_23              PUT(PUT_REGISTER, a, 23, 8, 0)
#define B_D               PUT(PUT_REGISTER, b, 2, 8, 0)
#define C_D               PUT(PUT_REGISTER, c, 2, 8, 0)
#define B_42              PUT(PUT_REGISTER, b, 42, 8, 0)
#define A_CONST           PUT(PUT_CONSTANT, a, 23, 19, 0)
#define B_CONST           PUT(PUT_CONSTANT, b, 23, 19, 0)
#define C_CONST           PUT(PUT_CONSTANT, c, 23, 19, 0)
#define A_INT             PUT(PUT_INTEGER, a, 23, 19, 0)
#define B_INT             PUT(PUT_INTEGER, b, 23, 19, 0)
#define A_FLOAT           PUT(PUT_FLOAT, a, 23, 19, 0)
#define B_FLOAT           PUT(PUT_FLOAT, b, 23, 19, 0)
#define B_IMM32           PUT(PUT_IMMEDIATE, b, 23, 32, 0)
#define B_IMM6            PUT(PUT_IMMEDIATE, b, 23, 6, 0)
#define BYTE(at)          PUT(PUT_PART_BYTE, a, at, 2, 0)
#define LOP(at)           BITS(combine, at, 2)
#define JOIN              BIT(join, 22)
#define RELATIVE          PUT(PUT_RELATIVE, op, 23, 24, 0)
#define ABSOLUTE          PUT(PUT_ADDRESS, op, 23, 32, 0)
#define GLOBAL(at, width) A, PUT(PUT_OFFSET_ZERO, op, at, width, 0)
#define MEMORY(at, width) A, PUT(PUT_OFFSET, op, at, width, 0)
#define SPACE(which)      PRESET(space, IR_SPACE_##which)
/* The handle's slot begins at this bit. */
#define BANK(at) PRESET(texture.in_bank, 1), PRESET(sample, at)

/* Short immediates: bit 59 is their sign. */
#define TOP(name, value, mask, op, type, finish, ...)                                                                  \
    {                                                                                                                  \
        name, (uint64_t)0x##value << 48, (uint64_t)0x##mask << 48, IR_##op, IR_##type, finish, {                       \
            __VA_ARGS__                                                                                                \
        }                                                                                                              \
    }
/* The forms are in the mask, whatever the row's says of them. */
#define FORM(form, name, value, mask, op, type, finish, ...)                                                           \
    {                                                                                                                  \
        name, (uint64_t)((0x##value & 0x3fff) | (form) << 14) << 48, (uint64_t)(0x##mask | 0xc000) << 48, IR_##op,     \
            IR_##type, finish, {                                                                                       \
            __VA_ARGS__                                                                                                \
        }                                                                                                              \
    }
#define FORMS1(name, value, mask, op, type, finish, ...)                                                               \
    FORM(1, name, value, mask, op, type, finish, A_CONST, __VA_ARGS__),                                                \
        FORM(3, name, value, mask, op, type, finish, A_23, __VA_ARGS__)
#define FORMS2(name, value, mask, op, type, finish, ...)                                                               \
    FORM(1, name, value, mask, op, type, finish, B_CONST, __VA_ARGS__),                                                \
        FORM(3, name, value, mask, op, type, finish, B, __VA_ARGS__)
#define FORMS3(name, value, mask, op, type, finish, ...)                                                               \
    FORM(1, name, value, mask, op, type, finish, B_CONST, C, __VA_ARGS__),                                             \
        FORM(2, name, value, mask, op, type, finish, B_42, C_CONST, __VA_ARGS__),                                      \
        FORM(3, name, value, mask, op, type, finish, B, C, __VA_ARGS__)

/* clang-format off */
/* ---- type 1: b is a short immediate; and textures with a handle from the bank ---- */
const struct isa_row gk110_immediate_rows[] = {
    TOP("TEX", 6000, f000, TEX, F32, gk110_tex, BANK(47)),
    TOP("TLD4", 7000, f000, TLD4, F32, gk110_tld4, BANK(47)),
    TOP("IADD32I", 4000, f400, IADD, U32, NULL, NEG_A(59), SAT(57), D, CC(55), A, B_IMM32, X(56)),
    TOP("FSET", 8000, f000, FSET, F32, NULL, FTZ(58), D, CC(50), FCMP(51), NEG_A(46), ABS_A(57), A, B_FLOAT, BOP(48), P(42), BF(55)),
    TOP("DSET", 9000, f400, FSET, F64, NULL, D, CC(50), FCMP(51), NEG_A(46), ABS_A(57), A, B_FLOAT, BOP(48), P(42), BF(55)),
    TOP("FFMA", 9400, f400, FFMA, F32, NULL, FLUSH(56), SAT(53), ROUND(54), D, NEG_A(51), A, B_FLOAT, NEG_C(52), C),
    /* as the form with registers; envytools has the saturation in bit 57 */
    TOP("IMAD", a000, f400, IMAD, U32, isa_plus_one_product, NEG_A(55), NEG_C(54), SAT(53), D, CC(50), HIGH(57), SIGNED_A(51), A, SIGNED_B(56), X(52), B_INT, C),
    TOP("IMADSP.SD", a4c0, f4c0, IMADSP, U32, NULL, PRESET(extended, 1), D, CC(50), A, B_INT, C),
    TOP("IMADSP", a400, f400, IMADSP, U32, NULL, MODE(51, 3), PUT(PUT_MODE, op, 56, 2, 4), PUT(PUT_MODE, op, 54, 2, 8), D, CC(50), A, B_INT, C),
    TOP("SUCLAMP", b000, f600, SUCLAMP, U32, NULL, MODE(52, 4), MOST(52, 4, 14), BIT(extended, 56), SIGNED(51), PD(48), D, A, PUT(PUT_OFFSET, op, 42, 6, 0), B_INT),
    TOP("ICMP", b200, f780, ICMP, U32, NULL, D, A, B_INT, ICMP(52), SIGNED(51), C),
    TOP("ISET", b280, f780, ISET, U32, NULL, D, CC(50), ICMP(52), SIGNED(51), A, B_INT, X(46), BOP(48), P(42), BF(47)),
    TOP("ISETP", b300, f780, ISETP, U32, NULL, PD(5), QD(2), ICMP(52), SIGNED(51), A, B_INT, X(46), BOP(48), P(42)),
    TOP("DFMA", b380, f780, FFMA, F64, NULL, ROUND(53), D, NEG_A(51), A, B_FLOAT, NEG_C(52), C),
    TOP("DSETP", b400, f780, FSETP, F64, NULL, PD(5), QD(2), FCMP(51), NEG_A(46), ABS_A(9), A, B_FLOAT, BOP(48), P(42)),
    TOP("FCMP", b500, f780, FCMP, F32, NULL, FTZ(50), D, A, B_FLOAT, FCMP(51), C),
    TOP("FSETP", b580, f780, FSETP, F32, NULL, FTZ(50), PD(5), QD(2), FCMP(51), NEG_A(46), ABS_A(9), A, B_FLOAT, BOP(48), P(42)),
    TOP("PRMT", b600, f7c0, PRMT, U32, NULL, MODE(51, 3), MOST(51, 3, 6), D, A, C, B_INT),
    TOP("SUBFM", b680, f7c0, SUBFM, U32, NULL, BIT(extended, 50), PD(51), D, A, B_INT, C),
    TOP("SUEAU", b6c0, f7c0, SUEAU, U32, NULL, D, A, B_INT, C),
    TOP("OUT", b700, f7c0, OUT, U32, NULL, MODE(42, 2), D, A, B_INT),
    TOP("ISAD", b740, f7c0, ISAD, U32, NULL, SIGNED(51), D, A, B_INT, C),
    TOP("BFI", b780, f7c0, BFI, U32, NULL, D, A, B_INT, C),
    TOP("BFE", c000, f7c0, BFE, U32, NULL, REVERSE(43), SIGNED(51), D, A, B_INT),
    TOP("POPC", c040, f7c0, POPC, U32, NULL, D, INV_A(42), A, B_INT),
    TOP("IADD", c080, f7c0, IADD, U32, isa_plus_one, NEG_A(52), NEG_B(51), SAT(53), D, CC(50), A, B_INT, X(46)),
    TOP("ISCADD", c0c0, f7c0, ISCADD, U32, isa_plus_one, NEG_A(52), NEG_B(51), D, CC(50), A, SHIFT(42), B_INT),
    TOP("IMNMX", c100, f7c0, IMNMX, U32, NULL, P(42), SIGNED(51), MODE(46, 2), D, A, B_INT),
    TOP("SHR", c140, f7c0, SHR, U32, NULL, SIGNED(51), D, A, WRAP(42), B_IMM6),
    TOP("IMUL", c1c0, f7c0, IMUL, U32, NULL, HIGH(42), D, SIGNED_A(43), A, SIGNED_B(44), B_INT),
    TOP("LOP", c200, f7c0, LOP, U32, NULL, LOP(44), D, INV_A(42), A, INV_B(43), B_INT),
    TOP("SHL", c240, f7c0, SHL, U32, NULL, D, A, WRAP(42), B_IMM6),
    TOP("DMNMX", c280, f7c0, FMNMX, F64, NULL, P(42), D, NEG_A(51), ABS_A(49), A, B_FLOAT),
    TOP("FADD", c2c0, f7c0, FADD, F32, NULL, FTZ(47), SAT(53), ROUND(42), D, NEG_A(51), ABS_A(49), A, B_FLOAT),
    TOP("FMNMX", c300, f7c0, FMNMX, F32, NULL, P(42), FTZ(47), D, NEG_A(51), ABS_A(49), A, B_FLOAT),
    TOP("FMUL", c340, f7c0, FMUL, F32, NULL, SCALE(44), FLUSH(47), SAT(53), ROUND(42), D, NEG_A(51), A, B_FLOAT),
    TOP("DADD", c380, f7c0, FADD, F64, NULL, ROUND(42), D, NEG_A(51), ABS_A(49), A, B_FLOAT),
    TOP("DMUL", c400, f7c0, FMUL, F64, NULL, ROUND(42), D, NEG_A(51), A, B_FLOAT),
    TOP("SEL", c500, f7c0, SEL, U32, NULL, D, A, B_INT, P(42)),
    TOP("F2F", c540, f7c0, F2F, F32, gk110_f2f, FTZ(47), FROM_FLOAT(12), TO_FLOAT(10), ROUND(42), BIT(integral, 45), PUT(PUT_PART_BYTE, a, 44, 1, 0), SAT(53), D, NEG_A(48), ABS_A(52), A_FLOAT),
    TOP("F2I", c580, f7c0, F2I, U32, NULL, FTZ(47), ROUND(42), BIT(type, 14), INT_SIZE(type, 10), FROM_FLOAT(12), D, NEG_A(48), ABS_A(52), A_FLOAT),
    TOP("I2F", c5c0, f7c0, I2F, U32, NULL, ROUND(42), TO_FLOAT(10), BIT(source_type, 15), INT_SIZE(source_type, 12), BYTE(44), D, NEG_A(48), ABS_A(52), A_INT),
    TOP("I2I", c600, f7c0, I2I, U32, NULL, SAT(53), BIT(type, 14), INT_SIZE(type, 10), BIT(source_type, 15), INT_SIZE(source_type, 12), BYTE(44), D, NEG_A(48), ABS_A(52), A_INT),
    TOP("SHF.R", c7c0, f7c0, SHF_R, U32, gk110_shf, HIGH(51), D, A, C, WRAP(53), B_IMM6),
    /* envytools has f7c0; Mesa nv50_ir and nak have this */
    TOP("SHF.L", b7c0, f7c0, SHF_L, U32, gk110_shf, HIGH(51), D, A, C, WRAP(53), B_IMM6),
};
const size_t gk110_immediate_row_count = sizeof(gk110_immediate_rows) / sizeof(gk110_immediate_rows[0]);

/* ---- type 0: flow, and what has 32-bit immediates and offsets ---- */
const struct isa_row gk110_long_rows[] = {
    TOP("BPT", 0000, ff80, OTHER, U32, NULL),
    /* UNKNOWN: how a constant is named that has the target (Mesa: bit 7); chosen: not executed */
    TOP("BRA", 1080, ff80, BRA, U32, NULL, TEST(2), ONLY(7, 1, 0), ABSOLUTE),
    TOP("CAL", 1100, ff80, CAL, U32, NULL, ONLY(7, 1, 0), ABSOLUTE),
    TOP("BRA", 1200, ff80, BRA, U32, NULL, TEST(2), ONLY(7, 1, 0), RELATIVE),
    TOP("CAL", 1300, ff80, CAL, U32, NULL, ONLY(7, 1, 0), RELATIVE),
    TOP("PRET", 1380, ff80, PRET, U32, NULL, RELATIVE),
    TOP("PLONGJMP", 1400, ff80, PLONGJMP, U32, NULL, RELATIVE),
    TOP("SSY", 1480, ff80, SSY, U32, NULL, RELATIVE),
    TOP("PBK", 1500, ff80, PBK, U32, NULL, RELATIVE),
    TOP("PCNT", 1580, ff80, PCNT, U32, NULL, RELATIVE),
    TOP("EXIT", 1800, ff80, EXIT, U32, NULL, TEST(2)),
    TOP("LONGJMP", 1880, ff80, LONGJMP, U32, NULL, TEST(2)),
    TOP("RET", 1900, ff80, RET, U32, NULL, TEST(2)),
    TOP("KIL", 1980, ff80, KIL, U32, NULL, TEST(2)),
    TOP("BRK", 1a00, ff80, BRK, U32, NULL, TEST(2)),
    TOP("CONT", 1a80, ff80, CONT, U32, NULL, TEST(2)),
    TOP("RTT", 1b00, ff80, OTHER, U32, NULL),
    TOP("SAM", 1b80, ff80, SAM, U32, NULL),
    TOP("RAM", 1c00, ff80, RAM, U32, NULL),
    TOP("LOP32I", 2000, e000, LOP, U32, NULL, JOIN, LOP(56), D, CC(55), INV_A(58), A, INV_B(59), B_IMM32, X_UNKNOWN(60)),
    TOP("FADD32I", 4000, e000, FADD, F32, NULL, JOIN, FTZ(58), D, CC(55), NEG_A(59), ABS_A(57), A, NEG_B(56), ABS_B(60), B_IMM32),
    TOP("FFMA32I", 6000, e000, FFMA, F32, NULL, JOIN, FLUSH(56), SAT(58), D, CC(55), NEG_A(59), A, B_IMM32, NEG_C(60), C_D),
    TOP("ISCADD32I", a000, e000, ISCADD, U32, NULL, JOIN, D, CC(55), A, SHIFT(56), B_IMM32),
    TOP("LDG", c000, e000, LD, U32, NULL, JOIN, SPACE(GENERIC), SIZE(56), D, WIDE(55), GLOBAL(23, 32)),
    TOP("STG", e000, e000, ST, U32, NULL, JOIN, SPACE(GENERIC), SIZE(56), B_D, WIDE(55), GLOBAL(23, 32)),
};
const size_t gk110_long_row_count = sizeof(gk110_long_rows) / sizeof(gk110_long_rows[0]);

/* ---- type 2 ---- */
const struct isa_row gk110_rows[] = {
    /* 32-bit immediates, and operations with no form */
    TOP("FMUL32I", 2000, f800, FMUL, F32, NULL, FLUSH(56), SAT(58), D, CC(55), A, B_IMM32),
    TOP("IMUL32I", 2800, f800, IMUL, U32, NULL, HIGH(56), D, CC(55), SIGNED_A(57), A, SIGNED_B(58), B_IMM32),
    TOP("SULDGB", 3000, f800, SURFACE, U32, gk110_surface_load_constant, IS_MODE(IR_SULDG), SIZE(56), D, A, P(42)),
    {"SUSTGB", 0x3800000000000002, 0xf8000000000000f3, IR_SURFACE, IR_U32, gk110_surface_store_constant, {IS_MODE(IR_SUSTG), SIZE(56), B_42, A, P(50)}},
    TOP("SUSTGP", 3800, f800, SURFACE, U32, gk110_surface_store_constant, IS_MODE(IR_SUSTG), B_42, A, P(50)),
    TOP("MOV32I", 7400, 7f80, MOV, U32, NULL, LANES(14), D, PUT(PUT_IMMEDIATE, a, 23, 32, 0)),
    TOP("MUFU", 8400, ffc0, MUFU, F32, NULL, MODE(23, 3), SAT(53), D, NEG_A(51), ABS_A(49), A),
    TOP("S2R", 8640, ffc0, S2R, U32, NULL, D, PUT(PUT_IMMEDIATE, a, 23, 8, 0)),
    TOP("PSET", 8440, ffc0, PSET, U32, NULL, D, CC(50), PUT(PUT_PREDICATE, a, 14, 3, 0), INV_A(17), BITS(combine1, 27, 2), MOST(27, 2, 2), PUT(PUT_PREDICATE, b, 32, 3, 0), INV_B(35), BOP(48), P(42)),
    TOP("PSETP", 8480, ffc0, PSETP, U32, NULL, PD(5), QD(2), PUT(PUT_PREDICATE, a, 14, 3, 0), INV_A(17), BITS(combine1, 27, 2), MOST(27, 2, 2), PUT(PUT_PREDICATE, b, 32, 3, 0), INV_B(35), BOP(48), P(42)),
    {"BAR.SYNC", 0x8540000000000002, 0xffc000f800000003, IR_BAR, IR_U32, gk110_bar, {IS_MODE(0), P(42)}},
    {"BAR.ARRIVE", 0x8540000800000002, 0xffc000f800000003, IR_BAR, IR_U32, gk110_bar, {IS_MODE(1), P(42)}},
    {"BAR.RED.POPC", 0x8540001000000002, 0xffc000f800000003, IR_BAR, IR_U32, gk110_bar, {IS_MODE(2), P(42)}},
    {"BAR.RED.AND", 0x8540005000000002, 0xffc000f800000003, IR_BAR, IR_U32, gk110_bar, {IS_MODE(3), P(42)}},
    {"BAR.RED.OR", 0x8540009000000002, 0xffc000f800000003, IR_BAR, IR_U32, gk110_bar, {IS_MODE(4), P(42)}},
    {"BAR.SCAN", 0x8540001800000002, 0xffc000f800000003, IR_BAR, IR_U32, gk110_bar, {IS_MODE(5), P(42)}},
    {"BAR.SYNCALL", 0x8540002000000002, 0xffc000f800000003, IR_OTHER, IR_U32, NULL, {P(42)}},
    TOP("NOP", 8580, ffc0, NOP, U32, NULL),
    TOP("LEPC", 8680, ffc0, LEPC, U32, NULL, D),
    TOP("VOTE", 86c0, ffe0, VOTE, U32, NULL, MODE(51, 2), MOST(51, 2, 2), D, PD(48), P(42)),
    TOP("VSHR", b000, f800, VIDEO, U32, gk110_video, IS_MODE(IR_VSHR), WRAP(52), BITS(video.merge, 54, 3), BIT(video.signed_d, 57), D, CC(50), SIGNED_A(51), A, B, C),
    TOP("VSHL", b800, f800, VIDEO, U32, gk110_video, IS_MODE(IR_VSHL), WRAP(52), BITS(video.merge, 54, 3), BIT(video.signed_d, 57), D, CC(50), SIGNED_A(51), A, B, C),
    TOP("SHF.L", dfc0, ffc0, SHF_L, U32, gk110_shf, HIGH(51), D, A, C, WRAP(53), B),
    /* floats */
    FORMS3("FFMA", 0c00, 3c00, FFMA, F32, NULL, FLUSH(56), SAT(53), ROUND(54), D, NEG_A(51), A, NEG_C(52)),
    FORMS2("FSET", 4000, 7800, FSET, F32, NULL, FTZ(58), D, CC(50), FCMP(51), NEG_A(46), ABS_A(57), A, NEG_B(56), ABS_B(47), BOP(48), P(42), BF(55)),
    FORMS2("FSETP", 5d80, 7f80, FSETP, F32, NULL, FTZ(50), PD(5), QD(2), FCMP(51), NEG_A(46), ABS_A(9), A, NEG_B(8), ABS_B(47), BOP(48), P(42)),
    FORMS3("FCMP", 1d00, 3f80, FCMP, F32, NULL, FTZ(50), D, A, FCMP(51)),
    FORMS2("FADD", 62c0, 7fc0, FADD, F32, NULL, FTZ(47), SAT(53), ROUND(42), D, NEG_A(51), ABS_A(49), A, NEG_B(48), ABS_B(52)),
    FORMS2("FMNMX", 6300, 7fc0, FMNMX, F32, NULL, P(42), FTZ(47), D, NEG_A(51), ABS_A(49), A, NEG_B(48), ABS_B(52)),
    FORMS2("FMUL", 6340, 7fc0, FMUL, F32, NULL, SCALE(44), FLUSH(47), SAT(53), ROUND(42), NEG_A(51), D, A),
    FORMS1("RRO", 6480, 7fc0, RRO, F32, NULL, MODE(42, 1), D, NEG_A(48), ABS_A(52)),
    FORMS3("DFMA", 1b80, 3f80, FFMA, F64, NULL, ROUND(53), D, NEG_A(51), A, NEG_C(52)),
    FORMS2("DSET", 4800, 7c00, FSET, F64, NULL, D, CC(50), FCMP(51), NEG_A(46), ABS_A(57), A, NEG_B(56), ABS_B(47), BOP(48), P(42), BF(55)),
    FORMS2("DSETP", 5c00, 7f80, FSETP, F64, NULL, PD(5), QD(2), FCMP(51), NEG_A(46), ABS_A(9), A, NEG_B(8), ABS_B(47), BOP(48), P(42)),
    FORMS2("DMNMX", 6280, 7fc0, FMNMX, F64, NULL, P(42), D, NEG_A(51), ABS_A(49), A, NEG_B(48), ABS_B(52)),
    FORMS2("DADD", 6380, 7fc0, FADD, F64, NULL, ROUND(42), D, NEG_A(51), ABS_A(49), A, NEG_B(48), ABS_B(52)),
    FORMS2("DMUL", 6400, 7fc0, FMUL, F64, NULL, ROUND(42), NEG_A(51), D, A),
    TOP("FSWZADD", 7fc0, 7fc0, FSWZADD, F32, NULL, FTZ(47), ROUND(42), BITS(mask, 31, 8), D, CC(50), MODE(44, 3), MOST(44, 3, 5), A, B),
    /* integers */
    FORMS3("IMAD", 1000, 3c00, IMAD, U32, isa_plus_one_product, NEG_A(55), NEG_C(54), SAT(53), D, CC(50), HIGH(57), SIGNED_A(51), A, SIGNED_B(56), X(52)),
    FORMS3("IMADSP.SD", 14c0, 3cc0, IMADSP, U32, NULL, PRESET(extended, 1), D, CC(50), A),
    FORMS3("IMADSP", 1400, 3c00, IMADSP, U32, NULL, MODE(51, 3), PUT(PUT_MODE, op, 56, 2, 4), PUT(PUT_MODE, op, 54, 2, 8), D, CC(50), A),
    FORMS3("ICMP", 1a00, 3f80, ICMP, U32, NULL, D, A, ICMP(52), SIGNED(51)),
    FORMS2("ISET", 5a80, 7f80, ISET, U32, NULL, D, CC(50), ICMP(52), SIGNED(51), A, X(46), BOP(48), P(42), BF(47)),
    FORMS2("ISETP", 5b00, 7f80, ISETP, U32, NULL, PD(5), QD(2), ICMP(52), SIGNED(51), A, X(46), BOP(48), P(42)),
    FORMS3("PRMT", 1e00, 3fc0, PRMT, U32, NULL, MODE(51, 3), MOST(51, 3, 6), D, A),
    FORMS3("ISAD", 1f40, 3fc0, ISAD, U32, NULL, SIGNED(51), D, A),
    FORMS3("BFI", 1f80, 3fc0, BFI, U32, NULL, D, A),
    FORMS2("BFE", 6000, 7fc0, BFE, U32, NULL, REVERSE(43), SIGNED(51), D, A),
    FORMS2("POPC", 6040, 7fc0, POPC, U32, NULL, D, INV_A(42), A, INV_B(43)),
    FORMS2("IADD", 6080, 7fc0, IADD, U32, isa_plus_one, NEG_A(52), NEG_B(51), SAT(53), D, CC(50), A, X(46)),
    FORMS2("ISCADD", 60c0, 7fc0, ISCADD, U32, isa_plus_one, NEG_A(52), NEG_B(51), D, CC(50), A, SHIFT(42)),
    FORMS2("IMNMX", 6100, 7fc0, IMNMX, U32, NULL, P(42), SIGNED(51), MODE(46, 2), CC(50), D, A),
    FORMS2("SHR", 6140, 7fc0, SHR, U32, NULL, SIGNED(51), D, A, WRAP(42)),
    FORMS1("FLO", 6180, 7fc0, FLO, U32, NULL, MODE(44, 1), SIGNED(51), D, INV_A(43)),
    FORMS2("IMUL", 61c0, 7fc0, IMUL, U32, NULL, HIGH(42), D, CC(50), SIGNED_A(43), A, SIGNED_B(44)),
    FORMS2("LOP", 6200, 7fc0, LOP, U32, NULL, LOP(44), D, INV_A(42), A, INV_B(43)),
    FORMS2("SHL", 6240, 7fc0, SHL, U32, NULL, D, A, WRAP(42)),
    FORMS2("SHF.R", 67c0, 7fc0, SHF_R, U32, gk110_shf, HIGH(51), D, A, C, WRAP(53)),
    /* moves and conversions */
    FORMS1("MOV", 64c0, 7fc0, MOV, U32, NULL, LANES(42), D),
    FORMS2("SEL", 6500, 7fc0, SEL, U32, NULL, D, A, P(42)),
    FORMS1("F2F", 6540, 7fc0, F2F, F32, gk110_f2f, FTZ(47), FROM_FLOAT(12), TO_FLOAT(10), ROUND(42), BIT(integral, 45), PUT(PUT_PART_BYTE, a, 44, 1, 0), SAT(53), D, NEG_A(48), ABS_A(52)),
    FORMS1("F2I", 6580, 7fc0, F2I, U32, NULL, FTZ(47), ROUND(42), BIT(type, 14), INT_SIZE(type, 10), FROM_FLOAT(12), PUT(PUT_PART_BYTE, a, 44, 1, 0), D, NEG_A(48), ABS_A(52)),
    FORMS1("I2F", 65c0, 7fc0, I2F, U32, NULL, ROUND(42), TO_FLOAT(10), BIT(source_type, 15), INT_SIZE(source_type, 12), BYTE(44), D, NEG_A(48), ABS_A(52)),
    FORMS1("I2I", 6600, 7fc0, I2I, U32, NULL, SAT(53), BIT(type, 14), INT_SIZE(type, 10), BIT(source_type, 15), INT_SIZE(source_type, 12), BYTE(44), D, NEG_A(48), ABS_A(52)),
    TOP("SHFL", 7880, 7fc0, SHFL, U32, gk110_shfl, MODE(33, 2), PD(51), D, A, B, C),
    /* images: the parts of an address, and accesses. Sizes of stores: Mesa nak sm32.rs (OpSuStGa) */
    FORMS2("SUCLAMP", 5800, 7e00, SUCLAMP, U32, NULL, MODE(52, 4), MOST(52, 4, 14), BIT(extended, 56), SIGNED(51), PD(48), D, A, PUT(PUT_OFFSET, op, 42, 6, 0)),
    FORMS3("SUBFM", 1e80, 3fc0, SUBFM, U32, NULL, BIT(extended, 50), PD(51), D, A),
    FORMS3("SUEAU", 1ec0, 3fc0, SUEAU, U32, NULL, D, A),
    TOP("SULDGB", 7980, ffc0, SURFACE, U32, gk110_surface_load, IS_MODE(IR_SULDG), SIZE(33), D, A, P(42)),
    {"SUSTGB", 0x79c0000000000002, 0xffc000001e000003, IR_SURFACE, IR_U32, gk110_surface_store, {IS_MODE(IR_SUSTG), SIZE(33), B_42, A, P(50)}},
    TOP("SUSTGP", 79c0, ffc0, SURFACE, U32, gk110_surface_store, IS_MODE(IR_SUSTG), B_42, A, P(50)),
    /* memory */
    TOP("ATOM", 6800, f800, ATOM, U8, isa_atomic, SPACE(GENERIC), D, BITS(atomic, 55, 4), BITS(type, 52, 3), WIDE(51), GLOBAL(31, 20), B),
    {"ATOM.CAS", 0x7780000000000002, 0xff80000000000003, IR_ATOM, IR_U8, gk110_cas, {SPACE(GENERIC), D, BIT(type, 52), WIDE(51), GLOBAL(31, 20), B}},
    TOP("LDS.LOCK", 7740, 7fc0, LD_LOCK, U32, NULL, SPACE(SHARED), SIZE(51), PD(48), D, MEMORY(23, 24)),
    TOP("STS.UNLOCK", 7840, 7fc0, ST_UNLOCK, U32, NULL, SPACE(SHARED), SIZE(51), PD(48), B_D, MEMORY(23, 24)),
    TOP("LDL", 7a00, 7fc0, LD, U32, NULL, SPACE(LOCAL), SIZE(51), D, MEMORY(23, 24)),
    TOP("LDS", 7a40, 7fc0, LD, U32, NULL, SPACE(SHARED), SIZE(51), D, MEMORY(23, 24)),
    TOP("STL", 7a80, 7fc0, ST, U32, NULL, SPACE(LOCAL), SIZE(51), B_D, MEMORY(23, 24)),
    TOP("STS", 7ac0, 7fc0, ST, U32, NULL, SPACE(SHARED), SIZE(51), B_D, MEMORY(23, 24)),
    TOP("CCTL", 7b00, 7f00, CCTL, U32, NULL, MODE(2, 4), MOST(2, 4, 9), WIDE(55), A, PUT(PUT_OFFSET_ZERO, op, 25, 30, 2)),
    /* UNKNOWN: of which memory the second CCTL is (gf100_rows.c); chosen: shared, which decides only what is shown */
    TOP("CCTL", 7c00, 7f80, CCTL, U32, NULL, MODE(2, 4), MOST(2, 4, 9), SPACE(SHARED), A, PUT(PUT_OFFSET, op, 25, 22, 2)),
    TOP("LDC", 7c80, 7fc0, LDC, U32, NULL, MODE(47, 2), SIZE(51), D, BITS(bank, 39, 5), MEMORY(23, 16)),
    TOP("MEMBAR", 7cc0, 7fc0, MEMBAR, U32, NULL, MODE(10, 2), MOST(10, 2, 2)),
    TOP("IPA", 7480, 7f80, IPA, F32, NULL, MODE(53, 2), BITS(sample, 51, 2), MOST(51, 2, 2), SAT(50), D, A, PUT(PUT_ADDRESS, op, 31, 10, 0), B, C),
    TOP("ALD", 7ec0, 7fc0, ALD, U32, NULL, BIT(patch, 34), WORDS(50), D, BIT(output, 35), A, PUT(PUT_ADDRESS, op, 23, 10, 0), C),
    TOP("AST", 7f00, 7fc0, AST, U32, NULL, BIT(patch, 34), WORDS(50), B_D, A, PUT(PUT_ADDRESS, op, 23, 10, 0), C),
    TOP("AL2P", 7d00, 7fc0, AL2P, U32, NULL, D, BIT(output, 35), MEMORY(23, 11)),
    TOP("PFETCH", 7f80, 7fc0, PFETCH, U32, NULL, D, MEMORY(23, 8)),
    FORMS2("OUT", 5f00, 7fc0, OUT, U32, NULL, MODE(42, 2), D, A),
    TOP("PIXLD", 7f40, 7fc0, PIXLD, U32, NULL, MODE(34, 3), MOST(34, 3, 5), D, PD(48), MEMORY(23, 8)),
    /* textures; the first of each has its handle at a */
    TOP("TEX.B", 7d80, 7fc0, TEX, F32, gk110_tex),
    TOP("TLD.B", 7800, 7fc0, TLD, F32, gk110_tld),
    TOP("TLD", 7000, fc00, TLD, F32, gk110_tld, BANK(45)),
    TOP("TLD4.B", 7dc0, 7fc0, TLD4, F32, gk110_tld4),
    TOP("TXD.B", 7e00, ff80, TXD, F32, gk110_txd),
    TOP("TXD", 7600, ff80, TXD, F32, gk110_txd, BANK(41)),
    TOP("TXQ.B", 7d40, 7fc0, TXQ, U32, gk110_txq),
    TOP("TXQ", 7540, 7fc0, TXQ, U32, gk110_txq, BANK(41)),
    TOP("TMML.B", 7e80, 7fc0, TMML, U32, gk110_tmml),
    TOP("TMML", 7680, 7fc0, TMML, U32, gk110_tmml, BANK(41)),
    TOP("TEXCSAA", 76c0, 7fc0, OTHER, U32, NULL, D, A),
    TOP("TEXDEPBAR", 7700, 7fc0, ORDER, U32, NULL),
};
/* clang-format on */
const size_t gk110_row_count = sizeof(gk110_rows) / sizeof(gk110_rows[0]);
