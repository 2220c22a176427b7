/* SPDX-License-Identifier: MIT */
/* Sums of what draws cost, for those who count them. */
#ifndef PFIFO_SRC_EVENT_DRAW_WORK_H
#define PFIFO_SRC_EVENT_DRAW_WORK_H

#include <pfifo/draw.h>

static inline void event_add_work(struct pfifo_draw_work *sum, const struct pfifo_draw_work *more) {
    sum->vertex_warps += more->vertex_warps;
    sum->vertex_instructions += more->vertex_instructions;
    sum->control_warps += more->control_warps;
    sum->control_instructions += more->control_instructions;
    sum->evaluation_warps += more->evaluation_warps;
    sum->evaluation_instructions += more->evaluation_instructions;
    sum->geometry_warps += more->geometry_warps;
    sum->geometry_instructions += more->geometry_instructions;
    sum->fragment_warps += more->fragment_warps;
    sum->fragment_instructions += more->fragment_instructions;
    sum->texture_reads += more->texture_reads;
    sum->quads += more->quads;
}

#endif
