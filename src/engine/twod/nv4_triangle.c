/* SPDX-License-Identifier: MIT */
/*
 * TRI (1d, 5d): triangles, meshes (each point makes a triangle with the two before it), and both with colours.
 *
 *   0x310 + 4 i    three points            0x400 + 4 i    mesh
 *   0x320 + 8 i    the same in 32 bits     0x480 + 8 i    mesh in 32 bits
 *   0x500 + 16 i   colour, three points    0x580 + 8 i    mesh: colour, point
 *
 * A pixel is drawn if its centre is inside, or on an edge that is a left one, or a horizontal one at the top.
 *
 * Sources: envytools docs/hw/graph/2d/solid.rst, hwtest/pgraph_class_solid.cc.
 */
#include <assert.h>

#include "engine/kinds.h"
#include "engine/twod/nv4_solid.h"
#include "engine/core/work.h"
#include "methods/nv1_2d.h"

struct triangle {
    struct nv4_point corner[3]; /* clockwise on the screen */
    struct nv4_box box;
};

static int64_t cross(const struct nv4_point *p) {
    return (int64_t)(p[1].x - p[0].x) * (p[2].y - p[0].y) - (int64_t)(p[2].x - p[0].x) * (p[1].y - p[0].y);
}

static int32_t smallest(int32_t a, int32_t b, int32_t c) {
    int32_t least = a < b ? a : b;
    return least < c ? least : c;
}

/* False: it has no inside. */
static bool triangle_of(struct nv4_point a, struct nv4_point b, struct nv4_point c, struct triangle *triangle) {
    struct nv4_point p[3] = {a, b, c};
    int64_t area = cross(p);
    *triangle = (struct triangle){.corner = {a, area < 0 ? c : b, area < 0 ? b : c}};
    assert(cross(triangle->corner) >= 0);
    triangle->box = (struct nv4_box){smallest(a.x, b.x, c.x), smallest(a.y, b.y, c.y), -smallest(-a.x, -b.x, -c.x),
                                     -smallest(-a.y, -b.y, -c.y)};
    return area != 0;
}

/* Rounded up; below > 0. */
static int64_t divide_up(int64_t above, int64_t below) {
    assert(below > 0);
    return above > 0 ? (above + below - 1) / below : -(-above / below);
}

/* The part of a row that is on the inner side of an edge: cuts [*left, *right). */
static void cut(struct nv4_point from, struct nv4_point to, int32_t y, int64_t *left, int64_t *right) {
    int64_t dx = to.x - from.x, dy = to.y - from.y, down = y - from.y;
    if (dy > 0) { /* on the right: the edge itself is outside */
        int64_t end = from.x + divide_up(dx * down, dy);
        *right = end < *right ? end : *right;
    } else if (dy < 0) {
        int64_t begin = from.x + divide_up(-dx * down, -dy);
        *left = begin > *left ? begin : *left;
    } else if (dx * down < 0 || (down == 0 && dx < 0)) {
        *right = *left;
    }
}

static bool nv4_triangle_draw_rows(struct nv4_draw *draw, const struct triangle *triangle, int32_t y, int32_t end,
                                   uint32_t color) {
    for (; y < end; y++) {
        int64_t left = triangle->box.left, right = (int64_t)triangle->box.right + 1;
        for (unsigned i = 0; i < 3; i++)
            cut(triangle->corner[i], triangle->corner[(i + 1) % 3], y, &left, &right);
        if (left < right && !nv4_draw_row(draw, (int32_t)left, y, &color, 0, (uint32_t)(right - left)))
            return false;
    }
    return true;
}

static enum action_result draw_triangle(struct call *call, struct nv4_point third) {
    struct nv4_draw draw;
    struct triangle triangle;
    uint32_t color;
    if (!nv4_solid_open(call, call->action->argument, &draw, &color))
        return ACTION_DONE;
    bool inside = triangle_of(nv4_solid_point(call, 1), nv4_solid_point(call, 0), third, &triangle);
    struct nv4_box box = nv4_clipped(&draw, triangle.box);
    uint64_t rows = inside && !nv4_box_empty(&box) ? (uint64_t)(box.bottom - box.top) : 0;
    uint64_t width = rows ? (uint64_t)(box.right - box.left) : 0;
    struct work_slice slice = work_slice(call, rows, nv4_draw_cost(&draw, 0, width));
    int32_t first = box.top + (int32_t)slice.first;
    if (!nv4_triangle_draw_rows(&draw, &triangle, first, first + (int32_t)slice.count, color)) {
        nv4_solid_push(call, third);
        return nv4_draw_fault(call, &draw);
    }
    if (!work_advance(call, &slice))
        return ACTION_STALL;
    nv4_solid_push(call, third);
    nv4_draw_tell(call, "triangle", &draw, box);
    call_done(call, "triangle", nv4_draw_address(&draw, box.left, box.top), width * rows * draw.format->bytes / 2);
    return ACTION_DONE;
}

static enum action_result triangle_to(struct call *call, struct nv4_point point) {
    if (nv4_solid_points(call) < 2)
        return call_invalid_state(call, call->method, "the points before it were never set");
    return draw_triangle(call, point);
}

static enum action_result mesh_to(struct call *call, struct nv4_point point) {
    if (nv4_solid_points(call) >= 2)
        return draw_triangle(call, point);
    nv4_solid_push(call, point);
    return ACTION_DONE;
}

static enum action_result triangle_16(struct call *call) {
    return triangle_to(call, nv4_point_16(call));
}

static enum action_result triangle_32(struct call *call) {
    return triangle_to(call, nv4_point_32(call));
}

static enum action_result mesh_16(struct call *call) {
    return mesh_to(call, nv4_point_16(call));
}

static enum action_result mesh_32(struct call *call) {
    return mesh_to(call, nv4_point_32(call));
}

/* clang-format off */
#define TRIANGLE_ACTIONS(slots)                                                                                        \
    NV4_FORMAT_AT(NV4_TRI_COLOR_FORMAT, slots), NV4_SOLID_ROW(NV4_TRI_COLOR, 1, 4, nv4_solid_color),                                          \
    NV4_SOLID_ROW(NV4_TRI_TRIANGLE_XY_0, 1, 4, nv4_solid_first_16), NV4_SOLID_ROW(NV4_TRI_TRIANGLE_XY_1, 1, 4, nv4_solid_next_16),                     \
    NV4_SOLID_DRAWS(NV4_TRI_TRIANGLE_XY_2, 1, 4, triangle_16, slots),                                                                  \
    NV4_SOLID_ROW(NV4_TRI_TRIANGLE32_Y_0, 1, 4, nv4_solid_first_32), NV4_SOLID_ROW(NV4_TRI_TRIANGLE32_Y_1, 1, 4, nv4_solid_next_32),                     \
    NV4_SOLID_DRAWS(NV4_TRI_TRIANGLE32_Y_2, 1, 4, triangle_32, slots),                                                                  \
    NV4_SOLID_DRAWS(NV4_TRI_TRIMESH_XY(0), 32, 4, mesh_16, slots), NV4_SOLID_DRAWS(NV4_TRI_TRIMESH32_Y(0), 16, 8, mesh_32, slots),                      \
    NV4_SOLID_ROW(NV4_TRI_CTRIANGLE_COLOR(0), 8, 16, nv4_solid_color), NV4_SOLID_ROW(NV4_TRI_CTRIANGLE_XY_0(0), 8, 16, nv4_solid_first_16),                     \
    NV4_SOLID_ROW(NV4_TRI_CTRIANGLE_XY_1(0), 8, 16, nv4_solid_next_16), NV4_SOLID_DRAWS(NV4_TRI_CTRIANGLE_XY_2(0), 8, 16, triangle_16, slots),                 \
    NV4_SOLID_ROW(NV4_TRI_CTRIMESH_COLOR(0), 16, 8, nv4_solid_color), NV4_SOLID_DRAWS(NV4_TRI_CTRIMESH_XY(0), 16, 8, mesh_16, slots), {0}
/* clang-format on */

static const struct action actions[] = {NV4_BINDS(NV4_TRI_CLIP, 6, nv4_solid_slots),
                                        NV4_OPERATION_AT(NV4_TRI_OPERATION), TRIANGLE_ACTIONS(nv4_solid_slots)};
static const struct action old_actions[] = {NV4_BINDS(NV1_TRI_CLIP, 5, nv4_old_solid_slots),
                                            NV4_OLD_OPERATION_AT(NV1_TRI_OPERATION),
                                            TRIANGLE_ACTIONS(nv4_old_solid_slots)};

NV4_KIND(kind_nv4_triangle, "triangle", NV4_SOLID_EXTRA, actions);
NV4_KIND(kind_nv4_old_triangle, "triangle", NV4_SOLID_EXTRA, old_actions);
