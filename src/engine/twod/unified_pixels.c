/* SPDX-License-Identifier: MIT */
#include "engine/twod/unified_pixels.h"

#include <assert.h>
#include <string.h>

#define FORMAT_Y8  0xf3u
#define FORMAT_AY8 0x1du
#define FORMAT_A8  0xf7u
#define FORMAT_Y32 0xffu

/* e5 ee ef f2 f3 f4 ff. UNKNOWN: Y32 as another format; chosen: luminance of 32 bits. */
#define LUMINANCE UINT64_C(0x801cc02000000000)

bool pixels_of(uint32_t code, struct pixels *pixels) {
    pixels->format = format_color(code == FORMAT_AY8 ? FORMAT_Y8 : code);
    if (code == FORMAT_A8 || code == FORMAT_AY8)
        pixels->reading = PIXELS_INTENSITY;
    else if (code >= 0xc0 && code <= 0xff && LUMINANCE >> (code - 0xc0) & 1)
        pixels->reading = PIXELS_LUMINANCE;
    else
        pixels->reading = PIXELS_PLAIN;
    return pixels->format != NULL;
}

void pixels_unpack(const struct pixels *pixels, const void *pixel, union color *color) {
    format_unpack(pixels->format, pixel, color);
    if (pixels->format->code == FORMAT_Y32)
        color->f[0] = (float)((double)color->u[0] / UINT32_MAX);
    if (pixels->reading == PIXELS_PLAIN)
        return;
    float value = pixels->format->component[0].bits ? color->f[0] : color->f[3];
    for (unsigned c = 0; c < 3; c++)
        color->f[c] = value;
    color->f[3] = pixels->reading == PIXELS_INTENSITY ? value : 1;
}

/* UNKNOWN: what of a colour becomes luminance; chosen: red, as the formats' other names say. */
void pixels_pack(const struct pixels *pixels, const union color *color, void *pixel) {
    if (pixels->format->code != FORMAT_Y32) {
        format_pack(pixels->format, color, pixel);
        return;
    }
    double value = (double)color->f[0];
    uint32_t bits = value >= 1 ? UINT32_MAX : value > 0 ? (uint32_t)(value * UINT32_MAX + 0.5) : 0;
    pixels_store(pixel, 4, bits);
}

/* A component as it is in both formats, or a constant; otherwise colours must be computed. */
static bool move_component(struct pixels_conversion *c, unsigned i) {
    struct format_component from = c->from->format->component[i], to = c->to->format->component[i];
    if (to.bits == 0)
        return true;
    uint32_t mask = UINT32_MAX >> (32 - to.bits);
    if (from.bits == 0 && i == 3)
        c->constant |= mask << to.shift;
    if (from.bits == 0)
        return true;
    assert(c->pieces < sizeof c->piece / sizeof c->piece[0]);
    c->piece[c->pieces].mask = mask;
    c->piece[c->pieces].from = from.shift;
    c->piece[c->pieces].to = to.shift;
    c->pieces++;
    return from.bits == to.bits;
}

/* The bits of a format that no component has, where they are to be ones. */
static uint32_t filling(const struct format *format) {
    uint32_t used = 0;
    for (unsigned i = 0; i < 4; i++)
        if (format->component[i].bits)
            used |= UINT32_MAX >> (32 - format->component[i].bits) << format->component[i].shift;
    return format->x_is_one ? ~used : 0;
}

static bool move_bits(struct pixels_conversion *c) {
    const struct format *from = c->from->format, *to = c->to->format;
    if (from->type != to->type || (from->type != FORMAT_UNORM && from->type != FORMAT_SRGB) || from->bytes > 4 ||
        to->bytes > 4 || c->from->reading != PIXELS_PLAIN)
        return false;
    c->constant = filling(to);
    for (unsigned i = 0; i < 4; i++)
        if (!move_component(c, i))
            return false;
    return true;
}

struct pixels_conversion pixels_conversion(const struct pixels *from, const struct pixels *to) {
    struct pixels_conversion c = {.from = from, .to = to, .how = CONVERT_COLORS};
    if (from->format == to->format && from->reading == to->reading)
        c.how = CONVERT_COPY;
    else if (move_bits(&c))
        c.how = CONVERT_MOVE_BITS;
    return c;
}

uint32_t pixels_load(const uint8_t *pixel, unsigned bytes) {
    uint32_t value = 0;
    assert(bytes <= 4);
    for (unsigned i = 0; i < bytes; i++)
        value |= (uint32_t)pixel[i] << 8 * i;
    return value;
}

void pixels_store(uint8_t *pixel, unsigned bytes, uint32_t value) {
    for (unsigned i = 0; i < bytes; i++)
        pixel[i] = (uint8_t)(value >> 8 * i);
}

static uint32_t moved(const struct pixels_conversion *c, uint32_t value) {
    uint32_t result = c->constant;
    for (unsigned i = 0; i < 4; i++) /* those that are not there have no mask */
        result |= (value >> c->piece[i].from & c->piece[i].mask) << c->piece[i].to;
    return result;
}

/* With the sizes known, pixels are loaded and stored in one piece. */
static void move_words(const struct pixels_conversion *c, const uint8_t *from, uint8_t *to, uint32_t count) {
    for (uint32_t i = 0; i < count; i++)
        pixels_store(to + 4 * i, 4, moved(c, pixels_load(from + 4 * i, 4)));
}

void pixels_convert(const struct pixels_conversion *c, const void *from, void *to, uint32_t count) {
    unsigned from_bytes = pixels_bytes(c->from), to_bytes = pixels_bytes(c->to);
    const uint8_t *read = from;
    uint8_t *write = to;
    if (c->how == CONVERT_COPY) {
        memcpy(to, from, (size_t)count * to_bytes);
        return;
    }
    if (c->how == CONVERT_MOVE_BITS && from_bytes == 4 && to_bytes == 4) {
        move_words(c, read, write, count);
        return;
    }
    for (uint32_t i = 0; i < count; i++, read += from_bytes, write += to_bytes) {
        union color color;
        if (c->how == CONVERT_MOVE_BITS) {
            pixels_store(write, to_bytes, moved(c, pixels_load(read, from_bytes)));
            continue;
        }
        pixels_unpack(c->from, read, &color);
        pixels_pack(c->to, &color, write);
    }
}
