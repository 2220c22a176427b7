/* SPDX-License-Identifier: MIT */
#include "face/drm/shim/tree.h"

#include <stdio.h>
#include <string.h>

#include "face/drm/board.h"

#define SLOT   BOARD_SLOT
#define ROOT   "/sys/devices/pcifff0:01"
#define BOARD  ROOT "/" SLOT
#define CARD   BOARD "/drm/card0"
#define RENDER BOARD "/drm/renderD128"

#define DIRECTORY(path)                                                                                                \
    { path, TREE_DIRECTORY, NULL, DRM_NODE_CARD }
#define LINK(path, target)                                                                                             \
    { path, TREE_LINK, target, DRM_NODE_CARD }
#define FILE_OF(path, text)                                                                                            \
    { path, TREE_FILE, text, DRM_NODE_CARD }

/* %V vendor, %D device, %S both as uevent has them. A Tegra has no PCI id: it shows that of no board, 0. */
static const struct tree_entry entries[] = {
    DIRECTORY("/dev/dri"),
    {"/dev/dri/card0", TREE_NODE, NULL, DRM_NODE_CARD},
    {"/dev/dri/renderD128", TREE_NODE, NULL, DRM_NODE_RENDER},
    DIRECTORY("/sys/class/drm"),
    LINK("/sys/class/drm/card0", "../../devices/pcifff0:01/" SLOT "/drm/card0"),
    LINK("/sys/class/drm/renderD128", "../../devices/pcifff0:01/" SLOT "/drm/renderD128"),
    LINK("/sys/dev/char/226:0", "../../devices/pcifff0:01/" SLOT "/drm/card0"),
    LINK("/sys/dev/char/226:128", "../../devices/pcifff0:01/" SLOT "/drm/renderD128"),
    DIRECTORY(ROOT),
    DIRECTORY(BOARD),
    FILE_OF(BOARD "/vendor", "0x%V\n"),
    FILE_OF(BOARD "/device", "0x%D\n"),
    FILE_OF(BOARD "/subsystem_vendor", "0x%V\n"),
    FILE_OF(BOARD "/subsystem_device", "0x%D\n"),
    FILE_OF(BOARD "/revision", "0xa1\n"),
    FILE_OF(BOARD "/class", "0x030000\n"),
    FILE_OF(BOARD "/boot_vga", "1\n"),
    FILE_OF(BOARD "/uevent", "DRIVER=nouveau\nPCI_CLASS=30000\nPCI_ID=%V:%D\nPCI_SUBSYS_ID=%V:%D\n"
                             "PCI_SLOT_NAME=" SLOT "\nMODALIAS=pci:v0000%Vd0000%Dsv0000%Vsd0000%Dbc03sc00i00\n"),
    LINK(BOARD "/subsystem", "../../../bus/pci"),
    LINK(BOARD "/driver", "../../../bus/pci/drivers/nouveau"),
    DIRECTORY(BOARD "/drm"),
    DIRECTORY(CARD),
    FILE_OF(CARD "/uevent", "MAJOR=226\nMINOR=0\nDEVNAME=dri/card0\nDEVTYPE=drm_minor\n"),
    FILE_OF(CARD "/dev", "226:0\n"),
    LINK(CARD "/device", "../../../" SLOT),
    LINK(CARD "/subsystem", "../../../../../class/drm"),
    DIRECTORY(RENDER),
    FILE_OF(RENDER "/uevent", "MAJOR=226\nMINOR=128\nDEVNAME=dri/renderD128\nDEVTYPE=drm_minor\n"),
    FILE_OF(RENDER "/dev", "226:128\n"),
    LINK(RENDER "/device", "../../../" SLOT),
    LINK(RENDER "/subsystem", "../../../../../class/drm"),
};

#define ENTRIES    (sizeof entries / sizeof entries[0])
#define MOST_LINKS 8

uint64_t tree_inode(const struct tree_entry *entry) {
    return (uint64_t)(entry - entries) + 1;
}

unsigned tree_minor(enum drm_node_type node) {
    return node == DRM_NODE_CARD ? 0 : 128;
}

static const struct tree_entry *tree_entry_of(const char *path) {
    for (size_t i = 0; i < ENTRIES; i++)
        if (strcmp(entries[i].path, path) == 0)
            return &entries[i];
    return NULL;
}

static bool begins_with(const char *path, const char *prefix) {
    while (*prefix)
        if (*path++ != *prefix++)
            return false;
    return *path == '/' || *path == '\0';
}

static bool tree_is_ours(const char *path) {
    return begins_with(path, "/dev/dri") || begins_with(path, "/sys/class/drm") ||
           begins_with(path, "/sys/dev/char/226:0") || begins_with(path, "/sys/dev/char/226:128") ||
           begins_with(path, ROOT);
}

/* Join, and take "." , ".." and double slashes out, without regard to links. False: too long. */
static bool tree_join(const char *base, const char *path, char *out) {
    char whole[2 * PATH_MAX];
    size_t length = 0;
    if (path[0] != '/' && !base)
        return false;
    int needed = snprintf(whole, sizeof whole, "%s%s%s", path[0] == '/' ? "" : base, path[0] == '/' ? "" : "/", path);
    if (needed < 0 || (size_t)needed >= sizeof whole)
        return false;
    char *rest = NULL;
    for (char *part = strtok_r(whole, "/", &rest); part; part = strtok_r(NULL, "/", &rest)) {
        if (strcmp(part, ".") == 0)
            continue;
        if (strcmp(part, "..") == 0) {
            while (length && out[--length] != '/')
                ;
            continue;
        }
        size_t bytes = strlen(part);
        if (length + bytes + 2 > PATH_MAX)
            return false;
        out[length++] = '/';
        memcpy(out + length, part, bytes);
        length += bytes;
    }
    if (!length)
        out[length++] = '/';
    out[length] = '\0';
    return true;
}

/* Does a path go through a directory of ours, and by ".." out of it? The kernel does not have that directory. */
static bool passes_through(const char *base, const char *path) {
    char prefix[PATH_MAX], joined[PATH_MAX];
    for (const char *up = strstr(path, ".."); up; up = strstr(up + 2, "..")) {
        size_t length = (size_t)(up - path);
        if (length >= sizeof prefix)
            return false;
        memcpy(prefix, path, length);
        prefix[length] = '\0';
        if (tree_join(base, prefix, joined) && tree_is_ours(joined))
            return true;
    }
    return false;
}

bool tree_has(const char *base, const char *path) {
    char joined[PATH_MAX];
    if (!path || !(base || path[0] == '/'))
        return false;
    if (path[0] == '/' && strncmp(path, "/dev/", 5) != 0 && strncmp(path, "/sys/", 5) != 0 && path[1] != '/' &&
        path[1] != '.')
        return false; /* nearly all */
    return tree_join(base, path, joined) && (tree_is_ours(joined) || passes_through(base, path));
}

/* The first link on the way along a path, which may be the path itself. 0: none; else the length of that prefix. */
static size_t first_link(const char *path, bool follow, const struct tree_entry **link) {
    char prefix[PATH_MAX];
    const size_t whole = strlen(path);
    for (size_t length = 1; length <= whole; length++) {
        length += strcspn(path + length, "/");
        if (length == whole && !follow)
            break;
        memcpy(prefix, path, length);
        prefix[length] = '\0';
        *link = tree_entry_of(prefix);
        if (*link && (*link)->type == TREE_LINK)
            return length;
    }
    return 0;
}

const struct tree_entry *tree_find(const char *base, const char *path, bool follow, char *canonical, bool *outside) {
    char at[PATH_MAX], next[PATH_MAX], directory[PATH_MAX];
    const struct tree_entry *link;
    size_t length;
    *outside = false;
    if (!tree_join(base, path, at))
        return NULL;
    for (unsigned links = 0; (length = first_link(at, follow, &link)) != 0; links++) {
        if (links == MOST_LINKS)
            return NULL;
        int needed = snprintf(next, sizeof next, "%s%s", link->text, at + length);
        if (needed < 0 || (size_t)needed >= sizeof next)
            return NULL;
        snprintf(directory, sizeof directory, "%s", link->path);
        *strrchr(directory, '/') = '\0';
        if (!tree_join(directory, next, at))
            return NULL;
    }
    if (canonical)
        memcpy(canonical, at, strlen(at) + 1);
    *outside = !tree_is_ours(at);
    return *outside ? NULL : tree_entry_of(at);
}

static const struct tree_entry *child_of(const char *directory, unsigned index, const char **name) {
    size_t length = strlen(directory);
    for (size_t i = 0; i < ENTRIES; i++) {
        const char *path = entries[i].path;
        if (strncmp(path, directory, length) != 0 || path[length] != '/' || strchr(path + length + 1, '/'))
            continue;
        if (index-- == 0) {
            *name = path + length + 1;
            return &entries[i];
        }
    }
    return NULL;
}

const struct tree_entry *tree_child(const struct tree_entry *directory, unsigned index, const char **name) {
    return child_of(directory->path, index, name);
}

const struct tree_entry *tree_guest(const char *directory, unsigned index, const char **name) {
    char joined[PATH_MAX];
    if (directory[0] != '/' || !tree_join(NULL, directory, joined) || tree_is_ours(joined))
        return NULL;
    return child_of(joined, index, name);
}

size_t tree_text(const struct tree_entry *entry, const struct pfifo_chip *chip, char *text, size_t room) {
    size_t used = 0;
    uint16_t device = board_pci_device(chip);
    for (const char *c = entry->text; *c && used + 5 < room; c++) {
        if (c[0] != '%') {
            text[used++] = *c;
            continue;
        }
        c++;
        used += (size_t)snprintf(text + used, room - used, "%04x", *c == 'V' ? BOARD_VENDOR : (unsigned)device);
    }
    text[used] = '\0';
    return used;
}
