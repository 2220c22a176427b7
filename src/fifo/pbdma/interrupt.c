/* SPDX-License-Identifier: MIT */
#include "fifo/pbdma/interrupt.h"

bool pbdma_raise(struct pbdma *pbdma, uint32_t bits, const char *cause) {
    pbdma->intr_0 |= bits;
    event_send(pbdma_events(pbdma), EVENT_FIFO_INTERRUPT, pbdma_channel_id(pbdma), cause, pbdma->intr_0, 0);
    pbdma->shared->upward->update_line(pbdma->fifo);
    return (bits & pbdma->stall_0) != 0;
}

bool pbdma_raise_1(struct pbdma *pbdma, uint32_t bits, const char *cause) {
    pbdma->intr_1 |= bits;
    event_send(pbdma_events(pbdma), EVENT_FIFO_INTERRUPT, pbdma_channel_id(pbdma), cause, pbdma->intr_1, 0);
    pbdma->shared->upward->update_line(pbdma->fifo);
    return (bits & pbdma->stall_1) != 0;
}

enum pbdma_step pbdma_host_fault(struct pbdma *pbdma, const struct fault *fault) {
    pbdma->channel->faulted |= PBDMA_FAULTED;
    pbdma->shared->upward->host_fault(pbdma, fault);
    return STEP_FAULTED;
}
