/* SPDX-License-Identifier: MIT */
/*
 * Channels of NV4 .. NV4x: their RAMFC, CACHE1 when they close, and their position in the ring.
 *
 * A PIO channel has no pushbuffer: its RAMFC names none.
 *
 * Sources: nouveau engine/fifo/{dmanv04,dmanv10,dmanv17,dmanv40,nv04}.c, nouveau_dma.c.
 */
#include "driver/nv4.h"

#include "hw/pfifo_nv4.h"
#include "hw/ramfc.h"
#include "hw/user.h"

uint32_t nv4_idle_channel(const struct pfifo_device *device) {
    return device->chip->channels - 1u;
}

/* ---- RAMFC ---- */

static uint32_t nv4_ramfc_of(const struct pfifo_channel *channel) {
    return nv4_variant_of(channel->device)->ramfc + channel->number * channel->device->chip->ramfc_bytes;
}

/*
 * PGRAPH's context of the channel, by whose address NV40 and later know it. It is never loaded or stored, and so needs
 * no memory of its own: the address is that of RAMFC.
 */
uint32_t nv4_graph_page(const struct pfifo_channel *channel) {
    return nv4_ramfc_of(channel) >> 4;
}

static void nv4_write_ramfc(struct pfifo_channel *channel) {
    struct pfifo_device *device = channel->device;
    const struct nv4_driver_variant *variant = nv4_variant_of(device);
    uint64_t ramfc = nv4_ramfc_of(channel);
    for (uint32_t i = 0; i < device->chip->ramfc_bytes; i += 4)
        inst_wr32(device, ramfc + i, 0);
    for (size_t i = 0; i < sizeof variant->values / sizeof variant->values[0]; i++)
        if (variant->values[i].value)
            inst_wr32(device, ramfc + variant->values[i].offset, variant->values[i].value);
    if (variant->graph_page)
        inst_wr32(device, ramfc + variant->graph_page, nv4_graph_page(channel));
    if (channel->mode != PFIFO_CHANNEL_DMA)
        return;
    inst_wr32(device, ramfc + NV_RAMFC_DMA_PUT, (uint32_t)channel->ring->address);
    inst_wr32(device, ramfc + NV_RAMFC_DMA_GET, (uint32_t)channel->ring->address);
    inst_wr32(device, ramfc + variant->pushbuffer_object, (uint32_t)(((struct nv4_device *)device)->gart_object >> 4));
}

/* ---- opening and closing ---- */

/* A handle for an object that belongs to the device. */
static enum pfifo_status nv4_add_space(struct pfifo_channel *channel, uint32_t handle, uint64_t instance,
                                       struct channel_object *object, struct pfifo_error *error) {
    *object = (struct channel_object){.handle = handle};
    return handle ? nv4_add_handle(channel, object, instance, 0, error) : PFIFO_OK;
}

static void nv4_drop_spaces(struct nv4_channel *nv4) {
    if (nv4->vram.slot)
        ramht_remove(nv4->base.device, nv4->vram.slot);
    if (nv4->gart.slot)
        ramht_remove(nv4->base.device, nv4->gart.slot);
}

enum pfifo_status nv4_channel_open(struct pfifo_channel *channel, struct pfifo_error *error) {
    struct pfifo_device *device = channel->device;
    struct nv4_device *nv4 = (struct nv4_device *)device;
    struct nv4_channel *own = (struct nv4_channel *)channel;
    const struct pfifo_channel_config *config = &channel->config;
    enum pfifo_status status = nv4_add_space(channel, config->vram_handle, nv4->vram_object, &own->vram, error);
    if (status == PFIFO_OK)
        status = nv4_add_space(channel, config->gart_handle, nv4->gart_object, &own->gart, error);
    if (status != PFIFO_OK) {
        nv4_drop_spaces(own);
        return status;
    }
    nv4_write_ramfc(channel);
    if (channel->mode == PFIFO_CHANNEL_DMA)
        device_mask(device, NV_PFIFO_MODE, 0, 1u << channel->number);
    return PFIFO_OK;
}

static void nv4_unload(struct pfifo_device *device) {
    device_mask(device, NV_CACHE1_DMA_PUSH, PUSH_ACCESS, 0);
    device_wr32(device, NV_CACHE1_PUSH0, 0);
    device_mask(device, NV_CACHE1_PULL0, PULL_ACCESS, 0);
    for (const uint16_t *offset = nv4_variant_of(device)->ramfc_regs; *offset; offset++)
        device_wr32(device, *offset, 0);
    device_wr32(device, NV_CACHE1_GET, 0);
    device_wr32(device, NV_CACHE1_PUT, 0);
    device_wr32(device, NV_CACHE1_PUSH1, nv4_idle_channel(device));
    device_wr32(device, NV_CACHE1_PUSH0, PUSH_ACCESS);
    device_wr32(device, NV_CACHE1_PULL0, PULL_ACCESS);
}

void nv4_object_gone(struct pfifo_channel *channel, const struct channel_object *object) {
    ramht_remove(channel->device, object->slot);
    inst_free(channel->device, object->instance);
}

void nv4_channel_close(struct pfifo_channel *channel) {
    struct pfifo_device *device = channel->device;
    uint32_t bit = 1u << channel->number;
    device_wr32(device, NV_PFIFO_CACHES, 0);
    device_mask(device, NV_PFIFO_MODE, bit, 0);
    device_mask(device, NV_PFIFO_DMA, bit, 0);
    if (cache_loaded(device, channel->number))
        nv4_unload(device);
    device_wr32(device, NV_PFIFO_CACHES, CACHES_REASSIGN);
    nv4_drop_spaces((struct nv4_channel *)channel);
    for (size_t i = 0; i < channel->object_count; i++)
        nv4_object_gone(channel, &channel->objects[i]);
}

/* ---- DMA channels ---- */

static uint32_t nv4_user_of(const struct pfifo_channel *channel) {
    const struct nv4_driver_variant *variant = nv4_variant_of(channel->device);
    return variant->user + variant->user_stride * channel->number;
}

/* While GET is outside of the ring, the position is not known: at least the slot where GET was last. */
uint32_t nv4_ring_get(struct pfifo_channel *channel) {
    struct nv4_channel *nv4 = (struct nv4_channel *)channel;
    uint32_t get = device_rd32(channel->device, nv4_user_of(channel) + nv4_variant_of(channel->device)->user_get);
    uint32_t slot = (get - (uint32_t)channel->ring->address) / 4;
    if (slot <= channel->slots)
        nv4->get = slot % channel->slots;
    return nv4->get;
}

void nv4_ring_put(struct pfifo_channel *channel) {
    uint32_t put = channel->own_end ? (uint32_t)channel->own_end : (uint32_t)channel->ring->address + 4 * channel->put;
    device_wr32(channel->device, nv4_user_of(channel) + NV_USER_DMA_PUT, put);
}

/* GET is written where the channel is: in CACHE1, or in RAMFC. */
void nv4_ring_move(struct pfifo_channel *channel, uint32_t address) {
    struct pfifo_device *device = channel->device;
    device_wr32(device, NV_PFIFO_CACHES, 0);
    if (cache_loaded(device, channel->number)) {
        uint32_t access = device_mask(device, NV_CACHE1_DMA_PUSH, PUSH_ACCESS, 0) & PUSH_ACCESS;
        device_wr32(device, NV_CACHE1_DMA_GET, address);
        device_wr32(device, NV_CACHE1_DMA_PUT, address);
        device_mask(device, NV_CACHE1_DMA_PUSH, 0, access);
    } else {
        inst_wr32(device, nv4_ramfc_of(channel) + NV_RAMFC_DMA_GET, address);
        inst_wr32(device, nv4_ramfc_of(channel) + NV_RAMFC_DMA_PUT, address);
    }
    device_wr32(device, NV_PFIFO_CACHES, CACHES_REASSIGN);
}

uint32_t nv4_reference(struct pfifo_channel *channel) {
    return device_rd32(channel->device, nv4_user_of(channel) + NV_USER_REF);
}

bool nv4_idle(struct pfifo_channel *channel) {
    struct pfifo_device *device = channel->device;
    uint32_t user = nv4_user_of(channel);
    if (channel->mode == PFIFO_CHANNEL_DMA &&
        device_rd32(device, user + NV_USER_DMA_GET) != device_rd32(device, user + NV_USER_DMA_PUT))
        return false;
    if (channel->mode == PFIFO_CHANNEL_PIO && pio_pending(channel))
        return false;
    if (cache_loaded(device, channel->number))
        return !cache_busy(device);
    return !(device_rd32(device, NV_PFIFO_DMA) >> channel->number & 1);
}

/* ---- PIO channels ---- */

bool nv4_pio_ready(struct pfifo_channel *channel) {
    struct pfifo_device *device = channel->device;
    if (cache_loaded(device, channel->number))
        return true;
    return !cache_busy(device) && device_rd32(device, NV_CACHE1_DMA_PUT) == device_rd32(device, NV_CACHE1_DMA_GET);
}
