/* SPDX-License-Identifier: MIT */
/* Headers of textures as images (Maxwell and Pascal): their first level, samples as texels, faces as layers. */
#include <assert.h>
#include <string.h>

#include "engine/image/image.h"
#include "engine/texture/format.h"

/* UNKNOWN: what is normalised through a float of 16 bits; chosen: as if it were not. */
static enum format_type type_of(unsigned type) {
    switch (type) {
    case TEXTURE_SNORM:
    case TEXTURE_SNORM_16:
        return FORMAT_SNORM;
    case TEXTURE_SINT:
        return FORMAT_SINT;
    case TEXTURE_UINT:
        return FORMAT_UINT;
    case TEXTURE_FLOAT:
        return FORMAT_FLOAT;
    default:
        return FORMAT_UNORM;
    }
}

/* Floats have only the sizes of float formats; a sign bit alone is not a number. */
static bool has_size(enum format_type type, unsigned bits) {
    if (type == FORMAT_FLOAT)
        return bits == 32 || bits == 16 || bits == 11 || bits == 10;
    return bits > 1 || type != FORMAT_SNORM;
}

/*
 * Components are fields of bits, and of one type. UNKNOWN: of several; chosen: formatted accesses are not executed, as
 * of compressed textures.
 */
static bool components_of(struct format *texel, const struct texture_view *view) {
    const struct texture_format *format = view->format;
    if (format->coding != CODING_BITS)
        return false;
    texel->type = type_of(view->type[0]);
    for (unsigned i = 0; i < 4; i++) {
        struct texture_field field = format->field[i];
        if (!field.bits)
            continue;
        if (type_of(view->type[i]) != texel->type || !has_size(texel->type, field.bits))
            return false;
        texel->component[i] = (struct format_component){field.shift, field.bits};
    }
    return texel->bytes == 1 || texel->bytes == 2 || texel->bytes == 4 || texel->bytes == 8 || texel->bytes == 16;
}

static uint8_t source_of(unsigned source) {
    switch (source) {
    case TEXTURE_R:
    case TEXTURE_G:
    case TEXTURE_B:
    case TEXTURE_A:
        return (uint8_t)(source - TEXTURE_R);
    case TEXTURE_ONE_INT:
        return IMAGE_ONE_INTEGER;
    case TEXTURE_ONE_FLOAT:
        return IMAGE_ONE_FLOAT;
    default:
        return IMAGE_ZERO;
    }
}

static uint32_t blocks(uint32_t texels, uint32_t block) {
    return texels / block + (texels % block != 0);
}

/*
 * A header of samples has its size in samples already when it is an image's, and no levels (Mesa nvc0_tex.c,
 * NV50_TEXVIEW_IMAGE_GM107).
 */
struct image image_of_view(const struct texture_view *view) {
    bool samples = view->samples_x || view->samples_y;
    const struct texture_level *level = samples ? &view->whole : &view->level[view->first_level];
    const struct texture_format *format = view->format;
    assert(view->first_level < TEXTURE_LEVELS && format->bytes && format->across && format->down);
    struct image image = {.texel = {.bytes = format->bytes},
                          .is_volume = view->target == TEXTURE_3D,
                          .address = view->address + level->offset,
                          .layout = level->layout,
                          .width = blocks(level->size[0], format->across),
                          .height = blocks(level->size[1], format->down),
                          .depth = view->target == TEXTURE_3D ? level->size[2] : view->layers,
                          .layer_bytes = samples ? view->whole_layer_bytes : view->layer_bytes};
    image.formatted = components_of(&image.texel, view);
    for (unsigned i = 0; i < 4; i++)
        image.source[i] = source_of(view->source[i]);
    return image;
}
