/* SPDX-License-Identifier: MIT */
/*
 * Control programs: an invocation for each vertex of the patch that comes out, all of them together, with barriers. Each
 * patch is a block with its words.
 *
 * UNKNOWN: how many invocations there are if the header says 0, or more than a warp has lanes; chosen: one, and 32.
 * UNKNOWN: words of a patch that no invocation writes; chosen: 0, so that a patch without levels is discarded.
 */
#include <assert.h>
#include <string.h>

#include "engine/draw/links.h"
#include "engine/draw/object.h"
#include "engine/draw/pipeline.h"
#include "engine/draw/shading.h"
#include "engine/sync/counters.h"

static bool wanted(const struct draw_pipeline *pipeline) {
    return pipeline->object->assembly.topology == TOPOLOGY_PATCHES &&
           pipeline->decoded.state.stages.stage[STAGE_CONTROL].enabled;
}

static unsigned invocations_of(const struct draw_pipeline *pipeline) {
    unsigned count = pipeline->decoded.state.stages.stage[STAGE_CONTROL].header[2] >> 24;
    return count == 0 ? 1 : count < PATCH_MOST_VERTICES ? count : PATCH_MOST_VERTICES;
}

static void lend(const struct draw_pipeline *pipeline, struct shade_io *io) {
    patch_lend(pipeline->patch, io);
    io->patch = pipeline->patch->word;
}

/* One patch, with a vertex for each invocation. */
static void set_primitive(struct vertex_block *block, const struct block_primitive *from, unsigned invocations) {
    block->lanes = block->corners = invocations;
    block->primitives = 1;
    block->primitive[0] = *from;
    block->primitive[0].first = block->primitive[0].provoking = 0;
    block->primitive[0].corners = (uint8_t)invocations;
    for (unsigned i = 0; i < invocations; i++)
        block->corner[i] = (uint8_t)i;
}

static enum stage_result run(struct draw_worker *worker, struct stage_step *step) {
    struct draw_pipeline *pipeline = worker->pipeline;
    struct draw_patch *patch = pipeline->patch;
    struct vertex_block *made = step->made;
    const unsigned number = (unsigned)step->at.item, invocations = invocations_of(pipeline);
    assert(made && made != step->block);
    if (step->at.item >= step->block->primitives) /* what is loaded may say so */
        return STAGE_DONE;
    patch_take(patch, step->block, number);
    memset(made->word, 0, sizeof made->word); /* what others have not written can be read */
    links_begin(worker, STAGE_CONTROL, made);
    if (!shading_run_group(worker, STAGE_CONTROL, patch->invocations, invocations))
        return STAGE_FAILED;
    set_primitive(made, &step->block->primitive[number], invocations);
    made->has_patch = true;
    memcpy(made->patch, patch->word, sizeof made->patch);
    draw_count(pipeline, COUNTER_TESS_INIT_SHADER, 1);
    step->at.item++;
    return step->at.item < step->block->primitives ? STAGE_MORE : STAGE_DONE;
}

const struct draw_stage stage_control = {
    .name = "control", .program = STAGE_CONTROL, .makes = true, .wanted = wanted, .lend = lend, .run = run};
