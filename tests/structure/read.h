/* SPDX-License-Identifier: MIT */
/* What is read of a structure, as lines: "form: ...", "NAME: TEXT", "NAME = TEXT" of fields, "odd: ...". */
#ifndef TESTS_STRUCTURE_READ_H
#define TESTS_STRUCTURE_READ_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#include <pfifo/structure.h>

static char read_lines[32768];

static bool read_note(void *opaque, const struct pfifo_structure_item *item) {
    size_t used = strlen(read_lines);

    (void)opaque;
    assert_non_null(item->text);
    switch (item->kind) {
    case PFIFO_STRUCTURE_FORM:
        snprintf(read_lines + used, sizeof read_lines - used, "form: %s\n", item->text);
        break;
    case PFIFO_STRUCTURE_SAYS:
        snprintf(read_lines + used, sizeof read_lines - used, "%s: %s\n", item->name, item->text);
        break;
    case PFIFO_STRUCTURE_FIELD:
        assert_true(item->high >= item->low && item->high - item->low < 64);
        snprintf(read_lines + used, sizeof read_lines - used, "%s = %s\n", item->name, item->text);
        break;
    case PFIFO_STRUCTURE_ODD:
        snprintf(read_lines + used, sizeof read_lines - used, "odd: %s\n", item->text);
        break;
    }
    return true;
}

static inline const char *read_words(const char *chip, enum pfifo_structure_kind kind, const uint32_t *words,
                                     size_t count) {
    struct pfifo_error error = {0};

    read_lines[0] = 0;
    if (pfifo_structure_read(pfifo_chip_by_name(chip), kind, words, count, read_note, NULL, &error) != PFIFO_OK)
        snprintf(read_lines, sizeof read_lines, "refused: %s\n", error.message);
    return read_lines;
}

static inline const char *read_64(const char *chip, enum pfifo_structure_kind kind, uint64_t number) {
    return read_words(chip, kind, (const uint32_t[]){(uint32_t)number, (uint32_t)(number >> 32)}, 2);
}

/* Is the line there, as a whole? */
static inline bool read_has(const char *line) {
    char whole[512];

    snprintf(whole, sizeof whole, "\n%s\n", line);
    return strstr(read_lines, whole) || strncmp(read_lines, whole + 1, strlen(whole) - 1) == 0;
}

static inline void expect_line(const char *line) {
    if (!read_has(line))
        fail_msg("no line '%s' in:\n%s", line, read_lines);
}

static inline void expect_no_line(const char *part) {
    if (strstr(read_lines, part))
        fail_msg("'%s' in:\n%s", part, read_lines);
}

#endif
