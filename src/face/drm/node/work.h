/* SPDX-License-Identifier: MIT */
/*
 * Submissions that are made and not yet done. They are given to the machine one after the other, each when the one
 * before is done or waits for somebody: the machine gets the same work in the same order, whenever it was submitted and
 * whoever runs it.
 *
 *   GEM_PUSHBUF --> job | job | job --> current: entries of its channel's ring, a fence --> done
 *                     \ blocked: another channel, which waits, has one of its buffers
 */
#ifndef PFIFO_SRC_FACE_DRM_WORK_H
#define PFIFO_SRC_FACE_DRM_WORK_H

#include "face/drm/node/submission.h"

#define DRM_MOST_JOBS 64u /* that are queued; a call with another one waits */

struct drm_job_push {
    uint64_t address, bytes;
    unsigned flags; /* of pfifo_channel_submit() */
};

struct drm_job_use {
    struct drm_buffer *buffer;
    bool writes;
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
    uint64_t words;
    uint32_t push_count, use_count;
    struct drm_job_push *pushes;
    struct drm_job_use *uses;
};

/* A job with what the program has passed, at the end of the queue. NULL: no memory. The caller has a reference. */
struct drm_job *drm_work_queue(struct drm_channel *channel, const struct drm_nouveau_gem_pushbuf *request,
                               const struct drm_submission *submission);
void drm_job_unref(struct drm_job *job);

/* Wait until there is room for one more: 0, -EBUSY, -EINTR. */
int drm_work_wait_for_room(struct drm_device *device);
/*
 * Without a worker: run it to its end. -EBUSY, -EINTR: another channel does not let go of a buffer; it is dropped. Else
 * its status. With one: only the beginning, if nobody is before it, and its status as far as it is known.
 */
int drm_work_start(struct drm_device *device, struct drm_job *job);

/* The machine is at no job: before channels come and go. */
void drm_work_end_current(struct drm_device *device);
/* All jobs of the channel are done, or dropped where they are blocked. */
void drm_work_end_channel(struct drm_channel *channel);
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
