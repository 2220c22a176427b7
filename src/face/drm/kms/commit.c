/* SPDX-License-Identifier: MIT */
#include "face/drm/kms/commit.h"

#include <assert.h>
#include <errno.h>
#include <string.h>

#include "face/drm/kms/property.h"
#include "face/drm/node/sync.h"

static struct kms *kms_of(const struct kms_commit *commit) {
    return commit->file->device->kms;
}

void kms_commit_begin(struct kms_commit *commit, struct drm_file *file) {
    const struct kms *kms = file->device->kms;
    *commit = (struct kms_commit){.file = file,
                                  .enable = kms->on,
                                  .active = kms_is_active(kms),
                                  .vrr = kms->vrr,
                                  .mode_blob = kms->mode_blob,
                                  .connected = kms->bound,
                                  .placed = kms_current(kms) != NULL,
                                  .framebuffer = kms_current(kms),
                                  .view = *kms_current_view(kms)};
    if (kms->on)
        commit->mode = kms->mode;
}

void kms_commit_end(struct kms_commit *commit) {
    drm_point_unref(commit->fence);
    commit->fence = NULL;
}

/* ---- properties ---- */

/* drm_atomic_set_mode_prop_for_crtc(). The blob is there: kms_property_takes() has seen to that. */
static int set_mode(struct kms_commit *commit, uint64_t id) {
    struct kms *kms = kms_of(commit);
    uint8_t own[KMS_BLOB_MOST];
    uint32_t bytes = 0, present = commit->mode_blob ? commit->mode_blob : KMS_BLOB_MODE;
    if (commit->enable && id == present)
        return 0;
    commit->enable = false;
    commit->mode = (struct drm_mode_modeinfo){0};
    commit->mode_blob = 0;
    const void *data = id ? kms_blob_data(kms, (uint32_t)id, &bytes, own) : NULL;
    if (!data)
        return 0;
    if (bytes != sizeof commit->mode)
        return -EINVAL;
    memcpy(&commit->mode, data, sizeof commit->mode);
    commit->mode = kms_mode_clean(&commit->mode);
    if (commit->mode.clock > INT32_MAX || commit->mode.vrefresh > INT32_MAX || !kms_mode_valid(&commit->mode))
        return -EINVAL;
    commit->enable = true;
    commit->mode_blob = id == KMS_BLOB_MODE ? 0 : (uint32_t)id;
    return 0;
}

/* The program learns at once that there is no fence; when there is one, it is told again. */
static int set_out_fence(struct kms_commit *commit, uint64_t address) {
    const int32_t none = -1;
    if (!address)
        return 0;
    if (!kms_give(commit->file, address, &none, sizeof none))
        return -EFAULT;
    commit->out_fence = address;
    return 0;
}

static int set_of_crtc(struct kms_commit *commit, uint32_t property, uint64_t value) {
    commit->crtc_named = true;
    switch (property) {
    case KMS_PROPERTY_MODE_ID:
        return set_mode(commit, value);
    case KMS_PROPERTY_ACTIVE:
        commit->active = value;
        return 0;
    case KMS_PROPERTY_VRR_ENABLED:
        commit->vrr = value;
        return 0;
    default:
        return set_out_fence(commit, value);
    }
}

static int set_of_connector(struct kms_commit *commit, uint32_t property, uint64_t value) {
    if (commit->connected)
        commit->crtc_named = true;
    switch (property) {
    case KMS_PROPERTY_CRTC_ID:
        if (value)
            commit->crtc_named = true;
        commit->connected = value;
        return 0;
    case KMS_PROPERTY_DPMS:
        return -EINVAL;
    default:
        return 0; /* the link's status is good, whatever a program says */
    }
}

static int set_in_fence(struct kms_commit *commit, int64_t fd) {
    if (commit->fence_named)
        return -EINVAL;
    if (fd == -1)
        return 0;
    int status = drm_sync_file_take(commit->file->device, (int)fd, &commit->fence);
    commit->fence_named = status == 0;
    return status == -EBADF ? -EINVAL : status;
}

static void set_number(struct kms_view *view, uint32_t property, uint64_t value) {
    uint32_t *const numbers[] = {&view->crtc_w, &view->crtc_h, &view->src_x, &view->src_y, &view->src_w, &view->src_h};
    assert(property >= KMS_PROPERTY_CRTC_W && property <= KMS_PROPERTY_SRC_H);
    *numbers[property - KMS_PROPERTY_CRTC_W] = (uint32_t)value;
}

static int set_of_plane(struct kms_commit *commit, uint32_t property, uint64_t value) {
    commit->plane_named = true;
    if (commit->placed)
        commit->crtc_named = true;
    switch (property) {
    case KMS_PROPERTY_FB_ID:
        commit->framebuffer = value ? kms_framebuffer_find(kms_of(commit), (uint32_t)value) : NULL;
        return 0;
    case KMS_PROPERTY_CRTC_ID:
        if (value)
            commit->crtc_named = true;
        commit->placed = value;
        return 0;
    case KMS_PROPERTY_IN_FENCE_FD:
        return set_in_fence(commit, (int64_t)value);
    case KMS_PROPERTY_CRTC_X:
        commit->view.crtc_x = (int32_t)(int64_t)value;
        return 0;
    case KMS_PROPERTY_CRTC_Y:
        commit->view.crtc_y = (int32_t)(int64_t)value;
        return 0;
    default:
        set_number(&commit->view, property, value);
        return 0;
    }
}

int kms_commit_set(struct kms_commit *commit, uint32_t object, uint32_t id, uint64_t value) {
    struct kms *kms = kms_of(commit);
    const struct kms_property *property = kms_property_of(kms, object, id);
    if (!property)
        return -ENOENT;
    if (!kms_property_takes(kms, property, value))
        return -EINVAL;
    if (object == KMS_PLANE)
        return set_of_plane(commit, id, value);
    return object == KMS_CRTC ? set_of_crtc(commit, id, value) : set_of_connector(commit, id, value);
}

/* ---- checks ---- */

/* drm_atomic_plane_check() */
static int check_plane(const struct kms_commit *commit) {
    const struct kms_view *view = &commit->view;
    if (commit->placed != (commit->framebuffer != NULL))
        return -EINVAL;
    if (!commit->placed)
        return 0;
    if (view->crtc_x > INT32_MAX - (int32_t)view->crtc_w || view->crtc_y > INT32_MAX - (int32_t)view->crtc_h)
        return -ERANGE;
    return kms_check_source(view, commit->framebuffer);
}

/* drm_mode_equal() */
static bool same_mode(const struct drm_mode_modeinfo *a, const struct drm_mode_modeinfo *b) {
    return a->clock == b->clock && a->hdisplay == b->hdisplay && a->hsync_start == b->hsync_start &&
           a->hsync_end == b->hsync_end && a->htotal == b->htotal && a->hskew == b->hskew &&
           a->vdisplay == b->vdisplay && a->vsync_start == b->vsync_start && a->vsync_end == b->vsync_end &&
           a->vtotal == b->vtotal && a->vscan == b->vscan && a->flags == b->flags;
}

/* drm_atomic_crtc_check(), drm_atomic_helper_check_modeset() */
static int check_crtc(struct kms_commit *commit) {
    const struct kms *kms = kms_of(commit);
    bool was_active = kms_is_active(kms);
    if (commit->active && !commit->enable)
        return -EINVAL;
    if ((commit->event || commit->out_fence) && !commit->active && !was_active)
        return -EINVAL;
    commit->modeset = commit->enable != kms->on || commit->active != was_active || commit->connected != kms->bound ||
                      (commit->enable && !same_mode(&commit->mode, &kms->mode));
    return commit->enable == commit->connected ? 0 : -EINVAL;
}

int kms_commit_check(struct kms_commit *commit) {
    int status = commit->plane_named ? check_plane(commit) : 0;
    if (status == 0 && commit->crtc_named)
        status = check_crtc(commit);
    if (status)
        return status;
    if ((commit->plane_named || commit->modeset) && commit->placed && commit->active)
        status = kms_check_plane(&commit->view, &commit->mode);
    if (status)
        return status;
    return commit->modeset && !commit->allow_modeset ? -EINVAL : 0;
}

/* ---- what it does ---- */

/* The screen is dark until the plane shows something again. */
static void apply_mode(const struct kms_commit *commit) {
    struct kms *kms = kms_of(commit);
    kms_turn_plane_off(kms);
    if (!commit->active)
        kms_wake(kms, true);
    kms->on = commit->enable;
    kms->bound = commit->connected;
    kms->mode = commit->mode;
    kms->dpms = commit->active ? DRM_MODE_DPMS_ON : DRM_MODE_DPMS_OFF;
}

/* With the next blank; at once, if the CRTC is off. */
static void send_event(const struct kms_commit *commit) {
    struct kms *kms = kms_of(commit);
    const struct kms_waiter waiter = {.file = commit->file,
                                      .type = DRM_EVENT_FLIP_COMPLETE,
                                      .user_data = commit->user_data,
                                      .frame = kms_frame(kms) + 1};
    if (!kms_is_active(kms) || kms_wait_for(kms, &waiter) != 0)
        kms_send(kms, &waiter, kms_frame(kms));
}

static void begin_flip(struct kms_commit *commit) {
    const struct kms_flip flip = {.framebuffer = commit->framebuffer,
                                  .view = commit->view,
                                  .fence = commit->fence,
                                  .file = commit->event ? commit->file : NULL,
                                  .user_data = commit->user_data};
    commit->fence = NULL;
    kms_flip_end(kms_of(commit), false);
    kms_flip_begin(kms_of(commit), &flip);
}

/* True: a flip has begun. Else what it shows is what it has shown before: nothing, or, behind a CRTC that is off, what
 * will be shown. */
static bool apply_plane(struct kms_commit *commit) {
    struct kms *kms = kms_of(commit);
    bool same = commit->framebuffer == kms_current(kms) &&
                memcmp(&commit->view, kms_current_view(kms), sizeof commit->view) == 0;
    if (commit->placed && commit->active && (!same || commit->modeset)) {
        begin_flip(commit);
        return true;
    }
    if (!same) {
        kms_turn_plane_off(kms);
        kms->view = commit->view;
        if (commit->placed)
            kms->screen = kms_framebuffer_ref(commit->framebuffer);
    }
    return false;
}

void kms_commit_apply(struct kms_commit *commit) {
    struct kms *kms = kms_of(commit);
    if (commit->modeset)
        apply_mode(commit);
    kms_use_mode_blob(kms, commit->mode_blob);
    kms->vrr = commit->vrr;
    if (!apply_plane(commit) && commit->event)
        send_event(commit);
}

int kms_commit_property(struct drm_file *file, uint32_t object, uint32_t property, uint64_t value) {
    struct kms_commit commit;
    kms_commit_begin(&commit, file);
    commit.allow_modeset = true;
    int status = kms_commit_set(&commit, object, property, value);
    if (status == 0)
        status = kms_commit_check(&commit);
    if (status == 0)
        kms_commit_apply(&commit);
    kms_commit_end(&commit);
    return status;
}
