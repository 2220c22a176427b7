/* SPDX-License-Identifier: MIT */
/*
 * A group: some blocks whose primitives are drawn together, so that regions and warps are well filled; and the blocks
 * that are on their way to it or to the next one, since one block of the queue may fill many groups.
 *
 *   queue --> block --> graph_run() --> final blocks --clip--> list of primitives --> raster
 *                       `-- the way --'
 *
 * Both a way and the drawing of a group may be left at the end of a slice. All of it is saved: the blocks on their way,
 * and the final ones, of which only clipping is done again after a load.
 */
#ifndef PFIFO_SRC_ENGINE_DRAW_GROUP_H
#define PFIFO_SRC_ENGINE_DRAW_GROUP_H

#include "engine/draw/clip.h"
#include "engine/draw/graph.h"
#include "engine/draw/vertex_block.h"
#include "engine/sync/counters.h"

#define GROUP_BLOCKS   16u
#define GROUP_POOL     (BLOCK_MOST * (CLIP_MOST_VERTICES + 3u)) /* most that clipping a block makes */
#define GROUP_DRAWN    (BLOCK_MOST * CLIP_MOST_PRIMITIVES)
#define GROUP_VERTICES (GROUP_BLOCKS * SHADE_LANES)
/* The final ones, one for each stage, and one that a stage makes. */
#define GROUP_ROOM (GROUP_BLOCKS + DRAW_PLACES + 1u)

struct draw_object;

struct draw_group {
    void *memory;    /* to be freed */
    bool ready;      /* it is complete, and is to be drawn */
    bool loaded;     /* its blocks have to be clipped again */
    uint32_t inputs; /* blocks of the queue that have gone into it, all or in part */
    unsigned blocks; /* final ones */
    struct vertex_block *final[GROUP_BLOCKS];
    struct graph_way way;

    uint64_t pause_at; /* costs of programs after which a slice ends */
    uint32_t used;     /* bits of `room` */
    struct vertex_block room[GROUP_ROOM];

    struct draw_vertex vertex[GROUP_VERTICES];
    struct clip_pool pool;
    struct draw_vertex pool_room[2 * GROUP_POOL];
    unsigned drawn_count;
    struct draw_primitive drawn[GROUP_DRAWN + GROUP_BLOCKS * BLOCK_MOST];
};

/* NULL: no memory. */
struct draw_group *draw_group_new(void);
void draw_group_free(struct draw_group *group);
/* What is in it, and on its way, is dropped. */
void draw_group_clear(struct draw_group *group);
/* Is something in it, or on its way? */
bool draw_group_under_way(const struct draw_group *group);

/* May another block be clipped into it? */
bool group_has_room(const struct draw_group *group);
/* For the graph: an empty block, one that is not needed any more, the end of a slice. */
struct vertex_block *group_room(struct draw_worker *worker);
void group_drop(struct draw_worker *worker, struct vertex_block *block);
bool group_pause(struct draw_worker *worker);

/* A stage counts what becomes of its block, if this counter (enum counter) counts. */
void draw_count(const struct draw_pipeline *pipeline, unsigned counter, uint64_t amount);

/*
 * Draw what waits in the queue, or the first of it, within the budget; *cost is added to. `more` will follow. How far
 * the raster has come with the group is in *at. STAGE_DONE: a group has been drawn. STAGE_MORE: the slice is over.
 */
enum stage_result draw_group(struct draw_pipeline *pipeline, struct stage_cursor *at, bool more, uint64_t budget,
                             uint64_t *cost);

/* The group of an object, if it has one under way, is saved or loaded. */
void draw_group_state(struct draw_object *object, struct state_io *io);

#endif
