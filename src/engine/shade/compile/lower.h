/* SPDX-License-Identifier: MIT */
/*
 * Instructions that follow each other, with no flow between them, to machine code. Inside the compiler.
 *
 *   compile.c     programs: which instructions make up a run
 *   run.c         the function of a run: its beginning and end, and what is called
 *   values.c      which values are in which vector registers
 *   lower_*.c     each operation, in the forms that are translated; others are called
 *   assembler.c   bytes
 *
 * A run is cut into pieces: loops over the warp's two halves of 16 lanes, between calls of the interpreter's functions
 * and changes of how the host takes subnormal numbers. In a piece a register of the warp is loaded and stored once at most.
 *
 * Registers: RBX the half's part of the rows of registers, RBP the warp, R12 its io, R13 the lanes that run, R14 the half's
 * part of the predicates, R15 its lanes; RAX, RCX, RDX for anything. zmm0 .. 27 have values, 28 .. 31 are for anything.
 * k1 .. k5 are the predicates P0 .. P4, k7 the half's lanes, k0 and k6 for anything.
 *
 * Without AVX-512 it is the warp's four quarters of 8 lanes, and nine values; masks are on the stack (assembler_narrow.h).
 *
 * Lanes that do not run have anything in vector registers; what is stored leaves them out.
 */
#ifndef PFIFO_SRC_ENGINE_SHADE_LOWER_H
#define PFIFO_SRC_ENGINE_SHADE_LOWER_H

#include "engine/shade/compile/assembler.h"
#include "engine/shade/warp.h"

#define LOWER_VALUES        28u
#define LOWER_NARROW_VALUES 9u /* without AVX-512 */
#define LOWER_PREDICATES    5u
enum { LOWER_T0 = 28, LOWER_T1, LOWER_T2, LOWER_T3 };
enum { LOWER_K = 6, LOWER_LANES = 7 };

/* What is in a vector register. */
struct lower_value {
    uint16_t number; /* of a register, or LOWER_NOTHING */
    bool changed;    /* and not stored yet */
    bool taken;      /* by the instruction that is translated */
    /*
     * Not what operations give yet, but as good for operations on floats: any NaN; numbers that the next one takes for zeros.
     */
    bool any_nan, subnormal;
    uint32_t used; /* when */
};
#define LOWER_NOTHING 0x100u

struct lower {
    struct assembler code;
    struct lower_value values[LOWER_VALUES];
    uint8_t place[256]; /* the vector register of a register; LOWER_VALUES: none */
    unsigned value_count;
    uint32_t time;
    bool known[LOWER_PREDICATES], changed[LOWER_PREDICATES]; /* predicates in k1 .. k5 */
    bool open;                                               /* a piece has begun */
    bool flushes;                                            /* the host takes subnormals for zeros */
    int bank;                                                /* RAX has the address of its constants; -1: of none */
    uint32_t again;                                          /* where the loop of the piece begins */
    uint32_t skip;                                           /* a jump, over a half in which nothing runs */
    /* What the run needs of its io, or it is not taken. */
    uint32_t constants[SHADE_BANKS]; /* bytes of each bank */
    bool inputs, outputs;
    struct shade_wanted wanted[SHADE_MOST_WANTED]; /* interpolated before it begins */
    unsigned wanted_count;
    bool flat; /* shade_io.flat */
};

/* ---- values.c ---- */

/* The code goes on after what is there. */
void lower_begin(struct lower *l, const struct assembler *code);
/* A piece: begun by what needs one. */
void lower_open(struct lower *l);
void lower_close(struct lower *l);
/* Is the host to take subnormals for zeros? The piece ends if it does not do so already; lower_flush() then opens one. */
void lower_control(struct lower *l, bool flushes);
void lower_flush(struct lower *l, bool flushes);
/* After an instruction: nothing is taken any more. */
void lower_release(struct lower *l);

/* A vector register for a result, taken. */
unsigned lower_take(struct lower *l);
/* The value of a register, not IR_ZERO; `exact`: as operations give it. It stays in place while it is taken. */
unsigned lower_register(struct lower *l, unsigned number, bool exact);
/* Of vector register `t`: make it what operations give. */
void lower_exact(struct lower *l, unsigned t);

/* Is a source one that can be translated: whole, of a register, a bank, or known? */
bool lower_can(const struct ir_source *source);
/* A source for a last operand. `temporary` may be used for it. */
struct assembler_operand lower_bits(struct lower *l, const struct ir_source *source, unsigned temporary);
/* Of floats; `sign` false: the caller sees to `negate`. */
struct assembler_operand lower_float(struct lower *l, const struct ir_source *source, unsigned temporary, bool sign);
/* An operand in a vector register: its own, or the temporary. */
unsigned lower_in_register(struct lower *l, struct assembler_operand operand, unsigned temporary);
/* Constants of a bank, to RAX. */
void lower_bank(struct lower *l, unsigned bank);

/* Can guard and predicates of an instruction be translated? */
bool lower_can_guard(const struct ir *ir);
bool lower_can_predicate(unsigned number);
/* Never runs. */
bool lower_is_never(const struct ir *ir);
/* The guard as a mask register that may be written by: only if there is one. */
unsigned lower_guard(struct lower *l, const struct ir *ir);
bool lower_is_guarded(const struct ir *ir);
unsigned lower_predicate(struct lower *l, unsigned number); /* not IR_TRUE */
/* k0 = k0 `combine` P */
void lower_combine(struct lower *l, unsigned combine, unsigned predicate, bool negate);
/* Predicate `number` = k0 in the lanes of the guard. */
void lower_set_predicate(struct lower *l, const struct ir *ir, unsigned number);

/* d = t in the lanes of the guard. `t` is taken, and its flags are set. */
void lower_result(struct lower *l, const struct ir *ir, unsigned t);
void lower_result_at(struct lower *l, const struct ir *ir, unsigned number, unsigned t);

/* ---- lower_*.c ---- */

/* A result of floats, as the host gives it: saturation, which leaves no NaN, and the destination. */
void lower_float_end(struct lower *l, const struct ir *ir, unsigned t);

/* False: it is of no form that is translated, and nothing has been done. */
typedef bool lower_op(struct lower *l, const struct ir *ir);
lower_op lower_double_function;
lower_op lower_float_op, lower_float_set, lower_convert, lower_function, lower_quad_sum;
lower_op lower_integer_op, lower_integer_set, lower_logic, lower_shift;
lower_op lower_move, lower_predicates, lower_attribute, lower_constant, lower_interpolate;

/* ---- run.c ---- */

/* So many instructions of a run have been executed; or these. */
#define RUN_ALL      0xffffffffu
#define RUN_DECLINED 0xfffffffeu

/*
 * The function of `count` instructions that follow each other, `codes[i]->simple` all of them. It returns RUN_ALL;
 * the index of an instruction that failed; RUN_DECLINED: it has done nothing. False: no memory. The code begins at *entry.
 */
typedef uint32_t shade_run_function(struct shade_warp *warp, uint32_t lanes);
struct lower_input {
    const struct shade_code *const *codes;
    unsigned count;
    bool flat; /* shade_io.flat */
};
bool lower_run(struct assembler *code, const struct lower_input *input, uint32_t *entry);

#endif
