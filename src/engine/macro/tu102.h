/* SPDX-License-Identifier: MIT */
/* What the ALUs of TU102 and later do (alu_tu102.c) with the groups of instructions that isa_tu102.c executes. */
#ifndef PFIFO_SRC_ENGINE_MACRO_TU102_H
#define PFIFO_SRC_ENGINE_MACRO_TU102_H

#include "engine/macro/machine.h"
#include "isa/macro_tu102.h"

/* Where control goes after this group. */
struct course {
    uint32_t next;
    bool ends;
};

/* What a source of ALU `alu` is. */
uint32_t tu102_operand(const struct macro *m, const struct group *g, unsigned alu, unsigned from);

/* Execute the operation of ALU `alu`, and return its result. */
uint32_t tu102_calculate(struct macro *m, const struct call *call, const struct group *g, unsigned alu,
                         struct course *course);

#endif
