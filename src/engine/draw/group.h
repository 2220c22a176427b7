/* SPDX-License-Identifier: MIT */
/*
 * A group: some blocks whose primitives are drawn together, so that there is enough for regions and warps. It can be
 * made again from what is saved, so a slice may end in the middle of its primitives.
 */
#ifndef PFIFO_SRC_ENGINE_DRAW_GROUP_H
#define PFIFO_SRC_ENGINE_DRAW_GROUP_H

#include "engine/draw/clip.h"
#include "engine/draw/stage.h"
#include "engine/draw/vertex_block.h"
#include "engine/sync/counters.h"

#define GROUP_BLOCKS 16u
#define GROUP_POOL   (BLOCK_PRIMITIVES * CLIP_MOST_VERTICES) /* most that clipping a block makes */
#define GROUP_DRAWN  (BLOCK_PRIMITIVES * CLIP_MOST_PRIMITIVES)

struct draw_group {
    bool ready; /* what is in it is to be drawn */
    unsigned blocks;
    struct vertex_block block[GROUP_BLOCKS];
    struct clip_pool pool;
    struct draw_vertex room[2 * GROUP_POOL];
    unsigned drawn_count;
    struct draw_primitive drawn[GROUP_DRAWN + GROUP_BLOCKS * BLOCK_PRIMITIVES];
    unsigned fed; /* blocks that transform feedback has taken: */
    struct vertex_block *fed_block[GROUP_BLOCKS];
    uint64_t counted[COUNTERS]; /* of it, by its stages: counters get it when the group is drawn */
};

/* NULL: no memory. */
struct draw_group *draw_group_new(void);

/* May another block be clipped into it? */
bool group_has_room(const struct draw_group *group);
/* A stage counts what becomes of its block, if this counter counts, and if it is not done again. */
void group_count(const struct draw_worker *worker, const struct stage_step *step, unsigned counter, uint64_t amount);
/* An empty block in the group of a worker's pipeline, for a stage that makes some. NULL: it has all that it can. */
struct vertex_block *group_room(struct draw_worker *worker);

/*
 * Draw what waits in the queue, or the first of it, within the budget; *cost is added to. `more` will follow. How far
 * the raster has come with the group is in *at.
 */
enum stage_result draw_group(struct draw_pipeline *pipeline, struct stage_cursor *at, bool more, uint64_t budget,
                             uint64_t *cost);

#endif
