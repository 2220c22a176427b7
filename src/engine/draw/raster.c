/* SPDX-License-Identifier: MIT */
/*
 * A primitive to pixels: faces, culling and polygon mode; then the tiles of what is left, row by row of tiles.
 *
 * Modelled:     the raster's grid of 8 bits, the top-left rule, aliased, rectangular, smooth and stippled lines, points
 *               of all kinds, polygon modes and offset, multisampling with positions of any kind, scissors, windows,
 *               stipples; conservative rasterisation; more samples than colour targets have (pixels_reduce.c).
 * Not modelled: clip ids, more than 8 samples, conservative rasterisation before positions are on the grid.
 * Sources:      NVIDIA open-gpu-doc classes/3d/clb197.h; envytools rnndb/graph/gf100_3d.xml; Mesa
 *               src/gallium/drivers/nouveau/nvc0/nvc0_state.c; Direct3D 11.3 functional specification, chapter 3.4.
 */
#include <assert.h>
#include <math.h>

#include "engine/draw/raster.h"

/* Positions are bounded by this many pixels, so that edges fit in 64 bits. Clipping ends far before. */
#define MOST_PIXELS (1 << 20)
#define TO_INTEGER  0x1.8p52  /* added to what is much less, it leaves no fraction */
#define MOST_TARGET (1 << 16) /* pixels along an edge of a target */

_Static_assert(RASTER_UNIT == 1 << DRAW_SUBPIXELS, "shifts are by the bits behind the point");
_Static_assert((RASTER_TILE & (RASTER_TILE - 1)) == 0 && MOST_TARGET % RASTER_TILE == 0, "tiles are found by a mask");
_Static_assert((DRAW_POSITIONS & (DRAW_POSITIONS - 1)) == 0, "raster_position() masks");

/*
 * The places of samples on the grid; without multisampling all are at the pixel's centre.
 * UNKNOWN: whether integer centres move samples, too; chosen: they do not.
 */
static void set_positions(struct draw_raster *raster) {
    const struct draw_positions_key *key = &raster->positions;
    int64_t center = key->integer_centers ? 0 : RASTER_UNIT / 2;
    bool own = key->multisample, depth = own || (key->depth_at_samples && key->samples.count > 1);
    for (unsigned i = 0; i < DRAW_POSITIONS; i++) {
        int64_t x = (int64_t)key->samples.x[i] * (RASTER_UNIT / 16);
        int64_t y = (int64_t)key->samples.y[i] * (RASTER_UNIT / 16);
        raster->offset_x[i] = own ? x : center;
        raster->offset_y[i] = own ? y : center;
        raster->depth_x[i] = depth ? x : center;
        raster->depth_y[i] = depth ? y : center;
    }
    pixels_samples_places(raster);
}

static void set_inputs(struct draw_raster *raster) {
    const struct draw_inputs_key *key = &raster->inputs;
    memset(raster->input_of, 0, sizeof raster->input_of);
    for (unsigned i = 0; i < key->count; i++)
        raster->input_of[key->input[i].word] = (uint16_t)(i + 1);
    raster_plain_planes(raster);
}

void raster_begin(struct draw_raster *raster, const struct draw_state *state) {
    struct draw_positions_key positions;
    struct draw_inputs_key inputs;
    raster->state = state;
    draw_positions_key(&positions, state);
    draw_inputs_key(&inputs, state);
    if (draw_key_becomes(&raster->positions, &positions, sizeof positions))
        set_positions(raster);
    if (draw_key_becomes(&raster->inputs, &inputs, sizeof inputs))
        set_inputs(raster);
    for (unsigned i = 0; i < RASTER_SETUPS; i++) {
        raster->setups[i].used = false;
        raster->setups[i].quads = 0;
    }
    pixels_begin(raster);
}

/* ---- vertices on the grid ---- */

static int64_t snap(float pixels) {
    double value = (double)pixels;
    value = value > MOST_PIXELS ? MOST_PIXELS : value < -MOST_PIXELS ? -MOST_PIXELS : value;
    value = value * RASTER_UNIT + TO_INTEGER; /* to nearest, to even between two */
    return (int64_t)(value - TO_INTEGER);
}

/* False: a position that is no number. */
static bool snap_vertices(const struct draw_primitive *primitive, unsigned count, struct raster_point p[3]) {
    for (unsigned i = 0; i < count; i++) {
        const struct draw_vertex *v = primitive->vertex[i];
        float zero = v->x * 0 + v->y * 0 + v->z * 0 + v->rw * 0; /* of all that is finite */
        if (zero != 0)
            return false;
        p[i] = (struct raster_point){snap(v->x), snap(v->y)};
    }
    return true;
}

/* ---- shapes of a primitive ---- */

/* What a primitive is drawn as: up to three shapes. */
struct pieces {
    unsigned count;
    struct raster_shape shape[RASTER_SHAPES];
    struct draw_box box; /* of all of them */
    uint32_t stipple;    /* where the count goes on */
};

/* One that the batch does not need: there are enough of them. */
static struct draw_setup *new_setup(struct draw_raster *raster, const struct draw_primitive *primitive) {
    struct draw_setup *setup = raster->setups;
    while (setup->used || setup->quads)
        setup++;
    assert(setup < raster->setups + RASTER_SETUPS);
    setup->primitive = primitive;
    setup->used = true;
    setup->front = true;
    setup->point = false;
    setup->offset = 0;
    return setup;
}

static void box_and(struct draw_box *box, const struct draw_box *other) {
    box->x0 = box->x0 > other->x0 ? box->x0 : other->x0;
    box->y0 = box->y0 > other->y0 ? box->y0 : other->y0;
    box->x1 = box->x1 < other->x1 ? box->x1 : other->x1;
    box->y1 = box->y1 < other->y1 ? box->y1 : other->y1;
}

static void box_or(struct draw_box *box, const struct draw_box *other) {
    box->x0 = box->x0 < other->x0 ? box->x0 : other->x0;
    box->y0 = box->y0 < other->y0 ? box->y0 : other->y0;
    box->x1 = box->x1 > other->x1 ? box->x1 : other->x1;
    box->y1 = box->y1 > other->y1 ? box->y1 : other->y1;
}

/* Keeps the shape that was made in the next place, if the scissors leave something of it. */
static void keep_shape(struct draw_raster *raster, struct pieces *pieces, struct draw_setup *setup) {
    assert(pieces->count < RASTER_SHAPES);
    struct raster_shape *shape = &pieces->shape[pieces->count];
    const struct draw_box most = {0, 0, MOST_TARGET, MOST_TARGET};
    box_and(&shape->box, &raster->state->view.viewport[setup->primitive->viewport % DRAW_VIEWPORTS].scissor);
    box_and(&shape->box, &most);
    if (shape->box.x0 >= shape->box.x1 || shape->box.y0 >= shape->box.y1) {
        setup->used = false;
        return;
    }
    shape->setup = setup;
    if (pieces->count++ == 0)
        pieces->box = shape->box;
    else
        box_or(&pieces->box, &shape->box);
}

struct face {
    bool front;
    double offset;
};

static void add_line(struct draw_raster *raster, struct pieces *pieces, const struct draw_primitive *primitive,
                     unsigned from, unsigned to, const struct raster_point p[3], const struct face *face) {
    const struct draw_raster_state *state = &raster->state->raster;
    const struct draw_vertex *vertex[2] = {primitive->vertex[from], primitive->vertex[to]};
    const struct raster_point ends[2] = {p[from], p[to]};
    struct raster_shape *shape = &pieces->shape[pieces->count];
    bool covers = raster_shape_line(shape, state, ends);
    shape->stipple_count = pieces->stipple;
    pieces->stipple += raster_line_length(ends);
    if (!covers)
        return;
    struct draw_setup *setup = new_setup(raster, primitive);
    setup->front = face->front;
    setup->offset = face->offset;
    raster_weights_of_line(&setup->weights, vertex, ends, shape->type == RASTER_LINE);
    raster_planes(setup);
    keep_shape(raster, pieces, setup);
}

/* UNKNOWN: sizes that are no number or below the smallest; chosen: the smallest. */
static double point_size(const struct draw_raster_state *state, const struct draw_vertex *vertex) {
    double size = (double)(state->point_size_varies ? vertex->point_size : state->point_size);
    size = size > 0.0625 ? size : 0.0625;
    size = size < 2047.9375 ? size : 2047.9375;
    return rint(size * 16) / 16;
}

static void add_point(struct draw_raster *raster, struct pieces *pieces, const struct draw_primitive *primitive,
                      unsigned number, const struct raster_point p[3], const struct face *face) {
    const struct draw_vertex *vertex = primitive->vertex[number];
    double size = point_size(&raster->state->raster, vertex);
    if (!raster_shape_point(&pieces->shape[pieces->count], raster->state, p[number], size))
        return;
    struct draw_setup *setup = new_setup(raster, primitive);
    setup->front = face->front;
    setup->offset = face->offset;
    setup->point = true;
    setup->point_x = (double)p[number].x / RASTER_UNIT;
    setup->point_y = (double)p[number].y / RASTER_UNIT;
    setup->point_size = size;
    raster_weights_of_point(&setup->weights, vertex, p[number]);
    raster_planes(setup);
    keep_shape(raster, pieces, setup);
}

/* ---- triangles ---- */

static bool offset_applies(const struct draw_raster_state *state, enum draw_polygon mode) {
    return mode == DRAW_FILL ? state->offset_fill : mode == DRAW_OUTLINE ? state->offset_line : state->offset_point;
}

/* Edges that belong to the polygon, or the vertices that begin them. */
static void add_outline(struct draw_raster *raster, struct pieces *pieces, const struct draw_primitive *primitive,
                        const struct raster_point p[3], const struct face *face, enum draw_polygon mode) {
    for (unsigned i = 0; i < 3; i++) {
        if (!(primitive->edges >> i & 1))
            continue;
        if (mode == DRAW_OUTLINE)
            add_line(raster, pieces, primitive, i, (i + 1) % 3, p, face);
        else
            add_point(raster, pieces, primitive, i, p, face);
    }
}

/* False: it is culled. */
static bool face_of(const struct draw_raster_state *state, const struct raster_point p[3], struct face *face,
                    enum draw_polygon *mode) {
    int64_t area = (p[1].x - p[0].x) * (p[2].y - p[0].y) - (p[2].x - p[0].x) * (p[1].y - p[0].y);
    bool clockwise = (area > 0) != state->flip;
    *face = (struct face){.front = clockwise == state->front_is_cw};
    *mode = state->polygon[face->front ? 0 : 1];
    return !(face->front ? state->cull_front : state->cull_back) && (area != 0 || *mode != DRAW_FILL);
}

static void add_triangle(struct draw_raster *raster, struct pieces *pieces, const struct draw_primitive *primitive,
                         const struct raster_point p[3]) {
    const struct draw_raster_state *state = &raster->state->raster;
    struct face face;
    enum draw_polygon mode;
    if (!face_of(state, p, &face, &mode))
        return;
    struct draw_setup *setup = new_setup(raster, primitive);
    setup->front = face.front;
    raster_weights_of_triangle(&setup->weights, primitive->vertex, p);
    raster_planes(setup);
    if (offset_applies(state, mode))
        setup->offset = face.offset = raster_offset(raster->state, setup);
    if (mode == DRAW_FILL && raster_shape_triangle(&pieces->shape[0], state, p)) {
        keep_shape(raster, pieces, setup);
        return;
    }
    setup->used = false;
    if (mode != DRAW_FILL)
        add_outline(raster, pieces, primitive, p, &face, mode);
}

/* ---- drawing ---- */

static unsigned corners_of(const struct draw_primitive *primitive) {
    assert(primitive->kind <= DRAW_TRIANGLES);
    return primitive->kind == DRAW_TRIANGLES ? 3 : primitive->kind == DRAW_LINES ? 2 : 1;
}

static void set_pieces(struct draw_raster *raster, struct pieces *pieces, const struct draw_primitive *primitive,
                       uint32_t stipple) {
    const struct face front = {.front = true};
    struct raster_point p[3];
    pieces->count = 0;
    pieces->stipple = primitive->restart ? 0 : stipple;
    pieces->box = (struct draw_box){0, 0, 0, 0};
    if (!snap_vertices(primitive, corners_of(primitive), p))
        return;
    if (primitive->kind == DRAW_TRIANGLES)
        add_triangle(raster, pieces, primitive, p);
    else if (primitive->kind == DRAW_LINES)
        add_line(raster, pieces, primitive, 0, 1, p, &front);
    else
        add_point(raster, pieces, primitive, 0, p, &front);
}

static bool meets_tile(const struct draw_box *box, int32_t x, int32_t y) {
    return x < box->x1 && x + RASTER_TILE > box->x0 && y < box->y1 && y + RASTER_TILE > box->y0;
}

static void draw_pieces(struct draw_raster *raster, const struct pieces *pieces, const struct draw_box *box) {
    for (int32_t y = box->y0 & ~(RASTER_TILE - 1); y < box->y1; y += RASTER_TILE)
        for (int32_t x = box->x0 & ~(RASTER_TILE - 1); x < box->x1 && !raster_stopped(raster); x += RASTER_TILE)
            for (unsigned i = 0; i < pieces->count; i++)
                if (meets_tile(&pieces->shape[i].box, x, y))
                    raster_tile(raster, &pieces->shape[i], x, y);
}

static void release_pieces(const struct pieces *pieces) {
    for (unsigned i = 0; i < pieces->count; i++)
        pieces->shape[i].setup->used = false;
}

void raster_primitive(struct draw_raster *raster, const struct draw_primitive *primitive, uint32_t stipple,
                      const struct draw_box *box) {
    struct pieces pieces;
    raster->used++;
    set_pieces(raster, &pieces, primitive, stipple);
    box_and(&pieces.box, box);
    if (pieces.count && pieces.box.x0 < pieces.box.x1 && pieces.box.y0 < pieces.box.y1 &&
        pixels_layer(raster, primitive->layer))
        draw_pieces(raster, &pieces, &pieces.box);
    release_pieces(&pieces);
}

/* ---- before drawing ---- */

uint32_t raster_stipple(struct draw_raster *raster, const struct draw_primitive *primitive, uint32_t stipple) {
    struct pieces pieces;
    set_pieces(raster, &pieces, primitive, stipple);
    release_pieces(&pieces);
    return pieces.stipple;
}

/* Pixels around its vertices that a primitive may draw. */
static int32_t margin_of(const struct draw_state *state, const struct draw_primitive *primitive,
                         enum draw_polygon mode) {
    float width = state->raster.line_width;
    int32_t touched = state->raster.conservative ? 2 : 0;
    double size = 0;
    if (mode == DRAW_FILL)
        return touched;
    if (mode == DRAW_OUTLINE)
        return 3 + touched + (width > 1 ? width < 4096 ? (int32_t)width : 4096 : 1);
    for (unsigned i = 0; i < corners_of(primitive); i++)
        size = fmax(size, point_size(&state->raster, primitive->vertex[i]));
    return 3 + touched + (int32_t)(size / 2);
}

bool raster_reach(const struct draw_raster *raster, const struct draw_primitive *primitive, struct draw_box *box) {
    const struct draw_state *state = raster->state;
    const struct draw_box most = {0, 0, MOST_TARGET, MOST_TARGET};
    enum draw_polygon mode = primitive->kind == DRAW_LINES ? DRAW_OUTLINE : DRAW_VERTICES;
    unsigned corners = corners_of(primitive);
    struct raster_point p[3];
    struct face face;
    if (!snap_vertices(primitive, corners, p) ||
        (primitive->kind == DRAW_TRIANGLES && !face_of(&state->raster, p, &face, &mode)))
        return false;
    struct raster_point low = p[0], high = p[0];
    for (unsigned i = 1; i < corners; i++) {
        low.x = p[i].x < low.x ? p[i].x : low.x;
        low.y = p[i].y < low.y ? p[i].y : low.y;
        high.x = p[i].x > high.x ? p[i].x : high.x;
        high.y = p[i].y > high.y ? p[i].y : high.y;
    }
    int32_t margin = margin_of(state, primitive, mode);
    *box = (struct draw_box){(int32_t)(low.x >> DRAW_SUBPIXELS) - margin, (int32_t)(low.y >> DRAW_SUBPIXELS) - margin,
                             (int32_t)(high.x >> DRAW_SUBPIXELS) + 1 + margin,
                             (int32_t)(high.y >> DRAW_SUBPIXELS) + 1 + margin};
    box_and(box, &state->view.viewport[primitive->viewport % DRAW_VIEWPORTS].scissor);
    box_and(box, &most);
    return box->x0 < box->x1 && box->y0 < box->y1;
}
