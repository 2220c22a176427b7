/* SPDX-License-Identifier: MIT */
/*
 * Host methods: those below 0x100, which the puller of NV10 .. MCP89 executes itself.
 *
 *   0x10 .. 0x1c  semaphore with an address (G84-)       0x20  interrupt         0x24 .. 0x30  flushes
 *   0x50          REF, when the last engine is idle       0x60 .. 0x6c  semaphore in a DMA object (NV1A-)
 *   0x80, 0x84    YIELD
 *
 * A family has a table of rows and, where semaphores differ, a struct semaphore_ops: nv1a_host.c, g80_host.c. What they
 * share is in cache_host.c. An acquire that is not satisfied is done, and PULL1 says that the channel waits; so it can
 * leave CACHE1 and come back.
 *
 * Touches: REF, SEMAPHORE, ACQUIRE_*, SEM_*, PULL1, INTR.
 * Sources: envytools docs/hw/fifo/puller.rst; NVIDIA open-gpu-doc classes/host/cl506f.h, cl826f.h.
 */
#ifndef PFIFO_SRC_FIFO_CACHE_HOST_H
#define PFIFO_SRC_FIFO_CACHE_HOST_H

#include "fifo/cache/queue.h"

/* A method, and the capability that a chip of the family needs for it: offset of a bool of struct pfifo_chip. */
struct host_row {
    uint8_t method;
    uint16_t capability;
    const char *name;
    cache_host_method function;
};
#define HOST_NEEDS(capability) offsetof(struct pfifo_chip, capability)

/* The location of the semaphore of methods 0x60 .. 0x6c, and the effects of an acquire. */
struct semaphore_ops {
    struct address_space (*space)(const struct cache_fifo *c);
    /* `mode`: PULL1, or what is going to be in it; it says which semaphore, if there are two. */
    uint64_t (*address)(const struct cache_fifo *c, uint32_t mode);
    uint32_t valid;        /* bit of SEMAPHORE: OFFSET, or the object, has been set */
    uint32_t mode_bits;    /* of PULL1 that an acquire sets or clears */
    uint32_t gequal;       /* bit of PULL1: compare as SEMAPHORE_GEQUAL; 0: there is none */
    uint32_t fault_code;   /* in PULL0.SEMAPHORE_ERROR, of an access that faulted */
    uint32_t trigger_bits; /* of SEMAPHORE_TRIGGER's data that count, 0: no such method */
    uint8_t clock_shift;   /* ACQUIRE_TIMESTAMP counts PTIMER's nanoseconds >> this */
    bool times_out;        /* ACQUIRE_TIMEOUT is used */
    /* The access faulted; `retry`: it was not the first try of an acquire. */
    void (*fault)(struct cache_fifo *c, const struct fault *fault, bool retry);
    /* A waiting acquire failed: the entry that the driver finds at GET. */
    struct cache_entry (*failed)(struct cache_fifo *c);
};

struct host_ops {
    const struct host_row *rows;
    size_t count;
    const struct semaphore_ops *semaphore;
};

/* puller.host and puller.host_name, from the rows of the family. */
void host_make_table(struct cache_fifo *c);

/* The channel in CACHE1 waits for a semaphore. (Before there were any, the bit of PULL1 is another one.) */
static inline bool host_acquires(const struct cache_fifo *c) {
    return c->base.chip->has_old_semaphore && (c->r.pull1 & PULL1_ACQUIRE_ACTIVE);
}
bool host_acquire_satisfied(struct cache_fifo *c); /* try a waiting acquire again */
bool host_acquire_ends(struct cache_fifo *c);      /* would that end it, or interrupt? Nothing changes */
void host_waiting_for(struct cache_fifo *c, struct pfifo_stop_info *stop);
uint64_t host_until_timeout(struct fifo *fifo); /* see struct fifo_ops */

/* ---- functions of rows (cache_host.c) ---- */

enum puller_result host_ref_cnt(struct cache_fifo *c, uint32_t method, uint32_t data);
enum puller_result host_yield(struct cache_fifo *c, uint32_t method, uint32_t data);
enum puller_result host_acquire(struct cache_fifo *c, uint32_t method, uint32_t data); /* 0x68, 0x6c */
enum puller_result host_release(struct cache_fifo *c, uint32_t method, uint32_t data);

/* Start to wait: the method is done, PULL1 has `mode`. */
enum puller_result host_start_acquire(struct cache_fifo *c, uint32_t mode, uint32_t method, uint32_t data,
                                      uint32_t value);
enum puller_result host_write_release(struct cache_fifo *c, uint32_t method, uint32_t data, uint64_t address,
                                      uint32_t value, bool with_time);
/* The puller stops at the method: with a SEMAPHORE_ERROR, without an object, or with `cause` of PULL0. */
enum puller_result host_semaphore_error(struct cache_fifo *c, uint32_t method, uint32_t data, uint32_t code,
                                        const char *name);
enum puller_result host_no_object(struct cache_fifo *c, uint32_t method, uint32_t data);
enum puller_result host_stop(struct cache_fifo *c, uint32_t method, uint32_t data, uint32_t cause, const char *name);
/* puller.host, the event of a method that has none of its own. */
void host_report(struct cache_fifo *c, uint32_t method, uint32_t data);

extern const struct host_ops host_ops_nv1a;                              /* nv1a_host.c: NV4 .. NV4x */
extern const struct host_ops host_ops_g80, host_ops_g84, host_ops_mcp89; /* g80_host.c */

#endif
