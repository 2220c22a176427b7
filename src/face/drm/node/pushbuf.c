/* SPDX-License-Identifier: MIT */
/*
 * Submissions. Each piece of pushbuffer becomes an entry of the channel's ring, or a call (NV40 .. NV4x). A fence
 * follows the last. Source: Linux drivers/gpu/drm/nouveau/nouveau_gem.c, nouveau_gem_ioctl_pushbuf() and what it calls.
 */
#include <stdint.h>

#include <drm.h>
#include <errno.h>
#include <nouveau_drm.h>
#include <stdlib.h>
#include <string.h>

#include "chip/chip.h"
#include "face/drm/node/buffer.h"
#include "face/drm/node/channel.h"
#include "face/drm/node/nouveau.h"
#include "face/drm/node/submission.h"

#define NO_PREFETCH   (UINT64_C(1) << 23) /* of a length */
#define LENGTH_MASK   (NO_PREFETCH - 1)
#define SUFFIX_RETURN 0x00020000u
#define DOMAINS       (uint32_t)(NOUVEAU_GEM_DOMAIN_VRAM | NOUVEAU_GEM_DOMAIN_GART)

/* ---- what the program passes ---- */

static int check_counts(struct drm_file *file, const struct drm_nouveau_gem_pushbuf *request) {
    static const char *const names[] = {"pushes", "buffers", "relocations"};
    const uint32_t counts[] = {request->nr_push, request->nr_buffers, request->nr_relocs};
    const uint32_t most[] = {NOUVEAU_GEM_MAX_PUSH, NOUVEAU_GEM_MAX_BUFFERS, NOUVEAU_GEM_MAX_RELOCS};
    for (unsigned i = 0; i < 3; i++)
        if (counts[i] > most[i]) {
            drm_log(file->device, "pushbuf: %u %s, at most %u are possible", (unsigned)counts[i], names[i],
                    (unsigned)most[i]);
            return -EINVAL;
        }
    return 0;
}

/* Relocations are read only if they are needed. */
static int fetch(struct drm_file *file, const struct drm_nouveau_gem_pushbuf *request,
                 struct drm_submission *submission) {
    if (!drm_submission_fetch(file, submission->pushes, request->push,
                              request->nr_push * sizeof submission->pushes[0]) ||
        !drm_submission_fetch(file, submission->buffers, request->buffers,
                              request->nr_buffers * sizeof submission->buffers[0]))
        return -EFAULT;
    for (uint32_t i = 0; i < request->nr_push; i++)
        if (submission->pushes[i].bo_index >= request->nr_buffers) {
            drm_log(file->device, "pushbuf: push %u is of no buffer in the list", (unsigned)i);
            return -EINVAL;
        }
    return 0;
}

/* ---- buffers ---- */

/* Where a use wants the buffer: where it is if that will do, else VRAM before GART. 0: the use is none. */
static uint32_t choose_domain(const struct drm_nouveau_gem_pushbuf_bo *entry, const struct drm_buffer *buffer) {
    uint32_t wanted = entry->write_domains ? entry->write_domains : entry->read_domains;
    uint32_t domains = entry->valid_domains & buffer->valid_domains & wanted & DOMAINS;
    if (domains & buffer->domain || !domains)
        return domains & buffer->domain;
    return domains & NOUVEAU_GEM_DOMAIN_VRAM ? NOUVEAU_GEM_DOMAIN_VRAM : NOUVEAU_GEM_DOMAIN_GART;
}

/* Chips without VRAM have but one kind of memory, whatever it is called. */
static int bring_buffer(struct drm_file *file, const struct drm_nouveau_gem_pushbuf_bo *entry,
                        struct drm_buffer *buffer) {
    uint32_t domain = choose_domain(entry, buffer);
    if (!domain) {
        drm_log(file->device, "pushbuf: buffer %u cannot be in domains %x", (unsigned)entry->handle,
                (unsigned)entry->valid_domains);
        return -EINVAL;
    }
    bool one_kind = !file->device->config.chip->vram_bytes;
    int status = one_kind || domain == buffer->domain ? 0 : drm_buffer_move(buffer, domain);
    if (status)
        drm_log(file->device, "pushbuf: no room to move buffer %u to domain %x", (unsigned)entry->handle,
                (unsigned)domain);
    return status;
}

/* The reference is held from here on: a move may wait, and other calls come in meanwhile. */
static int take_buffer(struct drm_file *file, struct drm_submission *submission, uint32_t i) {
    const struct drm_nouveau_gem_pushbuf_bo *entry = &submission->buffers[i];
    struct drm_buffer *buffer = drm_file_buffer(file, entry->handle);
    if (!buffer) {
        drm_log(file->device, "pushbuf: there is no buffer %u", (unsigned)entry->handle);
        return -ENOENT;
    }
    if (buffer->listed == submission->number) {
        drm_log(file->device, "pushbuf: buffer %u is listed twice", (unsigned)entry->handle);
        return -EINVAL;
    }
    buffer->listed = submission->number;
    submission->handles[i].buffer = drm_buffer_ref(buffer);
    buffer->submitting++;
    submission->taken = i + 1;
    return bring_buffer(file, entry, buffer);
}

/* When all have been brought, their addresses are known. */
static int find_addresses(struct drm_file *file, struct drm_submission *submission) {
    for (uint32_t i = 0; i < submission->taken; i++) {
        const struct drm_handle *handle = drm_file_at(file, submission->buffers[i].handle);
        if (!handle || handle->buffer != submission->handles[i].buffer)
            return -ENOENT; /* closed by another thread */
        submission->handles[i].address = handle->address;
    }
    return 0;
}

/* What another channel does with a buffer comes first (nouveau_gem.c, validate_list(): nouveau_fence_sync()). */
static int wait_for_others(const struct drm_submission *submission, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        struct drm_buffer *buffer = submission->handles[i].buffer;
        if (buffer->user == submission->channel || !pfifo_buffer_busy(buffer->memory))
            continue;
        int status = drm_buffer_wait(buffer, submission->buffers[i].write_domains != 0, DRM_SYNC_NANOSECONDS);
        if (status)
            return status;
    }
    return 0;
}

static int take_buffers(struct drm_file *file, const struct drm_nouveau_gem_pushbuf *request,
                        struct drm_submission *submission) {
    submission->number = ++file->device->submissions;
    for (uint32_t i = 0; i < request->nr_buffers; i++) {
        int status = take_buffer(file, submission, i);
        if (status)
            return status;
    }
    return find_addresses(file, submission);
}

/* ---- submitting ---- */

static int submit_error(struct drm_channel *channel, const struct pfifo_error *error) {
    if (error->status == PFIFO_ERROR_FAULT || error->status == PFIFO_ERROR_TIMEOUT) {
        drm_channel_kill(channel, error->message);
        return -ENODEV;
    }
    drm_log(channel->file->device, "pushbuf: %s", error->message);
    return error->status == PFIFO_ERROR_MEMORY ? -ENOMEM : -EINVAL;
}

static int submit_push(struct drm_channel *channel, const struct drm_submission *submission,
                       const struct drm_nouveau_gem_pushbuf_push *push) {
    struct pfifo_error error;
    uint64_t address = submission->handles[push->bo_index].address + push->offset, bytes = push->length & LENGTH_MASK;
    if (!bytes)
        return 0;
    drm_trail_add(&channel->trail, address, bytes);
    unsigned flags = push->length & NO_PREFETCH ? PFIFO_SUBMIT_NO_PREFETCH : 0;
    if (pfifo_channel_submit(channel->channel, address, bytes, flags, &error) == PFIFO_OK)
        return 0;
    return submit_error(channel, &error);
}

static void tell_watch(const struct drm_device *device, const struct drm_nouveau_gem_pushbuf *request,
                       const struct drm_submission *submission) {
    uint64_t bytes = 0;
    if (!device->watch.submission)
        return;
    for (uint32_t i = 0; i < request->nr_push; i++)
        bytes += submission->pushes[i].length & LENGTH_MASK;
    device->watch.submission(device->watch.opaque, bytes / 4);
}

static int submit_pushes(struct drm_channel *channel, const struct drm_nouveau_gem_pushbuf *request,
                         const struct drm_submission *submission) {
    tell_watch(channel->file->device, request, submission);
    for (uint32_t i = 0; i < request->nr_push; i++) {
        int status = submit_push(channel, submission, &submission->pushes[i]);
        if (status)
            return status;
    }
    return 0;
}

/* The buffers are in use until the channel has come this far. */
static int add_fence(struct drm_channel *channel, const struct drm_submission *submission, uint32_t count,
                     struct pfifo_fence *fence) {
    struct pfifo_error error;
    if (pfifo_channel_fence(channel->channel, fence, &error) != PFIFO_OK)
        return submit_error(channel, &error);
    channel->fence = *fence;
    for (uint32_t i = 0; i < count; i++) {
        struct drm_buffer *buffer = submission->handles[i].buffer;
        if (pfifo_buffer_use(buffer->memory, fence, &error) != PFIFO_OK)
            return submit_error(channel, &error);
        buffer->user = channel->serial;
        if (submission->buffers[i].write_domains)
            buffer->written = *fence;
    }
    channel->submissions++;
    return 0;
}

/* All of it is done now, unless it waits for somebody. What does not end, or a fault has ended, ends the channel. */
static void run(struct drm_channel *channel, const struct pfifo_fence *fence) {
    struct drm_device *device = channel->file->device;
    if (drm_device_run(device, device->config.budget))
        drm_channel_settle(channel);
    else if (!pfifo_fence_done(fence))
        drm_channel_kill(channel, "its work does not end (the limit is PFIFO_DRM_BUDGET)");
}

/* While a call waits, others come in: the channel may have gone, or another have its number. */
static int check_still_there(struct drm_file *file, const struct drm_channel *channel, uint64_t serial) {
    for (const struct drm_channel *other = file->channels; other; other = other->next)
        if (other == channel && other->serial == serial)
            return other->killed ? -ENODEV : 0;
    return -ENOENT;
}

/* What was queued before an error is fenced and runs, too: the program has its buffers back when that is done. */
static int execute(struct drm_channel *channel, const struct drm_nouveau_gem_pushbuf *request,
                   const struct drm_submission *submission) {
    struct pfifo_fence fence;
    int pushed = submit_pushes(channel, request, submission);
    if (channel->killed)
        return pushed;
    int status = add_fence(channel, submission, request->nr_buffers, &fence);
    if (status)
        return status;
    run(channel, &fence);
    if (!pushed && request->vram_available & NOUVEAU_GEM_PUSHBUF_SYNC)
        pushed = drm_fence_wait(channel->file->device, &fence, DRM_SYNC_NANOSECONDS);
    return pushed;
}

static int submit(struct drm_channel *channel, const struct drm_nouveau_gem_pushbuf *request,
                  struct drm_submission *submission) {
    struct drm_file *file = channel->file;
    int status = fetch(file, request, submission);
    if (!status)
        status = take_buffers(file, request, submission);
    if (!status)
        status = wait_for_others(submission, request->nr_buffers);
    if (!status)
        status = drm_submission_relocate(file, request, submission);
    if (!status)
        status = check_still_there(file, channel, submission->channel);
    if (!status)
        status = execute(channel, request, submission);
    if (file->device->watch.done)
        file->device->watch.done(file->device->watch.opaque);
    return status;
}

/* Room is kept for the next submission; a second one needs its own while the first waits. */
static struct drm_submission *borrow_room(const struct drm_channel *channel) {
    struct drm_device *device = channel->file->device;
    struct drm_submission *submission = device->submission;
    device->submission = NULL;
    if (!submission)
        submission = calloc(1, sizeof *submission);
    if (submission) {
        submission->taken = 0;
        submission->relocate = false;
        submission->channel = channel->serial;
    }
    return submission;
}

static void return_room(struct drm_device *device, struct drm_submission *submission) {
    for (uint32_t i = 0; i < submission->taken; i++) {
        submission->handles[i].buffer->submitting--;
        drm_buffer_unref(submission->handles[i].buffer);
    }
    free(device->submission);
    device->submission = submission;
}

/* What a program has to add to its commands, and how much memory there is; libdrm takes 80 % of it. */
static void tell_limits(const struct drm_device *device, struct drm_nouveau_gem_pushbuf *request) {
    request->suffix0 = device->config.chip->has_ib ? 0 : SUFFIX_RETURN;
    request->suffix1 = 0;
    request->vram_available = nouveau_vram_bytes(device);
    request->gart_available = nouveau_gart_bytes(device);
}

int drm_gem_pushbuf(struct drm_file *file, void *data) {
    struct drm_nouveau_gem_pushbuf *request = data;
    struct drm_channel *channel = drm_file_channel(file, request->channel);
    if (!channel)
        return -ENOENT;
    if (channel->killed)
        return -ENODEV;
    int status = request->nr_push ? check_counts(file, request) : 0;
    if (!status && request->nr_push) {
        struct drm_submission *submission = borrow_room(channel);
        if (!submission)
            return -ENOMEM;
        status = submit(channel, request, submission);
        return_room(file->device, submission);
    }
    tell_limits(file->device, request);
    return status;
}
