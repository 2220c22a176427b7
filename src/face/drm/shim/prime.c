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
#include <sys/mman.h>
#include <unistd.h>

#define BUFFER_NAME "pfifo-buffer:"

int prime_export(void *opaque, const struct drm_memory *memory, unsigned flags) {
    (void)opaque;
    char name[128];
    snprintf(name, sizeof name, BUFFER_NAME "%d:%d:%" PRIx64 ":%" PRIx64, (int)getpid(), memory->fd, memory->offset,
             memory->bytes);
    int fd = memfd_create(name, flags & O_CLOEXEC ? MFD_CLOEXEC : 0);
    if (fd < 0)
        return -errno;
    if (ftruncate(fd, (off_t)memory->bytes) == 0)
        return fd;
    int status = -errno;
    close(fd);
    return status;
}

/* What a descriptor's name says. False: it is none of a buffer. */
static bool parse(int fd, int *process, struct drm_memory *memory) {
    char link[64], name[256];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = REAL(readlink)(link, name, sizeof name - 1);
    if (length < 0)
        return false;
    name[length] = '\0';
    return sscanf(name, "/memfd:" BUFFER_NAME "%d:%d:%" SCNx64 ":%" SCNx64, process, // NOLINT(cert-err34-c): our format
                  &memory->fd, &memory->offset, &memory->bytes) == 4;
}

/* A limit: a buffer of another process can be mapped, but not be used by this one's device. */
int prime_import(void *opaque, int fd, struct drm_memory *memory) {
    (void)opaque;
    int process;
    if (fcntl(fd, F_GETFD) < 0)
        return -EBADF;
    return parse(fd, &process, memory) && process == getpid() ? 0 : -EINVAL;
}

int prime_map(int fd, const struct stat *as, uint64_t *offset, bool *own) {
    struct drm_memory memory;
    int process;
    if (as->st_nlink != 0 || !S_ISREG(as->st_mode) || !parse(fd, &process, &memory))
        return -1;
    *offset += memory.offset;
    if (process == getpid())
        return memory.fd;
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/fd/%d", process, memory.fd);
    int theirs = open(path, O_RDWR | O_CLOEXEC);
    *own = theirs >= 0;
    return theirs;
}
