/* SPDX-License-Identifier: MIT */
#include "reference/clear.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>

#define F    REFERENCE_FLOAT
#define S    REFERENCE_SINT
#define U    REFERENCE_UINT
#define N    REFERENCE_UNORM
#define SN   REFERENCE_SNORM
#define SRGB REFERENCE_SRGB

const struct reference_format reference_colors[] = {{0xc0, "R32G32B32A32", F},
                                                    {0xc1, "R32G32B32A32", S},
                                                    {0xc2, "R32G32B32A32", U},
                                                    {0xc3, "R32G32B32X32", F},
                                                    {0xc4, "R32G32B32X32", S},
                                                    {0xc5, "R32G32B32X32", U},
                                                    {0xc6, "R16G16B16A16", N},
                                                    {0xc7, "R16G16B16A16", SN},
                                                    {0xc8, "R16G16B16A16", S},
                                                    {0xc9, "R16G16B16A16", U},
                                                    {0xca, "R16G16B16A16", F},
                                                    {0xcb, "R32G32", F},
                                                    {0xcc, "R32G32", S},
                                                    {0xcd, "R32G32", U},
                                                    {0xce, "R16G16B16X16", F},
                                                    {0xcf, "B8G8R8A8", N},
                                                    {0xd0, "B8G8R8A8", SRGB},
                                                    {0xd1, "R10G10B10A2", N},
                                                    {0xd2, "R10G10B10A2", U},
                                                    {0xd5, "R8G8B8A8", N},
                                                    {0xd6, "R8G8B8A8", SRGB},
                                                    {0xd7, "R8G8B8A8", SN},
                                                    {0xd8, "R8G8B8A8", S},
                                                    {0xd9, "R8G8B8A8", U},
                                                    {0xda, "R16G16", N},
                                                    {0xdb, "R16G16", SN},
                                                    {0xdc, "R16G16", S},
                                                    {0xdd, "R16G16", U},
                                                    {0xde, "R16G16", F},
                                                    {0xdf, "B10G10R10A2", N},
                                                    {0xe0, "R11G11B10", F},
                                                    {0xe3, "R32", S},
                                                    {0xe4, "R32", U},
                                                    {0xe5, "R32", F},
                                                    {0xe6, "B8G8R8X8", N},
                                                    {0xe7, "B8G8R8X8", SRGB},
                                                    {0xe8, "B5G6R5", N},
                                                    {0xe9, "B5G5R5A1", N},
                                                    {0xea, "R8G8", N},
                                                    {0xeb, "R8G8", SN},
                                                    {0xec, "R8G8", S},
                                                    {0xed, "R8G8", U},
                                                    {0xee, "R16", N},
                                                    {0xef, "R16", SN},
                                                    {0xf0, "R16", S},
                                                    {0xf1, "R16", U},
                                                    {0xf2, "R16", F},
                                                    {0xf3, "R8", N},
                                                    {0xf4, "R8", SN},
                                                    {0xf5, "R8", S},
                                                    {0xf6, "R8", U},
                                                    {0xf7, "A8", N},
                                                    {0xf8, "B5G5R5X1", N},
                                                    {0xf9, "R8G8B8X8", N},
                                                    {0xfa, "R8G8B8X8", SRGB},
                                                    {0xfb, "B5G5R5X1", N},
                                                    {0xfc, "B5G5R5O1", N},
                                                    {0xfd, "B8G8R8X8", N},
                                                    {0xfe, "B8G8R8O8", N},
                                                    {0x40, "A16", N},
                                                    {0x41, "A16", F},
                                                    {0x42, "A32", F},
                                                    {0x43, "R8A8", N},
                                                    {0x44, "R16A16", N},
                                                    {0x45, "R16A16", F},
                                                    {0x46, "R32A32", F},
                                                    {0x47, "A8R8G8B8", N},
                                                    {0xff, "R32", U},
                                                    {0}};

const struct reference_format reference_zetas[] = {
    {0x0a, "D32", F},        {0x13, "D16", N},    {0x14, "S8D24", N},    {0x15, "D24X8", N},
    {0x16, "D24S8", N},      {0x17, "S8", N},     {0x19, "D32S8X24", F}, {0x18, "D24X8", N},
    {0x1d, "D24X8S8X24", N}, {0x1e, "D32X32", F}, {0x1f, "D32S8X24", F}, {0}};

/* A small float that needs no rounding, of 5 bits of exponent. */
static uint64_t small_float(float value, unsigned bits) {
    unsigned mantissa_bits = bits == 16 ? 10 : bits - 5;
    int exponent;
    if (value == 0 || (value < 0 && bits < 16))
        return 0;
    float fraction = frexpf(fabsf(value), &exponent); /* 0.5 .. 1 */
    uint64_t mantissa = (uint64_t)ldexpf(fraction * 2 - 1, (int)mantissa_bits);
    return (value < 0 ? 0x8000u : 0u) | (uint64_t)(exponent - 1 + 15) << mantissa_bits | mantissa;
}

static float as_float(uint32_t word) {
    float value;
    memcpy(&value, &word, sizeof value);
    return value;
}

static double limit(double value, double least, double most) {
    return value < least ? least : value > most ? most : value;
}

static double to_srgb(double c) {
    return c <= 0.0031308 ? c * 12.92 : 1.055 * pow(c, 1 / 2.4) - 0.055;
}

static uint64_t encode(enum reference_type type, char component, unsigned bits, uint32_t word) {
    double most = ldexp(1, (int)bits) - 1, half = ldexp(1, (int)bits - 1) - 1;
    if (component == 'S')
        return word & 0xff;
    switch (type) {
    case F:
        return bits == 32 ? word : small_float(as_float(word), bits);
    case U:
        return (uint64_t)limit(word, 0, most);
    case S:
        return (uint64_t)(int64_t)limit((int32_t)word, -half - 1, half);
    case SN:
        return (uint64_t)(int64_t)round(limit((double)as_float(word), -1, 1) * half);
    case SRGB:
        if (component != 'A')
            return (uint64_t)floor(to_srgb(limit((double)as_float(word), 0, 1)) * most + 0.5);
        return (uint64_t)floor(limit((double)as_float(word), 0, 1) * most + 0.5);
    default:
        return (uint64_t)floor(limit((double)as_float(word), 0, 1) * most + 0.5);
    }
}

/* The next component of a description; false at the end. */
static bool next(const char **text, char *component, unsigned *bits) {
    char *end;
    if (!**text)
        return false;
    *component = **text;
    *bits = (unsigned)strtoul(*text + 1, &end, 10);
    *text = end;
    return true;
}

unsigned reference_pixel_bytes(const struct reference_format *format) {
    unsigned bits, total = 0;
    char component;
    for (const char *text = format->components; next(&text, &component, &bits);)
        total += bits;
    return total / 8;
}

/* Are all components that mean something written, all bits of them? */
static bool writes_all(const struct reference_clear *c) {
    unsigned bits;
    char component;
    for (const char *text = c->format->components; next(&text, &component, &bits);) {
        bool nothing = component == 'X' || component == 'O';
        if (!nothing && (!strchr(c->written, component) || (component == 'S' && (c->stencil_mask & 0xff) != 0xff)))
            return false;
    }
    return true;
}

static uint32_t value_of(const struct reference_clear *c, char component) {
    static const char order[] = "RGBADS";
    size_t at = (size_t)(strchr(order, component) - order);
    return c->value[at < 4 ? at : at - 4];
}

static void put_bit(uint8_t *pixel, unsigned bit, bool value) {
    uint8_t mask = (uint8_t)(1u << (bit & 7));
    pixel[bit / 8] = (uint8_t)(value ? pixel[bit / 8] | mask : pixel[bit / 8] & ~mask);
}

static void clear_pixel(const struct reference_clear *c, uint8_t *pixel) {
    unsigned bits, shift = 0;
    char component;
    for (const char *text = c->format->components; next(&text, &component, &bits); shift += bits) {
        bool nothing = component == 'X' || component == 'O';
        uint64_t value = component == 'O' ? UINT64_MAX : 0;
        if (!nothing)
            value = encode(c->format->type, component, bits, value_of(c, component));
        for (unsigned i = 0; i < bits; i++) {
            bool write = nothing ? writes_all(c) : strchr(c->written, component) != NULL;
            if (write && (component != 'S' || (c->stencil_mask >> i & 1)))
                put_bit(pixel, shift + i, value >> (i < 63 ? i : 63) & 1);
        }
    }
}

void reference_pixel(const struct reference_format *format, const uint32_t value[4], uint8_t *pixel) {
    struct reference_clear all = {.format = format, .written = "RGBADS", .stencil_mask = 0xff};
    memcpy(all.value, value, sizeof all.value);
    clear_pixel(&all, pixel);
}

static bool inside(const struct reference_box *box, int64_t x, int64_t y) {
    return x >= box->x0 && x < box->x1 && y >= box->y0 && y < box->y1;
}

static bool wanted(const struct reference_clear *c, int64_t x, int64_t y) {
    bool in_any = false;
    for (unsigned i = 0; i < 4; i++)
        if (c->box[i].used && !inside(&c->box[i], x, y))
            return false;
    for (unsigned i = 0; i < 8; i++)
        in_any = in_any || inside(&c->window[i], x, y);
    return c->windows == 0 || (c->windows == 1 && in_any) || (c->windows == 2 && !in_any);
}

/* A pixel is never torn by a layout. */
bool reference_clear(const struct reference_clear *clear, uint8_t *memory, uint64_t bytes) {
    unsigned pixel = reference_pixel_bytes(clear->format);
    for (int64_t y = 0; y < clear->height; y++) {
        for (int64_t x = 0; x < clear->width; x++) {
            uint64_t at = clear->address + clear->layer_bytes +
                          reference_surface_offset(&clear->layout, (uint64_t)x * pixel, (uint64_t)y, clear->z);
            if (at > bytes - pixel)
                return false;
            if (wanted(clear, x / clear->across, y / clear->down))
                clear_pixel(clear, memory + at);
        }
    }
    return true;
}
