/* SPDX-License-Identifier: MIT */
/*
 * Sync objects that other processes have, too.
 *
 *   descriptor: a file in memory, with a slot for each point: number, whose it is, is it done
 *                                            |
 *   process A: its jobs' points, which it marks as done       process B: points that are done when A says so
 *
 * The file is read and written by pread() and pwrite(), never mapped: what a peer makes of it, and of its size, costs no
 * more than a wrong answer. A lock of a byte guards changes; another says that a process lives (F_OFD_SETLK), and with it
 * end all points that it has not marked.
 */
#ifndef PFIFO_SRC_FACE_DRM_NODE_SYNCLINK_H
#define PFIFO_SRC_FACE_DRM_NODE_SYNCLINK_H

#include <sys/types.h>

#include "face/drm/node/sync.h"

/* A point of this process that is not marked yet. */
struct drm_link_own {
    struct drm_link_own *next;
    uint64_t serial;
    struct drm_point *point;
};

struct drm_sync_link {
    unsigned references; /* the object's, and of fences of others */
    struct drm_device *device;
    int file; /* an opening of its own, which has the locks */
    dev_t dev;
    ino_t ino;
    uint64_t seen;  /* of the file's changes */
    unsigned tries; /* that are made for the lock */
    struct drm_link_own *own;
};

/* A descriptor of the object for the device, which closes it: to be given to the program. -errno */
int drm_sync_link_open(struct drm_device *device, struct drm_syncobj *object);
/* The object of a descriptor, with a reference. Takes the descriptor. 0, -EINVAL, -ENOMEM. */
int drm_sync_link_find(struct drm_device *device, int file, struct drm_syncobj **found);

/* The object gets what others have made of it. */
void drm_sync_link_pull(struct drm_syncobj *object);
/* Others get the object's last point, after what there was or in its place. */
void drm_sync_link_push(struct drm_syncobj *object, bool in_place);

bool drm_link_slot_done(const struct drm_sync_link *link, const struct drm_link_slot *slot);
void drm_sync_link_unref(struct drm_sync_link *link);

/* What is done is marked; objects that only have that to do go. `all`: in any case. */
void drm_sync_links_look(struct drm_device *device, bool all);
/* Is there something that is not done, to be marked later? */
bool drm_sync_links_wait(const struct drm_device *device);
/* In a child of fork(): the locks are the parent's. */
void drm_sync_links_abandon(struct drm_device *device);

#endif
