/* SPDX-License-Identifier: MIT */
/*
 * ASTC, two dimensions, the LDR profile: Khronos Data Format Specification 1.3, chapter 23. Blocks that the profile
 * does not know, those of the HDR modes too, have the error colour. UNKNOWN: HDR modes on Tegra; chosen: errors.
 */
#include "engine/texture/blocks.h"

#include <assert.h>

#include "engine/surface/format.h"

#define MOST_WEIGHTS 64
#define MOST_VALUES  18 /* of ends */

struct astc {
    struct block_bits bits, weights; /* weights: all bits in reverse order */
    unsigned across, down;           /* texels of the block */
    unsigned grid_x, grid_y, planes, partitions, partition;
    unsigned mode[4];   /* of the ends of each partition */
    unsigned component; /* that the second plane is for */
    struct astc_sequence weight, end;
};

/* ---- what a block says ---- */

/* Sizes of the grid by bits 10:0 of a block. False: reserved, or a void extent. */
static bool read_grid(struct astc *b, unsigned *range) {
    const unsigned mode = block_field(&b->bits, 0, 11), low = mode & 3, a = mode >> 5 & 3, c = mode >> 7 & 3;
    bool narrow = false; /* one plane and low precision, whatever the bits say */
    *range = (low ? low << 1 : mode >> 1 & 6) | (mode >> 4 & 1);
    switch (low ? mode >> 2 & 3 : 4 + c) {
    case 0:
        b->grid_x = c + 4, b->grid_y = a + 2;
        break;
    case 1:
        b->grid_x = c + 8, b->grid_y = a + 2;
        break;
    case 2:
        b->grid_x = a + 2, b->grid_y = c + 8;
        break;
    case 3:
        b->grid_x = c < 2 ? a + 2 : (c & 1) + 2, b->grid_y = c < 2 ? c + 6 : a + 2;
        break;
    case 4:
        b->grid_x = 12, b->grid_y = a + 2;
        break;
    case 5:
        b->grid_x = a + 2, b->grid_y = 12;
        break;
    case 6:
        b->grid_x = a + 6, b->grid_y = (mode >> 9 & 3) + 6;
        narrow = true;
        break;
    default:
        if (a > 1)
            return false;
        b->grid_x = a ? 10 : 6, b->grid_y = a ? 6 : 10;
        break;
    }
    b->planes = !narrow && mode >> 10 & 1 ? 2 : 1;
    *range += !narrow && mode >> 9 & 1 ? 8 : 0;
    return (*range & 7) >= 2;
}

/* False: more than the profile allows. Gives the bits that weights take. */
static bool read_weights(struct astc *b, unsigned *taken) {
    static const struct astc_range ranges[16] = {[2] = {0, 0, 1}, {1, 0, 0}, {0, 0, 2},        {0, 1, 0},
                                                 {1, 0, 1},       {0, 0, 3}, [10] = {0, 1, 1}, {1, 0, 2},
                                                 {0, 0, 4},       {0, 1, 2}, {1, 0, 3},        {0, 0, 5}};
    unsigned range;
    if (!read_grid(b, &range))
        return false;
    const unsigned count = b->grid_x * b->grid_y * b->planes;
    *taken = astc_sequence_bits(ranges[range], count);
    b->weight = (struct astc_sequence){&b->weights, 0, *taken, ranges[range]};
    return count <= MOST_WEIGHTS && *taken >= 24 && *taken <= 96 && b->grid_x <= b->across && b->grid_y <= b->down;
}

/* Modes of ends; what does not fit before them is below the weights, whose place is `below`. */
static unsigned read_modes(struct astc *b, unsigned below) {
    const unsigned count = b->partitions, first = block_field(&b->bits, 23, 6);
    if (count == 1) {
        b->mode[0] = block_field(&b->bits, 13, 4);
        return below;
    }
    b->partition = block_field(&b->bits, 13, 10);
    if ((first & 3) == 0) {
        for (unsigned i = 0; i < count; i++)
            b->mode[i] = first >> 2;
        return below;
    }
    const unsigned extra = 3 * count - 4;
    const unsigned all = first >> 2 | block_field(&b->bits, below - extra, extra) << 4;
    for (unsigned i = 0; i < count; i++)
        b->mode[i] = ((first & 3) - 1 + (all >> i & 1)) << 2 | (all >> (count + 2 * i) & 3);
    return below - extra;
}

static unsigned values_of(unsigned mode) {
    assert(mode < 16);
    return 2 * (mode / 4 + 1);
}

/* The ends' values have the greatest range whose sequence fits. */
static bool read_range(struct astc *b, unsigned from, unsigned to) {
    static const struct astc_range ranges[] = {{0, 0, 8}, {1, 0, 6}, {0, 1, 5}, {0, 0, 7}, {1, 0, 5}, {0, 1, 4},
                                               {0, 0, 6}, {1, 0, 4}, {0, 1, 3}, {0, 0, 5}, {1, 0, 3}, {0, 1, 2},
                                               {0, 0, 4}, {1, 0, 2}, {0, 1, 1}, {0, 0, 3}, {1, 0, 1}};
    unsigned count = 0;
    for (unsigned i = 0; i < b->partitions; i++)
        count += values_of(b->mode[i]);
    if (count > MOST_VALUES || to < from)
        return false;
    for (unsigned i = 0; i < sizeof ranges / sizeof ranges[0]; i++) {
        const unsigned bits = astc_sequence_bits(ranges[i], count);
        if (bits <= to - from) {
            b->end = (struct astc_sequence){&b->bits, from, from + bits, ranges[i]};
            return true;
        }
    }
    return false;
}

static uint64_t reversed(uint64_t value) {
    value = (value >> 1 & UINT64_C(0x5555555555555555)) | (value & UINT64_C(0x5555555555555555)) << 1;
    value = (value >> 2 & UINT64_C(0x3333333333333333)) | (value & UINT64_C(0x3333333333333333)) << 2;
    value = (value >> 4 & UINT64_C(0x0f0f0f0f0f0f0f0f)) | (value & UINT64_C(0x0f0f0f0f0f0f0f0f)) << 4;
    return __builtin_bswap64(value);
}

static bool read_block(struct astc *b) {
    unsigned taken, below;
    b->weights = (struct block_bits){reversed(b->bits.high), reversed(b->bits.low)};
    if (!read_weights(b, &taken))
        return false;
    b->partitions = block_field(&b->bits, 11, 2) + 1;
    if (b->partitions == 4 && b->planes == 2)
        return false;
    below = read_modes(b, 128 - taken);
    if (b->planes == 2) {
        below -= 2;
        b->component = block_field(&b->bits, below, 2);
    }
    return read_range(b, b->partitions == 1 ? 17 : 29, below);
}

/* ---- partitions ---- */

static uint32_t mixed(uint32_t p) {
    p ^= p >> 15;
    p -= p << 17;
    p += p << 7;
    p += p << 4;
    p ^= p >> 5;
    p += p << 16;
    p ^= p >> 7;
    p ^= p >> 3;
    p ^= p << 6;
    return p ^ p >> 17;
}

static unsigned partition_of(const struct astc *b, unsigned x, unsigned y) {
    const unsigned count = b->partitions, seed = b->partition + (count - 1) * 1024;
    const uint32_t hash = mixed(seed);
    const unsigned odd = seed & 2 ? 4 : 5, even = count == 3 ? 6 : 5;
    const unsigned shift[2] = {seed & 1 ? odd : even, seed & 1 ? even : odd};
    unsigned best = 0, most = 0;
    if (count == 1)
        return 0;
    if (b->across * b->down < 31) {
        x *= 2;
        y *= 2;
    }
    for (unsigned i = 0; i < count; i++) {
        const unsigned s = hash >> 8 * i & 15, t = hash >> (8 * i + 4) & 15;
        const unsigned value = ((s * s >> shift[0]) * x + (t * t >> shift[1]) * y + (hash >> (14 - 4 * i))) & 63;
        if (value > most) {
            best = i;
            most = value;
        }
    }
    return best;
}

/* ---- ends ---- */

struct ends {
    int32_t of[2][4];
};

/* Moves a bit from the second to the first, which becomes a signed difference. */
static void transfer(int32_t *difference, int32_t *base) {
    *base = *base >> 1 | (*difference & 0x80);
    *difference = ((*difference >> 1 & 0x3f) ^ 0x20) - 0x20;
}

static void contract_blue(int32_t end[4]) {
    end[0] = (end[0] + end[2]) >> 1;
    end[1] = (end[1] + end[2]) >> 1;
}

/* Ends of pairs of values R, G, B; the one with the lower sum is the first, and blue is contracted where they change.
 */
static void pair_ends(struct ends *ends, int32_t v[8], unsigned pairs, bool differences) {
    for (unsigned i = 0; differences && i < pairs; i++)
        transfer(&v[2 * i + 1], &v[2 * i]);
    int32_t rise = v[1] + v[3] + v[5] - (differences ? 0 : v[0] + v[2] + v[4]);
    const unsigned first = rise >= 0 ? 0 : 1;
    for (unsigned i = 0; i < pairs; i++) {
        ends->of[first][i] = v[2 * i];
        ends->of[!first][i] = v[2 * i + 1] + (differences ? v[2 * i] : 0);
    }
    for (unsigned e = 0; first && e < 2; e++)
        contract_blue(ends->of[e]);
}

/* One value for R, G and B. */
static void gray_ends(struct ends *ends, int32_t v[8], unsigned mode) {
    for (unsigned i = 0; mode == 5 && i < 2; i++) {
        transfer(&v[2 * i + 1], &v[2 * i]);
        v[2 * i + 1] += v[2 * i];
    }
    if (mode == 1) {
        const int32_t low = v[0] >> 2 | (v[1] & 0xc0);
        v[1] = low + (v[1] & 0x3f);
        v[0] = low;
    }
    for (unsigned e = 0; e < 2; e++) {
        ends->of[e][0] = ends->of[e][1] = ends->of[e][2] = v[e];
        if (mode >= 4)
            ends->of[e][3] = v[2 + e];
    }
}

/* One end, and how much of it the other is. */
static void scaled_ends(struct ends *ends, const int32_t v[8], unsigned mode) {
    for (unsigned i = 0; i < 3; i++) {
        ends->of[0][i] = v[i] * v[3] >> 8;
        ends->of[1][i] = v[i];
    }
    for (unsigned e = 0; mode == 10 && e < 2; e++)
        ends->of[e][3] = v[4 + e];
}

/* False: a mode of HDR. */
static bool ends_of(const struct astc *b, unsigned partition, struct ends *ends) {
    const unsigned mode = b->mode[partition], count = values_of(mode);
    assert(partition < b->partitions);
    unsigned first = 0;
    int32_t v[8] = {0};
    for (unsigned i = 0; i < partition; i++)
        first += values_of(b->mode[i]);
    for (unsigned i = 0; i < count; i++)
        v[i] = (int32_t)astc_component(b->end.range, astc_value(&b->end, first + i));
    ends->of[0][3] = ends->of[1][3] = 255;
    if (mode == 0 || mode == 1 || mode == 4 || mode == 5)
        gray_ends(ends, v, mode);
    else if (mode == 6 || mode == 10)
        scaled_ends(ends, v, mode);
    else if (mode == 8 || mode == 9 || mode == 12 || mode == 13)
        pair_ends(ends, v, mode >= 12 ? 4 : 3, mode & 1);
    else
        return false;
    for (unsigned i = 0; i < 8; i++) {
        int32_t *value = &ends->of[i / 4][i % 4];
        *value = *value < 0 ? 0 : *value > 255 ? 255 : *value;
    }
    return true;
}

/* ---- weights ---- */

static unsigned grid_weight(const struct astc *b, unsigned x, unsigned y, unsigned plane) {
    if (x >= b->grid_x || y >= b->grid_y)
        return 0;
    const unsigned number = (y * b->grid_x + x) * b->planes + plane;
    assert(plane < b->planes && number < MOST_WEIGHTS);
    return astc_weight(b->weight.range, astc_value(&b->weight, number));
}

/* The grid is stretched over the block; places have four bits after the point. */
static unsigned place_of(unsigned at, unsigned texels, unsigned grid) {
    assert(at < texels && texels > 1 && grid <= texels);
    return ((1024 + texels / 2) / (texels - 1) * at * (grid - 1) + 32) >> 6;
}

static unsigned weight_of(const struct astc *b, unsigned x, unsigned y, unsigned plane) {
    const unsigned s = place_of(x, b->across, b->grid_x), t = place_of(y, b->down, b->grid_y);
    const unsigned right = s & 15, below = t & 15, both = (right * below + 8) >> 4;
    const unsigned parts[4] = {16 - right - below + both, right - both, below - both, both};
    unsigned sum = 8;
    for (unsigned i = 0; i < 4; i++)
        if (parts[i])
            sum += parts[i] * grid_weight(b, (s >> 4) + (i & 1), (t >> 4) + (i >> 1), plane);
    return sum >> 4;
}

/* ---- texels ---- */

/* 16 bits to what filters get: 1, or that part of 65536 as a half float, rounded to zero. */
static float linear(uint32_t value) {
    unsigned low = 0;
    while (value >> low >= 1u << 11)
        low++;
    return value == 65535 ? 1 : (float)(value >> low << low) / 65536;
}

static float finished(uint32_t value, unsigned component, bool srgb) {
    return srgb && component < 3 ? format_unorm(value >> 8, 8) : linear(value);
}

/* A colour for the whole block. Its extents tell samplers where it goes on, which changes nothing. */
static bool void_extent(const struct block_bits *bits, bool srgb, float out[4]) {
    const uint32_t s[2] = {block_field(bits, 12, 13), block_field(bits, 25, 13)};
    const uint32_t t[2] = {block_field(bits, 38, 13), block_field(bits, 51, 13)};
    const bool none = (s[0] & s[1] & t[0] & t[1]) == 0x1fff, hdr = block_field(bits, 9, 1);
    if (hdr || block_field(bits, 10, 2) != 3 || (!none && (s[0] >= s[1] || t[0] >= t[1])))
        return false;
    for (unsigned c = 0; c < 4; c++)
        out[c] = finished(block_field(bits, 64 + 16 * c, 16), c, srgb);
    return true;
}

static bool decode(struct astc *b, unsigned x, unsigned y, bool srgb, float out[4]) {
    struct ends ends;
    if (block_field(&b->bits, 0, 9) == 0x1fc)
        return void_extent(&b->bits, srgb, out);
    if (!read_block(b) || !ends_of(b, partition_of(b, x, y), &ends))
        return false;
    const unsigned first = weight_of(b, x, y, 0), second = b->planes == 2 ? weight_of(b, x, y, 1) : first;
    assert(first <= 64 && second <= 64);
    for (unsigned c = 0; c < 4; c++) {
        const unsigned weight = b->planes == 2 && c == b->component ? second : first;
        uint32_t wide[2];
        for (unsigned e = 0; e < 2; e++) {
            const uint32_t value = (uint32_t)ends.of[e][c];
            wide[e] = value << 8 | (srgb && c < 3 ? 0x80 : value);
        }
        out[c] = finished((wide[0] * (64 - weight) + wide[1] * weight + 32) >> 6, c, srgb);
    }
    return true;
}

void block_astc(const uint8_t *block, unsigned across, unsigned down, unsigned x, unsigned y, bool srgb, float out[4]) {
    struct astc b = {.bits = block_bits(block), .across = across, .down = down};
    if (decode(&b, x, y, srgb, out))
        return;
    out[0] = out[2] = out[3] = 1;
    out[1] = 0;
}
