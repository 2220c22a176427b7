/* SPDX-License-Identifier: MIT */
/* What all commands say alike: of files that they cannot read, of readers that go away, of themselves. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tool/tool.h"

#define COUNT_OF(a) (sizeof(a) / sizeof((a)[0]))

enum { WORDS_MOST = 8 };

/* "%" in the words of a row is the file. */
static struct outcome run_with(const char *const words[WORDS_MOST], const char *file) {
    const char *arguments[WORDS_MOST + 1] = {NULL};

    for (size_t i = 0; i < WORDS_MOST && words[i]; i++)
        arguments[i] = strcmp(words[i], "%") == 0 ? file : words[i];
    return tool_run_to(NULL, arguments);
}

/* All that is said is this line. */
static void expect_only(struct outcome outcome, int status, const char *line) {
    expect_status(status, &outcome);
    assert_string_equal(outcome.err, line);
    assert_string_equal(outcome.out, "");
    outcome_free(&outcome);
}

/* ---- readers that go away ---- */

/* The reader is gone before the first word. How the tool ended, and what it said. */
static int without_reader(const char *const *arguments, bool ignored, char *said, size_t room) {
    int ends[2], complaints[2], status;
    char *argv[WORDS_MOST + 2] = {(char *)(uintptr_t) "pfifo"};
    size_t bytes = 0;
    ssize_t length;

    for (size_t i = 0; i < WORDS_MOST && arguments[i]; i++)
        argv[i + 1] = (char *)(uintptr_t)arguments[i];
    assert_int_equal(pipe(ends), 0);
    assert_int_equal(pipe(complaints), 0);
    close(ends[0]);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        signal(SIGPIPE, ignored ? SIG_IGN : SIG_DFL);
        dup2(ends[1], 1);
        dup2(complaints[1], 2);
        execv(tool_name(), argv);
        _exit(99);
    }
    close(ends[1]);
    close(complaints[1]);
    while ((length = read(complaints[0], said + bytes, room - 1 - bytes)) > 0)
        bytes += (size_t)length;
    said[bytes] = 0;
    close(complaints[0]);
    assert_int_equal(waitpid(child, &status, 0), child);
    return status;
}

static void a_reader_that_goes_away_ends_the_tool_as_it_ends_others(void **state) {
    char *sample = sample_path("nv40-quad.nvcap.xz");
    const char *const lines[][WORDS_MOST] = {
        {"decode", sample},
        {"grep", "*", sample},
        {"run", "--trace", sample},
        {"timeline", sample},
        {"top", sample},
        {"state", sample},
        {"chips"},
        {"--help"},
        {"chips", "--color=always"},
    };
    char said[200];
    (void)state;
    for (size_t i = 0; i < COUNT_OF(lines); i++) {
        int status = without_reader(lines[i], false, said, sizeof said);
        assert_string_equal(said, "");
        assert_true(WIFSIGNALED(status));
        assert_int_equal(WTERMSIG(status), SIGPIPE);
    }
    free(sample);
}

/* Who ignores the signal wants to be told otherwise. */
static void a_reader_that_goes_away_is_told_where_the_signal_is_ignored(void **state) {
    char said[200];
    (void)state;
    int status = without_reader((const char *const[]){"chips", NULL}, true, said, sizeof said);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 2);
    assert_string_equal(said, "pfifo: cannot write to standard output: Broken pipe\n");
}

static void other_files_are_complete_when_the_reader_is_gone(void **state) {
    char *sample = sample_path("nv40-quad.nvcap.xz"), *path = temporary_path(".nvcap"), said[200];
    (void)state;
    int status =
        without_reader((const char *const[]){"edit", "--drop", "--method=SET_OBJECT", "-o", path, sample, NULL}, false,
                       said, sizeof said);
    assert_true(WIFSIGNALED(status));
    struct outcome outcome = tool_run("decode", path);
    expect_status(0, &outcome);
    outcome_free(&outcome);
    unlink(path);
    free(path);
    free(sample);
}

/* ---- files ---- */

static const char *const readers[][WORDS_MOST] = {
    {"run", "%"},
    {"decode", "%"},
    {"grep", "*", "%"},
    {"diff", "%", "%"},
    {"diff", "--state", "%", "%"},
    {"state", "%"},
    {"image", "--json", "%", "target"},
    {"report", "-o", "/nowhere/at/all", "%"},
    {"top", "%"},
    {"timeline", "%"},
    {"lint", "%"},
    {"edit", "--drop", "--method=*", "-o", "/dev/null", "%"},
    {"reduce", "-o", "/dev/null", "%", "--", "false"},
};

static void an_empty_file_is_called_empty(void **state) {
    static const char *const raw[][WORDS_MOST] = {{"run", "--raw", "--chip=NV40", "%"},
                                                  {"decode", "--raw", "--chip=NV40", "%"}};
    char *path = temporary_path(".nvcap"), line[400];
    (void)state;
    snprintf(line, sizeof line, "pfifo: %s: it is empty\n", path);
    for (size_t i = 0; i < COUNT_OF(readers); i++) {
        expect_only(run_with(readers[i], path), 2, line);
        expect_only(run_with(readers[i], "/dev/null"), 2, "pfifo: /dev/null: it is empty\n");
    }
    for (size_t i = 0; i < COUNT_OF(raw); i++)
        expect_only(run_with(raw[i], path), 2, line);
    expect_only(tool_run_from("/dev/null", (const char *const[]){"run", "-", NULL}), 2, "pfifo: stdin: it is empty\n");
    expect_only(tool_run_from("/dev/null", (const char *const[]){"state", "-", NULL}), 2,
                "pfifo: stdin: it is empty\n");
    unlink(path);
    free(path);
}

static void a_file_that_is_not_there_has_the_reason(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT_OF(readers); i++) {
        expect_only(run_with(readers[i], "/nowhere/a.nvcap"), 2,
                    "pfifo: /nowhere/a.nvcap: cannot read: No such file or directory\n");
        expect_only(run_with(readers[i], "/"), 2, "pfifo: /: cannot read: Is a directory\n");
    }
    expect_only(tool_run("asm", "--chip=NV40", "--hex", "/nowhere/a"), 2,
                "pfifo: /nowhere/a: cannot read: No such file or directory\n");
}

/* The path as it was given, also of what is known to be malformed only when it is read. */
static void a_file_is_named_as_it_was_given(void **state) {
    static const uint8_t malformed[] = {'N', 'V', 'P', 'B', 'C', 'A', 'P', '1', 99, 0, 0, 0, 0, 0, 0, 0};
    static const uint8_t unknown[] = {1, 2, 3, 4};
    char *path = temporary_path(".nvcap"), line[400];
    (void)state;
    snprintf(line, sizeof line, "pfifo: %s: ", path);
    for (size_t i = 0; i < 2 * COUNT_OF(readers); i++) {
        if (i < COUNT_OF(readers))
            write_file(path, malformed, sizeof malformed);
        else
            write_file(path, unknown, sizeof unknown);
        struct outcome outcome = run_with(readers[i % COUNT_OF(readers)], path);
        if (outcome.status != 2 || strstr(outcome.err, line) != outcome.err || strstr(outcome.err + strlen(line), path))
            fail_msg("%s: status %d, %s", readers[i % COUNT_OF(readers)][0], outcome.status, outcome.err);
        outcome_free(&outcome);
    }
    unlink(path);
    free(path);
}

/* Commands that take words say how, and others do not. */
static void a_file_that_is_not_known_may_be_words(void **state) {
    static const char hint[] = "; if it is pushbuffer words: --raw --chip=CHIP\n";
    static const uint8_t unknown[] = {1, 2, 3, 4};
    char *path = temporary_path(".bin"), line[400];
    (void)state;
    write_file(path, unknown, sizeof unknown);
    snprintf(line, sizeof line, "pfifo: %s: offset 0: not a capture: ", path);
    for (size_t i = 0; i < COUNT_OF(readers); i++) {
        struct outcome outcome = run_with(readers[i], path), help = tool_run(readers[i][0], "--help");
        bool takes = strstr(help.out, " --raw ");
        expect_status(2, &outcome);
        assert_ptr_equal(strstr(outcome.err, line), outcome.err);
        if (!strstr(outcome.err, hint) != !takes)
            fail_msg("%s: %s", readers[i][0], outcome.err);
        outcome_free(&outcome);
        outcome_free(&help);
    }
    unlink(path);
    free(path);
}

static void a_file_that_cannot_be_written_has_the_reason(void **state) {
    char *sample = sample_path("nv40-clear.nvcap.xz");
    const char *const lines[][WORDS_MOST] = {
        {"run", "--trace", "-o", "%", sample},
        {"timeline", "-o", "%", sample},
        {"edit", "--drop", "--method=*", "-o", "%", sample},
        {"reduce", "-o", "%", sample, "--", "false"},
        {"asm", "--chip=NV40", "-o", "%", "/dev/null"},
        {"image", "-o", "%", sample, "target"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(lines); i++) {
        struct outcome outcome = run_with(lines[i], "/nowhere/a.png");
        expect_status(2, &outcome);
        if (!strstr(outcome.err, "pfifo: /nowhere/a.png: cannot write: No such file or directory\n"))
            fail_msg("%s: %s", lines[i][0], outcome.err);
        outcome_free(&outcome);
    }
    expect_only(tool_run("edit", "--drop", "--class=*", "-o", "/dev/full", sample), 2,
                "pfifo: /dev/full: cannot write: No space left on device\n");
    expect_only(tool_run("report", "-o", "/nowhere/a", sample), 2,
                "pfifo: /nowhere/a: cannot make a folder: No such file or directory\n");
    expect_only(tool_run("run", "--dump-buffers=/nowhere/a", sample), 2,
                "pfifo: /nowhere/a: cannot make a folder: No such file or directory\n");
    free(sample);
}

/* ---- standard input and output ---- */

static void standard_input_is_read_once(void **state) {
    static const char *const lines[][WORDS_MOST] = {{"diff", "-", "-"}, {"decode", "--digest", "-", "-"}};
    char *sample = sample_path("nv40-clear.nvcap.xz");
    (void)state;
    for (size_t i = 0; i < COUNT_OF(lines); i++) {
        struct outcome outcome = tool_run_from(sample, lines[i]);
        expect_status(2, &outcome);
        assert_string_equal(outcome.err, "pfifo: standard input, -, can be read only once\n");
        outcome_free(&outcome);
    }
    free(sample);
}

static void an_output_called_dash_is_standard_output(void **state) {
    char *sample = sample_path("nv40-clear.nvcap.xz"), *path = temporary_path(".nvcap");
    const char *const lines[][WORDS_MOST] = {
        {"edit", "--drop", "--method=SET_OBJECT", "-o", "-", sample},
        {"reduce", "--runs=1", "-o", "-", sample, "--", "false"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(lines); i++) {
        struct outcome capture = tool_run_to(NULL, lines[i]), decoded;
        expect_status(0, &capture);
        assert_ptr_equal(strstr(capture.err, "-: "), capture.err);
        write_file(path, capture.out, capture.out_bytes);
        decoded = tool_run("decode", "--digest", path);
        expect_status(0, &decoded);
        outcome_free(&capture);
        outcome_free(&decoded);
    }
    struct outcome one = tool_run("timeline", sample), other = tool_run("timeline", "-o", "-", sample);
    assert_string_equal(one.out, other.out);
    outcome_free(&one);
    outcome_free(&other);
    one = tool_run("run", "--trace", sample), other = tool_run("run", "--trace", "-o", "-", sample);
    assert_string_equal(one.out, other.out);
    outcome_free(&one);
    outcome_free(&other);
    one = tool_run("image", "-o", "-", sample, "target");
    expect_status(0, &one);
    assert_memory_equal(one.out, "\x89PNG", 4);
    outcome_free(&one);
    one = tool_run("image", "--json", "-o", "-", sample, "target");
    expect_status(2, &one);
    outcome_free(&one);
    one = tool_run("report", "-o", "-", sample);
    expect_status(2, &one);
    outcome_free(&one);
    one = tool_run("record", "-o", "-", "true");
    expect_status(2, &one);
    assert_non_null(strstr(one.err, "a recording goes to a file"));
    outcome_free(&one);
    assert_int_not_equal(access("-", F_OK), 0);
    unlink(path);
    free(path);
    free(sample);
}

/* Both in one file, as after 2>&1. */
static void messages_come_behind_what_was_printed_before(void **state) {
    char *path = temporary_path(".txt"), command[1200], text[4096];
    (void)state;
    snprintf(command, sizeof command, "'%s' explain FERMI_A nonsense >'%s' 2>&1", tool_name(), path);
    assert_true(system(command) != 0);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    text[fread(text, 1, sizeof text - 1, file)] = 0;
    fclose(file);
    assert_ptr_equal(strstr(text, "class 0x9097 FERMI_A"), text);
    assert_non_null(strstr(text, "\npfifo: there is nothing called 'nonsense'\n"));
    unlink(path);
    free(path);
}

static void what_controls_a_terminal_is_not_printed(void **state) {
    (void)state;
    expect_only(tool_run("explain", "a\033[31mb"), 2, "pfifo: there is nothing called 'a?[31mb'\n");
    expect_only(tool_run("decode", "/nowhere/\033"), 2, "pfifo: /nowhere/?: cannot read: No such file or directory\n");
    expect_only(tool_run("lint", "--budget=1", "/nowhere/\n"), 2,
                "pfifo: /nowhere/?: cannot read: No such file or directory\n");
}

static void a_command_that_is_not_known_suggests_the_nearest(void **state) {
    (void)state;
    struct outcome outcome = tool_run("decdoe", "file");
    expect_status(2, &outcome);
    assert_non_null(strstr(outcome.err, "there is no command 'decdoe'; did you mean 'decode'?"));
    outcome_free(&outcome);
    expect_only(tool_run("help", "rnu"), 2, "pfifo: there is no command 'rnu'; did you mean 'run'?\n");
}

/* ---- help ---- */

static const char *const commands[] = {
    "run",    "record", "debug",    "decode", "disasm",  "grep", "diff", "state",   "image",
    "report", "top",    "timeline", "lint",   "explain", "asm",  "edit", "reduce",  "chips",
    "info",   "events", "regs",     "shell",  "serve",   "vm",   "help", "version",
};

/* argp breaks lines without regard to columns, and leaves blanks where a text ends at the margin. */
static void expect_layout(const char *command) {
    struct outcome help = command ? tool_run(command, "--help") : tool_run("--help"), wide;
    setenv("ARGP_HELP_FMT", "rmargin=300", 1);
    wide = command ? tool_run(command, "--help") : tool_run("--help");
    unsetenv("ARGP_HELP_FMT");
    expect_status(0, &help);
    if (strstr(help.out, " \n") || strstr(help.out, "\n\n\n"))
        fail_msg("blanks in the help of %s: %s", command, help.out);
    for (const char *line = wide.out; line[0]; line += strcspn(line, "\n") + 1) {
        size_t length = strcspn(line, "\n");
        bool is_option = !strncmp(line, "  -", 3) || !strncmp(line, "      --", 8) || !strncmp(line, "  or:", 5);
        if (line[0] == ' ' && line[1] == ' ' && !is_option && length > 79)
            fail_msg("in the help of %s: %.*s", command, (int)length, line);
        if (!line[length])
            break;
    }
    outcome_free(&help);
    outcome_free(&wide);
}

static void help_keeps_its_columns(void **state) {
    (void)state;
    expect_layout(NULL);
    for (size_t i = 0; i < COUNT_OF(commands); i++)
        expect_layout(commands[i]);
}

static void help_and_version_have_help_and_take_no_other_words(void **state) {
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        const char *command = i ? "version" : "help";
        char usage[40];
        struct outcome one = tool_run(command, "--help"), other = tool_run("help", command);
        snprintf(usage, sizeof usage, "Usage: pfifo %s", command);
        expect_status(0, &one);
        expect_status(0, &other);
        assert_ptr_equal(strstr(one.out, usage), one.out);
        assert_string_equal(one.out, other.out);
        outcome_free(&one);
        outcome_free(&other);
    }
    struct outcome outcome = tool_run("version", "more");
    expect_status(2, &outcome);
    assert_string_equal(outcome.out, "");
    outcome_free(&outcome);
    outcome = tool_run("help", "run", "decode");
    expect_status(2, &outcome);
    assert_non_null(strstr(outcome.err, "one command at a time"));
    outcome_free(&outcome);
    expect_only(tool_run("help", "bogus"), 2, "pfifo: there is no command 'bogus'\n");
}

static void where_says_what_it_does(void **state) {
    static const char *const rows[][2] = {
        {"decode", "Print only lines that match QUERY"},    {"grep", "Print only lines that match QUERY"},
        {"diff", "Compare only methods that match QUERY"},  {"top", "Count only methods that match QUERY"},
        {"edit", "Change only methods that match QUERY"},   {"run", "Print only events that match QUERY"},
        {"timeline", "Write only events that match QUERY"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct outcome help = tool_run(rows[i][0], "--help");
        expect_printed(&help, rows[i][1]);
        outcome_free(&help);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_reader_that_goes_away_ends_the_tool_as_it_ends_others),
        cmocka_unit_test(a_reader_that_goes_away_is_told_where_the_signal_is_ignored),
        cmocka_unit_test(other_files_are_complete_when_the_reader_is_gone),
        cmocka_unit_test(an_empty_file_is_called_empty),
        cmocka_unit_test(a_file_that_is_not_there_has_the_reason),
        cmocka_unit_test(a_file_is_named_as_it_was_given),
        cmocka_unit_test(a_file_that_is_not_known_may_be_words),
        cmocka_unit_test(a_file_that_cannot_be_written_has_the_reason),
        cmocka_unit_test(standard_input_is_read_once),
        cmocka_unit_test(an_output_called_dash_is_standard_output),
        cmocka_unit_test(messages_come_behind_what_was_printed_before),
        cmocka_unit_test(what_controls_a_terminal_is_not_printed),
        cmocka_unit_test(a_command_that_is_not_known_suggests_the_nearest),
        cmocka_unit_test(help_keeps_its_columns),
        cmocka_unit_test(help_and_version_have_help_and_take_no_other_words),
        cmocka_unit_test(where_says_what_it_does),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
