/* SPDX-License-Identifier: MIT */
/*
 * Waiting for buffers. A wait runs the model; only what waits for a program's write to memory needs time to pass.
 */
#include <errno.h>

#include "face/drm/node/node.h"

#define LOOK_AGAIN UINT64_C(1000000) /* nanoseconds: a semaphore that a program writes may have changed */

/* For a fence, or for all that use a buffer. */
struct waiter {
    struct drm_device *device;
    const struct drm_buffer *buffer; /* NULL: for the fence */
    struct pfifo_fence fence;
};

static bool is_busy(const struct waiter *waiter) {
    return waiter->buffer ? pfifo_buffer_busy(waiter->buffer->memory) : !pfifo_fence_done(&waiter->fence);
}

static int wait_for(const struct waiter *waiter, uint64_t nanoseconds) {
    const struct drm_host *host = waiter->device->config.host;
    void *opaque = waiter->device->config.opaque;
    if (!is_busy(waiter))
        return 0;
    drm_device_poll(waiter->device);
    if (!is_busy(waiter) || nanoseconds == 0)
        return is_busy(waiter) ? -EBUSY : 0;
    uint64_t begin = host->now(opaque);
    int status = 0;
    while (status == 0 && is_busy(waiter)) {
        if (host->now(opaque) - begin >= nanoseconds)
            status = -EBUSY;
        else if (!host->wait(opaque, LOOK_AGAIN))
            status = -EINTR;
        drm_device_poll(waiter->device);
    }
    return is_busy(waiter) ? status : 0;
}

int drm_buffer_wait(struct drm_buffer *buffer, bool to_write, uint64_t nanoseconds) {
    const struct waiter waiter = {buffer->device, to_write ? buffer : NULL, buffer->written};
    drm_buffer_ref(buffer); /* another thread may free it meanwhile */
    int status = wait_for(&waiter, nanoseconds);
    drm_buffer_unref(buffer);
    return status;
}

int drm_fence_wait(struct drm_device *device, const struct pfifo_fence *fence, uint64_t nanoseconds) {
    const struct waiter waiter = {.device = device, .fence = *fence};
    return wait_for(&waiter, nanoseconds);
}
