/* SPDX-License-Identifier: MIT */
/*
 * Any ioctls, with any structures, of which any succeed, several under way at a time: the recorder stays whole, and the
 * capture can be read from its first record to its last. After a byte 0xec the program manages its address space.
 */
#include <stdint.h>

#include <drm.h>
#include <drm_mode.h>
#include <errno.h>
#include <nouveau_drm.h>

#include <pfifo/stream.h>

#include "face/drm/node/uapi.h"
#include "face/drm/record/record.h"
#include "fuzz/input.h"

#define HANDLES                    8u /* 0 is none */
#define PAGES                      3u
#define PAGE                       4096u
#define MAP_STEP                   0x100000u
#define MOST_STEPS                 400u
#define SLOTS                      4u
#define LISTED                     6u
#define WITH_SPACE                 0xecu
#define SPACE_PAGES                32u /* from page 1 on */
#define KEPT                       (UINT64_C(1) << 39)
#define FIRST_VALID                0x1000u /* the program has no memory below */
#define NOUVEAU(number, structure) DRM_IOWR(DRM_COMMAND_BASE + (number), structure)
#define PUSHBUF                    NOUVEAU(DRM_NOUVEAU_GEM_PUSHBUF, struct drm_nouveau_gem_pushbuf)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A submission of the program. */
struct slot {
    struct uapi_exec exec;
    struct uapi_exec_push ranges[LISTED];
    struct uapi_sync syncs[LISTED];
    struct drm_nouveau_gem_pushbuf request;
    struct drm_nouveau_gem_pushbuf_bo buffers[LISTED];
    struct drm_nouveau_gem_pushbuf_reloc relocs[LISTED];
    struct drm_nouveau_gem_pushbuf_push pushes[LISTED];
    struct record_submission *submission;
    bool busy;
};

struct kernel {
    struct input input;
    struct record_client *client;
    uint8_t memory[HANDLES][PAGES * PAGE];
    struct slot slots[SLOTS];
    uint8_t *file;
    size_t bytes;
    unsigned views;
    bool ended, has_space;
};

/* ---- the kernel ---- */

static int host_ioctl(void *opaque, unsigned long request, void *argument) {
    (void)opaque;
    if (request == DRM_IOCTL_VERSION) {
        struct drm_version *version = argument;
        memcpy(version->name, "nouveau", 7);
        return 0;
    }
    if (request != NOUVEAU(DRM_NOUVEAU_GEM_INFO, struct drm_nouveau_gem_info))
        return -EINVAL;
    struct drm_nouveau_gem_info *info = argument;
    if (info->handle == 0 || info->handle >= HANDLES)
        return -ENOENT;
    /* The last two are one buffer. */
    uint64_t buffer = info->handle == HANDLES - 1 ? info->handle - 1 : info->handle;
    info->domain = NOUVEAU_GEM_DOMAIN_GART;
    info->size = PAGES * PAGE;
    info->offset = info->map_handle = buffer * MAP_STEP;
    return 0;
}

/* Only what GEM_INFO tells can be mapped. */
static const uint8_t *host_map(void *opaque, uint64_t map_handle, uint64_t bytes) {
    struct kernel *kernel = opaque;
    uint64_t handle = map_handle / MAP_STEP;
    if (handle >= HANDLES || map_handle % MAP_STEP || bytes > PAGES * PAGE)
        return NULL;
    kernel->views++;
    return kernel->memory[handle];
}

static void host_unmap(void *opaque, const uint8_t *at, uint64_t bytes) {
    (void)at;
    (void)bytes;
    ((struct kernel *)opaque)->views--;
}

static bool host_read(void *opaque, void *to, uint64_t from, size_t bytes) {
    (void)opaque;
    if (from < FIRST_VALID)
        return false;
    memcpy(to, (const void *)(uintptr_t)from, bytes); // NOLINT(performance-no-int-to-ptr)
    return true;
}

static bool host_open(void *opaque) {
    (void)opaque;
    return true;
}

static bool host_write(void *opaque, const void *data, size_t bytes) {
    struct kernel *kernel = opaque;
    uint8_t *file = realloc(kernel->file, kernel->bytes + bytes);
    require(file != NULL);
    memcpy(file + kernel->bytes, data, bytes);
    kernel->file = file;
    kernel->bytes += bytes;
    return true;
}

static void host_log(void *opaque, const char *line) {
    struct kernel *kernel = opaque;
    kernel->ended |= strstr(line, "ends here") != NULL;
}

static const struct record_host host = {.ioctl = host_ioctl,
                                        .map = host_map,
                                        .unmap = host_unmap,
                                        .read = host_read,
                                        .open = host_open,
                                        .write = host_write,
                                        .log = host_log};

/* ---- the program ---- */

static uint32_t small(struct kernel *kernel, uint32_t below) {
    return (uint32_t)take(&kernel->input, 1) % below;
}

/* Mostly one that there is. */
static uint32_t index_of(struct kernel *kernel, uint32_t count) {
    uint32_t byte = (uint32_t)take(&kernel->input, 1);
    return byte >= 252 || count == 0 ? byte : byte % count;
}

/* Mostly inside of the buffer. */
static struct drm_nouveau_gem_pushbuf_push any_push(struct kernel *kernel, uint32_t buffers) {
    uint64_t place = take(&kernel->input, 2);
    struct drm_nouveau_gem_pushbuf_push push = {
        .bo_index = index_of(kernel, buffers), .offset = (place & 0x7ff) * 4, .length = (place >> 11) * 4};
    if (place % 64 == 62)
        push.length |= 1u << 23;
    if (place % 64 == 63) {
        push.offset = take(&kernel->input, 8);
        push.length = take(&kernel->input, 8);
    }
    return push;
}

static void fill(struct kernel *kernel, struct slot *slot) {
    struct drm_nouveau_gem_pushbuf *request = &slot->request;
    *slot = (struct slot){.busy = true};
    *request = (struct drm_nouveau_gem_pushbuf){.channel = small(kernel, 2),
                                                .nr_buffers = 1 + small(kernel, LISTED),
                                                .nr_relocs = small(kernel, LISTED + 1),
                                                .nr_push = small(kernel, LISTED + 1),
                                                .buffers = (uint64_t)(uintptr_t)slot->buffers,
                                                .relocs = (uint64_t)(uintptr_t)slot->relocs,
                                                .push = (uint64_t)(uintptr_t)slot->pushes};
    for (uint32_t i = 0; i < request->nr_buffers; i++)
        slot->buffers[i] = (struct drm_nouveau_gem_pushbuf_bo){
            .handle = 1 + index_of(kernel, HANDLES - 1), .write_domains = small(kernel, 2), .presumed.valid = 1};
    for (uint32_t i = 0; i < request->nr_relocs; i++)
        slot->relocs[i] =
            (struct drm_nouveau_gem_pushbuf_reloc){.reloc_bo_index = index_of(kernel, request->nr_buffers),
                                                   .reloc_bo_offset = (uint32_t)take(&kernel->input, 2),
                                                   .bo_index = index_of(kernel, request->nr_buffers),
                                                   .flags = small(kernel, 8),
                                                   .data = (uint32_t)take(&kernel->input, 4)};
    for (uint32_t i = 0; i < request->nr_push; i++)
        slot->pushes[i] = any_push(kernel, request->nr_buffers);
}

static void begin(struct kernel *kernel, struct slot *slot) {
    fill(kernel, slot);
    uint64_t at = (uint64_t)(uintptr_t)&slot->request;
    slot->submission = record_before(kernel->client, PUSHBUF, at);
}

/* The kernel may say that buffers are elsewhere. */
static void end(struct kernel *kernel, struct slot *slot) {
    uint32_t moved = small(kernel, 64);
    int status = small(kernel, 4) ? 0 : -EINVAL;
    for (uint32_t i = 0; i < LISTED; i++)
        if (moved >> i & 1)
            slot->buffers[i].presumed =
                (struct drm_nouveau_gem_pushbuf_bo_presumed){.domain = moved, .offset = (uint64_t)moved * MAP_STEP};
    record_after(kernel->client, PUSHBUF, (uint64_t)(uintptr_t)&slot->request, status, slot->submission);
    slot->busy = false;
}

/* ---- with a space ---- */

#define EXEC    NOUVEAU(UAPI_EXEC, struct uapi_exec)
#define VM_BIND NOUVEAU(UAPI_VM_BIND, struct uapi_vm_bind)
#define VM_INIT NOUVEAU(UAPI_VM_INIT, struct uapi_vm_init)

static struct uapi_sync any_sync(struct kernel *kernel) {
    uint32_t byte = small(kernel, 256);
    return (struct uapi_sync){byte & 1, 1 + (byte >> 1 & 3), byte >> 3};
}

/* Mostly words that are mapped, now and then any. */
static struct uapi_exec_push any_range(struct kernel *kernel) {
    uint64_t place = take(&kernel->input, 3);
    if (place % 64 == 63)
        return (struct uapi_exec_push){take(&kernel->input, 8), (uint32_t)take(&kernel->input, 4),
                                       (uint32_t)(place >> 6)};
    return (struct uapi_exec_push){PAGE + (place & 0x7fff) * 4, (uint32_t)(place >> 15 & 0xff) * 32,
                                   place >> 23 ? UAPI_EXEC_NO_PREFETCH : 0};
}

static void begin_exec(struct kernel *kernel, struct slot *slot) {
    *slot = (struct slot){.busy = true};
    slot->exec = (struct uapi_exec){.channel = small(kernel, 16) == 15,
                                    .push_count = small(kernel, LISTED + 1),
                                    .wait_count = small(kernel, LISTED / 2),
                                    .signal_count = small(kernel, LISTED / 2),
                                    .waits = (uint64_t)(uintptr_t)slot->syncs,
                                    .signals = (uint64_t)(uintptr_t)(slot->syncs + LISTED / 2),
                                    .pushes = (uint64_t)(uintptr_t)slot->ranges};
    for (uint32_t i = 0; i < slot->exec.push_count; i++)
        slot->ranges[i] = any_range(kernel);
    for (uint32_t i = 0; i < slot->exec.wait_count + slot->exec.signal_count; i++)
        slot->syncs[i] = any_sync(kernel);
    slot->submission = record_before(kernel->client, EXEC, (uint64_t)(uintptr_t)&slot->exec);
}

static void end_exec(struct kernel *kernel, struct slot *slot) {
    int status = small(kernel, 4) ? 0 : -EINVAL;
    record_after(kernel->client, EXEC, (uint64_t)(uintptr_t)&slot->exec, status, slot->submission);
    slot->busy = false;
}

/* The kernel takes what it checks; some of these it would refuse. */
static void bind(struct kernel *kernel) {
    struct uapi_bind_operation operations[3];
    struct uapi_sync sync = any_sync(kernel);
    struct uapi_vm_bind request = {.operation_count = small(kernel, 4),
                                   .wait_count = small(kernel, 2),
                                   .signal_count = small(kernel, 2),
                                   .waits = (uint64_t)(uintptr_t)&sync,
                                   .signals = (uint64_t)(uintptr_t)&sync,
                                   .operations = (uint64_t)(uintptr_t)operations};
    for (uint32_t i = 0; i < request.operation_count; i++) {
        uint32_t how = small(kernel, 256);
        operations[i] = (struct uapi_bind_operation){
            .operation = how & 1,
            .flags = (how & 0x0e ? 0 : UAPI_BIND_SPARSE) | (how >> 4 == 15 ? 0xfe : 0),
            .handle = 1 + index_of(kernel, HANDLES - 1),
            .address = (uint64_t)PAGE * (1 + index_of(kernel, SPACE_PAGES)),
            .offset = (uint64_t)PAGE * small(kernel, PAGES),
            .bytes = (uint64_t)PAGE * (1 + small(kernel, PAGES)),
        };
        if (how == 255)
            operations[i].address = take(&kernel->input, 8);
    }
    record_after(kernel->client, VM_BIND, (uint64_t)(uintptr_t)&request, 0, NULL);
}

/* What programs do with sync objects. */
static void use_sync(struct kernel *kernel) {
    const uint32_t handles[2] = {small(kernel, 4), small(kernel, 4)};
    const uint64_t points[2] = {small(kernel, 256), 0};
    struct drm_syncobj_timeline_wait wait = {.handles = (uint64_t)(uintptr_t)handles,
                                             .points = (uint64_t)(uintptr_t)points,
                                             .count_handles = small(kernel, 3),
                                             .flags = small(kernel, 8),
                                             .first_signaled = small(kernel, 4)};
    struct drm_syncobj_timeline_array array = {.handles = (uint64_t)(uintptr_t)handles,
                                               .points = (uint64_t)(uintptr_t)points,
                                               .count_handles = small(kernel, 3)};
    static const unsigned long arrays[] = {DRM_IOCTL_SYNCOBJ_RESET, DRM_IOCTL_SYNCOBJ_SIGNAL};
    unsigned which = small(kernel, 4);
    if (which < 2) /* their structures have no points */
        record_after(kernel->client, arrays[which],
                     (uint64_t)(uintptr_t) & (struct drm_syncobj_array){array.handles, array.count_handles, 0}, 0,
                     NULL);
    else if (which == 2)
        record_after(kernel->client, DRM_IOCTL_SYNCOBJ_TIMELINE_SIGNAL, (uint64_t)(uintptr_t)&array, 0, NULL);
    else
        record_after(kernel->client, DRM_IOCTL_SYNCOBJ_TIMELINE_WAIT, (uint64_t)(uintptr_t)&wait, 0, NULL);
}

/* ---- steps ---- */

static void finish(struct kernel *kernel, struct slot *slot) {
    if (kernel->has_space)
        end_exec(kernel, slot);
    else
        end(kernel, slot);
}

static void submit(struct kernel *kernel) {
    struct slot *slot = &kernel->slots[small(kernel, SLOTS)];
    if (slot->busy)
        finish(kernel, slot);
    else if (kernel->has_space)
        begin_exec(kernel, slot);
    else
        begin(kernel, slot);
}

/* A structure of small numbers, which are in the ranges of handles; now and then any. */
static void other(struct kernel *kernel) {
    static const uint8_t numbers[] = {0x09, 0x0b, 0x2d, 0x2e, 0x42, 0x43, 0x44, 0x45, 0x46,
                                      0x47, 0x50, 0x80, 0x82, 0x83, 0x84, 0xa2, 0xb0, 0xb4};
    uint32_t structure[40];
    uint8_t number = numbers[small(kernel, sizeof numbers)];
    uint32_t any = small(kernel, 8), bytes = small(kernel, sizeof structure + 1);
    for (size_t i = 0; i < sizeof structure / sizeof structure[0]; i++)
        structure[i] = (uint32_t)(any == 7 ? take(&kernel->input, 4) : take(&kernel->input, 1) % (HANDLES + 1));
    unsigned long request = _IOC(_IOC_READ | _IOC_WRITE, DRM_IOCTL_BASE, number, any == 6 ? bytes : sizeof structure);
    uint64_t at = any == 5 ? 0 : (uint64_t)(uintptr_t)structure;
    record_after(kernel->client, request, at, any == 4 ? -EINVAL : 0, record_before(kernel->client, request, at));
}

/* As GEM_NEW answers it: what can be mapped, or any. */
static void new_buffer(struct kernel *kernel) {
    struct drm_nouveau_gem_new request = {.info = {.handle = 1 + small(kernel, HANDLES - 1)}};
    const unsigned long number = NOUVEAU(DRM_NOUVEAU_GEM_NEW, struct drm_nouveau_gem_new);
    if (small(kernel, 8) == 7) {
        request.info.size = take(&kernel->input, 8);
        request.info.offset = take(&kernel->input, 8);
        request.info.map_handle = take(&kernel->input, 8);
    } else {
        host_ioctl(kernel, NOUVEAU(DRM_NOUVEAU_GEM_INFO, struct drm_nouveau_gem_info), &request.info);
    }
    record_after(kernel->client, number, (uint64_t)(uintptr_t)&request, 0, NULL);
}

static void step(struct kernel *kernel) {
    switch (small(kernel, kernel->has_space ? 9 : 6)) {
    case 0:
        record_mapped(kernel->client, small(kernel, HANDLES) * (uint64_t)MAP_STEP);
        return;
    case 1:
        kernel->memory[small(kernel, HANDLES)][take(&kernel->input, 2) % (PAGES * PAGE)] = 1;
        return;
    case 2:
        new_buffer(kernel);
        return;
    case 3:
        other(kernel);
        return;
    case 6:
    case 7:
        bind(kernel);
        return;
    case 8:
        use_sync(kernel);
        return;
    default:
        submit(kernel);
        return;
    }
}

/* ---- the capture ---- */

static void read_capture(const struct kernel *kernel) {
    struct pfifo_stream_record record = {.type = PFIFO_STREAM_TEXT};
    if (kernel->has_space && !kernel->bytes) /* nothing was submitted */
        return;
    struct pfifo_stream *stream = pfifo_stream_open_memory(kernel->file, kernel->bytes, "fuzz", NULL);
    require(stream && !pfifo_stream_truncated(stream));
    while (record.type != PFIFO_STREAM_END)
        require(pfifo_stream_next(stream, &record, NULL) == PFIFO_OK);
    pfifo_stream_close(stream);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static struct kernel kernel;
    struct drm_nouveau_channel_alloc channel = {.channel = 0};
    kernel = (struct kernel){.input = {data, size}};
    kernel.client = record_client_new(&host, &kernel);
    require(kernel.client != NULL);
    kernel.has_space = size && data[0] == WITH_SPACE;
    if (kernel.has_space) {
        struct uapi_vm_init request = {KEPT, KEPT};
        take(&kernel.input, 1);
        record_after(kernel.client, VM_INIT, (uint64_t)(uintptr_t)&request, 0, NULL);
    }
    record_after(kernel.client, NOUVEAU(DRM_NOUVEAU_CHANNEL_ALLOC, struct drm_nouveau_channel_alloc),
                 (uint64_t)(uintptr_t)&channel, 0, NULL);
    for (unsigned i = 0; i < MOST_STEPS && kernel.input.left; i++)
        step(&kernel);
    for (unsigned i = 0; i < SLOTS; i++)
        if (kernel.slots[i].busy)
            finish(&kernel, &kernel.slots[i]);
    record_client_free(kernel.client);
    require(kernel.views == 0 && !kernel.ended);
    read_capture(&kernel);
    free(kernel.file);
    return 0;
}
