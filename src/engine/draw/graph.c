/* SPDX-License-Identifier: MIT */
#include "engine/draw/graph.h"

#include <assert.h>
#include <stddef.h>

#include "engine/draw/vertex_block.h"

void graph_begin(struct draw_graph *graph) {
    graph->stages = 0;
}

void graph_add(struct draw_graph *graph, const struct draw_stage *stage) {
    assert(graph->stages < DRAW_PLACES && stage->run);
    graph->stage[graph->stages++] = stage;
}

bool graph_makes(const struct draw_graph *graph) {
    for (unsigned i = 0; i < graph->stages; i++)
        if (graph->stage[i]->makes)
            return true;
    return false;
}

/* ---- blocks ---- */

static void give(const struct draw_graph *graph, struct draw_worker *worker, struct graph_way *way, unsigned number,
                 struct vertex_block *block) {
    if (!block->primitives) {
        graph->drop(worker, block);
    } else if (number < graph->stages) {
        assert(!way->place[number].block);
        way->place[number] = (struct graph_place){.block = block};
    }
}

void way_begin(const struct draw_graph *graph, struct draw_worker *worker, struct graph_way *way,
               struct vertex_block *block) {
    assert(graph->stages && way_is_idle(way));
    give(graph, worker, way, 0, block);
}

bool way_is_idle(const struct graph_way *way) {
    for (unsigned i = 0; i < DRAW_PLACES; i++)
        if (way->place[i].block)
            return false;
    return true;
}

static void leave_place(const struct draw_graph *graph, struct draw_worker *worker, struct graph_place *place) {
    if (place->block)
        graph->drop(worker, place->block);
    *place = (struct graph_place){0};
}

void way_leave(const struct draw_graph *graph, struct draw_worker *worker, struct graph_way *way) {
    for (unsigned i = 0; i < DRAW_PLACES; i++)
        leave_place(graph, worker, &way->place[i]);
}

/* A stage that works in place needs what the one before it has left, which is not saved; but for the last one. */
void way_trim(const struct draw_graph *graph, struct draw_worker *worker, struct graph_way *way) {
    for (unsigned i = 0; i < DRAW_PLACES; i++)
        if (i >= graph->stages || (!graph->stage[i]->makes && i + 1 != graph->stages))
            leave_place(graph, worker, &way->place[i]);
}

/* ---- steps ---- */

/* STAGE_MORE: there is no room, and nothing has been done. */
static enum stage_result step_in_place(const struct draw_graph *graph, struct draw_worker *worker,
                                       struct graph_way *way, unsigned number) {
    struct graph_place *place = &way->place[number];
    struct stage_step step = {.block = place->block, .at = place->at};
    enum stage_result result = graph->stage[number]->run(worker, &step);
    if (result != STAGE_DONE)
        return result;
    *place = (struct graph_place){0};
    give(graph, worker, way, number + 1, step.block);
    return STAGE_DONE;
}

/* The same; a stage that has more to make is not done with its block. */
static enum stage_result step_making(const struct draw_graph *graph, struct draw_worker *worker, struct graph_way *way,
                                     unsigned number) {
    struct graph_place *place = &way->place[number];
    struct stage_step step = {.block = place->block, .at = place->at};
    if ((graph->pause && graph->pause(worker)) || !(step.made = graph->room(worker)))
        return STAGE_MORE;
    vertex_block_clear(step.made);
    enum stage_result result = graph->stage[number]->run(worker, &step);
    if (result == STAGE_FAILED) {
        graph->drop(worker, step.made);
        return result;
    }
    place->at = step.at;
    if (result == STAGE_DONE) {
        graph->drop(worker, place->block);
        *place = (struct graph_place){0};
    }
    give(graph, worker, way, number + 1, step.made);
    return STAGE_DONE;
}

enum stage_result graph_run(const struct draw_graph *graph, struct draw_worker *worker, struct graph_way *way) {
    enum stage_result result = STAGE_DONE;
    for (unsigned i = graph->stages; result == STAGE_DONE && i > 0;) {
        if (!way->place[i - 1].block) {
            i--;
            continue;
        }
        result = (graph->stage[i - 1]->makes ? step_making : step_in_place)(graph, worker, way, i - 1);
        if (result == STAGE_DONE && i < graph->stages)
            i++;
    }
    return result;
}
