/* SPDX-License-Identifier: MIT */
#include "tool/tool.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <cmocka.h>

#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "temporary.h"

enum { MAX_ARGUMENTS = 128, LEAKS_OF = 8 };

/* All of a file from its beginning, with a zero after it. */
static char *slurp(int fd, size_t *bytes) {
    off_t size = lseek(fd, 0, SEEK_END);
    char *text = malloc((size_t)size + 1);

    assert_non_null(text);
    assert_int_equal(pread(fd, text, (size_t)size, 0), size);
    text[size] = 0;
    *bytes = (size_t)size;
    return text;
}

static int temporary_file(void) {
    char name[TEMPORARY_PATH];
    temporary_pattern(name, "");
    int fd = mkstemp(name);

    assert_true(fd >= 0);
    unlink(name);
    return fd;
}

const char *tool_name(void) {
    const char *tool = getenv("PFIFO_TOOL");

    if (!tool)
        fail_msg("PFIFO_TOOL does not say where the tool is");
    return tool ? tool : "";
}

/*
 * Under sanitizers the search for leaks takes half of a short run: one of LEAKS_OF is searched. The tests of the
 * library search in each.
 */
static void choose_sanitizing(void) {
    static const char *given;
    static unsigned runs;
    char options[1024];

    if (runs == 0)
        given = getenv("ASAN_OPTIONS") ? strdup(getenv("ASAN_OPTIONS")) : "";
    snprintf(options, sizeof options, "detect_leaks=%d:%s", runs++ % LEAKS_OF == 0, given);
    setenv("ASAN_OPTIONS", options, 1);
}

static struct outcome run(const char *input, const char *path, const char *const *arguments) {
    const char *tool = tool_name();
    char *argv[MAX_ARGUMENTS] = {0};
    struct outcome outcome = {0};
    posix_spawn_file_actions_t actions;
    int out = temporary_file(), err = temporary_file(), status;
    size_t err_bytes;
    pid_t pid;

    choose_sanitizing();
    argv[0] = (char *)(uintptr_t)tool;
    for (size_t i = 0; arguments[i]; i++) {
        assert_true(i + 2 < MAX_ARGUMENTS);
        argv[i + 1] = (char *)(uintptr_t)arguments[i];
    }
    posix_spawn_file_actions_init(&actions);
    if (input)
        posix_spawn_file_actions_addopen(&actions, 0, input, O_RDONLY, 0);
    if (path)
        posix_spawn_file_actions_addopen(&actions, 1, path, O_WRONLY, 0);
    else
        posix_spawn_file_actions_adddup2(&actions, out, 1);
    posix_spawn_file_actions_adddup2(&actions, err, 2);
    assert_int_equal(posix_spawn(&pid, tool, &actions, NULL, argv, environ), 0);
    posix_spawn_file_actions_destroy(&actions);
    assert_int_equal(waitpid(pid, &status, 0), pid);
    outcome.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    outcome.out = slurp(out, &outcome.out_bytes);
    outcome.err = slurp(err, &err_bytes);
    close(out);
    close(err);
    return outcome;
}

struct outcome tool_run_to(const char *path, const char *const *arguments) {
    return run(NULL, path, arguments);
}

struct outcome tool_run_from(const char *input, const char *const *arguments) {
    return run(input, NULL, arguments);
}

struct outcome tool_run_with(const char *text, const char *const *arguments) {
    char *input = temporary_path(".txt");

    write_file(input, text, strlen(text));
    struct outcome outcome = tool_run_from(input, arguments);
    unlink(input);
    free(input);
    return outcome;
}

void outcome_free(struct outcome *outcome) {
    free(outcome->out);
    free(outcome->err);
    *outcome = (struct outcome){0};
}

void expect_status(int status, const struct outcome *outcome) {
    if (outcome->status != status)
        print_error("%.2000s%.2000s", outcome->err, outcome->out);
    assert_int_equal(outcome->status, status);
}

void expect_printed(const struct outcome *outcome, const char *text) {
    if (!strstr(outcome->out, text))
        fail_msg("no '%s' in: %.2000s%.400s", text, outcome->out, outcome->err);
}

void expect_said(const struct outcome *outcome, const char *text) {
    if (!strstr(outcome->err, text))
        fail_msg("no '%s' in: %.2000s", text, outcome->err);
}

void expect_golden(const char *name, const struct outcome *outcome) {
    static char expected[200000];
    const char *tests = getenv("PFIFO_TESTS");
    char path[1024];
    FILE *file;

    snprintf(path, sizeof path, "%s/golden/%s", tests ? tests : "tests", name);
    if (getenv("PFIFO_REFRESH_GOLDEN"))
        write_file(path, outcome->out, outcome->out_bytes);
    file = fopen(path, "rb");
    assert_non_null(file);
    expected[fread(expected, 1, sizeof expected - 1, file)] = 0;
    fclose(file);
    assert_string_equal(outcome->out, expected);
}

char *sample_path(const char *name) {
    const char *samples = getenv("PFIFO_SAMPLES");
    char *path;

    assert_non_null(samples);
    assert_true(asprintf(&path, "%s/captures/%s", samples, name) > 0);
    return path;
}

char *temporary_path(const char *suffix) {
    char path[TEMPORARY_PATH], *kept;
    int fd;

    temporary_pattern(path, suffix);
    fd = mkstemps(path, (int)strlen(suffix));
    assert_true(fd >= 0);
    close(fd);
    kept = strdup(path);
    assert_non_null(kept);
    return kept;
}

void write_file(const char *path, const void *data, size_t bytes) {
    FILE *file = fopen(path, "wb");

    assert_non_null(file);
    assert_int_equal(fwrite(data, 1, bytes, file), bytes);
    assert_int_equal(fclose(file), 0);
}

struct hidden hide_library(const char *name) {
    const char *before = getenv("LD_LIBRARY_PATH");
    struct hidden hidden = {.folder = temporary_path(".libraries"), .path_before = before ? strdup(before) : NULL};

    unlink(hidden.folder);
    assert_int_equal(mkdir(hidden.folder, 0700), 0);
    assert_true(asprintf(&hidden.file, "%s/%s", hidden.folder, name) > 0);
    write_file(hidden.file, "", 0);
    setenv("LD_LIBRARY_PATH", hidden.folder, 1);
    return hidden;
}

void show_library(struct hidden *hidden) {
    if (hidden->path_before)
        setenv("LD_LIBRARY_PATH", hidden->path_before, 1);
    else
        unsetenv("LD_LIBRARY_PATH");
    unlink(hidden->file);
    rmdir(hidden->folder);
    free(hidden->path_before);
    free(hidden->folder);
    free(hidden->file);
}
