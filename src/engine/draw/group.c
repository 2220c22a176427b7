/* SPDX-License-Identifier: MIT */
#include "engine/draw/group.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "engine/draw/object.h"
#include "engine/draw/pipeline.h"

_Static_assert(GROUP_ROOM <= 32, "blocks that are used are bits of a word");

/* Rows are aligned; and most of it is never used, so that nobody should write zeros there. */
struct draw_group *draw_group_new(void) {
    const size_t alignment = _Alignof(struct draw_group);
    uint8_t *memory = calloc(1, sizeof(struct draw_group) + alignment);
    if (!memory)
        return NULL;
    struct draw_group *group = (void *)(memory + (alignment - (uintptr_t)memory % alignment) % alignment);
    group->memory = memory;
    draw_group_clear(group);
    return group;
}

void draw_group_free(struct draw_group *group) {
    if (group)
        free(group->memory);
}

/* ---- blocks ---- */

/* A group begins; what is on its way stays. */
static void begin(struct draw_group *group) {
    for (unsigned i = 0; i < group->blocks; i++)
        group->used &= ~(1u << (group->final[i] - group->room));
    group->ready = group->loaded = false;
    group->inputs = group->blocks = group->drawn_count = 0;
    group->pool = (struct clip_pool){group->pool_room, 0, 2 * GROUP_POOL};
}

void draw_group_clear(struct draw_group *group) {
    begin(group);
    group->used = 0;
    group->way = (struct graph_way){0};
}

bool draw_group_under_way(const struct draw_group *group) {
    return group->ready || group->inputs || !way_is_idle(&group->way);
}

bool group_has_room(const struct draw_group *group) {
    const unsigned most = sizeof group->drawn / sizeof group->drawn[0];
    assert(group->pool.count <= group->pool.most && group->drawn_count <= most);
    return group->blocks < GROUP_BLOCKS && group->pool.most - group->pool.count >= GROUP_POOL &&
           most - group->drawn_count >= GROUP_DRAWN;
}

static struct vertex_block *room_of(struct draw_group *group) {
    for (unsigned i = 0; i < GROUP_ROOM; i++) {
        if (group->used >> i & 1)
            continue;
        group->used |= 1u << i;
        return &group->room[i];
    }
    return NULL;
}

struct vertex_block *group_room(struct draw_worker *worker) {
    worker->lent.costs.programs += COST_BLOCK;
    return room_of(worker->pipeline->group);
}

void group_drop(struct draw_worker *worker, struct vertex_block *block) {
    struct draw_group *group = worker->pipeline->group;
    assert(block >= group->room && block < group->room + GROUP_ROOM);
    group->used &= ~(1u << (block - group->room));
}

bool group_pause(struct draw_worker *worker) {
    return worker->lent.costs.programs >= worker->pipeline->group->pause_at;
}

/* ---- counters ---- */

void draw_count(const struct draw_pipeline *pipeline, unsigned counter, uint64_t amount) {
    assert(counter < COUNTERS);
    if (amount && pipeline->decoded.state.stages.counters >> counter & 1)
        counter_add(pipeline->call, (enum counter)counter, amount);
}

/* What comes from the queue; stages count what they make. */
static void count_input(const struct draw_pipeline *pipeline, uint32_t first, const struct vertex_block *block) {
    uint64_t vertices = 0, primitives = 0;
    for (unsigned i = 0; i < block->taken; i++)
        vertices += !pipeline->object->queue[first + i].restart;
    for (unsigned i = 0; i < block->primitives; i++)
        primitives += block->primitive[i].counts;
    pipeline->object->tally.vertices += vertices;
    pipeline->object->tally.primitives += primitives;
    draw_count(pipeline, COUNTER_VERTICES, vertices);
    draw_count(pipeline, COUNTER_PRIMITIVES, primitives);
    draw_count(pipeline, COUNTER_VERTEX_SHADER, vertices);
}

/* ---- a group is made ---- */

/* Some items at the beginning of the queue, of which `taken` are of no use any more. */
static struct vertex_block *next_block(struct draw_pipeline *pipeline, uint32_t taken, bool more) {
    const struct draw_object *object = pipeline->object;
    struct draw_group *group = pipeline->group;
    struct vertex_block *block = room_of(group);
    assert(block && way_is_idle(&group->way));
    vertex_block_take(block, object, &object->assembly, taken);
    bool waits = group->inputs && more && taken + block->taken == object->queued;
    if (block->taken && !waits)
        return block;
    group_drop(pipeline->worker[0], block);
    return NULL;
}

/*
 * STAGE_MORE: there is no block for this group any more. The first block is there whatever it is. A later one is left to
 * the next group if it could have more lanes, or if it fails: then it is tried again, unless what it does shows.
 */
static enum stage_result add_block(struct draw_pipeline *pipeline, uint32_t *taken, bool more) {
    struct draw_group *group = pipeline->group;
    struct draw_worker *worker = pipeline->worker[0];
    struct vertex_block *block = next_block(pipeline, *taken, more);
    if (!block)
        return STAGE_MORE;
    bool tried = group->inputs && !pipeline->once;
    const struct assembly after = block->after;
    uint32_t end = *taken + block->taken;
    worker->lent.costs.programs += COST_BLOCK;
    if (!tried)
        count_input(pipeline, *taken, block);
    way_begin(&pipeline->graph, worker, &group->way, block);
    worker->lent.faults.quiet = tried;
    enum stage_result result = tried ? graph_run(&pipeline->graph, worker, &group->way) : STAGE_DONE;
    worker->lent.faults.quiet = false;
    if (result == STAGE_FAILED) {
        worker->lent.faults.failed = false;
        way_leave(&pipeline->graph, worker, &group->way);
        return STAGE_MORE;
    }
    if (tried)
        count_input(pipeline, *taken, block); /* it is as it was: nothing has used its room */
    group->inputs++;
    pipeline->object->assembly = after;
    *taken = end;
    return STAGE_DONE;
}

/* STAGE_MORE: enough for this slice. */
static enum stage_result fill(struct draw_pipeline *pipeline, uint32_t *taken, bool more) {
    struct draw_group *group = pipeline->group;
    while (!group->ready) {
        enum stage_result result = graph_run(&pipeline->graph, pipeline->worker[0], &group->way);
        if (result == STAGE_FAILED)
            return result;
        bool full = !group_has_room(group);
        if (result == STAGE_MORE && !full)
            return result;
        if (full || add_block(pipeline, taken, more) == STAGE_MORE)
            group->ready = true;
    }
    return STAGE_DONE;
}

static enum stage_result make(struct draw_pipeline *pipeline, bool more, uint64_t budget, uint64_t *cost) {
    struct draw_object *object = pipeline->object;
    uint32_t taken = 0;
    assert(!pipeline->worker[0]->lent.costs.programs);
    pipeline->group->pause_at = budget > *cost ? budget - *cost : 0;
    enum stage_result result = fill(pipeline, &taken, more);
    *cost += draw_workers_cost(pipeline);
    assert(taken <= object->queued);
    object->queued -= taken;
    memmove(object->queue, object->queue + taken, object->queued * sizeof object->queue[0]);
    return result;
}

/* ---- groups ---- */

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

/* After a load, whose counts of blocks and of ways may be too large. */
static void take_up(struct draw_pipeline *pipeline) {
    struct draw_group *group = pipeline->group;
    unsigned blocks = group->blocks;
    way_trim(&pipeline->graph, pipeline->worker[0], &group->way);
    group->loaded = false;
    group->blocks = 0;
    for (unsigned i = 0; i < blocks; i++)
        if (group_has_room(group))
            stage_clip_block(pipeline->worker[0], group->final[i]);
        else
            group_drop(pipeline->worker[0], group->final[i]);
}

enum stage_result draw_group(struct draw_pipeline *pipeline, struct stage_cursor *at, bool more, uint64_t budget,
                             uint64_t *cost) {
    struct draw_group *group = pipeline->group;
    if (group->loaded)
        take_up(pipeline);
    if (!group->ready) {
        enum stage_result made = make(pipeline, more, budget, cost);
        if (made != STAGE_DONE)
            return made;
        *at = (struct stage_cursor){.carried = pipeline->object->stipple};
    }
    enum stage_result result = draw(pipeline, at, budget, cost);
    if (result != STAGE_DONE)
        return result;
    pipeline->object->stipple = (uint32_t)at->carried;
    at->item = at->part = 0;
    begin(group);
    return STAGE_DONE;
}

/* ---- saved ---- */

static struct vertex_block *block_state(struct draw_group *group, struct vertex_block *block, struct state_io *io) {
    if (io->loading)
        block = room_of(group);
    assert(block);
    vertex_block_state(block, io);
    return block;
}

/* Each block that is loaded is in a room of its own: there are fewer than rooms. */
static void way_state(struct draw_group *group, struct state_io *io) {
    for (unsigned i = 0; i < DRAW_PLACES; i++) {
        struct graph_place *place = &group->way.place[i];
        bool there = place->block != NULL;
        state_bool(io, &there);
        if (!there)
            continue;
        place->block = block_state(group, place->block, io);
        state_u64(io, &place->at.item);
        state_u64(io, &place->at.part);
        state_u64(io, &place->at.carried);
    }
}

void draw_group_state(struct draw_object *object, struct state_io *io) {
    struct draw_group *group = object->pipeline ? object->pipeline->group : NULL;
    bool there = group && draw_group_under_way(group);
    state_bool(io, &there);
    if (!there)
        return;
    if (io->loading)
        group = pipeline_group(object);
    if (!group) {
        state_fail(io, PFIFO_ERROR_MEMORY, "no memory");
        return;
    }
    state_bool(io, &group->ready);
    state_u32(io, &group->inputs);
    group->blocks = state_count(io, group->blocks, GROUP_BLOCKS, "blocks of a group");
    for (unsigned i = 0; i < group->blocks; i++)
        group->final[i] = block_state(group, group->final[i], io);
    way_state(group, io);
    group->loaded = io->loading;
    pipeline_stages_state(object->pipeline, io);
    if (io->loading && !state_good(io))
        draw_group_clear(group);
}
