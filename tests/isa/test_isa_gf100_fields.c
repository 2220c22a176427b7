/* SPDX-License-Identifier: MIT */
/* GF100 and GK104: what the bits of an instruction mean. Programs that Mesa compiled, unless it says otherwise. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "isa/rows.h"

static struct ir decode_as(const struct isa *isa, uint64_t word, const char *name, unsigned op) {
    struct ir ir;
    if (decode_word(isa, word, 0x28, &ir) != ISA_OK)
        fail_msg("%016llx: illegal", (unsigned long long)word);
    assert_string_equal(ir.name, name);
    assert_int_equal(ir.op, op);
    return ir;
}

static struct ir decode(uint64_t word, const char *name, unsigned op) {
    return decode_as(&isa_gf100, word, name, op);
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
    struct ir ir = decode(0x6000400000001c00, "RRO", IR_RRO);
    expect_constant(&ir.a, 0, 0);
    assert_int_equal(ir.mode, 0);
    assert_int_equal(ir.guard, IR_TRUE);
    assert_int_equal(ir.test, IR_TEST_TRUE);
    ir = decode(0xc80000000400dc00, "MUFU", IR_MUFU);
    assert_int_equal(ir.mode, IR_SIN);
    assert_int_equal(ir.d, 3);
    expect_register(&ir.a, 0);
    ir = decode(0x06000080fff01c26, "ALD", IR_ALD);
    assert_int_equal(ir.type, IR_U64);
    assert_int_equal(ir.offset, 0x80);
    expect_register(&ir.a, IR_ZERO);
    expect_register(&ir.c, IR_ZERO);
    ir = decode(0x580000000c111c40, "FMUL", IR_FMUL);
    assert_int_equal(ir.d, 4);
    expect_register(&ir.a, 1);
    expect_register(&ir.b, 3);
    assert_true(ir.flush);
    assert_false(ir.multiply_zero);
    ir = decode(0x3008000008011d40, "FFMA", IR_FFMA);
    expect_register(&ir.a, 0);
    expect_register(&ir.b, 2);
    expect_register(&ir.c, 4);
    assert_true(ir.c.negate);
    assert_false(ir.a.negate);
    ir = decode(0x18fe00000001dde2, "MOV32I", IR_MOV);
    expect_immediate(&ir.a, 0x3f800000);
    assert_int_equal(ir.mask, 0xf);
    ir = decode(0x0a7e007013f01c66, "AST", IR_AST);
    assert_int_equal(ir.type, IR_B128);
    assert_int_equal(ir.offset, 0x70);
    expect_register(&ir.b, 4);
    expect_register(&ir.c, IR_ZERO);
    ir = decode(0x8000000000001de7, "EXIT", IR_EXIT);
    assert_false(ir.join);
}

static void fragment_program_of_a_quad(void **state) {
    static const uint8_t d[] = {0, 1, 2, 3};
    (void)state;
    struct ir ir = decode(0xc07e007cfff01c00, "IPA", IR_IPA);
    assert_int_equal(ir.mode, 0);
    assert_int_equal(ir.offset, 0x7c);
    ir = decode(0xc07e008407f05c40, "IPA", IR_IPA);
    assert_int_equal(ir.mode, 1);
    assert_int_equal(ir.offset, 0x84);
    assert_int_equal(ir.d, 1);
    expect_register(&ir.b, 1);
    ir = decode(0x8013c000fc001d06, "TEX", IR_TEX);
    assert_true(ir.texture.by_slot);
    assert_false(ir.texture.in_bank);
    assert_int_equal(ir.texture.slot, 0);
    assert_int_equal(ir.texture.sampler, 0);
    assert_int_equal(ir.texture.dim, IR_DIM_2D);
    assert_int_equal(ir.texture.lod, IR_LOD_AUTO);
    assert_int_equal(ir.texture.coordinate[0], 0);
    assert_int_equal(ir.texture.coordinate[1], 1);
    assert_int_equal(ir.texture.mask, 0xf);
    assert_memory_equal(ir.texture.d, d, 4);
}

/*
 * In the form with 32 bits, d is the addend, too, and bit 8 its sign. The first two words are of one program of
 * Mesa 22.3. The first was meant to subtract the addend, but Mesa's emitFMAD leaves that sign out of this form.
 */
static void addends_have_the_sign_that_the_word_has(void **state) {
    static const uint64_t words[] = {0x20fd555554f01c42, 0x20fe666668109c42};
    static const struct isa *const isas[] = {&isa_gf100, &isa_gf100k};
    (void)state;
    for (unsigned i = 0; i < 4; i++) {
        struct ir ir = decode_as(isas[i / 2], words[i % 2], "FFMA32I", IR_FFMA);
        expect_register(&ir.c, ir.d);
        assert_false(ir.c.negate);
        assert_false(ir.a.negate);
        ir = decode_as(isas[i / 2], words[i % 2] | 1u << 8, "FFMA32I", IR_FFMA);
        expect_register(&ir.c, ir.d);
        assert_true(ir.c.negate);
        assert_false(ir.a.negate);
    }
}

/* Made from the tables. */
static void second_sources_have_four_forms(void **state) {
    (void)state;
    struct ir ir = decode(0x5000000000001c00 | 3ull << 46 | 0xbf800ull << 26, "FADD", IR_FADD);
    expect_immediate(&ir.b, 0xbf800000);
    ir = decode(0x4800000000001c03 | 3ull << 46 | 0xfffffull << 26, "IADD", IR_IADD);
    expect_immediate(&ir.b, UINT32_MAX);
    ir = decode(0x4800000000001c01 | 3ull << 46 | 0x3ff00ull << 26, "DADD", IR_FADD);
    expect_immediate(&ir.b, 0x3ff00000);
    ir = decode(0x5000000000001c00 | 1ull << 46 | 3ull << 42 | 0x10ull << 28, "FADD", IR_FADD);
    expect_constant(&ir.b, 3, 0x40);
    ir = decode(0x3000000000001c00 | 2ull << 46 | 5ull << 49 | 1ull << 42 | 4ull << 28, "FFMA", IR_FFMA);
    expect_register(&ir.b, 5);
    expect_constant(&ir.c, 1, 0x10);
    ir = decode(0x3000000000001c00 | 1ull << 46 | 5ull << 49 | 1ull << 42 | 4ull << 28, "FFMA", IR_FFMA);
    expect_constant(&ir.b, 1, 0x10);
    expect_register(&ir.c, 5);
    /* a conversion from halves takes an integer */
    ir = decode(0x1000000000a01c04 | 3ull << 46 | 0x3c00ull << 26, "F2F", IR_F2F);
    expect_immediate(&ir.a, 0x3c00);
    assert_int_equal(ir.type, IR_F32);
    assert_int_equal(ir.source_type, IR_F16);
}

/* Made from the tables. */
static void both_signs_add_one(void **state) {
    (void)state;
    struct ir ir = decode(0x4800000000001f03, "IADD", IR_IADD);
    assert_true(ir.plus_one);
    assert_false(ir.a.negate || ir.b.negate);
    ir = decode(0x4800000000001d03, "IADD", IR_IADD);
    assert_true(ir.b.negate);
    assert_false(ir.a.negate || ir.plus_one);
    ir = decode(0x2000000000001e03, "IMAD", IR_IMAD);
    assert_true(ir.a.negate);
    assert_false(ir.c.negate);
}

/* Made from the tables. */
static void join_is_a_bit_of_all_but_flow(void **state) {
    (void)state;
    struct ir ir = decode(0x4000000000001df4, "NOP", IR_NOP);
    assert_true(ir.join);
    ir = decode(0x40000000000021f4, "NOP", IR_NOP);
    assert_int_equal(ir.guard, 0);
    assert_true(ir.guard_negate);
    ir = decode(0x4000000000001df7, "BRA", IR_BRA);
    assert_false(ir.join);
}

/* Made from the tables. */
static void flow_names_its_targets(void **state) {
    (void)state;
    struct ir ir = decode(0x4003ffffe00021e7, "BRA", IR_BRA);
    assert_int_equal(ir.offset, 0x28 + 8 - 8);
    assert_int_equal(ir.guard, 0);
    assert_true(ir.guard_negate);
    ir = decode(0x6000000040000007, "SSY", IR_SSY);
    assert_int_equal(ir.offset, 0x28 + 8 + 0x10);
    assert_int_equal(ir.guard, IR_TRUE); /* whatever the word has */
    ir = decode(0x1000000400000007, "JCAL", IR_CAL);
    assert_int_equal(ir.offset, 0x100);
    assert_int_equal(ir.guard, IR_TRUE);
    ir = decode(0x4000400100005de7, "BRA", IR_BRX);
    expect_constant(&ir.a, 16, 0x40);
    assert_int_equal(ir.offset, 0x30);
    ir = decode(0x6000000040004007, "SSY", IR_OTHER);
    assert_int_equal(ir.guard, IR_TRUE);
}

/* Made from the tables. */
static void memory_has_offsets_and_wide_addresses(void **state) {
    (void)state;
    struct ir ir = decode(0x8000000000201ca5 | 0xfffffffcull << 26 | 1ull << 58, "LDG", IR_LD);
    assert_int_equal(ir.type, IR_U64);
    assert_int_equal(ir.offset, -4);
    assert_true(ir.wide);
    assert_int_equal(ir.space, IR_SPACE_GENERIC);
    ir = decode(0x507e000000205c05 | 7ull << 55 | 0x1fffcull << 26 | 9ull << 43, "ATOM", IR_ATOM);
    assert_int_equal(ir.offset, -4);
    assert_int_equal(ir.atomic, IR_ADD);
    assert_int_equal(ir.d, 9);
    expect_register(&ir.a, 2);
    expect_register(&ir.b, 1);
    ir = decode(0x5000000000205d25 | 6ull << 49 | 9ull << 43, "ATOM.CAS", IR_ATOM);
    assert_int_equal(ir.atomic, IR_CAS);
    expect_register(&ir.b, 1);
    expect_register(&ir.c, 6);
    ir = decode_as(&isa_gf100k, 0xac00000000005d85 | 1ull << 8, "LDS.LOCK", IR_LD_LOCK);
    assert_int_equal(ir.p, 5);
}

/* Made from the tables: a layer, an offset and a reference. Slots come from one register with the layer on Fermi. */
static void textures_of_fermi_have_two_blocks(void **state) {
    uint64_t word = 0x8000000000001c06 | 15ull << 46 | 3ull << 51 | 1ull << 54 | 1ull << 56 | 4ull << 20 | 8ull << 26;
    (void)state;
    struct ir ir = decode(word | 7ull << 32 | 2ull << 40, "TEX", IR_TEX);
    assert_int_equal(ir.texture.slot, 7);
    assert_int_equal(ir.texture.sampler, 2);
    assert_int_equal(ir.texture.layer, 4);
    assert_false(ir.texture.layer_low);
    assert_int_equal(ir.texture.coordinate[0], 5);
    assert_int_equal(ir.texture.coordinate[1], 6);
    assert_int_equal(ir.texture.offset[0], 8);
    assert_int_equal(ir.texture.reference, 9);
    ir = decode(word | 1ull << 50, "TEX", IR_TEX);
    assert_int_equal(ir.texture.handle, 4);
    assert_int_equal(ir.texture.layer, 4);
    assert_true(ir.texture.layer_low);
    assert_int_equal(ir.texture.coordinate[0], 5);
    assert_int_equal(ir.texture.offset[0], 8);
}

/*
 * Mesa's texConstraintNVC0 puts the sources of TXD with offsets into two blocks: layer or word of slots, coordinates
 * and the offsets are one, the derivatives the other.
 */
static void offsets_of_fermis_txd_follow_the_coordinates(void **state) {
    static const struct {
        unsigned target, coordinates;
        bool array, indirect;
    } rows[] = {{0, 1, false, false}, {0, 1, false, true}, {1, 1, true, false}, {1, 1, true, true},
                {2, 2, false, false}, {2, 2, false, true}, {3, 2, true, false}, {3, 2, true, true}};
    const unsigned a = 4, b = 20;
    (void)state;
    for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        uint64_t word = 0xe000000000001c06 | 15ull << 46 | (uint64_t)rows[i].target << 51 |
                        (uint64_t)rows[i].indirect << 50 | a << 20 | b << 26;
        for (unsigned offsets = 0; offsets < 2; offsets++) {
            struct ir ir = decode(word | (uint64_t)offsets << 54, "TXD", IR_TXD);
            unsigned at = a + (rows[i].array || rows[i].indirect);
            assert_int_equal(ir.texture.handle, rows[i].indirect ? a : IR_ZERO);
            assert_int_equal(ir.texture.layer, rows[i].array ? a : IR_ZERO);
            for (unsigned k = 0; k < rows[i].coordinates; k++)
                assert_int_equal(ir.texture.coordinate[k], at++);
            if (offsets)
                assert_int_equal(ir.texture.offset[0], at);
            for (unsigned k = 0; k < 2 * rows[i].coordinates; k++)
                assert_int_equal(ir.texture.derivative[k], b + k);
        }
    }
}

static void textures_of_gk104_have_one_list(void **state) {
    uint64_t word = 0x8000000000001c06 | 15ull << 46 | 3ull << 51 | 1ull << 54 | 1ull << 56 | 4ull << 20 | 8ull << 26;
    (void)state;
    struct ir ir = decode_as(&isa_gf100k, word | 7ull << 32, "TEX", IR_TEX);
    assert_true(ir.texture.in_bank);
    assert_false(ir.texture.by_slot);
    assert_int_equal(ir.texture.slot, 7);
    assert_int_equal(ir.texture.layer, 4);
    assert_int_equal(ir.texture.coordinate[1], 6);
    assert_int_equal(ir.texture.offset[0], 7);
    assert_int_equal(ir.texture.reference, 8);
    ir = decode_as(&isa_gf100k, word | 1ull << 50, "TEX", IR_TEX);
    assert_false(ir.texture.in_bank);
    assert_int_equal(ir.texture.handle, 4);
    assert_int_equal(ir.texture.layer, 5);
    assert_int_equal(ir.texture.coordinate[1], 7);
    assert_int_equal(ir.texture.offset[0], 8);
    assert_int_equal(ir.texture.reference, 9);
    /* derivatives: the offsets are in the word of the layer, which is there without a layer */
    word = 0xe000000000001c06 | 15ull << 46 | 2ull << 51 | 1ull << 54 | 4ull << 20 | 8ull << 26;
    ir = decode_as(&isa_gf100k, word, "TXD", IR_TXD);
    assert_int_equal(ir.texture.offset[0], 4);
    assert_true(ir.texture.offset_high);
    assert_int_equal(ir.texture.layer, IR_ZERO);
    assert_int_equal(ir.texture.coordinate[0], 5);
    assert_int_equal(ir.texture.derivative[0], 7);
    assert_int_equal(ir.texture.derivative[1], 8);
}

/* As Mesa emits it to index an array of inputs, AL2P R3, [R0+0x84] (nv50_ir_emit_nvc0.cpp, emitAFETCH). */
static void addresses_of_attributes_are_in_the_upper_word(void **state) {
    (void)state;
    struct ir ir = decode_as(&isa_gf100k, 0x0c0000840000dc06, "AL2P", IR_AL2P);
    assert_int_equal(ir.d, 3);
    assert_int_equal(ir.offset, 0x84);
    expect_register(&ir.a, 0);
    assert_int_equal(decode_as(&isa_gf100k, 0x0c0007ff0000dc06, "AL2P", IR_AL2P).offset, -1);
}

/* Made from the tables. */
static void short_words_have_short_sources(void **state) {
    (void)state;
    struct ir ir = decode(0x0c105ca8, "FMUL", IR_FMUL);
    assert_int_equal(ir.d, 1);
    expect_register(&ir.a, 1);
    expect_register(&ir.b, 3);
    ir = decode(0x0c105fa8, "FMUL", IR_FMUL);
    expect_constant(&ir.b, 16, 12);
    ir = decode(0xfc105fac, "IADD", IR_IADD);
    expect_immediate(&ir.b, UINT32_MAX);
    ir = decode(0x0010dc0a | 3u << 8 | 63u << 26, "LDL", IR_LD);
    assert_int_equal(ir.offset, -4);
    assert_int_equal(ir.type, IR_U32);
    ir = decode(0x0c10410d, "IMAD", IR_IMAD);
    assert_int_equal(ir.guard, IR_TRUE);
    expect_register(&ir.b, 3);
    expect_register(&ir.c, 1);
    ir = decode(0x3f805f18, "MOV", IR_MOV);
    expect_immediate(&ir.a, 0x3f800000);
    ir = decode(0x05605c18, "I2I", IR_I2I); /* of the library */
    assert_int_equal(ir.type, IR_U32);
    assert_int_equal(ir.source_type, IR_U32);
    assert_true(ir.a.negate);
    expect_register(&ir.a, 1);
    ir = decode(0xc8105c08 & 0xbfffffff, "MUFU", IR_MUFU);
    assert_int_equal(ir.mode, IR_EX2);
    ir = decode(0x00101c89, "IPA", IR_IPA);
    assert_int_equal(ir.mode, 3);
    expect_register(&ir.b, 1);
    ir = decode(0x0fffc01f | 7u << 10 | 15u << 5, "BRA", IR_BRA);
    assert_int_equal(ir.offset, 0x28);
}

static void barriers_reductions_and_gathers_by_their_numbers(void **state) {
    struct ir ir;
    (void)state;
    /* after the barrier's row */
    ir = decode(0x50ee800000301d04, "BAR", IR_BAR);
    assert_int_equal(ir.mode, 2);
    assert_int_equal(ir.d, 0);
    ir = decode(0x50ee8000003fdc04, "BAR", IR_BAR); /* plain, as Mesa 22.3 has it */
    assert_int_equal(ir.mode, 0);
    ir = decode(0x50ee0000fff01c04, "BAR", IR_BAR); /* plain, as NAK has it: R0 is not written */
    assert_int_equal(ir.mode, 0);
    assert_int_equal(ir.d, IR_ZERO);
    expect_register(&ir.a, IR_ZERO);
    expect_register(&ir.b, IR_ZERO);
    ir = decode(0x502e800000301c04, "BAR", IR_BAR); /* POPC of P1, as Mesa 22.3 has it */
    assert_int_equal(ir.mode, 2);
    assert_int_equal(ir.d, 0);
    assert_int_equal(ir.p, 1);
    ir = decode(0x340000000040de05, "RED", IR_ATOM); /* NAK's, of floats */
    assert_int_equal(ir.type, IR_F32);
    assert_int_equal(ir.atomic, IR_ADD);
    assert_true(ir.wide);
    ir = decode(0x50ee8000003fdc84, "BAR", IR_BAR);
    assert_int_equal(ir.mode, 1);
    expect_immediate(&ir.a, 3);
    ir = decode(0x1000000000201c05 | 7ull << 5, "RED", IR_ATOM);
    assert_int_equal(ir.atomic, IR_ATOM_XOR);
    assert_int_equal(decode_word(&isa_gf100, 0x1000000000201c05 | 8ull << 5, 8, &ir), ISA_ILLEGAL); /* EXCH */
    ir = decode(0xa013c00010201c06 | 1ull << 54, "TLD4", IR_TLD4);
    assert_true(ir.texture.offsets && !ir.texture.offsets4);
    ir = decode(0xa013c00010201c06 | 2ull << 54, "TLD4", IR_TLD4);
    assert_true(ir.texture.offsets4 && !ir.texture.offsets);
    assert_int_equal(ir.texture.offset[1], 5);
}

static void short_words_have_three_banks(void **state) {
    static const unsigned banks[] = {0, 0, 1, 16};
    (void)state;
    for (unsigned which = 1; which < 4; which++) {
        struct ir ir = decode(0x14101c2c | which << 8, "IADD", IR_IADD);
        expect_constant(&ir.b, banks[which], 20);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(barriers_reductions_and_gathers_by_their_numbers),
        cmocka_unit_test(short_words_have_three_banks),
        cmocka_unit_test(vertex_program_of_a_quad),
        cmocka_unit_test(fragment_program_of_a_quad),
        cmocka_unit_test(addends_have_the_sign_that_the_word_has),
        cmocka_unit_test(second_sources_have_four_forms),
        cmocka_unit_test(both_signs_add_one),
        cmocka_unit_test(join_is_a_bit_of_all_but_flow),
        cmocka_unit_test(flow_names_its_targets),
        cmocka_unit_test(memory_has_offsets_and_wide_addresses),
        cmocka_unit_test(textures_of_fermi_have_two_blocks),
        cmocka_unit_test(offsets_of_fermis_txd_follow_the_coordinates),
        cmocka_unit_test(textures_of_gk104_have_one_list),
        cmocka_unit_test(addresses_of_attributes_are_in_the_upper_word),
        cmocka_unit_test(short_words_have_short_sources),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
