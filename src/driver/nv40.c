/* SPDX-License-Identifier: MIT */
/*
 * The kernel's part on NV40 .. NV4x.
 *
 *   RAMIN  0x10000 RAMHT | 0x18000 RAMRO | 0x20000 RAMFC | 0x21000 the hardware's | 0x40000 heap: objects, GART
 *
 * GART is a paged DMA object over the bus, as nouveau has it where it does not use the chip's own PCIe GART; its
 * page table follows it in RAMIN. One object for VRAM and one for GART serve all channels.
 *
 * Not modelled: graphics contexts (PGRAPH gets none), RAMRO's contents (nobody uses PIO).
 * Sources: nouveau engine/fifo/{nv40,dmanv40,dmanv04,nv04}.c, subdev/instmem/nv40.c, engine/dma/usernv04.c.
 */
#include "driver/driver.h"

#define PMC_PFIFO  (1u << 8)
#define PMC_PGRAPH (1u << 12)

enum {
    PFB_VRAM_SIZE = 0x10020c,
    PMC_ENABLE = 0x200,
    PFIFO_DELAY_0 = 0x2040,
    PFIFO_DMA_TIMESLICE = 0x2044,
    PFIFO_SLI = 0x2058,
    PFIFO_INTR = 0x2100,
    PFIFO_INTR_EN = 0x2140,
    PFIFO_RAMHT = 0x2210,
    PFIFO_RAMRO = 0x2218,
    PFIFO_RAMFC = 0x2220,
    PFIFO_RAMFC_SELECT = 0x2230,
    PFIFO_CACHES = 0x2500,
    PFIFO_MODE = 0x2504,
    PFIFO_DMA = 0x2508,
    CACHE1_PUSH0 = 0x3200,
    CACHE1_PUSH1 = 0x3204,
    CACHE1_PUT = 0x3210,
    CACHE1_DMA_PUSH = 0x3220,
    CACHE1_PULL0 = 0x3250,
    CACHE1_GET = 0x3270,
    USER = 0xc00000,
    USER_STRIDE = 0x1000,
    USER_PUT = 0x40,
    USER_GET = 0x44,
    USER_CGET = 0x54,
};

#define DELAY     0x000000ffu
#define TIMESLICE 0x2101ffffu
#define SLI       0x00000001u

#define RAMHT_BASE    0x10000u
#define RAMHT_BITS    12
#define RAMHT_SEARCH  3u /* 128 probes */
#define RAMRO_BASE    0x18000u
#define RAMFC_BASE    0x20000u
#define HEAP_BASE     0x40000u
#define RAMFC_UNKNOWN 0x00030000u
#define PRAMIN        0x700000u
#define PRAMIN_BYTES  0x100000u

#define IDLE_CHANNEL 31u

#define GART_BYTES  UINT64_C(0x20000000)
#define BUS_BYTES   (UINT64_C(1) << 32) /* addresses in DMA objects have 32 bits */
#define PTE_PRESENT 1u
#define PTE_WRITE   2u

#define CLASS_MEMORY  0x003du
#define OBJECT_PT     0x1000u
#define OBJECT_LINEAR 0x2000u
#define TARGET_PCI    0x20000u
#define OBJECT_BYTES  16u

#define CONTEXT_CHANNEL 23
#define CONTEXT_ENGINE  20

struct nv40_device {
    struct pfifo_device base;
    uint64_t vram_object, gart_object;
};

/* ---- RAMIN: the first MiB through BAR0, all of it through BAR 3 ---- */

static uint32_t nv40_inst_rd32(struct pfifo_device *device, uint64_t address) {
    uint8_t b[4];
    if (address < PRAMIN_BYTES)
        return device_rd32(device, PRAMIN + (uint32_t)address);
    pfifo_bar_read(device->gpu, 3, address, b, sizeof b);
    return b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

static void nv40_inst_wr32(struct pfifo_device *device, uint64_t address, uint32_t value) {
    const uint8_t b[4] = {(uint8_t)value, (uint8_t)(value >> 8), (uint8_t)(value >> 16), (uint8_t)(value >> 24)};
    if (address < PRAMIN_BYTES)
        device_wr32(device, PRAMIN + (uint32_t)address, value);
    else
        pfifo_bar_write(device->gpu, 3, address, b, sizeof b);
}

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

static enum pfifo_status make_spaces(struct nv40_device *nv40, uint64_t vram_bytes, struct pfifo_error *error) {
    struct pfifo_device *device = &nv40->base;
    nv40->vram_object = inst_alloc(device, OBJECT_BYTES, OBJECT_BYTES);
    nv40->gart_object = inst_alloc(device, 8 + GART_BYTES / PAGE_BYTES * 4, OBJECT_BYTES);
    if (!nv40->vram_object || !nv40->gart_object)
        return no_ramin(error);
    write_linear(device, nv40->vram_object, false, 0, vram_bytes);
    inst_wr32(device, nv40->gart_object, CLASS_MEMORY | OBJECT_PT | TARGET_PCI);
    inst_wr32(device, nv40->gart_object + 4, (uint32_t)(GART_BYTES - 1));
    return PFIFO_OK;
}

static bool nv40_map(struct pfifo_device *device, const struct pfifo_buffer *buffer) {
    uint64_t table = ((struct nv40_device *)device)->gart_object + 8;
    for (uint64_t done = 0; done < buffer->bytes; done += PAGE_BYTES)
        inst_wr32(device, table + (buffer->address + done) / PAGE_BYTES * 4,
                  (uint32_t)(buffer->physical + done) | PTE_PRESENT | PTE_WRITE);
    return true;
}

static void nv40_unmap(struct pfifo_device *device, const struct pfifo_buffer *buffer) {
    uint64_t table = ((struct nv40_device *)device)->gart_object + 8;
    for (uint64_t done = 0; done < buffer->bytes; done += PAGE_BYTES)
        inst_wr32(device, table + (buffer->address + done) / PAGE_BYTES * 4, 0);
}

static enum pfifo_status add_handle(struct pfifo_channel *channel, struct channel_object *object, uint64_t instance,
                                    unsigned engine, struct pfifo_error *error) {
    const struct ramht_table table = {.base = RAMHT_BASE,
                                      .bits = RAMHT_BITS,
                                      .probes = 16u << RAMHT_SEARCH,
                                      .hash_add = channel->number << (RAMHT_BITS - 4)};
    uint32_t context = channel->number << CONTEXT_CHANNEL | engine << CONTEXT_ENGINE | (uint32_t)(instance >> 4);
    object->slot = ramht_insert(channel->device, &table, object->handle, context);
    if (object->slot)
        return PFIFO_OK;
    return pfifo_error_set(error, PFIFO_ERROR_MEMORY, "RAMHT is too full for handle 0x%x", (unsigned)object->handle);
}

static enum pfifo_status add_object(struct pfifo_channel *channel, struct channel_object *object, unsigned engine,
                                    struct pfifo_error *error) {
    enum pfifo_status status = add_handle(channel, object, object->instance, engine, error);
    if (status != PFIFO_OK)
        inst_free(channel->device, object->instance);
    return status;
}

static enum pfifo_status nv40_object(struct pfifo_channel *channel, struct channel_object *object, unsigned engine,
                                     struct pfifo_error *error) {
    object->instance = inst_alloc(channel->device, OBJECT_BYTES, OBJECT_BYTES);
    if (!object->instance)
        return no_ramin(error);
    inst_wr32(channel->device, object->instance, object->object_class);
    return add_object(channel, object, engine, error);
}

static enum pfifo_status nv40_dma_object(struct pfifo_channel *channel, struct channel_object *object,
                                         const struct pfifo_buffer *buffer, uint64_t offset, uint64_t bytes,
                                         struct pfifo_error *error) {
    object->instance = inst_alloc(channel->device, OBJECT_BYTES, OBJECT_BYTES);
    if (!object->instance)
        return no_ramin(error);
    write_linear(channel->device, object->instance, buffer->system, buffer->physical + offset, bytes);
    return add_object(channel, object, 0, error);
}

/* ---- channels ---- */

static const struct {
    uint16_t offset;
    uint32_t value;
} ramfc_values[] = {
    {0x18, 0x30086078}, /* fetch: trigger 128 bytes, size 128 bytes, 8 requests; SLI enabled and active */
    {0x3c, 0x0001ffff}, /* timeslice */
};

/* CACHE1's part of a channel: cleared when the channel goes. */
static const uint16_t ramfc_regs[] = {
    0x3240, 0x3244, 0x3248, 0x322c, 0x32a0, 0x3228, 0x3224, 0x3280, 0x3254, 0x3268, 0x3264,
    0x3260, 0x326c, 0x324c, 0x32e0, 0x32e4, 0x32e8, 0x2088, 0x3300, 0x330c, 0x3310, 0x3314,
};

static void write_ramfc(struct pfifo_channel *channel) {
    struct pfifo_device *device = channel->device;
    uint64_t ramfc = RAMFC_BASE + (uint64_t)channel->number * device->chip->ramfc_bytes;
    for (uint32_t i = 0; i < device->chip->ramfc_bytes; i += 4)
        inst_wr32(device, ramfc + i, 0);
    for (size_t i = 0; i < sizeof ramfc_values / sizeof ramfc_values[0]; i++)
        inst_wr32(device, ramfc + ramfc_values[i].offset, ramfc_values[i].value);
    inst_wr32(device, ramfc + 0x00, (uint32_t)channel->ring->address);
    inst_wr32(device, ramfc + 0x04, (uint32_t)channel->ring->address);
    inst_wr32(device, ramfc + 0x0c, (uint32_t)(((struct nv40_device *)device)->gart_object >> 4));
}

/* A handle for an object that belongs to the device. */
static enum pfifo_status add_space(struct pfifo_channel *channel, uint32_t handle, uint64_t instance,
                                   struct channel_object *object, struct pfifo_error *error) {
    *object = (struct channel_object){.handle = handle};
    return handle ? add_handle(channel, object, instance, 0, error) : PFIFO_OK;
}

struct nv40_channel {
    struct pfifo_channel base;
    struct channel_object vram, gart;
};

static void drop_spaces(struct nv40_channel *nv40) {
    if (nv40->vram.slot)
        ramht_remove(nv40->base.device, nv40->vram.slot);
    if (nv40->gart.slot)
        ramht_remove(nv40->base.device, nv40->gart.slot);
}

static enum pfifo_status nv40_channel_open(struct pfifo_channel *channel, struct pfifo_error *error) {
    struct pfifo_device *device = channel->device;
    struct nv40_device *nv40 = (struct nv40_device *)device;
    struct nv40_channel *own = (struct nv40_channel *)channel;
    const struct pfifo_channel_config *config = &channel->config;
    enum pfifo_status status = add_space(channel, config->vram_handle, nv40->vram_object, &own->vram, error);
    if (status == PFIFO_OK)
        status = add_space(channel, config->gart_handle, nv40->gart_object, &own->gart, error);
    if (status != PFIFO_OK) {
        drop_spaces(own);
        return status;
    }
    write_ramfc(channel);
    device_mask(device, PFIFO_MODE, 0, 1u << channel->number);
    return PFIFO_OK;
}

static void unload(struct pfifo_device *device) {
    device_mask(device, CACHE1_DMA_PUSH, 1, 0);
    device_wr32(device, CACHE1_PUSH0, 0);
    device_mask(device, CACHE1_PULL0, 1, 0);
    for (size_t i = 0; i < sizeof ramfc_regs / sizeof ramfc_regs[0]; i++)
        device_wr32(device, ramfc_regs[i], 0);
    device_wr32(device, CACHE1_GET, 0);
    device_wr32(device, CACHE1_PUT, 0);
    device_wr32(device, CACHE1_PUSH1, IDLE_CHANNEL);
    device_wr32(device, CACHE1_PUSH0, 1);
    device_wr32(device, CACHE1_PULL0, 1);
}

static void nv40_channel_close(struct pfifo_channel *channel) {
    struct pfifo_device *device = channel->device;
    uint32_t bit = 1u << channel->number;
    device_wr32(device, PFIFO_CACHES, 0);
    device_mask(device, PFIFO_MODE, bit, 0);
    device_mask(device, PFIFO_DMA, bit, 0);
    if (cache_loaded(device, channel->number))
        unload(device);
    device_wr32(device, PFIFO_CACHES, 1);
    drop_spaces((struct nv40_channel *)channel);
    for (size_t i = 0; i < channel->object_count; i++) {
        ramht_remove(device, channel->objects[i].slot);
        inst_free(device, channel->objects[i].instance);
    }
}

static uint32_t user_of(const struct pfifo_channel *channel) {
    return USER + USER_STRIDE * channel->number;
}

/* Where the ring goes on: behind the CALL while a segment runs. */
static uint32_t nv40_ring_get(struct pfifo_channel *channel) {
    uint32_t get = device_rd32(channel->device, user_of(channel) + USER_CGET);
    uint32_t slot = (get - (uint32_t)channel->ring->address) / 4;
    return slot > channel->slots ? UINT32_MAX : slot % channel->slots;
}

static void nv40_ring_put(struct pfifo_channel *channel) {
    device_wr32(channel->device, user_of(channel) + USER_PUT, (uint32_t)channel->ring->address + 4 * channel->put);
}

static bool nv40_idle(struct pfifo_channel *channel) {
    struct pfifo_device *device = channel->device;
    uint32_t user = user_of(channel);
    if (device_rd32(device, user + USER_GET) != device_rd32(device, user + USER_PUT))
        return false;
    if (cache_loaded(device, channel->number))
        return !cache_busy(device);
    return !(device_rd32(device, PFIFO_DMA) >> channel->number & 1);
}

/* ---- the device ---- */

/* Chips that can choose where RAMFC is: in RAMIN where there is a GART table in RAMIN, else an address in VRAM. */
static void set_ramfc(struct pfifo_device *device, uint64_t vram_bytes) {
    const struct chip *chip = device->chip;
    bool in_ramin = chip->gart_page_bits && !chip->has_packed_gart;
    if (!chip->has_ramfc_select) {
        device_wr32(device, PFIFO_RAMFC, RAMFC_UNKNOWN | RAMFC_BASE >> 16);
        return;
    }
    uint64_t vram = vram_bytes - chip->ramin_chunk + RAMFC_BASE;
    device_wr32(device, PFIFO_RAMFC_SELECT, in_ramin);
    device_wr32(device, PFIFO_RAMFC, RAMFC_UNKNOWN | (in_ramin ? RAMFC_BASE >> 16 : (uint32_t)(vram >> 16)));
}

static void start_fifo(struct pfifo_device *device, uint64_t vram_bytes) {
    device_mask(device, PMC_ENABLE, PMC_PFIFO | PMC_PGRAPH, 0);
    device_mask(device, PMC_ENABLE, 0, PMC_PFIFO | PMC_PGRAPH);
    device_wr32(device, PFIFO_DELAY_0, DELAY);
    device_wr32(device, PFIFO_DMA_TIMESLICE, TIMESLICE);
    device_wr32(device, PFIFO_SLI, SLI);
    device_wr32(device, PFIFO_RAMHT, RAMHT_SEARCH << 24 | (RAMHT_BITS - 9) << 16 | RAMHT_BASE >> 8);
    device_wr32(device, PFIFO_RAMRO, RAMRO_BASE >> 8);
    set_ramfc(device, vram_bytes);
    device_wr32(device, CACHE1_PUSH1, IDLE_CHANNEL);
    device_wr32(device, PFIFO_INTR, ~0u);
    device_wr32(device, PFIFO_INTR_EN, ~0u);
    device_graph_enable(device);
    device_wr32(device, CACHE1_PUSH0, 1);
    device_wr32(device, CACHE1_PULL0, 1);
    device_wr32(device, PFIFO_CACHES, 1);
}

static enum pfifo_status nv40_init(struct pfifo_device *device, struct pfifo_error *error) {
    uint64_t vram_bytes = device_rd32(device, PFB_VRAM_SIZE);
    uint32_t ramin_bytes = device->chip->ramin_bytes;
    if (vram_bytes < 2 * (uint64_t)ramin_bytes)
        return pfifo_error_set(error, PFIFO_ERROR_ARGUMENT, "%s needs at least %u MiB of VRAM", device->chip->name,
                               (unsigned)(ramin_bytes >> 19));
    device->vram.ceiling = device->vram.end = vram_bytes - ramin_bytes;
    if (device->system.end > BUS_BYTES)
        device->system.ceiling = device->system.end = BUS_BYTES;
    device->ramin = (struct pool){.floor = HEAP_BASE, .ceiling = ramin_bytes, .end = ramin_bytes};
    enum pfifo_status status = make_spaces((struct nv40_device *)device, vram_bytes, error);
    if (status == PFIFO_OK)
        start_fifo(device, vram_bytes);
    return status;
}

static void nv40_interrupt(struct pfifo_device *device, uint32_t lines) {
    if (lines & PMC_PFIFO)
        cache_fifo_interrupt(device);
    if (lines & PMC_PGRAPH)
        device_graph_interrupt(device, PMC_PGRAPH);
}

const struct driver_ops driver_nv40 = {
    .name = "NV40",
    .device_bytes = sizeof(struct nv40_device),
    .channel_bytes = sizeof(struct nv40_channel),
    .linear_vram = true,
    .default_mode = PFIFO_CHANNEL_DMA,
    .has_dma_mode = true,
    .has_handles = true,
    .last_channel = IDLE_CHANNEL - 1,
    .va_floor = PAGE_BYTES,
    .va_ceiling = GART_BYTES,
    .va_end = GART_BYTES,
    .lines = PMC_PFIFO | PMC_PGRAPH,
    .inst_rd32 = nv40_inst_rd32,
    .inst_wr32 = nv40_inst_wr32,
    .init = nv40_init,
    .map = nv40_map,
    .unmap = nv40_unmap,
    .channel_open = nv40_channel_open,
    .channel_close = nv40_channel_close,
    .object = nv40_object,
    .dma_object = nv40_dma_object,
    .ring_get = nv40_ring_get,
    .ring_put = nv40_ring_put,
    .idle = nv40_idle,
    .interrupt = nv40_interrupt,
};
