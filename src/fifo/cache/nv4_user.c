/* SPDX-License-Identifier: MIT */
/*
 * USER of NV4 .. NV4x: methods by PIO and the registers of DMA channels.
 *
 *   0x800000 + channel << 16   eight subchannels of methods, the registers of a DMA channel in each
 *   0xc00000 + channel << 12   NV40-: only these registers
 *
 * The registers of a channel that is not in CACHE1 are its words of RAMFC.
 *
 * Sources: envytools docs/hw/fifo/dma-pusher.rst, docs/hw/mmio.rst, rnndb/fifo/nv4_pfifo.xml; Bochs geforce.cc.
 */
#include "fifo/cache/nv4.h"

#include "fifo/cache/pio.h"
#include "hw/ramfc.h"
#include "hw/user.h"

static uint32_t nv4_ramfc_word(struct cache_fifo *c, uint32_t channel, uint32_t offset) {
    return c->family->ramfc->rd32(c, channel, offset);
}

bool nv4_control_read(struct cache_fifo *c, uint32_t channel, uint32_t method, uint32_t *value) {
    bool current = channel == cache_channel(c);
    switch (method) {
    case NV_USER_DMA_PUT:
        *value = current ? c->r.dma_put : nv4_ramfc_word(c, channel, NV_RAMFC_DMA_PUT);
        return true;
    case NV_USER_DMA_GET:
        *value = current ? c->r.dma_get : nv4_ramfc_word(c, channel, NV_RAMFC_DMA_GET);
        return true;
    case NV_USER_REF:
        if (!c->base.chip->has_ref_cnt)
            return false;
        *value = current ? c->r.ref : nv4_ramfc_word(c, channel, NV_RAMFC_REF);
        return true;
    default:
        return false;
    }
}

static void nv4_write_put(struct cache_fifo *c, uint32_t channel, uint32_t value) {
    value &= c->base.chip->dma_pointer_mask;
    if (channel == cache_channel(c)) {
        c->r.dma_put = value;
        c->pusher.span.bytes = 0;
        return;
    }
    c->family->ramfc->wr32(c, channel, NV_RAMFC_DMA_PUT, value);
    if (channel < c->base.chip->channels && nv4_ramfc_word(c, channel, NV_RAMFC_DMA_GET) != value)
        c->r.dma_pending |= 1u << channel;
}

/* GET, REF and CGET are the pusher's: writes to them are lost. */
bool nv4_control_write(struct cache_fifo *c, uint32_t channel, uint32_t method, uint32_t value) {
    switch (method) {
    case NV_USER_DMA_PUT:
        nv4_write_put(c, channel, value);
        return true;
    case NV_USER_DMA_GET:
    case NV_USER_REF:
    case NV_USER_DMA_CGET:
        return true;
    default:
        return false;
    }
}

#define USER_OF(channels)                                                                                              \
    {                                                                                                                  \
        .name = "USER", .base = NV_USER_PIO, .bytes = (channels)*0x10000, .read_lanes = pio_read,                      \
        .write_lanes = pio_write, .read_acts = true                                                                    \
    }

const struct window nv4_user = USER_OF(16);
const struct window nv10_user = USER_OF(32);

/* ---- NV40: the area for DMA channels ---- */

/* A program that uses subroutines sees where in its own stream it is. */
static uint32_t nv40_call_get(struct cache_fifo *c, uint32_t channel) {
    bool current = channel == cache_channel(c);
    uint32_t get = 0;
    if ((current ? c->r.dma_state : nv4_ramfc_word(c, channel, NV40_RAMFC_DMA_STATE)) & STATE_SUBROUTINE)
        return current ? c->r.subroutine : nv4_ramfc_word(c, channel, NV40_RAMFC_SUBROUTINE);
    nv4_control_read(c, channel, NV_USER_DMA_GET, &get);
    return get;
}

static uint32_t dma_user_read(void *unit, uint32_t offset) {
    struct cache_fifo *c = unit;
    uint32_t channel = offset >> 12, method = offset & 0xfff, value = 0;
    if (method == NV_USER_DMA_CGET)
        return nv40_call_get(c, channel);
    return nv4_control_read(c, channel, method, &value) ? value : 0;
}

static void dma_user_write(void *unit, uint32_t offset, uint32_t value) {
    nv4_control_write(unit, offset >> 12, offset & 0xfff, value);
}

#define STRIDE 0x1000

static const struct window_word words[] = {
    {NV_USER_DMA_PUT, "DMA_PUT", ~0u, ~3u},
    {NV_USER_DMA_GET, "DMA_GET", ~0u, 0},
    {NV_USER_REF, "REF", ~0u, 0},
    {NV_USER_DMA_CGET, "DMA_CGET", ~0u, 0},
};

/* Channels that have a bit in MODE and DMA. UNKNOWN: the others, for which there are addresses; chosen: none. */
const struct window nv40_dma_user = {.name = "DMA_USER",
                                     .base = NV_USER_DMA,
                                     .bytes = 32 * STRIDE,
                                     .read = dma_user_read,
                                     .write = dma_user_write,
                                     .unit = "DMA_USER",
                                     .words = words,
                                     .word_count = sizeof words / sizeof words[0],
                                     .stride = STRIDE};
