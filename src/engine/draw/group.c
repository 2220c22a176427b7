/* SPDX-License-Identifier: MIT */
#include "engine/draw/group.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "engine/draw/object.h"
#include "engine/draw/pipeline.h"

struct draw_group *draw_group_new(void) {
    struct draw_group *group = aligned_alloc(64, (sizeof *group + 63) / 64 * 64);
    if (group)
        group->ready = false;
    return group;
}

/* ---- blocks ---- */

bool group_has_room(const struct draw_group *group) {
    const unsigned most = sizeof group->drawn / sizeof group->drawn[0];
    assert(group->pool.count <= group->pool.most && group->drawn_count <= most);
    return group->pool.most - group->pool.count >= GROUP_POOL && most - group->drawn_count >= GROUP_DRAWN;
}

struct vertex_block *group_room(struct draw_worker *worker) {
    struct draw_group *group = worker->pipeline->group;
    return group->blocks < GROUP_BLOCKS ? &group->block[group->blocks++] : NULL;
}

/*
 * The first block is there whatever it is. A later one is left to the next group if it fails, or could have more lanes.
 */
static bool add_block(struct draw_pipeline *pipeline, uint32_t *taken, bool more) {
    struct draw_group *group = pipeline->group;
    struct draw_worker *worker = pipeline->worker[0];
    const struct draw_object *object = pipeline->object;
    struct vertex_block *block = &group->block[group->blocks];
    bool first = !group->blocks;
    vertex_block_take(block, object, first ? &object->assembly : &block[-1].after, *taken);
    if (!first && (!block->taken || (more && *taken + block->taken == object->queued)))
        return false;
    uint64_t counted[COUNTERS];
    const unsigned fed = group->fed;
    memcpy(counted, group->counted, sizeof counted);
    worker->lent.faults.quiet = !first;
    enum stage_result result = graph_run(&pipeline->graph, worker, block, &(struct graph_cursor){0});
    worker->lent.faults.quiet = false;
    assert(result != STAGE_MORE); /* no stage that is there makes blocks, so the group has room for this one */
    if (result != STAGE_DONE) {
        worker->lent.faults.failed &= first;
        memcpy(group->counted, counted, sizeof counted);
        group->fed = fed;
        return false;
    }
    *taken += block->taken;
    group->blocks++;
    return true;
}

/*
 * A vertex program that writes memory runs once, as far as that can be: what is made again after a load is one block.
 */
static bool make(struct draw_pipeline *pipeline, bool more, uint64_t *cost) {
    struct draw_group *group = pipeline->group;
    const struct draw_stage_program *program = pipeline->decoded.state.stages.stage;
    bool effects = (program[STAGE_VERTEX].header[0] | program[STAGE_VERTEX_A].header[0]) >> 16 & 1;
    uint32_t taken = 0;
    group->blocks = group->drawn_count = 0;
    group->fed = 0;
    memset(group->counted, 0, sizeof group->counted);
    group->pool = (struct clip_pool){group->room, 0, 2 * GROUP_POOL};
    do
        *cost += COST_BLOCK;
    while (add_block(pipeline, &taken, more) && group->blocks < GROUP_BLOCKS && group_has_room(group) && !effects);
    assert(taken <= pipeline->object->queued);
    group->ready = group->blocks > 0;
    return group->ready;
}

/* ---- counters ---- */

static void count(const struct draw_pipeline *pipeline, enum counter counter, uint64_t amount) {
    if (amount && pipeline->decoded.state.stages.counters >> counter & 1)
        counter_add(pipeline->call, counter, amount);
}

void group_count(const struct draw_worker *worker, const struct stage_step *step, unsigned counter, uint64_t amount) {
    assert(counter < COUNTERS);
    worker->pipeline->group->counted[counter] += step->again ? 0 : amount;
}

static void count_group(const struct draw_pipeline *pipeline, uint32_t taken) {
    const struct draw_group *group = pipeline->group;
    uint64_t vertices = 0, primitives = 0;
    for (unsigned i = 0; i < taken; i++)
        vertices += !pipeline->object->queue[i].restart;
    for (unsigned b = 0; b < group->blocks; b++)
        for (unsigned i = 0; i < group->block[b].primitives; i++)
            primitives += group->block[b].primitive[i].counts;
    pipeline->object->tally.vertices += vertices;
    pipeline->object->tally.primitives += primitives;
    count(pipeline, COUNTER_VERTICES, vertices);
    count(pipeline, COUNTER_PRIMITIVES, primitives);
    count(pipeline, COUNTER_VERTEX_SHADER, vertices);
    for (unsigned i = 0; i < COUNTERS; i++)
        count(pipeline, (enum counter)i, group->counted[i]);
    if (!pipeline->decoded.state.raster.discard)
        count(pipeline, COUNTER_CLIPPER_PRIMITIVES, group->drawn_count);
}

/* ---- groups ---- */

/* The group is drawn: what it was made of leaves the queue. */
static void commit(struct draw_pipeline *pipeline, struct stage_cursor *at) {
    struct draw_object *object = pipeline->object;
    const struct draw_group *group = pipeline->group;
    uint32_t taken = 0;
    for (unsigned i = 0; i < group->blocks; i++)
        taken += group->block[i].taken;
    assert(group->blocks && taken <= object->queued);
    count_group(pipeline, taken);
    object->assembly = group->block[group->blocks - 1].after;
    object->queued -= taken;
    memmove(object->queue, object->queue + taken, object->queued * sizeof object->queue[0]);
    object->stipple = (uint32_t)at->carried;
    at->item = at->part = 0;
    pipeline->group->ready = false;
}

static enum stage_result draw(struct draw_pipeline *pipeline, struct stage_cursor *at, uint64_t budget,
                              uint64_t *cost) {
    uint64_t units = (budget > *cost ? budget - *cost : 0) / COST_QUAD;
    struct stage_step step = {.at = *at, .budget = units + 1};
    enum stage_result result = stage_raster.run(pipeline->worker[0], &step);
    pipeline->worker[0]->done.quads += step.used;
    *cost += COST_QUAD * step.used;
    *cost += draw_workers_cost(pipeline);
    if (result != STAGE_FAILED)
        *at = step.at;
    return result;
}

enum stage_result draw_group(struct draw_pipeline *pipeline, struct stage_cursor *at, bool more, uint64_t budget,
                             uint64_t *cost) {
    if (!pipeline->group->ready) {
        bool made = make(pipeline, more, cost);
        *cost += draw_workers_cost(pipeline);
        if (!made)
            return STAGE_FAILED;
        if (!at->item && !at->part)
            at->carried = pipeline->object->stipple;
    }
    enum stage_result result = draw(pipeline, at, budget, cost);
    if (result == STAGE_DONE && !stage_feedback_write(pipeline, cost))
        result = STAGE_FAILED;
    if (result == STAGE_DONE)
        commit(pipeline, at);
    return result;
}
