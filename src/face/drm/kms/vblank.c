/* SPDX-License-Identifier: MIT */
/* Vertical blanks, those who wait for them, and events: drm_vblank.c. */
#include <errno.h>
#include <stdlib.h>

#include "face/drm/kms/kms.h"

#define SECOND      UINT64_C(1000000000)
#define PATIENCE    (3 * SECOND)        /* of WAIT_VBLANK */
#define FAR_FRAMES  (UINT64_C(1) << 32) /* beyond that the time of a frame does not matter */
#define EVENTS_MOST 128u                /* the kernel keeps 4096 bytes for a file (drm_file.c) */
#define TYPES       (uint32_t)(_DRM_VBLANK_TYPES_MASK | _DRM_VBLANK_FLAGS_MASK | _DRM_VBLANK_HIGH_CRTC_MASK)

/* ---- frames ---- */

static uint64_t vblank_now(const struct kms *kms) {
    return kms->device->config.host->now(kms->device->config.opaque);
}

uint64_t kms_frame(const struct kms *kms) {
    return kms_is_virtual(kms) ? kms->frames : (vblank_now(kms) - kms->origin) / kms->period;
}

uint64_t kms_frame_time(const struct kms *kms, uint64_t frame) {
    uint64_t last = kms_frame(kms);
    if (frame > last && frame - last > FAR_FRAMES)
        frame = last + FAR_FRAMES;
    return kms->origin + frame * kms->period;
}

/* Numbers wrap: a half of them is before, the other after. */
bool kms_frame_passed(const struct kms *kms, uint64_t frame) {
    return kms_frame(kms) - frame <= INT64_MAX;
}

void kms_advance(struct kms *kms, uint64_t frame) {
    if (kms_is_virtual(kms) && !kms_frame_passed(kms, frame))
        kms->frames = frame;
}

/* ---- events ---- */

static void send_vblank(struct kms *kms, const struct kms_waiter *waiter, uint64_t frame) {
    uint64_t time = kms_frame_time(kms, frame);
    const struct drm_event_vblank event = {.base = {.type = waiter->type, .length = sizeof event},
                                           .user_data = waiter->user_data,
                                           .tv_sec = (uint32_t)(time / SECOND),
                                           .tv_usec = (uint32_t)(time % SECOND / 1000),
                                           .sequence = (uint32_t)frame,
                                           .crtc_id = KMS_CRTC};
    kms->device->config.host->event(kms->device->config.opaque, waiter->file, &event, sizeof event);
}

static void send_sequence(struct kms *kms, const struct kms_waiter *waiter, uint64_t frame) {
    const struct drm_event_crtc_sequence event = {.base = {.type = waiter->type, .length = sizeof event},
                                                  .user_data = waiter->user_data,
                                                  .time_ns = (int64_t)kms_frame_time(kms, frame),
                                                  .sequence = frame};
    kms->device->config.host->event(kms->device->config.opaque, waiter->file, &event, sizeof event);
}

void kms_send(struct kms *kms, const struct kms_waiter *waiter, uint64_t frame) {
    if (waiter->type == DRM_EVENT_CRTC_SEQUENCE)
        send_sequence(kms, waiter, frame);
    else
        send_vblank(kms, waiter, frame);
}

int kms_wait_for(struct kms *kms, const struct kms_waiter *waiter) {
    kms_advance(kms, waiter->frame);
    if (kms_frame_passed(kms, waiter->frame)) {
        kms_send(kms, waiter, kms_frame(kms));
        return 0;
    }
    struct kms_waiter **end = &kms->waiters;
    unsigned theirs = 0;
    for (; *end; end = &(*end)->next)
        theirs += (*end)->file == waiter->file;
    *end = theirs < EVENTS_MOST ? (struct kms_waiter *)malloc(sizeof **end) : NULL;
    if (!*end)
        return -ENOMEM;
    **end = *waiter;
    (*end)->next = NULL;
    return 0;
}

void kms_wake(struct kms *kms, bool all) {
    for (struct kms_waiter **at = &kms->waiters; *at;) {
        struct kms_waiter *waiter = *at;
        if (!all && !kms_frame_passed(kms, waiter->frame)) {
            at = &waiter->next;
            continue;
        }
        *at = waiter->next;
        kms_send(kms, waiter, kms_frame(kms));
        free(waiter);
    }
}

void kms_forget_events(struct kms *kms, const struct drm_file *file) {
    if (kms->flip.file == file)
        kms->flip.file = NULL;
    for (struct kms_waiter **at = &kms->waiters; *at;) {
        struct kms_waiter *waiter = *at;
        if (waiter->file == file) {
            *at = waiter->next;
            free(waiter);
        } else {
            at = &waiter->next;
        }
    }
}

/* ---- WAIT_VBLANK ---- */

static void vblank_reply(const struct kms *kms, union drm_wait_vblank *request, enum drm_vblank_seq_type type) {
    uint64_t frame = kms_frame(kms), time = kms_frame_time(kms, frame);
    request->reply.type = type;
    request->reply.sequence = (uint32_t)frame;
    request->reply.tval_sec = (long)(time / SECOND);
    request->reply.tval_usec = (long)(time % SECOND / 1000);
}

/* The number that is meant: 32 bits of it are given, or how far it is. False: neither. */
static bool find_frame(const struct kms *kms, const struct drm_wait_vblank_request *request, uint64_t *frame) {
    uint64_t last = kms_frame(kms);
    switch (request->type & _DRM_VBLANK_TYPES_MASK) {
    case _DRM_VBLANK_RELATIVE:
        *frame = last + request->sequence;
        break;
    case _DRM_VBLANK_ABSOLUTE:
        *frame = last + (uint64_t)(int64_t)(int32_t)(request->sequence - (uint32_t)last);
        break;
    default:
        return false;
    }
    if ((request->type & _DRM_VBLANK_NEXTONMISS) && kms_frame_passed(kms, *frame))
        *frame = last + 1;
    return true;
}

/* Until the frame, or until there are no more. Other calls come in between. */
static int wait_for_frame(struct kms *kms, uint64_t frame) {
    const struct drm_config *config = &kms->device->config;
    uint64_t begin = vblank_now(kms);
    kms_advance(kms, frame);
    while (kms_is_active(kms) && !kms_frame_passed(kms, frame)) {
        uint64_t at = vblank_now(kms), due = kms_frame_time(kms, frame);
        if (at - begin >= PATIENCE)
            return -EBUSY;
        uint64_t left = PATIENCE - (at - begin), wait = due > at ? due - at : 1;
        if (!config->host->wait(config->opaque, wait < left ? wait : left))
            return -EINTR;
    }
    return 0;
}

static int check_type(uint32_t type) {
    uint32_t pipe = (type & _DRM_VBLANK_HIGH_CRTC_MASK) >> _DRM_VBLANK_HIGH_CRTC_SHIFT;
    if (pipe == 0)
        pipe = !!(type & _DRM_VBLANK_SECONDARY);
    return (type & _DRM_VBLANK_SIGNAL) || (type & ~TYPES) || pipe ? -EINVAL : 0;
}

int kms_wait_vblank(struct drm_file *file, void *data) {
    union drm_wait_vblank *request = data;
    struct kms *kms = file->device->kms;
    enum drm_vblank_seq_type type = request->request.type;
    uint64_t frame;
    int status = check_type(type);
    if (status || !kms_is_active(kms) || !find_frame(kms, &request->request, &frame))
        return -EINVAL;
    if (type & _DRM_VBLANK_EVENT) {
        const struct kms_waiter waiter = {
            .file = file, .type = DRM_EVENT_VBLANK, .user_data = request->request.signal, .frame = frame};
        status = kms_wait_for(kms, &waiter);
        request->reply.sequence = (uint32_t)(kms_frame_passed(kms, frame) ? kms_frame(kms) : frame);
        return status;
    }
    status = wait_for_frame(kms, frame);
    if (status != -EINTR)
        vblank_reply(kms, request, type & ~(uint32_t)(_DRM_VBLANK_RELATIVE | _DRM_VBLANK_NEXTONMISS));
    return status;
}

/* ---- CRTC_GET_SEQUENCE, CRTC_QUEUE_SEQUENCE ---- */

int kms_get_sequence(struct drm_file *file, void *data) {
    struct drm_crtc_get_sequence *request = data;
    const struct kms *kms = file->device->kms;
    if (request->crtc_id != KMS_CRTC)
        return -ENOENT;
    if (!kms_is_active(kms))
        return -EINVAL;
    request->active = 1;
    request->sequence = kms_frame(kms);
    request->sequence_ns = (int64_t)kms_frame_time(kms, request->sequence);
    return 0;
}

int kms_queue_sequence(struct drm_file *file, void *data) {
    struct drm_crtc_queue_sequence *request = data;
    struct kms *kms = file->device->kms;
    if (request->crtc_id != KMS_CRTC)
        return -ENOENT;
    if ((request->flags & ~(DRM_CRTC_SEQUENCE_RELATIVE | DRM_CRTC_SEQUENCE_NEXT_ON_MISS)) || !kms_is_active(kms))
        return -EINVAL;
    uint64_t last = kms_frame(kms), frame = request->sequence;
    if (request->flags & DRM_CRTC_SEQUENCE_RELATIVE)
        frame += last;
    if ((request->flags & DRM_CRTC_SEQUENCE_NEXT_ON_MISS) && kms_frame_passed(kms, frame))
        frame = last + 1;
    const struct kms_waiter waiter = {
        .file = file, .type = DRM_EVENT_CRTC_SEQUENCE, .user_data = request->user_data, .frame = frame};
    int status = kms_wait_for(kms, &waiter);
    request->sequence = kms_frame_passed(kms, frame) ? kms_frame(kms) : frame;
    return status;
}
