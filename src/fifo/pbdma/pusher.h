/* SPDX-License-Identifier: MIT */
/*
 * The pusher of a PBDMA: entries of GPFIFO (gpfifo.c) become segments, words of a segment (pusher.c) become packets,
 * and packets become methods. packets.c is the bulk path, which executes whole packets at once.
 */
#ifndef PFIFO_SRC_FIFO_PBDMA_PUSHER_H
#define PFIFO_SRC_FIFO_PBDMA_PUSHER_H

#include "fifo/pbdma/pbdma.h"

/* The differences between generations. */
struct pusher_variant {
    bool no_switch; /* bit 1 of a GP entry: the channel is not switched within the segment */
};

/* Fetch one thing (a GP entry, a header, a data word), or execute several packets at once. */
enum pbdma_step pbdma_fetch(struct pbdma *pbdma);
/* The next GP entry. */
enum pbdma_step pbdma_fetch_entry(struct pbdma *pbdma);
/* Account for `taken` methods of a run, of which the first word is fetched already. */
void pbdma_finish_run(struct pbdma *pbdma, const struct pfifo_methods *run, uint32_t taken);

/* ---- the bulk path: packets.c ---- */

/* Which headers it may take, after the grammar changed. */
void pbdma_choose_packets(struct pbdma *pbdma);
/* Whole packets from `get` on, if some can be executed at once; false: none. */
bool pbdma_push_packets(struct pbdma *pbdma, uint64_t get, uint64_t put, enum pbdma_step *step);
/* The bulk path ends after the packet that the engine has now. */
void pbdma_close_packets(struct pbdma_shared *shared);
/* An engine has worked within the bulk path, which ends for that: `units` are accounted for when it is left. */
void pbdma_packets_worked(struct pbdma_shared *shared, uint64_t units);
/* Write the registers of the packet that an engine has now: call this before they are read. */
void pbdma_sync(const struct pbdma_shared *shared);

#endif
