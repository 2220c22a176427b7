/* SPDX-License-Identifier: MIT */
/* How rows of GM107 are written, in order of what is said. */
#ifndef PFIFO_SRC_ISA_SHADER_GM107_TEXT_H
#define PFIFO_SRC_ISA_SHADER_GM107_TEXT_H

#include "isa/shader/text.h"

/* ---- rows: the upper 16 bits of word and mask, or all ---- */
#define WORD(name, value, mask, form, ...)                                                                             \
    {                                                                                                                  \
        name, value, mask, FORM_##form, {                                                                              \
            __VA_ARGS__                                                                                                \
        }                                                                                                              \
    }
#define TOP(name, value, mask, ...) FORM(name, value, mask, REGISTER, __VA_ARGS__)
#define FORM(name, value, mask, form, ...)                                                                             \
    WORD(name, (uint64_t)(0x##value) << 48, (uint64_t)(0x##mask) << 48, form, __VA_ARGS__)
/* Immediates have their sign in bit 56. */
#define IMMEDIATE(name, value, mask, form, ...)                                                                        \
    WORD(name, (uint64_t)(0x##value) << 48, (uint64_t)(0x##mask & 0xfeff) << 48, form, __VA_ARGS__)
#define FORMS2(name, r, c, i, mask, form, ...)                                                                         \
    FORM(name, r, mask, REGISTER, __VA_ARGS__), FORM(name, c, mask, CONSTANT, __VA_ARGS__),                            \
        IMMEDIATE(name, i, mask, form, __VA_ARGS__)
#define FORMS3(name, r, c, rc, i, mask, form, ...)                                                                     \
    FORMS2(name, r, c, i, mask, form, __VA_ARGS__), FORM(name, rc, mask, SWAPPED, __VA_ARGS__)
/* Flow: targets in the word, or in constant memory. */
#define FLOW(name, value, ...) TOP(name, value, fff0, __VA_ARGS__)
#define TO_WORD(name, value, ...)                                                                                      \
    WORD(name, (uint64_t)(0x##value) << 48, UINT64_C(0xfff0000000000020), NONE, __VA_ARGS__)
#define TO_CONSTANT(name, value, ...)                                                                                  \
    WORD(name, (uint64_t)(0x##value) << 48 | 0x20, UINT64_C(0xfff0000000000020), NONE, __VA_ARGS__)

/* Video: the second source is a register, or 16 bits; which of both is bit 50. */
#define VIDEO_ROW(name, value, mask, is_register, ...)                                                                 \
    WORD(name, (uint64_t)0x##value << 48 | (uint64_t)(is_register) << 50, (uint64_t)(0x##mask | 4) << 48, REGISTER,    \
         __VA_ARGS__)
#define VIDEO(name, value, mask, neg_a, neg_b, neg_c, ...)                                                             \
    VIDEO_ROW(name, value, mask, 1, __VA_ARGS__, D_CC(47), VIDEO_A(neg_a), VIDEO_B(neg_b), C_NEG(neg_c)),              \
        VIDEO_ROW(name, value, mask, 0, __VA_ARGS__, D_CC(47), VIDEO_A(neg_a), U_NEG(20, 16, neg_b), C_NEG(neg_c))
#define VIDEO_A(neg) A_PART(SELECT_VIDEO, neg, 0, 36, 3)
#define VIDEO_B(neg) B_PART(SELECT_VIDEO, neg, 0, 28, 3)

/* ---- modifiers ---- */
#define DOT(table, at, width)                                                                                          \
    { SAY_DOT, ISA_NAMES_##table, at, width, 0, 0, 0 }
#define DOT2(table, at, width, at2, width2)                                                                            \
    { SAY_DOT, ISA_NAMES_##table, at, width, at2, width2, 0 }
#define FLAG(table, at) DOT(table, at, 1)
#define FIXED(table)    DOT(table, 0, 0)
#define PLUS_ONE(a, b)                                                                                                 \
    { SAY_PLUS_ONE, 0, a, 1, b, 0, 0 }
#define KINDS(a, b, is_register)                                                                                       \
    { SAY_KINDS, 0, a, 1, b, is_register, 0 }
#define PARTS                                                                                                          \
    { SAY_PARTS, 0, 0, 0, 0, 0, 0 }
#define TP                                                                                                             \
    { SAY_TEXTURE, 0, 0, 0, 0, 0, 0 }

/* ---- registers ---- */
#define D                                                                                                              \
    { SAY_TO, 0, 0, 8, 0, 0, 0 }
#define D_CC(cc)                                                                                                       \
    { SAY_TO, 0, 0, 8, cc, 0, 0 }
#define D_UNLESS                                                                                                       \
    { SAY_TO_UNLESS, 0, 0, 8, 0, 0, 0 }
#define D_AT(at)                                                                                                       \
    { SAY_TO, 0, at, 8, 0, 0, 0 }
#define FROM(at)                                                                                                       \
    { SAY_FROM, 0, at, 8, 0, 0, 0 }
#define FROM_NEG(at, neg)                                                                                              \
    { SAY_FROM, 0, at, 8, neg, 0, 0 }
#define FROM_UNLESS(at)                                                                                                \
    { SAY_FROM_UNLESS, 0, at, 8, 0, 0, 0 }
#define A          FROM(8)
#define A_NEG(neg) FROM_NEG(8, neg)
#define A_ABS(neg, abs)                                                                                                \
    { SAY_FROM, 0, 8, 8, neg, abs, 0 }
#define A_NOT(inv)                                                                                                     \
    { SAY_FROM_NOT, 0, 8, 8, inv, 0, 0 }
#define A_PART(table, neg, abs, at, width)                                                                             \
    { SAY_FROM, ISA_NAMES_##table, 8, width, neg, abs, at }
#define R_PART(reg, table, neg, at, width)                                                                             \
    { SAY_FROM, ISA_NAMES_##table, reg, width, neg, 0, at }
#define B                                                                                                              \
    { SAY_B, 0, 0, 0, 0, 0, 0 }
#define B_NEG(neg)                                                                                                     \
    { SAY_B, 0, 0, 0, neg, 0, 0 }
#define B_ABS(neg, abs)                                                                                                \
    { SAY_B, 0, 0, 0, neg, abs, 0 }
/* In sums of floats b takes the place of what is added to a product. */
#define ADDED(neg, abs)                                                                                                \
    { SAY_B, 0, 1, 0, neg, abs, 0 }
#define ADDED_PART(table, neg, abs, at, width)                                                                         \
    { SAY_B, ISA_NAMES_##table, 1, width, neg, abs, at }
#define B_NOT(inv)                                                                                                     \
    { SAY_B_NOT, 0, 0, 0, inv, 0, 0 }
#define B_PART(table, neg, abs, at, width)                                                                             \
    { SAY_B, ISA_NAMES_##table, 0, width, neg, abs, at }
#define C                                                                                                              \
    { SAY_C, 0, 0, 0, 0, 0, 0 }
#define C_NEG(neg)                                                                                                     \
    { SAY_C, 0, 0, 0, neg, 0, 0 }
#define C_PART(table, neg, at, width)                                                                                  \
    { SAY_C, ISA_NAMES_##table, 0, width, neg, 0, at }
#define NEXT(at, wide)                                                                                                 \
    { SAY_NEXT, 0, at, 8, wide, 0, 0 }
#define OR(at, is_number, number, width)                                                                               \
    { SAY_OR, 0, at, width, is_number, number, 0 }

/* ---- numbers and names ---- */
#define CONSTANT_ABS(neg, abs)                                                                                         \
    { SAY_CONSTANT, 0, 20, 19, neg, abs, 0 }
#define CONSTANT_PART(table, at, width)                                                                                \
    { SAY_CONSTANT, ISA_NAMES_##table, 20, width, 0, 0, at }
#define U(at, width)                                                                                                   \
    { SAY_UNSIGNED, 0, at, width, 0, 0, 0 }
#define U_NEG(at, width, neg)                                                                                          \
    { SAY_UNSIGNED, 0, at, width, 0, neg, 0 }
#define U_NOT(at, width, inv)                                                                                          \
    { SAY_UNSIGNED, 0, at, width, inv, 0, 0 }
#define S(at, width)                                                                                                   \
    { SAY_SIGNED, 0, at, width, 0, 0, 0 }
#define U_UNLESS(at, width, usual)                                                                                     \
    { SAY_UNLESS, 0, at, width, usual, 0, 0 }
#define F32(neg, abs)                                                                                                  \
    { SAY_FLOAT, 0, 20, 32, neg, abs, 0 }
#define HALVES10                                                                                                       \
    { SAY_HALVES, 0, 20, 0, 1, 0, 0 }
#define HALVES16                                                                                                       \
    { SAY_HALVES, 0, 20, 32, 0, 0, 0 }
#define SIGNS(at)                                                                                                      \
    { SAY_SIGNS, 0, at, 8, 0, 0, 0 }
#define NAME(table, at, width)                                                                                         \
    { SAY_NAME, ISA_NAMES_##table, at, width, 0, 0, 0 }
#define NAME_BY(table, at, width, reg)                                                                                 \
    { SAY_NAME_BY, ISA_NAMES_##table, at, width, reg, 0, 0 }
#define SPECIAL_REGISTER                                                                                               \
    { SAY_SPECIAL, 0, 20, 8, 0, 0, 0 }

/* ---- predicates, places ---- */
#define PD(at)                                                                                                         \
    { SAY_PD, 0, at, 3, 0, 0, 0 }
#define PD_UNLESS(at)                                                                                                  \
    { SAY_PD_UNLESS, 0, at, 3, 0, 0, 0 }
#define P(at)                                                                                                          \
    { SAY_P, 0, at, 3, (at) + 3, 0, 0 }
#define P_NEG(at, neg)                                                                                                 \
    { SAY_P, 0, at, 3, neg, 0, 0 }
#define P_PLAIN(at)                                                                                                    \
    { SAY_P, 0, at, 3, 0, 0, 0 }
#define P_UNLESS(at)                                                                                                   \
    { SAY_P_UNLESS, 0, at, 3, (at) + 3, 0, 0 }
#define P_NOT(at)                                                                                                      \
    { SAY_P_NOT, 0, at, 3, 0, 0, 0 }
#define TEST(at)                                                                                                       \
    { SAY_TEST, 0, at, 5, 0, 0, 0 }
#define MEMORY(at, width, shift)                                                                                       \
    { SAY_ADDRESS, 0, at, width, shift, 0, 0 }
#define GLOBAL(at, width, shift)                                                                                       \
    { SAY_ADDRESS, 0, at, width, shift, 1, 0 }
#define PLACE                                                                                                          \
    { SAY_ADDRESS, 0, 0, 0, 0, 0, 0 }
#define ATTRIBUTE ATTRIBUTE_AT(20)
#define ATTRIBUTE_AT(at)                                                                                               \
    { SAY_ATTRIBUTE, 0, at, 10, 0, 0, 0 }
#define IN_BANK                                                                                                        \
    { SAY_INDEXED, 0, 20, 16, 36, 0, 0 }
#define IN_BANK_ALONE                                                                                                  \
    { SAY_INDEXED, 0, 20, 16, 36, 1, 0 }
#define RELATIVE                                                                                                       \
    { SAY_RELATIVE, 0, 20, 24, 0, 0, 0 }
#define ABSOLUTE                                                                                                       \
    { SAY_ABSOLUTE, 0, 20, 32, 0, 0, 0 }
#define DISTANCE(width)                                                                                                \
    { SAY_DISTANCE, 0, 20, width, 0, 0, 0 }
/* The predicate of an instruction that has none. */
#define UNGUARDED                                                                                                      \
    { SAY_IGNORED, 0, 16, 4, 0, 0, 0 }
/* The test of flags of an instruction that has none: all ones, or zeros. */
#define IGNORED(at, width)                                                                                             \
    { SAY_IGNORED, 0, at, width, 0, 0, 0 }

#endif
