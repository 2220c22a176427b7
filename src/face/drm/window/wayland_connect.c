/* SPDX-License-Identifier: MIT */
/*
 * A program that connects to the compositor gets one end of a socket pair, with the translator at the other; a thread for
 * each connection has both sides. It ends with either.
 */
#include "face/drm/shim/shim.h"
#include "face/drm/window/wayland.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/sysmacros.h>
#include <sys/un.h>
#include <unistd.h>

#define DRM_MAJOR    226
#define RENDER_MINOR 128
#define MOST_BEHIND  (1u << 20) /* bytes that wait for a reader: no more is read for it */
#define FDS_AT_ONCE  28u        /* of a message of the socket, as libwayland does it */

struct connection {
    int program, compositor;
    struct wayland wayland;
};

/* ---- what the translator asks for ---- */

static bool host_buffer(void *opaque, int fd) {
    (void)opaque;
    return drm_is_buffer_file(fd);
}

static uint32_t host_modifiers(void *opaque, uint64_t modifiers[DRM_MOST_MODIFIERS]) {
    (void)opaque;
    shim_lock();
    const struct drm_device *device = shim_device();
    uint32_t count = device ? drm_device_modifiers(device, modifiers) : 0;
    shim_unlock();
    return count;
}

static bool host_check(void *opaque, const struct drm_image *image) {
    (void)opaque;
    shim_lock();
    struct drm_device *device = shim_device_now();
    bool good = device && drm_device_check_image(device, image) == 0;
    shim_unlock();
    return good;
}

static bool host_read_image(void *opaque, const struct drm_image *image, uint8_t *to, size_t pitch) {
    const struct drm_area all = {.width = image->width, .height = image->height};
    (void)opaque;
    shim_lock();
    struct drm_device *device = shim_device_now();
    bool read = device && drm_device_read_image(device, image, &all, to, pitch) == 0;
    shim_unlock();
    return read;
}

static const struct wayland_host wayland_host = {.buffer = host_buffer,
                                                 .modifiers = host_modifiers,
                                                 .check = host_check,
                                                 .read = host_read_image,
                                                 .device = DRM_MAJOR << 8 | RENDER_MINOR /* makedev() */};

/* ---- sockets ---- */

union control {
    struct cmsghdr header;
    char bytes[CMSG_SPACE(FDS_AT_ONCE * sizeof(int))];
};

static void keep_fds(struct wayland_stream *stream, struct msghdr *message) {
    for (struct cmsghdr *at = CMSG_FIRSTHDR(message); at; at = CMSG_NXTHDR(message, at)) {
        if (at->cmsg_level != SOL_SOCKET || at->cmsg_type != SCM_RIGHTS)
            continue;
        size_t count = (at->cmsg_len - CMSG_LEN(0)) / sizeof(int);
        for (size_t i = 0; i < count; i++) {
            int fd;
            memcpy(&fd, CMSG_DATA(at) + i * sizeof fd, sizeof fd);
            if (stream->in_fd_count < WAYLAND_FDS)
                stream->in_fds[stream->in_fd_count++] = fd;
            else
                close(fd);
        }
    }
}

/* False: the other side has closed it. */
static bool receive(int from, struct wayland_stream *stream) {
    union control control;
    struct iovec room = {stream->in + stream->in_bytes, sizeof stream->in - stream->in_bytes};
    struct msghdr message = {
        .msg_iov = &room, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
    ssize_t got = recvmsg(from, &message, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
    if (got < 0)
        return errno == EAGAIN || errno == EINTR;
    keep_fds(stream, &message);
    stream->in_bytes += (size_t)got;
    return got > 0;
}

/* Descriptors go with the first bytes; more of them than fit, with few bytes, so that none is late. */
static ssize_t send_some(int to, const struct wayland_stream *stream, size_t fds) {
    union control control = {0};
    size_t bytes = stream->out_fd_count > fds ? 1 : stream->out_bytes;
    struct iovec data = {stream->out, bytes};
    struct msghdr message = {.msg_iov = &data, .msg_iovlen = 1};
    if (fds) {
        message.msg_control = &control;
        message.msg_controllen = CMSG_SPACE(fds * sizeof(int));
        struct cmsghdr *header = CMSG_FIRSTHDR(&message);
        *header = (struct cmsghdr){
            .cmsg_len = CMSG_LEN(fds * sizeof(int)), .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS};
        memcpy(CMSG_DATA(header), stream->out_fds, fds * sizeof(int));
    }
    return sendmsg(to, &message, MSG_DONTWAIT | MSG_NOSIGNAL);
}

/* False: nobody reads any more. */
static bool deliver(int to, struct wayland_stream *stream) {
    while (stream->out_bytes) {
        size_t fds = stream->out_fd_count < FDS_AT_ONCE ? stream->out_fd_count : FDS_AT_ONCE;
        ssize_t sent = send_some(to, stream, fds);
        if (sent < 0)
            return errno == EAGAIN || errno == EINTR;
        for (size_t i = 0; i < fds; i++)
            close(stream->out_fds[i]);
        stream->out_fd_count -= fds;
        memmove(stream->out_fds, stream->out_fds + fds, stream->out_fd_count * sizeof(int));
        stream->out_bytes -= (size_t)sent;
        memmove(stream->out, stream->out + sent, stream->out_bytes);
    }
    return true;
}

/* ---- a connection ---- */

/*
 * What this library answers comes between whole messages of the compositor: while a part of one is here, the program's
 * requests wait for the rest, or its descriptors would be out of order.
 */
static bool turn(struct connection *connection) {
    struct wayland_stream *requests = &connection->wayland.requests, *events = &connection->wayland.events;
    bool may_ask = events->in_bytes == 0 && requests->out_bytes < MOST_BEHIND && events->out_bytes < MOST_BEHIND;
    struct pollfd at[] = {
        {.fd = connection->program, .events = (short)((may_ask ? POLLIN : 0) | (events->out_bytes ? POLLOUT : 0))},
        {.fd = connection->compositor,
         .events = (short)((events->out_bytes < MOST_BEHIND ? POLLIN : 0) | (requests->out_bytes ? POLLOUT : 0))}};
    if (poll(at, 2, -1) < 0)
        return errno == EINTR;
    bool goes_on = true;
    if (at[1].revents & (POLLIN | POLLHUP | POLLERR))
        goes_on = receive(connection->compositor, events) && wayland_take_events(&connection->wayland);
    if (goes_on && events->in_bytes == 0 && (at[0].revents & (POLLIN | POLLHUP | POLLERR)))
        goes_on = receive(connection->program, requests) && wayland_take_requests(&connection->wayland);
    bool told = deliver(connection->program, events), asked = deliver(connection->compositor, requests);
    return goes_on && told && asked;
}

static void *connection_serve(void *opaque) {
    struct connection *connection = opaque;
    shim_stay_inside();
    shim_unlock();
    while (turn(connection))
        ;
    close(connection->program);
    close(connection->compositor);
    wayland_end(&connection->wayland);
    free(connection);
    return NULL;
}

/* The program's handlers of signals run in its own threads. */
static bool connection_start(struct connection *connection) {
    pthread_t thread;
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    bool made = pthread_create(&thread, NULL, connection_serve, connection) == 0;
    if (made)
        pthread_detach(thread);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return made;
}

/* The program's descriptor becomes an end of the pair, with the flags that it had. */
static bool exchange_ends(int fd, int end) {
    int of_descriptor = fcntl(fd, F_GETFD), of_file = fcntl(fd, F_GETFL);
    return of_descriptor >= 0 && of_file >= 0 && fcntl(end, F_SETFL, of_file) == 0 &&
           dup3(end, fd, of_descriptor & FD_CLOEXEC ? O_CLOEXEC : 0) >= 0;
}

/* If something fails, the program has the compositor's socket as if this library were not there. */
static void stand_between(int fd) {
    struct connection *connection = malloc(sizeof *connection);
    int ends[2] = {-1, -1};
    if (!connection || socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
        free(connection);
        return;
    }
    connection->program = files_move_up(ends[1]);
    connection->compositor = fcntl(fd, F_DUPFD_CLOEXEC, 0);
    if (connection->compositor >= 0)
        connection->compositor = files_move_up(connection->compositor);
    wayland_begin(&connection->wayland, &wayland_host);
    bool stands = connection->compositor >= 0 && exchange_ends(fd, ends[0]);
    close(ends[0]);
    if (stands && connection_start(connection))
        return;
    if (stands)
        dup2(connection->compositor, fd);
    close(connection->program);
    if (connection->compositor >= 0)
        close(connection->compositor);
    free(connection);
}

/* ---- connect() ---- */

/* The path that programs find the compositor at: wl_display_connect() of libwayland. */
static bool is_compositor(const struct sockaddr *address, socklen_t bytes) {
    const char *folder = getenv("XDG_RUNTIME_DIR"), *name = getenv("WAYLAND_DISPLAY");
    char path[sizeof((struct sockaddr_un *)NULL)->sun_path + 1] = "", wanted[512];
    if (bytes <= offsetof(struct sockaddr_un, sun_path) || bytes > sizeof(struct sockaddr_un) ||
        address->sa_family != AF_UNIX)
        return false;
    memcpy(path, ((const struct sockaddr_un *)(const void *)address)->sun_path,
           bytes - offsetof(struct sockaddr_un, sun_path));
    name = name && *name ? name : "wayland-0";
    if (name[0] == '/')
        return strcmp(path, name) == 0;
    int length = folder ? snprintf(wanted, sizeof wanted, "%s/%s", folder, name) : -1;
    return length > 0 && (size_t)length < sizeof wanted && strcmp(path, wanted) == 0;
}

SHIM int connect(int fd, const struct sockaddr *addr, socklen_t len) {
    int status = REAL(connect)(fd, addr, len);
    if (status != 0 || !shim_chip() || !is_compositor(addr, len) || !shim_enter())
        return status;
    stand_between(fd);
    shim_leave();
    return status;
}
