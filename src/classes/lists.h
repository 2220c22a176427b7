/* SPDX-License-Identifier: MIT */
/*
 * Lists of classes and of methods as ranges, which generate_lists.c writes: which methods have a name, and which ones
 * chips accept. All lists are slices of one array; equal ones are there once.
 */
#ifndef CLASSES_LISTS_H
#define CLASSES_LISTS_H

#include <stddef.h>
#include <stdint.h>

/* Numbers of classes, or words of a method window; both ends are included. */
struct class_range {
    uint16_t first, last;
};

struct class_list {
    uint16_t begin, count; /* in class_ranges */
};

enum method_how {
    METHOD_EXISTS,
    METHOD_MISSING_HW,
    METHOD_BY_DRIVER,
    METHOD_REFUSED_INSIDE,
    METHOD_IGNORED_INSIDE,
};

/* On these chips these classes have, besides what other rows say, these methods: see method_list.h. */
struct class_list_row {
    const char *chips;
    struct class_list classes, methods;
    enum method_how how;
};

extern const struct class_range class_ranges[];
extern const struct class_list class_named[]; /* words of methods that have a name; by ordinal, see tables.h */
extern const struct class_list_row class_list_rows[];
extern const size_t class_list_row_count;

/* Set the bits of a list of words, below `words`. */
void class_list_add(uint64_t *bits, struct class_list list, uint32_t words);

#endif
