/* SPDX-License-Identifier: MIT */
/* Which ioctl a request is, who may call it, and how its structure comes and goes: Linux drivers/gpu/drm/drm_ioctl.c.
 */
#include "face/drm/node/share.h"
#include "face/drm/node/sync.h"

#include <stdint.h>

#include <drm.h>
#include <errno.h>
#include <nouveau_drm.h>
#include <string.h>
#include <sys/ioctl.h>

#define MOST_BYTES 512u /* of a structure; NVIF's are the largest */

static const struct drm_ioctl *ioctl_find_in(const struct drm_ioctl *table, unsigned number) {
    for (; table->run; table++)
        if (table->number == number)
            return table;
    return NULL;
}

static const struct drm_ioctl *ioctl_find_row(const struct drm_device *device, unsigned number) {
    static const struct drm_ioctl *const tables[] = {
        drm_nouveau_buffers, drm_gem_ioctls,          drm_nouveau_ioctls, drm_nouveau_channels,
        drm_nouveau_objects, drm_core_ioctls,         kms_ioctls,         drm_syncobj_ioctls,
        drm_syncobj_notices, drm_syncobj_descriptors, drm_nouveau_spaces};
    const unsigned count = sizeof tables / sizeof tables[0];
    for (unsigned i = 0; i < (drm_has_spaces(device) ? count : count - 1); i++) {
        const struct drm_ioctl *row = ioctl_find_in(tables[i], number);
        if (row)
            return row;
    }
    return NULL;
}

/* The core has these for all drivers; nouveau before 1.4 is none that can do anything with them (drm_syncobj.c). */
static bool ioctl_is_of_syncobjs(unsigned number) {
    static const struct drm_ioctl *const tables[] = {drm_syncobj_ioctls, drm_syncobj_notices, drm_syncobj_descriptors};
    for (unsigned i = 0; i < sizeof tables / sizeof tables[0]; i++)
        if (ioctl_find_in(tables[i], number))
            return true;
    return false;
}

static int check_permission(const struct drm_file *file, const struct drm_ioctl *row) {
    if (file->type == DRM_NODE_RENDER)
        return row->flags & DRM_IOCTL_RENDER_ALLOWED ? 0 : -EACCES;
    if ((row->flags & DRM_IOCTL_AUTH) && !file->authenticated)
        return -EACCES;
    if ((row->flags & DRM_IOCTL_MASTER) && !file->master)
        return -EACCES;
    return 0;
}

/* The program's structure may be shorter or longer than ours: what is missing is 0, what we do not know stays. */
static int call_row(struct drm_file *file, const struct drm_ioctl *row, unsigned long request, uint64_t argument) {
    const struct drm_host *host = file->device->config.host;
    void *opaque = file->device->config.opaque;
    _Alignas(8) uint8_t data[MOST_BYTES] = {0};
    size_t theirs = _IOC_SIZE(request), bytes = theirs < row->bytes ? theirs : row->bytes;
    if ((_IOC_DIR(request) & _IOC_WRITE) && bytes && !host->read(opaque, data, argument, bytes))
        return -EFAULT;
    int result = row->run(file, data);
    if ((_IOC_DIR(request) & _IOC_READ) && bytes && !host->write(opaque, argument, data, bytes))
        return -EFAULT;
    return result;
}

/* The whole structure comes and goes, whatever the request says of its direction (nouveau_drm.c, nouveau_drm_ioctl). */
static int call_nvif(struct drm_file *file, unsigned long request, uint64_t argument) {
    const struct drm_host *host = file->device->config.host;
    void *opaque = file->device->config.opaque;
    _Alignas(8) uint8_t data[MOST_BYTES];
    size_t bytes = _IOC_SIZE(request);
    if (bytes > sizeof data)
        return -EINVAL;
    if (!host->read(opaque, data, argument, bytes))
        return -EFAULT;
    int result = drm_nvif(file, data, bytes);
    if (result >= 0 && !host->write(opaque, argument, data, bytes))
        return -EFAULT;
    return result;
}

static int ioctl_call(struct drm_file *file, unsigned long request, uint64_t argument) {
    if (_IOC_TYPE(request) != DRM_IOCTL_BASE)
        return -ENOTTY;
    unsigned number = _IOC_NR(request);
    if (number == DRM_COMMAND_BASE + DRM_NOUVEAU_NVIF)
        return call_nvif(file, request, argument);
    const struct drm_ioctl *row = ioctl_find_row(file->device, number);
    if (!row)
        return -EINVAL;
    int denied = check_permission(file, row);
    if (!denied && !drm_has_spaces(file->device) && ioctl_is_of_syncobjs(number))
        denied = -EOPNOTSUPP;
    return denied ? denied : call_row(file, row, request, argument);
}

bool drm_is_descriptor(int fd) {
    return drm_is_sync_file(fd) || drm_is_buffer_file(fd);
}

int drm_descriptor_ioctl(struct drm_device *device, int fd, unsigned long request, uint64_t argument) {
    int result = drm_sync_file_ioctl(device, fd, request, argument);
    if (result == -ENOTTY)
        result = drm_dma_buf_ioctl(device, fd, request, argument);
    drm_peers_look(device);
    return result;
}

int drm_file_ioctl(struct drm_file *file, unsigned long request, uint64_t argument) {
    struct drm_device *device = file->device;
    drm_file_enter(file);
    device->refusals.reason[0] = '\0';
    int result = ioctl_call(file, request, argument);
    drm_refusals_note(device, request, result);
    drm_peers_look(device);
    drm_file_leave(file);
    return result;
}
