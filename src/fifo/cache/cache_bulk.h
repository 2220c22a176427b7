/* SPDX-License-Identifier: MIT */
/* Shared by the files of the pusher's bulk path: the state of a run, and its innermost loop. */
#ifndef PFIFO_SRC_FIFO_CACHE_CACHE_BULK_H
#define PFIFO_SRC_FIFO_CACHE_CACHE_BULK_H

#include "fifo/cache/pusher.h"

/*
 * A run of the bulk path. While it is under way the registers are stale; pusher_sync() writes them from this. It is as
 * small as possible, so that a packet costs few stores: all that can be derived from `at` is.
 */
struct pusher_bulk {
    const uint32_t *at;     /* next word; while `whole`, run.data, unless these are in CACHE1 */
    const uint32_t *packet; /* first data word of the packet (of those in this run) */
    uint32_t header;        /* its header, if `headers`; while `whole`, that of `run` */
    uint32_t method, count; /* at `packet` */
    uint32_t subchannel;
    uint32_t step;               /* 4 or 0 */
    uint32_t headers;            /* seen in this run */
    const uint32_t *data;        /* last data word before the packet, NULL: none in this run */
    bool executing;              /* an engine has the word at `at` */
    bool closed;                 /* it takes no more: see pusher_close() */
    bool whole;                  /* ... which is the first of a packet, and `run` is that packet */
    bool in_cache;               /* data go through CACHE1 */
    struct pfifo_methods run;    /* the engine works on a packet of bulk_packets() */
    const uint32_t *last;        /* where bulk_packets() ends: no packet starts here or later */
    const uint32_t *begin, *end; /* the words that are available; begin is at GPU address `get` */
    uint64_t get;
    uint32_t dcount;      /* at `begin` */
    uint32_t cache_base;  /* CACHE1 PUT and GET at `begin` */
    const uint32_t *lost; /* a data word that the GPU overwrote after it was read, and its old value */
    uint32_t lost_data;
};

/* The packet as in its header, with its data at `data`. */
static inline void bulk_open_packet(struct pusher_bulk *b, const uint32_t *data, uint32_t step) {
    b->packet = data;
    b->step = step;
    b->method = b->header & STATE_METHOD;
    b->subchannel = b->header >> GRAMMAR_SUBCHANNEL_SHIFT & 7;
    b->count = b->header >> NV4_COUNT_SHIFT & ((1u << NV4_COUNT_BITS) - 1);
}

static inline uint32_t bulk_done(const struct pusher_bulk *b) {
    return (uint32_t)(b->at - b->packet);
}

static inline uint32_t bulk_method(const struct pusher_bulk *b) {
    return b->method + b->step * bulk_done(b);
}

/* Methods of this run that have passed through CACHE1. */
static inline uint32_t bulk_pulled(const struct pusher_bulk *b) {
    return (uint32_t)(b->at - b->begin) - b->headers;
}

/* The last data word, NULL: none in this run. */
static inline const uint32_t *bulk_data(const struct pusher_bulk *b) {
    uint32_t done = bulk_done(b) + (b->executing ? 1 : 0);
    return done ? b->packet + done - 1 : b->data;
}

/* Constant during a run of the bulk path. */
struct bulk_path {
    const uint8_t *steps;             /* of headers, by key */
    uint32_t odd;                     /* bits that no header of a plain packet has */
    const struct fifo_engine *engine; /* the engine of the subchannels in `ready`, which takes methods as they come */
    uint32_t ready;                   /* bit per subchannel; the others need a step */
    bool unseen;                      /* no observer */
};

/* The engine took nothing: the method waits in CACHE1, and the steps try it again. Returns the units of work. */
uint64_t bulk_stalled(struct cache_fifo *c);
/* The pusher ran ahead into CACHE1, so the methods that the engine took are there, too. */
uint64_t bulk_ran_ahead(struct cache_fifo *c, uint32_t taken);

/*
 * Words that go through CACHE1: the pusher writes the slots, the puller passes on their contents. The result is the
 * same as without.
 */
static inline void bulk_fill_slots(struct cache_fifo *c, uint32_t first, uint32_t method, uint32_t step,
                                   const uint32_t *words, uint32_t n) {
    uint32_t mask = c->base.chip->cache1_entries - 1u;
    for (uint32_t i = 0; i < n; i++, method += step) {
        uint32_t slot = (first + i) & mask;
        c->slot.method[slot] = method;
        c->slot.data[slot] = words[i];
    }
}

/* ---- cache_whole.c ---- */

/* Continue with the packet in `run`, as if it had been read alone. */
void bulk_open_whole(const struct cache_fifo *c, struct pusher_bulk *b);
/* Whole packets at `at`, past CACHE1 or through it. Returns the units of work. */
uint64_t bulk_packets_past_cache(struct cache_fifo *c, struct pusher_bulk *b, const struct bulk_path *path,
                                 uint64_t units);
uint64_t bulk_packets_in_cache(struct cache_fifo *c, struct pusher_bulk *b, const struct bulk_path *path,
                               uint64_t units);

#endif
