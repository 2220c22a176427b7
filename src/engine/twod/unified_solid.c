/* SPDX-License-Identifier: MIT */
/*
 * Solid primitives. A vertex is a write of 0x5e0, or of the y of one of the 64 at 0x600; the last one of a primitive
 * draws it.
 *
 *   rectangle   from its first corner up to but without the opposite one
 *   triangle    pixels whose centres are inside, or on an upper or left edge; vertices are centres of pixels
 *   line        Bresenham's, without its last pixel; TIE_BREAK_BITS 0x58c say whether the minor axis steps at one half
 *   polyline    each vertex ends a line and begins the next
 *
 * UNKNOWN: a rectangle whose second corner is not below and right of its first; chosen: the one between them.
 */
#include <assert.h>

#include "engine/core/error.h"
#include "engine/twod/unified_operation.h"
#include "engine/core/work.h"
#include "methods/gf100_2d.h"

enum {
    LONG_COLORS = GF100_2D_SET_RENDER_SOLID_PRIM_COLOR0,
    MODE = GF100_2D_RENDER_SOLID_PRIM_MODE,
    COLOR_FORMAT = GF100_2D_SET_RENDER_SOLID_PRIM_COLOR_FORMAT,
    COLOR = GF100_2D_SET_RENDER_SOLID_PRIM_COLOR,
    TIE_BREAK = GF100_2D_SET_RENDER_SOLID_LINE_TIE_BREAK_BITS,
    POINT_16 = GF100_2D_RENDER_SOLID_PRIM_POINT_X_Y
};
enum { MODE_POINTS, MODE_LINES, MODE_POLYLINE, MODE_TRIANGLES, MODE_RECTANGLES, MODES };

static const uint8_t vertices_of[MODES] = {1, 2, 2, 3, 2};

struct point {
    int64_t x, y;
};

struct solid {
    struct unified_operation operation;
    struct pixels_conversion conversion;
    struct pixels pixels;
    uint32_t mode, tie_break;
    struct point vertex[3];
    struct rectangle rows;           /* that it may reach, clipped; of lines and polylines: along the major axis */
    uint8_t color[PIXELS_MAX_BYTES]; /* in the destination's format, for copies */
    uint8_t source[OPERATION_CHUNK * PIXELS_MAX_BYTES];
};

/* ---- colour ---- */

static bool unified_solid_set_color(struct solid *solid, const struct call *call) {
    uint32_t code = call_value(call, COLOR_FORMAT) & 0xff;
    bool is_legal = code >= 0xc0 && (unified_class(call)->solids >> (code - 0xc0) & 1);
    if (!is_legal || !pixels_of(code, &solid->pixels)) {
        call_error(call, ENGINE_ERROR_2D_FORMAT);
        return false;
    }
    unsigned bytes = pixels_bytes(&solid->pixels);
    for (unsigned i = 0; i < 4; i++)
        store_le32(solid->source + 4 * i, call_value(call, bytes > 4 ? LONG_COLORS + 4 * i : COLOR));
    for (unsigned i = 1; i < OPERATION_CHUNK; i++)
        memcpy(solid->source + (size_t)i * bytes, solid->source, bytes);
    solid->conversion = pixels_conversion(&solid->pixels, &solid->operation.destination.pixels);
    pixels_convert(&solid->conversion, solid->source, solid->color, 1);
    return true;
}

/* Pixels of one color in a rectangle, as far as they are within the clip rectangle. */
static bool fill(const struct solid *solid, struct rectangle area) {
    const struct unified_operation *op = &solid->operation;
    area = rectangle_clip(area, &op->clip);
    return rectangle_is_empty(&area) ||
           unified_fill(op->call, &op->destination, (uint32_t)area.x0, (uint32_t)area.y0, solid->color,
                        (uint32_t)(area.x1 - area.x0), (uint32_t)(area.y1 - area.y0));
}

/* Pixels [x0, x1) of a line. */
static bool draw_span(const struct solid *solid, int64_t x0, int64_t x1, int64_t y) {
    const struct unified_operation *op = &solid->operation;
    struct rectangle span = {x0, y, x1, y + 1};
    if (operation_is_copy(op))
        return fill(solid, span);
    span = rectangle_clip(span, &op->clip);
    if (rectangle_is_empty(&span))
        return true;
    uint32_t x = (uint32_t)span.x0, count = (uint32_t)(span.x1 - span.x0), piece;
    struct pixel_row row = {.conversion = &solid->conversion, .pixels = solid->source};
    for (; count; x += piece, count -= piece) {
        piece = count < OPERATION_CHUNK ? count : OPERATION_CHUNK;
        if (!operation_row(op, &row, x, (uint32_t)y, piece))
            return false;
    }
    return true;
}

/* ---- shapes: rows [first, first + count) of solid->rows ---- */

static uint64_t distance(int64_t a, int64_t b) {
    return a < b ? (uint64_t)(b - a) : (uint64_t)(a - b);
}

static int64_t unified_solid_least(int64_t a, int64_t b) {
    return a < b ? a : b;
}

static int64_t most(int64_t a, int64_t b) {
    return a > b ? a : b;
}

static void order(int64_t *a, int64_t *b) {
    int64_t low = unified_solid_least(*a, *b), high = most(*a, *b);
    *a = low;
    *b = high;
}

/* Where an edge crosses a line: the first pixel that is not left of it. a is above b; both distances fit 32 bits. */
static int64_t edge_x(struct point a, struct point b, int64_t y) {
    uint64_t way = distance(a.y, y) * distance(a.x, b.x), height = distance(a.y, b.y);
    assert(height > 0);
    uint64_t whole = way / height, rest = way % height;
    return b.x < a.x ? a.x - (int64_t)whole : a.x + (int64_t)whole + (rest != 0);
}

static void sort_by_y(struct point p[3]) {
    for (unsigned i = 0; i < 3; i++) {
        unsigned at = i == 1 ? 1 : 0;
        if (p[at].y > p[at + 1].y) {
            struct point swapped = p[at];
            p[at] = p[at + 1];
            p[at + 1] = swapped;
        }
    }
    assert(p[0].y <= p[1].y && p[1].y <= p[2].y);
}

/* The pixels of a triangle in line y, which is between its first and its last, exclusive. */
static void triangle_span(const struct point p[3], int64_t y, int64_t *x0, int64_t *x1) {
    *x0 = edge_x(p[0], p[2], y);
    *x1 = y < p[1].y ? edge_x(p[0], p[1], y) : edge_x(p[1], p[2], y);
    order(x0, x1);
}

static bool unified_solid_draw_rows(const struct solid *solid, int64_t from, int64_t to) {
    if (solid->mode == MODE_RECTANGLES && operation_is_copy(&solid->operation))
        return fill(solid, (struct rectangle){solid->rows.x0, from, solid->rows.x1, to});
    for (int64_t y = from; y < to; y++) {
        int64_t x0 = solid->rows.x0, x1 = solid->rows.x1;
        if (solid->mode == MODE_TRIANGLES)
            triangle_span(solid->vertex, y, &x0, &x1);
        if (!draw_span(solid, x0, x1, y))
            return false;
    }
    return true;
}

/* ---- lines ---- */

struct solid_line {
    struct point from, to;
    bool x_major, steps_at_half;
};

static struct solid_line unified_solid_line_of(const struct solid *solid) {
    struct solid_line line = {.from = solid->vertex[0], .to = solid->vertex[1]};
    line.x_major = distance(line.from.x, line.to.x) >= distance(line.from.y, line.to.y);
    bool falls = (line.to.x < line.from.x) != (line.to.y < line.from.y); /* x decreases where y increases */
    line.steps_at_half = solid->tie_break >> ((line.x_major ? 0 : 8) + (falls ? 4 : 0)) & 1;
    /* Along y, a step is towards where x goes as y increases. */
    if (!line.x_major && falls)
        line.steps_at_half = !line.steps_at_half;
    return line;
}

/* The other coordinate: the nearest; of two, the larger if the line steps there. Distances fit 32 bits. */
static int64_t line_minor(const struct solid_line *line, int64_t major) {
    int64_t from = line->x_major ? line->from.x : line->from.y, to = line->x_major ? line->to.x : line->to.y;
    int64_t start = line->x_major ? line->from.y : line->from.x, end = line->x_major ? line->to.y : line->to.x;
    uint64_t length = distance(from, to);
    if (length == 0)
        return start;
    uint64_t way = distance(from, major) * distance(start, end);
    uint64_t whole = way / length, twice = way % length * 2;
    bool up = end > start;
    if (twice > length || (twice == length && up == line->steps_at_half))
        whole++;
    return up ? start + (int64_t)whole : start - (int64_t)whole;
}

static bool unified_solid_draw_line(const struct solid *solid, int64_t from, int64_t to) {
    struct solid_line line = unified_solid_line_of(solid);
    while (from < to) {
        int64_t minor = line_minor(&line, from), end = from + 1;
        while (line.x_major && end < to && line_minor(&line, end) == minor)
            end++;
        if (!(line.x_major ? draw_span(solid, from, end, minor) : draw_span(solid, minor, minor + 1, from)))
            return false;
        from = end;
    }
    return true;
}

/* ---- a draw ---- */

/* Coordinates along the major axis, without the line's last. */
static void line_rows(struct solid *solid) {
    struct solid_line line = unified_solid_line_of(solid);
    int64_t from = line.x_major ? line.from.x : line.from.y, to = line.x_major ? line.to.x : line.to.y;
    const struct rectangle *clip = &solid->operation.clip;
    int64_t first = from <= to ? from : to + 1, end = from <= to ? to : from + 1;
    solid->rows.y0 = most(first, line.x_major ? clip->x0 : clip->y0);
    solid->rows.y1 = unified_solid_least(end, line.x_major ? clip->x1 : clip->y1);
}

static void set_rows(struct solid *solid) {
    struct point *p = solid->vertex;
    switch (solid->mode) {
    case MODE_POINTS:
        solid->rows = (struct rectangle){p[0].x, p[0].y, p[0].x + 1, p[0].y + 1};
        break;
    case MODE_RECTANGLES:
        order(&p[0].x, &p[1].x);
        order(&p[0].y, &p[1].y);
        solid->rows = (struct rectangle){p[0].x, p[0].y, p[1].x, p[1].y};
        break;
    case MODE_TRIANGLES:
        sort_by_y(p);
        solid->rows.x0 = unified_solid_least(p[0].x, unified_solid_least(p[1].x, p[2].x));
        solid->rows.x1 = most(p[0].x, most(p[1].x, p[2].x));
        solid->rows.y0 = p[0].y;
        solid->rows.y1 = p[2].y;
        break;
    default:
        line_rows(solid);
        return;
    }
    solid->rows = rectangle_clip(solid->rows, &solid->operation.clip);
    if (rectangle_is_empty(&solid->rows))
        solid->rows.y1 = solid->rows.y0;
}

static bool is_line(const struct solid *solid) {
    return solid->mode == MODE_LINES || solid->mode == MODE_POLYLINE;
}

/* A pixel of a line may be a row of its own. */
#define LINE_COST 1536u

static uint64_t unified_solid_row_cost(const struct solid *solid) {
    const struct unified_operation *op = &solid->operation;
    uint64_t pixels = (uint64_t)most(solid->rows.x1 - solid->rows.x0, 0);
    if (is_line(solid))
        return LINE_COST + operation_cost(op, &solid->conversion);
    if (!operation_is_copy(op))
        return WORK_ROW_BYTES + pixels * operation_cost(op, &solid->conversion);
    return (solid->mode == MODE_RECTANGLES ? WORK_LINE_BYTES : WORK_ROW_BYTES) +
           pixels * pixels_bytes(&op->destination.pixels);
}

/* Of a line, everything: nobody has looked for where it leaves the clip rectangle. */
static struct unified_area area_of(const struct solid *solid) {
    const struct unified_surface *to = &solid->operation.destination;
    const struct rectangle *rows = &solid->rows;
    if (is_line(solid))
        return (struct unified_area){0, 0, to->width, to->height};
    if (rectangle_is_empty(rows))
        return (struct unified_area){(uint32_t)rows->x0, (uint32_t)rows->y0, 0, 0};
    return (struct unified_area){(uint32_t)rows->x0, (uint32_t)rows->y0, (uint32_t)(rows->x1 - rows->x0),
                                 (uint32_t)(rows->y1 - rows->y0)};
}

static enum action_result unified_solid_draw(const struct call *call, struct solid *solid) {
    if (!unified_allowed(call) || !operation_begin(&solid->operation, call) || !unified_solid_set_color(solid, call))
        return ACTION_DONE;
    solid->tie_break = call_value(call, TIE_BREAK);
    set_rows(solid);
    uint64_t rows = solid->rows.y0 < solid->rows.y1 ? (uint64_t)(solid->rows.y1 - solid->rows.y0) : 0;
    struct work_slice slice = work_slice(call, rows, unified_solid_row_cost(solid));
    if (solid->mode == MODE_RECTANGLES)
        work_slice_align(&slice, (uint64_t)solid->rows.y0,
                         layout_block_lines(&solid->operation.destination.surface.layout));
    int64_t from = solid->rows.y0 + (int64_t)slice.first, to = from + (int64_t)slice.count;
    if (!(is_line(solid) ? unified_solid_draw_line(solid, from, to) : unified_solid_draw_rows(solid, from, to)))
        return unified_stopped(call);
    if (!work_advance(call, &slice))
        return ACTION_STALL;
    const struct unified_area area = area_of(solid);
    unified_done(call, "fill", &solid->operation.destination, &area);
    return ACTION_DONE;
}

/* ---- vertices ---- */

/* The registers change only when the draw is over: until then the method comes again. */
static enum action_result vertex(const struct call *call, int32_t x, int32_t y) {
    uint32_t *waiting = unified_extra(call) + UNIFIED_POINTS, *kept = unified_extra(call) + UNIFIED_POINT;
    struct solid solid = {.mode = call_value(call, MODE) & 7};
    if (solid.mode >= MODES)
        return call_error(call, ENGINE_ERROR_INVALID_ENUM);
    uint32_t count = vertices_of[solid.mode] - 1u < *waiting ? vertices_of[solid.mode] - 1u : *waiting;
    for (uint32_t i = 0; i < count; i++)
        solid.vertex[i] = (struct point){(int32_t)kept[2 * i], (int32_t)kept[2 * i + 1]};
    assert(count < sizeof solid.vertex / sizeof solid.vertex[0]);
    solid.vertex[count] = (struct point){x, y};
    bool complete = count + 1 == vertices_of[solid.mode];
    if (complete && unified_solid_draw(call, &solid) == ACTION_STALL)
        return ACTION_STALL;
    *waiting = complete ? 0 : count + 1;
    if (complete && solid.mode == MODE_POLYLINE) {
        *waiting = 1;
        count = 0;
    }
    if (*waiting) {
        assert(count < 2);
        kept[2 * count] = (uint32_t)x;
        kept[2 * count + 1] = (uint32_t)y;
    }
    return ACTION_DONE;
}

static enum action_result unified_solid_set_mode(struct call *call) {
    unified_extra(call)[UNIFIED_POINTS] = 0;
    return ACTION_DONE;
}

static enum action_result point_16(struct call *call) {
    return vertex(call, (int16_t)call->data, (int16_t)(call->data >> 16));
}

static enum action_result point_32(struct call *call) {
    return vertex(call, (int32_t)call_value(call, call->method - 4u), (int32_t)call->data);
}

#define ACTIONS(name, class)                                                                                           \
    const struct action name[] = {                                                                                     \
        {.method = MODE, .type = ACTION_INSIDE, .run = unified_solid_set_mode, .argument = &(class)},                  \
        {.method = POINT_16, .type = ACTION_EFFECT, .run = point_16, .argument = &(class)},                            \
        {.method = GF100_2D_RENDER_SOLID_PRIM_POINT_Y(0),                                                              \
         .count = 64,                                                                                                  \
         .stride = 8,                                                                                                  \
         .type = ACTION_EFFECT,                                                                                        \
         .run = point_32,                                                                                              \
         .argument = &(class)},                                                                                        \
        {0}}

ACTIONS(unified_tesla_solid_actions, unified_tesla);
ACTIONS(unified_fermi_solid_actions, unified_fermi);
