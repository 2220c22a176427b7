/* SPDX-License-Identifier: MIT */
/*
 * Decoders of blocks, a texel at a time.
 *
 * Sources: Khronos Data Format Specification 1.3, chapters 18 to 23; OpenGL's ARB_texture_compression_bptc and
 * KHR_texture_compression_astc_ldr.
 */
#ifndef PFIFO_SRC_ENGINE_TEXTURE_BLOCKS_H
#define PFIFO_SRC_ENGINE_TEXTURE_BLOCKS_H

#include <assert.h>

#include "engine/texture/format.h"

#include "memory/memory.h"

/* A block of 16 bytes as one number. */
struct block_bits {
    uint64_t low, high;
};

static inline struct block_bits block_bits(const uint8_t *block) {
    return (struct block_bits){load_le64(block), load_le64(block + 8)};
}

/* `count` bits (at most 32) from bit `at` on. Beyond bit 127 are zeros. */
static inline uint32_t block_field(const struct block_bits *bits, unsigned at, unsigned count) {
    assert(count <= 32);
    uint64_t value = 0;
    if (at < 64)
        value = bits->low >> at | (at ? bits->high << (64 - at) : 0);
    else if (at < 128)
        value = bits->high >> (at - 64);
    return (uint32_t)(value & ((UINT64_C(1) << count) - 1));
}

/* blocks_bc7.c: also what BC6H shares with it. `partition` chooses how a block is divided into 1 to 3 subsets. */
void block_bc7(const uint8_t *block, unsigned texel, float out[4]);
unsigned block_subset(unsigned subsets, unsigned partition, unsigned texel);
/* A texel's index of `count` bits; the indices begin at bit `at`. */
unsigned block_index(const struct block_bits *bits, unsigned at, unsigned count, unsigned subsets, unsigned partition,
                     unsigned texel);
/* Between two ends, by an index of `count` bits. */
int32_t block_between(int32_t a, int32_t b, unsigned index, unsigned count);

/* blocks_bc6h.c */
void block_bc6h(const uint8_t *block, unsigned texel, bool is_signed, float out[4]);

/* blocks_etc2.c */
void block_etc2(enum texture_coding coding, const uint8_t *block, unsigned x, unsigned y, bool is_signed, float out[4]);

/* blocks_astc.c: blocks of `across` x `down` texels; sRGB rounds otherwise. */
void block_astc(const uint8_t *block, unsigned across, unsigned down, unsigned x, unsigned y, bool srgb, float out[4]);

/* blocks_astc_sequence.c: bounded integer sequences. */

/* Values 0 to (3 or 5 or 1) * 2^bits - 1. */
struct astc_range {
    uint8_t trits, quints, bits;
};

struct astc_sequence {
    const struct block_bits *bits;
    unsigned at, end; /* bits beyond are zeros */
    struct astc_range range;
};

/* Bits that `count` values take. */
unsigned astc_sequence_bits(struct astc_range range, unsigned count);
unsigned astc_value(const struct astc_sequence *sequence, unsigned number);
/* A value as a weight, 0 to 64, and as a component of an end, 0 to 255. */
unsigned astc_weight(struct astc_range range, unsigned value);
unsigned astc_component(struct astc_range range, unsigned value);

#endif
