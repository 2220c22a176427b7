/* SPDX-License-Identifier: MIT */
/* The samples of a tile that a shape covers, what stipples and rectangles leave of them, and the quads they are in. */
#include "engine/draw/pixels_vector.h"
#include "engine/draw/raster.h"

#include <assert.h>

#define STRIPE_COLUMNS 6  /* that are covered: of fewer, quads are tested faster one by one */
#define SUBSAMPLES     16 /* along an edge of a pixel, for the coverage of smooth shapes */

_Static_assert(RASTER_TILE == 16, "rows of a tile are words of 16 bits");
_Static_assert(RASTER_UNIT % SUBSAMPLES == 0, "subsamples are on the grid");

/* Columns are bits, column 0 of the tile is bit 0. */
struct tile {
    int32_t x, y;
    int first_column, end_column, first_row, end_row;
    uint16_t columns;
    uint16_t cover[DRAW_SAMPLES][RASTER_TILE];
    float alpha[RASTER_TILE][RASTER_TILE]; /* of smooth shapes */
};

static int within_tile(int32_t value) {
    return value < 0 ? 0 : value > RASTER_TILE ? RASTER_TILE : value;
}

static uint16_t columns_between(int first, int end) {
    assert(first >= 0 && end <= RASTER_TILE);
    return first < end ? (uint16_t)((1u << end) - (1u << first)) : 0;
}

/* ---- edges ---- */

/* Down, of negative values too. */
static int64_t floor_units(int64_t value) {
    return (value - (value & (RASTER_UNIT - 1))) / RASTER_UNIT;
}

enum fit { OUTSIDE, PARTLY, INSIDE };

static int64_t edge_at(const struct raster_edge *edge, int64_t x, int64_t y) {
    return edge->a * x + edge->b * y + edge->c;
}

/* Where a tile is, as seen from the edges; which of them cross it. */
static enum fit fit_of(const struct raster_shape *shape, const struct tile *tile, unsigned *crossing) {
    assert(shape->type == RASTER_EDGES && shape->edges >= 3);
    const int64_t extent = RASTER_TILE * RASTER_UNIT - 1;
    enum fit fit = INSIDE;
    *crossing = 0;
    for (unsigned i = 0; i < shape->edges; i++) {
        const struct raster_edge *edge = &shape->edge[i];
        int64_t corner = edge_at(edge, (int64_t)tile->x * RASTER_UNIT, (int64_t)tile->y * RASTER_UNIT);
        int64_t low = corner + (edge->a < 0 ? edge->a * extent : 0) + (edge->b < 0 ? edge->b * extent : 0);
        int64_t high = corner + (edge->a > 0 ? edge->a * extent : 0) + (edge->b > 0 ? edge->b * extent : 0);
        if (high < 0)
            return OUTSIDE;
        if (low >= 0)
            continue;
        fit = PARTLY;
        *crossing |= 1u << i;
    }
    return fit;
}

/* Pixels of a row whose point at (x, y), and then every pixel further, is inside. The sign of an OR is that of any. */
static uint16_t cover_row(const struct raster_shape *shape, const struct tile *tile, int64_t x, int64_t y) {
    int64_t value[4] = {0}, step[4] = {0};
    uint32_t outside = 0;
    for (unsigned i = 0; i < shape->edges; i++) {
        value[i] = edge_at(&shape->edge[i], x + (int64_t)tile->first_column * RASTER_UNIT, y);
        step[i] = shape->edge[i].a * RASTER_UNIT;
    }
    for (int i = tile->first_column; i < tile->end_column; i++) {
        uint64_t signs = (uint64_t)(value[0] | value[1] | value[2] | value[3]);
        outside |= (uint32_t)(signs >> 63) << i;
        for (unsigned k = 0; k < 4; k++)
            value[k] += step[k];
    }
    return (uint16_t)(~outside & tile->columns);
}

/*
 * Edges that cross a tile are near 0 all over it, and go by a * 256 from pixel to pixel: what is below 256 makes no
 * difference to the sign, and the rest fits in 32 bits, if they are not too steep.
 */
static bool edges_are_narrow(const struct raster_shape *shape, unsigned crossing) {
    const int64_t most = INT64_C(1) << 25;
    for (unsigned i = 0; i < shape->edges; i++) {
        const struct raster_edge *edge = &shape->edge[i];
        if (crossing >> i & 1 && !(edge->a > -most && edge->a < most && edge->b > -most && edge->b < most))
            return false;
    }
    return true;
}

typedef int32_t four_columns __attribute__((vector_size(16)));

static uint16_t narrow_row(four_columns ramp[][4], const int32_t *first, unsigned edges) {
    static const four_columns bit[4] = {
        {1, 2, 4, 8}, {0x10, 0x20, 0x40, 0x80}, {0x100, 0x200, 0x400, 0x800}, {0x1000, 0x2000, 0x4000, 0x8000}};
    four_columns sign[4] = {{0}};
    for (unsigned k = 0; k < edges; k++)
        for (unsigned i = 0; i < 4; i++)
            sign[i] |= ramp[k][i] + first[k];
    for (unsigned i = 0; i < 4; i++)
        sign[i] = (sign[i] >> 31) & bit[i];
    four_columns outside = sign[0] | sign[1] | sign[2] | sign[3];
    return (uint16_t) ~(outside[0] | outside[1] | outside[2] | outside[3]);
}

static void narrow_rows(int32_t *value, const int32_t *right, const int32_t *down, unsigned edges, unsigned rows,
                        uint16_t *cover) {
    four_columns ramp[4][4];
    for (unsigned k = 0; k < edges; k++) {
        int32_t a = right[k];
        ramp[k][0] = (four_columns){0, a, 2 * a, 3 * a};
        for (unsigned i = 1; i < 4; i++)
            ramp[k][i] = ramp[k][i - 1] + 4 * a;
    }
    for (unsigned row = 0; row < rows; row++) {
        cover[row] = narrow_row(ramp, value, edges);
        for (unsigned k = 0; k < edges; k++)
            value[k] += down[k];
    }
}

static void cover_narrow(const struct draw_raster *raster, const struct raster_shape *shape, unsigned crossing,
                         const struct tile *tile, int64_t in_x, int64_t in_y, uint16_t cover[RASTER_TILE]) {
    int32_t value[4], right[4], down[4];
    unsigned edges = 0, rows = (unsigned)(tile->end_row - tile->first_row);
    for (; crossing; crossing &= crossing - 1, edges++) {
        const struct raster_edge *edge = &shape->edge[__builtin_ctz(crossing) & 3];
        int64_t from = edge_at(edge, (int64_t)tile->x * RASTER_UNIT + in_x,
                               ((int64_t)tile->y + tile->first_row) * RASTER_UNIT + in_y);
        value[edges] = (int32_t)floor_units(from);
        right[edges] = (int32_t)edge->a;
        down[edges] = (int32_t)edge->b;
    }
    if (raster->vector)
        raster->vector->cover(value, right, down, edges, rows, cover + tile->first_row);
    else
        narrow_rows(value, right, down, edges, rows, cover + tile->first_row);
    for (int row = tile->first_row; row < tile->end_row; row++)
        cover[row] &= tile->columns;
}

/* Positions of samples that differ from pixel to pixel. */
static uint16_t cover_row_mixed(const struct draw_raster *raster, const struct raster_shape *shape,
                                const struct tile *tile, int row, unsigned sample) {
    uint16_t inside = 0;
    uint32_t y = (uint32_t)(tile->y + row);
    for (int i = tile->first_column; i < tile->end_column; i++) {
        uint32_t x = (uint32_t)(tile->x + i);
        unsigned at = raster_position(&raster->state->raster.samples, x, y, sample);
        int64_t px = (int64_t)x * RASTER_UNIT + raster->offset_x[at];
        int64_t py = (int64_t)y * RASTER_UNIT + raster->offset_y[at];
        bool in = true;
        for (unsigned k = 0; k < shape->edges; k++)
            in &= edge_at(&shape->edge[k], px, py) >= 0;
        inside |= (uint16_t)((in ? 1u : 0u) << i);
    }
    return inside;
}

static void cover_all(const struct draw_raster *raster, struct tile *tile) {
    for (unsigned s = 0; s < raster->state->raster.samples.count; s++)
        for (int row = tile->first_row; row < tile->end_row; row++)
            tile->cover[s][row] = tile->columns;
}

static void copy_to_all_samples(const struct draw_raster *raster, struct tile *tile) {
    for (unsigned s = 1; s < raster->state->raster.samples.count; s++)
        memcpy(tile->cover[s], tile->cover[0], sizeof tile->cover[0]);
}

/* Without multisampling the pixel's centre decides for all samples: offsets are those of the centre then. */
static bool cover_edges(const struct draw_raster *raster, const struct raster_shape *shape, struct tile *tile) {
    const struct draw_samples *samples = &raster->state->raster.samples;
    bool multisample = raster->state->raster.multisample && !shape->touches;
    bool mixed = multisample && (samples->block_x || samples->block_y);
    unsigned crossing;
    enum fit fit = fit_of(shape, tile, &crossing);
    if (fit == OUTSIDE)
        return false;
    if (fit == INSIDE) {
        cover_all(raster, tile);
        return true;
    }
    bool narrow = !mixed && edges_are_narrow(shape, crossing);
    for (unsigned s = 0; s < (multisample ? samples->count : 1u); s++) {
        int64_t in_x = shape->touches ? 0 : raster->offset_x[s], in_y = shape->touches ? 0 : raster->offset_y[s];
        if (narrow)
            cover_narrow(raster, shape, crossing, tile, in_x, in_y, tile->cover[s]);
        for (int row = tile->first_row; row < tile->end_row && !narrow; row++)
            tile->cover[s][row] = mixed ? cover_row_mixed(raster, shape, tile, row, s)
                                        : cover_row(shape, tile, (int64_t)tile->x * RASTER_UNIT + in_x,
                                                    (int64_t)(tile->y + row) * RASTER_UNIT + in_y);
    }
    if (!multisample)
        copy_to_all_samples(raster, tile);
    return true;
}

/* ---- discs and smooth shapes ---- */

static bool is_inside(const struct raster_shape *shape, int64_t x, int64_t y) {
    if (shape->type == RASTER_DISC) {
        int64_t dx = x - shape->center_x, dy = y - shape->center_y;
        return dx * dx + dy * dy <= shape->radius * shape->radius;
    }
    for (unsigned i = 0; i < shape->edges; i++)
        if (edge_at(&shape->edge[i], x, y) < 0)
            return false;
    return true;
}

/* The area of a pixel that is covered, in 1/256. */
static float area_of(const struct raster_shape *shape, int64_t x, int64_t y) {
    const int64_t step = RASTER_UNIT / SUBSAMPLES;
    unsigned count = 0;
    for (int64_t i = 0; i < SUBSAMPLES; i++)
        for (int64_t k = 0; k < SUBSAMPLES; k++)
            count += is_inside(shape, x + i * step + step / 2, y + k * step + step / 2) ? 1 : 0;
    return (float)count / (SUBSAMPLES * SUBSAMPLES);
}

static bool cover_smooth(const struct draw_raster *raster, const struct raster_shape *shape, struct tile *tile) {
    unsigned crossing;
    enum fit fit = shape->type == RASTER_EDGES ? fit_of(shape, tile, &crossing) : PARTLY;
    if (fit == OUTSIDE)
        return false;
    memset(tile->alpha, 0, sizeof tile->alpha);
    for (int row = tile->first_row; row < tile->end_row; row++)
        for (int i = tile->first_column; i < tile->end_column; i++) {
            int64_t x = (int64_t)(tile->x + i) * RASTER_UNIT, y = (int64_t)(tile->y + row) * RASTER_UNIT;
            tile->alpha[row][i] = fit == INSIDE ? 1 : area_of(shape, x, y);
            tile->cover[0][row] |= (uint16_t)((tile->alpha[row][i] > 0 ? 1u : 0u) << i);
        }
    copy_to_all_samples(raster, tile);
    return true;
}

/* Discs with samples of their own. */
static bool cover_disc(const struct draw_raster *raster, const struct raster_shape *shape, struct tile *tile) {
    const struct draw_samples *samples = &raster->state->raster.samples;
    for (unsigned s = 0; s < samples->count; s++)
        for (int row = tile->first_row; row < tile->end_row; row++)
            for (int i = tile->first_column; i < tile->end_column; i++) {
                unsigned at = raster_position(samples, (uint32_t)(tile->x + i), (uint32_t)(tile->y + row), s);
                bool in = is_inside(shape, (int64_t)(tile->x + i) * RASTER_UNIT + raster->offset_x[at],
                                    (int64_t)(tile->y + row) * RASTER_UNIT + raster->offset_y[at]);
                tile->cover[s][row] |= (uint16_t)((in ? 1u : 0u) << i);
            }
    return true;
}

static bool cover_line(const struct draw_raster *raster, const struct raster_shape *shape, struct tile *tile) {
    raster_line_cover(&shape->line, tile->x, tile->y, tile->cover[0]);
    for (int row = 0; row < RASTER_TILE; row++)
        tile->cover[0][row] &= row >= tile->first_row && row < tile->end_row ? tile->columns : 0;
    copy_to_all_samples(raster, tile);
    return true;
}

/* False: nothing. */
static bool cover_shape(const struct draw_raster *raster, const struct raster_shape *shape, struct tile *tile) {
    if (shape->type == RASTER_LINE)
        return cover_line(raster, shape, tile);
    if (shape->smooth)
        return cover_smooth(raster, shape, tile);
    return shape->type == RASTER_DISC ? cover_disc(raster, shape, tile) : cover_edges(raster, shape, tile);
}

/* ---- what is taken away: one word of columns for each row ---- */

/* Clip rectangles of the window: inside of any, or outside of all. */
static void mask_windows(const struct draw_state *state, const struct tile *tile, uint16_t keep[RASTER_TILE]) {
    if (!state->view.window_mode)
        return;
    for (int row = tile->first_row; row < tile->end_row; row++) {
        uint16_t inside = 0;
        for (unsigned i = 0; i < DRAW_WINDOWS; i++) {
            const struct draw_box *box = &state->view.window[i];
            if (tile->y + row >= box->y0 && tile->y + row < box->y1)
                inside |= columns_between(within_tile(box->x0 - tile->x), within_tile(box->x1 - tile->x));
        }
        keep[row] &= state->view.window_mode == 1 ? inside : state->view.window_mode == 2 ? (uint16_t)~inside : 0;
    }
}

/* Rows of stipple are OpenGL's bitmaps: the first pixel is the most significant bit of the first byte. */
static void mask_polygon_stipple(const struct draw_raster_state *state, const struct tile *tile,
                                 uint16_t keep[RASTER_TILE]) {
    for (int row = tile->first_row; row < tile->end_row; row++) {
        uint32_t word = state->stipple[(tile->y + row) & 31];
        for (int i = 0; i < RASTER_TILE; i++)
            if (!(word >> (((tile->x + i) & 31) ^ 7) & 1))
                keep[row] &= (uint16_t) ~(1u << i);
    }
}

static void mask_line_stipple(const struct draw_raster_state *state, const struct raster_shape *shape,
                              const struct tile *tile, uint16_t keep[RASTER_TILE]) {
    unsigned factor = state->line_factor ? state->line_factor : 1;
    for (int row = tile->first_row; row < tile->end_row; row++)
        for (int i = tile->first_column; i < tile->end_column; i++) {
            int64_t along = (shape->stipple_y ? tile->y + row : tile->x + i) - shape->stipple_from;
            along = shape->stipple_down ? -along : along;
            uint32_t count = (along < 0 ? 0 : (uint32_t)along) + shape->stipple_count;
            if (!(state->line_pattern >> (count / factor & 15) & 1))
                keep[row] &= (uint16_t) ~(1u << i);
        }
}

static void mask_tile(const struct draw_raster *raster, const struct raster_shape *shape, struct tile *tile) {
    const struct draw_state *state = raster->state;
    bool polygon = shape->polygon && state->raster.polygon_stipple;
    uint16_t keep[RASTER_TILE];
    if (!state->view.window_mode && !polygon && !shape->stipple)
        return;
    memset(keep, 0xff, sizeof keep);
    mask_windows(state, tile, keep);
    if (polygon)
        mask_polygon_stipple(&state->raster, tile, keep);
    if (shape->stipple)
        mask_line_stipple(&state->raster, shape, tile, keep);
    for (unsigned s = 0; s < state->raster.samples.count; s++)
        for (int row = 0; row < RASTER_TILE; row++)
            tile->cover[s][row] &= keep[row];
}

/* ---- quads ---- */

static void emit_quad(struct draw_raster *raster, const struct raster_shape *shape, const struct tile *tile, int row,
                      int column) {
    const struct draw_state *state = raster->state;
    struct raster_quad quad = {.x = (uint32_t)(tile->x + column), .y = (uint32_t)(tile->y + row)};
    float alpha[4];
    uint32_t any = 0;
    for (unsigned s = 0; s < state->raster.samples.count; s++) {
        unsigned upper = tile->cover[s][row] >> column, lower = tile->cover[s][row + 1] >> column;
        quad.samples[0] |= (uint8_t)((upper & 1) << s);
        quad.samples[1] |= (uint8_t)((upper >> 1 & 1) << s);
        quad.samples[2] |= (uint8_t)((lower & 1) << s);
        quad.samples[3] |= (uint8_t)((lower >> 1 & 1) << s);
    }
    for (unsigned i = 0; i < 4; i++) {
        quad.samples[i] &= (uint8_t)state->raster.sample_mask[i];
        any |= quad.samples[i];
    }
    if (shape->smooth) {
        for (unsigned i = 0; i < 4; i++)
            alpha[i] = tile->alpha[row + (int)(i >> 1)][column + (int)(i & 1)];
        quad.alpha = alpha;
    }
    if (any)
        pixels_quad(raster, shape->setup, &quad);
}

/* Of one sample, without alpha. */
static void emit_plain_quads(struct draw_raster *raster, const struct raster_shape *shape, const struct tile *tile) {
    const uint16_t *mask = raster->state->raster.sample_mask;
    const unsigned keep = (mask[0] & 1u) | (mask[1] & 1u) << 1 | (mask[2] & 1u) << 2 | (mask[3] & 1u) << 3;
    /* What is covered may be drawn, and may be enough. */
    bool all = raster->stripes && keep == 0xf && tile->end_column - tile->first_column >= STRIPE_COLUMNS;
    for (int row = tile->first_row & ~1; row < tile->end_row; row += 2) {
        uint32_t upper = tile->cover[0][row], lower = tile->cover[0][row + 1];
        struct raster_quad quad = {.x = (uint32_t)tile->x, .y = (uint32_t)(tile->y + row)};
        uint32_t columns = upper | lower;
        if (all && pixels_count_lanes(columns | columns << RASTER_TILE) >= 2 * STRIPE_COLUMNS) {
            bool whole = (upper & lower) == 0xffff;
            pixels_stripe(raster, shape->setup, quad.x, quad.y, whole ? UINT32_MAX : pixels_lanes(upper, lower));
            continue;
        }
        for (; upper | lower; upper >>= 2, lower >>= 2, quad.x += 2) {
            unsigned samples = ((upper & 3) | (lower & 3) << 2) & keep;
            for (unsigned i = 0; i < 4; i++)
                quad.samples[i] = samples >> i & 1;
            if (samples)
                pixels_quad(raster, shape->setup, &quad);
        }
    }
}

/* Two lines with all their samples at once. False: nothing was done. */
static bool emit_samples(struct draw_raster *raster, const struct raster_shape *shape, const struct tile *tile, int row,
                         uint32_t columns) {
    uint32_t covered[DRAW_SAMPLES];
    if (!raster->sampled || shape->smooth || pixels_count_lanes(columns | columns << RASTER_TILE) < 2 * STRIPE_COLUMNS)
        return false;
    for (unsigned s = 0; s < raster->state->raster.samples.count; s++) {
        uint32_t upper = tile->cover[s][row], lower = tile->cover[s][row + 1];
        covered[s] = (upper & lower) == 0xffff ? UINT32_MAX : pixels_lanes(upper, lower);
    }
    return pixels_samples(raster, shape->setup, (uint32_t)tile->x, (uint32_t)(tile->y + row), covered);
}

static void emit_quads(struct draw_raster *raster, const struct raster_shape *shape, const struct tile *tile) {
    for (int row = 0; row < RASTER_TILE; row += 2) {
        uint32_t any = 0;
        for (unsigned s = 0; s < raster->state->raster.samples.count; s++)
            any |= tile->cover[s][row] | (uint32_t)tile->cover[s][row + 1];
        if (emit_samples(raster, shape, tile, row, any))
            continue;
        for (int column = 0; any >> column && column < RASTER_TILE; column += 2)
            if (any >> column & 3)
                emit_quad(raster, shape, tile, row, column);
    }
}

void raster_tile(struct draw_raster *raster, const struct raster_shape *shape, int32_t x, int32_t y) {
    assert(x >= 0 && x % RASTER_TILE == 0 && y >= 0 && y % RASTER_TILE == 0);
    assert(raster->state->raster.samples.count <= DRAW_SAMPLES);
    struct tile tile;
    tile.x = x;
    tile.y = y;
    tile.first_column = within_tile(shape->box.x0 - x);
    tile.end_column = within_tile(shape->box.x1 - x);
    tile.first_row = within_tile(shape->box.y0 - y);
    tile.end_row = within_tile(shape->box.y1 - y);
    tile.columns = columns_between(tile.first_column, tile.end_column);
    raster->used += shape->smooth                       ? SUBSAMPLES * SUBSAMPLES
                    : raster->state->raster.multisample ? raster->state->raster.samples.count
                                                        : 1;
    memset(tile.cover, 0, raster->state->raster.samples.count * sizeof tile.cover[0]);
    if (!cover_shape(raster, shape, &tile))
        return;
    mask_tile(raster, shape, &tile);
    if (raster->state->raster.samples.count == 1 && !shape->smooth)
        emit_plain_quads(raster, shape, &tile);
    else
        emit_quads(raster, shape, &tile);
}
