/* SPDX-License-Identifier: MIT */
/* Viewports and clipping, and how primitives become pixels. */
#include "engine/draw/decode_gf100.h"

#include <assert.h>
#include <string.h>

/* ---- viewports ---- */

#define PLAIN_SWIZZLE 0x6420u /* x, y, z, w */

/* Two methods: of x and of y, the lower bound in the lower half of each, the upper one in the upper half. */
static struct draw_box box_of_bounds(const struct draw_source *source, uint32_t horizontal, uint32_t vertical) {
    uint32_t x = value(source, horizontal), y = value(source, vertical);
    return (struct draw_box){(int32_t)(x & 0xffff), (int32_t)(y & 0xffff), (int32_t)(x >> 16), (int32_t)(y >> 16)};
}

/* The same with a size in the upper half. */
static struct draw_box box_of_size(const struct draw_source *source, uint32_t horizontal, uint32_t vertical) {
    struct draw_box box = box_of_bounds(source, horizontal, vertical);
    box.x1 += box.x0;
    box.y1 += box.y0;
    return box;
}

static void box_and(struct draw_box *box, struct draw_box other) {
    box->x0 = box->x0 > other.x0 ? box->x0 : other.x0;
    box->y0 = box->y0 > other.y0 ? box->y0 : other.y0;
    box->x1 = box->x1 < other.x1 ? box->x1 : other.x1;
    box->y1 = box->y1 < other.y1 ? box->y1 : other.y1;
}

/* Signed numbers of 16 bits. */
static int32_t window_offset(const struct draw_source *source, uint32_t method) {
    return (int16_t)(uint16_t)value(source, method);
}

/* What moves with the origin of the window, as positions do. */
static struct draw_box in_window(const struct draw_source *source, struct draw_box box) {
    int32_t x = window_offset(source, GF100_3D_SET_WINDOW_OFFSET_X),
            y = window_offset(source, GF100_3D_SET_WINDOW_OFFSET_Y);
    if (flag(source, GF100_3D_SET_WINDOW_ORIGIN))
        return (struct draw_box){box.x0 + x, y - box.y1, box.x1 + x, y - box.y0};
    return (struct draw_box){box.x0 + x, box.y0 + y, box.x1 + x, box.y1 + y};
}

/* UNKNOWN: whether the viewport's rectangle follows the origin of the window; chosen: as scissors do. */
static struct draw_box scissor_of(const struct draw_source *source, unsigned number) {
    struct draw_box box = box_of_size(source, GF100_3D_SET_SURFACE_CLIP_HORIZONTAL, GF100_3D_SET_SURFACE_CLIP_VERTICAL);
    struct draw_box clip =
        box_of_size(source, GF100_3D_SET_VIEWPORT_CLIP_HORIZONTAL(number), GF100_3D_SET_VIEWPORT_CLIP_VERTICAL(number));
    struct draw_box scissor =
        box_of_bounds(source, GF100_3D_SET_SCISSOR_HORIZONTAL(number), GF100_3D_SET_SCISSOR_VERTICAL(number));
    box_and(&box, in_window(source, clip));
    if (flag(source, GF100_3D_SET_SCISSOR_ENABLE(number)))
        box_and(&box, in_window(source, scissor));
    return box;
}

static void set_viewport(struct draw_view_state *view, const struct draw_source *source, unsigned number) {
    struct draw_viewport *viewport = &view->viewport[number];
    for (unsigned i = 0; i < 3; i++) {
        viewport->scale[i] = real(source, GF100_3D_SET_VIEWPORT_SCALE_X(number) + i * 4);
        viewport->translate[i] = real(source, GF100_3D_SET_VIEWPORT_OFFSET_X(number) + i * 4);
    }
    bool whole = FIELD(source, SET_VIEWPORT_CLIP_CONTROL, MIN_Z_ZERO_MAX_Z_ONE);
    viewport->near = whole ? 0.0f : real(source, GF100_3D_SET_VIEWPORT_CLIP_MIN_Z(number));
    viewport->far = whole ? 1.0f : real(source, GF100_3D_SET_VIEWPORT_CLIP_MAX_Z(number));
    viewport->scissor = scissor_of(source, number);
    uint32_t swizzle = source->of->swizzles ? value(source, GF100_3D_SET_VIEWPORT_COORDINATE_SWIZZLE(number)) : 0;
    swizzle = swizzle ? swizzle : PLAIN_SWIZZLE;
    for (unsigned i = 0; i < 4; i++)
        view->swizzle[number][i] = swizzle >> i * 4 & 7;
}

static void set_windows(struct draw_view_state *view, const struct draw_source *source) {
    uint32_t type = value(source, GF100_3D_SET_WINDOW_CLIP_TYPE);
    view->window_mode = flag(source, GF100_3D_SET_WINDOW_CLIP_ENABLE)
                            ? (uint8_t)(type < GF100_3D_SET_WINDOW_CLIP_TYPE_V_CLIPALL ? type + 1 : 3)
                            : 0;
    for (unsigned i = 0; i < DRAW_WINDOWS; i++)
        view->window[i] =
            box_of_bounds(source, GF100_3D_SET_WINDOW_CLIP_HORIZONTAL(i), GF100_3D_SET_WINDOW_CLIP_VERTICAL(i));
}

static void set_clip(struct draw_view_state *view, const struct draw_source *source) {
    uint32_t kinds = value(source, GF100_3D_SET_USER_CLIP_OP);
    uint32_t band = FIELD(source, SET_VIEWPORT_CLIP_CONTROL, GEOMETRY_GUARDBAND_Z);
    view->transform = flag(source, GF100_3D_SET_VIEWPORT_SCALE_OFFSET);
    view->zero_to_w = flag(source, GF100_3D_SET_VIEWPORT_Z_CLIP);
    view->mode = FIELD(source, SET_VIEWPORT_CLIP_CONTROL, GEOMETRY_CLIP);
    view->wide_xy = !FIELD(source, SET_VIEWPORT_CLIP_CONTROL, GEOMETRY_GUARDBAND);
    view->wide_z =
        band == GF100_3D_SET_VIEWPORT_CLIP_CONTROL_GEOMETRY_GUARDBAND_Z_SCALE_256 ||
        (band == GF100_3D_SET_VIEWPORT_CLIP_CONTROL_GEOMETRY_GUARDBAND_Z_SAME_AS_XY_GUARDBAND && view->wide_xy);
    view->wide_points = !FIELD(source, SET_VIEWPORT_CLIP_CONTROL, LINE_POINT_CULL_GUARDBAND);
    for (unsigned i = 0; i < 8; i++) {
        bool cull = kinds >> i * 4 & 1;
        if (value(source, GF100_3D_SET_USER_CLIP_ENABLE) >> i & 1)
            *(cull ? &view->culls : &view->distances) |= (uint8_t)(1u << i);
    }
    view->lower_left = flag(source, GF100_3D_SET_WINDOW_ORIGIN);
    view->offset_x = (float)window_offset(source, GF100_3D_SET_WINDOW_OFFSET_X);
    view->offset_y = (float)window_offset(source, GF100_3D_SET_WINDOW_OFFSET_Y);
}

static void set_layers(struct draw_view_state *view, const struct draw_source *source) {
    view->layer = FIELD(source, SET_RT_LAYER, V);
    view->shader_layer = FIELD(source, SET_RT_LAYER, CONTROL);
    view->multicast_by_primitive =
        source->of->sample_places &&
        FIELD(source, SET_VIEWPORT_MULTICAST, ORDER) == GF100_3D_SET_VIEWPORT_MULTICAST_ORDER_PRIMITIVE_ORDER;
    view->layer_plus_viewport = source->of->sample_places && flag(source, GF100_3D_SET_OFFSET_RENDER_TARGET_INDEX);
}

#define ONE_FLOAT            0x3f800000u
#define WORD_COORDINATES     0xc0u /* of fixed texturing */
#define WORD_COORDINATES_END 0xe8u

static void set_ones(struct draw_view_state *view, unsigned first, unsigned end, unsigned step) {
    assert(step > 0 && end <= DRAW_ATTRIBUTES);
    for (unsigned word = first; word < end; word += step)
        view->defaults[word] = ONE_FLOAT;
}

/* UNKNOWN: which bits are those of D3D 9's colours; chosen: none. */
static void set_defaults(struct draw_view_state *view, const struct draw_source *source) {
    if (FIELD(source, SET_ATTRIBUTE_DEFAULT, COLOR_FRONT_DIFFUSE))
        set_ones(view, WORD_COLORS, WORD_COLORS + 3, 1);
    if (FIELD(source, SET_ATTRIBUTE_DEFAULT, COLOR_FRONT_SPECULAR))
        set_ones(view, WORD_COLORS + 7, WORD_BACK + 8, 8);
    if (FIELD(source, SET_ATTRIBUTE_DEFAULT, GENERIC_VECTOR))
        set_ones(view, 3, WORD_COLORS, 4);
    if (FIELD(source, SET_ATTRIBUTE_DEFAULT, FIXED_FNC_TEXTURE))
        set_ones(view, WORD_COORDINATES + 3, WORD_COORDINATES_END, 4);
    set_ones(view, WORD_COLORS + 3, WORD_BACK + 4, 8);
    view->defaults[WORD_POSITION + 3] = ONE_FLOAT;
}

void decode_gf100_view(struct draw_state *state, const struct draw_source *source) {
    for (unsigned i = 0; i < DRAW_VIEWPORTS; i++)
        set_viewport(&state->view, source, i);
    set_windows(&state->view, source);
    set_clip(&state->view, source);
    set_layers(&state->view, source);
    set_defaults(&state->view, source);
    state->view.clip_ids = flag(source, GF100_3D_SET_CLIP_ID_TEST);
}

/* ---- raster ---- */

static uint8_t polygon_mode(uint32_t code) {
    return code == GF100_3D_SET_FRONT_POLYGON_MODE_V_POINT  ? DRAW_VERTICES
           : code == GF100_3D_SET_FRONT_POLYGON_MODE_V_LINE ? DRAW_OUTLINE
                                                            : DRAW_FILL;
}

static void set_lines(struct draw_raster_state *raster, const struct draw_source *source) {
    bool rectangle = raster->multisample && !flag(source, GF100_3D_SET_LINE_MULTISAMPLE_OVERRIDE);
    raster->line_smooth = flag(source, GF100_3D_SET_ANTI_ALIASED_LINE);
    raster->line_rectangle = rectangle && !raster->line_smooth;
    bool aliased = !raster->line_smooth && !rectangle;
    bool own_width = aliased && flag(source, GF100_3D_SET_ALIASED_LINE_WIDTH_ENABLE);
    raster->line_width =
        real(source, own_width ? GF100_3D_SET_ALIASED_LINE_WIDTH_FLOAT : GF100_3D_SET_LINE_WIDTH_FLOAT);
    raster->line_stipple = flag(source, GF100_3D_SET_LINE_STIPPLE);
    raster->line_factor = (uint16_t)(FIELD(source, SET_LINE_STIPPLE_PARAMETERS, FACTOR) + 1);
    raster->line_pattern = (uint16_t)FIELD(source, SET_LINE_STIPPLE_PARAMETERS, PATTERN);
}

static void set_points(struct draw_raster_state *raster, const struct draw_source *source) {
    raster->point_sprite = flag(source, GF100_3D_SET_POINT_SPRITE);
    raster->point_smooth = flag(source, GF100_3D_SET_ANTI_ALIASED_POINT);
    raster->point_d3d = flag(source, GF100_3D_SET_POINT_CENTER_MODE);
    raster->point_size_varies = flag(source, GF100_3D_SET_ATTRIBUTE_POINT_SIZE);
    raster->point_size = real(source, GF100_3D_SET_POINT_SIZE);
    raster->sprite_r = FIELD(source, SET_POINT_SPRITE_SELECT, RMODE);
    raster->sprite_lower_left = !FIELD(source, SET_POINT_SPRITE_SELECT, ORIGIN);
    raster->sprite_vectors =
        value(source, GF100_3D_SET_POINT_SPRITE_SELECT) >> GF100_3D_SET_POINT_SPRITE_SELECT_TEXTURE0__SHIFT & 0x3ff;
}

static void set_polygons(struct draw_raster_state *raster, const struct draw_source *source) {
    uint32_t face = value(source, GF100_3D_OGL_SET_CULL_FACE);
    bool culls = flag(source, GF100_3D_OGL_SET_CULL);
    bool both = face == GF100_3D_OGL_SET_CULL_FACE_V_FRONT_AND_BACK;
    raster->cull_front = culls && (both || face == GF100_3D_OGL_SET_CULL_FACE_V_FRONT);
    raster->cull_back = culls && (both || face == GF100_3D_OGL_SET_CULL_FACE_V_BACK);
    raster->front_is_cw = value(source, GF100_3D_OGL_SET_FRONT_FACE) == GF100_3D_OGL_SET_FRONT_FACE_V_CW;
    raster->flip = FIELD(source, SET_WINDOW_ORIGIN, FLIP_Y);
    raster->polygon[0] = polygon_mode(value(source, GF100_3D_SET_FRONT_POLYGON_MODE));
    raster->polygon[1] = polygon_mode(value(source, GF100_3D_SET_BACK_POLYGON_MODE));
    raster->polygon_smooth = flag(source, GF100_3D_SET_POLY_SMOOTH);
    raster->polygon_stipple = flag(source, GF100_3D_SET_POLYGON_STIPPLE);
    _Static_assert(sizeof raster->stipple == 4 * GF100_3D_SET_POLYGON_STIPPLE_PATTERN__COUNT, "all of the pattern");
    memcpy(raster->stipple, &source->value[GF100_3D_SET_POLYGON_STIPPLE_PATTERN(0) >> 2], sizeof raster->stipple);
    raster->offset_point = flag(source, GF100_3D_SET_POLY_OFFSET_POINT);
    raster->offset_line = flag(source, GF100_3D_SET_POLY_OFFSET_LINE);
    raster->offset_fill = flag(source, GF100_3D_SET_POLY_OFFSET_FILL);
    raster->offset_factor = real(source, GF100_3D_SET_SLOPE_SCALE_DEPTH_BIAS);
    raster->offset_units = real(source, GF100_3D_SET_DEPTH_BIAS);
    raster->offset_clamp = real(source, GF100_3D_SET_DEPTH_BIAS_CLAMP);
    raster->offset_by_exponent = flag(source, GF100_3D_SET_DEPTH_BIAS_CONTROL);
    raster->two_sided = flag(source, GF100_3D_SET_TWO_SIDED_LIGHT);
}

/* One of a target has as many of the raster, whose share of the pixel is what colours are multiplied by. */
static void set_modulation(struct draw_raster_state *raster, const struct draw_source *source) {
    unsigned group = raster->samples.count / raster->color.count;
    bool table = flag(source, GF100_3D_SET_TIR_MODULATION_FUNCTION);
    raster->modulation = FIELD(source, SET_TIR_MODULATION, COMPONENT_SELECT);
    raster->counts_raster = FIELD(source, SET_TIR_CONTROL, Z_PASS_PIXEL_COUNT_USE_RASTER_SAMPLES);
    for (unsigned i = 0; i < DRAW_SAMPLES; i++) {
        uint32_t entry = value(source, GF100_3D_SET_TIR_MODULATION_COEFFICIENT_TABLE(i / 4)) >> i % 4 * 8 & 0xff;
        raster->modulate[i] = table ? (float)entry / 128 : i < group ? (float)(i + 1) / (float)group : 1;
    }
}

/* UNKNOWN: fewer samples of the raster than of targets; chosen: the raster has those of the targets. */
static void set_independent(struct draw_raster_state *raster, const struct draw_source *source) {
    if (!draw_gf100_independent(source))
        return;
    raster->color = raster->samples;
    raster->independent = true;
    draw_samples_of(&raster->samples, FIELD(source, SET_ANTI_ALIAS_RASTER, SAMPLES));
    set_modulation(raster, source);
}

/* 4 x 4 samples are mode 6, of the raster, too. */
static bool has_16_samples(const struct draw_source *source) {
    uint32_t wanted = GF100_3D_SET_ANTI_ALIAS_SAMPLES_MODE_4X4;
    return FIELD(source, SET_ANTI_ALIAS, SAMPLES) == wanted ||
           (source->of->sample_places && FIELD(source, SET_TIR, MODE) &&
            FIELD(source, SET_ANTI_ALIAS_RASTER, SAMPLES) == wanted);
}

static void set_samples(struct draw_raster_state *raster, const struct draw_source *source) {
    const uint32_t *positions = &source->value[GF100_3D_SET_ANTI_ALIAS_SAMPLE_POSITIONS(0) >> 2];
    draw_samples_of(&raster->samples, FIELD(source, SET_ANTI_ALIAS, SAMPLES));
    raster->too_many = has_16_samples(source);
    set_independent(raster, source);
    if (source->of->sample_places && (positions[0] | positions[1]))
        draw_samples_place(&raster->samples, positions);
    for (unsigned i = 0; i < 4; i++)
        raster->sample_mask[i] = (uint16_t)value(source, GF100_3D_SET_SAMPLE_MASK_X0_Y0 + i * 4);
}

/* How is said by a method from GV100 on; before, the firmware has it there (engine/graph/fermi.c). */
static void set_conservative(struct draw_raster_state *raster, const struct draw_source *source) {
    uint32_t bloat = FIELD(source, SET_CONSERVATIVE_RASTER_CONTROL, EXTRA_PRIM_BLOAT);
    if (!source->of->sample_places || !flag(source, GF100_3D_SET_CONSERVATIVE_RASTER))
        return;
    raster->conservative = true;
    raster->dilation = bloat <= GF100_3D_SET_CONSERVATIVE_RASTER_CONTROL_EXTRA_PRIM_BLOAT_BLOAT_75 ? (uint8_t)bloat : 0;
    raster->before_snap = FIELD(source, SET_CONSERVATIVE_RASTER_CONTROL, TRIANGLE_SNAP_MODE) ==
                          GF100_3D_SET_CONSERVATIVE_RASTER_CONTROL_TRIANGLE_SNAP_MODE_MODE_PRE_SNAP;
    for (unsigned i = 0; i < DRAW_VIEWPORTS; i++)
        raster->finer_grid |=
            (uint16_t)((value(source, GF100_3D_SET_VIEWPORT_INCREASE_SNAP_GRID_PRECISION(i)) ? 1u : 0u) << i);
}

void decode_gf100_raster(struct draw_state *state, const struct draw_source *source) {
    struct draw_raster_state *raster = &state->raster;
    raster->discard = !flag(source, GF100_3D_SET_RASTER_ENABLE);
    raster->stream = FIELD(source, SET_RASTER_INPUT, STREAM_SELECT);
    raster->multisample = flag(source, GF100_3D_SET_ANTI_ALIAS_ENABLE);
    raster->depth_at_samples = !flag(source, GF100_3D_SET_NONMULTISAMPLED_Z);
    raster->integer_centers = flag(source, GF100_3D_SET_VIEWPORT_PIXEL);
    raster->fill_box = source->of->sample_places &&
                       FIELD(source, SET_FILL_VIA_TRIANGLE, MODE) == GF100_3D_SET_FILL_VIA_TRIANGLE_MODE_FILL_BBOX;
    /* Modes that cut the volume's z clamp what remains; the others leave it to the pixels. */
    raster->clip_z = !FIELD(source, SET_VIEWPORT_CLIP_CONTROL, PIXEL_MIN_Z) ||
                     !FIELD(source, SET_VIEWPORT_CLIP_CONTROL, PIXEL_MAX_Z);
    set_conservative(raster, source);
    set_samples(raster, source);
    set_lines(raster, source);
    set_points(raster, source);
    set_polygons(raster, source);
}
