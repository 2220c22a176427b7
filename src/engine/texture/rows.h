/* SPDX-License-Identifier: MIT */
/*
 * Texels of all lanes at once. A step is done for the whole row, in loops that a compiler makes vector code of, before
 * the next; what it gives is, to the bit, what texel.h gives lane by lane.
 *
 *   rows_axis()   coordinates of a level --> neighbours and weights on an axis
 *   rows_offsets(), rows_read()   neighbours --> addresses --> texels
 *   rows_add()    texels and weights --> sums
 */
#ifndef PFIFO_SRC_ENGINE_TEXTURE_ROWS_H
#define PFIFO_SRC_ENGINE_TEXTURE_ROWS_H

#include "engine/texture/texel.h"

typedef double rows_doubles[TEXTURE_LANES] __attribute__((aligned(64)));
typedef union texel rows_texels[TEXTURE_LANES] __attribute__((aligned(64)));

struct rows_axis {
    texture_row at[2], weight;
    texture_row offset[2]; /* what these add to the address: rows_offsets() */
    uint32_t outside[2];   /* lanes */
    uint32_t mixed;        /* lanes with a second texel that counts */
};

/* Where bytes of a line, lines and slices of a level are: three sums, since no bits of them meet in layouts. */
struct rows_parts {
    unsigned across_shift, down_shift, deep_shift; /* bytes, lines, slices of a block: log2 */
    uint32_t column, line, slice;                  /* bytes from a block to the next */
    uint32_t x_keep, x_once, x_twice, x_thrice;    /* bits of x within a gob: where they are, moved by 1, 2, 3 */
    uint32_t y_four, y_five, y_six;                /* bits of y within a gob: moved by 4, 5, 6 */
    unsigned gob_lines_shift;
    uint32_t gob, gob_slice; /* bytes from a gob to the one below it, and after it, in a block */
};

struct rows_parts rows_parts(const struct layout *layout);

/* Texels of a level; `which`: bit i says which of two on axis i. Axes that do not count are 0. */
struct rows_place {
    const struct rows_axis *axis;
    const uint32_t *layer;
    unsigned axes, level;
};

/* Floats by their bits as doubles. NULL: zeros. */
void rows_widen(const uint32_t *row, rows_doubles out);
/* Whether this can be had by rows: layers of less than 4 GiB. */
bool rows_possible(const struct texture_view *view);
/* As texel_axis(); `wrap` ROWS_FREE as texel_axis_free(), and `outside` then is what is not on the face. */
#define ROWS_FREE 8u
void rows_axis(unsigned wrap, const rows_doubles coordinate, uint32_t size, bool linear, uint32_t lanes,
               struct rows_axis *axis);
void rows_offsets(const struct texture_view *view, unsigned level, unsigned axes, bool linear, struct rows_axis *axis);
/* Texels of lanes whose texel is inside; see texel_rows(). */
void rows_read(struct texel_reader *reader, const struct rows_place *place, unsigned which, uint32_t lanes, bool raw,
               rows_texels out);
/* sum += weight * texel, for each texel of the footprint, in their order. Texels whose weight is 0 must be 0. */
void rows_add(const struct rows_axis *axis, unsigned axes, const rows_doubles weight, const rows_texels *texel,
              uint32_t lanes, double sum[TEXTURE_LANES][4]);

#endif
