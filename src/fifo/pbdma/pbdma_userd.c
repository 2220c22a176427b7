/* SPDX-License-Identifier: MIT */
/*
 * USERD: what a channel's owner and PFIFO tell each other, 512 bytes of memory per channel.
 *
 * UNKNOWN: what a write to another field than GP_PUT does on a GPFIFO channel. Chosen: plain storage.
 */
#include "fifo/pbdma/pbdma.h"
#include "hw/userd.h"

/* What is written back, and where. */
static const struct {
    uint16_t offset;
    uint16_t word;
} writeback[] = {
    {NV_USERD_PUT, R_PUT},
    {NV_USERD_GET, R_GET},
    {NV_USERD_REF, R_REF},
    {NV_USERD_PUT_HI, R_PUT_HI},
    {NV_USERD_TOP_LEVEL_GET, R_TOP_GET},
    {NV_USERD_TOP_LEVEL_GET_HI, R_TOP_GET_HI},
    {NV_USERD_GET_HI, R_GET_HI},
    {NV_USERD_GP_GET, R_GP_GET},
};

#define WRITEBACK_COUNT (sizeof writeback / sizeof writeback[0])

/* USERD[1:0]: 0 VRAM, 2 and 3 system memory. */
uint64_t pbdma_userd(const struct pbdma_fifo *fifo, uint32_t low, uint32_t high, enum memory_target *target) {
    *target = low & 2 ? MEMORY_SYSTEM : low & 1 ? MEMORY_PEER : MEMORY_VRAM;
    return (low & ~(fifo->base.chip->userd_stride - 1)) | (uint64_t)(high & 0xff) << 32;
}

uint32_t pbdma_read_gp_put(struct pbdma *pbdma) {
    enum memory_target target;
    uint64_t userd = pbdma_userd(pbdma->fifo, pbdma->regs[R_USERD], pbdma->regs[R_USERD_HI], &target);
    return memory_physical_rd32(pbdma_memory(pbdma), target, userd + NV_USERD_GP_PUT);
}

void pbdma_write_userd(struct pbdma *pbdma) {
    enum memory_target target;
    uint64_t userd = pbdma_userd(pbdma->fifo, pbdma->regs[R_USERD], pbdma->regs[R_USERD_HI], &target);
    for (size_t i = 0; i < WRITEBACK_COUNT; i++)
        memory_physical_wr32(pbdma_memory(pbdma), target, userd + writeback[i].offset, pbdma->regs[writeback[i].word]);
}

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
    *address = pbdma_userd(fifo, low, high, target) + offset % stride;
    return channel;
}

void pbdma_userd_write(void *host, uint64_t offset, uint32_t value) {
    struct pbdma_fifo *fifo = host;
    enum memory_target target;
    uint64_t address;
    if (bar1_channel(fifo, offset, &target, &address))
        memory_physical_wr32(fifo->base.memory, target, address, value);
}

/* A channel on a PBDMA answers from there, memory has what was written back last. */
uint32_t pbdma_userd_read(void *host, uint64_t offset) {
    struct pbdma_fifo *fifo = host;
    enum memory_target target;
    uint64_t address;
    pbdma_sync(fifo);
    const struct pbdma_channel *channel = bar1_channel(fifo, offset, &target, &address);
    if (!channel)
        return 0;
    for (size_t i = 0; channel->on && i < WRITEBACK_COUNT; i++)
        if (offset % fifo->base.chip->userd_stride == writeback[i].offset)
            return channel->on->regs[writeback[i].word];
    return memory_physical_rd32(fifo->base.memory, target, address);
}

void pbdma_bar1_base(void *unit, const struct reg *reg, uint32_t index, uint32_t value) {
    struct pbdma_fifo *fifo = unit;
    struct bus *bus = fifo->base.bus;
    (void)reg, (void)index;
    bool on = (value & PFIFO_BAR1_ENABLE) != 0;
    bus->bars.userd = (uint64_t)(value & PFIFO_BAR1_ADDRESS) << 12;
    bus->bars.userd_bytes = on ? (uint64_t)fifo->channel_count * fifo->base.chip->userd_stride : 0;
}
