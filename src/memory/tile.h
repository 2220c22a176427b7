/* SPDX-License-Identifier: MIT */
/*
 * Tiled VRAM of NV10 to NV4x: where the bytes of a region are.
 *
 *   line and column --> tile, place in the tile --> bank, partition, column of the DRAM: an offset in VRAM
 *
 * A tile is 256 bytes of so many lines that it fills a row of one bank. Tiles that are neighbours lie in different
 * banks, and within a tile neighbours lie in different partitions: the order of tiles is disturbed within a few banks,
 * the order of bytes within a tile, in units of 16. Everything here is arithmetic; nothing looks at memory.
 *
 * Offsets are those in the region. UNKNOWN: whether banks count from the start of the region or from that of VRAM,
 * which are the same for regions that begin where drivers let them; chosen: of the region.
 *
 * Lines that do not fill a row of tiles are tiled on hardware too, and lie in tiles that go on behind the region, so
 * that two addresses have one byte. Not modelled: here only the rows of tiles are tiled that are complete, and lie
 * within the region with all their banks. What is left keeps its order: the bytes of the tiles that are left over in
 * the last group of banks, in the places that are left there, and all behind them in their own.
 *
 * Sources: envytools nvhw/tile.c, hwtest/nv10_tile.cc (verified on cards from there), docs/hw/memory/vram.rst.
 */
#ifndef PFIFO_SRC_MEMORY_TILE_H
#define PFIFO_SRC_MEMORY_TILE_H

#include <stdbool.h>
#include <stdint.h>

#include "chip/chip.h"

#define TILE_BYTES_PER_LINE 256u
#define TILE_UNIT           16u /* bytes that always stay together */
#define TILE_BITS_MOST      15u
#define TILE_BANKS_MOST     4u
#define TILE_PITCH_MOST     0x10000u

/* What all regions of a chip share: how its DRAM is built. */
struct tile_geometry {
    uint8_t tile_bits;      /* log2 of the bytes of a tile; 10 + partition_bits .. TILE_BITS_MOST */
    uint8_t partition_bits; /* log2 of partitions, 0 .. 2 */
    uint8_t partition_at;   /* where they are in an address, from NV40 on: 7 or 8 */
    bool twist;             /* bursts are longer than 16 bytes, and every other one is turned round */
};

/* A pitch is a factor times a power of two times 256 bytes. */
struct tile_pitch {
    uint32_t bytes;
    uint8_t shift, factor; /* as STATUS has them; the factor is a number in a list */
};

/* A kind of chip, see tile.c. */
struct tile_family;

struct tile_map {
    const struct tile_family *family;
    struct tile_geometry geometry;
    struct tile_pitch pitch;
    uint8_t bank_offset; /* 0 .. TILE_BANKS_MOST - 1 */
    uint32_t rows;       /* of tiles, that are complete */
    uint32_t tiles;      /* of these rows, and those left over in the last group of banks */
    /* Places of the tiles that are left over, counted from the start of the last group of banks. */
    uint8_t spare[TILE_BANKS_MOST];
    /* The place of a unit is that of its line, with these bits of an address turned round for what it is in the line.
     */
    uint16_t of_unit[TILE_BYTES_PER_LINE / TILE_UNIT], of_partition[4];
};

/* NULL: the chip has no tiled memory of this kind. */
const struct tile_family *tile_family_of(const struct pfifo_chip *chip);

/* False: not a pitch that the family has. */
bool tile_pitch_of(const struct tile_family *family, uint32_t bytes, struct tile_pitch *pitch);

/* The map of a region of `bytes`. It may have no tiles at all. */
struct tile_map tile_map_of(const struct tile_family *family, const struct tile_geometry *geometry,
                            const struct tile_pitch *pitch, unsigned bank_offset, uint64_t bytes);

bool tile_map_equal(const struct tile_map *a, const struct tile_map *b);

/* Bytes from the start of the region that may be elsewhere; they change places with each other only. */
static inline uint64_t tile_map_bytes(const struct tile_map *map) {
    return (uint64_t)map->tiles << map->geometry.tile_bits;
}

/*
 * The same for pieces of that: no byte leaves a piece of this size, or the rest that is at the end. At most
 * TILE_PIECE_MOST.
 */
#define TILE_PIECE_MOST (UINT64_C(0x100) << TILE_BITS_MOST)
uint64_t tile_map_piece(const struct tile_map *map);

/* Where the byte at `offset` of the region is, from the start of the region. */
uint64_t tile_address(const struct tile_map *map, uint64_t offset);

/* The same for a line of a tile, `offset` being its first byte: places of its 16 units. */
void tile_line(const struct tile_map *map, uint64_t offset, uint64_t places[TILE_BYTES_PER_LINE / TILE_UNIT]);

#endif
