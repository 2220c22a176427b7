/* SPDX-License-Identifier: MIT */
/*
 * Whose turn it is on GK104 .. GM20B: groups of a runlist (TSGs, and channels that are in none), timeslices, who goes
 * on when a channel waits or has nothing left to do, and several PBDMAs.
 *
 * Sources: NVIDIA open-gpu-doc manuals/volta/gv100/dev_ram.ref.txt (runlist entries, timeslices), dev_fifo.ref.txt;
 * nouveau nvkm/engine/fifo/{gk104,gk110}.c.
 */
#include "fifo_pbdma/machine.h"

#include <stdio.h>
#include <string.h>

static struct machine m;

#define SEMAPHORE(address, payload, operation) INC(0, 0x10, 4), 0, (address), (payload), (operation)
#define ACQUIRE                                1u
#define ACQUIRE_SWITCH                         (1u | 1u << 12)
#define RELEASE                                (2u | 1u << 24)
#define TSG(id, members, timeout, scale)                                                                               \
    ((uint32_t)(members) << 26 | (uint32_t)(timeout) << 18 | (uint32_t)(scale) << 14 | 1u << 13 | (id))

static int teardown(void **state) {
    (void)state;
    machine_free(&m);
    return 0;
}

static void channels(const char *chip, unsigned count) {
    machine_init(&m, chip);
    for (unsigned id = 1; id <= count; id++)
        channel_new(&m, id, 0);
}

/* `count` methods, one after the other. */
static void busy(unsigned id, unsigned count) {
    uint32_t words[1200];
    assert_true(count <= COUNT_OF(words));
    for (unsigned i = 0; i < count; i++)
        words[i] = IMMD(0, 0x100, 0);
    push(&m, id, words, count);
}

/* Who executed methods, in turn: "1 3 2". */
static const char *turns(void) {
    static char text[256];
    text[0] = 0;
    for (unsigned i = 0; i < m.method_count && strlen(text) < 200; i++)
        if (i == 0 || m.methods[i].channel != m.methods[i - 1].channel)
            snprintf(text + strlen(text), 8, text[0] ? " %u" : "%u", m.methods[i].channel);
    return text;
}

/* Methods of turn `n`, from 0. */
static unsigned length(unsigned n) {
    unsigned count = 0;
    for (unsigned i = 0; i < m.method_count; i++) {
        n -= i && m.methods[i].channel != m.methods[i - 1].channel;
        count += n == 0;
    }
    return count;
}

static void groups_take_turns_and_channels_within_them(void **state) {
    (void)state;
    channels("GK110", 3);
    for (unsigned id = 1; id <= 3; id++) {
        busy(id, 600);
        poke(&m, instance_of(id) + 0xf8, 0x10000004);
    }
    RUNLIST(&m, 0, TSG(5, 2, 4, 0), 1, 2, 3);
    assert_int_equal(run_units(&m, 2000), PFIFO_STOP_BUDGET);
    assert_memory_equal(turns(), "1 3 2 3 1 3", 11);
    assert_in_range(length(1), length(0) - 3, length(0) + 3); /* a group has one slice, whatever is in it */
}

static void a_slice_is_for_the_whole_group(void **state) {
    (void)state;
    channels("GK110", 3);
    busy(2, 600);
    busy(3, 600);
    RUNLIST(&m, 0, TSG(5, 2, 4, 0), 1, 2, TSG(6, 1, 4, 0), 3);
    assert_int_equal(run_units(&m, 1000), PFIFO_STOP_BUDGET);
    unsigned alone = length(0);
    assert_memory_equal(turns(), "2 3", 3);
    machine_free(&m);

    channels("GK110", 3);
    busy(1, alone / 2); /* then it is idle */
    busy(2, 600);
    busy(3, 600);
    RUNLIST(&m, 0, TSG(5, 2, 4, 0), 1, 2, TSG(6, 1, 4, 0), 3);
    assert_int_equal(run_units(&m, 1000), PFIFO_STOP_BUDGET);
    assert_memory_equal(turns(), "1 2 3", 5);
    assert_int_equal(length(0), alone / 2);
    assert_in_range(length(0) + length(1), alone - 3, alone + 3);
}

/* (timeout << scale) microseconds. */
static void the_header_says_how_long_a_slice_is(void **state) {
    (void)state;
    static const unsigned cases[][3] = {{2, 0, 2}, {4, 0, 4}, {1, 2, 4}, {3, 1, 6}};
    unsigned per_unit = 0, first = 0;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        channels("GM107", 2);
        busy(1, 600);
        busy(2, 600);
        RUNLIST(&m, 0, TSG(1, 1, cases[i][0], cases[i][1]), 1, TSG(2, 1, 1, 0), 2);
        assert_int_equal(run_units(&m, 1500), PFIFO_STOP_BUDGET);
        if (i == 0)
            first = length(0);
        if (i == 1)
            per_unit = (length(0) - first) / 2;
        assert_in_range(length(0), first + per_unit * (cases[i][2] - 2) - 3, first + per_unit * (cases[i][2] - 2) + 3);
        if (i + 1 < COUNT_OF(cases))
            machine_free(&m);
    }
    assert_true(per_unit > 10);
}

/* Two channels with nothing but no-ops; the first has left when its slice is over, and GET says how long that was. */
static uint32_t slice_of_first(void) {
    push_entry(&m, 1, 0x700000, 0x40000 << 10);
    push_entry(&m, 2, 0x700000, 0x40000 << 10);
    uint32_t units = 0;
    for (; ramfc(&m, 1, 0x18) == 0; units += 64)
        assert_int_equal(run_units(&m, 64), PFIFO_STOP_BUDGET);
    uint32_t words = (ramfc(&m, 1, 0x18) - 0x700000) / 4, slice = words + 1; /* one unit is the GP entry */
    assert_in_range(units, slice, slice + 64);
    return slice;
}

/* (timeout << scale) * 1024 ns, of 16 ns per unit; nothing there is 1024 ns. */
static void slices_are_exact(void **state) {
    (void)state;
    static const uint32_t cases[][3] = {{0, 0, 64},    {0, 5, 64},         {1, 0, 64},      {2, 0, 128},
                                        {1, 8, 16384}, {0x80, 3, 0x10000}, {0xff, 2, 65280}};
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        channels("GM107", 2);
        RUNLIST(&m, 0, TSG(1, 1, cases[i][0], cases[i][1]), 1, TSG(2, 1, 1, 0), 2);
        assert_int_equal(slice_of_first(), cases[i][2]);
        machine_free(&m);

        channels("GK104", 2);
        poke(&m, instance_of(1) + 0xf8, 0x10000000 | cases[i][1] << 12 | cases[i][0]);
        RUNLIST(&m, 0, 1, 2);
        assert_int_equal(slice_of_first(), cases[i][2]);
        if (i + 1 < COUNT_OF(cases))
            machine_free(&m);
    }
}

static void without_a_tsg_ramfc_says_it(void **state) {
    (void)state;
    channels("GK104", 2);
    busy(1, 600);
    busy(2, 600);
    poke(&m, instance_of(1) + 0xf8, 0x10000001);
    poke(&m, instance_of(2) + 0xf8, 0x10001002); /* 2 << 1 */
    RUNLIST(&m, 0, 1, 2);
    assert_int_equal(run_units(&m, 1500), PFIFO_STOP_BUDGET);
    assert_memory_equal(turns(), "1 2 1 2", 7);
    assert_true(length(1) > length(0) + 20);
}

static void alone_a_group_goes_on(void **state) {
    (void)state;
    channels("GK110", 2);
    busy(1, 400);
    busy(2, 400);
    RUNLIST(&m, 0, TSG(5, 2, 1, 0), 1, 2);
    assert_int_equal(run(&m), PFIFO_STOP_IDLE);
    assert_memory_equal(turns(), "1 2 1 2", 7); /* its channels in turn, with a new slice each */
    machine_free(&m);

    channels("GK110", 1);
    busy(1, 400);
    RUNLIST(&m, 0, TSG(5, 1, 1, 0), 1);
    assert_int_equal(run(&m), PFIFO_STOP_IDLE);
    assert_int_equal(m.method_count, 400);
    assert_string_equal(turns(), "1");
}

/* ACQUIRE_SWITCH: another channel of the TSG has the rest; without it the channel holds on to the PBDMA. */
static void a_failed_acquire_gives_way_within_the_group_if_it_asks_for_that(void **state) {
    (void)state;
    for (unsigned in_place = 0; in_place < 2; in_place++) {
        channels("GK110", 3);
        PUSH(&m, 1, SEMAPHORE(SCRATCH, 1, in_place ? ACQUIRE : ACQUIRE_SWITCH), IMMD(0, 0x100, 1));
        busy(2, 10);
        busy(3, 10);
        PUSH(&m, 3, SEMAPHORE(SCRATCH, 1, RELEASE));
        RUNLIST(&m, 0, TSG(5, 2, 128, 3), 1, 2, 3);
        assert_int_equal(run(&m), PFIFO_STOP_IDLE);
        assert_string_equal(turns(), in_place ? "3 2 1" : "2 3 1");
        if (!in_place)
            machine_free(&m);
    }
}

static void a_group_whose_channels_all_wait_makes_way(void **state) {
    (void)state;
    channels("GM107", 3);
    for (unsigned id = 1; id <= 2; id++)
        PUSH(&m, id, IMMD(0, 0x100, 0), SEMAPHORE(SCRATCH, 1, ACQUIRE_SWITCH), IMMD(0, 0x100, id));
    PUSH(&m, 3, IMMD(0, 0x100, 0), SEMAPHORE(SCRATCH, 1, RELEASE));
    RUNLIST(&m, 0, TSG(5, 2, 128, 3), 1, 2, 3);
    assert_int_equal(run(&m), PFIFO_STOP_IDLE);
    assert_string_equal(turns(), "1 2 3 2 1");
}

static void the_engine_belongs_to_the_group(void **state) {
    (void)state;
    channels("GK110", 2);
    busy(1, 1);
    RUNLIST(&m, 0, TSG(0x123, 1, 128, 3), 1, 2);
    run(&m);
    assert_int_equal(reg(&m, 0x2640), 1 << 13 | 1 << 12 | 0x123);
    busy(2, 1);
    run(&m);
    assert_int_equal(reg(&m, 0x2640), 1 << 13 | 2);
}

static void gk104_has_no_groups(void **state) {
    (void)state;
    channels("GK104", 3);
    for (unsigned id = 1; id <= 3; id++)
        busy(id, 1);
    RUNLIST(&m, 0, TSG(1, 5, 128, 3), 2, 3); /* channel 1, and too few for a group */
    assert_int_equal(run(&m), PFIFO_STOP_IDLE);
    assert_int_equal(m.method_count, 3);
    assert_int_equal(reg(&m, 0x2100) & 1 << 8, 0);
}

/* Zero length, an end within, a header within; what can be read of them is taken. */
static void lists_that_make_no_sense_are_bad_tsg(void **state) {
    (void)state;
    static const char *const chips[] = {"GK110", "GK208", "GK20A", "GM107", "GM204", "GM20B"};
    static const unsigned lists[][3] = {
        {TSG(1, 0, 128, 3), 1, 2},
        {1, TSG(1, 2, 128, 3), 2},
        {TSG(1, 2, 128, 3), 1, TSG(2, 0, 128, 3)},
    };
    for (size_t i = 0; i < COUNT_OF(chips) * COUNT_OF(lists); i++) {
        channels(chips[i / COUNT_OF(lists)], 2);
        busy(1, 1);
        runlist(&m, 0, lists[i % COUNT_OF(lists)], 3);
        assert_int_equal(reg(&m, 0x2100) & 1 << 8, 1 << 8);
        assert_int_equal(reg(&m, 0x254c), 0x20);
        set_reg(&m, 0x2100, 1 << 8);
        assert_int_equal(reg(&m, 0x2100) & 1 << 8, 0);
        assert_int_equal(run(&m), PFIFO_STOP_IDLE);
        assert_int_equal(m.method_count, 1);
        if (i + 1 < COUNT_OF(chips) * COUNT_OF(lists))
            machine_free(&m);
    }
}

/* A channel that is in the new list, too, stays where it is. */
static void a_new_list_keeps_who_is_in_it(void **state) {
    (void)state;
    channels("GK110", 3);
    busy(1, 100);
    PUSH(&m, 2, SEMAPHORE(SCRATCH, 1, ACQUIRE));
    RUNLIST(&m, 0, TSG(5, 2, 128, 3), 1, 2);
    run_units(&m, 50);
    assert_int_equal(pb(&m, 0, 0x120), 1 << 13 | 1);
    RUNLIST(&m, 0, 3, TSG(5, 2, 128, 3), 2, 1);
    assert_int_equal(pb(&m, 0, 0x120), 1 << 13 | 1);
    assert_int_equal(run(&m), PFIFO_STOP_WAITING);
    assert_int_equal(m.method_count, 100);
}

/* Runlists 0 and 1 are on two PBDMAs of GK104, 0 and 3 on one. */
static void runlists_on_two_pbdmas_advance_together(void **state) {
    (void)state;
    machine_init(&m, "GK104");
    for (unsigned id = 1; id <= 2; id++) {
        channel_new(&m, id, id - 1);
        poke(&m, instance_of(id) + 0xf8, 0x1000f0ff); /* as long as can be */
        busy(id, 1200);
    }
    RUNLIST(&m, 0, 1);
    RUNLIST(&m, 1, 2);
    assert_int_equal(run_units(&m, 3000), PFIFO_STOP_BUDGET);
    assert_memory_equal(turns(), "1 2 1", 5);
    assert_int_equal(reg(&m, 0x2790), 0x80000000 | instance_of(1) >> 12);
    assert_int_equal(reg(&m, 0x2794), 0x80000000 | instance_of(2) >> 12);
}

static void runlists_on_one_pbdma_take_turns(void **state) {
    (void)state;
    machine_init(&m, "GK104");
    for (unsigned id = 1; id <= 2; id++) {
        channel_new(&m, id, 3 * (id - 1));
        poke(&m, instance_of(id) + 0xf8, 0x10000001);
        busy(id, 200);
    }
    RUNLIST(&m, 0, 1);
    RUNLIST(&m, 3, 2);
    assert_int_equal(run(&m), PFIFO_STOP_IDLE);
    assert_memory_equal(turns(), "2 1 2 1", 7);
    for (unsigned i = 0; i < m.method_count; i++)
        assert_int_equal(m.methods[i].engine, m.methods[i].channel == 1 ? 0 : 3);
}

static void a_disabled_runlist_loads_nobody(void **state) {
    (void)state;
    machine_init(&m, "GK104");
    channel_new(&m, 1, 0);
    channel_new(&m, 2, 3);
    busy(1, 1);
    busy(2, 1);
    RUNLIST(&m, 0, 1);
    RUNLIST(&m, 3, 2);
    set_reg(&m, 0x2630, 1 << 3);
    assert_int_equal(run(&m), PFIFO_STOP_FROZEN);
    assert_string_equal(turns(), "1");
    set_reg(&m, 0x2630, 0);
    assert_int_equal(run(&m), PFIFO_STOP_IDLE);
    assert_string_equal(turns(), "1 2");
}

/* It ends the slice, as YIELD says since B06F; before that no operation but 0 is known. */
static void yield_ends_the_slice(void **state) {
    (void)state;
    for (uint32_t operation = 0; operation <= 3; operation++) {
        channels("GM204", 2);
        for (unsigned id = 1; id <= 2; id++)
            PUSH(&m, id, IMMD(0, 0x100, 0), IMMD(0, 0x80, operation), IMMD(0, 0x100, 0));
        RUNLIST(&m, 0, 1, 2);
        assert_int_equal(run(&m), PFIFO_STOP_IDLE);
        assert_string_equal(turns(), operation ? "1 2 1 2" : "1 2");
        if (operation < 3)
            machine_free(&m);
    }
}

#define TEST(function) cmocka_unit_test_teardown(function, teardown)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(groups_take_turns_and_channels_within_them),
        TEST(a_slice_is_for_the_whole_group),
        TEST(the_header_says_how_long_a_slice_is),
        TEST(slices_are_exact),
        TEST(without_a_tsg_ramfc_says_it),
        TEST(alone_a_group_goes_on),
        TEST(a_failed_acquire_gives_way_within_the_group_if_it_asks_for_that),
        TEST(a_group_whose_channels_all_wait_makes_way),
        TEST(the_engine_belongs_to_the_group),
        TEST(gk104_has_no_groups),
        TEST(lists_that_make_no_sense_are_bad_tsg),
        TEST(a_new_list_keeps_who_is_in_it),
        TEST(runlists_on_two_pbdmas_advance_together),
        TEST(runlists_on_one_pbdma_take_turns),
        TEST(a_disabled_runlist_loads_nobody),
        TEST(yield_ends_the_slice),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
