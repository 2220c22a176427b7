/* SPDX-License-Identifier: MIT */
/*
 * Buffers that other processes have, too. Processes do not share a card, but a buffer with a descriptor is the same
 * memory in all of their machines.
 *
 *   one process                                  another
 *   machine's memory: [ ....[buffer].... ]       machine's memory: [ ..[buffer]........ ]
 *                             \ mapped over both /
 *                         a file of its own in memory: what descriptors are of
 *
 * The file's size is sealed, so that nobody's machine can meet its end. Its name says what GEM_INFO tells of the buffer:
 * in reality it would be one object of one card. It lasts until no process has it open or mapped.
 *
 * Reservations: for each use of the buffer by work that is not done, its process locks a byte of the file; which one is
 * the time when the work was submitted. Work waits for bytes of others in front of its own, so that all agree on the
 * order, and the end of a process ends what it holds (fcntl(2), F_OFD_SETLK).
 */
#ifndef PFIFO_SRC_FACE_DRM_NODE_SHARE_H
#define PFIFO_SRC_FACE_DRM_NODE_SHARE_H

#include <sys/types.h>

#include "face/drm/node/node.h"

struct drm_point;

/* A use that is not done. */
struct drm_ticket {
    struct drm_ticket *next;
    uint64_t time; /* CLOCK_MONOTONIC; never the same twice in a process */
    bool writes;
    bool imported; /* by DMA_BUF_IOCTL_IMPORT_SYNC_FILE: this process waits for it, too. It keeps the buffer */
    struct drm_point *until; /* NULL: nothing uses it any more; of work from before it was shared */
};

struct drm_share {
    int file;  /* the memory */
    int locks; /* another opening, which has the locks */
    dev_t dev;
    ino_t ino;
    struct drm_memory pool; /* what the file took the place of */
    struct drm_ticket *tickets;
};

/* The buffer gets a file of its own, if it has none. 0 or -errno. */
int drm_buffer_share(struct drm_buffer *buffer);
/* The buffer of a descriptor, with a reference: one that the device has, or a new one. Takes `file`. 0 or -errno. */
int drm_buffer_of_file(struct drm_device *device, int file, struct drm_buffer **found);
/* The one that the device has. NULL: none. */
struct drm_buffer *drm_buffer_with_file(struct drm_device *device, dev_t dev, ino_t ino);

/* The buffer's memory goes to that of `place`, and the other way round; domains as well. 0 or -errno. */
int drm_share_move(struct drm_buffer *buffer, struct drm_buffer *place);
/* The buffer goes: what was its memory is the machine's again, as soon as nothing is mapped there. */
void drm_share_leave(struct drm_buffer *buffer);
/* What has left, and can be freed. `all`: nothing is mapped any more. */
void drm_shares_reap(struct drm_device *device, bool all);
/* In a child of fork(): the locks are the parent's. */
void drm_shares_abandon(struct drm_device *device);

/* A time for work that is submitted now. */
uint64_t drm_share_time(struct drm_device *device);
/* Work uses the buffer from that time on, until the point is done; it is the buffer's. -ENOMEM: others do not wait. */
int drm_share_use(struct drm_buffer *buffer, struct drm_ticket ticket);
/* What a reader, or a writer, waits for now. NULL: no memory. */
struct drm_point *drm_share_point(struct drm_buffer *buffer, bool writes);
/* Must work of that time wait for work of others, or for what was imported? UINT64_MAX: for all there is. */
bool drm_share_busy(const struct drm_buffer *buffer, uint64_t time, bool writes);
/* Has another process work that is not done on a buffer whose locks these are? */
bool drm_locks_busy(int locks, uint64_t time, bool writes);
/* Uses that are done end. `all`: what was imported, too. */
void drm_shares_look(struct drm_device *device);
void drm_shares_end_imported(struct drm_device *device);

#endif
