/* SPDX-License-Identifier: MIT */
/*
 * The GPU: where the units are put together.
 *
 *   pfifo_gpu_rd32/wr32, BARs --> bus --> fifo --> engines
 *                              |       |         |
 *                              `---- memory -----'      events: one hub for all
 *
 * The only code that knows all units; it has no behaviour of its own.
 */
#ifndef PFIFO_SRC_GPU_GPU_H
#define PFIFO_SRC_GPU_GPU_H

#include <pfifo/gpu.h>
#include <pfifo/registers.h>

#include "bus/bus.h"
#include "event/event.h"
#include "fifo/fifo.h"
#include "memory/memory.h"

/* What registers.c needs of a GPU. */
struct pfifo_registers {
    const struct pfifo_chip *chip;
    const struct bus *bus;
    struct pfifo_gpu *gpu; /* whose bus it is */
};

struct pfifo_gpu {
    const struct pfifo_chip *chip;
    bool running;               /* in pfifo_gpu_run(): what calls back from there cannot save or load */
    bool work_told;             /* since the last run */
    void (*work)(void *opaque); /* the owner's; NULL: not wanted */
    void *opaque;
    struct event_hub events;
    struct memory memory;
    struct bus bus;
    struct fifo *fifo;        /* NULL: the machine of the chip is not built, and this is only what its tables say */
    struct fifo_names *names; /* of the registers of such a chip */
    struct pfifo_registers registers;
};

/* For its register tables alone, of any chip. NULL on error: PFIFO_ERROR_MEMORY. */
struct pfifo_gpu *gpu_new_tables(const struct pfifo_chip *chip, struct pfifo_error *error);

/* Somebody has written: tell the owner if there is something to do now. */
void gpu_tell_work(struct pfifo_gpu *gpu);

/* time.c: nothing is left to do; let time pass to the alarm of PTIMER, or what comes before. False: there is none. */
bool gpu_pass_to_alarm(struct pfifo_gpu *gpu);

#endif
