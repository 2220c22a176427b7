/* SPDX-License-Identifier: MIT */
/*
 * The assembler: lines of text to pushbuffer words, through grammar_encode().
 *
 *   assemble.c          commands       "inc 0 FERMI_A.SET_OBJECT 0x9097" --> 20010000 00009097
 *   assemble_data.c     data           "{ R_ENABLE=TRUE }", names of values, numbers
 *   assemble_labels.c   labels         "loop:", and the words that wait for them
 *   assemble_listing.c  decoder's text "    0100020004 00009097   0 9097 FERMI_A ..." --> 00009097
 *   assemble_macros.c   macros, which are replaced before
 *   assemble_buffers.c  memory beside the pushbuffer
 *   assemble_line.c     tokens of a line, numbers
 *   assemble_refuse.c   what a chip has no word for, or faults at
 *   assemble_unknown.c  why a name is not known, and what it may have meant
 *   assemble_report.c   errors and warnings
 */
#ifndef PFIFO_DECODE_ASSEMBLE_H
#define PFIFO_DECODE_ASSEMBLE_H

#include <pfifo/classes.h>
#include <pfifo/decode.h>
#include <pfifo/nearest.h>

#include "chip/chip.h"
#include "grammar/grammar.h"

enum { ASSEMBLE_TOKEN = 128 };
#define ASSEMBLE_LONG_MOST UINT32_C(0xffffff) /* words of data after the header of `long` */

/* A word of the decoder's text. */
struct listed_word {
    uint64_t address;
    uint32_t word;
    unsigned line;
    bool weak; /* of an error: where another line has the address, that one counts */
};

/* A segment of the decoder's text: its words so far, in the order of the lines. */
struct listing {
    struct listed_word *words;
    size_t used, room;
    bool known;       /* its line was there, with address and count */
    bool sorted;      /* addresses ascend */
    uint64_t address; /* of the segment */
    uint64_t count;   /* words of the segment */
    unsigned line;    /* of the segment */
};

struct assemble_label {
    const char *name;      /* in the text, `bytes` long */
    size_t bytes, at;      /* the word that it stands before */
    unsigned line, buffer; /* buffer: that it is in, from 1; 0: the pushbuffer */
    size_t column;
};

/* A word that a label's address goes into. */
struct assemble_use {
    struct assemble_label label; /* its `at` is the word */
    enum grammar_form form;      /* FORM_INVALID: data */
    bool high;                   /* data: bits 63:32 */
};

struct assemble_labels {
    struct assemble_label *labels;
    struct assemble_use *uses;
    size_t count, room, use_count, use_room;
};

/* Memory beside the pushbuffer, with words of its own. */
struct assemble_buffers {
    struct pfifo_assemble_buffer buffer[PFIFO_ASSEMBLE_BUFFERS];
    unsigned count;
    unsigned open; /* the buffer whose lines these are, from 1; 0: those of the pushbuffer */
    unsigned line; /* where it was opened */
    pfifo_assemble_buffer_told told;
    void *opaque;
};

/* Where a line is from that came of macros: the line of the text, and, with a name, the line of the macro in it. */
struct assemble_origin {
    unsigned line, inner;
    const char *name;
    size_t name_bytes;
};

struct assemble_macro;

/* A text without its macros. NULL: it had none. */
struct assemble_expanded {
    char *text;
    size_t used, room;
    struct assemble_origin *origin; /* of each line */
    size_t lines, origin_room;
    struct assemble_macro *macro;
    size_t macros;
    size_t made; /* bytes of the lines of macros */
};

/* What was told so far. */
struct assemble_report {
    pfifo_assemble_told told; /* NULL: nobody asks */
    void *opaque;
    struct pfifo_error *error; /* gets the first error */
    unsigned errors, warnings;
    const struct assemble_origin *origins; /* of `lines` lines; NULL: lines are those of the text */
    size_t lines;
};

struct assembler {
    const struct pfifo_chip *chip;
    const struct grammar *grammar;
    uint32_t bound[PFIFO_DECODE_SUBCHANNELS];
    const struct pfifo_decode_object *objects;
    size_t object_count;
    uint64_t base;
    bool in_order;
    bool segment; /* of a capture */
    uint32_t *words;
    size_t max, count;
    struct listing listing;
    struct assemble_labels labels;
    struct assemble_expanded expanded;
    struct assemble_buffers buffers;
    struct assemble_report *report;

    /* The line, and the last token of it; of one that is too long only the beginning, and "...". */
    unsigned line;
    const char *begin, *at, *end;
    size_t column, token_bytes; /* of the token: from 1; in the text */
    char token[ASSEMBLE_TOKEN];
};

/* The method that a data word is for. */
struct assemble_method {
    uint32_t class_id; /* that the text names; 0: what is bound */
    uint16_t method;
    uint8_t subchannel;
    enum grammar_form form;
};

/* assemble.c */
void assemble_put(struct assembler *assembler, uint32_t word);
void assemble_set(struct assembler *assembler, size_t at, uint32_t word);

/* So many errors that the rest is not looked at. */
static inline bool assemble_is_over(const struct assembler *assembler) {
    return assembler->report->errors >= PFIFO_ASSEMBLE_MESSAGES;
}

/* assemble_line.c */

/* The next token; false at the end of the line. */
bool assemble_token(struct assembler *assembler);

/* The number in a text; false if it is not a number or too large. A float is one with a point or an exponent. */
bool assemble_number(const char *text, uint32_t max, uint32_t *value);
bool assemble_integer(const char *text, int64_t *value);
bool assemble_hex(const char *text, uint32_t *value);
bool assemble_float(const char *text, bool any, double *value); /* any: also "1", "nan", "inf" */
bool assemble_data(const char *text, uint32_t *value);

/* assemble_data.c */

/* The method that the token names. */
bool assemble_find_method(const struct assembler *assembler, struct assemble_method *method);

/* CLASS.NAME: the class, and the name after the point. NULL: no class is named, or there is none of that name. */
const struct pfifo_class *assemble_named_class(const char *text, const char **name);

/* A method at the start of a line: the subchannel is one where its class is bound. False: no such method. */
bool assemble_find_anywhere(const struct assembler *assembler, struct assemble_method *method);

/* The data word that begins with the token. It may be one that waits for a label: then `form` is FORM_INVALID. */
enum pfifo_status assemble_word(struct assembler *assembler, const struct assemble_method *method, uint32_t *word);

/* assemble_labels.c */
bool assemble_is_label(const char *text, size_t bytes);
enum pfifo_status assemble_define_label(struct assembler *assembler, size_t bytes); /* of the token */
/* The token, from byte `skip` on, is a label whose address belongs into word `at`. */
enum pfifo_status assemble_use_label(struct assembler *assembler, size_t skip, enum grammar_form form, size_t at);
void assemble_resolve_labels(struct assembler *assembler);

/* assemble_buffers.c */
enum pfifo_status assemble_open_buffer(struct assembler *assembler); /* after `buffer` */
enum pfifo_status assemble_close_buffer(struct assembler *assembler);
/* At the end of the text: where they are. */
void assemble_place_buffers(struct assembler *assembler);
uint64_t assemble_address_of(const struct assembler *assembler, const struct assemble_label *label);
void assemble_tell_buffers(const struct assembler *assembler);

/* assemble_macros.c */

/* Another text, if this one has macros. PFIFO_ERROR_MEMORY; other errors are told, and the rest goes on. */
enum pfifo_status assemble_expand(struct assembler *assembler, const char **text, size_t *bytes);
void assemble_expanded_free(struct assemble_expanded *made);

/* assemble_report.c */

/* PFIFO_ERROR_ARGUMENT: what is wrong there. Lines that come after it are looked at, too. */
enum pfifo_status assemble_error(const struct assembler *assembler, unsigned line, size_t column, const char *format,
                                 ...) __attribute__((format(printf, 4, 5)));
void assemble_warn(const struct assembler *assembler, unsigned line, size_t column, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
enum pfifo_status assemble_no_memory(const struct assembler *assembler, const char *what);

/* What is wrong with the token; and the name that may have been meant, if one is near. */
enum pfifo_status assemble_wrong(const struct assembler *assembler, const char *what);
enum pfifo_status assemble_wrong_name(const struct assembler *assembler, const char *what,
                                      const struct pfifo_nearest *nearest);

/* assemble_refuse.c */

/* PFIFO_ERROR_ARGUMENT: the chip has no word for the command, which begins at that column; why. */
enum pfifo_status assemble_cannot_say(const struct assembler *assembler, size_t column, const char *name,
                                      const struct grammar_word *word);
enum pfifo_status assemble_too_long(const struct assembler *assembler, size_t column, const char *name, uint32_t count);

/* A command that the chip has, but that faults where segments of captures are. */
enum pfifo_status assemble_check_place(const struct assembler *assembler, size_t column, const char *name,
                                       const struct grammar_word *word);

/* assemble_unknown.c */

/* The method that the token names is not to be found: why, and what may have been meant. `subchannel` NULL: of any. */
enum pfifo_status assemble_unknown_method(const struct assembler *assembler, const uint8_t *subchannel,
                                          void (*also)(struct pfifo_nearest *nearest));
/* Try what could be where the name is. */
void assemble_near_value(const char *name, const struct pfifo_field *field, struct pfifo_nearest *nearest);
void assemble_near_field(const char *name, const struct pfifo_method_name *method, struct pfifo_nearest *nearest);

/* assemble_listing.c */

/* Takes the line if it is one of the decoder's text: then *taken. */
enum pfifo_status assemble_listed_line(struct assembler *assembler, bool *taken);

/* The segment ends: its words are put in the order of their addresses. */
enum pfifo_status assemble_end_segment(struct assembler *assembler);

#endif
