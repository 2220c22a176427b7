/* SPDX-License-Identifier: MIT */
/*
 * Executors: what runs a program. The interpreter is one, always there, and the definition; another one, which a device
 * is given (shade_cache_new()), translates programs that are known to all of their ends, and must do the same to the
 * bit. It needs this file, program.h, io.h and warp.h.
 *
 *   struct shade_program + struct shade_io --> struct shade_key --compile--> a function, kept in the cache
 *                                                                               |
 *   shade_warp_begin(warp, ...), io.compiled ---------- shade_run ---------> run
 *
 * What `run` must keep to:
 *
 *   steps    An instruction that a group of lanes executes together is one; words for the scheduler are one, too. At
 *            most `budget` are done, *used says how many, and warp->instructions counts those that are operations.
 *   stops    As enum shade_stop says. After SHADE_BUDGET and SHADE_BARRIER all of the warp is in struct shade_warp, so
 *            that any executor can go on, and a warp that is saved and loaded is the same warp.
 *   faults   warp->fault_address is the instruction that failed; what lanes did before stays done. warp->error is of
 *            the first failure.
 *   barriers IR_BAR of a group fills in warp->barriers as interpret/flow.c does; group.c completes them.
 *   order    Lanes as they are numbered, groups of lanes by the lowest address first, as interpret/warp.c chooses.
 *   reports  What is not executed is told as shade_op functions tell it: those of instructions may be called.
 *
 * Threads: compile, run and free may be called by several threads at the same time, for different functions and warps.
 */
#ifndef PFIFO_SRC_ENGINE_SHADE_EXECUTOR_H
#define PFIFO_SRC_ENGINE_SHADE_EXECUTOR_H

#include "engine/shade/warp.h"

/*
 * What a function may depend on beside the instructions, as plain data: keys are compared as bytes. The
 * addresses, sizes and contents of constants, inputs and memory are not in the key: they may change with each warp.
 */
struct shade_key {
    uint64_t local_window, shared_window;
    uint32_t given; /* a bit for each pointer of struct shade_io that is there, in the order of executor.c */
    uint16_t registers;
    uint8_t texture_bank;
    uint8_t quads, flat, grouped, collects, none;
    uint32_t none_either;
};
_Static_assert(sizeof(struct shade_key) == 2 * 8 + 4 + 8 + 4, "no padding: keys are compared as bytes");

struct shade_executor {
    const char *name;
    void *opaque;
    /* Make 0 what the function will not depend on. NULL: it depends on all. */
    void (*key)(void *opaque, const struct shade_listing *listing, struct shade_key *key);
    /* NULL: it cannot be translated, and is interpreted. */
    void *(*compile)(void *opaque, const struct shade_listing *listing, const struct shade_key *key);
    enum shade_stop (*run)(void *function, struct shade_warp *warp, uint64_t budget, uint64_t *used);
    void (*free)(void *opaque, void *function);
    /*
     * Run a warp from the program's entry to its end, which has not begun: what shade_warp_begin() would write need not be
     * in it. False: nothing has been done, and the warp has to begin as others do. NULL: never.
     */
    bool (*whole)(void *function, const struct shade_start *start, uint64_t budget, enum shade_stop *stop,
                  uint64_t *used);
};

/* It takes programs as they are: key, compile and free are NULL, and so is `function`. */
extern const struct shade_executor shade_interpreter;

/* Functions that no program has at the moment, and that are kept: those used last. */
#define SHADE_FUNCTIONS_IDLE 256u
/* Of a program: for so many different keys. In others it is interpreted. */
#define SHADE_PROGRAM_FUNCTIONS 16u

/*
 * The function of a program for such an io: to io->compiled, before warps begin. NULL: it is interpreted. It is
 * there as long as the program.
 */
struct shade_compiled;
const struct shade_compiled *shade_compile(struct shade_program *program, const struct shade_io *io);

/* All of a cache. */
void shade_compiled_free(struct shade_cache *cache);

#endif
