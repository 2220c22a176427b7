/* SPDX-License-Identifier: MIT */
/* `pfifo grep`, and the same conditions for decode and run. What a person asks, on the samples. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tool/tool.h"

static char *quad, *clear;

static int begin(void **state) {
    (void)state;
    quad = sample_path("nv117-quad.nvcap.xz");
    clear = sample_path("nv40-clear.nvcap.xz");
    return 0;
}

static int end(void **state) {
    (void)state;
    free(quad);
    free(clear);
    return 0;
}

static size_t lines_of(const char *text) {
    size_t lines = 0;

    for (; *text; text++)
        lines += *text == '\n';
    return lines;
}

static void where_is_the_clear_and_what_is_around_it(void **state) {
    (void)state;
    struct outcome outcome = tool_run("grep", "-B2", "-A", "1", "CLEAR_SURFACE.R_ENABLE=TRUE", quad);
    expect_status(0, &outcome);
    expect_printed(&outcome, "submission 2 channel 0: 1 segment\n  segment ");
    expect_printed(&outcome, "CLEAR_SURFACE ");
    expect_printed(&outcome, "SET_COLOR_CLEAR_VALUE(3)");
    assert_int_equal(lines_of(outcome.out), 6);
    outcome_free(&outcome);
}

static void how_often_and_in_which_files(void **state) {
    (void)state;
    struct outcome outcome = tool_run("grep", "--count", "MAXWELL_A.CLEAR_SURFACE", quad);
    expect_status(0, &outcome);
    assert_string_equal(outcome.out, "1\n");
    outcome_free(&outcome);
    outcome = tool_run("grep", "--count", "MAXWELL_A.CLEAR_SURFACE", quad, clear);
    expect_status(0, &outcome);
    expect_printed(&outcome, "nv117-quad.nvcap.xz:1\n");
    expect_printed(&outcome, "nv40-clear.nvcap.xz:0\n");
    outcome_free(&outcome);
    outcome = tool_run("grep", "-l", "MAXWELL_A.CLEAR_SURFACE", quad, clear);
    expect_status(0, &outcome);
    assert_int_equal(lines_of(outcome.out), 1);
    expect_printed(&outcome, "nv117-quad.nvcap.xz\n");
    outcome_free(&outcome);
    outcome = tool_run("grep", "CLEAR_*", quad, clear);
    expect_status(0, &outcome);
    expect_printed(&outcome, "nv117-quad.nvcap.xz:\nsubmission ");
    expect_printed(&outcome, "nv40-clear.nvcap.xz:\nsubmission ");
    outcome_free(&outcome);
}

static void nothing_found_and_nothing_understood_are_told_apart(void **state) {
    (void)state;
    struct outcome outcome = tool_run("grep", "MAXWELL_A.CLEAR_SURFACE", clear);
    expect_status(1, &outcome);
    assert_string_equal(outcome.out, "");
    outcome_free(&outcome);
    outcome = tool_run("grep", "CLAER_SURFACE", clear);
    expect_status(2, &outcome);
    assert_non_null(strstr(outcome.err, "column 1: no class has a method 'CLAER_SURFACE'"));
    outcome_free(&outcome);
    outcome = tool_run("decode", "--where=CLAER_SURFACE", clear);
    expect_status(2, &outcome);
    assert_non_null(strstr(outcome.err, "--where: query, column 1: no class has a method 'CLAER_SURFACE'"));
    outcome_free(&outcome);
    outcome = tool_run("grep", "data=1", "/nowhere/at.all", quad);
    expect_status(2, &outcome);
    expect_printed(&outcome, "submission 1");
    outcome_free(&outcome);
    outcome = tool_run("grep", "data=1");
    expect_status(2, &outcome);
    outcome_free(&outcome);
    outcome = tool_run("grep", "-C", "1001", "data=1", quad);
    expect_status(2, &outcome);
    outcome_free(&outcome);
    outcome = tool_run("grep", "--max-count=0", "data=1", quad);
    expect_status(2, &outcome);
    outcome_free(&outcome);
    outcome = tool_run("grep", "--json", "--count", "data=1", quad);
    expect_status(2, &outcome);
    assert_non_null(strstr(outcome.err, "--count, --files-with-matches and --json exclude each other"));
    outcome_free(&outcome);
    outcome = tool_run("grep", "-c", "CLEAR_SURFACE", quad); /* a habit from another grep */
    expect_status(2, &outcome);
    assert_non_null(strstr(outcome.err, "there is no chip 'CLEAR_SURFACE'; -c is --chip, and --count counts"));
    outcome_free(&outcome);
}

static void only_some_submissions_of_decode(void **state) {
    (void)state;
    struct outcome outcome = tool_run("decode", "--submit=3..4", quad);
    expect_status(0, &outcome);
    expect_printed(&outcome, "submission 3 channel");
    expect_printed(&outcome, "submission 4 channel");
    assert_null(strstr(outcome.out, "submission 2 channel"));
    assert_null(strstr(outcome.out, "submission 5 channel"));
    outcome_free(&outcome);
}

static void the_same_conditions_for_decode_as_json(void **state) {
    (void)state;
    struct outcome outcome = tool_run("decode", "--json", "--class=MAXWELL_A", "--method=0x1900..0x19ff",
                                      "--subchannel=0", "--where", "data=0x3c", quad);
    expect_status(0, &outcome);
    assert_int_equal(lines_of(outcome.out), 1);
    expect_printed(&outcome, "\"name\":\"CLEAR_SURFACE\"");
    outcome_free(&outcome);
    outcome = tool_run("decode", "--digest", "--where=data=1", quad);
    expect_status(2, &outcome);
    outcome_free(&outcome);
}

static void the_same_conditions_for_a_trace(void **state) {
    (void)state;
    struct outcome outcome = tool_run("run", "--trace", "--where=CLEAR_SURFACE event=puller.method", quad);
    expect_status(0, &outcome);
    expect_printed(&outcome, "puller.method subchannel=0 class=0xb097:MAXWELL_A method=0x19d0:CLEAR_SURFACE");
    assert_int_equal(lines_of(strstr(outcome.out, "puller.method")), lines_of(outcome.out));
    assert_null(strstr(strchr(outcome.out, '\n'), "puller."));
    outcome_free(&outcome);
    outcome = tool_run("run", "--where=CLEAR_SURFACE", quad);
    expect_status(2, &outcome);
    assert_non_null(strstr(outcome.err, "need --trace"));
    outcome_free(&outcome);
}

static void what_only_a_trace_has_is_no_line(void **state) {
    (void)state;
    static const char *const commands[] = {"decode", "top", "grep"};
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++) {
        struct outcome outcome = i == 2 ? tool_run("grep", "event=engine.draw", quad)
                                        : tool_run(commands[i], "--where=event=engine.draw", quad);
        expect_status(2, &outcome);
        assert_string_equal(outcome.out, "");
        if (!strstr(outcome.err, "'engine.draw' is an event of a run; lines are submission, ") ||
            !strstr(outcome.err, "; pfifo run --trace prints events"))
            fail_msg("%s: %s", commands[i], outcome.err);
        outcome_free(&outcome);
    }
    struct outcome outcome = tool_run("debug", "-e", "break memory=3", quad);
    assert_non_null(strstr(outcome.err, "only events of a run have 'memory'"));
    outcome_free(&outcome);
}

static void raw_words_can_be_asked(void **state) {
    static const unsigned char words[] = {0x40, 0x20, 0x04, 0x00, 1, 0, 0, 0};
    char *path = temporary_path(".bin");
    (void)state;
    write_file(path, words, sizeof words);
    struct outcome outcome = tool_run("grep", "--raw", "--chip=NV40", "event=header", path);
    expect_status(0, &outcome);
    outcome_free(&outcome);
    remove(path);
    free(path);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(where_is_the_clear_and_what_is_around_it),
        cmocka_unit_test(how_often_and_in_which_files),
        cmocka_unit_test(nothing_found_and_nothing_understood_are_told_apart),
        cmocka_unit_test(only_some_submissions_of_decode),
        cmocka_unit_test(the_same_conditions_for_decode_as_json),
        cmocka_unit_test(the_same_conditions_for_a_trace),
        cmocka_unit_test(what_only_a_trace_has_is_no_line),
        cmocka_unit_test(raw_words_can_be_asked),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
