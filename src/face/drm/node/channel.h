/* SPDX-License-Identifier: MIT */
/* Channels of a file, and the objects on them. */
#ifndef PFIFO_SRC_FACE_DRM_CHANNEL_H
#define PFIFO_SRC_FACE_DRM_CHANNEL_H

#include "face/drm/node/node.h"

#define DRM_NOTIFIER_BYTES 4096u /* of a channel */

/* An engine object of a class that the channel lists. 0 or -errno: -EINVAL, -ENODEV (killed), -EEXIST (handle taken).
 */
int drm_channel_object(struct drm_channel *channel, uint32_t handle, int32_t oclass);
/* -ENOENT: there is none. */
int drm_channel_forget_object(struct drm_channel *channel, uint32_t handle);

/* Has a fault ended it, or a hang? If the driver layer alone knows, it is killed now. */
bool drm_channel_killed(struct drm_channel *channel);

/* It has been run: if nothing is left to do, all that was submitted is done. */
void drm_channel_settle(struct drm_channel *channel);

void drm_channel_free_objects(struct drm_channel *channel);

/* What is under way is done first. */
void drm_channel_free(struct drm_channel *channel);

#endif
