/* SPDX-License-Identifier: MIT */
/* The user's file of options: what it gives to which command, and what is said of a wrong one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "temporary.h"
#include "tool/tool.h"

#define COUNT_OF(a) (sizeof(a) / sizeof((a)[0]))

static char *quad, *path;

static int begin(void **state) {
    (void)state;
    quad = sample_path("nv117-quad.nvcap.xz");
    path = temporary_path(".config");
    return 0;
}

static int end(void **state) {
    (void)state;
    unlink(path);
    free(path);
    free(quad);
    return 0;
}

static void configure_bytes(const char *text, size_t bytes) {
    write_file(path, text, bytes);
    setenv("PFIFO_CONFIG", path, 1);
}

static void configure(const char *text) {
    configure_bytes(text, strlen(text));
}

/* Both say the same. */
static void expect_same(const struct outcome *one, const struct outcome *other) {
    assert_int_equal(one->status, other->status);
    assert_string_equal(one->out, other->out);
    assert_string_equal(one->err, other->err);
}

static void options_of_the_section_are_as_if_typed(void **state) {
    (void)state;
    setenv("PFIFO_CONFIG", "", 1);
    struct outcome typed = tool_run("top", "--by=class", "--json", "--where=not CLEAR_SURFACE", quad), filed;
    configure("# mine\n"
              "[decode]\n"
              "digest\n"
              "[ top ]\r\n"
              "\tby = class\t\n"
              "json=yes\n"
              "\n"
              "  # where of a query has blanks\n"
              "where = not CLEAR_SURFACE");
    filed = tool_run("top", quad);
    expect_status(0, &filed);
    expect_same(&typed, &filed);
    outcome_free(&typed);
    outcome_free(&filed);
}

/* None of them passes its section over. */
static void each_command_has_a_section(void **state) {
    static const char *const names[] = {"run",      "record", "decode", "grep",    "diff",  "state", "image", "report",
                                        "top",      "edit",   "reduce", "explain", "asm",   "chips", "info",  "events",
                                        "timeline", "lint",   "regs",   "shell",   "serve", "vm"};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        char text[64], said[96];
        snprintf(text, sizeof text, "[%s]\nno-such-option = 1\n", names[i]);
        snprintf(said, sizeof said, ":2: pfifo %s has no option 'no-such-option'", names[i]);
        configure(text);
        struct outcome outcome = tool_run(names[i]);
        expect_status(2, &outcome);
        assert_non_null(strstr(outcome.err, said));
        outcome_free(&outcome);
    }
}

static void what_is_typed_wins(void **state) {
    (void)state;
    configure("[top]\nby = class\n[chips]\njson = no\n[decode]\nchip = NV4\n[run]\nstats\n");
    struct outcome outcome = tool_run("top", "--by=form", quad);
    expect_status(0, &outcome);
    expect_printed(&outcome, "\n   PACKETS  FORM\n");
    outcome_free(&outcome);
    outcome = tool_run("chips");
    expect_status(0, &outcome);
    expect_printed(&outcome, "chip  ");
    outcome_free(&outcome);
    outcome = tool_run("decode", "--chip=GM107", quad);
    expect_status(0, &outcome);
    outcome_free(&outcome);
    /* Other commands have none of it. */
    outcome = tool_run("explain", "PBENTRY");
    expect_status(0, &outcome);
    outcome_free(&outcome);
}

/* Options stand before the words of commands that pass words on. */
static void a_program_does_not_get_the_options(void **state) {
    (void)state;
    configure("[reduce]\nruns = 1\nstatus = 9\n");
    struct outcome outcome = tool_run("reduce", "-o", "/dev/null", quad, "--", "sh", "-c", "exit 3");
    expect_status(1, &outcome);
    outcome_free(&outcome);
    outcome = tool_run("reduce", "-o", "/dev/null", quad, "--", "sh", "-c", "test $# = 0 && exit 9");
    expect_status(0, &outcome);
    outcome_free(&outcome);
}

static void a_wrong_file_is_told_with_the_line(void **state) {
    static const struct {
        const char *text, *message;
    } rows[] = {
        {"json\n", ":1: an option before the first [COMMAND]\n"},
        {"\n[tip]\n", ":2: there is no command 'tip'\n"},
        {"[help]\n", ":1: there is no command 'help'\n"},
        {"[top\n", ":1: a section is [COMMAND]\n"},
        {"[top] json\n", ":1: a section is [COMMAND]\n"},
        {"[top]\n# so\njsn\n", ":3: pfifo top has no option 'jsn'; did you mean 'json'?\n"},
        {"[top]\nxyzzyxyzzy = 1\n", ":2: pfifo top has no option 'xyzzyxyzzy'\n"},
        {"[top]\n--json\n", ":2: a line is OPTION = VALUE, without the --\n"},
        {"[top]\nby class\n", ":2: a line is OPTION = VALUE, without the --\n"},
        {"[top]\n= class\n", ":2: a line is OPTION = VALUE, without the --\n"},
        {"[top]\nby\n", ":2: 'by' needs a value\n"},
        {"[top]\njson = maybe\n", ":2: 'json' is yes or no, not 'maybe'\n"},
        {"[top]\nby = colour\n", ":2: --by is method, class or form, not 'colour'\n"},
        {"[top]\njson\nchip = NV999\n", ":3: there is no chip 'NV999'; pfifo chips lists them\n"},
        {"[top]\ncolor = pink\n", ":2: --color is auto, always or never, not 'pink'\n"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        char wanted[400];
        configure(rows[i].text);
        struct outcome outcome = tool_run("top", quad);
        expect_status(2, &outcome);
        assert_string_equal(outcome.out, "");
        snprintf(wanted, sizeof wanted, "pfifo: %s%s", path, rows[i].message);
        assert_string_equal(outcome.err, wanted);
        outcome_free(&outcome);
    }
}

static void an_option_that_does_not_fit_what_is_typed_is_told(void **state) {
    char wanted[400];
    (void)state;
    configure("[decode]\njson\n");
    struct outcome outcome = tool_run("decode", "--digest", quad);
    expect_status(2, &outcome);
    assert_ptr_equal(strstr(outcome.err, "pfifo decode: --json, --digest"), outcome.err);
    outcome_free(&outcome);
    configure("[run]\ntrace = puller.*\n");
    outcome = tool_run("run", "--digest", quad);
    expect_status(2, &outcome);
    snprintf(wanted, sizeof wanted, "\npfifo: %s:2: --trace=puller.* was given here\n", path);
    assert_non_null(strstr(outcome.err, wanted));
    outcome_free(&outcome);
    outcome = tool_run("run");
    expect_status(2, &outcome);
    assert_ptr_equal(strstr(outcome.err, "pfifo run: a capture or script is missing\n"), outcome.err);
    outcome_free(&outcome);
}

static void what_is_no_text_is_no_file_of_options(void **state) {
    static char large[70000];
    char wanted[400];
    (void)state;
    configure_bytes("[top]\njson\n\0\n", 13);
    struct outcome outcome = tool_run("top", quad);
    expect_status(2, &outcome);
    snprintf(wanted, sizeof wanted, "pfifo: %s:3: this is no text\n", path);
    assert_string_equal(outcome.err, wanted);
    outcome_free(&outcome);
    memset(large, '#', sizeof large);
    configure_bytes(large, sizeof large);
    outcome = tool_run("top", quad);
    expect_status(2, &outcome);
    snprintf(wanted, sizeof wanted, "pfifo: %s: it is too large\n", path);
    assert_string_equal(outcome.err, wanted);
    outcome_free(&outcome);
    setenv("PFIFO_CONFIG", "/nonexistent/config", 1);
    outcome = tool_run("top", quad);
    expect_status(2, &outcome);
    assert_string_equal(outcome.err, "pfifo: /nonexistent/config: cannot read: No such file or directory\n");
    outcome_free(&outcome);
}

/* FOLDER/pfifo/config */
static void put_config(const char *folder, const char *text) {
    char name[TEMPORARY_PATH + 64];

    mkdir(folder, 0700);
    snprintf(name, sizeof name, "%s/pfifo", folder);
    assert_int_equal(mkdir(name, 0700), 0);
    snprintf(name, sizeof name, "%s/pfifo/config", folder);
    write_file(name, text, strlen(text));
}

static void drop_config(const char *folder) {
    char name[TEMPORARY_PATH + 64];

    snprintf(name, sizeof name, "%s/pfifo/config", folder);
    unlink(name);
    *strrchr(name, '/') = 0;
    rmdir(name);
    *strrchr(name, '/') = 0;
    rmdir(name);
}

static void expect_heading(const char *heading) {
    struct outcome outcome = tool_run("top", quad);

    expect_status(0, &outcome);
    expect_printed(&outcome, heading);
    outcome_free(&outcome);
}

static void the_file_is_where_the_desktop_says(void **state) {
    char home[TEMPORARY_PATH], dots[TEMPORARY_PATH + 16], base[TEMPORARY_PATH + 16];
    (void)state;
    temporary_pattern(home, "");
    assert_non_null(mkdtemp(home));
    snprintf(dots, sizeof dots, "%s/.config", home);
    snprintf(base, sizeof base, "%s/base", home);
    unsetenv("PFIFO_CONFIG");
    unsetenv("XDG_CONFIG_HOME");
    setenv("HOME", home, 1);
    expect_heading("  CLASS                          METHOD\n"); /* there is none */
    put_config(dots, "[top]\nby = class\n");
    put_config(base, "[top]\nby = form\n");
    expect_heading("  CLASS\n");
    setenv("XDG_CONFIG_HOME", base, 1);
    expect_heading("  FORM\n");
    setenv("XDG_CONFIG_HOME", "base", 1); /* no absolute path */
    expect_heading("  CLASS\n");
    setenv("PFIFO_CONFIG", "", 1);
    expect_heading("  METHOD\n");
    drop_config(dots);
    drop_config(base);
    rmdir(home);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(options_of_the_section_are_as_if_typed),
        cmocka_unit_test(each_command_has_a_section),
        cmocka_unit_test(what_is_typed_wins),
        cmocka_unit_test(a_program_does_not_get_the_options),
        cmocka_unit_test(a_wrong_file_is_told_with_the_line),
        cmocka_unit_test(an_option_that_does_not_fit_what_is_typed_is_told),
        cmocka_unit_test(what_is_no_text_is_no_file_of_options),
        cmocka_unit_test(the_file_is_where_the_desktop_says),
    };

    unsetenv("PFIFO_TRACE");
    return cmocka_run_group_tests(tests, begin, end);
}
