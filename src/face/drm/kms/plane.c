/* SPDX-License-Identifier: MIT */
/* The primary plane: drm_plane.c. */
#include <errno.h>

#include "face/drm/kms/kms.h"

/* ---- views ---- */

struct kms_view kms_view_of(uint32_t x, uint32_t y, const struct drm_mode_modeinfo *mode) {
    return (struct kms_view){.src_x = x << KMS_FIXED_POINT,
                             .src_y = y << KMS_FIXED_POINT,
                             .src_w = (uint32_t)mode->hdisplay << KMS_FIXED_POINT,
                             .src_h = (uint32_t)mode->vdisplay << KMS_FIXED_POINT,
                             .crtc_w = mode->hdisplay,
                             .crtc_h = mode->vdisplay};
}

const struct kms_view *kms_current_view(const struct kms *kms) {
    return kms->flip.framebuffer ? &kms->flip.view : &kms->view;
}

/* drm_framebuffer_check_src_coords() */
int kms_check_source(const struct kms_view *view, const struct kms_framebuffer *framebuffer) {
    uint64_t width = (uint64_t)framebuffer->width << KMS_FIXED_POINT;
    uint64_t height = (uint64_t)framebuffer->height << KMS_FIXED_POINT;
    bool inside = view->src_w <= width && view->src_x <= width - view->src_w && view->src_h <= height &&
                  view->src_y <= height - view->src_h;
    return inside ? 0 : -ENOSPC;
}

/* What is left of `count` pixels at `at` within 0 to `most`. */
struct span {
    int64_t begin, end;
};

static struct span span_clip(int64_t at, uint32_t count, uint32_t most) {
    struct span span = {at < 0 ? 0 : at, at + count};
    if (span.end > most)
        span.end = most;
    return span;
}

bool kms_view_origin(const struct kms_view *view, const struct drm_mode_modeinfo *mode, uint32_t *x, uint32_t *y) {
    const struct span across = span_clip(view->crtc_x, view->crtc_w, mode->hdisplay);
    const struct span down = span_clip(view->crtc_y, view->crtc_h, mode->vdisplay);
    *x = (view->src_x >> KMS_FIXED_POINT) + (uint32_t)(across.begin - view->crtc_x);
    *y = (view->src_y >> KMS_FIXED_POINT) + (uint32_t)(down.begin - view->crtc_y);
    return across.begin < across.end && down.begin < down.end;
}

/* Nothing is as large as anything (drm_rect.c, drm_rect_calc_hscale()). */
static bool is_scaled(uint32_t source, uint32_t pixels) {
    return pixels && source != (uint64_t)pixels << KMS_FIXED_POINT;
}

/* base507c_acquire(), drm_atomic_helper_check_plane_state(): what lies outside of the CRTC does not matter. */
int kms_check_plane(const struct kms_view *view, const struct drm_mode_modeinfo *mode) {
    uint32_t x, y;
    if (is_scaled(view->src_w, view->crtc_w) || is_scaled(view->src_h, view->crtc_h))
        return -ERANGE;
    if (!kms_view_origin(view, mode, &x, &y))
        return 0;
    const struct span across = span_clip(view->crtc_x, view->crtc_w, mode->hdisplay);
    const struct span down = span_clip(view->crtc_y, view->crtc_h, mode->vdisplay);
    bool covers = across.begin == 0 && across.end == mode->hdisplay && down.begin == 0 && down.end == mode->vdisplay;
    return covers ? 0 : -EINVAL;
}

/* ---- GETPLANERESOURCES, GETPLANE ---- */

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

/* ---- SETPLANE ---- */

static struct kms_view plane_view(const struct drm_mode_set_plane *request) {
    return (struct kms_view){.src_x = request->src_x,
                             .src_y = request->src_y,
                             .src_w = request->src_w,
                             .src_h = request->src_h,
                             .crtc_x = request->crtc_x,
                             .crtc_y = request->crtc_y,
                             .crtc_w = request->crtc_w,
                             .crtc_h = request->crtc_h};
}

/* It covers the screen, and is not scaled. */
static bool plane_covers(const struct drm_mode_set_plane *request, const struct drm_mode_modeinfo *mode) {
    return request->crtc_x == 0 && request->crtc_y == 0 && request->crtc_w == mode->hdisplay &&
           request->crtc_h == mode->vdisplay && request->src_w == request->crtc_w << KMS_FIXED_POINT &&
           request->src_h == request->crtc_h << KMS_FIXED_POINT;
}

static int check_plane(const struct kms *kms, const struct drm_mode_set_plane *request,
                       const struct kms_framebuffer *framebuffer) {
    if (!framebuffer || request->crtc_id != KMS_CRTC)
        return -ENOENT;
    if (request->crtc_w > INT32_MAX || request->crtc_x > INT32_MAX - (int32_t)request->crtc_w ||
        request->crtc_h > INT32_MAX || request->crtc_y > INT32_MAX - (int32_t)request->crtc_h)
        return -ERANGE;
    const struct kms_view view = plane_view(request);
    int status = kms_check_source(&view, framebuffer);
    if (status)
        return status;
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
    kms->view = plane_view(request);
    kms_show(kms, framebuffer);
    return 0;
}
