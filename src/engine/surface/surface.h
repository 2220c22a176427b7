/* SPDX-License-Identifier: MIT */
/*
 * Surfaces in memory: rows and rectangles of bytes, through an address space and a layout.
 *
 * The functions translate once per span of memory. They take any size: the caller bounds the work (work.h). They stop
 * at a fault; the bytes of the row before it have been processed.
 */
#ifndef PFIFO_SRC_ENGINE_SURFACE_SURFACE_H
#define PFIFO_SRC_ENGINE_SURFACE_SURFACE_H

#include "engine/surface/layout.h"
#include "memory/memory.h"

struct surface {
    struct address_space space;
    uint64_t address; /* of the layout's offset 0 */
    struct layout layout;
};

/* Where a rectangle begins. */
struct surface_point {
    uint64_t x, y, z; /* x in bytes */
};

/* A row: `bytes` from byte x of line y in slice z on. */
bool surface_read(struct memory *memory, const struct surface *surface, uint64_t x, uint64_t y, uint64_t z, void *data,
                  uint64_t bytes, struct fault *fault);
bool surface_write(struct memory *memory, const struct surface *surface, uint64_t x, uint64_t y, uint64_t z,
                   const void *data, uint64_t bytes, struct fault *fault);

/* Fill a row with elements of `element_bytes` (1 .. 16, in memory's order); x and bytes are multiples of that. */
bool surface_fill(struct memory *memory, const struct surface *surface, uint64_t x, uint64_t y, uint64_t z,
                  const void *element, unsigned element_bytes, uint64_t bytes, struct fault *fault);

/*
 * The same for `lines` rows, each `line_bytes` long: far faster than one by one if the layout is not PITCH. On a
 * fault, the rows before it are done, and none after it.
 */
bool surface_fill_lines(struct memory *memory, const struct surface *surface, struct surface_point at,
                        const void *element, unsigned element_bytes, uint64_t line_bytes, uint64_t lines,
                        struct fault *fault);

/*
 * The same, but only the bits of `mask` (of the size of an element) are written. The bytes of an element are a power of
 * two. Memory is read before it is written, so the fault may be one of a read.
 */
bool surface_merge_lines(struct memory *memory, const struct surface *surface, struct surface_point at,
                         const void *element, const void *mask, unsigned element_bytes, uint64_t line_bytes,
                         uint64_t lines, struct fault *fault);

/*
 * Copy bytes [first, first + count) of a rectangle of lines of `line_bytes`, as if byte after byte, line after line: so
 * where the surfaces overlap, later bytes see what earlier ones have written. fault->write: it was not at the source.
 * `piecewise`: how many of them went a few bytes at a time, as those of blocks do that overlap with their source.
 */
bool surface_copy(struct memory *memory, const struct surface *to, struct surface_point to_point,
                  const struct surface *from, struct surface_point from_point, uint64_t line_bytes, uint64_t first,
                  uint64_t count, uint64_t *piecewise, struct fault *fault);

/*
 * Copy some of the lines of a rectangle, from its top on downwards or from its bottom on upwards: as long as the next
 * ones have their memory in one piece on each side, without an overlap between them. Returns how many; with 0 nothing
 * was done.
 */
uint64_t surface_copy_lines(struct memory *memory, const struct surface *to, struct surface_point to_point,
                            const struct surface *from, struct surface_point from_point, uint64_t line_bytes,
                            uint64_t lines, bool upwards);

#endif
