/* SPDX-License-Identifier: MIT */
/*
 * What is done to all lanes of a stripe in the vector code of a host's processor. Other hosts have none of it, and the
 * loops of the files that call these do the same to the bit.
 */
#ifndef PFIFO_SRC_ENGINE_DRAW_PIXELS_VECTOR_H
#define PFIFO_SRC_ENGINE_DRAW_PIXELS_VECTOR_H

#include "engine/draw/raster.h"

/*
 * Elements of a stripe are at half[0] and half[1], 64 bytes each (pixel_halves()). Rows are those of a program's output,
 * R G B A.
 */
struct pixel_vector {
    /* A colour target of one word, which does not blend: to memory, of the lanes in `live`. */
    void (*store)(const struct pixel_target *target, const draw_row *rows, uint8_t *half[2], uint32_t live);
    /* The same with blending, of targets with `factored`. `second`: rows of output 1. */
    void (*blend)(const struct pixel_target *target, const draw_row *rows, const draw_row *second, uint8_t *half[2],
                  uint32_t live);
    /* Depth of elements of four bytes, of primitives in zeta's range: which lanes of `live` pass; they are written. */
    uint32_t (*depth)(const struct pixel_zeta *zeta, const struct draw_setup *setup, uint32_t x, uint32_t y,
                      uint8_t *half[2], uint32_t live);
    /* Of masks of lanes, one for each sample, the samples of each lane. */
    void (*samples)(const uint32_t *covered, unsigned count, uint8_t *of_lane);
    /*
     * The same of several samples in a pixel: parts are at at[i]. live[lane]: its samples.
     */
    void (*store_samples)(const struct pixel_target *target, const draw_row *rows, const struct pixel_parts *parts,
                          uint8_t *const *at, const uint8_t *live);
    void (*blend_samples)(const struct pixel_target *target, const draw_row *rows, const draw_row *second,
                          const struct pixel_parts *parts, uint8_t *const *at, const uint8_t *live);
    /* Returns how many samples pass; those that do not are taken from `live`. */
    unsigned (*depth_samples)(const struct pixel_zeta *zeta, const struct draw_setup *setup, uint32_t x, uint32_t y,
                              const struct pixel_parts *parts, uint8_t *const *at, uint8_t *live);
    /*
     * Rows of a tile that `edges` cover: bit i of a row is column i. value: at column 0 of the first row; right, down: what
     * a column and a row add. Those are outside of which some edge is below 0.
     */
    void (*cover)(const int32_t *value, const int32_t *right, const int32_t *down, unsigned edges, unsigned rows,
                  uint16_t *cover);
    /* Values of planes, a row for each; from_x, from_y: of the first pixel, from the planes' origin. */
    void (*planes)(const struct raster_plane *const *planes, unsigned count, double from_x, double from_y,
                   draw_row *out);
};

/* That of the processor this runs on. NULL: none. */
const struct pixel_vector *pixel_vector_of_host(void);

#endif
