/* SPDX-License-Identifier: MIT */
/*
 * The vertex programs: what they write is in the block, for all stages after them. There may be two of them, A and B.
 * A's ways all end where B begins: B has the registers that A leaves, and adds to what A has written (Yuzu, which runs
 * Nintendo's programs, joins their code, frontend/maxwell/translate_program.cpp). Both read the attributes of the
 * vertex.
 */
#include <assert.h>
#include <string.h>

#include "engine/draw/pipeline.h"
#include "engine/draw/shading.h"

static void set_default(struct draw_worker *worker, unsigned word) {
    for (unsigned i = 0; i < SHADE_LANES; i++)
        worker->shading.outputs[word][i] = worker->pipeline->decoded.state.view.defaults[word];
}

static void set_defaults(struct draw_worker *worker) {
    for (unsigned word = WORD_LAYER; word < WORD_POSITION + 4; word++)
        set_default(worker, word);
    for (unsigned word = WORD_DISTANCE; word < WORD_DISTANCE + 8; word++)
        set_default(worker, word);
    const struct draw_carried *carried = &worker->pipeline->decoded.state.stages.carried;
    for (unsigned i = 0; i < carried->count; i++)
        set_default(worker, carried->word[i]);
    const struct feedback_state *feedback = &worker->pipeline->decoded.state.feedback;
    for (unsigned i = 0; i < feedback->words; i++)
        set_default(worker, feedback->used[i]);
}

/* NaN becomes 0. */
static uint32_t clamped(uint32_t bits) {
    float value;
    memcpy(&value, &bits, sizeof value);
    value = value > 0.0f ? value < 1.0f ? value : 1.0f : 0.0f;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

/* UNKNOWN: whether colours that are written to memory are clamped as those that are drawn; chosen: they are. */
static void get_words(const struct draw_worker *worker, struct draw_vertex *vertex, unsigned lane, const uint8_t *words,
                      unsigned count) {
    for (unsigned i = 0; i < count; i++) {
        unsigned word = words[i];
        uint32_t bits = worker->shading.outputs[word][lane];
        bool color = word >= 0xa0 && word < 0xb0;
        vertex->attribute[word] = color && worker->pipeline->decoded.state.stages.clamp_colors ? clamped(bits) : bits;
    }
}

static void get_vertex(struct draw_worker *worker, struct vertex_block *block, unsigned lane) {
    const struct draw_state *state = &worker->pipeline->decoded.state;
    struct draw_vertex *vertex = &block->vertex[lane];
    for (unsigned i = 0; i < 8; i++)
        vertex->attribute[WORD_DISTANCE + i] = worker->shading.outputs[WORD_DISTANCE + i][lane];
    get_words(worker, vertex, lane, state->stages.carried.word, state->stages.carried.count);
    get_words(worker, vertex, lane, state->feedback.used, state->feedback.words);
    memcpy(&vertex->point_size, &worker->shading.outputs[WORD_POINT_SIZE][lane], sizeof vertex->point_size);
}

static bool has_program_a(const struct draw_pipeline *pipeline) {
    return pipeline->decoded.state.stages.stage[STAGE_VERTEX_A].enabled;
}

static enum stage_result run_a(struct draw_worker *worker, struct stage_step *step) {
    assert(step->block->lanes && step->block->lanes <= SHADE_LANES);
    set_defaults(worker);
    uint32_t lanes = UINT32_MAX >> (SHADE_LANES - step->block->lanes);
    return shading_run(worker, STAGE_VERTEX_A, lanes, 0) ? STAGE_DONE : STAGE_FAILED;
}

static const char *missing(const struct draw_pipeline *pipeline) {
    return pipeline->decoded.state.stages.stage[STAGE_VERTEX].enabled ? NULL : "draw without a vertex program";
}

static bool run_program(struct draw_worker *worker, uint32_t lanes) {
    if (has_program_a(worker->pipeline))
        return shading_go_on(worker, STAGE_VERTEX, lanes);
    set_defaults(worker);
    return shading_run(worker, STAGE_VERTEX, lanes, 0);
}

static enum stage_result run(struct draw_worker *worker, struct stage_step *step) {
    struct vertex_block *block = step->block;
    const shade_row *outputs = worker->shading.outputs;
    assert(block->lanes && block->lanes <= SHADE_LANES);
    if (!run_program(worker, UINT32_MAX >> (SHADE_LANES - block->lanes)))
        return STAGE_FAILED;
    memcpy(block->position, outputs[WORD_POSITION], sizeof block->position);
    memcpy(block->layer, outputs[WORD_LAYER], sizeof block->layer);
    memcpy(block->viewport, outputs[WORD_VIEWPORT], sizeof block->viewport);
    for (unsigned lane = 0; lane < block->lanes; lane++)
        get_vertex(worker, block, lane);
    return STAGE_DONE;
}

const struct draw_stage stage_vertex_a = {
    .name = "vertex A", .program = STAGE_VERTEX_A, .wanted = has_program_a, .run = run_a};
const struct draw_stage stage_vertex = {.name = "vertex", .program = STAGE_VERTEX, .missing = missing, .run = run};
