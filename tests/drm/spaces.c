/* SPDX-License-Identifier: MIT */
#include "drm/spaces.h"

#include "face/drm/node/buffer.h"

/* ---- sync objects ---- */

uint32_t sync_new(struct rig *rig, struct drm_file *file, uint32_t flags) {
    struct drm_syncobj_create request = {.flags = flags};
    assert_int_equal(rig_ioctl(rig, file, DRM_IOCTL_SYNCOBJ_CREATE, &request), 0);
    return request.handle;
}

int sync_destroy(struct rig *rig, struct drm_file *file, uint32_t handle) {
    struct drm_syncobj_destroy request = {.handle = handle};
    return rig_ioctl(rig, file, DRM_IOCTL_SYNCOBJ_DESTROY, &request);
}

int sync_wait(struct rig *rig, struct drm_file *file, const uint32_t *handles, const uint64_t *points, uint32_t count,
              uint32_t flags, uint64_t until, uint32_t *first) {
    struct drm_syncobj_timeline_wait request = {.handles = rig_put(rig, handles, count * sizeof *handles),
                                                .points = points ? rig_put(rig, points, count * sizeof *points) : 0,
                                                .timeout_nsec = (int64_t)until,
                                                .count_handles = count,
                                                .flags = flags};
    struct drm_syncobj_wait binary = {
        .handles = request.handles, .timeout_nsec = request.timeout_nsec, .count_handles = count, .flags = flags};
    int status = points ? rig_ioctl(rig, file, DRM_IOCTL_SYNCOBJ_TIMELINE_WAIT, &request)
                        : rig_ioctl(rig, file, DRM_IOCTL_SYNCOBJ_WAIT, &binary);
    if (first)
        *first = points ? request.first_signaled : binary.first_signaled;
    return status;
}

int sync_ask(struct rig *rig, struct drm_file *file, uint32_t handle, uint64_t point) {
    return sync_wait(rig, file, &handle, &point, 1, 0, 0, NULL);
}

static int sync_array(struct rig *rig, struct drm_file *file, unsigned long number, uint32_t handle) {
    struct drm_syncobj_array request = {.handles = rig_put(rig, &handle, sizeof handle), .count_handles = 1};
    return rig_ioctl(rig, file, number, &request);
}

int sync_reset(struct rig *rig, struct drm_file *file, uint32_t handle) {
    return sync_array(rig, file, DRM_IOCTL_SYNCOBJ_RESET, handle);
}

int sync_signal(struct rig *rig, struct drm_file *file, uint32_t handle) {
    return sync_array(rig, file, DRM_IOCTL_SYNCOBJ_SIGNAL, handle);
}

int sync_signal_point(struct rig *rig, struct drm_file *file, uint32_t handle, uint64_t point) {
    struct drm_syncobj_timeline_array request = {.handles = rig_put(rig, &handle, sizeof handle),
                                                 .points = rig_put(rig, &point, sizeof point),
                                                 .count_handles = 1};
    return rig_ioctl(rig, file, DRM_IOCTL_SYNCOBJ_TIMELINE_SIGNAL, &request);
}

uint64_t sync_query(struct rig *rig, struct drm_file *file, uint32_t handle, uint32_t flags) {
    uint64_t point = UINT64_MAX;
    struct drm_syncobj_timeline_array request = {.handles = rig_put(rig, &handle, sizeof handle),
                                                 .points = rig_put(rig, &point, sizeof point),
                                                 .count_handles = 1,
                                                 .flags = flags};
    assert_int_equal(rig_ioctl(rig, file, DRM_IOCTL_SYNCOBJ_QUERY, &request), 0);
    rig_get(rig, request.points, &point, sizeof point);
    return point;
}

int sync_transfer(struct rig *rig, struct drm_file *file, uint32_t to, uint64_t to_point, uint32_t from,
                  uint64_t from_point, uint32_t flags) {
    struct drm_syncobj_transfer request = {
        .src_handle = from, .dst_handle = to, .src_point = from_point, .dst_point = to_point, .flags = flags};
    return rig_ioctl(rig, file, DRM_IOCTL_SYNCOBJ_TRANSFER, &request);
}

int sync_to_fd(struct rig *rig, struct drm_file *file, uint32_t handle, uint32_t flags, uint64_t point, int *fd) {
    struct uapi_syncobj_handle request = {.handle = handle, .flags = flags, .fd = -1, .point = point};
    int status = rig_ioctl(rig, file, DRM_IOWR(0xc1, struct uapi_syncobj_handle), &request);
    *fd = request.fd;
    return status;
}

int sync_from_fd(struct rig *rig, struct drm_file *file, int fd, uint32_t flags, uint64_t point, uint32_t *handle) {
    struct uapi_syncobj_handle request = {.handle = *handle, .flags = flags, .fd = fd, .point = point};
    int status = rig_ioctl(rig, file, DRM_IOWR(0xc2, struct uapi_syncobj_handle), &request);
    *handle = request.handle;
    return status;
}

/* ---- spaces ---- */

int spaces_init(struct rig *rig, struct drm_file *file, uint64_t begin, uint64_t bytes) {
    struct uapi_vm_init request = {begin, bytes};
    return rig_ioctl(rig, file, NOUVEAU(UAPI_VM_INIT, struct uapi_vm_init), &request);
}

struct drm_file *spaces_file(struct rig *rig) {
    struct drm_file *file = rig_file(rig, RENDER);
    assert_int_equal(spaces_init(rig, file, KERNEL_BEGIN, KERNEL_END - KERNEL_BEGIN), 0);
    return file;
}

struct drm_file *spaces_open(struct rig *rig, const struct part *part) {
    rig_open(rig, part);
    return spaces_file(rig);
}

int spaces_bind(struct rig *rig, struct drm_file *file, const struct uapi_bind_operation *operations, uint32_t count,
                uint32_t flags, const struct syncs *syncs) {
    static const struct syncs none;
    const struct syncs *with = syncs ? syncs : &none;
    struct uapi_vm_bind request = {.operation_count = count,
                                   .flags = flags,
                                   .wait_count = with->wait_count,
                                   .signal_count = with->signal_count,
                                   .operations = rig_put(rig, operations, count * sizeof *operations),
                                   .waits = rig_put(rig, with->waits, sizeof with->waits),
                                   .signals = rig_put(rig, with->signals, sizeof with->signals)};
    return rig_ioctl(rig, file, NOUVEAU(UAPI_VM_BIND, struct uapi_vm_bind), &request);
}

int spaces_map(struct rig *rig, struct drm_file *file, uint32_t handle, uint64_t address, uint64_t offset,
               uint64_t bytes) {
    const struct uapi_bind_operation map = {
        .operation = UAPI_BIND_MAP, .handle = handle, .address = address, .offset = offset, .bytes = bytes};
    return spaces_bind(rig, file, &map, 1, 0, NULL);
}

int spaces_unmap(struct rig *rig, struct drm_file *file, uint64_t address, uint64_t bytes) {
    const struct uapi_bind_operation unmap = {.operation = UAPI_BIND_UNMAP, .address = address, .bytes = bytes};
    return spaces_bind(rig, file, &unmap, 1, 0, NULL);
}

int spaces_sparse(struct rig *rig, struct drm_file *file, uint32_t operation, uint64_t address, uint64_t bytes) {
    const struct uapi_bind_operation sparse = {
        .operation = operation, .flags = SPARSE, .address = address, .bytes = bytes};
    return spaces_bind(rig, file, &sparse, 1, 0, NULL);
}

uint64_t spaces_at(const struct drm_file *file, uint64_t address, uint64_t *offset) {
    struct pfifo_vm_map map;
    if (!pfifo_vm_at(file->vm, address, &map))
        return 0;
    if (offset)
        *offset = map.offset + (address - map.address);
    return pfifo_buffer_id(map.buffer);
}

uint64_t spaces_id(struct drm_file *file, uint32_t handle) {
    return pfifo_buffer_id(drm_file_buffer(file, handle)->memory);
}

struct rig_channel spaces_channel(struct rig *rig, struct drm_file *file, uint64_t address) {
    struct rig_channel channel = rig_channel(rig, file);
    assert_int_equal(spaces_map(rig, file, channel.semaphore.handle, address, 0, PAGE), 0);
    channel.semaphore.offset = address;
    return channel;
}

int spaces_exec(struct rig *rig, struct drm_file *file, uint32_t channel, const struct uapi_exec_push *pushes,
                uint32_t count, const struct syncs *syncs) {
    static const struct syncs none;
    const struct syncs *with = syncs ? syncs : &none;
    struct uapi_exec request = {.channel = channel,
                                .push_count = count,
                                .wait_count = with->wait_count,
                                .signal_count = with->signal_count,
                                .pushes = count ? rig_put(rig, pushes, count * sizeof *pushes) : 0,
                                .waits = rig_put(rig, with->waits, sizeof with->waits),
                                .signals = rig_put(rig, with->signals, sizeof with->signals)};
    return rig_ioctl(rig, file, NOUVEAU(UAPI_EXEC, struct uapi_exec), &request);
}

int spaces_run(struct rig *rig, const struct rig_channel *channel, const struct words *words, uint64_t address,
               const struct syncs *syncs) {
    struct drm_nouveau_gem_info buffer = rig_buffer(rig, channel->file, GART, PAGE);
    assert_int_equal(spaces_map(rig, channel->file, buffer.handle, address, 0, PAGE), 0);
    for (uint32_t i = 0; i < words->count; i++)
        rig_wr32(channel->file, &buffer, UINT64_C(4) * i, words->word[i]);
    const struct uapi_exec_push push = {.address = address, .bytes = 4 * words->count};
    assert_int_equal(rig_close_handle(rig, channel->file, buffer.handle), 0);
    return spaces_exec(rig, channel->file, channel->id, &push, 1, syncs);
}
