/* SPDX-License-Identifier: MIT */
#include "driver/pool.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* Index of the first range that ends above `address`. */
static size_t pool_first_above(const struct pool *pool, uint64_t address) {
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

static bool pool_insert(struct pool *pool, size_t at, uint64_t begin, uint64_t end) {
    if (pool->count == pool->room) {
        size_t room = pool->room ? 2 * pool->room : 16;
        struct range *ranges = realloc(pool->ranges, room * sizeof *ranges);
        if (!ranges)
            return false;
        pool->ranges = ranges;
        pool->room = room;
    }
    memmove(&pool->ranges[at + 1], &pool->ranges[at], (pool->count - at) * sizeof pool->ranges[0]);
    pool->ranges[at] = (struct range){.begin = begin, .end = end};
    pool->count++;
    return true;
}

bool pool_take(struct pool *pool, uint64_t begin, uint64_t bytes) {
    assert(bytes > 0);
    if (begin < pool->floor || begin >= pool->end || bytes > pool->end - begin)
        return false;
    size_t at = pool_first_above(pool, begin);
    if (at < pool->count && pool->ranges[at].begin < begin + bytes)
        return false;
    return pool_insert(pool, at, begin, begin + bytes);
}

/* The highest address in the gap [low, high). False: too small. */
static bool pool_fits(uint64_t low, uint64_t high, uint64_t bytes, uint64_t align, uint64_t *begin) {
    if (high < low || high - low < bytes)
        return false;
    *begin = (high - bytes) & ~(align - 1);
    return *begin >= low;
}

/* Where `bytes` fit below the ceiling, and the index that their range would have. */
static bool find_below(const struct pool *pool, uint64_t ceiling, uint64_t bytes, uint64_t align, uint64_t *begin,
                       size_t *index) {
    uint64_t high = ceiling, floor = pool->lowest > pool->floor ? pool->lowest : pool->floor;
    for (size_t at = pool_first_above(pool, ceiling - 1) + 1; at-- > 0;) {
        if (at >= pool->count)
            continue;
        const struct range *range = &pool->ranges[at];
        *index = at + 1;
        if (range->end < high && pool_fits(range->end > floor ? range->end : floor, high, bytes, align, begin))
            return true;
        if (range->begin < high)
            high = range->begin;
    }
    *index = 0;
    return pool_fits(floor, high, bytes, align, begin);
}

/* Above the range that was found last there is no room for as many bytes with that alignment. */
static uint64_t start_of_search(const struct pool *pool, uint64_t bytes, uint64_t align) {
    bool known = pool->found.bytes && bytes >= pool->found.bytes && align >= pool->found.align;
    return known ? pool->found.begin : pool->ceiling;
}

static bool find(struct pool *pool, uint64_t bytes, uint64_t align, uint64_t *begin, size_t *index) {
    assert(bytes > 0 && (align & (align - 1)) == 0);
    if (find_below(pool, start_of_search(pool, bytes, align), bytes, align, begin, index)) {
        pool->found.bytes = bytes;
        pool->found.align = align;
        pool->found.begin = *begin;
        return true;
    }
    return pool->end > pool->ceiling && !pool->lowest && find_below(pool, pool->end, bytes, align, begin, index);
}

bool pool_find(struct pool *pool, uint64_t bytes, uint64_t align, uint64_t *begin) {
    size_t index;
    return find(pool, bytes, align, begin, &index) && pool_insert(pool, index, *begin, *begin + bytes);
}

bool pool_find_kept(struct pool *pool, uint64_t bytes, uint64_t align, uint64_t *begin) {
    size_t index;
    if (!find(pool, bytes, align, begin, &index))
        return false;
    if (index < pool->count && pool->ranges[index].kept && pool->ranges[index].begin == *begin + bytes) {
        pool->ranges[index].begin = *begin;
        return true;
    }
    if (!pool_insert(pool, index, *begin, *begin + bytes))
        return false;
    pool->ranges[index].kept = true;
    return true;
}

/* There is a new gap: searches begin at its end, or above. */
static void search_from(struct pool *pool, uint64_t gap_end) {
    if (pool->found.begin < gap_end)
        pool->found.begin = gap_end < pool->ceiling ? gap_end : pool->ceiling;
}

static void pool_remove_range(struct pool *pool, size_t at) {
    search_from(pool, at + 1 < pool->count ? pool->ranges[at + 1].begin : pool->ceiling);
    pool->count--;
    memmove(&pool->ranges[at], &pool->ranges[at + 1], (pool->count - at) * sizeof pool->ranges[0]);
}

uint64_t pool_taken(const struct pool *pool, uint64_t begin) {
    size_t at = pool_first_above(pool, begin);
    bool there = at < pool->count && pool->ranges[at].begin == begin && !pool->ranges[at].kept;
    return there ? pool->ranges[at].end - begin : 0;
}

void pool_give(struct pool *pool, uint64_t begin) {
    if (pool_taken(pool, begin))
        pool_remove_range(pool, pool_first_above(pool, begin));
}

bool pool_give_part(struct pool *pool, uint64_t begin, uint64_t bytes) {
    size_t at = pool_first_above(pool, begin);
    uint64_t end = begin + bytes;
    if (at == pool->count || pool->ranges[at].begin > begin || end > pool->ranges[at].end || end <= begin)
        return false;
    struct range whole = pool->ranges[at];
    if (whole.begin == begin && whole.end == end) {
        pool_remove_range(pool, at);
        return true;
    }
    if (whole.begin < begin && end < whole.end && !pool_insert(pool, at + 1, end, whole.end))
        return false;
    if (whole.begin < begin && end < whole.end)
        pool->ranges[at + 1].kept = whole.kept;
    if (whole.begin < begin)
        pool->ranges[at].end = begin;
    else
        pool->ranges[at].begin = end;
    uint64_t next = at + 1 < pool->count ? pool->ranges[at + 1].begin : pool->ceiling;
    search_from(pool, end < whole.end ? end : next);
    return true;
}

uint64_t pool_left(const struct pool *pool) {
    uint64_t left = pool->end > pool->floor ? pool->end - pool->floor : 0;
    for (size_t i = 0; i < pool->count; i++)
        left -= pool->ranges[i].end - pool->ranges[i].begin;
    return left;
}

void pool_limit(struct pool *pool, uint64_t end) {
    if (pool->end > end)
        pool->ceiling = pool->end = end;
}

void pool_free(struct pool *pool) {
    free(pool->ranges);
    pool->ranges = NULL;
    pool->count = pool->room = 0;
}
