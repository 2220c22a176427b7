/* SPDX-License-Identifier: MIT */
/*
 * Fills: an element is written many times, or only some of its bits, and the others stay.
 *
 * Memory is written one cache line after the other, in ascending order. Processors detect this and do not read the
 * lines that will be overwritten. So a large fill is as fast as memset(), without special stores.
 */
#ifndef PFIFO_SRC_ENGINE_SURFACE_FILLING_H
#define PFIFO_SRC_ENGINE_SURFACE_FILLING_H

#include <stdbool.h>
#include <stdint.h>

#define FILLING_MOST_BYTES 16u /* of an element */
#define FILLING_STEP       64u /* a line of the cache */
#define FILLING_MOST_CYCLE (FILLING_STEP * (FILLING_MOST_BYTES - 1))

struct filling {
    uint8_t pattern[FILLING_MOST_CYCLE + FILLING_STEP];
    uint8_t kept[2 * FILLING_STEP]; /* bits that stay, beside those of the pattern; `merges`: there are any */
    unsigned period, cycle;         /* bytes of an element; of as many of them as make whole steps */
    bool uniform;                   /* all bytes are the same */
    bool merges;
};

/* For pieces of up to `longest` bytes. */
void filling_begin(struct filling *filling, const uint8_t *element, unsigned element_bytes, uint64_t longest);

/* The bits of `mask`. The bytes of an element are a power of two. */
void filling_begin_merge(struct filling *filling, const uint8_t *element, const uint8_t *mask, unsigned element_bytes);

/* `bytes` of a row, of which `before` bytes have been written. */
void filling_write(uint8_t *to, const struct filling *filling, uint64_t before, uint64_t bytes);

#endif
