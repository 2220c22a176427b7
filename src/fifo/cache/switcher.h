/* SPDX-License-Identifier: MIT */
/*
 * The switcher: which channel is in CACHE1, and for how long.
 *
 *   timeslice over, YIELD, or nothing to do --> next_channel(): who has work?
 *       registers, entries --> RAMFC of the old channel;  RAMFC of the new one --> registers, entries  (ramfc.h)
 *
 * A channel with an error stays until its driver has handled it. NV1 and NV3 have no switcher: PIO switches (pio.h).
 *
 * Touches: PUSH1, NEXT_CHANNEL, DMA_PUSH, TIMESLICE, and by RAMFC all that a channel owns.
 * Sources: envytools docs/hw/fifo/intro.rst, rnndb/fifo/{nv4,g80}_pfifo.xml; nouveau engine/fifo/{nv04,nv40,nv50}.c.
 */
#ifndef PFIFO_SRC_FIFO_CACHE_SWITCHER_H
#define PFIFO_SRC_FIFO_CACHE_SWITCHER_H

#include "fifo/cache/cache.h"

struct switcher_ops {
    /* Next channel with work after the current one, or UINT32_MAX. */
    uint32_t (*next_channel)(struct cache_fifo *c);
    /* Fill in c->context for the channel for which the puller works: of CACHE1, or of CACHE0. */
    void (*open_channel)(struct cache_fifo *c);
    /* Is the channel in DMA mode? */
    bool (*dma_mode)(const struct cache_fifo *c, uint32_t channel);
    /* Before a run: what registers asked for and could not be done at once. */
    void (*begin_run)(struct cache_fifo *c);
    /* The channel left: remember whether it still has work. */
    void (*left)(struct cache_fifo *c, uint32_t channel, bool has_work);
    uint32_t mode_bit;      /* PUSH1: the channel is in DMA mode */
    uint32_t next_mode_bit; /* the same of NEXT_CHANNEL; 0: there is no such register */
    uint64_t slice_units;   /* units of work per step of DMA_TIMESLICE.SELECT */
    bool one_timeslice;     /* PIO channels have that of DMA */
    bool yield_ends_slice;  /* also for who wants to come in later; else YIELD counts for now only */
    bool has_vm;            /* a channel has an address space of its own */
};

/* Defaults: of families that do not have the part. */
uint32_t switcher_no_channel(struct cache_fifo *c);
bool switcher_never_dma(const struct cache_fifo *c, uint32_t channel);
void switcher_begin_nothing(struct cache_fifo *c);
void switcher_forget_left(struct cache_fifo *c, uint32_t channel, bool has_work);

/*
 * The driver makes a channel work, a new one or one that slept. PGRAPH's state of a channel is in memory; the model
 * keeps it in the engine, and must know whether this is the channel of that state. [driver] RAMFC of a new one has no
 * subchannels that are bound to an engine; nouveau restores RAMFC of one that slept before.
 */
void switcher_channel_comes(struct cache_fifo *c, uint32_t channel);

/* The registers as they would be if the channel were loaded; they are those of another one before. */
void switcher_read_registers(struct cache_fifo *c, uint32_t channel, struct cache_regs *r);
void switcher_start_slice(struct cache_fifo *c);
void switcher_yield(struct cache_fifo *c); /* the channel in CACHE1 allows a switch */
void switcher_save(struct cache_fifo *c);
void switcher_load(struct cache_fifo *c, uint32_t channel);
void switcher_switch(struct cache_fifo *c, uint32_t channel); /* save, load */
bool switcher_may_leave(const struct cache_fifo *c);          /* the channel in CACHE1 */
bool switcher_try(struct cache_fifo *c);                      /* another channel with work is in now */
uint32_t switcher_read_timeslice(void *unit, const struct reg *reg, uint32_t index);
void switcher_write_timeslice(void *unit, const struct reg *reg, uint32_t index, uint32_t value);

#endif
