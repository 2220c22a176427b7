/* SPDX-License-Identifier: MIT */
/*
 * Channel 0 of G80 .. MCP89: methods by PIO.
 *
 * Sources: envytools docs/hw/fifo/pio.rst, rnndb/fifo/g80_pfifo.xml. What the documents do not say, mostly what becomes
 * of a write that nobody can take, is [chosen].
 */
#include "g80.h"

#define CAPACITY 512u

static void open_pio(struct rig *rig) {
    rig_open(rig, CHANNEL_PIO);
}

/* Channel 0 in CACHE1, with its handle bound to subchannel 0. */
static void bind_pio(struct rig *rig) {
    open_pio(rig);
    rig_object(rig, CHANNEL_PIO, 0xfeed, 1, 0x502d);
    pio(rig, 0, 0, 0xfeed);
    assert_int_equal(rig_run(rig), PFIFO_STOP_IDLE);
    rig->logged = 0;
}

static void expect_refused(struct rig *rig, uint32_t channel, uint32_t put) {
    assert_int_equal(rd(rig, INTR), I_PIO_ERROR);
    assert_int_equal(current_channel(rig), channel);
    assert_int_equal(rd(rig, CACHE_PUT), put);
    wr(rig, INTR, I_PIO_ERROR);
    assert_int_equal(rd(rig, INTR), 0);
}

static void a_write_is_an_entry_of_cache1(void **state) {
    struct rig *rig = *state;
    open_pio(rig);
    pio(rig, 3, 0x1ffc, 0x12345678);
    pio(rig, 7, 0x100, 0x9abcdef0);
    assert_int_equal(rd(rig, CACHE_PUT), 8);
    assert_int_equal(rd(rig, CACHE_METHOD), 3 << 13 | 0x1ffc);
    assert_int_equal(rd(rig, CACHE_DATA), 0x12345678);
    assert_int_equal(rd(rig, CACHE_METHOD + 8), 7 << 13 | 0x100);
    assert_int_equal(rd(rig, CACHE_DATA + 8), 0x9abcdef0);
    assert_int_equal(rd(rig, INTR), 0);
}

/* No run is needed: it is the write that switches. PUSH1 says channel 0, PIO. */
static void a_write_brings_channel_0_in(void **state) {
    struct rig *rig = *state;
    open_pio(rig);
    bring_in(rig, 1);
    wr(rig, REF, 0x1111);
    pio(rig, 0, 0x100, 1);
    assert_int_equal(rd(rig, PUSH1), CHANNEL_PIO);
    assert_int_equal(rd(rig, CURRENT), CHANNEL_PIO);
    assert_int_equal(ramfc_rd(rig, 1, 0x74), 0x1111);
    assert_int_equal(cache_entries(rig), 1);
}

static void methods_go_to_the_engine_of_the_subchannel(void **state) {
    struct rig *rig = *state;
    open_pio(rig);
    uint32_t first = rig_object(rig, CHANNEL_PIO, 0xfeed, 1, 0x502d);
    uint32_t second = rig_object(rig, CHANNEL_PIO, 0xbeef, 2, 0x5097);
    pio(rig, 0, 0, 0xfeed);
    pio(rig, 5, 0, 0xbeef);
    pio(rig, 0, 0x200, 1);
    pio(rig, 5, 0x180, 0xfeed);
    assert_int_equal(rig_run(rig), PFIFO_STOP_IDLE);
    expect_methods(rig, {0, 0, first}, {5, 0, second}, {0, 0x200, 1}, {5, 0x180, first});
    assert_int_equal(rd(rig, ENGINE), 0x00200001);
}

static void host_methods_are_executed(void **state) {
    struct rig *rig = *state;
    open_pio(rig);
    pio(rig, 2, 0x50, 0xcafe);
    assert_int_equal(rig_run(rig), PFIFO_STOP_IDLE);
    assert_int_equal(rd(rig, REF), 0xcafe);
    assert_int_equal(user_rd(rig, CHANNEL_PIO, USER_REF), 0xcafe);
}

/* ---- who may not ---- */

static void refused_without_pusher_access(void **state) {
    struct rig *rig = *state;
    open_pio(rig);
    wr(rig, PUSH0, 0);
    pio(rig, 0, 0x100, 1);
    expect_refused(rig, CHANNEL_IDLE, 0);
    assert_int_equal(rd(rig, pio_at(0, PIO_FREE)), 0);
    wr(rig, PUSH0, 1);
    pio(rig, 0, 0x100, 1);
    wr(rig, PUSH0, 0); /* in CACHE1, too */
    pio(rig, 0, 0x100, 1);
    expect_refused(rig, CHANNEL_PIO, 4);
}

static void refused_if_it_may_not_switch(void **state) {
    struct rig *rig = *state;
    open_pio(rig);
    bring_in(rig, 1);
    uint32_t put = rd(rig, CACHE_PUT);
    wr(rig, CACHES, 0);
    assert_int_equal(rd(rig, pio_at(0, PIO_FREE)), 0);
    pio(rig, 0, 0x100, 1);
    expect_refused(rig, 1, put);
    wr(rig, CACHES, 1);
    wr(rig, PULL0, 0); /* a channel in trouble stays for its driver to look at */
    pio(rig, 0, 0x100, 1);
    expect_refused(rig, 1, put);
    wr(rig, PULL0, 1);
    assert_int_equal(rd(rig, pio_at(0, PIO_FREE)), 4 * CAPACITY);
}

static void refused_while_the_pusher_is_in_error(void **state) {
    struct rig *rig = *state;
    open_pio(rig);
    push(rig, 0xe0000003);
    assert_int_equal(rig_go(rig), PFIFO_STOP_INTERRUPT);
    uint32_t put = rd(rig, CACHE_PUT);
    pio(rig, 0, 0x100, 1);
    assert_int_equal(rd(rig, INTR), I_DMA_PUSHER | I_PIO_ERROR);
    assert_int_equal(current_channel(rig), 1);
    assert_int_equal(rd(rig, CACHE_PUT), put);
}

static void refused_if_it_is_not_enabled(void **state) {
    struct rig *rig = *state;
    open_pio(rig);
    wr(rig, CHAN_TABLE, rd(rig, CHAN_TABLE) & 0x7fffffff);
    pio(rig, 0, 0x100, 1);
    expect_refused(rig, CHANNEL_IDLE, 0);
    assert_int_equal(rd(rig, pio_at(0, PIO_FREE)), 0);
}

/* Whoever is in CACHE1 needs neither switch nor table nor puller. */
static void once_in_it_takes_what_has_room(void **state) {
    struct rig *rig = *state;
    open_pio(rig);
    pio(rig, 0, 0x100, 1);
    wr(rig, CACHES, 0);
    wr(rig, PULL0, 0);
    wr(rig, CHAN_TABLE, rd(rig, CHAN_TABLE) & 0x7fffffff);
    pio(rig, 0, 0x100, 2);
    assert_int_equal(cache_entries(rig), 2);
    assert_int_equal(rd(rig, INTR), 0);
}

/* MODE counts, not the number alone. */
static void channel_0_in_dma_mode_takes_nothing(void **state) {
    struct rig *rig = *state;
    open_pio(rig);
    wr(rig, PUSH1, MODE_DMA | CHANNEL_PIO);
    pio(rig, 0, 0x100, 1);
    expect_refused(rig, CHANNEL_PIO, 0);
    assert_int_equal(rd(rig, pio_at(0, PIO_FREE)), 0);
    wr(rig, PUSH1, CHANNEL_PIO);
    pio(rig, 0, 0x100, 1);
    assert_int_equal(cache_entries(rig), 1);
}

static void unknown_host_methods_are_refused_without_a_switch(void **state) {
    struct rig *rig = *state;
    open_pio(rig);
    bring_in(rig, 1);
    uint32_t put = rd(rig, CACHE_PUT);
    pio(rig, 0, 0x04, 1);
    expect_refused(rig, 1, put);
    pio(rig, 0, 0xfc, 1);
    expect_refused(rig, 1, put);
}

static void smaller_accesses_are_refused(void **state) {
    struct rig *rig = *state;
    open_pio(rig);
    static const uint8_t bytes[2] = {1, 2};
    bus_write(&rig->bus, pio_at(0, 0x100), bytes, 1);
    expect_refused(rig, CHANNEL_IDLE, 0);
    bus_write(&rig->bus, pio_at(0, 0x102), bytes, 2);
    expect_refused(rig, CHANNEL_IDLE, 0);
    uint8_t half[2] = {1, 1};
    bus_read(&rig->bus, pio_at(0, PIO_FREE), half, 2);
    assert_int_equal(half[0] | half[1], 0);
}

static void frozen_or_off_nothing_lands(void **state) {
    struct rig *rig = *state;
    open_pio(rig);
    wr(rig, FREEZE, 1);
    assert_int_equal(rd(rig, pio_at(0, PIO_FREE)), 0);
    pio(rig, 0, 0x100, 1);
    expect_refused(rig, CHANNEL_IDLE, 0);
    wr(rig, FREEZE, 0);
    wr(rig, PMC_ENABLE, ~0x100u);
    assert_int_equal(rd(rig, pio_at(0, PIO_FREE)), 0xbad0da00);
    pio(rig, 0, 0x100, 1);
    wr(rig, PMC_ENABLE, ~0u);
    assert_int_equal(rd(rig, INTR), 0);
    assert_int_equal(rd(rig, CACHE_PUT), 0);
}

/* ---- how much ---- */

static void free_counts_down_with_each_entry(void **state) {
    struct rig *rig = *state;
    open_pio(rig);
    assert_int_equal(rd(rig, pio_at(0, PIO_FREE)), 4 * CAPACITY);
    wr(rig, PULL0, 0);
    wr(rig, PUSH1, CHANNEL_PIO);
    for (uint32_t i = 0; i < CAPACITY; i++) {
        assert_int_equal(rd(rig, pio_at(0, PIO_FREE)), 4 * (CAPACITY - i));
        pio(rig, 0, 0x100, i);
    }
    assert_int_equal(rd(rig, pio_at(0, PIO_FREE)), 0);
    assert_int_equal(rd(rig, STATUS), 0x100);
    assert_int_equal(rd(rig, INTR), 0);
    pio(rig, 0, 0x100, 0xbad);
    expect_refused(rig, CHANNEL_PIO, 4 * CAPACITY);
    assert_int_equal(rd(rig, CACHE_DATA), 0); /* the first is still there */
}

/* What it would have when it came in. */
static void free_of_a_channel_that_is_out_counts_its_saved_entries(void **state) {
    struct rig *rig = *state;
    open_pio(rig);
    ramfc_wr(rig, CHANNEL_PIO, 0x84, 12);
    assert_int_equal(rd(rig, pio_at(0, PIO_FREE)), 4 * (CAPACITY - 12));
    ramfc_wr(rig, CHANNEL_PIO, 0x84, ~0u);
    assert_int_equal(rd(rig, pio_at(0, PIO_FREE)), 0);
    assert_int_equal(current_channel(rig), CHANNEL_IDLE); /* asking does not bring it in */
}

static void only_subchannel_0_has_the_free_count(void **state) {
    struct rig *rig = *state;
    open_pio(rig);
    for (uint32_t subchannel = 1; subchannel < 8; subchannel++)
        assert_int_equal(rd(rig, pio_at(subchannel, PIO_FREE)), 0);
    assert_int_equal(rd(rig, pio_at(0, 0x40)), 0);
    assert_int_equal(rd(rig, pio_at(0, 0x100)), 0);
    assert_int_equal(rd(rig, INTR), 0);
}

static void a_write_to_the_free_count_is_nothing(void **state) {
    struct rig *rig = *state;
    open_pio(rig);
    pio(rig, 0, PIO_FREE, 1);
    assert_int_equal(rd(rig, INTR), 0);
    assert_int_equal(current_channel(rig), CHANNEL_IDLE);
}

/* On other subchannels 0x10 is a method as any, where the chip has it. */
static void method_0x10_of_another_subchannel(void **state) {
    struct rig *rig = *state;
    open_pio(rig);
    pio(rig, 1, 0x10, 0x5a);
    if (rig->descriptor_has_ramfc) {
        expect_refused(rig, CHANNEL_IDLE, 0);
        return;
    }
    assert_int_equal(rig_run(rig), PFIFO_STOP_IDLE);
    assert_int_equal(rd(rig, SEM_HIGH), 0x5a);
}

/* ---- beside other channels ---- */

static void leaves_when_others_have_work_and_it_has_none(void **state) {
    struct rig *rig = *state;
    bind_pio(rig);
    pio(rig, 0, 0x200, 1);
    push(rig, INC(0, 0x50, 1), 0x77);
    rig_submit(rig, 1);
    assert_int_equal(current_channel(rig), CHANNEL_PIO);
    assert_int_equal(rig_run(rig), PFIFO_STOP_IDLE);
    expect_methods(rig, {0, 0x200, 1});
    assert_int_equal(rd(rig, PUSH1), MODE_DMA | 1);
    assert_int_equal(rd(rig, REF), 0x77);
    pio(rig, 0, 0x200, 2); /* and comes back with what it had bound */
    assert_int_equal(rig_run(rig), PFIFO_STOP_IDLE);
    expect_methods(rig, {0, 0x200, 2});
}

/* Its time is that of RAMFC as for DMA channels. */
static void leaves_with_entries_when_its_time_is_over(void **state) {
    struct rig *rig = *state;
    bind_pio(rig);
    bring_in(rig, 1);
    ramfc_wr(rig, CHANNEL_PIO, 0x44, 0x01000000); /* 1024 ns: 64 methods */
    for (uint32_t i = 0; i < 100; i++)
        pio(rig, 0, 0x200, i);
    push(rig, 0);
    rig_submit(rig, 1);
    while (current_channel(rig) == CHANNEL_PIO)
        assert_int_equal(rig_run_for(rig, 1), PFIFO_STOP_BUDGET);
    assert_int_equal(rig->logged, 64);
    assert_int_equal(ramfc_rd(rig, CHANNEL_PIO, 0x84), 36);
    assert_int_equal(rig_run(rig), PFIFO_STOP_IDLE);
    assert_int_equal(current_channel(rig), 1); /* not on the playlist: the next write brings it back */
    assert_int_equal(rig->logged, 64);
    pio(rig, 0, 0x200, 100);
    assert_int_equal(cache_entries(rig), 37);
    assert_int_equal(rig_run(rig), PFIFO_STOP_IDLE);
    assert_int_equal(rig->logged, 101);
    for (uint32_t i = 0; i < 101; i++)
        assert_int_equal(rig->log[i].data, i);
}

/* YIELD is of the channel that was in CACHE1. */
static void comes_without_the_yield_of_another(void **state) {
    struct rig *rig = *state;
    open_pio(rig);
    bring_in(rig, 1);
    user_wr(rig, 1, 0x80, 0);
    push(rig, 0);
    rig_submit(rig, 1);
    pio(rig, 0, 0x50, 0x44);
    assert_int_equal(rig_run_for(rig, 1), PFIFO_STOP_BUDGET);
    assert_int_equal(current_channel(rig), CHANNEL_PIO);
    assert_int_equal(rd(rig, REF), 0x44);
}

/* With entries saved and on the playlist it takes turns like all others. */
static void on_the_playlist_its_entries_come_back(void **state) {
    struct rig *rig = *state;
    bind_pio(rig);
    rig_playlist(rig, (const uint32_t[]){0, 1}, 2);
    bring_in(rig, 1);
    ramfc_wr(rig, CHANNEL_PIO, 0x44, 0x01000000);
    for (uint32_t i = 0; i < 100; i++)
        pio(rig, 0, 0x200, i);
    push(rig, 0);
    rig_submit(rig, 1);
    assert_int_equal(rig_run(rig), PFIFO_STOP_IDLE);
    assert_int_equal(rig->logged, 100);
    assert_int_equal(current_channel(rig), CHANNEL_PIO);
}

/* What RAMFC has of a pushbuffer is not for it. */
static void it_has_no_pushbuffer(void **state) {
    struct rig *rig = *state;
    open_pio(rig);
    rig_playlist(rig, (const uint32_t[]){0, 1}, 2);
    push_to(rig, CHANNEL_PIO, INC(0, 0x50, 1), 0x99);
    user_wr(rig, CHANNEL_PIO, USER_PUT, 8);
    assert_int_equal(rig_run(rig), PFIFO_STOP_IDLE);
    assert_int_equal(current_channel(rig), CHANNEL_IDLE);
    pio(rig, 0, 0x50, 0x11);
    assert_int_equal(rig_run(rig), PFIFO_STOP_IDLE);
    assert_int_equal(rd(rig, REF), 0x11);
    assert_int_equal(rd(rig, DMA_GET), 0);
}

static void a_new_playlist_leaves_it_alone_unless_it_is_disabled(void **state) {
    struct rig *rig = *state;
    open_pio(rig);
    pio(rig, 0, 0x100, 1);
    rig_playlist(rig, (const uint32_t[]){1}, 1);
    assert_int_equal(current_channel(rig), CHANNEL_PIO);
    wr(rig, CHAN_TABLE, rd(rig, CHAN_TABLE) & 0x7fffffff);
    rig_playlist(rig, (const uint32_t[]){1}, 1);
    assert_int_equal(current_channel(rig), CHANNEL_IDLE);
    assert_int_equal(ramfc_rd(rig, CHANNEL_PIO, 0x84), 1);
}

/* A waiting acquire holds the channel's methods, and room is what is left. */
static void writes_behind_an_acquire_wait(void **state) {
    struct rig *rig = *state;
    open_pio(rig);
    system_wr(rig, 0x800000, 0);
    rig_handle(rig, CHANNEL_PIO, 0x5e, 0, rig_dma_object(rig, CHANNEL_PIO, MEMORY_SYSTEM, 0x800000, 0x1000));
    pio(rig, 0, 0x60, 0x5e);
    pio(rig, 0, 0x64, 0);
    pio(rig, 0, 0x68, 1);
    pio(rig, 0, 0x50, 0x33);
    assert_int_equal(rig_run(rig), PFIFO_STOP_WAITING);
    assert_int_equal(rd(rig, REF), 0);
    assert_int_equal(rd(rig, pio_at(0, PIO_FREE)), 4 * (CAPACITY - 1));
    system_wr(rig, 0x800000, 1);
    assert_int_equal(rig_run(rig), PFIFO_STOP_IDLE);
    assert_int_equal(rd(rig, REF), 0x33);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        ON_EACH(a_write_is_an_entry_of_cache1),
        ON_EACH(a_write_brings_channel_0_in),
        ON_EACH(methods_go_to_the_engine_of_the_subchannel),
        ON_KINDS(host_methods_are_executed),
        ON_KINDS(refused_without_pusher_access),
        ON_KINDS(refused_if_it_may_not_switch),
        ON_KINDS(refused_while_the_pusher_is_in_error),
        ON_KINDS(refused_if_it_is_not_enabled),
        ON_KINDS(once_in_it_takes_what_has_room),
        ON_KINDS(channel_0_in_dma_mode_takes_nothing),
        ON_KINDS(unknown_host_methods_are_refused_without_a_switch),
        ON_KINDS(smaller_accesses_are_refused),
        ON_KINDS(frozen_or_off_nothing_lands),
        ON_KINDS(free_counts_down_with_each_entry),
        ON_KINDS(free_of_a_channel_that_is_out_counts_its_saved_entries),
        ON_KINDS(only_subchannel_0_has_the_free_count),
        ON_KINDS(a_write_to_the_free_count_is_nothing),
        ON_EACH(method_0x10_of_another_subchannel),
        ON_KINDS(leaves_when_others_have_work_and_it_has_none),
        ON_KINDS(leaves_with_entries_when_its_time_is_over),
        ON_KINDS(comes_without_the_yield_of_another),
        ON_KINDS(on_the_playlist_its_entries_come_back),
        ON_KINDS(it_has_no_pushbuffer),
        ON_KINDS(a_new_playlist_leaves_it_alone_unless_it_is_disabled),
        ON_KINDS(writes_behind_an_acquire_wait),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
