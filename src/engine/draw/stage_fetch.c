/* SPDX-License-Identifier: MIT */
/* Attributes of vertices, from memory or as they came with the vertex, become the inputs of the vertex program. */
#include <assert.h>
#include <string.h>

#include "engine/draw/object.h"
#include "engine/draw/pipeline.h"

#define WORD_INSTANCE 0xbeu
#define WORD_VERTEX   0xbfu

/* From memory. */
static bool fetch_lane(struct draw_worker *worker, const struct vertex_attribute *attribute, uint32_t vertex,
                       uint32_t value[4]) {
    const struct vertex_streams *streams = &worker->pipeline->decoded.state.input.streams;
    struct vertex_number number = {vertex, worker->pipeline->object->instance,
                                   worker->pipeline->decoded.state.indices.base_instance};
    uint64_t address, there;
    if (!vertex_address(streams, attribute, &number, &address))
        return vertex_fetch(streams, attribute, &number, lend_read, &worker->lent.memory, value);
    const uint8_t *from = lend_at(&worker->lent.memory, address, &there);
    if (!from)
        return false;
    if (there < VERTEX_MOST_BYTES) /* perhaps in two pieces */
        return vertex_fetch(streams, attribute, &number, lend_read, &worker->lent.memory, value);
    vertex_unpack(attribute, from, value);
    return true;
}

static bool fetch(struct draw_worker *worker, const struct vertex_block *block, unsigned number) {
    const struct draw_state *state = &worker->pipeline->decoded.state;
    const struct vertex_attribute *attribute = &state->input.attribute[number];
    shade_row *rows = &worker->shading.inputs[WORD_GENERIC + 4 * number];
    for (unsigned lane = 0; lane < block->lanes; lane++) {
        uint32_t value[4], vertex = block->lane[lane].number;
        if (block->lane[lane].with_data)
            memcpy(value, inline_vertices_value(worker->pipeline->object, vertex, number), sizeof value);
        else if (attribute->constant)
            memcpy(value, worker->pipeline->object->constant[number], sizeof value);
        else if (!fetch_lane(worker, attribute, vertex, value))
            return false;
        for (unsigned i = 0; i < 4; i++)
            rows[i][lane] = value[i];
    }
    return true;
}

static bool replace_id(struct draw_worker *worker, const struct vertex_block *block) {
    unsigned word = worker->pipeline->decoded.state.input.id_word;
    unsigned number = (word - WORD_GENERIC) / 4;
    if (!worker->pipeline->decoded.state.input.replaces_id || word < WORD_GENERIC || number >= VERTEX_ATTRIBUTES)
        return true;
    if (!fetch(worker, block, number))
        return false;
    memcpy(worker->shading.inputs[WORD_VERTEX], worker->shading.inputs[word], sizeof worker->shading.inputs[word]);
    return true;
}

static bool set_inputs(struct draw_worker *worker, const struct vertex_block *block) {
    const struct draw_stages_state *stages = &worker->pipeline->decoded.state.stages;
    for (unsigned i = 0; i < VERTEX_ATTRIBUTES; i++)
        if (draw_vertex_reads_vector(stages, WORD_GENERIC + 4 * i) && !fetch(worker, block, i))
            return false;
    for (unsigned lane = 0; lane < block->lanes; lane++) {
        worker->shading.inputs[WORD_INSTANCE][lane] = worker->pipeline->object->instance;
        worker->shading.inputs[WORD_VERTEX][lane] = block->lane[lane].id;
    }
    return replace_id(worker, block);
}

static enum stage_result run(struct draw_worker *worker, struct stage_step *step) {
    assert(step->block->lanes <= SHADE_LANES);
    lend_forget_spans(&worker->lent.memory);
    worker->lent.memory.use = USE_VERTEX;
    return set_inputs(worker, step->block) ? STAGE_DONE : STAGE_FAILED;
}

const struct draw_stage stage_fetch = {.name = "fetch", .program = NO_PROGRAM, .run = run};
