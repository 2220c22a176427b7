/* SPDX-License-Identifier: MIT */
/* Directories of the tree. A DIR of ours is known by being in the list. */
#undef _FILE_OFFSET_BITS
#include "face/drm/shim/shim.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct tree_dir {
    struct tree_dir *next;
    const struct tree_entry *entry;
    unsigned at; /* 0 and 1 are "." and ".." */
    int fd;      /* -1: none was asked for yet */
    struct dirent now;
};

static struct tree_dir *dirs;
static pthread_mutex_t dirs_lock = PTHREAD_MUTEX_INITIALIZER;

static struct tree_dir *ours(DIR *dir) {
    if (!shim_chip())
        return NULL;
    pthread_mutex_lock(&dirs_lock);
    struct tree_dir *found = dirs;
    while (found && (DIR *)found != dir)
        found = found->next;
    pthread_mutex_unlock(&dirs_lock);
    return found;
}

static DIR *open_entry(const struct tree_entry *entry, int fd) {
    struct tree_dir *dir = NULL;
    if (!entry)
        errno = ENOENT;
    else if (entry->type != TREE_DIRECTORY)
        errno = ENOTDIR;
    else
        dir = calloc(1, sizeof *dir);
    if (!dir)
        return NULL;
    dir->entry = entry;
    dir->fd = fd;
    pthread_mutex_lock(&dirs_lock);
    dir->next = dirs;
    dirs = dir;
    pthread_mutex_unlock(&dirs_lock);
    return (DIR *)dir;
}

SHIM DIR *opendir(const char *path) {
    char canonical[PATH_MAX];
    bool outside = false;
    if (!shim_chip() || !tree_has(NULL, path))
        return REAL(opendir)(path);
    const struct tree_entry *entry = tree_find(NULL, path, true, canonical, &outside);
    return outside ? REAL(opendir)(canonical) : open_entry(entry, -1);
}

SHIM DIR *fdopendir(int fd) {
    char path[PATH_MAX];
    bool outside;
    if (!shim_chip() || !paths_of_descriptor(fd, path))
        return REAL(fdopendir)(fd);
    return open_entry(tree_find(NULL, path, false, NULL, &outside), fd);
}

static struct dirent *read_ours(struct tree_dir *dir) {
    static const unsigned char types[] = {
        [TREE_DIRECTORY] = DT_DIR, [TREE_LINK] = DT_LNK, [TREE_FILE] = DT_REG, [TREE_NODE] = DT_CHR};
    const struct tree_entry *entry = dir->entry;
    const char *name = dir->at == 0 ? "." : "..";
    if (dir->at >= 2)
        entry = tree_child(dir->entry, dir->at - 2, &name);
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
    pthread_mutex_lock(&dirs_lock);
    struct tree_dir **at = &dirs;
    while (*at != found)
        at = &(*at)->next;
    *at = found->next;
    pthread_mutex_unlock(&dirs_lock);
    if (found->fd >= 0)
        close(found->fd);
    free(found);
    return 0;
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
    else
        REAL(rewinddir)(dir);
}

SHIM long telldir(DIR *dir) {
    struct tree_dir *found = ours(dir);
    return found ? (long)found->at : REAL(telldir)(dir);
}

SHIM void seekdir(DIR *dir, long at) {
    struct tree_dir *found = ours(dir);
    if (found)
        found->at = at > 0 ? (unsigned)at : 0;
    else
        REAL(seekdir)(dir, at);
}

/* ---- scandir(), which libc does without the calls above ---- */

typedef int (*filter_type)(const struct dirent *entry);
typedef int (*order_type)(const struct dirent **one, const struct dirent **other);
typedef int (*compare_type)(const void *one, const void *other);

static int add(struct dirent ***list, unsigned count, const struct dirent *entry) {
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
        if (add(list, count, entry) != 0) {
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

SHIM int scandir(const char *path, struct dirent ***list, filter_type filter, order_type order) {
    if (!shim_chip() || !tree_has(NULL, path))
        return REAL(scandir)(path, list, filter, order);
    return scan(path, list, filter, order);
}

SHIM int scandir64(const char *path, struct dirent64 ***list, int (*filter)(const struct dirent64 *),
                   int (*order)(const struct dirent64 **, const struct dirent64 **)) {
    if (!shim_chip() || !tree_has(NULL, path))
        return REAL(scandir64)(path, list, filter, order);
    return scan(path, (struct dirent ***)list, (filter_type)(void (*)(void))filter, (order_type)(void (*)(void))order);
}
