/* SPDX-License-Identifier: MIT */
/*
 * Transform feedback in the graph: blocks that come to it are kept with the group, and written when the group has been
 * drawn and leaves the queue. Until then a group may be made again from what is saved, so that each primitive is
 * written once, wherever a draw is cut.
 *
 * It is next to clipping, and takes a block only if that has room for it: no block is between the two when a group is
 * full, which would come twice.
 *
 * UNKNOWN: what a fault leaves of offsets and counters; chosen: offsets stay where it was, counters are as before the
 * group.
 * UNKNOWN: streams without a buffer; chosen: their primitives are needed, and succeed.
 */
#include <assert.h>

#include "engine/draw/object.h"
#include "engine/draw/pipeline.h"
#include "engine/surface/access.h"

static bool wanted(const struct draw_pipeline *pipeline) {
    return pipeline->decoded.state.feedback.enabled;
}

static enum stage_result run(struct draw_worker *worker, struct stage_step *step) {
    struct draw_group *group = worker->pipeline->group;
    if (!group_has_room(group))
        return STAGE_MORE;
    assert(group->fed < GROUP_BLOCKS);
    group->fed_block[group->fed++] = step->block;
    return STAGE_DONE;
}

const struct draw_stage stage_feedback = {.name = "feedback", .program = NO_PROGRAM, .wanted = wanted, .run = run};

/* ---- when the group is done ---- */

static bool write_memory(void *opaque, uint64_t address, const void *data, unsigned bytes) {
    struct draw_worker *worker = opaque;
    struct fault fault;
    if (memory_write(worker->lent.memory.memory, &worker->lent.memory.space, address, data, bytes, &fault))
        return true;
    lend_raise(&worker->lent.faults, USE_FEEDBACK, &fault);
    return false;
}

/* Clipping has put the place in the window where the position was. */
static void restore_positions(struct vertex_block *block) {
    for (unsigned lane = 0; lane < block->lanes; lane++)
        for (unsigned i = 0; i < 4; i++)
            block->vertex[lane].attribute[WORD_POSITION + i] = block->position[i][lane];
}

static enum feedback_result write_primitive(struct feedback_writer *writer, const struct vertex_block *block,
                                            const struct block_primitive *primitive) {
    struct feedback_vertex vertices[FEEDBACK_CORNERS];
    assert(primitive->corners <= FEEDBACK_CORNERS && primitive->first + primitive->corners <= block->corners);
    for (unsigned i = 0; i < primitive->corners; i++)
        vertices[i] =
            (struct feedback_vertex){block->vertex[block->corner[primitive->first + i] % SHADE_LANES].attribute, 1};
    return feedback_primitive(writer, 0, vertices, primitive->corners);
}

/* The cost of all primitives of a block is added. */
static bool write_block(struct feedback_writer *writer, struct draw_group *group, struct vertex_block *block,
                        uint64_t *cost) {
    restore_positions(block);
    for (unsigned i = 0; i < block->primitives; i++) {
        const struct block_primitive *primitive = &block->primitive[i];
        enum feedback_result result = write_primitive(writer, block, primitive);
        if (result == FEEDBACK_FAILED)
            return false;
        group->counted[COUNTER_STREAM_NEEDED]++;
        group->counted[COUNTER_STREAM_SUCCEEDED] += result == FEEDBACK_WRITTEN;
        *cost += COST_PRIMITIVE;
        if (result == FEEDBACK_WRITTEN)
            *cost += COST_COMPONENT * primitive->corners * feedback_components(writer->state, 0);
    }
    return true;
}

/* Offsets go back to where they are kept, and observers are told what was written. */
static void keep_offsets(const struct draw_pipeline *pipeline, const struct feedback_writer *writer) {
    for (unsigned b = 0; b < FEEDBACK_BUFFERS; b++) {
        uint64_t before = counter_value(pipeline->call, COUNTER_STREAM_BYTES + b);
        if (writer->offset[b] == before)
            continue;
        counter_set(pipeline->call, COUNTER_STREAM_BYTES + b, writer->offset[b]);
        call_writes_bytes(pipeline->call, "feedback", &pipeline->worker[0]->lent.memory.space,
                          writer->state->buffer[b].address + before, writer->offset[b] - before);
    }
}

bool stage_feedback_write(struct draw_pipeline *pipeline, uint64_t *cost) {
    struct draw_group *group = pipeline->group;
    struct feedback_writer writer;
    bool good = true;
    if (!group->fed)
        return true;
    feedback_begin(&writer, &pipeline->decoded.state.feedback, write_memory, pipeline->worker[0]);
    for (unsigned b = 0; b < FEEDBACK_BUFFERS; b++)
        writer.offset[b] = counter_value(pipeline->call, COUNTER_STREAM_BYTES + b);
    for (unsigned i = 0; i < group->fed && good; i++)
        good = write_block(&writer, group, group->fed_block[i], cost);
    good = feedback_end(&writer) && good;
    keep_offsets(pipeline, &writer);
    return good;
}
