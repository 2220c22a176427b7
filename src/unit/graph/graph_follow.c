/* SPDX-License-Identifier: MIT */
#include "unit/graph/graph_follow.h"

#include <assert.h>

#include "unit/graph/graph_regs.h"

/* How a value becomes that of a register. */
enum how { PLAIN, LOW_HALF, NOT_NEGATIVE, NONE, COLOR, COLOR_RGB, COLOR_ALPHA, BITS, SURFACE_FORMAT, STEP };

/* When a row holds: always, or by the colour format of NV3's scaled images. */
enum when { ALWAYS, NOT_YUV420, YUV420_ONLY };

/* Which surface of NV3, CTX_SWITCH 17:16: another register, or other bits of it. */
enum by_surface { ONE, REGISTER, FIELD };

struct follow {
    const char *chips;
    uint8_t type;
    uint16_t method;
    uint16_t count;  /* of methods, 0: one */
    uint8_t stride;  /* bytes between them, 0: 4 */
    uint32_t offset; /* of the register, 0: none */
    uint32_t keeps;  /* bits, after `from` */
    uint8_t from, to;
    enum how how;
    enum when when;
    enum by_surface by_surface;
    uint32_t sets, clears; /* in VALID */
};

#define V(n)      (1u << (n))
#define NV1       "NV1"
#define NV3       "NV3:NV4"
#define BOTH      "NV1:NV4"
#define MISC24_0  0x400510
#define MISC24_1  0x400570
#define MISC32_0  0x40050c
#define MISC32_1  0x40054c
#define DMA(n)    (0x401800 + 0x10 * (n))
#define DMA_PITCH 0x401830
#define VTX_X(n)  (0x400400 + 4 * (n))
#define VTX_Y(n)  (0x400480 + 4 * (n))
#define WORD_     .keeps = ~0u

/* A colour that solid objects draw with. */
#define SOLID(type, ...)                                                                                               \
    {NV1, type, __VA_ARGS__, .offset = 0x400654, WORD_}, {                                                             \
        NV3, type, __VA_ARGS__, .offset = MISC32_0, WORD_, .sets = V(16)                                               \
    }
#define SOLID_NV3(type, ...)                                                                                           \
    { NV3, type, __VA_ARGS__, .offset = MISC32_0, WORD_, .sets = V(16) }
#define PATTERN(method, n)                                                                                             \
    {BOTH, 0x06, method, .offset = 0x400600 + 8 * (n), .how = COLOR_RGB, .keeps = 0x3fffffff}, {                       \
        BOTH, 0x06, method, .offset = 0x400604 + 8 * (n), .how = COLOR_ALPHA, .keeps = 0xff                            \
    }
#define PATTERN_BITS(method, n)                                                                                        \
    { BOTH, 0x06, method, .offset = 0x400610 + 4 * (n), .how = BITS, WORD_ }
/* A second colour of bitmaps; NV3 draws with it. */
#define SECOND_COLOR(type, method)                                                                                     \
    { NV3, type, method, .offset = MISC32_1, WORD_, .sets = V(18) }
#define CONVERTED(chips, type, method, at)                                                                             \
    { chips, type, method, .offset = (at), .how = COLOR, .keeps = 0x7fffffff }
#define SUBDIVIDE(type)                                                                                                \
    { NV1, type, 0x304, .offset = 0x400658, .keeps = 0xffff00ff }
#define FIRST_COLOR_NV3(type, method)                                                                                  \
    { NV3, type, method, .offset = 0x40061c, .how = COLOR, .keeps = 0x7fffffff, .sets = V(17) }
/* SIFC forgets its place. */
#define FROM_START(method)                                                                                             \
    {NV3, 0x15, method, .offset = 0x400514, .how = NONE, .keeps = 0xf, .to = 28},                                      \
        {NV3, 0x15, method, .offset = 0x400518, .how = NONE, .keeps = 1}, {                                            \
        NV3, 0x15, method, .offset = 0x40051c, .how = NONE, .keeps = 1                                                 \
    }
#define CONFIG 0xf77fbdf3u

static const struct follow rows[] = {
    /* context objects */
    {NV1, 0x01, 0x300, .offset = 0x400630, .how = NOT_NEGATIVE, .keeps = 0x7f800000},
    {NV3, 0x01, 0x300, .offset = 0x400640, .how = NOT_NEGATIVE, .keeps = 0x7f800000},
    {BOTH, 0x02, 0x300, .offset = 0x400624, .keeps = 0xff},
    CONVERTED(BOTH, 0x03, 0x304, 0x40062c),
    CONVERTED(NV1, 0x04, 0x304, 0x400628),
    {BOTH, 0x06, 0x308, .offset = 0x400618, .keeps = 3},
    PATTERN(0x310, 0),
    PATTERN(0x314, 1),
    PATTERN_BITS(0x318, 0),
    PATTERN_BITS(0x31c, 1),
    {NV3, 0x1c, 0x300, .offset = 0x4006a8, .how = SURFACE_FORMAT, .keeps = 7, .by_surface = FIELD},
    {NV3, 0x1c, 0x308, .offset = 0x400650, .keeps = 0x1ff0, .by_surface = REGISTER},
    {"NV3", 0x1c, 0x30c, .offset = 0x400630, .keeps = 0x003ffff0, .by_surface = REGISTER},
    {"NV3T", 0x1c, 0x30c, .offset = 0x400630, .keeps = 0x007ffff0, .by_surface = REGISTER},

    /* colours */
    SOLID_NV3(0x07, 0x304),
    SOLID(0x08, 0x304),
    SOLID(0x08, 0x500, 16, 8),
    SOLID(0x09, 0x304),
    SOLID(0x09, 0x600, 16, 8),
    SOLID(0x0a, 0x304),
    SOLID(0x0a, 0x600, 16, 8),
    SOLID(0x0b, 0x304),
    SOLID(0x0b, 0x500, 8, 16),
    SOLID(0x0b, 0x580, 16, 8),
    {NV1, 0x0c, 0x304, .offset = 0x400654, WORD_},
    SOLID_NV3(0x0c, 0x3fc),
    SOLID_NV3(0x0c, 0x7fc),
    SOLID_NV3(0x18, 0x800, 256, 8),
    CONVERTED(NV1, 0x12, 0x308, 0x40061c),
    CONVERTED(NV1, 0x12, 0x30c, 0x400620),
    FIRST_COLOR_NV3(0x12, 0x308),
    FIRST_COLOR_NV3(0x0c, 0x13ec),
    SECOND_COLOR(0x12, 0x30c),
    SECOND_COLOR(0x0c, 0xbf4),
    SECOND_COLOR(0x0c, 0xff0),
    SECOND_COLOR(0x0c, 0x13f0),

    /* textured quads; images to and from memory */
    SUBDIVIDE(0x0d),
    SUBDIVIDE(0x0e),
    SUBDIVIDE(0x1d),
    SUBDIVIDE(0x1e),
    {NV1, 0x13, 0x310, .offset = VTX_X(6), WORD_, .sets = 0x040040},
    {NV1, 0x14, 0x310, .offset = VTX_X(6), WORD_, .sets = 0x040040},
    {NV3, 0x14, 0x310, .offset = DMA_PITCH, .keeps = 0xffff, .sets = V(10), .clears = V(14)},

    /* M2MF */
    {NV3, 0x0d, 0x30c, .offset = DMA(0), WORD_, .sets = V(0)},
    {NV3, 0x0d, 0x310, .offset = DMA(1), WORD_, .sets = V(1)},
    {NV3, 0x0d, 0x314, .offset = DMA_PITCH, .keeps = 0xffff, .sets = V(2)},
    {NV3, 0x0d, 0x318, .offset = DMA_PITCH, .keeps = 0xffff, .to = 16, .sets = V(3)},
    {NV3, 0x0d, 0x31c, .offset = MISC24_0, .keeps = 0xffffff, .sets = V(4)},
    {NV3, 0x0d, 0x320, .offset = 0x401290, .keeps = 0x7ff, .sets = V(5)},
    {NV3, 0x0d, 0x324, .offset = 0x401840, .keeps = 0x707, .sets = V(6)},
    {NV3, 0x0d, 0x328, .offset = DMA(2), WORD_, .sets = V(7)},

    /* scaled and stretched images */
    {NV3, 0x0e, 0x318, .offset = MISC32_0, WORD_, .sets = V(4)},
    {NV3, 0x0e, 0x318, .offset = 0x400518, .how = STEP, .keeps = 0xf, .to = 24},
    {NV3, 0x0e, 0x31c, .offset = VTX_Y(3), WORD_, .sets = V(5)},
    {NV3, 0x0e, 0x31c, .offset = 0x40051c, .how = STEP, .keeps = 0xf, .to = 24},
    {NV3, 0x0e, 0x400, .offset = MISC24_0, .how = LOW_HALF, .keeps = 0xffffff},
    {NV3, 0x0e, 0x400, .offset = MISC24_1, .keeps = 0x7ff},
    {NV3, 0x0e, 0x400, .offset = MISC24_1, .keeps = 0x7ff, .from = 16, .to = 11},
    {NV3, 0x0e, 0x400, .when = NOT_YUV420, .sets = V(9), .clears = V(13)},
    {NV3, 0x0e, 0x400, .when = YUV420_ONLY, .sets = V(13), .clears = V(9)},
    {NV3, 0x0e, 0x404, .offset = DMA_PITCH, .keeps = 0xffff, .when = NOT_YUV420, .sets = V(10), .clears = V(14)},
    {NV3, 0x0e, 0x404, .offset = DMA_PITCH, WORD_, .when = YUV420_ONLY, .sets = V(14), .clears = V(10)},
    {NV3, 0x0e, 0x408, .offset = DMA(0), WORD_, .when = NOT_YUV420, .sets = V(11), .clears = V(15) | V(16) | V(17)},
    {NV3, 0x0e, 0x408, .offset = DMA(0), WORD_, .when = YUV420_ONLY, .sets = V(15), .clears = V(11)},
    {NV3, 0x0e, 0x40c, .offset = DMA(1), WORD_, .when = YUV420_ONLY, .sets = V(16), .clears = V(11)},
    {NV3, 0x0e, 0x410, .offset = DMA(2), WORD_, .when = YUV420_ONLY, .sets = V(17), .clears = V(11)},
    {NV3, 0x15, 0x308, .offset = VTX_X(5), WORD_, .sets = V(5)},
    FROM_START(0x308),
    {NV3, 0x15, 0x30c, .offset = VTX_Y(5), WORD_, .sets = V(13)},
    FROM_START(0x30c),

    /* 3D, points with depth */
    {NV3, 0x17, 0x304, .offset = DMA(0), WORD_, .sets = V(23)},
    {NV3, 0x17, 0x308, .offset = MISC32_0, WORD_, .sets = V(24)},
    {NV3, 0x17, 0x30c, .offset = MISC32_1, WORD_, .sets = V(25)},
    {NV3, 0x17, 0x310, .offset = MISC24_0, .keeps = 0xffffff, .sets = V(27)},
    {NV3, 0x17, 0x314, .offset = 0x400644, .keeps = CONFIG, .sets = V(26)},
    {NV3, 0x17, 0x318, .offset = 0x4006c8, .keeps = 0xfff},
    {NV3, 0x18, 0x304, .offset = 0x400644, .keeps = CONFIG, .sets = V(26)},
    {NV3, 0x18, 0x308, .offset = 0x4006c8, .keeps = 0xfff},
};

#define VALID_NV1     0x400650u
#define VALID_NV3     0x400508u
#define CANVAS_CONFIG 0x400634u /* NV1 */
#define SWITCH_NV3    0x400180u
#define VTX_BETA      0x400700u

static bool is_nv1(const struct pgraph *graph) {
    return !graph->unit.chip->has_dma_target;
}

static uint32_t *follow_word(struct pgraph *graph, uint32_t offset) {
    return &graph->r.stored[GRAPH_WORD(offset)];
}

uint32_t graph_options(const struct pgraph *graph) {
    return is_nv1(graph) ? graph->r.channel : graph->r.stored[GRAPH_WORD(SWITCH_NV3)];
}

/* ---- colours ---- */

struct color {
    uint32_t r, g, b; /* of 10 bits */
    uint32_t a;       /* of 8 bits */
};

enum { R5G5B5, R8G8B8, R10G10B10, Y8, Y16, FORMATS };

/* Replicated bits fill what a component is short of; without, they are 0. Only NV1 can do it. */
static uint32_t graph_follow_widen(uint32_t value, unsigned bits, bool replicates) {
    assert(bits <= 10 && value >> bits == 0);
    uint32_t wide = value << (10 - bits);
    return replicates ? wide | (bits >= 5 ? value >> (2 * bits - 10) : 0) : wide;
}

static struct color graph_follow_gray(uint32_t y, uint32_t a) {
    return (struct color){y, y, y, a};
}

/* NV1 and NV3 know five formats; NV3's other numbers are the second one. */
static struct color parts(uint32_t format, uint32_t c, bool replicates) {
    switch (format) {
    case R5G5B5:
        return (struct color){graph_follow_widen(c >> 10 & 0x1f, 5, replicates),
                              graph_follow_widen(c >> 5 & 0x1f, 5, replicates),
                              graph_follow_widen(c & 0x1f, 5, replicates), c >> 15 & 1 ? 0xff : 0};
    case R10G10B10:
        return (struct color){c >> 20 & 0x3ff, c >> 10 & 0x3ff, c & 0x3ff, (c >> 30) * 0x55};
    case Y8:
        return graph_follow_gray(graph_follow_widen(c & 0xff, 8, replicates), c >> 8 & 0xff);
    case Y16:
        return graph_follow_gray(c >> 6 & 0x3ff, c >> 24);
    default:
        return (struct color){graph_follow_widen(c >> 16 & 0xff, 8, replicates),
                              graph_follow_widen(c >> 8 & 0xff, 8, replicates),
                              graph_follow_widen(c & 0xff, 8, replicates), c >> 24};
    }
}

/* Without the option ALPHA a colour is opaque. */
static struct color graph_follow_color_of(const struct pgraph *graph, uint32_t value) {
    uint32_t options = graph_options(graph);
    bool nv1 = is_nv1(graph), has_alpha = options >> (nv1 ? 13 : 3) & 1;
    bool replicates = nv1 && (graph->r.stored[GRAPH_WORD(CANVAS_CONFIG)] >> 20 & 1);
    struct color color = parts(nv1 ? (options >> 9 & 0xf) % FORMATS : options & 7, value, replicates);
    color.a = has_alpha ? color.a : 0xff;
    return color;
}

/* ---- other conversions ---- */

/* The bits of each byte in the opposite order, if the bitmaps are in that. */
static uint32_t turned(const struct pgraph *graph, uint32_t bits, uint32_t before) {
    uint32_t turns = is_nv1(graph) ? graph_options(graph) >> 14 & 1 : before >> 8 & 1, result = 0;
    for (unsigned i = 0; i < 32; i++)
        result |= (bits >> i & 1) << (i ^ (turns ? 7 : 0));
    return result;
}

static uint32_t surface_format(uint32_t value) {
    uint32_t format = !(value >> 24 & 1) ? 3 : !(value >> 16 & 1) ? 2 : value & 1 ? 0 : 1;
    return format | 4;
}

/* How far a source moves with a pixel, in few bits. */
static uint32_t graph_follow_step_of(uint32_t value) {
    uint32_t whole = value >> 17;
    if (whole < 0x4000)
        return whole < 7 ? whole : 7;
    return whole >= 0x7ff8 ? whole & 0xf : 9;
}

static uint32_t converted(const struct pgraph *graph, enum how how, uint32_t value, uint32_t before) {
    struct color c = graph_follow_color_of(graph, value);
    switch (how) {
    case LOW_HALF:
        return value & 0xffff;
    case NOT_NEGATIVE:
        return value >> 31 ? 0 : value;
    case NONE:
        return 0;
    case COLOR:
        return (c.a ? 1u << 30 : 0) | c.r << 20 | c.g << 10 | c.b;
    case COLOR_RGB:
        return c.r << 20 | c.g << 10 | c.b;
    case COLOR_ALPHA:
        return c.a;
    case BITS:
        return turned(graph, value, before);
    case SURFACE_FORMAT:
        return surface_format(value);
    case STEP:
        return graph_follow_step_of(value);
    default:
        return value;
    }
}

/* ---- rows ---- */

/* Of the row's type. */
static bool graph_follow_is_for(const struct pgraph *graph, const struct follow *row, uint32_t method) {
    uint32_t stride = row->stride ? row->stride : 4, count = row->count ? row->count : 1;
    uint32_t distance = method - row->method;
    if (method < row->method || distance % stride || distance / stride >= count)
        return false;
    if (row->when != ALWAYS && graph_is_yuv420(graph) != (row->when == YUV420_ONLY))
        return false;
    return chip_in_range(graph->unit.chip, row->chips);
}

static void follow_row(struct pgraph *graph, const struct follow *row, uint32_t data, uint32_t before) {
    uint32_t surface = row->by_surface == ONE ? 0 : graph_options(graph) >> 16 & 3;
    uint32_t *valid = follow_word(graph, is_nv1(graph) ? VALID_NV1 : VALID_NV3);
    *valid = (*valid & ~row->clears) | row->sets;
    if (!row->offset)
        return;
    uint32_t *word = follow_word(graph, row->offset + (row->by_surface == REGISTER ? 4 * surface : 0));
    unsigned to = row->to + (row->by_surface == FIELD ? 4 * surface : 0);
    assert(to < 32 && row->from < 32);
    uint32_t value = converted(graph, row->how, data, before) >> row->from & row->keeps;
    *word = (*word & ~(row->keeps << to)) | value << to;
}

/*
 * NV1: two factors of textured quads, for the current type; the last one of a quad with nine vertices has no second. Of
 * 16 bits the upper nine count.
 */
static void follow_beta(struct pgraph *graph, uint32_t number, uint32_t data) {
    uint32_t current = (graph->r.access & GRAPH_OBJECT_NV1) >> 12;
    assert(number < 5);
    for (uint32_t i = 0; i < 2; i++) {
        uint32_t half = data >> 16 * i & 0xff80;
        if (2 * number + i == 9 && (current & 0xf) == 0xe)
            break;
        *follow_word(graph, VTX_BETA + 8 * number + 4 * i) = half << 8 | 0x4000 | (half >> 15) << 24;
    }
    if (current == 0x1d || current == 0x1e)
        *follow_word(graph, VALID_NV1) |= V(12 + number);
}

void graph_follow(struct pgraph *graph, uint32_t type, uint32_t method, uint32_t data, uint32_t before) {
    uint32_t betas = type == 0x1d ? 2 : type == 0x1e ? 5 : 0;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (rows[i].type == type && graph_follow_is_for(graph, &rows[i], method))
            follow_row(graph, &rows[i], data, before);
    if (is_nv1(graph) && method >= 0x380 && method < 0x380 + 4 * betas)
        follow_beta(graph, (method - 0x380) / 4, data);
}
