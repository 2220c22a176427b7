/* SPDX-License-Identifier: MIT */
/*
 * PCCSR: two words per channel at 0x800000. The instance block and BIND; ENABLE, runlist, and where the channel is.
 *
 * It ends with the last channel: 128 on GK20A, 512 on GM20B and GP10B [doc: nvgpu hw_ccsr_*.h], 4096 on GV100.
 * UNKNOWN: GK208, GM107 and GM108. Chosen: the 1024 and 2048 that nouveau uses.
 * UNKNOWN: how the fault bits are cleared. Chosen: by writing them as one, and by binding.
 * UNKNOWN: how long a channel stays ON_ENG. Chosen: not longer than on its PBDMA.
 * UNKNOWN: what FORCE_CTX_RELOAD does beside showing in STATUS: a channel is always loaded from memory here.
 * UNKNOWN: ENABLE_SET and ENABLE_CLR in one write. Chosen: the channel is disabled. NEXT reads as 0.
 *
 * Sources: NVIDIA open-gpu-doc manuals/volta/gv100/dev_fifo.ref.txt; envytools rnndb/fifo/gf100_pfifo.xml; nouveau
 * nvkm/engine/fifo/gk104.c, gpfifogk104.c.
 */
#include "fifo/runlist/gk104.h"
#include "fifo/runlist/channel.h"
#include "hw/pccsr.h"

enum {
    STATUS_IDLE = 0x0,
    STATUS_PENDING = 0x1,
    STATUS_PENDING_CTX_RELOAD = 0x2,
    STATUS_PENDING_ACQUIRE = 0x3,
    STATUS_PENDING_ACQ_CTX_RELOAD = 0x4,
    STATUS_ON_PBDMA = 0x5,
    STATUS_ON_PBDMA_AND_ENG = 0x6,
    STATUS_ON_PBDMA_CTX_RELOAD = 0xa,
    STATUS_ON_PBDMA_AND_ENG_CTX_RELOAD = 0xb,
};

static struct pbdma_channel *pccsr_table_channel(void *unit, uint32_t offset) {
    struct gk104_fifo *f = unit;
    return &f->p.channels[offset / 8];
}

uint32_t gk104_channel_runlist(const struct pbdma_channel *channel) {
    return (channel->status & PCCSR_CHANNEL_RUNLIST) >> 16;
}

static bool pccsr_on_engine(const struct gk104_fifo *f, const struct pbdma_channel *channel) {
    for (unsigned i = 0; i < CHIP_MAX_ENGINES; i++)
        if (f->p.base.engines[i].ops && f->p.base.engines[i].channel == channel->context.id)
            return true;
    return false;
}

static uint32_t pccsr_channel_status(struct gk104_fifo *f, const struct pbdma_channel *channel) {
    bool reload = channel->reload;
    if (channel->on && pccsr_on_engine(f, channel))
        return reload ? STATUS_ON_PBDMA_AND_ENG_CTX_RELOAD : STATUS_ON_PBDMA_AND_ENG;
    if (channel->on)
        return reload ? STATUS_ON_PBDMA_CTX_RELOAD : STATUS_ON_PBDMA;
    if (!channel_has_work(&f->p, channel))
        return STATUS_IDLE;
    if (channel_saved_acquire(&f->p, channel))
        return reload ? STATUS_PENDING_ACQ_CTX_RELOAD : STATUS_PENDING_ACQUIRE;
    return reload ? STATUS_PENDING_CTX_RELOAD : STATUS_PENDING;
}

static uint32_t pccsr_table_read(void *unit, uint32_t offset) {
    struct gk104_fifo *f = unit;
    const struct pbdma_channel *channel = pccsr_table_channel(unit, offset);
    if (!(offset & 4))
        return channel->instance;
    uint32_t status = pccsr_channel_status(f, channel);
    return (channel->enabled ? PCCSR_CHANNEL_ENABLE : 0) | (channel->status & PCCSR_CHANNEL_RUNLIST) |
           (channel->faulted & PBDMA_FAULTED ? PCCSR_CHANNEL_PBDMA_BAD : 0) |
           (channel->faulted & ENGINE_FAULTED ? PCCSR_CHANNEL_ENG_BAD : 0) | status << PCCSR_CHANNEL_STATUS |
           (status != STATUS_IDLE ? PCCSR_CHANNEL_BUSY : 0);
}

static void pccsr_table_write(void *unit, uint32_t offset, uint32_t value) {
    struct gk104_fifo *f = unit;
    struct pbdma_channel *channel = pccsr_table_channel(unit, offset);
    if (!(offset & 4)) {
        channel_bind(&f->p, channel, value, (value & PCCSR_INST_BIND) != 0);
        return;
    }
    channel->status = value & PCCSR_CHANNEL_RUNLIST;
    channel->reload |= (value & PCCSR_CHANNEL_FORCE_RELOAD) != 0;
    if (value & PCCSR_CHANNEL_CLEAR)
        channel->enabled = false;
    else if (value & PCCSR_CHANNEL_SET)
        channel->enabled = true;
    if (value & PCCSR_CHANNEL_PBDMA_BAD)
        channel->faulted &= (uint8_t)~PBDMA_FAULTED;
    if (value & PCCSR_CHANNEL_ENG_BAD)
        channel->faulted &= (uint8_t)~ENGINE_FAULTED;
}

static const struct window_word words[] = {
    {0, "CHANNEL_INST", ~0u, ~0u, .fields = "ADDRESS 27:0, TARGET 29:28, BIND 31"},
    {4, "CHANNEL", 0x1fcf0001, PCCSR_CHANNEL_RUNLIST,
     .fields = "ENABLE 0, RUNLIST 19:16, PBDMA_FAULTED 22, ENG_FAULTED 23, STATUS 27:24, BUSY 28"},
};

const struct window gk104_channel_table = {.name = "PCCSR",
                                           .base = NV_PCCSR_CHANNEL_INST,
                                           .read = pccsr_table_read,
                                           .write = pccsr_table_write,
                                           .unit = "PCCSR",
                                           .words = words,
                                           .word_count = sizeof words / sizeof words[0],
                                           .stride = 8};
