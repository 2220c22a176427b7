/* SPDX-License-Identifier: MIT */
/*
 * CACHE1 for the driver, NV1 .. MCP89: its contents, and PFIFO's interrupt.
 *
 *   PFIFO_INTR --> cache_fifo_interrupt() --> struct driver_cache.handlers: of NV4 and later in cache_interrupt.c,
 *                                             of NV1 and NV3 in nv1_interrupt.c
 */
#ifndef PFIFO_SRC_DRIVER_CACHE_H
#define PFIFO_SRC_DRIVER_CACHE_H

#include "driver/channel.h"

/* The method at GET. */
struct driver_cache_entry {
    uint32_t get;
    unsigned subchannel;
    uint32_t method, data;
};

/* A bit of INTR. */
struct driver_cache_handler {
    uint32_t bit;
    void (*handle)(struct pfifo_device *device); /* acknowledges it */
};

/* What differs from chip to chip: a row of each family names its own (struct pfifo_device.cache). */
struct driver_cache {
    uint32_t channel;                            /* register with the channel of CACHE1 */
    uint32_t entries;                            /* registers: METHOD and DATA of each slot */
    const struct driver_cache_handler *handlers; /* in this order; a bit of 0 ends them */
    const struct error_names *semaphore_errors;  /* NULL: no semaphores */
    bool has_subroutine;                         /* the return address of a CALL has a register */
};

/* cache_interrupt.c: without and with subroutines and semaphores, with a large CACHE1, rings of segments, flushes. */
extern const struct driver_cache driver_cache_nv4, driver_cache_nv1a, driver_cache_nv40, driver_cache_g80,
    driver_cache_mcp89;

void cache_fifo_interrupt(struct pfifo_device *device);

uint32_t cache_current_channel(struct pfifo_device *device);
bool cache_loaded(struct pfifo_device *device, uint32_t channel);
/* NV4-: has the channel in CACHE1 something left to do: entries, or an acquire that waits? */
bool cache_busy(struct pfifo_device *device);

struct driver_cache_entry cache_entry_at_get(struct pfifo_device *device);
/* Report a fault of the current channel. `entry`: the method that failed, NULL: none. */
void cache_report(struct pfifo_device *device, const char *unit, const char *error,
                  const struct driver_cache_entry *entry, uint64_t address);
/* The handler of RUNOUT_OVERFLOW. */
void cache_runout_overflow(struct pfifo_device *device);

#endif
