/* SPDX-License-Identifier: MIT */
/*
 * PFIFO of GF100 .. GP102 and its reference in random states.
 *
 *   choices --> setup: chip, instance blocks, rings, runlists --> action, compare, action, compare ...
 *
 * Several channels on several PBDMAs. An action is what a driver, a program or a hostile one may do: submit, run for a
 * while, write a register of a PBDMA or of PFIFO, a word of RAMFC or USERD, a runlist, preempt, recover from
 * interrupts. After each of them all registers that the reference knows, events, what the engines got, and why the run
 * ended are compared; all of memory at the end.
 *
 *   VRAM  0x0a000 semaphores  0x0b000 busy words  0x10000 pushbuffers  0x40000 rings    virtual addresses up to 0x80000
 *         0x80000 instances   0x90000 USERD       0xa0000 runlists     0xb0000 page directory  0xc0000 page table
 * On a Tegra this is system memory, which is what its VRAM addresses mean.
 */
#ifndef PFIFO_TESTS_PBDMA_RANDOM_H
#define PFIFO_TESTS_PBDMA_RANDOM_H

#include "bus/bus.h"
#include "differential/choice.h"
#include "event/event.h"
#include "fifo/fifo.h"
#include "memory/memory.h"
#include "pbdma_random/round.h"
#include "reference/pbdma_fifo.h"

#define VRAM_BYTES   0x100000u
#define MAPPED       0x80000u
#define SEMAPHORES   0x0a000u
#define BUSY_WORD    0x0b000u
#define PUSHBUFFERS  0x10000u
#define PUSH_BYTES   0x8000u
#define RINGS        0x40000u
#define INSTANCES    0x80000u
#define USERDS       0x90000u
#define RUNLISTS     0xa0000u
#define DIRECTORY    0xb0000u
#define TABLE        0xc0000u
#define METHOD_WRITE 0x304u /* the engine writes the data to the word at SEMAPHORES that its high half names */
#define METHOD_WAIT  0x310u /* the engine takes it when the first semaphore is not 0 */
#define METHOD_BUSY  0x314u /* sets or clears the engine's busy word */
#define METHOD_ONE   0x318u /* the engine returns after it */
#define METHOD_FAULT 0x31cu /* the engine writes the data to an address that is not there */
#define REFUSED      0xdeadu

#define LIVE 5 /* channels that have something to do */
#define LOG  0x2000

struct bench_chip {
    const char *name;
    uint32_t units, lists;
    uint32_t engines, copies, shared_copy; /* bits; bits; id */
    uint32_t host_class;
    bool gf100, a16f, a26f, b06f, c06f, tsg, tegra, names_list;
};

/* What an engine got; where the method has effects also the time and words of the PBDMA that it finds. */
#define SEEN 8
struct bench_call {
    uint32_t engine, subchannel, method, data, seen[SEEN], time;
};

struct bench_event {
    uint32_t channel;
    struct reference_event event;
};

struct bench_log {
    struct bench_call call[LOG];
    size_t calls;
    struct bench_event event[LOG];
    size_t events;
};

struct bench_engine {
    struct bench *bench;
    unsigned id;
};

struct bench_line {
    const char *word;
    uint32_t address, value;
};

/* What the owner of a channel knows. */
struct bench_live {
    uint32_t id, list, order, gp_put;
    uint32_t begin, cursor, left; /* segment that is being written; words until it ends */
};

struct bench {
    const struct bench_chip *row;
    const struct pfifo_chip *chip;
    struct choice *choice;
    bool observed, materialise;
    bool tame; /* programs and driver mostly do what they should */
    struct event_hub events;
    struct memory memory;
    struct bus bus;
    struct fifo *fifo;
    struct bench_engine engine[CHIP_MAX_ENGINES];
    uint8_t *vram;
    struct pbdma_fifo_reference reference;
    struct bench_log machine_log, reference_log;
    struct bench_live live[LIVE];
    struct reference_stop stop;
    uint32_t known[0x800]; /* registers that the reference knows */
    uint32_t known_count;
    struct bench_line *script;
    size_t lines, room;
    char report[512];
};

/* Something wrong, once in n; rarely if programs are tame. */
static inline bool pbr_wrong(struct bench *b, uint32_t n) {
    return choice_once_in(b->choice, b->tame ? 16 * n : n);
}

/* pair.c: both machines */
bool pbr_make(struct bench *b);
void pbr_free(struct bench *b);
void pbr_poke(struct bench *b, uint32_t address, uint32_t value);
uint32_t pbr_peek(const struct bench *b, uint32_t address);
void pbr_wr32(struct bench *b, uint32_t offset, uint32_t value);
bool pbr_user_wr32(struct bench *b, uint32_t channel, uint32_t offset, uint32_t value); /* through BAR1 */
bool pbr_run(struct bench *b, uint64_t budget);
void pbr_forget(struct bench *b);

/* compare.c: false, with a report: they differ */
bool pbr_same_doings(struct bench *b); /* events, calls, registers */
bool pbr_same_memory(struct bench *b);
bool pbr_same_stop(struct bench *b, enum pfifo_stop machine);
void pbr_print(struct bench *b, FILE *out);

/* setup.c */
void pbr_setup(struct bench *b);
void pbr_start(struct bench *b);                             /* registers, channels and lists, as after a reset */
uint32_t pbr_table(const struct bench *b, uint32_t channel); /* of the channel's words */
void pbr_list(struct bench *b, uint32_t list);               /* write and submit one */
uint32_t pbr_instance(const struct bench_live *live);
uint32_t pbr_userd(const struct bench_live *live);

/* words.c */
void pbr_submit(struct bench *b, struct bench_live *live);

/* actions.c */
bool pbr_act(struct bench *b);

#endif
