/* SPDX-License-Identifier: MIT */
/* What the text of an operation consists of. */
#ifndef PFIFO_SRC_ISA_SHADER_PRINT_H
#define PFIFO_SRC_ISA_SHADER_PRINT_H

#include "isa/shader/isa.h"

enum {
    ISA_TYPES = 14,
    ISA_ATOMICS = 12,
    ISA_TYPE = 7, /* the bits of how types are said */
    ISA_TYPE_SIGN = 1,
    ISA_TYPE_SIGNS = 2,
    ISA_TYPE_CONVERT = 3,
    ISA_TYPE_SIZE = 4,
    ISA_TYPE_ATOMIC = 5,
    ISA_COMPARES = 8,
    ISA_COMBINES = 16,
    ISA_COMBINES1 = 32,
    ISA_TEXTURE = 64,
};

/*
 * `operands`: a letter for each, in their order. d a b c: registers and sources; p q: predicate destinations, o: p if
 * there is one; P: the combining predicate; A B: a and b as predicates; f: the test, if there is one; m: memory, v: an
 * attribute, n: a constant, at a + offset; s: a special register; t: a target; h: the shift; k: the mask, if it is not
 * all lanes.
 */
struct isa_form {
    const char *operands;
    uint8_t what;
    uint8_t mode_count;
    const char *const *modes;
};

struct isa_form isa_form_of(const struct ir *ir);

extern const char *const isa_test_names[32], *const isa_part_names[8], *const isa_type_names[ISA_TYPES],
                                                                           *const isa_size_names[ISA_TYPES],
                                                                               *const isa_atomic_names[ISA_ATOMICS];

#endif
