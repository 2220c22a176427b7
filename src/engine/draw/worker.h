/* SPDX-License-Identifier: MIT */
/*
 * What a thread of a draw works with. Worker 0 is the caller's thread and leads; the others take part when the raster
 * has regions for them (engine/lend/threads.h), and know what it knew when the slice began.
 */
#ifndef PFIFO_SRC_ENGINE_DRAW_WORKER_H
#define PFIFO_SRC_ENGINE_DRAW_WORKER_H

#include <pfifo/draw.h>

#include "engine/draw/state.h"
#include "engine/lend/lender.h"
#include "engine/shade/watch.h"

/*
 * Instructions of a warp, after which it does not end. Long ones share a limit for the whole draw, so that a draw takes
 * seconds at most: what each has beyond DRAW_LONG counts. UNKNOWN: how long hardware waits (it is a time, some
 * seconds, in which it executes a thousand times as much as the model).
 */
#define DRAW_STEPS    (UINT64_C(1) << 22)
#define DRAW_LONG     (UINT64_C(1) << 16)
#define DRAW_LONG_ALL (UINT64_C(1) << 26)
#define DRAW_SHARES   16u /* so many regions may each take as long as the whole draw; if there are more, each less */
/*
 * As work.h counts, beside what programs cost (engine/lend/lender.h): a quad, a block of vertices; a primitive that
 * transform feedback looks at, and each component that it writes.
 */
#define COST_QUAD      768u
#define COST_BLOCK     20480u
#define COST_PRIMITIVE 96u
#define COST_COMPONENT 16u

#define WORKER_MISSING 16u /* instructions that are not executed, at most */

struct draw_pipeline;

/* A program at work. */
struct draw_shading {
    struct shade_io stage[STAGES]; /* what is lent */
    struct shade_warp warp;
    shade_row inputs[SHADE_ATTRIBUTES];
    shade_row interpolated[SHADE_MOST_WANTED];
    struct shade_identity identity; /* of the program that is watched */
    uint8_t *local;                 /* SHADE_LANES * local_room */
    uint32_t local_room;
    uint32_t local_bytes; /* that the largest program has */
    unsigned missing;
    uint32_t missing_at[WORKER_MISSING]; /* addresses, of the fragment program */
};

struct draw_worker {
    struct lender lent; /* first: it is io.opaque of programs */
    struct draw_pipeline *pipeline;
    uint32_t slice;                   /* the last one that it has taken part in */
    uint64_t long_steps;              /* instructions beyond DRAW_LONG that the draw does not know of yet */
    struct pfifo_draw_work done;      /* the same of all other work */
    struct shade_watch *const *watch; /* where it is said who watches programs */
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
