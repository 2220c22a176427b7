/* SPDX-License-Identifier: MIT */
#include "face/pci/serve/vfio_user.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

bool vfio_user_begin(struct vfio_user *connection, int fd) {
    *connection = (struct vfio_user){.fd = fd, .out_fd = -1};
    connection->in = malloc(VFIO_USER_MESSAGE_BYTES);
    connection->out = malloc(VFIO_USER_MESSAGE_BYTES);
    return connection->in && connection->out;
}

void vfio_user_done(struct vfio_user *connection) {
    for (unsigned i = 0; i < connection->fd_count; i++)
        if (connection->fds[i] >= 0)
            close(connection->fds[i]);
    connection->fd_count = 0;
    connection->have = 0;
}

void vfio_user_end(struct vfio_user *connection) {
    vfio_user_done(connection);
    if (connection->fd >= 0)
        close(connection->fd);
    free(connection->in);
    free(connection->out);
    *connection = (struct vfio_user){.fd = -1, .out_fd = -1};
}

/* ---- in ---- */

static bool check_header(const uint8_t *header, size_t *whole, struct pfifo_error *error) {
    uint32_t size = (uint32_t)vfio_user_get(header + 4, 4), flags = (uint32_t)vfio_user_get(header + 8, 4);

    *whole = size;
    if (size < VFIO_USER_HEADER_BYTES || size > VFIO_USER_MESSAGE_BYTES) {
        pfifo_error_set(error, PFIFO_ERROR_FORMAT, "message of %" PRIu32 " bytes", size);
        return false;
    }
    /* Nothing is asked of the client, so it has nothing to answer. */
    if (flags & (VFIO_USER_TYPE_MASK | VFIO_USER_ERROR)) {
        pfifo_error_set(error, PFIFO_ERROR_FORMAT, "message with the flags 0x%" PRIx32 " is no command", flags);
        return false;
    }
    return true;
}

enum vfio_user_result vfio_user_receive(struct vfio_user *connection, struct pfifo_error *error) {
    static const enum vfio_user_result results[] = {[SOCKET_PART_NONE] = VFIO_USER_MORE,
                                                    [SOCKET_PART_CLOSED] = VFIO_USER_CLOSED,
                                                    [SOCKET_PART_BROKEN] = VFIO_USER_BROKEN};

    for (;;) {
        size_t whole = VFIO_USER_HEADER_BYTES;
        if (connection->have >= VFIO_USER_HEADER_BYTES) {
            if (!check_header(connection->in, &whole, error))
                return VFIO_USER_BROKEN;
            if (connection->have == whole)
                return VFIO_USER_MESSAGE;
        }
        enum socket_part_result got = socket_part_receive(connection->fd, connection->in, &connection->have, whole,
                                                          connection->fds, &connection->fd_count, error);
        if (got != SOCKET_PART_SOME)
            return results[got];
    }
}

uint16_t vfio_user_command(const struct vfio_user *connection) {
    return (uint16_t)vfio_user_get(connection->in + 2, 2);
}

/* ---- out ---- */

uint8_t *vfio_user_answer_payload(struct vfio_user *connection) {
    return connection->out + VFIO_USER_HEADER_BYTES;
}

void vfio_user_answer(struct vfio_user *connection, size_t bytes, int fd, int number) {
    uint8_t *out = connection->out;

    if (vfio_user_get(connection->in + 8, 4) & VFIO_USER_NO_REPLY)
        return;
    connection->sent = 0;
    connection->out_bytes = VFIO_USER_HEADER_BYTES + (number ? 0 : bytes);
    connection->out_fd = number ? -1 : fd;
    memcpy(out, connection->in, 4);
    vfio_user_put(out + 4, 4, connection->out_bytes);
    vfio_user_put(out + 8, 4, VFIO_USER_REPLY | (number ? VFIO_USER_ERROR : 0));
    vfio_user_put(out + 12, 4, (uint32_t)number);
}

bool vfio_user_is_sending(const struct vfio_user *connection) {
    return connection->sent < connection->out_bytes;
}

bool vfio_user_send(struct vfio_user *connection) {
    union {
        struct cmsghdr align;
        char bytes[CMSG_SPACE(sizeof(int))];
    } control = {0};

    while (vfio_user_is_sending(connection)) {
        struct iovec bytes = {connection->out + connection->sent, connection->out_bytes - connection->sent};
        struct msghdr part = {.msg_iov = &bytes, .msg_iovlen = 1};
        if (connection->out_fd >= 0) {
            part.msg_control = control.bytes;
            part.msg_controllen = sizeof control.bytes;
            struct cmsghdr *rights = CMSG_FIRSTHDR(&part);
            rights->cmsg_level = SOL_SOCKET;
            rights->cmsg_type = SCM_RIGHTS;
            rights->cmsg_len = CMSG_LEN(sizeof(int));
            memcpy(CMSG_DATA(rights), &connection->out_fd, sizeof(int));
        }
        ssize_t sent = sendmsg(connection->fd, &part, MSG_DONTWAIT | MSG_NOSIGNAL);
        if (sent < 0)
            return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR;
        connection->sent += (size_t)sent;
        connection->out_fd = -1;
    }
    return true;
}
