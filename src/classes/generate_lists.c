/* SPDX-License-Identifier: MIT */
/*
 * Which methods a class has, as ranges of words: by their names in data/ *.txt, and by the rows of method_list_rows.c.
 * Lists that are equal are written once.
 */
#include "classes/generate.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "classes/method_list_rows.h"

enum { LISTS_RANGES = 1 << 14, LISTS_WORDS = 0x10000 / 4, LISTS_LONGEST = 1024, LISTS_ROWS = 1024 };

struct lists {
    struct class_range ranges[LISTS_RANGES];
    size_t range_count;
    struct class_list named[GENERATE_CLASSES];
    struct class_list row_classes[LISTS_ROWS], row_methods[LISTS_ROWS];
};

static struct lists lists;

/* A list that is being put together. */
struct list {
    struct class_range range[LISTS_LONGEST];
    size_t count;
};

static void list_add(struct list *list, uint32_t first, uint32_t last) {
    if (list->count == LISTS_LONGEST || first > last || last > UINT16_MAX)
        generate_fail("generate", 0, "0x%x to 0x%x cannot be in a list", (unsigned)first, (unsigned)last);
    list->range[list->count++] = (struct class_range){(uint16_t)first, (uint16_t)last};
}

/* Where the list stands among the ranges; it is added if it does not yet. */
static struct class_list list_place(const struct list *list) {
    size_t at = 0, bytes = list->count * sizeof list->range[0];
    while (at + list->count <= lists.range_count && memcmp(&lists.ranges[at], list->range, bytes) != 0)
        at++;
    if (at + list->count > lists.range_count) {
        at = lists.range_count;
        if (at + list->count > LISTS_RANGES)
            generate_fail("generate", 0, "more than %d ranges of methods", LISTS_RANGES);
        memcpy(&lists.ranges[at], list->range, bytes);
        lists.range_count += list->count;
    }
    return (struct class_list){(uint16_t)at, (uint16_t)list->count};
}

/* ---- names ---- */

static void mark_method(bool *has, const struct classes_method *method) {
    for (unsigned i = 0; i < method->count[0]; i++)
        for (unsigned j = 0; j < method->count[1]; j++)
            has[(method->first + i * method->stride[0] + j * method->stride[1]) / 4] = true;
}

static struct class_list list_of_names(const struct generate_tables *tables, const uint16_t *refs, size_t count) {
    static bool has[LISTS_WORDS];
    static struct list list;
    memset(has, 0, sizeof has);
    list.count = 0;
    for (size_t i = 0; i < count; i++)
        mark_method(has, &tables->methods[refs[i]]);
    for (uint32_t word = 0; word < LISTS_WORDS; word++) {
        uint32_t first = word;
        while (word < LISTS_WORDS && has[word])
            word++;
        if (word > first)
            list_add(&list, first, word - 1);
    }
    return list_place(&list);
}

/* ---- rows ---- */

static struct class_list list_of_text(const char *text, uint32_t unit) {
    static struct list list;
    list.count = 0;
    while (*text) {
        char *end;
        uint32_t first = (uint32_t)strtoul(text, &end, 16), last = first;
        if (*end == '-')
            last = (uint32_t)strtoul(end + 1, &end, 16);
        if (end == text || (*end && *end != ' '))
            generate_fail("method_list_rows.c", 0, "no range at '%s'", text);
        list_add(&list, first / unit, last / unit);
        text = end + (*end == ' ');
    }
    return list_place(&list);
}

static void list_rows(void) {
    if (method_list_text_count > LISTS_ROWS)
        generate_fail("method_list_rows.c", 0, "more than %d rows", LISTS_ROWS);
    for (size_t i = 0; i < method_list_text_count; i++) {
        lists.row_classes[i] = list_of_text(method_list_texts[i].classes, 1);
        lists.row_methods[i] = list_of_text(method_list_texts[i].methods, 4);
    }
}

/* ---- output ---- */

static void write_ranges(FILE *out) {
    fprintf(out, "const struct class_range class_ranges[] = {");
    for (size_t i = 0; i < lists.range_count; i++)
        fprintf(out, "%s{0x%x, 0x%x},", i % 8 == 0 ? "\n    " : " ", lists.ranges[i].first, lists.ranges[i].last);
    fprintf(out, "\n};\n\n");
}

static void write_named(FILE *out, size_t count) {
    fprintf(out, "const struct class_list class_named[] = {");
    for (size_t i = 0; i < count; i++)
        fprintf(out, "%s{%u, %u},", i % 10 == 0 ? "\n    " : " ", lists.named[i].begin, lists.named[i].count);
    fprintf(out, "\n};\n\n");
}

static void write_rows(FILE *out) {
    fprintf(out, "const struct class_list_row class_list_rows[] = {\n");
    for (size_t i = 0; i < method_list_text_count; i++) {
        const struct class_list *classes = &lists.row_classes[i], *methods = &lists.row_methods[i];
        fprintf(out, "    {\"%s\", {%u, %u}, {%u, %u}, %d},\n", method_list_texts[i].chips, classes->begin,
                classes->count, methods->begin, methods->count, (int)method_list_texts[i].how);
    }
    fprintf(out, "};\n\nconst size_t class_list_row_count = %zu;\n", method_list_text_count);
}

void generate_write_lists(FILE *out, const struct generate_tables *tables, const uint32_t *slices,
                          const uint16_t *refs) {
    for (size_t i = 0; i < tables->id_count; i++)
        lists.named[i] = list_of_names(tables, &refs[slices[i]], slices[i + 1] - slices[i]);
    list_rows();
    fprintf(out, "/* Generated by src/classes/generate_lists.c: do not edit. */\n#include \"classes/lists.h\"\n\n");
    write_ranges(out);
    write_named(out, tables->id_count);
    write_rows(out);
}
