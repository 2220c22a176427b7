/* SPDX-License-Identifier: MIT */
/*
 * Stripes with AVX-512: a row of 32 lanes is two vectors, and so is a stripe in memory, 64 bytes each. In memory a
 * line's four elements follow each other, then those of the line below; lanes go quad by quad. So one becomes the other
 * as the inner two of four pairs change places.
 *
 * No sum of a product is fused where the plain loops have two operations; where one is, it comes to the same.
 */
#include "engine/draw/pixels_vector.h"

#include <assert.h>

#if defined(__x86_64__) && defined(__GNUC__)

#include <immintrin.h>

#ifdef __clang__ /* which has no such preference */
#define VECTOR __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl")))
#else
#define VECTOR __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,prefer-vector-width=512")))
#endif
#define INLINE VECTOR static inline __attribute__((always_inline))

#define SWAP_PAIRS 0xd8 /* 0 2 1 3 */
#define HALF       16u  /* lanes of a vector */

INLINE __m512i swap_pairs(__m512i elements) {
    return _mm512_permutex_epi64(elements, SWAP_PAIRS);
}

/* Elements of half a stripe, by lanes. */
INLINE __m512i load_half(const uint8_t *half) {
    return swap_pairs(_mm512_loadu_si512(half));
}

INLINE void store_half(uint8_t *half, __m512i elements) {
    _mm512_storeu_si512(half, swap_pairs(elements));
}

/* ---- colours ---- */

/* To 0 .. 1; what is no number is 0. */
INLINE __m512 clamped(__m512 value) {
    return _mm512_min_ps(_mm512_max_ps(value, _mm512_setzero_ps()), _mm512_set1_ps(1));
}

/*
 * To 0 .. 255: the sum is rounded down, so that it does not come to the next integer if it is below it, as the sum of
 * doubles does not.
 */
INLINE __m512i converted(__m512 value) {
    enum { DOWN = _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC };
    return _mm512_cvttps_epi32(_mm512_fmadd_round_ps(value, _mm512_set1_ps(255), _mm512_set1_ps(0.5f), DOWN));
}

/* Of values in 0 .. 1. A component that the format has not is 0. */
INLINE __m512i packed(const struct pixel_target *target, const __m512 value[4]) {
    __m512i words = _mm512_setzero_si512();
    for (unsigned c = 0; c < 4; c++) {
        __m512i component = _mm512_and_si512(converted(value[c]), _mm512_set1_epi32((int)target->component[c]));
        words = _mm512_or_si512(words, _mm512_sll_epi32(component, _mm_cvtsi32_si128(target->shift[c])));
    }
    return words;
}

/* Bits that are not written, and lanes that are not live, stay what they are. */
INLINE void merge_half(const struct pixel_target *target, uint8_t *half, __m512i stored, __m512i words,
                       __mmask16 live) {
    __m512i bits = _mm512_maskz_set1_epi32(live, (int)(uint32_t)target->bits[0]);
    store_half(half, _mm512_or_si512(_mm512_andnot_si512(bits, stored), _mm512_and_si512(bits, words)));
}

VECTOR static void store_avx512(const struct pixel_target *target, const draw_row *rows, uint8_t *half[2],
                                uint32_t live) {
    for (unsigned i = 0; i < 2; i++, live >>= HALF) {
        __m512 value[4];
        for (unsigned c = 0; c < 4; c++)
            value[c] = clamped(_mm512_loadu_ps(&rows[c][HALF * i]));
        __m512i words = packed(target, value);
        if ((live & 0xffff) == 0xffff && !target->reads)
            store_half(half[i], words);
        else
            merge_half(target, half[i], load_half(half[i]), words, (__mmask16)live);
    }
}

/* ---- blending ---- */

/* Exactly x / 255, of integers 0 .. 255. */
INLINE __m512 over_255(__m512 x) {
    return _mm512_fmadd_ps(x, _mm512_set1_ps(0x1.010102p-8f), _mm512_mul_ps(x, _mm512_set1_ps(-0x1.fdfdfep-33f)));
}

/* base + sign * row: a row, one minus it, or a constant, since sign is 1, -1 or 0 and rows are 0 .. 1. */
INLINE __m512 factor_of(const struct pixel_factor *factor, const __m512 *row) {
    assert(factor->row < PIXEL_ROWS);
    return _mm512_fmadd_ps(_mm512_set1_ps(factor->sign), row[factor->row], _mm512_set1_ps(factor->base));
}

INLINE void stored_rows(const struct pixel_target *target, __m512i stored, __m512 row[4]) {
    for (unsigned c = 0; c < 4; c++) {
        __m512i byte =
            _mm512_and_si512(_mm512_srl_epi32(stored, _mm_cvtsi32_si128(target->shift[c])), _mm512_set1_epi32(0xff));
        row[c] = target->component[c] ? over_255(_mm512_cvtepi32_ps(byte)) : _mm512_set1_ps(1);
    }
}

INLINE __m512i blended(const struct pixel_target *target, const __m512 *row) {
    __m512 value[4];
    for (unsigned c = 0; c < 4; c++) {
        const struct pixel_equation *equation = &target->equation[c == 3];
        __m512 s = _mm512_mul_ps(row[c], factor_of(&target->source[c], row));
        __m512 d = _mm512_mul_ps(row[4 + c], factor_of(&target->stored[c], row));
        /* one of the products, or its negative, and the other: one rounding */
        s = _mm512_mul_ps(s, _mm512_set1_ps(equation->source));
        value[c] = clamped(_mm512_fmadd_ps(d, _mm512_set1_ps(equation->stored), s));
    }
    return packed(target, value);
}

VECTOR static void blend_avx512(const struct pixel_target *target, const draw_row *rows, const draw_row *second,
                                uint8_t *half[2], uint32_t live) {
    assert(target->factored);
    for (unsigned i = 0; i < 2; i++, live >>= HALF) {
        __m512i stored = load_half(half[i]);
        __m512 row[PIXEL_ROWS];
        for (unsigned c = 0; c < 4; c++)
            row[c] = clamped(_mm512_loadu_ps(&rows[c][HALF * i]));
        for (unsigned c = 0; c < 4 && target->has_second; c++)
            row[8 + c] = clamped(_mm512_loadu_ps(&second[c][HALF * i]));
        stored_rows(target, stored, row + 4);
        merge_half(target, half[i], stored, blended(target, row), (__mmask16)live);
    }
}

/* ---- colours of several samples ---- */

VECTOR static void samples_avx512(const uint32_t *covered, unsigned count, uint8_t *of_lane) {
    __m256i of = _mm256_setzero_si256();
    for (unsigned s = 0; s < count; s++)
        of = _mm256_or_si256(of, _mm256_maskz_set1_epi8(covered[s], (char)(1u << s)));
    _mm256_storeu_si256((__m256i *)(void *)of_lane, of);
}

/* What two vectors have for 32 lanes, for the elements of a part. */
INLINE __m512i of_lanes(const struct pixel_part *part, const __m512i lanes[2]) {
    return _mm512_permutex2var_epi32(lanes[0], _mm512_loadu_si512(part->lane), lanes[1]);
}

INLINE __m512 values_of_lanes(const struct pixel_part *part, const __m512 lanes[2]) {
    return _mm512_permutex2var_ps(lanes[0], _mm512_loadu_si512(part->lane), lanes[1]);
}

INLINE void load_live(const uint8_t *live, __m512i lanes[2]) {
    for (unsigned i = 0; i < 2; i++)
        lanes[i] = _mm512_cvtepu8_epi32(_mm_loadu_si128((const __m128i *)(const void *)(live + (size_t)HALF * i)));
}

INLINE __mmask16 live_of(const struct pixel_part *part, const __m512i lanes[2]) {
    return _mm512_test_epi32_mask(of_lanes(part, lanes), _mm512_loadu_si512(part->bit));
}

VECTOR static void store_samples_avx512(const struct pixel_target *target, const draw_row *rows,
                                        const struct pixel_parts *parts, uint8_t *const *at, const uint8_t *live) {
    __m512i lanes[2], words[2];
    load_live(live, lanes);
    for (unsigned i = 0; i < 2; i++) {
        __m512 value[4];
        for (unsigned c = 0; c < 4; c++)
            value[c] = clamped(_mm512_loadu_ps(&rows[c][HALF * i]));
        words[i] = packed(target, value);
    }
    for (unsigned i = 0; i < parts->count; i++) {
        const struct pixel_part *part = &parts->part[i];
        __mmask16 written = live_of(part, lanes);
        if (written == 0xffff && !target->reads)
            store_half(at[i], of_lanes(part, words));
        else if (written)
            merge_half(target, at[i], load_half(at[i]), of_lanes(part, words), written);
    }
}

VECTOR static void blend_samples_avx512(const struct pixel_target *target, const draw_row *rows, const draw_row *second,
                                        const struct pixel_parts *parts, uint8_t *const *at, const uint8_t *live) {
    __m512i lanes[2];
    __m512 source[4][2], other[4][2];
    load_live(live, lanes);
    for (unsigned c = 0; c < 4; c++)
        for (unsigned i = 0; i < 2; i++) {
            source[c][i] = clamped(_mm512_loadu_ps(&rows[c][HALF * i]));
            other[c][i] = target->has_second ? clamped(_mm512_loadu_ps(&second[c][HALF * i])) : _mm512_setzero_ps();
        }
    for (unsigned i = 0; i < parts->count; i++) {
        const struct pixel_part *part = &parts->part[i];
        __mmask16 written = live_of(part, lanes);
        if (!written)
            continue;
        __m512i stored = load_half(at[i]);
        __m512 row[PIXEL_ROWS];
        for (unsigned c = 0; c < 4; c++) {
            row[c] = values_of_lanes(part, source[c]);
            row[8 + c] = values_of_lanes(part, other[c]);
        }
        stored_rows(target, stored, row + 4);
        merge_half(target, at[i], stored, blended(target, row), written);
    }
}

/* ---- coverage ---- */

VECTOR static void cover_avx512(const int32_t *value, const int32_t *right, const int32_t *down, unsigned edges,
                                unsigned rows, uint16_t *cover) {
    const __m512i columns = _mm512_set_epi32(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
    __m512i at[4], step[4];
    assert(edges && edges <= 4);
    for (unsigned i = 0; i < edges; i++) {
        __m512i from = _mm512_mullo_epi32(columns, _mm512_set1_epi32(right[i]));
        at[i] = _mm512_add_epi32(from, _mm512_set1_epi32(value[i]));
        step[i] = _mm512_set1_epi32(down[i]);
    }
    for (unsigned row = 0; row < rows; row++) {
        __m512i signs = at[0];
        for (unsigned i = 1; i < edges; i++)
            signs = _mm512_or_si512(signs, at[i]);
        cover[row] = (uint16_t)~_mm512_movepi32_mask(signs);
        for (unsigned i = 0; i < edges; i++)
            at[i] = _mm512_add_epi32(at[i], step[i]);
    }
}

/* ---- planes ---- */

/* Eight lanes, two quads: columns are 0 1 0 1 2 3 2 3 from the first one on. */
INLINE __m512d columns_from(double from_x, unsigned vector) {
    const __m512d column = _mm512_set_pd(3, 2, 3, 2, 1, 0, 1, 0);
    return _mm512_add_pd(_mm512_set1_pd(from_x), _mm512_add_pd(column, _mm512_set1_pd(4 * vector)));
}

/* What lines add. */
INLINE __m512d line_terms(double by_y, double from_y) {
    double upper = by_y * from_y, lower = by_y * (from_y + 1);
    return _mm512_mask_blend_pd(0xcc, _mm512_set1_pd(upper), _mm512_set1_pd(lower));
}

INLINE __m512d plane_at(const struct raster_plane *plane, double from_x, __m512d line, unsigned vector) {
    __m512d column = _mm512_mul_pd(_mm512_set1_pd(plane->x), columns_from(from_x, vector));
    return _mm512_add_pd(_mm512_add_pd(_mm512_set1_pd(plane->value), column), line);
}

VECTOR static void planes_avx512(const struct raster_plane *const *planes, unsigned count, double from_x, double from_y,
                                 draw_row *out) {
    __m512d columns[4];
    for (unsigned i = 0; i < 4; i++)
        columns[i] = columns_from(from_x, i);
    for (unsigned k = 0; k < count; k++) {
        const struct raster_plane *plane = planes[k];
        __m512d line = line_terms(plane->y, from_y), by_x = _mm512_set1_pd(plane->x);
        for (unsigned i = 0; i < 4; i++) {
            __m512d value = _mm512_add_pd(_mm512_set1_pd(plane->value), _mm512_mul_pd(by_x, columns[i]));
            _mm256_storeu_ps((float *)out[k] + (size_t)8 * i, _mm512_cvtpd_ps(_mm512_add_pd(value, line)));
        }
    }
}

/* ---- depth ---- */

/* Bounded by the vertices' and by the range, and with the offset between. */
INLINE __m512d bounded(const struct pixel_zeta *zeta, const struct draw_setup *setup, __m512d z) {
    z = _mm512_max_pd(z, _mm512_set1_pd(setup->z_min));
    z = _mm512_add_pd(_mm512_min_pd(z, _mm512_set1_pd(setup->z_max)), _mm512_set1_pd(setup->offset));
    return _mm512_min_pd(_mm512_max_pd(z, _mm512_set1_pd(zeta->low)), _mm512_set1_pd(zeta->high));
}

/* As fixed point, in the place where it is stored. */
INLINE __m256i fixed_of(const struct pixel_zeta *zeta, __m512d z) {
    __m512d sum = _mm512_add_pd(_mm512_mul_pd(z, _mm512_set1_pd(zeta->scale)), _mm512_set1_pd(0x1p52));
    return _mm512_cvtepi64_epi32(_mm512_castpd_si512(sum));
}

INLINE __mmask16 passes_fixed(const struct pixel_zeta *zeta, __m512i value, __m512i element) {
    const __m512i most = _mm512_set1_epi32((int)(uint32_t)zeta->depth_max);
    __m512i stored = _mm512_and_si512(_mm512_srl_epi32(element, _mm_cvtsi32_si128(zeta->depth_shift)), most);
    __mmask16 less = _mm512_cmplt_epu32_mask(value, stored), equal = _mm512_cmpeq_epu32_mask(value, stored);
    return (__mmask16)((less & zeta->less) | (equal & zeta->equal) | (~(less | equal) & zeta->greater));
}

INLINE __mmask16 passes_float(const struct pixel_zeta *zeta, __m512 value, __m512 stored) {
    __mmask16 less = _mm512_cmp_ps_mask(value, stored, _CMP_LT_OQ),
              equal = _mm512_cmp_ps_mask(value, stored, _CMP_EQ_OQ);
    __mmask16 greater = _mm512_cmp_ps_mask(value, stored, _CMP_GT_OQ);
    return (__mmask16)((less & zeta->less) | (equal & zeta->equal) | (greater & zeta->greater) |
                       (~(less | equal | greater) & zeta->unordered));
}

INLINE __m512i joined(__m256i low, __m256i high) {
    return _mm512_inserti64x4(_mm512_castsi256_si512(low), high, 1);
}

INLINE __mmask16 test_half(const struct pixel_zeta *zeta, const __m512d z[2], uint8_t *half, __mmask16 live) {
    __m512i element = load_half(half), value;
    __mmask16 passed;
    if (zeta->is_float) {
        value = joined(_mm256_castps_si256(_mm512_cvtpd_ps(z[0])), _mm256_castps_si256(_mm512_cvtpd_ps(z[1])));
        passed = live & passes_float(zeta, _mm512_castsi512_ps(value), _mm512_castsi512_ps(element));
    } else {
        value = joined(fixed_of(zeta, z[0]), fixed_of(zeta, z[1]));
        passed = live & passes_fixed(zeta, value, element);
        value = _mm512_sll_epi32(value, _mm_cvtsi32_si128(zeta->depth_shift));
    }
    if (passed && zeta->writes) {
        __m512i bits = _mm512_maskz_set1_epi32(passed, (int)(uint32_t)zeta->depth_mask);
        store_half(half, _mm512_or_si512(_mm512_andnot_si512(bits, element), _mm512_and_si512(bits, value)));
    }
    return passed;
}

VECTOR static uint32_t depth_avx512(const struct pixel_zeta *zeta, const struct draw_setup *setup, uint32_t x,
                                    uint32_t y, uint8_t *half[2], uint32_t live) {
    double from_x = x + zeta->at_x - setup->weights.origin_x, from_y = y + zeta->at_y - setup->weights.origin_y;
    __m512d line = line_terms(setup->z.y, from_y);
    uint32_t passed = 0;
    for (unsigned i = 0; i < 2; i++) {
        const __m512d z[2] = {bounded(zeta, setup, plane_at(&setup->z, from_x, line, 2 * i)),
                              bounded(zeta, setup, plane_at(&setup->z, from_x, line, 2 * i + 1))};
        passed |= (uint32_t)test_half(zeta, z, half[i], (__mmask16)(live >> HALF * i)) << HALF * i;
    }
    return passed;
}

/* At the places of a part's samples; x and y are those of the stripe, from the plane's origin. */
INLINE __m512d plane_at_samples(const struct raster_plane *plane, const struct pixel_part *part, double x, double y,
                                unsigned vector) {
    __m512d from_x = _mm512_add_pd(_mm512_set1_pd(x), _mm512_loadu_pd(part->x + (size_t)8 * vector));
    __m512d from_y = _mm512_add_pd(_mm512_set1_pd(y), _mm512_loadu_pd(part->y + (size_t)8 * vector));
    __m512d column = _mm512_mul_pd(_mm512_set1_pd(plane->x), from_x);
    __m512d line = _mm512_mul_pd(_mm512_set1_pd(plane->y), from_y);
    return _mm512_add_pd(_mm512_add_pd(_mm512_set1_pd(plane->value), column), line);
}

/* Samples that do not pass are taken from those of their lanes. */
INLINE void take_failed(const struct pixel_part *part, __mmask16 failed, uint8_t *live) {
    for (unsigned left = failed; left; left &= left - 1) {
        unsigned i = (unsigned)__builtin_ctz(left);
        live[part->lane[i]] &= (uint8_t)~part->bit[i];
    }
}

VECTOR static unsigned depth_samples_avx512(const struct pixel_zeta *zeta, const struct draw_setup *setup, uint32_t x,
                                            uint32_t y, const struct pixel_parts *parts, uint8_t *const *at,
                                            uint8_t *live) {
    double from_x = x - setup->weights.origin_x, from_y = y - setup->weights.origin_y;
    unsigned count = 0;
    __m512i lanes[2];
    load_live(live, lanes);
    for (unsigned i = 0; i < parts->count; i++) {
        const struct pixel_part *part = &parts->part[i];
        const __m512d z[2] = {bounded(zeta, setup, plane_at_samples(&setup->z, part, from_x, from_y, 0)),
                              bounded(zeta, setup, plane_at_samples(&setup->z, part, from_x, from_y, 1))};
        __mmask16 tested = live_of(part, lanes);
        if (!tested)
            continue;
        __mmask16 passed = test_half(zeta, z, at[i], tested);
        count += (unsigned)__builtin_popcount(passed);
        take_failed(part, (__mmask16)(tested & ~passed), live);
    }
    return count;
}

const struct pixel_vector *pixel_vector_of_host(void) {
    static const struct pixel_vector avx512 = {.store = store_avx512,
                                               .blend = blend_avx512,
                                               .depth = depth_avx512,
                                               .samples = samples_avx512,
                                               .store_samples = store_samples_avx512,
                                               .blend_samples = blend_samples_avx512,
                                               .depth_samples = depth_samples_avx512,
                                               .cover = cover_avx512,
                                               .planes = planes_avx512};
    bool has = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
               __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
    return has ? &avx512 : NULL;
}

#else

const struct pixel_vector *pixel_vector_of_host(void) {
    return NULL;
}

#endif
