/* SPDX-License-Identifier: MIT */
/*
 * A plain executor of the shader IR: one thread, one instruction at a time, slowly and obviously. Roundings are those
 * of the host's floating point environment and of libm's fma. It has the operations that work on a thread alone.
 */
#ifndef PFIFO_TESTS_REFERENCE_SHADE_H
#define PFIFO_TESTS_REFERENCE_SHADE_H

#include "isa/shader/ir.h"

struct shade_thread {
    uint32_t r[256];
    bool p[8]; /* 7: true */
    bool zero, sign, carry, overflow;
    const uint8_t *constants; /* of every bank */
    uint32_t constant_bytes;
};

/* Execute one, guard included. False: it is none of those. */
bool reference_shade_step(struct shade_thread *thread, const struct ir *ir);

/* reference/shade_float.c: the part with floats; NULL-like false if it is none. */
bool reference_shade_float(struct shade_thread *thread, const struct ir *ir);

/* Sources and destinations, for both files. */
uint32_t reference_shade_raw(const struct shade_thread *thread, const struct ir_source *source, unsigned word);
void reference_shade_write(struct shade_thread *thread, unsigned number, uint32_t value);
void reference_shade_write_predicate(struct shade_thread *thread, unsigned number, bool value);
bool reference_shade_p(const struct shade_thread *thread, const struct ir *ir);
bool reference_shade_bop(unsigned combine, bool x, bool p);
void reference_shade_set(struct shade_thread *thread, const struct ir *ir, bool is);
void reference_shade_setp(struct shade_thread *thread, const struct ir *ir, bool is);

#endif
