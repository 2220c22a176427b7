/* SPDX-License-Identifier: MIT */
/*
 * A stage of a draw: one interface for all of them. The pipeline (pipeline.h) has a table of stages in the order in
 * which vertices go through; a draw goes through those that it wants.
 *
 * A stage is run with a block of vertices (vertex_block.h). It works in place, and the block is passed on; or it makes
 * blocks of its own (`makes`): more or fewer than it gets, with more or fewer vertices and primitives. It need not do
 * all at once: it says STAGE_MORE, and when what it has made was passed on, it is run again. Where it was is in step->at,
 * which is saved with the block. If it keeps more than that between two steps (what a program has emitted), it saves
 * that itself (`state`). A stage that works in place says STAGE_MORE if it has no room now, and then it has done nothing.
 *
 * No step is done twice: what programs write to memory, what is written by feedback and what is counted happens once,
 * also if the machine is saved and loaded in the middle of a draw. A step has to be of bounded cost: a program that runs
 * for a warp, or a block that is filled.
 *
 *   static enum stage_result run(struct draw_worker *worker, struct stage_step *step) {
 *       while (step->at.item < step->block->primitives) {
 *           if (!has_room(step->made))
 *               return STAGE_MORE;
 *           ... add what primitive step->at.item becomes to step->made
 *           step->at.item++;
 *       }
 *       return STAGE_DONE;
 *   }
 *
 * The same input gives the same blocks in the same order, whoever runs the stage. Faults are raised by the worker
 * (lend_raise()), which knows whether anybody wants them now.
 */
#ifndef PFIFO_SRC_ENGINE_DRAW_STAGE_H
#define PFIFO_SRC_ENGINE_DRAW_STAGE_H

#include <stdbool.h>
#include <stdint.h>

struct block_words;
struct draw_fragments;
struct draw_pipeline;
struct draw_worker;
struct shade_io;
struct state_io;
struct vertex_block;

/* Places, in order. */
enum draw_place {
    PLACE_FETCH,
    PLACE_VERTEX_A,
    PLACE_VERTEX,
    PLACE_CONTROL,
    PLACE_TESSELLATOR,
    PLACE_EVALUATION,
    PLACE_GEOMETRY,
    PLACE_FEEDBACK,
    PLACE_MULTICAST,
    PLACE_CLIP,
    PLACE_RASTER,
    PLACE_FRAGMENT,
    DRAW_PLACES,
};

enum stage_result {
    STAGE_DONE,   /* nothing is left to do */
    STAGE_MORE,   /* run it again */
    STAGE_FAILED, /* the draw ends; why has been raised */
};

/* How far a stage has come: 0 at the beginning. It is saved. */
struct stage_cursor {
    uint64_t item, part; /* of what it was given: a primitive or vertex, and what of it has been done */
    uint64_t carried;    /* what one item leaves to the next */
};

struct stage_step {
    struct vertex_block *block; /* that it is given; NULL: the raster, which draws the group */
    struct vertex_block *made;  /* empty, for what it makes; NULL: it works in place */
    struct stage_cursor at;
    uint64_t budget; /* of the raster: units of draw_primitives() */
    uint64_t used;
};

#define NO_PROGRAM 0xffu

struct draw_stage {
    const char *name;
    uint8_t program; /* enum stage: the one that it runs, or NO_PROGRAM */
    bool makes;      /* blocks of its own */
    bool writes;     /* memory or counters, beside what its program writes */
    /* Does the draw go through it? NULL: each does. */
    bool (*wanted)(const struct draw_pipeline *pipeline);
    /* Why the draw cannot be executed, for the report: a program that it needs is not there. NULL: it can. */
    const char *(*missing)(const struct draw_pipeline *pipeline);
    /* What it leaves out of the draw, for the report, when programs before it are known. NULL: nothing. */
    const char *(*ignores)(const struct draw_pipeline *pipeline);
    /* Before each draw: what it lends to its program beside what all stages do (shading.c). NULL: nothing. */
    void (*lend)(const struct draw_pipeline *pipeline, struct shade_io *io);
    /* Words of vertices that it needs, beside those that its program reads and those of stages after it. NULL: none. */
    void (*needs)(const struct draw_pipeline *pipeline, struct block_words *words);
    /* What it keeps between steps, to save and load it; loaded by a pipeline that has drawn nothing. NULL: nothing. */
    void (*state)(struct draw_pipeline *pipeline, struct state_io *io);
    /* NULL: it is run by the one before it, as fragments are. */
    enum stage_result (*run)(struct draw_worker *worker, struct stage_step *step);
};

extern const struct draw_stage stage_fetch, stage_vertex_a, stage_vertex, stage_control, stage_tessellator,
    stage_evaluation, stage_geometry, stage_feedback, stage_multicast, stage_clip, stage_raster, stage_fragment;

/* Primitives of all streams are counted; returns how many are of the one that is drawn. */
unsigned stage_clip_count(const struct draw_pipeline *pipeline, const struct vertex_block *block);
/* What clipping does with a block that goes into the group: the group has room for it. */
void stage_clip_block(struct draw_worker *worker, struct vertex_block *block);

/* The fragment stage, as the raster runs it (draw_shade). `opaque`: the pipeline. */
bool stage_fragment_run(void *opaque, struct draw_fragments *fragments);

#endif
