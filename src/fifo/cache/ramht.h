/* SPDX-License-Identifier: MIT */
/*
 * RAMHT: the hash table that turns an object handle into an instance and an engine.
 *
 *   index = fold(handle, bits) ^ chid << (bits - 4)        probe index, index + 1, ... with wrap
 *   entry = { handle, context word }                       context: [chid] [engine] [instance >> 4]
 *
 * Sources: envytools docs/hw/fifo/puller.rst; nouveau core/ramht.c; rnndb/fifo/{nv4,g80}_pfifo.xml.
 */
#ifndef PFIFO_SRC_FIFO_CACHE_RAMHT_H
#define PFIFO_SRC_FIFO_CACHE_RAMHT_H

#include <stdbool.h>
#include <stdint.h>

/* Where the fields of the RAMHT register and of a context word are. */
struct ramht_layout {
    uint8_t size_shift;                  /* of the register's SIZE, 2 bits: 4 KiB << SIZE */
    uint8_t channel_shift, channel_bits; /* 0 bits: a table per channel, no channel in it */
    uint8_t engine_shift, engine_bits;
    uint8_t instance_bits;
    uint32_t valid_bit; /* must be set in the context, 0: none */
};

struct ramht_hit {
    uint32_t instance; /* RAMIN or descriptor offset >> 4 */
    uint32_t engine;
};

/* Index of a handle: the first slot that is probed. `bits`: log2 of the number of entries. */
uint32_t ramht_hash(const struct ramht_layout *layout, uint32_t handle, uint32_t channel, unsigned bits);

/*
 * Look `handle` up for `channel` in the table that register value `reg` describes; rd32 reads a word at a byte offset
 * of the table. Bounded by the table's size. A context of 0 never matches (empty slot).
 */
bool ramht_lookup(const struct ramht_layout *layout, uint32_t reg, uint32_t handle, uint32_t channel,
                  uint32_t (*rd32)(void *opaque, uint32_t offset), void *opaque, struct ramht_hit *hit);

#endif
