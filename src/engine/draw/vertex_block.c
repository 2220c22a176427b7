/* SPDX-License-Identifier: MIT */
#include "engine/draw/vertex_block.h"

#include <assert.h>

#include "engine/draw/object.h"
#include "state/state.h"

/* The lane of a vertex. False: there is none left. `seen`: bits of the low bits of numbers that are there. */
static bool lane_of(struct vertex_block *block, struct assembly_vertex *vertex, uint64_t *seen) {
    uint64_t bit = UINT64_C(1) << (vertex->number & 63);
    for (unsigned i = 0; i < block->lanes && *seen & bit; i++) {
        if (block->lane[i].number == vertex->number && block->lane[i].id == vertex->id &&
            block->lane[i].with_data == vertex->with_data) {
            vertex->lane = (uint8_t)i;
            return true;
        }
    }
    if (block->lanes == SHADE_LANES)
        return false;
    *seen |= bit;
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

void vertex_block_take(struct vertex_block *block, const struct draw_object *object, const struct assembly *before,
                       uint32_t first) {
    struct assembled out[ASSEMBLY_MOST];
    uint64_t seen = 0;
    vertex_block_clear(block);
    block->after = *before;
    for (unsigned i = 0; i < block->after.held && i < ASSEMBLY_HELD; i++)
        lane_of(block, &block->after.vertex[i], &seen);
    for (block->taken = 0; first + block->taken < object->queued && block->primitives < BLOCK_PRIMITIVES;
         block->taken++) {
        struct feed_item item = object->queue[first + block->taken];
        if (item.restart)
            add(block, out, assembly_restart(&block->after, out));
        else if (lane_of(block, &item.vertex, &seen))
            add(block, out, assembly_vertex(&block->after, &item.vertex, out));
        else
            break;
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
