/* SPDX-License-Identifier: MIT */
/* `pfifo state`: what do objects hold, where? */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "tool/tool.h"

#include <stdio.h>
#include <unistd.h>

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

static void expect_no_text(const struct outcome *outcome, const char *text) {
    if (strstr(outcome->out, text))
        fail_msg("'%s' in: %.2000s", text, outcome->out);
}

static void what_is_set_at_the_draw(void **state) {
    (void)state;
    struct outcome outcome = tool_run("state", "--at=draw:0", "--class=MAXWELL_A", quad);
    expect_status(0, &outcome);
    expect_printed(&outcome, "channel 0: b097 MAXWELL_A\n");
    expect_printed(&outcome, "\n  0d80 SET_COLOR_CLEAR_VALUE(0)             3e800000  0.25\n");
    expect_printed(&outcome,
                   "\n  2044 SET_PIPELINE_PROGRAM(1)              0007f6b0  OFFSET=0x7f6b0\n"); /* by a macro */
    expect_no_text(&outcome, "FERMI_TWOD_A");
    outcome_free(&outcome);
}

static void what_is_set_at_a_launch(void **state) {
    char *sample = sample_path("../../tests/tool/captures/launch-gm107.nvcap.zst");
    struct outcome outcome = tool_run("state", "--from=launch:1", "--at=launch:2", "--class=MAXWELL_COMPUTE_A", sample);
    (void)state;
    expect_status(0, &outcome);
    expect_printed(&outcome, "\n  02b4 SEND_PCAS_A                          7ffe3c02 -> 7ffe3c04 ");
    outcome_free(&outcome);
    outcome = tool_run("state", "--at=launch:6", sample);
    expect_status(1, &outcome);
    assert_non_null(strstr(outcome.err, "the capture ends before launch 6: it has 6 launches that are executed"));
    outcome_free(&outcome);
    free(sample);
}

/* Not before it, and not after the next one. */
static void what_is_set_by_a_method(void **state) {
    (void)state;
    static const char *const places[] = {"--at=method:MAXWELL_A.SET_COLOR_CLEAR_VALUE:1",
                                         "--at=method:SET_COLOR_CLEAR_VALUE(1)", "--at=method:method=0xd84"};
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        struct outcome outcome = tool_run("state", places[i], "--method=SET_COLOR_CLEAR_VALUE", quad);
        expect_status(0, &outcome);
        assert_string_equal(outcome.out, "channel 0: b097 MAXWELL_A\n"
                                         "  0d80 SET_COLOR_CLEAR_VALUE(0)             3e800000  0.25\n"
                                         "  0d84 SET_COLOR_CLEAR_VALUE(1)             3f000000  0.5\n");
        outcome_free(&outcome);
    }
    /* Though the channel is closed after it. */
    struct outcome last = tool_run("state", "--at=method:1779", quad), end_of_it = tool_run("state", "--at=5", quad);
    assert_string_equal(last.out, end_of_it.out);
    outcome_free(&last);
    outcome_free(&end_of_it);
}

static void methods_that_are_asked_for(void **state) {
    (void)state;
    struct outcome outcome = tool_run("state", "--method=CLEAR_SURF*,0x19e0..0x19e4", quad);
    expect_status(0, &outcome);
    expect_printed(&outcome, "channel 0: b097 MAXWELL_A\n  19d0 CLEAR_SURFACE ");
    expect_printed(&outcome, "\n  19e4 SET_COLOR_COMPRESSION(1) ");
    expect_no_text(&outcome, "19e8");
    outcome_free(&outcome);
    outcome = tool_run("state", "--method=NV40_3D.*", quad);
    expect_status(2, &outcome); /* class and method are no value of a method */
    outcome_free(&outcome);
    outcome = tool_run("state", "--at=2", "--class=b097", "--method=SET_VIEWPORT_CLIP_HORIZONTAL", quad);
    expect_status(0, &outcome);
    assert_string_equal(outcome.out, "");
    assert_non_null(strstr(outcome.err, ": every method that is asked for is 0 there\n"));
    outcome_free(&outcome);
}

static void what_was_there_when_the_channel_closed(void **state) {
    (void)state;
    struct outcome outcome = tool_run("state", quad), other = tool_run("state", clear);
    expect_status(0, &outcome);
    expect_printed(&outcome, "channel 0: b097 MAXWELL_A\n");
    expect_printed(&outcome, "channel 0: 902d FERMI_TWOD_A\n");
    expect_printed(&other, "channel 0: 4097 NV40_3D\n");
    expect_printed(&other, "\n  1d90 CLEAR_COLOR_VALUE                    ff4080bf  B=191 G=128 R=64 A=255\n");
    outcome_free(&outcome);
    outcome_free(&other);
}

static void what_has_the_third_submission_changed(void **state) {
    (void)state;
    struct outcome outcome = tool_run("state", "--from=2", "--at=3", quad);
    expect_status(0, &outcome);
    expect_printed(&outcome, "\n  0c00 SET_VIEWPORT_CLIP_HORIZONTAL(0)      00000000 -> 00400000  X0=0 WIDTH=64\n");
    expect_no_text(&outcome, "SET_COLOR_CLEAR_VALUE"); /* that was submission 2 */
    outcome_free(&outcome);
    outcome = tool_run("state", "--from=2", "--at=2", quad);
    expect_status(0, &outcome);
    assert_string_equal(outcome.out, "");
    outcome_free(&outcome);
}

static void the_same_as_json(void **state) {
    (void)state;
    struct outcome outcome = tool_run("state", "--from=2", "--at=3", "--json", "--class=b097", quad);
    expect_status(0, &outcome);
    expect_printed(&outcome,
                   "{\"channel\":0,\"class\":45207,\"method\":3072,\"name\":\"SET_VIEWPORT_CLIP_HORIZONTAL(0)\","
                   "\"from\":0,\"value\":4194304}\n");
    outcome_free(&outcome);
}

static void places_that_are_not_reached_are_told(void **state) {
    (void)state;
    static const struct {
        const char *place, *told;
    } rows[] = {{"--at=99", "the capture ends before submission 99: the last is 5\n"},
                {"--at=draw:1", "the capture ends before draw 1: it has 1 draw\n"},
                {"--from=draw:7", "the capture ends before draw 7: it has 1 draw\n"},
                {"--at=method:1780", "the capture ends before method 1780: it has 1780 methods\n"},
                {"--at=method:CLEAR_SURFACE:4", "before method CLEAR_SURFACE:4: it has 1 method that matches\n"},
                {"--at=method:SET_CT_MRT_ENABLE=7", "no method matches 'SET_CT_MRT_ENABLE=7'\n"}};

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct outcome outcome = tool_run("state", rows[i].place, quad);
        expect_status(1, &outcome);
        assert_string_equal(outcome.out, "");
        assert_non_null(strstr(outcome.err, rows[i].told));
        outcome_free(&outcome);
    }
}

static void an_object_that_is_not_there_is_missed(void **state) {
    (void)state;
    struct outcome outcome = tool_run("state", "--class=NV25_3D", quad), early = tool_run("state", "--at=0", quad);
    expect_status(0, &outcome);
    assert_string_equal(outcome.out, "");
    assert_non_null(strstr(outcome.err, ": no object of NV25_3D has been bound there\n"));
    expect_status(0, &early);
    assert_non_null(strstr(early.err, ": no object has been bound there\n"));
    outcome_free(&outcome);
    outcome_free(&early);
}

/* Before Fermi, where draws are not executed, by all who take or count them. */
static void draws_that_are_not_executed_are_told(void **state) {
    char *sample = sample_path("nva3-quad.nvcap.xz"), *folder = temporary_path(".draws"), option[600];
    (void)state;
    snprintf(option, sizeof option, "--draws=%s", folder);
    unlink(folder);
    struct outcome outcomes[] = {tool_run("state", "--at=draw:0", sample),
                                 tool_run("image", "--at=draw:0", "-o", "/dev/null", sample, "target"),
                                 tool_run("debug", "-e", "until draw:0", sample), tool_run("run", option, sample)};
    for (size_t i = 0; i < sizeof outcomes / sizeof outcomes[0]; i++) {
        if (!strstr(outcomes[i].err, " of GT215 are not executed"))
            fail_msg("%zu: %s", i, outcomes[i].err);
        outcome_free(&outcomes[i]);
    }
    snprintf(option, sizeof option, "%s/index.json", folder);
    assert_int_equal(remove(option), 0);
    assert_int_equal(remove(folder), 0);
    free(folder);
    free(sample);
}

static void what_is_wrong_is_said(void **state) {
    (void)state;
    struct outcome outcome = tool_run("state", "--class=NO_CLASS", quad);
    expect_status(2, &outcome);
    assert_non_null(strstr(outcome.err, "there is no class 'NO_CLASS'"));
    outcome_free(&outcome);
    outcome = tool_run("state", "--at=draw:x", quad);
    expect_status(2, &outcome);
    assert_non_null(
        strstr(outcome.err,
               "--at takes a submission's number, N, a draw's, draw:N, a launch's, launch:N, or a method, method:N or "
               "method:QUERY, not 'draw:x'"));
    outcome_free(&outcome);
    outcome = tool_run("state", "--at=method:NO_METHOD", quad);
    expect_status(2, &outcome);
    assert_non_null(strstr(outcome.err, "--at=method: query, column 1: no class has a method 'NO_METHOD'"));
    outcome_free(&outcome);
    outcome = tool_run("state", "/nowhere/at.all");
    expect_status(2, &outcome);
    outcome_free(&outcome);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_set_at_a_launch),
        cmocka_unit_test(what_is_set_at_the_draw),
        cmocka_unit_test(what_is_set_by_a_method),
        cmocka_unit_test(methods_that_are_asked_for),
        cmocka_unit_test(what_was_there_when_the_channel_closed),
        cmocka_unit_test(what_has_the_third_submission_changed),
        cmocka_unit_test(the_same_as_json),
        cmocka_unit_test(places_that_are_not_reached_are_told),
        cmocka_unit_test(an_object_that_is_not_there_is_missed),
        cmocka_unit_test(draws_that_are_not_executed_are_told),
        cmocka_unit_test(what_is_wrong_is_said),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
