/* SPDX-License-Identifier: MIT */
/* Textures as pictures (pfifo/picture.h): what a header says, and the texels of one of its images. */
#include "engine/texture/picture.h"

#include "engine/texture/texel.h"

#include <assert.h>
#include <stdlib.h>

const char *texture_shape_name(enum texture_target target) {
    static const char *const names[] = {
        [TEXTURE_1D] = "1D",
        [TEXTURE_2D] = "2D",
        [TEXTURE_3D] = "3D",
        [TEXTURE_CUBE] = "cube",
        [TEXTURE_1D_ARRAY] = "1D array",
        [TEXTURE_2D_ARRAY] = "2D array",
        [TEXTURE_BUFFER] = "buffer",
        [TEXTURE_2D_NO_MIPS] = "2D without mipmaps",
        [TEXTURE_CUBE_ARRAY] = "cube array",
    };
    return target < sizeof names / sizeof names[0] ? names[target] : "?";
}

struct pfifo_texture texture_told(const struct texture_view *view) {
    static const char *const layouts[] = {
        [LAYOUT_PITCH] = "pitch", [LAYOUT_SWIZZLED] = "swizzled", [LAYOUT_BLOCK] = "block"};
    assert(view->target <= TEXTURE_CUBE_ARRAY);
    return (struct pfifo_texture){.format = view->format->name,
                                  .layout = layouts[view->level[0].layout.type],
                                  .shape = texture_shape_name(view->target),
                                  .address = view->address,
                                  .width = view->width,
                                  .height = view->height,
                                  .depth = view->target == TEXTURE_3D ? view->depth : 1,
                                  .layers = view->layers,
                                  .levels = view->last_level + 1,
                                  .block_height = view->level[0].layout.block_height,
                                  .samples = 1u << (view->samples_x + view->samples_y)};
}

static enum pfifo_status decode(const struct pfifo_chip *chip, bool maxwell, const uint32_t *words,
                                struct texture_view *view, struct pfifo_error *error) {
    const char *reason = "a header";
    if (!chip_has_page_tables(chip)) {
        pfifo_error_set(error, PFIFO_ERROR_UNSUPPORTED, "texture headers of %s are not modelled", chip->name);
        return PFIFO_ERROR_UNSUPPORTED;
    }
    const struct texture_unit unit = {.layout = maxwell ? TEXTURE_TIC_MAXWELL : TEXTURE_TIC_TESLA,
                                      .order = chip->gob_order,
                                      .mobile = chip->has_mobile_textures};
    if (!texture_header(view, &unit, words, &reason)) {
        pfifo_error_set(error, PFIFO_ERROR_UNSUPPORTED, "the texture header has %s", reason ? reason : "a width of 0");
        return PFIFO_ERROR_UNSUPPORTED;
    }
    return PFIFO_OK;
}

enum pfifo_status pfifo_texture_describe(const struct pfifo_chip *chip, bool maxwell,
                                         const uint32_t words[PFIFO_TEXTURE_WORDS], struct pfifo_texture *texture,
                                         struct pfifo_error *error) {
    struct texture_view view;
    enum pfifo_status status = decode(chip, maxwell, words, &view, error);
    *texture = (struct pfifo_texture){0};
    if (status != PFIFO_OK)
        return status;
    *texture = texture_told(&view);
    return PFIFO_OK;
}

bool texture_has_image(const struct texture_view *view, struct pfifo_texture_image image) {
    if (image.level > view->last_level || image.level >= TEXTURE_LEVELS)
        return false;
    const uint32_t *size = view->level[image.level].size;
    return image.layer < (view->target == TEXTURE_3D ? size[2] : view->layers) &&
           (uint64_t)size[0] * size[1] <= TEXTURE_PICTURE_PIXELS;
}

bool pfifo_texture_size(const struct pfifo_chip *chip, bool maxwell, const uint32_t words[PFIFO_TEXTURE_WORDS],
                        struct pfifo_texture_image image, uint32_t *width, uint32_t *height) {
    struct texture_view view;
    if (decode(chip, maxwell, words, &view, NULL) != PFIFO_OK || !texture_has_image(&view, image))
        return false;
    *width = view.level[image.level].size[0];
    *height = view.level[image.level].size[1];
    return true;
}

/* ---- texels ---- */

/* The image's memory, as it was read. */
struct copied {
    uint64_t begin, bytes;
    const uint8_t *data;
};

static const uint8_t *copied_at(void *opaque, uint64_t address, uint64_t *bytes) {
    const struct copied *copied = opaque;
    if (address - copied->begin >= copied->bytes)
        return NULL;
    *bytes = copied->bytes - (address - copied->begin);
    return copied->data + (address - copied->begin);
}

static uint8_t byte_of(float value) {
    return (uint8_t)((value > 0.0F ? value < 1.0F ? value : 1.0F : 0.0F) * 255.0F + 0.5F);
}

/* As programs get it; integers are cut to 0 .. 255. */
static void put_texel(const struct texture_view *view, const union texel *raw, uint8_t rgba[4]) {
    union texel texel;
    if (view->format->is_depth) {
        rgba[0] = rgba[1] = rgba[2] = byte_of(raw->f[texel_depth(view)]);
        rgba[3] = 255;
        return;
    }
    texel_sources(view, raw, &texel);
    for (unsigned c = 0; c < 4; c++) {
        const bool is_negative = view->type[0] == TEXTURE_SINT && texel.u[c] >> 31;
        if (!view->integers || view->source[c] == TEXTURE_ONE_FLOAT)
            rgba[c] = byte_of(texel.f[c]);
        else
            rgba[c] = is_negative ? 0 : texel.u[c] < 255 ? (uint8_t)texel.u[c] : 255;
    }
}

void texture_put_image(const struct texture_view *view, struct pfifo_texture_image image, uint64_t begin,
                       uint64_t bytes, const uint8_t *data, uint8_t *rgba) {
    assert(image.level <= view->last_level);
    struct copied copied = {begin, bytes, data};
    const struct texture_memory memory = {&copied, copied_at};
    const uint32_t *size = view->level[image.level].size;
    const bool volume = view->target == TEXTURE_3D;
    struct texel_reader reader;
    texel_begin(&reader, &memory, view, NULL);
    reader.srgb = false;
    for (uint32_t y = 0; y < size[1]; y++)
        for (uint32_t x = 0; x < size[0]; x++, rgba += 4) {
            const struct texel_place at = {
                .x = x, .y = y, .z = volume ? image.layer : 0, .layer = volume ? 0 : image.layer, .level = image.level};
            union texel raw = {{0}};
            texel_raw(&reader, &at, &raw);
            put_texel(view, &raw, rgba);
        }
}

enum pfifo_status pfifo_texture_read(const struct pfifo_chip *chip, bool maxwell,
                                     const uint32_t words[PFIFO_TEXTURE_WORDS], struct pfifo_texture_image image,
                                     pfifo_picture_memory memory, void *opaque, uint8_t *rgba,
                                     struct pfifo_error *error) {
    struct texture_view view;
    enum pfifo_status status = decode(chip, maxwell, words, &view, error);
    if (status != PFIFO_OK)
        return status;
    if (!texture_has_image(&view, image))
        return pfifo_error_set(error, PFIFO_ERROR_ARGUMENT, "the texture has no level %u with layer %u",
                               (unsigned)image.level, (unsigned)image.layer);
    const struct texture_level *level = &view.level[image.level];
    uint64_t bytes = layout_size(&level->layout);
    uint64_t layer = view.target == TEXTURE_3D ? 0 : image.layer * view.layer_bytes;
    if (bytes > TEXTURE_PICTURE_BYTES || layer > UINT64_MAX / 4)
        return pfifo_error_set(error, PFIFO_ERROR_ARGUMENT, "the texture is too large for a picture");
    uint8_t *data = malloc(bytes + 1);
    if (!data)
        return pfifo_error_set(error, PFIFO_ERROR_MEMORY, "no memory for a texture");
    const uint64_t begin = view.address + layer + level->offset;
    if (memory(opaque, begin, data, bytes))
        texture_put_image(&view, image, begin, bytes, data, rgba);
    else
        status = pfifo_error_set(error, PFIFO_ERROR_FAULT, "nothing is mapped at 0x%llx", (unsigned long long)begin);
    free(data);
    return status;
}
