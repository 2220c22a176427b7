/* SPDX-License-Identifier: MIT */
#include "unit/graph/graph_clip.h"
#include "unit/graph/graph_regs.h"

/* Registers of NV3; those of y follow those of x. */
enum {
    CTX_SWITCH = 0x400180,
    VTX_X = 0x400400,
    XY_D_X = 0x400500,
    XY_B = 0x400518,     /* of the user's rectangle, of the objects' own one */
    STATUS_X = 0x400524, /* two words each, of 8 vertices */
    ICLIP_X = 0x400534,
    UCLIP = 0x40053c, /* XMIN, YMIN, XMAX, YMAX */
    OCLIP = 0x400560,
    CANVAS_MIN = 0x400558,
    CANVAS_MAX = 0x40055c,
};

#define AXIS_Y         0x80u /* from VTX_X to VTX_Y */
#define VTX_OF_UCLIP   13u
#define SLOT           8u /* of CLIP_STATUS, for every vertex that is written */
#define LIMIT_BITS     0x3ffffu
#define FORGETS        0x00177000u                   /* XY_B */
#define CLIPS          (1u << 15)                    /* CTX_SWITCH */
#define TIGHTER(xy, n) (1u << (12 + 4 * (xy) + (n))) /* XY_B: 0 the minimum, 1 the maximum, 2 the image's maximum */

#define GDI    0x0cu /* types */
#define SIFM   0x0eu
#define SIFC   0x15u
#define D3D    0x17u
#define POINT  0x08u
#define ZPOINT 0x18u

/* Types with a clip rectangle of their own; those that show what is out of range; those of one vertex. */
#define BIT(type)  (1u << (type))
#define OWN_CLIP   (BIT(GDI) | BIT(SIFM) | BIT(SIFC))
#define SHOW_RANGE (0x1f00u | BIT(SIFM) | 0x70000u | BIT(0x14) | BIT(SIFC))
#define POINTS     (BIT(POINT) | BIT(ZPOINT))

static uint32_t graph_clip_nv3_type_of(const struct pgraph *graph) {
    return graph->r.channel >> 16 & 0x1f; /* CTX_USER */
}

static bool graph_clip_nv3_is_of(const struct pgraph *graph, uint32_t types) {
    return (types >> graph_clip_nv3_type_of(graph) & 1) != 0;
}

/* The bits of a limit: those of the canvas. */
static uint32_t canvas_bits(const struct pgraph *graph, unsigned xy) {
    return xy == 0 ? 0x7ffu : graph_canvas_y(graph);
}

/* The minimum or maximum (1): the canvas's, or that of the rectangle that the object clips with. */
static int32_t graph_clip_nv3_limit(const struct pgraph *graph, unsigned xy, unsigned max) {
    bool own = graph_clip_nv3_is_of(graph, OWN_CLIP), clips = own || (clip_word_of(graph, CTX_SWITCH) & CLIPS);
    bool tighter = (clip_word_of(graph, XY_B + (own ? 4 : 0)) & TIGHTER(xy, max)) != 0;
    uint32_t value = clip_word_of(graph, max ? CANVAS_MAX : CANVAS_MIN) >> 16 * xy & 0xffff;
    if (clips && tighter)
        value = clip_word_of(graph, (own ? OCLIP : UCLIP) + 4 * xy + 8 * max);
    return (int32_t)(value & canvas_bits(graph, xy));
}

static int32_t graph_clip_nv3_compared(const struct pgraph *graph, uint32_t coordinate) {
    return graph_clip_nv3_type_of(graph) == D3D ? clip_signed(coordinate >> 4, 12) : clip_signed(coordinate, 18);
}

static void graph_clip_nv3_show_vertex(struct pgraph *graph, unsigned xy, uint32_t coordinate) {
    int32_t at = graph_clip_nv3_compared(graph, coordinate), low = graph_clip_nv3_limit(graph, xy, 0),
            high = graph_clip_nv3_limit(graph, xy, 1);
    uint32_t status = clip_compare(at, low, high);
    bool out = graph_clip_nv3_type_of(graph) != SIFC && (int32_t)coordinate != clip_signed(coordinate, 16);
    if (graph_clip_nv3_is_of(graph, SHOW_RANGE)) {
        clip_put(clip_word_at(graph, XY_D_X + 4 * xy), SLOT & 3, 1, 0);
        clip_put(clip_word_at(graph, XY_D_X + 4 * xy), (SLOT & 3) + 4, 1, out);
    }
    if (graph_clip_nv3_is_of(graph, POINTS))
        clip_put(clip_word_at(graph, STATUS_X + 8 * xy), 0, 0xff, status * 0x11);
    else
        clip_put(clip_word_at(graph, STATUS_X + 8 * xy + 4), 0, 0xf, status);
}

void graph_write_vtx_nv3(void *unit, const struct reg *reg, uint32_t index, uint32_t value) {
    (void)index;
    graph_clip_nv3_show_vertex(unit, (reg->offset & AXIS_Y) != 0, value);
}

void graph_write_iclip_nv3(void *unit, const struct reg *reg, uint32_t index, uint32_t value) {
    struct pgraph *graph = unit;
    unsigned xy = reg->offset != ICLIP_X;
    int32_t at = graph_clip_nv3_compared(graph, value);
    bool below = at < graph_clip_nv3_limit(graph, xy, 0), inside = at <= graph_clip_nv3_limit(graph, xy, 1);
    (void)index;
    for (unsigned i = 0; i < 2; i++) {
        uint32_t *b = clip_word_at(graph, XY_B + 4 * i);
        clip_put(b, 4 + xy, 1, below);
        *b &= ~(TIGHTER(0, 2) | TIGHTER(1, 2) | 1u << 20);
        *b |= inside ? TIGHTER(xy, 2) | (xy ? 0 : 1u << 20) : 0;
    }
}

/* A maximum is compared with what limits without this rectangle. */
static void graph_clip_nv3_compare_uclip(struct pgraph *graph, unsigned which, unsigned xy, uint32_t coordinate) {
    uint32_t *b = clip_word_at(graph, XY_B + 4 * which), status = clip_word_of(graph, STATUS_X + 8 * xy);
    int32_t low = graph_clip_nv3_limit(graph, xy, 0), high = graph_clip_nv3_limit(graph, xy, 1),
            at = graph_clip_nv3_compared(graph, coordinate & LIMIT_BITS);
    clip_put(b, 4 + xy, 1, 0);
    clip_put(b, 8 + xy, 1, at < low || ((status >> 2 & 1) && at >= 0));
    *b |= status & 1 ? 0 : TIGHTER(xy, 0);
    *b |= at <= high ? TIGHTER(xy, 1) : 0;
}

void graph_write_uclip_nv3(void *unit, const struct reg *reg, uint32_t index, uint32_t value) {
    struct pgraph *graph = unit;
    unsigned which = reg->offset >= OCLIP;
    uint32_t first = which ? OCLIP : UCLIP, n = (reg->offset - first) / 4, xy = n & 1, max = n >> 1;
    uint32_t base = first + 4 * xy;
    (void)index;
    *clip_word_at(graph, base) = clip_word_of(graph, base + 8);
    *clip_word_at(graph, base + 8) = value & LIMIT_BITS;
    *clip_word_at(graph, VTX_X + AXIS_Y * xy + 4 * VTX_OF_UCLIP) = value;
    *clip_word_at(graph, XY_B + 4 * which) &= ~FORGETS;
    if (max)
        graph_clip_nv3_compare_uclip(graph, which, xy, value);
}
