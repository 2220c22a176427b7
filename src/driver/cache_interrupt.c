/* SPDX-License-Identifier: MIT */
/*
 * PFIFO's interrupt on NV4 .. MCP89: software methods are executed, methods by PIO that found no room are written
 * again, everything else is reported and skipped. The order of register accesses is nouveau's (engine/fifo/nv04.c).
 *
 * Differs from nouveau: a DMA_PUSHER error in the last word of a segment does not drop the segments that are queued
 * after it, and a semaphore error skips an entry only if it is a semaphore method.
 */
#include "driver/access.h"
#include "driver/cache.h"
#include "unit/error_names.h"
#include "driver/instance.h"
#include "driver/interrupts.h"
#include "driver/ops.h"

#include "hw/pfifo_nv4.h"

uint32_t cache_current_channel(struct pfifo_device *device) {
    return device_rd32(device, device->cache->channel) & ((1u << device->chip->channel_bits) - 1u);
}

bool cache_loaded(struct pfifo_device *device, uint32_t channel) {
    return cache_current_channel(device) == channel;
}

bool cache_busy(struct pfifo_device *device) {
    return device_rd32(device, NV_CACHE1_PUT) != device_rd32(device, NV_CACHE1_GET) ||
           (device_rd32(device, NV_CACHE1_PULL1) & PULL1_ACQUIRE_ACTIVE);
}

struct driver_cache_entry cache_entry_at_get(struct pfifo_device *device) {
    uint32_t get = device_rd32(device, NV_CACHE1_GET), slot = (get >> 2) % device->chip->cache1_slots;
    uint32_t at = device->cache->entries + 8 * slot, word = device_rd32(device, at);
    return (struct driver_cache_entry){get, word >> 13 & 7, word & 0x1ffc, device_rd32(device, at + 4)};
}

void cache_report(struct pfifo_device *device, const char *unit, const char *error,
                  const struct driver_cache_entry *entry, uint64_t address) {
    struct pfifo_device_fault fault = {
        .channel = cache_current_channel(device), .unit = unit, .error = error, .address = address};
    if (entry) {
        fault.has_method = true;
        fault.subchannel = entry->subchannel;
        fault.method = entry->method;
        fault.data = entry->data;
    }
    device_fault(device, &fault);
}

/* ---- CACHE_ERROR ---- */

/* Method 0 binds a software object: the engine of the subchannel becomes 0. */
static bool cache_software(struct pfifo_device *device, const struct driver_cache_entry *entry) {
    struct pfifo_channel *channel = device_channel(device, cache_current_channel(device));
    uint32_t nibble = 0xfu << 4 * entry->subchannel;
    if (!channel)
        return false;
    if (entry->method == 0) {
        if (!channel_software_bind(channel, entry->subchannel, entry->data))
            return false;
        device_mask(device, NV_CACHE1_ENGINE, nibble, 0);
        return true;
    }
    if (device_rd32(device, NV_CACHE1_ENGINE) & nibble)
        return false;
    bool translated = entry->method >= 0x180 && entry->method < 0x200; /* a handle, which the puller has translated */
    uint32_t data = translated ? device_rd32(device, NV_CACHE1_HASH) & 0xffff : entry->data;
    return channel_software_method(channel, entry->subchannel, entry->method, data);
}

static void cache_error(struct pfifo_device *device) {
    uint32_t pull0 = device_rd32(device, NV_CACHE1_PULL0);
    struct driver_cache_entry entry = cache_entry_at_get(device);
    if (!(pull0 & PULL0_DEVICE_SOFTWARE) || !cache_software(device, &entry))
        cache_report(device, "CACHE_ERROR", error_name(&errors_cache, pull0), &entry, 0);
    device_wr32(device, NV_CACHE1_DMA_PUSH, 0);
    device_wr32(device, NV_PFIFO_INTR, INTR_CACHE_ERROR);
    device_mask(device, NV_CACHE1_PUSH0, PUSH_ACCESS, 0);
    device_wr32(device, NV_CACHE1_GET, entry.get + 4);
    device_mask(device, NV_CACHE1_PUSH0, 0, PUSH_ACCESS);
    device_wr32(device, NV_CACHE1_HASH, 0);
    device_mask(device, NV_CACHE1_DMA_PUSH, 0, PUSH_ACCESS);
    device_wr32(device, NV_CACHE1_PULL0, PULL_ACCESS);
}

/* ---- DMA_PUSHER ---- */

enum pusher_error { ERROR_IB_EMPTY = 5, ERROR_MEM_FAULT = 6 };

/*
 * Before G80: drop all that is queued, and the return address of a subroutine (NV40-: it is in DMA_STATE). nouveau
 * keeps the return address, so that the next CALL fails.
 */
static void cache_drop_all(struct pfifo_device *device) {
    device_wr32(device, NV_CACHE1_DMA_GET, device_rd32(device, NV_CACHE1_DMA_PUT));
    if (device->cache->has_subroutine)
        device_wr32(device, NV_CACHE1_DMA_SUBROUTINE, 0);
}

/* Drop the rest of the segment. If the ring itself could not be read, drop all of the ring. */
static void cache_drop_segment(struct pfifo_device *device, uint32_t error) {
    uint32_t put = device_rd32(device, NV_CACHE1_DMA_PUT), put_high = device_rd32(device, NV_CACHE1_DMA_PUT_HIGH);
    bool rest =
        device_rd32(device, NV_CACHE1_DMA_GET) != put || device_rd32(device, NV_CACHE1_DMA_GET_HIGH) != put_high;
    device_wr32(device, NV_CACHE1_METHOD_COUNT, 0);
    if (rest) {
        device_wr32(device, NV_CACHE1_DMA_GET, put);
        device_wr32(device, NV_CACHE1_DMA_GET_HIGH, put_high);
    } else if (error == ERROR_MEM_FAULT) {
        device_wr32(device, NV_CACHE1_IB_GET, device_rd32(device, NV_CACHE1_IB_PUT));
    }
}

static void cache_dma_pusher_goes_on(struct pfifo_device *device) {
    device_wr32(device, NV_CACHE1_DMA_STATE, 0);
    device_wr32(device, NV_CACHE1_DMA_PUSH, PUSH_ACCESS);
    device_wr32(device, NV_PFIFO_INTR, INTR_DMA_PUSHER);
}

static void cache_dma_pusher_nv4(struct pfifo_device *device) {
    uint32_t error = device_rd32(device, NV_CACHE1_DMA_STATE) >> STATE_ERROR_SHIFT;
    cache_report(device, "DMA_PUSHER", error_name(&errors_pusher, error), NULL, device_rd32(device, NV_CACHE1_DMA_GET));
    cache_drop_all(device);
    cache_dma_pusher_goes_on(device);
}

static void cache_dma_pusher_g80(struct pfifo_device *device) {
    uint32_t error = device_rd32(device, NV_CACHE1_DMA_STATE) >> STATE_ERROR_SHIFT;
    uint64_t get = device_rd32(device, NV_CACHE1_DMA_GET);
    get |= (uint64_t)device_rd32(device, NV_CACHE1_DMA_GET_HIGH) << 32;
    cache_report(device, "DMA_PUSHER", error_name(&errors_pusher, error), NULL, get);
    cache_drop_segment(device, error);
    cache_dma_pusher_goes_on(device);
}

/* ---- SEMAPHORE ---- */

/* NV1A:G80 and G80:GF100 number them differently. */
static const char *semaphore_error_name(struct pfifo_device *device) {
    uint32_t code = device_rd32(device, NV_CACHE1_PULL0) >> PULL0_SEMAPHORE_SHIFT & 0xf;
    return device->cache->semaphore_errors ? error_name(device->cache->semaphore_errors, code) : "UNKNOWN";
}

static bool is_semaphore_method(uint32_t method) {
    return (method >= 0x10 && method <= 0x1c) || (method >= 0x60 && method <= 0x6c);
}

/* An acquire that fails while it waits has already left CACHE1. Then the entry at GET is not the cause. */
static void cache_semaphore(struct pfifo_device *device) {
    struct driver_cache_entry entry = cache_entry_at_get(device);
    bool there = device_rd32(device, NV_CACHE1_PUT) != entry.get && is_semaphore_method(entry.method);
    cache_report(device, "SEMAPHORE", semaphore_error_name(device), there ? &entry : NULL, 0);
    device_wr32(device, NV_PFIFO_INTR, INTR_SEMAPHORE);
    device_mask(device, NV_CACHE1_SEMAPHORE, 0, 1);
    if (there)
        device_wr32(device, NV_CACHE1_GET, entry.get + 4);
    device_wr32(device, NV_CACHE1_PULL0, PULL_ACCESS);
}

/* ---- all of them ---- */

static void cache_acquire_timeout(struct pfifo_device *device) {
    cache_report(device, "SEMAPHORE", "ACQUIRE_TIMEOUT", NULL, 0);
    device_wr32(device, NV_PFIFO_INTR, INTR_ACQUIRE_TIMEOUT);
}

/* DMA_PUSHER comes with it, and its handler does the work. */
static void cache_dma_pte(struct pfifo_device *device) {
    device_wr32(device, NV_PFIFO_INTR, INTR_DMA_PTE);
}

void cache_runout_overflow(struct pfifo_device *device) {
    cache_report(device, "RUNOUT", "RUNOUT_OVERFLOW", NULL, 0);
    device_wr32(device, NV_PFIFO_INTR, INTR_RUNOUT_OVERFLOW);
}

/* PFB has recorded the access: it is reported from there. */
static void cache_window_fault(struct pfifo_device *device) {
    device_wr32(device, NV_PFIFO_INTR, INTR_BAR_FAULT | INTR_PEEPHOLE);
}

static void cache_pio_error(struct pfifo_device *device) {
    cache_report(device, "PIO", "PIO_ERROR", NULL, 0);
    device_wr32(device, NV_PFIFO_INTR, INTR_PIO_ERROR);
}

/* A flush that the chip does not know is skipped like an unknown method. */
static void cache_line_flush(struct pfifo_device *device) {
    struct driver_cache_entry entry = cache_entry_at_get(device);
    cache_report(device, "CACHE_ERROR", "MTHD_UNK2C", &entry, 0);
    device_wr32(device, NV_PFIFO_INTR, INTR_LINE_FLUSH);
    device_wr32(device, NV_CACHE1_GET, entry.get + 4);
    device_wr32(device, NV_CACHE1_PULL0, PULL_ACCESS);
}

static const struct driver_cache_handler handlers_nv4[] = {
    {INTR_CACHE_ERROR, cache_error},
    {INTR_RUNOUT, pio_runout},
    {INTR_RUNOUT_OVERFLOW, cache_runout_overflow},
    {INTR_DMA_PUSHER, cache_dma_pusher_nv4},
    {INTR_DMA_PTE, cache_dma_pte},
    {INTR_SEMAPHORE, cache_semaphore},
    {INTR_ACQUIRE_TIMEOUT, cache_acquire_timeout},
    {0},
};

static const struct driver_cache_handler handlers_g80[] = {
    {INTR_CACHE_ERROR, cache_error},
    {INTR_BAR_FAULT, cache_window_fault},
    {INTR_PEEPHOLE, cache_window_fault},
    {INTR_PIO_ERROR, cache_pio_error},
    {INTR_DMA_PUSHER, cache_dma_pusher_g80},
    {INTR_SEMAPHORE, cache_semaphore},
    {0},
};

static const struct driver_cache_handler handlers_mcp89[] = {
    {INTR_CACHE_ERROR, cache_error},     {INTR_BAR_FAULT, cache_window_fault},
    {INTR_PEEPHOLE, cache_window_fault}, {INTR_PIO_ERROR, cache_pio_error},
    {INTR_LINE_FLUSH, cache_line_flush}, {INTR_DMA_PUSHER, cache_dma_pusher_g80},
    {INTR_SEMAPHORE, cache_semaphore},   {0},
};

#define SMALL .channel = NV_CACHE1_PUSH1, .entries = NV_CACHE1_ENTRY, .handlers = handlers_nv4
#define LARGE .channel = NV_CACHE1_PUSH1, .entries = NV_CACHE1_ENTRY_NV40

const struct driver_cache driver_cache_nv4 = {SMALL};
const struct driver_cache driver_cache_nv1a = {SMALL, .has_subroutine = true,
                                               .semaphore_errors = &errors_semaphore_nv1a};
const struct driver_cache driver_cache_nv40 = {LARGE, .handlers = handlers_nv4, .has_subroutine = true,
                                               .semaphore_errors = &errors_semaphore_nv1a};
const struct driver_cache driver_cache_g80 = {LARGE, .handlers = handlers_g80,
                                              .semaphore_errors = &errors_semaphore_g80};
const struct driver_cache driver_cache_mcp89 = {LARGE, .handlers = handlers_mcp89,
                                                .semaphore_errors = &errors_semaphore_g80};

void cache_fifo_interrupt(struct pfifo_device *device) {
    uint32_t status = device_rd32(device, NV_PFIFO_INTR) & device_rd32(device, NV_PFIFO_INTR_EN);
    uint32_t reassign = device_mask(device, NV_PFIFO_CACHES, CACHES_REASSIGN, 0) & CACHES_REASSIGN;
    for (const struct driver_cache_handler *handler = device->cache->handlers; handler->bit; handler++) {
        if (!(status & handler->bit))
            continue;
        handler->handle(device);
        status &= ~handler->bit;
    }
    if (status) {
        cache_report(device, "PFIFO", "UNKNOWN", NULL, status);
        device_mask(device, NV_PFIFO_INTR_EN, status, 0);
        device_wr32(device, NV_PFIFO_INTR, status);
    }
    device_mask(device, NV_PFIFO_CACHES, 0, reassign);
}
