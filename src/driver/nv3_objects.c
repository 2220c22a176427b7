/* SPDX-License-Identifier: MIT */
/*
 * DMA objects of NV3. PGRAPH has no methods to bind them (0x180 ..): it refuses these, and the driver writes what they
 * mean into the object in RAMIN, and into PGRAPH if that has it loaded. So programs bind them as on later chips.
 *
 *   0x180  notifiers        word 1 31:16   0x400684
 *   0x184  main DMA object  word 1 15:0    0x400680
 *   0x188  M2MF's other     word 2 15:0    0x40068c
 *
 * Handles of DMA objects are the driver's own: no puller looks them up.
 *
 * [driver] What NVIDIA's driver did for these methods is not published; nothing else can be done with them on this
 * chip. Sources: envytools docs/hw/graph/riva/pgraph.rst, rnndb/graph/nv3_pgraph.xml, nv3_pdma.xml,
 * hwtest/pgraph_mthd.h.
 */
#include "driver/nv1.h"

#include "hw/pgraph.h"

#define PAGE       4096u
#define TYPE(word) ((word) >> 16 & 0x1f)
#define INSTANCE   0xffffu

/* ---- making ---- */

/* In VRAM without a page table, in system memory with one. */
static void nv3_objects_write_object(struct pfifo_device *device, uint64_t at, bool system, uint64_t physical,
                                     uint64_t bytes) {
    uint64_t adjust = physical & (PAGE - 1), pages = system ? (adjust + bytes + PAGE - 1) / PAGE : 1;
    inst_wr32(device, at, NV1_OBJECT_PRESENT | (system ? NV1_TARGET_PCI : 0) | (uint32_t)adjust);
    inst_wr32(device, at + 4, (uint32_t)(bytes - 1));
    for (uint64_t i = 0; i < pages; i++)
        inst_wr32(device, at + 8 + 4 * i, (uint32_t)(physical - adjust + i * PAGE) | NV1_PTE_PRESENT | NV1_PTE_WRITE);
}

static enum pfifo_status nv3_objects_make_object(struct pfifo_device *device, struct channel_object *object,
                                                 bool system, uint64_t physical, uint64_t bytes,
                                                 struct pfifo_error *error) {
    uint64_t pages = system ? (physical % PAGE + bytes + PAGE - 1) / PAGE : 1;
    object->instance = inst_alloc(device, 8 + 4 * pages, NV1_OBJECT_BYTES);
    if (!object->instance)
        return pfifo_error_set(error, PFIFO_ERROR_MEMORY, "no instance memory left");
    nv3_objects_write_object(device, object->instance, system, physical, bytes);
    return PFIFO_OK;
}

enum pfifo_status nv3_dma_object(struct pfifo_channel *channel, struct channel_object *object,
                                 const struct pfifo_buffer *buffer, uint64_t offset, uint64_t bytes,
                                 struct pfifo_error *error) {
    return nv3_objects_make_object(channel->device, object, buffer->system, buffer->physical + offset, bytes, error);
}

enum pfifo_status nv3_add_spaces(struct nv1_channel *channel, struct pfifo_error *error) {
    struct pfifo_device *device = channel->base.device;
    channel->vram.handle = channel->base.config.vram_handle;
    return channel->vram.handle ? nv3_objects_make_object(device, &channel->vram, false, 0, device->vram.end, error)
                                : PFIFO_OK;
}

/* ---- binding ---- */

/* The instance of a handle; 0, which may be one, too, is no object otherwise. False: there is none. */
static bool nv3_objects_find(struct pfifo_channel *channel, uint32_t handle, uint64_t *instance) {
    const struct nv1_channel *own = (struct nv1_channel *)channel;
    *instance = 0;
    for (size_t i = 0; i < channel->object_count; i++)
        if (channel->objects[i].handle == handle && channel->objects[i].object_class == 0)
            *instance = channel->objects[i].instance;
    if (handle && handle == channel->config.vram_handle)
        *instance = own->vram.instance;
    if (handle && handle == channel->config.gart_handle)
        *instance = ((struct nv1_device *)channel->device)->gart_object;
    return *instance || handle == 0;
}

static const struct nv3_bind {
    uint32_t types; /* of objects that have it */
    uint16_t method;
    uint8_t word, shift; /* of the object */
    uint32_t loaded;     /* register */
} binds[] = {
    {~0u, 0x180, 4, 16, NV_PGRAPH_GROBJ_NOTIFY_NV3},
    {1u << 0x0c | 1u << 0x0d | 1u << 0x0e | 1u << 0x14 | 1u << 0x17, 0x184, 4, 0, NV_PGRAPH_GROBJ_DMA_NV3},
    {1u << 0x0d, 0x188, 8, 0, NV_PGRAPH_GROBJ_M2MF_NV3},
};

static void set(struct pfifo_device *device, const struct nv3_bind *bind, uint32_t value) {
    uint32_t at = device_rd32(device, NV_PGRAPH_TRAPPED_GINST_NV3), word = inst_rd32(device, (at << 4) + bind->word);
    inst_wr32(device, (at << 4) + bind->word, (word & ~(INSTANCE << bind->shift)) | value << bind->shift);
    if (device_rd32(device, NV_PGRAPH_GROBJ_INST_NV3) == at)
        device_mask(device, bind->loaded, INSTANCE, value);
}

bool nv3_graph_method(struct pfifo_device *device, const struct pfifo_device_fault *trapped) {
    struct pfifo_channel *channel = device_channel(device, trapped->channel);
    uint64_t instance;
    if (!channel || !nv1_variant_of(device)->has_instance || !nv3_objects_find(channel, trapped->data, &instance))
        return false;
    uint32_t type = TYPE(device_rd32(device, NV_PGRAPH_TRAPPED_ADDR_NV3));
    for (size_t i = 0; i < sizeof binds / sizeof binds[0]; i++) {
        if (binds[i].method != trapped->method || !(binds[i].types >> type & 1))
            continue;
        set(device, &binds[i], (uint32_t)(instance >> 4));
        return true;
    }
    return false;
}
