/* SPDX-License-Identifier: MIT */
/* Words of headers and samplers, and where the levels are. */
#include "engine/texture/format.h"

#include <assert.h>
#include <string.h>

#define GOB_BYTES     512u
#define MOST_LAYERS   (1u << 16)
#define MOST_WIDTH    (1u << 27) /* of images. NVK has buffers of 4 GiB of texels [driver] */
#define SAMPLER_COLOR 7u

_Static_assert(TEXTURE_LEVELS == 1 << 4, "headers have 4 bits for a level");
_Static_assert(TEXTURE_FLOAT < 1 << 3 && TEXTURE_ONE_FLOAT < 1 << 3, "headers have 3 bits for a type and a source");

static uint32_t field(const uint32_t *words, unsigned word, unsigned shift, unsigned bits) {
    return words[word] >> shift & (uint32_t)((UINT64_C(1) << bits) - 1);
}

/* Fixed point with 8 bits after the point. */
static float fixed(uint32_t value, unsigned bits, bool is_signed) {
    int32_t number = (int32_t)value;
    if (is_signed && value >> (bits - 1) & 1)
        number -= 1 << bits;
    return (float)number / 256.0F;
}

/* What both layouts say, in their own places. */
struct header {
    uint32_t format, target, pitch, max_level;
    uint8_t block_height, block_depth, tile_width, samples; /* log2, of gobs */
    bool is_pitch, is_buffer;
};

/* Least and most anisotropy of the 3-bit codes. */
static const uint8_t probes[8] = {1, 2, 4, 6, 8, 10, 12, 16};

/*
 * MSAA modes: log2 of samples across and down, and which element of the pixel sample s is, x << 4 | y. Mode 0: none.
 * Source: Mesa nvc0_screen.c, nvc0_context.c; deko3d for modes 4 and 5.
 */
static const struct sample_mode {
    uint8_t x, y, element[8];
} sample_modes[16] = {
    [1] = {1, 0, {0x00, 0x10}},
    [2] = {1, 1, {0x00, 0x10, 0x01, 0x11}},
    [3] = {2, 1, {0x00, 0x10, 0x01, 0x11, 0x20, 0x30, 0x21, 0x31}},
    [4] = {2, 1, {0x20, 0x11, 0x31, 0x10, 0x01, 0x00, 0x21, 0x30}},
    [5] = {1, 0, {0x10, 0x00}},
};

/* ---- layouts ---- */

static void decode_tesla(struct texture_view *view, struct header *header, const uint32_t *words) {
    header->format = field(words, 0, 0, 6) | field(words, 0, 31, 1) << 6; /* bit 31: GK20A; reserved elsewhere */
    for (unsigned i = 0; i < 4; i++) {
        view->type[i] = (uint8_t)field(words, 0, 6 + 3 * i, 3);
        view->source[i] = (uint8_t)field(words, 0, 18 + 3 * i, 3);
    }
    view->address = (uint64_t)field(words, 2, 0, 8) << 32 | words[1];
    view->srgb = field(words, 2, 10, 1);
    header->target = field(words, 2, 14, 4);
    header->is_pitch = field(words, 2, 18, 1);
    header->block_height = (uint8_t)field(words, 2, 22, 3);
    header->block_depth = (uint8_t)field(words, 2, 25, 3);
    view->normalized = field(words, 2, 31, 1);
    header->pitch = field(words, 3, 0, 20);
    view->width = field(words, 4, 0, 30);
    view->depth_format = field(words, 4, 30, 1);
    view->height = field(words, 5, 0, 16) | field(words, 7, 8, 1) << 16;
    view->height = view->height ? view->height : 0x10000;
    view->depth = field(words, 5, 16, 12) | field(words, 7, 28, 3) << 12;
    header->max_level = field(words, 5, 28, 4);
    view->lod_bias = fixed(field(words, 6, 5, 13), 13, true);
    view->first_level = field(words, 7, 0, 4);
    view->last_level = field(words, 7, 4, 4);
    header->samples = (uint8_t)field(words, 7, 12, 4);
    view->min_lod = fixed(field(words, 7, 16, 12), 12, false);
    if (field(words, 3, 29, 1))
        view->most_anisotropy = probes[field(words, 6, 27, 3)];
}

enum { VERSION_BUFFER, VERSION_PITCH_KEY, VERSION_PITCH, VERSION_BLOCK, VERSION_BLOCK_KEY };

static bool decode_maxwell(struct texture_view *view, struct header *header, const uint32_t *words) {
    const uint32_t version = field(words, 2, 21, 3);
    header->format = field(words, 0, 0, 7);
    for (unsigned i = 0; i < 4; i++) {
        view->type[i] = (uint8_t)field(words, 0, 7 + 3 * i, 3);
        view->source[i] = (uint8_t)field(words, 0, 19 + 3 * i, 3);
    }
    view->address = (uint64_t)field(words, 2, 0, 16) << 32 | words[1];
    view->srgb = field(words, 4, 22, 1);
    header->target = field(words, 4, 23, 4);
    view->width = field(words, 4, 0, 16) + 1;
    view->height = field(words, 5, 0, 16) + 1;
    view->depth = field(words, 5, 16, 14) + 1;
    view->normalized = field(words, 5, 31, 1);
    header->is_buffer = version == VERSION_BUFFER;
    header->is_pitch = version == VERSION_PITCH || version == VERSION_PITCH_KEY;
    if (header->is_buffer) {
        view->width = (field(words, 3, 0, 16) << 16 | field(words, 4, 0, 16)) + 1;
        return true;
    }
    if (header->is_pitch) {
        view->address &= ~UINT64_C(31);
        header->pitch = field(words, 3, 0, 16) << 5;
    } else {
        view->address &= ~UINT64_C(0x1ff);
        header->block_height = (uint8_t)field(words, 3, 3, 3);
        header->block_depth = (uint8_t)field(words, 3, 6, 3);
        header->tile_width = (uint8_t)field(words, 3, 10, 3);
    }
    view->depth_format = field(words, 3, 27, 1);
    header->max_level = field(words, 3, 28, 4);
    view->lod_bias = fixed(field(words, 6, 6, 13), 13, true);
    if (field(words, 3, 26, 1))
        view->most_anisotropy = probes[field(words, 6, 27, 3)];
    view->first_level = field(words, 7, 0, 4);
    view->last_level = field(words, 7, 4, 4);
    header->samples = (uint8_t)field(words, 7, 8, 4);
    view->min_lod = fixed(field(words, 7, 12, 12), 12, false);
    return version <= VERSION_BLOCK_KEY;
}

/* ---- levels ---- */

static uint32_t shrink(uint32_t size, unsigned level) {
    size >>= level;
    return size ? size : 1;
}

static uint64_t divide_up(uint64_t value, uint64_t by) {
    return (value + by - 1) / by;
}

/*
 * A tile of a sparse image is 2^n blocks beside each other, which lie together. A level that is no smaller than a tile in
 * any direction has whole tiles in each row; the others have their own blocks only.
 * Sources: TILE_WIDTH_IN_GOBS of NVIDIA's class headers; Mesa src/nouveau/nil/tiling.rs (clamp()), image.rs, descriptor.rs.
 * UNKNOWN: tiles of more than 32 gobs, which have no name; chosen: as the others. UNKNOWN: whether GM107's headers, which
 * have a bit SPARSE_ENABLE, want it; chosen: they do not.
 */
static unsigned tile_width(const struct header *header, const struct layout *layout) {
    const uint64_t lines = (uint64_t)layout_gob_lines(layout->order) << header->block_height;
    const bool is_smaller = layout->width < UINT64_C(64) << header->tile_width || layout->height < lines ||
                            layout->depth < 1U << header->block_depth;
    return is_smaller ? 0 : header->tile_width;
}

/* Blocks of a level are no larger than the level. */
static void place_level(struct texture_level *level, const struct texture_view *view, const struct header *header,
                        enum gob_order order, uint64_t offset) {
    const struct texture_format *format = view->format;
    assert(level->size[0] && level->size[1] && level->size[2]);
    level->offset = offset;
    level->layout = (struct layout){.type = header->is_pitch ? LAYOUT_PITCH : LAYOUT_BLOCK,
                                    .pitch = header->pitch,
                                    .width = divide_up(level->size[0], format->across) * format->bytes,
                                    .height = (uint32_t)divide_up(level->size[1], format->down),
                                    .depth = level->size[2],
                                    .block_height = header->block_height,
                                    .block_depth = header->block_depth,
                                    .order = order};
    if (header->is_buffer) {
        level->layout.type = LAYOUT_PITCH;
        return;
    }
    const uint64_t tile = UINT64_C(64) << tile_width(header, &level->layout);
    if (tile > 64)
        level->layout.width = divide_up(level->layout.width, tile) * tile;
    layout_shrink_block(&level->layout);
}

/* Levels follow each other; layers do, at a multiple of level 0's block, or its tile. */
static void place_levels(struct texture_view *view, const struct header *header, enum gob_order order) {
    const bool volume = view->target == TEXTURE_3D,
               flat = view->target == TEXTURE_1D || view->target == TEXTURE_1D_ARRAY;
    uint64_t offset = 0;
    for (unsigned i = 0; i <= header->max_level && i < TEXTURE_LEVELS; i++) {
        struct texture_level *level = &view->level[i];
        level->size[0] = shrink(view->width, i) << view->samples_x;
        level->size[1] = flat ? 1 : shrink(view->height, i) << view->samples_y;
        level->size[2] = volume ? shrink(view->depth, i) : 1;
        place_level(level, view, header, order, offset);
        offset += layout_size(&level->layout);
    }
    const struct layout *base = &view->level[0].layout;
    uint64_t block = (uint64_t)GOB_BYTES >> (order == GOB_LINES ? 1 : 0) << base->block_height << base->block_depth;
    block <<= tile_width(header, base);
    view->layer_bytes = divide_up(offset, block) * block;
}

/* ---- headers ---- */

static bool is_integer(const struct texture_view *view) {
    return view->type[0] == TEXTURE_SINT || view->type[0] == TEXTURE_UINT;
}

static uint32_t layers_of(const struct texture_view *view) {
    switch (view->target) {
    case TEXTURE_CUBE:
        return 6;
    case TEXTURE_CUBE_ARRAY:
        return 6 * view->depth;
    case TEXTURE_1D_ARRAY:
    case TEXTURE_2D_ARRAY:
        return view->depth;
    default:
        return 1;
    }
}

static bool refuse(const char **reason, const char *why) {
    *reason = why;
    return false;
}

static bool check(struct texture_view *view, const struct texture_unit *unit, struct header *header,
                  const char **reason) {
    view->format = texture_format(header->format);
    if (view->format && view->format->mobile && !unit->mobile)
        return refuse(reason, "a format that this chip does not have");
    if (!view->format)
        return refuse(reason, "a format that does not exist");
    if (header->target > TEXTURE_CUBE_ARRAY)
        return refuse(reason, "a target that does not exist");
    view->target = (enum texture_target)header->target;
    header->is_buffer |= view->target == TEXTURE_BUFFER;
    if (view->width == 0)
        return refuse(reason, NULL);
    if ((!header->is_buffer && view->width > MOST_WIDTH) || view->depth > MOST_LAYERS)
        return refuse(reason, "a size that cannot be");
    view->depth = view->depth ? view->depth : 1;
    if (header->is_pitch || header->is_buffer)
        header->max_level = view->first_level = view->last_level = 0;
    if (view->last_level > header->max_level)
        view->last_level = header->max_level;
    if (view->first_level > view->last_level)
        view->first_level = view->last_level;
    return true;
}

/*
 * Fetches take the size in pixels and choose samples. Filters do not know samples: when Mesa resolves, its header has
 * the size in samples, with the mode all the same (nvc0_tex.c, NV50_TEXVIEW_ACCESS_RESOLVE).
 */
bool texture_header(struct texture_view *view, const struct texture_unit *unit, const uint32_t words[TEXTURE_WORDS],
                    const char **reason) {
    const enum gob_order order = unit->order;
    struct header header = {0};
    memset(view, 0, sizeof *view);
    if (unit->layout == TEXTURE_TIC_TESLA)
        decode_tesla(view, &header, words);
    else if (!decode_maxwell(view, &header, words))
        return refuse(reason, "a version of header that does not exist");
    if (!check(view, unit, &header, reason))
        return false;
    assert(view->first_level <= view->last_level && view->last_level < TEXTURE_LEVELS);
    assert(header.samples < sizeof sample_modes / sizeof sample_modes[0]);
    const struct sample_mode *mode = &sample_modes[header.samples];
    memcpy(view->element, mode->element, sizeof view->element);
    view->integers = is_integer(view);
    view->layers = layers_of(view);
    place_levels(view, &header, order);
    view->whole = view->level[0];
    view->whole_layer_bytes = view->layer_bytes;
    view->samples_x = mode->x;
    view->samples_y = mode->y;
    if (view->samples_x || view->samples_y)
        place_levels(view, &header, order);
    texture_table(view);
    return true;
}

/* ---- samplers ---- */

void texture_sampler(struct texture_sampler *sampler, const uint32_t words[TEXTURE_WORDS]) {
    *sampler = (struct texture_sampler){
        .wrap = {(uint8_t)field(words, 0, 0, 3), (uint8_t)field(words, 0, 3, 3), (uint8_t)field(words, 0, 6, 3)},
        .compare = field(words, 0, 9, 1),
        .function = (uint8_t)field(words, 0, 10, 3),
        .srgb = field(words, 0, 13, 1),
        .anisotropy = probes[field(words, 0, 20, 3)],
        .mag_linear = field(words, 1, 0, 2) == 2,
        .min_linear = field(words, 1, 4, 2) >= 2,
        .mip = (uint8_t)field(words, 1, 6, 2),
        .reduction = (uint8_t)field(words, 1, 10, 2),
        .lod_bias = fixed(field(words, 1, 12, 13), 13, true),
        .unnormalized = field(words, 1, 25, 1),
        .min_lod = fixed(field(words, 2, 0, 12), 12, false),
        .max_lod = fixed(field(words, 2, 12, 12), 12, false),
    };
    memcpy(sampler->border, words + 4, sizeof sampler->border);
    texture_sampler_faces(sampler, field(words, 1, 8, 2));
}

void texture_sampler_faces(struct texture_sampler *sampler, unsigned mode) {
    sampler->edge_in_face = mode == 1;
    sampler->seamless = mode >= 2;
}
