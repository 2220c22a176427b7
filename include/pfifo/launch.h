/* SPDX-License-Identifier: MIT */
/*
 * Launches of grids as an observer sees them (pfifo/event.h).
 *
 *   static void look(void *opaque, const struct pfifo_event *event) {
 *       const struct pfifo_launch *launch = event->launch; // of engine.launch and engine.launched
 *       if (launch)
 *           printf("%u x %u x %u blocks\n", launch->blocks[0], launch->blocks[1], launch->blocks[2]);
 *   }
 *
 * Library: libpfifo
 */
#ifndef PFIFO_LAUNCH_H
#define PFIFO_LAUNCH_H

#include <pfifo/error.h>

#ifdef __cplusplus
extern "C" {
#endif

#define PFIFO_LAUNCH_CONSTANTS 18u

/* A buffer of constants. */
struct pfifo_launch_constants {
    uint64_t address;
    uint32_t bytes; /* 0: none is bound */
};

/* What launches have cost, in units that are the same on every run; see struct pfifo_draw_work. */
struct pfifo_launch_work {
    uint64_t blocks, warps, instructions;
};

/* A grid of blocks of threads. Strings are constants. */
struct pfifo_launch {
    const char *form; /* "QMD 1.7", "registers" */
    bool executed;    /* its program is; else it is only told */
    uint32_t object_class, method;
    uint64_t program; /* address of the first instruction */
    uint64_t code;    /* of the program region, 0: not known */
    uint64_t qmd;     /* of the launch descriptor, 0: there is none */
    uint32_t blocks[3], threads[3];
    uint32_t shared;    /* bytes of a block */
    uint32_t local;     /* bytes of a thread */
    uint32_t registers; /* of a thread */
    struct pfifo_launch_constants constants[PFIFO_LAUNCH_CONSTANTS];
    struct pfifo_launch_work work; /* of engine.launched: blocks that were done, and all instructions */
};

#ifdef __cplusplus
}
#endif

#endif
