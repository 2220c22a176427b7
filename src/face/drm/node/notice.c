/* SPDX-License-Identifier: MIT */
/*
 * SYNCOBJ_EVENTFD: a program's eventfd is told when a point is done, or has come. Linux drivers/gpu/drm/drm_syncobj.c.
 *
 *   object, number --> the point, when there is one: from then on the object may go --> told, once
 */
#include <stdint.h>

#include <drm.h>
#include <assert.h>
#include <errno.h>
#include <stdlib.h>

#include "face/drm/node/sync.h"
#include "face/drm/node/uapi.h"

#define MOST_NOTICES 4096u /* of a device: the kernel has no limit but memory */

struct drm_notice {
    struct drm_notice *next;
    struct drm_syncobj *object; /* without a reference. NULL: the point has come */
    struct drm_point *point;    /* NULL as well: it is done */
    uint64_t number;
    bool available; /* tell when it has come */
    int event;      /* the host's */
};

static void notice_end(struct drm_device *device, struct drm_notice *notice, bool tell) {
    const struct drm_config *config = &device->config;
    assert(device->notice_count);
    device->notice_count--;
    config->host->end_event(config->opaque, notice->event, tell);
    drm_point_unref(notice->point);
    free(notice);
}

/* Has its time come? What was found stays found, whatever becomes of the object. */
static bool notice_is_due(struct drm_notice *notice) {
    if (notice->object) {
        if (drm_syncobj_find(notice->object, notice->number, &notice->point) != 0)
            return false;
        notice->object = NULL;
    }
    return notice->available || drm_point_done(notice->point);
}

void drm_notices_look(struct drm_device *device) {
    for (struct drm_notice **at = &device->notices; *at;) {
        struct drm_notice *notice = *at;
        if (!notice_is_due(notice)) {
            at = &notice->next;
            continue;
        }
        *at = notice->next;
        notice_end(device, notice, true);
    }
    assert(device->notices || device->notice_count == 0);
}

void drm_notices_forget(const struct drm_syncobj *object) {
    struct drm_device *device = object->noticed;
    for (struct drm_notice **at = device ? &device->notices : NULL; at && *at;) {
        struct drm_notice *notice = *at;
        if (notice->object != object) {
            at = &notice->next;
            continue;
        }
        *at = notice->next;
        notice_end(device, notice, false);
    }
}

void drm_notices_free(struct drm_device *device) {
    while (device->notices) {
        struct drm_notice *notice = device->notices;
        device->notices = notice->next;
        notice_end(device, notice, false);
    }
}

/* Takes the host's descriptor. */
static int notice_add(struct drm_device *device, struct drm_syncobj *object, const struct uapi_syncobj_eventfd *request,
                      int event) {
    const struct drm_config *config = &device->config;
    struct drm_notice *notice =
        device->notice_count < MOST_NOTICES ? (struct drm_notice *)calloc(1, sizeof *notice) : NULL;
    if (!notice) {
        config->host->end_event(config->opaque, event, false);
        return -ENOMEM;
    }
    *notice = (struct drm_notice){.next = device->notices,
                                  .object = object,
                                  .number = request->point,
                                  .available = request->flags & DRM_SYNCOBJ_WAIT_FLAGS_WAIT_AVAILABLE,
                                  .event = event};
    device->notices = notice;
    device->notice_count++;
    object->noticed = device;
    return 0;
}

/* What is due at once is told when the call ends: drm_file_ioctl(). */
static int syncobj_eventfd(struct drm_file *file, void *data) {
    const struct uapi_syncobj_eventfd *request = data;
    const struct drm_config *config = &file->device->config;
    if (request->pad || request->flags & ~(uint32_t)DRM_SYNCOBJ_WAIT_FLAGS_WAIT_AVAILABLE)
        return -EINVAL;
    struct drm_syncobj *object = drm_file_syncobj(file, request->handle);
    if (!object)
        return -ENOENT;
    int event = config->host->hold_event(config->opaque, request->fd);
    return event < 0 ? event : notice_add(file->device, object, request, event);
}

const struct drm_ioctl drm_syncobj_notices[] = {
    {0xcf, sizeof(struct uapi_syncobj_eventfd), DRM_IOCTL_RENDER_ALLOWED, "syncobj_eventfd", syncobj_eventfd},
    {0},
};
