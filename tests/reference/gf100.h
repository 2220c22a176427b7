/* SPDX-License-Identifier: MIT */
/*
 * A plain executor of the instructions of 8 bytes of GF100 and GK104, straight from their bits, as gm107.h is of GM107.
 * It has what computes in registers; it leaves roundings of doubles other than to the nearest, and flags but those of sums.
 */
#ifndef PFIFO_TESTS_REFERENCE_GF100_H
#define PFIFO_TESTS_REFERENCE_GF100_H

#include "reference/gm107.h"

/* Registers are 0 to 62. False: it is none of those, and nothing happened. */
bool reference_gf100_step(struct gm107_thread *thread, uint64_t word);

#endif
