/* SPDX-License-Identifier: MIT */
/*
 * A PBDMA of GF100 (there it is called PSUBFIFO) to GP10B: fetches the commands of the channel that is loaded on it,
 * and executes them.
 *
 *   USERD GP_PUT     runlist --> [scheduler] --> channel on a PBDMA
 *                                                   |
 *   GPFIFO ring --GP entry--> segment --words--> pusher --method--> puller --> engine
 *                                                                     `--> host methods (below 0x100)
 *
 * The execution state of a channel is only in the words 0x00 .. 0xff of its PBDMA (words.h); loading and saving a
 * channel copies them from and to RAMFC, the first 0x100 bytes of the instance block. METHOD0/DATA0 (0xc0, 0xc4) are
 * the queue between pusher and puller, one entry deep: a method that is fetched but not executed (budget, timeslice,
 * failed acquire, error, software method) is there with its VALID bit. The bulk path executes a run of methods out of
 * the segment and leaves the same words behind.
 *
 * This folder does not depend on runlists and other PBDMAs. src/fifo/runlist/ is above it: it has the channels, loads
 * them, runs the PBDMAs one after the other, and handles the few events that concern more than a PBDMA (struct
 * pbdma_upward).
 *
 *   pusher.h   GPFIFO, segments, packets      userd.h       GP_PUT, and what is written back
 *   puller.h   methods to engines             interrupt.h   INTR_0, INTR_1, stalls
 *   host.h     methods below 0x100            crc.h         GP_CRC, PB_CRC, METHOD_CRC
 *
 * Budget: a GP entry, a pushbuffer word and an executed method are one unit each.
 *
 * Modelled:     all registers of the pages; GPFIFO with control entries, SYNC, FETCH, LEVEL; all packet forms with
 *               CMD_TYPES; subdevice masks; host methods of 906F .. C06F with semaphores, syncpoints, memory
 *               operations; CRCs; INTR_0 and INTR_1 with stall and recovery.
 * Not modelled: prefetch (words are read when they are consumed), latency buffers, timeouts of the memory system and of
 *               engines, what the copy engine's front end does with its state (it is kept and switched), what PRIV of a
 *               GP entry allows (it is only kept).
 *
 * GP_PUT is read from USERD memory when the scheduler looks for work and when a ring runs empty: a write through BAR1
 * and one straight to memory have the same effect, as with POLL_ENABLE. A channel leaves its PBDMA when it has nothing
 * left to do; then RAMFC and USERD in memory are up to date.
 *
 * Sources: envytools rnndb/fifo/gf100_pfifo.xml, docs/hw/fifo/{dma-pusher,puller}.rst; NVIDIA open-gpu-doc
 * classes/host/cl906f.h .. clc06f.h, manuals/volta/gv100/dev_pbdma.ref.txt, dev_ram.ref.txt; nouveau
 * nvkm/engine/fifo/{gf100,gk104,gpfifogf100,gpfifogk104}.c.
 */
#ifndef PFIFO_SRC_FIFO_PBDMA_PBDMA_H
#define PFIFO_SRC_FIFO_PBDMA_PBDMA_H

#include "fifo/ops.h"
#include "fifo/pbdma/channel.h"
#include "fifo/pbdma/crc.h"
#include "fifo/pbdma/words.h"

/* Where a subchannel leads. Other values: an engine id. */
#define ROUTE_SOFTWARE 0x1f

#define PBDMA_SHORTEST_SLICE 64 /* units, 1024 ns */

struct pbdma_bulk; /* packets.c */
struct pbdma_shared;
struct host_class; /* host.h */

/* The result of one step of a PBDMA. */
enum pbdma_step {
    STEP_DONE,
    STEP_IDLE,    /* the ring is empty */
    STEP_WORKING, /* METHOD0 is being executed, a slice of it is done */
    STEP_WAITING, /* METHOD0 cannot execute yet: fifo->stop says for what */
    STEP_STALLED, /* an interrupt waits for the driver */
    STEP_FAULTED, /* the channel cannot go on */
    STEP_LEAVE,   /* METHOD0 belongs to an engine of another PBDMA */
};

/* The current piece of the segment in host memory. Valid during one run() at most. */
struct pbdma_span {
    uint64_t begin, end; /* virtual addresses */
    const uint8_t *data; /* at begin */
};

/* Units of the channel's timeslice. */
struct pbdma_timeslice {
    int64_t left;
    int64_t whole;     /* when it began */
    int64_t yields_at; /* YIELD counts when no more than this is left */
};

struct pbdma {
    uint32_t regs[PBDMA_WORDS];
    uint32_t intr_0, intr_en_0, intr_1, intr_en_1, stall_0, stall_1;
    uint32_t gp_shadow[2], hdr_shadow, timeout, hce_debug[2];
    uint32_t unknown[8]; /* stored and read back */

    struct fifo *fifo;
    struct pbdma_shared *shared;
    struct pbdma_channel *channel; /* NULL: none is loaded */
    unsigned index;
    struct pbdma_timeslice slice;
    uint8_t route[8]; /* of each subchannel; derived from the words and the runlist */
    struct pbdma_span span;
    struct pbdma_crc_queue crc_queue;
    struct grammar_index grammar; /* for the CMD_TYPES now in force */
    uint8_t grammar_mode;
    bool takes_packets; /* packets.c does: the headers are what it was written for */
    /* What follows is rarely used. */
    uint32_t hce_state[PBDMA_HCE_WORDS];
    char table_name[16];
    struct reg_table table;
    struct reg *rows;
};

/* Calls of a PBDMA to its PFIFO. */
struct pbdma_upward {
    /* INTR_0, INTR_1 or what is enabled of them changed: PFIFO's interrupt lines follow. */
    void (*update_line)(struct fifo *fifo);
    /* A driver acknowledged an interrupt: the channel leaves if it was only kept from that by a stall. */
    void (*stall_changed)(struct pbdma *pbdma);
    /* The PBDMA's own access to memory faulted. */
    void (*host_fault)(struct pbdma *pbdma, const struct fault *fault);
    /* Host method NON_STALL_INTERRUPT of a channel that used `engine` last. */
    void (*notify)(struct fifo *fifo, unsigned engine);
    /* Has the driver switched PFIFO or this PBDMA off, or frozen it? */
    bool (*frozen)(const struct pbdma *pbdma);
};

/* The differences between generations. */
struct pbdma_variant {
    const char *name;     /* the unit's name in registers */
    unsigned ramfc_words; /* that are loaded and saved, PBDMA_WORDS at least */
    const struct pusher_variant *pusher;
    const struct puller_variant *puller;
};

/* Shared by the PBDMAs of a PFIFO. */
struct pbdma_shared {
    struct pbdma *unit; /* `count` of them, as the chip's row says */
    unsigned count;
    const struct pbdma_variant *variant;
    const struct pbdma_upward *upward;
    uint64_t *budget;        /* of the run() under way */
    struct pbdma_bulk *bulk; /* packets under way whose registers are not written yet, see pbdma_sync(); or NULL */
    const struct host_class *host;
    uint64_t host_methods; /* bit n: there is a host method 4 * n */
    struct pbdma_crc_tables crc;
    /* Counters that host methods and engines share, as many as the chip's row says; and 64 bases. */
    uint32_t *syncpoints, syncpoint_bases[64];
};

static inline struct memory *pbdma_memory(const struct pbdma *pbdma) {
    return pbdma->fifo->memory;
}

static inline struct event_hub *pbdma_events(const struct pbdma *pbdma) {
    return pbdma->fifo->events;
}

static inline uint32_t pbdma_channel_id(const struct pbdma *pbdma) {
    return pbdma->channel ? pbdma->channel->context.id : PBDMA_NONE;
}

/* A 40-bit address in two words. */
static inline uint64_t pbdma_address(const struct pbdma *pbdma, enum pbdma_word low) {
    return pbdma->regs[low] | (uint64_t)(pbdma->regs[low + 1] & 0xff) << 32;
}

/* The subdevice masks drop methods. Without CHANNEL_DMA the subdevice is always active. */
static inline bool pbdma_drops_methods(const struct pbdma *pbdma) {
    return (pbdma->regs[R_SUBDEVICE] & (SUBDEVICE_CHANNEL_DMA | SUBDEVICE_ACTIVE)) == SUBDEVICE_CHANNEL_DMA;
}

/* Account for work: budget, timeslice and time. The callers have checked that there is as much. */
static inline void pbdma_charge(struct pbdma *pbdma, uint64_t units) {
    *pbdma->shared->budget -= units;
    pbdma->slice.left -= (int64_t)units;
    bus_work(pbdma->fifo->bus, units);
}

/* METHOD_CRC counts methods that an engine took. */
static inline void pbdma_crc_methods(struct pbdma *pbdma, const struct pfifo_methods *run) {
    if (pbdma->channel->crc_left)
        pbdma_crc_queue_methods(pbdma, run);
}

/* Units of a timeslice of (timeout << scale) * 1024 ns; 0 means the shortest. */
static inline uint32_t pbdma_slice_units(uint32_t timeout, uint32_t scale) {
    uint64_t nanoseconds = (uint64_t)timeout << scale << 10;
    return nanoseconds ? (uint32_t)(nanoseconds / BUS_NS_PER_WORK) : PBDMA_SHORTEST_SLICE;
}

/*
 * Allocate the PBDMAs and the syncpoints of the chip, and attach the pages of registers to the bus. pbdma_shared_free()
 * also undoes half of it.
 */
enum pfifo_status pbdma_shared_attach(struct pbdma_shared *shared, struct fifo *fifo,
                                      const struct pbdma_variant *variant, const struct pbdma_upward *upward,
                                      struct pfifo_error *error);
void pbdma_shared_free(struct pbdma_shared *shared);

/* As after power-on. The channel that is loaded is forgotten, not saved. */
void pbdma_reset(struct pbdma *pbdma);
/* Rebuild what is derived from the words. */
void pbdma_derive(struct pbdma *pbdma);
/* No translation is kept in any PBDMA. */
void pbdma_forget_spans(struct pbdma_shared *shared);

/* Load a channel from RAMFC, with a timeslice of that many units; 0: RAMFC says it. */
void pbdma_load(struct pbdma *pbdma, struct pbdma_channel *channel, uint32_t slice);
/* Write RAMFC and USERD of the channel that is loaded. */
void pbdma_save(struct pbdma *pbdma);
/* Take the channel off, saved. */
void pbdma_leave(struct pbdma *pbdma);

/* Counter of a syncpoint, NULL: there is no such one. */
uint32_t *pbdma_shared_syncpoint(struct pbdma_shared *shared, const struct pfifo_chip *chip, unsigned index);

/* regs.c: attach the page of registers of a PBDMA. */
enum pfifo_status pbdma_attach_page(struct pbdma *pbdma, struct pfifo_error *error);

/* save.c: save or load a PBDMA but for the channel that is on it. */
void pbdma_state(struct pbdma *pbdma, struct state_io *io);
/* The same of what PBDMAs share. */
void pbdma_shared_state(struct pbdma_shared *shared, const struct pfifo_chip *chip, struct state_io *io);

#endif
