/* SPDX-License-Identifier: MIT */
/*
 * Memory that is read or written, by the same names whoever names it: the number of a buffer and offsets in it; before
 * G80 VRAM or GART, and addresses there.
 */
#ifndef PFIFO_LINT_RANGE_H
#define PFIFO_LINT_RANGE_H

#include "lint/lint.h"

/* `lines` pieces of `bytes`, `pitch` apart. */
struct lint_range {
    uint64_t object; /* 0: not known */
    uint64_t begin, bytes, lines, pitch;
};

/* Of an event engine.read or engine.write. What is beyond the memory that its first byte is in is left out. */
struct lint_range range_of_event(const struct lint *lint, const struct pfifo_event *event);

/* Of a virtual address of a channel. */
struct lint_range range_of_address(const struct lint *lint, uint32_t channel, uint64_t address, uint64_t bytes);

/* Of bytes of a buffer of the capture. */
struct lint_range range_of_buffer(const struct lint *lint, uint32_t handle, uint64_t offset, uint64_t bytes);

/* The end of the last line. */
static inline uint64_t range_end(const struct lint_range *range) {
    return range->begin + (range->lines - 1) * range->pitch + range->bytes;
}

/* For what is found of it. */
static inline uint64_t range_key(const struct lint_range *range) {
    return (range->object << 44 ^ range->begin) * 31;
}

/* Have they a byte in common? Of two with different pitches and very many lines: perhaps false though they have. */
bool range_meets(const struct lint_range *a, const struct lint_range *b);

#endif
