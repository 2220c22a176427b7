/* SPDX-License-Identifier: MIT */
/*
 * What becomes of pixels on their way to the destination: OPERATION 0x2ac with ROP, BETA1, BETA4 and the pattern, the
 * colour key, the clip rectangle.
 *
 *   0 SRCCOPY_AND      S where S has alpha
 *   1 ROP_AND          ROP(D, S, P) where that has alpha
 *   2 BLEND_AND        D + (S - D) * S.alpha * BETA1
 *   3 SRCCOPY          S
 *   4 ROP              ROP(D, S, P), on the bits of pixels in the destination's format
 *   5 SRCCOPY_PREMULT  S * BETA4, component by component
 *   6 BLEND_PREMULT    D * (1 - S.alpha * BETA4.alpha) + S * BETA4
 *
 * Sources: envytools rnndb/graph/g80_2d.xml, docs/hw/graph/2d/pattern.rst; Mesa
 * src/gallium/drivers/nouveau/nvc0/nvc0_surface.c.
 */
#ifndef PFIFO_SRC_ENGINE_TWOD_UNIFIED_OPERATION_H
#define PFIFO_SRC_ENGINE_TWOD_UNIFIED_OPERATION_H

#include "engine/twod/unified.h"

#define OPERATION_CHUNK 256u /* pixels at a time */

/* Of pixels, x1 and y1 exclusive. Empty ones have no special form. */
struct rectangle {
    int64_t x0, y0, x1, y1;
};

static inline bool rectangle_is_empty(const struct rectangle *r) {
    return r->x0 >= r->x1 || r->y0 >= r->y1;
}

/* What is common to both. */
struct rectangle rectangle_clip(struct rectangle a, const struct rectangle *b);

/* The pattern, in the bits of the destination's pixels. */
struct pattern {
    uint32_t select;
    uint32_t x, y; /* offsets */
    uint64_t bitmap;
    uint32_t mono[2];
    uint32_t color[64];
};

struct unified_operation {
    const struct call *call;
    struct unified_surface destination;
    struct rectangle clip; /* within the destination's size */
    uint32_t code;
    uint8_t rop;
    float beta1, beta4[4];
    bool has_key;
    struct {
        struct pixels pixels;
        uint32_t mask, value;
    } key;
    uint32_t alpha_mask; /* of a destination pixel of up to 4 bytes */
    bool always_alpha;   /* the destination's format has none */
    struct pattern pattern;
};

/* Read the registers. False: the draw was refused, or is not executed. */
bool operation_begin(struct unified_operation *operation, const struct call *call);

/* Whether the destination's pixels become those of the source, all of them, whatever they were. */
static inline bool operation_is_copy(const struct unified_operation *operation) {
    return operation->code == 3 && !operation->has_key;
}

/* What a pixel costs that is converted and drawn, as work.h counts; copies of whole rows may cost less. */
uint64_t operation_cost(const struct unified_operation *operation, const struct pixels_conversion *conversion);

/* Pixels to draw: in `conversion->from`'s format; or colours. */
struct pixel_row {
    const struct pixels_conversion *conversion; /* to the destination's format */
    const uint8_t *pixels;
    const union color *colors; /* if not NULL, instead of pixels */
    const uint8_t *skip;       /* bytes that are not 0 where nothing is drawn; NULL: drawn everywhere */
};

/* Draw `count` of them, the first at (x, y), all within the clip rectangle. False: a fault, which has been raised. */
bool operation_row(const struct unified_operation *operation, const struct pixel_row *row, uint32_t x, uint32_t y,
                   uint32_t count);

void pattern_begin(const struct call *call, const struct pixels *pixels, struct pattern *pattern);
uint32_t pattern_pixel(const struct pattern *pattern, uint32_t x, uint32_t y);

#endif
