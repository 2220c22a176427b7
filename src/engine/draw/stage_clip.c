/* SPDX-License-Identifier: MIT */
/* Vertices get their place in the window, and what clipping leaves of primitives is added to the group. */
#include <assert.h>
#include <string.h>

#include "engine/draw/links.h"
#include "engine/draw/object.h"
#include "engine/draw/pipeline.h"
#include "engine/draw/watched.h"

/* SWIZZLE of viewports: 0 x, 1 -x, 2 y ... */
static void place(const struct draw_worker *worker, const struct vertex_block *block, struct draw_vertex *vertex,
                  unsigned lane, unsigned viewport) {
    for (unsigned i = 0; i < 4; i++) {
        unsigned from = worker->pipeline->decoded.state.view.swizzle[viewport][i];
        uint32_t bits = block->word[WORD_POSITION + (from / 2 & 3)][lane];
        vertex->attribute[WORD_POSITION + i] = from & 1 ? bits ^ 0x80000000u : bits;
    }
    clip_place(&worker->pipeline->decoded.state.view, vertex, viewport);
}

/* As programs write it, and as fragments read it. */
static uint32_t viewport_word(const struct draw_worker *worker, const struct vertex_block *block, unsigned lane) {
    bool written = links_write(worker->pipeline, WORD_VIEWPORT) || links_write(worker->pipeline, WORD_VIEWPORT_MASK);
    return written ? block->word[WORD_VIEWPORT][lane] : 0;
}

/* UNKNOWN: one that is not there; chosen: 0. */
static unsigned viewport_of(const struct draw_worker *worker, const struct vertex_block *block, unsigned lane) {
    uint32_t viewport = viewport_word(worker, block, lane);
    return viewport < DRAW_VIEWPORTS ? viewport : 0;
}

static void get_vertex(const struct draw_worker *worker, const struct vertex_block *block, unsigned lane,
                       struct draw_vertex *vertex) {
    const struct draw_stages_state *stages = &worker->pipeline->decoded.state.stages;
    for (unsigned i = 0; i < 8; i++)
        vertex->attribute[WORD_DISTANCE + i] = block->word[WORD_DISTANCE + i][lane];
    for (unsigned i = 0; i < stages->carried.count; i++) {
        unsigned word = stages->carried.word[i];
        vertex->attribute[word] = block->word[word][lane];
    }
    memcpy(&vertex->point_size, &block->word[WORD_POINT_SIZE][lane], sizeof vertex->point_size);
}

/* A block that is on its way into the group, and its vertices there. */
struct clipping {
    struct draw_worker *worker;
    const struct vertex_block *block;
    const struct draw_vertex *vertex;
};

/* A corner whose own viewport is another than the primitive's gets its place anew. */
static const struct draw_vertex *corner_of(const struct clipping *c, unsigned lane, unsigned viewport) {
    struct clip_pool *pool = &c->worker->pipeline->group->pool;
    if (viewport_of(c->worker, c->block, lane) == viewport || pool->count == pool->most)
        return &c->vertex[lane];
    struct draw_vertex *copy = &pool->vertex[pool->count++];
    *copy = c->vertex[lane];
    place(c->worker, c->block, copy, lane, viewport);
    return copy;
}

static uint32_t layer_of(const struct draw_pipeline *pipeline, const struct vertex_block *block, unsigned lane,
                         unsigned viewport) {
    const struct draw_state *state = &pipeline->decoded.state;
    bool own = state->view.shader_layer && links_write(pipeline, WORD_LAYER);
    uint32_t layer = own ? block->word[WORD_LAYER][lane] : state->view.shader_layer ? 0 : state->view.layer;
    return layer + (state->view.layer_plus_viewport ? viewport : 0);
}

static void clip_one(const struct clipping *c, const struct block_primitive *from) {
    const struct draw_state *state = &c->worker->pipeline->decoded.state;
    const struct clip clip = {&state->view, &state->stages.carried};
    struct draw_group *group = c->worker->pipeline->group;
    uint16_t corner[3];
    unsigned corners = vertex_block_inner(from, corner);
    assert(from->first + from->corners <= c->block->corners);
    if (!corners)
        return;
    unsigned provoking = from->provoking % SHADE_LANES, viewport = viewport_of(c->worker, c->block, provoking);
    bool own_id = links_write(c->worker->pipeline, WORD_PRIMITIVE);
    struct draw_primitive primitive = {.kind = (uint8_t)(corners - 1),
                                       .edges = from->edges,
                                       .viewport = (uint8_t)viewport,
                                       .viewport_word = viewport_word(c->worker, c->block, provoking),
                                       .restart = from->restart,
                                       .layer = layer_of(c->worker->pipeline, c->block, provoking, viewport),
                                       .id = own_id ? c->block->word[WORD_PRIMITIVE][provoking] : from->id,
                                       .flat = &c->vertex[provoking]};
    for (unsigned i = 0; i < corners; i++)
        primitive.vertex[i] = corner_of(c, c->block->corner[corner[i]] % SHADE_LANES, viewport);
    unsigned left = clip_primitive(&clip, &group->pool, &primitive, &group->drawn[group->drawn_count]);
    draw_watch_primitives(c->worker, &group->drawn[group->drawn_count], left);
    group->drawn_count += left;
}

void stage_clip_block(struct draw_worker *worker, struct vertex_block *block) {
    struct draw_group *group = worker->pipeline->group;
    assert(group_has_room(group) && block->lanes <= SHADE_LANES);
    struct draw_vertex *vertex = &group->vertex[group->blocks * SHADE_LANES];
    const struct clipping clipping = {worker, block, vertex};
    group->final[group->blocks++] = block;
    if (worker->pipeline->decoded.state.raster.discard)
        return;
    for (unsigned lane = 0; lane < block->lanes; lane++) {
        get_vertex(worker, block, lane, &vertex[lane]);
        place(worker, block, &vertex[lane], lane, viewport_of(worker, block, lane));
    }
    for (unsigned i = 0; i < block->primitives; i++)
        if (block->primitive[i].stream == worker->pipeline->decoded.state.raster.stream)
            clip_one(&clipping, &block->primitive[i]);
}

static void needs(const struct draw_pipeline *pipeline, struct block_words *words) {
    const struct draw_stages_state *stages = &pipeline->decoded.state.stages;
    for (unsigned word = WORD_LAYER; word < WORD_POSITION + 4; word++)
        block_words_add(words, word);
    for (unsigned word = WORD_DISTANCE; word < WORD_DISTANCE + 8; word++)
        block_words_add(words, word);
    for (unsigned i = 0; i < stages->carried.count; i++)
        block_words_add(words, stages->carried.word[i]);
    if (links_write(pipeline, WORD_PRIMITIVE))
        block_words_add(words, WORD_PRIMITIVE);
}

static unsigned count_drawn(const struct draw_pipeline *pipeline, const struct vertex_block *block) {
    unsigned count = 0;
    for (unsigned i = 0; i < block->primitives; i++)
        count += block->primitive[i].stream == pipeline->decoded.state.raster.stream;
    return count;
}

unsigned stage_clip_count(const struct draw_pipeline *pipeline, const struct vertex_block *block) {
    unsigned count[COUNTER_STREAMS] = {0};
    for (unsigned i = 0; i < block->primitives; i++)
        count[block->primitive[i].stream % COUNTER_STREAMS]++;
    for (unsigned stream = 0; stream < COUNTER_STREAMS; stream++)
        draw_count(pipeline, COUNTER_STREAM_OUT + stream, count[stream]);
    pipeline->object->tally.generated += block->primitives;
    return count_drawn(pipeline, block);
}

static enum stage_result run(struct draw_worker *worker, struct stage_step *step) {
    const struct draw_pipeline *pipeline = worker->pipeline;
    unsigned before = pipeline->group->drawn_count;
    if (!group_has_room(pipeline->group))
        return STAGE_MORE;
    stage_clip_block(worker, step->block);
    bool counted = links_write(pipeline, WORD_VIEWPORT_MASK); /* before they were sent to viewports */
    unsigned comes = counted ? count_drawn(pipeline, step->block) : stage_clip_count(pipeline, step->block);
    if (pipeline->decoded.state.raster.discard)
        return STAGE_DONE;
    draw_count(pipeline, COUNTER_CLIPPER, comes);
    draw_count(pipeline, COUNTER_CLIPPER_PRIMITIVES, pipeline->group->drawn_count - before);
    return STAGE_DONE;
}

const struct draw_stage stage_clip = {.name = "clip", .program = NO_PROGRAM, .needs = needs, .run = run};
