/* SPDX-License-Identifier: MIT */
/*
 * The way of blocks through stages. Each stage has one block at a time, and the last stage that has one is run next: so
 * there are never more blocks than stages on the way, however many a stage makes of one.
 *
 *   graph_begin(&graph);
 *   graph_add(&graph, &stage) ...
 *   struct graph_way way = {0};
 *   way_begin(&graph, worker, &way, block);
 *   while (graph_run(&graph, worker, &way) == STAGE_MORE)
 *       ... make room for what stages make, or do something else
 *
 * What is on its way between two calls is in struct graph_way, which is saved with its blocks: nothing is made again,
 * and so what programs write to memory is written once. A way is left only before a stage that makes blocks, or where
 * there is no room: what a stage that works in place has from the one before it is never lost.
 */
#ifndef PFIFO_SRC_ENGINE_DRAW_GRAPH_H
#define PFIFO_SRC_ENGINE_DRAW_GRAPH_H

#include "engine/draw/stage.h"

struct draw_graph {
    unsigned stages;
    const struct draw_stage *stage[DRAW_PLACES];
    /* A block for a stage that makes some. NULL: there is none now. */
    struct vertex_block *(*room)(struct draw_worker *worker);
    /* It is of no use any more. Blocks that have gone through the last stage are that stage's. */
    void (*drop)(struct draw_worker *worker, struct vertex_block *block);
    /* Has enough been done for now? NULL: never. */
    bool (*pause)(struct draw_worker *worker);
};

/* What stages have: a block, and how far in it they are. */
struct graph_place {
    struct vertex_block *block; /* NULL: nothing */
    struct stage_cursor at;
};

struct graph_way {
    struct graph_place place[DRAW_PLACES];
};

void graph_begin(struct draw_graph *graph);
void graph_add(struct draw_graph *graph, const struct draw_stage *stage);
/* Does it have a stage that makes blocks? */
bool graph_makes(const struct draw_graph *graph);

/* A block begins its way, which must be empty. A block without primitives is dropped. */
void way_begin(const struct draw_graph *graph, struct draw_worker *worker, struct graph_way *way,
               struct vertex_block *block);
/* Is nothing on its way? */
bool way_is_idle(const struct graph_way *way);
/*
 * Blocks are passed on until nothing is left, or there is no room for more, or it has been enough for now (STAGE_MORE:
 * call again). After STAGE_FAILED what is on its way is of no use.
 */
enum stage_result graph_run(const struct draw_graph *graph, struct draw_worker *worker, struct graph_way *way);
/* What is loaded may be at places that the graph does not have, or where no way is left: it is dropped. */
void way_trim(const struct draw_graph *graph, struct draw_worker *worker, struct graph_way *way);
/* What is on its way is dropped. */
void way_leave(const struct draw_graph *graph, struct draw_worker *worker, struct graph_way *way);

#endif
