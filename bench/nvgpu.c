/* SPDX-License-Identifier: MIT */
/*
 * Submissions of a Switch's program, each one call with one entry and the driver's two increments after it. They take
 * turns with the same words submitted to the driver layer's own channel, which has no calls, no fences, no increments.
 */
#include "nvgpu.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <pfifo/nvgpu_calls.h>

#include "measure.h"

#define SUBMISSIONS 2000u
#define BASE        UINT64_C(0x100000)
#define BYTES       0x10000u
#define NOP         0x20000000u /* increasing, no words: nothing is done */
#define ADDRESS     UINT64_C(0x10000000)

struct program {
    struct pfifo_nvgpu *nvgpu;
    struct pfifo_nvgpu_client *client;
    int32_t nvmap, as, channel;
    uint64_t address;
    uint8_t *memory;
    struct pfifo_device *device; /* of the driver layer, for comparison */
    struct pfifo_channel *own;
};

static void expect(bool good, const char *what) {
    if (good)
        return;
    fprintf(stderr, "pfifo-bench: %s failed\n", what);
    exit(1);
}

static void open_calls(struct program *program) {
    const struct pfifo_nvgpu_config config = {.size = sizeof config};
    const struct pfifo_nvgpu_memory memory = {
        .size = sizeof memory, .address = BASE, .bytes = BYTES, .data = program->memory};
    struct pfifo_nvhost_as_map map = {.page_bytes = 0x10000};
    program->nvgpu = pfifo_nvgpu_new(&config, NULL);
    program->client = program->nvgpu ? pfifo_nvgpu_client_new(program->nvgpu, &memory, NULL) : NULL;
    struct pfifo_nvgpu_client *client = program->client;
    expect(client && !pfifo_nvgpu_open(client, "/dev/nvmap", &program->nvmap) &&
               !pfifo_nvgpu_open(client, "/dev/nvhost-as-gpu", &program->as) &&
               !pfifo_nvgpu_open(client, "/dev/nvhost-gpu", &program->channel),
           "open");
    expect(!pfifo_nvhost_as_initialize(client, program->as, 0x10000) &&
               !pfifo_nvhost_as_bind_channel(client, program->as, program->channel) &&
               !pfifo_nvhost_gpu_alloc_gpfifo(client, program->channel, 0x800, NULL),
           "channel");
    expect(!pfifo_nvmap_create(client, program->nvmap, BYTES, &map.handle) &&
               !pfifo_nvmap_alloc(client, program->nvmap, map.handle, 0x1000, 0, false, BASE) &&
               !pfifo_nvhost_as_map_buffer(client, program->as, &map),
           "map");
    program->address = map.address;
}

static void open_driver(struct program *program) {
    const struct pfifo_device_config config = {.gpu.chip = pfifo_chip_by_name("GM20B")};
    program->device = pfifo_device_open(&config, NULL);
    program->own =
        program->device ? pfifo_channel_open(program->device, &(const struct pfifo_channel_config){0}, NULL) : NULL;
    struct pfifo_buffer *buffer =
        program->own ? pfifo_buffer_new(program->device, PFIFO_GART, BYTES, ADDRESS, NULL) : NULL;
    expect(buffer && pfifo_buffer_write(buffer, 0, program->memory, BYTES), "driver");
}

static double run_calls(const struct program *program, uint32_t words) {
    uint64_t entry = pfifo_nvhost_gpu_entry(program->address, words, 0x200);
    double start = measure_now();
    for (uint32_t i = 0; i < SUBMISSIONS; i++) {
        struct pfifo_nvhost_fence fence = {0};
        expect(!pfifo_nvhost_gpu_submit(program->client, program->channel, &entry, words ? 1 : 0,
                                        PFIFO_NVHOST_SUBMIT_INCREMENT, &fence),
               "submit");
    }
    return measure_now() - start;
}

static double run_driver(const struct program *program, uint32_t words) {
    double start = measure_now();
    for (uint32_t i = 0; i < SUBMISSIONS; i++) {
        expect(pfifo_channel_submit(program->own, ADDRESS, 4 * (uint64_t)(words ? words : 1), 0, NULL) == PFIFO_OK,
               "submit");
        pfifo_device_run(program->device, UINT64_MAX);
    }
    return measure_now() - start;
}

static void measure(const struct program *program, const char *name, uint32_t words) {
    struct measure rounds = {.rounds = 0};
    for (int round = 0; round < MEASURE_ROUNDS; round++) {
        double driver = run_driver(program, words), calls = run_calls(program, words);
        measure_add(&rounds, calls, driver / calls);
    }
    struct measured result = measure_end(&rounds);
    printf("%-32s %-6s %9.1f %8.2f            (thousand/s; %.2f .. %.2f)\n", name, "GM20B",
           SUBMISSIONS / result.seconds / 1e3, result.ratio, result.low, result.high);
    fflush(stdout);
}

void bench_nvgpu(void) {
    static struct program program;
    program.memory = malloc(BYTES);
    expect(program.memory != NULL, "memory");
    for (uint32_t i = 0; i < BYTES; i += 4) {
        const uint32_t nop = NOP;
        memcpy(program.memory + i, &nop, sizeof nop);
    }
    open_calls(&program);
    open_driver(&program);
    printf("%-32s %-6s %9s %8s\n", "calls of a Switch", "chip", "k/s", "of driver");
    measure(&program, "submissions, empty", 0);
    measure(&program, "submissions, 1000 words", 1000);
    pfifo_device_close(program.device);
    pfifo_nvgpu_free(program.nvgpu);
    free(program.memory);
}
