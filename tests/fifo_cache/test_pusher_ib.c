/* SPDX-License-Identifier: MIT */
/* The pusher of G80 .. MCP89 in IB mode: ring, segments, what they change in the forms of words. */
#include "rig.h"

/* Channel 1 in IB mode with a ring of 1 << 3. */
static void reopen(struct rig *rig) {
    rig_open_ib(rig, 1, 3);
    rig_bind(rig);
}

/* Push words at `at` and tell the ring about them. */
static void segment_at(struct rig *rig, uint32_t at, uint64_t flags, const uint32_t *words, uint32_t count) {
    rig->pushed[1] = at;
    rig_push(rig, 1, words, count);
    rig_segment(rig, 1, SEGMENT(at, count) | flags);
}

#define segment(rig, at, flags, ...)                                                                                   \
    segment_at(rig, at, flags, (const uint32_t[]){__VA_ARGS__},                                                        \
               sizeof((const uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t))

static void segments_are_read_in_order(void **state) {
    struct rig *rig = *state;
    reopen(rig);
    segment(rig, 0x2000, 0, INC(0, 0x200, 1), 1);
    segment(rig, 0x1000, 0, INC(0, 0x200, 1), 2);
    segment(rig, 0x3000, 0, 0, 0, INC(0, 0x200, 1), 3);
    assert_int_equal(rig_go(rig), PFIFO_STOP_IDLE);
    expect_methods(rig, {0, 0x200, 1}, {0, 0x200, 2}, {0, 0x200, 3});
    assert_int_equal(rd(rig, IB_GET), 4);
    assert_int_equal(user_rd(rig, 1, USER_IB_GET), 4);
    assert_int_equal(user_rd(rig, 1, USER_IB_PUT), 4);
    assert_int_equal(rd(rig, DMA_GET), 0x3010);
    assert_int_equal(rd(rig, DMA_PUT), 0x3010);
}

/* The words after a segment are none of it. */
static void length_is_in_words(void **state) {
    struct rig *rig = *state;
    reopen(rig);
    rig_poke(rig, 1, 0x2008, 0xe0000000);
    segment(rig, 0x2000, 0, INC(0, 0x200, 1), 1);
    assert_int_equal(rig_go(rig), PFIFO_STOP_IDLE);
    assert_int_equal(rd(rig, DMA_GET), 0x2008);
    expect_methods(rig, {0, 0x200, 1});
}

static void length_has_22_bits(void **state) {
    struct rig *rig = *state;
    reopen(rig);
    rig_segment(rig, 1, SEGMENT(0x1000, 0x3fffff));
    rig_submit(rig, 1);
    assert_int_equal(rig_run_for(rig, 1), PFIFO_STOP_BUDGET);
    assert_int_equal(rd(rig, DMA_GET), 0x1000);
    assert_int_equal(rd(rig, DMA_PUT), 0x1000 + 0xfffffc);
}

static void address_has_40_bits(void **state) {
    struct rig *rig = *state;
    reopen(rig);
    rig_segment(rig, 1, SEGMENT(UINT64_C(0xfffffffffc), 1));
    rig_submit(rig, 1);
    assert_int_equal(rig_run_for(rig, 1), PFIFO_STOP_BUDGET);
    assert_int_equal(rd(rig, DMA_GET), 0xfffffffc);
    assert_int_equal(rd(rig, DMA_GET_HIGH), 0xff);
    assert_int_equal(rd(rig, MGET), 0xfffffffc);
    assert_int_equal(rd(rig, MGET_HIGH), 0x800000ff);
}

/* Reading goes on beyond 4 GiB, in the low and the high register. */
static void get_carries_into_its_high_half(void **state) {
    struct rig *rig = *state;
    rig_open_ib(rig, 1, 3);
    /* System memory from 2^32 - 4 KiB on is not there and reads 0: a page of no-ops on each side. */
    ramfc_wr(rig, 1, 0x48, rig_dma_object(rig, 1, MEMORY_SYSTEM, 0, UINT64_C(1) << 33));
    ramfc_wr(rig, 1, 0x50, (1 << 20) + RIG_IB_RING);
    rig_segment(rig, 1, SEGMENT(UINT64_C(0xfffffff0), 8));
    assert_int_equal(rig_go(rig), PFIFO_STOP_IDLE);
    assert_int_equal(rd(rig, DMA_GET), 0x10);
    assert_int_equal(rd(rig, DMA_GET_HIGH), 1);
    assert_int_equal(rd(rig, DMA_PUT_HIGH), 1);
}

static void ib_get_wraps_at_order(void **state) {
    struct rig *rig = *state;
    reopen(rig);
    for (uint32_t i = 1; i < 20; i++) {
        segment(rig, 0x1000 + 0x10 * i, 0, INC(0, 0x200, 1), i);
        assert_int_equal(rig_go(rig), PFIFO_STOP_IDLE);
        assert_int_equal(rd(rig, IB_GET), (i + 1) % 8);
        expect_methods(rig, {0, 0x200, i});
    }
}

static void empty_ib_entry_is_error_5(void **state) {
    struct rig *rig = *state;
    reopen(rig);
    rig_segment(rig, 1, SEGMENT(0x2000, 0));
    segment(rig, 0x1000, 0, INC(0, 0x200, 1), 1);
    assert_int_equal(rig_go(rig), PFIFO_STOP_INTERRUPT);
    assert_int_equal(pusher_error(rig), 5);
    assert_int_equal(rd(rig, INTR), 0x1000);
    assert_int_equal(rd(rig, DMA_PUSH) & 0x1000, 0x1000);
    assert_int_equal(rd(rig, IB_GET), 2);
    expect_no_methods(rig);
    wr(rig, DMA_STATE, 0);
    wr(rig, DMA_PUSH, 1);
    wr(rig, INTR, 0x1000);
    assert_int_equal(rig_run(rig), PFIFO_STOP_IDLE);
    expect_methods(rig, {0, 0x200, 1});
}

static void disabled_entry_is_skipped(void **state) {
    struct rig *rig = *state;
    reopen(rig);
    segment(rig, 0x2000, 1, INC(0, 0x200, 1), 1);
    segment(rig, 0x3000, 0, INC(0, 0x200, 1), 2);
    assert_int_equal(rig_go(rig), PFIFO_STOP_IDLE);
    expect_methods(rig, {0, 0x200, 2});
}

static void privilege_of_the_entry_shows_in_dma_state(void **state) {
    struct rig *rig = *state;
    reopen(rig);
    segment(rig, 0x2000, SEGMENT_PRIVILEGED, INC(3, 0x1204, 0));
    assert_int_equal(rig_go(rig), PFIFO_STOP_IDLE);
    assert_int_equal(rd(rig, DMA_STATE), 3 << 13 | 0x1204 | 2);
    segment(rig, 0x3000, 0, 0);
    assert_int_equal(rig_go(rig), PFIFO_STOP_IDLE);
    assert_int_equal(rd(rig, DMA_STATE), 0);
}

static void mget_follows_only_main_segments(void **state) {
    struct rig *rig = *state;
    reopen(rig);
    segment(rig, 0x2000, 0, 0, 0);
    assert_int_equal(rig_go(rig), PFIFO_STOP_IDLE);
    assert_int_equal(user_rd(rig, 1, 0x58), 0x2008);
    assert_int_equal(user_rd(rig, 1, 0x5c), 1u << 31);
    segment(rig, 0x5000, SEGMENT_NON_MAIN, 0, INC(0, 0x200, 2), 1);
    assert_int_equal(rig_go(rig), PFIFO_STOP_IDLE);
    assert_int_equal(user_rd(rig, 1, 0x58), 0x2008);
    assert_int_equal(user_rd(rig, 1, USER_GET), 0x500c);
    assert_int_equal(rd(rig, DMA_STATE) >> 18 & 1, 1);
    segment(rig, 0x3000, 0, 2);
    assert_int_equal(rig_go(rig), PFIFO_STOP_IDLE);
    assert_int_equal(user_rd(rig, 1, 0x58), 0x3004);
    assert_int_equal(rd(rig, DMA_STATE) >> 18 & 1, 0);
    expect_methods(rig, {0, 0x200, 1}, {0, 0x204, 2});
}

/* Packets know nothing of segments. */
static void commands_span_ib_segments(void **state) {
    struct rig *rig = *state;
    reopen(rig);
    segment(rig, 0x2000, 0, INC(0, 0x200, 4));
    segment(rig, 0x3000, SEGMENT_NON_MAIN, 1, 2);
    segment(rig, 0x1000, 0, 3);
    segment(rig, 0x4000, 0, 4, INC(0, 0x300, 1), 5);
    assert_int_equal(rig_go(rig), PFIFO_STOP_IDLE);
    expect_methods(rig, {0, 0x200, 1}, {0, 0x204, 2}, {0, 0x208, 3}, {0, 0x20c, 4}, {0, 0x300, 5});
}

static void long_noninc_takes_its_count_from_the_next_word(void **state) {
    struct rig *rig = *state;
    reopen(rig);
    segment(rig, 0x2000, 0, LONG_NONINC(0, 0x400), 3, 1, 2, 3, INC(0, 0x200, 1), 4);
    assert_int_equal(rig_go(rig), PFIFO_STOP_IDLE);
    expect_methods(rig, {0, 0x400, 1}, {0, 0x400, 2}, {0, 0x400, 3}, {0, 0x200, 4});
}

static void long_noninc_count_is_24_bits(void **state) {
    struct rig *rig = *state;
    reopen(rig);
    segment(rig, 0x2000, 0, LONG_NONINC(6, 0x1400));
    assert_int_equal(rig_go(rig), PFIFO_STOP_IDLE);
    assert_int_equal(rd(rig, DMA_STATE), 1 << 16 | 6 << 13 | 0x1400 | 1);
    assert_int_equal(rd(rig, METHOD_COUNT), 0);
    segment(rig, 0x3000, 0, 0xff923456);
    assert_int_equal(rig_go(rig), PFIFO_STOP_IDLE);
    assert_int_equal(rd(rig, DMA_STATE), 6 << 13 | 0x1400 | 1);
    assert_int_equal(rd(rig, METHOD_COUNT), 0x923456);
}

/* A count of 0 is no packet at all: the next word is a header. */
static void long_noninc_of_nothing(void **state) {
    struct rig *rig = *state;
    reopen(rig);
    segment(rig, 0x2000, 0, LONG_NONINC(0, 0x400), 0, INC(0, 0x200, 1), 4);
    assert_int_equal(rig_go(rig), PFIFO_STOP_IDLE);
    expect_methods(rig, {0, 0x200, 4});
}

/* More words than the count field of a short packet can say. */
static void long_noninc_of_5000(void **state) {
    struct rig *rig = *state;
    reopen(rig);
    rig->pushed[1] = 0x2000;
    push(rig, LONG_NONINC(0, 0x400), 5000);
    for (uint32_t i = 0; i < 5000; i++)
        push(rig, i);
    rig_segment(rig, 1, SEGMENT(0x2000, 5002));
    assert_int_equal(rig_go(rig), PFIFO_STOP_IDLE);
    assert_int_equal(rig->logged, 5000);
    for (uint32_t i = 0; i < 5000; i++)
        assert_int_equal(rig->log[i].data, i);
}

static void control_flow_of_dma_mode_is_error_4(void **state) {
    struct rig *rig = *state;
    static const uint32_t words[] = {OLD_JUMP(0x2000), JUMP(0x2000), CALL(0x2000), RETURN, 0x00030001, 0x40030000};
    reopen(rig);
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        segment(rig, 0x2000, 0, words[i]);
        assert_int_equal(rig_go(rig), PFIFO_STOP_INTERRUPT);
        assert_int_equal(pusher_error(rig), 4);
        assert_int_equal(rd(rig, DMA_GET), 0x2004);
        wr(rig, DMA_STATE, 0);
        wr(rig, DMA_PUSH, 1);
        wr(rig, INTR, 0x1000);
    }
}

static void sli_word_works_in_ib_mode(void **state) {
    struct rig *rig = *state;
    reopen(rig);
    segment(rig, 0x2000, 0, SLI(2), INC(0, 0x200, 1), 1, SLI(1), INC(0, 0x200, 1), 2);
    assert_int_equal(rig_go(rig), PFIFO_STOP_IDLE);
    expect_methods(rig, {0, 0x200, 2});
}

static void dma_limit_does_not_count(void **state) {
    struct rig *rig = *state;
    reopen(rig);
    wr(rig, DMA_LIMIT, 4);
    segment(rig, 0x2000, 0, INC(0, 0x200, 1), 1);
    assert_int_equal(rig_go(rig), PFIFO_STOP_IDLE);
    expect_methods(rig, {0, 0x200, 1});
}

static void put_of_user_is_ignored(void **state) {
    struct rig *rig = *state;
    reopen(rig);
    uint32_t put = rd(rig, DMA_PUT);
    user_wr(rig, 1, USER_PUT, 0x2000);
    assert_int_equal(rd(rig, DMA_PUT), put);
    assert_int_equal(rig_run(rig), PFIFO_STOP_IDLE);
}

static void ring_out_of_the_object_is_error_6(void **state) {
    struct rig *rig = *state;
    rig_open_ib(rig, 1, 3);
    ramfc_wr(rig, 1, 0x50, 0x100000);
    user_wr(rig, 1, USER_IB_PUT, 1);
    assert_int_equal(rig_run(rig), PFIFO_STOP_INTERRUPT);
    assert_int_equal(pusher_error(rig), 6);
    assert_int_equal(rd(rig, IB_GET), 0);
    assert_int_equal(vm_fault_word(rig, 0), 0x08f5);
    assert_int_equal(vm_fault_word(rig, 4), 0x10);
}

static void segment_out_of_the_object_is_error_6(void **state) {
    struct rig *rig = *state;
    reopen(rig);
    rig_segment(rig, 1, SEGMENT(0xffff8, 4));
    assert_int_equal(rig_go(rig), PFIFO_STOP_INTERRUPT);
    assert_int_equal(pusher_error(rig), 6);
    assert_int_equal(rd(rig, DMA_GET), 0x100000);
    assert_int_equal(rd(rig, IB_GET), 2);
}

/* The ring is read with the byte order of PFIFO, each half of an entry for itself. */
static void big_endian_ring(void **state) {
    struct rig *rig = *state;
    reopen(rig);
    wr(rig, FIFO_ENDIAN, 3);
    rig->pushed[1] = 0x2000;
    push(rig, __builtin_bswap32(INC(0, 0x200, 1)), __builtin_bswap32(77));
    uint64_t entry = SEGMENT(0x2000, 2);
    rig_segment(rig, 1,
                (uint64_t)__builtin_bswap32((uint32_t)(entry >> 32)) << 32 | __builtin_bswap32((uint32_t)entry));
    assert_int_equal(rig_go(rig), PFIFO_STOP_IDLE);
    expect_methods(rig, {0, 0x200, 77});
}

/* IB_PUT beyond the ring is never met: the ring goes round until the budget ends. */
static void ib_put_out_of_the_ring_is_bounded(void **state) {
    struct rig *rig = *state;
    reopen(rig);
    for (int i = 0; i < 8; i++)
        rig_segment(rig, 1, SEGMENT(0x2000, 1));
    user_wr(rig, 1, USER_IB_PUT, 8);
    assert_int_equal(rig_run(rig), PFIFO_STOP_BUDGET);
    assert_int_equal(pusher_error(rig), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        ON_TESLA(segments_are_read_in_order),
        ON_TESLA(length_is_in_words),
        ON_TESLA(length_has_22_bits),
        ON_TESLA(address_has_40_bits),
        ON_TESLA(get_carries_into_its_high_half),
        ON_TESLA(ib_get_wraps_at_order),
        ON_TESLA(empty_ib_entry_is_error_5),
        ON_TESLA(disabled_entry_is_skipped),
        ON_TESLA(privilege_of_the_entry_shows_in_dma_state),
        ON_TESLA(mget_follows_only_main_segments),
        ON_TESLA(commands_span_ib_segments),
        ON_TESLA(long_noninc_takes_its_count_from_the_next_word),
        ON_TESLA(long_noninc_count_is_24_bits),
        ON_TESLA(long_noninc_of_nothing),
        ON_TESLA(long_noninc_of_5000),
        ON_TESLA(control_flow_of_dma_mode_is_error_4),
        ON_TESLA(sli_word_works_in_ib_mode),
        ON_TESLA(dma_limit_does_not_count),
        ON_TESLA(put_of_user_is_ignored),
        ON_TESLA(ring_out_of_the_object_is_error_6),
        ON_TESLA(segment_out_of_the_object_is_error_6),
        ON_TESLA(big_endian_ring),
        ON_TESLA(ib_put_out_of_the_ring_is_bounded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
