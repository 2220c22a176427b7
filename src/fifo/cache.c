/* SPDX-License-Identifier: MIT */
#include "fifo/cache.h"

/* ---- the queue ---- */

void cache_push(struct cache_fifo *c, uint32_t subchannel, uint32_t method, uint32_t data, bool nonincreasing) {
    struct cache_entry *entry = cache_at(c, c->r.put);
    entry->method = subchannel << 13 | (method & STATE_METHOD) | (nonincreasing ? STATE_NONINC : 0);
    entry->data = data;
    c->r.put = (c->r.put + 4) & c->base.chip->cache1_pointer_mask;
}

void cache_pop(struct cache_fifo *c) {
    c->r.get = (c->r.get + 4) & c->base.chip->cache1_pointer_mask;
    c->announced = c->again = false;
}

/* ---- interrupts ---- */

void cache_update_interrupt(struct cache_fifo *c) {
    bus_interrupt(c->base.bus, PMC_INTR_PFIFO, (c->r.intr & c->r.intr_en) != 0);
}

void cache_raise(struct cache_fifo *c, uint32_t bits, const char *cause) {
    c->r.intr |= bits;
    event_send(c->base.events, EVENT_FIFO_INTERRUPT, cache_channel(c), cause, c->r.intr, 0);
    cache_update_interrupt(c);
}

void cache_forget_channel(struct cache_fifo *c) {
    c->context_valid = false;
    c->fetch_open = false;
    c->fetch.bytes = 0;
}

/* ---- the loop ---- */

static bool enabled(const struct cache_fifo *c) {
    return (c->base.bus->enable & PMC_INTR_PFIFO) != 0 && !(c->r.freeze & 1);
}

static void spend(struct cache_fifo *c, uint64_t *budget, uint64_t units) {
    units += c->ahead_units;
    c->ahead_units = 0;
    *budget -= units < *budget ? units : *budget;
    if (c->slice != UINT64_MAX)
        c->slice -= units < c->slice ? units : c->slice;
    if (units) /* a method that its engine does not take now is no progress */
        c->idle_switches = 0;
    bus_work(c->base.bus, units);
}

static bool slice_expired(const struct cache_fifo *c) {
    return c->yield || c->slice == 0;
}

/* A hint of the program's: the end of a timeslice while the segment runs is passed over. */
static bool in_pinned_segment(const struct cache_fifo *c) {
    return c->pinned && pusher_get(c) != pusher_put(c);
}

/* Work of the current channel that only a driver can set going again. */
static bool stopped_by_error(const struct cache_fifo *c) {
    bool puller = !(c->r.pull0 & PULL_ACCESS) && (c->r.pull0 & PULL0_CAUSE);
    bool pusher = (c->r.dma_push & DMA_PUSH_SUSPENDED) || (c->r.dma_state & STATE_ERROR);
    return puller || pusher;
}

static bool has_work(const struct cache_fifo *c) {
    return cache_used(c) != 0 || pusher_has_work(c) || (c->r.pull1 & PULL1_ACQUIRE_ACTIVE);
}

static bool anything_left(struct cache_fifo *c) {
    return has_work(c) || c->family->next_channel(c) != UINT32_MAX;
}

static enum pfifo_stop why_no_progress(struct cache_fifo *c) {
    struct pfifo_stop_info *stop = &c->base.stop;
    *stop = (struct pfifo_stop_info){.reason = PFIFO_STOP_IDLE, .channel = UINT32_MAX};
    if (c->r.pull1 & PULL1_ACQUIRE_ACTIVE) {
        stop->reason = PFIFO_STOP_WAITING;
        puller_waiting_for(c, stop);
    } else if (stopped_by_error(c)) {
        stop->reason = PFIFO_STOP_INTERRUPT;
    } else if (c->again && enabled(c) && (c->r.pull0 & PULL_ACCESS)) {
        stop->reason = PFIFO_STOP_WAITING; /* an engine does not take the method now */
        fifo_engine_waits_for(&c->base.engines[c->r.pull1 & (CHIP_MAX_ENGINES - 1)], &c->context, stop);
    } else if (has_work(c)) {
        stop->reason = PFIFO_STOP_FROZEN;
    }
    if (stop->reason != PFIFO_STOP_IDLE)
        stop->channel = cache_channel(c);
    return stop->reason;
}

static uint64_t at_most(uint64_t a, uint64_t b) {
    return a < b ? a : b;
}

/* One turn of the order of work in fifo.h. False: nothing can be done without another channel. */
static bool turn(struct cache_fifo *c, uint64_t *budget) {
    if (puller_can_pull(c)) {
        uint64_t units = 0;
        puller_step(c, &units);
        spend(c, budget, units);
        if (units)
            return true;
    }
    if (!pusher_can_fetch(c))
        return false;
    uint64_t units = cache_used(c) == 0 ? pusher_run(c, at_most(*budget, c->slice)) : 0;
    if (units == 0) {
        pusher_step(c);
        units = 1;
    }
    spend(c, budget, units);
    return true;
}

static enum pfifo_stop finish(struct cache_fifo *c, enum pfifo_stop reason) {
    if (reason == PFIFO_STOP_IDLE || reason == PFIFO_STOP_BUDGET)
        c->base.stop = (struct pfifo_stop_info){.reason = reason, .channel = UINT32_MAX};
    c->base.memory->watch.begin = c->base.memory->watch.end = NULL;
    c->fetch.bytes = 0; /* the owner may change memory and tables before it comes back */
    return reason;
}

enum pfifo_stop cache_run(struct fifo *fifo, uint64_t *budget) {
    struct cache_fifo *c = (struct cache_fifo *)fifo;
    c->idle_switches = 0;
    if (!enabled(c))
        return finish(c, has_work(c) ? why_no_progress(c) : PFIFO_STOP_IDLE);
    for (;;) {
        if (!c->context_valid) {
            c->family->open_channel(c);
            c->context_valid = true;
        }
        if (slice_expired(c)) {
            c->yield = false;
            switcher_start_slice(c);
            if (!in_pinned_segment(c) && switcher_try(c))
                continue;
        }
        if (*budget == 0)
            return finish(c, anything_left(c) ? PFIFO_STOP_BUDGET : PFIFO_STOP_IDLE);
        if (turn(c, budget))
            continue;
        if (!switcher_try(c))
            return finish(c, why_no_progress(c));
    }
}

/* ---- setting up ---- */

enum pfifo_status cache_attach(struct cache_fifo *c, const struct cache_family *family, const struct face *face,
                               const struct window *const *windows, struct pfifo_error *error) {
    c->family = family;
    c->slice = UINT64_MAX;
    c->base.memory->watch.hit = pusher_watch_hit;
    c->base.memory->watch.opaque = c;
    c->base.bus->sync = pusher_sync;
    pusher_make_index(c);
    puller_make_host_table(c);
    enum pfifo_status status = bus_attach_face(c->base.bus, face, c, error);
    if (status == PFIFO_OK)
        status = graph_attach(&c->graph, c->base.bus, error);
    for (; status == PFIFO_OK && *windows; windows++)
        status = bus_attach_window(c->base.bus, *windows, c, error);
    return status;
}
