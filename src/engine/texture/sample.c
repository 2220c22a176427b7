/* SPDX-License-Identifier: MIT */
#include <assert.h>
#include <string.h>

#include "engine/texture/sample_lane.h"
#include "engine/texture/sample_plain.h"
#include "engine/texture/sample_rows.h"
#include "engine/texture/vector.h"

/* ---- where a lane samples ---- */

/* UNKNOWN: a layer beyond the last; chosen: the last. */
static uint32_t layer_of(const struct texture_view *view, const struct texture_request *request, unsigned lane,
                         unsigned face) {
    const uint32_t wanted = request->layer ? request->layer[lane] & 0xffff : 0;
    const uint32_t step = is_cube(view) ? 6 : 1, layers = view->layers / step;
    const uint32_t layer = wanted < layers ? wanted : layers ? layers - 1 : 0;
    return layer * step + face;
}

static void coordinates_of(const uint32_t *const row[3], unsigned lane, double at[3]) {
    for (unsigned i = 0; i < 3; i++)
        at[i] = (double)float_of(row[i], lane);
}

/*
 * Between two places, in texels of the base level; of cubes on the face of the lane, also where they lead to others:
 * Mesa scales directions to the length of faces before (nv50_ir_lowering_nvc0.cpp, handleTEX).
 */
static void derivative(const struct texture_view *view, unsigned face, const double from[3], const double to[3],
                       double out[3]) {
    const uint32_t *sizes = view->level[view->first_level].size;
    double flat[2][3] = {{from[0], from[1], from[2]}, {to[0], to[1], to[2]}};
    if (is_cube(view)) {
        cube_on_face(face, from, flat[0]);
        cube_on_face(face, to, flat[1]);
    }
    for (unsigned i = 0; i < 3 && i < axes_of(view); i++)
        out[i] = (flat[1][i] - flat[0][i]) * (view->normalized ? sizes[i] : 1);
}

/* UNKNOWN: gradients of cubes, which Mesa does not ask for; chosen: the face's coordinates a step away. */
static void explicit_derivatives(const struct texture_view *view, const struct texture_request *request, unsigned lane,
                                 unsigned face, const double at[3], struct sample_point *point) {
    static const double none[3];
    const double *from = is_cube(view) ? at : none;
    double x[3], y[3];
    for (unsigned i = 0; i < 3; i++) {
        x[i] = from[i] + (double)float_of(request->gradient[2 * i], lane);
        y[i] = from[i] + (double)float_of(request->gradient[2 * i + 1], lane);
    }
    derivative(view, face, from, x, point->across);
    derivative(view, face, from, y, point->down);
}

/* Between lanes of a row and of a column of the quad. */
static void implicit_derivatives(const struct texture_view *view, const struct texture_request *request, unsigned lane,
                                 unsigned face, struct sample_point *point) {
    double at[2][3];
    coordinates_of(request->coordinate, lane & ~1u, at[0]);
    coordinates_of(request->coordinate, lane | 1, at[1]);
    derivative(view, face, at[0], at[1], point->across);
    coordinates_of(request->coordinate, lane & ~2u, at[0]);
    coordinates_of(request->coordinate, lane | 2, at[1]);
    derivative(view, face, at[0], at[1], point->down);
}

static struct sample_point point_of(const struct texture_view *view, const struct texture_request *request,
                                    unsigned lane) {
    struct sample_point point = {0};
    unsigned face = 0;
    double at[3];
    coordinates_of(request->coordinate, lane, at);
    memcpy(point.at, at, sizeof at);
    if (is_cube(view)) {
        face = cube_face(at, point.at);
        point.at[2] = 0;
    }
    point.layer = layer_of(view, request, lane, face);
    if (request->lod == TEXTURE_LOD_GRADIENT)
        explicit_derivatives(view, request, lane, face, at, &point);
    else if (request->has_derivatives)
        implicit_derivatives(view, request, lane, face, &point);
    return point;
}

static struct lane begin_lane(struct texel_reader *reader, const struct texture_request *request, unsigned number) {
    struct lane lane = {
        .reader = reader, .request = request, .number = number, .reference = float_of(request->reference, number)};
    for (unsigned i = 0; i < 3; i++)
        lane.offset[i] = request->offset[i] ? (int32_t)request->offset[i][number] : 0;
    return lane;
}

static struct level_choice choice_of(const struct texture_view *view, const struct texture_sampler *sampler,
                                     const struct texture_request *request, const struct sample_point *point,
                                     unsigned lane) {
    const bool bias = request->lod == TEXTURE_LOD_BIAS, level = request->lod == TEXTURE_LOD_LEVEL;
    const float value = float_of(request->level, lane);
    return level_choose(view, sampler, request, point, level ? value : 0, bias ? value : 0);
}

/* ---- fetch ---- */

/* UNKNOWN: a sample beyond the count; chosen: the last. */
static void sample_element(const struct texture_view *view, uint32_t sample, uint32_t *x, uint32_t *y) {
    const uint32_t count = 1u << (view->samples_x + view->samples_y);
    assert(count <= sizeof view->element);
    const uint8_t element = view->element[sample < count ? sample : count - 1];
    *x = *x << view->samples_x | element >> 4;
    *y = *y << view->samples_y | (element & 15);
}

/* What is outside reads 0 in all components that are stored. */
static void fetch_lane(struct texel_reader *reader, const struct texture_request *request, unsigned lane,
                       union texel *out) {
    const struct texture_view *view = reader->view;
    uint32_t at[3] = {0, 0, 0};
    const uint32_t level = request->level ? request->level[lane] : 0;
    const uint32_t layer = request->layer ? request->layer[lane] & 0xffff : 0;
    bool inside = level <= view->last_level - view->first_level && layer < view->layers;
    union texel raw = {.u = {0, 0, 0, 0}};
    const unsigned number = inside ? view->first_level + level : 0;
    const uint32_t *sizes = view->level[number].size;
    for (unsigned i = 0; i < axes_of(view); i++) {
        int64_t coordinate = request->coordinate[i] ? (int32_t)request->coordinate[i][lane] : 0;
        coordinate += request->offset[i] ? (int32_t)request->offset[i][lane] : 0;
        inside &= coordinate >= 0 && coordinate < sizes[i];
        at[i] = (uint32_t)coordinate;
    }
    if (inside && (view->samples_x || view->samples_y)) {
        sample_element(view, request->sample ? request->sample[lane] : 0, &at[0], &at[1]);
        inside = at[0] < sizes[0] && at[1] < sizes[1];
    }
    const struct texel_place place = {at[0], at[1], at[2], layer, number};
    if (inside)
        texel_raw(reader, &place, &raw);
    texel_sources(view, &raw, out);
}

/* ---- all of it ---- */

/* As filters see a texture with samples: elements of one. */
static void view_of_elements(const struct texture_view *view, struct texture_view *elements) {
    memcpy(elements, view, sizeof *elements);
    elements->samples_x = elements->samples_y = 0;
    elements->table.possible = false;
    elements->first_level = elements->last_level = 0; /* there are no others */
    memcpy(&elements->level[0], &view->whole, sizeof view->whole);
    elements->layer_bytes = view->whole_layer_bytes;
}

/* No level but the first is chosen, and no filter but that of magnification, or both are the same. */
static bool stays_at_first(const struct texture_view *view, const struct texture_sampler *sampler) {
    float most = sampler->max_lod > sampler->min_lod ? sampler->max_lod : sampler->min_lod;
    most = most > view->min_lod ? most : view->min_lod;
    if (most <= 0)
        return true;
    return sampler->mag_linear == sampler->min_linear &&
           (view->last_level == view->first_level || sampler->mip < 2 || (sampler->mip == 2 && most <= 0.5F));
}

static bool level_matters(const struct texture_view *view, const struct texture_sampler *sampler) {
    return (sampler->anisotropy > 1 && sampler->min_linear) || !stays_at_first(view, sampler);
}

/* ---- rows ---- */

/* Comparison and border of texels that rows have read. */
static void finish_row(const struct sample_rows *rows, uint32_t lanes, uint32_t outside, union texel *texels) {
    struct texel_reader *reader = rows->opaque;
    const bool shadow = rows->request->shadow;
    for (uint32_t left = shadow ? lanes : outside; left; left &= left - 1) {
        const unsigned i = (unsigned)__builtin_ctz(left);
        const struct lane lane = {
            .reader = reader, .request = rows->request, .reference = float_of(rows->request->reference, i)};
        if (outside >> i & 1)
            border_of(&lane, &texels[i]);
        if (shadow) {
            union texel raw = texels[i];
            compare_texel(&lane, &raw);
            texel_sources(reader->view, &raw, &texels[i]);
        }
    }
}

/* Whether all lanes choose the same level, and then what the first of them does. */
static bool same_choice(const struct texture_view *view, const struct texture_request *request, uint32_t lanes) {
    uint32_t other = 0;
    if (is_cube(view) || request->lod == TEXTURE_LOD_GRADIENT || request->has_derivatives)
        return false;
    for (uint32_t left = request->level ? lanes : 0; left; left &= left - 1)
        other |= request->level[__builtin_ctz(left)] ^ request->level[__builtin_ctz(lanes)];
    return !other;
}

static void choose_lanes(struct sample_rows *rows, uint32_t lanes, const struct level_choice *choice, bool integers) {
    const unsigned weight = integers ? 0 : choice->weight;
    assert(choice->level[0] < TEXTURE_LEVELS && choice->level[1] < TEXTURE_LEVELS);
    rows->level[choice->level[0] % TEXTURE_LEVELS] |= lanes;
    rows->linear |= choice->linear && !integers ? lanes : 0;
    if (!weight)
        return;
    if (!rows->mixed) /* they are all there or none */
        memset(rows->weight, 0, sizeof rows->weight);
    rows->next[choice->level[1] % TEXTURE_LEVELS] |= lanes;
    rows->mixed |= lanes;
    for (unsigned i = 0; i < TEXTURE_LANES && lanes == UINT32_MAX; i++)
        rows->weight[i] = weight;
    for (uint32_t left = lanes == UINT32_MAX ? 0 : lanes; left; left &= left - 1)
        rows->weight[__builtin_ctz(left)] = weight;
}

/* Of cubes each lane has a place, and a level; others have it from their coordinates. */
static void place_lane(const struct texture_view *view, struct sample_rows *rows, unsigned lane,
                       const struct sample_point *point) {
    for (unsigned axis = 0; axis < 3 && rows->cube; axis++)
        rows->at[axis][lane] = point->at[axis];
    rows->layer[lane] = rows->cube ? point->layer : layer_of(view, rows->request, lane, 0);
}

/* Whether levels come from the coordinates of neighbours, and without anisotropy. */
static bool by_derivatives(const struct texel_reader *reader, const struct sample_rows *rows) {
    const struct texture_request *request = rows->request;
    return !rows->cube && request->has_derivatives &&
           (request->lod == TEXTURE_LOD_AUTO || request->lod == TEXTURE_LOD_BIAS) &&
           !(reader->sampler->anisotropy > 1 && reader->sampler->min_linear);
}

static void derive_rows(const struct texel_reader *reader, struct sample_rows *rows, uint32_t lanes) {
    const struct texture_view *view = reader->view;
    const struct texture_request *request = rows->request;
    const bool biased = request->lod == TEXTURE_LOD_BIAS && request->level;
    rows_doubles scale, lambda;
    struct level_choice choice = {.probes = 1};
    double sizes[3], chosen = 0;
    for (unsigned axis = 0; axis < rows->axes; axis++)
        sizes[axis] = view->normalized ? view->level[view->first_level].size[axis] : 1;
    level_scales(rows->at, sizes, rows->axes, scale);
    if (!biased && level_of_all(view, reader->sampler, scale, lanes, &choice)) {
        choose_lanes(rows, lanes, &choice, view->integers);
        return;
    }
    level_lambdas(scale, lambda);
    for (uint32_t left = lanes; left; left &= left - 1) {
        const unsigned i = (unsigned)__builtin_ctz(left);
        const float bias = biased ? float_of(request->level, i) : 0;
        if (left == lanes || lambda[i] != chosen || biased) {
            choice = (struct level_choice){.probes = 1};
            level_of_lambda(view, reader->sampler, lambda[i], bias, &choice);
        }
        chosen = lambda[i];
        choose_lanes(rows, 1u << i, &choice, view->integers);
    }
}

/* Fills the rows. Lanes with several probes are left. */
static uint32_t fill_rows(const struct texel_reader *reader, struct sample_rows *rows, uint32_t lanes) {
    const struct texture_view *view = reader->view;
    const struct texture_request *request = rows->request;
    uint32_t left = lanes, those, many = 0;
    if (!rows->cube && !level_matters(view, reader->sampler)) {
        const struct level_choice first = {.level = {view->first_level}, .linear = reader->sampler->mag_linear};
        choose_lanes(rows, lanes, &first, view->integers);
        left = 0;
    } else if (lanes && by_derivatives(reader, rows)) {
        derive_rows(reader, rows, lanes);
        left = 0;
    }
    const bool same = left && same_choice(view, request, lanes);
    for (; left; left &= ~those) {
        const unsigned first = (unsigned)__builtin_ctz(left);
        those = same ? left : 1u << first;
        const struct sample_point point = point_of(view, request, first);
        const struct level_choice choice = choice_of(view, reader->sampler, request, &point, first);
        choose_lanes(rows, those, &choice, view->integers);
        many |= choice.probes > 1 ? those : 0;
        if (rows->cube)
            place_lane(view, rows, first, &point);
    }
    for (left = rows->cube || !request->layer ? 0 : lanes; left; left &= left - 1)
        place_lane(view, rows, (unsigned)__builtin_ctz(left), NULL);
    return many;
}

/* Of a view that filters can take. */
static void sample_lanes(struct texel_reader *reader, const struct texture_request *request, uint32_t lanes,
                         texture_row out[4]) {
    for (uint32_t left = lanes; left; left &= left - 1) {
        const unsigned number = (unsigned)__builtin_ctz(left);
        union texel result;
        struct lane lane = begin_lane(reader, request, number);
        if (request->operation == TEXTURE_FETCH) {
            fetch_lane(reader, request, number, &result);
        } else {
            const struct sample_point point = point_of(reader->view, request, number);
            if (request->operation == TEXTURE_GATHER) {
                gather_lane(&lane, &point, &result);
            } else {
                const struct level_choice choice = choice_of(reader->view, reader->sampler, request, &point, number);
                sample_lane(&lane, &point, &choice, &result);
            }
        }
        for (unsigned c = 0; c < 4; c++)
            out[c][number] = result.u[c];
    }
}

/* Gives the lanes that are left. */
static uint32_t sample_by_rows(struct texel_reader *reader, const struct texture_request *request, uint32_t lanes,
                               texture_row out[4]) {
    const struct texture_view *view = reader->view;
    struct sample_rows rows;
    if (request->operation != TEXTURE_SAMPLE || reader->sampler->reduction || !rows_possible(view))
        return lanes;
    rows.request = request;
    rows.axes = axes_of(view);
    rows.cube = is_cube(view);
    rows.linear = rows.mixed = 0;
    memset(rows.level, 0, sizeof rows.level);
    memset(rows.next, 0, sizeof rows.next);
    rows.has_layers = rows.cube || request->layer;
    if (rows.has_layers)
        memset(rows.layer, 0, sizeof rows.layer);
    rows.finish = finish_row;
    rows.opaque = reader;
    for (unsigned axis = 0; axis < rows.axes && !rows.cube; axis++)
        rows_widen(request->coordinate[axis], rows.at[axis]);
    const uint32_t many = fill_rows(reader, &rows, lanes);
    uint32_t again = 0;
    if (!many && sample_plain(reader, &rows, lanes, out, &again)) {
        const uint64_t read = reader->read;
        sample_lanes(reader, request, again, out);
        reader->read = read; /* with theirs */
        return 0;
    }
    return many | sample_rows(reader, &rows, lanes & ~many, out);
}

/* A header may say how many probes there are at most. */
static const struct texture_sampler *sampler_of(const struct texture_view *view, const struct texture_sampler *sampler,
                                                struct texture_sampler *copy) {
    if (!sampler || !view->most_anisotropy)
        return sampler;
    *copy = *sampler;
    copy->anisotropy = view->most_anisotropy;
    return copy;
}

uint64_t texture_sample(const struct texture_memory *memory, const struct texture_view *view,
                        const struct texture_sampler *sampler, const struct texture_request *request, uint32_t lanes,
                        texture_row out[4]) {
    struct texel_reader reader;
    assert(sampler || request->operation == TEXTURE_FETCH);
    if (request->operation != TEXTURE_FETCH && (view->samples_x || view->samples_y)) {
        struct texture_view elements;
        view_of_elements(view, &elements);
        return texture_sample(memory, &elements, sampler, request, lanes, out);
    }
    struct texture_sampler copy;
    sampler = sampler_of(view, sampler, &copy);
    struct texture_request simpler;
    if (request->operation == TEXTURE_SAMPLE && (is_cube(view) || sampler->reduction) &&
        !level_matters(view, sampler)) {
        simpler = *request; /* rows of others see to it themselves */
        simpler.has_derivatives = false;
        simpler.lod = TEXTURE_LOD_ZERO;
        request = &simpler;
    }
    uint64_t read;
    uint32_t again;
    if (sampler &&
        vector_sample(memory, view, sampler, request, level_matters(view, sampler), lanes, out, &read, &again)) {
        if (again) {
            texel_begin(&reader, memory, view, sampler);
            sample_lanes(&reader, request, again, out);
        }
        return read;
    }
    texel_begin(&reader, memory, view, request->operation == TEXTURE_FETCH ? NULL : sampler);
    sample_lanes(&reader, request, sample_by_rows(&reader, request, lanes, out), out);
    return reader.read;
}

/* Fixed point with 8 bits after the point, as much as 16 bits hold. */
static uint32_t fixed_of(double value, double low, double high) {
    value = value > low ? (value < high ? value : high) : low;
    return (uint32_t)(int32_t)(value * 256) & 0xffff;
}

void texture_query_lod(const struct texture_view *view, const struct texture_sampler *sampler,
                       const struct texture_request *request, uint32_t lanes, texture_row out[2]) {
    struct texture_sampler copy;
    sampler = sampler_of(view, sampler, &copy);
    for (uint32_t left = lanes; left; left &= left - 1) {
        const unsigned lane = (unsigned)__builtin_ctz(left);
        const struct sample_point point = point_of(view, request, lane);
        const struct level_choice choice = choice_of(view, sampler, request, &point, lane);
        const double last = view->last_level - view->first_level;
        out[0][lane] = fixed_of(choice.lambda, -128, 127.99609375);
        out[1][lane] = fixed_of(choice.limited < last ? choice.limited : last, 0, 255.99609375);
    }
}

void texture_query_size(const struct texture_view *view, const uint32_t *level, uint32_t lanes, texture_row out[4]) {
    const unsigned count = view->last_level - view->first_level + 1;
    for (uint32_t left = lanes; left; left &= left - 1) {
        const unsigned lane = (unsigned)__builtin_ctz(left);
        const uint32_t number = level && level[lane] < count ? level[lane] : 0;
        const struct texture_level *at = &view->level[view->first_level + number];
        out[0][lane] = at->size[0] >> view->samples_x;
        out[1][lane] = view->target == TEXTURE_1D_ARRAY ? view->layers : at->size[1] >> view->samples_y;
        out[2][lane] = view->target == TEXTURE_3D           ? at->size[2]
                       : view->target == TEXTURE_CUBE_ARRAY ? view->layers / 6
                                                            : view->layers;
        out[3][lane] = count;
    }
}
