/* SPDX-License-Identifier: MIT */
/*
 * A plain executor of GM107's instructions, straight from their bits: one thread, one instruction, no tables shared
 * with the decoder. It has what computes in registers; roundings of doubles and conversions other than to the nearest, and
 * flags of what Mesa never asks flags of, it leaves.
 */
#ifndef PFIFO_TESTS_REFERENCE_GM107_H
#define PFIFO_TESTS_REFERENCE_GM107_H

#include <stdbool.h>
#include <stdint.h>

struct gm107_thread {
    uint32_t r[256]; /* 255 is 0 */
    bool p[8];       /* 7 is true */
    bool zero, sign, carry, overflow;
    const uint8_t *constants; /* 64 KiB: what all 18 banks have */
};

/* False: it is none of those, and nothing happened. */
bool reference_gm107_step(struct gm107_thread *thread, uint64_t word);

#endif
