/* SPDX-License-Identifier: MIT */
/*
 * Which channel is in CACHE1 on G80 .. MCP89: channel table, playlist and timeslices.
 *
 * Sources: envytools rnndb/fifo/g80_pfifo.xml; nouveau nvkm/engine/fifo/{nv50,channv50,chang84}.c. What the documents
 * do not say is [chosen].
 */
#include "g80.h"

#define PENDING (1u << 30)
#define ENABLE  (1u << 31)

/* ---- playlist ---- */

static void the_list_is_latched_with_its_length(void **state) {
    struct rig *rig = *state;
    rig_open(rig, 2);
    vram_wr(rig, 0xa000, 2);
    publish(rig, (const uint32_t[]){1}, 1);
    wr(rig, PLAYLIST, 0xa000 >> 12); /* too late */
    wr(rig, CACHES, 0x101);
    push(rig, 0);
    push_to(rig, 2, 0);
    rig_submit(rig, 1);
    rig_submit(rig, 2);
    assert_int_equal(rig_run(rig), PFIFO_STOP_IDLE);
    assert_int_equal(user_rd(rig, 1, USER_GET), 4);
    assert_int_equal(user_rd(rig, 2, USER_GET), 0);
}

static void bit_8_of_caches_takes_the_list_at_once(void **state) {
    struct rig *rig = *state;
    bring_in(rig, 1);
    publish(rig, NULL, 0);
    assert_int_equal(current_channel(rig), 1);
    wr(rig, CACHES, 0x101);
    assert_int_equal(current_channel(rig), CHANNEL_IDLE);
    assert_int_equal(rd(rig, CACHES), 1);
}

/* [chosen] Without that bit it is taken when PFIFO works next. */
static void without_bit_8_the_list_is_taken_at_the_next_work(void **state) {
    struct rig *rig = *state;
    bring_in(rig, 1);
    publish(rig, NULL, 0);
    wr(rig, CACHES, 1);
    assert_int_equal(current_channel(rig), 1);
    assert_int_equal(rig_run(rig), PFIFO_STOP_IDLE);
    assert_int_equal(current_channel(rig), CHANNEL_IDLE);
}

static void bit_8_alone_changes_nothing(void **state) {
    struct rig *rig = *state;
    bring_in(rig, 1);
    wr(rig, CACHES, 0x101);
    assert_int_equal(current_channel(rig), 1);
    assert_int_equal(rd(rig, CACHES), 1);
}

static void caches_keeps_its_unknown_bit_1_and_no_others(void **state) {
    struct rig *rig = *state;
    wr(rig, CACHES, 0xffffffff);
    assert_int_equal(rd(rig, CACHES), 3);
    wr(rig, CACHES, 0);
    assert_int_equal(rd(rig, CACHES), 0);
}

/* G80 counts to 255, later chips to 4095; there are 128 channels. */
static void a_list_longer_than_the_channels_is_cut(void **state) {
    struct rig *rig = *state;
    bring_in(rig, 1);
    for (uint32_t i = 0; i < 128; i++)
        vram_wr(rig, RIG_PLAYLIST + 4 * i, 99);
    vram_wr(rig, RIG_PLAYLIST + 4 * 128, 1);
    wr(rig, PLAYLIST, RIG_PLAYLIST >> 12);
    wr(rig, PLAYLIST_LENGTH, 129);
    wr(rig, CACHES, 0x101);
    assert_int_equal(current_channel(rig), CHANNEL_IDLE);
    vram_wr(rig, RIG_PLAYLIST + 4 * 127, 1);
    assert_int_equal(rig_run(rig), PFIFO_STOP_IDLE);
    bring_in(rig, 1);
}

/* Entries have 32 bits, channels 7; a channel may stand in the list twice. */
static void channels_take_turns_in_the_order_of_the_list(void **state) {
    struct rig *rig = *state;
    for (uint32_t channel = 2; channel <= 4; channel++)
        rig_open(rig, channel);
    rig_playlist(rig, (const uint32_t[]){3, 1, 4, 2, 3}, 5);
    static const uint32_t order[] = {3, 1, 4, 2};
    for (uint32_t channel = 1; channel <= 4; channel++) {
        push_to(rig, channel, INC(0, 0x50, 1), channel);
        rig_submit(rig, channel);
    }
    for (uint32_t i = 0; i < 4; i++) {
        assert_int_equal(rig_run_for(rig, 3), i < 3 ? PFIFO_STOP_BUDGET : PFIFO_STOP_IDLE);
        assert_int_equal(current_channel(rig), order[i]);
        assert_int_equal(rd(rig, REF), order[i]);
    }
}

/* ---- the channel table ---- */

static void pending_is_work_of_a_channel_that_is_out(void **state) {
    struct rig *rig = *state;
    rig_open(rig, 2);
    bring_in(rig, 1);
    assert_false(rd(rig, CHAN_TABLE + 8) & PENDING);
    push_to(rig, 2, 0);
    rig_submit(rig, 2);
    assert_true(rd(rig, CHAN_TABLE + 8) & PENDING);
    push(rig, 0);
    rig_submit(rig, 1);
    assert_false(rd(rig, CHAN_TABLE + 4) & PENDING);
    assert_int_equal(rig_run(rig), PFIFO_STOP_IDLE);
    assert_false(rd(rig, CHAN_TABLE + 8) & PENDING);
    wr(rig, CHAN_TABLE + 8, rd(rig, CHAN_TABLE + 8) | PENDING); /* it is not the driver's */
    assert_false(rd(rig, CHAN_TABLE + 8) & PENDING);
}

static void a_disabled_channel_is_not_pending(void **state) {
    struct rig *rig = *state;
    rig_open(rig, 2);
    push_to(rig, 2, 0);
    rig_submit(rig, 2);
    assert_true(rd(rig, CHAN_TABLE + 8) & PENDING);
    wr(rig, CHAN_TABLE + 8, rd(rig, CHAN_TABLE + 8) & ~ENABLE);
    assert_false(rd(rig, CHAN_TABLE + 8) & PENDING);
}

/* The idle channel of most drivers has no entry in the table: there is no place to save it to. */
static void the_idle_channel_is_saved_nowhere(void **state) {
    struct rig *rig = *state;
    for (uint32_t at = 0; at < 0x500; at += 4)
        vram_wr(rig, at, 0xa5a5a5a5);
    wr(rig, REF, 0x1234);
    wr(rig, ENGINE, 1);
    wr(rig, CACHE_METHOD, 0x100);
    wr(rig, CACHE_PUT, 4);
    rig->engine[1].refuse = true; /* it leaves with an entry */
    bring_in(rig, 1);
    for (uint32_t at = 0; at < 0x500; at += 4)
        assert_int_equal(vram_rd(rig, at), 0xa5a5a5a5);
}

/* Some drivers give it a descriptor: then it is a channel as any. */
static void an_idle_channel_with_a_descriptor_is_saved(void **state) {
    struct rig *rig = *state;
    uint32_t ramfc = 0x300000;
    wr(rig, CHAN_TABLE + 4 * CHANNEL_IDLE, ENABLE | ramfc >> (rig->descriptor_has_ramfc ? 12 : 8));
    wr(rig, REF, 0x1234);
    bring_in(rig, 1);
    assert_int_equal(vram_rd(rig, ramfc + 0x74), 0x1234);
}

/* ---- timeslices ---- */

/* [chosen] a step is 1024 ns, which is 64 words or methods on the machine's own clock. */
static void the_timer_counts_down_to_expired(void **state) {
    struct rig *rig = *state;
    ramfc_wr(rig, 1, 0x44, 0x01000002);
    push(rig, 0);
    rig_submit(rig, 1);
    assert_int_equal(rig_run(rig), PFIFO_STOP_IDLE);
    assert_int_equal(rd(rig, TIMESLICE_DMA), 0x01000002);
    assert_int_equal(rd(rig, TIMESLICE), 2);
    push(rig, NONINC(0, 0x50, 300));
    for (uint32_t i = 0; i < 300; i++)
        push(rig, i);
    rig_submit(rig, 1);
    assert_int_equal(rig_run_for(rig, 63), PFIFO_STOP_BUDGET);
    assert_int_equal(rd(rig, TIMESLICE), 1);
    assert_int_equal(rig_run_for(rig, 127), PFIFO_STOP_BUDGET);
    assert_int_equal(rd(rig, TIMESLICE), 0);
    assert_int_equal(rig_run_for(rig, 1), PFIFO_STOP_BUDGET);
    assert_int_equal(rd(rig, TIMESLICE), 0x3ffff);
    assert_int_equal(rig_run(rig), PFIFO_STOP_IDLE); /* alone it goes on */
    assert_int_equal(rd(rig, TIMESLICE), 0x3ffff);
}

static void without_timeout_the_timer_stands(void **state) {
    struct rig *rig = *state;
    ramfc_wr(rig, 1, 0x44, 0x00000005);
    bring_in(rig, 1);
    assert_int_equal(rd(rig, TIMESLICE), 5);
    bring_in(rig, 1);
    assert_int_equal(rd(rig, TIMESLICE), 5);
}

static void a_driver_may_end_or_extend_the_timeslice(void **state) {
    struct rig *rig = *state;
    rig_open(rig, 2);
    ramfc_wr(rig, 1, 0x44, 0x01000002);
    bring_in(rig, 1);
    wr(rig, TIMESLICE, 0x1000);
    assert_int_equal(rd(rig, TIMESLICE), 0x1000);
    push(rig, NONINC(0, 0x50, 400));
    for (uint32_t i = 0; i < 400; i++)
        push(rig, i);
    rig_submit(rig, 1);
    push_to(rig, 2, 0);
    rig_submit(rig, 2);
    assert_int_equal(rig_run_for(rig, 300), PFIFO_STOP_BUDGET);
    assert_int_equal(current_channel(rig), 1);
    wr(rig, TIMESLICE, 0x3ffff);
    assert_int_equal(rig_run_for(rig, 1), PFIFO_STOP_BUDGET);
    assert_int_equal(current_channel(rig), 2);
}

static void expired_with_entries_in_flight_nothing_is_lost(void **state) {
    struct rig *rig = *state;
    rig_open(rig, 2);
    rig_object(rig, 2, 0xbeef0002, 1, 0x4097);
    uint32_t sum = 0;
    for (uint32_t channel = 1; channel <= 2; channel++) {
        ramfc_wr(rig, channel, 0x44, 0x01000000);
        if (channel == 1)
            rig_object(rig, 1, 0xbeef0002, 1, 0x4097);
        push_to(rig, channel, INC(channel, 0, 1), 0xbeef0002, NONINC(channel, 0x200, 500));
        for (uint32_t i = 0; i < 500; i++)
            push_to(rig, channel, channel << 16 | i);
        rig_submit(rig, channel);
    }
    rig->engine[1].refuse = true; /* both fill CACHE1 */
    assert_int_equal(rig_run(rig), PFIFO_STOP_WAITING);
    rig->engine[1].refuse = false;
    assert_int_equal(rig_run(rig), PFIFO_STOP_IDLE);
    uint32_t next[3] = {0};
    for (size_t i = 0; i < rig->logged; i++)
        if (rig->log[i].method == 0x200) {
            uint32_t channel = rig->log[i].data >> 16;
            assert_int_equal(rig->log[i].data & 0xffff, next[channel]++);
            sum++;
        }
    assert_int_equal(sum, 1000);
}

/* ---- an IB channel beside one in DMA mode and one in PIO mode ---- */

static void ib_dma_and_pio_channels_live_together(void **state) {
    struct rig *rig = *state;
    rig_open(rig, CHANNEL_PIO);
    rig_open_ib(rig, 2, 3);
    for (uint32_t round = 1; round <= 20; round++) {
        push(rig, INC(0, 0x50, 1), round, JUMP(rig->pushed[1] + 16), 0xffffffff);
        rig_submit(rig, 1);
        uint64_t at = rig->pushed[2];
        push_to(rig, 2, LONG_NONINC(0, 0x50), 2, round, round + 1);
        rig_segment(rig, 2, SEGMENT(at, 4));
        rig_submit(rig, 2);
        pio(rig, 0, 0x50, round + 2);
        assert_int_equal(rig_run(rig), PFIFO_STOP_IDLE);
        assert_int_equal(user_rd(rig, 1, USER_REF), round);
        assert_int_equal(user_rd(rig, 2, USER_REF), round + 1);
        assert_int_equal(user_rd(rig, CHANNEL_PIO, USER_REF), round + 2);
        assert_int_equal(user_rd(rig, 2, USER_IB_GET), round % 8);
    }
    assert_int_equal(rd(rig, INTR), 0);
}

/* SLI, REF, semaphore and byte counts are a channel's own. */
static void sli_is_per_channel(void **state) {
    struct rig *rig = *state;
    rig_open(rig, 2);
    ramfc_wr(rig, 1, 0x7c, 0x30000001);
    ramfc_wr(rig, 2, 0x7c, 0x30000002);
    for (uint32_t channel = 1; channel <= 2; channel++) {
        push_to(rig, channel, SLI(1), INC(0, 0x50, 1), 1, SLI(2), INC(0, 0x50, 1), 2, SLI(0), INC(0, 0x50, 1), 3);
        rig_submit(rig, channel);
    }
    assert_int_equal(rig_run(rig), PFIFO_STOP_IDLE);
    assert_int_equal(user_rd(rig, 1, USER_REF), 1);
    assert_int_equal(user_rd(rig, 2, USER_REF), 2);
    assert_int_equal(rd(rig, SLI_REG), 0x20000002);
    assert_int_equal(ramfc_rd(rig, 1, 0x7c), 0x20000001);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        ON_KINDS(the_list_is_latched_with_its_length),
        ON_KINDS(bit_8_of_caches_takes_the_list_at_once),
        ON_KINDS(without_bit_8_the_list_is_taken_at_the_next_work),
        ON_KINDS(bit_8_alone_changes_nothing),
        ON_EACH(caches_keeps_its_unknown_bit_1_and_no_others),
        ON_KINDS(a_list_longer_than_the_channels_is_cut),
        ON_KINDS(channels_take_turns_in_the_order_of_the_list),
        ON_KINDS(pending_is_work_of_a_channel_that_is_out),
        ON_KINDS(a_disabled_channel_is_not_pending),
        ON_KINDS(the_idle_channel_is_saved_nowhere),
        ON_KINDS(an_idle_channel_with_a_descriptor_is_saved),
        ON_KINDS(the_timer_counts_down_to_expired),
        ON_KINDS(without_timeout_the_timer_stands),
        ON_KINDS(a_driver_may_end_or_extend_the_timeslice),
        ON_KINDS(expired_with_entries_in_flight_nothing_is_lost),
        ON_EACH(ib_dma_and_pio_channels_live_together),
        ON_KINDS(sli_is_per_channel),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
