/* SPDX-License-Identifier: MIT */
/*
 * The files of the device, which exist in no file system: its nodes in /dev/dri, and what sysfs says of it. As libdrm,
 * Mesa and libudev look for them:
 *
 *   /dev/dri/{card0,renderD128}
 *   /sys/class/drm/{card0,renderD128} -> the directories of the nodes below
 *   /sys/dev/char/226:{0,128}         -> the same
 *   /sys/devices/pcifff0:01/fff0:01:00.0/      vendor, device, uevent, subsystem -> .../bus/pci ...
 *   /sys/devices/pcifff0:01/fff0:01:00.0/drm/  card0/, renderD128/: uevent, dev, device -> ../.., subsystem
 *
 * No host has this PCI address: domains end before. A device of the host in these directories is hidden.
 */
#ifndef PFIFO_SRC_FACE_DRM_TREE_H
#define PFIFO_SRC_FACE_DRM_TREE_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "face/drm/drm.h"

enum tree_type { TREE_DIRECTORY, TREE_LINK, TREE_FILE, TREE_NODE };

struct tree_entry {
    const char *path; /* absolute, without links in it */
    enum tree_type type;
    const char *text; /* TREE_LINK: target; TREE_FILE: what is in it, see tree_text() */
    enum drm_node_type node;
};

/* Is a path one that the tree answers for? `path` may be relative to `base` (NULL: it must be absolute). */
bool tree_has(const char *base, const char *path);

/*
 * The entry of a path of the tree; its last link is followed if `follow`. NULL: ENOENT. `canonical` (NULL allowed) gets
 * the path without links, of PATH_MAX bytes; it may lead out of the tree: then the result is NULL, and *outside true.
 */
const struct tree_entry *tree_find(const char *base, const char *path, bool follow, char *canonical, bool *outside);

/* Entry `index` (0 ...) in a directory, and the name that it has there. NULL beyond the last. */
const struct tree_entry *tree_child(const struct tree_entry *directory, unsigned index, const char **name);

/*
 * The same for a directory of the host's, by its path: what it has of the tree (/dev has dri). NULL: nothing, or beyond
 * the last.
 */
const struct tree_entry *tree_guest(const char *directory, unsigned index, const char **name);

/* What a file says, as of this chip. The result is of `room` bytes at most. */
size_t tree_text(const struct tree_entry *entry, const struct pfifo_chip *chip, char *text, size_t room);

/* A number of its own for each entry, not 0. */
uint64_t tree_inode(const struct tree_entry *entry);

/* Numbers of a node: major 226, and the minor. */
unsigned tree_minor(enum drm_node_type node);

#endif
