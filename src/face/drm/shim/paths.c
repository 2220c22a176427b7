/* SPDX-License-Identifier: MIT */
/*
 * Names. What the tree does not answer for goes to libc; a link of the tree that leads out of it is followed there. A
 * descriptor of anything in the tree but a node is a file in memory whose name says where in the tree it is.
 */
#undef _FILE_OFFSET_BITS
#undef _FORTIFY_SOURCE
#include "face/drm/shim/names.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/sysmacros.h>
#include <unistd.h>

/* ---- where a path leads ---- */

bool paths_of_descriptor(int fd, char *path) {
    static const char prefix[] = "/memfd:" TREE_FD_NAME, suffix[] = " (deleted)";
    char link[64], name[PATH_MAX];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = REAL(readlink)(link, name, sizeof name - 1);
    if (length < (ssize_t)(sizeof prefix - 1))
        return false;
    name[length] = '\0';
    if (strncmp(name, prefix, sizeof prefix - 1) != 0)
        return false;
    size_t rest = (size_t)length - (sizeof prefix - 1);
    if (rest >= sizeof suffix - 1 && strcmp(name + length - (sizeof suffix - 1), suffix) == 0)
        rest -= sizeof suffix - 1;
    memcpy(path, name + sizeof prefix - 1, rest);
    path[rest] = '\0';
    return true;
}

/* Of what a relative path is relative to. False: nothing of interest. */
static bool find_base(int directory, char *base) {
    if (directory == AT_FDCWD || paths_of_descriptor(directory, base))
        return directory != AT_FDCWD;
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", directory);
    ssize_t length = REAL(readlink)(link, base, PATH_MAX - 1);
    if (length <= 0)
        return false;
    base[length] = '\0';
    return base[0] == '/';
}

enum where look(int directory, const char *path, bool follow, struct found *found) {
    char base[PATH_MAX];
    if (!path || !shim_chip())
        return ELSEWHERE;
    const size_t length = strlen(path);
    if (length && path[length - 1] == '/')
        follow = true; /* as the kernel: what is in the directory is meant */
    bool relative = path[0] != '/';
    if (relative && !find_base(directory, base))
        return ELSEWHERE;
    if (!tree_has(relative ? base : NULL, path))
        return ELSEWHERE;
    bool outside;
    found->entry = tree_find(relative ? base : NULL, path, follow, found->path, &outside);
    if (found->entry)
        return HERE;
    return outside ? MOVED : NOWHERE;
}

/* ---- open() ---- */

static int paths_open_text(const struct tree_entry *entry, int fd) {
    char text[TEXT_BYTES];
    size_t bytes = tree_text(entry, shim_chip(), text, sizeof text);
    return write(fd, text, bytes) == (ssize_t)bytes && lseek(fd, 0, SEEK_SET) == 0 ? 0 : -ENOSPC;
}

static int open_memory(const struct tree_entry *entry, int flags) {
    char name[256];
    snprintf(name, sizeof name, TREE_FD_NAME "%s", entry->path);
    int fd = memfd_create(name, flags & O_CLOEXEC ? MFD_CLOEXEC : 0), status = 0;
    if (fd < 0)
        return -errno;
    if (entry->type == TREE_FILE)
        status = paths_open_text(entry, fd);
    if (status)
        close(fd);
    return status ? status : fd;
}

static int open_node(const struct tree_entry *entry, int flags) {
    if (!shim_enter())
        return -ENODEV;
    int fd = files_open(entry->node, flags);
    shim_leave();
    return fd;
}

static int open_here(const struct tree_entry *entry, int flags) {
    bool only_path = flags & O_PATH, writes = (flags & O_ACCMODE) != O_RDONLY;
    if ((flags & O_CREAT) && (flags & O_EXCL))
        return -EEXIST;
    if ((flags & O_DIRECTORY) && entry->type != TREE_DIRECTORY)
        return -ENOTDIR;
    if (only_path)
        return open_memory(entry, flags);
    switch (entry->type) {
    case TREE_NODE:
        return open_node(entry, flags);
    case TREE_LINK: /* only with O_NOFOLLOW */
        return -ELOOP;
    case TREE_DIRECTORY:
        return writes ? -EISDIR : open_memory(entry, flags);
    default:
        return writes ? -EACCES : open_memory(entry, flags);
    }
}

static int open_at(int directory, const char *path, int flags, mode_t mode) {
    struct found found;
    switch (look(directory, path, !(flags & O_NOFOLLOW), &found)) {
    case ELSEWHERE:
        return REAL(openat)(directory, path, flags, mode);
    case MOVED:
        return REAL(openat)(AT_FDCWD, found.path, flags, mode);
    case HERE:
        return shim_result(open_here(found.entry, flags));
    default:
        return shim_result(-ENOENT);
    }
}

#define MODE_OF(flags, mode)                                                                                           \
    mode_t mode = 0;                                                                                                   \
    if ((flags) & (O_CREAT | __O_TMPFILE)) {                                                                           \
        va_list rest;                                                                                                  \
        va_start(rest, flags);                                                                                         \
        mode = va_arg(rest, mode_t);                                                                                   \
        va_end(rest);                                                                                                  \
    }

SHIM int open(const char *path, int flags, ...) {
    MODE_OF(flags, mode)
    return open_at(AT_FDCWD, path, flags, mode);
}

SHIM int open64(const char *path, int flags, ...) {
    MODE_OF(flags, mode)
    return open_at(AT_FDCWD, path, flags | O_LARGEFILE, mode);
}

SHIM int openat(int directory, const char *path, int flags, ...) {
    MODE_OF(flags, mode)
    return open_at(directory, path, flags, mode);
}

SHIM int openat64(int directory, const char *path, int flags, ...) {
    MODE_OF(flags, mode)
    return open_at(directory, path, flags | O_LARGEFILE, mode);
}

/* The names that glibc's headers give calls, with _FORTIFY_SOURCE and before 2.33. No header declares them. */
SHIM int __open_2(const char *path, int flags);
SHIM int __open64_2(const char *path, int flags);
SHIM int __openat_2(int directory, const char *path, int flags);
SHIM int __openat64_2(int directory, const char *path, int flags);

SHIM int __open_2(const char *path, int flags) {
    return open_at(AT_FDCWD, path, flags, 0);
}

SHIM int __open64_2(const char *path, int flags) {
    return open_at(AT_FDCWD, path, flags | O_LARGEFILE, 0);
}

SHIM int __openat_2(int directory, const char *path, int flags) {
    return open_at(directory, path, flags, 0);
}

SHIM int __openat64_2(int directory, const char *path, int flags) {
    return open_at(directory, path, flags | O_LARGEFILE, 0);
}

static FILE *paths_open_stream(const char *path, const char *mode, FILE *(*real)(const char *, const char *)) {
    struct found found;
    switch (look(AT_FDCWD, path, true, &found)) {
    case ELSEWHERE:
        return real(path, mode);
    case MOVED:
        return real(found.path, mode);
    case HERE: {
        int flags = strchr(mode, 'r') && !strchr(mode, '+') ? O_RDONLY : O_RDWR;
        int fd = shim_result(open_here(found.entry, flags | (strchr(mode, 'e') ? O_CLOEXEC : 0)));
        FILE *stream = fd < 0 ? NULL : fdopen(fd, mode);
        int error = errno;
        if (fd >= 0 && !stream) /* no such mode */
            close(fd);
        errno = error;
        return stream;
    }
    default:
        errno = ENOENT;
        return NULL;
    }
}

SHIM FILE *fopen(const char *path, const char *mode) {
    return paths_open_stream(path, mode, REAL(fopen));
}

SHIM FILE *fopen64(const char *path, const char *mode) {
    return paths_open_stream(path, mode, REAL(fopen64));
}
