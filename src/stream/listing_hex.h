/* SPDX-License-Identifier: MIT */
/*
 * A line of a log or of a dump that may have words in hexadecimal digits.
 *
 *   [  12.345678] nouveau 0000:01:00.0: push: 00000010: 20012000 00009097 ....|  ....  # ....
 *   '------------- prefix -----------------'  address   '---- units ----'   column or comment
 *
 * Sources: the output of xxd, hexdump -C, hexdump, od -x and -t x4, gdb's x/wx, and of print_hex_dump() of Linux
 */
#ifndef PFIFO_STREAM_LISTING_HEX_H
#define PFIFO_STREAM_LISTING_HEX_H

#include "stream/listing.h"

enum hex_kind {
    HEX_OTHER,  /* no words */
    HEX_UNITS,  /* units of 2, 4 or 8 digits, of which those of 8 need no address */
    HEX_LONE,   /* one number: a word if it has 8 digits, or the address after the last line of a dump */
    HEX_REPEAT, /* *: the line before, up to the address of the next */
    HEX_BAD,    /* words, and a number that is none: `bad` */
};

struct hex_line {
    enum hex_kind kind;
    uint32_t prefix;     /* a hash of the text in front, but for numbers and blanks; 0: there is none */
    const char *address; /* its digits; NULL: none. Of HEX_LONE, the number */
    size_t address_digits;
    bool colon;      /* after the address */
    unsigned digits; /* of a unit */
    unsigned units;
    const char *first;  /* unit */
    const char *column; /* the bytes as text, one character each; NULL: none. Blanks at the end may be missing */
    const char *end;    /* of the line */
    const char *bad;
    size_t bad_length;
};

struct hex_line hex_line_parse(const struct listing_line *line);

/* Does the line have words, or is it the end of the dump that `last` (units 0: none) was a line of? */
bool hex_line_has_units(const struct hex_line *line, const struct hex_line *last);

/* The next of the `units` from `first` on; *at is after it. */
uint32_t hex_line_unit(const struct hex_line *line, const char **at);

#endif
