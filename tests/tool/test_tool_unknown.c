/* SPDX-License-Identifier: MIT */
/* `pfifo run` and `pfifo decode` name methods that their class does not have. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tool/capture.h"
#include "tool/tool.h"

enum { NV40 = 0x40, GF100 = 0xc0 };

static void expect_text(const struct outcome *outcome, const char *text) {
    if (!strstr(outcome->out, text))
        fail_msg("no '%s' in: %.2000s", text, outcome->out);
}

/* The second submission has two methods that 3D of Fermi lacks, one of them three times. */
static char *fermi_capture(void) {
    static const uint32_t bind[] = {1u << 29 | 1 << 16, 0x9097, 1u << 29 | 1 << 16 | 0x300 / 4, 7};
    static const uint32_t wrong[] = {3u << 29 | 3 << 16 | 0x2af0 / 4, 1, 2, 3, 1u << 29 | 1 << 16 | 0x2af4 / 4, 4};
    struct capture capture;
    capture_begin(&capture, GF100, false);
    capture_submit(&capture, bind, 4, NULL);
    capture_submit(&capture, wrong, 6, NULL);
    return capture_file(&capture);
}

static void run_names_methods_that_a_class_lacks(void **state) {
    char *path = fermi_capture();
    struct outcome outcome = tool_run("run", path);
    (void)state;
    expect_status(0, &outcome);
    expect_text(&outcome, "\n  unknown       4 methods that their class does not have\n"
                          "         3  class 0x9097 FERMI_A has no method 0x2af0, first in submission 2, channel 0\n"
                          "         1  class 0x9097 FERMI_A has no method 0x2af4, first in submission 2, channel 0\n");
    outcome_free(&outcome);
    outcome = tool_run("run", "--json", path);
    expect_text(&outcome, ",\"unknown\":4,\"unknown_methods\":[{\"class\":37015,\"class_name\":\"FERMI_A\","
                          "\"method\":10992,\"count\":3,\"submission\":2,\"channel\":0,\"time\":");
    outcome_free(&outcome);
    unlink(path);
    free(path);
}

static void decode_names_methods_that_a_class_lacks(void **state) {
    char *path = fermi_capture();
    struct outcome outcome = tool_run("decode", path);
    (void)state;
    expect_status(0, &outcome);
    expect_text(&outcome, "\nmethods that their class does not have: 4\n"
                          "  class 9097 FERMI_A has no method 0x2af0: 3 times, first at ");
    expect_text(&outcome,
                " in submission 2 of channel 0\n  class 9097 FERMI_A has no method 0x2af4: 1 time, first at ");
    outcome_free(&outcome);
    outcome = tool_run("decode", "--json", path);
    expect_text(&outcome, ",\"submission\":2,\"event\":\"unknown_method\",\"channel\":0,\"address\":");
    expect_text(&outcome, ",\"class\":37015,\"class_name\":\"FERMI_A\",\"method\":10992,\"count\":3}\n");
    outcome_free(&outcome);
    unlink(path);
    free(path);
}

static void a_stream_that_has_none_says_nothing(void **state) {
    static const uint32_t bind[] = {1u << 29 | 1 << 16, 0x9097, 1u << 29 | 1 << 16 | 0x300 / 4, 7};
    struct capture capture;
    (void)state;
    capture_begin(&capture, GF100, false);
    capture_submit(&capture, bind, 4, NULL);
    char *path = capture_file(&capture);
    struct outcome outcome = tool_run("run", path);
    assert_null(strstr(outcome.out, "unknown"));
    outcome_free(&outcome);
    outcome = tool_run("decode", path);
    assert_null(strstr(outcome.out, "does not have"));
    outcome_free(&outcome);
    outcome = tool_run("run", "--json", path);
    expect_text(&outcome, ",\"unknown\":0,\"unknown_methods\":[]");
    outcome_free(&outcome);
    unlink(path);
    free(path);
}

/* On NV40 PGRAPH refuses it, too. */
static void what_the_chip_refuses_is_a_fault_and_is_named(void **state) {
    static const uint32_t object = 0xbeef4097;
    const uint32_t words[] = {1 << 18, object, 2 << 18 | 0x228, 1, 2, 1 << 18 | 0x230, 3, 1 << 18 | 0x234, 4};
    struct capture capture;
    (void)state;
    capture_begin(&capture, NV40, true);
    capture_append(&capture, &(struct pfifo_stream_record){.type = PFIFO_STREAM_OBJ,
                                                           .obj = {.channel = 0, .handle = object, .oclass = 0x4097}});
    capture_submit(&capture, words, 9, NULL);
    char *path = capture_file(&capture);
    struct outcome outcome = tool_run("run", path);
    expect_status(1, &outcome);
    expect_text(&outcome, "PGRAPH ILLEGAL_MTHD, first in submission 1");
    expect_text(&outcome, "         1  class 0x4097 NV40_3D has no method 0x0230, first in submission 1, channel 0\n");
    outcome_free(&outcome);
    unlink(path);
    free(path);
}

static void a_single_one_is_a_method(void **state) {
    static const uint32_t words[] = {1u << 29 | 1 << 16, 0x9097, 1u << 29 | 1 << 16 | 0x2af0 / 4, 1};
    struct capture capture;
    (void)state;
    capture_begin(&capture, GF100, false);
    capture_submit(&capture, words, 4, NULL);
    char *path = capture_file(&capture);
    struct outcome outcome = tool_run("run", path);
    expect_text(&outcome, "\n  unknown       1 method that its class does not have\n");
    outcome_free(&outcome);
    unlink(path);
    free(path);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(run_names_methods_that_a_class_lacks),
        cmocka_unit_test(decode_names_methods_that_a_class_lacks),
        cmocka_unit_test(a_single_one_is_a_method),
        cmocka_unit_test(a_stream_that_has_none_says_nothing),
        cmocka_unit_test(what_the_chip_refuses_is_a_fault_and_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
