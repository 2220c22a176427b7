/* SPDX-License-Identifier: MIT */
/*
 * A reference for PFIFO of NV4 .. MCP89: what the documents say, one word at a time.
 *
 *   USER, PIO -----------------.   (before G80)
 *   memory --fetch one word--> pusher --one entry--> CACHE1 --one entry--> puller --> engines (the caller's)
 *                                 ^                  CACHE0 --one entry------^
 *                     switcher <--`--> RAMFC         (filled by a driver)
 *
 * It is written to be read beside the documents, and shares nothing with the library: neither code nor headers nor
 * tables. There are no fast paths, and everything is looked up again each time it is needed. The tests run it side
 * by side with the library and compare everything that can be seen.
 *
 * Modelled:     NV4 .. NV4x: registers, PIO with RAMRO and free counts, DMA, CACHE0, RAMFC, the switcher and its
 *               timeslices, RAMHT, DMA objects in RAMIN. G80 .. MCP89: registers, channels in DMA and IB mode with
 *               USER pages, RAMFC, saved entries and the playlist, kick, FREEZE, page tables.
 *               All: CACHE1 with its depth; binding, handles, engine nibbles; methods below 0x100; semaphores of both
 *               kinds; SLI; errors with codes and state; shadows; the words the pusher holds while the GPU overwrites
 *               them.
 * Not modelled: G80 and later: what translations are kept.
 * Sources:      envytools docs/hw/fifo/{intro,nv1-pfifo,dma-pusher,puller}.rst, docs/hw/memory/{nv1-vram,g80-vm}.rst,
 *               hwtest/pfifo.cc (PIO), rnndb/fifo/{nv1,nv4,g80}_pfifo.xml, rnndb/graph/nv4_pgraph.xml (DMA objects);
 *               Linux riva nv4ref.h; nouveau engine/fifo/nv04.c (recovery), nv10.c, nv17.c, nv40.c (RAMFC); xemu
 *               hw/xbox/nv2a; NVIDIA open-gpu-doc classes/host/cl506f.h, cl826f.h. Where these are silent the choice is
 *               marked UNKNOWN.
 *
 * Order of work: CACHE0's puller; else CACHE1's puller; else the pusher, one word or one IB entry; else the switcher.
 * An entry and a word are 1 unit of the budget, and of time; an entry that its engine does not take and a switch are
 * none.
 */
#ifndef PFIFO_TESTS_REFERENCE_H
#define PFIFO_TESTS_REFERENCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define REFERENCE_ENTRIES  512
#define REFERENCE_CHANNELS 128

enum reference_target { REFERENCE_VRAM, REFERENCE_SYSTEM };

/* Why a run came back, and what it waits for. The numbers are the caller's to compare by name. */
enum reference_reason {
    REFERENCE_IDLE,
    REFERENCE_BUDGET,
    REFERENCE_WAITING,
    REFERENCE_INTERRUPT,
    REFERENCE_FROZEN,
};

struct reference_stop {
    enum reference_reason reason;
    uint32_t channel; /* UINT32_MAX: none */
    uint64_t address; /* of the semaphore, with what was wanted and found there */
    uint32_t expected, found;
};

#define REFERENCE_EVENT_VALUES 6

/* Something that happened. */
struct reference_event {
    const char *name; /* "pusher.jump", "puller.bind" ... */
    const char *text; /* name of an error and the like, or NULL */
    uint64_t value[REFERENCE_EVENT_VALUES];
};

/* What the caller provides. */
struct reference_config {
    const char *chip; /* "NV4" .. "MCP89" */
    uint8_t *vram, *system;
    uint64_t vram_bytes, system_bytes;
    uint32_t engines; /* bit per engine id that the machine has */
    /* An object is bound; a method arrives (false: the engine does not take it now); is the engine busy? */
    void (*bind)(void *opaque, unsigned engine, unsigned subchannel, uint32_t object_class, uint32_t instance);
    bool (*method)(void *opaque, unsigned engine, unsigned subchannel, uint32_t method, uint32_t data);
    bool (*busy)(void *opaque, unsigned engine);
    void (*switched)(void *opaque, unsigned engine); /* it works for another channel than before */
    void (*event)(void *opaque, const struct reference_event *event);
    void *opaque;
};

struct reference_chip;
struct reference_register;

struct reference_entry {
    uint32_t method; /* [15:13] subchannel, [12:2] method, [0] non-increasing */
    uint32_t data;
};

/* What the pusher keeps of its DMA object: the first words, as they were when it looked. Before G80: word 2 only. */
struct reference_pushbuffer {
    bool known; /* G80 */
    uint32_t word[4];
    uint32_t instance;
};

/* Entries of a channel that left with CACHE1 not empty. */
struct reference_saved {
    uint32_t count;
    struct reference_entry entry[REFERENCE_ENTRIES];
};

struct reference {
    struct reference_config config;
    const struct reference_chip *chip;
    const struct reference_register *row[0x2000 / 4];
    uint32_t enable;          /* PMC.ENABLE */
    bool big;                 /* PMC ENDIAN: G80 reads memory as the host reads registers, or as FIFO_ENDIAN says */
    uint32_t reg[0x2000 / 4]; /* BAR0 0x2000 .. 0x3fff */
    struct reference_entry entry[REFERENCE_ENTRIES];
    struct reference_pushbuffer pushbuffer;
    uint32_t bound[REFERENCE_CHANNELS][8]; /* class of each subchannel's object */
    uint64_t time;                         /* nanoseconds */
    uint64_t ahead;                        /* words fetched ahead during the method that executes */
    uint32_t serving;                      /* channel that the engine which is called works for */
    bool announced[2];                     /* the entry at GET was reported; of CACHE0, CACHE1 */
    bool stalled[2];                       /* the engine did not take the entry at GET */

    bool ran_out;        /* a write of the channel in CACHE1 went to RAMRO, and RAMRO was not empty since */
    bool timer_counts;   /* TIMESLICE is counting down */
    bool timer_expired;  /* ... and is through */
    bool yield;          /* YIELD was executed */
    bool pinned;         /* G80: NO_CONTEXT_SWITCH of the segment */
    uint32_t timer_part; /* G80: units of work since the last step of TIMESLICE */
    /* G80: the playlist, the one that waits to be taken over, a kick that waits, and for whom engines work. */
    uint32_t playlist, playlist_length, next_playlist, next_playlist_length;
    bool playlist_waits, kick_waits;
    uint32_t engine_channel[8]; /* UINT32_MAX: nobody */
    uint32_t pme;               /* 0xb860 */
    uint64_t fault_at;          /* G80: of the last access that failed */
    uint32_t fault_reason;
    uint32_t directory; /* G84: PD_OFFSET */
    bool fault_pending; /* G80: PFB's record */
    uint32_t fault[6];
    uint32_t switches;                /* since the last unit of work */
    struct reference_saved saved[32]; /* NV40: by channel */
};

/* State after power-on, but with all units on in PMC.ENABLE. False: no such chip. */
bool reference_init(struct reference *r, const struct reference_config *config);

/* BAR0 in dwords. A register that the reference does not know reads as false, and keeps nothing. */
bool reference_rd32(struct reference *r, uint32_t offset, uint32_t *value);
bool reference_wr32(struct reference *r, uint32_t offset, uint32_t value);

/* BAR0 in 1, 2 or 4 bytes at any address: PFIFO, USER and PMC.ENABLE. What is not known reads as 0. */
uint32_t reference_read(struct reference *r, uint32_t address, unsigned bytes);
void reference_write(struct reference *r, uint32_t address, uint32_t value, unsigned bytes);

/* Work for at most `budget` units. */
struct reference_stop reference_run(struct reference *r, uint64_t budget);

/* Physical memory as the GPU's engines see it: beyond the end reads give 0 and writes are dropped. */
uint32_t reference_memory_rd32(const struct reference *r, enum reference_target target, uint64_t address);
void reference_memory_write(struct reference *r, enum reference_target target, uint64_t address, const void *data,
                            size_t bytes);
/* The same by a CPU. */
void reference_memory_wr32(struct reference *r, enum reference_target target, uint64_t address, uint32_t value);

/* State of the interrupt line into PMC. */
bool reference_interrupt(const struct reference *r);
bool reference_interrupt_nrhost(const struct reference *r); /* GT215 and later: another one */

#endif
