/* SPDX-License-Identifier: MIT */
#include "engine/twod/nv4_pixel.h"

#include <assert.h>
#include <stddef.h>

/* clang-format off */
#define R5G6B5    .bytes = 2, .red = {11, 5}, .green = {5, 6}, .blue = {0, 5}
#define R5G5B5    .bytes = 2, .red = {10, 5}, .green = {5, 5}, .blue = {0, 5}
#define R8G8B8    .bytes = 4, .red = {16, 8}, .green = {8, 8}, .blue = {0, 8}
/* clang-format on */

static const struct nv4_format y8 = {.bytes = 1, .meaning = NV4_INDEX}, y16 = {.bytes = 2, .meaning = NV4_INDEX},
                               y32 = {.bytes = 4, .meaning = NV4_INDEX};
static const struct nv4_format r5g6b5 = {R5G6B5}, x1r5g5b5 = {R5G5B5}, x8r8g8b8 = {R8G8B8};
static const struct nv4_format o1r5g5b5 = {R5G5B5, .ones = 0x8000}, o8r8g8b8 = {R8G8B8, .ones = 0xff000000};
static const struct nv4_format a1r5g5b5 = {R5G5B5, .alpha = {15, 1}}, a8r8g8b8 = {R8G8B8, .alpha = {24, 8}};
static const struct nv4_format z1a7r8g8b8 = {R8G8B8, .alpha = {24, 7}};
static const struct nv4_format o1a7r8g8b8 = {R8G8B8, .alpha = {24, 7}, .ones = 0x80000000};
static const struct nv4_format a16r5g6b5 = {R5G6B5, .alpha = {16, 16}};
static const struct nv4_format gray8 = {.bytes = 1, .meaning = NV4_GRAY, .red = {0, 8}};
static const struct nv4_format gray16 = {.bytes = 2, .meaning = NV4_GRAY, .red = {0, 16}};
static const struct nv4_format alpha_gray8 = {.bytes = 1, .meaning = NV4_GRAY, .red = {0, 8}, .alpha = {0, 8}};
static const struct nv4_format yuy2 = {
    .bytes = 2, .meaning = NV4_PACKED, .green = {0, 8}, .blue = {8, 8}, .red = {24, 8}};
static const struct nv4_format uyvy = {
    .bytes = 2, .meaning = NV4_PACKED, .green = {8, 8}, .blue = {0, 8}, .red = {16, 8}};

#define LOOK_UP(table, code) ((code) < sizeof(table) / sizeof(table)[0] ? (table)[code] : NULL)

const struct nv4_format *nv4_surface_format(uint32_t code) {
    static const struct nv4_format *const formats[] = {NULL,      &y8,       &x1r5g5b5,   &o1r5g5b5,   &r5g6b5,   &y16,
                                                       &x8r8g8b8, &o8r8g8b8, &z1a7r8g8b8, &o1a7r8g8b8, &a8r8g8b8, &y32};
    return LOOK_UP(formats, code);
}

const struct nv4_format *nv4_solid_format(uint32_t code) {
    static const struct nv4_format *const formats[] = {NULL, &r5g6b5, &x1r5g5b5, &x8r8g8b8};
    return LOOK_UP(formats, code);
}

const struct nv4_format *nv4_old_solid_format(uint32_t code) {
    static const struct nv4_format *const formats[] = {NULL, &gray8, &x1r5g5b5, &x8r8g8b8, &gray16};
    return LOOK_UP(formats, code);
}

const struct nv4_format *nv4_image_format(uint32_t code) {
    static const struct nv4_format *const formats[] = {NULL, &r5g6b5, &a1r5g5b5, &x1r5g5b5, &a8r8g8b8, &x8r8g8b8};
    return LOOK_UP(formats, code);
}

const struct nv4_format *nv4_old_image_format(uint32_t code) {
    static const struct nv4_format *const formats[] = {NULL, &gray8, &a1r5g5b5, &x1r5g5b5, &a8r8g8b8, &x8r8g8b8};
    return LOOK_UP(formats, code);
}

const struct nv4_format *nv4_scaled_format(uint32_t code) {
    static const struct nv4_format *const formats[] = {NULL,  &a1r5g5b5, &x1r5g5b5, &a8r8g8b8, &x8r8g8b8,
                                                       &yuy2, &uyvy,     &r5g6b5,   &gray8,    &alpha_gray8};
    return LOOK_UP(formats, code);
}

const struct nv4_format *nv4_context_format(uint32_t code) {
    static const struct nv4_format *const formats[] = {NULL, &a16r5g6b5, &a1r5g5b5, &a8r8g8b8};
    return LOOK_UP(formats, code);
}

/* n bits to 8: the upper ones again below. Of more than 8 bits the upper 8. */
static uint32_t nv4_pixel_expand(struct nv4_component component, uint32_t pixel) {
    uint32_t value = pixel >> component.shift & ((1u << component.bits) - 1);
    switch (component.bits) {
    case 0:
    case 8:
        return value;
    case 1:
        return value * 0xff;
    case 5:
        return value << 3 | value >> 2;
    case 6:
        return value << 2 | value >> 4;
    case 7:
        return value << 1 | value >> 6;
    default:
        assert(component.bits == 16);
        return value >> 8;
    }
}

uint32_t nv4_unpack(const struct nv4_format *format, uint32_t pixel) {
    uint32_t alpha = format->alpha.bits ? nv4_pixel_expand(format->alpha, pixel) : 0xff;
    uint32_t red = nv4_pixel_expand(format->red, pixel);
    if (format->meaning == NV4_GRAY)
        return alpha << 24 | red * 0x010101;
    return alpha << 24 | red << 16 | nv4_pixel_expand(format->green, pixel) << 8 |
           nv4_pixel_expand(format->blue, pixel);
}

static uint32_t nv4_pixel_reduce(struct nv4_component component, uint32_t value) {
    assert(component.bits <= 8); /* of no surface has more */
    return (value & 0xff) >> (8 - component.bits) << component.shift;
}

uint32_t nv4_pack(const struct nv4_format *format, uint32_t color) {
    if (format->meaning == NV4_INDEX)
        return color & nv4_format_mask(format);
    return nv4_pixel_reduce(format->alpha, color >> 24) | nv4_pixel_reduce(format->red, color >> 16) |
           nv4_pixel_reduce(format->green, color >> 8) | nv4_pixel_reduce(format->blue, color) | format->ones;
}

static uint32_t component_mask(struct nv4_component component) {
    return ((1u << component.bits) - 1) << component.shift;
}

uint32_t nv4_format_mask(const struct nv4_format *format) {
    assert(format->bytes && format->bytes <= 4);
    if (format->meaning == NV4_INDEX)
        return UINT32_MAX >> (32 - 8 * format->bytes);
    return component_mask(format->alpha) | component_mask(format->red) | component_mask(format->green) |
           component_mask(format->blue);
}

static uint32_t nv4_pixel_clamp(int32_t value) {
    return value < 0 ? 0 : value > 0xffff ? 0xff : (uint32_t)value >> 8;
}

/* UNKNOWN: the matrix; chosen: ITU-R BT.601 with its limited range, in 8 bits of fraction, to nearest. */
uint32_t nv4_unpack_pair(const struct nv4_format *format, uint32_t pair, unsigned which) {
    assert(format->meaning == NV4_PACKED && which < 2);
    int32_t y = (int32_t)(pair >> (format->green.shift + 16 * which) & 0xff) - 16;
    int32_t u = (int32_t)(pair >> format->blue.shift & 0xff) - 128;
    int32_t v = (int32_t)(pair >> format->red.shift & 0xff) - 128;
    uint32_t red = nv4_pixel_clamp(298 * y + 409 * v + 128);
    uint32_t green = nv4_pixel_clamp(298 * y - 100 * u - 208 * v + 128);
    uint32_t blue = nv4_pixel_clamp(298 * y + 516 * u + 128);
    return 0xff000000 | red << 16 | green << 8 | blue;
}
