/* SPDX-License-Identifier: MIT */
/* Descriptors that the program gets of what the device has open, and the other way round. */
#include "face/drm/shim/shim.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

int prime_give(void *opaque, int file, unsigned flags) {
    (void)opaque;
    int fd = fcntl(file, flags & O_CLOEXEC ? F_DUPFD_CLOEXEC : F_DUPFD, 0);
    return fd < 0 ? -errno : fd;
}

int prime_take(void *opaque, int fd) {
    (void)opaque;
    int own = fcntl(fd, F_DUPFD_CLOEXEC, 0);
    return own < 0 ? -errno : files_move_up(own);
}
