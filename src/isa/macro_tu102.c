/* SPDX-License-Identifier: MIT */
/*
 * UNKNOWN: whether letter T of a predicate mode runs its part on a register that is not 0, as the name says, or on 0,
 * as Mesa's simulator has it, whose tests were run on hardware; chosen: Mesa's way, see RUNS_T_ON_ZERO.
 * UNKNOWN: size of the code RAM; chosen: the 4096 groups that a branch can name, and up to a power of two.
 * UNKNOWN: operations without their partner, two STATEs, and registers and sources without a name; chosen: illegal.
 */
#include "isa/macro_tu102.h"

#define RUNS_T_ON_ZERO true

/* Parts of a group: ALU 0 and 1, output 0 and 1. Per mode those that T and those that F switches. */
static const struct {
    uint8_t t, f;
} modes[16] = {
    {0x0, 0x0}, {0xf, 0x0}, {0x0, 0xf}, {0x3, 0x0}, {0x0, 0x3}, {0x1, 0x2}, {0x1, 0x0}, {0x0, 0x1},
    {0xc, 0x0}, {0x4, 0x8}, {0x4, 0x0}, {0x8, 0x4}, {0x0, 0xc}, {0x0, 0x4}, {0x8, 0x0}, {0x0, 0x8},
};

static uint32_t macro_tu102_field(const uint32_t *words, unsigned at, unsigned bits) {
    uint64_t pair = words[at / 32];
    if (at / 32 < 2)
        pair |= (uint64_t)words[at / 32 + 1] << 32;
    return (uint32_t)(pair >> at % 32) & ((1u << bits) - 1);
}

struct group tu102_group(const uint32_t words[3]) {
    struct group g = {
        .end_next = words[0] & 1, .mode = macro_tu102_field(words, 1, 4), .predicate = macro_tu102_field(words, 5, 5)};
    for (unsigned i = 0; i < 2; i++) {
        unsigned at = i ? 46 : 10, out = i ? 89 : 82;
        g.alu[i].operation = macro_tu102_field(words, at, 5);
        g.alu[i].to = macro_tu102_field(words, at + 5, 5);
        g.alu[i].from[0] = macro_tu102_field(words, at + 10, 5);
        g.alu[i].from[1] = macro_tu102_field(words, at + 15, 5);
        g.alu[i].immediate = macro_tu102_field(words, at + 20, 16);
        g.out[i].method = macro_tu102_field(words, out, 3);
        g.out[i].data = macro_tu102_field(words, out + 3, 4);
    }
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
bool tu102_is_legal(const struct group *g) {
    if (!is_pair(g) || g->predicate > REG_LOAD1 || g->predicate == REG_IMMEDIATE || g->predicate == REG_OTHER_IMMEDIATE)
        return false;
    for (unsigned i = 0; i < 2; i++)
        if (g->alu[i].to > REG_ZERO || g->alu[i].from[0] > REG_LOAD1 || g->alu[i].from[1] > REG_LOAD1 ||
            g->out[i].method == OUT_RESERVED || g->out[i].data == OUT_RESERVED || g->out[i].data >= OUT_SOURCES)
            return false;
    return true;
}

unsigned tu102_parts(const struct group *g, bool predicate_is_zero) {
    return 0xf & ~(unsigned)(predicate_is_zero == RUNS_T_ON_ZERO ? modes[g->mode].f : modes[g->mode].t);
}

const struct macro_isa macro_isa_tu102 = {.code_words = 0x4000, .starts = 0x100, .data_words = 0xc00, .step_words = 3};
