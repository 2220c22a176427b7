/* SPDX-License-Identifier: MIT */
/* Inside of buffers and handles, for the ioctls on them. */
#ifndef PFIFO_SRC_FACE_DRM_BUFFER_H
#define PFIFO_SRC_FACE_DRM_BUFFER_H

#include "face/drm/node/node.h"

int drm_memory_errno(const struct pfifo_error *error);

/* What the layout of a buffer follows from that is there already: its bytes, and all domains where it may be. */
struct drm_layout {
    uint64_t bytes;
    uint32_t domains, tile_mode, tile_flags;
};

/*
 * A new buffer of just those bytes in one of the domains, with the pages that all of them allow: what may be in GART has
 * small ones in VRAM, too. As drm_buffer_new(); -EINVAL, too: they are no whole pages.
 */
int drm_buffer_new_in(struct drm_device *device, const struct drm_layout *layout, uint32_t domain,
                      struct drm_buffer **made);

/* A handle whose buffer the GPU still uses: it is not the program's any more. */
struct drm_gone {
    struct drm_handle entry;
    struct drm_gone *next;
};

/* NULL: no such handle. Valid until the next handle is made. */
struct drm_handle *drm_file_at(struct drm_file *file, uint32_t handle);
/* The lowest handle that the file has for the buffer, 0: none. */
uint32_t drm_file_handle_of(const struct drm_file *file, const struct drm_buffer *buffer);
/* What was a handle, or the notifiers of a channel, is none any more. */
void drm_file_release(struct drm_file *file, const struct drm_handle *entry);
/* Free what is gone and not used any more, or all of it. */
void drm_file_reap(struct drm_file *file, bool all);

/* A buffer has moved: in an address space it stays where it was, before it has another address. 0, -errno. */
int drm_file_follow(struct drm_file *file, struct drm_buffer *buffer);
/*
 * Move a buffer out of VRAM that no submission is about to need there. If all are in use, it is waited for one. False:
 * there is none, or no room for it elsewhere.
 */
bool drm_buffer_evict(struct drm_device *device);
/* Move it to the domain, with its contents. 0; -EINVAL (it is pinned), -ENOMEM, -EBUSY (it does not get idle), -EINTR.
 * It stays then. */
int drm_buffer_move(struct drm_buffer *buffer, uint32_t domain);

int drm_gem_pushbuf(struct drm_file *file, void *data);

#endif
