/* SPDX-License-Identifier: MIT */
/* GM107: every encoding decodes, nothing else does, words for the scheduler are told by their address. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "isa/rows.h"

/*
 * The textures' rows ask for the predicate destination in bits 53..51 to be none; with another one they mean the same.
 */
static const struct encoding encodings[] = {
#include "isa/gm107.inc"
    {"TEX", 0xc000000000000000, 0xfc00000000000000},   {"TLD4", 0xc800000000000000, 0xfc00000000000000},
    {"TLD", 0xdc00000000000000, 0xff00000000000000},   {"TLD.B", 0xdd00000000000000, 0xff00000000000000},
    {"TXD", 0xde00000000000000, 0xffc4000000000000},   {"TXD.B", 0xde40000000000000, 0xffc4000000000000},
    {"TEX.B", 0xde80000000000000, 0xffc0000000000000}, {"TLD4.B", 0xdec0000000000000, 0xffc0000000000000},
};
enum { ENCODINGS = sizeof(encodings) / sizeof(encodings[0]) };

static void every_encoding_decodes(void **state) {
    (void)state;
    expect_encodings(&isa_gm107, encodings, ENCODINGS);
}

static void nothing_else_decodes(void **state) {
    (void)state;
    expect_nothing_else(&isa_gm107, encodings, ENCODINGS);
}

static void the_first_of_four_words_is_the_schedulers(void **state) {
    struct ir ir;
    (void)state;
    for (uint32_t address = 0; address < 0x100; address += 8) {
        enum isa_result expected = address % 32 ? ISA_OK : ISA_SCHEDULE;
        assert_int_equal(decode_word(&isa_gm107, 0xe30000000007000f, address, &ir), expected);
        assert_int_equal(ir.address, address);
    }
}

static void reserved_values_are_illegal(void **state) {
    static const uint64_t words[] = {
        0,
        UINT64_MAX,
        0x5080000000970000,               /* MUFU, function 9 */
        0x5c680e0000370104,               /* FMUL, scale 7 */
        0x5bc7000000070000,               /* PRMT, mode 7 */
        0xef47000000070000,               /* LDL of size 7 */
        0xef46000000070001,               /* LDL of 16 bytes to R1 */
        0xd830008020070100 | 7ull << 50,  /* TEXS with a second destination and mask 7 */
        0xd830008020070100 | 15ull << 53, /* TEXS of target 15 */
        0x5bf9000000070000,               /* SHF.L.HI */
        0x36f9000000070000,               /* the same by an immediate */
        0x5ca8000000070000,               /* F2F of types without a name */
    };
    struct ir ir;
    (void)state;
    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
        if (decode_word(&isa_gm107, words[i], 8, &ir) != ISA_ILLEGAL)
            fail_msg("%016llx is %s", (unsigned long long)words[i], ir.name);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_encoding_decodes),
        cmocka_unit_test(nothing_else_decodes),
        cmocka_unit_test(the_first_of_four_words_is_the_schedulers),
        cmocka_unit_test(reserved_values_are_illegal),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
