/* SPDX-License-Identifier: MIT */
/*
 * GDI (4a): rectangles and text. GDI of NV3 (4b): the same elsewhere, and D instead of characters.
 *
 *         4a      4b
 *   A     0x3fc   0x3fc    rectangles
 *   B     0x5f4   0x7f4    clipped ones
 *   C     0x7ec   0xbec    bits from the CPU, zeros transparent
 *   D     -       0xfe8    the same, a part of them
 *   E     0xbe4   0x13e4   bits from the CPU in two colours
 *   F     0xff0   -        characters from memory, index and point in one word
 *   G     0x17f0  -        the same in two
 *
 * A character in memory: width [15:0], height [31:16], then bits; its number times the pitch from the font's offset on.
 *
 * The points of A and B are one register, so a rectangle without a point of its own begins where the last one did. So
 * are those of bits and characters, the colours of A and B, those of bits that are ones, and the clip rectangles.
 *
 * UNKNOWN: rows of bits whose width is no multiple of 8; chosen: rows follow each other bit after bit. Drivers pad the
 *          width. [driver: nouveau nv04_fbcon.c]
 * Sources: envytools rnndb/graph/nv3_gdi.xml, hwtest/pgraph_class_solid.cc, pgraph_mthd_xy.cc; NVIDIA open-gpu-doc
 * classes/twod/cl004a.h.
 */
#include <assert.h>

#include "engine/kinds.h"
#include "engine/twod/nv4_pattern.h"
#include "engine/twod/nv4_stream.h"
#include "engine/core/work.h"
#include "methods/nv1_2d.h"

enum {
    DMA_FONTS = NV4_GDI_DMA_FONTS,
    MONO_FORMAT = NV4_GDI_MONOCHROME_FORMAT,
    FONT_F = NV4_GDI_FONT_F,
    FONT_G = NV4_GDI_FONT_G
};
enum { FONT_CLIP = 4, FONT_COLOR = 0xc }; /* from a font's method on */
enum { SIZE = -4, SIZE_IN = -8 };         /* from the method of the point on: what is drawn, and what comes */
enum { MONO_CGA6 = 1, MONO_LE = 2 };

static const struct nv4_slots slots = {.bind = {NV4_DRAWS_FROM(NV4_GDI_PATTERN)},
                                       .operation = NV4_GDI_OPERATION,
                                       .format = NV4_GDI_COLOR_FORMAT,
                                       .formats = nv4_solid_format,
                                       .last_format = 3};
static const struct nv4_slots old_slots = {
    .bind = {NV4_RASTER_FROM(NV3_GDI_PATTERN), [NV4_SURFACE] = NV3_GDI_SURFACE_DST},
    .operation = NV3_GDI_OPERATION,
    .format = NV3_GDI_COLOR_FORMAT,
    .formats = nv4_old_solid_format,
    .last_format = 3,
    .is_old = true};

/* Words of the kind. */
enum {
    POINT = NV4_STREAM_EXTRA, /* that came last for a rectangle, x below y, */
    TEXT_POINT,               /* and for text */
    COLOR_SOLID,              /* the colour of rectangles, */
    COLOR_ONES,               /* and of bits, */
    COLOR_ZEROS,              /* which are zeros: */
    ZEROS_EXPANDED,           /* A8R8G8B8, whatever the format */
    KEPT_ORDER,               /* of bits */
    EXTRA,
};

static enum action_result set_mono_format(struct call *call) {
    return nv4_keep_unless_valid(call, KEPT_ORDER, call->data == MONO_CGA6 || call->data == MONO_LE);
}

static uint32_t *nv4_gdi_words_of(const struct call *call) {
    return object_private(call->object);
}

static bool open_drawing(const struct call *call, bool clipped, struct nv4_draw *draw,
                         const struct nv4_format **format) {
    const struct nv4_slots *bound = call->action->argument;
    *format = nv4_source_format(call, bound);
    if (!*format || !nv4_draw_open(call, bound, draw))
        return false;
    if (clipped)
        nv4_draw_clip(draw, nv4_clip_box(nv4_state(call), NV4_STATE_OWN_CLIP));
    return true;
}

static enum action_result nv4_gdi_set_word(const struct call *call, unsigned which, uint32_t value) {
    assert(which < EXTRA);
    nv4_gdi_words_of(call)[which] = value;
    return ACTION_DONE;
}

static enum action_result set_solid(struct call *call) {
    return nv4_gdi_set_word(call, COLOR_SOLID, call->data);
}

static enum action_result set_ones(struct call *call) {
    return nv4_gdi_set_word(call, COLOR_ONES, call->data);
}

static enum action_result set_zeros(struct call *call) {
    nv4_gdi_set_word(call, ZEROS_EXPANDED, false);
    return nv4_gdi_set_word(call, COLOR_ZEROS, call->data);
}

/* 4b: at once, with zeros after components of 5 bits. */
static enum action_result set_old_zeros(struct call *call) {
    uint32_t format = call_value(call, NV4_GDI_COLOR_FORMAT), color = call->data;
    if (format < 1 || format > 3)
        return call_invalid_state(call, NV4_GDI_COLOR_FORMAT, format ? "not a format of the class" : "never set");
    uint32_t expanded = nv4_unpack(nv4_old_solid_format(format), color);
    nv4_gdi_set_word(call, ZEROS_EXPANDED, true);
    return nv4_gdi_set_word(call, COLOR_ZEROS, format == 2 ? expanded & 0xfff8f8f8 : expanded);
}

static enum action_result set_point(struct call *call) {
    return nv4_gdi_set_word(call, POINT, call->data);
}

static enum action_result set_point_a(struct call *call) {
    return nv4_gdi_set_word(call, POINT, call->data >> 16 | call->data << 16);
}

static enum action_result set_text_point(struct call *call) {
    return nv4_gdi_set_word(call, TEXT_POINT, call->data);
}

/* ---- rectangles ---- */

static enum action_result draw_rectangle(const struct call *call, bool clipped, struct nv4_box box) {
    struct nv4_draw draw;
    const struct nv4_format *format;
    if (!open_drawing(call, clipped, &draw, &format))
        return ACTION_DONE;
    return nv4_fill_box(call, &draw, box, nv4_convert(draw.format, format, nv4_gdi_words_of(call)[COLOR_SOLID]));
}

static enum action_result rectangle_a(struct call *call) {
    return draw_rectangle(call, false, nv4_box_of(nv4_gdi_words_of(call)[POINT], call->data >> 16 | call->data << 16));
}

static enum action_result rectangle_b(struct call *call) {
    uint32_t first = nv4_gdi_words_of(call)[POINT];
    return draw_rectangle(call, true,
                          (struct nv4_box){nv4_low(first), nv4_high(first), nv4_low(call->data), nv4_high(call->data)});
}

/* ---- bits ---- */

/* Bits in rows, first one lowest. */
struct gdi_bits {
    const uint32_t *word;
    uint32_t width, height; /* of rows; what of them is drawn: */
    uint32_t out_width, out_height;
    int32_t x, y;
    bool transparent; /* zeros are */
    uint32_t color[2];
};

static inline unsigned bit_at(const struct gdi_bits *bits, uint64_t n) {
    return bits->word[n / 32] >> n % 32 & 1;
}

/* `count` bits from bit n of word[] on, at one place of a row. */
static bool draw_transparent(struct nv4_draw *draw, const struct gdi_bits *bits, uint64_t n, int32_t x, int32_t y,
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

static bool draw_opaque(struct nv4_draw *draw, const struct gdi_bits *bits, uint64_t n, int32_t x, int32_t y,
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
static bool draw_bits(struct nv4_draw *draw, const struct gdi_bits *bits, uint64_t first, uint64_t count) {
    uint64_t all = (uint64_t)bits->width * bits->height;
    if (bits->width == 0 || first >= all)
        return true;
    uint64_t end = count > all - first ? all : first + count;
    assert(end <= all && end - first <= count);
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

enum { TRANSPARENT, OPAQUE };

static enum action_result begin_bits(const struct call *call, int size_in, uint32_t unit) {
    uint32_t in = call_value(call, (uint32_t)(call->method + size_in));
    uint32_t out = call_value(call, (uint32_t)(call->method + SIZE));
    nv4_stream_latch(call, (struct nv4_latched){.point = call->data, .in = in, .out = out, .unit = unit});
    nv4_stream_begin(call, ((uint64_t)(in & 0xffff) * (in >> 16) + 31) / 32);
    return nv4_gdi_set_word(call, TEXT_POINT, call->data);
}

static enum action_result begin_c(struct call *call) {
    return begin_bits(call, SIZE, TRANSPARENT);
}

static enum action_result begin_d(struct call *call) {
    return begin_bits(call, SIZE_IN, TRANSPARENT);
}

static enum action_result begin_e(struct call *call) {
    return begin_bits(call, SIZE_IN, OPAQUE);
}

/* Bits at a point, in the colours of the object. */
static bool open_bits(const struct call *call, uint32_t point, struct nv4_draw *draw, struct gdi_bits *bits) {
    const uint32_t *state = nv4_gdi_words_of(call);
    const struct nv4_format *format;
    if (!open_drawing(call, true, draw, &format))
        return false;
    const struct nv4_format *of_zeros = state[ZEROS_EXPANDED] ? nv4_context_format(3) : format;
    *bits = (struct gdi_bits){.x = nv4_low(point), .y = nv4_high(point), .transparent = true};
    bits->color[0] = nv4_convert(draw->format, of_zeros, state[COLOR_ZEROS]);
    bits->color[1] = nv4_convert(draw->format, format, state[COLOR_ONES]);
    return true;
}

static bool open_stream(const struct call *call, struct nv4_draw *draw, struct gdi_bits *bits) {
    const uint32_t *latched = nv4_gdi_words_of(call);
    uint32_t in = latched[NV4_STREAM_IN], out = latched[NV4_STREAM_OUT];
    if (!open_bits(call, latched[NV4_STREAM_POINT], draw, bits))
        return false;
    bits->width = in & 0xffff;
    bits->height = in >> 16;
    bits->out_width = out & 0xffff;
    bits->out_height = out >> 16;
    bits->transparent = latched[NV4_STREAM_UNIT] == TRANSPARENT;
    return true;
}

static void order_bits(const struct call *call, uint32_t *word, uint32_t count) {
    if (call_value(call, MONO_FORMAT) == MONO_CGA6)
        for (uint32_t i = 0; i < count; i++)
            word[i] = nv4_reverse_bytes_bits(word[i]);
}

static void bits_tell(const struct call *call, const struct nv4_draw *draw, const struct gdi_bits *bits) {
    uint32_t width = bits->width < bits->out_width ? bits->width : bits->out_width;
    uint32_t height = bits->height < bits->out_height ? bits->height : bits->out_height;
    nv4_draw_tell(call, "text", draw, nv4_box_at(bits->x, bits->y, width, height));
}

static enum action_result nv4_gdi_data(struct call *call) {
    struct nv4_draw draw;
    struct gdi_bits bits;
    if (!open_stream(call, &draw, &bits)) {
        words_begin(call->object, 0);
        return ACTION_DONE;
    }
    uint64_t all = (uint64_t)bits.width * bits.height;
    struct nv4_words words = nv4_words_take(call, (all + 31) / 32);
    uint32_t ordered[KEPT_WORDS];
    assert(words.count <= KEPT_WORDS);
    memcpy(ordered, words.word, words.count * sizeof ordered[0]);
    order_bits(call, ordered, words.count);
    bits.word = ordered;
    if (!draw_bits(&draw, &bits, words.first * 32, (uint64_t)words.count * 32)) {
        words_begin(call->object, 0);
        return nv4_draw_fault(call, &draw);
    }
    work_costs_beyond(call, draw.cost + WORK_START_BYTES, words.count);
    if (nv4_words_used(call)) {
        bits_tell(call, &draw, &bits);
        call_done(call, "text", nv4_draw_address(&draw, bits.x, bits.y), all * draw.format->bytes);
    }
    return ACTION_DONE;
}

/* ---- characters from memory ---- */

static bool valid_font(uint32_t font) {
    return font >> 28 >= 3 && font >> 28 <= 9;
}

static enum action_result set_font(struct call *call) {
    return nv4_refuse_unless(call, valid_font(call->data));
}

static bool read_character(const struct call *call, struct nv4_draw *draw, uint32_t font, uint32_t number,
                           uint32_t word[128]) {
    struct address_space space = call_space(call, call_value(call, DMA_FONTS));
    uint8_t bytes[512];
    uint32_t size = 1u << (font >> 28);
    uint64_t address = (font & 0x0fffffff) + (uint64_t)number * size;
    assert(valid_font(font) && size <= sizeof bytes);
    if (!memory_read(draw->memory, &space, address, bytes, size, &draw->fault))
        return false;
    for (uint32_t i = 0; i < size / 4; i++)
        word[i] = load_le32(bytes + 4 * (size_t)i);
    return true;
}

static void character_tell(const struct call *call, uint32_t font, uint32_t number) {
    const struct address_space space = call_space(call, call_value(call, DMA_FONTS));
    uint32_t size = 1u << (font >> 28);
    call_reads_bytes(call, "font", &space, (font & 0x0fffffff) + (uint64_t)number * size, size);
}

static enum action_result character(const struct call *call, uint32_t font_method, uint32_t number) {
    uint32_t font = call_value(call, font_method), point = nv4_gdi_words_of(call)[TEXT_POINT], word[128] = {0};
    struct nv4_draw draw;
    struct gdi_bits bits;
    if (!valid_font(font))
        return call_invalid_state(call, (uint16_t)font_method, font ? "not a font" : "never set");
    if (!open_bits(call, point, &draw, &bits))
        return ACTION_DONE;
    if (!read_character(call, &draw, font, number, word))
        return nv4_draw_fault(call, &draw);
    bits.word = word + 1;
    bits.width = bits.out_width = word[0] & 0xffff;
    bits.height = bits.out_height = word[0] >> 16;
    order_bits(call, word + 1, 127);
    if (!draw_bits(&draw, &bits, 0, (8u << (font >> 28)) - 32))
        return nv4_draw_fault(call, &draw);
    work_costs(call, draw.cost + WORK_START_BYTES);
    character_tell(call, font, number);
    bits_tell(call, &draw, &bits);
    call_done(call, "text", nv4_draw_address(&draw, bits.x, bits.y),
              (uint64_t)bits.width * bits.height * draw.format->bytes);
    return ACTION_DONE;
}

/* 12 bits with a sign. */
static uint32_t signed_12(uint32_t value) {
    return (value & 0x7ff) - (value & 0x800);
}

static enum action_result character_f(struct call *call) {
    nv4_gdi_set_word(call, TEXT_POINT, (signed_12(call->data >> 8) & 0xffff) | signed_12(call->data >> 20) << 16);
    return character(call, FONT_F, call->data & 0xff);
}

static enum action_result character_g(struct call *call) {
    return character(call, FONT_G, call->data & 0xffff);
}

/* clang-format off */
#define CHECKS(at, function) {.method = (at), .type = ACTION_EFFECT, .run = (function)}
#define SETS(at, function)   {.method = (at), .type = ACTION_INSIDE, .run = (function)}
#define CLIPS(at)            {.method = (at), .count = 2, .type = ACTION_INSIDE, .run = nv4_own_clip_corner}
#define POINTS(at, number, function)                                                                                   \
    {.method = (at), .count = (number), .stride = 8, .type = ACTION_INSIDE, .run = (function)}
#define DRAWS(at, number, step, function, slots)                                                                       \
    {.method = (at), .count = (number), .stride = (step), .type = ACTION_EFFECT, .run = (function), .argument = &(slots)}
#define DATA(at, slots)                                                                                                \
    {.method = (at), .count = 128, .type = ACTION_EFFECT, .run = nv4_gdi_data, .absorb = words_absorb,                 \
     .argument = &(slots)}

/* What A and B are, and E: from its clip rectangle on. */
#define COMMON_ACTIONS(slots, number, clip_b, clip_e, zeros)                                                           \
    NV4_FORMAT_AT(NV4_GDI_COLOR_FORMAT, slots), CHECKS(MONO_FORMAT, set_mono_format), SETS(NV4_GDI_COLOR1_A, set_solid),                         \
    POINTS(NV4_GDI_UNCLIPPED_RECTANGLE_POINT(0), number, set_point_a), DRAWS(NV4_GDI_UNCLIPPED_RECTANGLE_SIZE(0), number, 8, rectangle_a, slots),                                   \
    CLIPS(clip_b), SETS((clip_b) + 8, set_solid),                                                                      \
    POINTS((clip_b) + 0xc, number, set_point), DRAWS((clip_b) + 0x10, number, 8, rectangle_b, slots),                  \
    CLIPS(clip_e), zeros((clip_e) + 8), SETS((clip_e) + 0xc, set_ones), SETS((clip_e) + 0x18, begin_e),                \
    DATA((clip_e) + 0x1c, slots)
#define ZEROS(at)     SETS(at, set_zeros)
#define OLD_ZEROS(at) CHECKS(at, set_old_zeros)

/* C and D: from the clip rectangle on. */
#define BITS_C(at, slots)                                                                                              \
    CLIPS(at), SETS((at) + 8, set_ones), SETS((at) + 0x10, begin_c), DATA((at) + 0x14, slots)
#define BITS_D(at, slots)                                                                                              \
    CLIPS(at), SETS((at) + 8, set_ones), SETS((at) + 0x14, begin_d), DATA((at) + 0x18, slots)
/* clang-format on */

static const struct action actions[] = {NV4_BINDS(NV4_GDI_PATTERN, 5, slots),
                                        NV4_OPERATION_AT(NV4_GDI_OPERATION),
                                        COMMON_ACTIONS(slots, 32, NV4_GDI_CLIP_B_POINT0, NV4_GDI_CLIP_E_POINT0, ZEROS),
                                        BITS_C(NV4_GDI_CLIP_C_POINT0, slots),
                                        CHECKS(FONT_F, set_font),
                                        CLIPS(FONT_F + FONT_CLIP),
                                        SETS(FONT_F + FONT_COLOR, set_ones),
                                        DRAWS(NV4_GDI_CHARACTER_COLOR1_F(0), 256, 4, character_f, slots),
                                        CHECKS(FONT_G, set_font),
                                        CLIPS(FONT_G + FONT_CLIP),
                                        SETS(FONT_G + FONT_COLOR, set_ones),
                                        POINTS(NV4_GDI_CHARACTER_COLOR1_G_POINT(0), 256, set_text_point),
                                        DRAWS(NV4_GDI_CHARACTER_COLOR1_G_INDEX(0), 256, 8, character_g, slots),
                                        {0}};
static const struct action old_actions[] = {
    NV4_BINDS(NV3_GDI_PATTERN, 4, old_slots),
    NV4_OLD_OPERATION_AT(NV3_GDI_OPERATION),
    COMMON_ACTIONS(old_slots, 64, NV3_GDI_CLIP_POINT0_B, NV3_GDI_CLIP_E_POINT0, OLD_ZEROS),
    BITS_C(NV3_GDI_CLIP_C_POINT0, old_slots),
    BITS_D(NV3_GDI_CLIP_D_POINT0, old_slots),
    {0}};

NV4_STREAM_KIND(kind_nv4_gdi, "GDI", EXTRA, actions);
NV4_STREAM_KIND(kind_nv4_gdi3, "GDI of NV3", EXTRA, old_actions);
