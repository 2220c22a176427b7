/* SPDX-License-Identifier: MIT */
#include "reference/nv4_2d.h"

#include <stdlib.h>
#include <string.h>

unsigned reference_bytes(unsigned format) {
    return format == 1 ? 1 : format <= 5 ? 2 : 4;
}

bool reference_is_index(unsigned format) {
    return format == 1 || format == 5 || format == 11;
}

unsigned reference_block_offset(unsigned line_bytes, unsigned log2_gobs, unsigned x_bytes, unsigned y) {
    unsigned gobs = 1u << log2_gobs, across = (line_bytes + 63) / 64;
    unsigned gob = (y / 4 / gobs * across + x_bytes / 64) * gobs + y / 4 % gobs;
    return gob * 256 + y % 4 * 64 + x_bytes % 64;
}

static unsigned place(const struct reference_2d *s, int x, int y) {
    unsigned bytes = reference_bytes(s->format);
    if (s->width) {
        unsigned at = reference_block_offset(s->width * bytes, s->log2_gobs, (unsigned)x * bytes, (unsigned)y);
        return (s->offset + at) & 0xffff;
    }
    if (s->log2_width == 0)
        return (s->offset + (unsigned)y * s->pitch + (unsigned)x * bytes) & 0xffff;
    unsigned morton = 0, bit = 0;
    for (unsigned i = 0; i < 12; i++) {
        if (i < s->log2_width)
            morton |= ((unsigned)x >> i & 1) << bit++;
        if (i < s->log2_height)
            morton |= ((unsigned)y >> i & 1) << bit++;
    }
    return (s->offset + morton * bytes) & 0xffff;
}

static uint32_t get(const struct reference_2d *s, unsigned at) {
    uint32_t pixel = 0;
    for (unsigned i = 0; i < reference_bytes(s->format); i++)
        pixel |= (uint32_t)s->memory[(at + i) & 0xffff] << 8 * i;
    return pixel;
}

uint32_t reference_get(const struct reference_2d *s, unsigned offset, unsigned pitch, int x, int y) {
    return get(s, (offset + (unsigned)y * pitch + (unsigned)x * reference_bytes(s->format)) & 0xffff);
}

static void put(struct reference_2d *s, unsigned at, uint32_t pixel) {
    for (unsigned i = 0; i < reference_bytes(s->format); i++)
        s->memory[(at + i) & 0xffff] = (uint8_t)(pixel >> 8 * i);
}

static int five(uint32_t v) {
    return (int)((v & 31) * 33 / 4);
}

static int six(uint32_t v) {
    return (int)((v & 63) * 65 / 16);
}

static int eight(uint32_t v) {
    return (int)(v & 255);
}

struct reference_color reference_unpack(enum reference_pixel format, uint32_t p) {
    switch (format) {
    case PIXEL_R5G6B5:
        return (struct reference_color){255, five(p >> 11), six(p >> 5), five(p)};
    case PIXEL_A16R5G6B5:
        return (struct reference_color){eight(p >> 24), five(p >> 11), six(p >> 5), five(p)};
    case PIXEL_A1R5G5B5:
    case PIXEL_A1R5G5B5_32:
        return (struct reference_color){p & 0x8000 ? 255 : 0, five(p >> 10), five(p >> 5), five(p)};
    case PIXEL_X1R5G5B5:
        return (struct reference_color){255, five(p >> 10), five(p >> 5), five(p)};
    case PIXEL_A8R8G8B8:
        return (struct reference_color){eight(p >> 24), eight(p >> 16), eight(p >> 8), eight(p)};
    case PIXEL_X8R8G8B8:
        return (struct reference_color){255, eight(p >> 16), eight(p >> 8), eight(p)};
    default:
        return (struct reference_color){255, eight(p), eight(p), eight(p)};
    }
}

/* To the bits of the destination. */
static uint32_t pack(const struct reference_2d *s, struct reference_color c) {
    uint32_t a = (uint32_t)c.a, r = (uint32_t)c.r, g = (uint32_t)c.g, b = (uint32_t)c.b;
    switch (s->format) {
    case 2:
        return r / 8 * 1024 + g / 8 * 32 + b / 8;
    case 3:
        return 0x8000 + r / 8 * 1024 + g / 8 * 32 + b / 8;
    case 4:
        return r / 8 * 2048 + g / 4 * 32 + b / 8;
    case 6:
        return r << 16 | g << 8 | b;
    case 7:
        return 0xff000000 | r << 16 | g << 8 | b;
    case 8:
        return a / 2 << 24 | r << 16 | g << 8 | b;
    case 9:
        return 0x80000000 | a / 2 << 24 | r << 16 | g << 8 | b;
    default:
        return a << 24 | r << 16 | g << 8 | b;
    }
}

static struct reference_color of_destination(const struct reference_2d *s, uint32_t p) {
    switch (s->format) {
    case 2:
    case 3:
        return reference_unpack(PIXEL_X1R5G5B5, p);
    case 4:
        return reference_unpack(PIXEL_R5G6B5, p);
    case 6:
    case 7:
        return reference_unpack(PIXEL_X8R8G8B8, p);
    case 8:
    case 9: {
        struct reference_color c = reference_unpack(PIXEL_X8R8G8B8, p);
        int seven = (int)(p >> 24 & 127);
        c.a = seven * 2 + seven / 64;
        return c;
    }
    default:
        return reference_unpack(PIXEL_A8R8G8B8, p);
    }
}

static uint32_t bits_of(const struct reference_2d *s, enum reference_pixel format, uint32_t pixel) {
    if (!reference_is_index(s->format))
        return pack(s, reference_unpack(format, pixel));
    return s->format == 1 ? pixel & 0xff : s->format == 5 ? pixel & 0xffff : pixel;
}

static uint32_t pattern(const struct reference_2d *s, int x, int y) {
    if (s->pattern_color) {
        uint32_t p = s->pattern_pixel[y % 8 * 8 + x % 8];
        return bits_of(s, PIXEL_X8R8G8B8, reference_is_index(s->format) ? p | 0xff000000 : p);
    }
    int bit = s->pattern_shape == 0 ? y % 8 * 8 + x % 8 : s->pattern_shape == 1 ? x % 64 : y % 64;
    if (s->pattern_cga6)
        bit = bit / 8 * 8 + 7 - bit % 8;
    return bits_of(s, s->pattern_format, s->pattern_mono[s->pattern_bits[bit / 32] >> bit % 32 & 1]);
}

/* Bits that are always the same. */
static uint32_t fixed_mask(const struct reference_2d *s) {
    static const uint32_t masks[] = {0, 0, 0x8000, 0x8000, 0, 0, 0xff000000, 0xff000000, 0x80000000, 0x80000000, 0, 0};
    return masks[s->format];
}

static uint32_t fixed_bits(const struct reference_2d *s) {
    return s->format == 3 || s->format == 7 || s->format == 9 ? fixed_mask(s) : 0;
}

static uint32_t raster(const struct reference_2d *s, uint32_t d, uint32_t source, uint32_t p) {
    uint32_t result = 0;
    for (unsigned i = 0; i < 32; i++) {
        unsigned index = (d >> i & 1) + 2 * (source >> i & 1) + 4 * (p >> i & 1);
        result |= (s->rop >> index & 1) << i;
    }
    result = (result & ~fixed_mask(s)) | fixed_bits(s);
    unsigned bits = 8 * reference_bytes(s->format);
    return bits == 32 ? result : result & ((1u << bits) - 1);
}

static int times(int a, int b) {
    return (2 * a * b + 255) / 510;
}

static int channel(int d, int source, int keep, int weight) {
    int value = (2 * (d * keep + source * weight) + 255) / 510;
    return value > 255 ? 255 : value;
}

static struct reference_color blended(const struct reference_2d *s, struct reference_color d,
                                      struct reference_color c) {
    struct reference_color four = reference_unpack(PIXEL_A8R8G8B8, s->beta4);
    int beta = s->beta & 0x80000000 ? 0 : (int)(s->beta / 0x800000);
    if (s->operation == 4)
        return (struct reference_color){times(c.a, four.a), times(c.r, four.r), times(c.g, four.g), times(c.b, four.b)};
    int factor = times(c.a, s->operation == 2 ? beta : four.a);
    if (s->operation == 2)
        four = (struct reference_color){factor, factor, factor, factor};
    return (struct reference_color){channel(d.a, c.a, 255 - factor, four.a), channel(d.r, c.r, 255 - factor, four.r),
                                    channel(d.g, c.g, 255 - factor, four.g), channel(d.b, c.b, 255 - factor, four.b)};
}

static bool inside(const int *box, int x, int y) {
    return x >= box[0] && y >= box[1] && x < box[2] && y < box[3];
}

static bool visible(const struct reference_2d *s, int x, int y) {
    if (x < 0 || y < 0 || x >= 0x8000 || y >= 0x8000)
        return false;
    if (s->log2_width && (x >= 1 << s->log2_width || y >= 1 << s->log2_height))
        return false;
    if (s->width && (x >= (int)s->width || y >= (int)s->height))
        return false;
    return (!s->clipped || inside(s->clip, x, y)) && (!s->clipped_again || inside(s->clip_again, x, y));
}

void reference_draw(struct reference_2d *s, int x, int y, enum reference_pixel format, uint32_t pixel) {
    if (!visible(s, x, y))
        return;
    struct reference_color c = reference_unpack(format, pixel);
    unsigned at = place(s, x, y);
    uint32_t d = get(s, at), bits = bits_of(s, format, pixel);
    if (s->operation <= 2 && !reference_is_index(s->format) && c.a == 0)
        return;
    if (s->operation == 2 || s->operation >= 4) {
        put(s, at, pack(s, blended(s, of_destination(s, d), c)));
        return;
    }
    if (s->operation == 1)
        bits = raster(s, d, bits, pattern(s, x, y));
    if (s->keyed && reference_unpack(s->key_format, s->key).a != 0 && bits == bits_of(s, s->key_format, s->key))
        return;
    put(s, at, bits);
}

void reference_rect(struct reference_2d *s, int x, int y, int width, int height, enum reference_pixel format,
                    uint32_t pixel) {
    for (int j = y; j < y + height; j++)
        for (int i = x; i < x + width; i++)
            reference_draw(s, i, j, format, pixel);
}

/* For each step of the major coordinate the minor one is the nearest, a tie goes up. */
void reference_lin(struct reference_2d *s, int x0, int y0, int x1, int y1, enum reference_pixel format,
                   uint32_t pixel) {
    bool across = abs(x1 - x0) > abs(y1 - y0);
    int length = across ? abs(x1 - x0) : abs(y1 - y0);
    for (int i = 0; i < length; i++) { /* from the first end, without the second */
        int major = across ? x0 + (x1 > x0 ? i : -i) : y0 + (y1 > y0 ? i : -i);
        int change = across ? y1 - y0 : x1 - x0, from = across ? y0 : x0;
        int twice = 2 * change * i + length, minor = twice / (2 * length); /* floor(change i / length + 1/2) */
        if (twice < 0 && minor * 2 * length != twice)
            minor--;
        reference_draw(s, across ? major : from + minor, across ? from + minor : major, format, pixel);
    }
}

static long side(const int x[3], const int y[3], int a, int b, int px, int py) {
    return (long)(x[b] - x[a]) * (py - y[a]) - (long)(px - x[a]) * (y[b] - y[a]);
}

/* A pixel on an edge is where the pixel at its right is, or if that is on the edge as well, the one below. */
static bool included(const int x[3], const int y[3], int px, int py) {
    for (int a = 0; a < 3; a++) {
        int b = (a + 1) % 3, c = (a + 2) % 3;
        long inner = side(x, y, a, b, x[c], y[c]), here = side(x, y, a, b, px, py);
        if (here == 0)
            here = side(x, y, a, b, px + 1, py);
        if (here == 0)
            here = side(x, y, a, b, px, py + 1);
        if (inner == 0 || (inner < 0) != (here < 0))
            return false;
    }
    return true;
}

void reference_triangle(struct reference_2d *s, const int x[3], const int y[3], enum reference_pixel format,
                        uint32_t pixel) {
    for (int py = 0; py < 256; py++)
        for (int px = 0; px < 256; px++)
            if (included(x, y, px, py))
                reference_draw(s, px, py, format, pixel);
}

static enum reference_pixel format_of_surface(unsigned format) {
    switch (format) {
    case 2:
    case 3:
        return PIXEL_X1R5G5B5;
    case 4:
        return PIXEL_R5G6B5;
    case 6:
    case 7:
        return PIXEL_X8R8G8B8;
    default:
        return PIXEL_A8R8G8B8;
    }
}

static uint32_t source_pixel(const struct reference_2d *s, unsigned offset, unsigned pitch, int x, int y) {
    return s->width ? get(s, place(s, x, y)) : reference_get(s, offset, pitch, x, y);
}

static bool in_source(const struct reference_2d *s, int x, int y) {
    return x >= 0 && y >= 0 && (!s->width || (x < (int)s->width && y < (int)s->height));
}

/* The source is as it was before. */
void reference_blit(struct reference_2d *s, unsigned from_offset, unsigned from_pitch, int in_x, int in_y, int out_x,
                    int out_y, int width, int height) {
    struct reference_2d *before = malloc(sizeof *before);
    if (!before)
        abort();
    memcpy(before, s, sizeof *before);
    for (int j = 0; j < height; j++)
        for (int i = 0; i < width; i++) {
            if (!in_source(s, in_x + i, in_y + j))
                continue;
            uint32_t pixel = source_pixel(before, from_offset, from_pitch, in_x + i, in_y + j);
            if (s->format == 8 || s->format == 9) { /* seven bits of alpha to eight */
                uint32_t seven = pixel >> 24 & 127;
                pixel = (pixel & 0xffffff) | (seven * 2 + seven / 64) << 24;
            }
            reference_draw(s, out_x + i, out_y + j, format_of_surface(s->format), pixel);
        }
    free(before);
}
