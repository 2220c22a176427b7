/* SPDX-License-Identifier: MIT */
/* Pictures of the screen as PNG files. */
#ifndef PFIFO_SRC_FACE_DRM_PICTURE_H
#define PFIFO_SRC_FACE_DRM_PICTURE_H

#include "face/drm/drm.h"

/* Does the name have a %u, or %04u, for the number of a flip? */
bool picture_has_number(const char *path);
/* The name with the number in it. False: it is too long. */
bool picture_path(const char *path, unsigned number, char *out, size_t room);
/* False: `error` says why. A screen shows no alpha, so the file has none. */
bool picture_write(const struct drm_picture *picture, const char *path, struct pfifo_error *error);

#endif
