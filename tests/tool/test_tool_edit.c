/* SPDX-License-Identifier: MIT */
/* `pfifo edit` and `pfifo reduce`: captures with less in them, or something else. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tool/tool.h"

enum { ROOM = 1 << 20 };

static char *quad, *output;

static int begin(void **state) {
    (void)state;
    quad = sample_path("nv117-quad.nvcap.xz");
    output = temporary_path("edited.nvcap");
    return 0;
}

static int end(void **state) {
    (void)state;
    remove(output);
    free(quad);
    free(output);
    return 0;
}

static void clear_to_another_colour(void **state) {
    (void)state;
    struct outcome outcome =
        tool_run("edit", "--where=SET_COLOR_CLEAR_VALUE(0)", "--data=0x3f800000", "-o", output, quad);
    expect_status(0, &outcome);
    expect_printed(&outcome, "1780 methods, 0 dropped, 1 changed\n");
    outcome_free(&outcome);
    outcome = tool_run("diff", "-U0", quad, output);
    expect_status(1, &outcome);
    expect_printed(&outcome, "SET_COLOR_CLEAR_VALUE(0)             3e800000  0.25\n+");
    expect_printed(&outcome, "SET_COLOR_CLEAR_VALUE(0)             3f800000  1\n");
    outcome_free(&outcome);
    outcome = tool_run("run", output);
    expect_status(0, &outcome);
    outcome_free(&outcome);
}

/* As asm takes it; without braces, fields that are not named stay. */
static void data_by_name(void **state) {
    static const struct {
        const char *method, *data, *found;
    } rows[] = {{"SET_COLOR_CLEAR_VALUE(0)", "--data=1.0", "3f800000  1\n"},
                {"SET_COLOR_CLEAR_VALUE(0)", "--data=-2", "c0000000  -2\n"},
                {"CLEAR_SURFACE", "--data={ R_ENABLE=TRUE }", "00000004  "},
                {"CLEAR_SURFACE", "--data=R_ENABLE|A_ENABLE", "00000024  "},
                {"CLEAR_SURFACE", "--data=R_ENABLE=FALSE MRT_SELECT=1", "00000078  "}};
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct outcome outcome = tool_run("edit", "--where", rows[i].method, rows[i].data, "-o", output, quad);
        expect_status(0, &outcome);
        expect_printed(&outcome, "0 dropped, 1 changed\n");
        outcome_free(&outcome);
        outcome = tool_run("grep", rows[i].method, output);
        expect_printed(&outcome, rows[i].found);
        outcome_free(&outcome);
    }
}

static void data_that_a_method_does_not_have_is_told(void **state) {
    (void)state;
    struct outcome outcome = tool_run("edit", "--method=CLEAR_SURFACE", "--data=R_ENABLE=TREU", "-o", output, quad);
    expect_status(1, &outcome);
    expect_printed(&outcome, "0 changed, 1 could not be\n");
    assert_string_equal(outcome.err, "pfifo: --data=R_ENABLE=TREU: MAXWELL_A.CLEAR_SURFACE (0x19d0): the field has no "
                                     "value 'R_ENABLE=TREU'; did you mean 'TRUE'?\n");
    outcome_free(&outcome);
    outcome = tool_run("edit", "--method=*", "--data=0x1ffffffff", "-o", output, quad);
    expect_status(2, &outcome);
    assert_non_null(strstr(outcome.err, "--data=0x1ffffffff: no data: '0x1ffffffff'"));
    outcome_free(&outcome);
}

static void without_the_draw(void **state) {
    (void)state;
    struct outcome outcome = tool_run("edit", "--where=CALL_MME_*", "--drop", "-o", output, quad);
    expect_status(0, &outcome);
    outcome_free(&outcome);
    outcome = tool_run("grep", "--count", "CALL_MME_*", output);
    expect_status(1, &outcome);
    assert_string_equal(outcome.out, "0\n");
    outcome_free(&outcome);
}

/* The submission that draws, again and again. */
static void the_same_a_thousand_times(void **state) {
    (void)state;
    struct outcome outcome = tool_run("edit", "--submit=3", "--repeat=1000", "-o", output, quad);
    expect_status(0, &outcome);
    outcome_free(&outcome);
    outcome = tool_run("run", output);
    expect_status(0, &outcome);
    expect_printed(&outcome, "  draws         1000, 4000 vertices");
    outcome_free(&outcome);
}

static void nothing_to_change_is_told_by_the_status(void **state) {
    (void)state;
    struct outcome outcome = tool_run("edit", "--where=subc=6", "--drop", "-o", output, quad);
    expect_status(1, &outcome);
    outcome_free(&outcome);
    outcome = tool_run("edit", "--where=subc=6", "-o", output, quad);
    expect_status(2, &outcome);
    outcome_free(&outcome);
    outcome = tool_run("edit", "--where=subc=6", "--drop", "-o", "/nowhere/at.all", quad);
    expect_status(2, &outcome);
    assert_non_null(strstr(outcome.err, "/nowhere/at.all"));
    outcome_free(&outcome);
}

static void what_is_missing_is_named(void **state) {
    const struct {
        const char *arguments[6], *why;
    } rows[] = {{{"edit", "--drop", "-o", "/dev/null"}, "a capture is missing"},
                {{"edit", "-o", "/dev/null", quad}, "what to do is missing: --drop, --data=DATA or --repeat=N"},
                {{"edit", "--drop", "-o", "/dev/null", quad}, "no methods are selected: use --method, "},
                {{"edit", "--drop", "--method=*", quad}, "--output=FILE is missing"}};
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct outcome outcome = tool_run_to(NULL, rows[i].arguments);
        expect_status(2, &outcome);
        if (!strstr(outcome.err, rows[i].why))
            fail_msg("no '%s' in: %s", rows[i].why, outcome.err);
        outcome_free(&outcome);
    }
}

static void the_fewest_methods_with_which_a_command_fails(void **state) {
    (void)state;
    static const char script[] = "\"$0\" decode \"$1\" | grep -q CLEAR_SURFACE && "
                                 "\"$0\" decode \"$1\" | grep -q 'SET_COLOR_CLEAR_VALUE(2)' && exit 3; exit 0";
    struct outcome outcome = tool_run("reduce", "-o", output, quad, "--", "sh", "-c", script, tool_name(), "{}");
    expect_status(0, &outcome);
    expect_printed(&outcome, ": 2 of 1780 methods, after ");
    outcome_free(&outcome);
    outcome = tool_run("top", "--json", output);
    expect_printed(&outcome, "\"methods\":2,");
    outcome_free(&outcome);
}

static size_t read_output(char data[ROOM]) {
    FILE *stream = fopen(output, "rb");
    assert_non_null(stream);
    size_t bytes = fread(data, 1, ROOM, stream);
    assert_true(bytes > 0 && bytes < ROOM);
    fclose(stream);
    return bytes;
}

/* Some outcomes are as expected, and some are not: the candidates that ran meanwhile do not count. */
static void commands_that_run_at_once_give_the_same(void **state) {
    static const char *const jobs[] = {"--jobs=1", "--jobs=2", "--jobs=5"};
    static const char script[] =
        "test $(\"$0\" grep --count 'CLEAR_SURFACE or SET_COLOR_CLEAR_VALUE' \"$1\") -ge 2 && exit 1; exit 0";
    static char file[3][ROOM];
    size_t bytes[3];
    char *out[3];
    (void)state;
    for (size_t i = 0; i < 3; i++) {
        struct outcome outcome =
            tool_run("reduce", jobs[i], "--runs=9", "-o", output, quad, "--", "sh", "-c", script, tool_name(), "{}");
        expect_status(0, &outcome);
        out[i] = strdup(outcome.out);
        bytes[i] = read_output(file[i]);
        outcome_free(&outcome);
        assert_string_equal(out[i], out[0]);
        assert_int_equal(bytes[i], bytes[0]);
        assert_memory_equal(file[i], file[0], bytes[0]);
    }
    assert_non_null(strstr(out[0], " of 1780 methods, after 10 runs\n"));
    for (size_t i = 0; i < 3; i++)
        free(out[i]);
    struct outcome outcome = tool_run("reduce", "--jobs=65", "-o", output, quad, "--", "false");
    expect_status(2, &outcome);
    outcome_free(&outcome);
}

static void reducing_ends_after_so_many_runs(void **state) {
    (void)state;
    struct outcome outcome = tool_run("reduce", "--runs=1", "-o", output, quad, "--", "false");
    expect_status(0, &outcome);
    expect_printed(&outcome, ": 890 of 1780 methods, after 2 runs\n");
    outcome_free(&outcome);
}

static void a_command_that_does_not_fail_is_told(void **state) {
    (void)state;
    struct outcome outcome = tool_run("reduce", "-o", output, quad, "true");
    expect_status(1, &outcome);
    assert_non_null(strstr(outcome.err, "the command does not fail with the whole capture"));
    outcome_free(&outcome);
    outcome = tool_run("reduce", "--status=2", "-o", output, quad, "false");
    expect_status(1, &outcome);
    outcome_free(&outcome);
    /* Before it runs anything. */
    outcome = tool_run("reduce", "-o", "/nowhere/at.all", quad, "--", "/nowhere/at/all");
    expect_status(2, &outcome);
    assert_string_equal(outcome.err, "pfifo: /nowhere/at.all: cannot write: No such file or directory\n");
    outcome_free(&outcome);
    outcome = tool_run("reduce", "-o", output, quad);
    expect_status(2, &outcome);
    assert_non_null(strstr(outcome.err, "the command that fails with the capture is missing"));
    outcome_free(&outcome);
    outcome = tool_run("reduce", "-o", output, quad, "--", "/nowhere/at/all");
    expect_status(2, &outcome);
    assert_non_null(strstr(outcome.err, "/nowhere/at/all: cannot run"));
    outcome_free(&outcome);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(clear_to_another_colour),
        cmocka_unit_test(data_by_name),
        cmocka_unit_test(data_that_a_method_does_not_have_is_told),
        cmocka_unit_test(without_the_draw),
        cmocka_unit_test(the_same_a_thousand_times),
        cmocka_unit_test(nothing_to_change_is_told_by_the_status),
        cmocka_unit_test(what_is_missing_is_named),
        cmocka_unit_test(the_fewest_methods_with_which_a_command_fails),
        cmocka_unit_test(commands_that_run_at_once_give_the_same),
        cmocka_unit_test(reducing_ends_after_so_many_runs),
        cmocka_unit_test(a_command_that_does_not_fail_is_told),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
