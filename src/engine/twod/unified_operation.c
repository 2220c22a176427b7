/* SPDX-License-Identifier: MIT */
#include "engine/twod/unified_operation.h"

#include <assert.h>
#include <string.h>

#include "engine/core/error.h"
#include "methods/gf100_2d.h"

enum {
    KEY_FORMAT = GF100_2D_SET_COLOR_KEY_FORMAT,
    KEY = GF100_2D_SET_COLOR_KEY,
    KEY_ENABLE = GF100_2D_SET_COLOR_KEY_ENABLE,
    ROP = GF100_2D_SET_ROP,
    BETA1 = GF100_2D_SET_BETA1,
    BETA4 = GF100_2D_SET_BETA4
};

enum {
    CODE = GF100_2D_SET_OPERATION,
    SRCCOPY_AND = 0,
    ROP_AND = 1,
    BLEND_AND = 2,
    SRCCOPY = 3,
    ROP_ALL = 4,
    SRCCOPY_PREMULT = 5,
    BLEND_PREMULT = 6
};

/* ---- setting up ---- */

struct rectangle rectangle_clip(struct rectangle a, const struct rectangle *b) {
    a.x0 = a.x0 > b->x0 ? a.x0 : b->x0;
    a.y0 = a.y0 > b->y0 ? a.y0 : b->y0;
    a.x1 = a.x1 < b->x1 ? a.x1 : b->x1;
    a.y1 = a.y1 < b->y1 ? a.y1 : b->y1;
    return a;
}

static struct rectangle unified_operation_clip(const struct call *call, const struct unified_surface *surface) {
    struct rectangle all = {0, 0, surface->width, surface->height};
    if (!(call_value(call, UNIFIED_CLIP_ENABLE) & 1))
        return all;
    int64_t x = (int32_t)call_value(call, UNIFIED_CLIP_X), y = (int32_t)call_value(call, UNIFIED_CLIP_Y);
    struct rectangle set = {x, y, x + call_value(call, UNIFIED_CLIP_WIDTH), y + call_value(call, UNIFIED_CLIP_HEIGHT)};
    return rectangle_clip(set, &all);
}

/*
 * UNKNOWN: what is compared with the key; chosen: the source's colour in the key's format, but for its alpha. Pixels
 * that are equal are not drawn.
 */
static void unified_operation_set_key(struct unified_operation *op) {
    static const uint8_t codes[8] = {0xe8, 0xf8, 0xe6, 0xdf, 0xf3, 0xee, 0xff, 0xff};
    struct pixels pixels;
    uint8_t bits[16];
    op->has_key = call_value(op->call, KEY_ENABLE) & 1;
    if (!op->has_key || !pixels_of(codes[call_value(op->call, KEY_FORMAT) & 7], &pixels))
        return;
    format_mask(pixels.format, 7, bits);
    op->key.pixels = pixels;
    op->key.mask = pixels_load(bits, pixels_bytes(&pixels));
    op->key.value = call_value(op->call, KEY) & op->key.mask;
}

static void set_factors(struct unified_operation *op) {
    uint32_t beta1 = call_value(op->call, BETA1), beta4 = call_value(op->call, BETA4);
    op->beta1 = beta1 >> 31 ? 0 : (float)(beta1 >> 23 & 0xff) / 255;
    for (unsigned c = 0; c < 4; c++)
        op->beta4[c] = (float)(beta4 >> (c == 3 ? 24 : 16 - 8 * c) & 0xff) / 255;
}

static void set_alpha(struct unified_operation *op) {
    uint8_t bits[16];
    format_mask(op->destination.pixels.format, 1 << 3, bits);
    op->alpha_mask = pixels_load(bits, 4);
    op->always_alpha = op->alpha_mask == 0;
}

static bool is_legal(const struct unified_operation *op) {
    uint32_t code = op->destination.pixels.format->code;
    assert(code >= 0xc0);
    if (op->code > BLEND_PREMULT)
        call_error(op->call, ENGINE_ERROR_INVALID_OPERATION);
    else if (op->code != SRCCOPY && !(unified_class(op->call)->operations >> (code - 0xc0) & 1))
        call_error(op->call, ENGINE_ERROR_2D_OPERATION);
    else
        return true;
    return false;
}

bool operation_begin(struct unified_operation *op, const struct call *call) {
    op->call = call;
    if (!unified_surface(call, UNIFIED_DST, &op->destination))
        return false;
    op->code = call_value(call, CODE) & 7;
    op->rop = (uint8_t)call_value(call, ROP);
    op->clip = unified_operation_clip(call, &op->destination);
    assert(op->clip.x0 >= 0 && op->clip.y0 >= 0);
    assert(op->clip.x1 <= op->destination.width && op->clip.y1 <= op->destination.height);
    if (!is_legal(op))
        return false;
    unified_operation_set_key(op);
    set_factors(op);
    set_alpha(op);
    if (op->code == ROP_AND || op->code == ROP_ALL)
        pattern_begin(call, &op->destination.pixels, &op->pattern);
    return true;
}

static bool needs_colors(const struct unified_operation *op) {
    return op->has_key || (op->code != SRCCOPY && op->code != ROP_ALL && op->code != ROP_AND);
}

uint64_t operation_cost(const struct unified_operation *op, const struct pixels_conversion *conversion) {
    enum { COPIED = 80, MOVED = 80, CONVERTED = 256, COMBINED = 128, BLENDED = 400 };
    uint64_t cost = conversion->how == CONVERT_COPY ? COPIED : conversion->how == CONVERT_MOVE_BITS ? MOVED : CONVERTED;
    if (needs_colors(op))
        return cost + BLENDED;
    return operation_is_copy(op) ? cost : cost + COMBINED;
}

/* ---- pixels ---- */

/* Part of a row, with what the destination has and gets. */
struct chunk {
    const struct unified_operation *op;
    uint32_t x, y, count;
    uint8_t old[OPERATION_CHUNK * PIXELS_MAX_BYTES];
    uint8_t source[OPERATION_CHUNK * PIXELS_MAX_BYTES]; /* in the destination's format */
    uint8_t drawn[OPERATION_CHUNK];
    union color color[OPERATION_CHUNK]; /* of the source, if they are needed */
};

static void load_source(struct chunk *c, const struct pixel_row *row, uint32_t first) {
    const struct pixels_conversion *conversion = row->conversion;
    unsigned to_bytes = pixels_bytes(&c->op->destination.pixels);
    if (row->colors) {
        memcpy(c->color, row->colors + first, c->count * sizeof c->color[0]);
        for (uint32_t i = 0; i < c->count; i++)
            pixels_pack(&c->op->destination.pixels, &c->color[i], c->source + (size_t)i * to_bytes);
        return;
    }
    unsigned bytes = pixels_bytes(conversion->from);
    const uint8_t *pixels = row->pixels + (size_t)first * bytes;
    pixels_convert(conversion, pixels, c->source, c->count);
    for (uint32_t i = 0; i < c->count && needs_colors(c->op); i++)
        pixels_unpack(conversion->from, pixels + (size_t)i * bytes, &c->color[i]);
}

static void apply_key(struct chunk *c) {
    const struct pixels *key = &c->op->key.pixels;
    for (uint32_t i = 0; i < c->count; i++) {
        uint8_t pixel[PIXELS_MAX_BYTES];
        pixels_pack(key, &c->color[i], pixel);
        if ((pixels_load(pixel, pixels_bytes(key)) & c->op->key.mask) == c->op->key.value)
            c->drawn[i] = 0;
    }
}

static uint32_t rop(uint8_t code, uint32_t d, uint32_t s, uint32_t p) {
    uint32_t result = 0;
    for (unsigned i = 0; i < 8; i++)
        if (code >> i & 1)
            result |= (i & 1 ? d : ~d) & (i & 2 ? s : ~s) & (i & 4 ? p : ~p);
    return result;
}

/*
 * UNKNOWN: the alpha of a result in a format without; chosen: it has some, since drivers invert such pixels with
 * ROP_AND (nv50_fbcon.c).
 */
static void apply_rop(struct chunk *c) {
    const struct unified_operation *op = c->op;
    unsigned bytes = pixels_bytes(&op->destination.pixels);
    assert(bytes <= 4); /* no larger one has operations */
    for (uint32_t i = 0; i < c->count; i++) {
        uint8_t *source = c->source + (size_t)i * bytes;
        uint32_t d = pixels_load(c->old + (size_t)i * bytes, bytes), s = pixels_load(source, bytes);
        uint32_t result = rop(op->rop, d, s, pattern_pixel(&op->pattern, c->x + i, c->y));
        if (op->code == ROP_AND && !op->always_alpha && !(result & op->alpha_mask))
            c->drawn[i] = 0;
        pixels_store(source, bytes, result);
    }
}

static void unified_operation_blend(const struct unified_operation *op, const union color *s, const union color *d,
                                    union color *result) {
    float factor = s->f[3] * (op->code == BLEND_AND ? op->beta1 : op->beta4[3]);
    for (unsigned i = 0; i < 4; i++) {
        if (op->code == SRCCOPY_PREMULT)
            result->f[i] = s->f[i] * op->beta4[i];
        else if (op->code == BLEND_PREMULT)
            result->f[i] = (1 - factor) * d->f[i] + s->f[i] * op->beta4[i];
        else
            result->f[i] = (1 - factor) * d->f[i] + s->f[i] * factor;
    }
}

/* UNKNOWN: with how many bits hardware computes; chosen: as floats, rounded once. */
static void apply_blend(struct chunk *c) {
    const struct pixels *pixels = &c->op->destination.pixels;
    unsigned bytes = pixels_bytes(pixels);
    for (uint32_t i = 0; i < c->count; i++) {
        union color destination, result;
        pixels_unpack(pixels, c->old + (size_t)i * bytes, &destination);
        unified_operation_blend(c->op, &c->color[i], &destination, &result);
        pixels_pack(pixels, &result, c->source + (size_t)i * bytes);
    }
}

static void unified_operation_apply(struct chunk *c) {
    const struct unified_operation *op = c->op;
    if (op->has_key)
        apply_key(c);
    if (op->code == ROP_AND || op->code == ROP_ALL)
        apply_rop(c);
    else if (op->code != SRCCOPY && op->code != SRCCOPY_AND)
        apply_blend(c);
    for (uint32_t i = 0; i < c->count && op->code == SRCCOPY_AND; i++)
        if (c->color[i].f[3] == 0.0f)
            c->drawn[i] = 0;
}

static void keep_undrawn(struct chunk *c) {
    unsigned bytes = pixels_bytes(&c->op->destination.pixels);
    for (uint32_t i = 0; i < c->count; i++)
        if (!c->drawn[i])
            memcpy(c->source + (size_t)i * bytes, c->old + (size_t)i * bytes, bytes);
}

static bool draw_chunk(struct chunk *c, const struct pixel_row *row, uint32_t first) {
    const struct unified_operation *op = c->op;
    bool copies = operation_is_copy(op) && !row->skip;
    assert(0 < c->count && c->count <= OPERATION_CHUNK);
    if (!copies && !unified_read(op->call, &op->destination, c->x, c->y, c->old, c->count))
        return false;
    load_source(c, row, first);
    if (!copies) {
        for (uint32_t i = 0; i < c->count; i++)
            c->drawn[i] = !(row->skip && row->skip[first + i]);
        unified_operation_apply(c);
        keep_undrawn(c);
    }
    return unified_write(op->call, &op->destination, c->x, c->y, c->source, c->count);
}

bool operation_row(const struct unified_operation *op, const struct pixel_row *row, uint32_t x, uint32_t y,
                   uint32_t count) {
    if (operation_is_copy(op) && !row->skip && !row->colors && row->conversion->how == CONVERT_COPY)
        return unified_write(op->call, &op->destination, x, y, row->pixels, count);
    struct chunk chunk;
    chunk.op = op;
    chunk.y = y;
    for (uint32_t done = 0; done < count; done += chunk.count) {
        chunk.x = x + done;
        chunk.count = count - done < OPERATION_CHUNK ? count - done : OPERATION_CHUNK;
        if (!draw_chunk(&chunk, row, done))
            return false;
    }
    return true;
}
