/* SPDX-License-Identifier: MIT */
/*
 * RAMFC of NV4 .. NV4x: what a channel's words hold, and where they are.
 *
 *   NV4   32 bytes   NV10  32 bytes, from NV1A on 64 with what semaphores and subroutines need   NV40  128 bytes
 *
 * Sources: nouveau engine/fifo/{nv04,nv10,nv17,nv40}.c (layouts), dmanv40.c; envytools rnndb/fifo/nv4_pfifo.xml; nxdk
 *          lib/pbkit/pbkit.c (the order of the second half); xemu hw/xbox/nv2a/nv2a_regs.h (the second address).
 */
#include "fifo/cache/nv4.h"
#include "hw/ramfc.h"

#define FIELD(offset, low, bits, field)                                                                                \
    { offset, low, bits, 0, offsetof(struct cache_regs, field) }
#define FC(offset, field) FIELD(offset, 0, 32, field)

static const struct ramfc_row nv4_ramfc_rows[] = {
    FC(NV_RAMFC_DMA_PUT, dma_put),
    FC(NV_RAMFC_DMA_GET, dma_get),
    FIELD(NV4_RAMFC_DMA_INSTANCE, 0, 16, dma_instance),
    FIELD(NV4_RAMFC_DMA_INSTANCE, 16, 16, dcount),
    FC(NV4_RAMFC_DMA_STATE, dma_state),
    FC(NV4_RAMFC_DMA_FETCH, dma_fetch),
    FC(NV4_RAMFC_ENGINE, engine),
    FC(NV4_RAMFC_PULL1, pull1),
};

static const struct ramfc_row nv10_ramfc_rows[] = {
    FC(NV_RAMFC_DMA_PUT, dma_put),
    FC(NV_RAMFC_DMA_GET, dma_get),
    FC(NV_RAMFC_REF, ref),
    FIELD(NV10_RAMFC_DMA_INSTANCE, 0, 16, dma_instance),
    FIELD(NV10_RAMFC_DMA_INSTANCE, 16, 16, dcount),
    FC(NV10_RAMFC_DMA_STATE, dma_state),
    FC(NV10_RAMFC_DMA_FETCH, dma_fetch),
    FC(NV10_RAMFC_ENGINE, engine),
    FC(NV10_RAMFC_PULL1, pull1),
    /* NV1A and later. */
    FC(NV10_RAMFC_ACQUIRE_VALUE, acquire_value),
    FC(NV10_RAMFC_ACQUIRE_TIMESTAMP, acquire_timestamp),
    FC(NV10_RAMFC_ACQUIRE_TIMEOUT, acquire_timeout),
    FC(NV10_RAMFC_SEMAPHORE, semaphore),
    FC(NV10_RAMFC_SUBROUTINE, subroutine),
};

static const struct ramfc_row nv40_ramfc_rows[] = {
    FC(NV_RAMFC_DMA_PUT, dma_put),
    FC(NV_RAMFC_DMA_GET, dma_get),
    FC(NV_RAMFC_REF, ref),
    FC(NV40_RAMFC_DMA_INSTANCE, dma_instance),
    FC(NV40_RAMFC_DMA_DCOUNT, dcount),
    FC(NV40_RAMFC_DMA_STATE, dma_state),
    FIELD(NV40_RAMFC_DMA_FETCH, 0, 28, dma_fetch),
    {NV40_RAMFC_DMA_FETCH, 28, 2, 28, offsetof(struct cache_regs, sli)},
    /* UNKNOWN: where the byte order is kept; chosen: here */
    {NV40_RAMFC_DMA_FETCH, 30, 2, 30, offsetof(struct cache_regs, dma_fetch)},
    FC(NV40_RAMFC_ENGINE, engine),
    FC(NV40_RAMFC_PULL1, pull1),
    FC(NV40_RAMFC_ACQUIRE_VALUE, acquire_value),
    FC(NV40_RAMFC_ACQUIRE_TIMESTAMP, acquire_timestamp),
    FC(NV40_RAMFC_ACQUIRE_TIMEOUT, acquire_timeout),
    FC(NV40_RAMFC_SEMAPHORE, semaphore),
    FC(NV40_RAMFC_SUBROUTINE, subroutine),
    FC(NV40_RAMFC_GRCTX, grctx),
    FIELD(NV40_RAMFC_DMA_TIMESLICE, 0, 17, dma_timeslice),
    FC(0x40, unk32e4),
    FC(0x44, unk32e8),
    FC(0x4c, debug_2),
    FC(0x50, unk3300),
    /* NV41 and later: the last NV41_ROWS. */
    FC(0x54, mpegctx),
    FC(0x58, mectx), /* UNKNOWN: where these two are; chosen: 0x58 and 0x5c */
    FC(0x5c, vpctx),
};
#define NV41_ROWS 3

/* ---- how much of it is in use ---- */

#define SMALL_BYTES 0x20u
#define LARGE_BYTES 0x40u

/*
 * NV1A and NV11 in the small form forget semaphores and subroutines; on NV17 and later the rest is in a second table.
 */
static uint32_t nv10_ramfc_bytes(const struct cache_fifo *c) {
    const struct pfifo_chip *chip = c->base.chip;
    return chip->has_second_ramfc || (c->r.ramfc & RAMFC_LARGE) ? LARGE_BYTES : SMALL_BYTES;
}

/* ---- NV4 .. NV3x: in RAMIN ---- */

static uint32_t ramin_address(const struct cache_fifo *c, uint32_t channel, uint32_t offset) {
    uint32_t base = (c->r.ramfc & 0x1fe) << 8, second = (c->r.ramfc >> 17 & 0x7f) << 10;
    if (c->r.ramfc & RAMFC_LARGE)
        return base + channel * LARGE_BYTES + offset;
    if (offset < SMALL_BYTES)
        return base + channel * SMALL_BYTES + offset;
    return second + channel * SMALL_BYTES + offset - SMALL_BYTES;
}

static uint64_t nv4_ramfc_address(struct cache_fifo *c, uint32_t channel) {
    return memory_ramin_to_vram(c->base.memory, ramin_address(c, channel, 0));
}

static uint32_t nv4_ramfc_rd32(struct cache_fifo *c, uint32_t channel, uint32_t offset) {
    return memory_ramin_rd32(c->base.memory, ramin_address(c, channel, offset));
}

static void nv4_ramfc_wr32(struct cache_fifo *c, uint32_t channel, uint32_t offset, uint32_t value) {
    memory_ramin_wr32(c->base.memory, ramin_address(c, channel, offset), value);
}

/* ---- NV40 and later: in RAMIN, or on chips that can choose, at an address in VRAM ---- */

static uint64_t vram_address(struct cache_fifo *c, uint32_t channel, uint32_t offset) {
    uint64_t base = (uint64_t)(c->r.ramfc & (c->base.chip->has_ramfc_select ? 0x1fff : 0xff)) << 16;
    uint64_t at = base + channel * (uint64_t)c->base.chip->ramfc_bytes + offset;
    bool absolute = c->base.chip->has_ramfc_select && !(c->r.ramfc_select & 1);
    return absolute ? at : memory_ramin_to_vram(c->base.memory, (uint32_t)at);
}

static uint64_t nv40_ramfc_address(struct cache_fifo *c, uint32_t channel) {
    return vram_address(c, channel, 0);
}

static uint32_t nv40_ramfc_rd32(struct cache_fifo *c, uint32_t channel, uint32_t offset) {
    return memory_physical_rd32(c->base.memory, MEMORY_VRAM, vram_address(c, channel, offset));
}

static void nv40_ramfc_wr32(struct cache_fifo *c, uint32_t channel, uint32_t offset, uint32_t value) {
    memory_physical_wr32(c->base.memory, MEMORY_VRAM, vram_address(c, channel, offset), value);
}

/* ---- wiring ---- */

#define ROWS(table) .rows = (table), .count = sizeof(table) / sizeof((table)[0])
#define ENTRIES     .save_entries = nv4_save_entries, .load_entries = nv4_load_entries
#define RAMFC_NV4   .address = nv4_ramfc_address, .rd32 = nv4_ramfc_rd32, .wr32 = nv4_ramfc_wr32, ENTRIES
#define RAMFC_NV40  .address = nv40_ramfc_address, .rd32 = nv40_ramfc_rd32, .wr32 = nv40_ramfc_wr32, ENTRIES

const struct ramfc_ops nv4_ramfc = {ROWS(nv4_ramfc_rows), .bytes = ramfc_all_bytes, RAMFC_NV4};
const struct ramfc_ops nv10_ramfc = {ROWS(nv10_ramfc_rows), .bytes = nv10_ramfc_bytes, RAMFC_NV4};
const struct ramfc_ops nv40_ramfc = {ROWS(nv40_ramfc_rows), .bytes = ramfc_all_bytes, RAMFC_NV40};
const struct ramfc_ops nv40_ramfc_short = {.rows = nv40_ramfc_rows,
                                           .count = sizeof nv40_ramfc_rows / sizeof nv40_ramfc_rows[0] - NV41_ROWS,
                                           .bytes = ramfc_all_bytes,
                                           RAMFC_NV40};
