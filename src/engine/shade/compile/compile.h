/* SPDX-License-Identifier: MIT */
/*
 * The compiler: an executor (executor.h) that has machine code for x86-64 made of runs, which are
 * instructions that follow each other without flow. Flow, and what a run cannot be used for, is the interpreter's.
 */
#ifndef PFIFO_SRC_ENGINE_SHADE_COMPILE_H
#define PFIFO_SRC_ENGINE_SHADE_COMPILE_H

#include "engine/shade/executor.h"

/* The best for this host: for AVX-512, or for AVX2 and FMA. NULL: there is none. */
const struct shade_executor *shade_compiler(void);
const struct shade_executor *shade_compiler_wide(void);
const struct shade_executor *shade_compiler_narrow(void);

/* A run of a function: what interpret/warp.c needs of it. */
struct shade_straight {
    uint32_t address, end; /* of the first instruction, after the last one */
    uint16_t steps;
    uint16_t rows, named; /* as struct shade_code has them, of all together */
    const struct shade_code **codes;
    uint8_t end_bytes; /* of an EXIT without a guard that follows; 0: there is none */
    bool whole;        /* with that, it is all that lanes do that begin here, and looks at no barrier */
    uint32_t (*run)(struct shade_warp *warp, uint32_t lanes); /* what it returns: lower.h */
};

/* The run that begins at an address. NULL: there is none. */
const struct shade_straight *shade_straight_at(const void *function, uint32_t address);

#endif
