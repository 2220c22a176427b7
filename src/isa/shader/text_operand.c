/* SPDX-License-Identifier: MIT */
/* Operands as text: registers, and sources that may be constants or immediates. The others are in text_value.c. */
#include "isa/shader/text_operand.h"

#include <inttypes.h>

/* Which source a register is, for ".reuse". */
enum operand_place { PLACE_A, PLACE_B, PLACE_C, PLACE_NONE };

/* ---- sources, with what is done to them ---- */

static void operand_say_part(const struct isa_saying *saying, const struct isa_say *say) {
    unsigned names = say->names;
    if (!names)
        return;
    /* of integers of 16 bits, a byte selector is that of a half */
    if (names == ISA_NAMES_BYTE && say->rule == SAY_B && isa_bits(saying->word, saying->texts->size, 2) == 1)
        names = ISA_NAMES_HALF_AT;
    operand_dot(saying->line, names, isa_bits(saying->word, say->c, say->width));
}

static bool operand_inverts(const struct isa_say *say) {
    return say->rule == SAY_FROM_NOT || say->rule == SAY_B_NOT;
}

static void operand_begin(const struct isa_saying *saying, const struct isa_say *say) {
    bool negative = !saying->plus_one && operand_bit(saying, say->a);
    const char *sign = operand_inverts(say) ? "~" : "-";
    isa_line_comma(saying->line);
    isa_line_add(saying->line, "%s%s", negative ? sign : "", operand_bit(saying, say->b) ? "|" : "");
}

static void operand_end(const struct isa_saying *saying, const struct isa_say *say) {
    operand_say_part(saying, say);
    isa_line_add(saying->line, "%s", operand_bit(saying, say->b) ? "|" : "");
}

static void operand_from(const struct isa_saying *saying, const struct isa_say *say, unsigned at,
                         enum operand_place place) {
    operand_begin(saying, say);
    isa_line_register(saying->line, operand_number(saying, at));
    operand_end(saying, say);
    if (place != PLACE_NONE && saying->reused >> place & 1)
        isa_line_add(saying->line, ".reuse");
}

static void operand_constant(const struct isa_saying *saying, const struct isa_say *say, struct isa_text_constant at) {
    uint64_t word = saying->word, bank = isa_bits(word, at.bank, at.bank_width);
    if (at.bank_top)
        bank |= isa_bits(word, at.bank_top, 1) << at.bank_width;
    operand_begin(saying, say);
    isa_line_add(saying->line, "c[0x%" PRIx64 "][0x%" PRIx64 "]", bank, 4 * isa_bits(word, at.word, 14));
    operand_end(saying, say);
}

/* Of conversions from floats the size says what an immediate is. */
static enum isa_form operand_form(const struct isa_saying *saying) {
    static const uint8_t forms[] = {FORM_INT, FORM_INT, FORM_SINGLE, FORM_DOUBLE};
    enum isa_form form = (enum isa_form)saying->row->form;
    return form == FORM_BY_SIZE ? (enum isa_form)forms[isa_bits(saying->word, saying->texts->size, 2)] : form;
}

/* The 20 bits of an immediate: of an integer the lower ones, of a float the upper ones. */
static void operand_immediate(const struct isa_saying *saying, const struct isa_say *say) {
    struct isa_line *line = saying->line;
    uint64_t bits = isa_bits(saying->word, saying->texts->b, 19) | isa_bits(saying->word, saying->texts->sign, 1) << 19;
    bool absolute = operand_bit(saying, say->b), negative = operand_bit(saying, say->a) && !saying->plus_one;
    bool inverts = operand_inverts(say);
    enum isa_form form = operand_form(saying);
    isa_line_comma(line);
    isa_line_add(line, "%s%s", negative && inverts ? "~" : "", absolute ? "|" : "");
    if (form == FORM_SINGLE)
        isa_say_single(line, (uint32_t)bits << 12);
    else if (form == FORM_DOUBLE)
        isa_say_double(line, bits << 44);
    else
        isa_line_number(line, operand_extended(bits, 20));
    operand_end(saying, say);
    isa_line_add(line, "%s", negative && !inverts ? ".NEG" : "");
}

uint64_t isa_form_bits(const struct isa_texts *texts, enum isa_form form, bool third) {
    const struct isa_text_constant *at = &texts->constant;
    const uint64_t number = (UINT64_C(1) << texts->registers) - 1, at_b = number << texts->b, at_c = number << texts->c;
    const uint64_t constant = UINT64_C(0x3fff) << at->word | ((UINT64_C(1) << at->bank_width) - 1) << at->bank |
                              (at->bank_top ? UINT64_C(1) << at->bank_top : 0);
    switch (form) {
    case FORM_CONSTANT:
        return third ? at_c : constant;
    case FORM_SWAPPED:
        return third ? constant : at_c;
    case FORM_INT:
    case FORM_SINGLE:
    case FORM_DOUBLE:
    case FORM_BY_SIZE:
        return third ? at_c : UINT64_C(0x7ffff) << texts->b | UINT64_C(1) << texts->sign;
    default:
        return third ? at_c : at_b;
    }
}

static void operand_second(const struct isa_saying *saying, const struct isa_say *say) {
    const struct isa_texts *texts = saying->texts;
    switch ((enum isa_form)saying->row->form) {
    case FORM_CONSTANT:
        operand_constant(saying, say, texts->constant);
        break;
    case FORM_INT:
    case FORM_SINGLE:
    case FORM_DOUBLE:
    case FORM_BY_SIZE:
        operand_immediate(saying, say);
        break;
    default:
        operand_from(saying, say, saying->row->form == FORM_SWAPPED ? texts->c : texts->b, say->at ? PLACE_C : PLACE_B);
    }
}

static void operand_third(const struct isa_saying *saying, const struct isa_say *say) {
    if (saying->row->form == FORM_SWAPPED)
        operand_constant(saying, say, saying->texts->constant);
    else
        operand_from(saying, say, saying->texts->c, PLACE_C);
}

static enum operand_place operand_place_of(const struct isa_texts *texts, unsigned at) {
    return at == texts->a ? PLACE_A : at == texts->b ? PLACE_B : at == texts->c ? PLACE_C : PLACE_NONE;
}

static void operand_to(const struct isa_saying *saying, const struct isa_say *say) {
    isa_line_comma(saying->line);
    isa_line_register(saying->line, operand_number(saying, say->at));
    operand_say_part(saying, say);
    isa_line_add(saying->line, "%s", operand_bit(saying, say->a) ? ".CC" : "");
}

/* A register after another: RZ stays. */
static void operand_next(const struct isa_saying *saying, const struct isa_say *say) {
    unsigned number = operand_number(saying, say->at), step = operand_bit(saying, say->a) ? 2 : 1;
    isa_line_comma(saying->line);
    isa_line_register(saying->line, number == IR_ZERO ? IR_ZERO : (number + step) & 0xff);
}

static void operand_or(const struct isa_saying *saying, const struct isa_say *say) {
    isa_line_comma(saying->line);
    if (operand_bit(saying, say->a))
        isa_line_number(saying->line, (int64_t)isa_bits(saying->word, say->b, say->width));
    else
        isa_line_register(saying->line, operand_number(saying, say->at));
}

static void operand_count(const struct isa_saying *saying, const struct isa_say *say) {
    bool is_number = operand_bit(saying, say->a);
    uint64_t number = isa_bits(saying->word, say->at, say->width);
    if (is_number && !number)
        return;
    isa_line_comma(saying->line);
    if (is_number)
        isa_line_number(saying->line, (int64_t)number);
    else
        isa_line_register(saying->line, operand_number(saying, say->at));
}

/* Of instructions of 4 bytes: 0 a register, else a word of one of three banks. */
static void operand_short(const struct isa_saying *saying, const struct isa_say *say) {
    static const uint8_t banks[] = {0, 0, 1, 16};
    unsigned which = (unsigned)isa_bits(saying->word, say->b, 2);
    isa_line_comma(saying->line);
    isa_line_add(saying->line, "%s", operand_bit(saying, say->a) ? "-" : "");
    if (which)
        isa_line_add(saying->line, "c[0x%x][0x%" PRIx64 "]", banks[which], 4 * isa_bits(saying->word, say->at, 6));
    else
        isa_line_register(saying->line, operand_number(saying, say->at));
}

static bool operand_is_zero(const struct isa_saying *saying, const struct isa_say *say) {
    return operand_number(saying, say->at) == IR_ZERO;
}

void isa_say_operand(struct isa_saying *saying, const struct isa_say *say) {
    switch ((enum isa_say_rule)say->rule) {
    case SAY_TO:
    case SAY_TO_UNLESS:
        if (say->rule == SAY_TO || !operand_is_zero(saying, say))
            operand_to(saying, say);
        break;
    case SAY_FROM:
    case SAY_FROM_NOT:
    case SAY_FROM_UNLESS:
        if (say->rule != SAY_FROM_UNLESS || !operand_is_zero(saying, say))
            operand_from(saying, say, say->at, operand_place_of(saying->texts, say->at));
        break;
    case SAY_NEXT:
        operand_next(saying, say);
        break;
    case SAY_OR:
        operand_or(saying, say);
        break;
    case SAY_COUNT:
        operand_count(saying, say);
        break;
    case SAY_SHORT:
        operand_short(saying, say);
        break;
    case SAY_B:
    case SAY_B_NOT:
        operand_second(saying, say);
        break;
    case SAY_C:
        operand_third(saying, say);
        break;
    case SAY_CONSTANT:
        operand_constant(saying, say, (struct isa_text_constant){say->at, (uint8_t)(say->at + 14), 5, 0});
        break;
    case SAY_PD:
    case SAY_P:
        isa_say_predicate(saying, say, false);
        break;
    case SAY_PD_UNLESS:
    case SAY_P_UNLESS:
    case SAY_P_NOT:
        isa_say_predicate(saying, say, true);
        break;
    default:
        isa_say_value(saying, say);
    }
}
