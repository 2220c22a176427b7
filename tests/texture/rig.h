/* SPDX-License-Identifier: MIT */
/* Textures in an array, and headers as programs write them. */
#ifndef PFIFO_TESTS_TEXTURE_RIG_H
#define PFIFO_TESTS_TEXTURE_RIG_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "engine/texture/texture.h"

#define RIG_BASE  UINT64_C(0x100000000)
#define RIG_BYTES (1u << 20)

/* What a header says; fields that are 0 take the defaults of a 2D texture of A8B8G8R8. */
struct rig_header {
    uint32_t format, target, width, height, depth, levels, type, pitch, block_height, block_depth, samples, tile_width;
    bool srgb, unnormalized, depth_format;
};

struct rig {
    uint8_t memory[RIG_BYTES];
    uint64_t hole; /* this address is not mapped; 0: none */
    uint64_t page; /* what is contiguous ends at multiples of this; 0: it does not */
    struct texture_memory source;
    struct texture_view view;
    uint32_t words[TEXTURE_WORDS], sampler_words[TEXTURE_WORDS];
    struct texture_sampler sampler;
};

void rig_begin(struct rig *rig);
/* Write the header in a layout and decode it. */
void rig_header(struct rig *rig, enum texture_layout layout, struct rig_header header);
/* Wrap modes of all axes, filters (1 nearest, 2 linear) and mip filter (1 none, 2 nearest, 3 linear). */
void rig_sampler(struct rig *rig, unsigned wrap, unsigned filter, unsigned mip);
/* Where a texel is, by its own arithmetic: Fermi's gobs, one byte after the other. */
uint8_t *rig_texel(struct rig *rig, unsigned x, unsigned y, unsigned z, unsigned layer, unsigned level);

/* A row with the same value in all lanes. */
void rig_fill(texture_row row, float value);
/* One sample at (s, t, r), with explicit level. */
void rig_sample(struct rig *rig, float s, float t, float r, float level, float out[4]);

#endif
