/* SPDX-License-Identifier: MIT */
/*
 * What submissions, binds and the program itself wait for, and what they signal. A replay does not need it: nobody waits
 * for what is submitted later. It tells why.
 */
#include <stdint.h>

#include <drm.h>
#include <stdlib.h>

#include "face/drm/node/uapi.h"
#include "face/drm/record/client.h"

#define MOST_SYNCS 4096u /* of a list; others are not recorded */

static void add_sync(struct item *item, uint32_t object, uint64_t point, enum pfifo_stream_sync_how how) {
    const struct pfifo_stream_record record = {.type = PFIFO_STREAM_SYNC,
                                               .sync = {.object = object, .how = how, .point = point}};
    item_add(item, &record, NULL, 0);
}

void syncs_add(const struct record_client *client, struct item *item, uint64_t from, uint32_t count,
               enum pfifo_stream_sync_how how) {
    struct uapi_sync *list =
        count && count <= MOST_SYNCS ? client_read_list(client, from, count, sizeof(struct uapi_sync)) : NULL;
    for (uint32_t i = 0; list && i < count; i++) {
        bool in_line = (list[i].flags & UAPI_SYNC_TYPE) == UAPI_SYNC_TIMELINE;
        add_sync(item, list[i].handle, in_line ? list[i].point : 0, how);
    }
    free(list);
}

/* ---- what the program does ---- */

struct sync_list {
    uint64_t handles, points; /* 0: binary */
    uint32_t count;
    uint32_t only; /* of them; UINT32_MAX: all */
};

static void record_syncs(struct record_client *client, const struct sync_list *list, enum pfifo_stream_sync_how how) {
    if (!client->has_space || !list->count || list->count > MOST_SYNCS)
        return;
    uint32_t *handles = client_read_list(client, list->handles, list->count, sizeof *handles);
    uint64_t *points = list->points ? client_read_list(client, list->points, list->count, sizeof *points) : NULL;
    struct item *item = handles ? queue_add(&client->queue) : NULL;
    for (uint32_t i = 0; item && i < list->count; i++)
        if (list->only == UINT32_MAX || list->only == i)
            add_sync(item, handles[i], points ? points[i] : 0, how);
    if (item)
        queue_ready(&client->queue, item);
    free(points);
    free(handles);
}

void syncs_wait(struct record_client *client, const void *data) {
    const struct drm_syncobj_wait *request = data;
    const struct sync_list list = {.handles = request->handles,
                                   .count = request->count_handles,
                                   .only = request->flags & DRM_SYNCOBJ_WAIT_FLAGS_WAIT_ALL ? UINT32_MAX
                                                                                            : request->first_signaled};
    record_syncs(client, &list, PFIFO_STREAM_SYNC_CPU_WAIT);
}

/* A point that is only submitted has not been waited for. */
void syncs_timeline_wait(struct record_client *client, const void *data) {
    const struct drm_syncobj_timeline_wait *request = data;
    const struct sync_list list = {.handles = request->handles,
                                   .points = request->points,
                                   .count = request->count_handles,
                                   .only = request->flags & DRM_SYNCOBJ_WAIT_FLAGS_WAIT_ALL ? UINT32_MAX
                                                                                            : request->first_signaled};
    if (!(request->flags & DRM_SYNCOBJ_WAIT_FLAGS_WAIT_AVAILABLE))
        record_syncs(client, &list, PFIFO_STREAM_SYNC_CPU_WAIT);
}

void syncs_reset(struct record_client *client, const void *data) {
    const struct drm_syncobj_array *request = data;
    const struct sync_list list = {.handles = request->handles, .count = request->count_handles, .only = UINT32_MAX};
    record_syncs(client, &list, PFIFO_STREAM_SYNC_CPU_RESET);
}

void syncs_signal(struct record_client *client, const void *data) {
    const struct drm_syncobj_array *request = data;
    const struct sync_list list = {.handles = request->handles, .count = request->count_handles, .only = UINT32_MAX};
    record_syncs(client, &list, PFIFO_STREAM_SYNC_CPU_SIGNAL);
}

void syncs_timeline_signal(struct record_client *client, const void *data) {
    const struct drm_syncobj_timeline_array *request = data;
    const struct sync_list list = {
        .handles = request->handles, .points = request->points, .count = request->count_handles, .only = UINT32_MAX};
    record_syncs(client, &list, PFIFO_STREAM_SYNC_CPU_SIGNAL);
}
