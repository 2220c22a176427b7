/* SPDX-License-Identifier: MIT */
/*
 * Would a run do something? The conditions of cache_run(), without its effects.
 *
 * Uncertain cases count as work: an engine that took nothing although its gate is open, and a channel that would be
 * loaded into CACHE1 only to wait there. A channel that must leave (KICK of G80) does so when the driver polls it.
 */
#include "fifo/cache/cache.h"
#include "fifo/cache/host.h"
#include "fifo/cache/puller.h"
#include "fifo/cache/pusher.h"
#include "fifo/cache/queue.h"
#include "fifo/cache/switcher.h"
#include "unit/graph/graph_input.h"

/* PGRAPH is the only engine of NV1 and NV3, and no register names it. */
static unsigned cache_work_engine_of(const struct cache_fifo *c, uint32_t engines, uint32_t subchannel) {
    return c->family->ramht ? engines >> (4 * subchannel) & (CHIP_MAX_ENGINES - 1) : 1;
}

/*
 * A method was not taken: can it be taken now? Not if its engine waits for the driver. Not known here: the target of
 * method 0, and what an engine with an open gate waits for.
 */
static bool may_be_taken(const struct cache_fifo *c, uint32_t word, uint32_t engines, uint32_t channel) {
    uint32_t method = word & STATE_METHOD;
    unsigned id = cache_work_engine_of(c, engines, word >> 13 & 7);
    if (method == 0 || (method < 0x100 && c->family->ramht))
        return true;
    return fifo_engine_open(&c->base, id, channel) || !fifo_engine_asks(&c->base, id);
}

static bool cache0_works(const struct cache_fifo *c) {
    return cache0_can_pull(c) &&
           (!c->puller.again_cache0 || may_be_taken(c, c->r.cache0.method, c->r.cache0.engine, cache_channel(c)));
}

static bool puller_works(struct cache_fifo *c) {
    if (!(c->r.pull0 & PULL_ACCESS))
        return false;
    if (host_acquires(c))
        return host_acquire_ends(c);
    return !cache_empty(c) &&
           (!c->puller.again || may_be_taken(c, cache_at(c, c->r.get).method, c->r.engine, c->context.id));
}

/* The check may end the wait for an acquire, which is a bit of a register. */
static bool pusher_works(struct cache_fifo *c) {
    uint32_t dma_push = c->r.dma_push;
    bool works = c->family->pusher->can_fetch(c);
    c->r.dma_push = dma_push;
    return works;
}

static bool switcher_works(struct cache_fifo *c) {
    uint32_t next = switcher_may_leave(c) ? c->family->switcher->next_channel(c) : UINT32_MAX;
    return next != UINT32_MAX && next != cache_channel(c);
}

bool cache_can_work(struct fifo *fifo) {
    struct cache_fifo *c = (struct cache_fifo *)fifo;
    if (graph_input_open(c->base.graph))
        return true;
    if (!cache_enabled(c))
        return false;
    /* A run reopens the channel if it may have changed; here it must stay unchanged. */
    const struct pfifo_channel_context context = c->context;
    if (!c->context_valid)
        c->family->switcher->open_channel(c);
    bool works = c->r.list_pending || cache0_works(c) || puller_works(c) || pusher_works(c) || switcher_works(c);
    c->context = context;
    return works;
}
