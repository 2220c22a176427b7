/* SPDX-License-Identifier: MIT */
#include "engine/twod/nv4_pattern.h"

#include "engine/error.h"
#include "engine/kinds.h"

enum { FORMAT = 0x300, BITMAP_FORMAT = 0x304, SHAPE = 0x308, SELECT = 0x30c, COLOR = 0x310, BITMAP = 0x318 };
enum { COLOR_Y8 = 0x400, COLOR_R5G6B5 = 0x500, COLOR_X1R5G5B5 = 0x600, COLOR_X8R8G8B8 = 0x700 };
enum { BITMAP_CGA6 = 1, BITMAP_LE = 2, SELECT_BITMAP = 1, SELECT_COLOR = 2 };

/* Words of the kind. */
enum {
    PATTERN_BITS,                         /* two: the bitmap, first pixel lowest */
    PATTERN_COLORS = PATTERN_BITS + 2,    /* two, as they came, */
    PATTERN_FORMATS = PATTERN_COLORS + 2, /* and the format of each */
    PATTERN_PIXELS = PATTERN_FORMATS + 2, /* 64, R8G8B8 */
    PATTERN_WORDS = PATTERN_PIXELS + 64,
};

uint32_t nv4_reverse_bytes_bits(uint32_t word) {
    word = (word >> 1 & 0x55555555) | (word & 0x55555555) << 1;
    word = (word >> 2 & 0x33333333) | (word & 0x33333333) << 2;
    return (word >> 4 & 0x0f0f0f0f) | (word & 0x0f0f0f0f) << 4;
}

static enum action_result refuse_unless(const struct call *call, bool valid) {
    return valid ? ACTION_DONE : call_error(call, ENGINE_ERROR_INVALID_VALUE);
}

/* 1 .. 3. */
static enum action_result set_format(struct call *call) {
    return refuse_unless(call, call->data >= 1 && call->data <= 3);
}

static enum action_result set_bitmap_format(struct call *call) {
    return refuse_unless(call, call->data == BITMAP_CGA6 || call->data == BITMAP_LE);
}

static enum action_result set_shape(struct call *call) {
    return refuse_unless(call, call->data <= 2);
}

static enum action_result set_select(struct call *call) {
    return refuse_unless(call, call->data == SELECT_BITMAP || call->data == SELECT_COLOR);
}

static enum action_result set_color(struct call *call) {
    uint32_t *extra = engine_extra(call->engine, call->object);
    unsigned which = (call->method - COLOR) >> 2 & 1;
    extra[PATTERN_COLORS + which] = call->data;
    extra[PATTERN_FORMATS + which] = call_value(call, FORMAT);
    return ACTION_DONE;
}

static enum action_result set_bitmap(struct call *call) {
    bool cga6 = call_value(call, BITMAP_FORMAT) == BITMAP_CGA6;
    unsigned which = (call->method - BITMAP) >> 2 & 1;
    engine_extra(call->engine, call->object)[PATTERN_BITS + which] =
        cga6 ? nv4_reverse_bytes_bits(call->data) : call->data;
    return ACTION_DONE;
}

/* Pixels of a colour pattern, several to a word. The argument is a format of images or solids. */
static void set_pixels(const struct call *call, uint32_t first, unsigned pixels, const struct nv4_format *format) {
    uint32_t *pixel = engine_extra(call->engine, call->object) + PATTERN_PIXELS;
    unsigned at = (call->method - first) / 4 * pixels;
    for (unsigned i = 0; i < pixels; i++)
        pixel[(at + i) & 63] = nv4_unpack(format, call->data >> 32 / pixels * i) & 0xffffff;
}

static enum action_result set_y8(struct call *call) {
    set_pixels(call, COLOR_Y8, 4, nv4_old_solid_format(1));
    return ACTION_DONE;
}

static enum action_result set_r5g6b5(struct call *call) {
    set_pixels(call, COLOR_R5G6B5, 2, nv4_solid_format(1));
    return ACTION_DONE;
}

static enum action_result set_x1r5g5b5(struct call *call) {
    set_pixels(call, COLOR_X1R5G5B5, 2, nv4_solid_format(2));
    return ACTION_DONE;
}

static enum action_result set_x8r8g8b8(struct call *call) {
    set_pixels(call, COLOR_X8R8G8B8, 1, nv4_solid_format(3));
    return ACTION_DONE;
}

static const struct action bitmap_actions[] = {
    {.method = FORMAT, .type = ACTION_EFFECT, .run = set_format},
    {.method = BITMAP_FORMAT, .type = ACTION_EFFECT, .run = set_bitmap_format},
    {.method = SHAPE, .type = ACTION_EFFECT, .run = set_shape},
    {.method = COLOR, .count = 2, .type = ACTION_INSIDE, .run = set_color},
    {.method = BITMAP, .count = 2, .type = ACTION_INSIDE, .run = set_bitmap},
    {0}};

static const struct action color_actions[] = {
    {.method = SELECT, .type = ACTION_EFFECT, .run = set_select},
    {.method = COLOR_Y8, .count = 16, .type = ACTION_INSIDE, .run = set_y8},
    {.method = COLOR_R5G6B5, .count = 32, .type = ACTION_INSIDE, .run = set_r5g6b5},
    {.method = COLOR_X1R5G5B5, .count = 32, .type = ACTION_INSIDE, .run = set_x1r5g5b5},
    {.method = COLOR_X8R8G8B8, .count = 64, .type = ACTION_INSIDE, .run = set_x8r8g8b8},
    {0}};

static const struct action chroma_actions[] = {{.method = FORMAT, .type = ACTION_EFFECT, .run = set_format}, {0}};

const struct kind kind_nv1_pattern = {
    .name = "pattern", .role = ROLE_NONE, .extra_words = PATTERN_WORDS, .groups = {notify_nv4_actions, bitmap_actions}};
const struct kind kind_nv4_pattern = {.name = "pattern",
                                      .role = ROLE_NONE,
                                      .extra_words = PATTERN_WORDS,
                                      .groups = {notify_nv4_actions, bitmap_actions, color_actions}};
const struct kind kind_nv4_chroma = {
    .name = "colour key", .role = ROLE_NONE, .groups = {notify_nv4_actions, chroma_actions}};

/* ---- for drawings ---- */

static uint32_t value(const struct object *state, uint32_t method) {
    return state->value[method >> 2];
}

static const struct nv4_format *format_of(const struct object *state, uint32_t code) {
    bool old = state->object_class == 0x17 || state->object_class == 0x18;
    return old ? nv4_old_context_format(code) : nv4_context_format(code);
}

static bool open_bitmap(const struct object *state, const uint32_t *extra, struct nv4_draw *draw) {
    uint32_t pixel[2];
    for (unsigned i = 0; i < 2; i++) {
        const struct nv4_format *format = format_of(state, extra[PATTERN_FORMATS + i]);
        if (!format)
            return false;
        pixel[i] = nv4_pack(draw->format, nv4_convert(draw->format, format, extra[PATTERN_COLORS + i]));
    }
    draw->pattern_shape = (uint8_t)value(state, SHAPE);
    for (unsigned i = 0; i < 64; i++)
        draw->pattern[i] = pixel[extra[PATTERN_BITS + i / 32] >> i % 32 & 1];
    return value(state, SHAPE) <= 2;
}

bool nv4_pattern_open(const struct engine *engine, struct object *state, struct nv4_draw *draw) {
    const uint32_t *extra = engine_extra(engine, state);
    bool old = state->object_class == 0x18;
    if (old || value(state, SELECT) == SELECT_BITMAP)
        return open_bitmap(state, extra, draw);
    draw->pattern_shape = 0;
    for (unsigned i = 0; i < 64; i++)
        draw->pattern[i] = nv4_pack(draw->format, 0xff000000 | extra[PATTERN_PIXELS + i]);
    return value(state, SELECT) == SELECT_COLOR;
}

void nv4_chroma_open(const struct object *state, struct nv4_draw *draw) {
    const struct nv4_format *format = format_of(state, value(state, FORMAT));
    uint32_t color = value(state, 0x304);
    if (!format || nv4_unpack(format, color) >> 24 == 0)
        return;
    draw->keyed = true;
    draw->key = nv4_pack(draw->format, nv4_convert(draw->format, format, color));
}
