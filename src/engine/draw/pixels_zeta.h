/* SPDX-License-Identifier: MIT */
/* What depth of quads and of stripes have in common. */
#ifndef PFIFO_SRC_ENGINE_DRAW_PIXELS_ZETA_H
#define PFIFO_SRC_ENGINE_DRAW_PIXELS_ZETA_H

#include "engine/draw/raster.h"

#define TWO_TO_52 4503599627370496.0 /* added to what is less, it leaves an integer in the low bits */

/* Can a fragment of the primitive be beyond near or far, and is dropped then? */
bool pixels_zeta_may_be_clipped(const struct draw_raster *raster, const struct draw_setup *setup);
/* Its depths are bounded by zeta->low and zeta->high, which are set, and no fragment is dropped for them. */
bool pixels_zeta_in_range(struct draw_raster *raster, const struct draw_setup *setup);

#endif
