/* SPDX-License-Identifier: MIT */
/* Linux drivers/gpu/drm/nouveau/nouveau_gem.c, nouveau_gem_ioctl_pushbuf(): what comes after the lists are checked. */
#include "face/drm/node/jobs.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>

#include "chip/chip.h"
#include "driver/interrupts.h"
#include "face/drm/node/channel.h"
#include "face/drm/node/job.h"
#include "face/drm/node/space.h"
#include "face/drm/node/share.h"
#include "face/drm/node/sync.h"

#define LENGTH_MASK  (UINT64_C(0x7fffff)) /* of a push; the bit after it: no prefetch */
#define SLICE        (UINT64_C(1) << 22)  /* units that a call runs without a look at what it waits for */
#define INLINE_UNITS (UINT64_C(1) << 14)  /* of a submission, in its call: most are shorter than a change of threads */
#define LOOK_AGAIN   UINT64_C(1000000)    /* nanoseconds */

/* ---- buffers in use ---- */

bool drm_buffer_used(const struct drm_buffer *buffer) {
    return buffer->queued || pfifo_buffer_busy(buffer->memory) || drm_jobs_use(buffer);
}

bool drm_buffer_written(const struct drm_buffer *buffer) {
    return buffer->queued_writes || !pfifo_fence_done(&buffer->written) || drm_jobs_use(buffer);
}

static void count_uses(const struct drm_job *job, int more) {
    for (uint32_t i = 0; i < job->use_count; i++) {
        assert(more > 0 || job->uses[i].buffer->queued);
        job->uses[i].buffer->queued += (unsigned)more;
        job->uses[i].buffer->queued_writes += job->uses[i].writes ? (unsigned)more : 0;
    }
}

/* ---- the queue ---- */

struct drm_job *drm_job_new(uint32_t pushes, uint32_t uses) {
    struct drm_job *job = calloc(1, sizeof *job + pushes * sizeof job->pushes[0] + uses * sizeof job->uses[0]);
    if (!job)
        return NULL;
    job->pushes = (struct drm_job_push *)(job + 1);
    job->uses = (struct drm_job_use *)(job->pushes + pushes);
    job->references = 2;
    return job;
}

static void work_add_push(struct drm_job *job, const struct drm_submission *submission,
                          const struct drm_nouveau_gem_pushbuf_push *push) {
    uint64_t bytes = push->length & LENGTH_MASK;
    job->words += bytes / 4;
    if (bytes)
        job->pushes[job->push_count++] =
            (struct drm_job_push){.address = submission->handles[push->bo_index].address + push->offset,
                                  .bytes = bytes,
                                  .flags = push->length & ~LENGTH_MASK ? PFIFO_SUBMIT_NO_PREFETCH : 0};
}

void drm_work_append(struct drm_device *device, struct drm_job *job) {
    struct drm_job **end = &device->jobs;
    assert(!job->queued && !job->ended && !job->next && (job->channel || job->file));
    while (*end)
        end = &(*end)->next;
    *end = job;
    device->job_count++;
    job->queued = true;
    count_uses(job, 1);
}

/* Others learn of it. No memory: they do not. */
static void work_use_shares(struct drm_device *device, struct drm_job *job) {
    for (uint32_t i = 0; i < job->use_count; i++) {
        if (!job->uses[i].buffer->share)
            continue;
        if (!job->syncs.done)
            job->syncs.done = drm_fence_new(false);
        if (!job->time)
            job->time = drm_share_time(device);
        drm_job_use_share(job, job->uses[i].buffer, job->uses[i].writes);
    }
}

struct drm_job *drm_work_queue(struct drm_channel *channel, const struct drm_nouveau_gem_pushbuf *request,
                               const struct drm_submission *submission) {
    struct drm_job *job = drm_job_new(request->nr_push, request->nr_buffers);
    if (!job)
        return NULL;
    job->channel = channel;
    for (uint32_t i = 0; i < request->nr_push; i++)
        work_add_push(job, submission, &submission->pushes[i]);
    for (uint32_t i = 0; i < request->nr_buffers; i++)
        job->uses[job->use_count++] = (struct drm_job_use){drm_buffer_ref(submission->handles[i].buffer),
                                                           submission->buffers[i].write_domains != 0};
    work_use_shares(channel->file->device, job);
    drm_work_append(channel->file->device, job);
    return job;
}

void drm_job_unref(struct drm_job *job) {
    assert(job->references);
    if (--job->references)
        return;
    assert(!job->queued && job->ended);
    for (uint32_t i = 0; i < job->use_count; i++)
        drm_buffer_unref(job->uses[i].buffer);
    drm_job_free_syncs(job);
    free(job);
}

static void work_take_out(struct drm_device *device, struct drm_job *job) {
    struct drm_job **at = &device->jobs;
    assert(job->queued && device->job_count);
    while (*at != job)
        at = &(*at)->next;
    *at = job->next;
    device->job_count--;
    device->progress++;
    job->queued = false;
    count_uses(job, -1);
}

static void end_job(struct drm_job *job) {
    assert(!job->queued && !job->ended);
    job->ended = true;
    job->channel = NULL;
    drm_job_note_end(job);
    drm_job_unref(job);
}

static void work_drop(struct drm_device *device, struct drm_job *job, int status) {
    work_take_out(device, job);
    job->status = status;
    end_job(job);
}

/* ---- which is next ---- */

/*
 * Work of another process on the buffer comes first, if it was submitted before; but no longer than a job may take: the
 * other one may not be what it says.
 */
static bool waits_for_others(const struct drm_job *job, const struct drm_buffer *buffer, bool writes) {
    const struct drm_config *config = &buffer->device->config;
    return buffer->share && job->time && drm_share_busy(buffer, job->time, writes) &&
           config->host->now(config->opaque) < job->time + DRM_JOB_NANOSECONDS;
}

/* What another channel does with a buffer comes first (nouveau_gem.c, validate_list(): nouveau_fence_sync()). */
static bool is_blocked(const struct drm_job *job) {
    if (!drm_job_may_begin(job))
        return true;
    for (uint32_t i = 0; i < job->use_count; i++) {
        struct drm_buffer *buffer = job->uses[i].buffer;
        if (drm_jobs_use(buffer) || waits_for_others(job, buffer, job->uses[i].writes))
            return true;
        if (buffer->user == job->channel->serial || !pfifo_buffer_busy(buffer->memory))
            continue;
        if (job->uses[i].writes || !pfifo_fence_done(&buffer->written))
            return true;
    }
    return false;
}

static bool shares_buffer(const struct drm_job *job, const struct drm_job *other) {
    for (uint32_t i = 0; i < job->use_count; i++)
        for (uint32_t k = 0; k < other->use_count; k++)
            if (job->uses[i].buffer == other->uses[k].buffer && (job->uses[i].writes || other->uses[k].writes))
                return true;
    return false;
}

/* Jobs of a channel, and those that change a space, are done in their order. */
static bool is_in_order_with(const struct drm_job *job, const struct drm_job *before) {
    return job->file ? before->file == job->file : before->channel == job->channel;
}

/* One that is blocked holds back those after it on its channel, and those that need what it needs. */
static bool is_held_back(const struct drm_device *device, const struct drm_job *job) {
    for (const struct drm_job *before = device->jobs; before != job; before = before->next)
        if (is_in_order_with(job, before) || shares_buffer(before, job))
            return true;
    return false;
}

/* NULL: none can go on. All before one that is looked at are blocked. */
static struct drm_job *next_job(const struct drm_device *device) {
    struct drm_job *job = device->jobs;
    while (job && (is_blocked(job) || is_held_back(device, job)))
        job = job->next;
    return job;
}

/* ---- giving it to the machine ---- */

static int submit_error(struct drm_channel *channel, const struct pfifo_error *error) {
    if (error->status == PFIFO_ERROR_FAULT || error->status == PFIFO_ERROR_TIMEOUT) {
        drm_channel_kill(channel, error->message);
        return -ENODEV;
    }
    drm_log(channel->file->device, "pushbuf: %s", error->message);
    return error->status == PFIFO_ERROR_MEMORY ? -ENOMEM : -EINVAL;
}

static int submit_pushes(const struct drm_job *job) {
    struct drm_channel *channel = job->channel;
    const struct drm_watch *watch = &channel->file->device->watch;
    struct pfifo_error error;
    if (watch->submission)
        watch->submission(watch->opaque, job->words);
    for (uint32_t i = 0; i < job->push_count; i++) {
        const struct drm_job_push *push = &job->pushes[i];
        drm_trail_add(&channel->trail, push->address, push->bytes);
        if (pfifo_channel_submit(channel->channel, push->address, push->bytes, push->flags, &error) != PFIFO_OK)
            return submit_error(channel, &error);
    }
    return 0;
}

/* Several may read it. */
static void note_user(struct drm_buffer *buffer, uint64_t channel) {
    buffer->user = buffer->user == channel || !pfifo_buffer_busy(buffer->memory) ? channel : 0;
}

/* The buffers are in use until the channel has come this far. */
static int add_fence(struct drm_job *job) {
    struct drm_channel *channel = job->channel;
    struct pfifo_error error;
    if (pfifo_channel_fence(channel->channel, &job->fence, &error) != PFIFO_OK)
        return submit_error(channel, &error);
    channel->fence = job->fence;
    drm_job_note_begin(job);
    for (uint32_t i = 0; i < job->use_count; i++) {
        struct drm_buffer *buffer = job->uses[i].buffer;
        note_user(buffer, channel->serial);
        if (pfifo_buffer_use(buffer->memory, &job->fence, &error) != PFIFO_OK)
            return submit_error(channel, &error);
        if (job->uses[i].writes)
            buffer->written = job->fence;
    }
    channel->submissions++;
    return 0;
}

static void tell_done(struct drm_device *device) {
    if (device->watch.done)
        device->watch.done(device->watch.opaque);
}

/* What was queued before an error is fenced and runs, too: the program has its buffers back when that is done. */
static void begin(struct drm_device *device, struct drm_job *job) {
    assert(job->file || !device->current);
    work_take_out(device, job);
    if (job->file) {
        job->status = drm_space_apply(job->file, job->binds, job->bind_count);
        end_job(job);
        return;
    }
    job->status = job->channel->killed ? -ENODEV : submit_pushes(job);
    if (!job->channel->killed) {
        int status = add_fence(job);
        if (status == 0) {
            device->current = job;
            device->left = device->config.budget;
            return;
        }
        job->status = status;
    }
    end_job(job);
    tell_done(device);
}

/* ---- running ---- */

/* All of it is done now, unless it waits for other work. If it does not end, or ends in a fault, its channel ends. */
static void end_current(struct drm_device *device, bool settled) {
    struct drm_job *job = device->current;
    assert(job && job->channel && !job->ended);
    device->current = NULL;
    if (settled)
        drm_channel_settle(job->channel);
    else if (!pfifo_fence_done(&job->fence))
        drm_channel_kill(job->channel, "its work does not end (the limit is PFIFO_DRM_BUDGET)");
    end_job(job);
    tell_done(device);
    device->progress++;
}

static void run_current(struct drm_device *device, uint64_t units) {
    enum pfifo_stop stop = pfifo_private_device_run_part(device->pfifo, units, &device->left);
    if (stop != PFIFO_STOP_BUDGET || !device->left)
        end_current(device, stop != PFIFO_STOP_BUDGET);
}

/* After a run that stopped like this. */
static enum drm_progress progress_after(const struct drm_device *device, enum pfifo_stop stop) {
    if (device->current || stop == PFIFO_STOP_BUDGET || next_job(device))
        return DRM_MORE;
    return device->jobs || stop == PFIFO_STOP_WAITING ? DRM_WAITS : DRM_IDLE;
}

/* Channels that wait, if what they wait for has come. */
static enum drm_progress run_others(struct drm_device *device, uint64_t units) {
    struct pfifo_gpu *gpu = pfifo_device_gpu(device->pfifo);
    if (!pfifo_gpu_has_work(gpu))
        return device->jobs || pfifo_gpu_stop_info(gpu)->reason == PFIFO_STOP_WAITING ? DRM_WAITS : DRM_IDLE;
    enum pfifo_stop stop = pfifo_device_run(device->pfifo, units);
    device->progress++;
    return progress_after(device, stop);
}

/* Page tables that change need no machine: a long job holds nobody up who only maps memory. */
static void begin_binds(struct drm_device *device) {
    struct drm_job *job = device->jobs, *next;
    for (; job; job = next) {
        next = job->next;
        if (job->file && !is_blocked(job) && !is_held_back(device, job))
            begin(device, job);
    }
}

static enum drm_progress work_do(struct drm_device *device, uint64_t units) {
    begin_binds(device);
    struct drm_job *job = device->current ? NULL : next_job(device);
    if (!device->current && !job) {
        drm_jobs_look_at_time(device);
        return run_others(device, units);
    }
    if (job)
        begin(device, job);
    if (device->current)
        run_current(device, units);
    return progress_after(device, pfifo_gpu_stop_info(pfifo_device_gpu(device->pfifo))->reason);
}

enum drm_progress drm_device_work(struct drm_device *device, uint64_t units) {
    enum drm_progress progress = work_do(device, units);
    drm_peers_look(device);
    return progress;
}

void drm_device_set_worker(struct drm_device *device, bool worker) {
    device->config.worker = worker;
}

bool drm_device_has_work(const struct drm_device *device) {
    return device->current || device->jobs;
}

bool drm_device_waits(const struct drm_device *device) {
    return drm_device_has_work(device) || drm_peers_wait(device) ||
           pfifo_gpu_stop_info(pfifo_device_gpu(device->pfifo))->reason == PFIFO_STOP_WAITING;
}

uint64_t drm_device_progress(const struct drm_device *device) {
    return device->progress;
}

bool drm_device_poll(struct drm_device *device) {
    return drm_device_work(device, SLICE) != DRM_IDLE;
}

/* ---- calls ---- */

void drm_work_help(struct drm_device *device) {
    if (!device->config.worker)
        drm_device_work(device, SLICE);
}

/* 0; -EBUSY: it has been too long; -EINTR. */
static int wait_a_while(struct drm_device *device, uint64_t begin) {
    const struct drm_config *config = &device->config;
    if (config->host->now(config->opaque) - begin >= DRM_SYNC_NANOSECONDS)
        return -EBUSY;
    return config->host->wait(config->opaque, config->worker ? DRM_SYNC_NANOSECONDS : LOOK_AGAIN) ? 0 : -EINTR;
}

int drm_work_wait_for_room(struct drm_device *device) {
    uint64_t begin = device->config.host->now(device->config.opaque);
    int status = 0;
    while (status == 0 && device->job_count >= DRM_MOST_JOBS)
        status = wait_a_while(device, begin);
    return status;
}

/* The machine runs in the call, until the job is done. */
static int run_at_once(struct drm_device *device, struct drm_job *job) {
    uint64_t begin = device->config.host->now(device->config.opaque);
    while (!job->ended) {
        int status = drm_device_work(device, SLICE) == DRM_MORE || job->ended ? 0 : wait_a_while(device, begin);
        if (status && job->queued) {
            work_drop(device, job, status);
            return status;
        }
        drm_work_help(device);
    }
    return job->status;
}

int drm_work_start(struct drm_device *device, struct drm_job *job) {
    if (!device->config.worker)
        return run_at_once(device, job);
    if (!device->current && device->jobs == job)
        drm_device_work(device, INLINE_UNITS);
    return job->status;
}

void drm_work_push(struct drm_device *device) {
    begin_binds(device);
    if (!device->config.worker)
        while (drm_device_work(device, SLICE) == DRM_MORE)
            ;
    else if (!device->current && device->jobs)
        drm_device_work(device, INLINE_UNITS);
}

/* ---- ends ---- */

static bool has_job(const struct drm_device *device, const struct drm_channel *channel) {
    const struct drm_job *job = device->jobs;
    while (job && job->channel != channel)
        job = job->next;
    return job != NULL;
}

void drm_work_finish(struct drm_device *device) {
    while (drm_device_has_work(device) && drm_device_work(device, SLICE) == DRM_MORE)
        ;
}

void drm_work_end_current(struct drm_device *device) {
    while (device->current)
        run_current(device, SLICE);
}

void drm_work_end_channel(struct drm_channel *channel) {
    struct drm_device *device = channel->file->device;
    drm_work_end_current(device);
    while (has_job(device, channel) && drm_device_work(device, SLICE) == DRM_MORE)
        ;
    drm_work_end_current(device);
    for (struct drm_job *job = device->jobs, *next; job; job = next) {
        next = job->next;
        if (job->channel == channel)
            work_drop(device, job, -ENOENT);
    }
}

void drm_work_end_space(struct drm_file *file) {
    for (struct drm_job *job = file->device->jobs, *next; job; job = next) {
        next = job->next;
        if (job->file == file)
            work_drop(file->device, job, -ENOENT);
    }
}

void drm_work_free(struct drm_device *device) {
    while (device->jobs)
        work_drop(device, device->jobs, -ENODEV);
}
