/* SPDX-License-Identifier: MIT */
/* What a thread of a draw works with. The first one, which the object has, leads the others. */
#ifndef PFIFO_SRC_ENGINE_DRAW_WORKER_H
#define PFIFO_SRC_ENGINE_DRAW_WORKER_H

#include <pfifo/draw.h>

#include "engine/core/action.h"
#include "engine/draw/constants.h"
#include "engine/draw/context.h"
#include "engine/draw/programs.h"
#include "engine/draw/sampling.h"
#include "engine/draw/threads.h"
#include "engine/draw/values.h"
#include "engine/draw/vertex_block.h"

#define DRAW_MISSING 16u /* instructions that are not executed */

struct draw_object;

struct draw_worker {
    struct draw_object *object;
    struct draw_worker *lead;                 /* NULL: this one */
    struct draw_worker *member[THREADS_MOST]; /* NULL: not needed yet */
    struct threads threads;
    uint32_t decodes, prepared; /* of the lead; of others: what they know of */
    bool quiet;                 /* what fails is not raised: it is tried again, or nobody asked for it */
    unsigned missing;
    uint32_t missing_at[DRAW_MISSING]; /* of the fragment program */
    struct memory *memory;
    struct address_space space;
    const struct call *call; /* the method under way */

    /* State, and the values of methods that it was decoded from. */
    bool decoded;
    struct draw_values values;
    struct draw_source source;
    struct draw_state state;

    struct program_place programs[PROGRAMS_KEPT];
    unsigned next_program;
    struct shade_program *program[STAGES];
    struct shade_stage stage[STAGES];
    uint8_t *copies[STAGES][DRAW_BANKS]; /* of constants that are not contiguous in the host; NULL: not needed yet */
    uint64_t constants_at[DRAW_BANKS];   /* addresses, of the fragment program */
    uint8_t *local;                      /* SHADE_LANES * local_bytes */
    uint32_t local_bytes;

    struct draw_span spans[DRAW_SPANS];
    struct sampling *sampling;
    enum unit_use use;           /* of accesses now */
    bool failed;                 /* a fault or an error has been raised */
    uint64_t long_steps;         /* beyond DRAW_LONG, that the draw does not know of yet */
    uint64_t cost;               /* of programs, that is not yet paid */
    struct pfifo_draw_work done; /* that the tally does not know of yet */

    struct shade_warp warp;
    shade_row inputs[SHADE_ATTRIBUTES], outputs[SHADE_ATTRIBUTES];
    struct draw_fragments *fragments; /* that are being shaded */

    bool ready; /* the group under way is */
    struct draw_group *group;

    struct draw_raster *raster;
    struct draw_state shown; /* as it was when a draw ended */
};

struct draw_worker *draw_worker_new(struct draw_object *object);
void draw_worker_free(struct draw_worker *work);
/* Memory is looked at anew. False: no memory of the host. */
bool draw_worker_start(struct draw_worker *work);
/* Member `number` of a slice. NULL: there is none, or it has not taken part in it. */
struct draw_worker *draw_worker_taking_part(struct draw_worker *work, unsigned number);
/* NULL: no memory. */
struct draw_worker *draw_worker_member(struct draw_worker *lead, unsigned number);

#endif
