/* SPDX-License-Identifier: MIT */
/*
 * The pipeline of the 2D objects before Tesla: a row of source pixels to the destination.
 *
 *   source --> clip --> OPERATION (with destination, pattern, factors) --> colour key --> destination
 *
 * A drawing method opens a draw (nv4_context.h), which has everything that the row functions need, and draws rows.
 *
 * Modelled:     all six operations, all 256 raster operations, patterns, the key, the clip rectangles.
 * UNKNOWN:      how precise blends are; chosen: 8 bits, products rounded to nearest. Whether a pattern's alpha of 0
 *               discards a pixel in ROP_AND, as it did on NV1; chosen: only that of the source does. What the key is
 *               compared with; chosen: as on NV1 what would be written, and only where nothing is blended.
 * Sources:      envytools docs/hw/graph/2d/intro.rst, pattern.rst, nvhw/pgraph.c; NVIDIA open-gpu-doc
 *               classes/twod/cl004a.h.
 */
#ifndef PFIFO_SRC_ENGINE_TWOD_NV4_DRAW_H
#define PFIFO_SRC_ENGINE_TWOD_NV4_DRAW_H

#include "engine/surface/surface.h"
#include "engine/twod/nv4_pixel.h"

/* Coordinates are 16 bits with a sign, and nothing is left of or above the surface. */
#define NV4_EXTENT 0x8000

enum nv4_operation {
    NV4_SRCCOPY_AND,
    NV4_ROP_AND,
    NV4_BLEND_AND,
    NV4_SRCCOPY,
    NV4_SRCCOPY_PREMULT,
    NV4_BLEND_PREMULT,
    NV4_OPERATIONS,
};

struct nv4_box {
    int32_t left, top, right, bottom; /* right and bottom are outside */
};

struct nv4_draw {
    struct memory *memory;
    struct surface surface;
    const struct nv4_format *format; /* of the surface */
    struct nv4_box clip;             /* inside 0 .. NV4_EXTENT */
    enum nv4_operation operation;
    uint8_t rop;
    uint8_t beta;   /* factor */
    uint32_t beta4; /* factors, A8R8G8B8 */
    bool reads;     /* the operation reads the destination, */
    bool patterned; /* at the pattern */
    bool keyed;     /* pixels that would become `key` are not drawn */
    uint32_t key;
    uint8_t pattern_shape;
    uint32_t pattern[64]; /* pixels of the destination's format */
    struct fault fault;   /* where a row function returned false */
    uint64_t cost;        /* of all that has been drawn, as work.h counts */
};

/* The part of a box that is in the clip rectangle; may be empty (right <= left or bottom <= top). */
struct nv4_box nv4_clipped(const struct nv4_draw *draw, struct nv4_box box);

static inline bool nv4_box_empty(const struct nv4_box *box) {
    return box->right <= box->left || box->bottom <= box->top;
}

/*
 * Draw `count` pixels, the first at (x, y); clipped pixels are not drawn. Pixels are as nv4_convert() made them; `step`
 * 0: all are color[0]. False: a fault.
 */
bool nv4_draw_row(struct nv4_draw *draw, int32_t x, int32_t y, const uint32_t *color, unsigned step, uint32_t count);

/* The same of a rectangle of one colour, all of it inside the clip rectangle. */
bool nv4_draw_box(struct nv4_draw *draw, const struct nv4_box *box, uint32_t color);

/* What a row of so many pixels costs, as work.h counts; of one colour, or of many. */
uint64_t nv4_draw_cost(const struct nv4_draw *draw, unsigned step, uint64_t pixels);

/* Address of a pixel, for reports. */
uint64_t nv4_draw_address(const struct nv4_draw *draw, int32_t x, int32_t y);

#endif
