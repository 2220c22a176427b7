/* SPDX-License-Identifier: MIT */
/*
 * Which classes there are, and on which chips: what the machine asks of data/classes.txt. Names are in tables.h, which
 * the machine does not need. Generated with these.
 */
#ifndef CLASSES_IDS_H
#define CLASSES_IDS_H

#include <stddef.h>
#include <stdint.h>

/* As the fields of struct pfifo_class with these names (pfifo/classes.h). */
struct class_id {
    uint32_t id;
    const char *first_chip, *last_chip;
};

/* By id; an id that was used twice has two rows. */
extern const struct class_id class_ids[];
extern const size_t class_id_count;

#endif
