/* SPDX-License-Identifier: MIT */
/* Words that are a channel's own pushbuffer, as consoles have them; and words from the middle of a stream. */
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

/* REF_CNT = 3 after the call, and in the subroutine 2. */
#define CALL_100100 0x00100102u
#define SET_REF     0x00040050u
#define RETURN      0x00020000u

static char *path;

static int begin(void **state) {
    (void)state;
    path = temporary_path(".txt");
    return 0;
}

static int end(void **state) {
    (void)state;
    unlink(path);
    free(path);
    return 0;
}

static void put_text(const char *text) {
    write_file(path, text, strlen(text));
}

static void put_words(const uint32_t *words, size_t count) {
    uint8_t bytes[1024];

    assert_true(4 * count <= sizeof bytes);
    for (size_t i = 0; i < 4 * count; i++)
        bytes[i] = (uint8_t)(words[i / 4] >> 8 * (i % 4));
    write_file(path, bytes, 4 * count);
}

/* A ring, and 0x100 after its beginning the subroutine. */
static void put_ring_and_subroutine(void) {
    uint32_t words[67] = {CALL_100100, SET_REF, 3};

    words[64] = SET_REF;
    words[65] = 2;
    words[66] = RETURN;
    put_words(words, 67);
}

/* What the puller set the reference to, in this order, without a fault. */
static void expect_references(struct outcome *outcome, const char *const *values) {
    const char *at = outcome->out;

    expect_status(0, outcome);
    for (; *values; values++) {
        char line[64];
        snprintf(line, sizeof line, "puller.reference value=%s\n", *values);
        at = strstr(at, line);
        if (!at)
            fail_msg("no '%s' in its place in: %.2000s", line, outcome->out);
        at += strlen(line);
    }
    assert_null(strstr(at, "puller.reference"));
    assert_non_null(strstr(outcome->out, "  faults        0\n"));
    outcome_free(outcome);
}

#define expect_values(outcome, ...) expect_references(outcome, (const char *const[]){__VA_ARGS__, NULL})

static const char trace[] = "--trace=puller.reference";

static void can_i_run_a_ring_with_a_call_on_the_rsx(void **state) {
    (void)state;
    put_ring_and_subroutine();
    struct outcome outcome = tool_run("run", "--raw", "--chip=RSX", trace, path);
    expect_said(&outcome, ": run as the channel's own pushbuffer, because of the call at 0x100000 to 0x100100: "
                          "GET 0x100000, PUT 0x10000c\n");
    expect_values(&outcome, "0x2", "0x3");
}

static void every_chip_with_calls_runs_it(void **state) {
    static const char *const chips[] = {"NV1A", "NV2A", "NV17", "NV20", "NV34", "NV40", "NV44", "G73"};
    (void)state;
    put_ring_and_subroutine();
    for (size_t i = 0; i < sizeof chips / sizeof chips[0]; i++) {
        struct outcome outcome = tool_run("run", "--raw", "--chip", chips[i], trace, path);
        expect_values(&outcome, "0x2", "0x3");
    }
}

/* The subroutine's words are read once, and not again after the ring's. */
static void decode_goes_the_same_way_as_run(void **state) {
    (void)state;
    put_ring_and_subroutine();
    struct outcome outcome = tool_run("decode", "--raw", "--chip=RSX", path);
    expect_status(0, &outcome);
    expect_printed(&outcome, "    00100108 00020000 return                to 00100004\n");
    assert_null(strstr(outcome.out, "return without a subroutine"));
    outcome_free(&outcome);
}

/* The subroutine is a piece of the dump: memory, and no submission. */
static void a_dump_of_a_ring_and_of_its_subroutine_runs(void **state) {
    (void)state;
    put_text("0x00100000: 00100102 00040050 00000003 00000000\n0x00100100: 00040050 00000002 00020000 00000000\n");
    struct outcome outcome = tool_run("run", "--chip=RSX", trace, path);
    expect_printed(&outcome, ": RSX, 1 submission, 4 words, 2 methods\n");
    expect_values(&outcome, "0x2", "0x3");
    outcome = tool_run("decode", "--chip=RSX", path);
    expect_status(0, &outcome);
    expect_printed(&outcome, "    00100108 00020000 return                to 00100004\n");
    assert_null(strstr(outcome.out, "submission 2"));
    outcome_free(&outcome);
}

static void a_call_in_a_subroutine_is_the_error_that_it_is(void **state) {
    (void)state;
    put_text("0x00100000: 00100102 00040050 00000003\n0x00100100: 00100202 00020000\n0x00100200: 00020000\n");
    struct outcome outcome = tool_run("run", "--chip=RSX", path);
    expect_status(1, &outcome);
    expect_printed(&outcome, "1  DMA_PUSHER CALL_SUBR_ACTIVE, first in submission 1: channel 0, address 0x100104\n");
    outcome_free(&outcome);
}

/* As a program leaves its ring: it jumps back to its beginning. All of it is executed once. */
static void a_ring_that_jumps_back_runs_once(void **state) {
    static const char *const chips[] = {"NV10", "NV1A", "RSX"};
    (void)state;
    put_text("0x00100000: 00040050 00000001 00040050 00000002 20100000\n");
    for (size_t i = 0; i < sizeof chips / sizeof chips[0]; i++) {
        struct outcome outcome = tool_run("run", "--chip", chips[i], "--trace=puller.method", path);
        expect_said(&outcome, ", because of the jump at 0x100010 to 0x100000: GET 0x100000, PUT 0x100010\n");
        expect_printed(&outcome, " 4 words, 2 methods\n");
        outcome_free(&outcome);
    }
}

/* What it is to begin with is not known; the pieces are. */
static void a_ring_in_two_pieces_runs_to_the_end_of_the_second(void **state) {
    (void)state;
    put_text("0x00100000: 00040050 00000001 20102000\n0x00102000: 00040050 00000002\n");
    struct outcome outcome = tool_run("run", "--chip=RSX", trace, path);
    expect_values(&outcome, "0x1", "0x2");
    put_text("0x00100000: 00040050 00000001 20102000\n0x00102000: 00040050 00000002 20100000\n");
    outcome = tool_run("run", "--chip=RSX", trace, path);
    expect_values(&outcome, "0x1", "0x2");
}

/* One piece is a ring, and another is none: it is called, and gets its return. */
static void a_piece_beside_a_ring_runs_as_a_subroutine(void **state) {
    (void)state;
    put_text("0x00100000: 00040050 00000001 20100000\n0x00100100: 00040050 00000002\n");
    struct outcome outcome = tool_run("run", "--chip=RSX", trace, path);
    expect_printed(&outcome, ": RSX, 2 submissions, ");
    expect_values(&outcome, "0x1", "0x2");
}

static void words_that_end_with_a_return_stay_a_subroutine(void **state) {
    (void)state;
    put_text("00040050 00000001 00020000\n");
    struct outcome outcome = tool_run("run", "--chip=RSX", "--trace=pusher.jump", path);
    expect_printed(&outcome, "form=call\n");
    assert_string_equal(outcome.err, "");
    outcome_free(&outcome);
}

static void a_ring_can_be_asked_for(void **state) {
    (void)state;
    put_text("00040050 00000001\n");
    struct outcome outcome = tool_run("run", "--chip=NV10", "--ring", "--trace=pusher.jump", path);
    expect_status(0, &outcome);
    expect_said(&outcome, ": run as the channel's own pushbuffer: GET 0x100000, PUT 0x100008\n");
    assert_null(strstr(outcome.out, "form=return"));
    outcome_free(&outcome);
    outcome = tool_run("state", "--chip=RSX", "--ring", path);
    expect_status(0, &outcome);
    expect_said(&outcome, ": run as the channel's own pushbuffer: ");
    outcome_free(&outcome);
}

static void where_channels_have_segments_there_are_no_rings(void **state) {
    (void)state;
    put_text("00040050 00000001\n");
    struct outcome outcome = tool_run("run", "--chip=G80", "--ring", path);
    expect_status(2, &outcome);
    expect_said(&outcome, ": G80 has no pushbuffers with jumps and calls: its channels have segments");
    outcome_free(&outcome);
    outcome = tool_run("run", "--ring", path);
    expect_status(2, &outcome);
    expect_said(&outcome, "--base, --object, --bind and --ring apply to words, which need --chip");
    outcome_free(&outcome);
    put_text("0x00100000: 00040050 00000001\n0x00100004: 00000002\n");
    outcome = tool_run("run", "--chip=RSX", "--ring", path);
    expect_status(2, &outcome);
    expect_said(&outcome, "no ring: it has several words for one address");
    outcome_free(&outcome);
}

/* asm writes it, with the subroutine beside the pushbuffer, and run and decode read it. */
static void a_capture_may_have_calls(void **state) {
    static const char text[] = "call sub\ninc 0 0x50 3\nbuffer sub 4096\ninc 0 0x50 2\nreturn\nendbuffer\n";
    char *capture = temporary_path(".nvcap");
    (void)state;
    put_text(text);
    struct outcome outcome = tool_run("asm", "--chip=NV40", "-o", capture, path);
    expect_status(0, &outcome);
    outcome_free(&outcome);
    outcome = tool_run("run", trace, capture);
    expect_values(&outcome, "0x2", "0x3");
    outcome = tool_run("decode", capture);
    expect_status(0, &outcome);
    expect_printed(&outcome, "REF_CNT                              00000002\n");
    outcome_free(&outcome);
    unlink(capture);
    free(capture);
}

/* ---- words from the middle of a stream ---- */

/* Nothing in the words binds anything. */
static void can_i_run_words_from_the_middle_of_a_stream(void **state) {
    static const struct {
        const char *chip, *bind, *words, *method;
    } rows[] = {
        {"NV4", "--bind=3=0x39", "0004610c 00000005", "class=0x0039:NV3_M2MF method=0x010c"},
        {"NV2A", "--bind=0=NV20_3D", "00041d6c 00000010", "class=0x0097:NV20_3D method=0x1d6c"},
        {"NV40", "--bind=7=NV40_3D", "0004e304 00000001", "class=0x4097:NV40_3D method=0x0304"},
        {"GT215", "--bind=3=0x502d", "0004610c 00000005", "class=0x502d:G80_2D method=0x010c"},
        {"GF100", "--bind=3=0x902d", "20016043 00000005", "class=0x902d:FERMI_TWOD_A method=0x010c"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        put_text(rows[i].words);
        struct outcome outcome = tool_run("run", "--chip", rows[i].chip, rows[i].bind, "--trace=puller.method", path);
        if (!strstr(outcome.out, rows[i].method) || strstr(outcome.out, "DEVICE_SOFTWARE"))
            fail_msg("%s: no '%s' in: %.2000s", rows[i].chip, rows[i].method, outcome.out);
        outcome_free(&outcome);
    }
}

/* The classes are there before the ring is entered. */
static void a_ring_finds_classes_that_are_bound_to_it(void **state) {
    (void)state;
    put_text("0x00100000: 00100102 0004e304 00000001\n0x00100100: 0004e308 00000001 00020000\n");
    struct outcome outcome = tool_run("run", "--chip=RSX", "--bind=7=NV40_3D", "--trace=puller.method", path);
    expect_status(0, &outcome);
    expect_printed(&outcome, "class=0x4097:NV40_3D method=0x0304");
    expect_printed(&outcome, "class=0x4097:NV40_3D method=0x0308");
    outcome_free(&outcome);
}

static void state_and_lint_take_bound_classes_too(void **state) {
    (void)state;
    put_text("0004e304 00000001\n");
    struct outcome outcome = tool_run("state", "--chip=NV40", "--bind=7=NV40_3D", "--method=0x304", path);
    expect_status(0, &outcome);
    expect_printed(&outcome, "channel 0: 4097 NV40_3D\n  0304 ");
    outcome_free(&outcome);
    outcome = tool_run("lint", "--chip=NV40", "--bind=7=NV40_3D", path);
    expect_status(0, &outcome);
    assert_string_equal(outcome.out, "");
    outcome_free(&outcome);
}

/* As decode, run and state take it for the same words. */
static void asm_knows_what_a_handle_is_without_a_capture(void **state) {
    (void)state;
    put_text("inc 7 0 0x77\nNV40_3D.ALPHA_FUNC_ENABLE 1\n");
    struct outcome outcome = tool_run("asm", "--chip=NV40", "--hex", "--object=0x77=NV40_3D", path);
    expect_status(0, &outcome);
    assert_string_equal(outcome.out, "0004e000\n00000077\n0004e304\n00000001\n");
    outcome_free(&outcome);
    put_text("inc 7 0 0xbeef4097\nALPHA_FUNC_ENABLE 1\n");
    outcome = tool_run("asm", "--chip=NV40", "--hex", path);
    expect_status(0, &outcome);
    outcome_free(&outcome);
}

/* ---- entries of a ring ---- */

static void what_are_these_groups_of_16_digits(void **state) {
    (void)state;
    put_text("0x7f3a00020000:\t0x0000600100002000\t0x0000a00100003000\n");
    struct outcome outcome = tool_run("decode", "--chip=GP104", path);
    expect_status(0, &outcome);
    expect_said(&outcome, "groups of 16 digits: entries of a ring; the words that they point to are not here\n");
    expect_printed(&outcome, "  entry 0000100000: 0000600100002000 -> 0100002000, 24 words\n"
                             "  entry 0000100008: 0000a00100003000 -> 0100003000, 40 words\n");
    outcome_free(&outcome);
    outcome = tool_run("run", "--chip=GP104", path);
    expect_status(2, &outcome);
    expect_said(&outcome, "groups of 16 digits are entries of a ring: decode says where their words are");
    outcome_free(&outcome);
    outcome = tool_run("decode", "--chip=NV40", path);
    expect_status(2, &outcome);
    expect_said(&outcome, "NV40 has no IB ring");
    outcome_free(&outcome);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(can_i_run_a_ring_with_a_call_on_the_rsx),
        cmocka_unit_test(every_chip_with_calls_runs_it),
        cmocka_unit_test(decode_goes_the_same_way_as_run),
        cmocka_unit_test(a_dump_of_a_ring_and_of_its_subroutine_runs),
        cmocka_unit_test(a_call_in_a_subroutine_is_the_error_that_it_is),
        cmocka_unit_test(a_ring_that_jumps_back_runs_once),
        cmocka_unit_test(a_ring_in_two_pieces_runs_to_the_end_of_the_second),
        cmocka_unit_test(a_piece_beside_a_ring_runs_as_a_subroutine),
        cmocka_unit_test(words_that_end_with_a_return_stay_a_subroutine),
        cmocka_unit_test(a_ring_can_be_asked_for),
        cmocka_unit_test(where_channels_have_segments_there_are_no_rings),
        cmocka_unit_test(a_capture_may_have_calls),
        cmocka_unit_test(can_i_run_words_from_the_middle_of_a_stream),
        cmocka_unit_test(a_ring_finds_classes_that_are_bound_to_it),
        cmocka_unit_test(state_and_lint_take_bound_classes_too),
        cmocka_unit_test(asm_knows_what_a_handle_is_without_a_capture),
        cmocka_unit_test(what_are_these_groups_of_16_digits),
    };

    unsetenv("PFIFO_TRACE");
    return cmocka_run_group_tests(tests, begin, end);
}
