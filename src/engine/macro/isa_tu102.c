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
 * UNKNOWN: loops in loops; chosen: the inner one takes the place of the outer one.
 * UNKNOWN: what JAL links; chosen: nothing, its result is 0.
 * UNKNOWN: the data RAM beyond its end; chosen: reads 0, writes are dropped.
 */
#include "engine/macro/machine.h"
#include "engine/shadow.h"

#define RUNS_T_ON_ZERO true

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

static struct group group_at(struct macro *m) {
    const uint32_t words[3] = {m->code[macro_pc(m, m->pc + 2)], m->code[macro_pc(m, m->pc + 1)], m->code[m->pc]};
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
    m->opcode = words[2];
    return g;
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
static bool is_legal(const struct group *g) {
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

/* ---- ALUs ---- */

static uint32_t sign_extend(uint32_t value, unsigned bits) {
    uint32_t sign = UINT32_C(1) << (bits - 1);
    return ((value & (2 * sign - 1)) ^ sign) - sign;
}

static uint32_t immediate_32(const struct group *g) {
    return g->alu[0].immediate << 16 | g->alu[1].immediate;
}

static uint32_t operand(const struct macro *m, const struct group *g, unsigned alu, unsigned from) {
    switch (from) {
    case REG_ZERO:
        return 0;
    case REG_IMMEDIATE:
        return sign_extend(g->alu[alu].immediate, 16);
    case REG_OTHER_IMMEDIATE:
        return sign_extend(g->alu[1 - alu].immediate, 16);
    case REG_IMMEDIATE_32:
        return immediate_32(g);
    case REG_LOAD0:
    case REG_LOAD1:
        return m->load[from - REG_LOAD0];
    default:
        return m->reg[from];
    }
}

/* Signed numbers compare like unsigned ones whose sign is the other way round. */
static bool compare(unsigned operation, uint32_t x, uint32_t y) {
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
static uint32_t wide(struct macro *m, unsigned operation, uint32_t x, uint32_t y) {
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

static uint32_t merge(uint32_t x, uint32_t y, uint32_t how) {
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

/* Where control goes behind this group. */
struct course {
    uint32_t next;
    bool ends;
};

#define OFFSET_END 0xfffff000u /* of a branch: the macro ends */

static void branch(struct macro *m, uint32_t how, bool condition, struct course *course) {
    uint32_t offset = sign_extend(how, 13);
    if (condition != (how >> 15 & 1))
        return;
    if (offset == OFFSET_END)
        course->ends = true;
    else
        course->next = macro_pc(m, m->pc + 3 * offset);
}

/* The body is from the group behind this one to the one before the offset. */
static void loop(struct macro *m, uint32_t times, uint32_t offset) {
    m->loop_left = times ? times - 1 : 0;
    m->loop_begin = macro_pc(m, m->pc + 3);
    m->loop_end = macro_pc(m, m->pc + 3 * (offset - 1));
}

static uint32_t calculate(struct macro *m, const struct call *call, const struct group *g, unsigned alu,
                          struct course *course) {
    unsigned operation = g->alu[alu].operation;
    uint32_t x = operand(m, g, alu, g->alu[alu].from[0]), y = operand(m, g, alu, g->alu[alu].from[1]);
    uint32_t how = g->alu[alu].immediate;
    switch (operation) {
    case OP_ADD:
    case OP_SUB:
    case OP_MUL:
    case OP_MULU:
        return wide(m, operation, x, y);
    case OP_ADDC:
        return x + y + m->upper;
    case OP_SUBB:
        return x - y - m->upper;
    case OP_MULH:
        return m->upper;
    case OP_EXTENDED: /* waits for READ_FIFOED, which is there at once */
        return 0;
    case OP_MERGE:
        return merge(x, y, how);
    case OP_SLT:
    case OP_SLTU:
    case OP_SLE:
    case OP_SLEU:
    case OP_SEQ:
        return compare(operation, x, y) ? UINT32_MAX : 0;
    case OP_STATE:
        return shadow_read(call->object, (x + y) & (MACRO_METHODS - 1));
    case OP_LOOP:
        loop(m, x, how);
        return 0;
    case OP_JAL:
        course->next = macro_pc(m, m->pc + 3 * sign_extend(how, 15));
        return 0;
    case OP_BLT:
    case OP_BLTU:
    case OP_BLE:
    case OP_BLEU:
    case OP_BEQ:
        branch(m, how, compare(operation, x, y), course);
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
        return immediate_32(g);
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

/* Which parts are executed. */
static unsigned parts_of(const struct macro *m, const struct group *g) {
    bool zero = operand(m, g, 0, g->predicate) == 0;
    return 0xf & ~(unsigned)(zero == RUNS_T_ON_ZERO ? modes[g->mode].f : modes[g->mode].t);
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
    if (!is_legal(&g))
        return MACRO_ILLEGAL;
    if (!fetch_all(m, call, &g))
        return MACRO_WAITS;
    unsigned parts = parts_of(m, &g);
    for (unsigned i = 0; i < 2; i++) {
        if (!(parts >> i & 1))
            continue;
        m->result[i] = calculate(m, call, &g, i, &course);
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
