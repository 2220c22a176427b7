/* SPDX-License-Identifier: MIT */
/*
 * Submissions of a few words, one after the other: by EXEC, which signals a point of a timeline, by GEM_PUSHBUF, and by
 * the driver layer that both stand on, in turns.
 */
#include <drm.h>
#include <inttypes.h>
#include <nouveau_drm.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "face.h"
#include "face/drm/drm.h"
#include "face/drm/node/uapi.h"
#include "measure.h"

#define ROUNDS      7
#define SUBMISSIONS 20000u
#define WORDS       16u
#define PAGE        4096u
#define GART        4u
#define ADDRESS     (UINT64_C(1) << 38)
#define KERNEL      (UINT64_C(1) << 39) /* where the kernel's part of the space begins, and how long it is, as NVK has it */

#define NOUVEAU(number, structure) DRM_IOWR(DRM_COMMAND_BASE + (number), structure)

static const char *const chips[] = {"GK104", "GM107", "GP102"};

/* The host's NOP, with a parameter. */
static void fill(uint32_t words[WORDS]) {
    for (unsigned i = 0; i < WORDS; i += 2) {
        words[i] = 1u << 29 | 1u << 16 | 0x8 / 4;
        words[i + 1] = 0;
    }
}

static void die(const char *what) {
    fprintf(stderr, "pfifo-bench: exec: %s\n", what);
    exit(1);
}

/* ---- programs ---- */

struct program {
    struct drm_device *device;
    struct drm_file *file;
    uint32_t channel, buffer, timeline;
};

static void call(const struct program *program, unsigned long request, void *argument, const char *what) {
    if (drm_file_ioctl(program->file, request, (uint64_t)(uintptr_t)argument) < 0)
        die(what);
}

static void write_words(const struct program *program, const struct drm_nouveau_gem_info *info) {
    struct drm_memory memory;
    if (drm_file_map(program->file, info->map_handle, info->size, &memory) != 0)
        die("a buffer cannot be mapped");
    void *at = mmap(NULL, info->size, PROT_READ | PROT_WRITE, MAP_SHARED, memory.fd, (off_t)memory.offset);
    if (at == MAP_FAILED)
        die("a buffer cannot be mapped");
    fill(at);
    munmap(at, info->size);
}

static void open_program(struct program *program, const char *chip, bool spaces) {
    struct pfifo_error error;
    const struct drm_config config = {
        .chip = pfifo_chip_by_name(chip), .host = &bench_drm_host, .opaque = (void *)(uintptr_t)chip};
    struct uapi_vm_init space = {KERNEL, KERNEL};
    struct drm_nouveau_channel_alloc channel = {0};
    struct drm_nouveau_gem_new buffer = {.info = {.size = PAGE, .domain = GART}, .align = PAGE};
    memset(program, 0, sizeof *program);
    program->device = drm_device_new(&config, &error);
    program->file = program->device ? drm_file_open(program->device, DRM_NODE_RENDER) : NULL;
    if (!program->file)
        die("no device");
    if (spaces)
        call(program, NOUVEAU(UAPI_VM_INIT, struct uapi_vm_init), &space, "VM_INIT");
    call(program, NOUVEAU(DRM_NOUVEAU_CHANNEL_ALLOC, struct drm_nouveau_channel_alloc), &channel, "CHANNEL_ALLOC");
    call(program, NOUVEAU(DRM_NOUVEAU_GEM_NEW, struct drm_nouveau_gem_new), &buffer, "GEM_NEW");
    program->channel = (uint32_t)channel.channel;
    program->buffer = buffer.info.handle;
    write_words(program, &buffer.info);
}

static void open_spaces(struct program *program, const char *chip) {
    open_program(program, chip, true);
    struct uapi_bind_operation map = {
        .operation = UAPI_BIND_MAP, .handle = program->buffer, .address = ADDRESS, .bytes = PAGE};
    struct uapi_vm_bind bind = {.operation_count = 1, .operations = (uint64_t)(uintptr_t)&map};
    struct drm_syncobj_create timeline = {0};
    call(program, NOUVEAU(UAPI_VM_BIND, struct uapi_vm_bind), &bind, "VM_BIND");
    call(program, DRM_IOCTL_SYNCOBJ_CREATE, &timeline, "SYNCOBJ_CREATE");
    program->timeline = timeline.handle;
}

static void close_program(struct program *program) {
    drm_file_close(program->file);
    drm_device_free(program->device);
}

/* ---- what is measured: each returns seconds ---- */

static double by_exec(const struct program *program, uint64_t *point) {
    struct uapi_exec_push push = {.address = ADDRESS, .bytes = 4 * WORDS};
    struct uapi_sync signal = {.flags = 1, .handle = program->timeline};
    struct uapi_exec request = {.channel = program->channel,
                                .push_count = 1,
                                .signal_count = 1,
                                .signals = (uint64_t)(uintptr_t)&signal,
                                .pushes = (uint64_t)(uintptr_t)&push};
    double start = measure_now();
    for (unsigned i = 0; i < SUBMISSIONS; i++) {
        signal.point = ++*point;
        call(program, NOUVEAU(UAPI_EXEC, struct uapi_exec), &request, "EXEC");
    }
    struct drm_syncobj_timeline_wait wait = {.handles = (uint64_t)(uintptr_t)&program->timeline,
                                             .points = (uint64_t)(uintptr_t)point,
                                             .timeout_nsec = INT64_MAX,
                                             .count_handles = 1};
    call(program, DRM_IOCTL_SYNCOBJ_TIMELINE_WAIT, &wait, "TIMELINE_WAIT");
    return measure_now() - start;
}

static double by_pushbuf(const struct program *program) {
    double start = measure_now();
    for (unsigned i = 0; i < SUBMISSIONS; i++) {
        struct drm_nouveau_gem_pushbuf_bo buffer = {
            .handle = program->buffer, .read_domains = GART, .valid_domains = GART};
        struct drm_nouveau_gem_pushbuf_push push = {.length = 4 * WORDS};
        struct drm_nouveau_gem_pushbuf request = {.channel = program->channel,
                                                  .nr_buffers = 1,
                                                  .buffers = (uint64_t)(uintptr_t)&buffer,
                                                  .nr_push = 1,
                                                  .push = (uint64_t)(uintptr_t)&push};
        call(program, NOUVEAU(DRM_NOUVEAU_GEM_PUSHBUF, struct drm_nouveau_gem_pushbuf), &request, "GEM_PUSHBUF");
    }
    struct drm_nouveau_gem_cpu_prep wait = {.handle = program->buffer};
    call(program, DRM_IOW(DRM_COMMAND_BASE + DRM_NOUVEAU_GEM_CPU_PREP, struct drm_nouveau_gem_cpu_prep), &wait,
         "GEM_CPU_PREP");
    return measure_now() - start;
}

static double by_driver(const char *chip) {
    struct pfifo_error error;
    uint32_t words[WORDS];
    struct pfifo_device_config config = {.gpu.chip = pfifo_chip_by_name(chip)};
    struct pfifo_device *device = pfifo_device_open(&config, &error);
    struct pfifo_channel *channel =
        device ? pfifo_channel_open(device, &(struct pfifo_channel_config){0}, &error) : NULL;
    struct pfifo_buffer *buffer = channel ? pfifo_buffer_new(device, PFIFO_GART, PAGE, 0, &error) : NULL;
    fill(words);
    if (!buffer || !pfifo_buffer_write(buffer, 0, words, sizeof words))
        die("no device");
    double start = measure_now();
    for (unsigned i = 0; i < SUBMISSIONS; i++)
        if (pfifo_channel_submit(channel, pfifo_buffer_address(buffer), sizeof words, 0, &error) != PFIFO_OK ||
            pfifo_device_wait(device, UINT64_MAX, &error) != PFIFO_OK)
            die("a submission is refused");
    double seconds = measure_now() - start;
    pfifo_device_close(device);
    return seconds;
}

static void print_row(const char *chip, const char *way, struct measure *measure) {
    struct measured result = measure_end(measure);
    printf("%-28s %-6s %8.0f submissions/s %8.2f of the driver layer's (%.2f .. %.2f)\n", way, chip,
           SUBMISSIONS / result.seconds, result.ratio, result.low, result.high);
    fflush(stdout);
}

static void measure_chip(const char *chip) {
    struct measure exec = {.rounds = 0}, pushbuf = {.rounds = 0}, driver = {.rounds = 0};
    struct program with_spaces, without;
    uint64_t point = 0;
    open_spaces(&with_spaces, chip);
    open_program(&without, chip, false);
    for (unsigned round = 0; round < ROUNDS; round++) {
        double bare = by_driver(chip), old = by_pushbuf(&without), new = by_exec(&with_spaces, &point);
        measure_add(&exec, new, bare / new);
        measure_add(&pushbuf, old, bare / old);
        measure_add(&driver, bare, 1);
    }
    print_row(chip, "EXEC, one push of 16 words", &exec);
    print_row(chip, "GEM_PUSHBUF, the same", &pushbuf);
    print_row(chip, "driver layer, the same", &driver);
    close_program(&with_spaces);
    close_program(&without);
}

void bench_exec(void) {
    for (unsigned i = 0; i < sizeof chips / sizeof chips[0]; i++)
        measure_chip(chips[i]);
}
