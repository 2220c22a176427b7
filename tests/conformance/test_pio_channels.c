/* SPDX-License-Identifier: MIT */
/*
 * PIO channels of NV3 .. NV4x among each other, and next to DMA channels: what they are promised, who gives way to
 * whom, and what RAMRO holds of the rest.
 *
 * Sources: envytools docs/hw/fifo/intro.rst, hwtest/pfifo.cc, rnndb/fifo/nv4_pfifo.xml; Linux riva nv4ref.h (SIZE,
 *          STATUS1). UNKNOWN there and chosen: DMA channels and PIO, the free count of NV4.
 */
#include "rig.h"

static void drained(struct rig *rig) {
    wr(rig, RUNOUT_GET, 0);
    wr(rig, RUNOUT_PUT, 0);
    wr(rig, INTR, ~0u);
    wr(rig, rig->c1.get, rd(rig, rig->c1.put));
}

/* The write at `offset` of USER was refused with this reason, alone. */
static void expect_refused(struct rig *rig, uint32_t offset, uint32_t reason, uint32_t data) {
    expect_reg(rig, RUNOUT_PUT, 8);
    expect_runout(rig, 0, offset | reason << 28, data);
    expect_reg(rig, INTR, I_RUNOUT);
}

/* ---- the free count of NV4 and later ---- */

static void the_free_count_ends_at_the_limit_of_the_channel(void **state) {
    struct rig *rig = *state;
    uint32_t entries = rig->c1.entries;
    wr(rig, rig->c1.pull0, 0);
    wr(rig, rig->c1.push1, 3);
    for (uint32_t size = 0; size <= 1; size++) {
        uint32_t limit = size ? 0x200 : 0x7c;
        wr(rig, SIZE, size ? 1u << 3 | 1u << 5 : ~(1u << 3 | 1u << 5));
        for (uint32_t used = 0; used <= entries; used++) {
            uint32_t room = 4 * (entries - used);
            wr(rig, rig->c1.put, 4 * used);
            expect_reg(rig, user_at(3, USER_FREE), room < limit ? room : limit);
            expect_reg(rig, user_at(5, USER_FREE), limit);
            expect_reg(rig, user_at(6, USER_FREE), size ? 0x7c : 0x200);
        }
    }
    wr(rig, RUNOUT_GET, 8); /* something pending: nothing for the others */
    expect_reg(rig, user_at(5, USER_FREE), 0);
    wr(rig, rig->c1.put, 0);
    assert_true(rd(rig, user_at(3, USER_FREE)) != 0);
    wr(rig, PUSH0, 0);
    expect_reg(rig, user_at(3, USER_FREE), 0);
}

/* CACHE1 of channel 3 with `used` entries, and what else decides; gives the reason for refusing `channel`, or -1. */
static int set_up(struct rig *rig, unsigned turn, uint32_t channel, uint32_t used) {
    bool push0 = turn & 1, reassign = turn & 2, pending = turn & 4, foreign = channel != 3;
    wr(rig, RUNOUT_GET, 0); /* also clears the latch */
    wr(rig, RUNOUT_PUT, 0);
    wr(rig, RUNOUT_GET, pending ? 0x40 : 0);
    wr(rig, INTR, ~0u);
    wr(rig, PUSH0, push0);
    wr(rig, CACHES, reassign);
    wr(rig, rig->c1.push1, 3);
    wr(rig, rig->c1.get, 0);
    wr(rig, rig->c1.put, rig->nv4 ? 4 * used : gray_pointer(rig, used));
    if (!push0 || (foreign && (pending || !reassign || used)))
        return NO_CACHE;
    bool full = used == rig->c1.entries - (rig->nv4 ? 0 : 1);
    return !foreign && full ? OVERRUN : -1;
}

static void every_combination_of_the_rules_for_channels(void **state) {
    struct rig *rig = *state;
    const uint32_t fills[] = {0, 5, rig->c1.entries - (rig->nv4 ? 0 : 1)};
    wr(rig, rig->c1.pull0, 0);
    for (unsigned turn = 0; turn < 8; turn++)
        for (size_t i = 0; i < COUNT_OF(fills); i++)
            for (uint32_t channel = 2; channel <= 3; channel++) {
                int reason = set_up(rig, turn, channel, fills[i]);
                uint32_t put = rd(rig, rig->c1.put);
                user_wr(rig, channel, METHOD(4, 0x1230), turn);
                if (reason < 0) {
                    expect_reg(rig, INTR, 0);
                    assert_int_equal(current_channel(rig), channel);
                    uint32_t entry = rig->c1.entry + 8 * (put >> 2);
                    expect_reg(rig, entry, METHOD(4, 0x1230));
                    expect_reg(rig, entry + 4, turn);
                    assert_true(rd(rig, rig->c1.put) != put);
                    continue;
                }
                expect_refused(rig, channel << 16 | METHOD(4, 0x1230), (uint32_t)reason, turn);
                expect_reg(rig, rig->c1.put, put);
                assert_int_equal(current_channel(rig), 3);
                assert_int_equal(rd(rig, rig->c1.status) & 1, channel == 3);
                wr(rig, PUSH0, 1);
                user_wr(rig, 3, 0x100, 7); /* after it, if it was this channel's */
                if (channel == 3)
                    expect_runout(rig, 8, 3u << 16 | 0x100 | (uint32_t)RAN_OUT << 28, 7);
            }
}

/* Each channel has its bit of SIZE. */
static void every_channel_has_a_limit_of_its_own(void **state) {
    struct rig *rig = *state;
    for (uint32_t large = 0; large < rig->channels; large++) {
        wr(rig, SIZE, 1u << large);
        for (uint32_t channel = 0; channel < rig->channels; channel++)
            expect_reg(rig, user_at(channel, USER_FREE), channel == large ? 0x200 : 0x7c);
    }
}

static void a_dma_channel_has_no_free_count(void **state) {
    struct rig *rig = *state;
    rig_open(rig, 1);
    expect_reg(rig, user_at(1, USER_FREE), 0);
    expect_reg(rig, user_at(2, USER_FREE), 0x7c);
}

/* ---- channels ---- */

static void beyond_the_last_channel_is_nothing(void **state) {
    struct rig *rig = *state;
    uint32_t end = 0x800000 + rig->channels * 0x10000;
    for (uint32_t offset = end; offset < 0xc00000; offset += 0x7ffc) {
        wr(rig, offset, 1);
        expect_reg(rig, offset, 0);
    }
    expect_reg(rig, end + USER_FREE, 0);
    expect_reg(rig, RUNOUT_STATUS, 0x10);
    expect_reg(rig, INTR, 0);
    user_wr(rig, rig->channels - 1, 0x1ffc, 1);
    assert_int_equal(cache_entries(rig), 1);
}

/* The switch of a PIO write needs REASSIGN and an empty cache; not a puller. */
static void a_write_switches_channels_without_a_puller(void **state) {
    struct rig *rig = *state;
    wr(rig, rig->c1.pull0, 0);
    wr(rig, rig->c1.push1, 3);
    wr(rig, ENGINE, 0x01010101);
    wr(rig, rig->c1.pull1, 1);
    user_wr(rig, 2, 0x300, 4);
    assert_int_equal(current_channel(rig), 2);
    assert_int_equal(cache_entries(rig), 1);
    expect_reg(rig, ENGINE, 0);
    user_wr(rig, 3, 0x300, 5); /* not empty */
    expect_refused(rig, 3u << 16 | 0x300, NO_CACHE, 5);
    drained(rig);
    wr(rig, CACHES, 0);
    user_wr(rig, 3, 0x300, 5);
    expect_refused(rig, 3u << 16 | 0x300, NO_CACHE, 5);
    drained(rig);
    wr(rig, CACHES, 1);
    user_wr(rig, 3, 0x300, 5);
    assert_int_equal(current_channel(rig), 3);
    expect_reg(rig, ENGINE, 0x01010101);
    assert_int_equal(rd(rig, rig->c1.pull1) & 3, 1);
}

static void an_idle_dma_channel_gives_way_to_pio_and_a_busy_one_does_not(void **state) {
    struct rig *rig = *state;
    rig_open_bound(rig);
    assert_int_equal(current_channel(rig), 1);
    wr(rig, rig->c1.pull0, 0);
    push(rig, INC(0, 0x300, 1), 1);
    wr(rig, DMA_PUSH, 0);
    rig_submit(rig, 1);
    expect_reg(rig, rig->c1.status, 0x10);
    user_wr(rig, 2, 0x300, 2);
    expect_refused(rig, 2u << 16 | 0x300, NO_CACHE, 2);
    drained(rig);
    wr(rig, DMA_GET, rd(rig, DMA_PUT));
    user_wr(rig, 2, 0x300, 2);
    expect_reg(rig, rig->c1.push1, 2); /* in PIO mode */
    assert_int_equal(cache_entries(rig), 1);
}

/* A channel that waits for a semaphore has nothing in the cache, and keeps it all the same. */
static void a_channel_that_waits_in_an_acquire_is_busy(void **state) {
    struct rig *rig = *state;
    rig_open_bound(rig);
    wr(rig, CACHES, 0);
    rig_handle(rig, 1, 0x5e3a, 0, rig_instance(rig, (const uint32_t[]){0x2b002, 0xfff, 0x600002, 0x600002}, 4));
    push(rig, INC(0, 0x60, 2), 0x5e3a, 0, INC(0, 0x68, 1), 1);
    assert_int_equal(rig_go(rig), PFIFO_STOP_WAITING);
    wr(rig, CACHES, 1);
    expect_reg(rig, DMA_GET, rd(rig, DMA_PUT));
    expect_reg(rig, rig->c1.status, 0x10);
    user_wr(rig, 2, 0x300, 2);
    expect_refused(rig, 2u << 16 | 0x300, NO_CACHE, 2);
    drained(rig);
    system_wr(rig, 0x600000, 1);
    wr(rig, CACHES, 0);
    rig_run(rig);
    wr(rig, CACHES, 1);
    user_wr(rig, 2, 0x300, 2);
    assert_int_equal(current_channel(rig), 2);
}

static void the_channel_of_an_open_cache0_is_refused(void **state) {
    struct rig *rig = *state;
    wr(rig, rig->c1.pull0, 0);
    wr(rig, rig->c1.push1, 3);
    wr(rig, C0_PUSH0, 1);
    for (uint32_t channel = 0; channel < rig->channels; channel++) {
        drained(rig);
        wr(rig, rig->c0.push1, channel);
        user_wr(rig, channel, 0x300, channel);
        expect_refused(rig, channel << 16 | 0x300, NO_CACHE, channel);
        drained(rig);
        user_wr(rig, channel ^ 1, 0x300, channel);
        expect_reg(rig, RUNOUT_STATUS, 0x10);
    }
}

/* Bit 0 of STATUS, and on NV4 of STATUS1. */
static void the_latch_shows_in_the_status(void **state) {
    struct rig *rig = *state;
    wr(rig, rig->c1.push1, 3);
    write_bytes(rig, user_at(3, 0x300), 0, 1);
    expect_reg(rig, rig->c1.status, 0x11);
    if (on(rig, "NV4"))
        expect_reg(rig, STATUS1, 1);
    for (uint32_t channel = 0; channel < rig->channels; channel++)
        expect_reg(rig, user_at(channel, USER_FREE), 0);
    wr(rig, RUNOUT_GET, 8);
    expect_reg(rig, rig->c1.status, 0x10);
    if (on(rig, "NV4"))
        expect_reg(rig, STATUS1, 0);
}

/* 512 bytes or 8 KiB. */
static void ramro_has_the_size_that_its_register_says(void **state) {
    struct rig *rig = *state;
    uint32_t base = rd(rig, RAMRO);
    wr(rig, PUSH0, 0);
    for (uint32_t large = 0; large <= 1; large++) {
        uint32_t entries = large ? 1024 : 64;
        wr(rig, RAMRO, large ? base | 0x10000 : base);
        drained(rig);
        for (uint32_t i = 0; i < entries - 1; i++)
            user_wr(rig, 2, 0x300, i);
        expect_reg(rig, RUNOUT_PUT, 8 * (entries - 1));
        expect_reg(rig, INTR, I_RUNOUT);
        assert_int_equal(ramro_rd(rig, 8 * (entries - 2) + 4), entries - 2);
        user_wr(rig, 2, 0x300, 0);
        expect_reg(rig, INTR, I_RUNOUT | I_OVERFLOW);
        wr(rig, RUNOUT_GET, 0x10);
        user_wr(rig, 2, 0x300, 0x77); /* the last place, and around */
        expect_reg(rig, RUNOUT_PUT, 0);
        assert_int_equal(ramro_rd(rig, 8 * (entries - 1) + 4), 0x77);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        FROM_NV4(the_free_count_ends_at_the_limit_of_the_channel),
        FROM_NV4(a_dma_channel_has_no_free_count),
        FROM_NV4(beyond_the_last_channel_is_nothing),
        FROM_NV4(a_write_switches_channels_without_a_puller),
        FROM_NV4(an_idle_dma_channel_gives_way_to_pio_and_a_busy_one_does_not),
        ON_NV3(the_channel_of_an_open_cache0_is_refused),
        FROM_NV4(the_channel_of_an_open_cache0_is_refused),
        ON_NV3(the_latch_shows_in_the_status),
        FROM_NV4(the_latch_shows_in_the_status),
        ON_NV3(ramro_has_the_size_that_its_register_says),
        FROM_NV4(ramro_has_the_size_that_its_register_says),
        ON_NV3(every_combination_of_the_rules_for_channels),
        FROM_NV4(every_combination_of_the_rules_for_channels),
        FROM_NV4(every_channel_has_a_limit_of_its_own),
        FROM_NV1A(a_channel_that_waits_in_an_acquire_is_busy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
