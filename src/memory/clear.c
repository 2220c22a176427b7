/* SPDX-License-Identifier: MIT */
/*
 * Clearing memory. Memory that was never handed out for writing is zero already and is not read. A chunk that is
 * cleared as a whole is returned to the host and counts as never written, unless others can write it.
 */
#include "memory/memory.h"
#include "memory/translate.h"

#define PAGE_BYTES 4096u

static const uint8_t zeros[PAGE_BYTES];

static uint64_t clear_smaller(uint64_t a, uint64_t b) {
    return a < b ? a : b;
}

/* Zero pages are not written, so that the host need not allocate them. */
static void clear_pages(const struct memory_own *own, uint64_t address, uint64_t bytes) {
    uint64_t end = address + bytes;
    for (uint64_t at = address, step; (at = memory_backing_next_data(own, at)) < end; at += step) {
        step = clear_smaller(end - at, PAGE_BYTES);
        if (memcmp(own->data + at, zeros, step) != 0)
            memset(own->data + at, 0, step);
    }
}

static void clear_tell_watch(struct memory *memory, struct span span) {
    if (memory_watched(memory, span))
        memory->watch.hit(memory->watch.opaque, span.data, span.data + span.bytes);
}

/* Chunks in which something was written; the first and the last perhaps not as a whole. */
static void clear_chunks(struct memory *memory, const struct memory_own *own, uint64_t address, uint64_t bytes) {
    clear_tell_watch(memory, (struct span){own->data + address, bytes});
    if (!memory_backing_discard(own, address, bytes))
        clear_pages(own, address, bytes);
    if (memory_backing_whole(own, address, bytes) && !own->backing->shared)
        memory_mark_unused(own->used, address, bytes);
}

/* What can be given back, and what stays of the chunks at both ends. */
static void clear_own(struct memory *memory, enum memory_target target, uint64_t address, uint64_t bytes) {
    const struct memory_own own = memory_own(memory, target);
    uint64_t end = address < own.bytes ? address + clear_smaller(bytes, own.bytes - address) : address;
    for (uint64_t at = address, next; (at = memory_next_used(own.used, at, end, true)) < end; at = next) {
        uint64_t whole = (at + MEMORY_CHUNK - 1) & ~(MEMORY_CHUNK - 1);
        next = memory_next_used(own.used, at, end, false);
        if (at < whole)
            next = clear_smaller(next, whole);
        else if (next - at >= MEMORY_CHUNK && next != own.bytes)
            next &= ~(MEMORY_CHUNK - 1);
        clear_chunks(memory, &own, at, next - at);
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
        clear_own(memory, MEMORY_VRAM, address, bytes);
    else if (config->host.map)
        clear_host(memory, address, bytes);
    else
        clear_own(memory, MEMORY_SYSTEM, address | memory->mmu.system_high, bytes);
}
