/* SPDX-License-Identifier: MIT */
/*
 * Instruction sets of shader processors, as tables: which bytes are which operations. An instruction at a time; what a
 * program is, and where it ends, the owner finds out.
 *
 *   struct ir ops[ISA_MOST_OPERATIONS];
 *   struct isa_decoded found = isa->decode(code, bytes, address, ops, ISA_MOST_OPERATIONS);
 *   found.result == ISA_OK: ops[0 .. found.count - 1], one after the other; the next instruction is found.bytes on
 */
#ifndef PFIFO_SRC_ISA_SHADER_ISA_H
#define PFIFO_SRC_ISA_SHADER_ISA_H

#include <stddef.h>

#include "isa/shader/ir.h"

/* No instruction set has longer ones, nor any that are more operations. */
enum { ISA_MOST_BYTES = 16, ISA_MOST_OPERATIONS = 4 };

enum isa_result {
    ISA_OK,
    ISA_SCHEDULE, /* a word for the scheduler: no instruction, go on after it */
    ISA_ILLEGAL,  /* no operation has this encoding: the hardware's ILLEGAL_INSTRUCTION */
};

/* What bytes are. */
struct isa_decoded {
    enum isa_result result;
    uint8_t bytes; /* the length, whatever it is */
    uint8_t count; /* of operations: of ISA_OK one at least, else none */
};

struct isa_texts;

struct isa {
    const struct isa_texts *texts; /* text.h */
    const char *name;              /* "gf100", "gf100k", "gk110", "gm107" */
    unsigned registers;            /* in a thread, without the one that reads 0 */
    uint32_t unaligned;            /* bits that are 0 in the address of an instruction */
    uint8_t bytes;                 /* of the longest instruction */
    uint8_t operations;            /* of the one that has most */
    /*
     * Decode the instruction at `address` of the program region: `bytes` bytes lie there, little endian, and zeros
     * after them. `out` has room for `most` operations, at least as many as `operations` says; the first of them is
     * written whatever the bytes are.
     */
    struct isa_decoded (*decode)(const uint8_t *code, size_t bytes, uint64_t address, struct ir *out, unsigned most);
};

/*
 * gf100: Fermi. gf100k: the same with words for the scheduler, GK104 .. GK107.
 * gk110: GK110, GK208, GK20A. gm107: Maxwell, Pascal.
 */
extern const struct isa isa_gf100, isa_gf100k, isa_gk110, isa_gm107;

/*
 * An instruction as text, with everything that its bytes say, from the text rows of its instruction set: for people who
 * know nvdisasm. `control` is the word for the scheduler that it belongs to, 0: none is known. Returns the length without
 * the final zero; cut off at `room`. 0: no row has these bytes, which are no instruction then.
 */
size_t isa_text(const struct isa *isa, const uint8_t *code, size_t bytes, uint64_t address, uint64_t control,
                char *text, size_t room);
/* The same of a word for the scheduler: "schedule", and what it says. */
size_t isa_text_control(const struct isa *isa, const uint8_t *code, size_t bytes, char *text, size_t room);

#endif
