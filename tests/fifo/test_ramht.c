/* SPDX-License-Identifier: MIT */
/* RAMHT by itself: the hash of known handles, the context words of each layout, probing. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "fifo/cache/ramht.h"

/* As on NV4 .. NV3x, NV40, G80. */
static const struct ramht_layout nv4 = {.size_shift = 16,
                                        .channel_shift = 24,
                                        .channel_bits = 5,
                                        .engine_shift = 16,
                                        .engine_bits = 2,
                                        .instance_bits = 16,
                                        .valid_bit = 1u << 31};
static const struct ramht_layout nv40 = {.size_shift = 16,
                                         .channel_shift = 23,
                                         .channel_bits = 9,
                                         .engine_shift = 20,
                                         .engine_bits = 3,
                                         .instance_bits = 20};
static const struct ramht_layout g80 = {.size_shift = 27, .engine_shift = 20, .engine_bits = 4, .instance_bits = 16};

/* Byte offsets of the first two: the table that XFree86 has for NV4. The others follow from the rule. */
static void hash_of_known_handles(void **state) {
    (void)state;
    static const struct {
        uint32_t handle, channel, size, index;
    } rows[] = {
        {0x80000010, 0, 0, 0x000},  {0x80000000, 0, 0, 0x010},
        {0x80000001, 0, 0, 0x011},  {0x80000002, 0, 0, 0x012},
        {0xbeef0201, 1, 0, 0x00c},  {0xffffffff, 0, 0, 0x1e0},
        {0x12345678, 5, 1, 0x30e},  {0x12345678, 5, 2, 0x23a},
        {0xd8000001, 2, 3, 0x2d9},  {0xffffffff, 0, 3, 0x0ff},
        {0x00000001, 15, 0, 0x1e1}, {0x00000001, 16, 0, 0x001},
        {0x00000001, 31, 3, 0xf01}, {0, 0, 0, 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        assert_int_equal(ramht_hash(&nv4, rows[i].handle, rows[i].channel, 9 + rows[i].size), rows[i].index);
        assert_int_equal(ramht_hash(&nv40, rows[i].handle, rows[i].channel, 9 + rows[i].size), rows[i].index);
    }
}

/* Tesla has a table per channel: the number of the channel has no part in it. */
static void hash_of_tesla_is_without_channel(void **state) {
    (void)state;
    for (uint32_t channel = 0; channel < 128; channel += 31) {
        assert_int_equal(ramht_hash(&g80, 0xffffffff, channel, 12), 0x0ff);
        assert_int_equal(ramht_hash(&g80, 1, channel, 9), 1);
    }
}

/* ---- look-ups ---- */

struct table {
    uint32_t word[2 * 4096];
    uint32_t bytes, reads;
};

static uint32_t table_rd32(void *opaque, uint32_t offset) {
    struct table *table = opaque;
    assert_true(offset < table->bytes && offset % 4 == 0);
    table->reads++;
    return table->word[offset / 4];
}

static void put(struct table *table, uint32_t slot, uint32_t handle, uint32_t context) {
    table->word[2 * slot] = handle;
    table->word[2 * slot + 1] = context;
}

static bool find(struct table *table, const struct ramht_layout *layout, uint32_t reg, uint32_t handle,
                 uint32_t channel, struct ramht_hit *hit) {
    table->reads = 0;
    table->bytes = 4096u << (reg >> layout->size_shift & 3);
    return ramht_lookup(layout, reg, handle, channel, table_rd32, table, hit);
}

static void context_words(void **state) {
    (void)state;
    static const struct {
        const struct ramht_layout *layout;
        uint32_t channel, context, engine, instance;
    } rows[] = {
        {&nv4, 0, 0x80011145, 1, 0x1145},     {&nv4, 31, 0x9f020001, 2, 1},      {&nv40, 0, 0x00101145, 1, 0x1145},
        {&nv40, 511, 0xfffabcde, 7, 0xabcde}, {&g80, 99, 0x00601145, 6, 0x1145}, {&g80, 0, 0x00000004, 0, 4},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct table table = {0};
        struct ramht_hit hit = {0};
        put(&table, ramht_hash(rows[i].layout, 0xabc, rows[i].channel, 9), 0xabc, rows[i].context);
        assert_true(find(&table, rows[i].layout, 0, 0xabc, rows[i].channel, &hit));
        assert_int_equal(hit.engine, rows[i].engine);
        assert_int_equal(hit.instance, rows[i].instance);
    }
}

static void valid_bit_counts_where_there_is_one(void **state) {
    (void)state;
    struct table table = {0};
    struct ramht_hit hit;
    put(&table, 1, 1, 0x00011145);
    assert_false(find(&table, &nv4, 0, 1, 0, &hit));
    put(&table, 1, 1, 0x80011145);
    assert_true(find(&table, &nv4, 0, 1, 0, &hit));
}

static void other_channels_do_not_match(void **state) {
    (void)state;
    struct table table = {0};
    struct ramht_hit hit;
    put(&table, 1, 1, 3u << 23 | 5);
    assert_false(find(&table, &nv40, 0, 1, 0, &hit));
    put(&table, 2, 1, 6);
    assert_true(find(&table, &nv40, 0, 1, 0, &hit));
    assert_int_equal(hit.instance, 6);
}

/* 16, 32, 64, 128 slots, or all of them; two words each at most. */
static void search_field_bounds_the_probes(void **state) {
    (void)state;
    for (uint32_t search = 0; search <= 4; search++) {
        uint32_t probes = search == 4 ? 512 : 16u << search;
        struct table table = {0};
        struct ramht_hit hit;
        uint32_t reg = search << 24;
        if (probes < 512) {
            put(&table, 1 + probes, 1, 5);
            assert_false(find(&table, &nv40, reg, 1, 0, &hit));
        }
        put(&table, (1 + probes - 1) % 512, 1, 5);
        assert_true(find(&table, &nv40, reg, 1, 0, &hit));
        assert_false(find(&table, &nv40, reg, 2, 0, &hit));
        assert_in_range(table.reads, probes, 2 * probes);
    }
}

static void probing_wraps_at_the_end_of_the_table(void **state) {
    (void)state;
    for (uint32_t size = 0; size < 4; size++) {
        struct table table = {0};
        struct ramht_hit hit;
        uint32_t last = (512u << size) - 1;
        assert_int_equal(ramht_hash(&g80, last, 0, 9 + size), last);
        put(&table, 2, last, 5);
        assert_true(find(&table, &g80, size << 27, last, 0, &hit));
    }
}

static void first_match_wins(void **state) {
    (void)state;
    struct table table = {0};
    struct ramht_hit hit;
    put(&table, 1, 1, 5);
    put(&table, 2, 1, 6);
    assert_true(find(&table, &g80, 0, 1, 0, &hit));
    assert_int_equal(hit.instance, 5);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hash_of_known_handles),
        cmocka_unit_test(hash_of_tesla_is_without_channel),
        cmocka_unit_test(context_words),
        cmocka_unit_test(valid_bit_counts_where_there_is_one),
        cmocka_unit_test(other_channels_do_not_match),
        cmocka_unit_test(search_field_bounds_the_probes),
        cmocka_unit_test(probing_wraps_at_the_end_of_the_table),
        cmocka_unit_test(first_match_wins),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
