/* SPDX-License-Identifier: MIT */
/* `pfifo debug` and `pfifo shell` in programs that run longer than a slice of a launch. */
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
#include "tool/debug.h"

#define METHOD(method, count) (0x20002000u | (count) << 16 | (method) >> 2)

enum { LOOPS = 1500, LAST = 1 + 3 * LOOPS /* instructions before the EXIT */ };

/* GF100: MOV32I R0, LOOPS; IADD32I R0, R0, -1; ISETP.NE.AND P0, PT, R0, RZ, PT; @P0 BRA to the IADD32I; EXIT */
static const uint64_t program[] = {0x1800000000001de2 | (uint64_t)LOOPS << 26, 0x0bfffffffc001c02, 0x1a8e0000fc01dc23,
                                   0x4003ffffa00001e7, 0x8000000000001de7};

/* Two launches of so many blocks of two warps. Each block takes more than two slices. */
static char *loops_of(uint32_t blocks) {
    struct capture capture;
    uint8_t data[4096] = {0};

    capture_begin(&capture, 0xc0, false);
    const uint32_t address = (uint32_t)capture.data_address;
    const uint32_t words[] = {METHOD(0, 1),
                              0x90c0,
                              METHOD(0x1608, 2),
                              0,
                              address,
                              METHOD(0x3b4, 1),
                              0x80,
                              METHOD(0x238, 2),
                              1 << 16 | blocks,
                              1,
                              METHOD(0x3ac, 2),
                              1 << 16 | 64,
                              1,
                              METHOD(0x2c0, 1),
                              16,
                              METHOD(0x368, 1),
                              0x1000,
                              METHOD(0x368, 1),
                              0x1000};
    for (size_t i = 0; i < sizeof program; i++)
        data[0x80 + i] = (uint8_t)(program[i / 8] >> 8 * (i % 8));
    capture_submit(&capture, words, sizeof words / sizeof words[0], data);
    return capture_file(&capture);
}

static char *loops(void) {
    return loops_of(2);
}

static void expect_lines(const char *lines, const char *const *texts) {
    char *path = loops();
    struct outcome outcome = debug_file(path, lines);

    expect_in_order(&outcome, texts);
    expect_status(0, &outcome);
    outcome_free(&outcome);
    unlink(path);
    free(path);
}
#define EXPECT_LINES(lines, ...) expect_lines(lines, (const char *const[]){__VA_ARGS__, NULL})

/* The last line fails, with this message. */
static void expect_failure_of(uint32_t blocks, const char *lines, const char *message) {
    char *path = loops_of(blocks);
    struct outcome outcome = debug_file(path, lines);

    expect_status(1, &outcome);
    if (!strstr(outcome.err, message))
        fail_msg("'%s' is not in: %s%s", message, outcome.out, outcome.err);
    outcome_free(&outcome);
    unlink(path);
    free(path);
}

static void expect_failure(const char *lines, const char *message) {
    expect_failure_of(2, lines, message);
}

static void stepi_goes_on_in_the_next_slices(void **state) {
    (void)state;
    EXPECT_LINES(
        "break program compute thread=37\nrun\np $r0\nstepi 4000\np $r0\ninfo lanes r0\nstepi\nstepi 500\np $r0\n",
        "after 0 instructions; lane 5, thread 37,0,0 of block 0,0,0\n", " = 0\n",
        "after 4000 instructions; lane 5, thread 37,0,0 of block 0,0,0\n=> 0x000088 IADD32I", "0xa7 = 167\n",
        "R0 0x000000a7  thread 37,0,0 ", "after 4001 instructions;", "=> 0x000090 ISETP", "after 4501 instructions;",
        "=> 0x0000a0 EXIT; 32 of 32 lanes\n", "0x0 = 0\n");
}

/* By short steps over the end of each slice: not one is missing, and none comes twice. */
static void short_steps_come_to_each_place(void **state) {
    char lines[16384] = "break program compute thread=0\nrun\n", text[64];
    size_t used = strlen(lines);
    char *path = loops();

    (void)state;
    for (unsigned at = 0; at < 300; at++)
        used += (size_t)snprintf(lines + used, sizeof lines - used, "stepi 15\n");
    struct outcome outcome = debug_file(path, lines);
    const char *seen = outcome.out;
    for (unsigned at = 15; at <= 4500; at += 15) {
        snprintf(text, sizeof text, "after %u instructions; lane 0, thread 0,0,0 of block 0,0,0\n", at);
        seen = strstr(seen, text);
        assert_non_null(seen);
    }
    expect_status(0, &outcome);
    outcome_free(&outcome);
    unlink(path);
    free(path);
}

static void reverse_stepi_goes_back_through_slices(void **state) {
    (void)state;
    EXPECT_LINES("break program compute thread=64,0,0,1\nbreak program compute thread=37,0,0,1 pc=0xa0\nrun\np $r0\n"
                 "reverse-stepi 4501\nstepi 4000\nrsi\nrsi 2000\np $r0\nrsi 1999\n",
                 "after 4501 instructions; lane 5, thread 37,0,0 of block 1,0,0\n", "0x0 = 0\n",
                 "after 0 instructions; lane 5, thread 37,0,0 of block 1,0,0\n=> 0x000080 MOV32I",
                 "after 4000 instructions; lane 5, thread 37,0,0 of block 1,0,0\n", "after 3999 instructions;",
                 "after 1999 instructions; lane 5, thread 37,0,0 of block 1,0,0\n", "0x342 = 834\n",
                 "after 0 instructions; lane 5, thread 37,0,0 of block 1,0,0\n");
    expect_failure("break program compute thread=37,0,0,1 pc=0xa0\nrun\nrsi 4502\n",
                   "the warp has executed 4501 instructions before this one");
}

/* Other blocks, and another launch, have warps of the same number that execute the same. */
static void a_warp_ends_where_it_ends(void **state) {
    static const char *const places[] = {"0,0,0,0", "32,0,0,0", "0,0,0,1", "63,0,0,1"};
    char lines[256];

    (void)state;
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++)
        for (unsigned launch = 0; launch < 2; launch++) {
            const char *runs = launch ? "c\n" : "";
            snprintf(lines, sizeof lines, "break program compute thread=%s\nrun\n%sstepi %u\nstepi\n", places[i], runs,
                     (unsigned)LAST);
            expect_failure(lines, "the warp ends before that; continue goes on");
            snprintf(lines, sizeof lines, "break program compute thread=%s\nrun\n%sstepi 100000000\n", places[i], runs);
            expect_failure(lines, "the warp ends before that; continue goes on");
            snprintf(lines, sizeof lines, "break program compute thread=%s\nrun\n%srsi\n", places[i], runs);
            expect_failure(lines, "the warp has executed 0 instructions before this one");
        }
}

/* All of this launch would take minutes: the next block ends the search. */
static void the_end_of_a_warp_is_found_without_the_rest_of_its_launch(void **state) {
    (void)state;
    expect_failure_of(UINT16_MAX, "break program compute thread=37\nrun\nstepi 100000000\n",
                      "the warp ends before that; continue goes on");
}

/* From where stepi has come to, in another slice. */
static void continue_goes_to_the_hits_after_it(void **state) {
    (void)state;
    EXPECT_LINES("break program compute thread=0\nbreak program compute thread=0 pc=0xa0\nrun\nstepi 4000\nc\nc\n"
                 "info breakpoints\n",
                 "after 4000 instructions;",
                 "Breakpoint 2: ", "after 4501 instructions; lane 0, thread 0,0,0 of block 0,0,0",
                 "Breakpoint 1: ", "after 0 instructions; lane 0, thread 0,0,0 of block 1,0,0",
                 "thread=0, hit 2 times\n", "pc=0xa0, hit 1 time\n");
}

/* The machine stands before the unit where stepi has gone to, and does the same from there. */
static void the_machine_does_the_same_after_stepi(void **state) {
    char *path = loops();

    (void)state;
    expect_same_place_in(path, "break program compute thread=0\nrun", "stepi 4000\nstepi 100", "rsi 4100");
    expect_same_place_in(path, "break program compute thread=0\nrun\nstepi 4000", "stepi 400", "rsi 400");
    expect_same_place_in(path, "until launch:1",
                         "run\nbreak program compute thread=0\nrun\nstepi 4000\nrsi 2000\ndelete", "until launch:1");
    unlink(path);
    free(path);
}

/* In a shell the way back is as long as what has run since the machine was loaded. */
static void a_shell_steps_through_slices_too(void **state) {
    char *path = loops(), *saved = temporary_path("launch"), lines[1024];

    (void)state;
    snprintf(lines, sizeof lines, "tbreak program compute thread=0\nrun\nsave %s\nstepi 4000\nsave %s-later\n", saved,
             saved);
    struct outcome outcome = debug_file(path, lines);
    expect_status(0, &outcome);
    outcome_free(&outcome);
    snprintf(lines, sizeof lines,
             "load %s\ntrace engine.launch*\nbreak program compute thread=0\nrun\nstepi 4000\np $r0\nrsi 3999\n"
             "p $r0\nstepi 100000000\nstop\nload %s-later\nbreak program compute pc=0xa0\nrun\nrsi\nrsi 4499\nrsi 2\n",
             saved, saved);
    outcome = tool_run_with(lines, (const char *const[]){"shell", "--chip=GF100", "--keep-going", NULL});
    expect_in_order(&outcome, (const char *const[]){"after 0 instructions;", "after 4000 instructions;", "0xa7 = 167",
                                                    "after 1 instruction;", "0x5dc = 1500\n",
                                                    "after 4501 instructions;", "after 4500 instructions;", NULL});
    assert_non_null(strstr(outcome.err, "the warp ends before that; continue goes on"));
    assert_non_null(strstr(outcome.err, "the warp executed that in an earlier unit, and there is no way back to it"));
    outcome_free(&outcome);
    snprintf(lines, sizeof lines, "%s-later", saved);
    unlink(lines);
    unlink(saved);
    unlink(path);
    free(path);
    free(saved);
}

/* A draw takes slices, too, but each of its warps is in one of them. */
static void a_warp_of_a_draw_ends_in_its_slice(void **state) {
    char *path = sample_path("nv117-glmark2-desktop-3frames.nvcap.xz");
    struct outcome outcome =
        debug_file(path, "tbreak program fragment\nrun\nc 1\nbreak program fragment\nrun\nstepi 100000000\n");

    (void)state;
    expect_status(1, &outcome);
    assert_non_null(strstr(outcome.err, "the warp ends before that; continue goes on"));
    outcome_free(&outcome);
    free(path);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stepi_goes_on_in_the_next_slices),
        cmocka_unit_test(short_steps_come_to_each_place),
        cmocka_unit_test(reverse_stepi_goes_back_through_slices),
        cmocka_unit_test(a_warp_ends_where_it_ends),
        cmocka_unit_test(the_end_of_a_warp_is_found_without_the_rest_of_its_launch),
        cmocka_unit_test(continue_goes_to_the_hits_after_it),
        cmocka_unit_test(the_machine_does_the_same_after_stepi),
        cmocka_unit_test(a_shell_steps_through_slices_too),
        cmocka_unit_test(a_warp_of_a_draw_ends_in_its_slice),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
