/* SPDX-License-Identifier: MIT */
/* The part of the queue that EXEC and VM_BIND need: what jobs wait for and tell, and how long they may take. */
#ifndef PFIFO_SRC_FACE_DRM_NODE_JOB_H
#define PFIFO_SRC_FACE_DRM_NODE_JOB_H

#include "face/drm/node/jobs.h"

/* jobs.c: with two references, the caller's and the queue's. NULL: no memory. At the end of the queue. */
struct drm_job *drm_job_new(uint32_t pushes, uint32_t uses);
void drm_work_append(struct drm_device *device, struct drm_job *job);

/* Other processes see from now on that the job uses the buffer, which they have, too. */
void drm_job_use_share(const struct drm_job *job, struct drm_buffer *buffer, bool writes);
/* Has all come that it waits for? */
bool drm_job_may_begin(const struct drm_job *job);
/* Its work is in the machine, and a fence follows. */
void drm_job_note_begin(struct drm_job *job);
/* It has run as far as it can, or it never will. */
void drm_job_note_end(struct drm_job *job);
void drm_job_free_syncs(struct drm_job *job);

/* Is there an EXEC not done in a space that has the buffer? It may write to all of them (nouveau_exec.c). */
bool drm_jobs_use(const struct drm_buffer *buffer);
/* Channels whose first job takes too long are killed. */
void drm_jobs_look_at_time(struct drm_device *device);

#endif
