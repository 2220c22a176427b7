/* SPDX-License-Identifier: MIT */
/* The ioctl ATOMIC: drm_atomic_uapi.c, drm_mode_atomic_ioctl(). */
#include <errno.h>

#include "face/drm/kms/commit.h"
#include "face/drm/kms/property.h"
#include "face/drm/node/sync.h"

/* Properties and objects that a commit names; the kernel takes any number. */
#define NAMED_MOST 65536u

bool kms_has_atomic(const struct kms *kms) {
    return kms->device->config.atomic && kms_has_modifiers(kms); /* nv04_display_create(): from G80 on */
}

static int check_flags(const struct drm_file *file, const struct drm_mode_atomic *request) {
    if (!kms_has_atomic(file->device->kms))
        return -EOPNOTSUPP;
    if (!file->kms->atomic || (request->flags & ~(uint32_t)DRM_MODE_ATOMIC_FLAGS) || request->reserved ||
        (request->flags & DRM_MODE_PAGE_FLIP_ASYNC))
        return -EINVAL;
    bool both = (request->flags & DRM_MODE_ATOMIC_TEST_ONLY) && (request->flags & DRM_MODE_PAGE_FLIP_EVENT);
    return both ? -EINVAL : 0;
}

/* ---- the lists of the program ---- */

/* Where the lists go on. */
struct lists {
    uint64_t objects, counts, properties, values;
    uint32_t named; /* so far */
};

static bool take_32(struct drm_file *file, uint64_t *from, uint32_t *to) {
    bool good = kms_take(file, to, *from, sizeof *to);
    *from += sizeof *to;
    return good;
}

static int read_property(struct kms_commit *commit, struct lists *lists, uint32_t object) {
    struct drm_file *file = commit->file;
    uint32_t property;
    uint64_t value;
    if (!take_32(file, &lists->properties, &property))
        return -EFAULT;
    if (!kms_property_of(file->device->kms, object, property))
        return -ENOENT;
    if (!kms_take(file, &value, lists->values, sizeof value))
        return -EFAULT;
    lists->values += sizeof value;
    return kms_commit_set(commit, object, property, value);
}

static int read_object(struct kms_commit *commit, struct lists *lists) {
    uint32_t object, count;
    if (!take_32(commit->file, &lists->objects, &object))
        return -EFAULT;
    if (object != KMS_PLANE && object != KMS_CRTC && object != KMS_CONNECTOR)
        return -ENOENT; /* nor have framebuffers, encoders and blobs properties */
    if (!take_32(commit->file, &lists->counts, &count))
        return -EFAULT;
    int status = 0;
    for (uint32_t i = 0; i < count && status == 0; i++)
        status = lists->named++ < NAMED_MOST ? read_property(commit, lists, object) : -ENOMEM;
    return status;
}

static int read_lists(struct kms_commit *commit, const struct drm_mode_atomic *request) {
    struct lists lists = {.objects = request->objs_ptr,
                          .counts = request->count_props_ptr,
                          .properties = request->props_ptr,
                          .values = request->prop_values_ptr};
    int status = 0;
    for (uint32_t i = 0; i < request->count_objs && status == 0; i++)
        status = lists.named++ < NAMED_MOST ? read_object(commit, &lists) : -ENOMEM;
    return status;
}

/* ---- the commit ---- */

static int make(struct kms_commit *commit, struct drm_file *file, const struct drm_mode_atomic *request) {
    kms_commit_begin(commit, file);
    commit->allow_modeset = request->flags & DRM_MODE_ATOMIC_ALLOW_MODESET;
    commit->event = request->flags & DRM_MODE_PAGE_FLIP_EVENT;
    commit->user_data = request->user_data;
    int status = read_lists(commit, request);
    if (request->flags & DRM_MODE_ATOMIC_TEST_ONLY)
        commit->out_fence = 0;
    if (status == 0 && commit->event && !commit->crtc_named)
        status = -EINVAL; /* nobody would send it */
    return status ? status : kms_commit_check(commit);
}

/* The one before is over first, and what is to be shown is drawn. Meanwhile other calls come in: the state may be
 * another then, and the framebuffer removed. */
static int make_again(struct kms_commit *commit, struct drm_file *file, const struct drm_mode_atomic *request) {
    struct kms_framebuffer *shown =
        commit->framebuffer && commit->plane_named ? kms_framebuffer_ref(commit->framebuffer) : NULL;
    kms_flip_wait(file->device->kms);
    int status = shown ? kms_wait_for_drawing(shown) : 0;
    kms_framebuffer_unref(shown);
    kms_commit_end(commit);
    return status ? status : make(commit, file, request);
}

/*
 * It is made when it is signaled: so the call waits until it is, also one that should not. A program that takes the fence
 * for done too early (kmscube with zink) finds no flip under way then.
 */
static int give_out_fence(struct drm_file *file, uint64_t address) {
    if (!address)
        return 0;
    kms_flip_wait(file->device->kms);
    struct drm_point *done = drm_point_new_done();
    int32_t fd = done ? drm_sync_file_give(file->device, done, NULL) : -ENOMEM;
    if (fd < 0)
        return fd;
    return kms_give(file, address, &fd, sizeof fd) ? 0 : -EFAULT;
}

static int run(struct kms_commit *commit, struct drm_file *file, const struct drm_mode_atomic *request) {
    struct kms *kms = file->device->kms;
    bool blocks = !(request->flags & DRM_MODE_ATOMIC_NONBLOCK);
    int status = make(commit, file, request);
    if (status || (request->flags & DRM_MODE_ATOMIC_TEST_ONLY))
        return status;
    if (!blocks)
        status = commit->crtc_named && kms->flip.framebuffer ? -EBUSY : 0;
    else if (commit->crtc_named)
        status = make_again(commit, file, request);
    if (status)
        return status;
    kms_commit_apply(commit);
    if (blocks)
        kms_flip_wait(kms);
    return give_out_fence(file, commit->out_fence);
}

int kms_atomic(struct drm_file *file, void *data) {
    const struct drm_mode_atomic *request = data;
    struct kms_commit commit;
    int status = check_flags(file, request);
    if (status)
        return status;
    status = run(&commit, file, request);
    kms_commit_end(&commit);
    return status;
}
