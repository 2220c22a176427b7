/* SPDX-License-Identifier: MIT */
/*
 * Where handles are looked for, and what hits.
 *
 * Sources: envytools docs/hw/fifo/puller.rst, docs/hw/memory/nv1-vram.rst, rnndb/fifo/nv4_pfifo.xml; the tables of the
 *          XFree86 drivers of NV3 and NV4 (riva_tbl.h); nouveau nvkm/core/ramht.c; 86Box nv3_pramin.c
 */
#include "rig.h"

#define AREA 0x8000u /* the largest table */

static void clear(struct rig *rig) {
    for (uint32_t at = 0; at < AREA; at += 4)
        if (rig->nv4 || at < rig->ramro || at >= 0x4000)
            ramin_wr(rig, rig->ramht + at, 0);
}

static void entry_at(struct rig *rig, uint32_t byte, uint32_t handle, uint32_t context) {
    ramin_wr(rig, rig->ramht + byte, handle);
    ramin_wr(rig, rig->ramht + byte + 4, context);
}

/* Method 0 with this handle for a channel: is there a bind? Leaves the puller as before. */
static bool bound(struct rig *rig, uint32_t channel, uint32_t handle, uint32_t *object) {
    wr(rig, CACHES, 0);
    wr(rig, rig->c1.push1, channel);
    rig_inject(rig, 3, 0, handle);
    rig_run(rig);
    bool hit = rig->logged == 1;
    uint32_t pull0 = rd(rig, rig->c1.pull0);
    assert_int_equal(pull0 & P_HASH_FAILED, hit ? 0 : P_HASH_FAILED);
    assert_int_equal(rd(rig, INTR), hit ? 0 : I_CACHE_ERROR);
    if (hit && object)
        *object = rig->log[0].data;
    rig->logged = 0;
    wr(rig, INTR, ~0u);
    wr(rig, rig->c1.get, rd(rig, rig->c1.put));
    wr(rig, rig->c1.pull0, 1);
    return hit;
}

/* ---- NV4 and later ---- */

static const struct {
    uint32_t handle, channel, size, byte;
} documented[] = {
    {0x80000010, 0, 0, 0x000},   {0x80000000, 0, 0, 0x080}, {0x80000001, 0, 0, 0x088},  {0x80000002, 0, 0, 0x090},
    {0xbeef0201, 1, 0, 0x060},   {0xffffffff, 0, 0, 0xf00}, {0x12345678, 5, 1, 0x1870}, {0x12345678, 5, 2, 0x11d0},
    {0xd8000001, 2, 3, 0x16c8},  {0xffffffff, 0, 3, 0x7f8}, {0x00000001, 15, 0, 0xf08}, {0x00000001, 16, 0, 0x008},
    {0x00000001, 31, 3, 0x7808},
};

static void set_table(struct rig *rig, uint32_t size, uint32_t search) {
    wr(rig, RAMHT, rig->ramht >> 8 | size << 16 | search << 24);
}

static uint32_t new_object(struct rig *rig) {
    return rig_instance(rig, (const uint32_t[]){0x42, 0, 0, 0}, 4);
}

/* The documented places are the first that is looked at: an entry one before is found only by going all around. */
static void handles_are_at_their_documented_places(void **state) {
    struct rig *rig = *state;
    uint32_t instance = new_object(rig), object = 0;
    for (size_t i = 0; i < COUNT_OF(documented); i++) {
        uint32_t handle = documented[i].handle, channel = documented[i].channel, byte = documented[i].byte;
        uint32_t bytes = 0x1000u << documented[i].size, context = rig_context(rig, channel, 1, instance);
        if (channel >= rig->channels)
            continue;
        set_table(rig, documented[i].size, 0);
        clear(rig);
        entry_at(rig, byte, handle, context);
        assert_true(bound(rig, channel, handle, &object));
        assert_int_equal(object, instance);
        clear(rig);
        entry_at(rig, (byte + bytes - 8) % bytes, handle, context);
        assert_false(bound(rig, channel, handle, NULL));
    }
}

static void the_search_goes_so_many_slots_and_wraps(void **state) {
    struct rig *rig = *state;
    uint32_t instance = new_object(rig), context = rig_context(rig, 0, 1, instance);
    static const uint32_t handles[] = {1, 0x80, 0x1f8, 0x1ff};
    for (uint32_t search = 0; search < 4; search++)
        for (size_t i = 0; i < COUNT_OF(handles); i++) {
            uint32_t limit = 16u << search;
            set_table(rig, 0, search);
            for (uint32_t distance = 0; distance < 512; distance += distance < 130 ? 1 : 31) {
                clear(rig);
                entry_at(rig, (handles[i] + distance) % 512 * 8, handles[i], context);
                assert_int_equal(bound(rig, 0, handles[i], NULL), distance < limit);
            }
        }
}

static void a_full_search_goes_through_the_whole_table(void **state) {
    struct rig *rig = *state;
    uint32_t context = rig_context(rig, 0, 1, new_object(rig));
    set_table(rig, 0, 4);
    for (uint32_t distance = 0; distance < 512; distance += 73) {
        clear(rig);
        entry_at(rig, (7 + distance) % 512 * 8, 7, context);
        assert_true(bound(rig, 0, 7, NULL));
    }
    clear(rig);
    entry_at(rig, 512 * 8 + 7 * 8, 7, context); /* beyond the table */
    assert_false(bound(rig, 0, 7, NULL));
}

static void the_first_entry_found_counts(void **state) {
    struct rig *rig = *state;
    uint32_t first = new_object(rig), second = new_object(rig), object = 0;
    set_table(rig, 0, 0);
    clear(rig);
    entry_at(rig, 511 * 8, 0x1ff, rig_context(rig, 0, 1, first));
    entry_at(rig, 0, 0x1ff, rig_context(rig, 0, 1, second));
    assert_true(bound(rig, 0, 0x1ff, &object));
    assert_int_equal(object, first);
    entry_at(rig, 511 * 8, 0, 0); /* removed as drivers do it; the search goes on after the hole */
    assert_true(bound(rig, 0, 0x1ff, &object));
    assert_int_equal(object, second);
}

static void handle_and_channel_must_match(void **state) {
    struct rig *rig = *state;
    uint32_t instance = new_object(rig);
    set_table(rig, 0, 3);
    for (uint32_t owner = 0; owner < rig->channels; owner += 3)
        for (uint32_t channel = 0; channel < rig->channels; channel++) {
            clear(rig);
            for (uint32_t distance = 0; distance < 4; distance++) /* wherever the search begins */
                rig_ramht_entry(rig, rig_hash(rig, 9, channel) + distance, 9, rig_context(rig, owner, 1, instance));
            assert_int_equal(bound(rig, channel, 9, NULL), owner == channel);
        }
    clear(rig);
    for (uint32_t bit = 0; bit < 32; bit++) {
        uint32_t other = 9 ^ 1u << bit;
        rig_ramht_entry(rig, rig_hash(rig, 9, 0), other, rig_context(rig, 0, 1, instance));
        assert_false(bound(rig, 0, 9, NULL));
    }
}

static void an_entry_needs_its_valid_bit(void **state) {
    struct rig *rig = *state;
    uint32_t instance = new_object(rig);
    set_table(rig, 0, 0);
    clear(rig);
    rig_ramht_entry(rig, 9, 9, rig_context(rig, 0, 1, instance) & 0x7fffffff);
    assert_false(bound(rig, 0, 9, NULL));
    rig_ramht_entry(rig, 10, 9, rig_context(rig, 0, 1, instance));
    assert_true(bound(rig, 0, 9, NULL));
}

static void an_empty_slot_is_no_object(void **state) {
    struct rig *rig = *state;
    set_table(rig, 0, 0);
    clear(rig);
    assert_false(bound(rig, 0, 0, NULL));
}

/* Class of the object, as wide as the chip compares it. */
static void the_class_is_cut_to_what_the_chip_compares(void **state) {
    struct rig *rig = *state;
    uint32_t mask = on(rig, "NV4:NV25") ? 0xff : on(rig, "NV25:NV40") ? 0xfff : 0xffff;
    uint32_t instance = rig_instance(rig, (const uint32_t[]){0xffffabcd, 0, 0, 0}, 4);
    rig_handle(rig, 0, 9, 1, instance);
    assert_true(bound(rig, 0, 9, NULL));
    assert_int_equal(rig->engine[1].bound_class, 0xabcd & mask);
}

static void the_table_is_where_its_register_says(void **state) {
    struct rig *rig = *state;
    uint32_t instance = new_object(rig);
    for (uint32_t address = 0x1000; address < 0x18000; address += 0x5000) {
        rig->ramht = address;
        wr(rig, RAMHT, address >> 8);
        clear(rig);
        assert_false(bound(rig, 1, 0x55, NULL));
        rig_handle(rig, 1, 0x55, 1, instance);
        assert_true(bound(rig, 1, 0x55, NULL));
    }
}

/* ---- NV3 ---- */

static const struct {
    uint32_t handle, byte, context;
} nv3_documented[] = {
    {0x80000000, 0x800, 0x00c20341}, {0x80000001, 0x810, 0x00c50342}, {0x80000010, 0x900, 0x00d10344}};

static void nv3_handles_are_at_their_documented_places(void **state) {
    struct rig *rig = *state;
    uint32_t object = 0;
    for (size_t i = 0; i < COUNT_OF(nv3_documented); i++)
        for (uint32_t column = 0; column < 2; column++) {
            clear(rig);
            entry_at(rig, nv3_documented[i].byte + 8 * column, nv3_documented[i].handle, nv3_documented[i].context);
            assert_true(bound(rig, 0, nv3_documented[i].handle, &object));
            assert_int_equal(object, nv3_documented[i].context & 0xffff);
            expect_reg(rig, rig->c1.ctx + 16 * 3, nv3_documented[i].context & 0xffffff);
            clear(rig);
            entry_at(rig, nv3_documented[i].byte + 16, nv3_documented[i].handle, nv3_documented[i].context);
            assert_false(bound(rig, 0, nv3_documented[i].handle, NULL));
        }
}

static uint32_t old_row(uint32_t handle, uint32_t channel) {
    return ((handle ^ handle >> 8 ^ handle >> 16 ^ handle >> 24) & 0xff) ^ channel;
}

/* 256 rows always; the columns grow with the table. */
static void nv3_tables_of_each_size(void **state) {
    struct rig *rig = *state;
    rig->ramht = 0x8000;
    for (uint32_t size = 0; size < 4; size++)
        for (uint32_t channel = 0; channel < 128; channel += 21) {
            uint32_t columns = 2u << size, handle = 0x01020400 + channel * 7, context = 0x00c20341 | channel << 24;
            wr(rig, RAMHT, 0x8000 | size << 16);
            for (uint32_t column = 0; column <= columns; column++) {
                uint32_t byte = (old_row(handle, channel) * columns + column) * 8;
                for (uint32_t at = 0x8000; at < 0x8000 + (0x1000u << size); at += 8)
                    ramin_wr(rig, at, 0);
                if (byte + 8 > 0x1000u << size)
                    continue;
                entry_at(rig, byte, handle, context);
                assert_int_equal(bound(rig, channel, handle, NULL), column < columns);
            }
        }
}

static void nv3_handle_and_channel_must_match(void **state) {
    struct rig *rig = *state;
    for (uint32_t channel = 0; channel < 128; channel++)
        for (uint32_t owner = 0; owner < 128; owner += 5) {
            uint32_t byte = old_row(9, channel) * 16;
            entry_at(rig, byte, 9, 0x00c20341 | owner << 24);
            assert_int_equal(bound(rig, channel, 9, NULL), owner == channel);
            entry_at(rig, byte, 0, 0);
        }
}

/* ---- NV1 ---- */

static void nv1_looks_in_the_columns_of_one_row(void **state) {
    struct rig *rig = *state;
    for (uint32_t config = 0; config < 4; config++)
        for (uint32_t channel = 0; channel < 128; channel += 31) {
            uint32_t columns = nv1_layout(config).columns, handle = 0x0a0b0c00 + channel * 3;
            wr(rig, PRAM_CONFIG, config);
            for (uint32_t column = 0; column <= columns; column++) {
                uint32_t byte = (old_row(handle, channel) * columns + column) * 8;
                for (uint32_t at = 0; at < 0x800 * columns; at += 4)
                    ramin_wr(rig, at, 0);
                if (byte + 8 > 0x800 * columns)
                    continue;
                entry_at(rig, byte, handle, 0x01501234);
                uint32_t object = 0;
                bool hit = bound(rig, channel, handle, &object);
                assert_int_equal(hit, column < columns);
                if (hit) {
                    assert_int_equal(object, 0x1234);
                    expect_reg(rig, rig->c1.ctx + 16 * 3, 0x01501234);
                }
            }
        }
}

/* The registers that show what a lookup for a channel finds. */
static void nv1_shows_lookups_in_hash_physical(void **state) {
    struct rig *rig = *state;
    expect_reg(rig, HASH_PHYSICAL, 0);
    for (uint32_t channel = 0; channel < 128; channel += 9) {
        uint32_t handle = 0x81000007 + channel, byte = old_row(handle, channel) * 16;
        entry_at(rig, byte + 8, handle, 0xfe4c0000 | channel << 1 | 1u << 24);
        wr(rig, HASH_VIRTUAL + 4 * channel, handle);
        expect_reg(rig, HASH_PHYSICAL, 0x014c0000 | channel << 1);
        expect_reg(rig, HASH_VIRTUAL + 4 * channel, 0);
        wr(rig, HASH_VIRTUAL + 4 * channel, handle ^ 0x10);
        expect_reg(rig, HASH_PHYSICAL, 0);
        assert_true(bound(rig, channel, handle, NULL));
        expect_reg(rig, HASH_PHYSICAL, 0x014c0000 | channel << 1);
        entry_at(rig, byte + 8, 0, 0);
    }
    wr(rig, HASH_VIRTUAL, 0); /* an empty slot is no object of handle 0 */
    expect_reg(rig, HASH_PHYSICAL, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        FROM_NV4(handles_are_at_their_documented_places),
        FROM_NV4(the_search_goes_so_many_slots_and_wraps),
        ON("NV34", a_full_search_goes_through_the_whole_table),
        FROM_NV40(a_full_search_goes_through_the_whole_table),
        FROM_NV4(the_first_entry_found_counts),
        FROM_NV4(handle_and_channel_must_match),
        NV4_TO_NV3X(an_entry_needs_its_valid_bit),
        FROM_NV40(an_empty_slot_is_no_object),
        FROM_NV4(the_class_is_cut_to_what_the_chip_compares),
        ON("NV25", the_class_is_cut_to_what_the_chip_compares),
        FROM_NV4(the_table_is_where_its_register_says),
        ON_NV3(nv3_handles_are_at_their_documented_places),
        ON_NV3(nv3_tables_of_each_size),
        ON_NV3(nv3_handle_and_channel_must_match),
        ON_NV1(nv1_looks_in_the_columns_of_one_row),
        ON_NV1(nv1_shows_lookups_in_hash_physical),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
