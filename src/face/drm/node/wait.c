/* SPDX-License-Identifier: MIT */
/*
 * Waiting for buffers. A wait runs the model; only what waits for a program's write to memory needs time to pass.
 */
#include <errno.h>

#include "face/drm/node/node.h"

#define LOOK_AGAIN UINT64_C(1000000) /* nanoseconds: a semaphore that a program writes may have changed */

static bool is_busy(const struct drm_buffer *buffer, bool to_write) {
    return to_write ? pfifo_buffer_busy(buffer->memory) : !pfifo_fence_done(&buffer->written);
}

int drm_buffer_wait(struct drm_buffer *buffer, bool to_write, uint64_t nanoseconds) {
    struct drm_device *device = buffer->device;
    const struct drm_host *host = device->config.host;
    if (!is_busy(buffer, to_write))
        return 0;
    drm_device_poll(device);
    if (!is_busy(buffer, to_write) || nanoseconds == 0)
        return is_busy(buffer, to_write) ? -EBUSY : 0;
    uint64_t begin = host->now(device->config.opaque);
    drm_buffer_ref(buffer); /* another thread may free it meanwhile */
    int status = 0;
    while (status == 0 && is_busy(buffer, to_write)) {
        if (host->now(device->config.opaque) - begin >= nanoseconds)
            status = -EBUSY;
        else if (!host->wait(device->config.opaque, LOOK_AGAIN))
            status = -EINTR;
        drm_device_poll(device);
    }
    if (!is_busy(buffer, to_write))
        status = 0;
    drm_buffer_unref(buffer);
    return status;
}
