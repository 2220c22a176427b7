/* SPDX-License-Identifier: MIT */
#include "engine/twod/unified.h"

#include "engine/kinds.h"
#include "engine/core/words.h"
#include "engine/core/predicate.h"
#include "methods/gf100_2d.h"

#define F(code)        (UINT64_C(1) << (0x##code - 0xc0))
#define F4(a, b, c, d) (F(a) | F(b) | F(c) | F(d))

/* Surfaces of both classes, and what 902d has besides. */
#define SURFACES                                                                                                       \
    (F4(c0, c3, ca, cb) | F4(ce, cf, d0, d1) | F4(d5, d6, df, e5) | F4(e6, e7, e8, e9) | F4(ee, f2, f3, f8) |          \
     F4(f9, fa, fb, fc) | F(fd) | F(fe) | F(ff))
#define FERMI_SURFACES (F4(c6, c7, d7, da) | F4(db, de, e0, ea) | F4(eb, ef, f4, f7))

/* Colours in a word, and what Fermi fills with besides. */
#define WORDS       (F4(cf, d1, d5, df) | F4(e6, e8, e9, ee) | F4(f3, f8, f9, fb) | F4(fc, fd, fe, ff))
#define LONG_COLORS (F(c0) | F(ca) | F(cb))

/*
 * Mesa uses operations with cf d0 d1 d5 d6 e6 e7 e8 f9 fa, X drivers (NV50EXASetROP) and nouveau's console also with
 * f3 and f8.
 * UNKNOWN: which other formats they are legal for; chosen: all that are a word or less of normalised components.
 */
#define OPERATIONS (WORDS | F4(d0, d6, e7, fa))

_Static_assert((SURFACES & FERMI_SURFACES) == 0, "no format is in both lists");
_Static_assert(((OPERATIONS | LONG_COLORS) & ~SURFACES) == 0, "every format drawn is one of a surface");

const struct unified_class unified_tesla = {
    .has_dma = true,
    .has_source_layer = true,
    .has_block_width = true,
    .has_index_wrap = true,
    .pitch_align = 1, /* has no such error */
    .formats = SURFACES,
    .solids = WORDS,
    .uploads = WORDS,
    .operations = OPERATIONS,
};

const struct unified_class unified_fermi = {
    .has_direction = true,
    .has_byte_expand = true,
    .pitch_align = 32, /* as of all linear images, by deko3d */
    .formats = SURFACES | FERMI_SURFACES,
    .solids = WORDS | LONG_COLORS,
    .uploads = WORDS,
    .operations = OPERATIONS,
};

/* Of a new context: nouveau nvkm/engine/gr/ctxnv50.c, ctxgf100.c. */
#define RESETS                                                                                                         \
    {GF100_2D_SET_DST_FORMAT, 0xcf}, {GF100_2D_SET_DST_MEMORY_LAYOUT, 1}, {GF100_2D_SET_DST_BLOCK_SIZE, 0x20},         \
        {GF100_2D_SET_DST_DEPTH, 1}, {GF100_2D_SET_DST_PITCH, 0x80}, {GF100_2D_SET_DST_WIDTH, 0x100},                  \
        {GF100_2D_SET_DST_HEIGHT, 0x100}, {GF100_2D_SET_SRC_FORMAT, 0xcf}, {GF100_2D_SET_SRC_MEMORY_LAYOUT, 1},        \
        {GF100_2D_SET_SRC_BLOCK_SIZE, 0x20}, {GF100_2D_SET_SRC_DEPTH, 1}, {GF100_2D_SET_SRC_PITCH, 0x80},              \
        {GF100_2D_SET_SRC_WIDTH, 0x100}, {GF100_2D_SET_SRC_HEIGHT, 0x100},                                             \
        {GF100_2D_SET_RENDER_SOLID_PRIM_COLOR_FORMAT, 0xcf}, {GF100_2D_SET_RENDER_SOLID_LINE_TIE_BREAK_BITS, 0x1000},  \
        {GF100_2D_SET_PIXELS_FROM_CPU_COLOR_FORMAT, 0xcf}, {GF100_2D_SET_PIXELS_FROM_CPU_INDEX_FORMAT, 2},             \
        {GF100_2D_SET_PIXELS_FROM_CPU_SRC_WIDTH, 1}, {GF100_2D_SET_PIXELS_FROM_CPU_SRC_HEIGHT, 1},                     \
        {GF100_2D_SET_PIXELS_FROM_CPU_DX_DU_INT, 1}, {GF100_2D_SET_PIXELS_FROM_CPU_DY_DV_INT, 1},                      \
        {GF100_2D_SET_BIG_ENDIAN_CONTROL, 0x4444480}, {GF100_2D_SET_PIXELS_FROM_MEMORY_CORRAL_SIZE, 4},                \
        {GF100_2D_SET_PIXELS_FROM_MEMORY_DST_WIDTH, 1}, {GF100_2D_SET_PIXELS_FROM_MEMORY_DST_HEIGHT, 1},               \
        {GF100_2D_SET_PIXELS_FROM_MEMORY_DU_DX_INT, 1}, {GF100_2D_SET_PIXELS_FROM_MEMORY_DV_DY_INT, 1},                \
        PREDICATE_RESET(GF100_2D_SET_RENDER_ENABLE_C)

static const struct method_reset tesla_resets[] = {RESETS, {0}};
static const struct method_reset fermi_resets[] = {RESETS, PREDICATE_RESET(GF100_2D_SET_GLOBAL_RENDER_ENABLE_C), {0}};

#define UNIFIED(text, reset_list)                                                                                      \
    .name = (text), .role = ROLE_2D, .report_bits = 8, .resets = (reset_list),                                         \
    .private = {.bytes = 4 * UNIFIED_EXTRA_WORDS}, .parts = {&words_part}

const struct kind kind_tesla_2d = {
    UNIFIED("Tesla 2D", tesla_resets),
    .groups = {notify_nv4_actions, unified_pattern_actions, unified_tesla_solid_actions, unified_tesla_upload_actions,
               unified_tesla_blit_actions},
};

const struct kind kind_fermi_2d = {
    UNIFIED("2D", fermi_resets),
    .groups = {notify_gf100_actions, predicate_global_actions, unified_pattern_actions, unified_fermi_solid_actions,
               unified_fermi_upload_actions, unified_fermi_blit_actions, macro_actions, macro_dma_actions},
};
