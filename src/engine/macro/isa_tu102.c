/* SPDX-License-Identifier: MIT */
/*
 * Instructions of TU102 and later (MME64): groups of three words, the upper one first in memory. A group has two ALU
 * operations, then two outputs, each of which may set the method address and may send. A predicate can switch off any
 * of the four. Addresses and offsets of jumps count groups, the program counter words.
 *
 * UNKNOWN: whether letter T of a predicate mode runs its part on a register that is not 0, as the name says, or on 0,
 * as Mesa's simulator has it, whose tests were run on hardware; chosen: Mesa's way, see RUNS_T_ON_ZERO.
 * UNKNOWN: size of the code RAM; chosen: the 4096 groups that a branch can name, and up to a power of two.
 * UNKNOWN: operations without their partner, two STATEs, and registers and sources without a name; chosen: illegal.
 * UNKNOWN: the result of an operation that was switched off; chosen: that of the last one on the same ALU.
 */
#include "engine/macro/tu102.h"

#define RUNS_T_ON_ZERO true

/* Parts of a group: ALU 0 and 1, output 0 and 1. Per mode those that T and those that F switches. */
static const struct {
    uint8_t t, f;
} modes[16] = {
    {0x0, 0x0}, {0xf, 0x0}, {0x0, 0xf}, {0x3, 0x0}, {0x0, 0x3}, {0x1, 0x2}, {0x1, 0x0}, {0x0, 0x1},
    {0xc, 0x0}, {0x4, 0x8}, {0x4, 0x0}, {0x8, 0x4}, {0x0, 0xc}, {0x0, 0x4}, {0x8, 0x0}, {0x0, 0x8},
};

/* ---- decoding ---- */

static uint32_t field(const uint32_t *words, unsigned at, unsigned bits) {
    uint64_t pair = words[at / 32];
    if (at / 32 < 2)
        pair |= (uint64_t)words[at / 32 + 1] << 32;
    return (uint32_t)(pair >> at % 32) & ((1u << bits) - 1);
}

struct group tu102_group(const uint32_t words[3]) {
    struct group g = {.end_next = words[0] & 1, .mode = field(words, 1, 4), .predicate = field(words, 5, 5)};
    for (unsigned i = 0; i < 2; i++) {
        unsigned at = i ? 46 : 10, out = i ? 89 : 82;
        g.alu[i].operation = field(words, at, 5);
        g.alu[i].to = field(words, at + 5, 5);
        g.alu[i].from[0] = field(words, at + 10, 5);
        g.alu[i].from[1] = field(words, at + 15, 5);
        g.alu[i].immediate = field(words, at + 20, 16);
        g.out[i].method = field(words, out, 3);
        g.out[i].data = field(words, out + 3, 4);
    }
    return g;
}

static struct group group_at(struct macro *m) {
    const uint32_t words[3] = {m->code[macro_pc(m, m->pc + 2)], m->code[macro_pc(m, m->pc + 1)], m->code[m->pc]};
    m->opcode = words[2];
    return tu102_group(words);
}

static bool is_pair(const struct group *g) {
    unsigned first = g->alu[0].operation, second = g->alu[1].operation;
    if (first == OP_ADDC || first == OP_SUBB || first == OP_MULH)
        return false;
    switch (second) {
    case OP_ADDC:
        return first == OP_ADD;
    case OP_SUBB:
        return first == OP_SUB;
    case OP_MULH:
        return first == OP_MUL || first == OP_MULU;
    case OP_STATE:
        return first != OP_STATE;
    default:
        return true;
    }
}

/* A predicate has no immediate of its own. */
bool tu102_is_legal(const struct group *g) {
    if (!is_pair(g) || g->predicate > REG_LOAD1 || g->predicate == REG_IMMEDIATE || g->predicate == REG_OTHER_IMMEDIATE)
        return false;
    for (unsigned i = 0; i < 2; i++)
        if (g->alu[i].to > REG_ZERO || g->alu[i].from[0] > REG_LOAD1 || g->alu[i].from[1] > REG_LOAD1 ||
            g->out[i].method == OUT_RESERVED || g->out[i].data == OUT_RESERVED || g->out[i].data >= OUT_SOURCES)
            return false;
    return true;
}

/* ---- parameters ---- */

static bool fetches(const struct group *g, unsigned load) {
    bool does = g->predicate == REG_LOAD0 + load;
    for (unsigned i = 0; i < 2; i++)
        does |= g->alu[i].from[0] == REG_LOAD0 + load || g->alu[i].from[1] == REG_LOAD0 + load ||
                g->out[i].method == OUT_LOAD0 + load || g->out[i].data == OUT_LOAD0 + load;
    return does;
}

static bool fetch(struct macro *m, const struct call *call, uint32_t *parameter) {
    if (m->fifo_left) {
        *parameter = macro_dma_word(call, m);
        return true;
    }
    if (!m->has_parameter)
        return false;
    m->has_parameter = false;
    *parameter = m->parameter;
    return true;
}

/* Those that the group needs, LOAD0 first; some may have come before. False: one is missing. */
static bool fetch_all(struct macro *m, const struct call *call, const struct group *g) {
    uint32_t number = 0;
    for (unsigned load = 0; load < 2; load++) {
        if (!fetches(g, load) || number++ < m->loads)
            continue;
        if (!fetch(m, call, &m->load[load]))
            return false;
        m->loads++;
    }
    m->loads = 0;
    return true;
}

/* ---- outputs ---- */

static uint32_t source(const struct macro *m, const struct group *g, unsigned from) {
    switch (from) {
    case OUT_ALU0:
    case OUT_ALU1:
        return m->result[from - OUT_ALU0];
    case OUT_LOAD0:
    case OUT_LOAD1:
        return m->load[from - OUT_LOAD0];
    case OUT_IMMEDIATE0:
    case OUT_IMMEDIATE1:
        return g->alu[from - OUT_IMMEDIATE0].immediate;
    case OUT_UPPER0:
    case OUT_UPPER1:
        return g->alu[from - OUT_UPPER0].immediate >> 12;
    default:
        return tu102_immediate(g);
    }
}

static void output(struct macro *m, const struct group *g, unsigned out) {
    if (g->out[out].method != OUT_NONE) {
        uint32_t address = source(m, g, g->out[out].method);
        m->method = address & (MACRO_METHODS - 1);
        m->increment = address >> 12 & 0xf;
    }
    if (g->out[out].data != OUT_NONE)
        macro_send(m, source(m, g, g->out[out].data));
}

/* ---- a group ---- */

unsigned tu102_parts(const struct group *g, bool predicate_is_zero) {
    return 0xf & ~(unsigned)(predicate_is_zero == RUNS_T_ON_ZERO ? modes[g->mode].f : modes[g->mode].t);
}

static enum macro_step advance(struct macro *m, const struct group *g, const struct course *course) {
    uint32_t next = course->next;
    if (m->end_next || course->ends)
        return MACRO_ENDS;
    m->end_next = g->end_next;
    if (m->loop_left && m->pc == m->loop_end) {
        m->loop_left--;
        next = m->loop_begin;
    }
    m->pc = next;
    m->next_pc = macro_pc(m, next + 3);
    return MACRO_NEXT;
}

static enum macro_step step(struct macro *m, const struct call *call) {
    struct group g = group_at(m);
    struct course course = {.next = macro_pc(m, m->pc + 3)};
    if (!tu102_is_legal(&g))
        return MACRO_ILLEGAL;
    if (!fetch_all(m, call, &g))
        return MACRO_WAITS;
    unsigned parts = tu102_parts(&g, tu102_operand(m, &g, 0, g.predicate) == 0);
    for (unsigned i = 0; i < 2; i++) {
        if (!(parts >> i & 1))
            continue;
        m->result[i] = tu102_calculate(m, call, &g, i, &course);
        if (g.alu[i].to != REG_ZERO)
            m->reg[g.alu[i].to] = m->result[i];
    }
    for (unsigned i = 0; i < 2; i++)
        if (parts >> (2 + i) & 1)
            output(m, &g, i);
    return advance(m, &g, &course);
}

const struct macro_isa macro_isa_tu102 = {
    .code_words = 0x4000, .starts = 0x100, .data_words = 0xc00, .step_words = 3, .step = step};
