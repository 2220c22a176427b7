/* SPDX-License-Identifier: MIT */
/*
 * 3D objects of Fermi and later. Fences and queries are reports (report.c), draws are in engine/draw/methods_gf100.c.
 *
 * Sources: NVIDIA open-gpu-doc classes/3d; envytools rnndb/graph/gf100_3d.xml, docs/hw/graph/fermi/macro.rst.
 */
#include "engine/copy/inline.h"
#include "engine/draw/object.h"
#include "engine/draw/pipeline.h"
#include "engine/graph/clear.h"
#include "engine/graph/constants.h"
#include "engine/graph/render.h"
#include "engine/kinds.h"
#include "engine/core/shadow.h"
#include "methods/gf100_3d.h"

/*
 * How primitives are rasterised conservatively: bits of a register of the GPCs, which GV100 has a method for. Here it is
 * kept as that method. [24:23] quarters of a pixel by which triangles grow, 25 their positions are snapped before
 * (Mesa src/gallium/drivers/nouveau/nvc0/mme/com9097.mme, nvc0_state_validate.c).
 */
#define GPC_RASTER_CONTROL 0x418800u

static void set_raster_control(struct call *call, uint32_t value, uint32_t mask) {
    const uint32_t method = GF100_3D_SET_CONSERVATIVE_RASTER_CONTROL;
    uint32_t kept = call_value(call, method);
    if (mask >> 23 & 1)
        kept = (kept & ~1u) | (value >> 23 & 1);
    if (mask >> 24 & 1)
        kept = (kept & ~2u) | (value >> 24 & 1) << 1;
    if (mask >> 25 & 1)
        kept = (kept & ~GF100_3D_SET_CONSERVATIVE_RASTER_CONTROL_TRIANGLE_SNAP_MODE__MASK) |
               METHOD_PUT(GF100_3D_SET_CONSERVATIVE_RASTER_CONTROL_TRIANGLE_SNAP_MODE, ~value >> 25 & 1);
    call_set_value(call, method, kept);
}

/*
 * FALCON(4): the firmware writes a register of PGRAPH and says so in scratch word 0. Programs put value and mask in
 * scratch words 1 and 2 and wait in a macro. Of the registers one is kept, others have no effect here. UNKNOWN: what
 * other FALCON methods answer; chosen: nothing.
 */
static enum action_result firmware_call(struct call *call) {
    if (call->data == GPC_RASTER_CONTROL)
        set_raster_control(call, call_value(call, GF100_3D_SET_MME_SHADOW_SCRATCH(1)),
                           call_value(call, GF100_3D_SET_MME_SHADOW_SCRATCH(2)));
    shadow_set(call->object, GF100_3D_SET_MME_SHADOW_SCRATCH(0) >> 2, 1);
    return ACTION_DONE;
}

static const struct action firmware_actions[] = {
    {.method = GF100_3D_SET_FALCON04, .type = ACTION_INSIDE, .run = firmware_call}, {0}};

/* The first word of these is where it starts; the count draws. */
static const struct action draw_tu102_actions[] = {
    {.method = GF100_3D_DRAW_INDEX_BUFFER_BEGIN_END_B, .type = ACTION_EFFECT, .run = draw_gf100},
    {.method = GF100_3D_DRAW_VERTEX_ARRAY_BEGIN_END_B, .type = ACTION_EFFECT, .run = draw_gf100},
    {0}};

/* The semaphore of another GPU: there is no other GPU. */
static const struct action peer_actions[] = {{.method = GF100_3D_PEER_SEMAPHORE_RELEASE, .type = ACTION_NOT_EXECUTED},
                                             {0}};

/*
 * INCREMENT_SYNC_POINT: [11:0] which one; work before it is done. UNKNOWN: what chips without syncpoints do, and one
 * that is not there; chosen: nothing, and it says so.
 */
static enum action_result sync_point(struct call *call) {
    if (!fifo_increment_syncpoint(call->engine->fifo, call->data & 0xfff))
        call_not_executed(call);
    return ACTION_DONE;
}

static const struct action sync_point_actions[] = {
    {.method = GF100_3D_INCREMENT_SYNC_POINT, .type = ACTION_EFFECT, .run = sync_point}, {0}};

#define FLOAT_ONE 0x3f800000u

/*
 * What methods that are read here are in a new context. UNKNOWN: the hardware's own values; chosen: what nouveau writes
 * (nvkm/engine/gr/ctxgf100.c), and no condition.
 */
static const struct method_reset resets[] = {PREDICATE_RESET(GF100_3D_SET_GLOBAL_RENDER_ENABLE_C),
                                             PREDICATE_RESET(GF100_3D_SET_RENDER_ENABLE_C),
                                             {GF100_3D_SET_RENDER_ENABLE_CONTROL, 1},
                                             /* colour targets, the first of which has a format */
                                             RESET_ALL(GF100_3D_SET_COLOR_TARGET_WIDTH, 0x400),
                                             RESET_ALL(GF100_3D_SET_COLOR_TARGET_HEIGHT, 0x300),
                                             RESET_ALL(GF100_3D_SET_COLOR_TARGET_MEMORY, 0x40),
                                             RESET_ALL(GF100_3D_SET_COLOR_TARGET_THIRD_DIMENSION, 1),
                                             {GF100_3D_SET_COLOR_TARGET_FORMAT(0), 0xcf},
                                             CLEAR_ZETA_RESETS,
                                             /* what bounds clears */
                                             {GF100_3D_SET_CLEAR_SURFACE_CONTROL, 0x1010},
                                             {GF100_3D_SET_CLEAR_RECT_HORIZONTAL, 0xffff0000},
                                             {GF100_3D_SET_CLEAR_RECT_VERTICAL, 0xffff0000},
                                             {GF100_3D_SET_SCISSOR_HORIZONTAL(0), 0xffff0000},
                                             {GF100_3D_SET_SCISSOR_VERTICAL(0), 0xffff0000},
                                             RESET_ALL(GF100_3D_SET_WINDOW_CLIP_HORIZONTAL, 0xffff0000),
                                             RESET_ALL(GF100_3D_SET_WINDOW_CLIP_VERTICAL, 0xffff0000),
                                             /* clip ids */
                                             {GF100_3D_SET_SURFACE_CLIP_ID_BLOCK_SIZE, 0x40},
                                             {GF100_3D_SET_SURFACE_CLIP_ID_HEIGHT, 0x80},
                                             {GF100_3D_SET_CLIP_ID_CLEAR_RECT_HORIZONTAL, 0x80000000},
                                             {GF100_3D_SET_CLIP_ID_CLEAR_RECT_VERTICAL, 0x40000000},
                                             {GF100_3D_SET_SURFACE_CLIP_ID_WIDTH, 0x80},
                                             /* draws: what is not here is 0 */
                                             {GF100_3D_SET_PS_OUTPUT_SAMPLE_MASK_USAGE, 1},
                                             {GF100_3D_SET_RASTER_ENABLE, 1},
                                             RESET_ALL(GF100_3D_SET_VIEWPORT_CLIP_MAX_Z, FLOAT_ONE),
                                             {GF100_3D_SET_STATISTICS_COUNTER, 0xffff},
                                             {GF100_3D_SET_FRONT_POLYGON_MODE, 0x1b02, 2, 4},
                                             {GF100_3D_SET_PATCH, 0x10},
                                             {GF100_3D_SET_CT_MRT_ENABLE, 1},
                                             {GF100_3D_SET_SAMPLE_MASK_X0_Y0, 0xffff, 4, 4},
                                             {GF100_3D_SET_DEPTH_BIAS_CONTROL, 1},
                                             {GF100_3D_SET_VERTEX_ATTRIBUTE_A(0), 0x25e00040, 32, 4}, /* and _B */
                                             {GF100_3D_SET_CT_SELECT, 0xfac6881},
                                             {GF100_3D_SET_SHADE_MODE, 2},
                                             {GF100_3D_SET_DEPTH_FUNC, 1},
                                             {GF100_3D_SET_ALPHA_FUNC, 1},
                                             {GF100_3D_SET_BLEND_SEPARATE_FOR_ALPHA, 1},
                                             {GF100_3D_SET_BLEND_COLOR_OP, 1},
                                             {GF100_3D_SET_BLEND_COLOR_SOURCE_COEFF, 2},
                                             {GF100_3D_SET_BLEND_COLOR_DEST_COEFF, 1},
                                             {GF100_3D_SET_BLEND_ALPHA_OP, 1},
                                             {GF100_3D_SET_BLEND_ALPHA_SOURCE_COEFF, 2},
                                             {GF100_3D_SET_BLEND_ALPHA_DEST_COEFF, 1},
                                             {GF100_3D_SET_STENCIL_OP_FAIL, 1, 4, 4},
                                             {GF100_3D_SET_LINE_WIDTH_FLOAT, FLOAT_ONE, 2, 4},
                                             {GF100_3D_SET_TEX_SAMPLER_POOL_C, 0xfff},
                                             {GF100_3D_SET_TEX_HEADER_POOL_C, 0xfffff},
                                             {GF100_3D_SET_BACK_STENCIL_OP_FAIL, 1, 4, 4},
                                             {GF100_3D_SET_EDGE_FLAG, 1},
                                             {GF100_3D_SET_ATTRIBUTE_DEFAULT, 0x12},
                                             {GF100_3D_SET_POINT_CENTER_MODE, 1},
                                             {GF100_3D_SET_LINE_STIPPLE_PARAMETERS, 0xffff00},
                                             {GF100_3D_SET_ALPHA_TO_COVERAGE_OVERRIDE, 3},
                                             {GF100_3D_SET_INDEX_BUFFER_C, 0xff},
                                             {GF100_3D_SET_INDEX_BUFFER_D, 0xffffffff},
                                             {GF100_3D_SET_INDEX_BUFFER_E, 2},
                                             {GF100_3D_SET_ATTRIBUTE_POINT_SIZE, 0x290},
                                             {GF100_3D_OGL_SET_FRONT_FACE, 0x900},
                                             {GF100_3D_OGL_SET_CULL_FACE, 0x405},
                                             {GF100_3D_SET_VIEWPORT_SCALE_OFFSET, 1},
                                             {GF100_3D_SET_VIEWPORT_CLIP_CONTROL, 0x2c1c},
                                             {GF100_3D_SET_LOGIC_OP_FUNC, 0x1500},
                                             {GF100_3D_SET_CT_WRITE(0), 0x1111},
                                             RESET_ALL(GF100_3D_SET_BLEND_PER_TARGET_SEPARATE_FOR_ALPHA, 1),
                                             RESET_ALL(GF100_3D_SET_BLEND_PER_TARGET_COLOR_OP, 1),
                                             RESET_ALL(GF100_3D_SET_BLEND_PER_TARGET_COLOR_SOURCE_COEFF, 2),
                                             RESET_ALL(GF100_3D_SET_BLEND_PER_TARGET_COLOR_DEST_COEFF, 1),
                                             RESET_ALL(GF100_3D_SET_BLEND_PER_TARGET_ALPHA_OP, 1),
                                             RESET_ALL(GF100_3D_SET_BLEND_PER_TARGET_ALPHA_SOURCE_COEFF, 2),
                                             RESET_ALL(GF100_3D_SET_BLEND_PER_TARGET_ALPHA_DEST_COEFF, 1),
                                             {GF100_3D_SET_PIPELINE_SHADER(1), 0x11},
                                             {GF100_3D_SET_PIPELINE_SHADER(2), 0x20},
                                             {GF100_3D_SET_PIPELINE_BINDING(2), 1},
                                             {GF100_3D_SET_PIPELINE_SHADER(3), 0x30},
                                             {GF100_3D_SET_PIPELINE_BINDING(3), 2},
                                             {GF100_3D_SET_PIPELINE_SHADER(4), 0x40},
                                             {GF100_3D_SET_PIPELINE_BINDING(4), 3},
                                             {GF100_3D_SET_PIPELINE_SHADER(5), 0x51},
                                             {GF100_3D_SET_PIPELINE_BINDING(5), 4},
                                             {0}};

/*
 * What writes to memory, and is not known well enough to do. UNKNOWN: which method of SET_BACK_END_COPY (GP100 and
 * later) starts the copy; chosen: the last of them.
 */
static const struct action zcull_actions[] = {{.method = GF100_3D_STORE_ZCULL, .type = ACTION_NOT_EXECUTED}, {0}};
static const struct action back_end_actions[] = {{.method = GF100_3D_SET_BACK_END_COPY_E, .type = ACTION_NOT_EXECUTED},
                                                 {0}};

/* Each generation has what the one before it has. */
#define FERMI_GROUPS                                                                                                   \
    notify_gf100_actions, predicate_global_actions, macro_actions, report_gf100_actions, counters_gf100_actions,       \
        firmware_actions, draw_gf100_actions, clear_gf100_actions, constants_gf100_actions, peer_actions,              \
        zcull_actions
#define KEPLER_GROUPS FERMI_GROUPS, inline_gk104_actions
#define GK20A_GROUPS  KEPLER_GROUPS, sync_point_actions
#define GP100_GROUPS  GK20A_GROUPS, back_end_actions
#define TU102_GROUPS  GP100_GROUPS, draw_tu102_actions, macro_dma_actions
#define GA102_GROUPS  TU102_GROUPS, report_ga102_actions

#define KIND_3D(text, address_bits, ...)                                                                               \
    {                                                                                                                  \
        .name = (text), .role = ROLE_3D, .resets = resets, .report_bits = (address_bits),                              \
        .progress_bytes = sizeof(struct pipeline_progress), __VA_ARGS__                                                \
    }
#define INLINE(address_bits, level)                                                                                    \
    .inline_bits = (address_bits), .reports = (level), .parts = {&constants_gf100_part, &draw_object_part, INLINE_PARTS}

const struct kind kind_fermi_3d =
    KIND_3D("Fermi 3D", 8, .parts = {&constants_gf100_part, &draw_object_part}, .groups = {FERMI_GROUPS});
const struct kind kind_kepler_3d = KIND_3D("Kepler 3D", 8, INLINE(8, REPORTS_GK104), .groups = {KEPLER_GROUPS});
const struct kind kind_gk20a_3d = KIND_3D("GK20A 3D", 8, INLINE(8, REPORTS_GK104), .groups = {GK20A_GROUPS});
const struct kind kind_gp100_3d = KIND_3D("GP100 3D", 8, INLINE(8, REPORTS_GK104), .groups = {GP100_GROUPS});
const struct kind kind_tu102_3d = KIND_3D("TU102 3D", 8, INLINE(8, REPORTS_TU102), .groups = {TU102_GROUPS});
const struct kind kind_ga102_3d = KIND_3D("GA102 3D", 8, INLINE(8, REPORTS_GA102), .groups = {GA102_GROUPS});
const struct kind kind_hopper_3d = KIND_3D("Hopper 3D", 25, INLINE(25, REPORTS_GA102), .groups = {GA102_GROUPS});
