/* SPDX-License-Identifier: MIT */
/* `pfifo run`: which words are in memory when the GPU fetches them, if BODATA and PUSH say it, or only one of them. */
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

enum { GF100 = 0xc0, SEMAPHORE = 0x10, ACQUIRE = 1, RELEASE = 2, FOUR_BYTES = 1 << 24, SET_REFERENCE = 0x50 };

/* A release, an acquire: packets of five words. */
static void semaphore(uint64_t address, uint32_t value, uint32_t operation, uint32_t words[5]) {
    const uint32_t packet[] = {1u << 29 | 4 << 16 | SEMAPHORE / 4, (uint32_t)(address >> 32), (uint32_t)address, value,
                               operation};

    memcpy(words, packet, sizeof packet);
}

static struct outcome run_capture(struct capture *capture) {
    char *path = capture_file(capture);
    struct outcome outcome = tool_run("run", path);

    unlink(path);
    free(path);
    return outcome;
}

static void expect_text(const char *out, const char *text) {
    if (!strstr(out, text))
        fail_msg("no '%s' in: %.2000s", text, out);
}

static void words_of_a_push_are_put_in_place_where_no_data_was_recorded(void **state) {
    static const struct {
        uint32_t chipset, header, last;
    } rows[] = {{0x11, 1 << 18 | SET_REFERENCE, 0x20000},  {0x40, 1 << 18 | SET_REFERENCE, 0x20000},
                {0x50, 1 << 18 | SET_REFERENCE, 0},        {0xa3, 1 << 18 | SET_REFERENCE, 0},
                {0xc0, 0x20010000 | SET_REFERENCE / 4, 0}, {0x117, 0x20010000 | SET_REFERENCE / 4, 0}};
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const uint32_t words[] = {rows[i].header, 1, rows[i].header, 2, rows[i].last};
        struct capture capture;
        capture_begin(&capture, rows[i].chipset, rows[i].last != 0);
        capture.no_dump = true;
        capture_submit(&capture, words, rows[i].last ? 5 : 4, NULL);
        struct outcome outcome = run_capture(&capture);
        expect_status(0, &outcome);
        expect_text(outcome.out, " words, 2 methods\n");
        outcome_free(&outcome);
    }
}

static void words_that_must_not_be_prefetched_are_put_in_place_too(void **state) {
    struct capture capture;
    uint32_t words[5];
    (void)state;
    capture_begin(&capture, GF100, false);
    semaphore(capture.data_address, 7, RELEASE | FOUR_BYTES, words);
    capture.no_dump = capture.no_prefetch = true;
    capture_submit(&capture, words, 5, NULL);
    struct outcome outcome = run_capture(&capture);
    expect_status(0, &outcome);
    expect_text(outcome.out, "1 written, 4 bytes");
    outcome_free(&outcome);
}

/* The same place, with other words in the next submission: the acquire finds what the first has released. */
static void words_of_a_later_push_replace_those_before(void **state) {
    struct capture capture;
    uint32_t words[5];
    (void)state;
    for (int dumped = 0; dumped < 2; dumped++) {
        capture_begin(&capture, GF100, false);
        semaphore(capture.data_address, 7, RELEASE | FOUR_BYTES, words);
        capture.no_dump = !dumped;
        capture_submit(&capture, words, 5, NULL);
        semaphore(capture.data_address, 7, ACQUIRE, words);
        capture.end = 0;
        capture.no_dump = true;
        capture_submit(&capture, words, 5, NULL);
        semaphore(capture.data_address, 8, ACQUIRE, words);
        capture.end = 0;
        capture_submit(&capture, words, 5, NULL);
        struct outcome outcome = run_capture(&capture);
        expect_status(1, &outcome);
        expect_text(outcome.out, "in submission 3: waits for 0x8 at 0x20020000, finds 0x7\n");
        outcome_free(&outcome);
    }
}

/* What was recorded is what the client wrote: words that did not change since then may be the GPU's. */
static void words_that_the_gpu_wrote_are_not_undone(void **state) {
    struct capture capture;
    uint32_t words[5];
    (void)state;
    capture_begin(&capture, GF100, false);
    semaphore(capture.push_address + 20 + 12, 9, RELEASE | FOUR_BYTES, words); /* the value that is waited for below */
    capture_submit(&capture, words, 5, NULL);
    semaphore(capture.data_address, 0, ACQUIRE, words);
    capture.no_dump = true;
    capture_submit(&capture, words, 5, NULL);
    struct outcome outcome = run_capture(&capture);
    expect_status(1, &outcome);
    expect_text(outcome.out, "segments      1 with words that are not as recorded\n");
    expect_text(outcome.out, "in submission 2: waits for 0x9 at 0x20020000, finds 0x0\n");
    outcome_free(&outcome);
}

static void words_that_contradict_the_data_are_an_error_with_their_place(void **state) {
    uint8_t other[20];
    struct capture capture;
    uint32_t words[5];
    (void)state;
    for (int no_prefetch = 0; no_prefetch < 2; no_prefetch++) {
        capture_begin(&capture, GF100, false);
        semaphore(capture.data_address, 7, RELEASE | FOUR_BYTES, words);
        capture_submit(&capture, words, 5, NULL);
        memcpy(other, words, sizeof other);
        other[12] = 8;
        capture.recorded = other;
        capture.no_prefetch = no_prefetch;
        capture_submit(&capture, words, 5, NULL);
        struct outcome outcome = run_capture(&capture);
        expect_status(no_prefetch ? 0 : 2, &outcome);
        if (!no_prefetch) {
            expect_text(outcome.err, ": offset ");
            expect_text(outcome.err,
                        ": PUSH: word 3 is 0x00000008, and the BODATA of the submission has 0x00000007 there "
                        "(buffer 2 + 0x20, address 0x20010020)\n");
        }
        outcome_free(&outcome);
    }
}

/* A submission of pieces of the pushbuffer, nothing dumped. */
static void submit_pieces(struct capture *capture, const struct pfifo_stream_push *pushes, uint32_t count) {
    const struct pfifo_stream_submit submit = {.sequence = ++capture->sequence, .pushes = count};
    const struct pfifo_stream_subend end = {.sequence = capture->sequence};

    capture_append(capture, &(struct pfifo_stream_record){.type = PFIFO_STREAM_SUBMIT, .submit = submit});
    for (uint32_t i = 0; i < count; i++)
        capture_append(capture, &(struct pfifo_stream_record){.type = PFIFO_STREAM_PUSH, .push = pushes[i]});
    capture_append(capture, &(struct pfifo_stream_record){.type = PFIFO_STREAM_SUBEND, .subend = end});
}

static struct pfifo_stream_push piece(const struct capture *capture, uint64_t offset, const void *words,
                                      uint32_t count) {
    return (struct pfifo_stream_push){.handle = CAPTURE_PUSH,
                                      .offset = offset,
                                      .length = 4 * (uint64_t)count,
                                      .address = capture->push_address + offset,
                                      .words = words,
                                      .word_count = count};
}

/* Nobody can write between two pieces of a submission. */
static void pieces_of_a_submission_that_contradict_each_other_are_an_error(void **state) {
    static const uint8_t first[8] = {0}, same[4] = {0}, other[4] = {1};
    (void)state;
    for (int contradicts = 0; contradicts < 2; contradicts++) {
        struct capture capture;
        capture_begin(&capture, GF100, false);
        const struct pfifo_stream_push pushes[] = {piece(&capture, 8, first, 2),
                                                   piece(&capture, 12, contradicts ? other : same, 1)};
        submit_pieces(&capture, pushes, 2);
        const struct pfifo_stream_push later = piece(&capture, 12, other, 1);
        if (!contradicts)
            submit_pieces(&capture, &later, 1);
        struct outcome outcome = run_capture(&capture);
        if (contradicts) {
            expect_status(2, &outcome);
            expect_text(outcome.err, ": PUSH: word 0 is 0x00000001, and the PUSH before of the submission has "
                                     "0x00000000 there (buffer 2 + 0xc, address 0x2001000c)\n");
        }
        assert_int_equal(outcome.status == 2, contradicts);
        outcome_free(&outcome);
    }
}

static void words_without_a_place_are_an_error(void **state) {
    static const uint8_t words[8] = {0};
    (void)state;
    for (int i = 0; i < 4; i++) {
        static const char *const reasons[] = {"there is no buffer 77\n",
                                              "8 bytes at 0xffc are not words inside of buffer 2\n",
                                              "8 bytes at 0x102 are not words inside of buffer 2\n",
                                              "address 0x20010104 is not that of buffer 2 + 0x100\n"};
        struct capture capture;
        capture_begin(&capture, GF100, false);
        struct pfifo_stream_push push = piece(&capture, i == 1 ? 0xffc : i == 2 ? 0x102 : 0x100, words, 2);
        push.handle = i == 0 ? 77 : CAPTURE_PUSH;
        push.address += i == 3 ? 4 : 0;
        submit_pieces(&capture, &push, 1);
        struct outcome outcome = run_capture(&capture);
        expect_status(2, &outcome);
        expect_text(outcome.err, ": PUSH: ");
        expect_text(outcome.err, reasons[i]);
        outcome_free(&outcome);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_of_a_push_are_put_in_place_where_no_data_was_recorded),
        cmocka_unit_test(words_that_must_not_be_prefetched_are_put_in_place_too),
        cmocka_unit_test(words_of_a_later_push_replace_those_before),
        cmocka_unit_test(words_that_the_gpu_wrote_are_not_undone),
        cmocka_unit_test(words_that_contradict_the_data_are_an_error_with_their_place),
        cmocka_unit_test(pieces_of_a_submission_that_contradict_each_other_are_an_error),
        cmocka_unit_test(words_without_a_place_are_an_error),
    };

    unsetenv("PFIFO_TRACE");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
