/* SPDX-License-Identifier: MIT */
/* Channels of a file. Linux drivers/gpu/drm/nouveau/nouveau_abi16.c, nouveau_chan.c. */
#include "face/drm/node/channel.h"

#include <stdint.h>

#include <drm.h>
#include <errno.h>
#include <nouveau_drm.h>
#include <stdlib.h>

#include "chip/chip.h"
#include "driver/channel.h"
#include "face/drm/node/buffer.h"
#include "face/drm/node/sync.h"
#include "face/drm/node/jobs.h"

#define MOST_CHANNELS 1024u /* of a file; a chip has fewer */

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
    drm_tell_leaves(channel->file->device);
    pfifo_channel_close(channel->channel);
    channel->channel = NULL;
}

bool drm_channel_killed(struct drm_channel *channel) {
    if (!channel->killed && channel->channel->dead)
        drm_channel_kill(channel, "it was switched off after a fault");
    return channel->killed;
}

/*
 * NV4x: an error of the pusher drops what is queued, fences as well (GET becomes PUT). One that follows says that the
 * dropped is done, too. From G80 on only the segment is dropped.
 */
void drm_channel_settle(struct drm_channel *channel) {
    struct drm_device *device = channel->file->device;
    if (channel->killed || pfifo_fence_done(&channel->fence) || !pfifo_channel_idle(channel->channel))
        return;
    if (pfifo_channel_fence(channel->channel, &channel->fence, NULL) == PFIFO_OK)
        drm_device_run(device, device->config.budget);
}

void drm_channel_free(struct drm_channel *channel) {
    struct drm_file *file = channel->file;
    drm_work_end_channel(channel);
    for (struct drm_channel **at = &file->channels; *at; at = &(*at)->next)
        if (*at == channel) {
            *at = channel->next;
            break;
        }
    if (channel->channel) {
        drm_device_run(file->device, file->device->config.budget);
        drm_tell_leaves(file->device);
        pfifo_channel_close(channel->channel);
    }
    if (channel->notifiers.buffer)
        drm_file_release(file, &channel->notifiers);
    drm_channel_free_objects(channel);
    drm_fence_unref(channel->jobs.first);
    drm_fence_unref(channel->jobs.last);
    free(channel);
}

/* ---- CHANNEL_ALLOC ---- */

/*
 * From GK104 on a channel works for one engine, which takes the place of the handles; programs that say nothing get
 * PGRAPH. -ENOSYS: the kernel does not know the engine. -EINVAL: a handle is not one.
 */
static int choose_engine(const struct pfifo_chip *chip, struct drm_nouveau_channel_alloc *alloc,
                         enum pfifo_channel_engine *engine) {
    static const struct {
        uint32_t bit;
        enum pfifo_channel_engine engine;
    } engines[] = {{0x01, PFIFO_ENGINE_GRAPHICS},
                   {0x02, PFIFO_ENGINE_VIDEO_DECODER},
                   {0x04, PFIFO_ENGINE_VIDEO_PROCESSOR},
                   {0x08, PFIFO_ENGINE_VIDEO_BITSTREAM},
                   {0x30, PFIFO_ENGINE_COPY}};
    *engine = PFIFO_ENGINE_GRAPHICS;
    if (!chip->has_runlists || alloc->fb_ctxdma_handle != UINT32_MAX)
        return alloc->fb_ctxdma_handle == UINT32_MAX || alloc->tt_ctxdma_handle == UINT32_MAX ? -EINVAL : 0;
    for (unsigned i = 0; i < sizeof engines / sizeof engines[0]; i++)
        if (engines[i].bit == alloc->tt_ctxdma_handle) {
            *engine = engines[i].engine;
            alloc->fb_ctxdma_handle = alloc->tt_ctxdma_handle = 0;
            return 0;
        }
    return -ENOSYS;
}

/* An engine that the chip does not have is -EINVAL. */
static int open_channel(struct drm_channel *channel, struct drm_nouveau_channel_alloc *alloc) {
    struct drm_device *device = channel->file->device;
    const struct pfifo_chip *chip = device->config.chip;
    struct pfifo_channel_config config = {.size = sizeof config, .vm = channel->file->vm};
    int status = choose_engine(chip, alloc, &config.engine);
    if (status)
        return status;
    channel->engine = config.engine;
    if (!chip->binds_classes) {
        config.vram_handle = channel->dma_handles[0] = alloc->fb_ctxdma_handle;
        config.gart_handle = channel->dma_handles[1] = alloc->tt_ctxdma_handle;
    }
    struct pfifo_error error;
    drm_work_end_current(device);
    channel->channel = pfifo_channel_open(device->pfifo, &config, &error);
    if (channel->channel)
        return 0;
    drm_log(device, "channel: %s", error.message);
    return error.status == PFIFO_ERROR_MEMORY ? -ENOSPC : -EINVAL;
}

/* The handle is the program's from then on: it stays when the channel goes. */
static int make_notifiers(struct drm_channel *channel, uint32_t *handle) {
    struct drm_buffer *buffer;
    int status = drm_buffer_new(channel->file->device, DRM_NOTIFIER_BYTES, 0, NOUVEAU_GEM_DOMAIN_GART, 0, 0, &buffer);
    if (status)
        return status;
    buffer->pinned = true;
    status = drm_file_kernel_handle(channel->file, buffer, handle);
    if (status)
        drm_buffer_unref(buffer);
    else
        channel->notifiers = (struct drm_handle){buffer, drm_file_at(channel->file, *handle)->address};
    return status;
}

static int start_channel(struct drm_channel *channel, struct drm_nouveau_channel_alloc *alloc) {
    struct drm_file *file = channel->file;
    int status = open_channel(channel, alloc);
    if (status) {
        free(channel);
        return status;
    }
    channel->id = pfifo_channel_number(channel->channel);
    channel->serial = ++file->device->channels;
    channel->next = file->channels;
    file->channels = channel;
    alloc->channel = (int)channel->id;
    status = make_notifiers(channel, &alloc->notifier_handle);
    if (status)
        drm_channel_free(channel);
    return status;
}

static int channel_alloc(struct drm_file *file, void *data) {
    struct drm_nouveau_channel_alloc *alloc = data;
    unsigned count = 0;
    file->no_space = !file->space;
    for (const struct drm_channel *other = file->channels; other; other = other->next)
        count++;
    if (count >= MOST_CHANNELS)
        return -ENOSPC;
    struct drm_channel *channel = calloc(1, sizeof *channel);
    if (!channel)
        return -ENOMEM;
    channel->file = file;
    int status = start_channel(channel, alloc);
    if (status)
        return status;
    /*
     * Before page tables pushbuffers are in GART only, as nouveau's default has it (nouveau_chan.c). From NV10 on no
     * subchannel is bound, and nr_subchan stays as it came.
     */
    alloc->pushbuf_domains = file->vm ? NOUVEAU_GEM_DOMAIN_VRAM | NOUVEAU_GEM_DOMAIN_GART : NOUVEAU_GEM_DOMAIN_GART;
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

#define ROW(number, structure, function)                                                                               \
    { 0x40 + (number), sizeof(structure), DRM_IOCTL_RENDER_ALLOWED, #function, function }

const struct drm_ioctl drm_nouveau_channels[] = {
    ROW(DRM_NOUVEAU_CHANNEL_ALLOC, struct drm_nouveau_channel_alloc, channel_alloc),
    ROW(DRM_NOUVEAU_CHANNEL_FREE, struct drm_nouveau_channel_free, channel_free),
    {0},
};
