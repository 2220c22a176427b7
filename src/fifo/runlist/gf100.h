/* SPDX-License-Identifier: MIT */
/* Shared by the files of GF100:GK104. */
#ifndef PFIFO_SRC_FIFO_RUNLIST_GF100_H
#define PFIFO_SRC_FIFO_RUNLIST_GF100_H

#include "fifo/runlist/pfifo.h"

#define GF100_MASKS 6 /* of ENG_SUBFIFO_MASK */

struct gf100_fifo {
    struct pbdma_fifo p;
    uint32_t subfifo_enable, engine_mask[GF100_MASKS];
    uint32_t playlist, freeze[2], kick;
    uint32_t engine_intr[16], engine_intr_en;
};

static inline struct gf100_fifo *gf100_of(const struct pbdma_fifo *fifo) {
    return (struct gf100_fifo *)(uintptr_t)fifo;
}

static inline struct gf100_fifo *gf100_of_pbdma(const struct pbdma *pbdma) {
    return (struct gf100_fifo *)pbdma->fifo;
}

/* gf100_regs.c */
extern const struct reg_row gf100_rows[];
extern const size_t gf100_row_count;
extern const struct window gf100_channel_table;

#endif
