/* SPDX-License-Identifier: MIT */
/*
 * Layouts of surfaces: where in memory the byte (x, y, z) is. One set of functions for every engine.
 *
 *   LAYOUT_PITCH      y * pitch + x; pitch may be negative
 *   LAYOUT_SWIZZLED   NV4 .. NV4x: Morton order of elements; sizes are powers of two
 *   LAYOUT_BLOCK      Tesla and later: gobs of 64 bytes by 4 or 8 lines, in blocks of 2^w x 2^h x 2^d gobs
 *
 * Modelled:     all of these; within a gob the order of lines (Tesla) or the sectors of 16 bytes by 2 lines (Fermi-).
 * Not modelled: tiled memory of NV10 .. NV4x. It is not a layout of surfaces but a permutation of VRAM below them, in
 *               regions that registers of PFB name; who accesses a region, the CPU included, sees lines of its
 *               pitch. src/memory/tile.h and src/bus/pfb_tiling.c do this below the surfaces.
 * Sources:      envytools docs/hw/memory/g80-surface.rst; Mesa src/nouveau/nil/tiling.rs, copy.rs, nv30_transfer.c;
 *               TX1 technical reference manual ("16Bx2").
 */
#ifndef PFIFO_SRC_ENGINE_SURFACE_LAYOUT_H
#define PFIFO_SRC_ENGINE_SURFACE_LAYOUT_H

#include "chip/chip.h"

enum layout_type { LAYOUT_PITCH, LAYOUT_SWIZZLED, LAYOUT_BLOCK };

struct layout {
    enum layout_type type;
    int64_t pitch;                                  /* PITCH: bytes from a line to the next */
    uint64_t width;                                 /* BLOCK: bytes of a line. SWIZZLED: elements, a power of two */
    uint32_t height;                                /* BLOCK: lines. SWIZZLED: a power of two */
    uint32_t depth;                                 /* slices, at least 1 */
    uint64_t slice_pitch;                           /* PITCH: bytes from a slice to the next */
    uint8_t element_bytes;                          /* SWIZZLED: 1, 2, 4, 8 or 16 */
    uint8_t block_width, block_height, block_depth; /* BLOCK: log2 of gobs (5 at most on hardware, 15 here) */
    enum gob_order order;                           /* BLOCK: the chip's gob_order */
    bool quarter_gobs;                              /* BLOCK: gobs are 16 bytes wide, their lines in order */
};

/* Lines of a gob. */
static inline uint32_t layout_gob_lines(enum gob_order order) {
    return order == GOB_LINES ? 4 : 8;
}

/* 16 bytes of a line are all that lies together. */
static inline bool layout_has_sectors(enum gob_order order) {
    return order == GOB_SECTORS || order == GOB_COLUMNS;
}

/* Lines that are best taken together: of a row of blocks, those of one slice. SWIZZLED: of squares that are large. */
static inline uint64_t layout_block_lines(const struct layout *layout) {
    if (layout->type == LAYOUT_SWIZZLED)
        return layout->height < 512 ? layout->height : 512;
    return layout->type == LAYOUT_BLOCK ? (uint64_t)layout_gob_lines(layout->order) << layout->block_height : 1;
}

/*
 * Offset of byte x of line y in slice z from the surface's address, modulo 2^64. Coordinates beyond the size are those
 * of the padding or of what lies after: that is nobody's mistake but the guest's.
 */
uint64_t layout_offset(const struct layout *layout, uint64_t x, uint64_t y, uint64_t z);

/* How many bytes from byte x on follow each other in memory: at least 1, at most `bytes`. */
uint64_t layout_contiguous(const struct layout *layout, uint64_t x, uint64_t bytes);

/* SWIZZLED: log2 of the bytes of an element, and which bits of its index are those of its x, y and z. */
struct layout_places {
    uint64_t x, y, z;
};
unsigned layout_element_shift(const struct layout *layout);
struct layout_places layout_places(const struct layout *layout);

/* The low bits of `value`, at the places that are set in `mask`. */
uint64_t layout_deposit(uint64_t value, uint64_t mask);

/* Bytes that the surface takes, padding included (PITCH: of positive pitches). Saturates at UINT64_MAX. */
uint64_t layout_size(const struct layout *layout);

/*
 * What a rectangle takes: `lines` pieces of `bytes`, `pitch` apart, the first at an offset. Of blocks it is all of
 * those that are touched, with all their slices; of SWIZZLED the whole surface. Pieces without a gap are one.
 */
struct layout_extent {
    uint64_t offset, bytes, lines, pitch;
};
struct layout_extent layout_extent(const struct layout *layout, uint64_t x, uint64_t y, uint64_t z, uint64_t bytes,
                                   uint64_t lines);

/*
 * What texture units and render targets do with a block that is larger than the surface: halve it until it is not.
 * `height` and `depth` of the layout count; copies and 2D take blocks as they are. A target that is a volume does not
 * say its depth, see clear_target.c.
 */
void layout_shrink_block(struct layout *layout);

#endif
