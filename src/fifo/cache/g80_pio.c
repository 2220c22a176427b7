/* SPDX-License-Identifier: MIT */
/*
 * USER_PIO of G80 .. MCP89: methods of channel 0, written by the host.
 *
 *   0x800000 + subchannel << 13 + method        a write is an entry of CACHE1; it brings channel 0 in if it may
 *   0x800010                                    a read is the number of bytes that may be written
 *
 * UNKNOWN: what becomes of a write that CACHE1 cannot take, since there is no RAMRO. Chosen: it is lost, and PIO_ERROR
 * reports it.
 *
 * Sources: envytools docs/hw/fifo/pio.rst, rnndb/fifo/g80_pfifo.xml.
 */
#include "fifo/cache/g80.h"
#include "hw/user.h"

#include "fifo/cache/queue.h"
#include "fifo/cache/switcher.h"

#define ALL_LANES    0xfu
#define FREE         0x10u
#define HOST_METHODS 0x100u

/* Channel 0 is in CACHE1, in its mode. */
static bool pio_channel_is_loaded(const struct cache_fifo *c) {
    return (c->r.push1 & (PUSH1_MODE | (CACHE_CHANNELS - 1))) == CHANNEL_PIO;
}

/* Channel 0 may take entries, perhaps when it has been loaded. */
static bool pio_channel_is_open(const struct cache_fifo *c) {
    if (!cache_enabled(c) || !(c->r.push0 & PUSH_ACCESS))
        return false;
    return pio_channel_is_loaded(c) ||
           (cache_channel(c) != CHANNEL_PIO && (c->r.chan_table[CHANNEL_PIO] & CHAN_ENABLE) && switcher_may_leave(c));
}

static bool knows_method(const struct cache_fifo *c, uint32_t method) {
    return method == 0 || method >= HOST_METHODS || c->puller.host[method >> 2];
}

static bool pio_take(struct cache_fifo *c, uint32_t subchannel, uint32_t method, uint32_t value) {
    if (!pio_channel_is_open(c) || !knows_method(c, method))
        return false;
    if (!pio_channel_is_loaded(c)) {
        g80_renew_context(c);
        switcher_switch(c, CHANNEL_PIO);
    }
    if (cache_full(c))
        return false;
    event_send(c->base.events, EVENT_PUSHER_PIO, CHANNEL_PIO, NULL, subchannel, method, value);
    cache_push(c, subchannel, method, value, false);
    return true;
}

static void pio_write_g80(void *unit, uint32_t offset, uint32_t value, unsigned lanes) {
    struct cache_fifo *c = unit;
    if (offset == FREE)
        return;
    if (lanes != ALL_LANES || !pio_take(c, offset >> 13 & 7, offset & STATE_METHOD, value))
        cache_raise(c, INTR_PIO_ERROR, "PIO_ERROR");
}

static uint32_t free_bytes(struct cache_fifo *c) {
    if (!pio_channel_is_open(c))
        return 0;
    uint32_t all = cache_capacity(c);
    uint32_t used = pio_channel_is_loaded(c) ? cache_used(c) : c->family->ramfc->rd32(c, CHANNEL_PIO, RAMFC_CACHE_CNT);
    return used < all ? 4 * (all - used) : 0;
}

static uint32_t pio_read_g80(void *unit, uint32_t offset, unsigned lanes) {
    return offset == FREE && lanes == ALL_LANES ? free_bytes(unit) : 0;
}

const struct window g80_pio_window = {.name = "USER_PIO",
                                      .base = NV_USER_PIO,
                                      .bytes = 0x10000,
                                      .read_lanes = pio_read_g80,
                                      .write_lanes = pio_write_g80};
