/* SPDX-License-Identifier: MIT */
/* Register scripts in `pfifo run`, and those among the samples. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tool/script.h"
#include "tool/tool.h"

static void run_explains_a_script(void **state) {
    struct outcome outcome = run_script("run", NULL,
                                        "\n# a script\n  chip NV40 # of a channel\n" NV40_CHANNEL
                                        "w32 CACHE1_DMA_PUT 8\nexpect CACHE1_DMA_GET 0\n run # it\necho done\n");
    (void)state;
    expect_status(0, &outcome);
    assert_ptr_equal(strstr(outcome.out, "> run # it\n"), outcome.out);
    expect_text(&outcome, " 0 pusher.packet address=0x0 ");
    expect_text(&outcome, " 0 puller.reference value=0x7\n");
    expect_text(&outcome, "\nstopped after 3 units: idle, nothing is left to do\ndone\n");
    assert_null(strstr(outcome.out, "bus.write"));
    outcome_free(&outcome);
    outcome = run_script("run", "--trace=bus.write", "chip NV40\n" POWER_ON "w32 CACHE1_REF 3\nr32 CACHE1_REF\n");
    assert_string_equal(outcome.out, "> w32 PMC.ENABLE 0x01101100\n0 - bus.write address=0x200 value=0x1101100\n"
                                     "> w32 CACHE1_REF 3\n0 - bus.write address=0x3248 value=0x3\n"
                                     "> r32 CACHE1_REF\n0x003248 CACHE1_REF = 0x00000003\n");
    outcome_free(&outcome);
}

static void run_fails_if_a_script_does(void **state) {
    struct outcome outcome = run_script("run", NULL, "chip NV40\nexpect CACHE1_REF 1\necho no\n");
    (void)state;
    expect_status(1, &outcome);
    assert_string_equal(outcome.out, "");
    assert_non_null(strstr(outcome.err, ".pfifo:2: expected CACHE1_REF = 0x1, found 0x0\n"));
    outcome_free(&outcome);
    outcome = run_script("run", "--digest", "chip NV40\n");
    expect_status(2, &outcome);
    assert_non_null(strstr(outcome.err, "this is a script"));
    outcome_free(&outcome);
}

/* What only looks like a script is a capture, and none. */
static void run_knows_a_script_by_its_first_command(void **state) {
    static const char *const others[] = {"", "#", "# chip NV40\n", "echo\nchip NV40\n", "chipNV40\n", "chip", "\n\n\n"};
    (void)state;
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        struct outcome outcome = run_script("run", NULL, others[i]);
        expect_status(2, &outcome);
        outcome_free(&outcome);
    }
}

static void run_takes_a_script_from_a_pipe_too(void **state) {
    char *path = script_file("chip NV40\necho hello\n");
    static const char *const arguments[] = {"run", "-", NULL};
    struct outcome outcome = tool_run_from(path, arguments);
    (void)state;
    expect_status(0, &outcome);
    assert_string_equal(outcome.out, "hello\n");
    outcome_free(&outcome);
    unlink(path);
    free(path);
}

static bool is_script(const char *name) {
    const char *dot = strrchr(name, '.');

    return dot && strcmp(dot, ".pfifo") == 0;
}

/* What they expect is so, and with every event looked at, too; and the same method by method. */
static void the_sample_scripts_get_what_they_expect(void **state) {
    const char *samples = getenv("PFIFO_SAMPLES");
    char folder[512], path[800];
    struct dirent *entry;
    unsigned count = 0;
    (void)state;
    assert_non_null(samples);
    snprintf(folder, sizeof folder, "%s/scripts", samples);
    DIR *scripts = opendir(folder);
    assert_non_null(scripts);
    while ((entry = readdir(scripts))) {
        if (!is_script(entry->d_name))
            continue;
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        struct outcome quiet = tool_run("shell", path), told = tool_run("run", path);
        struct outcome single = tool_run("run", "--materialise", path);
        expect_status(0, &quiet);
        expect_status(0, &told);
        expect_status(0, &single);
        assert_string_equal(told.out, single.out);
        assert_true(told.out_bytes > quiet.out_bytes && quiet.out_bytes > 0);
        outcome_free(&quiet);
        outcome_free(&told);
        outcome_free(&single);
        count++;
    }
    closedir(scripts);
    assert_true(count >= 4);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(run_explains_a_script),
        cmocka_unit_test(run_fails_if_a_script_does),
        cmocka_unit_test(run_knows_a_script_by_its_first_command),
        cmocka_unit_test(run_takes_a_script_from_a_pipe_too),
        cmocka_unit_test(the_sample_scripts_get_what_they_expect),
    };
    unsetenv("PFIFO_TRACE");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
