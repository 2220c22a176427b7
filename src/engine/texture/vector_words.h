/* SPDX-License-Identifier: MIT */
/* Words of texels, at offsets of lanes. */
#ifndef PFIFO_SRC_ENGINE_TEXTURE_VECTOR_WORDS_H
#define PFIFO_SRC_ENGINE_TEXTURE_VECTOR_WORDS_H

#include "engine/texture/vector.h"

#ifdef TEXTURE_HAS_VECTORS
#include "memory/memory.h"

/* Loads and insertions, which are no slower than a gather, and on some processors much faster. */
VECTOR __m128i four_words(uintptr_t memory, const uint32_t offset[4]) {
    __m128i words = _mm_loadu_si32((const void *)(memory + offset[0]));
    words = _mm_insert_epi32(words, (int32_t)load_le32((const void *)(memory + offset[1])), 1);
    words = _mm_insert_epi32(words, (int32_t)load_le32((const void *)(memory + offset[2])), 2);
    return _mm_insert_epi32(words, (int32_t)load_le32((const void *)(memory + offset[3])), 3);
}

VECTOR __m512i words_at(uintptr_t memory, __m512i offset) {
    uint32_t at[HALF] __attribute__((aligned(64)));
    _mm512_store_si512(at, offset);
    const __m256i low = _mm256_set_m128i(four_words(memory, at + 4), four_words(memory, at));
    return vector_joined(low, _mm256_set_m128i(four_words(memory, at + 12), four_words(memory, at + 8)));
}

/* Of less than four bytes: of a word that is aligned in memory of the guest, so that nothing beyond its page is read. */
VECTOR __m512i vector_words(uintptr_t memory, __m512i offset, unsigned bytes_shift, unsigned misaligned) {
    if (bytes_shift >= 2)
        return words_at(memory, offset);
    offset = _mm512_add_epi32(offset, _mm512_set1_epi32((int32_t)misaligned));
    const __m512i word = words_at(memory - misaligned, _mm512_andnot_si512(_mm512_set1_epi32(3), offset));
    return _mm512_srlv_epi32(word, _mm512_slli_epi32(_mm512_and_si512(offset, _mm512_set1_epi32(3)), 3));
}
#endif

#endif
