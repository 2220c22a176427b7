/* SPDX-License-Identifier: MIT */
/* BC7: Khronos Data Format Specification 1.3, 20.1. */
#include "engine/texture/blocks.h"

#include <assert.h>

#include "engine/surface/format.h"

/* Two subsets: bit t is the subset of texel t. */
static const uint16_t partitions_2[64] = {
    0xcccc, 0x8888, 0xeeee, 0xecc8, 0xc880, 0xfeec, 0xfec8, 0xec80, 0xc800, 0xffec, 0xfe80, 0xe800, 0xffe8,
    0xff00, 0xfff0, 0xf000, 0xf710, 0x008e, 0x7100, 0x08ce, 0x008c, 0x7310, 0x3100, 0x8cce, 0x088c, 0x3110,
    0x6666, 0x366c, 0x17e8, 0x0ff0, 0x718e, 0x399c, 0xaaaa, 0xf0f0, 0x5a5a, 0x33cc, 0x3c3c, 0x55aa, 0x9696,
    0xa55a, 0x73ce, 0x13c8, 0x324c, 0x3bdc, 0x6996, 0xc33c, 0x9966, 0x0660, 0x0272, 0x04e4, 0x4e40, 0x2720,
    0xc936, 0x936c, 0x39c6, 0x639c, 0x9336, 0x9cc6, 0x817e, 0xe718, 0xccf0, 0x0fcc, 0x7744, 0xee22,
};

/* Three: two bits for each texel. */
static const uint32_t partitions_3[64] = {
    0xaa685050, 0x6a5a5040, 0x5a5a4200, 0x5450a0a8, 0xa5a50000, 0xa0a05050, 0x5555a0a0, 0x5a5a5050,
    0xaa550000, 0xaa555500, 0xaaaa5500, 0x90909090, 0x94949494, 0xa4a4a4a4, 0xa9a59450, 0x2a0a4250,
    0xa5945040, 0x0a425054, 0xa5a5a500, 0x55a0a0a0, 0xa8a85454, 0x6a6a4040, 0xa4a45000, 0x1a1a0500,
    0x0050a4a4, 0xaaa59090, 0x14696914, 0x69691400, 0xa08585a0, 0xaa821414, 0x50a4a450, 0x6a5a0200,
    0xa9a58000, 0x5090a0a8, 0xa8a09050, 0x24242424, 0x00aa5500, 0x24924924, 0x24499224, 0x50a50a50,
    0x500aa550, 0xaaaa4444, 0x66660000, 0xa5a0a5a0, 0x50a050a0, 0x69286928, 0x44aaaa44, 0x66666600,
    0xaa444444, 0x54a854a8, 0x95809580, 0x96969600, 0xa85454a8, 0x80959580, 0xaa141414, 0x96960000,
    0xaaaa1414, 0xa05050a0, 0xa0a5a5a0, 0x96000000, 0x40804080, 0xa9a8a9a8, 0xaaaaaa44, 0x2a4a5254,
};

/* The texel of a subset whose index lacks its highest bit, a hexadecimal digit for each partition. */
static const char anchors_2[] = "fffffffffffffffff282288f28228822ff6828ff28222ff66268ff22fffff22f",
                  anchors_3_1[] = "33ff83ff88666533338f336a588685ff8f356a8ff3f5ffff3f55585a5a8dfc33",
                  anchors_3_2[] = "f883ff38fffffff8f8f3f8f83f6affa8f3faa89a6f8f3668f3ffffffffff3ff8";
_Static_assert(sizeof anchors_2 == 65 && sizeof anchors_3_1 == 65 && sizeof anchors_3_2 == 65,
               "one for each partition");

unsigned block_subset(unsigned subsets, unsigned partition, unsigned texel) {
    assert(subsets >= 1 && subsets <= 3 && partition < 64 && texel < 16);
    switch (subsets) {
    case 2:
        return partitions_2[partition] >> texel & 1;
    case 3:
        return partitions_3[partition] >> 2 * texel & 3;
    default:
        return 0;
    }
}

static unsigned anchor_of(unsigned subsets, unsigned partition, unsigned subset) {
    if (subset == 0)
        return 0;
    const char digit = (subsets == 2 ? anchors_2 : subset == 1 ? anchors_3_1 : anchors_3_2)[partition];
    return (unsigned)(digit <= '9' ? digit - '0' : digit - 'a' + 10);
}

unsigned block_index(const struct block_bits *bits, unsigned at, unsigned count, unsigned subsets, unsigned partition,
                     unsigned texel) {
    unsigned before = 0, is_anchor = 0;
    for (unsigned subset = 0; subset < subsets; subset++) {
        const unsigned anchor = anchor_of(subsets, partition, subset);
        before += anchor < texel;
        is_anchor |= anchor == texel;
    }
    return block_field(bits, at + texel * count - before, count - is_anchor);
}

int32_t block_between(int32_t a, int32_t b, unsigned index, unsigned count) {
    assert(count >= 2 && count <= 4 && index < 1u << count);
    static const uint8_t weights[3][16] = {
        {0, 21, 43, 64}, {0, 9, 18, 27, 37, 46, 55, 64}, {0, 4, 9, 13, 17, 21, 26, 30, 34, 38, 43, 47, 51, 55, 60, 64}};
    const int32_t weight = weights[count - 2][index];
    return ((64 - weight) * a + weight * b + 32) >> 6;
}

enum parity { PARITY_NONE, PARITY_SHARED, PARITY_EACH };

/* Numbers of subsets, and bits of the fields in their order. */
static const struct mode {
    uint8_t subsets, partition, rotation, select, color, alpha;
    enum parity parity;
    uint8_t index, second;
} modes[8] = {
    {3, 4, 0, 0, 4, 0, PARITY_EACH, 3, 0}, {2, 6, 0, 0, 6, 0, PARITY_SHARED, 3, 0},
    {3, 6, 0, 0, 5, 0, PARITY_NONE, 2, 0}, {2, 6, 0, 0, 7, 0, PARITY_EACH, 2, 0},
    {1, 0, 2, 1, 5, 6, PARITY_NONE, 2, 3}, {1, 0, 2, 0, 7, 8, PARITY_NONE, 2, 2},
    {1, 0, 0, 0, 7, 7, PARITY_EACH, 4, 0}, {2, 6, 0, 0, 5, 5, PARITY_EACH, 2, 0},
};

/* Where the ends are, and what a texel takes of them. */
struct bc7 {
    struct block_bits bits;
    const struct mode *mode;
    unsigned ends, parities, subset;
};

static int32_t end_of(const struct bc7 *b, unsigned component, unsigned end) {
    const struct mode *mode = b->mode;
    const unsigned pairs = 2 * mode->subsets, number = 2 * b->subset + end;
    unsigned bits = component == 3 ? mode->alpha : mode->color;
    if (bits == 0)
        return 255;
    uint32_t value = block_field(&b->bits, b->ends + component * pairs * mode->color + number * bits, bits);
    if (mode->parity != PARITY_NONE) {
        const unsigned which = mode->parity == PARITY_EACH ? number : b->subset;
        value = value << 1 | block_field(&b->bits, b->parities + which, 1);
        bits++;
    }
    return (int32_t)((value << (8 - bits) | value >> (2 * bits - 8)) & 0xff);
}

static void swap(int32_t *a, int32_t *b) {
    const int32_t kept = *a;
    *a = *b;
    *b = kept;
}

/* A block without a mode is transparent black. */
void block_bc7(const uint8_t *block, unsigned texel, float out[4]) {
    out[0] = out[1] = out[2] = out[3] = 0;
    if (block[0] == 0)
        return;
    const unsigned number = (unsigned)__builtin_ctz(block[0]);
    const struct mode *mode = &modes[number];
    struct bc7 b = {.bits = block_bits(block), .mode = mode};
    unsigned at = number + 1;
    const unsigned partition = block_field(&b.bits, at, mode->partition), pairs = 2 * mode->subsets;
    at += mode->partition;
    const unsigned rotation = block_field(&b.bits, at, mode->rotation);
    at += mode->rotation;
    const unsigned select = block_field(&b.bits, at, mode->select);
    b.ends = at + mode->select;
    b.parities = b.ends + pairs * (3 * mode->color + mode->alpha);
    b.subset = block_subset(mode->subsets, partition, texel);
    at = b.parities + (mode->parity == PARITY_EACH ? pairs : mode->parity == PARITY_SHARED ? mode->subsets : 0);
    const unsigned first = block_index(&b.bits, at, mode->index, mode->subsets, partition, texel);
    unsigned index[2] = {first, first}, count[2] = {mode->index, mode->index}; /* of colour, of alpha */
    if (mode->second) {
        index[!select] = block_index(&b.bits, at + 16 * mode->index - 1, mode->second, 1, 0, texel);
        count[!select] = mode->second;
    }
    assert(at + 16 * mode->index - mode->subsets + (mode->second ? 16 * mode->second - 1 : 0) == 128);
    int32_t value[4];
    for (unsigned c = 0; c < 4; c++)
        value[c] = block_between(end_of(&b, c, 0), end_of(&b, c, 1), index[c == 3], count[c == 3]);
    if (rotation)
        swap(&value[3], &value[rotation - 1]);
    for (unsigned c = 0; c < 4; c++)
        out[c] = format_unorm((uint32_t)value[c], 8);
}
