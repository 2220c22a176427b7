/* SPDX-License-Identifier: MIT */
/* Status registers and the free count of NV1, and of NV3 where they are the same (envytools hwtest/pfifo.cc). */
#include "nv1.h"

/* Every write position, with reading positions around it and some far away. */
static void runout_status_compares_the_pointers(void **state) {
    struct rig *rig = *state;
    uint32_t configs = rig->nv1 ? 4 : 1, put_mask = rig->nv1 ? 0x3ff8 : 0x1ff8;
    for (uint32_t config = 0; config < configs; config++) {
        uint32_t mask = 0x1f8;
        if (rig->nv1) {
            wr(rig, PRAM_CONFIG, config);
            mask = (0x800u << config) - 8;
        }
        for (uint32_t put = 0; put <= put_mask; put += 8) {
            const uint32_t gets[] = {put, put + 8, put - 8, (put + 8) & mask, put & mask, 0, mask, put ^ 0x2000};
            wr(rig, RUNOUT_PUT, put);
            for (size_t i = 0; i < COUNT_OF(gets); i++) {
                uint32_t get = gets[i] & 0x3ff8;
                wr(rig, RUNOUT_GET, get);
                uint32_t wanted = get == put ? 0x10 : 0x01;
                if (get == ((put + 8) & mask))
                    wanted |= 0x100;
                expect_reg(rig, RUNOUT_STATUS, wanted);
            }
        }
    }
}

static void cache0_is_empty_or_full(void **state) {
    struct rig *rig = *state;
    for (uint32_t put = 0; put <= 4; put += 4)
        for (uint32_t get = 0; get <= 4; get += 4) {
            wr(rig, rig->c0.put, put);
            wr(rig, rig->c0.get, get);
            expect_reg(rig, rig->c0.status, get == put ? 0x10 : 0x100);
        }
}

static void cache1_status_follows_the_pointers_and_the_latch(void **state) {
    struct rig *rig = *state;
    uint32_t entries = rig->c1.entries;
    for (uint32_t latch = 0; latch <= 1; latch++) {
        wr(rig, RUNOUT_GET, 0);
        wr(rig, RUNOUT_PUT, 0);
        if (latch)
            write_bytes(rig, user_at(0, 0x100), 0, 2);
        for (uint32_t put = 0; put < entries; put++)
            for (uint32_t get = 0; get < entries; get++) {
                wr(rig, rig->c1.put, gray_pointer(rig, put));
                wr(rig, rig->c1.get, gray_pointer(rig, get));
                uint32_t wanted = put == get ? 0x10 : (put + 1) % entries == get ? 0x100 : 0;
                expect_reg(rig, rig->c1.status, wanted | latch);
            }
    }
}

static const uint8_t sequence[32] = {0x00, 0x04, 0x0c, 0x08, 0x18, 0x1c, 0x14, 0x10, 0x30, 0x34, 0x3c,
                                     0x38, 0x28, 0x2c, 0x24, 0x20, 0x60, 0x64, 0x6c, 0x68, 0x78, 0x7c,
                                     0x74, 0x70, 0x50, 0x54, 0x5c, 0x58, 0x48, 0x4c, 0x44, 0x40};

/* The documented sequence, by pushing, twice around: slots are counted by the Gray value, too. */
static void the_write_pointer_walks_the_gray_sequence(void **state) {
    struct rig *rig = *state;
    wr(rig, rig->c1.pull0, 0);
    for (uint32_t i = 0; i < 64; i++) {
        uint32_t slot = sequence[i % 32] >> 2;
        expect_reg(rig, rig->c1.put, sequence[i % 32]);
        user_wr(rig, 0, METHOD(i % 8, 0x100 + 4 * i), i);
        expect_reg(rig, rig->c1.entry + 8 * slot, METHOD(i % 8, 0x100 + 4 * i));
        expect_reg(rig, rig->c1.entry + 8 * slot + 4, i);
        wr(rig, rig->c1.get, rd(rig, rig->c1.put));
    }
    expect_reg(rig, rig->c1.put, 0);
}

/* One bit at each step, every value once; the first 32 of NV3T's 64 are those of NV1. */
static void the_write_pointer_changes_one_bit_at_a_step(void **state) {
    struct rig *rig = *state;
    uint64_t seen = 0;
    wr(rig, rig->c1.pull0, 0);
    for (uint32_t i = 0; i < rig->c1.entries; i++) {
        uint32_t put = rd(rig, rig->c1.put);
        assert_int_equal(put, i < 32 ? sequence[i] : gray_pointer(rig, i));
        seen |= UINT64_C(1) << (put >> 2);
        user_wr(rig, 0, 0x100, i);
        uint32_t changed = (put ^ rd(rig, rig->c1.put)) >> 2;
        assert_true(changed && !(changed & (changed - 1)));
        wr(rig, rig->c1.get, rd(rig, rig->c1.put));
    }
    assert_true(seen == (rig->c1.entries == 64 ? UINT64_MAX : 0xffffffff));
    expect_reg(rig, rig->c1.put, 0);
}

static void the_puller_walks_the_gray_sequence(void **state) {
    struct rig *rig = *state;
    rig_old_object(rig, 0, 0x80000000, rig->nv1 ? 0x50 : 0x42, 0x341);
    user_wr(rig, 0, 0, 0x80000000);
    rig_run(rig);
    for (uint32_t i = 1; i < 3 * rig->c1.entries; i++) {
        expect_reg(rig, rig->c1.get, gray_pointer(rig, i));
        user_wr(rig, 0, 0x100, i);
        rig_run(rig);
    }
}

/* ---- the free count ---- */

static void expect_free(struct rig *rig, uint32_t channel, uint32_t wanted) {
    for (uint32_t subchannel = 0; subchannel < 8; subchannel++) {
        uint32_t at = user_at(channel, METHOD(subchannel, USER_FREE));
        expect_reg(rig, at, wanted);
        assert_int_equal(read_bytes(rig, at, 2), wanted);
    }
}

static void with_the_latch_nobody_has_room(void **state) {
    struct rig *rig = *state;
    for (uint32_t push0 = 0; push0 <= 1; push0++)
        for (uint32_t used = 0; used < rig->c1.entries; used += 5) {
            wr(rig, RUNOUT_GET, rd(rig, RUNOUT_PUT));
            wr(rig, rig->c1.push1, 9);
            write_bytes(rig, user_at(9, 0x104), 0, 1);
            wr(rig, PUSH0, push0);
            wr(rig, rig->c1.put, gray_pointer(rig, used));
            for (uint32_t channel = 0; channel < 128; channel++)
                expect_free(rig, channel, 0);
        }
}

static uint32_t empty_count(const struct rig *rig) {
    return 4 * (rig->c1.entries - 1);
}

/* Whatever CACHE1 holds, and whether channels may switch or not. */
static void another_channel_is_promised_all_or_nothing(void **state) {
    struct rig *rig = *state;
    wr(rig, rig->c1.pull0, 0);
    for (uint32_t turn = 0; turn < 32; turn++) {
        bool pending = turn & 1, foreign = turn & 2;
        uint32_t used = turn & 4 ? rig->c1.entries - 1 : turn & 8 ? 3 : 0;
        wr(rig, CACHES, turn >> 4);
        wr(rig, rig->c1.push1, 5);
        wr(rig, PUSH0, foreign);
        wr(rig, rig->c1.get, 0);
        wr(rig, rig->c1.put, gray_pointer(rig, used));
        wr(rig, RUNOUT_GET, 0x40);
        wr(rig, RUNOUT_PUT, pending ? 0x48 : 0x40);
        for (uint32_t channel = 0; channel < 128; channel++)
            if (channel != 5 || !foreign)
                expect_free(rig, channel, pending ? 0 : empty_count(rig));
    }
}

static void the_lie_is_told_for_the_channel_in_the_cache(void **state) {
    struct rig *rig = *state;
    static const uint32_t lies[] = {0, 0xfc, 0x1fc, 0x3fc};
    wr(rig, rig->c1.pull0, 0);
    wr(rig, rig->c1.push1, 0x51);
    for (uint32_t marked = 0; marked < 8; marked++)
        for (uint32_t last = 0; last < 8; last++) {
            for (uint32_t i = 0; i < 8; i++)
                wr(rig, rig->c1.ctx + 16 * i, i == marked ? 1u << 24 : 0);
            wr(rig, rig->c1.pull1, last);
            for (uint32_t size = 0; size < 4; size++)
                for (uint32_t put = 0; put < 32; put++) {
                    wr(rig, CONFIG_0, size);
                    wr(rig, rig->c1.put, gray_pointer(rig, put));
                    uint32_t real = (31 - put) * 4;
                    expect_free(rig, 0x51, marked == last && size ? lies[size] : real);
                }
            wr(rig, rig->c1.put, 0);
        }
}

static void the_count_is_what_lies_between_the_pointers(void **state) {
    struct rig *rig = *state;
    uint32_t entries = rig->c1.entries;
    wr(rig, rig->c1.pull0, 0);
    wr(rig, rig->c1.push1, 3);
    for (uint32_t config = 0; config < (rig->nv1 ? 4u : 1u); config++)
        for (uint32_t put = 0; put < entries; put++)
            for (uint32_t get = 0; get < entries; get++) {
                if (rig->nv1)
                    wr(rig, CONFIG_0, config);
                wr(rig, rig->c1.put, gray_pointer(rig, put));
                wr(rig, rig->c1.get, gray_pointer(rig, get));
                expect_reg(rig, user_at(3, USER_FREE), ((get + entries - put - 1) % entries) * 4);
            }
    wr(rig, rig->c1.put, 0);
    wr(rig, rig->c1.get, 0);
    expect_free(rig, 3, empty_count(rig));
    wr(rig, rig->c1.get, gray_pointer(rig, 1));
    expect_free(rig, 3, 0);
}

/* Reading has no effect. */
static void the_free_count_agrees_in_random_states_and_changes_nothing(void **state) {
    struct rig *rig = *state;
    static struct nv1_state s;
    uint32_t seed = 77;
    for (unsigned turn = 0; turn < 200; turn++) {
        nv1_random_state(&s, &seed);
        nv1_load(rig, &s);
        for (uint32_t channel = 0; channel < 128; channel++)
            expect_reg(rig, user_at(channel, METHOD(turn & 7, USER_FREE)), nv1_free(&s, channel));
        nv1_compare(rig, &s);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        ON_OLD(runout_status_compares_the_pointers),
        ON_OLD(cache0_is_empty_or_full),
        ON_OLD(cache1_status_follows_the_pointers_and_the_latch),
        ON_NV1(the_write_pointer_walks_the_gray_sequence),
        ON("NV3", the_write_pointer_walks_the_gray_sequence),
        ON_OLD(the_write_pointer_changes_one_bit_at_a_step),
        ON_OLD(the_puller_walks_the_gray_sequence),
        ON_OLD(with_the_latch_nobody_has_room),
        ON_OLD(another_channel_is_promised_all_or_nothing),
        ON_NV1(the_lie_is_told_for_the_channel_in_the_cache),
        ON_OLD(the_count_is_what_lies_between_the_pointers),
        ON_NV1(the_free_count_agrees_in_random_states_and_changes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
