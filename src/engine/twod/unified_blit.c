/* SPDX-License-Identifier: MIT */
/*
 * Pixels from memory. Pixel (i, j) of the destination's rectangle is the source at SRC_X0 + i * DU_DX, SRC_Y0 + j *
 * DV_DY, fractions of 20 bits; beyond the edges of the source it is the pixel at the edge.
 *
 *   SAMPLE_MODE 0x88c   origin 0: integers are the centres of pixels, 1: their corners; filter 0: point, 1: bilinear.
 *                       A point is in the pixel of its whole part, with either origin
 *   SAFE_OVERLAP 0x888  1: where the surfaces overlap, the order is such that pixels are read before they are written
 *   DIRECTION 0x2e0     Fermi-: says the order
 *
 * Evidence for the origin: Mesa copies 1:1 with centres and integers and mirrors with -1.0 from the last pixel; deko3d
 * uses corners and adds half a step itself. Evidence for points: Mesa makes samples of a pixel with centres and steps
 * of 1/2 and 1/4, without an offset (nvc0_surface.c), and all of them have to be that pixel [driver].
 *
 * UNKNOWN: fractions below the upper 20 bits; chosen: dropped, as contexts of Tesla keep no more (ctxnv50.c).
 * UNKNOWN: pixels that overlap without SAFE_OVERLAP; chosen: from left to right, from top to bottom, OPERATION_CHUNK
 *          of them at a time.
 */
#include <assert.h>

#include "engine/core/error.h"
#include "engine/twod/unified_operation.h"
#include "engine/core/work.h"
#include "methods/gf100_2d.h"

enum {
    DIRECTION = GF100_2D_SET_PIXELS_FROM_MEMORY_DIRECTION,
    SAFE_OVERLAP = GF100_2D_SET_PIXELS_FROM_MEMORY_SAFE_OVERLAP,
    SAMPLE_MODE = GF100_2D_SET_PIXELS_FROM_MEMORY_SAMPLE_MODE,
    DST_X0 = GF100_2D_SET_PIXELS_FROM_MEMORY_DST_X0,
    DST_Y0 = GF100_2D_SET_PIXELS_FROM_MEMORY_DST_Y0,
    DST_WIDTH = GF100_2D_SET_PIXELS_FROM_MEMORY_DST_WIDTH,
    DST_HEIGHT = GF100_2D_SET_PIXELS_FROM_MEMORY_DST_HEIGHT,
    DU_DX = GF100_2D_SET_PIXELS_FROM_MEMORY_DU_DX_FRAC,
    DV_DY = GF100_2D_SET_PIXELS_FROM_MEMORY_DV_DY_FRAC,
    SRC_X0 = GF100_2D_SET_PIXELS_FROM_MEMORY_SRC_X0_FRAC,
    SRC_Y0 = GF100_2D_SET_PIXELS_FROM_MEMORY_SRC_Y0_FRAC,
    LAUNCH = GF100_2D_PIXELS_FROM_MEMORY_SRC_Y0_INT,
};

#define FRACTION  20
#define ONE       (INT64_C(1) << FRACTION)
#define MAX_ROW   1024u /* source pixels that are read in one piece */
#define BACKWARDS 2u

struct unified_blit {
    struct unified_operation operation;
    struct unified_surface source;
    struct pixels_conversion conversion;
    bool bilinear;
    struct rectangle area;  /* clipped */
    int64_t x0, y0;         /* of the whole rectangle */
    int64_t u0, v0, du, dv; /* the whole part is the pixel; bilinear: its centre */
    bool right_to_left, bottom_to_top;
};

/* ---- setting up ---- */

/* With FRACTION bits after the point. */
static int64_t unified_blit_fixed(const struct call *call, uint32_t method) {
    uint64_t value = (uint64_t)call_value(call, method + 4) << 32 | call_value(call, method);
    return (int64_t)value >> (32 - FRACTION);
}

static void set_sampling(const struct call *call, struct unified_blit *b) {
    uint32_t mode = call_value(call, SAMPLE_MODE);
    b->bilinear = mode >> 4 & 1;
    b->du = unified_blit_fixed(call, DU_DX);
    b->dv = unified_blit_fixed(call, DV_DY);
    int64_t shift = b->bilinear && (mode & 1) ? ONE / 2 : 0;
    b->u0 = unified_blit_fixed(call, SRC_X0) - shift;
    b->v0 = unified_blit_fixed(call, SRC_Y0) - shift;
}

static void unified_blit_set_area(const struct call *call, struct unified_blit *b) {
    b->x0 = (int32_t)call_value(call, DST_X0);
    b->y0 = (int32_t)call_value(call, DST_Y0);
    struct rectangle all = {b->x0, b->y0, b->x0 + (int32_t)call_value(call, DST_WIDTH),
                            b->y0 + (int32_t)call_value(call, DST_HEIGHT)};
    b->area = rectangle_clip(all, &b->operation.clip);
    if (rectangle_is_empty(&b->area) || !b->source.width || !b->source.height)
        b->area = (struct rectangle){0, 0, 0, 0};
}

/* Whether the destination lies after the source in the order of rows, and in that of pixels of a row. */
static void safe_order(struct unified_blit *b) {
    const struct surface *from = &b->source.surface, *to = &b->operation.destination.surface;
    int64_t x = b->x0 - (b->u0 >> FRACTION), y = b->y0 - (b->v0 >> FRACTION);
    if (from->layout.type == LAYOUT_PITCH && to->layout.type == LAYOUT_PITCH && from->address != to->address) {
        unsigned bytes = pixels_bytes(&b->source.pixels);
        uint64_t begin = from->address + (uint64_t)(b->v0 >> FRACTION) * (uint64_t)from->layout.pitch +
                         (uint64_t)(b->u0 >> FRACTION) * bytes;
        uint64_t target = to->address + (uint64_t)b->y0 * (uint64_t)to->layout.pitch + (uint64_t)b->x0 * bytes;
        b->right_to_left = b->bottom_to_top = (int64_t)(target - begin) > 0;
        return;
    }
    b->bottom_to_top = y > 0;
    b->right_to_left = y == 0 && x > 0;
}

static void set_order(const struct call *call, struct unified_blit *b) {
    uint32_t direction = unified_class(call)->has_direction ? call_value(call, DIRECTION) : 0;
    if (call_value(call, SAFE_OVERLAP) & 1)
        safe_order(b);
    if (direction & 3)
        b->right_to_left = (direction & 3) == BACKWARDS;
    if (direction >> 4 & 3)
        b->bottom_to_top = (direction >> 4 & 3) == BACKWARDS;
}

static bool unified_blit_set_up(const struct call *call, struct unified_blit *b) {
    if (!operation_begin(&b->operation, call) || !unified_surface(call, UNIFIED_SRC, &b->source))
        return false;
    b->conversion = pixels_conversion(&b->source.pixels, &b->operation.destination.pixels);
    set_sampling(call, b);
    unified_blit_set_area(call, b);
    set_order(call, b);
    return true;
}

/* ---- texels ---- */

/* Position n of a line of samples. Multiplied modulo 2^64, whatever the registers hold. */
static int64_t unified_blit_position(int64_t start, int64_t step, int64_t n) {
    return (int64_t)((uint64_t)start + (uint64_t)step * (uint64_t)n);
}

static uint32_t unified_blit_clamp(int64_t texel, uint32_t size) {
    assert(size > 0);
    return texel < 0 ? 0 : texel < size ? (uint32_t)texel : size - 1;
}

/* The texel at a position, `next` of them further on. */
static uint32_t unified_blit_texel(int64_t at, int64_t next, uint32_t size) {
    return unified_blit_clamp((at >> FRACTION) + next, size);
}

/* Pixels that are sampled for one row of the destination, by column: texels of one row of the source. */
struct samples {
    const struct unified_blit *blit;
    int64_t first; /* column in the destination's rectangle */
    uint32_t count;
    int64_t next; /* 0, or 1: the texel after each */
};

static uint32_t unified_blit_column(const struct samples *s, uint32_t i) {
    const struct unified_blit *b = s->blit;
    return unified_blit_texel(unified_blit_position(b->u0, b->du, s->first + i), s->next, b->source.width);
}

/* Each is read by itself. */
static bool fetch_each(const struct samples *s, uint32_t row, uint8_t *pixels) {
    const struct unified_blit *b = s->blit;
    unsigned bytes = pixels_bytes(&b->source.pixels);
    for (uint32_t i = 0; i < s->count; i++)
        if (!unified_read(b->operation.call, &b->source, unified_blit_column(s, i), row, pixels + (size_t)i * bytes, 1))
            return false;
    return true;
}

/* One texel after the other, none of them beyond an edge. */
static bool is_run(const struct samples *s) {
    const struct unified_blit *b = s->blit;
    int64_t first = (unified_blit_position(b->u0, b->du, s->first) >> FRACTION) + s->next;
    return b->du == ONE && first >= 0 && first + s->count <= b->source.width;
}

/* All that lie between them are read, too, if these are not too many. */
static bool unified_blit_fetch(const struct samples *s, uint32_t row, uint8_t *pixels) {
    const struct unified_blit *b = s->blit;
    assert(0 < s->count && s->count <= OPERATION_CHUNK);
    if (is_run(s))
        return unified_read(b->operation.call, &b->source, unified_blit_column(s, 0), row, pixels, s->count);
    uint8_t between[MAX_ROW * PIXELS_MAX_BYTES];
    unsigned bytes = pixels_bytes(&b->source.pixels);
    uint32_t low = UINT32_MAX, high = 0;
    for (uint32_t i = 0; i < s->count; i++) {
        uint32_t at = unified_blit_column(s, i);
        low = at < low ? at : low;
        high = at > high ? at : high;
    }
    if (high - low >= MAX_ROW)
        return fetch_each(s, row, pixels);
    if (!unified_read(b->operation.call, &b->source, low, row, between, high - low + 1))
        return false;
    for (uint32_t i = 0; i < s->count; i++)
        memcpy(pixels + (size_t)i * bytes, between + (size_t)(unified_blit_column(s, i) - low) * bytes, bytes);
    return true;
}

/* ---- rows ---- */

static float unified_blit_fraction(int64_t at) {
    return (float)(at & (ONE - 1)) / (float)ONE;
}

static float lerp(float a, float b, float t) {
    return a + (b - a) * t;
}

/* The four texels around each sample. */
struct quad {
    uint8_t texel[2][2][OPERATION_CHUNK * PIXELS_MAX_BYTES]; /* row, column */
};

static void unified_blit_mix(const struct samples *s, const struct quad *quad, int64_t v, union color *colors) {
    const struct unified_blit *b = s->blit;
    unsigned bytes = pixels_bytes(&b->source.pixels);
    for (uint32_t i = 0; i < s->count; i++) {
        float x = unified_blit_fraction(unified_blit_position(b->u0, b->du, s->first + i)),
              y = unified_blit_fraction(v);
        union color texel[2][2];
        for (unsigned n = 0; n < 4; n++)
            pixels_unpack(&b->source.pixels, quad->texel[n >> 1][n & 1] + (size_t)i * bytes, &texel[n >> 1][n & 1]);
        for (unsigned c = 0; c < 4; c++)
            colors[i].f[c] =
                lerp(lerp(texel[0][0].f[c], texel[0][1].f[c], x), lerp(texel[1][0].f[c], texel[1][1].f[c], x), y);
    }
}

static bool fetch_quad(struct samples *s, int64_t v, struct quad *quad) {
    uint32_t height = s->blit->source.height;
    for (unsigned n = 0; n < 4; n++) {
        s->next = n & 1;
        if (!unified_blit_fetch(s, unified_blit_texel(v, n >> 1, height), quad->texel[n >> 1][n & 1]))
            return false;
    }
    return true;
}

static bool draw_filtered(struct samples *s, int64_t v, uint32_t x, uint32_t y) {
    struct quad quad;
    union color colors[OPERATION_CHUNK];
    if (!fetch_quad(s, v, &quad))
        return false;
    unified_blit_mix(s, &quad, v, colors);
    struct pixel_row row = {.conversion = &s->blit->conversion, .colors = colors};
    return operation_row(&s->blit->operation, &row, x, y, s->count);
}

static bool draw_points(const struct samples *s, int64_t v, uint32_t x, uint32_t y) {
    uint8_t pixels[OPERATION_CHUNK * PIXELS_MAX_BYTES];
    if (!unified_blit_fetch(s, unified_blit_texel(v, 0, s->blit->source.height), pixels))
        return false;
    struct pixel_row row = {.conversion = &s->blit->conversion, .pixels = pixels};
    return operation_row(&s->blit->operation, &row, x, y, s->count);
}

static bool unified_blit_draw_row(const struct unified_blit *b, int64_t y) {
    int64_t v = unified_blit_position(b->v0, b->dv, y - b->y0), left = b->area.x1 - b->area.x0;
    int64_t x = b->right_to_left ? b->area.x1 : b->area.x0;
    while (left > 0) {
        uint32_t count = left < OPERATION_CHUNK ? (uint32_t)left : OPERATION_CHUNK;
        if (b->right_to_left)
            x -= count;
        struct samples samples = {.blit = b, .first = x - b->x0, .count = count};
        if (!(b->bilinear ? draw_filtered(&samples, v, (uint32_t)x, (uint32_t)y)
                          : draw_points(&samples, v, (uint32_t)x, (uint32_t)y)))
            return false;
        if (!b->right_to_left)
            x += count;
        left -= count;
    }
    return true;
}

/* ---- rows that are copied as they are ---- */

static bool unified_blit_is_inside(int64_t first, int64_t count, uint32_t size) {
    return first >= 0 && count <= size && first <= (int64_t)size - count;
}

/* Neither scaled nor converted, and all of it is in the source. */
static bool is_plain(const struct unified_blit *b) {
    int64_t width = b->area.x1 - b->area.x0, height = b->area.y1 - b->area.y0;
    return !b->bilinear && b->du == ONE && b->dv == ONE && operation_is_copy(&b->operation) &&
           b->conversion.how == CONVERT_COPY &&
           unified_blit_is_inside(unified_blit_position(b->u0, ONE, b->area.x0 - b->x0) >> FRACTION, width,
                                  b->source.width) &&
           unified_blit_is_inside(unified_blit_position(b->v0, ONE, b->area.y0 - b->y0) >> FRACTION, height,
                                  b->source.height);
}

/* Some of rows [y, y + rows), from the top or from the bottom on: how many, 0 if they overlap with their source. */
static uint64_t draw_plain(const struct unified_blit *b, int64_t y, uint64_t rows) {
    struct surface_point to = {(uint64_t)b->area.x0, (uint64_t)y, 0};
    struct surface_point from = {(uint64_t)(unified_blit_position(b->u0, ONE, b->area.x0 - b->x0) >> FRACTION),
                                 (uint64_t)(unified_blit_position(b->v0, ONE, y - b->y0) >> FRACTION), 0};
    return unified_copy(b->operation.call, &b->operation.destination, to, &b->source, from,
                        (uint64_t)(b->area.x1 - b->area.x0), rows, b->bottom_to_top);
}

/* Rows [first, first + count) in their order. */
static bool unified_blit_draw_rows(const struct unified_blit *b, uint64_t first, uint64_t count) {
    bool plain = is_plain(b);
    for (uint64_t i = 0, done; i < count; i += done) {
        int64_t above = (int64_t)(first + i), left = (int64_t)(count - i);
        int64_t y = b->bottom_to_top ? b->area.y1 - above - left : b->area.y0 + above;
        done = plain ? draw_plain(b, y, (uint64_t)left) : 0;
        assert(done <= (uint64_t)left);
        if (done)
            continue;
        if (!unified_blit_draw_row(b, b->bottom_to_top ? y + left - 1 : y))
            return false;
        done = 1;
    }
    return true;
}

/* ---- the launch ---- */

#define FILTERED_COST 640u /* of a pixel between four texels */

/* Rows that are copied go by whole gobs; on the same surface they may overlap, and then they do not. */
static uint64_t unified_blit_row_cost(const struct unified_blit *b) {
    const struct unified_operation *op = &b->operation;
    uint64_t pixels = (uint64_t)(b->area.x1 - b->area.x0), cost = operation_cost(op, &b->conversion);
    if (is_plain(b) && b->source.surface.address != op->destination.surface.address)
        return WORK_LINE_BYTES + pixels * pixels_bytes(&op->destination.pixels);
    return WORK_ROW_BYTES + pixels * (cost + (b->bilinear ? FILTERED_COST : 0));
}

/* The texels of a line of samples, on the way there and back. */
static void unified_blit_texels(const struct unified_blit *b, int64_t first, int64_t last, uint32_t size,
                                uint32_t *from, uint32_t *count) {
    uint32_t low = unified_blit_texel(first < last ? first : last, 0, size);
    uint32_t high = unified_blit_texel(first < last ? last : first, b->bilinear, size);
    assert(low <= high);
    *from = low;
    *count = high - low + 1;
}

static void unified_blit_tell(const struct call *call, const struct unified_blit *b) {
    const struct rectangle *r = &b->area;
    struct unified_area to = {(uint32_t)r->x0, (uint32_t)r->y0, 0, 0}, from;
    if (!rectangle_is_empty(r)) {
        to.width = (uint32_t)(r->x1 - r->x0);
        to.height = (uint32_t)(r->y1 - r->y0);
        unified_blit_texels(b, unified_blit_position(b->u0, b->du, r->x0 - b->x0),
                            unified_blit_position(b->u0, b->du, r->x1 - 1 - b->x0), b->source.width, &from.x,
                            &from.width);
        unified_blit_texels(b, unified_blit_position(b->v0, b->dv, r->y0 - b->y0),
                            unified_blit_position(b->v0, b->dv, r->y1 - 1 - b->y0), b->source.height, &from.y,
                            &from.height);
        unified_has_read(call, "blit", &b->source, &from);
    }
    unified_done(call, "blit", &b->operation.destination, &to);
}

static enum action_result unified_blit_launch(struct call *call) {
    struct unified_blit b = {.bilinear = false};
    if (!unified_allowed(call) || !unified_blit_set_up(call, &b))
        return ACTION_DONE;
    assert(b.area.y0 <= b.area.y1);
    uint64_t rows = (uint64_t)(b.area.y1 - b.area.y0);
    struct work_slice slice = work_slice(call, rows, unified_blit_row_cost(&b));
    uint64_t before = b.bottom_to_top ? 0 - (uint64_t)b.area.y1 : (uint64_t)b.area.y0;
    if (is_plain(&b))
        work_slice_align(&slice, before, layout_block_lines(&b.operation.destination.surface.layout));
    if (!unified_blit_draw_rows(&b, slice.first, slice.count))
        return unified_stopped(call);
    if (!work_advance(call, &slice))
        return ACTION_STALL;
    unified_blit_tell(call, &b);
    return ACTION_DONE;
}

#define ACTIONS(name, class)                                                                                           \
    const struct action name[] = {                                                                                     \
        {.method = LAUNCH, .type = ACTION_EFFECT, .run = unified_blit_launch, .argument = &(class)}, {0}}

ACTIONS(unified_tesla_blit_actions, unified_tesla);
ACTIONS(unified_fermi_blit_actions, unified_fermi);
