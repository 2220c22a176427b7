/* SPDX-License-Identifier: MIT */
#include "face/pci/serve/event_fd.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

bool event_fd_is(int fd) {
    static const char kind[] = "anon_inode:[eventfd]";
    char path[32], target[sizeof kind + 1];

    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    ssize_t bytes = readlink(path, target, sizeof target);
    return bytes == (ssize_t)sizeof kind - 1 && memcmp(target, kind, sizeof kind - 1) == 0;
}

/* There is no write that never waits, whatever the flags of the file are. So it is looked at first. */
void event_fd_signal(int fd) {
    const uint64_t one = 1;
    struct pollfd room = {.fd = fd, .events = POLLOUT};

    if (fd < 0 || poll(&room, 1, 0) <= 0 || !(room.revents & POLLOUT))
        return;
    fcntl(fd, F_SETFL, O_NONBLOCK);
    (void)!write(fd, &one, sizeof one);
}

bool event_fd_take(int fd) {
    uint64_t count;
    struct iovec part = {&count, sizeof count};
    ssize_t got = preadv2(fd, &part, 1, -1, RWF_NOWAIT);

    if (got < 0 && errno == EOPNOTSUPP) { /* Linux before 5.8 */
        fcntl(fd, F_SETFL, O_NONBLOCK);
        got = read(fd, &count, sizeof count);
    }
    return got == (ssize_t)sizeof count;
}
