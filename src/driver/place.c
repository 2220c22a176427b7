/* SPDX-License-Identifier: MIT */
/*
 * Where a channel stands, as registers and instance memory show it: for who looks at one that does not go on.
 *
 * Sources: envytools docs/hw/fifo/{dma-pusher,cache,puller}.rst, rnndb/fifo/gf100_pfifo.xml;
 *          NVIDIA open-gpu-doc manuals/volta/gv100/dev_pbdma.ref.txt.
 */
#include "driver/driver.h"
#include "driver/gpfifo.h"
#include "driver/nv4.h"
#include "hw/pbdma.h"
#include "hw/pfifo_nv4.h"
#include "hw/user.h"

/* ---- CACHE1: NV4 .. MCP89 ---- */

static void place_in_cache(struct pfifo_channel *channel, struct channel_place *place) {
    struct pfifo_device *device = channel->device;
    place->loaded = cache_loaded(device, channel->number);
    if (!place->loaded)
        return;
    place->acquires = device_rd32(device, NV_CACHE1_PULL1) & PULL1_ACQUIRE_ACTIVE;
    if (device_rd32(device, NV_CACHE1_PUT) == device_rd32(device, NV_CACHE1_GET))
        return;
    const struct driver_cache_entry entry = cache_entry_at_get(device);
    place->has_method = true;
    place->subchannel = entry.subchannel;
    place->method = entry.method;
    place->data = entry.data;
}

static void place_nv4(struct pfifo_channel *channel, struct channel_place *place) {
    const struct nv4_driver_variant *variant = nv4_variant_of(channel->device);
    place->get = device_rd32(channel->device, variant->user + variant->user_stride * channel->number + NV_USER_DMA_GET);
    place_in_cache(channel, place);
}

/* The low half first: it latches the high one. */
static void place_g80(struct pfifo_channel *channel, struct channel_place *place) {
    uint32_t user = NV_USER_DMA + NV_USER_DMA_CHANNEL_G80 * channel->number;
    place->get = device_rd32(channel->device, user + NV_USER_DMA_GET);
    place->get |= (uint64_t)(device_rd32(channel->device, user + NV_USER_DMA_GET_HIGH) & 0xff) << 32;
    place_in_cache(channel, place);
}

/* ---- PBDMAs: GF100 and later ---- */

/* The page of the PBDMA that has the channel. 0: none has. */
static uint32_t place_page_of(const struct pfifo_channel *channel) {
    struct pfifo_device *device = channel->device;
    bool old = !device->chip->has_runlists;
    uint32_t id = old ? PBDMA_CHANNEL_ID_GF100 : PBDMA_CHANNEL_ID;
    uint32_t active = old ? PBDMA_CHANNEL_ACTIVE_GF100 : PBDMA_CHANNEL_ACTIVE;
    for (uint32_t i = 0; i < gpfifo_of(device)->pbdmas; i++) {
        uint32_t page = NV_PBDMA_BASE + NV_PBDMA_STRIDE * i, on = device_rd32(device, page + NV_PBDMA_CHANNEL);
        if ((on & active) && (on & id) == channel->number)
            return page;
    }
    return 0;
}

/* A word of the page, or of RAMFC, which has the same. */
static uint32_t pbdma_word(const struct pfifo_channel *channel, uint32_t page, uint32_t offset) {
    return page ? device_rd32(channel->device, page + offset)
                : inst_rd32(channel->device, gpfifo_instance(channel) + offset);
}

static uint64_t pbdma_pair(const struct pfifo_channel *channel, uint32_t page, uint32_t low, uint32_t high) {
    return pbdma_word(channel, page, low) | (uint64_t)(pbdma_word(channel, page, high) & 0xff) << 32;
}

static void place_gpfifo(struct pfifo_channel *channel, struct channel_place *place) {
    uint32_t page = place_page_of(channel);
    place->loaded = page != 0;
    place->get = pbdma_pair(channel, page, NV_PBDMA_GET, NV_PBDMA_GET_HI);
    place->acquires = pbdma_word(channel, page, NV_PBDMA_SEM_EXECUTE) & SEM_EXECUTE_FAIL;
    if (!place->acquires)
        return;
    place->has_semaphore = true;
    place->semaphore = pbdma_pair(channel, page, NV_PBDMA_SEM_ADDR_LO, NV_PBDMA_SEM_ADDR_HI) & ~UINT64_C(3);
    place->wanted = pbdma_word(channel, page, NV_PBDMA_SEM_PAYLOAD_LO);
}

/* ---- all ---- */

void channel_place(struct pfifo_channel *channel, struct channel_place *place) {
    static const struct row {
        const char *chips;
        void (*find)(struct pfifo_channel *channel, struct channel_place *place);
    } rows[] = {{"NV4:G80", place_nv4}, {"G80:GF100", place_g80}, {"GF100-", place_gpfifo}};
    const struct row *row = CHIP_ROW(channel->device->chip, rows);
    *place = (struct channel_place){.ring_get = UINT32_MAX, .ring_put = UINT32_MAX};
    if (channel->mode == PFIFO_CHANNEL_PIO || !row)
        return;
    place->ring_get = channel->device->ops->ring_get(channel);
    place->ring_put = channel->put;
    row->find(channel, place);
}
