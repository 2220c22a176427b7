/* SPDX-License-Identifier: MIT */
/* Buffers that any driver has: drm_dumb_buffers.c; nouveau_display.c, nouveau_display_dumb_create(). */
#include <stdint.h>

#include <drm.h>
#include <errno.h>
#include <nouveau_drm.h>

#include "chip/chip.h"
#include "face/drm/kms/kms.h"

#define PITCH_ALIGN 256u

/* The kernel computes with 32 bits, and refuses what does not fit. */
static bool dumb_fits(const struct drm_mode_create_dumb *request) {
    if (!request->width || !request->height || !request->bpp || request->bpp > UINT32_MAX - 8)
        return false;
    uint64_t stride = (uint64_t)request->width * ((request->bpp + 7) / 8);
    return stride <= UINT32_MAX && stride * request->height <= UINT32_MAX - 0xfff;
}

int kms_create_dumb(struct drm_file *file, void *data) {
    struct drm_mode_create_dumb *request = data;
    struct drm_device *device = file->device;
    struct drm_buffer *buffer;
    if (!dumb_fits(request))
        return -EINVAL;
    uint64_t row = (uint64_t)request->width * (request->bpp / 8);
    uint64_t pitch = (row + PITCH_ALIGN - 1) / PITCH_ALIGN * PITCH_ALIGN, bytes = pitch * request->height;
    request->handle = request->pitch = 0;
    request->size = 0;
    if (pitch > UINT32_MAX || bytes > UINT32_MAX)
        return -EINVAL;
    uint32_t domain = device->config.chip->vram_bytes ? NOUVEAU_GEM_DOMAIN_VRAM : NOUVEAU_GEM_DOMAIN_GART;
    int status = drm_buffer_new(device, bytes, 0, domain, 0, 0, &buffer);
    if (status)
        return status;
    request->pitch = (uint32_t)pitch;
    request->size = (bytes + 0xfff) & ~UINT64_C(0xfff); /* that it was made with; the buffer may be larger */
    status = drm_file_handle(file, buffer, &request->handle);
    drm_buffer_unref(buffer);
    return status;
}

int kms_map_dumb(struct drm_file *file, void *data) {
    struct drm_mode_map_dumb *request = data;
    const struct drm_buffer *buffer = drm_file_buffer(file, request->handle);
    if (!buffer)
        return -ENOENT;
    request->offset = buffer->map_offset;
    return 0;
}

int kms_destroy_dumb(struct drm_file *file, void *data) {
    const struct drm_mode_destroy_dumb *request = data;
    return drm_file_forget(file, request->handle);
}
