/* SPDX-License-Identifier: MIT */
/*
 * RAMHT of G80 .. MCP89: a table of its own for each channel, in its descriptor.
 *
 * Sources: envytools rnndb/fifo/g80_pfifo.xml, docs/hw/fifo/puller.rst; nouveau nvkm/core/ramht.c,
 * nvkm/engine/fifo/channv50.c.
 */
#include "g80.h"

#define TABLE 0x8000u /* from the descriptor, up to 32 KiB */

/* The driver's hash: digits of the table's width, xored. The channel has no part in it. */
static uint32_t hash(uint32_t handle, unsigned bits) {
    uint32_t h = 0;
    for (; handle; handle >>= bits)
        h ^= handle & ((1u << bits) - 1);
    return h;
}

static void entry(struct rig *rig, uint32_t slot, uint32_t handle, uint32_t context) {
    vram_wr(rig, RIG_DESCRIPTOR(1) + TABLE + 8 * slot, handle);
    vram_wr(rig, RIG_DESCRIPTOR(1) + TABLE + 8 * slot + 4, context);
}

/* SIZE: 512 << n entries. SEARCH: 16 << n of them, 4: all. */
static void table(struct rig *rig, uint32_t size, uint32_t search) {
    for (uint32_t at = 0; at < 0x8000; at += 4)
        vram_wr(rig, RIG_DESCRIPTOR(1) + TABLE + at, 0);
    wr(rig, RAMHT, size << 27 | search << 24 | TABLE >> 4);
}

/* Does the channel find the handle as an object of engine 1? GET is after the method in either case. */
static bool finds(struct rig *rig, uint32_t handle, uint32_t *instance) {
    rig->logged = 0;
    push(rig, INC(0, 0, 1), handle);
    if (rig_go(rig) == PFIFO_STOP_IDLE) {
        assert_int_equal(rig->logged, 1);
        *instance = rig->log[0].data;
        return true;
    }
    assert_int_equal(rd(rig, PULL0), P_HASH_FAILED);
    wr(rig, INTR, I_CACHE_ERROR);
    wr(rig, CACHE_GET, rd(rig, CACHE_GET) + 4);
    wr(rig, PULL0, 1);
    assert_int_equal(rig_run(rig), PFIFO_STOP_IDLE);
    return false;
}

static void expect_found(struct rig *rig, uint32_t handle, uint32_t instance) {
    uint32_t found = 0;
    assert_true(finds(rig, handle, &found));
    assert_int_equal(found, instance);
    assert_int_equal(rd(rig, HASH), instance);
}

static void expect_missing(struct rig *rig, uint32_t handle) {
    uint32_t found;
    assert_false(finds(rig, handle, &found));
}

static const uint32_t handles[] = {0x00000001, 0x80000000, 0xffffffff, 0xbeef0201, 0x12345678, 0xd8000001};

static void each_size_has_its_own_hash(void **state) {
    struct rig *rig = *state;
    bring_in(rig, 1);
    for (uint32_t size = 0; size < 4; size++)
        for (size_t i = 0; i < sizeof handles / sizeof handles[0]; i++) {
            table(rig, size, 0);
            entry(rig, hash(handles[i], 9 + size), handles[i], 1u << 20 | (0x1000 + (uint32_t)i));
            expect_found(rig, handles[i], 0x1000 + (uint32_t)i);
        }
}

static void search_is_how_many_are_looked_at(void **state) {
    struct rig *rig = *state;
    bring_in(rig, 1);
    for (uint32_t search = 0; search < 4; search++) {
        uint32_t slots = 16u << search, first = hash(0xbeef0201, 9);
        table(rig, 0, search);
        entry(rig, first + slots - 1, 0xbeef0201, 0x00101001);
        expect_found(rig, 0xbeef0201, 0x1001);
        table(rig, 0, search);
        entry(rig, first + slots, 0xbeef0201, 0x00101001);
        expect_missing(rig, 0xbeef0201);
    }
}

static void search_full_looks_at_all_and_comes_round(void **state) {
    struct rig *rig = *state;
    bring_in(rig, 1);
    for (uint32_t size = 0; size < 4; size++) {
        uint32_t slots = 512u << size, first = hash(0xbeef0201, 9 + size);
        table(rig, size, 4);
        entry(rig, (first + slots - 1) % slots, 0xbeef0201, 0x00101001);
        expect_found(rig, 0xbeef0201, 0x1001);
    }
}

/* The next table in memory is no part of this one. */
static void probing_wraps_at_the_end_of_the_table(void **state) {
    struct rig *rig = *state;
    bring_in(rig, 1);
    table(rig, 0, 0);
    entry(rig, 512, 511, 0x00101001);
    expect_missing(rig, 511);
    entry(rig, 0, 511, 0x00101002);
    expect_found(rig, 511, 0x1002);
}

/* Drivers clear what they remove; [chosen] the search goes on after it. */
static void an_empty_slot_is_no_match_and_no_end(void **state) {
    struct rig *rig = *state;
    bring_in(rig, 1);
    table(rig, 0, 0);
    expect_missing(rig, 0);
    entry(rig, 5, 5, 0);
    entry(rig, 7, 5, 0x00101001);
    expect_found(rig, 5, 0x1001);
}

static void the_first_match_counts(void **state) {
    struct rig *rig = *state;
    bring_in(rig, 1);
    table(rig, 0, 0);
    entry(rig, 6, 5, 0x00101002);
    entry(rig, 5, 5, 0x00101001);
    expect_found(rig, 5, 0x1001);
}

/* 16 bits of object, which reaches 1 MiB from the descriptor; the engine from bit 20 on; others nobody knows. */
static void fields_of_a_context(void **state) {
    struct rig *rig = *state;
    bring_in(rig, 1);
    table(rig, 0, 0);
    vram_wr(rig, RIG_DESCRIPTOR(1) + 0xffff0, 0x5097);
    entry(rig, 5, 5, 0xff1fffff);
    expect_found(rig, 5, 0xffff);
    assert_int_equal(rig->engine[1].bound_class, 0x5097);
    entry(rig, 5, 5, 0x00210001);
    expect_found(rig, 5, 1);
    assert_int_equal(rig->log_engine[0], 2);
}

static void each_channel_has_its_own_table(void **state) {
    struct rig *rig = *state;
    rig_open(rig, 2);
    uint32_t first = rig_object(rig, 1, 0xbeef0001, 1, 0x5097), second = rig_object(rig, 2, 0xbeef0001, 2, 0x502d);
    rig_instance(rig, 2, (const uint32_t[]){0, 0, 0, 0}, 4);
    for (uint32_t channel = 1; channel <= 2; channel++) {
        push_to(rig, channel, INC(0, 0, 1), 0xbeef0001);
        rig_submit(rig, channel);
        assert_int_equal(rig_run(rig), PFIFO_STOP_IDLE);
    }
    expect_methods(rig, {0, 0, first}, {0, 0, second});
    assert_int_equal(rig->engine[1].bound_class, 0x5097);
    bool is_falcon = chip_in_range(rig->chip, "GT215:GF100"); /* PPPP, whose class is not in RAMIN, instead of PMPEG */
    assert_int_equal(rig->engine[2].bound_class, !is_falcon ? 0x502d : 0x85b3);
}

static void ramht_can_be_told_to_fail_and_to_work_again(void **state) {
    struct rig *rig = *state;
    bring_in(rig, 1);
    table(rig, 0, 0);
    entry(rig, 5, 5, 0x00101001);
    wr(rig, 0x2084, rd(rig, 0x2084) | 1 << 18);
    expect_missing(rig, 5);
    wr(rig, 0x2084, rd(rig, 0x2084) & ~(1u << 18));
    expect_found(rig, 5, 0x1001);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        ON_EACH(each_size_has_its_own_hash),
        ON_KINDS(search_is_how_many_are_looked_at),
        ON_KINDS(search_full_looks_at_all_and_comes_round),
        ON_KINDS(probing_wraps_at_the_end_of_the_table),
        ON_KINDS(an_empty_slot_is_no_match_and_no_end),
        ON_KINDS(the_first_match_counts),
        ON_KINDS(fields_of_a_context),
        ON_KINDS(each_channel_has_its_own_table),
        ON_KINDS(ramht_can_be_told_to_fail_and_to_work_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
