/* SPDX-License-Identifier: MIT */
/*
 * Surfaces as pictures: what a struct pfifo_target says of one, and its pixels in R, G, B, A (pfifo/draw.h).
 */
#ifndef PFIFO_SRC_ENGINE_SURFACE_PICTURE_H
#define PFIFO_SRC_ENGINE_SURFACE_PICTURE_H

#include <pfifo/draw.h>
#include <pfifo/picture.h>

#include "engine/surface/format.h"
#include "engine/surface/surface.h"

#define PICTURE_MOST_PIXELS (UINT64_C(1) << 26)

struct picture {
    const struct format *format; /* a constant; NULL: nothing is there */
    struct surface surface;      /* its elements are samples */
    uint64_t slice;              /* of a volume */
    uint32_t width, height;      /* in pixels */
    uint32_t layers;
    uint8_t log2_x, log2_y; /* samples of a pixel: neighbours, in both directions */
};

void picture_describe(struct pfifo_target *target, const struct picture *picture);

/* Memory is only peeked at. False: `error` says why. */
enum pfifo_status picture_read(struct memory *memory, const struct pfifo_target *target, uint8_t *rgba,
                               struct pfifo_error *error);

#endif
