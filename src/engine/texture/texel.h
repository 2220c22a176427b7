/* SPDX-License-Identifier: MIT */
/* A texel, and which texels a coordinate means. */
#ifndef PFIFO_SRC_ENGINE_TEXTURE_TEXEL_H
#define PFIFO_SRC_ENGINE_TEXTURE_TEXEL_H

#include "engine/texture/format.h"

/* What a texel is: floats or integers, by the view. */
union texel {
    float f[4];
    uint32_t u[4];
};

#define TEXEL_PIECES 16u

/* Memory that was found. */
struct texel_piece {
    uint64_t begin, bytes;
    const uint8_t *data;
};

/* What a coordinate of the header's kind is multiplied by, to be in texels of a level. */
static inline double texel_scale(const struct texture_view *view, const struct texture_sampler *sampler, unsigned level,
                                 unsigned axis) {
    return view->normalized && !sampler->unnormalized ? view->level[level].size[axis] : 1;
}

/* A view that is being read. */
struct texel_reader {
    const struct texture_memory *memory;
    const struct texture_view *view;
    const struct texture_sampler *sampler; /* NULL: a fetch */
    uint64_t read;                         /* what texels have cost so far */
    unsigned weight;                       /* what one costs */
    bool srgb;
    bool bytes_only;                        /* components are bytes of a word: by tables */
    uint8_t constant, curved;               /* of x y z w: always table[i][0]; by the table of sRGB; else b / 255 */
    const uint32_t *table[4];               /* of x y z w */
    uint8_t shift[4];                       /* of their bytes */
    struct texel_piece piece[TEXEL_PIECES]; /* by the pages where they begin */
};

struct texel_place {
    uint32_t x, y, z, layer, level;
};

void texel_begin(struct texel_reader *reader, const struct texture_memory *memory, const struct texture_view *view,
                 const struct texture_sampler *sampler);
/* R G B A of memory, before the sources. The place must be inside. */
void texel_raw(struct texel_reader *reader, const struct texel_place *at, union texel *raw);
/* Texels at base + layer + offset of each lane; (x, y): which of a block it is. Raw, or with the header's sources. */
void texel_rows(struct texel_reader *reader, uint64_t base, const uint32_t *layer, const uint32_t *offset,
                const uint32_t *x, const uint32_t *y, uint32_t lanes, bool raw, union texel out[TEXTURE_LANES]);
/* The words of texels of bytes (bytes_only) at base + offset of each lane, without their tables. */
void texel_words(struct texel_reader *reader, uint64_t base, const uint32_t *offset, uint32_t lanes, texture_row out);
/* x y z w: what the header's sources make of it. */
void texel_sources(const struct texture_view *view, const union texel *raw, union texel *out);
/* The component that a comparison takes. */
unsigned texel_depth(const struct texture_view *view);

/* ---- wrap.c ---- */

/* By the numbers of samplers. */
enum texel_wrap_mode {
    TEXEL_WRAP,
    TEXEL_MIRROR,
    TEXEL_EDGE,
    TEXEL_BORDER,
    TEXEL_CLAMP_GL,
    TEXEL_MIRROR_ONCE_EDGE,
    TEXEL_MIRROR_ONCE_BORDER,
    TEXEL_MIRROR_ONCE_GL,
};

/* Two neighbours on an axis and the weight of the second, in 1/256. OUTSIDE: the border. */
#define TEXEL_OUTSIDE (-1)

struct texel_axis {
    int64_t at[2];
    unsigned weight;
};

/* A coordinate in texels of a level that has `size` of them. Linear or nearest (weight 0, only at[0]). */
struct texel_axis texel_axis(uint8_t wrap, double coordinate, uint32_t size, bool linear);
/* The same without wrapping: of faces of a cube. */
struct texel_axis texel_axis_free(double coordinate, bool linear);
int64_t texel_wrap(uint8_t wrap, int64_t index, uint32_t size);

/* ---- cube.c ---- */

/* Direction to face (0 .. 5) and coordinates there, 0 to 1. */
unsigned cube_face(const double direction[3], double out[2]);
/* Coordinates on a face, also where the direction leads to another. */
void cube_on_face(unsigned face, const double direction[3], double out[2]);
/* A texel that may be beyond the edges of a face, on the face where it is. False: beyond a corner. */
bool cube_neighbour(unsigned *face, int64_t *x, int64_t *y, uint32_t size);

#endif
