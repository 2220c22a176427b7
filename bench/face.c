/* SPDX-License-Identifier: MIT */
/*
 * Captures of the DRM face, made again as the ioctls that they were. Handles and addresses come out as they were
 * recorded, since the face gives them out in the same order. Timed are submissions and waits; not what the CPU writes.
 */
#include "face.h"

#include <drm.h>
#include <errno.h>
#include <inttypes.h>
#include <nouveau_drm.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <pfifo/engine.h>
#include <pfifo/stream.h>

#include "face/drm/drm.h"
#include "measure.h"
#include "summer.h"

#define ROUNDS       5
#define MOST_HANDLES 4096u

static const struct scene {
    const char *file, *chip;
    bool graphics_first; /* PGRAPH is engine 0 */
} scenes[] = {
    {"nv40-glmark2-build.nvcap.zst", "NV40", false},
    {"nva3-glmark2-build.nvcap.zst", "GT215", false},
    {"nvc0-glmark2-build.nvcap.zst", "GF100", true},
    {"nv117-glmark2-build.nvcap.zst", "GM107", true},
};

/* What one playing of a scene took. */
struct spent {
    double ioctls, machine; /* seconds; the machine's are a part of the ioctls' */
    uint64_t submissions, words, flips;
};

static double in_machine;
static bool is_timed; /* else it costs nothing to others who use the face */

// NOLINTBEGIN(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp): the linker's names
/* The linker puts these in the place of the library's function (--wrap): what runs in it is PFIFO and engines. */
enum pfifo_stop __real_pfifo_private_device_run_part(struct pfifo_device *device, uint64_t units, uint64_t *budget);
enum pfifo_stop __wrap_pfifo_private_device_run_part(struct pfifo_device *device, uint64_t units, uint64_t *budget);

enum pfifo_stop __wrap_pfifo_private_device_run_part(struct pfifo_device *device, uint64_t units, uint64_t *budget) {
    if (!is_timed)
        return __real_pfifo_private_device_run_part(device, units, budget);
    double start = measure_now();
    enum pfifo_stop stop = __real_pfifo_private_device_run_part(device, units, budget);
    in_machine += measure_now() - start;
    return stop;
}
// NOLINTEND(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp)

static void die(const char *file, const char *what) {
    fprintf(stderr, "pfifo-bench: %s: %s\n", file, what);
    exit(1);
}

/* ---- the host: the program is this one ---- */

static bool host_read(void *opaque, void *to, uint64_t from, size_t bytes) {
    (void)opaque;
    memcpy(to, (const void *)(uintptr_t)from, bytes); // NOLINT(performance-no-int-to-ptr)
    return true;
}

static bool host_write(void *opaque, uint64_t to, const void *from, size_t bytes) {
    (void)opaque;
    memcpy((void *)(uintptr_t)to, from, bytes); // NOLINT(performance-no-int-to-ptr)
    return true;
}

static void host_event(void *opaque, struct drm_file *file, const void *data, size_t bytes) {
    (void)opaque, (void)file, (void)data, (void)bytes;
}

static int host_give(void *opaque, int file, unsigned flags) {
    (void)opaque, (void)file, (void)flags;
    return -EINVAL;
}

static int host_take(void *opaque, int fd) {
    (void)opaque, (void)fd;
    return -EINVAL;
}

static int host_hold_event(void *opaque, int fd) {
    (void)opaque, (void)fd;
    return -EINVAL;
}

static void host_end_event(void *opaque, int held, bool tell) {
    (void)opaque, (void)held, (void)tell;
}

static uint64_t host_now(void *opaque) {
    (void)opaque;
    return 0;
}

static bool host_wait(void *opaque, uint64_t nanoseconds) {
    (void)opaque, (void)nanoseconds;
    return false;
}

static void host_sleep(void *opaque, uint64_t nanoseconds) {
    (void)opaque, (void)nanoseconds;
}

static void host_log(void *opaque, const char *line) {
    die(opaque, line);
}

const struct drm_host bench_drm_host = {.read = host_read,
                                        .write = host_write,
                                        .event = host_event,
                                        .give = host_give,
                                        .take = host_take,
                                        .hold_event = host_hold_event,
                                        .end_event = host_end_event,
                                        .now = host_now,
                                        .wait = host_wait,
                                        .sleep = host_sleep,
                                        .log = host_log};

/* ---- a scene ---- */

struct buffer {
    uint8_t *at; /* for the CPU; NULL: not mapped yet */
    uint64_t bytes, map_handle;
};

struct player {
    const char *file;
    struct drm_file *client;
    struct buffer buffers[MOST_HANDLES];
    struct drm_nouveau_gem_pushbuf request;
    struct drm_nouveau_gem_pushbuf_bo refs[NOUVEAU_GEM_MAX_BUFFERS];
    struct drm_nouveau_gem_pushbuf_reloc relocs[NOUVEAU_GEM_MAX_RELOCS];
    struct drm_nouveau_gem_pushbuf_push pushes[NOUVEAU_GEM_MAX_PUSH];
    struct pfifo_stream_bonew waiting; /* handle 0: none. The next record may be the channel that made it */
    struct spent spent;
};

static void call(struct player *player, unsigned long request, void *argument, const char *what) {
    if (drm_file_ioctl(player->client, request, (uint64_t)(uintptr_t)argument) < 0)
        die(player->file, what);
}

#define NOUVEAU(number, structure) DRM_IOWR(DRM_COMMAND_BASE + (number), structure)

static void make_buffer(struct player *player, const struct pfifo_stream_bonew *as) {
    struct drm_nouveau_gem_new request = {
        .info = {.size = as->bytes, .domain = as->domain, .tile_mode = as->tile_mode, .tile_flags = as->tile_flags}};
    call(player, NOUVEAU(DRM_NOUVEAU_GEM_NEW, struct drm_nouveau_gem_new), &request, "a buffer cannot be made");
    if (request.info.handle != as->handle || request.info.offset != as->address || as->handle >= MOST_HANDLES)
        die(player->file, "a buffer is not where it was recorded: record the scene again");
    player->buffers[as->handle] = (struct buffer){.bytes = request.info.size, .map_handle = request.info.map_handle};
}

static void drop_buffer(struct player *player, uint32_t handle) {
    struct drm_gem_close request = {.handle = handle};
    struct buffer *buffer = &player->buffers[handle % MOST_HANDLES];
    if (buffer->at)
        munmap(buffer->at, buffer->bytes);
    *buffer = (struct buffer){0};
    call(player, DRM_IOCTL_GEM_CLOSE, &request, "a buffer cannot be closed");
}

static void write_buffer(struct player *player, uint32_t handle, uint64_t offset, const void *data, size_t bytes) {
    struct buffer *buffer = &player->buffers[handle % MOST_HANDLES];
    struct drm_memory memory;
    if (!buffer->at && drm_file_map(player->client, buffer->map_handle, buffer->bytes, &memory) == 0) {
        void *at = mmap(NULL, buffer->bytes, PROT_READ | PROT_WRITE, MAP_SHARED, memory.fd, (off_t)memory.offset);
        buffer->at = at == MAP_FAILED ? NULL : at;
    }
    if (!buffer->at || offset > buffer->bytes || bytes > buffer->bytes - offset)
        die(player->file, "a buffer cannot be written");
    memcpy(buffer->at + offset, data, bytes);
}

static void make_channel(struct player *player, const struct pfifo_stream_chan *as) {
    struct drm_nouveau_channel_alloc request = {.fb_ctxdma_handle = as->fb_ctxdma, .tt_ctxdma_handle = as->tt_ctxdma};
    call(player, NOUVEAU(DRM_NOUVEAU_CHANNEL_ALLOC, struct drm_nouveau_channel_alloc), &request, "no channel");
    if ((uint32_t)request.channel != as->channel || request.notifier_handle != as->notifier_bo)
        die(player->file, "a channel has another number");
    if (player->waiting.handle == as->notifier_bo)
        player->waiting.handle = 0; /* CHANNEL_ALLOC has made it */
}

static void make_object(struct player *player, const struct pfifo_stream_obj *as) {
    struct drm_nouveau_grobj_alloc request = {
        .channel = (int)as->channel, .handle = as->handle, .class = (int)as->oclass};
    call(player, DRM_IOW(DRM_COMMAND_BASE + DRM_NOUVEAU_GROBJ_ALLOC, struct drm_nouveau_grobj_alloc), &request,
         "an object cannot be made");
}

static void make_notifier(struct player *player, const struct pfifo_stream_ntfy *as) {
    struct drm_nouveau_notifierobj_alloc request = {.channel = as->channel, .handle = as->handle, .size = as->bytes};
    call(player, NOUVEAU(DRM_NOUVEAU_NOTIFIEROBJ_ALLOC, struct drm_nouveau_notifierobj_alloc), &request,
         "a notifier cannot be made");
}

/* ---- submissions ---- */

static void add_ref(struct player *player, const struct pfifo_stream_boref *as) {
    player->refs[player->request.nr_buffers++] =
        (struct drm_nouveau_gem_pushbuf_bo){.handle = as->handle,
                                            .read_domains = as->read_domains,
                                            .write_domains = as->write_domains,
                                            .valid_domains = as->valid_domains,
                                            .presumed = {as->presumed_valid, as->presumed_domain, as->presumed_offset}};
}

static void add_reloc(struct player *player, const struct pfifo_stream_reloc *as) {
    player->relocs[player->request.nr_relocs++] =
        (struct drm_nouveau_gem_pushbuf_reloc){.reloc_bo_index = as->reloc_bo_index,
                                               .reloc_bo_offset = as->reloc_bo_offset,
                                               .bo_index = as->bo_index,
                                               .flags = as->flags,
                                               .data = as->data,
                                               .vor = as->vor,
                                               .tor = as->tor};
}

static void add_push(struct player *player, const struct pfifo_stream_push *as) {
    uint32_t index = 0;
    while (index < player->request.nr_buffers && player->refs[index].handle != as->handle)
        index++;
    player->pushes[player->request.nr_push++] =
        (struct drm_nouveau_gem_pushbuf_push){.bo_index = index, .offset = as->offset, .length = as->length};
    write_buffer(player, (uint32_t)as->handle, as->offset, as->words, 4 * (size_t)as->word_count);
    player->spent.words += as->word_count;
}

static void submit(struct player *player) {
    player->request.buffers = (uint64_t)(uintptr_t)player->refs;
    player->request.relocs = (uint64_t)(uintptr_t)player->relocs;
    player->request.push = (uint64_t)(uintptr_t)player->pushes;
    double start = measure_now();
    call(player, NOUVEAU(DRM_NOUVEAU_GEM_PUSHBUF, struct drm_nouveau_gem_pushbuf), &player->request,
         "a submission is refused");
    player->spent.ioctls += measure_now() - start;
    player->spent.submissions++;
}

static void prepare(struct player *player, const struct pfifo_stream_prep *as) {
    struct drm_nouveau_gem_cpu_prep request = {.handle = as->handle, .flags = as->flags};
    double start = measure_now();
    drm_file_ioctl(player->client,
                   DRM_IOW(DRM_COMMAND_BASE + DRM_NOUVEAU_GEM_CPU_PREP, struct drm_nouveau_gem_cpu_prep),
                   (uint64_t)(uintptr_t)&request);
    player->spent.ioctls += measure_now() - start;
}

static void play_record(struct player *player, const struct pfifo_stream_record *record) {
    if (player->waiting.handle && record->type != PFIFO_STREAM_CHAN) {
        make_buffer(player, &player->waiting);
        player->waiting.handle = 0;
    }
    switch (record->type) {
    case PFIFO_STREAM_TEXT:
        player->spent.flips += record->text.key_bytes == 4 && memcmp(record->text.key, "flip", 4) == 0;
        break;
    case PFIFO_STREAM_CHAN:
        make_channel(player, &record->chan);
        break;
    case PFIFO_STREAM_OBJ:
        make_object(player, &record->obj);
        break;
    case PFIFO_STREAM_NTFY:
        make_notifier(player, &record->ntfy);
        break;
    case PFIFO_STREAM_BONEW:
        player->waiting = record->bonew;
        break;
    case PFIFO_STREAM_BODEL:
        drop_buffer(player, record->bodel.handle);
        break;
    case PFIFO_STREAM_SUBMIT:
        player->request = (struct drm_nouveau_gem_pushbuf){.channel = record->submit.channel};
        break;
    case PFIFO_STREAM_BOREF:
        add_ref(player, &record->boref);
        break;
    case PFIFO_STREAM_BODATA:
        write_buffer(player, (uint32_t)record->bodata.handle, record->bodata.offset, record->bodata.data,
                     record->bodata.bytes);
        break;
    case PFIFO_STREAM_RELOC:
        add_reloc(player, &record->reloc);
        break;
    case PFIFO_STREAM_PUSH:
        add_push(player, &record->push);
        break;
    case PFIFO_STREAM_SUBEND:
        submit(player);
        break;
    case PFIFO_STREAM_PREP:
        prepare(player, &record->prep);
        break;
    default:
        break;
    }
}

/* ---- rounds ---- */

static struct spent play(const struct scene *scene, struct pfifo_stream *stream, bool engines) {
    struct pfifo_error error;
    struct pfifo_stream_record record;
    static struct player player;
    static struct summer summer;
    const struct drm_config config = {
        .chip = pfifo_chip_by_name(scene->chip), .host = &bench_drm_host, .opaque = (void *)(uintptr_t)scene->file};
    struct drm_device *device = drm_device_new(&config, &error);
    memset(&player, 0, sizeof player);
    player.file = scene->file;
    player.client = device ? drm_file_open(device, DRM_NODE_RENDER) : NULL;
    if (!player.client)
        die(scene->file, "no device");
    struct pfifo_gpu *gpu = pfifo_device_gpu(drm_device_pfifo(device));
    if (!engines && pfifo_gpu_set_engine(gpu, scene->graphics_first ? 0 : 1, &summer_ops, &summer, &error) != PFIFO_OK)
        die(scene->file, error.message);
    pfifo_stream_rewind(stream);
    in_machine = 0;
    while (pfifo_stream_next(stream, &record, &error) == PFIFO_OK && record.type != PFIFO_STREAM_END) {
        double before = in_machine;
        play_record(&player, &record);
        if (record.type == PFIFO_STREAM_SUBEND || record.type == PFIFO_STREAM_PREP)
            player.spent.machine += in_machine - before;
    }
    drm_file_close(player.client);
    drm_device_free(device);
    return player.spent;
}

static void measure_scene(const struct scene *scene, struct pfifo_stream *stream) {
    struct measure whole = {.rounds = 0}, outside = {.rounds = 0}, front = {.rounds = 0};
    struct spent all = {0};
    for (unsigned round = 0; round < ROUNDS; round++) {
        all = play(scene, stream, true);
        const struct spent bare = play(scene, stream, false);
        measure_add(&whole, all.ioctls, 1);
        measure_add(&outside, all.ioctls - all.machine, 1 - all.machine / all.ioctls);
        measure_add(&front, bare.machine, bare.machine / all.ioctls);
    }
    const struct measured total = measure_end(&whole), ioctls = measure_end(&outside), pfifo = measure_end(&front);
    const double frames = all.flips ? (double)all.flips : 1;
    printf("%-28s %-6s %8.0f submissions/s %6.2f Mwords/s   ioctls %2.0f %%, PFIFO %2.0f %%, PGRAPH %2.0f %%   "
           "a frame: %.3f ms, %.3f without PGRAPH\n",
           scene->file, scene->chip, (double)all.submissions / total.seconds, (double)all.words / total.seconds / 1e6,
           100 * ioctls.ratio, 100 * pfifo.ratio, 100 * (1 - ioctls.ratio - pfifo.ratio), 1e3 * total.seconds / frames,
           1e3 * (ioctls.seconds + pfifo.seconds) / frames);
    fflush(stdout);
}

void bench_drm(const char *folder) {
    for (unsigned i = 0; i < sizeof scenes / sizeof scenes[0]; i++) {
        struct pfifo_error error;
        char path[512];
        snprintf(path, sizeof path, "%s/%s", folder, scenes[i].file);
        struct pfifo_stream *stream = pfifo_stream_open(path, &error);
        if (!stream)
            die(scenes[i].file, error.message);
        /* A scene that cannot be played ends its own process, and the others are played. */
        pid_t child = fork();
        if (child == 0) {
            is_timed = true;
            measure_scene(&scenes[i], stream);
            fflush(stdout);
            _exit(0);
        }
        if (child < 0 || waitpid(child, NULL, 0) != child)
            die(scenes[i].file, "no process");
        pfifo_stream_close(stream);
    }
}
