/* SPDX-License-Identifier: MIT */
/*
 * Walking over a surface: offsets without starting from scratch for every byte, and host memory without translating
 * for every piece. For the functions of surface.h.
 */
#ifndef PFIFO_SRC_ENGINE_SURFACE_WALK_H
#define PFIFO_SRC_ENGINE_SURFACE_WALK_H

#include "engine/surface/surface.h"

/*
 * An offset is the sum of a part of the line and a part of the byte in it. The line's is kept while the line is the
 * same; of swizzled surfaces also the element that was last, since the next one is cheap to find.
 */
struct walk {
    const struct layout *layout;
    uint64_t y, z, line; /* offset of byte 0 of line y in slice z */
    uint64_t places;     /* SWIZZLED: bits of the index of an element that its x takes */
    unsigned shift;      /* log2 of its bytes */
    uint64_t element, index;
};

void walk_begin(struct walk *walk, const struct layout *layout);

/* Offset of the gob's first byte in a line's first gob row, of byte x. */
static inline uint64_t walk_gob(const struct layout *layout, uint64_t x) {
    unsigned bw = layout->block_width, depth = layout->block_height + (unsigned)layout->block_depth;
    uint64_t gob = x >> 6, in_block = gob & ((UINT64_C(1) << bw) - 1);
    return ((gob - in_block) << depth | in_block) << (layout->order == GOB_LINES ? 8 : 9);
}

/* Offset within a gob of byte x (0 .. 63) of its first line. */
static inline uint64_t walk_in_gob(enum gob_order order, uint64_t x) {
    return order == GOB_SECTORS ? (x & 15) | (x & 16) << 1 | (x & 32) << 3 : x;
}

/* The same of the first byte of line y (0 .. 7). */
static inline uint64_t walk_line_in_gob(enum gob_order order, uint64_t y) {
    return order == GOB_SECTORS ? (y & 1) << 4 | (y & 6) << 5 : y << 6;
}

/*
 * SWIZZLED: what x adds to the offset of a line. The index of the element after one is that of the one, with 1 added in
 * the places of x: all others pass the carry on.
 */
static inline uint64_t walk_swizzled(struct walk *walk, uint64_t x) {
    uint64_t element = x >> walk->shift;
    if (element == walk->element + 1)
        walk->index = ((walk->index | ~walk->places) + 1) & walk->places;
    else if (element != walk->element)
        walk->index = layout_deposit(element, walk->places);
    walk->element = element;
    return walk->index << walk->shift | (x & ((UINT64_C(1) << walk->shift) - 1));
}

uint64_t walk_offset(struct walk *walk, struct surface_point at);

/*
 * A surface being read or written. The piece of it that was translated last is `span`, from guest address `begin` on.
 * It stays valid, since nothing here changes a mapping; a span for writing has met the watch when it was handed out.
 */
struct view {
    struct memory *memory;
    const struct surface *surface;
    enum memory_access access;
    struct walk walk;
    uint64_t begin;
    struct span span;
    uint64_t end; /* offset of the end of what is going to be used */
    bool ahead;   /* ask for all up to there, not only for what is needed now */
    bool merges;  /* what is written is read before */
};

void view_begin(struct view *view, struct memory *memory, const struct surface *surface, enum memory_access access);

/* What is going to be used: it is worth to translate so much at once if it lies close together. */
void view_expect(struct view *view, struct surface_point at, uint64_t line_bytes, uint64_t lines);

/* Host bytes from byte x of a line on: sets *bytes, at most what was asked, at least 1. NULL: a fault. */
uint8_t *view_row(struct view *view, struct surface_point at, uint64_t *bytes, struct fault *fault);

/* The same of bytes from an offset on; the second is silent about faults. */
uint8_t *view_piece(struct view *view, uint64_t offset, uint64_t *bytes, struct fault *fault);
uint8_t *view_try_piece(struct view *view, uint64_t offset, uint64_t *bytes);

/* Host bytes of the offsets from `begin` to `end`, if they are in one piece; else NULL, and no fault. */
uint8_t *view_range(struct view *view, uint64_t begin, uint64_t end);

#endif
