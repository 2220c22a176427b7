/* SPDX-License-Identifier: MIT */
/*
 * Buffers with more than size and address: several owners, attributes, memory that the owner supplies.
 */
#include "driver/buffer.h"
#include "driver/ops.h"

#include "chip/config.h"

#include <stdlib.h>

#define BUS_END (UINT64_C(1) << 40) /* of addresses in page tables */

struct pfifo_buffer *pfifo_buffer_ref(struct pfifo_buffer *buffer) {
    if (!buffer)
        return NULL;
    if (buffer->freed) { /* found where it is still mapped */
        buffer->freed = false;
        buffer->owners = 0;
        buffer_hold(buffer);
    }
    buffer->owners++;
    return buffer;
}

/* What both ways of making one have in common. */
static enum pfifo_status buffer_read_config(struct pfifo_device *device, const struct pfifo_buffer_config *given,
                                            struct pfifo_buffer_config *config, struct pfifo_error *error) {
    if (!device || !given)
        return pfifo_error_set(error, PFIFO_ERROR_ARGUMENT, "a buffer needs a device and a configuration");
    enum pfifo_status status = config_read(config, sizeof *config, given, sizeof *config, "pfifo_buffer_config", error);
    if (status == PFIFO_OK && config->no_address && !device->vm)
        return pfifo_error_set(error, PFIFO_ERROR_UNSUPPORTED, "%s has no address spaces: a buffer has an address",
                               device->chip->name);
    if (status == PFIFO_OK && config->no_address && config->address)
        return pfifo_error_set(error, PFIFO_ERROR_ARGUMENT, "an address for a buffer without one");
    return status;
}

static struct pfifo_buffer *with_attributes(struct pfifo_buffer *buffer, const struct pfifo_buffer_config *config) {
    if (buffer) {
        buffer->kind = config->kind;
        buffer->tile_mode = config->tile_mode;
    }
    return buffer;
}

struct pfifo_buffer *pfifo_buffer_create(struct pfifo_device *device, const struct pfifo_buffer_config *given,
                                         struct pfifo_error *error) {
    struct pfifo_buffer_config config = {0};
    if (buffer_read_config(device, given, &config, error) != PFIFO_OK)
        return NULL;
    const struct buffer_config make = {.domain = config.domain,
                                       .bytes = config.bytes,
                                       .vm = config.no_address ? NULL : device->vm,
                                       .address = config.address};
    return with_attributes(buffer_make(device, &make, error), &config);
}

/* ---- imports ---- */

static enum pfifo_status check_import(const struct pfifo_device *device, const struct pfifo_extent *extents,
                                      size_t count, struct pfifo_error *error) {
    uint64_t own = device->config.gpu.system_bytes, total = 0;
    if (!device->vm || !device->config.gpu.system_map)
        return pfifo_error_set(error, PFIFO_ERROR_UNSUPPORTED, "%s: imports need G80 or later, and system_map",
                               device->chip->name);
    if (!extents || count == 0 || count > SIZE_MAX / sizeof(struct buffer_extent))
        return pfifo_error_set(error, PFIFO_ERROR_ARGUMENT, "an import of nothing");
    own = device->system.end > own ? device->system.end : own;
    for (size_t i = 0; i < count; i++) {
        uint64_t address = extents[i].address, bytes = extents[i].bytes;
        if (address % PAGE_BYTES || bytes == 0 || bytes % PAGE_BYTES || address < own || address >= BUS_END ||
            bytes > BUS_END - address || bytes > BUS_END - total)
            return pfifo_error_set(error, PFIFO_ERROR_ARGUMENT, "%llu bytes at bus address 0x%llx cannot be imported",
                                   (unsigned long long)bytes, (unsigned long long)address);
        total += bytes;
    }
    return PFIFO_OK;
}

/* Pages that follow each other in memory, too, are one piece: big pages may fit there. Returns how many pieces. */
static size_t join_extents(const struct pfifo_extent *extents, size_t count, struct buffer_extent *list,
                           uint64_t *bytes) {
    size_t pieces = 0;
    for (size_t i = 0; i < count; i++) {
        if (pieces && list[pieces - 1].physical + list[pieces - 1].bytes == extents[i].address)
            list[pieces - 1].bytes += extents[i].bytes;
        else
            list[pieces++] = (struct buffer_extent){*bytes, extents[i].address, extents[i].bytes};
        *bytes += extents[i].bytes;
    }
    return pieces;
}

struct pfifo_buffer *pfifo_buffer_import(struct pfifo_device *device, const struct pfifo_extent *extents, size_t count,
                                         const struct pfifo_buffer_config *given, struct pfifo_error *error) {
    struct pfifo_buffer_config config = {0};
    uint64_t bytes = 0;
    if (buffer_read_config(device, given, &config, error) != PFIFO_OK ||
        check_import(device, extents, count, error) != PFIFO_OK)
        return NULL;
    struct buffer_extent *list = malloc(count * sizeof *list);
    if (!list) {
        pfifo_error_set(error, PFIFO_ERROR_MEMORY, "no memory for a buffer");
        return NULL;
    }
    size_t pieces = join_extents(extents, count, list, &bytes);
    const struct buffer_config make = {.domain = PFIFO_GART,
                                       .bytes = bytes,
                                       .vm = config.no_address ? NULL : device->vm,
                                       .address = config.address,
                                       .extents = list,
                                       .extent_count = pieces};
    struct pfifo_buffer *buffer = buffer_make(device, &make, error);
    if (!buffer)
        free(list);
    return with_attributes(buffer, &config);
}

/* ---- for the CPU ---- */

/*
 * Host memory of `bytes` of physical memory, at most: in the owner's, or from the beginning of the model's. NULL: there
 * is none.
 */
static uint8_t *buffer_host(const struct pfifo_buffer *buffer, uint8_t *base, uint64_t physical, uint64_t *bytes) {
    const struct pfifo_config *gpu = &buffer->device->config.gpu;
    if (buffer->system && gpu->system_map)
        return gpu->system_map(gpu->opaque, physical, bytes, true);
    return base ? base + physical : NULL;
}

void *pfifo_buffer_map(struct pfifo_buffer *buffer, struct pfifo_error *error) {
    if (!buffer) {
        pfifo_error_set(error, PFIFO_ERROR_ARGUMENT, "there is no buffer to map");
        return NULL;
    }
    struct pfifo_gpu *gpu = buffer->device->gpu;
    uint8_t *base = buffer->system ? pfifo_gpu_system_map(gpu) : pfifo_gpu_vram_map(gpu), *first = NULL;
    for (uint64_t offset = 0, got; offset < buffer->bytes; offset += got) {
        uint64_t physical, piece = buffer_piece(buffer, offset, buffer->bytes - offset, &physical);
        got = piece;
        uint8_t *data = buffer_host(buffer, base, physical, &got);
        if (offset == 0)
            first = data;
        if (!data || !got || got > piece || (uintptr_t)data != (uintptr_t)first + offset) {
            pfifo_error_set(error, PFIFO_ERROR_MEMORY, "the buffer is not contiguous in the host's memory");
            return NULL;
        }
    }
    return first;
}

enum pfifo_domain pfifo_buffer_domain(const struct pfifo_buffer *buffer) {
    return buffer->system ? PFIFO_GART : PFIFO_VRAM;
}

uint32_t pfifo_buffer_kind(const struct pfifo_buffer *buffer) {
    return buffer->kind;
}

uint32_t pfifo_buffer_tile_mode(const struct pfifo_buffer *buffer) {
    return buffer->tile_mode;
}
