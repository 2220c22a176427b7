/* SPDX-License-Identifier: MIT */
/*
 * Methods that a driver puts into PGRAPH's input stage, past PFIFO (unit/graph/graph_input.h).
 *
 *   write of FIFO access or of the stage --at once--> engine
 *   it did not take the method ------------cache_run()--> again, before those of CACHE0 and CACHE1
 *
 * This works while PFIFO is off, too.
 */
#ifndef PFIFO_SRC_FIFO_CACHE_CACHE_GRAPH_INPUT_H
#define PFIFO_SRC_FIFO_CACHE_CACHE_GRAPH_INPUT_H

#include "fifo/cache/cache.h"

/* Offer the method that is there to the engine. False: there is none, or nothing happened. */
bool cache_graph_input(struct cache_fifo *c);

/* Of struct bus_host_ops: graph_input. */
void cache_graph_input_written(void *host);

#endif
