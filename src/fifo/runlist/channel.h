/* SPDX-License-Identifier: MIT */
/*
 * Channels of the channel table (PFIFO.CHANNEL, on GK104 and later PCCSR): what is bound, what may run, and whether a
 * channel has work.
 */
#ifndef PFIFO_SRC_FIFO_RUNLIST_CHANNEL_H
#define PFIFO_SRC_FIFO_RUNLIST_CHANNEL_H

#include "fifo/pbdma/pbdma.h"
#include "fifo/pbdma/userd.h"

struct pbdma_fifo;

/* BIND_ERROR. */
enum pbdma_bind_error {
    BIND_NOT_UNBOUND = 1,
    BIND_SNOOP_WITHOUT_BAR1 = 2,
    BIND_UNBIND_WHILE_RUNNING = 3,
    BIND_INVALID_RUNLIST = 5,
    BIND_INVALID_TARGET = 6,
};

/* A channel as after power-on. */
void channel_init(struct pbdma_fifo *fifo, uint32_t id);
/* Word 0 of the channel table, and the address of the instance block that it names. */
void channel_set_instance(struct pbdma_channel *channel, uint32_t value);
/* Bind (or with `valid` false unbind) the instance block of a channel. */
void channel_bind(struct pbdma_fifo *fifo, struct pbdma_channel *channel, uint32_t value, bool valid);
void channel_bind_error(struct pbdma_fifo *fifo, enum pbdma_bind_error code);

/* Does a channel that is bound and enabled have something to do? */
bool channel_has_work(struct pbdma_fifo *fifo, const struct pbdma_channel *channel);
/* The same of a channel that is on no PBDMA, from RAMFC. */
bool channel_saved_work(struct pbdma_fifo *fifo, const struct pbdma_channel *channel);
/* The same of the channel that is loaded. If the ring is empty, USERD is read again. */
static inline bool channel_loaded_work(struct pbdma *pbdma) {
    uint32_t *regs = pbdma->regs;
    if (regs[R_METHOD0] & METHOD_VALID || regs[R_GET] != regs[R_PUT] || ((regs[R_GET_HI] ^ regs[R_PUT_HI]) & 0xff))
        return true;
    if (regs[R_GP_GET] == regs[R_GP_PUT])
        regs[R_GP_PUT] = pbdma_read_gp_put(pbdma);
    return regs[R_GP_GET] != regs[R_GP_PUT];
}
/* Does a bound channel that is on no PBDMA wait in an acquire? */
bool channel_saved_acquire(struct pbdma_fifo *fifo, const struct pbdma_channel *channel);
/* A word of the channel, from the PBDMA that it is on, or from RAMFC. */
uint32_t channel_word(struct pbdma_fifo *fifo, const struct pbdma_channel *channel, enum pbdma_word word);
/* Nanoseconds until the first of the listed channels gives up its acquire, UINT64_MAX: none does. */
uint64_t channel_until_timeout(struct fifo *base);

/* The channel that an engine works for, PBDMA_NONE: none; is it busy with it? */
uint32_t pbdma_engine_channel(const struct pbdma_fifo *fifo, unsigned engine);
bool pbdma_engine_busy(const struct pbdma_fifo *fifo, unsigned engine);

#endif
