/* SPDX-License-Identifier: MIT */
#include "engine/twod/nv4_pattern.h"

#include <assert.h>

#include "engine/kinds.h"
#include "engine/twod/nv4_state.h"
#include "methods/nv1_2d.h"

enum {
    FORMAT = NV4_PATTERN_COLOR_FORMAT,
    BITMAP_FORMAT = NV4_PATTERN_BITMAP_FORMAT,
    SHAPE = NV4_PATTERN_BITMAP_SHAPE,
    SELECT = NV4_PATTERN_SELECT,
    COLOR = NV4_PATTERN_BITMAP_COLOR(0),
    BITMAP = NV4_PATTERN_BITMAP(0)
};
enum { KEY_COLOR = NV4_CHROMA_COLOR };
enum {
    COLOR_Y8 = NV4_PATTERN_COLOR_Y8(0),
    COLOR_R5G6B5 = NV4_PATTERN_COLOR_R5G6B5(0),
    COLOR_X1R5G5B5 = NV4_PATTERN_COLOR_X1R5G5B5(0),
    COLOR_X8R8G8B8 = NV4_PATTERN_COLOR_X8R8G8B8(0)
};
enum { KEPT_FORMAT, KEPT_ORDER, EXTRA }; /* words of the kinds */
enum { BITMAP_CGA6 = 1, BITMAP_LE = 2, SELECT_BITMAP = 1, SELECT_COLOR = 2 };

uint32_t nv4_reverse_bytes_bits(uint32_t word) {
    word = (word >> 1 & 0x55555555) | (word & 0x55555555) << 1;
    word = (word >> 2 & 0x33333333) | (word & 0x33333333) << 2;
    return (word >> 4 & 0x0f0f0f0f) | (word & 0x0f0f0f0f) << 4;
}

/* ---- colours ---- */

static bool nv4_pattern_valid_format(uint32_t format) {
    return format >= 1 && format <= 3;
}

/* A colour of 17 or 18 to A8R8G8B8: 1 A8Y8, 2 A1R5G5B5, 3 that. */
static uint32_t expand_old(uint32_t format, uint32_t color) {
    switch (format) {
    case 1:
        return (color & 0xff00) << 16 | (color & 0xff) * 0x010101;
    case 2:
        return (color & 0x8000 ? 0xff000000 : 0) | (color & 0x7c00) << 9 | (color & 0x3e0) << 6 | (color & 0x1f) << 3;
    default:
        return color;
    }
}

/* Words of a colour. */
struct colors {
    uint16_t color, format, expanded;
};

static const struct colors key = {NV4_STATE_KEY, NV4_STATE_KEY_FORMAT, NV4_STATE_KEY_EXPANDED};
static const struct colors pattern[2] = {{NV4_STATE_COLORS, NV4_STATE_FORMATS, NV4_STATE_EXPANDED},
                                         {NV4_STATE_COLORS + 1, NV4_STATE_FORMATS + 1, NV4_STATE_EXPANDED + 1}};

static const struct colors *pattern_color(const struct call *call) {
    return &pattern[(call->method - COLOR) >> 2 & 1];
}

/* The new classes: a format of what was set and of what is to come; one that is none leaves none. */
static enum action_result set_formats(const struct call *call, const struct colors *first, unsigned count) {
    bool valid = nv4_pattern_valid_format(call->data);
    for (unsigned i = 0; i < count; i++)
        nv4_state(call)[first[i].format] = valid ? call->data : 0;
    return nv4_refuse_unless(call, valid);
}

static enum action_result nv4_pattern_set_color(const struct call *call, const struct colors *where) {
    uint32_t *state = nv4_state(call);
    state[where->color] = call->data;
    state[where->expanded] = false;
    return ACTION_DONE;
}

/* The old classes, whose format is the object's. */
static enum action_result set_old_color(const struct call *call, const struct colors *where) {
    uint32_t *state = nv4_state(call), format = call_value(call, FORMAT);
    bool valid = nv4_pattern_valid_format(format);
    state[where->color] = expand_old(format, call->data);
    state[where->format] = valid ? format : 0;
    state[where->expanded] = true;
    return valid ? ACTION_DONE : call_invalid_state(call, FORMAT, format ? "not a format of the class" : "never set");
}

static uint32_t destination_color(const struct nv4_draw *draw, const uint32_t *state, const struct colors *where) {
    const struct nv4_format *format = nv4_context_format(state[where->expanded] ? 3 : state[where->format]);
    assert(format); /* whoever asks has looked whether it is valid */
    return nv4_convert(draw->format, format, state[where->color]);
}

/* ---- CHROMA ---- */

static enum action_result nv4_pattern_set_old_format(struct call *call) {
    return nv4_keep_unless_valid(call, KEPT_FORMAT, nv4_pattern_valid_format(call->data));
}

static enum action_result set_key_format(struct call *call) {
    return set_formats(call, &key, 1);
}

static enum action_result nv4_pattern_set_key(struct call *call) {
    return nv4_pattern_set_color(call, &key);
}

static enum action_result set_old_key(struct call *call) {
    return set_old_color(call, &key);
}

/* ---- PATTERN ---- */

static enum action_result set_pattern_format(struct call *call) {
    return set_formats(call, pattern, 2);
}

static enum action_result set_pattern_color(struct call *call) {
    return nv4_pattern_set_color(call, pattern_color(call));
}

static enum action_result set_old_pattern_color(struct call *call) {
    return set_old_color(call, pattern_color(call));
}

static enum action_result set_bitmap_format(struct call *call) {
    return nv4_keep_unless_valid(call, KEPT_ORDER, call->data == BITMAP_CGA6 || call->data == BITMAP_LE);
}

static enum action_result set_bitmap(struct call *call) {
    bool cga6 = call_value(call, BITMAP_FORMAT) == BITMAP_CGA6;
    unsigned which = (call->method - BITMAP) >> 2 & 1;
    nv4_state(call)[NV4_STATE_BITS + which] = cga6 ? nv4_reverse_bytes_bits(call->data) : call->data;
    return ACTION_DONE;
}

/* Of 18, which asks for the order. */
static enum action_result set_old_bitmap(struct call *call) {
    uint32_t format = call_value(call, BITMAP_FORMAT);
    set_bitmap(call);
    if (format == BITMAP_CGA6 || format == BITMAP_LE)
        return ACTION_DONE;
    return call_invalid_state(call, BITMAP_FORMAT, format ? "not a format of the class" : "never set");
}

static enum action_result set_shape(struct call *call) {
    nv4_state(call)[NV4_STATE_SHAPE] = call->data & 3;
    return nv4_refuse_unless(call, call->data <= 2);
}

static enum action_result set_select(struct call *call) {
    bool valid = call->data == SELECT_BITMAP || call->data == SELECT_COLOR;
    nv4_state(call)[NV4_STATE_SELECT] = valid ? call->data : 0;
    return nv4_refuse_unless(call, valid);
}

/* Pixels of a colour pattern, several to a word. */
static void nv4_pattern_set_pixels(const struct call *call, uint32_t first, unsigned pixels,
                                   const struct nv4_format *format) {
    uint32_t *pixel = nv4_state(call) + NV4_STATE_PIXELS;
    unsigned at = (call->method - first) / 4 * pixels;
    assert(at + pixels <= 64);
    for (unsigned i = 0; i < pixels; i++)
        pixel[(at + i) & 63] = nv4_unpack(format, call->data >> 32 / pixels * i) & 0xffffff;
}

static enum action_result nv4_pattern_set_y8(struct call *call) {
    nv4_pattern_set_pixels(call, COLOR_Y8, 4, nv4_old_solid_format(1));
    return ACTION_DONE;
}

static enum action_result nv4_pattern_set_r5g6b5(struct call *call) {
    nv4_pattern_set_pixels(call, COLOR_R5G6B5, 2, nv4_solid_format(1));
    return ACTION_DONE;
}

static enum action_result nv4_pattern_set_x1r5g5b5(struct call *call) {
    nv4_pattern_set_pixels(call, COLOR_X1R5G5B5, 2, nv4_solid_format(2));
    return ACTION_DONE;
}

static enum action_result nv4_pattern_set_x8r8g8b8(struct call *call) {
    nv4_pattern_set_pixels(call, COLOR_X8R8G8B8, 1, nv4_solid_format(3));
    return ACTION_DONE;
}

#define CHECKS(at, function)                                                                                           \
    { .method = (at), .type = ACTION_EFFECT, .run = (function) }
#define SETS(at, number, function)                                                                                     \
    { .method = (at), .count = (number), .type = ACTION_INSIDE, .run = (function) }

static const struct action old_actions[] = {
    CHECKS(FORMAT, nv4_pattern_set_old_format),
    CHECKS(BITMAP_FORMAT, set_bitmap_format),
    CHECKS(SHAPE, set_shape),
    {.method = COLOR, .count = 2, .type = ACTION_EFFECT, .run = set_old_pattern_color},
    {.method = BITMAP, .count = 2, .type = ACTION_EFFECT, .run = set_old_bitmap},
    {0}};
static const struct action actions[] = {CHECKS(FORMAT, set_pattern_format),
                                        CHECKS(BITMAP_FORMAT, set_bitmap_format),
                                        CHECKS(SHAPE, set_shape),
                                        CHECKS(SELECT, set_select),
                                        SETS(COLOR, 2, set_pattern_color),
                                        SETS(BITMAP, 2, set_bitmap),
                                        SETS(COLOR_Y8, 16, nv4_pattern_set_y8),
                                        SETS(COLOR_R5G6B5, 32, nv4_pattern_set_r5g6b5),
                                        SETS(COLOR_X1R5G5B5, 32, nv4_pattern_set_x1r5g5b5),
                                        SETS(COLOR_X8R8G8B8, 64, nv4_pattern_set_x8r8g8b8),
                                        {0}};
static const struct action key_actions[] = {
    CHECKS(FORMAT, set_key_format), SETS(KEY_COLOR, 1, nv4_pattern_set_key), {0}};
static const struct action old_key_actions[] = {
    CHECKS(FORMAT, nv4_pattern_set_old_format), CHECKS(KEY_COLOR, set_old_key), {0}};

NV4_KIND(kind_nv1_pattern, "pattern", EXTRA, old_actions);
NV4_KIND(kind_nv4_pattern, "pattern", EXTRA, actions);
NV4_KIND(kind_nv1_chroma, "colour key", EXTRA, old_key_actions);
NV4_KIND(kind_nv4_chroma, "colour key", 0, key_actions);

/* ---- for drawings ---- */

static bool open_bitmap(const uint32_t *state, struct nv4_draw *draw) {
    uint32_t pixel[2];
    for (unsigned i = 0; i < 2; i++) {
        if (!nv4_pattern_valid_format(state[pattern[i].format]))
            return false;
        pixel[i] = nv4_pack(draw->format, destination_color(draw, state, &pattern[i]));
    }
    draw->pattern_shape = (uint8_t)state[NV4_STATE_SHAPE];
    for (unsigned i = 0; i < 64; i++)
        draw->pattern[i] = pixel[state[NV4_STATE_BITS + i / 32] >> i % 32 & 1];
    return state[NV4_STATE_SHAPE] <= 2;
}

_Static_assert(NV4_STATE_DESTINATION - NV4_STATE_PIXELS == 64, "as many as a drawing's pattern has");

bool nv4_pattern_open(const uint32_t *state, bool needs_select, struct nv4_draw *draw) {
    uint32_t select = state[NV4_STATE_SELECT];
    if (select != SELECT_COLOR)
        return (select == SELECT_BITMAP || !needs_select) && open_bitmap(state, draw);
    draw->pattern_shape = 0;
    for (unsigned i = 0; i < 64; i++)
        draw->pattern[i] = nv4_pack(draw->format, 0xff000000 | state[NV4_STATE_PIXELS + i]);
    return true;
}

void nv4_chroma_open(const uint32_t *state, struct nv4_draw *draw) {
    uint32_t format = state[NV4_STATE_KEY_FORMAT];
    if (!nv4_pattern_valid_format(format))
        return;
    const struct nv4_format *from = nv4_context_format(state[NV4_STATE_KEY_EXPANDED] ? 3 : format);
    if (nv4_unpack(from, state[NV4_STATE_KEY]) >> 24 == 0)
        return;
    draw->keyed = true;
    draw->key = nv4_pack(draw->format, destination_color(draw, state, &key));
}
