/* SPDX-License-Identifier: MIT */
#ifndef PFIFO_SRC_FACE_DRM_NODE_EXEC_H
#define PFIFO_SRC_FACE_DRM_NODE_EXEC_H

#include "face/drm/node/node.h"

int drm_exec(struct drm_file *file, void *data);

#endif
