/* SPDX-License-Identifier: MIT */
/*
 * Instructions of GF100 to GV100, one word each, for the interpreter (engine/macro/) and the disassembler
 * (decode/macro_gf100.c).
 *
 *   2:0 opcode   6:4 what becomes of the result   7 exit   10:8 destination   13:11 a   16:14 b   21:17 function
 *   bit fields: 21:17 from bit, 26:22 size, 31:27 to bit      31:14 immediate      branch: 4 if not zero, 5 annul
 */
#ifndef PFIFO_SRC_ISA_MACRO_GF100_H
#define PFIFO_SRC_ISA_MACRO_GF100_H

#include "isa/macro.h"

enum gf100_opcode {
    GF100_ALU,
    GF100_ADD,
    GF100_INSERT,
    GF100_EXTRACT,
    GF100_SHIFT_INSERT,
    GF100_READ,
    GF100_NONE,
    GF100_BRANCH,
};

enum gf100_function {
    GF100_FN_ADD = 0x0,
    GF100_FN_ADDC = 0x1,
    GF100_FN_SUB = 0x2,
    GF100_FN_SUBB = 0x3,
    GF100_FN_XOR = 0x8,
    GF100_FN_OR = 0x9,
    GF100_FN_AND = 0xa,
    GF100_FN_ANDN = 0xb,
    GF100_FN_NAND = 0xc,
};

/* Bits: where the result goes, and what else happens. */
enum {
    GF100_SETS_METHOD = 1 << 0,
    GF100_STORES_PARAMETER = 1 << 1, /* or else the result */
    GF100_SENDS_RESULT = 1 << 2,
    GF100_SENDS_PARAMETER = 1 << 3,
    GF100_SENDS_UPPER = 1 << 4, /* bits 17:12 of the result */
};

extern const uint8_t gf100_operations[8];

static inline unsigned gf100_opcode(uint32_t word) {
    return word & 7;
}

static inline unsigned gf100_operation(uint32_t word) {
    return gf100_operations[word >> 4 & 7];
}

static inline bool gf100_exits(uint32_t word) {
    return word >> 7 & 1;
}

static inline unsigned gf100_to(uint32_t word) {
    return word >> 8 & 7;
}

static inline unsigned gf100_a(uint32_t word) {
    return word >> 11 & 7;
}

static inline unsigned gf100_b(uint32_t word) {
    return word >> 14 & 7;
}

static inline unsigned gf100_function(uint32_t word) {
    return word >> 17 & 31;
}

static inline unsigned gf100_from_bit(uint32_t word) {
    return word >> 17 & 31;
}

static inline unsigned gf100_size(uint32_t word) {
    return word >> 22 & 31;
}

static inline uint32_t gf100_mask(uint32_t word) {
    return (UINT32_C(1) << gf100_size(word)) - 1;
}

static inline unsigned gf100_to_bit(uint32_t word) {
    return word >> 27;
}

/* Signed. */
static inline uint32_t gf100_immediate(uint32_t word) {
    return (word >> 14 ^ 0x20000u) - 0x20000u;
}

static inline bool gf100_if_not_zero(uint32_t word) {
    return word >> 4 & 1;
}

static inline bool gf100_annuls(uint32_t word) {
    return word >> 5 & 1;
}

bool gf100_is_legal(uint32_t word);

#endif
