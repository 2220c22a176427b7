/* SPDX-License-Identifier: MIT */
/*
 * Sums of texels whose components are bytes, unsigned and normalised: in integers, as sample_plain.c explains it. A sum is
 * S * 0x808080 + T, of the bytes and of their highest bits. One level: S and T have 24 bits, which floats hold, and so a
 * multiplication and an addition that round once give the float next to the sum. Two levels: 32 bits; doubles take their
 * place, and round once where the definition rounds seven times.
 */
#include "engine/texture/vector_words.h"

#ifdef TEXTURE_HAS_VECTORS
#define BYTE    0x808080
#define UPPER   0x1.0101020000000p-8F /* of 1 / 255 */
#define LOWER   -0x1.fdfdfe0000000p-33F
#define UNITS   16          /* a double so near to the middle of two floats is not taken */
#define ONE_ODD 0xaaaaaaaau /* upper 16 bits of each word */

/* Sums of the four bytes of a word, and of their highest bits, with weights that come to 2^16. */
struct sums {
    __m512i byte[4], top[4];
};

VECTOR __m512i number(uint32_t value) {
    return _mm512_set1_epi32((int32_t)value);
}

/* ---- sums ---- */

/* The highest bit of each byte: of its upper half, or else of its lower half. */
VECTOR __m512i highest_bits(__m512i word) {
    const __m512i upper = _mm512_broadcast_i32x4(
        _mm_setr_epi8(0, 16, 32, 32, 64, 64, 64, 64, -128, -128, -128, -128, -128, -128, -128, -128));
    const __m512i lower = _mm512_broadcast_i32x4(_mm_setr_epi8(0, 1, 2, 2, 4, 4, 4, 4, 8, 8, 8, 8, 8, 8, 8, 8));
    const __m512i nibbles = number(0x0f0f0f0f);
    return _mm512_max_epu8(_mm512_shuffle_epi8(upper, _mm512_and_si512(_mm512_srli_epi16(word, 4), nibbles)),
                           _mm512_shuffle_epi8(lower, _mm512_and_si512(word, nibbles)));
}

/* Of 16 bits each: from a to b, in 1/256, less 2^15, which makes it signed. */
VECTOR __m512i between(__m512i a, __m512i b, __m512i weight) {
    const __m512i sum = _mm512_add_epi16(_mm512_slli_epi16(a, 8), _mm512_mullo_epi16(_mm512_sub_epi16(b, a), weight));
    return _mm512_xor_si512(sum, number(0x80008000));
}

/* Two bytes of the words, in 16 bits each. `down`: both weights. */
VECTOR void sum_pair(const __m512i pair[4], __m512i across, __m512i down, __m512i *low, __m512i *high) {
    const __m512i above = between(pair[0], pair[1], across), below = between(pair[2], pair[3], across);
    const __m512i back = number(1u << 23);
    *low = _mm512_add_epi32(
        _mm512_madd_epi16(_mm512_mask_blend_epi16(ONE_ODD, above, _mm512_slli_epi32(below, 16)), down), back);
    *high = _mm512_add_epi32(
        _mm512_madd_epi16(_mm512_mask_blend_epi16(ONE_ODD, _mm512_srli_epi32(above, 16), below), down), back);
}

VECTOR void sum_words(const __m512i word[4], __m512i across, __m512i down, __m512i sum[4]) {
    __m512i even[4], odd[4];
#pragma GCC unroll 4
    for (unsigned i = 0; i < 4; i++) {
        even[i] = _mm512_and_si512(word[i], number(0xff00ff));
        odd[i] = _mm512_srli_epi16(word[i], 8);
    }
    sum_pair(even, across, down, &sum[0], &sum[2]);
    sum_pair(odd, across, down, &sum[1], &sum[3]);
}

/* A single texel, or four. */
VECTOR void level_sums(const struct vector_taps *taps, uintptr_t memory, unsigned bytes_shift, unsigned misaligned,
                       bool one, struct sums *sums) {
    const __m512i zero = number(0);
    const __m512i x = one ? zero : taps->weight[0], y = one ? zero : taps->weight[1];
    const __m512i across = _mm512_or_si512(x, _mm512_slli_epi32(x, 16));
    const __m512i down = _mm512_or_si512(_mm512_sub_epi32(number(256), y), _mm512_slli_epi32(y, 16));
    __m512i word[4], top[4];
    word[0] = vector_words(memory, taps->offset[0], bytes_shift, misaligned);
#pragma GCC unroll 3
    for (unsigned i = 1; i < 4; i++)
        word[i] = one ? word[0] : vector_words(memory, taps->offset[i], bytes_shift, misaligned);
#pragma GCC unroll 4
    for (unsigned i = 0; i < 4; i++)
        top[i] = highest_bits(word[i]);
    sum_words(word, across, down, sums->byte);
    sum_words(top, across, down, sums->top);
}

/* ---- results ---- */

VECTOR __m512 one_level(__m512i byte, __m512i top) {
    return _mm512_fmadd_ps(_mm512_cvtepi32_ps(byte), _mm512_set1_ps(BYTE * 0x1p-47F),
                           _mm512_mul_ps(_mm512_cvtepi32_ps(top), _mm512_set1_ps(0x1p-47F)));
}

VECTOR __m512i mixed(__m512i first, __m512i second, __m512i weight) {
    return _mm512_add_epi32(_mm512_slli_epi32(first, 8), _mm512_mullo_epi32(_mm512_sub_epi32(second, first), weight));
}

VECTOR __m256 two_levels(__m256i byte, __m256i top, __mmask8 *near) {
    const uint64_t below = (UINT64_C(1) << 29) - 1, middle = UINT64_C(1) << 28;
    const __m512d sum = _mm512_fmadd_pd(_mm512_cvtepu32_pd(byte), _mm512_set1_pd(BYTE), _mm512_cvtepu32_pd(top));
    const __m512i off =
        _mm512_and_si512(_mm512_add_epi64(_mm512_castpd_si512(sum), _mm512_set1_epi64((int64_t)(UNITS - middle))),
                         _mm512_set1_epi64((int64_t)below));
    *near |= _mm512_cmple_epu64_mask(off, _mm512_set1_epi64(2 * UNITS));
    return _mm256_mul_ps(_mm512_cvtpd_ps(sum), _mm256_set1_ps(0x1p-55F));
}

/* b / 255, as the nearest float: by the two halves of 1 / 255. */
VECTOR __m512 nearest_value(__m512i byte) {
    const __m512 value = _mm512_cvtepi32_ps(byte);
    return _mm512_fmadd_ps(value, _mm512_set1_ps(UPPER), _mm512_mul_ps(value, _mm512_set1_ps(LOWER)));
}

/* Of the bytes of words. */
struct values {
    __m512 byte[4];
};

VECTOR void nearest_values(__m512i word, struct values *out) {
    const __m512i mask = number(255);
    out->byte[0] = nearest_value(_mm512_and_si512(word, mask));
    out->byte[1] = nearest_value(_mm512_and_si512(_mm512_srli_epi32(word, 8), mask));
    out->byte[2] = nearest_value(_mm512_and_si512(_mm512_srli_epi32(word, 16), mask));
    out->byte[3] = nearest_value(_mm512_srli_epi32(word, 24));
}

VECTOR uint32_t mixed_values(const struct sums sums[2], __m512i weight, struct values *out) {
    __mmask8 near[2] = {0, 0};
#pragma GCC unroll 4
    for (unsigned i = 0; i < 4; i++) {
        const __m512i byte = mixed(sums[0].byte[i], sums[1].byte[i], weight);
        const __m512i top = mixed(sums[0].top[i], sums[1].top[i], weight);
        const __m256 low = two_levels(_mm512_castsi512_si256(byte), _mm512_castsi512_si256(top), &near[0]);
        const __m256 high = two_levels(vector_upper(byte), vector_upper(top), &near[1]);
        out->byte[i] = _mm512_insertf32x8(_mm512_castps256_ps512(low), high, 1);
    }
    return near[0] | (uint32_t)near[1] << 8;
}

VECTOR void store(const struct vector_call *call, unsigned half, const struct values *values, texture_row out[4]) {
    const struct texture_table *table = call->table;
    const __mmask16 lanes = vector_half(call->lanes, half);
#pragma GCC unroll 4
    for (unsigned c = 0; c < 4; c++) {
        const __m512 value =
            table->constant >> c & 1 ? _mm512_castsi512_ps(number(table->value[c])) : values->byte[table->place[c]];
        _mm512_mask_storeu_ps(out[c] + half * HALF, lanes, value);
    }
}

/* Half a row, with one level or two. */
VECTOR uint32_t half_of(const struct vector_call *call, uintptr_t memory, const struct vector_taps taps[2][HALVES],
                        unsigned half, unsigned bytes_shift, texture_row out[4]) {
    const unsigned misaligned = (unsigned)call->view->address & 3;
    struct values values;
    struct sums sums[2];
    uint32_t again = 0;
    if (!call->linear && !call->mixed) {
        nearest_values(vector_words(memory, taps[0][half].offset[0], bytes_shift, misaligned), &values);
    } else {
        const bool one = call->count == 1;
        level_sums(&taps[0][half], memory, bytes_shift, misaligned, one, &sums[0]);
        if (call->mixed) {
            level_sums(&taps[1][half], memory, bytes_shift, misaligned, one, &sums[1]);
            again = mixed_values(sums, call->weight[half], &values);
        } else {
#pragma GCC unroll 4
            for (unsigned i = 0; i < 4; i++)
                values.byte[i] = one_level(sums[0].byte[i], sums[0].top[i]);
        }
    }
    store(call, half, &values, out);
    return again << half * HALF;
}

TEXTURE_512 uint32_t vector_bytes(const struct vector_call *call, uintptr_t memory,
                                  const struct vector_taps taps[2][HALVES], texture_row out[4]) {
    const unsigned bytes_shift = call->table->bytes_shift;
    uint32_t again = 0;
    for (unsigned half = 0; half < HALVES; half++)
        again |= bytes_shift >= 2 ? half_of(call, memory, taps, half, 2, out)
                                  : half_of(call, memory, taps, half, bytes_shift, out);
    return again & call->mixed & call->linear;
}
#endif
