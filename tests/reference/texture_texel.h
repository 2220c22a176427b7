/* SPDX-License-Identifier: MIT */
/* Of the slow sampler: one texel, and sizes. */
#ifndef PFIFO_TESTS_REFERENCE_TEXTURE_TEXEL_H
#define PFIFO_TESTS_REFERENCE_TEXTURE_TEXEL_H

#include "reference/texture.h"

/* In texels, as a filter sees them; with samples: all of them. */
void texture_reference_size(const struct texture_reference *t, unsigned level, uint32_t size[3]);
uint32_t texture_reference_layers(const struct texture_reference *t);
unsigned texture_reference_axes(const struct texture_reference *t);
/* R G B A; the place is inside. */
void texture_reference_texel(const struct texture_reference *t, uint32_t x, uint32_t y, uint32_t z, uint32_t layer,
                             unsigned level, bool decodes_srgb, uint32_t raw[4]);
void texture_reference_sources(const struct texture_reference *t, const uint32_t raw[4], uint32_t out[4]);

#endif
