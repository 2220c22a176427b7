/* SPDX-License-Identifier: MIT */
#include "drm/rig.h"

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "face/drm/node/buffer.h"
#include "face/drm/node/share.h"

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

/* Descriptors of all rigs: what one gives, another may take, as if it had been sent. */
static struct {
    int file; /* -1: closed */
    const struct rig *by;
} descriptors[RIG_DESCRIPTORS];
static unsigned descriptor_count;

static int descriptor_of(int fd) {
    if (fd < 0)
        return -EBADF;
    if (fd < RIG_FIRST_FD || (unsigned)(fd - RIG_FIRST_FD) >= descriptor_count)
        return -1; /* open, and of something else */
    return descriptors[fd - RIG_FIRST_FD].file < 0 ? -EBADF : fd - RIG_FIRST_FD;
}

static int host_give(void *opaque, int file, unsigned flags) {
    struct rig *rig = opaque;
    if (rig->give_error)
        return rig->give_error;
    assert_true(descriptor_count < RIG_DESCRIPTORS);
    rig->give_flags = flags;
    descriptors[descriptor_count].file = fcntl(file, F_DUPFD_CLOEXEC, 0);
    descriptors[descriptor_count].by = rig;
    assert_true(descriptors[descriptor_count].file >= 0);
    return RIG_FIRST_FD + (int)descriptor_count++;
}

/* What is none of ours is a file with nothing in it. */
static int host_take(void *opaque, int fd) {
    (void)opaque;
    int at = descriptor_of(fd);
    if (at == -EBADF)
        return -EBADF;
    int own = at < 0 ? open("/dev/null", O_RDWR | O_CLOEXEC) : fcntl(descriptors[at].file, F_DUPFD_CLOEXEC, 0);
    assert_true(own >= 0);
    return own;
}

int rig_file_of(int fd) {
    int at = descriptor_of(fd);
    assert_true(at >= 0);
    return descriptors[at].file;
}

void rig_close_fd(int fd) {
    int at = descriptor_of(fd);
    assert_true(at >= 0);
    close(descriptors[at].file);
    descriptors[at].file = -1;
}

int rig_add_fd(int file) {
    assert_true(descriptor_count < RIG_DESCRIPTORS);
    descriptors[descriptor_count].file = file;
    descriptors[descriptor_count].by = NULL;
    return RIG_FIRST_FD + (int)descriptor_count++;
}

/* The numbers are used again when all are closed. */
static void close_descriptors(const struct rig *rig) {
    bool all = true;
    for (unsigned i = 0; i < descriptor_count; i++) {
        if (descriptors[i].file >= 0 && (!descriptors[i].by || descriptors[i].by == rig)) {
            close(descriptors[i].file);
            descriptors[i].file = -1;
        }
        all &= descriptors[i].file < 0;
    }
    if (all)
        descriptor_count = 0;
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
    .give = host_give,
    .take = host_take,
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
    while (device->files)
        drm_file_close(device->files);
    drm_shares_end_imported(device);
    drm_shares_reap(device, false);
    assert_null(device->buffers);
    assert_int_equal(device->vram_used, 0);
    assert_int_equal(device->gart_used, 0);
}

void rig_close(struct rig *rig) {
    check_empty(rig);
    drm_device_free(rig->device);
    close_descriptors(rig);
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
