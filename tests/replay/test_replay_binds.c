/* SPDX-License-Identifier: MIT */
/* Captures of version 3 on a GM200: what is written where BINDs have mapped buffers. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "replay/tape.h"

enum { LISTS = 90, FIRST = 1, SECOND = 2, PAGE = 4096 };

#define LISTS_AT UINT64_C(0x3f00000000)
#define DATA_AT  UINT64_C(0x3e00000000)
#define KEPT     (UINT64_C(1) << 39)

/* Host methods: a word is written to memory. */
#define RELEASE(address, value) 0x20040004, (uint32_t)((address) >> 32), (uint32_t)(address), (value), 0x1000002

static void put_buffer(struct tape *tape, uint32_t handle) {
    tape_put(tape, RECORD(BONEW, bonew, .handle = handle, .domain = PFIFO_STREAM_GART, .bytes = 4 * PAGE));
}

static void put_bind(struct tape *tape, enum pfifo_stream_bind_how how, uint64_t address, uint64_t pages) {
    tape_put(tape, RECORD(BIND, bind, .space = 1, .how = how, .address = address, .bytes = pages * PAGE));
}

static void put_map(struct tape *tape, uint32_t handle, uint64_t address, uint64_t page, uint64_t pages) {
    tape_put(tape, RECORD(BIND, bind, .space = 1, .handle = handle, .address = address, .bytes = pages * PAGE,
                          .offset = page * PAGE));
}

static void tape_begin_kept(struct tape *tape, const char *chipset, uint64_t kept_bytes) {
    tape_open(tape, 3, chipset);
    tape_put(tape, RECORD(VMINIT, vminit, .space = 1, .kept = KEPT, .kept_bytes = kept_bytes));
    put_buffer(tape, LISTS);
    put_map(tape, LISTS, LISTS_AT, 0, 4);
    tape_put(tape, RECORD(CHANIN, chanin, .channel = 1, .space = 1));
    tape_put(tape, RECORD(CHAN, chan, .channel = 1));
    put_buffer(tape, FIRST);
    put_buffer(tape, SECOND);
}

static void tape_begin_of(struct tape *tape, const char *chipset) {
    tape_begin_kept(tape, chipset, KEPT);
}

static void tape_begin(struct tape *tape) {
    tape_begin_of(tape, "0x120");
}

/* Write a value to an address. */
static void put_release(struct tape *tape, uint64_t address, uint32_t value) {
    const uint32_t words[] = {RELEASE(address, value)};
    uint8_t bytes[sizeof words];

    for (size_t i = 0; i < sizeof words; i++)
        bytes[i] = (uint8_t)(words[i / 4] >> 8 * (i % 4));
    tape_put(tape, RECORD(SUBMIT, submit, .sequence = ++tape->sequence, .channel = 1, .pushes = 1));
    tape_put(tape, RECORD(SYNC, sync, .object = 7, .how = PFIFO_STREAM_SYNC_WAIT, .point = 99)); /* nobody signals it */
    tape_put(tape, RECORD(PUSH, push, .handle = LISTS, .offset = tape->used, .length = sizeof words,
                          .address = LISTS_AT + tape->used, .words = bytes, .word_count = sizeof words / 4));
    tape_put(tape, RECORD(SUBEND, subend, .sequence = tape->sequence));
    tape_put(tape, RECORD(RUN, run, .units = 0));
    tape->used += sizeof words;
}

static void gone(void *opaque, uint32_t handle, struct pfifo_buffer *buffer) {
    struct tape *tape = opaque;

    for (unsigned i = 0; handle < TAPE_BUFFERS && i < 4; i++)
        assert_true(pfifo_buffer_read(buffer, (uint64_t)i * PAGE, &tape->words[handle][i], 4));
}

/* Play it to the end; and so many faults. */
static void tape_finish(struct tape *tape, uint64_t faults) {
    struct pfifo_error error = {0};

    if (tape_play(tape, gone, &error) != PFIFO_OK)
        fail_msg("%s", error.message);
    assert_int_equal(pfifo_replay_result(tape->replay)->faults, faults);
    tape_close(tape);
}

/* Elsewhere BINDs of the program would take its ring away. */
static void a_channel_has_no_room_outside_of_what_the_kernel_keeps(void **state) {
    struct pfifo_error error = {0};
    struct tape tape;

    (void)state;
    tape_begin_kept(&tape, "0x120", PAGE);
    assert_int_equal(tape_play(&tape, gone, &error), PFIFO_ERROR_MEMORY);
    assert_non_null(strstr(error.message, "no addresses left"));
    pfifo_replay_free(tape.replay);
    pfifo_stream_close(tape.stream);
    pfifo_stream_writer_close(tape.writer);
}

static void a_mapping_takes_the_place_of_a_part_of_another(void **state) {
    struct tape tape;

    (void)state;
    tape_begin(&tape);
    put_map(&tape, FIRST, DATA_AT, 0, 4);
    put_map(&tape, SECOND, DATA_AT + PAGE, 2, 2);
    for (unsigned i = 0; i < 4; i++)
        put_release(&tape, DATA_AT + (uint64_t)i * PAGE, 10 + i);
    tape_finish(&tape, 0);
    assert_int_equal(tape.words[FIRST][0], 10);
    assert_int_equal(tape.words[FIRST][1], 0);
    assert_int_equal(tape.words[FIRST][3], 13);
    assert_int_equal(tape.words[SECOND][2], 11);
    assert_int_equal(tape.words[SECOND][3], 12);
}

static void one_buffer_is_at_several_addresses(void **state) {
    struct tape tape;

    (void)state;
    tape_begin(&tape);
    put_map(&tape, FIRST, DATA_AT, 0, 4);
    tape_put(&tape, RECORD(BIND, bind, .space = 1, .handle = FIRST, .kind = 0xfe, .address = DATA_AT + 0x100000,
                           .bytes = 4 * PAGE));
    put_release(&tape, DATA_AT, 1);
    put_release(&tape, DATA_AT + 0x100000 + PAGE, 2);
    tape_finish(&tape, 0);
    assert_int_equal(tape.words[FIRST][0], 1);
    assert_int_equal(tape.words[FIRST][1], 2);
}

static void what_is_unmapped_faults(void **state) {
    struct tape tape;

    (void)state;
    tape_begin(&tape);
    put_map(&tape, FIRST, DATA_AT, 0, 4);
    put_bind(&tape, PFIFO_STREAM_BIND_UNMAP, DATA_AT - PAGE, 2);
    put_release(&tape, DATA_AT + PAGE, 1);
    put_release(&tape, DATA_AT, 2);
    tape_finish(&tape, 1);
    assert_int_equal(tape.words[FIRST][0], 0);
    assert_int_equal(tape.words[FIRST][1], 1);
}

static void what_is_written_to_a_sparse_range_is_lost(void **state) {
    struct tape tape;

    (void)state;
    tape_begin(&tape);
    put_bind(&tape, PFIFO_STREAM_BIND_SPARSE, DATA_AT, 16);
    put_map(&tape, FIRST, DATA_AT + PAGE, 0, 4);
    put_release(&tape, DATA_AT, 1);
    put_release(&tape, DATA_AT + PAGE, 2);
    put_bind(&tape, PFIFO_STREAM_BIND_UNMAP, DATA_AT + PAGE, 1);
    put_release(&tape, DATA_AT + PAGE, 3);
    put_bind(&tape, PFIFO_STREAM_BIND_END_SPARSE, DATA_AT, 16);
    put_release(&tape, DATA_AT, 4);
    tape_finish(&tape, 1);
    assert_int_equal(tape.words[FIRST][0], 2);
}

/* The driver's own are in what the kernel keeps: all else can be mapped. */
static void nothing_of_the_driver_is_where_the_program_maps(void **state) {
    const uint64_t places[] = {0x1000, 0x100000, 0xffffc000, UINT64_C(0x7fffffc000)};
    struct tape tape;

    (void)state;
    tape_begin(&tape);
    for (unsigned i = 0; i < 4; i++) {
        put_map(&tape, FIRST, places[i], 0, 4);
        put_release(&tape, places[i] + (uint64_t)i * PAGE, 20 + i);
    }
    tape_finish(&tape, 0);
    for (unsigned i = 0; i < 4; i++)
        assert_int_equal(tape.words[FIRST][i], 20 + i);
}

static void a_chip_without_sparse_ranges_says_so(void **state) {
    struct pfifo_error error = {0};
    struct tape tape;

    (void)state;
    tape_begin_of(&tape, "0xe4");
    put_bind(&tape, PFIFO_STREAM_BIND_SPARSE, DATA_AT, 16);
    assert_int_not_equal(tape_play(&tape, gone, &error), PFIFO_OK);
    assert_non_null(strstr(error.message, "BIND: "));
    pfifo_replay_free(tape.replay);
    pfifo_stream_close(tape.stream);
    pfifo_stream_writer_close(tape.writer);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_channel_has_no_room_outside_of_what_the_kernel_keeps),
        cmocka_unit_test(a_mapping_takes_the_place_of_a_part_of_another),
        cmocka_unit_test(one_buffer_is_at_several_addresses),
        cmocka_unit_test(what_is_unmapped_faults),
        cmocka_unit_test(what_is_written_to_a_sparse_range_is_lost),
        cmocka_unit_test(nothing_of_the_driver_is_where_the_program_maps),
        cmocka_unit_test(a_chip_without_sparse_ranges_says_so),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
