/* SPDX-License-Identifier: MIT */
/*
 * USER pages of G80 .. MCP89: one of 0x2000 bytes per channel from 0xc00000 on.
 *
 *   pointers are 40 bits wide and accessed in halves: reading the low half latches the high one into a
 *   shadow, writing the high half goes to a shadow that takes effect with the low one.
 *
 * A channel that is not in CACHE1 has all of this in its RAMFC; the visible behaviour is the same.
 * Sources: envytools docs/hw/fifo/dma-pusher.rst; NVIDIA open-gpu-doc classes/host/cl506f.h.
 */
#include "fifo/cache/g80.h"
#include "hw/user.h"

#include "fifo/cache/switcher.h"

#define ALL_LANES 0xfu

/* A register of a channel: in CACHE1 for the current one, in RAMFC for all others. */
struct user_field {
    uint16_t ramfc;
    uint16_t at; /* offsetof(struct cache_regs, ...) */
};

#define FIELD(offset, name)                                                                                            \
    { offset, offsetof(struct cache_regs, name) }

static const struct user_field field_ib_put = FIELD(G80_RAMFC_IB_PUT, ib_put),
                               field_ib_get = FIELD(G80_RAMFC_IB_GET, ib_get),
                               field_put = FIELD(G80_RAMFC_DMA_PUT, dma_put),
                               field_put_high = FIELD(G80_RAMFC_DMA_PUT_HIGH, dma_put_high),
                               field_get = FIELD(G80_RAMFC_DMA_GET, dma_get),
                               field_get_high = FIELD(G80_RAMFC_DMA_GET_HIGH, dma_get_high),
                               field_mget = FIELD(0x18, mget), field_mget_high = FIELD(0x1c, mget_high),
                               field_get_high_rd = FIELD(0x20, get_high_rdshadow),
                               field_put_high_rd = FIELD(0x24, put_high_rdshadow),
                               field_put_high_wr = FIELD(0x28, put_high_wrshadow),
                               field_mget_high_rd = FIELD(0x2c, mget_high_rdshadow),
                               field_state = FIELD(G80_RAMFC_DMA_STATE, dma_state),
                               field_fetch = FIELD(G80_RAMFC_DMA_FETCH, dma_fetch),
                               field_subroutine = FIELD(0x40, subroutine), field_ref = FIELD(0x74, ref);

static uint32_t user_load(struct cache_fifo *c, uint32_t channel, struct user_field field) {
    if (channel == cache_channel(c))
        return *(uint32_t *)(void *)((uint8_t *)&c->r + field.at);
    /* Rows are in the order of words: of a word in memory only the bits of the register are used. */
    return c->family->ramfc->rd32(c, channel, field.ramfc) & c->ramfc_valid[field.ramfc / 4];
}

static void user_store(struct cache_fifo *c, uint32_t channel, struct user_field field, uint32_t value) {
    if (channel == cache_channel(c))
        *(uint32_t *)(void *)((uint8_t *)&c->r + field.at) = value;
    else
        c->family->ramfc->wr32(c, channel, field.ramfc, value);
}

/* Low half of a pointer; its high half goes into the shadow. */
static uint32_t user_load_latched(struct cache_fifo *c, uint32_t channel, struct user_field low, struct user_field high,
                                  struct user_field shadow) {
    user_store(c, channel, shadow, user_load(c, channel, high));
    return user_load(c, channel, low);
}

/* Unpopulated channels have no RAMFC, so nothing is accessed. */
static bool channel_exists(const struct cache_fifo *c, uint32_t channel) {
    return channel == cache_channel(c) || c->r.chan_table[channel] != 0;
}

static uint32_t user_read_dword(struct cache_fifo *c, uint32_t offset) {
    uint32_t channel = offset >> 13;
    if (!channel_exists(c, channel))
        return 0;
    switch (offset & 0x1fff) {
    case NV_USER_DMA_PUT:
        return user_load_latched(c, channel, field_put, field_put_high, field_put_high_rd);
    case NV_USER_DMA_GET:
        return user_load_latched(c, channel, field_get, field_get_high, field_get_high_rd);
    case NV_USER_REF:
        return user_load(c, channel, field_ref);
    case NV_USER_DMA_PUT_HIGH:
        return user_load(c, channel, field_put_high_rd);
    case NV_USER_DMA_CGET:
        return user_load(c, channel,
                         user_load(c, channel, field_state) & STATE_SUBROUTINE ? field_subroutine : field_get);
    case NV_USER_DMA_MGET:
        return user_load_latched(c, channel, field_mget, field_mget_high, field_mget_high_rd);
    case NV_USER_DMA_MGET_HIGH:
        return user_load(c, channel, field_mget_high_rd);
    case NV_USER_DMA_GET_HIGH:
        return user_load(c, channel, field_get_high_rd);
    case NV_USER_IB_GET:
        return user_load(c, channel, field_ib_get);
    case NV_USER_IB_PUT:
        return user_load(c, channel, field_ib_put);
    default:
        return 0;
    }
}

static uint32_t user_read(void *unit, uint32_t offset, unsigned lanes) {
    (void)lanes; /* the bus keeps those that were asked for */
    return user_read_dword(unit, offset);
}

static void user_write_put(struct cache_fifo *c, uint32_t channel, uint32_t value) {
    if (user_load(c, channel, field_fetch) & DMA_FETCH_IB_ENABLE)
        return;
    user_store(c, channel, field_put, value & ~3u);
    user_store(c, channel, field_put_high, user_load(c, channel, field_put_high_wr));
}

/* UNKNOWN: accesses of less than 32 bits, which are not to be made; chosen: such a write is lost. */
static void user_write(void *unit, uint32_t offset, uint32_t value, unsigned lanes) {
    struct cache_fifo *c = unit;
    uint32_t channel = offset >> 13;
    if (!channel_exists(c, channel) || lanes != ALL_LANES)
        return;
    c->pusher.span.bytes = 0;
    switch (offset & 0x1fff) {
    case NV_USER_DMA_PUT:
        user_write_put(c, channel, value);
        return;
    case NV_USER_DMA_PUT_HIGH:
        user_store(c, channel, field_put_high_wr, value & 0xff);
        return;
    case 0x50: /* UNKNOWN: listed in the class headers only; taken as "set REF" */
        user_store(c, channel, field_ref, value);
        return;
    case 0x80: /* UNKNOWN: the same; taken as method YIELD */
        if (channel == cache_channel(c))
            switcher_yield(c);
        return;
    case NV_USER_IB_PUT:
        user_store(c, channel, field_ib_put, value);
        return;
    default:
        event_send(c->base.events, EVENT_FIFO_UNKNOWN, channel, "write to USER", offset & 0x1fff, value);
    }
}

#define STRIDE 0x2000

/* Reading a low half changes a shadow. */
static const struct window_word words[] = {
    {NV_USER_DMA_PUT, "DMA_PUT", ~3u, ~3u, .read_acts = true},
    {NV_USER_DMA_GET, "DMA_GET", ~3u, 0, .read_acts = true},
    {NV_USER_REF, "REF", ~0u, 0},
    {NV_USER_DMA_PUT_HIGH, "DMA_PUT_HIGH", 0xff, 0xff},
    {NV_USER_DMA_CGET, "DMA_CGET", ~3u, 0},
    {NV_USER_DMA_MGET, "DMA_MGET", ~3u, 0, .read_acts = true},
    {NV_USER_DMA_MGET_HIGH, "DMA_MGET_HIGH", 0x800000ff, 0, .fields = "HIGH 7:0, VALID 31"},
    {NV_USER_DMA_GET_HIGH, "DMA_GET_HIGH", 0xff, 0},
    {NV_USER_IB_GET, "IB_GET", ~0u, 0},
    {NV_USER_IB_PUT, "IB_PUT", ~0u, ~0u},
};

const struct window g80_user_window = {.name = "USER_DMA",
                                       .base = NV_USER_DMA,
                                       .bytes = CACHE_CHANNELS * STRIDE,
                                       .read_lanes = user_read,
                                       .write_lanes = user_write,
                                       .unit = "USER_DMA",
                                       .words = words,
                                       .word_count = sizeof words / sizeof words[0],
                                       .stride = STRIDE};
