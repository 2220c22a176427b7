/* SPDX-License-Identifier: MIT */
/*
 * The PIO pusher: a write to USER becomes an entry of CACHE1, or of RAMRO with the reason why not.
 *
 *   USER + channel << 16 | subchannel << 13 | method     one access = a dword with byte lanes
 *
 * The rules and their order were verified on NV1; later chips add DMA channels and drop the rest. FREE may promise more
 * room than the next write finds: drivers know this, and read RAMRO.
 *
 * Sources: envytools hwtest/pfifo.cc, rnndb/fifo/nv1_pfifo.xml (RAMRO), docs/hw/fifo/nv1-pfifo.rst; Linux riva
 *          nv4ref.h.
 */
#include "fifo/cache/pio.h"

#include "fifo/cache/queue.h"
#include "fifo/cache/switcher.h"

#define ALL_LANES     0xfu
#define ROW           0x1ff0u
#define ROW_FREE      0x10u
#define ROW_PASSWORD  0x20u
#define HOST_METHODS  0x100u
#define PASSWORDS     0x18000u /* in VRAM */
#define ENTRY_IS_READ (1u << 23)

enum pio_reason {
    ILLEGAL_ACCESS,
    NO_CACHE_AVAILABLE,
    CACHE_RAN_OUT,
    FREE_COUNT_OVERRUN,
    CAUGHT_LYING,
    RESERVED_ACCESS,
    ACCEPTED,
};

static const char *const reason_names[] = {
    "ILLEGAL_ACCESS", "NO_CACHE_AVAILABLE", "CACHE_RAN_OUT", "FREE_COUNT_OVERRUN", "CAUGHT_LYING", "RESERVED_ACCESS",
};

struct pio_access {
    uint32_t address; /* within USER, of the dword */
    uint32_t channel, method;
    uint32_t value;
    unsigned lanes;
    bool read;
};

static struct pio_access make_access(uint32_t offset, uint32_t value, unsigned lanes, bool read) {
    return (struct pio_access){.address = offset & 0x7ffffc,
                               .channel = offset >> 16 & 0x7f,
                               .method = offset & 0x1ffc,
                               .value = value,
                               .lanes = lanes,
                               .read = read};
}

static bool pio_in_dma_mode(const struct cache_fifo *c, uint32_t channel) {
    return c->family->switcher->dma_mode(c, channel);
}

static bool runout_pending(const struct cache_fifo *c) {
    return c->r.runout_get != c->r.runout_put;
}

/* ---- of families that do not have the part ---- */

bool pio_no_free_lie(const struct cache_fifo *c) {
    (void)c;
    return false;
}

bool pio_no_control_read(struct cache_fifo *c, uint32_t channel, uint32_t method, uint32_t *value) {
    (void)c, (void)channel, (void)method, (void)value;
    return false;
}

bool pio_no_control_write(struct cache_fifo *c, uint32_t channel, uint32_t method, uint32_t value) {
    (void)c, (void)channel, (void)method, (void)value;
    return false;
}

/* ---- RAMRO ---- */

/* Byte offset of the entry after the one at RUNOUT_PUT. */
static uint32_t runout_next(const struct cache_fifo *c) {
    uint32_t bytes;
    c->family->pio->ramro(c, &bytes);
    return (c->r.runout_put + 8) & (bytes - 8);
}

uint32_t pio_runout_status(void *unit, const struct reg *reg, uint32_t index) {
    const struct cache_fifo *c = unit;
    (void)reg, (void)index;
    bool empty = !runout_pending(c), full = c->r.runout_get == runout_next(c);
    return (empty ? 0x10u : 0x01u) | (full ? 0x100u : 0);
}

/* The driver has read everything: the channel may go on. */
void pio_write_runout(void *unit, const struct reg *reg, uint32_t index, uint32_t value) {
    struct cache_fifo *c = unit;
    (void)reg, (void)index, (void)value;
    if (!runout_pending(c))
        c->r.ranout = 0;
}

/* NV1 leaves the byte enables 0 [hwtest]; UNKNOWN: from NV3 on; chosen: the lanes that were not written. */
static uint32_t runout_word(const struct cache_fifo *c, const struct pio_access *a, enum pio_reason reason) {
    uint32_t disabled = c->family->pio->shows_lanes ? ~a->lanes & ALL_LANES : 0;
    return a->address | (uint32_t)__builtin_ctz(a->lanes) | (a->read ? ENTRY_IS_READ : 0) | disabled << 24 |
           (uint32_t)reason << 28;
}

static void pio_reject(struct cache_fifo *c, const struct pio_access *a, enum pio_reason reason) {
    uint32_t bytes, base = c->family->pio->ramro(c, &bytes), next = runout_next(c), raised = INTR_RUNOUT;
    if (a->channel == cache_channel(c))
        c->r.ranout = 1;
    event_send(c->base.events, EVENT_PUSHER_RUNOUT, a->channel, reason_names[reason], a->address, a->value, reason, 0);
    if (next == c->r.runout_get) {
        raised |= INTR_RUNOUT_OVERFLOW;
    } else {
        uint32_t at = base + (c->r.runout_put & (bytes - 8));
        memory_ramin_wr32(c->base.memory, at, runout_word(c, a, reason));
        memory_ramin_wr32(c->base.memory, at + 4, a->value);
        c->r.runout_put = next;
    }
    cache_raise(c, raised, "RUNOUT");
}

/* ---- writes ---- */

/* NV1: may this access change a password? Where passwords are used is not known; they never get into CACHE1. */
static bool password_accepted(const struct cache_fifo *c, const struct pio_access *a) {
    if (a->lanes != ALL_LANES)
        return false;
    return a->channel == cache_channel(c) || ((c->r.caches & CACHES_REASSIGN) && !runout_pending(c) && cache_empty(c));
}

/* UNKNOWN: where in VRAM that of a channel is; chosen: 16 bytes for each channel in order. */
static void write_password(struct cache_fifo *c, const struct pio_access *a) {
    if (password_accepted(c, a)) {
        memory_physical_wr32(c->base.memory, MEMORY_VRAM, PASSWORDS + 16 * a->channel + (a->method & 0xc), a->value);
        return;
    }
    /* A refused change leaves a gap in RAMRO, without an interrupt. */
    if (a->channel == cache_channel(c))
        c->r.ranout = 1;
    if (runout_next(c) != c->r.runout_get)
        c->r.runout_put = runout_next(c);
}

static bool method_reserved(const struct cache_fifo *c, uint32_t method) {
    return method != 0 && method < HOST_METHODS && !c->puller.host[method >> 2];
}

/* Errors of the access itself, regardless of PFIFO's state. */
static enum pio_reason pio_check_access(const struct cache_fifo *c, const struct pio_access *a) {
    if ((a->method & ROW) == ROW_FREE && (a->lanes == 0x3 || a->lanes == 0xc || a->lanes == ALL_LANES))
        return RESERVED_ACCESS;
    if (a->lanes != ALL_LANES)
        return ILLEGAL_ACCESS;
    return method_reserved(c, a->method) ? RESERVED_ACCESS : ACCEPTED;
}

/* May CACHE1 be used for the channel, after a switch if it is another one? */
static bool pio_cache_available(const struct cache_fifo *c, const struct pio_access *a) {
    uint32_t of_cache0 = cache_channel_of(c, c->r.cache0.push1);
    if (pio_in_dma_mode(c, a->channel)) /* UNKNOWN: PIO to a DMA channel; chosen: no cache takes it */
        return false;
    if (!(c->r.push0 & PUSH_ACCESS) || ((c->r.cache0.push0 & PUSH_ACCESS) && a->channel == of_cache0))
        return false;
    if (a->channel == cache_channel(c))
        return true;
    return !runout_pending(c) && (c->r.caches & CACHES_REASSIGN) && !cache_channel_busy(c);
}

static enum pio_reason pio_check_room(const struct cache_fifo *c) {
    if (c->r.ranout)
        return CACHE_RAN_OUT;
    if (!cache_full(c))
        return ACCEPTED;
    return c->family->pio->free_lie(c) ? CAUGHT_LYING : FREE_COUNT_OVERRUN;
}

static void pio_push(struct cache_fifo *c, const struct pio_access *a) {
    uint32_t subchannel = a->address >> 13 & 7;
    event_send(c->base.events, EVENT_PUSHER_PIO, a->channel, NULL, subchannel, a->method, a->value);
    cache_push(c, subchannel, a->method, a->value, false);
}

void pio_write(void *unit, uint32_t offset, uint32_t value, unsigned lanes) {
    struct cache_fifo *c = unit;
    struct pio_access a = make_access(offset, value, lanes, false);
    if (a.channel >= c->base.chip->pio_channels)
        return;
    if (c->family->pio->has_passwords && (a.method & ROW) == ROW_PASSWORD) {
        write_password(c, &a);
        return;
    }
    if (lanes == ALL_LANES && pio_in_dma_mode(c, a.channel) &&
        c->family->pio->control_write(c, a.channel, a.method, value))
        return;
    enum pio_reason reason = pio_check_access(c, &a);
    if (reason == ACCEPTED && !pio_cache_available(c, &a))
        reason = NO_CACHE_AVAILABLE;
    if (reason == ACCEPTED && a.channel != cache_channel(c))
        c->family->pio->switch_channel(c, a.channel); /* the latch is of the channel that was there; CACHE1 is empty */
    else if (reason == ACCEPTED)
        reason = pio_check_room(c);
    if (reason == ACCEPTED)
        pio_push(c, &a);
    else
        pio_reject(c, &a, reason);
}

/* ---- reads ---- */

uint32_t pio_promise_capacity(const struct cache_fifo *c, uint32_t channel) {
    (void)channel;
    return 4 * cache_capacity(c);
}

/*
 * Bytes of command data that the channel may write. It looks neither at REASSIGN nor at who is in CACHE1: each of
 * several programs is promised all of it.
 */
static uint32_t pio_free_count(const struct cache_fifo *c, uint32_t channel) {
    static const uint32_t promised_by_lie[4] = {0, 0xfc, 0x1fc, 0x3fc};
    if (c->r.ranout || pio_in_dma_mode(c, channel))
        return 0;
    if (channel != cache_channel(c) || !(c->r.push0 & PUSH_ACCESS))
        return runout_pending(c) ? 0 : c->family->pio->promise(c, channel);
    if (c->family->pio->free_lie(c) && (c->r.config_0 & 3))
        return promised_by_lie[c->r.config_0 & 3];
    uint32_t room = cache_full(c) ? 0 : 4 * (cache_capacity(c) - cache_used(c));
    uint32_t promised = c->family->pio->promise(c, channel);
    return room < promised ? room : promised;
}

uint32_t pio_read(void *unit, uint32_t offset, unsigned lanes) {
    struct cache_fifo *c = unit;
    struct pio_access a = make_access(offset, 0, lanes, true);
    uint32_t value;
    if (a.channel >= c->base.chip->pio_channels)
        return 0;
    if (a.method == ROW_FREE)
        return pio_free_count(c, a.channel);
    if (c->family->pio->control_read(c, a.channel, a.method, &value))
        return value;
    /* UNKNOWN: what the read gives; chosen: 0. */
    pio_reject(c, &a, ILLEGAL_ACCESS);
    return 0;
}
