/* SPDX-License-Identifier: MIT */
/*
 * What the stages of a draw may reach, for each thread: faults that are raised, memory that is read, costs that are
 * counted; and how long a program may run.
 */
#ifndef PFIFO_SRC_ENGINE_DRAW_CONTEXT_H
#define PFIFO_SRC_ENGINE_DRAW_CONTEXT_H

#include <pfifo/draw.h>

#include "memory/memory.h"
#include "unit/error.h"
#include "unit/trap.h"

struct call;
struct threads;

/* ---- faults ---- */

struct draw_faults {
    const struct call *call; /* the method under way */
    bool quiet;              /* what fails is not raised: it is tried again, or nobody asked for it */
    bool failed;             /* something has been raised */
};

/* A fault or an error is raised at once, but only the first one: what follows is not drawn. */
void draw_raise(struct draw_faults *faults, enum unit_use use, const struct fault *fault);
void draw_raise_error(struct draw_faults *faults, const struct unit_shader_error *error);

/* ---- memory ---- */

/* Memory that is read often: the last spans. */
#define DRAW_SPANS 256u
struct draw_span {
    uint64_t address, bytes;
    const uint8_t *data;
};

struct draw_memory {
    struct memory *memory;
    struct address_space space;
    enum unit_use use; /* of accesses now: a fault says so */
    struct draw_faults *faults;
    struct threads *threads; /* whose lock is taken to look memory up */
    struct draw_span spans[DRAW_SPANS];
};

/* A memory reader over the last spans, as vertex_read has it. `opaque`: struct draw_memory. */
bool draw_read(void *opaque, uint64_t address, void *data, unsigned bytes);
/* The byte at an address, and how many follow in one piece. NULL: a fault, which has been raised. */
const uint8_t *draw_at(void *opaque, uint64_t address, uint64_t *bytes);
/* Memory may have changed: it is looked at anew. */
void draw_forget_spans(struct draw_memory *memory);

/* ---- costs ---- */

/*
 * Instructions of a warp, after which it does not end. Long ones share a limit for the whole draw, so that a draw takes
 * seconds at most: what each has beyond DRAW_LONG counts. UNKNOWN: how long hardware waits (it is a time, some
 * seconds, in which it executes a thousand times as much as the model).
 */
#define DRAW_STEPS    (UINT64_C(1) << 22)
#define DRAW_LONG     (UINT64_C(1) << 16)
#define DRAW_LONG_ALL (UINT64_C(1) << 24)
#define DRAW_SHARES   16u /* so many regions may each take as long as the whole draw; if there are more, each less */
/*
 * As work.h counts, added up: a quad, a block of vertices; an instruction of a warp; of its lanes a sample of a
 * texture, a texel of it (texture_sample()), and an access to memory.
 */
#define COST_QUAD   768u
#define COST_BLOCK  20480u
#define COST_STEP   256u
#define COST_SAMPLE 192u
#define COST_TEXEL  88u
#define COST_ACCESS 160u

/* What a thread has spent that the draw does not know of yet. */
struct draw_costs {
    uint64_t programs;   /* to be paid, as work.h counts */
    uint64_t long_steps; /* instructions beyond DRAW_LONG */
    struct pfifo_draw_work done;
};

#endif
