/* SPDX-License-Identifier: MIT */
/*
 * The library's machine and the reference (tests/reference), side by side.
 *
 *   choices --> scene: chip, registers, memory, pushbuffer --> machine   --> registers, memory, interrupts,
 *                                                         `--> reference --> events, engine calls: the same?
 *
 * A round makes a scene, lets both work with the same budgets, and plays the driver in between: it looks after
 * errors, writes what a semaphore waits for, moves pointers, or pokes a register. After each step everything
 * visible is compared.
 *
 * Not compared: entries of CACHE1 that are not between GET and PUT; CACHE1's PUT and GET while
 * an engine works (afterwards they are).
 */
#ifndef PFIFO_TESTS_DIFFERENTIAL_H
#define PFIFO_TESTS_DIFFERENTIAL_H

#include <stdio.h>

#include "bus/bus.h"
#include "differential/choice.h"
#include "event/event.h"
#include "fifo/fifo.h"
#include "memory/memory.h"
#include "reference/reference.h"

#define DIFFERENTIAL_VRAM   0x100000u
#define DIFFERENTIAL_SYSTEM 0x40000u
#define DIFFERENTIAL_LOG    0x8000

/* ---- what engines do (engines.c) ---- */

/* An engine that consumes everything. Its methods that are more than words: */
enum {
    METHOD_ADDRESS = 0x300, /* set its address register: bit 31 system memory, else VRAM */
    METHOD_WRITE = 0x304,   /* write the data there */
    METHOD_WRITE_2 = 0x308, /* write it twice: there, and a page of words on */
    METHOD_WAIT = 0x310,    /* take this method only when memory there holds the data */
    METHOD_BUSY = 0x314,    /* write 0 or 1 to the word that says whether the engine is busy */
    METHOD_TAKE_ONE = 0x318 /* a plain word, after which the engine returns */
};
#define WRITE_2_BYTES     0x400u                   /* from the first to the second word of METHOD_WRITE_2 */
#define SAFE_ADDRESS      0x8001fffcu              /* where no tables are */
#define BUSY_WORD(engine) (0xb000u + 4 * (engine)) /* VRAM */

/* A call of an engine. */
struct engine_call {
    uint32_t engine, channel, subchannel, method, data;
};

/* What the registers said before and after a method with effects outside. */
#define VIEW_REGISTERS 26
struct engine_view {
    uint32_t call;
    uint32_t value[2][VIEW_REGISTERS];
};

struct recording {
    struct engine_call call[DIFFERENTIAL_LOG];
    size_t calls;
    struct engine_view view[DIFFERENTIAL_LOG / 8];
    size_t views;
    struct reference_event event[DIFFERENTIAL_LOG];
    size_t events;
};

/* Something that was done to both from outside, for people who want to do it again. */
struct script_line {
    const char *word; /* "w32", "vram", "run" ... */
    uint32_t address, value;
};

struct side_engine {
    struct differential *d;
    unsigned id;
    uint32_t address;
};

/* ---- the pair (pair.c, compare.c) ---- */

struct differential {
    const char *chip;
    bool g80, g84;
    bool materialise, observed;
    bool memory_later; /* pair_run() does not compare memory */
    bool big;          /* PMC ENDIAN; addresses and values that are given here are the chip's */
    uint32_t channel;

    struct event_hub events;
    struct memory memory;
    struct bus bus;
    struct fifo *fifo;
    struct side_engine machine_engine[4]; /* from 1 on */
    struct recording machine_log;

    struct reference reference;
    struct side_engine reference_engine[4];
    struct recording reference_log;
    uint8_t *vram, *system; /* of the reference */

    uint32_t initial[BUS_MAX_REGS]; /* registers that the reference does not know must stay as they are */

    /* The scene. */
    struct choice *choice;
    uint32_t descriptor;         /* G80: address of the channel descriptor */
    enum memory_target instance; /* ... and where it is */
    uint32_t handle[16];         /* that the RAMHT has, or should have */
    uint64_t area;               /* GPU address of the pushbuffer */
    uint32_t area_bytes;
    bool ib;
    uint32_t ring_order;
    uint64_t ring;
    uint64_t cursor;        /* GPU address where the next word goes */
    uint64_t segment_begin; /* IB: of the segment that is being written */
    uint32_t segment_left;  /* IB: words that still go into it */

    struct script_line *script;
    size_t lines, room;

    char report[512]; /* the first difference, empty: none */
};

/* Make both machines of one chip. False: no memory. */
bool pair_make(struct differential *d, const char *chip, const char *reference_chip);
void pair_free(struct differential *d);

/* The same to both. */
void pair_wr32(struct differential *d, uint32_t offset, uint32_t value);
void pair_poke(struct differential *d, enum memory_target target, uint32_t address, uint32_t value);
uint32_t pair_rd32(struct differential *d, uint32_t offset);         /* of the reference */
uint32_t pair_machine_rd32(struct differential *d, uint32_t offset); /* of the machine */
void pair_machine_wr32(struct differential *d, uint32_t offset, uint32_t value);
void pair_big_endian(struct differential *d); /* the host's accesses from now on */
void pair_write(struct differential *d, uint32_t address, uint32_t value, unsigned bytes);
bool pair_read(struct differential *d, uint32_t address, unsigned bytes); /* false, with d->report: they differ */
void pair_poke_ramin(struct differential *d, uint32_t address, uint32_t value);

/* Say about the first difference what it is; false. */
bool pair_differ(struct differential *d, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Let both work; false, with d->report: they differ. */
bool pair_run(struct differential *d, uint64_t budget, struct reference_stop *stop);

bool pair_has_registers(struct differential *d); /* does the machine have those of the reference? */
void pair_remember_registers(struct differential *d);
void pair_forget_events(struct differential *d);     /* what is compared next begins here */
bool pair_compare(struct differential *d);           /* all of these: */
bool pair_compare_doings(struct differential *d);    /* events and engine calls */
bool pair_compare_registers(struct differential *d); /* and CACHE1, and the interrupt */
bool pair_compare_memory(struct differential *d);
bool pair_compare_range(struct differential *d, enum memory_target target, uint32_t begin, uint32_t end);

/* ---- script.c ---- */

void pair_note(struct differential *d, const char *word, uint32_t address, uint32_t value);
void pair_print(struct differential *d, FILE *out); /* the last events of each */
void pair_print_script(struct differential *d, FILE *out);

/* ---- engines.c ---- */

extern const struct pfifo_engine_ops machine_engine_ops;
extern const uint32_t view_registers[VIEW_REGISTERS];
void reference_engine_bind(void *opaque, unsigned engine, unsigned subchannel, uint32_t object_class, uint32_t object);
bool reference_engine_method(void *opaque, unsigned engine, unsigned subchannel, uint32_t method, uint32_t data);
void reference_engine_switch(void *opaque, unsigned engine);
bool reference_engine_busy(void *opaque, unsigned engine);

/* ---- scene.c, stream.c ---- */

void scene_make(struct differential *d);
void scene_driver(struct differential *d, const struct reference_stop *stop); /* what happens between two runs */
void stream_make(struct differential *d);
void stream_more(struct differential *d);

/* ---- round.c ---- */

/* One round. False: a difference was found; *d holds everything about it. `*d` must be freed with free(). */
bool differential_round(struct choice *choice, FILE *report);

#endif
