/* SPDX-License-Identifier: MIT */
/*
 * Counts methods that were sent to a class that does not have them, whether the chip refused them or not.
 *
 *   class, method --> has the class this method? --no--> row {class, method, count, where the first was}
 *
 * What a class has: method_list.h says it of the chips before G80; else it is what has a name (pfifo/classes.h).
 * Classes of which no method is known (software, most firmwares) are not counted. Rows are in order of appearance;
 * their number is limited, `total` is not.
 */
#ifndef CLASSES_UNKNOWN_METHODS_H
#define CLASSES_UNKNOWN_METHODS_H

#include "chip/chip.h"

enum {
    UNKNOWN_METHODS_ROWS = 1024,
    UNKNOWN_METHODS_CLASSES = 16, /* remembered at a time */
    UNKNOWN_METHODS_WORDS = 0x4000 / 4,
};

/* The origin of a method, as far as the caller knows it. */
struct unknown_method_place {
    uint64_t at; /* address of the word, or time */
    uint32_t channel, submission;
};

struct unknown_method {
    uint32_t object_class, method;
    uint64_t count;
    struct unknown_method_place first;
};

/* Zeroed, but for the chip (NULL: any). */
struct unknown_methods {
    const struct pfifo_chip *chip;
    uint64_t total;
    size_t count;
    struct unknown_method row[UNKNOWN_METHODS_ROWS];
    uint16_t index[2 * UNKNOWN_METHODS_ROWS]; /* row + 1, 0: free */
    struct unknown_methods_class {
        uint32_t object_class;
        bool looked_up, counted;
        uint64_t has[UNKNOWN_METHODS_WORDS / 64];
    } classes[UNKNOWN_METHODS_CLASSES];
};

/* A method was sent to a class. Returns the row if this is the first time, else NULL; the caller fills in `first`. */
struct unknown_method *unknown_methods_note(struct unknown_methods *unknown, uint32_t object_class, uint32_t method);

#endif
