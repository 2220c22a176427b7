/* SPDX-License-Identifier: MIT */
/*
 * Memory of programs: buffers. A buffer of the device is contiguous in physical memory. Its contents are written
 * through the CPU's mapping of it.
 */
#include "driver/buffer.h"
#include "driver/ops.h"

#include <stdlib.h>

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

/* VRAM before G80: the address is the physical one. */
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

/* GART before G80: an offset, and entries of GART's table. */
static enum pfifo_status place_in_gart(struct pfifo_buffer *buffer, uint64_t fixed, uint64_t align,
                                       struct pfifo_error *error) {
    struct pfifo_device *device = buffer->device;
    buffer->address = fixed;
    if (fixed && !pool_take(&device->gart, fixed, buffer->bytes))
        return address_error(error, fixed, buffer->bytes);
    if (!fixed && !pool_find(&device->gart, buffer->bytes, align, &buffer->address))
        return memory_error(error, buffer->bytes, "addresses");
    if (!pool_find(&device->system, buffer->bytes, align, &buffer->physical)) {
        pool_give(&device->gart, buffer->address);
        return memory_error(error, buffer->bytes, "system memory");
    }
    device->ops->map(device, buffer);
    return PFIFO_OK;
}

static enum pfifo_status enter_own(struct pfifo_buffer *buffer, struct pfifo_vm *vm, struct pfifo_error *error) {
    const struct vm_mapping mapping = {
        .address = buffer->address, .bytes = buffer->bytes, .buffer = buffer, .big = !buffer->system, .own = true};
    enum pfifo_status status = vm_enter(vm, &mapping, error);
    buffer->vm = status == PFIFO_OK ? vm : NULL;
    return status;
}

/* Memory, and an address if there is a space. */
static enum pfifo_status place_in_space(struct pfifo_buffer *buffer, struct pfifo_vm *vm, uint64_t fixed,
                                        uint64_t align, struct pfifo_error *error) {
    struct pool *physical = physical_pool(buffer->device, buffer->system);
    const struct vm_wish wish = {
        .address = fixed, .bytes = buffer->bytes, .align = fixed ? PAGE_BYTES : align, .fixed = fixed != 0};
    enum pfifo_status status = vm ? vm_take(vm, &wish, &buffer->address, error) : PFIFO_OK;
    if (status != PFIFO_OK)
        return status;
    if (!buffer->extents && !pool_find(physical, buffer->bytes, align, &buffer->physical))
        status = memory_error(error, buffer->bytes, buffer->system ? "system memory" : "VRAM");
    else if (vm && enter_own(buffer, vm, error) != PFIFO_OK) {
        if (!buffer->extents)
            pool_give(physical, buffer->physical);
        status = PFIFO_ERROR_MEMORY;
    }
    if (vm && status != PFIFO_OK)
        vm_give(vm, buffer->address, buffer->bytes);
    return status;
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

static enum pfifo_status place(struct pfifo_buffer *buffer, const struct buffer_config *config,
                               struct pfifo_error *error) {
    uint64_t align = buffer->bytes >= BIG_PAGE_BYTES ? BIG_PAGE_BYTES : PAGE_BYTES;
    if (is_linear(buffer))
        return place_linear(buffer, config->address, align, error);
    if (!buffer->device->vm)
        return place_in_gart(buffer, config->address, align, error);
    return place_in_space(buffer, config->vm, config->address, align, error);
}

struct pfifo_buffer *buffer_make(struct pfifo_device *device, const struct buffer_config *config,
                                 struct pfifo_error *error) {
    if (check_buffer(device, config->domain, config->bytes, config->address, error) != PFIFO_OK || !device)
        return NULL;
    struct pfifo_buffer *buffer = calloc(1, sizeof *buffer);
    if (!buffer) {
        pfifo_error_set(error, PFIFO_ERROR_MEMORY, "no memory for a buffer");
        return NULL;
    }
    buffer->device = device;
    buffer->id = ++device->ids;
    buffer->holds = buffer->owners = 1;
    buffer->extents = config->extents;
    buffer->extent_count = config->extent_count;
    buffer->system = config->domain == PFIFO_GART || !device->chip->vram_bytes;
    buffer->bytes = (config->bytes + PAGE_BYTES - 1) & ~(uint64_t)(PAGE_BYTES - 1);
    if (place(buffer, config, error) != PFIFO_OK) {
        free(buffer);
        return NULL;
    }
    if (!buffer->extents)
        cpu_clear(device, buffer->system, buffer->physical, buffer->bytes);
    buffer->next = device->buffers;
    if (buffer->next)
        buffer->next->previous = buffer;
    device->buffers = buffer;
    bar_show(buffer);
    return buffer;
}

struct pfifo_buffer *pfifo_buffer_new(struct pfifo_device *device, enum pfifo_domain domain, uint64_t bytes,
                                      uint64_t address, struct pfifo_error *error) {
    const struct buffer_config config = {
        .domain = domain, .bytes = bytes, .vm = device ? device->vm : NULL, .address = address};
    return buffer_make(device, &config, error);
}

static void unlink_buffer(struct pfifo_buffer *buffer) {
    if (buffer->next)
        buffer->next->previous = buffer->previous;
    if (buffer->previous)
        buffer->previous->next = buffer->next;
    else
        buffer->device->buffers = buffer->next;
}

void buffer_hold(struct pfifo_buffer *buffer) {
    buffer->holds++;
}

void buffer_let_go(struct pfifo_buffer *buffer) {
    if (--buffer->holds)
        return;
    if (!buffer->extents)
        pool_give(physical_pool(buffer->device, buffer->system), buffer->physical);
    free(buffer->extents);
    unlink_buffer(buffer);
    free(buffer->uses.fences);
    free(buffer);
}

void pfifo_buffer_free(struct pfifo_buffer *buffer) {
    if (!buffer || buffer->freed || --buffer->owners)
        return;
    struct pfifo_device *device = buffer->device;
    buffer->freed = true;
    bar_forget(buffer);
    if (buffer->vm)
        vm_unmap_own(buffer);
    if (!device->vm && !is_linear(buffer)) {
        device->ops->unmap(device, buffer);
        pool_give(&device->gart, buffer->address);
    }
    buffer_let_go(buffer);
}

uint64_t buffer_piece(const struct pfifo_buffer *buffer, uint64_t offset, uint64_t bytes, uint64_t *physical) {
    if (!buffer->extents) {
        *physical = buffer->physical + offset;
        return bytes;
    }
    size_t low = 0, high = buffer->extent_count - 1; /* the last that does not begin after it */
    while (low < high) {
        size_t middle = low + (high - low + 1) / 2;
        if (buffer->extents[middle].offset <= offset)
            low = middle;
        else
            high = middle - 1;
    }
    const struct buffer_extent *extent = &buffer->extents[low];
    uint64_t left = extent->bytes - (offset - extent->offset);
    *physical = extent->physical + (offset - extent->offset);
    return bytes < left ? bytes : left;
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

static void read_pieces(const struct pfifo_buffer *buffer, uint64_t offset, uint8_t *data, size_t bytes) {
    uint64_t physical, piece;
    for (; bytes; offset += piece, data += piece, bytes -= (size_t)piece) {
        piece = buffer_piece(buffer, offset, bytes, &physical);
        cpu_read(buffer->device, buffer->system, physical, data, (size_t)piece);
    }
}

static void write_pieces(const struct pfifo_buffer *buffer, uint64_t offset, const uint8_t *data, size_t bytes) {
    uint64_t physical, piece;
    for (; bytes; offset += piece, data += piece, bytes -= (size_t)piece) {
        piece = buffer_piece(buffer, offset, bytes, &physical);
        cpu_write(buffer->device, buffer->system, physical, data, (size_t)piece);
    }
}

bool pfifo_buffer_read(struct pfifo_buffer *buffer, uint64_t offset, void *data, size_t bytes) {
    if (!inside(buffer, offset, bytes))
        return false;
    if (bar_show(buffer))
        pfifo_gpu_bar_read(buffer->device->gpu, 1, buffer->bar_offset + offset, data, bytes);
    else
        read_pieces(buffer, offset, data, bytes);
    return true;
}

bool pfifo_buffer_peek(const struct pfifo_buffer *buffer, uint64_t offset, void *data, size_t bytes) {
    if (!inside(buffer, offset, bytes))
        return false;
    read_pieces(buffer, offset, data, bytes);
    return true;
}

bool pfifo_buffer_write(struct pfifo_buffer *buffer, uint64_t offset, const void *data, size_t bytes) {
    if (!inside(buffer, offset, bytes))
        return false;
    if (bar_show(buffer))
        pfifo_gpu_bar_write(buffer->device->gpu, 1, buffer->bar_offset + offset, data, bytes);
    else
        write_pieces(buffer, offset, data, bytes);
    return true;
}
