/* SPDX-License-Identifier: MIT */
#include "engine/draw/vertex.h"

#include <assert.h>
#include <string.h>

#include "methods/gf100_3d.h"

#define ONE_FLOAT 0x3f800000u

/* ---- formats ---- */

struct size {
    uint8_t bytes; /* 0: there is no such code */
    bool float_only;
    struct vertex_component component[4];
};

#define SIZE(name) [GF100_3D_SET_VERTEX_ATTRIBUTE_A_COMPONENT_BIT_WIDTHS_##name]

/* By COMPONENT_BIT_WIDTHS. */
static const struct size sizes[64] = {
    SIZE(R32_G32_B32_A32) = {16, false, {{0, 32}, {32, 32}, {64, 32}, {96, 32}}},
    SIZE(R32_G32_B32) = {12, false, {{0, 32}, {32, 32}, {64, 32}}},
    SIZE(R32_G32) = {8, false, {{0, 32}, {32, 32}}},
    SIZE(R32) = {4, false, {{0, 32}}},
    SIZE(R16_G16_B16_A16) = {8, false, {{0, 16}, {16, 16}, {32, 16}, {48, 16}}},
    SIZE(R16_G16_B16) = {6, false, {{0, 16}, {16, 16}, {32, 16}}},
    SIZE(R16_G16) = {4, false, {{0, 16}, {16, 16}}},
    SIZE(R16) = {2, false, {{0, 16}}},
    SIZE(R8_G8_B8_A8) = {4, false, {{0, 8}, {8, 8}, {16, 8}, {24, 8}}},
    SIZE(R8_G8_B8) = {3, false, {{0, 8}, {8, 8}, {16, 8}}},
    SIZE(R8_G8) = {2, false, {{0, 8}, {8, 8}}},
    SIZE(R8) = {1, false, {{0, 8}}},
    SIZE(A8B8G8R8) = {4, false, {{0, 8}, {8, 8}, {16, 8}, {24, 8}}},
    SIZE(A2B10G10R10) = {4, false, {{0, 10}, {10, 10}, {20, 10}, {30, 2}}},
    SIZE(B10G11R11) = {4, true, {{0, 11}, {11, 11}, {22, 10}}},
    SIZE(G8R8) = {2, false, {{0, 8}, {8, 8}}},
    SIZE(X8B8G8R8) = {4, false, {{0, 8}, {8, 8}, {16, 8}}},
    SIZE(A8) = {1, false, {{0, 0}, {0, 0}, {0, 0}, {0, 8}}},
};

/* Floats have 16 or 32 bits, or those of 10 and 11 bits without a sign. */
static bool type_fits(const struct size *size, uint8_t type) {
    uint8_t bits = size->component[0].bits;
    if (size->float_only || type == VERTEX_FLOAT)
        return type == VERTEX_FLOAT && (size->float_only || bits == 16 || bits == 32);
    return type >= VERTEX_SNORM;
}

static bool is_plain(const struct size *size, uint8_t type) {
    return size->component[0].bits == 32 && (type == VERTEX_FLOAT || type == VERTEX_SINT || type == VERTEX_UINT);
}

void vertex_attribute(struct vertex_attribute *attribute, uint32_t word) {
    const struct size *size = &sizes[METHOD_FIELD(word, GF100_3D_SET_VERTEX_ATTRIBUTE_A_COMPONENT_BIT_WIDTHS)];
    *attribute = (struct vertex_attribute){
        .constant = true,
        .stream = METHOD_FIELD(word, GF100_3D_SET_VERTEX_ATTRIBUTE_A_STREAM),
        .type = METHOD_FIELD(word, GF100_3D_SET_VERTEX_ATTRIBUTE_A_NUMERICAL_TYPE),
        .swap = METHOD_FIELD(word, GF100_3D_SET_VERTEX_ATTRIBUTE_A_SWAP_R_AND_B),
        .offset = METHOD_FIELD(word, GF100_3D_SET_VERTEX_ATTRIBUTE_A_OFFSET),
    };
    if (!size->bytes || !type_fits(size, attribute->type))
        return;
    assert(size->bytes <= VERTEX_MOST_BYTES);
    attribute->constant = METHOD_FIELD(word, GF100_3D_SET_VERTEX_ATTRIBUTE_A_SOURCE);
    attribute->bytes = size->bytes;
    attribute->component = size->component;
    attribute->words = is_plain(size, attribute->type) ? size->bytes / 4 : 0;
    attribute->swap = attribute->swap && size->bytes == 4 && size->component[3].bits;
}

/* ---- values ---- */

static uint32_t float_bits(float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

/* A float of 5 bits of exponent and so many of mantissa, with everything that it can say. */
static uint32_t widen(uint32_t value, unsigned mantissa) {
    uint32_t sign = mantissa == 10 ? value >> 15 & 1 : 0;
    uint32_t exponent = value >> mantissa & 31, fraction = value & ((1u << mantissa) - 1);
    if (exponent == 31)
        return sign << 31 | 0x7f800000u | fraction << (23 - mantissa);
    if (exponent)
        return sign << 31 | (exponent + 112) << 23 | fraction << (23 - mantissa);
    float denormal = (float)fraction / (float)(UINT32_C(1) << mantissa) / 16384.0f;
    return sign << 31 | float_bits(denormal);
}

static uint32_t float_of(uint32_t value, unsigned bits) {
    assert(bits == 32 || bits == 16 || bits == 11 || bits == 10);
    return bits == 32 ? value : widen(value, bits == 16 ? 10 : bits - 5);
}

/* Of up to 16 bits this is the float nearest to the quotient: the first rounding, to double, does not matter. */
static uint32_t convert(uint32_t value, unsigned bits, uint8_t type) {
    uint32_t top = UINT32_C(1) << (bits - 1);
    int64_t with_sign = (int64_t)(value ^ top) - (int64_t)top;
    switch (type) {
    case VERTEX_SNORM: {
        double quotient = (double)with_sign / (double)(top - 1);
        return float_bits(quotient < -1.0 ? -1.0f : (float)quotient);
    }
    case VERTEX_UNORM:
        return float_bits((float)((double)value / (double)((UINT64_C(1) << bits) - 1)));
    case VERTEX_SINT:
        return (uint32_t)with_sign;
    case VERTEX_USCALED:
        return float_bits((float)value);
    case VERTEX_SSCALED:
        return float_bits((float)with_sign);
    case VERTEX_FLOAT:
        return float_of(value, bits);
    default:
        return value;
    }
}

static uint32_t word_at(const uint8_t *at) {
    return at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

void vertex_unpack(const struct vertex_attribute *attribute, const uint8_t bytes[VERTEX_MOST_BYTES], uint32_t out[4]) {
    bool integer = attribute->type == VERTEX_SINT || attribute->type == VERTEX_UINT;
    out[0] = out[1] = out[2] = 0;
    out[3] = integer ? 1 : ONE_FLOAT;
    for (unsigned i = 0; i < attribute->words; i++)
        out[i] = word_at(bytes + 4 * i);
    if (attribute->words)
        return;
    for (unsigned i = 0; i < 4; i++) {
        struct vertex_component c = attribute->component[i];
        if (!c.bits)
            continue;
        uint32_t value = word_at(bytes + c.shift / 32 * 4) >> c.shift % 32 & (uint32_t)((UINT64_C(1) << c.bits) - 1);
        out[i] = convert(value, c.bits, attribute->type);
    }
    if (attribute->swap) {
        uint32_t x = out[0];
        out[0] = out[2];
        out[2] = x;
    }
}

/* ---- many vertices ---- */

static void fill(uint32_t *row, unsigned lanes, uint32_t value) {
    for (unsigned i = 0; i < lanes; i++)
        row[i] = value;
}

static void get_words(const uint8_t *const *bytes, unsigned word, unsigned lanes, uint32_t *row) {
    for (unsigned i = 0; i < lanes; i++)
        row[i] = word_at(bytes[i] + (size_t)4 * word);
}

/* As convert(). Floats are as exact as doubles are: of up to 16 bits the quotient is rounded once. */
static void convert_row(uint32_t *row, unsigned lanes, unsigned bits, uint8_t type) {
    const uint32_t top = UINT32_C(1) << (bits - 1);
    const float all = (float)((UINT64_C(1) << bits) - 1), half = (float)(top - 1);
    if (bits <= 16 && type == VERTEX_UNORM) {
        for (unsigned i = 0; i < lanes; i++)
            row[i] = float_bits((float)(int32_t)row[i] / all);
    } else if (bits <= 16 && type == VERTEX_SNORM) {
        for (unsigned i = 0; i < lanes; i++) {
            float quotient = (float)((int32_t)(row[i] ^ top) - (int32_t)top) / half;
            row[i] = float_bits(quotient < -1.0f ? -1.0f : quotient);
        }
    } else {
        for (unsigned i = 0; i < lanes; i++)
            row[i] = convert(row[i], bits, type);
    }
}

void vertex_unpack_lanes(const struct vertex_attribute *attribute, const uint8_t *const bytes[VERTEX_LANES],
                         unsigned lanes, uint32_t (*out)[VERTEX_LANES]) {
    const bool integer = attribute->type == VERTEX_SINT || attribute->type == VERTEX_UINT;
    assert(lanes <= VERTEX_LANES);
    for (unsigned i = 0; i < 4; i++) {
        const struct vertex_component c = attribute->component[i];
        uint32_t *row = out[attribute->swap && i % 2 == 0 ? 2 - i : i];
        if (!c.bits) {
            fill(row, lanes, i < 3 ? 0 : integer ? 1 : ONE_FLOAT);
            continue;
        }
        get_words(bytes, c.shift / 32, lanes, row);
        if (attribute->words)
            continue;
        for (unsigned lane = 0; lane < lanes; lane++)
            row[lane] = row[lane] >> c.shift % 32 & (uint32_t)((UINT64_C(1) << c.bits) - 1);
        convert_row(row, lanes, c.bits, attribute->type);
    }
}

/* ---- places ---- */

bool vertex_fetch(const struct vertex_streams *streams, const struct vertex_attribute *attribute,
                  const struct vertex_number *vertex, vertex_read *read, void *opaque, uint32_t out[4]) {
    uint8_t bytes[VERTEX_MOST_BYTES] = {0};
    const struct vertex_place place = vertex_place(streams, attribute, vertex);
    uint64_t address;
    if (!vertex_address(&place, vertex->number, &address))
        address = streams->substitute;
    if (address && !read(opaque, address, bytes, attribute->bytes))
        return false;
    vertex_unpack(attribute, bytes, out);
    return true;
}
