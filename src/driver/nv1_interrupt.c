/* SPDX-License-Identifier: MIT */
/*
 * PFIFO's interrupt on NV1 and NV3. CACHE1's pointers are in Gray code. The driver must write a software object's
 * context into CACHE1, since the puller stops before it does so.
 *
 * Sources: envytools docs/hw/fifo/{nv1-pfifo,puller}.rst, hwtest/pfifo.cc (Gray code), rnndb/fifo/nv1_pfifo.xml.
 */
#include "driver/nv1.h"

#include "hw/pmc.h"

static uint32_t nv1_next_pointer(const struct pfifo_device *device, uint32_t pointer) {
    uint32_t gray = (pointer >> 2) % device->chip->cache1_slots, n = gray;
    for (uint32_t g = gray >> 1; g; g >>= 1)
        n ^= g;
    n = (n + 1) % device->chip->cache1_slots;
    return (n ^ n >> 1) << 2;
}

/* ---- CACHE_ERROR ---- */

static bool nv1_interrupt_nv1_software(struct pfifo_device *device, const struct driver_cache_entry *entry) {
    struct pfifo_channel *channel = device_channel(device, cache_current_channel(device));
    uint32_t context = NV1_CACHE1_CTX + NV1_CACHE1_CTX_STRIDE * entry->subchannel;
    if (!channel)
        return false;
    if (entry->method == 0) {
        if (!channel_software_bind(channel, entry->subchannel, entry->data))
            return false;
        device_wr32(device, context, CONTEXT_SOFTWARE);
        device_mask(device, NV1_CACHE1_PULL1, 0, NV1_CONTEXT_DIRTY);
        return true;
    }
    return device_rd32(device, context) == CONTEXT_SOFTWARE &&
           channel_software_method(channel, entry->subchannel, entry->method, entry->data);
}

static void nv1_cache_error(struct pfifo_device *device) {
    uint32_t pull0 = device_rd32(device, NV1_CACHE1_PULL0);
    struct driver_cache_entry entry = cache_entry_at_get(device);
    if (!(pull0 & PULL0_DEVICE_SOFTWARE) || !nv1_interrupt_nv1_software(device, &entry))
        cache_report(device, "CACHE_ERROR", pull0 & PULL0_HASH_FAILED ? "HASH_FAILED" : "DEVICE_SOFTWARE", &entry, 0);
    device_wr32(device, NV_PFIFO_INTR, INTR_CACHE_ERROR);
    device_mask(device, NV_CACHE1_PUSH0, PUSH_ACCESS, 0);
    device_wr32(device, NV_CACHE1_GET, nv1_next_pointer(device, entry.get));
    device_mask(device, NV_CACHE1_PUSH0, 0, PUSH_ACCESS);
    device_wr32(device, NV1_CACHE1_PULL0, PULL_ACCESS);
}

/* ---- the others ---- */

/* NV3's DMA has ended; the program may launch another. */
static void nv1_dma_error(struct pfifo_device *device, const char *error, uint32_t bit) {
    cache_report(device, "DMA_PUSHER", error, NULL, 0);
    device_wr32(device, NV3_CACHE1_DMA0, 0);
    device_wr32(device, NV_PFIFO_INTR, bit);
}

static void nv1_dma_pusher(struct pfifo_device *device) {
    nv1_dma_error(device, "INVALID_CMD", INTR_DMA_PUSHER);
}

static void nv1_dma_pte(struct pfifo_device *device) {
    nv1_dma_error(device, "MEM_FAULT", INTR_DMA_PTE);
}

const struct driver_cache_handler nv1_handlers[] = {
    {INTR_CACHE_ERROR, nv1_cache_error}, {INTR_RUNOUT, pio_runout},   {INTR_RUNOUT_OVERFLOW, cache_runout_overflow},
    {INTR_DMA_PUSHER, nv1_dma_pusher},   {INTR_DMA_PTE, nv1_dma_pte}, {0},
};

void nv1_interrupt(struct pfifo_device *device, uint32_t lines) {
    if (lines & PMC_INTR_PFIFO)
        cache_fifo_interrupt(device);
    if (lines & PMC_INTR_PGRAPH)
        device_graph_interrupt(device, PMC_INTR_PGRAPH);
}
