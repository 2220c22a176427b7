/* SPDX-License-Identifier: MIT */
/*
 * Channels of GF100 .. GP10B.
 *
 *   instance block   0x000 RAMFC | 0x200 page directory, limit | 0x210 contexts of engines
 *   USERD            512 bytes or a page per channel, behind BAR 1: GP_GET, GP_PUT
 *   runlist          entries of 8 bytes; each has two lists, so that the one in use is never written
 *
 * The instance blocks of all channels of an address space have the same directory. A context is a page that stays
 * empty: the machine keeps the state of its engines itself.
 *
 * Sources: nouveau engine/fifo/{gf100,gk104,gpfifogf100,gpfifogk104}.c, subdev/mmu/{gf100,gm200,vmmgf100}.c;
 * envytools rnndb/memory/gf100_pffb.xml; NVIDIA open-gpu-doc manuals dev_ram, dev_pbdma.
 */
#include "driver/gpfifo.h"

#include "hw/pbdma.h"
#include "hw/pbus.h"
#include "hw/pfb.h"
#include "hw/pfifo_gf100.h"
#include "hw/pmc.h"
#include "hw/userd.h"

#define INTR_NO_STALL 0x10000100u /* interrupts of a PBDMA that do not stop it */
#define INTR_PBDMA    0xfffffeffu
#define INTR_PFIFO    0x7fffffffu

#define INSTANCE_DIRECTORY 0x200
#define INSTANCE_LIMIT     0x208
#define DIRECTORY_BIG_64K  0x800u /* GM200-; set also where no other size exists */
#define BIG_64K_BYTES      0x10000u
#define CONTEXT_VIRTUAL    4u

/* ---- virtual memory ---- */

static void gpfifo_wait_for_any(struct pfifo_device *device, uint32_t offset, uint32_t mask) {
    for (unsigned n = 0; n < POLL_TRIES && !(device_rd32(device, offset) & mask); n++) {
    }
}

void gpfifo_flush_tlb(struct pfifo_device *device, uint64_t directory, bool bar) {
    device_host_flush(device);
    gpfifo_wait_for_any(device, NV_PFB_MMU_CONFIG, PFB_MMU_CONFIG_SLOTS);
    device_wr32(device, NV_PFB_TLB_FLUSH_SPACE, (uint32_t)(directory >> 8));
    device_wr32(device, NV_PFB_TLB_FLUSH_GF100,
                PFB_TLB_FLUSH_TRIGGER | PFB_TLB_FLUSH_ALL_VA | (bar ? PFB_TLB_FLUSH_HUB_ONLY : 0));
    gpfifo_wait_for_any(device, NV_PFB_MMU_CONFIG, PFB_MMU_CONFIG_QUEUED);
}

struct table_space gpfifo_vm_tables(const struct pfifo_device *device, uint64_t big_page_bytes) {
    const struct table_ops *tables = ((const struct gpfifo_device *)device)->variant->tables;
    return (struct table_space){.ops = tables, .big_bytes = big_page_bytes ? big_page_bytes : tables->big_bytes};
}

/* The size of the chip's tables; GM20x have a second one. */
bool gpfifo_vm_has_big_pages(const struct pfifo_device *device, uint64_t big_page_bytes) {
    const struct table_ops *tables = ((const struct gpfifo_device *)device)->variant->tables;
    return big_page_bytes == tables->big_bytes || (tables == &tables_gm200 && big_page_bytes == BIG_64K_BYTES);
}

void gpfifo_vm_flush(struct pfifo_vm *vm, uint64_t first, uint64_t last, bool changed) {
    (void)first, (void)last, (void)changed;
    gpfifo_flush_tlb(vm->device, vm->tables.directory, false);
}

void gpfifo_write_space(struct gpfifo_device *own, uint64_t instance, const struct table_space *space, uint64_t limit) {
    uint32_t big_64k = space->big_bytes == BIG_64K_BYTES ? DIRECTORY_BIG_64K : 0;
    inst_wr64(&own->base, instance + INSTANCE_DIRECTORY, space->directory | space->ops->directory_flags | big_64k);
    inst_wr64(&own->base, instance + INSTANCE_LIMIT, limit);
}

/* The tables have big pages of 128 KiB. */
static void start_mmu(struct pfifo_device *device) {
    if (gpfifo_of(device)->variant->big_pages_of_space)
        device_mask(device, NV_PFB_MMU_CONFIG, PFB_MMU_CONFIG_OF_INSTANCE, PFB_MMU_CONFIG_OF_INSTANCE);
    else
        device_mask(device, NV_PFB_MMU_CONFIG, PFB_MMU_CONFIG_64K, 0);
}

/* ---- the device ---- */

/* Limits of addresses in page tables. Chips without VRAM have their tables, which are in VRAM, in system memory. */
#define VRAM_BYTES   (UINT64_C(1) << 37)
#define SYSTEM_BYTES (UINT64_C(1) << 40)

static void limit_memory(struct pfifo_device *device) {
    pool_limit(&device->vram, VRAM_BYTES);
    pool_limit(&device->system, device->chip->vram_bytes ? SYSTEM_BYTES : VRAM_BYTES);
}

void gpfifo_reset_engines(struct pfifo_device *device, uint32_t ids) {
    const struct gpfifo_device *own = gpfifo_of(device);
    for (unsigned i = 0; i < own->engine_count; i++)
        if ((ids >> own->engines[i].id & 1) && own->engines[i].enable) {
            device_reset_units(device, own->engines[i].enable);
            if (own->engines[i].enable == PMC_ENABLE_PGRAPH)
                device_graph_enable(device);
        }
}

/* Nothing is scheduled on what is broken while engines are reset and lists change. */
void gpfifo_recover(struct pfifo_device *device) {
    struct gpfifo_device *own = gpfifo_of(device);
    uint32_t mask = own->family->broken(own), engines = own->broken.engines, runlists = own->broken.runlists;
    own->broken.runlists = own->broken.engines = 0;
    device_mask(device, NV_PFIFO_SCHED_DISABLE, mask, mask);
    gpfifo_reset_engines(device, engines);
    for (unsigned runlist = 0; runlist < GPFIFO_RUNLISTS; runlist++)
        if (runlists >> runlist & 1)
            gpfifo_update_runlist(device, runlist, NULL);
    device_wr32(device, NV_PFIFO_ENG_FAULT, mask);
    device_mask(device, NV_PFIFO_SCHED_DISABLE, mask, 0);
}

uint64_t gpfifo_runlist_bytes(const struct gpfifo_device *own) {
    return own->family->runlist_bytes ? own->family->runlist_bytes : UINT64_C(16) * own->base.chip->channels;
}

/* A runlist gets its memory with its first channel. */
static bool make_runlist(struct gpfifo_device *own, unsigned runlist) {
    uint64_t bytes = gpfifo_runlist_bytes(own);
    for (unsigned i = 0; i < 2; i++) {
        uint64_t *list = &own->runlist[runlist].list[i];
        *list = *list ? *list : inst_alloc(&own->base, bytes, PAGE_BYTES);
        if (!*list)
            return false;
    }
    return true;
}

#define SINCE_GM107 .sets_timeouts = true, .says_bound = true, .instance_in_list = true

static const struct gpfifo_variant variants[] = {
    {"GF100:GK208", &tables_gf100},
    {"GK208:GM107", &tables_gf100, .sets_timeouts = true},
    {"GM107:GM200", &tables_gf100, SINCE_GM107},
    {"GM200:GP100", &tables_gm200, SINCE_GM107, .big_pages_of_space = true},
    {"GP100-", &tables_gp100, SINCE_GM107, .big_pages_of_space = true},
};

uint32_t gpfifo_host_flush(const struct pfifo_device *device) {
    (void)device;
    return NV_PFLUSH_FLUSH;
}

enum pfifo_status gpfifo_init(struct pfifo_device *device, const struct gpfifo_family *family,
                              struct pfifo_error *error) {
    struct gpfifo_device *own = gpfifo_of(device);
    own->family = family;
    own->variant = CHIP_ROW(device->chip, variants);
    limit_memory(device);
    start_mmu(device);
    if (vm_make_default(device) && gpfifo_make_bars(own))
        return PFIFO_OK;
    return pfifo_error_set(error, PFIFO_ERROR_MEMORY, "too little memory for the driver's own structures");
}

void gpfifo_start_pbdmas(struct pfifo_device *device) {
    for (unsigned i = 0; i < gpfifo_of(device)->pbdmas; i++) {
        uint32_t page = NV_PBDMA_BASE + NV_PBDMA_STRIDE * i;
        device_mask(device, page + NV_PBDMA_INTR_STALL, INTR_NO_STALL, 0);
        device_wr32(device, page + NV_PBDMA_INTR_0, ~0u);
        device_wr32(device, page + NV_PBDMA_INTR_EN_0, INTR_PBDMA);
    }
}

void gpfifo_start(struct pfifo_device *device) {
    device_wr32(device, NV_PFIFO_BAR1_BASE, PFIFO_BAR1_ENABLE | (uint32_t)(gpfifo_of(device)->userd_at >> 12));
    device_wr32(device, NV_PFIFO_INTR, ~0u);
    device_wr32(device, NV_PFIFO_INTR_EN, INTR_PFIFO);
    device_wr32(device, NV_PMC_INTR_EN_SET, device->ops->lines); /* GP100-; before, this register only shows the line */
}

/* ---- channels ---- */

static unsigned gpfifo_log2_of(uint32_t value) {
    unsigned bits = 0;
    while (value >>= 1)
        bits++;
    return bits;
}

static uint64_t userd_offset(const struct pfifo_channel *channel) {
    return (uint64_t)channel->number * channel->device->chip->userd_stride;
}

#define CMD_TYPES_BOTH 0x200u

static void write_ramfc(struct gpfifo_device *own, const struct pfifo_channel *channel, uint64_t instance) {
    struct pfifo_device *device = &own->base;
    const struct gpfifo_family *family = own->family;
    uint64_t ring = channel->ring->address, userd = own->userd + userd_offset(channel);
    for (size_t i = 0; i < family->ramfc_words; i++)
        inst_wr32(device, instance + family->ramfc[i].offset, family->ramfc[i].value);
    if (channel->config.old_headers)
        inst_wr32(device, instance + NV_PBDMA_CMD_TYPES, CMD_TYPES_BOTH);
    inst_wr64(device, instance + NV_PBDMA_USERD, userd);
    inst_wr64(device, instance + NV_PBDMA_GP_BASE, ring | (uint64_t)gpfifo_log2_of(channel->entries) << 48);
    if (family->channel_in_ramfc)
        inst_wr32(device, instance + NV_PBDMA_CHID, channel->number);
}

/* Where the instance block names an engine's context, by the engine's type in the topology table. */
static const struct {
    uint32_t type;
    const char *chips;
    uint16_t pointer[2];
} context_pointers[] = {
    {0x00, "GF100-", {0x210}}, {0x01, "GF100:GK104", {0x230}},   {0x02, "GF100:GK104", {0x240}},
    {0x08, "GF100-", {0x250}}, {0x09, "GF100-", {0x260}},        {0x0a, "GF100-", {0x270}},
    {0x0b, "GF100-", {0x290}}, {0x0d, "GF100-", {0x220}},        {0x0e, "GF100-", {0x290, 0x210}},
    {0x0f, "GF100-", {0x210}}, {0x10, "GF100-", {0x270, 0x210}},
};

#define CONTEXT_POINTERS (sizeof context_pointers / sizeof context_pointers[0])

/* The row of an engine that has contexts, CONTEXT_POINTERS: it has none. */
static size_t pointers_of(const struct pfifo_device *device, uint32_t type) {
    size_t i = 0;
    while (i < CONTEXT_POINTERS &&
           (context_pointers[i].type != type || !chip_in_range(device->chip, context_pointers[i].chips)))
        i++;
    return i;
}

/* The engines that the channel can reach, and that have contexts; rows of their pointers. */
static unsigned find_contexts(const struct gpfifo_channel *channel, size_t rows[GPFIFO_ENGINES]) {
    const struct gpfifo_device *own = gpfifo_of(channel->base.device);
    unsigned count = 0;
    for (unsigned i = 0; i < own->engine_count; i++) {
        size_t row = pointers_of(&own->base, own->engines[i].type);
        if (own->engines[i].runlist == channel->runlist && row < CONTEXT_POINTERS)
            rows[count++] = row;
    }
    return count;
}

/* A page for each. */
static enum pfifo_status make_contexts(struct gpfifo_channel *channel, struct pfifo_error *error) {
    size_t rows[GPFIFO_ENGINES];
    struct pfifo_device *device = channel->base.device;
    unsigned count = find_contexts(channel, rows);
    if (count == 0)
        return PFIFO_OK;
    const struct buffer_config config = {
        .domain = PFIFO_VRAM, .bytes = (uint64_t)PAGE_BYTES * count, .vm = channel->base.vm};
    channel->contexts = buffer_make(device, &config, error);
    if (!channel->contexts)
        return PFIFO_ERROR_MEMORY;
    for (unsigned i = 0; i < count; i++)
        for (unsigned n = 0; n < 2 && context_pointers[rows[i]].pointer[n]; n++)
            inst_wr64(device, channel->instance + context_pointers[rows[i]].pointer[n],
                      (channel->contexts->address + (uint64_t)PAGE_BYTES * i) | CONTEXT_VIRTUAL);
    return PFIFO_OK;
}

enum pfifo_status gpfifo_channel_memory(struct pfifo_channel *base, struct pfifo_error *error) {
    struct gpfifo_device *own = gpfifo_of(base->device);
    struct gpfifo_channel *channel = gpfifo_channel_of(base);
    channel->instance =
        make_runlist(own, channel->runlist) ? inst_alloc(base->device, GPFIFO_INSTANCE_BYTES, PAGE_BYTES) : 0;
    if (!channel->instance)
        return pfifo_error_set(error, PFIFO_ERROR_MEMORY, "no memory left for a channel");
    for (uint32_t i = 0; i < base->device->chip->userd_stride; i += 4)
        inst_wr32(base->device, own->userd + userd_offset(base) + i, 0);
    const struct table_space *space = &base->vm->tables;
    gpfifo_write_space(own, channel->instance, space, (UINT64_C(1) << space->ops->va_bits) - 1);
    write_ramfc(own, base, channel->instance);
    enum pfifo_status status = make_contexts(channel, error);
    if (status != PFIFO_OK)
        inst_free(base->device, channel->instance);
    device_host_flush(base->device);
    return status;
}

struct pfifo_buffer *gpfifo_channel_buffer(const struct pfifo_channel *channel) {
    return ((const struct gpfifo_channel *)channel)->contexts;
}

void gpfifo_channel_free(struct pfifo_channel *channel) {
    pfifo_buffer_free(gpfifo_channel_of(channel)->contexts);
    inst_free(channel->device, gpfifo_instance(channel));
}

/* ---- runlists ---- */

static void add_entry(struct gpfifo_device *own, uint64_t list, uint32_t *count, const struct pfifo_channel *channel) {
    uint64_t at = list + PFIFO_RUNLIST_ENTRY_BYTES * (uint64_t)(*count)++;
    inst_wr32(&own->base, at, channel->number);
    inst_wr32(&own->base, at + 4, own->family->entry_word(&own->base, gpfifo_instance(channel)));
}

static bool belongs(const struct pfifo_channel *channel, unsigned runlist) {
    return ((const struct gpfifo_channel *)channel)->runlist == runlist && !channel->dead;
}

void gpfifo_update_runlist(struct pfifo_device *device, unsigned runlist, const struct pfifo_channel *extra) {
    struct gpfifo_device *own = gpfifo_of(device);
    uint64_t list = own->runlist[runlist].list[own->runlist[runlist].turn];
    uint32_t count = 0;
    if (!list) /* there was never a channel */
        return;
    own->runlist[runlist].turn ^= 1;
    for (const struct pfifo_channel *channel = device->channels; channel; channel = channel->next)
        if (belongs(channel, runlist))
            add_entry(own, list, &count, channel);
    if (extra)
        add_entry(own, list, &count, extra);
    device_host_flush(device);
    own->family->commit(device, runlist, (uint32_t)(list >> 12) | (device->chip->vram_bytes ? 0 : PFIFO_RUNLIST_SYSTEM),
                        count);
}

/* ---- rings ---- */

static uint64_t userd_in_bar(const struct pfifo_channel *channel) {
    return gpfifo_of(channel->device)->userd_at + userd_offset(channel);
}

static uint32_t read_userd(const struct pfifo_channel *channel, uint32_t offset) {
    uint8_t b[4];
    pfifo_gpu_bar_read(channel->device->gpu, 1, userd_in_bar(channel) + offset, b, sizeof b);
    return b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

uint32_t gpfifo_ring_get(struct pfifo_channel *channel) {
    return read_userd(channel, NV_USERD_GP_GET);
}

uint64_t gpfifo_position(const struct pfifo_channel *channel) {
    return (uint64_t)read_userd(channel, NV_USERD_GET_HI) << 32 | read_userd(channel, NV_USERD_GET);
}

void gpfifo_ring_put(struct pfifo_channel *channel) {
    uint32_t put = channel->put;
    const uint8_t b[4] = {(uint8_t)put, (uint8_t)(put >> 8), (uint8_t)(put >> 16), (uint8_t)(put >> 24)};
    pfifo_gpu_bar_write(channel->device->gpu, 1, userd_in_bar(channel) + NV_USERD_GP_PUT, b, sizeof b);
}

const struct fence_ops *gpfifo_fence(const struct pfifo_channel *channel) {
    (void)channel;
    return &fence_by_gf100_semaphore;
}
