/* SPDX-License-Identifier: MIT */
/* What the files of the host methods share: the table in pbdma_host.c, semaphores and syncpoints in pbdma_waits.c. */
#ifndef PFIFO_SRC_FIFO_PBDMA_PBDMA_HOST_H
#define PFIFO_SRC_FIFO_PBDMA_PBDMA_HOST_H

#include "fifo/pbdma/pbdma.h"

typedef enum pbdma_step host_method_function(struct pbdma *pbdma, unsigned subchannel, uint32_t data);

/* Is the engine that the channel used last still at work for it? */
bool pbdma_last_engine_busy(const struct pbdma *pbdma);

/* A26F is the only class with MEM_OP_A and MEM_OP_B that a Tegra has. */
static inline bool pbdma_has_a26f(const struct pfifo_chip *chip) {
    return chip->has_syncpoints && !chip->has_mem_op_c;
}

host_method_function pbdma_semaphore_a, pbdma_semaphore_b, pbdma_semaphore_c, pbdma_semaphore_d;
host_method_function pbdma_old_acquire, pbdma_old_release;
host_method_function pbdma_syncpoint_a, pbdma_syncpoint_b;

#endif
