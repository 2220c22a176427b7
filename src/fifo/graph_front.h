/* SPDX-License-Identifier: MIT */
/*
 * The front of PGRAPH, before GF100: its interrupt, and on NV1 .. NV3x the gate through which methods go in.
 *
 *   puller --graph_takes(channel, method)--> yes: to the engine
 *                                            no: held; FIFO access is off, or PGRAPH is on another channel:
 * CONTEXT_SWITCH engine --graph_raise(bits)--> INTR & INTR_EN --> PMC INTR bit 12
 *
 * Who changes the channel: the driver, on the interrupt (NV1:NV20); PGRAPH itself if DEBUG_3 says so (NV20:NV40), or
 * always (NV40-).
 *
 * Modelled:     INTR (write 1 to clear), INTR_EN, the line; FIFO access, CTX_CONTROL, the current channel, TRAPPED_ADDR
 *               and TRAPPED_DATA of a method that is held.
 * Not modelled: what else PGRAPH shows about methods that trap (events say it); loading and storing its contexts.
 * Sources:      envytools rnndb/graph/{nv1,nv3,nv4,g80}_pgraph.xml; nouveau engine/gr/{nv04,nv10,nv20,nv40,nv50}.c;
 *               Linux riva nv4ref.h.
 */
#ifndef PFIFO_SRC_FIFO_GRAPH_FRONT_H
#define PFIFO_SRC_FIFO_GRAPH_FRONT_H

#include "bus/bus.h"

#define GRAPH_INTR_NOTIFY (1u << 0)
#define GRAPH_INTR_ERROR  (1u << 20) /* NV4x ERROR, G80- DATA_ERROR */
#define GRAPH_INTR_TRAP   (1u << 21) /* G80-: an access of PGRAPH faulted */

struct graph_gate;

/* A method at the gate. From NV10 on two may come at once: to the same method, or to the one and the next. */
struct graph_method {
    uint32_t subchannel, method, data;
    bool pair;
    uint32_t data_high; /* of the second, if it is a pair */
};

struct graph_front {
    struct bus *bus;
    const struct graph_gate *gate; /* how this chip's is built, NULL: always open */
    struct face face;
    struct graph_regs {
        uint32_t intr, intr_en, access, ctx_control, channel, debug_3, trapped_addr, trapped_data, trapped_data_high;
    } r;
};

enum pfifo_status graph_attach(struct graph_front *graph, struct bus *bus, struct pfifo_error *error);
void graph_free(struct graph_front *graph);
void graph_reset(struct graph_front *graph); /* PMC ENABLE bit 12 went from 1 to 0 */
void graph_raise(struct graph_front *graph, uint32_t bits);

/* Would a method of this channel go in now? */
bool graph_open(const struct graph_front *graph, uint32_t channel);

/* The same for a method that has come; what is in its way is told to the driver. */
bool graph_takes(struct graph_front *graph, uint32_t channel, const struct graph_method *method);

/* A driver has been asked to switch the channel, and has not yet answered. */
bool graph_asks(const struct graph_front *graph);

#endif
