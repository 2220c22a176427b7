/* SPDX-License-Identifier: MIT */
#include "fifo/cache/cache.h"

#include <stdlib.h>

#include "fifo/cache/cache_graph_input.h"
#include "fifo/cache/host.h"
#include "fifo/cache/puller.h"
#include "fifo/cache/pusher.h"
#include "fifo/cache/queue.h"
#include "fifo/cache/ramfc.h"
#include "fifo/cache/switcher.h"
#include "unit/graph/graph.h"
#include "unit/graph/graph_input.h"
#include "unit/unit.h"

/* ---- the queue ---- */

void cache_push(struct cache_fifo *c, uint32_t subchannel, uint32_t method, uint32_t data, bool nonincreasing) {
    uint32_t word = subchannel << 13 | (method & STATE_METHOD) | (nonincreasing ? STATE_NONINC : 0);
    cache_set(c, c->r.put, (struct cache_entry){word, data});
    c->r.put = cache_next(c, c->r.put);
}

void cache_pop(struct cache_fifo *c) {
    c->r.get = cache_next(c, c->r.get);
    c->puller.announced = c->puller.again = false;
}

/* ---- interrupts ---- */

void cache_update_interrupt(struct cache_fifo *c) {
    bus_interrupt(c->base.bus, PMC_INTR_PFIFO, (c->r.intr & c->r.intr_en) != 0);
    bus_interrupt_nrhost(c->base.bus, PMC_INTR_PFIFO, (c->r.intr_nrhost & c->r.intr_en_nrhost) != 0);
}

void cache_raise(struct cache_fifo *c, uint32_t bits, const char *cause) {
    c->r.intr |= bits;
    event_send(c->base.events, EVENT_FIFO_INTERRUPT, cache_channel(c), cause, c->r.intr, 0);
    cache_update_interrupt(c);
}

bool cache_engine_error(const struct pfifo_channel_context *channel, enum chip_unit unit,
                        const struct unit_trap *trap) {
    pusher_close((struct cache_fifo *)channel->fifo);
    return unit_trap(fifo_unit(channel->fifo, unit), channel->id, trap);
}

/* UNKNOWN: where PME and PVP1 show their faults and interrupts; chosen: PGRAPH's registers. */
static struct unit *unit_that_shows(struct fifo *fifo, enum chip_unit unit) {
    struct unit *own = fifo_unit(fifo, unit);
    return own ? own : &fifo->graph->unit;
}

void cache_engine_fault(const struct pfifo_channel_context *channel, enum chip_unit unit, const struct fault *fault,
                        const struct unit_trap *trap) {
    (void)fault;
    pusher_close((struct cache_fifo *)channel->fifo);
    unit_fault(unit_that_shows(channel->fifo, unit), channel->id, trap);
}

void cache_engine_interrupt(const struct pfifo_channel_context *channel, enum chip_unit unit, enum unit_cause cause) {
    pusher_close((struct cache_fifo *)channel->fifo);
    unit_notify(unit_that_shows(channel->fifo, unit), cause);
}

void cache_forget_channel(struct cache_fifo *c) {
    c->context_valid = false;
    c->pusher.is_open = false;
    c->pusher.span.bytes = 0;
}

/* ---- the loop ---- */

static void cache_spend(struct cache_fifo *c, uint64_t *budget, uint64_t units) {
    units += c->pusher.ahead_units;
    c->pusher.ahead_units = 0;
    bus_work(c->base.bus, units - fifo_take_early(&c->base));
    units += fifo_take_worked(&c->base); /* for which the clock has already advanced */
    *budget -= units < *budget ? units : *budget;
    if (c->slice.units != UINT64_MAX)
        c->slice.units -= units < c->slice.units ? units : c->slice.units;
    if (units) /* a method that its engine does not take now is no progress */
        c->slice.idle_switches = 0;
}

/* A hint of the program: a timeslice does not end while the segment runs. */
static bool in_pinned_segment(const struct cache_fifo *c) {
    return c->pusher.pinned && pusher_get(c) != pusher_put(c);
}

/* Work of the current channel that only a driver can resume. */
static bool stopped_by_error(const struct cache_fifo *c) {
    bool puller = !(c->r.pull0 & PULL_ACCESS) && (c->r.pull0 & PULL0_CAUSE);
    bool cache0 = !(c->r.cache0.pull0 & PULL_ACCESS) && (c->r.cache0.pull0 & PULL0_CAUSE);
    return puller || cache0 || c->family->pusher->stopped(c);
}

bool cache_channel_busy(const struct cache_fifo *c) {
    return !cache_empty(c) || c->family->pusher->has_work(c) || host_acquires(c);
}

static bool cache_has_work(const struct cache_fifo *c) {
    return cache_channel_busy(c) || c->r.cache0.put != c->r.cache0.get;
}

static bool anything_left(struct cache_fifo *c) {
    return cache_has_work(c) || c->family->switcher->next_channel(c) != UINT32_MAX;
}

/* An engine does not take the method at GET, of CACHE1 or of CACHE0. */
static bool engine_stalls(const struct cache_fifo *c) {
    bool cache1 = c->puller.again && (c->r.pull0 & PULL_ACCESS) && !cache_empty(c);
    return cache_enabled(c) && (cache1 || (c->puller.again_cache0 && cache0_can_pull(c)));
}

/* The engine that works, or last worked. */
static const struct fifo_engine *last_engine(const struct cache_fifo *c) {
    return &c->base.engines[c->family->puller->last_engine(c)];
}

uint64_t cache_slice_units(const struct cache_fifo *c) {
    return fifo_engine_works(last_engine(c), &c->context) ? 1 : 0;
}

/* So the method is the last one of its run of packets. */
void cache_engine_worked(struct fifo *fifo, uint64_t units) {
    (void)units;
    pusher_close((struct cache_fifo *)fifo);
}

/* An engine takes no methods until its driver has done something. */
static bool driver_is_asked(const struct cache_fifo *c) {
    for (unsigned id = 0; id < CHIP_MAX_ENGINES; id++)
        if (fifo_engine_asks(&c->base, id))
            return true;
    return false;
}

static enum pfifo_stop why_no_progress(struct cache_fifo *c) {
    struct pfifo_stop_info *stop = &c->base.stop;
    *stop = (struct pfifo_stop_info){.reason = PFIFO_STOP_IDLE, .channel = UINT32_MAX};
    if (host_acquires(c)) {
        stop->reason = PFIFO_STOP_WAITING;
        host_waiting_for(c, stop);
    } else if (stopped_by_error(c)) {
        stop->reason = PFIFO_STOP_INTERRUPT;
    } else if (engine_stalls(c)) {
        /* An engine does not take the method now, or waits for its driver to put it on the channel. */
        stop->reason = driver_is_asked(c) ? PFIFO_STOP_INTERRUPT : PFIFO_STOP_WAITING;
        fifo_engine_waits_for(last_engine(c), &c->context, stop);
    } else if (cache_has_work(c)) {
        stop->reason = PFIFO_STOP_FROZEN;
    }
    if (stop->reason != PFIFO_STOP_IDLE)
        stop->channel = cache_channel(c);
    return stop->reason;
}

static uint64_t at_most(uint64_t a, uint64_t b) {
    return a < b ? a : b;
}

/* CACHE0 comes first: drivers use it to execute a method before those of CACHE1. */
static bool cache_step_cache0(struct cache_fifo *c, uint64_t *budget) {
    uint64_t units = 0;
    if (!cache0_can_pull(c))
        return false;
    cache0_step(c, &units);
    cache_spend(c, budget, units);
    return units != 0;
}

/* One step of the order of work in fifo.h. False: this channel can do nothing. */
static bool cache_step(struct cache_fifo *c, uint64_t *budget) {
    if (cache_step_cache0(c, budget))
        return true;
    if (puller_can_pull(c)) {
        uint64_t units = 0;
        puller_step(c, &units);
        cache_spend(c, budget, units);
        if (units)
            return true;
    }
    if (!c->family->pusher->can_fetch(c))
        return false;
    uint64_t units = 0;
    if (cache_empty(c))
        units = c->family->pusher->run(c, c->slice.units ? at_most(*budget, c->slice.units) : *budget);
    if (units == 0) {
        c->family->pusher->fetch(c);
        units = 1;
    }
    cache_spend(c, budget, units);
    return true;
}

static enum pfifo_stop cache_finish(struct cache_fifo *c, enum pfifo_stop reason) {
    if (reason == PFIFO_STOP_IDLE || reason == PFIFO_STOP_BUDGET)
        c->base.stop = (struct pfifo_stop_info){.reason = reason, .channel = UINT32_MAX};
    c->base.memory->watch.begin = c->base.memory->watch.end = NULL;
    c->running = false;
    c->pusher.span.bytes = 0; /* the owner may change memory and tables before the next run */
    return reason;
}

/*
 * YIELD is valid for one try, also in a pinned segment. An expired timeslice stays expired until another channel has
 * work. Only register writes of the host can make another channel ready, so one search per run is enough to find that
 * there is none.
 */
static bool leave_if_due(struct cache_fifo *c, bool *alone) {
    if (!c->slice.yield && (c->slice.units != 0 || *alone))
        return false;
    bool expired = c->slice.units == 0 && !c->slice.yield;
    c->slice.yield = false;
    *alone = c->family->switcher->next_channel(c) == UINT32_MAX;
    if (*alone)
        return false;
    if (expired && in_pinned_segment(c)) {
        switcher_start_slice(c);
        return false;
    }
    return switcher_try(c);
}

void cache_renew_context(struct cache_fifo *c) {
    if (!c->context_valid)
        c->family->switcher->open_channel(c);
    c->context_valid = true;
}

/* PGRAPH's input stage comes first. False: the budget ended its work. */
static bool run_graph_input(struct cache_fifo *c, uint64_t *budget) {
    while (*budget && cache_graph_input(c))
        cache_spend(c, budget, 1);
    return *budget || !graph_input_waits(c->base.graph);
}

enum pfifo_stop cache_run(struct fifo *fifo, uint64_t *budget) {
    struct cache_fifo *c = (struct cache_fifo *)fifo;
    bool alone = false; /* no other channel has work */
    c->slice.idle_switches = 0;
    c->running = true;
    cache_renew_context(c); /* events name the channel even if nothing can be done */
    if (!run_graph_input(c, budget))
        return cache_finish(c, PFIFO_STOP_BUDGET);
    if (!cache_enabled(c))
        return cache_finish(c, cache_has_work(c) ? why_no_progress(c) : PFIFO_STOP_IDLE);
    c->family->switcher->begin_run(c);
    for (;;) {
        cache_renew_context(c);
        if (leave_if_due(c, &alone)) {
            alone = false;
            continue;
        }
        if (*budget == 0)
            return cache_finish(c, anything_left(c) ? PFIFO_STOP_BUDGET : why_no_progress(c));
        if (cache_step(c, budget))
            continue;
        if (!switcher_try(c))
            return cache_finish(c, why_no_progress(c));
    }
}

/* ---- setting up ---- */

/* The register of a RAMFC row. NULL: it is not visible in one. */
static const struct reg *register_of(const struct cache_fifo *c, const struct ramfc_row *row) {
    uint32_t at = (uint32_t)(offsetof(struct cache_fifo, r) + row->at);
    for (size_t i = 0; i < c->table.count; i++)
        if (c->table.regs[i].at == at)
            return &c->table.regs[i];
    return NULL;
}

/* The bits of the register of a RAMFC row: other bits in memory are not loaded. */
static uint32_t ramfc_valid(const struct cache_fifo *c, const struct ramfc_row *row) {
    const struct reg *reg = register_of(c, row);
    return reg ? reg->readable | reg->writable : UINT32_MAX;
}

bool cache_kept(const struct fifo *fifo, size_t index, struct fifo_kept *kept) {
    const struct cache_fifo *c = (const struct cache_fifo *)fifo;
    const struct ramfc_ops *ramfc = c->family->ramfc;
    if (!ramfc || index >= ramfc->count)
        return false;
    const struct ramfc_row *row = &ramfc->rows[index];
    *kept = (struct fifo_kept){row->offset, row->low, row->bits, row->reg_low, register_of(c, row)};
    return true;
}

static bool make_ramfc_valid(struct cache_fifo *c) {
    const struct ramfc_ops *ramfc = c->family->ramfc;
    c->ramfc_valid = calloc(ramfc->count, sizeof *c->ramfc_valid);
    for (size_t i = 0; c->ramfc_valid && i < ramfc->count; i++)
        c->ramfc_valid[i] = ramfc_valid(c, &ramfc->rows[i]);
    return c->ramfc_valid != NULL;
}

const struct bus_host_ops cache_host = {
    .sync = pusher_sync, .enable_changed = fifo_enable_changed, .graph_input = cache_graph_input_written};

enum pfifo_status cache_attach(struct cache_fifo *c, const struct cache_family *family, const struct reg_table *table,
                               const struct window *const *windows, struct pfifo_error *error) {
    c->family = family;
    c->table = *table;
    c->slice.units = UINT64_MAX;
    c->r.timeslice = TIMESLICE_AT_RESET;
    if (family->ramfc && !make_ramfc_valid(c))
        return pfifo_error_set(error, PFIFO_ERROR_MEMORY, "no memory for PFIFO");
    c->base.memory->watch.hit = pusher_watch_hit;
    c->base.memory->watch.opaque = c;
    pusher_make_index(c);
    host_make_table(c);
    enum pfifo_status status = bus_attach_table(c->base.bus, &c->table, c, error);
    for (; status == PFIFO_OK && *windows; windows++)
        status = bus_attach_window(c->base.bus, *windows, c, error);
    return status;
}

enum pfifo_status cache_attach_rows(struct cache_fifo *c, const struct cache_family *family, const struct reg_row *rows,
                                    size_t count, const struct window *const *windows, struct pfifo_error *error) {
    struct reg_table table;
    enum pfifo_status status = reg_table_select(&table, "PFIFO", rows, count, c->base.chip, error);
    if (status != PFIFO_OK)
        return status;
    c->own_table = true;
    return cache_attach(c, family, &table, windows, error);
}

void cache_free(struct fifo *fifo) {
    struct cache_fifo *c = (struct cache_fifo *)fifo;
    if (c->own_table)
        free((void *)(uintptr_t)c->table.regs);
    free(c->ramfc_valid);
    free(c->saved);
}
