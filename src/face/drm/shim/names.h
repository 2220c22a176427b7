/* SPDX-License-Identifier: MIT */
/* Where a path leads: into the tree of the device, or elsewhere. */
#ifndef PFIFO_SRC_FACE_DRM_SHIM_NAMES_H
#define PFIFO_SRC_FACE_DRM_SHIM_NAMES_H

#include "face/drm/shim/shim.h"

/* MOVED: by a link of the tree, or "..", to somewhere else. NOWHERE: into the tree, where no such name is. */
enum where { ELSEWHERE, HERE, NOWHERE, MOVED };

struct found {
    const struct tree_entry *entry; /* HERE */
    char path[PATH_MAX];            /* HERE: without links. MOVED: where to look instead */
};

/* As openat() sees a path. Without the lock. */
enum where look(int directory, const char *path, bool follow, struct found *found);

#define TEXT_BYTES 4096 /* no file of the tree is longer */

#endif
