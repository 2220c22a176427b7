/* SPDX-License-Identifier: MIT */
/* What a client of a stream socket sends: bytes, with descriptors. */
#ifndef TESTS_PCI_PASSING_H
#define TESTS_PCI_PASSING_H

#include <string.h>
#include <sys/socket.h>

#define PASSING_MAX 16u /* descriptors */

/* As send(2), which does not wait. */
static inline ssize_t pass(int socket, const void *data, size_t bytes, const int *fds, unsigned count) {
    union {
        struct cmsghdr align;
        char bytes[CMSG_SPACE(sizeof(int) * PASSING_MAX)];
    } control = {0};
    struct iovec part = {(void *)data, bytes};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};

    if (count) {
        message.msg_control = control.bytes;
        message.msg_controllen = CMSG_SPACE(sizeof(int) * count);
        struct cmsghdr *rights = CMSG_FIRSTHDR(&message);
        rights->cmsg_level = SOL_SOCKET;
        rights->cmsg_type = SCM_RIGHTS;
        rights->cmsg_len = CMSG_LEN(sizeof(int) * count);
        memcpy(CMSG_DATA(rights), fds, sizeof(int) * count);
    }
    return sendmsg(socket, &message, MSG_NOSIGNAL | MSG_DONTWAIT);
}

#endif
