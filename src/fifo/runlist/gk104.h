/* SPDX-License-Identifier: MIT */
/* Shared by the files of GK104 and later. */
#ifndef PFIFO_SRC_FIFO_RUNLIST_GK104_H
#define PFIFO_SRC_FIFO_RUNLIST_GK104_H

#include "fifo/runlist/pfifo.h"
#include "unit/topology.h"

struct gk104_fifo {
    struct pbdma_fifo p;
    uint32_t runlist, preempt;
    struct topology topology;
};

static inline struct gk104_fifo *gk104_of(const struct pbdma_fifo *fifo) {
    return (struct gk104_fifo *)(uintptr_t)fifo;
}

static inline struct gk104_fifo *gk104_of_pbdma(const struct pbdma *pbdma) {
    return (struct gk104_fifo *)pbdma->fifo;
}

/* Does a PBDMA serve a runlist? */
bool gk104_serves(const struct pbdma *pbdma, unsigned list);

/* gk104_regs.c */
extern const struct reg_row gk104_rows[];
extern const size_t gk104_row_count;

/* gk104_pccsr.c: the channel table, without its length. */
extern const struct window gk104_channel_table;
uint32_t gk104_channel_runlist(const struct pbdma_channel *channel);

#endif
