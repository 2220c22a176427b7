/* SPDX-License-Identifier: MIT */
/* GF100 and GK104: every encoding decodes, nothing else does, short words are Fermi's, words for the scheduler GK104's.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "isa/rows.h"

/* Each list is those of both, and then its own. */
static const struct encoding both[] = {
#include "isa/gf100.inc"
#include "isa/gf100_short.inc"
};
static const struct encoding fermi[] = {
#include "isa/gf100_fermi.inc"
};
static const struct encoding kepler[] = {
#include "isa/gf100_kepler.inc"
};
enum {
    BOTH = sizeof(both) / sizeof(both[0]),
    FERMI = sizeof(fermi) / sizeof(fermi[0]),
    KEPLER = sizeof(kepler) / sizeof(kepler[0])
};

static void with_both(const struct isa *isa, const struct encoding *own, size_t count,
                      void (*expect)(const struct isa *isa, const struct encoding *list, size_t count)) {
    struct encoding list[BOTH + FERMI + KEPLER];
    memcpy(list, both, sizeof(both));
    memcpy(list + BOTH, own, count * sizeof(own[0]));
    expect(isa, list, BOTH + count);
}

static void every_encoding_decodes(void **state) {
    (void)state;
    with_both(&isa_gf100, fermi, FERMI, expect_encodings);
    with_both(&isa_gf100k, kepler, KEPLER, expect_encodings);
}

static void nothing_else_decodes(void **state) {
    (void)state;
    with_both(&isa_gf100, fermi, FERMI, expect_nothing_else);
    with_both(&isa_gf100k, kepler, KEPLER, expect_nothing_else);
}

static void short_words_have_four_bytes(void **state) {
    const uint8_t two[16] = {0x08, 0x1c, 0, 0, 0xe7, 0x1d, 0, 0, 0, 0, 0, 0x80};
    struct ir ir;
    (void)state;
    struct isa_decoded found = isa_gf100.decode(two, sizeof(two), 0, &ir, 1);
    assert_int_equal(found.result, ISA_OK);
    assert_int_equal(ir.op, IR_NOP);
    assert_int_equal(found.bytes, 4);
    found = isa_gf100.decode(two + 4, sizeof(two) - 4, 4, &ir, 1);
    assert_int_equal(found.result, ISA_OK);
    assert_int_equal(ir.op, IR_EXIT);
    assert_int_equal(found.bytes, 8);
}

/* What lies past the end is 0: there the short word is whole, and the long one lacks its operation. */
static void bytes_that_are_missing_are_zeros(void **state) {
    const uint8_t two[] = {0x08, 0x1c, 0, 0, 0xe7, 0x1d, 0, 0, 0, 0, 0, 0x80};
    struct ir ir;
    (void)state;
    assert_int_equal(isa_gf100.decode(two, 4, 0, &ir, 1).result, ISA_OK);
    assert_int_equal(ir.op, IR_NOP);
    assert_int_equal(isa_gf100.decode(two + 4, 8, 4, &ir, 1).result, ISA_OK);
    assert_int_equal(ir.op, IR_EXIT);
    assert_int_equal(isa_gf100.decode(two + 4, 4, 4, &ir, 1).result, ISA_OK);
    assert_int_equal(ir.op, IR_BRA);
}

static void the_first_of_eight_words_of_gk104_is_the_schedulers(void **state) {
    struct ir ir;
    (void)state;
    for (uint32_t address = 0; address < 0x100; address += 8) {
        assert_int_equal(decode_word(&isa_gf100, 0x8000000000001de7, address, &ir), ISA_OK);
        assert_int_equal(decode_word(&isa_gf100k, 0x8000000000001de7, address, &ir),
                         address % 64 ? ISA_OK : ISA_SCHEDULE);
        assert_int_equal(ir.address, address);
    }
    assert_int_equal(decode_word(&isa_gf100k, 0x2202020202020207, 8, &ir), ISA_SCHEDULE);
    assert_int_equal(decode_word(&isa_gf100, 0x2202020202020207, 8, &ir), ISA_ILLEGAL);
}

static void reserved_values_are_illegal(void **state) {
    static const uint64_t words[] = {
        UINT64_MAX,
        0x580000000c111c40 | 2ull << 46, /* FMUL: the third source as the second of two */
        0x580000000c111c40 | 7ull << 49, /* FMUL, scale 7 */
        0x48c00000fc001c04 | 3ull << 5,  /* VOTE, mode 3 */
        0xc100000003f01c05 | 7ull << 5,  /* LDS of size 7 */
        0xc100000003f05cc5,              /* LDS of 16 bytes to R1 */
        0x8013c000fc001d06 | 4ull << 57, /* TEX, level by mode 4 */
        0x802bc000fc001d06,              /* TEX of target 5 */
        0xa0d3c000fc001d06,              /* TLD4, offsets 3 */
        0x1000000000001c04,              /* F2F of types without a name */
        0x2400000003f01ce4,              /* PRMT, mode 7 */
        0x3800000000000007,              /* no operation of this type */
        0xf800000000000000,
    };
    struct ir ir;
    (void)state;
    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
        if (decode_word(&isa_gf100, words[i], 8, &ir) != ISA_ILLEGAL)
            fail_msg("%016llx is %s", (unsigned long long)words[i], ir.name);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_encoding_decodes),
        cmocka_unit_test(nothing_else_decodes),
        cmocka_unit_test(short_words_have_four_bytes),
        cmocka_unit_test(bytes_that_are_missing_are_zeros),
        cmocka_unit_test(the_first_of_eight_words_of_gk104_is_the_schedulers),
        cmocka_unit_test(reserved_values_are_illegal),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
