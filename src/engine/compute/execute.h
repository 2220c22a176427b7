/* SPDX-License-Identifier: MIT */
/*
 * Grids that are launched, to their end: what observers are told, slices of work (core/work.h), the semaphores that a QMD
 * releases, and the grid that follows it.
 *
 *   execute_qmd() --> QMD from memory, kept --> checks of the scheduler --> grid_run_slice() ... --> releases --> dependent
 */
#ifndef PFIFO_SRC_ENGINE_COMPUTE_EXECUTE_H
#define PFIFO_SRC_ENGINE_COMPUTE_EXECUTE_H

#include "engine/compute/grid.h"
#include "engine/core/work.h"

/* A grid is launched: the event, and that it is not executed, if it is not; one without blocks has nothing to execute. */
void execute_tell(const struct call *call, const struct grid *grid);
/* A slice of the grid that registers say, from the beginning or further on. */
enum action_result execute_registers(const struct call *call);
/* The first slice of the grid of a QMD, and the others. */
enum action_result execute_qmd(const struct call *call, uint64_t address);
enum action_result execute_further(const struct call *call);

#endif
