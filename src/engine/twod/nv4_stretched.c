/* SPDX-License-Identifier: MIT */
/*
 * SIFC (36, 76, 66 ..): an image from the CPU, stretched or shrunk. POINT begins it.
 *
 * Pixel (i, j) covers x from floor(X + i DX_DU) to floor(X + (i + 1) DX_DU), the same for y, where X has 4 bits of
 * fraction and DX_DU 20. Shrunk pixels may cover nothing.
 *
 * UNKNOWN: the rounding of these, and what negative steps do; chosen: down, and steps have no sign.
 * Sources: envytools rnndb/graph/nv1_ifc.xml, hwtest/pgraph_class_ifc.cc; NVIDIA open-gpu-doc classes/twod/cl0066.h.
 */
#include <assert.h>

#include "engine/kinds.h"
#include "engine/twod/nv4_stream.h"
#include "engine/core/work.h"
#include "methods/nv1_2d.h"

enum {
    SIZE_IN = NV4_SIFC_SIZE_IN,
    DX_DU = NV4_SIFC_DX_DU,
    DY_DV = NV4_SIFC_DY_DV,
    CLIP_POINT = NV4_SIFC_CLIP_POINT,
    POINT = NV4_SIFC_POINT12D4
};

static const struct nv4_slots slots = {.bind = {[NV4_CHROMA] = NV4_SIFC_COLOR_KEY, NV4_DRAWS_FROM(NV4_SIFC_PATTERN)},
                                       .operation = NV4_SIFC_OPERATION,
                                       .format = NV4_SIFC_COLOR_FORMAT,
                                       .formats = nv4_image_format,
                                       .last_format = 5,
                                       .last_format_nv30 = 7};
static const struct nv4_slots old_slots = {
    .bind =
        {[NV4_CHROMA] = NV3_SIFC_COLOR_KEY, NV4_RASTER_FROM(NV3_SIFC_PATTERN), [NV4_SURFACE] = NV3_SIFC_SURFACE_DST},
    .operation = NV3_SIFC_OPERATION,
    .format = NV3_SIFC_COLOR_FORMAT,
    .formats = nv4_old_image_format,
    .last_format = 5,
    .is_old = true};

static enum action_result nv4_stretched_begin(struct call *call) {
    return nv4_image_begin(call, call->data, call_value(call, SIZE_IN), 0);
}

/* One axis, in 20 bits of fraction. */
struct stretched_axis {
    int64_t start;
    uint64_t step;
};

static struct stretched_axis axis_of(int32_t point, uint32_t step) {
    return (struct stretched_axis){(int64_t)point * 65536, step};
}

/* Where source pixel n begins, as far as anything can be drawn. */
static int32_t edge(const struct stretched_axis *axis, uint64_t n) {
    int64_t at = axis->start + (int64_t)(axis->step * n); /* n below 2^17, so 49 bits */
    int64_t whole = at >= 0 ? at >> 20 : -((-at + 0xfffff) >> 20);
    return whole < -NV4_EXTENT ? -NV4_EXTENT : whole > NV4_EXTENT ? NV4_EXTENT : (int32_t)whole;
}

/* The source pixel that covers `at`, which is at or after the start. The step is not 0. */
static uint64_t source_of(const struct stretched_axis *axis, int32_t at) {
    assert(axis->step != 0);
    int64_t end = (int64_t)(at + 1) * (1 << 20) - axis->start; /* above 0: the pixel begins before this */
    return end > 0 ? ((uint64_t)end + axis->step - 1) / axis->step - 1 : 0;
}

struct stretch {
    struct nv4_draw draw;
    const struct nv4_format *format;
    struct stretched_axis across, down;
    uint32_t width;
    unsigned log2_bits;
    uint64_t row_words, first_pixel, end_pixel; /* of those that are here, counted row by row, without gaps */
    const struct nv4_words *words;
};

/* Pixels before a word of the stream. */
static uint64_t pixels_before(const struct stretch *s, uint64_t word) {
    assert(s->row_words != 0);
    uint64_t column = (word % s->row_words) * (32u >> s->log2_bits);
    return word / s->row_words * s->width + (column < s->width ? column : s->width);
}

static uint32_t pixel_at(const struct stretch *s, uint64_t row, uint64_t column) {
    unsigned pixels = 32u >> s->log2_bits;
    uint64_t word = row * s->row_words + column / pixels - s->words->first;
    return s->words->word[word] >> (column % pixels << s->log2_bits);
}

/* The part of a row of the destination that pixels here cover. */
static bool nv4_stretched_draw_row(struct stretch *s, int32_t y) {
    uint32_t color[512];
    uint64_t row = source_of(&s->down, y);
    uint64_t from = row * s->width < s->first_pixel ? s->first_pixel - row * s->width : 0;
    uint64_t to = s->end_pixel - row * s->width < s->width ? s->end_pixel - row * s->width : s->width;
    struct nv4_box box =
        nv4_clipped(&s->draw, (struct nv4_box){edge(&s->across, from), y, edge(&s->across, to), y + 1});
    if (nv4_box_empty(&box))
        return true;
    uint64_t column = source_of(&s->across, box.left);
    int32_t end = edge(&s->across, column + 1);
    for (int32_t x = box.left; x < box.right;) {
        uint32_t count = 0;
        for (; count < 512 && x + (int32_t)count < box.right; count++) {
            while (end <= x + (int32_t)count)
                end = edge(&s->across, ++column + 1);
            color[count] = nv4_convert(s->draw.format, s->format, pixel_at(s, row, column));
        }
        if (!nv4_draw_row(&s->draw, x, y, color, 1, count))
            return false;
        x += (int32_t)count;
    }
    return true;
}

static bool open_stretch(const struct call *call, struct stretch *s, uint32_t *height) {
    const struct nv4_slots *bound = call->action->argument;
    const uint32_t *latched = object_private(call->object);
    s->format = nv4_source_format(call, bound);
    if (!s->format || !nv4_draw_open(call, bound, &s->draw))
        return false;
    nv4_draw_clip(&s->draw, nv4_clip_box(nv4_state(call), NV4_STATE_OWN_CLIP));
    s->across = axis_of(nv4_low(latched[NV4_STREAM_POINT]), call_value(call, DX_DU));
    s->down = axis_of(nv4_high(latched[NV4_STREAM_POINT]), call_value(call, DY_DV));
    s->width = latched[NV4_STREAM_IN] & 0xffff;
    *height = latched[NV4_STREAM_IN] >> 16;
    s->log2_bits = 2 + (latched[NV4_STREAM_UNIT] & 3);
    s->row_words = nv4_stream_row_words(s->width, s->log2_bits);
    return true;
}

/* Rows of the destination that the words here cover; none if nothing can be drawn. */
static struct nv4_box rows_of(struct stretch *s) {
    struct nv4_box none = {0, 0, 0, 0};
    if (s->row_words == 0 || s->across.step == 0 || s->down.step == 0)
        return none;
    s->first_pixel = pixels_before(s, s->words->first);
    s->end_pixel = pixels_before(s, s->words->first + s->words->count);
    if (s->first_pixel >= s->end_pixel)
        return none;
    int32_t top = edge(&s->down, s->first_pixel / s->width);
    int32_t bottom = edge(&s->down, (s->end_pixel - 1) / s->width + 1);
    return nv4_clipped(&s->draw, (struct nv4_box){edge(&s->across, 0), top, edge(&s->across, s->width), bottom});
}

/* Of the whole image, whatever of it is here. */
static struct nv4_box nv4_stretched_box(const struct stretch *s, uint32_t height) {
    return nv4_clipped(&s->draw, (struct nv4_box){edge(&s->across, 0), edge(&s->down, 0), edge(&s->across, s->width),
                                                  edge(&s->down, height)});
}

static uint64_t nv4_stretched_drawn_bytes(const struct stretch *s, uint32_t height) {
    struct nv4_box box = nv4_stretched_box(s, height);
    if (nv4_box_empty(&box))
        return 0;
    return (uint64_t)(box.right - box.left) * (uint64_t)(box.bottom - box.top) * s->draw.format->bytes;
}

static enum action_result nv4_stretched_data(struct call *call) {
    struct stretch s;
    uint32_t height;
    if (!open_stretch(call, &s, &height)) {
        words_begin(call->object, 0);
        return ACTION_DONE;
    }
    struct nv4_words words = nv4_words_take(call, s.row_words * height);
    s.words = &words;
    struct nv4_box box = rows_of(&s);
    bool empty = nv4_box_empty(&box);
    struct work_slice slice = work_slice(call, empty ? 0 : (uint64_t)(box.bottom - box.top),
                                         nv4_draw_cost(&s.draw, 1, empty ? 0 : 2 * (uint64_t)(box.right - box.left)));
    for (uint64_t i = slice.first; i < slice.first + slice.count; i++) {
        if (!nv4_stretched_draw_row(&s, box.top + (int32_t)i)) {
            words_begin(call->object, 0);
            return nv4_draw_fault(call, &s.draw);
        }
    }
    if (!work_advance(call, &slice))
        return ACTION_STALL;
    if (nv4_words_used(call)) {
        nv4_draw_tell(call, "image", &s.draw, nv4_stretched_box(&s, height));
        call_done(call, "image", nv4_draw_address(&s.draw, edge(&s.across, 0), edge(&s.down, 0)),
                  nv4_stretched_drawn_bytes(&s, height));
    }
    return ACTION_DONE;
}

/* clang-format off */
#define STRETCH_ACTIONS(slots)                                                                                         \
    NV4_FORMAT_AT(NV4_SIFC_COLOR_FORMAT, slots),                                                                                       \
    NV4_OWN_CLIP_AT(CLIP_POINT),                                                                                       \
    {.method = POINT, .type = ACTION_EFFECT, .run = nv4_stretched_begin, .argument = &(slots)},                        \
    {.method = NV4_SIFC_COLOR(0), .count = NV4_DATA_WORDS, .type = ACTION_EFFECT, .run = nv4_stretched_data,                       \
     .absorb = words_absorb,                                                                                           \
     .argument = &(slots)}, {0}
/* clang-format on */

static const struct action actions[] = {NV4_CONVERSION_AT(NV5_SIFC_COLOR_CONVERSION),
                                        NV4_BINDS(NV4_SIFC_COLOR_KEY, 6, slots), NV4_OPERATION_AT(NV4_SIFC_OPERATION),
                                        STRETCH_ACTIONS(slots)};
static const struct action old_actions[] = {NV4_BINDS(NV3_SIFC_COLOR_KEY, 5, old_slots),
                                            NV4_OLD_OPERATION_AT(NV3_SIFC_OPERATION), STRETCH_ACTIONS(old_slots)};

NV4_STREAM_KIND(kind_nv4_stretched, "stretched image from CPU", NV4_STREAM_EXTRA, actions);
NV4_STREAM_KIND(kind_nv4_old_stretched, "stretched image from CPU", NV4_STREAM_EXTRA, old_actions);
