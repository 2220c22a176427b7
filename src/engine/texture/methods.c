/* SPDX-License-Identifier: MIT */
#include "engine/texture/methods.h"

#include "memory/power.h"
#include "methods/nv10_3d.h"
#include "methods/nv20_3d.h"
#include "methods/nv30_3d.h"
#include "methods/nv3_3d.h"
#include "methods/nv40_3d.h"
#include "methods/nv4_3d.h"

#include <assert.h>
#include <inttypes.h>
#include <string.h>

#define DMA0 NV40_3D_DMA_TEXTURE0 /* DMA_TEXTURE0, DMA_A; after it the other */

/*
 * A border in memory, in texels on each side. Swizzled levels are padded to the next powers of two, 16 at least [xemu,
 * RPCS3].
 */
#define BORDER_OF_LINES 1u
#define BORDER_SWIZZLED 4u

/* Where an object has the words of unit 0, 0: it has none; and what is in TEX_FORMAT. */
struct words {
    enum methods_objects object;
    uint8_t units, stride; /* of units, bytes */
    uint16_t offset, format, size, swizzle, filter;
    uint16_t pitch, palette, extra; /* `extra`: TEX_SIZE1 of Curie, TEX_PALETTE_OFFSET of Rankine */
    uint8_t extra_stride;           /* 0: 4 bytes */
    struct texture_field code, levels, least, log2[3], dims, pitch_bits; /* `least`: log2 of the last level's size */
    bool has_pitch_of_blocks;                                            /* not only of lines, if it is not 0 */
    bool has_cubes, has_borders, has_one_memory; /* `has_one_memory`: there is no second DMA object */
    bool is_linear;             /* TEX_FORMAT says how the texels lie, and the sizes are in methods of their own */
    const struct words *behind; /* the units that are counted behind these */
};

/*
 * UNKNOWN: how the texels of D3D lie, and which level is at the offset; chosen: as those of the triangles that follow
 * it, the largest.
 */
static const struct words d3d = {.object = METHODS_D3D,
                                 .units = 1,
                                 .offset = NV3_D3D_TEXTURE_OFFSET,
                                 .format = NV3_D3D_TEXTURE_FORMAT,
                                 .code = {20, 4},
                                 .least = {24, 4},
                                 .log2 = {{28, 4}, {28, 4}},
                                 .has_one_memory = true};

static const struct words triangle = {.object = METHODS_TRIANGLE,
                                      .units = 1,
                                      .offset = NV4_TEXTURED_TRIANGLE_OFFSET,
                                      .format = NV4_TEXTURED_TRIANGLE_FORMAT,
                                      .code = {8, 4},
                                      .levels = {12, 4},
                                      .log2 = {{16, 4}, {20, 4}}};
static const struct words multitex_triangle = {.object = METHODS_TRIANGLE,
                                               .units = 2,
                                               .stride = 4,
                                               .offset = NV4_MULTITEX_TRIANGLE_OFFSET(0),
                                               .format = NV4_MULTITEX_TRIANGLE_FORMAT(0),
                                               .code = {8, 4},
                                               .levels = {12, 4},
                                               .log2 = {{16, 4}, {20, 4}}};
/* rnndb has one bit of [15:12] as MIPMAP; Mesa sets 1, or 9 with levels, as in the field of Kelvin that counts them. */
static const struct words celsius = {.object = METHODS_CELSIUS,
                                     .units = 2,
                                     .stride = 4,
                                     .offset = NV10_3D_TEX_OFFSET(0),
                                     .format = NV10_3D_TEX_FORMAT(0),
                                     .size = NV10_3D_TEX_NPOT_SIZE(0),
                                     .pitch = NV10_3D_TEX_NPOT_PITCH(0),
                                     .palette = NV10_3D_TEX_PALETTE_OFFSET(0),
                                     .code = {7, 5},
                                     .levels = {12, 4},
                                     .log2 = {{16, 4}, {20, 4}},
                                     .pitch_bits = {16, 16},
                                     .has_cubes = true};
static const struct words kelvin = {.object = METHODS_KELVIN,
                                    .units = 4,
                                    .stride = 64,
                                    .offset = NV20_3D_TEX_OFFSET(0),
                                    .format = NV20_3D_TEX_FORMAT(0),
                                    .size = NV20_3D_TEX_NPOT_SIZE(0),
                                    .filter = NV20_3D_TEX_FILTER(0),
                                    .pitch = NV20_3D_TEX_NPOT_PITCH(0),
                                    .palette = NV20_3D_TEX_PALETTE_OFFSET(0),
                                    .code = {8, 8},
                                    .levels = {16, 4},
                                    .log2 = {{20, 4}, {24, 4}, {28, 4}},
                                    .dims = {4, 4},
                                    .pitch_bits = {16, 16},
                                    .has_cubes = true,
                                    .has_borders = true};
/* UNKNOWN: whether RECT_PITCH counts for blocks, which Mesa lays out by it; chosen: it does if it is not 0. */
static const struct words rankine = {.object = METHODS_RANKINE,
                                     .units = 8,
                                     .stride = 32,
                                     .offset = NV30_3D_TEX_OFFSET(0),
                                     .format = NV30_3D_TEX_FORMAT(0),
                                     .size = NV30_3D_TEX_NPOT_SIZE(0),
                                     .swizzle = NV30_3D_TEX_SWIZZLE(0),
                                     .filter = NV30_3D_TEX_FILTER(0),
                                     .pitch = NV30_3D_TEX_SWIZZLE(0),
                                     .extra = NV30_3D_TEX_PALETTE_OFFSET(0),
                                     .code = {8, 8},
                                     .levels = {16, 4},
                                     .log2 = {{20, 4}, {24, 4}, {28, 4}},
                                     .dims = {4, 4},
                                     .pitch_bits = {16, 16},
                                     .has_pitch_of_blocks = true,
                                     .has_cubes = true,
                                     .has_borders = true};
/* rnndb has none of these; RPCS3 has, and that their border bit is without effect. */
static const struct words curie_vertex = {.object = METHODS_VERTEX,
                                          .units = 4,
                                          .stride = 32,
                                          .offset = NV40_3D_VTX_TEX_OFFSET(0),
                                          .format = NV40_3D_VTX_TEX_FORMAT(0),
                                          .size = NV40_3D_VTX_TEX_NPOT_SIZE(0),
                                          .extra = NV40_3D_VTX_TEX_SIZE1(0),
                                          .extra_stride = 32,
                                          .code = {8, 5},
                                          .levels = {16, 4},
                                          .dims = {4, 4},
                                          .pitch_bits = {0, 20},
                                          .is_linear = true};
/* rnndb lists 8 units; Mesa and RPCS3 use 16. */
static const struct words curie = {.object = METHODS_CURIE,
                                   .units = 16,
                                   .stride = 32,
                                   .offset = NV40_3D_TEX_OFFSET(0),
                                   .format = NV40_3D_TEX_FORMAT(0),
                                   .size = NV40_3D_TEX_NPOT_SIZE(0),
                                   .swizzle = NV40_3D_TEX_SWIZZLE(0),
                                   .filter = NV40_3D_TEX_FILTER(0),
                                   .extra = NV40_3D_TEX_SIZE1(0),
                                   .code = {8, 5},
                                   .levels = {16, 4},
                                   .dims = {4, 4},
                                   .pitch_bits = {0, 20},
                                   .has_cubes = true,
                                   .has_borders = true,
                                   .is_linear = true,
                                   .behind = &curie_vertex};

static const struct {
    uint16_t object_class;
    const struct words *words;
} classes[] = {
    {0x48, &d3d},     {0x54, &triangle}, {0x94, &triangle}, {0x55, &multitex_triangle}, {0x95, &multitex_triangle},
    {0x56, &celsius}, {0x96, &celsius},  {0x98, &celsius},  {0x99, &celsius},           {0x97, &kelvin},
    {0x597, &kelvin}, {0x397, &rankine}, {0x497, &rankine}, {0x697, &rankine},          {0x3597, &rankine},
    {0x4097, &curie}, {0x4497, &curie},
};

static const struct words *words_of(uint32_t object_class) {
    for (size_t i = 0; i < sizeof classes / sizeof classes[0]; i++)
        if (classes[i].object_class == object_class)
            return classes[i].words;
    return NULL;
}

uint32_t methods_units(uint32_t object_class) {
    const struct words *words = words_of(object_class);
    return words ? words->units + (words->behind ? words->behind->units : 0u) : 0;
}

/* ---- words ---- */

/* A unit, and what its words say so far. `number` is in `words`, `name` what it is asked for by. */
struct unit {
    const struct words *words;
    const struct methods_values *values;
    const struct methods_format *format;
    uint32_t number, name, head; /* `head`: TEX_FORMAT */
    uint32_t dims, pitch, border;
    bool lines, cube;
};

static uint32_t bits(uint32_t word, struct texture_field field) {
    return word >> field.shift & (uint32_t)((UINT64_C(1) << field.bits) - 1);
}

static uint32_t unit_word(const struct unit *unit, uint32_t method, uint32_t stride) {
    return method ? unit->values->value(unit->values->opaque, method + unit->number * stride) : 0;
}

static uint32_t word(const struct unit *unit, uint32_t method) {
    return unit_word(unit, method, unit->words->stride);
}

static uint32_t extra(const struct unit *unit) {
    return unit_word(unit, unit->words->extra, unit->words->extra_stride ? unit->words->extra_stride : 4);
}

#define REFUSE(kind, ...) pfifo_error_set(error, PFIFO_ERROR_##kind, "texture unit %" PRIu32 " has " __VA_ARGS__)

static enum pfifo_status take_format(struct unit *unit, struct pfifo_error *error) {
    const struct words *words = unit->words;
    const uint32_t code = bits(unit->head, words->code);

    if (!unit->head)
        return REFUSE(ARGUMENT, "no texture", unit->name);
    unit->format = methods_format(words->object, code);
    if (!unit->format)
        return REFUSE(UNSUPPORTED, "format 0x%" PRIx32 ", which is not known", unit->name, code);
    unit->lines = words->is_linear ? unit->head >> 13 & 1 : unit->format->lines;
    unit->cube = words->has_cubes && unit->head >> 2 & 1;
    unit->dims = words->dims.bits ? bits(unit->head, words->dims) : 2;
    if (!unit->dims || unit->dims > 3 || (unit->cube && unit->dims != 2))
        return REFUSE(UNSUPPORTED, "a %s of %" PRIu32 " dimensions, which cannot be", unit->name,
                      unit->cube ? "cube" : "texture", unit->dims);
    return PFIFO_OK;
}

static enum pfifo_status take_size(const struct unit *unit, struct texture_view *view, struct pfifo_error *error) {
    const struct words *words = unit->words;
    uint32_t size[3] = {1, 1, 1};

    if (words->is_linear || unit->format->lines) {
        const uint32_t both = word(unit, words->size);
        size[0] = both >> 16;
        size[1] = both & 0xffff;
        size[2] = words->is_linear ? extra(unit) >> 20 : 1u << bits(unit->head, words->log2[2]);
    } else {
        for (unsigned i = 0; i < 3; i++)
            size[i] = 1u << bits(unit->head, words->log2[i]);
    }
    view->width = size[0];
    view->height = unit->dims > 1 ? size[1] : 1;
    view->depth = unit->dims > 2 ? size[2] : 1;
    if (!view->width || !view->height || !view->depth)
        return REFUSE(ARGUMENT, "a texture of %" PRIu32 "x%" PRIu32 "x%" PRIu32 " texels, which are none", unit->name,
                      view->width, view->height, view->depth);
    if (!unit->lines && view->format->down == 1 &&
        !(is_power_of_two(view->width) && is_power_of_two(view->height) && is_power_of_two(view->depth)))
        return REFUSE(ARGUMENT,
                      "a swizzled texture of %" PRIu32 "x%" PRIu32 "x%" PRIu32 " texels, which are no powers of two",
                      unit->name, view->width, view->height, view->depth);
    return PFIFO_OK;
}

static uint32_t divide_up(uint32_t value, uint32_t by) {
    return (value + by - 1) / by;
}

static enum pfifo_status take_pitch(struct unit *unit, const struct texture_view *view, struct pfifo_error *error) {
    const struct words *words = unit->words;
    const struct texture_format *format = view->format;

    unit->pitch = bits(words->pitch ? word(unit, words->pitch) : extra(unit), words->pitch_bits);
    unit->lines |= words->has_pitch_of_blocks && format->down > 1 && unit->pitch != 0;
    if (words->has_borders && !(unit->head >> 3 & 1))
        unit->border = unit->lines ? BORDER_OF_LINES : BORDER_SWIZZLED;
    if (unit->border % format->across || unit->border % format->down)
        return REFUSE(UNSUPPORTED, "a border of %" PRIu32 " texel in memory, where %s has blocks of %ux%u", unit->name,
                      unit->border, format->name, format->across, format->down);
    const uint32_t line = divide_up(view->width + 2 * unit->border, format->across) * format->bytes;
    if (unit->lines && unit->pitch < line)
        return REFUSE(ARGUMENT, "a pitch of %" PRIu32 " bytes, less than a line of %" PRIu32, unit->name, unit->pitch,
                      line);
    return PFIFO_OK;
}

/* ---- levels ---- */

/* How many texels a level takes in a dimension, with its border. */
static uint32_t stored(const struct unit *unit, const struct texture_level *level, unsigned dimension) {
    const uint32_t size = level->size[dimension];
    uint32_t padded = 1;

    if (!unit->border || dimension >= unit->dims)
        return size;
    if (unit->lines)
        return size + 2 * BORDER_OF_LINES;
    while (padded < size + 2 * BORDER_SWIZZLED)
        padded *= 2;
    return padded;
}

/*
 * Levels follow each other. All that are in lines have the pitch of level 0; compressed ones have none. Of swizzled
 * texels, 4 bytes at most stay together: larger ones are neighbours [RPCS3].
 */
static void place_level(const struct unit *unit, const struct texture_format *format, struct texture_level *level) {
    const uint32_t across = divide_up(stored(unit, level, 0), format->across),
                   down = divide_up(stored(unit, level, 1), format->down), deep = stored(unit, level, 2);
    const uint32_t whole = format->bytes < 4 ? format->bytes : 4;
    const uint32_t pitch = unit->lines ? unit->pitch : across * format->bytes;

    if (unit->lines || format->down > 1)
        level->layout = (struct layout){
            .type = LAYOUT_PITCH, .pitch = pitch, .height = down, .depth = deep, .slice_pitch = (uint64_t)pitch * down};
    else
        level->layout = (struct layout){.type = LAYOUT_SWIZZLED,
                                        .width = (uint64_t)across * format->bytes / whole,
                                        .height = down,
                                        .depth = deep,
                                        .element_bytes = (uint8_t)whole};
}

static uint32_t shrink(uint32_t size, unsigned level) {
    size >>= level;
    return size ? size : 1;
}

/* At most as many levels as it takes until all sizes are 1. UNKNOWN: what a count of 0 means; chosen: 1. */
static uint32_t level_count(const struct unit *unit, const struct texture_view *view) {
    const struct words *words = unit->words;
    uint32_t asked = bits(unit->head, words->levels), most = 1, largest = view->width;
    if (words->least.bits && bits(unit->head, words->log2[0]) > bits(unit->head, words->least))
        asked = bits(unit->head, words->log2[0]) - bits(unit->head, words->least) + 1;
    largest = view->height > largest ? view->height : largest;
    largest = view->depth > largest ? view->depth : largest;
    while (most < TEXTURE_LEVELS && largest >> most)
        most++;
    return asked > most ? most : asked ? asked : 1;
}

/* Faces begin at multiples of 128 bytes, but not those of lines [Mesa nv30_miptree.c; xemu]. */
static void place_levels(const struct unit *unit, struct texture_view *view) {
    uint64_t offset = 0;

    view->last_level = level_count(unit, view) - 1;
    assert(view->last_level < TEXTURE_LEVELS);
    for (unsigned i = 0; i <= view->last_level; i++) {
        struct texture_level *level = &view->level[i];
        level->size[0] = shrink(view->width, i);
        level->size[1] = shrink(view->height, i);
        level->size[2] = shrink(view->depth, i);
        level->offset = offset;
        place_level(unit, view->format, level);
        offset += layout_size(&level->layout);
    }
    view->layer_bytes = unit->lines ? offset : (offset + 127) & ~UINT64_C(127);
}

/* ---- what programs get ---- */

/* TEX_SWIZZLE: each of A R G B, from the lowest bits on, is a channel (again A R G B), or 0 or 1. */
static void take_sources(const struct unit *unit, struct texture_view *view) {
    static const uint8_t channel[4] = {3, 0, 1, 2}; /* A R G B among R G B A */
    const uint32_t swizzle = word(unit, unit->words->swizzle);

    memcpy(view->source, unit->format->source, sizeof view->source);
    if (!unit->words->swizzle || unit->format->plain)
        return;
    for (unsigned i = 0; i < 4; i++) {
        const uint32_t what = swizzle >> (8 + 2 * i) & 3, from = swizzle >> 2 * i & 3;
        uint8_t source = unit->format->source[channel[from]];
        if (what < 2)
            source = what ? TEXTURE_ONE_FLOAT : TEXTURE_ZERO;
        view->source[channel[i]] = source;
    }
}

/* Signs of FILTER, of channels before TEX_SWIZZLE. UNKNOWN: their order: rnndb has B G R A from bit 28 on; chosen: A R
 * G B, as xemu and RPCS3.
 */
static void take_types(const struct unit *unit, struct texture_view *view) {
    static const uint8_t place[4] = {1, 2, 3, 0}; /* of R G B A */
    const uint32_t signs = word(unit, unit->words->filter) >> 28;

    for (unsigned i = 0; i < 4; i++)
        view->type[i] = (uint8_t)(unit->format->type ? unit->format->type : TEXTURE_UNORM);
    for (unsigned i = 0; i < 4 && !unit->format->plain; i++) {
        const uint8_t source = unit->format->source[i];
        if (signs >> place[i] & 1 && source >= TEXTURE_R && source <= TEXTURE_A)
            view->type[source - TEXTURE_R] = TEXTURE_SNORM;
    }
}

/* [0] the other DMA object, [3:2] 256, 128, 64 or 32 entries, [31:6] address [xemu, of Kelvin]. */
static void take_palette(const struct unit *unit, struct methods_texture *texture) {
    const struct words *words = unit->words;
    const uint32_t palette = words->palette ? word(unit, words->palette) : extra(unit);

    if (!unit->format->palette)
        return;
    texture->palette_count = 256u >> (palette >> 2 & 3);
    texture->palette_address = palette & ~63u;
    texture->palette_object = unit->values->value(unit->values->opaque, DMA0 + 4 * (palette & 1));
}

enum pfifo_status methods_texture(struct methods_texture *texture, uint32_t object_class, uint32_t number,
                                  const struct methods_values *values, struct pfifo_error *error) {
    struct unit unit = {.words = words_of(object_class), .values = values, .number = number, .name = number};
    struct texture_view *view = &texture->view;
    enum pfifo_status status;

    memset(texture, 0, sizeof *texture);
    if (!unit.words)
        return pfifo_error_set(error, PFIFO_ERROR_ARGUMENT,
                               "class 0x%04" PRIx32 " has no texture units that methods describe", object_class);
    if (number >= methods_units(object_class))
        return pfifo_error_set(error, PFIFO_ERROR_ARGUMENT, "texture units are 0 to %u",
                               (unsigned)methods_units(object_class) - 1u);
    if (number >= unit.words->units) {
        unit.number -= unit.words->units;
        unit.words = unit.words->behind;
    }
    assert(unit.words && unit.number < unit.words->units);
    unit.head = word(&unit, unit.words->format);
    status = take_format(&unit, error);
    if (status != PFIFO_OK || !unit.format)
        return status;
    view->format = &unit.format->format;
    status = take_size(&unit, view, error);
    if (status == PFIFO_OK)
        status = take_pitch(&unit, view, error);
    if (status != PFIFO_OK)
        return status;
    view->target = unit.cube ? TEXTURE_CUBE : unit.dims == 1 ? TEXTURE_1D : unit.dims == 2 ? TEXTURE_2D : TEXTURE_3D;
    view->layers = unit.cube ? 6 : 1;
    view->address = word(&unit, unit.words->offset);
    texture->object = values->value(values->opaque, DMA0 + (unit.head & 2 && !unit.words->has_one_memory ? 4 : 0));
    texture->border = unit.border;
    texture->yuv = unit.format->yuv;
    texture->stacked = view->format->down > 1 && !unit.lines && view->depth > 1;
    place_levels(&unit, view);
    take_sources(&unit, view);
    take_types(&unit, view);
    take_palette(&unit, texture);
    return PFIFO_OK;
}
