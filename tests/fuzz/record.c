/* SPDX-License-Identifier: MIT */
/*
 * Any ioctls, with any structures, of which any succeed, several under way at a time: the recorder stays whole, and the
 * capture can be read from its first record to its last.
 */
#include <stdint.h>

#include <drm.h>
#include <drm_mode.h>
#include <errno.h>
#include <nouveau_drm.h>

#include <pfifo/stream.h>

#include "face/drm/record/record.h"
#include "fuzz/input.h"

#define HANDLES                    8u /* 0 is none */
#define PAGES                      3u
#define PAGE                       4096u
#define MAP_STEP                   0x100000u
#define MOST_STEPS                 400u
#define SLOTS                      4u
#define LISTED                     6u
#define FIRST_VALID                0x1000u /* the program has no memory below */
#define NOUVEAU(number, structure) DRM_IOWR(DRM_COMMAND_BASE + (number), structure)
#define PUSHBUF                    NOUVEAU(DRM_NOUVEAU_GEM_PUSHBUF, struct drm_nouveau_gem_pushbuf)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A submission of the program. */
struct slot {
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
    bool ended;
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

static void submit(struct kernel *kernel) {
    struct slot *slot = &kernel->slots[small(kernel, SLOTS)];
    if (slot->busy)
        end(kernel, slot);
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
    switch (small(kernel, 6)) {
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
    default:
        submit(kernel);
        return;
    }
}

/* ---- the capture ---- */

static void read_capture(const struct kernel *kernel) {
    struct pfifo_stream_record record = {.type = PFIFO_STREAM_TEXT};
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
    record_after(kernel.client, NOUVEAU(DRM_NOUVEAU_CHANNEL_ALLOC, struct drm_nouveau_channel_alloc),
                 (uint64_t)(uintptr_t)&channel, 0, NULL);
    for (unsigned i = 0; i < MOST_STEPS && kernel.input.left; i++)
        step(&kernel);
    for (unsigned i = 0; i < SLOTS; i++)
        if (kernel.slots[i].busy)
            end(&kernel, &kernel.slots[i]);
    record_client_free(kernel.client);
    require(kernel.views == 0 && !kernel.ended);
    read_capture(&kernel);
    free(kernel.file);
    return 0;
}
