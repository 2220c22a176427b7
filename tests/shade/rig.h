/* SPDX-License-Identifier: MIT */
/*
 * A warp that runs instructions given as struct ir, 8 bytes each, beginning at address 0. An EXIT follows the last. With
 * `together` an instruction has 16 bytes and is so many operations; they fill the last one, to which EXIT belongs.
 */
#ifndef PFIFO_TESTS_SHADE_RIG_H
#define PFIFO_TESTS_SHADE_RIG_H

#include "engine/shade/executor.h"

#define RIG_INSTRUCTIONS 64u

struct rig {
    struct ir code[RIG_INSTRUCTIONS];
    unsigned count;
    unsigned together; /* 0: one operation is an instruction of 8 bytes */
    struct shade_io io;
    struct shade_warp warp;
    struct shade_program *program;
    const struct shade_executor *executor; /* of a cache of its own; NULL: programs are interpreted */
    struct shade_cache *cache;
    const char *not_executed; /* the name of the last one */
    unsigned reports;
};

/* Nothing is guarded, nothing is there. */
void rig_begin(struct rig *rig);
void rig_end(struct rig *rig);

/* An instruction after the last, with neutral fields; change what it needs. */
struct ir *rig_add(struct rig *rig, enum ir_op op);

/* The instructions as a program: anew after a change. */
struct shade_program *rig_program(struct rig *rig);

/* All lanes at the first instruction, registers 0 .. 15 in place. Then set registers, and run. */
void rig_load(struct rig *rig, uint32_t lanes, uint32_t helpers);
enum shade_stop rig_run(struct rig *rig);
void rig_set(struct rig *rig, unsigned number, uint32_t value); /* in all lanes */

struct ir_source rig_register(unsigned number);
struct ir_source rig_immediate(uint32_t value);
struct ir_source rig_constant(unsigned bank, unsigned offset);

/* An instruction without effect, and its sources. */
struct ir rig_neutral(enum ir_op op);

#endif
