/* SPDX-License-Identifier: MIT */
/* Why nothing runs any more. */
#include "fifo/pbdma/interrupt.h"
#include "fifo/pbdma/puller.h"
#include "fifo/runlist/channel.h"
#include "fifo/runlist/pfifo.h"

/* INTR_STALL says which interrupts keep channels from being loaded. */
bool schedule_halted(const struct pbdma_fifo *fifo) {
    return fifo->intr_stall && (pbdma_intr(fifo) & fifo->intr_stall);
}

/* The engine that the channel turns to has asked for the driver, and takes nothing until it comes. */
static bool schedule_engine_asks(struct pbdma_fifo *fifo, const struct pbdma_channel *channel) {
    uint32_t target = channel_word(fifo, channel, R_TARGET) & 0x1f;
    return (channel_word(fifo, channel, R_METHOD0) & METHOD_VALID) && target < CHIP_MAX_ENGINES &&
           fifo_engine_asks(&fifo->base, target);
}

/* Why a channel that has work does not do it. */
static enum pfifo_stop schedule_hindrance(struct pbdma_fifo *fifo, unsigned number,
                                          const struct pbdma_channel *channel) {
    if (channel->faulted || schedule_engine_asks(fifo, channel))
        return PFIFO_STOP_INTERRUPT;
    if (!channel->on && schedule_halted(fifo))
        return PFIFO_STOP_INTERRUPT;
    if (!channel->on && fifo->variant->runlist->disabled(fifo, number, channel))
        return PFIFO_STOP_FROZEN;
    unsigned engine = channel->on ? ROUTE_SOFTWARE : channel_word(fifo, channel, R_TARGET) & 0x1f;
    enum pfifo_stop why = PFIFO_STOP_FROZEN;
    for (unsigned i = 0; i < fifo->shared.count; i++) {
        const struct pbdma *pbdma = &fifo->shared.unit[i];
        if (channel->on ? channel->on != pbdma
                        : !fifo->variant->runlist->serves(pbdma, number) ||
                              !pbdma->shared->variant->puller->may_serve(pbdma, engine))
            continue;
        if (pbdma_stalled(pbdma))
            return PFIFO_STOP_INTERRUPT;
        if (!fifo->variant->frozen(pbdma))
            why = PFIFO_STOP_WAITING;
    }
    return why;
}

/* What hinders the channels that have work: a bit per enum pfifo_stop. */
static uint32_t schedule_hindrances(struct pbdma_fifo *fifo) {
    uint32_t reasons = 0;
    for (unsigned n = 0; n < fifo->lists; n++)
        for (uint32_t i = 0; i < fifo->list[n].count; i++) {
            const struct pbdma_channel *channel = &fifo->channels[fifo->list[n].entries[i].channel];
            if (channel_has_work(fifo, channel))
                reasons |= 1u << schedule_hindrance(fifo, n, channel);
        }
    for (unsigned i = 0; i < fifo->shared.count; i++)
        if (fifo->shared.unit[i].channel && pbdma_stalled(&fifo->shared.unit[i]))
            reasons |= 1u << PFIFO_STOP_INTERRUPT;
    return reasons;
}

/* With budget left, a channel that could go on waits; without, it is not known whether it would. */
enum pfifo_stop schedule_stop_reason(struct pbdma_fifo *fifo, bool budget_left) {
    uint32_t reasons = schedule_hindrances(fifo);
    if (!budget_left && (reasons & 1u << PFIFO_STOP_WAITING))
        return PFIFO_STOP_BUDGET;
    if (reasons & 1u << PFIFO_STOP_INTERRUPT)
        return PFIFO_STOP_INTERRUPT;
    if (reasons & 1u << PFIFO_STOP_FROZEN)
        return PFIFO_STOP_FROZEN;
    return reasons ? PFIFO_STOP_WAITING : PFIFO_STOP_IDLE;
}
