/* SPDX-License-Identifier: MIT */
/*
 * Textures: headers (TIC) and samplers (TSC) of Fermi to Pascal as one description, and what a fetch of them gives. It
 * knows no class and no shader; memory is read through a function.
 *
 *   texture_header(&view, &unit, words, &reason)    once for each header that changes
 *   texture_sampler(&sampler, words)
 *   texture_sample(&memory, &view, &sampler, &request, lanes, out)
 *
 *   header.c    words of headers and samplers, sizes and places of levels      format.c   codes of formats
 *   texel.c     a texel from memory, with the header's sources                 blocks*.c  compressed formats
 *   wrap.c      coordinates to texels, borders     cube.c   faces and seams    level.c    which level
 *   sample.c    the operations     sample_rows.c, rows.c   samples of all lanes at once     sample_lane.c   of one lane
 *   sample_plain.c   samples of all lanes of the plainest textures, faster
 *   vector*.c        the same and more with AVX-512, where the processor has it; table.c: what they know of a view
 *
 * Modelled:     all targets; all formats; every wrap mode; nearest, linear, mipmaps, anisotropy;
 * comparison, gather, fetch; min and max reduction; sizes and levels that programs ask for. Not modelled: the
 * coverage of coverage-sample depth. Colour keys. Residency: every texel is there. UNKNOWN: whether nearest rounds a
 * coordinate to 1/256 first; chosen: it does not. UNKNOWN: implicit derivatives per pixel or per quad; chosen: per
 * pixel, from its row and its column, as programs take the explicit ones that piglit (arb_shader_texture_lod-texgrad)
 * compares with them.
 *
 * Sources: envytools rnndb/graph/{g80_texture,gm200_texture}.xml; NVIDIA open-gpu-doc classes/3d/clb197tex.h; the
 * OpenGL 4.6 specification, 8.14; NVIDIA's CUDA C programming guide on the precision of filtering weights.
 */
#ifndef PFIFO_SRC_ENGINE_TEXTURE_TEXTURE_H
#define PFIFO_SRC_ENGINE_TEXTURE_TEXTURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/surface/layout.h"

#define TEXTURE_WORDS  8u  /* of a header, and of a sampler */
#define TEXTURE_LANES  32u /* quads: lanes 4k .. 4k+3 are the pixels (0,0) (1,0) (0,1) (1,1) */
#define TEXTURE_LEVELS 16u

typedef uint32_t texture_row[TEXTURE_LANES] __attribute__((aligned(64)));

/* TESLA: as G80 to GK1xx have it. MAXWELL: the second layout, GM107 and later. */
enum texture_layout { TEXTURE_TIC_TESLA, TEXTURE_TIC_MAXWELL };

/* What chips differ in. */
struct texture_unit {
    enum texture_layout layout;
    enum gob_order order;
    bool mobile; /* Tegra: ETC2, EAC and ASTC */
};

enum texture_target { /* as headers number them */
                      TEXTURE_1D,
                      TEXTURE_2D,
                      TEXTURE_3D,
                      TEXTURE_CUBE,
                      TEXTURE_1D_ARRAY,
                      TEXTURE_2D_ARRAY,
                      TEXTURE_BUFFER,
                      TEXTURE_2D_NO_MIPS,
                      TEXTURE_CUBE_ARRAY,
};

enum texture_type {
    TEXTURE_SNORM = 1,
    TEXTURE_UNORM,
    TEXTURE_SINT,
    TEXTURE_UINT,
    TEXTURE_SNORM_16, /* through a 16-bit float */
    TEXTURE_UNORM_16,
    TEXTURE_FLOAT
};

enum texture_source {
    TEXTURE_ZERO,
    TEXTURE_R = 2,
    TEXTURE_G,
    TEXTURE_B,
    TEXTURE_A,
    TEXTURE_ONE_INT,
    TEXTURE_ONE_FLOAT
};

struct texture_format; /* format.h */

/* A level: where it is in a layer, and how its texels (or blocks of them) lie. */
struct texture_level {
    uint32_t size[3]; /* width, height, depth in texels */
    uint64_t offset;
    struct layout layout;
};

/*
 * Where texels lie, for vectors (table.c): of each level the same few numbers. Byte x of line y in slice z of a level is at
 * offset + near_x[x / 4 % 16] + x % 4 + x / 64 * column + near_y[y % 16] + 64 y + (y >> lines_shift) * lines
 * + z * slice + (z >> slices_shift) * slices, modulo 2^32.
 */
typedef uint32_t texture_levels_row[TEXTURE_LEVELS];
enum texture_kind { /* what a component is */
                    TEXTURE_KIND_ZERO,
                    TEXTURE_KIND_ONE,
                    TEXTURE_KIND_ONE_INT,
                    TEXTURE_KIND_UNORM, /* of at most 24 bits */
                    TEXTURE_KIND_SNORM,
                    TEXTURE_KIND_UINT,
                    TEXTURE_KIND_SINT,
                    TEXTURE_KIND_FLOAT,
                    TEXTURE_KIND_HALF,
                    TEXTURE_KIND_SRGB, /* of 8 bits */
};
struct texture_component {
    uint8_t kind, word, shift, bits; /* enum texture_kind; which word of the texel, and where in it */
    float upper, lower;              /* of 1 / (2^bits - 1), or of one bit less: both halves */
};
struct texture_table {
    bool possible;    /* else nothing else is there */
    bool bytes;       /* components are bytes of a word, unsigned and normalised */
    uint8_t constant; /* of x y z w: always `value` */
    uint8_t curved;   /* of x y z w: sRGB, if the sampler decodes it */
    uint8_t place[4]; /* of x y z w: which byte of the word */
    uint32_t value[4];
    uint8_t weight;       /* what a texel costs */
    uint8_t across_shift; /* log2 of the width of a compressed block; of its height; of the bytes of a texel or block */
    uint8_t down_shift, bytes_shift;
    uint8_t blocks;                        /* 1 to 5: BC1 to BC5, unsigned */
    bool fields;                           /* components are fields of words: */
    struct texture_component component[4]; /* R G B A */
    uint8_t curved_fields;                 /* of these: sRGB, if the sampler decodes it */
    uint8_t powers;                        /* axes on which the sizes of all levels are powers of two */
    texture_levels_row near_x, near_y, size[3], offset, column, lines_shift, lines, slice, slices_shift, slices;
};

/* A header, decoded. */
struct texture_view {
    enum texture_target target;
    uint64_t address;
    uint32_t width, height, depth; /* of level 0. Buffers: texels in `width` */
    uint32_t layers;               /* faces of cubes are counted */
    uint32_t first_level, last_level;
    const struct texture_format *format;
    uint8_t type[4];   /* of R G B A: enum texture_type */
    uint8_t source[4]; /* of x y z w: enum texture_source */
    bool srgb, normalized, integers, depth_format;
    uint8_t samples_x, samples_y; /* log2; levels are in samples then */
    uint8_t element[8];           /* of sample s in its pixel: x << 4 | y */
    uint8_t most_anisotropy;      /* of the header; 0: the sampler's counts */
    float lod_bias, min_lod;
    uint64_t layer_bytes;
    struct texture_level level[TEXTURE_LEVELS];
    struct texture_level whole; /* level 0 of the header's size as it is, for filters: see texture_header() */
    uint64_t whole_layer_bytes;
    struct texture_table table;
};

struct texture_sampler {
    uint8_t wrap[3]; /* of s, t, r */
    bool compare, srgb, seamless, edge_in_face, unnormalized, mag_linear, min_linear;
    uint8_t function;   /* of the comparison: 0 never, less, equal, lequal, greater, notequal, gequal, always */
    uint8_t mip;        /* 1 none, 2 nearest, 3 linear */
    uint8_t anisotropy; /* most probes */
    uint8_t reduction;  /* 0 average, 1 minimum, 2 maximum */
    float lod_bias, min_lod, max_lod;
    uint32_t border[4]; /* floats or integers */
};

/*
 * False: a version, target or format that is not known, not modelled or not in this chip, or a header that contradicts
 * itself. *reason NULL: its width is 0, and it has no texels; NVK's null descriptor on Kepler is one, and must read 0.
 * UNKNOWN: what formats of other chips read; chosen: they are refused.
 */
bool texture_header(struct texture_view *view, const struct texture_unit *unit, const uint32_t words[TEXTURE_WORDS],
                    const char **reason);
void texture_sampler(struct texture_sampler *sampler, const uint32_t words[TEXTURE_WORDS]);
/* After a view has been changed by hand: its table is made anew. */
void texture_table(struct texture_view *view);
/* What is beyond the edges of cubes, as samplers say it: 0 as the wrap modes, 1 the edge, 2 and 3 the next face. */
void texture_sampler_faces(struct texture_sampler *sampler, unsigned mode);

/*
 * Memory of textures: the byte at an address; *bytes: how many are contiguous in host memory from there on, at least 1.
 * NULL: not mapped; what is not there reads 0, and the owner reports the fault itself. What it gives stays valid until
 * the operation ends.
 *
 * `whole` may be NULL. The same for a range, where all of it is contiguous in host memory. NULL: it is not, or not
 * known to be; then nothing is reported.
 */
struct texture_memory {
    void *opaque;
    const uint8_t *(*at)(void *opaque, uint64_t address, uint64_t *bytes);
    const uint8_t *(*whole)(void *opaque, uint64_t address, uint64_t bytes);
};

enum texture_operation { TEXTURE_SAMPLE, TEXTURE_FETCH, TEXTURE_GATHER };
enum texture_lod { TEXTURE_LOD_AUTO, TEXTURE_LOD_ZERO, TEXTURE_LOD_BIAS, TEXTURE_LOD_LEVEL, TEXTURE_LOD_GRADIENT };

/*
 * What is asked for. Rows are floats by their bits; integers for FETCH, layers, samples and offsets. NULL: not there,
 * 0. The header says which coordinates count.
 */
struct texture_request {
    enum texture_operation operation;
    enum texture_lod lod;
    bool shadow;
    bool has_derivatives; /* AUTO and BIAS: lanes are pixels in quads. Else: the base level */
    uint8_t component;    /* of GATHER */
    const uint32_t *coordinate[3], *layer, *level, *sample, *reference;
    const uint32_t *gradient[6];    /* dsdx dsdy dtdx dtdy drdx drdy */
    const uint32_t *offset[3];      /* texels */
    const uint32_t *offsets4[4][2]; /* GATHER: of each texel, instead */
};

/*
 * Results in out[0..3] as the header's sources say, for the lanes of the mask. Returns how many texels were read: it
 * takes so long. One that is not of bytes, or of a compressed block, counts as several.
 */
uint64_t texture_sample(const struct texture_memory *memory, const struct texture_view *view,
                        const struct texture_sampler *sampler, const struct texture_request *request, uint32_t lanes,
                        texture_row out[4]);

/* The level that sampling would compute (signed 8.8), and the one that it would take (unsigned 8.8). */
void texture_query_lod(const struct texture_view *view, const struct texture_sampler *sampler,
                       const struct texture_request *request, uint32_t lanes, texture_row out[2]);

/*
 * Width, height, depth or layers of a level, and the number of levels. `level` NULL: level 0. 1D arrays have their
 * layers in the place of the height: Mesa takes GL's result as it is (nv50_ir_from_nir.cpp, nir_texop_txs). UNKNOWN:
 * their third result; chosen: the layers again.
 */
void texture_query_size(const struct texture_view *view, const uint32_t *level, uint32_t lanes, texture_row out[4]);

#endif
