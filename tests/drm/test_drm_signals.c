/* SPDX-License-Identifier: MIT */
/* Programs whose work takes long: what returns at once, what waits, and when handlers of signals are called. */
#include "mesa/client.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <signal.h>
#include <stdio.h>
#include <string.h>

static const char *const chips[] = {"gf100", "gk104", "gm20b", "gp102"};

#define FOR_EACH_CHIP for (size_t i = 0; i < sizeof chips / sizeof chips[0]; i++)

/* The steps of programs/submitter.c; what it says. */
static struct client_end run(const char *chip, const char *steps, const char *setting, int status) {
    const char *const variables[] = {setting, NULL};
    struct client client = {.chip = chip,
                            .arguments = ARGUMENTS(client_program("PFIFO_SUBMITTER"), steps),
                            .variables = setting ? variables : NULL};
    struct client_end end = client_run(&client);
    client_expect(status, &end);
    return end;
}

static void expect(const char *chip, const char *steps, const char *setting, int status) {
    struct client_end end = run(chip, steps, setting, status);
    client_end_free(&end);
}

static void a_submission_returns_at_once_and_a_wait_waits(void **state) {
    (void)state;
    FOR_EACH_CHIP expect(chips[i], "ocl", NULL, 0);
}

static void with_sync_it_returns_when_it_is_done(void **state) {
    (void)state;
    struct client_end end = run("gf100", "ocl", "PFIFO_DRM_SYNC=1", 1);
    assert_non_null(strstr(end.err, "the submission returned late"));
    client_end_free(&end);
}

/* It makes calls and ends the program, while the work goes on. */
static void a_handler_is_called_soon_and_may_make_calls(void **state) {
    (void)state;
    FOR_EACH_CHIP expect(chips[i], "ocA", NULL, 0);
}

static void a_signal_interrupts_a_wait_unless_its_handler_restarts_it(void **state) {
    (void)state;
    expect("gf100", "ocE", NULL, 0);
}

/* What was submitted is done before it is told. */
static void a_program_that_ends_without_a_wait_has_all_counts(void **state) {
    (void)state;
    FOR_EACH_CHIP {
        struct client_end end = run(chips[i], "ocLL", "PFIFO_DRM_STATS=1", 0);
        if (!strstr(end.err, " 2 submissions, ") || !strstr(end.err, "  fences        4 written, "))
            fail_msg("%s: %s", chips[i], end.err);
        client_end_free(&end);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_submission_returns_at_once_and_a_wait_waits),
        cmocka_unit_test(with_sync_it_returns_when_it_is_done),
        cmocka_unit_test(a_handler_is_called_soon_and_may_make_calls),
        cmocka_unit_test(a_signal_interrupts_a_wait_unless_its_handler_restarts_it),
        cmocka_unit_test(a_program_that_ends_without_a_wait_has_all_counts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
