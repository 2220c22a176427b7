/* SPDX-License-Identifier: MIT */
/*
 * Tiled VRAM of NV10 to NV4x: the layout of a region.
 *
 *   line and column --> tile, place in the tile --> bank, partition, column of the DRAM: an offset in VRAM
 *
 * A tile is 256 bytes wide and has as many lines as fill a row of one bank. Neighbouring tiles are in different banks,
 * and neighbouring parts of a tile in different partitions: tiles are permuted within a few banks, and the bytes of a
 * tile in units of 16. Everything here is arithmetic; no memory is accessed.
 *
 * Offsets are relative to the region. UNKNOWN: whether banks count from the start of the region or of VRAM, which is
 * the same for regions at the addresses that drivers use; chosen: of the region.
 *
 * Hardware also tiles lines that do not fill a row of tiles. Their tiles extend beyond the region, so that two
 * addresses select the same byte.
 * Not modelled: this. Here only complete rows of tiles are tiled, whose banks are all within the region. The rest keeps
 * its order: the bytes of leftover tiles in the last group of banks go to the slots that are free there, and all bytes
 * after them stay at their addresses.
 *
 * Sources: envytools nvhw/tile.c, hwtest/nv10_tile.cc (verified on cards), docs/hw/memory/vram.rst.
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

/* The organization of a chip's DRAM, which all its regions share. */
struct tile_geometry {
    uint8_t tile_bits;      /* log2 of the bytes of a tile; 10 + partition_bits .. TILE_BITS_MOST */
    uint8_t partition_bits; /* log2 of partitions, 0 .. 2 */
    uint8_t partition_at;   /* NV40 and later: their first bit in an address, 7 or 8 */
    bool twist;             /* bursts are longer than 16 bytes, and every other burst is reversed */
};

/* A pitch is a factor times a power of two times 256 bytes. */
struct tile_pitch {
    uint32_t bytes;
    uint8_t shift, factor; /* as in STATUS; the factor is an index into a list */
};

/* A family of chips, see tile.c. */
struct tile_family;

struct tile_map {
    const struct tile_family *family;
    struct tile_geometry geometry;
    struct tile_pitch pitch;
    uint8_t bank_offset; /* 0 .. TILE_BANKS_MOST - 1 */
    uint32_t rows;       /* complete rows of tiles */
    uint32_t tiles;      /* in these rows, and leftover ones in the last group of banks */
    /* Slots of the leftover tiles, counted from the start of the last group of banks. */
    uint8_t spare[TILE_BANKS_MOST];
    /* The offset of a unit is the offset of its line, with these bits inverted according to its number in the line.
     */
    uint16_t of_unit[TILE_BYTES_PER_LINE / TILE_UNIT], of_partition[4];
};

/* NULL: the chip has no such tiled memory. */
const struct tile_family *tile_family_of(const struct pfifo_chip *chip);

/* False: the family does not have this pitch. */
bool tile_pitch_of(const struct tile_family *family, uint32_t bytes, struct tile_pitch *pitch);

/* The map of a region of `bytes`. It may have no tiles. */
struct tile_map tile_map_of(const struct tile_family *family, const struct tile_geometry *geometry,
                            const struct tile_pitch *pitch, unsigned bank_offset, uint64_t bytes);

bool tile_map_equal(const struct tile_map *a, const struct tile_map *b);

/* Bytes at the start of the region that are permuted, among themselves only. */
static inline uint64_t tile_map_bytes(const struct tile_map *map) {
    return (uint64_t)map->tiles << map->geometry.tile_bits;
}

/*
 * The size of the pieces in which they are permuted: no byte leaves its piece. The last one may be shorter. At most
 * TILE_PIECE_MOST.
 */
#define TILE_PIECE_MOST (UINT64_C(0x100) << TILE_BITS_MOST)
uint64_t tile_map_piece(const struct tile_map *map);

/*
 * Where a line of a tile is, `offset` being its first byte: the raw offsets of its 16 units. Both are from the start of
 * the region.
 */
void tile_line(const struct tile_map *map, uint64_t offset, uint64_t places[TILE_BYTES_PER_LINE / TILE_UNIT]);

#endif
