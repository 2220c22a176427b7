/* SPDX-License-Identifier: MIT */
/*
 * Planes: how depth, 1 / w and inputs vary over the window. They are made from positions on the raster's grid, in
 * double precision, from the vertices in an order that depends on their places alone: so the same triangle has the same
 * depth, whichever vertex it begins with (OpenGL 4.6 appendix A, invariance).
 */
#include <assert.h>
#include <math.h>

#include "engine/draw/pixels_vector.h"
#include "engine/draw/raster.h"
#include "engine/shade/io.h"
#include "engine/texture/wide.h"

#define INLINE static inline __attribute__((always_inline))

/* Words of the attribute space (address / 4): NVIDIA open-gpu-doc Shader-Program-Header. */
enum {
    WORD_PRIMITIVE = 0x060 / 4,
    WORD_LAYER = 0x064 / 4,
    WORD_VIEWPORT = 0x068 / 4,
    WORD_POINT_SIZE = 0x06c / 4,
    WORD_X = 0x070 / 4,
    WORD_Y = 0x074 / 4,
    WORD_Z = 0x078 / 4,
    WORD_RW = 0x07c / 4,
    WORD_COLORS = 0x280 / 4,
    WORD_BACK_COLORS = 0x2a0 / 4,
    WORD_COLORS_END = 0x2c0 / 4,
    WORD_POINT_S = 0x2e0 / 4,
    WORD_POINT_T = 0x2e4 / 4,
    WORD_SPRITES = 0x300 / 4,
    WORD_FRONT = 0x3fc / 4,
};
#define SPRITE_VECTORS 10u

_Static_assert((DRAW_ATTRIBUTES & (DRAW_ATTRIBUTES - 1)) == 0 && WORD_FRONT < DRAW_ATTRIBUTES, "words are masked");
_Static_assert(WORD_SPRITES + 4 * SPRITE_VECTORS <= WORD_FRONT, "vectors are attributes");

enum { MODE_CONSTANT = 2, MODE_SHADE_MODEL = 3 };    /* of IR_IPA */
enum { LOCATION_CENTROID = 1, LOCATION_OFFSET = 2 }; /* of IR_IPA */

static double pixels(int64_t grid) {
    return (double)grid / RASTER_UNIT;
}

/* ---- weights ---- */

static bool comes_first(const struct raster_point *a, const struct raster_point *b) {
    return a->y < b->y || (a->y == b->y && a->x < b->x);
}

void raster_weights_of_triangle(struct raster_weights *weights, const struct draw_vertex *const vertex[3],
                                const struct raster_point p[3]) {
    unsigned order[3] = {0, 1, 2};
    for (unsigned i = 0; i < 3; i++) {
        unsigned a = i == 1 ? 1 : 0, b = a + 1, swap = order[a];
        if (comes_first(&p[order[b]], &p[order[a]])) {
            order[a] = order[b];
            order[b] = swap;
        }
    }
    const struct raster_point *o = &p[order[0]], *u = &p[order[1]], *v = &p[order[2]];
    double ux = pixels(u->x - o->x), uy = pixels(u->y - o->y), vx = pixels(v->x - o->x), vy = pixels(v->y - o->y);
    double area = ux * vy - vx * uy;
    *weights = (struct raster_weights){.origin_x = pixels(o->x), .origin_y = pixels(o->y)};
    for (unsigned i = 0; i < 3; i++)
        weights->vertex[i] = vertex[order[i]];
    if (area == 0)
        return;
    weights->x[0] = vy / area;
    weights->x[1] = -uy / area;
    weights->y[0] = -vx / area;
    weights->y[1] = ux / area;
}

/* Along the line; of aliased ones along the major axis, so that it is the same for all pixels of its width. */
void raster_weights_of_line(struct raster_weights *weights, const struct draw_vertex *const vertex[2],
                            const struct raster_point p[2], bool aliased) {
    double dx = pixels(p[1].x - p[0].x), dy = pixels(p[1].y - p[0].y);
    bool y_major = fabs(dy) > fabs(dx);
    *weights = (struct raster_weights){
        .origin_x = pixels(p[0].x), .origin_y = pixels(p[0].y), .vertex = {vertex[0], vertex[1], vertex[1]}};
    if (dx == 0 && dy == 0)
        return;
    double square = dx * dx + dy * dy;
    if (!aliased) {
        weights->x[0] = dx / square;
        weights->y[0] = dy / square;
    } else if (y_major) {
        weights->y[0] = 1 / dy;
    } else {
        weights->x[0] = 1 / dx;
    }
}

void raster_weights_of_point(struct raster_weights *weights, const struct draw_vertex *vertex, struct raster_point p) {
    *weights =
        (struct raster_weights){.origin_x = pixels(p.x), .origin_y = pixels(p.y), .vertex = {vertex, vertex, vertex}};
}

/* ---- planes ---- */

static struct raster_plane plane_of(const struct raster_weights *weights, const double value[3]) {
    double u = value[1] - value[0], v = value[2] - value[0];
    return (struct raster_plane){value[0], u * weights->x[0] + v * weights->x[1],
                                 u * weights->y[0] + v * weights->y[1]};
}

void raster_planes(struct draw_setup *setup) {
    const struct draw_vertex *const *v = setup->weights.vertex;
    double z[3], rw[3];
    for (unsigned i = 0; i < 3; i++) {
        z[i] = (double)v[i]->z;
        rw[i] = (double)v[i]->rw;
    }
    setup->z = plane_of(&setup->weights, z);
    setup->rw = plane_of(&setup->weights, rw);
    setup->z_min = fmin(z[0], fmin(z[1], z[2]));
    setup->z_max = fmax(z[0], fmax(z[1], z[2]));
    setup->has_inputs = false;
}

/* The unit of polygon offset: a step of depth as it is stored. */
static double offset_unit(const struct draw_state *state, const struct draw_setup *setup) {
    const struct format *format = state->targets.zeta.format;
    if (!format || format->type != FORMAT_FLOAT || !state->raster.offset_by_exponent)
        return ldexp(1, format && format->component[0].bits == 16 ? -16 : -24);
    double most = fmax(fabs(setup->z_min), fabs(setup->z_max));
    int exponent = 0;
    if (most < 0x1p-126 || !isfinite(most)) /* denormal */
        return 0;
    frexp(most, &exponent);
    exponent -= 1 + 23;
    return exponent < -126 ? 0 : ldexp(1, exponent);
}

double raster_offset(const struct draw_state *state, const struct draw_setup *setup) {
    const struct draw_raster_state *raster = &state->raster;
    double slope = fmax(fabs(setup->z.x), fabs(setup->z.y)), limit = (double)raster->offset_clamp;
    double offset = slope * (double)raster->offset_factor + offset_unit(state, setup) * (double)raster->offset_units;
    if (limit > 0)
        offset = fmin(offset, limit);
    if (limit < 0)
        offset = fmax(offset, limit);
    return offset == offset ? offset : 0;
}

static double value_of(uint32_t bits) {
    float value;
    memcpy(&value, &bits, sizeof value);
    return (double)value;
}

static uint32_t bits_of(double value) {
    float single = (float)value;
    uint32_t bits;
    memcpy(&bits, &single, sizeof bits);
    return bits;
}

/* s (0) or t (1) over the square of a point. */
static struct raster_plane point_plane(const struct draw_raster_state *state, const struct draw_setup *setup,
                                       unsigned t) {
    double step = setup->point_size > 0 ? 1 / setup->point_size : 0;
    double from_x = setup->weights.origin_x - setup->point_x, from_y = setup->weights.origin_y - setup->point_y;
    if (!t)
        return (struct raster_plane){0.5 + from_x * step, step, 0};
    if (state->sprite_lower_left)
        step = -step;
    return (struct raster_plane){0.5 + from_y * step, 0, step};
}

static bool is_sprite(const struct draw_raster_state *state, const struct draw_setup *setup, unsigned word) {
    if (!setup->point || !state->point_sprite || word < WORD_SPRITES || word >= WORD_SPRITES + 4 * SPRITE_VECTORS)
        return false;
    return state->sprite_vectors >> (word - WORD_SPRITES) / 4 & 1;
}

/* Coordinate c of a vector that is replaced: s, t, r, 1. False: it stays what it is. */
static bool sprite_plane(const struct draw_raster_state *state, const struct draw_setup *setup, unsigned c,
                         struct raster_plane *plane) {
    *plane = (struct raster_plane){c == 3 ? 1 : 0, 0, 0};
    if (c == 2 && state->sprite_r == 1)
        return false;
    if (c < 2 || (c == 2 && state->sprite_r == 2))
        *plane = point_plane(state, setup, c & 1);
    return true;
}

/* Back faces have colours of their own, in the same order. */
static unsigned word_of(const struct draw_raster_state *state, const struct draw_setup *setup, unsigned word) {
    bool back = state->two_sided && !setup->front && word >= WORD_COLORS && word < WORD_BACK_COLORS;
    return back ? word + (WORD_BACK_COLORS - WORD_COLORS) : word;
}

static struct raster_plane input_plane(const struct draw_state *state, const struct draw_setup *setup,
                                       struct draw_input input) {
    const struct raster_weights *weights = &setup->weights;
    unsigned word = word_of(&state->raster, setup, input.word);
    bool perspective = input.mode == DRAW_PERSPECTIVE;
    struct raster_plane plane;
    double value[3];
    if (is_sprite(&state->raster, setup, word) &&
        sprite_plane(&state->raster, setup, (word - WORD_SPRITES) & 3, &plane)) {
        double rw = perspective ? (double)weights->vertex[0]->rw : 1; /* the same all over a point */
        return (struct raster_plane){plane.value * rw, plane.x * rw, plane.y * rw};
    }
    for (unsigned i = 0; i < 3; i++) {
        value[i] = value_of(weights->vertex[i]->attribute[word]);
        if (perspective)
            value[i] *= (double)weights->vertex[i]->rw;
    }
    return plane_of(weights, value);
}

void raster_input_planes(const struct draw_raster *raster, struct draw_setup *setup) {
    const struct draw_program *program = &raster->state->stages.program;
    for (unsigned i = 0; i < program->input_count && i < DRAW_ATTRIBUTES; i++)
        if (program->inputs[i].mode != DRAW_FLAT)
            setup->input[i] = input_plane(raster->state, setup, program->inputs[i]);
    setup->has_inputs = true;
}

/* ---- interpolation ---- */

struct place {
    double x[4], y[4];
};

/* UNKNOWN: a pass of which no sample is covered, of a pixel that helps; chosen: its first one. */
unsigned draw_centroid(const struct draw_fragments *f, unsigned lane) {
    unsigned all = (1u << f->state->raster.samples.count) - 1, covered = f->coverage[lane] & all;
    if (!f->state->raster.multisample)
        return DRAW_SAMPLES;
    if (f->per_sample && f->state->stages.program.centroid_of_pass)
        return f->samples[lane] ? (unsigned)__builtin_ctz(f->samples[lane]) : f->sample;
    return covered && covered != all ? (unsigned)__builtin_ctz(covered) : DRAW_SAMPLES;
}

/*
 * 12 bits, of which the highest is the sign, are all after the point: -1/2 .. 1/2. The four above are not looked at:
 * Mesa has something else in them (nvc0_state_validate.c, gm200_encode_cb_sample_location) [driver].
 */
static double fraction(uint32_t offset) {
    return ((int)((offset & 0xfff) ^ 0x800) - 0x800) / 4096.0;
}

/* From a pixel's corner to the place where something is evaluated, in pixels. */
static void place_in_pixel(const struct draw_fragments *f, unsigned lane, unsigned location, uint32_t offset, double *x,
                           double *y) {
    const struct draw_samples *samples = &f->state->raster.samples;
    const struct draw_raster_state *state = &f->state->raster;
    double center = raster_center(f->state);
    unsigned sample = f->sample;
    bool at_sample = location == 0 && f->per_sample;
    *x = *y = center;
    if (location == LOCATION_OFFSET) {
        *x += fraction(offset);
        *y += fraction(offset >> 16);
    } else if (location == LOCATION_CENTROID) {
        sample = draw_centroid(f, lane);
        at_sample = sample < DRAW_SAMPLES;
    }
    if (at_sample && state->multisample) {
        unsigned at = raster_position(samples, f->x[lane], f->y[lane], sample);
        *x = samples->x[at] / 16.0;
        *y = samples->y[at] / 16.0;
    }
}

static void places_of(const struct draw_fragments *f, unsigned quad, unsigned location, const uint32_t *offset,
                      struct place *place) {
    for (unsigned i = 0; i < 4; i++) {
        unsigned lane = 4 * quad + i;
        place_in_pixel(f, lane, location, offset ? offset[lane] : 0, &place->x[i], &place->y[i]);
        place->x[i] += f->x[lane];
        place->y[i] += f->y[lane];
    }
}

/* What a primitive has as a whole. False: it is none of these. */
static bool whole_value(const struct draw_fragments *f, const struct draw_setup *setup, unsigned word,
                        uint32_t *value) {
    const struct draw_primitive *primitive = setup->primitive;
    switch (word) {
    case WORD_PRIMITIVE:
        *value = primitive->id;
        return true;
    case WORD_LAYER:
        *value = primitive->layer;
        return true;
    case WORD_VIEWPORT:
        *value = primitive->viewport_word;
        return true;
    case WORD_POINT_SIZE:
        *value = setup->point ? bits_of(setup->point_size) : bits_of((double)f->state->raster.point_size);
        return true;
    case WORD_FRONT:
        *value = setup->front ? UINT32_MAX : 0;
        return true;
    default:
        return false;
    }
}

/* The plane of a word, or NULL: it is flat, *value. */
static const struct raster_plane *word_plane(const struct draw_fragments *f, const struct draw_setup *setup,
                                             unsigned word, unsigned mode, struct raster_plane *made, uint32_t *value) {
    const struct draw_program *program = &f->state->stages.program;
    assert(word < DRAW_ATTRIBUTES && setup->has_inputs);
    unsigned index = f->raster->input_of[word];
    assert(index <= program->input_count);
    if (whole_value(f, setup, word, value))
        return NULL;
    if (word == WORD_Z) {
        *made = setup->z;
        made->value += setup->offset;
        return made;
    }
    if (word == WORD_RW)
        return &setup->rw;
    if (word == WORD_POINT_S || word == WORD_POINT_T) {
        *made = (struct raster_plane){0, 0, 0};
        if (setup->point && f->state->raster.point_sprite)
            *made = point_plane(&f->state->raster, setup, word - WORD_POINT_S);
        return made;
    }
    bool color = word >= WORD_COLORS && word < WORD_COLORS_END;
    bool flat = mode == MODE_CONSTANT || (mode == MODE_SHADE_MODEL && color && program->flat_colors);
    if (index && !flat && program->inputs[index - 1].mode != DRAW_FLAT)
        return &setup->input[index - 1];
    *value = setup->primitive->flat->attribute[word_of(&f->state->raster, setup, word)];
    return NULL;
}

void raster_plain_planes(struct draw_raster *raster) {
    const struct draw_inputs_key *key = &raster->inputs;
    memset(raster->plane_of, 0, sizeof raster->plane_of);
    for (unsigned i = 0; i < key->count; i++) {
        unsigned word = key->input[i].word;
        bool own = (word < WORD_PRIMITIVE || word > WORD_RW) && word != WORD_POINT_S && word != WORD_POINT_T &&
                   word != WORD_FRONT && !(word >= WORD_COLORS && word < WORD_COLORS_END);
        if (own && key->input[i].mode != DRAW_FLAT)
            raster->plane_of[word] = raster->input_of[word];
    }
}

static void interpolate_quad(const struct draw_fragments *f, unsigned quad, uint32_t lanes, unsigned word,
                             unsigned mode, const struct place *place, uint32_t *out) {
    const struct draw_setup *setup = f->setup[quad];
    struct raster_plane made;
    uint32_t value = 0;
    const struct raster_plane *plane = word_plane(f, setup, word, mode, &made, &value);
    double from_x = setup->weights.origin_x, from_y = setup->weights.origin_y;
    uint32_t result[4];
    for (unsigned i = 0; i < 4; i++)
        result[i] = plane ? bits_of(raster_at(plane, place->x[i] - from_x, place->y[i] - from_y)) : value;
    for (unsigned i = 0; i < 4; i++)
        if (lanes >> (4 * quad + i) & 1)
            out[4 * quad + i] = result[i];
}

static void window_position(unsigned lane, unsigned word, const struct place *place, uint32_t *out) {
    out[lane] = bits_of(word == WORD_X ? place->x[lane & 3] : place->y[lane & 3]);
}

typedef double four_doubles __attribute__((vector_size(32)));
typedef float four_floats __attribute__((vector_size(16)));

/* Columns and lines apart: the sums are those of raster_at(). */
INLINE void stripe_row(const struct raster_plane *plane, double from_x, double from_y, uint32_t *out) {
    double column[RASTER_TILE], value = plane->value, by_x = plane->x;
    double upper = plane->y * from_y, lower = plane->y * (from_y + 1);
    const four_doubles line = {upper, upper, lower, lower};
    for (unsigned i = 0; i < RASTER_TILE; i++)
        column[i] = value + by_x * (from_x + i);
    for (unsigned i = 0; i < DRAW_QUADS; i++) {
        double left = column[2 * i], right = column[2 * i + 1];
        four_floats quad = __builtin_convertvector((four_doubles){left, right, left, right} + line, four_floats);
        memcpy(out + 4 * (size_t)i, &quad, sizeof quad);
    }
}

TEXTURE_WIDE static void stripe_wide(const struct raster_plane *plane, double from_x, double from_y, uint32_t *out) {
    stripe_row(plane, from_x, from_y, out);
}

static void evaluate_stripe(const struct draw_fragments *f, const struct raster_plane *const *planes, unsigned count,
                            draw_row *out) {
    double x = f->from_x[0], y = f->from_y[0];
    if (f->raster->vector) {
        f->raster->vector->planes(planes, count, x, y, out);
        return;
    }
    for (unsigned i = 0; i < count; i++)
        if (texture_has_wide())
            stripe_wide(planes[i], x, y, out[i]);
        else
            stripe_row(planes[i], x, y, out[i]);
}

bool draw_interpolate_stripe(const struct draw_fragments *f, unsigned word, unsigned mode, uint32_t *out) {
    struct raster_plane made;
    draw_row row;
    uint32_t value = 0;
    assert(word < DRAW_ATTRIBUTES);
    if (!f->is_stripe || word == WORD_X || word == WORD_Y)
        return false;
    const struct raster_plane *plane = word_plane(f, f->setup[0], word, mode, &made, &value);
    for (unsigned i = 0; i < DRAW_LANES && !plane; i++)
        out[i] = value;
    if (plane) {
        evaluate_stripe(f, &plane, 1, &row);
        memcpy(out, row, sizeof row);
    }
    return true;
}

unsigned draw_interpolate_many(const struct draw_fragments *f, const struct shade_wanted *words, unsigned count,
                               draw_row *out) {
    const struct raster_plane *planes[SHADE_MOST_WANTED];
    unsigned known = 0;
    assert(f->is_stripe);
    for (; known < count && known < SHADE_MOST_WANTED; known++) {
        unsigned plain = words[known].mode != MODE_CONSTANT ? f->raster->plane_of[words[known].word] : 0;
        if (!plain && words[known].word != WORD_RW)
            break;
        planes[known] = plain ? &f->setup[0]->input[plain - 1] : &f->setup[0]->rw;
    }
    evaluate_stripe(f, planes, known, out);
    return known;
}

/* Each quad has its own plane: to `out`, quad by quad. */
INLINE void quad_rows(const struct draw_fragments *f, const struct raster_plane *const *planes, unsigned quads,
                      uint32_t *out) {
    for (unsigned quad = 0; quad < quads; quad++) {
        const struct raster_plane *plane = planes[quad];
        four_doubles x, y;
        if (!plane)
            continue;
        memcpy(&x, &f->from_x[4 * quad], sizeof x);
        memcpy(&y, &f->from_y[4 * quad], sizeof y);
        four_floats row = __builtin_convertvector(plane->value + plane->x * x + plane->y * y, four_floats);
        memcpy(out + 4 * (size_t)quad, &row, sizeof row);
    }
}

TEXTURE_WIDE static void quad_rows_wide(const struct draw_fragments *f, const struct raster_plane *const *planes,
                                        unsigned quads, uint32_t *out) {
    quad_rows(f, planes, quads, out);
}

bool draw_interpolate_quads(const struct draw_fragments *f, unsigned word, unsigned mode, uint32_t *out) {
    const struct raster_plane *planes[DRAW_QUADS];
    struct raster_plane made[DRAW_QUADS];
    unsigned plain = mode != MODE_CONSTANT ? f->raster->plane_of[word] : 0, quads = 0;
    assert(word < DRAW_ATTRIBUTES && !f->is_stripe);
    if (word == WORD_X || word == WORD_Y || (f->per_sample && f->state->raster.multisample))
        return false;
    memset(out, 0, sizeof(draw_row));
    for (; quads < DRAW_QUADS && f->lanes >> 4 * quads & 1; quads++) {
        const struct draw_setup *setup = f->setup[quads];
        uint32_t value = 0;
        planes[quads] = plain ? &setup->input[plain - 1] : word_plane(f, setup, word, mode, &made[quads], &value);
        for (unsigned i = 0; i < 4 && !planes[quads]; i++)
            out[4 * quads + i] = value;
    }
    if (texture_has_wide())
        quad_rows_wide(f, planes, quads, out);
    else
        quad_rows(f, planes, quads, out);
    return true;
}

void draw_interpolate(const struct draw_fragments *fragments, uint32_t lanes, const uint32_t *word, unsigned mode,
                      unsigned location, const uint32_t *offset, uint32_t *out) {
    for (unsigned quad = 0; quad < DRAW_QUADS; quad++) {
        uint32_t left = lanes & fragments->lanes & 0xfu << 4 * quad;
        struct place place;
        if (left)
            places_of(fragments, quad, location, offset, &place);
        while (left) { /* mostly all lanes want the same word */
            unsigned lane = (unsigned)__builtin_ctz(left), wanted = word[lane] & (DRAW_ATTRIBUTES - 1);
            uint32_t same = 0;
            for (unsigned i = lane; i < 4 * quad + 4; i++)
                same |= (left >> i & 1 && (word[i] & (DRAW_ATTRIBUTES - 1)) == wanted) ? 1u << i : 0;
            left &= ~same;
            if (wanted != WORD_X && wanted != WORD_Y)
                interpolate_quad(fragments, quad, same, wanted, mode, &place, out);
            else
                for (unsigned i = lane; i < 4 * quad + 4; i++)
                    if (same >> i & 1)
                        window_position(i, wanted, &place, out);
        }
    }
}
