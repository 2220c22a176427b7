/* SPDX-License-Identifier: MIT */
/*
 * Fermi's slots. They are two-dimensional: what has layers or slices is addressed by its program, with a stride or as
 * one large picture.
 */
#include <assert.h>

#include "engine/image/image.h"
#include "methods/gf100_3d.h"

enum { ADDRESS_HIGH, ADDRESS_LOW, WIDTH, HEIGHT, FORMAT, BLOCK };

_Static_assert(4 * BLOCK == GF100_3D_SET_SU_LD_ST_TARGET_BLOCK_SIZE(0) - GF100_3D_SET_SU_LD_ST_TARGET_A(0),
               "words are methods one after the other, in both classes");

/* A field of a slot; the classes for drawing and for launches have the same. */
#define FIELD(words, number, method, field)                                                                            \
    METHOD_FIELD((words)[number], GF100_3D_SET_SU_LD_ST_TARGET_##method##_##field)

/* Mesa says of formats of depth that they are colours, of none. */
static const struct format *format_of(const uint32_t words[IMAGE_SLOT_WORDS]) {
    uint32_t color = FIELD(words, FORMAT, FORMAT, COLOR);
    bool is_zeta = FIELD(words, FORMAT, FORMAT, TYPE) == GF100_3D_SET_SU_LD_ST_TARGET_FORMAT_TYPE_ZETA;
    return is_zeta || !color ? format_zeta(FIELD(words, FORMAT, FORMAT, ZETA)) : format_color(color);
}

static bool is_of_lines(const uint32_t words[IMAGE_SLOT_WORDS]) {
    return FIELD(words, HEIGHT, D, LAYOUT_IN_MEMORY) == GF100_3D_SET_SU_LD_ST_TARGET_D_LAYOUT_IN_MEMORY_PITCH;
}

/*
 * The width of lines is in bytes, else in texels. UNKNOWN: blocks that are deeper than one gob; chosen: as targets have
 * them, and the slice is 0.
 */
static struct layout layout_of(const uint32_t words[IMAGE_SLOT_WORDS], unsigned bytes, enum gob_order order) {
    bool lines = is_of_lines(words);
    uint64_t width = lines ? words[WIDTH] : (uint64_t)words[WIDTH] * bytes;
    return (struct layout){.type = lines ? LAYOUT_PITCH : LAYOUT_BLOCK,
                           .pitch = (int64_t)width,
                           .width = width,
                           .height = FIELD(words, HEIGHT, D, HEIGHT),
                           .depth = 1,
                           .block_width = (uint8_t)FIELD(words, BLOCK, BLOCK_SIZE, WIDTH),
                           .block_height = (uint8_t)FIELD(words, BLOCK, BLOCK_SIZE, HEIGHT),
                           .block_depth = (uint8_t)FIELD(words, BLOCK, BLOCK_SIZE, DEPTH),
                           .order = order};
}

/* sRGB is not converted. */
struct image image_of_slot(const uint32_t words[IMAGE_SLOT_WORDS], enum gob_order order) {
    uint64_t high = FIELD(words, ADDRESS_HIGH, A, OFFSET_UPPER);
    struct image image = {.source = {0, 1, 2, 3}, .address = high << 32 | words[ADDRESS_LOW], .depth = 1};
    const struct format *format = format_of(words);
    if (!format || !words[WIDTH])
        return image;
    assert(format->bytes);
    image.texel = *format;
    image.texel.type = format->type == FORMAT_SRGB ? FORMAT_UNORM : format->type;
    image.formatted = true;
    image.layout = layout_of(words, format->bytes, order);
    image.width = is_of_lines(words) ? words[WIDTH] / format->bytes : words[WIDTH];
    image.height = image.layout.height;
    return image;
}
