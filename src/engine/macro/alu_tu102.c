/* SPDX-License-Identifier: MIT */
/*
 * The ALUs of TU102 and later: arithmetic, state, the data RAM, and jumps.
 *
 * UNKNOWN: loops in loops; chosen: the inner one takes the place of the outer one.
 * UNKNOWN: what JAL links; chosen: nothing, its result is 0.
 * UNKNOWN: the data RAM beyond its end; chosen: reads 0, writes are dropped.
 */
#include <assert.h>

#include "engine/macro/tu102.h"
#include "engine/core/shadow.h"

uint32_t tu102_operand(const struct macro *m, const struct group *g, unsigned alu, unsigned from) {
    switch (from) {
    case REG_ZERO:
        return 0;
    case REG_IMMEDIATE:
        return tu102_sign_extend(g->alu[alu].immediate, 16);
    case REG_OTHER_IMMEDIATE:
        return tu102_sign_extend(g->alu[1 - alu].immediate, 16);
    case REG_IMMEDIATE_32:
        return tu102_immediate(g);
    case REG_LOAD0:
    case REG_LOAD1:
        return m->load[from - REG_LOAD0];
    default:
        assert(from < MACRO_REGISTERS); /* no other one is legal */
        return m->reg[from];
    }
}

/* Signed numbers compare like unsigned ones whose sign is the other way round. */
static bool alu_compare(unsigned operation, uint32_t x, uint32_t y) {
    const uint32_t sign = UINT32_C(1) << 31;
    switch (operation) {
    case OP_SLT:
    case OP_BLT:
        return (x ^ sign) < (y ^ sign);
    case OP_SLE:
    case OP_BLE:
        return (x ^ sign) <= (y ^ sign);
    case OP_SLTU:
    case OP_BLTU:
        return x < y;
    case OP_SLEU:
    case OP_BLEU:
        return x <= y;
    default:
        return x == y;
    }
}

/* Sums and products leave what does not fit for the other ALU. */
static uint32_t alu_wide(struct macro *m, unsigned operation, uint32_t x, uint32_t y) {
    uint64_t result = 0;
    switch (operation) {
    case OP_ADD:
        result = (uint64_t)x + y;
        break;
    case OP_SUB:
        result = ((uint64_t)x - y) & UINT64_C(0x1ffffffff);
        break;
    case OP_MUL:
        result = (uint64_t)((int64_t)(int32_t)x * (int32_t)y);
        break;
    default:
        result = (uint64_t)x * y;
        break;
    }
    m->upper = (uint32_t)(result >> 32);
    return (uint32_t)result;
}

static uint32_t alu_merge(uint32_t x, uint32_t y, uint32_t how) {
    uint32_t to = how >> 10 & 0x3f, from = how & 31, mask = (UINT32_C(1) << (how >> 5 & 31)) - 1;
    if (to > 31)
        return x;
    return (x & ~(mask << to)) | (y >> from & mask) << to;
}

static uint32_t shift_arithmetic(uint32_t x, unsigned by) {
    uint32_t sign = x >> 31 ? ~(UINT32_MAX >> by) : 0;
    return x >> by | sign;
}

static uint32_t logic(unsigned operation, uint32_t x, uint32_t y) {
    switch (operation) {
    case OP_CLZ:
        return x ? (uint32_t)__builtin_clz(x) : 32;
    case OP_SLL:
        return x << (y & 31);
    case OP_SRL:
        return x >> (y & 31);
    case OP_SRA:
        return shift_arithmetic(x, y & 31);
    case OP_AND:
        return x & y;
    case OP_NAND:
        return ~(x & y);
    case OP_OR:
        return x | y;
    default:
        return x ^ y;
    }
}

static void alu_branch(struct macro *m, uint32_t how, bool condition, struct course *course) {
    uint32_t offset = tu102_sign_extend(how, 13);
    if (condition != (how >> 15 & 1))
        return;
    if (offset == TU102_OFFSET_END)
        course->ends = true;
    else
        course->next = macro_pc(m, m->pc + 3 * offset);
}

/* The body is from the group after this one to the one before the offset. */
static void loop(struct macro *m, uint32_t times, uint32_t offset) {
    m->loop_left = times ? times - 1 : 0;
    m->loop_begin = macro_pc(m, m->pc + 3);
    m->loop_end = macro_pc(m, m->pc + 3 * (offset - 1));
}

uint32_t tu102_calculate(struct macro *m, const struct call *call, const struct group *g, unsigned alu,
                         struct course *course) {
    unsigned operation = g->alu[alu].operation;
    uint32_t x = tu102_operand(m, g, alu, g->alu[alu].from[0]), y = tu102_operand(m, g, alu, g->alu[alu].from[1]);
    uint32_t how = g->alu[alu].immediate;
    switch (operation) {
    case OP_ADD:
    case OP_SUB:
    case OP_MUL:
    case OP_MULU:
        return alu_wide(m, operation, x, y);
    case OP_ADDC:
        return x + y + m->upper;
    case OP_SUBB:
        return x - y - m->upper;
    case OP_MULH:
        return m->upper;
    case OP_EXTENDED: /* waits for READ_FIFOED, which is there at once */
        return 0;
    case OP_MERGE:
        return alu_merge(x, y, how);
    case OP_SLT:
    case OP_SLTU:
    case OP_SLE:
    case OP_SLEU:
    case OP_SEQ:
        return alu_compare(operation, x, y) ? UINT32_MAX : 0;
    case OP_STATE:
        return shadow_read(call->object, (x + y) & (MACRO_METHODS - 1));
    case OP_LOOP:
        loop(m, x, how);
        return 0;
    case OP_JAL:
        course->next = macro_pc(m, m->pc + 3 * tu102_sign_extend(how, 15));
        return 0;
    case OP_BLT:
    case OP_BLTU:
    case OP_BLE:
    case OP_BLEU:
    case OP_BEQ:
        alu_branch(m, how, alu_compare(operation, x, y), course);
        return 0;
    case OP_DREAD:
        return x < m->isa->data_words ? m->data[x] : 0;
    case OP_DWRITE:
        if (x < m->isa->data_words)
            m->data[x] = y;
        return 0;
    default:
        return logic(operation, x, y);
    }
}
