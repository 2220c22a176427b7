/* SPDX-License-Identifier: MIT */
/*
 * Submissions that are made and not yet done. They are given to the machine one after the other, each when the one
 * before is done or waits for somebody: the machine gets the same work in the same order, whenever it was submitted and
 * whoever runs it.
 *
 *   GEM_PUSHBUF, EXEC --> job | job | job --> current: entries of its channel's ring, a fence --> done
 *   VM_BIND           -->       \ blocked: another channel, which waits, has one of its buffers; or a point in time
 *                                           has not come that it waits for
 *
 * A job of VM_BIND needs no machine: page tables change when it is not blocked, and the file's jobs before it are done.
 */
#ifndef PFIFO_SRC_FACE_DRM_NODE_JOBS_H
#define PFIFO_SRC_FACE_DRM_NODE_JOBS_H

#include "face/drm/node/submission.h"

struct drm_bind;
struct drm_fence;
struct drm_point;
struct drm_syncs;
struct uapi_exec_push;

#define DRM_JOB_NANOSECONDS UINT64_C(10000000000) /* nouveau_sched.c, NOUVEAU_SCHED_JOB_TIMEOUT_MS */
#define DRM_MOST_JOBS       64u                   /* that are queued; a call with another one waits */

struct drm_job_push {
    uint64_t address, bytes;
    unsigned flags; /* of pfifo_channel_submit() */
};

struct drm_job_use {
    struct drm_buffer *buffer;
    bool writes;
};

/* What a job of EXEC or VM_BIND waits for first, and what others wait for of it. */
struct drm_job_syncs {
    struct drm_point **waits; /* the job's own */
    uint32_t wait_count;
    struct drm_fence *done; /* NULL: a submission of GEM_PUSHBUF, of no buffers that others have */
};

/* A submission. The queue has a reference, and so has the call as long as it looks at it. */
struct drm_job {
    struct drm_job *next;
    unsigned references;
    struct drm_channel *channel; /* NULL: it has gone */
    bool queued;                 /* not given to the machine yet */
    bool ended;                  /* it has run as far as it can, or was dropped */
    int status;                  /* 0 or -errno: known when it is not queued any more */
    struct pfifo_fence fence;    /* the same */
    uint64_t time;               /* among other processes, see share.h. 0: it is nothing to them */
    uint64_t words;
    uint32_t push_count, use_count;
    struct drm_job_push *pushes;
    struct drm_job_use *uses;
    struct drm_job_syncs syncs;
    struct drm_file *file;  /* VM_BIND: whose space it changes */
    struct drm_bind *binds; /* the job's own */
    uint32_t bind_count;
};

/* A job with what the program has passed, at the end of the queue. NULL: no memory. The caller has a reference. */
struct drm_job *drm_work_queue(struct drm_channel *channel, const struct drm_nouveau_gem_pushbuf *request,
                               const struct drm_submission *submission);
/* EXEC: it is not waited for. Takes the waits. */
struct drm_job *drm_work_queue_exec(struct drm_channel *channel, const struct uapi_exec_push *pushes, uint32_t count,
                                    struct drm_syncs *syncs);
/* VM_BIND. Takes the waits, and the operations with the references of their buffers. */
struct drm_job *drm_work_queue_binds(struct drm_file *file, struct drm_bind *binds, uint32_t count,
                                     struct drm_syncs *syncs);
void drm_binds_free(struct drm_bind *binds, uint32_t count);
void drm_job_unref(struct drm_job *job);

/* Wait until there is room for one more: 0, -EBUSY, -EINTR. */
int drm_work_wait_for_room(struct drm_device *device);
/*
 * Without a worker: run it to its end. -EBUSY, -EINTR: another channel does not let go of a buffer; it is dropped. Else
 * its status. With one: only the beginning, if nobody is before it, and its status as far as it is known.
 */
int drm_work_start(struct drm_device *device, struct drm_job *job);

/* A job of EXEC or VM_BIND has been queued: what can be done is done, without waiting for more. */
void drm_work_push(struct drm_device *device);

/* The machine is at no job: before channels come and go. */
void drm_work_end_current(struct drm_device *device);
/* All jobs of the channel are done, or dropped where they are blocked. */
void drm_work_end_channel(struct drm_channel *channel);
/* Jobs of VM_BIND that are left in the file are dropped. */
void drm_work_end_space(struct drm_file *file);
/* All jobs are done, but those that are blocked. */
void drm_work_finish(struct drm_device *device);
/* They are dropped. */
void drm_work_free(struct drm_device *device);

/* A call waits for something: without a worker it runs the machine for a while. */
void drm_work_help(struct drm_device *device);
/* Does the machine, or the queue, still use the buffer? Or write to it? */
bool drm_buffer_used(const struct drm_buffer *buffer);
bool drm_buffer_written(const struct drm_buffer *buffer);

#endif
