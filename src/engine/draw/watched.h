/* SPDX-License-Identifier: MIT */
/* Who watches the programs of a draw (engine/shade/watch.h). */
#ifndef PFIFO_SRC_ENGINE_DRAW_WATCHED_H
#define PFIFO_SRC_ENGINE_DRAW_WATCHED_H

struct draw_worker;

/* Before a warp of a stage's program. */
void draw_watch(struct draw_worker *worker, unsigned program);

#endif
