/* SPDX-License-Identifier: MIT */
#include "face/drm/session/output.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define FIRST_DESCRIPTOR 512 /* programs get theirs from 0 up, and select() ends at 1024 */

/* To a number that programs rarely have; with a low limit of descriptors half of that, and so on. */
static int output_move_up(int fd) {
    for (int first = FIRST_DESCRIPTOR; first > 2; first /= 2) {
        int moved = fcntl(fd, F_DUPFD_CLOEXEC, first);
        if (moved >= 0) {
            close(fd);
            return moved;
        }
    }
    return fd;
}

static bool open_file(struct output *output, int flags) {
    struct stat about;
    int fd = open(output->path, flags | O_WRONLY | O_CREAT | O_CLOEXEC | O_NOCTTY, 0666);
    if (fd < 0)
        return false;
    output->fd = output_move_up(fd);
    if (fstat(output->fd, &about) != 0)
        return false;
    output->device = about.st_dev;
    output->inode = about.st_ino;
    return true;
}

bool output_open(struct output *output, const char *path) {
    char whole[PATH_MAX];
    *output = (struct output){.fd = STDERR_FILENO};
    if (!*path)
        return true;
    output->fd = -1;
    snprintf(output->path, sizeof output->path, "%s", path);
    if (!open_file(output, O_APPEND))
        return false;
    /* For later: the program may go to another directory. */
    if (realpath(path, whole) && strlen(whole) < sizeof output->path)
        memcpy(output->path, whole, strlen(whole) + 1);
    return true;
}

bool output_create(struct output *output, const char *path) {
    *output = (struct output){.fd = -1};
    snprintf(output->path, sizeof output->path, "%s", path);
    return open_file(output, O_TRUNC);
}

static bool still_ours(const struct output *output) {
    struct stat about;
    return fstat(output->fd, &about) == 0 && about.st_dev == output->device && about.st_ino == output->inode;
}

bool output_write(struct output *output, const char *text, size_t bytes) {
    if (output->path[0] && !still_ours(output) && !open_file(output, O_APPEND))
        return false;
    while (bytes) {
        ssize_t written = write(output->fd, text, bytes);
        if (written < 0 && errno == EAGAIN) /* a program may have made its stderr so */
            poll(&(struct pollfd){.fd = output->fd, .events = POLLOUT}, 1, -1);
        else if (written < 0 && errno != EINTR)
            return false;
        if (written > 0) {
            text += written;
            bytes -= (size_t)written;
        }
    }
    return true;
}

void output_close(struct output *output) {
    if (output->path[0] && still_ours(output))
        close(output->fd);
    output->fd = -1;
}
