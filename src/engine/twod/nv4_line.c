/* SPDX-License-Identifier: MIT */
/*
 * LIN (1c, 5c ..): lines without their last point, polylines, polylines with a colour for each point.
 *
 *   0x400 + 8 i    two points              0x500 + 4 i    polyline
 *   0x480 + 16 i   the same in 32 bits     0x580 + 8 i    polyline in 32 bits
 *                                          0x600 + 8 i    polyline: colour, point
 *
 * A line is Bresenham's, in the direction in which the minor coordinate grows; a tie makes it grow.
 *
 * Sources: envytools docs/hw/graph/2d/solid.rst, hwtest/pgraph_class_solid.cc.
 */
#include <assert.h>
#include <stdlib.h>

#include "engine/kinds.h"
#include "engine/twod/nv4_solid.h"
#include "engine/core/work.h"
#include "methods/nv1_2d.h"

#define STEP_BYTES 64u /* what a pixel of a line costs that is not drawn, as work.h counts */

struct nv4_line {
    struct nv4_point from, to;  /* of the walk, from the smaller minor coordinate on */
    struct nv4_point omitted;   /* the second end point */
    bool along_x;               /* x is the major coordinate */
    int32_t major, minor, step; /* lengths, direction of the major coordinate */
};

static struct nv4_line nv4_line_line_of(struct nv4_point first, struct nv4_point second) {
    int32_t dx = abs(first.x - second.x), dy = abs(first.y - second.y);
    struct nv4_line line = {first, second, second, dx > dy, dx > dy ? dx : dy, dx > dy ? dy : dx, 1};
    bool turned = line.along_x ? second.y < first.y : second.x < first.x;
    if (turned) {
        line.from = second;
        line.to = first;
    }
    bool grows = line.along_x ? line.to.x > line.from.x : line.to.y > line.from.y;
    line.step = grows ? 1 : -1;
    assert(0 <= line.minor && line.minor <= line.major);
    return line;
}

/* A horizontal piece of a line, from x = a to x = b in any order, without the point that is omitted. */
static bool nv4_line_draw_piece(struct nv4_draw *draw, const struct nv4_line *line, int32_t a, int32_t b, int32_t y,
                                uint32_t color) {
    int32_t left = a < b ? a : b, right = a < b ? b : a;
    if (line->omitted.y == y && line->omitted.x == left)
        left++;
    else if (line->omitted.y == y && line->omitted.x == right)
        right--;
    return right < left || nv4_draw_row(draw, left, y, &color, 0, (uint32_t)(right - left + 1));
}

/* Pixels of a row in one piece. */
static bool walk(struct nv4_draw *draw, const struct nv4_line *line, uint32_t color) {
    struct nv4_point at = line->from;
    int32_t error = 0, begin = at.x;
    for (int32_t i = 0; i <= line->major; i++) {
        bool minor_grows = error >= line->major && line->major > 0;
        if (minor_grows)
            error -= 2 * line->major;
        if (i > 0 && (minor_grows || !line->along_x)) { /* another row, or another column of a steep line */
            if (!nv4_line_draw_piece(draw, line, begin, at.x, at.y, color))
                return false;
            begin = line->along_x ? at.x + line->step : at.x + minor_grows;
        }
        at.y += line->along_x ? minor_grows : i > 0 ? line->step : 0;
        at.x += !line->along_x ? minor_grows : i > 0 ? line->step : 0;
        error += 2 * line->minor;
    }
    return nv4_line_draw_piece(draw, line, begin, at.x, at.y, color);
}

static struct nv4_box nv4_line_box(const struct nv4_line *line) {
    const struct nv4_point *a = &line->from, *b = &line->to;
    return (struct nv4_box){a->x < b->x ? a->x : b->x, a->y < b->y ? a->y : b->y, (a->x < b->x ? b->x : a->x) + 1,
                            (a->y < b->y ? b->y : a->y) + 1};
}

static enum action_result nv4_line_draw_line(struct call *call, struct nv4_point second) {
    struct nv4_point first = nv4_solid_point(call, 0);
    struct nv4_line line = nv4_line_line_of(first, second);
    struct nv4_draw draw;
    uint32_t color;
    if (!nv4_solid_open(call, call->action->argument, &draw, &color))
        return ACTION_DONE;
    nv4_solid_push(call, second);
    bool drawn = walk(&draw, &line, color);
    draw.cost += (uint64_t)line.major * STEP_BYTES;
    if (!drawn)
        return nv4_draw_fault(call, &draw);
    work_costs(call, draw.cost + WORK_START_BYTES);
    nv4_draw_tell(call, "line", &draw, nv4_line_box(&line));
    call_done(call, "line", nv4_draw_address(&draw, first.x, first.y), (uint64_t)line.major * draw.format->bytes);
    return ACTION_DONE;
}

static enum action_result line_to(struct call *call, struct nv4_point point) {
    if (nv4_solid_points(call) == 0)
        return call_invalid_state(call, call->method, "the point before it was never set");
    return nv4_line_draw_line(call, point);
}

static enum action_result polyline_to(struct call *call, struct nv4_point point) {
    if (nv4_solid_points(call))
        return nv4_line_draw_line(call, point);
    nv4_solid_push(call, point);
    return ACTION_DONE;
}

static enum action_result line_16(struct call *call) {
    return line_to(call, nv4_point_16(call));
}

static enum action_result line_32(struct call *call) {
    return line_to(call, nv4_point_32(call));
}

static enum action_result polyline_16(struct call *call) {
    return polyline_to(call, nv4_point_16(call));
}

static enum action_result polyline_32(struct call *call) {
    return polyline_to(call, nv4_point_32(call));
}

/* clang-format off */
#define LINE_ACTIONS(slots)                                                                                            \
    NV4_FORMAT_AT(NV4_LIN_COLOR_FORMAT, slots), NV4_SOLID_ROW(NV4_LIN_COLOR, 1, 4, nv4_solid_color),                                          \
    NV4_SOLID_ROW(NV4_LIN_LINE_XY_0(0), 16, 8, nv4_solid_first_16), NV4_SOLID_DRAWS(NV4_LIN_LINE_XY_1(0), 16, 8, line_16, slots),                    \
    NV4_SOLID_ROW(NV4_LIN_LINE32_Y_0(0), 8, 16, nv4_solid_first_32), NV4_SOLID_DRAWS(NV4_LIN_LINE32_Y_1(0), 8, 16, line_32, slots),                    \
    NV4_SOLID_DRAWS(NV4_LIN_POLYLINE_XY(0), 32, 4, polyline_16, slots), NV4_SOLID_DRAWS(NV4_LIN_POLYLINE32_Y(0), 16, 8, polyline_32, slots),              \
    NV4_SOLID_ROW(NV4_LIN_CPOLYLINE_COLOR(0), 16, 8, nv4_solid_color), NV4_SOLID_DRAWS(NV4_LIN_CPOLYLINE_XY(0), 16, 8, polyline_16, slots), {0}
/* clang-format on */

static const struct action actions[] = {NV4_BINDS(NV4_LIN_CLIP, 6, nv4_solid_slots),
                                        NV4_OPERATION_AT(NV4_LIN_OPERATION), LINE_ACTIONS(nv4_solid_slots)};
static const struct action old_actions[] = {NV4_BINDS(NV1_LIN_CLIP, 5, nv4_old_solid_slots),
                                            NV4_OLD_OPERATION_AT(NV1_LIN_OPERATION), LINE_ACTIONS(nv4_old_solid_slots)};

NV4_KIND(kind_nv4_line, "line", NV4_SOLID_EXTRA, actions);
NV4_KIND(kind_nv4_old_line, "line", NV4_SOLID_EXTRA, old_actions);
