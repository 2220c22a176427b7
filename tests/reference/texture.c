/* SPDX-License-Identifier: MIT */
#include "reference/texture.h"

#include "reference/texture_texel.h"

#include <math.h>
#include <string.h>

enum { T_3D = 2, T_CUBE = 3, T_CUBE_ARRAY = 8 };

static bool is_cube(const struct texture_reference *t) {
    return t->target == T_CUBE || t->target == T_CUBE_ARRAY;
}

static bool is_integer(const struct texture_reference *t) {
    return t->type[0] == 3 || t->type[0] == 4;
}

/* ---- wrap modes, table 8.20; -1 is the border ---- */

static double positive_modulo(double value, double by) {
    return value - by * floor(value / by);
}

static double mirrored(double i) {
    return i < 0 ? -1 - i : i;
}

static double wrapped(unsigned mode, double i, double n) {
    const double edge = i < 0 ? 0 : i > n - 1 ? n - 1 : i;
    switch (mode) {
    case 0:
        return positive_modulo(i, n);
    case 1:
        return n - 1 - mirrored(positive_modulo(i, 2 * n) - n);
    case 2:
        return edge;
    case 5:
        return mirrored(i) > n - 1 ? n - 1 : mirrored(i);
    case 6:
        i = mirrored(i);
        break;
    default:
        break;
    }
    return i < 0 || i > n - 1 ? -1 : i;
}

/* ---- cubes, table 8.19 ---- */

static unsigned face_of(const double d[3], double st[2]) {
    const double x = fabs(d[0]), y = fabs(d[1]), z = fabs(d[2]);
    double sc, tc, ma;
    unsigned face;
    if (z >= x && z >= y) {
        face = d[2] < 0 ? 5 : 4;
        sc = d[2] < 0 ? -d[0] : d[0], tc = -d[1], ma = z;
    } else if (y >= x) {
        face = d[1] < 0 ? 3 : 2;
        sc = d[0], tc = d[1] < 0 ? -d[2] : d[2], ma = y;
    } else {
        face = d[0] < 0 ? 1 : 0;
        sc = d[0] < 0 ? d[2] : -d[2], tc = -d[1], ma = x;
    }
    st[0] = (sc / ma + 1) / 2;
    st[1] = (tc / ma + 1) / 2;
    return face;
}

static void direction_of(unsigned face, double s, double t, double d[3]) {
    const double sc = 2 * s - 1, tc = 2 * t - 1;
    const double of[6][3] = {{1, -tc, -sc}, {-1, -tc, sc}, {sc, 1, tc}, {sc, -1, -tc}, {sc, -tc, 1}, {-sc, -tc, -1}};
    memcpy(d, of[face], sizeof of[face]);
}

/* ---- one texel, compared and with its sources ---- */

struct sampled {
    const struct texture_reference *t;
    const struct texture_reference_request *q;
    unsigned level, layer;
};

static float clamped(float value, float low, float high) {
    return value > low ? (value < high ? value : high) : low;
}

static void border_of(const struct texture_reference *t, uint32_t raw[4]) {
    for (unsigned i = 0; i < 4; i++) {
        float value;
        raw[i] = t->border[t->depth_format && i < 3 ? 0 : i];
        memcpy(&value, &raw[i], 4);
        if (is_integer(t) || t->type[0] == 7)
            continue;
        value = clamped(value, t->type[0] == 1 ? -1 : 0, 1);
        memcpy(&raw[i], &value, 4);
    }
}

static void compare(const struct sampled *of, uint32_t raw[4]) {
    const struct texture_reference *t = of->t;
    const unsigned which = t->format == 0x29 ? 1 : 0;
    float texel, reference = of->q->reference;
    memcpy(&texel, &raw[which], 4);
    if (t->type[which] != 7)
        reference = clamped(reference, 0, 1);
    const bool of_function[8] = {false, reference<texel, reference == texel, reference <= texel, reference> texel,
                                 reference < texel || reference > texel, reference >= texel, true};
    const float result = of_function[t->function] ? 1 : 0, one = 1;
    memset(raw, 0, 16);
    memcpy(&raw[3], &one, 4);
    memcpy(&raw[which], &result, 4);
}

static void texel_at(const struct sampled *of, double x, double y, double z, uint32_t out[4]) {
    uint32_t raw[4];
    const bool outside = x < 0 || y < 0 || z < 0;
    if (outside)
        border_of(of->t, raw);
    else
        texture_reference_texel(of->t, (uint32_t)x, (uint32_t)y, (uint32_t)z, of->layer, of->level, of->t->decodes_srgb,
                                raw);
    if (of->q->shadow)
        compare(of, raw);
    if (outside && !of->q->shadow)
        memcpy(out, raw, 16);
    else
        texture_reference_sources(of->t, raw, out);
}

/* Beyond an edge of a face: the texel in that direction. Beyond a corner: the mean of the three around it. */
static void cube_texel(const struct sampled *of, double x, double y, double n, uint32_t out[4]) {
    const double in_x = x < 0 ? 0 : x >= n ? n - 1 : x, in_y = y < 0 ? 0 : y >= n ? n - 1 : y;
    if (in_x != x && in_y != y) {
        double sum[4] = {0};
        const double around[3][2] = {{in_x, in_y}, {x, in_y}, {in_x, y}};
        for (unsigned i = 0; i < 3; i++) {
            uint32_t one[4];
            cube_texel(of, around[i][0], around[i][1], n, one);
            for (unsigned c = 0; c < 4; c++) {
                float value;
                memcpy(&value, &one[c], 4);
                sum[c] += (double)value;
            }
        }
        for (unsigned c = 0; c < 4; c++) {
            const float value = (float)(sum[c] / 3); /* exact until here */
            memcpy(&out[c], &value, 4);
        }
        return;
    }
    struct sampled there = *of;
    double d[3], st[2];
    direction_of(of->layer % 6, (x + 0.5) / n, (y + 0.5) / n, d);
    if (in_x != x || in_y != y) {
        there.layer = of->layer / 6 * 6 + face_of(d, st);
        x = floor(st[0] * n);
        y = floor(st[1] * n);
    }
    texel_at(&there, x, y, 0, out);
}

/* ---- footprints ---- */

struct axis {
    double at[2], weight; /* of the second */
};

static struct axis axis_of(const struct texture_reference *t, unsigned which, double u, double n, bool linear) {
    const unsigned mode = is_cube(t) && t->edge_in_face ? 2 : t->wrap[which];
    const bool free = is_cube(t) && t->seamless, gl = !free && (mode == 4 || mode == 7);
    struct axis axis = {.weight = 0};
    if (gl && mode == 7)
        u = fabs(u);
    if (gl)
        u = u < 0 ? 0 : u > n ? n : u;
    axis.at[0] = axis.at[1] = floor(u);
    if (linear) {
        const double steps = floor(u * 256 + 0.5) - 128; /* weights have 8 bits */
        axis.at[0] = floor(steps / 256);
        axis.at[1] = axis.at[0] + 1;
        axis.weight = steps / 256 - axis.at[0];
    }
    for (unsigned i = 0; i < 2 && !free; i++)
        axis.at[i] = wrapped(gl && !linear ? 2 : mode, axis.at[i], n);
    return axis;
}

static void place(const struct sampled *of, const double at[3], bool linear, struct axis axis[3]) {
    const struct texture_reference *t = of->t;
    uint32_t size[3];
    texture_reference_size(t, of->level, size);
    for (unsigned i = 0; i < 3; i++) {
        axis[i] = (struct axis){{0, 0}, 0};
        const double scale = t->normalized && !t->unnormalized ? size[i] : 1;
        if (i < texture_reference_axes(t))
            axis[i] = axis_of(t, i, at[i] * scale + of->q->offset[i], size[i], linear);
    }
}

static void footprint_texel(const struct sampled *of, const struct axis axis[3], unsigned i, uint32_t out[4]) {
    const double x = axis[0].at[i & 1], y = axis[1].at[i >> 1 & 1];
    uint32_t size[3];
    texture_reference_size(of->t, of->level, size);
    if (is_cube(of->t) && of->t->seamless)
        cube_texel(of, x < -1 ? -1 : x > size[0] ? size[0] : x, y < -1 ? -1 : y > size[0] ? size[0] : y, size[0], out);
    else
        texel_at(of, x, y, axis[2].at[i >> 2 & 1], out);
}

struct total {
    double value[4];
    bool any;
};

static void filter(const struct sampled *of, const double at[3], bool linear, double weight, struct total *total) {
    struct axis axis[3];
    place(of, at, linear, axis);
    for (unsigned i = 0; i < 8; i++) {
        uint32_t texel[4];
        double part = weight;
        for (unsigned k = 0; k < 3; k++)
            part *= i >> k & 1 ? axis[k].weight : 1 - axis[k].weight;
        if (part == 0)
            continue;
        footprint_texel(of, axis, i, texel);
        for (unsigned c = 0; c < 4; c++) {
            float value;
            memcpy(&value, &texel[c], 4);
            if (of->t->reduction == 0)
                total->value[c] += (double)value * part;
            else if (!total->any ||
                     (of->t->reduction == 1 ? (double)value < total->value[c] : (double)value > total->value[c]))
                total->value[c] = (double)value;
        }
        total->any = true;
    }
}

/* ---- levels of detail ---- */

struct detail {
    double lambda, axis[3];
    unsigned probes;
    bool sure;
};

static double length_of(const double v[3]) {
    return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

static bool near_whole(double value, double by) {
    return fabs(value - floor(value + 0.5)) < by;
}

/* Equation 8.7 and EXT_texture_filter_anisotropic. */
static struct detail detail_of(const struct texture_reference *t, const struct texture_reference_request *q) {
    struct detail d = {.lambda = q->lambda, .probes = 1, .sure = true};
    uint32_t size[3];
    texture_reference_size(t, t->first, size);
    if (q->has_gradient) {
        double v[2][3] = {{0}};
        for (unsigned i = 0; i < 2 * 3; i++)
            if (i % 3 < texture_reference_axes(t))
                v[i / 3][i % 3] = q->gradient[i / 3][i % 3] * (t->normalized ? size[i % 3] : 1);
        const double x = length_of(v[0]), y = length_of(v[1]), most = x > y ? x : y, least = x > y ? y : x;
        d.lambda = most > 0 ? log2(most) : -1e6;
        if (most > 0 && t->anisotropy > 1 && t->min_linear) {
            const double ratio = most / least < t->anisotropy ? most / least : t->anisotropy;
            d.probes = (unsigned)ceil(ratio);
            d.sure = ratio == t->anisotropy || !near_whole(ratio, 1e-6);
            memcpy(d.axis, x > y ? v[0] : v[1], sizeof d.axis);
            d.lambda = log2(most / d.probes);
        }
        d.sure &= !near_whole(d.lambda * 256 + 0.5, 0.05);
        if (x == y) /* either may be the longer */
            d.sure &= d.probes == 1;
    }
    d.lambda = floor(d.lambda * 256 + 0.5) / 256;
    d.lambda += fmax(-16, fmin(t->bias + t->sampler_bias, 15.99609375));
    d.lambda = fmax(fmax(fmin(d.lambda, t->most), t->least), t->lowest);
    return d;
}

static void sample_levels(struct sampled *of, const double at[3], const struct detail *d, double weight,
                          struct total *total) {
    const struct texture_reference *t = of->t;
    const double last = t->last - t->first, lambda = d->lambda;
    const bool linear = lambda > 0 ? t->min_linear : t->mag_linear;
    double level = 0;
    if (lambda > 0 && t->mip == 2)
        level = ceil(lambda + 0.5) - 1;
    if (lambda > 0 && t->mip == 3)
        level = lambda;
    level = level > last ? last : level;
    const double upper = level - floor(level);
    of->level = t->first + (unsigned)floor(level);
    filter(of, at, linear, weight * (1 - upper), total);
    of->level++;
    if (upper > 0)
        filter(of, at, linear, weight * upper, total);
}

static struct sampled begin(const struct texture_reference *t, const struct texture_reference_request *q,
                            double at[3]) {
    const uint32_t layers = texture_reference_layers(t), step = is_cube(t) ? 6 : 1;
    const uint32_t most = layers / step - 1, layer = (q->layer & 0xffff) < most ? q->layer & 0xffff : most;
    memcpy(at, q->at, sizeof q->at);
    unsigned face = 0;
    if (is_cube(t)) {
        face = face_of(q->at, at);
        at[2] = 0;
    }
    return (struct sampled){t, q, t->first, layer * step + face};
}

bool texture_reference_sample(const struct texture_reference *t, const struct texture_reference_request *q,
                              uint32_t out[4]) {
    double at[3];
    struct sampled of = begin(t, q, at);
    struct detail d = detail_of(t, q);
    struct total total = {.any = false};
    uint32_t size[3];
    texture_reference_size(t, t->first, size);
    if (is_integer(t)) {
        struct axis axis[3];
        if (d.lambda > 0 && t->mip >= 2)
            of.level += (unsigned)fmin(t->mip == 2 ? ceil(d.lambda + 0.5) - 1 : floor(d.lambda), t->last - t->first);
        place(&of, at, false, axis);
        footprint_texel(&of, axis, 0, out);
        return d.sure;
    }
    for (unsigned i = 0; i < d.probes; i++) {
        double there[3];
        for (unsigned k = 0; k < 3; k++)
            there[k] = at[k] + d.axis[k] * ((i + 0.5) / d.probes - 0.5) / (t->normalized ? size[k] : 1);
        sample_levels(&of, there, &d, 1.0 / d.probes, &total);
    }
    for (unsigned c = 0; c < 4; c++) {
        const float value = (float)total.value[c];
        memcpy(&out[c], &value, 4);
    }
    return d.sure;
}

/* 8.14.3: (i0, j1), (i1, j1), (i1, j0), (i0, j0) */
void texture_reference_gather(const struct texture_reference *t, const struct texture_reference_request *q,
                              uint32_t out[4]) {
    static const unsigned order[4] = {2, 3, 1, 0};
    double at[3];
    struct axis axis[3];
    const struct sampled of = begin(t, q, at);
    place(&of, at, true, axis);
    for (unsigned i = 0; i < 4; i++) {
        uint32_t texel[4];
        footprint_texel(&of, axis, order[i], texel);
        out[i] = texel[q->component];
    }
}
