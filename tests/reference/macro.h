/* SPDX-License-Identifier: MIT */
/*
 * A second, plain macro processor: the parameters are all there from the start, what is sent is a list. It knows
 * nothing of what methods do but that they are written down for READ; so it ends where a method with an action of its
 * own would be sent.
 */
#ifndef PFIFO_TESTS_REFERENCE_MACRO_H
#define PFIFO_TESTS_REFERENCE_MACRO_H

#include <stdbool.h>
#include <stdint.h>

#define REFERENCE_MACRO_SENDS 512

enum reference_macro_end {
    REFERENCE_MACRO_END,
    REFERENCE_MACRO_STARVED, /* no parameter is left */
    REFERENCE_MACRO_ILLEGAL,
    REFERENCE_MACRO_DOUBLE,
    REFERENCE_MACRO_TIMEOUT,
    REFERENCE_MACRO_LEFT, /* cannot go on: a method that is not plain, or too many of them */
};

struct reference_macro {
    const uint32_t *code; /* all of the code RAM */
    uint32_t code_words, start;
    const uint32_t *parameters;
    uint32_t parameter_count;
    uint32_t values[0x1000]; /* of methods */
    bool (*is_plain)(uint32_t method, void *opaque);
    void *opaque;
    uint32_t data[0xc00];

    bool lost;     /* it has read what is not known */
    uint32_t used; /* parameters */
    uint32_t steps;
    uint32_t reg[24];
    uint32_t sends;
    struct {
        uint32_t method, data;
    } send[REFERENCE_MACRO_SENDS];
};

enum reference_macro_end reference_macro_gf100(struct reference_macro *macro);
enum reference_macro_end reference_macro_tu102(struct reference_macro *macro);

#endif
