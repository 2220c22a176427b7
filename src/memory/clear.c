/* SPDX-License-Identifier: MIT */
/*
 * Clearing memory. Memory that was never handed out for writing is zero already and is not read. A chunk that is
 * cleared as a whole is returned to the host and counts as never written.
 */
#include <sys/mman.h>

#include "memory/memory.h"
#include "memory/translate.h"

#define PAGE_BYTES 4096u

static const uint8_t zeros[PAGE_BYTES];

static uint64_t clear_smaller(uint64_t a, uint64_t b) {
    return a < b ? a : b;
}

bool memory_fresh_pages(uint8_t *data, uint64_t bytes) {
    return mmap(data, (size_t)bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED,
                -1, 0) != MAP_FAILED;
}

/* Zero pages are not written, so that the host need not allocate them. */
static void clear_pages(uint8_t *data, uint64_t bytes) {
    for (uint64_t done = 0, step; done < bytes; done += step) {
        step = clear_smaller(bytes - done, PAGE_BYTES);
        if (memcmp(data + done, zeros, step) != 0)
            memset(data + done, 0, step);
    }
}

static void clear_tell_watch(struct memory *memory, struct span span) {
    if (memory_watched(memory, span))
        memory->watch.hit(memory->watch.opaque, span.data, span.data + span.bytes);
}

/* A range within one chunk in which something was written. */
static void clear_in_chunk(struct memory *memory, uint8_t *own, uint64_t *used, uint64_t address, uint64_t bytes) {
    clear_tell_watch(memory, (struct span){own + address, bytes});
    if (bytes == MEMORY_CHUNK && memory_fresh_pages(own + address, bytes))
        used[address / MEMORY_CHUNK / 64] &= ~(UINT64_C(1) << address / MEMORY_CHUNK % 64);
    else
        clear_pages(own + address, bytes);
}

static void clear_own(struct memory *memory, uint8_t *own, uint64_t *used, uint64_t own_bytes, uint64_t address,
                      uint64_t bytes) {
    uint64_t end = address < own_bytes ? address + clear_smaller(bytes, own_bytes - address) : address;
    for (uint64_t at = address, next; at < end; at = next) {
        uint64_t chunk = at / MEMORY_CHUNK;
        next = clear_smaller(end, (chunk + 1) * MEMORY_CHUNK);
        if (used[chunk / 64] >> chunk % 64 & 1)
            clear_in_chunk(memory, own, used, at, next - at);
    }
}

/* The embedder's memory: it is not known which parts were written. */
static void clear_host(struct memory *memory, uint64_t address, uint64_t bytes) {
    for (uint64_t done = 0, step; done < bytes; done += step) {
        step = clear_smaller(bytes - done, PAGE_BYTES);
        struct span span = memory_physical_span(memory, MEMORY_SYSTEM, address + done, step, MEMORY_READ);
        step = span.bytes;
        if (memcmp(span.data, zeros, step) == 0)
            continue;
        span = memory_physical_span(memory, MEMORY_SYSTEM, address + done, step, MEMORY_WRITE);
        step = span.bytes;
        memset(span.data, 0, step);
    }
}

void memory_clear(struct memory *memory, enum memory_target target, uint64_t address, uint64_t bytes) {
    const struct memory_config *config = &memory->config;
    bytes = clear_smaller(bytes, UINT64_MAX - address);
    if (target == MEMORY_VRAM && config->chip->vram_bytes)
        clear_own(memory, memory->vram, memory->vram_used, config->vram_bytes, address, bytes);
    else if (config->host.map)
        clear_host(memory, address, bytes);
    else
        clear_own(memory, memory->system, memory->system_used, config->system_bytes, address | memory->mmu.system_high,
                  bytes);
}
