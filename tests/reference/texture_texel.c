/* SPDX-License-Identifier: MIT */
#include "reference/texture_texel.h"

#include <math.h>
#include <string.h>

enum { T_1D, T_2D, T_3D, T_CUBE, T_1D_ARRAY, T_2D_ARRAY, T_BUFFER, T_2D_NO_MIPS, T_CUBE_ARRAY };

/* Bits of the components, the lowest first: R, G, B, A. */
static const struct row {
    uint8_t code, bits[4];
} rows[] = {
    {0x01, {32, 32, 32, 32}},
    {0x02, {32, 32, 32}},
    {0x03, {16, 16, 16, 16}},
    {0x04, {32, 32}},
    {0x05, {32, 8, 24}},
    {0x07, {8, 8, 8}},
    {0x08, {8, 8, 8, 8}},
    {0x09, {10, 10, 10, 2}},
    {0x0c, {16, 16}},
    {0x0d, {24, 8}},
    {0x0e, {8, 24}},
    {0x0f, {32}},
    {0x12, {4, 4, 4, 4}},
    {0x13, {1, 5, 5, 5}},
    {0x14, {5, 5, 5, 1}},
    {0x15, {5, 6, 5}},
    {0x16, {5, 5, 6}},
    {0x18, {8, 8}},
    {0x1b, {16}},
    {0x1c, {8}},
    {0x1d, {8}},
    {0x1e, {4, 4}},
    {0x1f, {1}},
    {0x20, {9, 9, 9}},
    {0x21, {11, 11, 10}},
    {0x22, {8, 8, 8}},
    {0x23, {8, 8, 8}},
    {0x29, {8, 24}},
    {0x2a, {24, 8}},
    {0x2b, {24, 8}},
    {0x2f, {32}},
    {0x30, {32, 8}},
    {0x3a, {16}},
};

static const struct row *row_of(unsigned code) {
    for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (rows[i].code == code)
            return &rows[i];
    return NULL;
}

bool texture_reference_format(unsigned code, unsigned bits[4]) {
    const struct row *row = row_of(code);
    for (unsigned i = 0; row && i < 4; i++)
        bits[i] = row->bits[i];
    return row;
}

/* Bits from one texel to the next in a line. */
static unsigned texel_bits(unsigned code) {
    const struct row *row = row_of(code);
    if (code == 0x1f)
        return 1;
    if (code == 0x22 || code == 0x23) /* two in four bytes */
        return 16;
    if (code == 0x20 || code == 0x07)
        return 32;
    if (code == 0x30)
        return 64;
    return row->bits[0] + row->bits[1] + row->bits[2] + row->bits[3];
}

/* ---- sizes and places ---- */

static const unsigned log2_x[16] = {0, 1, 1, 2, 2, 1}, log2_y[16] = {0, 0, 1, 1, 1, 0};

void texture_reference_size(const struct texture_reference *t, unsigned level, uint32_t size[3]) {
    const uint32_t given[3] = {t->width, t->height, t->depth};
    for (unsigned i = 0; i < 3; i++)
        size[i] = given[i] >> level ? given[i] >> level : 1;
    if (t->target == T_1D || t->target == T_1D_ARRAY || t->target == T_BUFFER)
        size[1] = 1;
    if (t->target != T_3D)
        size[2] = 1;
}

unsigned texture_reference_axes(const struct texture_reference *t) {
    return t->target == T_3D ? 3 : t->target == T_1D || t->target == T_1D_ARRAY || t->target == T_BUFFER ? 1 : 2;
}

uint32_t texture_reference_layers(const struct texture_reference *t) {
    switch (t->target) {
    case T_CUBE:
        return 6;
    case T_CUBE_ARRAY:
        return 6 * t->depth;
    case T_1D_ARRAY:
    case T_2D_ARRAY:
        return t->depth;
    default:
        return 1;
    }
}

struct blocks {
    uint64_t across, down, slices;     /* in blocks */
    unsigned lines, height, deep, gob; /* lines and slices of a block, lines of a gob */
    unsigned tile;                     /* blocks of a tile */
};

static struct blocks blocks_of(const struct texture_reference *t, unsigned level, bool samples) {
    uint32_t size[3];
    struct blocks b = {.gob = t->lines ? 4 : 8, .height = 1u << t->block_height, .deep = 1u << t->block_depth};
    texture_reference_size(t, level, size);
    const uint64_t bits = texel_bits(t->format), texels = (uint64_t)size[0] << (samples ? log2_x[t->mode] : 0);
    const uint64_t unit = t->format == 0x22 || t->format == 0x23 ? 32 : 8; /* lines have whole ones */
    const uint64_t bytes = (texels * bits + unit - 1) / unit * (unit / 8);
    const uint64_t lines = (uint64_t)size[1] << (samples ? log2_y[t->mode] : 0);
    const unsigned tile = 1u << t->tile_width;
    const bool has_tiles = bytes >= 64ull * tile && lines >= (uint64_t)b.gob * b.height && size[2] >= b.deep;
    b.tile = has_tiles ? tile : 1;
    while (b.height > 1 && b.gob * b.height / 2 >= lines)
        b.height /= 2;
    while (b.deep > 1 && b.deep / 2 >= size[2])
        b.deep /= 2;
    b.lines = b.gob * b.height;
    b.across = ((bytes + 63) / 64 + b.tile - 1) / b.tile * b.tile;
    b.down = (lines + b.lines - 1) / b.lines;
    b.slices = (size[2] + b.deep - 1) / b.deep;
    return b;
}

static uint64_t block_bytes(const struct blocks *b) {
    return 64ull * b->lines * b->deep;
}

/* Gobs of a block are slice by slice below each other; in a gob Fermi's order has 16 bytes by 2 lines. */
static uint64_t byte_at(const struct texture_reference *t, const struct blocks *b, uint64_t x, uint64_t y, uint64_t z) {
    const uint64_t block = (z / b->deep * b->down + y / b->lines) * b->across + x / 64;
    const uint64_t gob = z % b->deep * b->height + y % b->lines / b->gob, gx = x % 64, gy = y % b->gob;
    uint64_t within = gy * 64 + gx;
    if (!t->lines)
        within = (gx / 32) * 256 + (gy / 2) * 64 + (gx / 16 % 2) * 32 + (gy % 2) * 16 + gx % 16;
    return block * block_bytes(b) + gob * 64 * b->gob + within;
}

static uint64_t address_of(const struct texture_reference *t, uint64_t x, uint64_t y, uint64_t z, uint32_t layer,
                           unsigned level, bool samples) {
    if (t->pitch || t->target == T_BUFFER)
        return y * t->pitch + x;
    uint64_t before = 0, all = 0;
    for (unsigned i = 0; i < t->levels; i++) {
        const struct blocks b = blocks_of(t, i, samples);
        before += i < level ? b.across * b.down * b.slices * block_bytes(&b) : 0;
        all += b.across * b.down * b.slices * block_bytes(&b);
    }
    const struct blocks first = blocks_of(t, 0, samples), b = blocks_of(t, level, samples);
    const uint64_t unit = block_bytes(&first) * first.tile, stride = (all + unit - 1) / unit * unit;
    return layer * stride + before + byte_at(t, &b, x, y, z);
}

/* ---- values ---- */

static double power_of_2(int exponent) {
    return ldexp(1, exponent);
}

/* Floats of 5 bits of exponent. */
static double small_float(uint32_t value, unsigned mantissa_bits) {
    const double mantissa = value & ((1u << mantissa_bits) - 1), one = power_of_2((int)mantissa_bits);
    const int exponent = (int)(value >> mantissa_bits & 31);
    if (exponent == 31)
        return mantissa > 0 ? NAN : INFINITY;
    return exponent ? (1 + mantissa / one) * power_of_2(exponent - 15) : mantissa / one * power_of_2(-14);
}

static uint32_t bits_of(double value) {
    const float small = (float)value;
    uint32_t bits;
    memcpy(&bits, &small, 4);
    return bits;
}

static uint32_t component(unsigned type, uint32_t value, unsigned bits) {
    const double ones = power_of_2((int)bits) - 1, sign = power_of_2((int)bits - 1);
    const double number = value >= sign ? value - 2 * sign : value;
    switch (type) {
    case 1:
    case 5:
        return bits_of(bits == 1 ? number : fmax(number / (sign - 1), -1));
    case 3:
        return (uint32_t)(int64_t)number;
    case 4:
        return value;
    case 7:
        if (bits == 32)
            return value;
        if (bits == 16)
            return bits_of((value >> 15 ? -1 : 1) * small_float(value & 0x7fff, 10));
        if (bits == 11 || bits == 10)
            return bits_of(small_float(value, bits - 5));
        return bits_of(value / ones);
    default:
        return bits_of(value / ones);
    }
}

static double linear_of(double v) {
    return v <= 0.04045 ? v / 12.92 : pow((v + 0.055) / 1.055, 2.4);
}

/* The texel's bits from `bit` of its line on. */
static uint32_t stored(const struct texture_reference *t, uint32_t x, uint32_t y, uint32_t z, uint32_t layer,
                       unsigned level, bool samples, unsigned bit, unsigned count) {
    const uint64_t pair = t->format == 0x22 || t->format == 0x23,
                   first = (uint64_t)(pair ? x & ~1u : x) * texel_bits(t->format) + bit;
    uint32_t value = 0;
    for (unsigned i = 0; i < count; i++) {
        const uint64_t at = address_of(t, (first + i) / 8, y, z, layer, level, samples);
        const uint8_t byte = at < t->bytes ? t->memory[at] : 0;
        value |= (uint32_t)(byte >> (first + i) % 8 & 1) << i;
    }
    return value;
}

static void texel(const struct texture_reference *t, uint32_t x, uint32_t y, uint32_t z, uint32_t layer, unsigned level,
                  bool samples, bool decodes_srgb, uint32_t raw[4]) {
    static const uint8_t pairs[2][3] = {{0, 8, 16}, {8, 0, 24}}; /* R, G, B of the first of two */
    const struct row *row = row_of(t->format);
    const bool integers = t->type[0] == 3 || t->type[0] == 4;
    unsigned bit = 0;
    memset(raw, 0, 16);
    raw[3] = integers ? 1 : bits_of(1);
    for (unsigned i = 0; i < 4 && row->bits[i]; i++) {
        unsigned at = bit;
        if (i < 3 && (t->format == 0x22 || t->format == 0x23))
            at = pairs[t->format - 0x22][i] + (i == 1 ? 16 * (x & 1) : 0);
        const uint32_t value = stored(t, x, y, z, layer, level, samples, at, row->bits[i]);
        bit += row->bits[i];
        if (t->format == 0x20) {
            const int exponent = (int)stored(t, x, y, z, layer, level, samples, 27, 5);
            raw[i] = bits_of(value * power_of_2(exponent - 24));
        } else {
            raw[i] = component(t->type[i], value, row->bits[i]);
        }
    }
    for (unsigned i = 0; i < (row->bits[2] ? 3u : 1u) && decodes_srgb && t->srgb; i++) {
        float value;
        memcpy(&value, &raw[i], 4);
        raw[i] = bits_of(linear_of((double)value));
    }
}

void texture_reference_texel(const struct texture_reference *t, uint32_t x, uint32_t y, uint32_t z, uint32_t layer,
                             unsigned level, bool decodes_srgb, uint32_t raw[4]) {
    texel(t, x, y, z, layer, level, false, decodes_srgb, raw);
}

void texture_reference_sources(const struct texture_reference *t, const uint32_t raw[4], uint32_t out[4]) {
    for (unsigned i = 0; i < 4; i++) {
        const unsigned source = t->source[i];
        out[i] = source == 6 ? 1 : source == 7 ? bits_of(1) : source >= 2 ? raw[source - 2] : 0;
    }
}

/* Samples of a pixel by number, as Mesa and deko3d have them: column and line. */
static const uint8_t elements[6][8][2] = {
    {{0, 0}},
    {{0, 0}, {1, 0}},
    {{0, 0}, {1, 0}, {0, 1}, {1, 1}},
    {{0, 0}, {1, 0}, {0, 1}, {1, 1}, {2, 0}, {3, 0}, {2, 1}, {3, 1}},
    {{2, 0}, {1, 1}, {3, 1}, {1, 0}, {0, 1}, {0, 0}, {2, 1}, {3, 0}},
    {{1, 0}, {0, 0}},
};

/* Outside, everything that is stored is 0. */
void texture_reference_fetch(const struct texture_reference *t, const struct texture_reference_request *q,
                             uint32_t out[4]) {
    uint32_t raw[4] = {0, 0, 0, 0}, size[3], at[3] = {0, 0, 0};
    const unsigned level = t->first + q->level, axes = texture_reference_axes(t);
    bool inside = q->level <= t->last - t->first && (q->layer & 0xffff) < texture_reference_layers(t);
    texture_reference_size(t, inside ? level : 0, size);
    for (unsigned i = 0; i < axes; i++) {
        const int64_t coordinate = (int64_t)q->texel[i] + q->offset[i];
        inside &= coordinate >= 0 && coordinate < size[i];
        at[i] = (uint32_t)coordinate;
    }
    if (inside) {
        const unsigned count = 1u << (log2_x[t->mode] + log2_y[t->mode]),
                       sample = q->sample < count ? q->sample : count - 1;
        at[0] = (at[0] << log2_x[t->mode]) + elements[t->mode][sample][0];
        at[1] = (at[1] << log2_y[t->mode]) + elements[t->mode][sample][1];
        texel(t, at[0], at[1], at[2], q->layer & 0xffff, level, true, true, raw);
    }
    texture_reference_sources(t, raw, out);
}
