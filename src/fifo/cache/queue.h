/* SPDX-License-Identifier: MIT */
/*
 * CACHE1, the queue between pusher and puller: entries, and the pointers PUT and GET.
 *
 *   PUT  where the pusher writes the next entry     GET  what the puller executes next     PUT == GET: empty
 *
 * Pointers count in 4: bits from 2 on are the number of a slot. NV1 and NV3 have them in Gray code, later chips in
 * binary with one bit more than the entries need. CACHE1 may be written by the host at any time, so nothing here trusts
 * its contents.
 *
 * Touches: PUT, GET and the slots.
 * Sources: envytools docs/hw/fifo/intro.rst, rnndb/fifo/nv1_pfifo.xml.
 */
#ifndef PFIFO_SRC_FIFO_CACHE_QUEUE_H
#define PFIFO_SRC_FIFO_CACHE_QUEUE_H

#include "fifo/cache/cache.h"

struct cache_entry {
    uint32_t method; /* [15:13] subchannel, [12:2] method, bit 0 non-increasing */
    uint32_t data;
};

/* Entries of a channel that left with CACHE1 not empty, where the chip itself keeps them. */
struct cache_saved {
    uint32_t count;
    struct cache_entry entry[CACHE_MAX_ENTRIES];
};

/* In Gray code one bit changes per step; a slot is known by the code, not by its number. */
static inline uint32_t gray_number(uint32_t code) {
    for (uint32_t shift = 1; shift < 32; shift *= 2)
        code ^= code >> shift;
    return code;
}

static inline uint32_t cache_next_gray(const struct cache_fifo *c, uint32_t pointer) {
    uint32_t mask = c->base.chip->cache1_entries - 1u;
    uint32_t next = (gray_number(pointer >> 2 & mask) + 1) & mask;
    return (next ^ next >> 1) << 2;
}

static inline uint32_t cache_next(const struct cache_fifo *c, uint32_t pointer) {
    if (c->base.chip->has_gray_pointers)
        return cache_next_gray(c, pointer);
    return (pointer + 4) & c->base.chip->cache1_pointer_mask;
}

static inline bool cache_empty(const struct cache_fifo *c) {
    return c->r.put == c->r.get;
}

/* Entries from GET to PUT. */
static inline uint32_t cache_used(const struct cache_fifo *c) {
    const struct pfifo_chip *chip = c->base.chip;
    uint32_t mask = chip->cache1_entries - 1u;
    if (chip->has_gray_pointers)
        return (gray_number(c->r.put >> 2 & mask) - gray_number(c->r.get >> 2 & mask)) & mask;
    return ((c->r.put - c->r.get) & chip->cache1_pointer_mask) >> 2;
}

/* Binary pointers have a bit more than the entries need; Gray ones do not, and a slot stays free. */
static inline uint32_t cache_capacity(const struct cache_fifo *c) {
    return c->base.chip->cache1_entries - (c->base.chip->has_gray_pointers ? 1u : 0u);
}

static inline bool cache_full(const struct cache_fifo *c) {
    return cache_used(c) >= cache_capacity(c);
}

/* Slots, by the value of PUT or GET. */
static inline uint32_t cache_slot(const struct cache_fifo *c, uint32_t pointer) {
    return (pointer >> 2) & (c->base.chip->cache1_entries - 1u);
}

static inline struct cache_entry cache_at(const struct cache_fifo *c, uint32_t pointer) {
    uint32_t slot = cache_slot(c, pointer);
    return (struct cache_entry){c->slot.method[slot], c->slot.data[slot]};
}

static inline void cache_set(struct cache_fifo *c, uint32_t pointer, struct cache_entry entry) {
    uint32_t slot = cache_slot(c, pointer);
    c->slot.method[slot] = entry.method;
    c->slot.data[slot] = entry.data;
}

/* One more entry at PUT. There is room for it: see cache_full(). */
void cache_push(struct cache_fifo *c, uint32_t subchannel, uint32_t method, uint32_t data, bool nonincreasing);
/* The entry at GET has been executed. */
void cache_pop(struct cache_fifo *c);

#endif
