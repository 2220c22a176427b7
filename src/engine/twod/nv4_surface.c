/* SPDX-License-Identifier: MIT */
#include "engine/twod/nv4_surface.h"

#include "engine/error.h"
#include "engine/kinds.h"
#include "engine/twod/nv4_draw.h"

/* Methods. */
enum { DMA = 0x184, DMA_DESTINATION = 0x188, FORMAT = 0x300, PITCH = 0x304, OLD_PITCH = 0x308, OFFSET = 0x308 };
enum { LAYOUT = 0x200, LAYOUT_DESTINATION = 0x218 }; /* 0: blocks */
enum { OFFSET_DESTINATION = 0x30c, OLD_OFFSET = 0x30c, SWIZZLED_OFFSET = 0x304 };

/* What a class checks. Argument of its actions; found from a drawing by the class. */
struct rules {
    uint32_t formats;    /* codes below this are formats */
    uint32_t pitch_bits; /* that must be 0 in a pitch */
    uint32_t offset_bits;
    bool has_layout; /* SRC_LAYOUT, DST_LAYOUT */
};

static const struct rules rules_nv4 = {0xe, 0xe01f, 0x1f}, rules_nv10 = {0xe, 0x3f, 0x3f},
                          rules_nv30 = {0xf, 0x3f, 0x3f}, rules_g80 = {0xf, 0x3f, 0x3f, true},
                          rules_nv3 = {0, 0xe00f, 0xf};

static const struct rules *rules_of(uint32_t object_class) {
    switch (object_class) {
    case 0x0042:
    case 0x0052:
        return &rules_nv4;
    case 0x0058:
    case 0x0059:
        return &rules_nv3;
    case 0x5062:
        return &rules_g80;
    default:
        return object_class & 0xff00 ? &rules_nv30 : &rules_nv10;
    }
}

static const struct rules *rules_of_call(const struct call *call) {
    return rules_of(call->object->object_class);
}

static enum action_result refuse_unless(const struct call *call, bool valid) {
    return valid ? ACTION_DONE : call_error(call, ENGINE_ERROR_INVALID_VALUE);
}

/* ---- SURF2D ---- */

static bool valid_format(const struct rules *rules, uint32_t code) {
    return code != 0 && code < rules->formats;
}

static bool valid_pitch(const struct rules *rules, uint32_t pitch) {
    return pitch != 0 && (pitch & rules->pitch_bits) == 0;
}

static enum action_result set_format(struct call *call) {
    return refuse_unless(call, valid_format(rules_of_call(call), call->data));
}

static enum action_result set_pitches(struct call *call) {
    const struct rules *rules = rules_of_call(call);
    return refuse_unless(call, valid_pitch(rules, call->data & 0xffff) && valid_pitch(rules, call->data >> 16));
}

static enum action_result set_offset(struct call *call) {
    return refuse_unless(call, (call->data & rules_of_call(call)->offset_bits) == 0);
}

static const struct action surface_actions[] = {
    {.method = FORMAT, .type = ACTION_EFFECT, .run = set_format},
    {.method = PITCH, .type = ACTION_EFFECT, .run = set_pitches},
    {.method = OFFSET, .count = 2, .type = ACTION_EFFECT, .run = set_offset},
    {0}};

/* ---- SWZSURF ---- */

/* log2 of a size. */
static uint32_t swizzled_width(uint32_t format) {
    return format >> 16 & 0xff;
}

static uint32_t swizzled_height(uint32_t format) {
    return format >> 24;
}

static bool valid_swizzled(uint32_t object_class, uint32_t format) {
    uint32_t width = swizzled_width(format), height = swizzled_height(format);
    return valid_format(rules_of(object_class), format & 0xffff) && width != 0 && width <= 11 && height <= 11 &&
           (height != 0 || object_class != 0x52);
}

static enum action_result set_swizzled(struct call *call) {
    return refuse_unless(call, valid_swizzled(call->object->object_class, call->data));
}

static const struct action swizzled_actions[] = {{.method = FORMAT, .type = ACTION_EFFECT, .run = set_swizzled},
                                                 {.method = SWIZZLED_OFFSET, .type = ACTION_EFFECT, .run = set_offset},
                                                 {0}};

/* ---- SURF_DST, SURF_SRC ---- */

static enum action_result set_old_format(struct call *call) {
    return refuse_unless(call, nv4_old_surface_format(call->data) != NULL);
}

static enum action_result set_old_pitch(struct call *call) {
    return refuse_unless(call, call->data <= 0xffff && valid_pitch(rules_of_call(call), call->data));
}

static const struct action old_surface_actions[] = {{.method = FORMAT, .type = ACTION_EFFECT, .run = set_old_format},
                                                    {.method = OLD_PITCH, .type = ACTION_EFFECT, .run = set_old_pitch},
                                                    {.method = OLD_OFFSET, .type = ACTION_EFFECT, .run = set_offset},
                                                    {0}};

const struct kind kind_nv4_surface = {
    .name = "2D surfaces", .role = ROLE_NONE, .groups = {notify_nv4_actions, surface_actions}};
/* New contexts have the source in lines (nouveau ctxnv50.c). UNKNOWN: the destination; chosen: the same. */
static const struct method_reset g80_resets[] = {{LAYOUT, 1}, {LAYOUT_DESTINATION, 1}, {0}};
const struct kind kind_g80_surface = {.name = "2D surfaces of G80",
                                      .role = ROLE_NONE,
                                      .resets = g80_resets,
                                      .groups = {notify_nv4_actions, surface_actions}};
const struct kind kind_nv4_swizzled = {
    .name = "swizzled surface", .role = ROLE_NONE, .groups = {notify_nv4_actions, swizzled_actions}};
const struct kind kind_nv3_surface = {
    .name = "surface", .role = ROLE_NONE, .groups = {notify_nv4_actions, old_surface_actions}};

/* ---- for drawings ---- */

static uint32_t value(const struct object *state, uint32_t method) {
    return state->value[method >> 2];
}

/* In lines. False: what was set is not valid. */
static bool in_lines(const struct call *call, const struct object *state, uint32_t dma, uint32_t pitch, uint32_t offset,
                     struct nv4_surface *out) {
    const struct rules *rules = rules_of(state->object_class);
    *out = (struct nv4_surface){.surface = {.space = call_space(call, dma),
                                            .address = offset,
                                            .layout = {.kind = LAYOUT_PITCH, .pitch = pitch, .depth = 1}},
                                .format = rules->formats ? nv4_surface_format(value(state, FORMAT))
                                                         : nv4_old_surface_format(value(state, FORMAT)),
                                .width = NV4_EXTENT,
                                .height = NV4_EXTENT};
    return out->format && valid_pitch(rules, pitch) && (offset & rules->offset_bits) == 0;
}

static bool swizzled(const struct call *call, const struct object *state, struct nv4_surface *out) {
    uint32_t format = value(state, FORMAT), offset = value(state, SWIZZLED_OFFSET);
    if (!valid_swizzled(state->object_class, format) || (offset & rules_of(state->object_class)->offset_bits))
        return false;
    int32_t width = 1 << swizzled_width(format), height = 1 << swizzled_height(format);
    *out = (struct nv4_surface){.format = nv4_surface_format(format & 0xffff), .width = width, .height = height};
    if (!out->format)
        return false;
    out->surface = (struct surface){.space = call_space(call, value(state, DMA)),
                                    .address = offset,
                                    .layout = {.kind = LAYOUT_SWIZZLED,
                                               .width = (uint64_t)width,
                                               .height = (uint32_t)height,
                                               .depth = 1,
                                               .element_bytes = out->format->bytes}};
    return true;
}

static bool is_old(const struct object *state) {
    return rules_of(state->object_class)->formats == 0;
}

bool nv4_surface_is_swizzled(uint32_t object_class) {
    return object_class == 0x52 || (object_class & 0xff) == 0x9e;
}

bool nv4_surface_in_blocks(const struct object *state) {
    return state && rules_of(state->object_class)->has_layout &&
           (!value(state, LAYOUT) || !value(state, LAYOUT_DESTINATION));
}

bool nv4_surface_destination(const struct call *call, const struct object *state, struct nv4_surface *out) {
    if (!state)
        return false;
    if (nv4_surface_is_swizzled(state->object_class))
        return swizzled(call, state, out);
    if (is_old(state))
        return in_lines(call, state, value(state, DMA), value(state, OLD_PITCH), value(state, OLD_OFFSET), out);
    return in_lines(call, state, value(state, DMA_DESTINATION), value(state, PITCH) >> 16,
                    value(state, OFFSET_DESTINATION), out);
}

bool nv4_surface_source(const struct call *call, const struct object *state, struct nv4_surface *out) {
    if (!state || nv4_surface_is_swizzled(state->object_class))
        return false;
    if (is_old(state))
        return in_lines(call, state, value(state, DMA), value(state, OLD_PITCH), value(state, OLD_OFFSET), out);
    return in_lines(call, state, value(state, DMA), value(state, PITCH) & 0xffff, value(state, OFFSET), out);
}
