/* SPDX-License-Identifier: MIT */
/*
 * RAMFC: where a channel's registers are while it is not in CACHE1. A layout is an array of rows,
 * walked by one piece of code in both directions.
 */
#ifndef PFIFO_SRC_FIFO_CACHE_RAMFC_H
#define PFIFO_SRC_FIFO_CACHE_RAMFC_H

#include <stddef.h>
#include <stdint.h>

/* `bits` of the RAMFC word at `offset`, from bit `low` on, hold the bits of a register from bit `reg_low` on. */
struct ramfc_row {
    uint16_t offset;
    uint8_t low, bits;
    uint8_t reg_low;
    uint16_t at; /* offsetof(struct cache_regs, ...) */
};

static inline uint32_t ramfc_mask(unsigned bits) {
    return bits >= 32 ? UINT32_MAX : (1u << bits) - 1u;
}

#endif
