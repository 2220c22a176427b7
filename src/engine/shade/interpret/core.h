/* SPDX-License-Identifier: MIT */
/*
 * The interpreter, the shader core's first executor, which says what a program means.
 *
 *   warp.c       which lanes run next, guards, the loop
 *   flow.c       branches, stacks, ends, barriers
 *   operand.c    sources to rows, rows to destinations
 *   ops.c        which function an operation is; each takes a warp, an instruction and the lanes of its guard:
 *   plain.c      the forms that programs mostly consist of; all forms:
 *   float.c half.c function.c double.c integer.c bits.c wide.c convert.c video.c predicate.c memory.c
 *   atomic.c stage.c image.c
 *
 * Values are computed with the plain IEEE operations of the host (add, multiply, divide, square root of doubles,
 * rounded to nearest) and with integers, so they are the same everywhere.
 */
#ifndef PFIFO_SRC_ENGINE_SHADE_CORE_H
#define PFIFO_SRC_ENGINE_SHADE_CORE_H

#include "engine/shade/warp.h"

#define SHADE_ALL UINT32_MAX

/* ---- ops.c ---- */
/* NULL: flow. */
shade_op *shade_op_of(const struct ir *ir);
/* The same operations, for processors with AVX2: these files are built twice (src/engine/meson.build). */
shade_op *shade_avx2_op_of(const struct ir *ir);

/* ---- warp.c ---- */
/* Registers below `registers` have values. */
void shade_warp_zero(struct shade_warp *warp, unsigned registers);
/* The instruction is in error: the first one counts. Always false. */
bool shade_fail(struct shade_warp *warp, enum shade_error error);
/* Those of `lanes` that a guard and a test of flags let through. */
uint32_t shade_guarded(const struct shade_warp *warp, const struct ir *ir, uint32_t lanes);
/* The lanes whose flags pass a condition test. */
uint32_t shade_test(const struct shade_warp *warp, unsigned test);

/* ---- flow.c ---- */
/* `lanes` have reached it (their pc is after it), `guarded` of them do it. */
void shade_flow(struct shade_warp *warp, const struct ir *ir, uint32_t lanes, uint32_t guarded);
void shade_sync(struct shade_warp *warp, uint32_t lanes);
uint32_t shade_quads_of(uint32_t lanes);
/* IR_EXIT of all lanes that are alive. False: some of them have an entry to go to; nothing has been done. */
bool shade_exit_all(struct shade_warp *warp);

/* ---- operand.c ---- */

extern const uint32_t shade_bit[SHADE_LANES];

/* Sources. What they return is the register itself or `room`. */
const uint32_t *shade_bits(const struct shade_warp *warp, const struct ir_source *source, uint32_t *room);
const uint32_t *shade_float(const struct shade_warp *warp, const struct ir_source *source, uint32_t *room);
const uint32_t *shade_integer(const struct shade_warp *warp, const struct ir_source *source, uint32_t *room);
/* The selected part, extended as `type` says, without modifiers of sign. */
const uint32_t *shade_part(const struct shade_warp *warp, const struct ir_source *source, unsigned type,
                           uint32_t *room);
/* 1, 2 or 4 bytes of a bank, little endian; 0 if they reach beyond its end. */
uint32_t shade_constant(const struct shade_warp *warp, unsigned bank, uint32_t offset, unsigned bytes);
/* 64 bits, raw; an immediate is the high word if `high`, else extended by its sign. */
void shade_bits64(const struct shade_warp *warp, const struct ir_source *source, bool high, uint64_t *out);
void shade_double(const struct shade_warp *warp, const struct ir_source *source, double *out);

/* Destinations: register `number`, or nothing if that is IR_ZERO or more. */
void shade_write(struct shade_warp *warp, unsigned number, uint32_t lanes, const uint32_t *row);
void shade_write64(struct shade_warp *warp, unsigned number, uint32_t lanes, const uint64_t *row);
void shade_write_predicate(struct shade_warp *warp, unsigned number, uint32_t lanes, uint32_t value);
/* Registers d, d + 1 ...: nothing is written to IR_ZERO or by a block that begins there. */
void shade_write_block(struct shade_warp *warp, unsigned number, unsigned word, uint32_t lanes, const uint32_t *row);
const uint32_t *shade_block(const struct shade_warp *warp, unsigned number, unsigned word);

/* A row from a mask: `yes` in its lanes, else 0. */
void shade_spread(uint32_t mask, uint32_t yes, uint32_t *out);

/* Flags of a result: Z and S of the row, C and V as given. */
void shade_flags(struct shade_warp *warp, uint32_t lanes, const uint32_t *row, uint32_t carry, uint32_t overflow);
void shade_flags_float(struct shade_warp *warp, uint32_t lanes, const uint32_t *row);

/* P of an operation, and `m bop P`. */
uint32_t shade_p(const struct shade_warp *warp, const struct ir *ir);
uint32_t shade_combine(unsigned combine, uint32_t m, uint32_t p);
/* The end of ISET, FSET, ... and of ISETP, FSETP, ... : m is the comparison. */
void shade_set(struct shade_warp *warp, const struct ir *ir, uint32_t lanes, uint32_t m);
void shade_setp(struct shade_warp *warp, const struct ir *ir, uint32_t lanes, uint32_t m);

/* ---- the operations, by ops.def ---- */
#define RUN(f)     bool shade_##f(struct shade_warp *warp, const struct ir *ir, uint32_t lanes);
#define RUN2(f, g) RUN(f) RUN(g)
#define FLOW
#define OP(name, run, ...) run
#include "isa/shader/ops.def"
#undef OP
#undef FLOW
#undef RUN2
#undef RUN

/* ---- plain.c ---- */
/* The function of an instruction of a frequent form. NULL: it has none. */
shade_op *shade_plain_of(const struct ir *ir);
/* Does the host round a * b + c once? Else FFMA has no such form. */
bool shade_has_fused(void);

#endif
