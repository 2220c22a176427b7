/* SPDX-License-Identifier: MIT */
/* What drivers do at interrupts, register by register as nouveau and nxdk do it: the machine must go on as they expect.
 */
#include "rig.h"

#define HANDLE 0xcafe0001u

/* nouveau: the entry at GET is done or skipped, and everything goes on. `software`: method 0 was bound by the driver.
 */
static void cache_error_nouveau(struct rig *rig, bool clear_nibble) {
    uint32_t reassign = rd(rig, CACHES) & 1;
    assert_int_equal(rd(rig, INTR) & rd(rig, INTR_EN), 1);
    wr(rig, CACHES, 0);
    uint32_t get = rd(rig, CACHE_GET), slot = (get & 0x7ff) >> 2;
    uint32_t method = rd(rig, CACHE_METHOD + 8 * slot);
    if (clear_nibble)
        wr(rig, ENGINE, rd(rig, ENGINE) & ~(0xfu << (4 * (method >> 13 & 7))));
    wr(rig, DMA_PUSH, 0);
    wr(rig, INTR, 1);
    wr(rig, PUSH0, rd(rig, PUSH0) & ~1u);
    wr(rig, CACHE_GET, get + 4);
    wr(rig, PUSH0, rd(rig, PUSH0) | 1);
    wr(rig, HASH, 0);
    wr(rig, DMA_PUSH, rd(rig, DMA_PUSH) | 1);
    wr(rig, PULL0, 1);
    wr(rig, CACHES, reassign);
}

static void cache_error_skip_keeps_what_follows(void **state) {
    struct rig *rig = *state;
    rig_bind(rig);
    push(rig, INC(0, 0x200, 1), 1, INC(3, 0, 1), 0xdead, INC(0, 0x204, 2), 2, 3);
    assert_int_equal(rig_go(rig), PFIFO_STOP_INTERRUPT);
    push(rig, INC(0, 0x300, 1), 4);
    rig_submit(rig, 1);
    cache_error_nouveau(rig, false);
    assert_int_equal(rig_run(rig), PFIFO_STOP_IDLE);
    expect_methods(rig, {0, 0x200, 1}, {0, 0x204, 2}, {0, 0x208, 3}, {0, 0x300, 4});
    assert_int_equal(rd(rig, INTR), 0);
    assert_false(rig->bus.line);
}

/* At every place of the ring: GET + 4 is written without a mask. */
static void skip_works_where_the_pointers_wrap(void **state) {
    struct rig *rig = *state;
    rig_bind(rig);
    for (uint32_t i = 0; i < 2 * rig->chip->cache1_slots + 20u; i++) {
        push(rig, INC(3, 0x100, 1), i, INC(0, 0x200, 1), i);
        assert_int_equal(rig_go(rig), PFIFO_STOP_INTERRUPT);
        uint32_t slot = (rd(rig, CACHE_GET) & 0x7ff) >> 2;
        assert_int_equal(rd(rig, CACHE_METHOD + 8 * slot), 3 << 13 | 0x100);
        assert_int_equal(rd(rig, CACHE_DATA + 8 * slot), i);
        cache_error_nouveau(rig, false);
        assert_int_equal(rig_run(rig), PFIFO_STOP_IDLE);
        expect_methods(rig, {0, 0x200, i});
    }
}

/* A software object: the driver takes its methods one by one, out of the middle of a stream. */
static void software_methods_are_done_by_the_driver(void **state) {
    struct rig *rig = *state;
    uint32_t instance = rig_object(rig, 1, HANDLE, 0, 0x506e);
    rig_bind(rig);
    wr(rig, ENGINE, rd(rig, ENGINE) | 1 << 20); /* something was bound to subchannel 5 before */
    push(rig, INC(5, 0, 1), HANDLE, INC(5, 0x500, 2), 1, 2, INC(0, 0x200, 1), 3, INC(5, 0x180, 1), HANDLE);
    rig_submit(rig, 1);
    static const uint32_t words[] = {5 << 13, 5 << 13 | 0x500, 5 << 13 | 0x504, 5 << 13 | 0x180};
    for (size_t i = 0; i < 4; i++) {
        assert_int_equal(rig_run(rig), PFIFO_STOP_INTERRUPT);
        assert_int_equal(rd(rig, PULL0) & 0x110, 0x100);
        assert_int_equal(rd(rig, CACHE_METHOD + 8 * ((rd(rig, CACHE_GET) & 0x7ff) >> 2)), words[i]);
        if (i == 0 || i == 3)
            assert_int_equal(rd(rig, HASH) & 0xffff, instance);
        cache_error_nouveau(rig, i == 0);
        assert_int_equal(rd(rig, ENGINE), 1);
    }
    assert_int_equal(rig_run(rig), PFIFO_STOP_IDLE);
    expect_methods(rig, {0, 0x200, 3});
}

/* nxdk masks the pointer itself and stops only the puller. */
static void cache_error_nxdk(void **state) {
    struct rig *rig = *state;
    rig_bind(rig);
    push(rig, INC(3, 0, 1), 0xdead, INC(0, 0x204, 1), 2);
    assert_int_equal(rig_go(rig), PFIFO_STOP_INTERRUPT);
    wr(rig, CACHES, 0);
    wr(rig, PULL0, 0);
    wr(rig, INTR, 1);
    assert_int_equal(rd(rig, PULL0) & 0x1000, 0);
    wr(rig, CACHE_GET, ((rd(rig, CACHE_GET) >> 2) + 1) << 2 & 0x7fc);
    wr(rig, HASH, 0);
    wr(rig, PULL0, 1);
    wr(rig, CACHES, 1);
    assert_int_equal(rig_run(rig), PFIFO_STOP_IDLE);
    expect_methods(rig, {0, 0x204, 2});
}

/* nouveau drops all that was submitted. */
static void dma_pusher_drop_nouveau(struct rig *rig) {
    assert_int_equal(rd(rig, INTR), 0x1000);
    uint32_t reassign = rd(rig, CACHES) & 1;
    wr(rig, CACHES, 0);
    if (!rig->tesla) {
        wr(rig, DMA_GET, rd(rig, DMA_PUT));
    } else {
        wr(rig, METHOD_COUNT, 0);
        if (rd(rig, DMA_GET) != rd(rig, DMA_PUT) || rd(rig, DMA_GET_HIGH) != rd(rig, DMA_PUT_HIGH)) {
            wr(rig, DMA_GET, rd(rig, DMA_PUT));
            wr(rig, DMA_GET_HIGH, rd(rig, DMA_PUT_HIGH));
        } else if (rd(rig, IB_GET) != rd(rig, IB_PUT)) {
            wr(rig, IB_GET, rd(rig, IB_PUT));
        }
    }
    wr(rig, DMA_STATE, 0);
    wr(rig, DMA_PUSH, 1);
    wr(rig, INTR, 0x1000);
    wr(rig, CACHES, reassign);
}

static void dma_pusher_error_drops_the_submission(void **state) {
    struct rig *rig = *state;
    rig_bind(rig);
    push(rig, INC(0, 0x200, 1), 1, 0xe0000000, INC(0, 0x204, 1), 2);
    assert_int_equal(rig_go(rig), PFIFO_STOP_INTERRUPT);
    dma_pusher_drop_nouveau(rig);
    assert_int_equal(rig_run(rig), PFIFO_STOP_IDLE);
    assert_int_equal(rd(rig, DMA_PUSH) & 0x1000, 0);
    push(rig, INC(0, 0x208, 1), 3);
    assert_int_equal(rig_go(rig), PFIFO_STOP_IDLE);
    expect_methods(rig, {0, 0x200, 1}, {0, 0x208, 3});
}

/* The rest of a bad packet is not taken for headers. */
static void invalid_method_drops_the_packet(void **state) {
    struct rig *rig = *state;
    rig_bind(rig);
    push(rig, INC(0, 0x30, 3), 1, 2, 3);
    assert_int_equal(rig_go(rig), PFIFO_STOP_INTERRUPT);
    dma_pusher_drop_nouveau(rig);
    push(rig, INC(0, 0x208, 1), 3);
    assert_int_equal(rig_go(rig), PFIFO_STOP_IDLE);
    expect_methods(rig, {0, 0x208, 3});
}

/* In IB mode first the segment is dropped, then the ring. */
static void dma_pusher_error_drops_a_segment(void **state) {
    struct rig *rig = *state;
    rig_open_ib(rig, 1, 3);
    rig_bind(rig);
    uint32_t at = (uint32_t)rig->pushed[1];
    push(rig, 0xe0000000, INC(0, 0x200, 1), 1);
    rig_segment(rig, 1, SEGMENT(at, 3));
    push(rig, INC(0, 0x204, 1), 2);
    rig_segment(rig, 1, SEGMENT(at + 12, 2));
    assert_int_equal(rig_go(rig), PFIFO_STOP_INTERRUPT);
    dma_pusher_drop_nouveau(rig);
    assert_int_equal(rig_run(rig), PFIFO_STOP_IDLE);
    expect_methods(rig, {0, 0x204, 2});
    rig_segment(rig, 1, SEGMENT(at, 0));
    rig_segment(rig, 1, SEGMENT(at + 12, 2));
    assert_int_equal(rig_go(rig), PFIFO_STOP_INTERRUPT);
    dma_pusher_drop_nouveau(rig);
    assert_int_equal(rig_run(rig), PFIFO_STOP_IDLE);
    assert_int_equal(rd(rig, IB_GET), rd(rig, IB_PUT));
    expect_no_methods(rig);
}

/* nxdk: acknowledge, clear the state, step over a word, clear SUSPENDED. */
static void dma_pusher_nxdk(void **state) {
    struct rig *rig = *state;
    rig_bind(rig);
    push(rig, 0xe0000000, 0, INC(0, 0x204, 1), 2);
    assert_int_equal(rig_go(rig), PFIFO_STOP_INTERRUPT);
    wr(rig, INTR, 0x1000);
    wr(rig, DMA_STATE, 0);
    if (rd(rig, DMA_PUT) != rd(rig, DMA_GET))
        wr(rig, DMA_GET, rd(rig, DMA_GET) + 4);
    wr(rig, DMA_PUSH, rd(rig, DMA_PUSH) & ~0x1000u);
    assert_int_equal(rig_run(rig), PFIFO_STOP_IDLE);
    expect_methods(rig, {0, 0x204, 2});
}

/* nouveau's answer to the semaphore that NV4x does not accept: it only keeps the channel alive. */
static void semaphore_error_is_skipped(void **state) {
    struct rig *rig = *state;
    rig_bind(rig);
    push(rig, INC(0, 0x64, 1), 0x40002, INC(0, 0x204, 1), 2);
    assert_int_equal(rig_go(rig), PFIFO_STOP_INTERRUPT);
    assert_int_equal(rd(rig, INTR), 1 << 20);
    wr(rig, INTR, 1 << 20);
    wr(rig, SEMAPHORE, rd(rig, SEMAPHORE) | 1);
    wr(rig, CACHE_GET, rd(rig, CACHE_GET) + 4);
    wr(rig, PULL0, 1);
    assert_int_equal(rig_run(rig), PFIFO_STOP_IDLE);
    expect_methods(rig, {0, 0x204, 2});
    assert_int_equal(rd(rig, PULL0), 1);
    assert_int_equal(rd(rig, SEMAPHORE), 1);
}

static void pause_and_resume_lose_nothing(void **state) {
    struct rig *rig = *state;
    rig_bind(rig);
    uint32_t instance = rig_object(rig, 1, HANDLE, 1, 0x3d);
    push(rig, INC(0, 0x1fc, 2), HANDLE, 2, INC(0, 0x200, 1), 3);
    rig_submit(rig, 1);
    for (uint64_t before = 0; before < 9; before++) {
        rig_run_for(rig, 1);
        wr(rig, CACHES, 0);
        wr(rig, PULL0, rd(rig, PULL0) & ~1u);
        assert_int_equal(rd(rig, PULL0) & 0x1010, 0);
        wr(rig, HASH, 0);
        rig_run_for(rig, 3);
        wr(rig, PULL0, rd(rig, PULL0) | 1);
        wr(rig, CACHES, 1);
    }
    assert_int_equal(rig_run(rig), PFIFO_STOP_IDLE);
    expect_methods(rig, {0, 0x1fc, instance}, {0, 0x200, 2}, {0, 0x200, 3});
}

/* nouveau takes the running channel away and writes 0 to all of its registers; then another one comes by itself. */
static void channel_teardown_nouveau(void **state) {
    struct rig *rig = *state;
    static const uint32_t regs[] = {
        DMA_PUT,         DMA_GET,   REF,        DMA_INSTANCE, DCOUNT,        DMA_STATE,
        DMA_FETCH,       SLI_REG,   ENGINE,     PULL1,        ACQUIRE_VALUE, ACQUIRE_TIMESTAMP,
        ACQUIRE_TIMEOUT, SEMAPHORE, SUBROUTINE, 0x32e0,       TIMESLICE_DMA, 0x32e4,
        0x32e8,          0x2088,    0x3300,     0x330c};
    rig_bind(rig);
    rig_open(rig, 2);
    wr(rig, CACHES, 0);
    assert_int_equal(current_channel(rig), 1);
    wr(rig, DMA_PUSH, rd(rig, DMA_PUSH) & ~1u);
    wr(rig, PUSH0, rd(rig, PUSH0) & ~1u);
    wr(rig, PULL0, rd(rig, PULL0) & ~1u);
    for (size_t i = 0; i < sizeof regs / sizeof regs[0]; i++)
        wr(rig, regs[i], 0);
    wr(rig, CACHE_GET, 0);
    wr(rig, CACHE_PUT, 0);
    wr(rig, PUSH1, 31);
    wr(rig, PUSH0, 1);
    wr(rig, PULL0, 1);
    wr(rig, MODE, rd(rig, MODE) & ~(1u << 1));
    wr(rig, CACHES, 1);
    rig_object(rig, 2, HANDLE, 1, 0x4097);
    push_to(rig, 2, INC(0, 0, 1), HANDLE, INC(0, 0x200, 1), 2);
    rig_submit(rig, 2);
    assert_int_equal(rig_run(rig), PFIFO_STOP_IDLE);
    assert_int_equal(current_channel(rig), 2);
    assert_int_equal(rig->logged, 2);
}

/* Out of DMA mode, or out of the table of channels, and back. Meanwhile the switcher has another one. */
static void put_to_sleep(struct rig *rig, uint32_t channel) {
    uint32_t entry = rig->tesla ? rd(rig, CHAN_TABLE + 4 * channel) : 0;
    if (rig->tesla) {
        wr(rig, CHAN_TABLE + 4 * channel, 0);
        wr(rig, CHAN_TABLE + 4 * channel, entry);
    } else {
        wr(rig, MODE, rd(rig, MODE) & ~(1u << channel));
        wr(rig, MODE, rd(rig, MODE) | 1u << channel);
    }
}

/* nouveau, when the machine sleeps: the channel is the same afterwards, and engines have what they knew of it. */
static void channel_that_slept_is_known(void **state) {
    struct rig *rig = *state;
    rig_bind(rig);
    rig_open(rig, 2);
    rig_object(rig, 2, HANDLE, 1, 0x4097);
    push_to(rig, 2, INC(0, 0, 1), HANDLE);
    rig_submit(rig, 2);
    assert_int_equal(rig_run(rig), PFIFO_STOP_IDLE);
    assert_int_equal(current_channel(rig), 2);
    uint32_t before[] = {0, rig->engine[1].gone[1], rig->engine[1].gone[2]};
    put_to_sleep(rig, 1); /* its bindings are in RAMFC */
    put_to_sleep(rig, 2); /* in CACHE1 */
    assert_int_equal(rig->engine[1].gone[1], before[1]);
    assert_int_equal(rig->engine[1].gone[2], before[2]);
    push(rig, INC(0, 0x200, 1), 5);
    assert_int_equal(rig_go(rig), PFIFO_STOP_IDLE);
    assert_int_equal(rig->engine[1].channel, 1);
    /* A new one of that number has a new RAMFC. */
    wr(rig, rig->tesla ? CHAN_TABLE + 8 : MODE, rig->tesla ? 0 : rd(rig, MODE) & ~4u);
    rig_open(rig, 2);
    assert_int_equal(rig->engine[1].gone[1], before[1]);
    assert_int_equal(rig->engine[1].gone[2], before[2] + 1);
}

/* One channel set up in registers by hand, without RAMFC, switcher and USER (Haiku). */
static void channel_set_up_by_hand(void **state) {
    struct rig *rig = *state;
    wr(rig, CACHES, 0);
    wr(rig, MODE, 2);
    wr(rig, PUSH1, 1 << 16 | 1);
    wr(rig, DMA_PUT, 0);
    wr(rig, DMA_GET, 0);
    wr(rig, DMA_INSTANCE, rig->push_object[1]);
    wr(rig, DMA_CTL, 0);
    wr(rig, ENGINE, 0);
    wr(rig, DMA_FETCH, 0x000f0078);
    wr(rig, DMA_PUSH, 1);
    wr(rig, PUSH0, 1);
    wr(rig, PULL0, 1);
    wr(rig, PULL1, 1);
    wr(rig, CACHES, 1);
    uint32_t instance = rig_object(rig, 1, HANDLE, 1, 0x4097);
    push(rig, INC(0, 0, 1), HANDLE, INC(0, 0x200, 1), 2);
    assert_int_equal(rig_go(rig), PFIFO_STOP_IDLE);
    expect_methods(rig, {0, 0, instance}, {0, 0x200, 2});
}

int main(void) {
    const struct CMUnitTest tests[] = {
        ON_ALL(cache_error_skip_keeps_what_follows),
        ON_ALL(skip_works_where_the_pointers_wrap),
        ON_ALL(software_methods_are_done_by_the_driver),
        ON_NV40(cache_error_nxdk),
        ON_ALL(dma_pusher_error_drops_the_submission),
        ON_ALL(invalid_method_drops_the_packet),
        ON_TESLA(dma_pusher_error_drops_a_segment),
        ON_ALL(dma_pusher_nxdk),
        ON_ALL(semaphore_error_is_skipped),
        ON_ALL(pause_and_resume_lose_nothing),
        ON_NV40(channel_teardown_nouveau),
        ON_NV40(channel_set_up_by_hand),
        ON_ALL(channel_that_slept_is_known),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
