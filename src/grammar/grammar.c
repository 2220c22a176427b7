/* SPDX-License-Identifier: MIT */
#include "grammar/grammar.h"

#include <assert.h>
#include <string.h>

#define COUNT_OF(a) (sizeof(a) / sizeof((a)[0]))

const struct grammar_layout grammar_layouts[LAYOUT_COUNT] = {
    [LAYOUT_NV4_METHODS] = {.count_shift = NV4_COUNT_SHIFT,
                            .count_bits = NV4_COUNT_BITS,
                            .subchannel_shift = GRAMMAR_SUBCHANNEL_SHIFT,
                            .method_shift = NV4_METHOD_SHIFT,
                            .method_bits = NV4_METHOD_BITS},
    [LAYOUT_NV4_OLD_JUMP] = {.target_mask = 0x1ffffffc},
    [LAYOUT_NV1A_JUMP] = {.target_mask = 0xfffffffc},
    [LAYOUT_NV40_MASK] = {.data_shift = 4, .data_bits = 12},
    [LAYOUT_G80_LONG] = {.subchannel_shift = 13, .method_shift = 2, .method_bits = 11},
    [LAYOUT_GF100_METHODS] = {.count_shift = GF100_COUNT_SHIFT,
                              .count_bits = GF100_COUNT_BITS,
                              .subchannel_shift = GRAMMAR_SUBCHANNEL_SHIFT,
                              .method_shift = GF100_METHOD_SHIFT,
                              .method_bits = GF100_METHOD_BITS},
    [LAYOUT_GF100_IMMEDIATE] = {.subchannel_shift = GRAMMAR_SUBCHANNEL_SHIFT,
                                .method_shift = GF100_METHOD_SHIFT,
                                .method_bits = GF100_METHOD_BITS,
                                .data_shift = GF100_COUNT_SHIFT,
                                .data_bits = GF100_COUNT_BITS},
};

/* The braces of rows that several grammars share, in the published order of the tests. */
#define OLD_JUMP        0xe0000003, 0x20000000, FORM_OLD_JUMP, LAYOUT_NV4_OLD_JUMP
#define JUMP            0x00000003, 0x00000001, FORM_JUMP, LAYOUT_NV1A_JUMP
#define CALL            0x00000003, 0x00000002, FORM_CALL, LAYOUT_NV1A_JUMP
#define RETURN          0xffffffff, 0x00020000, FORM_RETURN, LAYOUT_NONE
#define INCREASING      0xe0030003, 0x00000000, FORM_INCREASING, LAYOUT_NV4_METHODS
#define NONINCREASING   0xe0030003, NV4_NONINCREASING, FORM_NONINCREASING, LAYOUT_NV4_METHODS
#define SLI_CONDITIONAL 0xffff0003, 0x00010000, FORM_SLI_CONDITIONAL, LAYOUT_NV40_MASK

static const struct grammar_row nv4_rows[] = {{OLD_JUMP, 0}, {INCREASING, 0}};

static const struct grammar_row nv10_rows[] = {{OLD_JUMP, 0}, {INCREASING, 0}, {NONINCREASING, 0}};

static const struct grammar_row nv1a_rows[] = {
    {OLD_JUMP, 0}, {JUMP, 0}, {CALL, 0}, {RETURN, 0}, {INCREASING, 0}, {NONINCREASING, 0},
};

static const struct grammar_row nv40_rows[] = {
    {OLD_JUMP, 0},
    {JUMP, 0},
    {CALL, 0},
    {RETURN, 0},
    {INCREASING, 0},
    {NONINCREASING, 0},
    {SLI_CONDITIONAL, GRAMMAR_SLI},
};

static const struct grammar_row g80_rows[] = {
    {OLD_JUMP, GRAMMAR_DMA},
    {JUMP, GRAMMAR_DMA},
    {CALL, GRAMMAR_DMA},
    {RETURN, GRAMMAR_DMA},
    {INCREASING, 0},
    {NONINCREASING, 0},
    {0xffff0003, 0x00030000, FORM_LONG_NONINCREASING, LAYOUT_G80_LONG, GRAMMAR_IB},
    {SLI_CONDITIONAL, GRAMMAR_SLI},
};

/*
 * On GF100 and later [31:29] alone decides, except in group 0, where [31:16] is the opcode of the subdevice masks. Bit
 * 12 and, in the old forms and the masks, the bits below the fields are ignored. Groups 6 and 2 with [17:16] != 0 have
 * no row: they are errors. GV100 has all but the last two rows. UNKNOWN: whether [28:18] must be 0 in group 0 with
 * [17:16] != 0. cl906f.h gives the opcodes as [31:16]; chosen: that. envytools ignores these bits, but asks for a
 * check.
 */
static const struct grammar_row gf100_rows[] = {
    {0xffffffff, 0x00000000, FORM_NOP, LAYOUT_NONE, 0},
    {0xe0000000, GF100_INCREASING, FORM_INCREASING, LAYOUT_GF100_METHODS, 0},
    {0xe0000000, GF100_NONINCREASING, FORM_NONINCREASING, LAYOUT_GF100_METHODS, 0},
    {0xe0000000, GF100_IMMEDIATE, FORM_IMMEDIATE, LAYOUT_GF100_IMMEDIATE, 0},
    {0xe0000000, 0xa0000000, FORM_INCREASE_ONCE, LAYOUT_GF100_METHODS, 0},
    {0xe0000000, 0xe0000000, FORM_END_SEGMENT, LAYOUT_NONE, 0},
    {0xffff0000, 0x00010000, FORM_SET_SUBDEVICE, LAYOUT_NV40_MASK, 0},
    {0xffff0000, 0x00020000, FORM_STORE_SUBDEVICE, LAYOUT_NV40_MASK, 0},
    {0xffff0000, 0x00030000, FORM_USE_SUBDEVICE, LAYOUT_NONE, 0},
    {0xe0030000, 0x00000000, FORM_INCREASING, LAYOUT_NV4_METHODS, GRAMMAR_OLD},
    {0xe0030000, NV4_NONINCREASING, FORM_NONINCREASING, LAYOUT_NV4_METHODS, GRAMMAR_OLD},
};

const struct grammar grammar_nv4 = {"nv4", nv4_rows, COUNT_OF(nv4_rows), 11, false};
const struct grammar grammar_nv10 = {"nv10", nv10_rows, COUNT_OF(nv10_rows), 11, false};
const struct grammar grammar_nv1a = {"nv1a", nv1a_rows, COUNT_OF(nv1a_rows), 11, false};
const struct grammar grammar_nv40 = {"nv40", nv40_rows, COUNT_OF(nv40_rows), 11, false};
const struct grammar grammar_g80 = {"g80", g80_rows, COUNT_OF(g80_rows), 11, false};
const struct grammar grammar_gf100 = {"gf100", gf100_rows, COUNT_OF(gf100_rows), 12, true};
const struct grammar grammar_gv100 = {"gv100", gf100_rows, COUNT_OF(gf100_rows) - 2, 12, true};

static bool row_counts(const struct grammar_row *row, unsigned mode) {
    return (row->when & mode) == row->when;
}

static uint32_t field_mask(unsigned bits) {
    assert(bits < 32);
    return (UINT32_C(1) << bits) - 1;
}

static uint32_t field_get(uint32_t word, unsigned shift, unsigned bits) {
    return word >> shift & field_mask(bits);
}

static void grammar_unpack(const struct grammar_row *row, uint32_t word, struct grammar_word *out) {
    const struct grammar_layout *layout = &grammar_layouts[row->layout];

    *out = (struct grammar_word){
        .form = (enum grammar_form)row->form,
        .method = (uint16_t)(field_get(word, layout->method_shift, layout->method_bits) * 4),
        .count = field_get(word, layout->count_shift, layout->count_bits),
        .target = word & layout->target_mask,
        .data = field_get(word, layout->data_shift, layout->data_bits),
    };
    if (layout->method_bits)
        out->subchannel = (uint8_t)field_get(word, layout->subchannel_shift, 3);
}

enum grammar_form grammar_decode(const struct grammar *grammar, unsigned mode, uint32_t word,
                                 struct grammar_word *out) {
    for (size_t i = 0; i < grammar->count; i++) {
        const struct grammar_row *row = &grammar->rows[i];
        if ((word & row->mask) == row->match && row_counts(row, mode)) {
            grammar_unpack(row, word, out);
            return out->form;
        }
    }
    *out = (struct grammar_word){.form = FORM_INVALID};
    return FORM_INVALID;
}

/* A field that the layout does not have is an error, so that nothing is lost. */
static bool grammar_pack(const struct grammar_row *row, const struct grammar_word *in, uint32_t *word) {
    const struct grammar_layout *layout = &grammar_layouts[row->layout];
    uint32_t method = in->method / 4u;

    if (in->method % 4u || method > field_mask(layout->method_bits) || in->count > field_mask(layout->count_bits) ||
        in->data > field_mask(layout->data_bits) || (in->target & ~layout->target_mask) ||
        in->subchannel > (layout->method_bits ? 7 : 0))
        return false;
    *word = row->match | method << layout->method_shift | in->count << layout->count_shift |
            in->data << layout->data_shift | (uint32_t)in->subchannel << layout->subchannel_shift | in->target;
    return true;
}

bool grammar_encode(const struct grammar *grammar, unsigned mode, const struct grammar_word *in, uint32_t *word) {
    for (size_t i = 0; i < grammar->count; i++) {
        const struct grammar_row *row = &grammar->rows[i];
        if (row->form == in->form && row_counts(row, mode) && grammar_pack(row, in, word))
            return true;
    }
    return false;
}

bool grammar_encode_any(const struct grammar *grammar, const struct grammar_word *in, uint32_t *word) {
    return grammar_encode(grammar, GRAMMAR_IB | GRAMMAR_SLI | GRAMMAR_OLD, in, word) ||
           grammar_encode(grammar, GRAMMAR_DMA | GRAMMAR_SLI | GRAMMAR_OLD, in, word);
}

static const char *const form_names[FORM_COUNT] = {
    [FORM_INVALID] = "invalid",
    [FORM_NOP] = "nop",
    [FORM_INCREASING] = "increasing",
    [FORM_NONINCREASING] = "non-increasing",
    [FORM_INCREASE_ONCE] = "increase-once",
    [FORM_LONG_NONINCREASING] = "long-non-increasing",
    [FORM_IMMEDIATE] = "immediate",
    [FORM_OLD_JUMP] = "old-jump",
    [FORM_JUMP] = "jump",
    [FORM_CALL] = "call",
    [FORM_RETURN] = "return",
    [FORM_SLI_CONDITIONAL] = "sli-conditional",
    [FORM_SET_SUBDEVICE] = "set-subdevice-mask",
    [FORM_STORE_SUBDEVICE] = "store-subdevice-mask",
    [FORM_USE_SUBDEVICE] = "use-subdevice-mask",
    [FORM_END_SEGMENT] = "end-segment",
};

const char *grammar_form_name(enum grammar_form form) {
    assert((unsigned)form < FORM_COUNT);
    return form_names[form];
}

enum grammar_form grammar_form_by_name(const char *name) {
    unsigned form = 0;

    while (form < FORM_COUNT && strcmp(form_names[form], name) != 0)
        form++;
    return (enum grammar_form)form;
}

uint32_t grammar_method_of(const struct grammar *grammar, enum grammar_form form, uint32_t method, uint32_t index) {
    if (form == FORM_INCREASING)
        method += 4 * index;
    else if (form == FORM_INCREASE_ONCE && index)
        method += 4;
    return method & ((4u << grammar->method_bits) - 1);
}

#define KEY_MASK 0xe0030003u

/* The key decides only if the first row that can match a word with this key matches all such words. */
static uint8_t index_row(const struct grammar *grammar, unsigned mode, uint32_t word) {
    for (size_t i = 0; i < grammar->count; i++) {
        const struct grammar_row *row = &grammar->rows[i];
        uint32_t known = row->mask & KEY_MASK;

        if (row_counts(row, mode) && (word & known) == (row->match & known))
            return known == row->mask ? (uint8_t)i : GRAMMAR_SLOW;
    }
    return GRAMMAR_SLOW;
}

void grammar_make_index(const struct grammar *grammar, unsigned mode, struct grammar_index *index) {
    assert(grammar->count < GRAMMAR_SLOW);
    for (unsigned key = 0; key < COUNT_OF(index->row); key++)
        index->row[key] = index_row(grammar, mode, grammar_key_word(key));
}
