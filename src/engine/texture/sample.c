/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "engine/texture/level.h"
#include "engine/texture/sample_rows.h"
#include "engine/texture/texel.h"

/* One lane of a request. */
struct lane {
    struct texel_reader *reader;
    const struct texture_request *request;
    unsigned number;
    float reference;
    double offset[3];
};

static float float_of(const uint32_t *row, unsigned lane) {
    float value = 0;
    if (row)
        memcpy(&value, &row[lane], sizeof value);
    return value;
}

static bool is_cube(const struct texture_view *view) {
    return view->target == TEXTURE_CUBE || view->target == TEXTURE_CUBE_ARRAY;
}

/* Axes on which a texel is looked for. */
static unsigned axes_of(const struct texture_view *view) {
    switch (view->target) {
    case TEXTURE_1D:
    case TEXTURE_1D_ARRAY:
    case TEXTURE_BUFFER:
        return 1;
    case TEXTURE_3D:
        return 3;
    default:
        return 2;
    }
}

/* ---- comparison and border ---- */

/* Less, equal and greater as bits, like the numbers of the functions. A NaN is none of them. */
static bool compare(uint8_t function, float reference, float texel) {
    unsigned relation = (reference < texel ? 1u : 0) | (reference == texel ? 2u : 0) | (reference > texel ? 4u : 0);
    return function == 7 || (function & relation);
}

/* Depth of fixed point has no more than 0 to 1 to be compared with. */
static float reference_of(const struct texture_view *view, float reference) {
    if (view->type[texel_depth(view)] == TEXTURE_FLOAT)
        return reference;
    return reference > 0 ? (reference < 1 ? reference : 1) : 0;
}

/*
 * The border is what the sampler says, as the shader is to get it. UNKNOWN: whether it is cut to what the format can
 * hold; chosen: it is, where that is normalised.
 */
static void border_of(const struct lane *lane, union texel *out) {
    const struct texture_view *view = lane->reader->view;
    memcpy(out->u, lane->reader->sampler->border, sizeof out->u);
    if (view->depth_format)
        out->u[1] = out->u[2] = out->u[0];
    for (unsigned i = 0; i < 4 && !view->integers; i++) {
        const float low = view->type[0] == TEXTURE_SNORM ? -1.0F : 0.0F;
        if (view->type[0] == TEXTURE_FLOAT)
            break;
        out->f[i] = out->f[i] > low ? (out->f[i] < 1 ? out->f[i] : 1) : low;
    }
}

static void compare_texel(const struct lane *lane, union texel *raw) {
    const struct texture_view *view = lane->reader->view;
    const unsigned depth = texel_depth(view);
    const float result =
        compare(lane->reader->sampler->function, reference_of(view, lane->reference), raw->f[depth]) ? 1 : 0;
    memset(raw, 0, sizeof *raw);
    raw->f[depth] = result;
    raw->f[3] = depth == 3 ? result : 1;
}

static void get_texel(const struct lane *lane, const struct texel_place *at, bool outside, union texel *out) {
    union texel raw;
    if (outside)
        border_of(lane, &raw);
    else
        texel_raw(lane->reader, at, &raw);
    if (lane->request->shadow)
        compare_texel(lane, &raw);
    if (outside && !lane->request->shadow)
        *out = raw;
    else
        texel_sources(lane->reader->view, &raw, out);
}

/* ---- footprints ---- */

/* The texels that one probe takes of one level. */
struct footprint {
    struct texel_axis axis[3];
    unsigned axes, level, layer;
    bool linear;
    bool seamless; /* of a cube: beyond an edge is the next face */
    uint32_t size;
};

static double texel_coordinate(const struct texture_view *view, const struct texture_sampler *sampler, double at,
                               uint32_t size) {
    return view->normalized && !sampler->unnormalized ? at * size : at;
}

static struct footprint footprint_of(const struct lane *lane, const struct sample_point *point, unsigned number,
                                     bool linear) {
    const struct texture_view *view = lane->reader->view;
    const struct texture_sampler *sampler = lane->reader->sampler;
    const struct texture_level *level = &view->level[number];
    struct footprint print = {.axes = axes_of(view), .level = number, .layer = point->layer, .linear = linear};
    const uint32_t *sizes = level->size;
    print.seamless = is_cube(view) && sampler->seamless;
    print.size = sizes[0];
    for (unsigned i = 0; i < print.axes; i++) {
        double at = texel_coordinate(view, sampler, point->at[i], sizes[i]) + lane->offset[i];
        uint8_t wrap = is_cube(view) && sampler->edge_in_face ? 2 : sampler->wrap[i];
        print.axis[i] = print.seamless ? texel_axis_free(at, linear) : texel_axis(wrap, at, sizes[i], linear);
    }
    return print;
}

/* Beyond a corner of a cube is no texel: it counts as the mean of the three that meet there. */
static void corner_texel(const struct lane *lane, const struct footprint *print, int64_t x, int64_t y,
                         union texel *out) {
    const int64_t inside_x = x < 0 ? 0 : (int64_t)print->size - 1, inside_y = y < 0 ? 0 : (int64_t)print->size - 1;
    const int64_t places[3][2] = {{inside_x, inside_y}, {x, inside_y}, {inside_x, y}};
    double sum[4] = {0};
    union texel texel;
    for (unsigned i = 0; i < 3; i++) {
        unsigned face = print->layer % 6;
        int64_t at_x = places[i][0], at_y = places[i][1];
        cube_neighbour(&face, &at_x, &at_y, print->size);
        const struct texel_place at = {(uint32_t)at_x, (uint32_t)at_y, 0, print->layer / 6 * 6 + face, print->level};
        get_texel(lane, &at, false, &texel);
        for (unsigned c = 0; c < 4; c++)
            sum[c] += (double)texel.f[c];
    }
    for (unsigned c = 0; c < 4; c++)
        out->f[c] = (float)(sum[c] / 3);
}

static void seamless_texel(const struct lane *lane, const struct footprint *print, int64_t x, int64_t y,
                           union texel *out) {
    unsigned face = print->layer % 6;
    const int64_t n = print->size;
    x = x < -1 ? -1 : x > n ? n : x;
    y = y < -1 ? -1 : y > n ? n : y;
    if (!cube_neighbour(&face, &x, &y, print->size)) {
        corner_texel(lane, print, x, y, out);
        return;
    }
    const struct texel_place at = {(uint32_t)x, (uint32_t)y, 0, print->layer / 6 * 6 + face, print->level};
    get_texel(lane, &at, false, out);
}

/* One of the texels: bit i of `which` says which of two on axis i. */
static void footprint_texel(const struct lane *lane, const struct footprint *print, unsigned which, union texel *out) {
    int64_t at[3] = {0, 0, 0};
    bool outside = false;
    for (unsigned i = 0; i < print->axes; i++)
        at[i] = print->axis[i].at[which >> i & 1];
    if (print->seamless) {
        seamless_texel(lane, print, at[0], at[1], out);
        return;
    }
    for (unsigned i = 0; i < print->axes; i++)
        outside |= at[i] == TEXEL_OUTSIDE;
    const struct texel_place place = {(uint32_t)at[0], (uint32_t)at[1], (uint32_t)at[2], print->layer, print->level};
    get_texel(lane, &place, outside, out);
}

/* ---- filters ---- */

struct sum {
    double value[4];
    bool any; /* of a reduction */
};

static void add_texel(struct sum *sum, uint8_t reduction, const union texel *texel, double weight) {
    for (unsigned c = 0; c < 4; c++) {
        const double value = (double)texel->f[c];
        if (reduction == 0)
            sum->value[c] += value * weight;
        else if (!sum->any || (reduction == 1 ? value < sum->value[c] : value > sum->value[c]))
            sum->value[c] = value;
    }
    sum->any = true;
}

/* Adds the level's texels, whose weights come to `weight`. */
static void filter_level(const struct lane *lane, const struct sample_point *point, unsigned level, bool linear,
                         double weight, struct sum *sum) {
    const struct footprint print = footprint_of(lane, point, level, linear);
    const unsigned count = linear ? 1u << print.axes : 1;
    const uint8_t reduction = lane->reader->sampler->reduction;
    union texel texel;
    for (unsigned which = 0; which < count; which++) {
        double part = weight;
        for (unsigned i = 0; i < print.axes && linear; i++) {
            const unsigned second = print.axis[i].weight;
            part *= (double)(which >> i & 1 ? second : 256 - second) / 256;
        }
        if (part == 0)
            continue;
        footprint_texel(lane, &print, which, &texel);
        add_texel(sum, reduction, &texel, part);
    }
}

/* Probes lie evenly on the longer axis of the pixel's footprint. */
static void filter_probes(const struct lane *lane, const struct sample_point *point, const struct level_choice *choice,
                          struct sum *sum) {
    const struct texture_view *view = lane->reader->view;
    const uint32_t *sizes = view->level[view->first_level].size;
    for (unsigned probe = 0; probe < choice->probes; probe++) {
        struct sample_point at = *point;
        const double part = (probe + 0.5) / choice->probes - 0.5, weight = 1.0 / choice->probes;
        for (unsigned i = 0; i < axes_of(view); i++)
            at.at[i] += choice->axis[i] * part / (view->normalized ? sizes[i] : 1);
        const double second = choice->weight / 256.0;
        filter_level(lane, &at, choice->level[0], choice->linear, weight * (1 - second), sum);
        if (choice->weight)
            filter_level(lane, &at, choice->level[1], choice->linear, weight * second, sum);
    }
}

static void sample_lane(const struct lane *lane, const struct sample_point *point, const struct level_choice *choice,
                        union texel *out) {
    const struct texture_view *view = lane->reader->view;
    if (view->integers || (choice->probes == 1 && !choice->linear && !choice->weight)) {
        const struct footprint print = footprint_of(lane, point, choice->level[0], false);
        footprint_texel(lane, &print, 0, out);
        return;
    }
    struct sum sum = {0};
    filter_probes(lane, point, choice, &sum);
    for (unsigned c = 0; c < 4; c++)
        out->f[c] = (float)sum.value[c];
}

/* The four texels of the linear footprint: (i0,j1) (i1,j1) (i1,j0) (i0,j0). */
static void gather_lane(struct lane *lane, const struct sample_point *point, union texel *out) {
    static const uint8_t order[4] = {2, 3, 1, 0};
    const struct texture_request *request = lane->request;
    const unsigned level = lane->reader->view->first_level;
    union texel texel;
    for (unsigned i = 0; i < 4; i++) {
        const bool own = request->offsets4[i][0] != NULL;
        for (unsigned axis = 0; own && axis < 2; axis++)
            lane->offset[axis] = (int32_t)request->offsets4[i][axis][lane->number];
        const struct footprint print = footprint_of(lane, point, level, true);
        footprint_texel(lane, &print, own ? 0 : order[i], &texel);
        out->u[i] = texel.u[request->component & 3];
    }
}

/* ---- where a lane samples ---- */

/* UNKNOWN: a layer beyond the last; chosen: the last. */
static uint32_t layer_of(const struct texture_view *view, const struct texture_request *request, unsigned lane,
                         unsigned face) {
    const uint32_t wanted = request->layer ? request->layer[lane] & 0xffff : 0;
    const uint32_t step = is_cube(view) ? 6 : 1, layers = view->layers / step;
    const uint32_t layer = wanted < layers ? wanted : layers ? layers - 1 : 0;
    return layer * step + face;
}

/* A step in the coordinates, of cubes on the face, in texels of the base level. */
static void derivative(const struct texture_view *view, unsigned face, const double at[3], const double step[3],
                       double out[3]) {
    const uint32_t *sizes = view->level[view->first_level].size;
    double flat[3] = {step[0], step[1], step[2]};
    if (is_cube(view))
        cube_step(face, at, step, flat);
    for (unsigned i = 0; i < 3 && i < axes_of(view); i++)
        out[i] = flat[i] * (view->normalized ? sizes[i] : 1);
}

static void coordinates_of(const uint32_t *const row[3], unsigned lane, double at[3]) {
    for (unsigned i = 0; i < 3; i++)
        at[i] = (double)float_of(row[i], lane);
}

/* By gradients, or between lanes of a row and of a column of the quad. */
static void steps_of(const struct texture_request *request, unsigned lane, double across[3], double down[3]) {
    if (request->lod == TEXTURE_LOD_GRADIENT) {
        for (unsigned i = 0; i < 3; i++) {
            across[i] = (double)float_of(request->gradient[2 * i], lane);
            down[i] = (double)float_of(request->gradient[2 * i + 1], lane);
        }
        return;
    }
    double left[3], above[3];
    coordinates_of(request->coordinate, lane & ~1u, left);
    coordinates_of(request->coordinate, lane | 1, across);
    coordinates_of(request->coordinate, lane & ~2u, above);
    coordinates_of(request->coordinate, lane | 2, down);
    for (unsigned i = 0; i < 3; i++) {
        across[i] -= left[i];
        down[i] -= above[i];
    }
}

static struct sample_point point_of(const struct texture_view *view, const struct texture_request *request,
                                    unsigned lane) {
    struct sample_point point = {0};
    unsigned face = 0;
    double at[3], across[3], down[3];
    coordinates_of(request->coordinate, lane, at);
    memcpy(point.at, at, sizeof at);
    if (is_cube(view)) {
        face = cube_face(at, point.at);
        point.at[2] = 0;
    }
    point.layer = layer_of(view, request, lane, face);
    if (request->lod == TEXTURE_LOD_GRADIENT || request->has_derivatives) {
        steps_of(request, lane, across, down);
        derivative(view, face, at, across, point.across);
        derivative(view, face, at, down, point.down);
    }
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
    elements->first_level = elements->last_level = 0; /* there are no others */
    memcpy(&elements->level[0], &view->whole, sizeof view->whole);
    elements->layer_bytes = view->whole_layer_bytes;
}

/* With one level and one filter all levels of detail give the same. */
static bool level_matters(const struct texture_view *view, const struct texture_sampler *sampler) {
    return view->last_level > view->first_level || sampler->mag_linear != sampler->min_linear ||
           (sampler->anisotropy > 1 && sampler->min_linear);
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

/* Whether all lanes choose the same level. */
static bool same_choice(const struct texture_view *view, const struct texture_request *request) {
    return !is_cube(view) && request->lod != TEXTURE_LOD_GRADIENT && !request->level && !request->has_derivatives;
}

static void choose_lanes(struct sample_rows *rows, uint32_t lanes, const struct level_choice *choice, bool integers) {
    const unsigned weight = integers ? 0 : choice->weight;
    rows->level[choice->level[0] % TEXTURE_LEVELS] |= lanes;
    rows->linear |= choice->linear && !integers ? lanes : 0;
    if (weight) {
        rows->next[choice->level[1] % TEXTURE_LEVELS] |= lanes;
        rows->mixed |= lanes;
        for (uint32_t left = lanes; left; left &= left - 1)
            rows->weight[__builtin_ctz(left)] = weight;
    }
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
    rows_doubles across[3], down[3], lambda;
    struct level_choice choice = {.probes = 1};
    double chosen = 0;
    for (unsigned axis = 0; axis < rows->axes; axis++) {
        const double *at = rows->at[axis], size = view->normalized ? view->level[view->first_level].size[axis] : 1;
        for (unsigned i = 0; i < TEXTURE_LANES; i++) {
            across[axis][i] = (at[i | 1] - at[i & ~1u]) * size;
            down[axis][i] = (at[i | 2] - at[i & ~2u]) * size;
        }
    }
    level_lambdas(across, down, rows->axes, lambda);
    for (uint32_t left = lanes; left; left &= left - 1) {
        const unsigned i = (unsigned)__builtin_ctz(left);
        const float bias = request->lod == TEXTURE_LOD_BIAS ? float_of(request->level, i) : 0;
        if (left == lanes || lambda[i] != chosen || request->lod == TEXTURE_LOD_BIAS) {
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
    const bool same = same_choice(view, request);
    uint32_t many = 0;
    if (by_derivatives(reader, rows))
        derive_rows(reader, rows, lanes);
    for (uint32_t left = by_derivatives(reader, rows) ? 0 : lanes, those; left; left &= ~those) {
        const unsigned first = (unsigned)__builtin_ctz(left);
        those = same ? left : 1u << first;
        const struct sample_point point = point_of(view, request, first);
        const struct level_choice choice = choice_of(view, reader->sampler, request, &point, first);
        choose_lanes(rows, those, &choice, view->integers);
        many |= choice.probes > 1 ? those : 0;
        if (rows->cube)
            place_lane(view, rows, first, &point);
    }
    for (uint32_t left = rows->cube || !request->layer ? 0 : lanes; left; left &= left - 1)
        place_lane(view, rows, (unsigned)__builtin_ctz(left), NULL);
    return many;
}

static void widen_row(const uint32_t *row, rows_doubles out) {
    float value[TEXTURE_LANES] = {0};
    if (row)
        memcpy(value, row, sizeof value);
    for (unsigned i = 0; i < TEXTURE_LANES; i++)
        out[i] = (double)value[i];
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
    memset(rows.weight, 0, sizeof rows.weight);
    memset(rows.layer, 0, sizeof rows.layer);
    rows.finish = finish_row;
    rows.opaque = reader;
    for (unsigned axis = 0; axis < rows.axes && !rows.cube; axis++)
        widen_row(request->coordinate[axis], rows.at[axis]);
    const uint32_t many = fill_rows(reader, &rows, lanes);
    return many | sample_rows(reader, &rows, lanes & ~many, out);
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

void texture_sample(const struct texture_memory *memory, const struct texture_view *view,
                    const struct texture_sampler *sampler, const struct texture_request *request, uint32_t lanes,
                    texture_row out[4]) {
    struct texel_reader reader;
    if (request->operation != TEXTURE_FETCH && (view->samples_x || view->samples_y)) {
        struct texture_view elements;
        view_of_elements(view, &elements);
        texture_sample(memory, &elements, sampler, request, lanes, out);
        return;
    }
    struct texture_request simpler = *request;
    if (request->operation == TEXTURE_SAMPLE && !level_matters(view, sampler)) {
        simpler.has_derivatives = false;
        simpler.lod = TEXTURE_LOD_ZERO;
    }
    request = &simpler;
    texel_begin(&reader, memory, view, request->operation == TEXTURE_FETCH ? NULL : sampler);
    sample_lanes(&reader, request, sample_by_rows(&reader, request, lanes, out), out);
}

/* Fixed point with 8 bits behind the point, as much as 16 bits hold. */
static uint32_t fixed_of(double value, double low, double high) {
    value = value > low ? (value < high ? value : high) : low;
    return (uint32_t)(int32_t)(value * 256) & 0xffff;
}

void texture_query_lod(const struct texture_view *view, const struct texture_sampler *sampler,
                       const struct texture_request *request, uint32_t lanes, texture_row out[2]) {
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
