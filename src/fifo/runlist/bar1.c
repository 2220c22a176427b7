/* SPDX-License-Identifier: MIT */
/*
 * USERD of all channels, one after the other, in a part of BAR1 that BAR1_BASE chooses.
 *
 * UNKNOWN: what a write to another field than GP_PUT does on a GPFIFO channel. Chosen: plain storage.
 */
#include "fifo/pbdma/pusher.h"
#include "bus/bars.h"
#include "fifo/pbdma/userd.h"
#include "fifo/runlist/pfifo.h"

/* The USERD memory of the channel behind a BAR1 offset. NULL: an unbound channel has none. */
static const struct pbdma_channel *bar1_channel(struct pbdma_fifo *fifo, uint64_t offset, enum memory_target *target,
                                                uint64_t *address) {
    uint32_t stride = fifo->base.chip->userd_stride;
    uint64_t id = offset / stride;
    if (id >= fifo->channel_count || !fifo->channels[id].bound)
        return NULL;
    const struct pbdma_channel *channel = &fifo->channels[id];
    const struct pfifo_channel_context *context = &channel->context;
    uint32_t low, high;
    if (channel->on) {
        low = channel->on->regs[R_USERD];
        high = channel->on->regs[R_USERD_HI];
    } else {
        low = memory_physical_rd32(fifo->base.memory, context->instance_target, context->instance + R_USERD * 4);
        high = memory_physical_rd32(fifo->base.memory, context->instance_target, context->instance + R_USERD_HI * 4);
    }
    *address = userd_address(stride, low, high, target) + offset % stride;
    return channel;
}

void pbdma_fifo_userd_write(void *host, uint64_t offset, uint32_t value) {
    struct pbdma_fifo *fifo = host;
    enum memory_target target;
    uint64_t address;
    if (bar1_channel(fifo, offset, &target, &address))
        memory_physical_wr32(fifo->base.memory, target, address, value);
}

/* A channel on a PBDMA answers from there, memory has what was written back last. */
uint32_t pbdma_fifo_userd_read(void *host, uint64_t offset) {
    struct pbdma_fifo *fifo = host;
    enum memory_target target;
    uint64_t address;
    pbdma_sync(&fifo->shared);
    const struct pbdma_channel *channel = bar1_channel(fifo, offset, &target, &address);
    if (!channel)
        return 0;
    for (size_t i = 0; channel->on && i < USERD_WRITTEN; i++)
        if (offset % fifo->base.chip->userd_stride == userd_written[i].offset)
            return channel->on->regs[userd_written[i].word];
    return memory_physical_rd32(fifo->base.memory, target, address);
}

void pbdma_fifo_bar1_base(void *unit, const struct reg *reg, uint32_t index, uint32_t value) {
    struct pbdma_fifo *fifo = unit;
    struct bus *bus = fifo->base.bus;
    (void)reg, (void)index;
    bool on = (value & PFIFO_BAR1_ENABLE) != 0;
    bus->bars->userd = (uint64_t)(value & PFIFO_BAR1_ADDRESS) << 12;
    bus->bars->userd_bytes = on ? (uint64_t)fifo->channel_count * fifo->base.chip->userd_stride : 0;
}
