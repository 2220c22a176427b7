/* SPDX-License-Identifier: MIT */
/*
 * GDI (4a): rectangles and text.
 *
 *   A 0x3fc   rectangles            C 0x7ec   bits from the CPU, zeros transparent
 *   B 0x5f4   clipped ones          E 0xbe4   bits from the CPU in two colours
 *   F 0xff0   characters from memory, index and point in one word; G 0x17f0 the same in two
 *
 * A character in memory: width [15:0], height [31:16], then bits; its number times the pitch from the font's offset on.
 *
 * The points of A, B and G are one register, so a rectangle without a point of its own begins where the last one did.
 * The colours of A and B are one, too, and so are those of bits that are ones, and the clip rectangles.
 *
 * UNKNOWN: rows of bits whose width is no multiple of 8; chosen: rows follow each other bit after bit. Drivers pad the
 *          width. [driver: nouveau nv04_fbcon.c]
 * Sources: envytools rnndb/graph/nv3_gdi.xml, hwtest/pgraph_class_solid.cc, pgraph_mthd_xy.cc; NVIDIA open-gpu-doc
 * classes/twod/cl004a.h.
 */
#include "engine/kinds.h"
#include "engine/twod/nv4_pattern.h"
#include "engine/twod/nv4_stream.h"

enum { DMA_FONTS = 0x184, MONO_FORMAT = 0x304, COLOR_A = 0x3fc, CLIP_B = 0x5f4, COLOR_B = 0x5fc };
enum { CLIP_C = 0x7ec, COLOR_C = 0x7f4, SIZE_C = 0x7f8, POINT_C = 0x7fc };
enum { CLIP_E = 0xbe4, COLOR0_E = 0xbec, COLOR1_E = 0xbf0, SIZE_IN_E = 0xbf4, SIZE_OUT_E = 0xbf8, POINT_E = 0xbfc };
enum { FONT_F = 0xff0, FONT_G = 0x17f0 };
enum { FONT_CLIP = 4, FONT_COLOR = 0xc }; /* from a font's method on */
enum { MONO_CGA6 = 1, MONO_LE = 2 };

static const struct nv4_slots slots = {.bind = {NV4_DRAWS_FROM(0x188)},
                                       .operation = 0x2fc,
                                       .format = 0x300,
                                       .formats = nv4_solid_format,
                                       .last_format = 3};

static enum action_result set_mono_format(struct call *call) {
    bool valid = call->data == MONO_CGA6 || call->data == MONO_LE;
    return valid ? ACTION_DONE : call_error(call, ENGINE_ERROR_INVALID_VALUE);
}

/* Words of the kind. */
enum {
    POINT = NV4_STREAM_EXTRA, /* that came last, x below y */
    COLOR_SOLID,              /* the colour of rectangles, */
    COLOR_ONES,               /* and of bits */
    EXTRA,
};

/* A drawing in a colour. */
static bool open_drawing(const struct call *call, uint32_t pixel, bool clipped, struct nv4_draw *draw,
                         uint32_t *color) {
    const struct nv4_format *format = nv4_source_format(call, &slots);
    if (!format || !nv4_draw_open(call, &slots, draw))
        return false;
    *color = nv4_convert(draw->format, format, pixel);
    if (clipped)
        nv4_draw_clip(draw, nv4_clip_box(nv4_state(call), NV4_STATE_OWN_CLIP));
    return true;
}

static uint32_t extra_word(const struct call *call, unsigned which) {
    return engine_extra(call->engine, call->object)[which];
}

static enum action_result set_solid(struct call *call) {
    engine_extra(call->engine, call->object)[COLOR_SOLID] = call->data;
    return ACTION_DONE;
}

static enum action_result set_ones(struct call *call) {
    engine_extra(call->engine, call->object)[COLOR_ONES] = call->data;
    return ACTION_DONE;
}

static enum action_result set_point(struct call *call) {
    engine_extra(call->engine, call->object)[POINT] = call->data;
    return ACTION_DONE;
}

static enum action_result set_point_a(struct call *call) {
    engine_extra(call->engine, call->object)[POINT] = call->data >> 16 | call->data << 16;
    return ACTION_DONE;
}

static uint32_t last_point(const struct call *call) {
    return extra_word(call, POINT);
}

/* ---- rectangles ---- */

static enum action_result rectangle_a(struct call *call) {
    struct nv4_draw draw;
    uint32_t color;
    if (!open_drawing(call, extra_word(call, COLOR_SOLID), false, &draw, &color))
        return ACTION_DONE;
    struct nv4_box box = nv4_box_of(last_point(call), call->data >> 16 | call->data << 16);
    return nv4_fill_box(call, &draw, box, color);
}

static enum action_result rectangle_b(struct call *call) {
    struct nv4_draw draw;
    uint32_t color, first = last_point(call);
    if (!open_drawing(call, extra_word(call, COLOR_SOLID), true, &draw, &color))
        return ACTION_DONE;
    struct nv4_box box = {nv4_low(first), nv4_high(first), nv4_low(call->data), nv4_high(call->data)};
    return nv4_fill_box(call, &draw, box, color);
}

/* ---- bits ---- */

/* Bits in rows, first one lowest. */
struct bits {
    const uint32_t *word;
    uint32_t width, height; /* of rows; what of them is drawn: */
    uint32_t out_width, out_height;
    int32_t x, y;
    bool transparent; /* zeros are */
    uint32_t color[2];
};

static inline unsigned bit_at(const struct bits *bits, uint64_t n) {
    return bits->word[n / 32] >> n % 32 & 1;
}

/* `count` bits from bit n of word[] on, at one place of a row. */
static bool draw_transparent(struct nv4_draw *draw, const struct bits *bits, uint64_t n, int32_t x, int32_t y,
                             uint32_t count) {
    for (uint32_t i = 0, begin; i < count;) {
        for (; i < count && !bit_at(bits, n + i); i++)
            ;
        for (begin = i; i < count && bit_at(bits, n + i); i++)
            ;
        if (i > begin && !nv4_draw_row(draw, x + (int32_t)begin, y, &bits->color[1], 0, i - begin))
            return false;
    }
    return true;
}

static bool draw_opaque(struct nv4_draw *draw, const struct bits *bits, uint64_t n, int32_t x, int32_t y,
                        uint32_t count) {
    uint32_t color[512];
    for (uint32_t at = 0, now; at < count; at += now) {
        now = count - at < 512 ? count - at : 512;
        for (uint32_t i = 0; i < now; i++)
            color[i] = bits->color[bit_at(bits, n + at + i)];
        if (!nv4_draw_row(draw, x + (int32_t)at, y, color, 1, now))
            return false;
    }
    return true;
}

/* `count` bits, the first of which is bit `first` of the whole, from row to row. */
static bool draw_bits(struct nv4_draw *draw, const struct bits *bits, uint64_t first, uint64_t count) {
    uint64_t all = (uint64_t)bits->width * bits->height;
    if (bits->width == 0 || first >= all)
        return true;
    uint64_t end = count > all - first ? all : first + count;
    for (uint64_t n = first, now; n < end; n += now) {
        uint64_t row = n / bits->width, column = n % bits->width;
        now = bits->width - column < end - n ? bits->width - column : end - n;
        if (row >= bits->out_height || column >= bits->out_width)
            continue;
        uint32_t shown = bits->out_width - column < now ? (uint32_t)(bits->out_width - column) : (uint32_t)now;
        int32_t x = bits->x + (int32_t)column, y = bits->y + (int32_t)row;
        if (!(bits->transparent ? draw_transparent : draw_opaque)(draw, bits, n - first, x, y, shown))
            return false;
    }
    return true;
}

/* ---- bits from the CPU ---- */

enum { TEXT_C, TEXT_E };

static void begin_bits(const struct call *call, uint32_t in, uint32_t out, uint32_t unit) {
    nv4_stream_latch(call, (struct nv4_latched){.point = call->data, .in = in, .out = out, .unit = unit});
    nv4_stream_begin(call, ((uint64_t)(in & 0xffff) * (in >> 16) + 31) / 32);
}

static enum action_result begin_c(struct call *call) {
    begin_bits(call, call_value(call, SIZE_C), call_value(call, SIZE_C), TEXT_C);
    return ACTION_DONE;
}

static enum action_result begin_e(struct call *call) {
    begin_bits(call, call_value(call, SIZE_IN_E), call_value(call, SIZE_OUT_E), TEXT_E);
    return ACTION_DONE;
}

static bool open_bits(const struct call *call, struct nv4_draw *draw, struct bits *bits) {
    const uint32_t *latched = engine_extra(call->engine, call->object);
    uint32_t in = latched[NV4_STREAM_IN], out = latched[NV4_STREAM_OUT];
    bool two = latched[NV4_STREAM_UNIT] == TEXT_E;
    *bits = (struct bits){.width = in & 0xffff,
                          .height = in >> 16,
                          .out_width = out & 0xffff,
                          .out_height = out >> 16,
                          .x = nv4_low(latched[NV4_STREAM_POINT]),
                          .y = nv4_high(latched[NV4_STREAM_POINT]),
                          .transparent = !two};
    if (two && !open_drawing(call, call_value(call, COLOR0_E), true, draw, &bits->color[0]))
        return false;
    return open_drawing(call, extra_word(call, COLOR_ONES), true, draw, &bits->color[1]);
}

static void order_bits(const struct call *call, uint32_t *word, uint32_t count) {
    if (call_value(call, MONO_FORMAT) == MONO_CGA6)
        for (uint32_t i = 0; i < count; i++)
            word[i] = nv4_reverse_bytes_bits(word[i]);
}

static enum action_result data(struct call *call) {
    struct nv4_draw draw;
    struct bits bits;
    if (!open_bits(call, &draw, &bits)) {
        words_begin(call->object, 0);
        return ACTION_DONE;
    }
    uint64_t all = (uint64_t)bits.width * bits.height;
    struct nv4_words words = nv4_words_take(call, (all + 31) / 32);
    uint32_t ordered[ENGINE_KEPT_WORDS];
    memcpy(ordered, words.word, words.count * sizeof ordered[0]);
    order_bits(call, ordered, words.count);
    bits.word = ordered;
    if (!draw_bits(&draw, &bits, words.first * 32, (uint64_t)words.count * 32)) {
        words_begin(call->object, 0);
        return nv4_draw_fault(call, &draw);
    }
    if (nv4_words_used(call))
        call_done(call, "text", nv4_draw_address(&draw, bits.x, bits.y), all * draw.format->bytes);
    return ACTION_DONE;
}

/* ---- characters from memory ---- */

static bool valid_font(uint32_t font) {
    return font >> 28 >= 3 && font >> 28 <= 9;
}

static enum action_result set_font(struct call *call) {
    return valid_font(call->data) ? ACTION_DONE : call_error(call, ENGINE_ERROR_INVALID_VALUE);
}

static bool read_character(const struct call *call, struct nv4_draw *draw, uint32_t font, uint32_t number,
                           uint32_t word[128]) {
    struct address_space space = call_space(call, call_value(call, DMA_FONTS));
    uint8_t bytes[512];
    uint32_t size = 1u << (font >> 28);
    uint64_t address = (font & 0x0fffffff) + (uint64_t)number * size;
    if (!memory_read(draw->memory, &space, address, bytes, size, &draw->fault))
        return false;
    for (uint32_t i = 0; i < size / 4; i++)
        word[i] = load_le32(bytes + 4 * (size_t)i);
    return true;
}

static enum action_result character(const struct call *call, uint32_t font_method, uint32_t number, int32_t x,
                                    int32_t y) {
    uint32_t font = call_value(call, font_method), word[128] = {0};
    struct nv4_draw draw;
    struct bits bits = {.word = word + 1, .x = x, .y = y, .transparent = true};
    if (!valid_font(font))
        return call_error(call, ENGINE_ERROR_INVALID_STATE);
    if (!open_drawing(call, extra_word(call, COLOR_ONES), true, &draw, &bits.color[1]))
        return ACTION_DONE;
    if (!read_character(call, &draw, font, number, word))
        return nv4_draw_fault(call, &draw);
    bits.width = bits.out_width = word[0] & 0xffff;
    bits.height = bits.out_height = word[0] >> 16;
    order_bits(call, word + 1, 127);
    if (!draw_bits(&draw, &bits, 0, (8u << (font >> 28)) - 32))
        return nv4_draw_fault(call, &draw);
    call_done(call, "text", nv4_draw_address(&draw, x, y), (uint64_t)bits.width * bits.height * draw.format->bytes);
    return ACTION_DONE;
}

/* 12 bits with a sign. */
static int32_t signed_12(uint32_t value) {
    return (int32_t)(value & 0x7ff) - (int32_t)(value & 0x800);
}

static enum action_result character_f(struct call *call) {
    return character(call, FONT_F, call->data & 0xff, signed_12(call->data >> 8), signed_12(call->data >> 20));
}

static enum action_result character_g(struct call *call) {
    uint32_t point = last_point(call);
    return character(call, FONT_G, call->data & 0xffff, nv4_low(point), nv4_high(point));
}

/* clang-format off */
#define ACTS(at, number, step, function)                                                                               \
    {.method = (at), .count = (number), .stride = (step), .type = ACTION_EFFECT, .run = (function)}
#define POINTS(at, number, function)                                                                                   \
    {.method = (at), .count = (number), .stride = 8, .type = ACTION_INSIDE, .run = (function)}
#define SETS(at, function) {.method = (at), .type = ACTION_INSIDE, .run = (function)}
#define CLIPS(at) {.method = (at), .count = 2, .type = ACTION_INSIDE, .run = nv4_own_clip_corner}
#define DATA(at) {.method = (at), .count = 128, .type = ACTION_EFFECT, .run = data, .absorb = words_absorb}
/* clang-format on */

static const struct action actions[] = {NV4_BINDS(0x188, 5, slots),
                                        NV4_OPERATION_AT(0x2fc),
                                        NV4_FORMAT_AT(0x300, slots),
                                        ACTS(MONO_FORMAT, 1, 4, set_mono_format),
                                        POINTS(0x400, 32, set_point_a),
                                        ACTS(0x404, 32, 8, rectangle_a),
                                        POINTS(0x600, 32, set_point),
                                        ACTS(0x604, 32, 8, rectangle_b),
                                        SETS(POINT_C, begin_c),
                                        DATA(0x800),
                                        SETS(POINT_E, begin_e),
                                        DATA(0xc00),
                                        SETS(COLOR_A, set_solid),
                                        SETS(COLOR_B, set_solid),
                                        SETS(COLOR_C, set_ones),
                                        SETS(COLOR1_E, set_ones),
                                        SETS(FONT_F + FONT_COLOR, set_ones),
                                        SETS(FONT_G + FONT_COLOR, set_ones),
                                        CLIPS(CLIP_B),
                                        CLIPS(CLIP_C),
                                        CLIPS(CLIP_E),
                                        CLIPS(FONT_F + FONT_CLIP),
                                        CLIPS(FONT_G + FONT_CLIP),
                                        ACTS(FONT_F, 1, 4, set_font),
                                        ACTS(0x1000, 256, 4, character_f),
                                        ACTS(FONT_G, 1, 4, set_font),
                                        POINTS(0x1800, 256, set_point),
                                        ACTS(0x1804, 256, 8, character_g),
                                        {0}};

NV4_KIND(kind_nv4_gdi, "GDI", EXTRA, actions);
