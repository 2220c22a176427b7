/* SPDX-License-Identifier: MIT */
/* Conditional rendering of each generation: do 3D and compute objects execute their work? */
#ifndef PFIFO_SRC_ENGINE_GRAPH_RENDER_H
#define PFIFO_SRC_ENGINE_GRAPH_RENDER_H

#include "engine/core/predicate.h"
#include "unit/graph/graph.h"

/* SET_RENDER_ENABLE and SET_GLOBAL_RENDER_ENABLE of Fermi and later, which must both allow it. */
bool render_allowed_gf100(const struct call *call);

/* Both say so without looking at memory. */
bool render_always_gf100(const struct call *call);

/* COND_MODE of Tesla, in DMA_QUERY. */
bool render_allowed_g80(const struct call *call);

/* The condition of Rankine and Curie at 0x1e98. */
bool render_allowed_nv30(const struct call *call);

/* Methods that begin a draw. Each is reported as not executed, unless its condition is false. */
enum action_result draw_gf100(struct call *call);
enum action_result draw_g80(struct call *call);

#endif
