/* SPDX-License-Identifier: MIT */
#include "engine/draw/graph.h"

#include <assert.h>
#include <stddef.h>

#include "engine/draw/vertex_block.h"

/* A stage, and what it has. */
struct place {
    struct vertex_block *block; /* NULL: nothing, or a block without primitives */
    struct stage_cursor at;     /* how far in it */
    struct stage_cursor from;   /* where it was before its last step: the next stage has what that made */
};

/* A block on its way. */
struct way {
    const struct draw_graph *graph;
    struct draw_worker *worker;
    bool again;                 /* steps are those of an earlier call */
    struct vertex_block *spare; /* that a stage was given and has not used; NULL: none */
    struct place place[DRAW_PLACES];
};

void graph_begin(struct draw_graph *graph) {
    graph->stages = 0;
}

void graph_add(struct draw_graph *graph, const struct draw_stage *stage) {
    assert(graph->stages < DRAW_PLACES && stage->run);
    graph->stage[graph->stages++] = stage;
}

static void give(struct way *way, unsigned number, struct vertex_block *block) {
    if (number == way->graph->stages || !block->primitives)
        return;
    assert(!way->place[number].block);
    way->place[number].block = block;
    way->place[number].at = (struct stage_cursor){0};
}

static struct vertex_block *room(struct way *way) {
    struct vertex_block *block = way->spare ? way->spare : way->graph->room(way->worker);
    way->spare = NULL;
    if (block)
        block->lanes = block->primitives = block->corners = 0;
    return block;
}

/* A step of a stage that has a block. STAGE_MORE: there is no room, and nothing has been done. */
static enum stage_result step(struct way *way, unsigned number) {
    const struct draw_stage *stage = way->graph->stage[number];
    struct place *place = &way->place[number];
    struct stage_step step = {.block = place->block, .at = place->at, .again = way->again};
    if (stage->makes && !(step.made = room(way)))
        return STAGE_MORE;
    enum stage_result result = stage->run(way->worker, &step);
    if (result == STAGE_FAILED)
        return result;
    place->from = place->at;
    place->at = step.at;
    if (result == STAGE_MORE && !stage->makes)
        return STAGE_MORE;
    if (result == STAGE_DONE)
        place->block = NULL;
    if (stage->makes && !step.made->primitives)
        way->spare = step.made;
    else
        give(way, number + 1, stage->makes ? step.made : step.block);
    return STAGE_DONE;
}

/* What was on its way when the cursor was written is made again. */
static enum stage_result resume(struct way *way, struct vertex_block *block, const struct graph_cursor *cursor) {
    enum stage_result result = STAGE_DONE;
    assert(cursor->last < way->graph->stages);
    give(way, 0, block);
    for (unsigned i = 0; i <= cursor->last && result == STAGE_DONE; i++) {
        if (!way->place[i].block)
            return STAGE_DONE;
        way->place[i].at = cursor->at[i];
        if (i < cursor->last)
            result = step(way, i);
    }
    return result;
}

static void write_cursor(const struct way *way, unsigned last, struct graph_cursor *cursor) {
    *cursor = (struct graph_cursor){.last = last};
    for (unsigned i = 0; i < last; i++)
        cursor->at[i] = way->place[i].from;
    cursor->at[last] = way->place[last].at;
}

enum stage_result graph_run(const struct draw_graph *graph, struct draw_worker *worker, struct vertex_block *block,
                            struct graph_cursor *cursor) {
    struct way way = {.graph = graph, .worker = worker, .again = true};
    enum stage_result result = resume(&way, block, cursor);
    way.again = false;
    for (unsigned i = graph->stages; result == STAGE_DONE && i > 0;) {
        if (!way.place[i - 1].block) {
            i--;
            continue;
        }
        result = step(&way, i - 1);
        if (result == STAGE_MORE)
            write_cursor(&way, i - 1, cursor);
        else if (i < graph->stages)
            i++;
    }
    return result;
}
