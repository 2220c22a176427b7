/* SPDX-License-Identifier: MIT */
/* Linux drivers/gpu/drm/nouveau/nouveau_abi16.c, nouveau_chan.c. */
#include "face/drm/node/channel.h"

#include <stdint.h>

#include <drm.h>
#include <errno.h>
#include <nouveau_drm.h>
#include <stdlib.h>

#include <pfifo/classes.h>

#include "chip/chip.h"
#include "engine/core/foreign.h"

#define NOTIFIER_BYTES 4096u
#define MOST_CHANNELS  1024u /* of a file; a chip has fewer */
#define MOST_OBJECTS   256u  /* of a channel */

struct drm_channel *drm_file_channel(struct drm_file *file, uint32_t id) {
    for (struct drm_channel *channel = file->channels; channel; channel = channel->next)
        if (channel->id == id)
            return channel;
    return NULL;
}

void drm_channel_kill(struct drm_channel *channel, const char *reason) {
    if (channel->killed)
        return;
    channel->killed = true;
    drm_log(channel->file->device, "channel %u killed: %s", (unsigned)channel->id, reason);
    drm_look_killed(channel, reason);
    pfifo_channel_close(channel->channel);
    channel->channel = NULL;
}

static void free_objects(struct drm_channel *channel) {
    while (channel->objects) {
        struct drm_object *object = channel->objects;
        channel->objects = object->next;
        free(object);
    }
}

void drm_channel_free(struct drm_channel *channel) {
    struct drm_file *file = channel->file;
    for (struct drm_channel **at = &file->channels; *at; at = &(*at)->next)
        if (*at == channel) {
            *at = channel->next;
            break;
        }
    if (channel->channel) {
        drm_device_run(file->device, file->device->config.budget);
        pfifo_channel_close(channel->channel);
    }
    if (channel->notifiers)
        drm_file_forget(file, channel->notifier_handle);
    free_objects(channel);
    free(channel);
}

/* ---- CHANNEL_ALLOC ---- */

/*
 * From GK104 on a channel works for one engine; programs that say nothing get PGRAPH. 0, or -ENOSYS: the engine is
 * not known to the kernel, or the chip does not have it.
 */
static int choose_engine(const struct pfifo_chip *chip, const struct drm_nouveau_channel_alloc *alloc,
                         enum pfifo_channel_engine *engine) {
    *engine = PFIFO_ENGINE_GRAPHICS;
    if (!chip->has_runlists || alloc->fb_ctxdma_handle != UINT32_MAX)
        return 0;
    static const struct {
        uint32_t bit;
        enum pfifo_channel_engine engine;
    } engines[] = {{0x01, PFIFO_ENGINE_GRAPHICS},
                   {0x02, PFIFO_ENGINE_VIDEO_DECODER},
                   {0x04, PFIFO_ENGINE_VIDEO_PROCESSOR},
                   {0x08, PFIFO_ENGINE_VIDEO_BITSTREAM},
                   {0x30, PFIFO_ENGINE_COPY}};
    for (unsigned i = 0; i < sizeof engines / sizeof engines[0]; i++)
        if (engines[i].bit == alloc->tt_ctxdma_handle) {
            *engine = engines[i].engine;
            return 0;
        }
    return -ENOSYS;
}

static int open_channel(struct drm_channel *channel, const struct drm_nouveau_channel_alloc *alloc) {
    struct drm_device *device = channel->file->device;
    const struct pfifo_chip *chip = device->config.chip;
    struct pfifo_channel_config config = {.size = sizeof config, .vm = channel->file->vm};
    int status = choose_engine(chip, alloc, &config.engine);
    if (status)
        return status;
    if (!chip->binds_classes) {
        config.vram_handle = alloc->fb_ctxdma_handle;
        config.gart_handle = alloc->tt_ctxdma_handle;
    }
    struct pfifo_error error;
    channel->channel = pfifo_channel_open(device->pfifo, &config, &error);
    if (channel->channel)
        return 0;
    drm_log(device, "channel: %s", error.message);
    return error.status == PFIFO_ERROR_MEMORY ? -ENOSPC : error.status == PFIFO_ERROR_UNSUPPORTED ? -ENOSYS : -EINVAL;
}

static int make_notifiers(struct drm_channel *channel) {
    struct drm_buffer *buffer;
    int status = drm_buffer_new(channel->file->device, NOTIFIER_BYTES, 0, NOUVEAU_GEM_DOMAIN_GART, 0, 0, &buffer);
    if (status)
        return status;
    status = drm_file_handle(channel->file, buffer, &channel->notifier_handle);
    if (!status)
        channel->notifiers = buffer; /* the handle owns it */
    drm_buffer_unref(buffer);
    return status;
}

static int channel_alloc(struct drm_file *file, void *data) {
    struct drm_nouveau_channel_alloc *alloc = data;
    const struct pfifo_chip *chip = file->device->config.chip;
    unsigned count = 0;
    for (const struct drm_channel *other = file->channels; other; other = other->next)
        count++;
    if (count >= MOST_CHANNELS)
        return -ENOSPC;
    if (!chip->has_runlists && (alloc->fb_ctxdma_handle == UINT32_MAX || alloc->tt_ctxdma_handle == UINT32_MAX))
        return -EINVAL;
    struct drm_channel *channel = calloc(1, sizeof *channel);
    if (!channel)
        return -ENOMEM;
    channel->file = file;
    int status = open_channel(channel, alloc);
    if (!status) {
        channel->id = pfifo_channel_number(channel->channel);
        channel->serial = ++file->device->channels;
        channel->next = file->channels;
        file->channels = channel;
        status = make_notifiers(channel);
        if (status)
            drm_channel_free(channel);
    } else {
        free(channel);
    }
    if (status)
        return status;
    alloc->channel = (int)channel->id;
    alloc->notifier_handle = channel->notifier_handle;
    /* Before page tables pushbuffers are in GART only, as nouveau's default has it (nouveau_chan.c). */
    alloc->pushbuf_domains = file->vm ? NOUVEAU_GEM_DOMAIN_VRAM | NOUVEAU_GEM_DOMAIN_GART : NOUVEAU_GEM_DOMAIN_GART;
    alloc->nr_subchan = 0;
    return 0;
}

static int channel_free(struct drm_file *file, void *data) {
    const struct drm_nouveau_channel_free *request = data;
    struct drm_channel *channel = drm_file_channel(file, (uint32_t)request->channel);
    if (!channel)
        return -ENOENT;
    drm_channel_free(channel);
    return 0;
}

/* ---- objects ---- */

/* Objects and notifiers share the handles of a channel. */
static struct drm_object **find_object(struct drm_channel *channel, uint32_t handle) {
    struct drm_object **at = &channel->objects;
    while (*at && (*at)->handle != handle)
        at = &(*at)->next;
    return at;
}

static int remember_object(struct drm_channel *channel, uint32_t handle, uint32_t object_class) {
    struct drm_object *object = calloc(1, sizeof *object);
    if (!object)
        return -ENOMEM;
    object->handle = handle;
    object->object_class = object_class;
    object->next = channel->objects;
    channel->objects = object;
    return 0;
}

static int check_new_object(struct drm_channel *channel, uint32_t handle) {
    unsigned count = 0;
    if (channel->killed)
        return -ENODEV;
    for (const struct drm_object *object = channel->objects; object; object = object->next)
        count++;
    if (count >= MOST_OBJECTS)
        return -ENOSPC;
    return *find_object(channel, handle) ? -EEXIST : 0;
}

unsigned drm_channel_classes(const struct drm_channel *channel, uint16_t *classes, unsigned room) {
    const struct pfifo_chip *chip = channel->file->device->config.chip;
    unsigned count = 0;
    for (size_t i = 0; i < pfifo_class_count() && count < room; i++) {
        uint32_t id = pfifo_class_at(i)->id;
        if (id <= 0xffff && !class_is_foreign(chip, id))
            classes[count++] = (uint16_t)id;
    }
    return count;
}

/*
 * A class that the chip does not have is refused; nvif has no constructor for it.
 * UNKNOWN: what a program gets on a real kernel for a class that the tables of this project do not list for the chip,
 * but the kernel does; chosen: what the lists say.
 */
static bool has_class(const struct drm_channel *channel, int32_t oclass) {
    if (oclass < 0 || (oclass & 0xff) == 0x6e)
        return true;
    return oclass <= 0xffff && !class_is_foreign(channel->file->device->config.chip, (uint32_t)oclass);
}

int drm_channel_object(struct drm_channel *channel, uint32_t handle, int32_t oclass) {
    int status = check_new_object(channel, handle);
    if (status)
        return status;
    if (oclass == 0 || !has_class(channel, oclass))
        return -EINVAL;
    struct pfifo_error error;
    if (pfifo_channel_object(channel->channel, handle, (uint32_t)oclass, &error) != PFIFO_OK) {
        drm_log(channel->file->device, "object %08x of class %x: %s", (unsigned)handle, (unsigned)oclass,
                error.message);
        return error.status == PFIFO_ERROR_MEMORY ? -ENOMEM : -EINVAL;
    }
    return remember_object(channel, handle, (uint32_t)oclass);
}

int drm_channel_forget_object(struct drm_channel *channel, uint32_t handle) {
    struct drm_object **at = find_object(channel, handle), *object = *at;
    if (!object)
        return -ENOENT;
    if (channel->channel)
        pfifo_channel_object_free(channel->channel, handle);
    *at = object->next;
    free(object);
    return 0;
}

static int grobj_alloc(struct drm_file *file, void *data) {
    const struct drm_nouveau_grobj_alloc *request = data;
    if (request->handle == UINT32_MAX)
        return -EINVAL;
    struct drm_channel *channel = drm_file_channel(file, (uint32_t)request->channel);
    return channel ? drm_channel_object(channel, request->handle, request->class) : -ENOENT;
}

static int gpuobj_free(struct drm_file *file, void *data) {
    const struct drm_nouveau_gpuobj_free *request = data;
    struct drm_channel *channel = drm_file_channel(file, (uint32_t)request->channel);
    return channel ? drm_channel_forget_object(channel, request->handle) : -ENOENT;
}

/* A piece of the channel's notifier buffer, and a DMA object for it. Fermi and later have none. */
static int notifierobj_alloc(struct drm_file *file, void *data) {
    struct drm_nouveau_notifierobj_alloc *request = data;
    struct drm_channel *channel = drm_file_channel(file, request->channel);
    if (file->device->config.chip->binds_classes)
        return -EINVAL;
    if (!channel)
        return -ENOENT;
    int status = check_new_object(channel, request->handle);
    if (status)
        return status;
    uint32_t bytes = request->size;
    if (bytes == 0 || bytes > NOTIFIER_BYTES - channel->notifier_used)
        return bytes ? -ENOSPC : -EINVAL;
    if (pfifo_channel_dma_object(channel->channel, request->handle, channel->notifiers->memory, channel->notifier_used,
                                 bytes, NULL) != PFIFO_OK)
        return -ENOMEM;
    request->offset = channel->notifier_used;
    channel->notifier_used += (bytes + 15) & ~15u;
    return remember_object(channel, request->handle, 0);
}

#define ROW(number, structure, function)                                                                               \
    { 0x40 + (number), sizeof(structure), DRM_IOCTL_RENDER_ALLOWED, #function, function }

const struct drm_ioctl drm_nouveau_channels[] = {
    ROW(DRM_NOUVEAU_CHANNEL_ALLOC, struct drm_nouveau_channel_alloc, channel_alloc),
    ROW(DRM_NOUVEAU_CHANNEL_FREE, struct drm_nouveau_channel_free, channel_free),
    ROW(DRM_NOUVEAU_GROBJ_ALLOC, struct drm_nouveau_grobj_alloc, grobj_alloc),
    ROW(DRM_NOUVEAU_NOTIFIEROBJ_ALLOC, struct drm_nouveau_notifierobj_alloc, notifierobj_alloc),
    ROW(DRM_NOUVEAU_GPUOBJ_FREE, struct drm_nouveau_gpuobj_free, gpuobj_free),
    {0},
};
