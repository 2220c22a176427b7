/* SPDX-License-Identifier: MIT */
/* Streams with wrong counts: the decoder says what is wrong, and reads what can still be read. */
#include "decode/recorder.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <string.h>

static const struct pfifo_decode_options none = {0};
static struct recorder r;

static int stop(void **state) {
    (void)state;
    recorder_stop(&r);
    r.decoder = NULL;
    return 0;
}

/* FERMI_A: 0x100 NO_OPERATION, 0x110 WAIT_FOR_IDLE, 0x114 LOAD_MME_INSTRUCTION_RAM_POINTER, 0x118 ..._RAM. */
static void commands_that_a_count_has_swallowed_are_read_again(void **state) {
    (void)state;
    recorder_start(&r, "GF100", none);
    recorder_segment(&r, 0, 0, PFIFO_DECODE_BY_IB,
                     "inc 0 0 0x9097\ninc 0 0x110 count=2 1\nonce 0 0x114 0xd6 0xfffe9017 0xc0020047\n"
                     "imm 0 0x110 7\nimm 0 0x100 8\n");
    recorder_expect(&r, 1,
                    "0 increasing 0 0 count 1\n4 method 0 0 data 9097\n"
                    "8 increasing 0 110 count 2\nc method 0 110 data 1\n10 method 0 114 data a0030045\n"
                    "14 error no command has this form\n"
                    "10 skipped 1\n"
                    "10 increase-once 0 114 count 3\n14 method 0 114 data d6\n"
                    "18 method 0 118 data fffe9017\n1c method 0 118 data c0020047\n"
                    "20 method 0 110 data 7\n24 method 0 100 data 8\n");
    assert_string_equal(r.events[7].text, "read again as commands: the count before is too large");
}

/* The same where a missing return tells of it: the rest of the segment is not lost. */
static void commands_that_a_count_has_swallowed_up_to_the_end_are_read_again(void **state) {
    (void)state;
    recorder_start(&r, "NV40", none);
    assert_int_equal(pfifo_decoder_object(r.decoder, 0, 0xbeef, 0x4097, NULL, NULL), PFIFO_OK);
    recorder_segment(&r, 0, 0x1000, PFIFO_DECODE_BY_CALL,
                     "inc 0 0 0xbeef\nnoninc 0 0x100 count=9 1\ninc 0 0x100 2\nreturn\n");
    recorder_expect(&r, 1,
                    "1000 increasing 0 0 count 1\n1004 method 0 0 data beef\n"
                    "1008 non-increasing 0 100 count 9\n100c method 0 100 data 1\n1010 method 0 100 data 40100\n"
                    "1014 method 0 100 data 2\n1018 method 0 100 data 20000\n"
                    "101c error the segment ends inside a command\n"
                    "1010 skipped 3\n"
                    "1010 increasing 0 100 count 1\n1014 method 0 100 data 2\n1018 return to 0\n");
}

/* Data that would end the segment, jump, or take everything that follows as data. */
static void data_behind_a_count_that_is_too_small_are_not_taken_for_commands(void **state) {
    static const struct {
        const char *data, *error;
    } rows[] = {
        {"fffe9017", "8 error the segment would end here, but with bits that an end does not have: taken for data"},
        {"e0000001", "8 error the segment would end here, but with bits that an end does not have: taken for data"},
        {"7f800000", "8 error the class has no such method: taken for data after a wrong count"},
        {"2fff6101", "8 error the header runs over the last method"},
        {"c0020047", "8 error no command has this form"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char source[200];
        recorder_start(&r, "GF100", (struct pfifo_decode_options){.bound = {0x9097}});
        snprintf(source, sizeof source,
                 "inc 0 0x110 1\nword %s 00001234\ninc 0 0x110 5\nimm 0 0x100 6\nimm 0 0x110 7\nimm 0 0x100 8\n",
                 rows[i].data);
        recorder_segment(&r, 0, 0, PFIFO_DECODE_BY_IB, source);
        assert_string_equal(recorder_line(&r, 3), rows[i].error);
        assert_string_equal(recorder_line(&r, 4), "c skipped 1");
        assert_string_equal(recorder_line(&r, 5), "10 increasing 0 110 count 1");
        assert_int_equal(r.count, 10);
        recorder_stop(&r);
    }
    r.decoder = NULL;
}

static void garbage_is_skipped_up_to_methods_that_the_class_has(void **state) {
    (void)state;
    recorder_start(&r, "GF100", (struct pfifo_decode_options){.bound = {0x9097}});
    /* Two headers of subchannels without a class, three methods that FERMI_A does not have. */
    recorder_segment(&r, 0, 0, PFIFO_DECODE_BY_IB,
                     "word c0000000\nimm 5 0x100 1\nimm 6 0x100 1\nimm 0 0x180 1\nimm 0 0x184 1\nimm 0 0x188 1\n"
                     "word e0000007\nimm 0 0x110 1\nimm 0 0x110 2\nimm 0 0x110 3\n");
    recorder_expect(&r, 1,
                    "0 error no command has this form\n4 skipped 6\n"
                    "1c method 0 110 data 1\n20 method 0 110 data 2\n24 method 0 110 data 3\n");
}

/* A method that a class does not have is no reason to doubt the words, as long as commands follow each other. */
static void unknown_methods_in_good_order_stay_methods(void **state) {
    (void)state;
    recorder_start(&r, "GF100", (struct pfifo_decode_options){.bound = {0x9097}});
    recorder_segment(&r, 0, 0, PFIFO_DECODE_BY_IB,
                     "inc 0 0x180 1 2\nimm 0 0x184 1\nimm 5 0x100 1\nimm 0 0x110 1\nimm 0 0x110 2\nimm 0 0x110 3\n");
    recorder_expect(&r, 1,
                    "0 increasing 0 180 count 2\n4 method 0 180 data 1\n8 method 0 184 data 2\n"
                    "c method 0 184 data 1\n10 method 5 100 data 1\n14 method 0 110 data 1\n18 method 0 110 data 2\n"
                    "1c method 0 110 data 3\n");
}

/* What is after an end that is one stays dropped, and so does what makes no sense after one that is not. */
static void ends_without_commands_behind_them_are_ends(void **state) {
    (void)state;
    recorder_start(&r, "GF100", (struct pfifo_decode_options){.bound = {0x9097}});
    recorder_segment(&r, 0, 0, PFIFO_DECODE_BY_IB, "end\nimm 0 0x110 1\nimm 0 0x110 2\nimm 0 0x110 3\n");
    recorder_segment(&r, 0, 0x100, PFIFO_DECODE_BY_IB, "word e0000007 c0000000 c0000000\n");
    recorder_expect(&r, 0,
                    "segment 0 count 4\n0 end-segment 0\n4 skipped 3\n"
                    "segment 100 count 3\n100 end-segment 0\n104 skipped 2\n");
}

static void a_command_that_would_swallow_a_submission_ends_before_it(void **state) {
    (void)state;
    recorder_start(&r, "GF100", (struct pfifo_decode_options){.bound = {0x9097}});
    recorder_segment(&r, 0, 0, PFIFO_DECODE_BY_IB, "noninc 0 0x118 count=100 1\n");
    /* Within a submission this is how drivers send data, whatever they look like. */
    recorder_segment(&r, 0, 0x100, PFIFO_DECODE_BY_IB, "imm 0 0x110 1\nimm 0 0x110 2\nimm 0 0x110 3\n");
    assert_int_equal(pfifo_decoder_submission(r.decoder, 0, 2, 1, NULL), PFIFO_OK);
    recorder_segment(&r, 0, 0x200, PFIFO_DECODE_BY_IB, "imm 0 0x110 1\nimm 0 0x110 2\nimm 0 0x110 3\n");
    recorder_expect(&r, 4,
                    "100 method 0 118 data 80010044\n104 method 0 118 data 80020044\n108 method 0 118 data 80030044\n"
                    "submission 2\n"
                    "segment 200 count 3\n"
                    "200 error would be data of the command before, but commands begin here: its count is wrong\n"
                    "200 method 0 110 data 1\n204 method 0 110 data 2\n208 method 0 110 data 3\n");
}

/* A digest is that of what the hardware executes. */
static void who_wants_a_digest_gets_what_the_hardware_does(void **state) {
    const struct pfifo_decode_options options = {.bound = {0x9097}, .format = PFIFO_DECODE_DIGEST};
    (void)state;
    recorder_start(&r, "GF100", options);
    recorder_segment(&r, 0, 0, PFIFO_DECODE_BY_IB,
                     "word 7f800001 e0000007\nimm 0 0x110 1\nimm 0 0x110 2\nimm 0 0x110 3\n");
    assert_string_equal(recorder_line(&r, 1), "0 non-increasing 0 4 count 8064");
    assert_int_equal(r.count, 6);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(commands_that_a_count_has_swallowed_are_read_again, stop),
        cmocka_unit_test_teardown(commands_that_a_count_has_swallowed_up_to_the_end_are_read_again, stop),
        cmocka_unit_test_teardown(data_behind_a_count_that_is_too_small_are_not_taken_for_commands, stop),
        cmocka_unit_test_teardown(garbage_is_skipped_up_to_methods_that_the_class_has, stop),
        cmocka_unit_test_teardown(unknown_methods_in_good_order_stay_methods, stop),
        cmocka_unit_test_teardown(ends_without_commands_behind_them_are_ends, stop),
        cmocka_unit_test_teardown(a_command_that_would_swallow_a_submission_ends_before_it, stop),
        cmocka_unit_test_teardown(who_wants_a_digest_gets_what_the_hardware_does, stop),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
