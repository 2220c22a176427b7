/* SPDX-License-Identifier: MIT */
/* Constant buffers in memory, lent to a program. */
#ifndef PFIFO_SRC_ENGINE_LEND_CONSTANTS_H
#define PFIFO_SRC_ENGINE_LEND_CONSTANTS_H

#include "engine/lend/lender.h"

#define LEND_CONSTANTS_MOST (64u << 10) /* bytes of a buffer */

/*
 * A buffer, until memory changes: in place, if it is contiguous in the host, else a copy of it. What cannot be read is 0.
 * `*copy`: room for that, made when it is needed; its owner frees it.
 */
struct shade_constants lend_constants(const struct lend_memory *memory, uint64_t address, uint32_t bytes,
                                      uint8_t **copy);

#endif
