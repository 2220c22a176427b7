/* SPDX-License-Identifier: MIT */
/*
 * A reference for the pusher and the puller of NV40 .. MCP89: what the documents say, one word at a time.
 *
 *   memory --fetch one word--> pusher --one entry--> CACHE1 --one entry--> puller --> engines (the caller's)
 *
 * It is written to be read beside the documents, and shares nothing with the library: neither code nor headers nor
 * tables. There are no fast paths, and everything is looked up again each time it is needed. The tests run it side
 * by side with the library and compare everything that can be seen.
 *
 * Modelled:     one channel in DMA or IB mode; CACHE1 with its depth; RAMHT, DMA objects in VRAM and system memory (NV4
 *               paged ones, too); binding, handles, engine nibbles; methods below 0x100; semaphores of both kinds; SLI;
 *               errors with codes and state; shadows; the words the pusher holds while the GPU overwrites them.
 * Not modelled: other channels, RAMFC and the switcher; PIO; page tables of G80 (an empty page directory: all faults).
 * Sources:      envytools docs/hw/fifo/{dma-pusher,puller}.rst, docs/hw/memory/g80-vm.rst,
 * rnndb/fifo/{nv4,g80}_pfifo.xml, rnndb/graph/nv4_pgraph.xml (DMA objects); nouveau engine/fifo/nv04.c (recovery);
 * NVIDIA open-gpu-doc classes/host/cl506f.h, cl826f.h. Where these are silent the choice is marked UNKNOWN.
 *
 * Order of work: if the puller can execute an entry, it executes one (1 unit of the budget, and of time); else if the
 * pusher can fetch, it fetches one word or one IB entry (1 unit); else the run stops.
 */
#ifndef PFIFO_TESTS_REFERENCE_H
#define PFIFO_TESTS_REFERENCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define REFERENCE_ENTRIES 512
#define REFERENCE_ENGINES 16

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
    const char *chip; /* "NV40", "G80", "G84" */
    uint8_t *vram, *system;
    uint64_t vram_bytes, system_bytes;
    uint32_t engines; /* bit per engine id that the machine has */
    /* An object is bound; a method arrives (false: the engine does not take it now); is the engine busy? */
    void (*bind)(void *opaque, unsigned engine, unsigned subchannel, uint32_t object_class, uint32_t instance);
    bool (*method)(void *opaque, unsigned engine, unsigned subchannel, uint32_t method, uint32_t data);
    bool (*busy)(void *opaque, unsigned engine);
    void (*event)(void *opaque, const struct reference_event *event);
    void *opaque;
};

struct reference_chip;

struct reference_entry {
    uint32_t method; /* [15:13] subchannel, [12:2] method, [0] non-increasing */
    uint32_t data;
};

/* What the pusher keeps of its DMA object: the first words, as they were when it looked. */
struct reference_pushbuffer {
    bool known;
    uint32_t word[4];
    uint32_t instance;
};

struct reference {
    struct reference_config config;
    const struct reference_chip *chip;
    uint32_t reg[0x2000 / 4]; /* BAR0 0x2000 .. 0x3fff */
    struct reference_entry entry[REFERENCE_ENTRIES];
    struct reference_pushbuffer pushbuffer;
    uint32_t bound[8]; /* class of each subchannel's object */
    uint64_t time;     /* nanoseconds */
    uint64_t ahead;    /* words fetched ahead during the method that executes */
    bool announced;    /* the entry at GET was reported */
    bool stalled;      /* the engine did not take the entry at GET */
};

/* Power-on state. False: no such chip. */
bool reference_init(struct reference *r, const struct reference_config *config);

/* BAR0. A register that the reference does not know reads as false, and keeps nothing. */
bool reference_rd32(struct reference *r, uint32_t offset, uint32_t *value);
bool reference_wr32(struct reference *r, uint32_t offset, uint32_t value);

/* Work for at most `budget` units. */
struct reference_stop reference_run(struct reference *r, uint64_t budget);

/* Physical memory as the GPU's engines see it: beyond the end reads give 0 and writes are dropped. */
uint32_t reference_memory_rd32(const struct reference *r, enum reference_target target, uint64_t address);
void reference_memory_write(struct reference *r, enum reference_target target, uint64_t address, const void *data,
                            size_t bytes);

/* State of the interrupt line into PMC. */
bool reference_interrupt(const struct reference *r);

#endif
