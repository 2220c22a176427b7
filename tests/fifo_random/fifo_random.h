/* SPDX-License-Identifier: MIT */
/*
 * PFIFO of NV4 .. MCP89 and its reference in random states.
 *
 *   choices --> setup: chip, registers, RAMIN --> action, compare, action, compare ...
 *                                             `-> life: programs on several channels, and their driver
 *
 * The machines are those of tests/differential. There one channel executes long streams; here all that surrounds it is
 * under test: PIO, RAMRO, free counts, CACHE0, RAMFC, the switcher, registers, reset. After each action every register
 * of the block, what the engines got, events and the interrupt line are compared; all of memory at the end.
 *
 *   RAMIN   0x10000 RAMHT     0x18000 RAMFC (second part 0x19000)  0x1a000 RAMRO  0x20000 RAMFC of NV40  0x22000
 * objects memory  0x0a000 semaphores  0x0b000 busy words  0x10000 pushbuffers, a page for each live channel
 *   G80 and later: see g80_setup.c
 */
#ifndef PFIFO_TESTS_FIFO_RANDOM_H
#define PFIFO_TESTS_FIFO_RANDOM_H

#include "differential/differential.h"

#define LIVE        4 /* channels that have something to do */
#define HANDLES     12
#define SEMAPHORES  0x0a000u
#define PUSH_BASE   0x10000u
#define PAGE        0x1000u
#define RAMIN_RAMHT 0x10000u

/* G80 .. MCP89, by live channel. */
struct bench_g80 {
    bool virtual; /* pages are in use */
    enum memory_target memory[LIVE];
    uint32_t descriptor[LIVE];
    bool ib[LIVE];
    uint32_t order[LIVE], put[LIVE]; /* of the ring */
};

struct bench {
    struct differential *d;
    struct choice *choice;
    bool calm; /* everything is on, and nothing is in the way */
    uint32_t live[LIVE];
    uint32_t handle[HANDLES]; /* from FIRST_SEMAPHORE on they name DMA objects */
    uint32_t cursor[LIVE];    /* where the next word goes in the channel's pushbuffer */
    struct bench_g80 g80;
};

/* setup.c */
void bench_setup(struct bench *b);
uint32_t bench_object(uint32_t n); /* RAMIN address */
bool bench_dma_mode(const struct bench *b, uint32_t channel);
uint32_t bench_any_channel(struct bench *b); /* mostly a live one */
void bench_fill_cache(struct bench *b);

/* words.c: methods, their data, pushbuffers */
uint32_t bench_method(struct bench *b); /* [15:13] subchannel, [12:2] method */
uint32_t bench_data(struct bench *b, uint32_t method);
void bench_push(struct bench *b, uint32_t live, uint32_t words); /* without PUT */

/* actions.c: false, with a report: a difference */
bool bench_act(struct bench *b);
void bench_register_write(struct bench *b);

/* life.c */
bool bench_live(struct bench *b);
void bench_driver(struct bench *b); /* looks after all interrupts */

/* round.c: one round. False: a difference was found, and reported with a script that shows it. */
bool fifo_random_round(struct choice *choice, FILE *report);
/* The same on one chip; NULL: any. */
bool fifo_random_round_on(const char *chip, struct choice *choice, FILE *report);

#endif
