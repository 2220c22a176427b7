/* SPDX-License-Identifier: MIT */
/*
 * The input stage of PGRAPH, NV4 to MCP89: the method that goes in next. A driver can put one there, past PFIFO.
 *
 *   ST2_ADDR with VALID, ST2_DATA --FIFO access is on--> as a method of PFIFO: gate, object, engine; VALID goes off
 *
 *   a method of another channel than PGRAPH's ---> CONTEXT_SWITCH, and it waits (NV4 .. NV3x)
 *   method 0: data is an instance ---------------> the object's words go to CTX_CACHE, it is selected
 *   another subchannel --------------------------> its object is selected; DEBUG says whether RAMIN is read again
 *   all others ----------------------------------> the class that CTX_SWITCH shows; DMA objects by instance
 *
 * While one is there, those of PFIFO wait. NVIDIA's and nouveau's drivers save and restore the stage; nouveau also
 * sends DMA_VTXBUF of NV10 through it.
 *
 * On G80 and later the registers also show a method that failed (DISPATCH_CMD_ADDR): only one that the host has written
 * goes in. It is for the object that the channel of CACHE1 has on its subchannel.
 *
 * Modelled:     the stage; TRAPPED_ADDR and TRAPPED_DATA of what goes through it.
 *               Errors that DEBUG_3 forces (of methods of PFIFO they are not modelled).
 * Not modelled: the queue before it (FIFO_ADDR, FIFO_DATA, FIFO_PTR), which is storage; pairs of methods; CHID_VALID.
 * UNKNOWN:      a write of ST2_ADDR while FIFO access is on; chosen: the method goes in at once.
 * Sources:      envytools rnndb/graph/nv4_pgraph.xml, g80_pgraph/pgraph.xml, hwtest/pgraph_mthd.cc; nouveau
 *               nvkm/engine/gr/{nv04,nv10,nv50}.c.
 */
#ifndef PFIFO_SRC_UNIT_GRAPH_GRAPH_INPUT_H
#define PFIFO_SRC_UNIT_GRAPH_GRAPH_INPUT_H

#include "unit/graph/graph.h"

struct graph_input {
    struct unit_method method;
    uint32_t channel; /* UINT32_MAX: the stage does not say */
};

/* Is a method there that may go in as far as FIFO access is concerned? */
bool graph_input_waits(const struct pgraph *graph);
/* The method. */
struct graph_input graph_input_method(const struct pgraph *graph);
/* Does PGRAPH take it now? If its channel is in the way, the driver is asked to switch. */
bool graph_input_takes(struct pgraph *graph, const struct graph_input *input);
/* The same, without asking. */
bool graph_input_open(const struct pgraph *graph);

/*
 * Select the object of the method: its class, and its instance. False: the registers do not show objects (G80-), so it
 * is the one that the engine has on the subchannel.
 */
bool graph_input_object(struct pgraph *graph, const struct graph_input *input, uint32_t *object_class,
                        uint32_t *instance);

/* The engine begins with the method; it has done so, and has taken it or not. */
void graph_input_begin(struct pgraph *graph, const struct graph_input *input);
void graph_input_end(struct pgraph *graph, const struct graph_input *input, bool taken);

#endif
