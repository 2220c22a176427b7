/* SPDX-License-Identifier: MIT */
#include "face/drm/node/sync.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <unistd.h>

#include "face/drm/node/share.h"
#include "face/drm/node/synclink.h"
#include "face/drm/node/uapi.h"

/* ---- fences ---- */

struct drm_fence *drm_fence_new(bool done) {
    struct drm_fence *fence = calloc(1, sizeof *fence);
    if (fence) {
        fence->references = 1;
        fence->done = done;
        fence->file = -1;
    }
    return fence;
}

struct drm_fence *drm_fence_ref(struct drm_fence *fence) {
    assert(fence->references);
    fence->references++;
    return fence;
}

struct drm_fence *drm_fence_of_file(int file) {
    struct drm_fence *fence = drm_fence_new(false);
    if (fence)
        fence->file = file;
    else
        close(file);
    return fence;
}

struct drm_fence *drm_fence_of_locks(int locks, uint64_t time, bool writes) {
    struct drm_fence *fence = drm_fence_new(!drm_locks_busy(locks, time, writes));
    if (!fence || fence->done)
        return fence;
    fence->file = fcntl(locks, F_DUPFD_CLOEXEC, locks);
    fence->done = fence->file < 0;
    fence->time = time;
    fence->writes = writes;
    assert(time);
    return fence;
}

void drm_fence_unref(struct drm_fence *fence) {
    assert(!fence || fence->references);
    if (!fence || --fence->references)
        return;
    if (fence->file >= 0)
        close(fence->file);
    drm_sync_link_unref(fence->link);
    free(fence);
}

/* A sync file can be read, or its maker has gone. */
static bool fence_is_told(int file) {
    struct pollfd at = {.fd = file, .events = POLLIN};
    return poll(&at, 1, 0) != 0;
}

static bool fence_slot_done(struct drm_fence *fence) {
    if (!drm_link_slot_done(fence->link, &fence->slot))
        return false;
    drm_sync_link_unref(fence->link);
    fence->link = NULL;
    return true;
}

static bool fence_others_done(struct drm_fence *fence) {
    if (fence->time ? drm_locks_busy(fence->file, fence->time, fence->writes) : !fence_is_told(fence->file))
        return false;
    close(fence->file);
    fence->file = -1;
    return true;
}

/* Once done, it is not asked for again: the channel may go. */
bool drm_fence_done(struct drm_fence *fence) {
    if (!fence->done && fence->begun)
        fence->done = pfifo_fence_done(&fence->machine);
    if (!fence->done && fence->file >= 0)
        fence->done = fence_others_done(fence);
    if (!fence->done && fence->link)
        fence->done = fence_slot_done(fence);
    assert(!fence->done || fence->file < 0);
    return fence->done;
}

/* ---- points ---- */

struct drm_point *drm_point_with_room(uint32_t fences) {
    struct drm_point *point = calloc(1, sizeof *point + fences * sizeof(void *));
    if (point)
        point->references = 1;
    return point;
}

struct drm_point *drm_point_new(void) {
    return drm_point_with_room(1);
}

struct drm_point *drm_point_new_done(void) {
    struct drm_point *point = drm_point_new();
    struct drm_fence *fence = drm_fence_new(true);
    if (point && fence) {
        point->fences[point->fence_count++] = fence;
        return point;
    }
    drm_fence_unref(fence);
    drm_point_unref(point);
    return NULL;
}

struct drm_point *drm_point_ref(struct drm_point *point) {
    assert(!point || point->references);
    if (point)
        point->references++;
    return point;
}

/* A timeline may be long: no recursion. */
void drm_point_unref(struct drm_point *point) {
    while (point && --point->references == 0) {
        struct drm_point *previous = point->previous;
        for (uint32_t i = 0; i < point->fence_count; i++)
            drm_fence_unref(point->fences[i]);
        free(point);
        point = previous;
    }
}

static bool fences_done(struct drm_point *point) {
    for (uint32_t i = 0; i < point->fence_count; i++)
        if (!drm_fence_done(point->fences[i]))
            return false;
    return true;
}

/* The point before; those that are done are taken out (dma_fence_chain_walk()). */
static struct drm_point *sync_step_back(struct drm_point *point) {
    while (point->previous && fences_done(point->previous)) { // NOLINT(clang-analyzer-unix.Malloc): it has a reference
        struct drm_point *done = point->previous;
        point->previous = drm_point_ref(done->previous);
        drm_point_unref(done);
    }
    return point->previous;
}

bool drm_point_done(struct drm_point *point) {
    for (; point; point = sync_step_back(point))
        if (!fences_done(point))
            return false;
    return true;
}

uint32_t drm_point_open(struct drm_point *point) {
    uint32_t count = 0;
    for (; point; point = sync_step_back(point))
        for (uint32_t i = 0; i < point->fence_count; i++)
            count += !drm_fence_done(point->fences[i]);
    return count;
}

static bool sync_has_fence(const struct drm_point *point, const struct drm_fence *fence) {
    for (uint32_t i = 0; i < point->fence_count; i++)
        if (point->fences[i] == fence)
            return true;
    return false;
}

void drm_point_take_open(struct drm_point *to, struct drm_point *point) {
    for (; point; point = sync_step_back(point))
        for (uint32_t i = 0; i < point->fence_count; i++)
            if (!drm_fence_done(point->fences[i]) && !sync_has_fence(to, point->fences[i]))
                to->fences[to->fence_count++] = drm_fence_ref(point->fences[i]);
}

/* At least one, so that one that is done can be put into it. */
struct drm_point *drm_point_merged(struct drm_point *point) {
    struct drm_point *merged = drm_point_with_room(drm_point_open(point) + 1);
    if (merged)
        drm_point_take_open(merged, point);
    return merged;
}

/* ---- objects ---- */

struct drm_syncobj *drm_syncobj_ref(struct drm_syncobj *object) {
    assert(object->references);
    object->references++;
    return object;
}

void drm_syncobj_unref(struct drm_syncobj *object) {
    assert(!object || object->references);
    if (!object || --object->references)
        return;
    assert(!object->next);
    drm_notices_forget(object);
    drm_sync_link_unref(object->link);
    drm_point_unref(object->last);
    free(object);
}

void drm_syncobj_replace(struct drm_syncobj *object, struct drm_point *point) {
    drm_point_unref(object->last);
    object->last = point;
    drm_sync_link_push(object, true);
}

/* dma_fence_chain_init(): a number that is not above the last one begins another line. */
void drm_syncobj_add(struct drm_device *device, struct drm_syncobj *object, struct drm_point *point, uint64_t number) {
    drm_sync_link_pull(object);
    struct drm_point *last = object->last;
    bool follows = last && last->in_line && number > last->number;
    assert(!point->previous);
    point->in_line = true;
    point->line = follows ? last->line : ++device->lines;
    point->before = follows ? last->number : 0;
    point->number = last && last->in_line && !follows ? last->number : number;
    point->previous = last;
    object->last = point;
    sync_step_back(point);
    drm_sync_link_push(object, false);
}

/* dma_fence_chain_find_seqno(): the first point that is not below the number. */
int drm_syncobj_find(struct drm_syncobj *object, uint64_t number, struct drm_point **found) {
    drm_sync_link_pull(object);
    struct drm_point *last = object->last, *point = last;
    if (!last || (number && (!last->in_line || last->number < number)))
        return -EINVAL;
    while (number && point && point->in_line && point->line == last->line && point->before >= number)
        point = sync_step_back(point);
    *found = drm_point_ref(point);
    return 0;
}

uint64_t drm_syncobj_number(struct drm_syncobj *object, bool submitted) {
    drm_sync_link_pull(object);
    struct drm_point *last = object->last, *first = last;
    if (!last || !last->in_line)
        return 0;
    if (submitted)
        return last->number;
    for (struct drm_point *point = last; point && point->in_line && point->line == last->line;
         point = sync_step_back(point))
        first = point;
    return drm_point_done(first) ? first->number : first->before;
}

/* ---- lists of a program ---- */

int drm_list_fetch(struct drm_file *file, uint64_t from, uint64_t count, size_t bytes, void **list) {
    const struct drm_config *config = &file->device->config;
    *list = NULL;
    if (count == 0)
        return 0;
    if (count > DRM_MOST_LIST_BYTES / bytes)
        return -ENOMEM;
    *list = malloc((size_t)count * bytes);
    if (!*list)
        return -ENOMEM;
    if (config->host->read(config->opaque, *list, from, (size_t)count * bytes))
        return 0;
    free(*list);
    *list = NULL;
    return -EFAULT;
}

void drm_waits_free(struct drm_point **waits, uint32_t count) {
    assert(waits || !count);
    for (uint32_t i = 0; waits && i < count; i++)
        drm_point_unref(waits[i]);
    free(waits);
}

void drm_syncs_free(struct drm_syncs *syncs) {
    drm_waits_free(syncs->waits, syncs->wait_count);
    for (uint32_t i = 0; i < syncs->signal_count; i++) {
        drm_syncobj_unref(syncs->signals[i].object);
        drm_point_unref(syncs->signals[i].point);
    }
    free(syncs->signals);
    *syncs = (struct drm_syncs){0};
}

static int take_wait(struct drm_file *file, const struct uapi_sync *sync, struct drm_syncs *syncs) {
    uint32_t type = sync->flags & UAPI_SYNC_TYPE;
    if (type != UAPI_SYNC_BINARY && type != UAPI_SYNC_TIMELINE)
        return -EOPNOTSUPP;
    struct drm_syncobj *object = drm_file_syncobj(file, sync->handle);
    if (!object)
        return -ENOENT;
    struct drm_point **wait = &syncs->waits[syncs->wait_count];
    int status = drm_syncobj_find(object, type == UAPI_SYNC_TIMELINE ? sync->point : 0, wait);
    if (status == 0)
        syncs->wait_count++;
    return status;
}

static int take_signal(struct drm_file *file, const struct uapi_sync *sync, struct drm_syncs *syncs) {
    uint32_t type = sync->flags & UAPI_SYNC_TYPE;
    if (type != UAPI_SYNC_BINARY && type != UAPI_SYNC_TIMELINE)
        return -EINVAL;
    struct drm_syncobj *object = drm_file_syncobj(file, sync->handle);
    if (!object)
        return -ENOENT;
    struct drm_point *point = drm_point_new();
    if (!point)
        return -ENOMEM;
    syncs->signals[syncs->signal_count++] =
        (struct drm_signal){drm_syncobj_ref(object), point, type == UAPI_SYNC_TIMELINE, sync->point};
    return 0;
}

int drm_sync_lists_fetch(struct drm_file *file, uint64_t waits, uint64_t signals, struct drm_sync_lists *lists) {
    void *first, *second;
    int status = drm_list_fetch(file, waits, lists->wait_count, sizeof(struct uapi_sync), &first);
    if (status)
        return status;
    status = drm_list_fetch(file, signals, lists->signal_count, sizeof(struct uapi_sync), &second);
    if (status) {
        free(first);
        return status;
    }
    lists->waits = first;
    lists->signals = second;
    return 0;
}

void drm_sync_lists_free(struct drm_sync_lists *lists) {
    free(lists->waits);
    free(lists->signals);
    *lists = (struct drm_sync_lists){0};
}

int drm_syncs_take(struct drm_file *file, const struct drm_sync_lists *lists, struct drm_syncs *syncs) {
    *syncs = (struct drm_syncs){.waits = calloc(lists->wait_count + 1, sizeof(struct drm_point *)),
                                .signals = calloc(lists->signal_count + 1, sizeof *syncs->signals)};
    int status = syncs->waits && syncs->signals ? 0 : -ENOMEM;
    assert((lists->waits || !lists->wait_count) && (lists->signals || !lists->signal_count));
    for (uint32_t i = 0; i < lists->wait_count && lists->waits && status == 0; i++)
        status = take_wait(file, &lists->waits[i], syncs);
    for (uint32_t i = 0; i < lists->signal_count && lists->signals && status == 0; i++)
        status = take_signal(file, &lists->signals[i], syncs);
    assert(status || (syncs->wait_count == lists->wait_count && syncs->signal_count == lists->signal_count));
    if (status)
        drm_syncs_free(syncs);
    return status;
}

void drm_syncs_attach(struct drm_device *device, struct drm_syncs *syncs, struct drm_fence *fence) {
    for (uint32_t i = 0; i < syncs->signal_count; i++) {
        struct drm_signal *signal = &syncs->signals[i];
        assert(signal->point->fence_count == 0 && !signal->point->in_line);
        signal->point->fences[signal->point->fence_count++] = drm_fence_ref(fence);
        if (signal->in_line)
            drm_syncobj_add(device, signal->object, signal->point, signal->number);
        else
            drm_syncobj_replace(signal->object, signal->point);
        signal->point = NULL;
    }
    device->progress++;
}
