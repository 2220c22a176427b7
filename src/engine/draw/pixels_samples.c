/* SPDX-License-Identifier: MIT */
/*
 * Stripes of pixels that have several samples: as pixels_stripe.c has those of one, where the host has vector code. The
 * program runs once for a pixel; depth and colours are those of each sample, whose elements lie side by side in memory.
 */
#include "engine/draw/pixels_vector.h"
#include "engine/draw/raster.h"

#include <assert.h>

/* Is every sample drawn that is covered? */
static bool keeps_all(const struct draw_raster_state *state) {
    unsigned all = (1u << state->samples.count) - 1, kept = all;
    for (unsigned i = 0; i < 4; i++)
        kept &= state->sample_mask[i];
    return kept == all;
}

void pixels_samples_begin(struct draw_raster *raster) {
    const struct draw_state *state = raster->state;
    raster->sampled = raster->vector && raster->direct && state->raster.samples.count > 1 &&
                      !state->raster.independent && state->stages.program.passes <= 1 && keeps_all(&state->raster);
}

/* ---- parts ---- */

/* The element of a stripe at (x, y), which is number `i` of the part. */
static void place_element(const struct draw_raster *raster, struct pixel_part *part, unsigned i, unsigned x,
                          unsigned y) {
    const struct draw_samples *samples = &raster->positions.samples;
    unsigned column = x >> samples->log2_x, line = y >> samples->log2_y;
    unsigned in_x = x & ((1u << samples->log2_x) - 1), in_y = y & ((1u << samples->log2_y) - 1), s = 0;
    while (s + 1 < samples->count && (samples->element_x[s] != in_x || samples->element_y[s] != in_y))
        s++;
    part->lane[i] = 4 * (column / 2) + 2 * line + (column & 1);
    part->bit[i] = 1u << s;
    part->x[i] = column + (double)raster->depth_x[s] / RASTER_UNIT;
    part->y[i] = line + (double)raster->depth_y[s] / RASTER_UNIT;
}

void pixels_samples_places(struct draw_raster *raster) {
    const struct draw_samples *samples = &raster->positions.samples;
    struct pixel_parts *parts = &raster->parts;
    parts->columns = 1u << samples->log2_x;
    parts->pairs = 1u << samples->log2_y;
    parts->count = 2 * parts->columns * parts->pairs;
    assert(parts->count <= PIXEL_PARTS);
    for (unsigned p = 0; p < parts->count; p++) {
        unsigned x = p / (2 * parts->pairs) * RASTER_TILE + 8 * (p & 1), y = 2 * (p / 2 % parts->pairs);
        for (unsigned i = 0; i < 16; i++)
            place_element(raster, &parts->part[p], i, x + 2 * (i / 4) + (i & 1), y + (i >> 1 & 1));
    }
}

/* ---- a stripe ---- */

static uint32_t lanes_with_samples(const uint8_t of[DRAW_LANES]) {
    uint32_t lanes = 0;
    for (unsigned lane = 0; lane < DRAW_LANES; lane++)
        lanes |= (of[lane] ? 1u : 0u) << lane;
    return lanes;
}

static void shade(struct draw_raster *raster, struct draw_setup *setup, uint32_t x, uint32_t y, uint32_t lanes,
                  uint8_t live[DRAW_LANES]) {
    struct draw_fragments *f = &raster->stripe.fragments;
    memcpy(f->samples, raster->after_tests ? live : f->coverage, sizeof f->samples);
    f->covered = lanes;
    f->killed = 0;
    raster->result.fragments += pixels_count_lanes(lanes);
    if (!raster->shade(raster->opaque, f)) {
        raster->result.failed = true;
        return;
    }
    for (uint32_t left = f->killed; left; left &= left - 1)
        live[__builtin_ctz(left)] = 0;
    memcpy(raster->stripe.passed, live, sizeof raster->stripe.passed);
    if (raster->early || pixels_zeta_samples(raster, setup, x, y, live))
        pixels_color_samples(raster, live);
    else
        pixels_finish(raster, live);
}

/* Quads whose tests are done. */
static void collect(struct draw_raster *raster, struct draw_setup *setup, uint32_t x, uint32_t y,
                    const uint8_t coverage[DRAW_LANES], const uint8_t live[DRAW_LANES]) {
    for (unsigned i = 0; i < DRAW_QUADS; i++, coverage += 4, live += 4) {
        struct raster_quad quad = {.x = x + 2 * i, .y = y};
        memcpy(quad.samples, coverage, sizeof quad.samples);
        if (live[0] | live[1] | live[2] | live[3])
            pixels_collect(raster, setup, &quad, live);
    }
}

bool pixels_samples(struct draw_raster *raster, struct draw_setup *setup, uint32_t x, uint32_t y,
                    const uint32_t covered[DRAW_SAMPLES]) {
    unsigned count = raster->state->raster.samples.count;
    uint8_t coverage[DRAW_LANES], live[DRAW_LANES];
    assert(raster->sampled && x % RASTER_TILE == 0 && y % 2 == 0);
    if (raster_stopped(raster))
        return true;
    raster->vector->samples(covered, count, coverage);
    memcpy(live, coverage, sizeof live);
    uint32_t lanes = 0;
    for (unsigned s = 0; s < count; s++)
        lanes |= covered[s];
    uint32_t quads = pixels_quads_of(lanes);
    if (raster->early && !pixels_zeta_samples(raster, setup, x, y, live))
        return false;
    raster->used += (uint64_t)(pixels_count_lanes(quads) / 4) * (1 + (count - 1) * 2u / 3);
    if (memcmp(live, coverage, sizeof live) != 0)
        lanes = lanes_with_samples(live);
    if (!lanes || !raster->state->stages.program.present)
        return true;
    if (pixels_quads_of(lanes) != UINT32_MAX) {
        collect(raster, setup, x, y, coverage, live);
        return true;
    }
    if (!pixels_stripe_prepare(raster, setup, x, y))
        return true;
    memcpy(raster->stripe.fragments.coverage, coverage, sizeof coverage);
    shade(raster, setup, x, y, lanes, live);
    if (!raster_stopped(raster)) /* else it stays, to say what has failed */
        raster->batch = &raster->pending;
    return true;
}
