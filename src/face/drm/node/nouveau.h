/* SPDX-License-Identifier: MIT */
/* Figures of a device that several ioctls tell. */
#ifndef PFIFO_SRC_FACE_DRM_NOUVEAU_H
#define PFIFO_SRC_FACE_DRM_NOUVEAU_H

#include "face/drm/node/node.h"

struct drm_limits nouveau_limits(const struct pfifo_chip *chip);
uint64_t nouveau_vram_size(const struct drm_device *device);
/* Bytes that programs may use, as the kernel tells them; some of it, the driver layer has taken. */
uint64_t nouveau_vram_bytes(const struct drm_device *device);
uint64_t nouveau_gart_bytes(const struct drm_device *device);
/* Of PTIMER, in nanoseconds. */
uint64_t nouveau_time(struct drm_device *device);

#endif
