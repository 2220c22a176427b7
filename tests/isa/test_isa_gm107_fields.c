/* SPDX-License-Identifier: MIT */
/* GM107: what the bits of an instruction mean. The words are of programs that Mesa compiled, unless they say so. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "isa/rows.h"

static struct ir decode(uint64_t word, const char *name, unsigned op) {
    struct ir ir;
    if (decode_word(&isa_gm107, word, 0x28, &ir) != ISA_OK)
        fail_msg("%016llx: illegal", (unsigned long long)word);
    assert_string_equal(ir.name, name);
    assert_int_equal(ir.op, op);
    return ir;
}

static void expect_register(const struct ir_source *source, unsigned reg) {
    assert_int_equal(source->kind, IR_REGISTER);
    assert_int_equal(source->value, reg);
}

static void expect_immediate(const struct ir_source *source, uint32_t value) {
    assert_int_equal(source->kind, IR_IMMEDIATE);
    assert_int_equal(source->value, value);
}

static void expect_constant(const struct ir_source *source, unsigned bank, uint32_t offset) {
    assert_int_equal(source->kind, IR_CONSTANT);
    assert_int_equal(source->bank, bank);
    assert_int_equal(source->value, offset);
}

static void vertex_program_of_a_quad(void **state) {
    (void)state;
    struct ir ir = decode(0x4c90000000070000, "RRO", IR_RRO);
    expect_constant(&ir.a, 0, 0);
    assert_int_equal(ir.mode, 0);
    assert_int_equal(ir.guard, IR_TRUE);
    assert_int_equal(ir.test, IR_TEST_TRUE);
    ir = decode(0x5080000000170003, "MUFU", IR_MUFU);
    assert_int_equal(ir.mode, IR_SIN);
    assert_int_equal(ir.d, 3);
    expect_register(&ir.a, 0);
    ir = decode(0xefd8ff800807ff00, "ALD", IR_ALD);
    assert_int_equal(ir.type, IR_U64);
    assert_int_equal(ir.offset, 0x80);
    expect_register(&ir.a, IR_ZERO);
    expect_register(&ir.c, IR_ZERO);
    ir = decode(0x5c68100000370104, "FMUL", IR_FMUL);
    assert_int_equal(ir.d, 4);
    expect_register(&ir.a, 1);
    expect_register(&ir.b, 3);
    assert_true(ir.flush);
    assert_false(ir.multiply_zero);
    ir = decode(0x59a2020000270004, "FFMA", IR_FFMA);
    expect_register(&ir.a, 0);
    expect_register(&ir.b, 2);
    expect_register(&ir.c, 4);
    assert_true(ir.c.negate);
    assert_false(ir.b.negate);
    assert_true(ir.flush);
    ir = decode(0x0103f8000007f007, "MOV32I", IR_MOV);
    expect_immediate(&ir.a, 0x3f800000);
    assert_int_equal(ir.mask, 0xf);
    ir = decode(0xeff1ff800707ff04, "AST", IR_AST);
    assert_int_equal(ir.type, IR_B128);
    assert_int_equal(ir.offset, 0x70);
    expect_register(&ir.b, 4);
    decode(0xe30000000007000f, "EXIT", IR_EXIT);
}

static void fragment_program_of_a_quad(void **state) {
    (void)state;
    struct ir ir = decode(0xe003ff87cff7ff00, "IPA", IR_IPA);
    assert_int_equal(ir.mode, 0);
    assert_int_equal(ir.offset, 0x7c);
    ir = decode(0xe043ff884007ff00, "IPA", IR_IPA);
    assert_int_equal(ir.mode, 1);
    assert_int_equal(ir.offset, 0x84);
    expect_register(&ir.b, 0);
    ir = decode(0xd830008020070100, "TEXS", IR_TEX);
    assert_true(ir.texture.in_bank);
    assert_int_equal(ir.texture.slot, 8);
    assert_int_equal(ir.texture.dim, IR_DIM_2D);
    assert_int_equal(ir.texture.lod, IR_LOD_AUTO);
    assert_int_equal(ir.texture.coordinate[0], 1);
    assert_int_equal(ir.texture.coordinate[1], 0);
    assert_int_equal(ir.texture.mask, 0xf);
    static const uint8_t d[] = {0, 1, 2, 3};
    assert_memory_equal(ir.texture.d, d, 4);
    assert_false(ir.texture.f16);
}

static void loops_name_their_targets(void **state) {
    (void)state;
    struct ir ir;
    assert_int_equal(decode_word(&isa_gm107, 0xe2a0000009800000, 0x50, &ir), ISA_OK);
    assert_int_equal(ir.op, IR_PBK);
    assert_int_equal(ir.offset, 0xf0);
    assert_int_equal(decode_word(&isa_gm107, 0xe2b00fffff800000, 0x58, &ir), ISA_OK);
    assert_int_equal(ir.op, IR_PCNT);
    assert_int_equal(ir.offset, 0x58);
    ir = decode(0xe34000000000000f, "BRK", IR_BRK);
    assert_int_equal(ir.guard, 0);
    assert_false(ir.guard_negate);
    ir = decode(0xf0f800000008000f, "SYNC", IR_SYNC);
    assert_true(ir.guard_negate);
}

static void both_signs_of_a_sum_mean_one_more(void **state) {
    (void)state;
    struct ir ir = decode(0x5c13000000370201, "IADD", IR_IADD);
    assert_true(ir.plus_one);
    assert_false(ir.a.negate || ir.b.negate);
    ir = decode(0x5c12000000370201, "IADD", IR_IADD);
    assert_true(ir.a.negate);
    assert_false(ir.b.negate || ir.plus_one);
    ir = decode(0x1d80000000170000, "IADD32I.PO", IR_IADD);
    assert_true(ir.plus_one);
}

static void immediates_of_20_bits_have_their_sign_apart(void **state) {
    (void)state;
    struct ir ir = decode(0x3910007ffff70000, "IADD", IR_IADD);
    expect_immediate(&ir.b, UINT32_MAX);
    ir = decode(0x3810007ffff70000, "IADD", IR_IADD);
    expect_immediate(&ir.b, 0x7ffff);
    ir = decode(0x3958003f80070000, "FADD", IR_FADD);
    expect_immediate(&ir.b, 0xbf800000);
    ir = decode(0x3870003ff0070000, "DADD", IR_FADD); /* the high word of 1.0 */
    assert_int_equal(ir.type, IR_F64);
    expect_immediate(&ir.b, 0x3ff00000);
}

static void conversions_have_two_types(void **state) {
    (void)state;
    struct ir ir = decode(0x5cb8000000270900 | 1u << 13, "I2F", IR_I2F);
    assert_int_equal(ir.type, IR_F16);
    assert_int_equal(ir.source_type, IR_S32);
    assert_int_equal(ir.a.part, IR_WHOLE);
    ir = decode(0x5cb8060000270600, "I2F", IR_I2F); /* U16 in the high half to F32 */
    assert_int_equal(ir.type, IR_F32);
    assert_int_equal(ir.source_type, IR_U16);
    assert_int_equal(ir.a.part, IR_HALF1);
    ir = decode(0x5cb0018000271a00, "F2I", IR_F2I);
    assert_int_equal(ir.type, IR_S32);
    assert_int_equal(ir.source_type, IR_F32);
    assert_int_equal(ir.round, IR_TO_ZERO);
    ir = decode(0x5ca8048000270a00, "F2F", IR_F2F);
    assert_true(ir.integral);
    assert_int_equal(ir.round, IR_DOWN);
}

static void xmad_multiplies_halves(void **state) {
    (void)state;
    struct ir ir = decode(0x5b30001800470302, "XMAD", IR_XMAD); /* PSL, CBCC, both high halves */
    assert_true(ir.xmad.shift_product && ir.xmad.high_a && ir.xmad.high_b);
    assert_int_equal(ir.xmad.c, 4);
    assert_int_equal(ir.type, IR_U16);
    ir = decode(0x3603000123470302, "XMAD", IR_XMAD);
    assert_int_equal(ir.type, IR_S16);
    expect_immediate(&ir.b, 0x1234);
}

static void textures_take_their_operands_in_order(void **state) {
    (void)state;
    /* an array in two dimensions with bias, offsets and reference, slot 5: R10.. and R20.. */
    uint64_t word = 0xc038000000070000 | 2ull << 55 | 1ull << 54 | 1ull << 50 | 5ull << 36 | 0xaull << 31 | 1u << 29 |
                    1u << 28 | 20u << 20 | 10u << 8 | 30;
    struct ir ir = decode(word, "TEX", IR_TEX);
    const struct ir_texture *t = &ir.texture;
    assert_int_equal(t->slot, 5);
    assert_int_equal(t->layer, 10);
    assert_int_equal(t->coordinate[0], 11);
    assert_int_equal(t->coordinate[1], 12);
    assert_int_equal(t->coordinate[2], IR_ZERO);
    assert_int_equal(t->lod, IR_LOD_BIAS);
    assert_int_equal(t->level, 20);
    assert_int_equal(t->offset[0], 21);
    assert_int_equal(t->reference, 22);
    assert_int_equal(t->d[0], IR_ZERO);
    assert_int_equal(t->d[1], 30);
    assert_int_equal(t->d[3], 31);
    /* the same with the handle in a register: it is the first of the second block */
    word = 0xdeb8000000070000 | 2ull << 37 | 1ull << 36 | 1ull << 50 | 0xaull << 31 | 1u << 29 | 20u << 20 | 10u << 8;
    ir = decode(word, "TEX.B", IR_TEX);
    assert_false(ir.texture.in_bank);
    assert_int_equal(ir.texture.handle, 20);
    assert_int_equal(ir.texture.level, 21);
    assert_int_equal(ir.texture.reference, 23);
    /* gradients of an array with offsets, in the third word */
    word = 0xde38000000070000 | 1ull << 35 | 0xfull << 31 | 1u << 29 | 1u << 28 | 20u << 20 | 10u << 8;
    ir = decode(word, "TXD", IR_TXD);
    assert_int_equal(ir.texture.coordinate[0], 10);
    assert_int_equal(ir.texture.layer, 12);
    assert_true(ir.texture.layer_low && ir.texture.offset_high);
    assert_int_equal(ir.texture.offset[0], 12);
    assert_int_equal(ir.texture.derivative[3], 23);
}

static void short_textures_split_their_results(void **state) {
    (void)state;
    /* 2D array, zero level, reference: two and two; RGBA as halves to R30 and R40 */
    uint64_t word = 0xd000000000070000 | 9ull << 53 | 4ull << 50 | 3ull << 36 | 40ull << 28 | 20u << 20 | 10u << 8 | 30;
    struct ir ir = decode(word, "TEXS", IR_TEX);
    assert_int_equal(ir.texture.layer, 10);
    assert_int_equal(ir.texture.coordinate[0], 11);
    assert_int_equal(ir.texture.coordinate[1], 20);
    assert_int_equal(ir.texture.reference, 21);
    static const uint8_t d[] = {30, 30, 40, 40};
    assert_true(ir.texture.f16);
    assert_memory_equal(ir.texture.d, d, 4);
    /* a fetch from an array has the layer alone at a */
    word = 0xda00000000070000 | 8ull << 53 | 6ull << 50 | 255ull << 28 | 20u << 20 | 10u << 8 | 30;
    ir = decode(word, "TLDS", IR_TLD);
    assert_int_equal(ir.texture.layer, 10);
    assert_int_equal(ir.texture.coordinate[0], 20);
    assert_int_equal(ir.texture.coordinate[1], 21);
    assert_int_equal(ir.texture.mask, 0xa);
    assert_int_equal(ir.texture.d[1], 30);
    assert_int_equal(ir.texture.d[3], 31);
}

static void memory_without_a_register_is_absolute(void **state) {
    (void)state;
    struct ir ir = decode(0xeed4fffffff7ff00 & ~(0xfull << 44), "LDG", IR_LD);
    assert_int_equal(ir.space, IR_SPACE_GLOBAL);
    assert_int_equal(ir.offset, 0xffffff);
    ir = decode(0xeed42ffffff70200, "LDG", IR_LD);
    assert_int_equal(ir.offset, -1);
    assert_true(ir.wide);
    ir = decode(0xef44000001070102, "LDL", IR_LD);
    assert_int_equal(ir.space, IR_SPACE_LOCAL);
    assert_int_equal(ir.offset, 0x10);
}

static void atomics_that_do_not_exist_load(void **state) {
    (void)state;
    struct ir ir = decode(0xed00000000270100, "ATOM", IR_ATOM);
    assert_int_equal(ir.atomic, IR_ADD);
    assert_int_equal(ir.type, IR_U32);
    ir = decode(0xed16000000270100, "ATOM", IR_ATOM); /* MIN of F32 */
    assert_int_equal(ir.atomic, IR_LOAD_ONLY);
    ir = decode(0xed30000000270100, "ATOM", IR_ATOM); /* INC of U32 */
    assert_int_equal(ir.atomic, IR_INC);
    ir = decode(0xed32000000270100, "ATOM", IR_ATOM); /* INC of S32 */
    assert_int_equal(ir.atomic, IR_LOAD_ONLY);
    ir = decode(0xeef2000000470200, "ATOM.CAS", IR_ATOM);
    assert_int_equal(ir.type, IR_U64);
    expect_register(&ir.b, 4);
    expect_register(&ir.c, 6);
    ir = decode(0xeef1000000270200, "ATOM.CAS", IR_ATOM);
    assert_true(ir.wide && ir.atomic == IR_CAS);
    expect_register(&ir.b, 2);
    expect_register(&ir.c, 3);
    ir = decode(0xebf8000000970107, "RED", IR_ATOM);
    assert_int_equal(ir.d, IR_ZERO);
    expect_register(&ir.b, 7);
    assert_int_equal(ir.atomic, IR_MIN);
    assert_int_equal(ir.type, IR_S32);
}

static void numbers_in_short_and_indexed_forms(void **state) {
    const uint64_t texs = 0xd830008020070100 & ~(7ull << 50);
    (void)state;
    assert_int_equal(decode(texs, "TEXS", IR_TEX).texture.mask, 7);
    assert_int_equal(decode(texs | 1ull << 50, "TEXS", IR_TEX).texture.mask, 0xb);
    assert_int_equal(decode(texs | 2ull << 50, "TEXS", IR_TEX).texture.mask, 0xd);
    struct ir ir = decode(texs ^ 2ull << 53, "TEXS", IR_TEX); /* with a level, three operands: two are at a */
    assert_int_equal(ir.texture.lod, IR_LOD_LEVEL);
    assert_int_equal(ir.texture.coordinate[0], 1);
    assert_int_equal(ir.texture.coordinate[1], 2);
    assert_int_equal(ir.texture.level, 0);
    ir = decode(0xdf48000780070204 | 0x10ull << 22, "TXQ", IR_TXQ);
    assert_int_equal(ir.texture.query, IR_QUERY_FILTER);
    ir = decode(0xe003ff87cff7ff00 | 1ull << 38, "IPA.IDX", IR_IPA); /* the word's address counts without a register */
    assert_int_equal(ir.offset, (0xe003ff87cff7ff00ull | 1ull << 38) >> 28 & 0x3ff);
    ir = decode((0xe003ff87cff7ff00 & ~(0xffull << 8)) | 5ull << 8 | 1ull << 38, "IPA.IDX", IR_IPA);
    assert_int_equal(ir.offset, 0);
}

static void immediates_of_few_bits_are_whole(void **state) {
    (void)state;
    struct ir ir = decode(0x2002006800070100, "VADD", IR_VIDEO); /* 16 bits, signed */
    assert_int_equal(ir.b.kind, IR_IMMEDIATE);
    assert_int_equal(ir.b.value, 0xffff8000);
    ir = decode(0x2000006800070100, "VADD", IR_VIDEO);
    assert_int_equal(ir.b.value, 0x8000);
    ir = decode(0xef107c0c30370100, "SHFL", IR_SHFL); /* the lane has 5, the clamp 13 bits */
    assert_int_equal(ir.b.kind, IR_IMMEDIATE);
    assert_int_equal(ir.b.value, 3);
    assert_int_equal(ir.c.kind, IR_IMMEDIATE);
    assert_int_equal(ir.c.value, 0x1f03);
}

static void halves_come_as_pairs(void **state) {
    (void)state;
    struct ir ir =
        decode(0x7a000f0000000000 | 1ull << 56 | 0xf0ull << 30 | 1u << 29 | 0xf8u << 20 | 0x70000, "HADD2", IR_HADD2);
    expect_immediate(&ir.b, 0xbc00be00);
    ir = decode(0x7a80000400170000, "HADD2", IR_HADD2);
    assert_int_equal(ir.b.part, IR_FLOAT);
    expect_constant(&ir.b, 1, 4);
}

/* Mesa's NAK has no immediates, and R0 where the number of threads would be, whatever that is. */
static void a_barrier_of_two_registers_is_for_all_threads(void **state) {
    (void)state;
    struct ir ir = decode(0xf0a803800007ff00, "BAR", IR_BAR);
    assert_int_equal(ir.mode, 0);
    assert_int_equal(ir.a.kind, IR_REGISTER);
    assert_int_equal(ir.a.value, IR_ZERO);
    assert_int_equal(ir.b.kind, IR_REGISTER);
    assert_int_equal(ir.b.value, IR_ZERO);
}

/* The first is BAR.SYNC R4 of nvdisasm. */
static void a_barrier_and_its_number_are_immediates_by_a_bit_each(void **state) {
    (void)state;
    struct ir ir = decode(0xf0a80b8000070400, "BAR", IR_BAR);
    assert_int_equal(ir.a.kind, IR_REGISTER);
    assert_int_equal(ir.a.value, 4);
    assert_int_equal(ir.b.kind, IR_IMMEDIATE);
    assert_int_equal(ir.b.value, 0);
    ir = decode(0xf0a8138000670300, "BAR", IR_BAR);
    assert_int_equal(ir.a.kind, IR_IMMEDIATE);
    assert_int_equal(ir.a.value, 3);
    assert_int_equal(ir.b.kind, IR_REGISTER);
    assert_int_equal(ir.b.value, 6);
}

static void what_is_not_known_is_reported(void **state) {
    (void)state;
    struct ir ir = decode(0x5c48080000270100, "SHL", IR_OTHER); /* with carry */
    assert_int_equal(ir.name[0], 'S');
    decode(0xf0b8000000070000, "B2R", IR_OTHER);
    decode(0xf0b8e00100070000, "B2R", IR_B2R);
    decode(0xe3a0000000070000, "BPT", IR_OTHER);
}

/* Words of nvdisasm, as test_isa_text.c has them. */
static void doubles_are_added_in_global_memory_and_nothing_else(void **state) {
    (void)state;
    struct ir ir = decode(0xed0c00000087071a, "ATOM", IR_ATOM); /* ADD of F64 */
    assert_int_equal(ir.atomic, IR_ADD);
    assert_int_equal(ir.type, IR_F64);
    assert_int_equal(ir.source_type, IR_F64);
    ir = decode(0xed1c00000087071a, "ATOM", IR_ATOM); /* MIN */
    assert_int_equal(ir.atomic, IR_LOAD_ONLY);
    assert_int_equal(ir.type, IR_F64);
    ir = decode(0xebf9000000670406, "RED", IR_ATOM);
    assert_true(ir.wide);
    assert_int_equal(ir.d, IR_ZERO);
    expect_register(&ir.b, 6);
    assert_int_equal(ir.atomic, IR_ADD);
    assert_int_equal(ir.type, IR_F64);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(vertex_program_of_a_quad),
        cmocka_unit_test(fragment_program_of_a_quad),
        cmocka_unit_test(loops_name_their_targets),
        cmocka_unit_test(both_signs_of_a_sum_mean_one_more),
        cmocka_unit_test(immediates_of_20_bits_have_their_sign_apart),
        cmocka_unit_test(conversions_have_two_types),
        cmocka_unit_test(xmad_multiplies_halves),
        cmocka_unit_test(textures_take_their_operands_in_order),
        cmocka_unit_test(short_textures_split_their_results),
        cmocka_unit_test(memory_without_a_register_is_absolute),
        cmocka_unit_test(atomics_that_do_not_exist_load),
        cmocka_unit_test(doubles_are_added_in_global_memory_and_nothing_else),
        cmocka_unit_test(immediates_of_few_bits_are_whole),
        cmocka_unit_test(numbers_in_short_and_indexed_forms),
        cmocka_unit_test(halves_come_as_pairs),
        cmocka_unit_test(a_barrier_of_two_registers_is_for_all_threads),
        cmocka_unit_test(a_barrier_and_its_number_are_immediates_by_a_bit_each),
        cmocka_unit_test(what_is_not_known_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
