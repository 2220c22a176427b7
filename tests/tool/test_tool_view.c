/* SPDX-License-Identifier: MIT */
/* Colours and the pager: who gets them, and that nothing else changes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tool/terminal.h"
#include "tool/tool.h"

#define COUNT_OF(a) (sizeof(a) / sizeof((a)[0]))

enum { WORDS = 6 };

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

/* As if no user had ever chosen anything. */
static int nothing_is_set(void **state) {
    (void)state;
    unsetenv("PFIFO_PAGER");
    unsetenv("NO_COLOR");
    unsetenv("LESS");
    setenv("PAGER", "", 1);
    setenv("TERM", "xterm", 1);
    return 0;
}

static void without_escapes(char *text) {
    char *to = text;

    for (; *text; text++) {
        if (*text == '\033')
            text += strcspn(text, "m");
        else
            *to++ = *text;
    }
    *to = 0;
}

static void expect_plain(const struct outcome *outcome) {
    if (strchr(outcome->out, '\033'))
        fail_msg("colours in: %.400s", outcome->out);
}

static void expect_colors(const struct outcome *outcome) {
    if (!strstr(outcome->out, "\033["))
        fail_msg("no colours in: %.400s%.400s", outcome->out, outcome->err);
}

static void each_listing_has_colors_and_is_otherwise_the_same(void **state) {
    const char *const lines[][WORDS] = {
        {"decode", quad},
        {"grep", "CLEAR*", quad},
        {"diff", quad, clear},
        {"top", quad},
        {"state", "--at=2", quad},
        {"explain", "PBENTRY"},
        {"chips"},
        {"info", "NV40"},
        {"events"},
        {"regs", "NV40"},
        {"run", quad},
        {"run", "--trace", quad},
        {"grep", "-j", "CLEAR*", quad},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(lines); i++) {
        const char *always[WORDS + 1] = {lines[i][0], "--color"}, *never[WORDS + 1] = {lines[i][0], "--color=never"};
        bool json = lines[i][1] && strcmp(lines[i][1], "-j") == 0;
        memcpy(always + 2, lines[i] + 1, (WORDS - 2) * sizeof *always);
        memcpy(never + 2, lines[i] + 1, (WORDS - 2) * sizeof *never);
        struct outcome colored = tool_run_to(NULL, always), without = tool_run_to(NULL, never),
                       given = tool_run_to(NULL, lines[i]);
        assert_int_equal(colored.status, without.status);
        (json ? expect_plain : expect_colors)(&colored);
        expect_plain(&without);
        without_escapes(colored.out);
        assert_string_equal(colored.out, without.out);
        assert_string_equal(given.out, without.out);
        outcome_free(&colored);
        outcome_free(&without);
        outcome_free(&given);
    }
}

static void names_classes_and_differences_have_their_own_colors(void **state) {
    (void)state;
    struct outcome outcome = tool_run("grep", "--color=always", "CLEAR_BUFFERS", clear);
    expect_printed(&outcome, "\033[1msubmission ");
    expect_printed(&outcome, " \033[36m4097 NV40_3D\033[m ");
    expect_printed(&outcome, " \033[32m1d94 CLEAR_BUFFERS\033[m ");
    outcome_free(&outcome);
    outcome = tool_run("diff", "--color=always", quad, clear);
    expect_printed(&outcome, "\n\033[31m-    ");
    expect_printed(&outcome, "\n\033[32m+    ");
    outcome_free(&outcome);
}

static void colors_are_for_a_terminal_and_can_be_declined(void **state) {
    (void)state;
    struct outcome outcome = terminal_run("top", quad);
    expect_colors(&outcome);
    outcome_free(&outcome);
    outcome = terminal_run("top", "--color=never", quad);
    expect_plain(&outcome);
    outcome_free(&outcome);
    setenv("NO_COLOR", "1", 1);
    outcome = terminal_run("top", quad);
    expect_plain(&outcome);
    outcome_free(&outcome);
    outcome = terminal_run("top", "--color", quad);
    expect_colors(&outcome);
    outcome_free(&outcome);
    setenv("NO_COLOR", "", 1);
    setenv("TERM", "dumb", 1);
    outcome = terminal_run("top", quad);
    expect_plain(&outcome);
    outcome_free(&outcome);
    outcome = tool_run("top", "--color=sometimes", quad);
    expect_status(2, &outcome);
    outcome_free(&outcome);
}

/* The pager says that it was there, and passes on what it reads. */
#define PAGER "echo shown by $NAME; cat; true"

static void a_listing_on_a_terminal_is_shown_by_the_pager(void **state) {
    static const char *const commands[][WORDS] = {{"chips"}, {"events"}, {"explain", "PBENTRY"}, {"info", "NV40"}};
    (void)state;
    setenv("PAGER", "NAME=pager; " PAGER, 1);
    for (size_t i = 0; i < COUNT_OF(commands); i++) {
        struct outcome piped = tool_run_to(NULL, commands[i]), shown;
        setenv("NO_COLOR", "1", 1);
        shown = terminal_run_to(false, commands[i]);
        expect_status(0, &shown);
        assert_ptr_equal(strstr(shown.out, "shown by pager\n"), shown.out);
        assert_string_equal(shown.out + strlen("shown by pager\n"), piped.out);
        assert_null(strstr(piped.out, "shown by"));
        outcome_free(&piped);
        outcome_free(&shown);
    }
    setenv("PFIFO_PAGER", "NAME=own; " PAGER, 1);
    struct outcome outcome = terminal_run("top", quad);
    expect_printed(&outcome, "shown by own\n");
    outcome_free(&outcome);
    outcome = terminal_run("top", "--no-pager", quad);
    assert_null(strstr(outcome.out, "shown by"));
    outcome_free(&outcome);
    setenv("PFIFO_PAGER", "", 1);
    outcome = terminal_run("top", quad);
    assert_null(strstr(outcome.out, "shown by"));
    outcome_free(&outcome);
}

/* What runs a program, or is done in a moment, is not for a pager. */
static void a_run_has_no_pager(void **state) {
    (void)state;
    setenv("PFIFO_PAGER", "NAME=own; " PAGER, 1);
    struct outcome outcome = terminal_run("run", quad);
    expect_status(0, &outcome);
    assert_null(strstr(outcome.out, "shown by"));
    outcome_free(&outcome);
}

static void the_exit_status_is_that_of_the_command(void **state) {
    (void)state;
    setenv("PFIFO_PAGER", "cat >/dev/null; exit 7", 1);
    struct outcome outcome = terminal_run("grep", "CLEAR*", quad);
    expect_status(0, &outcome);
    outcome_free(&outcome);
    outcome = terminal_run("grep", "data=0x12345678", quad);
    expect_status(1, &outcome);
    outcome_free(&outcome);
    outcome = terminal_run("decode", "/nonexistent", quad);
    expect_status(2, &outcome);
    outcome_free(&outcome);
}

static void a_pager_that_is_left_early_is_no_failure(void **state) {
    (void)state;
    setenv("PFIFO_PAGER", "head -n1", 1);
    for (int color = 0; color < 2; color++) {
        struct outcome outcome = terminal_run("decode", color ? "--color" : "--color=never", quad, quad, quad);
        expect_status(0, &outcome);
        assert_string_equal(outcome.err, "");
        assert_non_null(strstr(outcome.out, "submission 1 channel 0: 1 segment"));
        assert_null(strchr(strchr(outcome.out, '\n') + 1, '\n'));
        outcome_free(&outcome);
    }
}

static void messages_are_shown_with_the_rest(void **state) {
    (void)state;
    setenv("PFIFO_PAGER", "sed 's/^/| /'", 1);
    struct outcome outcome = terminal_run_to(true, (const char *const[]){"decode", "/nonexistent", NULL});
    expect_status(2, &outcome);
    expect_printed(&outcome, "| pfifo: ");
    outcome_free(&outcome);
    outcome = terminal_run("decode", "/nonexistent");
    assert_string_equal(outcome.out, "");
    assert_non_null(strstr(outcome.err, "/nonexistent"));
    outcome_free(&outcome);
}

static void a_pager_that_is_not_there_is_told(void **state) {
    (void)state;
    setenv("PFIFO_PAGER", "/nonexistent/pager", 1);
    struct outcome outcome = terminal_run("decode", quad);
    expect_status(2, &outcome);
    assert_non_null(strstr(outcome.err, "pfifo: there is no such pager: /nonexistent/pager\n"));
    outcome_free(&outcome);
}

static void painted_output_that_cannot_be_written_is_told(void **state) {
    (void)state;
    struct outcome outcome = tool_run_to("/dev/full", (const char *const[]){"decode", "--color", quad, NULL});
    expect_status(2, &outcome);
    assert_non_null(strstr(outcome.err, "No space left"));
    outcome_free(&outcome);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(each_listing_has_colors_and_is_otherwise_the_same, nothing_is_set),
        cmocka_unit_test_setup(names_classes_and_differences_have_their_own_colors, nothing_is_set),
        cmocka_unit_test_setup(colors_are_for_a_terminal_and_can_be_declined, nothing_is_set),
        cmocka_unit_test_setup(a_listing_on_a_terminal_is_shown_by_the_pager, nothing_is_set),
        cmocka_unit_test_setup(a_run_has_no_pager, nothing_is_set),
        cmocka_unit_test_setup(the_exit_status_is_that_of_the_command, nothing_is_set),
        cmocka_unit_test_setup(a_pager_that_is_left_early_is_no_failure, nothing_is_set),
        cmocka_unit_test_setup(messages_are_shown_with_the_rest, nothing_is_set),
        cmocka_unit_test_setup(a_pager_that_is_not_there_is_told, nothing_is_set),
        cmocka_unit_test_setup(painted_output_that_cannot_be_written_is_told, nothing_is_set),
    };

    unsetenv("PFIFO_TRACE");
    return cmocka_run_group_tests(tests, begin, end);
}
