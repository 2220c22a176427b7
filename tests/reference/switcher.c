/* SPDX-License-Identifier: MIT */
/*
 * Channels that are not in CACHE1, before G80: RAMFC, the choice of the next one. Timeslices, and when to switch, on
 * all chips.
 *
 * Sources: nouveau engine/fifo/nv04.c, nv10.c, nv17.c, nv40.c (layouts of RAMFC); envytools docs/hw/fifo/intro.rst and
 * rnndb/fifo/nv4_pfifo.xml. UNKNOWN: the order of channels; chosen: the next higher number that has work.
 */
#include "state.h"

#define COUNT_OF(a) (sizeof(a) / sizeof((a)[0]))
#define NOBODY      UINT32_MAX
#define LARGE       0x10000u /* RAMFC */
#define SELECT      0x1ffffu /* DMA_TIMESLICE, PIO_TIMESLICE */
#define TIMEOUT     0x01000000u

/* ---- RAMFC ---- */

/* Bits low .. low + bits - 1 of a word of RAMFC are bits from .. of a register. */
struct field {
    enum reference_place from, until;
    uint32_t offset;
    unsigned low, bits;
    uint32_t reg;
    unsigned reg_low;
};

static const struct field fields[] = {
    {NV4, G80, 0x00, 0, 32, DMA_PUT, 0},
    {NV4, G80, 0x04, 0, 32, DMA_GET, 0},

    {NV4, NV10, 0x08, 0, 16, DMA_INSTANCE, 0},
    {NV4, NV10, 0x08, 16, 16, DCOUNT, 0},
    {NV4, NV10, 0x0c, 0, 32, DMA_STATE, 0},
    {NV4, NV10, 0x10, 0, 32, DMA_FETCH, 0},
    {NV4, NV10, 0x14, 0, 32, ENGINE, 0},
    {NV4, NV10, 0x18, 0, 32, PULL1, 0},

    {NV10, G80, 0x08, 0, 32, REF, 0},
    {NV10, NV40, 0x0c, 0, 16, DMA_INSTANCE, 0},
    {NV10, NV40, 0x0c, 16, 16, DCOUNT, 0},
    {NV10, NV40, 0x10, 0, 32, DMA_STATE, 0},
    {NV10, NV40, 0x14, 0, 32, DMA_FETCH, 0},
    {NV10, NV40, 0x18, 0, 32, ENGINE, 0},
    {NV10, NV40, 0x1c, 0, 32, PULL1, 0},
    {NV1A, NV40, 0x20, 0, 32, ACQUIRE_VALUE, 0},
    {NV1A, NV40, 0x24, 0, 32, ACQUIRE_TIMESTAMP, 0},
    {NV1A, NV40, 0x28, 0, 32, ACQUIRE_TIMEOUT, 0},
    {NV1A, NV40, 0x2c, 0, 32, SEMAPHORE, 0},
    {NV1A, NV40, 0x30, 0, 32, SUBROUTINE, 0},

    {NV40, G80, 0x0c, 0, 32, DMA_INSTANCE, 0},
    {NV40, G80, 0x10, 0, 32, DCOUNT, 0},
    {NV40, G80, 0x14, 0, 32, DMA_STATE, 0},
    {NV40, G80, 0x18, 0, 28, DMA_FETCH, 0},
    {NV40, G80, 0x18, 28, 2, SLI, 28},
    {NV40, G80, 0x18, 30, 2, DMA_FETCH, 30}, /* UNKNOWN: where the byte order is kept; chosen: here */
    {NV40, G80, 0x1c, 0, 32, ENGINE, 0},
    {NV40, G80, 0x20, 0, 32, PULL1, 0},
    {NV40, G80, 0x24, 0, 32, ACQUIRE_VALUE, 0},
    {NV40, G80, 0x28, 0, 32, ACQUIRE_TIMESTAMP, 0},
    {NV40, G80, 0x2c, 0, 32, ACQUIRE_TIMEOUT, 0},
    {NV40, G80, 0x30, 0, 32, SEMAPHORE, 0},
    {NV40, G80, 0x34, 0, 32, SUBROUTINE, 0},
    {NV40, G80, 0x38, 0, 32, GRCTX_INST, 0},
    {NV40, G80, 0x3c, 0, 17, DMA_TIMESLICE, 0},
    {NV40, G80, 0x40, 0, 32, 0x32e4, 0},
    {NV40, G80, 0x44, 0, 32, 0x32e8, 0},
    {NV40, G80, 0x4c, 0, 32, 0x2088, 0},
    {NV40, G80, 0x50, 0, 32, 0x3300, 0},
    {NV41, G80, 0x54, 0, 32, 0x330c, 0},
    {NV41, G80, 0x58, 0, 32, 0x3310, 0}, /* UNKNOWN: where these two are; chosen: 0x58 and 0x5c */
    {NV41, G80, 0x5c, 0, 32, 0x3314, 0},
};

static bool has_large_ramfc(const struct reference *r) {
    return since(r, NV1A) && (value_of(r, RAMFC) & LARGE);
}

/* Before NV40. The second half of a small entry is in a table of its own from NV17 on, and nowhere before. */
static uint64_t nv4_ramfc_place(const struct reference *r, uint32_t channel, uint32_t offset) {
    uint32_t ramfc = value_of(r, RAMFC), base = (ramfc & 0x1fe) << 8;
    if (has_large_ramfc(r))
        return ref_ramin_place(r, base + channel * 64 + offset);
    if (offset < 0x20)
        return ref_ramin_place(r, base + channel * 32 + offset);
    return ref_ramin_place(r, ((ramfc >> 17 & 0x7f) << 10) + channel * 32 + offset - 0x20);
}

static uint64_t nv40_ramfc_place(const struct reference *r, uint32_t channel, uint32_t offset) {
    uint32_t ramfc = value_of(r, RAMFC_NV40);
    uint64_t at = ((uint64_t)(ramfc & (since(r, NV44) ? 0x1fff : 0xff)) << 16) + channel * 128 + offset;
    bool in_vram = since(r, NV44) && !(value_of(r, RAMFC_SELECT) & 1);
    return in_vram ? at : ref_ramin_place(r, at);
}

uint64_t ref_ramfc_place(const struct reference *r, uint32_t channel, uint32_t offset) {
    return since(r, NV40) ? nv40_ramfc_place(r, channel, offset) : nv4_ramfc_place(r, channel, offset);
}

uint32_t ref_ramfc_rd32(const struct reference *r, uint32_t channel, uint32_t offset) {
    return reference_memory_rd32(r, REFERENCE_VRAM, ref_ramfc_place(r, channel, offset));
}

void ref_ramfc_wr32(struct reference *r, uint32_t channel, uint32_t offset, uint32_t value) {
    reference_memory_wr32(r, REFERENCE_VRAM, ref_ramfc_place(r, channel, offset), value);
}

static bool is_saved(const struct reference *r, const struct field *f) {
    if (!since(r, f->from) || since(r, f->until))
        return false;
    return f->offset < 0x20 || since(r, NV17) || has_large_ramfc(r);
}

static uint32_t ones(unsigned bits) {
    return bits < 32 ? (1u << bits) - 1 : 0xffffffff;
}

/* ---- save and load ---- */

static void save_entries(struct reference *r, uint32_t channel) {
    struct reference_saved *saved = &r->saved[channel % 32];
    for (saved->count = 0; ref_cache_used(r) != 0; saved->count++) {
        saved->entry[saved->count] = *ref_cache_entry(r, value_of(r, GET));
        ref_advance(r, GET);
    }
}

static void load_entries(struct reference *r, uint32_t channel) {
    struct reference_saved *saved = &r->saved[channel % 32];
    for (uint32_t i = 0; i < saved->count; i++)
        ref_cache_push(r, saved->entry[i].method, saved->entry[i].data);
    saved->count = 0;
}

static void set_pending(struct reference *r, uint32_t channel, bool pending) {
    if (channel < ref_channels(r))
        *reg(r, DMA_PENDING) = (value_of(r, DMA_PENDING) & ~(1u << channel)) | (uint32_t)pending << channel;
}

static void save(struct reference *r) {
    uint32_t channel = ref_channel(r);
    set_pending(r, channel, ref_has_work(r));
    save_entries(r, channel);
    for (size_t i = 0; i < COUNT_OF(fields); i++) {
        const struct field *f = &fields[i];
        if (!is_saved(r, f))
            continue;
        uint32_t word = ref_ramfc_rd32(r, channel, f->offset), mask = ones(f->bits) << f->low;
        ref_ramfc_wr32(r, channel, f->offset, (word & ~mask) | (value_of(r, f->reg) >> f->reg_low << f->low & mask));
    }
}

/* Of the channel that is in CACHE1. */
static uint32_t slice_register(const struct reference *r) {
    if (since(r, G80))
        return value_of(r, DMA_TIMESLICE);
    return value_of(r, value_of(r, PUSH1) & ref_mode_bit(r) ? DMA_TIMESLICE : PIO_TIMESLICE);
}

static void load(struct reference *r, uint32_t channel) {
    bool dma = channel >= ref_channels(r) || (value_of(r, MODE) >> channel & 1);
    *reg(r, PUSH1) = channel | (dma ? ref_mode_bit(r) : 0);
    for (size_t i = 0; i < COUNT_OF(fields); i++) {
        const struct field *f = &fields[i];
        if (!is_saved(r, f))
            continue;
        uint32_t value = ref_ramfc_rd32(r, channel, f->offset) >> f->low & ones(f->bits);
        uint32_t mask = ones(f->bits) << f->reg_low & ref_writable(r, f->reg);
        *reg(r, f->reg) = (value_of(r, f->reg) & ~mask) | (value << f->reg_low & mask);
    }
    load_entries(r, channel);
    *reg(r, DMA_PUSH) = (value_of(r, DMA_PUSH) & ~(PUSH_SUSPENDED | PUSH_ACQUIRE)) | 1;
    if (value_of(r, DMA_STATE) & ERROR_FIELD)
        *reg(r, DMA_PUSH) |= PUSH_SUSPENDED;
    if (value_of(r, PULL1) & ACQUIRE_ACTIVE)
        *reg(r, DMA_PUSH) |= PUSH_ACQUIRE;
    *reg(r, DMA_CTL) &= ~AT_INFO;
    *reg(r, TLB_TAG) &= ~1u;
    set_pending(r, channel, false);
    *reg(r, NEXT_CHANNEL) = channel | (dma ? (since(r, NV40) ? 0x200u : 0x100u) : 0);
    *reg(r, TIMESLICE) = slice_register(r) & SELECT;
    r->timer_counts = (slice_register(r) & TIMEOUT) != 0;
    r->timer_expired = false;
    r->announced[1] = r->stalled[1] = r->yield = false;
}

void ref_switch_to(struct reference *r, uint32_t channel) {
    if (since(r, G80)) {
        ref_g80_switch_to(r, channel);
        return;
    }
    save(r);
    load(r, channel);
}

/* ---- timeslices ---- */

static uint32_t timer_ones(const struct reference *r) {
    return ref_writable(r, TIMESLICE);
}

/* Units of work in a step of the timer. UNKNOWN on G80; chosen: 1024 ns. */
static uint32_t timer_step(const struct reference *r) {
    return since(r, G80) ? 64 : 1;
}

void ref_timer_set(struct reference *r, uint32_t value) {
    *reg(r, TIMESLICE) = value & timer_ones(r);
    r->timer_expired = value_of(r, TIMESLICE) == timer_ones(r);
    r->timer_counts = !r->timer_expired && (slice_register(r) & TIMEOUT);
    r->timer_part = 0;
}

/* From G80 on it ends the timeslice for good. */
void ref_yield(struct reference *r) {
    r->yield = true;
    if (since(r, G80))
        ref_timer_set(r, 0xffffffff);
}

/* A step below 0 is "expired": all ones. */
void ref_timer_count(struct reference *r, uint64_t units) {
    if (!r->timer_counts)
        return;
    uint64_t steps = (r->timer_part + units) / timer_step(r);
    r->timer_part = (r->timer_part + units) % timer_step(r);
    if (steps <= value_of(r, TIMESLICE)) {
        *reg(r, TIMESLICE) -= (uint32_t)steps;
        return;
    }
    *reg(r, TIMESLICE) = timer_ones(r);
    r->timer_counts = false;
    r->timer_expired = true;
}

/* ---- who is next ---- */

static uint32_t candidate(const struct reference *r) {
    if (since(r, G80))
        return ref_g80_candidate(r);
    uint32_t current = ref_channel(r), waiting = value_of(r, MODE);
    for (uint32_t channel = 0; channel < COUNT_OF(r->saved); channel++) /* PIO channels that left with entries */
        waiting |= (uint32_t)(r->saved[channel].count != 0) << channel;
    waiting &= value_of(r, DMA_PENDING);
    for (uint32_t n = 1; n <= ref_channels(r); n++) {
        uint32_t channel = (current + n) % ref_channels(r);
        if (channel != current && (waiting >> channel & 1))
            return channel;
    }
    return NOBODY;
}

bool ref_somebody_waits(const struct reference *r) {
    return candidate(r) != NOBODY;
}

/* A channel in trouble stays until its driver has looked at it. */
bool ref_may_leave(const struct reference *r) {
    if (!(value_of(r, CACHES) & 1) || !(value_of(r, PUSH0) & 1) || !(value_of(r, PULL0) & 1))
        return false;
    if (value_of(r, INTR) & DMA_PUSHER)
        return false;
    return ref_cache_used(r) == 0 || since(r, NV40);
}

bool ref_switch_when_idle(struct reference *r) {
    if (!ref_may_leave(r) || !ref_somebody_waits(r))
        return false;
    /* So that channels whose engines take nothing do not swap places forever. */
    if (r->switches >= ref_channels(r))
        return false;
    r->switches++;
    ref_switch_to(r, candidate(r));
    return true;
}

/* The timeslice is over, or the channel has said YIELD, which counts once. */
bool ref_switch_when_due(struct reference *r) {
    bool yields = r->yield, due = r->timer_expired || yields;
    r->yield = false;
    if (r->timer_expired && !yields && ref_somebody_waits(r) && ref_in_pinned_segment(r)) {
        ref_g80_start_slice(r);
        return false;
    }
    return due && ref_switch_when_idle(r);
}
