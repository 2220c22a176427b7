/* SPDX-License-Identifier: MIT */
/*
 * Channels of GF100 .. GP10B as the kernel sees them.
 *
 *   instance block   0x000 RAMFC | 0x200 page directory, limit
 *   USERD            512 bytes or a page per channel, in VRAM, behind BAR 1: GP_GET, GP_PUT
 *   runlist          entries of 8 bytes; two lists take turns, so that the one in use is never written
 *
 * One virtual space for all channels: their instance blocks have the same directory.
 * Sources: nouveau engine/fifo/{gf100,gk104,gpfifogf100,gpfifogk104}.c, subdev/bar/gf100.c, subdev/mmu/vmmgf100.c;
 * NVIDIA open-gpu-doc manuals dev_ram, dev_pbdma.
 */
#include "driver/gpfifo.h"

enum {
    PMC_INTR_EN_SET = 0x160,
    PMC_SUBFIFO_ENABLE = 0x204,
    PBUS_BAR1_BLOCK = 0x1704,
    PBUS_BIND_STATUS = 0x1710,
    PFIFO_INTR = 0x2100,
    PFIFO_INTR_EN = 0x2140,
    PFIFO_BAR1_BASE = 0x2254,
    PBDMA = 0x40000,
    PBDMA_STRIDE = 0x2000,
    PBDMA_INTR_0 = 0x108,
    PBDMA_INTR_EN_0 = 0x10c,
    PBDMA_INTR_STALL = 0x13c,
    PBDMA_INTR_1 = 0x148,
    PBDMA_INTR_EN_1 = 0x14c,
    PFB_CONFIG = 0x100c80,
    PFB_FLUSH_SPACE = 0x100cb8,
    PFB_FLUSH = 0x100cbc,
    USERD_GP_GET = 0x88,
    USERD_GP_PUT = 0x8c,
};

#define BLOCK_VM         (1u << 31)
#define BIND_PENDING     3u
#define BAR1_BASE_ENABLE (1u << 28)
#define FLUSH_TRIGGER    (1u << 31)
#define FLUSH_ALL_VA     1u
#define FLUSH_SLOTS      0x00ff0000u
#define INTR_NO_STALL    0x10000100u /* of a PBDMA: what does not stop it */
#define INTR_PBDMA       0xfffffeffu
#define INTR_PFIFO       0x7fffffffu

#define INSTANCE_BYTES     PAGE_BYTES
#define INSTANCE_DIRECTORY 0x200
#define INSTANCE_LIMIT     0x208

static const struct table_ops *const tables_of[] = {
    [CHIP_VM_GF100] = &tables_gf100,
    [CHIP_VM_GK104] = &tables_gf100,
    [CHIP_VM_GM200] = &tables_gf100,
    [CHIP_VM_GP100] = &tables_gp100,
};

/* ---- virtual memory ---- */

static void flush_tlb(struct pfifo_device *device, uint64_t directory) {
    for (unsigned n = 0; n < POLL_TRIES && !(device_rd32(device, PFB_CONFIG) & FLUSH_SLOTS); n++) {
    }
    device_wr32(device, PFB_FLUSH_SPACE, (uint32_t)(directory >> 8));
    device_wr32(device, PFB_FLUSH, FLUSH_TRIGGER | FLUSH_ALL_VA);
}

bool gpfifo_map(struct pfifo_device *device, const struct pfifo_buffer *buffer) {
    const struct gpfifo_device *own = gpfifo_of(device);
    bool changed = false;
    bool mapped = own->tables->map(device, own->directory, buffer->address, buffer->bytes, buffer->physical,
                                   buffer->system, &changed);
    if (!mapped)
        own->tables->unmap(device, own->directory, buffer->address, buffer->bytes);
    flush_tlb(device, own->directory);
    return mapped;
}

void gpfifo_unmap(struct pfifo_device *device, const struct pfifo_buffer *buffer) {
    const struct gpfifo_device *own = gpfifo_of(device);
    own->tables->unmap(device, own->directory, buffer->address, buffer->bytes);
    flush_tlb(device, own->directory);
}

static void write_space(struct gpfifo_device *own, uint64_t instance, uint64_t directory, uint64_t limit) {
    inst_wr64(&own->base, instance + INSTANCE_DIRECTORY, directory | own->tables->directory_flags);
    inst_wr64(&own->base, instance + INSTANCE_LIMIT, limit);
}

/* ---- the device ---- */

static uint64_t userd_bytes(const struct pfifo_device *device) {
    return (uint64_t)device->chip->userd_stride << device->chip->channel_bits;
}

static bool make_bar(struct gpfifo_device *own) {
    struct pfifo_device *device = &own->base;
    uint64_t bytes = userd_bytes(device);
    bool changed = false;
    own->userd = inst_alloc(device, bytes, BIG_PAGE_BYTES);
    own->bar_instance = inst_alloc(device, INSTANCE_BYTES, PAGE_BYTES);
    own->bar_directory = inst_alloc(device, own->tables->directory_bytes, own->tables->directory_align);
    if (!own->userd || !own->bar_instance || !own->bar_directory ||
        !own->tables->map(device, own->bar_directory, 0, bytes, own->userd, false, &changed))
        return false;
    write_space(own, own->bar_instance, own->bar_directory, bytes - 1);
    device_wr32(device, PBUS_BAR1_BLOCK, BLOCK_VM | (uint32_t)(own->bar_instance >> 12));
    flush_tlb(device, own->bar_directory);
    return device_poll(device, PBUS_BIND_STATUS, BIND_PENDING, 0);
}

static uint64_t runlist_bytes(const struct pfifo_device *device) {
    return UINT64_C(8) << device->chip->channel_bits;
}

enum pfifo_status gpfifo_init(struct pfifo_device *device, const struct gpfifo_family *family,
                              struct pfifo_error *error) {
    struct gpfifo_device *own = gpfifo_of(device);
    own->family = family;
    own->tables = tables_of[device->chip->vm];
    own->directory = inst_alloc(device, own->tables->directory_bytes, own->tables->directory_align);
    own->runlist[0] = inst_alloc(device, runlist_bytes(device), PAGE_BYTES);
    own->runlist[1] = inst_alloc(device, runlist_bytes(device), PAGE_BYTES);
    if (own->directory && own->runlist[0] && own->runlist[1] && make_bar(own))
        return PFIFO_OK;
    return pfifo_error_set(error, PFIFO_ERROR_MEMORY, "too little memory for the driver's own structures");
}

static void start_pbdma(struct pfifo_device *device, uint32_t page) {
    device_mask(device, page + PBDMA_INTR_STALL, INTR_NO_STALL, 0);
    device_wr32(device, page + PBDMA_INTR_0, ~0u);
    device_wr32(device, page + PBDMA_INTR_EN_0, INTR_PBDMA);
    device_wr32(device, page + PBDMA_INTR_1, ~0u);
    device_wr32(device, page + PBDMA_INTR_EN_1, ~0u);
}

/* Units that are not there do not keep their bit. */
void gpfifo_start(struct pfifo_device *device) {
    struct gpfifo_device *own = gpfifo_of(device);
    device_wr32(device, PMC_SUBFIFO_ENABLE, ~0u);
    uint32_t units = device_rd32(device, PMC_SUBFIFO_ENABLE);
    for (own->pbdmas = 0; own->pbdmas < 32 && (units >> own->pbdmas & 1); own->pbdmas++)
        start_pbdma(device, PBDMA + PBDMA_STRIDE * own->pbdmas);
    device_wr32(device, PFIFO_BAR1_BASE, BAR1_BASE_ENABLE | 0);
    device_wr32(device, PFIFO_INTR, ~0u);
    device_wr32(device, PFIFO_INTR_EN, INTR_PFIFO);
    device_wr32(device, PMC_INTR_EN_SET, PMC_PFIFO); /* GP100-; before, this register only shows the line */
}

/* ---- channels ---- */

static unsigned log2_of(uint32_t value) {
    unsigned bits = 0;
    while (value >>= 1)
        bits++;
    return bits;
}

static uint64_t userd_offset(const struct pfifo_channel *channel) {
    return (uint64_t)channel->number * channel->device->chip->userd_stride;
}

static void write_ramfc(struct gpfifo_device *own, const struct pfifo_channel *channel, uint64_t instance) {
    struct pfifo_device *device = &own->base;
    const struct gpfifo_family *family = own->family;
    uint64_t ring = channel->ring->address, userd = own->userd + userd_offset(channel);
    for (size_t i = 0; i < family->ramfc_words; i++)
        inst_wr32(device, instance + family->ramfc[i].offset, family->ramfc[i].value);
    inst_wr64(device, instance + 0x08, userd);
    inst_wr64(device, instance + 0x48, ring | (uint64_t)log2_of(channel->entries) << 48);
    if (family->channel_in_ramfc)
        inst_wr32(device, instance + 0xe8, channel->number);
}

enum pfifo_status gpfifo_channel_memory(struct pfifo_channel *channel, struct pfifo_error *error) {
    struct gpfifo_device *own = gpfifo_of(channel->device);
    uint64_t instance = inst_alloc(channel->device, INSTANCE_BYTES, PAGE_BYTES);
    if (!instance)
        return pfifo_error_set(error, PFIFO_ERROR_MEMORY, "no memory left for a channel");
    ((struct gpfifo_channel *)channel)->instance = instance;
    for (uint32_t i = 0; i < channel->device->chip->userd_stride; i += 4)
        inst_wr32(channel->device, own->userd + userd_offset(channel) + i, 0);
    write_space(own, instance, own->directory, (UINT64_C(1) << own->tables->va_bits) - 1);
    write_ramfc(own, channel, instance);
    return PFIFO_OK;
}

static void add_entry(struct gpfifo_device *own, uint64_t list, uint32_t *count, const struct pfifo_channel *channel) {
    if (channel->dead)
        return;
    uint64_t at = list + 8 * (uint64_t)(*count)++;
    inst_wr32(&own->base, at, channel->number);
    inst_wr32(&own->base, at + 4, own->family->entry_word(&own->base, gpfifo_instance(channel)));
}

void gpfifo_update_runlist(struct pfifo_device *device, const struct pfifo_channel *extra) {
    struct gpfifo_device *own = gpfifo_of(device);
    uint64_t list = own->runlist[own->turn];
    uint32_t count = 0;
    own->turn ^= 1;
    for (const struct pfifo_channel *channel = device->channels; channel; channel = channel->next)
        add_entry(own, list, &count, channel);
    if (extra)
        add_entry(own, list, &count, extra);
    own->family->commit(device, list, count);
}

uint32_t gpfifo_ring_get(struct pfifo_channel *channel) {
    uint8_t b[4];
    pfifo_bar_read(channel->device->gpu, 1, userd_offset(channel) + USERD_GP_GET, b, sizeof b);
    return b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

void gpfifo_ring_put(struct pfifo_channel *channel) {
    uint32_t put = channel->put;
    const uint8_t b[4] = {(uint8_t)put, (uint8_t)(put >> 8), (uint8_t)(put >> 16), (uint8_t)(put >> 24)};
    pfifo_bar_write(channel->device->gpu, 1, userd_offset(channel) + USERD_GP_PUT, b, sizeof b);
}
