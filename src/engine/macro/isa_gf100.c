/* SPDX-License-Identifier: MIT */
/*
 * Instructions of GF100 to GV100: a word each. An instruction computes a result, and then does with it, with a
 * parameter and with the method address what its result operation says.
 *
 * Branches and exits have a delay slot (a branch that annuls has none when it is taken). An exit in the slot of a
 * branch that is taken does not count, nor does one on the branch itself.
 *
 * UNKNOWN: the program counter at the end of the code RAM; chosen: it wraps.
 * UNKNOWN: whether a branch in a delay slot is an error if it is not taken; chosen: it is.
 * UNKNOWN: shifts by a register that has more than 31 in it; chosen: the result is 0.
 * UNKNOWN: whether an instruction that fetches a parameter and sends its result sends before the parameter is there;
 * chosen: it waits first.
 */
#include "isa/macro_gf100.h"

#include "engine/macro/machine.h"
#include "engine/core/shadow.h"

static uint32_t shift_left(uint32_t value, uint32_t by) {
    return by < 32 ? value << by : 0;
}

static uint32_t shift_right(uint32_t value, uint32_t by) {
    return by < 32 ? value >> by : 0;
}

/* The carry of a subtraction says that nothing was borrowed. */
static uint32_t gf100_add(struct macro *m, uint32_t a, uint32_t b, uint32_t carry) {
    uint64_t sum = (uint64_t)a + b + carry;
    m->carry = sum >> 32;
    return (uint32_t)sum;
}

static uint32_t alu(struct macro *m, unsigned function, uint32_t a, uint32_t b) {
    switch (function) {
    case GF100_FN_ADD:
        return gf100_add(m, a, b, 0);
    case GF100_FN_ADDC:
        return gf100_add(m, a, b, m->carry);
    case GF100_FN_SUB:
        return gf100_add(m, a, ~b, 1);
    case GF100_FN_SUBB:
        return gf100_add(m, a, ~b, m->carry);
    case GF100_FN_XOR:
        return a ^ b;
    case GF100_FN_OR:
        return a | b;
    case GF100_FN_AND:
        return a & b;
    case GF100_FN_ANDN:
        return a & ~b;
    default:
        return ~(a & b);
    }
}

static uint32_t result_of(struct macro *m, const struct object *object, uint32_t word) {
    uint32_t a = m->reg[gf100_a(word)], b = m->reg[gf100_b(word)];
    uint32_t from = gf100_from_bit(word), to = gf100_to_bit(word), mask = gf100_mask(word);
    switch (gf100_opcode(word)) {
    case GF100_ALU:
        return alu(m, gf100_function(word), a, b);
    case GF100_ADD:
        return a + gf100_immediate(word);
    case GF100_INSERT:
        return (a & ~(mask << to)) | (b >> from & mask) << to;
    case GF100_EXTRACT:
        return (shift_right(b, a) & mask) << to;
    case GF100_SHIFT_INSERT:
        return shift_left(b >> from & mask, a);
    default:
        return shadow_read(object, (a + gf100_immediate(word)) & (MACRO_METHODS - 1));
    }
}

/* On after an instruction that is done. */
static enum macro_step gf100_advance(struct macro *m, bool is_exit) {
    enum macro_slot slot = m->slot;
    m->slot = slot == MACRO_SLOT_NONE && is_exit ? MACRO_SLOT_EXIT : MACRO_SLOT_NONE;
    if (slot == MACRO_SLOT_EXIT)
        return MACRO_ENDS;
    m->pc = m->next_pc;
    m->next_pc = macro_pc(m, m->pc + 1);
    return MACRO_NEXT;
}

static enum macro_step gf100_branch(struct macro *m, uint32_t word) {
    uint32_t target = macro_pc(m, m->pc + gf100_immediate(word));
    if (m->slot != MACRO_SLOT_NONE)
        return MACRO_DOUBLE_BRANCH;
    if ((m->reg[gf100_a(word)] != 0) != gf100_if_not_zero(word))
        return gf100_advance(m, gf100_exits(word));
    if (gf100_annuls(word)) {
        m->next_pc = target;
        return gf100_advance(m, false);
    }
    gf100_advance(m, false);
    m->next_pc = target;
    m->slot = MACRO_SLOT_BRANCH;
    return MACRO_NEXT;
}

enum macro_step macro_step_gf100(struct macro *m, const struct call *call) {
    uint32_t word = m->opcode = m->code[m->pc];
    if (gf100_opcode(word) == GF100_BRANCH)
        return gf100_branch(m, word);
    unsigned operation = gf100_operation(word);
    if (!gf100_is_legal(word))
        return MACRO_ILLEGAL;
    if (operation & (GF100_STORES_PARAMETER | GF100_SENDS_PARAMETER)) {
        if (!m->has_parameter)
            return MACRO_WAITS;
        m->has_parameter = false;
    }
    uint32_t result = result_of(m, call->object, word);
    if (operation & GF100_SETS_METHOD) {
        m->method = result & (MACRO_METHODS - 1);
        m->increment = result >> 12 & 0x3f;
    }
    if (operation & GF100_SENDS_RESULT)
        macro_send(m, result);
    if (operation & GF100_SENDS_PARAMETER)
        macro_send(m, m->parameter);
    if (operation & GF100_SENDS_UPPER)
        macro_send(m, result >> 12 & 0x3f);
    unsigned to = gf100_to(word);
    if (to)
        m->reg[to] = operation & GF100_STORES_PARAMETER ? m->parameter : result;
    return gf100_advance(m, gf100_exits(word));
}
