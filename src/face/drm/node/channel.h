/* SPDX-License-Identifier: MIT */
/* Channels of a file, and the objects on them. */
#ifndef PFIFO_SRC_FACE_DRM_CHANNEL_H
#define PFIFO_SRC_FACE_DRM_CHANNEL_H

#include "face/drm/node/node.h"

#define DRM_NOTIFIER_BYTES 4096u /* of a channel */

/*
 * An engine object; `oclass` as a program gives it: software classes are negative or end in 6e. 0 or -errno: -EINVAL,
 * -ENODEV (killed), -EEXIST (the handle is taken).
 */
int drm_channel_object(struct drm_channel *channel, uint32_t handle, int32_t oclass);
/* -ENOENT: there is none. */
int drm_channel_forget_object(struct drm_channel *channel, uint32_t handle);
/* Classes that programs can make objects of on it; how many. */
unsigned drm_channel_classes(const struct drm_channel *channel, uint16_t *classes, unsigned room);

/* It has been run: if nothing is left to do, all that was submitted is done. */
void drm_channel_settle(struct drm_channel *channel);

void drm_channel_free_objects(struct drm_channel *channel);

/* What is under way is done first. */
void drm_channel_free(struct drm_channel *channel);

#endif
