/* SPDX-License-Identifier: MIT */
/*
 * The assembler: lines of text to pushbuffer words, through grammar_encode().
 *
 *   "inc 0 FERMI_A.SET_OBJECT 0x9097" --> command, tokens --> struct grammar_word --> 20010000 00009097
 */
#ifndef PFIFO_DECODE_ASSEMBLE_H
#define PFIFO_DECODE_ASSEMBLE_H

#include <pfifo/decode.h>

#include "chip/chip.h"
#include "grammar/grammar.h"

struct assembler {
    const struct pfifo_chip *chip;
    const struct grammar *grammar;
    uint32_t *words;
    size_t max, count;
    unsigned line;
    struct pfifo_error *error;
};

/* Tokens of one line: `at` points behind the last one. */
struct line_tokens {
    const char *at, *end;
};

/* The next token as text (cut to `size`), false at the end of the line. */
bool assemble_token(struct line_tokens *tokens, char *text, size_t size);

/* The number in a token; false if it is not a number or too large. */
bool assemble_number(const char *text, uint32_t max, uint32_t *value);
bool assemble_data(const char *text, uint32_t *value);
bool assemble_hex(const char *text, uint32_t *value);
bool assemble_method(const struct pfifo_chip *chip, const char *text, uint32_t *method);

#endif
