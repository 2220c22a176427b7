/* SPDX-License-Identifier: MIT */
/* An allocator of address ranges. */
#ifndef PFIFO_SRC_DRIVER_POOL_H
#define PFIFO_SRC_DRIVER_POOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct range {
    uint64_t begin, end;
    bool kept; /* joined to its neighbours that are kept, too */
};

/*
 * What the driver chooses comes from the top of [floor, ceiling), and then from above; if there is a `lowest`, from
 * [lowest, ceiling) alone. A fixed range may be anywhere in [floor, end).
 */
struct pool {
    struct range *ranges; /* taken, sorted */
    size_t count, room;
    uint64_t floor, ceiling, end, lowest;
    /* The range that was found last below `ceiling`: above it there is no room for as much, so searches begin there. */
    struct {
        uint64_t bytes, align, begin; /* bytes 0: nothing is known */
    } found;
};

bool pool_take(struct pool *pool, uint64_t begin, uint64_t bytes); /* false: taken, outside, or no host memory */
bool pool_find(struct pool *pool, uint64_t bytes, uint64_t align, uint64_t *begin);
bool pool_find_kept(struct pool *pool, uint64_t bytes, uint64_t align, uint64_t *begin); /* see struct range */
/*
 * Give back what was taken. What was not, which only a state that was loaded can ask for, changes nothing.
 */
void pool_give(struct pool *pool, uint64_t begin);
/* Give back a part of a range. False: no host memory to split the range, or it was not taken. */
bool pool_give_part(struct pool *pool, uint64_t begin, uint64_t bytes);
/* Is there a range that begins here and is not kept? Its bytes, else 0. */
uint64_t pool_taken(const struct pool *pool, uint64_t begin);
/* How much is free, in all gaps together. */
uint64_t pool_left(const struct pool *pool);
/* While nothing is taken: there is nothing from `end` on. */
void pool_limit(struct pool *pool, uint64_t end);
void pool_free(struct pool *pool);

#endif
