/* SPDX-License-Identifier: MIT */
/*
 * The compiled form of data/ *.txt: constant tables that generate.c writes and classes.c and fields.c search.
 *
 *   ids[n], sorted            slices[n] .. slices[n+1]
 *     class ordinal n  ----->   refs[]: methods of class n by ascending offset
 *                               reach[]: how far left of a ref the owner of an offset may lie
 *                                 |
 *                                 v
 *                             methods[] ---> aliases[]
 *                                 |--------> fields[] ---> groups[] ---> values[]
 *
 *   names[], sorted: every name and alias of a method or structure
 *
 * Strings are offsets into `pool` (0: the empty string, none). A set is a bit per class ordinal: rows are shared by all
 * classes of a family, and the set says to which of them a row applies.
 */
#ifndef CLASSES_TABLES_H
#define CLASSES_TABLES_H

#include <pfifo/classes.h>

enum { CLASSES_SET_WORDS = 5 };

struct classes_set {
    uint64_t bits[CLASSES_SET_WORDS];
};

/* An array of methods (count 1, stride 0 where it is a single one), or a structure (`first` 0, name with '@'). */
struct classes_method {
    uint32_t name, chips;
    uint16_t set;
    uint16_t first; /* byte offset */
    uint16_t count[2];
    uint16_t stride[2];
    uint16_t aliases, alias_count;
    uint16_t fields, field_count;
};

enum classes_alias_kind {
    CLASSES_ALIAS_SAME,    /* NAME: the same element */
    CLASSES_ALIAS_BEGIN,   /* NAME@k: element i - k, for i from k on */
    CLASSES_ALIAS_ELEMENT, /* NAME(k), NAME(4i+k): element step * i + k of a one-dimensional array */
    CLASSES_ALIAS_ROW,     /* NAME(*,k): ours is a two-dimensional array, and its NAME(i) our element (i, k) */
    CLASSES_ALIAS_INNER,   /* NAME(i,k): element (i, k) of a two-dimensional array */
};

/* Another name of a method, and which element of it element i of the method is. */
struct classes_alias {
    uint32_t name;
    uint16_t k;
    uint8_t kind, step;
};

struct classes_field {
    uint32_t name;
    uint16_t high, low;
    uint16_t set;
    uint16_t step[2];
    uint16_t groups;
    uint8_t group_count;
    uint8_t type, shift;
};

/* Named values of a field, for the classes of a set. */
struct classes_group {
    uint16_t set;
    uint16_t values, value_count;
};

/* Sorted by value within a group; of equal ones the first wins. */
struct classes_value {
    uint32_t value, name;
};

/* Sorted by name without regard to case; of equal ones, a method's own name comes before aliases. */
struct classes_name {
    uint32_t name;
    uint16_t method;
    uint16_t alias; /* index in aliases + 1, 0 for the method's own name */
};

struct classes_tables {
    const char *pool;
    const struct pfifo_class *classes; /* by id, the older of two with one id first */
    size_t class_count;
    const uint32_t *ids;     /* each id once */
    const uint16_t *records; /* ordinal -> index in classes */
    const uint32_t *slices;  /* ordinal -> first ref; one more at the end */
    size_t id_count;
    const uint16_t *refs;
    const uint8_t *reach;
    const struct classes_set *sets;
    const struct classes_method *methods;
    size_t method_count;
    const struct classes_alias *aliases;
    const struct classes_field *fields;
    size_t field_count;
    const struct classes_group *groups;
    const struct classes_value *values;
    const struct classes_name *names;
    size_t name_count;
};

extern const struct classes_tables classes_tables;

/* Ordinal of a class id, -1 if it is not known. */
int classes_ordinal(uint32_t class_id);

/* Whether class `ordinal` is in set `set`. */
bool classes_in_set(uint16_t set, uint32_t ordinal);

/* Order of two names without regard to case (ASCII, whatever the locale). */
int classes_compare(const char *a, const char *b);

/* The method's own name in "NV097_SET_OBJECT", if what is before it stands for that class; NULL: it does not. */
const char *classes_without_prefix(uint32_t class_id, const char *text);

/* Is it one of the method's names, those of pfifo_method_by_name()? An array is called by one without an index. */
bool classes_method_is_called(const struct pfifo_method_name *method, const char *text);

/* A bounded output buffer, which keeps counting when it is full. */
struct classes_text {
    char *buf;
    size_t size, length;
};

/* A floating-point number, the same text on every host. Numbers that differ have texts that differ: it has six digits, or as
 * many more as it takes, `most` at most. */
enum { CLASSES_FLOAT_BYTES = 32, CLASSES_HALF_DIGITS = 6, CLASSES_FLOAT_DIGITS = 9 };
void classes_float_text(double value, int most, char buf[CLASSES_FLOAT_BYTES]);

struct classes_text classes_text_begin(char *buf, size_t size);
void classes_text_print(struct classes_text *text, const char *format, ...) PFIFO_PRINTF(2, 3);

#endif
