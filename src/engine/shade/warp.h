/* SPDX-License-Identifier: MIT */
/*
 * The shader core: runs a program (isa/shader) for a warp of 32 threads, whose registers lie lane by lane. It knows no
 * class, no stage and no encoding: what a program may touch is in struct shade_io.
 *
 *   struct shade_program *program = shade_program_new(cache, isa, fetch, opaque, address);  kept until its memory changes
 *   shade_warp_begin(&warp, program, &io, lanes, helpers);
 *   fill warp.registers, io.inputs ...
 *   while (shade_run(&warp, budget, &used) == SHADE_BUDGET) ...
 *   read io.outputs, or warp.registers of the lanes that ended
 *
 * Threads that take different ways have their own program counter and stack; the ones with the lowest address run
 * first. What pops an entry that lanes have pushed together waits for the others of them, as the hardware's one stack of
 * masks has it (interpret/flow.c).
 */
#ifndef PFIFO_SRC_ENGINE_SHADE_WARP_H
#define PFIFO_SRC_ENGINE_SHADE_WARP_H

#include "engine/shade/io.h"

#define SHADE_REGISTERS  256u /* one more than can be named: number IR_ZERO reads 0 */
#define SHADE_PREDICATES 8u   /* number IR_TRUE is true */
#define SHADE_STACK      64u  /* entries of a lane. UNKNOWN: how many there are; this is more than compilers need */

/* Why a warp stopped. */
enum shade_stop {
    SHADE_DONE,    /* all lanes have ended */
    SHADE_BUDGET,  /* the budget is used up: call again */
    SHADE_BARRIER, /* waits in IR_BAR (compute): call again when the others have come */
    SHADE_ERROR,   /* the instruction at warp.fault_address failed: warp.error says how */
    SHADE_FAULT,   /* a memory access failed, or the program lies outside of memory: warp.unreadable */
};

/*
 * Errors of a warp, with the numbers that GF100 and later show (nouveau nvkm/engine/gr/gf100.c, gf100_mp_warp_error;
 * nvgpu, hww_warp_esr). UNKNOWN: which error an operation raises where the name leaves that open; see where it is.
 */
enum shade_error {
    SHADE_OK,
    SHADE_STACK_ERROR = 0x01,
    SHADE_RET_EMPTY_STACK = 0x03,
    SHADE_MISALIGNED_PC = 0x05,
    SHADE_ILLEGAL_ENCODING = 0x09,
    SHADE_OOR_REGISTER = 0x0d,
    SHADE_OOR_ADDRESS = 0x0e,
    SHADE_MISALIGNED_ADDRESS = 0x0f,
    SHADE_INVALID_SPACE = 0x10,
};

struct shade_stack {
    uint8_t type[SHADE_STACK];
    uint32_t target[SHADE_STACK];
    /* The same for all lanes that pushed an entry together; those above it have later ones. */
    uint32_t mark[SHADE_STACK];
};

#define SHADE_BARRIERS 16u

/* Kinds of IR_BAR: its `mode`. */
enum shade_barrier { SHADE_SYNC, SHADE_ARRIVE, SHADE_POPC, SHADE_AND, SHADE_OR, SHADE_SCAN };

/* Of a warp in a group (group.h): which lanes have arrived at which barrier, and the results for waiting lanes. */
struct shade_barriers {
    uint32_t arrived[SHADE_BARRIERS], truth[SHADE_BARRIERS]; /* truth: of the predicate that is reduced */
    uint32_t threads[SHADE_BARRIERS];                        /* that the last instruction asked for; 0: all */
    /* Of a lane that waits. */
    uint8_t number[SHADE_LANES], kind[SHADE_LANES], d[SHADE_LANES], p[SHADE_LANES];
    /* What the last reduction gave each lane, for IR_B2R. */
    uint32_t count[SHADE_LANES], yes;
};

struct shade_warp {
    shade_row registers[SHADE_REGISTERS];
    uint32_t predicates[SHADE_PREDICATES]; /* masks of lanes */
    uint32_t zero, sign, carry, overflow;  /* the flags, as masks */
    uint32_t pc[SHADE_LANES];
    bool together; /* those that are alive have the same pc */
    struct shade_stack stacks[SHADE_LANES];
    uint8_t depth[SHADE_LANES]; /* of the stacks */
    uint32_t marks;             /* that have been given */
    uint32_t parked; /* lanes that have popped an entry of mark park[lane], and wait for the others that have it */
    uint32_t park[SHADE_LANES];
    uint32_t alive;   /* run, or wait */
    uint32_t killed;  /* by IR_KIL: they go on, for derivatives, and have no effect outside */
    uint32_t helpers; /* were never part of the primitive: the same */
    uint32_t waiting; /* in IR_BAR */
    struct shade_barriers barriers;
    uint32_t all_mode[8]; /* masks that IR_SAM has put by */
    uint8_t all_depth;
    uint32_t fault_address;
    uint8_t error;   /* enum shade_error */
    bool unreadable; /* the instruction itself */
    uint16_t zeroed; /* registers below have been written since the warp began; the others are made 0 when named */
    struct shade_program *program;
    struct shade_io *io;
    uint64_t instructions; /* executed so far, one for all lanes that run it together */
    uint64_t accesses;     /* of lanes to spans, so far */
    uint64_t number;       /* that a watch has given it, from 1; 0: none has seen it */
};

/* How a warp begins: the arguments of shade_warp_begin(). */
struct shade_start {
    struct shade_warp *warp;
    struct shade_program *program;
    struct shade_io *io;
    uint32_t lanes, helpers;
};

/*
 * Lanes of the mask start at the program's entry, with registers 0. Helpers are a part of `lanes`. To give registers
 * values at the beginning, raise `zeroed` above them. `program`: NULL: the warp is going to be loaded.
 */
void shade_warp_begin(struct shade_warp *warp, struct shade_program *program, struct shade_io *io, uint32_t lanes,
                      uint32_t helpers);

/*
 * The same for a warp that has ended: lanes start at another program's entry with what the last one has left in the
 * registers. UNKNOWN: whether predicates and flags are left, too; chosen: they are.
 */
void shade_warp_go_on(struct shade_warp *warp, struct shade_program *program, struct shade_io *io, uint32_t lanes);

/* Run at most `budget` instructions; *used: how many it were. */
enum shade_stop shade_run(struct shade_warp *warp, uint64_t budget, uint64_t *used);

/* shade_warp_begin() and shade_run() in one. After SHADE_DONE nothing is in the warp but registers, `killed` and counts. */
enum shade_stop shade_start(const struct shade_start *start, uint64_t budget, uint64_t *used);

/* What an atomic operation stores in the place of `old`; what the unit lacks only loads. */
uint64_t shade_atomic(const struct ir *ir, uint64_t old, uint64_t b, uint64_t c);

/* The row of a register, to read: zeros for IR_ZERO. */
static inline const uint32_t *shade_lanes(const struct shade_warp *warp, uint8_t number) {
    return warp->registers[number];
}

#endif
