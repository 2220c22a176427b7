/* SPDX-License-Identifier: MIT */
/*
 * PFIFO of NV40 .. NV4x: registers, RAMFC, RAMHT, USER areas and the choice of the next channel.
 *
 * Modelled:     the registers a driver needs to set DMA channels up and run them, with their fields.
 * Not modelled: CACHE0, PIO, RUNOUT; their registers come with the PIO pusher.
 * Sources:      envytools rnndb/fifo/nv4_pfifo.xml; nouveau engine/fifo/nv40.c, dmanv40.c; Linux riva nv4ref.h.
 */
#include "fifo/cache.h"

#include <stdlib.h>

#define INTR_DMA_PTE   (1u << 16)
#define DMA_CTL_VALID  (1u << 31)
#define DMA_CTL_OBJECT 0x0003fffcu
#define NV40_CHANNELS  32 /* populated: the words MODE and DMA have a bit for each */
#define PUSH1_MODE     (1u << 16)

#define R(field) offsetof(struct cache_fifo, r.field)

/* ---- RAMFC ---- */

#define FC(offset, field)                                                                                              \
    { offset, 0, 32, 0, offsetof(struct cache_regs, field) }

static const struct ramfc_row nv40_ramfc[] = {
    FC(0x00, dma_put),
    FC(0x04, dma_get),
    FC(0x08, ref),
    FC(0x0c, dma_instance),
    FC(0x10, dcount),
    FC(0x14, dma_state),
    {0x18, 0, 28, 0, offsetof(struct cache_regs, dma_fetch)},
    {0x18, 28, 2, 28, offsetof(struct cache_regs, sli)},
    {0x18, 30, 2, 30, offsetof(struct cache_regs, dma_fetch)}, /* UNKNOWN: where the byte order is kept; chosen: here */
    FC(0x1c, engine),
    FC(0x20, pull1),
    FC(0x24, acquire_value),
    FC(0x28, acquire_timestamp),
    FC(0x2c, acquire_timeout),
    FC(0x30, semaphore),
    FC(0x34, subroutine),
    FC(0x38, grctx),
    {0x3c, 0, 17, 0, offsetof(struct cache_regs, dma_timeslice)},
    FC(0x40, unk32e4),
    FC(0x44, unk32e8),
    FC(0x4c, debug_2),
    FC(0x50, unk3300),
    FC(0x54, mpegctx),
    FC(0x58, mectx), /* UNKNOWN: where these two are; chosen: 0x58 and 0x5c */
    FC(0x5c, vpctx),
};

/* RAMFC is in RAMIN, or on chips that can choose, at an address in VRAM. */
static uint64_t ramfc_vram(struct cache_fifo *c, uint32_t channel, uint32_t offset) {
    uint64_t base = (uint64_t)(c->r.ramfc & (c->base.chip->has_ramfc_select ? 0x1fff : 0xff)) << 16;
    uint64_t at = base + channel * (uint64_t)c->base.chip->ramfc_bytes + offset;
    bool absolute = c->base.chip->has_ramfc_select && !(c->r.ramfc_select & 1);
    return absolute ? at : memory_ramin_to_vram(c->base.memory, (uint32_t)at);
}

static uint64_t nv40_ramfc_address(struct cache_fifo *c, uint32_t channel) {
    return ramfc_vram(c, channel, 0);
}

static uint32_t nv40_ramfc_rd32(struct cache_fifo *c, uint32_t channel, uint32_t offset) {
    return memory_physical_rd32(c->base.memory, MEMORY_VRAM, ramfc_vram(c, channel, offset));
}

static void nv40_ramfc_wr32(struct cache_fifo *c, uint32_t channel, uint32_t offset, uint32_t value) {
    memory_physical_wr32(c->base.memory, MEMORY_VRAM, ramfc_vram(c, channel, offset), value);
}

/* ---- the channel ---- */

static void nv40_open_channel(struct cache_fifo *c) {
    c->context = (struct pfifo_channel_context){.fifo = &c->base, .id = cache_channel(c) % CACHE_CHANNELS};
}

/* DMA_CTL and DMA_LIMIT cache the object's first words; a load or a new DMA_INSTANCE makes them stale. */
static void nv40_open_pushbuffer(struct cache_fifo *c) {
    struct dma_object object;
    dma_object_nv4(c->base.memory, c->r.dma_instance << 4, &object);
    c->fetch_space = object.space;
    /* The whole last dword counts as inside: drivers give size - 1 as limit. */
    c->fetch_space.limit |= 3;
    c->fetch_space.offset &= ~UINT64_C(3); /* DMA_CTL.ADJUST has no lower bits */
    c->fetch_space.flags &= ~ADDRESS_SPACE_WRITE_ONLY;
    c->r.dma_ctl = (object.word0 >> 20 & 0xffc) | (object.word0 & 0x33000u) | DMA_CTL_VALID;
    c->r.dma_limit = memory_ramin_rd32(c->base.memory, (c->r.dma_instance << 4) + 4) & ~3u;
}

static void nv40_fetch_fault(struct cache_fifo *c, const struct fault *fault) {
    if (fault->reason == FAULT_PTE)
        cache_raise(c, INTR_DMA_PTE, "DMA_PTE");
}

static void nv40_semaphore_fault(struct cache_fifo *c, const struct fault *fault, bool retry) {
    (void)c, (void)fault, (void)retry; /* physical addresses do not fault; SEMAPHORE says the rest */
}

static uint32_t nv40_ramht_rd32(struct cache_fifo *c, uint32_t offset) {
    return memory_ramin_rd32(c->base.memory, ((c->r.ramht & 0x1f0) << 8) + offset);
}

static uint32_t nv40_object_class(struct cache_fifo *c, uint32_t instance) {
    uint32_t mask = (1u << c->base.chip->object_class_bits) - 1u;
    return memory_ramin_rd32(c->base.memory, instance << 4) & mask;
}

static uint32_t nv40_next_channel(struct cache_fifo *c) {
    uint32_t current = cache_channel(c);
    for (uint32_t n = 1; n <= NV40_CHANNELS; n++) {
        uint32_t channel = (current + n) % NV40_CHANNELS;
        if (channel != current && (c->r.mode & c->r.dma_pending) >> channel & 1)
            return channel;
    }
    return UINT32_MAX;
}

/* UNKNOWN: where RAMIN has the entries of a channel that leaves; chosen: they stay in the chip. */
static void nv40_save_entries(struct cache_fifo *c, uint32_t channel) {
    struct cache_saved *saved = &c->saved[channel % NV40_CHANNELS];
    for (saved->count = 0; cache_used(c); saved->count++) {
        saved->entry[saved->count] = *cache_at(c, c->r.get);
        cache_pop(c);
    }
}

static void nv40_load_entries(struct cache_fifo *c, uint32_t channel) {
    struct cache_saved *saved = &c->saved[channel % NV40_CHANNELS];
    for (uint32_t i = 0; i < saved->count; i++) {
        *cache_at(c, c->r.put) = saved->entry[i];
        c->r.put = (c->r.put + 4) & c->base.chip->cache1_pointer_mask;
    }
    saved->count = 0;
    if (channel < NV40_CHANNELS)
        c->r.dma_pending &= ~(1u << channel);
}

static void nv40_left(struct cache_fifo *c, uint32_t channel, bool has_work) {
    if (channel < NV40_CHANNELS)
        c->r.dma_pending = (c->r.dma_pending & ~(1u << channel)) | (uint32_t)has_work << channel;
}

/* ---- USER ---- */

enum { USER_DMA_PUT = 0x40, USER_DMA_GET = 0x44, USER_REF = 0x48, USER_DMA_CGET = 0x54 };

static uint32_t user_read(struct cache_fifo *c, uint32_t channel, uint32_t offset) {
    bool current = channel == cache_channel(c);
    switch (offset) {
    case USER_DMA_PUT:
        return current ? c->r.dma_put : nv40_ramfc_rd32(c, channel, 0x00);
    case USER_DMA_GET:
        return current ? c->r.dma_get : nv40_ramfc_rd32(c, channel, 0x04);
    case USER_REF:
        return current ? c->r.ref : nv40_ramfc_rd32(c, channel, 0x08);
    case USER_DMA_CGET:
        if ((current ? c->r.dma_state : nv40_ramfc_rd32(c, channel, 0x14)) & STATE_SUBROUTINE)
            return current ? c->r.subroutine : nv40_ramfc_rd32(c, channel, 0x34);
        return user_read(c, channel, USER_DMA_GET);
    default:
        return 0;
    }
}

static void user_write_put(struct cache_fifo *c, uint32_t channel, uint32_t value) {
    value &= ~3u;
    if (channel == cache_channel(c)) {
        c->r.dma_put = value;
        c->fetch.bytes = 0;
        return;
    }
    nv40_ramfc_wr32(c, channel, 0x00, value);
    if (channel < NV40_CHANNELS && nv40_ramfc_rd32(c, channel, 0x04) != value)
        c->r.dma_pending |= 1u << channel;
}

/* 0xc00000 + channel * 0x1000: DMA control only. */
static uint32_t dma_user_read(void *unit, uint32_t offset) {
    return user_read(unit, offset >> 12, offset & 0xfff);
}

static void dma_user_write(void *unit, uint32_t offset, uint32_t value) {
    if ((offset & 0xfff) == USER_DMA_PUT)
        user_write_put(unit, offset >> 12, value);
}

/* 0x800000 + channel * 0x10000: eight subchannels of methods (PIO), with the DMA control registers in each. */
static uint32_t pio_user_read(void *unit, uint32_t offset) {
    uint32_t reg = offset & 0x1fff;
    return reg == USER_DMA_CGET ? 0 : user_read(unit, offset >> 16, reg);
}

static void pio_user_write(void *unit, uint32_t offset, uint32_t value) {
    struct cache_fifo *c = unit;
    if ((offset & 0x1fff) == USER_DMA_PUT)
        user_write_put(c, offset >> 16, value);
    else
        event_send(c->base.events, EVENT_FIFO_UNKNOWN, offset >> 16, "PIO access: not modelled", offset, 0);
}

static const struct window nv40_dma_user = {"DMA_USER", 0xc00000, NV40_CHANNELS * 0x1000, dma_user_read,
                                            dma_user_write};
static const struct window nv40_pio_user = {"USER", 0x800000, NV40_CHANNELS * 0x10000, pio_user_read, pio_user_write};

/* ---- registers ---- */

/* A channel that drivers take out of DMA mode is torn down: engines forget what they kept for it. */
static void write_mode(void *unit, const struct reg *reg, uint32_t index, uint32_t value) {
    struct cache_fifo *c = unit;
    (void)reg, (void)index;
    for (uint32_t channel = 0; channel < NV40_CHANNELS; channel++)
        if ((c->mode_before & ~value) >> channel & 1)
            fifo_channel_gone(&c->base, channel);
    c->mode_before = value;
}

static const struct reg nv40_regs[] = {
    {0x2040, "DELAY_0", R(delay), 0xf00003ff, 0xf00003ff, 0, 0, 0, NULL, NULL},
    {0x2044, "DMA_TIMESLICE", R(dma_timeslice), 0xf101ffff, 0xf101ffff, 0x01000000, 0, 0, NULL, NULL},
    {0x2048, "PIO_TIMESLICE", R(pio_timeslice), 0x0101ffff, 0x0101ffff, 0x01000000, 0, 0, NULL, NULL},
    {0x204c, "TIMESLICE", R(timeslice), 0x001fffff, 0x001fffff, 0x0003ffff, 0, 0, NULL, NULL},
    {0x2050, "NEXT_CHANNEL", R(next_channel), 0x000013ff, 0x000013ff, 0, 0, 0, NULL, NULL},
    {0x2054, "UNK2054", R(delay_1), 0xf00003ff, 0xf00003ff, 2, 0, 0, NULL, NULL},
    {0x2058, "SLI", R(sli), 0x30000fff, 0x30000fff, 0, 0, 0, NULL, NULL},
    {0x2080, "DEBUG_0", R(debug_0), 0x00000011, 0, 0, 0, 0, NULL, NULL},
    {0x2084, "UNK2084", R(debug_1), ~0u, ~0u, 0, 0, 0, NULL, NULL},
    {0x2088, "UNK2088", R(debug_2), ~0u, ~0u, 0, 0, 0, NULL, NULL},
    {0x2100, "INTR_0", R(intr), ~0u, 0, 0, 0, 0, NULL, cache_write_intr},
    {0x2140, "INTR_EN_0", R(intr_en), 0x01fd1111, 0x01fd1111, 0, 0, 0, NULL, cache_write_intr_en},
    {0x2210, "RAMHT", R(ramht), 0x070301f0, 0x070301f0, 0x00000100, 0, 0, NULL, NULL},
    {0x2218, "RAMRO", R(ramro), 0x000101fe, 0x000101fe, 0x00000112, 0, 0, NULL, NULL},
    {0x221c, "UNK221C", R(unk221c), 0x00001ff1, 0x00001ff1, 0, 0, 0, NULL, NULL},
    {0x2220, "RAMFC", R(ramfc), 0x00ff1fff, 0x00ff1fff, 0, 0, 0, NULL, NULL},
    {0x2230, "RAMFC_SELECT", R(ramfc_select), 0x00000003, 0x00000003, 0, 0, 0, NULL, NULL},
    {0x2500, "CACHES", R(caches), 0x00000001, 0x00000001, 0, 0, 0, NULL, NULL},
    {0x2504, "MODE", R(mode), ~0u, ~0u, 0, 0, 0, NULL, write_mode},
    {0x2508, "DMA", R(dma_pending), ~0u, ~0u, 0, 0, 0, NULL, NULL},
    {0x250c, "SIZE", R(pio_size), ~0u, ~0u, 0, 0, 0, NULL, NULL},
    {0x2510, "UNK2510", R(wide), ~0u, ~0u, 0, 16, 4, NULL, NULL},
    {0x3200, "CACHE1_PUSH0", R(push0), 1, 1, 0, 0, 0, NULL, NULL},
    {0x3204, "CACHE1_PUSH1", R(push1), 0x000101ff, 0x000101ff, 0, 0, 0, NULL, cache_write_channel},
    {0x3210, "CACHE1_PUT", R(put), 0x000007fc, 0x000007fc, 0, 0, 0, NULL, NULL},
    {0x3214, "CACHE1_STATUS", REG_NONE, 0x00000110, 0, 0, 0, 0, cache_read_status, NULL},
    {0x3220, "CACHE1_DMA_PUSH", R(dma_push), 0xff011111, 0xff011001, 0, 0, 0, cache_read_dma_push, NULL},
    {0x3224, "CACHE1_DMA_FETCH", R(dma_fetch), 0x807fe0f8, 0x807fe0f8, 0x00006078, 0, 0, NULL, cache_write_fetch},
    {0x3228, "CACHE1_DMA_STATE", R(dma_state), 0xfffffffd, 0xfffffffd, 0, 0, 0, NULL, NULL},
    {0x322c, "CACHE1_DMA_INSTANCE", R(dma_instance), 0x000fffff, 0x000fffff, 0, 0, 0, NULL, cache_write_fetch},
    {0x3230, "CACHE1_DMA_CTL", R(dma_ctl), 0x80033ffc, 0x80033ffc, DMA_CTL_VALID, 0, 0, NULL, cache_write_fetch},
    {0x3234, "CACHE1_DMA_LIMIT", R(dma_limit), ~3u, ~3u, 0, 0, 0, NULL, NULL},
    {0x3238, "CACHE1_DMA_TLB_TAG", R(tlb_tag), 0x1ffff001, 0x1ffff001, 0, 0, 0, NULL, NULL},
    {0x323c, "CACHE1_DMA_TLB_PTE", R(tlb_pte), 0xfffff000, 0xfffff000, 0, 0, 0, NULL, NULL},
    {0x3240, "CACHE1_DMA_PUT", R(dma_put), ~3u, ~3u, 0, 0, 0, NULL, NULL},
    {0x3244, "CACHE1_DMA_GET", R(dma_get), ~3u, ~3u, 0, 0, 0, NULL, NULL},
    {0x3248, "CACHE1_REF", R(ref), ~0u, ~0u, 0, 0, 0, NULL, NULL},
    {0x324c, "CACHE1_DMA_SUBROUTINE", R(subroutine), ~3u, ~3u, 0, 0, 0, NULL, NULL},
    {0x3250, "CACHE1_PULL0", R(pull0), 0x00f11111, 0x00000001, 0, 0, 0, NULL, NULL},
    {0x3254, "CACHE1_PULL1", R(pull1), 0x0003001f, 0x0003001f, 0, 0, 0, NULL, NULL},
    {0x3258, "CACHE1_HASH", R(hash), 0x01ffffff, 0x01ffffff, 0, 0, 0, NULL, NULL},
    {0x3260, "CACHE1_ACQUIRE_TIMEOUT", R(acquire_timeout), ~0u, ~0u, 0, 0, 0, NULL, NULL},
    {0x3264, "CACHE1_ACQUIRE_TIMESTAMP", R(acquire_timestamp), ~0u, ~0u, 0, 0, 0, NULL, NULL},
    {0x3268, "CACHE1_ACQUIRE_VALUE", R(acquire_value), ~0u, ~0u, 0, 0, 0, NULL, NULL},
    {0x326c, "CACHE1_SEMAPHORE", R(semaphore), 0xfffffffd, 0xfffffffd, 0, 0, 0, NULL, NULL},
    {0x3270, "CACHE1_GET", R(get), 0x000007fc, 0x000007fc, 0, 0, 0, NULL, cache_write_get},
    {0x3280, "CACHE1_ENGINE", R(engine), ~0u, ~0u, 0, 0, 0, NULL, NULL},
    {0x32a0, "CACHE1_DMA_DCOUNT", R(dcount), 0x00001ffc, 0x00001ffc, 0, 0, 0, NULL, NULL},
    {0x32a4, "CACHE1_DMA_GET_JMP_SHADOW", R(jmp_shadow), ~3u, ~3u, 0, 0, 0, NULL, NULL},
    {0x32a8, "CACHE1_DMA_RSVD_SHADOW", R(rsvd_shadow), ~0u, ~0u, 0, 0, 0, NULL, NULL},
    {0x32ac, "CACHE1_DMA_DATA_SHADOW", R(data_shadow), ~0u, ~0u, 0, 0, 0, NULL, NULL},
    {0x32e0, "CACHE1_GRCTX_INST", R(grctx), ~0u, ~0u, 0, 0, 0, NULL, NULL},
    {0x32e4, "CACHE1_UNK32E4", R(unk32e4), ~0u, ~0u, 0, 0, 0, NULL, NULL},
    {0x32e8, "CACHE1_UNK32E8", R(unk32e8), ~0u, ~0u, 0, 0, 0, NULL, NULL},
    {0x32f4, "CACHE1_UNK32F4", R(unk32f4), 1, 1, 0, 0, 0, NULL, NULL},
    {0x3300, "CACHE1_UNK3300", R(unk3300), 1, 1, 0, 0, 0, NULL, NULL},
    {0x3304, "CACHE1_UNK3304", REG_NONE, 3, 0, 0, 0, 0, cache_read_three, NULL},
    {0x330c, "CACHE1_MPEGCTX_INST", R(mpegctx), ~0u, ~0u, 0, 0, 0, NULL, NULL},
    {0x3310, "CACHE1_MECTX_INST", R(mectx), ~0u, ~0u, 0, 0, 0, NULL, NULL},
    {0x3314, "CACHE1_VPCTX_INST", R(vpctx), ~0u, ~0u, 0, 0, 0, NULL, NULL},
    {0x90000, "CACHE1_ENTRY", REG_NONE, ~0u, 0, 0, 1024, 4, cache_read_entry, cache_write_entry},
};

static const struct face nv40_face = {"PFIFO", nv40_regs, sizeof nv40_regs / sizeof nv40_regs[0]};

/* ---- wiring ---- */

/* UNKNOWN: what an empty slot is, without a valid bit in the context from NV40 on; chosen: all zero. */
static const struct ramht_layout nv40_ramht = {.size_shift = 16,
                                               .channel_shift = 23,
                                               .channel_bits = 9,
                                               .engine_shift = 20,
                                               .engine_bits = 3,
                                               .instance_bits = 20};

static const struct cache_family nv40_family = {
    .name = "NV40",
    .ramfc = nv40_ramfc,
    .ramfc_rows = sizeof nv40_ramfc / sizeof nv40_ramfc[0],
    .ramht = &nv40_ramht,
    .count_in_state = true,
    .pauses_at_acquire = true,
    .mode_bit = PUSH1_MODE,
    .slice_units = 1,
    .open_pushbuffer = nv40_open_pushbuffer,
    .open_channel = nv40_open_channel,
    .ramfc_address = nv40_ramfc_address,
    .ramfc_rd32 = nv40_ramfc_rd32,
    .ramfc_wr32 = nv40_ramfc_wr32,
    .next_channel = nv40_next_channel,
    .save_entries = nv40_save_entries,
    .load_entries = nv40_load_entries,
    .left = nv40_left,
    .ramht_rd32 = nv40_ramht_rd32,
    .object_class = nv40_object_class,
    .fetch_fault = nv40_fetch_fault,
    .semaphore_fault = nv40_semaphore_fault,
};

static enum pfifo_status nv40_attach(struct fifo *fifo, struct pfifo_error *error) {
    static const struct window *const windows[] = {&nv40_dma_user, &nv40_pio_user, NULL};
    struct cache_fifo *c = (struct cache_fifo *)fifo;
    c->saved = calloc(NV40_CHANNELS, sizeof *c->saved);
    if (!c->saved)
        return pfifo_error_set(error, PFIFO_ERROR_MEMORY, "no memory for CACHE1");
    return cache_attach(c, &nv40_family, &nv40_face, windows, error);
}

static void nv40_reset(struct fifo *fifo) {
    struct cache_fifo *c = (struct cache_fifo *)fifo;
    memset(c->saved, 0, NV40_CHANNELS * sizeof *c->saved);
    c->mode_before = 0;
    cache_reset(c, &nv40_face);
}

static void nv40_free(struct fifo *fifo) {
    free(((struct cache_fifo *)fifo)->saved);
}

static struct address_space nv40_channel_space(const struct pfifo_channel_context *channel, uint32_t object) {
    struct dma_object dma;
    dma_object_nv4(channel->fifo->memory, object << 4, &dma);
    return dma.space;
}

/* UNKNOWN: how PGRAPH reports its own faults; chosen: the bit that drivers call ERROR. */
static void nv40_engine_fault(const struct pfifo_channel_context *channel, enum chip_unit unit,
                              const struct fault *fault) {
    (void)unit, (void)fault;
    graph_raise(&((struct cache_fifo *)channel->fifo)->graph, GRAPH_INTR_ERROR);
}

static void nv40_engine_interrupt(const struct pfifo_channel_context *channel, enum chip_unit unit) {
    (void)unit;
    graph_raise(&((struct cache_fifo *)channel->fifo)->graph, GRAPH_INTR_NOTIFY);
}

const struct fifo_ops fifo_nv40 = {
    .name = "NV40",
    .bytes = sizeof(struct cache_fifo),
    .attach = nv40_attach,
    .run = cache_run,
    .reset = nv40_reset,
    .free = nv40_free,
    .channel_space = nv40_channel_space,
    .engine_fault = nv40_engine_fault,
    .engine_interrupt = nv40_engine_interrupt,
};
