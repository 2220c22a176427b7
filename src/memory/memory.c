/* SPDX-License-Identifier: MIT */
#include "memory/memory.h"

#include <assert.h>
#include <sys/mman.h>

#include "memory/translate.h"

/* Host pages that take no memory until they are touched. NULL: the host refuses. */
static uint8_t *memory_reserve(uint64_t bytes) {
    if ((size_t)bytes != bytes)
        return NULL;
    void *data = mmap(NULL, (size_t)bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return data == MAP_FAILED ? NULL : data;
}

static void release(uint8_t *data, uint64_t bytes) {
    if (data)
        munmap(data, (size_t)bytes);
}

struct memory_own memory_own(struct memory *memory, enum memory_target target) {
    if (target == MEMORY_VRAM)
        return (struct memory_own){memory->vram, memory->vram_used, memory->config.vram_bytes, &memory->vram_backing};
    return (struct memory_own){memory->system, memory->system_used, memory->config.system_bytes,
                               &memory->system_backing};
}

static enum pfifo_status memory_open_own(struct memory *memory, struct pfifo_error *error) {
    struct memory_own vram = memory_own(memory, MEMORY_VRAM), system = memory_own(memory, MEMORY_SYSTEM);
    enum pfifo_status status = memory_backing_open(&vram, &memory->config.vram, "VRAM", error);
    memory->vram = vram.data;
    memory->vram_used = vram.used;
    if (status != PFIFO_OK)
        return status;
    status = memory_backing_open(&system, &memory->config.system, "system memory", error);
    memory->system = system.data;
    memory->system_used = system.used;
    return status;
}

/* Zeros that cannot be written even by mistake, followed by pages that take dropped writes. */
static uint8_t *reserve_hole(void) {
    uint8_t *hole = memory_reserve(2 * MEMORY_HOLE_BYTES);
    if (hole && mprotect(hole, MEMORY_HOLE_BYTES, PROT_READ) != 0) {
        release(hole, 2 * MEMORY_HOLE_BYTES);
        return NULL;
    }
    return hole;
}

enum pfifo_status memory_init(struct memory *memory, const struct memory_config *config, struct pfifo_error *error) {
    assert(config->chip);
    *memory = (struct memory){.config = *config};
    if (config->chip->vram_bytes == 0)
        memory->config.vram_bytes = 0;
    if (config->host.map)
        memory->config.system_bytes = 0;
    const struct vm_format *format = vm_format_of(config->chip);
    memory->mmu.directory_offset = format ? format->directory_offset : 0;
    memory->mmu.vram_limit = UINT64_MAX;
    memory->vram_write_end = memory->config.vram_bytes;

    enum pfifo_status status = memory_open_own(memory, error);
    memory->hole = reserve_hole();
    bool complete = memory->hole != NULL;
    if (tile_family_of(config->chip))
        complete &= (memory->tiling_scratch = memory_reserve(TILE_PIECE_MOST)) != NULL;
    if (status == PFIFO_OK && !complete)
        status = pfifo_error_set(error, PFIFO_ERROR_MEMORY, "the host has no memory for a GPU");
    if (status != PFIFO_OK)
        memory_free(memory);
    return status;
}

void memory_free(struct memory *memory) {
    struct memory_own vram = memory_own(memory, MEMORY_VRAM), system = memory_own(memory, MEMORY_SYSTEM);
    memory_backing_close(&vram);
    memory_backing_close(&system);
    release(memory->hole, 2 * MEMORY_HOLE_BYTES);
    release(memory->tiling_scratch, TILE_PIECE_MOST);
    *memory = (struct memory){0};
}

static uint64_t memory_smaller(uint64_t a, uint64_t b) {
    return a < b ? a : b;
}

struct span memory_hole_span(struct memory *memory, uint64_t address, uint64_t bytes, enum memory_access access) {
    /* The low bits are kept, so that a pointer is as aligned as its address. */
    uint64_t offset = address & (MEMORY_HOLE_BYTES - 1);
    uint8_t *data = memory->hole + (access == MEMORY_WRITE ? MEMORY_HOLE_BYTES : 0) + offset;
    return (struct span){data, memory_smaller(bytes, MEMORY_HOLE_BYTES - offset)};
}

/* ---- chunks that were written ---- */

/* The bits first % 64 to last % 64 of a word. */
static uint64_t chunk_mask(uint64_t first, uint64_t last) {
    return UINT64_MAX << first % 64 & UINT64_MAX >> (63 - last % 64);
}

static void memory_set_used(uint64_t *used, uint64_t address, uint64_t bytes, bool value) {
    const uint64_t last = (address + bytes - 1) / MEMORY_CHUNK;
    for (uint64_t chunk = address / MEMORY_CHUNK, end; chunk <= last; chunk = end + 1) {
        end = memory_smaller(chunk | 63, last);
        if (value)
            used[chunk / 64] |= chunk_mask(chunk, end);
        else
            used[chunk / 64] &= ~chunk_mask(chunk, end);
    }
}

void memory_mark_used(uint64_t *used, uint64_t address, uint64_t bytes) {
    memory_set_used(used, address, bytes, true);
}

void memory_mark_unused(uint64_t *used, uint64_t address, uint64_t bytes) {
    memory_set_used(used, address, bytes, false);
}

uint64_t memory_next_used(const uint64_t *used, uint64_t address, uint64_t end, bool value) {
    for (uint64_t chunk = address / MEMORY_CHUNK; chunk * MEMORY_CHUNK < end; chunk = (chunk | 63) + 1) {
        uint64_t found = (value ? used[chunk / 64] : ~used[chunk / 64]) & UINT64_MAX << chunk % 64;
        if (found == 0)
            continue;
        chunk = (chunk & ~UINT64_C(63)) + (uint64_t)__builtin_ctzll(found);
        uint64_t begin = chunk * MEMORY_CHUNK;
        return begin < address ? address : memory_smaller(begin, end);
    }
    return end;
}

/* ---- spans ---- */

bool memory_is_hole(const struct memory *memory, const uint8_t *data) {
    return data >= memory->hole && data < memory->hole + (size_t)2 * MEMORY_HOLE_BYTES;
}

/* Own memory from address 0 up; beyond its end is a hole. */
static struct span own_span(struct memory *memory, uint8_t *own, uint64_t *used, uint64_t own_bytes, uint64_t address,
                            uint64_t bytes, enum memory_access access) {
    if (address >= own_bytes)
        return memory_hole_span(memory, address, bytes, access);
    struct span span = {own + address, memory_smaller(bytes, own_bytes - address)};
    if (access == MEMORY_WRITE)
        memory_mark_used(used, address, span.bytes);
    return span;
}

/* The embedder's memory. Where it returns NULL, there is a hole up to the next page, which is asked for again. */
static struct span host_span(struct memory *memory, uint64_t address, uint64_t bytes, enum memory_access access) {
    const struct memory_host *host = &memory->config.host;
    uint64_t got = bytes;
    uint8_t *data = host->map(host->opaque, address, &got, access == MEMORY_WRITE);
    if (!data || !got)
        return memory_hole_span(memory, address, memory_smaller(bytes, 0x1000 - (address & 0xfff)), access);
    return (struct span){data, memory_smaller(got, bytes)};
}

bool memory_watched(const struct memory *memory, struct span span) {
    uintptr_t begin = (uintptr_t)memory->watch.begin, end = (uintptr_t)memory->watch.end, data = (uintptr_t)span.data;
    return data < end && data + span.bytes > begin && begin < end;
}

static struct span system_span(struct memory *memory, uint64_t address, uint64_t bytes, enum memory_access access) {
    if (memory->config.host.map)
        return host_span(memory, address, bytes, access);
    return own_span(memory, memory->system, memory->system_used, memory->config.system_bytes, address, bytes, access);
}

/* Tegra: there is no VRAM, "VRAM" is the shared DRAM [driver: nouveau vmmgm20b.c maps both to target 0]. */
enum memory_target memory_target_on(const struct memory *memory, enum memory_target target) {
    return target == MEMORY_VRAM && memory->config.chip->vram_bytes == 0 ? MEMORY_SYSTEM : target;
}

struct span memory_physical_span(struct memory *memory, enum memory_target target, uint64_t address, uint64_t bytes,
                                 enum memory_access access) {
    assert(bytes > 0);
    struct span span;
    target = memory_target_on(memory, target);
    if (target == MEMORY_VRAM)
        span = own_span(memory, memory->vram, memory->vram_used,
                        access == MEMORY_WRITE ? memory->vram_write_end : memory->config.vram_bytes, address, bytes,
                        access);
    else if (target == MEMORY_PEER)
        span = memory_hole_span(memory, address, bytes, access);
    else
        span = system_span(memory, address | memory->mmu.system_high, bytes, access);
    if (access == MEMORY_WRITE && memory_watched(memory, span))
        memory->watch.hit(memory->watch.opaque, span.data, span.data + span.bytes);
    if (access == MEMORY_WRITE && memory->guard.writes)
        memory->guard.writes(memory->guard.opaque, target, address, span.bytes);
    return span;
}

/* `bytes` is a word's: at the end of memory, or of the embedder's pieces, it may take several spans. */
static void memory_read_pieces(struct memory *memory, enum memory_target target, uint64_t address, uint8_t *to,
                               uint64_t bytes) {
    for (uint64_t done = 0; done < bytes;) {
        struct span span = memory_physical_span(memory, target, address + done, bytes - done, MEMORY_READ);
        memcpy(to + done, span.data, span.bytes);
        done += span.bytes;
    }
}

uint32_t memory_physical_rd32(struct memory *memory, enum memory_target target, uint64_t address) {
    uint8_t bytes[4];
    memory_read_pieces(memory, target, address, bytes, sizeof bytes);
    return load_le32(bytes);
}

uint64_t memory_physical_rd64(struct memory *memory, enum memory_target target, uint64_t address) {
    uint8_t bytes[8];
    memory_read_pieces(memory, target, address, bytes, sizeof bytes);
    return load_le64(bytes);
}

void memory_physical_write(struct memory *memory, enum memory_target target, uint64_t address, const void *data,
                           uint64_t bytes) {
    for (uint64_t done = 0; done < bytes;) {
        struct span span = memory_physical_span(memory, target, address + done, bytes - done, MEMORY_WRITE);
        memcpy(span.data, (const uint8_t *)data + done, span.bytes);
        done += span.bytes;
    }
}

void memory_physical_wr32(struct memory *memory, enum memory_target target, uint64_t address, uint32_t value) {
    uint8_t bytes[4];
    store_le32(bytes, value);
    memory_physical_write(memory, target, address, bytes, sizeof bytes);
}

void memory_protect(struct memory *memory, uint64_t from, bool ramin_too) {
    memory->vram_write_end = memory_smaller(from, memory->config.vram_bytes);
    memory->ramin_protected = ramin_too;
}

uint64_t memory_unprotect(struct memory *memory) {
    uint64_t before = memory->vram_write_end;
    memory->vram_write_end = memory->config.vram_bytes;
    return before;
}

void memory_protect_again(struct memory *memory, uint64_t before) {
    memory->vram_write_end = before;
}
