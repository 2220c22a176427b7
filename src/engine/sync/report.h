/* SPDX-License-Identifier: MIT */
/*
 * What engines write when work is done: fences, reports, semaphores, notifiers.
 *
 *   one word     +0 payload
 *   two words    +0 payload, 64 bits
 *   four words   +0 payload, +4 zero (or upper payload), +8 time in nanoseconds
 */
#ifndef PFIFO_SRC_ENGINE_SYNC_REPORT_H
#define PFIFO_SRC_ENGINE_SYNC_REPORT_H

#include "engine/core/action.h"
#include "fifo/semaphore.h"

/* Write bytes, at most 16. False after a fault, which has been reported and raised. `value` and `what`: for the event.
 */
bool report_write(const struct call *call, struct dma_address target, const void *bytes, size_t count, uint64_t value,
                  const char *what);
/* The same, if it is not a query. */
bool report_write_for(const struct call *call, enum unit_use use, struct dma_address target, const void *bytes,
                      size_t count, uint64_t value, const char *what);

enum report_words { REPORT_ONE_WORD = 1, REPORT_TWO_WORDS = 2, REPORT_FOUR_WORDS = 4 };

/* Write a payload in one of the structures above. */
bool report_release(const struct call *call, struct dma_address target, uint64_t payload, enum report_words words,
                    const char *what);

struct report_reduction {
    enum semaphore_reduction operation;
    bool is_signed, is_64;
};

/*
 * memory = memory OP payload, in one of the structures above.
 * UNKNOWN: whether a reduction on 32 bits combines more than word 0 of two or four; chosen: it does not.
 */
bool report_reduce(const struct call *call, struct dma_address target, struct report_reduction reduction,
                   uint64_t payload, enum report_words words, const char *what);

/*
 * The same, as the classes of graphics number it: operations ADD MIN MAX INC DEC AND OR XOR; formats 0 unsigned, 1
 * signed. A format that they do not name is not executed, and says so. False after a fault.
 */
bool report_reduce_numbered(const struct call *call, struct dma_address target, unsigned operation, unsigned format,
                            bool is_64, uint64_t payload, enum report_words words, const char *what);

/*
 * STRUCTURE_SIZE of GA100 and later: four words, one, two. It is of the payload's unit.
 * UNKNOWN: one word with a payload of 64 bits; chosen: both words are written. UNKNOWN: number 3; chosen: four words.
 */
enum report_words report_words_of(unsigned size, bool is_64);

#endif
