/* SPDX-License-Identifier: MIT */
/*
 * The blocks of a grid, one after the other: x first, then y, then z. Each is a group of warps (shade/group.h) with
 * shared and local memory that is 0 at its beginning.
 *
 *   grid_run_begin(run)                                      a launch begins: its program is read anew
 *   grid_run_slice(object, call, &grid, progress, &cost)     some work of it; again, until it is done
 *   grid_run_end(run)                                        then
 *
 * A slice ends after a piece of work, perhaps in the middle of a block: then the state of its warps, registers and
 * memory are kept, and saved. Blocks do not run side by side. UNKNOWN: in which order the hardware runs them: many at a
 * time, and no program may depend on it; chosen: the order above, so that each launch has the same result.
 * UNKNOWN: what registers, shared and local memory hold at the beginning; chosen: 0.
 * UNKNOWN: how long a warp may run (it is a time, some seconds, in which hardware executes a thousand times as much as
 * the model); chosen: a number of instructions for each warp of a block, after which the block has timed out.
 */
#ifndef PFIFO_SRC_ENGINE_COMPUTE_RUN_H
#define PFIFO_SRC_ENGINE_COMPUTE_RUN_H

#include <stddef.h>

#include "engine/compute/grid.h"

#define GRID_STEPS (UINT64_C(1) << 24)
#define GRID_KEPT  ((size_t)1 << 20) /* bytes of local memory, from a launch to the next */

struct compute_object;
struct grid_progress;
struct grid_run;
struct state_io;

enum grid_result { GRID_DONE, GRID_MORE, GRID_FAILED };

/* NULL: no memory. */
struct grid_run *grid_run_new(void);
void grid_run_free(struct grid_run *run);
void grid_run_begin(struct grid_run *run);
/* No block is under way. What a block had of local memory is given back if it was much: there may be many objects. */
void grid_run_end(struct grid_run *run);
/* Bytes of local memory that are kept. */
size_t grid_run_kept(const struct grid_run *run);
/* GRID_FAILED: the reason has been raised. `*cost`: as work.h counts. */
enum grid_result grid_run_slice(struct compute_object *object, const struct call *call, const struct grid *grid,
                                struct grid_progress *progress, uint64_t *cost);
/* The block that is under way, if there is one; when loading, a run is made for it. */
void grid_run_state(struct grid_run **out, struct state_io *io);

#endif
