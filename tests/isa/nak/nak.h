/* SPDX-License-Identifier: MIT */
/*
 * The instructions that Mesa's compiler NAK emits, a list for each of its encoders (sm20.inc, sm32.inc, sm50.inc). A row
 * is an encoding: NAK's operation, the name that the text here has for it, the bits that are always the same, and the
 * fields, as "kind@lowest bit"; those that begin with ! are not guarded. The kinds (nak.c) say which values of a field there are and what the text has of each.
 */
#ifndef PFIFO_TESTS_ISA_NAK_H
#define PFIFO_TESTS_ISA_NAK_H

#include <stddef.h>
#include <stdint.h>

#include "differential/choice.h"
#include "isa/shader/isa.h"

enum { NAK_FIELDS = 16, NAK_CHOICES = 16, NAK_TEXT = 48 };

struct nak_row {
    const char *op, *name;
    uint64_t value;
    const char *fields;
};

struct nak_set {
    const char *name;
    const struct isa *isa;
    const struct nak_row *rows;
    size_t count;
    uint8_t guard;               /* where the guard is, as kind "ps" */
    uint8_t registers;           /* bits of a number of a register */
    uint8_t sign;                /* the sign of an immediate of 20 bits, above the lowest */
    uint8_t offset, bank, scale; /* of a constant: bits of its offset, of its bank; steps of the offset */
};

enum { NAK_SETS = 3 };
extern const struct nak_set nak_sets[NAK_SETS];

struct nak_field {
    const struct nak_kind *kind;
    uint8_t at, number; /* which of its row it is */
};

/* The fields of a row, and the guard. A kind without a name is an error of the list. */
unsigned nak_fields(const struct nak_set *set, const struct nak_row *row, struct nak_field fields[NAK_FIELDS]);
/* How many values the tests try; the first is the usual one. */
unsigned nak_choices(const struct nak_field *field);
/* A value's bits in the word, and what the text has of it: "" if that says nothing. */
uint64_t nak_bits(const struct nak_set *set, const struct nak_field *field, unsigned choice);
void nak_token(const struct nak_set *set, const struct nak_field *field, unsigned choice, char text[NAK_TEXT]);

/* A word of the row with any values. */
uint64_t nak_some_word(const struct nak_set *set, const struct nak_row *row, struct choice *c);

#endif
