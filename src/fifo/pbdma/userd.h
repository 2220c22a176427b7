/* SPDX-License-Identifier: MIT */
/*
 * USERD: 512 bytes of memory per channel (4096 before GK104), in which its owner writes GP_PUT, and PFIFO the channel's
 * progress. BAR1 shows it, too: see runlist/bar1.c.
 */
#ifndef PFIFO_SRC_FIFO_PBDMA_USERD_H
#define PFIFO_SRC_FIFO_PBDMA_USERD_H

#include "fifo/pbdma/pbdma.h"
#include "hw/userd.h"

/* The fields that PFIFO writes, and the words that they are copies of. */
struct userd_field {
    uint16_t offset;
    uint16_t word; /* enum pbdma_word */
};
#define USERD_WRITTEN 8
extern const struct userd_field userd_written[USERD_WRITTEN];

/* Where the words R_USERD and R_USERD_HI point. `stride` is userd_stride of the chip. */
uint64_t userd_address(uint32_t stride, uint32_t low, uint32_t high, enum memory_target *target);
/* GP_PUT of the channel that is loaded. */
uint32_t pbdma_read_gp_put(struct pbdma *pbdma);
/* Write the progress of the loaded channel. */
void pbdma_write_userd(struct pbdma *pbdma);

#endif
