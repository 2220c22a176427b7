/* SPDX-License-Identifier: MIT */
/*
 * The GPU: it connects the units.
 *
 *   pfifo_gpu_rd32/wr32, BARs --> bus --> fifo --> engines
 *                              |       |         |
 *                              `---- memory -----'      events: one hub for all
 *
 * The only code that uses all units. It has no behaviour of its own.
 */
#ifndef PFIFO_SRC_GPU_GPU_H
#define PFIFO_SRC_GPU_GPU_H

#include <pfifo/gpu.h>
#include <pfifo/registers.h>

#include "bus/bus.h"
#include "engine/shade/watch.h"
#include "event/event.h"
#include "fifo/fifo.h"
#include "memory/memory.h"

/* The part of a GPU that registers.c needs. */
struct pfifo_registers {
    const struct pfifo_chip *chip;
    const struct bus *bus;
    struct pfifo_gpu *gpu; /* whose bus it is */
};

struct falcons;
struct gpu_guard;

struct pfifo_gpu {
    const struct pfifo_chip *chip;
    bool running;               /* in pfifo_gpu_run(): callbacks cannot save or load */
    bool work_told;             /* since the last run */
    void (*work)(void *opaque); /* the owner's; NULL: none */
    void *opaque;
    struct event_hub events;
    struct memory memory;
    struct bus bus;
    struct falcons *falcons;
    struct fifo *fifo;                 /* NULL: the chip's machine is not modelled, only its tables exist */
    struct shade_cache *programs;      /* engine/shade/program.h */
    struct fifo_names *names;          /* registers of such a chip */
    pfifo_program_watch program_watch; /* the owner's; NULL: none */
    void *program_opaque;
    struct shade_watch watch; /* of the machine, which calls it */
    struct primitive_watch primitive_watch;
    const struct gpu_guard *guard; /* gpu/guard.h; NULL: nobody is told */
    struct pfifo_registers registers;
};

/* A GPU of any chip for its register tables only. NULL on error: PFIFO_ERROR_MEMORY. */
struct pfifo_gpu *gpu_new_tables(const struct pfifo_chip *chip, struct pfifo_error *error);

/* Can the memories be what the config says? Errors: PFIFO_ERROR_ARGUMENT. */
enum pfifo_status gpu_check_memory(const struct pfifo_config *config, struct pfifo_error *error);

/* After a write: notify the owner if there is work now. */
void gpu_tell_work(struct pfifo_gpu *gpu);

/*
 * time.c: there is no work left; let time pass to the alarm of PTIMER, or to an earlier timeout. False: there is none.
 */
bool gpu_pass_to_alarm(struct pfifo_gpu *gpu);

#endif
