/* SPDX-License-Identifier: MIT */
/*
 * Fragments: 32 pixels in quads are a warp. Outputs are registers, in the order of the program header: four of each
 * target that has any, then the sample mask, then depth (Mesa nvc0_program.c).
 */
#include <string.h>

#include "engine/draw/pipeline.h"
#include "engine/draw/shading.h"

#define SR_Y_DIRECTION 0x12u

static const struct draw_fragments *fragments_of(const struct shade_warp *warp) {
    return ((const struct draw_worker *)warp->io->opaque)->fragments;
}

static void interpolate(struct shade_warp *warp, uint32_t lanes, const uint32_t *word, const struct ir *ir,
                        const uint32_t *offset, uint32_t *out) {
    draw_interpolate(fragments_of(warp), lanes, word, ir->mode, ir->sample, offset, out);
}

/* At the centres of all pixels, if that is where they are. */
static bool interpolate_word(const struct draw_fragments *f, uint32_t word, unsigned mode, uint32_t *out) {
    return f->is_stripe ? draw_interpolate_stripe(f, word, mode, out) : draw_interpolate_quads(f, word, mode, out);
}

static bool interpolate_all(struct shade_warp *warp, uint32_t word, const struct ir *ir, uint32_t *out) {
    return ir->sample == 0 && interpolate_word(fragments_of(warp), word, ir->mode, out);
}

static void interpolate_alone(const struct draw_fragments *f, struct shade_wanted wanted, uint32_t *out) {
    shade_row word;
    if (interpolate_word(f, wanted.word, wanted.mode, out))
        return;
    for (unsigned lane = 0; lane < SHADE_LANES; lane++)
        word[lane] = wanted.word;
    memset(out, 0, sizeof word);
    draw_interpolate(f, UINT32_MAX, word, wanted.mode, 0, NULL, out);
}

static void interpolate_list(struct shade_warp *warp, const struct shade_wanted *wanted, unsigned count,
                             shade_row *out) {
    const struct draw_fragments *f = fragments_of(warp);
    unsigned i = f->is_stripe ? draw_interpolate_many(f, wanted, count, out) : 0;
    for (; i < count; i++)
        interpolate_alone(f, wanted[i], out[i]);
}

/* Offsets from the centre of the pixel, with 12 bits after the point. */
static uint32_t offset_of(const struct draw_samples *samples, uint32_t x, uint32_t y, unsigned sample) {
    unsigned width = 1u << samples->block_x, height = 1u << samples->block_y;
    unsigned at = ((x % width + width * (y % height)) * samples->count + sample) % DRAW_POSITIONS;
    int32_t dx = (samples->x[at] - 8) * 256, dy = (samples->y[at] - 8) * 256;
    return ((uint32_t)dx & 0xffff) | (uint32_t)dy << 16;
}

static uint32_t centroid(const struct draw_fragments *f, unsigned lane) {
    unsigned sample = draw_centroid(f, lane);
    return sample < DRAW_SAMPLES ? offset_of(&f->state->raster.samples, f->x[lane], f->y[lane], sample) : 0;
}

/* UNKNOWN: without multisampling; chosen: the one sample that OpenGL has then, since Mesa passes it on [driver]. */
static uint32_t coverage_of(const struct draw_fragments *f, unsigned lane) {
    bool multisample = f->state->raster.multisample;
    return multisample ? f->samples[lane] : f->samples[lane] ? 1 : 0;
}

static void pixel(struct shade_warp *warp, uint32_t lanes, const struct ir *ir, const uint32_t *a, uint32_t *out) {
    enum { COUNT, COVERAGE, COVERED, OFFSET, CENTROID, INDEX };
    const struct draw_fragments *f = fragments_of(warp);
    const struct draw_samples *samples = &f->state->raster.samples;
    for (unsigned i = 0; i < SHADE_LANES; i++) {
        if (!(lanes >> i & 1))
            continue;
        switch (ir->mode) {
        case COUNT:
            out[i] = samples->count;
            break;
        case COVERAGE:
            out[i] = coverage_of(f, i);
            break;
        case COVERED:
            out[i] = f->covered >> i & 1;
            break;
        case OFFSET:
            out[i] = offset_of(samples, f->x[i], f->y[i], a[i] % samples->count);
            break;
        case CENTROID:
            out[i] = centroid(f, i);
            break;
        case INDEX:
            out[i] = f->sample;
            break;
        default:
            out[i] = 0;
            break;
        }
    }
}

/* Four for each target that has any, sample mask, depth. */
static uint16_t results_of(const struct draw_program *program) {
    unsigned results = 2;
    for (unsigned target = 0; target < DRAW_TARGETS; target++)
        results += program->outputs >> target * 4 & 15 ? 4 : 0;
    return (uint16_t)results;
}

static void lend(const struct draw_pipeline *pipeline, struct shade_io *io) {
    static const struct shade_special down = {.number = SR_Y_DIRECTION, .value = 0x3f800000};
    static const struct shade_special up = {.number = SR_Y_DIRECTION, .value = 0xbf800000};
    io->quads = true;
    io->results = results_of(&pipeline->decoded.state.stages.program);
    io->collects = true;
    io->interpolate = interpolate;
    io->interpolate_all = interpolate_all;
    io->interpolate_list = interpolate_list;
    io->pixel = pixel;
    io->specials = pipeline->decoded.state.view.lower_left ? &up : &down;
    io->special_count = 1;
}

bool stage_fragment_run(void *opaque, struct draw_fragments *fragments) {
    struct draw_worker *worker = draw_worker_for(opaque, fragments->share->member);
    if (!worker)
        return false;
    const struct draw_program *program = &worker->pipeline->decoded.state.stages.program;
    bool has_mask = worker->pipeline->decoded.state.stages.stage[STAGE_FRAGMENT].header[19] & 1; /* used or not */
    unsigned next = 0;
    worker->fragments = fragments;
    worker->lent.faults.quiet = fragments->share->quiet;
    bool done = shading_run(worker, STAGE_FRAGMENT, fragments->lanes, fragments->lanes & ~fragments->covered);
    worker->lent.faults.failed &= !worker->lent.faults.quiet;
    worker->lent.faults.quiet = false;
    if (!done)
        return false;
    fragments->killed = worker->shading.warp.killed;
    for (unsigned target = 0; target < DRAW_TARGETS; target++) {
        if (!(program->outputs >> target * 4 & 15))
            continue;
        fragments->output[target] = &worker->shading.warp.registers[next];
        next += 4;
    }
    if (has_mask)
        memcpy(fragments->mask, worker->shading.warp.registers[next], sizeof(draw_row));
    if (has_mask || worker->pipeline->decoded.source.of->mask_before_z)
        next++;
    if (program->depth)
        memcpy(fragments->depth, worker->shading.warp.registers[next], sizeof(draw_row));
    return true;
}

static bool wanted(const struct draw_pipeline *pipeline) {
    return pipeline->decoded.state.stages.stage[STAGE_FRAGMENT].enabled;
}

const struct draw_stage stage_fragment = {
    .name = "fragment", .program = STAGE_FRAGMENT, .wanted = wanted, .lend = lend};
