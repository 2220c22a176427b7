/* SPDX-License-Identifier: MIT */
/*
 * Moving a buffer to where a submission needs it: programs name for each use the domains that will do. Linux
 * drivers/gpu/drm/nouveau/nouveau_gem.c, nouveau_gem_set_domain() and validate_list(). Buffers are idle while they
 * move; the program's mappings are of the new memory afterwards.
 */
#include <stdint.h>

#include <drm.h>
#include <errno.h>
#include <nouveau_drm.h>
#include <string.h>

#include "face/drm/node/buffer.h"
#include "face/drm/node/work.h"

#define IDLE_NANOSECONDS UINT64_C(30000000000)

/* Its addresses follow it. */
static int move_follow(struct drm_buffer *buffer) {
    int status = 0;
    for (struct drm_file *file = buffer->device->files; file && !status; file = file->next)
        status = drm_file_follow(file, buffer);
    return status;
}

static void exchange(struct drm_buffer *one, struct drm_buffer *other) {
    struct pfifo_buffer *memory = one->memory;
    const struct drm_memory backing = one->backing;
    const uint32_t domain = one->domain;
    const uint64_t id = one->backing.id;
    one->memory = other->memory;
    one->backing = other->backing;
    one->domain = other->domain;
    other->memory = memory;
    other->backing = backing;
    other->domain = domain;
    other->backing.id = one->backing.id;
    one->backing.id = id;
}

int drm_buffer_move(struct drm_buffer *buffer, uint32_t domain) {
    struct drm_device *device = buffer->device;
    const struct drm_config *config = &device->config;
    if (buffer->pinned)
        return -EINVAL;
    int status = drm_buffer_wait(buffer, true, IDLE_NANOSECONDS);
    if (status)
        return status;
    struct drm_buffer *place;
    status = drm_buffer_new(device, buffer->bytes, 0, domain, buffer->tile_mode, buffer->tile_flags, &place);
    if (status)
        return status;
    struct pfifo_error error;
    const void *from = pfifo_buffer_map(buffer->memory, &error);
    void *to = pfifo_buffer_map(place->memory, &error);
    if (place->domain == domain && from && to) {
        memcpy(to, from, buffer->bytes);
        if (config->host->moved)
            config->host->moved(config->opaque, &buffer->backing, &place->backing);
        exchange(buffer, place);
        status = move_follow(buffer);
    } else {
        status = -ENOMEM;
    }
    drm_buffer_unref(place);
    return status;
}

/* ---- eviction ---- */

/* The one that a submission named least recently, of those that may go. */
static struct drm_buffer *coldest(const struct drm_device *device) {
    struct drm_buffer *found = NULL;
    for (struct drm_buffer *buffer = device->buffers; buffer; buffer = buffer->next) {
        if (buffer->domain != NOUVEAU_GEM_DOMAIN_VRAM || buffer->pinned || buffer->submitting ||
            drm_buffer_used(buffer))
            continue;
        if (!found || buffer->listed < found->listed)
            found = buffer;
    }
    return found;
}

/* As TTM does it when VRAM is full; the submission that needs the buffer next brings it back. */
bool drm_buffer_evict(struct drm_device *device) {
    struct drm_buffer *buffer = coldest(device);
    return buffer && drm_buffer_move(buffer, NOUVEAU_GEM_DOMAIN_GART) == 0;
}
