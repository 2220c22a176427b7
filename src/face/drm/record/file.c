/* SPDX-License-Identifier: MIT */
#include "face/drm/record/file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#define MOST_FILES       9999u
#define FIRST_DESCRIPTOR 512

static int file_make(const char *path) {
    char name[PATH_MAX];
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    for (unsigned i = 2; fd < 0 && errno == EEXIST && i <= MOST_FILES; i++) {
        snprintf(name, sizeof name, "%.4000s.%u", path, i);
        fd = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    }
    return fd;
}

/* Out of the way of programs that count on low numbers. */
static int file_move_up(int fd) {
    int high = fcntl(fd, F_DUPFD_CLOEXEC, FIRST_DESCRIPTOR);
    if (high < 0)
        return fd;
    close(fd);
    return high;
}

bool record_file_open(struct record_file *file, const char *path) {
    struct stat as;
    int fd = file_make(path);
    if (fd < 0)
        return false;
    fd = file_move_up(fd);
    if (fstat(fd, &as) != 0) {
        close(fd);
        return false;
    }
    *file = (struct record_file){fd, as.st_dev, as.st_ino};
    return true;
}

static bool file_is_ours(const struct record_file *file) {
    struct stat as;
    return file->fd >= 0 && fstat(file->fd, &as) == 0 && as.st_dev == file->dev && as.st_ino == file->ino;
}

bool record_file_write(const struct record_file *file, const void *data, size_t bytes) {
    const uint8_t *from = data;
    if (!file_is_ours(file)) {
        errno = EBADF;
        return false;
    }
    while (bytes) {
        ssize_t written = write(file->fd, from, bytes);
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            return false;
        from += written;
        bytes -= (size_t)written;
    }
    return true;
}

void record_file_close(struct record_file *file) {
    if (file_is_ours(file))
        close(file->fd);
    file->fd = -1;
}
