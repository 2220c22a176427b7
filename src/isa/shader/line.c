/* SPDX-License-Identifier: MIT */
#include "isa/shader/line.h"

#include <assert.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

enum { TRUE_PREDICATE = 7 };

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

void isa_line_predicate(struct isa_line *line, unsigned number, bool negate) {
    assert(number <= TRUE_PREDICATE);
    if (number == TRUE_PREDICATE)
        isa_line_add(line, "%sPT", negate ? "!" : "");
    else
        isa_line_add(line, "%sP%u", negate ? "!" : "", number);
}
