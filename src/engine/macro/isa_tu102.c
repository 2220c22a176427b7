/* SPDX-License-Identifier: MIT */
/*
 * Instructions of TU102 and later (MME64): groups of three words, the upper one first in memory. A group has two ALU
 * operations, then two outputs, each of which may set the method address and may send. A predicate can switch off any
 * of the four. Addresses and offsets of jumps count groups, the program counter words.
 *
 * UNKNOWN: the result of an operation that was switched off; chosen: that of the last one on the same ALU.
 */
#include <assert.h>

#include "engine/macro/tu102.h"

static struct group group_at(struct macro *m) {
    const uint32_t words[3] = {m->code[macro_pc(m, m->pc + 2)], m->code[macro_pc(m, m->pc + 1)], m->code[m->pc]};
    m->opcode = words[2];
    return tu102_group(words);
}

/* ---- parameters ---- */

static bool fetches(const struct group *g, unsigned load) {
    bool does = g->predicate == REG_LOAD0 + load;
    for (unsigned i = 0; i < 2; i++)
        does |= g->alu[i].from[0] == REG_LOAD0 + load || g->alu[i].from[1] == REG_LOAD0 + load ||
                g->out[i].method == OUT_LOAD0 + load || g->out[i].data == OUT_LOAD0 + load;
    return does;
}

static bool tu102_fetch(struct macro *m, const struct call *call, uint32_t *parameter) {
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
        if (!tu102_fetch(m, call, &m->load[load]))
            return false;
        m->loads++;
        assert(m->loads <= sizeof m->load / sizeof m->load[0]);
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

static enum macro_step tu102_advance(struct macro *m, const struct group *g, const struct course *course) {
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

enum macro_step macro_step_tu102(struct macro *m, const struct call *call) {
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
    return tu102_advance(m, &g, &course);
}
