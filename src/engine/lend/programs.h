/* SPDX-License-Identifier: MIT */
/* The programs that an object has used lately, by their address: what draws and launches run. */
#ifndef PFIFO_SRC_ENGINE_LEND_PROGRAMS_H
#define PFIFO_SRC_ENGINE_LEND_PROGRAMS_H

#include "engine/shade/warp.h"
#include "memory/memory.h"

#define PROGRAMS_KEPT   32u
#define PROGRAMS_STAGES 6u /* that are used at a time: stages of a draw, or one of a launch */

struct program_place {
    struct shade_program *program; /* NULL: none */
    const struct isa *isa;
    uint64_t code;  /* the program region */
    uint32_t entry; /* the first instruction, in the region */
    bool doubted;   /* its memory may have been written */
    bool surveyed;
    struct shade_survey survey;
    struct memory *memory; /* where instructions are read */
    struct address_space space;
};

struct programs {
    struct program_place place[PROGRAMS_KEPT];
    unsigned next;
    struct shade_program *used[PROGRAMS_STAGES]; /* by stages; NULL: by none */
};

/* A program is used by a stage; its instructions are kept in the device's cache. False: no memory of the host. */
bool programs_use(struct programs *programs, struct shade_cache *cache, unsigned stage,
                  const struct program_place *wanted);
/* The place of the program that a stage uses. NULL: none. */
struct program_place *programs_place(struct programs *programs, unsigned stage);
/* What it may do. */
const struct shade_survey *programs_survey(struct program_place *place);
/* Programs are read anew. */
void programs_forget(struct programs *programs);
/* ... those whose memory has changed, when they are used next. */
void programs_doubt(struct programs *programs);
bool programs_is_current(struct program_place *place);

#endif
