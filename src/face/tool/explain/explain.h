/* SPDX-License-Identifier: MIT */
/*
 * pfifo explain: what a name or a number stands for, in words.
 *
 *   THING --cmd_explain.c--> parts and value --*.c--> library --> readings --print.c--> text, JSON
 *
 * A thing may have several readings: 0x2100 is a register and a header, NOTIFY a method of classes at two offsets. Each
 * reading is a block of lines, or an object of JSON.
 */
#ifndef PFIFO_TOOL_EXPLAIN_EXPLAIN_H
#define PFIFO_TOOL_EXPLAIN_EXPLAIN_H

#include <pfifo/chip.h>
#include <pfifo/classes.h>
#include <pfifo/error_code.h>
#include <pfifo/nearest.h>
#include <pfifo/registers.h>

#include <stddef.h>
#include <stdio.h>

#include "face/common/json_writer.h"

enum {
    EXPLAIN_PARTS = 3,  /* CLASS.METHOD.FIELD */
    EXPLAIN_BYTES = 80, /* of a part, with its end */
    EXPLAIN_CHIPS = 128,
    EXPLAIN_MOST = 16, /* lines of a list that may be long */
};

/* What is asked about, taken apart at = and dots. */
struct explain_thing {
    const char *text; /* as it was given */
    unsigned parts;
    char part[EXPLAIN_PARTS][EXPLAIN_BYTES];
    char whole[EXPLAIN_PARTS * EXPLAIN_BYTES]; /* without the value */
    const char *value;                         /* after =, NULL: none is given */
};

struct explain {
    const struct pfifo_chip *chip; /* NULL: any */
    bool json;
    struct json_writer writer; /* of the reading that is printed, with `json` */
    const struct explain_thing *thing;
    size_t readings;                               /* of this thing, until now */
    size_t items;                                  /* of the list that is being printed */
    int column;                                    /* of text */
    struct pfifo_registers *tables[EXPLAIN_CHIPS]; /* by index of the chip; NULL: not yet made */
};

/* ---- print.c ---- */

/* A reading: `is` is what it is ("method"), then a line that says what. */
void explain_begin(struct explain *explain, const char *is, const char *format, ...) PFIFO_PRINTF(3, 4);
void explain_end(struct explain *explain);
/* A line "key  text", or "key":"text". */
void explain_text(struct explain *explain, const char *key, const char *format, ...) PFIFO_PRINTF(3, 4);
/* In text, the format is `format`, which takes a uint64_t. */
void explain_number(struct explain *explain, const char *key, const char *format, uint64_t number);
/* A list: its items are words in a row, or a line each. */
void explain_list(struct explain *explain, const char *key);
void explain_word(struct explain *explain, const char *format, ...) PFIFO_PRINTF(2, 3);
void explain_line(struct explain *explain, const char *format, ...) PFIFO_PRINTF(2, 3);
void explain_list_end(struct explain *explain);
/* The chips for which has[index] is set: in text, neighbours are a range. */
void explain_chips(struct explain *explain, const bool has[EXPLAIN_CHIPS]);

/* A number as the tool takes it, or 8 or 16 hexadecimal digits, as decode prints words. */
bool explain_is_number(const char *text, uint64_t *number);

/* What an error means. */
const char *explain_error_text(const struct pfifo_error_code *code);

/* "bits 7:0", "bit 3". */
const char *explain_bits(unsigned high, unsigned low, char buf[16]);

/* ---- class.c, method.c, field.c: what the class tables have ---- */

void explain_class(struct explain *explain, const struct pfifo_class *class);
/* A chip by its name. */
void explain_chip(struct explain *explain);
/* Has the chip (NULL: any) the class, as an object or as its channel? */
bool explain_chip_has_class(const struct pfifo_chip *chip, const struct pfifo_class *class);
/* A class by what is written before the dot; NULL: there is none. */
const struct pfifo_class *explain_class_of(const struct explain *explain, const char *text);
/* A method of a class by name or number. */
bool explain_method_of(uint32_t class_id, const char *text, struct pfifo_method_name *method);

/* CLASS.METHOD, METHOD and these with =DATA; CLASS.@STRUCTURE. */
void explain_methods(struct explain *explain);
/* CLASS.METHOD.FIELD, METHOD.FIELD, and these with =VALUE. */
void explain_fields(struct explain *explain);
/* FIELD, VALUE: where there are such. Only if there was no other reading. */
void explain_members(struct explain *explain);
/* A line about a field and its values, of a method or structure. */
void explain_field_line(struct explain *explain, const struct pfifo_field *field);
/* One value of a field, as a reading of its own. */
void explain_value(struct explain *explain, const struct pfifo_class *class, const struct pfifo_method_name *method,
                   const struct pfifo_field *field);

/* ---- register.c ---- */

/* NAME, UNIT.NAME, UNIT.NAME.FIELD, a number, and these with =VALUE. */
void explain_registers(struct explain *explain);
/* FIELD: registers that have it. Only if there was no other reading. */
void explain_register_members(struct explain *explain);
/* Is it a register with an index that no register of that name has? The error says which it has. */
bool explain_wrong_index(struct explain *explain, struct pfifo_error *error);
/* cover.c: is the chip one of those whose registers have all names? */
bool explain_covers(size_t chip);
/* The tables of a chip, which stay; NULL: no memory. */
const struct pfifo_registers *explain_tables(struct explain *explain, size_t chip);
void explain_free_tables(struct explain *explain);

/* ---- error.c, event.c, word.c ---- */

/* NAME, UNIT.NAME, REGISTER=NUMBER; UNIT, REGISTER: all of them. */
void explain_errors(struct explain *explain);
/* All of a name, of the unit (NULL: any), on chips that have the class (NULL: any). */
void explain_error_named(struct explain *explain, const char *name, const char *unit, const struct pfifo_class *class);
void explain_event(struct explain *explain);
/* A number: what a pusher makes of it. */
void explain_pushed(struct explain *explain);
/* A number of 64 bits: what a channel's ring or a page table has (structure.c). */
void explain_pair(struct explain *explain);
/* Lines of a reading: the classes of the chip that have a method; the front end's own methods are its channel's. */
void explain_names_of_method(struct explain *explain, const struct pfifo_chip *chip, uint32_t offset);
/* A line of a reading: what a header says. */
void explain_header(struct explain *explain, const struct pfifo_chip *chip, uint32_t word);

/* explain_meanings.c, made of docs/events.md: the meaning of events and their fields; "" as field: the event's own. */
struct explain_meaning {
    const char *event, *field, *meaning;
};
extern const struct explain_meaning explain_meanings[];

/* ---- term.c ---- */

/* A word of the field. It is only a reading beside others. */
void explain_term(struct explain *explain);
void explain_nearest_term(struct pfifo_nearest *nearest);

/* explain_terms.c, made of docs/glossary.md: a row for each name; `names`: those that mean the same, in a list. */
struct explain_term {
    const char *name, *names, *meaning, *sources;
};
extern const struct explain_term explain_terms[];

/* ---- line.c ---- */

/* Is it a line of the kernel's log? One that has blanks in it is. */
bool explain_is_line(const char *text);
/* Its errors, and the method with its data. No reading: there is nothing in it. */
void explain_log(struct explain *explain, const char *text);

/* ---- nearest.c ---- */

/* What may have been meant; false: nothing is near. */
bool explain_nearest(struct explain *explain, char *buf, size_t size);

#endif
