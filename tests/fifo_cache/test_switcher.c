/* SPDX-License-Identifier: MIT */
/* Which channel is in CACHE1, and when it leaves: NV40 .. MCP89. Playlists: test_playlist.c */
#include "rig.h"
#include "bus/pmc.h"

/* Channels 1 .. 3, each with an object on subchannel 0, all idle, channel 3 in CACHE1. */
static void open_three(struct rig *rig) {
    for (uint32_t channel = 1; channel <= 3; channel++) {
        if (channel > 1)
            rig_open(rig, channel);
        rig_object(rig, channel, 7, 1, 0x4097);
        push_to(rig, channel, INC(0, 0, 1), 7);
        rig_submit(rig, channel);
        assert_int_equal(rig_run(rig), PFIFO_STOP_IDLE);
        assert_int_equal(current_channel(rig), channel);
    }
    rig->logged = 0;
}

/* Methods 0x200 with data `channel`, so many. */
static void give_work(struct rig *rig, uint32_t channel, uint32_t count) {
    push_to(rig, channel, NONINC(0, 0x200, count));
    for (uint32_t i = 0; i < count; i++)
        push_to(rig, channel, channel);
    rig_submit(rig, channel);
}

/* The timeslice of a channel that is not in CACHE1: units of work on NV40, of 1024 ns on Tesla; 16 ns each. */
static void set_slice(struct rig *rig, uint32_t channel, uint32_t select) {
    ramfc_wr(rig, channel, rig->tesla ? 0x44 : 0x3c, rig->tesla ? 1u << 24 | select : select);
}

/* The order in which channels worked: each change of data in the log. */
static void assert_order(struct rig *rig, const char *order) {
    size_t at = 0;
    for (size_t i = 0; i < rig->logged; i++)
        if (i == 0 || rig->log[i].data != rig->log[i - 1].data) {
            if (order[at] != (char)('0' + rig->log[i].data))
                fail_msg("turn %zu is channel %u, not %c", at, rig->log[i].data, order[at]);
            at++;
        }
    assert_int_equal(order[at], 0);
    rig->logged = 0;
}

static void channels_take_turns_in_the_order_of_numbers(void **state) {
    struct rig *rig = *state;
    open_three(rig);
    for (uint32_t channel = 1; channel <= 3; channel++)
        give_work(rig, channel, 5);
    assert_int_equal(rig_run(rig), PFIFO_STOP_IDLE);
    assert_order(rig, "312");
    assert_int_equal(current_channel(rig), 2);
    give_work(rig, 1, 1);
    give_work(rig, 3, 1);
    assert_int_equal(rig_run(rig), PFIFO_STOP_IDLE);
    assert_order(rig, "31");
}

static void without_reassign_nobody_leaves(void **state) {
    struct rig *rig = *state;
    open_three(rig);
    wr(rig, CACHES, 0);
    give_work(rig, 1, 1);
    give_work(rig, 3, 1);
    rig_run(rig);
    assert_order(rig, "3");
    assert_int_equal(current_channel(rig), 3);
    wr(rig, CACHES, 1);
    assert_int_equal(rig_run(rig), PFIFO_STOP_IDLE);
    assert_order(rig, "1");
}

static void expired_timeslice_gives_way(void **state) {
    struct rig *rig = *state;
    open_three(rig);
    /* 64 units of work each: a header, then fetch and execution of 31 methods and a bit. */
    set_slice(rig, 1, rig->tesla ? 0 : 63);
    set_slice(rig, 2, rig->tesla ? 0 : 63);
    give_work(rig, 1, 70);
    give_work(rig, 2, 70);
    assert_int_equal(rig_run(rig), PFIFO_STOP_IDLE);
    assert_int_equal(rig->logged, 140);
    size_t first = 0;
    while (rig->log[first].data == 1)
        first++;
    assert_in_range(first, 31, 32);
    assert_order(rig, "121212");
}

static void expired_timeslice_of_the_only_channel_changes_nothing(void **state) {
    struct rig *rig = *state;
    rig_open(rig, 2);
    set_slice(rig, 1, 0);
    rig_object(rig, 1, 7, 1, 0x4097);
    push(rig, INC(0, 0, 1), 7);
    give_work(rig, 1, 500);
    assert_int_equal(rig_run(rig), PFIFO_STOP_IDLE);
    assert_int_equal(rig->logged, 501);
    assert_int_equal(ramfc_rd(rig, 1, rig->tesla ? 0x10 : 0x04), 0); /* never saved */
}

/* Channels 1 (DMA) and 2 (IB, in one segment with `flags`), timeslices of 64 units, 70 methods each. */
static void two_channels_with_a_segment(struct rig *rig, uint64_t flags) {
    rig_open_ib(rig, 2, 4);
    for (uint32_t channel = 1; channel <= 2; channel++) {
        set_slice(rig, channel, 0);
        rig_object(rig, channel, 7, 1, 0x4097);
        push_to(rig, channel, INC(0, 0, 1), 7);
    }
    give_work(rig, 1, 70);
    push_to(rig, 2, NONINC(0, 0x200, 70));
    for (uint32_t i = 0; i < 70; i++)
        push_to(rig, 2, 2);
    rig_segment(rig, 2, SEGMENT(0, rig->pushed[2] / 4) | flags);
    rig_submit(rig, 2);
    assert_int_equal(rig_run(rig), PFIFO_STOP_IDLE);
}

/* The bindings show as data 7 too; only the order of the rest matters. */
static uint32_t turns_of(struct rig *rig, uint32_t channel) {
    uint32_t turns = 0, before = 0;
    for (size_t i = 0; i < rig->logged; i++) {
        if (rig->log[i].method != 0x200)
            continue;
        turns += rig->log[i].data == channel && before != channel;
        before = rig->log[i].data;
    }
    return turns;
}

static void a_segment_without_context_switch_outlasts_its_timeslice(void **state) {
    struct rig *rig = *state;
    two_channels_with_a_segment(rig, 1u << 1);
    assert_int_equal(turns_of(rig, 2), 1);
}

static void a_plain_segment_does_not_outlast_its_timeslice(void **state) {
    struct rig *rig = *state;
    two_channels_with_a_segment(rig, 0);
    assert_true(turns_of(rig, 2) > 1);
}

/* Bit 24 of DMA_TIMESLICE, of the chip on NV40 and of the channel on Tesla. */
static void timeslice_without_timeout_never_expires(void **state) {
    struct rig *rig = *state;
    open_three(rig);
    if (rig->tesla)
        for (uint32_t channel = 1; channel <= 2; channel++)
            ramfc_wr(rig, channel, 0x44, 0);
    else
        wr(rig, TIMESLICE_DMA, rd(rig, TIMESLICE_DMA) & ~(1u << 24));
    set_slice(rig, rig->tesla ? 3 : 1, 0);
    give_work(rig, 1, 300);
    give_work(rig, 2, 300);
    assert_int_equal(rig_run(rig), PFIFO_STOP_IDLE);
    assert_order(rig, "12");
}

static void yield_switches_now(void **state) {
    struct rig *rig = *state;
    open_three(rig);
    give_work(rig, 3, 2);
    push_to(rig, 3, INC(0, 0x80, 1), 0);
    give_work(rig, 3, 2);
    give_work(rig, 1, 2);
    push_to(rig, 1, INC(0, 0x80, 1), 0);
    give_work(rig, 1, 2);
    assert_int_equal(rig_run(rig), PFIFO_STOP_IDLE);
    assert_order(rig, "3131");
}

/* In the middle of a packet, of a subroutine: all of it is state of the channel. */
static void packet_survives_a_switch(void **state) {
    struct rig *rig = *state;
    open_three(rig);
    rig_poke(rig, 3, 0x3000, INC(0, 0x1000, 3));
    rig_poke(rig, 3, 0x3004, 3);
    push_to(rig, 3, CALL(0x3000));
    user_wr(rig, 3, USER_PUT, 0x3008);
    give_work(rig, 1, 1);
    assert_int_equal(rig_run(rig), PFIFO_STOP_IDLE);
    assert_int_equal(current_channel(rig), 1);
    rig->logged = 0;
    rig_poke(rig, 3, 0x3008, 4);
    rig_poke(rig, 3, 0x300c, 5);
    rig_poke(rig, 3, 0x3010, RETURN);
    give_work(rig, 3, 1);
    assert_int_equal(rig_run(rig), PFIFO_STOP_IDLE);
    expect_methods(rig, {0, 0x1004, 4}, {0, 0x1008, 5}, {0, 0x200, 3});
}

/* ---- waiting ---- */

#define PAGE 0x900000u

static void bind_semaphore(struct rig *rig, uint32_t channel) {
    const uint32_t curie[] = {0x2b002, 0xfff, PAGE | 2, PAGE | 2};
    uint32_t instance =
        rig->tesla ? rig_dma_object(rig, channel, MEMORY_SYSTEM, PAGE, 0x1000) : rig_instance(rig, channel, curie, 4);
    rig_handle(rig, channel, 9, 0, instance);
    push_to(rig, channel, INC(0, 0x60, 2), 9, 0x40);
}

static void waiting_channel_lets_others_work(void **state) {
    struct rig *rig = *state;
    open_three(rig);
    bind_semaphore(rig, 3);
    push_to(rig, 3, INC(0, 0x68, 1), 5);
    give_work(rig, 3, 1);
    assert_int_equal(rig_run(rig), PFIFO_STOP_WAITING);
    assert_int_equal(current_channel(rig), 3);
    give_work(rig, 1, 1);
    assert_int_equal(rig_run(rig), PFIFO_STOP_WAITING);
    assert_order(rig, "1");
    assert_int_equal(current_channel(rig), 3);
    assert_int_equal(rd(rig, PULL1) >> 4 & 1, 1);
    if (!rig->tesla) { /* it goes on waiting as it did, with its pusher paused */
        assert_int_equal(rd(rig, DMA_PUSH) >> 16 & 1, 1);
        assert_int_equal(cache_entries(rig), 0);
    }
    give_work(rig, 2, 1);
    bind_semaphore(rig, 2);
    push_to(rig, 2, INC(0, 0x6c, 1), 5);
    rig_submit(rig, 2);
    assert_int_equal(rig_run(rig), PFIFO_STOP_IDLE);
    assert_order(rig, "23");
}

/* An attempt that gets nowhere is no work: the channels are tried in turn, and then the run is over. */
static void channels_whose_engine_takes_nothing_end_the_run(void **state) {
    struct rig *rig = *state;
    open_three(rig);
    give_work(rig, 1, 1);
    give_work(rig, 2, 1);
    rig->engine[1].refuse = true;
    assert_int_equal(rig_run(rig), PFIFO_STOP_WAITING);
    assert_int_equal(rig->logged, 0);
    rig->engine[1].refuse = false;
    assert_int_equal(rig_run(rig), PFIFO_STOP_IDLE);
    assert_int_equal(rig->logged, 2);
}

/* Two channels that wait for each other: bounded, and the stop names one of them. */
static void channels_that_all_wait_end_the_run(void **state) {
    struct rig *rig = *state;
    open_three(rig);
    for (uint32_t channel = 1; channel <= 3; channel++) {
        bind_semaphore(rig, channel);
        push_to(rig, channel, INC(0, 0x68, 1), 0x10 + channel);
        rig_submit(rig, channel);
    }
    assert_int_equal(rig_run(rig), PFIFO_STOP_WAITING);
    assert_in_range(rig->fifo->stop.channel, 1, 3);
    assert_int_equal(rig->fifo->stop.expected, 0x10 + rig->fifo->stop.channel);
    for (uint32_t channel = 1; channel <= 3; channel++) {
        system_wr(rig, PAGE + 0x40, 0x10 + channel);
        assert_int_equal(rig_run(rig), channel == 3 ? PFIFO_STOP_IDLE : PFIFO_STOP_WAITING);
        assert_int_equal(user_rd(rig, channel, USER_GET), rig->pushed[channel]);
    }
}

/* ---- pending (NV40) ---- */

static void channel_that_leaves_with_work_is_pending(void **state) {
    struct rig *rig = *state;
    open_three(rig);
    push_to(rig, 3, INC(0, 0x80, 1), 0);
    give_work(rig, 3, 1);
    give_work(rig, 1, 1);
    assert_int_equal(rd(rig, PENDING), 1 << 1);
    while (current_channel(rig) == 3)
        assert_int_equal(rig_run_for(rig, 1), PFIFO_STOP_BUDGET);
    assert_int_equal(rd(rig, PENDING), 1 << 3);
    assert_int_equal(rig_run(rig), PFIFO_STOP_IDLE);
    assert_int_equal(rd(rig, PENDING), 0);
    assert_order(rig, "13");
}

/* A channel that is not marked as DMA in MODE is none of the DMA pusher's business. */
static void channel_without_mode_bit_is_not_loaded(void **state) {
    struct rig *rig = *state;
    open_three(rig);
    wr(rig, MODE, rd(rig, MODE) & ~(1u << 1));
    give_work(rig, 1, 1);
    rig_run(rig);
    assert_int_equal(current_channel(rig), 3);
    wr(rig, MODE, rd(rig, MODE) | 1u << 1);
    assert_int_equal(rig_run(rig), PFIFO_STOP_IDLE);
    assert_order(rig, "1");
}

/* ---- off ---- */

static void registers_are_reset_when_pmc_switches_pfifo_off(void **state) {
    struct rig *rig = *state;
    open_three(rig);
    wr(rig, PULL0, 0);
    push_to(rig, 3, INC(0, 0x200, 1), 1, 0xe0000000, 0);
    rig_submit(rig, 3);
    rig_run(rig);
    assert_true(rig->bus.line);
    wr(rig, PMC_ENABLE, ~0x100u);
    assert_false(rig->bus.line);
    wr(rig, PMC_ENABLE, ~0u);
    static const uint32_t zero[] = {PUSH0, PULL0, CACHES, INTR, INTR_EN, DMA_STATE, REF, ENGINE, PULL1};
    for (size_t i = 0; i < sizeof zero / sizeof zero[0]; i++)
        assert_int_equal(rd(rig, zero[i]), 0);
    assert_int_equal(cache_entries(rig), 0);
    assert_int_equal(rd(rig, STATUS), 0x10);
    assert_int_equal(rd(rig, DMA_FETCH), 0x6078);
    if (!rig->tesla)
        assert_int_equal(rd(rig, RAMHT), 0x100);
    assert_int_equal(rig_run(rig), PFIFO_STOP_IDLE);
}

static void pfifo_that_is_off_does_nothing(void **state) {
    struct rig *rig = *state;
    open_three(rig);
    give_work(rig, 3, 1);
    rig->bus.pmc->enable &= ~0x100u; /* without the reset that the write would do */
    assert_int_equal(rig_run(rig), PFIFO_STOP_FROZEN);
    expect_no_methods(rig);
    rig->bus.pmc->enable |= 0x100u;
    assert_int_equal(rig_run(rig), PFIFO_STOP_IDLE);
    assert_order(rig, "3");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        ON_ALL(channels_take_turns_in_the_order_of_numbers),
        ON_ALL(without_reassign_nobody_leaves),
        ON_ALL(expired_timeslice_gives_way),
        ON_ALL(expired_timeslice_of_the_only_channel_changes_nothing),
        ON_ALL(timeslice_without_timeout_never_expires),
        ON_TESLA(a_segment_without_context_switch_outlasts_its_timeslice),
        ON_TESLA(a_plain_segment_does_not_outlast_its_timeslice),
        ON_ALL(yield_switches_now),
        ON_ALL(packet_survives_a_switch),
        ON_ALL(waiting_channel_lets_others_work),
        ON_ALL(channels_whose_engine_takes_nothing_end_the_run),
        ON_ALL(channels_that_all_wait_end_the_run),
        ON_NV40(channel_that_leaves_with_work_is_pending),
        ON_NV40(channel_without_mode_bit_is_not_loaded),
        ON_ALL(registers_are_reset_when_pmc_switches_pfifo_off),
        ON_ALL(pfifo_that_is_off_does_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
