/* SPDX-License-Identifier: MIT */
/* A line of text that an instruction becomes. */
#ifndef PFIFO_SRC_ISA_SHADER_LINE_H
#define PFIFO_SRC_ISA_SHADER_LINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct isa_line {
    char *text;
    size_t room, length;
    bool first; /* the next operand is the first */
};

/* A line in memory that has room for one character at least. */
struct isa_line isa_line_begin(char *text, size_t room);
/* What is too long is cut off. */
void isa_line_add(struct isa_line *line, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* A modifier; one without a name is the ordinary case, and not said. */
void isa_line_dot(struct isa_line *line, const char *name);
/* Before an operand. */
void isa_line_comma(struct isa_line *line);
/* "-0x10", "0x10" */
void isa_line_number(struct isa_line *line, int64_t number);
/* "R0", "RZ" */
void isa_line_register(struct isa_line *line, unsigned number);
/* Of IMADSP, ".S24.U16H0.S32": numbers of 3, 2 and 2 bits; the third source has the sign of the product. */
void isa_line_parts(struct isa_line *line, unsigned a, unsigned b, unsigned c);
/* "P0", "!PT"; IR_TRUE is PT. */
void isa_line_predicate(struct isa_line *line, unsigned number, bool negate);

#endif
