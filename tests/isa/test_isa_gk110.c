/* SPDX-License-Identifier: MIT */
/* GK110: every encoding decodes, nothing else does, and what the bits of some mean. Words of programs are Mesa's. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "isa/rows.h"

/* A barrier of memory may be guarded. Mesa has BFE with a constant too, and immediates in more operations. */
static const struct encoding encodings[] = {
#include "isa/gk110.inc"
    {"MEMBAR", 0x7cc0000000000002, 0x7fc0000000000003},  {"BFE", 0x6000000000000002, 0xffc0000000000003},
    {"IMADSP", 0xa400000000000001, 0xf400000000000003},  {"DFMA", 0xb380000000000001, 0xf780000000000003},
    {"SUCLAMP", 0xb000000000000001, 0xf600000000000003}, {"SUBFM", 0xb680000000000001, 0xf7c0000000000003},
    {"SUEAU", 0xb6c0000000000001, 0xf7c0000000000003},
};
enum { ENCODINGS = sizeof(encodings) / sizeof(encodings[0]) };

static void every_encoding_decodes(void **state) {
    (void)state;
    expect_encodings(&isa_gk110, encodings, ENCODINGS);
}

static void nothing_else_decodes(void **state) {
    (void)state;
    expect_nothing_else(&isa_gk110, encodings, ENCODINGS);
}

static void the_first_of_eight_words_is_the_schedulers(void **state) {
    struct ir ir;
    (void)state;
    for (uint32_t address = 0; address < 0x100; address += 8) {
        enum isa_result expected = address % 64 ? ISA_OK : ISA_SCHEDULE;
        assert_int_equal(decode_word(&isa_gk110, 0x18000000001c003c, address, &ir), expected);
    }
    /* what runs into one by another way skips it */
    assert_int_equal(decode_word(&isa_gk110, 0x08a010a0dc808ca0, 8, &ir), ISA_SCHEDULE);
}

static void reserved_values_are_illegal(void **state) {
    static const uint64_t words[] = {
        3,
        UINT64_MAX,
        0xde38000000000002,                  /* PRMT, mode 7 */
        0x7a380000001c0002,                  /* LDL of size 7 */
        0x7a300000001c0006,                  /* LDL of 16 bytes to R1 */
        0x77700000001c0006,                  /* LDS.LOCK of 16 bytes to R1 */
        0x77c00000029c0002 | 3ull << 52,     /* ATOM.CAS of 64 bits that stores R5 */
        0xdfc80000001c0002,                  /* SHF.L.HI */
        0xb7c80000001c0001,                  /* the same by an immediate */
        0x6004003c7f9c0001 | 0x140ull << 32, /* TEX of dimension 5 */
        0xe540000000000402,                  /* F2F from a type without a name */
        0xe540000000003402,                  /* F2F from F64 to F16 */
    };
    struct ir ir;
    (void)state;
    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
        if (decode_word(&isa_gk110, words[i], 8, &ir) != ISA_ILLEGAL)
            fail_msg("%016llx is %s", (unsigned long long)words[i], ir.name);
}

static struct ir decode(uint64_t word, const char *name, unsigned op) {
    struct ir ir;
    if (decode_word(&isa_gk110, word, 0x28, &ir) != ISA_OK)
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

static void vertex_program_of_a_quad(void **state) {
    (void)state;
    struct ir ir = decode(0x64800000001c0002, "RRO", IR_RRO);
    assert_int_equal(ir.a.kind, IR_CONSTANT);
    assert_int_equal(ir.a.value, 0);
    assert_int_equal(ir.guard, IR_TRUE);
    ir = decode(0x84000000009c000e, "MUFU", IR_MUFU);
    assert_int_equal(ir.mode, IR_SIN);
    assert_int_equal(ir.d, 3);
    ir = decode(0x7ec7fc00401ffc02, "ALD", IR_ALD);
    assert_int_equal(ir.type, IR_U64);
    assert_int_equal(ir.offset, 0x80);
    assert_int_equal(ir.d, 0);
    expect_register(&ir.a, IR_ZERO);
    expect_register(&ir.c, IR_ZERO);
    ir = decode(0xe3408000019c0412, "FMUL", IR_FMUL);
    assert_int_equal(ir.d, 4);
    expect_register(&ir.a, 1);
    expect_register(&ir.b, 3);
    assert_true(ir.flush);
    ir = decode(0xcd101000011c0012, "FFMA", IR_FFMA);
    assert_int_equal(ir.d, 4);
    expect_register(&ir.a, 0);
    expect_register(&ir.b, 2);
    expect_register(&ir.c, 4);
    assert_true(ir.c.negate && ir.flush && !ir.multiply_zero);
    ir = decode(0x741fc000001fc01e, "MOV32I", IR_MOV);
    assert_int_equal(ir.d, 7);
    expect_immediate(&ir.a, 0x3f800000);
    assert_int_equal(ir.mask, 0xf);
    ir = decode(0x7f0ffc00381ffc12, "AST", IR_AST);
    assert_int_equal(ir.type, IR_B128);
    assert_int_equal(ir.offset, 0x70);
    expect_register(&ir.b, 4);
    ir = decode(0x18000000001c003c, "EXIT", IR_EXIT);
    assert_int_equal(ir.test, IR_TEST_TRUE);
}

static void fragment_program_of_a_quad(void **state) {
    (void)state;
    struct ir ir = decode(0x7483fc3e7f9ffc02, "IPA", IR_IPA);
    assert_int_equal(ir.mode, 0);
    assert_int_equal(ir.offset, 0x7c);
    assert_int_equal(ir.d, 0);
    ir = decode(0x74a3fc42009ffc06, "IPA", IR_IPA);
    assert_int_equal(ir.mode, 1);
    assert_int_equal(ir.offset, 0x84);
    expect_register(&ir.b, 1);
    ir = decode(0x600400be7f9c0001, "TEX", IR_TEX);
    assert_true(ir.texture.in_bank);
    assert_int_equal(ir.texture.slot, 8);
    assert_int_equal(ir.texture.dim, IR_DIM_2D);
    assert_int_equal(ir.texture.coordinate[0], 0);
    assert_int_equal(ir.texture.coordinate[1], 1);
    assert_int_equal(ir.texture.mask, 0xf);
    assert_int_equal(ir.texture.d[3], 3);
    assert_int_equal(ir.sample, 0);
}

static void forms_say_which_source_is_a_constant(void **state) {
    (void)state;
    uint64_t bits = 0x0c00000000000002 | 30ull << 42 | 0x25ull << 37 | 0x123ull << 23 | 10u << 10 | 7u << 18;
    struct ir ir = decode(bits | 1ull << 62, "FFMA", IR_FFMA);
    assert_int_equal(ir.b.kind, IR_CONSTANT);
    assert_int_equal(ir.b.value, 0x123 * 4);
    bits = 0x8c00000000000002 | 30ull << 42 | 5ull << 37 | 0x123ull << 23 | 10u << 10 | 7u << 18;
    ir = decode(bits, "FFMA", IR_FFMA);
    expect_register(&ir.b, 30);
    assert_int_equal(ir.c.kind, IR_CONSTANT);
    assert_int_equal(ir.c.bank, 5);
    assert_int_equal(ir.c.value, 0x123 * 4);
    ir = decode(0xc080007fff9c0001 | 0x3ffull << 32 | 1ull << 59, "IADD", IR_IADD);
    expect_immediate(&ir.b, UINT32_MAX);
}

static void joins_are_told(void **state) {
    (void)state;
    struct ir ir = decode(0x8580000000643c02, "NOP", IR_NOP);
    assert_true(ir.join && ir.guard_negate);
    assert_int_equal(ir.guard, 1);
    ir = decode(0x85800000001c3c02, "NOP", IR_NOP);
    assert_false(ir.join);
    ir = decode(0x40000000005c0000, "FADD32I", IR_FADD);
    assert_true(ir.join);
}

static void targets_are_relative_to_the_next_word(void **state) {
    (void)state;
    struct ir ir = decode(0x12000000081c003c, "BRA", IR_BRA);
    assert_int_equal(ir.offset, 0x28 + 8 + 0x10);
    ir = decode(0x12007ffffc1c003c, "BRA", IR_BRA);
    assert_int_equal(ir.offset, 0x28 + 8 - 8);
    ir = decode(0x11000000801c0000, "CAL", IR_CAL);
    assert_int_equal(ir.offset, 0x100);
}

static void textures_have_one_list_of_operands(void **state) {
    (void)state;
    /* a cube array with bias, offsets and reference: five at b */
    uint64_t word = 0x6000000000000001 | 5ull << 47 | 2ull << 44 | 1ull << 43 | 1ull << 42 | 7ull << 38 | 5ull << 34 |
                    20u << 23 | 7u << 18 | 10u << 10 | 30u << 2;
    struct ir ir = decode(word, "TEX", IR_TEX);
    const struct ir_texture *t = &ir.texture;
    assert_int_equal(t->slot, 5);
    assert_int_equal(t->dim, IR_DIM_CUBE);
    assert_int_equal(t->layer, 10);
    assert_int_equal(t->coordinate[2], 13);
    assert_int_equal(t->level, 20);
    assert_int_equal(t->offset[0], 21);
    assert_int_equal(t->reference, 22);
    assert_int_equal(t->d[0], 30);
    assert_int_equal(t->d[1], IR_ZERO);
    assert_int_equal(t->d[2], 31);
    /* gradients of an array, with the handle in a register: R10 handle, R11 layer and offsets, R12, R13, then at b */
    word = 0x7e40000000000002 | 3ull << 38 | 15ull << 34 | 20u << 23 | 7u << 18 | 10u << 10;
    ir = decode(word, "TXD.B", IR_TXD);
    assert_false(ir.texture.in_bank);
    assert_int_equal(t->handle, 10);
    assert_int_equal(t->layer, 11);
    assert_int_equal(t->offset[0], 11);
    assert_true(t->layer_low && t->offset_high);
    assert_int_equal(t->coordinate[1], 13);
    assert_int_equal(t->derivative[0], 20);
    assert_int_equal(t->derivative[3], 23);
    /* a fetch from samples: slot from bit 45 on */
    word = 0x7000000000000002 | 9ull << 45 | 1ull << 43 | 2ull << 38 | 15ull << 34 | 255u << 23 | 7u << 18 | 10u << 10;
    ir = decode(word, "TLD", IR_TLD);
    assert_true(ir.texture.in_bank);
    assert_int_equal(t->slot, 9);
    assert_true(t->samples);
    assert_int_equal(t->sample, 12);
    assert_int_equal(t->lod, IR_LOD_ZERO);
}

static void swaps_name_what_they_store(void **state) {
    (void)state;
    uint64_t word = 0x7780000000000002 | 20u << 23 | 7u << 18 | 10u << 10;
    struct ir ir = decode(word, "ATOM.CAS", IR_ATOM);
    assert_int_equal(ir.type, IR_U32);
    expect_register(&ir.b, 20);
    expect_register(&ir.c, 21);
    ir = decode(word | 1ull << 52, "ATOM.CAS", IR_ATOM);
    assert_int_equal(ir.type, IR_U64);
    expect_register(&ir.c, 22);
    ir = decode(word | 2ull << 52, "ATOM.CAS", IR_ATOM);
    expect_register(&ir.b, 20);
    expect_register(&ir.c, IR_ZERO);
    ir = decode(word | 4ull << 52, "ATOM.CAS", IR_ATOM);
    expect_register(&ir.b, IR_ZERO);
    expect_register(&ir.c, 20);
}

/* Bit 60. GF100 has it elsewhere, where Mesa 22.3 leaves it out: the same source gives other programs there. */
static void addends_have_the_sign_that_the_word_has(void **state) {
    (void)state;
    struct ir ir = decode(0x711faaaaaa9c2c00, "FFMA32I", IR_FFMA);
    expect_register(&ir.c, 0);
    assert_true(ir.c.negate);
    ir = decode(0x611fcccccd1c0408, "FFMA32I", IR_FFMA);
    expect_register(&ir.c, 2);
    assert_false(ir.c.negate);
}

static void barriers_and_counts_are_registers_or_numbers(void **state) {
    const uint64_t word = 0x85401c00029c0c02; /* BAR.SYNC R3, R5 */
    (void)state;
    struct ir ir = decode(word, "BAR.SYNC", IR_BAR);
    expect_register(&ir.a, 3);
    expect_register(&ir.b, 5);
    ir = decode(word | 1ull << 47, "BAR.SYNC", IR_BAR);
    assert_int_equal(ir.a.kind, IR_IMMEDIATE);
    assert_int_equal(ir.a.value, 3);
    expect_register(&ir.b, 5);
    ir = decode(word | 1ull << 46, "BAR.SYNC", IR_BAR);
    expect_register(&ir.a, 3);
    assert_int_equal(ir.b.kind, IR_IMMEDIATE);
    assert_int_equal(ir.b.value, 5);
}

static void offsets_of_txd_are_above_its_layer(void **state) {
    struct ir ir = decode(0x7e401c3c029c0c02 | 3ull << 38, "TXD.B", IR_TXD); /* of an array of two dimensions */
    (void)state;
    assert_int_equal(ir.texture.handle, 3);
    assert_int_equal(ir.texture.layer, 4);
    assert_int_equal(ir.texture.offset[0], 4);
    assert_true(ir.texture.layer_low);
    assert_true(ir.texture.offset_high);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(barriers_and_counts_are_registers_or_numbers),
        cmocka_unit_test(offsets_of_txd_are_above_its_layer),
        cmocka_unit_test(every_encoding_decodes),
        cmocka_unit_test(nothing_else_decodes),
        cmocka_unit_test(the_first_of_eight_words_is_the_schedulers),
        cmocka_unit_test(reserved_values_are_illegal),
        cmocka_unit_test(vertex_program_of_a_quad),
        cmocka_unit_test(fragment_program_of_a_quad),
        cmocka_unit_test(forms_say_which_source_is_a_constant),
        cmocka_unit_test(joins_are_told),
        cmocka_unit_test(targets_are_relative_to_the_next_word),
        cmocka_unit_test(textures_have_one_list_of_operands),
        cmocka_unit_test(swaps_name_what_they_store),
        cmocka_unit_test(addends_have_the_sign_that_the_word_has),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
