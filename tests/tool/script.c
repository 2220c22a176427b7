/* SPDX-License-Identifier: MIT */
#include "tool/script.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

char *script_file(const char *text) {
    char *path = temporary_path(".pfifo");

    write_file(path, text, strlen(text));
    return path;
}

struct outcome run_script(const char *command, const char *option, const char *text) {
    char *path = script_file(text);
    struct outcome outcome = option ? tool_run(command, option, path) : tool_run(command, path);

    unlink(path);
    free(path);
    return outcome;
}

struct outcome shell(const char *text) {
    return run_script("shell", "--chip=NV40", text);
}

void expect_text(const struct outcome *outcome, const char *text) {
    if (!strstr(outcome->out, text))
        fail_msg("no '%s' in: %.2000s", text, outcome->out);
}

void expect_no_text(const struct outcome *outcome, const char *text) {
    if (strstr(outcome->out, text))
        fail_msg("'%s' in: %.2000s", text, outcome->out);
}

void expect_failure(const char *text, unsigned line, const char *message) {
    struct outcome outcome = shell(text);
    char want[300];

    snprintf(want, sizeof want, ".pfifo:%u: %s", line, message);
    expect_status(1, &outcome);
    if (!strstr(outcome.err, want))
        fail_msg("no '%s' in: %.2000s", want, outcome.err);
    outcome_free(&outcome);
}

void expect_success(const char *text) {
    struct outcome outcome = shell(text);

    expect_status(0, &outcome);
    assert_string_equal(outcome.err, "");
    outcome_free(&outcome);
}
