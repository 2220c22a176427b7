/* SPDX-License-Identifier: MIT */
/* What the files of GK104 and later share. */
#ifndef PFIFO_SRC_FIFO_RUNLIST_GK104_H
#define PFIFO_SRC_FIFO_RUNLIST_GK104_H

#include "fifo/pbdma/pbdma.h"

#define GK104_TOPOLOGY_ROWS 64

struct gk104_fifo {
    struct pbdma_fifo p;
    uint32_t runlist, preempt;
    uint32_t engine_list[CHIP_MAX_ENGINES]; /* runlist of each engine */
    uint32_t list_engine[PBDMA_RUNLISTS];   /* and back */
    uint32_t shared_copy;                   /* engine behind subchannel 4 of the graphics runlist */
    uint32_t topology[GK104_TOPOLOGY_ROWS];
    struct window channel_table; /* as long as the chip has channels */
};

static inline struct gk104_fifo *gk104_of(const struct pbdma_fifo *fifo) {
    return (struct gk104_fifo *)(uintptr_t)fifo;
}

/* Does a PBDMA serve a runlist? */
bool gk104_serves(const struct pbdma *pbdma, unsigned list);

/* gk104_regs.c */
extern const struct reg_row gk104_rows[];
extern const size_t gk104_row_count;

/* gk104_pccsr.c: the channel table, without its length. */
extern const struct window gk104_channel_table;
uint32_t gk104_channel_runlist(const struct pbdma_channel *channel);

/* gk104_topology.c: which engine is behind which runlist, and the table that says so. */
extern const struct reg_table topology_table;
void gk104_make_topology(struct gk104_fifo *f);

#endif
