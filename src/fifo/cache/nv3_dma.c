/* SPDX-License-Identifier: MIT */
/*
 * The DMA of NV3, which the kernel launches: so many bytes of packets from a paged buffer in host memory.
 *
 *   DMA3 target, DMA2 offset, DMA1 bytes, DMA_PT_INST page table; DMA0 = 1  -->  packets  -->  CACHE1
 *
 * There is no PUT, no jump and no mode of a channel: the run belongs to the channel in CACHE1, and no other channel is
 * loaded while it lasts.
 *
 * UNKNOWN: the header. Chosen: that of NV4, whose fields are where DMA_STATE of NV3 has them; the one bit of an error
 * stands for a header of another form, or a method that cannot be in CACHE1. UNKNOWN: what TARGET distinguishes;
 * chosen: nothing, PCI and AGP are the same host memory. UNKNOWN: when ACCESS goes away by itself; chosen: with the
 * last word of a run, and with an error. Written with nothing to send, it stays.
 * Sources: envytools rnndb/fifo/nv1_pfifo.xml, hwtest/pfifo.cc, docs/hw/fifo/nv1-pfifo.rst; 86Box doc/nvidia_notes.
 */
#include "fifo/cache/nv1.h"

#include "fifo/cache/pusher.h"
#include "fifo/cache/queue.h"

#define ACCESS        1u
#define BUSY          (1u << 4)
#define OFFSET        0x00fffffcu
#define PAGE          0xfffu
#define PTE_PRESENT   1u
#define PTE_BITS      0xfffff001u
#define HEADER_OTHER  0xe0030003u /* bits that no header has */
#define HEADER_FIELDS 0x1ffcfffcu /* COUNT, SUBCHANNEL, METHOD */
#define STATE_BAD     (1u << 30)
#define COUNT_ONE     (1u << 18)
#define COUNT_FIELD   0x1ffc0000u

_Static_assert(COUNT_FIELD == ((1u << NV4_COUNT_BITS) - 1) << NV4_COUNT_SHIFT && COUNT_ONE == 1u << NV4_COUNT_SHIFT &&
                   HEADER_FIELDS == (COUNT_FIELD | STATE_SUBCHANNEL | STATE_METHOD),
               "headers are those of NV4");

uint32_t nv3_read_dma_control(void *unit, const struct reg *reg, uint32_t index) {
    const struct cache_fifo *c = unit;
    (void)reg, (void)index;
    return (c->r.kernel_dma & ACCESS) | (nv3_dma_has_work(c) ? BUSY : 0);
}

/* ACCESS without anything to send waits for a count [hwtest]. */
bool nv3_dma_has_work(const struct cache_fifo *c) {
    return (c->r.kernel_dma & ACCESS) && c->r.kernel_count != 0;
}

bool nv3_dma_can_fetch(struct cache_fifo *c) {
    return nv3_dma_has_work(c) && (c->r.push0 & PUSH_ACCESS) && !cache_full(c);
}

/* Only the interrupt records a missing page. */
bool nv3_dma_stopped(const struct cache_fifo *c) {
    return pusher_stopped(c) || (c->r.intr & INTR_DMA_PTE);
}

/* The code of the event is ERROR of DMA_STATE, which a missing page leaves as it is. */
static void nv3_dma_fail(struct cache_fifo *c, uint32_t interrupt, const char *name, uint32_t at, uint32_t word) {
    c->r.kernel_dma = 0;
    event_send(c->base.events, EVENT_PUSHER_ERROR, cache_channel(c), name, at, word, interrupt != INTR_DMA_PTE, 0, 0);
    cache_raise(c, interrupt, interrupt == INTR_DMA_PTE ? "DMA_PTE" : "DMA_PUSHER");
}

/* Make the one entry of the TLB that of the page at GET. */
static bool nv3_dma_translate(struct cache_fifo *c) {
    uint32_t page = c->r.kernel_get & ~PAGE;
    if (c->r.tlb_tag != page) {
        c->r.tlb_tag = page;
        c->r.tlb_pte = memory_ramin_rd32(c->base.memory, c->r.kernel_pt + (page >> 12) * 4) & PTE_BITS;
    }
    return (c->r.tlb_pte & PTE_PRESENT) != 0;
}

static void nv3_dma_header(struct cache_fifo *c, uint32_t at, uint32_t word) {
    if (word & HEADER_OTHER) {
        c->r.dma_state |= STATE_BAD;
        nv3_dma_fail(c, INTR_DMA_PUSHER, "INVALID_CMD", at, word);
        return;
    }
    c->r.dma_state = word & HEADER_FIELDS;
    event_send(c->base.events, EVENT_PUSHER_PACKET, cache_channel(c), "increasing", at, word, word >> 13 & 7,
               word & STATE_METHOD, word >> 18 & 0x7ff, 0);
}

static void nv3_dma_data(struct cache_fifo *c, uint32_t at, uint32_t word) {
    uint32_t method = c->r.dma_state & STATE_METHOD, subchannel = c->r.dma_state >> 13 & 7;
    if (method != 0 && method < 0x100) {
        c->r.dma_state |= STATE_BAD;
        nv3_dma_fail(c, INTR_DMA_PUSHER, "INVALID_MTHD", at, word);
        return;
    }
    cache_push(c, subchannel, method, word, false);
    c->r.dma_state = (c->r.dma_state & ~STATE_METHOD) | ((method + 4) & STATE_METHOD);
    c->r.dma_state -= COUNT_ONE;
}

void nv3_dma_fetch(struct cache_fifo *c) {
    uint32_t at = c->r.kernel_get;
    if (!nv3_dma_translate(c)) {
        nv3_dma_fail(c, INTR_DMA_PTE, "DMA_PTE", at, 0);
        return;
    }
    uint64_t address = (c->r.tlb_pte & ~PAGE) | (at & PAGE);
    uint32_t word = memory_physical_rd32(c->base.memory, MEMORY_SYSTEM, address);
    c->r.kernel_get = (at + 4) & OFFSET;
    c->r.kernel_count -= 4;
    if (c->r.kernel_count == 0)
        c->r.kernel_dma = 0;
    if (c->r.dma_state & COUNT_FIELD)
        nv3_dma_data(c, at, word);
    else
        nv3_dma_header(c, at, word);
}
