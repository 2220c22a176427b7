/* SPDX-License-Identifier: MIT */
/*
 * A saved driver of a Tegra with wrong words: a program with memory, an address space, a channel that waits, an event.
 * What is taken must be safe to run, to save and to end; what is refused changes nothing.
 *
 * Input: edits: section, word, value. Checksums are made right.
 */
#include <stdlib.h>
#include <string.h>

#include <pfifo/nvgpu_calls.h>

#include "fuzz/input.h"
#include "state/player.h"
#include "state/sections.h"

#define MAX_EDITS 12
#define BUDGET    500
#define BASE      UINT64_C(0x100000)
#define MEMORY    0x40000u

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct program {
    uint8_t memory[MEMORY];
    struct pfifo_nvgpu *nvgpu;
    struct pfifo_nvgpu_client *client;
};

static int32_t open_file(const struct program *program, const char *path) {
    int32_t fd;
    require(pfifo_nvgpu_open(program->client, path, &fd) == PFIFO_NVGPU_OK);
    return fd;
}

/* A semaphore that never comes, a submission after it, and a wait for that. */
static void start(struct program *program) {
    static const uint32_t words[] = {0x20040004, 0x4, 0x00800000, 1, 0x1001, 0x20010000, 0xb197};
    const struct pfifo_nvgpu_memory memory = {
        .size = sizeof memory, .address = BASE, .bytes = MEMORY, .data = program->memory};
    const struct pfifo_nvgpu_config config = {
        .size = sizeof config, .budget = BUDGET, .device.gpu.system_bytes = UINT64_C(16) << 20};
    struct pfifo_nvhost_as_map map = {.page_bytes = 0x10000};
    struct pfifo_nvhost_fence fence = {0};
    uint32_t event;
    program->nvgpu = pfifo_nvgpu_new(&config, NULL);
    program->client = program->nvgpu ? pfifo_nvgpu_client_new(program->nvgpu, &memory, NULL) : NULL;
    require(program->client != NULL);
    int32_t control = open_file(program, "/dev/nvhost-ctrl"), nvmap = open_file(program, "/dev/nvmap");
    int32_t as = open_file(program, "/dev/nvhost-as-gpu"), channel = open_file(program, "/dev/nvhost-gpu");
    pfifo_nvhost_as_initialize(program->client, as, 0x10000);
    pfifo_nvhost_as_bind_channel(program->client, as, channel);
    pfifo_nvhost_gpu_alloc_gpfifo(program->client, channel, 8, &fence);
    pfifo_nvmap_create(program->client, nvmap, 0x10000, &map.handle);
    pfifo_nvmap_alloc(program->client, nvmap, map.handle, 0x1000, 0, false, BASE);
    pfifo_nvhost_as_map_buffer(program->client, as, &map);
    memcpy(program->memory + 0x100, words, sizeof words);
    uint64_t entry = pfifo_nvhost_gpu_entry(map.address + 0x100, sizeof words / 4, 0);
    pfifo_nvhost_gpu_submit(program->client, channel, &entry, 1, PFIFO_NVHOST_SUBMIT_INCREMENT, &fence);
    pfifo_nvhost_ctrl_register(program->client, control, 1);
    pfifo_nvgpu_query_event(program->client, control, 0x10000001, &event);
    pfifo_nvhost_ctrl_wait_async(program->client, control, &fence, -1, 1);
}

static struct player_bytes save(struct pfifo_nvgpu *nvgpu) {
    struct player_bytes bytes = {0};
    require(pfifo_nvgpu_save(nvgpu, player_collect, &bytes, NULL) == PFIFO_OK);
    return bytes;
}

/* Most edits are in the driver's own sections, which come first. */
static void edit(struct player_bytes *bytes, struct choice *choice) {
    size_t section = section_pick(bytes, choice), words = section_words(bytes, section);
    if (!words)
        return;
    size_t at = section + SECTION_HEADER + 4 * (size_t)choice_below(choice, (uint32_t)words);
    stream_set_word(bytes, at, choice_once_in(choice, 2) ? choice_below(choice, 16) : choice_word(choice));
    section_seal(bytes, section);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static struct program program;
    struct choice choice = choice_from_bytes(data, size);
    struct pfifo_error error = {0};
    memset(&program, 0, sizeof program);
    start(&program);
    struct player_bytes edited = save(program.nvgpu), before = save(program.nvgpu);
    for (unsigned i = 0; i < MAX_EDITS && (i == 0 || !choice_once_in(&choice, 3)); i++)
        edit(&edited, &choice);
    if (pfifo_nvgpu_load(program.nvgpu, edited.data, edited.bytes, &error) != PFIFO_OK) {
        struct player_bytes after = save(program.nvgpu);
        require(error.message[0] && after.bytes == before.bytes && !memcmp(after.data, before.data, after.bytes));
        free(after.data);
    }
    pfifo_nvgpu_run(program.nvgpu, BUDGET);
    struct player_bytes end = save(program.nvgpu);
    free(end.data);
    free(before.data);
    free(edited.data);
    pfifo_nvgpu_free(program.nvgpu);
    return 0;
}
