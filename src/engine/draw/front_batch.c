/* SPDX-License-Identifier: MIT */
/*
 * A batch: as many vertices of the queue as a warp has lanes, with those before them that the assembly still holds. It
 * can be made again from what is saved, so a slice may end in the middle of its primitives.
 */
#include <string.h>

#include "engine/draw/front_draw.h"
#include "engine/sync/counters.h"

#define WORD_INSTANCE 0xbeu
#define WORD_VERTEX   0xbfu
#define WORD_GENERIC  0x20u

/* ---- which vertices ---- */

/* The lane of a vertex. False: there is none left. */
static bool lane_of(struct front_work *work, struct assembly_vertex *vertex) {
    for (unsigned i = 0; i < work->lanes; i++) {
        if (work->lane[i].number == vertex->number && work->lane[i].id == vertex->id &&
            work->lane[i].with_data == vertex->with_data) {
            vertex->lane = (uint8_t)i;
            return true;
        }
    }
    if (work->lanes == SHADE_LANES)
        return false;
    vertex->lane = (uint8_t)work->lanes;
    work->lane[work->lanes++] = *vertex;
    return true;
}

static void take(struct front_work *work) {
    const struct front *front = work->front;
    work->lanes = work->assembled = 0;
    work->after = front->assembly;
    for (unsigned i = 0; i < work->after.held && i < ASSEMBLY_HELD; i++)
        lane_of(work, &work->after.vertex[i]);
    for (work->taken = 0; work->taken < front->queued && work->assembled < FRONT_PRIMITIVES; work->taken++) {
        struct front_item item = front->queue[work->taken];
        struct assembled *out = &work->primitive[work->assembled];
        if (item.restart)
            work->assembled += assembly_restart(&work->after, out);
        else if (lane_of(work, &item.vertex))
            work->assembled += assembly_vertex(&work->after, &item.vertex, out);
        else
            break;
    }
}

/* ---- vertex program ---- */

/* Does the vertex program read this word? */
static bool reads(const struct front_stage *stage, unsigned word) {
    unsigned bit = 160 + word;
    return stage->header[bit / 32] >> bit % 32 & 1;
}

static bool fetch(struct front_work *work, unsigned number) {
    const struct front_state *state = &work->state;
    const struct vertex_attribute *attribute = &state->attribute[number];
    shade_row *rows = &work->inputs[WORD_GENERIC + 4 * number];
    for (unsigned lane = 0; lane < work->lanes; lane++) {
        struct vertex_number vertex = {work->lane[lane].number, work->front->instance, work->value[0x1438 >> 2]};
        uint32_t value[4];
        if (work->lane[lane].with_data)
            memcpy(value, front_inline_value(work->front, vertex.number, number), sizeof value);
        else if (attribute->constant)
            memcpy(value, work->front->constant[number], sizeof value);
        else if (!vertex_fetch(&state->streams, attribute, &vertex, front_read, work, value))
            return false;
        for (unsigned i = 0; i < 4; i++)
            rows[i][lane] = value[i];
    }
    return true;
}

/* VERTEX_ID_REPLACE (0x161c): [0] on, [11:4] the word of the attribute space that VertexID is then. */
static bool replace_id(struct front_work *work) {
    uint32_t control = work->value[0x161c >> 2], word = control >> 4 & 0xff;
    unsigned number = (word - WORD_GENERIC) / 4;
    if (!(control & 1) || word < WORD_GENERIC || number >= VERTEX_ATTRIBUTES)
        return true;
    if (!fetch(work, number))
        return false;
    memcpy(work->inputs[WORD_VERTEX], work->inputs[word], sizeof work->inputs[word]);
    return true;
}

static bool set_inputs(struct front_work *work) {
    const struct front_stage *stage = &work->state.stage[STAGE_VERTEX];
    for (unsigned i = 0; i < VERTEX_ATTRIBUTES; i++)
        if ((reads(stage, WORD_GENERIC + 4 * i) || reads(stage, WORD_GENERIC + 4 * i + 1) ||
             reads(stage, WORD_GENERIC + 4 * i + 2) || reads(stage, WORD_GENERIC + 4 * i + 3)) &&
            !fetch(work, i))
            return false;
    for (unsigned lane = 0; lane < work->lanes; lane++) {
        work->inputs[WORD_INSTANCE][lane] = work->front->instance;
        work->inputs[WORD_VERTEX][lane] = work->lane[lane].id;
    }
    return replace_id(work);
}

static void set_default(struct front_work *work, unsigned word) {
    for (unsigned i = 0; i < SHADE_LANES; i++)
        work->outputs[word][i] = work->state.defaults[word];
}

static void set_defaults(struct front_work *work) {
    for (unsigned word = WORD_LAYER; word < WORD_POSITION + 4; word++)
        set_default(work, word);
    for (unsigned word = WORD_DISTANCE; word < WORD_DISTANCE + 8; word++)
        set_default(work, word);
    for (unsigned i = 0; i < work->state.clip.word_count; i++)
        set_default(work, work->state.clip.word[i]);
}

/* NaN becomes 0. */
static uint32_t clamped(uint32_t bits) {
    float value;
    memcpy(&value, &bits, sizeof value);
    value = value > 0.0f ? value < 1.0f ? value : 1.0f : 0.0f;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

/* SWIZZLE of viewports: 0 x, 1 -x, 2 y ... */
static void set_position(struct front_work *work, struct draw_vertex *vertex, unsigned lane, unsigned viewport) {
    for (unsigned i = 0; i < 4; i++) {
        unsigned from = work->state.swizzle[viewport][i];
        uint32_t bits = work->outputs[WORD_POSITION + from / 2][lane];
        vertex->attribute[WORD_POSITION + i] = from & 1 ? bits ^ 0x80000000u : bits;
    }
}

static unsigned viewport_of(const struct front_work *work, unsigned lane) {
    uint32_t viewport = work->outputs[WORD_VIEWPORT][lane];
    bool written = front_state_writes(&work->state, WORD_VIEWPORT);
    return written && viewport < DRAW_VIEWPORTS ? viewport : 0;
}

static void get_vertex(struct front_work *work, unsigned lane) {
    const struct clip *clip = &work->state.clip;
    struct draw_vertex *vertex = &work->vertex[lane];
    set_position(work, vertex, lane, viewport_of(work, lane));
    for (unsigned i = 0; i < 8; i++)
        vertex->attribute[WORD_DISTANCE + i] = work->outputs[WORD_DISTANCE + i][lane];
    for (unsigned i = 0; i < clip->word_count; i++) {
        unsigned word = clip->word[i];
        uint32_t bits = work->outputs[word][lane];
        bool color = word >= 0xa0 && word < 0xb0;
        vertex->attribute[word] = color && work->state.clamp_colors ? clamped(bits) : bits;
    }
    memcpy(&vertex->point_size, &work->outputs[WORD_POINT_SIZE][lane], sizeof vertex->point_size);
    clip_place(clip, vertex, viewport_of(work, lane));
}

static bool shade_vertices(struct front_work *work) {
    if (!work->assembled)
        return true;
    front_forget_spans(work);
    work->use = USE_VERTEX;
    if (!set_inputs(work))
        return false;
    set_defaults(work);
    shade_warp_begin(&work->warp, work->program[STAGE_VERTEX], &work->stage[STAGE_VERTEX],
                     UINT32_MAX >> (SHADE_LANES - work->lanes), 0);
    if (!front_run(work))
        return false;
    for (unsigned lane = 0; lane < work->lanes; lane++)
        get_vertex(work, lane);
    return true;
}

/* ---- primitives ---- */

/* A corner whose own viewport is another than the primitive's gets its place anew. */
static const struct draw_vertex *corner_of(struct front_work *work, unsigned lane, unsigned viewport) {
    if (viewport_of(work, lane) == viewport || work->pool.count == work->pool.most)
        return &work->vertex[lane];
    struct draw_vertex *copy = &work->pool.vertex[work->pool.count++];
    *copy = work->vertex[lane];
    set_position(work, copy, lane, viewport);
    clip_place(&work->state.clip, copy, viewport);
    return copy;
}

static void clip_one(struct front_work *work, const struct assembled *from) {
    const struct front_state *state = &work->state;
    unsigned provoking = from->provoking.lane % SHADE_LANES, viewport = viewport_of(work, provoking);
    struct draw_primitive primitive = {.kind = (uint8_t)(from->corners - 1),
                                       .edges = from->edges,
                                       .viewport = (uint8_t)viewport,
                                       .restart = from->first,
                                       .id = from->id,
                                       .flat = &work->vertex[provoking]};
    bool own_layer = state->shader_layer && front_state_writes(state, WORD_LAYER);
    primitive.layer = own_layer ? work->outputs[WORD_LAYER][provoking] : state->shader_layer ? 0 : state->layer;
    primitive.layer += state->layer_plus_viewport ? viewport : 0;
    for (unsigned i = 0; i < from->corners; i++)
        primitive.vertex[i] = corner_of(work, from->corner[i].lane % SHADE_LANES, viewport);
    work->drawn_count += clip_primitive(&state->clip, &work->pool, &primitive, &work->drawn[work->drawn_count]);
}

static bool make(struct front_work *work) {
    take(work);
    if (!shade_vertices(work))
        return false;
    work->pool = (struct clip_pool){work->room, 0, FRONT_POOL};
    work->drawn_count = 0;
    for (unsigned i = 0; i < work->assembled && !work->state.draw.raster.discard; i++)
        clip_one(work, &work->primitive[i]);
    work->ready = true;
    return true;
}

/* ---- counters ---- */

/* Bits of 0xd68. */
enum { COUNTS_VERTICES, COUNTS_PRIMITIVES, COUNTS_PROGRAMS, COUNTS_OUT = 6, COUNTS_CLIPPER, COUNTS_CLIPPED };

static void count(const struct front_work *work, unsigned bit, enum counter counter, uint64_t amount) {
    if (work->value[0xd68 >> 2] >> bit & 1)
        counter_add(work->call, counter, amount);
}

static void count_batch(struct front_work *work) {
    uint64_t vertices = 0, primitives = 0;
    for (unsigned i = 0; i < work->taken; i++)
        vertices += !work->front->queue[i].restart;
    for (unsigned i = 0; i < work->assembled; i++)
        primitives += work->primitive[i].counts;
    work->front->tally.vertices += vertices;
    work->front->tally.primitives += primitives;
    count(work, COUNTS_VERTICES, COUNTER_VERTICES, vertices);
    count(work, COUNTS_PRIMITIVES, COUNTER_PRIMITIVES, primitives);
    count(work, COUNTS_PROGRAMS, COUNTER_VERTEX_SHADER, vertices);
    count(work, COUNTS_OUT, COUNTER_STREAM_OUT, work->assembled);
    if (work->state.draw.raster.discard)
        return;
    count(work, COUNTS_CLIPPER, COUNTER_CLIPPER, work->assembled);
    count(work, COUNTS_CLIPPED, COUNTER_CLIPPER_PRIMITIVES, work->drawn_count);
}

static void commit(struct front_work *work, struct front_progress *at) {
    struct front *front = work->front;
    count_batch(work);
    front->assembly = work->after;
    front->queued -= work->taken;
    memmove(front->queue, front->queue + work->taken, front->queued * sizeof front->queue[0]);
    front->stipple = (uint32_t)at->stipple;
    at->primitive = at->band = 0;
    work->ready = false;
}

enum front_result front_batch(struct front_work *work, struct front_progress *at, uint64_t budget, uint64_t *cost) {
    if (!work->ready) {
        bool made = make(work);
        *cost += (uint64_t)FRONT_QUAD_COST * 8 + front_steps_cost(work);
        if (!made)
            return FRONT_FAILED;
        if (!at->primitive && !at->band)
            at->stipple = work->front->stipple;
    }
    struct draw_progress progress = {(uint32_t)at->primitive, (uint32_t)at->band, (uint32_t)at->stipple};
    if (progress.primitive < work->drawn_count) {
        uint64_t units = (budget > *cost ? budget - *cost : 0) / FRONT_QUAD_COST;
        *cost += FRONT_QUAD_COST * draw_primitives(work->raster, work->drawn, work->drawn_count, &progress, units + 1);
        *cost += front_steps_cost(work);
        const struct draw_result *result = draw_raster_result(work->raster);
        if (result->failed || result->faulted)
            return FRONT_FAILED;
    }
    at->primitive = progress.primitive;
    at->band = progress.band;
    at->stipple = progress.stipple;
    if (progress.primitive < work->drawn_count)
        return FRONT_PAUSED;
    commit(work, at);
    return FRONT_DONE;
}
