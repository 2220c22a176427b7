/* SPDX-License-Identifier: MIT */
/* Interrupts of a PBDMA: INTR_0, INTR_1, and what stalls it. Those of PFIFO as a whole: runlist/interrupt.h. */
#ifndef PFIFO_SRC_FIFO_PBDMA_INTERRUPT_H
#define PFIFO_SRC_FIFO_PBDMA_INTERRUPT_H

#include "fifo/pbdma/pbdma.h"

/* Set bits of INTR_0 or INTR_1. False: they do not stall the PBDMA. */
bool pbdma_raise(struct pbdma *pbdma, uint32_t bits, const char *cause);
bool pbdma_raise_1(struct pbdma *pbdma, uint32_t bits, const char *cause);

/* Is an interrupt pending that is enabled? */
static inline bool pbdma_interrupts(const struct pbdma *pbdma) {
    return ((pbdma->intr_0 & pbdma->intr_en_0) | (pbdma->intr_1 & pbdma->intr_en_1)) != 0;
}

/* Is an interrupt pending that stalls? */
static inline bool pbdma_stalled(const struct pbdma *pbdma) {
    return ((pbdma->intr_0 & pbdma->stall_0) | (pbdma->intr_1 & pbdma->stall_1)) != 0;
}

/* An access of the PBDMA to memory faulted: record, interrupt, and the channel stops. */
enum pbdma_step pbdma_host_fault(struct pbdma *pbdma, const struct fault *fault);

#endif
