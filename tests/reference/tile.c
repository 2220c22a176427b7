/* SPDX-License-Identifier: MIT */
#include "reference/tile.h"

#include <stdlib.h>
#include <string.h>

#define UNIT 16u

/* ---- where whole tiles go: banks by their place in a row of tiles, as tables ---- */

static unsigned tiles_in_row(const struct reference_tiles *tiles) {
    return tiles->pitch / 256;
}

/* How often the pitch can be halved, at most twice. */
static unsigned halves(const struct reference_tiles *tiles) {
    return tiles_in_row(tiles) % 4 == 0 ? 2 : tiles_in_row(tiles) % 2 == 0 ? 1 : 0;
}

static const unsigned in_order[4][4] = {{0, 1, 2, 3}, {0, 1, 2, 3}, {0, 1, 2, 3}, {0, 1, 2, 3}};
static const unsigned pairs[4][4] = {{0, 1, 2, 3}, {1, 0, 3, 2}, {0, 1, 2, 3}, {1, 0, 3, 2}};
static const unsigned nv30_once[4][4] = {{0, 1, 2, 3}, {0, 1, 2, 3}, {1, 2, 3, 0}, {1, 2, 3, 0}};
static const unsigned nv30_twice[4][4] = {{0, 1, 2, 3}, {2, 3, 0, 1}, {1, 2, 3, 0}, {3, 0, 1, 2}};
static const unsigned nv40_even[4][4] = {{0, 2, 1, 3}, {1, 3, 2, 0}, {2, 0, 3, 1}, {3, 1, 0, 2}};

/* The bank of a tile that is number `tile` in the order of lines; by column of tiles on NV40, with even pitches. */
static unsigned bank_in_table(const struct reference_tiles *tiles, unsigned tile, unsigned column, unsigned row) {
    switch (tiles->order) {
    case ORDER_NV10:
        return pairs[row % 4][tile % 4];
    case ORDER_NV20:
        return (halves(tiles) ? pairs : in_order)[row % 4][tile % 4];
    case ORDER_NV30:
        return (halves(tiles) == 2 ? nv30_twice : halves(tiles) == 1 ? nv30_once : in_order)[row % 4][tile % 4];
    case ORDER_NV40:
    case ORDER_NV41:
        return halves(tiles) ? nv40_even[row % 4][column % 4] : tile % 4;
    case ORDER_NV44:
        return (tiles->rows_as_they_are ? in_order : pairs)[row % 4][tile % 4];
    }
    return 0;
}

static unsigned slot_of_tile(const struct reference_tiles *tiles, unsigned tile) {
    unsigned row = tile / tiles_in_row(tiles), column = tile % tiles_in_row(tiles);
    unsigned bank = bank_in_table(tiles, tile, column, row);
    if (tiles->order == ORDER_NV40 || tiles->order == ORDER_NV41)
        bank = (bank + tiles->bank_offset) % 4;
    else
        bank ^= tiles->bank_offset;
    return tile - tile % 4 + bank;
}

/* Rows of tiles that are complete, and none of whose tiles lies beyond the end. */
static unsigned whole_rows(const struct reference_tiles *tiles, unsigned room) {
    for (unsigned rows = room / tiles_in_row(tiles); rows > 0; rows--) {
        bool inside = true;
        for (unsigned tile = 0; tile < rows * tiles_in_row(tiles); tile++)
            inside = inside && slot_of_tile(tiles, tile) < room;
        if (inside)
            return rows;
    }
    return 0;
}

/* tile_in[slot]; what no row of tiles has is given out in order. */
static void give_out(const struct reference_tiles *tiles, unsigned rows, unsigned room, uint32_t *tile_in) {
    unsigned used = rows * tiles_in_row(tiles), next = used;
    for (unsigned slot = 0; slot < room; slot++)
        tile_in[slot] = UINT32_MAX;
    for (unsigned tile = 0; tile < used; tile++)
        tile_in[slot_of_tile(tiles, tile)] = tile;
    for (unsigned slot = 0; slot < room; slot++)
        if (tile_in[slot] == UINT32_MAX)
            tile_in[slot] = next++;
}

/* ---- the inside of a tile, in the order of its units in VRAM ---- */

struct walk {
    const struct reference_tiles *tiles;
    unsigned tile_column, tile_row;
    uint32_t *seen; /* the next unit's */
};

/* The next unit is `unit` of a line of the tile. */
static void next_is(struct walk *walk, unsigned unit, unsigned line) {
    const struct reference_tiles *tiles = walk->tiles;
    uint64_t row = (uint64_t)walk->tile_row * (tiles->tile_bytes / 256) + line;
    *walk->seen++ = (uint32_t)((row * tiles->pitch + walk->tile_column * 256u) / UNIT + unit);
}

/* Bits of a number below `count`, a power of two up to 4, in the other direction. */
static unsigned mirrored(unsigned value, unsigned count) {
    static const unsigned of_four[4] = {0, 2, 1, 3};
    return count == 4 ? of_four[value % 4] : value % count;
}

static void walk_nv20(struct walk *walk) {
    unsigned lines = walk->tiles->tile_bytes / 256, count = walk->tiles->partitions;
    for (unsigned four = 0; four < lines / 4; four++)
        for (unsigned group = 0; group < 16 / count; group++)
            for (unsigned line = 0; line < 4; line++)
                for (unsigned partition = 0; partition < count; partition++)
                    next_is(walk, group * count + (partition + count - mirrored(four, count)) % count, four * 4 + line);
}

/* The partition of four lines, on the left or right half of a tile. */
static unsigned nv40_partition(const struct walk *walk, unsigned four, unsigned half) {
    const struct reference_tiles *tiles = walk->tiles;
    unsigned count = tiles->partitions, at = walk->tile_column * 2 + half;
    unsigned down = halves(tiles) == 0 ? 2 * walk->tile_row : 0;
    if (tiles->order == ORDER_NV40)
        return (mirrored(four, count) + at + down) % count;
    return ((((4 * count - four) % count) ^ (at % count)) + down) % count;
}

static unsigned four_of_partition(const struct walk *walk, unsigned partition, unsigned half) {
    for (unsigned four = 0; four < walk->tiles->partitions; four++)
        if (nv40_partition(walk, four, half) == partition)
            return four;
    abort();
}

/* 32 bytes of four lines, of one partition: like a chessboard. */
static void walk_chessboard(struct walk *walk, unsigned first_unit, unsigned first_line) {
    for (unsigned line = 0; line < 4; line++)
        for (unsigned square = 0; square < 2; square++)
            next_is(walk, first_unit + (square + line + first_unit / 2) % 2, first_line + line);
}

static void walk_nv40(struct walk *walk) {
    unsigned count = walk->tiles->partitions, lines = walk->tiles->tile_bytes / 256;
    for (unsigned first = 0; first < lines; first += 4 * count)
        for (unsigned block = 0; block < 4; block++)
            for (unsigned i = 0; i < 2 * count; i++) {
                bool low = walk->tiles->partition_bit == 7;
                unsigned partition = low ? i % count : i / 2, piece = low ? i / count : i % 2;
                unsigned four = four_of_partition(walk, partition, block / 2);
                walk_chessboard(walk, block * 4 + piece * 2, first + four * 4);
            }
}

/* Lines one after the other. On NV10 the lines of a tile begin elsewhere in each of the pitch's odd parts. */
static void walk_lines(struct walk *walk) {
    const struct reference_tiles *tiles = walk->tiles;
    unsigned lines = tiles->tile_bytes / 256, part = tiles_in_row(tiles), columns = 1;
    while (part % 2 == 0) {
        part /= 2;
        columns *= 2;
    }
    for (unsigned at = 0; at < lines; at++) {
        unsigned line = at;
        if (tiles->order == ORDER_NV10)
            for (line = 0; (line * part + walk->tile_column / columns) % lines != at;)
                line++;
        unsigned odd = tiles->order == ORDER_NV10 ? walk->tile_column % 2 : at % 2;
        for (unsigned unit = 0; unit < 16; unit++)
            next_is(walk, tiles->twist && odd ? (unit % 2 ? unit - 1 : unit + 1) : unit, line);
    }
}

static void walk_tile(struct walk *walk) {
    if (walk->tiles->order == ORDER_NV20 || walk->tiles->order == ORDER_NV30)
        walk_nv20(walk);
    else if (walk->tiles->order == ORDER_NV40 || walk->tiles->order == ORDER_NV41)
        walk_nv40(walk);
    else
        walk_lines(walk);
}

/* ---- partitions as addresses choose them ---- */

static bool odd_ones(uint64_t address, unsigned first, unsigned last, unsigned without) {
    unsigned ones = 0;
    for (unsigned bit = first; bit <= last; bit++)
        ones += bit != without && address >> bit & 1;
    return ones % 2;
}

/* The address that memory has for what the walk put at `address`. */
static uint64_t in_memory(const struct reference_tiles *tiles, uint64_t address) {
    uint64_t bit = UINT64_C(1) << tiles->partition_bit;
    if (tiles->order != ORDER_NV40 && tiles->order != ORDER_NV41)
        return address;
    if (tiles->partitions == 4 && odd_ones(address, 11, 12, 0))
        address ^= bit;
    if (tiles->partitions == 4 && odd_ones(address, 10, 14, 12))
        address ^= 2 * bit;
    if (tiles->partitions == 2 && tiles->shuffles_two && odd_ones(address, tiles->partition_bit + 1, 13, 0))
        address ^= bit;
    return address;
}

size_t reference_tiles(const struct reference_tiles *tiles, uint64_t bytes, uint32_t *seen) {
    unsigned room = (unsigned)(bytes / tiles->tile_bytes), rows = whole_rows(tiles, room);
    unsigned units = tiles->tile_bytes / UNIT;
    uint32_t *tile_in = malloc((room + 1) * sizeof *tile_in), *one = calloc(units, sizeof *one);
    if (!tile_in || !one)
        abort();
    give_out(tiles, rows, room, tile_in);
    for (unsigned slot = 0; slot < room; slot++) {
        bool tiled = tile_in[slot] < rows * tiles_in_row(tiles);
        struct walk walk = {tiles, tile_in[slot] % tiles_in_row(tiles), tile_in[slot] / tiles_in_row(tiles), one};
        if (tiled)
            walk_tile(&walk);
        for (unsigned i = 0; i < units; i++) {
            uint64_t at = (uint64_t)slot * units + i;
            seen[tiled ? in_memory(tiles, at * UNIT) / UNIT : at] = tiled ? one[i] : tile_in[slot] * units + i;
        }
    }
    free(tile_in);
    free(one);
    return (size_t)rows * (tiles->tile_bytes / 256);
}
