/* SPDX-License-Identifier: MIT */
#include "engine/draw/graph.h"

#include <assert.h>
#include <stddef.h>

#include "engine/draw/vertex_block.h"

void graph_begin(struct draw_graph *graph) {
    graph->places = 0;
    graph->spare = NULL;
}

void graph_add(struct draw_graph *graph, const struct draw_stage *stage) {
    assert(graph->places < DRAW_PLACES && stage->run);
    graph->place[graph->places++] = (struct graph_place){.stage = stage};
}

static void give(struct draw_graph *graph, unsigned place, struct vertex_block *block) {
    if (place == graph->places || !block->primitives)
        return;
    assert(!graph->place[place].block);
    graph->place[place].block = block;
    graph->place[place].at = (struct stage_cursor){0};
}

static struct vertex_block *room(struct draw_graph *graph, struct draw_worker *worker) {
    struct vertex_block *block = graph->spare ? graph->spare : graph->room(worker);
    graph->spare = NULL;
    if (block)
        block->lanes = block->primitives = block->corners = 0;
    return block;
}

static void clear(struct draw_graph *graph) {
    for (unsigned i = 0; i < graph->places; i++)
        graph->place[i].block = NULL;
}

/* One step of a stage. `number`: of its place, where a block is. */
static enum stage_result step_of(struct draw_graph *graph, struct draw_worker *worker, unsigned number) {
    struct graph_place *place = &graph->place[number];
    struct stage_step step = {.block = place->block, .at = place->at};
    if (place->stage->makes && !(step.made = room(graph, worker)))
        return STAGE_MORE;
    enum stage_result result = place->stage->run(worker, &step);
    place->at = step.at;
    if (result == STAGE_FAILED)
        return result;
    if (result == STAGE_DONE)
        place->block = NULL;
    if (step.made && !step.made->primitives)
        graph->spare = step.made;
    else if (step.made)
        give(graph, number + 1, step.made);
    else if (result == STAGE_DONE)
        give(graph, number + 1, step.block);
    else
        return STAGE_MORE;
    return STAGE_DONE;
}

enum stage_result graph_run(struct draw_graph *graph, struct draw_worker *worker, struct vertex_block *block) {
    if (block)
        give(graph, 0, block);
    for (unsigned i = graph->places; i > 0;) {
        if (!graph->place[i - 1].block) {
            i--;
            continue;
        }
        enum stage_result result = step_of(graph, worker, i - 1);
        if (result == STAGE_FAILED)
            clear(graph);
        if (result != STAGE_DONE)
            return result;
        i = i < graph->places ? i + 1 : i;
    }
    return STAGE_DONE;
}
