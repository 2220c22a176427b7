/* SPDX-License-Identifier: MIT */
/* What the two ways of the cache kind's pusher share: by words (cache_pusher.c) and by packets (cache_packets.c). */
#ifndef PFIFO_SRC_FIFO_CACHE_CACHE_PUSHER_H
#define PFIFO_SRC_FIFO_CACHE_CACHE_PUSHER_H

#include "fifo/cache/cache.h"

static inline bool pusher_ib_mode(const struct cache_fifo *c) {
    return (c->r.dma_fetch & DMA_FETCH_IB_ENABLE) && c->base.chip->has_ib;
}

static inline unsigned pusher_grammar_mode(const struct cache_fifo *c) {
    return (pusher_ib_mode(c) ? GRAMMAR_IB : GRAMMAR_DMA) | (c->r.sli & SLI_ENABLE ? GRAMMAR_SLI : 0);
}

static inline uint32_t pusher_packet_count(const struct cache_fifo *c) {
    return c->family->count_in_state ? c->r.dma_state >> 18 & 0x7ff : c->r.method_count;
}

static inline bool pusher_sli_discards(const struct cache_fifo *c) {
    return (c->r.sli & (SLI_ENABLE | SLI_ACTIVE)) == SLI_ENABLE;
}

/* Where the count is in DMA_STATE (before G80) the bit is another one. */
static inline bool pusher_long_pending(const struct cache_fifo *c) {
    return !c->family->count_in_state && (c->r.dma_state & STATE_LONG_PENDING);
}

void pusher_set_get(struct cache_fifo *c, uint64_t get);
void pusher_set_packet(struct cache_fifo *c, uint32_t subchannel, uint32_t method, uint32_t count, bool nonincreasing);
void pusher_report_packet(struct cache_fifo *c, uint64_t at, uint32_t word, const struct grammar_word *w);
const uint8_t *pusher_fetch_pointer(struct cache_fifo *c, uint64_t get);

#endif
