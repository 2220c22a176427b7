/* SPDX-License-Identifier: MIT */
/*
 * NV1: the windows of PGRAPH's types in BAR0, past PFIFO.
 *
 *   w32 0x400000 | type << 16 | method  -->  PGRAPH, at once, while HOST of its ACCESS is on
 *
 * PFIFO sends its methods to the same windows. A window has room for methods up to 0xfffc; those from 0x2000 on exist
 * in no type. Methods belong to the channel that CTX_SWITCH shows, whether CTX_CONTROL says that it is valid or not.
 * The object does not need to be of the window's type: only method 0 selects another (graph_switch_nv1()). While HOST
 * is off writes are ignored; FIFO does not matter here.
 *
 * UNKNOWN: what a read returns; chosen: 0. Types that do not exist; chosen: all of their methods are refused, as
 * PFIFO's are. Whether what methods of one type have set is forgotten with a method of another one, where method 0
 * selected none; chosen: as with a subchannel that PFIFO binds, this is subchannel 0.
 *
 * Sources: envytools docs/hw/graph/nv1/pgraph.rst, hwtest/pgraph_mthd.cc, pgraph_mthd_misc.cc,
 * rnndb/graph/nv1_pgraph.xml.
 */
#include "fifo/cache/nv1.h"

#include "unit/graph/graph.h"

#define FIRST_WINDOW 0x410000u
#define END          0x600000u
#define METHODS_END  0x2000u
#define TYPE_SHIFT   16
#define CONTEXT_TYPE 0x400000u /* of a context, beside the type: PGRAPH's */

static uint32_t port_read(void *unit, uint32_t offset) {
    (void)unit, (void)offset;
    return 0;
}

/* Method 0 that selects the object, a method that no type has, or one for the engine. */
static void port_method(struct cache_fifo *c, uint32_t type, uint32_t address, uint32_t data) {
    const struct unit_method m = {.subchannel = address >> 13 & 7, .method = address & 0x1ffc, .data = data};
    uint32_t context = CONTEXT_TYPE | type << TYPE_SHIFT;
    if (address == 0)
        graph_switch_nv1(c->base.graph, type, data);
    else if (address < METHODS_END)
        nv1_send_to_graph(c, 0, context, address, data);
    else
        graph_refuse(c->base.graph, c->context.id, nv1_class(c, context), &m, ENGINE_ERROR_ILLEGAL_METHOD);
}

static void port_write(void *unit, uint32_t offset, uint32_t value) {
    struct cache_fifo *c = unit;
    uint32_t type = (offset + FIRST_WINDOW) >> TYPE_SHIFT & 0x1f;
    const struct pfifo_channel_context context = c->context;
    if (graph_host_is_off(c->base.graph))
        return;
    c->context = (struct pfifo_channel_context){.fifo = &c->base, .id = graph_channel_nv1(c->base.graph)};
    port_method(c, type, offset & 0xfffc, value);
    c->context = context;
    graph_show_method_nv1(c->base.graph, type, offset & 0xfffc, value);
}

const struct window nv1_graph_ports = {.name = "PGRAPH_METHODS",
                                       .base = FIRST_WINDOW,
                                       .bytes = END - FIRST_WINDOW,
                                       .read = port_read,
                                       .write = port_write};
