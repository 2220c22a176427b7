/* SPDX-License-Identifier: MIT */
/*
 * Drawing: from vertices that a program has made to pixels in memory, in three steps that know each other only here.
 *
 *   pipeline fetches vertices, runs the vertex program, assembles primitives, clips, applies the viewport. It knows the
 *            3D class by its state (decode.h) and makes struct draw_primitive
 *   raster   finds what a primitive covers, in tiles of the target, and hands quads of pixels to the fragment program
 *   pixels   depth, stencil, blend, masks and formats: what a fragment does to memory
 *
 * All of them work from a state that is decoded when methods have changed (state.h); no function asks a register.
 */
#ifndef PFIFO_SRC_ENGINE_DRAW_DRAW_H
#define PFIFO_SRC_ENGINE_DRAW_DRAW_H

#include "engine/draw/state.h"

#define DRAW_QUADS     8u /* of a batch of fragments */
#define DRAW_LANES     (4 * DRAW_QUADS)
#define DRAW_SUBPIXELS 8u /* bits after the point of a window coordinate on the raster's grid */

/* ---- primitives: from clipping to the raster ---- */

/* A vertex in the window: transformed, clipped. */
struct draw_vertex {
    float x, y, z; /* y grows downwards in memory */
    float rw;      /* 1 / w */
    float point_size;
    uint32_t attribute[DRAW_ATTRIBUTES]; /* by address / 4: only those that inputs name (and back colours) */
};

enum draw_kind { DRAW_POINTS, DRAW_LINES, DRAW_TRIANGLES };

struct draw_primitive {
    uint8_t kind;           /* enum draw_kind: 1, 2, 3 vertices */
    uint8_t edges;          /* of triangles: bit i, the edge from vertex i to the next is a boundary of the polygon */
    uint8_t viewport;       /* below DRAW_VIEWPORTS */
    bool restart;           /* the first of a strip: line stipple begins anew */
    uint32_t viewport_word; /* that the program wrote, and fragments read */
    uint32_t layer;
    uint32_t id;
    const struct draw_vertex *vertex[3];
    const struct draw_vertex *flat; /* the provoking vertex, which clipping may have cut away */
};

/* ---- fragments: from raster to the fragment program, and back ---- */

typedef uint32_t draw_row[DRAW_LANES] __attribute__((aligned(64)));

/* A primitive with its planes: opaque, but for what a program may ask for. */
struct draw_setup;
struct draw_raster;

/* What all fragments of a region have in common. */
struct draw_share {
    uint8_t member;   /* of the raster's team, below THREADS_MOST; each is with one thread at a time */
    uint32_t regions; /* of the part of the draw */
    uint64_t steps;   /* the program's owner counts here: 0 at the beginning of a region */
    bool quiet;       /* a program that fails is run again to say why */
};

/* Quads of pixels, perhaps of several primitives. Lanes 4 k .. 4 k + 3: (0,0) (1,0) (0,1) (1,1) of quad k. */
struct draw_fragments {
    const struct draw_state *state;
    const struct draw_raster *raster;
    const struct draw_setup *setup[DRAW_QUADS];
    uint32_t lanes;   /* those of quads that are there */
    uint32_t covered; /* the others are helpers */
    uint32_t x[DRAW_LANES], y[DRAW_LANES];
    double from_x[DRAW_LANES],
        from_y
            [DRAW_LANES]; /* of pixels' centres, from the origin of their setup's planes; of a stripe that of lane 0 */
    uint8_t samples[DRAW_LANES];  /* the covered ones of this pass */
    uint8_t coverage[DRAW_LANES]; /* ... of the primitive */
    struct draw_share *share;
    bool is_stripe;  /* all lanes are there, of one setup: two lines of sixteen pixels from x[0], y[0] on */
    uint8_t sample;  /* the first one of the pass: SampleID */
    bool per_sample; /* `samples` is a part: positions and inputs are those of `sample` */

    /* What the program makes of them: floats by their bits, integers for targets of integers. */
    uint32_t killed;
    draw_row *output[DRAW_TARGETS]; /* four rows each: of `color`, or of whoever has run the program */
    draw_row color[DRAW_TARGETS][4];
    draw_row depth, mask; /* if the program has them */
};

/*
 * Attribute word[lane] where `location` says (0 the default, 1 centroid, 2 `offset` from the pixel's centre, as IR_IPA
 * has it). A perspective input is that times 1 / w: the program multiplies by w. `mode` is that of IR_IPA: 2 constant,
 * 3 by shade model. Words 0x060..0x07c, 0x2e0, 0x2e4 and 0x3fc are what the raster knows.
 */
void draw_interpolate(const struct draw_fragments *fragments, uint32_t lanes, const uint32_t *word, unsigned mode,
                      unsigned location, const uint32_t *offset, uint32_t *out);

/* The same of one word at the default place, for all lanes of a stripe. False: it is none, and nothing was done. */
bool draw_interpolate_stripe(const struct draw_fragments *fragments, unsigned word, unsigned mode, uint32_t *out);
/* ... of several words, as far as they are plain planes: how many were done, from the first on. */
struct shade_wanted;
unsigned draw_interpolate_many(const struct draw_fragments *fragments, const struct shade_wanted *words, unsigned count,
                               draw_row *out);
/* ... for all quads of a batch that is no stripe; other lanes become 0. False: they are not at the pixels' centres. */
bool draw_interpolate_quads(const struct draw_fragments *fragments, unsigned word, unsigned mode, uint32_t *out);

/*
 * The sample that is the pixel's centroid: of those that are covered, or of those of the pass. DRAW_SAMPLES: none, it
 * is the centre.
 */
unsigned draw_centroid(const struct draw_fragments *fragments, unsigned lane);

/* ---- the raster ---- */

/* Runs the fragment program. False: it has failed, and drawing ends. */
typedef bool draw_shade(void *opaque, struct draw_fragments *fragments);

/* What became of a draw: sums since draw_raster_begin(). */
struct draw_result {
    uint64_t samples;   /* passed depth and stencil tests, of zeta.counts */
    uint64_t fragments; /* pixels for which a program was run */
    bool failed;        /* by the program */
    bool faulted;       /* by a target */
    bool fault_is_zeta;
    uint8_t fault_target;
    struct fault fault;
};

struct draw_raster *draw_raster_new(struct memory *memory, draw_shade *shade, void *opaque);
void draw_raster_free(struct draw_raster *raster);

/*
 * Draw regions side by side, where that makes no difference: `apart` is asked once for each state that many pixels are
 * drawn with (NULL: always), with the raster's `opaque`. NULL: on the caller's thread alone.
 */
struct threads;
void draw_raster_lend(struct draw_raster *raster, struct threads *threads, bool (*apart)(void *opaque));

/* Before primitives, and after each change of the state, which has to stay as it is until the next one. */
void draw_raster_begin(struct draw_raster *raster, const struct draw_state *state);

/*
 * Where a call ended: some primitives from `primitive` on are drawn together, region by region of the target, and so
 * many regions are done. Zero at first.
 */
struct draw_progress {
    uint32_t primitive, band;
    uint32_t stipple; /* pixels of a line strip so far */
};

/*
 * Draws primitives from `progress` on, until all are done (progress->primitive is `count`) or about `budget` units are
 * used up: a unit is a tile that is looked at, or a quad of one sample in one target (with many samples or targets a
 * quad is as many, and so is a tile where samples have places of their own). Returns how many were used. At least one
 * region is done, and at most some thousand quads more than the budget (raster_bins.c); nothing is left open: all that
 * was drawn is in memory. Ends early when the result has failed or faulted.
 */
uint64_t draw_primitives(struct draw_raster *raster, const struct draw_primitive *primitives, uint32_t count,
                         struct draw_progress *progress, uint64_t budget);

const struct draw_result *draw_raster_result(const struct draw_raster *raster);

#endif
