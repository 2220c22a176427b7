/* SPDX-License-Identifier: MIT */
/* Colour targets of one sample in elements of four bytes, each a component of UNORM. */
#ifndef PFIFO_SRC_ENGINE_DRAW_PIXELS_BYTES8_H
#define PFIFO_SRC_ENGINE_DRAW_PIXELS_BYTES8_H

#include "engine/draw/raster.h"

/* As it is stored. `rows`: four rows of floats, R G B A, or of their bits. */
void bytes8_pack(const struct format *format, const void *rows, uint32_t words[DRAW_LANES]);
/*
 * The colours of a stripe, all of whose lanes are live, to a target without a logic operation. False: its gob is not in
 * one piece, or not all of the stripe in the target, and nothing was done.
 */
bool bytes8_stripe(struct draw_raster *raster, struct pixel_target *target, uint32_t live);

#endif
