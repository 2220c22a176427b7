/* SPDX-License-Identifier: MIT */
/*
 * The switcher: saves the channel in CACHE1 to RAMFC and loads another one.
 */
#include "fifo/cache/switcher.h"

#include "fifo/cache/host.h"
#include "fifo/cache/pusher.h"
#include "fifo/cache/queue.h"
#include "fifo/cache/ramfc.h"

#define SLICE_SELECT  0x1ffffu
#define SLICE_TIMEOUT (1u << 24)
#define TLB_TAG_VALID 1u

/* ---- of families that do not have the part ---- */

uint32_t switcher_no_channel(struct cache_fifo *c) {
    (void)c;
    return UINT32_MAX;
}

bool switcher_never_dma(const struct cache_fifo *c, uint32_t channel) {
    (void)c, (void)channel;
    return false;
}

void switcher_begin_nothing(struct cache_fifo *c) {
    (void)c;
}

void switcher_forget_left(struct cache_fifo *c, uint32_t channel, bool has_work) {
    (void)c, (void)channel, (void)has_work;
}

/* ---- timeslices ---- */

static uint32_t *register_at(struct cache_regs *r, const struct ramfc_row *row) {
    return (uint32_t *)(void *)((uint8_t *)r + row->at);
}

static bool switcher_in_dma_mode(const struct cache_fifo *c) {
    return (c->r.push1 & c->family->switcher->mode_bit) != 0;
}

static uint32_t switcher_timeslice(const struct cache_fifo *c) {
    return switcher_in_dma_mode(c) || c->family->switcher->one_timeslice ? c->r.dma_timeslice : c->r.pio_timeslice;
}

void switcher_start_slice(struct cache_fifo *c) {
    uint32_t reg = switcher_timeslice(c);
    c->slice.units =
        reg & SLICE_TIMEOUT ? ((reg & SLICE_SELECT) + UINT64_C(1)) * c->family->switcher->slice_units : UINT64_MAX;
    c->r.timeslice = reg & SLICE_SELECT;
}

void switcher_yield(struct cache_fifo *c) {
    c->slice.yield = true;
    if (c->family->switcher->yield_ends_slice)
        c->slice.units = 0;
}

/* The timer counts down; one step below 0 it becomes all ones and stays there. */
uint32_t switcher_read_timeslice(void *unit, const struct reg *reg, uint32_t index) {
    const struct cache_fifo *c = unit;
    (void)index;
    if (c->slice.units == UINT64_MAX)
        return c->r.timeslice & reg->readable;
    uint64_t units = c->family->switcher->slice_units;
    return (uint32_t)((c->slice.units + units - 1) / units - 1) & reg->readable;
}

void switcher_write_timeslice(void *unit, const struct reg *reg, uint32_t index, uint32_t value) {
    struct cache_fifo *c = unit;
    (void)index;
    value &= reg->writable;
    c->r.timeslice = value;
    if (value == reg->writable)
        c->slice.units = 0;
    else
        c->slice.units = switcher_timeslice(c) & SLICE_TIMEOUT
                             ? (value + UINT64_C(1)) * c->family->switcher->slice_units
                             : UINT64_MAX;
}

uint32_t ramfc_all_bytes(const struct cache_fifo *c) {
    (void)c;
    return UINT32_MAX;
}

/* Fields of one RAMFC word are in consecutive rows: gather them, write the word once. */
void switcher_save(struct cache_fifo *c) {
    c->base.memory->watch.begin = c->base.memory->watch.end = NULL; /* these writes are not the GPU's own */
    uint32_t channel = cache_channel(c);
    event_send(c->base.events, EVENT_SWITCH_SAVE, channel, NULL, c->family->ramfc->address(c, channel));
    bool work = cache_channel_busy(c);
    c->r.cache_count = cache_used(c);
    c->family->ramfc->save_entries(c, channel);
    uint32_t end = c->family->ramfc->bytes(c);
    for (size_t i = 0; i < c->family->ramfc->count && c->family->ramfc->rows[i].offset < end;) {
        uint32_t offset = c->family->ramfc->rows[i].offset;
        uint32_t word = c->family->ramfc->rd32(c, channel, offset);
        for (; i < c->family->ramfc->count && c->family->ramfc->rows[i].offset == offset; i++) {
            const struct ramfc_row *row = &c->family->ramfc->rows[i];
            uint32_t mask = ramfc_mask(row->bits) << row->low;
            word = (word & ~mask) | ((*register_at(&c->r, row) >> row->reg_low) << row->low & mask);
        }
        c->family->ramfc->wr32(c, channel, offset, word);
    }
    c->family->switcher->left(c, channel, work);
}

void switcher_read_registers(struct cache_fifo *c, uint32_t channel, struct cache_regs *r) {
    uint32_t end = c->family->ramfc->bytes(c);
    for (size_t i = 0; i < c->family->ramfc->count && c->family->ramfc->rows[i].offset < end; i++) {
        const struct ramfc_row *row = &c->family->ramfc->rows[i];
        uint32_t mask = ramfc_mask(row->bits);
        uint32_t value = c->family->ramfc->rd32(c, channel, row->offset) >> row->low & mask;
        uint32_t *reg = register_at(r, row);
        *reg = (*reg & ~(mask << row->reg_low)) | (value << row->reg_low & c->ramfc_valid[i]);
    }
}

static void switcher_set_channel(struct cache_fifo *c, uint32_t channel) {
    bool dma = c->family->switcher->dma_mode(c, channel);
    c->r.push1 = channel | (dma ? c->family->switcher->mode_bit : 0);
    if (c->family->switcher->next_mode_bit)
        c->r.next_channel = channel | (dma ? c->family->switcher->next_mode_bit : 0);
}

void switcher_load(struct cache_fifo *c, uint32_t channel) {
    switcher_set_channel(c, channel);
    switcher_read_registers(c, channel, &c->r);
    /* A loaded channel fetches at once, regardless of DMA_PUSH of the last one (drivers rely on it). */
    c->r.dma_push = (c->r.dma_push & ~(DMA_PUSH_SUSPENDED | DMA_PUSH_ACQUIRE)) | PUSH_ACCESS;
    if (host_acquires(c))
        c->r.dma_push |= c->family->pushbuffer->pauses_at_acquire ? DMA_PUSH_ACQUIRE : 0;
    if (c->r.dma_state & STATE_ERROR)
        c->r.dma_push |= DMA_PUSH_SUSPENDED;
    c->r.dma_ctl &= ~DMA_CTL_VALID;
    c->r.tlb_tag &= ~TLB_TAG_VALID;
    c->puller.announced = c->pusher.pinned = c->slice.yield = false;
    cache_forget_channel(c);
    c->family->switcher->open_channel(c);
    c->context_valid = true;
    c->family->ramfc->load_entries(c, channel);
    switcher_start_slice(c);
    event_send(c->base.events, EVENT_SWITCH_LOAD, channel, NULL, c->family->ramfc->address(c, channel));
}

/* A channel with an error stays until its driver has handled it. */
bool switcher_may_leave(const struct cache_fifo *c) {
    if (!(c->r.caches & CACHES_REASSIGN) || !(c->r.push0 & PUSH_ACCESS))
        return false;
    if (!(c->r.pull0 & PULL_ACCESS) || (c->r.intr & INTR_DMA_PUSHER))
        return false;
    return cache_empty(c) || c->base.chip->has_switch_any_time;
}

/* Has it a subchannel that is bound to an engine? RAMFC says so, or CACHE1. */
static bool is_bound(struct cache_fifo *c, uint32_t channel) {
    const struct ramfc_ops *ramfc = c->family->ramfc;

    if (channel == cache_channel(c) && c->r.engine)
        return true;
    for (size_t i = 0; i < ramfc->count; i++)
        if (ramfc->rows[i].at == offsetof(struct cache_regs, engine))
            return ramfc->rd32(c, channel, ramfc->rows[i].offset);
    return false;
}

void switcher_channel_comes(struct cache_fifo *c, uint32_t channel) {
    if (!is_bound(c, channel))
        fifo_channel_gone(&c->base, channel);
}

void switcher_switch(struct cache_fifo *c, uint32_t channel) {
    switcher_save(c);
    switcher_load(c, channel);
}

bool switcher_try(struct cache_fifo *c) {
    if (!switcher_may_leave(c) || c->slice.idle_switches >= c->base.chip->channels)
        return false;
    uint32_t next = c->family->switcher->next_channel(c);
    if (next == UINT32_MAX || next == cache_channel(c))
        return false;
    c->slice.idle_switches++;
    switcher_switch(c, next);
    return true;
}
