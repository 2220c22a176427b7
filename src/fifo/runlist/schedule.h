/* SPDX-License-Identifier: MIT */
/*
 * The scheduler: which PBDMA works, and which channel is loaded on it.
 *
 * PBDMAs work one after the other, for a quantum of PBDMA_QUANTUM units each: several channels make progress together.
 * Within that a channel has its PBDMA for a timeslice, which belongs to its TSG.
 */
#ifndef PFIFO_SRC_FIFO_RUNLIST_SCHEDULE_H
#define PFIFO_SRC_FIFO_RUNLIST_SCHEDULE_H

#include "fifo/fifo.h"

struct pbdma;
struct pbdma_fifo;

#define PBDMA_QUANTUM         1024       /* units, then the next PBDMA works */
#define PBDMA_QUANTUM_ENDLESS UINT32_MAX /* no other PBDMA has anything to do */

/* What the scheduler keeps for a PBDMA. The units of the timeslice are counted where they are used: pbdma->slice. */
struct schedule_unit {
    unsigned list; /* that its channel came from; after that list, round robin over lists goes on */
    uint32_t tsg; /* of this list, whose timeslice it is: index of its first entry; PBDMA_NONE: another one is chosen */
    bool preempted; /* its channel is told to leave, and does when nothing stalls it and no engine is busy with it */
};

struct schedule {
    unsigned current;           /* PBDMA that works */
    uint32_t quantum_left;      /* units; 0: a new quantum begins */
    uint32_t progress;          /* counts when a channel makes progress */
    struct schedule_unit *unit; /* for each PBDMA */
    /* By channel: `progress` when it was found to wait; until that changes it is not tried again. Of one run only. */
    uint32_t *waited;
};

/* Allocate for the chip. */
enum pfifo_status schedule_init(struct schedule *schedule, const struct pfifo_chip *chip, struct pfifo_error *error);
void schedule_free(struct schedule *schedule);
/* As after power-on. */
void schedule_reset(struct schedule *schedule, unsigned pbdmas);

/* Of a PBDMA. */
struct schedule_unit *schedule_unit_of(const struct pbdma *pbdma);

/* fifo_ops.run. */
enum pfifo_stop schedule_run(struct fifo *base, uint64_t *budget);

/* Runlist `number` is replaced: channels that are not in it any more leave. */
void schedule_list_changed(struct pbdma_fifo *fifo, unsigned number);
/* Ask a channel to leave; it does at once unless its PBDMA is stalled or an engine is busy with it. */
void schedule_preempt(struct pbdma_fifo *fifo, uint32_t channel);
/* Do what only had to wait for that. */
void schedule_retry_preemption(struct pbdma *pbdma);
/* Is an engine busy with the channel? */
bool schedule_engines_hold(const struct pbdma_fifo *fifo, uint32_t channel);
/* Has a channel been asked to leave that has not yet? */
bool schedule_preemption_pending(struct pbdma_fifo *fifo);

/* schedule_work.c: fifo_ops.has_work. */
bool schedule_can_work(struct fifo *base);

/* schedule_stop.c: does an interrupt keep channels from being loaded? */
bool schedule_halted(const struct pbdma_fifo *fifo);
/* Why nothing runs any more, or why nothing ran for lack of budget. */
enum pfifo_stop schedule_stop_reason(struct pbdma_fifo *fifo, bool budget_left);

#endif
