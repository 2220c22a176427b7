/* SPDX-License-Identifier: MIT */
/*
 * The way of a block through stages. Each stage has one block at a time, and the last stage that has one is run next: so
 * there are never more blocks than stages on the way, however many a stage makes of one.
 *
 *   graph_begin(&graph);
 *   graph_add(&graph, &stage) ...
 *   struct graph_cursor cursor = {0};
 *   while (graph_run(&graph, worker, block, &cursor) == STAGE_MORE)
 *       ... make room for what stages make, and make the same block again
 *
 * Between two calls nothing is kept but the cursor, which can be saved: blocks that were on their way are made again by
 * the same stages from the same places.
 */
#ifndef PFIFO_SRC_ENGINE_DRAW_GRAPH_H
#define PFIFO_SRC_ENGINE_DRAW_GRAPH_H

#include "engine/draw/stage.h"

struct draw_graph {
    unsigned stages;
    const struct draw_stage *stage[DRAW_PLACES];
    /* A block for a stage that makes some. NULL: there is none now. */
    struct vertex_block *(*room)(struct draw_worker *worker);
};

/* How far a block has come: 0 at the beginning. */
struct graph_cursor {
    uint32_t last;                       /* the stage that is to be run next, */
    struct stage_cursor at[DRAW_PLACES]; /* from where; and from where those before it made what it has */
};

void graph_begin(struct draw_graph *graph);
void graph_add(struct draw_graph *graph, const struct draw_stage *stage);
/* A block is passed on until nothing of it is left, or there is no room for more (STAGE_MORE). */
enum stage_result graph_run(const struct draw_graph *graph, struct draw_worker *worker, struct vertex_block *block,
                            struct graph_cursor *cursor);

#endif
