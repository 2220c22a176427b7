/* SPDX-License-Identifier: MIT */
/*
 * Host methods, 0x00 .. 0xfc: PFIFO executes them itself. The table is in host.c; semaphores and syncpoints have a file
 * each.
 */
#ifndef PFIFO_SRC_FIFO_PBDMA_HOST_H
#define PFIFO_SRC_FIFO_PBDMA_HOST_H

#include "fifo/pbdma/pbdma.h"

/* Differences by the class of the channel (host_class of the chip's row), beside the chip's capabilities. */
struct host_class {
    uint16_t id;
    bool keeps_operands;  /* SYNCPOINTA, SYNCPOINTB and WFI store their operand though they do nothing */
    bool has_mem_op_a;    /* MEM_OP_A, and MEM_OP_B. The chip says whether there are C and D, too (has_mem_op_c) */
    bool syncpoint_bases; /* SYNCPOINTB has 8 bits for the syncpoint, two for the operation, and bases; else 12 and one
                           */
    uint32_t memory_operations; /* a bit each */
};

/* The class of that number, and the methods that it has on the chip, as a mask: bit n is method 4 * n. */
const struct host_class *pbdma_host_class(uint16_t id);
uint64_t pbdma_host_methods(const struct pfifo_chip *chip, const struct host_class *host);

/* Execute a host method. */
enum pbdma_step pbdma_host_method(struct pbdma *pbdma, unsigned subchannel, uint32_t method, uint32_t data);

/* puller_variant.refuse, of GF100:GK104 and of GK104 and later. */
enum pbdma_step pbdma_refuse_for_software(struct pbdma *pbdma, const struct fifo_engine *engine, unsigned subchannel,
                                          uint32_t data);
enum pbdma_step pbdma_refuse_copy_class(struct pbdma *pbdma, const struct fifo_engine *engine, unsigned subchannel,
                                        uint32_t data);

/* Is the engine that the channel used last still busy with it? */
bool pbdma_last_engine_busy(const struct pbdma *pbdma);

typedef enum pbdma_step host_method_function(struct pbdma *pbdma, unsigned subchannel, uint32_t data);
host_method_function pbdma_semaphore_a, pbdma_semaphore_b, pbdma_semaphore_c, pbdma_semaphore_d;
host_method_function pbdma_old_acquire, pbdma_old_release;
host_method_function pbdma_syncpoint_a, pbdma_syncpoint_b;

/*
 * An acquire, or the wait for a syncpoint, failed: `found` is there instead of `expected`. Starts its timeout. The
 * scheduler decides whether other channels run meanwhile.
 */
enum pbdma_step pbdma_acquire_failed(struct pbdma *pbdma, uint64_t address, uint32_t expected, uint32_t found);
/* The same of a syncpoint. */
enum pbdma_step pbdma_syncpoint_wait_failed(struct pbdma *pbdma, uint32_t syncpoint, uint32_t threshold,
                                            uint32_t value);

/* METHOD0 cannot be executed yet. Does its channel keep the PBDMA for the rest of its timeslice? */
bool pbdma_wait_keeps_slice(const struct pbdma *pbdma);

/* SYNCPOINTB: the channel leaves while it waits. */
#define SYNCPOINTB_WAIT_SWITCH (1u << 4)

#endif
