/* SPDX-License-Identifier: MIT */
/*
 * The state of a draw, in groups. Each is a struct of its own, which follows from methods alone: a decoder makes it
 * anew when one of them has changed (decode.h), and no function that draws asks a method. Only what programs read and
 * write comes from their headers in memory.
 *
 *   input      what vertices are made of: streams, attributes
 *   indices    which vertices: the index buffer, restart, what they count from
 *   stages     programs, and what they may reach
 *   patches    how patches become triangles, lines or points
 *   feedback   what of vertices is written to memory
 *   view       viewports, clipping, windows, layers
 *   raster     how primitives become pixels and samples
 *   zeta       tests of depth and stencil
 *   blend      what becomes of a fragment's colours: tests by alpha, blending, masks
 *   targets    the memory that is drawn to
 *   textures   where headers of textures and samplers are
 *   images     slots of images (Fermi)
 *
 * Bytes that are not used are 0, so that states can be compared as memory.
 */
#ifndef PFIFO_SRC_ENGINE_DRAW_STATE_H
#define PFIFO_SRC_ENGINE_DRAW_STATE_H

#include "engine/draw/feedback.h"
#include "engine/draw/tessellate.h"
#include "engine/draw/vertex.h"
#include "engine/image/image.h"
#include "engine/surface/format.h"
#include "engine/surface/surface.h"

#define DRAW_TARGETS    8u
#define DRAW_VIEWPORTS  16u
#define DRAW_ATTRIBUTES 256u /* words of a vertex: the attribute space, see engine/shade/io.h */
#define DRAW_WINDOWS    8u

enum state_group {
    STATE_INPUT,
    STATE_INDICES,
    STATE_STAGES,
    STATE_PATCHES,
    STATE_FEEDBACK,
    STATE_VIEW,
    STATE_RASTER,
    STATE_ZETA,
    STATE_BLEND,
    STATE_TARGETS,
    STATE_TEXTURES,
    STATE_IMAGES,
    STATE_GROUPS,
};

#define STATE_ALL ((1u << STATE_GROUPS) - 1)

/* ---- input ---- */

struct draw_input_state {
    struct vertex_streams streams;
    struct vertex_attribute attribute[VERTEX_ATTRIBUTES];
    bool replaces_id; /* VertexID is word `id_word` of the attribute space */
    uint8_t id_word;
};

/* ---- indices ---- */

struct draw_indices_state {
    uint64_t start, limit;         /* of the buffer; the last byte */
    bool restarts, array_restarts; /* array: at numbers of vertices that have no index, too */
    uint32_t restart_index;
    uint32_t base_vertex, base_instance;
    uint32_t id_base;   /* of VertexID */
    bool id_from_first; /* of arrays: VertexID counts from their first vertex, not from 0 */
    bool edge;          /* the edge of a vertex is a boundary */
};

/* ---- stages ---- */

#define STAGES       6u /* slots of programs */
#define HEADER_WORDS 20u

enum stage { STAGE_VERTEX_A, STAGE_VERTEX, STAGE_CONTROL, STAGE_EVALUATION, STAGE_GEOMETRY, STAGE_FRAGMENT };

struct draw_stage_program {
    bool enabled;
    bool known;         /* the header has been read */
    uint8_t group;      /* of constant buffers */
    uint32_t registers; /* that it asks for */
    uint32_t start;     /* of the header in the program region */
    uint32_t header[HEADER_WORDS];
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
    bool early;     /* tests come first, whatever it does */
    uint8_t passes; /* per pixel: 1, or up to the number of samples */
    bool centroid_of_pass;
    bool coverage_after_tests; /* the program sees the samples that are left by early tests */
};

/* Attributes that vertices carry from the last vertex stage to the raster. */
struct draw_carried {
    uint16_t count;
    uint8_t word[DRAW_ATTRIBUTES];
    bool linear[DRAW_ATTRIBUTES]; /* by word: varies linearly in the window */
};

struct draw_stages_state {
    uint64_t code; /* the program region */
    struct draw_stage_program stage[STAGES];
    struct draw_program program; /* from the fragment program's header, as is: */
    struct draw_carried carried;
    uint8_t texture_bank;  /* of constants: has the handles of textures */
    bool clamp_colors;     /* of vertices */
    uint32_t local_window; /* where l[] is in the addresses of a program */
    uint64_t counters;     /* that count: bits of enum counter (sync/counters.h) */
};

/* ---- patches ---- */

struct draw_patches_state {
    struct tessellate_mode mode;
    struct tessellate_levels levels; /* without a control program */
};

/* ---- viewports and clipping ---- */

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

enum clip_mode {
    CLIP_W,
    CLIP_PASS,
    CLIP_XY,
    CLIP_XYZ,
    CLIP_W_NOT_Z,
    CLIP_Z,
    CLIP_W_OR_FILL,
};

struct draw_view_state {
    struct draw_viewport viewport[DRAW_VIEWPORTS];
    uint8_t swizzle[DRAW_VIEWPORTS][4]; /* of x, y, z, w: 0 x, 1 -x, 2 y .. */
    bool transform;                     /* else positions are in the window already */
    bool zero_to_w;                     /* the range of z; else -w to w */
    uint8_t mode;                       /* enum clip_mode */
    bool wide_xy, wide_z;               /* guard band of planes: far outside of the volume */
    bool wide_points;                   /* the same for rejection of points and lines */
    uint8_t distances, culls;           /* bit i: distance i clips, or culls */
    bool lower_left;                    /* the window's origin */
    float offset_x, offset_y;           /* of the window */
    uint8_t window_mode;                /* 0 none, 1 inside any of the windows, 2 outside of all, 3 nothing is drawn */
    struct draw_box window[DRAW_WINDOWS];
    bool clip_ids; /* not modelled */
    bool shader_layer, layer_plus_viewport;
    bool multicast_by_primitive; /* of primitives in several viewports: each in all of them, then the next */
    uint32_t layer;
    uint32_t defaults[DRAW_ATTRIBUTES]; /* of attributes that the last vertex stage does not write */
};

/* ---- raster ---- */

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

/* By SET_ANTI_ALIAS: counts, the positions that are fixed, elements. False: no such mode; it is as mode 0. */
bool draw_samples_of(struct draw_samples *samples, uint32_t mode);
/* GM20x and later: SET_ANTI_ALIAS_SAMPLE_POSITIONS, 16 bytes, x in bits 3..0, y in 7..4. Keeps count and elements. */
void draw_samples_place(struct draw_samples *samples, const uint32_t words[4]);

enum draw_polygon { DRAW_FILL, DRAW_OUTLINE, DRAW_VERTICES };

/* How primitives become pixels (drawn by raster.c). */
struct draw_raster_state {
    struct draw_samples samples;
    uint16_t sample_mask[4]; /* of pixels (0,0) (1,0) (0,1) (1,1) */
    bool discard;            /* nothing is drawn */
    uint8_t stream;          /* of a geometry program: which one is drawn */
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
    uint32_t stipple[32]; /* as SET_POLYGON_STIPPLE_PATTERN has it */
    bool offset_point, offset_line, offset_fill;
    float offset_factor, offset_units, offset_clamp;
    bool offset_by_exponent;      /* units are of the last place, with floating-point depth */
    bool clip_z;                  /* drop fragments beyond near or far; else depth is only clamped */
    bool two_sided;               /* back faces have the colours of words 0x2a0 and up */
    bool conservative;            /* polygons cover all pixels that they touch */
    uint8_t dilation;             /* ... being larger on all sides, by so many quarters of a pixel */
    bool before_snap;             /* not modelled: the same of positions that are not on the grid yet */
    uint16_t finer_grid;          /* not modelled: ... that have more bits after the point; by viewport */
    bool too_many;                /* not modelled: 16 samples */
    bool independent;             /* colour targets have fewer samples than the raster and depth: */
    struct draw_samples color;    /* theirs, whose positions are of no use */
    bool counts_raster;           /* samples that pass are counted as the raster has them, else as targets do */
    uint8_t modulation;           /* what coverage is multiplied into: bit 0 colour, bit 1 alpha */
    float modulate[DRAW_SAMPLES]; /* by what, with i + 1 samples of the raster in one of a target */
};

/* The samples of colour targets. */
static inline const struct draw_samples *draw_color_samples(const struct draw_raster_state *raster) {
    return raster->independent ? &raster->color : &raster->samples;
}

/* ---- depth and stencil ---- */

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

struct draw_stencil_face {
    uint8_t compare, fail, depth_fail, pass; /* enum draw_compare, draw_stencil_op */
    uint8_t reference, mask, write_mask;
};

struct draw_zeta_state {
    bool test, write;
    uint8_t compare; /* enum draw_compare: new, as compared with stored */
    bool bounds;
    float bounds_min, bounds_max;
    bool stencil;
    struct draw_stencil_face face[2]; /* front, back: the same unless two-sided */
    bool counts;                      /* samples that pass are counted */
};

/* ---- blending ---- */

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

struct draw_blend_state {
    bool alpha_to_coverage, alpha_to_one;
    bool alpha_test;
    uint8_t alpha_compare;
    float alpha_reference;
    struct draw_blend target[DRAW_TARGETS];
    uint8_t mask[DRAW_TARGETS];  /* bit 0 R .. bit 3 A may be written */
    uint8_t clamp[DRAW_TARGETS]; /* of outputs, before all else: 0 none, 1 to 0..1, 3 to -1..1 */
    float color[4];
    bool zero_times_any; /* 0 * x is 0 when blending floats */
    bool logic;
    uint8_t logic_op;       /* OpenGL's, low nibble */
    bool coverage_to_color; /* target `coverage_target` gets the samples that are left as a number */
    uint8_t coverage_target;
};

/* ---- targets ---- */

/* A colour or depth target. */
struct draw_target {
    const struct format *format; /* NULL: not bound, what is written vanishes */
    struct surface surface;      /* of layer 0 of what is bound; its elements are samples */
    uint32_t width, height;      /* in pixels */
    uint32_t layers;             /* at least 1 */
    uint64_t layer_stride;       /* bytes; not of volumes */
    bool volume;                 /* layers are slices: first_slice and up */
    uint32_t first_slice;
};

struct draw_targets_state {
    uint8_t count;            /* outputs that are counted in RT_CONTROL */
    uint8_t of[DRAW_TARGETS]; /* output i goes to this target */
    struct draw_target color[DRAW_TARGETS];
    struct draw_target zeta;
};

/* ---- textures ---- */

struct draw_textures_state {
    uint64_t headers, samplers; /* pools */
    uint32_t most_header, most_sampler;
    bool linked_samplers;
    uint8_t cube_faces;
    bool maxwell_headers;
};

/* ---- images ---- */

struct draw_images_state {
    struct image slot[IMAGE_SLOTS];
};

/* ---- the whole ---- */

struct draw_state {
    struct draw_input_state input;
    struct draw_indices_state indices;
    struct draw_stages_state stages;
    struct draw_patches_state patches;
    struct feedback_state feedback;
    struct draw_view_state view;
    struct draw_raster_state raster;
    struct draw_zeta_state zeta;
    struct draw_blend_state blend;
    struct draw_targets_state targets;
    struct draw_textures_state textures;
    struct draw_images_state images;
};

/* What a program's header says of the attribute space: is this word read, or written? */
static inline bool draw_program_reads(const struct draw_stage_program *program, unsigned word) {
    unsigned bit = 160 + word;
    return bit / 32 < HEADER_WORDS && program->known && (program->header[bit / 32] >> bit % 32 & 1);
}

/* The same of 32 words at once: `word` is a multiple of that. */
static inline uint32_t draw_program_reads_of(const struct draw_stage_program *program, unsigned word) {
    unsigned place = (160 + word) / 32;
    return place < HEADER_WORDS && program->known ? program->header[place] : 0;
}

static inline bool draw_program_writes(const struct draw_stage_program *program, unsigned word) {
    unsigned bit = 400 + word;
    return word >= 0x10 && bit / 32 < HEADER_WORDS && program->known && (program->header[bit / 32] >> bit % 32 & 1);
}

/* The two vertex programs are one after the other: either reads and writes. */
static inline bool draw_vertex_reads(const struct draw_stages_state *stages, unsigned word) {
    return draw_program_reads(&stages->stage[STAGE_VERTEX], word) ||
           (stages->stage[STAGE_VERTEX_A].enabled && draw_program_reads(&stages->stage[STAGE_VERTEX_A], word));
}

static inline bool draw_vertex_reads_vector(const struct draw_stages_state *stages, unsigned word) {
    return draw_vertex_reads(stages, word) || draw_vertex_reads(stages, word + 1) ||
           draw_vertex_reads(stages, word + 2) || draw_vertex_reads(stages, word + 3);
}

static inline uint32_t draw_vertex_reads_of(const struct draw_stages_state *stages, unsigned word) {
    return draw_program_reads_of(&stages->stage[STAGE_VERTEX], word) |
           (stages->stage[STAGE_VERTEX_A].enabled ? draw_program_reads_of(&stages->stage[STAGE_VERTEX_A], word) : 0);
}

static inline bool draw_vertex_writes(const struct draw_stages_state *stages, unsigned word) {
    return draw_program_writes(&stages->stage[STAGE_VERTEX], word) ||
           (stages->stage[STAGE_VERTEX_A].enabled && draw_program_writes(&stages->stage[STAGE_VERTEX_A], word));
}

#endif
