/* SPDX-License-Identifier: MIT */
#include "engine/texture/methods.h"
#include "engine/texture/picture.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define PALETTE_ENTRIES     256u
#define PALETTE_ENTRY_BYTES 4u

/* An image, from its memory to lines of texels. */
struct reading {
    const struct methods_texture *texture;
    const struct methods_memory *memory;
    const struct texture_level *level;
    struct pfifo_texture_image image;
    uint64_t row_bytes, rows; /* of lines of texels, or of blocks of them */
    uint64_t border[3];       /* in front of the first: bytes, rows, slices */
    uint64_t bytes;           /* of the level in memory */
    uint8_t *data, *lines;    /* its memory, and the lines of the image */
};

/*
 * Blocks of compressed volumes: those at a place in up to 4 slices follow each other, then come those of the next
 * place. Of a depth that is no multiple of 4, the last slices are fewer. [NV_texture_compression_vtc]
 */
static uint64_t stacked_offset(const struct reading *reading, uint64_t x, uint64_t y, uint64_t z) {
    const struct layout *layout = &reading->level->layout;
    const uint64_t bytes = reading->texture->view.format->bytes;
    const uint64_t first = z & ~UINT64_C(3), left = layout->depth - first, together = left < 4 ? left : 4;
    const uint64_t block = y * ((uint64_t)layout->pitch / bytes) + x / bytes;
    return first * layout->slice_pitch + (block * together + z - first) * bytes;
}

static void copy_row(const struct reading *reading, uint64_t y) {
    const struct methods_texture *texture = reading->texture;
    const uint64_t z = texture->view.target == TEXTURE_3D ? reading->image.layer + reading->border[2] : 0;
    const uint64_t left = reading->border[0], line = y + reading->border[1];
    for (uint64_t x = 0, piece; x < reading->row_bytes; x += piece) {
        uint64_t from;
        if (texture->stacked) {
            from = stacked_offset(reading, left + x, line, z);
            piece = texture->view.format->bytes;
        } else {
            from = layout_offset(&reading->level->layout, left + x, line, z);
            piece = layout_contiguous(&reading->level->layout, left + x, reading->row_bytes - x);
        }
        assert(x + piece <= reading->row_bytes && from + piece <= reading->bytes);
        memcpy(reading->lines + y * reading->row_bytes + x, reading->data + from, piece);
    }
}

/* Texels are lines that follow each other now. */
static struct texture_view view_of_lines(const struct reading *reading) {
    struct texture_view view = reading->texture->view;
    struct texture_level *level = &view.level[reading->image.level];
    view.address = view.layer_bytes = level->offset = 0;
    level->layout = (struct layout){
        .type = LAYOUT_PITCH, .pitch = (int64_t)reading->row_bytes, .height = (uint32_t)reading->rows, .depth = 1};
    return view;
}

/* Indices become what they stand for. UNKNOWN: what an index after the end of the palette gives; chosen: 0. */
static enum pfifo_status put_indices(const struct reading *reading, struct texture_view *view, uint8_t *rgba,
                                     struct pfifo_error *error) {
    const struct methods_texture *texture = reading->texture;
    const uint64_t count = reading->row_bytes * reading->rows;
    uint8_t palette[PALETTE_ENTRIES * PALETTE_ENTRY_BYTES] = {0};
    uint8_t *texels;
    assert(texture->palette_count <= PALETTE_ENTRIES && texture->view.format->bytes == 1);
    if (!reading->memory->read(reading->memory->opaque, texture->palette_object, texture->palette_address, palette,
                               texture->palette_count * PALETTE_ENTRY_BYTES))
        return pfifo_error_set(error, PFIFO_ERROR_FAULT, "there is no palette at 0x%x",
                               (unsigned)texture->palette_address);
    texels = malloc(count * PALETTE_ENTRY_BYTES + 1);
    if (!texels)
        return pfifo_error_set(error, PFIFO_ERROR_MEMORY, "no memory for a texture");
    for (uint64_t i = 0; i < count; i++)
        memcpy(texels + i * PALETTE_ENTRY_BYTES, palette + (size_t)reading->lines[i] * PALETTE_ENTRY_BYTES,
               PALETTE_ENTRY_BYTES);
    view->format = &methods_palette_format;
    view->level[reading->image.level].layout.pitch *= PALETTE_ENTRY_BYTES;
    texture_put_image(view, reading->image, 0, count * PALETTE_ENTRY_BYTES, texels, rgba);
    free(texels);
    return PFIFO_OK;
}

/* Cb, Y, Cr in R, G, B become R, G, B: ITU-R BT.601, of 16 to 235 and 16 to 240 [xemu]. */
static void to_rgb(uint8_t *rgba, uint64_t count) {
    for (; count--; rgba += 4) {
        const double b = rgba[0] - 128, y = 255.0 / 219 * (rgba[1] - 16), r = rgba[2] - 128;
        const double value[3] = {y + 1.596 * r, y - 0.392 * b - 0.813 * r, y + 2.017 * b};
        for (unsigned c = 0; c < 3; c++)
            rgba[c] = (uint8_t)(value[c] < 0 ? 0 : value[c] < 255 ? value[c] + 0.5 : 255);
    }
}

static enum pfifo_status put_lines(const struct reading *reading, uint8_t *rgba, struct pfifo_error *error) {
    struct texture_view view = view_of_lines(reading);
    for (uint64_t y = 0; y < reading->rows; y++)
        copy_row(reading, y);
    if (reading->texture->palette_count)
        return put_indices(reading, &view, rgba, error);
    texture_put_image(&view, reading->image, 0, reading->row_bytes * reading->rows, reading->lines, rgba);
    if (reading->texture->yuv)
        to_rgb(rgba, (uint64_t)reading->level->size[0] * reading->level->size[1]);
    return PFIFO_OK;
}

/* A dimension that a texture has not has no border. */
static void place_border(struct reading *reading) {
    const struct texture_view *view = &reading->texture->view;
    const struct texture_format *format = view->format;
    const uint32_t border = reading->texture->border;

    reading->border[0] = (uint64_t)(border / format->across) * format->bytes;
    reading->border[1] = view->target == TEXTURE_1D ? 0 : border / format->down;
    reading->border[2] = border;
}

static enum pfifo_status read_image(const struct reading *reading, uint8_t *rgba, struct pfifo_error *error) {
    const struct texture_view *view = &reading->texture->view;
    const uint64_t face = view->target == TEXTURE_CUBE ? reading->image.layer * view->layer_bytes : 0;
    const uint64_t begin = view->address + face + reading->level->offset;
    if (!reading->data || !reading->lines)
        return pfifo_error_set(error, PFIFO_ERROR_MEMORY, "no memory for a texture");
    if (!reading->memory->read(reading->memory->opaque, reading->texture->object, begin, reading->data, reading->bytes))
        return pfifo_error_set(error, PFIFO_ERROR_FAULT, "there is nothing at 0x%llx of the texture's DMA object",
                               (unsigned long long)begin);
    return put_lines(reading, rgba, error);
}

enum pfifo_status methods_read(const struct methods_texture *texture, struct pfifo_texture_image image,
                               const struct methods_memory *memory, uint8_t *rgba, struct pfifo_error *error) {
    assert(image.level <= texture->view.last_level);
    const struct texture_level *level = &texture->view.level[image.level];
    const struct texture_format *format = texture->view.format;
    struct reading reading = {
        .texture = texture, .memory = memory, .level = level, .image = image, .bytes = layout_size(&level->layout)};
    enum pfifo_status status;
    if (reading.bytes > TEXTURE_PICTURE_BYTES)
        return pfifo_error_set(error, PFIFO_ERROR_ARGUMENT, "the texture is too large for a picture");
    reading.row_bytes = (uint64_t)((level->size[0] + format->across - 1) / format->across) * format->bytes;
    reading.rows = (level->size[1] + format->down - 1) / format->down;
    place_border(&reading);
    reading.data = malloc(reading.bytes);
    reading.lines = malloc(reading.row_bytes * reading.rows);
    status = read_image(&reading, rgba, error);
    free(reading.lines);
    free(reading.data);
    return status;
}
