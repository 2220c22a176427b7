/* SPDX-License-Identifier: MIT */
#include "isa/shader/line.h"

#include "isa/shader/ir.h"

#include <assert.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

struct isa_line isa_line_begin(char *text, size_t room) {
    assert(room);
    text[0] = 0;
    return (struct isa_line){text, room, 0, true};
}

void isa_line_add(struct isa_line *line, const char *format, ...) {
    va_list list;
    if (line->length + 1 >= line->room)
        return;
    va_start(list, format);
    /* The analyzer sees va_start only in the first file of a batch. */
    char *at = line->text + line->length;
    int length =
        vsnprintf(at, line->room - line->length, format, list); /* NOLINT(clang-analyzer-valist.Uninitialized) */
    va_end(list);
    if (length > 0)
        line->length += (size_t)length;
    if (line->length >= line->room)
        line->length = line->room - 1;
    assert(!line->text[line->length]);
}

void isa_line_dot(struct isa_line *line, const char *name) {
    if (name && *name)
        isa_line_add(line, ".%s", name);
}

void isa_line_comma(struct isa_line *line) {
    isa_line_add(line, line->first ? " " : ", ");
    line->first = false;
}

void isa_line_number(struct isa_line *line, int64_t number) {
    if (number < 0)
        isa_line_add(line, "-0x%" PRIx64, (uint64_t)0 - (uint64_t)number);
    else
        isa_line_add(line, "0x%" PRIx64, (uint64_t)number);
}

void isa_line_register(struct isa_line *line, unsigned number) {
    assert(number <= IR_ZERO);
    if (number == IR_ZERO)
        isa_line_add(line, "RZ");
    else
        isa_line_add(line, "R%u", number);
}

void isa_line_parts(struct isa_line *line, unsigned a, unsigned b, unsigned c) {
    static const char *const parts[] = {"32", "24", "16H0", "16H1"};
    isa_line_add(line, ".%c%s", a & 1 ? 'S' : 'U', parts[a >> 1 & 3]);
    isa_line_add(line, ".%c%s", b & 1 ? 'S' : 'U', parts[b & 2 ? 1 : 2]);
    isa_line_add(line, ".%c%s", (a | b) & 1 ? 'S' : 'U', parts[c & 3]);
}

void isa_line_predicate(struct isa_line *line, unsigned number, bool negate) {
    assert(number <= IR_TRUE);
    if (number == IR_TRUE)
        isa_line_add(line, "%sPT", negate ? "!" : "");
    else
        isa_line_add(line, "%sP%u", negate ? "!" : "", number);
}
