/* SPDX-License-Identifier: MIT */
/*
 * The puller: takes entries out of CACHE1, binds objects, executes methods below 0x100 itself (host.h) and passes the
 * others to engines.
 *
 *   entry at GET --method 0----> RAMHT: handle to instance and engine; the engine is told the class
 *                --0x180-0x1fc-> the same for an object that the method names, then as the next line
 *                --others------> the engine of the subchannel, when it is this channel's
 *
 * What it cannot execute stays at GET: an engine that takes nothing now is tried again; an error and a software object
 * switch the puller off, and the driver is called. CACHE0 (cache0.c) has one entry, which the driver wrote, and the
 * same puller on a set of registers of its own.
 *
 * Touches: PULL0, PULL1, HASH, ENGINE of CACHE1 or CACHE0, DEBUG_0; GET of CACHE1; gates of the units.
 * Sources: envytools docs/hw/fifo/puller.rst, rnndb/fifo/{nv4,g80}_pfifo.xml.
 */
#ifndef PFIFO_SRC_FIFO_CACHE_PULLER_H
#define PFIFO_SRC_FIFO_CACHE_PULLER_H

#include "fifo/cache/cache.h"
#include "fifo/cache/ramht.h"

/* A family's puller. */
struct puller_ops {
    /* One method of CACHE1, of CACHE0. */
    enum puller_result (*execute)(struct cache_fifo *c, uint32_t subchannel, uint32_t method, uint32_t data);
    enum puller_result (*execute_cache0)(struct cache_fifo *c, uint32_t subchannel, uint32_t method, uint32_t data);
    uint32_t (*last_engine)(const struct cache_fifo *c); /* id of the engine that got the last method; below 8 */
    /* The name of the new current channel in a unit's registers, see unit_enter(). */
    uint32_t (*shown_instance)(const struct cache_fifo *c);
    bool has_invalid_engine; /* an engine id without engine is an error of its own */
    bool offers_pairs;       /* two entries at once where it can, which PGRAPH shows if it refuses them */
};

/* Objects with an instance, found by handle. */
struct ramht_ops {
    const struct ramht_layout *layout;
    uint32_t always_fail; /* bit of DEBUG_1 that lets every search fail, 0: there is none */
    /* Of a channel: its table is where register value `reg` says. */
    uint32_t (*rd32)(const struct pfifo_channel_context *channel, uint32_t reg, uint32_t offset);
    /* The class of an object of an engine, by instance number. */
    uint32_t (*object_class)(const struct pfifo_channel_context *channel, uint32_t instance, uint32_t engine);
};

/* ---- for cache_run() ---- */

bool puller_can_pull(struct cache_fifo *c);
void puller_step(struct cache_fifo *c, uint64_t *units); /* execute the entry at GET; 0 units: it stays */

/* struct puller_ops of NV4 and later. */
enum puller_result puller_execute(struct cache_fifo *c, uint32_t subchannel, uint32_t method, uint32_t data);
enum puller_result puller_execute_cache0(struct cache_fifo *c, uint32_t subchannel, uint32_t method, uint32_t data);
uint32_t puller_last_engine(const struct cache_fifo *c); /* PULL1.ENGINE */

/* ---- for the families' pullers, and host methods ---- */

/* The entry cannot be executed: it stays, the puller is off, the driver is called. `cause`: bits of PULL0. */
enum puller_result puller_stop(struct cache_fifo *c, uint32_t subchannel, uint32_t method, uint32_t data,
                               uint32_t cause, const char *name);
struct fifo_engine *puller_engine(struct cache_fifo *c, uint32_t id); /* engine, told about the channel; NULL: none */
/* The engine does not let the method in now: see unit.h and graph.h of src/unit. */
bool puller_held(struct cache_fifo *c, uint32_t id, uint32_t subchannel, uint32_t method, uint32_t data);
bool puller_last_engine_busy(const struct cache_fifo *c); /* with work of this channel */
/* RAMHT. False: the handle is not in it. */
bool puller_translate(struct cache_fifo *c, uint32_t handle, struct ramht_hit *hit);
/* The same for a channel whose register RAMHT has that value. */
bool puller_look_up(const struct cache_fifo *c, const struct pfifo_channel_context *channel, uint32_t reg,
                    uint32_t handle, struct ramht_hit *hit);

/* A register of the puller that is at work: CACHE1's, or CACHE0's. */
#define PULLER_REG(c, field) (*((c)->puller.in_cache0 ? &(c)->r.cache0.field : &(c)->r.field))

/* The channel for which the puller works: of CACHE1, or of CACHE0. */
static inline uint32_t puller_channel(const struct cache_fifo *c) {
    return cache_channel_of(c, PULLER_REG(c, push1));
}

/* ---- CACHE0 (cache0.c) ---- */

bool cache0_can_pull(const struct cache_fifo *c);
void cache0_step(struct cache_fifo *c, uint64_t *units); /* execute its entry */
void cache0_write_entry(void *unit, const struct reg *reg, uint32_t index, uint32_t value);
uint32_t cache0_read_status(void *unit, const struct reg *reg, uint32_t index);

#endif
