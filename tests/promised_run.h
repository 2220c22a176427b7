/* SPDX-License-Identifier: MIT */
/* Runs of the random benches, which also look at what fifo_has_work() promises before and after each. */
#ifndef PFIFO_TESTS_PROMISED_RUN_H
#define PFIFO_TESTS_PROMISED_RUN_H

#include <stdio.h>
#include <stdlib.h>

#include "fifo/fifo.h"

/*
 * fifo_run(). If there was no work, nothing may be done; if it worked and is idle now, there must be none. (After other
 * stops an engine may be waiting, which has to be asked.) A broken promise ends the program.
 */
static inline enum pfifo_stop promised_run(struct fifo *fifo, uint64_t *budget) {
    uint64_t before = *budget;
    bool work = fifo_has_work(fifo);
    enum pfifo_stop stop = fifo_run(fifo, budget);
    bool idle = *budget > 0 && *budget < before && stop == PFIFO_STOP_IDLE;
    if ((work || *budget == before) && (!idle || !fifo_has_work(fifo)))
        return stop;
    fprintf(stderr, "fifo_has_work(): %s before a run that used %llu units and stopped with %d\n",
            work ? "work" : "none", (unsigned long long)(before - *budget), (int)stop);
    abort();
}

#endif
