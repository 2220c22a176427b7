/* SPDX-License-Identifier: MIT */
/*
 * The puller of a PBDMA: the method in METHOD0 goes to a host method, an engine, or (software objects) the driver.
 */
#ifndef PFIFO_SRC_FIFO_PBDMA_PULLER_H
#define PFIFO_SRC_FIFO_PBDMA_PULLER_H

#include "fifo/pbdma/pbdma.h"

/* The differences between generations. */
struct puller_variant {
    /* Fill pbdma->route. Also called after SET_OBJECT. */
    void (*route)(struct pbdma *pbdma);
    /* SET_OBJECT, which may name an engine. False: there is no such engine. */
    bool (*set_engine)(struct pbdma *pbdma, unsigned subchannel, uint32_t data);
    /* SET_OBJECT of a class that the engine refuses. */
    enum pbdma_step (*refuse)(struct pbdma *pbdma, const struct fifo_engine *engine, unsigned subchannel,
                              uint32_t data);
    /* May this PBDMA work for `engine` (ROUTE_SOFTWARE: any)? */
    bool (*may_serve)(const struct pbdma *pbdma, unsigned engine);
};

/* Execute METHOD0. */
enum pbdma_step pbdma_pull(struct pbdma *pbdma);
/* Make `engine` work for this channel. STEP_DONE: it does. */
enum pbdma_step pbdma_select_engine(struct pbdma *pbdma, unsigned engine);
/* The method in METHOD0 is wrong: it stays there for the driver, or is dropped where the interrupt does not stall. */
enum pbdma_step pbdma_method_error(struct pbdma *pbdma, uint32_t bit, const char *cause);
/* Wait in METHOD0 for memory (or a syncpoint) to change. */
enum pbdma_step pbdma_wait(struct pbdma *pbdma, uint64_t address, uint32_t expected, uint32_t found);
/* The same for an engine that took nothing. */
enum pbdma_step pbdma_wait_for_engine(struct pbdma *pbdma, const struct fifo_engine *engine);

#endif
