/* SPDX-License-Identifier: MIT */
/*
 * Where bytes of a surface are, slowly and by definition, and copies byte after byte. Shares the names of layouts with
 * the model, but no code.
 *
 * Sources: envytools docs/hw/memory/g80-surface.rst; Tegra X1 technical reference manual ("16Bx2").
 */
#ifndef PFIFO_TESTS_REFERENCE_SURFACE_H
#define PFIFO_TESTS_REFERENCE_SURFACE_H

#include "engine/surface/surface.h"

/* Offset of a byte, modulo 2^64. */
uint64_t reference_surface_offset(const struct layout *layout, uint64_t x, uint64_t y, uint64_t z);

/* The functions of the model's surface.h, a byte at a time. */
bool reference_surface_read(struct memory *memory, const struct surface *surface, struct surface_point at,
                            uint8_t *data, uint64_t bytes, struct fault *fault);
bool reference_surface_write(struct memory *memory, const struct surface *surface, struct surface_point at,
                             const uint8_t *data, uint64_t bytes, struct fault *fault);
bool reference_surface_copy(struct memory *memory, const struct surface *to, struct surface_point to_point,
                            const struct surface *from, struct surface_point from_point, uint64_t line_bytes,
                            uint64_t first, uint64_t count, struct fault *fault);

#endif
