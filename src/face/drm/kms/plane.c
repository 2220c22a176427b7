/* SPDX-License-Identifier: MIT */
/* The primary plane: drm_plane.c. */
#include <errno.h>

#include "face/drm/kms/kms.h"

#define FIXED_POINT 16 /* of coordinates in a framebuffer */

/* Who does not ask for all planes sees overlays only, and there is none. */
int kms_get_plane_resources(struct drm_file *file, void *data) {
    struct drm_mode_get_plane_res *resources = data;
    static const uint32_t plane = KMS_PLANE;
    return kms_give_ids(file, resources->plane_id_ptr, &resources->count_planes, &plane, file->kms->universal_planes);
}

int kms_get_plane(struct drm_file *file, void *data) {
    struct drm_mode_get_plane *plane = data;
    const struct kms *kms = file->device->kms;
    if (plane->plane_id != KMS_PLANE)
        return -ENOENT;
    const struct kms_framebuffer *current = kms_current(kms);
    plane->crtc_id = current ? KMS_CRTC : 0;
    plane->fb_id = current ? current->id : 0;
    plane->possible_crtcs = 1;
    plane->gamma_size = 0;
    uint32_t formats[16], count = kms_formats(kms, formats);
    bool fit = plane->count_format_types >= count;
    plane->count_format_types = count;
    return !fit || kms_give(file, plane->format_type_ptr, formats, count * sizeof formats[0]) ? 0 : -EFAULT;
}

/* Is the source within the framebuffer? drm_framebuffer_check_src_coords() */
static bool plane_is_inside(const struct drm_mode_set_plane *request, const struct kms_framebuffer *framebuffer) {
    uint64_t width = (uint64_t)framebuffer->width << FIXED_POINT, height = (uint64_t)framebuffer->height << FIXED_POINT;
    return request->src_w <= width && request->src_x <= width - request->src_w && request->src_h <= height &&
           request->src_y <= height - request->src_h;
}

/* It covers the screen, and is not scaled. */
static bool plane_covers(const struct drm_mode_set_plane *request, const struct drm_mode_modeinfo *mode) {
    return request->crtc_x == 0 && request->crtc_y == 0 && request->crtc_w == mode->hdisplay &&
           request->crtc_h == mode->vdisplay && request->src_w == request->crtc_w << FIXED_POINT &&
           request->src_h == request->crtc_h << FIXED_POINT;
}

static int check_plane(const struct kms *kms, const struct drm_mode_set_plane *request,
                       const struct kms_framebuffer *framebuffer) {
    if (!framebuffer || request->crtc_id != KMS_CRTC)
        return -ENOENT;
    if (request->crtc_w > INT32_MAX || request->crtc_x > INT32_MAX - (int32_t)request->crtc_w ||
        request->crtc_h > INT32_MAX || request->crtc_y > INT32_MAX - (int32_t)request->crtc_h)
        return -ERANGE;
    if (!plane_is_inside(request, framebuffer))
        return -ENOSPC;
    return kms->on && plane_covers(request, &kms->mode) ? 0 : -EINVAL;
}

int kms_set_plane(struct drm_file *file, void *data) {
    const struct drm_mode_set_plane *request = data;
    struct kms *kms = file->device->kms;
    if (request->plane_id != KMS_PLANE)
        return -ENOENT;
    if (request->fb_id == 0) {
        kms_turn_plane_off(kms);
        return 0;
    }
    struct kms_framebuffer *framebuffer = kms_framebuffer_find(kms, request->fb_id);
    int status = check_plane(kms, request, framebuffer);
    if (status == 0)
        status = kms_wait_for_drawing(framebuffer);
    if (status == 0) /* meanwhile the mode may have changed */
        status = check_plane(kms, request, framebuffer);
    if (status)
        return status;
    kms_flip_end(kms, false);
    kms->x = request->src_x >> FIXED_POINT;
    kms->y = request->src_y >> FIXED_POINT;
    kms_show(kms, framebuffer);
    return 0;
}
