/* SPDX-License-Identifier: MIT */
/* Checks that an instruction set has the encodings of a list, whatever the other bits are. */
#ifndef PFIFO_TESTS_ISA_ROWS_H
#define PFIFO_TESTS_ISA_ROWS_H

#include <stddef.h>
#include <stdint.h>

#include "isa/shader/isa.h"

struct encoding {
    const char *name;
    uint64_t value, mask;
};

/* Fails unless each encoding decodes with some operands, and never as something else. */
void expect_encodings(const struct isa *isa, const struct encoding *list, size_t count);

/* Fails if words of which no encoding in the list knows decode, or others than `expected` of `tries` do. */
void expect_nothing_else(const struct isa *isa, const struct encoding *list, size_t count);

enum isa_result decode_word(const struct isa *isa, uint64_t word, uint32_t address, struct ir *out);

#endif
