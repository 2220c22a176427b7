/* SPDX-License-Identifier: MIT */
/* Targets, depth, stencil, blend. */
#include "engine/draw/decode_gf100.h"

#define MAX_BLOCK 5u /* log2 of gobs */

/* ---- codes ---- */

/* OpenGL's from 0x200 on, D3D's from 1 on: in the same order. UNKNOWN: all others; chosen: never. */
static uint8_t compare(uint32_t code) {
    if (code >= 0x200 && code <= 0x207)
        return (uint8_t)(code - 0x200);
    return code >= 1 && code <= 8 ? (uint8_t)(code - 1) : DRAW_NEVER;
}

/* UNKNOWN: codes that are not listed; chosen: keep. */
static uint8_t stencil_op(uint32_t code) {
    static const struct {
        uint16_t code;
        uint8_t op;
    } ops[] = {
        {0x0, DRAW_STENCIL_ZERO}, {0x1e00, DRAW_KEEP},    {0x1e01, DRAW_REPLACE}, {0x1e02, DRAW_INCR_SAT},
        {0x1e03, DRAW_DECR_SAT},  {0x150a, DRAW_INVERT},  {0x8507, DRAW_INCR},    {0x8508, DRAW_DECR},
        {1, DRAW_KEEP},           {2, DRAW_STENCIL_ZERO}, {3, DRAW_REPLACE},      {4, DRAW_INCR_SAT},
        {5, DRAW_DECR_SAT},       {6, DRAW_INVERT},       {7, DRAW_INCR},         {8, DRAW_DECR},
    };
    for (unsigned i = 0; i < sizeof ops / sizeof ops[0]; i++)
        if (ops[i].code == code)
            return ops[i].op;
    return DRAW_KEEP;
}

/* UNKNOWN: codes that are not listed; chosen: add. */
static uint8_t blend_op(uint32_t code) {
    static const uint8_t gl[] = {DRAW_ADD, DRAW_MIN, DRAW_MAX, DRAW_ADD, DRAW_SUBTRACT, DRAW_REVERSE_SUBTRACT};
    static const uint8_t d3d[] = {DRAW_ADD, DRAW_SUBTRACT, DRAW_REVERSE_SUBTRACT, DRAW_MIN, DRAW_MAX};
    if (code >= 0x8006 && code <= 0x800b)
        return gl[code - 0x8006];
    return code >= 1 && code <= 5 ? d3d[code - 1] : DRAW_ADD;
}

/*
 * D3D's BOTHSRCALPHA (0xc, 0xd) set both factors: the other one follows in blend_of(). UNKNOWN: codes that are not
 * listed; chosen: one.
 */
static uint8_t factor(uint32_t code) {
    static const uint8_t gl[] = {DRAW_SRC_COLOR,           DRAW_ONE_MINUS_SRC_COLOR, DRAW_SRC_ALPHA,
                                 DRAW_ONE_MINUS_SRC_ALPHA, DRAW_DST_ALPHA,           DRAW_ONE_MINUS_DST_ALPHA,
                                 DRAW_DST_COLOR,           DRAW_ONE_MINUS_DST_COLOR, DRAW_SRC_ALPHA_SATURATE};
    static const uint8_t d3d[] = {DRAW_ZERO,
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
                                  DRAW_SRC_ALPHA,
                                  DRAW_ONE_MINUS_SRC_ALPHA,
                                  DRAW_CONSTANT_COLOR,
                                  DRAW_ONE_MINUS_CONSTANT_COLOR,
                                  DRAW_SRC1_COLOR,
                                  DRAW_ONE_MINUS_SRC1_COLOR,
                                  DRAW_SRC1_ALPHA,
                                  DRAW_ONE_MINUS_SRC1_ALPHA};
    if (code == 0x4000)
        return DRAW_ZERO;
    if (code >= 0x4300 && code <= 0x4308)
        return gl[code - 0x4300];
    if (code >= 0xc001 && code <= 0xc004)
        return (uint8_t)(DRAW_CONSTANT_COLOR + (code - 0xc001));
    if (code >= 0xc900 && code <= 0xc903)
        return (uint8_t)(DRAW_SRC1_COLOR + (code - 0xc900));
    return code >= 1 && code <= 0x13 ? d3d[code - 1] : DRAW_ONE;
}

/* ---- blend ---- */

/* `at`: op, source, destination of colours; three of alpha at `alpha`, whose destination is at `last`. */
static void blend_of(const struct draw_source *source, bool separate, uint32_t at, uint32_t alpha, uint32_t last,
                     struct draw_blend *blend) {
    enum { BOTH = 0xc, BOTH_INVERSE = 0xd };
    blend->op_rgb = blend_op(value(source, at));
    blend->src_rgb = factor(value(source, at + 4));
    blend->dst_rgb = factor(value(source, at + 8));
    if (value(source, at + 4) == BOTH)
        blend->dst_rgb = DRAW_ONE_MINUS_SRC_ALPHA;
    if (value(source, at + 4) == BOTH_INVERSE)
        blend->dst_rgb = DRAW_SRC_ALPHA;
    blend->op_alpha = separate ? blend_op(value(source, alpha)) : blend->op_rgb;
    blend->src_alpha = separate ? factor(value(source, alpha + 4)) : blend->src_rgb;
    blend->dst_alpha = separate ? factor(value(source, last)) : blend->dst_rgb;
}

static void set_blend(const struct draw_source *source, unsigned number, struct draw_blend *blend) {
    uint32_t own = 0x1e00 + number * 32;
    bool common_enable = value(source, 0x135c) & 1;
    blend->enabled = value(source, 0x1360 + (common_enable ? 0 : number * 4)) & 1;
    if (value(source, 0x12e4) & 1)
        blend_of(source, value(source, own) & 1, own + 4, own + 0x10, own + 0x18, blend);
    else
        blend_of(source, value(source, 0x133c) & 1, 0x1340, 0x134c, 0x1358, blend);
}

void decode_gf100_blend(struct draw_state *state, const struct draw_source *source) {
    struct draw_blend_state *blend = &state->blend;
    uint32_t coverage = value(source, 0x153c);
    for (unsigned i = 0; i < DRAW_TARGETS; i++) {
        uint32_t masks = value(source, 0x1a00 + (flag(source, 0xf90) ? 0 : i * 4));
        blend->mask[i] = (uint8_t)((masks & 1) | (masks >> 3 & 2) | (masks >> 6 & 4) | (masks >> 9 & 8));
        blend->clamp[i] = (uint8_t)(value(source, 0x13a8) >> i * 4 & 3);
        set_blend(source, i, &blend->target[i]);
    }
    for (unsigned i = 0; i < 4; i++)
        blend->color[i] = real(source, 0x131c + i * 4);
    /*
     * Only with multisampling, if the method says so. UNKNOWN: its bit 1, by the program's mask; chosen: nothing, as
     * Mesa leaves it set, and OpenGL has both [driver].
     */
    bool multisample = flag(source, 0x1534) || !flag(source, 0x16b4);
    blend->alpha_to_coverage = (coverage & 1) && multisample;
    /* UNKNOWN: alpha to one without it; chosen: none, as Mesa leaves it on while it resolves samples [driver]. */
    blend->alpha_to_one = (coverage >> 4 & 1) && flag(source, 0x1534);
    blend->alpha_test = flag(source, 0x12ec);
    blend->alpha_compare = compare(value(source, 0x1314));
    blend->alpha_reference = real(source, 0x1310);
    blend->zero_times_any = flag(source, 0x19c0);
    blend->logic = flag(source, 0x19c4);
    blend->logic_op = value(source, 0x19c8) & 15;
    blend->coverage_to_color = source->of->sample_places && flag(source, 0x11f8);
}

/* ---- targets ---- */

static uint8_t block_field(uint32_t block, unsigned shift) {
    uint32_t field = block >> shift & 15;
    return (uint8_t)(field < MAX_BLOCK ? field : MAX_BLOCK);
}

/* Of a surface whose layout is zeros: field by field, so that bytes that are not used stay 0. */
static void set_block_layout(struct layout *layout, const struct draw_source *source, uint32_t block, uint64_t bytes,
                             uint32_t height) {
    layout->type = LAYOUT_BLOCK;
    layout->width = bytes;
    layout->height = height;
    layout->depth = 1;
    layout->block_width = block_field(block, 0);
    layout->block_height = block_field(block, 4);
    layout->block_depth = block_field(block, 8);
    layout->order = source->order;
}

static void set_color(struct draw_target *target, const struct draw_source *source, unsigned number,
                      const struct draw_samples *samples) {
    uint32_t at = 0x800 + number * 64, memory = value(source, at + 0x14);
    uint32_t width = value(source, at + 8) & 0xfffffff, height = value(source, at + 0xc) & 0x1ffff;
    uint32_t depth = value(source, at + 0x18) & 0xfffffff, first = value(source, at + 0x20) & 0xffff;
    struct layout *layout = &target->surface.layout;
    target->format = height ? format_color(value(source, at + 0x10) & 0xff) : NULL;
    if (!target->format)
        return;
    target->surface.space = source->space;
    target->surface.address = address(source, at);
    target->volume = memory >> 16 & 1;
    target->layer_stride = (uint64_t)value(source, at + 0x1c) << 2;
    target->layers = depth > first ? depth - first : 1;
    if (memory >> 12 & 1) {
        layout->type = LAYOUT_PITCH;
        layout->pitch = width;
        layout->depth = 1;
        target->width = width / target->format->bytes;
        target->height = height;
        target->volume = false;
    } else {
        set_block_layout(layout, source, memory & 0xfff, (uint64_t)width * target->format->bytes, height);
        layout->depth = target->volume && depth ? depth : 1;
        layout_shrink_block(layout);
        if (target->volume) /* the depth that is bound is not that of the surface, as for clears */
            layout->block_depth = block_field(memory, 8);
        target->width = width >> samples->log2_x;
        target->height = height >> samples->log2_y;
    }
    if (target->volume)
        target->first_slice = first;
    else
        target->surface.address += first * target->layer_stride;
}

static void set_zeta_target(struct draw_target *target, const struct draw_source *source,
                            const struct draw_samples *samples) {
    uint32_t width = value(source, 0x1228) & 0xfffffff, height = value(source, 0x122c) & 0x1ffff;
    uint32_t layers = value(source, 0x1230), first = value(source, 0x179c) & 0xffff;
    bool single = layers >> 16 & 1;
    target->format = flag(source, 0x1538) && height ? format_zeta(value(source, 0xfe8) & 0x1f) : NULL;
    if (!target->format)
        return;
    target->surface.space = source->space;
    target->layer_stride = single ? 0 : (uint64_t)value(source, 0xff0) << 2;
    target->surface.address = address(source, 0xfe0) + first * target->layer_stride;
    set_block_layout(&target->surface.layout, source, value(source, 0xfec), (uint64_t)width * target->format->bytes,
                     height);
    layout_shrink_block(&target->surface.layout);
    target->width = width >> samples->log2_x;
    target->height = height >> samples->log2_y;
    target->layers = !single && (layers & 0xffff) > first ? (layers & 0xffff) - first : single ? 1u << 16 : 1;
}

void decode_gf100_targets(struct draw_state *state, const struct draw_source *source) {
    struct draw_targets_state *targets = &state->targets;
    uint32_t control = value(source, 0x121c);
    struct draw_samples samples;
    draw_samples_of(&samples, value(source, 0x15d0) & 15);
    targets->count = (uint8_t)((control & 15) < DRAW_TARGETS ? control & 15 : DRAW_TARGETS);
    for (unsigned i = 0; i < DRAW_TARGETS; i++) {
        targets->of[i] = (uint8_t)(control >> (4 + i * 3) & 7);
        set_color(&targets->color[i], source, i, &samples);
    }
    set_zeta_target(&targets->zeta, source, &samples);
}

/* ---- depth and stencil ---- */

/* `ops`: fail, depth fail, pass, compare; reference and masks. */
static struct draw_stencil_face face_of(const struct draw_source *source, uint32_t ops, uint32_t reference,
                                        uint32_t mask, uint32_t write_mask) {
    return (struct draw_stencil_face){
        .fail = stencil_op(value(source, ops)),
        .depth_fail = stencil_op(value(source, ops + 4)),
        .pass = stencil_op(value(source, ops + 8)),
        .compare = compare(value(source, ops + 12)),
        .reference = (uint8_t)value(source, reference),
        .mask = (uint8_t)value(source, mask),
        .write_mask = (uint8_t)value(source, write_mask),
    };
}

void decode_gf100_zeta(struct draw_state *state, const struct draw_source *source) {
    struct draw_zeta_state *zeta = &state->zeta;
    uint32_t read_only = value(source, 0x7f8);
    zeta->test = value(source, 0x12cc) & 1;
    zeta->write = (value(source, 0x12e8) & 1) && !(read_only & 1);
    zeta->compare = compare(value(source, 0x130c));
    zeta->bounds = value(source, 0x19bc) & 1;
    zeta->bounds_min = real(source, 0xf9c);
    zeta->bounds_max = real(source, 0xfa0);
    zeta->stencil = value(source, 0x1380) & 1;
    zeta->face[0] = face_of(source, 0x1384, 0x1394, 0x1398, 0x139c);
    zeta->face[1] = value(source, 0x1594) & 1 ? face_of(source, 0x1598, 0xf54, 0xf5c, 0xf58) : zeta->face[0];
    if (read_only >> 4 & 1)
        zeta->face[0].write_mask = zeta->face[1].write_mask = 0;
    zeta->counts = value(source, 0x1514) & 1;
}
