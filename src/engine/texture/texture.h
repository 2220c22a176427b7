/* SPDX-License-Identifier: MIT */
/*
 * Textures: headers (TIC) and samplers (TSC) of Fermi to Pascal as one description, and what a fetch of them gives. It
 * knows no class and no shader; memory is read through a function.
 *
 *   texture_header(&view, TEXTURE_TIC_MAXWELL, words)     once for each header that changes
 *   texture_sampler(&sampler, words)
 *   texture_sample(&memory, &view, &sampler, &request, lanes, out)
 *
 * Sources: envytools rnndb/graph/{g80_texture,gm200_texture}.xml; NVIDIA's class headers (open-gpu-doc, texture
 * headers); the OpenGL 4.6 and Vulkan specifications for filtering.
 */
#ifndef PFIFO_SRC_ENGINE_TEXTURE_TEXTURE_H
#define PFIFO_SRC_ENGINE_TEXTURE_TEXTURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TEXTURE_HEADER_BYTES 32u
#define TEXTURE_LANES        32u /* quads: lanes 4k .. 4k+3 are the pixels (0,0) (1,0) (0,1) (1,1) */

typedef uint32_t texture_row[TEXTURE_LANES] __attribute__((aligned(64)));

/* TESLA: as G80 to GK1xx have it. MAXWELL: the second layout, GM107 and later. */
enum texture_layout { TEXTURE_TIC_TESLA, TEXTURE_TIC_MAXWELL };

enum texture_target {
    TEXTURE_1D,
    TEXTURE_2D,
    TEXTURE_3D,
    TEXTURE_CUBE,
    TEXTURE_1D_ARRAY,
    TEXTURE_2D_ARRAY,
    TEXTURE_BUFFER,
    TEXTURE_2D_NO_MIPS, /* RECT and others that have one level */
    TEXTURE_CUBE_ARRAY,
};

/* A header, decoded. Levels have sizes by halving, at least 1. */
struct texture_view {
    enum texture_target target;
    uint64_t address;
    uint32_t width, height, depth;    /* of level 0; depth: of 3D. Buffers: elements in `width` */
    uint32_t layers;                  /* cubes: faces are counted */
    uint32_t levels;                  /* in memory */
    uint32_t first_level, last_level; /* of the view */
    uint16_t format;                  /* the header's COMPONENTS_SIZES, an index of the table of formats */
    uint8_t type[4];                  /* R G B A: enum texture_type */
    uint8_t source[4];                /* of x y z w: enum texture_source */
    bool srgb, normalized, linear;    /* linear: pitch */
    uint32_t pitch;                   /* bytes, if linear */
    uint8_t block_width, block_height, block_depth; /* log2 of gobs in a block */
    uint8_t samples_x, samples_y;                   /* log2 */
    uint8_t anisotropy;                             /* log2 of the most that the header allows */
    float lod_bias;                                 /* of the header */
    float min_lod;                                  /* Maxwell: of the view */
    uint64_t layer_bytes;                           /* from one layer to the next */
};

enum texture_type {
    TEXTURE_SNORM = 1,
    TEXTURE_UNORM,
    TEXTURE_SINT,
    TEXTURE_UINT,
    TEXTURE_SNORM_FORCE16,
    TEXTURE_UNORM_FORCE16,
    TEXTURE_FLOAT
};
enum texture_source {
    TEXTURE_ZERO = 0,
    TEXTURE_R = 2,
    TEXTURE_G,
    TEXTURE_B,
    TEXTURE_A,
    TEXTURE_ONE_INT,
    TEXTURE_ONE_FLOAT
};

struct texture_sampler {
    uint8_t wrap[3]; /* of s, t, r, as the TSC has it */
    bool compare;
    uint8_t function;               /* of the comparison, 0 NEVER .. 7 ALWAYS */
    bool srgb;                      /* SRGB_CONVERSION */
    uint8_t min_filter, mag_filter; /* 1 nearest, 2 linear */
    uint8_t mip_filter;             /* 1 none, 2 nearest, 3 linear */
    uint8_t anisotropy;             /* log2 */
    bool seamless;
    uint8_t reduction; /* 0 average, 1 min, 2 max */
    float lod_bias, min_lod, max_lod;
    float border[4];
    uint32_t border_bits[4];
};

/* False: the header has a version, target or format that is not known; *reason says which. */
bool texture_header(struct texture_view *view, enum texture_layout layout, const uint32_t words[8],
                    const char **reason);
void texture_sampler_words(struct texture_sampler *sampler, const uint32_t words[8]);

/*
 * Memory of textures: `bytes` at the address, contiguous in host memory; *length: how many are, from there on (at least
 * 1). NULL: not mapped; the texel reads 0, and the reader reports the fault itself. What it gives stays valid until the
 * operation ends.
 */
struct texture_memory {
    void *opaque;
    const uint8_t *(*at)(void *opaque, uint64_t address, uint64_t *length);
};

enum texture_operation {
    TEXTURE_SAMPLE,
    TEXTURE_FETCH,  /* by integer coordinates */
    TEXTURE_GATHER, /* one component of four texels */
};
enum texture_lod { TEXTURE_LOD_AUTO, TEXTURE_LOD_ZERO, TEXTURE_LOD_BIAS, TEXTURE_LOD_LEVEL, TEXTURE_LOD_GRADIENT };

/* Rows are floats by their bits, integers for FETCH. NULL: the item is not there. */
struct texture_request {
    enum texture_operation operation;
    enum texture_lod lod;
    uint8_t dimensions; /* of the coordinates: 1 .. 3; cubes 3 */
    bool cube, array, shadow;
    uint8_t component;             /* of GATHER */
    const uint32_t *coordinate[3]; /* s t r */
    const uint32_t *layer;         /* unsigned 16 bits */
    const uint32_t *level;         /* LEVEL, BIAS; FETCH: an integer */
    const uint32_t *sample;
    const uint32_t *reference;      /* of the comparison */
    const uint32_t *gradient[6];    /* dsdx dsdy dtdx dtdy drdx drdy */
    const uint32_t *offset[3];      /* signed integers, texels */
    const uint32_t *offsets4[4][2]; /* GATHER with one offset for each texel */
    uint32_t quads;                 /* lanes whose coordinates are valid, for derivatives: a superset of `lanes` */
};

/* Results in out[0..3] as R G B A of the header's sources, for the lanes of the mask. */
void texture_sample(const struct texture_memory *memory, const struct texture_view *view,
                    const struct texture_sampler *sampler, const struct texture_request *request, uint32_t lanes,
                    texture_row out[4]);

/* TMML: out[0] the computed level (signed 8.8), out[1] the level that would be accessed (unsigned 8.8). */
void texture_query_lod(const struct texture_view *view, const struct texture_sampler *sampler,
                       const struct texture_request *request, uint32_t lanes, texture_row out[2]);

/* TXQ of sizes: width, height, depth or layers, levels. */
void texture_query_size(const struct texture_view *view, const uint32_t *level, uint32_t lanes, texture_row out[4]);

#endif
