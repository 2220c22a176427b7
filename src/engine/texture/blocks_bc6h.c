/* SPDX-License-Identifier: MIT */
/* BC6H: Khronos Data Format Specification 1.3, 20.2. */
#include "engine/texture/blocks.h"

#include <assert.h>

#include "engine/surface/format.h"

#define MOST_RUNS 23

/* Ends 0 and 1 of the first subset are W and X, those of the second Y and Z. */
enum { RW, GW, BW, RX, GX, BX, RY, GY, BY, RZ, GZ, BZ, ENDS };

/* Bits of one end that follow each other in the block, lowest in memory first. */
struct run {
    uint8_t end, from, to;
};

/* By the mode's low five bits; 0 and 1 have two. */
static const struct mode {
    bool delta;              /* ends but W are differences from W */
    uint8_t partition, bits; /* of the number of the partition; of W */
    uint8_t deltas[3];       /* bits of the others: R, G, B */
    uint8_t count;           /* of runs */
    struct run runs[MOST_RUNS];
} modes[32] = {
    [0x00] = {.delta = true,
              .partition = 5,
              .bits = 10,
              .deltas = {5, 5, 5},
              .count = 19,
              .runs = {{GY, 4, 4},
                       {BY, 4, 4},
                       {BZ, 4, 4},
                       {RW, 0, 9},
                       {GW, 0, 9},
                       {BW, 0, 9},
                       {RX, 0, 4},
                       {GZ, 4, 4},
                       {GY, 0, 3},
                       {GX, 0, 4},
                       {BZ, 0, 0},
                       {GZ, 0, 3},
                       {BX, 0, 4},
                       {BZ, 1, 1},
                       {BY, 0, 3},
                       {RY, 0, 4},
                       {BZ, 2, 2},
                       {RZ, 0, 4},
                       {BZ, 3, 3}}},
    [0x01] = {.delta = true,
              .partition = 5,
              .bits = 7,
              .deltas = {6, 6, 6},
              .count = 23,
              .runs = {{GY, 5, 5}, {GZ, 4, 4}, {GZ, 5, 5}, {RW, 0, 6}, {BZ, 0, 0}, {BZ, 1, 1}, {BY, 4, 4}, {GW, 0, 6},
                       {BY, 5, 5}, {BZ, 2, 2}, {GY, 4, 4}, {BW, 0, 6}, {BZ, 3, 3}, {BZ, 5, 5}, {BZ, 4, 4}, {RX, 0, 5},
                       {GY, 0, 3}, {GX, 0, 5}, {GZ, 0, 3}, {BX, 0, 5}, {BY, 0, 3}, {RY, 0, 5}, {RZ, 0, 5}}},
    [0x02] = {.delta = true,
              .partition = 5,
              .bits = 11,
              .deltas = {5, 4, 4},
              .count = 18,
              .runs = {{RW, 0, 9},
                       {GW, 0, 9},
                       {BW, 0, 9},
                       {RX, 0, 4},
                       {RW, 10, 10},
                       {GY, 0, 3},
                       {GX, 0, 3},
                       {GW, 10, 10},
                       {BZ, 0, 0},
                       {GZ, 0, 3},
                       {BX, 0, 3},
                       {BW, 10, 10},
                       {BZ, 1, 1},
                       {BY, 0, 3},
                       {RY, 0, 4},
                       {BZ, 2, 2},
                       {RZ, 0, 4},
                       {BZ, 3, 3}}},
    [0x03] = {.delta = false,
              .partition = 0,
              .bits = 10,
              .deltas = {10, 10, 10},
              .count = 6,
              .runs = {{RW, 0, 9}, {GW, 0, 9}, {BW, 0, 9}, {RX, 0, 9}, {GX, 0, 9}, {BX, 0, 9}}},
    [0x06] = {.delta = true,
              .partition = 5,
              .bits = 11,
              .deltas = {4, 5, 4},
              .count = 20,
              .runs = {{RW, 0, 9}, {GW, 0, 9},   {BW, 0, 9}, {RX, 0, 3}, {RW, 10, 10}, {GZ, 4, 4}, {GY, 0, 3},
                       {GX, 0, 4}, {GW, 10, 10}, {GZ, 0, 3}, {BX, 0, 3}, {BW, 10, 10}, {BZ, 1, 1}, {BY, 0, 3},
                       {RY, 0, 3}, {BZ, 0, 0},   {BZ, 2, 2}, {RZ, 0, 3}, {GY, 4, 4},   {BZ, 3, 3}}},
    [0x07] = {.delta = true,
              .partition = 0,
              .bits = 11,
              .deltas = {9, 9, 9},
              .count = 9,
              .runs = {{RW, 0, 9},
                       {GW, 0, 9},
                       {BW, 0, 9},
                       {RX, 0, 8},
                       {RW, 10, 10},
                       {GX, 0, 8},
                       {GW, 10, 10},
                       {BX, 0, 8},
                       {BW, 10, 10}}},
    [0x0a] = {.delta = true,
              .partition = 5,
              .bits = 11,
              .deltas = {4, 4, 5},
              .count = 20,
              .runs = {{RW, 0, 9}, {GW, 0, 9},   {BW, 0, 9}, {RX, 0, 3}, {RW, 10, 10}, {BY, 4, 4},   {GY, 0, 3},
                       {GX, 0, 3}, {GW, 10, 10}, {BZ, 0, 0}, {GZ, 0, 3}, {BX, 0, 4},   {BW, 10, 10}, {BY, 0, 3},
                       {RY, 0, 3}, {BZ, 1, 1},   {BZ, 2, 2}, {RZ, 0, 3}, {BZ, 4, 4},   {BZ, 3, 3}}},
    [0x0b] = {.delta = true,
              .partition = 0,
              .bits = 12,
              .deltas = {8, 8, 8},
              .count = 9,
              .runs = {{RW, 0, 9},
                       {GW, 0, 9},
                       {BW, 0, 9},
                       {RX, 0, 7},
                       {RW, 11, 10},
                       {GX, 0, 7},
                       {GW, 11, 10},
                       {BX, 0, 7},
                       {BW, 11, 10}}},
    [0x0e] = {.delta = true,
              .partition = 5,
              .bits = 9,
              .deltas = {5, 5, 5},
              .count = 19,
              .runs = {{RW, 0, 8},
                       {BY, 4, 4},
                       {GW, 0, 8},
                       {GY, 4, 4},
                       {BW, 0, 8},
                       {BZ, 4, 4},
                       {RX, 0, 4},
                       {GZ, 4, 4},
                       {GY, 0, 3},
                       {GX, 0, 4},
                       {BZ, 0, 0},
                       {GZ, 0, 3},
                       {BX, 0, 4},
                       {BZ, 1, 1},
                       {BY, 0, 3},
                       {RY, 0, 4},
                       {BZ, 2, 2},
                       {RZ, 0, 4},
                       {BZ, 3, 3}}},
    [0x0f] = {.delta = true,
              .partition = 0,
              .bits = 16,
              .deltas = {4, 4, 4},
              .count = 9,
              .runs = {{RW, 0, 9},
                       {GW, 0, 9},
                       {BW, 0, 9},
                       {RX, 0, 3},
                       {RW, 15, 10},
                       {GX, 0, 3},
                       {GW, 15, 10},
                       {BX, 0, 3},
                       {BW, 15, 10}}},
    [0x12] = {.delta = true,
              .partition = 5,
              .bits = 8,
              .deltas = {6, 5, 5},
              .count = 19,
              .runs = {{RW, 0, 7},
                       {GZ, 4, 4},
                       {BY, 4, 4},
                       {GW, 0, 7},
                       {BZ, 2, 2},
                       {GY, 4, 4},
                       {BW, 0, 7},
                       {BZ, 3, 3},
                       {BZ, 4, 4},
                       {RX, 0, 5},
                       {GY, 0, 3},
                       {GX, 0, 4},
                       {BZ, 0, 0},
                       {GZ, 0, 3},
                       {BX, 0, 4},
                       {BZ, 1, 1},
                       {BY, 0, 3},
                       {RY, 0, 5},
                       {RZ, 0, 5}}},
    [0x16] = {.delta = true,
              .partition = 5,
              .bits = 8,
              .deltas = {5, 6, 5},
              .count = 21,
              .runs = {{RW, 0, 7}, {BZ, 0, 0}, {BY, 4, 4}, {GW, 0, 7}, {GY, 5, 5}, {GY, 4, 4}, {BW, 0, 7},
                       {GZ, 5, 5}, {BZ, 4, 4}, {RX, 0, 4}, {GZ, 4, 4}, {GY, 0, 3}, {GX, 0, 5}, {GZ, 0, 3},
                       {BX, 0, 4}, {BZ, 1, 1}, {BY, 0, 3}, {RY, 0, 4}, {BZ, 2, 2}, {RZ, 0, 4}, {BZ, 3, 3}}},
    [0x1a] = {.delta = true,
              .partition = 5,
              .bits = 8,
              .deltas = {5, 5, 6},
              .count = 21,
              .runs = {{RW, 0, 7}, {BZ, 1, 1}, {BY, 4, 4}, {GW, 0, 7}, {BY, 5, 5}, {GY, 4, 4}, {BW, 0, 7},
                       {BZ, 5, 5}, {BZ, 4, 4}, {RX, 0, 4}, {GZ, 4, 4}, {GY, 0, 3}, {GX, 0, 4}, {BZ, 0, 0},
                       {GZ, 0, 3}, {BX, 0, 5}, {BY, 0, 3}, {RY, 0, 4}, {BZ, 2, 2}, {RZ, 0, 4}, {BZ, 3, 3}}},
    [0x1e] = {.delta = false,
              .partition = 5,
              .bits = 6,
              .deltas = {6, 6, 6},
              .count = 23,
              .runs = {{RW, 0, 5}, {GZ, 4, 4}, {BZ, 0, 0}, {BZ, 1, 1}, {BY, 4, 4}, {GW, 0, 5}, {GY, 5, 5}, {BY, 5, 5},
                       {BZ, 2, 2}, {GY, 4, 4}, {BW, 0, 5}, {GZ, 5, 5}, {BZ, 3, 3}, {BZ, 5, 5}, {BZ, 4, 4}, {RX, 0, 5},
                       {GY, 0, 3}, {GX, 0, 5}, {GZ, 0, 3}, {BX, 0, 5}, {BY, 0, 3}, {RY, 0, 5}, {RZ, 0, 5}}},
};

static int32_t extended(uint32_t value, unsigned bits) {
    assert(bits >= 1 && bits <= 16);
    const uint32_t sign = 1u << (bits - 1);
    return (int32_t)((value ^ sign) - sign);
}

/* The ends as they are stored, and where what follows them begins. NULL: there is no such mode. */
static const struct mode *read_ends(const struct block_bits *bits, uint32_t ends[ENDS], unsigned *at) {
    const unsigned low = block_field(bits, 0, 2), number = low < 2 ? low : block_field(bits, 0, 5);
    const struct mode *mode = &modes[number];
    *at = low < 2 ? 2 : 5;
    for (unsigned i = 0; i < mode->count; i++) {
        const struct run *run = &mode->runs[i];
        const unsigned count = 1 + (run->to > run->from ? run->to - run->from : run->from - run->to);
        for (unsigned k = 0; k < count; k++)
            ends[run->end] |= block_field(bits, (*at)++, 1) << (run->to > run->from ? run->from + k : run->from - k);
    }
    return mode->bits ? mode : NULL;
}

static void resolve_ends(const struct mode *mode, bool is_signed, const uint32_t stored[ENDS], int32_t ends[ENDS]) {
    const uint32_t mask = (1u << mode->bits) - 1;
    for (unsigned i = 0; i < ENDS; i++) {
        uint32_t value = stored[i];
        if (mode->delta && i > BW)
            value = (stored[i % 3] + (uint32_t)extended(value, mode->deltas[i % 3])) & mask;
        ends[i] = is_signed ? extended(value, mode->bits) : (int32_t)value;
    }
}

/* To 16 bits. */
static int32_t widened(int32_t value, unsigned bits, bool is_signed) {
    const int32_t magnitude = value < 0 ? -value : value, most = (1 << (bits - is_signed)) - 1;
    if (bits >= (is_signed ? 16 : 15) || value == 0)
        return value;
    int32_t wide = ((magnitude << 15) + 0x4000) >> (bits - 1);
    if (magnitude >= most)
        wide = is_signed ? 0x7fff : 0xffff;
    return value < 0 ? -wide : wide;
}

/* The bits of a half float. */
static uint32_t half_of(int32_t value, bool is_signed) {
    if (!is_signed)
        return (uint32_t)(value * 31 >> 6);
    return value < 0 ? 0x8000u | (uint32_t)(-value * 31 >> 5) : (uint32_t)(value * 31 >> 5);
}

/* A block without a mode is black. */
void block_bc6h(const uint8_t *block, unsigned texel, bool is_signed, float out[4]) {
    const struct block_bits bits = block_bits(block);
    uint32_t stored[ENDS] = {0};
    int32_t ends[ENDS];
    unsigned at;
    out[0] = out[1] = out[2] = 0;
    out[3] = 1;
    const struct mode *mode = read_ends(&bits, stored, &at);
    if (!mode)
        return;
    assert(at + mode->partition == (mode->partition ? 82 : 65));
    resolve_ends(mode, is_signed, stored, ends);
    const unsigned subsets = mode->partition ? 2 : 1, count = mode->partition ? 3 : 4;
    const unsigned partition = block_field(&bits, at, mode->partition);
    const unsigned index = block_index(&bits, at + mode->partition, count, subsets, partition, texel);
    const int32_t *pair = ends + 6 * block_subset(subsets, partition, texel);
    for (unsigned c = 0; c < 3; c++) {
        const int32_t a = widened(pair[c], mode->bits, is_signed), b = widened(pair[3 + c], mode->bits, is_signed);
        out[c] = format_float(half_of(block_between(a, b, index, count), is_signed), 16);
    }
}
