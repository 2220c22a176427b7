/* SPDX-License-Identifier: MIT */
/*
 * Sync files. Linux drivers/dma-buf/sync_file.c.
 *
 *   program's end of a socket pair, with a name --> poll() says when the point is done, in whatever process
 *   our end: a byte is written, and it is closed, when the point is done, or because this process has ended
 *
 * A file of this process stands for its point; one of another is a fence that is done when poll() says so.
 * UNKNOWN: how many fences SYNC_IOC_FILE_INFO tells of a file of another process; chosen: one, of the scheduler.
 */
#include <stdint.h>

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/sync_file.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "face/drm/node/share.h"
#include "face/drm/node/sync.h"
#include "face/drm/node/uapi.h"

#define NAME       "pfifo-sync-file:" /* of the abstract address of the socket; 16 random digits follow */
#define MOST_FILES 4096u              /* of a device, that are not done */
#define TRIES      4

struct drm_sync_file {
    struct drm_sync_file *next;
    int peer;
    dev_t dev;
    ino_t ino; /* of the program's end */
    struct drm_point *point;
    char name[32]; /* by SYNC_IOC_MERGE; empty: none */
};

/* ---- making ---- */

static bool syncfile_set_name(int fd) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    uint64_t random;
    for (unsigned i = 0; i < TRIES; i++) {
        if (getrandom(&random, sizeof random, 0) != (ssize_t)sizeof random)
            return false;
        int length =
            snprintf(address.sun_path + 1, sizeof address.sun_path - 1, NAME "%016llx", (unsigned long long)random);
        const socklen_t bytes = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + (size_t)length);
        if (bind(fd, (const struct sockaddr *)&address, bytes) == 0)
            return true;
        if (errno != EADDRINUSE)
            return false;
    }
    return false;
}

static void syncfile_free(struct drm_device *device, struct drm_sync_file *file, bool tell) {
    const char done = 1;
    if (tell && send(file->peer, &done, 1, MSG_NOSIGNAL | MSG_DONTWAIT) != 1)
        errno = 0; /* nobody has it */
    assert(device->sync_file_count);
    device->sync_file_count--;
    close(file->peer);
    drm_point_unref(file->point);
    free(file);
}

static int syncfile_make_pair(struct drm_sync_file *file) {
    int ends[2];
    struct stat as;
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
        return -errno;
    if (!syncfile_set_name(ends[0]) || fstat(ends[0], &as) != 0) {
        close(ends[0]);
        close(ends[1]);
        return -ENOMEM;
    }
    file->dev = as.st_dev;
    file->ino = as.st_ino;
    file->peer = drm_out_of_way(ends[1]);
    return drm_out_of_way(ends[0]);
}

int drm_sync_file_new(struct drm_device *device, struct drm_point *point, const char *name) {
    struct drm_sync_file *file =
        device->sync_file_count < MOST_FILES ? (struct drm_sync_file *)calloc(1, sizeof *file) : NULL;
    int fd = file ? syncfile_make_pair(file) : -ENOMEM;
    if (fd < 0) {
        free(file);
        drm_point_unref(point);
        return fd;
    }
    assert(point);
    file->point = point;
    if (name)
        snprintf(file->name, sizeof file->name, "%s", name);
    file->next = device->sync_files;
    device->sync_files = file;
    device->sync_file_count++;
    drm_sync_files_look(device);
    return fd;
}

/* ---- time goes on ---- */

static bool syncfile_is_wanted(const struct drm_sync_file *file) {
    struct pollfd at = {.fd = file->peer, .events = POLLIN};
    return poll(&at, 1, 0) != 1 || !(at.revents & (POLLHUP | POLLERR | POLLNVAL));
}

void drm_sync_files_look(struct drm_device *device) {
    for (struct drm_sync_file **at = &device->sync_files; *at;) {
        struct drm_sync_file *file = *at;
        bool done = drm_point_done(file->point);
        if (!done && syncfile_is_wanted(file)) {
            at = &file->next;
            continue;
        }
        *at = file->next;
        syncfile_free(device, file, done);
    }
}

void drm_sync_files_free(struct drm_device *device) {
    while (device->sync_files) {
        struct drm_sync_file *file = device->sync_files;
        device->sync_files = file->next;
        syncfile_free(device, file, true);
    }
    assert(device->sync_file_count == 0);
}

void drm_sync_files_abandon(struct drm_device *device) {
    for (const struct drm_sync_file *file = device->sync_files; file; file = file->next)
        close(file->peer);
}

/* ---- what a descriptor stands for ---- */

bool drm_is_sync_file(int fd) {
    struct sockaddr_un address = {0};
    socklen_t bytes = sizeof address;
    return getsockname(fd, (struct sockaddr *)&address, &bytes) == 0 && address.sun_family == AF_UNIX &&
           bytes > offsetof(struct sockaddr_un, sun_path) + sizeof NAME && address.sun_path[0] == '\0' &&
           memcmp(address.sun_path + 1, NAME, sizeof NAME - 1) == 0;
}

static struct drm_sync_file *syncfile_find(struct drm_device *device, int fd) {
    struct stat as;
    struct drm_sync_file *file = fstat(fd, &as) == 0 ? device->sync_files : NULL;
    while (file && !(file->ino == as.st_ino && file->dev == as.st_dev))
        file = file->next;
    return file;
}

static struct drm_point *syncfile_point_of_others(struct drm_device *device, int fd) {
    struct drm_point *point = drm_point_new();
    struct drm_fence *fence = point ? drm_fence_of_file(fd) : NULL;
    if (!point)
        close(fd);
    if (!fence) {
        drm_point_unref(point);
        return NULL;
    }
    device->peers = true;
    point->fences[point->fence_count++] = fence;
    return point;
}

int drm_sync_file_point(struct drm_device *device, int fd, struct drm_point **point) {
    bool is_one = drm_is_sync_file(fd);
    const struct drm_sync_file *file = is_one ? syncfile_find(device, fd) : NULL;
    if (!is_one || file) {
        close(fd);
        *point = file ? drm_point_ref(file->point) : NULL;
        return file ? 0 : -EINVAL;
    }
    *point = syncfile_point_of_others(device, fd);
    return *point ? 0 : -ENOMEM;
}

/* Nobody else has it then. */
int drm_sync_file_give(struct drm_device *device, struct drm_point *point, const char *name) {
    const struct drm_config *config = &device->config;
    int file = drm_sync_file_new(device, point, name);
    int fd = file < 0 ? file : config->host->give(config->opaque, file, O_CLOEXEC);
    if (file >= 0)
        close(file);
    return fd;
}

/* ---- ioctls ---- */

int drm_sync_file_take(struct drm_device *device, int fd, struct drm_point **point) {
    const struct drm_config *config = &device->config;
    int own = config->host->take(config->opaque, fd);
    return own < 0 ? own : drm_sync_file_point(device, own, point);
}

static int syncfile_merge_points(struct drm_device *device, struct drm_point *one, struct drm_point *other,
                                 const char *name) {
    struct drm_point *merged = drm_point_with_room(drm_point_open(one) + drm_point_open(other) + 1);
    if (!merged)
        return -ENOMEM;
    drm_point_take_open(merged, one);
    drm_point_take_open(merged, other);
    return drm_sync_file_give(device, merged, name);
}

static int syncfile_merge(struct drm_device *device, struct drm_point *point, uint64_t argument) {
    const struct drm_config *config = &device->config;
    struct sync_merge_data data;
    struct drm_point *other;
    if (!config->host->read(config->opaque, &data, argument, sizeof data))
        return -EFAULT;
    if (data.flags || data.pad)
        return -EINVAL;
    if (drm_sync_file_take(device, data.fd2, &other) != 0)
        return -ENOENT;
    data.name[sizeof data.name - 1] = '\0';
    data.fence = syncfile_merge_points(device, point, other, data.name);
    drm_point_unref(other);
    if (data.fence < 0)
        return data.fence;
    return config->host->write(config->opaque, argument, &data, sizeof data) ? 0 : -EFAULT;
}

/* As fences of the kernel's scheduler, or its stub, that is always done. */
static void syncfile_describe(struct sync_fence_info *info, bool done, uint64_t now) {
    memset(info, 0, sizeof *info);
    snprintf(info->obj_name, sizeof info->obj_name, "%s", done ? "stub" : "nouveau_sched");
    snprintf(info->driver_name, sizeof info->driver_name, "%s", done ? "stub" : "drm_sched");
    info->status = done;
    info->timestamp_ns = done ? now : 0;
}

static int syncfile_write_fences(const struct drm_config *config, const struct sync_file_info *info, uint32_t count,
                                 bool done) {
    struct sync_fence_info fence;
    syncfile_describe(&fence, done, config->host->now(config->opaque));
    for (uint32_t i = 0; i < count; i++)
        if (!config->host->write(config->opaque, info->sync_fence_info + i * sizeof fence, &fence, sizeof fence))
            return -EFAULT;
    return 0;
}

static int syncfile_info(struct drm_device *device, struct drm_point *point, const char *name, uint64_t argument) {
    const struct drm_config *config = &device->config;
    struct sync_file_info info;
    if (!config->host->read(config->opaque, &info, argument, sizeof info))
        return -EFAULT;
    if (info.flags || info.pad)
        return -EINVAL;
    uint32_t open = drm_point_open(point), count = open ? open : 1;
    if (info.num_fences && info.num_fences < count)
        return -EINVAL;
    info.status = open == 0;
    int status = info.num_fences ? syncfile_write_fences(config, &info, count, open == 0) : 0;
    if (status)
        return status;
    info.num_fences = count;
    if (name[0])
        snprintf(info.name, sizeof info.name, "%s", name);
    else
        snprintf(info.name, sizeof info.name, "%s", open ? "drm_sched-nouveau_sched1-1" : "stub-stub0-0");
    return config->host->write(config->opaque, argument, &info, sizeof info) ? 0 : -EFAULT;
}

/* A hint, of use to nobody here. */
static int syncfile_set_deadline(const struct drm_config *config, uint64_t argument) {
    struct {
        uint64_t deadline, pad;
    } data;
    if (!config->host->read(config->opaque, &data, argument, sizeof data))
        return -EFAULT;
    return data.pad ? -EINVAL : 0;
}

static int syncfile_call(struct drm_device *device, struct drm_point *point, const char *name, unsigned long request,
                         uint64_t argument) {
    switch (request) {
    case SYNC_IOC_MERGE:
        return syncfile_merge(device, point, argument);
    case SYNC_IOC_FILE_INFO:
        return syncfile_info(device, point, name, argument);
    case UAPI_SYNC_SET_DEADLINE:
        return syncfile_set_deadline(&device->config, argument);
    default:
        return -ENOTTY;
    }
}

int drm_sync_file_ioctl(struct drm_device *device, int fd, unsigned long request, uint64_t argument) {
    const struct drm_config *config = &device->config;
    char name[32] = "";
    struct drm_point *point;
    int own = config->host->take(config->opaque, fd);
    if (own < 0)
        return own;
    const struct drm_sync_file *file = syncfile_find(device, own);
    if (file)
        memcpy(name, file->name, sizeof name);
    int status = drm_sync_file_point(device, own, &point);
    if (status)
        return status == -EINVAL ? -ENOTTY : status;
    status = syncfile_call(device, point, name, request, argument);
    drm_point_unref(point);
    return status;
}
