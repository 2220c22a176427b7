/* SPDX-License-Identifier: MIT */
/*
 * The kernel's part on G80 .. MCP89.
 *
 *   channel descriptor, in VRAM
 *     G80   0x0000 RAMFC | 0x0400 CACHE | 0x1400 page directory | 0x8000 RAMHT | 0x10000 heap of objects
 *     G84                  0x0200 page directory                | 0x8000 RAMHT | 0x10000 heap of objects
 *           RAMFC and CACHE apart from it
 *
 * All channels share one virtual space: the device has the directory, every descriptor a copy of it.
 *
 * Not modelled: graphics contexts, the BARs' VM (BAR 1 shows VRAM), NOTIFY interrupts (masked, as nouveau does).
 * Sources: nouveau engine/fifo/{nv50,channv50,chang84,dmanv50,dmag84,gpfifonv50,gpfifog84}.c, engine/dma/usernv50.c;
 * envytools docs/hw/memory/g80-vm.rst, rnndb/fifo/g80_pfifo.xml.
 */
#include "driver/tables.h"

#define PMC_PFIFO  (1u << 8)
#define PMC_PGRAPH (1u << 12)
#define PMC_PFB    (1u << 13)

enum {
    PMC_ENABLE = 0x200,
    PFIFO_DMA_TIMESLICE = 0x2044,
    PFIFO_INTR = 0x2100,
    PFIFO_INTR_EN = 0x2140,
    PFIFO_CACHES = 0x2500,
    PFIFO_CHSW_DEBUG_1 = 0x250c,
    PFIFO_CHAN_TABLE = 0x2600,
    CACHE1_PUSH0 = 0x3200,
    CACHE1_PULL0 = 0x3250,
    PFIFO_PLAYLIST_LEN = 0x32ec,
    PFIFO_PLAYLIST = 0x32f4,
    PFB_TLB_FLUSH = 0x100c80,
    PFB_VM_FAULT = 0x100c90,
    PFB_VM_FAULT_DATA = 0x100c94,
    USER = 0xc00000,
    USER_STRIDE = 0x2000,
    USER_PUT = 0x40,
    USER_GET = 0x44,
    USER_PUT_HIGH = 0x4c,
    USER_CGET = 0x54,
    USER_GET_HIGH = 0x60,
    USER_IB_GET = 0x88,
    USER_IB_PUT = 0x8c,
};

#define CHSW_DEBUG    0x6f3cfc34u
#define TIMESLICE     0x01003fffu
#define INTR_ALL      0xbfffffffu /* but NOTIFY */
#define CACHES_RELOAD 0x00000101u
#define CHAN_ENABLE   (1u << 31)
#define CHANNEL_IDLE  127u
#define VM_PGRAPH     0x000007ffu
#define VM_PENDING    (1u << 31)

#define RAMHT_OFFSET     0x8000u
#define RAMHT_BITS       12
#define RAMHT_ALL        (4u << 24)
#define HEAP_OFFSET      0x10000u
#define DESCRIPTOR_BYTES 0x30000u
#define OBJECT_BYTES     0x20u
#define SOFTWARE_CONTEXT 4u /* where there is no instance: an entry must not look empty */
#define CONTEXT_ENGINE   20

#define DMA_CLASS 0x003du
#define DMA_FLAGS 0x7fc00000u /* target VM; access, kind and compression as the page tables say */
#define VA_BYTES  (UINT64_C(1) << 40)

/* What page tables can name; where there is no VRAM, system memory is both. */
#define VRAM_BYTES   (UINT64_C(1) << 32)
#define SYSTEM_BYTES (UINT64_C(1) << 40)

struct g80_device {
    struct pfifo_device base;
    uint64_t directory;
    uint64_t playlist[2];
    unsigned turn; /* which playlist is free */
};

struct g80_channel {
    struct pfifo_channel base;
    uint64_t descriptor;
    uint64_t ramfc;  /* and CACHE; G80: in the descriptor */
    uint64_t heap;   /* offset of the first free byte */
    uint32_t layout; /* of the directory in the descriptor */
    bool separate;   /* RAMFC is not in the descriptor */
};

static struct g80_channel *g80(struct pfifo_channel *channel) {
    return (struct g80_channel *)channel;
}

/* ---- virtual memory ---- */

/* The MMU's clients: each has a TLB. */
static void flush_tlbs(struct pfifo_device *device) {
    for (uint32_t client = 0; client < 16; client++) {
        device_wr32(device, PFB_TLB_FLUSH, client << 16 | 1);
        device_poll(device, PFB_TLB_FLUSH, 1, 0);
    }
}

static void copy_directory(struct pfifo_device *device, const struct g80_channel *channel, uint64_t first,
                           uint64_t last) {
    for (uint64_t i = first; i <= last; i++)
        inst_wr64(device, channel->descriptor + channel->layout + 8 * i,
                  inst_rd64(device, ((struct g80_device *)device)->directory + 8 * i));
}

/* Into a descriptor that is still zero. */
static void copy_whole_directory(struct pfifo_device *device, const struct g80_channel *channel) {
    uint64_t directory = ((struct g80_device *)device)->directory;
    for (uint64_t i = 0; i < tables_g80.directory_bytes / 8; i++)
        if (inst_rd32(device, directory + 8 * i))
            copy_directory(device, channel, i, i);
}

static bool g80_map(struct pfifo_device *device, const struct pfifo_buffer *buffer) {
    struct g80_device *own = (struct g80_device *)device;
    uint64_t last = buffer->address + buffer->bytes - 1;
    bool changed = false;
    bool mapped = tables_g80.map(device, own->directory, buffer->address, buffer->bytes, buffer->physical,
                                 buffer->system, &changed);
    if (!mapped)
        tables_g80.unmap(device, own->directory, buffer->address, buffer->bytes);
    for (struct pfifo_channel *channel = device->channels; changed && channel; channel = channel->next)
        copy_directory(device, g80(channel), buffer->address >> 29, last >> 29);
    flush_tlbs(device);
    return mapped;
}

static void g80_unmap(struct pfifo_device *device, const struct pfifo_buffer *buffer) {
    tables_g80.unmap(device, ((struct g80_device *)device)->directory, buffer->address, buffer->bytes);
    flush_tlbs(device);
}

/* ---- objects ---- */

static void write_dma_object(struct pfifo_device *device, uint64_t object, uint64_t base, uint64_t bytes) {
    uint64_t limit = base + bytes - 1;
    inst_wr32(device, object, DMA_FLAGS | DMA_CLASS);
    inst_wr32(device, object + 4, (uint32_t)limit);
    inst_wr32(device, object + 8, (uint32_t)base);
    inst_wr32(device, object + 12, (uint32_t)(limit >> 32) << 24 | (uint32_t)(base >> 32));
    inst_wr32(device, object + 16, 0);
    inst_wr32(device, object + 20, 0);
}

/* An object in the channel's heap; they stay as long as the channel. 0: it is full. */
static uint32_t heap_alloc(struct g80_channel *channel) {
    if (channel->heap + OBJECT_BYTES > DESCRIPTOR_BYTES)
        return 0;
    channel->heap += OBJECT_BYTES;
    return (uint32_t)(channel->heap - OBJECT_BYTES);
}

static enum pfifo_status no_heap(struct pfifo_error *error) {
    return pfifo_error_set(error, PFIFO_ERROR_MEMORY, "no room left for objects of the channel");
}

static enum pfifo_status add_handle(struct g80_channel *channel, struct channel_object *object, uint32_t context,
                                    struct pfifo_error *error) {
    const struct ramht_table table = {
        .base = channel->descriptor + RAMHT_OFFSET, .bits = RAMHT_BITS, .probes = 1u << RAMHT_BITS};
    object->slot = ramht_insert(channel->base.device, &table, object->handle, context);
    return object->slot ? PFIFO_OK : no_heap(error);
}

static enum pfifo_status g80_object(struct pfifo_channel *channel, struct channel_object *object, unsigned engine,
                                    struct pfifo_error *error) {
    if (object->software)
        return add_handle(g80(channel), object, SOFTWARE_CONTEXT, error);
    uint32_t offset = heap_alloc(g80(channel));
    if (!offset)
        return no_heap(error);
    object->instance = g80(channel)->descriptor + offset;
    inst_wr32(channel->device, object->instance, object->object_class);
    return add_handle(g80(channel), object, engine << CONTEXT_ENGINE | offset >> 4, error);
}

static enum pfifo_status add_dma_object(struct g80_channel *channel, struct channel_object *object, uint64_t base,
                                        uint64_t bytes, struct pfifo_error *error) {
    uint32_t offset = heap_alloc(channel);
    if (!offset)
        return no_heap(error);
    object->instance = channel->descriptor + offset;
    write_dma_object(channel->base.device, object->instance, base, bytes);
    return add_handle(channel, object, offset >> 4, error);
}

static enum pfifo_status g80_dma_object(struct pfifo_channel *channel, struct channel_object *object,
                                        const struct pfifo_buffer *buffer, uint64_t offset, uint64_t bytes,
                                        struct pfifo_error *error) {
    return add_dma_object(g80(channel), object, buffer->address + offset, bytes, error);
}

/* A handle for the whole virtual space. */
static enum pfifo_status add_space(struct g80_channel *channel, uint32_t handle, struct pfifo_error *error) {
    struct channel_object object = {.handle = handle};
    return handle ? add_dma_object(channel, &object, 0, VA_BYTES, error) : PFIFO_OK;
}

/* ---- channels ---- */

static unsigned log2_of(uint32_t value) {
    unsigned bits = 0;
    while (value >>= 1)
        bits++;
    return bits;
}

static void write_ramfc(struct g80_channel *channel, uint32_t push_offset) {
    struct pfifo_device *device = channel->base.device;
    bool ib = channel->base.mode == PFIFO_CHANNEL_IB;
    uint64_t ring = channel->base.ring->address;
    const struct {
        uint16_t offset;
        uint32_t value;
    } words[] = {
        {0x08, ib ? 0 : (uint32_t)ring},
        {0x0c, ib ? 0 : (uint32_t)(ring >> 32)},
        {0x10, ib ? 0 : (uint32_t)ring},
        {0x14, ib ? 0 : (uint32_t)(ring >> 32)},
        {0x3c, ib ? 0x403f6078 : 0x003f6078},
        {0x44, TIMESLICE},
        {0x48, push_offset >> 4},
        {0x4c, ib ? 0 : UINT32_MAX},
        {0x50, ib ? (uint32_t)ring : 0},
        {0x54, ib ? (uint32_t)(ring >> 32) | log2_of(channel->base.entries) << 16 : 0},
        {0x60, 0x7fffffff},
        {0x7c, 0x30000001},
        {0x80, (RAMHT_BITS - 9) << 27 | RAMHT_ALL | RAMHT_OFFSET >> 4},
    };
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        inst_wr32(device, channel->ramfc + words[i].offset, words[i].value);
    if (!channel->separate)
        return;
    inst_wr32(device, channel->ramfc + 0x88, (uint32_t)((channel->ramfc + PAGE_BYTES) >> 10));
    inst_wr32(device, channel->ramfc + 0x98, (uint32_t)(channel->descriptor >> 12));
}

static uint32_t table_entry(const struct g80_channel *channel) {
    return CHAN_ENABLE | (uint32_t)(channel->separate ? channel->ramfc >> 8 : channel->descriptor >> 12);
}

/* The list of all channels that are enabled; `extra` is not in the device's list yet. */
static void write_playlist(struct pfifo_device *device) {
    struct g80_device *own = (struct g80_device *)device;
    uint64_t list = own->playlist[own->turn];
    uint32_t count = 0;
    own->turn ^= 1;
    for (uint32_t channel = 1; channel < CHANNEL_IDLE; channel++)
        if (device_rd32(device, PFIFO_CHAN_TABLE + 4 * channel) & CHAN_ENABLE)
            inst_wr32(device, list + 4 * count++, channel);
    device_wr32(device, PFIFO_PLAYLIST, (uint32_t)(list >> 12));
    device_wr32(device, PFIFO_PLAYLIST_LEN, count);
    device_wr32(device, PFIFO_CACHES, CACHES_RELOAD);
}

static void free_channel(struct g80_channel *channel) {
    if (channel->separate)
        inst_free(channel->base.device, channel->ramfc);
    inst_free(channel->base.device, channel->descriptor);
}

static enum pfifo_status channel_memory(struct g80_channel *channel, struct pfifo_error *error) {
    struct pfifo_device *device = channel->base.device;
    channel->descriptor = inst_alloc(device, DESCRIPTOR_BYTES, PAGE_BYTES);
    channel->ramfc = channel->descriptor;
    channel->heap = HEAP_OFFSET;
    if (channel->descriptor && channel->separate) /* RAMFC, and a page of CACHE behind it */
        channel->ramfc = inst_alloc(device, 2 * PAGE_BYTES, PAGE_BYTES);
    if (channel->descriptor && channel->ramfc)
        return PFIFO_OK;
    return pfifo_error_set(error, PFIFO_ERROR_MEMORY, "no VRAM left for a channel");
}

static enum pfifo_status open_channel(struct pfifo_channel *base, struct pfifo_error *error) {
    struct g80_channel *channel = g80(base);
    struct pfifo_device *device = base->device;
    enum pfifo_status status = channel_memory(channel, error);
    uint32_t push = heap_alloc(channel);
    if (status == PFIFO_OK)
        status = add_space(channel, base->config.vram_handle, error);
    if (status == PFIFO_OK)
        status = add_space(channel, base->config.gart_handle, error);
    if (status != PFIFO_OK) {
        free_channel(channel);
        return status;
    }
    copy_whole_directory(device, channel);
    write_dma_object(device, channel->descriptor + push, 0, VA_BYTES);
    write_ramfc(channel, push);
    device_wr32(device, PFIFO_CHAN_TABLE + 4 * base->number, table_entry(channel));
    write_playlist(device);
    return PFIFO_OK;
}

static enum pfifo_status g80_channel_open(struct pfifo_channel *channel, struct pfifo_error *error) {
    g80(channel)->layout = 0x1400;
    return open_channel(channel, error);
}

static enum pfifo_status g84_channel_open(struct pfifo_channel *channel, struct pfifo_error *error) {
    g80(channel)->layout = 0x200;
    g80(channel)->separate = true;
    return open_channel(channel, error);
}

static void g80_channel_close(struct pfifo_channel *channel) {
    struct pfifo_device *device = channel->device;
    device_mask(device, PFIFO_CHAN_TABLE + 4 * channel->number, CHAN_ENABLE, 0);
    write_playlist(device);
    device_wr32(device, PFIFO_CHAN_TABLE + 4 * channel->number, 0);
    free_channel(g80(channel));
}

static uint32_t user_of(const struct pfifo_channel *channel) {
    return USER + USER_STRIDE * channel->number;
}

static uint32_t g80_ring_get(struct pfifo_channel *channel) {
    if (channel->mode == PFIFO_CHANNEL_IB)
        return device_rd32(channel->device, user_of(channel) + USER_IB_GET);
    uint32_t get = device_rd32(channel->device, user_of(channel) + USER_CGET);
    uint32_t slot = (get - (uint32_t)channel->ring->address) / 4;
    return slot > channel->slots ? UINT32_MAX : slot % channel->slots;
}

static void g80_ring_put(struct pfifo_channel *channel) {
    uint32_t user = user_of(channel);
    if (channel->mode == PFIFO_CHANNEL_IB) {
        device_wr32(channel->device, user + USER_IB_PUT, channel->put);
        return;
    }
    uint64_t put = channel->ring->address + 4 * (uint64_t)channel->put;
    device_wr32(channel->device, user + USER_PUT_HIGH, (uint32_t)(put >> 32));
    device_wr32(channel->device, user + USER_PUT, (uint32_t)put);
}

/* Low halves first: reading one latches its high half. */
static bool fetched_all(struct pfifo_device *device, uint32_t user) {
    uint32_t get = device_rd32(device, user + USER_GET), put = device_rd32(device, user + USER_PUT);
    return get == put && device_rd32(device, user + USER_GET_HIGH) == device_rd32(device, user + USER_PUT_HIGH) &&
           device_rd32(device, user + USER_IB_GET) == device_rd32(device, user + USER_IB_PUT);
}

#define RAMFC_PULL1       0x5c
#define RAMFC_CACHE_COUNT 0x84
#define PULL1_WAITS       (1u << 4)

static bool g80_idle(struct pfifo_channel *channel) {
    struct pfifo_device *device = channel->device;
    uint64_t ramfc = g80(channel)->ramfc;
    if (!fetched_all(device, user_of(channel)))
        return false;
    if (cache_loaded(device, channel->number))
        return !cache_busy(device);
    return inst_rd32(device, ramfc + RAMFC_CACHE_COUNT) == 0 && !(inst_rd32(device, ramfc + RAMFC_PULL1) & PULL1_WAITS);
}

/* ---- interrupts ---- */

static const char *const vm_reasons[16] = {
    "PT_NOT_PRESENT", "PT_TOO_SHORT", "PAGE_NOT_PRESENT", "PAGE_SUPERVISOR_ONLY",
    "PAGE_READ_ONLY", "NO_CHANNEL",   "NULL_DMAOBJ",      "WRONG_MEMTYPE",
    "UNKNOWN",        "UNKNOWN",      "UNKNOWN",          "VRAM_LIMIT",
    "UNKNOWN",        "UNKNOWN",      "UNKNOWN",          "DMAOBJ_LIMIT",
};

static uint32_t channel_of(struct pfifo_device *device, uint64_t descriptor) {
    for (struct pfifo_channel *channel = device->channels; channel; channel = channel->next)
        if (g80(channel)->descriptor == descriptor)
            return channel->number;
    return CHANNEL_UNKNOWN;
}

/* Word 0 has fields of four bits, or of eight on the chips with a copy engine and MCP89. */
static unsigned fault_field_bits(const struct pfifo_device *device) {
    unsigned id;
    return device_engine(device, CHIP_UNIT_PCOPY0, &id) ? 8 : 4;
}

static void vm_fault(struct pfifo_device *device) {
    uint32_t word[6], enables = device_rd32(device, PFB_VM_FAULT);
    if (!(enables & VM_PENDING))
        return;
    enables &= ~(VM_PENDING | 7u << 24);
    for (uint32_t i = 0; i < 6; i++) {
        device_wr32(device, PFB_VM_FAULT, enables | i << 24);
        word[i] = device_rd32(device, PFB_VM_FAULT_DATA);
    }
    uint64_t descriptor = ((uint64_t)(word[2] & 0xffff) << 16 | (word[1] & 0xffff)) << 12;
    const struct pfifo_device_fault fault = {
        .channel = channel_of(device, descriptor),
        .unit = "MMU",
        .error = vm_reasons[word[0] >> fault_field_bits(device) & 0xf],
        .address = (uint64_t)(word[5] & 0xff) << 32 | (word[4] & 0xffff) << 16 | (word[3] & 0xffff),
        .data = word[0],
    };
    device_fault(device, &fault);
    device_wr32(device, PFB_VM_FAULT, enables | VM_PENDING);
}

static void g80_interrupt(struct pfifo_device *device, uint32_t lines) {
    if (lines & PMC_PFB)
        vm_fault(device);
    if (lines & PMC_PFIFO)
        cache_fifo_interrupt(device);
    if (lines & PMC_PGRAPH)
        device_graph_interrupt(device, PMC_PGRAPH);
}

/* ---- the device ---- */

/* Bits of VM_FAULT: whose faults are recorded. Two units that share a bit are never on one chip. */
static uint32_t fault_enables(const struct pfifo_device *device) {
    static const struct {
        enum chip_unit unit;
        unsigned bit;
    } units[] = {
        {CHIP_UNIT_PCOPY0, 11}, {CHIP_UNIT_PVCOMP, 12}, {CHIP_UNIT_PVP1, 16},    {CHIP_UNIT_PVP2, 16},
        {CHIP_UNIT_PPDEC, 16},  {CHIP_UNIT_PME, 17},    {CHIP_UNIT_PMPEG, 18},   {CHIP_UNIT_PPPP, 18},
        {CHIP_UNIT_PBSP, 19},   {CHIP_UNIT_PVLD, 19},   {CHIP_UNIT_PCIPHER, 20}, {CHIP_UNIT_PSEC, 20},
    };
    uint32_t enables = VM_PGRAPH;
    unsigned id;
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++)
        if (device_engine(device, units[i].unit, &id))
            enables |= 1u << units[i].bit;
    return enables;
}

static void limit_pool(struct pool *pool, uint64_t end) {
    if (pool->end > end)
        pool->ceiling = pool->end = end;
}

static void start_fifo(struct pfifo_device *device) {
    device_mask(device, PMC_ENABLE, PMC_PFIFO, 0);
    device_mask(device, PMC_ENABLE, 0, PMC_PFIFO);
    device_wr32(device, PFIFO_CHSW_DEBUG_1, CHSW_DEBUG);
    device_wr32(device, PFIFO_DMA_TIMESLICE, TIMESLICE);
    device_wr32(device, PFIFO_INTR, ~0u);
    device_wr32(device, PFIFO_INTR_EN, INTR_ALL);
    device_graph_enable(device);
    for (uint32_t channel = 0; channel <= CHANNEL_IDLE; channel++)
        device_wr32(device, PFIFO_CHAN_TABLE + 4 * channel, 0);
    write_playlist(device);
    device_wr32(device, CACHE1_PUSH0, 1);
    device_wr32(device, CACHE1_PULL0, 1);
    device_wr32(device, PFIFO_CACHES, 1);
    device_wr32(device, PFB_VM_FAULT, fault_enables(device));
}

static enum pfifo_status g80_init(struct pfifo_device *device, struct pfifo_error *error) {
    struct g80_device *own = (struct g80_device *)device;
    limit_pool(&device->vram, VRAM_BYTES);
    limit_pool(&device->system, device->chip->vram_bytes ? SYSTEM_BYTES : VRAM_BYTES);
    own->directory = inst_alloc(device, tables_g80.directory_bytes, tables_g80.directory_align);
    own->playlist[0] = inst_alloc(device, PAGE_BYTES, PAGE_BYTES);
    own->playlist[1] = inst_alloc(device, PAGE_BYTES, PAGE_BYTES);
    if (!own->directory || !own->playlist[0] || !own->playlist[1])
        return pfifo_error_set(error, PFIFO_ERROR_MEMORY, "too little VRAM for the driver's own structures");
    start_fifo(device);
    return PFIFO_OK;
}

/* What the driver chooses is below 4 GiB as long as there is room: rings in DMA mode must be. */
#define G80_OPS                                                                                                        \
    .device_bytes = sizeof(struct g80_device), .channel_bytes = sizeof(struct g80_channel),                            \
    .default_mode = PFIFO_CHANNEL_IB, .has_dma_mode = true, .has_ib_mode = true, .has_handles = true,                  \
    .cache_entries = 0x90000, .first_channel = 1, .spare_channels = 1, .va_floor = PAGE_BYTES,                         \
    .va_ceiling = UINT64_C(1) << 32, .va_end = VA_BYTES, .max_segment_words = 0x3fffff,                                \
    .lines = PMC_PFIFO | PMC_PGRAPH | PMC_PFB, .inst_rd32 = g80_inst_rd32, .inst_wr32 = g80_inst_wr32,                 \
    .init = g80_init, .map = g80_map, .unmap = g80_unmap, .channel_close = g80_channel_close, .object = g80_object,    \
    .dma_object = g80_dma_object, .ring_get = g80_ring_get, .ring_put = g80_ring_put, .idle = g80_idle,                \
    .interrupt = g80_interrupt

const struct driver_ops driver_g80 = {.name = "G80", .channel_open = g80_channel_open, G80_OPS};
const struct driver_ops driver_g84 = {.name = "G84", .channel_open = g84_channel_open, G80_OPS};
