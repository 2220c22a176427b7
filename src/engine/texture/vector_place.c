/* SPDX-License-Identifier: MIT */
/* Coordinates and levels of half a row to the offsets and weights of texels: wrap.c, and layout_offset() of the surfaces. */
#include "engine/texture/vector.h"

#ifdef TEXTURE_HAS_VECTORS
#include "engine/texture/texel.h"

#define NEAR (1 << 22) /* texels: so far, coordinates in 1/256 fit into 32 bits, and are exact as floats */

/* Two texels on an axis. */
struct neighbours {
    __m512i at[2], weight;
    __mmask16 outside[2];
};

VECTOR __m512i number(uint32_t value) {
    return _mm512_set1_epi32((int32_t)value);
}

/* ---- coordinates ---- */

/* GL's clamp cuts the coordinate off first. */
VECTOR bool is_clamped(unsigned wrap) {
    return wrap == TEXEL_CLAMP_GL || wrap == TEXEL_MIRROR_ONCE_GL;
}

VECTOR __m512d scaled(const struct vector_call *call, unsigned axis, __m512d at, __m256i size, __m256i offset) {
    if (call->view->normalized && !call->sampler->unnormalized)
        at = _mm512_mul_pd(at, _mm512_cvtepi32_pd(size));
    if (call->request->offset[axis])
        at = _mm512_add_pd(at, _mm512_cvtepi32_pd(offset));
    if (is_clamped(call->sampler->wrap[axis])) { /* NaN is 0 */
        at = call->sampler->wrap[axis] == TEXEL_MIRROR_ONCE_GL ? _mm512_abs_pd(at) : at;
        at = _mm512_min_pd(_mm512_max_pd(at, _mm512_setzero_pd()), _mm512_cvtepi32_pd(size));
    }
    return at;
}

/* Coordinates in 1/256 from the middle of the first texel: floor(256 at + 1/2) - 128, or texels for the nearest. */
VECTOR __m512i linear_of(const __m512d at[2]) {
    const __m512d by = _mm512_set1_pd(256), plus = _mm512_set1_pd(0.5);
    return _mm512_sub_epi32(vector_floor(_mm512_fmadd_pd(at[0], by, plus), _mm512_fmadd_pd(at[1], by, plus)),
                            number(128));
}

VECTOR bool are_near(__m512i value, uint32_t limit) {
    return _mm512_cmplt_epu32_mask(_mm512_add_epi32(value, number(limit)), number(2 * limit)) == ALL;
}

/* False: one is far away, or no number. */
VECTOR bool find_neighbours(const struct vector_call *call, unsigned axis, unsigned half, __m512i size,
                            __mmask16 linear, struct neighbours *out) {
    const __m512i offset = vector_row(call->request->offset[axis], half);
    const __m512d at[2] = {
        scaled(call, axis, call->at[axis][2 * half], _mm512_castsi512_si256(size), _mm512_castsi512_si256(offset)),
        scaled(call, axis, call->at[axis][2 * half + 1], vector_upper(size), vector_upper(offset))};
    __m512i fixed = _mm512_setzero_si512();
    if (linear) {
        fixed = linear_of(at);
        if (!are_near(fixed, 256u * NEAR))
            return false;
    }
    if (linear != ALL) {
        const __m512i nearest = vector_floor(at[0], at[1]);
        if (!are_near(nearest, NEAR))
            return false;
        fixed = _mm512_mask_slli_epi32(fixed, (__mmask16)~linear, nearest, 8);
    }
    out->weight = _mm512_and_si512(fixed, number(255));
    out->at[0] = _mm512_srai_epi32(fixed, 8);
    out->at[1] = _mm512_add_epi32(out->at[0], number(1));
    return true;
}

/* ---- wraps ---- */

/* The rest of a division of a number within +-2^22; the quotient by floats is wrong by one at most. */
VECTOR __m512i modulo(__m512i value, __m512i by) {
    const __m512 quotient = _mm512_div_ps(_mm512_cvtepi32_ps(value), _mm512_cvtepi32_ps(by));
    const __m512i whole = _mm512_cvt_roundps_epi32(quotient, _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC);
    __m512i rest = _mm512_sub_epi32(value, _mm512_mullo_epi32(whole, by));
    rest = _mm512_mask_add_epi32(rest, _mm512_movepi32_mask(rest), rest, by);
    return _mm512_mask_sub_epi32(rest, _mm512_cmpge_epi32_mask(rest, by), rest, by);
}

VECTOR __m512i wrapped(__m512i at, __m512i size, bool power) {
    return power ? _mm512_and_si512(at, _mm512_sub_epi32(size, number(1))) : modulo(at, size);
}

VECTOR __m512i mirrored(__m512i at, __m512i size) {
    const __m512i twice = _mm512_add_epi32(size, size), place = modulo(at, twice);
    return _mm512_min_epi32(place, _mm512_sub_epi32(_mm512_sub_epi32(twice, number(1)), place));
}

VECTOR __m512i at_edge(__m512i at, __m512i size) {
    return _mm512_min_epi32(_mm512_max_epi32(at, number(0)), _mm512_sub_epi32(size, number(1)));
}

VECTOR __m512i mirrored_once(__m512i at) {
    return _mm512_xor_si512(at, _mm512_srai_epi32(at, 31));
}

/* What is outside is at 0. */
VECTOR __m512i bordered(__m512i at, __m512i size, __mmask16 *outside) {
    const __mmask16 inside = _mm512_cmplt_epu32_mask(at, size);
    *outside = (__mmask16)~inside;
    return _mm512_maskz_mov_epi32(inside, at);
}

VECTOR __m512i wrap(unsigned mode, __m512i at, __m512i size, bool power, __mmask16 linear, __mmask16 *outside) {
    *outside = 0;
    switch (mode) {
    case TEXEL_WRAP:
        return wrapped(at, size, power);
    case TEXEL_MIRROR:
        return mirrored(at, size);
    case TEXEL_EDGE:
        return at_edge(at, size);
    case TEXEL_MIRROR_ONCE_EDGE:
        return at_edge(mirrored_once(at), size);
    case TEXEL_MIRROR_ONCE_BORDER:
        return bordered(mirrored_once(at), size, outside);
    case TEXEL_BORDER:
        return bordered(at, size, outside);
    default: /* of the nearest texel, the end of the last one belongs to it */
        return bordered(_mm512_mask_mov_epi32(at_edge(at, size), linear, at), size, outside);
    }
}

/* ---- offsets ---- */

VECTOR __m512i shifted(__m512i value, unsigned by) {
    return _mm512_srl_epi32(value, _mm_cvtsi32_si128((int)by));
}

VECTOR __m512i across(const struct texture_table *table, __m512i level, __m512i x) {
    if (table->across_shift)
        x = shifted(x, table->across_shift);
    const __m512i bytes = _mm512_sll_epi32(x, _mm_cvtsi32_si128(table->bytes_shift));
    const __m512i near = vector_of_level(table->near_x, _mm512_srli_epi32(bytes, 2));
    const __m512i columns = _mm512_mullo_epi32(_mm512_srli_epi32(bytes, 6), vector_of_level(table->column, level));
    const __m512i offset = _mm512_add_epi32(near, columns);
    return table->bytes_shift < 2 ? _mm512_add_epi32(offset, _mm512_and_si512(bytes, number(3))) : offset;
}

VECTOR __m512i down(const struct texture_table *table, __m512i level, __m512i y) {
    if (table->down_shift)
        y = shifted(y, table->down_shift);
    const __m512i blocks = _mm512_srlv_epi32(y, vector_of_level(table->lines_shift, level));
    const __m512i near = vector_of_level(table->near_y, y);
    return _mm512_add_epi32(_mm512_add_epi32(near, _mm512_slli_epi32(y, 6)),
                            _mm512_mullo_epi32(blocks, vector_of_level(table->lines, level)));
}

VECTOR __m512i deep(const struct texture_table *table, __m512i level, __m512i z) {
    const __m512i blocks = _mm512_srlv_epi32(z, vector_of_level(table->slices_shift, level));
    return _mm512_add_epi32(_mm512_mullo_epi32(z, vector_of_level(table->slice, level)),
                            _mm512_mullo_epi32(blocks, vector_of_level(table->slices, level)));
}

VECTOR __m512i offset_of(const struct texture_table *table, unsigned axis, __m512i level, __m512i at) {
    return axis == 0 ? across(table, level, at) : axis == 1 ? down(table, level, at) : deep(table, level, at);
}

/* ---- all of it ---- */

/* What is read: of each axis, texels without a weight are not. */
VECTOR uint32_t texels_of(const struct vector_taps *taps, unsigned axes, __mmask16 lanes) {
    uint32_t texels = 0;
    for (unsigned which = 0; which < 1u << axes; which++) {
        __mmask16 read = lanes;
        read &= (__mmask16)~taps->outside[which];
        for (unsigned axis = 0; axis < axes; axis++)
            if (which >> axis & 1)
                read &= _mm512_test_epi32_mask(taps->weight[axis], taps->weight[axis]);
        texels += (uint32_t)__builtin_popcount(read);
    }
    return texels;
}

VECTOR bool place_half(struct vector_call *call, unsigned which, unsigned half, unsigned axes, __mmask16 linear,
                       unsigned each, struct vector_taps *taps) {
    const struct texture_table *table = call->table;
    const __m512i level = call->level[which][half];
    taps->outside[0] = 0;
    if (axes < 2)
        taps->at[1][0] = taps->at[1][1] = number(0);
    taps->offset[0] = _mm512_add_epi32(call->base[half], vector_of_level(table->offset, level));
#pragma GCC unroll 3
    for (unsigned axis = 0, count = 1; axis < axes; axis++, count *= each) {
        const __m512i size = vector_of_level(table->size[axis], level);
        struct neighbours two;
        if (!find_neighbours(call, axis, half, size, linear, &two))
            return false;
        taps->weight[axis] = two.weight;
#pragma GCC unroll 2
        for (unsigned k = each; k-- > 0;) {
            const __m512i at =
                wrap(call->sampler->wrap[axis], two.at[k], size, table->powers >> axis & 1, linear, &two.outside[k]);
            const __m512i add = offset_of(table, axis, level, at);
            if (axis < 2)
                taps->at[axis][k] = at;
            for (unsigned i = 0; i < count; i++) {
                taps->offset[k * count + i] = _mm512_add_epi32(taps->offset[i], add);
                taps->outside[k * count + i] = taps->outside[i] | two.outside[k];
            }
        }
    }
    for (unsigned i = 0; i < (each == 2 ? 1u << axes : 1); i++)
        call->outside |= taps->outside[i];
    return true;
}

VECTOR bool place_axes(struct vector_call *call, unsigned which, unsigned axes, struct vector_taps taps[HALVES]) {
    const uint32_t asked = which ? call->mixed : call->lanes;
    const uint32_t linear = call->linear == call->lanes ? UINT32_MAX : call->linear;
    call->count = linear ? 1u << axes : 1;
    for (unsigned half = 0; half < HALVES; half++) {
        if (!place_half(call, which, half, axes, vector_half(linear, half), linear ? 2 : 1, &taps[half]))
            return false;
        call->read += call->table->weight * texels_of(&taps[half], linear ? axes : 0, vector_half(asked, half));
    }
    return true;
}

TEXTURE_512 void vector_range(const struct vector_call *call, const struct vector_taps taps[2][HALVES], uint32_t *least,
                              uint32_t *most) {
    __m512i low = number(UINT32_MAX), high = number(0);
    for (unsigned i = 0; i < (call->mixed ? 2 : 1) * HALVES * call->count; i++) {
        const __m512i offset = taps[i / call->count / HALVES][i / call->count % HALVES].offset[i % call->count];
        low = _mm512_min_epu32(low, offset);
        high = _mm512_max_epu32(high, offset);
    }
    *least = _mm512_reduce_min_epu32(low);
    *most = _mm512_reduce_max_epu32(high);
}

TEXTURE_512 bool vector_places(struct vector_call *call, unsigned which, struct vector_taps taps[HALVES]) {
    switch (call->axes) {
    case 1:
        return place_axes(call, which, 1, taps);
    case 2:
        return place_axes(call, which, 2, taps);
    default:
        return place_axes(call, which, 3, taps);
    }
}
#endif
