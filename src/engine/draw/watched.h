/* SPDX-License-Identifier: MIT */
/* Who watches the programs of a draw (engine/shade/watch.h). */
#ifndef PFIFO_SRC_ENGINE_DRAW_WATCHED_H
#define PFIFO_SRC_ENGINE_DRAW_WATCHED_H

struct draw_primitive;
struct draw_worker;

/* Before a warp of a stage's program. */
void draw_watch(struct draw_worker *worker, unsigned program);

/* Primitives that clipping has left. */
void draw_watch_primitives(const struct draw_worker *worker, const struct draw_primitive *primitive, unsigned count);

#endif
