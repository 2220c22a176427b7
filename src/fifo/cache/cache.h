/* SPDX-License-Identifier: MIT */
/*
 * The cache kind of PFIFO: one pusher, CACHE1, one puller, one channel at a time; CACHE0 beside it for the driver.
 *
 *   USER write --> PIO pusher, or RAMRO    registers --> CACHE0 --> puller (cache0.c)
 *      (pio.c)        |                                               |
 *                     |   PUSH1.CHID, loaded by the switcher from RAMFC (cache_switch.c)
 *                     v                                               v
 *   pushbuffer --> pusher --(subchannel, method, data)--> CACHE1 --> puller --> engines
 *   (DMA or IB)    cache_pusher.c, cache_packets.c;       PUT  GET   cache_puller.c, cache_host.c;
 *                  NV3: nv3_dma.c                                   NV1, NV3: nv1_puller.c
 *
 * Families:     NV1 and NV3 (nv1*.c), NV4 .. NV4x (nv4*.c), G80 .. MCP89 (g80*.c); struct cache_family has what they
 *               do differently, and their registers are tables.
 * Modelled:     PIO with its free count and RAMRO (G80-: g80_pio.c); DMA and IB mode, jumps, calls, SLI, errors with
 * their codes and state, NV3's kernel-launched DMA; CACHE0 and CACHE1 with its depth, visible and writable; RAMHT,
 *               handles, host methods, semaphores, RAMFC, timeslices, switching with entries in flight; what the
 *               pusher had prefetched when the GPU overwrites its own pushbuffer.
 * Not modelled: arbitration latency; the prefetch buffer before CACHE1 (only CACHE1's depth
 *               counts).
 * Sources:      envytools docs/hw/fifo/{intro,nv1-pfifo,dma-pusher,puller}.rst, rnndb/fifo/{nv1,nv4,g80}_pfifo.xml,
 *               hwtest/pfifo.cc; Linux riva nv4ref.h; nouveau engine/fifo/{nv04,nv10,nv17,nv40,nv50,g84}.c.
 */
#ifndef PFIFO_SRC_FIFO_CACHE_CACHE_H
#define PFIFO_SRC_FIFO_CACHE_CACHE_H

#include "fifo/ops.h"
#include "fifo/cache/ramfc.h"
#include "fifo/cache/ramht.h"
#include "hw/pfifo_nv4.h"

#define CACHE_MAX_ENTRIES 512
#define CACHE_CHANNELS    128

#define PUSHER_STEP 0xff

#define TIMESLICE_AT_RESET 0x3ffffu /* expired, but for the chips with a wider timer */

/* The registers of PFIFO and CACHE1, as storage of the register tables and of RAMFC. */
struct cache_regs {
    uint32_t delay, dma_timeslice, pio_timeslice, timeslice, next_channel, delay_1, sli, debug_0, debug_1, debug_2;
    uint32_t debug_3, debug_4, eng_iface, debug_5, pull_feature;
    uint32_t intr, intr_en, intr_nrhost, intr_en_nrhost;
    uint32_t ramht, ramro, ramfc, ramfc_select, unk221c;
    uint32_t runout_put, runout_get;
    uint32_t ranout; /* the latch: a write of the channel in CACHE1 went to RAMRO, and RAMRO was not empty since */
    uint32_t caches, mode, dma_pending, pio_size, wide[16];
    uint32_t freeze, chsw_stat, chsw_debug_1, chsw_debug_2, cur_ctx, old_ctx, engine_ctrl;
    uint32_t chan_table[CACHE_CHANNELS];
    uint32_t hipri[3], event_regs[8];
    uint32_t playlist, playlist_length, kick;
    /* G80-, hidden: the playlist in use, the one that is written and not yet in use; a kick that waits. */
    uint32_t list, list_length, next_list, next_length, list_pending, kick_pending, pme_control;
    /* CACHE1. */
    uint32_t push0, push1, put, get, dma_push, dma_fetch, dma_state, dma_instance, dma_ctl, dma_limit, tlb_tag, tlb_pte;
    uint32_t dma_put, dma_get, ref, subroutine, pull0, pull1, hash;
    uint32_t acquire_timeout, acquire_timestamp, acquire_value, semaphore, engine;
    uint32_t dcount, jmp_shadow, rsvd_shadow, data_shadow;
    uint32_t object_frame; /* hidden: word 2 of the pushbuffer object, with DMA_CTL and DMA_LIMIT */
    uint32_t unk32b0[5], grctx, unk32e4, unk32e8, unk32f4, unk3300, mpegctx, mectx, vpctx;
    /* CACHE0. */
    struct cache0_regs {
        uint32_t push0, push1, put, get, pull0, pull1, hash, engine, context, method, data;
    } cache0;
    /* NV1 and NV3. */
    uint32_t config_0, context[8], hash_physical;
    uint32_t last_subchannel; /* NV3: of the puller, not visible; NV1 has it in PULL1 */
    uint32_t kernel_dma, kernel_count, kernel_get, kernel_target, kernel_pt; /* NV3: CACHE1_DMA0 .. 3, DMA_PT_INST */
    /* G80 and later. */
    uint32_t unk3310, fifo_endian, unk3318, flush;
    uint32_t dma_put_high, dma_get_high, ib_put, ib_get, ib_address, ib_config, method_count;
    uint32_t mget, mget_high, get_high_rdshadow, put_high_rdshadow, put_high_wrshadow, mget_high_rdshadow;
    uint32_t sem_address_high, sem_address_low, sem_sequence, cache_inst, chan_inst, cache_count, unk3500[2];
};

struct cache_entry {
    uint32_t method; /* [15:13] subchannel, [12:2] method, bit 0 non-increasing */
    uint32_t data;
};

/* Entries of a channel that left with CACHE1 not empty (NV40: the place is not known; G80-: in memory). */
struct cache_saved {
    uint32_t count;
    struct cache_entry entry[CACHE_MAX_ENTRIES];
};

struct place {
    enum memory_target target;
    uint64_t address;
};

struct cache_fifo;

/* What a puller did with an entry. */
enum puller_result {
    PULLER_DONE,  /* executed: the entry is consumed */
    PULLER_STALL, /* the engine takes nothing now: the entry stays */
    PULLER_STOP,  /* an error: the entry stays, the puller is off */
};

/* What families do differently. */
struct cache_family {
    const char *name;
    const struct ramfc_row *ramfc;
    size_t ramfc_rows;
    const struct ramht_layout *ramht;
    bool count_in_state;       /* count of the packet in DMA_STATE[28:18]; else in METHOD_COUNT */
    bool pauses_at_acquire;    /* the pusher waits for the puller after method 0x68 */
    bool has_limit_register;   /* DMA mode checks GET against DMA_LIMIT */
    bool has_invalid_engine;   /* an engine id without engine is an error of its own */
    bool one_timeslice;        /* PIO channels have that of DMA */
    bool active_in_subroutine; /* SUBROUTINE_ACTIVE is bit 0 of DMA_SUBROUTINE, not bit 17 of DMA_STATE */
    uint32_t mode_bit;         /* PUSH1: channel is in DMA mode */
    uint64_t slice_units;      /* units of work per step of DMA_TIMESLICE.SELECT */
    /* The family's pusher. `run`, whole packets, may be NULL. */
    bool (*has_work)(const struct cache_fifo *c);
    bool (*can_fetch)(struct cache_fifo *c);
    void (*fetch)(struct cache_fifo *c);
    uint64_t (*run)(struct cache_fifo *c, uint64_t budget);
    /* The family's puller. */
    enum puller_result (*execute)(struct cache_fifo *c, uint32_t subchannel, uint32_t method, uint32_t data);
    enum puller_result (*execute_cache0)(struct cache_fifo *c, uint32_t subchannel, uint32_t method, uint32_t data);
    /* PIO. NULL: none. Save the channel in CACHE1 and load another; where RAMRO is, in RAMIN, and its size. */
    void (*switch_channel)(struct cache_fifo *c, uint32_t channel);
    uint32_t (*ramro)(const struct cache_fifo *c, uint32_t *bytes);
    /* Registers of a DMA channel in its USER area. False: not one of them. NULL: the chip has no DMA channels. */
    bool (*control_read)(struct cache_fifo *c, uint32_t channel, uint32_t method, uint32_t *value);
    bool (*control_write)(struct cache_fifo *c, uint32_t channel, uint32_t method, uint32_t value);
    /* Is the channel in DMA mode? NULL: the chip has only one mode. */
    bool (*dma_mode)(const struct cache_fifo *c, uint32_t channel);
    uint32_t next_mode_bit; /* NEXT_CHANNEL: the channel is in DMA mode; 0: there is no such register */
    /* How many bytes of RAMFC the chip uses now. NULL: all rows. */
    uint32_t (*ramfc_bytes)(const struct cache_fifo *c);
    /* Where the pushbuffer is read through, decided after a channel load. */
    void (*open_pushbuffer)(struct cache_fifo *c);
    /* Fill in c->context for the channel now in PUSH1. */
    void (*open_channel)(struct cache_fifo *c);
    /* G80-: where these are in memory. NULL on NV40, which has them in RAMIN and in the chip. */
    struct place (*ramfc_place)(const struct cache_fifo *c, uint32_t channel);
    struct place (*cache_place)(const struct cache_fifo *c);
    /* G80-: pointer to the descriptor of a channel; engines that a kick waits for. */
    uint32_t (*descriptor)(struct cache_fifo *c, uint32_t channel);
    uint32_t (*kick_engines)(const struct cache_fifo *c);
    /* Before a run: what registers asked for and could not be done at once. NULL: nothing. */
    void (*begin_run)(struct cache_fifo *c);
    /* Physical place of a channel's RAMFC, and its words. */
    uint64_t (*ramfc_address)(struct cache_fifo *c, uint32_t channel);
    uint32_t (*ramfc_rd32)(struct cache_fifo *c, uint32_t channel, uint32_t offset);
    void (*ramfc_wr32)(struct cache_fifo *c, uint32_t channel, uint32_t offset, uint32_t value);
    /* Next channel with work after the current one, or UINT32_MAX. */
    uint32_t (*next_channel)(struct cache_fifo *c);
    /* Entries in flight of a channel that leaves, or comes back. */
    void (*save_entries)(struct cache_fifo *c, uint32_t channel);
    void (*load_entries)(struct cache_fifo *c, uint32_t channel);
    /* The channel left: remember whether it still has work (NV40: DMA pending bits). NULL: nothing to do. */
    void (*left)(struct cache_fifo *c, uint32_t channel, bool has_work);
    uint32_t (*ramht_rd32)(struct cache_fifo *c, uint32_t offset);
    /* The class of an object of an engine, by instance number. */
    uint32_t (*object_class)(struct cache_fifo *c, uint32_t instance, uint32_t engine);
    /* The pushbuffer (or IB) could not be read. */
    void (*fetch_fault)(struct cache_fifo *c, const struct fault *fault);
    /* A semaphore access through the PFIFO faulted. */
    void (*semaphore_fault)(struct cache_fifo *c, const struct fault *fault, bool retry);
};

typedef enum puller_result (*cache_host_method)(struct cache_fifo *c, uint32_t method, uint32_t data);

struct cache_fifo {
    struct fifo base;
    const struct cache_family *family;
    struct reg_table table; /* the registers of this chip */
    bool own_table;         /* its rows were put together for the chip */
    uint32_t *ramfc_valid;  /* for each row of RAMFC: the bits that its register has */
    struct cache_regs r;
    uint32_t mode_before; /* MODE as it was written last */
    /* The slots of CACHE1, methods and data apart: the puller may hand on data of several as they lie there. */
    struct cache_slots {
        uint32_t method[CACHE_MAX_ENTRIES], data[CACHE_MAX_ENTRIES];
    } slot;
    uint32_t pulled[CACHE_MAX_ENTRIES]; /* data that the puller hands on in one run, if they do not lie together */
    struct cache_saved *saved;          /* by channel, where the family keeps entries inside the chip */

    /* Derived from registers and memory; can be rebuilt at any time. */
    struct pfifo_channel_context context;
    bool context_valid;
    bool fetch_open; /* fetch_space is right */
    struct address_space fetch_space;
    struct span fetch;     /* current piece of pushbuffer ... */
    uint64_t fetch_at;     /* ... and its GPU address */
    uint8_t straddling[4]; /* copy of a word that lies in two pages */
    uint8_t step[8][128]; /* by GRAMMAR_* mode and key of a header: 4, 0, or PUSHER_STEP if pusher_step() has to look */
    uint32_t odd[8];      /* by mode: bits that make a header something else than a plain packet */
    cache_host_method host[64]; /* methods below 0x100, NULL: not known */
    const char *host_name[64];
    uint32_t bound[CACHE_CHANNELS][8]; /* classes that engines were told */

    bool in_cache0;           /* the puller works on CACHE0's registers */
    bool again_cache0;        /* the entry of CACHE0 was tried before, and stayed */
    bool announced;           /* the entry at GET was reported as pulled */
    bool again;               /* the entry at GET was tried before, and stayed */
    bool pinned;              /* the segment must not be interrupted by another channel (bit 1 of its IB entry) */
    bool yield;               /* YIELD: leave at the next chance */
    bool running;             /* in cache_run(): engines may read registers, and no channel moves by that */
    struct pusher_bulk *bulk; /* the run of the bulk path under way, NULL: the registers are exact */
    uint64_t ahead_units;     /* units of work that the pusher ran ahead while a method executed */
    uint64_t slice;           /* units of work left of the timeslice, 0: expired; UINT64_MAX: no limit */
    unsigned idle_switches;   /* switches since the last unit of work */
};

/* ---- CACHE1 (cache.c) ---- */

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

/* The channel in CACHE1 waits for a semaphore. (Before there were any, the bit of PULL1 is another one.) */
static inline bool cache_acquires(const struct cache_fifo *c) {
    return c->base.chip->has_old_semaphore && (c->r.pull1 & PULL1_ACQUIRE_ACTIVE);
}

/* PFIFO is switched on, and not frozen. */
static inline bool cache_enabled(const struct cache_fifo *c) {
    return (c->base.bus->enable & PMC_INTR_PFIFO) != 0 && !(c->r.freeze & 1);
}

/* Byte order of the pushbuffer and of semaphores. From G80 on PMC's, as long as no driver chooses another. */
static inline bool cache_big_endian(const struct cache_fifo *c) {
    if (!c->base.chip->has_ib)
        return (c->r.dma_fetch & DMA_FETCH_BIG_ENDIAN) != 0;
    return c->r.fifo_endian & ENDIAN_OVERRIDE ? (c->r.fifo_endian & ENDIAN_BIG) != 0 : c->base.bus->big_endian;
}

bool cache_channel_busy(const struct cache_fifo *c); /* the channel in CACHE1 has entries, words to fetch, or waits */
void cache_push(struct cache_fifo *c, uint32_t subchannel, uint32_t method, uint32_t data, bool nonincreasing);
void cache_pop(struct cache_fifo *c);
void cache_update_interrupt(struct cache_fifo *c);
void cache_raise(struct cache_fifo *c, uint32_t bits, const char *cause);
/* CHID of a PUSH1 register. */
static inline uint32_t cache_channel_of(const struct cache_fifo *c, uint32_t push1) {
    return push1 & ((1u << c->base.chip->channel_bits) - 1u);
}
static inline uint32_t cache_channel(const struct cache_fifo *c) {
    return cache_channel_of(c, c->r.push1);
}
enum pfifo_status cache_attach(struct cache_fifo *c, const struct cache_family *family, const struct reg_table *table,
                               const struct window *const *windows, struct pfifo_error *error);
/* The same with those rows that this chip has. */
enum pfifo_status cache_attach_rows(struct cache_fifo *c, const struct cache_family *family, const struct reg_row *rows,
                                    size_t count, const struct window *const *windows, struct pfifo_error *error);
void cache_free(struct fifo *fifo);
enum pfifo_stop cache_run(struct fifo *fifo, uint64_t *budget);
void cache_state(struct fifo *fifo, struct state_io *io); /* save or load (cache_save.c) */
/* What engines raise before G80, and their wish for the host's attention on all. */
void cache_engine_fault(const struct pfifo_channel_context *channel, enum chip_unit unit, const struct fault *fault,
                        const struct unit_trap *trap);
bool cache_engine_error(const struct pfifo_channel_context *channel, enum chip_unit unit, const struct unit_trap *trap);
void cache_engine_worked(struct fifo *fifo, uint64_t units);
void cache_engine_interrupt(const struct pfifo_channel_context *channel, enum chip_unit unit, enum unit_cause cause);

/* What the offer of a method costs that its engine did not take: 1 if it works on it, which has a cost of its own. */
uint64_t cache_slice_units(const struct cache_fifo *c);
void cache_forget_channel(struct cache_fifo *c); /* registers changed under the derived state */

/* ---- actions of registers (cache_regs.c) ---- */
void cache_write_intr(void *unit, const struct reg *reg, uint32_t index, uint32_t value);
void cache_write_intr_en(void *unit, const struct reg *reg, uint32_t index, uint32_t value);
void cache_write_channel(void *unit, const struct reg *reg, uint32_t index, uint32_t value);
void cache_write_fetch(void *unit, const struct reg *reg, uint32_t index, uint32_t value);
void cache_write_pointer(void *unit, const struct reg *reg, uint32_t index, uint32_t value);
void cache_write_get(void *unit, const struct reg *reg, uint32_t index, uint32_t value);
void cache_write_entry(void *unit, const struct reg *reg, uint32_t index, uint32_t value);
uint32_t cache_read_status(void *unit, const struct reg *reg, uint32_t index);
uint32_t cache_read_dma_push(void *unit, const struct reg *reg, uint32_t index);
uint32_t cache_read_three(void *unit, const struct reg *reg, uint32_t index);
uint32_t cache_read_entry(void *unit, const struct reg *reg, uint32_t index);
void cache_reset(struct cache_fifo *c);

/* ---- pusher (cache_pusher.c, cache_packets.c) ---- */
bool pusher_has_work(const struct cache_fifo *c);
bool pusher_can_fetch(struct cache_fifo *c);
void pusher_step(struct cache_fifo *c);                     /* fetch one word (or one IB entry) */
uint64_t pusher_run(struct cache_fifo *c, uint64_t budget); /* whole packets; returns units used, 0: needs steps */
void pusher_make_index(struct cache_fifo *c);
void pusher_close(struct cache_fifo *c);      /* such a run ends after the method that an engine has */
void pusher_sync(void *fifo);                 /* write the registers of a bulk run under way */
void pusher_look_ahead(struct cache_fifo *c); /* before an entry of CACHE1 executes */
void pusher_watch_hit(void *fifo, const uint8_t *begin, const uint8_t *end);
uint64_t pusher_get(const struct cache_fifo *c);
uint64_t pusher_put(const struct cache_fifo *c);

/* ---- PIO (pio.c) ---- */
uint32_t pio_read(void *unit, uint32_t offset, unsigned lanes); /* of a window; `offset`: within USER */
void pio_write(void *unit, uint32_t offset, uint32_t value, unsigned lanes);
uint32_t pio_runout_status(void *unit, const struct reg *reg, uint32_t index);
void pio_write_runout(void *unit, const struct reg *reg, uint32_t index, uint32_t value);

/* ---- CACHE0 (cache0.c) ---- */
bool cache0_can_pull(const struct cache_fifo *c);
void cache0_step(struct cache_fifo *c, uint64_t *units); /* execute its entry */
void cache0_write_entry(void *unit, const struct reg *reg, uint32_t index, uint32_t value);
uint32_t cache0_read_status(void *unit, const struct reg *reg, uint32_t index);

/* ---- puller (cache_puller.c, cache_host.c) ---- */
bool puller_can_pull(struct cache_fifo *c);
void puller_step(struct cache_fifo *c, uint64_t *units); /* execute the entry at GET */
enum puller_result puller_execute(struct cache_fifo *c, uint32_t subchannel, uint32_t method, uint32_t data);
enum puller_result puller_execute_cache0(struct cache_fifo *c, uint32_t subchannel, uint32_t method, uint32_t data);
enum puller_result puller_stop(struct cache_fifo *c, uint32_t subchannel, uint32_t method, uint32_t data,
                               uint32_t cause, const char *name);
struct fifo_engine *puller_engine(struct cache_fifo *c, uint32_t id); /* engine, told about the channel; NULL: none */
/* The engine does not let the method in now: see unit.h and graph.h of src/unit. */
bool puller_held(struct cache_fifo *c, uint32_t id, uint32_t subchannel, uint32_t method, uint32_t data);
bool puller_last_engine_busy(const struct cache_fifo *c); /* with work of this channel */
bool puller_acquire_satisfied(struct cache_fifo *c);      /* poll a waiting acquire */
uint64_t puller_until_timeout(struct fifo *fifo);         /* see struct fifo_ops */
/* A register of the puller that is at work: CACHE1's, or CACHE0's. */
#define PULLER_REG(c, field) (*((c)->in_cache0 ? &(c)->r.cache0.field : &(c)->r.field))
/* The channel for which the puller works: of CACHE1, or of CACHE0. */
static inline uint32_t puller_channel(const struct cache_fifo *c) {
    return cache_channel_of(c, PULLER_REG(c, push1));
}
bool puller_translate(struct cache_fifo *c, uint32_t handle, struct ramht_hit *hit);
void puller_make_host_table(struct cache_fifo *c);
void puller_waiting_for(struct cache_fifo *c, struct pfifo_stop_info *stop);

/* ---- switcher (cache_switch.c) ---- */
void switcher_start_slice(struct cache_fifo *c);
void switcher_yield(struct cache_fifo *c); /* the channel in CACHE1 says that it may leave */
void switcher_save(struct cache_fifo *c);
void switcher_load(struct cache_fifo *c, uint32_t channel);
void switcher_switch(struct cache_fifo *c, uint32_t channel); /* save, load */
bool switcher_may_leave(const struct cache_fifo *c);          /* the channel in CACHE1 */
bool switcher_try(struct cache_fifo *c);                      /* another channel with work is in now */
uint32_t switcher_read_timeslice(void *unit, const struct reg *reg, uint32_t index);
void switcher_write_timeslice(void *unit, const struct reg *reg, uint32_t index, uint32_t value);

#endif
