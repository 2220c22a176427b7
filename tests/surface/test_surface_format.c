/* SPDX-License-Identifier: MIT */
/* Pixels from and to memory, against values worked out from the names in NVIDIA's class headers and from IEEE 754. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "engine/surface/format.h"

/*
 * NVIDIA's name of each colour format (cl9097.h and later), read by the test: letters R, G, B, A, X, Z, O or Y, perhaps
 * with N (snorm), S, U (integers), F (float) or L (sRGB), then bits. With underscores the first component is lowest in
 * memory, without the last one.
 */
static const struct {
    uint32_t code;
    const char *name;
} headers[] = {
    {0xc0, "RF32_GF32_BF32_AF32"},
    {0xc1, "RS32_GS32_BS32_AS32"},
    {0xc2, "RU32_GU32_BU32_AU32"},
    {0xc3, "RF32_GF32_BF32_X32"},
    {0xc4, "RS32_GS32_BS32_X32"},
    {0xc5, "RU32_GU32_BU32_X32"},
    {0xc6, "R16_G16_B16_A16"},
    {0xc7, "RN16_GN16_BN16_AN16"},
    {0xc8, "RS16_GS16_BS16_AS16"},
    {0xc9, "RU16_GU16_BU16_AU16"},
    {0xca, "RF16_GF16_BF16_AF16"},
    {0xcb, "RF32_GF32"},
    {0xcc, "RS32_GS32"},
    {0xcd, "RU32_GU32"},
    {0xce, "RF16_GF16_BF16_X16"},
    {0xcf, "A8R8G8B8"},
    {0xd0, "A8RL8GL8BL8"},
    {0xd1, "A2B10G10R10"},
    {0xd2, "AU2BU10GU10RU10"},
    {0xd5, "A8B8G8R8"},
    {0xd6, "A8BL8GL8RL8"},
    {0xd7, "AN8BN8GN8RN8"},
    {0xd8, "AS8BS8GS8RS8"},
    {0xd9, "AU8BU8GU8RU8"},
    {0xda, "R16_G16"},
    {0xdb, "RN16_GN16"},
    {0xdc, "RS16_GS16"},
    {0xdd, "RU16_GU16"},
    {0xde, "RF16_GF16"},
    {0xdf, "A2R10G10B10"},
    {0xe0, "BF10GF11RF11"},
    {0xe3, "RS32"},
    {0xe4, "RU32"},
    {0xe5, "RF32"},
    {0xe6, "X8R8G8B8"},
    {0xe7, "X8RL8GL8BL8"},
    {0xe8, "R5G6B5"},
    {0xe9, "A1R5G5B5"},
    {0xea, "G8R8"},
    {0xeb, "GN8RN8"},
    {0xec, "GS8RS8"},
    {0xed, "GU8RU8"},
    {0xee, "R16"},
    {0xef, "RN16"},
    {0xf0, "RS16"},
    {0xf1, "RU16"},
    {0xf2, "RF16"},
    {0xf3, "R8"},
    {0xf4, "RN8"},
    {0xf5, "RS8"},
    {0xf6, "RU8"},
    {0xf7, "A8"},
    {0xf8, "X1R5G5B5"},
    {0xf9, "X8B8G8R8"},
    {0xfa, "X8BL8GL8RL8"},
    {0xfb, "Z1R5G5B5"},
    {0xfc, "O1R5G5B5"},
    {0xfd, "Z8R8G8B8"},
    {0xfe, "O8R8G8B8"},
    {0xff, "RU32"},
    {0x40, "A16"},
    {0x41, "AF16"},
    {0x42, "AF32"},
    {0x43, "A8R8"},
    {0x44, "R16_A16"},
    {0x45, "RF16_AF16"},
    {0x46, "RF32_AF32"},
    {0x47, "B8G8R8A8"},
};
#define HEADERS (sizeof headers / sizeof headers[0])

static const struct {
    uint32_t code;
    unsigned bytes, depth_bits, depth_shift, stencil_shift; /* 99: none */
    bool is_float;
} zetas[] = {
    {0x0a, 4, 32, 0, 99, true},  /* ZF32 */
    {0x13, 2, 16, 0, 99, false}, /* Z16 */
    {0x14, 4, 24, 8, 0, false},  /* Z24S8 */
    {0x15, 4, 24, 0, 99, false}, /* X8Z24 */
    {0x16, 4, 24, 0, 24, false}, /* S8Z24 */
    {0x17, 1, 0, 0, 0, false},   /* S8 */
    {0x18, 4, 24, 0, 99, false}, /* V8Z24 */
    {0x19, 8, 32, 0, 32, true},  /* ZF32_X24S8 */
    {0x1d, 8, 24, 0, 32, false}, /* X8Z24_X16V8S8 */
    {0x1e, 8, 32, 0, 99, true},  /* ZF32_X16V8X8 */
    {0x1f, 8, 32, 0, 32, true},  /* ZF32_X16V8S8 */
};
#define ZETAS (sizeof zetas / sizeof zetas[0])

struct part {
    int channel; /* 0 to 3; -1: none */
    char letter, kind;
    unsigned bits, shift;
};

/* Parts of a name in its order; returns how many, and the bits of a pixel. */
static unsigned parse(const char *name, struct part part[4], unsigned *pixel_bits) {
    unsigned count = 0, bits = 0;
    for (const char *at = name; *at; count++) {
        struct part *p = &part[count];
        const char *channel = strchr("RGBA", *at);
        p->letter = *at;
        p->channel = channel ? (int)(channel - "RGBA") : -1;
        if (!channel)
            p->channel = -1;
        p->kind = strchr("NSUFL", at[1]) ? at[1] : ' ';
        at += p->kind == ' ' ? 1 : 2;
        for (p->bits = 0; *at >= '0' && *at <= '9'; at++)
            p->bits = p->bits * 10 + (unsigned)(*at - '0');
        at += *at == '_';
        bits += p->bits;
    }
    unsigned shift = 0;
    for (unsigned i = 0; i < count; i++) {
        struct part *p = &part[strchr(name, '_') ? i : count - 1 - i];
        p->shift = shift;
        shift += p->bits;
    }
    *pixel_bits = bits;
    return count;
}

static uint64_t get_bits(const uint8_t *pixel, unsigned shift, unsigned bits) {
    uint64_t value = 0;
    for (unsigned i = 0; i < bits; i++)
        value |= (uint64_t)(pixel[(shift + i) / 8] >> (shift + i) % 8 & 1) << i;
    return value;
}

static enum format_type type_of(const struct part *part, unsigned count) {
    for (unsigned i = 0; i < count; i++)
        if (part[i].kind == 'L')
            return FORMAT_SRGB;
    return part[0].kind == 'N'   ? FORMAT_SNORM
           : part[0].kind == 'S' ? FORMAT_SINT
           : part[0].kind == 'U' ? FORMAT_UINT
           : part[0].kind == 'F' ? FORMAT_FLOAT
                                 : FORMAT_UNORM;
}

static void components_are_where_the_names_say(void **state) {
    (void)state;
    for (size_t i = 0; i < HEADERS; i++) {
        struct part part[4];
        unsigned bits, count = parse(headers[i].name, part, &bits);
        const struct format *format = format_color(headers[i].code);
        assert_non_null(format);
        assert_int_equal(format->code, headers[i].code);
        assert_int_equal(format->bytes * 8u, bits);
        assert_int_equal(format->type, type_of(part, count));
        assert_false(format->is_zeta);
        unsigned found = 0;
        for (unsigned p = 0; p < count; p++) {
            if (part[p].channel < 0) {
                assert_int_equal(format->x_is_one, part[p].letter == 'O');
                continue;
            }
            assert_int_equal(format->component[part[p].channel].shift, part[p].shift);
            assert_int_equal(format->component[part[p].channel].bits, part[p].bits);
            found |= 1u << part[p].channel;
        }
        for (unsigned c = 0; c < 4; c++)
            if (!(found >> c & 1))
                assert_int_equal(format->component[c].bits, 0);
    }
}

static void there_are_no_other_formats(void **state) {
    (void)state;
    unsigned colors = 0, zeta = 0;
    for (uint32_t code = 0; code < 0x400; code++) {
        colors += format_color(code) != NULL;
        zeta += format_zeta(code) != NULL;
    }
    assert_int_equal(colors, HEADERS);
    assert_int_equal(zeta, ZETAS);
    assert_null(format_color(UINT32_MAX));
    assert_null(format_zeta(UINT32_MAX));
    assert_null(format_color(0x800000cf));
    assert_null(format_color(0));
    assert_null(format_zeta(0));
}

static void depth_and_stencil_are_where_the_names_say(void **state) {
    (void)state;
    for (size_t i = 0; i < ZETAS; i++) {
        const struct format *format = format_zeta(zetas[i].code);
        assert_non_null(format);
        assert_true(format->is_zeta);
        assert_int_equal(format->code, zetas[i].code);
        assert_int_equal(format->bytes, zetas[i].bytes);
        assert_int_equal(format->component[0].bits, zetas[i].depth_bits);
        if (zetas[i].depth_bits)
            assert_int_equal(format->component[0].shift, zetas[i].depth_shift);
        assert_int_equal(format->component[1].bits, zetas[i].stencil_shift == 99 ? 0 : 8);
        if (zetas[i].stencil_shift != 99)
            assert_int_equal(format->component[1].shift, zetas[i].stencil_shift);
        uint8_t pixel[16];
        union color color = {.f = {1.0f}};
        color.u[1] = 0xa5;
        format_pack(format, &color, pixel);
        if (zetas[i].depth_bits)
            assert_int_equal(get_bits(pixel, zetas[i].depth_shift, zetas[i].depth_bits),
                             zetas[i].is_float ? 0x3f800000 : (1u << zetas[i].depth_bits) - 1);
        if (zetas[i].stencil_shift != 99)
            assert_int_equal(get_bits(pixel, zetas[i].stencil_shift, 8), 0xa5);
        union color back;
        format_unpack(format, pixel, &back);
        assert_true(back.f[0] == (zetas[i].depth_bits ? 1.0f : 0));
        assert_int_equal(back.u[1], zetas[i].stencil_shift == 99 ? 0 : 0xa5);
    }
    union color half = {.f = {0.5f}};
    uint8_t pixel[16];
    format_pack(format_zeta(0x14), &half, pixel);
    assert_memory_equal(pixel, ((uint8_t[]){0, 0, 0, 0x80}), 4);
    format_pack(format_zeta(0x13), &half, pixel);
    assert_memory_equal(pixel, ((uint8_t[]){0, 0x80}), 2);
}

/* ---- values ---- */

static uint64_t packed(uint32_t code, float r, float g, float b, float a) {
    uint8_t pixel[16] = {0};
    union color color = {.f = {r, g, b, a}};
    format_pack(format_color(code), &color, pixel);
    return get_bits(pixel, 0, 64);
}

static void pixels_of_common_formats(void **state) {
    (void)state;
    assert_int_equal(packed(0xcf, 1, 0, 0, 1), 0xffff0000);
    assert_int_equal(packed(0xcf, 0.25f, 0.5f, 0.75f, 1), 0xff4080bf);
    assert_int_equal(packed(0xd5, 0.25f, 0.5f, 0.75f, 1), 0xffbf8040);
    assert_int_equal(packed(0xe8, 1, 0, 0, 0), 0xf800);
    assert_int_equal(packed(0xe8, 0, 1, 0, 0), 0x07e0);
    assert_int_equal(packed(0xe9, 0, 0, 1, 1), 0x801f);
    assert_int_equal(packed(0xd1, 1, 0, 0, 1.0f / 3), 0x400003ff);
    assert_int_equal(packed(0xdf, 1, 0, 0, 0), 0x3ff00000);
    assert_int_equal(packed(0xf7, 0, 0, 0, 0.5f), 0x80);
    assert_int_equal(packed(0xca, 1, -2, 0.5f, 65504), UINT64_C(0x7bff3800c0003c00));
    assert_int_equal(packed(0x43, 1, 0, 0, 0.5f), 0x80ff);
    assert_int_equal(packed(0x47, 0, 1, 0, 0.5f), 0x00ff0080);
}

static void what_no_component_has_is_zero_or_one(void **state) {
    (void)state;
    assert_int_equal(packed(0xe6, 1, 1, 1, 1), 0x00ffffff);
    assert_int_equal(packed(0xf8, 0, 0, 0, 1), 0);
    assert_int_equal(packed(0xfb, 1, 1, 1, 1), 0x7fff);
    assert_int_equal(packed(0xfc, 0, 0, 0, 0), 0x8000);
    assert_int_equal(packed(0xfd, 0, 0, 0, 1), 0);
    assert_int_equal(packed(0xfe, 0, 0, 1, 0), 0xff0000ff);
    assert_int_equal(packed(0xce, 0, 0, 0, 1), 0);
}

static void missing_components_read_as_0_0_0_1(void **state) {
    (void)state;
    uint8_t ones[16];
    memset(ones, 0xff, sizeof ones);
    for (size_t i = 0; i < HEADERS; i++) {
        const struct format *format = format_color(headers[i].code);
        union color color;
        format_unpack(format, ones, &color);
        for (unsigned c = 0; c < 4; c++) {
            if (format->component[c].bits)
                continue;
            if (format_is_integer(format))
                assert_int_equal(color.u[c], c == 3);
            else
                assert_true(color.f[c] == (c == 3));
        }
    }
}

static void normalised_values_are_clamped_and_rounded(void **state) {
    (void)state;
    static const struct {
        float value;
        unsigned unorm8, snorm8, unorm16, snorm16;
    } cases[] = {
        {0, 0, 0, 0, 0},
        {1, 255, 127, 65535, 32767},
        {2, 255, 127, 65535, 32767},
        {-1, 0, 0x81, 0, 0x8001},
        {-2, 0, 0x81, 0, 0x8001},
        {0.5f, 128, 64, 32768, 16384},
        {-0.5f, 0, 0xc0, 0, 0xc000},
        {0.001f, 0, 0, 66, 33},
        {1.49f / 255, 1, 1, 383, 191},
        {1.51f / 255, 2, 1, 388, 194},
        {INFINITY, 255, 127, 65535, 32767},
        {-INFINITY, 0, 0x81, 0, 0x8001},
        {NAN, 0, 0, 0, 0},
        {-NAN, 0, 0, 0, 0},
        {1e-40f, 0, 0, 0, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_int_equal(packed(0xf3, cases[i].value, 0, 0, 0), cases[i].unorm8);
        assert_int_equal(packed(0xf4, cases[i].value, 0, 0, 0), cases[i].snorm8);
        assert_int_equal(packed(0xee, cases[i].value, 0, 0, 0), cases[i].unorm16);
        assert_int_equal(packed(0xef, cases[i].value, 0, 0, 0), cases[i].snorm16);
    }
}

/* Every value of the small formats comes back, and of floats all but NaN, which stay NaN. */
static void what_is_unpacked_packs_to_itself(void **state) {
    (void)state;
    for (size_t i = 0; i < HEADERS; i++) {
        struct part part[4];
        unsigned bits, count = parse(headers[i].name, part, &bits);
        const struct format *format = format_color(headers[i].code);
        for (unsigned p = 0; p < count; p++) {
            if (part[p].channel < 0)
                continue;
            uint32_t step = part[p].bits == 32 ? 65521 : 1;
            for (uint64_t value = 0; value < UINT64_C(1) << part[p].bits; value += step) {
                uint8_t pixel[16] = {0}, again[16];
                for (unsigned b = 0; b < part[p].bits; b++)
                    pixel[(part[p].shift + b) / 8] |= (uint8_t)((value >> b & 1) << (part[p].shift + b) % 8);
                union color color;
                format_unpack(format, pixel, &color);
                format_pack(format, &color, again);
                uint64_t result = get_bits(again, part[p].shift, part[p].bits);
                if (part[p].kind == 'F' && isnan(color.f[part[p].channel])) {
                    format_unpack(format, again, &color);
                    assert_true(isnan(color.f[part[p].channel]));
                } else if (part[p].kind == 'N' && value == (UINT64_C(1) << part[p].bits) / 2) {
                    assert_int_equal(result, value + 1); /* -1 has two forms */
                } else if (result != value) {
                    fail_msg("%s: 0x%llx comes back as 0x%llx", headers[i].name, (unsigned long long)value,
                             (unsigned long long)result);
                }
            }
        }
    }
}

static float unpacked(uint32_t code, uint32_t value, unsigned c) {
    uint8_t pixel[16] = {(uint8_t)value, (uint8_t)(value >> 8), (uint8_t)(value >> 16), (uint8_t)(value >> 24)};
    union color color;
    format_unpack(format_color(code), pixel, &color);
    return color.f[c];
}

static void unpacked_values(void **state) {
    (void)state;
    assert_true(unpacked(0xf3, 255, 0) == 1.0f);
    assert_true(unpacked(0xf3, 51, 0) == 0.2f);
    assert_true(unpacked(0xf4, 0x7f, 0) == 1.0f);
    assert_true(unpacked(0xf4, 0x81, 0) == -1.0f);
    assert_true(unpacked(0xf4, 0x80, 0) == -1.0f);
    assert_true(unpacked(0xe8, 0xffff, 1) == 1.0f);
    assert_true(unpacked(0xd1, 0x80000000, 3) == 2.0f / 3);
    /* halves */
    assert_true(unpacked(0xf2, 0x0001, 0) == 0x1p-24f);
    assert_true(unpacked(0xf2, 0x03ff, 0) == 0x3ffp-24f);
    assert_true(unpacked(0xf2, 0x0400, 0) == 0x1p-14f);
    assert_true(unpacked(0xf2, 0x7bff, 0) == 65504.0f);
    assert_true(unpacked(0xf2, 0x7c00, 0) == INFINITY);
    assert_true(unpacked(0xf2, 0xfc00, 0) == -INFINITY);
    assert_true(unpacked(0xf2, 0xc000, 0) == -2.0f);
    assert_true(signbit(unpacked(0xf2, 0x8000, 0)) != 0);
    assert_true(isnan(unpacked(0xf2, 0x7e00, 0)));
    /* 11 and 10 bits */
    assert_true(unpacked(0xe0, 0x3c0, 0) == 1.0f);
    assert_true(unpacked(0xe0, 0x001, 0) == 0x1p-20f);
    assert_true(unpacked(0xe0, 0x7bf, 0) == 65024.0f);
    assert_true(unpacked(0xe0, 0x3c0u << 11, 1) == 1.0f);
    assert_true(unpacked(0xe0, 0x1e0u << 22, 2) == 1.0f);
    assert_true(unpacked(0xe0, 0x001u << 22, 2) == 0x1p-19f);
    assert_true(unpacked(0xe0, 0x3dfu << 22, 2) == 64512.0f);
}

static void floats_round_to_nearest_even(void **state) {
    (void)state;
    static const struct {
        float value;
        unsigned half, float11, float10;
    } cases[] = {
        {0, 0, 0, 0},
        {-0.0f, 0x8000, 0, 0},
        {1, 0x3c00, 0x3c0, 0x1e0},
        {1 + 0x1p-11f, 0x3c00, 0x3c0, 0x1e0},
        {1 + 0x3p-11f, 0x3c02, 0x3c0, 0x1e0},
        {1 + 0x1.8p-11f, 0x3c01, 0x3c0, 0x1e0},
        {1 + 0x1p-7f, 0x3c08, 0x3c0, 0x1e0},
        {1 + 0x3p-7f, 0x3c18, 0x3c2, 0x1e1},
        {65504, 0x7bff, 0x7c0, 0x3e0},
        {65519, 0x7bff, 0x7c0, 0x3e0},
        {65520, 0x7c00, 0x7c0, 0x3e0},
        {65024, 0x7bf0, 0x7bf, 0x3e0},
        {64512, 0x7be0, 0x7be, 0x3df},
        {1e30f, 0x7c00, 0x7c0, 0x3e0},
        {-1e30f, 0xfc00, 0, 0},
        {INFINITY, 0x7c00, 0x7c0, 0x3e0},
        {-INFINITY, 0xfc00, 0, 0},
        {-1, 0xbc00, 0, 0},
        {0x1p-14f, 0x0400, 0x040, 0x020},
        {0x1p-15f, 0x0200, 0x020, 0x010},
        {0x1p-24f, 0x0001, 0, 0},
        {0x1p-25f, 0, 0, 0},
        {0x1.8p-25f, 1, 0, 0},
        {0x3p-25f, 2, 0, 0},
        {0x1p-20f, 0x0010, 1, 0},
        {0x1p-19f, 0x0020, 2, 1},
        {0x1p-21f, 0x0008, 0, 0},
        {0x1.02p-21f, 0x0008, 1, 0},
        {0x1p-20f, 0x0010, 1, 0},
        {0x1.02p-20f, 0x0010, 1, 1},
        {0x1p-149f, 0, 0, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_int_equal(packed(0xf2, cases[i].value, 0, 0, 0), cases[i].half);
        uint64_t pixel = packed(0xe0, cases[i].value, cases[i].value, cases[i].value, 0);
        assert_int_equal(pixel & 0x7ff, cases[i].float11);
        assert_int_equal(pixel >> 11 & 0x7ff, cases[i].float11);
        assert_int_equal(pixel >> 22, cases[i].float10);
    }
    assert_true((packed(0xf2, NAN, 0, 0, 0) & 0x7fff) > 0x7c00);
    assert_true((packed(0xe0, NAN, 0, 0, 0) & 0x7ff) > 0x7c0);
    assert_true((packed(0xe0, -NAN, 0, 0, 0) & 0x7ff) > 0x7c0);
    assert_true(packed(0xe0, 0, 0, NAN, 0) >> 22 > 0x3e0);
}

/* IEC 61966-2-1: some of its points, and alpha as it is. */
static void srgb_is_converted_but_alpha_is_not(void **state) {
    (void)state;
    assert_int_equal(packed(0xd0, 0.5f, 0.0f, 1.0f, 0.5f), 0x80bc00ff);
    assert_int_equal(packed(0xd6, 0.5f, 0.0f, 1.0f, 0.5f), 0x80ff00bc);
    assert_int_equal(packed(0xd6, 0.0031308f, 0.2158605f, 0.001f, 0), 0x03800a);
    assert_int_equal(packed(0xe7, 1, 1, 2, 1), 0x00ffffff);
    assert_int_equal(packed(0xd6, NAN, -1, INFINITY, NAN), 0xff0000);
    assert_true(fabsf(unpacked(0xd6, 0x80, 0) - 0.2158605f) < 1e-6f);
    assert_true(fabsf(unpacked(0xd6, 0x0a, 0) - 0.0030353f) < 1e-6f);
    assert_true(unpacked(0xd6, 0xff, 0) == 1.0f);
    assert_true(unpacked(0xd6, 0, 0) == 0.0f);
    assert_true(unpacked(0xd6, 0x33000000, 3) == 0.2f);
}

/* Each code comes back; the values half-way to the next one go up, the floats before them do not. */
static void srgb_codes_are_the_nearest(void **state) {
    (void)state;
    for (uint32_t code = 0; code < 256; code++) {
        float value = unpacked(0xd6, code, 0);
        assert_int_equal(packed(0xd6, value, 0, 0, 0), code);
        assert_true(format_linear((float)code / 255) == value);
        double encoded = (code + 0.5) / 255;
        double half = encoded <= 0.04045 ? encoded / 12.92 : pow((encoded + 0.055) / 1.055, 2.4);
        assert_int_equal(packed(0xd6, (float)(half * 0.99999), 0, 0, 0), code);
        assert_int_equal(packed(0xd6, (float)(half * 1.00001), 0, 0, 0), code < 255 ? code + 1 : 255);
    }
}

static uint64_t packed_integers(uint32_t code, uint32_t r, uint32_t g, uint32_t b, uint32_t a) {
    uint8_t pixel[16] = {0};
    union color color = {.u = {r, g, b, a}};
    format_pack(format_color(code), &color, pixel);
    return get_bits(pixel, 0, 64);
}

static void integers_are_clamped(void **state) {
    (void)state;
    assert_int_equal(packed_integers(0xd9, 255, 256, UINT32_MAX, 7), 0x07ffffff);
    assert_int_equal(packed_integers(0xd8, 127, 128, (uint32_t)-128, (uint32_t)-129), 0x80807f7f);
    assert_int_equal(packed_integers(0xd8, (uint32_t)INT32_MIN, INT32_MAX, (uint32_t)-1, 0), 0x00ff7f80);
    assert_int_equal(packed_integers(0xd2, 1023, 1024, 5, 4), 0xc05fffff);
    assert_int_equal(packed_integers(0xe3, (uint32_t)INT32_MIN, 0, 0, 0), 0x80000000);
    assert_int_equal(packed_integers(0xcd, UINT32_MAX, 0x12345678, 0, 0), UINT64_C(0x12345678ffffffff));
    union color color;
    format_unpack(format_color(0xf5), &(uint8_t){0x80}, &color);
    assert_int_equal(color.i[0], -128);
    assert_int_equal(color.i[3], 1);
}

static void masks_are_the_bits_of_components(void **state) {
    (void)state;
    uint8_t bits[16];
    format_mask(format_color(0xcf), 0x1, bits);
    assert_int_equal(get_bits(bits, 0, 64), 0x00ff0000);
    format_mask(format_color(0xcf), 0xa, bits);
    assert_int_equal(get_bits(bits, 0, 64), 0xff00ff00);
    format_mask(format_color(0xe6), 0xf, bits);
    assert_int_equal(get_bits(bits, 0, 64), 0x00ffffff);
    format_mask(format_color(0xe8), 0x2, bits);
    assert_int_equal(get_bits(bits, 0, 64), 0x07e0);
    format_mask(format_color(0xc0), 0x5, bits);
    assert_int_equal(get_bits(bits, 0, 64), 0xffffffff);
    assert_int_equal(get_bits(bits, 64, 64), 0xffffffff);
    format_mask(format_zeta(0x14), 0x2, bits);
    assert_int_equal(get_bits(bits, 0, 64), 0xff);
    format_mask(format_zeta(0x14), 0xd, bits);
    assert_int_equal(get_bits(bits, 0, 64), 0xffffff00);
    for (size_t i = 0; i < HEADERS; i++) {
        format_mask(format_color(headers[i].code), 0, bits);
        assert_int_equal(get_bits(bits, 0, 64) | get_bits(bits, 64, 64), 0);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(components_are_where_the_names_say),
        cmocka_unit_test(there_are_no_other_formats),
        cmocka_unit_test(depth_and_stencil_are_where_the_names_say),
        cmocka_unit_test(pixels_of_common_formats),
        cmocka_unit_test(what_no_component_has_is_zero_or_one),
        cmocka_unit_test(missing_components_read_as_0_0_0_1),
        cmocka_unit_test(normalised_values_are_clamped_and_rounded),
        cmocka_unit_test(what_is_unpacked_packs_to_itself),
        cmocka_unit_test(unpacked_values),
        cmocka_unit_test(floats_round_to_nearest_even),
        cmocka_unit_test(srgb_is_converted_but_alpha_is_not),
        cmocka_unit_test(srgb_codes_are_the_nearest),
        cmocka_unit_test(integers_are_clamped),
        cmocka_unit_test(masks_are_the_bits_of_components),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
