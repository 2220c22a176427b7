/* SPDX-License-Identifier: MIT */
/* GEM objects and the handles of files. */
#include "face/drm/node/buffer.h"

#include <stdint.h>

#include <drm.h>
#include <errno.h>
#include <nouveau_drm.h>
#include <stdlib.h>

#include "chip/chip.h"
#include "face/drm/node/nouveau.h"

#define MOST_BYTES   (UINT64_C(1) << 40)
#define MOST_HANDLES (1u << 20)
#define BIG_BYTES    0x20000u /* from this size on VRAM is mapped with big pages, where the chip has them */

/* ---- making and freeing ---- */

static int memory_errno(const struct drm_device *device, const struct pfifo_error *error) {
    (void)device;
    return error->status == PFIFO_ERROR_MEMORY ? -ENOMEM : -EINVAL;
}

/* Where the memory is in the file that it is a part of. */
static bool find_backing(struct drm_buffer *buffer, struct pfifo_error *error) {
    struct pfifo_gpu *gpu = pfifo_device_gpu(buffer->device->pfifo);
    const uint8_t *at = pfifo_buffer_map(buffer->memory, error), *vram = pfifo_gpu_vram_map(gpu);
    if (!at)
        return false;
    bool in_vram = buffer->device->config.chip->vram_bytes && vram && at >= vram &&
                   (uint64_t)(at - vram) < pfifo_gpu_vram_bytes(gpu);
    const uint8_t *base = in_vram ? vram : pfifo_gpu_system_map(gpu);
    buffer->backing.fd = in_vram ? pfifo_gpu_vram_fd(gpu, error) : pfifo_gpu_system_fd(gpu, error);
    buffer->backing.offset = (uint64_t)(at - base);
    buffer->backing.bytes = buffer->bytes;
    return buffer->backing.fd >= 0;
}

static void count_memory(struct drm_buffer *buffer, bool more) {
    uint64_t *used =
        buffer->domain == NOUVEAU_GEM_DOMAIN_VRAM ? &buffer->device->vram_used : &buffer->device->gart_used;
    *used = more ? *used + buffer->bytes : *used - buffer->bytes;
}

static void enter_device(struct drm_buffer *buffer) {
    struct drm_device *device = buffer->device;
    buffer->map_offset = device->map_offset;
    device->map_offset += (buffer->bytes + 0xfff) & ~UINT64_C(0xfff);
    buffer->next = device->buffers;
    if (device->buffers)
        device->buffers->previous = buffer;
    device->buffers = buffer;
    count_memory(buffer, true);
}

static void leave_device(struct drm_buffer *buffer) {
    if (buffer->previous)
        buffer->previous->next = buffer->next;
    else
        buffer->device->buffers = buffer->next;
    if (buffer->next)
        buffer->next->previous = buffer->previous;
    count_memory(buffer, false);
}

/* Chips without VRAM have GART only; programs that ask for VRAM get an error there, as from the kernel. */
static int place(struct drm_buffer *buffer, uint32_t domains) {
    struct drm_device *device = buffer->device;
    struct pfifo_error error;
    struct pfifo_buffer_config config = {.size = sizeof config,
                                         .no_address = chip_has_page_tables(device->config.chip),
                                         .bytes = buffer->bytes,
                                         .tile_mode = buffer->tile_mode};
    bool vram = (domains & NOUVEAU_GEM_DOMAIN_VRAM) && device->config.chip->vram_bytes;
    config.domain = vram ? PFIFO_VRAM : PFIFO_GART;
    buffer->memory = pfifo_buffer_create(device->pfifo, &config, &error);
    if (!buffer->memory && vram && (domains & NOUVEAU_GEM_DOMAIN_GART)) {
        vram = false;
        config.domain = PFIFO_GART;
        buffer->memory = pfifo_buffer_create(device->pfifo, &config, &error);
    }
    if (!buffer->memory)
        return memory_errno(device, &error);
    buffer->domain = vram ? NOUVEAU_GEM_DOMAIN_VRAM : NOUVEAU_GEM_DOMAIN_GART;
    buffer->valid_domains = NOUVEAU_GEM_DOMAIN_VRAM | NOUVEAU_GEM_DOMAIN_GART;
    if (config.no_address && (domains & buffer->valid_domains))
        buffer->valid_domains &= domains;
    if (find_backing(buffer, &error))
        return 0;
    drm_log(device, "buffer: %s", error.message);
    pfifo_buffer_free(buffer->memory);
    return -ENOMEM;
}

int drm_buffer_new(struct drm_device *device, uint64_t bytes, uint64_t align, uint32_t domains, uint32_t tile_mode,
                   uint32_t tile_flags, struct drm_buffer **made) {
    if (bytes == 0 || bytes > MOST_BYTES || align > MOST_BYTES)
        return -EINVAL;
    struct drm_buffer *buffer = calloc(1, sizeof *buffer);
    if (!buffer)
        return -ENOMEM;
    buffer->device = device;
    buffer->references = 1;
    buffer->bytes = (bytes + 0xfff) & ~UINT64_C(0xfff);
    buffer->tile_mode = tile_mode;
    buffer->tile_flags = tile_flags;
    int status = place(buffer, domains);
    if (status) {
        free(buffer);
        return status;
    }
    enter_device(buffer);
    *made = buffer;
    return 0;
}

struct drm_buffer *drm_buffer_ref(struct drm_buffer *buffer) {
    buffer->references++;
    return buffer;
}

void drm_buffer_unref(struct drm_buffer *buffer) {
    if (!buffer || --buffer->references)
        return;
    leave_device(buffer);
    pfifo_buffer_free(buffer->memory);
    free(buffer);
}

/* ---- addresses ---- */

/* Storage type of the page table entries: bits of tile_flags by generation (nouveau_bo.c, nouveau_bo_alloc()). */
static uint32_t kind_of(const struct drm_buffer *buffer) {
    static const struct kind_row {
        const char *chips;
        uint32_t mask;
    } rows[] = {{"NV40:G80", 0}, {"G80:GF100", 0x7f00}, {"GF100-", 0xff00}};
    const struct kind_row *row = CHIP_ROW(buffer->device->config.chip, rows);
    return (buffer->tile_flags & row->mask) >> 8;
}

/* Before page tables a buffer has the same address for all. At `fixed`, or anywhere if that is 0. */
static int map_buffer(struct drm_file *file, struct drm_buffer *buffer, uint64_t fixed, uint64_t *address) {
    if (!file->vm) {
        *address = pfifo_buffer_address(buffer->memory);
        return 0;
    }
    uint64_t big = pfifo_vm_big_page_bytes(file->vm);
    bool large = big && buffer->bytes >= BIG_BYTES && buffer->domain == NOUVEAU_GEM_DOMAIN_VRAM;
    const struct pfifo_vm_map map = {.size = sizeof map,
                                     .buffer = buffer->memory,
                                     .address = fixed,
                                     .flags = fixed ? PFIFO_VM_FIXED : 0,
                                     .page_bytes = large ? 0 : PFIFO_VM_PAGE_BYTES,
                                     .kind = kind_of(buffer)};
    struct pfifo_error error;
    if (pfifo_vm_map(file->vm, &map, address, &error) == PFIFO_OK)
        return 0;
    drm_log(file->device, "buffer: %s", error.message);
    return memory_errno(file->device, &error);
}

int drm_buffer_remap(struct drm_file *file, struct drm_buffer *buffer, uint64_t *address) {
    if (file->vm)
        pfifo_vm_unmap(file->vm, *address, 0, NULL);
    return map_buffer(file, buffer, *address, address);
}

/* ---- handles ---- */

struct drm_handle *drm_file_at(struct drm_file *file, uint32_t handle) {
    if (handle == 0 || handle >= file->handle_room || !file->handles[handle].buffer)
        return NULL;
    return &file->handles[handle];
}

struct drm_buffer *drm_file_buffer(struct drm_file *file, uint32_t handle) {
    const struct drm_handle *at = drm_file_at(file, handle);
    return at ? at->buffer : NULL;
}

/* A free handle, the lowest, as the kernel's idr gives it. 0: there is none. */
static uint32_t free_handle(struct drm_file *file) {
    uint32_t handle = file->handle_free ? file->handle_free : 1;
    while (handle < file->handle_room && file->handles[handle].buffer)
        handle++;
    file->handle_free = handle;
    if (handle < file->handle_room)
        return handle;
    uint32_t room = file->handle_room ? 2 * file->handle_room : 64;
    struct drm_handle *handles =
        room <= MOST_HANDLES ? (struct drm_handle *)realloc(file->handles, room * sizeof *handles) : NULL;
    if (!handles)
        return 0;
    for (uint32_t i = file->handle_room; i < room; i++)
        handles[i] = (struct drm_handle){0};
    file->handles = handles;
    file->handle_room = room;
    return handle;
}

static uint32_t handle_of(const struct drm_file *file, const struct drm_buffer *buffer) {
    for (uint32_t handle = 1; handle < file->handle_room; handle++)
        if (file->handles[handle].buffer == buffer)
            return handle;
    return 0;
}

/* A new buffer has no handle yet; one with a name or descriptor may. */
int drm_file_handle(struct drm_file *file, struct drm_buffer *buffer, uint32_t *handle) {
    *handle = buffer->references > 1 ? handle_of(file, buffer) : 0;
    if (*handle)
        return 0;
    *handle = free_handle(file);
    if (!*handle)
        return -ENOMEM;
    struct drm_handle entry = {.buffer = buffer};
    int status = map_buffer(file, buffer, 0, &entry.address);
    if (status)
        return status;
    drm_buffer_ref(buffer);
    file->handles[*handle] = entry;
    return 0;
}

/*
 * The addresses go at once, so what the GPU still does with the buffer is done first. The kernel keeps both until then
 * (nouveau_gem_object_unmap()).
 */
int drm_file_forget(struct drm_file *file, uint32_t handle) {
    struct drm_handle *at = drm_file_at(file, handle);
    if (!at)
        return -EINVAL;
    if (pfifo_buffer_busy(at->buffer->memory))
        drm_device_run(file->device, file->device->config.budget);
    if (file->vm)
        pfifo_vm_unmap(file->vm, at->address, 0, NULL);
    struct drm_buffer *buffer = at->buffer;
    at->buffer = NULL;
    if (handle < file->handle_free)
        file->handle_free = handle;
    drm_buffer_unref(buffer);
    return 0;
}
