/* SPDX-License-Identifier: MIT */
/*
 * Samples of any texels that can be decoded in vectors: texel after texel, in doubles, in the order of the definition. The
 * product of a texel and its weight is exact, so that it does not matter that it is added in the same operation.
 */
#include "engine/texture/vector_blocks.h"

#ifdef TEXTURE_HAS_VECTORS
#include "engine/surface/srgb.h"
#include "engine/texture/sample_lane.h"

/* What does not change from texel to texel. */
struct decoding {
    const struct vector_call *call;
    const struct texture_table *table;
    uintptr_t memory;
    unsigned misaligned, words;
    bool srgb, shadow;
    unsigned depth;        /* the component that is compared */
    const uint8_t *source; /* of x y z w */
    uint8_t live;          /* of R G B A: wanted */
    union texel border;    /* with the sources */
    __m512 reference[HALVES];
};

/* Sums of x y z w, for 8 lanes each. */
struct sums {
    __m512d value[4][2];
};

VECTOR __m512i number(uint32_t value) {
    return _mm512_set1_epi32((int32_t)value);
}

VECTOR __m512i one(void) {
    return _mm512_castps_si512(_mm512_set1_ps(1));
}

/* ---- components ---- */

/* A NaN keeps its bits. */
VECTOR __m512i half_float(__m512i bits) {
    const __m512i magnitude = _mm512_and_si512(bits, number(0x7fff));
    const __m512i value = _mm512_castps_si512(_mm512_cvtph_ps(_mm512_cvtepi32_epi16(bits)));
    const __m512i odd = _mm512_or_si512(
        _mm512_or_si512(_mm512_slli_epi32(_mm512_and_si512(bits, number(0x3ff)), 13), number(0x7f800000)),
        _mm512_slli_epi32(_mm512_and_si512(bits, number(0x8000)), 16));
    return _mm512_mask_mov_epi32(value, _mm512_cmpgt_epi32_mask(magnitude, number(0x7c00)), odd);
}

VECTOR __m512i extended(__m512i bits, unsigned count) {
    const __m128i by = _mm_cvtsi32_si128((int)(32 - count));
    return _mm512_sra_epi32(_mm512_sll_epi32(bits, by), by);
}

VECTOR __m512 normalised(const struct texture_component *component, __m512i bits) {
    const __m512 value = _mm512_cvtepi32_ps(bits);
    return _mm512_fmadd_ps(value, _mm512_set1_ps(component->upper),
                           _mm512_mul_ps(value, _mm512_set1_ps(component->lower)));
}

VECTOR __m512i component_of(const struct texture_component *component, __m512i word, bool curved) {
    __m512i bits = _mm512_srl_epi32(word, _mm_cvtsi32_si128(component->shift));
    if (component->bits < 32)
        bits = _mm512_and_si512(bits, number((1u << component->bits) - 1));
    if (curved)
        return _mm512_i32gather_epi32(bits, (const void *)srgb_table(), 4);
    switch (component->kind) {
    case TEXTURE_KIND_UNORM:
        return _mm512_castps_si512(normalised(component, bits));
    case TEXTURE_KIND_SNORM:
        return _mm512_castps_si512(
            _mm512_max_ps(normalised(component, extended(bits, component->bits)), _mm512_set1_ps(-1)));
    case TEXTURE_KIND_SINT:
        return extended(bits, component->bits);
    case TEXTURE_KIND_HALF:
        return half_float(bits);
    default:
        return bits;
    }
}

VECTOR void decode_fields(const struct decoding *decoding, __m512i offset, __m512i raw[4]) {
    const struct texture_table *table = decoding->table;
    __m512i word[4];
    for (unsigned i = 0; i < decoding->words; i++)
        word[i] = vector_words(decoding->memory + 4 * i, offset, table->bytes_shift, decoding->misaligned);
    for (unsigned i = 0; i < 4; i++) {
        const struct texture_component *component = &table->component[i];
        if (component->kind == TEXTURE_KIND_ZERO || !(decoding->live >> i & 1))
            raw[i] = number(0);
        else if (component->kind == TEXTURE_KIND_ONE || component->kind == TEXTURE_KIND_ONE_INT)
            raw[i] = component->kind == TEXTURE_KIND_ONE ? one() : number(1);
        else
            raw[i] = component_of(component, word[component->word], decoding->srgb && table->curved_fields >> i & 1);
    }
}

/* ---- texels ---- */

/* 1 where the comparison holds, else 0; less, equal and greater are bits of the function. */
VECTOR __m512i compared(const struct decoding *decoding, unsigned half, __m512i depth) {
    const uint8_t function = decoding->call->sampler->function;
    const __m512 reference = decoding->reference[half], value = _mm512_castsi512_ps(depth);
    __mmask16 holds = function == 7 ? ALL : 0;
    if (function & 1)
        holds |= _mm512_cmp_ps_mask(reference, value, _CMP_LT_OQ);
    if (function & 2)
        holds |= _mm512_cmp_ps_mask(reference, value, _CMP_EQ_OQ);
    if (function & 4)
        holds |= _mm512_cmp_ps_mask(reference, value, _CMP_GT_OQ);
    return _mm512_maskz_mov_epi32(holds, one());
}

VECTOR __m512i sourced(uint8_t source, const __m512i raw[4]) {
    switch (source & 7) {
    case TEXTURE_R:
    case TEXTURE_G:
    case TEXTURE_B:
    case TEXTURE_A:
        return raw[(source & 7) - TEXTURE_R];
    case TEXTURE_ONE_INT:
        return number(1);
    case TEXTURE_ONE_FLOAT:
        return one();
    default:
        return number(0);
    }
}

VECTOR void decode(const struct decoding *decoding, const struct vector_taps *taps, unsigned half, unsigned which,
                   __m512i out[4]) {
    const __mmask16 outside = taps->outside[which];
    __m512i raw[4];
    if (decoding->table->blocks) {
        const __m512i x = _mm512_and_si512(taps->at[0][which & 1], number(3));
        const __m512i y = _mm512_and_si512(taps->at[1][which >> 1 & 1], number(3));
        vector_block(decoding->table->blocks, decoding->memory, taps->offset[which],
                     _mm512_add_epi32(_mm512_slli_epi32(y, 2), x), raw);
    } else {
        decode_fields(decoding, taps->offset[which], raw);
    }
    if (decoding->shadow) {
        const unsigned depth = decoding->depth;
        const __m512i from = _mm512_mask_mov_epi32(raw[depth], outside, number(decoding->border.u[depth]));
        raw[0] = raw[1] = raw[2] = number(0);
        raw[3] = one();
        raw[depth] = compared(decoding, half, from);
    }
    for (unsigned c = 0; c < 4; c++) {
        out[c] = sourced(decoding->source[c], raw);
        if (outside && !decoding->shadow)
            out[c] = _mm512_mask_mov_epi32(out[c], outside, number(decoding->border.u[c]));
    }
}

/* ---- sums ---- */

VECTOR __m512d halves_of(__m512i value, unsigned upper) {
    return _mm512_cvtps_pd(_mm256_castsi256_ps(upper ? vector_upper(value) : _mm512_castsi512_si256(value)));
}

VECTOR __m512d parts_of(__m512i weight, unsigned upper) {
    return _mm512_mul_pd(_mm512_cvtepi32_pd(upper ? vector_upper(weight) : _mm512_castsi512_si256(weight)),
                         _mm512_set1_pd(1 / 256.0));
}

/* Of the level, and of each texel: products in the order of the axes. All of them are exact. */
VECTOR void weights_of(const struct vector_taps *taps, unsigned axes, __m512i level, __m512d part[8][2]) {
    const __m512i whole = number(256);
    for (unsigned upper = 0; upper < 2; upper++) {
        part[0][upper] = parts_of(level, upper);
        for (unsigned axis = 0, count = 1; axis < axes; axis++, count *= 2) {
            const __m512d second = parts_of(taps->weight[axis], upper);
            const __m512d first = parts_of(_mm512_sub_epi32(whole, taps->weight[axis]), upper);
            for (unsigned i = 0; i < count; i++) {
                part[count + i][upper] = _mm512_mul_pd(part[i][upper], second);
                part[i][upper] = _mm512_mul_pd(part[i][upper], first);
            }
        }
    }
}

VECTOR void add(struct sums *sums, const __m512i texel[4], const __m512d part[2]) {
    for (unsigned upper = 0; upper < 2; upper++) {
        const __mmask8 counts = _mm512_cmp_pd_mask(part[upper], _mm512_setzero_pd(), _CMP_NEQ_OQ);
        for (unsigned c = 0; c < 4; c++)
            sums->value[c][upper] = _mm512_mask_add_pd(sums->value[c][upper], counts, sums->value[c][upper],
                                                       _mm512_mul_pd(halves_of(texel[c], upper), part[upper]));
    }
}

VECTOR void add_level(const struct decoding *decoding, const struct vector_taps *taps, unsigned half, unsigned axes,
                      __m512i level, struct sums *sums, __m512i first[4]) {
    __m512d part[8][2];
    weights_of(taps, axes, level, part);
    for (unsigned which = 0; which < 1u << axes; which++) {
        __m512i texel[4];
        decode(decoding, taps, half, which, texel);
        add(sums, texel, part[which]);
        for (unsigned c = 0; c < 4 && which == 0; c++)
            first[c] = texel[c];
    }
}

VECTOR __m512i rounded(const __m512d value[2]) {
    return vector_joined(_mm256_castps_si256(_mm512_cvtpd_ps(value[0])),
                         _mm256_castps_si256(_mm512_cvtpd_ps(value[1])));
}

VECTOR void half_of(const struct decoding *decoding, const struct vector_taps taps[2][HALVES], unsigned half,
                    texture_row out[4]) {
    const struct vector_call *call = decoding->call;
    const uint32_t summed = call->linear | call->mixed;
    const __mmask16 lanes = vector_half(call->lanes, half), sum = vector_half(summed, half);
    const unsigned axes = call->count == 1 ? 0 : call->axes;
    __m512i first[4], unused[4];
    struct sums sums;
    if (!summed) {
        decode(decoding, &taps[0][half], half, 0, first);
    } else {
        const __m512i second = call->mixed ? call->weight[half] : number(0);
        for (unsigned c = 0; c < 4; c++)
            sums.value[c][0] = sums.value[c][1] = _mm512_setzero_pd();
        add_level(decoding, &taps[0][half], half, axes, _mm512_sub_epi32(number(256), second), &sums, first);
        if (call->mixed)
            add_level(decoding, &taps[1][half], half, axes, second, &sums, unused);
        for (unsigned c = 0; c < 4; c++)
            first[c] = _mm512_mask_mov_epi32(first[c], sum, rounded(sums.value[c]));
    }
    for (unsigned c = 0; c < 4; c++)
        _mm512_mask_storeu_epi32(out[c] + half * HALF, lanes, first[c]);
}

/* ---- all of it ---- */

/* Depth of fixed point has no more than 0 to 1 to be compared with; NaN is 0 then. */
VECTOR void take_references(struct decoding *decoding) {
    const struct vector_call *call = decoding->call;
    const __m512 zero = _mm512_setzero_ps();
    for (unsigned half = 0; half < HALVES; half++) {
        __m512 value = _mm512_castsi512_ps(vector_row(call->request->reference, half));
        if (call->view->type[decoding->depth] != TEXTURE_FLOAT)
            value = _mm512_min_ps(_mm512_max_ps(value, zero), _mm512_set1_ps(1));
        decoding->reference[half] = value;
    }
}

static uint8_t live_components(const struct vector_call *call, unsigned depth) {
    uint8_t live = 0;
    for (unsigned c = 0; c < 4; c++) {
        const unsigned source = call->view->source[c] & 7;
        live |= source >= TEXTURE_R && source <= TEXTURE_A ? (uint8_t)(1u << (source - TEXTURE_R)) : 0;
    }
    return call->request->shadow ? (uint8_t)(1u << depth) : live;
}

TEXTURE_512 void vector_values(const struct vector_call *call, uintptr_t memory,
                               const struct vector_taps taps[2][HALVES], texture_row out[4]) {
    struct decoding decoding = {.call = call,
                                .table = call->table,
                                .memory = memory,
                                .misaligned = (unsigned)call->view->address & 3,
                                .words = call->table->bytes_shift < 2 ? 1 : 1u << (call->table->bytes_shift - 2),
                                .srgb = call->view->srgb && call->sampler->srgb,
                                .shadow = call->request->shadow,
                                .depth = texel_depth(call->view),
                                .source = call->view->source};
    decoding.live = live_components(call, decoding.depth);
    if (call->outside) {
        struct texel_reader reader = {.view = call->view, .sampler = call->sampler};
        border_of(&(struct lane){.reader = &reader, .request = call->request}, &decoding.border);
    }
    if (decoding.shadow)
        take_references(&decoding);
    for (unsigned half = 0; half < HALVES; half++)
        half_of(&decoding, taps, half, out);
}
#endif
