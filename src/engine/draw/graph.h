/* SPDX-License-Identifier: MIT */
/*
 * The way of blocks through stages. Each stage has one block at a time, and the last stage that has one is run next: so
 * there are never more blocks than stages, however many a stage makes of one.
 *
 *   graph_begin(&graph);
 *   graph_add(&graph, &stage) ...
 *   result = graph_run(&graph, worker, block);
 *   while (result == STAGE_MORE)                  the last stage has no room; it is made meanwhile
 *       result = graph_run(&graph, worker, NULL);
 */
#ifndef PFIFO_SRC_ENGINE_DRAW_GRAPH_H
#define PFIFO_SRC_ENGINE_DRAW_GRAPH_H

#include "engine/draw/stage.h"

struct graph_place {
    const struct draw_stage *stage;
    struct vertex_block *block; /* NULL: none */
    struct stage_cursor at;
};

struct draw_graph {
    unsigned places;
    struct graph_place place[DRAW_PLACES];
    /* An empty block, for a stage that makes some. NULL: there is none now. */
    struct vertex_block *(*room)(struct draw_worker *worker);
    struct vertex_block *spare; /* that a stage was given and has not used; NULL: none */
};

void graph_begin(struct draw_graph *graph);
void graph_add(struct draw_graph *graph, const struct draw_stage *stage);
/*
 * A block is passed on until nothing of it is left. NULL: those that are on their way. STAGE_MORE: there is no room for
 * what stages make. STAGE_FAILED: nothing is on its way any more.
 */
enum stage_result graph_run(struct draw_graph *graph, struct draw_worker *worker, struct vertex_block *block);

#endif
