/* SPDX-License-Identifier: MIT */
/*
 * PGRAPH's interrupt, as far as the line into PMC needs it (before GF100).
 *
 *   engine --graph_raise(bits)--> INTR & INTR_EN --> PMC INTR bit 12
 *
 * Modelled:     INTR (write 1 to clear), INTR_EN, the line
 * Not modelled: what PGRAPH shows about the method that trapped (TRAPPED_ADDR and its kin); events say it
 * Sources:      envytools rnndb/graph/nv4_pgraph.xml, g80_pgraph.xml; nouveau engine/gr/{nv40,nv50}.c
 */
#ifndef PFIFO_SRC_FIFO_GRAPH_INTR_H
#define PFIFO_SRC_FIFO_GRAPH_INTR_H

#include "bus/bus.h"

#define GRAPH_INTR_NOTIFY (1u << 0)
#define GRAPH_INTR_ERROR  (1u << 20) /* NV4x ERROR, G80- DATA_ERROR */
#define GRAPH_INTR_TRAP   (1u << 21) /* G80-: an access of PGRAPH faulted */

struct graph_intr {
    struct bus *bus;
    uint32_t intr, intr_en;
};

enum pfifo_status graph_attach(struct graph_intr *graph, struct bus *bus, struct pfifo_error *error);
void graph_raise(struct graph_intr *graph, uint32_t bits);

#endif
