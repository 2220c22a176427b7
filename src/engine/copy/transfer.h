/* SPDX-License-Identifier: MIT */
/*
 * Moving rectangles of pixels in memory: the common part of launches of M2MF and copy engines.
 *
 *   launch --> struct transfer (two surfaces, a rectangle, what becomes of each pixel) --> transfer_slice()
 *
 * A pixel is 1 to 16 bytes on either side. A byte of the destination's is one of the source's, a constant, or stays
 * what it was. Where surfaces overlap, pixels are moved one after the other, line by line; pixels that change their
 * form on the way are moved in pieces of TRANSFER_PIECE from the beginning of their line, each read before it is
 * written. UNKNOWN: how far hardware reads ahead.
 */
#ifndef PFIFO_SRC_ENGINE_COPY_TRANSFER_H
#define PFIFO_SRC_ENGINE_COPY_TRANSFER_H

#include "engine/core/action.h"
#include "engine/core/error.h"
#include "engine/surface/surface.h"
#include "fifo/fifo.h"

#define TRANSFER_PIECE 256u /* pixels */
#define PIXEL_BYTES    16u

/* What a byte of the destination is, if not the number of a byte of the source. */
enum { PIXEL_CONSTANT = PIXEL_BYTES, PIXEL_KEPT };

_Static_assert(PIXEL_KEPT <= UINT8_MAX, "a byte says what a byte is");

struct transfer_pixel {
    uint8_t from_bytes, to_bytes;
    uint8_t source[PIXEL_BYTES];   /* of each byte of the destination */
    uint8_t constant[PIXEL_BYTES]; /* its value, where that says so */
};

struct transfer {
    struct surface from, to;
    struct surface_point from_point, to_point;
    uint64_t length; /* pixels of a line */
    uint32_t lines;
    struct transfer_pixel pixel;
};

/* Bytes as they are. */
extern const struct transfer_pixel transfer_bytes;

/* Is any byte of the source used? If not, the source is not read. */
bool transfer_uses_source(const struct transfer_pixel *pixel);

enum transfer_result {
    TRANSFER_FINISHED, /* engine.done has been sent */
    TRANSFER_MORE,     /* stall, and come again */
    TRANSFER_FAULTED,  /* which has been reported and raised: the launch is over */
};

/* The next slice of a launch. */
enum transfer_result transfer_slice(const struct call *call, const struct transfer *transfer);

/* What is wrong with a rectangle on a surface. */
enum transfer_flaw { TRANSFER_FITS, TRANSFER_BEYOND_DEPTH, TRANSFER_BEYOND_SIZE, TRANSFER_OVER_PITCH };

/*
 * UNKNOWN: whether the pitch matters if there is one line; chosen: it does not, since Mesa copies buffers without
 * setting it.
 */
enum transfer_flaw transfer_flaw(const struct surface *surface, struct surface_point point, uint64_t line_bytes,
                                 uint32_t lines);

/* Surfaces in blocks, as all methods called BLOCK_SIZE have them: 3:0 log2 of width, 7:4 height, 11:8 depth. */
struct layout transfer_block_layout(uint32_t block_size, enum gob_order order, uint64_t width, uint32_t height,
                                    uint32_t depth);

/* Whether there are such blocks. */
bool transfer_block_exists(uint32_t block_size);

static inline struct layout transfer_pitch_layout(int64_t pitch) {
    return (struct layout){.type = LAYOUT_PITCH, .pitch = pitch, .depth = 1};
}

/* The gobs of a chip. */
static inline enum gob_order transfer_gobs(const struct call *call) {
    return call->engine->fifo->chip->gob_order;
}

#endif
