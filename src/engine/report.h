/* SPDX-License-Identifier: MIT */
/*
 * What engines write when work is done: fences, reports, semaphores, notifiers.
 *
 *   one word     +0 payload
 *   two words    +0 payload, 64 bits
 *   four words   +0 payload, +4 zero (or upper payload), +8 time in nanoseconds
 */
#ifndef PFIFO_SRC_ENGINE_REPORT_H
#define PFIFO_SRC_ENGINE_REPORT_H

#include "engine/action.h"
#include "fifo/semaphore.h"

/* Write bytes, at most 16. False after a fault, which has been reported and raised. `value` and `kind`: for the event.
 */
bool report_write(const struct call *call, struct place place, const void *bytes, size_t count, uint64_t value,
                  const char *kind);

enum report_words { REPORT_ONE_WORD = 1, REPORT_TWO_WORDS = 2, REPORT_FOUR_WORDS = 4 };

/* Write a payload in one of the structures above. */
bool report_release(const struct call *call, struct place place, uint64_t payload, enum report_words words,
                    const char *kind);

/*
 * memory = memory OP payload, on 32 bits; four words: zero and time behind it.
 * UNKNOWN: whether a reduction of four words combines more than word 0; chosen: it does not.
 */
bool report_reduce(const struct call *call, struct place place, enum semaphore_reduction reduction, bool is_signed,
                   uint32_t payload, enum report_words words, const char *kind);

/* Reductions as the 3D, compute and inline-to-memory classes number them: ADD MIN MAX INC DEC AND OR XOR. */
extern const enum semaphore_reduction report_reductions[8];

#endif
