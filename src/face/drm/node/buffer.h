/* SPDX-License-Identifier: MIT */
/* Inside of buffers, for the ioctls on them. */
#ifndef PFIFO_SRC_FACE_DRM_BUFFER_H
#define PFIFO_SRC_FACE_DRM_BUFFER_H

#include "face/drm/node/node.h"

/* NULL: no such handle. Valid until the next handle is made. */
struct drm_handle *drm_file_at(struct drm_file *file, uint32_t handle);

int drm_gem_pushbuf(struct drm_file *file, void *data);

#endif
