/* SPDX-License-Identifier: MIT */
/*
 * How text rows are written, in order of what is said. Before this is included, AT_D, AT_A and AT_IMMEDIATE say where the
 * instruction set has the register that is written, that of the first source, and immediates.
 */
#ifndef PFIFO_SRC_ISA_SHADER_TEXT_ROWS_H
#define PFIFO_SRC_ISA_SHADER_TEXT_ROWS_H

#include "isa/shader/text.h"

/* clang-format off */
#define WORD(name, value, mask, form, ...) {name, value, mask, FORM_##form, {__VA_ARGS__}}

/* ---- modifiers ---- */
#define DOT(table, at, width)               {SAY_DOT, ISA_NAMES_##table, at, width, 0, 0, 0}
#define DOT2(table, at, width, at2, width2) {SAY_DOT, ISA_NAMES_##table, at, width, at2, width2, 0}
#define FLAG(table, at)                     DOT(table, at, 1)
#define FIXED(table)                        DOT(table, 0, 0)
#define PLUS_ONE(a, b)                      {SAY_PLUS_ONE, 0, a, 1, b, 0, 0}
#define KINDS(a, b, is_register)            {SAY_KINDS, 0, a, 1, b, is_register, 0}
#define PARTS(a, b, c)                      {SAY_PARTS, 0, a, 0, b, c, 0}
#define TP                                  {SAY_TEXTURE, 0, 0, 0, 0, 0, 0}

/* ---- registers ---- */
#define D                                   D_AT(AT_D)
#define D_CC(cc)                            {SAY_TO, 0, AT_D, 8, cc, 0, 0}
#define D_UNLESS                            {SAY_TO_UNLESS, 0, AT_D, 8, 0, 0, 0}
#define D_AT(at)                            {SAY_TO, 0, at, 8, 0, 0, 0}
#define FROM(at)                            {SAY_FROM, 0, at, 8, 0, 0, 0}
#define FROM_NEG(at, neg)                   {SAY_FROM, 0, at, 8, neg, 0, 0}
#define FROM_UNLESS(at)                     {SAY_FROM_UNLESS, 0, at, 8, 0, 0, 0}
#define A                                   FROM(AT_A)
#define A_NEG(neg)                          FROM_NEG(AT_A, neg)
#define A_ABS(neg, abs)                     {SAY_FROM, 0, AT_A, 8, neg, abs, 0}
#define A_NOT(inv)                          {SAY_FROM_NOT, 0, AT_A, 8, inv, 0, 0}
#define A_PART(table, neg, abs, at, width)  {SAY_FROM, ISA_NAMES_##table, AT_A, width, neg, abs, at}
#define B                                   {SAY_B, 0, 0, 0, 0, 0, 0}
#define B_NEG(neg)                          {SAY_B, 0, 0, 0, neg, 0, 0}
#define B_ABS(neg, abs)                     {SAY_B, 0, 0, 0, neg, abs, 0}
#define B_NOT(inv)                          {SAY_B_NOT, 0, 0, 0, inv, 0, 0}
#define B_PART(table, neg, abs, at, width)  {SAY_B, ISA_NAMES_##table, 0, width, neg, abs, at}
/* In sums of floats b takes the place of what is added to a product. */
#define ADDED(neg, abs)                     {SAY_B, 0, 1, 0, neg, abs, 0}
#define ADDED_PART(table, neg, abs, at, width) {SAY_B, ISA_NAMES_##table, 1, width, neg, abs, at}
#define C                                   {SAY_C, 0, 0, 0, 0, 0, 0}
#define C_NEG(neg)                          {SAY_C, 0, 0, 0, neg, 0, 0}
#define C_PART(table, neg, at, width)       {SAY_C, ISA_NAMES_##table, 0, width, neg, 0, at}
#define NEXT(at, wide)                      {SAY_NEXT, 0, at, 8, wide, 0, 0}
#define OR(at, is_number, number, width)    {SAY_OR, 0, at, width, is_number, number, 0}
#define COUNT(at, is_number)                {SAY_COUNT, 0, at, 12, is_number, 0, 0}

/* ---- numbers and names ---- */
#define CONSTANT_ABS(neg, abs)              {SAY_CONSTANT, 0, AT_IMMEDIATE, 19, neg, abs, 0}
#define CONSTANT_PART(table, at, width)     {SAY_CONSTANT, ISA_NAMES_##table, AT_IMMEDIATE, width, 0, 0, at}
#define U(at, width)                        {SAY_UNSIGNED, 0, at, width, 0, 0, 0}
#define U_NOT(at, width, inv)               {SAY_UNSIGNED, 0, at, width, inv, 0, 0}
#define U_NEG(at, width, neg)               {SAY_UNSIGNED, 0, at, width, 0, neg, 0}
#define S(at, width)                        {SAY_SIGNED, 0, at, width, 0, 0, 0}
#define S_NEG(at, width, neg)               {SAY_SIGNED, 0, at, width, 0, 0, neg}
#define U_UNLESS(at, width, usual)          {SAY_UNLESS, 0, at, width, usual, 0, 0}
#define F32(neg, abs)                       {SAY_FLOAT, 0, AT_IMMEDIATE, 32, neg, abs, 0}
#define HALVES10                            {SAY_HALVES, 0, AT_IMMEDIATE, 0, 1, 0, 0}
#define HALVES16                            {SAY_HALVES, 0, AT_IMMEDIATE, 32, 0, 0, 0}
#define SIGNS(at)                           {SAY_SIGNS, 0, at, 8, 0, 0, 0}
#define NAME(table, at, width)              {SAY_NAME, ISA_NAMES_##table, at, width, 0, 0, 0}
#define NAME_BY(table, at, width, reg)      {SAY_NAME_BY, ISA_NAMES_##table, at, width, reg, 0, 0}
#define SPECIAL_REGISTER                    {SAY_SPECIAL, 0, AT_IMMEDIATE, 8, 0, 0, 0}

/* ---- predicates, places ---- */
#define PD(at)                              {SAY_PD, 0, at, 3, 0, 0, 0}
#define PD_UNLESS(at)                       {SAY_PD_UNLESS, 0, at, 3, 0, 0, 0}
#define P(at)                               {SAY_P, 0, at, 3, (at) + 3, 0, 0}
#define P_PLAIN(at)                         {SAY_P, 0, at, 3, 0, 0, 0}
#define P_UNLESS(at)                        {SAY_P_UNLESS, 0, at, 3, (at) + 3, 0, 0}
#define P_NOT(at)                           {SAY_P_NOT, 0, at, 3, 0, 0, 0}
#define TEST(at)                            {SAY_TEST, 0, at, 5, 0, 0, 0}
#define MEMORY(at, width, shift)            {SAY_ADDRESS, 0, at, width, shift, 0, 0}
#define GLOBAL(at, width, shift)            {SAY_ADDRESS, 0, at, width, shift, 1, 0}
#define PLACE                               {SAY_ADDRESS, 0, 0, 0, 0, 0, 0}
#define ATTRIBUTE(at)                       {SAY_ATTRIBUTE, 0, at, 10, 0, 0, 0}
#define IN_BANK(at, bank)                   {SAY_INDEXED, 0, at, 16, bank, 0, 0}
#define IN_BANK_ALONE(at, bank)             {SAY_INDEXED, 0, at, 16, bank, 1, 0}
#define RELATIVE                            {SAY_RELATIVE, 0, AT_IMMEDIATE, 24, 0, 0, 0}
#define ABSOLUTE                            {SAY_ABSOLUTE, 0, AT_IMMEDIATE, 32, 0, 0, 0}
#define DISTANCE(width)                     {SAY_DISTANCE, 0, AT_IMMEDIATE, width, 0, 0, 0}
#define IGNORED(at, width)                  {SAY_IGNORED, 0, at, width, 0, 0, 0}
#define GUARDLESS                           {SAY_UNGUARDED, 0, 0, 0, 0, 0, 0}
/* clang-format on */

#endif
