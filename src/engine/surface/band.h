/* SPDX-License-Identifier: MIT */
/*
 * Two shapes of rectangles that can be copied and filled fast, if their host memory is in one piece:
 *
 *   band   up to 8 lines that are in one row of gobs. It is processed by columns instead of lines, so that each gob is
 *          visited once.
 *   slab   lines that consist of whole gobs, several rows of them. In each block these gobs are contiguous, so a slab
 * is a few large pieces of memory, one per block.
 */
#ifndef PFIFO_SRC_ENGINE_SURFACE_BAND_H
#define PFIFO_SRC_ENGINE_SURFACE_BAND_H

#include "engine/surface/mapping.h"

#define BAND_LINES 8

struct band {
    const struct layout *layout;
    struct surface_cursor *cursor; /* of swizzled surfaces */
    uint8_t *base;                 /* of the range that its lines are in */
    uint64_t range;
    uint64_t x, gob;          /* of the first byte; BLOCK: the offset of its gob */
    int64_t line[BAND_LINES]; /* where lines begin, from the base on */
};

/* Lines from `y` on that one band can have. */
uint64_t band_lines(const struct layout *layout, uint64_t y);

/* Open a band. False: its layout does not allow it, or its memory is not in one piece. The mapping must outlive it. */
bool band_open(struct band *band, struct surface_mapping *mapping, struct surface_point at, uint64_t line_bytes,
               unsigned lines);

/* A line of bytes in host memory. */
void band_of_bytes(struct band *band, void *data);

/* All bytes of it. The bands must not overlap. */
void band_copy(const struct band *to, const struct band *from, uint64_t line_bytes, unsigned lines);

/* BLOCK: fill with a pattern of 16 bytes, which starts where x is a multiple of 16. */
void band_fill(const struct band *to, const uint8_t pattern[16], uint64_t line_bytes, unsigned lines);

static inline bool band_overlaps(const struct band *a, const struct band *b) {
    return (uintptr_t)a->base < (uintptr_t)b->base + b->range && (uintptr_t)b->base < (uintptr_t)a->base + a->range;
}

/*
 * `pieces` of `bytes` each, `stride` bytes apart. The rest of the lines, to the left and to the right, is in other
 * blocks of the same contiguous memory, so that bands of it can be opened.
 */
struct slab {
    uint8_t *base;
    uint64_t bytes, stride, pieces;
    uint64_t left, right; /* bytes of each line */
};

/* The lines from `at` on that a slab can have, at most `lines`; 0: none. */
uint64_t slab_open(struct slab *slab, struct surface_mapping *mapping, struct surface_point at, uint64_t line_bytes,
                   uint64_t lines);

static inline uint64_t slab_range(const struct slab *slab) {
    return slab->stride * (slab->pieces - 1) + slab->bytes;
}

#endif
