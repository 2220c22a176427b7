/* SPDX-License-Identifier: MIT */
#ifndef PFIFO_SRC_MEMORY_COPY_H
#define PFIFO_SRC_MEMORY_COPY_H

#include <stdint.h>

struct memory;

/*
 * Copy from a span. What was never written is zeros, and not looked at: the first look at a page of the host takes far
 * longer than to clear as much.
 */
void memory_copy(struct memory *memory, uint8_t *to, const uint8_t *from, uint64_t bytes);

#endif
