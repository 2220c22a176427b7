/* SPDX-License-Identifier: MIT */
#include <assert.h>

#include "engine/twod/unified_operation.h"
#include "methods/gf100_2d.h"

enum {
    OFFSET = GF100_2D_SET_PATTERN_OFFSET,
    SELECT = GF100_2D_SET_PATTERN_SELECT,
    COLOR_FORMAT = GF100_2D_SET_MONOCHROME_PATTERN_COLOR_FORMAT,
    BIT_ORDER = GF100_2D_SET_MONOCHROME_PATTERN_FORMAT,
    COLORS = GF100_2D_SET_MONOCHROME_PATTERN_COLOR0,
    BITMAP = GF100_2D_SET_MONOCHROME_PATTERN0
};
enum { SELECT_8X8, SELECT_64X1, SELECT_1X64, SELECT_COLOR };
enum { A8X8R5G6B5, A1R5G5B5, A8R8G8B8, A8Y8, A8X8Y16, Y32, BYTE_EXPAND };

#define CODE_A8R8G8B8 0xcfu

/* ---- the colour pattern: whatever it is written as, it is kept as X8R8G8B8 ---- */

/* UNKNOWN: how 5 and 6 bits become 8; chosen: their upper bits again below them. */
static uint32_t unified_pattern_expand(uint32_t value, unsigned bits) {
    assert(4 <= bits && bits <= 8);
    return value << (8 - bits) | value >> (2 * bits - 8);
}

static uint32_t from_r5g6b5(uint32_t value) {
    return unified_pattern_expand(value >> 11 & 31, 5) << 16 | unified_pattern_expand(value >> 5 & 63, 6) << 8 |
           unified_pattern_expand(value & 31, 5);
}

static uint32_t from_x1r5g5b5(uint32_t value) {
    return unified_pattern_expand(value >> 10 & 31, 5) << 16 | unified_pattern_expand(value >> 5 & 31, 5) << 8 |
           unified_pattern_expand(value & 31, 5);
}

static enum action_result unified_pattern_set_x8r8g8b8(struct call *call) {
    unified_extra(call)[UNIFIED_PATTERN + (call->method - GF100_2D_COLOR_PATTERN_X8R8G8B8(0)) / 4] =
        call->data & 0xffffff;
    return ACTION_DONE;
}

static enum action_result unified_pattern_set_r5g6b5(struct call *call) {
    uint32_t *cell = &unified_extra(call)[UNIFIED_PATTERN + (call->method - GF100_2D_COLOR_PATTERN_R5G6B5(0)) / 2];
    assert(cell + 2 <= unified_extra(call) + UNIFIED_PATTERN + 64);
    cell[0] = from_r5g6b5(call->data & 0xffff);
    cell[1] = from_r5g6b5(call->data >> 16);
    return ACTION_DONE;
}

static enum action_result unified_pattern_set_x1r5g5b5(struct call *call) {
    uint32_t *cell = &unified_extra(call)[UNIFIED_PATTERN + (call->method - GF100_2D_COLOR_PATTERN_X1R5G5B5(0)) / 2];
    cell[0] = from_x1r5g5b5(call->data & 0xffff);
    cell[1] = from_x1r5g5b5(call->data >> 16);
    return ACTION_DONE;
}

static enum action_result unified_pattern_set_y8(struct call *call) {
    uint32_t *cell = &unified_extra(call)[UNIFIED_PATTERN + (call->method - GF100_2D_COLOR_PATTERN_Y8(0))];
    for (unsigned i = 0; i < 4; i++)
        cell[i] = (call->data >> 8 * i & 0xff) * 0x010101;
    return ACTION_DONE;
}

const struct action unified_pattern_actions[] = {
    {.method = GF100_2D_COLOR_PATTERN_X8R8G8B8(0),
     .count = 64,
     .type = ACTION_INSIDE,
     .run = unified_pattern_set_x8r8g8b8},
    {.method = GF100_2D_COLOR_PATTERN_R5G6B5(0), .count = 32, .type = ACTION_INSIDE, .run = unified_pattern_set_r5g6b5},
    {.method = GF100_2D_COLOR_PATTERN_X1R5G5B5(0),
     .count = 32,
     .type = ACTION_INSIDE,
     .run = unified_pattern_set_x1r5g5b5},
    {.method = GF100_2D_COLOR_PATTERN_Y8(0), .count = 16, .type = ACTION_INSIDE, .run = unified_pattern_set_y8},
    {0}};

/* ---- colours in the destination's bits ---- */

static uint32_t as_destination(const struct pixels *pixels, const union color *color) {
    uint8_t pixel[PIXELS_MAX_BYTES];
    pixels_pack(pixels, color, pixel);
    return pixels_load(pixel, pixels_bytes(pixels) < 4 ? pixels_bytes(pixels) : 4);
}

static uint32_t x8r8g8b8(const struct pixels *pixels, uint32_t value) {
    struct pixels from;
    uint8_t pixel[4];
    union color color;
    if (!pixels_of(CODE_A8R8G8B8, &from))
        return 0;
    pixels_store(pixel, 4, value);
    pixels_unpack(&from, pixel, &color);
    return as_destination(pixels, &color);
}

static uint32_t gray(const struct pixels *pixels, float value, float alpha) {
    union color color = {.f = {value, value, value, alpha}};
    return as_destination(pixels, &color);
}

static uint32_t rgb5(const struct pixels *pixels, uint32_t value, unsigned green_bits, float alpha) {
    uint32_t most = (1u << green_bits) - 1;
    union color color = {.f = {(float)(value >> (5 + green_bits) & 31) / 31, (float)(value >> 5 & most) / (float)most,
                               (float)(value & 31) / 31, alpha}};
    return as_destination(pixels, &color);
}

/*
 * UNKNOWN: Y32 for a destination of another format; chosen: its bits as they are.
 * UNKNOWN: BYTE_EXPAND; chosen: the lowest byte in each byte of a pixel.
 */
static uint32_t mono_color(const struct pixels *pixels, uint32_t format, uint32_t value) {
    float high_alpha = (float)(value >> 24) / 255;
    switch (format) {
    case A8X8R5G6B5:
        return rgb5(pixels, value, 6, high_alpha);
    case A1R5G5B5:
        return rgb5(pixels, value, 5, (float)(value >> 15 & 1));
    case A8R8G8B8:
        return x8r8g8b8(pixels, value);
    case A8Y8:
        return gray(pixels, (float)(value & 0xff) / 255, (float)(value >> 8 & 0xff) / 255);
    case A8X8Y16:
        return gray(pixels, (float)(value & 0xffff) / 65535, high_alpha);
    case BYTE_EXPAND:
        return (value & 0xff) * 0x01010101;
    default:
        return value;
    }
}

/* ---- a draw's ---- */

/* Bits from the lowest one on, whatever order they have within bytes. */
static uint64_t bitmap(const struct call *call) {
    uint64_t bits = call_value(call, BITMAP) | (uint64_t)call_value(call, BITMAP + 4) << 32;
    if (call_value(call, BIT_ORDER) & 1)
        return bits;
    bits = (bits & 0x5555555555555555) << 1 | (bits >> 1 & 0x5555555555555555);
    bits = (bits & 0x3333333333333333) << 2 | (bits >> 2 & 0x3333333333333333);
    return (bits & 0x0f0f0f0f0f0f0f0f) << 4 | (bits >> 4 & 0x0f0f0f0f0f0f0f0f);
}

void pattern_begin(const struct call *call, const struct pixels *pixels, struct pattern *pattern) {
    uint32_t offset = call_value(call, OFFSET), format = call_value(call, COLOR_FORMAT) & 7;
    if (format == BYTE_EXPAND && !unified_class(call)->has_byte_expand)
        format = Y32;
    pattern->select = call_value(call, SELECT) & 3;
    pattern->x = offset & 0x3f;
    pattern->y = offset >> 8 & 0x3f;
    pattern->bitmap = bitmap(call);
    for (unsigned i = 0; i < 2; i++)
        pattern->mono[i] = mono_color(pixels, format, call_value(call, COLORS + 4 * i));
    for (unsigned i = 0; i < 64 && pattern->select == SELECT_COLOR; i++)
        pattern->color[i] = x8r8g8b8(pixels, unified_extra(call)[UNIFIED_PATTERN + i] | 0xff000000);
}

uint32_t pattern_pixel(const struct pattern *pattern, uint32_t x, uint32_t y) {
    uint32_t px = x + pattern->x, py = y + pattern->y, bit = (py & 7) << 3 | (px & 7);
    assert(pattern->select <= SELECT_COLOR);
    if (pattern->select == SELECT_COLOR)
        return pattern->color[bit];
    if (pattern->select == SELECT_64X1)
        bit = px & 63;
    else if (pattern->select == SELECT_1X64)
        bit = py & 63;
    return pattern->mono[pattern->bitmap >> bit & 1];
}
