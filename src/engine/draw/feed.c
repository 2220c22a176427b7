/* SPDX-License-Identifier: MIT */
#include "engine/draw/feed.h"

#include "engine/core/work.h"
#include "engine/draw/object.h"
#include "engine/draw/pipeline.h"
#include "engine/draw/shading.h"
#include "engine/sync/counters.h"

/* ---- vertices ---- */

static bool restarts(const struct draw_indices_state *indices, uint32_t index) {
    return indices->restarts && index == indices->restart_index;
}

bool feed_array(struct draw_pipeline *pipeline, const struct feed *feed, uint64_t number, struct feed_item *item) {
    const struct draw_indices_state *indices = &pipeline->decoded.state.indices;
    uint32_t vertex = feed->first + (uint32_t)number, k = (uint32_t)number;
    item->restart = indices->array_restarts && restarts(indices, vertex);
    item->vertex.number = vertex + indices->base_vertex;
    item->vertex.id = k + (indices->id_from_first ? feed->first : 0) + indices->id_base;
    return true;
}

static void set_index(const struct draw_indices_state *indices, uint32_t index, struct feed_item *item) {
    item->restart = restarts(indices, index);
    item->vertex.number = index + indices->base_vertex;
    item->vertex.id = index + indices->id_base;
}

/* Beyond the limit, indices are 0: D3D's rule for safe accesses. */
bool feed_elements(struct draw_pipeline *pipeline, const struct feed *feed, uint64_t number, struct feed_item *item) {
    const struct draw_indices_state *indices = &pipeline->decoded.state.indices;
    uint64_t address = indices->start + (uint64_t)(uint32_t)(feed->first + number) * feed->bytes;
    uint8_t bytes[4] = {0};
    pipeline->worker[0]->lent.memory.use = USE_INDEX;
    if (address + feed->bytes - 1 <= indices->limit &&
        !lend_read(&pipeline->worker[0]->lent.memory, address, bytes, feed->bytes))
        return false;
    set_index(indices, load_le32(bytes), item);
    return true;
}

bool feed_inline(struct draw_pipeline *pipeline, const struct feed *feed, uint64_t number, struct feed_item *item) {
    uint64_t mask = (UINT64_C(1) << feed->bytes * 8) - 1;
    set_index(&pipeline->decoded.state.indices,
              (uint32_t)(pipeline->call->data >> (feed->first + number) * feed->bytes * 8 & mask), item);
    return true;
}

bool feed_zeros(struct draw_pipeline *pipeline, const struct feed *feed, uint64_t number, struct feed_item *item) {
    (void)feed;
    (void)number;
    set_index(&pipeline->decoded.state.indices, 0, item);
    return true;
}

bool feed_data(struct draw_pipeline *pipeline, const struct feed *feed, uint64_t number, struct feed_item *item) {
    bool edge = item->vertex.edge;
    (void)feed;
    (void)number;
    item->vertex = inline_vertices_last(pipeline->object, pipeline->call);
    item->vertex.edge = edge;
    return true;
}

/* ---- slices ---- */

/* A vertex waits. */
static void put(struct draw_object *object, const struct feed_item *item) {
    if (!item->restart && !item->vertex.with_data)
        tally_vertex(&object->tally, item->vertex.number);
    object->queue[object->queued++] = *item;
}

/* So many vertices of the method can wait now, the one that is none left out. */
static uint64_t room(const struct draw_object *object, const struct feed *feed, const struct pipeline_progress *at) {
    uint64_t count = feed->count && feed->end ? feed->count - 1 : feed->count;
    uint64_t left = at->vertex < count ? count - at->vertex : 0, most = FEED_QUEUE - object->queued;
    return left < most ? left : most;
}

static void fill_array(struct draw_pipeline *pipeline, const struct feed *feed, struct pipeline_progress *at) {
    struct feed_item item = {.vertex.edge = pipeline->decoded.state.indices.edge};
    for (uint64_t left = room(pipeline->object, feed, at); left; left--, at->vertex++) {
        feed_array(pipeline, feed, at->vertex, &item);
        put(pipeline->object, &item);
    }
}

/* Those whose indices lie in one piece with the next one. False: a fault. */
static bool fill_elements(struct draw_pipeline *pipeline, const struct feed *feed, struct pipeline_progress *at) {
    const struct draw_indices_state indices = pipeline->decoded.state.indices;
    const unsigned bytes = feed->bytes;
    struct feed_item item = {.vertex.edge = indices.edge};
    uint64_t left = room(pipeline->object, feed, at), there = 0;
    uint64_t address = indices.start + (uint64_t)(uint32_t)(feed->first + at->vertex) * bytes;
    const uint32_t until_wrap = UINT32_MAX - (uint32_t)(feed->first + at->vertex);
    if (!left || address + bytes - 1 > indices.limit)
        return true;
    pipeline->worker[0]->lent.memory.use = USE_INDEX;
    const uint8_t *from = lend_at(&pipeline->worker[0]->lent.memory, address, &there);
    const uint64_t within = indices.limit - address + 1;
    if (!from)
        return false;
    there = (there < within ? there : within) / bytes;
    left = left < there ? left : there;
    left = left < until_wrap ? left : until_wrap;
    for (; left; left--, at->vertex++, from += bytes) {
        uint32_t index = bytes == 4 ? load_le32(from) : bytes == 2 ? from[0] | (uint32_t)from[1] << 8 : from[0];
        set_index(&indices, index, &item);
        put(pipeline->object, &item);
    }
    return true;
}

static bool fill(struct draw_pipeline *pipeline, const struct feed *feed, struct pipeline_progress *at) {
    struct draw_object *object = pipeline->object;
    while (object->queued < FEED_QUEUE && at->vertex < feed->count) {
        struct feed_item item = {.vertex.edge = pipeline->decoded.state.indices.edge};
        const uint64_t before = at->vertex;
        if (feed->next == feed_array)
            fill_array(pipeline, feed, at);
        else if (feed->next == feed_elements && !fill_elements(pipeline, feed, at))
            return false;
        if (at->vertex != before)
            continue;
        if (feed->end && at->vertex + 1 == feed->count)
            item.restart = true;
        else if (!feed->next(pipeline, feed, at->vertex, &item))
            return false;
        put(object, &item);
        at->vertex++;
    }
    return true;
}

/* What the raster has counted since the slice began. */
static void count_pixels(const struct draw_pipeline *pipeline) {
    const struct draw_result *result = draw_raster_result(pipeline->raster);
    if (pipeline->decoded.state.zeta.counts)
        counter_add(pipeline->call, COUNTER_SAMPLES, result->samples);
    if (pipeline->decoded.state.stages.counters >> COUNTER_PIXEL_SHADER & 1)
        counter_add(pipeline->call, COUNTER_PIXEL_SHADER, result->fragments);
}

static enum stage_result slice(struct draw_pipeline *pipeline, const struct feed *feed, struct pipeline_progress *at,
                               uint64_t *cost) {
    const struct draw_object *object = pipeline->object;
    for (;;) {
        bool under_way = draw_group_under_way(pipeline->group);
        if (!fill(pipeline, feed, at))
            return STAGE_FAILED;
        if (!under_way && object->queued < FEED_QUEUE && !(feed->whole && object->queued))
            return STAGE_DONE;
        if (*cost >= WORK_SLICE_BYTES)
            return STAGE_MORE;
        enum stage_result result = draw_group(pipeline, &at->raster, at->vertex < feed->count, WORK_SLICE_BYTES, cost);
        if (result != STAGE_DONE)
            return result;
    }
}

/* The next instance of the method's vertices. False: there is none. */
static bool next_instance(struct draw_object *object, const struct feed *feed, struct pipeline_progress *at) {
    if (++at->instances >= feed->instances)
        return false;
    at->vertex = 0;
    object->instance = (uint32_t)at->instances;
    object->stipple = 0;
    object->assembly.id = 0;
    return true;
}

static void stop(const struct call *call, struct draw_object *object) {
    object->queued = 0;
    object->assembly.held = 0;
    object->assembly.count = 0;
    pipeline_drop_group(object->pipeline);
    work_end(call);
}

enum action_result feed_vertices(const struct call *call, const struct feed *feed) {
    struct draw_object *object = draw_object_of(call);
    struct pipeline_progress *at = work_progress(call, sizeof *at);
    uint64_t cost = 0;
    if (!object->drawing || !object->allowed || (!feed->count && !object->queued && !work_under_way(call)))
        return ACTION_DONE;
    if (!object->pipeline)
        object->pipeline = pipeline_new(object);
    if (!object->pipeline || !pipeline_prepare(object->pipeline, call)) {
        stop(call, object);
        return ACTION_DONE;
    }
    if (!work_under_way(call)) {
        pipeline_drop_group(object->pipeline);
        uint64_t count = feed->count - (feed->count && feed->end);
        tally_feed(&object->tally, feed->whole ? feed->first : 0, count);
        if (feed->next == feed_elements)
            tally_indices(&object->tally,
                          object->pipeline->decoded.state.indices.start + (uint64_t)feed->first * feed->bytes,
                          count * feed->bytes);
    }
    uint64_t cleared = shading_clear_local(object->pipeline);
    enum stage_result result = slice(object->pipeline, feed, at, &cost);
    count_pixels(object->pipeline);
    tally_slice(object->pipeline);
    pipeline_report(object->pipeline);
    work_costs(call, cost + cleared + WORK_START_BYTES);
    if (result == STAGE_MORE || (result == STAGE_DONE && next_instance(object, feed, at))) {
        work_pause(call);
        return ACTION_STALL;
    }
    if (result == STAGE_FAILED) {
        stop(call, object);
        work_break(call);
        return ACTION_DONE;
    }
    work_end(call);
    return ACTION_DONE;
}
