/* SPDX-License-Identifier: MIT */
/*
 * How the CPU reaches VRAM on G80 and later: through BAR 1 and BAR 3 in VM mode.
 *
 *   BAR 3   the last 16 MiB of VRAM, where instance memory is allocated first. What is elsewhere is accessed through
 *           the window of BAR 0.
 *   BAR 1   a buffer is mapped there for its whole life. If the BAR is full, all other buffers are unmapped from it;
 *           the CPU's next access maps a buffer again. So the CPU's accesses to buffers change nothing in the GPU,
 *           unless there are too many buffers.
 *
 * A buffer that cannot be mapped (larger than the BAR, no memory for tables) is accessed directly, as by a debugger. A
 * kernel driver would copy it.
 *
 * UNKNOWN: how large BAR 3 of a board is. Chosen: 16 MiB.
 * Sources: nouveau nouveau_bo.c, nvkm/subdev/instmem/nv50.c, nvkm/subdev/bar/{nv50,g84,gf100}.c.
 */
#include "driver/access.h"
#include "driver/buffer.h"
#include "driver/ops.h"

#include "hw/pbus.h"

void device_host_flush(struct pfifo_device *device) {
    uint32_t flush = device->ops->host_flush(device);
    device_wr32(device, flush, PFLUSH_TRIGGER);
    device_poll(device, flush, PFLUSH_BUSY, 0);
}

/* Only so much of BAR 1 is used, since tables are made for all of it. */
uint64_t bar1_bytes(const struct pfifo_device *device) {
    uint64_t bytes = pfifo_gpu_bar_bytes(device->gpu, 1);
    return bytes < BAR1_BYTES_MAX ? bytes : BAR1_BYTES_MAX;
}

void bar_pools(struct pfifo_device *device) {
    uint64_t bytes = bar1_bytes(device);
    device->bar1 = (struct pool){.floor = 0, .ceiling = bytes, .end = bytes};
}

/* ---- BAR 3 ---- */

bool bar_show_instances(struct pfifo_device *device) {
    uint64_t end = device->vram.end & ~(uint64_t)(BIG_PAGE_BYTES - 1);
    uint64_t bytes = end < BAR3_BYTES ? end : BAR3_BYTES;
    if (!bytes || !device->ops->bar_map(device, 3, 0, bytes, end - bytes))
        return bytes == 0;
    device->bar3_first = end - bytes;
    device->bar3_bytes = bytes;
    return true;
}

/* ---- BAR 1 ---- */

void bar_forget(struct pfifo_buffer *buffer) {
    if (!buffer->in_bar)
        return;
    buffer->device->ops->bar_unmap(buffer->device, buffer->bar_offset, buffer->bytes);
    pool_give(&buffer->device->bar1, buffer->bar_offset);
    buffer->in_bar = false;
}

static bool bar_find_place(struct pfifo_buffer *buffer) {
    uint64_t align = buffer->bytes >= BIG_PAGE_BYTES ? BIG_PAGE_BYTES : PAGE_BYTES;
    return pool_find(&buffer->device->bar1, buffer->bytes, align, &buffer->bar_offset);
}

/* If the BAR is full, all other buffers are unmapped from it. */
static bool bar_make_place(struct pfifo_buffer *buffer) {
    if (bar_find_place(buffer))
        return true;
    if (buffer->bytes > bar1_bytes(buffer->device))
        return false;
    for (struct pfifo_buffer *other = buffer->device->buffers; other; other = other->next)
        bar_forget(other);
    return bar_find_place(buffer);
}

bool bar_show(struct pfifo_buffer *buffer) {
    struct pfifo_device *device = buffer->device;
    if (buffer->in_bar || buffer->system || !device->ops->bar_map)
        return buffer->in_bar;
    if (!bar_make_place(buffer))
        return false;
    buffer->in_bar = device->ops->bar_map(device, 1, buffer->bar_offset, buffer->bytes, buffer->physical);
    if (!buffer->in_bar)
        pool_give(&device->bar1, buffer->bar_offset);
    return buffer->in_bar;
}
