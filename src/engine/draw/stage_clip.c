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

/* A block that is on its way into the group, and its vertices there. */
struct clipping {
    struct draw_worker *worker;
    const struct vertex_block *block;
    struct draw_vertex *vertex;
    bool viewports, own_id, own_layer; /* the program chooses them */
    bool distances;                    /* something is cut by them */
    uint32_t within;                   /* lanes, as struct clip_places has them; 0: nobody knows */
};

static struct clipping clipping_of(struct draw_worker *worker, const struct vertex_block *block) {
    const struct draw_pipeline *pipeline = worker->pipeline;
    const struct draw_view_state *view = &pipeline->decoded.state.view;
    struct draw_group *group = pipeline->group;
    return (struct clipping){.worker = worker,
                             .block = block,
                             .vertex = &group->vertex[group->blocks * SHADE_LANES],
                             .viewports =
                                 links_write(pipeline, WORD_VIEWPORT) || links_write(pipeline, WORD_VIEWPORT_MASK),
                             .own_id = links_write(pipeline, WORD_PRIMITIVE),
                             .own_layer = view->shader_layer && links_write(pipeline, WORD_LAYER),
                             .distances = view->distances || view->culls};
}

/* As programs write it, and as fragments read it. */
static uint32_t viewport_word(const struct clipping *c, unsigned lane) {
    return c->viewports ? c->block->word[WORD_VIEWPORT][lane] : 0;
}

/* UNKNOWN: one that is not there; chosen: 0. */
static unsigned viewport_of(const struct clipping *c, unsigned lane) {
    uint32_t viewport = viewport_word(c, lane);
    return viewport < DRAW_VIEWPORTS ? viewport : 0;
}

/* All but its place. */
static void get_vertex(const struct clipping *c, unsigned lane, struct draw_vertex *vertex) {
    const struct draw_carried *carried = &c->worker->pipeline->decoded.state.stages.carried;
    const struct vertex_block *block = c->block;
    for (unsigned i = 0; i < 8 && c->distances; i++)
        vertex->attribute[WORD_DISTANCE + i] = block->word[WORD_DISTANCE + i][lane];
    for (unsigned i = 0; i < carried->count; i++)
        vertex->attribute[carried->word[i]] = block->word[carried->word[i]][lane];
    memcpy(&vertex->point_size, &block->word[WORD_POINT_SIZE][lane], sizeof vertex->point_size);
}

static bool is_plain(const uint8_t swizzle[4]) {
    return swizzle[0] == 0 && swizzle[1] == 2 && swizzle[2] == 4 && swizzle[3] == 6;
}

/* All vertices are seen in viewport 0, and axes are where they are. */
static void place_lanes(struct clipping *c) {
    const shade_row *position = &c->block->word[WORD_POSITION];
    struct clip_places places;
    clip_place_lanes(&c->worker->pipeline->decoded.state.view, position, c->block->lanes, 0, &places);
    c->within = places.within;
    for (unsigned lane = 0; lane < c->block->lanes; lane++) {
        struct draw_vertex *vertex = &c->vertex[lane];
        vertex->x = places.x[lane];
        vertex->y = places.y[lane];
        vertex->z = places.z[lane];
        vertex->rw = places.rw[lane];
        for (unsigned i = 0; i < 4; i++)
            vertex->attribute[WORD_POSITION + i] = position[i][lane];
        get_vertex(c, lane, vertex);
    }
}

static void get_vertices(struct clipping *c) {
    if (!c->viewports && is_plain(c->worker->pipeline->decoded.state.view.swizzle[0])) {
        place_lanes(c);
        return;
    }
    for (unsigned lane = 0; lane < c->block->lanes; lane++) {
        get_vertex(c, lane, &c->vertex[lane]);
        place(c->worker, c->block, &c->vertex[lane], lane, viewport_of(c, lane));
    }
}

/* A corner whose own viewport is another than the primitive's gets its place anew. */
static const struct draw_vertex *corner_of(const struct clipping *c, unsigned lane, unsigned viewport) {
    struct clip_pool *pool = &c->worker->pipeline->group->pool;
    if (viewport_of(c, lane) == viewport || pool->count == pool->most)
        return &c->vertex[lane];
    struct draw_vertex *copy = &pool->vertex[pool->count++];
    *copy = c->vertex[lane];
    place(c->worker, c->block, copy, lane, viewport);
    return copy;
}

static uint32_t layer_of(const struct clipping *c, unsigned lane, unsigned viewport) {
    const struct draw_view_state *view = &c->worker->pipeline->decoded.state.view;
    uint32_t layer = c->own_layer ? c->block->word[WORD_LAYER][lane] : view->shader_layer ? 0 : view->layer;
    return layer + (view->layer_plus_viewport ? viewport : 0);
}

/* What is left of it, in the group's list. */
static unsigned cut(const struct clipping *c, const struct draw_primitive *primitive, uint32_t lanes) {
    const struct draw_state *state = &c->worker->pipeline->decoded.state;
    const struct clip clip = {&state->view, &state->stages.carried};
    struct draw_group *group = c->worker->pipeline->group;
    struct draw_primitive *out = &group->drawn[group->drawn_count];
    if ((lanes & ~c->within) != 0)
        return clip_primitive(&clip, &group->pool, primitive, out);
    *out = *primitive;
    return 1;
}

static void clip_one(const struct clipping *c, const struct block_primitive *from) {
    struct draw_group *group = c->worker->pipeline->group;
    uint16_t corner[3];
    unsigned corners = vertex_block_inner(from, corner);
    uint32_t lanes = 0;
    assert(from->first + from->corners <= c->block->corners);
    if (!corners)
        return;
    unsigned provoking = from->provoking % SHADE_LANES, viewport = viewport_of(c, provoking);
    struct draw_primitive primitive = {.kind = (uint8_t)(corners - 1),
                                       .edges = from->edges,
                                       .viewport = (uint8_t)viewport,
                                       .viewport_word = viewport_word(c, provoking),
                                       .restart = from->restart,
                                       .layer = layer_of(c, provoking, viewport),
                                       .id = c->own_id ? c->block->word[WORD_PRIMITIVE][provoking] : from->id,
                                       .flat = &c->vertex[provoking]};
    for (unsigned i = 0; i < corners; i++) {
        unsigned lane = c->block->corner[corner[i]] % SHADE_LANES;
        primitive.vertex[i] = corner_of(c, lane, viewport);
        lanes |= 1u << lane;
    }
    unsigned left = cut(c, &primitive, lanes);
    draw_watch_primitives(c->worker, &group->drawn[group->drawn_count], left);
    group->drawn_count += left;
}

void stage_clip_block(struct draw_worker *worker, struct vertex_block *block) {
    struct draw_group *group = worker->pipeline->group;
    assert(group_has_room(group) && block->lanes <= SHADE_LANES);
    struct clipping clipping = clipping_of(worker, block);
    group->final[group->blocks++] = block;
    if (worker->pipeline->decoded.state.raster.discard)
        return;
    get_vertices(&clipping);
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
