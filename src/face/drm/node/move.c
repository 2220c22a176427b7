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
#include "face/drm/node/share.h"
#include "face/drm/node/jobs.h"

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
    one->memory = other->memory;
    one->backing = other->backing;
    one->domain = other->domain;
    other->memory = memory;
    other->backing = backing;
    other->domain = domain;
}

/* Its contents, its name and its addresses go to `place`, which gets its old memory. It is idle. */
static int change_places(struct drm_buffer *buffer, struct drm_buffer *place, uint32_t domain) {
    const struct drm_config *config = &buffer->device->config;
    struct pfifo_error error;
    const void *from = pfifo_buffer_map(buffer->memory, &error);
    void *to = pfifo_buffer_map(place->memory, &error);
    if (place->domain != domain || !from || !to)
        return -ENOMEM;
    if (buffer->share) {
        int status = drm_share_move(buffer, place);
        return status ? status : move_follow(buffer);
    }
    memcpy(to, from, buffer->bytes);
    if (config->host->moved)
        config->host->moved(config->opaque, &buffer->backing, &place->backing);
    exchange(buffer, place);
    return move_follow(buffer);
}

/* To make room may take a wait, in which others use the buffer, move it or pin it: it is looked at again. */
int drm_buffer_move(struct drm_buffer *buffer, uint32_t domain) {
    struct drm_buffer *place;
    const struct drm_layout layout = {buffer->bytes, buffer->valid_domains, buffer->tile_mode, buffer->tile_flags};
    if (buffer->pinned)
        return -EINVAL;
    int status = drm_buffer_wait(buffer, true, IDLE_NANOSECONDS);
    if (!status)
        status = drm_buffer_new_in(buffer->device, &layout, domain, &place);
    if (status)
        return status;
    status = drm_buffer_wait(buffer, true, IDLE_NANOSECONDS);
    if (!status && buffer->pinned)
        status = -EINVAL;
    if (!status && buffer->domain != domain)
        status = change_places(buffer, place, domain);
    drm_buffer_unref(place);
    return status;
}

/* ---- eviction ---- */

static bool may_go(const struct drm_buffer *buffer) {
    return buffer->domain == NOUVEAU_GEM_DOMAIN_VRAM && !buffer->pinned && !buffer->submitting;
}

/* Of the buffers that may be moved, the one that was submitted least recently; an idle one if possible. */
static struct drm_buffer *coldest(const struct drm_device *device) {
    struct drm_buffer *idle = NULL, *used = NULL;
    for (struct drm_buffer *buffer = device->buffers; buffer; buffer = buffer->next) {
        struct drm_buffer **found = drm_buffer_used(buffer) ? &used : &idle;
        if (may_go(buffer) && (!*found || buffer->listed < (*found)->listed))
            *found = buffer;
    }
    return idle ? idle : used;
}

/* As TTM does it when VRAM is full; the submission that needs the buffer next brings it back. */
bool drm_buffer_evict(struct drm_device *device) {
    struct drm_buffer *buffer = coldest(device);
    if (!buffer)
        return false;
    drm_buffer_ref(buffer); /* another thread may free it during the wait */
    bool gone = drm_buffer_wait_uninterrupted(buffer, true, IDLE_NANOSECONDS) == 0 && may_go(buffer) &&
                drm_buffer_move(buffer, NOUVEAU_GEM_DOMAIN_GART) == 0;
    drm_buffer_unref(buffer);
    return gone;
}
