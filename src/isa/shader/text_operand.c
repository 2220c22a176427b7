/* SPDX-License-Identifier: MIT */
/* Operands as text. */
#include "isa/shader/text.h"

#include "isa/shader/fields.h"

#include <inttypes.h>

enum { RZ = 255, PT = 7 };

/* Which source a register is, for ".reuse". */
enum operand_place { PLACE_A, PLACE_B, PLACE_C, PLACE_NONE };

static bool operand_bit(const struct isa_saying *saying, unsigned at) {
    return at && isa_bits(saying->word, at, 1);
}

static void operand_register(struct isa_line *line, unsigned number) {
    if (number == RZ)
        isa_line_add(line, "RZ");
    else
        isa_line_add(line, "R%u", number);
}

static unsigned operand_number(const struct isa_saying *saying, unsigned at) {
    return (unsigned)isa_bits(saying->word, at, 8);
}

/* ---- sources, with what is done to them ---- */

static uint64_t operand_part(const struct isa_saying *saying, const struct isa_say *say) {
    return say->names ? isa_bits(saying->word, say->c, say->width) : 0;
}

static void operand_say_part(const struct isa_saying *saying, const struct isa_say *say) {
    unsigned names = say->names;
    /* of integers of 16 bits, a byte selector is that of a half */
    if (names == ISA_NAMES_BYTE && say->rule == SAY_B && isa_bits(saying->word, saying->texts->size, 2) == 1)
        names = ISA_NAMES_HALF_AT;
    uint64_t value = operand_part(saying, say);
    const char *name = names ? isa_name(names, value) : "";
    if (name)
        isa_line_dot(saying->line, name);
    else
        isa_line_add(saying->line, ".?%" PRIu64, value);
}

static void operand_begin(const struct isa_saying *saying, const struct isa_say *say) {
    isa_line_comma(saying->line);
    isa_line_add(saying->line, "%s%s", !saying->plus_one && operand_bit(saying, say->a) ? "-" : "",
                 operand_bit(saying, say->b) ? "|" : "");
}

static void operand_end(const struct isa_saying *saying, const struct isa_say *say) {
    operand_say_part(saying, say);
    isa_line_add(saying->line, "%s", operand_bit(saying, say->b) ? "|" : "");
}

static void operand_reuse(const struct isa_saying *saying, enum operand_place place) {
    if (place != PLACE_NONE && saying->reused >> place & 1)
        isa_line_add(saying->line, ".reuse");
}

static void operand_from(const struct isa_saying *saying, const struct isa_say *say, unsigned at,
                         enum operand_place place) {
    operand_begin(saying, say);
    operand_register(saying->line, operand_number(saying, at));
    operand_end(saying, say);
    operand_reuse(saying, place);
}

static void operand_from_not(const struct isa_saying *saying, const struct isa_say *say, unsigned at,
                             enum operand_place place) {
    isa_line_comma(saying->line);
    isa_line_add(saying->line, "%s", operand_bit(saying, say->a) ? "~" : "");
    operand_register(saying->line, operand_number(saying, at));
    operand_reuse(saying, place);
}

static void operand_bank(const struct isa_saying *saying, unsigned at) {
    isa_line_add(saying->line, "c[0x%" PRIx64 "][0x%" PRIx64 "]", isa_bits(saying->word, at + 14, 5),
                 4 * isa_bits(saying->word, at, 14));
}

static void operand_constant(const struct isa_saying *saying, const struct isa_say *say, unsigned at) {
    operand_begin(saying, say);
    operand_bank(saying, at);
    operand_end(saying, say);
}

static int64_t operand_extended(uint64_t value, unsigned width) {
    uint64_t sign = UINT64_C(1) << (width - 1);
    return (int64_t)((value ^ sign) - sign);
}

/* The 20 bits of an immediate: of an integer the lower ones, of a float the upper ones. */
static void operand_immediate(const struct isa_saying *saying, const struct isa_say *say, bool inverts) {
    struct isa_line *line = saying->line;
    uint64_t bits =
        isa_bits(saying->word, saying->texts->immediate, 19) | isa_bits(saying->word, saying->texts->sign, 1) << 19;
    bool absolute = operand_bit(saying, say->b), negative = operand_bit(saying, say->a) && !saying->plus_one;
    isa_line_comma(line);
    isa_line_add(line, "%s%s", negative && inverts ? "~" : "", absolute ? "|" : "");
    if (saying->row->form == FORM_SINGLE)
        isa_say_single(line, (uint32_t)bits << 12);
    else if (saying->row->form == FORM_DOUBLE)
        isa_say_double(line, bits << 44);
    else
        isa_line_number(line, operand_extended(bits, 20));
    operand_end(saying, say);
    isa_line_add(line, "%s", negative && !inverts ? ".NEG" : "");
}

uint64_t isa_form_bits(const struct isa_texts *texts, enum isa_form form, bool third) {
    const uint64_t at_b = UINT64_C(0xff) << texts->b, at_c = UINT64_C(0xff) << texts->c;
    const uint64_t constant = UINT64_C(0x7ffff) << texts->constant;
    switch (form) {
    case FORM_CONSTANT:
        return third ? at_c : constant;
    case FORM_SWAPPED:
        return third ? constant : at_c;
    case FORM_INT:
    case FORM_SINGLE:
    case FORM_DOUBLE:
        return third ? at_c : UINT64_C(0x7ffff) << texts->immediate | UINT64_C(1) << texts->sign;
    default:
        return third ? at_c : at_b;
    }
}

static void operand_second(const struct isa_saying *saying, const struct isa_say *say) {
    bool inverts = say->rule == SAY_B_NOT;
    unsigned at = saying->row->form == FORM_SWAPPED ? saying->texts->c : saying->texts->b;
    switch ((enum isa_form)saying->row->form) {
    case FORM_CONSTANT:
        if (!inverts) {
            operand_constant(saying, say, saying->texts->constant);
            break;
        }
        isa_line_comma(saying->line);
        isa_line_add(saying->line, "%s", operand_bit(saying, say->a) ? "~" : "");
        operand_bank(saying, saying->texts->constant);
        break;
    case FORM_INT:
    case FORM_SINGLE:
    case FORM_DOUBLE:
        operand_immediate(saying, say, inverts);
        break;
    default:
        (inverts ? operand_from_not : operand_from)(saying, say, at, say->at ? PLACE_C : PLACE_B);
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
    operand_register(saying->line, operand_number(saying, say->at));
    operand_say_part(saying, say);
    isa_line_add(saying->line, "%s", operand_bit(saying, say->a) ? ".CC" : "");
}

/* A register after another: RZ stays. */
static void operand_next(const struct isa_saying *saying, const struct isa_say *say) {
    unsigned number = operand_number(saying, say->at), step = operand_bit(saying, say->a) ? 2 : 1;
    isa_line_comma(saying->line);
    operand_register(saying->line, number == RZ ? RZ : (number + step) & 0xff);
}

static void operand_or(const struct isa_saying *saying, const struct isa_say *say) {
    isa_line_comma(saying->line);
    if (operand_bit(saying, say->a))
        isa_line_number(saying->line, (int64_t)isa_bits(saying->word, say->b, say->width));
    else
        operand_register(saying->line, operand_number(saying, say->at));
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
        operand_register(saying->line, operand_number(saying, say->at));
}

/* ---- numbers ---- */

static void operand_unsigned(const struct isa_saying *saying, const struct isa_say *say) {
    isa_line_comma(saying->line);
    isa_line_add(saying->line, "%s0x%" PRIx64 "%s", operand_bit(saying, say->a) ? "~" : "",
                 isa_bits(saying->word, say->at, say->width),
                 operand_bit(saying, say->b) && !saying->plus_one ? ".NEG" : "");
}

static void operand_unless(const struct isa_saying *saying, const struct isa_say *say) {
    uint64_t value = isa_bits(saying->word, say->at, say->width);
    if (value == say->a && !operand_bit(saying, say->b))
        return;
    const char *name = say->names ? isa_name(say->names, 0) : NULL;
    isa_line_comma(saying->line);
    if (name)
        isa_line_add(saying->line, "%s%" PRIu64, name, value);
    else
        isa_line_number(saying->line, (int64_t)value);
}

static void operand_float(const struct isa_saying *saying, const struct isa_say *say) {
    bool absolute = operand_bit(saying, say->b);
    isa_line_comma(saying->line);
    isa_line_add(saying->line, "%s", absolute ? "|" : "");
    isa_say_single(saying->line, (uint32_t)isa_bits(saying->word, say->at, 32));
    isa_line_add(saying->line, "%s%s", absolute ? "|" : "", operand_bit(saying, say->a) ? ".NEG" : "");
}

static void operand_halves(const struct isa_saying *saying, const struct isa_say *say) {
    uint64_t word = saying->word;
    uint32_t high, low;
    if (say->a) {
        high = (uint32_t)(isa_bits(word, 56, 1) << 15 | isa_bits(word, 30, 9) << 6);
        low = (uint32_t)(isa_bits(word, 29, 1) << 15 | isa_bits(word, 20, 9) << 6);
    } else {
        high = (uint32_t)isa_bits(word, say->at + 16u, 16);
        low = (uint32_t)isa_bits(word, say->at, 16);
    }
    isa_line_comma(saying->line);
    isa_say_half(saying->line, high);
    isa_line_comma(saying->line);
    isa_say_half(saying->line, low);
}

/* The upper bits are of the first lane. */
static void operand_signs(const struct isa_saying *saying, const struct isa_say *say) {
    static const char *const signs[] = {"PP", "NP", "PN", "ZP"};
    isa_line_comma(saying->line);
    for (unsigned lane = 0; lane < 4; lane++)
        isa_line_add(saying->line, "%s", signs[isa_bits(saying->word, say->at + 6 - 2 * lane, 2)]);
}

static void operand_barriers(const struct isa_saying *saying, const struct isa_say *say) {
    uint64_t set = isa_bits(saying->word, say->at, say->width);
    if (!set)
        return;
    isa_line_comma(saying->line);
    const char *before = "{";
    for (unsigned i = say->width; i-- > 0;)
        if (set >> i & 1) {
            isa_line_add(saying->line, "%s%u", before, i);
            before = ",";
        }
    isa_line_add(saying->line, "}");
}

static void operand_name(const struct isa_saying *saying, unsigned table, uint64_t value) {
    const char *name = isa_name(table, value);
    isa_line_comma(saying->line);
    if (name)
        isa_line_add(saying->line, "%s", name);
    else
        isa_line_add(saying->line, "?%" PRIu64, value);
}

/* ---- predicates, places ---- */

static void operand_predicate(const struct isa_saying *saying, const struct isa_say *say, bool leaves_out) {
    unsigned number = (unsigned)isa_bits(saying->word, say->at, 3);
    bool negate = operand_bit(saying, say->a);
    if (say->rule == SAY_P_NOT)
        number ^= PT;
    if (leaves_out && number == PT && !negate)
        return;
    isa_line_comma(saying->line);
    isa_line_predicate(saying->line, number, negate);
}

static void operand_test(const struct isa_saying *saying, const struct isa_say *say) {
    uint64_t test = isa_bits(saying->word, say->at, 5);
    if (test == 15)
        return;
    isa_line_comma(saying->line);
    isa_line_add(saying->line, "CC.%s", isa_name(ISA_NAMES_TEST, test));
}

/* "[R0+0x10]"; the register alone without an offset, the offset alone without a register. */
static void operand_place(const struct isa_saying *saying, unsigned number, int64_t offset) {
    isa_line_add(saying->line, "[");
    if (number != RZ || !offset)
        operand_register(saying->line, number);
    if (number != RZ && offset)
        isa_line_add(saying->line, "+");
    if (offset)
        isa_line_number(saying->line, offset);
    isa_line_add(saying->line, "]");
}

static void operand_address(const struct isa_saying *saying, const struct isa_say *say) {
    unsigned number = operand_number(saying, saying->texts->a);
    uint64_t bits = say->width ? isa_bits(saying->word, say->at, say->width) : 0;
    int64_t offset = !say->width || (say->b && number == RZ) ? (int64_t)bits : operand_extended(bits, say->width);
    isa_line_comma(saying->line);
    operand_place(saying, number, offset * (INT64_C(1) << say->a));
}

static void operand_attribute(const struct isa_saying *saying, const struct isa_say *say) {
    unsigned number = operand_number(saying, saying->texts->a);
    uint64_t offset = isa_bits(saying->word, say->at, say->width);
    isa_line_comma(saying->line);
    isa_line_add(saying->line, "a");
    if (number == RZ)
        isa_line_add(saying->line, "[0x%" PRIx64 "]", offset);
    else
        operand_place(saying, number, (int64_t)offset);
}

static void operand_indexed(const struct isa_saying *saying, const struct isa_say *say) {
    unsigned number = say->b ? RZ : operand_number(saying, saying->texts->a);
    uint64_t bits = isa_bits(saying->word, say->at, say->width);
    isa_line_comma(saying->line);
    isa_line_add(saying->line, "c[0x%" PRIx64 "]", isa_bits(saying->word, say->a, 5));
    if (number == RZ)
        isa_line_add(saying->line, "[0x%" PRIx64 "]", bits);
    else
        operand_place(saying, number, operand_extended(bits, say->width));
}

static void operand_target(const struct isa_saying *saying, const struct isa_say *say) {
    uint64_t bits = isa_bits(saying->word, say->at, say->width);
    int64_t from = say->rule == SAY_RELATIVE ? (int64_t)(saying->address + 8) : 0;
    isa_line_comma(saying->line);
    isa_line_number(saying->line,
                    say->rule == SAY_RELATIVE ? from + operand_extended(bits, say->width) : (int64_t)bits);
}

static void operand_distance(const struct isa_saying *saying, const struct isa_say *say) {
    int64_t distance = operand_extended(isa_bits(saying->word, say->at, say->width), say->width);
    if (!distance)
        return;
    isa_line_add(saying->line, " ");
    isa_line_number(saying->line, distance);
}

static bool operand_is_zero(const struct isa_saying *saying, const struct isa_say *say) {
    return operand_number(saying, say->at) == RZ;
}

/* Numbers and names; registers and predicates are in isa_say_operand(). */
static void operand_other(const struct isa_saying *saying, const struct isa_say *say) {
    uint64_t value = say->width && say->rule != SAY_OR ? isa_bits(saying->word, say->at, say->width) : 0;
    switch ((enum isa_say_rule)say->rule) {
    case SAY_UNSIGNED:
        operand_unsigned(saying, say);
        break;
    case SAY_SIGNED:
        isa_line_comma(saying->line);
        isa_line_number(saying->line, operand_extended(value, say->width));
        break;
    case SAY_UNLESS:
        operand_unless(saying, say);
        break;
    case SAY_FLOAT:
        operand_float(saying, say);
        break;
    case SAY_HALVES:
        operand_halves(saying, say);
        break;
    case SAY_SIGNS:
        operand_signs(saying, say);
        break;
    case SAY_BARRIERS:
        operand_barriers(saying, say);
        break;
    case SAY_NAME:
        operand_name(saying, say->names, value);
        break;
    case SAY_NAME_BY:
        operand_name(saying, operand_number(saying, say->a) == RZ ? say->names : say->names + 1u, value);
        break;
    default: /* SAY_SPECIAL */
        operand_name(saying, ISA_NAMES_SPECIAL, value);
    }
}

/* Where memory is, and where a program goes on. */
static void operand_somewhere(const struct isa_saying *saying, const struct isa_say *say) {
    switch ((enum isa_say_rule)say->rule) {
    case SAY_TEST:
        operand_test(saying, say);
        break;
    case SAY_ADDRESS:
        operand_address(saying, say);
        break;
    case SAY_ATTRIBUTE:
        operand_attribute(saying, say);
        break;
    case SAY_INDEXED:
        operand_indexed(saying, say);
        break;
    case SAY_DISTANCE:
        operand_distance(saying, say);
        break;
    case SAY_RELATIVE:
    case SAY_ABSOLUTE:
        operand_target(saying, say);
        break;
    default:
        operand_other(saying, say);
    }
}

void isa_say_operand(struct isa_saying *saying, const struct isa_say *say) {
    switch ((enum isa_say_rule)say->rule) {
    case SAY_TO:
    case SAY_TO_UNLESS:
        if (say->rule == SAY_TO || !operand_is_zero(saying, say))
            operand_to(saying, say);
        break;
    case SAY_FROM:
    case SAY_FROM_UNLESS:
        if (say->rule == SAY_FROM || !operand_is_zero(saying, say))
            operand_from(saying, say, say->at, operand_place_of(saying->texts, say->at));
        break;
    case SAY_FROM_NOT:
        operand_from_not(saying, say, say->at, operand_place_of(saying->texts, say->at));
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
    case SAY_B:
    case SAY_B_NOT:
        operand_second(saying, say);
        break;
    case SAY_C:
        operand_third(saying, say);
        break;
    case SAY_CONSTANT:
        operand_constant(saying, say, say->at);
        break;
    case SAY_PD:
    case SAY_P:
        operand_predicate(saying, say, false);
        break;
    case SAY_PD_UNLESS:
    case SAY_P_UNLESS:
    case SAY_P_NOT:
        operand_predicate(saying, say, true);
        break;
    default:
        operand_somewhere(saying, say);
    }
}
