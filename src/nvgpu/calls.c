/* SPDX-License-Identifier: MIT */
/* Calls with types: a structure of words each. */
#include <pfifo/nvgpu_calls.h>

#include "memory/memory.h"

#define NVMAP       0x01u
#define AS          0x41u
#define CONTROL     0x00u
#define CHANNEL     0x48u
#define IN          1u
#define OUT         2u
#define BOTH        3u
#define MOST_WORDS  32u
#define REMAP_BYTES 20u
#define REMAP_MOST  818u

/* A structure of `count` words. */
static enum pfifo_nvgpu_result calls_call(struct pfifo_nvgpu_client *client, int32_t fd, uint32_t request,
                                          uint32_t *words, uint32_t count) {
    uint8_t bytes[4 * MOST_WORDS];
    for (uint32_t i = 0; i < count; i++)
        store_le32(bytes + 4 * (size_t)i, words[i]);
    struct pfifo_nvgpu_call made = {.fd = fd,
                                    .request = request | count * 4 << 16,
                                    .in = bytes,
                                    .out = bytes,
                                    .in_bytes = 4 * (size_t)count,
                                    .out_bytes = 4 * (size_t)count};
    enum pfifo_nvgpu_result result = pfifo_nvgpu_ioctl(client, &made);
    for (uint32_t i = 0; i < count; i++)
        words[i] = load_le32(bytes + 4 * (size_t)i);
    return result;
}

static uint32_t calls_request_of(uint32_t direction, uint32_t type, uint32_t number) {
    return direction << 30 | type << 8 | number;
}

static uint32_t low(uint64_t value) {
    return (uint32_t)value;
}

static uint32_t high(uint64_t value) {
    return (uint32_t)(value >> 32);
}

static uint64_t calls_whole(const uint32_t words[2]) {
    return (uint64_t)words[1] << 32 | words[0];
}

/* A call with one word, and no answer. */
static enum pfifo_nvgpu_result set_word(struct pfifo_nvgpu_client *client, int32_t fd, uint32_t request,
                                        uint32_t word) {
    return calls_call(client, fd, request, &word, 1);
}

/* ---- nvmap ---- */

enum pfifo_nvgpu_result pfifo_nvmap_create(struct pfifo_nvgpu_client *client, int32_t fd, uint32_t bytes,
                                           uint32_t *handle) {
    uint32_t words[2] = {bytes, 0};
    enum pfifo_nvgpu_result result = calls_call(client, fd, calls_request_of(BOTH, NVMAP, 0x01), words, 2);
    if (result == PFIFO_NVGPU_OK)
        *handle = words[1];
    return result;
}

enum pfifo_nvgpu_result pfifo_nvmap_alloc(struct pfifo_nvgpu_client *client, int32_t fd, uint32_t handle,
                                          uint32_t align, uint8_t kind, bool cached, uint64_t address) {
    uint32_t words[8] = {handle, 0, cached, align, kind, 0, low(address), high(address)};
    return calls_call(client, fd, calls_request_of(BOTH, NVMAP, 0x04), words, 8);
}

enum pfifo_nvgpu_result pfifo_nvmap_get_id(struct pfifo_nvgpu_client *client, int32_t fd, uint32_t handle,
                                           uint32_t *id) {
    uint32_t words[2] = {0, handle};
    enum pfifo_nvgpu_result result = calls_call(client, fd, calls_request_of(BOTH, NVMAP, 0x0e), words, 2);
    if (result == PFIFO_NVGPU_OK)
        *id = words[0];
    return result;
}

enum pfifo_nvgpu_result pfifo_nvmap_from_id(struct pfifo_nvgpu_client *client, int32_t fd, uint32_t id,
                                            uint32_t *handle) {
    uint32_t words[2] = {id, 0};
    enum pfifo_nvgpu_result result = calls_call(client, fd, calls_request_of(BOTH, NVMAP, 0x03), words, 2);
    if (result == PFIFO_NVGPU_OK)
        *handle = words[1];
    return result;
}

enum pfifo_nvgpu_result pfifo_nvmap_param(struct pfifo_nvgpu_client *client, int32_t fd, uint32_t handle, uint32_t what,
                                          uint32_t *value) {
    uint32_t words[3] = {handle, what, 0};
    enum pfifo_nvgpu_result result = calls_call(client, fd, calls_request_of(BOTH, NVMAP, 0x09), words, 3);
    if (result == PFIFO_NVGPU_OK)
        *value = words[2];
    return result;
}

enum pfifo_nvgpu_result pfifo_nvmap_free(struct pfifo_nvgpu_client *client, int32_t fd, uint32_t handle,
                                         uint64_t *address, bool *freed) {
    uint32_t words[6] = {handle};
    enum pfifo_nvgpu_result result = calls_call(client, fd, calls_request_of(BOTH, NVMAP, 0x05), words, 6);
    if (result == PFIFO_NVGPU_OK && address)
        *address = calls_whole(words + 2);
    if (result == PFIFO_NVGPU_OK && freed)
        *freed = !(words[5] & 1);
    return result;
}

/* ---- address spaces ---- */

enum pfifo_nvgpu_result pfifo_nvhost_as_initialize(struct pfifo_nvgpu_client *client, int32_t fd,
                                                   uint32_t big_page_bytes) {
    uint32_t words[10] = {1, 0, big_page_bytes};
    return calls_call(client, fd, calls_request_of(IN, AS, 0x09), words, 10);
}

enum pfifo_nvgpu_result pfifo_nvhost_as_bind_channel(struct pfifo_nvgpu_client *client, int32_t fd, int32_t channel) {
    return set_word(client, fd, calls_request_of(IN, AS, 0x01), (uint32_t)channel);
}

enum pfifo_nvgpu_result pfifo_nvhost_as_alloc_space(struct pfifo_nvgpu_client *client, int32_t fd, uint32_t pages,
                                                    uint32_t page_bytes, uint32_t flags, uint64_t *address) {
    uint32_t words[6] = {pages, page_bytes, flags, 0, low(*address), high(*address)};
    enum pfifo_nvgpu_result result = calls_call(client, fd, calls_request_of(BOTH, AS, 0x02), words, 6);
    if (result == PFIFO_NVGPU_OK)
        *address = calls_whole(words + 4);
    return result;
}

enum pfifo_nvgpu_result pfifo_nvhost_as_free_space(struct pfifo_nvgpu_client *client, int32_t fd, uint64_t address,
                                                   uint32_t pages, uint32_t page_bytes) {
    uint32_t words[4] = {low(address), high(address), pages, page_bytes};
    return calls_call(client, fd, calls_request_of(BOTH, AS, 0x03), words, 4);
}

enum pfifo_nvgpu_result pfifo_nvhost_as_map_buffer(struct pfifo_nvgpu_client *client, int32_t fd,
                                                   struct pfifo_nvhost_as_map *map) {
    uint32_t words[10] = {map->flags,        map->kind,       map->handle,      map->page_bytes,   low(map->offset),
                          high(map->offset), low(map->bytes), high(map->bytes), low(map->address), high(map->address)};
    enum pfifo_nvgpu_result result = calls_call(client, fd, calls_request_of(BOTH, AS, 0x06), words, 10);
    if (result == PFIFO_NVGPU_OK) {
        map->page_bytes = words[3];
        map->address = calls_whole(words + 8);
    }
    return result;
}

enum pfifo_nvgpu_result pfifo_nvhost_as_unmap_buffer(struct pfifo_nvgpu_client *client, int32_t fd, uint64_t address) {
    uint32_t words[2] = {low(address), high(address)};
    return calls_call(client, fd, calls_request_of(BOTH, AS, 0x05), words, 2);
}

enum pfifo_nvgpu_result pfifo_nvhost_as_remap_pages(struct pfifo_nvgpu_client *client, int32_t fd,
                                                    const struct pfifo_nvhost_as_remap *entries, uint32_t count) {
    uint8_t bytes[REMAP_BYTES * REMAP_MOST];
    if (count > REMAP_MOST)
        return PFIFO_NVGPU_INVALID_SIZE;
    for (uint32_t i = 0; i < count; i++) {
        uint8_t *at = bytes + (size_t)REMAP_BYTES * i;
        store_le32(at, entries[i].flags | (uint32_t)entries[i].kind << 16);
        store_le32(at + 4, entries[i].handle);
        store_le32(at + 8, entries[i].offset);
        store_le32(at + 12, entries[i].address);
        store_le32(at + 16, entries[i].pages);
    }
    size_t size = (size_t)REMAP_BYTES * count;
    struct pfifo_nvgpu_call made = {.fd = fd,
                                    .request = calls_request_of(BOTH, AS, 0x14) | (uint32_t)size << 16,
                                    .in = bytes,
                                    .out = bytes,
                                    .in_bytes = size,
                                    .out_bytes = size};
    return pfifo_nvgpu_ioctl(client, &made);
}

/* ---- channels ---- */

enum pfifo_nvgpu_result pfifo_nvhost_gpu_set_nvmap(struct pfifo_nvgpu_client *client, int32_t fd, int32_t nvmap) {
    return set_word(client, fd, calls_request_of(IN, CHANNEL, 0x01), (uint32_t)nvmap);
}

enum pfifo_nvgpu_result pfifo_nvhost_gpu_alloc_gpfifo(struct pfifo_nvgpu_client *client, int32_t fd, uint32_t entries,
                                                      struct pfifo_nvhost_fence *fence) {
    uint32_t words[8] = {entries, 1};
    enum pfifo_nvgpu_result result = calls_call(client, fd, calls_request_of(BOTH, CHANNEL, 0x1a), words, 8);
    if (result == PFIFO_NVGPU_OK && fence)
        *fence = (struct pfifo_nvhost_fence){words[3], words[4]};
    return result;
}

enum pfifo_nvgpu_result pfifo_nvhost_gpu_alloc_object(struct pfifo_nvgpu_client *client, int32_t fd,
                                                      uint32_t object_class) {
    uint32_t words[4] = {object_class};
    return calls_call(client, fd, calls_request_of(BOTH, CHANNEL, 0x09), words, 4);
}

enum pfifo_nvgpu_result pfifo_nvhost_gpu_set_error_notifier(struct pfifo_nvgpu_client *client, int32_t fd,
                                                            bool enable) {
    uint32_t words[6] = {[4] = enable};
    return calls_call(client, fd, calls_request_of(BOTH, CHANNEL, 0x0c), words, 6);
}

enum pfifo_nvgpu_result pfifo_nvhost_gpu_set_priority(struct pfifo_nvgpu_client *client, int32_t fd,
                                                      uint32_t priority) {
    return set_word(client, fd, calls_request_of(IN, CHANNEL, 0x0d), priority);
}

enum pfifo_nvgpu_result pfifo_nvhost_gpu_set_timeout(struct pfifo_nvgpu_client *client, int32_t fd,
                                                     uint32_t milliseconds) {
    return set_word(client, fd, calls_request_of(IN, CHANNEL, 0x03), milliseconds);
}

/* The entries go in a buffer of their own. */
enum pfifo_nvgpu_result pfifo_nvhost_gpu_submit(struct pfifo_nvgpu_client *client, int32_t fd, const uint64_t *entries,
                                                uint32_t count, uint32_t flags, struct pfifo_nvhost_fence *fence) {
    uint8_t bytes[24] = {0};
    store_le32(bytes + 8, count);
    store_le32(bytes + 12, flags);
    store_le32(bytes + 16, fence ? fence->syncpoint : 0);
    store_le32(bytes + 20, fence ? fence->value : 0);
    struct pfifo_nvgpu_call made = {.fd = fd,
                                    .request = calls_request_of(BOTH, CHANNEL, 0x1b) | (uint32_t)sizeof bytes << 16,
                                    .in = bytes,
                                    .out = bytes,
                                    .in_bytes = sizeof bytes,
                                    .out_bytes = sizeof bytes,
                                    .second_in = entries,
                                    .second_in_bytes = 8 * (size_t)count};
    enum pfifo_nvgpu_result result = pfifo_nvgpu_ioctl(client, &made);
    if (result == PFIFO_NVGPU_OK && fence)
        *fence = (struct pfifo_nvhost_fence){load_le32(bytes + 16), load_le32(bytes + 20)};
    return result;
}

enum pfifo_nvgpu_result pfifo_nvhost_gpu_notification(struct pfifo_nvgpu_client *client, int32_t fd,
                                                      struct pfifo_nvhost_notification *notification) {
    uint32_t words[4] = {0};
    enum pfifo_nvgpu_result result = calls_call(client, fd, calls_request_of(BOTH, CHANNEL, 0x17), words, 4);
    if (result == PFIFO_NVGPU_OK)
        *notification = (struct pfifo_nvhost_notification){calls_whole(words), words[2], words[3] >> 16 == 0xffff};
    return result;
}

enum pfifo_nvgpu_result pfifo_nvhost_gpu_error_info(struct pfifo_nvgpu_client *client, int32_t fd, uint32_t info[32]) {
    uint32_t words[32] = {0};
    enum pfifo_nvgpu_result result = calls_call(client, fd, calls_request_of(OUT, CHANNEL, 0x16), words, 32);
    for (unsigned i = 0; i < 32 && result == PFIFO_NVGPU_OK; i++)
        info[i] = words[i];
    return result;
}

/* ---- syncpoints ---- */

enum pfifo_nvgpu_result pfifo_nvhost_ctrl_read(struct pfifo_nvgpu_client *client, int32_t fd, uint32_t syncpoint,
                                               uint32_t *value) {
    uint32_t words[2] = {syncpoint, 0};
    enum pfifo_nvgpu_result result = calls_call(client, fd, calls_request_of(BOTH, CONTROL, 0x14), words, 2);
    if (result == PFIFO_NVGPU_OK)
        *value = words[1];
    return result;
}

enum pfifo_nvgpu_result pfifo_nvhost_ctrl_increment(struct pfifo_nvgpu_client *client, int32_t fd, uint32_t syncpoint) {
    return set_word(client, fd, calls_request_of(BOTH, CONTROL, 0x15), syncpoint);
}

enum pfifo_nvgpu_result pfifo_nvhost_ctrl_register(struct pfifo_nvgpu_client *client, int32_t fd, uint32_t slot) {
    return set_word(client, fd, calls_request_of(BOTH, CONTROL, 0x1f), slot);
}

enum pfifo_nvgpu_result pfifo_nvhost_ctrl_unregister(struct pfifo_nvgpu_client *client, int32_t fd, uint32_t slot) {
    return set_word(client, fd, calls_request_of(BOTH, CONTROL, 0x20), slot);
}

enum pfifo_nvgpu_result pfifo_nvhost_ctrl_wait_async(struct pfifo_nvgpu_client *client, int32_t fd,
                                                     const struct pfifo_nvhost_fence *fence, int32_t timeout_us,
                                                     uint32_t slot) {
    uint32_t words[4] = {fence->syncpoint, fence->value, (uint32_t)timeout_us, slot};
    return calls_call(client, fd, calls_request_of(BOTH, CONTROL, 0x1e), words, 4);
}

enum pfifo_nvgpu_result pfifo_nvhost_ctrl_signal(struct pfifo_nvgpu_client *client, int32_t fd, uint32_t slot) {
    return set_word(client, fd, calls_request_of(BOTH, CONTROL, 0x1c), slot);
}
