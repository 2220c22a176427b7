/* SPDX-License-Identifier: MIT */
/*
 * Colour targets of one sample in elements of four bytes, each a component of UNORM: most of them. As pixels_color.c has
 * it, with loops over all lanes that the compiler turns into vector code, once for all processors and once for those with
 * AVX2. The results are the same.
 */
#include "engine/draw/pixels_bytes8.h"

#include <assert.h>

#include "engine/draw/pixels_blend.h"
#include "engine/draw/pixels_vector.h"
#include "engine/texture/wide.h"

#define INLINE static inline __attribute__((always_inline))

/* ---- to memory ---- */

/* To 0 .. 1, as blend_clamp() has it. */
INLINE float clamped(float value) {
    value = value > 0 ? value : 0;
    return value < 1 ? value : 1;
}

/*
 * To 0 .. 255. Fused: without doubles. The sum is rounded once, so its integer is right or, where it was rounded up to the
 * next one, one too large; then what it is too large by is negative.
 */
INLINE uint32_t converted(float value, bool fused) {
    value = clamped(value);
    if (!fused)
        return (uint32_t)(int32_t)((double)value * 255 + 0.5);
    int32_t nearest = (int32_t)__builtin_fmaf(value, 255, 0.5f);
    float rest = __builtin_fmaf(value, 255, 0.5f - (float)nearest);
    return (uint32_t)(nearest - (rest < 0 ? 1 : 0));
}

/* As pack_bytes8() does it, from what the program made. */
INLINE void pack_rows(const struct format *format, const void *rows, uint32_t words[DRAW_LANES], bool fused) {
    const float_of_bits *row[4];
    uint32_t shift[4], keep[4];
    for (unsigned c = 0; c < 4; c++) {
        row[c] = (const float_of_bits *)rows + (size_t)c * DRAW_LANES;
        shift[c] = format->component[c].shift;
        keep[c] = format->component[c].bits ? 0xff : 0;
    }
    for (unsigned lane = 0; lane < DRAW_LANES; lane++)
        words[lane] = (converted(row[0][lane], fused) & keep[0]) << shift[0] |
                      (converted(row[1][lane], fused) & keep[1]) << shift[1] |
                      (converted(row[2][lane], fused) & keep[2]) << shift[2] |
                      (converted(row[3][lane], fused) & keep[3]) << shift[3];
}

TEXTURE_FUSED static void pack_fused(const struct format *format, const void *rows, uint32_t words[DRAW_LANES]) {
    pack_rows(format, rows, words, true);
}

void bytes8_pack(const struct format *format, const void *rows, uint32_t words[DRAW_LANES]) {
    if (texture_has_fused())
        pack_fused(format, rows, words);
    else
        pack_rows(format, rows, words, false);
}

/* ---- stripes ---- */

/* Where each four lanes of a line are. */
struct stripe {
    uint8_t *upper[4], *lower[4];
};

INLINE void load_stripe(const struct stripe *stripe, uint32_t words[DRAW_LANES]) {
    for (unsigned i = 0; i < 8; i++)
        for (unsigned k = 0; k < 2; k++) {
            words[4 * i + k] = (uint32_t)pixel_load(stripe->upper[i / 2] + 8 * (i & 1) + 4 * (size_t)k, 4);
            words[4 * i + k + 2] = (uint32_t)pixel_load(stripe->lower[i / 2] + 8 * (i & 1) + 4 * (size_t)k, 4);
        }
}

INLINE void store_stripe(const struct stripe *stripe, const uint32_t words[DRAW_LANES]) {
    for (unsigned i = 0; i < 8; i++)
        for (unsigned k = 0; k < 2; k++) {
            pixel_store(stripe->upper[i / 2] + 8 * (i & 1) + 4 * (size_t)k, words[4 * i + k], 4);
            pixel_store(stripe->lower[i / 2] + 8 * (i & 1) + 4 * (size_t)k, words[4 * i + k + 2], 4);
        }
}

/* ---- blending ---- */

INLINE void clamp_row(float *row, const draw_row from) {
    const float_of_bits *value = (const void *)from;
    for (unsigned lane = 0; lane < DRAW_LANES; lane++)
        row[lane] = clamped(value[lane]);
}

INLINE void blend_rows(const struct pixel_target *target, const struct draw_fragments *f, const uint32_t *stored,
                       blend_row result[4]) {
    const struct format *format = target->target->format;
    struct blend_rows rows;
    for (unsigned c = 0; c < 4; c++) {
        unsigned shift = format->component[c].shift;
        clamp_row(rows.source[c], f->output[target->output][c]);
        clamp_row(rows.second[c], f->output[1][c]);
        rows.constant[c] = clamped(f->state->blend.color[c]);
        for (unsigned lane = 0; lane < DRAW_LANES; lane++)
            rows.target[c][lane] = (float)(int32_t)(stored[lane] >> shift & 0xff) / 255.0f;
        for (unsigned lane = 0; lane < DRAW_LANES && !format->component[c].bits; lane++)
            rows.target[c][lane] = 1;
    }
    for (unsigned c = 0; c < 4; c++)
        blend_component_row(&rows, &target->key.blend, c, false, result[c]);
}

TEXTURE_WIDE static void blend_wide(const struct pixel_target *target, const struct draw_fragments *f,
                                    const uint32_t *stored, blend_row result[4]) {
    blend_rows(target, f, stored, result);
}

static void blend(const struct pixel_target *target, const struct draw_fragments *f, const uint32_t *stored,
                  uint32_t words[DRAW_LANES]) {
    blend_row result[4];
    assert(target->clamps && target->low == 0 && !target->zero_rule);
    if (texture_has_wide())
        blend_wide(target, f, stored, result);
    else
        blend_rows(target, f, stored, result);
    bytes8_pack(target->target->format, result, words);
}

/* False: it has no vector code. */
static bool stripe_by_vector(const struct draw_raster *raster, const struct pixel_target *target, uint32_t live) {
    const struct draw_fragments *f = &raster->batch->fragments;
    uint8_t *half[2];
    if (!raster->vector || (target->blends && !target->factored) ||
        !pixel_halves(&target->access, f->x[0], f->y[0], half))
        return false;
    if (target->blends)
        raster->vector->blend(target, f->output[target->output], f->output[1], half, live);
    else
        raster->vector->store(target, f->output[target->output], half, live);
    return true;
}

bool bytes8_stripe(struct draw_raster *raster, struct pixel_target *target, uint32_t live) {
    const struct draw_fragments *f = &raster->batch->fragments;
    uint32_t words[DRAW_LANES] __attribute__((aligned(64))), stored[DRAW_LANES];
    struct stripe stripe;
    assert(f->is_stripe && target->one_word);
    if (!live)
        return true;
    pixel_bring(&target->access, f->x[0], f->y[0]);
    if (stripe_by_vector(raster, target, live))
        return true;
    if (live != UINT32_MAX || !pixel_word_stripe(&target->access, f->x[0], f->y[0], stripe.upper, stripe.lower))
        return false;
    if (target->reads)
        load_stripe(&stripe, stored);
    if (target->blends)
        blend(target, f, stored, words);
    else
        bytes8_pack(target->target->format, f->output[target->output], words);
    for (unsigned lane = 0; lane < DRAW_LANES && target->reads; lane++)
        words[lane] = (stored[lane] & ~(uint32_t)target->bits[0]) | (words[lane] & (uint32_t)target->bits[0]);
    store_stripe(&stripe, words);
    return true;
}
