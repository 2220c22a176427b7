/* SPDX-License-Identifier: MIT */
/*
 * Descriptors of sync objects, and sync files. Linux drivers/gpu/drm/drm_syncobj.c, drivers/dma-buf/sync_file.c.
 *
 * The host makes descriptors as for buffers, of no memory. They can be imported by this process only. A sync file is
 * made when its fence is done: so whoever polls it, finds it signaled, and it is. It has none of the ioctls of the
 * kernel's (SYNC_IOC_MERGE, SYNC_IOC_FILE_INFO).
 */
#include <stdint.h>

#include <drm.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>

#include "face/drm/node/sync.h"
#include "face/drm/node/wait.h"

#define FILE_NANOSECONDS UINT64_C(30000000000) /* that the export of a sync file waits */

/* ---- what descriptors own ---- */

static struct drm_memory syncfd_memory(const struct drm_syncobj *object) {
    return (struct drm_memory){.fd = -1, .id = object->id};
}

/* Nobody tells when a descriptor is closed; it is asked for when it matters, as for buffers. */
void drm_syncobj_reap(struct drm_device *device, bool all) {
    const struct drm_config *config = &device->config;
    for (struct drm_syncobj **at = &device->syncobjs; *at;) {
        struct drm_syncobj *object = *at;
        const struct drm_memory memory = syncfd_memory(object);
        if (!all && config->host->exported(config->opaque, &memory)) {
            at = &object->next;
            continue;
        }
        *at = object->next;
        object->next = NULL;
        object->exported = false;
        drm_syncobj_unref(object);
    }
}

/* NULL: the descriptor is none of such an object. */
static struct drm_syncobj *syncfd_find(struct drm_device *device, int fd, bool is_file) {
    const struct drm_config *config = &device->config;
    struct drm_memory memory;
    if (config->host->import_buffer(config->opaque, fd, &memory) != 0)
        return NULL;
    struct drm_syncobj *object = device->syncobjs;
    while (object && (object->id != memory.id || object->is_file != is_file))
        object = object->next;
    return object;
}

/* A descriptor, or -errno. */
static int syncfd_export(struct drm_device *device, struct drm_syncobj *object) {
    const struct drm_config *config = &device->config;
    drm_syncobj_reap(device, false);
    if (!object->id)
        object->id = ++device->memories;
    const struct drm_memory memory = syncfd_memory(object);
    int fd = config->host->export_buffer(config->opaque, &memory, O_CLOEXEC);
    if (fd >= 0 && config->host->exported && !object->exported) {
        object->exported = true;
        object->next = device->syncobjs;
        device->syncobjs = drm_syncobj_ref(object);
    }
    return fd;
}

/* ---- HANDLE_TO_FD ---- */

static bool is_open(const void *point) {
    return !drm_point_done(*(struct drm_point *const *)point);
}

/* A new object of what the other has now, and that is done. NULL: *status says why. */
static struct drm_syncobj *syncfd_new_file(struct drm_device *device, struct drm_syncobj *from, int *status) {
    struct drm_point *point = NULL;
    *status = drm_syncobj_find(from, 0, &point);
    if (*status)
        return NULL;
    const struct drm_wait wait = {.device = device, .is_busy = is_open, .what = &point, .interruptible = true};
    *status = drm_wait(&wait, FILE_NANOSECONDS);
    struct drm_syncobj *file = *status ? NULL : (struct drm_syncobj *)calloc(1, sizeof *file);
    if (!*status && !file)
        *status = -ENOMEM;
    if (!file) {
        drm_point_unref(point);
        return NULL;
    }
    file->references = 1;
    file->is_file = true;
    file->last = point;
    return file;
}

static int syncfd_export_file(struct drm_file *file, struct drm_syncobj *from) {
    int status;
    drm_syncobj_ref(from); /* another thread may destroy it during the wait */
    struct drm_syncobj *made = syncfd_new_file(file->device, from, &status);
    drm_syncobj_unref(from);
    if (!made)
        return status;
    int fd = syncfd_export(file->device, made);
    drm_syncobj_unref(made);
    return fd;
}

static int syncobj_handle_to_fd(struct drm_file *file, void *data) {
    struct drm_syncobj_handle *request = data;
    bool as_file = request->flags & DRM_SYNCOBJ_HANDLE_TO_FD_FLAGS_EXPORT_SYNC_FILE;
    if (request->pad || request->flags & ~(uint32_t)DRM_SYNCOBJ_HANDLE_TO_FD_FLAGS_EXPORT_SYNC_FILE)
        return -EINVAL;
    struct drm_syncobj *object = drm_file_syncobj(file, request->handle);
    if (!object)
        return as_file ? -ENOENT : -EINVAL;
    int fd = as_file ? syncfd_export_file(file, object) : syncfd_export(file->device, object);
    if (fd < 0)
        return fd;
    request->fd = fd;
    return 0;
}

/* ---- sync files of other calls ---- */

int drm_sync_file_new(struct drm_device *device) {
    struct drm_syncobj *made = calloc(1, sizeof *made);
    if (!made)
        return -ENOMEM;
    made->references = 1;
    made->is_file = true;
    int fd = syncfd_export(device, made);
    drm_syncobj_unref(made);
    return fd;
}

int drm_sync_file_find(struct drm_device *device, int fd, struct drm_point **point) {
    const struct drm_syncobj *file = syncfd_find(device, fd, true);
    *point = file ? drm_point_ref(file->last) : NULL;
    return file ? 0 : -EINVAL;
}

/* ---- FD_TO_HANDLE ---- */

/* The object gets what the sync file has. */
static int syncfd_import_file(struct drm_file *file, int fd, uint32_t handle) {
    struct drm_syncobj *from = syncfd_find(file->device, fd, true), *to = drm_file_syncobj(file, handle);
    if (!from)
        return -EINVAL;
    if (!to)
        return -ENOENT;
    drm_syncobj_replace(to, drm_point_ref(from->last));
    file->device->progress++;
    return 0;
}

/* Each import has a handle of its own. */
static int syncobj_fd_to_handle(struct drm_file *file, void *data) {
    struct drm_syncobj_handle *request = data;
    if (request->pad || request->flags & ~(uint32_t)DRM_SYNCOBJ_FD_TO_HANDLE_FLAGS_IMPORT_SYNC_FILE)
        return -EINVAL;
    if (request->flags & DRM_SYNCOBJ_FD_TO_HANDLE_FLAGS_IMPORT_SYNC_FILE)
        return syncfd_import_file(file, request->fd, request->handle);
    struct drm_syncobj *object = syncfd_find(file->device, request->fd, false);
    return object ? drm_syncobj_enter(file, drm_syncobj_ref(object), &request->handle) : -EINVAL;
}

#define ROW(number, function)                                                                                          \
    { number, sizeof(struct drm_syncobj_handle), DRM_IOCTL_RENDER_ALLOWED, #function, function }

const struct drm_ioctl drm_syncobj_descriptors[] = {
    ROW(0xc1, syncobj_handle_to_fd),
    ROW(0xc2, syncobj_fd_to_handle),
    {0},
};
