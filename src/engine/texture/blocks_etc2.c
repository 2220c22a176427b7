/* SPDX-License-Identifier: MIT */
/* ETC2 and EAC: Khronos Data Format Specification 1.3, chapters 21 and 22. Numbers are big endian, columns come first.
 */
#include "engine/texture/blocks.h"

#include "engine/surface/format.h"

/* A block of 8 bytes; bits are numbered as the specification has them, 63 the first in memory. */
static uint64_t big_endian(const uint8_t *block) {
    return __builtin_bswap64(load_le64(block));
}

static int32_t field(uint64_t word, unsigned top, unsigned bits) {
    return (int32_t)(word >> (top + 1 - bits) & ((1u << bits) - 1));
}

static int32_t limited(int32_t value, int32_t low, int32_t high) {
    return value < low ? low : value > high ? high : value;
}

static int32_t expanded(int32_t value, unsigned bits) {
    return (value << (8 - bits) | value >> (2 * bits - 8)) & 0xff;
}

/* ---- colours ---- */

static const uint8_t distances[8] = {3, 6, 11, 16, 23, 32, 41, 64};

/* A base for each half of the block, and a table of modifiers. A block that is not opaque has no small ones. */
static void color_halves(uint64_t word, bool differential, unsigned x, unsigned y, unsigned index, bool opaque,
                         int32_t color[3]) {
    static const uint8_t modifiers[8][2] = {{2, 8},   {5, 17},  {9, 29},   {13, 42},
                                            {18, 60}, {24, 80}, {33, 106}, {47, 183}};
    const bool second = (field(word, 32, 1) ? y : x) >= 2;
    const unsigned table = (unsigned)field(word, second ? 36 : 39, 3);
    const int32_t size = index & 1 ? modifiers[table][1] : opaque ? modifiers[table][0] : 0;
    for (unsigned c = 0; c < 3; c++) {
        const unsigned top = 63 - 8 * c;
        int32_t base;
        if (differential) {
            const int32_t delta = field(word, top - 5, 3);
            base = expanded(field(word, top, 5) + (second ? (delta ^ 4) - 4 : 0), 5);
        } else {
            base = field(word, second ? top - 4 : top, 4) * 17;
        }
        color[c] = limited(base + (index & 2 ? -size : size), 0, 255);
    }
}

/* One colour alone, and three around another. */
static void color_t(uint64_t word, unsigned index, int32_t color[3]) {
    const int32_t distance = distances[field(word, 35, 2) << 1 | field(word, 32, 1)];
    const int32_t one[3] = {field(word, 60, 2) << 2 | field(word, 57, 2), field(word, 55, 4), field(word, 51, 4)};
    for (unsigned c = 0; c < 3; c++) {
        const int32_t other = field(word, 47 - 4 * c, 4) * 17;
        const int32_t values[4] = {one[c] * 17, other + distance, other, other - distance};
        color[c] = limited(values[index], 0, 255);
    }
}

/* Two around each of two. Which of them is greater is the lowest bit of the distance. */
static void color_h(uint64_t word, unsigned index, int32_t color[3]) {
    const int32_t one[3] = {field(word, 62, 4), field(word, 58, 3) << 1 | field(word, 52, 1),
                            field(word, 51, 1) << 3 | field(word, 49, 3)};
    const int32_t other[3] = {field(word, 46, 4), field(word, 42, 4), field(word, 38, 4)};
    const int32_t a = one[0] << 8 | one[1] << 4 | one[2], b = other[0] << 8 | other[1] << 4 | other[2];
    const int32_t distance = distances[field(word, 34, 1) << 2 | field(word, 32, 1) << 1 | (a >= b)];
    for (unsigned c = 0; c < 3; c++) {
        const int32_t base = (index & 2 ? other : one)[c] * 17;
        color[c] = limited(base + (index & 1 ? -distance : distance), 0, 255);
    }
}

/* Colours at the origin, at its right and below it. */
static void color_planar(uint64_t word, unsigned x, unsigned y, int32_t color[3]) {
    const int32_t origin[3] = {expanded(field(word, 62, 6), 6),
                               expanded(field(word, 56, 1) << 6 | field(word, 54, 6), 7),
                               expanded(field(word, 48, 1) << 5 | field(word, 44, 2) << 3 | field(word, 41, 3), 6)};
    const int32_t right[3] = {expanded(field(word, 38, 5) << 1 | field(word, 32, 1), 6),
                              expanded(field(word, 31, 7), 7), expanded(field(word, 24, 6), 6)};
    const int32_t below[3] = {expanded(field(word, 18, 6), 6), expanded(field(word, 12, 7), 7),
                              expanded(field(word, 5, 6), 6)};
    for (unsigned c = 0; c < 3; c++) {
        const int32_t sum = (int32_t)x * (right[c] - origin[c]) + (int32_t)y * (below[c] - origin[c]);
        color[c] = limited((sum + 4 * origin[c] + 2) >> 2, 0, 255);
    }
}

/* The channel whose base and difference leave 0 to 31, which chooses another mode: 3 none. */
static unsigned channel_beyond(uint64_t word) {
    unsigned c = 0;
    for (; c < 3; c++) {
        const int32_t sum = field(word, 63 - 8 * c, 5) + (field(word, 58 - 8 * c, 3) ^ 4) - 4;
        if (sum < 0 || sum > 31)
            break;
    }
    return c;
}

/* With punch-through the bit of the differential mode says that the block is opaque. */
static void block_color(const uint8_t *block, unsigned x, unsigned y, bool punched, float out[4]) {
    const uint64_t word = big_endian(block);
    const unsigned p = 4 * x + y, index = (unsigned)(word >> (16 + p) & 1) << 1 | (unsigned)(word >> p & 1);
    const bool flag = field(word, 33, 1), opaque = !punched || flag, differential = punched || flag;
    const unsigned beyond = differential ? channel_beyond(word) : 3;
    int32_t color[3];
    if (beyond == 3)
        color_halves(word, differential, x, y, index, opaque, color);
    else if (beyond == 0)
        color_t(word, index, color);
    else if (beyond == 1)
        color_h(word, index, color);
    else
        color_planar(word, x, y, color);
    const bool clear = !opaque && index == 2 && beyond != 2;
    for (unsigned c = 0; c < 3; c++)
        out[c] = clear ? 0 : format_unorm((uint32_t)color[c], 8);
    out[3] = clear ? 0 : 1;
}

/* ---- one component ---- */

static int32_t modifier(uint64_t word, unsigned x, unsigned y) {
    /* the four that go down, and the four that go up */
    static const uint8_t down[16][4] = {{3, 6, 9, 15}, {3, 7, 10, 13}, {2, 5, 8, 13}, {2, 4, 6, 13},
                                        {3, 6, 8, 12}, {3, 7, 9, 11},  {4, 7, 8, 11}, {3, 5, 8, 11},
                                        {2, 6, 8, 10}, {2, 5, 8, 10},  {2, 4, 8, 10}, {2, 5, 7, 10},
                                        {3, 4, 7, 10}, {1, 2, 3, 10},  {4, 6, 8, 9},  {3, 5, 7, 9}};
    const unsigned table = (unsigned)field(word, 51, 4), index = (unsigned)field(word, 47 - 3 * (4 * x + y), 3);
    return index & 4 ? down[table][index & 3] - 1 : -down[table][index & 3];
}

static float component_8(const uint8_t *block, unsigned x, unsigned y) {
    const uint64_t word = big_endian(block);
    const int32_t value = field(word, 63, 8) + modifier(word, x, y) * field(word, 55, 4);
    return format_unorm((uint32_t)limited(value, 0, 255), 8);
}

static float component_11(const uint8_t *block, unsigned x, unsigned y, bool is_signed) {
    const uint64_t word = big_endian(block);
    const int32_t scale = field(word, 55, 4) ? field(word, 55, 4) * 8 : 1, change = modifier(word, x, y) * scale;
    if (!is_signed)
        return (float)limited(field(word, 63, 8) * 8 + 4 + change, 0, 2047) / 2047;
    const int32_t base = limited((int8_t)block[0], -127, 127);
    return (float)limited(base * 8 + change, -1023, 1023) / 1023;
}

void block_etc2(enum texture_coding coding, const uint8_t *block, unsigned x, unsigned y, bool is_signed,
                float out[4]) {
    switch (coding) {
    case CODING_ETC2:
        block_color(block, x, y, false, out);
        return;
    case CODING_ETC2_PUNCHED:
        block_color(block, x, y, true, out);
        return;
    case CODING_ETC2_ALPHA:
        block_color(block + 8, x, y, false, out);
        out[3] = component_8(block, x, y);
        return;
    default:
        out[0] = component_11(block, x, y, is_signed);
        out[1] = coding == CODING_EAC2 ? component_11(block + 8, x, y, is_signed) : 0;
        out[2] = 0;
        out[3] = 1;
        return;
    }
}
