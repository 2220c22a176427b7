/* SPDX-License-Identifier: MIT */
/*
 * PFIFO with CACHE1: one pusher, CACHE1, one puller, one channel at a time; CACHE0 beside it for the driver.
 *
 *   USER write --> PIO pusher, or RAMRO    registers --> CACHE0 --> puller (cache0.c)
 *      (pio.c)        |                                               |
 *                     |   PUSH1.CHID, loaded by the switcher from RAMFC (cache_switch.c)
 *                     v                                               v
 *   pushbuffer --> pusher --(subchannel, method, data)--> CACHE1 --> puller --> engines
 *   (DMA or IB)    cache_pusher.c, cache_packets.c;       PUT  GET   cache_puller.c, cache_host.c;
 *                  NV3: nv3_dma.c                                   NV1, NV3: nv1_puller.c
 *
 * This header has the state of all parts. Each part has a header, with its functions and the differences between
 * families:
 *
 *   queue.h     CACHE1: entries, pointers        pusher.h    the pushbuffer, word by word and in packets
 *   pio.h       methods written to USER          puller.h    what becomes of an entry; objects
 *   switcher.h  which channel is in CACHE1       host.h      methods of the puller itself, semaphores
 *   ramfc.h     a channel off the chip           ramht.h     handles
 *   cache_regs.h  the registers
 *
 * Families:     NV1 and NV3 (nv1*.c), NV4 .. NV4x (nv4*.c), G80 .. MCP89 (g80*.c): struct cache_family names their
 *               tables of operations, and their registers are tables.
 * Modelled:     PIO with its free count and RAMRO (G80-: g80_pio.c); DMA and IB mode, jumps, calls, SLI, errors with
 *               their codes and state, NV3's kernel-launched DMA; CACHE0 and CACHE1 with its depth, visible and
 *               writable; RAMHT, handles, host methods, semaphores, RAMFC, timeslices, switching with entries in
 *               flight; what the pusher had prefetched when the GPU overwrites its own pushbuffer.
 * Not modelled: arbitration latency; the prefetch buffer before CACHE1 (only CACHE1's depth counts).
 * Sources:      envytools docs/hw/fifo/{intro,nv1-pfifo,dma-pusher,puller}.rst, rnndb/fifo/{nv1,nv4,g80}_pfifo.xml,
 *               hwtest/pfifo.cc; Linux riva nv4ref.h; nouveau engine/fifo/{nv04,nv10,nv17,nv40,nv50,g84}.c.
 */
#ifndef PFIFO_SRC_FIFO_CACHE_CACHE_H
#define PFIFO_SRC_FIFO_CACHE_CACHE_H

#include "fifo/cache/cache_regs.h"
#include "fifo/ops.h"
#include "hw/pfifo_nv4.h"

#define CACHE_MAX_ENTRIES 512

#define TIMESLICE_AT_RESET 0x3ffffu /* expired, except on the chips with a wider timer */

/*
 * A family: a table of operations for each part. A table has no NULL in it. A NULL table means that the family does not
 * have the part, and never calls it.
 */
struct cache_family {
    const char *name;
    const struct pusher_ops *pusher;
    const struct pushbuffer_ops *pushbuffer; /* NV4-: how pusher_step() reads the pushbuffer */
    const struct puller_ops *puller;
    const struct host_ops *host;   /* NV4-: methods below 0x100 */
    const struct ramht_ops *ramht; /* NV4-: objects with an instance */
    const struct switcher_ops *switcher;
    const struct ramfc_ops *ramfc; /* NV4- */
    const struct pio_ops *pio;     /* NV1:G80 */
    const struct nv1_variant *nv1; /* NV1:NV4, see nv1.h */
    const struct g80_ops *g80;     /* G80-, see g80.h */
};

struct cache_fifo;
struct cache_saved;

/* What a puller did with an entry. */
enum puller_result {
    PULLER_DONE,  /* executed: the entry is consumed */
    PULLER_STALL, /* the engine takes nothing now: the entry stays */
    PULLER_STOP,  /* an error: the entry stays, the puller is off */
};

typedef enum puller_result (*cache_host_method)(struct cache_fifo *c, uint32_t method, uint32_t data);

/*
 * The pusher's state beside its registers. All fields but `is_open`, `space` and `pinned` are recomputed when needed.
 */
struct pusher_state {
    bool is_open;               /* `space` is valid */
    bool pinned;                /* no other channel may interrupt the segment (bit 1 of its IB entry) */
    struct address_space space; /* of the pushbuffer */
    struct span span;           /* current piece of pushbuffer ... */
    uint64_t span_at;           /* ... and its GPU address */
    uint8_t straddling[4];      /* copy of a word that crosses a page */
    struct pusher_bulk *bulk;   /* the run of the bulk path under way, NULL: the registers are exact */
    uint64_t ahead_units;       /* units of work that the pusher ran ahead while a method executed */
    uint64_t done_units;        /* of a run of the bulk path that has ended while its last method executes */
    uint8_t step[8][128];       /* by GRAMMAR_* mode and key of a header: 4, 0, or PUSHER_STEP for pusher_step() */
    uint32_t odd[8];            /* by mode: bits that a plain packet's header does not have */
};

/* The puller's state beside its registers. */
struct puller_state {
    bool in_cache0;                     /* it works on CACHE0's registers */
    bool again_cache0;                  /* the entry of CACHE0 was tried before, and stayed */
    bool announced;                     /* the entry at GET was reported as pulled */
    bool again;                         /* the entry at GET was tried before, and stayed */
    uint32_t bound[CACHE_CHANNELS][8];  /* classes bound in engines, by channel and subchannel */
    uint32_t pulled[CACHE_MAX_ENTRIES]; /* data of one run, if they are not contiguous */
    cache_host_method host[64];         /* methods below 0x100, NULL: not known */
    const char *host_name[64];
};

/* The timeslice of the channel in CACHE1. */
struct slice_state {
    uint64_t units;         /* units of work left, 0: expired; UINT64_MAX: no limit */
    bool yield;             /* YIELD: leave at the next opportunity */
    unsigned idle_switches; /* switches since the last unit of work */
};

struct cache_fifo {
    struct fifo base;
    const struct cache_family *family;
    struct reg_table table; /* the registers of this chip */
    bool own_table;         /* its rows are built for the chip */
    uint32_t *ramfc_valid;  /* for each row of RAMFC: the bits that its register has */
    struct cache_regs r;
    uint32_t mode_before; /* MODE as last written */
    bool running;         /* in cache_run(): a register read by an engine must not switch channels */
    /*
     * The slots of CACHE1. Methods and data are separate, so that the puller can pass on the data of several at once.
     */
    struct cache_slots {
        uint32_t method[CACHE_MAX_ENTRIES], data[CACHE_MAX_ENTRIES];
    } slot;
    struct cache_saved *saved;            /* by channel, where the family keeps entries inside the chip (nv4.h) */
    struct pfifo_channel_context context; /* of the channel in CACHE1; derived, valid if `context_valid` */
    bool context_valid;
    struct pusher_state pusher;
    struct puller_state puller;
    struct slice_state slice;
};

/* PFIFO is switched on, and not frozen. */
static inline bool cache_enabled(const struct cache_fifo *c) {
    return bus_enabled(c->base.bus, PMC_INTR_PFIFO) && !(c->r.freeze & 1);
}

/* CHID of a PUSH1 register. */
static inline uint32_t cache_channel_of(const struct cache_fifo *c, uint32_t push1) {
    return push1 & ((1u << c->base.chip->channel_bits) - 1u);
}
static inline uint32_t cache_channel(const struct cache_fifo *c) {
    return cache_channel_of(c, c->r.push1);
}

bool cache_channel_busy(const struct cache_fifo *c); /* the channel in CACHE1 has entries, words to fetch, or waits */
void cache_update_interrupt(struct cache_fifo *c);
void cache_raise(struct cache_fifo *c, uint32_t bits, const char *cause);
void cache_forget_channel(struct cache_fifo *c); /* registers changed: recompute the derived state */

/*
 * The cost of offering a method that its engine did not take: 1 if the engine works on it, which is charged separately.
 */
uint64_t cache_slice_units(const struct cache_fifo *c);

/* ---- for the families' struct fifo_ops ---- */

/* Calls from the bus to a PFIFO before G80. */
extern const struct bus_host_ops cache_host;

/* Register table and windows (the last is NULL), and everything derived from the family. PFIFO_ERROR_MEMORY. */
enum pfifo_status cache_attach(struct cache_fifo *c, const struct cache_family *family, const struct reg_table *table,
                               const struct window *const *windows, struct pfifo_error *error);
/* The same with the rows of this chip. */
enum pfifo_status cache_attach_rows(struct cache_fifo *c, const struct cache_family *family, const struct reg_row *rows,
                                    size_t count, const struct window *const *windows, struct pfifo_error *error);
void cache_free(struct fifo *fifo);
bool cache_kept(const struct fifo *fifo, size_t index, struct fifo_kept *kept); /* fifo_ops.kept */
void cache_reset(struct cache_fifo *c);
enum pfifo_stop cache_run(struct fifo *fifo, uint64_t *budget);
void cache_renew_context(struct cache_fifo *c);           /* the channel in CACHE1, if registers have changed */
bool cache_can_work(struct fifo *fifo);                   /* cache_work.c */
void cache_state(struct fifo *fifo, struct state_io *io); /* save or load (cache_save.c) */
/* Errors of engines before G80, and their interrupts on all chips. */
void cache_engine_fault(const struct pfifo_channel_context *channel, enum chip_unit unit, const struct fault *fault,
                        const struct unit_trap *trap);
bool cache_engine_error(const struct pfifo_channel_context *channel, enum chip_unit unit, const struct unit_trap *trap);
void cache_engine_worked(struct fifo *fifo, uint64_t units);
/* Where channels read, for who only looks (cache_look.c). */
bool cache_look(struct fifo *fifo, uint32_t channel, struct fifo_push *push);
uint32_t cache_look_loaded(struct fifo *fifo, unsigned index);
uint32_t cache_look_class(struct fifo *fifo, uint32_t channel, uint32_t handle);
#define CACHE_PUSH_OPS .push = cache_look, .loaded = cache_look_loaded, .handle_class = cache_look_class
void cache_engine_interrupt(const struct pfifo_channel_context *channel, enum chip_unit unit, enum unit_cause cause);

#endif
