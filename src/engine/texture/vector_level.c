/* SPDX-License-Identifier: MIT */
/*
 * Levels of lanes, in whole 1/256: level.c rounds lambdas to these before anything else, and biases and limits of headers
 * and samplers have no finer parts.
 *
 *   lambda = round(256 * log2(scale) / 2) = floor(128 * log2(scale) + 1/2)
 *
 * With floats the logarithm has an error of less than 2^-19: scales of 2^-21, as each of four operations rounds once, and a
 * polynomial of 2^-22. If 128 times of it are nowhere near to the next whole number, this is the lambda that level.c
 * finds. Otherwise it is computed as there.
 */
#include "engine/texture/vector.h"

#ifdef TEXTURE_HAS_VECTORS
#include "engine/texture/level.h"
#include "engine/texture/rows.h"

#define DOUBT     0.0005F /* more than 128 * 2^-19 */
#define LEAST     1e-30F  /* scales: between these, floats do as well as doubles */
#define MOST      1e29F
#define MOST_BIAS 4095 /* what lies above is cut to a number that is not whole */

/* 1 / (1 + (2 i + 1) / 32), and what log2 of these is below 0 */
static const float reciprocals[16] = {
    0.969696999F, 0.914285719F, 0.864864886F, 0.820512831F, 0.780487776F, 0.744186044F, 0.711111128F, 0.680851042F,
    0.653061211F, 0.627451003F, 0.603773594F, 0.581818163F, 0.561403513F, 0.542372882F, 0.524590135F, 0.507936537F};
static const float logarithms[16] = {
    0.0443940759F, 0.129283011F, 0.209453329F, 0.285402209F, 0.357552052F, 0.426264763F, 0.491853058F, 0.554588914F,
    0.614709854F,  0.67242527F,  0.727920413F, 0.781359732F, 0.832889974F, 0.882643044F, 0.930737436F, 0.977279842F};

/* Whole 1/256. */
struct limits {
    int32_t bias, low, high, least;
};

static bool whole(double value, int32_t *out) {
    const double scaled = value * 256;
    if (!(scaled > -1e8 && scaled < 1e8))
        return false;
    *out = (int32_t)scaled;
    return (double)*out == scaled;
}

static bool limits_of(const struct vector_call *call, struct limits *limits) {
    const double bias = (double)call->sampler->lod_bias + (double)call->view->lod_bias;
    if (!whole(bias, &limits->bias) || limits->bias >= MOST_BIAS)
        return false;
    limits->bias = limits->bias > -16 * 256 ? limits->bias : -16 * 256;
    return whole((double)call->sampler->min_lod, &limits->low) &&
           whole((double)call->sampler->max_lod, &limits->high) && whole((double)call->view->min_lod, &limits->least);
}

/* ---- lambdas ---- */

VECTOR __m512 float_row(const uint32_t *row, unsigned half) {
    return _mm512_castsi512_ps(vector_row(row, half));
}

/* log2 of 1 to 2: by the upper four bits of the fraction, and a polynomial for the rest. */
VECTOR __m512 log2_of_fraction(__m512 value) {
    const __m512 by = _mm512_loadu_ps(reciprocals);
    const __m512 logarithm = _mm512_loadu_ps(logarithms);
    const __m512i index = _mm512_srli_epi32(_mm512_castps_si512(value), 19);
    const __m512 rest = _mm512_fmsub_ps(value, _mm512_permutexvar_ps(index, by), _mm512_set1_ps(1));
    __m512 sum = _mm512_set1_ps(-0.36067376F);
    sum = _mm512_fmadd_ps(sum, rest, _mm512_set1_ps(0.48089835F));
    sum = _mm512_fmadd_ps(sum, rest, _mm512_set1_ps(-0.72134752F));
    sum = _mm512_fmadd_ps(sum, rest, _mm512_set1_ps(1.44269504F));
    return _mm512_fmadd_ps(sum, rest, _mm512_permutexvar_ps(index, logarithm));
}

/* Lanes for which it may be another are added to *doubt. */
VECTOR __m512i lambda_half(const struct vector_call *call, unsigned half, __mmask16 *doubt) {
    const struct texture_view *view = call->view;
    __m512 x = _mm512_setzero_ps(), y = x;
    for (unsigned axis = 0; axis < call->axes; axis++) {
        const __m512 at = float_row(call->request->coordinate[axis], half);
        const __m512 size = _mm512_set1_ps(view->normalized ? (float)view->level[view->first_level].size[axis] : 1);
        const __m512 dx = _mm512_mul_ps(_mm512_sub_ps(_mm512_movehdup_ps(at), _mm512_moveldup_ps(at)), size);
        const __m512 dy =
            _mm512_mul_ps(_mm512_sub_ps(_mm512_shuffle_ps(at, at, 0xee), _mm512_shuffle_ps(at, at, 0x44)), size);
        x = _mm512_fmadd_ps(dx, dx, x);
        y = _mm512_fmadd_ps(dy, dy, y);
    }
    const __m512 scale = _mm512_max_ps(x, y), most = _mm512_set1_ps(MOST);
    const __mmask16 usable = _mm512_cmp_ps_mask(x, most, _CMP_LT_OQ) & _mm512_cmp_ps_mask(y, most, _CMP_LT_OQ) &
                             _mm512_cmp_ps_mask(scale, _mm512_set1_ps(LEAST), _CMP_GT_OQ);
    const __m512 fraction = log2_of_fraction(_mm512_getmant_ps(scale, _MM_MANT_NORM_1_2, _MM_MANT_SIGN_zero));
    const __m512 steps = _mm512_fmadd_ps(fraction, _mm512_set1_ps(128), _mm512_set1_ps(0.5F));
    const __m512 down = _mm512_roundscale_ps(steps, _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC);
    const __m512 off = _mm512_abs_ps(_mm512_sub_ps(_mm512_sub_ps(steps, down), _mm512_set1_ps(0.5F)));
    *doubt = (__mmask16)(~usable | _mm512_cmp_ps_mask(off, _mm512_set1_ps(0.5F - DOUBT), _CMP_NLT_UQ));
    const __m512i exponent = _mm512_cvtps_epi32(_mm512_getexp_ps(scale));
    return _mm512_add_epi32(_mm512_slli_epi32(exponent, 7), _mm512_cvtps_epi32(down));
}

/* In 1/256, from doubles that are not large. */
VECTOR __m512i rounded(const double *lambda) {
    const __m512d by = _mm512_set1_pd(256), half = _mm512_set1_pd(0.5);
    return vector_floor(_mm512_fmadd_pd(_mm512_loadu_pd(lambda), by, half),
                        _mm512_fmadd_pd(_mm512_loadu_pd(lambda + 8), by, half));
}

TEXTURE_512 static void exact_lambdas(const struct vector_call *call, __m512i lambda[HALVES]) {
    const struct texture_view *view = call->view;
    rows_doubles at[3], scale, exact;
    double sizes[3];
    for (unsigned axis = 0; axis < call->axes; axis++) {
        sizes[axis] = view->normalized ? view->level[view->first_level].size[axis] : 1;
        rows_widen(call->request->coordinate[axis], at[axis]);
    }
    level_scales(at, sizes, call->axes, scale);
    level_lambdas(scale, exact);
    for (unsigned half = 0; half < HALVES; half++)
        lambda[half] = rounded(exact + half * HALF);
}

/* Levels that the program names. NaN is 0. */
VECTOR __m512i named_lambda(const uint32_t *row, unsigned half) {
    __m512 value = float_row(row, half);
    value = _mm512_maskz_mov_ps(_mm512_cmp_ps_mask(value, value, _CMP_ORD_Q), value);
    value = _mm512_min_ps(_mm512_max_ps(value, _mm512_set1_ps(-1e6F)), _mm512_set1_ps(1e6F));
    const __m512d by = _mm512_set1_pd(256), plus = _mm512_set1_pd(0.5);
    const __m256 high = _mm512_extractf32x8_ps(value, 1);
    return vector_floor(_mm512_fmadd_pd(_mm512_cvtps_pd(_mm512_castps512_ps256(value)), by, plus),
                        _mm512_fmadd_pd(_mm512_cvtps_pd(high), by, plus));
}

VECTOR void find_lambdas(const struct vector_call *call, __m512i lambda[HALVES]) {
    const struct texture_request *request = call->request;
    __mmask16 doubt[HALVES];
    if (request->lod == TEXTURE_LOD_LEVEL || request->lod == TEXTURE_LOD_ZERO || !request->has_derivatives) {
        for (unsigned half = 0; half < HALVES; half++)
            lambda[half] =
                request->lod == TEXTURE_LOD_LEVEL ? named_lambda(request->level, half) : _mm512_setzero_si512();
        return;
    }
    for (unsigned half = 0; half < HALVES; half++)
        lambda[half] = lambda_half(call, half, &doubt[half]);
    if (call->lanes & (doubt[0] | (uint32_t)doubt[1] << HALF))
        exact_lambdas(call, lambda);
}

/* ---- levels ---- */

VECTOR __m512i within(__m512i value, int32_t low, int32_t high) {
    return _mm512_max_epi32(_mm512_min_epi32(value, _mm512_set1_epi32(high)), _mm512_set1_epi32(low));
}

/* As choose_levels() of level.c. */
VECTOR void choose_half(struct vector_call *call, const struct limits *limits, __m512i lambda, unsigned half) {
    const struct texture_sampler *sampler = call->sampler;
    const int32_t last = (int32_t)(call->view->last_level - call->view->first_level);
    const __m512i first = _mm512_set1_epi32((int32_t)call->view->first_level);
    __m512i level = _mm512_setzero_si512(), next = level, weight = level;
    lambda = within(_mm512_add_epi32(lambda, _mm512_set1_epi32(limits->bias)), limits->low, limits->high);
    lambda = _mm512_max_epi32(lambda, _mm512_set1_epi32(limits->least));
    const __mmask16 smaller = _mm512_cmpgt_epi32_mask(lambda, _mm512_setzero_si512());
    if (sampler->mip == 2) {
        level = within(_mm512_srai_epi32(_mm512_add_epi32(lambda, _mm512_set1_epi32(127)), 8), 0, last);
    } else if (sampler->mip == 3) {
        lambda = within(lambda, 0, last << 8);
        level = _mm512_srli_epi32(lambda, 8);
        next = _mm512_min_epi32(_mm512_add_epi32(level, _mm512_set1_epi32(1)), _mm512_set1_epi32(last));
        weight = _mm512_and_si512(lambda, _mm512_set1_epi32(255));
    }
    call->level[0][half] = _mm512_add_epi32(level, first);
    call->level[1][half] = _mm512_add_epi32(next, first);
    call->weight[half] = weight;
    call->mixed |= (uint32_t)_mm512_test_epi32_mask(weight, weight) << half * HALF;
    call->linear |= (uint32_t)(uint16_t)((sampler->mag_linear ? ~smaller : 0) | (sampler->min_linear ? smaller : 0))
                    << half * HALF;
}

/* Lanes that are not asked for take the level of the first that is. */
VECTOR void fill_levels(struct vector_call *call) {
    const __m512i from = _mm512_set1_epi32((int32_t)(call->first % HALF));
    for (unsigned which = 0; which < 2; which++) {
        __m512i *level = call->level[which];
        const __m512i filled = _mm512_permutexvar_epi32(from, level[call->first / HALF]);
        for (unsigned half = 0; half < HALVES; half++)
            level[half] = _mm512_mask_mov_epi32(filled, vector_half(call->lanes, half), level[half]);
    }
}

TEXTURE_512 bool vector_levels(struct vector_call *call) {
    struct limits limits;
    __m512i lambda[HALVES];
    if (!limits_of(call, &limits))
        return false;
    find_lambdas(call, lambda);
    call->linear = call->mixed = 0;
    for (unsigned half = 0; half < HALVES; half++)
        choose_half(call, &limits, lambda[half], half);
    call->linear &= call->lanes;
    call->mixed &= call->lanes;
    if (call->lanes != UINT32_MAX)
        fill_levels(call);
    return true;
}
#endif
