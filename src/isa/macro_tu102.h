/* SPDX-License-Identifier: MIT */
/*
 * A decoded group of instructions of TU102 and later, for the interpreter (engine/macro/) and the disassembler
 * (decode/macro_tu102.c).
 */
#ifndef PFIFO_SRC_ISA_MACRO_TU102_H
#define PFIFO_SRC_ISA_MACRO_TU102_H

#include <assert.h>

#include "isa/macro.h"

enum operation {
    OP_ADD,
    OP_ADDC,
    OP_SUB,
    OP_SUBB,
    OP_MUL,
    OP_MULH,
    OP_MULU,
    OP_EXTENDED,
    OP_CLZ,
    OP_SLL,
    OP_SRL,
    OP_SRA,
    OP_AND,
    OP_NAND,
    OP_OR,
    OP_XOR,
    OP_MERGE,
    OP_SLT,
    OP_SLTU,
    OP_SLE,
    OP_SLEU,
    OP_SEQ,
    OP_STATE,
    OP_LOOP,
    OP_JAL,
    OP_BLT,
    OP_BLTU,
    OP_BLE,
    OP_BLEU,
    OP_BEQ,
    OP_DREAD,
    OP_DWRITE,
};

enum { REG_ZERO = 24, REG_IMMEDIATE, REG_OTHER_IMMEDIATE, REG_IMMEDIATE_32, REG_LOAD0, REG_LOAD1 };

struct group {
    bool end_next;
    unsigned mode, predicate;
    struct {
        unsigned operation, to, from[2];
        uint32_t immediate; /* 16 bits */
    } alu[2];
    struct {
        unsigned method, data;
    } out[2];
};

/* The source of an output's method address, and of its data. */
enum {
    OUT_NONE,
    OUT_ALU0,
    OUT_ALU1,
    OUT_LOAD0,
    OUT_LOAD1,
    OUT_IMMEDIATE0,
    OUT_IMMEDIATE1,
    OUT_RESERVED,
    OUT_UPPER0, /* bits 15:12 of the immediate */
    OUT_UPPER1,
    OUT_IMMEDIATE_32,
    OUT_SOURCES,
};

#define TU102_OFFSET_END 0xfffff000u /* of a branch: the macro ends */

/* A group from its words, the one with the lowest bits first (in memory it is the last). */
struct group tu102_group(const uint32_t words[3]);
bool tu102_is_legal(const struct group *g);

/* Which parts are executed: bits 0 and 1 the ALUs, 2 and 3 the outputs. */
unsigned tu102_parts(const struct group *g, bool predicate_is_zero);

/* Offsets of branches (13 bits) and of JAL (15 bits), in groups. */
static inline uint32_t tu102_sign_extend(uint32_t value, unsigned bits) {
    assert(bits && bits < 32);
    uint32_t sign = UINT32_C(1) << (bits - 1);
    return ((value & (2 * sign - 1)) ^ sign) - sign;
}

/* Both immediates together. */
static inline uint32_t tu102_immediate(const struct group *g) {
    return g->alu[0].immediate << 16 | g->alu[1].immediate;
}

#endif
