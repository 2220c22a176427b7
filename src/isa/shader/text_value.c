/* SPDX-License-Identifier: MIT */
/* Operands as text: numbers, names, predicates, memory and targets. */
#include "isa/shader/text_operand.h"

#include <inttypes.h>

/* ---- numbers ---- */

static void value_unsigned(const struct isa_saying *saying, const struct isa_say *say) {
    isa_line_comma(saying->line);
    isa_line_add(saying->line, "%s0x%" PRIx64 "%s", operand_bit(saying, say->a) ? "~" : "",
                 operand_value(saying, say) << say->c, operand_bit(saying, say->b) && !saying->plus_one ? ".NEG" : "");
}

/* A field in two parts. */
static uint64_t value_joined(const struct isa_saying *saying, const struct isa_say *say, unsigned at, unsigned width) {
    uint64_t upper = width ? isa_bits(saying->word, at, width) : 0;
    return operand_value(saying, say) | upper << say->width;
}

static void value_signed(const struct isa_saying *saying, const struct isa_say *say) {
    isa_line_comma(saying->line);
    isa_line_number(saying->line, operand_extended(value_joined(saying, say, say->a, say->b), say->width + say->b));
    isa_line_add(saying->line, "%s", operand_bit(saying, say->c) && !saying->plus_one ? ".NEG" : "");
}

static void value_unless(const struct isa_saying *saying, const struct isa_say *say) {
    uint64_t value = operand_value(saying, say);
    if (value == say->a && !operand_bit(saying, say->b))
        return;
    const char *name = say->names ? isa_name(say->names, 0) : NULL;
    isa_line_comma(saying->line);
    if (name)
        isa_line_add(saying->line, "%s%" PRIu64, name, value);
    else
        isa_line_number(saying->line, (int64_t)value);
}

static void value_float(const struct isa_saying *saying, const struct isa_say *say) {
    bool absolute = operand_bit(saying, say->b);
    isa_line_comma(saying->line);
    isa_line_add(saying->line, "%s", absolute ? "|" : "");
    isa_say_single(saying->line, (uint32_t)isa_bits(saying->word, say->at, 32));
    isa_line_add(saying->line, "%s%s", absolute ? "|" : "", operand_bit(saying, say->a) ? ".NEG" : "");
}

static void value_halves(const struct isa_saying *saying, const struct isa_say *say) {
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
static void value_signs(const struct isa_saying *saying, const struct isa_say *say) {
    static const char *const signs[] = {"PP", "NP", "PN", "ZP"};
    isa_line_comma(saying->line);
    for (unsigned lane = 0; lane < 4; lane++)
        isa_line_add(saying->line, "%s", signs[isa_bits(saying->word, say->at + 6 - 2 * lane, 2)]);
}

static void value_barriers(const struct isa_saying *saying, const struct isa_say *say) {
    uint64_t set = operand_value(saying, say);
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

static void value_name(const struct isa_saying *saying, unsigned table, uint64_t value) {
    const char *name = isa_name(table, value);
    isa_line_comma(saying->line);
    if (name)
        isa_line_add(saying->line, "%s", name);
    else
        isa_line_add(saying->line, "?%" PRIu64, value);
}

/* ---- predicates, places ---- */

void isa_say_predicate(const struct isa_saying *saying, const struct isa_say *say, bool leaves_out) {
    unsigned number = (unsigned)isa_bits(saying->word, say->at, say->width);
    bool negate = operand_bit(saying, say->a);
    if (say->b)
        number |= (unsigned)isa_bits(saying->word, say->b, 1) << say->width;
    if (say->rule == SAY_P_NOT)
        number ^= IR_TRUE;
    if (leaves_out && number == IR_TRUE && !negate)
        return;
    isa_line_comma(saying->line);
    isa_line_predicate(saying->line, number, negate);
}

static void value_test(const struct isa_saying *saying, const struct isa_say *say) {
    uint64_t test = isa_bits(saying->word, say->at, 5);
    if (test == 15)
        return;
    isa_line_comma(saying->line);
    isa_line_add(saying->line, "CC.%s", isa_name(ISA_NAMES_TEST, test));
}

/* "[R0+0x10]"; the register alone without an offset, the offset alone without a register. */
static void value_place(const struct isa_saying *saying, unsigned number, int64_t offset) {
    isa_line_add(saying->line, "[");
    if (number != IR_ZERO || !offset)
        isa_line_register(saying->line, number);
    if (number != IR_ZERO && offset)
        isa_line_add(saying->line, "+");
    if (offset)
        isa_line_number(saying->line, offset);
    isa_line_add(saying->line, "]");
}

static void value_address(const struct isa_saying *saying, const struct isa_say *say) {
    unsigned number = operand_number(saying, saying->texts->a), width = say->width + say->names;
    uint64_t bits = value_joined(saying, say, say->c, say->names);
    int64_t offset = !width || (say->b && number == IR_ZERO) ? (int64_t)bits : operand_extended(bits, width);
    isa_line_comma(saying->line);
    value_place(saying, number, offset * (INT64_C(1) << say->a));
}

/* Of two loads in one. */
static void value_loaded(const struct isa_saying *saying, const struct isa_say *say) {
    struct gf100_pair pair = gf100_text_pair((unsigned)isa_bits(saying->word, 53, 5));
    int64_t offset = operand_extended(value_joined(saying, say, say->c, say->names), say->width + say->names);
    isa_line_comma(saying->line);
    value_place(saying, operand_number(saying, say->a),
                offset * (INT64_C(1) << (say->b ? pair.uniform_size : pair.size)));
}

static void value_attribute(const struct isa_saying *saying, const struct isa_say *say) {
    unsigned number = say->b ? IR_ZERO : operand_number(saying, saying->texts->a);
    uint64_t offset = value_joined(saying, say, say->c, say->names) << say->a;
    isa_line_comma(saying->line);
    isa_line_add(saying->line, "a");
    if (number == IR_ZERO)
        isa_line_add(saying->line, "[0x%" PRIx64 "]", offset);
    else
        value_place(saying, number, (int64_t)offset);
}

static void value_indexed(const struct isa_saying *saying, const struct isa_say *say) {
    unsigned number = say->b ? IR_ZERO : operand_number(saying, saying->texts->a);
    unsigned width = say->width + say->names, scale = say->names ? 4 : 1; /* what is in two parts is of words */
    uint64_t bits = value_joined(saying, say, say->c, say->names);
    isa_line_comma(saying->line);
    isa_line_add(saying->line, "c[0x%" PRIx64 "]", isa_bits(saying->word, say->a, saying->texts->bank_width));
    if (number == IR_ZERO)
        isa_line_add(saying->line, "[0x%" PRIx64 "]", bits * scale);
    else
        value_place(saying, number, operand_extended(bits, width) * (int64_t)scale);
}

static void value_target(const struct isa_saying *saying, const struct isa_say *say) {
    uint64_t bits = operand_value(saying, say);
    if (say->rule == SAY_RELATIVE) /* may wrap: the address is whatever the caller says */
        bits = saying->address + (say->b ? say->b : 8u) + ((uint64_t)operand_extended(bits, say->width) << say->a);
    isa_line_comma(saying->line);
    isa_line_number(saying->line, (int64_t)bits);
}

static void value_distance(const struct isa_saying *saying, const struct isa_say *say) {
    int64_t distance = operand_extended(operand_value(saying, say), say->width);
    if (!distance)
        return;
    isa_line_add(saying->line, " ");
    isa_line_number(saying->line, distance);
}

/* Numbers and names; memory and targets are in isa_say_value(). */
static void value_other(const struct isa_saying *saying, const struct isa_say *say) {
    uint64_t value = operand_value(saying, say);
    switch ((enum isa_say_rule)say->rule) {
    case SAY_UNSIGNED:
        value_unsigned(saying, say);
        break;
    case SAY_SIGNED:
        value_signed(saying, say);
        break;
    case SAY_UNLESS:
        value_unless(saying, say);
        break;
    case SAY_FLOAT:
        value_float(saying, say);
        break;
    case SAY_HALVES:
        value_halves(saying, say);
        break;
    case SAY_SIGNS:
        value_signs(saying, say);
        break;
    case SAY_BARRIERS:
        value_barriers(saying, say);
        break;
    case SAY_NAME:
        value_name(saying, say->names, value);
        break;
    case SAY_NAME_BY:
        value_name(saying, operand_number(saying, say->a) == IR_ZERO ? say->names : say->names + 1u, value);
        break;
    default: /* SAY_SPECIAL */
        value_name(saying, ISA_NAMES_SPECIAL, value);
    }
}

/* Where memory is, and where a program goes on. */
void isa_say_value(const struct isa_saying *saying, const struct isa_say *say) {
    switch ((enum isa_say_rule)say->rule) {
    case SAY_TEST:
        value_test(saying, say);
        break;
    case SAY_ADDRESS:
        value_address(saying, say);
        break;
    case SAY_ATTRIBUTE:
        value_attribute(saying, say);
        break;
    case SAY_LOADED:
        value_loaded(saying, say);
        break;
    case SAY_INDEXED:
        value_indexed(saying, say);
        break;
    case SAY_DISTANCE:
        value_distance(saying, say);
        break;
    case SAY_RELATIVE:
    case SAY_ABSOLUTE:
        value_target(saying, say);
        break;
    default:
        value_other(saying, say);
    }
}
