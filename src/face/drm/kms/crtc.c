/* SPDX-License-Identifier: MIT */
/* The CRTC, its gamma table and cursor: drm_crtc.c, drm_color_mgmt.c, drm_plane.c. */
#include <errno.h>
#include <string.h>

#include "chip/chip.h"
#include "face/drm/kms/kms.h"

#define WAIT_NANOSECONDS UINT64_C(30000000000) /* as nouveau waits for a buffer */
#define SAME_FRAMEBUFFER UINT32_MAX

/* ---- the screen ---- */

int kms_check_view(const struct kms_framebuffer *framebuffer, uint32_t x, uint32_t y,
                   const struct drm_mode_modeinfo *mode) {
    bool fits = mode->hdisplay <= framebuffer->width && x <= framebuffer->width - mode->hdisplay &&
                mode->vdisplay <= framebuffer->height && y <= framebuffer->height - mode->vdisplay;
    return fits ? 0 : -ENOSPC;
}

static void crtc_tell(const struct kms *kms, uint32_t framebuffer) {
    const struct drm_device *device = kms->device;
    if (kms_is_active(kms) && device->flip)
        device->flip(device->flip_opaque, framebuffer);
}

/* The screen goes dark, if it is not. */
static void tell_dark(const struct kms *kms) {
    if (kms->screen && !kms_is_console(kms->screen))
        crtc_tell(kms, 0);
}

void kms_show(struct kms *kms, struct kms_framebuffer *framebuffer) {
    struct kms_framebuffer *before = kms->screen;
    if (kms_is_console(framebuffer))
        tell_dark(kms);
    kms->screen = kms_framebuffer_ref(framebuffer);
    kms_framebuffer_unref(before);
    if (kms_is_console(framebuffer))
        return;
    kms->device->frames++;
    crtc_tell(kms, framebuffer->id);
}

struct kms_framebuffer *kms_current(const struct kms *kms) {
    return kms->flip.framebuffer ? kms->flip.framebuffer : kms->screen;
}

void kms_turn_plane_off(struct kms *kms) {
    kms_flip_end(kms, false);
    tell_dark(kms);
    struct kms_framebuffer *before = kms->screen;
    kms->screen = NULL;
    kms_framebuffer_unref(before);
}

void kms_turn_off(struct kms *kms) {
    kms_turn_plane_off(kms);
    kms_wake(kms, true);
    kms->on = kms->bound = false;
    kms_use_mode_blob(kms, 0);
}

/* What is there is shown, then, if its drawing hangs. */
int kms_wait_for_drawing(struct kms_framebuffer *framebuffer) {
    if (kms_is_console(framebuffer))
        return 0;
    kms_framebuffer_ref(framebuffer);
    int status = drm_buffer_wait(framebuffer->buffer, false, WAIT_NANOSECONDS);
    if (status == -EBUSY)
        status = 0;
    if (framebuffer->id == 0)
        status = -ENOENT;
    kms_framebuffer_unref(framebuffer);
    return status;
}

/* ---- asleep ---- */

bool kms_is_active(const struct kms *kms) {
    return kms->on && kms->dpms == DRM_MODE_DPMS_ON;
}

/* Without vertical blanks nobody waits for them. */
static void fall_asleep(struct kms *kms) {
    kms_flip_end(kms, true);
    kms_wake(kms, true);
    tell_dark(kms);
}

/* There are two states, whatever a program says (drm_atomic_uapi.c, drm_atomic_connector_commit_dpms()). */
int kms_set_dpms(struct kms *kms, uint64_t dpms) {
    bool sleeps = dpms != DRM_MODE_DPMS_ON, slept = kms->dpms != DRM_MODE_DPMS_ON;
    if (sleeps == slept)
        return 0;
    int status = !sleeps && kms->on && kms->screen ? kms_check_plane(&kms->view, &kms->mode) : 0;
    if (status)
        return status;
    if (sleeps)
        fall_asleep(kms);
    kms->dpms = sleeps ? DRM_MODE_DPMS_OFF : DRM_MODE_DPMS_ON;
    if (!sleeps && kms->screen)
        kms_show(kms, kms->screen);
    return 0;
}

/* ---- SETCRTC, GETCRTC ---- */

int kms_get_crtc(struct drm_file *file, void *data) {
    struct drm_mode_crtc *crtc = data;
    const struct kms *kms = file->device->kms;
    if (crtc->crtc_id != KMS_CRTC)
        return -ENOENT;
    crtc->gamma_size = KMS_GAMMA_SIZE;
    crtc->fb_id = kms_current(kms) ? kms_current(kms)->id : 0;
    crtc->x = kms_current_view(kms)->src_x >> KMS_FIXED_POINT;
    crtc->y = kms_current_view(kms)->src_y >> KMS_FIXED_POINT;
    crtc->mode_valid = kms->on;
    if (kms->on)
        crtc->mode = kms->mode;
    return 0;
}

/* Each entry of the list must be the one connector. */
static int check_connectors(struct drm_file *file, const struct drm_mode_crtc *request) {
    uint32_t id;
    if (request->count_connectors == 0)
        return request->mode_valid ? -EINVAL : 0;
    if (!request->mode_valid || request->count_connectors > 1)
        return -EINVAL;
    if (!kms_take(file, &id, request->set_connectors_ptr, sizeof id))
        return -EFAULT;
    return id == KMS_CONNECTOR ? 0 : -ENOENT;
}

static int check_mode(const struct kms *kms, const struct drm_mode_crtc *request,
                      const struct kms_framebuffer *framebuffer) {
    const struct drm_mode_modeinfo *mode = &request->mode;
    if (mode->clock > INT32_MAX || mode->vrefresh > INT32_MAX)
        return -ERANGE;
    if (!kms_mode_valid(mode) || mode->hdisplay > kms->most_pixels || mode->vdisplay > kms->most_pixels)
        return -EINVAL;
    return kms_check_view(framebuffer, request->x, request->y, mode);
}

/* A mode that stays the same keeps its blob. */
static void set_mode(struct kms *kms, const struct drm_mode_modeinfo *mode) {
    const struct drm_mode_modeinfo set = kms_mode_clean(mode);
    if (!kms->on || memcmp(&kms->mode, &set, sizeof set) != 0)
        kms_use_mode_blob(kms, 0);
    kms->mode = set;
}

static void turn_on(struct kms *kms, const struct drm_mode_crtc *request, struct kms_framebuffer *framebuffer) {
    kms_flip_end(kms, false);
    if (kms_is_console(framebuffer)) /* the last picture is of the mode before */
        kms_turn_plane_off(kms);
    set_mode(kms, &request->mode);
    kms->on = kms->bound = true;
    kms->dpms = DRM_MODE_DPMS_ON;
    kms->view = kms_view_of(request->x, request->y, &kms->mode);
    kms_show(kms, framebuffer);
}

int kms_set_crtc(struct drm_file *file, void *data) {
    const struct drm_mode_crtc *request = data;
    struct kms *kms = file->device->kms;
    struct kms_framebuffer *framebuffer = NULL;
    int status = 0;
    if ((request->x | request->y) & 0xffff0000)
        return -ERANGE;
    if (request->crtc_id != KMS_CRTC)
        return -ENOENT;
    if (request->mode_valid) {
        bool same = request->fb_id == SAME_FRAMEBUFFER;
        framebuffer = same ? kms_current(kms) : kms_framebuffer_find(kms, request->fb_id);
        if (!framebuffer)
            return same ? -EINVAL : -ENOENT;
        status = check_mode(kms, request, framebuffer);
    }
    if (status == 0)
        status = check_connectors(file, request);
    if (status == 0 && framebuffer)
        status = kms_wait_for_drawing(framebuffer);
    if (status)
        return status;
    if (framebuffer)
        turn_on(kms, request, framebuffer);
    else
        kms_turn_off(kms);
    return 0;
}

/* ---- gamma ---- */

int kms_get_gamma(struct drm_file *file, void *data) {
    const struct drm_mode_crtc_lut *request = data;
    const struct kms *kms = file->device->kms;
    const uint64_t to[] = {request->red, request->green, request->blue};
    if (request->crtc_id != KMS_CRTC)
        return -ENOENT;
    if (request->gamma_size != KMS_GAMMA_SIZE)
        return -EINVAL;
    for (unsigned i = 0; i < 3; i++)
        if (!kms_give(file, to[i], kms->gamma[i], sizeof kms->gamma[i]))
            return -EFAULT;
    return 0;
}

int kms_set_gamma(struct drm_file *file, void *data) {
    const struct drm_mode_crtc_lut *request = data;
    struct kms *kms = file->device->kms;
    const uint64_t from[] = {request->red, request->green, request->blue};
    uint16_t gamma[3][KMS_GAMMA_SIZE];
    if (request->crtc_id != KMS_CRTC)
        return -ENOENT;
    if (request->gamma_size != KMS_GAMMA_SIZE)
        return -EINVAL;
    for (unsigned i = 0; i < 3; i++)
        if (!kms_take(file, gamma[i], from[i], sizeof gamma[i]))
            return -EFAULT;
    memcpy(kms->gamma, gamma, sizeof gamma);
    return 0;
}

/* ---- the cursor ---- */

/* dispnv04/crtc.c; dispnv50/{curs507a,head507d,head917d}.c */
static bool takes_size(const struct pfifo_chip *chip, uint32_t width, uint32_t height) {
    static const struct size_row {
        const char *chips;
        uint32_t sizes; /* powers of two */
    } rows[] = {{"NV40:G80", 64}, {"G80:GK104", 32 | 64}, {"GK104-", 32 | 64 | 128 | 256}};
    const struct size_row *row = CHIP_ROW(chip, rows);
    return width == height && width && !(width & (width - 1)) && (row->sizes & width);
}

static int set_cursor_buffer(struct drm_file *file, const struct drm_mode_cursor2 *request) {
    struct kms_cursor *cursor = &file->device->kms->cursor;
    struct drm_buffer *buffer = NULL, *before = cursor->buffer;
    if (request->handle) {
        if (!takes_size(file->device->config.chip, request->width, request->height))
            return -EINVAL;
        buffer = drm_file_buffer(file, request->handle);
        if (!buffer)
            return -ENOENT;
        if (buffer->bytes < (uint64_t)request->width * request->height * 4)
            return -ERANGE;
        drm_buffer_ref(buffer);
    }
    cursor->buffer = buffer;
    cursor->width = request->width;
    cursor->height = request->height;
    drm_buffer_unref(before);
    return 0;
}

/* Of CURSOR, too: its structure is the beginning of this one. */
int kms_set_cursor(struct drm_file *file, void *data) {
    const struct drm_mode_cursor2 *request = data;
    struct kms_cursor *cursor = &file->device->kms->cursor;
    if (!request->flags || (request->flags & ~(uint32_t)DRM_MODE_CURSOR_FLAGS))
        return -EINVAL;
    if (request->crtc_id != KMS_CRTC)
        return -ENOENT;
    int status = request->flags & DRM_MODE_CURSOR_BO ? set_cursor_buffer(file, request) : 0;
    if (status == 0 && (request->flags & DRM_MODE_CURSOR_MOVE)) {
        cursor->x = request->x;
        cursor->y = request->y;
    }
    return status;
}
