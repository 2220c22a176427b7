/* SPDX-License-Identifier: MIT */
#include "face/pci/serve/socket_part.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* Room for more than a message may have, so that all that come are closed again. */
union control {
    struct cmsghdr align;
    char bytes[CMSG_SPACE(sizeof(int) * 2 * SOCKET_PART_FDS)];
};

/* Those of the first part are kept. False: descriptors that no message has. */
static bool keep_descriptors(struct msghdr *part, bool first, int *fds, unsigned *fd_count) {
    bool kept = !(part->msg_flags & MSG_CTRUNC);

    for (struct cmsghdr *control = CMSG_FIRSTHDR(part); control; control = CMSG_NXTHDR(part, control)) {
        if (control->cmsg_level != SOL_SOCKET || control->cmsg_type != SCM_RIGHTS)
            continue;
        size_t count = (control->cmsg_len - CMSG_LEN(0)) / sizeof(int);
        for (size_t i = 0; i < count; i++) {
            int fd;
            memcpy(&fd, CMSG_DATA(control) + i * sizeof fd, sizeof fd);
            if (first && *fd_count < SOCKET_PART_FDS) {
                fds[(*fd_count)++] = fd;
            } else {
                close(fd);
                kept = false;
            }
        }
    }
    return kept;
}

enum socket_part_result socket_part_receive(int socket, uint8_t *bytes, size_t *have, size_t whole, int *fds,
                                            unsigned *fd_count, struct pfifo_error *error) {
    union control control;
    struct iovec room = {bytes + *have, whole - *have};
    struct msghdr part = {
        .msg_iov = &room, .msg_iovlen = 1, .msg_control = control.bytes, .msg_controllen = sizeof control.bytes};
    ssize_t got = recvmsg(socket, &part, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);

    if (got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR))
        return SOCKET_PART_NONE;
    if (got < 0)
        return SOCKET_PART_CLOSED;
    bool kept = keep_descriptors(&part, *have == 0, fds, fd_count);
    if (got == 0 && *have == 0)
        return SOCKET_PART_CLOSED;
    if (got == 0 || !kept) {
        pfifo_error_set(error, PFIFO_ERROR_FORMAT, "%s",
                        kept ? "the connection ends within a message"
                             : "a message with too many descriptors, or at a wrong place");
        return SOCKET_PART_BROKEN;
    }
    *have += (size_t)got;
    return SOCKET_PART_SOME;
}
