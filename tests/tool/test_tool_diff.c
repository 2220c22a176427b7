/* SPDX-License-Identifier: MIT */
/* `pfifo diff`: what changed between two recordings of nearly the same program. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tool/tool.h"

static char *small, *odd;

static int begin(void **state) {
    (void)state;
    small = sample_path("nvc0-clear.nvcap.xz");
    odd = sample_path("nvc0-clear-65x63.nvcap.xz");
    return 0;
}

static int end(void **state) {
    (void)state;
    free(small);
    free(odd);
    return 0;
}

static void what_does_another_window_size_change(void **state) {
    (void)state;
    struct outcome outcome = tool_run("diff", "-U1", small, odd);
    expect_status(1, &outcome);
    expect_printed(&outcome, "nvc0-clear.nvcap.xz\n+++ ");
    expect_printed(&outcome, "nvc0-clear-65x63.nvcap.xz\n@@ submission 2, 0101ce0204 | submission 2, 0101ce0204 @@\n"
                             "     0101ce01fc 00000000   0 9097 FERMI_A ");
    expect_printed(&outcome,
                   "\n-    0101ce0218 00000040   0 9097 FERMI_A                   0808 SET_COLOR_TARGET_WIDTH(0) "
                   "           00000040\n");
    expect_printed(&outcome,
                   "\n+    0101ce0218 00000041   0 9097 FERMI_A                   0808 SET_COLOR_TARGET_WIDTH(0) "
                   "           00000041\n");
    outcome_free(&outcome);
}

static void a_stream_is_like_itself(void **state) {
    (void)state;
    struct outcome outcome = tool_run("diff", small, small);
    expect_status(0, &outcome);
    assert_string_equal(outcome.out, "");
    outcome_free(&outcome);
}

static void how_much_is_different(void **state) {
    (void)state;
    struct outcome outcome = tool_run("diff", "--stat", small, odd);
    expect_status(1, &outcome);
    assert_string_equal(outcome.out, "1213 same, 13 removed, 13 added\n");
    outcome_free(&outcome);
    outcome = tool_run("diff", "--stat", "--ignore-addresses", small, odd);
    assert_string_equal(outcome.out, "1214 same, 12 removed, 12 added\n");
    outcome_free(&outcome);
    outcome = tool_run("diff", "--stat", "--class=FERMI_A", small, odd);
    assert_string_equal(outcome.out, "763 same, 4 removed, 4 added\n");
    outcome_free(&outcome);
    outcome = tool_run("diff", "-q", small, odd);
    expect_status(1, &outcome);
    assert_string_equal(outcome.out, "");
    outcome_free(&outcome);
}

static void raw_words_are_compared_without_their_no_ops(void **state) {
    (void)state;
    static const uint8_t one[] = {0x80, 0, 1, 0x80}, two[] = {0, 0, 0, 0, 0x80, 0, 1, 0x80};
    char *a = temporary_path("a"), *b = temporary_path("b");

    write_file(a, one, sizeof one);
    write_file(b, two, sizeof two);
    struct outcome outcome = tool_run("diff", "--raw", "--chip=GF100", a, b);
    expect_status(0, &outcome);
    outcome_free(&outcome);
    remove(a);
    remove(b);
    free(a);
    free(b);
}

static void what_do_two_programs_leave_in_memory(void **state) {
    (void)state;
    struct outcome outcome = tool_run("diff", "--state", small, odd);
    expect_status(1, &outcome);
    expect_printed(&outcome, "nvc0-clear-65x63.nvcap.xz\n  buffer 12     13 bytes differ in 0x204..0x318, "
                             "first 00400000 | 00410000\n");
    expect_printed(&outcome, "009400 PTIMER.TIME_LOW ");
    outcome_free(&outcome);
    outcome = tool_run("diff", "--state", "--json", small, odd);
    expect_status(1, &outcome);
    expect_printed(&outcome, "\"kind\":\"memory\",\"buffer\":12,\"offset\":516,\"end\":793,\"bytes\":13,"
                             "\"value\":[4194304,4259840]}\n");
    outcome_free(&outcome);
    outcome = tool_run("diff", "--state", "-q", small, odd);
    expect_status(1, &outcome);
    assert_string_equal(outcome.out, "");
    outcome_free(&outcome);
    outcome = tool_run("diff", "--state", small, small);
    expect_status(0, &outcome);
    assert_string_equal(outcome.out, "");
    outcome_free(&outcome);
}

static void states_of_what_is_no_capture_are_not_compared(void **state) {
    (void)state;
    struct outcome outcome = tool_run("diff", "--state", "--class=FERMI_A", small, odd);
    expect_status(2, &outcome);
    assert_non_null(strstr(outcome.err, "--state is for whole captures"));
    outcome_free(&outcome);
    outcome = tool_run("diff", "--state", "--chip=GF100", "--base=0x1000", small, odd);
    expect_status(2, &outcome);
    assert_non_null(strstr(outcome.err, "--state is for whole captures"));
    outcome_free(&outcome);
    outcome = tool_run("diff", "--json", small, odd);
    expect_status(2, &outcome);
    assert_non_null(strstr(outcome.err, "--json needs --state"));
    outcome_free(&outcome);
}

static void on_which_chip_does_it_go_wrong(void **state) {
    char *old = sample_path("nv40-clear.nvcap.xz");

    (void)state;
    struct outcome outcome = tool_run("run", "--against=NV30", old);
    expect_status(1, &outcome);
    expect_printed(&outcome, "--- NV40\n+++ NV30\nin submission 1:\n  faults        0 PGRAPH ILLEGAL_MTHD | 14\n");
    outcome_free(&outcome);
    outcome = tool_run("run", "--json", "--against=NV30", old);
    expect_status(1, &outcome);
    expect_printed(&outcome, "{\"a\":\"NV40\",\"b\":\"NV30\",\"submission\":1,\"kind\":\"faults\","
                             "\"name\":\"PGRAPH ILLEGAL_MTHD\",\"value\":[0,14]}\n");
    outcome_free(&outcome);
    outcome = tool_run("run", "--against=GF119", small);
    expect_status(0, &outcome);
    assert_string_equal(outcome.out, "");
    outcome_free(&outcome);
    outcome = tool_run("run", "--against=GF119", "--stats", small);
    expect_status(2, &outcome);
    assert_non_null(strstr(outcome.err, "--against prints the first difference and nothing else"));
    outcome_free(&outcome);
    free(old);
}

static void what_is_wrong_is_said(void **state) {
    (void)state;
    struct outcome outcome = tool_run("diff", small);
    expect_status(2, &outcome);
    assert_non_null(strstr(outcome.err, "two files are needed"));
    outcome_free(&outcome);
    outcome = tool_run("diff", small, small, small);
    expect_status(2, &outcome);
    assert_non_null(strstr(outcome.err, "there are more than two files"));
    outcome_free(&outcome);
    outcome = tool_run("diff", small, "/nowhere/at.all");
    expect_status(2, &outcome);
    assert_non_null(strstr(outcome.err, "/nowhere/at.all"));
    outcome_free(&outcome);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_does_another_window_size_change),
        cmocka_unit_test(a_stream_is_like_itself),
        cmocka_unit_test(how_much_is_different),
        cmocka_unit_test(raw_words_are_compared_without_their_no_ops),
        cmocka_unit_test(what_do_two_programs_leave_in_memory),
        cmocka_unit_test(states_of_what_is_no_capture_are_not_compared),
        cmocka_unit_test(on_which_chip_does_it_go_wrong),
        cmocka_unit_test(what_is_wrong_is_said),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
