/* SPDX-License-Identifier: MIT */
/*
 * Samples of all lanes at once in vectors of 16 numbers (AVX-512). Every step gives the bits that sample_lane.c gives, which
 * remains the definition; what is not done here is left to the others, before anything has been read.
 *
 *   vector.c         what can be done; coordinates; memory; the two levels of a sample
 *   vector_level.c   coordinates --> levels        vector_place.c   coordinates, levels --> offsets of texels, weights
 *   vector_words.h   words of texels at offsets
 *   vector_bytes.c   texels of bytes --> results   vector_values.c  any texels --> results, in the order of the definition
 *   vector_blocks.h  texels of compressed blocks
 *
 * Memory must be in one piece for the texels that are read (texture_memory.whole). Lanes that are not asked for are done,
 * too: with the coordinates and levels of one that is.
 */
#ifndef PFIFO_SRC_ENGINE_TEXTURE_VECTOR_H
#define PFIFO_SRC_ENGINE_TEXTURE_VECTOR_H

#include "engine/texture/texture.h"
#include "engine/texture/wide.h"

/*
 * False: it is not done. Else *read is as texture_sample() has it, and *again are lanes whose results are too near to the
 * middle of two floats: their sums have to be made in the order of the definition.
 */
bool vector_sample(const struct texture_memory *memory, const struct texture_view *view,
                   const struct texture_sampler *sampler, const struct texture_request *request, bool level_matters,
                   uint32_t lanes, texture_row out[4], uint64_t *read, uint32_t *again);

#ifdef TEXTURE_HAS_VECTORS
#include <immintrin.h>

#define VECTOR static inline __attribute__((always_inline)) TEXTURE_512
#define HALVES 2u  /* of a row */
#define HALF   16u /* lanes */
#define ALL    0xffffu

struct vector_call {
    const struct texture_view *view;
    const struct texture_table *table;
    const struct texture_sampler *sampler;
    const struct texture_request *request;
    uint32_t lanes;
    unsigned first; /* of them */
    unsigned axes;
    __m512d at[3][2 * HALVES]; /* coordinates as the header has them */
    __m512i level[2][HALVES];  /* the first and the second one */
    __m512i weight[HALVES];    /* of the second, in 1/256 */
    __m512i base[HALVES];      /* offsets of layers */
    uint32_t linear, mixed;    /* of the lanes: with that filter; with two levels */
    bool outside;              /* some texel is the border */
    unsigned count;            /* texels of each level that a lane takes */
    uint64_t read;
};

/* The texels of a level, of half a row. Bit i of a number says which of two on axis i. */
struct vector_taps {
    __m512i offset[8];
    __m512i weight[3]; /* of the second on each axis, in 1/256 */
    __m512i at[2][2];  /* x and y */
    __mmask16 outside[8];
};

/* Fills level, weight, linear and mixed. False: not done. */
bool vector_levels(struct vector_call *call);
/* Texels of the first (0) or second (1) level, and what they cost. False: a coordinate is too far away. */
bool vector_places(struct vector_call *call, unsigned which, struct vector_taps taps[HALVES]);
/* The least and the most of the offsets of all texels. */
void vector_range(const struct vector_call *call, const struct vector_taps taps[2][HALVES], uint32_t *least,
                  uint32_t *most);
/* Results of bytes. `memory`: where offset 0 would be. Gives lanes to be done again. */
uint32_t vector_bytes(const struct vector_call *call, uintptr_t memory, const struct vector_taps taps[2][HALVES],
                      texture_row out[4]);

void vector_values(const struct vector_call *call, uintptr_t memory, const struct vector_taps taps[2][HALVES],
                   texture_row out[4]);

VECTOR __mmask16 vector_half(uint32_t lanes, unsigned half) {
    return (__mmask16)(lanes >> half * HALF);
}

/* A number of each level, for the levels of lanes. */
VECTOR __m512i vector_of_level(const texture_levels_row row, __m512i level) {
    return _mm512_permutexvar_epi32(level, _mm512_loadu_si512(row));
}

VECTOR __m512i vector_row(const uint32_t *row, unsigned half) {
    return row ? _mm512_loadu_si512(row + half * HALF) : _mm512_setzero_si512();
}

VECTOR __m512i vector_joined(__m256i low, __m256i high) {
    return _mm512_inserti64x4(_mm512_castsi256_si512(low), high, 1);
}

VECTOR __m256i vector_upper(__m512i value) {
    return _mm512_extracti64x4_epi64(value, 1);
}

/* Down to whole numbers; what does not fit is INT32_MIN. */
VECTOR __m512i vector_floor(__m512d low, __m512d high) {
    return vector_joined(_mm512_cvt_roundpd_epi32(low, _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC),
                         _mm512_cvt_roundpd_epi32(high, _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC));
}
#endif

#endif
