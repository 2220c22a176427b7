/* SPDX-License-Identifier: MIT */
/*
 * The ioctls that make, find and share buffers. Linux drivers/gpu/drm/{drm_gem,drm_prime}.c and
 * nouveau/nouveau_gem.c.
 */
#include <stdint.h>

#include <drm.h>
#include <errno.h>
#include <fcntl.h>
#include <nouveau_drm.h>

#include "chip/chip.h"
#include "face/drm/node/buffer.h"
#include "face/drm/node/share.h"
#include "face/drm/node/space.h"
#include "face/drm/node/uapi.h"

/* ---- GEM_NEW, GEM_INFO ---- */

/*
 * The flags that mean something: NONCONTIG, and depth buffers (NV4x), or the storage type and whether it is compressed.
 * Others are not kept (nouveau_gem.c, nouveau_gem_info()).
 */
static uint32_t kept_flags(const struct drm_buffer *buffer) {
    static const struct flags_row {
        const char *chips;
        uint32_t kept;
    } rows[] = {{"NV40:G80", 0x0f}, {"G80:GF100", 0x37f08}, {"GF100-", 0xff08}};
    const struct flags_row *row = CHIP_ROW(buffer->device->config.chip, rows);
    return buffer->tile_flags & row->kept;
}

/* Where it may be, if that is one place; it may have been moved out of there (nouveau_gem_info()). */
static uint32_t domain_of(const struct drm_buffer *buffer) {
    const uint32_t valid = buffer->valid_domains;
    return valid & (valid - 1) ? buffer->domain : valid;
}

static int gem_tell(struct drm_file *file, uint32_t handle, struct drm_nouveau_gem_info *info) {
    const struct drm_handle *at = drm_file_at(file, handle);
    if (!at)
        return -ENOENT;
    *info = (struct drm_nouveau_gem_info){.handle = handle,
                                          .domain = domain_of(at->buffer),
                                          .size = at->buffer->bytes,
                                          .offset = at->address,
                                          .map_handle = at->buffer->map_offset,
                                          .tile_mode = at->buffer->tile_mode,
                                          .tile_flags = kept_flags(at->buffer)};
    return 0;
}

/* Memory that is not used any more is free before. */
static int gem_new(struct drm_file *file, void *data) {
    struct drm_nouveau_gem_new *request = data;
    struct drm_buffer *buffer;
    uint32_t handle;
    bool no_share = drm_has_spaces(file->device) && request->info.domain & UAPI_DOMAIN_NO_SHARE;
    file->no_space = !file->space;
    if (no_share && !file->space)
        return -EINVAL;
    for (struct drm_file *other = file->device->files; other; other = other->next)
        drm_file_reap(other, false);
    int status = drm_buffer_new(file->device, request->info.size, request->align, request->info.domain,
                                request->info.tile_mode, request->info.tile_flags, &buffer);
    if (status)
        return status;
    buffer->no_share = no_share;
    buffer->owner = no_share ? drm_space_serial(file->space) : 0;
    status = drm_file_new_handle(file, buffer, &handle);
    drm_buffer_unref(buffer);
    return status ? status : gem_tell(file, handle, &request->info);
}

static int gem_info(struct drm_file *file, void *data) {
    struct drm_nouveau_gem_info *info = data;
    return gem_tell(file, info->handle, info);
}

/* ---- waiting ---- */

#define PREP_NANOSECONDS UINT64_C(30000000000)

static int gem_cpu_prep(struct drm_file *file, void *data) {
    const struct drm_nouveau_gem_cpu_prep *request = data;
    struct drm_buffer *buffer = drm_file_buffer(file, request->handle);
    if (!buffer)
        return -ENOENT;
    return drm_buffer_wait(buffer, request->flags & NOUVEAU_GEM_CPU_PREP_WRITE,
                           request->flags & NOUVEAU_GEM_CPU_PREP_NOWAIT ? 0 : PREP_NANOSECONDS);
}

static int cpu_fini(struct drm_file *file, void *data) {
    const struct drm_nouveau_gem_cpu_fini *request = data;
    return drm_file_buffer(file, request->handle) ? 0 : -ENOENT;
}

/* ---- names ---- */

static int gem_close(struct drm_file *file, void *data) {
    const struct drm_gem_close *request = data;
    return drm_file_forget(file, request->handle);
}

static int gem_flink(struct drm_file *file, void *data) {
    struct drm_gem_flink *request = data;
    struct drm_buffer *buffer = drm_file_buffer(file, request->handle);
    if (!buffer)
        return -ENOENT;
    if (!buffer->name)
        buffer->name = ++file->device->names;
    request->name = buffer->name;
    return 0;
}

static int gem_open(struct drm_file *file, void *data) {
    struct drm_gem_open *request = data;
    struct drm_buffer *buffer = file->device->buffers;
    while (buffer && (buffer->name == 0 || buffer->name != request->name))
        buffer = buffer->next;
    if (!buffer)
        return -ENOENT;
    if (buffer->no_share && file->space && drm_space_serial(file->space) != buffer->owner)
        return -EPERM; /* a file without such a space gets it (nouveau_gem_object_open()) */
    drm_buffer_ref(buffer);
    int status = drm_file_new_handle(file, buffer, &request->handle);
    request->size = buffer->bytes;
    drm_buffer_unref(buffer);
    return status;
}

/* ---- PRIME ---- */

static int handle_to_fd(struct drm_file *file, void *data) {
    struct drm_prime_handle *request = data;
    const struct drm_config *config = &file->device->config;
    if (request->flags & ~(uint32_t)(O_CLOEXEC | O_RDWR))
        return -EINVAL;
    struct drm_buffer *buffer = drm_file_buffer(file, request->handle);
    if (!buffer)
        return -ENOENT;
    if (buffer->no_share)
        return -EPERM;
    int status = drm_buffer_share(buffer);
    if (status)
        return status;
    int fd = config->host->give(config->opaque, buffer->share->file, request->flags);
    if (fd < 0)
        return fd;
    request->fd = fd;
    return 0;
}

static int gem_fd_to_handle(struct drm_file *file, void *data) {
    struct drm_prime_handle *request = data;
    const struct drm_config *config = &file->device->config;
    struct drm_buffer *buffer;
    int own = config->host->take(config->opaque, request->fd);
    int status = own < 0 ? own : drm_buffer_of_file(file->device, own, &buffer);
    if (status)
        return status;
    status = drm_file_handle(file, buffer, &request->handle);
    drm_buffer_unref(buffer);
    return status;
}

/* ---- mmap() ---- */

/* Only from the beginning of a buffer, and only for a file that has a handle for it (drm_gem.c, drm_gem_mmap()). */
int drm_file_map(struct drm_file *file, uint64_t offset, uint64_t bytes, struct drm_memory *memory) {
    const struct drm_buffer *buffer = file->device->buffers;
    while (buffer && buffer->map_offset != offset)
        buffer = buffer->next;
    if (!buffer || bytes > buffer->bytes)
        return -EINVAL;
    if (!drm_file_handle_of(file, buffer))
        return -EACCES;
    *memory = (struct drm_memory){buffer->backing.fd, buffer->backing.offset, bytes};
    return 0;
}

#define NOUVEAU(number, structure, function)                                                                           \
    { 0x40 + (number), sizeof(structure), DRM_IOCTL_RENDER_ALLOWED, #function, function }

const struct drm_ioctl drm_nouveau_buffers[] = {
    NOUVEAU(DRM_NOUVEAU_GEM_PUSHBUF, struct drm_nouveau_gem_pushbuf, drm_gem_pushbuf),
    NOUVEAU(DRM_NOUVEAU_GEM_CPU_PREP, struct drm_nouveau_gem_cpu_prep, gem_cpu_prep),
    NOUVEAU(DRM_NOUVEAU_GEM_CPU_FINI, struct drm_nouveau_gem_cpu_fini, cpu_fini),
    NOUVEAU(DRM_NOUVEAU_GEM_NEW, struct drm_nouveau_gem_new, gem_new),
    NOUVEAU(DRM_NOUVEAU_GEM_INFO, struct drm_nouveau_gem_info, gem_info),
    {0},
};

#define CORE(number, structure, allowed, function)                                                                     \
    { number, sizeof(structure), allowed, #function, function }

const struct drm_ioctl drm_gem_ioctls[] = {
    CORE(0x09, struct drm_gem_close, DRM_IOCTL_RENDER_ALLOWED, gem_close),
    CORE(0x0a, struct drm_gem_flink, DRM_IOCTL_AUTH, gem_flink),
    CORE(0x0b, struct drm_gem_open, DRM_IOCTL_AUTH, gem_open),
    CORE(0x2d, struct drm_prime_handle, DRM_IOCTL_RENDER_ALLOWED, handle_to_fd),
    CORE(0x2e, struct drm_prime_handle, DRM_IOCTL_RENDER_ALLOWED, gem_fd_to_handle),
    {0},
};
