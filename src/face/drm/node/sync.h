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
};

/* NULL: no memory. */
struct drm_fence *drm_fence_new(bool done);
struct drm_fence *drm_fence_ref(struct drm_fence *fence);
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
/* All that is not done of what `point` (NULL: done) waits for. NULL: no memory. */
struct drm_point *drm_point_merged(struct drm_point *point);
struct drm_point *drm_point_ref(struct drm_point *point);
void drm_point_unref(struct drm_point *point);
bool drm_point_done(struct drm_point *point);

struct drm_syncobj {
    unsigned references;
    struct drm_point *last;
    uint64_t id; /* of its descriptors, as that of a buffer; 0: there have been none */
    bool is_file, exported;
    struct drm_syncobj *next;   /* of those that descriptors own, too */
    struct drm_device *noticed; /* it has notices of the device's */
};

struct drm_syncobj *drm_syncobj_ref(struct drm_syncobj *object);
void drm_syncobj_unref(struct drm_syncobj *object);
/* In the place of what it had. Takes the reference. NULL: none. */
void drm_syncobj_replace(struct drm_syncobj *object, struct drm_point *point);
/* After what it had. Takes the reference. */
void drm_syncobj_add(struct drm_device *device, struct drm_syncobj *object, struct drm_point *point, uint64_t number);
/* 0 stands for the last point. Gives a reference; NULL: it is done. -EINVAL: there is no such point yet. */
int drm_syncobj_find(struct drm_syncobj *object, uint64_t number, struct drm_point **point);
/* As QUERY tells it: the last number that is done, or (submitted) that there is. 0: it is no timeline. */
uint64_t drm_syncobj_number(struct drm_syncobj *object, bool submitted);

/* A new handle. Takes the reference. 0, -ENOMEM. */
int drm_syncobj_enter(struct drm_file *file, struct drm_syncobj *object, uint32_t *handle);
/* Those that descriptors owned, and of which there are none any more. */
void drm_syncobj_reap(struct drm_device *device, bool all);

/* A descriptor of a sync file that is signaled, or -errno. */
int drm_sync_file_new(struct drm_device *device);
/* Of what such a file waits, with a reference (NULL: it is done). 0, or -EINVAL: it is none of the device's. */
int drm_sync_file_find(struct drm_device *device, int fd, struct drm_point **point);

/* NULL: no such handle. No reference. */
struct drm_syncobj *drm_file_syncobj(const struct drm_file *file, uint32_t handle);
void drm_file_end_syncobjs(struct drm_file *file);

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
