/* SPDX-License-Identifier: MIT */
#ifndef PFIFO_SRC_FACE_DRM_NODE_WAIT_H
#define PFIFO_SRC_FACE_DRM_NODE_WAIT_H

#include "face/drm/node/node.h"

struct drm_wait {
    struct drm_device *device;
    bool (*is_busy)(const void *what);
    const void *what;
    bool interruptible; /* by signals */
};

/* Until it is not busy, for at most so long: 0 asks only, when the machine has run. 0, -EBUSY, -EINTR. */
int drm_wait(const struct drm_wait *wait, uint64_t nanoseconds);

#endif
