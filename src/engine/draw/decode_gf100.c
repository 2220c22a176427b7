/* SPDX-License-Identifier: MIT */
/*
 * What the methods of a 3D object of Fermi to Pascal say. Here: vertices, programs, textures' pools, and which methods
 * groups follow from. The rest is in decode_gf100_raster.c and decode_gf100_pixels.c.
 *
 * Not modelled: clip ids, conservative raster before positions are on the grid, 16 samples, blend equations beyond
 *               OpenGL's and D3D's common ones, forced sample positions by depth (SET_NONMULTISAMPLED_Z).
 * Sources: NVIDIA open-gpu-doc classes/3d/cl9097.h .. clc197.h, Shader-Program-Header; envytools
 * rnndb/graph/gf100_3d.xml; Mesa src/gallium/drivers/nouveau/nvc0.
 */
#include "engine/draw/decode_gf100.h"

#include <assert.h>
#include <string.h>

/* ---- vertices ---- */

static void set_stream(struct vertex_stream *stream, const struct draw_source *source, unsigned number) {
    stream->enabled = FIELD_OF(source, SET_VERTEX_STREAM_A_FORMAT, number, ENABLE);
    stream->stride = FIELD_OF(source, SET_VERTEX_STREAM_A_FORMAT, number, STRIDE);
    stream->start = address(source, GF100_3D_SET_VERTEX_STREAM_A_LOCATION_A(number));
    stream->limit = address(source, GF100_3D_SET_VERTEX_STREAM_LIMIT_A_A(number));
    stream->divisor = value(source, GF100_3D_SET_VERTEX_STREAM_A_FREQUENCY(number));
    stream->per_instance = flag(source, GF100_3D_SET_VERTEX_STREAM_INSTANCE_A(number));
}

/* The arrays of A go on in those of B. */
static void decode_input(struct draw_state *state, const struct draw_source *source) {
    struct draw_input_state *input = &state->input;
    input->streams.base = address(source, GF100_3D_SET_VERTEX_GLOBAL_BASE_OFFSET_A);
    input->streams.substitute = address(source, GF100_3D_SET_VERTEX_STREAM_SUBSTITUTE_A);
    input->streams.address_mask = 0xffffffffff;
    for (unsigned i = 0; i < VERTEX_STREAMS; i++)
        set_stream(&input->streams.stream[i], source, i);
    for (unsigned i = 0; i < VERTEX_ATTRIBUTES; i++)
        vertex_attribute(&input->attribute[i], value(source, GF100_3D_SET_VERTEX_ATTRIBUTE_A(i)));
    input->replaces_id = FIELD(source, SET_VERTEX_ID_COPY, ENABLE);
    input->id_word = (uint8_t)FIELD(source, SET_VERTEX_ID_COPY, ATTRIBUTE_SLOT);
}

static void decode_indices(struct draw_state *state, const struct draw_source *source) {
    struct draw_indices_state *indices = &state->indices;
    indices->start = address(source, GF100_3D_SET_INDEX_BUFFER_A);
    indices->limit = address(source, GF100_3D_SET_INDEX_BUFFER_C);
    indices->restarts = flag(source, GF100_3D_SET_DA_PRIMITIVE_RESTART);
    indices->array_restarts = flag(source, GF100_3D_SET_DA_PRIMITIVE_RESTART_VERTEX_ARRAY);
    indices->restart_index = value(source, GF100_3D_SET_DA_PRIMITIVE_RESTART_INDEX);
    indices->base_vertex = value(source, GF100_3D_SET_GLOBAL_BASE_VERTEX_INDEX);
    indices->base_instance = value(source, GF100_3D_SET_GLOBAL_BASE_INSTANCE_INDEX);
    indices->id_base = value(source, GF100_3D_SET_VERTEX_ID_BASE);
    indices->id_from_first = FIELD(source, SET_DA_OUTPUT, VERTEX_ID_USES_ARRAY_START);
    indices->edge = flag(source, GF100_3D_SET_EDGE_FLAG);
}

/* ---- programs ---- */

static void decode_stages(struct draw_state *state, const struct draw_source *source) {
    struct draw_stages_state *stages = &state->stages;
    uint32_t shading = value(source, GF100_3D_SET_SHADE_MODE);
    stages->code = address(source, GF100_3D_SET_PROGRAM_REGION_A);
    for (unsigned i = 0; i < STAGES; i++) {
        struct draw_stage_program *stage = &stages->stage[i];
        stage->enabled = flag(source, GF100_3D_SET_PIPELINE_SHADER(i));
        stage->start = value(source, GF100_3D_SET_PIPELINE_PROGRAM(i));
        stage->registers = value(source, GF100_3D_SET_PIPELINE_REGISTER_COUNT(i));
        stage->group = FIELD_OF(source, SET_PIPELINE_BINDING, i, GROUP);
    }
    stages->program.flat_colors =
        shading == GF100_3D_SET_SHADE_MODE_V_FLAT || shading == GF100_3D_SET_SHADE_MODE_V_OGL_FLAT;
    stages->texture_bank = FIELD(source, SET_BINDLESS_TEXTURE, CONSTANT_BUFFER_SLOT_SELECT);
    stages->clamp_colors = flag(source, GF100_3D_SET_COLOR_CLAMP);
    stages->local_window = value(source, GF100_3D_SET_SHADER_LOCAL_MEMORY_WINDOW);
    stages->counters = decode_gf100_counters(source);
}

/* ---- program headers ---- */

static void add_input(struct draw_stages_state *stages, unsigned word, unsigned mode) {
    struct draw_program *program = &stages->program;
    struct draw_carried *carried = &stages->carried;
    assert(word < DRAW_ATTRIBUTES && carried->count <= program->input_count);
    if (!mode || program->input_count == DRAW_ATTRIBUTES)
        return;
    program->inputs[program->input_count++] = (struct draw_input){(uint8_t)word, (uint8_t)mode};
    carried->word[carried->count++] = (uint8_t)word;
    carried->linear[word] = mode == DRAW_LINEAR;
}

/* Bits of the header from `first` on: `bits` for each word of the attribute space from `word` on. */
static void add_inputs(struct draw_stages_state *stages, unsigned first, unsigned bits, unsigned word, unsigned count) {
    const uint32_t *header = stages->stage[STAGE_FRAGMENT].header;
    for (unsigned i = 0; i < count; i++) {
        unsigned bit = first + i * bits, code = header[bit / 32] >> bit % 32 & (bits == 2 ? 3 : 1);
        add_input(stages, word + i, bits == 2 ? code : code ? DRAW_PERSPECTIVE : DRAW_UNUSED);
    }
}

/* They take the place of the front colours, and vary as these do. */
static void add_back_colors(struct draw_stages_state *stages, bool two_sided) {
    struct draw_carried *carried = &stages->carried;
    assert(carried->count + 8u <= DRAW_ATTRIBUTES);
    for (unsigned i = 0; two_sided && i < 8; i++) {
        carried->word[carried->count++] = (uint8_t)(WORD_BACK + i);
        carried->linear[WORD_BACK + i] = carried->linear[WORD_COLORS + i];
    }
}

static bool uses_sample_mask(const struct draw_source *source) {
    bool with_multisampling = FIELD(source, SET_PS_OUTPUT_SAMPLE_MASK_USAGE, QUALIFY_BY_ANTI_ALIAS_ENABLE);
    return FIELD(source, SET_PS_OUTPUT_SAMPLE_MASK_USAGE, ENABLE) &&
           (!with_multisampling || flag(source, GF100_3D_SET_ANTI_ALIAS_ENABLE));
}

static void set_fragment(struct draw_stages_state *stages, const struct draw_source *source) {
    struct draw_program *program = &stages->program;
    const uint32_t *header = stages->stage[STAGE_FRAGMENT].header;
    const bool flat = program->flat_colors;
    uint32_t passes = FIELD(source, SET_HYBRID_ANTI_ALIAS_CONTROL, PASSES);
    memset(program, 0, sizeof *program);
    memset(&stages->carried, 0, sizeof stages->carried);
    program->flat_colors = flat;
    program->present = true;
    add_inputs(stages, 192, 2, 0x20, 128); /* generic */
    add_inputs(stages, 448, 2, WORD_COLORS, 8);
    add_inputs(stages, 464, 1, 0xb0, 8);  /* clip distances */
    add_inputs(stages, 474, 1, 0xba, 1);  /* fog */
    add_inputs(stages, 480, 2, 0xc0, 40); /* fixed texture coordinates */
    add_back_colors(stages, flag(source, GF100_3D_SET_TWO_SIDED_LIGHT));
    program->outputs = header[18];
    program->sample_mask = (header[19] & 1) && uses_sample_mask(source);
    program->depth = header[19] >> 1 & 1;
    program->separate = (header[0] >> 14 & 1) && flag(source, GF100_3D_SET_CT_MRT_ENABLE);
    program->kills = header[0] >> 15 & 1;
    program->effects = header[0] >> 16 & 1;
    program->early = flag(source, GF100_3D_SET_API_MANDATED_EARLY_Z);
    program->passes = (uint8_t)(passes ? passes : 1);
    program->coverage_after_tests = source->of->sample_places && flag(source, GF100_3D_SET_POST_Z_PS_IMASK);
    program->centroid_of_pass = FIELD(source, SET_HYBRID_ANTI_ALIAS_CONTROL, CENTROID);
}

static void decode_header(struct draw_state *state, const struct draw_source *source, unsigned stage) {
    if (stage == STAGE_FRAGMENT)
        set_fragment(&state->stages, source);
}

/* ---- textures ---- */

static void decode_textures(struct draw_state *state, const struct draw_source *source) {
    struct draw_textures_state *textures = &state->textures;
    textures->linked_samplers = flag(source, GF100_3D_SET_SAMPLER_BINDING);
    textures->cube_faces = FIELD(source, SET_CUBEMAP_INTER_FACE_FILTERING, MODE);
    textures->samplers = address(source, GF100_3D_SET_TEX_SAMPLER_POOL_A);
    textures->most_sampler = value(source, GF100_3D_SET_TEX_SAMPLER_POOL_C);
    textures->headers = address(source, GF100_3D_SET_TEX_HEADER_POOL_A);
    textures->most_header = value(source, GF100_3D_SET_TEX_HEADER_POOL_C);
    textures->maxwell_headers =
        source->of->maxwell_headers ||
        (source->of->maxwell_choice && flag(source, GF100_3D_SET_SELECT_MAXWELL_TEXTURE_HEADERS));
}

/* ---- methods ---- */

_Static_assert(STATE_GROUPS <= 16, "groups are bits of draw_methods.groups");

#define INPUT    (1u << STATE_INPUT)
#define INDICES  (1u << STATE_INDICES)
#define PROGRAMS (1u << STATE_STAGES)
#define PATCHES  (1u << STATE_PATCHES)
#define FEEDBACK (1u << STATE_FEEDBACK)
#define VIEW     (1u << STATE_VIEW)
#define RASTER   (1u << STATE_RASTER)
#define ZETA     (1u << STATE_ZETA)
#define BLEND    (1u << STATE_BLEND)
#define TARGETS  (1u << STATE_TARGETS)
#define TEXTURES (1u << STATE_TEXTURES)
#define IMAGES   (1u << STATE_IMAGES)

#define ONE(groups, method)                                                                                            \
    { GF100_3D_##method, 1, 4, (groups) }
#define TWO(groups, method)                                                                                            \
    { GF100_3D_##method, 2, 4, (groups) } /* A and B of an address, ... */
#define SOME(groups, count, method)                                                                                    \
    { GF100_3D_##method, (count), 4, (groups) }
#define ARRAY(groups, method)                                                                                          \
    { GF100_3D_##method(0), GF100_3D_##method##__COUNT, GF100_3D_##method##__STRIDE, (groups) }
#define TWICE(groups, method)                                                                                          \
    { GF100_3D_##method(0), 2 * GF100_3D_##method##__COUNT, GF100_3D_##method##__STRIDE, (groups) } /* A, B */

/* clang-format off */
static const struct draw_methods methods[] = {
    TWO(INPUT, SET_VERTEX_GLOBAL_BASE_OFFSET_A),
    TWO(INPUT, SET_VERTEX_STREAM_SUBSTITUTE_A),
    TWICE(INPUT, SET_VERTEX_STREAM_A_FORMAT),
    TWICE(INPUT, SET_VERTEX_STREAM_A_LOCATION_A),
    TWICE(INPUT, SET_VERTEX_STREAM_A_LOCATION_B),
    TWICE(INPUT, SET_VERTEX_STREAM_A_FREQUENCY),
    TWICE(INPUT, SET_VERTEX_STREAM_LIMIT_A_A),
    TWICE(INPUT, SET_VERTEX_STREAM_LIMIT_A_B),
    TWICE(INPUT, SET_VERTEX_STREAM_INSTANCE_A),
    TWICE(INPUT, SET_VERTEX_ATTRIBUTE_A),
    ONE(INPUT, SET_VERTEX_ID_COPY),

    SOME(INDICES, 4, SET_INDEX_BUFFER_A),
    ONE(INDICES, SET_DA_PRIMITIVE_RESTART),
    ONE(INDICES, SET_DA_PRIMITIVE_RESTART_INDEX),
    ONE(INDICES, SET_DA_PRIMITIVE_RESTART_VERTEX_ARRAY),
    ONE(INDICES, SET_DA_OUTPUT),
    ONE(INDICES, SET_GLOBAL_BASE_VERTEX_INDEX),
    ONE(INDICES, SET_GLOBAL_BASE_INSTANCE_INDEX),
    ONE(INDICES, SET_VERTEX_ID_BASE),
    ONE(INDICES, SET_EDGE_FLAG),

    TWO(PROGRAMS, SET_PROGRAM_REGION_A),
    ARRAY(PROGRAMS, SET_PIPELINE_SHADER),
    ARRAY(PROGRAMS, SET_PIPELINE_PROGRAM),
    ARRAY(PROGRAMS, SET_PIPELINE_REGISTER_COUNT),
    ARRAY(PROGRAMS, SET_PIPELINE_BINDING),
    ONE(PROGRAMS, SET_API_MANDATED_EARLY_Z),
    ONE(PROGRAMS, SET_BINDLESS_TEXTURE),
    ONE(PROGRAMS, SET_COLOR_CLAMP),
    ONE(PROGRAMS, SET_CT_MRT_ENABLE),
    ONE(PROGRAMS, SET_HYBRID_ANTI_ALIAS_CONTROL),
    ONE(PROGRAMS, SET_PS_OUTPUT_SAMPLE_MASK_USAGE),
    ONE(PROGRAMS, SET_POST_Z_PS_IMASK),
    ONE(PROGRAMS, SET_SHADER_LOCAL_MEMORY_WINDOW),
    ONE(PROGRAMS, SET_SHADE_MODE),
    ONE(PROGRAMS, SET_STATISTICS_COUNTER),
    ONE(PROGRAMS | RASTER, SET_TWO_SIDED_LIGHT),
    ONE(PROGRAMS | RASTER | BLEND, SET_ANTI_ALIAS_ENABLE),

    ONE(PATCHES, SET_TESSELLATION_PARAMETERS),
    SOME(PATCHES, 4, SET_TESSELLATION_LOD_U0_OR_DENSITY),
    TWO(PATCHES, SET_TG_LOD_INTERIOR_U),

    ONE(FEEDBACK, SET_STREAM_OUTPUT),
    ARRAY(FEEDBACK, SET_STREAM_OUT_BUFFER_ENABLE),
    ARRAY(FEEDBACK, SET_STREAM_OUT_BUFFER_ADDRESS_A),
    ARRAY(FEEDBACK, SET_STREAM_OUT_BUFFER_ADDRESS_B),
    ARRAY(FEEDBACK, SET_STREAM_OUT_BUFFER_SIZE),
    ARRAY(FEEDBACK, SET_STREAM_OUT_CONTROL_STREAM),
    ARRAY(FEEDBACK, SET_STREAM_OUT_CONTROL_COMPONENT_COUNT),
    ARRAY(FEEDBACK, SET_STREAM_OUT_CONTROL_STRIDE),
    {GF100_3D_SET_STREAM_OUT_LAYOUT_SELECT(0, 0), FEEDBACK_BUFFERS * FEEDBACK_COMPONENTS / 4, 4, FEEDBACK},

    ARRAY(VIEW, SET_VIEWPORT_SCALE_X),
    ARRAY(VIEW, SET_VIEWPORT_SCALE_Y),
    ARRAY(VIEW, SET_VIEWPORT_SCALE_Z),
    ARRAY(VIEW, SET_VIEWPORT_OFFSET_X),
    ARRAY(VIEW, SET_VIEWPORT_OFFSET_Y),
    ARRAY(VIEW, SET_VIEWPORT_OFFSET_Z),
    ARRAY(VIEW, SET_VIEWPORT_COORDINATE_SWIZZLE),
    ARRAY(VIEW, SET_VIEWPORT_CLIP_HORIZONTAL),
    ARRAY(VIEW, SET_VIEWPORT_CLIP_VERTICAL),
    ARRAY(VIEW, SET_VIEWPORT_CLIP_MIN_Z),
    ARRAY(VIEW, SET_VIEWPORT_CLIP_MAX_Z),
    ARRAY(VIEW, SET_SCISSOR_ENABLE),
    ARRAY(VIEW, SET_SCISSOR_HORIZONTAL),
    ARRAY(VIEW, SET_SCISSOR_VERTICAL),
    ARRAY(VIEW, SET_WINDOW_CLIP_HORIZONTAL),
    ARRAY(VIEW, SET_WINDOW_CLIP_VERTICAL),
    ONE(VIEW, SET_WINDOW_CLIP_ENABLE),
    ONE(VIEW, SET_WINDOW_CLIP_TYPE),
    ONE(VIEW, SET_SURFACE_CLIP_HORIZONTAL),
    ONE(VIEW, SET_SURFACE_CLIP_VERTICAL),
    ONE(VIEW, SET_WINDOW_OFFSET_X),
    ONE(VIEW, SET_WINDOW_OFFSET_Y),
    ONE(VIEW, SET_VIEWPORT_SCALE_OFFSET),
    ONE(VIEW, SET_VIEWPORT_Z_CLIP),
    ONE(VIEW, SET_USER_CLIP_ENABLE),
    ONE(VIEW, SET_USER_CLIP_OP),
    ONE(VIEW, SET_CLIP_ID_TEST),
    ONE(VIEW, SET_RT_LAYER),
    ONE(VIEW, SET_OFFSET_RENDER_TARGET_INDEX),
    ONE(VIEW, SET_VIEWPORT_MULTICAST),
    ONE(VIEW, SET_ATTRIBUTE_DEFAULT),
    ONE(VIEW | RASTER, SET_VIEWPORT_CLIP_CONTROL),
    ONE(VIEW | RASTER, SET_WINDOW_ORIGIN),

    ONE(RASTER, SET_RASTER_ENABLE),
    ONE(RASTER, SET_RASTER_INPUT),
    ONE(RASTER, SET_NONMULTISAMPLED_Z),
    ONE(RASTER, SET_CONSERVATIVE_RASTER),
    ONE(RASTER, SET_CONSERVATIVE_RASTER_CONTROL),
    ARRAY(RASTER, SET_VIEWPORT_INCREASE_SNAP_GRID_PRECISION),
    ONE(RASTER, SET_TIR_MODULATION),
    ONE(RASTER, SET_TIR_MODULATION_FUNCTION),
    SOME(RASTER, DRAW_SAMPLES / 4, SET_TIR_MODULATION_COEFFICIENT_TABLE(0)),
    ONE(RASTER, SET_TIR_CONTROL),
    ONE(RASTER | TARGETS, SET_TIR),
    ONE(RASTER | TARGETS, SET_ANTI_ALIAS_RASTER),
    ONE(RASTER, SET_FILL_VIA_TRIANGLE),
    ONE(RASTER, SET_VIEWPORT_PIXEL),
    ARRAY(RASTER, SET_ANTI_ALIAS_SAMPLE_POSITIONS),
    SOME(RASTER, 4, SET_SAMPLE_MASK_X0_Y0),
    ONE(RASTER, SET_ANTI_ALIASED_LINE),
    ONE(RASTER, SET_LINE_MULTISAMPLE_OVERRIDE),
    ONE(RASTER, SET_LINE_WIDTH_FLOAT),
    ONE(RASTER, SET_ALIASED_LINE_WIDTH_FLOAT),
    ONE(RASTER, SET_ALIASED_LINE_WIDTH_ENABLE),
    ONE(RASTER, SET_LINE_STIPPLE),
    ONE(RASTER, SET_LINE_STIPPLE_PARAMETERS),
    ONE(RASTER, SET_ANTI_ALIASED_POINT),
    ONE(RASTER, SET_POINT_SPRITE),
    ONE(RASTER, SET_POINT_SPRITE_SELECT),
    ONE(RASTER, SET_POINT_CENTER_MODE),
    ONE(RASTER, SET_POINT_SIZE),
    ONE(RASTER, SET_ATTRIBUTE_POINT_SIZE),
    ONE(RASTER, OGL_SET_CULL),
    ONE(RASTER, OGL_SET_CULL_FACE),
    ONE(RASTER, OGL_SET_FRONT_FACE),
    ONE(RASTER, SET_FRONT_POLYGON_MODE),
    ONE(RASTER, SET_BACK_POLYGON_MODE),
    ONE(RASTER, SET_POLY_SMOOTH),
    ONE(RASTER, SET_POLYGON_STIPPLE),
    ARRAY(RASTER, SET_POLYGON_STIPPLE_PATTERN),
    ONE(RASTER, SET_POLY_OFFSET_POINT),
    ONE(RASTER, SET_POLY_OFFSET_LINE),
    ONE(RASTER, SET_POLY_OFFSET_FILL),
    ONE(RASTER, SET_SLOPE_SCALE_DEPTH_BIAS),
    ONE(RASTER, SET_DEPTH_BIAS),
    ONE(RASTER, SET_DEPTH_BIAS_CLAMP),
    ONE(RASTER, SET_DEPTH_BIAS_CONTROL),
    ONE(RASTER | TARGETS, SET_ANTI_ALIAS),

    ONE(ZETA, SET_ZT_READ_ONLY),
    ONE(ZETA, SET_DEPTH_TEST),
    ONE(ZETA, SET_DEPTH_WRITE),
    ONE(ZETA, SET_DEPTH_FUNC),
    ONE(ZETA, SET_DEPTH_BOUNDS_TEST),
    ONE(ZETA, SET_DEPTH_BOUNDS_MIN),
    ONE(ZETA, SET_DEPTH_BOUNDS_MAX),
    ONE(ZETA, SET_STENCIL_TEST),
    SOME(ZETA, 4, SET_STENCIL_OP_FAIL),
    ONE(ZETA, SET_STENCIL_FUNC_REF),
    ONE(ZETA, SET_STENCIL_FUNC_MASK),
    ONE(ZETA, SET_STENCIL_MASK),
    ONE(ZETA, SET_TWO_SIDED_STENCIL_TEST),
    SOME(ZETA, 4, SET_BACK_STENCIL_OP_FAIL),
    ONE(ZETA, SET_BACK_STENCIL_FUNC_REF),
    ONE(ZETA, SET_BACK_STENCIL_FUNC_MASK),
    ONE(ZETA, SET_BACK_STENCIL_MASK),
    ONE(ZETA, SET_ZPASS_PIXEL_COUNT),

    ONE(BLEND, SET_ALPHA_TEST),
    ONE(BLEND, SET_ALPHA_FUNC),
    ONE(BLEND, SET_ALPHA_REF),
    ONE(BLEND, SET_ANTI_ALIAS_ALPHA_CONTROL),
    ONE(BLEND, SET_ALPHA_TO_COVERAGE_OVERRIDE),
    ONE(BLEND, SET_COVERAGE_TO_COLOR),
    ONE(BLEND, SET_SINGLE_CT_WRITE_CONTROL),
    ARRAY(BLEND, SET_CT_WRITE),
    ONE(BLEND, SET_PS_SATURATE),
    ONE(BLEND, SET_SINGLE_ROP_CONTROL),
    ARRAY(BLEND, SET_BLEND),
    SOME(BLEND, 4, SET_BLEND_CONST_RED),
    ONE(BLEND, SET_BLEND_FLOAT_OPTION),
    ONE(BLEND, SET_BLEND_STATE_PER_TARGET),
    ONE(BLEND, SET_BLEND_SEPARATE_FOR_ALPHA),
    SOME(BLEND, 3, SET_BLEND_COLOR_OP),
    TWO(BLEND, SET_BLEND_ALPHA_OP),
    ONE(BLEND, SET_BLEND_ALPHA_DEST_COEFF),
    ARRAY(BLEND, SET_BLEND_PER_TARGET_SEPARATE_FOR_ALPHA),
    ARRAY(BLEND, SET_BLEND_PER_TARGET_COLOR_OP),
    ARRAY(BLEND, SET_BLEND_PER_TARGET_COLOR_SOURCE_COEFF),
    ARRAY(BLEND, SET_BLEND_PER_TARGET_COLOR_DEST_COEFF),
    ARRAY(BLEND, SET_BLEND_PER_TARGET_ALPHA_OP),
    ARRAY(BLEND, SET_BLEND_PER_TARGET_ALPHA_SOURCE_COEFF),
    ARRAY(BLEND, SET_BLEND_PER_TARGET_ALPHA_DEST_COEFF),
    ONE(BLEND, SET_LOGIC_OP),
    ONE(BLEND, SET_LOGIC_OP_FUNC),

    ONE(TARGETS, SET_CT_SELECT),
    ARRAY(TARGETS, SET_COLOR_TARGET_A),
    ARRAY(TARGETS, SET_COLOR_TARGET_B),
    ARRAY(TARGETS, SET_COLOR_TARGET_WIDTH),
    ARRAY(TARGETS, SET_COLOR_TARGET_HEIGHT),
    ARRAY(TARGETS, SET_COLOR_TARGET_FORMAT),
    ARRAY(TARGETS, SET_COLOR_TARGET_MEMORY),
    ARRAY(TARGETS, SET_COLOR_TARGET_THIRD_DIMENSION),
    ARRAY(TARGETS, SET_COLOR_TARGET_ARRAY_PITCH),
    ARRAY(TARGETS, SET_COLOR_TARGET_LAYER),
    ONE(TARGETS, SET_ZT_SELECT),
    TWO(TARGETS, SET_ZT_A),
    ONE(TARGETS, SET_ZT_FORMAT),
    ONE(TARGETS, SET_ZT_BLOCK_SIZE),
    ONE(TARGETS, SET_ZT_ARRAY_PITCH),
    ONE(TARGETS, SET_ZT_SIZE_A),
    ONE(TARGETS, SET_ZT_SIZE_B),
    ONE(TARGETS, SET_ZT_SIZE_C),
    ONE(TARGETS, SET_ZT_LAYER),

    TWO(TEXTURES, SET_TEX_SAMPLER_POOL_A),
    ONE(TEXTURES, SET_TEX_SAMPLER_POOL_C),
    TWO(TEXTURES, SET_TEX_HEADER_POOL_A),
    ONE(TEXTURES, SET_TEX_HEADER_POOL_C),
    ONE(TEXTURES, SET_SAMPLER_BINDING),
    ONE(TEXTURES, SET_CUBEMAP_INTER_FACE_FILTERING),
    ONE(TEXTURES, SET_SELECT_MAXWELL_TEXTURE_HEADERS),

    ARRAY(IMAGES, SET_SU_LD_ST_TARGET_A),
    ARRAY(IMAGES, SET_SU_LD_ST_TARGET_B),
    ARRAY(IMAGES, SET_SU_LD_ST_TARGET_C),
    ARRAY(IMAGES, SET_SU_LD_ST_TARGET_D),
    ARRAY(IMAGES, SET_SU_LD_ST_TARGET_FORMAT),
    ARRAY(IMAGES, SET_SU_LD_ST_TARGET_BLOCK_SIZE),
    {0}};
/* clang-format on */

const struct draw_decoder draw_decoder_gf100 = {.group = {[STATE_INPUT] = decode_input,
                                                          [STATE_INDICES] = decode_indices,
                                                          [STATE_STAGES] = decode_stages,
                                                          [STATE_PATCHES] = decode_gf100_patches,
                                                          [STATE_FEEDBACK] = decode_gf100_feedback,
                                                          [STATE_VIEW] = decode_gf100_view,
                                                          [STATE_RASTER] = decode_gf100_raster,
                                                          [STATE_ZETA] = decode_gf100_zeta,
                                                          [STATE_BLEND] = decode_gf100_blend,
                                                          [STATE_TARGETS] = decode_gf100_targets,
                                                          [STATE_TEXTURES] = decode_textures,
                                                          [STATE_IMAGES] = decode_gf100_images},
                                                .header = decode_header,
                                                .methods = methods};
