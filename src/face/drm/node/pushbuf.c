/* SPDX-License-Identifier: MIT */
/*
 * Submissions: the lists that a program passes, its buffers, and then a job of the queue (jobs.h). There each piece of
 * pushbuffer becomes an entry of the channel's ring, or a call (NV40 .. NV4x), and a fence follows the last. Source:
 * Linux drivers/gpu/drm/nouveau/nouveau_gem.c, nouveau_gem_ioctl_pushbuf() and what it calls.
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
#include "face/drm/node/jobs.h"

#define SUFFIX_RETURN 0x00020000u
#define DOMAINS       (uint32_t)(NOUVEAU_GEM_DOMAIN_VRAM | NOUVEAU_GEM_DOMAIN_GART)

/* ---- what the program passes ---- */

static int pushbuf_check_counts(struct drm_file *file, const struct drm_nouveau_gem_pushbuf *request) {
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
static int pushbuf_fetch(struct drm_file *file, const struct drm_nouveau_gem_pushbuf *request,
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
static int pushbuf_take_buffer(struct drm_file *file, struct drm_submission *submission, uint32_t i) {
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

static int take_buffers(struct drm_file *file, const struct drm_nouveau_gem_pushbuf *request,
                        struct drm_submission *submission) {
    submission->number = ++file->device->submissions;
    for (uint32_t i = 0; i < request->nr_buffers; i++) {
        int status = pushbuf_take_buffer(file, submission, i);
        if (status)
            return status;
    }
    return find_addresses(file, submission);
}

/* ---- submitting ---- */

/* While a call waits, others come in: the channel may have gone, or another have its number. */
static int check_still_there(struct drm_file *file, const struct drm_channel *channel, uint64_t serial) {
    for (const struct drm_channel *other = file->channels; other; other = other->next)
        if (other == channel && other->serial == serial)
            return other->killed ? -ENODEV : 0;
    return -ENOENT;
}

/*
 * No signal ends it (nouveau_fence_wait()): a call that is made again would submit it twice. -ENODEV: the channel was
 * killed before it was done (dma_fence_get_status()).
 */
static int wait_until_done(struct drm_file *file, const struct drm_channel *channel, uint64_t serial,
                           const struct drm_job *job) {
    int status = drm_job_wait(file->device, job, DRM_SYNC_NANOSECONDS);
    return status ? status : check_still_there(file, channel, serial);
}

static int pushbuf_execute(struct drm_channel *channel, const struct drm_nouveau_gem_pushbuf *request,
                           const struct drm_submission *submission) {
    struct drm_file *file = channel->file;
    struct drm_job *job = drm_work_queue(channel, request, submission);
    if (!job)
        return -ENOMEM;
    int status = drm_work_start(file->device, job);
    if (!status && request->vram_available & NOUVEAU_GEM_PUSHBUF_SYNC)
        status = wait_until_done(file, channel, submission->channel, job);
    drm_job_unref(job);
    return status;
}

static int pushbuf_submit(struct drm_channel *channel, const struct drm_nouveau_gem_pushbuf *request,
                          struct drm_submission *submission) {
    struct drm_file *file = channel->file;
    int status = pushbuf_fetch(file, request, submission);
    if (!status)
        status = drm_work_wait_for_room(file->device);
    if (!status)
        status = take_buffers(file, request, submission);
    if (!status)
        status = drm_submission_relocate(file, request, submission);
    if (!status)
        status = check_still_there(file, channel, submission->channel);
    if (!status)
        status = pushbuf_execute(channel, request, submission);
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
    if (file->space)
        return -ENOSYS;
    if (!channel)
        return -ENOENT;
    if (drm_channel_killed(channel))
        return -ENODEV;
    int status = request->nr_push ? pushbuf_check_counts(file, request) : 0;
    if (!status && request->nr_push) {
        struct drm_submission *submission = borrow_room(channel);
        if (!submission)
            return -ENOMEM;
        status = pushbuf_submit(channel, request, submission);
        return_room(file->device, submission);
    }
    tell_limits(file->device, request);
    return status;
}
