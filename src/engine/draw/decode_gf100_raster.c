/* SPDX-License-Identifier: MIT */
/* Viewports and clipping, and how primitives become pixels. */
#include "engine/draw/decode_gf100.h"

#include <string.h>

/* ---- viewports ---- */

static struct draw_box box_of_bounds(uint32_t horizontal, uint32_t vertical) {
    return (struct draw_box){(int32_t)(horizontal & 0xffff), (int32_t)(vertical & 0xffff), (int32_t)(horizontal >> 16),
                             (int32_t)(vertical >> 16)};
}

static struct draw_box box_of_size(uint32_t horizontal, uint32_t vertical) {
    struct draw_box box = box_of_bounds(horizontal, vertical);
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
    int32_t x = window_offset(source, 0xdf8), y = window_offset(source, 0xdfc);
    if (flag(source, 0x13ac))
        return (struct draw_box){box.x0 + x, y - box.y1, box.x1 + x, y - box.y0};
    return (struct draw_box){box.x0 + x, box.y0 + y, box.x1 + x, box.y1 + y};
}

/* UNKNOWN: whether the viewport's rectangle follows the origin of the window; chosen: as scissors do. */
static void set_viewport(struct draw_view_state *view, const struct draw_source *source, unsigned number) {
    struct draw_viewport *viewport = &view->viewport[number];
    uint32_t transform = 0xa00 + number * 32, clip = 0xc00 + number * 16, scissor = 0xe00 + number * 16;
    for (unsigned i = 0; i < 3; i++) {
        viewport->scale[i] = real(source, transform + i * 4);
        viewport->translate[i] = real(source, transform + 12 + i * 4);
    }
    bool whole = flag(source, 0x193c);
    viewport->near = whole ? 0.0f : real(source, clip + 8);
    viewport->far = whole ? 1.0f : real(source, clip + 12);
    viewport->scissor = box_of_size(value(source, 0xff4), value(source, 0xff8));
    box_and(&viewport->scissor, in_window(source, box_of_size(value(source, clip), value(source, clip + 4))));
    if (flag(source, scissor))
        box_and(&viewport->scissor,
                in_window(source, box_of_bounds(value(source, scissor + 4), value(source, scissor + 8))));
    uint32_t swizzle = source->of->swizzles ? value(source, transform + 0x18) : 0;
    swizzle = swizzle ? swizzle : 0x6420;
    for (unsigned i = 0; i < 4; i++)
        view->swizzle[number][i] = swizzle >> i * 4 & 7;
}

static void set_windows(struct draw_view_state *view, const struct draw_source *source) {
    uint32_t type = value(source, 0x1950);
    view->window_mode = flag(source, 0x194c) ? (uint8_t)(type < 2 ? type + 1 : 3) : 0;
    for (unsigned i = 0; i < DRAW_WINDOWS; i++)
        view->window[i] = box_of_bounds(value(source, 0xd00 + i * 8), value(source, 0xd04 + i * 8));
}

static void set_clip(struct draw_view_state *view, const struct draw_source *source) {
    uint32_t control = value(source, 0x193c), kinds = value(source, 0x1940);
    view->transform = flag(source, 0x192c);
    view->zero_to_w = flag(source, 0xd7c);
    view->mode = control >> 11 & 7;
    view->wide_xy = !(control >> 7 & 1);
    view->wide_z = (control >> 1 & 3) == 1 || ((control >> 1 & 3) == 0 && view->wide_xy);
    view->wide_points = !(control >> 10 & 1);
    for (unsigned i = 0; i < 8; i++) {
        bool cull = kinds >> i * 4 & 1;
        if (value(source, 0x1510) >> i & 1)
            *(cull ? &view->culls : &view->distances) |= (uint8_t)(1u << i);
    }
    view->lower_left = flag(source, 0x13ac);
    view->offset_x = (float)window_offset(source, 0xdf8);
    view->offset_y = (float)window_offset(source, 0xdfc);
}

static void set_layers(struct draw_view_state *view, const struct draw_source *source) {
    view->layer = value(source, 0x15cc) & 0xffff;
    view->shader_layer = value(source, 0x15cc) >> 16 & 1;
    view->layer_plus_viewport = source->of->sample_places && flag(source, 0x11f0);
}

#define ONE_FLOAT 0x3f800000u

static void set_ones(struct draw_view_state *view, unsigned first, unsigned end, unsigned step) {
    for (unsigned word = first; word < end; word += step)
        view->defaults[word] = ONE_FLOAT;
}

/* ATTRIBUTE_DEFAULT. UNKNOWN: which bits are those of D3D 9's colours; chosen: none. */
static void set_defaults(struct draw_view_state *view, const struct draw_source *source) {
    uint32_t control = value(source, 0x1610);
    if (control & 1)
        set_ones(view, WORD_COLORS, WORD_COLORS + 3, 1);
    if (control >> 1 & 1)
        set_ones(view, WORD_COLORS + 7, WORD_BACK + 8, 8);
    if (control >> 2 & 1)
        set_ones(view, 3, WORD_COLORS, 4);
    if (control >> 3 & 1)
        set_ones(view, 0xc3, 0xe8, 4);
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
    state->view.clip_ids = flag(source, 0x197c);
}

/* ---- raster ---- */

static uint8_t polygon_mode(uint32_t code) {
    return code == 0x1b00 ? DRAW_VERTICES : code == 0x1b01 ? DRAW_OUTLINE : DRAW_FILL;
}

/* Widths differ for aliased lines if 0x20c says so. */
static void set_lines(struct draw_raster_state *raster, const struct draw_source *source) {
    bool rectangle = raster->multisample && !flag(source, 0x1418);
    raster->line_smooth = flag(source, 0x1570);
    raster->line_rectangle = rectangle && !raster->line_smooth;
    bool aliased = !raster->line_smooth && !rectangle;
    raster->line_width = real(source, aliased && flag(source, 0x20c) ? 0x13b4 : 0x13b0);
    raster->line_stipple = flag(source, 0x166c);
    raster->line_factor = (uint16_t)((value(source, 0x1680) & 0xff) + 1);
    raster->line_pattern = (uint16_t)(value(source, 0x1680) >> 8);
}

static void set_points(struct draw_raster_state *raster, const struct draw_source *source) {
    uint32_t control = value(source, 0x1604);
    raster->point_sprite = flag(source, 0x1520);
    raster->point_smooth = flag(source, 0x1658);
    raster->point_d3d = flag(source, 0x165c);
    raster->point_size_varies = flag(source, 0x1910);
    raster->point_size = real(source, 0x1518);
    raster->sprite_r = control & 3;
    raster->sprite_lower_left = !(control >> 2 & 1);
    raster->sprite_vectors = control >> 3 & 0x3ff;
}

static void set_polygons(struct draw_raster_state *raster, const struct draw_source *source) {
    uint32_t face = value(source, 0x1920);
    bool culls = flag(source, 0x1918);
    raster->cull_front = culls && (face == 0x404 || face == 0x408);
    raster->cull_back = culls && (face == 0x405 || face == 0x408);
    raster->front_is_cw = value(source, 0x191c) == 0x900;
    raster->flip = value(source, 0x13ac) >> 4 & 1;
    raster->polygon[0] = polygon_mode(value(source, 0xdac));
    raster->polygon[1] = polygon_mode(value(source, 0xdb0));
    raster->polygon_smooth = flag(source, 0xdb4);
    raster->polygon_stipple = flag(source, 0x168c);
    memcpy(raster->stipple, &source->value[0x1700 >> 2], sizeof raster->stipple);
    raster->offset_point = flag(source, 0xdc0);
    raster->offset_line = flag(source, 0xdc4);
    raster->offset_fill = flag(source, 0xdc8);
    raster->offset_factor = real(source, 0x156c);
    raster->offset_units = real(source, 0x15bc);
    raster->offset_clamp = real(source, 0x187c);
    raster->offset_by_exponent = flag(source, 0x1110);
    raster->two_sided = flag(source, 0x1688);
}

static void set_samples(struct draw_raster_state *raster, const struct draw_source *source) {
    draw_samples_of(&raster->samples, value(source, 0x15d0) & 15);
    if (source->of->sample_places && (value(source, 0x11e0) | value(source, 0x11e4)))
        draw_samples_place(&raster->samples, &source->value[0x11e0 >> 2]);
    for (unsigned i = 0; i < 4; i++)
        raster->sample_mask[i] = (uint16_t)value(source, 0xfbc + i * 4);
}

void decode_gf100_raster(struct draw_state *state, const struct draw_source *source) {
    struct draw_raster_state *raster = &state->raster;
    raster->discard = !flag(source, 0x37c);
    raster->multisample = flag(source, 0x1534);
    raster->depth_at_samples = !flag(source, 0xfb0);
    raster->integer_centers = flag(source, 0x1924);
    raster->fill_box = source->of->sample_places && (value(source, 0x113c) & 3) == 2;
    /* Modes that cut the volume's z clamp what remains; the others leave it to the pixels. */
    raster->clip_z = !(value(source, 0x193c) >> 3 & 1) || !(value(source, 0x193c) >> 4 & 1);
    raster->conservative = source->of->sample_places && flag(source, 0x1148);
    raster->independent = source->of->sample_places && (value(source, 0xfb4) & 3);
    set_samples(raster, source);
    set_lines(raster, source);
    set_points(raster, source);
    set_polygons(raster, source);
}
