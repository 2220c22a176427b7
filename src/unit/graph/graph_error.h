/* SPDX-License-Identifier: MIT */
/*
 * How PGRAPH shows an error. Each generation has a file with its numbers; graph.c puts them into registers.
 */
#ifndef PFIFO_SRC_UNIT_GRAPH_GRAPH_ERROR_H
#define PFIFO_SRC_UNIT_GRAPH_GRAPH_ERROR_H

#include "unit/graph/graph.h"

/* Each generation sets its own fields. */
struct graph_codes {
    uint32_t invalid;  /* NV1, NV3: bits of INVALID, */
    uint32_t nv1_intr; /* or bits of INTR, */
    uint32_t dma_intr; /* NV3: or bits of DMA_INTR */
    uint32_t nsource;  /* NV4:G80: bits of NSOURCE, */
    bool missing_hw;   /* or this bit of INTR */
    uint32_t intr;     /* G80-: bits of INTR, 0: nothing shows; */
    uint32_t data_error;
    uint32_t unit, status; /* with TRAP: enum graph_unit, and bits of its own register; */
    uint32_t misc;         /* bits of DISPATCH_MISC */
};

/* Fill in the codes of an error. `codes` is zero on entry. */
void graph_codes_nv1(const struct unit_trap *trap, struct graph_codes *codes);
void graph_codes_nv4(const struct unit_trap *trap, struct graph_codes *codes);
void graph_codes_g80(const struct unit_trap *trap, struct graph_codes *codes);

/* The name of an error by its codes; NULL: it has none. */
const char *graph_name_nv1(const struct pfifo_chip *chip, const struct unit_trap *trap,
                           const struct graph_codes *codes);
const char *graph_name_nv4(const struct pfifo_chip *chip, const struct unit_trap *trap,
                           const struct graph_codes *codes);
const char *graph_name_g80(const struct pfifo_chip *chip, const struct unit_trap *trap,
                           const struct graph_codes *codes);

/* A method of this channel was refused with these codes. False: this check is off. */
bool graph_show(struct pgraph *graph, uint32_t channel, const struct unit_trap *trap, const struct graph_codes *codes);

#endif
