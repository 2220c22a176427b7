/* SPDX-License-Identifier: MIT */
/*
 * The method that clears, of Tesla and later (0x19d0): [0] depth, [1] stencil, [5:2] R G B A, [9:6] colour target, and
 * a layer after it.
 */
#include <assert.h>

#include "engine/core/work.h"
#include "engine/graph/clear.h"
#include "engine/surface/picture.h"
#include "methods/gf100_3d.h"

#define MAX_TARGETS 8u
#define MAX_BLOCK   5u /* log2 of gobs */

_Static_assert(MAX_TARGETS == PFIFO_DRAW_COLORS && USE_COLOR + MAX_TARGETS == UNIT_USES, "each has a number there");

enum { CLEAR_DEPTH = 1 << 0, CLEAR_STENCIL = 1 << 1 }; /* of CLEAR_SURFACE */

/* SET_ANTI_ALIAS: samples of a pixel are neighbours in a surface that is larger by these powers of two. */
static const struct {
    uint8_t x, y;
} samples[16] = {
    [1] = {1, 0}, [2] = {1, 1}, [3] = {2, 1}, [4] = {2, 1},   [5] = {1, 0},
    [6] = {2, 2}, [8] = {1, 1}, [9] = {1, 1}, [0xa] = {2, 1}, [0xb] = {2, 1},
};

static void set_samples(const struct call *call, struct clear *clear) {
    uint32_t mode = CALL_FIELD(call, GF100_3D_SET_ANTI_ALIAS, SAMPLES);
    assert(mode < sizeof samples / sizeof samples[0]);
    clear->log2_x = samples[mode].x;
    clear->log2_y = samples[mode].y;
}

/* UNKNOWN: types above 2; chosen: as 2, nothing is drawn. */
static void set_windows(const struct call *call, struct clear *clear) {
    uint32_t type = call_value(call, GF100_3D_SET_WINDOW_CLIP_TYPE);
    clear->window.enabled = CALL_FIELD(call, GF100_3D_SET_WINDOW_CLIP_ENABLE, V);
    clear->window.outside = type == 1;
    clear->window.count = type < 2 ? CLEAR_MAX_WINDOWS : 0;
    for (unsigned i = 0; i < CLEAR_MAX_WINDOWS; i++)
        clear->window.box[i] = clear_box_of_bounds(call_value(call, GF100_3D_SET_WINDOW_CLIP_HORIZONTAL(i)),
                                                   call_value(call, GF100_3D_SET_WINDOW_CLIP_VERTICAL(i)));
}

static bool has_clip_ids(const struct call *call) {
    return CALL_FIELD(call, GF100_3D_SET_CLIP_ID_TEST, ENABLE);
}

static uint8_t block_field(uint32_t block, unsigned shift) {
    uint32_t value = block >> shift & 15;
    return (uint8_t)(value < MAX_BLOCK ? value : MAX_BLOCK);
}

/*
 * Blocks of a volume keep their depth: its third dimension says how far slices are bound and not how many there are.
 * Mesa binds slice n alone with n + 1 (nvc0_state_validate.c), and on Tesla with 1 or 512 (nv50_surface.c).
 */
static struct layout clear_target_layout_of(const struct clear_target *target, unsigned bytes) {
    struct layout layout = {.type = target->pitch ? LAYOUT_PITCH : LAYOUT_BLOCK,
                            .pitch = target->width,
                            .width = (uint64_t)target->width * bytes,
                            .height = target->height,
                            .depth = target->is_3d && target->layers ? target->layers : 1,
                            .slice_pitch = target->layer_stride,
                            .block_width = block_field(target->block, 0),
                            .block_height = block_field(target->block, 4),
                            .block_depth = block_field(target->block, 8),
                            .order = target->order};
    layout_shrink_block(&layout);
    if (target->is_3d)
        layout.block_depth = block_field(target->block, 8);
    return layout;
}

/*
 * Where pixels of `bytes` of a target are. False: its layer is none.
 * UNKNOWN: what a clear beyond the last layer does; chosen: nothing.
 */
static bool clear_target_place(const struct clear_target *target, unsigned bytes, struct clear_surface *s) {
    uint32_t layers = target->layers ? target->layers : 1;
    uint64_t address = target->address;
    assert(bytes && bytes <= sizeof s->value);
    if (target->layer >= layers)
        return false;
    if (!target->is_3d || target->pitch)
        address += target->layer * target->layer_stride;
    else
        s->z = target->layer;
    s->surface = (struct surface){target->space, address, clear_target_layout_of(target, bytes)};
    s->bytes = (uint8_t)bytes;
    s->size = s->area = (struct clear_box){0, 0, target->pitch ? target->width / bytes : target->width, target->height};
    return true;
}

/* Those that a format has: bit 0 R, or depth; 1 G, or stencil; ... */
static unsigned components(const struct format *format) {
    unsigned all = 0;
    for (unsigned i = 0; i < 4; i++)
        all |= (format->component[i].bits ? 1u : 0u) << i;
    return all;
}

/*
 * Whatever bits no component has are written if all components are. Targets of sRGB are converted to whatever
 * SET_SRGB_WRITE says: it is 0 after a reset, and neither Mesa nor deko3d writes it, who clear them with linear values.
 */
static void clear_target_add_color(struct clear *clear, const struct clear_target *target, const struct call *call,
                                   unsigned number) {
    const struct format *format = format_color(target->format);
    unsigned mask = call->data >> 2 & 15, all = format ? components(format) : 0;
    struct clear_surface s = {.use = (enum unit_use)(USE_COLOR + number), .format = format, .number = (uint8_t)number};
    union color color;
    if (!(mask & all) || !clear_target_place(target, format->bytes, &s))
        return;
    for (unsigned i = 0; i < 4; i++)
        color.u[i] = call_value(call, GF100_3D_SET_COLOR_CLEAR_VALUE(i));
    s.whole = (mask & all) == all;
    format_pack(format, &color, s.value);
    format_mask(format, mask & all, s.mask);
    clear_add(clear, &s);
}

/* UNKNOWN: whether floating-point depth is cut to 0 .. 1; chosen: it is not. */
static void clear_target_add_zeta(struct clear *clear, const struct clear_target *target, const struct call *call,
                                  uint8_t stencil_mask) {
    const struct format *format = format_zeta(target->format);
    union color value = {
        .u = {call_value(call, GF100_3D_SET_Z_CLEAR_VALUE), CALL_FIELD(call, GF100_3D_SET_STENCIL_CLEAR_VALUE, V)}};
    unsigned mask = call->data & (CLEAR_DEPTH | CLEAR_STENCIL), all = format ? components(format) : 0;
    struct clear_surface s = {.use = USE_ZETA, .format = format, .number = PFIFO_DRAW_COLORS};
    uint8_t stencil[16];
    if (!(mask & all) || !clear_target_place(target, format->bytes, &s))
        return;
    s.whole = (mask & all) == all && (!(all & CLEAR_STENCIL) || stencil_mask == 0xff);
    format_pack(format, &value, s.value);
    format_mask(format, mask & all, s.mask);
    format_mask(format, CLEAR_STENCIL, stencil);
    uint64_t masked = (uint64_t)stencil_mask << format->component[1].shift;
    store_le64(s.mask, load_le64(s.mask) & (~load_le64(stencil) | masked));
    if (load_le64(s.mask))
        clear_add(clear, &s);
}

void clear_add_ids(struct clear *clear, const struct clear_target *target, uint8_t id) {
    struct clear_surface s = {.value = {id}, .mask = {0xff}, .whole = true};
    if (clear_target_place(target, 1, &s))
        clear_add(clear, &s);
}

static void add_targets(const struct call *call, struct clear *clear) {
    const struct clear_family *family = call->action->argument;
    unsigned number = METHOD_FIELD(call->data, GF100_3D_CLEAR_SURFACE_MRT_SELECT);
    if (number < MAX_TARGETS) {
        struct clear_target target = family->color_target(call, number);
        clear_target_add_color(clear, &target, call, number);
    }
    if (CALL_FIELD(call, GF100_3D_SET_ZT_SELECT, TARGET_COUNT)) {
        struct clear_target target = family->zeta_target(call);
        bool masked = call_value(call, family->control) & 1;
        clear_target_add_zeta(clear, &target, call, masked ? (uint8_t)call_value(call, family->stencil_mask) : 0xff);
    }
}

/* What it needs is looked up for each slice; the condition only for the first, since the clear may write over it. */
enum action_result clear_targets(struct call *call) {
    const struct clear_family *family = call->action->argument;
    struct clear clear = {0};
    if (!work_under_way(call) && !family->allowed(call))
        return ACTION_DONE;
    if (has_clip_ids(call)) {
        call_not_executed(call);
        return ACTION_DONE;
    }
    family->set_area(call, &clear);
    set_windows(call, &clear);
    set_samples(call, &clear);
    add_targets(call, &clear);
    return clear_execute(call, &clear);
}
