/* SPDX-License-Identifier: MIT */
/*
 * RAMFC: where a channel's registers are while it is not in CACHE1. A layout is an array of rows, walked by one piece
 * of code in both directions (cache_switch.c).
 *
 * Sources: nouveau engine/fifo/{nv04,nv10,nv17,nv40,nv50,g84}.c; envytools rnndb/fifo/{nv4,g80}_pfifo.xml.
 */
#ifndef PFIFO_SRC_FIFO_CACHE_RAMFC_H
#define PFIFO_SRC_FIFO_CACHE_RAMFC_H

#include <stddef.h>
#include <stdint.h>

struct cache_fifo;

/* `bits` of the RAMFC word at `offset`, from bit `low` on, hold the bits of a register from bit `reg_low` on. */
struct ramfc_row {
    uint16_t offset;
    uint8_t low, bits;
    uint8_t reg_low;
    uint16_t at; /* offsetof(struct cache_regs, ...) */
};

struct ramfc_ops {
    const struct ramfc_row *rows; /* by offset */
    size_t count;
    uint32_t (*bytes)(const struct cache_fifo *c); /* in use now: rows from there on are left out */
    /* Physical address of a channel's RAMFC, for events, and its words. */
    uint64_t (*address)(struct cache_fifo *c, uint32_t channel);
    uint32_t (*rd32)(struct cache_fifo *c, uint32_t channel, uint32_t offset);
    void (*wr32)(struct cache_fifo *c, uint32_t channel, uint32_t offset, uint32_t value);
    /* Entries of CACHE1 of a channel that leaves, or comes back. */
    void (*save_entries)(struct cache_fifo *c, uint32_t channel);
    void (*load_entries)(struct cache_fifo *c, uint32_t channel);
};

uint32_t ramfc_all_bytes(const struct cache_fifo *c); /* `bytes` where all rows always are in use */

static inline uint32_t ramfc_mask(unsigned bits) {
    return bits >= 32 ? UINT32_MAX : (1u << bits) - 1u;
}

#endif
