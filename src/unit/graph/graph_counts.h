/* SPDX-License-Identifier: MIT */
/*
 * How many clusters PGRAPH has (GF100 and later): registers by which drivers size their tables, and by which they
 * divide. All clusters of the die are present. The counts are computed once and are read-only; the other units' are in
 * bus/units.h.
 *
 * Sources: envytools rnndb/graph/gf100_pgraph; nouveau nvkm/engine/gr.
 */
#ifndef PFIFO_SRC_UNIT_GRAPH_GRAPH_COUNTS_H
#define PFIFO_SRC_UNIT_GRAPH_GRAPH_COUNTS_H

#include <pfifo/error.h>

#include "bus/reg.h"

#define GRAPH_MAX_GPCS 8
#define GRAPH_MAX_PPCS 3

struct bus;

/* Values of registers; not saved. */
struct graph_counts {
    uint32_t units; /* GPCs and ROPs */
    uint32_t gpc_tpcs[GRAPH_MAX_GPCS];
    uint32_t ppc_tpcs[GRAPH_MAX_PPCS][GRAPH_MAX_GPCS]; /* mask */
    struct reg_table table;                            /* the chip's rows */
};

/* Compute the counts of the bus's chip, and attach its rows. Errors: PFIFO_ERROR_MEMORY. */
enum pfifo_status graph_counts_attach(struct graph_counts *counts, struct bus *bus, struct pfifo_error *error);
void graph_counts_free(struct graph_counts *counts);

#endif
