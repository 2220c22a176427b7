/* SPDX-License-Identifier: MIT */
/*
 * Images that programs give to the server of their windows: a framebuffer that no plane shows. The layouts are those of
 * the display, as in the kernel's servers, which may have to show such a buffer on a plane.
 */
#include <errno.h>
#include <fcntl.h>

#include "face/drm/kms/kms.h"
#include "face/drm/node/share.h"

#define WAIT_NANOSECONDS UINT64_C(30000000000) /* then what is there is taken */

/* With a reference. The program may have closed its handle: the server has the buffer as long as the descriptor. */
static int image_buffer(struct drm_device *device, const struct drm_image *image, struct drm_buffer **buffer) {
    int own = fcntl(image->file, F_DUPFD_CLOEXEC, image->file);
    return own < 0 ? -EINVAL : drm_buffer_of_file(device, own, buffer);
}

static int image_lay_out(const struct kms *kms, const struct drm_image *image, struct kms_framebuffer *framebuffer) {
    if (!framebuffer->format || !image->width || !image->height || image->width > kms->most_pixels ||
        image->height > kms->most_pixels || image->pitch < image->width * framebuffer->format->bytes)
        return -EINVAL;
    return kms_framebuffer_lay_out(kms, framebuffer);
}

/* A framebuffer on the caller's stack, with a reference to its buffer if this succeeds. */
static int image_open(struct drm_device *device, const struct drm_image *image, struct kms_framebuffer *framebuffer) {
    const struct kms *kms = device->kms;
    *framebuffer = (struct kms_framebuffer){.format = kms_format_of(kms, image->fourcc),
                                            .width = image->width,
                                            .height = image->height,
                                            .pitch = image->pitch,
                                            .offset = image->offset,
                                            .flags = image->has_modifier ? DRM_MODE_FB_MODIFIERS : 0,
                                            .modifier = image->has_modifier ? image->modifier : 0};
    int status = image_buffer(device, image, &framebuffer->buffer);
    if (status)
        return status;
    status = image_lay_out(kms, image, framebuffer);
    if (status)
        drm_buffer_unref(framebuffer->buffer);
    return status;
}

uint32_t drm_device_modifiers(const struct drm_device *device, uint64_t modifiers[DRM_MOST_MODIFIERS]) {
    return kms_modifiers(device->kms, modifiers);
}

uint32_t drm_image_pixel_bytes(const struct drm_device *device, uint32_t fourcc) {
    const struct kms_format *format = kms_format_of(device->kms, fourcc);
    return format ? format->bytes : 0;
}

int drm_device_check_image(struct drm_device *device, const struct drm_image *image) {
    struct kms_framebuffer framebuffer;
    int status = image_open(device, image, &framebuffer);
    if (status == 0)
        drm_buffer_unref(framebuffer.buffer);
    return status;
}

static int image_copy_area(struct drm_device *device, const struct kms_framebuffer *framebuffer,
                           const struct drm_area *area, uint8_t *lines, size_t pitch, bool write) {
    struct kms_source source;
    if (area->x > framebuffer->width || area->width > framebuffer->width - area->x || area->y > framebuffer->height ||
        area->height > framebuffer->height - area->y)
        return -EINVAL;
    drm_buffer_wait_uninterrupted(framebuffer->buffer, write, WAIT_NANOSECONDS);
    bool opened = kms_source_open(device->kms, framebuffer, &source);
    uint64_t bytes = framebuffer->format->bytes;
    for (uint32_t y = 0; opened && y < area->height; y++)
        kms_source_line(&source, area->x * bytes, (uint64_t)area->y + y, lines + y * pitch, area->width * bytes, write);
    return opened ? 0 : -ENOMEM;
}

static int image_copy(struct drm_device *device, const struct drm_image *image, const struct drm_area *area,
                      uint8_t *lines, size_t pitch, bool write) {
    struct kms_framebuffer framebuffer;
    int status = image_open(device, image, &framebuffer);
    if (status)
        return status;
    status = image_copy_area(device, &framebuffer, area, lines, pitch, write);
    drm_buffer_unref(framebuffer.buffer);
    return status;
}

int drm_device_read_image(struct drm_device *device, const struct drm_image *image, const struct drm_area *area,
                          uint8_t *to, size_t pitch) {
    return image_copy(device, image, area, to, pitch, false);
}

int drm_device_write_image(struct drm_device *device, const struct drm_image *image, const struct drm_area *area,
                           const uint8_t *from, size_t pitch) {
    return image_copy(device, image, area, (uint8_t *)(uintptr_t)from, pitch, true); // NOLINT: it is only read
}
