/* SPDX-License-Identifier: MIT */
/*
 * Which channel comes next on G80 .. MCP89.
 *
 *   CHAN_TABLE  where each of the 128 channels is in memory, and whether it may run
 *   PLAYLIST    an array of channel numbers; taken one after the other, from the channel in CACHE1 on
 *   KICK        one channel is to leave now, and the engines are to be done with it
 *   FREEZE      nothing happens at all
 *
 * Requests made while PFIFO is frozen take effect when it continues.
 *
 * Sources: envytools rnndb/fifo/g80_pfifo.xml; nouveau engine/fifo/{nv50,channv50,chang84}.c, subdev/clk/gt215.c.
 */
#include "fifo/cache/g80.h"

#include "fifo/cache/switcher.h"

#define PLAYLIST_MAX 128
#define KICK_ENGINES 0x3fu
#define KICK_PME     (1u << 2)
#define KICK_PENDING UINT32_MAX
#define RELOAD       (1u << 8)  /* CACHES */
#define PENDING      (1u << 30) /* CHAN_TABLE */

/* ---- playlist ---- */

static uint32_t playlist_channel(const struct cache_fifo *c, uint32_t index) {
    struct g80_location list = g80_pointer(c->r.list);
    return memory_physical_rd32(c->base.memory, list.target, list.address + 4 * (uint64_t)index) & (CACHE_CHANNELS - 1);
}

static uint32_t playlist_length(const struct cache_fifo *c) {
    return c->r.list_length < PLAYLIST_MAX ? c->r.list_length : PLAYLIST_MAX;
}

static bool g80_is_enabled(const struct cache_fifo *c, uint32_t channel) {
    return (c->r.chan_table[channel] & CHAN_ENABLE) != 0;
}

/* Work that waits in RAMFC: unread segments or words, entries in flight, an acquire. Channel 0 has no pushbuffer. */
static bool g80_has_work(struct cache_fifo *c, uint32_t channel) {
    uint32_t (*rd)(struct cache_fifo *, uint32_t, uint32_t) = c->family->ramfc->rd32;
    if (!g80_is_enabled(c, channel) || channel == CHANNEL_IDLE)
        return false;
    if (rd(c, channel, RAMFC_CACHE_CNT) != 0 || (rd(c, channel, 0x5c) & PULL1_ACQUIRE_ACTIVE))
        return true;
    return channel != CHANNEL_PIO &&
           (rd(c, channel, 0x00) != rd(c, channel, 0x04) || rd(c, channel, 0x08) != rd(c, channel, 0x10) ||
            rd(c, channel, 0x0c) != rd(c, channel, 0x14));
}

static uint32_t playlist_position(const struct cache_fifo *c, uint32_t channel) {
    for (uint32_t i = 0; i < playlist_length(c); i++)
        if (playlist_channel(c, i) == channel)
            return i;
    return UINT32_MAX;
}

uint32_t g80_next_channel(struct cache_fifo *c) {
    uint32_t length = playlist_length(c);
    uint32_t position = playlist_position(c, cache_channel(c));
    for (uint32_t n = 1; n <= length; n++) {
        uint32_t channel = playlist_channel(c, (position == UINT32_MAX ? n - 1 : position + n) % length);
        if (channel != cache_channel(c) && g80_has_work(c, channel))
            return channel;
    }
    return UINT32_MAX;
}

/* Take the current channel out of CACHE1. */
static void g80_park(struct cache_fifo *c) {
    if (cache_channel(c) == CHANNEL_IDLE)
        return;
    g80_renew_context(c);
    switcher_save(c);
    c->r.push1 = CHANNEL_IDLE | PUSH1_MODE;
    c->r.ib_get = c->r.ib_put = 0;
    c->r.dma_get = c->r.dma_put = c->r.dma_get_high = c->r.dma_put_high = 0;
    c->r.pull1 &= ~PULL1_ACQUIRE_ACTIVE;
    c->r.dma_state = c->r.method_count = 0;
    c->r.dma_push &= ~DMA_PUSH_SUSPENDED;
    c->pusher.pinned = c->slice.yield = false;
    cache_forget_channel(c);
}

/* The channel in CACHE1 may stay. Channel 0 is used by PIO and need not be in the list. */
static bool g80_may_stay(const struct cache_fifo *c) {
    uint32_t channel = cache_channel(c);
    return g80_is_enabled(c, channel) && (channel == CHANNEL_PIO || playlist_position(c, channel) != UINT32_MAX);
}

static void g80_take_playlist(struct cache_fifo *c) {
    if (!c->r.list_pending)
        return;
    c->r.list_pending = 0;
    c->r.list = c->r.next_list;
    c->r.list_length = c->r.next_length;
    event_send(c->base.events, EVENT_SWITCH_RUNLIST, cache_channel(c), NULL, 0, playlist_length(c));
    if (!g80_may_stay(c))
        g80_park(c);
}

/*
 * UNKNOWN: when address and length are taken, and what bit 8 of CACHES does, which drivers write afterwards. Chosen:
 * both are latched when the length is written; they take effect with that bit, or when PFIFO works next.
 */
void g80_write_playlist_length(void *unit, const struct reg *reg, uint32_t index, uint32_t value) {
    struct cache_fifo *c = unit;
    (void)index, (void)value; /* perhaps only a part of the register was written */
    c->r.next_list = c->r.playlist;
    c->r.next_length = c->r.playlist_length & (reg->writable >> 1);
    c->r.list_pending = 1;
}

void g80_write_caches(void *unit, const struct reg *reg, uint32_t index, uint32_t value) {
    struct cache_fifo *c = unit;
    (void)reg, (void)index;
    if ((value & RELOAD) && cache_enabled(c))
        g80_take_playlist(c);
}

/* ---- kick ---- */

/* UNKNOWN: which engines G80 waits for; drivers imply all of them, PME unless it is configured otherwise. */
uint32_t g80_kick_engines(const struct cache_fifo *c) {
    return KICK_ENGINES & ~(c->r.pme_control & 1 ? KICK_PME : 0);
}

uint32_t g84_kick_engines(const struct cache_fifo *c) {
    return c->r.engine_ctrl & KICK_ENGINES;
}

static bool g80_is_descriptor(struct cache_fifo *c, uint32_t channel, uint32_t pointer) {
    return channel < CACHE_CHANNELS && ((c->family->g80->descriptor(c, channel) ^ pointer) & POINTER_ADDRESS) == 0;
}

/* For the channel that it works for; an engine that works for none is asked about the channel in CACHE1. */
static bool g80_is_busy(struct cache_fifo *c, const struct fifo_engine *engine) {
    uint32_t channel = engine->channel < CACHE_CHANNELS ? engine->channel : cache_channel(c);
    const struct pfifo_channel_context context = g80_context(c, channel);
    return engine->ops && engine->ops->busy && engine->ops->busy(engine->engine, &context);
}

/* False: an engine is not through with the channel. */
static bool g80_switch_g80_kick(struct cache_fifo *c) {
    uint32_t engines = c->family->g80->kick_engines(c), descriptor = c->r.kick;
    for (unsigned id = 1; id < CHIP_MAX_ENGINES; id++) {
        const struct fifo_engine *engine = &c->base.engines[id];
        if ((engines >> (id - 1) & 1) && g80_is_descriptor(c, engine->channel, descriptor) && g80_is_busy(c, engine))
            return false;
    }
    for (unsigned id = 1; id < CHIP_MAX_ENGINES; id++) {
        struct fifo_engine *engine = &c->base.engines[id];
        if ((engines >> (id - 1) & 1) && g80_is_descriptor(c, engine->channel, descriptor))
            engine->channel = UINT32_MAX;
    }
    if (g80_is_descriptor(c, cache_channel(c), descriptor))
        g80_park(c);
    return true;
}

static void g80_try_kick(struct cache_fifo *c) {
    if (c->r.kick_pending && cache_enabled(c))
        c->r.kick_pending = !g80_switch_g80_kick(c);
}

void g80_write_kick(void *unit, const struct reg *reg, uint32_t index, uint32_t value) {
    struct cache_fifo *c = unit;
    (void)reg, (void)index, (void)value;
    c->r.kick_pending = 1;
    g80_try_kick(c);
}

/*
 * Drivers poll it. Engines may read it, too, while they work: the channel stays that long. UNKNOWN: what it reads when
 * the channel is off, other than all ones; chosen: what was written.
 */
uint32_t g80_read_kick(void *unit, const struct reg *reg, uint32_t index) {
    struct cache_fifo *c = unit;
    (void)reg, (void)index;
    if (!c->running)
        g80_try_kick(c);
    return c->r.kick_pending ? KICK_PENDING : c->r.kick;
}

void g80_begin_run(struct cache_fifo *c) {
    g80_try_kick(c);
    g80_take_playlist(c);
}

/* ---- other registers ---- */

uint32_t g80_read_freeze(void *unit, const struct reg *reg, uint32_t index) {
    const struct cache_fifo *c = unit;
    (void)reg, (void)index;
    return (c->r.freeze & FREEZE_ENABLE) * 0x11u; /* FROZEN follows: between two runs nothing is in flight */
}

uint32_t g80_read_channel(void *unit, const struct reg *reg, uint32_t index) {
    (void)reg, (void)index;
    return cache_channel(unit);
}

/* A set bit is an idle engine, whatever its channel; engines that the chip does not have are idle. */
uint32_t g80_read_engine_idle(void *unit, const struct reg *reg, uint32_t index) {
    struct cache_fifo *c = unit;
    uint32_t idle = KICK_ENGINES;
    (void)reg, (void)index;
    for (unsigned id = 1; id < 7; id++) {
        if (g80_is_busy(c, &c->base.engines[id]))
            idle &= ~(1u << (id - 1));
    }
    return idle;
}

/* UNKNOWN: what PENDING says; chosen: the channel has work and is not in CACHE1. */
uint32_t g80_read_chan_table(void *unit, const struct reg *reg, uint32_t index) {
    struct cache_fifo *c = unit;
    uint32_t entry = c->r.chan_table[index] & reg->writable;
    return entry | (index != cache_channel(c) && g80_has_work(c, index) ? PENDING : 0);
}

/* Drivers write 0 when they destroy a channel, and while the machine sleeps. */
void g80_write_chan_table(void *unit, const struct reg *reg, uint32_t index, uint32_t value) {
    struct cache_fifo *c = unit;
    (void)reg, (void)value;
    if (c->r.chan_table[index] == 0)
        fifo_channel_leaves(&c->base, index);
    else
        switcher_channel_comes(c, index);
    cache_forget_channel(c);
}

/* "Bit 19 seems forced to 0", and is set after power-on. */
void g80_write_min_slice(void *unit, const struct reg *reg, uint32_t index, uint32_t value) {
    struct cache_fifo *c = unit;
    (void)index, (void)value;
    c->r.pio_timeslice &= reg->writable;
}

void g80_write_intr_nrhost(void *unit, const struct reg *reg, uint32_t index, uint32_t value) {
    struct cache_fifo *c = unit;
    (void)reg, (void)index;
    c->r.intr_nrhost &= ~value;
    cache_update_interrupt(c);
}
