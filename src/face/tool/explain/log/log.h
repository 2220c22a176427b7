/* SPDX-License-Identifier: MIT */
/*
 * What a kernel's log says of a GPU.
 *
 *   text --line.c--> lines of a driver --match.c--> the form of a line and its numbers --group.c--> what repeats is one
 *        --answer.c--> a reading each: what it means, the names of its numbers, the usual cause, what to do next
 *
 * The forms stand in forms_*.c, a table for each driver: words that a line consists of, as the drivers' sources have
 * them. Whatever else a line has, such as the program's name, is not looked at: a word in capitals is not an error.
 */
#ifndef PFIFO_TOOL_EXPLAIN_LOG_LOG_H
#define PFIFO_TOOL_EXPLAIN_LOG_LOG_H

#include <pfifo/error_code.h>

#include "face/tool/explain/explain.h"

enum {
    LOG_LINE_BYTES = 1024, /* of a line, with its end; what is longer is cut */
    LOG_DEVICES = 16,      /* GPUs whose chip is remembered */
    LOG_GROUPS = 512,      /* different messages that are explained */
    LOG_NAME_BYTES = 64,
};

enum log_driver {
    LOG_NOUVEAU,
    LOG_NVRM,  /* NVIDIA's own, for PCI */
    LOG_NVGPU, /* NVIDIA's own, for Tegra */
};

struct log_line {
    char text[LOG_LINE_BYTES]; /* without the time before it */
    const char *message;       /* in `text`: after driver, device and unit */
    char device[32];           /* "0000:01:00.0", "57000000.gpu"; empty: the line does not say */
    char unit[16];             /* nouveau's "gr", "fifo"; empty: none */
    enum log_driver driver;
    size_t number; /* of the line in the log, from 1 */
};

/* The numbers of a line, of those that its form announces or that stand after their names. */
enum log_field {
    LOG_VALUE, /* {v} of the form */
    LOG_SUBCHANNEL,
    LOG_CLASS,
    LOG_METHOD,
    LOG_DATA,
    LOG_ADDRESS, /* of an access */
    LOG_ENGINE,
    LOG_CLIENT,
    LOG_REASON,
    LOG_STATE, /* CACHE1_DMA_STATE */
    LOG_FIELDS
};

struct log_numbers {
    bool has[LOG_FIELDS];
    uint64_t number[LOG_FIELDS];
    char name[LOG_FIELDS][LOG_NAME_BYTES]; /* what the line itself calls it: [NAME] after the number */
};

struct log_match;

struct log_form {
    /* Literal text; a blank is one or more; # decimal digits; {v} a hexadecimal number, the value; {x} one that says
     * nothing; {w} a word; * anything up to the text after it. It is the beginning of the message. */
    const char *pattern;
    const char *units;             /* of nouveau: "gr", or several: "ce0 ce1"; NULL: any */
    const char *means;             /* NULL: `more` says it */
    const char *cause;             /* NULL: nothing that is usual */
    const char *set_unit, *set_of; /* the errors that the value is one of, or bits of: unit, register; NULL: any */
    void (*more)(struct explain *explain, const struct log_match *match); /* what only lines of this form have */
};

struct log_forms {
    const struct log_form *rows;
    size_t count;
};

/* nouveau's are in two tables, nvgpu's in two: the first row of them that matches counts. */
extern const struct log_forms log_nouveau, log_driver, log_nvrm, log_nvgpu, log_l4t;
/* Table `index` of a driver; NULL: it has no more. */
const struct log_forms *log_forms_of(enum log_driver driver, size_t index);

struct log_match {
    const struct log_form *form; /* NULL: of a driver, but of no form that is known */
    const struct log_line *line;
    const char *rest; /* of the message, after the form's text */
    struct log_numbers numbers;
    const struct pfifo_chip *chip; /* NULL: not known */
};

/* ---- line.c ---- */

/* Is the line of a GPU's driver? The text ends at `bytes`; bytes that are no text are replaced. */
bool log_line_read(struct log_line *line, const char *text, size_t bytes);

/* ---- match.c ---- */

/* Fills form, rest and numbers; false: the form is not known, which says nothing of the numbers. */
bool log_match_line(struct log_match *match, const struct log_line *line);
/* The text after `pattern` (struct log_form) at the beginning of `text`; NULL: it does not begin so. */
const char *log_match_text(const char *pattern, const char *text, struct log_numbers *numbers);
/* The hexadecimal number at `text`, with or without 0x; NULL: none is there. */
const char *log_read_hex(const char *text, uint64_t *number);
/* Is a word one of those in a list with blanks between them? */
bool log_list_has(const char *list, const char *word);
/* A number of the line; NULL: it does not have it. */
const uint64_t *log_number(const struct log_match *match, enum log_field field);
/* Has it a class and a method of it? */
bool log_has_method(const struct log_match *match);
/* The number that follows a word of the line, such as "mthd"; false: there is none. */
bool log_number_after(const char *text, const char *word, uint64_t *number);

/* ---- chips.c: which chip a device is ---- */

struct log_chips {
    struct {
        char device[32];
        const struct pfifo_chip *chip;
    } rows[LOG_DEVICES];
    size_t count;
    const struct pfifo_chip *last; /* of a line without a device */
};

/* Takes what a line says of a chip; false: it says nothing. */
bool log_chips_note(struct log_chips *chips, const struct log_line *line);
/* The same of a line that is of no GPU's driver: the kernel lists the devices of PCI. */
void log_chips_note_other(struct log_chips *chips, const char *text);
/* NULL: not known. */
const struct pfifo_chip *log_chips_find(struct log_chips *chips, const struct log_line *line);

/* ---- answer.c ---- */

/* How often something was said. */
struct log_times {
    size_t times, first, last; /* numbers of lines; times 1: of a single line */
};

void log_answer(struct explain *explain, const struct log_match *match, const struct log_times *times);

/* ---- names.c ---- */

/* "0xc: INVALID_BITFIELD: bits are set ...", a line for each bit or for the number; a number without a name is said to be
 * one. `called`: what the line calls it, may be empty. */
void log_print_value(struct explain *explain, const struct log_match *match, const char *key, uint64_t value,
                     const char *unit, const char *where, const char *called);
/* A method of a class: its name, and what its data says (`data` NULL: the line has none). */
void log_print_method(struct explain *explain, uint32_t class_id, uint32_t method, const uint64_t *data);
/* The reason of a fault: by its number, else by its name; `name` may be empty. */
void log_print_reason(struct explain *explain, const struct log_match *match, const uint64_t *number, const char *name);
/* "KEY  0x0 NAME: what it is": a unit that reads and writes memory; `number` NULL: the line has the name only. */
void log_print_client(struct explain *explain, const char *key, const uint64_t *number, const char *name);
/* The error of a warp, and the bits above it; `sm`: which registers it is of, or LOG_SM_ANY. */
enum log_sm { LOG_SM_ANY, LOG_SM_GV100 };
void log_print_warp(struct explain *explain, const struct log_match *match, const char *key, uint64_t value,
                    enum log_sm sm);
/* What an Xid is; `cause` may be NULL. False: the number is not known. */
bool log_xid(uint64_t number, const char **name, const char **means, const char **cause);

/* ---- more_registers.c ---- */

/* Is it a register of the chip (NULL: not known) that has a name? */
bool log_knows_register(struct explain *explain, const struct pfifo_chip *chip, uint64_t offset);

/* ---- next.c ---- */

/* A list of commands that look further, if there are any. */
void log_print_next(struct explain *explain, const struct log_match *match);

/* ---- group.c ---- */

/* A whole log, or several lines in one text. The number of lines that were explained. */
size_t log_explain(struct explain *explain, FILE *file);
size_t log_explain_text(struct explain *explain, const char *text);

#endif
