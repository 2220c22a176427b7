/* SPDX-License-Identifier: MIT */
/*
 * GF100 .. GF117: channel table, playlist, PSUBFIFOs and their engines, freezing, kicking, and the recovery of nouveau.
 *
 * Sources: envytools rnndb/fifo/gf100_pfifo.xml; nouveau nvkm/engine/fifo/gf100.c, gpfifogf100.c.
 */
#include "fifo_pbdma/machine.h"

static struct machine m;

#define SEMAPHORE(address, payload, operation) INC(0, 0x10, 4), 0, (address), (payload), (operation)
#define ACQUIRE                                1u
#define RELEASE                                (2u | 1u << 24)

#define TABLE(id)       (0x3000 + 8 * (id))
#define STATE(id)       (0x3004 + 8 * (id))
#define RUNNABLE        0x00000001u
#define ACQUIRE_PENDING 0x00000010u
#define LOADED          0x00001000u
#define ENGINE(id)      ((uint32_t)(id) << 16)
#define NO_ENGINE       ENGINE(0x1f)
#define PENDING         0x10000000u

static int teardown(void **state) {
    (void)state;
    machine_free(&m);
    return 0;
}

/* As nouveau assigns the units of a chip with three. */
static void assign_units(void) {
    static const uint32_t masks[] = {~1u, ~2u, ~2u, ~2u, ~4u, ~2u};
    for (uint32_t e = 0; e < 6; e++)
        set_reg(&m, 0x2208 + 4 * e, masks[e]);
}

/* Channels 1, 2 and 3 are on PGRAPH, PCOPY0 and PPDEC, and wait. */
static void three_at_work(void) {
    static const uint32_t objects[] = {0x0000902d, 0x000490b5, 0x000190b2};
    machine_init(&m, "GF100");
    assign_units();
    for (unsigned id = 1; id <= 3; id++) {
        channel_new(&m, id, 0);
        PUSH(&m, id, INC(0, 0, 1), objects[id - 1], IMMD(0, 0x100, id), SEMAPHORE(SCRATCH + 16 * id, 1, ACQUIRE),
             IMMD(0, 0x104, id));
    }
    RUNLIST(&m, 0, 1, 2, 3);
    assert_int_equal(run(&m), PFIFO_STOP_WAITING);
}

/* What channels executed since the last look, as 1 << channel, of this method. */
static uint32_t who_did(uint32_t method) {
    uint32_t channels = 0;
    for (unsigned i = 0; i < m.method_count; i++) {
        assert_int_equal(m.methods[i].method, method);
        channels |= 1u << m.methods[i].channel;
    }
    m.method_count = 0;
    return channels;
}

static void a_channel_shows_in_its_state_where_it_is(void **state) {
    (void)state;
    one_channel(&m, "GF100");
    assign_units();
    assert_int_equal(reg(&m, STATE(1)), NO_ENGINE | RUNNABLE);
    PUSH(&m, 1, INC(0, 0, 1), 0x000490b5, SEMAPHORE(SCRATCH, 1, ACQUIRE), IMMD(0, 0x100, 1));
    assert_int_equal(reg(&m, STATE(1)), PENDING | NO_ENGINE | RUNNABLE);
    assert_int_equal(run(&m), PFIFO_STOP_WAITING);
    assert_int_equal(reg(&m, STATE(1)), ENGINE(4) | LOADED | RUNNABLE);
    set_reg(&m, 0x2634, 1);
    assert_int_equal(reg(&m, STATE(1)), PENDING | NO_ENGINE | ACQUIRE_PENDING | RUNNABLE);
    poke(&m, SCRATCH, 1);
    assert_int_equal(run(&m), PFIFO_STOP_IDLE);
    assert_int_equal(reg(&m, STATE(1)), NO_ENGINE | RUNNABLE);
}

static void state_stores_runnable_engine_and_bit_8(void **state) {
    (void)state;
    machine_init(&m, "GF100");
    set_reg(&m, STATE(5), ~0u);
    assert_int_equal(reg(&m, STATE(5)), 0x001f0101);
    set_reg(&m, STATE(5), 0);
    assert_int_equal(reg(&m, STATE(5)), 0);
}

static void polling_needs_a_place_in_bar1(void **state) {
    (void)state;
    machine_init(&m, "GF100");
    set_reg(&m, 0x2254, 0);
    set_reg(&m, TABLE(1), 0x80000100); /* without POLL_ENABLE */
    assert_int_equal(reg(&m, 0x2100) & 1, 0);
    set_reg(&m, TABLE(2), 0xc0000100);
    assert_int_equal(reg(&m, 0x2100) & 1, 1);
    assert_int_equal(reg(&m, 0x252c), 2);
    assert_int_equal(reg(&m, TABLE(2)), 0xc0000100);
}

static void wrong_changes_of_the_table_are_reported(void **state) {
    (void)state;
    one_channel(&m, "GF100");
    uint32_t entry = reg(&m, TABLE(1));
    set_reg(&m, TABLE(1), entry + 1); /* it is in use */
    assert_int_equal(reg(&m, 0x252c), 1);
    assert_int_equal(reg(&m, TABLE(1)), entry);
    PUSH(&m, 1, SEMAPHORE(SCRATCH, 1, ACQUIRE));
    assert_int_equal(run(&m), PFIFO_STOP_WAITING);
    set_reg(&m, TABLE(1), 0); /* it is active */
    assert_int_equal(reg(&m, 0x252c), 3);
    assert_int_equal(reg(&m, TABLE(1)), entry);
    assert_int_equal(reg(&m, 0x40120), 1 << 8 | 1);
    set_reg(&m, TABLE(3), 0x90000100); /* target 1 */
    assert_int_equal(reg(&m, 0x252c), 6);
    assert_int_equal(reg(&m, 0x2100) & 1, 1);
    set_reg(&m, 0x2100, 1);
    assert_int_equal(reg(&m, 0x2100) & 1, 0);
}

static void userd_is_in_bar1_at_0x1000_for_each_channel(void **state) {
    (void)state;
    machine_init(&m, "GF100");
    set_reg(&m, 0x2254, 0x10000000 | 0x800000 >> 12);
    for (unsigned id = 0; id < CHANNELS; id++)
        channel_new(&m, id, 0);
    for (unsigned id = 0; id < CHANNELS; id++) {
        uint8_t word[4];
        store_le32(word, 0x100 + id);
        bus_bar_write(&m.bus, 1, 0x800000 + 0x1000 * (uint64_t)id + 0x8c, word, 4);
        assert_int_equal(peek(&m, userd_of(id) + 0x8c), 0x100 + id);
        poke(&m, userd_of(id) + 0x88, id);
        bus_bar_read(&m.bus, 1, 0x800000 + 0x1000 * (uint64_t)id + 0x88, word, 4);
        assert_int_equal(load_le32(word), id);
    }
}

static void three_channels_are_on_three_units(void **state) {
    (void)state;
    three_at_work();
    assert_int_equal(pb(&m, 0, 0x120), 1 << 8 | 1);
    assert_int_equal(pb(&m, 2, 0x120), 1 << 8 | 2);
    assert_int_equal(pb(&m, 1, 0x120), 1 << 8 | 3);
    assert_int_equal(reg(&m, 0x2390), 0);
    assert_int_equal(reg(&m, 0x2394), 1);
    assert_int_equal(reg(&m, 0x2398), 4);
    assert_int_equal(who_did(0x100), 0xe);
    for (unsigned id = 1; id <= 3; id++)
        poke(&m, SCRATCH + 16 * id, 1);
    assert_int_equal(run(&m), PFIFO_STOP_IDLE);
    assert_int_equal(who_did(0x104), 0xe);
    assert_int_equal(reg(&m, 0x2390) & reg(&m, 0x2394) & reg(&m, 0x2398), 0x1f);
}

/* Nobody has to wait until another one has done all its work. */
static void channels_on_different_units_advance_together(void **state) {
    (void)state;
    three_at_work();
    m.method_count = 0;
    for (unsigned id = 1; id <= 3; id++) {
        uint32_t words[1001] = {NON_INC(0, 0x104, 1000)};
        push(&m, id, words, COUNT_OF(words));
        poke(&m, SCRATCH + 16 * id, 1);
    }
    assert_int_equal(run_units(&m, 3500), PFIFO_STOP_BUDGET);
    unsigned done[4] = {0};
    for (unsigned i = 0; i < m.method_count; i++)
        done[m.methods[i].channel]++;
    for (unsigned id = 1; id <= 3; id++)
        assert_in_range(done[id], 200, 999);
    assert_int_equal(run(&m), PFIFO_STOP_IDLE);
    assert_int_equal(m.method_count, 3003);
}

static void engines_tell_whom_they_work_for(void **state) {
    (void)state;
    three_at_work();
    static const unsigned engine_of[] = {0, 0, 4, 1};
    for (unsigned id = 1; id <= 3; id++) {
        unsigned e = engine_of[id];
        assert_int_equal(reg(&m, 0x2640 + 4 * e), id);
        assert_int_equal(reg(&m, 0x27d0 + 4 * e), 1 << 8 | id);
        assert_int_equal(reg(&m, 0x2680 + 4 * e), 0x100 + id);
        assert_int_equal(reg(&m, 0x2790 + 4 * e), 0x80000100 + id);
    }
    assert_int_equal(reg(&m, 0x2640 + 4 * 5) | reg(&m, 0x27d0 + 4 * 5) | reg(&m, 0x2790 + 4 * 5), 0);
    m.busy = true;
    assert_int_equal(reg(&m, 0x2640), 1u << 31 | 1);
}

static void each_unit_has_its_switch(void **state) {
    (void)state;
    three_at_work();
    for (unsigned id = 1; id <= 3; id++)
        poke(&m, SCRATCH + 16 * id, 1);
    m.method_count = 0;
    set_reg(&m, 0x2204, 5); /* not the second, where channel 3 is */
    assert_int_equal(run(&m), PFIFO_STOP_FROZEN);
    assert_int_equal(who_did(0x104), 0x6);
    set_reg(&m, 0x2204, ~0u);
    assert_int_equal(run(&m), PFIFO_STOP_IDLE);
    assert_int_equal(who_did(0x104), 0x8);
}

/* ENG_SUBFIFO_MASK is for a channel that turns to an engine: one that works with it goes on, word by word as by
 * packets. */
static void a_channel_that_has_an_engine_keeps_it_whatever_the_mask_says(void **state) {
    (void)state;
    for (unsigned steps = 1; steps <= 100; steps += 99) {
        if (steps != 1)
            machine_free(&m);
        one_channel(&m, "GF100");
        assign_units();
        PUSH(&m, 1, INC(0, 0, 1), 0x0000902d, INC(0, 0x100, 4), 1, 2, 3, 4, INC(0, 0x104, 2), 5, 6);
        for (unsigned i = 0; i < 20 && m.method_count == 0; i++)
            assert_int_equal(run_units(&m, 1), PFIFO_STOP_BUDGET);
        assert_int_equal(m.method_count, 1);
        set_reg(&m, 0x2208, ~0u); /* PGRAPH is for no unit now */
        for (unsigned i = 0; i < 20; i++)
            run_units(&m, steps);
        EXPECT_METHODS(&m, {0x100, 1}, {0x104, 2}, {0x108, 3}, {0x10c, 4}, {0x104, 5}, {0x108, 6});
        PUSH(&m, 1, IMMD(0, 0x100, 7)); /* it has left, and comes back to nowhere */
        assert_int_equal(run(&m), PFIFO_STOP_FROZEN);
        assert_int_equal(m.method_count, 6);
    }
}

static void freeze_is_answered_and_stops_everybody(void **state) {
    (void)state;
    static const uint32_t registers[] = {0x2504, 0x2638};
    for (size_t i = 0; i < COUNT_OF(registers); i++) {
        three_at_work();
        m.method_count = 0;
        for (unsigned id = 1; id <= 3; id++)
            poke(&m, SCRATCH + 16 * id, 1);
        assert_int_equal(reg(&m, registers[i]), 0);
        set_reg(&m, registers[i], 1);
        assert_int_equal(reg(&m, registers[i]), 0x11);
        assert_int_equal(reg(&m, registers[!i]), 0x10);
        assert_int_equal(run(&m), PFIFO_STOP_FROZEN);
        assert_int_equal(m.method_count, 0);
        /* A driver may change what is loaded meanwhile. */
        set_pb(&m, 0, 0xc4, 0x77);
        assert_int_equal(pb(&m, 0, 0x108), 0);
        set_reg(&m, registers[i], 0);
        assert_int_equal(reg(&m, registers[i]), 0);
        assert_int_equal(run(&m), PFIFO_STOP_INTERRUPT); /* 0x77 is no semaphore operation */
        assert_int_equal(pb(&m, 0, 0x108), 1 << 25);
        if (i == 0)
            machine_free(&m);
    }
}

static void kick_reads_as_the_channel_when_it_has_left(void **state) {
    (void)state;
    three_at_work();
    set_reg(&m, 0x2634, 2);
    assert_int_equal(reg(&m, 0x2634), 2);
    assert_int_equal(pb(&m, 2, 0x120), 0);
    assert_int_equal(ramfc(&m, 2, 0xc0) & 0x80003ffc, 0x8000001c);
    assert_int_equal(pb(&m, 0, 0x120), 1 << 8 | 1); /* the others stay */
    assert_int_equal(pb(&m, 1, 0x120), 1 << 8 | 3);
}

static void a_kick_waits_for_the_engine_and_for_the_driver(void **state) {
    (void)state;
    three_at_work();
    m.busy = true;
    set_reg(&m, 0x2634, 1);
    assert_int_not_equal(reg(&m, 0x2634), 1);
    poke(&m, SCRATCH + 16, 1);
    m.method_count = 0;
    run(&m);
    assert_int_equal(m.method_count, 0); /* it does nothing more */
    m.busy = false;
    assert_int_equal(reg(&m, 0x2634), 1);
    assert_int_equal(pb(&m, 0, 0x120), 0);
}

static void a_playlist_is_current_when_it_is_read(void **state) {
    (void)state;
    machine_init(&m, "GF100");
    channel_new(&m, 1, 0);
    channel_new(&m, 2, 0);
    RUNLIST(&m, 0, 1, 2);
    assert_int_equal(reg(&m, 0x2278), 0x500000 >> 12);
    assert_int_equal(reg(&m, 0x227c), 2); /* and bit 20, busy, is 0 */
    assert_int_equal(reg(&m, 0x2a00), 1 << 28);
    assert_int_equal(reg(&m, 0x2100), 1 << 30);
    set_reg(&m, 0x2100, ~0u); /* a level */
    assert_int_equal(reg(&m, 0x2100), 1 << 30);
    set_reg(&m, 0x2a00, 1 << 28);
    assert_int_equal(reg(&m, 0x2100), 0);
}

static void a_playlist_with_an_unbound_channel_is_an_error(void **state) {
    (void)state;
    machine_init(&m, "GF100");
    channel_new(&m, 1, 0);
    RUNLIST(&m, 0, 5, 1);
    assert_int_equal(reg(&m, 0x2100) & 1 << 8, 1 << 8);
    assert_int_equal(reg(&m, 0x254c), 1); /* INACTIVE_CHANNEL */
    PUSH(&m, 1, IMMD(0, 0x50, 1));
    assert_int_equal(run(&m), PFIFO_STOP_IDLE); /* the other one is there */
    assert_int_equal(ramfc(&m, 1, 0x28), 1);
}

/* SCHED_DISABLE has a bit per engine: nobody is loaded for it, who is stays. */
static void a_disabled_engine_gets_no_channels(void **state) {
    (void)state;
    three_at_work();
    set_reg(&m, 0x2634, 2);
    set_reg(&m, 0x2630, 1 << 4 | 1 << 0);
    for (unsigned id = 1; id <= 3; id++)
        poke(&m, SCRATCH + 16 * id, 1);
    m.method_count = 0;
    assert_int_equal(run(&m), PFIFO_STOP_FROZEN);
    assert_int_equal(who_did(0x104), 0xa);
    set_reg(&m, 0x2630, 1 << 0); /* that is another engine */
    assert_int_equal(run(&m), PFIFO_STOP_IDLE);
    assert_int_equal(who_did(0x104), 0x4);
}

static void engine_interrupts_are_levels(void **state) {
    (void)state;
    one_channel(&m, "GF100");
    set_reg(&m, 0x2a00, ~0u);
    PUSH(&m, 1, INC(0, 0, 1), 0x000490b5, IMMD(0, 0x20, 0));
    assert_int_equal(run(&m), PFIFO_STOP_IDLE); /* nobody is stopped by it */
    assert_int_equal(reg(&m, 0x25a4), 1 << 4);
    assert_int_equal(reg(&m, 0x25a8 + 4 * 4), 1); /* NOTIFY */
    assert_int_equal(reg(&m, 0x2100), 1u << 31);
    set_reg(&m, 0x2100, ~0u);
    assert_int_equal(reg(&m, 0x2100), 1u << 31);
    set_reg(&m, 0x2628, 0);
    assert_int_equal(reg(&m, 0x2100), 0);
    set_reg(&m, 0x2628, 1);
    set_reg(&m, 0x25a8 + 4 * 4, 1);
    assert_int_equal(reg(&m, 0x2100) | reg(&m, 0x25a4), 0);
}

static void channel_recovery_as_nouveau_does_it(void **state) {
    (void)state;
    three_at_work();
    m.fault_method = 0x104;
    poke(&m, SCRATCH + 32, 1); /* channel 2, on PCOPY0 */
    assert_int_equal(run(&m), PFIFO_STOP_WAITING);
    assert_int_equal(reg(&m, 0x259c), 1 << 0x15); /* PCE0 */
    assert_int_equal(reg(&m, 0x2800 + 0x150), instance_of(2) >> 12);
    assert_int_equal(reg(&m, 0x262c), 1 << 4);
    assert_int_equal(reg(&m, 0x2640 + 4 * 4), 1 << 24 | 2); /* FAULTED */
    set_reg(&m, 0x259c, 1 << 0x15);
    set_reg(&m, STATE(2), reg(&m, STATE(2)) & ~RUNNABLE);
    set_reg(&m, 0x2630, reg(&m, 0x2630) | 1 << 4);
    RUNLIST(&m, 0, 1, 3);
    set_reg(&m, 0x262c, 1 << 4);
    assert_int_equal(reg(&m, 0x262c), 0);
    set_reg(&m, 0x2630, reg(&m, 0x2630) & ~(1u << 4));
    m.fault_method = 0;
    m.method_count = 0;
    poke(&m, SCRATCH + 16, 1);
    poke(&m, SCRATCH + 48, 1);
    assert_int_equal(run(&m), PFIFO_STOP_IDLE);
    assert_int_equal(who_did(0x104), 0xa);
    set_reg(&m, TABLE(2), 0);
    assert_int_equal(reg(&m, 0x2100) & 1, 0);
}

static void an_injected_fault_is_of_the_unit_that_the_driver_names(void **state) {
    (void)state;
    three_at_work();
    set_reg(&m, 0x2a30 + 4 * 4, 0x15); /* not valid */
    assert_int_equal(reg(&m, 0x259c), 0);
    set_reg(&m, 0x2a30 + 4 * 4, 0x115);
    assert_int_equal(reg(&m, 0x259c), 1 << 0x15);
    assert_int_equal(reg(&m, 0x2800 + 0x150), instance_of(2) >> 12);
    assert_int_equal(reg(&m, 0x262c), 1 << 4);
    assert_int_equal(reg(&m, 0x2640 + 4 * 4), 1 << 24 | 2);
    assert_int_equal(reg(&m, 0x2100) & 1 << 28, 1 << 28);
}

/* GF108 and GF119 have one unit: three channels take turns on it. */
static void chips_with_one_unit_run_one_channel_at_a_time(void **state) {
    (void)state;
    static const char *const chips[] = {"GF108", "GF119", "GF117"};
    for (size_t i = 0; i < COUNT_OF(chips); i++) {
        machine_init(&m, chips[i]);
        for (unsigned id = 1; id <= 3; id++) {
            channel_new(&m, id, 0);
            PUSH(&m, id, SEMAPHORE(SCRATCH + 16 * id, 1, ACQUIRE));
        }
        RUNLIST(&m, 0, 1, 2, 3);
        assert_int_equal(run(&m), PFIFO_STOP_WAITING);
        unsigned loaded = 0;
        for (unsigned id = 1; id <= 3; id++)
            loaded += (reg(&m, STATE(id)) & LOADED) != 0;
        assert_int_equal(loaded, 1);
        if (i + 1 < COUNT_OF(chips))
            machine_free(&m);
    }
}

#define TEST(function) cmocka_unit_test_teardown(function, teardown)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(a_channel_shows_in_its_state_where_it_is),
        TEST(state_stores_runnable_engine_and_bit_8),
        TEST(polling_needs_a_place_in_bar1),
        TEST(wrong_changes_of_the_table_are_reported),
        TEST(userd_is_in_bar1_at_0x1000_for_each_channel),
        TEST(three_channels_are_on_three_units),
        TEST(channels_on_different_units_advance_together),
        TEST(engines_tell_whom_they_work_for),
        TEST(each_unit_has_its_switch),
        TEST(a_channel_that_has_an_engine_keeps_it_whatever_the_mask_says),
        TEST(freeze_is_answered_and_stops_everybody),
        TEST(kick_reads_as_the_channel_when_it_has_left),
        TEST(a_kick_waits_for_the_engine_and_for_the_driver),
        TEST(a_playlist_is_current_when_it_is_read),
        TEST(a_playlist_with_an_unbound_channel_is_an_error),
        TEST(a_disabled_engine_gets_no_channels),
        TEST(engine_interrupts_are_levels),
        TEST(channel_recovery_as_nouveau_does_it),
        TEST(an_injected_fault_is_of_the_unit_that_the_driver_names),
        TEST(chips_with_one_unit_run_one_channel_at_a_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
