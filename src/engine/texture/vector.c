/* SPDX-License-Identifier: MIT */
#include "engine/texture/vector.h"

#ifdef TEXTURE_HAS_VECTORS
#include "engine/texture/sample_lane.h"

static bool has_probes(const struct texture_sampler *sampler, const struct texture_request *request) {
    return sampler->anisotropy > 1 && sampler->min_linear && request->lod == TEXTURE_LOD_AUTO &&
           request->has_derivatives;
}

static bool is_possible(const struct texture_view *view, const struct texture_sampler *sampler,
                        const struct texture_request *request) {
    const struct texture_table *table = &view->table;
    if (!table->possible || !(table->bytes || table->fields || table->blocks) || request->operation != TEXTURE_SAMPLE ||
        sampler->reduction || is_cube(view))
        return false;
    if (view->srgb && sampler->srgb && (table->blocks || request->shadow))
        return false;
    return request->lod != TEXTURE_LOD_BIAS && request->lod != TEXTURE_LOD_GRADIENT && !has_probes(sampler, request);
}

/* Whether sums of integers do. */
VECTOR bool are_bytes(const struct vector_call *call) {
    const struct texture_table *table = call->table;
    return table->bytes && call->axes == 2 && !call->request->shadow && !call->outside &&
           !(table->curved && call->sampler->srgb);
}

VECTOR void take_coordinates(struct vector_call *call, unsigned axis) {
    const uint32_t *row = call->request->coordinate[axis];
    for (unsigned half = 0; half < HALVES; half++) {
        __m512i bits = vector_row(row, half);
        if (call->lanes != UINT32_MAX)
            bits = _mm512_mask_mov_epi32(_mm512_set1_epi32(row ? (int32_t)row[call->first] : 0),
                                         vector_half(call->lanes, half), bits);
        const __m512 at = _mm512_castsi512_ps(bits);
        call->at[axis][2 * half] = _mm512_cvtps_pd(_mm512_castps512_ps256(at));
        call->at[axis][2 * half + 1] = _mm512_cvtps_pd(_mm512_extractf32x8_ps(at, 1));
    }
}

/* Layers beyond the last are the last, as in sample.c. */
VECTOR void take_layers(struct vector_call *call) {
    const struct texture_view *view = call->view;
    const uint32_t *row = call->request->layer;
    const __m512i last = _mm512_set1_epi32((int32_t)(view->layers ? view->layers - 1 : 0));
    const __m512i bytes = _mm512_set1_epi32((int32_t)view->layer_bytes);
    for (unsigned half = 0; half < HALVES; half++) {
        const __m512i wanted = _mm512_and_si512(vector_row(row, half), _mm512_set1_epi32(0xffff));
        __m512i offset = _mm512_mullo_epi32(_mm512_min_epu32(wanted, last), bytes);
        if (call->lanes != UINT32_MAX && row) {
            const uint32_t one = row[call->first] & 0xffff;
            const uint32_t layer = one < view->layers ? one : view->layers - 1;
            offset = _mm512_mask_mov_epi32(_mm512_set1_epi32((int32_t)(layer * (uint32_t)view->layer_bytes)),
                                           vector_half(call->lanes, half), offset);
        }
        call->base[half] = offset;
    }
}

/* All lanes at the first level. */
VECTOR void stay(struct vector_call *call) {
    for (unsigned half = 0; half < HALVES; half++) {
        call->level[0][half] = _mm512_set1_epi32((int32_t)call->view->first_level);
        call->weight[half] = _mm512_setzero_si512();
    }
    call->linear = call->sampler->mag_linear ? call->lanes : 0;
    call->mixed = 0;
}

/* Where offset 0 would be. Small texels are read with the whole word in which they are. 0: it is not in one piece. */
static uintptr_t memory_from(const struct texture_memory *memory, const struct vector_call *call, uint64_t first,
                             uint64_t bytes) {
    const uint64_t address = call->view->address, end = (address + first + bytes + 3) & ~UINT64_C(3);
    const uint64_t begin = (address + first) & ~UINT64_C(3);
    const uint8_t *at = memory->whole(memory->opaque, begin, end - begin);
    return at ? (uintptr_t)at + (uintptr_t)(address - begin) : 0;
}

/* All of the texture, if it may be had; else the texels that are read. */
static uintptr_t memory_of(const struct texture_memory *memory, const struct vector_call *call,
                           const struct vector_taps taps[2][HALVES]) {
    const uintptr_t all = memory_from(memory, call, 0, call->view->layer_bytes * call->view->layers);
    uint32_t least, most;
    if (all)
        return all;
    vector_range(call, taps, &least, &most);
    return memory_from(memory, call, least, (uint64_t)most - least + (1u << call->table->bytes_shift));
}

TEXTURE_512 static bool sample(struct vector_call *call, const struct texture_memory *memory, bool level_matters,
                               texture_row out[4], uint32_t *again) {
    struct vector_taps taps[2][HALVES];
    for (unsigned axis = 0; axis < call->axes; axis++)
        take_coordinates(call, axis);
    take_layers(call);
    if (!level_matters)
        stay(call);
    else if (!vector_levels(call))
        return false;
    if (call->view->integers)
        call->linear = call->mixed = 0;
    if (!vector_places(call, 0, taps[0]) || (call->mixed && !vector_places(call, 1, taps[1])))
        return false;
    const uintptr_t from = memory_of(memory, call, taps);
    if (!from)
        return false;
    *again = 0;
    if (are_bytes(call))
        *again = vector_bytes(call, from, taps, out);
    else
        vector_values(call, from, taps, out);
    return true;
}

bool vector_sample(const struct texture_memory *memory, const struct texture_view *view,
                   const struct texture_sampler *sampler, const struct texture_request *request, bool level_matters,
                   uint32_t lanes, texture_row out[4], uint64_t *read, uint32_t *again) {
    if (!lanes || !memory->whole || !texture_has_512() || !is_possible(view, sampler, request))
        return false;
    struct vector_call call;
    call.view = view;
    call.table = &view->table;
    call.sampler = sampler;
    call.request = request;
    call.lanes = lanes;
    call.first = (unsigned)__builtin_ctz(lanes);
    call.axes = axes_of(view);
    call.outside = false;
    call.read = 0;
    if (!sample(&call, memory, level_matters, out, again))
        return false;
    *read = call.read;
    return true;
}
#else
bool vector_sample(const struct texture_memory *memory, const struct texture_view *view,
                   const struct texture_sampler *sampler, const struct texture_request *request, bool level_matters,
                   uint32_t lanes, texture_row out[4], uint64_t *read, uint32_t *again) {
    (void)memory, (void)view, (void)sampler, (void)request, (void)level_matters;
    (void)lanes, (void)out, (void)read, (void)again;
    return false;
}
#endif
