/* SPDX-License-Identifier: MIT */
/*
 * Who watches warps, instruction by instruction (pfifo/program.h). An io without a watch costs nothing but a test for
 * each run of a warp; with one, the interpreter runs the warp an instruction at a time.
 *
 *   struct fifo: watch --> shade_io: watch, identity --> shade_run() --> watch->step() before each instruction
 */
#ifndef PFIFO_SRC_ENGINE_SHADE_WATCH_H
#define PFIFO_SRC_ENGINE_SHADE_WATCH_H

#include <pfifo/program.h>

#include "engine/shade/warp.h"

/* Whose program it is: filled in by whoever lends an io. */
struct shade_identity {
    enum pfifo_stage stage;
    uint32_t channel;
    uint64_t code, program; /* addresses: of the program region, of the program */
    /* What a lane is; all is 0 before. NULL: it is not known. */
    void (*thread)(const struct shade_warp *warp, unsigned lane, struct pfifo_warp_thread *thread);
};

struct shade_watch {
    void *opaque;
    void (*step)(void *opaque, struct shade_warp *warp, const struct pfifo_program_step *step);
    uint64_t warps; /* that it has seen begin */
};

/* Who sees the primitives of draws. */
struct primitive_watch {
    pfifo_primitive_watch function;
    void *opaque;
};

/* As shade_run(), of an io that has a watch. */
enum shade_stop shade_run_watched(struct shade_warp *warp, uint64_t budget, uint64_t *used);

/*
 * The instruction that comes next, with its address, the lanes that are at it and those that do it. NULL: the warp has
 * ended, or waits.
 */
const struct shade_code *shade_next(struct shade_warp *warp, uint32_t *pc, uint32_t *lanes, uint32_t *active);

/* What an entry of a stack is for. */
const char *shade_entry_name(unsigned type);

#endif
