/* SPDX-License-Identifier: MIT */
/* What a draw reads in memory, and what becomes of a fault; what work costs, and how long a program may run. */
#ifndef PFIFO_SRC_ENGINE_DRAW_CONTEXT_H
#define PFIFO_SRC_ENGINE_DRAW_CONTEXT_H

#include "memory/memory.h"
#include "unit/trap.h"

/*
 * Instructions of a warp, after which it does not end. Long ones share a limit for the whole draw, so that a draw takes
 * seconds at most: what each has beyond DRAW_LONG counts. UNKNOWN: how long hardware waits (it is a time, some
 * seconds, in which it executes a thousand times as much as the model).
 */
#define DRAW_STEPS    (UINT64_C(1) << 22)
#define DRAW_LONG     (UINT64_C(1) << 16)
#define DRAW_LONG_ALL (UINT64_C(1) << 24)
#define DRAW_SHARES   16u /* regions that may take as long as the whole draw; more have less each */
/* As work.h counts, beside each other: a quad, a block of vertices; an instruction of a warp; of its lanes a sample of
 * a texture, a texel of it (texture_sample()), and an access to memory. */
#define COST_QUAD   768u
#define COST_BLOCK  20480u
#define COST_STEP   256u
#define COST_SAMPLE 192u
#define COST_TEXEL  88u
#define COST_ACCESS 160u

/* Memory that is read often: the last spans. */
#define DRAW_SPANS 256u
struct draw_span {
    uint64_t address, bytes;
    const uint8_t *data;
};

struct draw_worker;

/* A memory reader over the last spans, as vertex_read has it. */
bool draw_read(void *opaque, uint64_t address, void *data, unsigned bytes);
/* The byte at an address, and how many follow in one piece. NULL: a fault, which has been raised. */
const uint8_t *draw_at(void *opaque, uint64_t address, uint64_t *bytes);
void draw_forget_spans(struct draw_worker *work);
/* A fault is raised at once; what follows is not drawn. */
void draw_fail(struct draw_worker *work, enum unit_use use, const struct fault *fault);

#endif
