/* SPDX-License-Identifier: MIT */
/*
 * Two devices of the DRM face, as two processes have them, and what goes between them by descriptors.
 *
 *   byte 0   the chips of both, and whether work is done in the calls or between them
 *   then     steps, each by one of the two: buffers made, exported, imported, used and closed; sync objects made, sent,
 *            signaled, waited for; sync files, merged; ioctls on descriptors; work that waits; time that goes on; a peer
 *            that writes what it likes into what they share, or sends files that are not what they say; one that ends
 *
 * Whatever comes, calls have results that they can have, nothing waits for ever, and when both have ended all is free.
 */
#include "fuzz/input.h"

#include <drm.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/dma-buf.h>
#include <linux/sync_file.h>
#include <nouveau_drm.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "face/drm/node/buffer.h"
#include "face/drm/node/share.h"
#include "face/drm/node/sync.h"
#include "face/drm/node/uapi.h"

#define MEMORY 0x2000u
#include "fuzz/program.h"

#define LISTS   0x1000u /* from here on: what structures point to */
#define STEPS   64u
#define GIVEN   24u
#define AT      UINT64_C(0x100000)
#define MOST    4095
#define SECONDS UINT64_C(1000000000)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct peer {
    uint8_t memory[MEMORY]; /* first: program.h */
    struct drm_device *device;
    struct drm_file *file;
    uint32_t channel;
    uint32_t pages; /* of code, so far */
    bool spaces;
};

static struct table {
    struct input input;
    struct peer peers[2];
    int gifts[GIVEN]; /* what was given: both may take it */
    unsigned given;
    uint64_t now;
} table;

/* ---- the host ---- */

static void host_event(void *opaque, struct drm_file *file, const void *data, size_t bytes) {
    (void)opaque, (void)file, (void)data, (void)bytes;
}

static int add(int file) {
    require(file >= 0);
    if (table.given == GIVEN) { /* the oldest makes room */
        close(table.gifts[0]);
        memmove(&table.gifts[0], &table.gifts[1], (GIVEN - 1) * sizeof table.gifts[0]);
        table.given--;
    }
    table.gifts[table.given] = file;
    return (int)table.given++;
}

static int host_give(void *opaque, int file, unsigned flags) {
    (void)opaque, (void)flags;
    return add(fcntl(file, F_DUPFD_CLOEXEC, 0));
}

static int host_take(void *opaque, int fd) {
    (void)opaque;
    return fd < 0 || (unsigned)fd >= table.given ? -EBADF : fcntl(table.gifts[fd], F_DUPFD_CLOEXEC, 0);
}

static int host_hold(void *opaque, int fd) {
    (void)opaque;
    return fd;
}

static void host_end_event(void *opaque, int held, bool tell) {
    (void)opaque, (void)held, (void)tell;
}

static uint64_t host_now(void *opaque) {
    (void)opaque;
    return table.now;
}

static bool host_wait(void *opaque, uint64_t nanoseconds) {
    (void)opaque;
    table.now += nanoseconds < SECONDS ? SECONDS : nanoseconds;
    for (unsigned i = 0; i < 2; i++)
        if (table.peers[i].device)
            drm_device_work(table.peers[i].device, 100);
    return true;
}

static void host_sleep(void *opaque, uint64_t nanoseconds) {
    (void)host_wait(opaque, nanoseconds);
}

static void host_log(void *opaque, const char *line) {
    (void)opaque, (void)line;
}

static const struct drm_host host = {.read = host_read,
                                     .write = host_write,
                                     .event = host_event,
                                     .give = host_give,
                                     .take = host_take,
                                     .hold_event = host_hold,
                                     .end_event = host_end_event,
                                     .now = host_now,
                                     .wait = host_wait,
                                     .sleep = host_sleep,
                                     .log = host_log};

/* ---- calls ---- */

static int call(struct peer *peer, unsigned long request, void *structure) {
    size_t bytes = _IOC_SIZE(request);
    memcpy(peer->memory, structure, bytes);
    int result = drm_file_ioctl(peer->file, request, BASE);
    require(result <= 0 && result >= -MOST);
    memcpy(structure, peer->memory, bytes);
    return result;
}

static uint32_t byte(void) {
    return (uint32_t)take(&table.input, 1);
}

static int any_fd(void) {
    return (int)byte() % (int)(table.given + 1);
}

static void put(struct peer *peer, size_t offset, const void *data, size_t bytes) {
    require(LISTS + offset + bytes <= MEMORY);
    memcpy(peer->memory + LISTS + offset, data, bytes);
}

/* ---- buffers ---- */

static void new_buffer(struct peer *peer) {
    uint32_t kind = byte();
    struct drm_nouveau_gem_new request = {
        .info = {.domain = kind & 6, .size = (kind >> 3 & 3) * 0x1000 + 1, .tile_flags = kind >> 6 ? 0xfe00 : 0}};
    call(peer, DRM_IOWR(0x80, struct drm_nouveau_gem_new), &request);
}

static void export_buffer(struct peer *peer) {
    struct drm_prime_handle prime = {.handle = byte() % 8};
    call(peer, DRM_IOCTL_PRIME_HANDLE_TO_FD, &prime);
}

static void import_buffer(struct peer *peer) {
    struct drm_prime_handle prime = {.fd = any_fd()};
    if (call(peer, DRM_IOCTL_PRIME_FD_TO_HANDLE, &prime))
        return;
    struct drm_nouveau_gem_info info = {.handle = prime.handle};
    struct drm_memory memory;
    require(call(peer, DRM_IOWR(0x84, struct drm_nouveau_gem_info), &info) == 0);
    require(drm_file_map(peer->file, info.map_handle, info.size, &memory) == 0);
    require(lseek(memory.fd, 0, SEEK_END) >= (off_t)(memory.offset + info.size));
}

static void close_handle(struct peer *peer) {
    struct drm_gem_close request = {.handle = byte() % 8};
    call(peer, DRM_IOCTL_GEM_CLOSE, &request);
}

static void prepare(struct peer *peer) {
    struct drm_nouveau_gem_cpu_prep request = {.handle = byte() % 8, .flags = byte() & 5};
    call(peer, DRM_IOW(0x82, struct drm_nouveau_gem_cpu_prep), &request);
}

static void map(struct peer *peer) {
    const struct uapi_bind_operation operation = {.operation = byte() % 2,
                                                  .handle = byte() % 8,
                                                  .address = AT + (byte() % 8) * UINT64_C(0x1000),
                                                  .bytes = 0x1000};
    struct uapi_vm_bind bind = {.operation_count = 1, .operations = BASE + LISTS};
    put(peer, 0, &operation, sizeof operation);
    call(peer, DRM_IOWR(0x51, struct uapi_vm_bind), &bind);
}

/* ---- work ---- */

/* An empty job, or one that waits for a word of what is mapped first, if anything is. */
static void execute(struct peer *peer) {
    struct uapi_sync syncs[2] = {{byte() % 2, byte() % 6, byte() % 4}, {byte() % 2, byte() % 6, byte() % 4}};
    uint32_t kind = byte();
    const struct uapi_exec_push push = {.address = AT + (kind % 8) * UINT64_C(0x1000), .bytes = 20};
    struct uapi_exec exec = {.channel = peer->channel,
                             .push_count = kind >> 3 & 1,
                             .pushes = BASE + LISTS + 64,
                             .wait_count = kind >> 4 & 1,
                             .waits = BASE + LISTS,
                             .signal_count = kind >> 5 & 1,
                             .signals = BASE + LISTS + 16};
    put(peer, 0, syncs, sizeof syncs);
    put(peer, 64, &push, sizeof push);
    call(peer, DRM_IOWR(0x52, struct uapi_exec), &exec);
}

/* A release or an acquire, as words of a buffer that is mapped to be executed. */
static void write_code(struct peer *peer) {
    struct drm_nouveau_gem_info info = {.handle = byte() % 8};
    struct drm_memory memory;
    uint32_t words[] = {0x20000000 | 4 << 16 | 0x10 >> 2, 0, (uint32_t)AT + byte() % 8 * 0x1000 + 64, byte() % 2,
                        0x1000 | (byte() % 2 + 1)};
    if (call(peer, DRM_IOWR(0x84, struct drm_nouveau_gem_info), &info) == 0 &&
        drm_file_map(peer->file, info.map_handle, sizeof words, &memory) == 0)
        require(pwrite(memory.fd, words, sizeof words, (off_t)memory.offset) == (ssize_t)sizeof words);
}

static void push_old(struct peer *peer) {
    struct drm_nouveau_gem_pushbuf_bo buffers[2] = {{.handle = byte() % 8, .valid_domains = 6, .read_domains = 6},
                                                    {.handle = byte() % 8, .valid_domains = 6}};
    struct drm_nouveau_gem_pushbuf_push segment = {.bo_index = 0, .length = 20};
    struct drm_nouveau_gem_pushbuf request = {
        .channel = peer->channel, .nr_buffers = 2, .nr_push = 1, .buffers = BASE + LISTS, .push = BASE + LISTS + 512};
    if (byte() % 2)
        buffers[1].write_domains = byte() & 6;
    else
        buffers[1].read_domains = 6;
    put(peer, 0, buffers, sizeof buffers);
    put(peer, 512, &segment, sizeof segment);
    call(peer, DRM_IOWR(0x81, struct drm_nouveau_gem_pushbuf), &request);
}

/* ---- sync objects ---- */

static void new_object(struct peer *peer) {
    struct drm_syncobj_create create = {.flags = byte() % 2};
    call(peer, DRM_IOCTL_SYNCOBJ_CREATE, &create);
}

static void destroy_object(struct peer *peer) {
    struct drm_syncobj_destroy destroy = {.handle = byte() % 6};
    call(peer, DRM_IOCTL_SYNCOBJ_DESTROY, &destroy);
}

static void send_object(struct peer *peer) {
    struct uapi_syncobj_handle request = {.handle = byte() % 6, .flags = byte() % 4, .point = byte() % 4};
    call(peer, DRM_IOWR(0xc1, struct uapi_syncobj_handle), &request);
}

static void receive_object(struct peer *peer) {
    struct uapi_syncobj_handle request = {
        .handle = byte() % 6, .flags = byte() % 4, .point = byte() % 4, .fd = any_fd()};
    call(peer, DRM_IOWR(0xc2, struct uapi_syncobj_handle), &request);
}

static void change_object(struct peer *peer) {
    static const unsigned long requests[] = {DRM_IOCTL_SYNCOBJ_SIGNAL, DRM_IOCTL_SYNCOBJ_RESET};
    const uint32_t handle = byte() % 6, how = byte();
    const uint64_t point = byte() % 6;
    put(peer, 0, &handle, sizeof handle);
    put(peer, 8, &point, sizeof point);
    struct drm_syncobj_timeline_array line = {.handles = BASE + LISTS, .points = BASE + LISTS + 8, .count_handles = 1};
    struct drm_syncobj_array array = {.handles = BASE + LISTS, .count_handles = 1};
    if (how % 4 < 2)
        call(peer, requests[how % 4], &array);
    else
        call(peer, how % 4 == 2 ? DRM_IOCTL_SYNCOBJ_TIMELINE_SIGNAL : DRM_IOCTL_SYNCOBJ_QUERY, &line);
}

static void transfer(struct peer *peer) {
    struct drm_syncobj_transfer request = {
        .src_handle = byte() % 6, .dst_handle = byte() % 6, .src_point = byte() % 4, .dst_point = byte() % 4};
    call(peer, DRM_IOCTL_SYNCOBJ_TRANSFER, &request);
}

static void wait_for_object(struct peer *peer) {
    const uint32_t handle = byte() % 6, how = byte();
    const uint64_t point = byte() % 4;
    struct drm_syncobj_timeline_wait wait = {.handles = BASE + LISTS,
                                             .points = BASE + LISTS + 8,
                                             .count_handles = 1,
                                             .flags = how & 7,
                                             .timeout_nsec = how & 8 ? (int64_t)(table.now + 3 * SECONDS) : 0};
    put(peer, 0, &handle, sizeof handle);
    put(peer, 8, &point, sizeof point);
    call(peer, DRM_IOCTL_SYNCOBJ_TIMELINE_WAIT, &wait);
}

static void ask_for_event(struct peer *peer) {
    struct uapi_syncobj_eventfd request = {.handle = byte() % 6, .flags = byte() % 2 * 4, .point = byte() % 4};
    call(peer, DRM_IOWR(0xcf, struct uapi_syncobj_eventfd), &request);
}

/* ---- descriptors ---- */

static void descriptor_call(struct peer *peer) {
    static const unsigned long requests[] = {SYNC_IOC_MERGE,
                                             SYNC_IOC_FILE_INFO,
                                             UAPI_SYNC_SET_DEADLINE,
                                             DMA_BUF_IOCTL_SYNC,
                                             UAPI_DMA_BUF_EXPORT_SYNC_FILE,
                                             UAPI_DMA_BUF_IMPORT_SYNC_FILE,
                                             DMA_BUF_SET_NAME_A};
    const unsigned long request = requests[byte() % (sizeof requests / sizeof requests[0])];
    const int fd = any_fd();
    memset(peer->memory, 0, 64);
    if (request == SYNC_IOC_MERGE)
        ((struct sync_merge_data *)(void *)peer->memory)->fd2 = any_fd();
    else if (request == SYNC_IOC_FILE_INFO)
        memset(peer->memory, byte() % 2 ? 0 : 1, sizeof(struct sync_file_info));
    else
        peer->memory[0] = (uint8_t)byte() % 8;
    if (request == UAPI_DMA_BUF_IMPORT_SYNC_FILE)
        peer->memory[4] = (uint8_t)any_fd();
    int result = drm_descriptor_ioctl(peer->device, fd, request, BASE);
    require(result <= 0 && result >= -MOST);
}

/* What a peer can do without asking anybody. */
static void be_hostile(void) {
    static const char *const names[] = {"pfifo-buffer:117:2:6:0:0", "pfifo-buffer:e4:4:4:10:fe00", "pfifo-syncobj",
                                        "pfifo-buffer:117:2:6:ffffffff:ffffffff", "else"};
    uint32_t how = byte();
    uint8_t garbage[64];
    if (how & 0x80) {
        int file = memfd_create(names[how % 5], MFD_CLOEXEC | MFD_ALLOW_SEALING);
        require(file >= 0 && ftruncate(file, (off_t)(byte() % 4) * 0x1000) == 0);
        if (how & 0x40)
            require(fcntl(file, F_ADD_SEALS, F_SEAL_SHRINK) == 0);
        add(file);
        return;
    }
    const int fd = any_fd();
    if ((unsigned)fd >= table.given || drm_is_sync_file(table.gifts[fd]))
        return;
    for (size_t i = 0; i < sizeof garbage; i++)
        garbage[i] = (uint8_t)byte();
    if (pwrite(table.gifts[fd], garbage, sizeof garbage, (off_t)(how % 16) * 48) < 0 ||
        ftruncate(table.gifts[fd], (off_t)(how & 0x7f)) != 0)
        return; /* it is sealed, or none that can be written */
}

static void close_gift(void) {
    const unsigned fd = (unsigned)any_fd();
    if (fd >= table.given)
        return;
    close(table.gifts[fd]);
    table.gifts[fd] = table.gifts[--table.given];
}

/* ---- both ---- */

static void open_peer(struct peer *peer, unsigned kind) {
    static const char *const chips[] = {"GM107", "GK104", "GP102", "GF100"};
    struct pfifo_error error;
    const struct drm_config config = {.chip = pfifo_chip_by_name(chips[kind & 3]),
                                      .vram_bytes = 32 << 20,
                                      .system_bytes = 32 << 20,
                                      .budget = 4096,
                                      .worker = kind & 4,
                                      .host = &host,
                                      .opaque = peer};
    *peer = (struct peer){.device = drm_device_new(&config, &error)};
    require(peer->device != NULL);
    peer->file = drm_file_open(peer->device, DRM_NODE_RENDER);
    require(peer->file != NULL);
    struct uapi_vm_init init = {UINT64_C(1) << 39, UINT64_C(1) << 39};
    struct drm_nouveau_channel_alloc alloc = {.fb_ctxdma_handle = 0xbeef0201, .tt_ctxdma_handle = 0xbeef0202};
    peer->spaces = kind & 8;
    if (peer->spaces)
        require(call(peer, DRM_IOWR(0x50, struct uapi_vm_init), &init) == 0);
    require(call(peer, DRM_IOWR(0x42, struct drm_nouveau_channel_alloc), &alloc) == 0);
    peer->channel = (uint32_t)alloc.channel;
}

static void close_peer(struct peer *peer) {
    struct drm_device *device = peer->device;
    if (!device)
        return;
    drm_file_close(peer->file);
    drm_shares_end_imported(device);
    drm_shares_reap(device, false);
    require(!device->buffers && !device->vram_used && !device->gart_used && !device->left_shares);
    drm_device_free(device);
    peer->device = NULL;
}

static void step(void) {
    static void (*const steps[])(struct peer *) = {
        new_buffer,     export_buffer, import_buffer, close_handle,    prepare,        map,
        execute,        write_code,    push_old,      new_object,      destroy_object, send_object,
        receive_object, change_object, transfer,      wait_for_object, ask_for_event,  descriptor_call};
    const unsigned count = sizeof steps / sizeof steps[0];
    uint32_t which = byte();
    struct peer *peer = &table.peers[which >> 7];
    which = (which & 0x7f) % (count + 5);
    table.now += 1000;
    if (which == count)
        be_hostile();
    else if (which == count + 1)
        close_gift();
    else if (which == count + 2)
        table.now += byte() * SECONDS / 8;
    else if (which == count + 3 && peer->device)
        drm_device_work(peer->device, 100);
    else if (which == count + 4 && byte() == 0)
        close_peer(peer);
    else if (which < count && peer->device)
        steps[which](peer);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    table = (struct table){.input = {data, size}, .now = SECONDS};
    const uint32_t first = byte();
    open_peer(&table.peers[0], first & 15);
    open_peer(&table.peers[1], first >> 4);
    for (unsigned i = 0; i < STEPS && table.input.left; i++)
        step();
    close_peer(&table.peers[0]);
    close_peer(&table.peers[1]);
    for (unsigned i = 0; i < table.given; i++)
        close(table.gifts[i]);
    return 0;
}
