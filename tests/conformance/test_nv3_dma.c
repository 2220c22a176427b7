/* SPDX-License-Identifier: MIT */
/*
 * DMA that the driver starts, of NV3: packets from a buffer in system memory, through a page table in RAMIN.
 *
 * Sources: envytools rnndb/fifo/nv1_pfifo.xml, hwtest/pfifo.cc; 86Box doc/nvidia_notes (NV3 DMA Engine); the PFIFO page
 *          of the pscnv wiki. UNKNOWN there and chosen: the bits of the header, the error bit, the busy bit.
 */
#include "rig.h"

enum {
    D_STATE = 0x3218,
    D_CTRL = 0x3220,
    D_COUNT = 0x3224,
    D_GET = 0x3228,
    D_TARGET = 0x322c,
    D_TAG = 0x3230,
    D_PTE = 0x3234,
    D_TABLE = 0x3238,
    TABLE = 0x10000, /* in RAMIN */
};

/* Buffer page `page` is at this address in system memory; neighbours are not neighbours there. */
static uint32_t frame(uint32_t page) {
    return 0x100000 + (page ^ 5) * 0x3000;
}

static void buffer_wr(struct rig *rig, uint32_t offset, uint32_t word) {
    system_wr(rig, frame(offset >> 12) + (offset & 0xfff), word);
}

/* An object on subchannel 2 of channel 6, which is in the cache, and the page table. */
static void prepare(struct rig *rig) {
    rig_old_object(rig, 6, 0x900, 0x50, 0x80);
    for (uint32_t page = 0; page < 8; page++)
        ramin_wr(rig, TABLE + 4 * page, frame(page) | 3);
    wr(rig, rig->c1.push1, 6);
    user_wr(rig, 6, METHOD(2, 0), 0x900);
    rig_run(rig);
    assert_int_equal(rig->logged, 1);
    rig->logged = 0;
}

/* The procedure of a driver: `bytes` from `offset` on. Nothing has run yet. */
static void start(struct rig *rig, uint32_t offset, uint32_t bytes) {
    wr(rig, CACHES, 0);
    wr(rig, rig->c1.pull0, 0);
    wr(rig, PUSH0, 0);
    assert_int_equal(current_channel(rig), 6);
    wr(rig, D_TABLE, TABLE);
    wr(rig, D_TAG, ~0u);
    wr(rig, D_PTE, 1);
    wr(rig, D_COUNT, bytes);
    wr(rig, D_GET, offset);
    wr(rig, D_TARGET, 2);
    wr(rig, rig->c1.pull0, 1);
    wr(rig, PUSH0, 1);
    wr(rig, CACHES, 1);
    wr(rig, D_CTRL, 1);
}

static void expect_over(struct rig *rig, uint32_t get, uint32_t count) {
    expect_reg(rig, D_CTRL, 0);
    expect_reg(rig, D_GET, get);
    expect_reg(rig, D_COUNT, count);
}

static void one_launch_sends_several_packets(void **state) {
    struct rig *rig = *state;
    static const uint32_t words[] = {INC(2, 0x300, 2),  10, 11, INC(2, 0x180, 1), 0x900, INC(2, 0x400, 0),
                                     INC(2, 0x1ff8, 2), 12, 13};
    prepare(rig);
    for (uint32_t target = 2; target <= 3; target++) {
        for (uint32_t i = 0; i < COUNT_OF(words); i++)
            buffer_wr(rig, 0x200 + 4 * i, words[i]);
        start(rig, 0x200, sizeof words);
        wr(rig, D_TARGET, target);
        assert_int_equal(rd(rig, D_CTRL), 0x11);
        assert_int_equal(rig_run(rig), PFIFO_STOP_IDLE);
        /* Handles go through as they are. */
        expect_methods(rig, {2, 0x300, 10}, {2, 0x304, 11}, {2, 0x180, 0x900}, {2, 0x1ff8, 12}, {2, 0x1ffc, 13});
        expect_over(rig, 0x200 + sizeof words, 0);
        expect_reg(rig, INTR, 0);
        assert_int_equal(rd(rig, D_STATE) & 0x5ffc0000, 0);
    }
}

/* ACCESS is kept, as the scan of the hardware test finds it with a count of 0. */
static void access_without_anything_to_send_stays_and_waits_for_a_count(void **state) {
    struct rig *rig = *state;
    prepare(rig);
    buffer_wr(rig, 0x200, INC(2, 0x300, 1));
    buffer_wr(rig, 0x204, 77);
    start(rig, 0x200, 0);
    expect_reg(rig, D_CTRL, 1);
    assert_int_equal(rig_run(rig), PFIFO_STOP_IDLE);
    expect_no_methods(rig);
    expect_reg(rig, D_CTRL, 1);
    expect_reg(rig, D_GET, 0x200);
    wr(rig, D_COUNT, 8);
    expect_reg(rig, D_CTRL, 0x11);
    assert_int_equal(rig_run(rig), PFIFO_STOP_IDLE);
    expect_methods(rig, {2, 0x300, 77});
    expect_over(rig, 0x208, 0);
}

static void a_count_of_0_takes_the_work_away_but_not_access(void **state) {
    struct rig *rig = *state;
    prepare(rig);
    buffer_wr(rig, 0x200, INC(2, 0x300, 1));
    start(rig, 0x200, 8);
    rig_run_for(rig, 1);
    expect_reg(rig, D_CTRL, 0x11);
    wr(rig, D_COUNT, 0);
    expect_reg(rig, D_CTRL, 1);
    rig_run(rig);
    expect_no_methods(rig);
    wr(rig, D_CTRL, 0);
    expect_reg(rig, D_CTRL, 0);
}

static void a_unit_of_work_is_a_word(void **state) {
    struct rig *rig = *state;
    prepare(rig);
    buffer_wr(rig, 0x200, INC(2, 0x300, 3));
    for (uint32_t i = 1; i <= 3; i++)
        buffer_wr(rig, 0x200 + 4 * i, i);
    start(rig, 0x200, 16);
    wr(rig, rig->c1.pull0, 0);
    for (uint32_t words = 1; words <= 4; words++) {
        rig_run_for(rig, 1);
        expect_reg(rig, D_GET, 0x200 + 4 * words);
        expect_reg(rig, D_COUNT, 16 - 4 * words);
        expect_reg(rig, D_STATE, INC(2, 0x300 + 4 * (words - 1), 4 - words));
        expect_reg(rig, D_CTRL, words < 4 ? 0x11 : 0);
        expect_reg(rig, rig->c1.put, gray_pointer(rig, words));
    }
    wr(rig, rig->c1.pull0, 1);
    rig_run(rig);
    expect_methods(rig, {2, 0x300, 1}, {2, 0x304, 2}, {2, 0x308, 3});
}

static void without_the_pusher_the_run_waits(void **state) {
    struct rig *rig = *state;
    prepare(rig);
    buffer_wr(rig, 0x200, 0);
    start(rig, 0x200, 4);
    wr(rig, PUSH0, 0);
    rig_run(rig);
    expect_reg(rig, D_GET, 0x200);
    expect_reg(rig, D_CTRL, 0x11);
    wr(rig, D_CTRL, 0);
    wr(rig, PUSH0, 1);
    rig_run(rig);
    expect_over(rig, 0x200, 4);
    wr(rig, D_CTRL, 1);
    rig_run(rig);
    expect_over(rig, 0x204, 0);
}

static void pages_are_looked_up_one_by_one(void **state) {
    struct rig *rig = *state;
    prepare(rig);
    buffer_wr(rig, 0x1ffc, INC(2, 0x300, 1025));
    for (uint32_t i = 0; i < 1025; i++)
        buffer_wr(rig, 0x2000 + 4 * i, 100 + i);
    start(rig, 0x1ffc, 4 * 1026);
    rig_run(rig);
    assert_int_equal(rig->logged, 1025);
    for (uint32_t i = 0; i < 1025; i++) {
        assert_int_equal(rig->log[i].method, 0x300 + 4 * i);
        assert_int_equal(rig->log[i].data, 100 + i);
    }
    expect_over(rig, 0x3004, 0);
    expect_reg(rig, D_TAG, 0x3000);
    assert_int_equal(rd(rig, D_PTE), frame(3) | 1);
}

/* The last translation is kept until the driver drops it, and one that the driver writes is used. */
static void the_last_page_is_remembered(void **state) {
    struct rig *rig = *state;
    prepare(rig);
    buffer_wr(rig, 0x100, INC(2, 0x300, 1));
    buffer_wr(rig, 0x104, 1);
    system_wr(rig, 0x200100, INC(2, 0x300, 1));
    system_wr(rig, 0x200104, 2);
    start(rig, 0x100, 8);
    rig_run(rig);
    expect_methods(rig, {2, 0x300, 1});
    ramin_wr(rig, TABLE, 0x200000 | 3);
    wr(rig, D_GET, 0x100);
    wr(rig, D_COUNT, 8);
    wr(rig, D_CTRL, 1);
    rig_run(rig);
    expect_methods(rig, {2, 0x300, 1});
    start(rig, 0x100, 8);
    rig_run(rig);
    expect_methods(rig, {2, 0x300, 2});
    ramin_wr(rig, TABLE, 0);
    start(rig, 0x100, 8);
    wr(rig, D_TAG, 0);
    wr(rig, D_PTE, 0x200001);
    rig_run(rig);
    expect_methods(rig, {2, 0x300, 2});
}

static void a_page_that_is_not_there_stops(void **state) {
    struct rig *rig = *state;
    prepare(rig);
    ramin_wr(rig, TABLE + 4, frame(1) | 2);
    buffer_wr(rig, 0xffc, INC(2, 0x300, 1));
    start(rig, 0xffc, 8);
    rig_run(rig);
    expect_reg(rig, INTR, I_DMA_PTE);
    expect_over(rig, 0x1000, 4);
    expect_no_methods(rig);
    /* The driver maps it and goes on within the packet. */
    ramin_wr(rig, TABLE + 4, frame(1) | 3);
    buffer_wr(rig, 0x1000, 77);
    wr(rig, INTR, I_DMA_PTE);
    wr(rig, D_TAG, ~0u);
    wr(rig, D_CTRL, 1);
    rig_run(rig);
    expect_methods(rig, {2, 0x300, 77});
    expect_over(rig, 0x1004, 0);
}

static void a_bad_header_stops_behind_it(void **state) {
    struct rig *rig = *state;
    prepare(rig);
    for (uint32_t bit = 0; bit < 32; bit++) {
        bool bad = 0xe0030003 >> bit & 1;
        buffer_wr(rig, 0x200, 1u << bit);
        wr(rig, D_STATE, 0);
        start(rig, 0x200, 8);
        rig_run_for(rig, 1);
        expect_reg(rig, INTR, bad ? I_DMA_PUSHER : 0);
        assert_int_equal(rd(rig, D_STATE) >> 30 & 1, bad);
        expect_reg(rig, D_GET, 0x204);
        expect_reg(rig, D_COUNT, 4);
        expect_reg(rig, D_CTRL, bad ? 0 : 0x11);
        wr(rig, D_CTRL, 0);
        wr(rig, INTR, ~0u);
    }
}

static void data_of_a_reserved_method_stops_behind_it(void **state) {
    struct rig *rig = *state;
    prepare(rig);
    for (uint32_t method = 4; method < 0x104; method += 4) {
        bool bad = method < 0x100;
        buffer_wr(rig, 0x200, INC(2, method, 1));
        buffer_wr(rig, 0x204, 9);
        wr(rig, D_STATE, 0);
        start(rig, 0x200, 16);
        rig_run_for(rig, 2);
        expect_reg(rig, INTR, bad ? I_DMA_PUSHER : 0);
        assert_int_equal(rd(rig, D_STATE) >> 30 & 1, bad);
        expect_reg(rig, D_GET, 0x208);
        expect_reg(rig, D_CTRL, bad ? 0 : 0x11);
        wr(rig, D_CTRL, 0);
        wr(rig, INTR, ~0u);
        if (bad)
            expect_no_methods(rig);
    }
}

static void a_packet_may_go_on_in_the_next_run(void **state) {
    struct rig *rig = *state;
    prepare(rig);
    buffer_wr(rig, 0x200, INC(2, 0x300, 3));
    buffer_wr(rig, 0x204, 1);
    start(rig, 0x200, 8);
    rig_run(rig);
    expect_methods(rig, {2, 0x300, 1});
    expect_reg(rig, D_STATE, INC(2, 0x304, 2));
    buffer_wr(rig, 0x4100, 2);
    buffer_wr(rig, 0x4104, 3);
    start(rig, 0x4100, 8);
    rig_run(rig);
    expect_methods(rig, {2, 0x304, 2}, {2, 0x308, 3});
}

static void the_method_wraps_in_its_eleven_bits(void **state) {
    struct rig *rig = *state;
    prepare(rig);
    static const uint32_t words[] = {INC(2, 0x1ffc, 2), 5, 0x900};
    for (uint32_t i = 0; i < 3; i++)
        buffer_wr(rig, 0x200 + 4 * i, words[i]);
    start(rig, 0x200, 12);
    rig_run(rig);
    expect_methods(rig, {2, 0x1ffc, 5}, {2, 0, 0x80});
}

static void a_full_cache_holds_the_run_up(void **state) {
    struct rig *rig = *state;
    uint32_t room = rig->c1.entries - 1;
    prepare(rig);
    buffer_wr(rig, 0, INC(2, 0x300, room + 5));
    for (uint32_t i = 0; i < room + 5; i++)
        buffer_wr(rig, 4 + 4 * i, i);
    start(rig, 0, 4 * (room + 6));
    wr(rig, rig->c1.pull0, 0);
    rig_run(rig);
    expect_reg(rig, rig->c1.status, 0x100);
    expect_reg(rig, D_GET, 4 * (room + 1));
    expect_reg(rig, D_CTRL, 0x11);
    wr(rig, rig->c1.pull0, 1);
    rig_run(rig);
    assert_int_equal(rig->logged, room + 5);
    expect_over(rig, 4 * (room + 6), 0);
}

/* A method that stops the puller stops the run only by filling the cache. */
static void a_stopped_puller_does_not_stop_the_run(void **state) {
    struct rig *rig = *state;
    prepare(rig);
    buffer_wr(rig, 0, INC(2, 0, 1));
    buffer_wr(rig, 4, 0xdead); /* nobody's handle */
    buffer_wr(rig, 8, INC(2, 0x300, 1));
    buffer_wr(rig, 12, 5);
    start(rig, 0, 16);
    rig_run(rig);
    expect_reg(rig, INTR, I_CACHE_ERROR);
    expect_over(rig, 16, 0);
    assert_true(rd(rig, rig->c1.put) == gray_pointer(rig, 3));
}

static void during_a_run_no_other_channel_gets_in(void **state) {
    struct rig *rig = *state;
    prepare(rig);
    buffer_wr(rig, 0x200, 0);
    buffer_wr(rig, 0x204, 0);
    start(rig, 0x200, 8);
    rig_run_for(rig, 1);
    expect_reg(rig, rig->c1.status, 0x10);
    user_wr(rig, 7, 0x300, 1);
    expect_runout(rig, 0, 7u << 16 | 0x300 | (uint32_t)NO_CACHE << 28, 1);
    assert_int_equal(current_channel(rig), 6);
    rig_run(rig);
    wr(rig, RUNOUT_GET, 8);
    user_wr(rig, 7, 0x300, 1);
    assert_int_equal(current_channel(rig), 7);
}

static void the_offset_has_24_bits(void **state) {
    struct rig *rig = *state;
    prepare(rig);
    ramin_wr(rig, TABLE + 4 * 4095, 0x300000 | 3);
    system_wr(rig, 0x300ff8, INC(2, 0x300, 1));
    system_wr(rig, 0x300ffc, 8);
    start(rig, 0xfffff8, 8);
    rig_run(rig);
    expect_methods(rig, {2, 0x300, 8});
    expect_over(rig, 0, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        ON_NV3(one_launch_sends_several_packets),
        ON_NV3(access_without_anything_to_send_stays_and_waits_for_a_count),
        ON_NV3(a_count_of_0_takes_the_work_away_but_not_access),
        ON_NV3(a_unit_of_work_is_a_word),
        ON_NV3(without_the_pusher_the_run_waits),
        ON_NV3(pages_are_looked_up_one_by_one),
        ON_NV3(the_last_page_is_remembered),
        ON_NV3(a_page_that_is_not_there_stops),
        ON_NV3(a_bad_header_stops_behind_it),
        ON_NV3(data_of_a_reserved_method_stops_behind_it),
        ON_NV3(a_packet_may_go_on_in_the_next_run),
        ON_NV3(the_method_wraps_in_its_eleven_bits),
        ON_NV3(a_full_cache_holds_the_run_up),
        ON_NV3(a_stopped_puller_does_not_stop_the_run),
        ON_NV3(during_a_run_no_other_channel_gets_in),
        ON_NV3(the_offset_has_24_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
