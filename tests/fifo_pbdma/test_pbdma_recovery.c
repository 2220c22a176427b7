/* SPDX-License-Identifier: MIT */
/* What becomes of channels that fault, stall, wait or are taken off, and of the others meanwhile. */
#include "machine.h"
#include "bus/bars.h"

static struct machine m;

static int teardown(void **state) {
    (void)state;
    machine_free(&m);
    return 0;
}

#define SEMAPHORE(address, payload, operation) INC(0, 0x10, 4), 0, (address), (payload), (operation)
#define ACQUIRE                                1u
#define RELEASE                                (2u | 1u << 24)
#define SKIP                                   0x80600008u /* METHOD0 as drivers leave it: NOP */

/* SET_OBJECT of the 2D class, which Fermi wants before the first method. */
#define BIND INC(0, 0, 1), 0x902d

static void skip_method(unsigned pbdma) {
    uint32_t intr = pb(&m, pbdma, 0x108);
    set_pb(&m, pbdma, 0xc0, SKIP);
    set_pb(&m, pbdma, 0x108, intr);
}

/* ---- MMU faults ---- */

enum where { IN_RING, IN_SEGMENT, IN_ACQUIRE, IN_RELEASE, PLACES };

/* Channel 1 faults at `where`; returns the address. */
static uint32_t submit_fault(enum where where) {
    const uint32_t address = MAPPED_END + 0x40;
    switch (where) {
    case IN_RING:
        poke(&m, instance_of(1) + 0x48, address);
        poke(&m, userd_of(1) + 0x8c, 1);
        break;
    case IN_SEGMENT:
        push_entry(&m, 1, address, 4 << 10);
        break;
    default:
        PUSH(&m, 1, BIND, SEMAPHORE(address, 1, where == IN_ACQUIRE ? ACQUIRE : RELEASE), IMMD(0, 0x100, 1));
    }
    return address;
}

static void map_faulting_page(void) {
    poke(&m, 0x030000 + 8 * (MAPPED_END >> 17), SCRATCH >> 8 | 1);
    set_reg(&m, 0x100cbc, 0x80000001);
}

/* What a driver does to let a faulted channel go on. */
static void revive(unsigned id) {
    if (m.chip->has_engine_in_object) {
        set_reg(&m, 0x3000 + 8 * id, 0);
        set_reg(&m, 0x3000 + 8 * id, 0xc0000000 | (uint32_t)(instance_of(id) >> 12));
    } else {
        set_reg(&m, 0x800004 + 8 * id, 0x400 | 1 << 22);
    }
}

static void a_fault_of_the_host_stops_its_channel_only(void **state) {
    (void)state;
    static const struct {
        const char *chip;
        unsigned unit;
    } cases[] = {{"GF100", 7}, {"GF108", 7}, {"GK104", 7}, {"GM107", 7}, {"GM20B", 7}, {"GP102", 6}};
    for (unsigned k = 0; k < COUNT_OF(cases) * PLACES; k++) {
        enum where where = (enum where)(k % PLACES);
        machine_init(&m, cases[k / PLACES].chip);
        uint32_t unit = cases[k / PLACES].unit, record = 0x2800 + 0x10 * unit;
        channel_new(&m, 1, 0);
        channel_new(&m, 2, 0);
        RUNLIST(&m, 0, 1, 2);
        uint32_t address = submit_fault(where);
        struct event_log log;
        observe(&m, "fifo.fault", &log);
        PUSH(&m, 2, BIND, IMMD(0, 0x100, 7));
        assert_int_equal(run(&m), PFIFO_STOP_INTERRUPT);
        EXPECT_METHODS(&m, {0x100, 7});
        assert_int_equal(reg(&m, 0x2100) & 0x38000000, 0x10000000);
        assert_int_equal(log.count, 1);
        assert_int_equal(log.last.channel, 1);
        assert_int_equal(reg(&m, 0x259c), 1u << unit);
        assert_int_equal(reg(&m, record), instance_of(1) >> 12);
        assert_int_equal(reg(&m, record + 4), address);
        assert_int_equal(reg(&m, record + 12), 2 | 1 << 6 | 6 << 8 | (where == IN_RELEASE ? 1 << 7 : 0));
        /* What faulted is not used up. */
        assert_int_equal(ramfc(&m, 1, 0x14), where != IN_RING);
        assert_int_equal(ramfc(&m, 1, 0xc0) >> 31, where >= IN_ACQUIRE);
        set_reg(&m, 0x259c, 1u << unit);
        assert_int_equal(reg(&m, 0x2100) & 0x38000000, 0);
        assert_int_equal(run(&m), PFIFO_STOP_INTERRUPT);
        assert_int_equal(m.method_count, 1);
        map_faulting_page();
        if (where == IN_ACQUIRE)
            poke(&m, SCRATCH + 0x40, 1);
        revive(1);
        assert_int_equal(run(&m), PFIFO_STOP_IDLE);
        assert_int_equal(m.method_count, where >= IN_ACQUIRE ? 2 : 1);
        assert_int_equal(ramfc(&m, 1, 0x14), 1);
        if (k + 1 < COUNT_OF(cases) * PLACES)
            machine_free(&m);
    }
}

/* ---- several PBDMAs ---- */

static void three_channels_are_loaded_at_once_on_fermi(void **state) {
    (void)state;
    machine_init(&m, "GF100");
    for (unsigned id = 1; id <= 3; id++) {
        channel_new(&m, id, 0);
        PUSH(&m, id, BIND, SEMAPHORE(SCRATCH + 16 * id, id, ACQUIRE), IMMD(0, 0x100, id));
    }
    RUNLIST(&m, 0, 1, 2, 3);
    assert_int_equal(run(&m), PFIFO_STOP_WAITING);
    uint32_t loaded = 0;
    for (unsigned i = 0; i < 3; i++) {
        assert_int_equal(pb(&m, i, 0x120) & 0x100, 0x100);
        loaded |= 1u << (pb(&m, i, 0x120) & 0x7f);
    }
    assert_int_equal(loaded, 1 << 1 | 1 << 2 | 1 << 3);
    static const unsigned order[] = {2, 3, 1};
    for (size_t i = 0; i < COUNT_OF(order); i++) {
        poke(&m, SCRATCH + 16 * order[i], order[i]);
        assert_int_equal(run(&m), i < 2 ? PFIFO_STOP_WAITING : PFIFO_STOP_IDLE);
        assert_int_equal(m.method_count, i + 1);
        assert_int_equal(m.methods[i].channel, order[i]);
    }
}

static void each_one_asked_to_leave_leaves_when_its_stall_ends(void **state) {
    (void)state;
    machine_init(&m, "GK104");
    for (unsigned id = 1; id <= 3; id++) {
        channel_new(&m, id, id - 1);
        PUSH(&m, id, IMMD(7, 0x100, 1), SEMAPHORE(SCRATCH, 1, ACQUIRE));
        RUNLIST(&m, id - 1, id);
    }
    assert_int_equal(run(&m), PFIFO_STOP_INTERRUPT);
    for (unsigned id = 1; id <= 3; id++)
        set_reg(&m, 0x2634, id);
    for (unsigned i = 0; i < 3; i++) {
        assert_int_equal(reg(&m, 0x2634), 1 << 20 | 3);
        assert_int_equal(pb(&m, i, 0x120), 1 << 13 | (i + 1));
        skip_method(i);
        assert_int_equal(pb(&m, i, 0x120), 0);
        assert_int_equal(ramfc(&m, i + 1, 0xc0), SKIP);
    }
    assert_int_equal(reg(&m, 0x2634), 3);
}

static void tlb_invalidates_reach_segments_on_other_pbdmas(void **state) {
    (void)state;
    const uint32_t page = 0x030000 + 8 * (0x410000 >> 17), elsewhere = 0x800000;
    machine_init(&m, "GF100");
    channel_new(&m, 1, 0);
    channel_new(&m, 2, 0);
    poke(&m, instance_of(1) + 0xf8, 0x10000000); /* the shortest timeslice */
    poke(&m, instance_of(1) + 0xac, 0);
    set_reg(&m, 0x2208, ~2u); /* PGRAPH, and with it channel 1: unit 1 */
    RUNLIST(&m, 0, 1, 2);
    PUSH(&m, 2, SEMAPHORE(SCRATCH, 1, ACQUIRE), SEMAPHORE(page, elsewhere >> 8 | 1, RELEASE), INC(0, 0x28, 2), 0,
         9u << 27);
    assert_int_equal(run(&m), PFIFO_STOP_WAITING);
    uint32_t words[1000] = {BIND, SEMAPHORE(SCRATCH, 1, RELEASE), NON_INC(0, 0x100, 992)};
    uint32_t at = put_words(&m, 1, words, COUNT_OF(words));
    for (uint32_t i = 0; i < COUNT_OF(words); i++)
        poke(&m, elsewhere + (at - 0x400000) + 4 * i, 2);
    push_entry(&m, 1, at, COUNT_OF(words) << 10);
    assert_int_equal(run(&m), PFIFO_STOP_IDLE);
    assert_int_equal(m.method_count, 992);
    assert_int_equal(m.methods[0].data, 0);
    assert_int_equal(m.methods[991].data, 2);
}

static void pages_of_pbdmas_that_are_off_are_gone(void **state) {
    (void)state;
    machine_init(&m, "GK104");
    set_reg(&m, 0x204, 5);
    assert_int_equal(pb(&m, 0, 0x10c), 0xfffffeff);
    assert_int_equal(pb(&m, 1, 0x10c), 0xbad0da00);
    set_pb(&m, 1, 0x10c, 0);
    set_reg(&m, 0x204, 7);
    assert_int_equal(pb(&m, 1, 0x10c), 0xfffffeff);
}

/* ---- turns ---- */

static void a_disabled_channel_makes_room_in_the_same_run(void **state) {
    (void)state;
    static const char *const chips[] = {"GF108", "GK104", "GM20B"};
    for (size_t i = 0; i < COUNT_OF(chips); i++) {
        machine_init(&m, chips[i]);
        channel_new(&m, 1, 0);
        channel_new(&m, 2, 0);
        RUNLIST(&m, 0, 1, 2);
        PUSH(&m, 1, BIND, SEMAPHORE(SCRATCH, 1, ACQUIRE));
        assert_int_equal(run(&m), PFIFO_STOP_WAITING);
        channel_enable(&m, 1, false);
        PUSH(&m, 2, BIND, IMMD(0, 0x100, 2));
        assert_int_equal(run(&m), PFIFO_STOP_IDLE);
        EXPECT_METHODS(&m, {0x100, 2});
        if (i + 1 < COUNT_OF(chips))
            machine_free(&m);
    }
}

static void bad_pointers_that_do_not_stall_keep_nobody_else(void **state) {
    (void)state;
    static const struct {
        uint32_t word, value, intr;
    } cases[] = {{0x14, 600, 1 << 14}, {0x50, 512, 1 << 14}, {0x4c, 31 << 16 | 0xff, 1 << 13}};
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        machine_init(&m, "GF108");
        set_pb(&m, 0, 0x13c, 0);
        channel_new(&m, 1, 0);
        channel_new(&m, 2, 0);
        RUNLIST(&m, 0, 1, 2);
        poke(&m, instance_of(1) + cases[i].word, cases[i].value);
        PUSH(&m, 1, BIND, IMMD(0, 0x100, 1));
        PUSH(&m, 2, BIND, IMMD(0, 0x100, 2));
        assert_int_equal(run(&m), PFIFO_STOP_WAITING);
        assert_int_equal(pb(&m, 0, 0x108), cases[i].intr);
        EXPECT_METHODS(&m, {0x100, 2});
        if (i + 1 < COUNT_OF(cases))
            machine_free(&m);
    }
}

/* How often the channel changes from one method to the next. */
static unsigned changes_of_channel(void) {
    unsigned changes = 0;
    for (unsigned i = 1; i < m.method_count; i++)
        changes += m.methods[i].channel != m.methods[i - 1].channel;
    return changes;
}

static void the_timeslice_of_a_tsg_counts_for_its_channels(void **state) {
    (void)state;
    /* 2 * 1024 ns are 128 units. A channel has segments for 300: three slices; RAMFC says much more. */
    static const unsigned tsg[] = {2u << 26 | 2 << 18 | 1 << 13, 1, 2}, plain[] = {1, 2, 3};
    for (unsigned k = 0; k < 2; k++) {
        machine_init(&m, "GK110");
        for (unsigned id = 1; id <= 2; id++) {
            channel_new(&m, id, 0);
            for (uint32_t i = 0; i < 100; i++)
                PUSH(&m, id, IMMD(0, 0x100, i));
        }
        runlist(&m, 0, k ? plain : tsg, k ? 2 : 3);
        assert_int_equal(run(&m), PFIFO_STOP_IDLE);
        assert_int_equal(m.method_count, 200);
        assert_int_equal(changes_of_channel(), k ? 1 : 5);
        if (!k)
            machine_free(&m);
    }
}

static void a_tsg_that_was_alone_has_the_same_timeslice_again(void **state) {
    (void)state;
    machine_init(&m, "GK110");
    channel_new(&m, 1, 0);
    channel_new(&m, 2, 0);
    RUNLIST(&m, 0, 1u << 26 | 2 << 18 | 1 << 13 | 1, 1, 2);
    for (uint32_t i = 0; i < 200; i++)
        PUSH(&m, 1, IMMD(0, 0x100, i));
    assert_int_equal(run_units(&m, 200), PFIFO_STOP_BUDGET); /* the first slice of 128 is over */
    PUSH(&m, 2, IMMD(0, 0x100, 0));
    assert_int_equal(run(&m), PFIFO_STOP_IDLE);
    assert_int_equal(m.methods[84].channel, 1); /* two slices, with three units per segment */
    assert_int_equal(m.methods[85].channel, 2);
}

/* To look for somebody is a walk over all channels, so a program must not be able to ask for it all the time. */
static void a_yield_soon_after_one_that_found_nobody_does_nothing(void **state) {
    (void)state;
    machine_init(&m, "GM20B");
    channel_new(&m, 1, 0);
    channel_new(&m, 2, 0);
    RUNLIST(&m, 0, 1, 2);
    PUSH(&m, 1, IMMD(0, 0x100, 1), IMMD(0, 0x80, 3), IMMD(0, 0x80, 3), IMMD(0, 0x104, 1), NON_INC(0, 0x200, 32));
    const uint32_t zeros[32] = {0};
    push(&m, 1, zeros, COUNT_OF(zeros));
    PUSH(&m, 1, IMMD(0, 0x80, 3), IMMD(0, 0x108, 1));
    assert_int_equal(run_units(&m, 6), PFIFO_STOP_BUDGET); /* after the first one */
    PUSH(&m, 2, IMMD(0, 0x300, 2));
    assert_int_equal(run(&m), PFIFO_STOP_IDLE);
    assert_int_equal(m.method_count, 36);
    assert_int_equal(m.methods[1].method, 0x104);
    assert_int_equal(m.methods[34].method, 0x300);
    assert_int_equal(m.methods[35].method, 0x108);
}

static void two_tsgs_and_a_channel_share_a_runlist(void **state) {
    (void)state;
    machine_init(&m, "GK110");
    for (unsigned id = 1; id <= 4; id++) {
        channel_new(&m, id, 0);
        PUSH(&m, id, IMMD(0, 0x100, id), SEMAPHORE(SCRATCH, 1, id == 4 ? RELEASE : ACQUIRE | 1 << 12),
             IMMD(0, 0x104, id));
    }
    RUNLIST(&m, 0, 2u << 26 | 128 << 18 | 3 << 14 | 1 << 13 | 1, 1, 2, 3, 1u << 26 | 128 << 18 | 1 << 13 | 2, 4);
    assert_int_equal(run(&m), PFIFO_STOP_IDLE);
    EXPECT_METHODS(&m, {0x100, 1}, {0x100, 2}, {0x100, 3}, {0x100, 4}, {0x104, 4}, {0x104, 2}, {0x104, 1}, {0x104, 3});
    assert_int_equal(reg(&m, 0x2100) & 0x100, 0);
}

static void preempting_a_tsg_takes_its_channel_off(void **state) {
    (void)state;
    machine_init(&m, "GK110");
    for (unsigned id = 1; id <= 2; id++) {
        channel_new(&m, id, id - 1);
        PUSH(&m, id, IMMD(0, 0x100, id), SEMAPHORE(SCRATCH, 1, ACQUIRE));
    }
    RUNLIST(&m, 0, 1u << 26 | 128 << 18 | 3 << 14 | 1 << 13 | 0x123, 1);
    RUNLIST(&m, 1, 1u << 26 | 128 << 18 | 3 << 14 | 1 << 13 | 0x124, 2);
    assert_int_equal(run(&m), PFIFO_STOP_WAITING);
    assert_int_equal(reg(&m, 0x2640), 1 << 13 | 1 << 12 | 0x123);
    set_reg(&m, 0x2634, 1 << 24 | 0x124);
    assert_int_equal(pb(&m, 0, 0x120), 1 << 13 | 1);
    assert_int_equal(pb(&m, 1, 0x120), 0);
    set_reg(&m, 0x2634, 1 << 24 | 0x123);
    assert_int_equal(pb(&m, 0, 0x120), 0);
    RUNLIST(&m, 0, 1);
    assert_int_equal(reg(&m, 0x2640), 1 << 13 | 1);
}

/* ---- waiting ---- */

static void skipping_a_late_acquire_does_not_make_the_next_one_late(void **state) {
    (void)state;
    one_channel(&m, "GK104");
    poke(&m, instance_of(1) + 0x30, 0x80000000 | 100 << 15);
    PUSH(&m, 1, SEMAPHORE(SCRATCH, 1, ACQUIRE), SEMAPHORE(SCRATCH, 2, ACQUIRE), IMMD(0, 0x100, 1));
    assert_int_equal(run(&m), PFIFO_STOP_WAITING);
    m.bus.time += 101 * 1024;
    assert_int_equal(run(&m), PFIFO_STOP_INTERRUPT);
    assert_int_equal(pb(&m, 0, 0x108), 1 << 26);
    skip_method(0);
    assert_int_equal(run(&m), PFIFO_STOP_WAITING); /* for the second one, which has only begun to wait */
    assert_int_equal(m.fifo->stop.expected, 2);
    m.bus.time += 99 * 1024;
    assert_int_equal(run(&m), PFIFO_STOP_WAITING);
    m.bus.time += 2 * 1024;
    assert_int_equal(run(&m), PFIFO_STOP_INTERRUPT);
    poke(&m, SCRATCH, 2);
    set_pb(&m, 0, 0x108, 1 << 26);
    assert_int_equal(run(&m), PFIFO_STOP_IDLE);
    EXPECT_METHODS(&m, {0x100, 1});
}

static void an_acquire_with_no_time_at_all_is_late_at_once(void **state) {
    (void)state;
    one_channel(&m, "GK104");
    poke(&m, instance_of(1) + 0x30, 0x80000000);
    PUSH(&m, 1, SEMAPHORE(SCRATCH, 0, ACQUIRE), SEMAPHORE(SCRATCH, 1, ACQUIRE));
    assert_int_equal(run(&m), PFIFO_STOP_INTERRUPT);
    assert_int_equal(pb(&m, 0, 0x108), 1 << 26);
    assert_int_equal(pb(&m, 0, 0x40), 1);
}

static void channel_table_tells_channels_that_wait_from_those_that_could_run(void **state) {
    (void)state;
    machine_init(&m, "GK104");
    channel_new(&m, 1, 0);
    channel_new(&m, 2, 0);
    RUNLIST(&m, 0, 1, 2);
    PUSH(&m, 1, SEMAPHORE(SCRATCH, 1, ACQUIRE));
    PUSH(&m, 2, SEMAPHORE(SCRATCH, 2, ACQUIRE));
    assert_int_equal(reg(&m, 0x80000c) >> 24 & 0x1f, 0x11);
    assert_int_equal(run(&m), PFIFO_STOP_WAITING);
    set_reg(&m, 0x2634, 1);
    set_reg(&m, 0x2634, 2);
    assert_int_equal(reg(&m, 0x80000c) >> 24 & 0x1f, 0x13);
    assert_int_equal(reg(&m, 0x800014) >> 24 & 0x1f, 0x13);
    poke(&m, SCRATCH, 1);
    assert_int_equal(run(&m), PFIFO_STOP_WAITING);
    assert_int_equal(reg(&m, 0x80000c) >> 24 & 0x1f, 0);
}

/* ---- off and on ---- */

static void switching_pfifo_off_forgets_channels_and_userd(void **state) {
    (void)state;
    one_channel(&m, "GK104");
    set_reg(&m, 0x2254, 0x10000000 | 0x700000 >> 12);
    PUSH(&m, 1, IMMD(0, 0x100, 1));
    assert_int_equal(run(&m), PFIFO_STOP_IDLE);
    assert_int_not_equal(m.bus.bars->userd_bytes, 0);
    uint32_t enable = reg(&m, 0x200);
    set_reg(&m, 0x200, enable & ~0x100u);
    set_reg(&m, 0x200, enable);
    assert_int_equal(m.bus.bars->userd_bytes, 0);
    assert_int_equal(reg(&m, 0x2254), 0);
    assert_int_equal(reg(&m, 0x2280) | reg(&m, 0x2284), 0);
    assert_int_equal(m.gone, 8);
    assert_int_equal(reg(&m, 0x2640), 0);
    assert_int_equal(reg(&m, 0x2a0c), 0x803fffff);
}

static void wrong_binds_are_reported(void **state) {
    (void)state;
    static const struct {
        const char *chip;
        uint32_t table;
    } cases[] = {{"GF100", 0x3008}, {"GK104", 0x800008}};
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        one_channel(&m, cases[i].chip);
        uint32_t bind = reg(&m, cases[i].table);
        PUSH(&m, 1, BIND, SEMAPHORE(SCRATCH, 1, ACQUIRE));
        assert_int_equal(run(&m), PFIFO_STOP_WAITING);
        assert_int_equal(reg(&m, 0x2100) & 1, 0);
        set_reg(&m, cases[i].table, 0);
        assert_int_equal(reg(&m, 0x2100) & 1, 1);
        assert_int_equal(reg(&m, 0x252c), 3); /* UNBIND_WHILE_RUNNING */
        assert_int_equal(reg(&m, cases[i].table), bind);
        set_reg(&m, 0x2100, 1);
        set_reg(&m, 0x2634, 1); /* preempted, it may be unbound */
        set_reg(&m, cases[i].table, 0);
        set_reg(&m, cases[i].table, bind);
        assert_int_equal(reg(&m, 0x2100) & 1, 0);
        set_reg(&m, cases[i].table, bind);
        assert_int_equal(reg(&m, 0x2100) & 1, 1);
        assert_int_equal(reg(&m, 0x252c), 1); /* BIND_NOT_UNBOUND */
        if (i + 1 < COUNT_OF(cases))
            machine_free(&m);
    }
}

static void topology_tells_the_encoders_apart(void **state) {
    (void)state;
    static const struct {
        const char *chip;
        uint32_t type;
    } cases[] = {{"GK104", 0xb}, {"GK208", 0xb}, {"GM107", 0xe}, {"GP102", 0xe}};
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        machine_init(&m, cases[i].chip);
        uint32_t types = 0;
        for (uint32_t at = 0x22700; at < 0x22800; at += 4)
            types |= (reg(&m, at) & 3) == 3 ? 1u << (reg(&m, at) >> 2 & 0x1f) : 0;
        assert_int_equal(types & (1 << 0xb | 1 << 0xe), 1u << cases[i].type);
        if (i + 1 < COUNT_OF(cases))
            machine_free(&m);
    }
}

static void a_playlist_is_announced_like_a_runlist(void **state) {
    (void)state;
    static const char *const chips[] = {"GF100", "GK104"};
    for (size_t i = 0; i < COUNT_OF(chips); i++) {
        struct event_log log;
        machine_init(&m, chips[i]);
        observe(&m, "fifo.interrupt", &log);
        channel_new(&m, 1, 0);
        RUNLIST(&m, 0, 1);
        assert_int_equal(log.count, 1);
        assert_int_equal(log.last.value[0], 0x40000000);
        assert_true(m.bus.line);
        set_reg(&m, 0x2a00, ~0u);
        assert_false(m.bus.line);
        if (i + 1 < COUNT_OF(chips))
            machine_free(&m);
    }
}

#define TEST(function) cmocka_unit_test_teardown(function, teardown)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(a_fault_of_the_host_stops_its_channel_only),
        TEST(three_channels_are_loaded_at_once_on_fermi),
        TEST(each_one_asked_to_leave_leaves_when_its_stall_ends),
        TEST(tlb_invalidates_reach_segments_on_other_pbdmas),
        TEST(pages_of_pbdmas_that_are_off_are_gone),
        TEST(a_disabled_channel_makes_room_in_the_same_run),
        TEST(bad_pointers_that_do_not_stall_keep_nobody_else),
        TEST(the_timeslice_of_a_tsg_counts_for_its_channels),
        TEST(a_tsg_that_was_alone_has_the_same_timeslice_again),
        TEST(a_yield_soon_after_one_that_found_nobody_does_nothing),
        TEST(two_tsgs_and_a_channel_share_a_runlist),
        TEST(preempting_a_tsg_takes_its_channel_off),
        TEST(skipping_a_late_acquire_does_not_make_the_next_one_late),
        TEST(an_acquire_with_no_time_at_all_is_late_at_once),
        TEST(channel_table_tells_channels_that_wait_from_those_that_could_run),
        TEST(switching_pfifo_off_forgets_channels_and_userd),
        TEST(wrong_binds_are_reported),
        TEST(topology_tells_the_encoders_apart),
        TEST(a_playlist_is_announced_like_a_runlist),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
