/* SPDX-License-Identifier: MIT */
/* What is wrong with lines: the first error is the result, and all of them, up to a number, are told. */
#include "decode/assemble.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

enum { TEXT = sizeof((struct pfifo_error *)NULL)->message };

/* Of a line that a macro made, where the macro was used, and the line in the macro. */
static struct pfifo_assemble_message assemble_report_place(const struct assemble_report *report, unsigned line,
                                                           size_t column, char text[TEXT]) {
    const struct assemble_origin *from =
        report->origins && line && line <= report->lines ? &report->origins[line - 1] : NULL;
    struct pfifo_assemble_message message = {.line = from ? from->line : line, .column = (uint32_t)column};
    char why[TEXT];

    if (from && from->name) {
        snprintf(why, sizeof why, "%s", text);
        snprintf(text, TEXT, "in macro '%.*s', line %u: %.180s", from->name_bytes < 40 ? (int)from->name_bytes : 40,
                 from->name, from->inner, why);
        message.column = 1;
    }
    message.text = text;
    return message;
}

enum pfifo_status assemble_error(const struct assembler *assembler, unsigned line, size_t column, const char *format,
                                 ...) {
    struct assemble_report *report = assembler->report;
    struct pfifo_assemble_message message;
    char text[TEXT];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    message = assemble_report_place(report, line, column, text);
    if (report->errors++ == 0)
        pfifo_error_set(report->error, PFIFO_ERROR_ARGUMENT, "line %u, column %u: %s", (unsigned)message.line,
                        (unsigned)message.column, text);
    if (report->told)
        report->told(report->opaque, &message);
    return PFIFO_ERROR_ARGUMENT;
}

void assemble_warn(const struct assembler *assembler, unsigned line, size_t column, const char *format, ...) {
    struct assemble_report *report = assembler->report;
    struct pfifo_assemble_message message;
    char text[TEXT];
    va_list arguments;

    if (report->warnings++ >= PFIFO_ASSEMBLE_MESSAGES)
        return;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    message = assemble_report_place(report, line, column, text);
    message.warning = true;
    if (report->told)
        report->told(report->opaque, &message);
}

enum pfifo_status assemble_no_memory(const struct assembler *assembler, const char *what) {
    return pfifo_error_set(assembler->report->error, PFIFO_ERROR_MEMORY, "line %u: no memory for a %s", assembler->line,
                           what);
}

/* The token, if there is one, as it can be shown: without control characters, and not all of a long one. */
static const char *shown_token(const struct assembler *assembler, char shown[64]) {
    size_t bytes = 0;

    if (!assembler->token[0])
        return "";
    shown[bytes++] = ' ';
    shown[bytes++] = '\'';
    for (const char *at = assembler->token; *at && bytes < 62; at++)
        shown[bytes++] = (unsigned char)*at < ' ' || *at == 127 ? '?' : *at;
    shown[bytes++] = '\'';
    shown[bytes] = 0;
    return shown;
}

enum pfifo_status assemble_wrong(const struct assembler *assembler, const char *what) {
    char shown[64];

    return assemble_error(assembler, assembler->line, assembler->column, "%s%s", what, shown_token(assembler, shown));
}

/* What is written there already is not what was meant. */
enum pfifo_status assemble_wrong_name(const struct assembler *assembler, const char *what,
                                      const struct pfifo_nearest *nearest) {
    char shown[64];

    if (!nearest->name[0] || strcasecmp(nearest->name, nearest->wanted) == 0)
        return assemble_wrong(assembler, what);
    return assemble_error(assembler, assembler->line, assembler->column, "%.80s%s; did you mean '%s'?", what,
                          shown_token(assembler, shown), nearest->name);
}
