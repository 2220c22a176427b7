/* SPDX-License-Identifier: MIT */
/*
 * Drawing: from vertices that a program has made to pixels in memory, in three steps that know each other only here.
 *
 *   front    fetches vertices, runs the vertex program, assembles primitives, clips, applies the viewport. It knows the
 *            3D class by its state (state_gf100.c) and makes struct draw_primitive
 *   raster   finds what a primitive covers, in tiles of the target, and hands quads of pixels to the fragment program
 *   pixels   depth, stencil, blend, masks and formats: what a fragment does to memory
 *
 * All of them work from a state that is decoded once for each change (struct draw_state); no function asks a register.
 */
#ifndef PFIFO_SRC_ENGINE_DRAW_DRAW_H
#define PFIFO_SRC_ENGINE_DRAW_DRAW_H

#include "engine/surface/format.h"
#include "engine/surface/surface.h"

#define DRAW_TARGETS    8u
#define DRAW_VIEWPORTS  16u
#define DRAW_ATTRIBUTES 256u /* words of a vertex: the attribute space, see engine/shade/shade.h */
#define DRAW_WINDOWS    8u
#define DRAW_QUADS      8u /* of a batch of fragments */
#define DRAW_LANES      (4 * DRAW_QUADS)
#define DRAW_SUBPIXELS  8u /* bits behind the point of a window coordinate on the raster's grid */

/* ---- state ---- */

/* Comparisons: bit 0 less, bit 1 equal, bit 2 greater. 0 never, 7 always. */
enum draw_compare {
    DRAW_NEVER,
    DRAW_LESS,
    DRAW_EQUAL,
    DRAW_LEQUAL,
    DRAW_GREATER,
    DRAW_NOTEQUAL,
    DRAW_GEQUAL,
    DRAW_ALWAYS
};

enum draw_stencil_op {
    DRAW_KEEP,
    DRAW_STENCIL_ZERO,
    DRAW_REPLACE,
    DRAW_INCR_SAT,
    DRAW_DECR_SAT,
    DRAW_INVERT,
    DRAW_INCR,
    DRAW_DECR
};

enum draw_blend_op { DRAW_ADD, DRAW_SUBTRACT, DRAW_REVERSE_SUBTRACT, DRAW_MIN, DRAW_MAX };

enum draw_factor {
    DRAW_ZERO,
    DRAW_ONE,
    DRAW_SRC_COLOR,
    DRAW_ONE_MINUS_SRC_COLOR,
    DRAW_SRC_ALPHA,
    DRAW_ONE_MINUS_SRC_ALPHA,
    DRAW_DST_ALPHA,
    DRAW_ONE_MINUS_DST_ALPHA,
    DRAW_DST_COLOR,
    DRAW_ONE_MINUS_DST_COLOR,
    DRAW_SRC_ALPHA_SATURATE,
    DRAW_CONSTANT_COLOR,
    DRAW_ONE_MINUS_CONSTANT_COLOR,
    DRAW_CONSTANT_ALPHA,
    DRAW_ONE_MINUS_CONSTANT_ALPHA,
    DRAW_SRC1_COLOR,
    DRAW_ONE_MINUS_SRC1_COLOR,
    DRAW_SRC1_ALPHA,
    DRAW_ONE_MINUS_SRC1_ALPHA,
};

struct draw_blend {
    bool enabled;
    uint8_t op_rgb, op_alpha;                       /* enum draw_blend_op */
    uint8_t src_rgb, dst_rgb, src_alpha, dst_alpha; /* enum draw_factor */
};

struct draw_stencil_face {
    uint8_t compare, fail, depth_fail, pass; /* enum draw_compare, draw_stencil_op */
    uint8_t reference, mask, write_mask;
};

/* A rectangle of pixels: x0 <= x < x1. */
struct draw_box {
    int32_t x0, y0, x1, y1;
};

/* What is applied to vertices, and bounds the pixels of a primitive. */
struct draw_viewport {
    float scale[3], translate[3];
    float near, far;         /* the range of depth, near <= far */
    struct draw_box scissor; /* with the viewport's own clip and the screen's: where pixels may be */
};

#define DRAW_SAMPLES   8u
#define DRAW_POSITIONS 16u

/*
 * Samples of a pixel. Their positions are in 1/16 of a pixel from its upper left corner, and repeat every 1 << block_x
 * by 1 << block_y pixels: that of sample s is entry (x % width + width * (y % height)) * count + s.
 */
struct draw_samples {
    uint8_t count;          /* 1, 2, 4, 8 */
    uint8_t log2_x, log2_y; /* elements of a surface that a pixel takes */
    uint8_t block_x, block_y;
    uint8_t x[DRAW_POSITIONS], y[DRAW_POSITIONS];
    uint8_t element_x[DRAW_SAMPLES], element_y[DRAW_SAMPLES]; /* which of a pixel's elements is the sample's */
};

/* By SET_ANTI_ALIAS (0x15d0): counts, the positions that are fixed, elements. False: no such mode; it is as mode 0. */
bool draw_samples_of(struct draw_samples *samples, uint32_t mode);
/* GM20x and later: the 16 bytes at 0x11e0, x in bits 3..0, y in 7..4. Keeps count and elements. */
void draw_samples_place(struct draw_samples *samples, const uint32_t words[4]);

/* A colour or depth target. */
struct draw_target {
    const struct format *format; /* NULL: not bound, what is written vanishes */
    struct surface surface;      /* of layer 0 of what is bound; its elements are samples */
    uint32_t width, height;      /* in pixels */
    uint32_t layers;             /* at least 1 */
    uint64_t layer_stride;       /* bytes; not of volumes */
    bool volume;                 /* layers are slices: first_slice and up */
    uint32_t first_slice;
    uint8_t mask; /* of colour: bit 0 R .. bit 3 A may be written */
    struct draw_blend blend;
    uint8_t clamp; /* of outputs, before all else: 0 none, 1 to 0..1, 3 to -1..1 */
};

enum draw_polygon { DRAW_FILL, DRAW_OUTLINE, DRAW_VERTICES };

/* How primitives become pixels (drawn by raster.c). */
struct draw_rasterizer {
    bool discard; /* nothing is drawn */
    bool cull_front, cull_back;
    bool front_is_cw;                 /* as y grows downwards */
    bool flip;                        /* the winding is the other way round, and the fill rule bottom-left */
    uint8_t polygon[2];               /* enum draw_polygon, of front and back */
    bool multisample;                 /* samples have positions of their own */
    bool depth_at_samples;            /* without it, too; else depth is that of the pixel's centre then */
    bool integer_centers;             /* of pixels: D3D 9 */
    bool fill_box;                    /* a triangle covers its bounding box */
    bool line_smooth, line_rectangle; /* neither: aliased */
    float line_width;                 /* of the lines that are drawn */
    bool line_stipple;
    uint16_t line_pattern;
    uint16_t line_factor; /* 1 .. 256 */
    bool point_sprite, point_smooth, point_d3d;
    bool point_size_varies; /* draw_vertex.point_size, else this one: */
    float point_size;
    bool sprite_lower_left;  /* t of points grows upwards */
    uint8_t sprite_r;        /* of replaced vectors: 0 zero, 1 from r, 2 from s */
    uint16_t sprite_vectors; /* bit i: attribute vector 0x300 + 16 i is replaced */
    bool polygon_smooth;     /* coverage of triangles goes into alpha */
    bool polygon_stipple;
    uint32_t stipple[32]; /* as at 0x1700 */
    bool offset_point, offset_line, offset_fill;
    float offset_factor, offset_units, offset_clamp;
    bool offset_by_exponent; /* units are of the last place, with floating-point depth */
    bool clip_z;             /* drop fragments beyond near or far; else depth is only clamped */
    bool two_sided;          /* back faces have the colours of words 0x2a0 and up */
};

struct draw_depth_stencil {
    struct draw_target target;
    bool test, write;
    uint8_t compare; /* enum draw_compare: new, as compared with stored */
    bool bounds;
    float bounds_min, bounds_max;
    bool stencil;
    struct draw_stencil_face face[2]; /* front, back: the same unless two-sided */
    bool counts;                      /* samples that pass are counted */
};

/* How an input of the fragment program varies: the codes of program headers. */
enum draw_mode { DRAW_UNUSED, DRAW_FLAT, DRAW_PERSPECTIVE, DRAW_LINEAR };

struct draw_input {
    uint8_t word; /* address / 4 */
    uint8_t mode; /* enum draw_mode */
};

/* What raster and pixels have to know of the fragment program. */
struct draw_program {
    bool present;                              /* no: depth and stencil only */
    struct draw_input inputs[DRAW_ATTRIBUTES]; /* without 0x060..0x07c, 0x2e0, 0x2e4, 0x3fc, which need none */
    uint16_t input_count;
    bool flat_colors; /* SHADE_MODEL flat, for IR_IPA by shade model */
    uint32_t outputs; /* bit 4 i + c: component c of output i is written */
    bool separate;    /* outputs go to targets of their own; else output 0 to all */
    bool kills, depth, sample_mask;
    bool effects;   /* writes memory */
    bool early;     /* tests come first, whatever it does (0x210) */
    uint8_t passes; /* per pixel: 1, or up to the number of samples */
    bool centroid_of_pass;
};

struct draw_state {
    struct draw_rasterizer raster;
    struct draw_viewport viewport[DRAW_VIEWPORTS];
    struct draw_samples samples;
    uint16_t sample_mask[4]; /* of pixels (0,0) (1,0) (0,1) (1,1) */
    uint8_t window_mode;     /* 0 none, 1 inside any of the windows, 2 outside of all, 3 nothing is drawn */
    struct draw_box window[DRAW_WINDOWS];

    struct draw_program program;
    bool alpha_to_coverage, alpha_to_one;
    bool alpha_test;
    uint8_t alpha_compare;
    float alpha_reference;

    struct draw_depth_stencil zeta;
    uint8_t target_count;            /* outputs that are counted in RT_CONTROL */
    uint8_t target_of[DRAW_TARGETS]; /* output i goes to this target */
    struct draw_target target[DRAW_TARGETS];
    float blend_color[4];
    bool zero_times_any; /* 0 * x is 0 when blending floats */
    bool logic;
    uint8_t logic_op; /* OpenGL's, low nibble */
};

/* ---- primitives: from front to raster ---- */

/* A vertex in the window: transformed, clipped. */
struct draw_vertex {
    float x, y, z; /* y grows downwards in memory */
    float rw;      /* 1 / w */
    float point_size;
    uint32_t attribute[DRAW_ATTRIBUTES]; /* by address / 4: only those that inputs name (and back colours) */
};

enum draw_kind { DRAW_POINTS, DRAW_LINES, DRAW_TRIANGLES };

struct draw_primitive {
    uint8_t kind;     /* enum draw_kind: 1, 2, 3 vertices */
    uint8_t edges;    /* of triangles: bit i, the edge from vertex i to the next is a boundary of the polygon */
    uint8_t viewport; /* below DRAW_VIEWPORTS */
    bool restart;     /* the first of a strip: line stipple begins anew */
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

/* Quads of pixels, perhaps of several primitives. Lanes 4 k .. 4 k + 3: (0,0) (1,0) (0,1) (1,1) of quad k. */
struct draw_fragments {
    const struct draw_state *state;
    const struct draw_raster *raster;
    const struct draw_setup *setup[DRAW_QUADS];
    uint32_t lanes;   /* those of quads that are there */
    uint32_t covered; /* the others are helpers */
    uint32_t x[DRAW_LANES], y[DRAW_LANES];
    double from_x[DRAW_LANES], from_y[DRAW_LANES]; /* of pixels' centres, from the origin of their setup's planes */
    uint8_t samples[DRAW_LANES];                   /* the covered ones of this pass */
    uint8_t coverage[DRAW_LANES];                  /* ... of the primitive */
    uint8_t member;   /* of the raster's team, below THREADS_MOST; each is with one thread at a time */
    uint32_t regions; /* of the part of the draw */
    uint64_t steps;   /* the program's owner counts here: 0 at the beginning of a region */
    bool quiet;       /* a program that fails is run again to say why */
    uint8_t sample;   /* the first one of the pass: SampleID */
    bool per_sample;  /* `samples` is a part: positions and inputs are those of `sample` */

    /* What the program makes of them: floats by their bits, integers for targets of integers. */
    uint32_t killed;
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
