/* SPDX-License-Identifier: MIT */
/* UNKNOWN: what opcode 6 and the ALU functions without a name do; chosen: they are illegal. */
#include "isa/macro_gf100.h"

#define ALU_FUNCTIONS 0x1f0fu /* bit per function: 0 .. 3, 8 .. c */

const uint8_t gf100_operations[8] = {
    GF100_STORES_PARAMETER,
    0,
    GF100_SETS_METHOD,
    GF100_STORES_PARAMETER | GF100_SENDS_RESULT,
    GF100_SENDS_RESULT,
    GF100_STORES_PARAMETER | GF100_SETS_METHOD,
    GF100_SETS_METHOD | GF100_SENDS_PARAMETER,
    GF100_SETS_METHOD | GF100_SENDS_UPPER,
};

bool gf100_is_legal(uint32_t word) {
    unsigned opcode = gf100_opcode(word);
    if (opcode == GF100_ALU)
        return ALU_FUNCTIONS >> gf100_function(word) & 1;
    return opcode != GF100_NONE;
}

/* Sizes: what the registers at 0x404460 and 0x404464 have as masks. */
const struct macro_isa macro_isa_gf100 = {.code_words = 0x800, .starts = 0x80, .step_words = 1, .loads_r1 = true};
