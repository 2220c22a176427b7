/* SPDX-License-Identifier: MIT */
/*
 * A slow sampler to compare with: one lane, in doubles, from a description instead of words, byte by byte. It follows
 * the OpenGL 4.6 specification, 8.14, with the weights of NVIDIA's CUDA C programming guide; formats that are not
 * compressed.
 */
#ifndef PFIFO_TESTS_REFERENCE_TEXTURE_H
#define PFIFO_TESTS_REFERENCE_TEXTURE_H

#include <stdbool.h>
#include <stdint.h>

/* Targets, types, sources and wrap modes have the numbers of headers and samplers. */
struct texture_reference {
    const uint8_t *memory;
    uint64_t bytes; /* beyond, there are zeros */

    unsigned format, type[4], source[4], target;
    uint32_t width, height, depth; /* cubes: of an array */
    unsigned levels, first, last;
    uint32_t pitch; /* bytes; 0: blocks */
    unsigned block_height, block_depth, mode;
    unsigned tile_width; /* log2 of gobs: rows of large levels are whole tiles */
    bool lines;          /* gobs of 4 lines */
    bool srgb, normalized, depth_format;
    double bias, lowest;

    unsigned wrap[3], mip, anisotropy, reduction, function;
    bool mag_linear, min_linear, seamless, edge_in_face, decodes_srgb, unnormalized;
    double sampler_bias, least, most;
    uint32_t border[4];
};

struct texture_reference_request {
    double at[3];
    int32_t texel[3]; /* of a fetch */
    uint32_t layer, level, sample;
    int32_t offset[3];
    bool shadow, has_gradient;
    float reference;
    double lambda, gradient[2][3]; /* by x, by y */
    unsigned component;
};

/* Whether the code is one that it knows, and bits of the components. */
bool texture_reference_format(unsigned code, unsigned bits[4]);

void texture_reference_fetch(const struct texture_reference *t, const struct texture_reference_request *q,
                             uint32_t out[4]);
void texture_reference_gather(const struct texture_reference *t, const struct texture_reference_request *q,
                              uint32_t out[4]);
/* False: so near to where another level or number of probes begins that either may be right. */
bool texture_reference_sample(const struct texture_reference *t, const struct texture_reference_request *q,
                              uint32_t out[4]);

#endif
