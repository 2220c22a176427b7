/* SPDX-License-Identifier: MIT */
/*
 * What a thread of a draw works with. Worker 0 is the caller's thread and leads; the others take part when the raster
 * has regions for them (engine/draw/threads.h), and know what it knew when the slice began.
 */
#ifndef PFIFO_SRC_ENGINE_DRAW_WORKER_H
#define PFIFO_SRC_ENGINE_DRAW_WORKER_H

#include "engine/draw/context.h"
#include "engine/draw/sampling.h"
#include "engine/draw/state.h"
#include "engine/shade/watch.h"

#define WORKER_MISSING 16u /* instructions that are not executed, at most */

struct draw_pipeline;

/* A program at work. */
struct draw_shading {
    struct shade_io stage[STAGES]; /* what is lent */
    struct shade_warp warp;
    shade_row inputs[SHADE_ATTRIBUTES], outputs[SHADE_ATTRIBUTES];
    struct shade_identity identity; /* of the program that is watched */
    uint8_t *local;                 /* SHADE_LANES * local_bytes */
    uint32_t local_bytes;
    unsigned missing;
    uint32_t missing_at[WORKER_MISSING]; /* addresses, of the fragment program */
};

struct draw_worker {
    struct draw_pipeline *pipeline;
    uint32_t slice; /* the last one that it has taken part in */
    struct draw_faults faults;
    struct draw_memory memory;
    struct draw_costs costs;
    struct sampling *sampling; /* NULL: not needed yet */
    struct draw_shading shading;
    struct draw_fragments *fragments; /* that are being shaded */
};

/* NULL: no memory. */
struct draw_worker *draw_worker_new(struct draw_pipeline *pipeline);
void draw_worker_free(struct draw_worker *worker);
/* Before a slice: memory is looked at anew. False: no memory of the host. */
bool draw_worker_start(struct draw_worker *worker);
/* A worker for a thread of the slice under way. NULL: no memory. */
struct draw_worker *draw_worker_for(struct draw_pipeline *pipeline, unsigned number);
/* One that has taken part in the slice. NULL: it has not. */
struct draw_worker *draw_worker_of_slice(const struct draw_pipeline *pipeline, unsigned number);
/* What programs have cost since this was asked, as work.h counts. */
uint64_t draw_workers_cost(struct draw_pipeline *pipeline);
/*
 * Instructions that the workers could not execute are reported, and why a texture was read as 0 is returned (NULL: none
 * was): the same with any number of threads.
 */
const char *draw_workers_report(struct draw_pipeline *pipeline);

#endif
