/* SPDX-License-Identifier: MIT */
/* A word as text: the row, its modifiers, and what no row says. The operands are in text_operand.c and text_value.c. */
#include "isa/shader/text_operand.h"

#include <inttypes.h>

const struct isa_texts *isa_texts_of(const struct isa_texts *texts, uint64_t word) {
    return texts->halves && word & 8 ? texts->halves : texts;
}

const struct isa_text_row *isa_text_row(const struct isa_texts *texts, uint64_t word) {
    for (const struct isa_text_table *table = texts->tables; table < texts->tables + ISA_TEXT_TABLES; table++)
        for (size_t i = 0; i < table->count; i++)
            if ((word & table->rows[i].mask) == table->rows[i].value)
                return &table->rows[i];
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

/* Of a place: its offset, and the upper bits of that. */
static uint64_t text_offset_bits(const struct isa_say *say) {
    return text_mask(say->at, say->width) | text_mask(say->c, say->names);
}

static uint64_t text_say_bits(const struct isa_texts *texts, const struct isa_text_row *row, const struct isa_say *say,
                              uint64_t word) {
    const unsigned number = texts->registers;
    switch ((enum isa_say_rule)say->rule) {
    case SAY_DOT:
        return text_mask(say->at, say->width) | text_mask(say->a, say->b);
    case SAY_PLUS_ONE:
    case SAY_KINDS: /* the bits of the parts are said by the sources */
        return text_bit(say->at) | text_bit(say->a) | text_bit(say->b);
    case SAY_PARTS:
        return text_mask(say->at, 3) | text_mask(say->a, 2) | text_mask(say->b, 2);
    case SAY_SIGNED:
        return text_mask(say->at, say->width) | text_mask(say->a, say->b) | text_bit(say->c);
    case SAY_PD:
        return text_mask(say->at, say->width) | text_bit(say->b);
    case SAY_SHORT:
        return text_mask(say->at, number) | text_bit(say->a) | text_mask(say->b, 2);
    case SAY_TO:
    case SAY_TO_UNLESS:
        return text_mask(say->at, number) | text_bit(say->a) | text_part_bits(say);
    case SAY_FROM:
    case SAY_FROM_UNLESS:
    case SAY_FROM_NOT:
        return text_mask(say->at, number) | text_bit(say->a) | text_bit(say->b) | text_part_bits(say);
    case SAY_NEXT:
        return text_mask(say->at, number) | text_bit(say->a);
    case SAY_COUNT:
        return text_bit(say->a) | text_mask(say->at, word >> say->a & 1 ? say->width : number);
    case SAY_OR:
        return text_bit(say->a) | (word >> say->a & 1 ? text_mask(say->b, say->width) : text_mask(say->at, number));
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
        return text_offset_bits(say) | text_mask(texts->a, number);
    case SAY_ATTRIBUTE:
        return text_offset_bits(say) | (say->b ? 0 : text_mask(texts->a, number));
    case SAY_INDEXED:
        return text_offset_bits(say) | text_mask(say->a, texts->bank_width) |
               (say->b ? 0 : text_mask(texts->a, number));
    case SAY_LOADED:
        return text_offset_bits(say) | text_mask(say->a, number);
    default:
        return text_mask(say->at, say->width);
    }
}

static bool text_is_guarded(const struct isa_text_row *row) {
    for (const struct isa_say *say = row->say; say->rule; say++)
        if (say->rule == SAY_UNGUARDED)
            return false;
    return true;
}

uint64_t isa_text_bits(const struct isa_texts *texts, const struct isa_text_row *row, uint64_t word, bool ignored) {
    uint64_t bits = ignored ? 0 : row->mask | (text_is_guarded(row) ? text_mask(texts->guard, 4) : 0);
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
    unsigned a = (unsigned)isa_bits(saying->word, saying->texts->kind_a, 3);
    unsigned b = is_register ? (unsigned)isa_bits(saying->word, saying->texts->kind_b, 3) : 4;
    bool usual = signed_a && signed_b && a == 6 && (b == 6 || !is_register);
    if (!usual)
        isa_line_add(saying->line, ".%s.%s", kind_of(a, signed_a), kind_of(b, signed_b));
}

static void say_parts(const struct isa_saying *saying, const struct isa_say *say) {
    uint64_t word = saying->word;
    isa_line_parts(saying->line, (unsigned)isa_bits(word, say->at, 3), (unsigned)isa_bits(word, say->a, 2),
                   (unsigned)isa_bits(word, say->b, 2));
}

static void say_pair(const struct isa_saying *saying, const struct isa_say *say) {
    struct gf100_pair pair = gf100_text_pair((unsigned)operand_value(saying, say));
    isa_line_dot(saying->line, isa_name(ISA_NAMES_SIZE_PAIR, pair.type));
    isa_line_dot(saying->line, isa_name(ISA_NAMES_SIZE_PAIR, pair.uniform));
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
        say_parts(saying, say);
        break;
    case SAY_PAIR:
        say_pair(saying, say);
        break;
    case SAY_TEXTURE:
        isa_line_dot(saying->line, saying->reused & 1 ? "T" : "");
        isa_line_dot(saying->line, saying->reused & 2 ? "P" : "");
        saying->reused = 0;
        break;
    case SAY_IGNORED:
    case SAY_UNGUARDED:
        break;
    default:
        isa_say_operand(saying, say);
    }
}

/* A predicate that a row ignores guards nothing. */
static void say_guard(const struct isa_saying *saying, uint64_t ignored) {
    unsigned at = saying->texts->guard;
    unsigned guard = (unsigned)isa_bits(saying->word, at, 4);
    if (guard == 7 || ignored >> at & 1 || !text_is_guarded(saying->row))
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
    const struct isa_texts *texts = isa_texts_of(isa->texts, word);
    if (texts != isa->texts)
        word = (uint32_t)word;
    const struct isa_text_row *row = isa_text_row(texts, word);
    if (!row || !room)
        return 0;
    struct isa_line line = isa_line_begin(text, room);
    unsigned reused = texts->reused ? texts->reused(control, address) : 0;
    return say_word(texts, row, word, address, reused, &line);
}

size_t isa_text_control(const struct isa *isa, const uint8_t *code, size_t bytes, char *text, size_t room) {
    if (!room)
        return 0;
    struct isa_line line = isa_line_begin(text, room);
    isa_line_add(&line, "schedule");
    if (isa->texts->control)
        isa->texts->control(&line, isa_word(code, bytes));
    return line.length;
}
