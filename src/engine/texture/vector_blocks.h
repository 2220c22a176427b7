/* SPDX-License-Identifier: MIT */
/*
 * Texels of BC1 to BC5, one of each lane's block: what blocks.c gives. Between two ends a and b it is (a m + b n) / d in
 * doubles, then rounded to a float. a m + b n is a whole multiple of 2^-31, and d is 3, 5 or 7: the quotient lies in the
 * middle of two floats, or at least 2^-36 from it, so that the product with 1 / d becomes the same float.
 */
#ifndef PFIFO_SRC_ENGINE_TEXTURE_VECTOR_BLOCKS_H
#define PFIFO_SRC_ENGINE_TEXTURE_VECTOR_BLOCKS_H

#include "engine/texture/vector_words.h"

#ifdef TEXTURE_HAS_VECTORS

/* By the index of a texel: how much of a, of b; and 1 / d. */
struct vector_parts {
    double a[8], b[8], by[8];
};

#define THIRD   (1.0 / 3)
#define FIFTH   (1.0 / 5)
#define SEVENTH (1.0 / 7)

static const struct vector_parts vector_colors[2] = {
    {{1, 0, 2, 1}, {0, 1, 1, 2}, {1, 1, THIRD, THIRD}},
    {{1, 0, 1, 0}, {0, 1, 1, 0}, {1, 1, 0.5, 1}},
};
static const struct vector_parts vector_alphas[2] = {
    {{1, 0, 6, 5, 4, 3, 2, 1}, {0, 1, 1, 2, 3, 4, 5, 6}, {1, 1, SEVENTH, SEVENTH, SEVENTH, SEVENTH, SEVENTH, SEVENTH}},
    {{1, 0, 4, 3, 2, 1, 0, 0}, {0, 1, 1, 2, 3, 4, 0, 0}, {1, 1, FIFTH, FIFTH, FIFTH, FIFTH, 1, 1}},
};

/* Two choices of parts, by `second`. */
struct vector_shares {
    __m512d a[2], b[2], by[2];
};

VECTOR __m512d vector_share(const double first[8], const double second[8], __mmask8 is_second, __m512i index) {
    return _mm512_mask_permutexvar_pd(_mm512_permutexvar_pd(index, _mm512_loadu_pd(first)), is_second, index,
                                      _mm512_loadu_pd(second));
}

VECTOR struct vector_shares vector_shares(const struct vector_parts parts[2], __mmask16 second, __m512i index) {
    struct vector_shares shares;
    const __m512i wide[2] = {_mm512_cvtepu32_epi64(_mm512_castsi512_si256(index)),
                             _mm512_cvtepu32_epi64(vector_upper(index))};
    for (unsigned i = 0; i < 2; i++) {
        const __mmask8 is_second = (__mmask8)(second >> 8 * i);
        shares.a[i] = vector_share(parts[0].a, parts[1].a, is_second, wide[i]);
        shares.b[i] = vector_share(parts[0].b, parts[1].b, is_second, wide[i]);
        shares.by[i] = vector_share(parts[0].by, parts[1].by, is_second, wide[i]);
    }
    return shares;
}

VECTOR __m512 vector_between(const struct vector_shares *shares, __m512 a, __m512 b) {
    const __m256 ends[2][2] = {{_mm512_castps512_ps256(a), _mm512_castps512_ps256(b)},
                               {_mm512_extractf32x8_ps(a, 1), _mm512_extractf32x8_ps(b, 1)}};
    __m256 out[2];
    for (unsigned i = 0; i < 2; i++) {
        const __m512d sum = _mm512_fmadd_pd(_mm512_cvtps_pd(ends[i][0]), shares->a[i],
                                            _mm512_mul_pd(_mm512_cvtps_pd(ends[i][1]), shares->b[i]));
        out[i] = _mm512_cvtpd_ps(_mm512_mul_pd(sum, shares->by[i]));
    }
    return _mm512_insertf32x8(_mm512_castps256_ps512(out[0]), out[1], 1);
}

/* A field of at most 8 bits over the most it can be. */
VECTOR __m512 vector_unorm(__m512i word, unsigned shift, unsigned bits) {
    const uint32_t most = (1u << bits) - 1;
    const float upper = (float)(1.0 / most), lower = (float)(1.0 / most - (double)upper);
    const __m512i field = _mm512_and_si512(_mm512_srli_epi32(word, shift), _mm512_set1_epi32((int32_t)most));
    const __m512 value = _mm512_cvtepi32_ps(field);
    return _mm512_fmadd_ps(value, _mm512_set1_ps(upper), _mm512_mul_ps(value, _mm512_set1_ps(lower)));
}

/* Red, green and blue; `transparent`: lanes whose alpha is 0. */
VECTOR void vector_color(__m512i ends, __m512i indices, __m512i texel, bool may_have_three, __m512i out[3],
                         __mmask16 *transparent) {
    const __m512i index =
        _mm512_and_si512(_mm512_srlv_epi32(indices, _mm512_slli_epi32(texel, 1)), _mm512_set1_epi32(3));
    const __m512i other = _mm512_srli_epi32(ends, 16);
    const __mmask16 three =
        may_have_three ? _mm512_cmple_epu32_mask(_mm512_and_si512(ends, _mm512_set1_epi32(0xffff)), other) : 0;
    const struct vector_shares shares = vector_shares(vector_colors, three, index);
    out[0] = _mm512_castps_si512(vector_between(&shares, vector_unorm(ends, 11, 5), vector_unorm(other, 11, 5)));
    out[1] = _mm512_castps_si512(vector_between(&shares, vector_unorm(ends, 5, 6), vector_unorm(other, 5, 6)));
    out[2] = _mm512_castps_si512(vector_between(&shares, vector_unorm(ends, 0, 5), vector_unorm(other, 0, 5)));
    *transparent = _mm512_mask_cmpeq_epi32_mask(three, index, _mm512_set1_epi32(3));
}

/* One component: two ends of 8 bits, and 3 bits for each texel from bit 16 on. */
VECTOR __m512i vector_alpha(__m512i low, __m512i high, __m512i texel) {
    const __m512i at = _mm512_add_epi32(_mm512_mullo_epi32(texel, _mm512_set1_epi32(3)), _mm512_set1_epi32(16));
    const __m512i end = _mm512_set1_epi32(32);
    const __m512i bits = _mm512_or_si512(_mm512_srlv_epi32(low, at),
                                         _mm512_or_si512(_mm512_sllv_epi32(high, _mm512_sub_epi32(end, at)),
                                                         _mm512_srlv_epi32(high, _mm512_sub_epi32(at, end))));
    const __m512i index = _mm512_and_si512(bits, _mm512_set1_epi32(7)), byte = _mm512_set1_epi32(255);
    const __mmask16 six =
        _mm512_cmple_epu32_mask(_mm512_and_si512(low, byte), _mm512_and_si512(_mm512_srli_epi32(low, 8), byte));
    const struct vector_shares shares = vector_shares(vector_alphas, six, index);
    const __m512 value = vector_between(&shares, vector_unorm(low, 0, 8), vector_unorm(low, 8, 8));
    const __mmask16 most = _mm512_mask_cmpeq_epi32_mask(six, index, _mm512_set1_epi32(7));
    return _mm512_castps_si512(_mm512_mask_mov_ps(value, most, _mm512_set1_ps(1)));
}

/* Four bits for each texel. */
VECTOR __m512i vector_explicit_alpha(__m512i low, __m512i high, __m512i texel) {
    const __mmask16 upper = _mm512_cmpgt_epi32_mask(texel, _mm512_set1_epi32(7));
    const __m512i word = _mm512_mask_mov_epi32(low, upper, high);
    const __m512i shift = _mm512_slli_epi32(_mm512_and_si512(texel, _mm512_set1_epi32(7)), 2);
    return _mm512_castps_si512(vector_unorm(_mm512_srlv_epi32(word, shift), 0, 4));
}

/* `texel`: 4 y + x within the block. */
VECTOR void vector_block(unsigned blocks, uintptr_t memory, __m512i offset, __m512i texel, __m512i out[4]) {
    const __m512i low = vector_words(memory, offset, 2, 0), high = vector_words(memory + 4, offset, 2, 0);
    const __m512i one = _mm512_castps_si512(_mm512_set1_ps(1));
    __mmask16 transparent = 0;
    out[3] = one;
    if (blocks >= 4) {
        out[0] = vector_alpha(low, high, texel);
        out[1] = out[2] = _mm512_setzero_si512();
        if (blocks == 5)
            out[1] =
                vector_alpha(vector_words(memory + 8, offset, 2, 0), vector_words(memory + 12, offset, 2, 0), texel);
        return;
    }
    if (blocks == 1) {
        vector_color(low, high, texel, true, out, &transparent);
        out[3] = _mm512_maskz_mov_epi32((__mmask16)~transparent, one);
        return;
    }
    vector_color(vector_words(memory + 8, offset, 2, 0), vector_words(memory + 12, offset, 2, 0), texel, false, out,
                 &transparent);
    out[3] = blocks == 2 ? vector_explicit_alpha(low, high, texel) : vector_alpha(low, high, texel);
}
#endif

#endif
