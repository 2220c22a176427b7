/* SPDX-License-Identifier: MIT */
/*
 * Where a channel reads its pushbuffer, for who only looks: from the registers of CACHE1, or from those that RAMFC
 * would put there.
 */
#include "fifo/cache/puller.h"
#include "fifo/cache/pusher.h"
#include "fifo/cache/queue.h"
#include "fifo/cache/switcher.h"

#define IB_ORDER 16 /* IB_CONFIG */

/* Those of CACHE1 if the channel is there. */
static void cache_look_registers_of(struct cache_fifo *c, uint32_t channel, struct cache_regs *copy) {
    *copy = c->r;
    if (channel == cache_channel(c))
        return;
    switcher_read_registers(c, channel, copy);
    copy->dma_ctl &= ~DMA_CTL_VALID; /* the object is read again then */
}

static struct pfifo_push_packet cache_look_packet_of(const struct cache_fifo *c, const struct cache_regs *r) {
    bool in_state = c->family->pushbuffer->count_in_state;
    bool nonincreasing = r->dma_state & STATE_NONINC;
    struct pfifo_push_packet packet = {
        .count = in_state ? r->dma_state >> STATE_COUNT & ((1u << NV4_COUNT_BITS) - 1) : r->method_count,
        .method = (uint16_t)(r->dma_state & STATE_METHOD),
        .subchannel = (uint8_t)(r->dma_state >> GRAMMAR_SUBCHANNEL_SHIFT & 7),
        .form = grammar_form_name(nonincreasing ? FORM_NONINCREASING : FORM_INCREASING),
    };

    /* The count comes after the words that are left, if a driver has left any. */
    packet.long_count = !in_state && (r->dma_state & STATE_LONG_PENDING) && !packet.count;
    if (packet.long_count)
        packet.form = grammar_form_name(FORM_LONG_NONINCREASING);
    return packet.count || packet.long_count ? packet : (struct pfifo_push_packet){0};
}

static uint32_t cache_look_class_of(struct cache_fifo *c, const struct pfifo_channel_context *context, uint32_t reg,
                                    uint32_t handle) {
    struct ramht_hit hit;

    return puller_look_up(c, context, reg, handle, &hit)
               ? c->family->ramht->object_class(context, hit.instance, hit.engine)
               : 0;
}

/* What the puller has bound, and what waits in CACHE1: the pusher is behind that. */
static void copy_bound(struct cache_fifo *c, const struct pfifo_channel_context *context, const struct cache_regs *r,
                       uint32_t bound[8]) {
    uint32_t left = context->id == cache_channel(c) ? cache_used(c) : 0, at = c->r.get;

    memcpy(bound, c->puller.bound[context->id % CACHE_CHANNELS], 8 * sizeof bound[0]);
    if (left > c->base.chip->cache1_entries)
        left = c->base.chip->cache1_entries;
    for (; left; left--, at = cache_next(c, at)) {
        const struct cache_entry entry = cache_at(c, at);
        if (!(entry.method & STATE_METHOD))
            bound[entry.method >> GRAMMAR_SUBCHANNEL_SHIFT & 7] = cache_look_class_of(c, context, r->ramht, entry.data);
    }
}

static void cache_look_describe(const struct cache_fifo *c, uint32_t channel, const struct cache_regs *r,
                                struct pfifo_push *push) {
    uint32_t high = c->family->pushbuffer->pointer_high;

    *push = (struct pfifo_push){.channel = channel,
                                .loaded = channel == cache_channel(c),
                                .ib = pusher_uses_ib(c, r->dma_fetch),
                                .get = r->dma_get | (uint64_t)(r->dma_get_high & high) << 32,
                                .put = r->dma_put | (uint64_t)(r->dma_put_high & high) << 32,
                                .packet = cache_look_packet_of(c, r)};
    if (!push->ib)
        return;
    push->ring = r->ib_address | (uint64_t)(r->ib_config & 0xff) << 32;
    push->entries = UINT64_C(1) << (r->ib_config >> IB_ORDER < 32 ? r->ib_config >> IB_ORDER : 32);
    push->ring_get = r->ib_get;
    push->ring_put = r->ib_put;
}

bool cache_look(struct fifo *fifo, uint32_t channel, struct fifo_push *push) {
    struct cache_fifo *c = (struct cache_fifo *)fifo;
    const struct pushbuffer_ops *ops = c->family->pushbuffer;
    struct pfifo_channel_context context;
    struct cache_regs r;

    if (!ops->has(c, channel))
        return false;
    cache_look_registers_of(c, channel, &r);
    context = ops->context(c, channel);
    cache_look_describe(c, channel, &r, &push->push);
    copy_bound(c, &context, &r, push->push.bound);
    push->big_endian = ops->endian_in_fetch ? (r.dma_fetch & DMA_FETCH_BIG_ENDIAN) != 0 : cache_big_endian(c);
    push->space = push->push.loaded && c->pusher.is_open ? c->pusher.space : ops->look(c, &context, &r);
    return true;
}

uint32_t cache_look_loaded(struct fifo *fifo, unsigned index) {
    return index ? UINT32_MAX : cache_channel((struct cache_fifo *)fifo);
}

uint32_t cache_look_class(struct fifo *fifo, uint32_t channel, uint32_t handle) {
    struct cache_fifo *c = (struct cache_fifo *)fifo;
    struct pfifo_channel_context context;
    struct cache_regs r;

    if (!c->family->pushbuffer->has(c, channel))
        return 0;
    cache_look_registers_of(c, channel, &r);
    context = c->family->pushbuffer->context(c, channel);
    return cache_look_class_of(c, &context, r.ramht, handle);
}
