/* SPDX-License-Identifier: MIT */
#include "nvgpu/console.h"

#include <stdlib.h>
#include <string.h>

#define ENTRY_NOT_MAIN 0x200u
#define RING           0x800u

static int32_t open_file(struct console *console, const char *path) {
    int32_t fd;
    assert_ok(pfifo_nvgpu_open(console->client, path, &fd));
    return fd;
}

int32_t console_channel(struct console *console, struct pfifo_nvhost_fence *fence) {
    struct pfifo_nvgpu_client *client = console->client;
    int32_t channel = open_file(console, "/dev/nvhost-gpu");
    assert_ok(pfifo_nvhost_gpu_set_nvmap(client, channel, console->nvmap));
    assert_ok(pfifo_nvhost_as_bind_channel(client, console->as, channel));
    assert_ok(pfifo_nvhost_gpu_alloc_gpfifo(client, channel, RING, fence));
    assert_ok(pfifo_nvhost_gpu_alloc_object(client, channel, 0xb197));
    assert_ok(pfifo_nvhost_gpu_set_priority(client, channel, 100));
    return channel;
}

void console_move(struct console *console, struct pfifo_nvgpu *nvgpu) {
    struct pfifo_nvgpu_memory memory = {.size = sizeof memory,
                                        .address = CONSOLE_BASE,
                                        .bytes = CONSOLE_BYTES,
                                        .data = console->memory,
                                        .process = console->process};
    console->nvgpu = nvgpu;
    console->client = pfifo_nvgpu_client_new(nvgpu, &memory, NULL);
    assert_non_null(console->client);
}

void console_join(struct console *console, struct pfifo_nvgpu *nvgpu) {
    console_join_as(console, nvgpu, 1);
}

void console_join_as(struct console *console, struct pfifo_nvgpu *nvgpu, uint32_t process) {
    *console = (struct console){.memory = calloc(1, CONSOLE_BYTES), .process = process};
    assert_non_null(console->memory);
    console_move(console, nvgpu);
    console->control_gpu = open_file(console, "/dev/nvhost-ctrl-gpu");
    console->control = open_file(console, "/dev/nvhost-ctrl");
    console->nvmap = open_file(console, "/dev/nvmap");
    console->as = open_file(console, "/dev/nvhost-as-gpu");
    assert_ok(pfifo_nvhost_as_initialize(console->client, console->as, 0x10000));
    console->channel = console_channel(console, &console->fence);
    console->lists = console_buffer(console, CONSOLE_LISTS, CONSOLE_BYTES - CONSOLE_LISTS, NULL);
}

void console_start(struct console *console) {
    struct pfifo_error error;
    struct pfifo_nvgpu_config config = {.size = sizeof config};
    struct pfifo_nvgpu *nvgpu = pfifo_nvgpu_new(&config, &error);
    if (!nvgpu)
        fail_msg("%s", error.message);
    console_join(console, nvgpu);
    console->owns = true;
}

void console_stop(struct console *console) {
    pfifo_nvgpu_client_free(console->client);
    if (console->owns)
        pfifo_nvgpu_free(console->nvgpu);
    console_forget(console);
}

void console_forget(struct console *console) {
    free(console->memory);
}

uint64_t console_buffer(struct console *console, uint32_t offset, uint32_t bytes, uint32_t *handle) {
    struct pfifo_nvhost_as_map map = {.flags = PFIFO_NVHOST_AS_MAP_CACHEABLE, .page_bytes = 0x10000};
    assert_ok(pfifo_nvmap_create(console->client, console->nvmap, bytes, &map.handle));
    assert_ok(pfifo_nvmap_alloc(console->client, console->nvmap, map.handle, 0x1000, 0, false, CONSOLE_BASE + offset));
    assert_ok(pfifo_nvhost_as_map_buffer(console->client, console->as, &map));
    if (handle)
        *handle = map.handle;
    return map.address;
}

uint64_t console_list(struct console *console, const uint32_t *words, uint32_t count) {
    uint64_t address = console->lists + console->next;
    for (uint32_t i = 0; i < count; i++)
        console_wr32(console, CONSOLE_LISTS + console->next + 4 * i, words[i]);
    console->next += 4 * count;
    return pfifo_nvhost_gpu_entry(address, count, ENTRY_NOT_MAIN);
}

struct pfifo_nvhost_fence console_submit(struct console *console, int32_t channel, const uint32_t *words,
                                         uint32_t count) {
    struct pfifo_nvhost_fence fence = {0};
    uint64_t entry = console_list(console, words, count);
    assert_ok(pfifo_nvhost_gpu_submit(console->client, channel, &entry, 1,
                                      PFIFO_NVHOST_SUBMIT_INCREMENT | PFIFO_NVHOST_SUBMIT_HARDWARE_FORMAT, &fence));
    return fence;
}

enum pfifo_nvgpu_result console_call(struct console *console, int32_t fd, uint32_t request, uint32_t *words) {
    uint32_t size = request >> 16 & 0x3fff;
    struct pfifo_nvgpu_call call = {
        .fd = fd, .request = request, .in = words, .out = words, .in_bytes = size, .out_bytes = size};
    return pfifo_nvgpu_ioctl(console->client, &call);
}

uint32_t console_value(struct console *console, uint32_t syncpoint) {
    uint32_t value = 0;
    assert_ok(pfifo_nvhost_ctrl_read(console->client, console->control, syncpoint, &value));
    return value;
}

uint32_t console_rd32(const struct console *console, uint32_t offset) {
    uint32_t value;
    memcpy(&value, console->memory + offset, sizeof value);
    return value;
}

void console_wr32(struct console *console, uint32_t offset, uint32_t value) {
    memcpy(console->memory + offset, &value, sizeof value);
}
