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

/* ---- depth in elements of four bytes, of two lines of pixels: loops to be built for a processor ---- */

#define ZETA_INLINE static inline __attribute__((always_inline))

/*
 * Depths from the pixel at (x, y) on, the upper line first, in zeta's range. Depths of primitives are numbers (raster.c
 * draws no others).
 */
ZETA_INLINE void zeta_depths(const struct pixel_zeta *zeta, const struct draw_setup *setup, uint32_t x, uint32_t y,
                             unsigned columns, double *z) {
    const struct raster_plane *plane = &setup->z;
    double from_x = x + zeta->at_x - setup->weights.origin_x, from_y = y + zeta->at_y - setup->weights.origin_y;
    double column[RASTER_TILE], z_min = setup->z_min, z_max = setup->z_max, offset = setup->offset;
    double low = zeta->low, high = zeta->high;
    for (unsigned i = 0; i < columns; i++)
        column[i] = plane->value + plane->x * (from_x + i);
    for (unsigned line = 0; line < 2; line++) {
        double row = plane->y * (from_y + line);
        for (unsigned i = 0; i < columns; i++) {
            double depth = column[i] + row;
            depth = depth > z_min ? depth : z_min;
            depth = (depth < z_max ? depth : z_max) + offset;
            depth = depth > low ? depth : low;
            z[line * columns + i] = depth < high ? depth : high;
        }
    }
}

ZETA_INLINE void zeta_compare_float(const struct pixel_zeta *zeta, const double *z, const uint32_t *element,
                                    unsigned count, uint32_t *value, uint32_t *passed) {
    uint32_t less = zeta->less, equal = zeta->equal, greater = zeta->greater, unordered = zeta->unordered;
    for (unsigned i = 0; i < count; i++) {
        float depth = (float)z[i], stored;
        memcpy(&stored, &element[i], sizeof stored);
        memcpy(&value[i], &depth, sizeof depth);
        uint32_t other = depth > stored ? greater : unordered;
        other = depth == stored ? equal : other;
        passed[i] = depth < stored ? less : other;
    }
}

ZETA_INLINE void zeta_compare_fixed(const struct pixel_zeta *zeta, const double *z, const uint32_t *element,
                                    unsigned count, uint32_t *value, uint32_t *passed) {
    uint32_t less = zeta->less, equal = zeta->equal, greater = zeta->greater, most = (uint32_t)zeta->depth_max;
    unsigned shift = zeta->depth_shift;
    double max = zeta->scale;
    for (unsigned i = 0; i < count; i++) {
        double sum = z[i] * max + TWO_TO_52;
        uint64_t bits;
        memcpy(&bits, &sum, sizeof bits);
        value[i] = (uint32_t)bits;
    }
    for (unsigned i = 0; i < count; i++) {
        uint32_t stored = element[i] >> shift & most;
        uint32_t other = value[i] == stored ? equal : greater;
        passed[i] = value[i] < stored ? less : other;
        value[i] <<= shift;
    }
}

/* Compared as they are stored: the bits of each depth, and all bits of `passed` if it passes. */
ZETA_INLINE void zeta_compare(const struct pixel_zeta *zeta, const double *z, const uint32_t *element, unsigned count,
                              uint32_t *value, uint32_t *passed) {
    if (zeta->is_float)
        zeta_compare_float(zeta, z, element, count, value, passed);
    else
        zeta_compare_fixed(zeta, z, element, count, value, passed);
}

#endif
