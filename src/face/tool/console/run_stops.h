/* SPDX-License-Identifier: MIT */
/* Why a run has stopped, by a short name: what pfifo_gpu_run() says, and what pfifo shell and pfifo debug add. */
#ifndef PFIFO_TOOL_CONSOLE_RUN_STOPS_H
#define PFIFO_TOOL_CONSOLE_RUN_STOPS_H

#include <pfifo/gpu.h>

#include "face/tool/command/refuse.h"

enum run_stop {
    RUN_STOP_GPU,                                /* from here on, as enum pfifo_stop */
    RUN_STOP_BREAKPOINT = PFIFO_STOP_FROZEN + 1, /* of any kind */
    RUN_STOP_GOAL,                               /* what was asked for is reached */
    RUN_STOP_INTERRUPTED,                        /* by Ctrl-C */
    RUN_STOP_MODEL,                              /* a model has those before it */
    RUN_STOP_FAULT = RUN_STOP_MODEL,             /* the first of its kind */
    RUN_STOP_END,                                /* of the capture */
    RUN_STOP_BEGIN,                              /* of it, on the way back */
    RUN_STOPS
};

/* What an error says then. */
#define RUN_NOT_YET "nothing has run yet: run, next or step begins"

/* "idle", "breakpoint" ... */
const char *run_stop_name(unsigned stop);
/*
 * "expect stop WANT": true if it is one of the bits of `found`, 1 << stop. Of none: nothing has run. There are the
 * stops before `end`.
 */
bool run_stop_expect(const char *want, uint32_t found, unsigned end, struct pfifo_error *error);

#endif
