/* SPDX-License-Identifier: MIT */
/*
 * CACHE0: one entry, which the driver fills through registers to have a command executed while CACHE1 is stopped.
 *
 *   w32 CACHE0 PUSH1, METHOD, DATA, PUT; PULL0 = 1  -->  puller  -->  engine, or CACHE_ERROR with CACHE0's own state
 *
 * Its puller is CACHE1's on a set of registers of its own, so it is run with those in their place.
 * USER writes never land here.
 *
 * Sources: envytools hwtest/pgraph_mthd.cc, rnndb/fifo/{nv1,nv4}_pfifo.xml, docs/hw/fifo/nv1-pfifo.rst.
 */
#include "fifo/cache.h"

#define STATUS_EMPTY (1u << 4)
#define STATUS_FULL  (1u << 8)
#define POINTER      4u

uint32_t cache0_read_status(void *unit, const struct reg *reg, uint32_t index) {
    const struct cache_fifo *c = unit;
    (void)reg, (void)index;
    return c->r.cache0.put == c->r.cache0.get ? STATUS_EMPTY : STATUS_FULL;
}

bool cache0_can_pull(const struct cache_fifo *c) {
    return (c->r.cache0.pull0 & PULL_ACCESS) && c->r.cache0.put != c->r.cache0.get;
}

static void exchange(uint32_t *a, uint32_t *b) {
    uint32_t kept = *a;
    *a = *b;
    *b = kept;
}

/* The puller's registers of CACHE0 and CACHE1 change places. */
static void exchange_pullers(struct cache_fifo *c) {
    struct cache0_regs *own = &c->r.cache0;
    exchange(&c->r.pull0, &own->pull0);
    exchange(&c->r.pull1, &own->pull1);
    exchange(&c->r.hash, &own->hash);
    exchange(&c->r.engine, &own->engine);
    c->in_cache0 = !c->in_cache0;
}

void cache0_step(struct cache_fifo *c, uint64_t *units) {
    struct cache0_regs *own = &c->r.cache0;
    uint32_t subchannel = own->method >> 13 & 7, method = own->method & STATE_METHOD;
    const struct pfifo_channel_context context = c->context;
    pusher_look_ahead(c);
    exchange_pullers(c);
    c->family->open_channel(c);
    c->r.pull0 &= ~PULL0_CAUSE;
    if (!c->again_cache0)
        event_send(c->base.events, EVENT_PULLER_METHOD, c->context.id, NULL, subchannel,
                   c->bound[c->context.id][subchannel], method, own->data);
    enum puller_result result = c->family->execute_cache0(c, subchannel, method, own->data);
    exchange_pullers(c);
    c->context = context;
    if (result == PULLER_DONE)
        own->get ^= POINTER;
    c->again_cache0 = result == PULLER_STALL;
    *units = result == PULLER_STALL ? 0 : 1;
}
