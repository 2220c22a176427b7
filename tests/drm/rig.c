/* SPDX-License-Identifier: MIT */
#include "drm/rig.h"

#include <stdio.h>
#include <unistd.h>

#include "face/drm/node/buffer.h"

#define UNUSED 0xbeef0300u /* a notifier in front of the semaphore */

/* ---- the host ---- */

/* Where an address of the program is. NULL: the program has no memory there. */
static uint8_t *memory_at(const struct rig *rig, uint64_t address, size_t bytes) {
    if (address < RIG_BASE || address - RIG_BASE > RIG_MEMORY || bytes > RIG_MEMORY - (address - RIG_BASE))
        return NULL;
    return (uint8_t *)(uintptr_t)&rig->memory[address - RIG_BASE];
}

static bool host_read(void *opaque, void *to, uint64_t from, size_t bytes) {
    const uint8_t *at = memory_at(opaque, from, bytes);
    if (at)
        memcpy(to, at, bytes);
    return at != NULL;
}

static bool host_write(void *opaque, uint64_t to, const void *from, size_t bytes) {
    uint8_t *at = ((const struct rig *)opaque)->read_only ? NULL : memory_at(opaque, to, bytes);
    if (at)
        memcpy(at, from, bytes);
    return at != NULL;
}

static void host_event(void *opaque, struct drm_file *file, const void *data, size_t bytes) {
    struct rig *rig = opaque;
    assert_true(bytes <= sizeof rig->events - rig->event_bytes);
    memcpy(rig->events + rig->event_bytes, data, bytes);
    rig->event_bytes += bytes;
    rig->event_file = file;
}

static int host_export(void *opaque, const struct drm_memory *memory, unsigned flags) {
    struct rig *rig = opaque;
    if (rig->export_error)
        return rig->export_error;
    assert_true(rig->export_count < RIG_EXPORTS);
    rig->export_flags = flags;
    rig->exports[rig->export_count] = *memory;
    return RIG_FIRST_FD + (int)rig->export_count++;
}

static bool host_exported(void *opaque, const struct drm_memory *memory) {
    const struct rig *rig = opaque;
    for (unsigned i = 0; i < rig->export_count; i++)
        if (rig->exports[i].id == memory->id && !rig->export_closed[i])
            return true;
    return false;
}

static int host_import(void *opaque, int fd, struct drm_memory *memory) {
    const struct rig *rig = opaque;
    if (fd < 0)
        return -EBADF;
    if (fd < RIG_FIRST_FD || (unsigned)(fd - RIG_FIRST_FD) >= rig->export_count)
        return -EINVAL;
    *memory = rig->exports[fd - RIG_FIRST_FD];
    return 0;
}

static void host_moved(void *opaque, const struct drm_memory *from, const struct drm_memory *to) {
    struct rig *rig = opaque;
    rig->moved_from = *from;
    rig->moved_to = *to;
}

static int host_hold(void *opaque, int fd) {
    struct rig *rig = opaque;
    if (fd < 0)
        return -EBADF;
    if (fd < RIG_FIRST_EVENT || (unsigned)(fd - RIG_FIRST_EVENT) >= RIG_EVENTS)
        return -EINVAL;
    rig->held[fd - RIG_FIRST_EVENT]++;
    return fd;
}

static void host_end_event(void *opaque, int held, bool tell) {
    struct rig *rig = opaque;
    assert_true(rig->held[held - RIG_FIRST_EVENT] > 0);
    rig->held[held - RIG_FIRST_EVENT]--;
    rig->told[held - RIG_FIRST_EVENT] += tell;
}

static uint64_t host_now(void *opaque) {
    return ((const struct rig *)opaque)->now;
}

static void host_sleep(void *opaque, uint64_t nanoseconds) {
    struct rig *rig = opaque;
    rig->now += nanoseconds;
    rig->waits++;
    if (rig->waiting)
        rig->waiting(rig);
}

/* A signal ends it before anything else happens. */
static bool host_wait(void *opaque, uint64_t nanoseconds) {
    struct rig *rig = opaque;
    if (!rig->signal)
        host_sleep(rig, nanoseconds);
    else
        rig->waits++;
    return !rig->signal;
}

static void host_log(void *opaque, const char *line) {
    struct rig *rig = opaque;
    if (rig->line_count < RIG_LINES)
        snprintf(rig->lines[rig->line_count++], sizeof rig->lines[0], "%s", line);
}

static const struct drm_host host = {
    .read = host_read,
    .write = host_write,
    .event = host_event,
    .export_buffer = host_export,
    .exported = host_exported,
    .import_buffer = host_import,
    .moved = host_moved,
    .hold_event = host_hold,
    .end_event = host_end_event,
    .now = host_now,
    .wait = host_wait,
    .sleep = host_sleep,
    .log = host_log,
};

void rig_open(struct rig *rig, const struct part *part) {
    struct drm_config config = rig->config;
    struct pfifo_error error;
    memset(rig, 0, sizeof *rig);
    config.chip = pfifo_chip_by_name(part->chip);
    config.host = &host;
    config.opaque = rig;
    rig->config = config;
    rig->part = part;
    rig->device = drm_device_new(&config, &error);
    if (!rig->device)
        fail_msg("%s: %s", part->chip, error.message);
}

/* What a program leaves behind goes with its files and descriptors. */
static void check_empty(struct rig *rig) {
    struct drm_device *device = rig->device;
    memset(rig->export_closed, true, sizeof rig->export_closed);
    while (device->files)
        drm_file_close(device->files);
    drm_buffer_reap(device, false);
    assert_null(device->buffers);
    assert_int_equal(device->vram_used, 0);
    assert_int_equal(device->gart_used, 0);
}

void rig_close(struct rig *rig) {
    check_empty(rig);
    drm_device_free(rig->device);
    for (unsigned i = 0; i < RIG_EVENTS; i++)
        assert_int_equal(rig->held[i], 0);
    rig->config = (struct drm_config){0};
}

struct drm_file *rig_file(struct rig *rig, enum drm_node_type type) {
    struct drm_file *file = drm_file_open(rig->device, type);
    assert_non_null(file);
    return file;
}

bool rig_logged(const struct rig *rig, const char *text) {
    for (unsigned i = 0; i < rig->line_count; i++)
        if (strstr(rig->lines[i], text))
            return true;
    return false;
}

/* ---- ioctls ---- */

uint64_t rig_put(struct rig *rig, const void *data, size_t bytes) {
    const size_t room = RIG_MEMORY - RIG_STRUCTURE;
    assert_true(bytes <= room);
    if (bytes > room - rig->used)
        rig->used = 0;
    uint64_t address = RIG_BASE + rig->used;
    memcpy(rig->memory + rig->used, data, bytes);
    rig->used += (bytes + 7) & ~(size_t)7;
    return address;
}

void rig_get(const struct rig *rig, uint64_t address, void *data, size_t bytes) {
    const uint8_t *at = memory_at(rig, address, bytes);
    assert_non_null(at);
    memcpy(data, at, bytes);
}

int rig_ioctl(struct rig *rig, struct drm_file *file, unsigned long request, void *structure) {
    size_t bytes = _IOC_SIZE(request), at = RIG_MEMORY - RIG_STRUCTURE;
    assert_true(bytes <= RIG_STRUCTURE);
    memcpy(rig->memory + at, structure, bytes);
    int result = drm_file_ioctl(file, request, RIG_BASE + at);
    memcpy(structure, rig->memory + at, bytes);
    return result;
}

/* ---- buffers ---- */

struct drm_nouveau_gem_info rig_buffer(struct rig *rig, struct drm_file *file, uint32_t domain, uint64_t bytes) {
    struct drm_nouveau_gem_new request = {.info = {.domain = domain, .size = bytes}};
    int result = rig_ioctl(rig, file, NOUVEAU(DRM_NOUVEAU_GEM_NEW, struct drm_nouveau_gem_new), &request);
    if (result != 0)
        fail_msg("%s: GEM_NEW: %s", rig->part->chip, strerror(-result));
    return request.info;
}

uint32_t rig_vram(const struct rig *rig) {
    return rig->part->vram ? VRAM : GART;
}

uint32_t rig_rd32(struct drm_file *file, const struct drm_nouveau_gem_info *buffer, uint64_t offset) {
    struct drm_memory memory;
    uint8_t b[4];
    assert_int_equal(drm_file_map(file, buffer->map_handle, offset + sizeof b, &memory), 0);
    assert_int_equal(pread(memory.fd, b, sizeof b, (off_t)(memory.offset + offset)), sizeof b);
    return b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

void rig_wr32(struct drm_file *file, const struct drm_nouveau_gem_info *buffer, uint64_t offset, uint32_t value) {
    struct drm_memory memory;
    const uint8_t b[4] = {(uint8_t)value, (uint8_t)(value >> 8), (uint8_t)(value >> 16), (uint8_t)(value >> 24)};
    assert_int_equal(drm_file_map(file, buffer->map_handle, offset + sizeof b, &memory), 0);
    assert_int_equal(pwrite(memory.fd, b, sizeof b, (off_t)(memory.offset + offset)), sizeof b);
}

int rig_close_handle(struct rig *rig, struct drm_file *file, uint32_t handle) {
    struct drm_gem_close request = {.handle = handle};
    return rig_ioctl(rig, file, DRM_IOCTL_GEM_CLOSE, &request);
}

int rig_prep(struct rig *rig, struct drm_file *file, uint32_t handle, uint32_t flags) {
    struct drm_nouveau_gem_cpu_prep request = {.handle = handle, .flags = flags};
    return rig_ioctl(rig, file, NOUVEAU(DRM_NOUVEAU_GEM_CPU_PREP, struct drm_nouveau_gem_cpu_prep), &request);
}

/* ---- channels ---- */

int rig_channel_alloc(struct rig *rig, struct drm_file *file, struct drm_nouveau_channel_alloc *alloc) {
    return rig_ioctl(rig, file, NOUVEAU(DRM_NOUVEAU_CHANNEL_ALLOC, struct drm_nouveau_channel_alloc), alloc);
}

int rig_channel_free(struct rig *rig, struct drm_file *file, uint32_t id) {
    struct drm_nouveau_channel_free request = {.channel = (int)id};
    return rig_ioctl(rig, file, NOUVEAU(DRM_NOUVEAU_CHANNEL_FREE, struct drm_nouveau_channel_free), &request);
}

int rig_object(struct rig *rig, struct drm_file *file, uint32_t channel, uint32_t handle, int32_t oclass) {
    struct drm_nouveau_grobj_alloc request = {.channel = (int)channel, .handle = handle, .class = oclass};
    return rig_ioctl(rig, file, NOUVEAU(DRM_NOUVEAU_GROBJ_ALLOC, struct drm_nouveau_grobj_alloc), &request);
}

static void make_semaphore(struct rig *rig, struct rig_channel *channel) {
    if (rig->part->classes) {
        channel->semaphore = rig_buffer(rig, channel->file, GART, PAGE);
        return;
    }
    struct drm_nouveau_notifierobj_alloc before = {.channel = channel->id, .handle = UNUSED, .size = 64},
                                         request = {.channel = channel->id, .handle = SEMAPHORE, .size = 32};
    unsigned long number = NOUVEAU(DRM_NOUVEAU_NOTIFIEROBJ_ALLOC, struct drm_nouveau_notifierobj_alloc);
    assert_int_equal(rig_ioctl(rig, channel->file, number, &before), 0);
    assert_int_equal(rig_ioctl(rig, channel->file, number, &request), 0);
    channel->at = request.offset;
    channel->semaphore.handle = channel->notifier;
    number = NOUVEAU(DRM_NOUVEAU_GEM_INFO, struct drm_nouveau_gem_info);
    assert_int_equal(rig_ioctl(rig, channel->file, number, &channel->semaphore), 0);
}

struct rig_channel rig_channel(struct rig *rig, struct drm_file *file) {
    struct drm_nouveau_channel_alloc alloc = {.fb_ctxdma_handle = FB_HANDLE, .tt_ctxdma_handle = TT_HANDLE};
    int result = rig_channel_alloc(rig, file, &alloc);
    if (result != 0)
        fail_msg("%s: CHANNEL_ALLOC: %s", rig->part->chip, strerror(-result));
    struct rig_channel channel = {.file = file, .id = (uint32_t)alloc.channel, .notifier = alloc.notifier_handle};
    assert_int_equal(rig_object(rig, file, channel.id, GRAPHICS, rig->part->graphics), 0);
    assert_int_equal(rig_object(rig, file, channel.id, COPY, rig->part->copy), 0);
    make_semaphore(rig, &channel);
    return channel;
}
