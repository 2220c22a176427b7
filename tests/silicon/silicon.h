/* SPDX-License-Identifier: MIT */
/*
 * A test bench in the manner of a hardware test: PFIFO of the library's NV1, NV3 and NV3T beside the reference.
 *
 *   choices --> random state --> registers, VRAM, system memory of both
 *           --> action: a USER access, a step of a puller or of the DMA, a register ...
 *           --> compare all registers, all memory, engine calls, the interrupt line
 *
 * The method is that of envytools hwtest: put the hardware in a random state, do one thing, predict everything that
 * can be read. Rounds of one action find the rules, those of many find state that does not show at once.
 *
 * A round that fails prints what it did as a script for `pfifo shell`. There, the tool's own PGRAPH stands behind the
 * puller, and takes methods only of its own channel; the engine here takes all.
 *
 * Not compared: DEVICE (0x2800), of which nobody knows what it shows.
 */
#ifndef PFIFO_TESTS_SILICON_H
#define PFIFO_TESTS_SILICON_H

#include <stdio.h>

#include "bus/bus.h"
#include "differential/choice.h"
#include "event/event.h"
#include "fifo/fifo.h"
#include "memory/memory.h"
#include "reference/nv1.h"

#define SILICON_SYSTEM 0x10000u
#define SILICON_CALLS  256

/* A call of an engine. */
struct silicon_call {
    uint32_t channel, subchannel;
    bool bind;
    uint32_t what, data; /* class and instance, or method and data */
};

struct silicon_log {
    struct silicon_call call[SILICON_CALLS];
    size_t calls;
};

/* A line of the script. */
struct silicon_line {
    const char *verb; /* "w", "r", "vram", "sys", "run", "#" */
    unsigned bits;    /* of w and r */
    uint32_t address, value;
};

struct silicon {
    const char *chip;
    bool nv3;
    uint32_t entries; /* of CACHE1 */
    bool refuses;     /* the engine takes no methods now */
    bool thorough;    /* compare all of VRAM and of the block, not only what PFIFO should change */

    struct event_hub events;
    struct memory memory;
    struct bus bus;
    struct fifo *fifo;
    struct silicon_log machine_log;

    struct nv1ref reference;
    uint8_t *vram, *system; /* of the reference */
    uint32_t vram_bytes;    /* what the chip's boards had, so that the tool has the same */
    struct silicon_log reference_log;

    struct silicon_line *line;
    size_t lines, room;

    /* The scene: what a round's choices are made from. */
    struct choice *choice;
    struct choice noise; /* for what only has to be something */
    uint32_t channel[4]; /* CACHE1's, CACHE0's, and two more */
    uint32_t handle[8];
    uint32_t frame[8]; /* NV3: of the pages of the pushbuffer, with the bits of their page table entries */

    char report[256]; /* the first difference, empty: none */
};

/* ---- both machines as one (pair.c) ---- */

bool silicon_make(struct silicon *s, const char *chip);
void silicon_free(struct silicon *s);

/* The same to both, and into the script. */
void silicon_write(struct silicon *s, uint32_t address, unsigned bytes, uint32_t value);
void silicon_read(struct silicon *s, uint32_t address, unsigned bytes);
void silicon_poke(struct silicon *s, uint32_t vram_address, uint32_t value);
void silicon_poke_system(struct silicon *s, uint32_t address, uint32_t value);
void silicon_run(struct silicon *s, uint32_t budget);
void silicon_note(struct silicon *s, const char *text); /* a comment in the script */

static inline void silicon_wr32(struct silicon *s, uint32_t address, uint32_t value) {
    silicon_write(s, address, 4, value);
}
uint32_t silicon_rd32(struct silicon *s, uint32_t address); /* of the reference; not an access */
void silicon_poke_ramin(struct silicon *s, uint32_t address, uint32_t value);

/* Compare everything. False: they differ, see s->report. */
bool silicon_compare(struct silicon *s);
void silicon_print(struct silicon *s, FILE *out);

/* ---- scene.c, action.c ---- */

void silicon_scene(struct silicon *s);
void silicon_packets(struct silicon *s); /* NV3: the DMA gets something to do */
void silicon_pointers(struct silicon *s, uint32_t used);
void silicon_action(struct silicon *s);
void silicon_show_hidden(struct silicon *s); /* an action after which state that cannot be read is in memory */

/* ---- round.c ---- */

/* One round. False: a difference was found, and printed. */
bool silicon_round(struct choice *choice, FILE *report);

#endif
