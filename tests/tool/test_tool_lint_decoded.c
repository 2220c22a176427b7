/* SPDX-License-Identifier: MIT */
/* `pfifo lint` of chips whose machine is not built: rules that need none look at the words. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tool/tool.h"

/* A command of GF100 and later. */
#define INC(subchannel, method, count) (1u << 29 | (count) << 16 | (subchannel) << 13 | (method) >> 2)

static struct outcome lint_words(const char *chip, const char *option, const uint32_t *words, size_t count) {
    char text[2048] = "", with[32], *path = temporary_path(".hex");
    struct outcome outcome;

    for (size_t i = 0; i < count; i++)
        snprintf(text + strlen(text), sizeof text - strlen(text), "%08x\n", (unsigned)words[i]);
    write_file(path, text, strlen(text));
    snprintf(with, sizeof with, "--chip=%s", chip);
    outcome = option ? tool_run("lint", with, option, path) : tool_run("lint", with, path);
    unlink(path);
    free(path);
    return outcome;
}

#define LINT(chip, option, ...)                                                                                        \
    lint_words(chip, option, (const uint32_t[]){__VA_ARGS__}, sizeof(const uint32_t[]){__VA_ARGS__} / 4)

static void expect_in(const char *where, const char *text) {
    if (!strstr(where, text))
        fail_msg("no '%s' in: %.3000s", text, where);
}

static void expect_finding(struct outcome outcome, const char *text) {
    expect_status(1, &outcome);
    expect_in(outcome.out, text);
    outcome_free(&outcome);
}

static void expect_nothing(struct outcome outcome) {
    expect_status(0, &outcome);
    assert_string_equal(outcome.out, "");
    outcome_free(&outcome);
}

static void a_method_of_ampere_to_an_unbound_subchannel_is_found(void **state) {
    (void)state;
    expect_nothing(LINT("GA102", NULL, INC(1u, 0u, 1u), 0xc7c0, INC(1u, 0x100u, 1u), 0));
    expect_finding(LINT("GA102", NULL, INC(1u, 0u, 1u), 0xc7c0, INC(3u, 0x100u, 2u), 0, 7),
                   "submission 1, channel 0: error: object-not-bound\n"
                   "    nothing is bound to subchannel 3, so no engine takes the method (2 times)\n"
                   "    at 0x10000c: subchannel 3, 0x0100 ?, data 0x00000000\n");
    /* The engine of subchannel 4 is fixed. */
    expect_nothing(LINT("GA102", NULL, INC(4u, 0x100u, 1u), 0));
}

static void a_method_that_a_class_of_turing_does_not_have_is_found(void **state) {
    (void)state;
    expect_finding(LINT("TU102", NULL, INC(0u, 0u, 1u), 0xc597, INC(0u, 0x3ffcu, 1u), 1),
                   "warning: unknown-method\n    class 0xc597 TURING_A has no method 0x3ffc\n");
}

static void bits_of_hopper_that_are_in_no_field_are_found(void **state) {
    (void)state;
    expect_finding(LINT("GH100", NULL, INC(0u, 0u, 1u), 0xcb97, INC(0u, 0x121cu, 1u), 0x80000001),
                   "warning: unknown-bits\n    bits 0x80000000 of 0x80000001 are in no field of the method\n");
}

static void methods_of_the_front_end_are_looked_at_as_well(void **state) {
    (void)state;
    expect_finding(LINT("GV100", NULL, INC(0u, 0x54u, 1u), 0),
                   "class 0xc36f VOLTA_CHANNEL_GPFIFO_A has no method 0x0054");
}

static void it_says_which_rules_ran_and_which_were_left_out(void **state) {
    struct outcome outcome = LINT("GA102", NULL, INC(4u, 0x100u, 1u), 0);

    (void)state;
    expect_in(
        outcome.err,
        "the machine of the chip is not built, so the words were only decoded: rules that ran: object-not-bound, "
        "unknown-method, unknown-bits, state-not-kept; left out: fence-never-waited, fence-never-released, deadlock, "
        "words-overwritten, read-without-wait, texture-without-wait, cpu-write, macro-without-code, state-missing\n");
    outcome_free(&outcome);
    outcome = LINT("GA102", "--rule=unknown-*", INC(4u, 0x100u, 1u), 0);
    expect_in(outcome.err, "rules that ran: unknown-method, unknown-bits\n");
    outcome_free(&outcome);
    outcome = LINT("GA102", "--rule=deadlock", INC(4u, 0x100u, 1u), 0);
    expect_status(2, &outcome);
    expect_in(outcome.err, "the machine of GA102 is not built, and the rules that are wanted need it");
    outcome_free(&outcome);
}

static void words_that_the_hardware_refuses_are_counted(void **state) {
    struct outcome outcome = LINT("GA102", NULL, 0xc0000000, 0xc0000000);

    (void)state;
    expect_status(1, &outcome);
    expect_in(outcome.err, ": pfifo decode says which");
    outcome_free(&outcome);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_method_of_ampere_to_an_unbound_subchannel_is_found),
        cmocka_unit_test(a_method_that_a_class_of_turing_does_not_have_is_found),
        cmocka_unit_test(bits_of_hopper_that_are_in_no_field_are_found),
        cmocka_unit_test(methods_of_the_front_end_are_looked_at_as_well),
        cmocka_unit_test(it_says_which_rules_ran_and_which_were_left_out),
        cmocka_unit_test(words_that_the_hardware_refuses_are_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
