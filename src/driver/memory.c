/* SPDX-License-Identifier: MIT */
/*
 * Memory: buffers of programs, and instance memory, which is the kernel's own.
 *
 * A buffer is contiguous in physical memory. Instance memory is written word by word through the window in BAR0, RAMIN
 * also where the chip has it in another BAR, the contents of buffers through the CPU's mapping of them.
 */
#include "driver/driver.h"

#include <stdlib.h>

#define WINDOW_SELECT 0x001700u
#define WINDOW        0x700000u
#define WINDOW_BYTES  0x100000u
#define CLEAR_BYTES   0x10000u
#define RAMIN_RUN     256u

/* ---- physical memory ---- */

static void cpu_read(struct pfifo_device *device, bool system, uint64_t physical, void *data, size_t bytes) {
    (system ? pfifo_gpu_system_read : pfifo_gpu_vram_read)(device->gpu, physical, data, bytes);
}

static void cpu_write(struct pfifo_device *device, bool system, uint64_t physical, const void *data, size_t bytes) {
    (system ? pfifo_gpu_system_write : pfifo_gpu_vram_write)(device->gpu, physical, data, bytes);
}

static void cpu_clear(struct pfifo_device *device, bool system, uint64_t physical, uint64_t bytes) {
    (system ? pfifo_gpu_system_clear : pfifo_gpu_vram_clear)(device->gpu, physical, bytes);
}

/* ---- instance memory ---- */

static uint32_t load_le(const uint8_t b[4]) {
    return b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

static void store_le(uint8_t b[4], uint32_t value) {
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
    store_le(b, value);
    pfifo_gpu_bar_write(device->gpu, device->ramin_bar, device->ramin_at + address, b, sizeof b);
}

void ramin_write(struct pfifo_device *device, uint64_t address, const uint32_t *words, size_t count) {
    uint8_t b[4 * RAMIN_RUN];
    for (size_t done = 0, step; done < count; done += step) {
        step = count - done < RAMIN_RUN ? count - done : RAMIN_RUN;
        for (size_t i = 0; i < step; i++)
            store_le(b + 4 * i, words[done + i]);
        pfifo_gpu_bar_write(device->gpu, device->ramin_bar, device->ramin_at + address + 4 * done, b, 4 * step);
    }
}

static void inst_clear(struct pfifo_device *device, uint64_t address, uint64_t bytes) {
    if (device->ops->linear_vram)
        ramin_clear(device, address, bytes);
    else
        cpu_clear(device, false, address, bytes);
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
    uint32_t base = (uint32_t)(address / WINDOW_BYTES * WINDOW_BYTES >> 16);
    if (!device->window_valid || device->window != base)
        device_wr32(device, WINDOW_SELECT, base);
    device->window = base;
    device->window_valid = true;
    return WINDOW + (uint32_t)(address % WINDOW_BYTES);
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
    store_le(b, value);
    if (in_bar3(device, address)) {
        pfifo_gpu_bar_write(device->gpu, 3, address - device->bar3_first, b, sizeof b);
        return;
    }
    device_wr32(device, window_to(device, address), value);
}

/* As far as BAR 3 or the window go. */
static size_t g80_inst_write_piece(struct pfifo_device *device, uint64_t address, const uint8_t *data, size_t bytes) {
    bool bar3 = in_bar3(device, address);
    uint64_t left = bar3 ? device->bar3_first + device->bar3_bytes - address : WINDOW_BYTES - address % WINDOW_BYTES;
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

/* ---- buffers ---- */

static struct pool *physical_pool(struct pfifo_device *device, bool system) {
    return system ? &device->system : &device->vram;
}

static enum pfifo_status address_error(struct pfifo_error *error, uint64_t address, uint64_t bytes) {
    return pfifo_error_set(error, PFIFO_ERROR_ARGUMENT, "%llu bytes at 0x%llx overlap a buffer or are out of range",
                           (unsigned long long)bytes, (unsigned long long)address);
}

static enum pfifo_status memory_error(struct pfifo_error *error, uint64_t bytes, const char *of) {
    return pfifo_error_set(error, PFIFO_ERROR_MEMORY, "no %s left for a buffer of %llu bytes", of,
                           (unsigned long long)bytes);
}

/* Before G80, VRAM: the address is the place. */
static enum pfifo_status place_linear(struct pfifo_buffer *buffer, uint64_t fixed, uint64_t align,
                                      struct pfifo_error *error) {
    struct pool *vram = &buffer->device->vram;
    if (fixed) {
        if (!pool_take(vram, fixed, buffer->bytes))
            return address_error(error, fixed, buffer->bytes);
        buffer->physical = fixed;
    } else if (!pool_find(vram, buffer->bytes, align, &buffer->physical)) {
        return memory_error(error, buffer->bytes, "VRAM");
    }
    buffer->address = buffer->physical;
    return PFIFO_OK;
}

static enum pfifo_status place_address(struct pfifo_buffer *buffer, uint64_t fixed, uint64_t align,
                                       struct pfifo_error *error) {
    struct pool *va = &buffer->device->va;
    buffer->address = fixed;
    if (fixed && !pool_take(va, fixed, buffer->bytes))
        return address_error(error, fixed, buffer->bytes);
    if (!fixed && !pool_find(va, buffer->bytes, align, &buffer->address))
        return memory_error(error, buffer->bytes, "addresses");
    return PFIFO_OK;
}

static enum pfifo_status place_paged(struct pfifo_buffer *buffer, uint64_t fixed, uint64_t align,
                                     struct pfifo_error *error) {
    struct pfifo_device *device = buffer->device;
    struct pool *physical = physical_pool(device, buffer->system);
    enum pfifo_status status = place_address(buffer, fixed, align, error);
    if (status != PFIFO_OK)
        return status;
    if (!pool_find(physical, buffer->bytes, align, &buffer->physical)) {
        pool_give(&device->va, buffer->address);
        return memory_error(error, buffer->bytes, buffer->system ? "system memory" : "VRAM");
    }
    if (device->ops->map(device, buffer))
        return PFIFO_OK;
    pool_give(physical, buffer->physical);
    pool_give(&device->va, buffer->address);
    return memory_error(error, buffer->bytes, "memory for page tables");
}

static bool is_linear(const struct pfifo_buffer *buffer) {
    return buffer->device->ops->linear_vram && !buffer->system;
}

static enum pfifo_status check_buffer(const struct pfifo_device *device, enum pfifo_domain domain, uint64_t bytes,
                                      uint64_t address, struct pfifo_error *error) {
    if (!device || (domain != PFIFO_VRAM && domain != PFIFO_GART))
        return pfifo_error_set(error, PFIFO_ERROR_ARGUMENT, "a buffer needs a device and a domain");
    if (bytes == 0 || bytes > UINT64_MAX - PAGE_BYTES)
        return pfifo_error_set(error, PFIFO_ERROR_ARGUMENT, "a buffer cannot have %llu bytes",
                               (unsigned long long)bytes);
    if (address % PAGE_BYTES)
        return pfifo_error_set(error, PFIFO_ERROR_ARGUMENT, "address 0x%llx is not that of a page",
                               (unsigned long long)address);
    return PFIFO_OK;
}

struct pfifo_buffer *pfifo_buffer_new(struct pfifo_device *device, enum pfifo_domain domain, uint64_t bytes,
                                      uint64_t address, struct pfifo_error *error) {
    if (check_buffer(device, domain, bytes, address, error) != PFIFO_OK)
        return NULL;
    struct pfifo_buffer *buffer = calloc(1, sizeof *buffer);
    if (!buffer) {
        pfifo_error_set(error, PFIFO_ERROR_MEMORY, "no memory for a buffer");
        return NULL;
    }
    buffer->device = device;
    buffer->system = domain == PFIFO_GART || !device->chip->vram_bytes;
    buffer->bytes = (bytes + PAGE_BYTES - 1) & ~(uint64_t)(PAGE_BYTES - 1);
    uint64_t align = buffer->bytes >= BIG_PAGE_BYTES ? BIG_PAGE_BYTES : PAGE_BYTES;
    enum pfifo_status status =
        is_linear(buffer) ? place_linear(buffer, address, align, error) : place_paged(buffer, address, align, error);
    if (status != PFIFO_OK) {
        free(buffer);
        return NULL;
    }
    cpu_clear(device, buffer->system, buffer->physical, buffer->bytes);
    buffer->next = device->buffers;
    if (buffer->next)
        buffer->next->previous = buffer;
    device->buffers = buffer;
    bar_show(buffer);
    return buffer;
}

static void unlink_buffer(struct pfifo_buffer *buffer) {
    if (buffer->next)
        buffer->next->previous = buffer->previous;
    if (buffer->previous)
        buffer->previous->next = buffer->next;
    else
        buffer->device->buffers = buffer->next;
}

void pfifo_buffer_free(struct pfifo_buffer *buffer) {
    if (!buffer)
        return;
    struct pfifo_device *device = buffer->device;
    bar_forget(buffer);
    if (!is_linear(buffer)) {
        device->ops->unmap(device, buffer);
        pool_give(&device->va, buffer->address);
    }
    pool_give(physical_pool(device, buffer->system), buffer->physical);
    unlink_buffer(buffer);
    free(buffer);
}

uint64_t pfifo_buffer_address(const struct pfifo_buffer *buffer) {
    return buffer->address;
}

uint64_t pfifo_buffer_bytes(const struct pfifo_buffer *buffer) {
    return buffer->bytes;
}

static bool inside(const struct pfifo_buffer *buffer, uint64_t offset, size_t bytes) {
    return offset <= buffer->bytes && bytes <= buffer->bytes - offset;
}

bool pfifo_buffer_read(struct pfifo_buffer *buffer, uint64_t offset, void *data, size_t bytes) {
    if (!inside(buffer, offset, bytes))
        return false;
    if (bar_show(buffer))
        pfifo_gpu_bar_read(buffer->device->gpu, 1, buffer->bar_offset + offset, data, bytes);
    else
        cpu_read(buffer->device, buffer->system, buffer->physical + offset, data, bytes);
    return true;
}

bool pfifo_buffer_write(struct pfifo_buffer *buffer, uint64_t offset, const void *data, size_t bytes) {
    if (!inside(buffer, offset, bytes))
        return false;
    if (bar_show(buffer))
        pfifo_gpu_bar_write(buffer->device->gpu, 1, buffer->bar_offset + offset, data, bytes);
    else
        cpu_write(buffer->device, buffer->system, buffer->physical + offset, data, bytes);
    return true;
}
