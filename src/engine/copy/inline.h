/* SPDX-License-Identifier: MIT */
/*
 * Inline data: a launch says where bytes go, and the bytes follow as words in the pushbuffer.
 *
 * There are LINE_LENGTH x LINE_COUNT bytes. Lines follow each other without a gap: a word may hold the end of one line
 * and the beginning of the next. The launch latches all methods that describe it. Words beyond the last byte are
 * dropped. A launch that begins too early ends the one before it; the words that have come for that one are written.
 *
 *   launch method   inline_begin()
 *   data method     {.type = ACTION_EFFECT, .absorb = words_absorb, .run = ...inline_data()}
 */
#ifndef PFIFO_SRC_ENGINE_COPY_INLINE_H
#define PFIFO_SRC_ENGINE_COPY_INLINE_H

#include "engine/core/predicate.h"
#include "engine/sync/report.h"
#include "engine/copy/transfer.h"
#include "engine/core/words.h"

/* A launch that waits for its data. */
struct inline_launch {
    uint64_t bytes, left; /* of all data, and of what has not been written to memory */
    uint64_t address;
    uint32_t data; /* of the method that launched */
    uint32_t line_length, pitch, block_size, width, height, depth, layer, x, y;
    bool linear;    /* or in blocks */
    bool forbidden; /* by a condition: the data goes nowhere */
};

/* Parts of a kind with inline data. */
extern const struct private_state inline_part;
#define INLINE_PARTS &words_part, &inline_part

/* Where a class has what a launch needs. The width, height, depth and layer of surfaces follow the block size. */
struct inline_methods {
    uint16_t line_length, line_count, high, low, pitch, block_size, x, y;
    uint32_t x_bits, y_bits; /* that count */
};

enum inline_result {
    INLINE_MORE,  /* data is still to come */
    INLINE_DONE,  /* all has been written: semaphore and interrupt are due */
    INLINE_ENDED, /* faulted or refused, which has been reported and raised */
};

/* A launch. Where it is not allowed its data goes nowhere. */
enum inline_result inline_begin(const struct call *call, const struct inline_methods *methods, bool linear,
                                enum predicate allowed);

/* A data word that words_absorb() did not take; *launch is set to the data of the launching method. */
enum inline_result inline_data(const struct call *call, uint32_t *launch);

#endif
