/* SPDX-License-Identifier: MIT */
/* The programs that an object has used lately, by their address. */
#ifndef PFIFO_SRC_ENGINE_DRAW_PROGRAMS_H
#define PFIFO_SRC_ENGINE_DRAW_PROGRAMS_H

#include "engine/shade/shade.h"
#include "memory/memory.h"

#define PROGRAMS_KEPT 32u

struct program_place {
    struct shade_program *program; /* NULL: none */
    const struct isa *isa;
    uint64_t code;
    uint32_t start;
    bool surveyed;
    struct shade_survey survey;
    struct memory *memory; /* where instructions are read */
    struct address_space space;
};

struct draw_worker;

/* The program of a stage, whose header is at `start` of the program region. NULL: no memory of the host. */
struct shade_program *programs_find(struct draw_worker *work, unsigned stage, uint32_t start);
/* The place of a program that is kept. */
struct program_place *programs_place(struct draw_worker *work, const struct shade_program *program);
/* Programs are read anew. */
void programs_forget(struct draw_worker *work);

#endif
