/* SPDX-License-Identifier: MIT */
/*
 * Tiled regions of VRAM, NV10 to NV4x: what is seen through them, and what shows when they change. What hardware was
 * compared with (envytools hwtest/nv10_tile.cc, test_format) comes first.
 */
#include "bus/fixture.h"
#include "bus/pfb_tiling.h"
#include "differential/choice.h"
#include "reference/tile.h"
#include "state/state.h"

#include <stdlib.h>

#define VRAM_BYTES 0x100000u
#define UNITS      (VRAM_BYTES / 16)

/* A chip with its DRAM as firmware describes it, and what tiles are then; typed from the documents. */
static const struct board {
    const char *chip;
    uint32_t cfg0, cfg1;
    uint32_t first, enable; /* TILE_BASE */
    unsigned offset_shift, offset_scale, offsets;
    struct reference_tiles tiles;
} boards[] = {
    {"NV10", 0x08000001, 0, 0x100240, 0x80000000, 0, 1, 1, {ORDER_NV10, 1 << 11, 2}},
    {"NV15", 0x08000011, 0, 0x100240, 0x80000000, 0, 1, 1, {ORDER_NV10, 1 << 12, 4, .twist = true}},
    {"NV15", 0x09000010, 0, 0x100240, 0x80000000, 0, 1, 1, {ORDER_NV10, 1 << 13, 4}},
    {"NV17", 0x0f000010, 0, 0x100240, 0x80000000, 0, 1, 1, {ORDER_NV10, 1 << 13, 4, .twist = true}},
    {"NV18", 0x09000020, 0, 0x100240, 0x80000000, 0, 1, 1, {ORDER_NV10, 1 << 11, 1}},
    {"NV20", 3, 8 << 12, 0x100240, 1, 1, 1, 2, {ORDER_NV20, 1 << 12, 4}},
    {"NV2A", 5, 9 << 12, 0x100240, 1, 1, 1, 2, {ORDER_NV20, 1 << 13, 2}},
    {"NV28", 0, 10 << 12, 0x100240, 1, 1, 1, 2, {ORDER_NV20, 1 << 12, 1}},
    {"NV30", 7, 8 << 12, 0x100240, 1, 4, 1, 4, {ORDER_NV30, 1 << 13, 4}},
    {"NV31", 4, 0, 0x100240, 1, 4, 1, 4, {ORDER_NV30, 1 << 12, 2}},
    {"NV34", 0x08000010, 0, 0x100240, 1, 0, 1, 1, {ORDER_NV10, 1 << 12, 4, .twist = true}},
    {"NV40", 3, 8 << 12, 0x100240, 1, 4, 1, 4, {ORDER_NV40, 1 << 13, 4, 8}},
    {"NV40", 1, 9 << 12, 0x100240, 1, 4, 1, 4, {ORDER_NV40, 1 << 13, 2, 8}},
    {"NV45", 1, 0, 0x100240, 1, 4, 1, 4, {ORDER_NV40, 1 << 12, 2, 8, .shuffles_two = true}},
    {"NV41", 0x13, 0, 0x100600, 1, 4, 1, 4, {ORDER_NV41, 1 << 13, 4, 8}},
    {"NV43", 0x11, 8 << 12, 0x100600, 1, 4, 1, 4, {ORDER_NV41, 1 << 12, 2, 8, .shuffles_two = true}},
    {"G70", 0x13, 8 << 12, 0x100600, 1, 4, 1, 4, {ORDER_NV41, 1 << 13, 4, 7}},
    {"G73", 0x11, 8 << 12, 0x100600, 1, 4, 1, 4, {ORDER_NV41, 1 << 12, 2, 7, .shuffles_two = true}},
    {"RSX", 0, 8 << 12, 0x100600, 1, 4, 1, 4, {ORDER_NV41, 1 << 11, 1, 8}},
    {"NV44", 0x800, 8 << 12, 0x100600, 1, 0, 1, 1, {ORDER_NV44, 1 << 11, 2, .twist = true}},
    {"NV44A", 0x002, 10 << 12, 0x100600, 1, 0, 1, 1, {ORDER_NV44, 1 << 11, 1}},
    {"G72", 0x800, 9 << 12, 0x100600, 1, 4, 2, 2, {ORDER_NV44, 1 << 12, 2, .twist = true}},
    {"C51", 0x800, 8 << 12, 0x100600, 1, 3, 1, 2, {ORDER_NV44, 1 << 12, 1, .rows_as_they_are = true}},
    {"MCP61", 0, 0, 0x100600, 1, 3, 1, 2, {ORDER_NV44, 1 << 12, 1}},
};

static struct machine machine;
static const struct board *board;

static void start(const struct board *of) {
    board = of;
    machine_init_sized(&machine, board->chip, VRAM_BYTES, NULL);
    bus_wr32(&machine.bus, 0x100200, board->cfg0);
    bus_wr32(&machine.bus, 0x100204, board->cfg1);
}

static const struct board *board_of(const char *chip) {
    for (size_t i = 0; i < COUNT_OF(boards); i++)
        if (strcmp(boards[i].chip, chip) == 0)
            return &boards[i];
    fail();
    return NULL;
}

static int teardown(void **opaque) {
    (void)opaque;
    machine_free(&machine);
    return 0;
}

/* ---- regions ---- */

struct region {
    uint32_t base, bytes, pitch;
    unsigned offset;
};

static uint32_t base_word(struct region region) {
    return region.base | board->enable | region.offset << board->offset_shift;
}

/* As nouveau does: the limit, the pitch, and the base that enables it; all 0 takes it away. */
static void program(unsigned i, uint32_t limit, uint32_t pitch, uint32_t base) {
    bus_wr32(&machine.bus, board->first + 16 * i + 4, limit);
    bus_wr32(&machine.bus, board->first + 16 * i + 8, pitch);
    bus_wr32(&machine.bus, board->first + 16 * i, base);
}

static void set(unsigned i, struct region region) {
    program(i, region.base + region.bytes - 1, region.pitch, base_word(region));
}

static void unset(unsigned i) {
    program(i, 0, 0, 0);
}

/* Each unit of 16 bytes has its number. */
static void fill(void) {
    static uint8_t bytes[VRAM_BYTES];
    for (uint32_t at = 0; at < VRAM_BYTES; at += 4)
        store_le32(bytes + at, at / 16 << 8 | at % 16);
    bus_bar_write(&machine.bus, 1, 0, bytes, sizeof bytes);
}

static uint32_t unit_in(const uint8_t *bytes) {
    for (uint32_t at = 4; at < 16; at += 4)
        if (load_le32(bytes + at) != load_le32(bytes) + at)
            fail_msg("a unit is torn");
    return load_le32(bytes) >> 8;
}

static uint32_t unit_at(uint32_t address) {
    uint8_t bytes[16];
    bus_bar_read(&machine.bus, 1, address, bytes, sizeof bytes);
    return unit_in(bytes);
}

/* unit_seen[i]: where raw unit i of a region is seen. */
static size_t walk(struct region region, uint32_t *unit_seen) {
    struct reference_tiles tiles = board->tiles;
    tiles.pitch = region.pitch;
    tiles.bank_offset = region.offset * board->offset_scale;
    return reference_tiles(&tiles, region.bytes, unit_seen);
}

/* VRAM that was filled raw, seen through regions that do not overlap. */
static void assert_seen(const struct region *regions, unsigned count) {
    static uint32_t expected[UNITS], seen[UNITS];
    static uint8_t bytes[VRAM_BYTES];
    bus_bar_read(&machine.bus, 1, 0, bytes, sizeof bytes);
    for (uint32_t i = 0; i < UNITS; i++)
        expected[i] = i;
    for (const struct region *region = regions; region < regions + count; region++) {
        walk(*region, seen);
        for (uint32_t i = 0; i < region->bytes / 16; i++)
            expected[region->base / 16 + seen[i]] = region->base / 16 + i;
    }
    for (uint32_t i = 0; i < UNITS; i++)
        if (unit_in(bytes + (size_t)i * 16) != expected[i])
            fail_msg("%s, pitch 0x%x: 0x%x is 0x%x of raw VRAM, not 0x%x", board->chip,
                     count ? (unsigned)regions[0].pitch : 0, (unsigned)i * 16,
                     (unsigned)unit_in(bytes + (size_t)i * 16) * 16, (unsigned)expected[i] * 16);
}

#define ASSERT_SEEN(...)                                                                                               \
    assert_seen((const struct region[]){__VA_ARGS__},                                                                  \
                sizeof((const struct region[]){__VA_ARGS__}) / sizeof(struct region))

/* ---- what is seen ---- */

static void raw_vram_is_seen_through_a_new_region(void **opaque) {
    (void)opaque;
    static const uint32_t pitches[] = {0x200, 0x600, 0xa00, 0xe00, 0x400, 0x1800};
    for (size_t i = 0; i < COUNT_OF(boards); i++) {
        machine_free(&machine);
        start(&boards[i]);
        fill();
        for (size_t j = 0; j < COUNT_OF(pitches); j++)
            for (unsigned offset = 0; offset < board->offsets; offset++) {
                struct region region = {0, 0x80000, pitches[j], offset};
                set(0, region);
                ASSERT_SEEN(region);
                unset(0);
            }
        assert_seen(NULL, 0);
    }
}

static void lines_that_were_written_lie_in_tiles_when_their_region_is_gone(void **opaque) {
    (void)opaque;
    static uint32_t seen[UNITS];
    for (size_t i = 0; i < COUNT_OF(boards); i++) {
        machine_free(&machine);
        start(&boards[i]);
        struct region region = {0x40000, 0x70000, 0xe00, board->offsets - 1};
        set(3, region);
        fill();
        assert_seen(NULL, 0); /* as long as it is there all see the lines */
        unset(3);
        assert_true(walk(region, seen) >= 64);
        for (uint32_t unit = 0; unit < UNITS; unit++) {
            uint32_t within = unit - region.base / 16, expected = unit;
            if (unit >= region.base / 16 && within < region.bytes / 16)
                expected = region.base / 16 + seen[within];
            if (unit_at(unit * 16) != expected)
                fail_msg("%s: 0x%x", board->chip, (unsigned)unit * 16);
        }
    }
}

/* Two lines of NV20's, by hand: 64-bit partitions, two of them, tiles of 8 KiB in lines of 256 bytes. */
static void nv20_tiles_by_hand(void **opaque) {
    (void)opaque;
    start(board_of("NV2A"));
    fill();
    set(0, (struct region){0, 0x80000, 0x200, 0});
    assert_int_equal(unit_at(0x000) * 16, 0x0000);
    assert_int_equal(unit_at(0x010) * 16, 0x0010); /* the other partition */
    assert_int_equal(unit_at(0x020) * 16, 0x0080); /* after these two of four lines */
    assert_int_equal(unit_at(0x200) * 16, 0x0020); /* the second line */
    assert_int_equal(unit_at(0x800) * 16, 0x0410); /* the fifth: partitions are exchanged */
    assert_int_equal(unit_at(0x810) * 16, 0x0400);
    assert_int_equal(unit_at(0x100) * 16, 0x2000);  /* the second tile */
    assert_int_equal(unit_at(0x4000) * 16, 0x6000); /* the second row of tiles: banks are exchanged */
    assert_int_equal(unit_at(0x4100) * 16, 0x4000);
}

/* ---- changes ---- */

static void a_region_that_changes_shows_raw_vram_in_another_way(void **opaque) {
    (void)opaque;
    start(board_of("NV40"));
    fill();
    struct region region = {0x10000, 0x80000, 0x400, 0};
    set(7, region);
    ASSERT_SEEN(region);
    region.pitch = 0x500;
    bus_wr32(&machine.bus, board->first + 16 * 7 + 8, region.pitch);
    ASSERT_SEEN(region);
    region.offset = 2;
    bus_wr32(&machine.bus, board->first + 16 * 7, base_word(region));
    ASSERT_SEEN(region);
    region.bytes = 0x30000;
    bus_wr32(&machine.bus, board->first + 16 * 7 + 4, region.base + region.bytes - 1);
    ASSERT_SEEN(region);
    bus_wr32(&machine.bus, board->first + 16 * 7 + 8, 0x1100); /* no pitch */
    assert_seen(NULL, 0);
}

static void a_region_on_other_dram_has_other_tiles(void **opaque) {
    (void)opaque;
    static const struct {
        uint32_t cfg0, cfg1;
        size_t board;
    } drams[] = {{3, 8 << 12, 11}, {1, 9 << 12, 12}};
    start(&boards[11]);
    fill();
    struct region region = {0, 0x80000, 0x600, 1};
    set(0, region);
    for (size_t i = 0; i < 4; i++) {
        board = &boards[drams[i % 2].board];
        bus_wr32(&machine.bus, 0x100200, drams[i % 2].cfg0);
        bus_wr32(&machine.bus, 0x100204, drams[i % 2].cfg1);
        ASSERT_SEEN(region);
    }
}

/* UNKNOWN: what the chip does. */
static void columns_and_partitions_that_no_dram_has_are_the_nearest(void **opaque) {
    (void)opaque;
    static const struct {
        const char *chip;
        uint32_t cfg0, cfg1;
        unsigned tile_bytes, partitions;
    } cases[] = {{"NV28", 0, 0, 1 << 10, 1},          {"NV28", 2, 0xf000, 1 << 14, 4},
                 {"NV40", 0, 0, 1 << 11, 1},          {"NV40", 0xfe, ~0u, 1 << 15, 4},
                 {"NV10", 0, 0, 1 << 11, 2},          {"NV10", 0xff000030, 0, 1 << 13, 4},
                 {"NV44A", 0x002, 0xf000, 1 << 11, 1}};
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct board other = *board_of(cases[i].chip);
        other.cfg0 = cases[i].cfg0;
        other.cfg1 = cases[i].cfg1;
        other.tiles.tile_bytes = cases[i].tile_bytes;
        other.tiles.partitions = cases[i].partitions;
        other.tiles.partition_bit = 8;
        machine_free(&machine);
        start(&other);
        fill();
        struct region region = {0, 0x80000, 0x600, 0};
        set(0, region);
        ASSERT_SEEN(region);
    }
}

/* ---- several ---- */

static void regions_do_not_disturb_each_other(void **opaque) {
    (void)opaque;
    for (size_t i = 0; i < COUNT_OF(boards); i++) {
        machine_free(&machine);
        start(&boards[i]);
        fill();
        struct region a = {0, 0x40000, 0x400, 0}, b = {0x40000, 0x50000, 0x600, board->offsets - 1};
        struct region c = {0xa0000, 0x60000, 0x200, 0};
        set(5, a);
        set(0, b);
        ASSERT_SEEN(a, b);
        set(7, c);
        ASSERT_SEEN(a, b, c);
        unset(0);
        ASSERT_SEEN(a, c);
        unset(5);
        ASSERT_SEEN(c);
        a.base = 0x60000;
        set(1, a);
        ASSERT_SEEN(a, c);
    }
}

/* UNKNOWN: what the chip does. */
static void of_two_regions_that_overlap_the_lower_number_is_there(void **opaque) {
    (void)opaque;
    start(board_of("NV30"));
    fill();
    struct region a = {0, 0x80000, 0x400, 0}, b = {0x70000, 0x40000, 0x600, 1};
    set(2, b);
    ASSERT_SEEN(b);
    set(1, a);
    ASSERT_SEEN(a);
    set(3, (struct region){0xb0000, 0x10000, 0x200, 0});
    ASSERT_SEEN(a, {0xb0000, 0x10000, 0x200, 0});
    unset(1);
    ASSERT_SEEN(b, {0xb0000, 0x10000, 0x200, 0});
    unset(2);
    set(0, (struct region){0x50000, 0, 0x200, 0}); /* empty: the limit is below the base */
    set(1, a);
    ASSERT_SEEN(a, {0xb0000, 0x10000, 0x200, 0});
}

/* UNKNOWN: what the chip does. */
static void a_region_ends_with_vram(void **opaque) {
    (void)opaque;
    start(board_of("NV30"));
    fill();
    struct region region = {0xc0000, 0x40000, 0xa00, 0};
    program(0, 0xffffffff, region.pitch, base_word(region));
    ASSERT_SEEN(region);
    program(1, 0xffffffff, 0x200, 0xffffc001);
    program(2, 0x80000000, 0x200, 0x7fffc001);
    ASSERT_SEEN(region);
}

static void the_limit_is_the_last_of_whole_units(void **opaque) {
    (void)opaque;
    start(board_of("NV10"));
    fill();
    program(0, 0x3ffff, 0x200, 0x80000000);
    ASSERT_SEEN({0, 0x40000, 0x200, 0});
    program(0, 0x3c000, 0x200, 0x80000000);
    ASSERT_SEEN({0, 0x40000, 0x200, 0});
    program(0, 0x3bfff, 0x200, 0x80000000);
    ASSERT_SEEN({0, 0x3c000, 0x200, 0});
    program(0, 0, 0x200, 0x80000000);
    ASSERT_SEEN({0, 0x4000, 0x200, 0});
    program(0, 0x3ffff, 0x200, 0);
    assert_seen(NULL, 0);
}

static void regions_of_gart_do_not_touch_vram(void **opaque) {
    (void)opaque;
    static const struct {
        const char *chip;
        bool is_vram[8];
    } cases[] = {{"NV44", {false, true, false, false}},
                 {"G72", {false, true, false, false}},
                 {"C51", {false, true, false, false, true, false, false, false}}};
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        machine_free(&machine);
        start(board_of(cases[i].chip));
        fill();
        for (uint32_t mode = 0; mode < (i == 2 ? 8 : 4); mode++) {
            program(0, 0x7ffff, 0x600, mode);
            if (cases[i].is_vram[mode])
                ASSERT_SEEN({0, 0x80000, 0x600, 0});
            else
                assert_seen(NULL, 0);
        }
    }
}

/* ---- who looks ---- */

static void pramin_and_the_gpu_look_through_regions_too(void **opaque) {
    (void)opaque;
    start(board_of("NV30"));
    struct region region = {0xc0000, 0x40000, 0x400, 0};
    struct address_space vram = address_space_physical(MEMORY_VRAM);
    uint32_t value = 0, seen[0x40000 / 16], raw = 0;
    set(0, region);
    bus_wr32(&machine.bus, 0x700000, 0x12345678);
    uint32_t address = (uint32_t)memory_ramin_to_vram(&machine.memory, 0);
    assert_true(memory_rd32(&machine.memory, &vram, address, &value, NULL));
    assert_int_equal(value, 0x12345678);
    assert_int_equal(bar_rd32(&machine, 1, address), 0x12345678);
    unset(0);
    assert_int_equal(bus_rd32(&machine.bus, 0x700000), 0);
    walk(region, seen);
    while (seen[raw] != (address - region.base) / 16)
        raw++;
    assert_int_equal(bar_rd32(&machine, 1, region.base + raw * 16 + address % 16), 0x12345678);
}

/* Protection is one against writes; tiles are not written when they are seen in another way. */
static void protected_vram_is_seen_in_tiles_too(void **opaque) {
    (void)opaque;
    start(board_of("NV30"));
    fill();
    bus_wr32(&machine.bus, 0x100214, 0xf1);
    struct region region = {0x20000, 0xe0000, 0xa00, 3};
    set(0, region);
    ASSERT_SEEN(region);
    bar_wr32(&machine, 1, 0xffff0, 5);
    assert_true(bar_rd32(&machine, 1, 0xffff0) != 5);
}

struct watcher {
    unsigned hits;
    uint32_t first; /* what was there when it was called */
};

static void count_hit(void *opaque, const uint8_t *begin, const uint8_t *end) {
    struct watcher *watcher = opaque;
    assert_true(begin < end);
    if (watcher->hits++ == 0)
        watcher->first = unit_at(0x20100);
}

static void who_watches_vram_is_told_before_it_is_rearranged(void **opaque) {
    (void)opaque;
    start(board_of("NV30"));
    fill();
    struct watcher watcher = {0};
    machine.memory.watch =
        (struct memory_watch){machine.memory.vram + 0x20100, machine.memory.vram + 0x20110, count_hit, &watcher};
    struct region region = {0x20000, 0x20000, 0x400, 0};
    set(0, region);
    assert_int_equal(watcher.hits, 1);
    assert_int_equal(watcher.first, 0x2010);
    ASSERT_SEEN(region);
    set(1, (struct region){0x40000, 0x20000, 0x400, 0}); /* elsewhere */
    assert_int_equal(watcher.hits, 1);
    watcher.hits = 0;
    unset(0);
    assert_int_equal(watcher.hits, 1);
    assert_int_equal(watcher.first, 0x2000 + 0x2000 / 16);
}

static void a_region_that_changes_is_told(void **opaque) {
    (void)opaque;
    struct event_log log;
    start(board_of("NV30"));
    observe(&machine, "memory.tiles", &log);
    bus_wr32(&machine.bus, board->first + 52, 0x9ffff);
    bus_wr32(&machine.bus, board->first + 56, 0xa00);
    assert_int_equal(log.count, 0);
    bus_wr32(&machine.bus, board->first + 48, 0x80001);
    assert_int_equal(log.count, 1);
    assert_int_equal(log.last.value[0], 3);
    assert_int_equal(log.last.value[1], 0x80000);
    assert_int_equal(log.last.value[2], 0x14000);
    assert_int_equal(log.last.value[3], 0xa00);
    bus_wr32(&machine.bus, board->first + 52, 0);
    assert_int_equal(log.count, 2);
    assert_int_equal(log.last.value[0], 3);
    assert_int_equal(log.last.value[2], 0);
}

static void what_is_written_again_changes_nothing(void **opaque) {
    (void)opaque;
    start(board_of("NV30"));
    fill();
    struct region region = {0x20000, 0x20000, 0x400, 0};
    program(1, 0x5ffff, 0x1100, 0x40001); /* no pitch */
    set(0, region);
    struct watcher watcher = {0};
    machine.memory.watch =
        (struct memory_watch){machine.memory.vram, machine.memory.vram + VRAM_BYTES, count_hit, &watcher};
    set(0, region);
    bus_write(&machine.bus, board->first + 1, "\0\2", 2);
    bus_wr32(&machine.bus, 0x100200, board->cfg0);
    bus_wr32(&machine.bus, 0x100204, board->cfg1 | 0xfff00f00);
    bus_wr32(&machine.bus, board->first + 16 + 8, 0x1300); /* still none */
    bus_wr32(&machine.bus, board->first + 32 + 8, 0x400);  /* not enabled */
    bus_wr32(&machine.bus, board->first + 32 + 4, 0x4ffff);
    assert_int_equal(watcher.hits, 0);
    ASSERT_SEEN(region);
    bus_write(&machine.bus, board->first + 8 + 1, "\6", 1); /* a byte */
    region.pitch = 0x600;
    ASSERT_SEEN(region);
}

static void vram_that_nobody_used_stays_unused(void **opaque) {
    (void)opaque;
    machine_init(&machine, "NV40", NULL);
    board = board_of("NV40");
    poke(&machine, 0x8000000, 5);
    program(0, 0x7ffffff, 0x10000, 1);
    program(1, 0xfffffff, 0x400, 0x8000001);
    program(1, 0xfffffff, 0x600, 0x8000001);
    unset(0);
    for (uint64_t chunk = 0; chunk < machine.memory.config.vram_bytes / MEMORY_CHUNK; chunk++)
        assert_int_equal(machine.memory.vram_used[chunk / 64] >> chunk % 64 & 1, chunk == 0x8000000 / MEMORY_CHUNK);
    unset(1);
    assert_int_equal(peek(&machine, 0x8000000), 5);
}

/* ---- save and restore ---- */

static struct stream {
    uint8_t data[4 * VRAM_BYTES];
    size_t bytes;
} stream;

static bool collect(void *opaque, const void *data, size_t bytes) {
    struct stream *to = opaque;
    assert_true(bytes <= sizeof to->data - to->bytes);
    memcpy(to->data + to->bytes, data, bytes);
    to->bytes += bytes;
    return true;
}

static void state_of(struct machine *of, struct state_io *io) {
    memory_state(&of->memory, io);
    bus_state(&of->bus, io);
    assert_int_equal(state_close(io), PFIFO_OK);
}

static void a_restore_rearranges_nothing(void **opaque) {
    (void)opaque;
    struct state_io io;
    start(board_of("NV40"));
    fill();
    struct region region = {0x10000, 0x80000, 0x400, 0};
    set(7, region);
    stream.bytes = 0;
    state_open_save(&io, collect, &stream, NULL);
    state_of(&machine, &io);
    ASSERT_SEEN(region);
    machine_free(&machine);
    start(board_of("NV40"));
    fill();
    set(2, (struct region){0, 0x60000, 0xa00, 1});
    state_open_load(&io, stream.data, stream.bytes, NULL);
    state_of(&machine, &io);
    ASSERT_SEEN(region);
    bus_wr32(&machine.bus, board->first, 0);
    ASSERT_SEEN(region);
    unset(7);
    assert_seen(NULL, 0);
}

/* Regions that could never be taken away again. */
static void a_restore_brings_no_regions_that_the_chip_has_no_registers_for(void **opaque) {
    (void)opaque;
    struct state_io io;
    start(board_of("NV30"));
    fill();
    struct region region = {0, 0x40000, 0x400, 0};
    set(0, region);
    for (unsigned i = 8; i < TILING_REGIONS; i++) {
        machine.bus.tiling->base[i] = base_word((struct region){0x40000 + 0x10000 * (i - 8), 0, 0, 0});
        machine.bus.tiling->limit[i] = 0x4ffff + 0x10000 * (i - 8);
        machine.bus.tiling->pitch[i] = 0x200;
    }
    stream.bytes = 0;
    state_open_save(&io, collect, &stream, NULL);
    state_of(&machine, &io);
    machine_free(&machine);
    start(board_of("NV30"));
    state_open_load(&io, stream.data, stream.bytes, NULL);
    state_of(&machine, &io);
    for (unsigned i = 0; i < TILING_REGIONS; i++)
        assert_int_equal(machine.memory.tiling.region[i].map.tiles != 0, i == 0);
    ASSERT_SEEN(region);
    struct region last = {0x40000, 0xc0000, 0xa00, 1};
    set(7, last);
    ASSERT_SEEN(region, last);
}

/* ---- anything ---- */

#define ROUNDS 40

/* A region somewhere in `part` of four parts of VRAM. */
static struct region any_region(struct choice *c, unsigned part) {
    uint32_t unit = 0x10000, from = choice_below(c, 3), to = from + 1 + choice_below(c, 4 - from);
    return (struct region){part * 4 * unit + from * unit, (to - from) * unit, 0x200u << choice_below(c, 3),
                           choice_below(c, board->offsets)};
}

/* Registers in any order, one write at a time: what is raw stays what it is. */
static void raw_vram_is_the_same_however_regions_came_and_went(void **opaque) {
    (void)opaque;
    struct choice choice = choice_from_seed(5), *c = &choice;
    for (size_t i = 0; i < COUNT_OF(boards); i++) {
        struct region regions[4] = {{0}};
        machine_free(&machine);
        start(&boards[i]);
        fill();
        for (unsigned round = 0; round < ROUNDS; round++) {
            unsigned part = choice_below(c, 4);
            uint32_t at = board->first + 16 * part;
            struct region region = any_region(c, part);
            if (choice_below(c, 4) == 0)
                region.pitch = 0x100;
            if (choice_below(c, 2) == 0)
                bus_wr32(&machine.bus, at, base_word(region));
            bus_wr32(&machine.bus, at + 4, region.base + region.bytes - 1);
            bus_wr32(&machine.bus, at + 8, region.pitch);
            bus_wr32(&machine.bus, at, base_word(region));
            regions[part] = region;
        }
        struct region there[4];
        unsigned count = 0;
        for (unsigned part = 0; part < 4; part++)
            if (regions[part].pitch >= 0x200)
                there[count++] = regions[part];
        assert_seen(there, count);
        for (unsigned part = 0; part < 4; part++)
            bus_wr32(&machine.bus, board->first + 16 * part, 0);
        assert_seen(NULL, 0);
    }
}

#define TEST(name) cmocka_unit_test_teardown(name, teardown)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(raw_vram_is_seen_through_a_new_region),
        TEST(lines_that_were_written_lie_in_tiles_when_their_region_is_gone),
        TEST(nv20_tiles_by_hand),
        TEST(a_region_that_changes_shows_raw_vram_in_another_way),
        TEST(a_region_on_other_dram_has_other_tiles),
        TEST(columns_and_partitions_that_no_dram_has_are_the_nearest),
        TEST(regions_do_not_disturb_each_other),
        TEST(of_two_regions_that_overlap_the_lower_number_is_there),
        TEST(a_region_ends_with_vram),
        TEST(the_limit_is_the_last_of_whole_units),
        TEST(regions_of_gart_do_not_touch_vram),
        TEST(pramin_and_the_gpu_look_through_regions_too),
        TEST(protected_vram_is_seen_in_tiles_too),
        TEST(who_watches_vram_is_told_before_it_is_rearranged),
        TEST(a_region_that_changes_is_told),
        TEST(what_is_written_again_changes_nothing),
        TEST(vram_that_nobody_used_stays_unused),
        TEST(a_restore_rearranges_nothing),
        TEST(a_restore_brings_no_regions_that_the_chip_has_no_registers_for),
        TEST(raw_vram_is_the_same_however_regions_came_and_went),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
