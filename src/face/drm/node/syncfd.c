/* SPDX-License-Identifier: MIT */
/* Descriptors of sync objects, and sync files of what they have. Linux drivers/gpu/drm/drm_syncobj.c. */
#include <stdint.h>

#include <drm.h>
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "face/drm/node/synclink.h"
#include "face/drm/node/uapi.h"

#define AS_FILE DRM_SYNCOBJ_HANDLE_TO_FD_FLAGS_EXPORT_SYNC_FILE /* the other way, _IMPORT_SYNC_FILE is this bit, too */

/* From Linux 6.16 on a number may come along, of a sync file only; without the flag it is not looked at. */
static int syncfd_check(const struct uapi_syncobj_handle *request, uint64_t *number) {
    *number = request->flags & UAPI_FD_TIMELINE ? request->point : 0;
    if (request->pad || request->flags & ~(uint32_t)(AS_FILE | UAPI_FD_TIMELINE))
        return -EINVAL;
    return *number && !(request->flags & AS_FILE) ? -EINVAL : 0;
}

/* ---- HANDLE_TO_FD ---- */

static int syncfd_new_file(struct drm_device *device, struct drm_syncobj *object, uint64_t number) {
    struct drm_point *point = NULL;
    int status = drm_syncobj_find(object, number, &point);
    if (status)
        return status;
    if (!point && !(point = drm_point_new_done()))
        return -ENOMEM;
    return drm_sync_file_new(device, point, NULL);
}

static int syncobj_handle_to_fd(struct drm_file *file, void *data) {
    struct uapi_syncobj_handle *request = data;
    struct drm_device *device = file->device;
    uint64_t number;
    if (syncfd_check(request, &number) != 0)
        return -EINVAL;
    struct drm_syncobj *object = drm_file_syncobj(file, request->handle);
    if (!object)
        return request->flags & AS_FILE ? -ENOENT : -EINVAL;
    int own = request->flags & AS_FILE ? syncfd_new_file(device, object, number) : drm_sync_link_open(device, object);
    if (own < 0)
        return own;
    int fd = device->config.host->give(device->config.opaque, own, O_CLOEXEC);
    close(own);
    if (fd < 0)
        return fd;
    request->fd = fd;
    return 0;
}

/* ---- FD_TO_HANDLE ---- */

/* The object gets what the sync file has: in the place of all, or as a point of its timeline. */
static int syncfd_import_file(struct drm_file *file, int own, uint32_t handle, uint64_t number) {
    struct drm_syncobj *to = drm_file_syncobj(file, handle);
    struct drm_point *point;
    int status = drm_sync_file_point(file->device, own, &point);
    if (status)
        return status;
    struct drm_point *added = to && number ? drm_point_merged(point) : NULL;
    if (to && !number)
        drm_syncobj_replace(to, drm_point_ref(point));
    if (added)
        drm_syncobj_add(file->device, to, added, number);
    drm_point_unref(point);
    file->device->progress++;
    if (!to)
        return -ENOENT;
    return number && !added ? -ENOMEM : 0;
}

/* Each import has a handle of its own. A descriptor that is not open is EINVAL here, not EBADF. */
static int syncobj_fd_to_handle(struct drm_file *file, void *data) {
    struct uapi_syncobj_handle *request = data;
    struct drm_device *device = file->device;
    struct drm_syncobj *object;
    uint64_t number;
    if (syncfd_check(request, &number) != 0)
        return -EINVAL;
    int own = device->config.host->take(device->config.opaque, request->fd);
    if (own < 0)
        return own == -EBADF ? -EINVAL : own;
    if (request->flags & AS_FILE)
        return syncfd_import_file(file, own, request->handle, number);
    int status = drm_sync_link_find(device, own, &object);
    return status ? status : drm_syncobj_enter(file, object, &request->handle);
}

#define ROW(number, function)                                                                                          \
    { number, sizeof(struct uapi_syncobj_handle), DRM_IOCTL_RENDER_ALLOWED, #function, function }

const struct drm_ioctl drm_syncobj_descriptors[] = {
    ROW(0xc1, syncobj_handle_to_fd),
    ROW(0xc2, syncobj_fd_to_handle),
    {0},
};
