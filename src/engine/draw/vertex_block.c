/* SPDX-License-Identifier: MIT */
#include "engine/draw/vertex_block.h"

#include <assert.h>
#include <string.h>

#include "engine/draw/object.h"
#include "state/state.h"

/* Which vertices have lanes: by the low bits of their numbers, the last one, and of each lane the one before. */
struct lanes {
    uint64_t seen; /* low bits that there are */
    uint8_t last[64], before[SHADE_LANES];
};

#define NO_LANE 0xffu

/* The lane of a vertex. False: there is none left. */
static bool lane_of(struct vertex_block *block, struct assembly_vertex *vertex, struct lanes *lanes) {
    const unsigned low = vertex->number & 63;
    const bool seen = lanes->seen >> low & 1;
    const unsigned newest = seen ? lanes->last[low] : NO_LANE;
    for (unsigned i = newest; i != NO_LANE; i = lanes->before[i]) {
        if (block->lane[i].number == vertex->number && block->lane[i].id == vertex->id &&
            block->lane[i].with_data == vertex->with_data) {
            vertex->lane = (uint8_t)i;
            return true;
        }
    }
    if (block->lanes == SHADE_LANES)
        return false;
    lanes->seen |= UINT64_C(1) << low;
    lanes->before[block->lanes] = (uint8_t)newest;
    lanes->last[low] = (uint8_t)block->lanes;
    vertex->lane = (uint8_t)block->lanes;
    block->lane[block->lanes++] = *vertex;
    return true;
}

static void add(struct vertex_block *block, const struct assembled *from, unsigned count) {
    for (unsigned i = 0; i < count; i++) {
        assert(block->primitives < BLOCK_MOST);
        assert(block->corners + from[i].corners <= BLOCK_CORNERS);
        block->primitive[block->primitives++] = (struct block_primitive){.id = from[i].id,
                                                                         .first = (uint16_t)block->corners,
                                                                         .corners = from[i].corners,
                                                                         .edges = from[i].edges,
                                                                         .provoking = from[i].provoking.lane,
                                                                         .restart = from[i].first,
                                                                         .counts = from[i].counts,
                                                                         .patch = from[i].patch};
        for (unsigned k = 0; k < from[i].corners; k++)
            block->corner[block->corners++] = from[i].corner[k].lane;
    }
}

void vertex_block_clear(struct vertex_block *block) {
    block->lanes = block->primitives = block->corners = 0;
    block->words.count = 0;
    block->has_patch = false;
}

/* ---- triangles, as assembly.c makes them ---- */

/* A triangle of separate ones, or of a strip, of vertices that have lanes. */
static void add_triangle(struct vertex_block *block, const uint8_t corner[3], unsigned edges, bool first) {
    struct assembly *after = &block->after;
    assert(block->primitives < BLOCK_MOST && block->corners + 3u <= BLOCK_CORNERS);
    block->primitive[block->primitives++] = (struct block_primitive){.id = after->id++,
                                                                     .first = (uint16_t)block->corners,
                                                                     .corners = 3,
                                                                     .edges = (uint8_t)edges,
                                                                     .provoking = corner[after->last ? 2 : 0],
                                                                     .restart = first,
                                                                     .counts = true};
    memcpy(&block->corner[block->corners], corner, 3);
    block->corners += 3;
}

/* Three vertices that wait, if none is held and there will be lanes for all. Returns how many were taken: 3 or 0. */
static unsigned take_triangle(struct vertex_block *block, const struct feed_item *items, uint32_t count,
                              struct lanes *lanes) {
    struct assembly *after = &block->after;
    struct assembly_vertex vertex[3];
    if (after->held || count < 3 || block->lanes + 3 > SHADE_LANES || items[0].restart || items[1].restart ||
        items[2].restart)
        return 0;
    for (unsigned i = 0; i < 3; i++) {
        vertex[i] = items[i].vertex;
        lane_of(block, &vertex[i], lanes);
    }
    const unsigned edges = (vertex[0].edge ? 1u : 0) | (vertex[1].edge ? 2u : 0) | (vertex[2].edge ? 4u : 0);
    add_triangle(block, (const uint8_t[3]){vertex[0].lane, vertex[1].lane, vertex[2].lane}, edges, true);
    after->count += 3;
    after->vertex[0] = vertex[0]; /* they are not held, but saved */
    after->vertex[1] = vertex[1];
    return 3;
}

/* The vertex that waits, if it makes a triangle of a strip. */
static unsigned take_strip(struct vertex_block *block, const struct feed_item *item, struct lanes *lanes) {
    struct assembly *after = &block->after;
    struct assembly_vertex vertex = item->vertex;
    if (after->held != 2 || after->count < 2 || item->restart || !lane_of(block, &vertex, lanes))
        return 0;
    const uint64_t number = after->count++ - 2;
    const uint8_t a = after->vertex[0].lane, b = after->vertex[1].lane, c = vertex.lane;
    if (number % 2 == 0)
        add_triangle(block, (const uint8_t[3]){a, b, c}, 7, number == 0);
    else if (after->last)
        add_triangle(block, (const uint8_t[3]){b, a, c}, 7, false);
    else
        add_triangle(block, (const uint8_t[3]){a, c, b}, 7, false);
    after->vertex[0] = after->vertex[1];
    after->vertex[1] = after->vertex[2] = vertex;
    return 1;
}

/* ---- any primitives ---- */

/* The first item that waits. Returns how many were taken: 0: there is no lane for it. */
static unsigned take_item(struct vertex_block *block, const struct feed_item *from, struct lanes *lanes) {
    struct assembled out[ASSEMBLY_MOST];
    struct feed_item item = *from;
    if (item.restart)
        add(block, out, assembly_restart(&block->after, out));
    else if (lane_of(block, &item.vertex, lanes))
        add(block, out, assembly_vertex(&block->after, &item.vertex, out));
    else
        return 0;
    return 1;
}

void vertex_block_take(struct vertex_block *block, const struct draw_object *object, const struct assembly *before,
                       uint32_t first) {
    struct lanes lanes = {.seen = 0};
    vertex_block_clear(block);
    block->after = *before;
    block->taken = 0;
    for (unsigned i = 0; i < block->after.held && i < ASSEMBLY_HELD; i++)
        lane_of(block, &block->after.vertex[i], &lanes);
    while (first + block->taken < object->queued && block->primitives < BLOCK_PRIMITIVES) {
        const struct feed_item *items = &object->queue[first + block->taken];
        unsigned taken = 0;
        if (block->after.topology == TOPOLOGY_TRIANGLES)
            taken = take_triangle(block, items, object->queued - first - block->taken, &lanes);
        else if (block->after.topology == TOPOLOGY_TRIANGLE_STRIP)
            taken = take_strip(block, items, &lanes);
        if (!taken)
            taken = take_item(block, items, &lanes);
        if (!taken)
            break;
        block->taken += taken;
    }
}

unsigned vertex_block_inner(const struct block_primitive *primitive, uint16_t corner[3]) {
    static const uint8_t inner[7][3] = {[1] = {0}, [2] = {0, 1}, [3] = {0, 1, 2}, [4] = {1, 2}, [6] = {0, 2, 4}};
    static const uint8_t counts[7] = {0, 1, 2, 3, 2, 0, 3};
    unsigned corners = primitive->patch || primitive->corners > 6 ? 0 : primitive->corners;
    for (unsigned i = 0; i < counts[corners]; i++)
        corner[i] = (uint16_t)(primitive->first + inner[corners][i]);
    return counts[corners];
}

/* ---- saved ---- */

static void below(struct state_io *io, uint8_t *value, unsigned limit, const char *what) {
    unsigned number = *value;
    state_index(io, &number, limit, what);
    *value = (uint8_t)number;
}

static void primitive_state(struct state_io *io, struct block_primitive *primitive, unsigned lanes, unsigned corners) {
    state_u32(io, &primitive->id);
    state_u16(io, &primitive->first);
    below(io, &primitive->corners, ASSEMBLY_CORNERS + 1, "corners of a primitive");
    state_u8(io, &primitive->edges);
    below(io, &primitive->provoking, lanes, "provoking vertex");
    below(io, &primitive->stream, SHADE_EMITTED_STREAM + 1, "stream of a primitive");
    state_bool(io, &primitive->restart);
    state_bool(io, &primitive->counts);
    state_bool(io, &primitive->patch);
    if (!primitive->corners || (unsigned)primitive->first + primitive->corners > corners)
        state_fail(io, PFIFO_ERROR_FORMAT, "corners of a primitive that its block does not have");
}

static void rows_state(struct state_io *io, struct vertex_block *block) {
    block->words.count = (uint16_t)state_count(io, block->words.count, SHADE_ATTRIBUTES, "words of vertices");
    for (unsigned i = 0; i < block->words.count; i++) {
        state_u8(io, &block->words.word[i]);
        for (unsigned lane = 0; lane < block->lanes; lane++)
            state_u32(io, &block->word[block->words.word[i]][lane]);
    }
}

/* A block that is passed on has primitives. */
void vertex_block_state(struct vertex_block *block, struct state_io *io) {
    block->lanes = state_count(io, block->lanes, SHADE_LANES, "vertices of a block");
    block->primitives = state_count(io, block->primitives, BLOCK_MOST, "primitives of a block");
    block->corners = state_count(io, block->corners, BLOCK_CORNERS, "corners of a block");
    if (!block->lanes || !block->primitives)
        state_fail(io, PFIFO_ERROR_FORMAT, "a block of nothing");
    for (unsigned i = 0; i < block->primitives && state_good(io); i++)
        primitive_state(io, &block->primitive[i], block->lanes, block->corners);
    for (unsigned i = 0; i < block->corners && state_good(io); i++)
        below(io, &block->corner[i], block->lanes, "corner of a primitive");
    if (state_good(io))
        rows_state(io, block);
    state_bool(io, &block->has_patch);
    if (block->has_patch)
        state_words(io, block->patch, SHADE_ATTRIBUTES, "words of a patch");
}
