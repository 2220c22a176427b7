/* SPDX-License-Identifier: MIT */
/* Samples as R, G, B, A of a byte each. Formats of one component, or of depth, are grey. */
#include "engine/surface/picture_parts.h"

#include <assert.h>

#include "memory/power.h"

static float cut(float value) {
    return value > 0.0f ? value < 1.0f ? value : 1.0f : 0.0f;
}

static float integer(const struct format *format, const union color *color, unsigned c) {
    if (format->type == FORMAT_SINT && color->i[c] < 0)
        return 0.0f;
    return color->u[c] < 255 ? (float)color->u[c] / 255.0f : 1.0f;
}

/* How many components there are; *first is one of them. */
static unsigned count_components(const struct format *format, unsigned *first) {
    unsigned components = 0;

    for (unsigned c = 4; c-- > 0;)
        if (format->component[c].bits) {
            *first = c;
            components++;
        }
    return components;
}

/* A sample, 0 to 1. */
static void sample_of(const struct format *format, const uint8_t *element, float rgba[4]) {
    struct format as_stored = *format;
    unsigned first = 0, components = count_components(format, &first);
    union color color;

    if (format->type == FORMAT_SRGB)
        as_stored.type = FORMAT_UNORM;
    format_unpack(&as_stored, element, &color);
    for (unsigned c = 0; c < 4; c++)
        if (format->is_zeta)
            rgba[c] = c == 1 ? (float)color.u[1] / 255.0f : cut(color.f[c]);
        else
            rgba[c] = format_is_integer(format) ? integer(format, &color, c) : cut(color.f[c]);
    if (components && (format->is_zeta || components == 1)) {
        rgba[0] = rgba[1] = rgba[2] = rgba[first];
        rgba[3] = 1.0f;
    } else if (!format->component[3].bits) {
        rgba[3] = 1.0f;
    }
}

/* ---- any format, any number of samples ---- */

static void pixel_of(const struct picture *picture, const uint8_t *lines, uint64_t line_bytes, uint32_t x,
                     uint8_t rgba[4]) {
    const struct format *format = picture->format;
    unsigned across = 1u << picture->log2_x, down = 1u << picture->log2_y;
    float sum[4] = {0};

    for (unsigned j = 0; j < down; j++)
        for (unsigned i = 0; i < across; i++) {
            float sample[4];
            sample_of(format, lines + j * line_bytes + ((uint64_t)x * across + i) * format->bytes, sample);
            for (unsigned c = 0; c < 4; c++)
                sum[c] += sample[c];
        }
    for (unsigned c = 0; c < 4; c++)
        rgba[c] = (uint8_t)(sum[c] / (float)(across * down) * 255.0f + 0.5f);
}

/* As its neighbour on the left, byte for byte: most pixels are, and cost no conversion. */
static bool is_as_left(const struct picture *picture, const uint8_t *lines, uint64_t line_bytes, uint32_t x) {
    uint64_t bytes = (uint64_t)picture->format->bytes << picture->log2_x;

    for (unsigned j = 0; x && j < 1u << picture->log2_y; j++)
        if (memcmp(lines + j * line_bytes + x * bytes, lines + j * line_bytes + (x - 1) * bytes, bytes) != 0)
            return false;
    return x != 0;
}

static void convert(const struct picture *picture, const uint8_t *lines, uint64_t line_bytes, uint8_t *rgba) {
    for (uint32_t x = 0; x < picture->width; x++, rgba += 4)
        if (is_as_left(picture, lines, line_bytes, x))
            memcpy(rgba, rgba - 4, 4);
        else
            pixel_of(picture, lines, line_bytes, x, rgba);
}

/* ---- bytes ---- */

void picture_pixels_begin(struct picture_pixels *pixels, const struct picture *picture) {
    const struct format *format = picture->format;
    unsigned first = 0, components = count_components(format, &first);

    *pixels = (struct picture_pixels){.picture = picture, .is_bytes = true};
    if (picture->log2_x || picture->log2_y || format->is_zeta || format->bytes > 4 || format->type == FORMAT_SNORM ||
        format->type == FORMAT_SINT)
        pixels->is_bytes = false;
    for (unsigned c = 0; c < 4; c++) {
        const bool grey = components == 1;
        const struct format_component *from = &format->component[grey && c < 3 ? first : c];
        if (from->bits && (from->bits != 8 || from->shift % 8))
            pixels->is_bytes = false;
        pixels->byte[c].there = from->bits && !(grey && c == 3);
        pixels->byte[c].shift = from->shift % 32;
        pixels->byte[c].fixed = c == 3 && !pixels->byte[c].there ? 0xff : 0;
    }
}

static inline uint32_t sample_word(const uint8_t *sample, unsigned bytes) {
    return bytes == 4 ? load_le32(sample) : bytes == 2 ? (uint32_t)sample[0] | (uint32_t)sample[1] << 8 : *sample;
}

/* `bytes`: a constant. A loop without branches, which compilers make vectors of. */
static inline __attribute__((always_inline)) void move_bytes(const struct picture_pixels *pixels, const uint8_t *line,
                                                             unsigned bytes, uint8_t *rgba) {
    const uint32_t width = pixels->picture->width;
    uint32_t shift[4], mask[4], fixed = 0;

    for (unsigned c = 0; c < 4; c++) {
        shift[c] = pixels->byte[c].shift;
        mask[c] = pixels->byte[c].there ? 0xff : 0;
        fixed |= (uint32_t)pixels->byte[c].fixed << 8 * c;
    }
    for (uint32_t x = 0; x < width; x++) {
        const uint32_t word = sample_word(line + (size_t)x * bytes, bytes);
        store_le32(rgba + (size_t)x * 4, (word >> shift[0] & mask[0]) | (word >> shift[1] & mask[1]) << 8 |
                                             (word >> shift[2] & mask[2]) << 16 | (word >> shift[3] & mask[3]) << 24 |
                                             fixed);
    }
}

void picture_pixels(const struct picture_pixels *pixels, const uint8_t *lines, uint64_t line_bytes, uint8_t *rgba) {
    assert(!pixels->is_bytes || is_power_of_two(pixels->picture->format->bytes));
    if (!pixels->is_bytes)
        convert(pixels->picture, lines, line_bytes, rgba);
    else if (pixels->picture->format->bytes == 4)
        move_bytes(pixels, lines, 4, rgba);
    else if (pixels->picture->format->bytes == 2)
        move_bytes(pixels, lines, 2, rgba);
    else
        move_bytes(pixels, lines, 1, rgba);
}
