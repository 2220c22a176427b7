/* SPDX-License-Identifier: MIT */
/*
 * Directories of the tree, and those of the host that a part of the tree is in: there, what the tree has comes in the
 * place of the host's. A DIR of ours is known by being in the list.
 */
#undef _FILE_OFFSET_BITS
#include "face/drm/shim/owned_lock.h"
#include "face/drm/shim/shim.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define GUESTS (1L << 62) /* places in a directory of the host's from here on are the tree's */

struct tree_dir {
    struct tree_dir *next;
    const struct tree_entry *entry; /* NULL: one of the host's ... */
    DIR *host;                      /* ... which this is */
    char *path;                     /* and where it is */
    unsigned at;                    /* 0 and 1 are "." and ".."; of the host's only what the tree has counts */
    int fd;                         /* -1: none was asked for yet */
    struct dirent now;
};

static struct tree_dir *dirs;
static struct owned_lock dirs_lock;

void dirs_before_fork(void) {
    owned_lock_take(&dirs_lock);
}

/* The child has only one thread, the one that holds the lock. */
void dirs_after_fork(void) {
    owned_lock_release(&dirs_lock);
}

static struct tree_dir *ours(DIR *dir) {
    if (!shim_chip())
        return NULL;
    owned_lock_take(&dirs_lock);
    struct tree_dir *found = dirs;
    while (found && (DIR *)found != dir)
        found = found->next;
    owned_lock_release(&dirs_lock);
    return found;
}

static DIR *dir_enter(struct tree_dir dir) {
    struct tree_dir *made = malloc(sizeof *made);
    if (!made)
        return NULL;
    *made = dir;
    owned_lock_take(&dirs_lock);
    made->next = dirs;
    dirs = made;
    owned_lock_release(&dirs_lock);
    return (DIR *)made;
}

static DIR *open_entry(const struct tree_entry *entry, int fd) {
    if (!entry || entry->type != TREE_DIRECTORY) {
        errno = entry ? ENOTDIR : ENOENT;
        return NULL;
    }
    return dir_enter((struct tree_dir){.entry = entry, .fd = fd});
}

/* A directory of the host's that has something of the tree in it. */
static DIR *open_host(const char *path) {
    DIR *host = REAL(opendir)(path);
    const char *name;
    if (!host || !tree_guest(path, 0, &name))
        return host;
    struct tree_dir dir = {.host = host, .path = strdup(path), .fd = REAL(dirfd)(host)};
    DIR *made = dir.path ? dir_enter(dir) : NULL;
    if (!made)
        free(dir.path);
    return made ? made : host;
}

SHIM DIR *opendir(const char *path) {
    char canonical[PATH_MAX];
    bool outside = false;
    if (!shim_chip())
        return REAL(opendir)(path);
    if (!tree_has(NULL, path))
        return open_host(path);
    const struct tree_entry *entry = tree_find(NULL, path, true, canonical, &outside);
    return outside ? open_host(canonical) : open_entry(entry, -1);
}

SHIM DIR *fdopendir(int fd) {
    char path[PATH_MAX];
    bool outside;
    if (!shim_chip() || !paths_of_descriptor(fd, path))
        return REAL(fdopendir)(fd);
    return open_entry(tree_find(NULL, path, false, NULL, &outside), fd);
}

static bool is_guest(const struct tree_dir *dir, const char *wanted) {
    const char *name;
    for (unsigned i = 0; tree_guest(dir->path, i, &name); i++)
        if (strcmp(name, wanted) == 0)
            return true;
    return false;
}

/* What the host has, without what the tree has instead. NULL: no more. */
static struct dirent *read_host(const struct tree_dir *dir) {
    struct dirent *entry;
    do
        entry = REAL(readdir)(dir->host);
    while (entry && is_guest(dir, entry->d_name));
    return entry;
}

static struct dirent *read_ours(struct tree_dir *dir) {
    static const unsigned char types[] = {
        [TREE_DIRECTORY] = DT_DIR, [TREE_LINK] = DT_LNK, [TREE_FILE] = DT_REG, [TREE_NODE] = DT_CHR};
    const struct tree_entry *entry = dir->entry;
    const char *name = dir->at == 0 ? "." : "..";
    if (dir->host) {
        struct dirent *there = dir->at == 0 ? read_host(dir) : NULL;
        if (there)
            return there;
        entry = tree_guest(dir->path, dir->at, &name);
    } else if (dir->at >= 2) {
        entry = tree_child(dir->entry, dir->at - 2, &name);
    }
    if (!entry)
        return NULL;
    dir->at++;
    dir->now.d_ino = tree_inode(entry);
    dir->now.d_off = dir->at;
    dir->now.d_reclen = sizeof dir->now;
    dir->now.d_type = types[entry->type];
    snprintf(dir->now.d_name, sizeof dir->now.d_name, "%s", name);
    return &dir->now;
}

_Static_assert(sizeof(struct dirent) == sizeof(struct dirent64), "struct dirent and struct dirent64 differ");

SHIM struct dirent *readdir(DIR *dir) {
    struct tree_dir *found = ours(dir);
    return found ? read_ours(found) : REAL(readdir)(dir);
}

SHIM struct dirent64 *readdir64(DIR *dir) {
    struct tree_dir *found = ours(dir);
    return found ? (struct dirent64 *)read_ours(found) : REAL(readdir64)(dir);
}

SHIM int closedir(DIR *dir) {
    struct tree_dir *found = ours(dir);
    if (!found)
        return REAL(closedir)(dir);
    owned_lock_take(&dirs_lock);
    struct tree_dir **at = &dirs;
    while (*at != found)
        at = &(*at)->next;
    *at = found->next;
    owned_lock_release(&dirs_lock);
    int status = 0;
    if (found->host)
        status = REAL(closedir)(found->host);
    else if (found->fd >= 0)
        close(found->fd);
    free(found->path);
    free(found);
    return status;
}

SHIM int dirfd(DIR *dir) {
    struct tree_dir *found = ours(dir);
    if (!found)
        return REAL(dirfd)(dir);
    if (found->fd < 0)
        found->fd = open(found->entry->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    return found->fd;
}

SHIM void rewinddir(DIR *dir) {
    struct tree_dir *found = ours(dir);
    if (found)
        found->at = 0;
    if (!found || found->host)
        REAL(rewinddir)(found ? found->host : dir);
}

SHIM long telldir(DIR *dir) {
    struct tree_dir *found = ours(dir);
    if (found && (!found->host || found->at))
        return found->host ? GUESTS + (long)found->at : (long)found->at;
    return REAL(telldir)(found ? found->host : dir);
}

SHIM void seekdir(DIR *dir, long at) {
    struct tree_dir *found = ours(dir);
    const long first = found && found->host ? GUESTS : 0;
    if (found)
        found->at = at > first ? (unsigned)(at - first) : 0;
    if (!found || (found->host && !found->at))
        REAL(seekdir)(found ? found->host : dir, at);
}

/* ---- scandir(), which libc does without the calls above ---- */

typedef int (*filter_type)(const struct dirent *entry);
typedef int (*order_type)(const struct dirent **one, const struct dirent **other);
typedef int (*compare_type)(const void *one, const void *other);

static int dir_add(struct dirent ***list, unsigned count, const struct dirent *entry) {
    // NOLINTNEXTLINE(bugprone-sizeof-expression): the list is one of pointers
    struct dirent **grown = realloc(*list, (count + 1) * sizeof **list), *copy = malloc(sizeof *copy);
    if (grown)
        *list = grown;
    if (!grown || !copy) {
        free(copy);
        return -1;
    }
    *copy = *entry;
    grown[count] = copy;
    return 0;
}

static int scan(const char *path, struct dirent ***list, filter_type filter, order_type order) {
    DIR *dir = opendir(path);
    unsigned count = 0;
    const struct dirent *entry;
    *list = NULL;
    if (!dir)
        return -1;
    while ((entry = readdir(dir)) != NULL) {
        if (filter && !filter(entry))
            continue;
        if (dir_add(list, count, entry) != 0) {
            closedir(dir);
            errno = ENOMEM;
            return -1;
        }
        count++;
    }
    closedir(dir);
    if (order && count) // NOLINTNEXTLINE(bugprone-sizeof-expression): of pointers, too
        qsort(*list, count, sizeof **list, (compare_type)(void (*)(void))order);
    return (int)count;
}

static bool shows(const char *path) {
    const char *name;
    return tree_has(NULL, path) || tree_guest(path, 0, &name);
}

SHIM int scandir(const char *path, struct dirent ***list, filter_type filter, order_type order) {
    if (!shim_chip() || !shows(path))
        return REAL(scandir)(path, list, filter, order);
    return scan(path, list, filter, order);
}

SHIM int scandir64(const char *path, struct dirent64 ***list, int (*filter)(const struct dirent64 *),
                   int (*order)(const struct dirent64 **, const struct dirent64 **)) {
    if (!shim_chip() || !shows(path))
        return REAL(scandir64)(path, list, filter, order);
    return scan(path, (struct dirent ***)list, (filter_type)(void (*)(void))filter, (order_type)(void (*)(void))order);
}
