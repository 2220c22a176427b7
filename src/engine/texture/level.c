/* SPDX-License-Identifier: MIT */
/*
 * OpenGL 4.6 specification, 8.14.1, with the ideal scale factor; EXT_texture_filter_anisotropic for probes. All of it
 * is plain IEEE arithmetic, so that every host finds the same levels.
 */
#include "engine/texture/level.h"
#include "engine/texture/wide.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#define MOST_BIAS 15.996F
#define LOWEST    (-1e6) /* of a surface that does not move */

/* log2 of a positive number, by squaring: each step gives a bit after the point, as the exponent of the square. */
static inline __attribute__((always_inline)) double log2_of(double value) {
    const uint64_t fraction = (UINT64_C(1) << 52) - 1;
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    int32_t result = (int32_t)(bits >> 52) - 1023;
    for (unsigned i = 0; i < 12; i++) {
        bits = (bits & fraction) | UINT64_C(1023) << 52;
        memcpy(&value, &bits, sizeof value);
        value *= value;
        memcpy(&bits, &value, sizeof bits);
        result = 2 * result + (int32_t)(bits >> 52) - 1023;
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
static inline __attribute__((always_inline)) double usable(double value) {
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
    assert(choice->level[0] <= view->last_level && choice->level[1] <= view->last_level && choice->weight < 256);
}

void level_of_lambda(const struct texture_view *view, const struct texture_sampler *sampler, double lambda, float bias,
                     struct level_choice *choice) {
    double all = (double)sampler->lod_bias + (double)view->lod_bias + (bias == bias ? (double)bias : 0);
    choice->lambda = rounded(limit(lambda, LOWEST, -LOWEST)) + limit(all, -16, (double)MOST_BIAS);
    choice->limited = limit(choice->lambda, (double)sampler->min_lod, (double)sampler->max_lod);
    if (choice->limited < (double)view->min_lod)
        choice->limited = (double)view->min_lod;
    choose_levels(view, sampler, choice);
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
    level_of_lambda(view, sampler, lambda, bias, &choice);
    return choice;
}

/* ---- rows ---- */

#define FRACTION ((UINT64_C(1) << 52) - 1)

/* As log2_of(), and without a branch. The sum of exponents is corrected at the end. */
static inline __attribute__((always_inline)) void log2_row(const double value[TEXTURE_LANES],
                                                           double out[TEXTURE_LANES]) {
    for (unsigned i = 0; i < TEXTURE_LANES; i++) {
        double square = value[i];
        uint64_t bits, sum;
        memcpy(&bits, &square, sizeof bits);
        sum = bits >> 52;
#pragma GCC unroll 12
        for (unsigned step = 0; step < 12; step++) {
            bits = (bits & FRACTION) | UINT64_C(1023) << 52;
            memcpy(&square, &bits, sizeof square);
            square *= square;
            memcpy(&bits, &square, sizeof bits);
            sum = 2 * sum + (bits >> 52);
        }
        out[i] = ((int32_t)(uint32_t)sum - 1023 * 8191) / 4096.0;
    }
}

static inline __attribute__((always_inline)) void lambda_row(const double scale[TEXTURE_LANES],
                                                             double lambda[TEXTURE_LANES]) {
    log2_row(scale, lambda);
    for (unsigned i = 0; i < TEXTURE_LANES; i++)
        lambda[i] = scale[i] > 0 ? lambda[i] / 2 : LOWEST;
}

static void lambdas_base(const double scale[TEXTURE_LANES], double lambda[TEXTURE_LANES]) {
    lambda_row(scale, lambda);
}

TEXTURE_WIDE static void lambdas_wide(const double scale[TEXTURE_LANES], double lambda[TEXTURE_LANES]) {
    lambda_row(scale, lambda);
}

void level_lambdas(const double scale[TEXTURE_LANES], double lambda[TEXTURE_LANES]) {
    if (texture_has_wide())
        lambdas_wide(scale, lambda);
    else
        lambdas_base(scale, lambda);
}

/* A quad after the other; in each, a step of its lanes after the other. */
static inline __attribute__((always_inline)) void scale_row(const double (*at)[TEXTURE_LANES], const double sizes[3],
                                                            unsigned axes, double scale[TEXTURE_LANES]) {
    double across[TEXTURE_LANES], down[TEXTURE_LANES];
    for (unsigned quad = 0; quad < TEXTURE_LANES; quad += 4) {
        double x[4] = {0}, y[4] = {0};
        for (unsigned axis = 0; axis < axes; axis++) {
            const double *from = &at[axis][quad], size = sizes[axis];
            double dx[4], dy[4];
            for (unsigned i = 0; i < 4; i++) {
                dx[i] = (from[i | 1] - from[i & ~1u]) * size;
                dy[i] = (from[i | 2] - from[i & ~2u]) * size;
            }
            for (unsigned i = 0; i < 4; i++) {
                x[i] += dx[i] * dx[i];
                y[i] += dy[i] * dy[i];
            }
        }
        for (unsigned i = 0; i < 4; i++) {
            across[quad + i] = x[i];
            down[quad + i] = y[i];
        }
    }
    for (unsigned i = 0; i < TEXTURE_LANES; i++) {
        const double x = usable(across[i]), y = usable(down[i]);
        scale[i] = x > y ? x : y;
    }
}

static void scales_base(const double (*at)[TEXTURE_LANES], const double sizes[3], unsigned axes,
                        double scale[TEXTURE_LANES]) {
    scale_row(at, sizes, axes, scale);
}

TEXTURE_WIDE static void scales_wide(const double (*at)[TEXTURE_LANES], const double sizes[3], unsigned axes,
                                     double scale[TEXTURE_LANES]) {
    scale_row(at, sizes, axes, scale);
}

void level_scales(const double (*at)[TEXTURE_LANES], const double sizes[3], unsigned axes,
                  double scale[TEXTURE_LANES]) {
    assert(axes >= 1 && axes <= 3);
    if (texture_has_wide())
        scales_wide(at, sizes, axes, scale);
    else
        scales_base(at, sizes, axes, scale);
}

/* ---- all lanes the same ---- */

static void range_of(const double all[TEXTURE_LANES], uint32_t lanes, double *low, double *high) {
    double filled[TEXTURE_LANES], lows[4], highs[4];
    const double *scale = all;
    if (lanes != UINT32_MAX) {
        for (unsigned i = 0; i < TEXTURE_LANES; i++)
            filled[i] = all[lanes >> i & 1 ? i : (unsigned)__builtin_ctz(lanes)];
        scale = filled;
    }
    for (unsigned k = 0; k < 4; k++)
        lows[k] = highs[k] = scale[k];
    for (unsigned i = 4; i < TEXTURE_LANES; i += 4)
        for (unsigned k = 0; k < 4; k++) {
            lows[k] = scale[i + k] < lows[k] ? scale[i + k] : lows[k];
            highs[k] = scale[i + k] > highs[k] ? scale[i + k] : highs[k];
        }
    *low = lows[0];
    *high = highs[0];
    for (unsigned k = 1; k < 4; k++) {
        *low = lows[k] < *low ? lows[k] : *low;
        *high = highs[k] > *high ? highs[k] : *high;
    }
}

/* Of a number above 0. */
static double whole_log2(double scale) {
    uint64_t bits;
    memcpy(&bits, &scale, sizeof bits);
    return (int32_t)(bits >> 52) - 1023;
}

static bool choose_both(const struct texture_view *view, const struct texture_sampler *sampler, double low, double high,
                        struct level_choice *choice) {
    struct level_choice other = {.probes = 1};
    *choice = (struct level_choice){.probes = 1};
    level_of_lambda(view, sampler, low, 0, choice);
    level_of_lambda(view, sampler, high, 0, &other);
    return choice->level[0] == other.level[0] && choice->level[1] == other.level[1] && choice->weight == other.weight &&
           choice->linear == other.linear;
}

/*
 * No step from a scale to a choice goes down where the scale goes up: what the least and the largest choose, all choose.
 * First without the bits of log2 after the point: it is between two whole numbers.
 */
bool level_of_all(const struct texture_view *view, const struct texture_sampler *sampler,
                  const double scale[TEXTURE_LANES], uint32_t lanes, struct level_choice *choice) {
    double low, high;
    assert(lanes);
    range_of(scale, lanes, &low, &high);
    if (choose_both(view, sampler, low > 0 ? whole_log2(low) / 2 : LOWEST,
                    high > 0 ? (whole_log2(high) + 1) / 2 : LOWEST, choice))
        return true;
    return choose_both(view, sampler, low > 0 ? log2_of(low) / 2 : LOWEST, high > 0 ? log2_of(high) / 2 : LOWEST,
                       choice);
}
