/* SPDX-License-Identifier: MIT */
/* The ioctls of sync objects. Linux drivers/gpu/drm/drm_syncobj.c. */
#include <stdint.h>

#include <drm.h>
#include <assert.h>
#include <errno.h>
#include <stdlib.h>

#include "face/drm/node/sync.h"
#include "face/drm/node/uapi.h"
#include "face/drm/node/wait.h"

#define MOST_OBJECTS       (1u << 20)
#define SUBMIT_NANOSECONDS UINT64_C(5000000000) /* that TRANSFER waits for a point to come */

/* ---- handles ---- */

struct drm_syncobj *drm_file_syncobj(const struct drm_file *file, uint32_t handle) {
    return handle < file->syncobj_room ? file->syncobjs[handle] : NULL;
}

void drm_file_end_syncobjs(struct drm_file *file) {
    for (uint32_t handle = 0; handle < file->syncobj_room; handle++)
        drm_syncobj_unref(file->syncobjs[handle]);
    free(file->syncobjs);
    file->syncobjs = NULL;
    file->syncobj_room = 0;
}

/* The lowest that is free, from 1 on. Takes the reference. */
int drm_syncobj_enter(struct drm_file *file, struct drm_syncobj *object, uint32_t *handle) {
    uint32_t free_one = file->syncobj_free ? file->syncobj_free : 1;
    while (free_one < file->syncobj_room && file->syncobjs[free_one])
        free_one++;
    if (free_one >= file->syncobj_room) {
        uint32_t room = file->syncobj_room ? 2 * file->syncobj_room : 64;
        struct drm_syncobj **grown = room <= MOST_OBJECTS ? realloc(file->syncobjs, room * sizeof(void *)) : NULL;
        if (!grown) {
            drm_syncobj_unref(object);
            return -ENOMEM;
        }
        for (uint32_t i = file->syncobj_room; i < room; i++)
            grown[i] = NULL;
        file->syncobjs = grown;
        file->syncobj_room = room;
    }
    assert(!file->syncobjs[free_one] && object->references);
    file->syncobj_free = free_one + 1;
    file->syncobjs[free_one] = object;
    *handle = free_one;
    return 0;
}

static int syncobj_create(struct drm_file *file, void *data) {
    struct drm_syncobj_create *request = data;
    if (request->flags & ~(uint32_t)DRM_SYNCOBJ_CREATE_SIGNALED)
        return -EINVAL;
    struct drm_syncobj *object = calloc(1, sizeof *object);
    if (!object)
        return -ENOMEM;
    object->references = 1;
    if (request->flags & DRM_SYNCOBJ_CREATE_SIGNALED && !(object->last = drm_point_new_done())) {
        drm_syncobj_unref(object);
        return -ENOMEM;
    }
    return drm_syncobj_enter(file, object, &request->handle);
}

static int syncobj_destroy(struct drm_file *file, void *data) {
    const struct drm_syncobj_destroy *request = data;
    struct drm_syncobj *object = drm_file_syncobj(file, request->handle);
    if (request->pad || !object)
        return -EINVAL;
    file->syncobjs[request->handle] = NULL;
    if (request->handle < file->syncobj_free)
        file->syncobj_free = request->handle;
    drm_syncobj_unref(object);
    return 0;
}

/* ---- lists ---- */

struct object_list {
    struct drm_syncobj **objects; /* with references */
    uint64_t *numbers;
    uint32_t count;
};

static void syncobj_list_free(struct object_list *list) {
    for (uint32_t i = 0; i < list->count; i++)
        drm_syncobj_unref(list->objects[i]);
    free(list->objects);
    free(list->numbers);
}

static int find_objects(struct drm_file *file, const uint32_t *handles, uint32_t count, struct object_list *list) {
    list->objects = calloc(count, sizeof(void *));
    if (!list->objects)
        return -ENOMEM;
    for (uint32_t i = 0; i < count; i++) {
        struct drm_syncobj *object = drm_file_syncobj(file, handles[i]);
        if (!object)
            return -ENOENT;
        list->objects[list->count++] = drm_syncobj_ref(object);
    }
    return 0;
}

/* Without numbers all are 0, which stands for the last point. Free the list if this succeeds. */
static int syncobj_list_take(struct drm_file *file, uint64_t handles, uint64_t numbers, uint32_t count,
                             struct object_list *list) {
    void *read, *points = NULL;
    *list = (struct object_list){0};
    if (count == 0)
        return -EINVAL;
    int status = drm_list_fetch(file, handles, count, sizeof(uint32_t), &read);
    if (status == 0)
        status = find_objects(file, read, count, list);
    free(read);
    if (status == 0 && numbers)
        status = drm_list_fetch(file, numbers, count, sizeof(uint64_t), &points);
    list->numbers = points ? points : status == 0 ? calloc(count, sizeof(uint64_t)) : NULL;
    if (status == 0 && !list->numbers)
        status = -ENOMEM;
    if (status)
        syncobj_list_free(list);
    return status;
}

/* ---- waiting ---- */

struct list_wait {
    const struct object_list *list;
    struct entry {
        struct drm_point *point;
        bool found; /* NULL: and it is done */
    } * entries;
    uint32_t flags, first;
};

static bool entry_is_there(struct list_wait *wait, uint32_t i) {
    struct entry *entry = &wait->entries[i];
    if (!entry->found)
        entry->found = drm_syncobj_find(wait->list->objects[i], wait->list->numbers[i], &entry->point) == 0;
    return entry->found && (wait->flags & DRM_SYNCOBJ_WAIT_FLAGS_WAIT_AVAILABLE || drm_point_done(entry->point));
}

static bool list_is_busy(const void *what) {
    struct list_wait *wait = *(struct list_wait *const *)what;
    bool all = wait->flags & DRM_SYNCOBJ_WAIT_FLAGS_WAIT_ALL;
    uint32_t there = 0;
    for (uint32_t i = 0; i < wait->list->count; i++) {
        if (!entry_is_there(wait, i))
            continue;
        if (!there++ && (wait->first == UINT32_MAX || !all))
            wait->first = i;
        if (!all)
            return false;
    }
    return there < wait->list->count;
}

/* A wait for points that have not been submitted must be asked for. */
static int syncobj_check_submitted(struct list_wait *wait) {
    if (wait->flags & (DRM_SYNCOBJ_WAIT_FLAGS_WAIT_FOR_SUBMIT | DRM_SYNCOBJ_WAIT_FLAGS_WAIT_AVAILABLE))
        return 0;
    for (uint32_t i = 0; i < wait->list->count; i++) {
        entry_is_there(wait, i);
        if (!wait->entries[i].found)
            return -EINVAL;
    }
    return 0;
}

/* Until a time of CLOCK_MONOTONIC; 0 and what has passed: only ask. */
static uint64_t syncobj_left_until(const struct drm_config *config, int64_t time) {
    uint64_t now = time > 0 ? config->host->now(config->opaque) : 0;
    return time > 0 && (uint64_t)time > now ? (uint64_t)time - now : 0;
}

static int wait_for_list(struct drm_file *file, const struct object_list *list, int64_t time, uint32_t flags,
                         uint32_t *first) {
    struct drm_device *device = file->device;
    struct list_wait wait = {.list = list, .flags = flags, .first = UINT32_MAX}, *what = &wait;
    wait.entries = calloc(list->count, sizeof *wait.entries);
    if (!wait.entries)
        return -ENOMEM;
    int status = syncobj_check_submitted(&wait);
    const struct drm_wait on = {.device = device, .is_busy = list_is_busy, .what = &what, .interruptible = true};
    if (status == 0)
        status = drm_wait(&on, syncobj_left_until(&device->config, time));
    if (status == 0)
        *first = wait.first;
    for (uint32_t i = 0; i < list->count; i++)
        drm_point_unref(wait.entries[i].point);
    free(wait.entries);
    return status == -EBUSY ? -ETIME : status;
}

static int syncobj_wait(struct drm_file *file, void *data) {
    struct drm_syncobj_wait *request = data;
    struct object_list list;
    if (request->flags &
        ~(uint32_t)(DRM_SYNCOBJ_WAIT_FLAGS_WAIT_ALL | DRM_SYNCOBJ_WAIT_FLAGS_WAIT_FOR_SUBMIT | UAPI_WAIT_DEADLINE))
        return -EINVAL;
    if (request->count_handles == 0)
        return 0; /* from Linux 6.6 on; the other calls refuse it */
    int status = syncobj_list_take(file, request->handles, 0, request->count_handles, &list);
    if (status)
        return status;
    status = wait_for_list(file, &list, request->timeout_nsec, request->flags, &request->first_signaled);
    syncobj_list_free(&list);
    return status;
}

static int syncobj_timeline_wait(struct drm_file *file, void *data) {
    struct drm_syncobj_timeline_wait *request = data;
    struct object_list list;
    if (request->flags & ~(uint32_t)(DRM_SYNCOBJ_WAIT_FLAGS_WAIT_ALL | DRM_SYNCOBJ_WAIT_FLAGS_WAIT_FOR_SUBMIT |
                                     DRM_SYNCOBJ_WAIT_FLAGS_WAIT_AVAILABLE | UAPI_WAIT_DEADLINE))
        return -EINVAL;
    if (request->count_handles == 0)
        return 0;
    int status = syncobj_list_take(file, request->handles, request->points, request->count_handles, &list);
    if (status)
        return status;
    status = wait_for_list(file, &list, request->timeout_nsec, request->flags, &request->first_signaled);
    syncobj_list_free(&list);
    return status;
}

/* ---- by the program ---- */

static int syncobj_reset(struct drm_file *file, void *data) {
    const struct drm_syncobj_array *request = data;
    struct object_list list;
    int status = request->pad ? -EINVAL : syncobj_list_take(file, request->handles, 0, request->count_handles, &list);
    if (status)
        return status;
    for (uint32_t i = 0; i < list.count; i++)
        drm_syncobj_replace(list.objects[i], NULL);
    syncobj_list_free(&list);
    return 0;
}

/* In a line, or in the place of what there was. */
static int syncobj_signal_list(struct drm_device *device, struct object_list *list, bool in_line) {
    int status = 0;
    for (uint32_t i = 0; i < list->count && status == 0; i++) {
        struct drm_point *point = drm_point_new_done();
        if (!point)
            status = -ENOMEM;
        else if (in_line)
            drm_syncobj_add(device, list->objects[i], point, list->numbers[i]);
        else
            drm_syncobj_replace(list->objects[i], point);
    }
    syncobj_list_free(list);
    device->progress++;
    return status;
}

static int syncobj_signal(struct drm_file *file, void *data) {
    const struct drm_syncobj_array *request = data;
    struct object_list list;
    int status = request->pad ? -EINVAL : syncobj_list_take(file, request->handles, 0, request->count_handles, &list);
    return status ? status : syncobj_signal_list(file->device, &list, false);
}

static int syncobj_timeline_signal(struct drm_file *file, void *data) {
    const struct drm_syncobj_timeline_array *request = data;
    struct object_list list;
    int status = request->flags
                     ? -EINVAL
                     : syncobj_list_take(file, request->handles, request->points, request->count_handles, &list);
    return status ? status : syncobj_signal_list(file->device, &list, true);
}

static int syncobj_query(struct drm_file *file, void *data) {
    const struct drm_syncobj_timeline_array *request = data;
    const struct drm_config *config = &file->device->config;
    struct object_list list;
    if (request->flags & ~(uint32_t)DRM_SYNCOBJ_QUERY_FLAGS_LAST_SUBMITTED)
        return -EINVAL;
    int status = syncobj_list_take(file, request->handles, 0, request->count_handles, &list);
    if (status)
        return status;
    for (uint32_t i = 0; i < list.count; i++)
        list.numbers[i] = drm_syncobj_number(list.objects[i], request->flags & DRM_SYNCOBJ_QUERY_FLAGS_LAST_SUBMITTED);
    if (!config->host->write(config->opaque, request->points, list.numbers, list.count * sizeof list.numbers[0]))
        status = -EFAULT;
    syncobj_list_free(&list);
    return status;
}

/* ---- TRANSFER ---- */

/*
 * A binary object has what was found, and so its number, too; a timeline gets a point of its own
 * (drm_syncobj_transfer_to_binary(), drm_syncobj_transfer_to_timeline()). NULL: it is done.
 */
static int syncobj_put(struct drm_file *file, struct drm_syncobj *to, uint64_t number, struct drm_point *found) {
    struct drm_point *point = number ? drm_point_merged(found) : found ? drm_point_ref(found) : drm_point_new_done();
    if (!point)
        return -ENOMEM;
    if (number)
        drm_syncobj_add(file->device, to, point, number);
    else
        drm_syncobj_replace(to, point);
    file->device->progress++;
    return 0;
}

struct coming {
    struct drm_syncobj *object;
    uint64_t number;
};

static bool has_not_come(const void *what) {
    const struct coming *coming = what;
    struct drm_point *point = NULL;
    bool come = drm_syncobj_find(coming->object, coming->number, &point) == 0;
    drm_point_unref(point);
    return !come;
}

static int syncobj_wait_to_come(struct drm_device *device, const struct coming *coming) {
    const struct drm_wait on = {.device = device, .is_busy = has_not_come, .what = coming, .interruptible = true};
    int status = drm_wait(&on, SUBMIT_NANOSECONDS);
    return status == -EBUSY ? -ETIME : status;
}

static int syncobj_transfer(struct drm_file *file, void *data) {
    const struct drm_syncobj_transfer *request = data;
    struct drm_syncobj *from = drm_file_syncobj(file, request->src_handle),
                       *to = drm_file_syncobj(file, request->dst_handle);
    if (request->pad)
        return -EINVAL;
    if (!from || !to)
        return -ENOENT;
    if (request->flags & ~(uint32_t)DRM_SYNCOBJ_WAIT_FLAGS_WAIT_FOR_SUBMIT)
        return -EINVAL; /* drm_syncobj_find_fence() */
    drm_syncobj_ref(from);
    drm_syncobj_ref(to);
    struct drm_point *point = NULL;
    const struct coming coming = {from, request->src_point};
    int status =
        request->flags & DRM_SYNCOBJ_WAIT_FLAGS_WAIT_FOR_SUBMIT ? syncobj_wait_to_come(file->device, &coming) : 0;
    if (status == 0)
        status = drm_syncobj_find(from, request->src_point, &point);
    if (status == 0)
        status = syncobj_put(file, to, request->dst_point, point);
    drm_point_unref(point);
    drm_syncobj_unref(from);
    drm_syncobj_unref(to);
    return status;
}

#define ROW(number, structure, function)                                                                               \
    { number, sizeof(structure), DRM_IOCTL_RENDER_ALLOWED, #function, function }

const struct drm_ioctl drm_syncobj_ioctls[] = {
    ROW(0xbf, struct drm_syncobj_create, syncobj_create),
    ROW(0xc0, struct drm_syncobj_destroy, syncobj_destroy),
    ROW(0xc3, struct drm_syncobj_wait, syncobj_wait),
    ROW(0xc4, struct drm_syncobj_array, syncobj_reset),
    ROW(0xc5, struct drm_syncobj_array, syncobj_signal),
    ROW(0xca, struct drm_syncobj_timeline_wait, syncobj_timeline_wait),
    ROW(0xcb, struct drm_syncobj_timeline_array, syncobj_query),
    ROW(0xcc, struct drm_syncobj_transfer, syncobj_transfer),
    ROW(0xcd, struct drm_syncobj_timeline_array, syncobj_timeline_signal),
    {0},
};
