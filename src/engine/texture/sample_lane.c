/* SPDX-License-Identifier: MIT */
#include "engine/texture/sample_lane.h"

#include <assert.h>

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
void border_of(const struct lane *lane, union texel *out) {
    assert(lane->reader->sampler);
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

void compare_texel(const struct lane *lane, union texel *raw) {
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
        double at = point->at[i] * texel_scale(view, sampler, number, i) + lane->offset[i];
        uint8_t wrap = is_cube(view) && sampler->edge_in_face ? TEXEL_EDGE : sampler->wrap[i];
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
        const bool found = cube_neighbour(&face, &at_x, &at_y, print->size);
        assert(found);
        (void)found;
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

void sample_lane(const struct lane *lane, const struct sample_point *point, const struct level_choice *choice,
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
void gather_lane(struct lane *lane, const struct sample_point *point, union texel *out) {
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
