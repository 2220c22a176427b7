/* SPDX-License-Identifier: MIT */
/* The ioctls on descriptors of buffers. Linux drivers/dma-buf/dma-buf.c. */
#include <stdint.h>

#include <errno.h>
#include <fcntl.h>
#include <linux/dma-buf.h>
#include <sys/stat.h>
#include <unistd.h>

#include "face/drm/node/share.h"
#include "face/drm/node/sync.h"
#include "face/drm/node/uapi.h"
#include "face/drm/node/wait.h"

#define NAME_LEN         32
#define SYNC_NANOSECONDS UINT64_C(30000000000) /* the kernel waits as long as its fences, which end */

/* ---- DMA_BUF_IOCTL_SYNC ---- */

static int dmabuf_sync(struct drm_device *device, struct drm_buffer *buffer, uint64_t argument) {
    const struct drm_config *config = &device->config;
    struct dma_buf_sync sync;
    if (!config->host->read(config->opaque, &sync, argument, sizeof sync))
        return -EFAULT;
    if (sync.flags & ~(uint64_t)DMA_BUF_SYNC_VALID_FLAGS_MASK || !(sync.flags & DMA_BUF_SYNC_RW))
        return -EINVAL;
    if (sync.flags & DMA_BUF_SYNC_END)
        return 0;
    return drm_buffer_wait(buffer, sync.flags & DMA_BUF_SYNC_WRITE, SYNC_NANOSECONDS);
}

/* For the kernel's own lists (dma_buf_set_name()). */
static int dmabuf_set_name(const struct drm_config *config, uint64_t argument) {
    char one = 1;
    for (unsigned i = 0; i < NAME_LEN; i++) {
        if (!config->host->read(config->opaque, &one, argument + i, 1))
            return -EFAULT;
        if (one == '\0')
            return 0;
    }
    return -EINVAL;
}

/* ---- sync files ---- */

static int dmabuf_read(const struct drm_config *config, uint64_t argument, struct uapi_dma_buf_file *request) {
    if (!config->host->read(config->opaque, request, argument, sizeof *request))
        return -EFAULT;
    return request->flags & ~(uint32_t)DMA_BUF_SYNC_RW || !(request->flags & DMA_BUF_SYNC_RW) ? -EINVAL : 0;
}

static int dmabuf_export(struct drm_device *device, struct drm_buffer *buffer, uint64_t argument) {
    const struct drm_config *config = &device->config;
    struct uapi_dma_buf_file request;
    int status = dmabuf_read(config, argument, &request);
    if (status)
        return status;
    struct drm_point *point = drm_share_point(buffer, request.flags & DMA_BUF_SYNC_WRITE);
    request.fd = point ? drm_sync_file_give(device, point, NULL) : -ENOMEM;
    if (request.fd < 0)
        return request.fd;
    return config->host->write(config->opaque, argument, &request, sizeof request) ? 0 : -EFAULT;
}

static int dmabuf_import(struct drm_device *device, struct drm_buffer *buffer, uint64_t argument) {
    const struct drm_config *config = &device->config;
    struct uapi_dma_buf_file request;
    struct drm_point *point = NULL;
    int status = dmabuf_read(config, argument, &request);
    if (status)
        return status;
    status = drm_sync_file_take(device, request.fd, &point);
    if (status)
        return status == -EBADF ? -EINVAL : status;
    return drm_share_use(buffer, (struct drm_ticket){.time = drm_share_time(device),
                                                     .writes = request.flags & DMA_BUF_SYNC_WRITE,
                                                     .imported = true,
                                                     .until = point});
}

/* ---- all ---- */

static int dmabuf_call(struct drm_device *device, struct drm_buffer *buffer, unsigned long request, uint64_t argument) {
    switch (request) {
    case DMA_BUF_IOCTL_SYNC:
        return dmabuf_sync(device, buffer, argument);
    case UAPI_DMA_BUF_EXPORT_SYNC_FILE:
        return dmabuf_export(device, buffer, argument);
    case UAPI_DMA_BUF_IMPORT_SYNC_FILE:
        return dmabuf_import(device, buffer, argument);
    case DMA_BUF_SET_NAME_A:
    case DMA_BUF_SET_NAME_B:
        return dmabuf_set_name(&device->config, argument);
    default:
        return -ENOTTY;
    }
}

/* The device has the buffer while it looks at it, if not longer. */
int drm_dma_buf_ioctl(struct drm_device *device, int fd, unsigned long request, uint64_t argument) {
    const struct drm_config *config = &device->config;
    struct drm_buffer *buffer;
    int own = config->host->take(config->opaque, fd);
    if (own < 0)
        return own;
    if (!drm_is_buffer_file(own)) {
        close(own);
        return -ENOTTY;
    }
    int status = drm_buffer_of_file(device, own, &buffer);
    if (status)
        return status;
    status = dmabuf_call(device, buffer, request, argument);
    drm_buffer_unref(buffer);
    return status;
}
