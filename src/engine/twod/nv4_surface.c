/* SPDX-License-Identifier: MIT */
#include "engine/twod/nv4_surface.h"

#include <assert.h>

#include "engine/kinds.h"
#include "fifo/fifo.h"
#include "methods/nv1_2d.h"

/* Methods. */
enum {
    DMA = NV4_SURFACE_2D_DMA_IMAGE_SOURCE,
    FORMAT = NV4_SURFACE_2D_FORMAT,
    PITCH = NV4_SURFACE_2D_PITCH,
    OLD_PITCH = NV3_SURFACE_DST_PITCH,
    OFFSET = NV4_SURFACE_2D_OFFSET_SOURCE
};
enum { OLD_OFFSET = NV3_SURFACE_DST_OFFSET, SWIZZLED_OFFSET = NV4_SURFACE_SWZ_OFFSET };
enum {
    LAYOUT = G80_SURFACE_2D_SRC_LAYOUT,
    LAYOUT_DESTINATION = G80_SURFACE_2D_DST_LAYOUT,
    OFFSET_HIGH = G80_SURFACE_2D_OFFSET_SOURCE_HIGH
};

#define FIRST_UNNAMED 0xcu /* format */
#define OFFSET_BITS   0xfu /* that PGRAPH does not keep */
#define MAX_BLOCK     5u   /* 32 gobs */

/* What a class checks. */
struct nv4_surface_rules {
    uint32_t formats;    /* codes below this are formats, */
    uint32_t pixels;     /* those from here on without pixels */
    uint32_t pitch_bits; /* that must be 0 in a pitch */
    uint32_t offset_bits;
};

static const struct nv4_surface_rules *rules_of(uint32_t object_class) {
    static const struct nv4_surface_rules rules_nv4 = {0xe, 0xc, 0xe01f, 0x1f}, rules_nv10 = {0xe, 0xc, 0x3f, 0x3f},
                                          rules_nv30 = {0xf, 0xf, 0x3f, 0x3f}, rules_nv3 = {0, 0, 0xe00f, 0xf};
    switch (object_class) {
    case 0x0042:
    case 0x0052:
        return &rules_nv4;
    case 0x0058:
    case 0x0059:
        return &rules_nv3;
    default:
        return object_class & 0xff00 ? &rules_nv30 : &rules_nv10;
    }
}

static const struct nv4_surface_rules *rules_of_call(const struct call *call) {
    return rules_of(call->object->object_class);
}

static bool nv4_surface_valid_format(const struct nv4_surface_rules *rules, uint32_t code) {
    return code != 0 && code < rules->formats;
}

static uint32_t kept_format(const struct nv4_surface_rules *rules, uint32_t code) {
    return nv4_surface_valid_format(rules, code) && code < rules->pixels ? code : 0;
}

static bool valid_pitch(const struct nv4_surface_rules *rules, uint32_t pitch) {
    return pitch != 0 && (pitch & rules->pitch_bits) == 0;
}

/* A NULL object is no memory. */
static enum action_result keep_dma(const struct call *call, unsigned word) {
    assert(word < NV4_STATE_WORDS);
    bool null = call->data && fifo_object_class(call->channel, call->data) == NULL_CLASS;
    nv4_state(call)[word] = null ? 0 : call->data;
    return ACTION_DONE;
}

static enum action_result nv4_surface_set_offset(const struct call *call, unsigned word) {
    nv4_state(call)[word] = call->data & ~OFFSET_BITS;
    return nv4_refuse_unless(call, (call->data & rules_of_call(call)->offset_bits) == 0);
}

/* ---- SURF2D: methods of the source, and of the destination after them ---- */

static unsigned surface_at(const struct call *call, uint32_t first) {
    assert(call->method == first || call->method == first + 4);
    return call->method == first ? NV4_STATE_SOURCE : NV4_STATE_DESTINATION;
}

static enum action_result set_dma(struct call *call) {
    return keep_dma(call, surface_at(call, DMA) + NV4_SURFACE_DMA);
}

static enum action_result nv4_surface_set_format(struct call *call) {
    const struct nv4_surface_rules *rules = rules_of_call(call);
    uint32_t *state = nv4_state(call), format = kept_format(rules, call->data);
    state[NV4_STATE_SOURCE + NV4_SURFACE_FORMAT] = state[NV4_STATE_DESTINATION + NV4_SURFACE_FORMAT] = format;
    return nv4_refuse_unless(call, nv4_surface_valid_format(rules, call->data));
}

static enum action_result set_pitches(struct call *call) {
    const struct nv4_surface_rules *rules = rules_of_call(call);
    uint32_t *state = nv4_state(call), source = call->data & 0xffff, destination = call->data >> 16;
    bool valid = valid_pitch(rules, source) && valid_pitch(rules, destination);
    state[NV4_STATE_SOURCE + NV4_SURFACE_PITCH] = valid ? source : 0;
    state[NV4_STATE_DESTINATION + NV4_SURFACE_PITCH] = valid ? destination : 0;
    return nv4_refuse_unless(call, valid);
}

static enum action_result set_offsets(struct call *call) {
    return nv4_surface_set_offset(call, surface_at(call, OFFSET) + NV4_SURFACE_OFFSET);
}

/* LAYOUT, BLOCK_DIMENSIONS, WIDTH, HEIGHT of either; two more that are ignored. */
static enum action_result nv4_surface_set_blocks(struct call *call) {
    bool source = call->method < LAYOUT_DESTINATION;
    unsigned which = (call->method - (source ? LAYOUT : LAYOUT_DESTINATION)) >> 2;
    uint32_t *surface = nv4_state(call) + (source ? NV4_STATE_SOURCE : NV4_STATE_DESTINATION);
    if (NV4_SURFACE_IN_BLOCKS + which < NV4_SURFACE_WORDS)
        surface[NV4_SURFACE_IN_BLOCKS + which] = which ? call->data : !call->data;
    return ACTION_DONE;
}

static enum action_result set_offset_high(struct call *call) {
    nv4_state(call)[surface_at(call, OFFSET_HIGH) + NV4_SURFACE_OFFSET_HIGH] = call->data & 0xff;
    return ACTION_DONE;
}

#define SETS(at, number, function)                                                                                     \
    { .method = (at), .count = (number), .type = ACTION_INSIDE, .run = (function) }
#define CHECKS(at, number, function)                                                                                   \
    { .method = (at), .count = (number), .type = ACTION_EFFECT, .run = (function) }

static const struct action surface_actions[] = {CHECKS(DMA, 2, set_dma),
                                                CHECKS(FORMAT, 1, nv4_surface_set_format),
                                                CHECKS(PITCH, 1, set_pitches),
                                                CHECKS(OFFSET, 2, set_offsets),
                                                {0}};
static const struct action g80_actions[] = {
    SETS(LAYOUT, 12, nv4_surface_set_blocks), SETS(OFFSET_HIGH, 2, set_offset_high), {0}};

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
    return nv4_surface_valid_format(rules_of(object_class), format & 0xffff) && width != 0 && width <= 11 &&
           height <= 11 && (height != 0 || object_class != 0x52);
}

static enum action_result set_swizzled_dma(struct call *call) {
    return keep_dma(call, NV4_STATE_SWIZZLED_DMA);
}

static enum action_result set_swizzled(struct call *call) {
    bool valid = valid_swizzled(call->object->object_class, call->data);
    bool kept = valid && kept_format(rules_of_call(call), call->data & 0xffff);
    nv4_state(call)[NV4_STATE_SWIZZLED_FORMAT] = kept ? call->data : 0;
    return nv4_refuse_unless(call, valid);
}

static enum action_result set_swizzled_offset(struct call *call) {
    return nv4_surface_set_offset(call, NV4_STATE_SWIZZLED_OFFSET);
}

static const struct action swizzled_actions[] = {CHECKS(DMA, 1, set_swizzled_dma),
                                                 CHECKS(FORMAT, 1, set_swizzled),
                                                 CHECKS(SWIZZLED_OFFSET, 1, set_swizzled_offset),
                                                 {0}};

/* ---- SURF_DST, SURF_SRC ---- */

static unsigned old_surface(const struct call *call) {
    return call->object->object_class == 0x59 ? NV4_STATE_SOURCE : NV4_STATE_DESTINATION;
}

/* As a format of SURF2D, 0: it is none. */
static uint32_t old_format(uint32_t code) {
    switch (code) {
    case 0x00000001:
        return 6;
    case 0x01000000:
        return 2;
    case 0x01010000:
        return 1;
    case 0x01010001:
        return 5;
    default:
        return 0;
    }
}

static enum action_result set_old_dma(struct call *call) {
    return keep_dma(call, old_surface(call) + NV4_SURFACE_DMA);
}

static enum action_result nv4_surface_set_old_format(struct call *call) {
    uint32_t format = old_format(call->data);
    nv4_state(call)[old_surface(call) + NV4_SURFACE_FORMAT] = format;
    return nv4_refuse_unless(call, format != 0);
}

static enum action_result set_old_pitch(struct call *call) {
    bool valid = call->data <= 0xffff && valid_pitch(rules_of_call(call), call->data);
    nv4_state(call)[old_surface(call) + NV4_SURFACE_PITCH] = valid ? call->data : 0;
    return nv4_refuse_unless(call, valid);
}

static enum action_result set_old_offset(struct call *call) {
    return nv4_surface_set_offset(call, old_surface(call) + NV4_SURFACE_OFFSET);
}

static const struct action old_surface_actions[] = {CHECKS(DMA, 1, set_old_dma),
                                                    CHECKS(FORMAT, 1, nv4_surface_set_old_format),
                                                    CHECKS(OLD_PITCH, 1, set_old_pitch),
                                                    CHECKS(OLD_OFFSET, 1, set_old_offset),
                                                    {0}};

NV4_KIND(kind_nv4_surface, "2D surfaces", 0, surface_actions);
const struct kind kind_g80_surface = {
    .name = "2D surfaces of G80", .role = ROLE_NONE, .groups = {notify_nv4_actions, surface_actions, g80_actions}};
NV4_KIND(kind_nv4_swizzled, "swizzled surface", 0, swizzled_actions);
NV4_KIND(kind_nv3_surface, "surface", 0, old_surface_actions);

/* ---- for drawings ---- */

bool nv4_surface_blocks(const struct call *call, uint32_t block, uint64_t width_bytes, uint32_t height,
                        struct layout *layout) {
    *layout = (struct layout){.type = LAYOUT_BLOCK,
                              .order = call->engine->fifo->chip->gob_order,
                              .width = width_bytes,
                              .height = height,
                              .depth = 1,
                              .block_width = block & 0xf,
                              .block_height = block >> 4 & 0xf,
                              .block_depth = block >> 8 & 0xf};
    return width_bytes > 0 && height > 0 && layout->block_width <= MAX_BLOCK && layout->block_height <= MAX_BLOCK &&
           layout->block_depth <= MAX_BLOCK;
}

static int32_t extent(uint32_t size) {
    return size < NV4_EXTENT ? (int32_t)size : NV4_EXTENT;
}

static bool in_blocks(const struct call *call, const uint32_t *state, struct nv4_surface *out) {
    uint32_t width = state[NV4_SURFACE_WIDTH], height = state[NV4_SURFACE_HEIGHT];
    out->width = extent(width);
    out->height = extent(height);
    return nv4_surface_blocks(call, state[NV4_SURFACE_BLOCK], (uint64_t)width * out->format->bytes, height,
                              &out->surface.layout);
}

/* SURF2D's, and those of NV3. */
static bool nv4_surface_open_surface(const struct call *call, const uint32_t *state, struct nv4_surface *out) {
    uint64_t high = state[NV4_SURFACE_OFFSET_HIGH] & 0xff;
    *out = (struct nv4_surface){
        .surface = {.space = call_space(call, state[NV4_SURFACE_DMA]),
                    .address = high << 32 | state[NV4_SURFACE_OFFSET],
                    .layout = {.type = LAYOUT_PITCH, .pitch = state[NV4_SURFACE_PITCH] & 0xffff, .depth = 1}},
        .format = nv4_surface_format(state[NV4_SURFACE_FORMAT]),
        .width = NV4_EXTENT,
        .height = NV4_EXTENT};
    if (!out->format || !state[NV4_SURFACE_DMA])
        return false;
    return state[NV4_SURFACE_IN_BLOCKS] ? in_blocks(call, state, out) : state[NV4_SURFACE_PITCH] != 0;
}

_Static_assert(1 << 0xf <= NV4_EXTENT, "no swizzled surface is larger");

static bool nv4_surface_open_swizzled(const struct call *call, const uint32_t *state, struct nv4_surface *out) {
    uint32_t format = state[NV4_STATE_SWIZZLED_FORMAT];
    int32_t width = 1 << (swizzled_width(format) & 0xf), height = 1 << (swizzled_height(format) & 0xf);
    *out = (struct nv4_surface){.format = nv4_surface_format(format & 0xffff), .width = width, .height = height};
    if (!out->format || !state[NV4_STATE_SWIZZLED_DMA])
        return false;
    out->surface = (struct surface){.space = call_space(call, state[NV4_STATE_SWIZZLED_DMA]),
                                    .address = state[NV4_STATE_SWIZZLED_OFFSET],
                                    .layout = {.type = LAYOUT_SWIZZLED,
                                               .width = (uint64_t)width,
                                               .height = (uint32_t)height,
                                               .depth = 1,
                                               .element_bytes = out->format->bytes}};
    return true;
}

bool nv4_surface_is_swizzled(uint32_t object_class) {
    return object_class == 0x52 || (object_class & 0xff) == 0x9e;
}

bool nv4_surface_is_unnamed(const struct call *call, bool swizzled) {
    const uint32_t *state = nv4_state(call);
    uint32_t format = state[NV4_STATE_DESTINATION + NV4_SURFACE_FORMAT];
    return (swizzled ? state[NV4_STATE_SWIZZLED_FORMAT] & 0xffff : format) >= FIRST_UNNAMED;
}

bool nv4_surface_destination(const struct call *call, bool swizzled, struct nv4_surface *out) {
    const uint32_t *state = nv4_state(call);
    return swizzled ? nv4_surface_open_swizzled(call, state, out)
                    : nv4_surface_open_surface(call, state + NV4_STATE_DESTINATION, out);
}

bool nv4_surface_source(const struct call *call, struct nv4_surface *out) {
    return nv4_surface_open_surface(call, nv4_state(call) + NV4_STATE_SOURCE, out);
}
