/* SPDX-License-Identifier: MIT */
/* Objects of a channel, and its notifiers. Linux drivers/gpu/drm/nouveau/nouveau_abi16.c. */
#include <stdint.h>

#include <drm.h>
#include <errno.h>
#include <nouveau_drm.h>
#include <stdlib.h>

#include "chip/chip.h"
#include "face/drm/node/buffer.h"
#include "face/drm/node/channel.h"
#include "face/drm/node/classes.h"
#include "face/drm/node/jobs.h"

#define MOST_OBJECTS 256u /* of a channel */

/* Objects and notifiers share the handles of a channel. */
static struct drm_object **object_find(struct drm_channel *channel, uint32_t handle) {
    struct drm_object **at = &channel->objects;
    while (*at && (*at)->handle != handle)
        at = &(*at)->next;
    return at;
}

static int remember_object(struct drm_channel *channel, const struct drm_object *made) {
    struct drm_object *object = malloc(sizeof *object);
    if (!object)
        return -ENOMEM;
    *object = *made;
    object->next = channel->objects;
    channel->objects = object;
    return 0;
}

void drm_channel_free_objects(struct drm_channel *channel) {
    while (channel->objects) {
        struct drm_object *object = channel->objects;
        channel->objects = object->next;
        free(object);
    }
}

/* From GF100 on there is no table of handles, so that one may be used twice. */
static int check_new_object(struct drm_channel *channel, uint32_t handle) {
    unsigned count = 0;
    if (channel->killed)
        return -ENODEV;
    for (const struct drm_object *object = channel->objects; object; object = object->next)
        count++;
    if (count >= MOST_OBJECTS)
        return -ENOSPC;
    if (channel->file->device->config.chip->binds_classes)
        return 0;
    bool own = handle == channel->dma_handles[0] || handle == channel->dma_handles[1];
    return own || *object_find(channel, handle) ? -EEXIST : 0;
}

static bool lists(const struct drm_channel *channel, int32_t oclass) {
    return drm_class_listed(channel->file->device->config.chip, channel->engine, oclass);
}

/*
 * A class that the channel does not list has no constructor (nvkm_ioctl_new()). That of DMA objects asks for the
 * object's description; with none it is ENOSYS (nvkm/engine/dma/user.c).
 */
static int check_class(const struct drm_channel *channel, int32_t oclass) {
    if (oclass == 0 || !lists(channel, oclass))
        return -EINVAL;
    return drm_class_is_dma(oclass) ? -ENOSYS : 0;
}

int drm_channel_object(struct drm_channel *channel, uint32_t handle, int32_t oclass) {
    int status = check_new_object(channel, handle);
    if (status)
        return status;
    status = check_class(channel, oclass);
    if (status)
        return status;
    struct pfifo_error error;
    if (pfifo_channel_object(channel->channel, handle, (uint32_t)oclass, &error) != PFIFO_OK) {
        drm_log(channel->file->device, "object %08x of class %x: %s", (unsigned)handle, (unsigned)oclass,
                error.message);
        return error.status == PFIFO_ERROR_MEMORY ? -ENOMEM : -EINVAL;
    }
    const struct drm_object made = {.handle = handle, .object_class = (uint32_t)oclass};
    return remember_object(channel, &made);
}

int drm_channel_forget_object(struct drm_channel *channel, uint32_t handle) {
    struct drm_object **at = object_find(channel, handle), *object = *at;
    if (!object)
        return -ENOENT;
    if (channel->channel)
        pfifo_channel_object_free(channel->channel, handle);
    *at = object->next;
    free(object);
    return 0;
}

static int object_grobj_alloc(struct drm_file *file, void *data) {
    const struct drm_nouveau_grobj_alloc *request = data;
    if (request->handle == UINT32_MAX)
        return -EINVAL;
    struct drm_channel *channel = drm_file_channel(file, (uint32_t)request->channel);
    if (!channel)
        return -ENOENT;
    int32_t oclass = drm_class_named(file->device->config.chip, channel->engine, request->class);
    return oclass ? drm_channel_object(channel, request->handle, oclass) : -EINVAL;
}

/* What is under way is done first, as far as it can be. */
static int gpuobj_free(struct drm_file *file, void *data) {
    const struct drm_nouveau_gpuobj_free *request = data;
    struct drm_channel *channel = drm_file_channel(file, (uint32_t)request->channel);
    if (!channel)
        return -EINVAL;
    drm_work_finish(file->device);
    drm_device_run(file->device, file->device->config.budget);
    return drm_channel_forget_object(channel, request->handle);
}

/* ---- notifiers ---- */

static bool object_overlaps(const struct drm_object *object, uint32_t begin, uint32_t bytes) {
    return begin < object->begin + object->bytes && object->begin < begin + bytes;
}

/* The first place that is free (nvkm_mm_head() with an alignment of 1). False: there is none. */
static bool object_find_place(const struct drm_channel *channel, uint32_t bytes, uint32_t *begin) {
    const struct drm_object *object = channel->objects;
    *begin = 0;
    while (object && bytes <= DRM_NOTIFIER_BYTES - *begin) {
        if (object_overlaps(object, *begin, bytes)) {
            *begin = object->begin + object->bytes;
            object = channel->objects;
        } else {
            object = object->next;
        }
    }
    return bytes <= DRM_NOTIFIER_BYTES - *begin;
}

/* A piece of the channel's notifier buffer, and a DMA object for it. Fermi and later have none. */
static int object_notifierobj_alloc(struct drm_file *file, void *data) {
    struct drm_nouveau_notifierobj_alloc *request = data;
    struct drm_channel *channel = drm_file_channel(file, request->channel);
    if (file->device->config.chip->binds_classes)
        return -EINVAL;
    if (!channel)
        return -ENOENT;
    int status = check_new_object(channel, request->handle);
    if (status)
        return status;
    struct drm_object made = {.handle = request->handle, .bytes = request->size};
    if (made.bytes == 0 || !object_find_place(channel, made.bytes, &made.begin))
        return made.bytes ? -ENOSPC : -EINVAL;
    struct pfifo_error error;
    if (pfifo_channel_dma_object(channel->channel, made.handle, channel->notifiers.buffer->memory, made.begin,
                                 made.bytes, &error) != PFIFO_OK) {
        drm_log(file->device, "notifier %08x: %s", (unsigned)made.handle, error.message);
        return drm_memory_errno(&error);
    }
    request->offset = made.begin;
    return remember_object(channel, &made);
}

#define ROW(number, structure, function)                                                                               \
    { 0x40 + (number), sizeof(structure), DRM_IOCTL_RENDER_ALLOWED, #function, function }

const struct drm_ioctl drm_nouveau_objects[] = {
    ROW(DRM_NOUVEAU_GROBJ_ALLOC, struct drm_nouveau_grobj_alloc, object_grobj_alloc),
    ROW(DRM_NOUVEAU_NOTIFIEROBJ_ALLOC, struct drm_nouveau_notifierobj_alloc, object_notifierobj_alloc),
    ROW(DRM_NOUVEAU_GPUOBJ_FREE, struct drm_nouveau_gpuobj_free, gpuobj_free),
    {0},
};
