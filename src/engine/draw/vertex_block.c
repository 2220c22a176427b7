/* SPDX-License-Identifier: MIT */
/* A block: as many vertices of the queue as a warp has lanes, with those before them that the assembly still holds. */
#include "engine/draw/vertex_block.h"

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

void vertex_block_take(const struct draw_object *object, struct vertex_block *block, const struct assembly *before,
                       uint32_t first) {
    uint64_t seen = 0;
    block->lanes = block->assembled = 0;
    block->after = *before;
    for (unsigned i = 0; i < block->after.held && i < ASSEMBLY_HELD; i++)
        lane_of(block, &block->after.vertex[i], &seen);
    for (block->taken = 0; first + block->taken < object->queued && block->assembled < BLOCK_PRIMITIVES;
         block->taken++) {
        struct feed_item item = object->queue[first + block->taken];
        struct assembled *out = &block->primitive[block->assembled];
        if (item.restart)
            block->assembled += assembly_restart(&block->after, out);
        else if (lane_of(block, &item.vertex, &seen))
            block->assembled += assembly_vertex(&block->after, &item.vertex, out);
        else
            break;
    }
}
