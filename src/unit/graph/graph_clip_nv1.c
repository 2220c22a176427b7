/* SPDX-License-Identifier: MIT */
#include "unit/graph/graph_clip.h"

/* Registers of NV1; those of y follow those of x. */
enum {
    DEBUG_A = 0x400080,
    VTX_X = 0x400400,
    VTX_X_REL = 0x400500,
    ICLIP_X = 0x400450,
    UCLIP_XMIN = 0x400460, /* XMIN, XMAX, YMIN, YMAX */
    XY_B = 0x400644,
    XY_D_X = 0x400648,
    SUBDIVIDE = 0x400658,
    XY_E = 0x40065c,
    CANVAS_MIN = 0x400688,
    CANVAS_MAX = 0x40068c,
};

#define AXIS_Y       0x80u  /* from VTX_X to VTX_Y */
#define REL          0x100u /* from a register to its _REL */
#define VTX_OF_UCLIP 15u
#define POINT        0x08u       /* type */
#define LIMIT_BITS   0x3ffffu    /* of clip limits */
#define CANVAS_BITS  0xfffu      /* of limits that are compared */
#define READ_CLEARS  0x00fff000u /* of XY_B: which limits are tighter */
#define FRACTION     (1u << 25)  /* XY_B */
#define CLIPS        (1u << 7)   /* CTX_SWITCH */
/* XY_B: 0 the user's minimum, 1 its maximum, 2 the image's maximum. */
#define TIGHTER(xy, n) (1u << (12 + 4 * (xy) + (n)))

/* Of a register among its neighbours. */
static uint32_t graph_clip_nv1_number_of(const struct reg *reg, uint32_t index) {
    return (reg->offset >> 2) + index;
}

static uint32_t graph_clip_nv1_type_of(const struct pgraph *graph) {
    return (graph->r.access & GRAPH_OBJECT_NV1) >> 12;
}

static bool is_textured(const struct pgraph *graph) {
    uint32_t type = graph_clip_nv1_type_of(graph) & 0xf;
    return type == 0xd || type == 0xe;
}

static bool graph_clip_nv1_has_fraction(const struct pgraph *graph) {
    return is_textured(graph) && (clip_word_of(graph, XY_B) & FRACTION);
}

/* Is a limit of the user or of the image tighter than the canvas's, and does it count? */
static bool is_tighter(const struct pgraph *graph, unsigned xy, unsigned which) {
    return (clip_word_of(graph, XY_B) & TIGHTER(xy, which)) && (which == 2 || (graph->r.channel & CLIPS));
}

static uint32_t uclip(const struct pgraph *graph, unsigned xy, unsigned max) {
    return clip_word_of(graph, UCLIP_XMIN + 8 * xy + 4 * max);
}

/* The canvas's corner: where relative coordinates begin; as a limit, not below 0. */
static int32_t corner(const struct pgraph *graph, unsigned xy) {
    return clip_signed(clip_word_of(graph, CANVAS_MIN) >> 16 * xy, 16);
}

static uint32_t lower_limit(const struct pgraph *graph, unsigned xy) {
    int32_t canvas = corner(graph, xy);
    uint32_t limit = is_tighter(graph, xy, 0) ? uclip(graph, xy, 0) : canvas < 0 ? 0 : (uint32_t)canvas;
    return limit & CANVAS_BITS;
}

static uint32_t upper_limit(const struct pgraph *graph, unsigned xy, bool of_image) {
    uint32_t limit = clip_word_of(graph, CANVAS_MAX) >> 16 * xy;
    if (is_tighter(graph, xy, 1))
        limit = uclip(graph, xy, 1);
    if (of_image && is_tighter(graph, xy, 2))
        limit = clip_word_of(graph, ICLIP_X + 4 * xy);
    return limit & CANVAS_BITS;
}

/* A coordinate as it is compared. */
static int32_t compared(const struct pgraph *graph, uint32_t coordinate) {
    if (!is_textured(graph))
        return clip_signed(coordinate, 18);
    int32_t whole = clip_signed(coordinate >> 15, 16);
    return clip_word_of(graph, XY_B) & FRACTION ? whole >> 4 : whole;
}

/* Does the edge of a textured quad use vertices 16 and 17? */
static bool uses_edge(const struct pgraph *graph) {
    uint32_t divided = clip_word_of(graph, SUBDIVIDE), debug_b = graph->r.debug_1,
             type = graph_clip_nv1_type_of(graph) & 0xf;
    bool both_images =
        (debug_b >> 8 & 1) && !(clip_word_of(graph, XY_D_X) >> 28 & 3) && !(clip_word_of(graph, XY_D_X + 4) >> 28 & 3);
    bool fits = true;
    for (unsigned i = 0; i < 4; i++)
        fits = fits && (divided >> (i / 2 * 4) & 0xf) <= (divided >> (16 + 4 * i) & 0xf);
    if (!is_textured(graph) || !(debug_b >> 24 & 1) || ((clip_word_of(graph, DEBUG_A) >> 24 & 1) && !fits))
        return false;
    return type == 0xe || !both_images;
}

/* How vertex `n` compares; in XY_D it is number `slot`. */
static void graph_clip_nv1_show_vertex(struct pgraph *graph, unsigned xy, uint32_t n, unsigned slot, bool carry) {
    uint32_t value = clip_word_of(graph, VTX_X + AXIS_Y * xy + 4 * n), *d = clip_word_at(graph, XY_D_X + 4 * xy);
    int32_t at = compared(graph, value), low = (int32_t)lower_limit(graph, xy);
    int32_t high = (int32_t)upper_limit(graph, xy, true);
    uint32_t status = clip_compare(at, low, high);
    bool out = !is_textured(graph) && (int32_t)value != clip_signed(value, 16);
    clip_put(d, slot, 1, carry);
    clip_put(d, slot + 4, 1, out);
    if (graph_clip_nv1_type_of(graph) == POINT)
        clip_put(d, 8, 0xff, status * 0x11);
    else if (n < 16 || uses_edge(graph))
        clip_put(d, 8 + 4 * slot, 0xf, status);
    if (n >= 16)
        clip_put(clip_word_at(graph, XY_E), 16 + 4 * xy + 8 * (n - 16), 0xf, status);
}

void graph_write_vtx_nv1(void *unit, const struct reg *reg, uint32_t index, uint32_t value) {
    struct pgraph *graph = unit;
    bool relative = reg->offset >= VTX_X_REL;
    unsigned xy = (reg->offset & AXIS_Y) != 0;
    uint32_t base = (uint32_t)corner(graph, xy) << (graph_clip_nv1_has_fraction(graph) ? 4 : 0);
    uint32_t coordinate = value + (relative ? base : 0);
    *clip_word_at(graph, VTX_X + AXIS_Y * xy + 4 * index) = coordinate;
    graph_clip_nv1_show_vertex(graph, xy, index, relative ? index & 3 : 0, relative && coordinate < base);
}

/* The limits of the user and the canvas, not the image's own. */
void graph_write_iclip_nv1(void *unit, const struct reg *reg, uint32_t index, uint32_t value) {
    struct pgraph *graph = unit;
    unsigned xy = graph_clip_nv1_number_of(reg, index) & 1;
    bool relative = reg->offset >= ICLIP_X + REL;
    uint32_t base = (uint32_t)corner(graph, xy) << (graph_clip_nv1_has_fraction(graph) ? 4 : 0);
    uint32_t coordinate = value + (relative ? base : 0), *b = clip_word_at(graph, XY_B);
    int32_t at = compared(graph, coordinate);
    bool inside = at <= (int32_t)upper_limit(graph, xy, false);
    *clip_word_at(graph, ICLIP_X + 4 * xy) = coordinate & LIMIT_BITS;
    clip_put(b, 4 + xy, 1, at < (int32_t)lower_limit(graph, xy));
    *b &= ~(TIGHTER(0, 2) | TIGHTER(1, 2) | 1u << 20);
    *b |= inside ? TIGHTER(xy, 2) | (xy ? 0 : 1u << 20) : 0;
}

/* A maximum is compared with the canvas. */
static void graph_clip_nv1_compare_uclip(struct pgraph *graph, unsigned xy) {
    uint32_t *b = clip_word_at(graph, XY_B), d = clip_word_of(graph, XY_D_X + 4 * xy);
    int32_t low = corner(graph, xy) < 0 ? 0 : (int32_t)(clip_word_of(graph, CANVAS_MIN) >> 16 * xy & CANVAS_BITS);
    int32_t high = (int32_t)(clip_word_of(graph, CANVAS_MAX) >> 16 * xy & CANVAS_BITS);
    int32_t at = clip_signed(uclip(graph, xy, 1), 18) >> (graph_clip_nv1_has_fraction(graph) ? 4 : 0);
    clip_put(b, 4 + xy, 1, 0);
    clip_put(b, 8 + xy, 1, at < low || ((d >> 10 & 1) && at >= 0));
    *b |= d >> 8 & 1 ? 0 : TIGHTER(xy, 0);
    *b |= at <= high ? TIGHTER(xy, 1) : 0;
}

#define UCLIP_FORGETS 0x00177000u /* XY_B */
#define STARTED       (1u << 24)

void graph_write_uclip_nv1(void *unit, const struct reg *reg, uint32_t index, uint32_t value) {
    struct pgraph *graph = unit;
    unsigned n = graph_clip_nv1_number_of(reg, index) & 3, xy = n >> 1, max = n & 1;
    uint32_t coordinate = value + (reg->offset >= UCLIP_XMIN + REL ? (uint32_t)corner(graph, xy) : 0);
    *clip_word_at(graph, UCLIP_XMIN + 8 * xy) = uclip(graph, xy, 1);
    *clip_word_at(graph, UCLIP_XMIN + 8 * xy + 4) = coordinate & LIMIT_BITS;
    *clip_word_at(graph, VTX_X + AXIS_Y * xy + 4 * VTX_OF_UCLIP) = coordinate;
    *clip_word_at(graph, XY_B) &= ~(max ? UCLIP_FORGETS : UCLIP_FORGETS | STARTED);
    if (max)
        graph_clip_nv1_compare_uclip(graph, xy);
}

/* A read forgets which limits are tighter. */
uint32_t graph_read_uclip_nv1(void *unit, const struct reg *reg, uint32_t index) {
    *clip_word_at(unit, XY_B) &= ~READ_CLEARS;
    return *reg_storage(unit, reg, index) & reg->readable;
}
