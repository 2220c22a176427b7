/* SPDX-License-Identifier: MIT */
/*
 * What a primitive covers, as edges: a triangle has three of them, wide lines and points have four.
 *
 * Rules: Direct3D 11.3 functional specification 3.4 (top-left, diamond exit), OpenGL 4.6 chapter 14; which registers
 * choose among them: NVIDIA open-gpu-doc clb197.h, Mesa src/gallium/drivers/nouveau/nvc0/nvc0_state.c.
 */
#include <assert.h>
#include <math.h>

#include "engine/draw/raster.h"

static int32_t floor_pixel(int64_t grid) {
    return (int32_t)(grid >> DRAW_SUBPIXELS);
}

static int64_t least(int64_t a, int64_t b) {
    return a < b ? a : b;
}

static int64_t most(int64_t a, int64_t b) {
    return a > b ? a : b;
}

static int64_t grid_of(double pixels) {
    return (int64_t)rint(pixels * RASTER_UNIT);
}

/*
 * The edge from p to q of a polygon that lies at its side of greater values. A sample on the edge is inside if it is a
 * left or a top one (the bottom one, with `flip`), so the others begin one step further in.
 */
static struct raster_edge edge_between(struct raster_point p, struct raster_point q,
                                       const struct draw_raster_state *state) {
    int64_t dx = q.x - p.x, dy = q.y - p.y;
    bool inclusive = state->conservative || dy < 0 || (dy == 0 && (state->flip ? dx < 0 : dx > 0));
    return (struct raster_edge){.a = -dy, .b = dx, .c = dy * p.x - dx * p.y - (inclusive ? 0 : 1)};
}

/*
 * Conservative: the pixel at (x, y) is touched if the corner of it that is farthest in is inside of the edge, moved out
 * by half of a step of the grid and by the dilation along both axes. Edges and the box together are exact: a convex
 * polygon and a square that do not meet are apart along a normal of one of their edges.
 */
static void widen_edge(struct raster_edge *edge, unsigned dilation) {
    int64_t a = edge->a < 0 ? -edge->a : edge->a, b = edge->b < 0 ? -edge->b : edge->b;
    edge->c += (edge->a > 0 ? a : 0) * RASTER_UNIT + (edge->b > 0 ? b : 0) * RASTER_UNIT;
    edge->c += (a + b) / 2 + (a + b) * (dilation * (RASTER_UNIT / 4));
}

static int32_t ceiling_pixel(int64_t grid) {
    return (int32_t)(-(-grid >> DRAW_SUBPIXELS));
}

/* UNKNOWN: whether points and lines grow as triangles do; chosen: those that are polygons. */
static void touch_pixels(struct raster_shape *shape, const struct raster_point *p, unsigned count, unsigned dilation) {
    int64_t x0 = p[0].x, x1 = p[0].x, y0 = p[0].y, y1 = p[0].y, more = dilation * (RASTER_UNIT / 4);
    shape->touches = true;
    shape->smooth = false;
    for (unsigned i = 0; i < count; i++) {
        widen_edge(&shape->edge[i], dilation);
        x0 = least(x0, p[i].x);
        x1 = most(x1, p[i].x);
        y0 = least(y0, p[i].y);
        y1 = most(y1, p[i].y);
    }
    shape->box = (struct draw_box){ceiling_pixel(x0 - more) - 1, ceiling_pixel(y0 - more) - 1,
                                   floor_pixel(x1 + more) + 1, floor_pixel(y1 + more) + 1};
}

/* A convex polygon, either way round. False: it has no area. */
static bool set_edges(struct raster_shape *shape, const struct raster_point *p, unsigned count,
                      const struct draw_raster_state *state) {
    assert(count >= 3 && count <= sizeof shape->edge / sizeof shape->edge[0]);
    int64_t area = (p[1].x - p[0].x) * (p[2].y - p[0].y) - (p[2].x - p[0].x) * (p[1].y - p[0].y);
    struct draw_box *box = &shape->box;
    int64_t x0 = p[0].x, x1 = p[0].x, y0 = p[0].y, y1 = p[0].y;
    shape->type = RASTER_EDGES;
    shape->edges = count;
    for (unsigned i = 0; i < count; i++) {
        unsigned next = (i + 1) % count;
        shape->edge[i] = area > 0 ? edge_between(p[i], p[next], state) : edge_between(p[next], p[i], state);
        x0 = least(x0, p[i].x);
        x1 = most(x1, p[i].x);
        y0 = least(y0, p[i].y);
        y1 = most(y1, p[i].y);
    }
    *box = (struct draw_box){floor_pixel(x0), floor_pixel(y0), floor_pixel(x1) + 1, floor_pixel(y1) + 1};
    if (state->conservative)
        touch_pixels(shape, p, count, state->dilation);
    return area != 0;
}

static bool set_rectangle(struct raster_shape *shape, int64_t x0, int64_t y0, int64_t x1, int64_t y1,
                          const struct draw_raster_state *state) {
    const struct raster_point p[4] = {{x0, y0}, {x1, y0}, {x1, y1}, {x0, y1}};
    return set_edges(shape, p, 4, state);
}

bool raster_shape_triangle(struct raster_shape *shape, const struct draw_raster_state *state,
                           const struct raster_point p[3]) {
    *shape = (struct raster_shape){.polygon = true, .smooth = state->polygon_smooth};
    if (!set_edges(shape, p, 3, state))
        return false;
    if (!state->fill_box)
        return true;
    return set_rectangle(shape, least(p[0].x, least(p[1].x, p[2].x)), least(p[0].y, least(p[1].y, p[2].y)),
                         most(p[0].x, most(p[1].x, p[2].x)), most(p[0].y, most(p[1].y, p[2].y)), state);
}

/* ---- lines ---- */

static bool is_y_major(const struct raster_point p[2]) {
    int64_t dx = p[1].x - p[0].x, dy = p[1].y - p[0].y;
    return (dy < 0 ? -dy : dy) > (dx < 0 ? -dx : dx);
}

uint32_t raster_line_length(const struct raster_point p[2]) {
    int64_t from = is_y_major(p) ? p[0].y : p[0].x, to = is_y_major(p) ? p[1].y : p[1].x;
    int64_t pixels = floor_pixel(to) - (int64_t)floor_pixel(from);
    return (uint32_t)(pixels < 0 ? -pixels : pixels);
}

/*
 * The rectangle around a line: strict lines of Vulkan. Smooth ones are longer by half a pixel at both ends.
 * UNKNOWN: how the hardware computes coverage of smooth lines (tables at 0x1670); chosen: the area that is covered.
 */
static bool shape_rectangle_line(struct raster_shape *shape, const struct draw_raster_state *state,
                                 const struct raster_point p[2]) {
    double dx = (double)(p[1].x - p[0].x), dy = (double)(p[1].y - p[0].y), length = sqrt(dx * dx + dy * dy);
    double half = (double)state->line_width / 2, longer = state->line_smooth ? 0.5 : 0;
    if (!(length > 0) || !(half > 0))
        return false;
    half = half < 4096 ? half : 4096;
    dx /= length;
    dy /= length;
    int64_t nx = grid_of(-dy * half), ny = grid_of(dx * half), ex = grid_of(dx * longer), ey = grid_of(dy * longer);
    const struct raster_point corner[4] = {
        {p[0].x - ex - nx, p[0].y - ey - ny},
        {p[1].x + ex - nx, p[1].y + ey - ny},
        {p[1].x + ex + nx, p[1].y + ey + ny},
        {p[0].x - ex + nx, p[0].y - ey + ny},
    };
    shape->smooth = state->line_smooth;
    return set_edges(shape, corner, 4, state);
}

bool raster_shape_line(struct raster_shape *shape, const struct draw_raster_state *state,
                       const struct raster_point p[2]) {
    bool y_major = is_y_major(p);
    *shape = (struct raster_shape){.stipple = state->line_stipple,
                                   .stipple_y = y_major,
                                   .stipple_down = y_major ? p[1].y < p[0].y : p[1].x < p[0].x,
                                   .stipple_from = floor_pixel(y_major ? p[0].y : p[0].x)};
    if (state->line_smooth || state->line_rectangle)
        return shape_rectangle_line(shape, state, p);
    return raster_line_begin(shape, state, p);
}

/* ---- points ---- */

static bool shape_disc(struct raster_shape *shape, const struct draw_state *state, struct raster_point p, double size) {
    shape->type = RASTER_DISC;
    shape->smooth = !state->raster.multisample || state->raster.samples.count == 1;
    shape->center_x = p.x;
    shape->center_y = p.y;
    shape->radius = grid_of(size / 2);
    shape->box = (struct draw_box){floor_pixel(p.x - shape->radius), floor_pixel(p.y - shape->radius),
                                   floor_pixel(p.x + shape->radius) + 1, floor_pixel(p.y + shape->radius) + 1};
    return true;
}

/* Aliased points of OpenGL are squares of whole pixels, with their centre in a pixel or at a corner of pixels. */
static bool shape_whole_point(struct raster_shape *shape, const struct draw_raster_state *state, struct raster_point p,
                              double size) {
    int64_t pixels = (int64_t)rint(size);
    pixels = pixels < 1 ? 1 : pixels;
    int64_t half = pixels & 1 ? 0 : RASTER_UNIT / 2, back = pixels / 2;
    int64_t x = floor_pixel(p.x + half) - back, y = floor_pixel(p.y + half) - back;
    return set_rectangle(shape, x * RASTER_UNIT, y * RASTER_UNIT, (x + pixels) * RASTER_UNIT,
                         (y + pixels) * RASTER_UNIT, state);
}

/* Sizes are multiples of 1/16, so half of one is on the grid. */
bool raster_shape_point(struct raster_shape *shape, const struct draw_state *state, struct raster_point p,
                        double size) {
    const struct draw_raster_state *raster = &state->raster;
    *shape = (struct raster_shape){0};
    if (raster->point_smooth && !raster->point_d3d && !raster->point_sprite)
        return shape_disc(shape, state, p, size);
    if (!raster->point_sprite && !raster->point_d3d && !raster->multisample)
        return shape_whole_point(shape, raster, p, size);
    int64_t half = grid_of(size / 2);
    return set_rectangle(shape, p.x - half, p.y - half, p.x + half, p.y + half, raster);
}
