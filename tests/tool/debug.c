/* SPDX-License-Identifier: MIT */
#include "tool/debug.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct outcome debug_file(const char *path, const char *lines) {
    return tool_run_with(lines, (const char *const[]){"debug", path, NULL});
}

void expect_in_order(const struct outcome *outcome, const char *const *texts) {
    const char *at = outcome->out;

    for (; *texts; texts++) {
        const char *found = strstr(at, *texts);
        if (!found)
            fail_msg("'%s' is not, or not there, in:\n%s%s", *texts, outcome->out, outcome->err);
        else
            at = found + strlen(*texts);
    }
}

void expect_debug(const char *sample, const char *lines, const char *const *texts) {
    char *path = sample_path(sample);
    struct outcome outcome = debug_file(path, lines);

    expect_in_order(&outcome, texts);
    expect_status(0, &outcome);
    outcome_free(&outcome);
    free(path);
}

void expect_wrong(const char *lines, const char *message) {
    char *path = sample_path("nv40-clear.nvcap.xz");
    struct outcome outcome = debug_file(path, lines);

    expect_status(1, &outcome);
    if (!strstr(outcome.err, message))
        fail_msg("'%s' is not in: %s", message, outcome.err);
    outcome_free(&outcome);
    free(path);
}

static char *read_whole(const char *path, size_t *bytes) {
    FILE *file = fopen(path, "rb");
    static char data[1 << 24];

    assert_non_null(file);
    *bytes = fread(data, 1, sizeof data, file);
    assert_true(*bytes > 0 && *bytes < sizeof data);
    fclose(file);
    char *copy = malloc(*bytes + 1);
    assert_non_null(copy);
    memcpy(copy, data, *bytes);
    return copy;
}

void expect_same_place(const char *sample, const char *to, const char *on, const char *back) {
    char *path = sample_path(sample);

    expect_same_place_in(path, to, on, back);
    free(path);
}

void expect_same_place_in(const char *path, const char *to, const char *on, const char *back) {
    char *first = temporary_path("first"), *second = temporary_path("second"), lines[1024];
    size_t bytes[2];

    snprintf(lines, sizeof lines, "%s\nsave %s\n%s\n%s\nsave %s\n", to, first, on, back, second);
    struct outcome outcome = debug_file(path, lines);
    expect_status(0, &outcome);
    char *one = read_whole(first, &bytes[0]), *other = read_whole(second, &bytes[1]);
    if (bytes[0] != bytes[1] || memcmp(one, other, bytes[0]) != 0)
        fail_msg("%s: %s, %s, %s: another state", path, to, on, back);
    free(one);
    free(other);
    outcome_free(&outcome);
    unlink(first);
    unlink(second);
    free(first);
    free(second);
}
