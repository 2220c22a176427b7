/* SPDX-License-Identifier: MIT */
/*
 * A commit: what the display is to become, put together from its present state and properties that a program sets,
 * checked as a whole, and then made true or thrown away. drm_atomic.c, drm_atomic_uapi.c, drm_atomic_helper.c.
 */
#ifndef PFIFO_SRC_FACE_DRM_KMS_COMMIT_H
#define PFIFO_SRC_FACE_DRM_KMS_COMMIT_H

#include "face/drm/kms/kms.h"

struct kms_commit {
    struct drm_file *file;
    bool allow_modeset, event; /* what the program wants */
    uint64_t user_data;
    uint64_t out_fence; /* address of OUT_FENCE_PTR; 0: none */

    bool crtc_named, plane_named; /* are part of it */
    bool modeset;                 /* found by the check: more changes than what the plane shows */

    /* The CRTC. */
    bool enable, active, vrr;
    struct drm_mode_modeinfo mode;
    uint32_t mode_blob; /* as kms.mode_blob */
    /* The connector. */
    bool connected; /* to the CRTC */
    /* The plane. */
    bool placed; /* on the CRTC */
    struct kms_framebuffer *framebuffer;
    struct kms_view view;
    struct drm_point *fence;
    bool fence_named;
};

/* The present state. */
void kms_commit_begin(struct kms_commit *commit, struct drm_file *file);
/* A property of the object (kms_property_of()). 0, or -errno. */
int kms_commit_set(struct kms_commit *commit, uint32_t object, uint32_t id, uint64_t value);
/* 0, or -errno. */
int kms_commit_check(struct kms_commit *commit);
/* One that was checked, since when nothing has changed. */
void kms_commit_apply(struct kms_commit *commit);
void kms_commit_end(struct kms_commit *commit);

/* One property that is valid, at once. */
int kms_commit_property(struct drm_file *file, uint32_t object, uint32_t property, uint64_t value);

#endif
