/* SPDX-License-Identifier: MIT */
#include "driver/driver.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* Index of the first range that ends above `address`. */
static size_t first_above(const struct pool *pool, uint64_t address) {
    size_t low = 0, high = pool->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (pool->ranges[middle].end > address)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

static bool insert(struct pool *pool, size_t at, uint64_t begin, uint64_t end) {
    if (pool->count == pool->room) {
        size_t room = pool->room ? 2 * pool->room : 16;
        struct range *ranges = realloc(pool->ranges, room * sizeof *ranges);
        if (!ranges)
            return false;
        pool->ranges = ranges;
        pool->room = room;
    }
    memmove(&pool->ranges[at + 1], &pool->ranges[at], (pool->count - at) * sizeof pool->ranges[0]);
    pool->ranges[at] = (struct range){begin, end};
    pool->count++;
    return true;
}

bool pool_take(struct pool *pool, uint64_t begin, uint64_t bytes) {
    assert(bytes > 0);
    if (begin < pool->floor || begin >= pool->end || bytes > pool->end - begin)
        return false;
    size_t at = first_above(pool, begin);
    if (at < pool->count && pool->ranges[at].begin < begin + bytes)
        return false;
    return insert(pool, at, begin, begin + bytes);
}

/* The highest place in the gap [low, high), or false. */
static bool fits(uint64_t low, uint64_t high, uint64_t bytes, uint64_t align, uint64_t *begin) {
    if (high < low || high - low < bytes)
        return false;
    *begin = (high - bytes) & ~(align - 1);
    return *begin >= low;
}

static bool find_below(struct pool *pool, uint64_t ceiling, uint64_t bytes, uint64_t align, uint64_t *begin) {
    uint64_t high = ceiling;
    for (size_t at = pool->count; at > 0; at--) {
        const struct range *range = &pool->ranges[at - 1];
        if (range->end < high && fits(range->end > pool->floor ? range->end : pool->floor, high, bytes, align, begin))
            return insert(pool, at, *begin, *begin + bytes);
        if (range->begin < high)
            high = range->begin;
    }
    return fits(pool->floor, high, bytes, align, begin) && insert(pool, 0, *begin, *begin + bytes);
}

bool pool_find(struct pool *pool, uint64_t bytes, uint64_t align, uint64_t *begin) {
    assert(bytes > 0 && (align & (align - 1)) == 0);
    return find_below(pool, pool->ceiling, bytes, align, begin) ||
           (pool->end > pool->ceiling && find_below(pool, pool->end, bytes, align, begin));
}

void pool_give(struct pool *pool, uint64_t begin) {
    size_t at = first_above(pool, begin);
    assert(at < pool->count && pool->ranges[at].begin == begin);
    pool->count--;
    memmove(&pool->ranges[at], &pool->ranges[at + 1], (pool->count - at) * sizeof pool->ranges[0]);
}

void pool_free(struct pool *pool) {
    free(pool->ranges);
    pool->ranges = NULL;
    pool->count = pool->room = 0;
}
