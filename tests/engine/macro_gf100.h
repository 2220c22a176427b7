/* SPDX-License-Identifier: MIT */
/* How instructions of macros of GF100 to GV100 are put together. */
#ifndef PFIFO_TESTS_ENGINE_MACRO_GF100_H
#define PFIFO_TESTS_ENGINE_MACRO_GF100_H

#include <stdint.h>

/* What becomes of a result. */
enum { PARM, MOV, MOV_MADDR, PARM_SEND, MOV_SEND, PARM_MADDR, MADDR_SENDPARM, MADDR_SENDHIGH };

#define EXIT                        (1u << 7)
#define ALU(result, f, dst, a, b)   ((result) << 4 | (dst) << 8 | (a) << 11 | (b) << 14 | (uint32_t)(f) << 17)
#define IMMEDIATE(value)            ((uint32_t)(value) << 14)
#define ADDI(result, dst, a, value) (1u | (result) << 4 | (dst) << 8 | (a) << 11 | IMMEDIATE(value))
#define READ(result, dst, a, value) (5u | (result) << 4 | (dst) << 8 | (a) << 11 | IMMEDIATE(value))
#define FIELD(op, result, dst, a, b, from, size, to)                                                                   \
    ((op) | (result) << 4 | (dst) << 8 | (a) << 11 | (b) << 14 | (from) << 17 | (size) << 22 | (uint32_t)(to) << 27)
#define BRANCH(if_not_zero, annul, a, by) (7u | (if_not_zero) << 4 | (annul) << 5 | (a) << 11 | IMMEDIATE(by))
#define BRAZ(a, by)                       BRANCH(0u, 0u, a, by)
#define BRANZ(a, by)                      BRANCH(1u, 0u, a, by)
#define NOP                               ADDI(MOV, 0u, 0u, 0)
/* A method address counts words. */
#define MADDR(increment, byte)     ((uint32_t)(increment) << 12 | (byte) >> 2)
#define SET_MADDR(increment, byte) ADDI(MOV_MADDR, 0u, 0u, MADDR(increment, byte))

#endif
