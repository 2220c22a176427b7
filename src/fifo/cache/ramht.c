/* SPDX-License-Identifier: MIT */
#include "fifo/cache/ramht.h"

/* Fields of the RAMHT register shared by NV4 and later. */
#define RAMHT_SEARCH(reg)    (16u << ((reg) >> 24 & 3))
#define RAMHT_SEARCH_FULL    (1u << 26)
#define RAMHT_MIN_ENTRY_BITS 9 /* 4 KiB of 8-byte entries */

static uint32_t ramht_mask(unsigned bits) {
    return (1u << bits) - 1u;
}

uint32_t ramht_hash(const struct ramht_layout *layout, uint32_t handle, uint32_t channel, unsigned bits) {
    uint32_t hash = 0;
    for (; handle; handle >>= bits)
        hash ^= handle & ramht_mask(bits);
    if (layout->channel_bits)
        hash ^= channel << (bits - 4);
    return hash & ramht_mask(bits);
}

static bool ramht_matches(const struct ramht_layout *layout, uint32_t context, uint32_t channel) {
    if (context == 0 || (context & layout->valid_bit) != layout->valid_bit)
        return false;
    if (!layout->channel_bits)
        return true;
    return (context >> layout->channel_shift & ramht_mask(layout->channel_bits)) == channel;
}

bool ramht_lookup(const struct ramht_layout *layout, uint32_t reg, uint32_t handle, uint32_t channel,
                  uint32_t (*rd32)(void *opaque, uint32_t offset), void *opaque, struct ramht_hit *hit) {
    unsigned bits = RAMHT_MIN_ENTRY_BITS + (reg >> layout->size_shift & 3);
    uint32_t entries = 1u << bits;
    uint32_t probes = reg & RAMHT_SEARCH_FULL ? entries : RAMHT_SEARCH(reg);
    uint32_t index = ramht_hash(layout, handle, channel, bits);
    for (uint32_t n = 0; n < probes; n++) {
        uint32_t slot = ((index + n) & (entries - 1)) * 8;
        if (rd32(opaque, slot) != handle)
            continue;
        uint32_t context = rd32(opaque, slot + 4);
        if (!ramht_matches(layout, context, channel))
            continue;
        hit->instance = context & ramht_mask(layout->instance_bits);
        hit->engine = context >> layout->engine_shift & ramht_mask(layout->engine_bits);
        return true;
    }
    return false;
}
