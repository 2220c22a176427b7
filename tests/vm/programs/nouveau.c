/* SPDX-License-Identifier: MIT */
#include "nouveau.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#define HANDLE_VRAM 0xbeef0201u
#define HANDLE_GART 0xbeef0202u
#define HANDLE_COPY 0xbeef0039u
#define HANDLE_NOTE 0xbeef0301u
#define PUSH_BYTES  sizeof(((struct words *)0)->word)

static const struct family families[] = {
    {0x04, METHODS_OF_HANDLES, 0x0039, 0, .free_subchannel = 5},
    {0x50, METHODS_OF_TESLA, 0x5039, 0x502d, .twod_subchannel = 4, .free_subchannel = 5},
    {0xc0, METHODS_OF_CLASSES, 0x9039, 0x902d, .twod_subchannel = 4, .free_subchannel = 5},
    {0xe0, METHODS_OF_CLASSES, 0xa0b5, 0x902d, .twod_subchannel = 3, .free_subchannel = 0},
    {0x110, METHODS_OF_CLASSES, 0xb0b5, 0x902d, .twod_subchannel = 3, .free_subchannel = 0},
};

#define IOCTL(number, structure) DRM_IOWR(DRM_COMMAND_BASE + (number), structure)

static int try_ioctl(const struct device *device, unsigned long request, void *data) {
    while (ioctl(device->fd, request, data) != 0)
        if (errno != EINTR && errno != EAGAIN)
            return errno;
    return 0;
}

static void call(const struct device *device, unsigned long request, void *data, const char *what) {
    int error = try_ioctl(device, request, data);

    if (error)
        fail("%s: %s", what, strerror(error));
}

/* ---- device ---- */

static uint64_t parameter(const struct device *device, uint64_t number) {
    struct drm_nouveau_getparam request = {.param = number};

    call(device, IOCTL(DRM_NOUVEAU_GETPARAM, struct drm_nouveau_getparam), &request, "GETPARAM");
    return request.value;
}

void device_open(struct device *device) {
    *device = (struct device){.fd = open("/dev/dri/renderD128", O_RDWR | O_CLOEXEC)};
    if (device->fd < 0)
        fail("/dev/dri/renderD128: %s", strerror(errno));
    device->chipset = (unsigned)parameter(device, NOUVEAU_GETPARAM_CHIPSET_ID);
    device->vram_bytes = parameter(device, NOUVEAU_GETPARAM_FB_SIZE);
    for (unsigned i = 0; i < sizeof families / sizeof families[0]; i++)
        if (device->chipset >= families[i].first)
            device->family = &families[i];
    if (!device->family)
        fail("chipset 0x%x is not known", device->chipset);
}

void device_close(struct device *device) {
    close(device->fd);
}

/* ---- buffers ---- */

struct buffer buffer_new(struct device *device, uint32_t domain, uint64_t bytes) {
    struct drm_nouveau_gem_new request = {.info = {.domain = domain, .size = bytes}, .align = 4096};

    call(device, IOCTL(DRM_NOUVEAU_GEM_NEW, struct drm_nouveau_gem_new), &request, "GEM_NEW");
    struct buffer buffer = {.device = device, .info = request.info};
    void *map =
        mmap(NULL, request.info.size, PROT_READ | PROT_WRITE, MAP_SHARED, device->fd, (off_t)request.info.map_handle);
    if (map == MAP_FAILED)
        fail("mmap of a buffer: %s", strerror(errno));
    buffer.map = map;
    return buffer;
}

void buffer_free(struct buffer *buffer) {
    struct drm_gem_close request = {.handle = buffer->info.handle};

    munmap(buffer->map, buffer->info.size);
    call(buffer->device, DRM_IOCTL_GEM_CLOSE, &request, "GEM_CLOSE");
}

int buffer_try_wait(const struct buffer *buffer) {
    struct drm_nouveau_gem_cpu_prep request = {.handle = buffer->info.handle, .flags = NOUVEAU_GEM_CPU_PREP_WRITE};

    return try_ioctl(buffer->device,
                     DRM_IOW(DRM_COMMAND_BASE + DRM_NOUVEAU_GEM_CPU_PREP, struct drm_nouveau_gem_cpu_prep), &request);
}

void buffer_wait(const struct buffer *buffer) {
    int error = buffer_try_wait(buffer);

    if (error)
        fail("CPU_PREP: %s", strerror(error));
}

/* ---- channels ---- */

static void new_object(const struct channel *channel, uint32_t handle, uint16_t class) {
    struct drm_nouveau_grobj_alloc request = {.channel = channel->id, .handle = handle, .class = class};
    int error = try_ioctl(
        channel->device, DRM_IOW(DRM_COMMAND_BASE + DRM_NOUVEAU_GROBJ_ALLOC, struct drm_nouveau_grobj_alloc), &request);

    if (error)
        fail("GROBJ_ALLOC of class %04x: %s", class, strerror(error));
}

/* Where the kernel writes notifications; its DMA object has that handle. */
static void new_notifier(const struct channel *channel) {
    struct drm_nouveau_notifierobj_alloc request = {
        .channel = (uint32_t)channel->id, .handle = HANDLE_NOTE, .size = 32};

    call(channel->device, IOCTL(DRM_NOUVEAU_NOTIFIEROBJ_ALLOC, struct drm_nouveau_notifierobj_alloc), &request,
         "NOTIFIEROBJ_ALLOC");
}

/* A request without segments tells what has to be after one. */
static void ask_suffix(struct channel *channel) {
    struct drm_nouveau_gem_pushbuf request = {.channel = (uint32_t)channel->id};

    call(channel->device, IOCTL(DRM_NOUVEAU_GEM_PUSHBUF, struct drm_nouveau_gem_pushbuf), &request, "GEM_PUSHBUF");
    channel->suffix[0] = request.suffix0;
    channel->suffix[1] = request.suffix1;
}

void channel_open(struct device *device, struct channel *channel) {
    struct drm_nouveau_channel_alloc request = {.fb_ctxdma_handle = HANDLE_VRAM, .tt_ctxdma_handle = HANDLE_GART};
    const struct family *family = device->family;

    call(device, IOCTL(DRM_NOUVEAU_CHANNEL_ALLOC, struct drm_nouveau_channel_alloc), &request, "CHANNEL_ALLOC");
    *channel = (struct channel){.device = device, .id = request.channel, .push_domain = request.pushbuf_domains};
    if (family->format != METHODS_OF_CLASSES)
        new_notifier(channel);
    new_object(channel, HANDLE_COPY, family->copy);
    if (family->twod)
        new_object(channel, HANDLE_TWOD, family->twod);
    ask_suffix(channel);
}

void channel_close(struct channel *channel) {
    struct drm_nouveau_channel_free request = {.channel = channel->id};

    call(channel->device, DRM_IOW(DRM_COMMAND_BASE + DRM_NOUVEAU_CHANNEL_FREE, struct drm_nouveau_channel_free),
         &request, "CHANNEL_FREE");
}

/* ---- commands ---- */

void words_add(struct words *words, uint32_t word) {
    if (words->count >= sizeof words->word / sizeof words->word[0])
        fail("too many words");
    words->word[words->count++] = word;
}

static void add_header(struct words *words, unsigned subchannel, uint32_t method, uint32_t count) {
    words_add(words, words->family->format == METHODS_OF_CLASSES
                         ? 1u << 29 | count << 16 | subchannel << 13 | method >> 2
                         : count << 18 | subchannel << 13 | method);
}

void words_method(struct words *words, unsigned subchannel, uint32_t method, uint32_t data) {
    add_header(words, subchannel, method, 1);
    words_add(words, data);
}

static void add_list(struct words *words, uint32_t method, const uint32_t *data, uint32_t count) {
    add_header(words, COPY_SUBCHANNEL, method, count);
    for (uint32_t i = 0; i < count; i++)
        words_add(words, data[i]);
}

#define ADD(words, method, ...)                                                                                        \
    add_list(words, method, (const uint32_t[]){__VA_ARGS__}, sizeof((const uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t))

void words_bind_copy(struct words *words) {
    const struct family *family = words->family;

    words_method(words, COPY_SUBCHANNEL, 0, family->format == METHODS_OF_CLASSES ? family->copy : HANDLE_COPY);
}

bool family_has_copy_engine(const struct family *family) {
    return (family->copy & 0xff) == 0xb5;
}

static uint32_t handle_of(uint32_t domain) {
    return domain == VRAM ? HANDLE_VRAM : HANDLE_GART;
}

/*
 * Up to NV4x an address is valid until the kernel moves the buffer, and since Linux 6.8 a buffer that is new has none
 * yet. So the kernel is told where each is, and writes it there if it is another than was presumed.
 */
static void note_place(struct words *words, uint32_t at, const struct buffer *buffer, uint64_t offset, bool is_handle) {
    if (words->family->format != METHODS_OF_HANDLES)
        return;
    if (words->place_count >= sizeof words->place / sizeof words->place[0])
        fail("too many addresses");
    words->place[words->place_count++] = (struct place){at, buffer, (uint32_t)offset, is_handle};
}

void words_copy_raw(struct words *words, uint32_t from_domain, uint64_t from, uint32_t to_domain, uint64_t to,
                    uint32_t rows) {
    const struct family *family = words->family;
    const uint32_t from_high = (uint32_t)(from >> 32), from_low = (uint32_t)from, to_high = (uint32_t)(to >> 32),
                   to_low = (uint32_t)to;

    if (family_has_copy_engine(family)) {
        ADD(words, 0x400, from_high, from_low, to_high, to_low, ROW_BYTES, ROW_BYTES, ROW_BYTES, rows);
        ADD(words, 0x300, 0x386); /* not pipelined, flush, pitch to pitch, two-dimensional */
    } else if (family->format == METHODS_OF_CLASSES) {
        ADD(words, 0x238, to_high, to_low);
        ADD(words, 0x30c, from_high, from_low, ROW_BYTES, ROW_BYTES, ROW_BYTES, rows);
        ADD(words, 0x300, 0x110);
    } else {
        ADD(words, 0x180, HANDLE_NOTE, handle_of(from_domain), handle_of(to_domain));
        if (family->format == METHODS_OF_TESLA) {
            ADD(words, 0x200, 1);
            ADD(words, 0x21c, 1);
            ADD(words, 0x238, from_high, to_high);
        }
        ADD(words, 0x30c, from_low, to_low, ROW_BYTES, ROW_BYTES, ROW_BYTES, rows, 0x101, 0);
    }
}

/* M2MF of NV4 counts 2047 rows at most. */
void words_copy(struct words *words, const struct buffer *from, uint64_t from_at, const struct buffer *to,
                uint64_t to_at, uint32_t rows) {
    while (rows) {
        uint32_t piece = rows < 1024 ? rows : 1024, at = words->count;
        note_place(words, at + 2, from, 0, true);
        note_place(words, at + 3, to, 0, true);
        note_place(words, at + 5, from, from_at, false);
        note_place(words, at + 6, to, to_at, false);
        words_copy_raw(words, from->info.domain, from->info.offset + from_at, to->info.domain, to->info.offset + to_at,
                       piece);
        from_at += (uint64_t)piece * ROW_BYTES;
        to_at += (uint64_t)piece * ROW_BYTES;
        rows -= piece;
    }
}

/* ---- submissions ---- */

static void list(struct drm_nouveau_gem_pushbuf_bo *entry, const struct use *use) {
    const struct drm_nouveau_gem_info *info = &use->buffer->info;

    *entry = (struct drm_nouveau_gem_pushbuf_bo){
        .handle = info->handle,
        .read_domains = use->domain,
        .write_domains = use->writes ? use->domain : 0,
        .valid_domains = use->domain,
        .presumed = {.valid = 1, .domain = info->domain, .offset = info->offset},
    };
}

static uint32_t index_of(const struct buffer *buffer, const struct use *uses, unsigned count) {
    for (unsigned i = 0; i < count; i++)
        if (uses[i].buffer == buffer)
            return i + 1; /* the first is the push buffer */
    fail("an address of a buffer that the submission does not list");
}

static void list_places(struct drm_nouveau_gem_pushbuf_reloc *entries, const struct words *words,
                        const struct use *uses, unsigned count) {
    for (unsigned i = 0; i < words->place_count; i++) {
        const struct place *place = &words->place[i];
        entries[i] = (struct drm_nouveau_gem_pushbuf_reloc){
            .reloc_bo_index = 0,
            .reloc_bo_offset = 4 * place->at,
            .bo_index = index_of(place->buffer, uses, count),
            .flags = place->is_handle ? NOUVEAU_GEM_RELOC_OR : NOUVEAU_GEM_RELOC_LOW,
            .data = place->offset,
            .vor = HANDLE_VRAM,
            .tor = HANDLE_GART,
        };
    }
}

static void write_segment(struct buffer *push, const struct channel *channel, const struct words *words) {
    memcpy(push->map, words->word, words->count * sizeof words->word[0]);
    memcpy(push->map + words->count, channel->suffix, sizeof channel->suffix);
}

/* The kernel moves a buffer where it must be, and tells. 0, or errno. */
static int try_submit_from(struct channel *channel, struct buffer *push, const struct words *words,
                           const struct use *uses, unsigned count) {
    struct drm_nouveau_gem_pushbuf_reloc places[sizeof words->place / sizeof words->place[0]];
    struct drm_nouveau_gem_pushbuf_bo list_of[9];
    const struct use own = {push, channel->push_domain == (VRAM | GART) ? GART : channel->push_domain, false};
    bool has_suffix = channel->suffix[0] || channel->suffix[1];
    struct drm_nouveau_gem_pushbuf_push segment = {.length = 4 * (uint64_t)words->count +
                                                             (has_suffix ? sizeof channel->suffix : 0)};
    struct drm_nouveau_gem_pushbuf request = {
        .channel = (uint32_t)channel->id,
        .nr_buffers = count + 1,
        .buffers = (uintptr_t)list_of,
        .nr_relocs = words->place_count,
        .relocs = (uintptr_t)places,
        .nr_push = 1,
        .push = (uintptr_t)&segment,
    };

    list(&list_of[0], &own);
    for (unsigned i = 0; i < count; i++)
        list(&list_of[i + 1], &uses[i]);
    list_places(places, words, uses, count);
    write_segment(push, channel, words);
    int error = try_ioctl(channel->device, IOCTL(DRM_NOUVEAU_GEM_PUSHBUF, struct drm_nouveau_gem_pushbuf), &request);
    if (error)
        return error;
    channel->suffix[0] = request.suffix0;
    channel->suffix[1] = request.suffix1;
    for (unsigned i = 0; i < count; i++)
        if (!list_of[i + 1].presumed.valid) {
            uses[i].buffer->info.domain = list_of[i + 1].presumed.domain;
            uses[i].buffer->info.offset = list_of[i + 1].presumed.offset;
        }
    return 0;
}

static void submit_from(struct channel *channel, struct buffer *push, const struct words *words, const struct use *uses,
                        unsigned count) {
    int error = try_submit_from(channel, push, words, uses, count);

    if (error)
        fail("GEM_PUSHBUF: %s", strerror(error));
}

static struct buffer push_buffer(const struct channel *channel) {
    return buffer_new(channel->device, channel->push_domain & GART ? GART : VRAM, PUSH_BYTES + 4096);
}

int channel_try_submit(struct channel *channel, const struct words *words) {
    struct buffer push = push_buffer(channel);
    int error = try_submit_from(channel, &push, words, NULL, 0);

    buffer_free(&push);
    return error;
}

void channel_submit(struct channel *channel, const struct words *words, const struct use *uses, unsigned count) {
    struct buffer push = push_buffer(channel);

    submit_from(channel, &push, words, uses, count);
    buffer_free(&push);
}

int channel_try_run(struct channel *channel, const struct words *words, const struct use *uses, unsigned count) {
    struct buffer push = push_buffer(channel);

    submit_from(channel, &push, words, uses, count);
    int error = buffer_try_wait(&push);
    buffer_free(&push);
    return error;
}

void channel_run(struct channel *channel, const struct words *words, const struct use *uses, unsigned count) {
    int error = channel_try_run(channel, words, uses, count);

    if (error)
        fail("channel %d does not end what it was given: %s", channel->id, strerror(error));
}
