/* SPDX-License-Identifier: MIT */
/*
 * The tables of formats, and pixels from and to memory.
 *
 * Names of components are in the order of memory, lowest bits first. NVIDIA's headers have the highest first:
 * A8R8G8B8 is BGRA8 here.
 */
#include "engine/surface/format.h"

#include <assert.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "engine/surface/srgb.h"

/* ---- tables ---- */

/* Components of `n` bits each, one after the other. */
#define C1(n) [0] = {0, (n)}
#define C2(n) C1(n), [1] = {(n), (n)}
#define C3(n) C2(n), [2] = {2 * (n), (n)}
#define C4(n) C3(n), [3] = {3 * (n), (n)}
#define BGR8  [0] = {16, 8}, [1] = {8, 8}, [2] = {0, 8}
#define BGRA8 BGR8, [3] = {24, 8}
#define BGR5  [0] = {10, 5}, [1] = {5, 5}, [2] = {0, 5}
#define RGB10 C3(10), [3] = {30, 2}
#define A1(n) [3] = {0, (n)}
#define RA(n) C1(n), [3] = {(n), (n)}

#define FIRST 0xc0
#define ROW(number, size, kind, text, ...)                                                                             \
    [(number)-FIRST] = {.code = (number), .bytes = (size), .type = FORMAT_##kind, .name = (text), __VA_ARGS__}
#define FORMAT(number, size, kind, text, ...) ROW(number, size, kind, text, .component = {__VA_ARGS__})
#define FORMAT_ONES(number, size, kind, text, ...)                                                                     \
    ROW(number, size, kind, text, .x_is_one = true, .component = {__VA_ARGS__})
#define ZETA(number, size, kind, text, ...) ROW(number, size, kind, text, .is_zeta = true, .component = {__VA_ARGS__})

static const struct format colors[] = {
    FORMAT(0xc0, 16, FLOAT, "RGBA32_FLOAT", C4(32)),
    FORMAT(0xc1, 16, SINT, "RGBA32_SINT", C4(32)),
    FORMAT(0xc2, 16, UINT, "RGBA32_UINT", C4(32)),
    FORMAT(0xc3, 16, FLOAT, "RGBX32_FLOAT", C3(32)),
    FORMAT(0xc4, 16, SINT, "RGBX32_SINT", C3(32)),
    FORMAT(0xc5, 16, UINT, "RGBX32_UINT", C3(32)),
    FORMAT(0xc6, 8, UNORM, "RGBA16_UNORM", C4(16)),
    FORMAT(0xc7, 8, SNORM, "RGBA16_SNORM", C4(16)),
    FORMAT(0xc8, 8, SINT, "RGBA16_SINT", C4(16)),
    FORMAT(0xc9, 8, UINT, "RGBA16_UINT", C4(16)),
    FORMAT(0xca, 8, FLOAT, "RGBA16_FLOAT", C4(16)),
    FORMAT(0xcb, 8, FLOAT, "RG32_FLOAT", C2(32)),
    FORMAT(0xcc, 8, SINT, "RG32_SINT", C2(32)),
    FORMAT(0xcd, 8, UINT, "RG32_UINT", C2(32)),
    FORMAT(0xce, 8, FLOAT, "RGBX16_FLOAT", C3(16)),
    FORMAT(0xcf, 4, UNORM, "BGRA8_UNORM", BGRA8),
    FORMAT(0xd0, 4, SRGB, "BGRA8_SRGB", BGRA8),
    FORMAT(0xd1, 4, UNORM, "RGB10A2_UNORM", RGB10),
    FORMAT(0xd2, 4, UINT, "RGB10A2_UINT", RGB10),
    FORMAT(0xd5, 4, UNORM, "RGBA8_UNORM", C4(8)),
    FORMAT(0xd6, 4, SRGB, "RGBA8_SRGB", C4(8)),
    FORMAT(0xd7, 4, SNORM, "RGBA8_SNORM", C4(8)),
    FORMAT(0xd8, 4, SINT, "RGBA8_SINT", C4(8)),
    FORMAT(0xd9, 4, UINT, "RGBA8_UINT", C4(8)),
    FORMAT(0xda, 4, UNORM, "RG16_UNORM", C2(16)),
    FORMAT(0xdb, 4, SNORM, "RG16_SNORM", C2(16)),
    FORMAT(0xdc, 4, SINT, "RG16_SINT", C2(16)),
    FORMAT(0xdd, 4, UINT, "RG16_UINT", C2(16)),
    FORMAT(0xde, 4, FLOAT, "RG16_FLOAT", C2(16)),
    FORMAT(0xdf, 4, UNORM, "BGR10A2_UNORM", {20, 10}, {10, 10}, {0, 10}, {30, 2}),
    FORMAT(0xe0, 4, FLOAT, "R11G11B10_FLOAT", {0, 11}, {11, 11}, {22, 10}),
    FORMAT(0xe3, 4, SINT, "R32_SINT", C1(32)),
    FORMAT(0xe4, 4, UINT, "R32_UINT", C1(32)),
    FORMAT(0xe5, 4, FLOAT, "R32_FLOAT", C1(32)),
    FORMAT(0xe6, 4, UNORM, "BGRX8_UNORM", BGR8),
    FORMAT(0xe7, 4, SRGB, "BGRX8_SRGB", BGR8),
    FORMAT(0xe8, 2, UNORM, "B5G6R5_UNORM", {11, 5}, {5, 6}, {0, 5}),
    FORMAT(0xe9, 2, UNORM, "BGR5A1_UNORM", {10, 5}, {5, 5}, {0, 5}, {15, 1}),
    FORMAT(0xea, 2, UNORM, "RG8_UNORM", C2(8)),
    FORMAT(0xeb, 2, SNORM, "RG8_SNORM", C2(8)),
    FORMAT(0xec, 2, SINT, "RG8_SINT", C2(8)),
    FORMAT(0xed, 2, UINT, "RG8_UINT", C2(8)),
    FORMAT(0xee, 2, UNORM, "R16_UNORM", C1(16)),
    FORMAT(0xef, 2, SNORM, "R16_SNORM", C1(16)),
    FORMAT(0xf0, 2, SINT, "R16_SINT", C1(16)),
    FORMAT(0xf1, 2, UINT, "R16_UINT", C1(16)),
    FORMAT(0xf2, 2, FLOAT, "R16_FLOAT", C1(16)),
    FORMAT(0xf3, 1, UNORM, "R8_UNORM", C1(8)),
    FORMAT(0xf4, 1, SNORM, "R8_SNORM", C1(8)),
    FORMAT(0xf5, 1, SINT, "R8_SINT", C1(8)),
    FORMAT(0xf6, 1, UINT, "R8_UINT", C1(8)),
    FORMAT(0xf7, 1, UNORM, "A8_UNORM", A1(8)),
    FORMAT(0xf8, 2, UNORM, "BGR5X1_UNORM", BGR5),
    FORMAT(0xf9, 4, UNORM, "RGBX8_UNORM", C3(8)),
    FORMAT(0xfa, 4, SRGB, "RGBX8_SRGB", C3(8)),
    FORMAT(0xfb, 2, UNORM, "BGR5Z1_UNORM", BGR5),
    FORMAT_ONES(0xfc, 2, UNORM, "BGR5O1_UNORM", BGR5),
    FORMAT(0xfd, 4, UNORM, "BGRZ8_UNORM", BGR8),
    FORMAT_ONES(0xfe, 4, UNORM, "BGRO8_UNORM", BGR8),
    FORMAT(0xff, 4, UINT, "Y32_UINT", C1(32)),
};
_Static_assert(sizeof colors / sizeof colors[0] == 0x100 - FIRST, "a row for each code from the first one on");
#undef FIRST

#define FIRST 0x40
static const struct format alphas[] = {
    FORMAT(0x40, 2, UNORM, "A16_UNORM", A1(16)),
    FORMAT(0x41, 2, FLOAT, "A16_FLOAT", A1(16)),
    FORMAT(0x42, 4, FLOAT, "A32_FLOAT", A1(32)),
    FORMAT(0x43, 2, UNORM, "RA8_UNORM", RA(8)),
    FORMAT(0x44, 4, UNORM, "RA16_UNORM", RA(16)),
    FORMAT(0x45, 4, FLOAT, "RA16_FLOAT", RA(16)),
    FORMAT(0x46, 8, FLOAT, "RA32_FLOAT", RA(32)),
    FORMAT(0x47, 4, UNORM, "ARGB8_UNORM", {8, 8}, {16, 8}, {24, 8}, {0, 8}),
};
#undef FIRST

/* Depth and stencil. V (coverage) and X are bits of no component. */
#define FIRST 0
static const struct format zetas[] = {
    ZETA(0x0a, 4, FLOAT, "Z32_FLOAT", {0, 32}),
    ZETA(0x13, 2, UNORM, "Z16_UNORM", {0, 16}),
    ZETA(0x14, 4, UNORM, "S8Z24_UNORM", {8, 24}, {0, 8}),
    ZETA(0x15, 4, UNORM, "Z24X8_UNORM", {0, 24}),
    ZETA(0x16, 4, UNORM, "Z24S8_UNORM", {0, 24}, {24, 8}),
    ZETA(0x17, 1, UNORM, "S8_UINT", {0, 0}, {0, 8}),
    ZETA(0x18, 4, UNORM, "Z24V8_UNORM", {0, 24}),
    ZETA(0x19, 8, FLOAT, "Z32S8X24_FLOAT", {0, 32}, {32, 8}),
    ZETA(0x1d, 8, UNORM, "Z24X8S8V8X16_UNORM", {0, 24}, {32, 8}),
    ZETA(0x1e, 8, FLOAT, "Z32X8V8X16_FLOAT", {0, 32}),
    ZETA(0x1f, 8, FLOAT, "Z32S8V8X16_FLOAT", {0, 32}, {32, 8}),
};
#undef FIRST

static const struct format *row_of(const struct format *rows, size_t count, uint32_t number) {
    return number < count && rows[number].bytes ? &rows[number] : NULL;
}

#define ROW_OF(rows, number) row_of(rows, sizeof(rows) / sizeof((rows)[0]), number)

const struct format *format_color(uint32_t code) {
    return code >= 0xc0 ? ROW_OF(colors, code - 0xc0) : ROW_OF(alphas, code - 0x40);
}

const struct format *format_zeta(uint32_t code) {
    return ROW_OF(zetas, code);
}

/* ---- bits of pixels; no component goes across the middle of one of 128 bits ---- */

static void load_pixel(const struct format *format, const uint8_t *pixel, uint64_t words[2]) {
    words[0] = words[1] = 0;
    for (unsigned i = 0; i < format->bytes; i++)
        words[i / 8] |= (uint64_t)pixel[i] << i % 8 * 8;
}

static void store_pixel(const struct format *format, const uint64_t words[2], uint8_t *pixel) {
    for (unsigned i = 0; i < format->bytes; i++)
        pixel[i] = (uint8_t)(words[i / 8] >> i % 8 * 8);
}

static uint32_t format_ones(unsigned bits) {
    return bits ? UINT32_MAX >> (32 - bits) : 0;
}

static void set_bits(uint64_t words[2], struct format_component place, uint32_t value) {
    uint64_t *word = &words[place.shift / 64];
    assert(place.bits <= 32 && place.shift / 64 < 2 && place.shift % 64 + place.bits <= 64);
    *word &= ~((uint64_t)format_ones(place.bits) << place.shift % 64);
    *word |= (uint64_t)value << place.shift % 64;
}

/* ---- floats of 5 bits of exponent ---- */

/* Rounded to nearest, to even between two; too large is infinite. UNKNOWN: of 10 and 11 bits; chosen: as of 16. */
static uint32_t pack_small_float(uint32_t magnitude, unsigned mantissa_bits) {
    int exponent = (int)(magnitude >> 23) - 127 + 15;
    uint32_t mantissa = magnitude & 0x7fffff, infinite = 31u << mantissa_bits;
    unsigned drop = 23 - mantissa_bits;
    if (magnitude > 0x7f800000)
        return infinite | 1u << (mantissa_bits - 1) | mantissa >> drop;
    if (exponent >= 31)
        return infinite;
    if (exponent > 0) {
        mantissa |= (uint32_t)exponent << 23;
    } else {
        if (exponent < -11) /* less than half of the smallest */
            return 0;
        mantissa |= 1u << 23;
        drop += (unsigned)(1 - exponent);
    }
    if (drop - 1 > 23)
        return 0;
    uint32_t left = mantissa & format_ones(drop), half = 1u << (drop - 1), value = mantissa >> drop;
    return value + (left > half || (left == half && value & 1));
}

static float unpack_small_float(uint32_t value, unsigned mantissa_bits) {
    uint32_t exponent = value >> mantissa_bits & 31, mantissa = value & format_ones(mantissa_bits);
    if (exponent == 0)
        return ldexpf((float)mantissa, -14 - (int)mantissa_bits);
    uint32_t bits = (exponent == 31 ? 255 : exponent - 15 + 127) << 23 | mantissa << (23 - mantissa_bits);
    float result;
    memcpy(&result, &bits, sizeof result);
    return result;
}

static uint32_t pack_float(float value, unsigned bits) {
    uint32_t raw, magnitude;
    memcpy(&raw, &value, sizeof raw);
    magnitude = raw & 0x7fffffff;
    if (bits == 32)
        return raw;
    if (bits == 16)
        return raw >> 31 << 15 | pack_small_float(magnitude, 10);
    if (raw >> 31 && magnitude <= 0x7f800000) /* no sign: what is below 0 is 0 */
        return 0;
    return pack_small_float(magnitude, bits - 5);
}

float format_float(uint32_t value, unsigned bits) {
    assert(bits == 32 || bits == 16 || bits == 11 || bits == 10);
    float result;
    if (bits == 32) {
        memcpy(&result, &value, sizeof result);
        return result;
    }
    if (bits != 16)
        return unpack_small_float(value, bits - 5);
    result = unpack_small_float(value & 0x7fff, 10);
    return value >> 15 ? -result : result;
}

/* ---- normalised values ---- */

static double format_clamp(double value, double low) {
    if (!(value > low)) /* NaN, too */
        return value <= low ? low : 0;
    return value < 1 ? value : 1;
}

static uint32_t pack_unorm(double value, unsigned bits) {
    return (uint32_t)(format_clamp(value, 0) * format_ones(bits) + 0.5);
}

static uint32_t pack_snorm(double value, unsigned bits) {
    double scaled = format_clamp(value, -1) * format_ones(bits - 1);
    int32_t rounded = (int32_t)(scaled < 0 ? scaled - 0.5 : scaled + 0.5);
    return (uint32_t)rounded & format_ones(bits);
}

static int32_t sign_extend(uint32_t value, unsigned bits) {
    uint32_t sign = 1u << ((bits - 1) & 31);
    return (int32_t)((value ^ sign) - sign);
}

float format_snorm(uint32_t value, unsigned bits) {
    double result = (double)sign_extend(value, bits) / format_ones(bits - 1);
    return (float)(result < -1 ? -1 : result);
}

float format_unorm(uint32_t value, unsigned bits) {
    return (float)((double)value / format_ones(bits));
}

/* Codes of 8 bits by the table. */
float format_linear(float value) {
    double code = (double)value * 255, wide = (double)value;
    if (code >= 0 && code <= 255 && (float)((double)(int32_t)(code + 0.5) / 255) == value)
        return srgb_decode((uint8_t)(code + 0.5));
    return (float)(wide <= 0.04045 ? wide / 12.92 : pow((wide + 0.055) / 1.055, 2.4));
}

/* ---- integers: what does not fit becomes what just does (UNKNOWN, chosen) ---- */

static uint32_t pack_uint(uint32_t value, unsigned bits) {
    return value < format_ones(bits) ? value : format_ones(bits);
}

static uint32_t pack_sint(int32_t value, unsigned bits) {
    int32_t most = (int32_t)format_ones(bits - 1);
    if (value > most)
        value = most;
    if (value < -most - 1)
        value = -most - 1;
    return (uint32_t)value & format_ones(bits);
}

/* ---- components ---- */

/* Stencil is an integer, and the alpha of sRGB formats linear. */
static enum format_type type_of(const struct format *format, unsigned c) {
    if (format->is_zeta && c == 1)
        return FORMAT_UINT;
    return format->type == FORMAT_SRGB && c == 3 ? FORMAT_UNORM : format->type;
}

static uint32_t pack_component(enum format_type type, const union color *color, unsigned c, unsigned bits) {
    switch (type) {
    case FORMAT_UNORM:
        return pack_unorm((double)color->f[c], bits);
    case FORMAT_SNORM:
        return pack_snorm((double)color->f[c], bits);
    case FORMAT_UINT:
        return pack_uint(color->u[c], bits);
    case FORMAT_SINT:
        return pack_sint(color->i[c], bits);
    case FORMAT_SRGB:
        return srgb_encode(color->f[c]);
    case FORMAT_FLOAT:
        break;
    }
    return pack_float(color->f[c], bits);
}

static void unpack_component(enum format_type type, uint32_t value, unsigned bits, union color *color, unsigned c) {
    switch (type) {
    case FORMAT_UNORM:
        color->f[c] = format_unorm(value, bits);
        break;
    case FORMAT_SNORM:
        color->f[c] = format_snorm(value, bits);
        break;
    case FORMAT_UINT:
        color->u[c] = value;
        break;
    case FORMAT_SINT:
        color->i[c] = sign_extend(value, bits);
        break;
    case FORMAT_SRGB:
        color->f[c] = srgb_decode((uint8_t)value);
        break;
    case FORMAT_FLOAT:
        color->f[c] = format_float(value, bits);
        break;
    }
}

void format_unpack(const struct format *format, const void *pixel, union color *color) {
    uint64_t words[2];
    load_pixel(format, pixel, words);
    memset(color, 0, sizeof *color);
    if (format_is_integer(format))
        color->u[3] = 1;
    else
        color->f[3] = 1;
    for (unsigned c = 0; c < 4; c++) {
        struct format_component place = format->component[c];
        uint32_t value = (uint32_t)(words[place.shift / 64] >> place.shift % 64) & format_ones(place.bits);
        if (place.bits)
            unpack_component(type_of(format, c), value, place.bits, color, c);
    }
}

void format_pack(const struct format *format, const union color *color, void *pixel) {
    uint64_t fill = format->x_is_one ? UINT64_MAX : 0, words[2] = {fill, fill};
    for (unsigned c = 0; c < 4; c++) {
        struct format_component place = format->component[c];
        if (place.bits)
            set_bits(words, place, pack_component(type_of(format, c), color, c, place.bits));
    }
    store_pixel(format, words, pixel);
}

void format_mask(const struct format *format, unsigned mask, uint8_t bits[16]) {
    uint64_t words[2] = {0, 0};
    for (unsigned c = 0; c < 4; c++)
        if (mask >> c & 1)
            set_bits(words, format->component[c], format_ones(format->component[c].bits));
    memset(bits, 0, 16);
    store_pixel(format, words, bits);
}
