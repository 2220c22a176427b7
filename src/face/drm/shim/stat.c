/* SPDX-License-Identifier: MIT */
/* What programs ask of a name: stat(), access(), readlink(), realpath(). */
#undef _FILE_OFFSET_BITS
#undef _FORTIFY_SOURCE
#include "face/drm/shim/names.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysmacros.h>
#include <sys/vfs.h>
#include <sys/xattr.h>
#include <unistd.h>

#define DRM_MAJOR 226
#define TREE_DEV  0x7066 /* st_dev of what is in the tree; no number of the kernel's */

/* The names that glibc's headers give calls, with _FORTIFY_SOURCE and before 2.33. No header declares them. */
SHIM ssize_t __readlink_chk(const char *path, char *to, size_t bytes, size_t room);
SHIM ssize_t __readlinkat_chk(int directory, const char *path, char *to, size_t bytes, size_t room);
SHIM char *__realpath_chk(const char *path, char *to, size_t room);
SHIM int __xstat(int version, const char *path, struct stat *to);
SHIM int __xstat64(int version, const char *path, struct stat64 *to);
SHIM int __lxstat(int version, const char *path, struct stat *to);
SHIM int __lxstat64(int version, const char *path, struct stat64 *to);
SHIM int __fxstatat(int version, int directory, const char *path, struct stat *to, int flags);
SHIM int __fxstatat64(int version, int directory, const char *path, struct stat64 *to, int flags);

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

static bool stat_is_empty(const char *path) {
    return path && !path[0];
}

/* Of the descriptor itself, which may be one of a node: as fstat() has it. */
static int stat_descriptor(int fd, int flags, unsigned mask, struct statx *to) {
    struct stat as;
    int status = REAL(statx)(fd, "", flags, mask, to);
    if (status == 0 && (to->stx_mode & S_IFMT) == S_IFSOCK && fstat(fd, &as) == 0) {
        to->stx_mode = (uint16_t)as.st_mode;
        to->stx_rdev_major = major(as.st_rdev);
        to->stx_rdev_minor = minor(as.st_rdev);
    }
    return status;
}

SHIM int statx(int directory, const char *path, int flags, unsigned mask, struct statx *to) {
    struct found found;
    struct stat as;
    char own[PATH_MAX];
    /* volatile: <sys/stat.h> says that neither is NULL. Rust's library has both so, and looks for EFAULT. */
    const char *volatile has_path = path;
    struct statx *volatile has_room = to;
    if (!has_path || !has_room)
        return REAL(statx)(directory, path, flags, mask, to);
    if (stat_is_empty(path) && (flags & AT_EMPTY_PATH) && directory >= 0 && shim_chip() &&
        !paths_of_descriptor(directory, own))
        return stat_descriptor(directory, flags, mask, to);
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

/* ---- statfs(), by which libudev makes sure that it looks at sysfs ---- */

_Static_assert(sizeof(struct statfs) == sizeof(struct statfs64), "struct statfs and struct statfs64 differ");

static void fill_system(const char *path, struct statfs *to) {
    memset(to, 0, sizeof *to);
    to->f_type = strncmp(path, "/sys/", 5) == 0 ? SYSFS_MAGIC : TMPFS_MAGIC;
    to->f_bsize = to->f_frsize = 4096;
    to->f_namelen = 255;
}

SHIM int fstatfs(int fd, struct statfs *to) {
    char path[PATH_MAX];
    if (!shim_chip() || !paths_of_descriptor(fd, path))
        return REAL(fstatfs)(fd, to);
    fill_system(path, to);
    return 0;
}

SHIM int fstatfs64(int fd, struct statfs64 *to) {
    return fstatfs(fd, (struct statfs *)to);
}

SHIM int statfs(const char *path, struct statfs *to) {
    struct found found;
    switch (look(AT_FDCWD, path, true, &found)) {
    case ELSEWHERE:
        return REAL(statfs)(path, to);
    case MOVED:
        return REAL(statfs)(found.path, to);
    case HERE:
        fill_system(found.path, to);
        return 0;
    default:
        return shim_result(-ENOENT);
    }
}

SHIM int statfs64(const char *path, struct statfs64 *to) {
    return statfs(path, (struct statfs *)to);
}

/* ---- extended attributes, which ls asks for ---- */

static bool no_attribute(const char *path) {
    struct found found;
    if (look(AT_FDCWD, path, true, &found) != HERE)
        return false;
    errno = ENODATA;
    return true;
}

SHIM ssize_t getxattr(const char *path, const char *name, void *value, size_t bytes) {
    return no_attribute(path) ? -1 : REAL(getxattr)(path, name, value, bytes);
}

SHIM ssize_t lgetxattr(const char *path, const char *name, void *value, size_t bytes) {
    return no_attribute(path) ? -1 : REAL(lgetxattr)(path, name, value, bytes);
}
