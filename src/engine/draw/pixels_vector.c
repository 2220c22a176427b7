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

#define VECTOR __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,prefer-vector-width=512")))
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
    const int down = _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC;
    return _mm512_cvttps_epi32(_mm512_fmadd_round_ps(value, _mm512_set1_ps(255), _mm512_set1_ps(0.5f), down));
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

INLINE void rows_of(const struct pixel_target *target, const draw_row *rows, const draw_row *second, unsigned first,
                    __m512i stored, __m512 *row) {
    for (unsigned c = 0; c < 4; c++) {
        __m512i byte =
            _mm512_and_si512(_mm512_srl_epi32(stored, _mm_cvtsi32_si128(target->shift[c])), _mm512_set1_epi32(0xff));
        row[c] = clamped(_mm512_loadu_ps(&rows[c][first]));
        row[4 + c] = target->component[c] ? over_255(_mm512_cvtepi32_ps(byte)) : _mm512_set1_ps(1);
    }
    for (unsigned c = 0; c < 4 && target->has_second; c++)
        row[8 + c] = clamped(_mm512_loadu_ps(&second[c][first]));
}

VECTOR static void blend_avx512(const struct pixel_target *target, const draw_row *rows, const draw_row *second,
                                uint8_t *half[2], uint32_t live) {
    assert(target->factored);
    for (unsigned i = 0; i < 2; i++, live >>= HALF) {
        __m512i stored = load_half(half[i]);
        __m512 row[PIXEL_ROWS], value[4];
        rows_of(target, rows, second, HALF * i, stored, row);
        for (unsigned c = 0; c < 4; c++) {
            const struct pixel_equation *equation = &target->equation[c == 3];
            __m512 s = _mm512_mul_ps(row[c], factor_of(&target->source[c], row));
            __m512 d = _mm512_mul_ps(row[4 + c], factor_of(&target->stored[c], row));
            /* one of the products, or its negative, and the other: one rounding */
            s = _mm512_mul_ps(s, _mm512_set1_ps(equation->source));
            value[c] = clamped(_mm512_fmadd_ps(d, _mm512_set1_ps(equation->stored), s));
        }
        merge_half(target, half[i], stored, packed(target, value), (__mmask16)live);
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

VECTOR static void plane_avx512(const struct raster_plane *plane, double from_x, double from_y, uint32_t *out) {
    __m512d line = line_terms(plane->y, from_y);
    for (unsigned i = 0; i < 4; i++)
        _mm256_storeu_ps((float *)out + (size_t)8 * i, _mm512_cvtpd_ps(plane_at(plane, from_x, line, i)));
}

/* ---- depth ---- */

INLINE __m512d depth_at(const struct pixel_zeta *zeta, const struct draw_setup *setup, double from_x, __m512d line,
                        unsigned vector) {
    __m512d z = plane_at(&setup->z, from_x, line, vector);
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
        const __m512d z[2] = {depth_at(zeta, setup, from_x, line, 2 * i),
                              depth_at(zeta, setup, from_x, line, 2 * i + 1)};
        passed |= (uint32_t)test_half(zeta, z, half[i], (__mmask16)(live >> HALF * i)) << HALF * i;
    }
    return passed;
}

const struct pixel_vector *pixel_vector_of_host(void) {
    static const struct pixel_vector avx512 = {
        .store = store_avx512, .blend = blend_avx512, .depth = depth_avx512, .plane = plane_avx512};
    bool has = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
               __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
    return has ? &avx512 : NULL;
}

#else

const struct pixel_vector *pixel_vector_of_host(void) {
    return NULL;
}

#endif
