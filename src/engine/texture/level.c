/* SPDX-License-Identifier: MIT */
/*
 * OpenGL 4.6 specification, 8.14.1, with the ideal scale factor; EXT_texture_filter_anisotropic for probes. All of it
 * is plain IEEE arithmetic, so that every host finds the same levels.
 */
#include "engine/texture/level.h"

#include <math.h>
#include <string.h>

#define MOST_BIAS 15.996F
#define LOWEST    (-1e6) /* of a surface that does not move */

/* log2 of a positive number, by squaring: each step gives a bit behind the point, as the exponent of the square. */
static double log2_of(double value) {
    const uint64_t fraction = (UINT64_C(1) << 52) - 1;
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    int64_t result = (int64_t)(bits >> 52) - 1023;
    for (unsigned i = 0; i < 12; i++) {
        bits = (bits & fraction) | UINT64_C(1023) << 52;
        memcpy(&value, &bits, sizeof value);
        value *= value;
        memcpy(&bits, &value, sizeof bits);
        result = 2 * result + (int64_t)(bits >> 52) - 1023;
    }
    return (double)result / 4096;
}

static double floor_of(double value) {
    double whole = (double)(int64_t)value;
    return whole > value ? whole - 1 : whole;
}

static double rounded(double lambda) {
    return floor_of(lambda * 256 + 0.5) / 256;
}

static double square(const double vector[3]) {
    return vector[0] * vector[0] + vector[1] * vector[1] + vector[2] * vector[2];
}

/* UNKNOWN: derivatives that are infinite or no numbers; chosen: as none. */
static double usable(double value) {
    return value > 0 && value < 1e30 ? value : 0;
}

static double implicit_lambda(const struct texture_sampler *sampler, const struct sample_point *point,
                              struct level_choice *choice) {
    double x = usable(square(point->across)), y = usable(square(point->down));
    double most = x > y ? x : y, least = x > y ? y : x;
    const double *axis = x > y ? point->across : point->down;
    choice->probes = 1;
    if (!(most > 0))
        return LOWEST;
    if (sampler->anisotropy > 1 && sampler->min_linear) {
        double ratio = least > 0 ? sqrt(most / least) : sampler->anisotropy;
        unsigned probes = ratio < sampler->anisotropy ? (unsigned)ceil(ratio) : sampler->anisotropy;
        choice->probes = probes ? probes : 1;
        memcpy(choice->axis, axis, sizeof choice->axis);
        most /= (double)choice->probes * choice->probes;
    }
    return log2_of(most) / 2;
}

static double limit(double value, double low, double high) {
    value = value < high ? value : high;
    return value > low ? value : low;
}

static void choose_levels(const struct texture_view *view, const struct texture_sampler *sampler,
                          struct level_choice *choice) {
    const double last = view->last_level - view->first_level, lambda = choice->limited;
    choice->linear = lambda <= 0 ? sampler->mag_linear : sampler->min_linear;
    choice->level[0] = choice->level[1] = view->first_level;
    if (lambda <= 0 || sampler->mip < 2)
        return;
    if (sampler->mip == 2) {
        choice->level[0] += (unsigned)limit(ceil(lambda + 0.5) - 1, 0, last);
        return;
    }
    double within = limit(lambda, 0, last), whole = floor_of(within);
    choice->level[0] += (unsigned)whole;
    choice->level[1] = choice->level[0] < view->last_level ? choice->level[0] + 1 : choice->level[0];
    choice->weight = (unsigned)((within - whole) * 256);
}

struct level_choice level_choose(const struct texture_view *view, const struct texture_sampler *sampler,
                                 const struct texture_request *request, const struct sample_point *point,
                                 float explicit_lambda, float bias) {
    struct level_choice choice = {.probes = 1};
    const bool derived =
        request->lod == TEXTURE_LOD_GRADIENT ||
        (request->has_derivatives && (request->lod == TEXTURE_LOD_AUTO || request->lod == TEXTURE_LOD_BIAS));
    double lambda = explicit_lambda == explicit_lambda ? (double)explicit_lambda : 0; /* NaN is 0 */
    if (derived)
        lambda = implicit_lambda(sampler, point, &choice);
    choice.lambda = rounded(limit(lambda, LOWEST, -LOWEST));
    double all = (double)sampler->lod_bias + (double)view->lod_bias + (bias == bias ? (double)bias : 0);
    choice.limited = choice.lambda + limit(all, -16, (double)MOST_BIAS);
    choice.limited = limit(choice.limited, (double)sampler->min_lod, (double)sampler->max_lod);
    if (choice.limited < (double)view->min_lod)
        choice.limited = (double)view->min_lod;
    choose_levels(view, sampler, &choice);
    return choice;
}
