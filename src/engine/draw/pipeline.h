/* SPDX-License-Identifier: MIT */
/*
 * The pipeline of a 3D object: its stages, the state that they work from, and the threads that work.
 *
 *   feed.c --> block --> fetch --> vertex (A, B) --> control --> tessellator --> evaluation --> geometry --> feedback
 *                          --> multicast --> clip --> group --> raster <--> fragment
 *
 * A draw goes through those that it wants.
 */
#ifndef PFIFO_SRC_ENGINE_DRAW_PIPELINE_H
#define PFIFO_SRC_ENGINE_DRAW_PIPELINE_H

#include "engine/draw/constants.h"
#include "engine/draw/graph.h"
#include "engine/draw/group.h"
#include "engine/draw/patch.h"
#include "engine/draw/stage_geometry.h"
#include "engine/lend/programs.h"
#include "engine/lend/threads.h"
#include "engine/draw/values.h"
#include "engine/draw/worker.h"

struct draw_object;

/* What methods say, and the values that it was decoded from. */
struct draw_decoded {
    bool done; /* and can be drawn */
    struct draw_values values;
    struct draw_source source;
    struct draw_state state;
};

struct draw_pipeline {
    struct draw_object *object;
    const struct call *call; /* the method under way */
    struct draw_decoded decoded;
    struct programs programs;
    bool rebound; /* programs, since the last draw */
    struct draw_constants constants;
    struct draw_graph graph;         /* from fetch to clip */
    bool once;                       /* what its stages do shows: no block goes through it twice */
    bool patches;                    /* it is for patches, or for all else */
    uint8_t last;                    /* enum stage: of the last program before clipping */
    struct block_words link[STAGES]; /* what programs write: links.h */
    struct draw_group *group;
    struct draw_patch *patch; /* that programs are at work on */
    struct draw_geometry *geometry;
    struct draw_raster *raster;

    struct threads threads;
    struct draw_worker *worker[THREADS_MOST]; /* NULL: not needed yet, but for 0 */
    uint32_t slice;                           /* the number of the one under way */
};

/* How far a launch has come (core/work.h). */
struct pipeline_progress {
    uint64_t vertex;            /* that go into the queue next */
    uint64_t instances;         /* that are done, of a method that draws several */
    struct stage_cursor raster; /* in the group under way */
};

/* NULL: no memory. */
struct draw_pipeline *pipeline_new(struct draw_object *object);
void pipeline_free(struct draw_pipeline *pipeline);
/* State, programs, constants for a slice of this method. False: it cannot be drawn, which has been reported. */
bool pipeline_prepare(struct draw_pipeline *pipeline, const struct call *call);
/* What went wrong since then. */
void pipeline_report(struct draw_pipeline *pipeline);
/* The group under way, if there is one, is given up. NULL: no pipeline. */
void pipeline_drop_group(struct draw_pipeline *pipeline);
/* For a load: the group of an object, without anything in it. NULL: no memory. */
struct draw_group *pipeline_group(struct draw_object *object);
/* What stages keep between steps. */
void pipeline_stages_state(struct draw_pipeline *pipeline, struct state_io *io);
/* Programs are read anew. */
void pipeline_forget_programs(struct draw_pipeline *pipeline);
/* One was bound: its memory may have been written since it was read. */
void pipeline_doubt_programs(struct draw_pipeline *pipeline);

#endif
