/* SPDX-License-Identifier: MIT */
/*
 * PFIFO of NV4 .. NV4x: pushbuffer objects, RAMHT in RAMIN, the choice of the next channel, and the wiring.
 *
 * Not modelled: where RAMIN has the entries of a channel that leaves (NV40-): they stay in the chip.
 * Sources:      envytools rnndb/fifo/nv4_pfifo.xml, docs/hw/fifo; nouveau engine/fifo/{nv04,nv10,nv17,nv40}.c,
 *               dmanv40.c; Linux riva nv4ref.h.
 */
#include "fifo/cache/nv4.h"

#include <assert.h>
#include <stdlib.h>

#include "fifo/cache/host.h"
#include "fifo/cache/pio.h"
#include "fifo/cache/puller.h"
#include "fifo/cache/pusher.h"
#include "fifo/cache/queue.h"
#include "fifo/cache/switcher.h"

#define DMA_CTL_OBJECT 0x00033000u /* bits that are where word 0 of the object has them: PAGE_TABLE, LINEAR, TARGET */
#define DMA_CTL_ADJUST 0x00000ffcu /* in word 0 20 bits further up */
#define OBJECT_FRAME   0xfffff000u

/* ---- the channel ---- */

static void nv4_open_channel(struct cache_fifo *c) {
    c->context = (struct pfifo_channel_context){.fifo = &c->base, .id = puller_channel(c) % CACHE_CHANNELS};
}

static bool nv4_dma_mode(const struct cache_fifo *c, uint32_t channel) {
    /* UNKNOWN: channels that MODE has no bit for; chosen: DMA. */
    return channel >= c->base.chip->channels || (c->r.mode >> channel & 1);
}

/* The hardware's copy of the object: CTL and LIMIT, and the frame, which is not visible. */
static void nv4_load_object(const struct cache_fifo *c, struct cache_regs *r) {
    uint32_t object = r->dma_instance << 4;
    uint32_t word0 = memory_ramin_rd32(c->base.memory, object);
    r->dma_ctl = (word0 >> 20 & DMA_CTL_ADJUST) | (word0 & DMA_CTL_OBJECT) | DMA_CTL_VALID;
    r->dma_limit = memory_ramin_rd32(c->base.memory, object + 4) & c->base.chip->dma_pointer_mask;
    r->object_frame = memory_ramin_rd32(c->base.memory, object + 8) & OBJECT_FRAME;
}

/* By registers that have a copy of the object. */
static struct address_space nv4_space_of(const struct cache_fifo *c, const struct cache_regs *r) {
    /* The whole last dword is within the limit: drivers give size - 1 as limit. */
    const uint32_t word[3] = {(r->dma_ctl & DMA_CTL_ADJUST) << 20 | (r->dma_ctl & DMA_CTL_OBJECT), r->dma_limit | 3,
                              r->object_frame};
    struct dma_object object;
    dma_object_nv4_words(word, (r->dma_instance << 4) + 8, &object);
    /* UNKNOWN: how NV4 refuses VRAM; chosen: as memory that cannot be read. */
    if (object.present && object.space.target == MEMORY_VRAM && !c->base.chip->has_vram_pushbuffer)
        return address_space_fault(FAULT_NULL_OBJECT);
    return object.space;
}

static void nv4_open_pushbuffer(struct cache_fifo *c) {
    if (!(c->r.dma_ctl & DMA_CTL_VALID))
        nv4_load_object(c, &c->r);
    c->pusher.space = nv4_space_of(c, &c->r);
}

static struct pfifo_channel_context nv4_context(struct cache_fifo *c, uint32_t channel) {
    return (struct pfifo_channel_context){.fifo = &c->base, .id = channel};
}

static struct address_space nv4_look(struct cache_fifo *c, const struct pfifo_channel_context *channel,
                                     struct cache_regs *r) {
    (void)channel;
    if (!(r->dma_ctl & DMA_CTL_VALID))
        nv4_load_object(c, r);
    return nv4_space_of(c, r);
}

static bool nv4_has_pushbuffer(const struct cache_fifo *c, uint32_t channel) {
    return channel < c->base.chip->channels && nv4_dma_mode(c, channel);
}

void nv4_write_instance(void *unit, const struct reg *reg, uint32_t index, uint32_t value) {
    struct cache_fifo *c = unit;
    c->r.dma_ctl &= ~DMA_CTL_VALID;
    cache_write_fetch(unit, reg, index, value);
}

static void nv4_fetch_fault(struct cache_fifo *c, const struct fault *fault) {
    if (fault->reason == FAULT_PTE)
        cache_raise(c, INTR_DMA_PTE, "DMA_PTE");
}

static uint32_t nv4_ramht_rd32(const struct pfifo_channel_context *channel, uint32_t reg, uint32_t offset) {
    return memory_ramin_rd32(channel->fifo->memory, ((reg & 0x1f0) << 8) + offset);
}

static uint32_t class_at(const struct fifo *fifo, uint32_t instance) {
    uint32_t mask = (1u << fifo->chip->object_class_bits) - 1u;
    return memory_ramin_rd32(fifo->memory, instance << 4) & mask;
}

/* What else is in an object of PGRAPH is known. UNKNOWN: of other units; chosen: 16 bits, as drivers write them. */
static uint32_t nv4_object_class(const struct pfifo_channel_context *channel, uint32_t instance, uint32_t engine) {
    const struct fifo *fifo = channel->fifo;
    if (engine < CHIP_MAX_ENGINES && fifo->chip->engines[engine] == CHIP_UNIT_PGRAPH)
        return class_at(fifo, instance);
    return memory_ramin_rd32(fifo->memory, instance << 4) & 0xffff;
}

/* ---- other channels ---- */

/* In DMA mode, or a PIO channel that left with entries (NV40-). */
static bool can_work(const struct cache_fifo *c, uint32_t channel) {
    return (c->r.mode >> channel & 1) || c->saved[channel].count != 0;
}

static uint32_t nv4_next_channel(struct cache_fifo *c) {
    uint32_t current = cache_channel(c), channels = c->base.chip->channels;
    for (uint32_t n = 1; n <= channels; n++) {
        uint32_t channel = (current + n) % channels;
        if (channel != current && (c->r.dma_pending >> channel & 1) && can_work(c, channel))
            return channel;
    }
    return UINT32_MAX;
}

/* UNKNOWN: where RAMIN has the entries of a channel that leaves; chosen: they stay in the chip. */
void nv4_save_entries(struct cache_fifo *c, uint32_t channel) {
    struct cache_saved *saved = &c->saved[channel % c->base.chip->channels];
    for (saved->count = 0; !cache_empty(c) && saved->count < CACHE_MAX_ENTRIES; saved->count++) {
        saved->entry[saved->count] = cache_at(c, c->r.get);
        cache_pop(c);
    }
}

void nv4_load_entries(struct cache_fifo *c, uint32_t channel) {
    struct cache_saved *saved = &c->saved[channel % c->base.chip->channels];
    for (uint32_t i = 0; i < saved->count; i++) {
        cache_set(c, c->r.put, saved->entry[i]);
        c->r.put = cache_next(c, c->r.put);
    }
    saved->count = 0;
    if (channel < c->base.chip->channels)
        c->r.dma_pending &= ~(1u << channel);
}

static void nv4_left(struct cache_fifo *c, uint32_t channel, bool has_work) {
    if (channel < c->base.chip->channels)
        c->r.dma_pending = (c->r.dma_pending & ~(1u << channel)) | (uint32_t)has_work << channel;
}

/* Drivers take a channel out of DMA mode to destroy it, and while the machine sleeps. */
void nv4_write_mode(void *unit, const struct reg *reg, uint32_t index, uint32_t value) {
    struct cache_fifo *c = unit;
    (void)reg, (void)index, (void)value;
    for (uint32_t channel = 0; channel < c->base.chip->channels; channel++) {
        if ((c->mode_before & ~c->r.mode) >> channel & 1)
            fifo_channel_leaves(&c->base, channel);
        if ((c->r.mode & ~c->mode_before) >> channel & 1)
            switcher_channel_comes(c, channel);
    }
    c->mode_before = c->r.mode;
}

/* UNKNOWN: where NV4 .. NV3x keep RAMIN entries of PIO; chosen: RAMRO's register says it on all. */
static uint32_t nv4_ramro(const struct cache_fifo *c, uint32_t *bytes) {
    *bytes = c->r.ramro >> 16 & 1 ? 0x2000 : 0x200;
    return (c->r.ramro & 0x1fe) << 8;
}

#define PROMISE_SMALL 0x7cu /* bytes */
#define PROMISE_LARGE 0x200u

static uint32_t nv4_promise(const struct cache_fifo *c, uint32_t channel) {
    return c->r.pio_size >> (channel & 31) & 1 ? PROMISE_LARGE : PROMISE_SMALL;
}

static uint32_t nv4_shown_instance(const struct cache_fifo *c) {
    return c->r.grctx & 0xffffff;
}

/* ---- wiring ---- */

/* Channel and engine have more room than these chips have of them: only the bits in use count. */
#define RAMHT_NV4(bits)                                                                                                \
    {                                                                                                                  \
        .size_shift = 16, .channel_shift = 24, .channel_bits = (bits), .engine_shift = 16, .engine_bits = 2,           \
        .instance_bits = 16, .valid_bit = 1u << 31                                                                     \
    }
static const struct ramht_layout nv4_layout = RAMHT_NV4(4), nv10_layout = RAMHT_NV4(5);

/* UNKNOWN: what an empty slot is, without a valid bit in the context on NV40 and later; chosen: all zero. */
static const struct ramht_layout nv40_layout = {.size_shift = 16,
                                                .channel_shift = 23,
                                                .channel_bits = 9,
                                                .engine_shift = 20,
                                                .engine_bits = 3,
                                                .instance_bits = 20};

#define OBJECTS .rd32 = nv4_ramht_rd32, .object_class = nv4_object_class
static const struct ramht_ops nv4_ramht = {.layout = &nv4_layout, OBJECTS};
static const struct ramht_ops nv10_ramht = {.layout = &nv10_layout, OBJECTS};
static const struct ramht_ops nv40_ramht = {.layout = &nv40_layout, OBJECTS};

#define PUSHBUFFER                                                                                                     \
    .count_in_state = true, .pauses_at_acquire = true, .endian_in_fetch = true, .open = nv4_open_pushbuffer,           \
    .fault = nv4_fetch_fault, .has = nv4_has_pushbuffer, .context = nv4_context, .look = nv4_look
static const struct pushbuffer_ops nv4_pushbuffer = {PUSHBUFFER};
static const struct pushbuffer_ops nv10_pushbuffer = {PUSHBUFFER, .active_in_subroutine = true};

#define PULLER                                                                                                         \
    .execute = puller_execute, .execute_cache0 = puller_execute_cache0, .last_engine = puller_last_engine,             \
    .shown_instance = nv4_shown_instance
static const struct puller_ops nv4_puller = {PULLER};
static const struct puller_ops nv10_puller = {PULLER, .offers_pairs = true};

#define SWITCHER                                                                                                       \
    .next_channel = nv4_next_channel, .open_channel = nv4_open_channel, .dma_mode = nv4_dma_mode,                      \
    .begin_run = switcher_begin_nothing, .left = nv4_left, .slice_units = 1
static const struct switcher_ops nv4_switcher = {SWITCHER, .mode_bit = 1u << 8, .next_mode_bit = 1u << 8};
static const struct switcher_ops nv40_switcher = {SWITCHER, .mode_bit = 1u << 16, .next_mode_bit = 1u << 9};

static const struct pio_ops nv4_pio = {.switch_channel = switcher_switch,
                                       .ramro = nv4_ramro,
                                       .promise = nv4_promise,
                                       .free_lie = pio_no_free_lie,
                                       .control_read = nv4_control_read,
                                       .control_write = nv4_control_write,
                                       .shows_lanes = true};

static const struct cache_family nv4_family = {.name = "NV4",
                                               .pusher = &pusher_ops_nv4,
                                               .pushbuffer = &nv4_pushbuffer,
                                               .puller = &nv4_puller,
                                               .host = &host_ops_nv1a,
                                               .ramht = &nv4_ramht,
                                               .switcher = &nv4_switcher,
                                               .ramfc = &nv4_ramfc,
                                               .pio = &nv4_pio};

static const struct cache_family nv10_family = {.name = "NV10",
                                                .pusher = &pusher_ops_nv4,
                                                .pushbuffer = &nv10_pushbuffer,
                                                .puller = &nv10_puller,
                                                .host = &host_ops_nv1a,
                                                .ramht = &nv10_ramht,
                                                .switcher = &nv4_switcher,
                                                .ramfc = &nv10_ramfc,
                                                .pio = &nv4_pio};

#define NV40_FAMILY                                                                                                    \
    .name = "NV40", .pusher = &pusher_ops_nv4, .pushbuffer = &nv4_pushbuffer, .puller = &nv10_puller,                  \
    .host = &host_ops_nv1a, .ramht = &nv40_ramht, .switcher = &nv40_switcher, .pio = &nv4_pio
static const struct cache_family nv40_family = {NV40_FAMILY, .ramfc = &nv40_ramfc_short};
static const struct cache_family nv41_family = {NV40_FAMILY, .ramfc = &nv40_ramfc};

static const struct nv4_variant {
    const char *chips;
    const struct cache_family *family;
    const struct window *windows[3];
} variants[] = {
    {"NV4:NV10", &nv4_family, {&nv4_user}},
    {"NV10:NV40", &nv10_family, {&nv10_user}},
    {"NV40:NV41", &nv40_family, {&nv10_user, &nv40_dma_user}},
    {"NV41:G80", &nv41_family, {&nv10_user, &nv40_dma_user}},
};

static enum pfifo_status nv4_attach(struct fifo *fifo, struct pfifo_error *error) {
    struct cache_fifo *c = (struct cache_fifo *)fifo;
    const struct nv4_variant *variant = CHIP_ROW(fifo->chip, variants);
    assert(variant);
    c->saved = calloc(fifo->chip->channels, sizeof *c->saved);
    if (!c->saved)
        return pfifo_error_set(error, PFIFO_ERROR_MEMORY, "no memory for CACHE1");
    return cache_attach_rows(c, variant->family, nv4_rows, nv4_row_count, variant->windows, error);
}

static void nv4_reset(struct fifo *fifo) {
    struct cache_fifo *c = (struct cache_fifo *)fifo;
    memset(c->saved, 0, fifo->chip->channels * sizeof *c->saved);
    c->mode_before = 0;
    cache_reset(c);
}

static struct address_space nv4_channel_space(const struct pfifo_channel_context *channel, uint32_t object) {
    struct dma_object dma;
    dma_object_nv4(channel->fifo->memory, object << 4, &dma);
    return dma_object_nv4_engine_space(&dma);
}

static uint32_t nv4_channel_class(const struct pfifo_channel_context *channel, uint32_t object) {
    return class_at(channel->fifo, object);
}

const struct fifo_ops fifo_nv4 = {
    .name = "NV4",
    .host = &cache_host,
    .bytes = sizeof(struct cache_fifo),
    .attach = nv4_attach,
    .run = cache_run,
    .has_work = cache_can_work,
    .state = cache_state,
    .reset = nv4_reset,
    .free = cache_free,
    .channel_space = nv4_channel_space,
    .object_class = nv4_channel_class,
    .kept = cache_kept,
    .until_timeout = host_until_timeout,
    .engine_fault = cache_engine_fault,
    .engine_error = cache_engine_error,
    .engine_interrupt = cache_engine_interrupt,
    .engine_worked = cache_engine_worked,
    .units_done = pusher_units_done,
    CACHE_PUSH_OPS,
};
