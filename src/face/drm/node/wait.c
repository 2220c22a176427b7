/* SPDX-License-Identifier: MIT */
/*
 * Waiting for buffers and submissions. Without a worker a wait runs the model; then only what waits for a program's
 * write to memory needs time to pass.
 */
#include <errno.h>

#include "face/drm/node/work.h"

#define LOOK_AGAIN UINT64_C(1000000) /* nanoseconds: a semaphore that a program writes may have changed */

/* For a job, for those who write a buffer, or for all that use it. */
struct waiter {
    struct drm_device *device;
    const struct drm_job *job;       /* NULL: for the buffer */
    const struct drm_buffer *buffer; /* NULL: for the job */
    bool to_write;
    bool interruptible;
};

static bool is_busy(const struct waiter *waiter) {
    if (waiter->job)
        return waiter->job->queued || !pfifo_fence_done(&waiter->job->fence);
    return waiter->to_write ? drm_buffer_used(waiter->buffer) : drm_buffer_written(waiter->buffer);
}

/* False: a signal has come. */
static bool wait_once(const struct waiter *waiter, uint64_t nanoseconds) {
    const struct drm_config *config = &waiter->device->config;
    if (waiter->interruptible)
        return config->host->wait(config->opaque, nanoseconds);
    config->host->sleep(config->opaque, nanoseconds);
    return true;
}

static int wait_for(const struct waiter *waiter, uint64_t nanoseconds) {
    const struct drm_config *config = &waiter->device->config;
    if (!is_busy(waiter))
        return 0;
    drm_work_help(waiter->device);
    if (!is_busy(waiter) || nanoseconds == 0)
        return is_busy(waiter) ? -EBUSY : 0;
    uint64_t begin = config->host->now(config->opaque), passed = 0;
    int status = 0;
    while (status == 0 && is_busy(waiter)) {
        if (passed >= nanoseconds)
            status = -EBUSY;
        else if (!wait_once(waiter, config->worker ? nanoseconds - passed : LOOK_AGAIN))
            status = -EINTR;
        drm_work_help(waiter->device);
        passed = config->host->now(config->opaque) - begin;
    }
    return is_busy(waiter) ? status : 0;
}

static int wait_for_buffer(const struct waiter *waiter, struct drm_buffer *buffer, uint64_t nanoseconds) {
    drm_buffer_ref(buffer); /* another thread may free it meanwhile */
    int status = wait_for(waiter, nanoseconds);
    drm_buffer_unref(buffer);
    return status;
}

int drm_buffer_wait(struct drm_buffer *buffer, bool to_write, uint64_t nanoseconds) {
    const struct waiter waiter = {
        .device = buffer->device, .buffer = buffer, .to_write = to_write, .interruptible = true};
    return wait_for_buffer(&waiter, buffer, nanoseconds);
}

int drm_buffer_wait_uninterrupted(struct drm_buffer *buffer, bool to_write, uint64_t nanoseconds) {
    const struct waiter waiter = {.device = buffer->device, .buffer = buffer, .to_write = to_write};
    return wait_for_buffer(&waiter, buffer, nanoseconds);
}

int drm_job_wait(struct drm_device *device, const struct drm_job *job, uint64_t nanoseconds) {
    const struct waiter waiter = {.device = device, .job = job};
    return wait_for(&waiter, nanoseconds);
}
