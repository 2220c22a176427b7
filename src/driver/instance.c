/* SPDX-License-Identifier: MIT */
/*
 * Instance memory. It is accessed through the window of BAR 0 or through BAR 3; RAMIN through the BAR in which the chip
 * has it.
 */
#include "driver/instance.h"

#include "driver/access.h"
#include "driver/ops.h"

#include "hw/pbus.h"

#define CLEAR_BYTES 0x10000u
#define RAMIN_RUN   256u

static uint32_t load_le(const uint8_t b[4]) {
    return b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

static void instance_store_le(uint8_t b[4], uint32_t value) {
    for (unsigned i = 0; i < 4; i++)
        b[i] = (uint8_t)(value >> 8 * i);
}

/* Without VRAM everything is in system memory, which the GPU calls VRAM there. */
static struct pool *inst_pool(struct pfifo_device *device) {
    if (device->ops->linear_vram)
        return &device->ramin;
    return device->chip->vram_bytes ? &device->vram : &device->system;
}

static void ramin_clear(struct pfifo_device *device, uint64_t address, uint64_t bytes) {
    static const uint8_t zeros[CLEAR_BYTES];
    for (uint64_t done = 0; done < bytes; done += CLEAR_BYTES) {
        uint64_t left = bytes - done;
        pfifo_gpu_bar_write(device->gpu, device->ramin_bar, device->ramin_at + address + done, zeros,
                            left < CLEAR_BYTES ? (size_t)left : CLEAR_BYTES);
    }
}

uint32_t ramin_rd32(struct pfifo_device *device, uint64_t address) {
    uint8_t b[4];
    pfifo_gpu_bar_read(device->gpu, device->ramin_bar, device->ramin_at + address, b, sizeof b);
    return load_le(b);
}

void ramin_wr32(struct pfifo_device *device, uint64_t address, uint32_t value) {
    uint8_t b[4];
    instance_store_le(b, value);
    pfifo_gpu_bar_write(device->gpu, device->ramin_bar, device->ramin_at + address, b, sizeof b);
}

void ramin_write(struct pfifo_device *device, uint64_t address, const uint32_t *words, size_t count) {
    uint8_t b[4 * RAMIN_RUN];
    for (size_t done = 0, step; done < count; done += step) {
        step = count - done < RAMIN_RUN ? count - done : RAMIN_RUN;
        for (size_t i = 0; i < step; i++)
            instance_store_le(b + 4 * i, words[done + i]);
        pfifo_gpu_bar_write(device->gpu, device->ramin_bar, device->ramin_at + address + 4 * done, b, 4 * step);
    }
}

static void inst_clear(struct pfifo_device *device, uint64_t address, uint64_t bytes) {
    if (device->ops->linear_vram)
        ramin_clear(device, address, bytes);
    else
        pfifo_gpu_vram_clear(device->gpu, address, bytes);
}

uint64_t inst_alloc(struct pfifo_device *device, uint64_t bytes, uint64_t align) {
    uint64_t address;
    if (!pool_find(inst_pool(device), bytes, align, &address))
        return 0;
    inst_clear(device, address, bytes);
    return address;
}

uint64_t inst_alloc_kept(struct pfifo_device *device, uint64_t bytes, uint64_t align) {
    uint64_t address;
    if (!pool_find_kept(inst_pool(device), bytes, align, &address))
        return 0;
    inst_clear(device, address, bytes);
    return address;
}

void inst_free(struct pfifo_device *device, uint64_t address) {
    if (address)
        pool_give(inst_pool(device), address);
}

uint64_t inst_left(struct pfifo_device *device) {
    return pool_left(inst_pool(device));
}

bool inst_free_kept(struct pfifo_device *device, uint64_t address, uint64_t bytes) {
    return pool_give_part(inst_pool(device), address, bytes);
}

uint32_t inst_rd32(struct pfifo_device *device, uint64_t address) {
    return device->ops->inst_rd32(device, address);
}

void inst_wr32(struct pfifo_device *device, uint64_t address, uint32_t value) {
    device->ops->inst_wr32(device, address, value);
}

uint64_t inst_rd64(struct pfifo_device *device, uint64_t address) {
    return inst_rd32(device, address) | (uint64_t)inst_rd32(device, address + 4) << 32;
}

void inst_wr64(struct pfifo_device *device, uint64_t address, uint64_t value) {
    inst_wr32(device, address, (uint32_t)value);
    inst_wr32(device, address + 4, (uint32_t)(value >> 32));
}

static uint32_t window_to(struct pfifo_device *device, uint64_t address) {
    uint32_t base = (uint32_t)(address / NV_PRAMIN_BYTES * NV_PRAMIN_BYTES >> 16);
    if (!device->window_valid || device->window != base)
        device_wr32(device, NV_PBUS_HOST_MEM, base);
    device->window = base;
    device->window_valid = true;
    return NV_PRAMIN + (uint32_t)(address % NV_PRAMIN_BYTES);
}

/* Is the word in BAR 3? Without one, its size is 0. */
static bool in_bar3(const struct pfifo_device *device, uint64_t address) {
    return address - device->bar3_first < device->bar3_bytes;
}

uint32_t g80_inst_rd32(struct pfifo_device *device, uint64_t address) {
    uint8_t b[4];
    if (in_bar3(device, address)) {
        pfifo_gpu_bar_read(device->gpu, 3, address - device->bar3_first, b, sizeof b);
        return load_le(b);
    }
    return device_rd32(device, window_to(device, address));
}

void g80_inst_wr32(struct pfifo_device *device, uint64_t address, uint32_t value) {
    uint8_t b[4];
    instance_store_le(b, value);
    if (in_bar3(device, address)) {
        pfifo_gpu_bar_write(device->gpu, 3, address - device->bar3_first, b, sizeof b);
        return;
    }
    device_wr32(device, window_to(device, address), value);
}

/* Write as much as BAR 3 or the window reach. */
static size_t g80_inst_write_piece(struct pfifo_device *device, uint64_t address, const uint8_t *data, size_t bytes) {
    bool bar3 = in_bar3(device, address);
    uint64_t left =
        bar3 ? device->bar3_first + device->bar3_bytes - address : NV_PRAMIN_BYTES - address % NV_PRAMIN_BYTES;
    if (!bar3 && address < device->bar3_first && left > device->bar3_first - address)
        left = device->bar3_first - address;
    size_t step = bytes < left ? bytes : (size_t)left;
    if (bar3)
        pfifo_gpu_bar_write(device->gpu, 3, address - device->bar3_first, data, step);
    else
        pfifo_gpu_bar_write(device->gpu, 0, window_to(device, address), data, step);
    return step;
}

void g80_inst_write(struct pfifo_device *device, uint64_t address, const uint8_t *data, size_t bytes) {
    for (size_t step; bytes; address += step, data += step, bytes -= step)
        step = g80_inst_write_piece(device, address, data, bytes);
}
