/* SPDX-License-Identifier: MIT */
/*
 * The BARs of GF100 .. GP10B: each has a space of its own, with an instance block and tables.
 *
 *   BAR 1   USERD of all channels at 0; buffers in VRAM for the CPU, allocated from the end
 *   BAR 3   instance memory; not on chips without VRAM, whose instance memory the CPU reaches directly
 *
 * UNKNOWN: how large the BARs of a board are. Chosen: as bar.c says.
 * Sources: nouveau nvkm/subdev/bar/{gf100,gm107,gk20a,gm20b}.c, engine/fifo/{gf100,gk104}.c.
 */
#include "driver/gpfifo.h"

#include "hw/pbus.h"

#define INSTANCE_SIZE PAGE_BYTES

static bool gpfifo_bar_make_space(struct gpfifo_device *own, struct gpfifo_space *space, uint64_t bytes) {
    struct pfifo_device *device = &own->base;
    space->instance = inst_alloc(device, INSTANCE_SIZE, PAGE_BYTES);
    space->tables = gpfifo_vm_tables(device, 0);
    const struct table_ops *ops = space->tables.ops;
    space->tables.directory = inst_alloc(device, ops->directory_bytes(space->tables.big_bytes), ops->directory_align);
    if (!space->instance || !space->tables.directory)
        return false;
    gpfifo_write_space(own, space->instance, &space->tables, bytes - 1);
    return true;
}

/* Before GM107 nothing says when it is done: nouveau flushes twice. */
void gpfifo_bind_bar(struct gpfifo_device *own, unsigned bar) {
    struct pfifo_device *device = &own->base;
    const struct gpfifo_space *space = bar == 1 ? &own->bar1 : &own->bar3;
    if (!space->instance)
        return;
    device_wr32(device, bar == 1 ? NV_PBUS_BAR1_BLOCK : NV_PBUS_BAR3_BLOCK,
                PBUS_VM | (uint32_t)(space->instance >> 12));
    if (own->variant->says_bound) {
        device_poll(device, NV_PBUS_BIND_STATUS, bar == 1 ? PBUS_BIND_BAR1 : PBUS_BIND_BAR3, 0);
        return;
    }
    device_host_flush(device);
    device_host_flush(device);
}

bool gpfifo_bar_map(struct pfifo_device *device, unsigned bar, uint64_t offset, uint64_t bytes, uint64_t physical) {
    const struct gpfifo_device *own = gpfifo_of(device);
    const struct table_space *space = bar == 1 ? &own->bar1.tables : &own->bar3.tables;
    const struct table_pages pages = {.physical = physical, .big = true};
    bool changed = false, mapped = space->ops->map(device, space, offset, bytes, &pages, &changed);
    if (!mapped)
        space->ops->unmap(device, space, offset, bytes);
    gpfifo_flush_tlb(device, space->directory, true);
    return mapped;
}

void gpfifo_bar_unmap(struct pfifo_device *device, uint64_t offset, uint64_t bytes) {
    const struct table_space *space = &gpfifo_of(device)->bar1.tables;
    space->ops->unmap(device, space, offset, bytes);
    gpfifo_flush_tlb(device, space->directory, true);
}

static bool make_userd(struct gpfifo_device *own) {
    struct pfifo_device *device = &own->base;
    uint64_t bytes = (uint64_t)device->chip->userd_stride * device->chip->channels;
    own->userd = inst_alloc(device, bytes, BIG_PAGE_BYTES);
    own->userd_at = 0;
    return own->userd && pool_take(&device->bar1, own->userd_at, bytes) &&
           gpfifo_bar_map(device, 1, own->userd_at, bytes, own->userd);
}

bool gpfifo_make_bars(struct gpfifo_device *own) {
    struct pfifo_device *device = &own->base;
    bar_pools(device);
    if (device->chip->vram_bytes) {
        if (!gpfifo_bar_make_space(own, &own->bar3, BAR3_BYTES))
            return false;
        gpfifo_bind_bar(own, 3);
        if (!bar_show_instances(device))
            return false;
    }
    if (!gpfifo_bar_make_space(own, &own->bar1, bar1_bytes(device)))
        return false;
    gpfifo_bind_bar(own, 1);
    return make_userd(own);
}
