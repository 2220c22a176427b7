/* SPDX-License-Identifier: MIT */
/* Files that manage their address space themselves, and sync objects. */
#ifndef PFIFO_TESTS_DRM_SPACES_H
#define PFIFO_TESTS_DRM_SPACES_H

#include "drm/rig.h"
#include "face/drm/node/uapi.h"

#define FOR_EACH_WITH_SPACES FOR_EACH_PART if (part->classes)

#define KERNEL_BEGIN (UINT64_C(1) << 39) /* as NVK has it */
#define KERNEL_END   (UINT64_C(1) << 40)
#define ASYNC        UAPI_BIND_RUN_ASYNC
#define SPARSE       UAPI_BIND_SPARSE
#define SECONDS      UINT64_C(1000000000)

/* ---- sync objects ---- */

uint32_t sync_new(struct rig *rig, struct drm_file *file, uint32_t flags);
int sync_destroy(struct rig *rig, struct drm_file *file, uint32_t handle);
/* WAIT (points NULL) or TIMELINE_WAIT. `first` may be NULL. */
int sync_wait(struct rig *rig, struct drm_file *file, const uint32_t *handles, const uint64_t *points, uint32_t count,
              uint32_t flags, uint64_t until, uint32_t *first);
/* For one: is it there? 0, -ETIME, or what is wrong. */
int sync_ask(struct rig *rig, struct drm_file *file, uint32_t handle, uint64_t point);
int sync_reset(struct rig *rig, struct drm_file *file, uint32_t handle);
int sync_signal(struct rig *rig, struct drm_file *file, uint32_t handle);
int sync_signal_point(struct rig *rig, struct drm_file *file, uint32_t handle, uint64_t point);
uint64_t sync_query(struct rig *rig, struct drm_file *file, uint32_t handle, uint32_t flags);
int sync_transfer(struct rig *rig, struct drm_file *file, uint32_t to, uint64_t to_point, uint32_t from,
                  uint64_t from_point, uint32_t flags);

/* HANDLE_TO_FD and FD_TO_HANDLE, as from Linux 6.16 on. */
int sync_to_fd(struct rig *rig, struct drm_file *file, uint32_t handle, uint32_t flags, uint64_t point, int *fd);
int sync_from_fd(struct rig *rig, struct drm_file *file, int fd, uint32_t flags, uint64_t point, uint32_t *handle);

/* ---- spaces ---- */

int spaces_init(struct rig *rig, struct drm_file *file, uint64_t begin, uint64_t bytes);
struct drm_file *spaces_file(struct rig *rig);
/* A device, and such a file of it. */
struct drm_file *spaces_open(struct rig *rig, const struct part *part);

struct syncs {
    struct uapi_sync waits[4], signals[4];
    uint32_t wait_count, signal_count;
};

/* NULL: none. */
int spaces_bind(struct rig *rig, struct drm_file *file, const struct uapi_bind_operation *operations, uint32_t count,
                uint32_t flags, const struct syncs *syncs);
int spaces_map(struct rig *rig, struct drm_file *file, uint32_t handle, uint64_t address, uint64_t offset,
               uint64_t bytes);
int spaces_unmap(struct rig *rig, struct drm_file *file, uint64_t address, uint64_t bytes);
int spaces_sparse(struct rig *rig, struct drm_file *file, uint32_t operation, uint64_t address, uint64_t bytes);
/* The id of the buffer whose memory the page tables have there, 0: none; and from where on. */
uint64_t spaces_at(const struct drm_file *file, uint64_t address, uint64_t *offset);
uint64_t spaces_id(struct drm_file *file, uint32_t handle);

/* A channel whose semaphore is mapped at an address. */
struct rig_channel spaces_channel(struct rig *rig, struct drm_file *file, uint64_t address);
int spaces_exec(struct rig *rig, struct drm_file *file, uint32_t channel, const struct uapi_exec_push *pushes,
                uint32_t count, const struct syncs *syncs);
/* The words from a new buffer, mapped at `address`. */
int spaces_run(struct rig *rig, const struct rig_channel *channel, const struct words *words, uint64_t address,
               const struct syncs *syncs);

#endif
