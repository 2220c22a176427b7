/* SPDX-License-Identifier: MIT */
/* Vertices get their place in the window, and what clipping leaves of primitives is added to the group. */
#include <assert.h>

#include "engine/draw/pipeline.h"

/* SWIZZLE of viewports: 0 x, 1 -x, 2 y ... */
static void place(const struct draw_worker *worker, const struct vertex_block *block, struct draw_vertex *vertex,
                  unsigned lane, unsigned viewport) {
    for (unsigned i = 0; i < 4; i++) {
        unsigned from = worker->pipeline->decoded.state.view.swizzle[viewport][i];
        uint32_t bits = block->position[from / 2 & 3][lane];
        vertex->attribute[WORD_POSITION + i] = from & 1 ? bits ^ 0x80000000u : bits;
    }
    clip_place(&worker->pipeline->decoded.state.view, vertex, viewport);
}

static unsigned viewport_of(const struct draw_worker *worker, const struct vertex_block *block, unsigned lane) {
    uint32_t viewport = block->viewport[lane];
    bool written = draw_stages_write(&worker->pipeline->decoded.state.stages, WORD_VIEWPORT);
    return written && viewport < DRAW_VIEWPORTS ? viewport : 0;
}

/* A corner whose own viewport is another than the primitive's gets its place anew. */
static const struct draw_vertex *corner_of(struct draw_worker *worker, const struct vertex_block *block, unsigned lane,
                                           unsigned viewport) {
    struct clip_pool *pool = &worker->pipeline->group->pool;
    if (viewport_of(worker, block, lane) == viewport || pool->count == pool->most)
        return &block->vertex[lane];
    struct draw_vertex *copy = &pool->vertex[pool->count++];
    *copy = block->vertex[lane];
    place(worker, block, copy, lane, viewport);
    return copy;
}

static void clip_one(struct draw_worker *worker, const struct vertex_block *block, const struct block_primitive *from) {
    const struct draw_state *state = &worker->pipeline->decoded.state;
    const struct clip clip = {&state->view, &state->stages.carried};
    struct draw_group *group = worker->pipeline->group;
    assert(from->corners >= 1 && from->corners <= 3 && from->first + from->corners <= block->corners);
    unsigned provoking = from->provoking % SHADE_LANES, viewport = viewport_of(worker, block, provoking);
    struct draw_primitive primitive = {.kind = (uint8_t)(from->corners - 1),
                                       .edges = from->edges,
                                       .viewport = (uint8_t)viewport,
                                       .restart = from->restart,
                                       .id = from->id,
                                       .flat = &block->vertex[provoking]};
    bool own_layer = state->view.shader_layer && draw_stages_write(&state->stages, WORD_LAYER);
    primitive.layer = own_layer ? block->layer[provoking] : state->view.shader_layer ? 0 : state->view.layer;
    primitive.layer += state->view.layer_plus_viewport ? viewport : 0;
    for (unsigned i = 0; i < from->corners; i++)
        primitive.vertex[i] = corner_of(worker, block, block->corner[from->first + i] % SHADE_LANES, viewport);
    group->drawn_count += clip_primitive(&clip, &group->pool, &primitive, &group->drawn[group->drawn_count]);
}

static const char *ignores(const struct draw_pipeline *pipeline) {
    return draw_stages_write(&pipeline->decoded.state.stages, WORD_VIEWPORT_MASK) ? "viewport mask" : NULL;
}

static enum stage_result run(struct draw_worker *worker, struct stage_step *step) {
    struct vertex_block *block = step->block;
    if (!group_has_room(worker->pipeline->group))
        return STAGE_MORE;
    group_count(worker, step, COUNTER_STREAM_OUT, block->primitives);
    if (!worker->pipeline->decoded.state.raster.discard)
        group_count(worker, step, COUNTER_CLIPPER, block->primitives);
    for (unsigned lane = 0; lane < block->lanes; lane++)
        place(worker, block, &block->vertex[lane], lane, viewport_of(worker, block, lane));
    for (unsigned i = 0; i < block->primitives && !worker->pipeline->decoded.state.raster.discard; i++)
        clip_one(worker, block, &block->primitive[i]);
    return STAGE_DONE;
}

const struct draw_stage stage_clip = {.name = "clip", .program = NO_PROGRAM, .ignores = ignores, .run = run};
