/* SPDX-License-Identifier: MIT */
/* sRGB of 8 bits, by tables: fast, and the same on every host, which pow() of the C library is not. */
#ifndef PFIFO_SRC_ENGINE_SURFACE_SRGB_H
#define PFIFO_SRC_ENGINE_SURFACE_SRGB_H

#include <stdint.h>

/* The linear value of a code. */
float srgb_decode(uint8_t code);

/* The values of all 256 codes, as bits of floats. */
const uint32_t *srgb_table(void);

/* The code nearest to a linear value, which is cut to 0 .. 1. NaN is 0. */
uint8_t srgb_encode(float value);

#endif
