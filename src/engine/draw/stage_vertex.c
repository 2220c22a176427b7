/* SPDX-License-Identifier: MIT */
/*
 * The vertex programs: what they write is in the block, for all stages after them. There may be two of them, A and B.
 * A's ways all end where B begins: B has the registers that A leaves, and adds to what A has written (Yuzu, which runs
 * Nintendo's programs, joins their code, frontend/maxwell/translate_program.cpp). Both read the attributes of the
 * vertex.
 */
#include <assert.h>

#include "engine/draw/links.h"
#include "engine/draw/pipeline.h"
#include "engine/draw/shading.h"

static bool has_program_a(const struct draw_pipeline *pipeline) {
    return pipeline->decoded.state.stages.stage[STAGE_VERTEX_A].enabled;
}

static enum stage_result run_a(struct draw_worker *worker, struct stage_step *step) {
    assert(step->block->lanes && step->block->lanes <= SHADE_LANES);
    links_begin(worker, STAGE_VERTEX_A, step->block);
    uint32_t lanes = UINT32_MAX >> (SHADE_LANES - step->block->lanes);
    return shading_run(worker, STAGE_VERTEX_A, lanes, 0) ? STAGE_DONE : STAGE_FAILED;
}

static const char *missing(const struct draw_pipeline *pipeline) {
    return pipeline->decoded.state.stages.stage[STAGE_VERTEX].enabled ? NULL : "draw without a vertex program";
}

static bool run_program(struct draw_worker *worker, struct vertex_block *block) {
    uint32_t lanes = UINT32_MAX >> (SHADE_LANES - block->lanes);
    if (has_program_a(worker->pipeline)) {
        worker->shading.stage[STAGE_VERTEX].outputs = block->word;
        return shading_go_on(worker, STAGE_VERTEX, lanes);
    }
    links_begin(worker, STAGE_VERTEX, block);
    return shading_run(worker, STAGE_VERTEX, lanes, 0);
}

static enum stage_result run(struct draw_worker *worker, struct stage_step *step) {
    assert(step->block->lanes && step->block->lanes <= SHADE_LANES);
    if (!run_program(worker, step->block))
        return STAGE_FAILED;
    links_end(worker, STAGE_VERTEX, step->block);
    return STAGE_DONE;
}

const struct draw_stage stage_vertex_a = {
    .name = "vertex A", .program = STAGE_VERTEX_A, .wanted = has_program_a, .run = run_a};
const struct draw_stage stage_vertex = {.name = "vertex", .program = STAGE_VERTEX, .missing = missing, .run = run};
