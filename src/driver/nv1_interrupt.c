/* SPDX-License-Identifier: MIT */
/*
 * What the driver does when PFIFO of NV1 and NV3 calls. CACHE1's pointers are in Gray code; a software object's context
 * must be written by the driver, because the puller stops before it takes it.
 *
 * Sources: envytools docs/hw/fifo/{nv1-pfifo,puller}.rst, hwtest/pfifo.cc (Gray code), rnndb/fifo/nv1_pfifo.xml.
 */
#include "driver/nv1.h"

#include "hw/pmc.h"

struct entry {
    uint32_t get;
    unsigned subchannel;
    uint32_t method, data;
};

static struct entry read_entry(struct pfifo_device *device) {
    uint32_t get = device_rd32(device, NV_CACHE1_GET), slot = (get >> 2) % device->chip->cache1_slots;
    uint32_t at = nv1_kind_of(device)->entries + 8 * slot, word = device_rd32(device, at);
    return (struct entry){get, word >> 13 & 7, word & 0x1ffc, device_rd32(device, at + 4)};
}

static void report(struct pfifo_device *device, const char *unit, const char *error, const struct entry *entry) {
    struct pfifo_device_fault fault = {.channel = nv1_current_channel(device), .unit = unit, .error = error};
    if (entry) {
        fault.has_method = true;
        fault.subchannel = entry->subchannel;
        fault.method = entry->method;
        fault.data = entry->data;
    }
    device_fault(device, &fault);
}

static uint32_t next_pointer(const struct pfifo_device *device, uint32_t pointer) {
    uint32_t gray = (pointer >> 2) % device->chip->cache1_slots, n = gray;
    for (uint32_t g = gray >> 1; g; g >>= 1)
        n ^= g;
    n = (n + 1) % device->chip->cache1_slots;
    return (n ^ n >> 1) << 2;
}

/* ---- CACHE_ERROR ---- */

static bool software(struct pfifo_device *device, const struct entry *entry) {
    struct pfifo_channel *channel = device_channel(device, nv1_current_channel(device));
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

static void cache_error(struct pfifo_device *device) {
    uint32_t pull0 = device_rd32(device, NV1_CACHE1_PULL0);
    struct entry entry = read_entry(device);
    if (!(pull0 & PULL0_DEVICE_SOFTWARE) || !software(device, &entry))
        report(device, "CACHE_ERROR", pull0 & PULL0_HASH_FAILED ? "HASH_FAILED" : "DEVICE_SOFTWARE", &entry);
    device_wr32(device, NV_PFIFO_INTR, INTR_CACHE_ERROR);
    device_mask(device, NV_CACHE1_PUSH0, PUSH_ACCESS, 0);
    device_wr32(device, NV_CACHE1_GET, next_pointer(device, entry.get));
    device_mask(device, NV_CACHE1_PUSH0, 0, PUSH_ACCESS);
    device_wr32(device, NV1_CACHE1_PULL0, PULL_ACCESS);
}

/* ---- the others ---- */

static void runout_overflow(struct pfifo_device *device) {
    report(device, "RUNOUT", "RUNOUT_OVERFLOW", NULL);
    device_wr32(device, NV_PFIFO_INTR, INTR_RUNOUT_OVERFLOW);
}

/* NV3's DMA is over; who launched it may launch another. */
static void dma_error(struct pfifo_device *device, const char *error, uint32_t bit) {
    report(device, "DMA_PUSHER", error, NULL);
    device_wr32(device, NV3_CACHE1_DMA0, 0);
    device_wr32(device, NV_PFIFO_INTR, bit);
}

static void dma_pusher(struct pfifo_device *device) {
    dma_error(device, "INVALID_CMD", INTR_DMA_PUSHER);
}

static void dma_pte(struct pfifo_device *device) {
    dma_error(device, "MEM_FAULT", INTR_DMA_PTE);
}

static const struct {
    uint32_t bit;
    void (*handle)(struct pfifo_device *device);
} handlers[] = {
    {INTR_CACHE_ERROR, cache_error}, {INTR_RUNOUT, pio_runout}, {INTR_RUNOUT_OVERFLOW, runout_overflow},
    {INTR_DMA_PUSHER, dma_pusher},   {INTR_DMA_PTE, dma_pte},
};

void nv1_interrupt(struct pfifo_device *device, uint32_t lines) {
    if (lines & PMC_INTR_PFIFO) {
        uint32_t status = device_rd32(device, NV_PFIFO_INTR) & device_rd32(device, NV_PFIFO_INTR_EN);
        uint32_t reassign = device_mask(device, NV_PFIFO_CACHES, CACHES_REASSIGN, 0) & CACHES_REASSIGN;
        for (size_t i = 0; i < sizeof handlers / sizeof handlers[0]; i++)
            if (status & handlers[i].bit)
                handlers[i].handle(device);
        device_mask(device, NV_PFIFO_CACHES, 0, reassign);
    }
    if (lines & PMC_INTR_PGRAPH)
        device_graph_interrupt(device, PMC_INTR_PGRAPH);
}
