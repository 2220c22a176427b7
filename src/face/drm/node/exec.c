/* SPDX-License-Identifier: MIT */
/* EXEC, and the jobs of it and VM_BIND. Linux drivers/gpu/drm/nouveau/{nouveau_exec,nouveau_sched}.c. */
#include <assert.h>
#include <errno.h>
#include <stdlib.h>

#include "chip/chip.h"
#include "face/drm/node/buffer.h"
#include "face/drm/node/channel.h"
#include "face/drm/node/exec.h"
#include "face/drm/node/job.h"
#include "face/drm/node/share.h"
#include "face/drm/node/space.h"
#include "face/drm/node/sync.h"
#include "face/drm/node/uapi.h"

/* ---- jobs ---- */

bool drm_job_may_begin(const struct drm_job *job) {
    for (uint32_t i = 0; i < job->syncs.wait_count; i++)
        if (!drm_point_done(job->syncs.waits[i]))
            return false;
    return true;
}

void drm_job_use_share(const struct drm_job *job, struct drm_buffer *buffer, bool writes) {
    struct drm_point *until = job->syncs.done ? drm_point_new() : NULL;
    assert(buffer->share && job->time);
    if (!until)
        return;
    until->fences[until->fence_count++] = drm_fence_ref(job->syncs.done);
    drm_share_use(buffer, (struct drm_ticket){.time = job->time, .writes = writes, .until = until});
}

/* It may write to all that is mapped and that others have (drm_gpuvm_exec_resv_add_fence()); it waits for none of them. */
static void exec_use_shares(struct drm_file *file, struct drm_job *job) {
    struct drm_device *device = file->device;
    for (struct drm_buffer *buffer = device->share_count ? device->buffers : NULL; buffer; buffer = buffer->next) {
        if (!buffer->share || !drm_space_maps(file->space, buffer))
            continue;
        if (!job->time)
            job->time = drm_share_time(device);
        drm_job_use_share(job, buffer, true);
    }
}

void drm_job_note_begin(struct drm_job *job) {
    struct drm_channel *channel = job->channel;
    struct drm_fence *fence = job->syncs.done;
    const struct drm_config *config = &channel->file->device->config;
    if (!fence)
        return;
    assert(!fence->begun && !fence->done);
    fence->machine = job->fence;
    fence->begun = true;
    drm_fence_unref(channel->jobs.last);
    channel->jobs.last = drm_fence_ref(fence);
    if (channel->jobs.first && !drm_fence_done(channel->jobs.first))
        return;
    drm_fence_unref(channel->jobs.first);
    channel->jobs.first = drm_fence_ref(fence);
    channel->jobs.since = config->host->now(config->opaque);
}

void drm_job_note_end(struct drm_job *job) {
    struct drm_fence *fence = job->syncs.done;
    if (fence && !fence->begun)
        fence->done = true;
}

void drm_binds_free(struct drm_bind *binds, uint32_t count) {
    for (uint32_t i = 0; i < count; i++)
        drm_buffer_unref(binds[i].buffer);
    free(binds);
}

void drm_job_free_syncs(struct drm_job *job) {
    drm_waits_free(job->syncs.waits, job->syncs.wait_count);
    drm_fence_unref(job->syncs.done);
    drm_binds_free(job->binds, job->bind_count);
}

static struct drm_job *exec_new_job(struct drm_syncs *syncs, uint32_t pushes) {
    struct drm_fence *done = drm_fence_new(false);
    struct drm_job *job = done ? drm_job_new(pushes, 0) : NULL;
    if (!job) {
        drm_fence_unref(done);
        return NULL;
    }
    job->syncs = (struct drm_job_syncs){syncs->waits, syncs->wait_count, done};
    syncs->waits = NULL;
    syncs->wait_count = 0;
    return job;
}

/* The signals are seen from now on. */
static void enter_queue(struct drm_device *device, struct drm_job *job, struct drm_syncs *syncs) {
    drm_syncs_attach(device, syncs, job->syncs.done);
    drm_work_append(device, job);
}

struct drm_job *drm_work_queue_exec(struct drm_channel *channel, const struct uapi_exec_push *pushes, uint32_t count,
                                    struct drm_syncs *syncs) {
    struct drm_job *job = exec_new_job(syncs, count);
    if (!job)
        return NULL;
    job->channel = channel;
    for (uint32_t i = 0; i < count; i++) {
        job->words += pushes[i].bytes / 4;
        if (pushes[i].bytes)
            job->pushes[job->push_count++] =
                (struct drm_job_push){pushes[i].address, pushes[i].bytes,
                                      pushes[i].flags & UAPI_EXEC_NO_PREFETCH ? PFIFO_SUBMIT_NO_PREFETCH : 0};
    }
    exec_use_shares(channel->file, job);
    enter_queue(channel->file->device, job, syncs);
    return job;
}

struct drm_job *drm_work_queue_binds(struct drm_file *file, struct drm_bind *binds, uint32_t count,
                                     struct drm_syncs *syncs) {
    struct drm_job *job = exec_new_job(syncs, 0);
    if (!job)
        return NULL;
    job->file = file;
    job->binds = binds;
    job->bind_count = count;
    enter_queue(file->device, job, syncs);
    return job;
}

/* ---- what is under way ---- */

static bool has_queued(const struct drm_file *file) {
    for (const struct drm_job *job = file->device->jobs; job; job = job->next)
        if (job->syncs.done && job->channel && job->channel->file == file)
            return true;
    return false;
}

static bool is_executing(const struct drm_file *file) {
    for (const struct drm_channel *channel = file->channels; channel; channel = channel->next)
        if (channel->jobs.last && !drm_fence_done(channel->jobs.last))
            return true;
    return has_queued(file);
}

bool drm_jobs_use(const struct drm_buffer *buffer) {
    if (!buffer->bound)
        return false;
    for (const struct drm_file *file = buffer->device->files; file; file = file->next)
        if (file->space && is_executing(file) && drm_space_maps(file->space, buffer))
            return true;
    return false;
}

/* The time begins with the job, or when the one before is seen to be done. */
static bool takes_too_long(struct drm_channel *channel, uint64_t now) {
    if (channel->killed || !channel->jobs.first)
        return false;
    if (!drm_fence_done(channel->jobs.first))
        return now - channel->jobs.since >= DRM_JOB_NANOSECONDS;
    drm_fence_unref(channel->jobs.first);
    channel->jobs.first = drm_fence_done(channel->jobs.last) ? NULL : drm_fence_ref(channel->jobs.last);
    channel->jobs.since = now;
    return false;
}

void drm_jobs_look_at_time(struct drm_device *device) {
    const struct drm_config *config = &device->config;
    for (struct drm_file *file = device->files; file; file = file->next)
        for (struct drm_channel *channel = file->channels; file->space && channel; channel = channel->next)
            if (takes_too_long(channel, config->host->now(config->opaque)))
                drm_channel_kill(channel, "a job has taken 10 seconds");
}

/* ---- EXEC ---- */

static int exec_check_pushes(struct drm_file *file, const struct uapi_exec_push *pushes, uint32_t count) {
    for (uint32_t i = 0; i < count; i++)
        if (pushes[i].bytes > UAPI_EXEC_MOST_BYTES) {
            drm_log(file->device, "exec: push %u of 0x%x bytes, at most 0x%x are possible", (unsigned)i,
                    (unsigned)pushes[i].bytes, UAPI_EXEC_MOST_BYTES);
            return -EINVAL;
        }
    return 0;
}

/* NULL: *status says why. */
static struct drm_channel *exec_find_channel(struct drm_file *file, uint32_t id, int *status) {
    struct drm_channel *channel = drm_file_channel(file, id);
    *status = channel ? 0 : -ENOENT;
    if (channel && drm_channel_killed(channel))
        *status = -ENODEV;
    return *status ? NULL : channel;
}

/* While a call waits for room others come in, and the channel may go. */
static int exec_submit(struct drm_file *file, const struct uapi_exec *request, const struct uapi_exec_push *pushes,
                       struct drm_syncs *syncs) {
    int status;
    struct drm_channel *channel = exec_find_channel(file, request->channel, &status);
    if (!channel)
        return status;
    struct drm_job *job = drm_work_queue_exec(channel, pushes, request->push_count, syncs);
    if (!job)
        return -ENOMEM;
    drm_job_unref(job);
    drm_work_push(file->device);
    return 0;
}

/* All lists are read before what they say is looked at (nouveau_exec_ucopy()). */
static int exec_take(struct drm_file *file, const struct uapi_exec *request, const struct uapi_exec_push *pushes) {
    struct drm_sync_lists lists = {.wait_count = request->wait_count, .signal_count = request->signal_count};
    struct drm_syncs syncs;
    int status = drm_sync_lists_fetch(file, request->waits, request->signals, &lists);
    if (status)
        return status;
    status = exec_check_pushes(file, pushes, request->push_count);
    if (status == 0)
        status = drm_work_wait_for_room(file->device);
    if (status == 0)
        status = drm_syncs_take(file, &lists, &syncs);
    if (status == 0) {
        status = exec_submit(file, request, pushes, &syncs);
        drm_syncs_free(&syncs);
    }
    drm_sync_lists_free(&lists);
    return status;
}

int drm_exec(struct drm_file *file, void *data) {
    const struct uapi_exec *request = data;
    void *pushes;
    int status;
    if (!file->space)
        return -ENOSYS;
    if (!exec_find_channel(file, request->channel, &status))
        return status;
    if (request->push_count > UAPI_MOST_PUSHES) {
        drm_log(file->device, "exec: %u pushes, at most %u are possible", (unsigned)request->push_count,
                UAPI_MOST_PUSHES);
        return -EINVAL;
    }
    status = drm_list_fetch(file, request->pushes, request->push_count, sizeof(struct uapi_exec_push), &pushes);
    if (status)
        return status;
    status = exec_take(file, request, pushes);
    free(pushes);
    return status;
}
