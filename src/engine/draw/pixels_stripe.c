/* SPDX-License-Identifier: MIT */
/*
 * Stripes: two lines of a tile, 16 pixels wide, as one primitive covers them. Depth is tested for all of them at once. If
 * each quad is left then, they are a batch of their own, whose places follow from the first one, so that nothing is asked
 * quad by quad; else quads are collected. What is drawn is the same.
 */
#include "engine/draw/raster.h"

#include <assert.h>

_Static_assert(DRAW_LANES == 2 * RASTER_TILE, "a stripe is a batch");

/* Sixteen numbers from 0 on in the upper line; lanes go quad by quad. */
static const uint8_t column_of[DRAW_LANES] = {0, 1, 0, 1, 2,  3,  2,  3,  4,  5,  4,  5,  6,  7,  6,  7,
                                              8, 9, 8, 9, 10, 11, 10, 11, 12, 13, 12, 13, 14, 15, 14, 15};

void pixels_stripe_begin(struct draw_raster *raster) {
    const struct draw_state *state = raster->state;
    struct pixel_batch *batch = &raster->stripe;
    struct draw_fragments *f = &batch->fragments;
    raster->stripes = state->raster.samples.count == 1 && !state->raster.independent;
    batch->quads = DRAW_QUADS;
    f->is_stripe = true;
    f->lanes = UINT32_MAX;
    f->setup[0] = NULL;
    f->sample = 0;
    f->per_sample = false;
    for (unsigned lane = 0; lane < DRAW_LANES; lane++) {
        batch->alpha[lane] = 1;
        f->samples[lane] = f->coverage[lane] = 1;
    }
    raster->stripe_covered = raster->stripe_samples = UINT32_MAX;
}

/* Most stripes follow one of the same primitive, in the same columns. */
static void place(struct draw_raster *raster, struct draw_setup *setup, uint32_t x, uint32_t y) {
    struct draw_fragments *f = &raster->stripe.fragments;
    double center = raster_center(raster->state);
    double from_x = center + x - setup->weights.origin_x, from_y = center + y - setup->weights.origin_y;
    /* A setup may be another primitive's by now. */
    if (f->setup[0] != setup || f->x[0] != x || f->from_x[0] != from_x) {
        for (unsigned lane = 0; lane < DRAW_LANES; lane++)
            f->x[lane] = x + column_of[lane];
        f->from_x[0] = from_x; /* all else follows: draw_interpolate_stripe() */
        for (unsigned quad = 0; quad < DRAW_QUADS; quad++)
            f->setup[quad] = setup;
    }
    for (unsigned lane = 0; lane < DRAW_LANES; lane++)
        f->y[lane] = y + (lane >> 1 & 1);
    f->from_y[0] = from_y;
}

/* Does a quad that is collected lie in the stripe, or does the order of all fragments show? */
static bool waits(const struct draw_raster *raster, const struct draw_setup *setup, uint32_t x, uint32_t y) {
    const struct pixel_batch *pending = &raster->pending;
    if (pending->quads && raster->state->stages.program.effects)
        return true;
    if (setup->quads == pending->quads)
        return false;
    for (unsigned i = 0; i < pending->quads; i++)
        if (pending->fragments.y[4 * i] == y && pending->fragments.x[4 * i] - x < RASTER_TILE)
            return true;
    return false;
}

static void set_lanes(struct draw_raster *raster, uint32_t covered, uint32_t live) {
    struct draw_fragments *f = &raster->stripe.fragments;
    uint32_t samples = raster->after_tests ? live : covered;
    if (raster->stripe_covered != covered)
        pixels_spread(raster->stripe_covered = covered, f->coverage);
    if (raster->stripe_samples != samples)
        pixels_spread(raster->stripe_samples = samples, f->samples);
    f->covered = live;
    f->killed = 0;
}

/* As pixels_finish(), where nothing is done to what the program has made. False: something is, or depth is not simple. */
static bool finish_directly(struct draw_raster *raster, struct draw_setup *setup, uint32_t x, uint32_t y,
                            uint32_t live) {
    if (!raster->direct || (!raster->early && live && !pixels_zeta_at_once(raster, setup, x, y, &live)))
        return false;
    pixels_color_stripe(raster, live);
    return true;
}

/* There is one sample, so there is one pass. */
static void shade(struct draw_raster *raster, struct draw_setup *setup, uint32_t x, uint32_t y, uint32_t live) {
    struct draw_fragments *f = &raster->stripe.fragments;
    raster->result.fragments += pixels_count_lanes(live);
    if (!raster->shade(raster->opaque, f)) {
        raster->result.failed = true;
        return;
    }
    live &= ~f->killed;
    if (finish_directly(raster, setup, x, y, live))
        return;
    uint8_t of[DRAW_LANES];
    pixels_spread(live, of);
    pixels_finish(raster, of);
}

bool pixels_stripe_prepare(struct draw_raster *raster, struct draw_setup *setup, uint32_t x, uint32_t y) {
    if (waits(raster, setup, x, y))
        pixels_flush(raster);
    if (raster_stopped(raster))
        return false;
    if (!setup->has_inputs)
        raster_input_planes(raster, setup);
    raster->used += (uint64_t)DRAW_QUADS * raster->quad_cost;
    place(raster, setup, x, y);
    raster->batch = &raster->stripe;
    return true;
}

static void run(struct draw_raster *raster, struct draw_setup *setup, uint32_t x, uint32_t y, uint32_t covered,
                uint32_t live) {
    if (!pixels_stripe_prepare(raster, setup, x, y))
        return;
    set_lanes(raster, covered, live);
    shade(raster, setup, x, y, live);
    if (!raster_stopped(raster)) /* else it stays, to say what has failed */
        raster->batch = &raster->pending;
}

/* As pixels_quad(), of quads whose tests are done. */
static void collect(struct draw_raster *raster, struct draw_setup *setup, uint32_t x, uint32_t y, uint32_t covered,
                    uint32_t live) {
    for (unsigned i = 0; i < DRAW_QUADS; i++, covered >>= 4, live >>= 4) {
        struct raster_quad quad = {.x = x + 2 * i, .y = y};
        uint8_t lives[4];
        for (unsigned k = 0; k < 4; k++) {
            quad.samples[k] = covered >> k & 1;
            lives[k] = live >> k & 1;
        }
        if (live & 15)
            pixels_collect(raster, setup, &quad, lives);
    }
}

void pixels_stripe(struct draw_raster *raster, struct draw_setup *setup, uint32_t x, uint32_t y, uint32_t covered) {
    assert(raster->stripes && x % RASTER_TILE == 0 && y % 2 == 0 && covered);
    if (raster_stopped(raster))
        return;
    raster->used += pixels_count_lanes(pixels_quads_of(covered)) / 4;
    uint32_t live = raster->early ? pixels_zeta_stripe(raster, setup, x, y, covered) : covered;
    if (!live || !raster->state->stages.program.present)
        return;
    if (pixels_quads_of(live) == UINT32_MAX)
        run(raster, setup, x, y, covered, live);
    else
        collect(raster, setup, x, y, covered, live);
}
