/* SPDX-License-Identifier: MIT */
/* Ranges of addresses that are taken, in order. */
#include "nvgpu/nvgpu.h"

#include <assert.h>
#include <stdlib.h>

/* The first range that ends after an address. */
static uint32_t first_after(const struct nvgpu_ranges *ranges, uint64_t address) {
    uint32_t low = 0, high = ranges->count;
    assert(ranges->count <= ranges->room);
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        const struct nvgpu_range *range = &ranges->range[middle];
        if (range->address + range->bytes <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

struct nvgpu_range *ranges_at(const struct nvgpu_ranges *ranges, uint64_t address) {
    uint32_t at = first_after(ranges, address);
    return at < ranges->count && ranges->range[at].address <= address ? &ranges->range[at] : NULL;
}

struct nvgpu_range *ranges_first(const struct nvgpu_ranges *ranges, uint64_t address, uint64_t bytes) {
    uint32_t at = first_after(ranges, address);
    return at < ranges->count && ranges->range[at].address < address + bytes ? &ranges->range[at] : NULL;
}

bool ranges_meet(const struct nvgpu_ranges *ranges, uint64_t address, uint64_t bytes) {
    return ranges_first(ranges, address, bytes) != NULL;
}

bool ranges_add(struct nvgpu_ranges *ranges, const struct nvgpu_range *range) {
    if (ranges->count == ranges->room) {
        uint32_t room = ranges->room ? 2 * ranges->room : 64;
        struct nvgpu_range *grown = room <= NVGPU_RANGES ? realloc(ranges->range, room * sizeof *grown) : NULL;
        if (!grown)
            return false;
        ranges->range = grown;
        ranges->room = room;
    }
    uint32_t at = first_after(ranges, range->address);
    assert(range->bytes);
    assert(at == ranges->count || range->address + range->bytes <= ranges->range[at].address);
    memmove(&ranges->range[at + 1], &ranges->range[at], (ranges->count - at) * sizeof *range);
    ranges->range[at] = *range;
    ranges->count++;
    return true;
}

void ranges_remove(struct nvgpu_ranges *ranges, const struct nvgpu_range *range) {
    uint32_t at = (uint32_t)(range - ranges->range);
    assert(at < ranges->count);
    ranges->count--;
    memmove(&ranges->range[at], &ranges->range[at + 1], (ranges->count - at) * sizeof *range);
}

/* After what is in the way. False: nothing is. */
static bool step_over(const struct nvgpu_ranges *ranges, uint64_t *address, uint64_t bytes) {
    uint32_t at = first_after(ranges, *address);
    if (at == ranges->count || ranges->range[at].address >= *address + bytes)
        return false;
    *address = ranges->range[at].address + ranges->range[at].bytes;
    return true;
}

bool ranges_find(const struct nvgpu_ranges *a, const struct nvgpu_ranges *b, uint64_t from, uint64_t end,
                 uint64_t bytes, uint64_t align, uint64_t *address) {
    assert(align && !(align & (align - 1)));
    for (uint64_t at = from;;) {
        at = (at + align - 1) & ~(align - 1);
        if (at < from || at > end || bytes > end - at)
            return false;
        if (!step_over(a, &at, bytes) && !(b && step_over(b, &at, bytes))) {
            *address = at;
            return true;
        }
    }
}
