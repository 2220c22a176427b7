/* SPDX-License-Identifier: MIT */
#include "engine/draw/vertex_block.h"

#include "engine/draw/worker.h"

/* SWIZZLE of viewports: 0 x, 1 -x, 2 y ... */
static void place(const struct draw_worker *work, const struct vertex_block *block, struct draw_vertex *vertex,
                  unsigned lane, unsigned viewport) {
    for (unsigned i = 0; i < 4; i++) {
        unsigned from = work->state.view.swizzle[viewport][i];
        uint32_t bits = block->position[from / 2 & 3][lane];
        vertex->attribute[WORD_POSITION + i] = from & 1 ? bits ^ 0x80000000u : bits;
    }
    clip_place(&work->state.view, vertex, viewport);
}

static unsigned viewport_of(const struct draw_worker *work, const struct vertex_block *block, unsigned lane) {
    uint32_t viewport = block->viewport[lane];
    bool written = draw_stages_write(&work->state.stages, WORD_VIEWPORT);
    return written && viewport < DRAW_VIEWPORTS ? viewport : 0;
}

/* A corner whose own viewport is another than the primitive's gets its place anew. */
static const struct draw_vertex *corner_of(struct draw_worker *work, const struct vertex_block *block, unsigned lane,
                                           unsigned viewport) {
    struct clip_pool *pool = &work->group->pool;
    if (viewport_of(work, block, lane) == viewport || pool->count == pool->most)
        return &block->vertex[lane];
    struct draw_vertex *copy = &pool->vertex[pool->count++];
    *copy = block->vertex[lane];
    place(work, block, copy, lane, viewport);
    return copy;
}

static void clip_one(struct draw_worker *work, const struct vertex_block *block, const struct assembled *from) {
    const struct draw_state *state = &work->state;
    const struct clip clip = {&state->view, &state->stages.carried};
    struct draw_group *group = work->group;
    unsigned provoking = from->provoking.lane % SHADE_LANES, viewport = viewport_of(work, block, provoking);
    struct draw_primitive primitive = {.kind = (uint8_t)(from->corners - 1),
                                       .edges = from->edges,
                                       .viewport = (uint8_t)viewport,
                                       .restart = from->first,
                                       .id = from->id,
                                       .flat = &block->vertex[provoking]};
    bool own_layer = state->view.shader_layer && draw_stages_write(&state->stages, WORD_LAYER);
    primitive.layer = own_layer ? block->layer[provoking] : state->view.shader_layer ? 0 : state->view.layer;
    primitive.layer += state->view.layer_plus_viewport ? viewport : 0;
    for (unsigned i = 0; i < from->corners; i++)
        primitive.vertex[i] = corner_of(work, block, from->corner[i].lane % SHADE_LANES, viewport);
    group->drawn_count += clip_primitive(&clip, &group->pool, &primitive, &group->drawn[group->drawn_count]);
}

void stage_clip(struct draw_worker *work, struct vertex_block *block) {
    if (block->assembled)
        for (unsigned lane = 0; lane < block->lanes; lane++)
            place(work, block, &block->vertex[lane], lane, viewport_of(work, block, lane));
    for (unsigned i = 0; i < block->assembled && !work->state.raster.discard; i++)
        clip_one(work, block, &block->primitive[i]);
}
