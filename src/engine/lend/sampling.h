/* SPDX-License-Identifier: MIT */
/*
 * Textures of programs: an instruction of a shader (isa/shader), the pools of headers and samplers that an object
 * names, and what engine/texture makes of them. The owner gives the pools before a draw; shade_io.texture calls
 * sampling_texture().
 *
 *   stage texture() --> sampling_texture() --> header and sampler by handle (kept) --> texture_sample()
 *
 * Sources: engine/shade/io.h for handles; Mesa nv50_ir_lowering_nvc0.cpp (handleTEX, handleTXD) for offsets and
 * layers; nvc0_tex.c for pools and slots.
 */
#ifndef PFIFO_SRC_ENGINE_LEND_SAMPLING_H
#define PFIFO_SRC_ENGINE_LEND_SAMPLING_H

#include "engine/shade/warp.h"
#include "engine/texture/texture.h"

#define SAMPLING_KEPT 64u /* headers, and as many samplers */

struct sampling_pools {
    struct texture_unit unit;
    uint64_t headers, samplers;         /* addresses */
    uint32_t last_header, last_sampler; /* highest indices */
    bool linked;                        /* a sampler has the number of its header */
    bool faces_here; /* Fermi: what is beyond the edges of cubes is `faces` for all samplers, not of each */
    uint8_t faces;   /* texture_sampler_faces() */
};

struct sampling;

/* NULL: no memory. `memory` is where headers, samplers and texels are. */
struct sampling *sampling_new(const struct texture_memory *memory);
void sampling_free(struct sampling *sampling);

/*
 * Before a draw, or a slice of one: headers are compared with memory again when they are first used. Also forgets what
 * could not be done.
 */
void sampling_begin(struct sampling *sampling, const struct sampling_pools *pools);

/* For shade_io.texture(). Always true. */
bool sampling_texture(struct sampling *sampling, struct shade_warp *warp, uint32_t lanes, const struct ir *ir,
                      const uint32_t *handle, shade_row out[4]);

/* A header, for images. NULL: it cannot be read, as sampling_reason() will say. */
const struct texture_view *sampling_view(struct sampling *sampling, uint32_t index);

/* Headers that were used since sampling_begin(), in order; of many the lowest numbers. Returns how many. */
unsigned sampling_used(const struct sampling *sampling, uint32_t *headers, unsigned most);

/* Addresses that a header names, from *begin on. False: what it names is not read. */
bool sampling_extent(const struct sampling *sampling, uint32_t header, uint64_t *begin, uint64_t *bytes);

/* How much texels have cost since this was asked: texture_sample(). */
uint64_t sampling_texels(struct sampling *sampling);

/* Why some texture was read as 0 since sampling_begin(). NULL: none was. */
const char *sampling_reason(const struct sampling *sampling);

#endif
