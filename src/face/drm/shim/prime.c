/* SPDX-License-Identifier: MIT */
/*
 * Descriptors of buffers (dma-buf). Each is an empty file in memory whose name says whose buffer it is and where; its
 * size is the buffer's, because programs ask lseek() for it. Another process that gets it can map it.
 */
#include "face/drm/shim/shim.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#define BUFFER_NAME   "pfifo-buffer:"
#define BUFFER_FORMAT "/memfd:" BUFFER_NAME "%d:%d:%" SCNx64 ":%" SCNx64 ":%" SCNx64
#define FIRST_WATCH   512 /* programs get theirs from 0 up */

/*
 * A second opening of such a file. While there is one for writing, which programs have and may pass on, the kernel
 * gives nobody a lease for reading: so the last copy, in whatever process, is noticed (fcntl(2), F_SETLEASE).
 */
struct export {
    uint64_t id; /* of the buffer */
    int watch;
    struct export *next;
};

static struct export *exports; /* guarded by the lock */

/* A descriptor of the file behind another; out of the way of the program's if it is to watch. */
static int reopen(int fd, int flags, bool high) {
    char path[64];
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    int again = REAL(open)(path, flags);
    int moved = again >= 0 && high ? fcntl(again, F_DUPFD_CLOEXEC, FIRST_WATCH) : -1;
    if (moved < 0)
        return again;
    close(again);
    return moved;
}

/* The program's descriptor, or -errno. */
static int prime_share(int fd, uint64_t bytes, unsigned flags, struct export *export) {
    if (ftruncate(fd, (off_t)bytes) != 0)
        return -errno;
    export->watch = reopen(fd, O_RDONLY | O_CLOEXEC, true);
    int program = export->watch < 0 ? -1 : reopen(fd, O_RDWR | (flags & O_CLOEXEC ? O_CLOEXEC : 0), false);
    if (program >= 0)
        return program;
    int status = -errno;
    if (export->watch >= 0)
        close(export->watch);
    return status;
}

int prime_export(void *opaque, const struct drm_memory *memory, unsigned flags) {
    (void)opaque;
    char name[160];
    struct export *export = malloc(sizeof *export);
    if (!export)
        return -ENOMEM;
    snprintf(name, sizeof name, BUFFER_NAME "%d:%d:%" PRIx64 ":%" PRIx64 ":%" PRIx64, (int)getpid(), memory->fd,
             memory->offset, memory->bytes, memory->id);
    int fd = memfd_create(name, MFD_CLOEXEC);
    int program = fd < 0 ? -errno : prime_share(fd, memory->bytes, flags, export);
    if (fd >= 0)
        close(fd);
    if (program < 0) {
        free(export);
        return program;
    }
    export->id = memory->id;
    export->next = exports;
    exports = export;
    return program;
}

bool prime_exported(void *opaque, const struct drm_memory *memory) {
    (void)opaque;
    bool exported = false;
    for (struct export **at = &exports; *at;) {
        struct export *export = *at;
        if (export->id == memory->id && fcntl(export->watch, F_SETLEASE, F_RDLCK) == 0) {
            close(export->watch); /* and the lease */
            *at = export->next;
            free(export);
            continue;
        }
        exported |= export->id == memory->id;
        at = &export->next;
    }
    return exported;
}

/* What a descriptor's name says. False: it is none of a buffer. */
static bool prime_parse(int fd, int *process, struct drm_memory *memory) {
    char link[64], name[256];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = REAL(readlink)(link, name, sizeof name - 1);
    if (length < 0)
        return false;
    name[length] = '\0';
    return sscanf(name, BUFFER_FORMAT, process, &memory->fd, // NOLINT(cert-err34-c): our format
                  &memory->offset, &memory->bytes, &memory->id) == 5;
}

/* A limit: a buffer of another process can be mapped, but not be used by this one's device. */
int prime_import(void *opaque, int fd, struct drm_memory *memory) {
    (void)opaque;
    int process;
    if (fcntl(fd, F_GETFD) < 0)
        return -EBADF;
    return prime_parse(fd, &process, memory) && process == getpid() ? 0 : -EINVAL;
}

int prime_map(int fd, const struct stat *as, uint64_t *offset, bool *own) {
    struct drm_memory memory;
    int process;
    if (as->st_nlink != 0 || !S_ISREG(as->st_mode) || !prime_parse(fd, &process, &memory))
        return -1;
    if (process == getpid() && shim_device_now()) /* it may have moved since */
        drm_device_memory(shim_device_now(), memory.id, &memory);
    *offset += memory.offset;
    if (process == getpid())
        return memory.fd;
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/fd/%d", process, memory.fd);
    int theirs = open(path, O_RDWR | O_CLOEXEC);
    *own = theirs >= 0;
    return theirs;
}
