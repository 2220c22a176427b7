/* SPDX-License-Identifier: MIT */
/*
 * The BARs of G80 .. MCP89: a descriptor of their own, with one page directory, and a DMA object for each.
 *
 *   virtual   0x000000000  BAR 1: buffers in VRAM, for the CPU
 *             0x100000000  BAR 3: instance memory
 *
 * UNKNOWN: what 0x1900 .. 0x191c are; nouveau reads them and writes them back.
 * Sources: nouveau nvkm/subdev/bar/{nv50,g84}.c; envytools rnndb/bus/pbus.xml.
 */
#include "driver/g80.h"

#include "hw/pbus.h"

#define OBJECT_FLAGS     0x7fc00000u /* target VM; access, kind and compression as the page tables say */
#define DESCRIPTOR_BYTES 0x20000u
#define DIRECTORY_BYTES  0x4000u
#define OBJECT_STRIDE    0x20u
#define BAR3_VA          UINT64_C(0x100000000)

static uint64_t va_of(unsigned bar, uint64_t offset) {
    return (bar == 3 ? BAR3_VA : 0) + offset;
}

static struct table_space g80_bar_space_of(struct pfifo_device *device) {
    return (struct table_space){
        .ops = &tables_g80, .directory = g80_of(device)->bar_directory, .big_bytes = tables_g80.big_bytes};
}

bool g80_bar_map(struct pfifo_device *device, unsigned bar, uint64_t offset, uint64_t bytes, uint64_t physical) {
    const struct table_space space = g80_bar_space_of(device);
    const struct table_pages pages = {.physical = physical, .big = true};
    bool changed = false, mapped = tables_g80.map(device, &space, va_of(bar, offset), bytes, &pages, &changed);
    if (!mapped)
        tables_g80.unmap(device, &space, va_of(bar, offset), bytes);
    g80_flush_bar(device);
    return mapped;
}

void g80_bar_unmap(struct pfifo_device *device, uint64_t offset, uint64_t bytes) {
    const struct table_space space = g80_bar_space_of(device);
    tables_g80.unmap(device, &space, va_of(1, offset), bytes);
    g80_flush_bar(device);
}

/* CHANNEL is written without and with the bit: the second write is for the BARs. */
static void g80_bar_bind(struct pfifo_device *device, uint64_t descriptor, uint32_t bar1, uint32_t bar3) {
    device_wr32(device, NV_PBUS_CHANNEL, (uint32_t)(descriptor >> 12));
    device_wr32(device, NV_PBUS_CHANNEL, PBUS_CHANNEL_IS_BAR | (uint32_t)(descriptor >> 12));
    device_wr32(device, NV_PBUS_BAR3, PBUS_VM | bar3 >> 4);
    for (uint32_t i = 0; i < 8; i++)
        device_mask(device, NV_PBUS_UNKNOWN_1900 + 4 * i, 0, 0);
    device_wr32(device, NV_PBUS_BAR1, PBUS_VM | bar1 >> 4);
    device_host_flush(device);
}

bool g80_make_bars(struct g80_device *own) {
    struct pfifo_device *device = &own->base;
    uint64_t descriptor = inst_alloc(device, DESCRIPTOR_BYTES, PAGE_BYTES);
    uint32_t directory = own->variant->page_directory;
    uint32_t bar3 = directory + DIRECTORY_BYTES, bar1 = bar3 + OBJECT_STRIDE;
    if (!descriptor)
        return false;
    own->bar_directory = descriptor + directory;
    g80_write_dma_object(device, descriptor + bar3, OBJECT_FLAGS, BAR3_VA, BAR3_BYTES);
    g80_write_dma_object(device, descriptor + bar1, OBJECT_FLAGS, 0, bar1_bytes(device));
    bar_pools(device);
    g80_bar_bind(device, descriptor, bar1, bar3);
    return bar_show_instances(device);
}
