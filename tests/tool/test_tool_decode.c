/* SPDX-License-Identifier: MIT */
/* `pfifo decode`: raw words with what the caller knows of them, and streams with errors. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tool/capture.h"
#include "tool/tool.h"

/* Little-endian words in a file, to be removed and freed. */
static char *words_file(const uint32_t *words, size_t count, size_t odd) {
    uint8_t bytes[256] = {0};
    char *path = temporary_path(".bin");

    assert_true(4 * count + odd <= sizeof bytes);
    for (size_t i = 0; i < 4 * count; i++)
        bytes[i] = (uint8_t)(words[i / 4] >> 8 * (i % 4));
    write_file(path, bytes, 4 * count + odd);
    return path;
}

static void drop(char *path) {
    unlink(path);
    free(path);
}

static void expect(const struct outcome *outcome, const char *text) {
    if (!strstr(outcome->out, text))
        fail_msg("no '%s' in: %.2000s%.400s", text, outcome->out, outcome->err);
}

static void handles_of_raw_words_are_given_by_the_caller(void **state) {
    static const uint32_t words[] = {0x0004e000, 0xbeef0007, 0x0004e100, 1, 0x0004c000, 9, 0x0004c100, 2};
    (void)state;
    char *path = words_file(words, 8, 0);
    struct outcome outcome = tool_run("decode", "--raw", "--chip=NV40", path);
    expect_status(0, &outcome);
    assert_null(strstr(outcome.out, "NV40_3D"));
    outcome_free(&outcome);
    outcome = tool_run("decode", "--raw", "--chip=NV40", "--object=0xbeef0007=NV40_3D", "--object", "9=0x3089", path);
    expect_status(0, &outcome);
    expect(&outcome, "beef0007   7 4097 NV40_3D");
    expect(&outcome, "00000001   7 4097 NV40_3D                   0100 NOP");
    expect(&outcome, "00000002   6 3089 NV40_SIFM");
    outcome_free(&outcome);
    drop(path);
}

static void raw_words_that_begin_in_the_middle_have_their_classes_given(void **state) {
    static const uint32_t old_words[] = {0x0004e100, 1}, words[] = {0x80000040 | 5 << 13};
    (void)state;
    char *path = words_file(old_words, 2, 0);
    struct outcome outcome = tool_run("decode", "--raw", "--chip=NV40", "--bind=7=4097", path);
    expect_status(0, &outcome);
    expect(&outcome, "   7 4097 NV40_3D                   0100 NOP");
    outcome_free(&outcome);
    drop(path);
    path = words_file(words, 1, 0);
    outcome = tool_run("decode", "--raw", "--chip=GF100", "--bind=5=FERMI_TWOD_A", path);
    expect_status(0, &outcome);
    expect(&outcome, "= 5 902d FERMI_TWOD_A");
    outcome_free(&outcome);
    drop(path);
}

static void macros_are_listed(void **state) {
    /* Subchannel 0 has a 3D object: code at 4, and macro 2 starts there. */
    static const uint32_t words[] = {0xa0030045, 4, 0x00000301, 0x00000091, 0x20020047, 2, 4};
    (void)state;
    char *path = words_file(words, 7, 0);
    struct outcome outcome = tool_run("decode", "--raw", "--chip=GF100", "--macros", "--bind=0=9097", path);
    expect_status(0, &outcome);
    assert_string_equal(outcome.out, "channel 0: macros of 9097 FERMI_A\n"
                                     "macro 02 at 004\n"
                                     "  004 00000301  r3 = parameter\n"
                                     "  005 00000091  nop; exit\n");
    outcome_free(&outcome);
    outcome = tool_run("decode", "--raw", "--chip=NV40", "--macros", path);
    expect_status(2, &outcome);
    assert_non_null(strstr(outcome.err, "NV40 has no macros"));
    outcome_free(&outcome);
    drop(path);
}

static void a_stream_with_errors_is_exit_status_1(void **state) {
    static const uint32_t words[] = {0x00040100, 1, 0x00007001, 0, 0};
    (void)state;
    char *path = words_file(words, 2, 0);
    struct outcome outcome = tool_run("decode", "--raw", "--chip=NV40", path);
    expect_status(0, &outcome);
    outcome_free(&outcome);
    drop(path);
    path = words_file(words, 2, 3);
    outcome = tool_run("decode", "--raw", "--chip=NV40", path);
    expect_status(1, &outcome);
    expect(&outcome, "ERROR: the file ends inside a word\n");
    outcome_free(&outcome);
    drop(path);
    path = words_file(words, 5, 0);
    outcome = tool_run("decode", "--raw", "--chip=NV40", path, path);
    expect_status(1, &outcome);
    expect(&outcome, "ERROR: the target is not in memory that the decoder has\n    0010000c 2 words not decoded\n");
    outcome_free(&outcome);
    outcome = tool_run("decode", "--raw", "--digest", "--chip=NV40", path);
    expect_status(1, &outcome);
    outcome_free(&outcome);
    outcome = tool_run("decode", "--raw", "--chip=NV40", path, "/nonexistent");
    expect_status(2, &outcome);
    outcome_free(&outcome);
    drop(path);
}

static void a_loop_is_printed_twice_and_no_more(void **state) {
    static const uint32_t words[] = {0x00040100, 1, 0x20000000};
    (void)state;
    char *path = words_file(words, 3, 0);
    struct outcome outcome = tool_run("decode", "--raw", "--chip=NV40", "--base=0", path);
    size_t lines = 0;
    expect_status(1, &outcome);
    for (const char *at = outcome.out; (at = strchr(at, '\n')); at++)
        lines++;
    assert_int_equal(lines, 1 + 2 * 3 + 1);
    expect(&outcome, "ERROR: an endless loop");
    outcome_free(&outcome);
    drop(path);
}

static void a_capture_may_begin_with_classes_bound(void **state) {
    struct capture capture;
    const uint32_t words[] = {0x0004e100, 1, 0x00020000};
    (void)state;
    capture_begin(&capture, 0x40, true);
    capture_submit(&capture, words, 3, NULL);
    char *path = capture_file(&capture);
    struct outcome outcome = tool_run("decode", "--bind=7=4097", path);
    expect_status(0, &outcome);
    expect(&outcome, "   7 4097 NV40_3D                   0100 NOP");
    outcome_free(&outcome);
    drop(path);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(handles_of_raw_words_are_given_by_the_caller),
        cmocka_unit_test(raw_words_that_begin_in_the_middle_have_their_classes_given),
        cmocka_unit_test(macros_are_listed),
        cmocka_unit_test(a_stream_with_errors_is_exit_status_1),
        cmocka_unit_test(a_loop_is_printed_twice_and_no_more),
        cmocka_unit_test(a_capture_may_begin_with_classes_bound),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
