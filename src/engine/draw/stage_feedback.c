/* SPDX-License-Identifier: MIT */
/*
 * Transform feedback in the graph: the primitives of blocks that come to it are written at once, and so each once,
 * wherever a draw is cut.
 *
 * UNKNOWN: what a fault leaves of offsets and counters; chosen: they are as after the block before.
 * UNKNOWN: streams without a buffer; chosen: their primitives are needed, and succeed.
 */
#include <assert.h>

#include "engine/draw/links.h"
#include "engine/draw/object.h"
#include "engine/draw/pipeline.h"

static bool wanted(const struct draw_pipeline *pipeline) {
    return pipeline->decoded.state.feedback.enabled;
}

static bool write_memory(void *opaque, uint64_t address, const void *data, unsigned bytes) {
    struct draw_worker *worker = opaque;
    struct fault fault;
    if (memory_write(worker->lent.memory.memory, &worker->lent.memory.space, address, data, bytes, &fault))
        return true;
    lend_raise(&worker->lent.faults, USE_FEEDBACK, &fault);
    return false;
}

static enum feedback_result write_primitive(struct feedback_writer *writer, const struct vertex_block *block,
                                            const struct block_primitive *primitive) {
    struct feedback_vertex vertices[FEEDBACK_CORNERS];
    uint16_t corner[FEEDBACK_CORNERS];
    unsigned corners = vertex_block_inner(primitive, corner);
    assert(primitive->first + primitive->corners <= block->corners);
    for (unsigned i = 0; i < corners; i++)
        vertices[i] = (struct feedback_vertex){&block->word[0][block->corner[corner[i]] % SHADE_LANES], SHADE_LANES};
    return feedback_primitive(writer, primitive->stream % FEEDBACK_STREAMS, vertices, corners);
}

/* What has become of the primitives of a block, by streams. */
struct block_result {
    uint64_t needed[FEEDBACK_STREAMS], succeeded[FEEDBACK_STREAMS], cost;
};

static bool write_block(struct feedback_writer *writer, const struct vertex_block *block, struct block_result *out) {
    enum feedback_result result = FEEDBACK_WRITTEN;
    for (unsigned i = 0; i < block->primitives && result != FEEDBACK_FAILED; i++) {
        const struct block_primitive *primitive = &block->primitive[i];
        unsigned stream = primitive->stream % FEEDBACK_STREAMS;
        result = write_primitive(writer, block, primitive);
        out->needed[stream]++;
        out->succeeded[stream] += result == FEEDBACK_WRITTEN;
        out->cost += COST_PRIMITIVE;
        if (result == FEEDBACK_WRITTEN)
            out->cost += (uint64_t)COST_COMPONENT * primitive->corners * feedback_components(writer->state, stream);
    }
    return feedback_end(writer) && result != FEEDBACK_FAILED;
}

/* Offsets go back to where they are kept. */
static void keep(const struct draw_pipeline *pipeline, const struct feedback_writer *writer,
                 const struct block_result *result) {
    for (unsigned b = 0; b < FEEDBACK_BUFFERS; b++)
        counter_set(pipeline->call, COUNTER_STREAM_BYTES + b, writer->offset[b]);
    for (unsigned stream = 0; stream < FEEDBACK_STREAMS; stream++) {
        draw_count(pipeline, COUNTER_STREAM_NEEDED + stream, result->needed[stream]);
        draw_count(pipeline, COUNTER_STREAM_SUCCEEDED + stream, result->succeeded[stream]);
    }
}

static enum stage_result run(struct draw_worker *worker, struct stage_step *step) {
    const struct draw_pipeline *pipeline = worker->pipeline;
    struct feedback_writer writer;
    struct block_result result = {0};
    feedback_begin(&writer, &pipeline->decoded.state.feedback, write_memory, worker);
    for (unsigned b = 0; b < FEEDBACK_BUFFERS; b++)
        writer.offset[b] = counter_value(pipeline->call, COUNTER_STREAM_BYTES + b);
    if (!write_block(&writer, step->block, &result))
        return STAGE_FAILED;
    worker->lent.costs.programs += result.cost;
    keep(pipeline, &writer, &result);
    return STAGE_DONE;
}

static void needs(const struct draw_pipeline *pipeline, struct block_words *words) {
    const struct feedback_state *feedback = &pipeline->decoded.state.feedback;
    for (unsigned i = 0; i < feedback->words; i++)
        block_words_add(words, feedback->used[i]);
}

const struct draw_stage stage_feedback = {
    .name = "feedback", .program = NO_PROGRAM, .writes = true, .wanted = wanted, .needs = needs, .run = run};
