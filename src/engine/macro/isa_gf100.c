/* SPDX-License-Identifier: MIT */
/*
 * Instructions of GF100 to GV100: a word each. An instruction computes a result, and then does with it, with a
 * parameter and with the method address what its result operation says.
 *
 * Branches and exits have a delay slot (a branch that annuls has none when it is taken). An exit in the slot of a
 * branch that is taken does not count, nor does one on the branch itself.
 *
 * UNKNOWN: the program counter at the end of the code RAM; chosen: it wraps.
 * UNKNOWN: what opcode 6 and the ALU functions without a name do; chosen: they are illegal.
 * UNKNOWN: whether a branch in a delay slot is an error if it is not taken; chosen: it is.
 * UNKNOWN: shifts by a register that has more than 31 in it; chosen: the result is 0.
 * UNKNOWN: whether an instruction that fetches a parameter and sends its result sends before the parameter is there;
 * chosen: it waits first.
 */
#include "engine/macro/machine.h"
#include "engine/shadow.h"

enum opcode { OP_ALU, OP_ADD, OP_INSERT, OP_EXTRACT, OP_SHIFT_INSERT, OP_READ, OP_NONE, OP_BRANCH };

#define ALU_FUNCTIONS 0x1f0fu /* bit per function: 0 .. 3, 8 .. c */

/* What a result operation does: bits. */
enum {
    SETS_METHOD = 1 << 0,
    STORES_PARAMETER = 1 << 1, /* or else the result */
    SENDS_RESULT = 1 << 2,
    SENDS_PARAMETER = 1 << 3,
    SENDS_UPPER = 1 << 4, /* bits 17:12 of the result */
};

static const uint8_t operations[8] = {
    STORES_PARAMETER,
    0,
    SETS_METHOD,
    STORES_PARAMETER | SENDS_RESULT,
    SENDS_RESULT,
    STORES_PARAMETER | SETS_METHOD,
    SETS_METHOD | SENDS_PARAMETER,
    SETS_METHOD | SENDS_UPPER,
};

static bool is_legal(uint32_t word) {
    unsigned opcode = word & 7, function = word >> 17 & 31;
    if (opcode == OP_ALU)
        return ALU_FUNCTIONS >> function & 1;
    return opcode != OP_NONE;
}

/* Bits 31:14, signed. */
static uint32_t immediate(uint32_t word) {
    return (word >> 14 ^ 0x20000u) - 0x20000u;
}

static uint32_t shift_left(uint32_t value, uint32_t by) {
    return by < 32 ? value << by : 0;
}

static uint32_t shift_right(uint32_t value, uint32_t by) {
    return by < 32 ? value >> by : 0;
}

/* The carry of a subtraction says that nothing was borrowed. */
static uint32_t add(struct macro *m, uint32_t a, uint32_t b, uint32_t carry) {
    uint64_t sum = (uint64_t)a + b + carry;
    m->carry = sum >> 32;
    return (uint32_t)sum;
}

static uint32_t alu(struct macro *m, unsigned function, uint32_t a, uint32_t b) {
    switch (function) {
    case 0x0:
        return add(m, a, b, 0);
    case 0x1:
        return add(m, a, b, m->carry);
    case 0x2:
        return add(m, a, ~b, 1);
    case 0x3:
        return add(m, a, ~b, m->carry);
    case 0x8:
        return a ^ b;
    case 0x9:
        return a | b;
    case 0xa:
        return a & b;
    case 0xb:
        return a & ~b;
    default:
        return ~(a & b);
    }
}

static uint32_t result_of(struct macro *m, const struct object *object, uint32_t word) {
    uint32_t a = m->reg[word >> 11 & 7], b = m->reg[word >> 14 & 7];
    uint32_t from = word >> 17 & 31, to = word >> 27, mask = (UINT32_C(1) << (word >> 22 & 31)) - 1;
    switch (word & 7) {
    case OP_ALU:
        return alu(m, from, a, b);
    case OP_ADD:
        return a + immediate(word);
    case OP_INSERT:
        return (a & ~(mask << to)) | (b >> from & mask) << to;
    case OP_EXTRACT:
        return (shift_right(b, a) & mask) << to;
    case OP_SHIFT_INSERT:
        return shift_left(b >> from & mask, a);
    default:
        return shadow_read(object, (a + immediate(word)) & (MACRO_METHODS - 1));
    }
}

/* On behind an instruction that is done. */
static enum macro_step advance(struct macro *m, bool is_exit) {
    enum macro_slot slot = m->slot;
    m->slot = slot == MACRO_SLOT_NONE && is_exit ? MACRO_SLOT_EXIT : MACRO_SLOT_NONE;
    if (slot == MACRO_SLOT_EXIT)
        return MACRO_ENDS;
    m->pc = m->next_pc;
    m->next_pc = macro_pc(m, m->pc + 1);
    return MACRO_NEXT;
}

static enum macro_step branch(struct macro *m, uint32_t word) {
    bool if_not_zero = word >> 4 & 1, annuls = word >> 5 & 1;
    uint32_t target = macro_pc(m, m->pc + immediate(word));
    if (m->slot != MACRO_SLOT_NONE)
        return MACRO_DOUBLE_BRANCH;
    if ((m->reg[word >> 11 & 7] != 0) != if_not_zero)
        return advance(m, word >> 7 & 1);
    if (annuls) {
        m->next_pc = target;
        return advance(m, false);
    }
    advance(m, false);
    m->next_pc = target;
    m->slot = MACRO_SLOT_BRANCH;
    return MACRO_NEXT;
}

static enum macro_step step(struct macro *m, const struct call *call) {
    uint32_t word = m->opcode = m->code[m->pc];
    if ((word & 7) == OP_BRANCH)
        return branch(m, word);
    unsigned operation = operations[word >> 4 & 7];
    if (!is_legal(word))
        return MACRO_ILLEGAL;
    if (operation & (STORES_PARAMETER | SENDS_PARAMETER)) {
        if (!m->has_parameter)
            return MACRO_WAITS;
        m->has_parameter = false;
    }
    uint32_t result = result_of(m, call->object, word);
    if (operation & SETS_METHOD) {
        m->method = result & (MACRO_METHODS - 1);
        m->increment = result >> 12 & 0x3f;
    }
    if (operation & SENDS_RESULT)
        macro_send(m, result);
    if (operation & SENDS_PARAMETER)
        macro_send(m, m->parameter);
    if (operation & SENDS_UPPER)
        macro_send(m, result >> 12 & 0x3f);
    unsigned to = word >> 8 & 7;
    if (to)
        m->reg[to] = operation & STORES_PARAMETER ? m->parameter : result;
    return advance(m, word >> 7 & 1);
}

/* Sizes: what the registers at 0x404460 and 0x404464 have as masks. */
const struct macro_isa macro_isa_gf100 = {
    .code_words = 0x800, .starts = 0x80, .step_words = 1, .loads_r1 = true, .step = step};
