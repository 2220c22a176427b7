/* SPDX-License-Identifier: MIT */
/* Evaluation programs: the tessellator's points become vertices. They read their patch, and the place of their point. */
#include <assert.h>
#include <string.h>

#include "engine/draw/links.h"
#include "engine/draw/object.h"
#include "engine/draw/pipeline.h"
#include "engine/draw/shading.h"

#define WORD_U 0xbcu /* of the point, where the program's outputs are */
#define WORD_V 0xbdu

static bool wanted(const struct draw_pipeline *pipeline) {
    return pipeline->object->assembly.topology == TOPOLOGY_PATCHES;
}

static const char *missing(const struct draw_pipeline *pipeline) {
    bool there = pipeline->decoded.state.stages.stage[STAGE_EVALUATION].enabled;
    return wanted(pipeline) && !there ? "patches without an evaluation program" : NULL;
}

static void lend(const struct draw_pipeline *pipeline, struct shade_io *io) {
    patch_lend(pipeline->patch, io);
}

static uint32_t place(uint32_t fixed) {
    float value = (float)fixed / (float)TESSELLATE_ONE;
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

/* The tessellator has taken the patch, and chosen the points. */
static enum stage_result run(struct draw_worker *worker, struct stage_step *step) {
    const struct draw_patch *patch = worker->pipeline->patch;
    struct vertex_block *block = step->block;
    const uint32_t lanes = block->lanes ? UINT32_MAX >> (SHADE_LANES - block->lanes) : 0;
    assert(lanes && block->lanes <= SHADE_LANES);
    memset(block->word, 0, sizeof block->word);
    links_begin(worker, STAGE_EVALUATION, block);
    for (unsigned lane = 0; lane < block->lanes; lane++) {
        block->word[WORD_U][lane] = place(patch->u[lane]);
        block->word[WORD_V][lane] = place(patch->v[lane]);
    }
    if (!shading_run(worker, STAGE_EVALUATION, lanes, 0))
        return STAGE_FAILED;
    links_end(worker, STAGE_EVALUATION, block);
    return STAGE_DONE;
}

const struct draw_stage stage_evaluation = {
    .name = "evaluation", .program = STAGE_EVALUATION, .wanted = wanted, .missing = missing, .lend = lend, .run = run};
