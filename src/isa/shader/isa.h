/* SPDX-License-Identifier: MIT */
/*
 * Instruction sets of shader processors, as tables: which words are which operation. A word at a time; what a program
 * is, and where it ends, the owner finds out.
 */
#ifndef PFIFO_SRC_ISA_SHADER_ISA_H
#define PFIFO_SRC_ISA_SHADER_ISA_H

#include <stddef.h>

#include "isa/shader/ir.h"

enum isa_result {
    ISA_OK,
    ISA_SCHEDULE, /* a word for the scheduler: no instruction, go on behind it */
    ISA_ILLEGAL,  /* no operation has this encoding: the hardware's ILLEGAL_INSTRUCTION */
};

struct isa {
    const char *name;   /* "gf100", "gf100k", "gk110", "gm107" */
    unsigned registers; /* in a thread, without the one that reads 0 */
    uint32_t unaligned; /* bits that are 0 in the address of an instruction */
    /*
     * Decode the instruction at `address` of the program region. `words` has what lies there, little endian, at least 8
     * bytes (past the end: zeros). *bytes: its length.
     */
    enum isa_result (*decode)(const uint8_t *words, uint32_t address, struct ir *out, unsigned *bytes);
};

/*
 * gf100: Fermi. gf100k: the same with words for the scheduler, GK104 .. GK107.
 * gk110: GK110, GK208, GK20A. gm107: Maxwell, Pascal.
 */
extern const struct isa isa_gf100, isa_gf100k, isa_gk110, isa_gm107;

/*
 * An instruction as text, in one line, with its guard, as in "@!P0 FADD.FTZ R0, R1, -c[0x1][0x20]". Returns the length
 * without the final zero; cut off at `room`.
 */
size_t isa_print(const struct ir *ir, char *text, size_t room);

#endif
