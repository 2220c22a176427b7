/* SPDX-License-Identifier: MIT */
/* Actions of PFIFO registers that families share. */
#include "fifo/cache/cache.h"
#include "fifo/cache/pusher.h"
#include "fifo/cache/queue.h"

#define STATUS_RANOUT (1u << 0)
#define STATUS_EMPTY  (1u << 4)
#define STATUS_FULL   (1u << 8)
#define DMA_PUSH_BUSY (1u << 4)
#define DMA_PUSH_DRY  (1u << 8) /* the prefetch buffer is not modelled and always empty */

void cache_write_intr(void *unit, const struct reg *reg, uint32_t index, uint32_t value) {
    struct cache_fifo *c = unit;
    (void)reg, (void)index;
    c->r.intr &= ~value;
    if (value & INTR_CACHE_ERROR)
        c->r.debug_0 &= ~0x11u;
    cache_update_interrupt(c);
}

void cache_write_intr_en(void *unit, const struct reg *reg, uint32_t index, uint32_t value) {
    (void)reg, (void)index, (void)value;
    cache_update_interrupt(unit);
}

void cache_write_channel(void *unit, const struct reg *reg, uint32_t index, uint32_t value) {
    (void)reg, (void)index, (void)value;
    cache_forget_channel(unit);
}

void cache_write_fetch(void *unit, const struct reg *reg, uint32_t index, uint32_t value) {
    struct cache_fifo *c = unit;
    (void)reg, (void)index, (void)value;
    c->pusher.is_open = false;
    c->pusher.span.bytes = 0;
}

/* DMA_GET or DMA_PUT changed: the current span of the pushbuffer may be another now. */
void cache_write_pointer(void *unit, const struct reg *reg, uint32_t index, uint32_t value) {
    (void)reg, (void)index, (void)value;
    ((struct cache_fifo *)unit)->pusher.span.bytes = 0;
}

/* A driver that moves GET has finished with the entry there. */
void cache_write_get(void *unit, const struct reg *reg, uint32_t index, uint32_t value) {
    (void)reg, (void)index, (void)value;
    struct cache_fifo *c = unit;
    c->puller.announced = c->puller.again = false;
}

/* STATUS, and STATUS1 of NV4, which has one of its bits. */
uint32_t cache_read_status(void *unit, const struct reg *reg, uint32_t index) {
    const struct cache_fifo *c = unit;
    (void)index;
    uint32_t status = (cache_empty(c) ? STATUS_EMPTY : 0) | (cache_full(c) ? STATUS_FULL : 0);
    return (status | (c->r.ranout ? STATUS_RANOUT : 0)) & reg->readable;
}

uint32_t cache_read_dma_push(void *unit, const struct reg *reg, uint32_t index) {
    struct cache_fifo *c = unit;
    (void)reg, (void)index;
    bool busy =
        c->family->pusher->can_fetch(c); /* this may end the wait for an acquire, which is a bit of the register */
    return c->r.dma_push | DMA_PUSH_DRY | (busy ? DMA_PUSH_BUSY : 0);
}

uint32_t cache_read_three(void *unit, const struct reg *reg, uint32_t index) {
    (void)unit, (void)reg, (void)index;
    return 3;
}

/* The entries as words, method and data alternating; slots beyond the real entries repeat them. */
uint32_t cache_read_entry(void *unit, const struct reg *reg, uint32_t index) {
    struct cache_fifo *c = unit;
    const struct cache_entry entry = cache_at(c, index >> 1 << 2);
    (void)reg;
    return index & 1 ? entry.data : entry.method;
}

void cache_write_entry(void *unit, const struct reg *reg, uint32_t index, uint32_t value) {
    struct cache_fifo *c = unit;
    uint32_t slot = cache_slot(c, index >> 1 << 2);
    (void)reg;
    if (index & 1)
        c->slot.data[slot] = value;
    else
        c->slot.method[slot] = value & (c->base.chip->has_nonincreasing ? 0xfffdu : 0xfffcu);
}

void cache_reset(struct cache_fifo *c) {
    memset(&c->r, 0, sizeof c->r);
    memset(&c->slot, 0, sizeof c->slot);
    bus_reset_table(&c->table, c);
    c->r.timeslice = TIMESLICE_AT_RESET;
    c->slice.units = UINT64_MAX;
    c->puller.announced = c->puller.again = c->puller.again_cache0 = c->slice.yield = c->pusher.pinned = false;
    cache_forget_channel(c);
    cache_update_interrupt(c);
}
