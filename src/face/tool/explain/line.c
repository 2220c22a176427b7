/* SPDX-License-Identifier: MIT */
/*
 * A line of a log that has no form which is known (log/): names of errors in brackets, and a method of a class with its
 * data, as in "... [INVALID_BITFIELD] ... class 9097 mthd 19d0 data 0000003c". Everything else, such as the program's
 * name, says nothing.
 */
#include <pfifo/error_code.h>

#include "face/tool/explain/line.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { PBDMA_CLASS = 0x906f, HOST_METHODS = 0x100 };

static const char name_letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789";
static const char blanks[] = " \t\r\n,";

bool explain_is_line(const char *text) {
    return strpbrk(text, " \t\n") != NULL;
}

static bool is_error(const char *name) {
    struct pfifo_error_code code;

    for (size_t i = 0; pfifo_error_code_at(i, &code); i++)
        if (strcmp(code.name, name) == 0)
            return true;
    return false;
}

/* Is it the name of a place where errors are numbers? */
static bool has_numbers(const char *name) {
    struct pfifo_error_code code;

    for (size_t i = 0; pfifo_error_code_at(i, &code); i++)
        if (!code.is_bit && strcmp(code.where, name) == 0)
            return true;
    return false;
}

/*
 * "DATA_ERROR 0000000c [INVALID_BITFIELD]": the name says where the number is, and the number which error it is; what is
 * in brackets after it is only the number's name. Gives what comes after that.
 */
static const char *note_number(struct line *line, const char *at) {
    enum { DIGITS = 8 };
    const size_t last = line->errors - 1;

    if (!has_numbers(line->error[last]) || strspn(at, "0123456789abcdef") != DIGITS || !strchr(blanks, at[DIGITS]))
        return at;
    snprintf(line->number[last], sizeof line->number[last], "0x%.8s", at);
    at += DIGITS;
    at += strspn(at, blanks);
    return at[0] == '[' ? at + strcspn(at, blanks) : at;
}

/* A word without what is around its name: "[PBENTRY]", "TRAP:". */
static bool note_error(struct line *line, const char *word, size_t bytes) {
    char name[EXPLAIN_BYTES];
    size_t first = word[0] == '[', length;

    length = strspn(word + first, name_letters);
    if (!length || length >= sizeof name || first + length > bytes || line->errors == LINE_ERRORS)
        return false;
    memcpy(name, word + first, length);
    name[length] = 0;
    for (size_t i = 0; i < line->errors; i++)
        if (strcmp(line->error[i], name) == 0)
            return false;
    if (!is_error(name))
        return false;
    memcpy(line->error[line->errors++], name, length + 1);
    return true;
}

bool line_read_number(const char *at, uint32_t *number) {
    char *end;
    size_t digits = strspn(at, "0123456789abcdefABCDEFx");
    unsigned long long value = strtoull(at, &end, 16);

    if (!digits || end != at + digits || value > UINT32_MAX)
        return false;
    *number = (uint32_t)value;
    return true;
}

/* The last ones count: a program may be called anything, and its name comes before them. */
static void explain_line_read(struct line *line, const char *text) {
    for (const char *at = text + strspn(text, blanks); *at; at += strspn(at, blanks)) {
        size_t bytes = strcspn(at, blanks);
        const char *next = at + bytes + strspn(at + bytes, blanks), *end = at + bytes;
        if (bytes == 5 && memcmp(at, "class", 5) == 0)
            line->has_class = line_read_number(next, &line->class_id);
        else if (bytes == 4 && memcmp(at, "mthd", 4) == 0)
            line->has_method = line_read_number(next, &line->method);
        else if (bytes == 4 && memcmp(at, "data", 4) == 0)
            line->has_data = line_read_number(next, &line->data);
        else if (note_error(line, at, bytes))
            end = note_number(line, next);
        line->is_graph = line->is_graph || (bytes == 3 && memcmp(at, "gr:", 3) == 0);
        line->is_pbdma = line->is_pbdma || strncmp(at, "PBDMA", 5) == 0;
        at = end;
    }
}

static void explain_no_method(struct explain *explain, const struct pfifo_class *class, const struct line *line) {
    explain_begin(explain, "method", "class 0x%04" PRIx32 " %s has no method 0x%04" PRIx32, class->id, class->name,
                  line->method);
    if (line->has_data)
        explain_number(explain, "data", "0x%08" PRIx64, line->data);
    explain_end(explain);
}

/* The channel's own methods have no class in the line. */
static const struct pfifo_class *explain_line_class_of(const struct explain *explain, const struct line *line) {
    if (line->has_class)
        return pfifo_class_find(line->class_id);
    if (!line->has_method || line->method >= HOST_METHODS || !line->is_pbdma)
        return NULL;
    return pfifo_class_find(explain->chip ? pfifo_chip_info(explain->chip).host_class : PBDMA_CLASS);
}

static void explain_command(struct explain *explain, const struct line *line) {
    const struct pfifo_class *class = explain_line_class_of(explain, line);
    struct explain_thing thing = {.parts = 2};
    struct pfifo_method_name method;
    char value[16];

    if (!class)
        return;
    if (!line->has_method) {
        explain_class(explain, class);
        return;
    }
    if (!pfifo_method_find(class->id, line->method, &method)) {
        explain_no_method(explain, class, line);
        return;
    }
    snprintf(thing.part[0], sizeof thing.part[0], "%04" PRIx32, class->id);
    snprintf(thing.part[1], sizeof thing.part[1], "0x%04" PRIx32, line->method);
    snprintf(thing.whole, sizeof thing.whole, "%.8s.%.10s", thing.part[0], thing.part[1]);
    snprintf(value, sizeof value, "0x%08" PRIx32, line->data);
    thing.text = thing.whole;
    thing.value = line->has_data ? value : NULL;
    explain->thing = &thing;
    explain_methods(explain);
}

/* False: the chip has no such place. */
static bool explain_error_number(struct explain *explain, const char *where, const char *number) {
    struct explain_thing thing = {.parts = 1, .text = where, .value = number};
    const struct explain_thing *whole = explain->thing;
    size_t before = explain->readings;

    snprintf(thing.part[0], sizeof thing.part[0], "%s", where);
    explain->thing = &thing;
    explain_errors(explain);
    explain->thing = whole;
    return explain->readings != before;
}

static void explain_word_of_chip(struct explain *explain, const struct line *line) {
    const struct pfifo_chip *wanted = explain->chip;
    struct explain_thing thing = {.parts = 1};

    snprintf(thing.whole, sizeof thing.whole, "0x%08" PRIx32, line->word);
    memcpy(thing.part[0], thing.whole, sizeof thing.part[0]);
    thing.text = thing.whole;
    explain->thing = &thing;
    explain->chip = wanted ? wanted : pfifo_chip_by_name(line->chip);
    explain_pushed(explain);
    explain->chip = wanted;
}

void explain_log(struct explain *explain, const char *text) {
    const struct explain_thing whole = {.text = text};
    struct line line = {0};

    if (!line_of_emulator(&line, text))
        explain_line_read(&line, text);
    explain->thing = &whole;
    for (size_t i = 0; i < line.errors; i++)
        if (!line.number[i][0] || !explain_error_number(explain, line.error[i], line.number[i]))
            explain_error_named(explain, line.error[i], line.is_graph ? "PGRAPH" : NULL,
                                line.has_class ? pfifo_class_find(line.class_id) : NULL);
    explain_command(explain, &line);
    if (line.chip)
        explain_word_of_chip(explain, &line);
    explain->thing = NULL;
}
