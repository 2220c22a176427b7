/* SPDX-License-Identifier: MIT */
#include "memory/tile.h"

#include <stddef.h>

/* ---- the order within a tile ---- */

/* The meaning of the bits of an address in a tile, beginning with bit 0. */
enum source {
    COLUMN,    /* of the byte, 0 .. 255 */
    LINE,      /* in the tile */
    CHECK,     /* like a chessboard of units, whose squares are the halves of 32 bytes */
    PARTITION, /* as many bits as the chip has */
};

struct tile_field {
    enum source source;
    uint8_t first, bits;
    bool after; /* shifted up by the number of partition bits, and shorter by as many */
};

#define FIELDS_MOST 8
struct fields {
    uint8_t count;
    struct tile_field field[FIELDS_MOST];
};

#define COLUMNS(from, count)                                                                                           \
    { COLUMN, (from), (count), false }
#define LINES(from, count)                                                                                             \
    { LINE, (from), (count), false }
#define COLUMNS_AFTER(from, end)                                                                                       \
    { COLUMN, (from), (end) - (from) + 1, true }
#define LINES_AFTER(from, end)                                                                                         \
    { LINE, (from), (end) - (from) + 1, true }
#define SQUARES                                                                                                        \
    { CHECK, 0, 1, false }
#define PARTITIONS                                                                                                     \
    { PARTITION, 0, 0, false }

static const struct fields fields_nv10 = {2, {COLUMNS(0, 8), LINES(0, 7)}};
static const struct fields fields_nv20 = {5,
                                          {COLUMNS(0, 4), PARTITIONS, LINES(0, 2), COLUMNS_AFTER(4, 7), LINES(2, 5)}};
static const struct fields fields_nv40 = {
    7, {COLUMNS(0, 4), SQUARES, LINES(0, 2), COLUMNS(5, 1), PARTITIONS, COLUMNS(6, 2), LINES_AFTER(2, 6)}};
/* G70 can have the partition bits one bit lower. */
static const struct fields fields_g70 = {
    6, {COLUMNS(0, 4), SQUARES, LINES(0, 2), PARTITIONS, COLUMNS(5, 3), LINES_AFTER(2, 6)}};

/* ---- families ---- */

enum partitions {
    PARTITIONS_NONE, /* tiles do not depend on them */
    PARTITIONS_NV20, /* a unit of 16 bytes each, and groups of four lines are shifted against each other */
    PARTITIONS_NV40, /* the same in units of 128 bytes, which continue in the next tile */
    PARTITIONS_NV41,
};

enum banks {
    BANKS_NV10, /* every other row of tiles is exchanged in pairs */
    BANKS_NV20, /* not if the pitch is odd */
    BANKS_NV30, /* in fours */
    BANKS_NV40,
    BANKS_C51, /* the offset alone */
};

enum twist { TWIST_NONE, TWIST_TILE, TWIST_LINE };

struct tile_family {
    const char *chips;
    bool odd;        /* pitches that are odd multiples of 256 bytes */
    bool large;      /* a pitch of TILE_PITCH_MOST */
    uint8_t factors; /* number of factors below */
    enum banks banks;
    enum partitions partitions;
    enum twist twist;
    bool shuffles_two; /* addresses are shuffled before they reach DRAM also with two partitions, not only with four */
    bool lines_by_address;
    const struct fields *fields, *fields_at_7;
};

#define NV10_TILES .fields = &fields_nv10, .twist = TWIST_TILE, .banks = BANKS_NV10, .lines_by_address = true
#define NV20_TILES .fields = &fields_nv20, .partitions = PARTITIONS_NV20, .odd = true
#define NV40_TILES .fields = &fields_nv40, .fields_at_7 = &fields_g70, .banks = BANKS_NV40, .odd = true, .large = true
#define NV44_TILES .fields = &fields_nv10, .twist = TWIST_LINE

static const struct tile_family families[] = {
    {"NV10:NV20 NV34", .factors = 4, NV10_TILES},
    {"NV20:NV25", .factors = 4, NV20_TILES, .banks = BANKS_NV20},
    {"NV25:NV30", .factors = 5, NV20_TILES, .banks = BANKS_NV20},
    {"NV30:NV34", .factors = 5, NV20_TILES, .banks = BANKS_NV30},
    {"NV40", .factors = 5, NV40_TILES, .partitions = PARTITIONS_NV40},
    {"NV45", .factors = 5, NV40_TILES, .partitions = PARTITIONS_NV40, .shuffles_two = true},
    {"NV41:NV43", .factors = 5, NV40_TILES, .partitions = PARTITIONS_NV41},
    {"NV43 G70:G72 RSX", .factors = 5, NV40_TILES, .partitions = PARTITIONS_NV41, .shuffles_two = true},
    {"NV44:G70 G72 MCP61:RSX", .factors = 5, NV44_TILES, .banks = BANKS_NV10},
    {"C51", .factors = 5, NV44_TILES, .banks = BANKS_C51},
};

static const uint8_t factors[] = {1, 3, 5, 7, 13};

const struct tile_family *tile_family_of(const struct pfifo_chip *chip) {
    return CHIP_ROW(chip, families);
}

bool tile_pitch_of(const struct tile_family *family, uint32_t bytes, struct tile_pitch *pitch) {
    uint32_t units = bytes / TILE_BYTES_PER_LINE;
    uint8_t shift = 0;
    uint32_t most = TILE_PITCH_MOST / TILE_BYTES_PER_LINE - !family->large;
    if (units < 2 || units > most || (units & 1 && !family->odd))
        return false;
    for (; !(units & 1); units >>= 1)
        shift++;
    for (uint8_t i = 0; i < family->factors; i++)
        if (units == factors[i]) {
            *pitch = (struct tile_pitch){(units << shift) * TILE_BYTES_PER_LINE, shift, i};
            return true;
        }
    return false;
}

/* ---- offsets, which are sums of bits without carry ---- */

static uint32_t low_bits(uint32_t value, unsigned bits) {
    return value & ((1u << bits) - 1);
}

/* The offset of a column, line and partition. */
static uint32_t tile_gather(const struct tile_map *map, uint32_t column, uint32_t line, uint32_t partition) {
    const struct fields *fields = map->geometry.partition_at == 7 ? map->family->fields_at_7 : map->family->fields;
    const uint32_t values[] = {
        [COLUMN] = column, [LINE] = line, [CHECK] = column >> 4 ^ column >> 5 ^ line, [PARTITION] = partition};
    uint32_t place = 0;
    unsigned at = 0, partition_bits = map->geometry.partition_bits;
    for (const struct tile_field *field = fields->field; field < fields->field + fields->count; field++) {
        unsigned moved = field->after ? partition_bits : 0;
        unsigned bits = field->source == PARTITION ? partition_bits : field->bits - moved;
        place |= low_bits(values[field->source] >> (field->first + moved), bits) << at;
        at += bits;
    }
    return place;
}

static uint32_t parity(uint32_t value) {
    return (uint32_t)__builtin_parity(value);
}

/*
 * On NV40 and later, other address bits take part in the choice of a partition. Tiles are laid out in partitions, so
 * this is undone for a VRAM address.
 */
static uint64_t unshuffled(const struct tile_map *map, uint64_t address) {
    const struct tile_geometry *geometry = &map->geometry;
    uint32_t low = (uint32_t)address, bits = 0;
    if (!map->family->fields_at_7)
        return address;
    if (geometry->partition_bits == 2)
        bits = parity(low & 0x1800) | parity(low & 0x6c00) << 1;
    else if (geometry->partition_bits == 1 && map->family->shuffles_two)
        bits = parity(low & (geometry->partition_at == 7 ? 0x3f00 : 0x3e00));
    return address ^ bits << geometry->partition_at;
}

/* ---- lines of tiles ---- */

struct spot {
    uint32_t tile_x, tile_y; /* which tile */
    uint32_t line;           /* in the tile */
};

/* Two bits at most. */
static uint32_t tile_reversed(uint32_t value, unsigned bits) {
    return bits == 2 ? (value & 1) << 1 | (value >> 1 & 1) : low_bits(value, bits);
}

static uint32_t tile_partition_of(const struct tile_map *map, const struct spot *spot, uint32_t unit) {
    unsigned bits = map->geometry.partition_bits;
    uint32_t group = spot->line >> 2, half = spot->tile_x << 1 | unit >> 3;
    uint32_t by_row = map->pitch.shift == 0 ? spot->tile_y << 1 : 0;
    switch (map->family->partitions) {
    case PARTITIONS_NV20:
        return low_bits(tile_reversed(group, bits) + unit, bits);
    case PARTITIONS_NV40:
        return low_bits(tile_reversed(group, bits) + half + by_row, bits);
    case PARTITIONS_NV41:
        return low_bits((-group ^ half) + by_row, bits);
    default:
        return 0;
    }
}

static uint32_t twist_of(const struct tile_map *map, const struct spot *spot) {
    uint32_t odd = map->family->twist == TWIST_TILE ? spot->tile_x & 1 : spot->line & 1;
    return map->geometry.twist && map->family->twist != TWIST_NONE ? odd * TILE_UNIT : 0;
}

/* The position of a tile among all tiles. It differs from its number only within the group of banks. */
static uint32_t bank_of(const struct tile_map *map, uint32_t tile_x, uint32_t tile_y) {
    uint32_t tile = tile_y * (map->pitch.bytes / TILE_BYTES_PER_LINE) + tile_x, bank = tile & 3;
    unsigned shift = map->pitch.shift;
    switch (map->family->banks) {
    case BANKS_NV10:
        return tile ^ (tile_y & 1) ^ map->bank_offset;
    case BANKS_NV20:
        return tile ^ (shift ? tile_y & 1 : 0) ^ map->bank_offset;
    case BANKS_NV30:
        bank ^= shift >= 2 ? tile_y << 1 & 2 : 0;
        bank += shift >= 1 ? tile_y >> 1 & 1 : 0;
        bank ^= map->bank_offset;
        break;
    case BANKS_NV40:
        bank = (shift ? tile_reversed(tile_x, 2) + tile_y : bank) + map->bank_offset;
        break;
    case BANKS_C51:
        return tile ^ map->bank_offset;
    }
    return (tile & ~3u) | (bank & 3);
}

/* Without the bits that differ between its units. */
static uint64_t place_of_line(const struct tile_map *map, const struct spot *spot) {
    uint64_t tile = bank_of(map, spot->tile_x, spot->tile_y);
    uint32_t within = tile_gather(map, 0, spot->line, 0) ^ twist_of(map, spot);
    return unshuffled(map, tile << map->geometry.tile_bits | within);
}

static uint64_t place_of_unit(const struct tile_map *map, const struct spot *spot, uint64_t line, uint32_t unit) {
    return line ^ map->of_unit[unit] ^ map->of_partition[tile_partition_of(map, spot, unit)];
}

/* ---- a region ---- */

static uint32_t tiles_per_row(const struct tile_map *map) {
    return map->pitch.bytes / TILE_BYTES_PER_LINE;
}

static uint32_t lines_per_tile(const struct tile_map *map) {
    return 1u << (map->geometry.tile_bits - 8);
}

static uint32_t first_of_group(uint32_t tile) {
    return tile & ~(TILE_BANKS_MOST - 1);
}

/* Slots that the tiles of `rows` take in the last group of banks, as bits. */
static uint32_t taken_places(const struct tile_map *map, uint32_t rows) {
    uint32_t tiles = rows * tiles_per_row(map), taken = 0, group = first_of_group(tiles);
    for (uint32_t tile = group; tile < tiles; tile++)
        taken |= 1u << (bank_of(map, tile % tiles_per_row(map), tile / tiles_per_row(map)) - group);
    return taken;
}

struct tile_map tile_map_of(const struct tile_family *family, const struct tile_geometry *geometry,
                            const struct tile_pitch *pitch, unsigned bank_offset, uint64_t bytes) {
    struct tile_map map = {
        .family = family, .geometry = *geometry, .pitch = *pitch, .bank_offset = (uint8_t)bank_offset};
    uint32_t room = (uint32_t)(bytes >> geometry->tile_bits), taken;
    map.rows = room / tiles_per_row(&map);
    do {
        taken = taken_places(&map, map.rows);
        map.tiles = first_of_group(map.rows * tiles_per_row(&map));
        for (uint32_t left = taken; left; left >>= 1)
            map.tiles++;
    } while (map.tiles > room && map.rows--);
    for (uint8_t place = 0, count = 0; taken >> place; place++)
        if (!(taken >> place & 1))
            map.spare[count++] = place;
    for (uint32_t unit = 0; unit < TILE_BYTES_PER_LINE / TILE_UNIT; unit++)
        map.of_unit[unit] = (uint16_t)unshuffled(&map, tile_gather(&map, unit * TILE_UNIT, 0, 0));
    for (uint32_t partition = 0; partition >> geometry->partition_bits == 0; partition++)
        map.of_partition[partition] = (uint16_t)unshuffled(&map, tile_gather(&map, 0, 0, partition));
    return map;
}

bool tile_map_equal(const struct tile_map *a, const struct tile_map *b) {
    return a->family == b->family && a->geometry.tile_bits == b->geometry.tile_bits &&
           a->geometry.partition_bits == b->geometry.partition_bits &&
           a->geometry.partition_at == b->geometry.partition_at && a->geometry.twist == b->geometry.twist &&
           a->pitch.bytes == b->pitch.bytes && a->bank_offset == b->bank_offset && a->tiles == b->tiles &&
           a->rows == b->rows;
}

uint64_t tile_map_piece(const struct tile_map *map) {
    /* The number of rows that make whole groups of banks. */
    uint32_t rows = map->pitch.shift < 2 ? TILE_BANKS_MOST >> map->pitch.shift : 1;
    return (uint64_t)tiles_per_row(map) * rows << map->geometry.tile_bits;
}

/* A leftover tile. */
static uint64_t spare_address(const struct tile_map *map, uint64_t offset) {
    uint32_t tiles = map->rows * tiles_per_row(map), group = first_of_group(tiles);
    uint64_t over = (offset >> map->geometry.tile_bits) - tiles,
             within = offset & ((1u << map->geometry.tile_bits) - 1);
    return (uint64_t)(group + map->spare[over]) << map->geometry.tile_bits | within;
}

/* Is it beyond the rows of tiles? */
static bool is_spare(const struct tile_map *map, uint64_t offset) {
    return offset >= (uint64_t)map->rows * tiles_per_row(map) << map->geometry.tile_bits;
}

/* The line of a tile that contains `offset`. */
static struct spot spot_of(const struct tile_map *map, uint64_t offset) {
    uint32_t line = (uint32_t)(offset / map->pitch.bytes), x = (uint32_t)(offset % map->pitch.bytes);
    uint32_t lines = lines_per_tile(map);
    struct spot spot = {x / TILE_BYTES_PER_LINE, line / lines, line % lines};
    /* Here the factor of the pitch selects lines: address bits are used unchanged. */
    if (map->family->lines_by_address)
        spot.line = (line * factors[map->pitch.factor] + (spot.tile_x >> map->pitch.shift)) & (lines - 1);
    return spot;
}

void tile_line(const struct tile_map *map, uint64_t offset, uint64_t places[TILE_BYTES_PER_LINE / TILE_UNIT]) {
    bool spare = is_spare(map, offset);
    struct spot spot = spot_of(map, offset);
    uint64_t line = spare ? spare_address(map, offset) : place_of_line(map, &spot);
    for (uint32_t unit = 0; unit < TILE_BYTES_PER_LINE / TILE_UNIT; unit++)
        places[unit] = spare ? line + (uint64_t)unit * TILE_UNIT : place_of_unit(map, &spot, line, unit);
}
