/* SPDX-License-Identifier: MIT */
/* Page flips: drm_plane.c, drm_mode_page_flip_ioctl(). */
#include <errno.h>

#include "face/drm/kms/kms.h"
#include "face/drm/node/sync.h"
#include "face/drm/node/jobs.h"

#define PATIENCE   UINT64_C(30000000000) /* nanoseconds: as nouveau waits for a buffer */
#define LOOK_AGAIN UINT64_C(1000000)     /* nanoseconds: what the rendering waits for may have come */

/* ---- a flip and its end ---- */

void kms_flip_end(struct kms *kms, bool show) {
    struct kms_flip flip = kms->flip;
    if (!flip.framebuffer)
        return;
    kms->flip = (struct kms_flip){0};
    kms_advance(kms, kms->frames + 1);
    kms->view = flip.view;
    if (show)
        kms_show(kms, flip.framebuffer);
    const struct kms_waiter event = {.file = flip.file, .type = DRM_EVENT_FLIP_COMPLETE, .user_data = flip.user_data};
    if (flip.file)
        kms_send(kms, &event, kms_frame(kms));
    drm_point_unref(flip.fence);
    kms_framebuffer_unref(flip.framebuffer);
}

bool kms_is_drawn(const struct kms_framebuffer *framebuffer) {
    return kms_is_console(framebuffer) || !drm_buffer_written(framebuffer->buffer);
}

static bool flip_is_ready(const struct kms_flip *flip) {
    return kms_is_drawn(flip->framebuffer) && drm_point_done(flip->fence);
}

/* Its turn has come, but it may still be drawn to; then it is the next blank's. */
void kms_flip_try(struct kms *kms) {
    struct kms_flip *flip = &kms->flip;
    if (!flip->framebuffer)
        return;
    if (!flip_is_ready(flip))
        drm_work_help(kms->device);
    if (flip_is_ready(flip))
        kms_flip_end(kms, true);
    else
        flip->after = kms_frame(kms);
}

void kms_flip_begin(struct kms *kms, const struct kms_flip *flip) {
    kms->flip = *flip;
    kms_framebuffer_ref(flip->framebuffer);
    kms->flip.number = ++kms->flips;
    kms->flip.after = kms_frame(kms);
    if (!flip_is_ready(flip) && !kms->device->config.worker)
        drm_device_run(kms->device, kms->device->config.budget);
    if (kms_is_virtual(kms))
        kms_flip_try(kms);
}

void kms_flip_wait(struct kms *kms) {
    const struct drm_config *config = &kms->device->config;
    uint64_t number = kms->flip.number, begin = config->host->now(config->opaque);
    while (kms->flip.framebuffer && kms->flip.number == number &&
           config->host->now(config->opaque) - begin < PATIENCE) {
        uint64_t due = drm_device_due(kms->device);
        if (due)
            config->host->sleep(config->opaque, due);
        drm_device_vblank(kms->device);
    }
}

/* ---- PAGE_FLIP ---- */

static int check_flip(const struct kms *kms, const struct kms_framebuffer *framebuffer) {
    const struct kms_framebuffer *current = kms_current(kms);
    if (!framebuffer)
        return -ENOENT;
    int status = kms_check_source(kms_current_view(kms), framebuffer);
    if (status)
        return status;
    if (framebuffer->format != current->format)
        return -EINVAL;
    if (kms->flip.framebuffer)
        return -EBUSY;
    return kms_is_active(kms) ? 0 : -EINVAL;
}

int kms_page_flip(struct drm_file *file, void *data) {
    const struct drm_mode_crtc_page_flip_target *request = data;
    struct kms *kms = file->device->kms;
    /* nouveau flips at no particular blank: page_flip_target() is not there */
    if ((request->flags & ~(uint32_t)DRM_MODE_PAGE_FLIP_FLAGS) || (request->flags & DRM_MODE_PAGE_FLIP_TARGET) ||
        request->sequence)
        return -EINVAL;
    if (request->crtc_id != KMS_CRTC)
        return -ENOENT;
    if (!kms_current(kms))
        return -EBUSY;
    struct kms_framebuffer *framebuffer = kms_framebuffer_find(kms, request->fb_id);
    int status = check_flip(kms, framebuffer);
    if (status)
        return status;
    const struct kms_flip flip = {.framebuffer = framebuffer,
                                  .view = *kms_current_view(kms),
                                  .file = request->flags & DRM_MODE_PAGE_FLIP_EVENT ? file : NULL,
                                  .user_data = request->user_data};
    kms_flip_begin(kms, &flip);
    if (request->flags & DRM_MODE_PAGE_FLIP_ASYNC)
        kms_flip_try(kms);
    return 0;
}

/* ---- for the owner of the device ---- */

void drm_device_set_flip(struct drm_device *device, void (*flip)(void *opaque, uint32_t framebuffer), void *opaque) {
    device->flip = flip;
    device->flip_opaque = opaque;
}

/* The first frame for which a program waits. */
static uint64_t next_frame(const struct kms *kms) {
    uint64_t frame = kms->flip.framebuffer ? kms->flip.after + 1 : UINT64_MAX;
    for (const struct kms_waiter *waiter = kms->waiters; waiter; waiter = waiter->next)
        if (waiter->frame < frame)
            frame = waiter->frame;
    return frame;
}

uint64_t drm_device_due(struct drm_device *device) {
    const struct kms *kms = device->kms;
    if (!kms->flip.framebuffer && !kms->waiters)
        return UINT64_MAX;
    if (kms_is_virtual(kms)) /* only a flip that waits for its rendering */
        return kms->flip.framebuffer && !flip_is_ready(&kms->flip) ? LOOK_AGAIN : 0;
    uint64_t frame = next_frame(kms), now = device->config.host->now(device->config.opaque);
    if (kms_frame_passed(kms, frame))
        return 0;
    uint64_t due = kms_frame_time(kms, frame);
    return due > now ? due - now : 0;
}

void drm_device_vblank(struct drm_device *device) {
    struct kms *kms = device->kms;
    if (kms_is_virtual(kms) || kms_frame(kms) > kms->flip.after)
        kms_flip_try(kms);
    kms_wake(kms, false);
}
