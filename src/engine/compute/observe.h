/* SPDX-License-Identifier: MIT */
/* Launches are told to observers (pfifo/launch.h): when they begin, and when they have ended. */
#ifndef PFIFO_SRC_ENGINE_COMPUTE_OBSERVE_H
#define PFIFO_SRC_ENGINE_COMPUTE_OBSERVE_H

struct call;
struct grid;
struct grid_progress;

/* engine.launch */
void launch_observe(const struct call *call, const struct grid *grid);
/* What it has read (engine.read: its QMD, constants), and engine.launched. */
void launch_observe_end(const struct call *call, const struct grid *grid, const struct grid_progress *progress);

#endif
