/* SPDX-License-Identifier: MIT */
/*
 * A group: some batches whose primitives are drawn together, so that there is enough for regions and warps. It can be
 * made again from what is saved, so a slice may end in the middle of its primitives.
 */
#include <string.h>

#include "engine/draw/front_draw.h"
#include "engine/sync/counters.h"

/* ---- primitives ---- */

/* SWIZZLE of viewports: 0 x, 1 -x, 2 y ... */
static void place(const struct front_work *work, const struct front_batch *batch, struct draw_vertex *vertex,
                  unsigned lane, unsigned viewport) {
    for (unsigned i = 0; i < 4; i++) {
        unsigned from = work->state.swizzle[viewport][i];
        uint32_t bits = batch->position[from / 2 & 3][lane];
        vertex->attribute[WORD_POSITION + i] = from & 1 ? bits ^ 0x80000000u : bits;
    }
    clip_place(&work->state.clip, vertex, viewport);
}

static unsigned viewport_of(const struct front_work *work, const struct front_batch *batch, unsigned lane) {
    uint32_t viewport = batch->viewport[lane];
    bool written = front_state_writes(&work->state, WORD_VIEWPORT);
    return written && viewport < DRAW_VIEWPORTS ? viewport : 0;
}

/* A corner whose own viewport is another than the primitive's gets its place anew. */
static const struct draw_vertex *corner_of(struct front_work *work, const struct front_batch *batch, unsigned lane,
                                           unsigned viewport) {
    struct clip_pool *pool = &work->group->pool;
    if (viewport_of(work, batch, lane) == viewport || pool->count == pool->most)
        return &batch->vertex[lane];
    struct draw_vertex *copy = &pool->vertex[pool->count++];
    *copy = batch->vertex[lane];
    place(work, batch, copy, lane, viewport);
    return copy;
}

static void clip_one(struct front_work *work, const struct front_batch *batch, const struct assembled *from) {
    const struct front_state *state = &work->state;
    struct front_group *group = work->group;
    unsigned provoking = from->provoking.lane % SHADE_LANES, viewport = viewport_of(work, batch, provoking);
    struct draw_primitive primitive = {.kind = (uint8_t)(from->corners - 1),
                                       .edges = from->edges,
                                       .viewport = (uint8_t)viewport,
                                       .restart = from->first,
                                       .id = from->id,
                                       .flat = &batch->vertex[provoking]};
    bool own_layer = state->shader_layer && front_state_writes(state, WORD_LAYER);
    primitive.layer = own_layer ? batch->layer[provoking] : state->shader_layer ? 0 : state->layer;
    primitive.layer += state->layer_plus_viewport ? viewport : 0;
    for (unsigned i = 0; i < from->corners; i++)
        primitive.vertex[i] = corner_of(work, batch, from->corner[i].lane % SHADE_LANES, viewport);
    group->drawn_count += clip_primitive(&state->clip, &group->pool, &primitive, &group->drawn[group->drawn_count]);
}

static void clip_batch(struct front_work *work, struct front_batch *batch) {
    if (batch->assembled)
        for (unsigned lane = 0; lane < batch->lanes; lane++)
            place(work, batch, &batch->vertex[lane], lane, viewport_of(work, batch, lane));
    for (unsigned i = 0; i < batch->assembled && !work->state.draw.raster.discard; i++)
        clip_one(work, batch, &batch->primitive[i]);
}

/* ---- a group ---- */

static bool has_room(const struct front_group *group) {
    const unsigned most = sizeof group->drawn / sizeof group->drawn[0];
    return group->batches < FRONT_BATCHES && group->pool.most - group->pool.count >= FRONT_POOL &&
           most - group->drawn_count >= FRONT_DRAWN;
}

/* The first batch is there whatever it is. A later one is left to the next group if it fails, or could have more lanes.
 */
static bool add_batch(struct front_work *work, uint32_t *taken, bool more) {
    struct front_group *group = work->group;
    const struct front *front = work->front;
    struct front_batch *batch = &group->batch[group->batches];
    bool first = !group->batches;
    front_take(front, batch, first ? &front->assembly : &batch[-1].after, *taken);
    if (!first && (!batch->taken || (more && *taken + batch->taken == front->queued)))
        return false;
    work->quiet = !first;
    bool made = front_shade(work, batch);
    work->quiet = false;
    if (!made) {
        work->failed &= first;
        return false;
    }
    *taken += batch->taken;
    clip_batch(work, batch);
    group->batches++;
    return true;
}

/* A vertex program that writes memory runs once, as far as that can be: what is made again after a load is one batch.
 */
static bool make(struct front_work *work, bool more, uint64_t *cost) {
    struct front_group *group = work->group;
    bool effects = work->state.stage[STAGE_VERTEX].header[0] >> 16 & 1;
    uint32_t taken = 0;
    group->batches = group->drawn_count = 0;
    group->pool = (struct clip_pool){group->room, 0, 2 * FRONT_POOL};
    do
        *cost += FRONT_BATCH_COST;
    while (add_batch(work, &taken, more) && has_room(group) && !effects);
    work->ready = group->batches > 0;
    return work->ready;
}

/* ---- counters ---- */

/* Bits of 0xd68. */
enum { COUNTS_VERTICES, COUNTS_PRIMITIVES, COUNTS_PROGRAMS, COUNTS_OUT = 6, COUNTS_CLIPPER, COUNTS_CLIPPED };

static void count(const struct front_work *work, unsigned bit, enum counter counter, uint64_t amount) {
    if (work->value[0xd68 >> 2] >> bit & 1)
        counter_add(work->call, counter, amount);
}

static void count_group(const struct front_work *work, uint32_t taken) {
    const struct front_group *group = work->group;
    uint64_t vertices = 0, primitives = 0, assembled = 0;
    for (unsigned i = 0; i < taken; i++)
        vertices += !work->front->queue[i].restart;
    for (unsigned b = 0; b < group->batches; b++) {
        assembled += group->batch[b].assembled;
        for (unsigned i = 0; i < group->batch[b].assembled; i++)
            primitives += group->batch[b].primitive[i].counts;
    }
    work->front->tally.vertices += vertices;
    work->front->tally.primitives += primitives;
    count(work, COUNTS_VERTICES, COUNTER_VERTICES, vertices);
    count(work, COUNTS_PRIMITIVES, COUNTER_PRIMITIVES, primitives);
    count(work, COUNTS_PROGRAMS, COUNTER_VERTEX_SHADER, vertices);
    count(work, COUNTS_OUT, COUNTER_STREAM_OUT, assembled);
    if (work->state.draw.raster.discard)
        return;
    count(work, COUNTS_CLIPPER, COUNTER_CLIPPER, assembled);
    count(work, COUNTS_CLIPPED, COUNTER_CLIPPER_PRIMITIVES, group->drawn_count);
}

static void commit(struct front_work *work, struct front_progress *at) {
    struct front *front = work->front;
    const struct front_group *group = work->group;
    uint32_t taken = 0;
    for (unsigned i = 0; i < group->batches; i++)
        taken += group->batch[i].taken;
    count_group(work, taken);
    front->assembly = group->batch[group->batches - 1].after;
    front->queued -= taken;
    memmove(front->queue, front->queue + taken, front->queued * sizeof front->queue[0]);
    front->stipple = (uint32_t)at->stipple;
    at->primitive = at->band = 0;
    work->ready = false;
}

/* What programs have cost since this was asked, in bytes. */
static uint64_t group_programs_cost(struct front_work *work) {
    uint64_t cost = 0;
    for (unsigned i = 0; i < THREADS_MOST; i++) {
        struct front_work *member = front_taking_part(work, i);
        if (!member)
            continue;
        cost += member->cost;
        work->front->long_steps += member->long_steps;
        member->cost = member->long_steps = 0;
    }
    return cost;
}

enum front_result front_group(struct front_work *work, struct front_progress *at, bool more, uint64_t budget,
                              uint64_t *cost) {
    if (!work->ready) {
        bool made = make(work, more, cost);
        *cost += group_programs_cost(work);
        if (!made)
            return FRONT_FAILED;
        if (!at->primitive && !at->band)
            at->stipple = work->front->stipple;
    }
    const struct front_group *group = work->group;
    struct draw_progress progress = {(uint32_t)at->primitive, (uint32_t)at->band, (uint32_t)at->stipple};
    if (progress.primitive < group->drawn_count) {
        uint64_t units = (budget > *cost ? budget - *cost : 0) / FRONT_QUAD_COST;
        uint64_t used = draw_primitives(work->raster, group->drawn, group->drawn_count, &progress, units + 1);
        work->done.quads += used;
        *cost += FRONT_QUAD_COST * used;
        *cost += group_programs_cost(work);
        const struct draw_result *result = draw_raster_result(work->raster);
        if (result->failed || result->faulted)
            return FRONT_FAILED;
    }
    at->primitive = progress.primitive;
    at->band = progress.band;
    at->stipple = progress.stipple;
    if (progress.primitive < group->drawn_count)
        return FRONT_PAUSED;
    commit(work, at);
    return FRONT_DONE;
}
