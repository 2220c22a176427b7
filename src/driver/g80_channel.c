/* SPDX-License-Identifier: MIT */
/*
 * Channels of G80 .. MCP89.
 *
 *   channel descriptor, in VRAM
 *     G80   0x0000 RAMFC | 0x0200 contexts | 0x0400 CACHE | 0x1400 page directory | 0x8000 RAMHT | 0x10000 objects
 *     G84   0x0000 contexts                               | 0x0200 page directory | 0x8000 RAMHT | 0x10000 objects
 *           RAMFC and CACHE are elsewhere
 *
 * The context of an engine is made with the channel's first object of that engine. It is a page that stays empty: the
 * machine keeps the state of its engines itself.
 *
 * Sources: nouveau engine/fifo/{nv50,channv50,chang84,dmanv50,dmag84,gpfifonv50,gpfifog84}.c, engine/dma/usernv50.c;
 * envytools docs/hw/memory/g80-vm.rst, rnndb/fifo/g80_pfifo.xml.
 */
#include "driver/g80.h"

#include "hw/pfifo_nv4.h"
#include "hw/ramfc.h"
#include "hw/user.h"

#include <assert.h>

#define KICK_MASK    0x3fu
#define KICK_PENDING UINT32_MAX
#define PME_READY    1u

#define RAMHT_OFFSET     0x8000u
#define RAMHT_BITS       12
#define RAMHT_ALL        (4u << 24)
#define HEAP_OFFSET      0x10000u
#define DESCRIPTOR_BYTES 0x30000u
#define OBJECT_BYTES     0x20u
#define SOFTWARE_CONTEXT 4u /* for objects without an instance: 0 would be an empty entry */
#define CONTEXT_ENGINE   20

#define FETCH 0x003f6078u /* trigger 128 bytes, size 128 bytes, 63 requests */

#define DMA_CLASS     0x003du
#define DMA_FLAGS     0x7fc00000u /* target VM; access, kind and compression as the page tables say */
#define CONTEXT_FLAGS 0x00190000u /* class 0, VRAM, read and write, supervisor */

/* ---- the copies of the page directory ---- */

void g80_copy_directory(const struct g80_channel *channel, uint64_t first, uint64_t last) {
    struct pfifo_device *device = channel->base.device;
    for (uint64_t i = first; i <= last; i++)
        inst_wr64(device, channel->descriptor + g80_variant_of(&channel->base)->page_directory + 8 * i,
                  inst_rd64(device, channel->base.vm->tables.directory + 8 * i));
}

/* Into a descriptor that is still zero. */
static void copy_whole_directory(const struct g80_channel *channel) {
    struct pfifo_device *device = channel->base.device;
    uint64_t directory = channel->base.vm->tables.directory;
    for (uint64_t i = 0; i < G80_DIRECTORY_ENTRIES; i++)
        if (inst_rd32(device, directory + 8 * i))
            g80_copy_directory(channel, i, i);
}

/* ---- objects ---- */

void g80_write_dma_object(struct pfifo_device *device, uint64_t object, uint32_t flags, uint64_t base, uint64_t bytes) {
    uint64_t limit = base + bytes - 1;
    inst_wr32(device, object, flags);
    inst_wr32(device, object + 4, (uint32_t)limit);
    inst_wr32(device, object + 8, (uint32_t)base);
    inst_wr32(device, object + 12, (uint32_t)(limit >> 32) << 24 | (uint32_t)(base >> 32));
    inst_wr32(device, object + 16, 0);
    inst_wr32(device, object + 20, 0);
}

/* Allocate an object in the channel's heap, for the life of the channel. 0: the heap is full. */
static uint32_t g80_heap_alloc(struct g80_channel *channel) {
    if (channel->heap + OBJECT_BYTES > DESCRIPTOR_BYTES)
        return 0;
    channel->heap += OBJECT_BYTES;
    return (uint32_t)(channel->heap - OBJECT_BYTES);
}

static enum pfifo_status g80_no_heap(struct pfifo_error *error) {
    return pfifo_error_set(error, PFIFO_ERROR_MEMORY, "no room left for objects of the channel");
}

static enum pfifo_status g80_add_handle(struct g80_channel *channel, struct channel_object *object, uint32_t context,
                                        struct pfifo_error *error) {
    const struct ramht_table table = {
        .base = channel->descriptor + RAMHT_OFFSET, .bits = RAMHT_BITS, .probes = 1u << RAMHT_BITS};
    object->slot = ramht_insert(channel->base.device, &table, object->handle, context);
    return object->slot ? PFIFO_OK : g80_no_heap(error);
}

/* Where the descriptor has the DMA object of an engine's context. */
static const struct {
    enum chip_unit unit;
    uint16_t g80, g84;
} contexts[] = {
    {CHIP_UNIT_PGRAPH, 0x200, 0x20}, {CHIP_UNIT_PVP1, 0x220, 0}, {CHIP_UNIT_PME, 0x240, 0},
    {CHIP_UNIT_PMPEG, 0x260, 0x60},  {CHIP_UNIT_PVP2, 0, 0x40},  {CHIP_UNIT_PPDEC, 0, 0x40},
    {CHIP_UNIT_PPPP, 0, 0x60},       {CHIP_UNIT_PBSP, 0, 0x80},  {CHIP_UNIT_PVLD, 0, 0x80},
    {CHIP_UNIT_PCIPHER, 0, 0xa0},    {CHIP_UNIT_PSEC, 0, 0xa0},  {CHIP_UNIT_PVCOMP, 0, 0xa0},
    {CHIP_UNIT_PCOPY0, 0, 0xc0},
};

static uint64_t context_object(const struct g80_channel *channel, unsigned engine) {
    enum chip_unit unit = channel->base.device->chip->engines[engine];
    for (size_t i = 0; i < sizeof contexts / sizeof contexts[0]; i++)
        if (contexts[i].unit == unit)
            return channel->descriptor +
                   (g80_variant_of(&channel->base)->ramfc_apart ? contexts[i].g84 : contexts[i].g80);
    assert(!"every engine has a context");
    return 0;
}

static bool make_context(struct g80_channel *channel, unsigned engine) {
    struct pfifo_device *device = channel->base.device;
    if (channel->context[engine])
        return true;
    channel->context[engine] = inst_alloc(device, PAGE_BYTES, PAGE_BYTES);
    if (!channel->context[engine])
        return false;
    g80_write_dma_object(device, context_object(channel, engine), CONTEXT_FLAGS, channel->context[engine], PAGE_BYTES);
    device_host_flush(device);
    return true;
}

/* Firmware does not read an object's class from memory, so there is none. Only the context must not be 0. */
#define NO_INSTANCE 0x40u

static enum pfifo_status firmware_object(struct g80_channel *channel, struct channel_object *object, unsigned engine,
                                         struct pfifo_error *error) {
    if (!make_context(channel, engine))
        return g80_no_heap(error);
    return g80_add_handle(channel, object, engine << CONTEXT_ENGINE | NO_INSTANCE >> 4, error);
}

/* The heap is given back with the channel. */
void g80_object_gone(struct pfifo_channel *channel, const struct channel_object *object) {
    ramht_remove(channel->device, object->slot);
}

enum pfifo_status g80_object(struct pfifo_channel *channel, struct channel_object *object, unsigned engine,
                             struct pfifo_error *error) {
    if (object->software)
        return g80_add_handle(g80_channel_of(channel), object, SOFTWARE_CONTEXT, error);
    if (channel->device->chip->own_classes[engine])
        return firmware_object(g80_channel_of(channel), object, engine, error);
    uint32_t offset = g80_heap_alloc(g80_channel_of(channel));
    if (!offset || !make_context(g80_channel_of(channel), engine))
        return g80_no_heap(error);
    object->instance = g80_channel_of(channel)->descriptor + offset;
    inst_wr32(channel->device, object->instance, object->object_class);
    return g80_add_handle(g80_channel_of(channel), object, engine << CONTEXT_ENGINE | offset >> 4, error);
}

static enum pfifo_status add_dma_object(struct g80_channel *channel, struct channel_object *object, uint64_t base,
                                        uint64_t bytes, struct pfifo_error *error) {
    uint32_t offset = g80_heap_alloc(channel);
    if (!offset)
        return g80_no_heap(error);
    object->instance = channel->descriptor + offset;
    g80_write_dma_object(channel->base.device, object->instance, DMA_FLAGS | DMA_CLASS, base, bytes);
    return g80_add_handle(channel, object, offset >> 4, error);
}

enum pfifo_status g80_dma_object(struct pfifo_channel *channel, struct channel_object *object,
                                 const struct pfifo_buffer *buffer, uint64_t offset, uint64_t bytes,
                                 struct pfifo_error *error) {
    uint64_t address;
    if (!vm_find_buffer(channel->vm, buffer, offset, bytes, &address))
        return pfifo_error_set(error, PFIFO_ERROR_ARGUMENT, "the buffer is not in the channel's address space");
    return add_dma_object(g80_channel_of(channel), object, address, bytes, error);
}

/* A handle for the whole virtual space. */
static enum pfifo_status add_space(struct g80_channel *channel, uint32_t handle, struct pfifo_error *error) {
    struct channel_object object = {.handle = handle};
    return handle ? add_dma_object(channel, &object, 0, G80_VA_BYTES, error) : PFIFO_OK;
}

/* ---- channels ---- */

static unsigned g80_log2_of(uint32_t value) {
    unsigned bits = 0;
    while (value >>= 1)
        bits++;
    return bits;
}

static void g80_write_ramfc(struct g80_channel *channel, uint32_t push_offset) {
    struct pfifo_device *device = channel->base.device;
    bool ib = channel->base.mode == PFIFO_CHANNEL_IB;
    uint64_t ring = channel->base.ring->address;
    const struct {
        uint16_t offset;
        uint32_t value;
    } words[] = {
        {G80_RAMFC_DMA_PUT, ib ? 0 : (uint32_t)ring},
        {G80_RAMFC_DMA_PUT_HIGH, ib ? 0 : (uint32_t)(ring >> 32)},
        {G80_RAMFC_DMA_GET, ib ? 0 : (uint32_t)ring},
        {G80_RAMFC_DMA_GET_HIGH, ib ? 0 : (uint32_t)(ring >> 32)},
        {G80_RAMFC_DMA_FETCH, FETCH | (ib ? DMA_FETCH_IB_ENABLE : 0)},
        {G80_RAMFC_DMA_TIMESLICE, G80_TIMESLICE},
        {G80_RAMFC_DMA_INSTANCE, push_offset >> 4},
        {G80_RAMFC_DMA_LIMIT, ib ? 0 : UINT32_MAX},
        {G80_RAMFC_IB_ADDRESS, ib ? (uint32_t)ring : 0},
        {G80_RAMFC_IB_CONFIG, ib ? (uint32_t)(ring >> 32) | g80_log2_of(channel->base.entries) << 16 : 0},
        {G80_RAMFC_ACQUIRE_TIMEOUT, 0x7fffffff},
        {G80_RAMFC_SLI, SLI_ENABLE | SLI_ACTIVE | 1},
        {G80_RAMFC_RAMHT, (RAMHT_BITS - 9) << 27 | RAMHT_ALL | RAMHT_OFFSET >> 4},
    };
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        inst_wr32(device, channel->ramfc + words[i].offset, words[i].value);
    if (!g80_variant_of(&channel->base)->ramfc_apart)
        return;
    inst_wr32(device, channel->ramfc + G84_RAMFC_CACHE_INST, (uint32_t)((channel->ramfc + PAGE_BYTES) >> 10));
    inst_wr32(device, channel->ramfc + RAMFC_CHAN_INST, (uint32_t)(channel->descriptor >> 12));
}

static uint32_t g80_table_entry(const struct g80_channel *channel) {
    return CHAN_ENABLE |
           (uint32_t)(g80_variant_of(&channel->base)->ramfc_apart ? channel->ramfc >> 8 : channel->descriptor >> 12);
}

/* Publish a list of all channels that are enabled. */
static void g80_write_playlist(struct pfifo_device *device) {
    struct g80_device *own = g80_of(device);
    uint64_t list = own->playlist[own->turn];
    uint32_t count = 0;
    own->turn ^= 1;
    for (uint32_t channel = 1; channel < CHANNEL_IDLE; channel++)
        if (device_rd32(device, NV_PFIFO_CHAN_TABLE + 4 * channel) & CHAN_ENABLE)
            inst_wr32(device, list + 4 * count++, channel);
    device_host_flush(device);
    device_wr32(device, NV_PFIFO_PLAYLIST, (uint32_t)(list >> 12));
    device_wr32(device, NV_PFIFO_PLAYLIST_LEN, count);
    device_wr32(device, NV_PFIFO_CACHES, CACHES_RELOAD | CACHES_REASSIGN);
}

void g80_clear_channels(struct pfifo_device *device) {
    for (uint32_t channel = 0; channel <= CHANNEL_IDLE; channel++)
        device_wr32(device, NV_PFIFO_CHAN_TABLE + 4 * channel, 0);
    g80_write_playlist(device);
}

static void g80_free_channel(struct g80_channel *channel) {
    for (unsigned i = 0; i < CHIP_MAX_ENGINES; i++)
        inst_free(channel->base.device, channel->context[i]);
    if (g80_variant_of(&channel->base)->ramfc_apart)
        inst_free(channel->base.device, channel->ramfc);
    inst_free(channel->base.device, channel->descriptor);
}

static enum pfifo_status g80_channel_memory(struct g80_channel *channel, struct pfifo_error *error) {
    struct pfifo_device *device = channel->base.device;
    channel->descriptor = inst_alloc(device, DESCRIPTOR_BYTES, PAGE_BYTES);
    channel->ramfc = channel->descriptor;
    channel->heap = HEAP_OFFSET;
    if (channel->descriptor && g80_variant_of(&channel->base)->ramfc_apart) /* RAMFC, and a page of CACHE after it */
        channel->ramfc = inst_alloc(device, 2 * PAGE_BYTES, PAGE_BYTES);
    if (channel->descriptor && channel->ramfc)
        return PFIFO_OK;
    return pfifo_error_set(error, PFIFO_ERROR_MEMORY, "no VRAM left for a channel");
}

enum pfifo_status g80_channel_open(struct pfifo_channel *base, struct pfifo_error *error) {
    struct g80_channel *channel = g80_channel_of(base);
    struct pfifo_device *device = base->device;
    enum pfifo_status status = g80_channel_memory(channel, error);
    uint32_t push = g80_heap_alloc(channel);
    if (status == PFIFO_OK)
        status = add_space(channel, base->config.vram_handle, error);
    if (status == PFIFO_OK)
        status = add_space(channel, base->config.gart_handle, error);
    if (status != PFIFO_OK) {
        g80_free_channel(channel);
        return status;
    }
    copy_whole_directory(channel);
    g80_write_dma_object(device, channel->descriptor + push, DMA_FLAGS | DMA_CLASS, 0, G80_VA_BYTES);
    g80_write_ramfc(channel, push);
    device_wr32(device, NV_PFIFO_CHAN_TABLE + 4 * base->number, g80_table_entry(channel));
    g80_write_playlist(device);
    return PFIFO_OK;
}

static void wait_for_kick(struct pfifo_device *device) {
    for (unsigned n = 0; n < POLL_TRIES && device_rd32(device, NV_PFIFO_KICK_CHANNEL) == KICK_PENDING; n++) {
    }
}

/* Take a channel off PFIFO and an engine. G80 asks all engines, and PME answers only if this is enabled. */
static void g80_channel_g80_kick(struct g80_channel *channel, unsigned engine) {
    struct pfifo_device *device = channel->base.device;
    uint32_t control = g80_variant_of(&channel->base)->ramfc_apart ? NV_PFIFO_ENGINE_CTRL : NV_PME_UNKB860, saved;
    if (g80_variant_of(&channel->base)->ramfc_apart)
        saved = device_mask(device, control, KICK_MASK, 1u << (engine - 1));
    else
        saved = device_mask(device, control, PME_READY, PME_READY);
    device_wr32(device, NV_PFIFO_KICK_CHANNEL, (uint32_t)(channel->descriptor >> 12));
    wait_for_kick(device);
    device_wr32(device, control, saved);
}

static void drop_contexts(struct g80_channel *channel) {
    for (unsigned engine = 1; engine < CHIP_MAX_ENGINES; engine++) {
        if (!channel->context[engine])
            continue;
        g80_channel_g80_kick(channel, engine);
        for (uint32_t i = 0; i < 0x18; i += 4)
            inst_wr32(channel->base.device, context_object(channel, engine) + i, 0);
    }
    device_host_flush(channel->base.device);
}

void g80_channel_close(struct pfifo_channel *channel) {
    struct pfifo_device *device = channel->device;
    drop_contexts(g80_channel_of(channel));
    device_mask(device, NV_PFIFO_CHAN_TABLE + 4 * channel->number, CHAN_ENABLE, 0);
    g80_write_playlist(device);
    device_wr32(device, NV_PFIFO_CHAN_TABLE + 4 * channel->number, 0);
    g80_free_channel(g80_channel_of(channel));
}

static uint32_t g80_user_of(const struct pfifo_channel *channel) {
    return NV_USER_DMA + NV_USER_DMA_CHANNEL_G80 * channel->number;
}

uint32_t g80_ring_get(struct pfifo_channel *channel) {
    if (channel->mode == PFIFO_CHANNEL_IB)
        return device_rd32(channel->device, g80_user_of(channel) + NV_USER_IB_GET);
    uint32_t get = device_rd32(channel->device, g80_user_of(channel) + NV_USER_DMA_CGET);
    uint32_t slot = (get - (uint32_t)channel->ring->address) / 4;
    return slot > channel->slots ? UINT32_MAX : slot % channel->slots;
}

void g80_ring_put(struct pfifo_channel *channel) {
    uint32_t user = g80_user_of(channel);
    if (channel->mode == PFIFO_CHANNEL_IB) {
        device_wr32(channel->device, user + NV_USER_IB_PUT, channel->put);
        return;
    }
    uint64_t put = channel->ring->address + 4 * (uint64_t)channel->put;
    device_wr32(channel->device, user + NV_USER_DMA_PUT_HIGH, (uint32_t)(put >> 32));
    device_wr32(channel->device, user + NV_USER_DMA_PUT, (uint32_t)put);
}

uint32_t g80_reference(struct pfifo_channel *channel) {
    return device_rd32(channel->device, g80_user_of(channel) + NV_USER_REF);
}

const struct fence_ops *g80_fence(const struct pfifo_channel *channel) {
    (void)channel;
    return &fence_by_reference;
}

const struct fence_ops *g84_fence(const struct pfifo_channel *channel) {
    (void)channel;
    return &fence_by_g84_semaphore;
}

/* Low halves first: reading one latches its high half. */
static bool g80_fetched_all(struct pfifo_device *device, uint32_t user) {
    uint32_t get = device_rd32(device, user + NV_USER_DMA_GET), put = device_rd32(device, user + NV_USER_DMA_PUT);
    return get == put &&
           device_rd32(device, user + NV_USER_DMA_GET_HIGH) == device_rd32(device, user + NV_USER_DMA_PUT_HIGH) &&
           device_rd32(device, user + NV_USER_IB_GET) == device_rd32(device, user + NV_USER_IB_PUT);
}

bool g80_idle(struct pfifo_channel *channel) {
    struct pfifo_device *device = channel->device;
    uint64_t ramfc = g80_channel_of(channel)->ramfc;
    if (!g80_fetched_all(device, g80_user_of(channel)))
        return false;
    if (cache_loaded(device, channel->number))
        return !cache_busy(device);
    return inst_rd32(device, ramfc + RAMFC_CACHE_CNT) == 0 &&
           !(inst_rd32(device, ramfc + G80_RAMFC_PULL1) & PULL1_ACQUIRE_ACTIVE);
}
