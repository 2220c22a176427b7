/* SPDX-License-Identifier: MIT */
/*
 * The pusher: reads the pushbuffer of the channel in CACHE1 and puts its methods there.
 *
 *   pushbuffer, from GET to PUT --> jump, call, return: GET
 *   (or segments of the IB ring)    header: DMA_STATE, count     data: an entry of CACHE1
 *
 * There are two ways. pusher_step() handles one word, with all special cases (cache_pusher.c). pusher_run() passes
 * whole packets directly to the engine while CACHE1 is empty and no special case comes (cache_packets.c,
 * cache_whole.c), with the same result. While it works, registers are stale until pusher_sync().
 *
 * Errors stop it: DMA_STATE.ERROR, DMA_PUSH.SUSPENDED, and DMA_PUSHER in INTR.
 *
 * Touches: DMA_*, IB_*, METHOD_COUNT, SUBROUTINE, SLI, the shadows; PUT of CACHE1.
 * Sources: envytools docs/hw/fifo/dma-pusher.rst, rnndb/fifo/{nv4,g80}_pfifo.xml.
 */
#ifndef PFIFO_SRC_FIFO_CACHE_PUSHER_H
#define PFIFO_SRC_FIFO_CACHE_PUSHER_H

#include "fifo/cache/cache.h"

#define PUSHER_STEP 0xff            /* in pusher_state.step */
#define STATE_COUNT NV4_COUNT_SHIFT /* of DMA_STATE, where it has the count: as in a header */

/* A family's pusher, as cache_run() calls it. */
struct pusher_ops {
    bool (*has_work)(const struct cache_fifo *c); /* there is something to fetch, also if it may not be fetched now */
    bool (*can_fetch)(struct cache_fifo *c);
    void (*fetch)(struct cache_fifo *c); /* one word; after can_fetch() */
    /* Whole packets; after can_fetch(), with CACHE1 empty. Returns the units of work, 0: fetch() is needed. */
    uint64_t (*run)(struct cache_fifo *c, uint64_t budget);
    bool (*stopped)(const struct cache_fifo *c); /* by an error that only a driver can end */
};

/* How the pusher of NV4 and later reads its pushbuffer. */
struct pushbuffer_ops {
    bool count_in_state;       /* count of the packet in DMA_STATE[28:18]; else in METHOD_COUNT */
    bool pauses_at_acquire;    /* it waits for the puller after method 0x68 */
    bool has_limit_register;   /* DMA mode checks GET against DMA_LIMIT */
    bool active_in_subroutine; /* SUBROUTINE_ACTIVE is bit 0 of DMA_SUBROUTINE, not bit 17 of DMA_STATE */
    bool endian_in_fetch;      /* DMA_FETCH says the byte order; else FIFO_ENDIAN, or PMC */
    uint32_t pointer_high;     /* bits of DMA_GET_HIGH, 0: pointers have no upper half, and wrap to 0 */
    /* Where it is read through (pusher.space), decided after a channel load. */
    void (*open)(struct cache_fifo *c);
    /* Pushbuffer or IB ring could not be read: what is raised beside MEM_FAULT. */
    void (*fault)(struct cache_fifo *c, const struct fault *fault);
    /* For who only looks: is there one; the channel; and through what it is read, with the channel's registers. */
    bool (*has)(const struct cache_fifo *c, uint32_t channel);
    struct pfifo_channel_context (*context)(struct cache_fifo *c, uint32_t channel);
    struct address_space (*look)(struct cache_fifo *c, const struct pfifo_channel_context *channel,
                                 struct cache_regs *r);
};

/* struct pusher_ops of NV4 and later, and of who has no pusher. */
bool pusher_has_work(const struct cache_fifo *c);
bool pusher_can_fetch(struct cache_fifo *c);
void pusher_step(struct cache_fifo *c); /* one word, or one IB entry */
uint64_t pusher_run(struct cache_fifo *c, uint64_t budget);
uint64_t pusher_run_nothing(struct cache_fifo *c, uint64_t budget); /* for families without a bulk path */
bool pusher_stopped(const struct cache_fifo *c);
extern const struct pusher_ops pusher_ops_nv4;

void pusher_make_index(struct cache_fifo *c); /* which headers pusher_run() takes, from the grammar */

/* ---- while pusher_run() works ---- */

void pusher_close(struct cache_fifo *c);       /* it ends after the method that an engine has */
void pusher_sync(void *fifo);                  /* write the registers */
uint64_t pusher_units_done(struct fifo *fifo); /* see struct fifo_ops */
void pusher_look_ahead(struct cache_fifo *c);  /* before an entry of CACHE1 executes, watch the words after it */
void pusher_watch_hit(void *fifo, const uint8_t *begin, const uint8_t *end); /* see struct memory_watch */

/* ---- GET, PUT, the packet ---- */

uint64_t pusher_get(const struct cache_fifo *c);
uint64_t pusher_put(const struct cache_fifo *c);
void pusher_set_get(struct cache_fifo *c, uint64_t get);
void pusher_set_packet(struct cache_fifo *c, uint32_t subchannel, uint32_t method, uint32_t count, bool nonincreasing);
void pusher_report_packet(struct cache_fifo *c, uint64_t at, uint32_t word, const struct grammar_word *w);
/* Host pointer to the word at `get`, NULL after a fault was raised. */
const uint8_t *pusher_fetch_pointer(struct cache_fifo *c, uint64_t get);

/* Does a channel with this DMA_FETCH fetch by a ring of segments? */
static inline bool pusher_uses_ib(const struct cache_fifo *c, uint32_t dma_fetch) {
    return (dma_fetch & DMA_FETCH_IB_ENABLE) && c->base.chip->has_ib;
}

static inline bool pusher_ib_mode(const struct cache_fifo *c) {
    return pusher_uses_ib(c, c->r.dma_fetch);
}

static inline unsigned pusher_grammar_mode(const struct cache_fifo *c) {
    return (pusher_ib_mode(c) ? GRAMMAR_IB : GRAMMAR_DMA) | (c->r.sli & SLI_ENABLE ? GRAMMAR_SLI : 0);
}

static inline uint32_t pusher_packet_count(const struct cache_fifo *c) {
    return c->family->pushbuffer->count_in_state ? c->r.dma_state >> STATE_COUNT & ((1u << NV4_COUNT_BITS) - 1)
                                                 : c->r.method_count;
}

static inline bool pusher_sli_discards(const struct cache_fifo *c) {
    return (c->r.sli & (SLI_ENABLE | SLI_ACTIVE)) == SLI_ENABLE;
}

/* Where the count is in DMA_STATE (before G80) the bit is another one. */
static inline bool pusher_long_pending(const struct cache_fifo *c) {
    return !c->family->pushbuffer->count_in_state && (c->r.dma_state & STATE_LONG_PENDING);
}

/* Byte order of the pushbuffer and of semaphores. */
static inline bool cache_big_endian(const struct cache_fifo *c) {
    if (c->family->pushbuffer->endian_in_fetch)
        return (c->r.dma_fetch & DMA_FETCH_BIG_ENDIAN) != 0;
    return c->r.fifo_endian & ENDIAN_OVERRIDE ? (c->r.fifo_endian & ENDIAN_BIG) != 0 : c->base.bus->big_endian;
}

#endif
