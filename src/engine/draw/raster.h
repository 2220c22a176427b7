/* SPDX-License-Identifier: MIT */
/*
 * What the files of raster and pixels share. Nobody else includes this.
 *
 *   raster_bins.c    primitives to regions of the target, which are drawn one by one, in slices
 *   raster.c         a primitive: faces, culling, polygon mode; then its tiles
 *   raster_shape.c   what triangles, lines and points cover, as edges (raster_line.c: aliased lines)
 *   raster_tile.c    the samples of a tile that a shape covers, and its quads
 *   raster_planes.c  depth and inputs over the window
 *   pixels.c         batches of quads: early tests, the fragment program, late tests
 *   pixels_stripe.c  two lines of a tile as a batch of their own, without a question per quad
 *   pixels_samples.c stripes of pixels that have several samples
 *   pixels_vector.c  what is done to all lanes of a stripe, for hosts with AVX-512
 *   pixels_zeta.c    depth and stencil; pixels_zeta_stripe.c: depth of a stripe
 *   pixels_reduce.c  samples of the raster to those of colour targets, where these have fewer
 *   pixels_color.c   blend, logic operation, masks
 *   pixels_memory.c  where the elements of a target are
 */
#ifndef PFIFO_SRC_ENGINE_DRAW_RASTER_H
#define PFIFO_SRC_ENGINE_DRAW_RASTER_H

#include "engine/draw/draw.h"
#include "engine/draw/key.h"
#include "engine/lend/threads.h"
#include "engine/surface/mapping.h"

#define RASTER_TILE   16 /* pixels along an edge of a tile */
#define RASTER_UNIT   256
#define RASTER_SHAPES 3u
#define RASTER_SETUPS (DRAW_QUADS + RASTER_SHAPES)

/* ---- planes ---- */

/* value + x * (X - x of the origin) + y * (Y - y of the origin), in pixels. */
struct raster_plane {
    double value, x, y;
};

/* How the plane of a value follows from those at the vertices: value[0] and the differences of the others to it. */
struct raster_weights {
    double origin_x, origin_y;
    double x[2], y[2];
    const struct draw_vertex *vertex[3];
};

struct draw_setup {
    const struct draw_primitive *primitive;
    struct raster_weights weights;
    bool front, point;
    double point_x, point_y, point_size; /* of the square that point coordinates span */
    double z_min, z_max;                 /* of the vertices, without the offset */
    double offset;                       /* of polygons */
    struct raster_plane z, rw;
    bool has_inputs; /* the planes of inputs are there: they are made when something is covered */
    bool used;       /* by the primitive that is being drawn */
    uint8_t quads;   /* of the batch */
    struct raster_plane input[DRAW_ATTRIBUTES];
};

static inline double raster_at(const struct raster_plane *plane, double x, double y) {
    return plane->value + plane->x * x + plane->y * y;
}

/* ---- shapes ---- */

/* Inside: a * x + b * y + c >= 0, in 1/256 of a pixel. */
struct raster_edge {
    int64_t a, b, c;
};

struct raster_point {
    int64_t x, y;
};

struct raster_line {
    struct raster_point p[2]; /* major axis in x */
    bool y_major;
    bool first, last; /* the ends' pixels are drawn */
    int64_t width;
};

enum raster_type { RASTER_EDGES, RASTER_DISC, RASTER_LINE };

struct raster_shape {
    enum raster_type type;
    bool smooth;  /* coverage goes into alpha */
    bool stipple; /* of lines: along the major axis from `stipple_from` on, where the count is stipple_count */
    bool stipple_y, stipple_down;
    bool polygon; /* polygon stipple applies */
    bool touches; /* edges are where the upper left corners of pixels that it touches begin */
    int64_t stipple_from;
    uint32_t stipple_count;
    struct draw_box box; /* what it can cover, within all scissors */
    unsigned edges;
    struct raster_edge edge[4];
    struct raster_line line;
    int64_t center_x, center_y, radius; /* of discs */
    struct draw_setup *setup;
};

/* ---- targets ---- */

#define PIXEL_RUN 512u /* bytes of a gob */

#define PIXEL_GOBS 64u /* a region of elements of up to 8 bytes has no more */

/* A gob in one piece. */
struct pixel_gob {
    uint64_t key;
    uint8_t *run; /* NULL: none */
};

/* Elements of a target in host memory, by the gob (or the piece of a line) that was used last. */
struct pixel_access {
    struct memory *memory;
    struct surface surface;
    struct surface_mapping mapping;
    struct threads *threads; /* NULL: there is one */
    uint32_t width, height;  /* in pixels */
    uint32_t z;
    uint8_t bytes, line_shift;
    uint64_t key;
    uint16_t column[64], line[8]; /* offsets in a gob of its bytes and its lines */
    uint8_t *run;                 /* NULL: none yet */
    bool whole;                   /* the gob at hand is in one piece */
    bool paired;                  /* 64 bytes of two lines, 32 from each, follow each other: pixel_halves() */
    uint64_t run_offset, run_bytes;
    struct pixel_gob gobs[PIXEL_GOBS]; /* found before, in slots by where they are */
    uint8_t hole[PIXEL_RUN];           /* what a hole gives: zeros, and what was written since it was looked at */
};

#define PIXEL_ROWS 12u /* source, stored, second: four components each */

/* A factor of a blend equation: base + sign * row. */
struct pixel_factor {
    uint8_t row;
    float sign, base; /* sign: 0, 1 or -1 */
};

/* The signs of what is added. */
struct pixel_equation {
    float source, stored;
};

/* A colour target as loops want it. */
struct pixel_target {
    struct pixel_access access;
    uint8_t number, output; /* of the target; of the program */
    const struct draw_target *target;
    struct draw_color_key key; /* and what follows from it: */
    bool blends, reads;        /* what is stored is needed */
    bool logic, bytes8;        /* bytes8: four components of 8 bits, UNORM */
    bool integer;
    bool clamps; /* fixed point: values are bounded by `low` and 1 before blending, too */
    float low;
    bool zero_rule;        /* 0 * x is 0 */
    bool one_word;         /* bytes8 without tables, one sample, no logic operation */
    bool plain;            /* ... and nothing that is stored is needed */
    bool sampled;          /* as one_word, but for several samples */
    uint32_t component[4]; /* of bytes8: 0xff, or 0 if the format has it not; where it is */
    uint8_t shift[4];
    bool factored, has_second; /* of one_word that blends: the equations are these; they name rows of output 1 */
    struct pixel_factor source[4], stored[4];
    struct pixel_equation equation[2]; /* of colours; of alpha */
    uint64_t bits[2];                  /* of the element, that are written */
};

struct pixel_zeta {
    struct pixel_access access;
    struct draw_zeta_key key;                 /* and what follows from it: */
    bool present, active;                     /* active: something is tested, counted or written */
    bool writes, simple;                      /* simple: depth alone, of one sample */
    bool words;                               /* simple, in elements of four bytes */
    bool sampled;                             /* the same, but of several samples */
    uint32_t less, equal, greater, unordered; /* all bits, if depth passes that is so, compared with what is stored */
    uint64_t depth_mask, stencil_mask, depth_max;
    double scale; /* depth_max */
    uint8_t depth_shift, stencil_shift;
    bool is_float;
    /* Of the state: */
    double at_x, at_y;           /* of the one sample's depth in a pixel */
    double near, far, low, high; /* of viewport `ranged`: its range, and that of what is stored; no viewport: none */
    uint8_t ranged;
    uint64_t bounds_min, bounds_max; /* as depth is stored */
};

#define PIXEL_PARTS 16u /* of a stripe of eight samples */

/*
 * Elements of a stripe's samples that are 64 bytes in memory: eight columns of two lines of elements, quad by quad.
 * Parts go gob by gob (columns of 16 elements), two lines by two lines, and the left one first.
 */
struct pixel_part {
    uint32_t lane[16], bit[16]; /* whose each is; the sample's, of a mask */
    double x[16], y[16];        /* where the sample has its depth, from the first pixel's corner */
};

struct pixel_parts {
    unsigned count, columns, pairs; /* gobs side by side; pairs of lines in each */
    struct pixel_part part[PIXEL_PARTS];
};

/* ---- batches ---- */

/* Quads that become a warp: such as are collected, of one primitive or of several, or a stripe of one primitive. */
struct pixel_batch {
    unsigned quads;
    bool has_alpha;
    uint8_t live[DRAW_LANES];   /* samples that passed early tests; 0 after the quads */
    uint32_t live_lanes;        /* those that have some */
    uint8_t passed[DRAW_LANES]; /* samples that have passed all tests of a pass, for coverage that becomes a colour */
    float alpha[DRAW_LANES];    /* of smooth shapes; 1 */
    struct draw_fragments fragments;
};

/* ---- the whole ---- */

struct raster_team;
struct pixel_vector;

/* Draws regions, one after the other: a member of a team. The first one is what the owner has. */
struct draw_raster {
    struct memory *memory;
    draw_shade *shade;
    void *opaque;
    struct raster_team *team;
    struct threads *threads;
    uint32_t begun, called; /* that it knows of: states and calls, as the team counts them */
    bool stopped;           /* in region `number`, which is left as it is */
    uint32_t number;
    uint64_t samples, fragments_sum, used_sum; /* of all regions */
    const struct draw_state *state;
    struct draw_result result; /* of the region */
    uint64_t used;             /* units of the budget */

    bool early;       /* depth and stencil before the program */
    bool direct;      /* what the program makes goes to the targets as it is: no bounds, no test of alpha, no mask */
    bool after_tests; /* the program's coverage is what early tests have left */
    const struct pixel_vector *vector; /* NULL: the host has none */
    bool layered;                      /* `layer` is that of the accesses */
    uint32_t layer;
    struct draw_positions_key positions;                        /* and what follows from it: */
    int64_t offset_x[DRAW_POSITIONS], offset_y[DRAW_POSITIONS]; /* of samples, on the grid */
    int64_t depth_x[DRAW_POSITIONS], depth_y[DRAW_POSITIONS];   /* where they have their depth */
    struct draw_inputs_key inputs;
    uint16_t input_of[DRAW_ATTRIBUTES]; /* word -> 1 + index of the input; 0: none */
    uint16_t plane_of[DRAW_ATTRIBUTES]; /* the same, of words that have nothing but a plane; 0: others */
    struct draw_setup setups[RASTER_SETUPS];

    struct pixel_zeta zeta;
    struct pixel_target targets[DRAW_TARGETS];
    unsigned target_count, blended; /* blended: of these, so many */
    unsigned quad_cost;             /* what a quad takes of the budget, beside its own unit */

    bool stripes; /* stripes may be drawn at once */
    bool sampled; /* ... of several samples in a pixel, whose parts are these: */
    struct pixel_parts parts;
    struct draw_share share;    /* of the region */
    struct pixel_batch *batch;  /* at work: one of these */
    struct pixel_batch pending; /* quads are collected */
    struct pixel_batch stripe;  /* is drawn at once */
    uint32_t stripe_covered;    /* lanes that its arrays have as covered, */
    uint32_t stripe_samples;    /* and as those that the program is told of */
};

/* Of a pixel, from its upper left corner. */
static inline double raster_center(const struct draw_state *state) {
    return state->raster.integer_centers ? 0 : 0.5;
}

static inline bool raster_stopped(const struct draw_raster *raster) {
    return raster->result.failed || raster->result.faulted;
}

/* A quad that is covered: samples of its four pixels, and the alpha of smooth shapes (NULL: 1). */
struct raster_quad {
    uint32_t x, y;
    uint8_t samples[4];
    const float *alpha;
};

/* raster.c */
void raster_begin(struct draw_raster *raster, const struct draw_state *state);
/* Where a primitive may draw, at least. False: nowhere. */
bool raster_reach(const struct draw_raster *raster, const struct draw_primitive *primitive, struct draw_box *box);
/* Draws what is within the box, whose corners are those of tiles. `stipple`: pixels of a line strip before it. */
void raster_primitive(struct draw_raster *raster, const struct draw_primitive *primitive, uint32_t stipple,
                      const struct draw_box *box);
/* The count of line stipple after a primitive. */
uint32_t raster_stipple(struct draw_raster *raster, const struct draw_primitive *primitive, uint32_t stipple);

/* raster_planes.c */
void raster_weights_of_triangle(struct raster_weights *weights, const struct draw_vertex *const vertex[3],
                                const struct raster_point p[3]);
void raster_weights_of_line(struct raster_weights *weights, const struct draw_vertex *const vertex[2],
                            const struct raster_point p[2], bool aliased);
void raster_weights_of_point(struct raster_weights *weights, const struct draw_vertex *vertex, struct raster_point p);
void raster_planes(struct draw_setup *setup);
/* Sets plane_of, by the key of inputs. */
void raster_plain_planes(struct draw_raster *raster);
void raster_input_planes(const struct draw_raster *raster, struct draw_setup *setup);
double raster_offset(const struct draw_state *state, const struct draw_setup *setup);

/* raster_shape.c: false: nothing is covered. */
bool raster_shape_triangle(struct raster_shape *shape, const struct draw_raster_state *state,
                           const struct raster_point p[3]);
bool raster_shape_line(struct raster_shape *shape, const struct draw_raster_state *state,
                       const struct raster_point p[2]);
bool raster_shape_point(struct raster_shape *shape, const struct draw_state *state, struct raster_point p, double size);
/* Pixels of line stipple that it takes. */
uint32_t raster_line_length(const struct raster_point p[2]);

/* raster_line.c */
bool raster_line_begin(struct raster_shape *shape, const struct draw_raster_state *state,
                       const struct raster_point p[2]);
/* The pixels of an aliased line in a tile: a word for each row, bit 0 the first. */
void raster_line_cover(const struct raster_line *line, int32_t x, int32_t y, uint16_t rows[RASTER_TILE]);

/* raster_tile.c */
void raster_tile(struct draw_raster *raster, const struct raster_shape *shape, int32_t x, int32_t y);

/* pixels.c */
void pixels_begin(struct draw_raster *raster);
/* False: a target has no such layer. */
bool pixels_layer(struct draw_raster *raster, uint32_t layer);
void pixels_quad(struct draw_raster *raster, struct draw_setup *setup, const struct raster_quad *quad);
/* Two lines of a tile from (x, y) on, some of whose pixels are covered: `covered`, by lanes. */
void pixels_stripe(struct draw_raster *raster, struct draw_setup *setup, uint32_t x, uint32_t y, uint32_t covered);
void pixels_flush(struct draw_raster *raster);
void pixels_drop(struct draw_raster *raster);
/* After the program, of the batch at work: tests that are late, and colours. */
void pixels_finish(struct draw_raster *raster, uint8_t live[DRAW_LANES]);
/* A quad that has passed early tests, to the batch that is collected. */
void pixels_collect(struct draw_raster *raster, struct draw_setup *setup, const struct raster_quad *quad,
                    const uint8_t live[4]);

/* pixels_samples.c */
void pixels_samples_begin(struct draw_raster *raster);
/* The places of parts, by the key of positions. */
void pixels_samples_places(struct draw_raster *raster);
/* As pixels_stripe(), with lanes for each sample. False: it cannot be done at once, and nothing was. */
bool pixels_samples(struct draw_raster *raster, struct draw_setup *setup, uint32_t x, uint32_t y,
                    const uint32_t covered[DRAW_SAMPLES]);

/* pixels_stripe.c */
/* Quads that are collected are drawn first if they must be, and the stripe is the batch at work. False: it failed. */
bool pixels_stripe_prepare(struct draw_raster *raster, struct draw_setup *setup, uint32_t x, uint32_t y);
void pixels_stripe_begin(struct draw_raster *raster);
/* Lanes of two lines of 16 pixels, column 0 in bit 0: bit 4 k is column 2 k of the upper one, bit 4 k + 2 of the lower. */
static inline uint32_t pixels_lanes(uint32_t upper, uint32_t lower) {
    uint32_t lanes[2] = {upper, lower};
    for (unsigned i = 0; i < 2; i++) {
        lanes[i] = (lanes[i] | lanes[i] << 8) & 0x00ff00ff;
        lanes[i] = (lanes[i] | lanes[i] << 4) & 0x0f0f0f0f;
        lanes[i] = (lanes[i] | lanes[i] << 2) & 0x33333333;
    }
    return lanes[0] | lanes[1] << 2;
}

static inline void pixels_spread(uint32_t lanes, uint8_t to[DRAW_LANES]) {
    for (unsigned lane = 0; lane < DRAW_LANES; lane++)
        to[lane] = lanes >> lane & 1;
}

/* The other way round: the upper line in the low half. */
static inline uint32_t pixels_lines(uint32_t lanes) {
    uint32_t line[2] = {lanes & 0x33333333, lanes >> 2 & 0x33333333};
    for (unsigned i = 0; i < 2; i++) {
        line[i] = (line[i] | line[i] >> 2) & 0x0f0f0f0f;
        line[i] = (line[i] | line[i] >> 4) & 0x00ff00ff;
        line[i] = (line[i] | line[i] >> 8) & 0x0000ffff;
    }
    return line[0] | line[1] << 16;
}

/* How many: of all of them, mostly. */
static inline unsigned pixels_count_lanes(uint32_t lanes) {
    return lanes == UINT32_MAX ? DRAW_LANES : (unsigned)__builtin_popcount(lanes);
}

/* Those of quads of which some lane is in the mask. */
static inline uint32_t pixels_quads_of(uint32_t lanes) {
    lanes |= lanes >> 1;
    lanes = (lanes | lanes >> 2) & 0x11111111;
    return lanes * 15;
}

/* pixels_memory.c */
void pixel_access_begin(struct pixel_access *access, const struct draw_raster *raster, const struct draw_target *target,
                        uint32_t layer, bool writes, bool reads);
/* Raise the fault of a target whose memory was not there. */
void pixel_raise(struct draw_raster *raster, struct draw_result *result);
/* Another gob than the last one, or one that is in several pieces. */
uint8_t *pixel_element_elsewhere(struct pixel_access *access, uint64_t x, uint64_t y, struct fault *fault,
                                 bool *faulted);

static inline uint64_t pixel_key(const struct pixel_access *access, uint64_t x, uint64_t y) {
    return x * access->bytes >> 6 | (y >> access->line_shift) << 32;
}

static inline uint64_t pixel_in_run(const struct pixel_access *access, uint64_t x, uint64_t y) {
    unsigned line = (unsigned)y & ((1u << access->line_shift) - 1);
    return (uint64_t)access->column[x * access->bytes & 63] + access->line[line];
}

/* NULL: a fault, or an element that is not in one piece. */
static inline uint8_t *pixel_element(struct pixel_access *access, uint64_t x, uint64_t y, struct fault *fault,
                                     bool *faulted) {
    uint64_t in = pixel_in_run(access, x, y);
    if (access->run && access->key == pixel_key(access, x, y) && in + access->bytes <= access->run_bytes)
        return access->run + in;
    return pixel_element_elsewhere(access, x, y, fault, faulted);
}

/* The pixels of a quad at (x, y), even ones, are in the target, and all their elements in the gob at hand. */
static inline bool pixel_has_quad(const struct pixel_access *access, const struct draw_samples *samples, uint32_t x,
                                  uint32_t y) {
    uint64_t first_x = (uint64_t)x << samples->log2_x, first_y = (uint64_t)y << samples->log2_y;
    uint64_t last_x = first_x + (2u << samples->log2_x) - 1, last_y = first_y + (2u << samples->log2_y) - 1;
    uint64_t key = pixel_key(access, first_x, first_y);
    return access->run && access->line_shift && access->key == key && pixel_key(access, last_x, last_y) == key &&
           access->run_bytes == UINT64_C(64) << access->line_shift && x + 1 < access->width && y + 1 < access->height;
}

/*
 * The same for a target of one sample in elements of four bytes. upper, lower: where the lines of the quad are, in each
 * of which two pixels are next to each other.
 */
static inline bool pixel_word_quad(const struct pixel_access *access, uint32_t x, uint32_t y, uint8_t **upper,
                                   uint8_t **lower) {
    uint64_t key = x >> 4 | (uint64_t)(y >> access->line_shift) << 32;
    if (!access->whole || access->key != key || x + 1 >= access->width || y + 1 >= access->height)
        return false;
    unsigned lines = (1u << access->line_shift) - 1;
    uint8_t *column = access->run + access->column[x * 4 & 63];
    *upper = column + access->line[y & lines];
    *lower = column + access->line[(y + 1) & lines];
    return true;
}

/* Two whole lines of a gob, of 16 elements of four bytes; upper, lower: four elements each, one after the other. */
static inline bool pixel_word_stripe(const struct pixel_access *access, uint32_t x, uint32_t y, uint8_t *upper[4],
                                     uint8_t *lower[4]) {
    uint64_t key = x >> 4 | (uint64_t)(y >> access->line_shift) << 32;
    if (!access->whole || access->key != key || x + 15 >= access->width || y + 1 >= access->height)
        return false;
    unsigned lines = (1u << access->line_shift) - 1;
    for (unsigned i = 0; i < 4; i++) {
        upper[i] = access->run + access->column[16 * i] + access->line[y & lines];
        lower[i] = access->run + access->column[16 * i] + access->line[(y + 1) & lines];
    }
    return true;
}

/* The same for a gob whose lines are paired: 64 bytes of the first eight columns, and of the others. */
static inline bool pixel_halves(const struct pixel_access *access, uint32_t x, uint32_t y, uint8_t *half[2]) {
    uint64_t key = x >> 4 | (uint64_t)(y >> 3) << 32;
    if (!access->paired || !access->whole || access->key != key || x + 15 >= access->width || y + 1 >= access->height)
        return false;
    half[0] = access->run + access->line[y & 7];
    half[1] = half[0] + access->column[32];
    return true;
}

/* Where the parts of a stripe of samples are. False: not all of them are at hand. */
bool pixel_parts_at(struct pixel_access *access, const struct pixel_parts *parts, uint32_t x, uint32_t y,
                    uint8_t *at[PIXEL_PARTS]);

/* Brings the gob of a pixel to hand. What goes wrong goes wrong again as its element is asked for. */
static inline void pixel_bring(struct pixel_access *access, uint32_t x, uint32_t y) {
    struct fault fault;
    bool faulted;
    if (x < access->width && y < access->height && !(access->run && access->key == pixel_key(access, x, y)))
        pixel_element_elsewhere(access, x, y, &fault, &faulted);
}

/* Little endian; `bytes` is 1 .. 8. */
static inline uint64_t pixel_load(const uint8_t *at, unsigned bytes) {
    uint64_t word = 0;
    if (bytes == 4)
        return at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
    for (unsigned i = 0; i < bytes; i++)
        word |= (uint64_t)at[i] << 8 * i;
    return word;
}

static inline void pixel_store(uint8_t *at, uint64_t word, unsigned bytes) {
    if (bytes == 4) {
        at[0] = (uint8_t)word;
        at[1] = (uint8_t)(word >> 8);
        at[2] = (uint8_t)(word >> 16);
        at[3] = (uint8_t)(word >> 24);
        return;
    }
    for (unsigned i = 0; i < bytes; i++)
        at[i] = (uint8_t)(word >> 8 * i);
}

/* Of 8 bits. */
static inline unsigned pixel_count(uint32_t samples) {
    samples = (samples & 0x55) + (samples >> 1 & 0x55);
    samples = (samples & 0x33) + (samples >> 2 & 0x33);
    return (samples & 0xf) + (samples >> 4);
}

/* pixels_zeta.c: which samples of a pixel pass; they are written, too. `exported`: the program's depth, or NULL. */
void pixels_zeta_begin(struct draw_raster *raster);
void pixels_zeta_quad(struct draw_raster *raster, const struct draw_setup *setup, uint32_t x, uint32_t y,
                      uint8_t live[4]);
uint8_t pixels_zeta_test(struct draw_raster *raster, const struct draw_setup *setup, uint32_t x, uint32_t y,
                         uint8_t samples, const float *exported);

/* pixels_zeta_stripe.c: which lanes of a stripe pass, of those that are live. */
uint32_t pixels_zeta_stripe(struct draw_raster *raster, const struct draw_setup *setup, uint32_t x, uint32_t y,
                            uint32_t live);
/* The same if it can be done at once. False: nothing was done. */
bool pixels_zeta_at_once(struct draw_raster *raster, const struct draw_setup *setup, uint32_t x, uint32_t y,
                         uint32_t *live);
/* The same of several samples. */
bool pixels_zeta_samples(struct draw_raster *raster, const struct draw_setup *setup, uint32_t x, uint32_t y,
                         uint8_t live[DRAW_LANES]);

/* pixels_color.c: the batch's colours, for the samples in `live`. */
void pixels_color_begin(struct draw_raster *raster);
/* Are values of output `number` bounded to 0 .. 1 by all targets that take it? */
bool pixels_color_bounds(const struct draw_raster *raster, unsigned number);
/* Those of the stripe at work, of one sample. */
void pixels_color_stripe(struct draw_raster *raster, uint32_t live);
/* The same of several samples. */
void pixels_color_samples(struct draw_raster *raster, const uint8_t live[DRAW_LANES]);
void pixels_color(struct draw_raster *raster, const uint8_t live[DRAW_LANES]);

/* pixels_reduce.c: the samples of colour targets that these of the raster are in. */
uint8_t pixels_reduce(const struct draw_raster_state *state, uint8_t samples);
/* pixels_color() for targets with fewer samples; the fragments' colours are used up. */
void pixels_color_reduced(struct draw_raster *raster, const uint8_t live[DRAW_LANES]);

/* Where sample `s` of a pixel is on the grid, from the pixel's corner. */
static inline unsigned raster_position(const struct draw_samples *samples, uint32_t x, uint32_t y, unsigned s) {
    uint32_t in_x = x & ((1u << samples->block_x) - 1), in_y = y & ((1u << samples->block_y) - 1);
    return ((in_x + (in_y << samples->block_x)) * samples->count + s) & (DRAW_POSITIONS - 1);
}

#endif
