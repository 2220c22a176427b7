/* SPDX-License-Identifier: MIT */
/*
 * Instructions of 4 bytes: Fermi's, and the trap handler of GK104's. Bit 3 tells them. They have no rounding, no
 * flushing and no join. Second sources are a register, or a constant of one of three banks by two bits before.
 *
 * Source: envytools envydis/gf100.c, table tabs. Mesa uses them in src/nouveau/codegen/lib/gf100.asm alone.
 */
#include "isa/shader/gf100_rows.h"

/* Fields that are split are put together above the instruction: here they are. */
#define AT_NUMBER  32 /* {9:8, 31:26} */
#define AT_WORD    40 /* {9:8, 25:20} */
#define AT_COMPARE 48 /* {16:14, 7} */

uint64_t gf100_spread(uint32_t word) {
    uint64_t low = word, high = isa_bits(low, 8, 2) << 6;
    return low | (high | isa_bits(low, 26, 6)) << AT_NUMBER | (high | isa_bits(low, 20, 6)) << AT_WORD |
           (isa_bits(low, 14, 3) << 1 | isa_bits(low, 7, 1)) << AT_COMPARE;
}

/* 0 register, 1 c0, 2 c1, 3 c16. */
static struct ir_source gf100_short_source(uint64_t which, uint64_t value) {
    static const uint8_t banks[] = {0, 0, 1, 16};
    if (which)
        return (struct ir_source){.kind = IR_CONSTANT, .bank = banks[which], .value = (uint32_t)value * 4};
    return (struct ir_source){.kind = IR_REGISTER, .value = value == 63 ? IR_ZERO : (uint32_t)value};
}

/* Signs are in the row's fields: they stay. */
static void gf100_short_put(struct ir_source *to, struct ir_source from) {
    from.negate = to->negate;
    *to = from;
}

enum isa_result gf100_short_a(uint64_t word, struct ir *out) {
    gf100_short_put(&out->a, gf100_short_source(isa_bits(word, 8, 2), isa_bits(word, 20, 6)));
    return ISA_OK;
}

enum isa_result gf100_short_b(uint64_t word, struct ir *out) {
    gf100_short_put(&out->b, gf100_short_source(isa_bits(word, 8, 2), isa_bits(word, 26, 6)));
    return ISA_OK;
}

enum isa_result gf100_short_b_7(uint64_t word, struct ir *out) {
    gf100_short_put(&out->b, gf100_short_source(isa_bits(word, 6, 2), isa_bits(word, 26, 6)));
    return ISA_OK;
}

enum isa_result gf100_short_c(uint64_t word, struct ir *out) {
    if (!isa_bits(word, 6, 2))
        return ISA_ILLEGAL;
    gf100_short_put(&out->c, gf100_short_source(isa_bits(word, 6, 2), isa_bits(word, 8, 6)));
    return ISA_OK;
}

enum isa_result gf100_short_number(uint64_t word, struct ir *out) {
    uint32_t value = (uint32_t)isa_bits(word, AT_NUMBER, 8);
    gf100_short_put(&out->b, (struct ir_source){.kind = IR_IMMEDIATE, .value = (value ^ 0x80) - 0x80});
    return ISA_OK;
}

enum isa_result gf100_short_mov(uint64_t word, struct ir *out) {
    uint32_t value = (uint32_t)isa_bits(word, 20, 12);
    out->a = (struct ir_source){.kind = IR_IMMEDIATE, .value = (value ^ 0x800) - 0x800};
    return ISA_OK;
}

enum isa_result gf100_short_mov_high(uint64_t word, struct ir *out) {
    out->a = (struct ir_source){.kind = IR_IMMEDIATE, .value = (uint32_t)isa_bits(word, 20, 12) << 20};
    return ISA_OK;
}

/* 16 or 32 bits. */
enum isa_result gf100_short_i2i(uint64_t word, struct ir *out) {
    out->type = (uint8_t)((isa_bits(word, 21, 1) ? IR_U32 : IR_U16) | isa_bits(word, 20, 1));
    out->source_type = (uint8_t)((isa_bits(word, 24, 1) ? IR_U32 : IR_U16) | isa_bits(word, 9, 1));
    if (out->source_type < IR_U32)
        out->a.part = IR_HALF0;
    return ISA_OK;
}

/* With the true predicate, AND is the form of one source: its bit for the sign is not read. */
enum isa_result gf100_short_pset(uint64_t word, struct ir *out) {
    (void)word;
    if (out->combine1 == IR_AND && out->b.value == IR_TRUE)
        out->b.invert = false;
    return ISA_OK;
}

enum isa_result gf100_short_bar(uint64_t word, struct ir *out) {
    if (isa_bits(word, 26, 1))
        out->a = (struct ir_source){.kind = IR_IMMEDIATE, .value = (uint32_t)isa_bits(word, 20, 4)};
    out->b = (struct ir_source){.kind = IR_IMMEDIATE};
    return ISA_OK;
}

/* All lanes, as they are. */
enum isa_result gf100_short_simd(uint64_t word, struct ir *out) {
    (void)word;
    out->simd.mask = (uint8_t)((1u << out->simd.lanes) - 1);
    for (uint8_t i = 0; i < out->simd.lanes; i++) {
        out->simd.a[i] = i;
        out->simd.b[i] = (uint8_t)(out->simd.lanes + i);
    }
    return ISA_OK;
}

/* From the next instruction, which is 4 bytes nearer than fields.c has it. */
enum isa_result gf100_short_target(uint64_t word, struct ir *out) {
    (void)word;
    out->offset -= 4;
    return ISA_OK;
}

#define NUMBER(shift)   PUT(PUT_OFFSET, op, AT_NUMBER, 8, shift)
#define MEMORY(shift)   A, NUMBER(shift)
#define ATTRIBUTE       WORDS(6), PUT(PUT_ADDRESS, op, AT_WORD, 8, 2)
#define RELATIVE(at, w) PUT(PUT_RELATIVE, op, at, w, 2)
#define PLAIN           ALWAYS
#define GENERIC_W       SPACE(GENERIC), PRESET(wide, 1)
#define CONVERT(kind)   D, CC(23), NEG_A(22), ABS_A(25), kind

/* clang-format off */
const struct isa_row gf100_short_rows[] = {
    ROW("NOP", 00000008, f80003ff, NOP, U32, NULL),
    ROW("CSETP", 10000008, f80003ff, CSETP, U32, NULL, PD(17), MODE(20, 5)),
    ROW("PSETP", 18000008, f80003ff, PSETP, U32, gf100_short_pset, PD(17), BITS(combine1, 25, 2), MOST(25, 2, 2), PREDICATES(14), INV_B(24)),
    ROW("S2R", 40000008, f00003ff, S2R, U32, NULL, D, PUT(PUT_IMMEDIATE, a, 20, 8, 0)),
    ROW("BAR", 50000008, f80003ff, BAR, U32, gf100_short_bar, A),
    ROW("BAR", 58000008, f80003ff, BAR, U32, gf100_short_bar, A, IS_MODE(1)),
    ROW("RRO", 70000008, f00003ff, RRO, F32, NULL, MODE(26, 1), D, A),
    ROW("MUFU", 80000008, a00003ff, MUFU, F32, NULL, MODE(26, 3), D, ABS_A(30), A),
    ROW("SHL", 00000208, 800003ff, SHL, U32, NULL, D, A, PUT(PUT_IMMEDIATE, b, 26, 5, 0)),
    ROW("SHR", 80000208, 800003ff, SHR, S32, NULL, D, A, PUT(PUT_IMMEDIATE, b, 26, 5, 0)),
    ROW("VABSDIFF2", 00000108, 000007ff, SIMD, U32, gf100_short_simd, PLAIN, IS_MODE(IR_SIMD_DIFFERENCE), PRESET(simd.lanes, 2), BIT(simd.signed_d, 13), SIGNED_A(12), SIGNED_B(11), D, A, B),
    ROW("VADD2", 00000308, 00000fff, SIMD, U32, gf100_short_simd, PLAIN, IS_MODE(IR_SIMD_ADD), PRESET(simd.lanes, 2), BIT(simd.signed_d, 13), SIGNED_A(12), SIGNED_B(12), D, A, B),
    ROW("VSUBR2", 00000b08, 00000fff, SIMD, U32, gf100_short_simd, PLAIN, IS_MODE(IR_SIMD_SUBR), PRESET(simd.lanes, 2), BIT(simd.signed_d, 13), SIGNED_A(12), SIGNED_B(12), D, A, B),
    ROW("VABSDIFF4", 00000508, 000007ff, SIMD, U32, gf100_short_simd, PLAIN, IS_MODE(IR_SIMD_DIFFERENCE), PRESET(simd.lanes, 4), BIT(simd.signed_d, 13), SIGNED_A(12), SIGNED_B(11), D, A, B),
    ROW("VADD4", 00000708, 00000fff, SIMD, U32, gf100_short_simd, PLAIN, IS_MODE(IR_SIMD_ADD), PRESET(simd.lanes, 4), BIT(simd.signed_d, 13), SIGNED_A(12), SIGNED_B(12), D, A, B),
    ROW("VSUBR4", 00000f08, 00000fff, SIMD, U32, gf100_short_simd, PLAIN, IS_MODE(IR_SIMD_SUBR), PRESET(simd.lanes, 4), BIT(simd.signed_d, 13), SIGNED_A(12), SIGNED_B(12), D, A, B),
    ROW("I2I", 00000018, 000001ff, I2I, U32, gf100_short_i2i, CONVERT(A_26)),
    ROW("MOV", 00000118, 000003ff, MOV, U32, gf100_short_mov, D),
    ROW("MOV", 00000318, 000003ff, MOV, U32, gf100_short_mov_high, D),
    ROW("MOV", 00000028, 000000ff, MOV, U32, gf100_short_a, D),
    ROW("I2F", 00000088, 000003ff, I2F, F32, NULL, ROUND(20), PRESET(source_type, IR_U32), BIT(source_type, 24), CONVERT(A_26)),
    ROW("F2I", 00000288, 000003ff, F2I, F32, NULL, ROUND(20), PRESET(type, IR_U32), BIT(type, 24), CONVERT(A_26)),
    ROW("F2F", 00000098, 000003ff, F2F, F32, NULL, SAT(24), CONVERT(A_26)),
    ROW("F2F", 00000298, 000003ff, F2F, F32, NULL, SAT(24), ROUND(20), PRESET(integral, 1), CONVERT(A_26)),
    ROW("FMUL", 000000a8, 000000ff, FMUL, F32, gf100_short_b, D, A),
    ROW("ISETP", 00000048, 000000ff, ISETP, S32, gf100_short_b, PD(17), ICMP(14), A),
    ROW("ISETP", 000000c8, 000000ff, ISETP, S32, gf100_short_number, PD(17), ICMP(14), A),
    ROW("VMAD", 00000058, 0000007f, OTHER, U32, NULL, PLAIN, D, A, B), /* UNKNOWN: whether d is the addend, or there is none */
    ROW("IPA", 00000009, 0000007f, IPA, F32, NULL, PUT(PUT_IS_MODE, op, 0, 1, 1), PUT(PUT_MODE, op, 7, 1, 1), D, PUT(PUT_ADDRESS, op, AT_NUMBER, 8, 2), PUT(PUT_REGISTER, b, 20, 6, 0)),
    ROW("FADD", 00000049, 0000007f, FADD, F32, gf100_short_b, D, NEG_A(7), A),
    ROW("FSETP", 00000059, 0000007f, FSETP, F32, gf100_short_b, PD(17), FCMP(AT_COMPARE), A),
    ROW("ALD", 00000029, 0000003f, ALD, U32, NULL, ATTRIBUTE, D, C_B),
    ROW("AST", 00000039, 0000003f, AST, U32, NULL, ATTRIBUTE, B, C_D),
    ROW("LDL", 0000000a, 000000ff, LD, U32, NULL, SPACE(LOCAL), D, MEMORY(2)),
    ROW("LDS", 0000004a, 000000ff, LD, U32, NULL, SPACE(SHARED), D, MEMORY(2)),
    ROW("LDL", 0000008a, 000000ff, LD, U64, NULL, SPACE(LOCAL), D, MEMORY(3)),
    ROW("LDS", 000000ca, 000000ff, LD, U64, NULL, SPACE(SHARED), D, MEMORY(3)),
    ROW("STL", 0000001a, 000000ff, ST, U32, NULL, SPACE(LOCAL), B_D, MEMORY(2)),
    ROW("STS", 0000005a, 000000ff, ST, U32, NULL, SPACE(SHARED), B_D, MEMORY(2)),
    ROW("STL", 0000009a, 000000ff, ST, U64, NULL, SPACE(LOCAL), B_D, MEMORY(3)),
    ROW("STS", 000000da, 000000ff, ST, U64, NULL, SPACE(SHARED), B_D, MEMORY(3)),
    ROW("IMUL", 0000002a, 000000bf, IMUL, U32, gf100_short_b, D, SIGNED(6), A),
    ROW("IMUL", 000000aa, 000000bf, IMUL, U32, gf100_short_number, D, SIGNED(6), A),
    ROW("LDG", 0000000b, 000000ff, LD, U32, NULL, SPACE(GENERIC), D, MEMORY(2)),
    ROW("LDG", 0000004b, 000000ff, LD, U32, NULL, GENERIC_W, D, MEMORY(2)),
    ROW("LDG", 0000008b, 000000ff, LD, U64, NULL, SPACE(GENERIC), D, MEMORY(3)),
    ROW("LDG", 000000cb, 000000ff, LD, U64, NULL, GENERIC_W, D, MEMORY(3)),
    ROW("STG", 0000001b, 000000ff, ST, U32, NULL, SPACE(GENERIC), B_D, MEMORY(2)),
    ROW("STG", 0000005b, 000000ff, ST, U32, NULL, GENERIC_W, B_D, MEMORY(2)),
    ROW("STG", 0000009b, 000000ff, ST, U64, NULL, SPACE(GENERIC), B_D, MEMORY(3)),
    ROW("STG", 000000db, 000000ff, ST, U64, NULL, GENERIC_W, B_D, MEMORY(3)),
    ROW("IADD", 0000002c, 000000ff, IADD, U32, gf100_short_b, D, A),
    ROW("IADD", 0000006c, 000000ff, IADD, U32, gf100_short_b, D, A, PRESET(a.negate, 1)),
    ROW("IADD", 000000ac, 000000ff, IADD, U32, gf100_short_number, D, A),
    ROW("IADD", 000000ec, 000000ff, IADD, U32, gf100_short_number, D, A, PRESET(a.negate, 1)),
    ROW("LDC", 0000001c, 0000001f, LDC, U32, NULL, D, BITS(bank, 5, 3), MEMORY(2)),
    ROW("IMAD", 0000000d, 0000001f, IMAD, U32, gf100_short_b_7, PLAIN, D, SIGNED(5), A, PUT(PUT_REGISTER, c, 8, 6, 0)),
    ROW("LOP", 0000001d, 0000009f, LOP, U32, gf100_short_b, D, LOP(5), A),
    ROW("LOP", 0000009d, 0000009f, LOP, U32, gf100_short_number, D, LOP(5), A),
    ROW("FFMA", 0000000e, 0000002f, FFMA, F32, gf100_short_b_7, PLAIN, D, NEG_A(4), A, PUT(PUT_REGISTER, c, 8, 6, 0)),
    ROW("FFMA", 0000002e, 0000002f, FFMA, F32, gf100_short_c, PLAIN, D, NEG_A(4), A, B),
    ROW("BRA", 0000001f, c000001f, BRA, U32, gf100_short_target, TEST(5), RELATIVE(14, 14)),
    ROW("SSY", 4000001f, f000001f, SSY, U32, gf100_short_target, ALWAYS, RELATIVE(14, 14)),
    ROW("CAL", 5000001f, f000001f, CAL, U32, gf100_short_target, ALWAYS, RELATIVE(6, 22)),
    ROW("BPT", 8000001f, f800001f, OTHER, U32, NULL, ALWAYS),
    ROW("EXIT", 8800001f, f800001f, EXIT, U32, NULL, TEST(5)),
    ROW("RET", 9000001f, f800001f, RET, U32, NULL, TEST(5)),
};
/* clang-format on */

const size_t gf100_short_row_count = sizeof(gf100_short_rows) / sizeof(gf100_short_rows[0]);
