/* SPDX-License-Identifier: MIT */
/*
 * Points in time that jobs and programs wait for, and the objects in which programs keep them. Linux
 * drivers/gpu/drm/drm_syncobj.c, drivers/dma-buf/dma-fence-chain.c.
 *
 *   fence     one event: a job is done, or was dropped
 *   point     fences that must all be done, and, in a timeline, a number and the point before, which counts as well
 *   syncobj   the last point; none after RESET
 *
 *   last --> point 7: fences --> point 5: fences --> ...
 */
#ifndef PFIFO_SRC_FACE_DRM_NODE_SYNC_H
#define PFIFO_SRC_FACE_DRM_NODE_SYNC_H

#include "face/drm/node/node.h"

struct uapi_sync;

struct drm_fence {
    unsigned references;
    bool done;
    bool begun; /* the machine has got it: done when this is */
    struct pfifo_fence machine;
    /* Of another process: */
    int file;      /* a sync file, or locks of a buffer. -1: neither */
    uint64_t time; /* of locks: those in front of it are waited for. 0: it is a sync file */
    bool writes;
    struct drm_sync_link *link; /* or a slot of a sync object's file. NULL: not that */
    struct drm_link_slot {
        uint32_t at;
        uint64_t serial, owner;
    } slot;
};

/* NULL: no memory. */
struct drm_fence *drm_fence_new(bool done);
struct drm_fence *drm_fence_ref(struct drm_fence *fence);
/* Done when nobody else has locks in front of that time (share.h). NULL: no memory. */
struct drm_fence *drm_fence_of_locks(int locks, uint64_t time, bool writes);
/* Done when another process says so. Takes the descriptor. NULL: no memory. */
struct drm_fence *drm_fence_of_file(int file);
void drm_fence_unref(struct drm_fence *fence);
bool drm_fence_done(struct drm_fence *fence);

struct drm_point {
    unsigned references;
    bool in_line;
    uint64_t line;           /* points with numbers out of order are in different ones */
    uint64_t number, before; /* of the point before, 0: there was none */
    struct drm_point *previous;
    uint32_t fence_count;
    struct drm_fence *fences[];
};

/* With room for one fence, which comes later. NULL: no memory. */
struct drm_point *drm_point_new(void);
/* One that is done. NULL: no memory. */
struct drm_point *drm_point_new_done(void);
struct drm_point *drm_point_with_room(uint32_t fences);
/* How many fences of it are not done; and put them into another that has room. */
uint32_t drm_point_open(struct drm_point *point);
void drm_point_take_open(struct drm_point *to, struct drm_point *point);
/* All that is not done of what `point` (NULL: done) waits for. NULL: no memory. */
struct drm_point *drm_point_merged(struct drm_point *point);
struct drm_point *drm_point_ref(struct drm_point *point);
void drm_point_unref(struct drm_point *point);
bool drm_point_done(struct drm_point *point);

struct drm_syncobj {
    unsigned references;
    struct drm_point *last;
    struct drm_sync_link *link; /* NULL: it has no descriptors */
    struct drm_syncobj *next;   /* of those that have */
    struct drm_device *noticed; /* it has notices of the device's */
};

struct drm_syncobj *drm_syncobj_ref(struct drm_syncobj *object);
void drm_syncobj_unref(struct drm_syncobj *object);
/* In the place of what it had. Takes the reference. NULL: none. */
void drm_syncobj_replace(struct drm_syncobj *object, struct drm_point *point);
/* After what it had. Takes the reference. */
void drm_syncobj_add(struct drm_device *device, struct drm_syncobj *object, struct drm_point *point, uint64_t number);
/* 0 stands for the last point. Gives a reference; NULL: it is done. -EINVAL: there is no such point yet. */
int drm_syncobj_find(struct drm_syncobj *object, uint64_t number, struct drm_point **found);
/* As QUERY tells it: the last point that is done or, with `submitted`, that exists. 0: it is no timeline. */
uint64_t drm_syncobj_number(struct drm_syncobj *object, bool submitted);

/* A new handle. Takes the reference. 0, -ENOMEM. */
int drm_syncobj_enter(struct drm_file *file, struct drm_syncobj *object, uint32_t *handle);
/* NULL: no such handle. No reference. */
struct drm_syncobj *drm_file_syncobj(const struct drm_file *file, uint32_t handle);
void drm_file_end_syncobjs(struct drm_file *file);

/* ---- sync files: syncfile.c ---- */

/* A descriptor for a point, which is taken. `name` may be NULL. -errno */
int drm_sync_file_new(struct drm_device *device, struct drm_point *point, const char *name);
bool drm_is_sync_file(int fd);
/* What it stands for. Takes the descriptor. -EINVAL (it is none), -ENOMEM. */
int drm_sync_file_point(struct drm_device *device, int fd, struct drm_point **point);
/* The same for the program's own descriptors: one for a point, which is taken; and what one stands for. */
int drm_sync_file_give(struct drm_device *device, struct drm_point *point, const char *name);
int drm_sync_file_take(struct drm_device *device, int fd, struct drm_point **point);
/* Files whose point is done tell it; those that nobody has any more go. */
void drm_sync_files_look(struct drm_device *device);
void drm_sync_files_free(struct drm_device *device);
/* In a child of fork(): what is told is told by the parent. */
void drm_sync_files_abandon(struct drm_device *device);
/* SYNC_IOC_... -ENOTTY: it is none of them. */
int drm_sync_file_ioctl(struct drm_device *device, int fd, unsigned long request, uint64_t argument);
/* DMA_BUF_..., of a descriptor of a buffer: dmabuf.c */
int drm_dma_buf_ioctl(struct drm_device *device, int fd, unsigned long request, uint64_t argument);

/* ---- notices ---- */

/* SYNCOBJ_EVENTFD: notice.c. Those whose time has come are told. */
void drm_notices_look(struct drm_device *device);
/* The object goes: nobody is told of points that have not come (drm_syncobj_free()). */
void drm_notices_forget(const struct drm_syncobj *object);
/* All are forgotten. */
void drm_notices_free(struct drm_device *device);

/* ---- what a job waits for and signals ---- */

/* Lists of struct uapi_sync, as the program has passed them. */
struct drm_sync_lists {
    struct uapi_sync *waits, *signals;
    uint32_t wait_count, signal_count;
};

/* Where they are, and how long. 0, -EFAULT, -ENOMEM; nothing is to be freed then. */
int drm_sync_lists_fetch(struct drm_file *file, uint64_t waits, uint64_t signals, struct drm_sync_lists *lists);
void drm_sync_lists_free(struct drm_sync_lists *lists);

struct drm_syncs {
    uint32_t wait_count, signal_count;
    struct drm_point **waits; /* the job takes them */
    struct drm_signal {
        struct drm_syncobj *object;
        struct drm_point *point;
        bool in_line;
        uint64_t number;
    } * signals;
};

/* What the lists name. 0, or -errno as nouveau_sched.c gives it; nothing is to be freed then. */
int drm_syncs_take(struct drm_file *file, const struct drm_sync_lists *lists, struct drm_syncs *syncs);
/* The objects get the point at which the job is done. */
void drm_syncs_attach(struct drm_device *device, struct drm_syncs *syncs, struct drm_fence *fence);
void drm_syncs_free(struct drm_syncs *syncs);
void drm_waits_free(struct drm_point **waits, uint32_t count);

#define DRM_MOST_LIST_BYTES (UINT64_C(1) << 20)

/* A list of the program, to be freed. NULL if it is empty. 0, -EFAULT, -ENOMEM: it is too long. */
int drm_list_fetch(struct drm_file *file, uint64_t from, uint64_t count, size_t bytes, void **list);

#endif
