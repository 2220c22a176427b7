/* SPDX-License-Identifier: MIT */
/*
 * The switcher: saves the channel in CACHE1 to RAMFC and loads another one.
 */
#include "fifo/cache/cache.h"

#define SLICE_SELECT  0x1ffffu
#define SLICE_TIMEOUT (1u << 24)
#define TLB_TAG_VALID 1u

static uint32_t *register_at(struct cache_fifo *c, const struct ramfc_row *row) {
    return (uint32_t *)(void *)((uint8_t *)&c->r + row->at);
}

static bool in_dma_mode(const struct cache_fifo *c) {
    return (c->r.push1 & c->family->mode_bit) != 0;
}

static uint32_t timeslice(const struct cache_fifo *c) {
    return in_dma_mode(c) || c->family->one_timeslice ? c->r.dma_timeslice : c->r.pio_timeslice;
}

void switcher_start_slice(struct cache_fifo *c) {
    uint32_t reg = timeslice(c);
    c->slice = reg & SLICE_TIMEOUT ? ((reg & SLICE_SELECT) + UINT64_C(1)) * c->family->slice_units : UINT64_MAX;
    c->r.timeslice = reg & SLICE_SELECT;
}

/* From G80 on YIELD ends the timeslice, also for those who want to come in later; before it counts for now only. */
void switcher_yield(struct cache_fifo *c) {
    c->yield = true;
    if (c->base.chip->has_ib)
        c->slice = 0;
}

/* The timer counts down, and one step below 0 it is all ones, and stays there. */
uint32_t switcher_read_timeslice(void *unit, const struct reg *reg, uint32_t index) {
    const struct cache_fifo *c = unit;
    (void)index;
    if (c->slice == UINT64_MAX)
        return c->r.timeslice & reg->readable;
    uint64_t units = c->family->slice_units;
    return (uint32_t)((c->slice + units - 1) / units - 1) & reg->readable;
}

void switcher_write_timeslice(void *unit, const struct reg *reg, uint32_t index, uint32_t value) {
    struct cache_fifo *c = unit;
    (void)index;
    value &= reg->writable;
    c->r.timeslice = value;
    if (value == reg->writable)
        c->slice = 0;
    else
        c->slice = timeslice(c) & SLICE_TIMEOUT ? (value + UINT64_C(1)) * c->family->slice_units : UINT64_MAX;
}

/* How many bytes of RAMFC this chip has in use. */
static uint32_t ramfc_bytes(const struct cache_fifo *c) {
    return c->family->ramfc_bytes ? c->family->ramfc_bytes(c) : UINT32_MAX;
}

/* Fields of one RAMFC word lie in consecutive rows: gather them, write the word once. */
void switcher_save(struct cache_fifo *c) {
    c->base.memory->watch.begin = c->base.memory->watch.end = NULL; /* what is saved now is not the GPU's own writing */
    uint32_t channel = cache_channel(c);
    event_send(c->base.events, EVENT_SWITCH_SAVE, channel, NULL, c->family->ramfc_address(c, channel));
    bool work = cache_channel_busy(c);
    c->r.cache_count = cache_used(c);
    c->family->save_entries(c, channel);
    uint32_t end = ramfc_bytes(c);
    for (size_t i = 0; i < c->family->ramfc_rows && c->family->ramfc[i].offset < end;) {
        uint32_t offset = c->family->ramfc[i].offset;
        uint32_t word = c->family->ramfc_rd32(c, channel, offset);
        for (; i < c->family->ramfc_rows && c->family->ramfc[i].offset == offset; i++) {
            const struct ramfc_row *row = &c->family->ramfc[i];
            uint32_t mask = ramfc_mask(row->bits) << row->low;
            word = (word & ~mask) | ((*register_at(c, row) >> row->reg_low) << row->low & mask);
        }
        c->family->ramfc_wr32(c, channel, offset, word);
    }
    if (c->family->left)
        c->family->left(c, channel, work);
}

static void load_registers(struct cache_fifo *c, uint32_t channel) {
    uint32_t end = ramfc_bytes(c);
    for (size_t i = 0; i < c->family->ramfc_rows && c->family->ramfc[i].offset < end; i++) {
        const struct ramfc_row *row = &c->family->ramfc[i];
        uint32_t mask = ramfc_mask(row->bits);
        uint32_t value = c->family->ramfc_rd32(c, channel, row->offset) >> row->low & mask;
        uint32_t *reg = register_at(c, row);
        *reg = (*reg & ~(mask << row->reg_low)) | (value << row->reg_low & c->ramfc_valid[i]);
    }
}

static void set_channel(struct cache_fifo *c, uint32_t channel) {
    bool dma = !c->family->dma_mode || c->family->dma_mode(c, channel);
    c->r.push1 = channel | (dma ? c->family->mode_bit : 0);
    if (c->family->next_mode_bit)
        c->r.next_channel = channel | (dma ? c->family->next_mode_bit : 0);
}

void switcher_load(struct cache_fifo *c, uint32_t channel) {
    set_channel(c, channel);
    load_registers(c, channel);
    /* A loaded channel fetches at once, whatever the last one left in DMA_PUSH (drivers rely on it). */
    c->r.dma_push = (c->r.dma_push & ~(DMA_PUSH_SUSPENDED | DMA_PUSH_ACQUIRE)) | PUSH_ACCESS;
    if (cache_acquires(c))
        c->r.dma_push |= c->family->pauses_at_acquire ? DMA_PUSH_ACQUIRE : 0;
    if (c->r.dma_state & STATE_ERROR)
        c->r.dma_push |= DMA_PUSH_SUSPENDED;
    c->r.dma_ctl &= ~DMA_CTL_VALID;
    c->r.tlb_tag &= ~TLB_TAG_VALID;
    c->announced = c->pinned = c->yield = false;
    cache_forget_channel(c);
    c->family->open_channel(c);
    c->context_valid = true;
    c->family->load_entries(c, channel);
    switcher_start_slice(c);
    event_send(c->base.events, EVENT_SWITCH_LOAD, channel, NULL, c->family->ramfc_address(c, channel));
}

/* A channel in trouble stays until its driver has looked at it. */
bool switcher_may_leave(const struct cache_fifo *c) {
    if (!(c->r.caches & CACHES_REASSIGN) || !(c->r.push0 & PUSH_ACCESS))
        return false;
    if (!(c->r.pull0 & PULL_ACCESS) || (c->r.intr & INTR_DMA_PUSHER))
        return false;
    return cache_empty(c) || c->base.chip->has_switch_any_time;
}

void switcher_switch(struct cache_fifo *c, uint32_t channel) {
    switcher_save(c);
    switcher_load(c, channel);
}

bool switcher_try(struct cache_fifo *c) {
    if (!switcher_may_leave(c) || c->idle_switches >= c->base.chip->channels)
        return false;
    uint32_t next = c->family->next_channel(c);
    if (next == UINT32_MAX || next == cache_channel(c))
        return false;
    c->idle_switches++;
    switcher_switch(c, next);
    return true;
}
