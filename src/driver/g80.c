/* SPDX-License-Identifier: MIT */
/*
 * The driver of G80 .. MCP89.
 *
 * An address space has a page directory. The descriptor of each of its channels has a copy of it (g80_channel.c).
 *
 * Not modelled: NOTIFY interrupts (masked, as nouveau does); VRAM of the IGPs is VRAM, not stolen system memory.
 * Sources: nouveau engine/fifo/nv50.c, subdev/fb/{nv50,g84,gt215,mcp89}.c, subdev/mmu/vmmnv50.c; envytools
 * docs/hw/memory/g80-vm.rst, rnndb/fifo/g80_pfifo.xml.
 */
#include "unit/error_names.h"
#include "driver/g80.h"

#include "chip/units.h"
#include "hw/pbus.h"
#include "hw/pfb.h"
#include "hw/pfifo_nv4.h"
#include "hw/pmc.h"

#define CHSW_DEBUG 0x6f3cfc34u
#define INTR_ALL   0xbfffffffu /* all but NOTIFY */

/* Limits of addresses in page tables. Chips without VRAM have the lower one for system memory. */
#define VRAM_BYTES   (UINT64_C(1) << 32)
#define SYSTEM_BYTES (UINT64_C(1) << 40)

/* ---- virtual memory ---- */

static void flush_client(struct pfifo_device *device, uint32_t client) {
    device_wr32(device, NV_PFB_TLB_FLUSH, client << 16 | 1);
    device_poll(device, NV_PFB_TLB_FLUSH, 1, 0);
}

/* The MMU's clients, each with a TLB; those of the units are in chip/units.c. */
enum { CLIENT_PFIFO = 5, CLIENT_BAR = 6, CLIENT_PFIFO_RETRY = 12 };

static uint32_t tlb_clients(const struct pfifo_chip *chip) {
    uint32_t clients = 0;
    for (unsigned id = 0; id < CHIP_MAX_ENGINES; id++) {
        const struct chip_unit_row *row = chip_unit_row(chip, chip->engines[id]);
        clients |= row && row->has_fault_unit ? 1u << row->fault_unit : 0;
    }
    return clients;
}

void g80_flush_bar(struct pfifo_device *device) {
    device_host_flush(device);
    flush_client(device, CLIENT_BAR);
}

static void flush_programs(struct pfifo_device *device) {
    device_host_flush(device);
    flush_client(device, CLIENT_PFIFO);
    if (g80_of(device)->variant->flushes_retries)
        flush_client(device, CLIENT_PFIFO_RETRY);
    for (uint32_t client = 0, left = g80_of(device)->tlb_clients; left; client++, left >>= 1)
        if (left & 1)
            flush_client(device, client);
}

static struct table_space g80_vm_tables(const struct pfifo_device *device, uint64_t big_page_bytes) {
    (void)device, (void)big_page_bytes;
    return (struct table_space){.ops = &tables_g80, .big_bytes = tables_g80.big_bytes};
}

/* Pages are small; runs of them are contiguous blocks. */
static bool g80_vm_has_big_pages(const struct pfifo_device *device, uint64_t big_page_bytes) {
    (void)device, (void)big_page_bytes;
    return false;
}

static void g80_vm_flush(struct pfifo_vm *vm, uint64_t first, uint64_t last, bool changed) {
    struct pfifo_channel *channel = vm->device->channels;
    for (; changed && channel; channel = channel->next)
        if (channel->vm == vm)
            g80_copy_directory(g80_channel_of(channel), first >> 29, last >> 29);
    flush_programs(vm->device);
}

/* ---- interrupts ---- */

static uint32_t channel_of(struct pfifo_device *device, uint64_t descriptor) {
    for (struct pfifo_channel *channel = device->channels; channel; channel = channel->next)
        if (g80_channel_of(channel)->descriptor == descriptor)
            return channel->number;
    return CHANNEL_UNKNOWN;
}

static void vm_fault(struct pfifo_device *device) {
    uint32_t word[6], enables = device_rd32(device, NV_PFB_VM_FAULT);
    if (!(enables & PFB_VM_FAULT_PENDING))
        return;
    enables &= ~(PFB_VM_FAULT_PENDING | 7u << PFB_VM_FAULT_WORD);
    for (uint32_t i = 0; i < 6; i++) {
        device_wr32(device, NV_PFB_VM_FAULT, enables | i << PFB_VM_FAULT_WORD);
        word[i] = device_rd32(device, NV_PFB_VM_FAULT_DATA);
    }
    uint64_t descriptor = ((uint64_t)(word[2] & 0xffff) << 16 | (word[1] & 0xffff)) << 12;
    const struct pfifo_device_fault fault = {
        .channel = channel_of(device, descriptor),
        .unit = "MMU",
        .error = error_name(&errors_mmu_g80, word[0] >> g80_of(device)->variant->fault_field_bits & 0xf),
        .address = (uint64_t)(word[5] & 0xff) << 32 | (word[4] & 0xffff) << 16 | (word[3] & 0xffff),
        .data = word[0],
    };
    device_fault(device, &fault);
    device_wr32(device, NV_PFB_VM_FAULT, enables | PFB_VM_FAULT_PENDING);
}

static void g80_interrupt(struct pfifo_device *device, uint32_t lines) {
    vm_fault(device); /* has no line of its own */
    if (lines & PMC_INTR_PFIFO)
        cache_fifo_interrupt(device);
    if (lines & PMC_INTR_PGRAPH)
        device_graph_interrupt(device, PMC_INTR_PGRAPH);
    device_unit_interrupts(device, lines & UNIT_LINES_G80);
}

static uint32_t g80_graph_page(const struct pfifo_channel *channel) {
    return (uint32_t)(((const struct g80_channel *)channel)->descriptor >> 12);
}

/* ---- the device ---- */

enum {
    ENGINES_G80 = 0x00001000,
    ENGINES_GRAPH = 0x00201000,
    ENGINES_VIDEO = 0x04008000 | 0x01020000 | 0x00400002,       /* bitstream, decoder, MPEG or processor */
    ENGINES_G84 = ENGINES_GRAPH | ENGINES_VIDEO | 0x02004000,   /* and a cipher */
    ENGINES_GT215 = ENGINES_GRAPH | ENGINES_VIDEO | 0x00802000, /* and copies */
};

#define SINCE_G84                                                                                                      \
    .ramfc_apart = true, .page_directory = 0x200, .host_flush = NV_PFLUSH_FLUSH, .peephole = NV_PEEPHOLE_RW_ADDR_LOW,  \
    .flushes_retries = true

static const struct g80_variant variants[] = {
    {"G80", &driver_cache_g80, .page_directory = 0x1400, .host_flush = NV_PFIFO_FLUSH_CTRL,
     .peephole = NV_PEEPHOLE_RW_ADDR, .engines = ENGINES_G80, .vm_fault = 0x000707ff, .fault_field_bits = 4},
    {"G84:GT215", &driver_cache_g80, SINCE_G84, .engines = ENGINES_G84, .vm_fault = 0x001d07ff, .fault_field_bits = 4},
    {"GT215:MCP89", &driver_cache_g80, SINCE_G84, .engines = ENGINES_GT215, .vm_fault = 0x000d0fff,
     .fault_field_bits = 8},
    {"MCP89", &driver_cache_mcp89, SINCE_G84, .engines = ENGINES_GT215, .vm_fault = 0x089d1fff, .fault_field_bits = 8},
};

static uint32_t g80_host_flush(const struct pfifo_device *device) {
    return ((const struct g80_device *)device)->variant->host_flush;
}

static void g80_start_fifo(struct pfifo_device *device) {
    device_reset_units(device, PMC_ENABLE_PFIFO);
    device_wr32(device, NV_PFIFO_CHSW_DEBUG_1, CHSW_DEBUG);
    device_wr32(device, NV_PFIFO_DMA_TIMESLICE, G80_TIMESLICE);
    device_wr32(device, NV_PFIFO_INTR, ~0u);
    device_wr32(device, NV_PFIFO_INTR_EN, INTR_ALL);
    g80_clear_channels(device);
    device_wr32(device, NV_CACHE1_PUSH0, PUSH_ACCESS);
    device_wr32(device, NV_CACHE1_PULL0, PULL_ACCESS);
    device_wr32(device, NV_PFIFO_CACHES, CACHES_REASSIGN);
}

static enum pfifo_status g80_init(struct pfifo_device *device, struct pfifo_error *error) {
    struct g80_device *own = g80_of(device);
    pool_limit(&device->vram, VRAM_BYTES);
    pool_limit(&device->system, device->chip->vram_bytes ? SYSTEM_BYTES : VRAM_BYTES);
    own->variant = CHIP_ROW(device->chip, variants);
    own->tlb_clients = tlb_clients(device->chip);
    device->cache = own->variant->cache;
    device_reset_units(device, own->variant->engines);
    uint64_t scratch = inst_alloc(device, PAGE_BYTES, PAGE_BYTES);
    struct pfifo_vm *vm = vm_make_default(device);
    own->playlist[0] = inst_alloc(device, PAGE_BYTES, PAGE_BYTES);
    own->playlist[1] = inst_alloc(device, PAGE_BYTES, PAGE_BYTES);
    if (!scratch || !vm || !own->playlist[0] || !own->playlist[1] || !g80_make_bars(own))
        return pfifo_error_set(error, PFIFO_ERROR_MEMORY, "too little VRAM for the driver's own structures");
    device_wr32(device, NV_PFB_SCRATCH_PAGE, (uint32_t)(scratch >> 8));
    device_wr32(device, NV_PFB_VM_FAULT, own->variant->vm_fault);
    device_graph_enable(device);
    g80_start_fifo(device);
    return PFIFO_OK;
}

/* The driver chooses addresses below 4 GiB while there are any, since rings in DMA mode need them. */
#define G80_OPS                                                                                                        \
    .device_bytes = sizeof(struct g80_device), .channel_bytes = sizeof(struct g80_channel),                            \
    .default_mode = PFIFO_CHANNEL_IB, .has_dma_mode = true, .has_ib_mode = true, .has_handles = true,                  \
    .first_channel = 1, .spare_channels = 1, .va_floor = PAGE_BYTES, .va_ceiling = UINT64_C(1) << 32,                  \
    .va_end = G80_VA_BYTES, .max_segment_words = 0x3fffff, .graph_page = g80_graph_page,                               \
    .lines = PMC_INTR_PFIFO | PMC_INTR_PGRAPH | UNIT_LINES_G80, .inst_rd32 = g80_inst_rd32,                            \
    .inst_wr32 = g80_inst_wr32, .init = g80_init, .vm_tables = g80_vm_tables,                                          \
    .vm_has_big_pages = g80_vm_has_big_pages, .vm_flush = g80_vm_flush, .bar_map = g80_bar_map,                        \
    .bar_unmap = g80_bar_unmap, .channel_open = g80_channel_open, .channel_close = g80_channel_close,                  \
    .object = g80_object, .dma_object = g80_dma_object, .object_gone = g80_object_gone, .ring_get = g80_ring_get,      \
    .ring_put = g80_ring_put, .idle = g80_idle, .reference = g80_reference, .release = g80_release,                    \
    .interrupt = g80_interrupt, .host_flush = g80_host_flush

const struct driver_ops driver_g80 = {.name = "G80", .fence = g80_fence, G80_OPS};
const struct driver_ops driver_g84 = {.name = "G84", .fence = g84_fence, G80_OPS};
