/* SPDX-License-Identifier: MIT */
/*
 * What a region of tiled memory is, by walking through raw VRAM from its first unit of 16 bytes to the last and saying
 * of each which piece of which line it is. Shares nothing with the model, which goes the other way and calculates.
 *
 * Source: envytools nvhw/tile.c.
 */
#ifndef PFIFO_TESTS_REFERENCE_TILE_H
#define PFIFO_TESTS_REFERENCE_TILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum reference_order { ORDER_NV10, ORDER_NV20, ORDER_NV30, ORDER_NV40, ORDER_NV41, ORDER_NV44 };

struct reference_tiles {
    enum reference_order order;
    unsigned tile_bytes, partitions;
    unsigned partition_bit; /* NV40 and NV41: 7 or 8 */
    bool shuffles_two;      /* NV40 and NV41 */
    bool twist;             /* NV10 and NV44 */
    bool rows_as_they_are;  /* NV44: banks of odd rows are not exchanged */
    unsigned pitch, bank_offset;
};

/*
 * seen[i]: the unit of the region, counted as it is seen, that raw unit i is. For `bytes`, which are whole tiles.
 * Returns how many lines are tiled.
 */
size_t reference_tiles(const struct reference_tiles *tiles, uint64_t bytes, uint32_t *seen);

#endif
