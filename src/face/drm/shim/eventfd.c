/* SPDX-License-Identifier: MIT */
/* Eventfds of the program, which it may close before they are told (SYNCOBJ_EVENTFD). */
#include "face/drm/shim/shim.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define EVENTFD_LINK "anon_inode:[eventfd]" /* fs/eventfd.c */

int eventfd_hold(void *opaque, int fd) {
    (void)opaque;
    char path[64], link[sizeof EVENTFD_LINK + 1];
    if (fcntl(fd, F_GETFD) < 0)
        return -EBADF;
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    ssize_t length = REAL(readlink)(path, link, sizeof link);
    if (length != (ssize_t)strlen(EVENTFD_LINK) || memcmp(link, EVENTFD_LINK, (size_t)length) != 0)
        return -EINVAL;
    int held = fcntl(fd, F_DUPFD_CLOEXEC, 0);
    return held < 0 ? -errno : files_move_up(held);
}

/*
 * It does not wait where the count would not fit: the program is told by what is there. O_NONBLOCK would be for this,
 * but the program, and who else has the eventfd, would see it.
 */
void eventfd_end(void *opaque, int held, bool tell) {
    (void)opaque;
    const uint64_t one = 1;
    struct pollfd at = {.fd = held, .events = POLLOUT};
    if (tell && poll(&at, 1, 0) == 1 && (at.revents & POLLOUT)) {
        ssize_t told = write(held, &one, sizeof one);
        (void)told;
    }
    close(held);
}
