/* SPDX-License-Identifier: MIT */
/* A word as text: the row, its modifiers, and what no row says. The operands are in text_operand.c and text_value.c. */
#include "isa/shader/text_operand.h"

#include <inttypes.h>

const struct isa_text_row *isa_text_row(const struct isa_texts *texts, uint64_t word) {
    for (size_t i = 0; i < texts->count; i++)
        if ((word & texts->rows[i].mask) == texts->rows[i].value)
            return &texts->rows[i];
    return NULL;
}

/* ---- which bits ---- */

static uint64_t text_mask(unsigned at, unsigned width) {
    return width ? (UINT64_MAX >> (64 - width)) << at : 0;
}

static uint64_t text_bit(unsigned at) {
    return at ? UINT64_C(1) << at : 0;
}

static uint64_t text_part_bits(const struct isa_say *say) {
    return text_mask(say->c, say->names ? say->width : 0);
}

static uint64_t text_say_bits(const struct isa_texts *texts, const struct isa_text_row *row, const struct isa_say *say,
                              uint64_t word) {
    switch ((enum isa_say_rule)say->rule) {
    case SAY_DOT:
        return text_mask(say->at, say->width) | text_mask(say->a, say->b);
    case SAY_PLUS_ONE:
    case SAY_KINDS: /* the bits of the parts are said by the sources */
        return text_bit(say->at) | text_bit(say->a) | text_bit(say->b);
    case SAY_PARTS:
        return text_mask(48, 3) | text_mask(53, 2) | text_mask(51, 2);
    case SAY_TO:
    case SAY_TO_UNLESS:
        return text_mask(say->at, 8) | text_bit(say->a) | text_part_bits(say);
    case SAY_FROM:
    case SAY_FROM_UNLESS:
    case SAY_FROM_NOT:
        return text_mask(say->at, 8) | text_bit(say->a) | text_bit(say->b) | text_part_bits(say);
    case SAY_NEXT:
        return text_mask(say->at, 8) | text_bit(say->a);
    case SAY_COUNT:
        return text_bit(say->a) | text_mask(say->at, word >> say->a & 1 ? say->width : 8);
    case SAY_OR:
        return text_bit(say->a) | (word >> say->a & 1 ? text_mask(say->b, say->width) : text_mask(say->at, 8));
    case SAY_B:
    case SAY_B_NOT:
    case SAY_C:
        return isa_form_bits(texts, (enum isa_form)row->form, say->rule == SAY_C) | text_bit(say->a) |
               text_bit(say->b) | text_part_bits(say);
    case SAY_CONSTANT:
        return text_mask(say->at, 19) | text_bit(say->a) | text_bit(say->b) | text_part_bits(say);
    case SAY_HALVES:
        return say->a ? text_mask(20, 10) | text_mask(30, 9) | text_bit(56) : text_mask(say->at, say->width);
    case SAY_P:
    case SAY_P_UNLESS:
        return text_mask(say->at, 3) | text_bit(say->a);
    case SAY_UNSIGNED:
    case SAY_FLOAT:
        return text_mask(say->at, say->width) | text_bit(say->a) | text_bit(say->b);
    case SAY_ADDRESS:
    case SAY_ATTRIBUTE:
        return text_mask(say->at, say->width) | text_mask(texts->a, 8);
    case SAY_INDEXED:
        return text_mask(say->at, say->width) | text_mask(say->a, 5) | (say->b ? 0 : text_mask(texts->a, 8));
    default:
        return text_mask(say->at, say->width);
    }
}

uint64_t isa_text_bits(const struct isa_texts *texts, const struct isa_text_row *row, uint64_t word, bool ignored) {
    uint64_t bits = ignored ? 0 : row->mask | text_mask(texts->guard, 4);
    for (const struct isa_say *say = row->say; say->rule; say++)
        if (!ignored || say->rule == SAY_IGNORED)
            bits |= text_say_bits(texts, row, say, word);
    return bits;
}

/* ---- modifiers ---- */

static void say_dot(struct isa_saying *saying, const struct isa_say *say) {
    uint64_t value = operand_value(saying, say);
    if (say->b)
        value |= isa_bits(saying->word, say->a, say->b) << say->width;
    operand_dot(saying->line, say->names, value);
}

static void say_plus_one(struct isa_saying *saying, const struct isa_say *say) {
    saying->plus_one = isa_bits(saying->word, say->at, 1) && isa_bits(saying->word, say->a, 1);
    isa_line_dot(saying->line, saying->plus_one ? "PO" : "");
}

/* A source of video is a word, a half or a byte; that without a register is a half. */
static const char *kind_of(unsigned select, bool is_signed) {
    static const char *const kinds[][2] = {{"U8", "S8"}, {"U16", "S16"}, {"U32", "S32"}, {"U?", "S?"}};
    return kinds[select < 4 ? 0 : select < 6 ? 1 : select == 6 ? 2 : 3][is_signed];
}

static void say_kinds(struct isa_saying *saying, const struct isa_say *say) {
    bool signed_a = isa_bits(saying->word, say->at, 1), signed_b = say->a && isa_bits(saying->word, say->a, 1);
    bool is_register = isa_bits(saying->word, say->b, 1);
    unsigned a = (unsigned)isa_bits(saying->word, 36, 3), b = is_register ? (unsigned)isa_bits(saying->word, 28, 3) : 4;
    bool usual = signed_a && signed_b && a == 6 && (b == 6 || !is_register);
    if (!usual)
        isa_line_add(saying->line, ".%s.%s", kind_of(a, signed_a), kind_of(b, signed_b));
}

static void say_parts(const struct isa_saying *saying) {
    uint64_t word = saying->word;
    isa_line_parts(saying->line, (unsigned)isa_bits(word, 48, 3), (unsigned)isa_bits(word, 53, 2),
                   (unsigned)isa_bits(word, 51, 2));
}

/* ---- the instruction ---- */

static void say_one(struct isa_saying *saying, const struct isa_say *say) {
    switch ((enum isa_say_rule)say->rule) {
    case SAY_DOT:
        say_dot(saying, say);
        break;
    case SAY_PLUS_ONE:
        say_plus_one(saying, say);
        break;
    case SAY_KINDS:
        say_kinds(saying, say);
        break;
    case SAY_PARTS:
        say_parts(saying);
        break;
    case SAY_TEXTURE:
        isa_line_dot(saying->line, saying->reused & 1 ? "T" : "");
        isa_line_dot(saying->line, saying->reused & 2 ? "P" : "");
        saying->reused = 0;
        break;
    case SAY_IGNORED:
        break;
    default:
        isa_say_operand(saying, say);
    }
}

/* A predicate that a row ignores guards nothing. */
static void say_guard(const struct isa_saying *saying, uint64_t ignored) {
    unsigned at = saying->texts->guard;
    unsigned guard = (unsigned)isa_bits(saying->word, at, 4);
    if (guard == 7 || ignored >> at & 1)
        return;
    isa_line_add(saying->line, "@");
    isa_line_predicate(saying->line, guard & 7, guard >> 3);
    isa_line_add(saying->line, " ");
}

static size_t say_word(const struct isa_texts *texts, const struct isa_text_row *row, uint64_t word, uint64_t address,
                       unsigned reused, struct isa_line *line) {
    struct isa_saying saying = {line, texts, row, word, address, reused, false};
    uint64_t rest = word & ~isa_text_bits(texts, row, word, false);
    say_guard(&saying, isa_text_bits(texts, row, word, true));
    isa_line_add(line, "%s", row->name);
    for (const struct isa_say *say = row->say; say->rule; say++)
        say_one(&saying, say);
    if (rest)
        isa_line_add(line, " {+0x%" PRIx64 "}", rest);
    return line->length;
}

size_t isa_text(const struct isa *isa, const uint8_t *code, size_t bytes, uint64_t address, uint64_t control,
                char *text, size_t room) {
    uint64_t word = isa_word(code, bytes);
    const struct isa_text_row *row = isa->texts ? isa_text_row(isa->texts, word) : NULL;
    if (!row || !room)
        return 0;
    struct isa_line line = isa_line_begin(text, room);
    unsigned reused = isa->texts->reused ? isa->texts->reused(control, address) : 0;
    return say_word(isa->texts, row, word, address, reused, &line);
}

size_t isa_text_control(const struct isa *isa, const uint8_t *code, size_t bytes, char *text, size_t room) {
    if (!room)
        return 0;
    struct isa_line line = isa_line_begin(text, room);
    isa_line_add(&line, "schedule");
    if (isa->texts && isa->texts->control)
        isa->texts->control(&line, isa_word(code, bytes));
    return line.length;
}
