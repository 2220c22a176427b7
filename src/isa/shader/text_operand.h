/* SPDX-License-Identifier: MIT */
/* Shared by the files of operands. */
#ifndef PFIFO_SRC_ISA_SHADER_TEXT_OPERAND_H
#define PFIFO_SRC_ISA_SHADER_TEXT_OPERAND_H

#include "isa/shader/text.h"

#include "isa/shader/fields.h"

#include <inttypes.h>

static inline bool operand_bit(const struct isa_saying *saying, unsigned at) {
    return at && isa_bits(saying->word, at, 1);
}

/* The field of a rule. 0: the rule has none. */
static inline uint64_t operand_value(const struct isa_saying *saying, const struct isa_say *say) {
    return say->width ? isa_bits(saying->word, say->at, say->width) : 0;
}

/* The number of a register, IR_ZERO for RZ. */
static inline unsigned operand_number(const struct isa_saying *saying, unsigned at) {
    unsigned width = saying->texts->registers, number = (unsigned)isa_bits(saying->word, at, width);
    return number == (1u << width) - 1 ? (unsigned)IR_ZERO : number;
}

static inline int64_t operand_extended(uint64_t value, unsigned width) {
    uint64_t sign = UINT64_C(1) << (width - 1);
    return (int64_t)((value ^ sign) - sign);
}

/* ".NAME" of a value, ".?5" of one without a name. */
static inline void operand_dot(struct isa_line *line, unsigned table, uint64_t value) {
    const char *name = isa_name(table, value);
    if (name)
        isa_line_dot(line, name);
    else
        isa_line_add(line, ".?%" PRIu64, value);
}

/* ---- text_value.c ---- */

/* `leaves_out`: PT is not said. */
void isa_say_predicate(const struct isa_saying *saying, const struct isa_say *say, bool leaves_out);
/* Numbers, names, memory and targets. */
void isa_say_value(const struct isa_saying *saying, const struct isa_say *say);

#endif
