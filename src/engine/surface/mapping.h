/* SPDX-License-Identifier: MIT */
/*
 * For the functions of surface.h: offsets that are not computed from scratch for every byte (a cursor), and host memory
 * that is not translated again for every piece (a mapping).
 */
#ifndef PFIFO_SRC_ENGINE_SURFACE_MAPPING_H
#define PFIFO_SRC_ENGINE_SURFACE_MAPPING_H

#include "engine/surface/surface.h"

/*
 * An offset is the sum of a part of the line and a part of the byte in it. The line's is kept while the line is the
 * same; of swizzled surfaces also the element that was last, since the next one is cheap to find.
 */
struct surface_cursor {
    const struct layout *layout;
    uint64_t y, z, line; /* offset of byte 0 of line y in slice z */
    uint64_t places;     /* SWIZZLED: bits of the index of an element that its x takes */
    unsigned shift;      /* log2 of its bytes */
    uint64_t element, index;
};

void cursor_begin(struct surface_cursor *cursor, const struct layout *layout);

/* Offset of the gob's first byte in a line's first gob row, of byte x. */
static inline uint64_t cursor_gob(const struct layout *layout, uint64_t x) {
    unsigned bw = layout->block_width, depth = layout->block_height + (unsigned)layout->block_depth;
    uint64_t gob = x >> 6, in_block = gob & ((UINT64_C(1) << bw) - 1);
    return ((gob - in_block) << depth | in_block) << (layout->order == GOB_LINES ? 8 : 9);
}

/* Offset within a gob of byte x (0 .. 63) of its first line. */
static inline uint64_t cursor_in_gob(enum gob_order order, uint64_t x) {
    if (!layout_has_sectors(order))
        return x;
    return (x & 15) | (x & 16) << (order == GOB_COLUMNS ? 2 : 1) | (x & 32) << 3;
}

/* The same of the first byte of line y (0 .. 7). */
static inline uint64_t cursor_line_in_gob(enum gob_order order, uint64_t y) {
    if (order == GOB_COLUMNS)
        return (y & 3) << 4 | (y & 4) << 5;
    return order == GOB_SECTORS ? (y & 1) << 4 | (y & 6) << 5 : y << 6;
}

/*
 * SWIZZLED: what x adds to the offset of a line. The index of the element after one is that of the one, with 1 added in
 * the places of x: all others pass the carry on.
 */
static inline uint64_t cursor_swizzled(struct surface_cursor *cursor, uint64_t x) {
    uint64_t element = x >> cursor->shift;
    if (element == cursor->element + 1)
        cursor->index = ((cursor->index | ~cursor->places) + 1) & cursor->places;
    else if (element != cursor->element)
        cursor->index = layout_deposit(element, cursor->places);
    cursor->element = element;
    return cursor->index << cursor->shift | (x & ((UINT64_C(1) << cursor->shift) - 1));
}

uint64_t cursor_offset(struct surface_cursor *cursor, struct surface_point at);

/*
 * A surface that is being read or written, with the piece of it that was translated last: `span`, which begins at guest
 * address `begin`. It stays valid, since nothing here changes page tables; a span for writing has met the watch when it
 * was handed out.
 */
struct surface_mapping {
    struct memory *memory;
    const struct surface *surface;
    enum memory_access access;
    struct surface_cursor cursor;
    uint64_t begin;
    struct span span;
    uint64_t end; /* offset of the end of what is going to be used */
    bool ahead;   /* ask for all up to there, not only for what is needed now */
    bool merges;  /* what is written is read before */
};

void mapping_begin(struct surface_mapping *mapping, struct memory *memory, const struct surface *surface,
                   enum memory_access access);

/* What is going to be used: it is worth to translate so much at once if it lies close together. */
void mapping_expect(struct surface_mapping *mapping, struct surface_point at, uint64_t line_bytes, uint64_t lines);

/* Host bytes from byte x of a line on: sets *bytes, at most what was asked, at least 1. NULL: a fault. */
uint8_t *mapping_row(struct surface_mapping *mapping, struct surface_point at, uint64_t *bytes, struct fault *fault);

/* The same of bytes from an offset on; the second is silent about faults. */
uint8_t *mapping_piece(struct surface_mapping *mapping, uint64_t offset, uint64_t *bytes, struct fault *fault);
uint8_t *mapping_try_piece(struct surface_mapping *mapping, uint64_t offset, uint64_t *bytes);

/* Host bytes of the offsets from `begin` to `end`, if they are in one piece; else NULL, and no fault. */
uint8_t *mapping_range(struct surface_mapping *mapping, uint64_t begin, uint64_t end);

#endif
