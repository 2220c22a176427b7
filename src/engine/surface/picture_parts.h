/* SPDX-License-Identifier: MIT */
/* What a picture is made of (picture.c): lines of samples as they are stored, and pixels of these. */
#ifndef PFIFO_SRC_ENGINE_SURFACE_PICTURE_PARTS_H
#define PFIFO_SRC_ENGINE_SURFACE_PICTURE_PARTS_H

#include "engine/surface/mapping.h"
#include "engine/surface/picture.h"

/* As many lines as a gob has at most, and as the samples of a pixel. */
#define PICTURE_LINES 8u

/* Where the samples are. */
struct picture_source {
    const struct picture *picture;
    struct surface_mapping mapping; /* its memory NULL: they are in `data` */
    const uint8_t *data;
    uint64_t bytes; /* of it */
    bool any;       /* some of what was read is mapped */
};

/* `count` lines from line `y` on, each of `line_bytes`, one after the other. What is not there is 0. */
void picture_lines(struct picture_source *source, uint64_t y, unsigned count, uint8_t *lines, uint64_t line_bytes);

/* How samples become pixels. */
struct picture_pixels {
    const struct picture *picture;
    bool is_bytes; /* a component is a byte of the sample, so nothing has to be computed: */
    struct {
        uint8_t shift; /* of R, G, B, A in the sample */
        uint8_t fixed; /* bits that are set whatever the sample is */
        bool there;
    } byte[4];
};

void picture_pixels_begin(struct picture_pixels *pixels, const struct picture *picture);

/* R G B A of a line of pixels; its samples are in one or more `lines` of `line_bytes`. */
void picture_pixels(const struct picture_pixels *pixels, const uint8_t *lines, uint64_t line_bytes, uint8_t *rgba);

#endif
