/* SPDX-License-Identifier: MIT */
#include "engine/draw/vertex_block.h"

#include <assert.h>

#include "engine/draw/object.h"

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
        assert(block->primitives < BLOCK_PRIMITIVES + ASSEMBLY_MOST);
        assert(block->corners + from[i].corners <= BLOCK_CORNERS);
        block->primitive[block->primitives++] = (struct block_primitive){.id = from[i].id,
                                                                         .first = (uint16_t)block->corners,
                                                                         .corners = from[i].corners,
                                                                         .edges = from[i].edges,
                                                                         .provoking = from[i].provoking.lane,
                                                                         .restart = from[i].first,
                                                                         .counts = from[i].counts};
        for (unsigned k = 0; k < from[i].corners; k++)
            block->corner[block->corners++] = from[i].corner[k].lane;
    }
}

void vertex_block_take(struct vertex_block *block, const struct draw_object *object, const struct assembly *before,
                       uint32_t first) {
    struct assembled out[ASSEMBLY_MOST];
    uint64_t seen = 0;
    block->lanes = block->primitives = block->corners = 0;
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
