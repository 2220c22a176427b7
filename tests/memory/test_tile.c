/* SPDX-License-Identifier: MIT */
/* Addresses in tiled VRAM: against a walk through memory, and against what the verified function gives. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include <stdlib.h>

#include "memory/tile.h"
#include "reference/tile.h"

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

/* What there is of each kind; typed from the documents, not from the tables. */
static const struct kind {
    const char *chip;
    enum reference_order order;
    bool odd, factor_13, large; /* pitches */
    uint8_t partition_bits;     /* at most */
    bool moves, twists, shuffles_two, rows_as_they_are;
    uint8_t offsets, offset_scale;
} kinds[] = {
    {"NV10", ORDER_NV10, .partition_bits = 2, .twists = true, .offsets = 1},
    {"NV34", ORDER_NV10, .partition_bits = 2, .twists = true, .offsets = 1},
    {"NV20", ORDER_NV20, .odd = true, .partition_bits = 2, .offsets = 2, .offset_scale = 1},
    {"NV28", ORDER_NV20, .odd = true, .factor_13 = true, .partition_bits = 2, .offsets = 2, .offset_scale = 1},
    {"NV36", ORDER_NV30, .odd = true, .factor_13 = true, .partition_bits = 2, .offsets = 4, .offset_scale = 1},
    {"NV40", ORDER_NV40, true, true, true, .partition_bits = 2, .offsets = 4, .offset_scale = 1},
    {"NV45", ORDER_NV40, true, true, true, .partition_bits = 2, .shuffles_two = true, .offsets = 4, .offset_scale = 1},
    {"NV42", ORDER_NV41, true, true, true, .partition_bits = 2, .offsets = 4, .offset_scale = 1},
    {"G73", ORDER_NV41, true, true, true, .partition_bits = 2, .moves = true, .shuffles_two = true, .offsets = 4,
     .offset_scale = 1},
    {"NV44A", ORDER_NV44, .factor_13 = true, .partition_bits = 1, .twists = true, .offsets = 1},
    {"G72", ORDER_NV44, .factor_13 = true, .partition_bits = 1, .twists = true, .offsets = 2, .offset_scale = 2},
    {"C51", ORDER_NV44, .factor_13 = true, .rows_as_they_are = true, .offsets = 2, .offset_scale = 1},
    {"MCP67", ORDER_NV44, .factor_13 = true, .offsets = 2, .offset_scale = 1},
};

static const struct tile_family *family_of(const char *chip) {
    return tile_family_of(pfifo_chip_by_name(chip));
}

/* ---- pitches ---- */

static bool is_pitch(const struct kind *kind, uint32_t bytes) {
    uint32_t units = bytes / 256;
    if (units < 2 || units > (kind->large ? 256u : 255u) || (units % 2 && !kind->odd))
        return false;
    while (units % 2 == 0)
        units /= 2;
    return units == 1 || units == 3 || units == 5 || units == 7 || (units == 13 && kind->factor_13);
}

static void a_pitch_is_one_of_a_few_factors_times_a_power_of_two(void **state) {
    (void)state;
    static const uint32_t factors[] = {1, 3, 5, 7, 13};
    for (const struct kind *kind = kinds; kind < kinds + COUNT_OF(kinds); kind++)
        for (uint32_t bytes = 0; bytes <= 0x40000; bytes += 256) {
            struct tile_pitch pitch;
            bool there = tile_pitch_of(family_of(kind->chip), bytes, &pitch);
            if (there != is_pitch(kind, bytes))
                fail_msg("%s: pitch 0x%x", kind->chip, (unsigned)bytes);
            if (there) {
                assert_int_equal(pitch.bytes, bytes);
                assert_int_equal(factors[pitch.factor] << pitch.shift, bytes / 256);
            }
        }
}

static void no_chip_before_nv10_or_after_rsx_has_tiles(void **state) {
    (void)state;
    unsigned have = 0;
    for (size_t i = 0; i < pfifo_chip_count(); i++) {
        const struct pfifo_chip *chip = pfifo_chip_by_name(pfifo_chip_info(pfifo_chip_at(i)).name);
        assert_int_equal(tile_family_of(chip) != NULL, chip_in_range(chip, "NV10:G80"));
        have += tile_family_of(chip) != NULL;
    }
    assert_int_equal(have, 33);
}

/* ---- maps ---- */

static struct tile_map map_of(const char *chip, const struct tile_geometry *geometry, uint32_t bytes, unsigned offset,
                              uint64_t room) {
    struct tile_pitch pitch;
    assert_true(tile_pitch_of(family_of(chip), bytes, &pitch));
    return tile_map_of(family_of(chip), geometry, &pitch, offset, room);
}

/* The raw offset of the unit at `offset`: the same, after the map. The line that was looked up last is kept. */
static uint64_t place_of(const struct tile_map *map, uint64_t offset) {
    static uint64_t places[TILE_BYTES_PER_LINE / TILE_UNIT];
    static struct tile_map of;
    static uint64_t line = UINT64_MAX;
    uint64_t first = offset - offset % TILE_BYTES_PER_LINE;
    if (offset >= tile_map_bytes(map))
        return offset;
    if (line != first || memcmp(&of, map, sizeof of) != 0)
        tile_line(map, first, places);
    of = *map;
    line = first;
    return places[offset % TILE_BYTES_PER_LINE / TILE_UNIT];
}

/* Every unit of a region that is `seen` at one place is in one place of memory, the one that the walk has. */
static void compare(const struct tile_map *map, const char *chip, const uint32_t *seen, uint64_t units) {
    for (uint64_t raw = 0; raw < units; raw++) {
        uint64_t offset = (uint64_t)seen[raw] * TILE_UNIT;
        if (place_of(map, offset) != raw * TILE_UNIT)
            fail_msg("%s, pitch 0x%x, offset %u, tiles of 2^%u, 2^%u partitions at %u: 0x%llx is at 0x%llx, not 0x%llx",
                     chip, (unsigned)map->pitch.bytes, map->bank_offset, map->geometry.tile_bits,
                     map->geometry.partition_bits, map->geometry.partition_at, (unsigned long long)offset,
                     (unsigned long long)place_of(map, offset), (unsigned long long)raw * TILE_UNIT);
    }
}

static void check_map(const struct kind *kind, const struct tile_geometry *geometry, uint32_t pitch, unsigned offset,
                      uint64_t room) {
    struct tile_map map = map_of(kind->chip, geometry, pitch, offset, room);
    struct reference_tiles tiles = {kind->order,
                                    1u << geometry->tile_bits,
                                    1u << geometry->partition_bits,
                                    geometry->partition_at,
                                    kind->shuffles_two,
                                    geometry->twist,
                                    kind->rows_as_they_are,
                                    pitch,
                                    offset};
    uint64_t whole = room >> geometry->tile_bits << geometry->tile_bits;
    uint32_t *seen = malloc(whole / TILE_UNIT * sizeof *seen + 1);
    assert_non_null(seen);
    size_t lines = reference_tiles(&tiles, whole, seen);
    assert_int_equal((uint64_t)map.rows << (geometry->tile_bits - 8), lines);
    assert_true(tile_map_bytes(&map) <= whole);
    compare(&map, kind->chip, seen, whole / TILE_UNIT);
    free(seen);
}

typedef void (*geometry_check)(const struct kind *kind, const struct tile_geometry *geometry);

/* All ways to build the DRAM, with the smallest tiles and larger ones. */
static void for_each_geometry(const struct kind *kind, geometry_check check) {
    for (uint8_t bits = 0; bits <= kind->partition_bits; bits++)
        for (unsigned larger = 0; larger <= 1; larger++)
            for (uint8_t at = kind->moves ? 7 : 8; at <= 8; at++)
                for (int twist = 0; twist <= kind->twists; twist++) {
                    const struct tile_geometry geometry = {(uint8_t)(10 + bits + larger), bits, at, twist};
                    check(kind, &geometry);
                }
}

static void check_small_pitches(const struct kind *kind, const struct tile_geometry *geometry) {
    for (uint32_t pitch = 0x200; pitch <= 0x800; pitch += 0x100)
        for (unsigned offset = 0; is_pitch(kind, pitch) && offset < kind->offsets; offset++)
            check_map(kind, geometry, pitch, offset * kind->offset_scale,
                      ((uint64_t)pitch << (geometry->tile_bits - 8)) * 4);
}

static void all_units_are_where_a_walk_through_memory_finds_them(void **state) {
    (void)state;
    for (const struct kind *kind = kinds; kind < kinds + COUNT_OF(kinds); kind++)
        for_each_geometry(kind, check_small_pitches);
}

static void large_pitches_and_large_tiles_too(void **state) {
    (void)state;
    for (const struct kind *kind = kinds; kind < kinds + COUNT_OF(kinds); kind++) {
        const struct tile_geometry small = {(uint8_t)(10 + kind->partition_bits), kind->partition_bits, 8,
                                            kind->twists};
        const struct tile_geometry large = {TILE_BITS_MOST, kind->partition_bits, 8, false};
        for (uint32_t pitch = 0xa00; pitch <= 0x10000; pitch += 0x100)
            if (is_pitch(kind, pitch))
                check_map(kind, &small, pitch, 0, (uint64_t)pitch << (2 + kind->partition_bits) << 1);
        check_map(kind, &large, 0xe00, (kind->offsets - 1u) * kind->offset_scale, 0xe00u << 7 << 2);
    }
}

/* Regions of any number of tiles: those that complete no row, and those whose last row would lie beyond the end. */
static void check_ends(const struct kind *kind, const struct tile_geometry *geometry) {
    static const uint32_t pitches[] = {0x200, 0x300, 0x400, 0x500, 0x600, 0xa00};
    bool smallest = geometry->tile_bits == 10 + geometry->partition_bits && !geometry->twist;
    for (size_t i = 0; smallest && i < COUNT_OF(pitches); i++)
        for (unsigned tiles = 0; is_pitch(kind, pitches[i]) && tiles <= pitches[i] / 256 * 4 + 3; tiles++)
            for (unsigned offset = 0; offset < kind->offsets; offset++)
                check_map(kind, geometry, pitches[i], offset * kind->offset_scale,
                          ((uint64_t)tiles << geometry->tile_bits) + 16 * (tiles % 3));
}

static void rows_that_are_not_complete_keep_their_order(void **state) {
    (void)state;
    for (const struct kind *kind = kinds; kind < kinds + COUNT_OF(kinds); kind++)
        for_each_geometry(kind, check_ends);
}

/* ---- pieces and lines ---- */

static void check_pieces(const struct kind *kind, const struct tile_geometry *geometry) {
    for (uint32_t pitch = 0x200; pitch <= 0x600; pitch += 0x100)
        for (unsigned offset = 0; is_pitch(kind, pitch) && offset < kind->offsets; offset++) {
            uint64_t room = ((uint64_t)pitch << (geometry->tile_bits - 8)) * 7;
            struct tile_map map = map_of(kind->chip, geometry, pitch, offset * kind->offset_scale, room);
            uint64_t piece = tile_map_piece(&map), begin = 0, places[16] = {0};
            assert_true(piece > 0 && piece <= TILE_PIECE_MOST && piece % ((uint64_t)1 << geometry->tile_bits) == 0);
            for (uint64_t at = 0; at < tile_map_bytes(&map); at += 256) {
                tile_line(&map, at, places);
                begin += at - begin == piece ? piece : 0;
                for (unsigned i = 0; i < 16; i++)
                    assert_true(places[i] >= begin && places[i] < begin + piece);
            }
        }
}

static void no_unit_leaves_its_piece(void **state) {
    (void)state;
    for (const struct kind *kind = kinds; kind < kinds + COUNT_OF(kinds); kind++)
        for_each_geometry(kind, check_pieces);
}

/* ---- what was verified ---- */

/*
 * Sums over four rows of tiles, all pitches up to 0x1c00 and all bank offsets, of what tile_translate_addr() of
 * envytools gives, which its hwtest/nv10_tile.cc compares with cards.
 */
static const struct verified {
    const char *chip;
    struct tile_geometry geometry;
    uint8_t offsets, offset_scale;
    uint32_t sum;
} verified[] = {
    {"NV10", {11, 1, 8, false}, 1, 1, 0x2ebe25c5},  {"NV15", {12, 2, 8, true}, 1, 1, 0xa1c86dc5},
    {"NV17", {12, 1, 8, false}, 1, 1, 0xfc2c2dc5},  {"NV20", {12, 2, 8, false}, 2, 1, 0x0dee55c5},
    {"NV25", {13, 2, 8, false}, 2, 1, 0x889ebdc5},  {"NV30", {12, 1, 8, false}, 4, 1, 0xbfed65c5},
    {"NV35", {13, 2, 8, false}, 4, 1, 0xb2bb6dc5},  {"NV36", {12, 0, 8, false}, 4, 1, 0x6e0545c5},
    {"NV34", {13, 2, 8, true}, 1, 1, 0xcc997dc5},   {"NV40", {14, 2, 8, false}, 4, 1, 0xbde44dc5},
    {"NV40", {12, 1, 8, false}, 4, 1, 0x47fa8dc5},  {"NV45", {12, 1, 8, false}, 4, 1, 0x5b5ac9c5},
    {"NV41", {13, 2, 8, false}, 4, 1, 0x669125c5},  {"NV42", {13, 1, 8, false}, 4, 1, 0x694e3dc5},
    {"NV43", {13, 1, 8, false}, 4, 1, 0x176945c5},  {"G70", {14, 2, 7, false}, 4, 1, 0xbc767dc5},
    {"G71", {13, 2, 8, false}, 4, 1, 0x669125c5},   {"G73", {12, 1, 7, false}, 4, 1, 0xd30375c5},
    {"G73", {11, 0, 8, false}, 4, 1, 0xa390c1c5},   {"NV44", {12, 1, 8, true}, 1, 1, 0x0e7299c5},
    {"NV44A", {10, 0, 8, false}, 1, 1, 0x9bc879c5}, {"G72", {11, 1, 8, true}, 2, 2, 0x479d31c5},
    {"C51", {12, 0, 8, false}, 2, 1, 0x04c73dc5},   {"MCP61", {12, 0, 8, false}, 2, 1, 0xd39e7dc5},
};

static uint32_t sum_of(const struct tile_map *map, uint32_t sum) {
    for (uint64_t at = 0; at < tile_map_bytes(map); at += TILE_UNIT)
        sum = (sum ^ (uint32_t)(place_of(map, at) / TILE_UNIT)) * 0x01000193u;
    return sum;
}

static void addresses_are_those_that_were_verified_on_cards(void **state) {
    (void)state;
    for (const struct verified *row = verified; row < verified + COUNT_OF(verified); row++) {
        uint32_t sum = 0x811c9dc5;
        for (uint32_t pitch = 0x100; pitch <= 0x1c00; pitch += 0x100) {
            struct tile_pitch there;
            for (unsigned i = 0; tile_pitch_of(family_of(row->chip), pitch, &there) && i < row->offsets; i++) {
                struct tile_map map = map_of(row->chip, &row->geometry, pitch, i * row->offset_scale,
                                             (uint64_t)pitch << (row->geometry.tile_bits - 8) << 2);
                assert_int_equal(map.rows, 4);
                sum = sum_of(&map, sum);
            }
        }
        if (sum != row->sum)
            fail_msg("%s, tiles of 2^%u: %08x", row->chip, row->geometry.tile_bits, (unsigned)sum);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_pitch_is_one_of_a_few_factors_times_a_power_of_two),
        cmocka_unit_test(no_chip_before_nv10_or_after_rsx_has_tiles),
        cmocka_unit_test(all_units_are_where_a_walk_through_memory_finds_them),
        cmocka_unit_test(large_pitches_and_large_tiles_too),
        cmocka_unit_test(rows_that_are_not_complete_keep_their_order),
        cmocka_unit_test(no_unit_leaves_its_piece),
        cmocka_unit_test(addresses_are_those_that_were_verified_on_cards),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
