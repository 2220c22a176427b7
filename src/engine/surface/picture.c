/* SPDX-License-Identifier: MIT */
#include "engine/surface/picture.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "engine/surface/picture_parts.h"
#include "memory/power.h"

_Static_assert(sizeof(struct picture) <= sizeof((struct pfifo_target *)NULL)->place, "it is kept there");
_Static_assert(PICTURE_LINES == 1 << 3, "as many as the samples of a pixel that fits() allows");

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

/* ---- all of it ---- */

static bool fits(const struct picture *picture) {
    return picture->width && picture->height && picture->log2_x <= 3 && picture->log2_y <= 3 &&
           (uint64_t)picture->width * picture->height <= PICTURE_MOST_PIXELS;
}

static enum pfifo_status read_all(struct picture_source *source, uint8_t *rgba, struct pfifo_error *error) {
    const struct picture *picture = source->picture;
    if (!fits(picture))
        return pfifo_error_set(error, PFIFO_ERROR_ARGUMENT, "a target of %ux%u pixels is no picture", picture->width,
                               picture->height);
    const unsigned down = 1u << picture->log2_y;
    const uint32_t rows = picture->height < PICTURE_LINES / down ? picture->height : PICTURE_LINES / down;
    const uint64_t line_bytes = ((uint64_t)picture->width << picture->log2_x) * picture->format->bytes;
    assert(rows > 0);
    uint8_t *lines = malloc(line_bytes * rows * down);
    struct picture_pixels pixels;
    if (!lines)
        return pfifo_error_set(error, PFIFO_ERROR_MEMORY, "no memory for a picture");
    picture_pixels_begin(&pixels, picture);
    mapping_expect(&source->mapping, (struct surface_point){0, 0, picture->slice}, line_bytes,
                   (uint64_t)picture->height << picture->log2_y);
    for (uint32_t y = 0, some; y < picture->height; y += some) {
        some = picture->height - y < rows ? picture->height - y : rows;
        picture_lines(source, (uint64_t)y << picture->log2_y, some * down, lines, line_bytes);
        for (uint32_t row = 0; row < some; row++)
            picture_pixels(&pixels, lines + row * down * line_bytes, line_bytes,
                           rgba + (uint64_t)(y + row) * picture->width * 4);
    }
    free(lines);
    return PFIFO_OK;
}

static struct picture_source source_of(struct memory *memory, const struct picture *picture) {
    struct picture_source source = {.picture = picture};
    mapping_begin(&source.mapping, memory, &picture->surface, MEMORY_READ);
    return source;
}

enum pfifo_status picture_read(struct memory *memory, const struct pfifo_target *target, uint8_t *rgba,
                               struct pfifo_error *error) {
    struct picture picture;
    memcpy(&picture, target->place, sizeof picture);
    if (!target->format || !picture.format)
        return pfifo_error_set(error, PFIFO_ERROR_ARGUMENT, "there is no target");
    struct picture_source source = source_of(memory, &picture);
    bool held = memory_tlb_hold(memory, true);
    enum pfifo_status status = read_all(&source, rgba, error);
    memory_tlb_hold(memory, held);
    if (status != PFIFO_OK || source.any)
        return status;
    return pfifo_error_set(error, PFIFO_ERROR_FAULT, "nothing is mapped at 0x%llx",
                           (unsigned long long)target->address);
}

/* ---- bytes that the caller has ---- */

#define MOST_BLOCK_HEIGHT 5u

/* Has the chip this layout, and is the surface large enough for its pixels? */
static bool has_layout(const struct pfifo_chip *chip, const struct pfifo_picture *from, const struct format *format) {
    bool has_blocks = chip && chip_has_page_tables(chip);
    if (from->is_swizzled)
        return !from->is_block && chip && !has_blocks && is_power_of_two(from->width) && is_power_of_two(from->height);
    if (from->is_block && (from->block_height > MOST_BLOCK_HEIGHT || !has_blocks))
        return false;
    return (uint64_t)from->width * format->bytes <= from->pitch;
}

/* Numbers of colour and depth formats have no value in common. */
static const struct format *any_format(uint32_t code) {
    const struct format *color = format_color(code);
    assert(!color || !format_zeta(code));
    return color ? color : format_zeta(code);
}

/* False: there is no such surface. */
static bool describe(struct picture *picture, const struct pfifo_chip *chip, const struct pfifo_picture *from) {
    const struct format *format = any_format(from->format);
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

/* Why describe() has refused it. */
static enum pfifo_status no_surface(const struct pfifo_chip *chip, const struct pfifo_picture *from,
                                    struct pfifo_error *error) {
    const struct format *format = any_format(from->format);
    const unsigned width = (unsigned)from->width, height = (unsigned)from->height;

    if (!format)
        return pfifo_error_set(error, PFIFO_ERROR_ARGUMENT, "there is no format 0x%x", (unsigned)from->format);
    if (from->is_swizzled && (!chip || chip_has_page_tables(chip)))
        return pfifo_error_set(error, PFIFO_ERROR_ARGUMENT, "surfaces of %s are not swizzled: pitch or block",
                               chip ? chip->name : "no chip");
    if (from->is_swizzled)
        return pfifo_error_set(error, PFIFO_ERROR_ARGUMENT,
                               "swizzled surfaces have powers of two as width and height, not %ux%u", width, height);
    if (from->is_block && (!chip || !chip_has_page_tables(chip)))
        return pfifo_error_set(error, PFIFO_ERROR_ARGUMENT, "surfaces of %s have no blocks: pitch or swizzled",
                               chip ? chip->name : "no chip");
    if ((uint64_t)from->width * format->bytes > from->pitch)
        return pfifo_error_set(error, PFIFO_ERROR_ARGUMENT, "%u pixels of %s take more than %u bytes a line", width,
                               format->name, (unsigned)from->pitch);
    return pfifo_error_set(error, PFIFO_ERROR_ARGUMENT, "there is no surface of %ux%u pixels of %s", width, height,
                           format->name);
}

const char *pfifo_picture_format(const struct pfifo_picture *picture) {
    const struct format *format = any_format(picture->format);
    return format ? format->name : NULL;
}

uint64_t pfifo_picture_bytes(const struct pfifo_chip *chip, const struct pfifo_picture *from) {
    struct picture picture;
    return describe(&picture, chip, from) ? layout_size(&picture.surface.layout) : 0;
}

enum pfifo_status pfifo_picture_read(const struct pfifo_chip *chip, const struct pfifo_picture *from, const void *data,
                                     uint64_t bytes, uint8_t *rgba, struct pfifo_error *error) {
    struct picture picture;
    if (!describe(&picture, chip, from))
        return no_surface(chip, from, error);
    struct picture_source source = source_of(NULL, &picture);
    source.data = data;
    source.bytes = data ? bytes : 0;
    return read_all(&source, rgba, error);
}
