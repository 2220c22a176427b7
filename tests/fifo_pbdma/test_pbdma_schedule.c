/* SPDX-License-Identifier: MIT */
/* Runlists, channel tables, budgets, preemption, USERD, and switching PFIFO off. */
#include "machine.h"

#include <stdio.h>

static struct machine m;

static int teardown(void **state) {
    (void)state;
    machine_free(&m);
    return 0;
}

#define SEMAPHORE(address, payload, operation) INC(0, 0x10, 4), 0, (address), (payload), (operation)
#define ACQUIRE                                1u
#define RELEASE                                (2u | 1u << 24)

static void channels_of_a_runlist_all_run(void **state) {
    (void)state;
    static const char *const chips[] = {"GF100", "GF108", "GK104", "GK110", "GM107", "GM204", "GP102"};
    for (size_t i = 0; i < COUNT_OF(chips); i++) {
        machine_init(&m, chips[i]);
        for (unsigned id = 1; id <= 3; id++) {
            channel_new(&m, id, 0);
            PUSH(&m, id, INC(0, 0, 1), 0x902d, IMMD(0, 0x100, id));
        }
        RUNLIST(&m, 0, 1, 2, 3);
        assert_int_equal(run(&m), PFIFO_STOP_IDLE);
        assert_int_equal(m.method_count, 3);
        for (unsigned id = 1; id <= 3; id++)
            assert_int_equal(peek(&m, userd_of(id) + 0x88), 1);
        if (i + 1 < COUNT_OF(chips))
            machine_free(&m);
    }
}

static void only_enabled_listed_and_bound_channels_run(void **state) {
    (void)state;
    machine_init(&m, "GK104");
    for (unsigned id = 1; id <= 4; id++) {
        channel_new(&m, id, 0);
        PUSH(&m, id, IMMD(0, 0x100, id));
    }
    RUNLIST(&m, 0, 1, 2, 4);
    channel_enable(&m, 2, false);
    set_reg(&m, 0x800000 + 8 * 4, 0);
    assert_int_equal(run(&m), PFIFO_STOP_IDLE);
    EXPECT_METHODS(&m, {0x100, 1});
    channel_enable(&m, 2, true);
    RUNLIST(&m, 0, 2, 3);
    assert_int_equal(run(&m), PFIFO_STOP_IDLE);
    EXPECT_METHODS(&m, {0x100, 1}, {0x100, 2}, {0x100, 3});
}

static void submit_raises_the_runlist_event(void **state) {
    (void)state;
    one_channel(&m, "GK104");
    RUNLIST(&m, 2, 1);
    assert_int_equal(reg(&m, 0x2100) & 0x40000000, 0x40000000);
    assert_int_equal(reg(&m, 0x2a00), 1 | 1 << 2);
    assert_int_equal(reg(&m, 0x2280 + 8 * 2 + 4), 1);
    set_reg(&m, 0x2a00, 5);
    assert_int_equal(reg(&m, 0x2100) & 0x40000000, 0);
    machine_free(&m);

    one_channel(&m, "GF100");
    assert_int_equal(reg(&m, 0x2a00), 1 << 28);
    assert_int_equal(reg(&m, 0x227c), 1);
}

static void a_runlist_without_the_channel_takes_it_off(void **state) {
    (void)state;
    machine_init(&m, "GK104");
    channel_new(&m, 1, 0);
    channel_new(&m, 2, 0);
    RUNLIST(&m, 0, 1);
    PUSH(&m, 1, SEMAPHORE(SCRATCH, 1, ACQUIRE), IMMD(0, 0x100, 1));
    assert_int_equal(run(&m), PFIFO_STOP_WAITING);
    assert_int_equal(pb(&m, 0, 0x120), 1 << 13 | 1);
    RUNLIST(&m, 0, 2);
    assert_int_equal(pb(&m, 0, 0x120), 0);
    assert_int_equal(ramfc(&m, 1, 0xc0) & 0x80003ffc, 0x8000001c);
    assert_int_equal(run(&m), PFIFO_STOP_IDLE);
    poke(&m, SCRATCH, 1);
    RUNLIST(&m, 0, 1, 2);
    assert_int_equal(run(&m), PFIFO_STOP_IDLE);
    EXPECT_METHODS(&m, {0x100, 1});
}

static void a_waiting_channel_makes_way(void **state) {
    (void)state;
    static const char *const chips[] = {"GF100", "GF108", "GK104"};
    for (size_t i = 0; i < COUNT_OF(chips); i++) {
        machine_init(&m, chips[i]);
        for (unsigned id = 1; id <= 3; id++)
            channel_new(&m, id, 0);
        RUNLIST(&m, 0, 1, 2, 3);
        PUSH(&m, 1, INC(0, 0, 1), 0x902d, SEMAPHORE(SCRATCH, 2, ACQUIRE), IMMD(0, 0x100, 1));
        PUSH(&m, 2, INC(0, 0, 1), 0x902d, SEMAPHORE(SCRATCH + 16, 3, ACQUIRE), IMMD(0, 0x100, 2),
             SEMAPHORE(SCRATCH, 2, RELEASE));
        assert_int_equal(run(&m), PFIFO_STOP_WAITING);
        PUSH(&m, 3, INC(0, 0, 1), 0x902d, IMMD(0, 0x100, 3), SEMAPHORE(SCRATCH + 16, 3, RELEASE));
        assert_int_equal(run(&m), PFIFO_STOP_IDLE);
        EXPECT_METHODS(&m, {0x100, 3}, {0x100, 2}, {0x100, 1});
        if (i + 1 < COUNT_OF(chips))
            machine_free(&m);
    }
}

static void timeslices_let_others_run(void **state) {
    (void)state;
    machine_init(&m, "GF108");
    for (unsigned id = 1; id <= 2; id++) {
        channel_new(&m, id, 0);
        poke(&m, instance_of(id) + 0xf8, 0x10000001);
        PUSH(&m, id, INC(0, 0, 1), 0x902d);
        for (uint32_t i = 0; i < 100; i++)
            PUSH(&m, id, IMMD(0, 0x100, i));
    }
    RUNLIST(&m, 0, 1, 2);
    assert_int_equal(run(&m), PFIFO_STOP_IDLE);
    assert_int_equal(m.method_count, 200);
    unsigned changes = 0;
    for (unsigned i = 1; i < 200; i++)
        changes += m.methods[i].channel != m.methods[i - 1].channel;
    assert_in_range(changes, 3, 20);
}

static void yield_lets_others_run(void **state) {
    (void)state;
    machine_init(&m, "GM20B");
    for (unsigned id = 1; id <= 2; id++) {
        channel_new(&m, id, 0);
        PUSH(&m, id, IMMD(0, 0x100, id), IMMD(0, 0x80, 3), IMMD(0, 0x100, id), IMMD(0, 0x80, 0), IMMD(0, 0x104, id));
    }
    RUNLIST(&m, 0, 1, 2);
    assert_int_equal(run(&m), PFIFO_STOP_IDLE);
    EXPECT_METHODS(&m, {0x100, 1}, {0x100, 2}, {0x100, 1}, {0x104, 1}, {0x100, 2}, {0x104, 2});
}

static void tsg_headers_are_no_channels(void **state) {
    (void)state;
    machine_init(&m, "GK110");
    for (unsigned id = 1; id <= 2; id++) {
        channel_new(&m, id, 0);
        PUSH(&m, id, IMMD(0, 0x100, id));
    }
    RUNLIST(&m, 0, 2u << 26 | 128 << 18 | 3 << 14 | 1 << 13 | 7, 1, 2);
    assert_int_equal(run(&m), PFIFO_STOP_IDLE);
    EXPECT_METHODS(&m, {0x100, 1}, {0x100, 2});
    assert_int_equal(reg(&m, 0x2100) & 0x100, 0);
}

static void bad_tsgs_are_reported(void **state) {
    (void)state;
    static const unsigned lists[][2] = {
        {1 << 13, 1},                             /* nothing in it */
        {2u << 26 | 1 << 13, 1},                  /* ends too early */
        {1u << 26 | 1 << 13, 1u << 26 | 1 << 13}, /* a header where a channel should be */
    };
    for (size_t i = 0; i < COUNT_OF(lists); i++) {
        machine_init(&m, "GK110");
        runlist(&m, 0, lists[i], 2);
        assert_int_equal(reg(&m, 0x2100) & 0x100, 0x100);
        assert_int_equal(reg(&m, 0x254c), 0x20);
        if (i + 1 < COUNT_OF(lists))
            machine_free(&m);
    }
}

static void a_channel_goes_to_the_psubfifo_of_its_engine(void **state) {
    (void)state;
    one_channel(&m, "GF100");
    set_reg(&m, 0x2208, ~1u);         /* PGRAPH: unit 0 */
    set_reg(&m, 0x2208 + 4 * 4, ~4u); /* PCOPY0: unit 2 */
    PUSH(&m, 1, INC(0, 0, 1), 0x9097, IMMD(0, 0x100, 1), INC(1, 0, 1), 0x000490b5, IMMD(1, 0x100, 2), IMMD(0, 0x100, 3),
         SEMAPHORE(SCRATCH, 1, ACQUIRE));
    assert_int_equal(run(&m), PFIFO_STOP_WAITING);
    EXPECT_METHODS(&m, {0x100, 1}, {0x100, 2}, {0x100, 3});
    assert_int_equal(m.methods[1].engine, 4);
    assert_int_equal(pb(&m, 0, 0x120), 1 << 8 | 1);
    PUSH(&m, 1, IMMD(1, 0x104, 4), SEMAPHORE(SCRATCH, 2, ACQUIRE));
    poke(&m, SCRATCH, 1);
    assert_int_equal(run(&m), PFIFO_STOP_WAITING);
    assert_int_equal(pb(&m, 2, 0x120), 1 << 8 | 1);
    assert_int_equal(reg(&m, 0x2640 + 4 * 4), 1);
    assert_int_equal(m.method_count, 4);
}

static void userd_behind_bar1_is_the_channels_memory(void **state) {
    (void)state;
    static const char *const chips[] = {"GF100", "GK104"};
    for (size_t i = 0; i < COUNT_OF(chips); i++) {
        one_channel(&m, chips[i]);
        uint32_t stride = m.chip->userd_stride;
        set_reg(&m, 0x2254, 0x10000000 | 0x700000 >> 12);
        const uint32_t words[] = {INC(0, 0, 1), 0x902d, IMMD(0, 0x100, 1)};
        push(&m, 1, words, COUNT_OF(words));
        poke(&m, userd_of(1) + 0x8c, 0);
        assert_int_equal(run(&m), PFIFO_STOP_IDLE);
        assert_int_equal(m.method_count, 0);
        uint8_t word[4];
        store_le32(word, 1);
        bus_bar_write(&m.bus, 1, 0x700000 + stride + 0x8c, word, 4);
        assert_int_equal(peek(&m, userd_of(1) + 0x8c), 1);
        assert_int_equal(run(&m), PFIFO_STOP_IDLE);
        EXPECT_METHODS(&m, {0x100, 1});
        bus_bar_read(&m.bus, 1, 0x700000 + stride + 0x88, word, 4);
        assert_int_equal(load_le32(word), 1);
        bus_bar_write(&m.bus, 1, 0x700000 + 5 * stride + 0x8c, word, 4); /* unbound: dropped */
        if (i + 1 < COUNT_OF(chips))
            machine_free(&m);
    }
}

static void channel_table_shows_where_a_channel_is(void **state) {
    (void)state;
    one_channel(&m, "GK104");
    assert_int_equal(reg(&m, 0x800008), 0x80000000 | instance_of(1) >> 12);
    assert_int_equal(reg(&m, 0x80000c) & 0x1f000001, 1);
    PUSH(&m, 1, IMMD(0, 0x100, 1), SEMAPHORE(SCRATCH, 1, ACQUIRE));
    assert_int_equal(reg(&m, 0x80000c) & 0x1f000001, 0x11000001); /* pending */
    run(&m);
    assert_int_equal(reg(&m, 0x80000c) & 0x1f000001, 0x16000001); /* on PBDMA and engine */
    set_reg(&m, 0x80000c, 0x800);
    assert_int_equal(reg(&m, 0x80000c) & 1, 0);
    machine_free(&m);

    one_channel(&m, "GF100");
    PUSH(&m, 1, SEMAPHORE(SCRATCH, 1, ACQUIRE));
    assert_int_equal(reg(&m, 0x300c), 0x101f0001);
    run(&m);
    assert_int_equal(reg(&m, 0x300c), 0x001f1001);
    set_reg(&m, 0x2634, 1);
    assert_int_equal(reg(&m, 0x2634), 1);
    assert_int_equal(reg(&m, 0x300c), 0x101f0011);
}

static void preempting_waits_for_a_stalled_pbdma(void **state) {
    (void)state;
    one_channel(&m, "GK104");
    PUSH(&m, 1, IMMD(7, 0x100, 1), IMMD(0, 0x100, 2));
    assert_int_equal(run(&m), PFIFO_STOP_INTERRUPT);
    set_reg(&m, 0x2634, 1);
    assert_int_equal(reg(&m, 0x2634), 1 << 20 | 1);
    set_pb(&m, 0, 0xc0, 0x80600008);
    set_pb(&m, 0, 0x108, 1 << 23);
    assert_int_equal(reg(&m, 0x2634), 1);
    assert_int_equal(pb(&m, 0, 0x120), 0);
    assert_int_equal(ramfc(&m, 1, 0xc0), 0x80600008);
    assert_int_equal(run(&m), PFIFO_STOP_IDLE);
    EXPECT_METHODS(&m, {0x100, 2});
}

static void a_disabled_channel_leaves(void **state) {
    (void)state;
    one_channel(&m, "GK104");
    PUSH(&m, 1, SEMAPHORE(SCRATCH, 1, ACQUIRE), IMMD(0, 0x100, 1));
    assert_int_equal(run(&m), PFIFO_STOP_WAITING);
    channel_enable(&m, 1, false);
    poke(&m, SCRATCH, 1);
    assert_int_equal(run(&m), PFIFO_STOP_IDLE);
    assert_int_equal(pb(&m, 0, 0x120), 0);
    assert_int_equal(m.method_count, 0);
}

static void userd_tells_how_far_the_ring_was_read(void **state) {
    (void)state;
    one_channel(&m, "GK104");
    PUSH(&m, 1, INC(0, 0x50, 1), 7, SEMAPHORE(SCRATCH, 1, ACQUIRE));
    PUSH(&m, 1, IMMD(0, 0x100, 1));
    PUSH(&m, 1, IMMD(0, 0x100, 1));
    assert_int_equal(run(&m), PFIFO_STOP_WAITING);
    set_reg(&m, 0x2634, 1);
    assert_int_equal(peek(&m, userd_of(1) + 0x88), 1);
    assert_int_equal(peek(&m, userd_of(1) + 0x8c), 3);
    assert_int_equal(peek(&m, userd_of(1) + 0x48), 7);
    assert_int_equal(peek(&m, userd_of(1) + 0x44), ramfc(&m, 1, 0x18));
}

/* Through BAR1 while the channel is loaded, in memory when it has left. GP_PUT is its owner's. */
static void userd_has_each_word_at_its_place(void **state) {
    (void)state;
    static const char *const chips[] = {"GF100", "GK104", "GM20B"};
    static const uint32_t words[][2] = {{0x40, 0x5c}, {0x44, 0x18}, {0x48, 0x28}, {0x4c, 0x60},
                                        {0x58, 0x20}, {0x5c, 0x24}, {0x60, 0x1c}, {0x88, 0x14}};
    for (size_t c = 0; c < COUNT_OF(chips); c++) {
        one_channel(&m, chips[c]);
        if (m.chip->has_engine_in_object)
            set_reg(&m, 0x2204, 1);
        PUSH(&m, 1, IMMD(7, 0x100, 0));
        assert_int_equal(run(&m), PFIFO_STOP_INTERRUPT); /* a driver may write the words now */
        for (uint32_t i = 0; i < COUNT_OF(words); i++)
            set_pb(&m, 0, words[i][1], 0x1000 + i);
        set_pb(&m, 0, 0x00, 0x2000); /* GP_PUT */
        for (uint32_t i = 0; i < COUNT_OF(words); i++) {
            uint8_t word[4];
            bus_bar_read(&m.bus, 1, m.chip->userd_stride + words[i][0], word, 4);
            assert_int_equal(load_le32(word), 0x1000 + i);
        }
        set_reg(&m, 0x2634, 1);
        set_pb(&m, 0, 0x108, ~0u);
        assert_int_equal(pb(&m, 0, 0x120), 0);
        for (uint32_t i = 0; i < COUNT_OF(words); i++)
            assert_int_equal(peek(&m, userd_of(1) + words[i][0]), 0x1000 + i);
        assert_int_equal(peek(&m, userd_of(1) + 0x8c), 1);
        if (c + 1 < COUNT_OF(chips))
            machine_free(&m);
    }
}

static void userd_has_an_address_of_40_bits(void **state) {
    (void)state;
    one_channel(&m, "GK104");
    PUSH(&m, 1, IMMD(0, 0x100, 1));
    poke(&m, instance_of(1) + 0x0c, 1);
    assert_int_equal(run(&m), PFIFO_STOP_IDLE); /* there is no memory, so GP_PUT is 0 */
    assert_int_equal(m.method_count, 0);
    poke(&m, instance_of(1) + 0x0c, 0);
    assert_int_equal(run(&m), PFIFO_STOP_IDLE);
    EXPECT_METHODS(&m, {0x100, 1});
}

static void a_pbdma_that_is_off_in_pmc_does_not_run(void **state) {
    (void)state;
    one_channel(&m, "GK104");
    PUSH(&m, 1, IMMD(0, 0x100, 1));
    set_reg(&m, 0x204, 6);
    assert_int_equal(run(&m), PFIFO_STOP_FROZEN);
    set_reg(&m, 0x204, 1);
    assert_int_equal(run(&m), PFIFO_STOP_IDLE);
    EXPECT_METHODS(&m, {0x100, 1});
}

static void unbinding_tells_the_engines(void **state) {
    (void)state;
    one_channel(&m, "GK104");
    PUSH(&m, 1, IMMD(0, 0x100, 1));
    run(&m);
    set_reg(&m, 0x800008, 0);
    assert_int_equal(m.gone, 8);
    assert_int_equal(reg(&m, 0x2640) & 0xffff, 0);
}

static void what_is_switched_off_does_not_run(void **state) {
    (void)state;
    one_channel(&m, "GF100");
    PUSH(&m, 1, INC(0, 0, 1), 0x902d, IMMD(0, 0x100, 1));
    static const struct {
        uint32_t offset, off, on;
    } switches[] = {{0x204, 0, 7}, {0x2204, 0, 7}, {0x2200, 0, 1}, {0x2504, 1, 0}, {0x2638, 1, 0}};
    for (size_t i = 0; i < COUNT_OF(switches); i++) {
        set_reg(&m, switches[i].offset, switches[i].off);
        assert_int_equal(run(&m), PFIFO_STOP_FROZEN);
        if (switches[i].offset == 0x2504)
            assert_int_equal(reg(&m, 0x2504), 0x11);
        set_reg(&m, switches[i].offset, switches[i].on);
    }
    assert_int_equal(m.method_count, 0);
    assert_int_equal(run(&m), PFIFO_STOP_IDLE);
    EXPECT_METHODS(&m, {0x100, 1});
    assert_int_equal(reg(&m, 0x2204), 7);
}

static void a_disabled_runlist_loads_no_channel(void **state) {
    (void)state;
    one_channel(&m, "GK104");
    PUSH(&m, 1, IMMD(0, 0x100, 1));
    set_reg(&m, 0x2630, 1);
    assert_int_equal(run(&m), PFIFO_STOP_FROZEN);
    set_reg(&m, 0x2630, 2);
    assert_int_equal(run(&m), PFIFO_STOP_IDLE);
    EXPECT_METHODS(&m, {0x100, 1});
}

/* TARGET of a channel that is off names its engine, also one that the chip does not have. */
static void a_disabled_engine_keeps_its_channels_off_on_gf100(void **state) {
    static const struct {
        unsigned engine;
        bool keeps_off;
    } rows[] = {{0, true}, {5, true}, {6, true}, {7, true}, {8, false}, {15, false}, {31, false}};
    (void)state;
    for (unsigned i = 0; i < COUNT_OF(rows); i++) {
        one_channel(&m, "GF100");
        uint32_t target = ramfc(&m, 1, 0xac) & ~0x1fu;
        poke(&m, instance_of(1) + 0xac, target | rows[i].engine);
        PUSH(&m, 1, IMMD(0, 0x08, 0));
        set_reg(&m, 0x2630, ~(1u << rows[i].engine));
        assert_int_equal(run(&m), PFIFO_STOP_IDLE);
        machine_free(&m);

        one_channel(&m, "GF100");
        poke(&m, instance_of(1) + 0xac, target | rows[i].engine);
        PUSH(&m, 1, IMMD(0, 0x08, 0));
        set_reg(&m, 0x2630, 1u << rows[i].engine);
        assert_int_equal(run(&m), rows[i].keeps_off ? PFIFO_STOP_FROZEN : PFIFO_STOP_IDLE);
        machine_free(&m);
    }
    machine_init(&m, "GF100");
}

static void switching_pfifo_off_in_pmc_resets_it(void **state) {
    (void)state;
    one_channel(&m, "GK104");
    PUSH(&m, 1, IMMD(7, 0x100, 1));
    assert_int_equal(run(&m), PFIFO_STOP_INTERRUPT);
    uint32_t enable = reg(&m, 0x200);
    set_reg(&m, 0x200, enable & ~0x100u);
    assert_int_equal(run(&m), PFIFO_STOP_IDLE);
    set_reg(&m, 0x200, enable);
    assert_int_equal(reg(&m, 0x2100), 0);
    assert_int_equal(reg(&m, 0x800008), 0);
    assert_int_equal(pb(&m, 0, 0x108), 0);
    assert_false(m.bus.line);
}

static void an_engine_fault_stops_its_channel_only(void **state) {
    (void)state;
    machine_init(&m, "GK104");
    m.fault_method = 0x10c;
    channel_new(&m, 1, 0);
    channel_new(&m, 2, 0);
    RUNLIST(&m, 0, 1, 2);
    PUSH(&m, 1, INC(0, 0x104, 3), 1, 2, 3, IMMD(0, 0x100, 4));
    PUSH(&m, 2, IMMD(0, 0x100, 5));
    assert_int_equal(run(&m), PFIFO_STOP_INTERRUPT);
    EXPECT_METHODS(&m, {0x104, 1}, {0x108, 2}, {0x10c, 3}, {0x100, 5});
    assert_int_equal(reg(&m, 0x259c), 1);
    assert_int_equal(reg(&m, 0x2804), MAPPED_END);
    assert_int_equal(reg(&m, 0x280c) & 0xff, 2 | 1 << 6 | 1 << 7);
    assert_int_equal(reg(&m, 0x80000c) & 1 << 23, 1 << 23);
    channel_enable(&m, 1, false);
    set_reg(&m, 0x259c, 1);
    assert_int_equal(run(&m), PFIFO_STOP_IDLE);
}

static void no_packet_after_an_engine_fault_runs(void **state) {
    (void)state;
    one_channel(&m, "GK104");
    m.fault_method = 0x10c;
    PUSH(&m, 1, IMMD(0, 0x100, 1), IMMD(0, 0x10c, 2), IMMD(0, 0x100, 3));
    assert_int_equal(run(&m), PFIFO_STOP_INTERRUPT);
    EXPECT_METHODS(&m, {0x100, 1}, {0x10c, 2});
}

static void an_unacknowledged_fault_record_stays(void **state) {
    (void)state;
    machine_init(&m, "GK104");
    channel_new(&m, 1, 0);
    channel_new(&m, 2, 0);
    RUNLIST(&m, 0, 1, 2);
    push_entry(&m, 1, MAPPED_END, 1 << 10);
    push_entry(&m, 2, MAPPED_END + 0x1000, 1 << 10);
    assert_int_equal(run(&m), PFIFO_STOP_INTERRUPT);
    assert_int_equal(reg(&m, 0x2874), MAPPED_END);
    assert_int_equal(reg(&m, 0x2100) & 1 << 27, 1 << 27);
}

static void an_injected_fault_stops_the_channel_of_the_engine(void **state) {
    (void)state;
    one_channel(&m, "GF100");
    PUSH(&m, 1, INC(0, 0, 1), 0x902d, IMMD(0, 0x100, 1));
    run(&m);
    set_reg(&m, 0x2a30, 0x100);
    assert_int_equal(reg(&m, 0x259c), 1);
    assert_int_equal(reg(&m, 0x2800), instance_of(1) >> 12);
    PUSH(&m, 1, IMMD(0, 0x100, 2));
    assert_int_equal(run(&m), PFIFO_STOP_INTERRUPT);
    EXPECT_METHODS(&m, {0x100, 1});
}

static void an_engine_that_takes_nothing_is_waited_for(void **state) {
    (void)state;
    one_channel(&m, "GK104");
    m.stall = true;
    PUSH(&m, 1, INC(0, 0x100, 3), 1, 2, 3);
    assert_int_equal(run(&m), PFIFO_STOP_WAITING);
    assert_int_equal(m.fifo->stop.channel, 1);
    m.stall = false;
    assert_int_equal(run(&m), PFIFO_STOP_IDLE);
    EXPECT_METHODS(&m, {0x100, 1}, {0x104, 2}, {0x108, 3});
}

static void another_engine_waits_for_the_first(void **state) {
    (void)state;
    one_channel(&m, "GK104");
    PUSH(&m, 1, IMMD(0, 0x100, 1), IMMD(1, 0x100, 2), IMMD(4, 0x100, 3));
    m.busy = true;
    assert_int_equal(run(&m), PFIFO_STOP_WAITING);
    EXPECT_METHODS(&m, {0x100, 1}, {0x100, 2});
    m.busy = false;
    assert_int_equal(run(&m), PFIFO_STOP_IDLE);
    EXPECT_METHODS(&m, {0x100, 1}, {0x100, 2}, {0x100, 3});
    assert_int_equal(m.methods[2].engine, 7);
    assert_int_equal(m.switches, 2);
}

static void engines_get_whole_runs(void **state) {
    (void)state;
    one_channel(&m, "GK104");
    PUSH(&m, 1, IMMD(0, 0x100, 1));
    assert_int_equal(run(&m), PFIFO_STOP_IDLE);
    m.calls = 0;
    PUSH(&m, 1, INC(0, 0x100, 1000), 0);
    uint32_t zeros[999] = {0};
    push(&m, 1, zeros, 999);
    assert_int_equal(run(&m), PFIFO_STOP_IDLE);
    assert_int_equal(m.method_count, 1001);
    assert_int_equal(m.calls, 2);
}

static void topology_names_engines_and_runlists(void **state) {
    (void)state;
    machine_init(&m, "GM107");
    uint32_t runlists = 0, types = 0;
    unsigned devices = 0, list = 0, type = 0;
    for (unsigned i = 0; i < 64; i++) {
        uint32_t word = reg(&m, 0x22700 + 4 * i);
        if ((word & 3) == 3)
            type = word >> 2 & 0x1fffffff;
        if ((word & 3) == 2)
            list = word >> 21 & 0xf;
        if ((word & 3) && !(word >> 31)) {
            devices++;
            types |= 1u << type;
            runlists |= 1u << list;
            if (type == 3)
                assert_int_equal(list, 0);
        }
    }
    assert_int_equal(devices, 6);
    assert_int_equal(runlists, 0x1f);
    assert_int_equal(types, 1 << 0 | 1 << 1 | 1 << 3 | 1 << 0xd | 1 << 0xe | 1 << 0x10);
    assert_int_equal(reg(&m, 0x2390) | reg(&m, 0x2394), 0x1f);
    assert_int_equal(reg(&m, 0x2390) & reg(&m, 0x2394), 0);
    assert_int_equal(reg(&m, 0x204), 3);
}

/* Two channels with everything that can be cut in two. */
static void busy_machine(const char *chip) {
    machine_init(&m, chip);
    m.side_method = 0x10c;
    for (unsigned id = 1; id <= 3; id++) {
        channel_new(&m, id, id == 3 ? 1 : 0);
        poke(&m, instance_of(id) + 0xf8, 0x10000000);
        PUSH(&m, id, INC(0, 0, 1), 0x9097, INC(1, 0, 1), 0x000190b1, INC(0, 0x100, 9), 1, 2, 3, 4, 5, 6, 7, 8, 9);
        PUSH(&m, id, NON_INC(0, 0x200, 40), 0, 1, 2, 3, 4, 5, 6, 7, 8, 9);
        const uint32_t rest[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 1, 2, 3, 4,
                                 5, 6, 7, 8, 9, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
        push(&m, id, rest, COUNT_OF(rest));
        push_entry(&m, id, 0, 0);
        PUSH(&m, id, INC_ONCE(1, 0x300, 4), 1, 2, 3, 4, 0x00010000 | 2 << 4, INC(0, 0x100, 3), 1, 2, 3,
             0x00010000 | 1 << 4, INC(0, 0xfc - 0x10, 0));
    }
    PUSH(&m, 1, SEMAPHORE(SCRATCH, 1, ACQUIRE), IMMD(0, 0x400, 1), SEMAPHORE(SCRATCH + 0x20, 2, 2));
    PUSH(&m, 2, SEMAPHORE(SCRATCH + 0x40, 5, ACQUIRE), SEMAPHORE(SCRATCH, 1, 2), IMMD(0, 0x20, 0), INC(0, 0x50, 1), 7,
         END_SEGMENT, 1, 2);
    PUSH(&m, 3, IMMD(0, 0x404, 3), SEMAPHORE(SCRATCH + 0x40, 5, 2));
    if (m.chip->has_runlists) {
        RUNLIST(&m, 0, 1, 2);
        RUNLIST(&m, 1, 3);
    } else {
        RUNLIST(&m, 0, 1, 2, 3);
    }
}

static uint32_t hash_memory(void) {
    uint32_t hash = 0;
    for (uint32_t at = 0x100000; at < 0x110000; at += 4)
        hash = hash * 31 + peek(&m, at);
    for (uint32_t at = 0x200000; at < 0x210000; at += 4)
        hash = hash * 31 + peek(&m, at);
    for (uint32_t at = SCRATCH; at < SCRATCH + 0x10000; at += 4)
        hash = hash * 31 + peek(&m, at);
    return hash;
}

static uint32_t hash_registers(void) {
    uint32_t hash = 0;
    for (unsigned i = 0; i < m.chip->pbdmas; i++)
        for (uint32_t at = 0; at < 0x160; at += 4)
            hash = hash * 31 + pb(&m, i, at);
    return hash * 31 + reg(&m, 0x2100);
}

static void hash_event(void *opaque, const struct pfifo_event *event) {
    uint64_t *hash = opaque;
    *hash = *hash * 31 + event->id;
    *hash = *hash * 31 + event->channel;
    *hash = *hash * 31 + event->time;
    for (unsigned i = 0; i < pfifo_event_info(event->id)->fields; i++)
        *hash = *hash * 31 + event->value[i];
}

/* How a course is run. */
enum mode { PLAIN, MATERIALISED, OBSERVED, MODES };

struct outcome {
    uint32_t memory, registers, count;
    uint64_t time, events;
    struct recorded methods[RECORDED];
};

/* Step through, clearing interrupts as nouveau does. `step` 0: uneven steps. */
static enum pfifo_stop walk(uint64_t step) {
    unsigned interrupts = 0;
    for (unsigned round = 0;; round++) {
        enum pfifo_stop stop = run_units(&m, step ? step : 1 + (round * 7 + round / 3) % 13);
        if (stop == PFIFO_STOP_INTERRUPT && interrupts++ < 200) {
            for (unsigned i = 0; i < m.chip->pbdmas; i++)
                if (pb(&m, i, 0x108)) {
                    uint32_t intr = pb(&m, i, 0x108);
                    set_pb(&m, i, 0xc0, 0x80600008);
                    set_pb(&m, i, 0x108, intr);
                }
        } else if (stop != PFIFO_STOP_BUDGET) {
            return stop;
        }
    }
}

static void walk_in_mode(enum mode mode, uint64_t step, struct outcome *outcome, enum pfifo_stop expected) {
    outcome->events = 0;
    m.fifo->materialise = mode == MATERIALISED;
    if (mode == OBSERVED)
        assert_int_equal(event_observe(&m.events, "pu*,switch*,fifo*", hash_event, &outcome->events, NULL), PFIFO_OK);
    enum pfifo_stop stop = walk(step);
    if (expected != PFIFO_STOP_BUDGET)
        assert_int_equal(stop, expected);
    if (mode == OBSERVED)
        event_unobserve(&m.events, hash_event, &outcome->events);
    outcome->memory = hash_memory();
    outcome->registers = hash_registers();
    outcome->count = m.method_count;
    outcome->time = m.bus.time;
    memcpy(outcome->methods, m.methods, sizeof m.methods);
}

static void expect_outcome(const struct outcome *is, const struct outcome *wanted, const char *what, unsigned step) {
    if (is->count != wanted->count || memcmp(is->methods, wanted->methods, sizeof is->methods[0] * is->count) != 0)
        fail_msg("%s, steps of %u: other methods", what, step);
    if (is->time != wanted->time)
        fail_msg("%s, steps of %u: time", what, step);
    if (is->memory != wanted->memory || is->registers != wanted->registers)
        fail_msg("%s, steps of %u: other %s", what, step, is->memory != wanted->memory ? "memory" : "registers");
}

static void budget_stops_change_nothing(void **state) {
    (void)state;
    static const char *const chips[] = {"GF100", "GF108", "GK104", "GM107", "GM20B"};
    static const uint64_t steps[] = {1000000, 1, 2, 3, 5, 7, 11, 64, 129, 0};
    static struct outcome first, other;
    for (size_t c = 0; c < COUNT_OF(chips); c++) {
        uint64_t events = 0;
        for (unsigned k = 0; k < MODES * COUNT_OF(steps); k++) {
            unsigned step = (unsigned)steps[k / MODES];
            enum mode mode = k % MODES;
            busy_machine(chips[c]);
            enum pfifo_stop expected = m.chip->runlists == 1 ? PFIFO_STOP_WAITING : PFIFO_STOP_IDLE;
            walk_in_mode(mode, step, k ? &other : &first, expected);
            if (k)
                expect_outcome(&other, &first, chips[c], step);
            if (k == OBSERVED)
                events = other.events;
            if (mode == OBSERVED && other.events != events)
                fail_msg("%s: other events in steps of %u", chips[c], step);
            if (c + 1 < COUNT_OF(chips) || k + 1 < MODES * COUNT_OF(steps))
                machine_free(&m);
        }
    }
}

static uint32_t random_word(uint32_t *seed) {
    *seed ^= *seed << 13;
    *seed ^= *seed >> 17;
    *seed ^= *seed << 5;
    return *seed;
}

/* Mostly packets, some nonsense; nothing that waits. */
static void random_segment(uint32_t *seed, unsigned id) {
    uint32_t words[64], n = 0;
    static const uint32_t types[] = {0x20000000, 0x20000000, 0x60000000, 0xa0000000};
    while (n < 40) {
        uint32_t what = random_word(seed) % 24, method = 0x100 + random_word(seed) % 0x40 * 4;
        if (what < 14)
            words[n++] = types[what % 4] | random_word(seed) % 12 << 16 | what % 5 << 13 | method >> 2;
        else if (what < 18)
            words[n++] = IMMD(what % 6, method, random_word(seed) & 0x1fff);
        else if (what < 20)
            words[n++] = INC(0, 0x3fe0 + random_word(seed) % 8 * 4, random_word(seed) % 8);
        else if (what == 20)
            words[n++] = random_word(seed);
        else if (what == 21)
            words[n++] = 0x00010000 | random_word(seed) % 4 << 4;
        else if (what == 22)
            words[n++] = random_word(seed) % 8 ? 0 : END_SEGMENT;
        else
            words[n++] = IMMD(0, 0x50, random_word(seed) & 0xff);
    }
    push(&m, id, words, n);
}

static void random_machine(uint32_t seed) {
    machine_init(&m, seed & 1 ? "GK104" : "GF108");
    m.take = seed % 3 ? UINT32_MAX : 1 + seed % 5;
    m.side_method = seed % 4 ? 0x120 : 0;
    m.fault_method = seed % 16 ? 0 : 0x130;
    for (unsigned id = 1; id <= 2; id++) {
        channel_new(&m, id, 0);
        poke(&m, instance_of(id) + 0xf8, 0x10000000);
        poke(&m, instance_of(id) + 0xa4, 0x00000000);
        if (seed % 5 == 0)
            poke(&m, instance_of(id) + 0x9c, 0x200);
        for (unsigned i = 0; i < 6; i++)
            random_segment(&seed, id);
    }
    RUNLIST(&m, 0, 1, 2);
}

static void random_streams_take_one_course(void **state) {
    (void)state;
    static const uint64_t steps[] = {1000000, 1, 0, 37};
    static struct outcome first, other;
    uint32_t methods = 0;
    for (uint32_t seed = 1; seed <= 100; seed++)
        for (unsigned k = 0; k < MODES * COUNT_OF(steps); k++) {
            char what[32];
            snprintf(what, sizeof what, "seed %u, mode %u", seed, k % MODES);
            random_machine(seed * 2654435761u);
            walk_in_mode(k % MODES, steps[k / MODES], k ? &other : &first, PFIFO_STOP_BUDGET);
            if (k)
                expect_outcome(&other, &first, what, (unsigned)steps[k / MODES]);
            else
                methods += first.count;
            if (seed < 100 || k + 1 < MODES * COUNT_OF(steps))
                machine_free(&m);
        }
    assert_true(methods > 100 * 100);
}

static void an_odd_budget_leaves_a_word_fetched(void **state) {
    (void)state;
    one_channel(&m, "GK104");
    PUSH(&m, 1, IMMD(0, 0x100, 0), INC(0, 0x200, 5), 1, 2, 3, 4, 5);
    assert_int_equal(run_units(&m, 1 + 2 + 1 + 5), PFIFO_STOP_BUDGET);
    EXPECT_METHODS(&m, {0x100, 0}, {0x200, 1}, {0x204, 2});
    assert_int_equal(pb(&m, 0, 0xc0) & 0x80003ffc, 0x80000208);
    assert_int_equal(pb(&m, 0, 0xc4), 3);
    assert_int_equal(pb(&m, 0, 0x88), 2);
    assert_int_equal(run(&m), PFIFO_STOP_IDLE);
    assert_int_equal(m.method_count, 6);
}

/* What is saved is lost, so that the channel has GET behind PUT each time it is loaded. */
static void a_channel_that_cannot_be_saved_does_not_run_forever(void **state) {
    (void)state;
    one_channel(&m, "GK104");
    poke(&m, instance_of(1) + 0x18, 0x400000);
    set_pb(&m, 0, 0x13c, 0);
    memory_protect(&m.memory, 0, false);
    assert_int_equal(run(&m), PFIFO_STOP_WAITING);
    assert_int_equal(ramfc(&m, 1, 0x18), 0x400000);
    assert_int_equal(pb(&m, 0, 0x108), 1 << 17);
    memory_protect(&m.memory, UINT64_MAX, false);
    assert_int_equal(run(&m), PFIFO_STOP_IDLE);
    assert_int_equal(ramfc(&m, 1, 0x18), 0);
}

#define TEST(function) cmocka_unit_test_teardown(function, teardown)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(channels_of_a_runlist_all_run),
        TEST(only_enabled_listed_and_bound_channels_run),
        TEST(submit_raises_the_runlist_event),
        TEST(a_runlist_without_the_channel_takes_it_off),
        TEST(a_waiting_channel_makes_way),
        TEST(timeslices_let_others_run),
        TEST(yield_lets_others_run),
        TEST(tsg_headers_are_no_channels),
        TEST(bad_tsgs_are_reported),
        TEST(a_channel_goes_to_the_psubfifo_of_its_engine),
        TEST(userd_behind_bar1_is_the_channels_memory),
        TEST(channel_table_shows_where_a_channel_is),
        TEST(preempting_waits_for_a_stalled_pbdma),
        TEST(a_disabled_channel_leaves),
        TEST(userd_tells_how_far_the_ring_was_read),
        TEST(userd_has_each_word_at_its_place),
        TEST(userd_has_an_address_of_40_bits),
        TEST(a_pbdma_that_is_off_in_pmc_does_not_run),
        TEST(unbinding_tells_the_engines),
        TEST(what_is_switched_off_does_not_run),
        TEST(a_disabled_runlist_loads_no_channel),
        TEST(a_disabled_engine_keeps_its_channels_off_on_gf100),
        TEST(switching_pfifo_off_in_pmc_resets_it),
        TEST(an_engine_fault_stops_its_channel_only),
        TEST(no_packet_after_an_engine_fault_runs),
        TEST(an_unacknowledged_fault_record_stays),
        TEST(an_injected_fault_stops_the_channel_of_the_engine),
        TEST(an_engine_that_takes_nothing_is_waited_for),
        TEST(another_engine_waits_for_the_first),
        TEST(engines_get_whole_runs),
        TEST(topology_names_engines_and_runlists),
        TEST(budget_stops_change_nothing),
        TEST(random_streams_take_one_course),
        TEST(an_odd_budget_leaves_a_word_fetched),
        TEST(a_channel_that_cannot_be_saved_does_not_run_forever),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
