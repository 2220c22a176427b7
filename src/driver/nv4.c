/* SPDX-License-Identifier: MIT */
/*
 * The driver of NV4 .. NV4x: RAMIN, objects, start-up. What differs between the chips is in nv4_variants.c.
 *
 * GART is a paged DMA object over the bus, as nouveau has it where it does not use the chip's own PCIe GART; its
 * page table follows it in RAMIN. One object for VRAM and one for GART serve all channels.
 *
 * Not modelled: graphics contexts (PGRAPH gets none).
 * Sources: nouveau engine/fifo/{nv04,nv10,nv17,nv40}.c, subdev/instmem/{nv04,nv40}.c, subdev/mc/nv04.c,
 *          engine/dma/usernv04.c.
 */
#include "driver/nv4.h"

#include "hw/pfifo_nv4.h"
#include "hw/pmc.h"

#define DELAY 0x000000ffu
/* A PIO channel keeps CACHE1 while it has entries there: no TIMEOUT. */
#define PIO_TIMESLICE 0x0001ffffu

#define RAMHT_BASE   0x10000u
#define RAMHT_BITS   12
#define RAMHT_SEARCH 3u /* 128 probes */
#define RAMRO_BYTES  0x200u

#define BUS_BYTES   (UINT64_C(1) << 32) /* addresses in DMA objects have 32 bits */
#define PTE_PRESENT 1u
#define PTE_WRITE   2u
#define GART_RUN    256u /* entries that are written in one go */

#define CLASS_MEMORY  0x003du
#define OBJECT_PT     0x1000u
#define OBJECT_LINEAR 0x2000u
#define TARGET_PCI    0x20000u
#define OBJECT_BYTES  16u

/* ---- objects ---- */

static void write_linear(struct pfifo_device *device, uint64_t object, bool system, uint64_t base, uint64_t bytes) {
    uint32_t adjust = (uint32_t)base & (PAGE_BYTES - 1), frame = (uint32_t)(base - adjust) | PTE_WRITE;
    inst_wr32(device, object, CLASS_MEMORY | OBJECT_PT | OBJECT_LINEAR | (system ? TARGET_PCI : 0) | adjust << 20);
    inst_wr32(device, object + 4, (uint32_t)(bytes - 1));
    inst_wr32(device, object + 8, frame);
    inst_wr32(device, object + 12, frame);
}

static enum pfifo_status no_ramin(struct pfifo_error *error) {
    return pfifo_error_set(error, PFIFO_ERROR_MEMORY, "no instance memory left");
}

static enum pfifo_status make_spaces(struct nv4_device *nv4, struct pfifo_error *error) {
    struct pfifo_device *device = &nv4->base;
    nv4->vram_object = inst_alloc(device, OBJECT_BYTES, OBJECT_BYTES);
    nv4->gart_object = inst_alloc(device, 8 + nv4->variant->gart_bytes / PAGE_BYTES * 4, OBJECT_BYTES);
    if (!nv4->vram_object || !nv4->gart_object)
        return no_ramin(error);
    write_linear(device, nv4->vram_object, false, 0, nv4->vram_bytes < BUS_BYTES ? nv4->vram_bytes : BUS_BYTES);
    inst_wr32(device, nv4->gart_object, CLASS_MEMORY | OBJECT_PT | TARGET_PCI);
    inst_wr32(device, nv4->gart_object + 4, (uint32_t)(nv4->variant->gart_bytes - 1));
    return PFIFO_OK;
}

/* Write the entries of all pages of a buffer: each is `step` more than the one before. */
static void nv4_write_pages(struct pfifo_device *device, const struct pfifo_buffer *buffer, uint32_t first,
                            uint32_t step) {
    uint64_t at = ((struct nv4_device *)device)->gart_object + 8 + buffer->address / PAGE_BYTES * 4;
    uint32_t run[GART_RUN];
    for (uint64_t left = buffer->bytes / PAGE_BYTES, count; left; left -= count, at += 4 * count) {
        count = left < GART_RUN ? left : GART_RUN;
        for (uint64_t i = 0; i < count; i++, first += step)
            run[i] = first;
        ramin_write(device, at, run, (size_t)count);
    }
}

static void nv4_map(struct pfifo_device *device, const struct pfifo_buffer *buffer) {
    nv4_write_pages(device, buffer, (uint32_t)buffer->physical | PTE_PRESENT | PTE_WRITE, PAGE_BYTES);
}

static void nv4_unmap(struct pfifo_device *device, const struct pfifo_buffer *buffer) {
    nv4_write_pages(device, buffer, 0, 0);
}

enum pfifo_status nv4_add_handle(struct pfifo_channel *channel, struct channel_object *object, uint64_t instance,
                                 unsigned engine, struct pfifo_error *error) {
    const struct nv4_driver_variant *variant = nv4_variant_of(channel->device);
    const struct ramht_table table = {.base = RAMHT_BASE,
                                      .bits = RAMHT_BITS,
                                      .probes = 16u << RAMHT_SEARCH,
                                      .hash_add = channel->number << (RAMHT_BITS - 4)};
    uint32_t context = variant->valid | channel->number << variant->channel_shift | engine << variant->engine_shift |
                       (uint32_t)(instance >> 4);
    object->slot = ramht_insert(channel->device, &table, object->handle, context);
    if (object->slot)
        return PFIFO_OK;
    return pfifo_error_set(error, PFIFO_ERROR_MEMORY, "RAMHT is too full for handle 0x%x", (unsigned)object->handle);
}

static enum pfifo_status nv4_add_object(struct pfifo_channel *channel, struct channel_object *object, unsigned engine,
                                        struct pfifo_error *error) {
    enum pfifo_status status = nv4_add_handle(channel, object, object->instance, engine, error);
    if (status != PFIFO_OK)
        inst_free(channel->device, object->instance);
    return status;
}

static enum pfifo_status nv4_object(struct pfifo_channel *channel, struct channel_object *object, unsigned engine,
                                    struct pfifo_error *error) {
    object->instance = inst_alloc(channel->device, OBJECT_BYTES, OBJECT_BYTES);
    if (!object->instance)
        return no_ramin(error);
    bool graph = channel->device->chip->engines[engine] == CHIP_UNIT_PGRAPH;
    unsigned class_bits = graph ? channel->device->chip->object_class_bits : 16;
    inst_wr32(channel->device, object->instance, object->object_class & ((1u << class_bits) - 1u));
    return nv4_add_object(channel, object, engine, error);
}

static enum pfifo_status nv4_dma_object(struct pfifo_channel *channel, struct channel_object *object,
                                        const struct pfifo_buffer *buffer, uint64_t offset, uint64_t bytes,
                                        struct pfifo_error *error) {
    object->instance = inst_alloc(channel->device, OBJECT_BYTES, OBJECT_BYTES);
    if (!object->instance)
        return no_ramin(error);
    write_linear(channel->device, object->instance, buffer->system, buffer->physical + offset, bytes);
    return nv4_add_object(channel, object, 0, error);
}

/* ---- the device ---- */

static void nv4_start_fifo(struct pfifo_device *device) {
    const struct nv4_driver_variant *variant = nv4_variant_of(device);
    device_mask(device, NV_PMC_ENABLE, PMC_ENABLE_PFIFO | PMC_ENABLE_PGRAPH, 0);
    device_wr32(device, NV_PMC_ENABLE, ~0u);
    device_wr32(device, NV_PFIFO_DELAY_0, DELAY);
    device_wr32(device, NV_PFIFO_DMA_TIMESLICE, variant->dma_timeslice);
    device_wr32(device, NV_PFIFO_PIO_TIMESLICE, PIO_TIMESLICE);
    device_wr32(device, NV_PFIFO_RAMHT, RAMHT_SEARCH << 24 | (RAMHT_BITS - 9) << 16 | RAMHT_BASE >> 8);
    device_wr32(device, NV_PFIFO_RAMRO, variant->ramro >> 8);
    variant->set_ramfc(device);
    device_wr32(device, NV_CACHE1_PUSH1, nv4_idle_channel(device));
    device_wr32(device, NV_PFIFO_INTR, ~0u);
    device_wr32(device, NV_PFIFO_INTR_EN, ~0u);
    device_graph_enable(device);
    device_units_enable(device);
    device_wr32(device, NV_CACHE1_PUSH0, PUSH_ACCESS);
    device_wr32(device, NV_CACHE1_PULL0, PULL_ACCESS);
    device_wr32(device, NV_PFIFO_CACHES, CACHES_REASSIGN);
}

static enum pfifo_status nv4_init(struct pfifo_device *device, struct pfifo_error *error) {
    struct nv4_device *nv4 = (struct nv4_device *)device;
    uint32_t ramin_bytes = device->chip->ramin_bytes;
    uint64_t vram_bytes = device->vram.end;
    nv4->variant = nv4_find_variant(device->chip);
    device->cache = nv4->variant->cache;
    nv4->vram_bytes = vram_bytes;
    if (vram_bytes < 2 * (uint64_t)ramin_bytes)
        return pfifo_error_set(error, PFIFO_ERROR_ARGUMENT, "%s needs at least %u MiB of VRAM", device->chip->name,
                               (unsigned)(ramin_bytes >> 19));
    uint64_t vram_end = vram_bytes - ramin_bytes;
    device->vram.ceiling = device->vram.end = vram_end < BUS_BYTES ? vram_end : BUS_BYTES;
    device->gart.ceiling = device->gart.end = nv4->variant->gart_bytes;
    pool_limit(&device->system, BUS_BYTES);
    device->ramin_bar = nv4->variant->ramin_bar;
    device->ramin_at = nv4->variant->ramin_at;
    device->ramin = (struct pool){.floor = nv4->variant->heap, .ceiling = ramin_bytes, .end = ramin_bytes};
    device->runout.base = nv4->variant->ramro;
    device->runout.bytes = RAMRO_BYTES;
    enum pfifo_status status = make_spaces(nv4, error);
    if (status == PFIFO_OK)
        nv4_start_fifo(device);
    return status;
}

static void nv4_interrupt(struct pfifo_device *device, uint32_t lines) {
    if (lines & PMC_INTR_PFIFO)
        cache_fifo_interrupt(device);
    if (lines & PMC_INTR_PGRAPH)
        device_graph_interrupt(device, PMC_INTR_PGRAPH);
    device_unit_interrupts(device, lines & UNIT_LINES_NV4);
}

#define NV4_OPS                                                                                                        \
    .graph_method = device_graph_method, .device_bytes = sizeof(struct nv4_device),                                    \
    .channel_bytes = sizeof(struct nv4_channel), .linear_vram = true, .default_mode = PFIFO_CHANNEL_DMA,               \
    .has_dma_mode = true, .has_pio_mode = true, .has_handles = true, .spare_channels = 1, .va_floor = PAGE_BYTES,      \
    .lines = PMC_INTR_PFIFO | PMC_INTR_PGRAPH | UNIT_LINES_NV4, .inst_rd32 = ramin_rd32, .inst_wr32 = ramin_wr32,      \
    .init = nv4_init, .map = nv4_map, .unmap = nv4_unmap, .channel_open = nv4_channel_open,                            \
    .channel_close = nv4_channel_close, .object = nv4_object, .dma_object = nv4_dma_object,                            \
    .object_gone = nv4_object_gone, .ring_get = nv4_ring_get, .ring_put = nv4_ring_put, .ring_move = nv4_ring_move,    \
    .idle = nv4_idle, .fence = fence_before_g80, .reference = nv4_reference, .pio_ready = nv4_pio_ready,               \
    .graph_page = nv4_graph_page, .interrupt = nv4_interrupt

const struct driver_ops driver_nv4 = {.name = "NV4", NV4_OPS};
const struct driver_ops driver_nv40 = {.name = "NV40", NV4_OPS};
