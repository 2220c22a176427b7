/* SPDX-License-Identifier: MIT */
/* Captures of version 2 on a GM20B: address spaces, syncpoints, and the order of writes and runs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "replay/tape.h"

enum { LISTS = 90, FIRST = 1, SECOND = 2, OTHER = 3, PAGE = 4096 };

#define LISTS_AT  0x100000u
#define DATA_AT   0x200000u
#define SYNCPOINT 5u

/* Host methods: a word is written to memory; a syncpoint is waited for, or incremented. */
#define RELEASE(address, value) 0x20040004, 0, (address), (value), 0x1000002
#define WAIT(value)             0x2001001c, (value), 0x2001001d, SYNCPOINT << 8 | 0x10
#define INCREMENT               0x2001001d, SYNCPOINT << 8 | 1

static void put_buffer(struct tape *tape, uint32_t handle, uint32_t pages) {
    tape_put(tape,
             RECORD(BONEW, bonew, .handle = handle, .domain = PFIFO_STREAM_GART, .bytes = (uint64_t)pages * PAGE));
}

static void put_map(struct tape *tape, uint32_t space, uint32_t handle, uint64_t address, uint64_t offset) {
    tape_put(tape,
             RECORD(MAP, map, .space = space, .handle = handle, .address = address, .bytes = PAGE, .offset = offset));
}

/* A space with lists of commands, and a channel of the same number. */
static void put_space(struct tape *tape, uint32_t space) {
    tape_put(tape, RECORD(SPACE, space, .space = space, .first = 0x10000, .bytes = UINT64_C(1) << 36));
    put_map(tape, space, LISTS, LISTS_AT, 0);
    tape_put(tape, RECORD(CHANIN, chanin, .channel = space, .space = space, .entries = 64,
                          .flags = PFIFO_STREAM_CHANIN_OLD_HEADERS));
    tape_put(tape, RECORD(CHAN, chan, .channel = space));
}

/* Space 1, with its channel. */
static void tape_begin_of(struct tape *tape, const char *chipset) {
    tape_open(tape, 2, chipset);
    put_buffer(tape, LISTS, 1);
    put_space(tape, 1);
}

static void tape_begin(struct tape *tape) {
    tape_begin_of(tape, "0x12b");
}

static void put_list(struct tape *tape, uint32_t channel, const uint32_t *words, uint32_t count) {
    uint8_t bytes[256];

    assert_true(4 * count <= sizeof bytes);
    for (uint32_t i = 0; i < 4 * count; i++)
        bytes[i] = (uint8_t)(words[i / 4] >> 8 * (i % 4));
    tape_put(tape, RECORD(SUBMIT, submit, .sequence = ++tape->sequence, .channel = channel, .pushes = 1));
    tape_put(tape, RECORD(PUSH, push, .handle = LISTS, .offset = tape->used, .length = 4 * (uint64_t)count,
                          .address = LISTS_AT + tape->used, .words = bytes, .word_count = count));
    tape_put(tape, RECORD(SUBEND, subend, .sequence = tape->sequence));
    tape->used += 4 * count;
}

#define PUT_LIST(tape, channel, ...)                                                                                   \
    put_list(tape, channel, (const uint32_t[]){__VA_ARGS__}, sizeof((const uint32_t[]){__VA_ARGS__}) / 4)

static void put_run(struct tape *tape) {
    tape_put(tape, RECORD(RUN, run, .units = 0));
}

static void put_write(struct tape *tape, uint32_t handle, uint64_t offset, uint8_t byte) {
    tape_put(tape, RECORD(WRITE, write, .handle = handle, .offset = offset, .data = &byte, .bytes = 1));
}

static void gone(void *opaque, uint32_t handle, struct pfifo_buffer *buffer) {
    struct tape *tape = opaque;

    if (handle < TAPE_BUFFERS)
        assert_true(pfifo_buffer_read(buffer, 0, tape->words[handle], 2 * sizeof tape->words[handle][0]));
}

/* Plays what was put, and frees all, so that `words` are known. */
static void finish(struct tape *tape, enum pfifo_stop stop, uint64_t faults) {
    struct pfifo_error error = {0};

    if (tape_play(tape, gone, &error) != PFIFO_OK)
        fail_msg("%s", error.message);
    assert_int_equal(pfifo_replay_result(tape->replay)->stop, stop);
    assert_int_equal(pfifo_replay_result(tape->replay)->faults, faults);
    tape_close(tape);
}

static void a_buffer_is_the_same_at_all_its_addresses(void **state) {
    struct tape tape;

    (void)state;
    tape_begin(&tape);
    put_buffer(&tape, FIRST, 2);
    put_map(&tape, 1, FIRST, DATA_AT, 0);
    put_map(&tape, 1, FIRST, DATA_AT + 0x8000, 0);
    put_map(&tape, 1, FIRST, DATA_AT + 0x4000, PAGE);
    PUT_LIST(&tape, 1, RELEASE(DATA_AT, 0x11), RELEASE(DATA_AT + 0x8004, 0x22), RELEASE(DATA_AT + 0x4000, 0x33));
    put_run(&tape);
    finish(&tape, PFIFO_STOP_IDLE, 0);
    assert_int_equal(tape.words[FIRST][0], 0x11);
    assert_int_equal(tape.words[FIRST][1], 0x22);
}

static void an_address_is_other_memory_in_another_space(void **state) {
    struct tape tape;

    (void)state;
    tape_begin(&tape);
    put_space(&tape, 2);
    put_buffer(&tape, FIRST, 1);
    put_buffer(&tape, SECOND, 1);
    put_map(&tape, 1, FIRST, DATA_AT, 0);
    put_map(&tape, 2, SECOND, DATA_AT, 0);
    PUT_LIST(&tape, 1, RELEASE(DATA_AT, 0x11));
    PUT_LIST(&tape, 2, RELEASE(DATA_AT, 0x22));
    put_run(&tape);
    finish(&tape, PFIFO_STOP_IDLE, 0);
    assert_int_equal(tape.words[FIRST][0], 0x11);
    assert_int_equal(tape.words[SECOND][0], 0x22);
}

static void what_is_unmapped_faults(void **state) {
    struct tape tape;

    (void)state;
    tape_begin(&tape);
    put_buffer(&tape, FIRST, 1);
    put_map(&tape, 1, FIRST, DATA_AT, 0);
    PUT_LIST(&tape, 1, RELEASE(DATA_AT, 0x11));
    put_run(&tape);
    tape_put(&tape, RECORD(UNMAP, unmap, .space = 1, .address = DATA_AT, .bytes = PAGE));
    PUT_LIST(&tape, 1, RELEASE(DATA_AT, 0x22));
    put_run(&tape);
    finish(&tape, PFIFO_STOP_IDLE, 1);
    assert_int_equal(tape.words[FIRST][0], 0x11);
}

static void writes_to_sparse_ranges_are_lost_without_a_fault(void **state) {
    struct tape tape;

    (void)state;
    tape_begin(&tape);
    put_buffer(&tape, FIRST, 1);
    tape_put(&tape, RECORD(SPARSE, sparse, .space = 1, .sparse = 1, .address = DATA_AT, .bytes = 0x20000));
    put_map(&tape, 1, FIRST, DATA_AT + 0x3000, 0);
    PUT_LIST(&tape, 1, RELEASE(DATA_AT + 0x2000, 0x11), RELEASE(DATA_AT + 0x3000, 0x22));
    put_run(&tape);
    tape_put(&tape, RECORD(UNMAP, unmap, .space = 1, .address = DATA_AT + 0x3000, .bytes = PAGE));
    PUT_LIST(&tape, 1, RELEASE(DATA_AT + 0x3000, 0x33));
    put_run(&tape);
    tape_put(&tape, RECORD(SPARSE, sparse, .space = 1, .address = DATA_AT, .bytes = 0x20000));
    PUT_LIST(&tape, 1, RELEASE(DATA_AT + 0x2000, 0x44));
    put_run(&tape);
    finish(&tape, PFIFO_STOP_IDLE, 1); /* the last */
    assert_int_equal(tape.words[FIRST][0], 0x22);
}

static void a_space_ends_with_its_mappings(void **state) {
    struct tape tape;

    (void)state;
    tape_begin(&tape);
    tape_put(&tape, RECORD(SPACE, space, .space = 2, .first = 0x10000, .bytes = 0x1000000));
    put_buffer(&tape, FIRST, 1);
    put_map(&tape, 2, FIRST, DATA_AT, 0);
    tape_put(&tape, RECORD(SPACEDEL, spacedel, .space = 2));
    tape_put(&tape, RECORD(BODEL, bodel, .handle = FIRST));
    put_space(&tape, 2);
    put_buffer(&tape, FIRST, 1);
    put_map(&tape, 2, FIRST, DATA_AT, 0);
    PUT_LIST(&tape, 2, RELEASE(DATA_AT, 0x44));
    put_run(&tape);
    finish(&tape, PFIFO_STOP_IDLE, 0);
    assert_int_equal(tape.words[FIRST][0], 0x44);
}

/* As in version 1: the lists and the data have addresses of their own there. */
static void a_channel_of_no_space_is_in_that_of_the_device(void **state) {
    static const uint8_t words[] = {4, 0, 4, 0x20, 0, 0, 0, 0, 0, 0, 0x20, 0, 0x11, 0, 0, 0, 2, 0, 0, 1};
    struct tape tape;

    (void)state;
    tape_begin(&tape);
    tape_put(&tape, RECORD(CHAN, chan, .channel = 7));
    tape_put(&tape,
             RECORD(BONEW, bonew, .handle = OTHER, .domain = PFIFO_STREAM_GART, .bytes = PAGE, .address = LISTS_AT));
    tape_put(&tape,
             RECORD(BONEW, bonew, .handle = FIRST, .domain = PFIFO_STREAM_GART, .bytes = PAGE, .address = DATA_AT));
    tape_put(&tape, RECORD(SUBMIT, submit, .sequence = ++tape.sequence, .channel = 7, .pushes = 1));
    tape_put(&tape, RECORD(PUSH, push, .handle = OTHER, .length = sizeof words, .address = LISTS_AT, .words = words,
                           .word_count = sizeof words / 4));
    tape_put(&tape, RECORD(SUBEND, subend, .sequence = tape.sequence));
    put_run(&tape);
    finish(&tape, PFIFO_STOP_IDLE, 0);
    assert_int_equal(tape.words[FIRST][0], 0x11);
}

static void the_machine_works_at_a_run_and_not_before(void **state) {
    struct tape tape;

    (void)state;
    for (int runs = 0; runs < 2; runs++) {
        tape_begin(&tape);
        put_buffer(&tape, FIRST, 1);
        put_map(&tape, 1, FIRST, DATA_AT, 0);
        PUT_LIST(&tape, 1, RELEASE(DATA_AT, 0x11));
        put_write(&tape, FIRST, 4, 0x55); /* it does not wait for the submission */
        if (runs)
            put_run(&tape);
        finish(&tape, PFIFO_STOP_IDLE, 0);
        assert_int_equal(tape.words[FIRST][0], runs ? 0x11 : 0);
        assert_int_equal(tape.words[FIRST][1], 0x55);
    }
}

static void a_write_is_there_whatever_the_gpu_has_written(void **state) {
    struct tape tape;

    (void)state;
    tape_begin(&tape);
    put_buffer(&tape, FIRST, 1);
    put_map(&tape, 1, FIRST, DATA_AT, 0);
    put_write(&tape, FIRST, 0, 0x77);
    PUT_LIST(&tape, 1, RELEASE(DATA_AT, 0x11), RELEASE(DATA_AT + 4, 0x12));
    put_run(&tape);
    put_write(&tape, FIRST, 0, 0x77);
    finish(&tape, PFIFO_STOP_IDLE, 0);
    assert_int_equal(tape.words[FIRST][0], 0x77);
    assert_int_equal(tape.words[FIRST][1], 0x12);
}

static void a_channel_waits_for_a_syncpoint_of_another(void **state) {
    struct tape tape;

    (void)state;
    for (int released = 0; released < 2; released++) {
        tape_begin(&tape);
        put_space(&tape, 2);
        put_buffer(&tape, FIRST, 1);
        put_map(&tape, 1, FIRST, DATA_AT, 0);
        put_map(&tape, 2, FIRST, DATA_AT, 0);
        PUT_LIST(&tape, 1, WAIT(1), RELEASE(DATA_AT, 0x11));
        put_run(&tape);
        PUT_LIST(&tape, 2, RELEASE(DATA_AT, 0x22), RELEASE(DATA_AT + 4, 0x33));
        put_run(&tape);
        if (released)
            PUT_LIST(&tape, 2, INCREMENT);
        put_run(&tape);
        finish(&tape, released ? PFIFO_STOP_IDLE : PFIFO_STOP_WAITING, 0);
        assert_int_equal(tape.words[FIRST][0], released ? 0x11 : 0x22);
        assert_int_equal(tape.words[FIRST][1], 0x33);
    }
}

/* A wait for `threshold` after a change; 1 before it. */
static void expect_change(const struct pfifo_stream_syncpt *change, uint32_t threshold, bool reached) {
    struct tape tape;

    tape_begin(&tape);
    put_buffer(&tape, FIRST, 1);
    put_map(&tape, 1, FIRST, DATA_AT, 0);
    tape_put(&tape, RECORD(SYNCPT, syncpt, SYNCPOINT, 0, 1));
    PUT_LIST(&tape, 1, WAIT(1), RELEASE(DATA_AT, 0x11), WAIT(threshold), RELEASE(DATA_AT + 4, 0x22));
    put_run(&tape);
    tape_put(&tape, &(struct pfifo_stream_record){.type = PFIFO_STREAM_SYNCPT, .syncpt = *change});
    put_run(&tape);
    finish(&tape, reached ? PFIFO_STOP_IDLE : PFIFO_STOP_WAITING, 0);
    assert_int_equal(tape.words[FIRST][0], 0x11);
    assert_int_equal(tape.words[FIRST][1], reached ? 0x22 : 0);
}

static void the_cpu_increments_or_sets_syncpoints(void **state) {
    static const struct pfifo_stream_syncpt once = {SYNCPOINT, 0, 1}, often = {SYNCPOINT, 0, 0x7fffffff},
                                            set = {SYNCPOINT, 1, 7};

    (void)state;
    expect_change(&once, 2, true);
    expect_change(&once, 3, false);
    expect_change(&often, 0x80000000, true);
    expect_change(&often, 0x80000001, false);
    expect_change(&set, 7, true);
    expect_change(&set, 8, false);
}

static void a_segment_of_no_buffer_faults(void **state) {
    struct tape tape;

    (void)state;
    tape_begin(&tape);
    tape_put(&tape, RECORD(SUBMIT, submit, .sequence = ++tape.sequence, .channel = 1, .pushes = 1));
    tape_put(&tape, RECORD(PUSH, push, .length = 16, .address = DATA_AT));
    tape_put(&tape, RECORD(SUBEND, subend, .sequence = tape.sequence));
    put_run(&tape);
    finish(&tape, PFIFO_STOP_IDLE, 1);
}

static void a_run_that_was_short_goes_on_in_the_next(void **state) {
    struct tape tape;

    (void)state;
    for (int runs = 0; runs < 2; runs++) {
        tape_begin(&tape);
        put_buffer(&tape, FIRST, 1);
        put_map(&tape, 1, FIRST, DATA_AT, 0);
        PUT_LIST(&tape, 1, RELEASE(DATA_AT, 0x11), RELEASE(DATA_AT, 0x12), RELEASE(DATA_AT, 0x13));
        tape_put(&tape, RECORD(RUN, run, .units = 2));
        if (runs)
            put_run(&tape);
        finish(&tape, runs ? PFIFO_STOP_IDLE : PFIFO_STOP_BUDGET, 0);
        assert_int_equal(tape.words[FIRST][0] == 0x13, runs);
    }
}

static void what_a_chip_does_not_have_is_not_supported(void **state) {
    struct pfifo_error error = {0};
    struct tape tape;

    (void)state;
    tape_begin_of(&tape, "0x40");
    assert_int_equal(tape_play(&tape, gone, &error), PFIFO_ERROR_UNSUPPORTED);
    if (!strstr(error.message, "tape: offset 28: BONEW: "))
        fail_msg("%s", error.message);
    tape_close(&tape);
    tape_begin(&tape);
    tape_put(&tape, RECORD(SYNCPT, syncpt, 4000, 0, 1));
    assert_int_equal(tape_play(&tape, gone, &error), PFIFO_ERROR_UNSUPPORTED);
    assert_non_null(strstr(error.message, "SYNCPT: GM20B has no syncpoint 4000"));
    tape_close(&tape);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_buffer_is_the_same_at_all_its_addresses),
        cmocka_unit_test(an_address_is_other_memory_in_another_space),
        cmocka_unit_test(what_is_unmapped_faults),
        cmocka_unit_test(writes_to_sparse_ranges_are_lost_without_a_fault),
        cmocka_unit_test(a_space_ends_with_its_mappings),
        cmocka_unit_test(a_channel_of_no_space_is_in_that_of_the_device),
        cmocka_unit_test(the_machine_works_at_a_run_and_not_before),
        cmocka_unit_test(a_write_is_there_whatever_the_gpu_has_written),
        cmocka_unit_test(a_channel_waits_for_a_syncpoint_of_another),
        cmocka_unit_test(the_cpu_increments_or_sets_syncpoints),
        cmocka_unit_test(a_segment_of_no_buffer_faults),
        cmocka_unit_test(a_run_that_was_short_goes_on_in_the_next),
        cmocka_unit_test(what_a_chip_does_not_have_is_not_supported),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
