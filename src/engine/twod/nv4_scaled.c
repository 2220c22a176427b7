/* SPDX-License-Identifier: MIT */
/*
 * SIFM (37, 77, 63, 89 ..): an image from memory, scaled. Its POINT draws.
 *
 *   pixel (x, y) of the destination is at u = U + (x - out.x) DU_DX, v = V + (y - out.y) DV_DY of the source
 *   origin "centre": half a texel more
 *   Point sampling takes texel floor(u), bilinear the four around (u - 1/2, v - 1/2).
 *
 * UNKNOWN: the origins, as for the 2D objects of Tesla; how precise the weights are; chosen: 8 bits. Texels outside the
 *          source; chosen: those at its edge. YUV: see nv4_pixel.c; chosen: chroma is not interpolated between pairs.
 * Not modelled: the formats above 9, which nobody has named: such an image says that it is not executed.
 * Sources: envytools rnndb/graph/nv1_ifm.xml, hwtest/pgraph_class_sifm.cc; NVIDIA open-gpu-doc classes/twod/cl0077.h;
 *          Mesa src/gallium/drivers/nouveau/nv30/nv30_transfer.c.
 */
#include <assert.h>
#include <stddef.h>

#include "engine/kinds.h"
#include "engine/twod/nv4_context.h"
#include "engine/twod/nv4_surface.h"
#include "engine/core/work.h"
#include "methods/nv1_2d.h"

enum {
    DMA_IMAGE = NV4_SIFM_DMA_IMAGE,
    CONVERSION = NV10_SIFM_COLOR_CONVERSION,
    FORMAT = NV4_SIFM_COLOR_FORMAT,
    OPERATION = NV4_SIFM_OPERATION,
    CLIP_POINT = NV4_SIFM_CLIP_POINT
};
enum { OUT_POINT = NV4_SIFM_OUT_POINT, OUT_SIZE = NV4_SIFM_OUT_SIZE, DU_DX = NV4_SIFM_DU_DX, DV_DY = NV4_SIFM_DV_DY };
enum { SIZE = NV4_SIFM_SIZE, LAYOUT = NV4_SIFM_FORMAT, OFFSET = NV4_SIFM_OFFSET, POINT = NV4_SIFM_POINT };
enum {
    OFFSET_HIGH = G80_SIFM_OFFSET_HIGH,
    SOURCE_LAYOUT = G80_SIFM_SRC_LAYOUT,
    SOURCE_BLOCK = G80_SIFM_SRC_BLOCK_DIMENSIONS
}; /* 5089; a layout of 0: blocks */
enum { ORIGIN_CENTER = 1, ORIGIN_CORNER = 2 };

#define MAX_WIDTH      0x800u
#define SAMPLED_BYTES  112u /* what it costs to get a pixel, as work.h counts */
#define FILTERED_BYTES 400u
#define ONE            (1 << 20) /* coordinates of texels have 20 bits of fraction */

/* What the classes differ in; argument of their actions. */
struct scaled_class {
    struct nv4_slots slots; /* first: what takes slots takes this */
    uint32_t layout_bits;   /* that must be 0 in LAYOUT */
    bool has_blocks;
};
_Static_assert(offsetof(struct scaled_class, slots) == 0, "what takes slots takes a class");

#define SLOTS                                                                                                          \
    .bind = {NV4_DRAWS_FROM(NV4_SIFM_PATTERN)}, .operation = OPERATION, .format = FORMAT,                              \
    .formats = nv4_scaled_format, .last_format_nv30 = 0xd, .swizzled = true

static const struct scaled_class
    nv3_class = {.slots = {.bind = {NV4_RASTER_FROM(NV3_SIFM_PATTERN), [NV4_SURFACE] = NV3_SIFM_SURFACE_DST},
                           .operation = OPERATION,
                           .format = FORMAT,
                           .formats = nv4_scaled_format,
                           .last_format = 6,
                           .is_old = true},
                 .layout_bits = ~0x1fffu},
    nv4_class = {.slots = {SLOTS, .last_format = 7, .only_nv4 = true}, .layout_bits = 0xe000},
    nv5_class = {.slots = {SLOTS, .last_format = 7}, .layout_bits = 0xe000},
    nv10_class = {.slots = {SLOTS, .last_format = 9}},
    g80_class = {.slots = {SLOTS, .last_format = 9}, .has_blocks = true};

static bool valid_size(const struct scaled_class *class, uint32_t size) {
    uint32_t width = size & 0xffff, height = size >> 16;
    if (class->slots.is_old)
        return width <= 0x400 && height <= 0x400;
    return width > 0 && width < MAX_WIDTH && width % 2 == 0 && height > 0 && height < MAX_WIDTH;
}

static bool valid_layout(const struct scaled_class *class, uint32_t layout) {
    uint32_t origin = layout >> 16 & 0xff;
    if (layout & class->layout_bits)
        return false;
    return class->slots.is_old || (origin >= ORIGIN_CENTER && origin <= ORIGIN_CORNER && layout >> 24 <= 1);
}

static enum action_result nv4_scaled_set_size(struct call *call) {
    return nv4_refuse_unless(call, valid_size(call->action->argument, call->data));
}

static enum action_result set_layout(struct call *call) {
    return nv4_refuse_unless(call, valid_layout(call->action->argument, call->data));
}

struct scaling {
    struct nv4_draw draw;
    const struct nv4_format *format;
    struct surface source;
    int32_t width, height; /* of the source */
    int64_t u, v, du, dv;  /* of the destination's corner, and per pixel */
    bool bilinear;
    struct nv4_box out, box; /* before and after clipping */
    struct nv4_scaled_line {
        int32_t number; /* -1: none */
        uint8_t bytes[4 * MAX_WIDTH];
    } line[2];
};

/* False: such blocks do not exist. */
static bool nv4_scaled_open_source(const struct call *call, const struct scaled_class *class, struct scaling *s) {
    uint32_t size = call_value(call, SIZE);
    s->width = (int32_t)(size & 0xffff);
    s->height = (int32_t)(size >> 16);
    s->source =
        (struct surface){.space = call_space(call, call_value(call, DMA_IMAGE)),
                         .address = call_value(call, OFFSET),
                         .layout = {.type = LAYOUT_PITCH, .pitch = call_value(call, LAYOUT) & 0xffff, .depth = 1}};
    if (!class->has_blocks)
        return true;
    s->source.address |= (uint64_t)(call_value(call, OFFSET_HIGH) & 0xff) << 32;
    return call_value(call, SOURCE_LAYOUT) != 0 ||
           nv4_surface_blocks(call, call_value(call, SOURCE_BLOCK), (uint64_t)s->width * s->format->bytes,
                              (uint32_t)s->height, &s->source.layout);
}

static bool nv4_scaled_open(const struct call *call, struct scaling *s) {
    const struct scaled_class *class = call->action->argument;
    uint32_t layout = call_value(call, LAYOUT);
    s->format = nv4_source_format(call, &class->slots);
    if (!s->format || !nv4_draw_open(call, &class->slots, &s->draw))
        return false;
    if (!valid_size(class, call_value(call, SIZE)) || !valid_layout(class, layout) ||
        !nv4_scaled_open_source(call, class, s)) {
        work_end(call);
        call_invalid_state(call, valid_size(class, call_value(call, SIZE)) ? LAYOUT : SIZE,
                           "it does not fit the source");
        return false;
    }
    int64_t half = (layout >> 16 & 0xff) == ORIGIN_CENTER ? ONE / 2 : 0;
    s->bilinear = layout >> 24 == 1;
    s->u = (int64_t)(call->data & 0xffff) * (ONE / 16) + half;
    s->v = (int64_t)(call->data >> 16) * (ONE / 16) + half;
    s->du = (int32_t)call_value(call, DU_DX);
    s->dv = (int32_t)call_value(call, DV_DY);
    nv4_draw_clip(&s->draw, nv4_clip_box(nv4_state(call), NV4_STATE_OWN_CLIP));
    s->out = nv4_box_of(call_value(call, OUT_POINT), call_value(call, OUT_SIZE));
    s->box = nv4_clipped(&s->draw, s->out);
    s->line[0].number = s->line[1].number = -1;
    return true;
}

/* ---- texels ---- */

static int32_t within(int64_t texel, int32_t size) {
    assert(size > 0);
    return texel < 0 ? 0 : texel >= size ? size - 1 : (int32_t)texel;
}

static int64_t whole(int64_t coordinate) {
    return coordinate >= 0 ? coordinate / ONE : -((-coordinate + ONE - 1) / ONE);
}

/* Bytes of a line; pairs of pixels share their chroma, so of an odd width the last pair is whole, too. */
static uint64_t nv4_scaled_line_bytes(const struct scaling *s) {
    uint64_t pixels = (uint64_t)s->width + (s->format->meaning == NV4_PACKED ? s->width % 2 : 0);
    return pixels * s->format->bytes;
}

/* A line of the source, of which the one read last in this place is kept. NULL: a fault. */
static const uint8_t *source_line(struct scaling *s, unsigned place, int64_t v) {
    struct nv4_scaled_line *line = &s->line[place];
    int32_t number = within(v, s->height);
    assert(nv4_scaled_line_bytes(s) <= sizeof line->bytes);
    if (line->number == number)
        return line->bytes;
    line->number = -1;
    if (!surface_read(s->draw.memory, &s->source, 0, (uint32_t)number, 0, line->bytes, nv4_scaled_line_bytes(s),
                      &s->draw.fault))
        return NULL;
    line->number = number;
    return line->bytes;
}

static uint32_t nv4_scaled_texel(const struct scaling *s, const uint8_t *line, int64_t u) {
    uint32_t at = (uint32_t)within(u, s->width);
    if (s->format->meaning == NV4_PACKED)
        return nv4_unpack_pair(s->format, nv4_load(line, 4, at / 2), at % 2);
    return nv4_unpack(s->format, nv4_load(line, s->format->bytes, at));
}

/* Weights of b in 256ths, per channel. */
static uint32_t nv4_scaled_mix(uint32_t a, uint32_t b, uint32_t weight) {
    uint32_t result = 0;
    assert(weight < 256);
    for (unsigned shift = 0; shift < 32; shift += 8)
        result |= (((a >> shift & 0xff) * (256 - weight) + (b >> shift & 0xff) * weight + 128) >> 8) << shift;
    return result;
}

static uint32_t nv4_scaled_fraction(int64_t coordinate) {
    return (uint32_t)((coordinate - whole(coordinate) * ONE) >> 12);
}

/* The lines a row needs: both the same for point sampling. */
struct lines {
    const uint8_t *upper, *lower;
    uint32_t weight; /* of the lower one */
};

static bool nv4_scaled_lines_of(struct scaling *s, int64_t v, struct lines *lines) {
    if (s->bilinear)
        v -= ONE / 2;
    lines->upper = source_line(s, 0, whole(v));
    lines->lower = s->bilinear && lines->upper ? source_line(s, 1, whole(v) + 1) : lines->upper;
    lines->weight = s->bilinear ? nv4_scaled_fraction(v) : 0;
    return lines->lower != NULL;
}

static uint32_t sample(const struct scaling *s, const struct lines *lines, int64_t u) {
    if (!s->bilinear)
        return nv4_scaled_texel(s, lines->upper, whole(u));
    u -= ONE / 2;
    int64_t left = whole(u);
    uint32_t weight = nv4_scaled_fraction(u);
    uint32_t upper =
        nv4_scaled_mix(nv4_scaled_texel(s, lines->upper, left), nv4_scaled_texel(s, lines->upper, left + 1), weight);
    uint32_t lower =
        nv4_scaled_mix(nv4_scaled_texel(s, lines->lower, left), nv4_scaled_texel(s, lines->lower, left + 1), weight);
    return nv4_scaled_mix(upper, lower, lines->weight);
}

/* ---- drawing ---- */

static bool nv4_scaled_draw_row(struct scaling *s, int32_t y) {
    uint32_t color[512];
    struct lines lines;
    bool index = s->draw.format->meaning == NV4_INDEX;
    uint32_t mask = index ? nv4_format_mask(s->draw.format) : UINT32_MAX;
    if (!nv4_scaled_lines_of(s, s->v + (y - s->out.top) * s->dv, &lines))
        return false;
    for (int32_t x = s->box.left; x < s->box.right;) {
        uint32_t count = 0;
        for (; count < 512 && x + (int32_t)count < s->box.right; count++)
            color[count] = sample(s, &lines, s->u + (x + (int32_t)count - s->out.left) * s->du) & mask;
        if (!nv4_draw_row(&s->draw, x, y, color, 1, count))
            return false;
        x += (int32_t)count;
    }
    return true;
}

/* Lines are read as a whole. */
static void nv4_scaled_tell(const struct call *call, const struct scaling *s) {
    const struct nv4_box *box = &s->box;
    int64_t first = s->v + (int64_t)(box->top - s->out.top) * s->dv;
    int64_t last = s->v + (int64_t)(box->bottom - 1 - s->out.top) * s->dv;
    if (nv4_box_empty(box) || s->width == 0 || s->height == 0)
        return;
    int64_t low = whole((first < last ? first : last) - (s->bilinear ? ONE / 2 : 0));
    int64_t high = whole((first < last ? last : first) - (s->bilinear ? ONE / 2 : 0)) + s->bilinear;
    uint64_t from = (uint64_t)within(low, s->height), to = (uint64_t)within(high, s->height);
    call_reads(call, &s->source, &(struct access){"image", {0, from, 0}, nv4_scaled_line_bytes(s), to - from + 1});
    nv4_draw_tell(call, "image", &s->draw, *box);
}

static enum action_result draw_scaled(struct call *call) {
    struct scaling s;
    if (!nv4_scaled_open(call, &s))
        return ACTION_DONE;
    const struct nv4_box *box = &s.box;
    bool empty = nv4_box_empty(box) || s.width == 0 || s.height == 0;
    uint64_t bytes = empty ? 0 : (uint64_t)(box->right - box->left) * s.draw.format->bytes;
    /* A narrow row reads whole lines, too. */
    uint64_t cost =
        nv4_draw_cost(&s.draw, 1, bytes / s.draw.format->bytes) + (s.bilinear ? 2 : 1) * nv4_scaled_line_bytes(&s);
    cost += bytes / s.draw.format->bytes * (s.bilinear ? FILTERED_BYTES : SAMPLED_BYTES);
    struct work_slice slice = work_slice(call, empty ? 0 : (uint64_t)(box->bottom - box->top), cost);
    for (uint64_t row = slice.first; row < slice.first + slice.count; row++)
        if (!nv4_scaled_draw_row(&s, box->top + (int32_t)row))
            return nv4_draw_fault(call, &s.draw);
    if (!work_advance(call, &slice))
        return ACTION_STALL;
    nv4_scaled_tell(call, &s);
    call_done(call, "scaled image", nv4_draw_address(&s.draw, box->left, box->top), bytes * slice.total);
    return ACTION_DONE;
}

/* clang-format off */
#define SCALE_ACTIONS(class)                                                                                           \
    NV4_FORMAT_AT(FORMAT, class), NV4_OWN_CLIP_AT(CLIP_POINT),                                                         \
    {.method = SIZE, .type = ACTION_EFFECT, .run = nv4_scaled_set_size, .argument = &(class)},                         \
    {.method = LAYOUT, .type = ACTION_EFFECT, .run = set_layout, .argument = &(class)},                                \
    {.method = POINT, .type = ACTION_EFFECT, .run = draw_scaled, .argument = &(class)}, {0}
#define NEW_ACTIONS(class) NV4_BINDS(NV4_SIFM_PATTERN, 5, class), NV4_OPERATION_AT(OPERATION), SCALE_ACTIONS(class)
/* clang-format on */

static const struct action nv3_actions[] = {NV4_BINDS(NV3_SIFM_PATTERN, 4, nv3_class), NV4_OLD_OPERATION_AT(OPERATION),
                                            SCALE_ACTIONS(nv3_class)};
static const struct action nv4_actions[] = {NEW_ACTIONS(nv4_class)};
static const struct action nv5_actions[] = {NV4_CONVERSION_AT(CONVERSION), NEW_ACTIONS(nv5_class)};
static const struct action nv10_actions[] = {NV4_CONVERSION_AT(CONVERSION), NEW_ACTIONS(nv10_class)};
static const struct action g80_actions[] = {NV4_CONVERSION_AT(CONVERSION), NEW_ACTIONS(g80_class)};

NV4_KIND(kind_nv4_old_scaled, "scaled image from memory", NV4_EXTRA, nv3_actions);
NV4_KIND(kind_nv4_scaled, "scaled image from memory", NV4_EXTRA, nv4_actions);
NV4_KIND(kind_nv5_scaled, "scaled image from memory", NV4_EXTRA, nv5_actions);
NV4_KIND(kind_nv10_scaled, "scaled image from memory", NV4_EXTRA, nv10_actions);

/* New contexts have the source in lines (nouveau ctxnv50.c). */
static const struct method_reset g80_resets[] = {{SOURCE_LAYOUT, 1}, {SOURCE_BLOCK, 0x20}, {0}};
const struct kind kind_g80_scaled = {.name = "scaled image from memory",
                                     .role = ROLE_NONE,
                                     .resets = g80_resets,
                                     .private = {.bytes = 4 * NV4_EXTRA},
                                     .groups = {notify_nv4_actions, g80_actions}};
