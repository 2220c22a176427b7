/* SPDX-License-Identifier: MIT */
#include "face/pci/serve/event_fd.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/aio_abi.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

/* ---- a signal that does not wait ---- */

static bool make_bell(struct event_fd_bell *bell) {
    if (bell->tried)
        return bell->context != 0;
    bell->tried = true;
    bell->file = memfd_create("pfifo-bell", MFD_CLOEXEC);
    if (bell->file < 0)
        return false;
    if (syscall(SYS_io_setup, 1, &bell->context) == 0)
        return true;
    close(bell->file); /* a kernel, or a sandbox, without it */
    bell->context = 0;
    return false;
}

void event_fd_bell_end(struct event_fd_bell *bell) {
    if (bell->context) {
        syscall(SYS_io_destroy, bell->context);
        close(bell->file);
    }
    *bell = (struct event_fd_bell){0};
}

/* The read has ended when it returns. */
static bool ring(struct event_fd_bell *bell, int fd) {
    struct iocb read = {.aio_lio_opcode = IOCB_CMD_PREAD,
                        .aio_fildes = (uint32_t)bell->file,
                        .aio_flags = IOCB_FLAG_RESFD,
                        .aio_resfd = (uint32_t)fd};
    struct iocb *reads[] = {&read};
    struct io_event done;

    if (syscall(SYS_io_submit, bell->context, 1, reads) != 1)
        return false;
    syscall(SYS_io_getevents, bell->context, 0, 1, &done, NULL);
    return true;
}

/* ---- eventfds ---- */

bool event_fd_is(int fd) {
    static const char kind[] = "anon_inode:[eventfd]";
    char path[32], target[sizeof kind + 1];

    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    ssize_t bytes = readlink(path, target, sizeof target);
    return bytes == (ssize_t)sizeof kind - 1 && memcmp(target, kind, sizeof kind - 1) == 0;
}

void event_fd_signal(struct event_fd_bell *bell, int fd) {
    const uint64_t one = 1;
    struct pollfd room = {.fd = fd, .events = POLLOUT};

    if (fd < 0 || poll(&room, 1, 0) <= 0 || !(room.revents & POLLOUT) || (make_bell(bell) && ring(bell, fd)))
        return;
    fcntl(fd, F_SETFL, O_NONBLOCK); /* the client could still take it back */
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
