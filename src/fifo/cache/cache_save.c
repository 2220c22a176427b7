/* SPDX-License-Identifier: MIT */
/*
 * A PFIFO with CACHE1 in the stream of a saved machine:
 *
 *   "CACR" the registers, as an array: a machine with more or fewer of them has another layout
 *   "CACH" the rest: entries, the channel in CACHE1 and where it reads its pushbuffer, timeslice, what is pending
 *   "CSAV" entries of channels that left, where the chip itself keeps them
 *
 * The pushbuffer's space is saved and not recomputed: its object may have changed since it was opened. Derived, or not
 * in use between two runs: tables of methods and headers, the piece of pushbuffer being read, the run of the bulk path,
 * that a run is under way, the count of switches without work.
 */
#include "fifo/cache/cache.h"
#include "fifo/cache/queue.h"
#include "fifo/cache/switcher.h"
#include "state/state.h"

/* Add a new field below, or to the derived fields. */
_Static_assert(sizeof(void *) != 8 || (offsetof(struct cache_fifo, r) - sizeof(struct fifo) == 48 &&
                                       sizeof(struct cache_fifo) - offsetof(struct cache_fifo, mode_before) == 12564),
               "every field of a PFIFO with CACHE1 is saved or derived");

static void state_entries(struct cache_entry *entry, uint32_t count, struct state_io *io) {
    for (uint32_t i = 0; i < count; i++) {
        state_u32(io, &entry[i].method);
        state_u32(io, &entry[i].data);
    }
}

static void state_cache1(struct cache_fifo *c, struct state_io *io) {
    const uint32_t entries = c->base.chip->cache1_entries;
    if (state_count(io, entries, entries, "entries of CACHE1") != entries)
        state_fail(io, PFIFO_ERROR_FORMAT, "not all entries of CACHE1");
    for (uint32_t i = 0; i < entries; i++) {
        state_u32(io, &c->slot.method[i]);
        state_u32(io, &c->slot.data[i]);
    }
}

static void state_context(struct cache_fifo *c, struct state_io *io) {
    struct pfifo_channel_context *context = &c->context;
    unsigned id = context->id, target = context->instance_target;
    state_bool(io, &c->context_valid);
    state_index(io, &id, CACHE_CHANNELS, "channel");
    state_u64(io, &context->instance);
    state_index(io, &target, MEMORY_PEER + 1, "target of memory");
    context->fifo = &c->base;
    context->id = id;
    context->instance_target = (enum memory_target)target;
    fifo_state_context(context, io, c->context_valid && c->family->switcher->has_vm);
}

static void state_pushbuffer(struct cache_fifo *c, struct state_io *io) {
    state_bool(io, &c->pusher.is_open);
    memory_state_space(c->base.memory, io, &c->pusher.space, c->pusher.is_open);
    if (io->loading)
        c->pusher.span = (struct span){NULL, 0};
}

static void state_rest(struct cache_fifo *c, struct state_io *io) {
    state_u32(io, &c->mode_before);
    state_cache1(c, io);
    state_context(c, io);
    state_pushbuffer(c, io);
    state_words(io, &c->puller.bound[0][0], sizeof c->puller.bound / sizeof c->puller.bound[0][0], "bound classes");
    state_bool(io, &c->puller.again_cache0);
    state_bool(io, &c->puller.announced);
    state_bool(io, &c->puller.again);
    state_bool(io, &c->pusher.pinned);
    state_bool(io, &c->slice.yield);
    state_u64(io, &c->slice.units);
}

static void state_saved(struct cache_fifo *c, struct state_io *io) {
    for (unsigned channel = 0; channel < c->base.chip->channels; channel++) {
        struct cache_saved *saved = &c->saved[channel];
        uint32_t count = state_count(io, saved->count, c->base.chip->cache1_slots, "entries of a channel");
        if (io->loading)
            saved->count = count;
        state_entries(saved->entry, count, io);
    }
}

void cache_state(struct fifo *fifo, struct state_io *io) {
    struct cache_fifo *c = (struct cache_fifo *)fifo;
    if (state_begin(io, "CACR", 1))
        state_words(io, (uint32_t *)(void *)&c->r, sizeof c->r / sizeof(uint32_t), "registers");
    state_end(io);
    if (state_begin(io, "CACH", 1))
        state_rest(c, io);
    state_end(io);
    if (c->saved && state_begin(io, "CSAV", 1))
        state_saved(c, io);
    if (c->saved)
        state_end(io);
}
