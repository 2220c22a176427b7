/* SPDX-License-Identifier: MIT */
#include "memory/tiling.h"

#include "memory/memory.h"
#include "memory/translate.h"

#define PAGE_BYTES 4096u

static uint64_t tiling_smaller(uint64_t a, uint64_t b) {
    return a < b ? a : b;
}

/* ---- a piece of a region: permute into a scratch buffer, then write the pages that differ ---- */

static bool piece_used(const struct memory *memory, uint64_t address, uint64_t bytes) {
    return memory_next_used(memory->vram_used, address, address + bytes, true) < address + bytes;
}

static bool tiling_all_zero(const uint8_t *data, uint64_t bytes) {
    return data[0] == 0 && memcmp(data, data + 1, bytes - 1) == 0;
}

/* Pages that do not change are not written, so that unused pages still take no host memory. */
static void write_back(struct memory *memory, uint64_t address, uint64_t bytes) {
    for (uint64_t done = 0, step; done < bytes; done += step) {
        uint8_t *to = memory->vram + address + done;
        const uint8_t *from = memory->tiling_scratch + done;
        step = tiling_smaller(bytes - done, PAGE_BYTES);
        if (memcmp(to, from, step) != 0) {
            memcpy(to, from, step);
            memory_mark_used(memory->vram_used, address + done, step);
        }
    }
}

/* The part of a region that is permuted: `bytes` at `begin`. */
struct tiling_piece {
    const struct tile_map *map;
    uint64_t begin, bytes;
};

/* `show`: from raw order to the order that clients see, for a new region. False: back to raw order. */
static void permute(uint8_t *to, const uint8_t *from, const struct tiling_piece *piece, bool show) {
    uint64_t places[TILE_BYTES_PER_LINE / TILE_UNIT];
    for (uint64_t line = 0; line < piece->bytes; line += TILE_BYTES_PER_LINE) {
        tile_line(piece->map, piece->begin + line, places);
        for (uint64_t i = 0; i < TILE_BYTES_PER_LINE / TILE_UNIT; i++) {
            uint64_t seen = line + i * TILE_UNIT, raw = places[i] - piece->begin;
            memcpy(to + (show ? seen : raw), from + (show ? raw : seen), TILE_UNIT);
        }
    }
}

static void rearrange_region(struct memory *memory, const struct tile_region *region, bool show) {
    uint64_t all = tile_map_bytes(&region->map), step = all ? tile_map_piece(&region->map) : 0;
    for (uint64_t done = 0; done < all; done += step) {
        struct tiling_piece piece = {&region->map, done, tiling_smaller(step, all - done)};
        uint64_t address = region->base + done;
        const uint8_t *from = memory->vram + address;
        if (!piece_used(memory, address, piece.bytes) || tiling_all_zero(from, piece.bytes))
            continue;
        permute(memory->tiling_scratch, from, &piece, show);
        write_back(memory, address, piece.bytes);
    }
}

/* ---- all regions ---- */

static bool same_region(const struct tile_region *a, const struct tile_region *b) {
    if (a->map.tiles == 0 || b->map.tiles == 0)
        return a->map.tiles == b->map.tiles;
    return a->base == b->base && tile_map_equal(&a->map, &b->map);
}

/* The owner of a watch on VRAM is notified before any of it changes. */
static void tiling_tell_watch(struct memory *memory, const struct tile_region *region) {
    struct span span = {memory->vram + region->base, tile_map_bytes(&region->map)};
    if (span.bytes && memory_watched(memory, span))
        memory->watch.hit(memory->watch.opaque, span.data, span.data + span.bytes);
}

static void tiling_report(const struct memory *memory, unsigned number, const struct tile_region *region) {
    if (memory->config.events)
        event_send(memory->config.events, EVENT_MEMORY_TILES, UINT32_MAX, NULL, number, region->base,
                   tile_map_bytes(&region->map), region->map.pitch.bytes);
}

void memory_load_tiling(struct memory *memory, const struct memory_tiling *tiling) {
    memory->tiling = *tiling;
}

void memory_set_tiling(struct memory *memory, const struct memory_tiling *tiling) {
    struct memory_tiling old = memory->tiling;
    bool differs[TILING_REGIONS];
    for (unsigned i = 0; i < TILING_REGIONS; i++) {
        differs[i] = !same_region(&old.region[i], &tiling->region[i]);
        if (differs[i]) {
            tiling_tell_watch(memory, &old.region[i]);
            tiling_tell_watch(memory, &tiling->region[i]);
        }
    }
    for (unsigned i = 0; i < TILING_REGIONS; i++)
        if (differs[i])
            rearrange_region(memory, &old.region[i], false);
    for (unsigned i = 0; i < TILING_REGIONS; i++)
        if (differs[i])
            rearrange_region(memory, &tiling->region[i], true);
    memory->tiling = *tiling;
    for (unsigned i = 0; i < TILING_REGIONS; i++)
        if (differs[i])
            tiling_report(memory, i, &tiling->region[i]);
}
