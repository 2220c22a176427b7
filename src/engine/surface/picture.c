/* SPDX-License-Identifier: MIT */
#include "engine/surface/picture.h"

#include <stdlib.h>
#include <string.h>

#define MOST_SAMPLES 64u /* of a pixel: log2_x and log2_y are at most 3 */

_Static_assert(sizeof(struct picture) <= sizeof((struct pfifo_target *)NULL)->place, "it is kept there");

void picture_describe(struct pfifo_target *target, const struct picture *picture) {
    static const char *const layouts[] = {
        [LAYOUT_PITCH] = "pitch", [LAYOUT_SWIZZLED] = "swizzled", [LAYOUT_BLOCK] = "block"};
    *target = (struct pfifo_target){0};
    if (!picture->format)
        return;
    target->format = picture->format->name;
    target->layout = layouts[picture->surface.layout.type];
    target->address = picture->surface.address;
    target->width = picture->width;
    target->height = picture->height;
    target->layers = picture->layers;
    target->samples = 1u << (picture->log2_x + picture->log2_y);
    memcpy(target->place, picture, sizeof *picture);
}

/* ---- memory ---- */

struct reader {
    struct memory *memory; /* NULL: the surface is in `data` */
    const struct picture *picture;
    const uint8_t *data;
    uint64_t bytes; /* of it */
    bool any;       /* something is mapped */
};

static bool read_piece(const struct reader *reader, uint64_t address, uint8_t *to, uint64_t bytes) {
    if (reader->memory)
        return memory_peek(reader->memory, &reader->picture->surface.space, address, to, bytes);
    if (address >= reader->bytes || bytes > reader->bytes - address)
        return false;
    memcpy(to, reader->data + address, bytes);
    return true;
}

/* A line of samples. What is not mapped is 0. */
static void read_line(struct reader *reader, uint64_t y, uint8_t *line, uint64_t bytes) {
    const struct surface *surface = &reader->picture->surface;
    for (uint64_t x = 0, piece; x < bytes; x += piece) {
        uint64_t address = surface->address + layout_offset(&surface->layout, x, y, reader->picture->slice);
        piece = layout_contiguous(&surface->layout, x, bytes - x);
        /* A page at most, so that a hole is only as large as what is not there. */
        uint64_t page = 4096 - address % 4096;
        piece = piece < page ? piece : page;
        if (read_piece(reader, address, line + x, piece))
            reader->any = true;
        else
            memset(line + x, 0, piece);
    }
}

/* ---- colours ---- */

static float cut(float value) {
    return value > 0.0f ? value < 1.0f ? value : 1.0f : 0.0f;
}

static float integer(const struct format *format, const union color *color, unsigned c) {
    if (format->type == FORMAT_SINT && color->i[c] < 0)
        return 0.0f;
    return color->u[c] < 255 ? (float)color->u[c] / 255.0f : 1.0f;
}

/* A sample, 0 to 1. Formats of one component, or of depth, are grey. */
static void sample_of(const struct format *format, const uint8_t *element, float rgba[4]) {
    struct format as_stored = *format;
    union color color;
    if (format->type == FORMAT_SRGB)
        as_stored.type = FORMAT_UNORM;
    format_unpack(&as_stored, element, &color);
    unsigned first = 4, components = 0;
    for (unsigned c = 0; c < 4; c++) {
        bool there = format->component[c].bits != 0;
        if (format->is_zeta)
            rgba[c] = c == 1 ? (float)color.u[1] / 255.0f : cut(color.f[c]);
        else
            rgba[c] = format_is_integer(format) ? integer(format, &color, c) : cut(color.f[c]);
        first = there && first == 4 ? c : first;
        components += there;
    }
    if ((format->is_zeta || components == 1) && first < 4) {
        rgba[0] = rgba[1] = rgba[2] = rgba[first];
        rgba[3] = 1.0f;
    } else if (!format->component[3].bits) {
        rgba[3] = 1.0f;
    }
}

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

/* ---- all of it ---- */

static bool fits(const struct picture *picture) {
    return picture->width && picture->height && picture->log2_x <= 3 && picture->log2_y <= 3 &&
           (uint64_t)picture->width * picture->height <= PICTURE_MOST_PIXELS;
}

static enum pfifo_status read_all(struct reader *reader, uint8_t *rgba, struct pfifo_error *error) {
    const struct picture *picture = reader->picture;
    if (!fits(picture))
        return pfifo_error_set(error, PFIFO_ERROR_ARGUMENT, "a target of %ux%u pixels is no picture", picture->width,
                               picture->height);
    uint64_t line_bytes = ((uint64_t)picture->width << picture->log2_x) * picture->format->bytes;
    uint8_t *lines = malloc(line_bytes << picture->log2_y);
    if (!lines)
        return pfifo_error_set(error, PFIFO_ERROR_MEMORY, "no memory for a picture");
    for (uint32_t y = 0; y < picture->height; y++) {
        for (uint64_t j = 0; j < UINT64_C(1) << picture->log2_y; j++)
            read_line(reader, ((uint64_t)y << picture->log2_y) + j, lines + j * line_bytes, line_bytes);
        for (uint32_t x = 0; x < picture->width; x++) {
            uint8_t *pixel = rgba + ((uint64_t)y * picture->width + x) * 4;
            if (is_as_left(picture, lines, line_bytes, x))
                memcpy(pixel, pixel - 4, 4);
            else
                pixel_of(picture, lines, line_bytes, x, pixel);
        }
    }
    free(lines);
    return PFIFO_OK;
}

enum pfifo_status picture_read(struct memory *memory, const struct pfifo_target *target, uint8_t *rgba,
                               struct pfifo_error *error) {
    struct picture picture;
    struct reader reader = {.memory = memory, .picture = &picture};
    memcpy(&picture, target->place, sizeof picture);
    if (!target->format || !picture.format)
        return pfifo_error_set(error, PFIFO_ERROR_ARGUMENT, "there is no target");
    enum pfifo_status status = read_all(&reader, rgba, error);
    if (status != PFIFO_OK || reader.any)
        return status;
    return pfifo_error_set(error, PFIFO_ERROR_FAULT, "nothing is mapped at 0x%llx",
                           (unsigned long long)target->address);
}

/* ---- bytes that somebody has ---- */

#define MOST_BLOCK_HEIGHT 5u

static bool is_power_of_two(uint32_t number) {
    return number && !(number & (number - 1));
}

/* Has the chip this layout, and is the surface large enough for its pixels? */
static bool has_layout(const struct pfifo_chip *chip, const struct pfifo_picture *from, const struct format *format) {
    bool has_blocks = chip && chip_has_page_tables(chip);
    if (from->is_swizzled)
        return !from->is_block && chip && !has_blocks && is_power_of_two(from->width) && is_power_of_two(from->height);
    if (from->is_block && (from->block_height > MOST_BLOCK_HEIGHT || !has_blocks))
        return false;
    return (uint64_t)from->width * format->bytes <= from->pitch;
}

/* False: there is no such surface. */
static bool describe(struct picture *picture, const struct pfifo_chip *chip, const struct pfifo_picture *from) {
    const struct format *format = format_color(from->format);
    *picture = (struct picture){.format = format, .width = from->width, .height = from->height, .layers = 1};
    if (!format || !fits(picture) || !has_layout(chip, from, format))
        return false;
    if (from->is_swizzled) {
        picture->surface.layout = (struct layout){.type = LAYOUT_SWIZZLED,
                                                  .width = from->width,
                                                  .height = from->height,
                                                  .depth = 1,
                                                  .element_bytes = format->bytes};
        return true;
    }
    picture->surface.layout = (struct layout){.type = from->is_block ? LAYOUT_BLOCK : LAYOUT_PITCH,
                                              .pitch = from->pitch,
                                              .width = from->pitch,
                                              .height = from->height,
                                              .depth = 1,
                                              .block_height = (uint8_t)from->block_height};
    if (from->is_block)
        picture->surface.layout.order = chip->gob_order;
    return true;
}

const char *pfifo_picture_format(const struct pfifo_picture *picture) {
    const struct format *format = format_color(picture->format);
    return format ? format->name : NULL;
}

uint64_t pfifo_picture_bytes(const struct pfifo_chip *chip, const struct pfifo_picture *from) {
    struct picture picture;
    return describe(&picture, chip, from) ? layout_size(&picture.surface.layout) : 0;
}

enum pfifo_status pfifo_picture_read(const struct pfifo_chip *chip, const struct pfifo_picture *from, const void *data,
                                     uint64_t bytes, uint8_t *rgba, struct pfifo_error *error) {
    struct picture picture;
    struct reader reader = {.picture = &picture, .data = data, .bytes = data ? bytes : 0};
    if (!describe(&picture, chip, from))
        return pfifo_error_set(
            error, PFIFO_ERROR_ARGUMENT, "there is no surface of %ux%u pixels of format 0x%x with %u bytes a line",
            (unsigned)from->width, (unsigned)from->height, (unsigned)from->format, (unsigned)from->pitch);
    return read_all(&reader, rgba, error);
}
