/* SPDX-License-Identifier: MIT */
#include "tegra.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PAGE              0x1000u
#define BIG_PAGE          0x10000u
#define ENTRY_NOT_MAIN    0x200u /* libnx sets it in all entries */
#define ENTRY_NO_PREFETCH 0x80000000u
#define PATIENCE          1000u /* waits of 30 ms */

void tegra_check(bool right, const char *what) {
    if (right)
        return;
    fprintf(stderr, "%s: wrong\n", what);
    exit(1);
}

static void call(enum pfifo_nvgpu_result result, const char *name) {
    if (result == PFIFO_NVGPU_OK)
        return;
    fprintf(stderr, "%s answers 0x%x\n", name, (unsigned)result);
    exit(1);
}

static int32_t open_file(struct tegra *tegra, const char *path) {
    int32_t fd;
    call(pfifo_nvgpu_open(tegra->client, path, &fd), path);
    return fd;
}

/* ---- what happens on the GPU ---- */

static bool print(void *opaque, const char *text, size_t bytes) {
    (void)opaque;
    return fwrite(text, 1, bytes, stderr) == bytes;
}

static void not_executed(void *opaque, const struct pfifo_event *event) {
    struct tegra *tegra = opaque;
    fprintf(stderr, "not executed: class %04x, method 0x%04x\n", (unsigned)event->value[0], (unsigned)event->value[1]);
    tegra->not_executed++;
}

static void observe(struct tegra *tegra) {
    struct pfifo_gpu *gpu = pfifo_device_gpu(pfifo_nvgpu_device(tegra->nvgpu));
    const char *events = getenv("TRACE");
    tegra_check(pfifo_gpu_observe(gpu, "engine.not_executed", not_executed, tegra, NULL) == PFIFO_OK, "observe");
    if (!events)
        return;
    tegra->trace = pfifo_trace_new(PFIFO_TRACE_TEXT, print, NULL, NULL);
    tegra_check(tegra->trace && pfifo_trace_attach(tegra->trace, gpu, events, NULL) == PFIFO_OK, "TRACE");
}

/* ---- what it submits ---- */

static void record(struct tegra *tegra) {
    const char *path = getenv("RECORD");
    if (!path)
        return;
    tegra->record = pfifo_stream_writer_open(path, PFIFO_STREAM_ZSTD, NULL);
    tegra_check(tegra->record && pfifo_nvgpu_record(tegra->nvgpu, tegra->record, NULL) == PFIFO_OK, "RECORD");
}

static void end_record(struct tegra *tegra) {
    if (!tegra->record)
        return;
    tegra_check(pfifo_nvgpu_record_end(tegra->nvgpu, NULL) == PFIFO_OK &&
                    pfifo_stream_writer_finish(tegra->record, NULL) == PFIFO_OK,
                "RECORD");
    pfifo_stream_writer_close(tegra->record);
}

/* ---- start and end ---- */

void tegra_open(struct tegra *tegra) {
    struct pfifo_error error = {0};
    memset(tegra, 0, sizeof *tegra);
    tegra->nvgpu = pfifo_nvgpu_new(&(struct pfifo_nvgpu_config){.size = sizeof(struct pfifo_nvgpu_config)}, &error);
    /* Without a description of its memory, a client is this process: addresses are pointers. */
    tegra->client = tegra->nvgpu ? pfifo_nvgpu_client_new(tegra->nvgpu, NULL, &error) : NULL;
    if (!tegra->client) {
        fprintf(stderr, "%s\n", error.message);
        exit(1);
    }
    observe(tegra);
    record(tegra);
    tegra->control = open_file(tegra, "/dev/nvhost-ctrl");
    tegra->nvmap = open_file(tegra, "/dev/nvmap");
    tegra->as = open_file(tegra, "/dev/nvhost-as-gpu");
    call(pfifo_nvhost_as_initialize(tegra->client, tegra->as, BIG_PAGE), "INITIALIZE_EX");
}

void tegra_close(struct tegra *tegra) {
    pfifo_trace_free(tegra->trace);
    end_record(tegra);
    pfifo_nvgpu_free(tegra->nvgpu); /* and its clients, as the end of a process */
    for (unsigned i = 0; i < tegra->buffers; i++)
        free(tegra->memory[i]);
    tegra_check(tegra->not_executed == 0, "a method");
}

/* ---- memory ---- */

/*
 * Four steps: memory of the program; CREATE, a handle for so many bytes; ALLOC, the handle gets that memory; MAP, and
 * the GPU sees it. From now on both work on the same bytes.
 */
struct tegra_buffer tegra_buffer(struct tegra *tegra, uint32_t bytes) {
    bytes = (bytes + PAGE - 1) & ~(PAGE - 1);
    struct tegra_buffer buffer = {.cpu = aligned_alloc(PAGE, bytes), .bytes = bytes};
    struct pfifo_nvhost_as_map map = {.flags = PFIFO_NVHOST_AS_MAP_CACHEABLE, .page_bytes = BIG_PAGE};
    tegra_check(buffer.cpu && tegra->buffers < TEGRA_BUFFERS, "memory");
    tegra->memory[tegra->buffers++] = memset(buffer.cpu, 0, bytes);
    call(pfifo_nvmap_create(tegra->client, tegra->nvmap, bytes, &map.handle), "CREATE");
    call(pfifo_nvmap_alloc(tegra->client, tegra->nvmap, map.handle, BIG_PAGE, 0, false, (uintptr_t)buffer.cpu),
         "ALLOC");
    call(pfifo_nvhost_as_map_buffer(tegra->client, tegra->as, &map), "MAP_BUFFER_EX");
    call(pfifo_nvmap_get_id(tegra->client, tegra->nvmap, map.handle, &buffer.id), "GET_ID");
    buffer.gpu = map.address;
    return buffer;
}

/* ---- channels ---- */

void tegra_channel_open(struct tegra *tegra, struct tegra_channel *channel) {
    static const struct {
        uint32_t subchannel, object_class;
    } engines[] = {{SUBCHANNEL_3D, 0xb197},
                   {SUBCHANNEL_COMPUTE, 0xb1c0},
                   {SUBCHANNEL_INLINE, 0xa140},
                   {SUBCHANNEL_2D, 0x902d},
                   {SUBCHANNEL_COPY, 0xb0b5}};
    struct pfifo_nvgpu_client *client = tegra->client;
    memset(channel, 0, sizeof *channel);
    channel->fd = open_file(tegra, "/dev/nvhost-gpu");
    call(pfifo_nvhost_gpu_set_nvmap(client, channel->fd, tegra->nvmap), "SET_NVMAP_FD");
    call(pfifo_nvhost_as_bind_channel(client, tegra->as, channel->fd), "BIND_CHANNEL");
    call(pfifo_nvhost_gpu_alloc_gpfifo(client, channel->fd, 0x800, &channel->fence), "ALLOC_GPFIFO_EX2");
    call(pfifo_nvhost_gpu_alloc_object(client, channel->fd, 0xb197), "ALLOC_OBJ_CTX");
    call(pfifo_nvhost_gpu_set_error_notifier(client, channel->fd, true), "SET_ERROR_NOTIFIER");
    call(pfifo_nvhost_gpu_set_priority(client, channel->fd, 100), "SET_PRIORITY");
    channel->list = tegra_buffer(tegra, TEGRA_LIST_BYTES);
    for (unsigned i = 0; i < sizeof engines / sizeof engines[0]; i++) /* method 0: SET_OBJECT */
        PUT(channel, INCREASING, engines[i].subchannel, 0, engines[i].object_class);
}

static void put_word(struct tegra_channel *channel, uint32_t word) {
    tegra_check(channel->words < TEGRA_LIST_BYTES / 4, "room for commands");
    ((uint32_t *)channel->list.cpu)[channel->words++] = word;
}

/* Bits 31:29 are the mode, 15:13 the subchannel. The method is in words, but in the old modes, which count in bytes. */
void tegra_put(struct tegra_channel *channel, enum tegra_mode mode, uint32_t subchannel, uint32_t method,
               const uint32_t *words, uint32_t count) {
    uint32_t header = (uint32_t)mode << 29 | subchannel << 13;
    if (mode == IMMEDIATE) {
        tegra_check(count == 1 && words[0] < 0x2000, "a word of 13 bits");
        put_word(channel, header | words[0] << 16 | method >> 2);
        return;
    }
    bool old = mode == OLD_INCREASING || mode == OLD_NON_INCREASING;
    put_word(channel, header | (old ? count << 18 | method : count << 16 | method >> 2));
    for (uint32_t i = 0; i < count; i++)
        put_word(channel, words[i]);
}

static void put_entry(struct tegra_channel *channel, uint64_t words, uint32_t count, uint32_t flags) {
    tegra_check(channel->entry_count < TEGRA_ENTRIES, "room for entries");
    channel->entries[channel->entry_count++] = pfifo_nvhost_gpu_entry(words, count, ENTRY_NOT_MAIN | flags);
}

static void end_entry(struct tegra_channel *channel) {
    if (channel->words > channel->begin)
        put_entry(channel, channel->list.gpu + 4u * channel->begin, channel->words - channel->begin, 0);
    channel->begin = channel->words;
}

void tegra_put_from(struct tegra_channel *channel, enum tegra_mode mode, uint32_t subchannel, uint32_t method,
                    uint64_t words, uint32_t count) {
    put_word(channel, (uint32_t)mode << 29 | count << 16 | subchannel << 13 | method >> 2);
    end_entry(channel);
    put_entry(channel, words, count, ENTRY_NO_PREFETCH);
}

struct pfifo_nvhost_fence tegra_submit(struct tegra *tegra, struct tegra_channel *channel,
                                       const struct pfifo_nvhost_fence *after) {
    struct pfifo_nvhost_fence fence = after ? *after : (struct pfifo_nvhost_fence){0};
    uint32_t flags = PFIFO_NVHOST_SUBMIT_HARDWARE_FORMAT | PFIFO_NVHOST_SUBMIT_INCREMENT;
    flags |= after ? PFIFO_NVHOST_SUBMIT_WAIT : 0;
    end_entry(channel);
    call(pfifo_nvhost_gpu_submit(tegra->client, channel->fd, channel->entries, channel->entry_count, flags, &fence),
         "KICKOFF_PB");
    channel->entry_count = 0;
    channel->fence = fence;
    return fence;
}

bool tegra_reached(struct tegra *tegra, struct pfifo_nvhost_fence fence) {
    uint32_t value;
    call(pfifo_nvhost_ctrl_read(tegra->client, tegra->control, fence.syncpoint, &value), "SYNCPT_READ");
    return value - fence.value < 0x80000000u; /* syncpoints wrap */
}

/* A channel with an error goes no further, but its syncpoint does, so that nobody waits in vain: look for errors, too.
 */
void tegra_wait(struct tegra *tegra, struct tegra_channel *channel, struct pfifo_nvhost_fence fence) {
    struct pfifo_nvhost_notification notification;
    for (unsigned i = 0; !tegra_reached(tegra, fence); i++) {
        tegra_check(i < PATIENCE, "a fence that is reached");
        pfifo_nvgpu_run(tegra->nvgpu, 4000000);
    }
    call(pfifo_nvhost_gpu_notification(tegra->client, channel->fd, &notification), "GET_ERROR_NOTIFICATION");
    if (notification.there) {
        fprintf(stderr, "the channel has error %u\n", (unsigned)notification.number);
        exit(1);
    }
}

/* ---- pictures ---- */

/*
 * A GOB is 64 bytes by 8 rows, in sectors of 16 bytes by 2 rows. Blocks are some GOBs high, and as many of them as it
 * takes are a row of blocks.
 */
uint32_t tegra_block_linear(uint32_t x, uint32_t y, uint32_t row_bytes, uint32_t block_height_log2) {
    uint32_t gobs = (row_bytes + 63) / 64, block = y / 8 >> block_height_log2;
    uint32_t gob = (block * gobs + x / 64) << block_height_log2 | (y / 8 & ((1u << block_height_log2) - 1));
    uint32_t inside = x % 64 / 32 * 256 + y % 8 / 2 * 64 + x % 32 / 16 * 32 + y % 2 * 16 + x % 16;
    return gob * 512 + inside;
}
