/* SPDX-License-Identifier: MIT */
/*
 * Programs on the nodes of the DRM face.
 *
 *   byte 0   chip, whether time is virtual, and whether work is done in the calls or by a worker between them
 *   then     steps: an ioctl with a structure of interesting numbers, files, buffers, submissions, what mmap() maps,
 *            the program's memory. What waits lets the next step in, as another thread of the program
 *
 * Whatever a program does, a call has a result that ioctl() can have, costs a bounded amount of work, and everything is
 * free again when the last file is closed.
 */
#include "fuzz/input.h"

#include <drm.h>
#include <drm_mode.h>
#include <errno.h>
#include <fcntl.h>
#include <nouveau_drm.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "face/drm/node/buffer.h"
#include "face/drm/node/share.h"
#include "face/drm/node/uapi.h"

#define MEMORY 0x4000u
#include "fuzz/program.h"

#define ROOM   0x1000u /* of it, at its end: structures of ioctls */
#define FILES  3u
#define STEPS  96u
#define DEPTH  2u /* of steps in the waits of others */
#define GIVEN  8u
#define LOOKS  UINT64_C(5000000000) /* nanoseconds from one look of a wait to the next */
#define TURN   100u                 /* units of a worker */
#define MOST   4095                 /* of errno */
#define LISTED 4u

/* Words that become the buffer's own address. */
#define OFFSET_LOW  0xbeef0205u
#define OFFSET_HIGH 0xbeef0206u

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct program {
    uint8_t memory[MEMORY]; /* first: program.h */
    struct input input;
    struct drm_device *device;
    struct drm_file *files[FILES];
    int gifts[GIVEN];
    unsigned given, steps, depth, held;
    bool works; /* in waits */
    uint64_t now;
};

static void step(struct program *program);

/* ---- the host ---- */

static void host_event(void *opaque, struct drm_file *file, const void *data, size_t bytes) {
    const struct program *program = opaque;
    struct drm_event event;
    require(bytes >= sizeof event && file->device == program->device);
    memcpy(&event, data, sizeof event);
    require(event.length == bytes);
}

static int host_give(void *opaque, int file, unsigned flags) {
    struct program *program = opaque;
    (void)flags;
    if (program->given == GIVEN)
        return -EMFILE;
    program->gifts[program->given] = fcntl(file, F_DUPFD_CLOEXEC, 0);
    require(program->gifts[program->given] >= 0);
    return (int)program->given++;
}

static int host_take(void *opaque, int fd) {
    const struct program *program = opaque;
    if (fd < 0 || (unsigned)fd >= program->given)
        return -EBADF;
    return fcntl(program->gifts[fd], F_DUPFD_CLOEXEC, 0);
}

/* Whether it is an eventfd is the host's business. */
static int host_hold(void *opaque, int fd) {
    struct program *program = opaque;
    if (fd < 0 || fd % 2)
        return fd < 0 ? -EBADF : -EINVAL;
    program->held++;
    return fd;
}

static void host_end_event(void *opaque, int held, bool tell) {
    struct program *program = opaque;
    (void)tell;
    require(held >= 0 && held % 2 == 0 && program->held);
    program->held--;
}

static uint64_t host_now(void *opaque) {
    return ((const struct program *)opaque)->now;
}

/* Time flies: a wait is over after a few looks. */
static bool host_wait(void *opaque, uint64_t nanoseconds) {
    struct program *program = opaque;
    program->now += (nanoseconds < LOOKS ? nanoseconds : 0) + LOOKS;
    if (program->works)
        drm_device_work(program->device, TURN);
    if (program->depth < DEPTH && program->input.left) {
        program->depth++;
        step(program);
        program->depth--;
    }
    return program->input.left && take(&program->input, 1) < 0xf0; /* a wait may be for ever */
}

static void host_sleep(void *opaque, uint64_t nanoseconds) {
    (void)host_wait(opaque, nanoseconds);
}

static void host_log(void *opaque, const char *line) {
    (void)opaque;
    for (; *line; line++)
        require(*line >= ' ' && *line <= '~');
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

/* ---- ioctls ---- */

static int call(struct program *program, struct drm_file *file, unsigned long request, uint64_t argument) {
    int result = drm_file_ioctl(file, request, argument);
    require(result <= 0 ? result >= -MOST : (unsigned)program->steps <= STEPS);
    return result;
}

/* Nested calls have places of their own. */
static uint64_t place(const struct program *program) {
    return BASE + MEMORY - ROOM + program->depth * 0x400;
}

static int call_with(struct program *program, struct drm_file *file, unsigned long request, void *structure) {
    size_t bytes = _IOC_SIZE(request);
    uint64_t address = place(program);
    require(bytes <= 0x400);
    memcpy(at(program, address, bytes), structure, bytes);
    int result = call(program, file, request, address);
    memcpy(structure, at(program, address, bytes), bytes);
    return result;
}

/* Numbers that mean something: small ones, addresses of the program, all ones. */
static uint32_t interesting(struct program *program) {
    uint32_t kind = (uint32_t)take(&program->input, 1);
    switch (kind >> 5) {
    case 0:
    case 1:
        return kind & 0x1f;
    case 2:
        return 1u << (kind & 0x1f);
    case 3:
        return (uint32_t)BASE + (kind & 0x1f) * 0x100;
    case 4:
        return 0u - (kind & 0x1f);
    case 5:
        return 0xbeef0200 + (kind & 0x1f);
    default:
        return (uint32_t)take(&program->input, (kind & 3) + 1);
    }
}

static struct drm_file *choose_file(struct program *program) {
    struct drm_file **file = &program->files[take(&program->input, 1) % FILES];
    if (!*file)
        *file = drm_file_open(program->device, take(&program->input, 1) % 2 ? DRM_NODE_RENDER : DRM_NODE_CARD);
    return *file;
}

static const unsigned long requests[] = {
    DRM_IOCTL_VERSION,
    DRM_IOCTL_GET_UNIQUE,
    DRM_IOCTL_GET_MAGIC,
    DRM_IOCTL_AUTH_MAGIC,
    DRM_IOCTL_SET_VERSION,
    DRM_IOCTL_GET_CAP,
    DRM_IOCTL_SET_CLIENT_CAP,
    DRM_IOCTL_SET_MASTER,
    DRM_IOCTL_DROP_MASTER,
    DRM_IOCTL_GEM_CLOSE,
    DRM_IOCTL_GEM_FLINK,
    DRM_IOCTL_GEM_OPEN,
    DRM_IOCTL_PRIME_HANDLE_TO_FD,
    DRM_IOCTL_PRIME_FD_TO_HANDLE,
    DRM_IOCTL_WAIT_VBLANK,
    DRM_IOCTL_MODE_GETRESOURCES,
    DRM_IOCTL_MODE_GETCRTC,
    DRM_IOCTL_MODE_SETCRTC,
    DRM_IOCTL_MODE_CURSOR,
    DRM_IOCTL_MODE_CURSOR2,
    DRM_IOCTL_MODE_GETGAMMA,
    DRM_IOCTL_MODE_SETGAMMA,
    DRM_IOCTL_MODE_GETENCODER,
    DRM_IOCTL_MODE_GETCONNECTOR,
    DRM_IOCTL_MODE_GETPROPERTY,
    DRM_IOCTL_MODE_GETPROPBLOB,
    DRM_IOCTL_MODE_SETPROPERTY,
    DRM_IOCTL_MODE_OBJ_GETPROPERTIES,
    DRM_IOCTL_MODE_GETPLANERESOURCES,
    DRM_IOCTL_MODE_GETPLANE,
    DRM_IOCTL_MODE_SETPLANE,
    DRM_IOCTL_MODE_ADDFB,
    DRM_IOCTL_MODE_ADDFB2,
    DRM_IOCTL_MODE_RMFB,
    DRM_IOCTL_MODE_GETFB,
    DRM_IOCTL_MODE_DIRTYFB,
    DRM_IOCTL_MODE_PAGE_FLIP,
    DRM_IOCTL_MODE_CREATE_DUMB,
    DRM_IOCTL_MODE_MAP_DUMB,
    DRM_IOCTL_MODE_DESTROY_DUMB,
    DRM_IOWR(0x40, struct drm_nouveau_getparam),
    DRM_IOWR(0x42, struct drm_nouveau_channel_alloc),
    DRM_IOW(0x43, struct drm_nouveau_channel_free),
    DRM_IOW(0x44, struct drm_nouveau_grobj_alloc),
    DRM_IOWR(0x45, struct drm_nouveau_notifierobj_alloc),
    DRM_IOW(0x46, struct drm_nouveau_gpuobj_free),
    DRM_IOWR(0x47, uint32_t[16]),
    DRM_IOWR(0x47, uint32_t[48]),
    DRM_IOWR(0x80, struct drm_nouveau_gem_new),
    DRM_IOWR(0x81, struct drm_nouveau_gem_pushbuf),
    DRM_IOW(0x82, struct drm_nouveau_gem_cpu_prep),
    DRM_IOW(0x83, struct drm_nouveau_gem_cpu_fini),
    DRM_IOWR(0x84, struct drm_nouveau_gem_info),
    DRM_IOCTL_CRTC_GET_SEQUENCE,
    DRM_IOCTL_CRTC_QUEUE_SEQUENCE,
    DRM_IOCTL_MODE_OBJ_SETPROPERTY,
    DRM_IOCTL_MODE_ATOMIC,
    DRM_IOCTL_MODE_CREATEPROPBLOB,
    DRM_IOCTL_MODE_DESTROYPROPBLOB,
    DRM_IOWR(0xce, struct drm_mode_fb_cmd2),
    DRM_IOW(0x41, struct drm_nouveau_setparam),
};

/* Any request with any structure. */
static void any_call(struct program *program, struct drm_file *file) {
    uint32_t words[64] = {0};
    unsigned long request = requests[take(&program->input, 1) % (sizeof requests / sizeof requests[0])];
    for (size_t i = 0; i < _IOC_SIZE(request) / 4 && i < 64 && program->input.left; i++)
        words[i] = interesting(program);
    call_with(program, file, request, words);
}

/* Any number, direction, size and address. */
static void wild_call(struct program *program, struct drm_file *file) {
    unsigned long request = (unsigned long)take(&program->input, 4);
    if (take(&program->input, 1) % 8)
        request = (request & ~0xff00ul) | DRM_IOCTL_BASE << 8;
    uint64_t address = interesting(program);
    call(program, file, request, address | take(&program->input, 1) % 2 << 40);
}

/* ---- programs that get somewhere ---- */

static void new_buffer(struct program *program, struct drm_file *file) {
    uint32_t kind = (uint32_t)take(&program->input, 1);
    struct drm_nouveau_gem_new request = {
        .info = {.domain = kind & 6, .size = (kind >> 3 & 3) * 0x1000 + 1, .tile_flags = (kind >> 5) * 0x100}};
    if (call_with(program, file, DRM_IOWR(0x80, struct drm_nouveau_gem_new), &request))
        return;
    struct drm_memory memory;
    require(request.info.size % 4096 == 0);
    require(drm_file_map(file, request.info.map_handle, request.info.size, &memory) == 0);
    require(drm_file_map(file, request.info.map_handle, request.info.size + 1, &memory) < 0);
}

static void new_channel(struct program *program, struct drm_file *file) {
    struct drm_nouveau_channel_alloc alloc = {.fb_ctxdma_handle = 0xbeef0201, .tt_ctxdma_handle = 0xbeef0202};
    if (call_with(program, file, DRM_IOWR(0x42, struct drm_nouveau_channel_alloc), &alloc))
        return;
    struct drm_nouveau_grobj_alloc object = {
        .channel = alloc.channel, .handle = 0xbeef0203, .class = (int)take(&program->input, 2)};
    call_with(program, file, DRM_IOW(0x44, struct drm_nouveau_grobj_alloc), &object);
    struct drm_nouveau_notifierobj_alloc notifier = {(uint32_t)alloc.channel, 0xbeef0204, 64, 0};
    call_with(program, file, DRM_IOWR(0x45, struct drm_nouveau_notifierobj_alloc), &notifier);
}

static struct drm_nouveau_gem_info info_of(struct program *program, struct drm_file *file) {
    struct drm_nouveau_gem_info info = {.handle = (uint32_t)take(&program->input, 1) % 12};
    if (call_with(program, file, DRM_IOWR(0x84, struct drm_nouveau_gem_info), &info))
        info.size = 0;
    return info;
}

/* Words of the program in a buffer: commands, or a semaphore that a channel waits for. */
static void write_buffer(struct program *program, struct drm_file *file) {
    const struct drm_nouveau_gem_info info = info_of(program, file);
    struct drm_memory memory;
    if (!info.size || drm_file_map(file, info.map_handle, info.size, &memory))
        return;
    uint64_t offset = memory.offset + take(&program->input, 1) * 4;
    for (unsigned count = take(&program->input, 1) % 32; count--; offset += 4) {
        uint32_t word = take(&program->input, 1) % 4 ? (uint32_t)take(&program->input, 4) : interesting(program);
        if (word == OFFSET_LOW || word == OFFSET_HIGH)
            word = (uint32_t)(word == OFFSET_LOW ? info.offset : info.offset >> 32);
        require(pwrite(memory.fd, &word, sizeof word, (off_t)offset) == sizeof word);
    }
}

static void submit(struct program *program, struct drm_file *file) {
    struct {
        struct drm_nouveau_gem_pushbuf_bo buffers[LISTED];
        struct drm_nouveau_gem_pushbuf_reloc relocs[LISTED];
        struct drm_nouveau_gem_pushbuf_push pushes[LISTED];
    } lists = {0};
    uint32_t counts = (uint32_t)take(&program->input, 2);
    struct drm_nouveau_gem_pushbuf request = {.nr_buffers = counts & 3,
                                              .nr_relocs = counts >> 2 & 3,
                                              .nr_push = (counts >> 4 & 3),
                                              .channel = counts >> 6 & 3,
                                              .vram_available = counts >> 8 & 1};
    for (uint32_t i = 0; i < request.nr_buffers; i++) {
        const struct drm_nouveau_gem_info info = info_of(program, file);
        uint32_t uses = (uint32_t)take(&program->input, 1);
        lists.buffers[i] = (struct drm_nouveau_gem_pushbuf_bo){
            .handle = info.handle,
            .read_domains = uses & 6 ? uses & 6 : info.domain,
            .write_domains = uses >> 3 & 6,
            .valid_domains = uses & 0x80 ? info.domain : 6,
            .presumed = {.valid = uses & 1, .domain = info.domain, .offset = info.offset + (uses & 0x40)}};
    }
    for (uint32_t i = 0; i < request.nr_relocs; i++) {
        lists.relocs[i].reloc_bo_index = (uint32_t)take(&program->input, 1) % LISTED;
        lists.relocs[i].reloc_bo_offset = interesting(program);
        lists.relocs[i].bo_index = (uint32_t)take(&program->input, 1) % LISTED;
        lists.relocs[i].flags = (uint32_t)take(&program->input, 1);
        lists.relocs[i].data = interesting(program);
    }
    for (uint32_t i = 0; i < request.nr_push; i++) {
        lists.pushes[i].bo_index = (uint32_t)take(&program->input, 1) % LISTED;
        lists.pushes[i].offset = 4 * take(&program->input, 1);
        lists.pushes[i].length = 4 * (take(&program->input, 1) % 64);
    }
    uint64_t address = place(program) + 0x100;
    memcpy(at(program, address, sizeof lists), &lists, sizeof lists);
    request.buffers = address;
    request.relocs = address + sizeof lists.buffers;
    request.push = request.relocs + sizeof lists.relocs;
    call_with(program, file, DRM_IOWR(0x81, struct drm_nouveau_gem_pushbuf), &request);
}

/* ---- spaces and sync objects ---- */

#define SPACE_BEGIN UINT64_C(0x10000) /* few pages, so that mappings meet */

static void new_space(struct program *program, struct drm_file *file) {
    struct uapi_vm_init request = {UINT64_C(1) << 39, UINT64_C(1) << 39};
    call_with(program, file, DRM_IOWR(0x50, struct uapi_vm_init), &request);
}

struct sync_lists {
    struct uapi_sync waits[LISTED], signals[LISTED];
};

static struct sync_lists some_syncs(struct program *program) {
    struct sync_lists lists = {0};
    for (unsigned i = 0; i < LISTED; i++) {
        uint32_t bits = (uint32_t)take(&program->input, 1);
        lists.waits[i] = (struct uapi_sync){bits & 1, bits >> 1 & 3, bits >> 3 & 3};
        lists.signals[i] = (struct uapi_sync){bits >> 5 & 1, bits >> 6 & 3, take(&program->input, 1) % 8};
    }
    return lists;
}

static void bind_memory(struct program *program, struct drm_file *file) {
    struct {
        struct uapi_bind_operation operations[LISTED];
        struct sync_lists syncs;
    } lists = {.syncs = some_syncs(program)};
    uint32_t bits = (uint32_t)take(&program->input, 2);
    struct uapi_vm_bind request = {.operation_count = bits & 3,
                                   .flags = bits >> 2 & 1,
                                   .wait_count = bits & 4 ? bits >> 3 & 3 : 0,
                                   .signal_count = bits & 4 ? bits >> 5 & 3 : 0};
    for (uint32_t i = 0; i < request.operation_count; i++) {
        uint32_t kind = (uint32_t)take(&program->input, 1), pages = (uint32_t)take(&program->input, 1);
        lists.operations[i] = (struct uapi_bind_operation){.operation = kind & 1,
                                                           .flags = (kind & 6) == 6 ? UAPI_BIND_SPARSE : 0,
                                                           .handle = kind >> 3 & 7,
                                                           .address = SPACE_BEGIN + (pages & 0xf) * UINT64_C(0x1000),
                                                           .offset = kind >> 6 << 12,
                                                           .bytes = (pages >> 4) * UINT64_C(0x1000)};
    }
    uint64_t address = place(program) + 0x100;
    memcpy(at(program, address, sizeof lists), &lists, sizeof lists);
    request.operations = address;
    request.waits = address + sizeof lists.operations;
    request.signals = request.waits + sizeof lists.syncs.waits;
    call_with(program, file, DRM_IOWR(0x51, struct uapi_vm_bind), &request);
}

static void execute(struct program *program, struct drm_file *file) {
    struct {
        struct uapi_exec_push pushes[LISTED];
        struct sync_lists syncs;
    } lists = {.syncs = some_syncs(program)};
    uint32_t bits = (uint32_t)take(&program->input, 2);
    struct uapi_exec request = {
        .channel = bits & 3, .push_count = bits >> 2 & 3, .wait_count = bits >> 4 & 3, .signal_count = bits >> 6 & 3};
    for (uint32_t i = 0; i < request.push_count; i++)
        lists.pushes[i] = (struct uapi_exec_push){SPACE_BEGIN + take(&program->input, 2),
                                                  4 * ((uint32_t)take(&program->input, 1) % 64), i & 1};
    uint64_t address = place(program) + 0x100;
    memcpy(at(program, address, sizeof lists), &lists, sizeof lists);
    request.pushes = address;
    request.waits = address + sizeof lists.pushes;
    request.signals = request.waits + sizeof lists.syncs.waits;
    call_with(program, file, DRM_IOWR(0x52, struct uapi_exec), &request);
}

/* CREATE; WAIT .. SIGNAL, TIMELINE_WAIT .. TIMELINE_SIGNAL on a few. */
static void use_syncobjs(struct program *program, struct drm_file *file) {
    uint32_t bits = (uint32_t)take(&program->input, 2), handles[LISTED];
    uint64_t points[LISTED], address = place(program) + 0x100;
    for (unsigned i = 0; i < LISTED; i++) {
        handles[i] = bits >> (2 * i) & 3;
        points[i] = take(&program->input, 1) % 8;
    }
    memcpy(at(program, address, sizeof points), points, sizeof points);
    memcpy(at(program, address + sizeof points, sizeof handles), handles, sizeof handles);
    struct drm_syncobj_create create = {.flags = bits & 1};
    struct drm_syncobj_wait wait = {.handles = address + sizeof points,
                                    .timeout_nsec = (int64_t)(program->now + take(&program->input, 1) * LOOKS),
                                    .count_handles = bits >> 8 & 3,
                                    .flags = bits >> 10 & 3};
    struct drm_syncobj_timeline_wait timeline = {
        address + sizeof points, address, wait.timeout_nsec, wait.count_handles, bits >> 10 & 7, 0, 0};
    struct drm_syncobj_timeline_array array = {address + sizeof points, address, wait.count_handles, bits >> 10 & 1};
    struct drm_syncobj_array binary = {.handles = address + sizeof points, .count_handles = wait.count_handles};
    struct drm_syncobj_transfer transfer = {.src_handle = handles[0],
                                            .dst_handle = handles[1],
                                            .src_point = points[0],
                                            .dst_point = points[1],
                                            .flags = bits >> 10 & 2};
    struct drm_syncobj_handle descriptor = {.handle = handles[0], .flags = bits >> 10 & 1};
    switch (bits >> 13) {
    case 0:
        call_with(program, file, DRM_IOCTL_SYNCOBJ_WAIT, &wait);
        break;
    case 1:
        call_with(program, file, DRM_IOCTL_SYNCOBJ_TIMELINE_WAIT, &timeline);
        break;
    case 2:
        call_with(program, file, bits & 1 ? DRM_IOCTL_SYNCOBJ_RESET : DRM_IOCTL_SYNCOBJ_SIGNAL, &binary);
        break;
    case 3:
        call_with(program, file, DRM_IOCTL_SYNCOBJ_TIMELINE_SIGNAL, &array);
        break;
    case 4:
        call_with(program, file, DRM_IOCTL_SYNCOBJ_QUERY, &array);
        break;
    case 5:
        call_with(program, file, DRM_IOCTL_SYNCOBJ_TRANSFER, &transfer);
        break;
    case 6:
        descriptor.fd = (int)(bits & 7);
        call_with(program, file, bits & 1 ? DRM_IOCTL_SYNCOBJ_FD_TO_HANDLE : DRM_IOCTL_SYNCOBJ_HANDLE_TO_FD,
                  &descriptor);
        break;
    default:
        call_with(program, file, DRM_IOCTL_SYNCOBJ_CREATE, &create);
        break;
    }
}

static void print_nothing(void *opaque, const char *line) {
    (void)opaque;
    require(!strchr(line, '\n'));
}

/* What others do with the device: time passes, somebody looks. */
static void outside(struct program *program) {
    struct drm_picture picture;
    switch (take(&program->input, 1) % 4) {
    case 0:
        drm_device_poll(program->device);
        break;
    case 1:
        program->now += UINT64_C(20000000);
        drm_device_due(program->device);
        drm_device_vblank(program->device);
        break;
    case 2:
        drm_device_report(program->device, print_nothing, NULL);
        break;
    default:
        if (drm_device_picture(program->device, &picture)) {
            require((uint64_t)picture.width * picture.height < 1 << 26);
            free(picture.rgba);
        }
        break;
    }
}

static void close_file(struct program *program) {
    struct drm_file **file = &program->files[take(&program->input, 1) % FILES];
    drm_file_close(*file);
    *file = NULL;
}

static void step(struct program *program) {
    static void (*const calls[])(struct program *, struct drm_file *) = {
        any_call, wild_call, new_buffer,  new_channel, write_buffer, submit,  submit,  any_call,    any_call,
        any_call, new_space, bind_memory, bind_memory, use_syncobjs, execute, execute, use_syncobjs};
    enum { CALLS = sizeof calls / sizeof calls[0] };
    if (program->steps++ >= STEPS)
        return;
    unsigned which = (unsigned)take(&program->input, 1) % (CALLS + 3);
    struct drm_file *file = which < CALLS ? choose_file(program) : NULL;
    if (file)
        calls[which](program, file);
    else if (which == CALLS)
        close_file(program);
    else if (which == CALLS + 1)
        outside(program);
    else
        for (uint64_t to = take(&program->input, 2) % (MEMORY - ROOM), i = 0; i < 64 && to + i < MEMORY; i++)
            program->memory[to + i] = (uint8_t)take(&program->input, 1);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const char *const chips[] = {"NV40",  "NV44",  "G80",   "GT215", "GF100",
                                        "GK104", "GK110", "GM107", "GM20B", "GP102"};
    static struct program program;
    struct pfifo_error error;
    program = (struct program){.input = {data, size}};
    const uint32_t first = (uint32_t)take(&program.input, 1);
    const struct drm_config config = {.chip = pfifo_chip_by_name(chips[first % 10]),
                                      .vram_bytes = first % 10 == 8 ? 0 : 32 << 20,
                                      .system_bytes = 32 << 20,
                                      .major = first & 0x80 ? 1 : 0,
                                      .minor = first & 0x80 ? 3 : 0,
                                      .refresh = first & 0x40 ? 60 : 0,
                                      .budget = 4096,
                                      .worker = first & 0x20,
                                      .host = &host,
                                      .opaque = &program};
    program.works = config.worker;
    program.device = drm_device_new(&config, &error);
    require(program.device != NULL);
    while (program.input.left && program.steps < STEPS)
        step(&program);
    for (unsigned i = 0; i < FILES; i++)
        drm_file_close(program.files[i]);
    program.input.left = 0;
    drm_shares_end_imported(program.device);
    drm_shares_reap(program.device, false);
    require(!program.device->files && !program.device->buffers);
    require(!program.device->vram_used && !program.device->gart_used);
    drm_device_free(program.device);
    require(program.held == 0);
    for (unsigned i = 0; i < program.given; i++)
        close(program.gifts[i]);
    return 0;
}
