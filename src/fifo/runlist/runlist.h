/* SPDX-License-Identifier: MIT */
/*
 * Runlists, as drivers submit them: which channels may run, in which order, and which of them are in a TSG (a timeslice
 * group).
 *
 *   entries in memory --struct runlist_layout--> struct runlist_word --> struct runlist
 */
#ifndef PFIFO_SRC_FIFO_RUNLIST_RUNLIST_H
#define PFIFO_SRC_FIFO_RUNLIST_RUNLIST_H

#include <stdbool.h>
#include <stdint.h>

struct pbdma;
struct pbdma_channel;
struct pbdma_fifo;

/* An entry in memory, decoded. */
struct runlist_word {
    bool tsg; /* a TSG, whose channels follow; else a channel */
    uint32_t id;
    uint32_t members; /* TSG: how many channels follow */
    uint32_t slice;   /* TSG: units of its timeslice */
};

/* The format of entries in memory: pfifo_chip.runlist_layout. */
#define RUNLIST_ENTRY_WORDS 4 /* at most */
struct runlist_layout {
    unsigned bytes; /* of an entry */
    void (*decode)(const uint32_t words[RUNLIST_ENTRY_WORDS], struct runlist_word *entry);
};
/* runlist_layout.c. GF100: channels only, 8 bytes; GK110: TSGs, 8 bytes; GV100: 16 bytes. */
extern const struct runlist_layout runlist_layout_gf100, runlist_layout_gk110, runlist_layout_gv100;

/*
 * An entry of a list that is read: a channel. The channels of a TSG are neighbours. A channel that is in no TSG is
 * treated as one that is alone in a TSG.
 */
struct runlist_entry {
    uint16_t channel;
    uint16_t tsg;   /* index of the first entry of its TSG */
    uint16_t next;  /* first of a TSG: index of the entry where round robin goes on within it */
    uint32_t slice; /* units, 0: RAMFC says it */
};

struct runlist {
    struct runlist_entry *entries; /* room for every channel id */
    uint32_t count;
    uint32_t next; /* first entry of the TSG where round robin goes on */
    uint32_t base; /* register values of the current list */
    uint32_t submit;
};

/* The differences between generations. */
struct runlist_variant {
    /* Does the PBDMA serve the runlist? */
    bool (*serves)(const struct pbdma *pbdma, unsigned list);
    /* Has the driver switched the runlist off, or what of it the channel needs? */
    bool (*disabled)(const struct pbdma_fifo *fifo, unsigned list, const struct pbdma_channel *channel);
    /* Why a runlist may not name the channel, enum pbdma_sched_error; 0: it may. */
    uint32_t (*listing_error)(const struct pbdma_fifo *fifo, unsigned list, const struct pbdma_channel *channel);
    /* A channel is being bound: report what is wrong with that. */
    void (*bind)(struct pbdma_fifo *fifo, const struct pbdma_channel *channel, uint32_t value);
};

/* SCHED_ERROR. */
enum pbdma_sched_error {
    SCHED_INACTIVE_CHANNEL = 0x01, /* GF100:GK104 */
    SCHED_ENGINE_MISMATCH = 0x19,
    SCHED_BAD_TSG = 0x20,
};

/* Install runlist `number`: `count` entries at `base` (a register value: address >> 12 and target). */
void runlist_submit(struct pbdma_fifo *fifo, unsigned number, uint32_t base, uint32_t count);

#endif
