/* SPDX-License-Identifier: MIT */
/* The assembler: every command on the chips that have it, and a message with a line number for everything else. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#include <pfifo/decode.h>

static void expect_words(const char *chip, const char *text, size_t count, const uint32_t *expected) {
    uint32_t words[32] = {0};
    struct pfifo_error error = {0};
    size_t found;

    if (pfifo_assemble(pfifo_chip_by_name(chip), text, words, 32, &found, &error) != PFIFO_OK)
        fail_msg("%s: %s", text, error.message);
    assert_int_equal(found, count);
    for (size_t i = 0; i < count; i++)
        if (words[i] != expected[i])
            fail_msg("%s: word %zu is %08x, expected %08x", text, i, words[i], expected[i]);
}

#define EXPECT(chip, text, ...)                                                                                        \
    do {                                                                                                               \
        const uint32_t words_[] = {__VA_ARGS__};                                                                       \
        expect_words(chip, text, sizeof words_ / sizeof words_[0], words_);                                            \
    } while (0)

static void expect_error(const char *chip, const char *text, const char *message) {
    struct pfifo_error error = {0};
    uint32_t words[4];
    size_t count;

    assert_int_equal(pfifo_assemble(pfifo_chip_by_name(chip), text, words, 4, &count, &error), PFIFO_ERROR_ARGUMENT);
    assert_string_equal(error.message, message);
}

static void methods_of_nv4_and_nv10(void **state) {
    (void)state;
    EXPECT("NV4", "inc 3 0x180 1 0x10", 0x00086180, 1, 16);
    EXPECT("NV10", "noninc 0 256 5", 0x40040100, 5);
    EXPECT("G80", "long 1 0x100 5 6", 0x00032100, 2, 5, 6);
    EXPECT("NV4", "inc 0 0x100", 0x00000100);
    EXPECT("NV4", "inc 0 0x100 count=3 7", 0x000c0100, 7);
    EXPECT("G80", "long 0 0x100 count=0x123456", 0x00030100, 0x123456);
}

static void methods_of_gf100(void **state) {
    (void)state;
    EXPECT("GF100", "inc 0 0x100 1", 0x20010040, 1);
    EXPECT("GF100", "noninc 1 0x3ffc 1 2", 0x60022fff, 1, 2);
    EXPECT("GV100", "once 2 0x104 1 2", 0xa0024041, 1, 2);
    EXPECT("GK104", "imm 7 0x100 0x1fff", 0x9fffe040);
}

static void control_flow_and_masks(void **state) {
    (void)state;
    EXPECT("NV40", "jump 0xfffffffc\ncall 0x1000\nreturn\noldjump 0x1ffffffc\nsli 0xfff\nnop", 0xfffffffd, 0x1002,
           0x20000, 0x3ffffffc, 0x1fff0, 0);
    EXPECT("G80", "jump 4\nreturn", 5, 0x20000);
    EXPECT("GF100", "nop\nsetmask 1\nstoremask 0x801\nusemask\nend", 0, 0x10010, 0x28010, 0x30000, 0xe0000000);
}

static void data_may_be_negative_or_float(void **state) {
    (void)state;
    EXPECT("NV4", "inc 0 0x100 -1 -2147483648 4294967295 1.0 -0.5 1e3", 0x00180100, 0xffffffff, 0x80000000, 0xffffffff,
           0x3f800000, 0xbf000000, 0x447a0000);
}

static void methods_have_names(void **state) {
    (void)state;
    EXPECT("GF100", "inc 0 FERMI_A.SET_OBJECT 0x9097", 0x20010000, 0x9097);
    EXPECT("GF100", "inc 0 9097.NO_OPERATION 0", 0x20010040, 0);
    EXPECT("GF100", "imm 0 .SET_REFERENCE 3", 0x80030014);
}

static void comments_blanks_and_raw_words(void **state) {
    (void)state;
    EXPECT("NV4", "# nothing\n\n \tword deadbeef,0x1 # two\r\nword 2#three\n#", 0xdeadbeef, 1, 2);
}

static void errors_name_line_and_column(void **state) {
    (void)state;
    expect_error("NV4", "nop\n\nfoo 1", "line 3, column 1: no command, and no method of a class that is bound: 'foo'");
    expect_error("NV4", "noninc 0 0x100 1",
                 "line 1, column 1: pushbuffers of NV4 have no 'noninc'; the first chip that has it is NV10");
    expect_error("NV4", "call 4",
                 "line 1, column 1: pushbuffers of NV4 have no 'call'; the last chip that has it is MCP89");
    expect_error("NV10", "jump 4",
                 "line 1, column 1: pushbuffers of NV10 have no 'jump'; the last chip that has it is MCP89");
    expect_error("NV40", "jump 2",
                 "line 1, column 1: 'jump' on NV40 goes to multiples of 4 up to 0xfffffffc, not to 0x2");
    expect_error("GV100", "jump 4",
                 "line 1, column 1: pushbuffers of GV100 have no 'jump'; the last chip that has it is MCP89");
    expect_error("NV4", "inc 0 0x100 count=2048 1",
                 "line 1, column 1: 'inc' on NV4 has 0x7ff words of data at most, not 0x800");
    expect_error("NV40", "sli 0x1000", "line 1, column 1: 'sli' on NV40 has room for a number up to 0xfff, not 0x1000");
    expect_error("NV10", "oldjump 0x20000000",
                 "line 1, column 1: 'oldjump' on NV10 goes to multiples of 4 up to 0x1ffffffc, not to 0x20000000");
    expect_error("NV4", "inc", "line 1, column 4: the subchannel is missing");
    expect_error("NV4", "inc 8 0x100", "line 1, column 5: no subchannel: '8'");
    expect_error("NV4", "inc 0", "line 1, column 6: the method is missing");
    expect_error("NV4", "bind 0", "line 1, column 7: the class is missing");
    expect_error("NV4", "inc 0 NOPE.FOO", "line 1, column 7: there is no such class, to have a method: 'NOPE.FOO'");
    expect_error("NV4", "inc 0 0x102 1",
                 "line 1, column 1: 'inc' on NV4 reaches methods that are multiples of 4 up to 0x1ffc, not 0x102");
    expect_error("NV4", "inc 0 0x2000 1",
                 "line 1, column 1: 'inc' on NV4 reaches methods that are multiples of 4 up to 0x1ffc, not 0x2000");
    expect_error("NV4", "inc 0 0x100 1x", "line 1, column 13: no data: '1x'");
    expect_error("NV4", "inc 0 0x100 4294967296", "line 1, column 13: no data: '4294967296'");
    expect_error("NV4", "inc 0 0x100 0x", "line 1, column 13: no data: '0x'");
    expect_error("NV4", "word 1 xyz", "line 1, column 8: no hexadecimal word: 'xyz'");
    expect_error("NV40", "return 1", "line 1, column 8: too much: '1'");
    expect_error("NV40", "sli", "line 1, column 4: the number is missing");
    expect_error("GF100", "imm 0 0x100 0x2000",
                 "line 1, column 1: 'imm' on GF100 has room for a number up to 0x1fff, not 0x2000");
}

/* What is told of a text: "LINE:COLUMN: ..." of errors and "LINE:COLUMN:? ..." of warnings, with a | after each. */
static void tell(void *opaque, const struct pfifo_assemble_message *message) {
    char *all = opaque;
    size_t used = strlen(all);

    snprintf(all + used, 4096 - used, "%u:%u:%s %s|", (unsigned)message->line, (unsigned)message->column,
             message->warning ? "?" : "", message->text);
}

static enum pfifo_status told_of(const char *chip, const char *text, bool segment, char all[4096]) {
    const struct pfifo_assemble_options options = {
        .chip = pfifo_chip_by_name(chip), .segment = segment, .told = tell, .told_opaque = all};
    size_t count;

    all[0] = 0;
    return pfifo_assemble_text(text, strlen(text), &options, NULL, 0, &count, NULL);
}

static void all_errors_of_a_text_are_told(void **state) {
    char all[4096], text[400] = "";
    unsigned count = 0;

    (void)state;
    assert_int_equal(told_of("NV40", "jump x\ninc 9\na: nop\nreturn 1\na: foo\n", false, all), PFIFO_ERROR_ARGUMENT);
    assert_string_equal(all, "2:5: no subchannel: '9'|4:8: too much: '1'|"
                             "5:4: no command, and no method of a class that is bound: 'foo'|"
                             "5:1: there already is a label 'a'|1:6: there is no label 'x'|");
    /* Of the decoder's text, the error of a segment and that of the line after it. */
    assert_int_equal(told_of("NV40", "  segment 00001000: 2 words\n  00001000 00000000 nop\nfoo\n", false, all),
                     PFIFO_ERROR_ARGUMENT);
    assert_non_null(strstr(all, "1:1: of the segment's words, 1 from 00001004 on are missing"));
    assert_non_null(strstr(all, "|3:1: no command"));
    for (unsigned i = 0; i < 50; i++)
        memcpy(text + i * strlen("end 1\n"), "end 1\n", sizeof "end 1\n");
    assert_int_equal(told_of("GF100", text, false, all), PFIFO_ERROR_ARGUMENT);
    for (const char *at = all; (at = strchr(at, '|')); at++)
        count++;
    assert_int_equal(count, PFIFO_ASSEMBLE_MESSAGES);
}

/* Commands that a chip has, but that fault where captures have their words. */
static void what_faults_in_a_segment_is_told(void **state) {
    static const char ring[] =
        " on G80 is for channels without a ring: in an entry of a ring, as captures and pfifo run "
        "have it, it is no command, and faults|";
    char all[4096], expected[1024];

    (void)state;
    assert_int_equal(told_of("G80", "jump 4\nreturn", false, all), PFIFO_OK);
    snprintf(expected, sizeof expected, "1:1:? 'jump'%s2:1:? 'return'%s", ring, ring);
    assert_string_equal(all, expected);
    assert_int_equal(told_of("G80", "jump 4\nreturn", true, all), PFIFO_ERROR_ARGUMENT);
    snprintf(expected, sizeof expected, "1:1: 'jump'%s2:1: 'return'%s", ring, ring);
    assert_string_equal(all, expected);
    assert_int_equal(told_of("NV40", "jump 4\ncall 4\nreturn", true, all), PFIFO_OK);
    assert_string_equal(all, "");
    /* What is taken as it is, is nobody's command; what a chip's rings have is not told of. */
    assert_int_equal(told_of("NV40", "word 00001002\nsli 1\nnop\noldjump 0", true, all), PFIFO_OK);
    assert_string_equal(all, "");
    assert_int_equal(told_of("G80", "00001000 00001002 call to 00001000\nlong 0 0x100 1\nsli 1\nnop", true, all),
                     PFIFO_OK);
    assert_string_equal(all, "");
    assert_int_equal(told_of("GF100", "end\nsetmask 1\nusemask\nimm 0 0x100 1", true, all), PFIFO_OK);
    assert_string_equal(all, "");
}

static void a_float_for_an_integer_is_told(void **state) {
    char all[4096];

    (void)state;
    assert_int_equal(told_of("GF100", "inc 0 SET_OBJECT FERMI_A\nSET_DEPTH_FUNC 1.0\nSET_ALPHA_REF 1.0", false, all),
                     PFIFO_OK);
    assert_string_equal(all, "2:16:? '1.0' is the bits of a float, and this method's data is no float|");
}

static void a_text_that_does_not_fit_is_counted(void **state) {
    const struct pfifo_chip *chip = pfifo_chip_by_name("G80");
    uint32_t words[3] = {0, 0, 0x5a5a5a5a};
    size_t count;

    (void)state;
    assert_int_equal(pfifo_assemble(chip, "long 0 0x100 1 2 3", words, 2, &count, NULL), PFIFO_OK);
    assert_int_equal(count, 5);
    assert_int_equal(words[0], 0x00030100);
    assert_int_equal(words[1], 3);
    assert_int_equal(words[2], 0x5a5a5a5a);
    assert_int_equal(pfifo_assemble(chip, "nop", NULL, 0, &count, NULL), PFIFO_OK);
    assert_int_equal(count, 1);
    assert_int_equal(pfifo_assemble(NULL, "nop", NULL, 0, &count, NULL), PFIFO_ERROR_ARGUMENT);
    assert_int_equal(pfifo_assemble(pfifo_chip_by_name("NV1"), "nop", NULL, 0, &count, NULL), PFIFO_ERROR_UNSUPPORTED);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(methods_of_nv4_and_nv10),
        cmocka_unit_test(methods_of_gf100),
        cmocka_unit_test(control_flow_and_masks),
        cmocka_unit_test(data_may_be_negative_or_float),
        cmocka_unit_test(methods_have_names),
        cmocka_unit_test(comments_blanks_and_raw_words),
        cmocka_unit_test(errors_name_line_and_column),
        cmocka_unit_test(all_errors_of_a_text_are_told),
        cmocka_unit_test(what_faults_in_a_segment_is_told),
        cmocka_unit_test(a_float_for_an_integer_is_told),
        cmocka_unit_test(a_text_that_does_not_fit_is_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
