/* SPDX-License-Identifier: MIT */
/* How groups of macros of TU102 and later are put together. */
#ifndef PFIFO_TESTS_ENGINE_MACRO_TU102_H
#define PFIFO_TESTS_ENGINE_MACRO_TU102_H

#include <stdint.h>

enum {
    ADD,
    ADDC,
    SUB,
    SUBB,
    MUL,
    MULH,
    MULU,
    EXTENDED,
    CLZ,
    SLL,
    SRL,
    SRA,
    AND,
    NAND,
    OR,
    XOR,
    MERGE,
    SLT,
    SLTU,
    SLE,
    SLEU,
    SEQ,
    STATE,
    LOOP,
    JAL,
    BLT,
    BLTU,
    BLE,
    BLEU,
    BEQ,
    DREAD,
    DWRITE
};
enum { ZERO = 24, IMM, OTHER, IMM32, LOAD0, LOAD1 };
enum { NONE, ALU0, ALU1, FROM0, FROM1, IMM0, IMM1, HIGH0 = 8, HIGH1, PAIR };
enum { UUUU, TTTT, FFFF, TTUU, FFUU, TFUU, TUUU, FUUU, UUTT, UUTF, UUTU, UUFT, UUFF, UUFU, UUUT, UUUF };

struct alu {
    unsigned operation, to, x, y, immediate;
};

struct group {
    unsigned end, mode, predicate;
    struct alu alu[2];
    unsigned out[2][2]; /* method, data */
};

#define NO_ALU                                                                                                         \
    { ADD, ZERO, ZERO, ZERO, 0 }
#define LAST                                                                                                           \
    {                                                                                                                  \
        .end = 1, .predicate = ZERO, .alu = { NO_ALU, NO_ALU }                                                         \
    }
#define EMPTY                                                                                                          \
    {                                                                                                                  \
        .predicate = ZERO, .alu = { NO_ALU, NO_ALU }                                                                   \
    }
/* Send a register to scratch word n. */
#define SHOW(reg, n)                                                                                                   \
    {                                                                                                                  \
        .predicate = ZERO, .alu = {{ADD, ZERO, reg, ZERO, 0}, {ADD, ZERO, ZERO, ZERO, 0xd00 + (n)}}, .out = {          \
            {IMM1, ALU0}                                                                                               \
        }                                                                                                              \
    }
#define SET(reg, value)                                                                                                \
    {                                                                                                                  \
        .predicate = ZERO, .alu = { {ADD, reg, IMM, ZERO, (value)&0xffff}, NO_ALU }                                    \
    }
#define GROUPS(...)                                                                                                    \
    (const struct group[]){__VA_ARGS__}, sizeof((const struct group[]){__VA_ARGS__}) / sizeof(struct group)

static inline void put(uint32_t *words, unsigned at, unsigned bits, uint32_t value) {
    for (unsigned i = 0; i < bits; i++)
        words[2 - (at + i) / 32] |= (value >> i & 1) << (at + i) % 32;
}

/* The three words in the order in which they are uploaded. */
static inline void encode(const struct group *g, uint32_t *words) {
    words[0] = words[1] = words[2] = 0;
    put(words, 0, 1, g->end);
    put(words, 1, 4, g->mode);
    put(words, 5, 5, g->predicate);
    for (unsigned i = 0; i < 2; i++) {
        put(words, 10 + 36 * i, 5, g->alu[i].operation);
        put(words, 15 + 36 * i, 5, g->alu[i].to);
        put(words, 20 + 36 * i, 5, g->alu[i].x);
        put(words, 25 + 36 * i, 5, g->alu[i].y);
        put(words, 30 + 36 * i, 16, g->alu[i].immediate);
        put(words, 82 + 7 * i, 3, g->out[i][0]);
        put(words, 85 + 7 * i, 4, g->out[i][1]);
    }
}

#endif
