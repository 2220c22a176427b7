/* SPDX-License-Identifier: MIT */
/* Instructions as text. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "isa/rows.h"

enum { ROOM = 300 };

static void expect(const struct isa *isa, uint64_t word, const char *expected) {
    char text[ROOM];
    struct ir ir;
    if (decode_word(isa, word, 0x28, &ir) != ISA_OK)
        fail_msg("%016llx: illegal", (unsigned long long)word);
    size_t length = isa_print(&ir, text, ROOM);
    assert_string_equal(text, expected);
    assert_int_equal(length, strlen(expected));
}

static void operands_stand_in_nvidias_order(void **state) {
    (void)state;
    expect(&isa_gf100, 0x580000000c111c40, "FMUL.FTZ R4, R1, R3");
    expect(&isa_gf100, 0x3008000008011d40, "FFMA.FTZ R4, R0, R2, -R4");
    expect(&isa_gf100, 0x6000400000001c00, "RRO.SINCOS R0, c[0x0][0x0]");
    expect(&isa_gf100, 0xc80000000400dc00, "MUFU.SIN R3, R0");
    expect(&isa_gf100, 0x06000080fff01c26, "ALD.64 R0, a[0x80], RZ");
    expect(&isa_gf100, 0x0a7e007013f01c66, "AST.128 a[0x70], R4, RZ");
    expect(&isa_gf100, 0xc07e008007f01c40, "IPA.MUL R0, a[0x80], R1, RZ");
    expect(&isa_gf100, 0x18fe00000001dde2, "MOV32I R7, 0x3f800000");
    expect(&isa_gf100, 0x8000000000001de7, "EXIT");
    expect(&isa_gf100, 0x1a0e000008121c23, "ISETP.GT.AND P1, P0, R1, R2, PT");
    expect(&isa_gf100, 0x4800000000101f03, "IADD.PO R0, R1, R0");
    expect(&isa_gf100, 0x8400000040201ca5, "LDG.64 R0, [R2.64+0x10]");
    expect(&isa_gf100, 0x9000000000201c85 | 0xfffffffcull << 26, "STG [R2-0x4], R0");
}

static void guards_tests_and_joins_are_said(void **state) {
    (void)state;
    expect(&isa_gf100, 0x40000000000021f4, "@!P0 NOP; JOIN");
    expect(&isa_gf100, 0x4003ffffe0000427, "@P1 BRA CC.LT, 0x28");
    expect(&isa_gf100, 0x4003ffffe0001c27, "BRA CC.LT, 0x28");
    expect(&isa_gf100, 0x4000400100005de7, "BRA c[0x10][0x40]+0x30");
}

static void textures_name_their_operands(void **state) {
    uint64_t word = 0x8000000000001c06 | 11ull << 46 | 3ull << 51 | 1ull << 54 | 1ull << 56 | 4ull << 20 | 8ull << 26;
    (void)state;
    expect(&isa_gf100, 0x8013c000fc001d06, "TEX {R0, R1, R2, R3}, 2D, t[0x0], s[0x0], s=R0, t=R1");
    expect(&isa_gf100, word | 7ull << 32 | 2ull << 40,
           "TEX.AOFFI.DC {R0, R1, -, R2}, ARRAY_2D, t[0x7], s[0x2], layer=R4, s=R5, t=R6, offset=R8, reference=R9");
    expect(&isa_gf100k, word | 1ull << 50,
           "TEX.AOFFI.DC {R0, R1, -, R2}, ARRAY_2D, R4, layer=R5, s=R6, t=R7, offset=R8, reference=R9");
    expect(&isa_gm107, 0xd830008020070100, "TEXS {R0, R1, R2, R3}, 2D, h[0x8], s=R1, t=R0");
}

/* The same program in two instruction sets. */
static void all_sets_have_one_text(void **state) {
    static const struct {
        uint64_t gf100, gm107;
    } words[] = {
        {0x6000400000001c00, 0x4c90000000070000}, {0xc80000000400dc00, 0x5080000000170003},
        {0x06000080fff01c26, 0xefd8ff800807ff00}, {0x580000000c111c40, 0x5c68100000370104},
        {0x8000000000001de7, 0xe30000000007000f},
    };
    (void)state;
    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
        char text[ROOM];
        struct ir ir;
        assert_int_equal(decode_word(&isa_gf100, words[i].gf100, 0x28, &ir), ISA_OK);
        isa_print(&ir, text, ROOM);
        expect(&isa_gm107, words[i].gm107, text);
    }
}

static void text_that_is_too_long_is_cut_off(void **state) {
    char whole[ROOM];
    struct ir ir;
    (void)state;
    assert_int_equal(decode_word(&isa_gf100, 0x8013c000fc001d06, 8, &ir), ISA_OK);
    size_t length = isa_print(&ir, whole, ROOM);
    for (size_t room = 1; room < length + 3; room++) {
        char text[ROOM];
        memset(text, '#', ROOM);
        size_t expected = room <= length ? room - 1 : length;
        assert_int_equal(isa_print(&ir, text, room), expected);
        assert_memory_equal(text, whole, expected);
        assert_int_equal(text[expected], 0);
        assert_int_equal(text[room], '#');
    }
    whole[0] = '#';
    assert_int_equal(isa_print(&ir, whole, 0), 0);
    assert_int_equal(whole[0], '#');
}

static void every_word_has_a_text(void **state) {
    static const struct isa *const sets[] = {&isa_gf100, &isa_gf100k, &isa_gk110, &isa_gm107};
    uint64_t seed = 0x9e3779b97f4a7c15;
    (void)state;
    for (unsigned i = 0; i < 200000; i++) {
        char text[ROOM];
        struct ir ir;
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        if (decode_word(sets[i % 4], i & 4 ? seed : seed & seed << 11, 8, &ir) != ISA_OK)
            continue;
        size_t length = isa_print(&ir, text, ROOM);
        assert_int_equal(length, strlen(text));
        assert_in_range(length, 2, ROOM - 2);
        if (!strstr(text, ir.name))
            fail_msg("%s: %s", ir.name, text);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(operands_stand_in_nvidias_order),  cmocka_unit_test(guards_tests_and_joins_are_said),
        cmocka_unit_test(textures_name_their_operands),     cmocka_unit_test(all_sets_have_one_text),
        cmocka_unit_test(text_that_is_too_long_is_cut_off), cmocka_unit_test(every_word_has_a_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
