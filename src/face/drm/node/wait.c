/* SPDX-License-Identifier: MIT */
/*
 * Waiting for buffers and submissions. Without a worker a wait runs the model; then only what waits for a program's
 * write to memory needs time to pass.
 */
#include "face/drm/node/wait.h"

#include <errno.h>

#include "face/drm/node/share.h"
#include "face/drm/node/jobs.h"

#define LOOK_AGAIN UINT64_C(1000000) /* nanoseconds: a semaphore that a program writes may have changed */

/* False: a signal has come. */
static bool wait_once(const struct drm_wait *wait, uint64_t nanoseconds) {
    const struct drm_config *config = &wait->device->config;
    if (wait->interruptible)
        return config->host->wait(config->opaque, nanoseconds);
    config->host->sleep(config->opaque, nanoseconds);
    return true;
}

/* What other processes do is no progress of the device's. */
static uint64_t wait_step(const struct drm_device *device, uint64_t left) {
    if (!device->config.worker)
        return LOOK_AGAIN;
    return drm_has_peers(device) && left > LOOK_AGAIN ? LOOK_AGAIN : left;
}

int drm_wait(const struct drm_wait *wait, uint64_t nanoseconds) {
    const struct drm_config *config = &wait->device->config;
    if (!wait->is_busy(wait->what))
        return 0;
    drm_work_help(wait->device);
    if (!wait->is_busy(wait->what) || nanoseconds == 0)
        return wait->is_busy(wait->what) ? -EBUSY : 0;
    uint64_t begin = config->host->now(config->opaque), passed = 0;
    int status = 0;
    while (status == 0 && wait->is_busy(wait->what)) {
        if (passed >= nanoseconds)
            status = -EBUSY;
        else if (!wait_once(wait, wait_step(wait->device, nanoseconds - passed)))
            status = -EINTR;
        drm_work_help(wait->device);
        passed = config->host->now(config->opaque) - begin;
    }
    return wait->is_busy(wait->what) ? status : 0;
}

/* ---- buffers ---- */

/* Of those that other processes have all is asked for that was submitted before now. */
static bool is_used(const void *buffer) {
    return drm_buffer_used(buffer) || drm_share_busy(buffer, UINT64_MAX, true);
}

static bool is_written(const void *buffer) {
    return drm_buffer_written(buffer) || drm_share_busy(buffer, UINT64_MAX, false);
}

/* Another thread may free the buffer meanwhile. */
static int wait_for_buffer(struct drm_buffer *buffer, bool to_write, bool interruptible, uint64_t nanoseconds) {
    const struct drm_wait wait = {.device = buffer->device,
                                  .is_busy = to_write ? is_used : is_written,
                                  .what = drm_buffer_ref(buffer),
                                  .interruptible = interruptible};
    int status = drm_wait(&wait, nanoseconds);
    drm_buffer_unref(buffer);
    return status;
}

int drm_buffer_wait(struct drm_buffer *buffer, bool to_write, uint64_t nanoseconds) {
    return wait_for_buffer(buffer, to_write, true, nanoseconds);
}

int drm_buffer_wait_uninterrupted(struct drm_buffer *buffer, bool to_write, uint64_t nanoseconds) {
    return wait_for_buffer(buffer, to_write, false, nanoseconds);
}

/* ---- submissions ---- */

static bool is_under_way(const void *what) {
    const struct drm_job *job = what;
    return job->queued || !pfifo_fence_done(&job->fence);
}

int drm_job_wait(struct drm_device *device, const struct drm_job *job, uint64_t nanoseconds) {
    const struct drm_wait wait = {.device = device, .is_busy = is_under_way, .what = job};
    return drm_wait(&wait, nanoseconds);
}
