/* SPDX-License-Identifier: MIT */
/*
 * Side effects of writes to PGRAPH's registers on other registers, NV1 .. NV4x.
 *
 *   DEBUG_0, a reset bit --------------------------------> registers of drawing, as after power-on
 *   CTX_SWITCH, VOLATILE_RESET, and a new subchannel (NV3) --> forget an object's state, if DEBUG_1 enables it
 *   a register that methods check ------------------------> its bit in VALID
 *   a side of a clip rectangle ---------------------------> the other side takes its old value
 *   the start of a surface (NV20 .. NV31, NV35 ..) -------> bits of its pair in two registers, unless a bit forbids it
 *
 * Not modelled: the effects of methods of NV4 and later on these registers, which keep what a driver wrote (the engine
 *               has the state of objects, per channel); those of NV1 and NV3 are in graph_follow.h. How coordinates of
 *               NV4 and later compare with their limits; those of NV1 and NV3 are in graph_clip.h.
 *
 * Sources: envytools nvhw/pgraph.c, hwtest/pgraph_state.cc, pgraph_state_tests.cc, pgraph_scan.cc; rnndb/graph.
 */
#include "unit/graph/graph_regs.h"

#define VOLATILE_RESET_LAST  (1u << 0)  /* DEBUG_1 */
#define DMA_CANCEL           (1u << 4)  /* DEBUG_1 */
#define VOLATILE_RESET       (1u << 31) /* CTX_SWITCH */
#define VOLATILE_ENABLE      (1u << 28) /* DEBUG_2 of NV3 .. NV5 */
#define VOLATILE_ENABLE_NV10 (1u << 19) /* DEBUG_3 */
#define CLIP_BITS            0x3ffffu
#define DEBUG_2              0x400088u
#define DEBUG_4              0x400090u
#define SURF_TYPE            0x400710u
#define UNKA10_STORED        0xdfff3fffu
#define SURFACE_6            0x400880u
#define SURFACES_KEEP        (1u << 20)
#define UNCLIPPED            0x55555555u

/* Keeps some bits of a register and sets others; offset 0 ends a list. */
struct forgotten {
    uint32_t offset, keep, set;
};

#define CLIP_STATUS                                                                                                    \
    {0x400524, 0, UNCLIPPED}, {0x400528, 0, UNCLIPPED}, {0x40052c, 0, UNCLIPPED}, {                                    \
        0x400530, 0, UNCLIPPED                                                                                         \
    }

static const struct forgotten volatile_nv1[] = {
    {0x400640, 0, 0},          {0x40061c, 0x3fffffff, 0},
    {0x400620, 0x3fffffff, 0}, {0x400650, 0x11000000, 0},
    {0x400644, 0x00033300, 0}, {0x400648, 0, 0x00555500},
    {0x40064c, 0, 0x00555500}, {0x400654, 0x00ff00ff, 0},
    {0x400658, 0xffff0000, 0}, {0},
};

static const struct forgotten volatile_nv3[] = {
    {0x400514, 0, 0},
    {0x40061c, 0x3fffffff, 0},
    {0x400518, ~0x001440ffu, 0},
    {0x40051c, ~0x001440feu, 0},
    {0x4006c8, 0, 0x800},
    {0x40050c, 0x00ff00ff, 0},
    {0x400520, ~0x00000011u, 0},
    {0x400500, 0, 0},
    {0x400504, 0, 0},
    {0x400508, 0xf0000000, 0},
    CLIP_STATUS,
    {0},
};

#define VOLATILE_NV4(xy_misc, notify, dvd_format, valid)                                                               \
    {0x400514, 0, xy_misc}, {0x400518, 0, 0}, {0x40051c, 1, 0}, {0x40050c, 0, 0}, {dvd_format, 0, 0},                  \
        {notify, ~0x00010000u, 0}, {0x400520, ~0x00000011u, 0}, {0x400500, 0, 0}, {0x400504, 0, 0},                    \
        {0x400508, valid, 0}, CLIP_STATUS
#define VOLATILE_NV10(xy_misc)                                                                                         \
    VOLATILE_NV4(xy_misc, 0x400718, 0x400774, 0x50000000), {0x400560, 0, 0}, {0x400564, 0, 0}, {0x400568, 0, 0xffff},  \
    {                                                                                                                  \
        0x40056c, 0, 0xffff                                                                                            \
    }
#define VALID_1_FORGETS                                                                                                \
    { 0x400578, 0xc0000000, 0 }

static const struct forgotten volatile_nv4[] = {VOLATILE_NV4(0, 0x400714, 0x400764, 0xf0000000), VALID_1_FORGETS, {0}};
static const struct forgotten volatile_nv10[] = {VOLATILE_NV10(0), VALID_1_FORGETS, {0}};
static const struct forgotten volatile_nv20[] = {VOLATILE_NV10(0), {0}};
static const struct forgotten volatile_nv34[] = {VOLATILE_NV10(0x00040000), {0}};

static const struct forgotten all_nv1[] = {
    {0x400650, 0, 0},
    {0x40065c, 0xffff0000, 0},
    {0x400640, 0x00001000, 0},
    {0x400644, 0x03000000, 0},
    {0x400648, 0xff000000, 0x00555500},
    {0x40064c, 0xff000000, 0x00555500},
    {0},
};

static const struct forgotten all_nv3[] = {
    {0x40061c, 0x3fffffff, 0},
    {0x400514, 0x00100000, 0},
    {0x400518, 0x0f000000, 0},
    {0x40051c, 0x0f000000, 0},
    {0x400520, ~0x00001100u, 0},
    {0x400500, 0x30000000, 0},
    {0x400504, 0x30000000, 0},
    {0x400630, 0, 0},
    {0x400634, 0, 0},
    {0x400638, 0, 0},
    {0x40063c, 0, 0},
    {0x400644, 0, 0},
    {0x400510, 0, 0},
    {0x400570, 0, 0},
    {0x400508, 0, 0},
    CLIP_STATUS,
    {0},
};

static const struct forgotten drawing_nv4[] = {
    {0x400514, 0x00100000, 0},
    {0x400518, 0, 0},
    {0x40051c, 0, 0},
    {0x400520, ~0x00001100u, 0},
    {0x400500, ~0x000000ffu, 0},
    {0x400504, ~0x000000ffu, 0},
    CLIP_STATUS,
    {0x400508, 0, 0},
    {0x400578, 0, 0},
    {0x400510, 0, 0},
    {0x400570, 0, 0},
    {0x400574, 0, 0},
    {0},
};

#define ZERO(offset)                                                                                                   \
    { offset, 0, 0 }
#define LIMIT(offset)                                                                                                  \
    { offset, 0, ~(1u << 31) }
static const struct forgotten surfaces_nv4[] = {
    ZERO(0x400640),  ZERO(0x400644),  ZERO(0x400648),  ZERO(0x40064c),
    ZERO(0x400650),  ZERO(0x400654),  ZERO(0x400658),  ZERO(0x40065c),
    ZERO(0x400660),  ZERO(0x400664),  ZERO(0x400668),  ZERO(0x40066c),
    ZERO(0x400670),  ZERO(0x400674),  ZERO(0x400678),  ZERO(0x40067c),
    ZERO(0x400680),  LIMIT(0x400684), LIMIT(0x400688), LIMIT(0x40068c),
    LIMIT(0x400690), LIMIT(0x400694), LIMIT(0x400698), ZERO(0x40069c),
    ZERO(0x4006a0),  ZERO(0x400610),  ZERO(0x400614),  {0},
};

static const struct forgotten dma_nv4[] = {{0x401044, ~0x00001000u, 0}, {0x401084, ~0x00001000u, 0}, {0}};

/* By bits of DEBUG_0. */
struct reset {
    uint32_t bits;
    const struct forgotten *forgotten;
};

struct graph_resets {
    const char *chips;
    const struct forgotten *forgets; /* with an object */
    uint32_t enable_2, enable_3;     /* bits of DEBUG_2 and DEBUG_3 that enable it */
    struct reset reset[4];
    bool stops_dma; /* a reset clears DMA_INTR_EN */
    /* Of a pair of surfaces two bits and, with such a register, two times 4 bits; a bit of `keep` keeps them. */
    struct {
        uint32_t keep, bits, fields;
    } surfaces;
    uint32_t canvas_y; /* NV3: bits of a canvas's lines */
};

static const struct graph_resets resets[] = {
    {"NV1", volatile_nv1, 0, 0, {{1, all_nv1}}, false},
    {"NV3", volatile_nv3, VOLATILE_ENABLE, 0, {{1, all_nv3}}, true, .canvas_y = 0x3fff},
    {"NV3T", volatile_nv3, VOLATILE_ENABLE, 0, {{1, all_nv3}}, true, .canvas_y = 0x7fff},
    {"NV4:NV10",
     volatile_nv4,
     VOLATILE_ENABLE,
     0,
     {{0x003, drawing_nv4}, {0x011, surfaces_nv4}, {0x101, dma_nv4}},
     false},
    {"NV10:NV20", volatile_nv10, 0, VOLATILE_ENABLE_NV10, {{0}}, false},
    {"NV20:NV25", volatile_nv20, 0, VOLATILE_ENABLE_NV10, {{0}}, false, {0x400880, 0x400888, 0}},
    {"NV25:NV34", volatile_nv20, 0, VOLATILE_ENABLE_NV10, {{0}}, false, {0x400890, 0x400898, 0x40089c}},
    {"NV34:G80", volatile_nv34, 0, VOLATILE_ENABLE_NV10, {{0}}, false},
};

const struct graph_resets *graph_resets_of(const struct pfifo_chip *chip) {
    return CHIP_ROW(chip, resets);
}

uint32_t graph_canvas_y(const struct pgraph *graph) {
    return graph->resets->canvas_y;
}

static uint32_t *graph_drawing_word(struct pgraph *graph, uint32_t offset) {
    return &graph->r.stored[GRAPH_WORD(offset)];
}

static void graph_drawing_forget(struct pgraph *graph, const struct forgotten *list) {
    for (const struct forgotten *f = list; f->offset; f++)
        *graph_drawing_word(graph, f->offset) = (*graph_drawing_word(graph, f->offset) & f->keep) | f->set;
}

/* ---- resets ---- */

void graph_write_debug_0(void *unit, const struct reg *reg, uint32_t index, uint32_t value) {
    struct pgraph *graph = unit;
    for (const struct reset *r = graph->resets->reset; r->bits; r++)
        if (value & r->bits)
            graph_drawing_forget(graph, r->forgotten);
    if ((value & 1) && graph->resets->stops_dma) {
        graph->r.dma_intr_en = 0;
        graph_write_line(unit, reg, index, value);
    }
}

void graph_write_debug_1(void *unit, const struct reg *reg, uint32_t index, uint32_t value) {
    (void)reg, (void)index;
    if (value & DMA_CANCEL)
        *graph_drawing_word(unit, 0x400518) &= ~1u;
}

uint32_t graph_read_debug_1_nv10(void *unit, const struct reg *reg, uint32_t index) {
    uint32_t value = *reg_storage(unit, reg, index) & reg->readable;
    return (value & 0x3fffffff) | value >> 31 << 30 | (value >> 30 & 1) << 31;
}

void graph_forget_object(struct pgraph *graph, bool forgets) {
    graph->r.debug_1 &= ~VOLATILE_RESET_LAST;
    if (!forgets)
        return;
    graph->r.debug_1 |= VOLATILE_RESET_LAST;
    graph_drawing_forget(graph, graph->resets->forgets);
}

void graph_leave_object(struct pgraph *graph, bool asked) {
    const struct graph_resets *r = graph->resets;
    bool enabled = (*graph_drawing_word(graph, DEBUG_2) & r->enable_2) || (graph->r.debug_3 & r->enable_3);
    graph_forget_object(graph, asked && enabled);
}

void graph_write_context(void *unit, const struct reg *reg, uint32_t index, uint32_t value) {
    (void)reg, (void)index;
    graph_leave_object(unit, (value & VOLATILE_RESET) != 0);
}

/* ---- registers that are more than storage ---- */

/* Negative values become 0. */
void graph_write_beta(void *unit, const struct reg *reg, uint32_t index, uint32_t value) {
    if (value >> 31)
        *reg_storage(unit, reg, index) = 0;
}

/* Bit 18 is set if bits 17:1 are 0, but can be set without. */
void graph_write_xy_misc(void *unit, const struct reg *reg, uint32_t index, uint32_t value) {
    (void)value;
    uint32_t *stored = reg_storage(unit, reg, index);
    if (!(*stored & 0x3fffe))
        *stored |= 1u << 18;
}

/* Bits 8 and 12 show bits 0 and 4. */
void graph_write_copied(void *unit, const struct reg *reg, uint32_t index, uint32_t value) {
    (void)value;
    uint32_t *stored = reg_storage(unit, reg, index);
    *stored = (*stored & ~0x1100u) | (*stored & 0x11) << 8;
}

#define MARK(name, valid, bit)                                                                                         \
    void graph_mark_##name(void *unit, const struct reg *reg, uint32_t index, uint32_t value) {                        \
        (void)reg, (void)index, (void)value;                                                                           \
        *graph_drawing_word(unit, valid) |= 1u << (bit);                                                               \
    }
GRAPH_MARKS(MARK)

/* Bit 29 is not stored: it shows whether DEBUG_4 and the type of the surfaces have it so. */
uint32_t graph_read_unka10(void *unit, const struct reg *reg, uint32_t index) {
    bool shown = (*graph_drawing_word(unit, DEBUG_4) & 1u << 2) && (*graph_drawing_word(unit, SURF_TYPE) & 0xc);
    return (*reg_storage(unit, reg, index) & UNKA10_STORED) | (shown ? 1u << 29 : 0);
}

/* Bits 29 and 30 show bit 28. */
void graph_write_state3d(void *unit, const struct reg *reg, uint32_t index, uint32_t value) {
    (void)value;
    uint32_t *stored = reg_storage(unit, reg, index);
    *stored = (*stored & ~0x60000000u) | (*stored >> 28 & 1) * 0x60000000u;
}

/* ---- surfaces of NV20 and later ---- */

/* The seventh surface is apart from the others. */
static uint32_t surface_number(const struct reg *reg, uint32_t index) {
    return reg->offset < SURFACE_6 ? index : 6;
}

void graph_write_surf_base(void *unit, const struct reg *reg, uint32_t index, uint32_t value) {
    (void)value;
    const struct pgraph *graph = unit;
    uint32_t first = surface_number(reg, index) & ~1u;
    if (*graph_drawing_word(unit, graph->resets->surfaces.keep) & SURFACES_KEEP)
        return;
    *graph_drawing_word(unit, graph->resets->surfaces.bits) &= ~(3u << first);
    if (graph->resets->surfaces.fields)
        *graph_drawing_word(unit, graph->resets->surfaces.fields) &= ~(0xffu << (4 * first));
}

void graph_write_surf_offset(void *unit, const struct reg *reg, uint32_t index, uint32_t value) {
    graph_mark_surf_offset(unit, reg, index, value);
    graph_write_surf_base(unit, reg, index, value);
}

/* ---- clip rectangles ---- */

static void shift_clip(struct pgraph *graph, uint32_t min, uint32_t max, uint32_t value) {
    *graph_drawing_word(graph, min) = *graph_drawing_word(graph, max);
    *graph_drawing_word(graph, max) = value & CLIP_BITS;
}

void graph_write_clip_min(void *unit, const struct reg *reg, uint32_t index, uint32_t value) {
    (void)index;
    shift_clip(unit, reg->offset, reg->offset + 8, value);
}

void graph_write_clip_max(void *unit, const struct reg *reg, uint32_t index, uint32_t value) {
    (void)index;
    shift_clip(unit, reg->offset - 8, reg->offset, value);
}
