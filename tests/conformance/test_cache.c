/* SPDX-License-Identifier: MIT */
/* CACHE1 of NV4 .. NV4x: pointers, entries and their aliases (rnndb/fifo/nv4_pfifo.xml, Linux riva nv4ref.h). */
#include "rig.h"

static uint32_t pointer_mask(const struct rig *rig) {
    return rig->nv40 ? 0x7fc : 0x3fc;
}

/* A PIO channel in the cache whose subchannels all belong to engine 1. */
static void engine_everywhere(struct rig *rig) {
    wr(rig, ENGINE, 0x11111111);
    wr(rig, rig->c1.pull1, 1);
}

static void pointers_keep_their_bits_alone(void **state) {
    struct rig *rig = *state;
    wr(rig, rig->c1.pull0, 0);
    for (uint32_t value = 0; value < 0x2000; value += 3) {
        wr(rig, rig->c1.put, value);
        wr(rig, rig->c1.get, ~value);
        expect_reg(rig, rig->c1.put, value & pointer_mask(rig));
        expect_reg(rig, rig->c1.get, ~value & pointer_mask(rig));
    }
}

static void the_distance_of_the_pointers_says_empty_and_full(void **state) {
    struct rig *rig = *state;
    uint32_t mask = pointer_mask(rig);
    wr(rig, rig->c1.pull0, 0);
    for (uint32_t put = 0; put <= mask; put += 4) {
        wr(rig, rig->c1.put, put);
        for (uint32_t get = 0; get <= mask; get += 4) {
            uint32_t used = ((put - get) & mask) / 4;
            wr(rig, rig->c1.get, get);
            expect_reg(rig, rig->c1.status, used == 0 ? 0x10 : used >= rig->c1.entries ? 0x100 : 0);
        }
    }
}

static void the_upper_half_of_the_slots_is_the_lower_half(void **state) {
    struct rig *rig = *state;
    uint32_t entries = rig->c1.entries, nonincreasing = on(rig, "NV10-");
    for (uint32_t i = 0; i < 2 * entries; i++) {
        uint32_t other = rig->c1.entry + 8 * (i ^ entries), at = rig->c1.entry + 8 * i;
        wr(rig, at, 0xffff0000 | (0x2004 + 4 * i));
        wr(rig, at + 4, ~i);
        expect_reg(rig, other, 0x2004 + 4 * i);
        expect_reg(rig, other + 4, ~i);
        wr(rig, other, ~0u);
        expect_reg(rig, at, 0xfffc | nonincreasing);
    }
}

/* From each pointer, through the end and on. */
static void the_puller_wraps_at_the_end_of_the_pointer(void **state) {
    struct rig *rig = *state;
    uint32_t mask = pointer_mask(rig);
    engine_everywhere(rig);
    for (uint32_t start = 0; start <= mask; start += 4) {
        wr(rig, rig->c1.put, start);
        wr(rig, rig->c1.get, start);
        rig_inject(rig, 2, 0x300, start);
        rig_inject(rig, 3, 0x304, ~start);
        assert_int_equal(rig_run(rig), PFIFO_STOP_IDLE);
        expect_methods(rig, {2, 0x300, start}, {3, 0x304, ~start});
        expect_reg(rig, rig->c1.get, (start + 8) & mask);
        expect_reg(rig, rig->c1.put, (start + 8) & mask);
    }
}

/* PIO fills all real entries, wherever it starts. */
static void pio_fills_the_cache_to_the_last_entry(void **state) {
    struct rig *rig = *state;
    uint32_t channel = rig->channels - 1, mask = pointer_mask(rig), slots = rig->c1.entries;
    wr(rig, rig->c1.pull0, 0);
    for (uint32_t start = 0; start <= mask; start += 4 * 37) {
        wr(rig, rig->c1.put, start);
        wr(rig, rig->c1.get, start);
        for (uint32_t i = 0; i < slots; i++)
            user_wr(rig, channel, METHOD(i & 7, 0x100 + 4 * i), i);
        expect_reg(rig, RUNOUT_STATUS, 0x10);
        expect_reg(rig, rig->c1.status, 0x100);
        expect_reg(rig, rig->c1.put, (start + 4 * slots) & mask);
        for (uint32_t i = 0; i < slots; i++) {
            uint32_t slot = (start / 4 + i) % slots;
            expect_reg(rig, rig->c1.entry + 8 * slot, METHOD(i & 7, 0x100 + 4 * i));
            expect_reg(rig, rig->c1.entry + 8 * slot + 4, i);
        }
    }
    user_wr(rig, channel, 0x100, 0);
    expect_runout(rig, 0, channel << 16 | 0x100 | (uint32_t)OVERRUN << 28, 0);
}

static void the_dma_pusher_fills_the_cache_to_the_last_entry_and_waits(void **state) {
    struct rig *rig = *state;
    rig_open_bound(rig);
    wr(rig, rig->c1.pull0, 0);
    uint32_t entries = rig->c1.entries, start = rig->pushed[1], slot = rd(rig, rig->c1.put) >> 2;
    push(rig, INC(5, 0x400, entries + 10));
    for (uint32_t i = 0; i < entries + 10; i++)
        push(rig, 7000 + i);
    assert_int_equal(rig_go(rig), PFIFO_STOP_FROZEN);
    expect_reg(rig, rig->c1.status, 0x100);
    assert_int_equal(cache_entries(rig), entries);
    expect_reg(rig, DMA_GET, start + 4 + 4 * entries);
    for (uint32_t i = 0; i < entries; i++) {
        uint32_t at = rig->c1.entry + 8 * ((slot + i) % entries);
        expect_reg(rig, at, METHOD(5, 0x400 + 4 * i));
        expect_reg(rig, at + 4, 7000 + i);
    }
    wr(rig, ENGINE, 0x00100000);
    wr(rig, rig->c1.pull0, 1);
    assert_int_equal(rig_run(rig), PFIFO_STOP_IDLE);
    assert_int_equal(rig->logged, entries + 10);
    assert_int_equal(rig->log[entries + 9].data, 7000 + entries + 9);
    assert_int_equal(rig->log[entries + 9].method, 0x400 + 4 * (entries + 9));
}

/* The flag that tells pairs of methods apart from runs to one method. */
static void entries_of_nonincreasing_packets_are_marked(void **state) {
    struct rig *rig = *state;
    rig_open_bound(rig);
    wr(rig, rig->c1.pull0, 0);
    uint32_t slot = rd(rig, rig->c1.put) >> 2;
    push(rig, NONINC(3, 0x300, 2), 1, 2, INC(4, 0x300, 2), 3, 4);
    rig_go(rig);
    static const uint32_t words[] = {METHOD(3, 0x301), METHOD(3, 0x301), METHOD(4, 0x300), METHOD(4, 0x304)};
    for (uint32_t i = 0; i < 4; i++) {
        expect_reg(rig, rig->c1.entry + 8 * (slot + i), words[i]);
        expect_reg(rig, rig->c1.entry + 8 * (slot + i) + 4, i + 1);
    }
}

static void a_cache_filled_beyond_its_size_counts_as_full(void **state) {
    struct rig *rig = *state;
    uint32_t channel = rig->channels - 1;
    wr(rig, rig->c1.pull0, 0);
    for (uint32_t used = rig->c1.entries; used < 2 * rig->c1.entries; used += 7) {
        wr(rig, RUNOUT_GET, rd(rig, RUNOUT_PUT));
        wr(rig, rig->c1.get, 0);
        wr(rig, rig->c1.put, 4 * used);
        user_wr(rig, channel, 0x200, used);
        expect_reg(rig, rig->c1.put, 4 * used);
        expect_reg(rig, RUNOUT_STATUS, 1);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        FROM_NV4(pointers_keep_their_bits_alone),
        FROM_NV4(the_distance_of_the_pointers_says_empty_and_full),
        FROM_NV4(the_upper_half_of_the_slots_is_the_lower_half),
        FROM_NV4(the_puller_wraps_at_the_end_of_the_pointer),
        FROM_NV4(pio_fills_the_cache_to_the_last_entry),
        FROM_NV4(the_dma_pusher_fills_the_cache_to_the_last_entry_and_waits),
        FROM_NV10(entries_of_nonincreasing_packets_are_marked),
        FROM_NV4(a_cache_filled_beyond_its_size_counts_as_full),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
