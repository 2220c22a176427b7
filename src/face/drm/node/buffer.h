/* SPDX-License-Identifier: MIT */
/* Inside of buffers, for the ioctls on them. */
#ifndef PFIFO_SRC_FACE_DRM_BUFFER_H
#define PFIFO_SRC_FACE_DRM_BUFFER_H

#include "face/drm/node/node.h"

/* NULL: no such handle. Valid until the next handle is made. */
struct drm_handle *drm_file_at(struct drm_file *file, uint32_t handle);

/*
 * Give a buffer that has moved an address again, at *address where it had one: the same in an address space. 0, -errno.
 */
int drm_buffer_remap(struct drm_file *file, struct drm_buffer *buffer, uint64_t *address);
/* Move it to the domain, with its contents. 0; -ENOMEM, -EBUSY (it does not get idle), -EINTR. It stays then. */
int drm_buffer_move(struct drm_buffer *buffer, uint32_t domain);

int drm_gem_pushbuf(struct drm_file *file, void *data);

#endif
