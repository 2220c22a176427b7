/* SPDX-License-Identifier: MIT */
/*
 * CACHE0: one entry, which the driver fills through registers to have a command executed while CACHE1 is stopped.
 *
 *   w32 CACHE0 PUSH1, METHOD, DATA, PUT; PULL0 = 1  -->  puller  -->  engine, or CACHE_ERROR with CACHE0's own state
 *
 * Its puller is CACHE1's on a set of registers of its own (PULLER_REG). USER writes never come here.
 *
 * Sources: envytools hwtest/pgraph_mthd.cc, rnndb/fifo/{nv1,nv4}_pfifo.xml, docs/hw/fifo/nv1-pfifo.rst.
 */
#include "fifo/cache/puller.h"
#include "fifo/cache/pusher.h"
#include "fifo/cache/switcher.h"

#define STATUS_EMPTY (1u << 4)
#define STATUS_FULL  (1u << 8)
#define POINTER      4u

uint32_t cache0_read_status(void *unit, const struct reg *reg, uint32_t index) {
    const struct cache_fifo *c = unit;
    (void)reg, (void)index;
    return c->r.cache0.put == c->r.cache0.get ? STATUS_EMPTY : STATUS_FULL;
}

/* The entry is not the one that the engine did not take before. */
void cache0_write_entry(void *unit, const struct reg *reg, uint32_t index, uint32_t value) {
    (void)reg, (void)index, (void)value;
    ((struct cache_fifo *)unit)->puller.again_cache0 = false;
}

bool cache0_can_pull(const struct cache_fifo *c) {
    return (c->r.cache0.pull0 & PULL_ACCESS) && c->r.cache0.put != c->r.cache0.get;
}

void cache0_step(struct cache_fifo *c, uint64_t *units) {
    struct cache0_regs *own = &c->r.cache0;
    uint32_t subchannel = own->method >> 13 & 7, method = own->method & STATE_METHOD;
    const struct pfifo_channel_context context = c->context;
    pusher_look_ahead(c);
    c->puller.in_cache0 = true;
    c->family->switcher->open_channel(c);
    own->pull0 &= ~PULL0_CAUSE;
    if (!c->puller.again_cache0)
        event_send(c->base.events, EVENT_PULLER_METHOD, c->context.id, NULL, subchannel,
                   c->puller.bound[c->context.id][subchannel], method, own->data);
    enum puller_result result = c->family->puller->execute_cache0(c, subchannel, method, own->data);
    uint64_t slice = cache_slice_units(c);
    c->puller.in_cache0 = false;
    c->context = context;
    if (result == PULLER_DONE)
        own->get ^= POINTER;
    c->puller.again_cache0 = result == PULLER_STALL;
    *units = result == PULLER_STALL ? slice : 1;
}
