/* SPDX-License-Identifier: MIT */
/*
 * What generate.c reads from data/ *.txt and writes as C (see tables.h and ids.h). Build time only: limits are generous and
 * checked, an error ends the program with "file:line: reason".
 */
#ifndef CLASSES_GENERATE_H
#define CLASSES_GENERATE_H

#include <stdio.h>

#include "classes/tables.h"

enum {
    GENERATE_POOL_BYTES = 1 << 18,
    GENERATE_CLASSES = 320,
    GENERATE_SETS = 2048,
    GENERATE_METHODS = 8192,
    GENERATE_FIELDS = 16384,
    GENERATE_GROUPS = 8192,
    GENERATE_VALUES = 16384,
    GENERATE_NAMES = 16384,
    GENERATE_FILES = 64,
};

struct generate_class {
    uint32_t id, name, alias, family, first, last;
    size_t order; /* in the file: older first where two share an id */
};

struct generate_tables {
    char pool[GENERATE_POOL_BYTES];
    size_t pool_bytes;
    struct generate_class classes[GENERATE_CLASSES];
    size_t class_count;
    uint32_t ids[GENERATE_CLASSES]; /* sorted, each once; the index is the ordinal */
    uint32_t family_of[GENERATE_CLASSES];
    size_t id_count;
    struct classes_set sets[GENERATE_SETS];
    size_t set_count;
    struct classes_method methods[GENERATE_METHODS];
    struct {
        const char *file;
        unsigned line;
    } places[GENERATE_METHODS]; /* of the methods, for messages */
    size_t method_count;
    struct classes_alias aliases[GENERATE_METHODS];
    size_t alias_count;
    struct classes_field fields[GENERATE_FIELDS];
    size_t field_count;
    struct classes_group groups[GENERATE_GROUPS];
    size_t group_count;
    struct classes_value values[GENERATE_VALUES];
    size_t value_count;
};

/* Read one data file into `tables`. The file with the classes comes first. */
void generate_read(struct generate_tables *tables, const char *path);

/*
 * generate_lists.c: write the lists of lists.h. `refs`: the methods of class n are from slices[n] to slices[n + 1].
 */
void generate_write_lists(FILE *out, const struct generate_tables *tables, const uint32_t *slices,
                          const uint16_t *refs);

/* End the program with "file:line: reason"; line 0 is left out. */
_Noreturn void generate_fail(const char *file, unsigned line, const char *format, ...) PFIFO_PRINTF(3, 4);

#endif
