/* SPDX-License-Identifier: MIT */
/*
 * What becomes of a write to NV1's USER area: statements that were checked on silicon (envytools hwtest/pfifo.cc).
 * Each test walks states and writes that its statement is about, says the outcome, and compares the whole machine.
 */
#include "nv1.h"

#include <string.h>

#define TURNS 60

static struct nv1_state s;

/* A random state in which the rules before the channel are through: pusher on, CACHE0 off. */
static void some_state(uint32_t *seed) {
    nv1_random_state(&s, seed);
    s.push0 = 1;
    s.c0_push0 = 0;
}

/* A method that caches take. */
static uint32_t plain_method(uint32_t *seed) {
    return METHOD(nv1_random(seed) & 7, 0x100 + nv1_random(seed) % 0x1f00 / 4 * 4);
}

static uint32_t foreign_channel(uint32_t *seed) {
    return (s.chid + 1 + nv1_random(seed) % 127) & 0x7f;
}

static void write_at(struct rig *rig, uint32_t offset, uint32_t value, unsigned bytes) {
    write_bytes(rig, 0x800000 + offset, value, bytes);
}

/* 13 */
static void a_write_across_dwords_is_two_writes_in_order_of_addresses(void **state) {
    struct rig *rig = *state;
    static const struct {
        uint32_t position, bytes, first_data, second_data;
    } crossings[] = {
        {3, 2, 0xcd000000, 0xab}, {1, 4, 0xefabcd00, 0x89}, {2, 4, 0xabcd0000, 0x89ef}, {3, 4, 0xcd000000, 0x89efab}};
    static const uint32_t dwords[] = {0x1fc, 0xfc, 0x1ffc, METHOD(7, 0x1ffc), METHOD(3, 0x400)};
    for (size_t i = 0; i < COUNT_OF(crossings); i++)
        for (size_t j = 0; j < COUNT_OF(dwords); j++)
            for (uint32_t channel = 0; channel < 3; channel++) {
                uint32_t at = channel << 16 | dwords[j];
                nv1_plain_state(&s);
                s.chid = 1;
                nv1_load(rig, &s);
                write_at(rig, at + crossings[i].position, 0x89efabcd, crossings[i].bytes);
                nv1_reject(&s, at + crossings[i].position, crossings[i].first_data, ILLEGAL_ACCESS);
                nv1_reject(&s, at + 4, crossings[i].second_data, ILLEGAL_ACCESS);
                nv1_compare(rig, &s);
            }
}

/* The parts are judged each by its own row: the end of FREE is reserved, the beginning of the password silent. */
static void the_two_parts_are_judged_each_by_itself(void **state) {
    struct rig *rig = *state;
    nv1_plain_state(&s);
    nv1_load(rig, &s);
    write_at(rig, 0x1e, 0x44332211, 4);
    nv1_reject(&s, 0x1e, 0x22110000, RESERVED);
    s.runout_put += 8; /* the password: no word, no interrupt */
    nv1_compare(rig, &s);
}

/* 14 */
static void a_password_write_that_is_refused_only_moves_the_pointer(void **state) {
    struct rig *rig = *state;
    uint32_t seed = 14;
    for (unsigned turn = 0; turn < 4 * TURNS; turn++) {
        nv1_random_state(&s, &seed);
        uint32_t channel = turn & 1 ? s.chid : foreign_channel(&seed);
        unsigned bytes = 1u << turn % 3, position = nv1_random(&seed) % (5 - bytes);
        uint32_t offset = channel << 16 | METHOD(nv1_random(&seed) & 7, 0x20 + 4 * (turn / 3 % 4)) | position;
        bool allowed = channel == s.chid || (s.caches && s.runout_get == s.runout_put && nv1_empty(&s));
        nv1_load(rig, &s);
        write_at(rig, offset, nv1_random(&seed), bytes);
        if (bytes != 4 || !allowed) {
            uint32_t next = (s.runout_put + 8) & nv1_ramro_mask(&s);
            if (next != s.runout_get)
                s.runout_put = next;
            s.latch |= channel == s.chid;
        }
        nv1_compare(rig, &s);
    }
}

/* Accepted ones go to VRAM: UNKNOWN: their layout; chosen: 16 bytes for each channel. */
static void an_accepted_password_is_kept_in_vram(void **state) {
    struct rig *rig = *state;
    for (uint32_t channel = 0; channel < 128; channel += 127)
        for (uint32_t word = 0; word < 4; word++) {
            nv1_plain_state(&s);
            nv1_load(rig, &s);
            write_at(rig, channel << 16 | (0x20 + 4 * word), 0x1000 + channel * 4 + word, 4);
            nv1_compare(rig, &s);
            assert_int_equal(vram_rd(rig, 0x18000 + channel * 16 + word * 4), 0x1000 + channel * 4 + word);
        }
}

/* 15: every lane pattern of every row below 0x100, and the first method, in states that refuse for other reasons. */
static void partial_and_reserved_writes_come_before_all_channel_checks(void **state) {
    struct rig *rig = *state;
    static const struct {
        uint32_t position, bytes;
    } accesses[] = {{0, 1}, {1, 1}, {2, 1}, {3, 1}, {0, 2}, {1, 2}, {2, 2}, {0, 4}};
    uint32_t seed = 15;
    for (uint32_t method = 0; method <= 0x104; method += 4) {
        if ((method & ~0xfu) == 0x20)
            continue;
        for (size_t i = 0; i < COUNT_OF(accesses); i++) {
            uint32_t position = accesses[i].position, bytes = accesses[i].bytes;
            bool free_row = (method & ~0xfu) == 0x10, whole = bytes == 4;
            bool half = bytes == 2 && position != 1, reserved = method >= 4 && method < 0x100;
            if (whole && !reserved)
                continue;
            nv1_random_state(&s, &seed);
            nv1_load(rig, &s);
            uint32_t channel = nv1_random(&seed) & 1 ? s.chid : nv1_random(&seed) & 0x7f;
            uint32_t offset = channel << 16 | METHOD(nv1_random(&seed) & 7, method) | position;
            write_at(rig, offset, 0x11223344, bytes);
            uint32_t lanes = whole ? ~0u : (1u << 8 * bytes) - 1;
            nv1_reject(&s, offset, (0x11223344 & lanes) << 8 * position,
                       whole || (free_row && half) ? RESERVED : ILLEGAL_ACCESS);
            nv1_compare(rig, &s);
        }
    }
}

/* 16 */
static void without_a_pusher_or_while_cache0_has_the_channel_no_cache_takes_it(void **state) {
    struct rig *rig = *state;
    uint32_t seed = 16;
    for (unsigned turn = 0; turn < 2 * TURNS; turn++) {
        nv1_random_state(&s, &seed);
        uint32_t channel = turn & 1 ? s.chid : foreign_channel(&seed);
        s.push0 = turn & 2 ? 1 : 0;
        s.c0_push0 = s.push0 || turn & 4;
        if (s.push0)
            s.c0_chid = channel;
        nv1_load(rig, &s);
        uint32_t offset = channel << 16 | plain_method(&seed), value = nv1_random(&seed);
        write_at(rig, offset, value, 4);
        nv1_reject(&s, offset, value, NO_CACHE);
        nv1_compare(rig, &s);
    }
}

/* 17 */
static void a_foreign_channel_is_refused_or_switched_to(void **state) {
    struct rig *rig = *state;
    uint32_t seed = 17;
    for (unsigned turn = 0; turn < 4 * TURNS; turn++) {
        some_state(&seed);
        bool pending = turn & 1, fixed = turn & 2, used = turn & 4;
        s.caches = !fixed;
        s.get = used ? nv1_gray_next(s.put) : s.put;
        s.runout_get = pending ? (s.runout_put + 0x20) & 0x3ff8 : s.runout_put;
        s.latch &= pending;
        uint32_t channel = foreign_channel(&seed), offset = channel << 16 | plain_method(&seed);
        nv1_load(rig, &s);
        write_at(rig, offset, turn, 4);
        if (pending || fixed || used) {
            nv1_reject(&s, offset, turn, NO_CACHE);
        } else {
            nv1_switch(&s, channel);
            nv1_push(&s, offset, turn);
        }
        nv1_compare(rig, &s);
    }
}

/* 18: each pair of old and new flags, with RAMFC slots apart and, with CONFIG 0, the same. */
static void a_switch_saves_word_0_and_the_dirty_rest_and_loads_all(void **state) {
    struct rig *rig = *state;
    uint32_t seed = 18;
    for (unsigned turn = 0; turn < 2 * TURNS; turn++) {
        some_state(&seed);
        s.config = turn & 3;
        s.caches = 1;
        s.latch = false;
        s.runout_get = s.runout_put;
        s.get = s.put;
        s.pull1 = (turn >> 2 & 7) | (turn & 0x20 ? 0x10 : 0) | (turn & 0x40 ? 0x100 : 0);
        uint32_t channel = turn % 5 == 0 ? s.chid ^ 0x40 : foreign_channel(&seed);
        uint32_t base = nv1_layout(s.config).ramfc, old = s.config ? s.chid : s.chid & 0x3f;
        uint32_t old_slot = base + 32 * old, new_slot = base + 32 * (s.config ? channel : channel & 0x3f);
        uint32_t flags = (s.pull1 & 7) << 28 | (s.pull1 & 0x100 ? 1u << 31 : 0);
        nv1_load(rig, &s);
        write_at(rig, channel << 16 | 0x200, 0x2222, 4);
        for (uint32_t i = 0; i < 8; i++) {
            uint32_t before = s.ramin[old_slot / 4 + i];
            assert_int_equal(ramin_rd(rig, old_slot + 4 * i), i == 0 || s.pull1 & 0x10 ? s.ctx[i] | flags : before);
        }
        for (uint32_t i = 0; i < 8; i++)
            expect_reg(rig, rig->c1.ctx + 16 * i, ramin_rd(rig, new_slot + 4 * i) & 0x017fffff);
        uint32_t word = ramin_rd(rig, new_slot);
        expect_reg(rig, rig->c1.pull1, (word >> 28 & 7) | (word >> 31 ? 0x100 : 0));
        expect_reg(rig, rig->c1.push1, channel);
        expect_reg(rig, rig->c1.get, s.get);
        expect_reg(rig, rig->c1.put, nv1_gray_next(s.put));
    }
}

/* 19 */
static void with_the_latch_the_cache_has_run_out_whether_or_not_there_is_room(void **state) {
    struct rig *rig = *state;
    uint32_t seed = 19;
    for (unsigned turn = 0; turn < TURNS; turn++) {
        some_state(&seed);
        s.get = turn % 3 == 0 ? s.put : turn % 3 == 1 ? nv1_gray_next(s.put) : s.get;
        s.latch = true;
        if (s.runout_get == s.runout_put)
            s.runout_get ^= 0x200;
        uint32_t offset = s.chid << 16 | plain_method(&seed);
        nv1_load(rig, &s);
        write_at(rig, offset, turn, 4);
        nv1_reject(&s, offset, turn, RAN_OUT);
        nv1_compare(rig, &s);
    }
}

/* 20: the subchannel of the puller decides, not that of the write, and not the size of the lie. */
static void a_full_cache_overruns_or_catches_the_lie(void **state) {
    struct rig *rig = *state;
    uint32_t seed = 20;
    for (unsigned turn = 0; turn < 64; turn++) {
        some_state(&seed);
        s.latch = false;
        s.get = nv1_gray_next(s.put);
        s.pull1 = turn & 7;
        s.config_0 = turn >> 3 & 3;
        bool lies = turn & 0x20;
        for (uint32_t i = 0; i < 8; i++)
            s.ctx[i] = (s.ctx[i] & 0x007fffff) | ((i == s.pull1) == lies ? 1u << 24 : 0);
        uint32_t offset = s.chid << 16 | plain_method(&seed);
        nv1_load(rig, &s);
        write_at(rig, offset, turn, 4);
        nv1_reject(&s, offset, turn, lies ? LYING : OVERRUN);
        nv1_compare(rig, &s);
    }
}

/* 21: from every pointer, every subchannel, methods from 0x100 on and method 0. */
static void a_push_stores_the_offset_and_the_data_and_moves_put(void **state) {
    struct rig *rig = *state;
    uint32_t seed = 21;
    for (uint32_t put = 0; put < 128; put++) {
        some_state(&seed);
        s.latch = false;
        s.put = (put & 31) << 2;
        if (nv1_full(&s))
            s.get = s.put;
        uint32_t method = put & 32 ? 0 : plain_method(&seed) & 0x1ffc;
        uint32_t offset = s.chid << 16 | METHOD(put & 7, method), value = nv1_random(&seed);
        nv1_load(rig, &s);
        write_at(rig, offset, value, 4);
        s.addr[s.put >> 2] = METHOD(put & 7, method);
        s.data[s.put >> 2] = value;
        s.put = nv1_gray_next(s.put);
        nv1_compare(rig, &s);
    }
}

/* 22 */
static void a_refused_write_goes_to_ramro_and_interrupts(void **state) {
    struct rig *rig = *state;
    uint32_t seed = 22;
    for (unsigned turn = 0; turn < TURNS; turn++) {
        some_state(&seed);
        s.push0 = 0;
        s.config = turn & 3;
        /* The last place before the end, and one above the end, which software may have written. */
        s.runout_put = turn & 4 ? nv1_ramro_mask(&s) : s.runout_put;
        s.runout_get = (s.runout_put + 0x100) & nv1_ramro_mask(&s);
        s.latch = false;
        nv1_load(rig, &s);
        uint32_t offset = foreign_channel(&seed) << 16 | plain_method(&seed);
        write_at(rig, offset, turn, 4);
        uint32_t at = s.runout_put & nv1_ramro_mask(&s), entry = (nv1_layout(s.config).ramro + at) / 4;
        s.ramin[entry] = offset | 1u << 28;
        s.ramin[entry + 1] = turn;
        s.runout_put = (at + 8) & nv1_ramro_mask(&s);
        s.intr = I_RUNOUT;
        nv1_compare(rig, &s);
    }
}

/* 23 */
static void a_full_ramro_loses_the_entry_and_says_so(void **state) {
    struct rig *rig = *state;
    uint32_t seed = 23;
    for (unsigned turn = 0; turn < TURNS; turn++) {
        some_state(&seed);
        s.push0 = 0;
        s.config = turn & 3;
        s.runout_get = (s.runout_put + 8) & nv1_ramro_mask(&s);
        s.latch = false;
        bool current = turn & 4;
        nv1_load(rig, &s);
        write_at(rig, (current ? s.chid : foreign_channel(&seed)) << 16 | plain_method(&seed), turn, 4);
        s.intr = I_RUNOUT | I_OVERFLOW;
        s.latch = current;
        nv1_compare(rig, &s);
    }
}

/* 24 */
static void a_rejected_write_of_a_foreign_channel_does_not_set_the_latch(void **state) {
    struct rig *rig = *state;
    uint32_t seed = 24;
    for (uint32_t channel = 0; channel < 128; channel++) {
        nv1_plain_state(&s);
        s.chid = (channel + 1 + nv1_random(&seed) % 127) & 0x7f;
        s.push0 = channel & 1;
        s.put = 0x0c;
        nv1_load(rig, &s);
        static const uint32_t methods[] = {0, 0x10, 0x40, 0x100, 0x1ffc};
        for (size_t i = 0; i < COUNT_OF(methods); i++)
            for (uint32_t bytes = 1; bytes <= 4; bytes *= 2) {
                write_at(rig, channel << 16 | methods[i], 0, bytes);
                expect_reg(rig, rig->c1.status, 0);
                expect_reg(rig, RUNOUT_STATUS, 1);
            }
    }
}

/* 25: whichever pointer is moved. */
static void the_latch_clears_when_the_pointers_meet(void **state) {
    struct rig *rig = *state;
    for (unsigned turn = 0; turn < 16; turn++) {
        nv1_plain_state(&s);
        s.runout_get = 0x800 + 8 * turn;
        s.runout_put = 0x40;
        s.latch = true;
        nv1_load(rig, &s);
        expect_reg(rig, rig->c1.status, 0x11);
        wr(rig, turn & 1 ? RUNOUT_GET : RUNOUT_PUT, 0x48 + 8 * turn); /* not yet */
        expect_reg(rig, rig->c1.status, 0x11);
        if (turn & 2)
            wr(rig, RUNOUT_GET, rd(rig, RUNOUT_PUT));
        else
            wr(rig, RUNOUT_PUT, rd(rig, RUNOUT_GET));
        expect_reg(rig, rig->c1.status, 0x10);
        wr(rig, RUNOUT_GET, 0); /* and it does not come back */
        wr(rig, RUNOUT_PUT, 0x80);
        expect_reg(rig, rig->c1.status, 0x10);
        user_wr(rig, 0, 0x100, 1);
        expect_reg(rig, rig->c1.put, 4);
    }
}

/* Everything together, as the hardware test does it. */
static void random_writes_follow_the_decision_procedure(void **state) {
    struct rig *rig = *state;
    uint32_t seed = 99;
    for (unsigned turn = 0; turn < 1500; turn++) {
        if (turn % 5 == 0)
            nv1_random_state(&s, &seed);
        s.intr = 0;
        nv1_load(rig, &s);
        uint32_t channel = nv1_random(&seed) & 1 ? s.chid : nv1_random(&seed) & 0x7f;
        uint32_t method = nv1_random(&seed) & (nv1_random(&seed) & 1 ? 0xff : 0x1fff),
                 bytes = 1u << nv1_random(&seed) % 3;
        if (nv1_random(&seed) & 3) {
            method &= ~3u;
            bytes = 4;
        }
        uint32_t offset = channel << 16 | METHOD(nv1_random(&seed) & 7, method), value = nv1_random(&seed);
        if (offset + bytes > 0x800000)
            continue;
        write_at(rig, offset, value, bytes);
        nv1_write(&s, offset, value, bytes);
        nv1_compare(rig, &s);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        ON_NV1(a_write_across_dwords_is_two_writes_in_order_of_addresses),
        ON_NV1(the_two_parts_are_judged_each_by_itself),
        ON_NV1(a_password_write_that_is_refused_only_moves_the_pointer),
        ON_NV1(an_accepted_password_is_kept_in_vram),
        ON_NV1(partial_and_reserved_writes_come_before_all_channel_checks),
        ON_NV1(without_a_pusher_or_while_cache0_has_the_channel_no_cache_takes_it),
        ON_NV1(a_foreign_channel_is_refused_or_switched_to),
        ON_NV1(a_switch_saves_word_0_and_the_dirty_rest_and_loads_all),
        ON_NV1(with_the_latch_the_cache_has_run_out_whether_or_not_there_is_room),
        ON_NV1(a_full_cache_overruns_or_catches_the_lie),
        ON_NV1(a_push_stores_the_offset_and_the_data_and_moves_put),
        ON_NV1(a_refused_write_goes_to_ramro_and_interrupts),
        ON_NV1(a_full_ramro_loses_the_entry_and_says_so),
        ON_NV1(a_rejected_write_of_a_foreign_channel_does_not_set_the_latch),
        ON_NV1(the_latch_clears_when_the_pointers_meet),
        ON_NV1(random_writes_follow_the_decision_procedure),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
