/* SPDX-License-Identifier: MIT */
/*
 * Which channel of NV4 .. NV4x is in CACHE1, and when it leaves: MODE, pending work, REASSIGN, timeslices, YIELD.
 *
 * Sources: envytools docs/hw/fifo/intro.rst, rnndb/fifo/nv4_pfifo.xml; Linux riva nv4ref.h; nxdk pbkit.c; Bochs (the
 *          order of channels). UNKNOWN there and chosen: ticks, the order, what a DMA channel in work does to PIO.
 */
#include "rig.h"

#include <string.h>

#define HANDLE 0x70u

static uint32_t expired(const struct rig *rig) {
    return on(rig, "NV20-") ? 0x1fffff : 0x3ffff;
}

static void set_select(struct rig *rig, uint32_t channel, uint32_t select, bool timeout) {
    wr(rig, DMA_TIMESLICE, (timeout ? 0x01000000u : 0) | select);
    if (rig->nv40)
        ramfc_wr(rig, channel, 0x3c, select);
}

/* Channels 1 .. count, each with an object, and `work` methods 0x300 with the channel as data; submitted. */
static void give_work(struct rig *rig, uint32_t channel, uint32_t work) {
    push_to(rig, channel, INC(0, 0, 1), HANDLE);
    for (uint32_t i = 0; i < work; i++)
        push_to(rig, channel, INC(0, 0x300, 1), channel);
    rig_submit(rig, channel);
}

static void open_channels(struct rig *rig, uint32_t count) {
    for (uint32_t channel = 1; channel <= count; channel++) {
        rig_open(rig, channel);
        rig_object(rig, channel, HANDLE, 1, 0x62);
    }
}

/* The channels in the order in which they worked. */
static void expect_order(struct rig *rig, const char *order) {
    size_t turn = 0;
    for (size_t i = 0; i < rig->logged; i++) {
        if (i && rig->log_channel[i] == rig->log_channel[i - 1])
            continue;
        if (!order[turn] || order[turn] != (char)('0' + rig->log_channel[i]))
            fail_msg("turn %zu is channel %u, not %s", turn, rig->log_channel[i], order + turn);
        turn++;
    }
    assert_int_equal(turn, strlen(order));
    rig->logged = 0;
}

static void channels_come_in_the_order_of_their_numbers_from_the_current_one(void **state) {
    struct rig *rig = *state;
    open_channels(rig, 5);
    for (uint32_t channel = 5; channel >= 1; channel--)
        give_work(rig, channel, 2);
    assert_int_equal(rig_run(rig), PFIFO_STOP_IDLE);
    expect_order(rig, "12345");
    static const char *const orders[] = {"", "2345", "3451", "4512", "5123", "1234"};
    for (uint32_t current = 1; current <= 5; current++) {
        give_work(rig, current, 1);
        rig_run(rig);
        rig->logged = 0;
        assert_int_equal(current_channel(rig), current);
        for (uint32_t channel = 1; channel <= 5; channel++)
            if (channel != current)
                give_work(rig, channel, 1);
        assert_int_equal(rig_run(rig), PFIFO_STOP_IDLE);
        expect_order(rig, orders[current]);
    }
}

/* MODE says which channels are in DMA mode, the pending bits which of them have work. */
static void a_candidate_has_its_mode_bit_and_its_pending_bit(void **state) {
    struct rig *rig = *state;
    open_channels(rig, 2);
    wr(rig, MODE, 2);
    push_to(rig, 1, INC(0, 0, 1), HANDLE);
    rig_submit(rig, 1);
    expect_reg(rig, PENDING, 2);
    wr(rig, PENDING, 0);
    rig_run(rig);
    expect_no_methods(rig);
    wr(rig, MODE, 0);
    wr(rig, PENDING, 2);
    rig_run(rig);
    expect_no_methods(rig);
    wr(rig, MODE, 2);
    rig_run(rig);
    assert_int_equal(rig->logged, 1);
    assert_int_equal(current_channel(rig), 1);
    expect_reg(rig, PENDING, 0);
    /* Set by hand for a channel without work: it comes in, and that is all. */
    wr(rig, MODE, 6);
    wr(rig, PENDING, 4);
    rig_run(rig);
    assert_int_equal(current_channel(rig), 2);
    expect_reg(rig, PENDING, 0);
}

static void a_user_write_marks_work_of_other_channels(void **state) {
    struct rig *rig = *state;
    open_channels(rig, 3);
    wr(rig, CACHES, 0);
    for (uint32_t channel = 1; channel <= 3; channel++) {
        user_wr(rig, channel, USER_PUT, 0); /* GET is there already */
        expect_reg(rig, PENDING, (1u << channel) - 2);
        user_wr(rig, channel, USER_PUT, 4);
        expect_reg(rig, PENDING, (2u << channel) - 2);
    }
    wr(rig, rig->c1.push1, 1 | rig->mode_bit);
    wr(rig, PENDING, 0);
    user_wr(rig, 1, USER_PUT, 4); /* not the current one's */
    expect_reg(rig, PENDING, 0);
}

static void nobody_leaves_or_enters_while_something_is_off(void **state) {
    struct rig *rig = *state;
    open_channels(rig, 1);
    give_work(rig, 1, 1);
    const struct { uint32_t offset, off, on; } switches[] = {{CACHES, 0, 1}, {PUSH0, 0, 1}, {rig->c1.pull0, 0, 1}};
    for (size_t i = 0; i < COUNT_OF(switches); i++) {
        wr(rig, switches[i].offset, switches[i].off);
        rig_run(rig);
        assert_int_equal(current_channel(rig), rig->channels - 1);
        expect_reg(rig, PENDING, 2);
        wr(rig, switches[i].offset, switches[i].on);
    }
    assert_int_equal(rig_run(rig), PFIFO_STOP_IDLE);
    expect_order(rig, "1");
}

static void next_channel_shows_who_came_in(void **state) {
    struct rig *rig = *state;
    open_channels(rig, 2);
    for (uint32_t channel = 1; channel <= 2; channel++) {
        give_work(rig, channel, 1);
        rig_run(rig);
        expect_reg(rig, NEXT_CHANNEL, channel | (rig->nv40 ? 0x200 : 0x100));
        expect_reg(rig, rig->c1.push1, channel | rig->mode_bit);
    }
    user_wr(rig, 5, 0x50, 0);
    wr(rig, rig->c1.get, rd(rig, rig->c1.put));
    if (on(rig, "NV10-")) { /* a PIO channel */
        expect_reg(rig, NEXT_CHANNEL, 5);
        expect_reg(rig, rig->c1.push1, 5);
    }
}

/* ACCESS becomes 1 by a load: drivers never set it again after they have torn a channel down. */
static void a_load_lets_the_pusher_fetch(void **state) {
    struct rig *rig = *state;
    open_channels(rig, 1);
    wr(rig, DMA_PUSH, 0);
    give_work(rig, 1, 1);
    assert_int_equal(rig_run(rig), PFIFO_STOP_IDLE);
    expect_order(rig, "1");
    assert_int_equal(rd(rig, DMA_PUSH) & 1, 1);
}

/* ---- entries in the cache ---- */

static void a_channel_with_entries_stays_before_nv40(void **state) {
    struct rig *rig = *state;
    open_channels(rig, 2);
    give_work(rig, 1, 3);
    rig_run_for(rig, 3);
    rig->engine[1].refuse = true; /* it has its object; methods stay in the cache */
    rig_run(rig);
    assert_true(cache_entries(rig) > 0);
    give_work(rig, 2, 1);
    wr(rig, TIMESLICE, ~0u);
    rig_run(rig);
    assert_int_equal(current_channel(rig), 1);
    assert_true(cache_entries(rig) > 0);
    rig->engine[1].refuse = false;
    rig_run(rig);
    expect_order(rig, "12");
}

static void a_channel_with_entries_leaves_and_comes_back_from_nv40_on(void **state) {
    struct rig *rig = *state;
    open_channels(rig, 2);
    set_select(rig, 1, 40, true);
    set_select(rig, 2, 0x1ffff, true);
    push_to(rig, 1, INC(0, 0, 1), HANDLE, INC(0, 0x300, 60));
    for (uint32_t i = 0; i < 60; i++)
        push_to(rig, 1, i);
    rig_submit(rig, 1);
    give_work(rig, 2, 1);
    rig->engine[1].refuse = true;
    rig_run(rig);
    assert_int_equal(rig->log_channel[rig->logged - 1], 2); /* it bound its object and is stuck as well */
    rig->engine[1].refuse = false;
    rig->logged = 0;
    assert_int_equal(rig_run(rig), PFIFO_STOP_IDLE);
    uint32_t seen = 0;
    for (size_t i = 0; i < rig->logged; i++)
        if (rig->log_channel[i] == 1 && rig->log[i].method >= 0x300) {
            assert_int_equal(rig->log[i].data, seen);
            assert_int_equal(rig->log[i].method, 0x300 + 4 * seen);
            seen++;
        }
    assert_int_equal(seen, 60);
    assert_int_equal(rig->logged, 61);
}

/* ---- timeslices ---- */

static void the_timer_counts_units_of_work_down_to_all_ones(void **state) {
    struct rig *rig = *state;
    open_channels(rig, 1);
    set_select(rig, 1, 9, true);
    give_work(rig, 1, 10);
    for (uint32_t unit = 1; unit <= 9; unit++) {
        rig_run_for(rig, 1);
        expect_reg(rig, TIMESLICE, 9 - unit);
    }
    for (uint32_t unit = 10; unit < 20; unit++) {
        rig_run_for(rig, 1);
        expect_reg(rig, TIMESLICE, expired(rig)); /* and stays there: nobody else wants in */
        assert_int_equal(current_channel(rig), 1);
    }
    assert_int_equal(rig_run(rig), PFIFO_STOP_IDLE);
    expect_order(rig, "1");
}

static void without_timeout_the_timer_stands(void **state) {
    struct rig *rig = *state;
    open_channels(rig, 2);
    set_select(rig, 1, 2, false);
    give_work(rig, 1, 10);
    give_work(rig, 2, 1);
    rig_run_for(rig, 12);
    assert_int_equal(rd(rig, TIMESLICE), 2);
    rig_run(rig);
    expect_order(rig, "12");
}

/* One unit after the other: who leaves has expired or has nothing to do, and who has expired and may leave, leaves. */
static void an_expired_channel_leaves_as_soon_as_it_may(void **state) {
    struct rig *rig = *state;
    open_channels(rig, 3);
    for (uint32_t channel = 1; channel <= 3; channel++)
        set_select(rig, channel, 6, true);
    for (uint32_t channel = 1; channel <= 3; channel++)
        give_work(rig, channel, 20);
    unsigned switches = 0;
    rig_run_for(rig, 1);
    for (unsigned unit = 0; unit < 100; unit++) {
        uint32_t before = current_channel(rig), others = rd(rig, PENDING), timer = rd(rig, TIMESLICE);
        bool may = rig->nv40 || cache_entries(rig) == 0, late = timer == expired(rig);
        rig_run_for(rig, 1);
        uint32_t after = current_channel(rig);
        if (after == before) {
            assert_false(others && may && late);
            continue;
        }
        bool work = ramfc_rd(rig, before, 0) != ramfc_rd(rig, before, 4);
        assert_true(late || timer == 0 || !work);
        if (work)
            assert_int_equal(rd(rig, PENDING) >> before & 1, 1);
        assert_int_equal(rd(rig, PENDING) >> after & 1, 0);
        switches++;
    }
    assert_true(switches > 6);
    assert_int_equal(rig_run(rig), PFIFO_STOP_IDLE);
    unsigned count[4] = {0};
    for (size_t i = 0; i < rig->logged; i++)
        count[rig->log_channel[i]] += rig->log[i].method == 0x300;
    for (uint32_t channel = 1; channel <= 3; channel++)
        assert_int_equal(count[channel], 20);
}

/* How a driver makes a channel leave. */
static void a_driver_may_write_expired(void **state) {
    struct rig *rig = *state;
    open_channels(rig, 2);
    give_work(rig, 1, 50);
    rig_run_for(rig, 3);
    give_work(rig, 2, 1);
    wr(rig, TIMESLICE, 0x1fffff);
    rig_run_for(rig, 2);
    assert_int_equal(current_channel(rig), 2);
    assert_int_equal(rd(rig, PENDING), 2);
    rig_run(rig);
    expect_order(rig, "121");
}

/* The slice of a PIO channel has a register of its own; on NV40 that of a DMA channel is in its RAMFC. */
static void slices_of_pio_channels(void **state) {
    struct rig *rig = *state;
    wr(rig, PIO_TIMESLICE, 0x01003fff);
    wr(rig, DMA_TIMESLICE, 0x01000007);
    user_wr(rig, 2, 0x300, 1);
    expect_reg(rig, TIMESLICE, 0x3fff);
    if (rig->nv40)
        expect_reg(rig, PIO_TIMESLICE, 0x01003fff);
}

/* ---- YIELD ---- */

static void a_yield_lets_another_channel_in_at_once(void **state) {
    struct rig *rig = *state;
    open_channels(rig, 2);
    push_to(rig, 1, INC(0, 0, 1), HANDLE, INC(0, 0x300, 1), 1, INC(0, 0x80, 1), 0, INC(0, 0x300, 2), 1, 1);
    rig_submit(rig, 1);
    give_work(rig, 2, 3);
    assert_int_equal(rig_run(rig), PFIFO_STOP_IDLE);
    expect_order(rig, "121");
    push_to(rig, 1, INC(0, 0x80, 1), 0, INC(0, 0x300, 1), 1); /* nobody wants in */
    rig_submit(rig, 1);
    assert_int_equal(rig_run(rig), PFIFO_STOP_IDLE);
    expect_order(rig, "1");
    assert_int_equal(current_channel(rig), 1);
}

/* ---- by hand ---- */

/* A driver copies the registers itself (nxdk). */
static void a_switch_by_hand(void **state) {
    struct rig *rig = *state;
    static const uint32_t registers[] = {DMA_PUT, DMA_GET, DMA_INSTANCE, DMA_STATE, DMA_FETCH, ENGINE, 0x3254, DCOUNT};
    uint32_t first[COUNT_OF(registers)];
    open_channels(rig, 2);
    give_work(rig, 1, 4);
    rig_run_for(rig, 3);
    wr(rig, CACHES, 0);
    while (!(rd(rig, rig->c1.status) & 0x10))
        rig_run_for(rig, 1);
    wr(rig, PUSH0, 0);
    wr(rig, rig->c1.pull0, 0);
    for (size_t i = 0; i < COUNT_OF(registers); i++)
        first[i] = rd(rig, registers[i]);
    assert_true(first[0] != first[1]);
    wr(rig, PENDING, rd(rig, PENDING) | 2);
    for (size_t i = 0; i < COUNT_OF(registers); i++)
        wr(rig, registers[i], 0);
    wr(rig, DMA_INSTANCE, rig->push_object[2]);
    wr(rig, rig->c1.push1, 2 | rig->mode_bit);
    wr(rig, TIMESLICE, 0x1fffff);
    wr(rig, DMA_CTL, 0);
    wr(rig, DMA_PUSH, 1);
    wr(rig, PUSH0, 1);
    wr(rig, rig->c1.pull0, 1);
    give_work(rig, 2, 2);
    assert_int_equal(rig_run(rig), PFIFO_STOP_IDLE);
    wr(rig, PUSH0, 0);
    for (size_t i = 0; i < COUNT_OF(registers); i++)
        wr(rig, registers[i], first[i]);
    wr(rig, rig->c1.push1, 1 | rig->mode_bit);
    wr(rig, DMA_CTL, 0);
    wr(rig, PENDING, 0);
    wr(rig, PUSH0, 1);
    wr(rig, CACHES, 1);
    assert_int_equal(rig_run(rig), PFIFO_STOP_IDLE);
    expect_order(rig, "121");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        FROM_NV4(channels_come_in_the_order_of_their_numbers_from_the_current_one),
        FROM_NV4(a_candidate_has_its_mode_bit_and_its_pending_bit),
        FROM_NV4(a_user_write_marks_work_of_other_channels),
        FROM_NV4(nobody_leaves_or_enters_while_something_is_off),
        FROM_NV4(next_channel_shows_who_came_in),
        FROM_NV4(a_load_lets_the_pusher_fetch),
        NV4_TO_NV3X(a_channel_with_entries_stays_before_nv40),
        FROM_NV40(a_channel_with_entries_leaves_and_comes_back_from_nv40_on),
        FROM_NV4(the_timer_counts_units_of_work_down_to_all_ones),
        FROM_NV4(without_timeout_the_timer_stands),
        FROM_NV4(an_expired_channel_leaves_as_soon_as_it_may),
        FROM_NV4(a_driver_may_write_expired),
        FROM_NV4(slices_of_pio_channels),
        FROM_NV40(a_yield_lets_another_channel_in_at_once),
        FROM_NV4(a_switch_by_hand),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
