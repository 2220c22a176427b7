/* SPDX-License-Identifier: MIT */
/*
 * Descriptors of the nodes. Each is one end of a socket pair, so that events can be read and polled, and so that the
 * other end tells when the last copy of it is closed, in whatever process. It is known by its inode.
 */
#undef _FILE_OFFSET_BITS
#include "face/drm/shim/shim.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#define DRM_MAJOR   226
#define IOCTL_TYPE  'd'
#define WAIT_VBLANK 0x3a

struct shim_file {
    struct shim_file *next;
    struct drm_file *file; /* NULL: of the parent of this process */
    enum drm_node_type type;
    int peer; /* our end, -1: of the parent */
    dev_t dev;
    ino_t ino;
};

static struct shim_file *files; /* guarded by the lock of device.c */

/* ---- opening and closing ---- */

static bool identify(struct shim_file *file, int fd) {
    struct stat as;
    if (REAL(fstat)(fd, &as) != 0)
        return false;
    file->dev = as.st_dev;
    file->ino = as.st_ino;
    return true;
}

int files_move_up(int fd) {
    return drm_out_of_way(fd);
}

static int files_end_with(struct shim_file *file, const int *ends, int status) {
    if (ends) {
        close(ends[0]);
        close(ends[1]);
    }
    free(file);
    return status;
}

int files_open(enum drm_node_type type, int flags) {
    files_sweep();
    struct drm_device *device = shim_device();
    if (!device)
        return -ENODEV;
    struct shim_file *file = calloc(1, sizeof *file);
    int ends[2];
    if (!file)
        return -ENOMEM;
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
        return files_end_with(file, NULL, -errno);
    ends[1] = files_move_up(ends[1]);
    file->type = type;
    file->file = identify(file, ends[0]) ? drm_file_open(device, type) : NULL;
    if (!file->file)
        return files_end_with(file, ends, -ENOMEM);
    if (!(flags & O_CLOEXEC))
        fcntl(ends[0], F_SETFD, 0);
    if (flags & O_NONBLOCK)
        fcntl(ends[0], F_SETFL, O_NONBLOCK);
    fcntl(ends[1], F_SETFL, O_NONBLOCK);
    file->peer = ends[1];
    file->next = files;
    files = file;
    service_wake('f');
    return ends[0];
}

/* The program's end is closed. Data that a program writes to a node is thrown away. */
static bool files_has_ended(const struct shim_file *file) {
    struct pollfd at = {.fd = file->peer, .events = POLLIN};
    char rest[256];
    while (poll(&at, 1, 0) == 1) {
        if (at.revents & (POLLHUP | POLLERR | POLLNVAL))
            return true;
        if (read(file->peer, rest, sizeof rest) <= 0)
            return true;
    }
    return false;
}

void files_sweep(void) {
    for (struct shim_file **at = &files; *at;) {
        struct shim_file *file = *at;
        if (!file->file || !files_has_ended(file)) {
            at = &file->next;
            continue;
        }
        *at = file->next;
        drm_file_close(file->file);
        close(file->peer);
        free(file);
    }
}

unsigned files_peers(int *peers, unsigned room) {
    unsigned count = 0;
    for (const struct shim_file *file = files; file && count < room; file = file->next)
        if (file->file)
            peers[count++] = file->peer;
    return count;
}

void files_abandon(void) {
    for (struct shim_file *file = files; file; file = file->next) {
        if (file->peer >= 0)
            close(file->peer);
        file->peer = -1;
        file->file = NULL;
    }
}

/* An event that finds no room is lost, as with the kernel's limit of 4096 bytes (drm_file.c, event_space). */
void files_event(void *opaque, struct drm_file *file, const void *data, size_t bytes) {
    (void)opaque;
    for (const struct shim_file *at = files; at; at = at->next)
        if (at->file == file) {
            ssize_t sent = send(at->peer, data, bytes, MSG_NOSIGNAL | MSG_DONTWAIT);
            (void)sent;
            return;
        }
}

static struct shim_file *find_as(const struct stat *as) {
    if (!S_ISSOCK(as->st_mode))
        return NULL;
    for (struct shim_file *file = files; file; file = file->next)
        if (file->ino == as->st_ino && file->dev == as->st_dev)
            return file;
    return NULL;
}

static struct shim_file *files_find(int fd) {
    struct stat as;
    return REAL(fstat)(fd, &as) == 0 ? find_as(&as) : NULL;
}

int files_map(const struct stat *as, uint64_t offset, uint64_t bytes, struct drm_memory *memory) {
    const struct shim_file *file = find_as(as);
    if (!file)
        return -ENOTTY;
    return file->file ? drm_file_map(file->file, offset, bytes, memory) : -ENODEV;
}

/* ---- ioctl() ---- */

#define DMA_BUF_TYPE   'b' /* linux/dma-buf.h */
#define SYNC_FILE_TYPE '>' /* linux/sync_file.h */

struct call {
    int status;
    bool ours;  /* the descriptor is of a node */
    bool again; /* when the handler has been left, as the kernel does it (ERESTARTSYS) */
    bool wake;  /* the thread of the device has to look */
};

/* WAIT_VBLANK is the one that does not go on after a signal (drm_vblank.c, drm_wait_vblank_ioctl()). */
static bool files_goes_on(unsigned long request) {
    return _IOC_NR(request) != WAIT_VBLANK && shim_restarts();
}

/* A process may have descriptors of others, and no device yet. */
static void make_descriptor_call(struct call *call, int fd, unsigned long request, void *argument) {
    struct drm_device *device = drm_is_descriptor(fd) ? shim_device() : NULL;
    call->status = device ? drm_descriptor_ioctl(device, fd, request, (uint64_t)(uintptr_t)argument) : -ENOTTY;
    call->ours = device != NULL;
    call->again = call->status == -EINTR && shim_restarts();
    call->wake = device && service_is_asleep() && drm_device_waits(device);
}

static void make_call(struct call *call, int fd, unsigned long request, void *argument) {
    const struct shim_file *file = files_find(fd);
    struct drm_file *of = file ? file->file : NULL;
    if (_IOC_TYPE(request) != IOCTL_TYPE) {
        make_descriptor_call(call, fd, request, argument);
        return;
    }
    call->ours = file != NULL;
    call->status = of ? drm_file_ioctl(of, request, (uint64_t)(uintptr_t)argument) : -ENODEV;
    call->again = call->status == -EINTR && files_goes_on(request);
    /* Another thread may have closed the file meanwhile: only whether there was one may be looked at. */
    call->wake = of && service_is_asleep() &&
                 (drm_device_waits(shim_device_now()) || drm_device_due(shim_device_now()) != UINT64_MAX);
}

SHIM int ioctl(int fd, unsigned long request, ...) {
    va_list rest;
    va_start(rest, request);
    void *argument = va_arg(rest, void *);
    va_end(rest);
    const unsigned type = _IOC_TYPE(request);
    if (type != IOCTL_TYPE && type != DMA_BUF_TYPE && type != SYNC_FILE_TYPE)
        return REAL(ioctl)(fd, request, argument);
    for (struct call call = {.again = true}; call.again;) {
        if (!shim_enter())
            break;
        make_call(&call, fd, request, argument);
        shim_leave();
        if (call.wake)
            service_wake('d');
        if (call.ours && !call.again)
            return shim_result(call.status);
        if (!call.ours)
            break;
    }
    return REAL(ioctl)(fd, request, argument);
}

/* ---- fstat() ---- */

/* What fstat() says of a descriptor of ours. */
static void correct(int fd, struct stat *as) {
    char path[PATH_MAX];
    if (as->st_nlink == 0 && S_ISREG(as->st_mode)) {
        bool outside;
        if (!paths_of_descriptor(fd, path))
            return;
        const struct tree_entry *entry = tree_find(NULL, path, false, NULL, &outside);
        if (entry)
            paths_fill(entry, as);
        return;
    }
    if (!S_ISSOCK(as->st_mode) || !shim_enter())
        return;
    const struct shim_file *file = find_as(as);
    if (file) {
        as->st_mode = S_IFCHR | 0666;
        as->st_rdev = makedev(DRM_MAJOR, tree_minor(file->type));
    }
    shim_leave();
}

/* On 64-bit hosts the two structures are the same; the library is built for no other. */
_Static_assert(sizeof(struct stat) == sizeof(struct stat64), "struct stat and struct stat64 differ");

SHIM int fstat(int fd, struct stat *as) {
    int status = REAL(fstat)(fd, as);
    if (status == 0 && shim_chip())
        correct(fd, as);
    return status;
}

SHIM int fstat64(int fd, struct stat64 *as) {
    return fstat(fd, (struct stat *)as);
}

/* Programs that were linked with a glibc before 2.33. */
SHIM int __fxstat(int version, int fd, struct stat *as);
SHIM int __fxstat(int version, int fd, struct stat *as) {
    (void)version;
    return fstat(fd, as);
}

SHIM int __fxstat64(int version, int fd, struct stat64 *as);
SHIM int __fxstat64(int version, int fd, struct stat64 *as) {
    (void)version;
    return fstat(fd, (struct stat *)as);
}
