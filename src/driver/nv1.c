/* SPDX-License-Identifier: MIT */
/*
 * The driver of NV1, NV3 and NV3T: RAMIN, objects, channels. Methods come by PIO only.
 *
 *   RAMIN  NV1   0 RAMHT | 0x8000 RAMRO | 0xc000 RAMFC | 0x11000 heap     (PRAM CONFIG 3, the largest)
 *          NV3   0 RAMHT | 0x8000 RAMFC | 0x9000 RAMRO | 0xa000 heap
 *
 * RAMHT has 256 rows of 16 entries. Objects have types, not classes: the names of classes are those of later chips.
 * GART is one DMA object over the bus; NV3's own DMA is left to programs that write its registers. NV3's DMA objects
 * are in nv3_objects.c.
 *
 * Not modelled: DMA objects of NV1, which are set in PGRAPH's registers by hand.
 * Sources: NetBSD xsrc riva_tbl.h, nv1setup.c, nv1ref.h (start, RAMHT); envytools docs/hw/memory/nv1-vram.rst,
 *          docs/hw/fifo/nv1-pfifo.rst, rnndb/fifo/nv1_pfifo.xml, docs/hw/graph/intro.rst (types).
 */
#include "driver/nv1.h"

#include "hw/pbus.h"
#include "hw/pmc.h"

#define ROWS         256u
#define COLUMNS      16u
#define RAMFC_WORDS  8u
#define PASSWORD_END 0x19000u /* NV1 keeps something of its own in VRAM below */

#define GART_BYTES UINT64_C(0x1000000)
#define BUS_BYTES  (UINT64_C(1) << 32)

/* ---- variants ---- */

static void set_places_nv1(struct pfifo_device *device) {
    device_wr32(device, NV_PRAM_CONFIG, 3);
    device_wr32(device, NV_PFIFO_CONFIG_0, 0); /* FREE is never falsified */
}

static void set_places_nv3(struct pfifo_device *device) {
    const struct nv1_driver_variant *variant = nv1_variant_of(device);
    device_wr32(device, NV_PFIFO_RAMHT, 3u << 16 | variant->ramht);
    device_wr32(device, NV_PFIFO_RAMFC, variant->ramfc);
    device_wr32(device, NV_PFIFO_RAMRO, variant->ramro);
}

#define NV3_VARIANT                                                                                                    \
    .ramin_bar = 1, .ramin_at = NV3_RAMIN, .ramht = 0, .ramfc = 0x8000, .ramro = 0x9000, .ramro_bytes = 0x200,         \
    .heap = 0xa000, .put = NV_CACHE1_PUT, .graph = 1u << 23, .has_instance = true, .class_column = 1,                  \
    .set_places = set_places_nv3

static const struct nv1_driver_variant variants[] = {
    {.chips = "NV1",
     .ramin_bar = 0,
     .ramin_at = 0x700000,
     .ramht = 0,
     .ramro = 0x8000,
     .ramro_bytes = 0x4000,
     .ramfc = 0xc000,
     .heap = 0x11000,
     .put = NV1_CACHE1_PUT,
     .cache = {NV1_CACHE1_PUSH1, NV1_CACHE1_ENTRY, nv1_handlers},
     .vram_floor = PASSWORD_END,
     .set_places = set_places_nv1},
    {.chips = "NV3", NV3_VARIANT, .cache = {NV_CACHE1_PUSH1, NV1_CACHE1_ENTRY, nv1_handlers}},
    {.chips = "NV3T", NV3_VARIANT, .cache = {NV_CACHE1_PUSH1, NV3T_CACHE1_ENTRY, nv1_handlers}},
};

/* Types of PGRAPH's objects, and their classes on NV1 and NV3; 0: there is none. */
static const struct {
    uint8_t type, object_class[2];
} types[] = {
    {0x41, {0x12, 0x12}}, {0x42, {0x14, 0x43}}, {0x43, {0x17, 0x17}}, {0x44, {0x16, 0x16}}, {0x45, {0x19, 0x19}},
    {0x46, {0x18, 0x18}}, {0x47, {0, 0x1e}},    {0x48, {0x1a, 0x1a}}, {0x49, {0x1b, 0x1b}}, {0x4a, {0x1c, 0x1c}},
    {0x4b, {0x1d, 0x1d}}, {0x4c, {0x1e, 0x4b}}, {0x4d, {0x23, 0x39}}, {0x4e, {0x24, 0x37}}, {0x50, {0x1f, 0x1f}},
    {0x51, {0x21, 0x21}}, {0x52, {0x22, 0x22}}, {0x53, {0x20, 0}},    {0x54, {0x25, 0x25}}, {0x55, {0, 0x36}},
    {0x57, {0, 0x48}},    {0x58, {0, 0x47}},    {0x5c, {0, 0x58}},    {0x5d, {0x34, 0}},    {0x5e, {0x35, 0}},
};

/* ---- memory ---- */

static void set_pages(struct pfifo_device *device, const struct pfifo_buffer *buffer, uint32_t flags) {
    uint64_t table = ((struct nv1_device *)device)->gart_object + 8;
    for (uint64_t done = 0; done < buffer->bytes; done += PAGE_BYTES)
        inst_wr32(device, table + (buffer->address + done) / PAGE_BYTES * 4,
                  flags ? (uint32_t)(buffer->physical + done) | flags : 0);
}

static void nv1_map(struct pfifo_device *device, const struct pfifo_buffer *buffer) {
    set_pages(device, buffer, NV1_PTE_PRESENT | NV1_PTE_WRITE);
}

static void nv1_unmap(struct pfifo_device *device, const struct pfifo_buffer *buffer) {
    set_pages(device, buffer, 0);
}

/* ---- objects ---- */

/* Handle 0 with context 0 is an empty entry; no context that is made here is 0. */
static uint64_t nv1_insert(struct pfifo_device *device, uint32_t channel, uint32_t handle, uint32_t context) {
    uint32_t row = ((handle ^ handle >> 8 ^ handle >> 16 ^ handle >> 24) & (ROWS - 1)) ^ channel;
    uint64_t slot = nv1_variant_of(device)->ramht + (uint64_t)row * COLUMNS * 8;
    for (uint32_t column = 0; column < COLUMNS; column++, slot += 8) {
        if (inst_rd32(device, slot) || inst_rd32(device, slot + 4))
            continue;
        inst_wr32(device, slot, handle);
        inst_wr32(device, slot + 4, context);
        return slot + 1; /* the first entry is at 0, which means none */
    }
    return 0;
}

static bool find_type(const struct nv1_driver_variant *variant, const struct channel_object *object,
                      uint32_t *context) {
    *context = CONTEXT_SOFTWARE;
    if (object->software)
        return true;
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        *context = (uint32_t)types[i].type << 16 | variant->graph;
        if (types[i].object_class[variant->class_column] == object->object_class)
            return true;
    }
    return false;
}

/* On NV1 a context has options of PGRAPH where NV3 has the instance: none are set. */
static enum pfifo_status nv1_object(struct pfifo_channel *channel, struct channel_object *object, unsigned engine,
                                    struct pfifo_error *error) {
    struct pfifo_device *device = channel->device;
    const struct nv1_driver_variant *variant = nv1_variant_of(device);
    uint32_t context;
    (void)engine;
    if (!find_type(variant, object, &context))
        return pfifo_error_set(error, PFIFO_ERROR_UNSUPPORTED, "%s has no objects of class 0x%x", device->chip->name,
                               (unsigned)object->object_class);
    if (variant->has_instance) {
        object->instance = inst_alloc(device, NV1_OBJECT_BYTES, NV1_OBJECT_BYTES);
        if (!object->instance)
            return pfifo_error_set(error, PFIFO_ERROR_MEMORY, "no instance memory left");
        context |= (uint32_t)(object->instance >> 4) | channel->number << 24;
    }
    object->slot = nv1_insert(device, channel->number, object->handle, context);
    if (object->slot)
        return PFIFO_OK;
    inst_free(device, object->instance);
    return pfifo_error_set(error, PFIFO_ERROR_MEMORY, "RAMHT is too full for handle 0x%x", (unsigned)object->handle);
}

static enum pfifo_status nv1_dma_object(struct pfifo_channel *channel, struct channel_object *object,
                                        const struct pfifo_buffer *buffer, uint64_t offset, uint64_t bytes,
                                        struct pfifo_error *error) {
    if (nv1_variant_of(channel->device)->has_instance)
        return nv3_dma_object(channel, object, buffer, offset, bytes, error);
    return pfifo_error_set(error, PFIFO_ERROR_UNSUPPORTED, "%s has no DMA objects by handle",
                           channel->device->chip->name);
}

/* ---- channels ---- */

static uint32_t idle_channel(const struct pfifo_device *device) {
    return device->chip->channels - 1u;
}

static bool nv1_cache_empty(struct pfifo_device *device) {
    return device_rd32(device, nv1_variant_of(device)->put) == device_rd32(device, NV_CACHE1_GET);
}

static enum pfifo_status nv1_channel_open(struct pfifo_channel *channel, struct pfifo_error *error) {
    struct pfifo_device *device = channel->device;
    uint64_t ramfc = nv1_variant_of(device)->ramfc + (uint64_t)channel->number * device->chip->ramfc_bytes;
    bool spaces = channel->config.vram_handle || channel->config.gart_handle;
    if (spaces && !nv1_variant_of(device)->has_instance)
        return pfifo_error_set(error, PFIFO_ERROR_UNSUPPORTED, "%s has no DMA objects by handle", device->chip->name);
    if (spaces && nv3_add_spaces((struct nv1_channel *)channel, error) != PFIFO_OK)
        return PFIFO_ERROR_MEMORY;
    for (uint32_t i = 0; i < RAMFC_WORDS; i++)
        inst_wr32(device, ramfc + (uint64_t)4 * i, 0);
    return PFIFO_OK;
}

/* Leave CACHE1 empty, with the idle channel. */
static void park(struct pfifo_device *device) {
    const struct nv1_driver_variant *variant = nv1_variant_of(device);
    device_wr32(device, NV_CACHE1_PUSH0, 0);
    device_wr32(device, NV1_CACHE1_PULL0, 0);
    device_wr32(device, device->cache->channel, idle_channel(device));
    device_wr32(device, variant->put, 0);
    device_wr32(device, NV_CACHE1_GET, 0);
    for (uint32_t i = 0; i < RAMFC_WORDS; i++)
        device_wr32(device, NV1_CACHE1_CTX + NV1_CACHE1_CTX_STRIDE * i, 0);
    device_wr32(device, NV1_CACHE1_PULL1, 0);
    device_wr32(device, NV_CACHE1_PUSH0, PUSH_ACCESS);
    device_wr32(device, NV1_CACHE1_PULL0, PULL_ACCESS);
}

static void nv1_object_gone(struct pfifo_channel *channel, const struct channel_object *object) {
    if (object->slot)
        ramht_remove(channel->device, object->slot - 1);
    inst_free(channel->device, object->instance);
}

static void nv1_channel_close(struct pfifo_channel *channel) {
    struct pfifo_device *device = channel->device;
    device_wr32(device, NV_PFIFO_CACHES, 0);
    if (cache_loaded(device, channel->number))
        park(device);
    device_wr32(device, NV_PFIFO_CACHES, CACHES_REASSIGN);
    device_graph_forget(channel);
    for (size_t i = 0; i < channel->object_count; i++)
        nv1_object_gone(channel, &channel->objects[i]);
    inst_free(device, ((struct nv1_channel *)channel)->vram.instance);
}

static bool nv1_idle(struct pfifo_channel *channel) {
    struct pfifo_device *device = channel->device;
    if (pio_pending(channel))
        return false;
    return !cache_loaded(device, channel->number) || nv1_cache_empty(device);
}

static bool nv1_pio_ready(struct pfifo_channel *channel) {
    struct pfifo_device *device = channel->device;
    return cache_loaded(device, channel->number) || nv1_cache_empty(device);
}

/* ---- the device ---- */

static void nv1_start_fifo(struct pfifo_device *device) {
    device_mask(device, NV_PMC_ENABLE, PMC_ENABLE_PFIFO | PMC_ENABLE_PGRAPH, 0);
    device_wr32(device, NV_PMC_ENABLE, ~0u);
    device_wr32(device, NV_PFIFO_CACHES, 0);
    device_wr32(device, NV_CACHE0_PUSH0, 0);
    device_wr32(device, NV1_CACHE0_PULL0, 0);
    nv1_variant_of(device)->set_places(device);
    device_wr32(device, NV_PFIFO_RUNOUT_PUT, 0);
    device_wr32(device, NV_PFIFO_RUNOUT_GET, 0);
    device_wr32(device, NV_PFIFO_INTR, ~0u);
    device_wr32(device, NV_PFIFO_INTR_EN, ~0u);
    device_graph_enable(device);
    park(device);
    device_wr32(device, NV_PFIFO_CACHES, CACHES_REASSIGN);
}

static enum pfifo_status nv1_init(struct pfifo_device *device, struct pfifo_error *error) {
    struct nv1_device *nv1 = (struct nv1_device *)device;
    uint32_t ramin_bytes = device->chip->ramin_bytes;
    nv1->variant = CHIP_ROW(device->chip, variants);
    device->cache = &nv1->variant->cache;
    if (device->vram.end < 2 * (uint64_t)ramin_bytes)
        return pfifo_error_set(error, PFIFO_ERROR_ARGUMENT, "%s needs at least %u MiB of VRAM", device->chip->name,
                               (unsigned)(ramin_bytes >> 19));
    device->vram.ceiling = device->vram.end -= ramin_bytes;
    if (nv1->variant->vram_floor)
        device->vram.floor = nv1->variant->vram_floor;
    pool_limit(&device->system, BUS_BYTES);
    device->ramin_bar = nv1->variant->ramin_bar;
    device->ramin_at = nv1->variant->ramin_at;
    device->ramin = (struct pool){.floor = nv1->variant->heap, .ceiling = ramin_bytes, .end = ramin_bytes};
    device->runout.base = nv1->variant->ramro;
    device->runout.bytes = nv1->variant->ramro_bytes;
    nv1_start_fifo(device);
    nv1->gart_object = inst_alloc(device, 8 + GART_BYTES / PAGE_BYTES * 4, NV1_OBJECT_BYTES);
    if (!nv1->gart_object)
        return pfifo_error_set(error, PFIFO_ERROR_MEMORY, "no instance memory left");
    inst_wr32(device, nv1->gart_object, NV1_OBJECT_PRESENT | NV1_TARGET_PCI);
    inst_wr32(device, nv1->gart_object + 4, (uint32_t)(GART_BYTES - 1));
    return PFIFO_OK;
}

/* There are no rings. */
static uint32_t nv1_ring_get(struct pfifo_channel *channel) {
    (void)channel;
    return UINT32_MAX;
}

static void nv1_ring_put(struct pfifo_channel *channel) {
    (void)channel;
}

const struct driver_ops driver_nv1 = {
    .name = "NV1",
    .device_bytes = sizeof(struct nv1_device),
    .channel_bytes = sizeof(struct nv1_channel),
    .linear_vram = true,
    .default_mode = PFIFO_CHANNEL_PIO,
    .has_pio_mode = true,
    .has_handles = true,
    .spare_channels = 1,
    .va_floor = PAGE_BYTES,
    .va_ceiling = GART_BYTES,
    .va_end = GART_BYTES,
    .lines = PMC_INTR_PFIFO | PMC_INTR_PGRAPH,
    .inst_rd32 = ramin_rd32,
    .inst_wr32 = ramin_wr32,
    .init = nv1_init,
    .map = nv1_map,
    .unmap = nv1_unmap,
    .channel_open = nv1_channel_open,
    .channel_close = nv1_channel_close,
    .object = nv1_object,
    .dma_object = nv1_dma_object,
    .object_gone = nv1_object_gone,
    .ring_get = nv1_ring_get,
    .ring_put = nv1_ring_put,
    .idle = nv1_idle,
    .fence = fence_before_g80,
    .pio_ready = nv1_pio_ready,
    .graph_method = nv3_graph_method,
    .interrupt = nv1_interrupt,
};
