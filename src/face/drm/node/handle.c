/* SPDX-License-Identifier: MIT */
/* Handles of a file, and the addresses that its buffers have in its address space. Linux drivers/gpu/drm/drm_gem.c. */
#include <stdint.h>

#include <drm.h>
#include <assert.h>
#include <errno.h>
#include <nouveau_drm.h>
#include <stdlib.h>

#include "chip/chip.h"
#include "face/drm/node/buffer.h"
#include "face/drm/node/kind.h"
#include "face/drm/node/jobs.h"

#define MOST_HANDLES (1u << 20)

/* ---- addresses ---- */

/* Before page tables a buffer has the same address for all. At `fixed`, or anywhere if that is 0. */
static int handle_map_buffer(struct drm_file *file, struct drm_buffer *buffer, uint64_t fixed, uint64_t *address) {
    if (!file->vm) {
        *address = pfifo_buffer_address(buffer->memory);
        return 0;
    }
    uint64_t big = pfifo_vm_big_page_bytes(file->vm);
    bool large = big && buffer->page_bytes >= big && buffer->domain == NOUVEAU_GEM_DOMAIN_VRAM;
    const struct pfifo_vm_map map = {.size = sizeof map,
                                     .buffer = buffer->memory,
                                     .address = fixed,
                                     .flags = fixed ? PFIFO_VM_FIXED : 0,
                                     .page_bytes = large ? 0 : PFIFO_VM_PAGE_BYTES,
                                     .kind = drm_kind(buffer->device->config.chip, buffer->tile_flags)};
    struct pfifo_error error;
    if (pfifo_vm_map(file->vm, &map, address, &error) == PFIFO_OK)
        return 0;
    drm_log(file->device, "buffer: %s", error.message);
    return drm_memory_errno(&error);
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
static uint32_t handle_free_handle(struct drm_file *file) {
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

uint32_t drm_file_handle_of(const struct drm_file *file, const struct drm_buffer *buffer) {
    for (uint32_t handle = 1; handle < file->handle_room; handle++)
        if (file->handles[handle].buffer == buffer)
            return handle;
    return 0;
}

/* By a handle, or as the notifiers of a channel. NULL: the buffer has no address in the file. */
static const struct drm_handle *find_mapping(const struct drm_file *file, const struct drm_buffer *buffer) {
    uint32_t handle = drm_file_handle_of(file, buffer);
    const struct drm_channel *channel = file->channels;
    if (handle)
        return &file->handles[handle];
    while (channel && channel->notifiers.buffer != buffer)
        channel = channel->next;
    return channel ? &channel->notifiers : NULL;
}

int drm_file_follow(struct drm_file *file, struct drm_buffer *buffer) {
    const struct drm_handle *at = find_mapping(file, buffer);
    if (!at || (file->space && !at->address))
        return 0;
    uint64_t address = at->address;
    if (file->vm)
        pfifo_vm_unmap(file->vm, address, 0, NULL);
    int status = handle_map_buffer(file, buffer, address, &address);
    for (uint32_t handle = 1; handle < file->handle_room; handle++)
        if (file->handles[handle].buffer == buffer)
            file->handles[handle].address = address;
    return status;
}

/* A buffer has one address in a file, however many handles (nouveau_gem_object_open()). A new one has no handle yet. */
static int handle_enter(struct drm_file *file, struct drm_buffer *buffer, bool map, uint32_t *handle) {
    const struct drm_handle *other = buffer->references > 1 ? find_mapping(file, buffer) : NULL;
    const uint64_t address = other ? other->address : 0;
    *handle = handle_free_handle(file);
    if (!*handle)
        return -ENOMEM;
    struct drm_handle entry = {.buffer = buffer, .address = address};
    int status = other || !map ? 0 : handle_map_buffer(file, buffer, 0, &entry.address);
    if (status)
        return status;
    assert(!file->handles[*handle].buffer);
    drm_buffer_ref(buffer);
    file->handles[*handle] = entry;
    return 0;
}

/* After VM_INIT the program chooses the addresses. */
int drm_file_new_handle(struct drm_file *file, struct drm_buffer *buffer, uint32_t *handle) {
    return handle_enter(file, buffer, !file->space, handle);
}

int drm_file_kernel_handle(struct drm_file *file, struct drm_buffer *buffer, uint32_t *handle) {
    return handle_enter(file, buffer, true, handle);
}

int drm_file_handle(struct drm_file *file, struct drm_buffer *buffer, uint32_t *handle) {
    *handle = buffer->references > 1 ? drm_file_handle_of(file, buffer) : 0;
    return *handle ? 0 : drm_file_new_handle(file, buffer, handle);
}

/* ---- buffers that lost their last handle ---- */

static void end_mapping(struct drm_file *file, const struct drm_handle *entry) {
    drm_tell_leaves(file->device);
    if (file->vm && entry->address)
        pfifo_vm_unmap(file->vm, entry->address, 0, NULL);
    drm_buffer_unref(entry->buffer);
}

void drm_file_reap(struct drm_file *file, bool all) {
    for (struct drm_gone **at = &file->gone; *at;) {
        struct drm_gone *gone = *at;
        if (!all && drm_buffer_used(gone->entry.buffer)) {
            at = &gone->next;
            continue;
        }
        *at = gone->next;
        end_mapping(file, &gone->entry);
        free(gone);
    }
}

/* Memory and address stay until the GPU is done with them (nouveau_gem_object_unmap()). */
void drm_file_release(struct drm_file *file, const struct drm_handle *entry) {
    assert(entry->buffer && entry->buffer->device == file->device);
    bool mapped = !file->space || entry->address;
    if (!mapped || (entry->buffer->references > 1 && find_mapping(file, entry->buffer))) {
        drm_buffer_unref(entry->buffer);
        return;
    }
    struct drm_gone *gone = drm_buffer_used(entry->buffer) ? (struct drm_gone *)malloc(sizeof *gone) : NULL;
    if (!gone) {
        end_mapping(file, entry);
        return;
    }
    *gone = (struct drm_gone){*entry, file->gone};
    file->gone = gone;
}

int drm_file_forget(struct drm_file *file, uint32_t handle) {
    struct drm_handle *at = drm_file_at(file, handle);
    if (!at)
        return -EINVAL;
    struct drm_handle entry = *at;
    at->buffer = NULL;
    if (handle < file->handle_free)
        file->handle_free = handle;
    drm_file_release(file, &entry);
    return 0;
}
