/* SPDX-License-Identifier: MIT */
/*
 * Aliased lines: the diamond-exit rule (Direct3D 11.3 functional specification 3.4.2, OpenGL 4.6 section 14.5.1).
 *
 * In each column of an x-major line one pixel at most has a diamond that the line leaves: the one whose centre is
 * nearest to the line there. All columns between the ends draw it; those of the ends do if the line touches the diamond
 * and does not end in it. y-major lines are the same with x and y exchanged.
 */
#include <assert.h>
#include <math.h>

#include "engine/draw/raster.h"

#define HALF (RASTER_UNIT / 2)

static int64_t magnitude(int64_t value) {
    return value < 0 ? -value : value;
}

/* The row of the pixel in column `x` that a line of `width` rows begins at. Points on the grid; columns are pixels. */
static int64_t row_at(const struct raster_line *line, int64_t column, int64_t width) {
    const struct raster_point *p = line->p;
    int64_t dx = p[1].x - p[0].x, dy = p[1].y - p[0].y, steps = column * RASTER_UNIT + HALF - p[0].x;
    if (dx < 0) {
        dx = -dx;
        dy = -dy;
    }
    assert(dx > 0);
    /* ceil((y - (width - 1) / 2) / 256) - 1, with y = p0.y + steps * dy / dx, over the common denominator 2 dx */
    int64_t above = 2 * p[0].y - (width - 1) * RASTER_UNIT;
    int64_t numerator = above * dx + 2 * steps * dy, unit = 2 * dx * RASTER_UNIT;
    int64_t quotient = numerator / unit;
    return quotient * unit < numerator ? quotient : quotient - 1;
}

/*
 * Whether a point belongs to the diamond of a pixel: within it, or on its lower edges or the bottom corner; on y-major
 * lines (where x and y are exchanged here) on the right-hand edges' lower half and the right corner.
 */
static bool in_diamond(struct raster_point p, int64_t column, int64_t row, bool y_major) {
    int64_t x = p.x - (column * RASTER_UNIT + HALF), y = p.y - (row * RASTER_UNIT + HALF);
    int64_t across = y_major ? y : x, down = y_major ? x : y, distance = magnitude(x) + magnitude(y);
    if (distance != HALF)
        return distance < HALF;
    return down > 0 || (y_major && down == 0 && across > 0);
}

/* Whether the piece of the line in the diamond's column gets to it: distances to the centre are least at a corner. */
static bool touches(const struct raster_line *line, int64_t column, int64_t row) {
    const struct raster_point *p = line->p;
    int64_t cx = column * RASTER_UNIT + HALF, cy = row * RASTER_UNIT + HALF;
    if (in_diamond(p[0], column, row, line->y_major) || in_diamond(p[1], column, row, line->y_major))
        return true;
    /* The ends lie outside: the line crosses the diamond if it crosses one of its diagonals, within both. */
    int64_t x0 = p[0].x - cx, x1 = p[1].x - cx, y0 = p[0].y - cy, y1 = p[1].y - cy;
    if ((x0 < 0) != (x1 < 0) && x0 != x1) { /* the vertical one, where x is 0 */
        int64_t y = y0 * (x1 - x0) - x0 * (y1 - y0), bound = HALF * (x1 - x0);
        if (x1 < x0) {
            y = -y;
            bound = -bound;
        }
        if (y > -bound && y <= bound)
            return true;
    }
    return false;
}

/*
 * The column of an end. On the border of two pixels of a y-major line (x and y exchanged) it is the one above, whose
 * diamond has its bottom corner there.
 */
static int64_t end_column(const struct raster_line *line, unsigned end) {
    return (line->p[end].x - (line->y_major ? 1 : 0)) >> DRAW_SUBPIXELS;
}

static bool end_is_drawn(const struct raster_line *line, unsigned end) {
    int64_t column = end_column(line, end), row = row_at(line, column, 1);
    return touches(line, column, row) && !in_diamond(line->p[1], column, row, line->y_major);
}

bool raster_line_begin(struct raster_shape *shape, const struct draw_raster_state *state,
                       const struct raster_point p[2]) {
    struct raster_line *line = &shape->line;
    int64_t dx = magnitude(p[1].x - p[0].x), dy = magnitude(p[1].y - p[0].y);
    double width = rint((double)state->line_width);
    if (dx == 0 && dy == 0)
        return false;
    shape->type = RASTER_LINE;
    line->y_major = dy > dx;
    line->width = width >= 1 && width <= 4096 ? (int64_t)width : 1;
    for (unsigned i = 0; i < 2; i++)
        line->p[i] = line->y_major ? (struct raster_point){p[i].y, p[i].x} : p[i];
    line->first = end_is_drawn(line, 0);
    line->last = end_is_drawn(line, 1);

    int64_t x0 = line->p[0].x, x1 = line->p[1].x, y0 = line->p[0].y, y1 = line->p[1].y, swap = x0;
    if (x1 < x0) {
        x0 = x1;
        x1 = swap;
    }
    swap = y0;
    if (y1 < y0) {
        y0 = y1;
        y1 = swap;
    }
    int32_t wide = (int32_t)line->width + 1;
    struct draw_box box = {(int32_t)((x0 - 1) >> DRAW_SUBPIXELS), (int32_t)(y0 >> DRAW_SUBPIXELS) - wide,
                           (int32_t)(x1 >> DRAW_SUBPIXELS) + 1, (int32_t)(y1 >> DRAW_SUBPIXELS) + wide + 1};
    shape->box = line->y_major ? (struct draw_box){box.y0, box.x0, box.y1, box.x1} : box;
    return true;
}

static bool column_is_drawn(const struct raster_line *line, int64_t column) {
    int64_t first = end_column(line, 0), last = end_column(line, 1);
    if (column < (first < last ? first : last) || column > (first < last ? last : first))
        return false;
    if (first == last)
        return line->first;
    return column == first ? line->first : column == last ? line->last : true;
}

void raster_line_cover(const struct raster_line *line, int32_t x, int32_t y, uint16_t rows[RASTER_TILE]) {
    assert(line->width >= 1 && x >= 0 && y >= 0);
    for (int32_t i = 0; i < RASTER_TILE; i++) {
        int64_t column = (line->y_major ? y : x) + i;
        if (!column_is_drawn(line, column))
            continue;
        int64_t first = row_at(line, column, line->width) - (line->y_major ? x : y);
        for (int64_t row = first < 0 ? 0 : first; row < first + line->width && row < RASTER_TILE; row++) {
            if (line->y_major)
                rows[i] |= (uint16_t)(1u << row);
            else
                rows[row] |= (uint16_t)(1u << i);
        }
    }
}
