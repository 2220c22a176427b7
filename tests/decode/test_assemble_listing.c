/* SPDX-License-Identifier: MIT */
/* The assembler reads what the decoder prints. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "decode/assemble_words.h"

static struct pfifo_assemble_options on(const char *chip) {
    return (struct pfifo_assemble_options){.chip = pfifo_chip_by_name(chip)};
}

#define SEGMENT "submission 1 channel 0: 1 segment\n  segment 0100020000: 3 words, no prefetch\n"
#define HEADER  "    0100020000 20020000 increasing            subc 0 method 0000 count 1\n"
#define OBJECT  "    0100020004 00009097   0 9097 FERMI_A   0000 SET_OBJECT   00009097  NVCLASS=0x9097 ENGINE=0x0\n"
#define SOFT    "    0100020008 80010040 = 0 soft           0100 ?            00000001\n"

static void a_segment_gives_its_words(void **state) {
    struct pfifo_assemble_options options = on("GF100");

    (void)state;
    EXPECT_WORDS(&options, SEGMENT HEADER OBJECT SOFT "  fence: syncpoint 1, value 2\n", 0x20020000, 0x9097,
                 0x80010040);
    EXPECT_WORDS(&options, "  wait: sync object 5\n" SEGMENT HEADER OBJECT SOFT "  signal: sync object 6, point 2\n",
                 0x20020000, 0x9097, 0x80010040);
    /* A part that was copied from somewhere. */
    EXPECT_WORDS(&options, OBJECT SOFT, 0x9097, 0x80010040);
    /* Two segments follow each other, wherever they are; commands may follow, too. */
    EXPECT_WORDS(
        &options,
        "  entry 0000001000: 0000040000020000 -> 0100020000, 1 word\n  segment 0100020000: 1 word\n" HEADER
        "  segment 0100020004: 1 word\n" OBJECT "nop\n"
        "methods that their class does not have: 1\n  class 9097 FERMI_A has no method 0x0001: 1 time, first at "
        "0100020000\n",
        0x20020000, 0x9097, 0);
}

/* Only the word of a line counts. */
static void the_word_of_a_line_may_be_changed(void **state) {
    struct pfifo_assemble_options options = on("GF100");

    (void)state;
    EXPECT_WORDS(&options, "    0100020004 0000902d   0 9097 FERMI_A   0000 SET_OBJECT   00009097\n", 0x902d);
}

static void lines_that_go_back_or_jump_are_sorted(void **state) {
    struct pfifo_assemble_options options = on("GF100");

    (void)state;
    EXPECT_WORDS(&options,
                 SEGMENT HEADER SOFT "    0100020004 1 word read again as commands: the count before is too "
                                     "large\n" OBJECT SOFT,
                 0x20020000, 0x9097, 0x80010040);
}

static void words_that_were_skipped_are_in_the_text(void **state) {
    struct pfifo_assemble_options options = on("GF100");

    (void)state;
    EXPECT_WORDS(&options,
                 "  segment 0100020000: 4 words\n    0100020000 c0000000 ERROR: no command has this form\n"
                 "    0100020004 2 words skipped to find the next command\n    0100020004 : 00000001 0000000a\n"
                 "    010002000c 00000000 nop\n    0100020010 00000000 ERROR: the segment ends inside a command\n",
                 0xc0000000, 1, 10, 0);
    /* An error says where, with or without the word. */
    EXPECT_WORDS(&options, SEGMENT HEADER OBJECT "    0100020004 00000000 ERROR: the target is not there\n" SOFT,
                 0x20020000, 0x9097, 0x80010040);
}

static void a_word_that_is_missing_is_an_error(void **state) {
    struct pfifo_assemble_options options = on("GF100");

    (void)state;
    expect_refused(
        &options, SEGMENT HEADER SOFT,
        "line 4, column 1: of the segment's words, 1 from 100020004 on are missing; in order, lines would be "
        "taken as they come");
    expect_refused(
        &options, SEGMENT HEADER "nop",
        "line 2, column 1: of the segment's words, 2 from 100020004 on are missing; in order, lines would be "
        "taken as they come");
    expect_refused(&options, "  segment 0100020000: 1 word\n" OBJECT,
                   "line 2, column 1: 100020004 is not in the segment");
    expect_refused(&options, HEADER "    0100020000 00000001 increasing  subc 0 method 0004 count 0\n",
                   "line 2, column 1: 100020000 has another word in a line before");
    options.in_order = true;
    EXPECT_WORDS(&options, SEGMENT HEADER SOFT SOFT "nop\n" OBJECT, 0x20020000, 0x80010040, 0x80010040, 0, 0x9097);
    EXPECT_WORDS(&options,
                 "    0100020000 c0000000 ERROR: no command has this form\n" SOFT
                 "    0100020008 00000000 ERROR: somewhere\n",
                 0xc0000000, 0x80010040);
}

/* Two numbers of eight digits alone may be anything. */
static void what_only_looks_like_a_line_of_decode_is_refused(void **state) {
    struct pfifo_assemble_options options = on("GF100");

    (void)state;
    expect_refused(&options, "00000000 00000001",
                   "line 1, column 1: no command, and no method of a class that is bound: '00000000'");
    expect_refused(&options, "entry 1",
                   "line 1, column 1: no command, and no method of a class that is bound: 'entry'");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_segment_gives_its_words),
        cmocka_unit_test(the_word_of_a_line_may_be_changed),
        cmocka_unit_test(lines_that_go_back_or_jump_are_sorted),
        cmocka_unit_test(words_that_were_skipped_are_in_the_text),
        cmocka_unit_test(a_word_that_is_missing_is_an_error),
        cmocka_unit_test(what_only_looks_like_a_line_of_decode_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
