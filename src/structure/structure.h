/* SPDX-License-Identifier: MIT */
/*
 * Structures in memory as fields (pfifo/structure.h).
 *
 *   read.c --kind--> gpfifo.c  qmd.c  texture.c  page.c  registers.c --> forms --fields.c--> items --> the caller
 *
 * A form is one structure of the class tables, or one for each word ("@TEXHEAD#": # is the word). Nothing here knows where
 * a field is: all of that is data (classes/data).
 */
#ifndef PFIFO_SRC_STRUCTURE_STRUCTURE_H
#define PFIFO_SRC_STRUCTURE_STRUCTURE_H

#include <pfifo/structure.h>

#include <stddef.h>

/* Words that are read, and who is told. */
struct structure {
    const struct pfifo_chip *chip;
    const uint32_t *words;
    size_t count;
    pfifo_structure_sink sink;
    void *opaque;
    bool stopped; /* the caller wants no more */
};

/*
 * A field that is there only if another one has some values: a bit for each value from 0 to 30, bit 31 for all others. The
 * last row has no field.
 */
struct structure_condition {
    const char *field, *other;
    uint32_t values;
};
#define STRUCTURE_IF(value) (UINT32_C(1) << (value))
#define STRUCTURE_UNLESS_0  (~UINT32_C(1))

struct structure_form {
    uint32_t class_id;
    const char *name;                             /* "@PTE", "@GP_ENTRY#" */
    const struct structure_condition *conditions; /* NULL: none */
};

/* A kind: how many words its structures have on the chip (0: none), and what they say. */
struct structure_reader {
    const char *name, *text;
    size_t (*words)(const struct structure *structure);
    void (*read)(struct structure *structure);
    bool may_be_cut;
};

/* Bits of the words as a number, 64 at most; 0 where there are none. */
uint64_t structure_bits(const struct structure *structure, uint32_t high, uint32_t low);

/* The value of a field of a form, in its units (an address: of bytes). False: the form has no such field. */
bool structure_value(const struct structure *structure, const struct structure_form *form, const char *field,
                     uint64_t *value);
/* The same; 0: there is no such field. */
uint64_t structure_value_or_0(const struct structure *structure, const struct structure_form *form, const char *field);
/* The same of element `index` of a field that repeats. */
uint64_t structure_element(const struct structure *structure, const struct structure_form *form, const char *field,
                           unsigned index);

/* ---- items ---- */

void structure_form_begin(struct structure *structure, const char *format, ...) PFIFO_PRINTF(2, 3);
void structure_says(struct structure *structure, const char *name, const char *format, ...) PFIFO_PRINTF(3, 4);
/* A number; `format` takes an unsigned long long. */
void structure_says_number(struct structure *structure, const char *name, const char *format, uint64_t value);
void structure_odd(struct structure *structure, const char *format, ...) PFIFO_PRINTF(2, 3);
void structure_item(struct structure *structure, const struct pfifo_structure_item *item);

/* All fields of a form, and what of its `words` is odd in itself: bits in no field, and reserved fields that are not 0. */
void structure_fields(struct structure *structure, const struct structure_form *form, size_t words);

/* Has the class a structure of that name? */
bool structure_exists(const struct structure_form *form);

/* The last class of the chip that is of a family and has the structure; 0: there is none. */
uint32_t structure_class(const struct pfifo_chip *chip, const char *family, const char *name);

/* ---- kinds ---- */

extern const struct structure_reader structure_gpfifo, structure_qmd, structure_tic, structure_tsc, structure_pte,
    structure_pde, structure_pde0, structure_userd, structure_ramfc;

#endif
