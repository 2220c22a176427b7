/* SPDX-License-Identifier: MIT */
/*
 * Names. What the tree does not answer for goes to libc; a link of the tree that leads out of it is followed there. A
 * descriptor of anything in the tree but a node is a file in memory whose name says where in the tree it is.
 */
#undef _FILE_OFFSET_BITS
#undef _FORTIFY_SOURCE
#define _LARGEFILE64_SOURCE
#include "face/drm/shim/shim.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#define DRM_MAJOR  226
#define TEXT_BYTES 4096
#define TREE_DEV   0x7066 /* st_dev of what is in the tree; no number of the kernel's */

/* ---- where a path leads ---- */

enum where { ELSEWHERE, HERE, NOWHERE, MOVED };

struct found {
    const struct tree_entry *entry; /* HERE */
    char path[PATH_MAX];            /* HERE: without links. MOVED: where to look instead */
};

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

static enum where look(int directory, const char *path, bool follow, struct found *found) {
    char base[PATH_MAX];
    if (!path || !shim_chip())
        return ELSEWHERE;
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

static int open_text(const struct tree_entry *entry, int fd) {
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
        status = open_text(entry, fd);
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
// NOLINTBEGIN(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp)
SHIM int __open_2(const char *path, int flags);
SHIM int __open64_2(const char *path, int flags);
SHIM int __openat_2(int directory, const char *path, int flags);
SHIM int __openat64_2(int directory, const char *path, int flags);
SHIM ssize_t __readlink_chk(const char *path, char *to, size_t bytes, size_t room);
SHIM ssize_t __readlinkat_chk(int directory, const char *path, char *to, size_t bytes, size_t room);
SHIM char *__realpath_chk(const char *path, char *to, size_t room);
SHIM int __xstat(int version, const char *path, struct stat *to);
SHIM int __xstat64(int version, const char *path, struct stat64 *to);
SHIM int __lxstat(int version, const char *path, struct stat *to);
SHIM int __lxstat64(int version, const char *path, struct stat64 *to);
SHIM int __fxstatat(int version, int directory, const char *path, struct stat *to, int flags);
SHIM int __fxstatat64(int version, int directory, const char *path, struct stat64 *to, int flags);

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

static FILE *open_stream(const char *path, const char *mode, FILE *(*real)(const char *, const char *)) {
    struct found found;
    switch (look(AT_FDCWD, path, true, &found)) {
    case ELSEWHERE:
        return real(path, mode);
    case MOVED:
        return real(found.path, mode);
    case HERE: {
        int flags = strchr(mode, 'r') && !strchr(mode, '+') ? O_RDONLY : O_RDWR;
        int fd = shim_result(open_here(found.entry, flags | (strchr(mode, 'e') ? O_CLOEXEC : 0)));
        return fd < 0 ? NULL : fdopen(fd, mode);
    }
    default:
        errno = ENOENT;
        return NULL;
    }
}

SHIM FILE *fopen(const char *path, const char *mode) {
    return open_stream(path, mode, REAL(fopen));
}

SHIM FILE *fopen64(const char *path, const char *mode) {
    return open_stream(path, mode, REAL(fopen64));
}

/* ---- stat() ---- */

void paths_fill(const struct tree_entry *entry, struct stat *to) {
    static const mode_t modes[] = {[TREE_DIRECTORY] = S_IFDIR | 0755,
                                   [TREE_LINK] = S_IFLNK | 0777,
                                   [TREE_FILE] = S_IFREG | 0444,
                                   [TREE_NODE] = S_IFCHR | 0666};
    char text[TEXT_BYTES];
    memset(to, 0, sizeof *to);
    to->st_dev = TREE_DEV;
    to->st_ino = tree_inode(entry);
    to->st_mode = modes[entry->type];
    to->st_nlink = entry->type == TREE_DIRECTORY ? 2 : 1;
    to->st_blksize = 4096;
    if (entry->type == TREE_NODE)
        to->st_rdev = makedev(DRM_MAJOR, tree_minor(entry->node));
    if (entry->type == TREE_LINK)
        to->st_size = (off_t)strlen(entry->text);
    if (entry->type == TREE_FILE)
        to->st_size = (off_t)tree_text(entry, shim_chip(), text, sizeof text);
}

static int stat_at(int directory, const char *path, struct stat *to, int flags) {
    struct found found;
    if (path && !path[0] && (flags & AT_EMPTY_PATH) && directory != AT_FDCWD)
        return fstat(directory, to);
    switch (look(directory, path, !(flags & AT_SYMLINK_NOFOLLOW), &found)) {
    case ELSEWHERE:
        return REAL(fstatat)(directory, path, to, flags);
    case MOVED:
        return REAL(fstatat)(AT_FDCWD, found.path, to, flags);
    case HERE:
        paths_fill(found.entry, to);
        return 0;
    default:
        return shim_result(-ENOENT);
    }
}

SHIM int stat(const char *path, struct stat *to) {
    return stat_at(AT_FDCWD, path, to, 0);
}

SHIM int stat64(const char *path, struct stat64 *to) {
    return stat_at(AT_FDCWD, path, (struct stat *)to, 0);
}

SHIM int lstat(const char *path, struct stat *to) {
    return stat_at(AT_FDCWD, path, to, AT_SYMLINK_NOFOLLOW);
}

SHIM int lstat64(const char *path, struct stat64 *to) {
    return stat_at(AT_FDCWD, path, (struct stat *)to, AT_SYMLINK_NOFOLLOW);
}

SHIM int fstatat(int directory, const char *path, struct stat *to, int flags) {
    return stat_at(directory, path, to, flags);
}

SHIM int fstatat64(int directory, const char *path, struct stat64 *to, int flags) {
    return stat_at(directory, path, (struct stat *)to, flags);
}

SHIM int __xstat(int version, const char *path, struct stat *to) {
    (void)version;
    return stat_at(AT_FDCWD, path, to, 0);
}

SHIM int __xstat64(int version, const char *path, struct stat64 *to) {
    (void)version;
    return stat_at(AT_FDCWD, path, (struct stat *)to, 0);
}

SHIM int __lxstat(int version, const char *path, struct stat *to) {
    (void)version;
    return stat_at(AT_FDCWD, path, to, AT_SYMLINK_NOFOLLOW);
}

SHIM int __lxstat64(int version, const char *path, struct stat64 *to) {
    (void)version;
    return stat_at(AT_FDCWD, path, (struct stat *)to, AT_SYMLINK_NOFOLLOW);
}

SHIM int __fxstatat(int version, int directory, const char *path, struct stat *to, int flags) {
    (void)version;
    return stat_at(directory, path, to, flags);
}

SHIM int __fxstatat64(int version, int directory, const char *path, struct stat64 *to, int flags) {
    (void)version;
    return stat_at(directory, path, (struct stat *)to, flags);
}

static void fill_extended(const struct stat *from, struct statx *to) {
    *to = (struct statx){.stx_mask = STATX_BASIC_STATS,
                         .stx_blksize = (uint32_t)from->st_blksize,
                         .stx_nlink = (uint32_t)from->st_nlink,
                         .stx_uid = from->st_uid,
                         .stx_gid = from->st_gid,
                         .stx_mode = (uint16_t)from->st_mode,
                         .stx_ino = from->st_ino,
                         .stx_size = (uint64_t)from->st_size,
                         .stx_rdev_major = major(from->st_rdev),
                         .stx_rdev_minor = minor(from->st_rdev),
                         .stx_dev_minor = (uint32_t)from->st_dev};
}

SHIM int statx(int directory, const char *path, int flags, unsigned mask, struct statx *to) {
    struct found found;
    struct stat as;
    switch (look(directory, path, !(flags & AT_SYMLINK_NOFOLLOW), &found)) {
    case ELSEWHERE:
        return REAL(statx)(directory, path, flags, mask, to);
    case MOVED:
        return REAL(statx)(AT_FDCWD, found.path, flags, mask, to);
    case HERE:
        paths_fill(found.entry, &as);
        fill_extended(&as, to);
        return 0;
    default:
        return shim_result(-ENOENT);
    }
}

static int access_at(int directory, const char *path, int mode, int flags) {
    struct found found;
    switch (look(directory, path, !(flags & AT_SYMLINK_NOFOLLOW), &found)) {
    case ELSEWHERE:
        return REAL(faccessat)(directory, path, mode, flags);
    case MOVED:
        return REAL(faccessat)(AT_FDCWD, found.path, mode, flags);
    case HERE:
        return (mode & W_OK) && found.entry->type == TREE_FILE ? shim_result(-EACCES) : 0;
    default:
        return shim_result(-ENOENT);
    }
}

SHIM int access(const char *path, int mode) {
    return access_at(AT_FDCWD, path, mode, 0);
}

SHIM int faccessat(int directory, const char *path, int mode, int flags) {
    return access_at(directory, path, mode, flags);
}

/* ---- links ---- */

static ssize_t read_link_at(int directory, const char *path, char *to, size_t bytes) {
    struct found found;
    char own[PATH_MAX];
    if (path && !path[0] && shim_chip() && paths_of_descriptor(directory, own))
        return read_link_at(AT_FDCWD, own, to, bytes);
    enum where where = look(directory, path, false, &found);
    if (where == ELSEWHERE)
        return REAL(readlinkat)(directory, path, to, bytes);
    if (where == MOVED)
        return REAL(readlinkat)(AT_FDCWD, found.path, to, bytes);
    if (where == NOWHERE || found.entry->type != TREE_LINK)
        return shim_result(where == NOWHERE ? -ENOENT : -EINVAL);
    size_t length = strlen(found.entry->text);
    length = length < bytes ? length : bytes;
    memcpy(to, found.entry->text, length);
    return (ssize_t)length;
}

SHIM ssize_t readlink(const char *path, char *to, size_t bytes) {
    return read_link_at(AT_FDCWD, path, to, bytes);
}

SHIM ssize_t readlinkat(int directory, const char *path, char *to, size_t bytes) {
    return read_link_at(directory, path, to, bytes);
}

SHIM ssize_t __readlink_chk(const char *path, char *to, size_t bytes, size_t room) {
    if (bytes > room)
        abort();
    return read_link_at(AT_FDCWD, path, to, bytes);
}

SHIM ssize_t __readlinkat_chk(int directory, const char *path, char *to, size_t bytes, size_t room) {
    if (bytes > room)
        abort();
    return read_link_at(directory, path, to, bytes);
}

static char *real_path(const char *path, char *to) {
    struct found found;
    const char *result = found.path;
    switch (look(AT_FDCWD, path, true, &found)) {
    case ELSEWHERE:
        return REAL(realpath)(path, to);
    case MOVED: /* into sysfs, where a host may have nothing of the kind: /sys/bus/pci */
        break;
    case HERE:
        break;
    default:
        errno = ENOENT;
        return NULL;
    }
    if (!to)
        return strdup(result);
    memcpy(to, result, strlen(result) + 1);
    return to;
}

SHIM char *realpath(const char *path, char *to) {
    return real_path(path, to);
}

SHIM char *__realpath_chk(const char *path, char *to, size_t room) {
    if (to && room < PATH_MAX)
        abort();
    return real_path(path, to);
}

SHIM char *canonicalize_file_name(const char *path) {
    return real_path(path, NULL);
}
// NOLINTEND(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp)
