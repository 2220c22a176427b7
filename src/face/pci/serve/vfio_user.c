/* SPDX-License-Identifier: MIT */
#include "face/pci/serve/vfio_user.h"

#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define QUESTION_BYTES (VFIO_USER_HEADER_BYTES + VFIO_USER_DMA_BYTES + VFIO_USER_ASKED_MAX)

struct vfio_user_queued {
    struct vfio_user_queued *next;
    int fds[SOCKET_PART_FDS];
    unsigned fd_count;
    size_t have;
    uint8_t bytes[];
};

bool vfio_user_begin(struct vfio_user *connection, int fd) {
    *connection = (struct vfio_user){.fd = fd, .answer.fd = -1, .question.fd = -1};
    connection->in.bytes = malloc(VFIO_USER_MESSAGE_BYTES);
    connection->now.bytes = malloc(VFIO_USER_MESSAGE_BYTES);
    connection->answer.bytes = malloc(VFIO_USER_MESSAGE_BYTES);
    connection->question.bytes = malloc(QUESTION_BYTES);
    return connection->in.bytes && connection->now.bytes && connection->answer.bytes && connection->question.bytes;
}

static void drop_message(struct vfio_user_message *message) {
    for (unsigned i = 0; i < message->fd_count; i++)
        if (message->fds[i] >= 0)
            close(message->fds[i]);
    message->fd_count = 0;
    message->have = 0;
}

void vfio_user_done(struct vfio_user *connection) {
    drop_message(&connection->now);
}

void vfio_user_replied(struct vfio_user *connection) {
    drop_message(&connection->in);
}

/* ---- the queue ---- */

static enum vfio_user_result enqueue(struct vfio_user *connection, struct pfifo_error *error) {
    struct vfio_user_message *in = &connection->in;
    size_t bytes = sizeof(struct vfio_user_queued) + in->have;

    if (bytes > VFIO_USER_QUEUE_BYTES - connection->queued) {
        pfifo_error_set(error, PFIFO_ERROR_FORMAT, "the client asks on and on, and does not answer");
        return VFIO_USER_BROKEN;
    }
    struct vfio_user_queued *queued = malloc(bytes);
    if (!queued) {
        pfifo_error_set(error, PFIFO_ERROR_MEMORY, "no memory for what the client asks");
        return VFIO_USER_BROKEN;
    }
    queued->next = NULL;
    queued->have = in->have;
    queued->fd_count = in->fd_count;
    memcpy(queued->fds, in->fds, sizeof queued->fds);
    memcpy(queued->bytes, in->bytes, in->have);
    if (connection->last)
        connection->last->next = queued;
    else
        connection->first = queued;
    connection->last = queued;
    connection->queued += bytes;
    in->fd_count = 0;
    in->have = 0;
    return VFIO_USER_MORE;
}

/* The first one becomes `now`. */
static void dequeue(struct vfio_user *connection) {
    struct vfio_user_queued *queued = connection->first;
    struct vfio_user_message *now = &connection->now;

    now->have = queued->have;
    now->fd_count = queued->fd_count;
    memcpy(now->fds, queued->fds, sizeof now->fds);
    memcpy(now->bytes, queued->bytes, queued->have);
    connection->queued -= sizeof *queued + queued->have;
    connection->first = queued->next;
    if (!connection->first)
        connection->last = NULL;
    free(queued);
}

void vfio_user_end(struct vfio_user *connection) {
    vfio_user_done(connection);
    vfio_user_replied(connection);
    while (connection->first) {
        dequeue(connection);
        vfio_user_done(connection);
    }
    if (connection->fd >= 0)
        close(connection->fd);
    free(connection->in.bytes);
    free(connection->now.bytes);
    free(connection->answer.bytes);
    free(connection->question.bytes);
    *connection = (struct vfio_user){.fd = -1, .answer.fd = -1, .question.fd = -1};
}

/* ---- in ---- */

static bool is_reply(const uint8_t *header) {
    return (vfio_user_get(header + 8, 4) & VFIO_USER_TYPE_MASK) == VFIO_USER_REPLY;
}

/* Commands; replies only while one is awaited. */
static bool check_header(const uint8_t *header, bool awaited, size_t *whole, struct pfifo_error *error) {
    uint32_t size = (uint32_t)vfio_user_get(header + 4, 4), flags = (uint32_t)vfio_user_get(header + 8, 4);

    *whole = size;
    if (size < VFIO_USER_HEADER_BYTES || size > VFIO_USER_MESSAGE_BYTES) {
        pfifo_error_set(error, PFIFO_ERROR_FORMAT, "message of %" PRIu32 " bytes", size);
        return false;
    }
    if ((flags & (VFIO_USER_TYPE_MASK | VFIO_USER_ERROR)) == 0 || (awaited && is_reply(header)))
        return true;
    pfifo_error_set(error, PFIFO_ERROR_FORMAT, "message with the flags 0x%" PRIx32 " is no command", flags);
    return false;
}

static enum vfio_user_result receive(struct vfio_user *connection, bool awaited, struct pfifo_error *error) {
    static const enum vfio_user_result results[] = {[SOCKET_PART_NONE] = VFIO_USER_MORE,
                                                    [SOCKET_PART_CLOSED] = VFIO_USER_CLOSED,
                                                    [SOCKET_PART_BROKEN] = VFIO_USER_BROKEN};
    struct vfio_user_message *in = &connection->in;

    for (;;) {
        size_t whole = VFIO_USER_HEADER_BYTES;
        if (in->have >= VFIO_USER_HEADER_BYTES) {
            if (!check_header(in->bytes, awaited, &whole, error))
                return VFIO_USER_BROKEN;
            if (in->have == whole)
                return VFIO_USER_MESSAGE;
        }
        enum socket_part_result got =
            socket_part_receive(connection->fd, in->bytes, &in->have, whole, in->fds, &in->fd_count, error);
        if (got != SOCKET_PART_SOME)
            return results[got];
    }
}

enum vfio_user_result vfio_user_receive(struct vfio_user *connection, struct pfifo_error *error) {
    if (connection->first) {
        dequeue(connection);
        return VFIO_USER_MESSAGE;
    }
    enum vfio_user_result result = receive(connection, false, error);
    if (result == VFIO_USER_MESSAGE) {
        struct vfio_user_message message = connection->in;
        connection->in = connection->now;
        connection->now = message;
    }
    return result;
}

uint16_t vfio_user_command(const struct vfio_user *connection) {
    return (uint16_t)vfio_user_get(connection->now.bytes + 2, 2);
}

/* ---- out ---- */

uint8_t *vfio_user_answer_payload(struct vfio_user *connection) {
    return connection->answer.bytes + VFIO_USER_HEADER_BYTES;
}

void vfio_user_answer(struct vfio_user *connection, size_t bytes, int fd, int number) {
    const uint8_t *question = connection->now.bytes;
    struct vfio_user_out *out = &connection->answer;

    if (vfio_user_get(question + 8, 4) & VFIO_USER_NO_REPLY)
        return;
    out->sent = 0;
    out->count = VFIO_USER_HEADER_BYTES + (number ? 0 : bytes);
    out->fd = number ? -1 : fd;
    memcpy(out->bytes, question, 4);
    vfio_user_put(out->bytes + 4, 4, out->count);
    vfio_user_put(out->bytes + 8, 4, VFIO_USER_REPLY | (number ? VFIO_USER_ERROR : 0));
    vfio_user_put(out->bytes + 12, 4, (uint32_t)number);
}

static bool is_going(const struct vfio_user_out *out) {
    return out->sent < out->count;
}

bool vfio_user_is_sending(const struct vfio_user *connection) {
    return is_going(&connection->answer) || is_going(&connection->question);
}

static bool send_out(int fd, struct vfio_user_out *out) {
    union {
        struct cmsghdr align;
        char bytes[CMSG_SPACE(sizeof(int))];
    } control = {0};

    while (is_going(out)) {
        struct iovec bytes = {out->bytes + out->sent, out->count - out->sent};
        struct msghdr part = {.msg_iov = &bytes, .msg_iovlen = 1};
        if (out->fd >= 0) {
            part.msg_control = control.bytes;
            part.msg_controllen = sizeof control.bytes;
            struct cmsghdr *rights = CMSG_FIRSTHDR(&part);
            rights->cmsg_level = SOL_SOCKET;
            rights->cmsg_type = SCM_RIGHTS;
            rights->cmsg_len = CMSG_LEN(sizeof(int));
            memcpy(CMSG_DATA(rights), &out->fd, sizeof(int));
        }
        ssize_t sent = sendmsg(fd, &part, MSG_DONTWAIT | MSG_NOSIGNAL);
        if (sent < 0)
            return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR;
        out->sent += (size_t)sent;
        out->fd = -1;
    }
    return true;
}

/* One after the other: an answer that is half gone comes before a question. */
bool vfio_user_send(struct vfio_user *connection) {
    return send_out(connection->fd, &connection->answer) &&
           (is_going(&connection->answer) || send_out(connection->fd, &connection->question));
}

/* ---- what the server asks ---- */

uint8_t *vfio_user_question_payload(struct vfio_user *connection) {
    return connection->question.bytes + VFIO_USER_HEADER_BYTES;
}

static enum vfio_user_result check_reply(struct vfio_user *connection, struct pfifo_error *error) {
    const struct vfio_user_message *in = &connection->in;

    if (!vfio_user_is_sending(connection) && !in->fd_count &&
        memcmp(in->bytes, connection->question.bytes, 4) == 0) /* the id and the command */
        return VFIO_USER_MESSAGE;
    pfifo_error_set(error, PFIFO_ERROR_FORMAT, "a reply to command %u with the id %u, which was not asked",
                    (unsigned)vfio_user_get(in->bytes + 2, 2), (unsigned)vfio_user_get(in->bytes, 2));
    return VFIO_USER_BROKEN;
}

/* What has arrived: commands are put into the queue, as far as a reply. */
static enum vfio_user_result take_reply(struct vfio_user *connection, struct pfifo_error *error) {
    for (;;) {
        enum vfio_user_result result = receive(connection, true, error);
        if (result == VFIO_USER_MESSAGE)
            result = is_reply(connection->in.bytes) ? check_reply(connection, error) : enqueue(connection, error);
        else if (result == VFIO_USER_MORE)
            return result;
        if (result != VFIO_USER_MORE)
            return result;
    }
}

enum vfio_user_result vfio_user_ask(struct vfio_user *connection, uint16_t command, size_t bytes, int stop,
                                    struct pfifo_error *error) {
    struct vfio_user_out *out = &connection->question;

    out->sent = 0;
    out->count = VFIO_USER_HEADER_BYTES + bytes;
    memset(out->bytes, 0, VFIO_USER_HEADER_BYTES);
    vfio_user_put(out->bytes, 2, ++connection->id);
    vfio_user_put(out->bytes + 2, 2, command);
    vfio_user_put(out->bytes + 4, 4, out->count);
    for (;;) {
        if (!vfio_user_send(connection))
            return VFIO_USER_CLOSED;
        enum vfio_user_result result = take_reply(connection, error);
        if (result != VFIO_USER_MORE)
            return result;
        short events = (short)(POLLIN | (vfio_user_is_sending(connection) ? POLLOUT : 0));
        struct pollfd fds[] = {{.fd = connection->fd, .events = events}, {.fd = stop, .events = POLLIN}};
        if (poll(fds, 2, -1) > 0 && fds[1].revents)
            return VFIO_USER_CLOSED;
    }
}
