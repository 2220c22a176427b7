/* SPDX-License-Identifier: MIT */
/* Targets, depth, stencil, blend. */
#include "engine/draw/decode_gf100.h"

#define MAX_BLOCK 5u /* log2 of gobs */

_Static_assert(DRAW_TARGETS == 1 << 3, "SET_CT_SELECT has 3 bits for a target");

/* ---- codes ---- */

/* OpenGL's and D3D's are in the same order. UNKNOWN: all others; chosen: never. */
static uint8_t compare(uint32_t code) {
    if (code >= GF100_3D_SET_DEPTH_FUNC_V_OGL_NEVER && code <= GF100_3D_SET_DEPTH_FUNC_V_OGL_ALWAYS)
        return (uint8_t)(code - GF100_3D_SET_DEPTH_FUNC_V_OGL_NEVER);
    if (code >= GF100_3D_SET_DEPTH_FUNC_V_D3D_NEVER && code <= GF100_3D_SET_DEPTH_FUNC_V_D3D_ALWAYS)
        return (uint8_t)(code - GF100_3D_SET_DEPTH_FUNC_V_D3D_NEVER);
    return DRAW_NEVER;
}

/* UNKNOWN: codes that are not listed; chosen: keep. */
static uint8_t stencil_op(uint32_t code) {
    static const struct {
        uint16_t code;
        uint8_t op;
    } ops[] = {
        {GF100_3D_SET_STENCIL_OP_FAIL_V_OGL_ZERO, DRAW_STENCIL_ZERO},
        {GF100_3D_SET_STENCIL_OP_FAIL_V_OGL_KEEP, DRAW_KEEP},
        {GF100_3D_SET_STENCIL_OP_FAIL_V_OGL_REPLACE, DRAW_REPLACE},
        {GF100_3D_SET_STENCIL_OP_FAIL_V_OGL_INCRSAT, DRAW_INCR_SAT},
        {GF100_3D_SET_STENCIL_OP_FAIL_V_OGL_DECRSAT, DRAW_DECR_SAT},
        {GF100_3D_SET_STENCIL_OP_FAIL_V_OGL_INVERT, DRAW_INVERT},
        {GF100_3D_SET_STENCIL_OP_FAIL_V_OGL_INCR, DRAW_INCR},
        {GF100_3D_SET_STENCIL_OP_FAIL_V_OGL_DECR, DRAW_DECR},
        {GF100_3D_SET_STENCIL_OP_FAIL_V_D3D_KEEP, DRAW_KEEP},
        {GF100_3D_SET_STENCIL_OP_FAIL_V_D3D_ZERO, DRAW_STENCIL_ZERO},
        {GF100_3D_SET_STENCIL_OP_FAIL_V_D3D_REPLACE, DRAW_REPLACE},
        {GF100_3D_SET_STENCIL_OP_FAIL_V_D3D_INCRSAT, DRAW_INCR_SAT},
        {GF100_3D_SET_STENCIL_OP_FAIL_V_D3D_DECRSAT, DRAW_DECR_SAT},
        {GF100_3D_SET_STENCIL_OP_FAIL_V_D3D_INVERT, DRAW_INVERT},
        {GF100_3D_SET_STENCIL_OP_FAIL_V_D3D_INCR, DRAW_INCR},
        {GF100_3D_SET_STENCIL_OP_FAIL_V_D3D_DECR, DRAW_DECR},
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
    _Static_assert(sizeof gl == GF100_3D_SET_BLEND_COLOR_OP_V_OGL_FUNC_REVERSE_SUBTRACT -
                                    GF100_3D_SET_BLEND_COLOR_OP_V_OGL_FUNC_ADD + 1,
                   "a row for each code");
    _Static_assert(sizeof d3d == GF100_3D_SET_BLEND_COLOR_OP_V_D3D_MAX - GF100_3D_SET_BLEND_COLOR_OP_V_D3D_ADD + 1,
                   "a row for each code");
    if (code >= GF100_3D_SET_BLEND_COLOR_OP_V_OGL_FUNC_ADD &&
        code <= GF100_3D_SET_BLEND_COLOR_OP_V_OGL_FUNC_REVERSE_SUBTRACT)
        return gl[code - GF100_3D_SET_BLEND_COLOR_OP_V_OGL_FUNC_ADD];
    if (code >= GF100_3D_SET_BLEND_COLOR_OP_V_D3D_ADD && code <= GF100_3D_SET_BLEND_COLOR_OP_V_D3D_MAX)
        return d3d[code - GF100_3D_SET_BLEND_COLOR_OP_V_D3D_ADD];
    return DRAW_ADD;
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
    _Static_assert(sizeof gl == GF100_3D_SET_BLEND_COLOR_SOURCE_COEFF_V_OGL_SRC_ALPHA_SATURATE -
                                    GF100_3D_SET_BLEND_COLOR_SOURCE_COEFF_V_OGL_SRC_COLOR + 1,
                   "a row for each code");
    _Static_assert(sizeof d3d == GF100_3D_SET_BLEND_COLOR_SOURCE_COEFF_V_D3D_INVSRC1ALPHA -
                                     GF100_3D_SET_BLEND_COLOR_SOURCE_COEFF_V_D3D_ZERO + 1,
                   "a row for each code");
    if (code == GF100_3D_SET_BLEND_COLOR_SOURCE_COEFF_V_OGL_ZERO)
        return DRAW_ZERO;
    if (code >= GF100_3D_SET_BLEND_COLOR_SOURCE_COEFF_V_OGL_SRC_COLOR &&
        code <= GF100_3D_SET_BLEND_COLOR_SOURCE_COEFF_V_OGL_SRC_ALPHA_SATURATE)
        return gl[code - GF100_3D_SET_BLEND_COLOR_SOURCE_COEFF_V_OGL_SRC_COLOR];
    if (code >= GF100_3D_SET_BLEND_COLOR_SOURCE_COEFF_V_OGL_CONSTANT_COLOR &&
        code <= GF100_3D_SET_BLEND_COLOR_SOURCE_COEFF_V_OGL_ONE_MINUS_CONSTANT_ALPHA)
        return (uint8_t)(DRAW_CONSTANT_COLOR + (code - GF100_3D_SET_BLEND_COLOR_SOURCE_COEFF_V_OGL_CONSTANT_COLOR));
    if (code >= GF100_3D_SET_BLEND_COLOR_SOURCE_COEFF_V_OGL_SRC1COLOR &&
        code <= GF100_3D_SET_BLEND_COLOR_SOURCE_COEFF_V_OGL_INVSRC1ALPHA)
        return (uint8_t)(DRAW_SRC1_COLOR + (code - GF100_3D_SET_BLEND_COLOR_SOURCE_COEFF_V_OGL_SRC1COLOR));
    return code >= GF100_3D_SET_BLEND_COLOR_SOURCE_COEFF_V_D3D_ZERO &&
                   code <= GF100_3D_SET_BLEND_COLOR_SOURCE_COEFF_V_D3D_INVSRC1ALPHA
               ? d3d[code - GF100_3D_SET_BLEND_COLOR_SOURCE_COEFF_V_D3D_ZERO]
               : DRAW_ONE;
}

/* ---- blend ---- */

/* `color`: op, source, destination; of alpha the destination is elsewhere. */
static void blend_of(const struct draw_source *source, bool separate, uint32_t color, uint32_t alpha,
                     uint32_t alpha_destination, struct draw_blend *blend) {
    uint32_t from = value(source, color + 4);
    blend->op_rgb = blend_op(value(source, color));
    blend->src_rgb = factor(from);
    blend->dst_rgb = factor(value(source, color + 8));
    if (from == GF100_3D_SET_BLEND_COLOR_SOURCE_COEFF_V_D3D_BOTHSRCALPHA)
        blend->dst_rgb = DRAW_ONE_MINUS_SRC_ALPHA;
    if (from == GF100_3D_SET_BLEND_COLOR_SOURCE_COEFF_V_D3D_BOTHINVSRCALPHA)
        blend->dst_rgb = DRAW_SRC_ALPHA;
    blend->op_alpha = separate ? blend_op(value(source, alpha)) : blend->op_rgb;
    blend->src_alpha = separate ? factor(value(source, alpha + 4)) : blend->src_rgb;
    blend->dst_alpha = separate ? factor(value(source, alpha_destination)) : blend->dst_rgb;
}

static void set_blend(const struct draw_source *source, unsigned number, struct draw_blend *blend) {
    bool common_enable = flag(source, GF100_3D_SET_SINGLE_ROP_CONTROL);
    blend->enabled = flag(source, GF100_3D_SET_BLEND(common_enable ? 0 : number));
    if (flag(source, GF100_3D_SET_BLEND_STATE_PER_TARGET))
        blend_of(source, flag(source, GF100_3D_SET_BLEND_PER_TARGET_SEPARATE_FOR_ALPHA(number)),
                 GF100_3D_SET_BLEND_PER_TARGET_COLOR_OP(number), GF100_3D_SET_BLEND_PER_TARGET_ALPHA_OP(number),
                 GF100_3D_SET_BLEND_PER_TARGET_ALPHA_DEST_COEFF(number), blend);
    else
        blend_of(source, flag(source, GF100_3D_SET_BLEND_SEPARATE_FOR_ALPHA), GF100_3D_SET_BLEND_COLOR_OP,
                 GF100_3D_SET_BLEND_ALPHA_OP, GF100_3D_SET_BLEND_ALPHA_DEST_COEFF, blend);
}

static uint8_t mask_of(uint32_t word) {
    return (uint8_t)(METHOD_FIELD(word, GF100_3D_SET_CT_WRITE_R_ENABLE) |
                     METHOD_FIELD(word, GF100_3D_SET_CT_WRITE_G_ENABLE) << 1 |
                     METHOD_FIELD(word, GF100_3D_SET_CT_WRITE_B_ENABLE) << 2 |
                     METHOD_FIELD(word, GF100_3D_SET_CT_WRITE_A_ENABLE) << 3);
}

void decode_gf100_blend(struct draw_state *state, const struct draw_source *source) {
    struct draw_blend_state *blend = &state->blend;
    bool common_mask = flag(source, GF100_3D_SET_SINGLE_CT_WRITE_CONTROL);
    for (unsigned i = 0; i < DRAW_TARGETS; i++) {
        blend->mask[i] = mask_of(value(source, GF100_3D_SET_CT_WRITE(common_mask ? 0 : i)));
        blend->clamp[i] = (uint8_t)(value(source, GF100_3D_SET_PS_SATURATE) >> i * 4 & 3);
        set_blend(source, i, &blend->target[i]);
    }
    for (unsigned i = 0; i < 4; i++)
        blend->color[i] = real(source, GF100_3D_SET_BLEND_CONST_RED + i * 4);
    /*
     * Only with multisampling, if the method says so. UNKNOWN: its bit 1, by the program's mask; chosen: nothing, as
     * Mesa leaves it set, and OpenGL has both [driver].
     */
    bool multisample =
        flag(source, GF100_3D_SET_ANTI_ALIAS_ENABLE) || !flag(source, GF100_3D_SET_ALPHA_TO_COVERAGE_OVERRIDE);
    blend->alpha_to_coverage = FIELD(source, SET_ANTI_ALIAS_ALPHA_CONTROL, ALPHA_TO_COVERAGE) && multisample;
    /* UNKNOWN: alpha to one without it; chosen: none, as Mesa leaves it on while it resolves samples [driver]. */
    blend->alpha_to_one =
        FIELD(source, SET_ANTI_ALIAS_ALPHA_CONTROL, ALPHA_TO_ONE) && flag(source, GF100_3D_SET_ANTI_ALIAS_ENABLE);
    blend->alpha_test = flag(source, GF100_3D_SET_ALPHA_TEST);
    blend->alpha_compare = compare(value(source, GF100_3D_SET_ALPHA_FUNC));
    blend->alpha_reference = real(source, GF100_3D_SET_ALPHA_REF);
    blend->zero_times_any = flag(source, GF100_3D_SET_BLEND_FLOAT_OPTION);
    blend->logic = flag(source, GF100_3D_SET_LOGIC_OP);
    blend->logic_op = value(source, GF100_3D_SET_LOGIC_OP_FUNC) & 15;
    blend->coverage_to_color = source->of->sample_places && FIELD(source, SET_COVERAGE_TO_COLOR, ENABLE);
    blend->coverage_target = FIELD(source, SET_COVERAGE_TO_COLOR, CT_SELECT);
}

/* ---- targets ---- */

static uint8_t block_field(uint32_t field) {
    return (uint8_t)(field < MAX_BLOCK ? field : MAX_BLOCK);
}

/* Of a surface whose layout is zeros: field by field, so that bytes that are not used stay 0. */
static void set_block_layout(struct layout *layout, const struct draw_source *source, uint32_t block, uint64_t bytes,
                             uint32_t height) {
    layout->type = LAYOUT_BLOCK;
    layout->width = bytes;
    layout->height = height;
    layout->depth = 1;
    layout->block_width = block_field(METHOD_FIELD(block, GF100_3D_SET_COLOR_TARGET_MEMORY_BLOCK_WIDTH));
    layout->block_height = block_field(METHOD_FIELD(block, GF100_3D_SET_COLOR_TARGET_MEMORY_BLOCK_HEIGHT));
    layout->block_depth = block_field(METHOD_FIELD(block, GF100_3D_SET_COLOR_TARGET_MEMORY_BLOCK_DEPTH));
    layout->order = source->order;
}

static void set_color_layout(struct draw_target *target, const struct draw_source *source, unsigned number,
                             const struct draw_samples *samples) {
    uint32_t memory = value(source, GF100_3D_SET_COLOR_TARGET_MEMORY(number));
    uint32_t width = FIELD_OF(source, SET_COLOR_TARGET_WIDTH, number, V);
    uint32_t height = FIELD_OF(source, SET_COLOR_TARGET_HEIGHT, number, V);
    uint32_t depth = FIELD_OF(source, SET_COLOR_TARGET_THIRD_DIMENSION, number, V);
    struct layout *layout = &target->surface.layout;
    target->volume = METHOD_FIELD(memory, GF100_3D_SET_COLOR_TARGET_MEMORY_THIRD_DIMENSION_CONTROL);
    if (METHOD_FIELD(memory, GF100_3D_SET_COLOR_TARGET_MEMORY_LAYOUT)) {
        layout->type = LAYOUT_PITCH;
        layout->pitch = width;
        layout->depth = 1;
        target->width = width / target->format->bytes;
        target->height = height;
        target->volume = false;
        return;
    }
    set_block_layout(layout, source, memory, (uint64_t)width * target->format->bytes, height);
    uint8_t block_depth = layout->block_depth;
    layout->depth = target->volume && depth ? depth : 1;
    layout_shrink_block(layout);
    if (target->volume) /* the depth that is bound is not that of the surface, as for clears */
        layout->block_depth = block_depth;
    target->width = width >> samples->log2_x;
    target->height = height >> samples->log2_y;
}

static void set_color(struct draw_target *target, const struct draw_source *source, unsigned number,
                      const struct draw_samples *samples) {
    uint32_t height = FIELD_OF(source, SET_COLOR_TARGET_HEIGHT, number, V);
    uint32_t depth = FIELD_OF(source, SET_COLOR_TARGET_THIRD_DIMENSION, number, V);
    uint32_t first = FIELD_OF(source, SET_COLOR_TARGET_LAYER, number, OFFSET);
    target->format = height ? format_color(FIELD_OF(source, SET_COLOR_TARGET_FORMAT, number, V)) : NULL;
    if (!target->format)
        return;
    target->surface.space = source->space;
    target->surface.address = address(source, GF100_3D_SET_COLOR_TARGET_A(number));
    target->layer_stride = (uint64_t)value(source, GF100_3D_SET_COLOR_TARGET_ARRAY_PITCH(number)) << 2;
    target->layers = depth > first ? depth - first : 1;
    set_color_layout(target, source, number, samples);
    if (target->volume)
        target->first_slice = first;
    else
        target->surface.address += first * target->layer_stride;
}

static void set_zeta_target(struct draw_target *target, const struct draw_source *source,
                            const struct draw_samples *samples) {
    uint32_t width = FIELD(source, SET_ZT_SIZE_A, WIDTH), height = FIELD(source, SET_ZT_SIZE_B, HEIGHT);
    uint32_t layers = FIELD(source, SET_ZT_SIZE_C, THIRD_DIMENSION), first = FIELD(source, SET_ZT_LAYER, OFFSET);
    bool single = FIELD(source, SET_ZT_SIZE_C, CONTROL), bound = FIELD(source, SET_ZT_SELECT, TARGET_COUNT);
    target->format = bound && height ? format_zeta(FIELD(source, SET_ZT_FORMAT, V)) : NULL;
    if (!target->format)
        return;
    target->surface.space = source->space;
    target->layer_stride = single ? 0 : (uint64_t)value(source, GF100_3D_SET_ZT_ARRAY_PITCH) << 2;
    target->surface.address = address(source, GF100_3D_SET_ZT_A) + first * target->layer_stride;
    set_block_layout(&target->surface.layout, source, value(source, GF100_3D_SET_ZT_BLOCK_SIZE),
                     (uint64_t)width * target->format->bytes, height);
    layout_shrink_block(&target->surface.layout);
    target->width = width >> samples->log2_x;
    target->height = height >> samples->log2_y;
    target->layers = !single && layers > first ? layers - first : single ? 1u << 16 : 1;
}

bool draw_gf100_independent(const struct draw_source *source) {
    struct draw_samples raster, color;
    return source->of->sample_places && FIELD(source, SET_TIR, MODE) == GF100_3D_SET_TIR_MODE_RASTER_N_TARGET_M &&
           draw_samples_of(&raster, FIELD(source, SET_ANTI_ALIAS_RASTER, SAMPLES)) &&
           draw_samples_of(&color, FIELD(source, SET_ANTI_ALIAS, SAMPLES)) && raster.count >= color.count;
}

void decode_gf100_targets(struct draw_state *state, const struct draw_source *source) {
    struct draw_targets_state *targets = &state->targets;
    uint32_t of = value(source, GF100_3D_SET_CT_SELECT) >> GF100_3D_SET_CT_SELECT_TARGET0__SHIFT;
    uint32_t count = FIELD(source, SET_CT_SELECT, TARGET_COUNT);
    struct draw_samples samples;
    draw_samples_of(&samples, FIELD(source, SET_ANTI_ALIAS, SAMPLES));
    targets->count = (uint8_t)(count < DRAW_TARGETS ? count : DRAW_TARGETS);
    for (unsigned i = 0; i < DRAW_TARGETS; i++) {
        targets->of[i] = of >> i * 3 & 7;
        set_color(&targets->color[i], source, i, &samples);
    }
    if (draw_gf100_independent(source))
        draw_samples_of(&samples, FIELD(source, SET_ANTI_ALIAS_RASTER, SAMPLES));
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
    zeta->test = flag(source, GF100_3D_SET_DEPTH_TEST);
    zeta->write = flag(source, GF100_3D_SET_DEPTH_WRITE) && !FIELD(source, SET_ZT_READ_ONLY, ENABLE_Z);
    zeta->compare = compare(value(source, GF100_3D_SET_DEPTH_FUNC));
    zeta->bounds = flag(source, GF100_3D_SET_DEPTH_BOUNDS_TEST);
    zeta->bounds_min = real(source, GF100_3D_SET_DEPTH_BOUNDS_MIN);
    zeta->bounds_max = real(source, GF100_3D_SET_DEPTH_BOUNDS_MAX);
    zeta->stencil = flag(source, GF100_3D_SET_STENCIL_TEST);
    zeta->face[0] = face_of(source, GF100_3D_SET_STENCIL_OP_FAIL, GF100_3D_SET_STENCIL_FUNC_REF,
                            GF100_3D_SET_STENCIL_FUNC_MASK, GF100_3D_SET_STENCIL_MASK);
    zeta->face[1] = zeta->face[0];
    if (flag(source, GF100_3D_SET_TWO_SIDED_STENCIL_TEST))
        zeta->face[1] = face_of(source, GF100_3D_SET_BACK_STENCIL_OP_FAIL, GF100_3D_SET_BACK_STENCIL_FUNC_REF,
                                GF100_3D_SET_BACK_STENCIL_FUNC_MASK, GF100_3D_SET_BACK_STENCIL_MASK);
    if (FIELD(source, SET_ZT_READ_ONLY, ENABLE_STENCIL))
        zeta->face[0].write_mask = zeta->face[1].write_mask = 0;
    zeta->counts = flag(source, GF100_3D_SET_ZPASS_PIXEL_COUNT);
}

/* ---- images: later classes have handles ---- */

void decode_gf100_images(struct draw_state *state, const struct draw_source *source) {
    uint32_t words[IMAGE_SLOT_WORDS];
    for (unsigned i = 0; i < IMAGE_SLOTS && !source->of->handles; i++) {
        for (unsigned k = 0; k < IMAGE_SLOT_WORDS; k++)
            words[k] = value(source, GF100_3D_SET_SU_LD_ST_TARGET_A(i) + 4 * k);
        state->images.slot[i] = image_of_slot(words, source->order);
    }
}
