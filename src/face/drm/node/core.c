/* SPDX-License-Identifier: MIT */
/* What every DRM driver answers: Linux drivers/gpu/drm/{drm_ioctl,drm_auth}.c. */
#include <stdint.h>

#include <drm.h>
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "face/drm/board.h"
#include "face/drm/node/node.h"

#define NOBODY 65534u /* uid */

/* A string as VERSION and GET_UNIQUE return it: as much as there is room for, and its whole length. */
static bool give_text(struct drm_file *file, const char *text, uint64_t to, uint64_t *room) {
    const struct drm_device *device = file->device;
    size_t length = strlen(text), bytes = *room < length ? (size_t)*room : length;
    *room = length;
    return !to || !bytes || device->config.host->write(device->config.opaque, to, text, bytes);
}

static int core_version(struct drm_file *file, void *data) {
    struct drm_version *version = data;
    const struct drm_config *config = &file->device->config;
    uint64_t name = version->name_len, date = version->date_len, desc = version->desc_len;
    version->version_major = (int)config->major;
    version->version_minor = (int)config->minor;
    version->version_patchlevel = (int)config->patch;
    bool good = give_text(file, "nouveau", (uintptr_t)version->name, &name) &&
                give_text(file, "20120801", (uintptr_t)version->date, &date) &&
                give_text(file, "nVidia Riva/TNT/GeForce/Quadro/Tesla/Tegra K1+", (uintptr_t)version->desc, &desc);
    version->name_len = (size_t)name;
    version->date_len = (size_t)date;
    version->desc_len = (size_t)desc;
    return good ? 0 : -EFAULT;
}

/* Empty until SET_VERSION: libdrm's way to look for a driver by its name relies on it. */
static int core_unique(struct drm_file *file, void *data) {
    struct drm_unique *unique = data;
    const struct drm_config *config = &file->device->config;
    const char *bus_id = file->device->has_bus_id ? "pci:" BOARD_SLOT : "";
    size_t length = strlen(bus_id), room = unique->unique_len;
    unique->unique_len = length;
    if (!length || room < length)
        return 0;
    return config->host->write(config->opaque, (uintptr_t)unique->unique, bus_id, length) ? 0 : -EFAULT;
}

/* What is left of a list of clients: each sees itself, to learn whether it is authenticated (drm_getclient()). */
static int core_client(struct drm_file *file, void *data) {
    struct drm_client *client = data;
    if (client->idx != 0)
        return -EINVAL;
    *client = (struct drm_client){.auth = file->authenticated, .pid = (unsigned long)getpid(), .uid = NOBODY};
    return 0;
}

/* Nothing is counted. */
static int core_stats(struct drm_file *file, void *data) {
    (void)file;
    memset(data, 0, sizeof(struct drm_stats));
    return 0;
}

/* -1 asks for none. */
static bool core_can_be(int major, int minor, int our_major, int our_minor) {
    return major == -1 || (major == our_major && minor >= 0 && minor <= our_minor);
}

static int core_set_version(struct drm_file *file, void *data) {
    struct drm_set_version *version = data;
    const struct drm_config *config = &file->device->config;
    bool interface = core_can_be(version->drm_di_major, version->drm_di_minor, 1, 4);
    bool driver = core_can_be(version->drm_dd_major, version->drm_dd_minor, (int)config->major, (int)config->minor);
    if (interface && version->drm_di_major == 1 && version->drm_di_minor >= 1)
        file->device->has_bus_id = true;
    version->drm_di_major = 1;
    version->drm_di_minor = 4;
    version->drm_dd_major = (int)config->major;
    version->drm_dd_minor = (int)config->minor;
    return interface && driver ? 0 : -EINVAL;
}

/* Sync objects and timelines came with version 1.4; it flips at once only with its atomic interface on. */
static int core_get_cap(struct drm_file *file, void *data) {
    struct drm_get_cap *cap = data;
    uint64_t value = 0;
    cap->value = 0;
    switch (cap->capability) {
    case DRM_CAP_TIMESTAMP_MONOTONIC:
        cap->value = 1;
        return 0;
    case DRM_CAP_PRIME:
        cap->value = DRM_PRIME_CAP_IMPORT | DRM_PRIME_CAP_EXPORT;
        return 0;
    case DRM_CAP_SYNCOBJ:
    case DRM_CAP_SYNCOBJ_TIMELINE:
        cap->value = drm_has_spaces(file->device);
        return 0;
    default:
        break;
    }
    int status = kms_get_cap(file, cap->capability, &value);
    cap->value = value;
    return status;
}

static int core_set_client_cap(struct drm_file *file, void *data) {
    const struct drm_set_client_cap *cap = data;
    return kms_set_client_cap(file, cap->capability, cap->value);
}

/* ---- who is master ---- */

static int core_get_magic(struct drm_file *file, void *data) {
    struct drm_auth *auth = data;
    if (!file->magic)
        file->magic = ++file->device->magics;
    auth->magic = file->magic;
    return 0;
}

/* A magic is good for once (drm_auth.c: its place in the master's table is empty then). */
static int core_auth_magic(struct drm_file *file, void *data) {
    const struct drm_auth *auth = data;
    for (struct drm_file *other = file->device->files; other; other = other->next)
        if (other->magic && other->magic == auth->magic && !other->admitted) {
            other->authenticated = other->admitted = true;
            return 0;
        }
    return -EINVAL;
}

static bool has_master(const struct drm_device *device) {
    for (const struct drm_file *file = device->files; file; file = file->next)
        if (file->master)
            return true;
    return false;
}

void drm_file_become_master(struct drm_file *file) {
    if (file->type != DRM_NODE_CARD || has_master(file->device))
        return;
    file->master = file->authenticated = true;
    file->device->has_bus_id = false;
}

static int core_set_master(struct drm_file *file, void *data) {
    (void)data;
    if (file->master)
        return 0;
    if (has_master(file->device))
        return -EBUSY;
    drm_file_become_master(file);
    return 0;
}

static int core_drop_master(struct drm_file *file, void *data) {
    (void)data;
    if (!file->master)
        return -EINVAL;
    file->master = false;
    return 0;
}

#define ROW(number, structure, allowed, function)                                                                      \
    { number, sizeof(structure), allowed, #function, function }

const struct drm_ioctl drm_core_ioctls[] = {
    ROW(0x00, struct drm_version, DRM_IOCTL_RENDER_ALLOWED, core_version),
    ROW(0x01, struct drm_unique, 0, core_unique),
    ROW(0x02, struct drm_auth, 0, core_get_magic),
    ROW(0x05, struct drm_client, 0, core_client),
    ROW(0x06, struct drm_stats, 0, core_stats),
    ROW(0x07, struct drm_set_version, DRM_IOCTL_MASTER, core_set_version),
    ROW(0x0c, struct drm_get_cap, DRM_IOCTL_RENDER_ALLOWED, core_get_cap),
    ROW(0x0d, struct drm_set_client_cap, 0, core_set_client_cap),
    ROW(0x11, struct drm_auth, DRM_IOCTL_MASTER, core_auth_magic),
    {0x1e, 0, 0, "core_set_master", core_set_master},
    {0x1f, 0, 0, "core_drop_master", core_drop_master},
    {0},
};
