/* SPDX-License-Identifier: MIT */
/*
 * Batches of quads: early tests, the fragment program, what it does to coverage, late tests, colours.
 *
 * Quads of several primitives share a batch, so that small triangles fill a warp. Depth and stencil are done quad by
 * quad, in order; colours for the whole batch at once, so no sample may be in it twice.
 *
 * Order and rules: OpenGL 4.6 chapters 14.9 and 17.3; which tests are early: NVIDIA open-gpu-doc cl9097.h
 * (SET_API_MANDATED_EARLY_Z).
 */
#include "engine/draw/raster.h"

#include <assert.h>

#define BLENDED_QUADS 2u /* what blending a quad costs, in quads that are not blended */

static float float_of(uint32_t bits) {
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static uint32_t bits_of(float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

/* ---- begin ---- */

/* Tests come first where it makes no difference, or by order. */
static bool tests_are_early(const struct draw_state *state) {
    const struct draw_program *program = &state->stages.program;
    bool changes = program->kills || program->depth || program->sample_mask || program->effects;
    return program->early || !program->present ||
           !(changes || (state->blend.alpha_test && state->targets.count) || state->blend.alpha_to_coverage);
}

static void begin_batch(struct draw_raster *raster, struct pixel_batch *batch) {
    struct draw_fragments *f = &batch->fragments;
    batch->quads = 0;
    batch->has_alpha = false;
    batch->live_lanes = 0;
    memset(batch->live, 0, sizeof batch->live);
    f->state = raster->state;
    f->raster = raster;
    f->share = &raster->share;
    f->lanes = 0;
    f->is_stripe = false;
    memset(f->color, 0, sizeof f->color);
    for (unsigned i = 0; i < DRAW_TARGETS; i++)
        f->output[i] = f->color[i];
    memset(f->coverage, 0, sizeof f->coverage);
}

/* Is there nothing between the program and the targets, for stripes? */
static bool is_direct(const struct draw_raster *raster) {
    const struct draw_state *state = raster->state;
    const struct draw_blend_state *blend = &state->blend;
    bool direct = !(blend->alpha_test || blend->alpha_to_coverage || blend->alpha_to_one) &&
                  !state->stages.program.sample_mask && !state->stages.program.depth;
    for (unsigned i = 0; i < DRAW_TARGETS; i++)
        direct = direct && (!blend->clamp[i] || pixels_color_bounds(raster, i));
    return direct;
}

void pixels_begin(struct draw_raster *raster) {
    raster->batch = &raster->pending;
    raster->early = tests_are_early(raster->state);
    raster->after_tests = raster->early && raster->state->stages.program.coverage_after_tests;
    raster->layered = false;
    begin_batch(raster, &raster->pending);
    begin_batch(raster, &raster->stripe);
    pixels_stripe_begin(raster);
    pixels_zeta_begin(raster);
    pixels_color_begin(raster);
    raster->direct = is_direct(raster);
    pixels_samples_begin(raster);
    unsigned more = (raster->target_count ? raster->target_count - 1 : 0) + BLENDED_QUADS * raster->blended;
    raster->quad_cost = more * raster->state->raster.samples.count;
}

/* A picture that has no layers takes all of them (OpenGL 4.6, 9.8; Mesa lets programs choose one nevertheless). */
static uint32_t layer_of(const struct draw_target *target, uint32_t layer) {
    return target->layers > 1 ? layer : 0;
}

static bool has_layer(const struct draw_target *target, uint32_t layer) {
    return !target->format || target->layers <= 1 || layer < target->layers;
}

/* UNKNOWN: a layer beyond the last of a target that has several; chosen: nothing is drawn, as Direct3D has it. */
bool pixels_layer(struct draw_raster *raster, uint32_t layer) {
    const struct draw_state *state = raster->state;
    if (raster->layered && raster->layer == layer)
        return true;
    pixels_flush(raster);
    if (raster->zeta.present && !has_layer(&state->targets.zeta, layer))
        return false;
    for (unsigned i = 0; i < raster->target_count; i++)
        if (!has_layer(raster->targets[i].target, layer))
            return false;
    if (raster->zeta.present)
        pixel_access_begin(&raster->zeta.access, raster, &state->targets.zeta, layer_of(&state->targets.zeta, layer),
                           raster->zeta.writes, true);
    for (unsigned i = 0; i < raster->target_count; i++) {
        struct pixel_target *target = &raster->targets[i];
        pixel_access_begin(&target->access, raster, target->target, layer_of(target->target, layer), true,
                           target->reads);
    }
    raster->layer = layer;
    raster->layered = true;
    return true;
}

/* ---- after the program ---- */

/* The passes of sample shading: samples [pass * n / passes, (pass + 1) * n / passes). */
static uint8_t samples_of_pass(const struct draw_raster *raster, unsigned pass, unsigned passes) {
    assert(pass < passes);
    unsigned count = raster->state->raster.samples.count;
    unsigned first = pass * count / passes, end = (pass + 1) * count / passes;
    return (uint8_t)((1u << end) - (1u << first));
}

/* Outputs are bounded as the target that output i goes to says; not so those of integers. */
static void clamp_outputs(struct draw_raster *raster) {
    struct draw_fragments *f = &raster->batch->fragments;
    for (unsigned i = 0; i < DRAW_TARGETS; i++) {
        const struct draw_target *target = &raster->state->targets.color[i];
        uint8_t clamp = raster->state->blend.clamp[i];
        float low = clamp & 2 ? -1 : 0;
        if (!clamp || !(raster->state->stages.program.outputs >> 4 * i & 15) ||
            (target->format && format_is_integer(target->format)))
            continue;
        for (unsigned c = 0; c < 4; c++)
            for (unsigned lane = 0; lane < DRAW_LANES; lane++) {
                float value = float_of(f->output[i][c][lane]);
                value = value > low ? value : value <= low ? low : 0; /* NaN: 0 */
                f->output[i][c][lane] = bits_of(value < 1 ? value : 1);
            }
    }
}

static bool first_target_is_integer(const struct draw_raster *raster) {
    const struct draw_state *state = raster->state;
    const struct format *format = state->targets.color[state->targets.of[0] % DRAW_TARGETS].format;
    return format && format_is_integer(format);
}

static bool passes_alpha(const struct draw_state *state, float alpha) {
    float reference = state->blend.alpha_reference;
    unsigned relation = alpha < reference ? 1 : alpha > reference ? 4 : alpha == reference ? 2 : 0;
    if (!relation) /* not a number */
        return state->blend.alpha_compare == DRAW_ALWAYS || state->blend.alpha_compare == DRAW_NOTEQUAL;
    return state->blend.alpha_compare & relation;
}

/* UNKNOWN: which samples are kept; chosen: sample s if alpha > s / count, and one sample if alpha > 1/2. */
static uint8_t samples_of_alpha(const struct draw_state *state, float alpha) {
    unsigned count = state->raster.samples.count, kept = 0;
    if (count == 1)
        return alpha > 0.5f;
    for (unsigned s = 0; s < count; s++)
        kept |= (alpha * (float)count > (float)s ? 1u : 0u) << s;
    return (uint8_t)kept;
}

/* Coverage of smooth shapes, alpha test, alpha to coverage: by the alpha of output 0. */
static void apply_alpha(struct draw_raster *raster, uint8_t live[DRAW_LANES]) {
    const struct draw_state *state = raster->state;
    struct draw_fragments *f = &raster->batch->fragments;
    bool test = state->blend.alpha_test && state->targets.count;
    if (first_target_is_integer(raster) || !(raster->batch->has_alpha || test || state->blend.alpha_to_coverage))
        return;
    for (unsigned lane = 0; lane < 4 * raster->batch->quads; lane++) {
        for (unsigned i = 0; raster->batch->has_alpha && i < DRAW_TARGETS; i++)
            f->output[i][3][lane] = bits_of(float_of(f->output[i][3][lane]) * raster->batch->alpha[lane]);
        float alpha = float_of(f->output[0][3][lane]);
        if (test && !passes_alpha(state, alpha))
            live[lane] = 0;
        if (state->blend.alpha_to_coverage)
            live[lane] &= samples_of_alpha(state, alpha);
    }
}

static void apply_program(const struct draw_raster *raster, uint8_t live[DRAW_LANES]) {
    const struct draw_fragments *f = &raster->batch->fragments;
    if (!f->killed && !raster->state->stages.program.sample_mask)
        return;
    for (unsigned lane = 0; lane < DRAW_LANES; lane++) {
        if (f->killed >> lane & 1)
            live[lane] = 0;
        if (raster->state->stages.program.sample_mask)
            live[lane] &= (uint8_t)f->mask[lane];
    }
}

static void set_alpha_to_one(struct draw_fragments *f) {
    for (unsigned i = 0; i < DRAW_TARGETS; i++)
        for (unsigned lane = 0; lane < DRAW_LANES; lane++)
            f->output[i][3][lane] = bits_of(1);
}

static void test_late(struct draw_raster *raster, uint8_t live[DRAW_LANES]) {
    const struct draw_fragments *f = &raster->batch->fragments;
    for (unsigned lane = 0; lane < 4 * raster->batch->quads; lane++) {
        float depth = raster->state->stages.program.depth ? float_of(f->depth[lane]) : 0;
        if (live[lane])
            live[lane] = pixels_zeta_test(raster, f->setup[lane / 4], f->x[lane], f->y[lane], live[lane],
                                          raster->state->stages.program.depth ? &depth : NULL);
    }
}

/* ---- a batch ---- */

static void set_lanes(struct draw_raster *raster, unsigned pass, unsigned passes, uint8_t live[DRAW_LANES]) {
    struct draw_fragments *f = &raster->batch->fragments;
    memcpy(f->samples, raster->after_tests ? raster->batch->live : f->coverage, sizeof f->samples);
    memcpy(live, raster->batch->live, sizeof raster->batch->live);
    f->covered = raster->batch->live_lanes;
    if (passes == 1)
        return;
    uint8_t samples = samples_of_pass(raster, pass, passes);
    f->covered = 0;
    for (unsigned lane = 0; lane < DRAW_LANES; lane++) {
        f->samples[lane] &= samples;
        live[lane] &= samples;
        f->covered |= (live[lane] ? 1u : 0u) << lane;
    }
}

void pixels_finish(struct draw_raster *raster, uint8_t live[DRAW_LANES]) {
    apply_program(raster, live);
    clamp_outputs(raster);
    apply_alpha(raster, live);
    if (!raster->early)
        test_late(raster, live);
    if (raster->state->blend.alpha_to_one)
        set_alpha_to_one(&raster->batch->fragments);
    memcpy(raster->batch->passed, live, sizeof raster->batch->passed);
    if (raster->result.faulted)
        return;
    if (raster->state->raster.independent)
        pixels_color_reduced(raster, live);
    else
        pixels_color(raster, live);
}

static void run_pass(struct draw_raster *raster, unsigned pass, unsigned passes) {
    struct draw_fragments *f = &raster->batch->fragments;
    uint8_t live[DRAW_LANES];
    set_lanes(raster, pass, passes, live);
    if (!f->covered)
        return;
    f->killed = 0;
    f->sample = (uint8_t)(pass * raster->state->raster.samples.count / passes);
    f->per_sample = passes > 1;
    raster->result.fragments += pixels_count_lanes(f->covered);
    if (!raster->shade(raster->opaque, f)) {
        raster->result.failed = true;
        return;
    }
    pixels_finish(raster, live);
}

void pixels_drop(struct draw_raster *raster) {
    struct pixel_batch *pending = raster->batch = &raster->pending;
    for (unsigned i = 0; i < RASTER_SETUPS; i++)
        raster->setups[i].quads = 0;
    pending->quads = 0;
    pending->has_alpha = false;
    pending->live_lanes = 0;
    memset(pending->live, 0, sizeof pending->live);
    pending->fragments.lanes = 0;
}

/*
 * A batch that has failed stays as it is. UNKNOWN: more passes than colour targets have samples; chosen: one for each of
 * these.
 */
static void run_batch(struct draw_raster *raster) {
    unsigned passes = raster->state->stages.program.passes;
    unsigned most = draw_color_samples(&raster->state->raster)->count;
    passes = passes < 1 ? 1 : passes < most ? passes : most;
    for (unsigned pass = 0; pass < passes && !raster_stopped(raster); pass++)
        run_pass(raster, pass, passes);
}

void pixels_flush(struct draw_raster *raster) {
    assert(raster->batch == &raster->pending || raster_stopped(raster));
    if (!raster->pending.quads || raster_stopped(raster))
        return;
    run_batch(raster);
    if (!raster_stopped(raster))
        pixels_drop(raster);
}

/* Whether they are in the same sample of a colour target. */
static bool meet(const struct draw_raster_state *state, uint8_t one, uint8_t other) {
    return state->independent ? pixels_reduce(state, one) & pixels_reduce(state, other) : one & other;
}

/* Whether a sample of the quad is in the batch already: its colours depend on each other. */
static bool meets_batch(const struct draw_raster *raster, const struct raster_quad *quad, const uint8_t live[4]) {
    for (unsigned i = 0; i < raster->batch->quads; i++)
        if (raster->batch->fragments.x[4 * i] == quad->x && raster->batch->fragments.y[4 * i] == quad->y)
            for (unsigned k = 0; k < 4; k++)
                if (meet(&raster->state->raster, raster->batch->live[4 * i + k], live[k]))
                    return true;
    return false;
}

static void add_to_batch(struct draw_raster *raster, struct draw_setup *setup, const struct raster_quad *quad,
                         const uint8_t live[4]) {
    struct draw_fragments *f = &raster->batch->fragments;
    assert(raster->batch->quads < DRAW_QUADS);
    unsigned number = raster->batch->quads++;
    if (!setup->has_inputs)
        raster_input_planes(raster, setup);
    double center = raster_center(raster->state);
    double from_x = center + quad->x - setup->weights.origin_x, from_y = center + quad->y - setup->weights.origin_y;
    setup->quads++;
    raster->used += raster->quad_cost;
    f->setup[number] = setup;
    f->lanes |= 0xfu << 4 * number;
    raster->batch->has_alpha |= quad->alpha != NULL;
    const unsigned first = 4 * number;
    const uint32_t x[4] = {quad->x, quad->x + 1, quad->x, quad->x + 1};
    const uint32_t y[4] = {quad->y, quad->y, quad->y + 1, quad->y + 1};
    /* exactly: all of them are multiples of 1/256 */
    const double centers_x[4] = {from_x, from_x + 1, from_x, from_x + 1};
    const double centers_y[4] = {from_y, from_y, from_y + 1, from_y + 1};
    static const float whole[4] = {1, 1, 1, 1};
    memcpy(&f->x[first], x, sizeof x);
    memcpy(&f->y[first], y, sizeof y);
    memcpy(&f->from_x[first], centers_x, sizeof centers_x);
    memcpy(&f->from_y[first], centers_y, sizeof centers_y);
    memcpy(&f->coverage[first], quad->samples, sizeof quad->samples);
    memcpy(&raster->batch->live[first], live, sizeof quad->samples);
    memcpy(&raster->batch->alpha[first], quad->alpha ? quad->alpha : whole, sizeof whole);
    for (unsigned i = 0; i < 4; i++)
        raster->batch->live_lanes |= (live[i] ? 1u : 0u) << (first + i);
}

void pixels_collect(struct draw_raster *raster, struct draw_setup *setup, const struct raster_quad *quad,
                    const uint8_t live[4]) {
    if (setup->quads != raster->pending.quads && meets_batch(raster, quad, live)) /* quads of a shape do not meet */
        pixels_flush(raster);
    if (raster_stopped(raster))
        return;
    add_to_batch(raster, setup, quad, live);
    if (raster->pending.quads == DRAW_QUADS)
        pixels_flush(raster);
}

void pixels_quad(struct draw_raster *raster, struct draw_setup *setup, const struct raster_quad *quad) {
    uint8_t live[4];
    uint32_t any = 0;
    if (raster_stopped(raster))
        return;
    raster->used += 1 + (raster->state->raster.samples.count - 1) * 2u / 3;
    memcpy(live, quad->samples, sizeof live);
    if (raster->early)
        pixels_zeta_quad(raster, setup, quad->x, quad->y, live);
    for (unsigned i = 0; i < 4; i++)
        any |= live[i];
    if (any && raster->state->stages.program.present)
        pixels_collect(raster, setup, quad, live);
}
